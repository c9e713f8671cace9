//! From heights to shapes: where columns stand, and the curves of the arrows.
//!
//! An arrow crosses a column along a short straight *stub* through its vertex, and swings from stub to stub between the
//! columns. A stub may slope, but only as far as no neighbour in the column is in the way, so an arrow touches neither
//! states nor foreign labels. At a state the stub starts from the centre: arrows point at the middle of the circle.

use super::chains::{Columns, GAP, Kind, LABEL_GAP, LOOP_HEIGHT, RADIUS, TILT};
use super::graph::Graph;
use super::place::{Wish, spread};

/// Around everything.
const MARGIN: f64 = 14.0;
/// The handles of a curve between columns, as a part of the gap.
const HANDLE: f64 = 0.42;
/// From the tip of an arrow to the end of its line.
pub(super) const ARROW: f64 = 9.0;
/// The steepest start of an arrow at a state: dy over length.
const STEEPEST: f64 = 0.8;
/// How far arrows should be apart where they meet a state, in the same unit, if there is room.
const PORT: f64 = 0.24;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A rectangle of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// A line with its head. The points are those of a sequence of cubic Bézier curves: first, control, control, on, …
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) points: Vec<Point>,
    pub(super) tip: Point,
}

/// The finished picture, but for its text. Vectors are parallel to those of the [`Graph`].
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) states: Vec<Point>,
    pub(super) loops: Vec<Option<(Curve, Block)>>,
    pub(super) arrows: Vec<(Curve, Block)>,
    /// The arrows into initial states.
    pub(super) entries: Vec<Curve>,
}

/// Where an arrow passes a column.
struct Stub {
    vertex: usize,
    at: Point,
    slope: f64,
    /// How far it reaches to the left and to the right.
    half: f64,
}

/// An arrow from left to right.
struct Way {
    stubs: Vec<Stub>,
}

/// Where an arrow meets a state.
struct End {
    way: usize,
    state: usize,
    /// 1 on the right side of the state, −1 on the left.
    side: f64,
    /// The height of the next vertex on the way.
    next: f64,
    /// The direction in which the arrow would like to leave: dy over length.
    sine: f64,
}

/// What [`route`] knows about the places of vertices.
struct Places {
    columns: Columns,
    y: Vec<f64>,
    /// The middle of each column.
    middle: Vec<f64>,
    /// How far a line through the vertex may rise, and fall, before it meets a box in its column.
    room: Vec<(f64, f64)>,
}

/// Shapes for all that is in `columns`, whose vertices have the heights `y`.
pub(super) fn route(graph: &Graph, columns: Columns, mut y: Vec<f64>) -> Layout {
    let (mut top, mut bottom) = (f64::INFINITY, f64::NEG_INFINITY);
    for (vertex, &y) in columns.vertices.iter().zip(&y) {
        top = top.min(y - vertex.above);
        bottom = bottom.max(y + vertex.below);
    }
    for y in &mut y {
        *y += MARGIN - top;
    }
    let (middle, width) = abscissas(&columns, &y);
    let room = rooms(graph, &columns, &y);
    let places = Places { columns, y, middle, room };

    let states: Vec<Point> = (0..graph.states.len()).map(|state| places.point(state)).collect();
    let mut ways: Vec<Way> = places.columns.chains.iter().map(|chain| places.way(&chain.vertices)).collect();
    ways.extend(places.columns.entries.iter().map(|&(entry, state)| places.way(&[entry, state])));
    places.spread_ends(&mut ways);
    let mut ways = ways.into_iter();
    let arrows = graph.arrows.iter().zip(&places.columns.chains).zip(ways.by_ref());
    let arrows = arrows.map(|((arrow, chain), way)| {
        let block = places.label_block(chain.vertices[chain.label], &way.stubs[chain.label]);
        (way.curve(true, arrow.from != chain.vertices[0]), block)
    });
    let arrows = arrows.collect();
    let entries = ways.map(|way| way.curve(false, false)).collect();
    let loops = graph.states.iter().zip(&states).map(|(state, &centre)| {
        let label = state.looping.as_ref()?;
        let bottom = centre.y - RADIUS - LOOP_HEIGHT - LABEL_GAP;
        let half = label.width() / 2.0;
        let block = Block { left: centre.x - half, right: centre.x + half, top: bottom - label.height(), bottom };
        Some((loop_curve(centre), block))
    });
    let loops = loops.collect();
    Layout { width, height: bottom - top + 2.0 * MARGIN, states, loops, arrows, entries }
}

