//! Typed indices, so that a state is never mistaken for a letter.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The typed index `i`.
            ///
            /// # Panics
            /// If `i` is 2³² − 1 or more. Everything counted here is held in memory at several bytes per item, and
            /// readers reject larger numbers before they get this far.
            #[must_use]
            #[inline]
            pub const fn new(i: usize) -> Self {
                assert!(i < u32::MAX as usize, "index does not fit 32 bits");
                Self(i as u32)
            }

            /// The index as a plain number, for addressing arrays.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A state of an [`Nfa`](crate::Nfa) or a [`Dfa`](crate::Dfa): its row number.
    StateId
}
index! {
    /// A letter: its rank in the sorted [`Alphabet`](crate::Alphabet).
    Letter
}
index! {
    /// A non-terminal of a [`Grammar`](crate::Grammar).
    Nonterminal
}
