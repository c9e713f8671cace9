//! Where each row was read, in four bytes a row.

/// The line of each row, and at which row each source begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    sources: Vec<(usize, String)>,
    lines: Vec<u32>,
}

impl Places {
    /// What comes next is from this source.
    pub(super) fn begin(&mut self, source: &str) {
        self.sources.push((self.lines.len(), source.to_owned()));
    }

    /// One more row.
    pub(super) fn push(&mut self, line: usize) {
        self.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
    }

    /// The same sources, and no rows.
    pub(super) fn emptied(&self) -> Self {
        Self::default()
    }

    /// One more row, which is there already among `others`.
    pub(super) fn copy(&mut self, others: &Self, row: usize) {
        let source = others.sources.partition_point(|&(first, _)| first <= row).saturating_sub(1);
        while self.sources.len() <= source
            && let Some((_, name)) = others.sources.get(self.sources.len())
        {
            self.sources.push((self.lines.len(), name.clone()));
        }
        self.lines.push(others.lines[row]);
    }

    /// `file:line` of a row.
    pub fn of(&self, row: usize) -> String {
        let source = self.sources.partition_point(|&(first, _)| first <= row) - 1;
        format!("{}:{}", self.sources[source].1, self.lines[row])
    }

    /// The names of the sources.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|(_, name)| name.as_str())
    }

    /// The sources as one names them in a sentence: `good.txt, more.txt and bad.txt`.
    pub(super) fn sources(&self) -> String {
        let names: Vec<&str> = self.names().collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "the input".to_owned(),
        }
    }
}
