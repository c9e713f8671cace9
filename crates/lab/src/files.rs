//! Files that are written whole or not at all: first under a temporary name, then renamed.

use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// A file in this folder without a lasting name, with the usual permissions of a new file instead of the private ones
/// of a temporary.
pub fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // Less the umask.
        builder.permissions(std::fs::Permissions::from_mode(0o666))
    };
    builder.tempfile_in(folder)
}

/// Writes a file, replacing any existing one.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = temporary(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
