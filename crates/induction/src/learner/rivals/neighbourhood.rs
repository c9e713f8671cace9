//! An automaton with the examples that visit each of its cells, and the effect of one change on them.

use automata::{Counts, Dfa};

use crate::sample::Sample;
use crate::work::{Meter, Pause};

/// A change of an automaton.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Redirect everything that leads to one state to another.
    Merge { kept: u32, gone: u32 },
    /// Redirect a transition.
    Redirect { cell: usize, target: u32 },
    /// Flip the acceptance of a state.
    Accept { state: u32 },
    /// Send a transition to a copy of its target.
    Split { cell: usize, of: u32, twist: Twist },
}

/// How a copy of a state differs from it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Twist {
    /// Not at all.
    None,
    Acceptance,
    Transition {
        letter: usize,
        target: u32,
    },
}

/// A complete automaton as a table, with the examples that visit each cell.
pub(super) struct Neighbourhood {
    letters: usize,
    /// `[k][t]`
    next: Vec<u32>,
    accepting: Vec<bool>,
    initial: u32,
    /// `[k]`: whether a labelled word ends there.
    decided: Vec<bool>,
    /// `[nodes]`: the required verdict on the word that ends there, if any.
    wanted: Vec<Option<bool>>,
    /// `[nodes]`: the first node after its subtree.
    after: Vec<u32>,
    /// `[nodes]`: the state of each node; later scratch for the states along a replayed path.
    states: Vec<u32>,
    /// The nodes sorted by the cell that leads to them, and `[k·t + 1]` the start of each cell's nodes.
    visits: Vec<u32>,
    begins: Vec<usize>,
    prepared: Prepared,
    check: Option<Check>,
}

/// Progress of the preparation.
#[derive(Clone, Copy)]
enum Prepared {
    /// Required verdicts are known for this many words.
    Words(usize),
    /// States are known for this many nodes.
    States(usize),
    /// Subtree ends are known from this node on.
    Ends(usize),
    /// This many nodes are sorted by cell; `begins` holds the end of each cell's nodes so far.
    Sorted(usize),
    Whole,
}

/// Progress of the check of a change.
#[derive(Clone, Copy, Default)]
struct Check {
    /// Number of visits of the changed cell that were checked, and the node up to which everything was replayed.
    visit: usize,
    seen: u32,
    /// The next node below the visit to replay.
    below: Option<u32>,
}

/// Nodes prepared between two checks of the meter, and their cost in visits.
const CHUNK: usize = 1024;
const CHUNK_WORK: u64 = 512;

impl Neighbourhood {
    pub(super) fn new(dfa: &Dfa) -> Self {
        let letters = dfa.alphabet().len();
        let mut next = vec![0; dfa.len() * letters];
        for (from, letter, to) in dfa.transitions() {
            next[from.index() * letters + letter.index()] = to.index() as u32;
        }
        Self {
            letters,
            begins: vec![0; next.len() + 1],
            next,
            accepting: dfa.states().map(|state| dfa.is_accepting(state)).collect(),
            initial: dfa.initial().index() as u32,
            decided: vec![false; dfa.len()],
            wanted: Vec::new(),
            after: Vec::new(),
            states: Vec::new(),
            visits: Vec::new(),
            prepared: Prepared::Words(0),
            check: None,
        }
    }

    pub(super) fn states(&self) -> u32 {
        self.accepting.len() as u32
    }

    pub(super) fn letters(&self) -> usize {
        self.letters
    }

    pub(super) fn cells(&self) -> usize {
        self.next.len()
    }

    /// The target of a cell.
    pub(super) fn target(&self, cell: usize) -> u32 {
        self.next[cell]
    }

    /// The change of a copy of a state with this number, including changes that have no effect.
    pub(super) fn twist(&self, of: u32, number: usize) -> Option<Twist> {
        let states = self.accepting.len();
        let Some(number) = number.checked_sub(1) else { return Some(Twist::Acceptance) };
        let (letter, target) = (number / states, (number % states) as u32);
        match letter < self.letters {
            false => None,
            true if self.next[of as usize * self.letters + letter] == target => Some(Twist::None),
            true => Some(Twist::Transition { letter, target }),
        }
    }

