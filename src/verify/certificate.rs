//! Certificates: what a proof rests on, as files that another solver can check.
//!
//! The automata as JSON, what was found (a relation, as it would be written in a model; a reachability predicate is one of
//! the net with itself) or the invariant that was given, and one SMT-LIB 2 script for each obligation, all of which must be unsatisfiable.
//! Of a proof by exploration, all configurations, with obligations where a solver can be asked about them; of a comparison
//! configuration by configuration, a relation between these; of a proof for every size, what stands for all of them;
//! of a formula, sets for its fixpoints. A
//! list of the files with their hashes comes with them, with what determines all of them: the claim, the settings, the
//! options and the texts of the model.

use serde_json::{Value, json};
use sha3::{Digest, Sha3_256};

/// The files of a certificate, with their names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The files.
    pub files: Vec<(String, String)>,
    /// Certificates that it rests on, in folders of their own.
    pub parts: Vec<(String, Certificate)>,
}

/// The name of the list of files.
pub const MANIFEST: &str = "certificate.json";

/// The name of the file with the invariant that was given.
pub const INVARIANT: &str = "invariant.pnet";

/// The name of the file with what was found.
pub const FOUND: &str = "relation.pnet";

/// The name of the file that says how a claim about data is proved.
pub const PROOF: &str = "proof.txt";

/// The name of the file with all configurations.
pub const CONFIGURATIONS: &str = "configurations.jsonl";

/// The names of the files with configurations of two nets that are compared, and with the pairs that are related.
pub const COMPARED: [&str; 2] = ["first.jsonl", "second.jsonl"];
/// The name of the file with the pairs.
pub const PAIRS: &str = "pairs.jsonl";

/// The name of the file with a proof for every size.
pub const SIZES: &str = "sizes.json";

/// The name of the file with the formula that MONA is to find without a model.
pub const FORMULA: &str = "formula.mona";

/// The name of the file with the sets of configurations that a formula rests on.
pub const FIXPOINTS: &str = "fixpoints.json";

/// The form of the list of files.
const VERSION: u32 = 2;

/// What a certificate is about.
pub(super) struct About<'a> {
    pub claim: &'a str,
    pub settings: &'a [String],
    /// Whether it is a check of the model, and not a question about it.
    pub is_check: bool,
    /// The files of the model, those that others import first, each with its text.
    pub model: Vec<(&'a str, &'a str)>,
    pub options: Value,
}

/// A certificate with its list of files.
pub(super) fn with_list(files: Vec<(String, String)>, about: &About<'_>) -> Certificate {
    let mut files = files;
    let listed: Vec<Value> = files
        .iter()
        .map(|(name, text)| json!({ "file": name, "hash": checksum(text.as_bytes()) }))
        .collect();
    let model: Vec<Value> = about
        .model
        .iter()
        .map(|(name, text)| json!({ "file": name, "hash": checksum(text.as_bytes()) }))
        .collect();
    let obligations = files.iter().filter(|(name, _)| name.ends_with(".smt2")).count();
    let manifest = json!({
        "format": "pnet-certificate", "version": VERSION, "pnet": env!("CARGO_PKG_VERSION"),
        "claim": about.claim, "asked": if about.is_check { "check" } else { "compare" },
        "settings": about.settings, "options": about.options, "model": model,
        "obligations": obligations, "files": listed,
    });
    files.push((MANIFEST.to_owned(), format!("{manifest:#}\n")));
    Certificate { files, parts: Vec::new() }
}

/// The hash of a file: SHA3-256, as hexadecimal digits.
pub fn checksum(bytes: &[u8]) -> String {
    Sha3_256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