/// The middle of each column, and the width of the picture. Steep lines get more room to turn.
fn abscissas(columns: &Columns, y: &[f64]) -> (Vec<f64>, f64) {
    let mut middle = Vec::with_capacity(columns.columns.len());
    let mut x = MARGIN;
    for (i, column) in columns.columns.iter().enumerate() {
        if i > 0 {
            let rises = column.iter().flat_map(|&v| columns.left[v].iter().map(move |&u| (y[u] - y[v]).abs()));
            let steepest = rises.fold(0.0, f64::max);
            x += GAP + (0.2 * (steepest - 40.0)).clamp(0.0, 140.0);
        }
        middle.push(x + columns.half_widths[i]);
        x += 2.0 * columns.half_widths[i];
    }
    (middle, x + MARGIN)
}

/// See [`Places::room`]. Bends are no obstacle: where two lines run beside each other, they slope alike.
fn rooms(graph: &Graph, columns: &Columns, y: &[f64]) -> Vec<(f64, f64)> {
    const CLEARANCE: f64 = 5.0;
    /// As good as no bound, but finite.
    const FREE: f64 = 10_000.0;
    let mut room = vec![(f64::INFINITY, f64::INFINITY); y.len()];
    for column in &columns.columns {
        let mut ceiling = f64::NEG_INFINITY;
        for &v in column {
            room[v].0 = y[v] - ceiling - CLEARANCE;
            if columns.vertices[v].kind != Kind::Bend {
                ceiling = y[v] + columns.vertices[v].below;
            }
        }
        let mut floor = f64::INFINITY;
        for &v in column.iter().rev() {
            room[v].1 = floor - y[v] - CLEARANCE;
            if columns.vertices[v].kind != Kind::Bend {
                floor = y[v] - columns.vertices[v].above;
            }
        }
    }
    for (state, room) in graph.states.iter().zip(&mut room) {
        if state.looping.is_some() {
            room.0 = room.0.min(RADIUS + LOOP_HEIGHT - CLEARANCE);
        }
    }
    room.into_iter().map(|(up, down)| (up.clamp(0.0, FREE), down.clamp(0.0, FREE))).collect()
}

impl Places {
    fn point(&self, v: usize) -> Point {
        let vertex = &self.columns.vertices[v];
        let middle = self.middle[vertex.column];
        // The tail of an arrow into an initial state keeps close to it, however wide the labels beside it.
        let x = if vertex.kind == Kind::Entry { middle + self.columns.half_widths[vertex.column] } else { middle };
        Point { x, y: self.y[v] }
    }

    /// The way along a chain, where the ends are still level.
    fn way(&self, chain: &[usize]) -> Way {
        let points: Vec<Point> = chain.iter().map(|&v| self.point(v)).collect();
        let secants: Vec<f64> = points.windows(2).map(|p| (p[1].y - p[0].y) / (p[1].x - p[0].x)).collect();
        let stubs = chain.iter().zip(&points).enumerate().map(|(i, (&vertex, &at))| {
            let passed = i.checked_sub(1).and_then(|before| Some((secants[before], *secants.get(i)?)));
            let (slope, half) = passed.map_or((0.0, 0.0), |(before, after)| self.passing(vertex, before, after));
            Stub { vertex, at, slope, half }
        });
        Way { stubs: stubs.collect() }
    }

    /// Slope and reach where a line passes a column, given the slopes to the places before and after.
    fn passing(&self, v: usize, before: f64, after: f64) -> (f64, f64) {
        let vertex = &self.columns.vertices[v];
        let half = self.columns.half_widths[vertex.column];
        // The harmonic mean lets the curve neither overshoot nor turn back.
        let smooth = if before * after > 0.0 { 2.0 * before * after / (before + after) } else { 0.0 };
        let mut limit = self.room[v].0.min(self.room[v].1) / half.max(1.0);
        if let Kind::Label(_) = vertex.kind {
            limit = limit.min(TILT / vertex.half_width.max(1.0));
        }
        (smooth.clamp(-limit, limit), half)
    }

