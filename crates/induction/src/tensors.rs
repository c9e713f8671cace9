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
    #[error("{name} has numbers of type {found}, but must have F32")]
    Dtype { name: &'static str, found: Dtype },
    #[error("{name} has the shape {found:?}, but must have {expected:?}")]
    Shape { name: &'static str, found: Vec<usize>, expected: Vec<usize> },
}

/// The numbers of a tensor, which must have this shape, in order.
pub(crate) fn numbers<'data>(
    tensors: &SafeTensors<'data>,
    name: &'static str,
    expected: &[usize],
) -> Result<impl ExactSizeIterator<Item = f32> + use<'data>, TensorError> {
    let tensor = tensors.tensor(name)?;
    if tensor.dtype() != Dtype::F32 {
        return Err(TensorError::Dtype { name, found: tensor.dtype() });
    }
    if tensor.shape() != expected {
        return Err(TensorError::Shape { name, found: tensor.shape().to_vec(), expected: expected.to_vec() });
    }
    Ok(tensor.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)))
}

/// Numbers as bytes of a file.
pub(crate) fn bytes(numbers: impl Iterator<Item = f32>) -> Vec<u8> {
    numbers.flat_map(f32::to_le_bytes).collect()
}

/// A tensor of these bytes.
pub(crate) fn view(shape: Vec<usize>, bytes: &[u8]) -> TensorView<'_> {
    TensorView::new(Dtype::F32, shape, bytes).expect("as many bytes as the shape says")
}
