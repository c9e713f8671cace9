//! Where words were first read with each label, for messages that name both places of a contradiction.

use automata::Label;

/// For each word the place of its first accepted and of its first rejected row, in four bytes each.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Each source, and the last position before its first line.
    sources: Vec<(u32, String)>,
    /// `[words]`: the first position of each label; 0 for none.
    firsts: Vec<[u32; 2]>,
    /// The last position that was noted.
    last: u32,
}

/// A line of a source: lines of later sources come after those of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u32);

impl Places {
    /// What comes next is from this source.
    pub(super) fn begin(&mut self, source: &str) {
        self.sources.push((self.last, source.to_owned()));
    }

    /// The word was read with this label on this line, counted from 1.
    pub(super) fn note(&mut self, word: usize, label: Label, line: usize) {
        let begin = self.sources.last().map_or(0, |(begin, _)| *begin);
        self.last = u32::try_from(line).map_or(u32::MAX, |line| begin.saturating_add(line));
        if self.firsts.len() <= word {
            self.firsts.resize(word + 1, [0; 2]);
        }
        if let Some(first) = slot(label).map(|slot| &mut self.firsts[word][slot])
            && *first == 0
        {
            *first = self.last;
        }
    }

    /// Where a word was first read with a label; none if it never was.
    pub(super) fn first(&self, word: usize, label: Label) -> Option<Place> {
        let place = self.firsts.get(word)?[slot(label)?];
        (place > 0).then_some(Place(place))
    }

    /// `file:line` of a place.
    pub(super) fn show(&self, Place(place): Place) -> String {
        // The first source begins before every place.
        let (begin, name) = &self.sources[self.sources.partition_point(|(begin, _)| *begin < place) - 1];
        format!("{name}:{}", place - begin)
    }

    /// The sources as one names them in a sentence: `good.txt, more.txt and bad.txt`.
    pub(super) fn sources(&self) -> String {
        let names: Vec<&str> = self.sources.iter().map(|(_, name)| name.as_str()).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "the input".to_owned(),
        }
    }
}

fn slot(label: Label) -> Option<usize> {
    match label {
        Label::Accepted => Some(0),
        Label::Rejected => Some(1),
        Label::Unlabelled => None,
    }
}