    /// Gives the ends of ways their slopes at states, such that arrows on one side of a state keep apart.
    fn spread_ends(&self, ways: &mut [Way]) {
        let mut ends: Vec<End> = Vec::new();
        for (i, way) in ways.iter().enumerate() {
            let last = way.stubs.len() - 1;
            for (end, next, side) in [(0, 1, 1.0), (last, last - 1, -1.0)] {
                let (end, next) = (&way.stubs[end], &way.stubs[next]);
                if self.columns.vertices[end.vertex].kind == Kind::Entry {
                    continue;
                }
                // Straight past the circle, then a parabola to the next stub: its slopes add up to twice its secant.
                let dx = (next.at.x - end.at.x).abs() - next.half;
                let dy = next.at.y - side * next.half * next.slope - end.at.y;
                let straight =
                    (RADIUS + ARROW).max(self.columns.half_widths[self.columns.vertices[end.vertex].column]).min(dx);
                let slope = (2.0 * dy - side * next.slope * (dx - straight)) / (dx + straight);
                let sine = slope / (1.0 + slope * slope).sqrt();
                ends.push(End { way: i, state: end.vertex, side, next: next.at.y, sine });
            }
        }
        ends.sort_by(|a, b| a.state.cmp(&b.state).then(a.side.total_cmp(&b.side)).then(a.next.total_cmp(&b.next)));
        for group in ends.chunk_by(|a, b| (a.state, a.side) == (b.state, b.side)) {
            let End { state, side, .. } = group[0];
            let half = self.columns.half_widths[self.columns.vertices[state].column];
            let bound = |room: f64| STEEPEST.min(room / (half * half + room * room).sqrt());
            let (low, high) = (-bound(self.room[state].0), bound(self.room[state].1));
            let wishes: Vec<Wish> = group.iter().map(|end| Wish { at: end.sine, weight: 1.0 }).collect();
            let gaps = group.len() - 1;
            let port = PORT.min((high - low) / gaps.max(1) as f64);
            for (end, sine) in group.iter().zip(spread(&wishes, &vec![port; gaps], low, high)) {
                let stubs = &mut ways[end.way].stubs;
                let last = stubs.len() - 1;
                let stub = &mut stubs[if side > 0.0 { 0 } else { last }];
                let cosine = (1.0 - sine * sine).sqrt();
                stub.slope = side * sine / cosine;
                stub.half = half.max((RADIUS + ARROW + 2.0) * cosine);
            }
        }
    }

    /// Where the text of a label goes: just above its line.
    fn label_block(&self, label: usize, stub: &Stub) -> Block {
        let vertex = &self.columns.vertices[label];
        let bottom = stub.at.y - LABEL_GAP - stub.slope.abs() * vertex.half_width;
        let height = vertex.above - LABEL_GAP - TILT;
        let (left, right) = (stub.at.x - vertex.half_width, stub.at.x + vertex.half_width);
        Block { left, right, top: bottom - height, bottom }
    }
}

impl Way {
    /// The curve from circle (or, if not `from_state`, from the very start) to circle; from right to left if
    /// `backwards`.
    fn curve(&self, from_state: bool, backwards: bool) -> Curve {
        let along = |stub: &Stub, dx: f64| Point { x: stub.at.x + dx, y: stub.at.y + dx * stub.slope };
        let reach = |stub: &Stub, distance: f64| distance / (1.0 + stub.slope * stub.slope).sqrt();
        let last = self.stubs.len() - 1;
        let (head, tail) = (RADIUS + ARROW - 1.5, if from_state { RADIUS } else { 0.0 });
        let (at_left, at_right) = if backwards { (head, tail) } else { (tail, head) };
        let mut points: Vec<Point> = Vec::new();
        for (i, stub) in self.stubs.iter().enumerate() {
            let start = along(stub, if i == 0 { reach(stub, at_left) } else { -stub.half });
            let end = along(stub, if i == last { -reach(stub, at_right) } else { stub.half });
            if let Some(&here) = points.last() {
                let handle = HANDLE * (start.x - here.x);
                let slope = self.stubs[i - 1].slope;
                points.push(Point { x: here.x + handle, y: here.y + handle * slope });
                points.push(Point { x: start.x - handle, y: start.y - handle * stub.slope });
            }
            // A straight piece is a curve whose handles are its ends.
            points.extend([start, start, end, end]);
        }
        let (target, side) = if backwards { (&self.stubs[0], 1.0) } else { (&self.stubs[last], -1.0) };
        let tip = along(target, side * reach(target, RADIUS));
        if backwards {
            points.reverse();
        }
        Curve { points, tip }
    }
}

/// The loop above a state.
fn loop_curve(centre: Point) -> Curve {
    let at = |x: f64, y: f64| Point { x: centre.x + x * RADIUS, y: centre.y + y * RADIUS };
    // 0.5² + 0.866² = 1: the feet stand on the circle, and the handles leave it at right angles.
    let (tip, handle) = (at(0.5, -0.866), at(1.5, -2.7));
    let length = ((handle.x - tip.x) * (handle.x - tip.x) + (handle.y - tip.y) * (handle.y - tip.y)).sqrt();
    let part = (ARROW - 1.5) / length;
    let end = Point { x: tip.x + part * (handle.x - tip.x), y: tip.y + part * (handle.y - tip.y) };
    Curve { points: vec![at(-0.5, -0.866), at(-1.5, -2.7), handle, end], tip }
}
