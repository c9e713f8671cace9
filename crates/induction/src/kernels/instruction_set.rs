//! The instruction sets of the kernels, detected at run time.

use fearless_simd::Level;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
use fearless_simd::prelude::*;
use serde::{Deserialize, Serialize};

/// An instruction set the kernels are compiled for. All of them give the same bits; they differ in speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InstructionSet {
    /// x86-64 with AVX-512, 16 lanes per register.
    Avx512,
    /// x86-64 with AVX2 and fused multiply-add, 8 lanes.
    Avx2,
    /// 64-bit ARM, 4 lanes.
    Neon,
    /// Whatever the compiler makes of four numbers at a time; slow without fused multiply-add.
    Portable,
}

impl InstructionSet {
    /// The sets this machine has, fastest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        [Self::Avx512, Self::Avx2, Self::Neon, Self::Portable].into_iter().filter(|set| set.level().is_some()).collect()
    }

    /// The fastest this machine has.
    #[must_use]
    pub fn best() -> Self {
        Self::available()[0]
    }

    /// Proof that this machine has it.
    pub(crate) fn level(self) -> Option<Level> {
        let _best = Level::new();
        match self {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512 => _best.as_avx512().map(Simd::level),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2 => _best.as_avx2().map(Simd::level),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => _best.as_neon().map(Simd::level),
            Self::Portable => Some(Level::fallback()),
            #[allow(unreachable_patterns, reason = "the possible sets depend on the target")]
            _ => None,
        }
    }
}

impl std::fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Neon => "neon",
            Self::Portable => "portable",
        })
    }
}
