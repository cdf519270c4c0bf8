//! Files, as the compiler wants them.

use std::io::Read;

use crate::loader::Sources;

/// The file system, and `-` for standard input.
pub(super) struct Disk;

impl Sources for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        read(path)
    }
}

/// The bytes of a file, or of standard input for `-`.
pub(super) fn read(path: &str) -> Result<Vec<u8>, String> {
    if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map_err(|problem| in_words(&problem))?;
        return Ok(bytes);
    }
    if std::path::Path::new(path).is_dir() {
        return Err("it is a folder, not a file".to_owned());
    }
    std::fs::read(path).map_err(|problem| in_words(&problem))
}

/// Why something did not work, without the operating system's numbers.
pub(super) fn in_words(problem: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match problem.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "you may not read or write it".to_owned(),
        _ => problem.to_string(),
    }
}