    /// Finds out which examples visit which cells. Must be finished before anything else is called.
    pub(super) fn prepare(&mut self, sample: &Sample, meter: &mut Meter) -> Result<(), Pause> {
        let nodes = sample.parents().len();
        while !matches!(self.prepared, Prepared::Whole) {
            meter.check()?;
            meter.add(CHUNK_WORK);
            self.prepared = match self.prepared {
                Prepared::Words(0) if self.wanted.is_empty() => {
                    self.wanted = vec![None; nodes];
                    self.wanted[0] = wanted(sample.empty_word());
                    Prepared::Words(0)
                }
                Prepared::Words(begin) if begin < sample.entries().len() => {
                    let end = (begin + CHUNK).min(sample.entries().len());
                    for entry in &sample.entries()[begin..end] {
                        self.wanted[entry.node as usize] = wanted(entry.counts);
                    }
                    Prepared::Words(end)
                }
                Prepared::Words(_) => {
                    self.states.push(self.initial);
                    self.decided[self.initial as usize] |= self.wanted[0].is_some();
                    Prepared::States(1)
                }
                Prepared::States(begin) if begin < nodes => {
                    let end = (begin + CHUNK).min(nodes);
                    for node in begin..end {
                        let cell = self.cell(node, sample);
                        let state = self.next[cell];
                        self.states.push(state);
                        self.begins[cell + 1] += 1;
                        self.decided[state as usize] |= self.wanted[node].is_some();
                    }
                    Prepared::States(end)
                }
                Prepared::States(_) => {
                    self.after = (1..=nodes as u32).collect();
                    Prepared::Ends(nodes)
                }
                Prepared::Ends(end) if end > 1 => {
                    let begin = end.saturating_sub(CHUNK).max(1);
                    // Nodes are in prefix order, so a subtree ends where that of its last child ends.
                    for node in (begin..end).rev() {
                        let parent = sample.parents()[node] as usize;
                        self.after[parent] = self.after[parent].max(self.after[node]);
                    }
                    Prepared::Ends(begin)
                }
                Prepared::Ends(_) => {
                    for cell in 0..self.next.len() {
                        self.begins[cell + 1] += self.begins[cell];
                    }
                    self.visits = vec![0; nodes - 1];
                    Prepared::Sorted(1)
                }
                Prepared::Sorted(begin) if begin < nodes => {
                    let end = (begin + CHUNK).min(nodes);
                    for node in begin..end {
                        // While sorting, `begins` is the place of the cell's next node.
                        let cell = self.cell(node, sample);
                        self.visits[self.begins[cell]] = node as u32;
                        self.begins[cell] += 1;
                    }
                    Prepared::Sorted(end)
                }
                Prepared::Sorted(_) => {
                    // Each entry is now the end of its cell, which is the start of the next.
                    self.begins.rotate_right(1);
                    self.begins[0] = 0;
                    Prepared::Whole
                }
                Prepared::Whole => Prepared::Whole,
            };
        }
        Ok(())
    }

    /// The cell that leads to a node; the state of its parent must be known.
    fn cell(&self, node: usize, sample: &Sample) -> usize {
        self.states[sample.parents()[node] as usize] as usize * self.letters + sample.letters()[node].index()
    }

    /// Whether all words remain right with a change. After a pause, call it again with the same change.
    pub(super) fn agrees(&mut self, change: Change, sample: &Sample, meter: &mut Meter) -> Result<bool, Pause> {
        if self.check.is_none() {
            meter.check()?;
            meter.add(1);
            self.check = Some(Check::default());
        }
        let letters = self.letters;
        let agrees = match change {
            Change::Accept { state } => !self.decided[state as usize],
            Change::Merge { kept, gone } => {
                let renamed = move |state: u32| if state == gone { kept } else { state };
                let first = renamed(self.initial);
                self.subtree(
                    0,
                    first,
                    sample,
                    meter,
                    |near, cell| renamed(near.next[cell]),
                    |near, state| near.accepting[state as usize],
                )?
            }
            Change::Redirect { cell, target } => {
                let next = move |near: &Self, at: usize| if at == cell { target } else { near.next[at] };
                self.cell_agrees(cell, target, sample, meter, next, |near, state| near.accepting[state as usize])?
            }
            Change::Split { cell, of, twist } => {
                let copy = self.states();
                let (begin, copied) = (copy as usize * letters, of as usize * letters);
                let next = move |near: &Self, at: usize| match twist {
                    Twist::Transition { letter, target } if at == begin + letter => target,
                    _ if at == cell => copy,
                    _ if at >= begin => near.next[at - begin + copied],
                    _ => near.next[at],
                };
                let accepts = move |near: &Self, state: u32| match state == copy {
                    true => near.accepting[of as usize] ^ matches!(twist, Twist::Acceptance),
                    false => near.accepting[state as usize],
                };
                self.cell_agrees(cell, copy, sample, meter, next, accepts)?
            }
        };
        self.check = None;
        Ok(agrees)
    }

