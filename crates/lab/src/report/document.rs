//! A report independent of Markdown and HTML: sections of paragraphs, tables and pictures, all in plain text.

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The heading.
    pub title: String,
    /// The sections.
    pub sections: Vec<Section>,
}

/// A part of a report under a heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The contents.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A command line.
    Command(String),
    /// A list, one item per line.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A picture.
    Picture(Picture),
}

/// A table; its first column is text, the others are numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The caption.
    pub caption: String,
    /// The column heads.
    pub head: Vec<String>,
    /// The cells; each row has one per column head.
    pub rows: Vec<Vec<String>>,
}

/// A picture as SVG.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The file name, without folder and extension.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

impl Document {
    /// All pictures, in order.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
            Block::Picture(picture) => Some(picture),
            _ => None,
        })
    }
}

impl Section {
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), blocks: Vec::new() }
    }

    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    /// Adds a table, if it has rows.
    pub(super) fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    pub(super) fn picture(&mut self, name: &str, caption: impl Into<String>, svg: String) {
        self.blocks.push(Block::Picture(Picture { name: name.to_owned(), caption: caption.into(), svg }));
    }

    /// The section, unless it is empty.
    pub(super) fn if_any(self) -> Option<Self> {
        (!self.blocks.is_empty()).then_some(self)
    }
}

impl Table {
    pub(super) fn new<T: Into<String>>(caption: &str, head: impl IntoIterator<Item = T>) -> Self {
        Self { caption: caption.to_owned(), head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.head.len(), "{}", self.caption);
        self.rows.push(cells);
    }
}
