//! Arrays of numbers in `safetensors` files, for models and checkpoints.
//!
//! Files are untrusted, so sizes are checked against the expected ones before any memory is allocated. The container
//! guarantees that a tensor has as many bytes as its shape says, so nothing larger than the file is ever allocated.

use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};

/// Why a tensor cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TensorError {
    #[error(transparent)]
    Container(#[from] SafeTensorError),
    #[error("{name} has numbers of type {found}, but must have {expected}")]
    Dtype { name: &'static str, found: Dtype, expected: Dtype },
    #[error("{name} has the shape {found:?}, but must have {expected:?}")]
    Shape { name: &'static str, found: Vec<usize>, expected: Vec<usize> },
}

/// The numbers that tensors consist of.
pub(crate) trait Number: Sized {
    const DTYPE: Dtype;

    /// The numbers of these bytes, little endian.
    fn read(bytes: &[u8]) -> impl ExactSizeIterator<Item = Self> + use<'_, Self>;

    /// A number as its bytes.
    fn write(self) -> impl Iterator<Item = u8>;
}

impl Number for f32 {
    const DTYPE: Dtype = Dtype::F32;

    fn read(bytes: &[u8]) -> impl ExactSizeIterator<Item = Self> + use<'_> {
        bytes.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes))
    }

    fn write(self) -> impl Iterator<Item = u8> {
        self.to_le_bytes().into_iter()
    }
}

impl Number for f64 {
    const DTYPE: Dtype = Dtype::F64;

    fn read(bytes: &[u8]) -> impl ExactSizeIterator<Item = Self> + use<'_> {
        bytes.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes))
    }

    fn write(self) -> impl Iterator<Item = u8> {
        self.to_le_bytes().into_iter()
    }
}

/// The numbers of a tensor, which must have this shape, in order.
pub(crate) fn numbers<'data, N: Number>(
    tensors: &SafeTensors<'data>,
    name: &'static str,
    shape: &[usize],
) -> Result<impl ExactSizeIterator<Item = N> + use<'data, N>, TensorError> {
    let tensor = tensors.tensor(name)?;
    if tensor.dtype() != N::DTYPE {
        return Err(TensorError::Dtype { name, found: tensor.dtype(), expected: N::DTYPE });
    }
    if tensor.shape() != shape {
        return Err(TensorError::Shape { name, found: tensor.shape().to_vec(), expected: shape.to_vec() });
    }
    Ok(N::read(tensor.data()))
}

/// Numbers as the bytes of a file.
pub(crate) fn bytes<N: Number>(numbers: impl IntoIterator<Item = N>) -> Vec<u8> {
    numbers.into_iter().flat_map(N::write).collect()
}

/// A tensor of these bytes.
pub(crate) fn view<N: Number>(shape: Vec<usize>, bytes: &[u8]) -> TensorView<'_> {
    TensorView::new(N::DTYPE, shape, bytes).expect("as many bytes as the shape says")
}