    /// Whether all words that visit a cell remain right if the cell leads to this state.
    fn cell_agrees(
        &mut self,
        cell: usize,
        target: u32,
        sample: &Sample,
        meter: &mut Meter,
        next: impl Fn(&Self, usize) -> u32 + Copy,
        accepts: impl Fn(&Self, u32) -> bool + Copy,
    ) -> Result<bool, Pause> {
        loop {
            let Check { visit, seen, below } = self.check.unwrap_or_default();
            if below.is_none() {
                meter.check()?;
            }
            let at = self.begins[cell] + visit;
            if at == self.begins[cell + 1] {
                return Ok(true);
            }
            let node = self.visits[at];
            // Nodes below a replayed node were replayed with it.
            let replayed = node < seen && below.is_none();
            if !replayed && !self.subtree(node, target, sample, meter, next, accepts)? {
                return Ok(false);
            }
            let seen = if replayed { seen } else { self.after[node as usize] };
            meter.add(1);
            self.check = Some(Check { visit: visit + 1, seen, below: None });
        }
    }

    /// Whether all words in the subtree of the node are right if the node is in this state.
    fn subtree(
        &mut self,
        node: u32,
        state: u32,
        sample: &Sample,
        meter: &mut Meter,
        next: impl Fn(&Self, usize) -> u32,
        accepts: impl Fn(&Self, u32) -> bool,
    ) -> Result<bool, Pause> {
        let check = self.check.unwrap_or_default();
        let mut below = match check.below {
            Some(below) => below,
            None => {
                self.states[node as usize] = state;
                meter.add(1);
                if self.wanted[node as usize].is_some_and(|wanted| wanted != accepts(self, state)) {
                    return Ok(false);
                }
                node + 1
            }
        };
        let end = self.after[node as usize];
        while below < end {
            if let Err(pause) = meter.check() {
                self.check = Some(Check { below: Some(below), ..check });
                return Err(pause);
            }
            let at = below as usize;
            let state = next(self, self.cell(at, sample));
            self.states[at] = state;
            meter.add(1);
            if self.wanted[at].is_some_and(|wanted| wanted != accepts(self, state)) {
                return Ok(false);
            }
            below += 1;
        }
        Ok(true)
    }

    /// The automaton with a change.
    pub(super) fn changed(&self, change: Change, dfa: &Dfa) -> Dfa {
        let letters = self.letters;
        let mut next = self.next.clone();
        let mut accepting = self.accepting.clone();
        let mut initial = self.initial;
        match change {
            Change::Merge { kept, gone } => {
                next.iter_mut().chain([&mut initial]).filter(|state| **state == gone).for_each(|state| *state = kept);
            }
            Change::Redirect { cell, target } => next[cell] = target,
            Change::Accept { state } => accepting[state as usize] ^= true,
            Change::Split { cell, of, twist } => {
                let copied = of as usize * letters;
                next.extend_from_within(copied..copied + letters);
                next[cell] = self.states();
                accepting.push(accepting[of as usize] ^ matches!(twist, Twist::Acceptance));
                if let Twist::Transition { letter, target } = twist {
                    next[self.cells() + letter] = target;
                }
            }
        }
        let row = |row: &[u32]| row.iter().map(|next| Some(*next as usize)).collect();
        let rows: Vec<Vec<Option<usize>>> = match letters {
            0 => vec![Vec::new(); accepting.len()],
            letters => next.chunks_exact(letters).map(row).collect(),
        };
        let accepting = (0..accepting.len()).filter(|state| accepting[*state]);
        Dfa::new(dfa.alphabet().clone(), initial as usize, accepting, &rows).expect("all states are in range")
    }
}

fn wanted(counts: Counts) -> Option<bool> {
    (counts.labelled() > 0).then_some(counts.accepted > counts.rejected)
}
