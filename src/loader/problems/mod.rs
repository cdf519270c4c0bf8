//! What can be wrong with imports, files and modules of the library that are not there, and cycles; and with files that
//! processes come from.

crate::diagnostics::problems! {
    /// A problem of an import.
    ImportProblem {
        n0100_unreadable_system::UnreadableSystem,
        n0101_missing_file::MissingFile,
        n0102_import_cycle::ImportCycle,
        n0103_unknown_library::UnknownLibrary,
    }
}

/// Names as a list: `` `a`, `b` and `c` ``, with the joining word that is given.
pub(crate) fn list(names: &[String], joined: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {joined} {last}", first.join(", ")),
    }
}

/// A cycle: `` `a` → `b` → `a` ``.
pub(crate) fn cycle(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" → ")
}
