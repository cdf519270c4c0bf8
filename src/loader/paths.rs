//! Names of files, as imports write them.

/// A path that is written relative to the file that imports it.
pub(super) fn join(importer: &str, path: &str) -> String {
    let folder = importer.rfind(['/', '\\']).map_or("", |at| &importer[..=at]);
    if path.starts_with('/') || folder.is_empty() {
        return path.strip_prefix("./").unwrap_or(path).to_owned();
    }
    format!("{folder}{}", path.strip_prefix("./").unwrap_or(path))
}

/// A path without `.` and `..` where these can be left out: the same file has one name.
pub fn normalise(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
