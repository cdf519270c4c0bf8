//! The models of the project, and models that exist only in memory.

use std::path::{Path, PathBuf};

use pnetc::diagnostics::{Diagnostic, Levels};
use pnetc::model::Checked;

use super::sources::{self, MODEL, Memory, Sources};

/// Checks a file with what it imports; what is only said on request is left out.
pub fn check_files(files: &dyn Sources, root: &str) -> Checked {
    let mut checked = sources::check(files, root);
    let all = std::mem::take(&mut checked.diagnostics);
    let levels = Levels::default();
    checked.diagnostics = all.into_iter().filter_map(|found| levels.apply(found)).collect();
    checked
}

/// Checks a model that stands in one file.
pub fn check_text(text: impl Into<Vec<u8>>) -> Checked {
    check_files(&Memory::file(MODEL, text), MODEL)
}

/// A diagnostic in one line, for messages of tests.
pub fn in_short(checked: &Checked, found: &Diagnostic) -> String {
    let file = checked.sources.file_of(found.span());
    let line = file.map_or(0, |file| file.position(found.span().start).line);
    let text = checked.sources.text(found.span());
    let text: String = text.chars().take(40).collect();
    format!("{line}: {} {} `{text}`", found.entry.code, found.message)
}

/// The models to read, as paths from the root of the project.
pub fn examples() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["examples", "examples/laws", "examples/safety", "examples/tutorial"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|found| found == "pnet") {
                all.push(format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap()));
            }
        }
    }
    all.sort();
    all
}

/// All models of the project, each with its path.
pub fn models() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["examples", "stdlib", "tests/planting"] {
        models_in(&root.join(folder), &mut paths);
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.display().to_string(), text)
    };
    paths.into_iter().map(read).collect()
}

fn models_in(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            models_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pnet") {
            found.push(path);
        }
    }
}

/// Whether a message, in short, is that a silent action of a part does not get through.
pub fn is_of_silence(found: &str) -> bool {
    found.contains("W0311") && (found.contains("`tau`") || found.contains("`sync "))
}
