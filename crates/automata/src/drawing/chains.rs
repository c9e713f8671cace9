//! The columns of the picture and what stands in them.
//!
//! States take every other column, labels the columns between. An arrow becomes a chain of vertices, one in each
//! column on its way: a label in the middle, bends elsewhere. From here on every line joins neighbouring columns.

use super::graph::Graph;

pub(super) const RADIUS: f64 = 20.0;
/// How far a loop rises above its state.
pub(super) const LOOP_HEIGHT: f64 = 25.0;
/// Between a line and the text on it.
pub(super) const LABEL_GAP: f64 = 4.0;
/// Between two columns, before steep lines ask for more.
pub(super) const GAP: f64 = 30.0;
/// How far a line may rise or fall on either side of the middle of its label; see [`super::route`].
pub(super) const TILT: f64 = 4.0;

/// What a vertex is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The state with this number in the graph.
    State(usize),
    /// The text of the arrow with this number.
    Label(usize),
    /// A place where an arrow passes a column.
    Bend,
    /// The tail of an arrow into an initial state.
    Entry,
}

/// A box in a column, hung on the line that passes through it.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub(super) kind: Kind,
    pub(super) column: usize,
    /// How far the box reaches above the line, and below.
    pub(super) above: f64,
    pub(super) below: f64,
    pub(super) half_width: f64,
    /// How much the lines through it want to be straight; states leave that to their arrows.
    pub(super) stiffness: f64,
}

/// The way of an arrow.
#[derive(Debug)]
pub(super) struct Chain {
    /// From left to right, whichever way the arrow points.
    pub(super) vertices: Vec<usize>,
    /// Where among them the label is.
    pub(super) label: usize,
}

/// The vertices, the columns they stand in from top to bottom, and the lines between columns.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) vertices: Vec<Vertex>,
    pub(super) columns: Vec<Vec<usize>>,
    /// Half the width of each column.
    pub(super) half_widths: Vec<f64>,
    /// The neighbours of each vertex in the column to the left, and to the right.
    pub(super) left: Vec<Vec<usize>>,
    pub(super) right: Vec<Vec<usize>>,
    /// One for each arrow.
    pub(super) chains: Vec<Chain>,
    /// The entries, each with its state.
    pub(super) entries: Vec<(usize, usize)>,
}

/// How many vertices [`columns`] makes of the arrows.
pub(super) fn vertex_count(graph: &Graph, ranks: &[usize]) -> usize {
    graph.arrows.iter().map(|arrow| 2 * ranks[arrow.from].abs_diff(ranks[arrow.to])).sum()
}

/// Sets up the columns; the order within them is that of creation. The first `graph.states.len()` vertices are the
/// states.
pub(super) fn columns(graph: &Graph, ranks: &[usize]) -> Columns {
    let number = 2 * ranks.iter().max().map_or(0, |rank| rank + 1);
    let mut columns = Columns {
        vertices: Vec::new(),
        columns: vec![Vec::new(); number],
        half_widths: vec![0.0; number],
        left: Vec::new(),
        right: Vec::new(),
        chains: Vec::new(),
        entries: Vec::new(),
    };
    for (i, state) in graph.states.iter().enumerate() {
        let (mut above, mut half_width) = (RADIUS, RADIUS);
        if let Some(label) = &state.looping {
            above += LOOP_HEIGHT + LABEL_GAP + label.height();
            half_width = RADIUS.max(label.width() / 2.0);
        }
        let column = 2 * ranks[i] + 1;
        columns.add(Vertex {
            kind: Kind::State(i),
            column,
            above,
            below: RADIUS,
            half_width,
            stiffness: f64::INFINITY,
        });
    }
    for (i, _) in graph.states.iter().enumerate().filter(|(_, state)| state.initial) {
        let (kind, column) = (Kind::Entry, 2 * ranks[i]);
        let entry = columns.add(Vertex { kind, column, above: 6.0, below: 6.0, half_width: 0.0, stiffness: 8.0 });
        columns.join(entry, i);
        columns.entries.push((entry, i));
    }
    for (i, arrow) in graph.arrows.iter().enumerate() {
        let forward = ranks[arrow.from] < ranks[arrow.to];
        let (start, end) = if forward { (arrow.from, arrow.to) } else { (arrow.to, arrow.from) };
        let (first, last) = (2 * ranks[start] + 2, 2 * ranks[end]);
        // The label column in the middle, the left one of two.
        let middle = first + (last - first) / 4 * 2;
        // The ways onward make the spine of the picture; the ways back bend around it.
        let stiffness = if forward { 2.0 } else { 0.5 };
        let mut vertices = vec![start];
        for column in first..=last {
            let vertex = if column == middle {
                let (above, half_width) = (arrow.label.height() + LABEL_GAP + TILT, arrow.label.width() / 2.0);
                Vertex { kind: Kind::Label(i), column, above, below: TILT, half_width, stiffness }
            } else {
                Vertex { kind: Kind::Bend, column, above: 0.0, below: 0.0, half_width: 0.0, stiffness }
            };
            let vertex = columns.add(vertex);
            columns.join(vertices[vertices.len() - 1], vertex);
            vertices.push(vertex);
        }
        columns.join(vertices[vertices.len() - 1], end);
        vertices.push(end);
        columns.chains.push(Chain { vertices, label: middle - first + 1 });
    }
    columns
}

impl Columns {
    fn add(&mut self, vertex: Vertex) -> usize {
        self.columns[vertex.column].push(self.vertices.len());
        self.half_widths[vertex.column] = vertex.half_width.max(self.half_widths[vertex.column]);
        self.vertices.push(vertex);
        self.left.push(Vec::new());
        self.right.push(Vec::new());
        self.vertices.len() - 1
    }

    fn join(&mut self, left: usize, right: usize) {
        self.right[left].push(right);
        self.left[right].push(left);
    }

    /// How far it is from the middle of the column of `u` to that of `v`, next to it. Steep lines may add to this.
    pub(super) fn stride(&self, u: usize, v: usize) -> f64 {
        self.half_widths[self.vertices[u].column] + GAP + self.half_widths[self.vertices[v].column]
    }

    /// How far the lines of two vertices in a column must be apart, `upper` above `lower`.
    pub(super) fn distance(&self, upper: usize, lower: usize) -> f64 {
        let (upper, lower) = (&self.vertices[upper], &self.vertices[lower]);
        let gap = match (upper.kind, lower.kind) {
            (Kind::State(_), Kind::State(_)) => 24.0,
            (Kind::State(_), _) | (_, Kind::State(_)) | (Kind::Bend, Kind::Bend) => 14.0,
            (Kind::Bend, _) | (_, Kind::Bend) => 8.0,
            _ => 6.0,
        };
        upper.below + gap + lower.above
    }
}
