//! Words parsed, and what is told of them: by whom (`subject`), what was found (`analysis`), as text (`told`, `comb`) and as
//! pictures (`pictures`).

pub(crate) mod analysis;
mod comb;
pub(crate) mod pictures;
pub(crate) mod subject;
pub(crate) mod told;
