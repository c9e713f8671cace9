//! Parsing of words: what parses (`subject`), the result (`analysis`), as text (`text`, `comb`) and as pictures
//! (`pictures`).

pub mod analysis;
mod comb;
pub mod pictures;
pub mod subject;
pub mod text;

pub use analysis::Analysis;
pub use subject::Subject;
