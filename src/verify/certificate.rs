//! Certificates: what a proof rests on, as files that another solver can check.
//!
//! The two automata as JSON, what was found (a relation, as it would be written in a model, or a reachability
//! predicate), and one SMT-LIB 2 script for each obligation, all of which must be unsatisfiable. A list of the files with their checksums comes with them, so
//! that a file that was changed is noticed even where the change does not matter to a solver.

use serde_json::json;

use crate::automaton::VariableNames;
use crate::emit;
use crate::equivalence::World;
use crate::pnet::TermId;
use crate::smt::{Expected, ScriptOptions};

/// The files of a certificate, with their names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The files.
    pub files: Vec<(String, String)>,
}

/// The name of the list of files.
pub const MANIFEST: &str = "certificate.json";

/// The certificate of a proof: what was found, under a name, and the obligations that it meets, each with what it is
/// about.
pub(super) fn of(
    world: &mut World<'_>,
    claim: &str,
    (name, found): (&str, &str),
    obligations: &[(String, Vec<TermId>)],
) -> Certificate {
    let mut files = Vec::with_capacity(obligations.len() + 4);
    for (name, side) in ["first.json", "second.json"].iter().zip(&world.sides) {
        let value = emit::automaton::json(&side.automaton, None, None);
        files.push(((*name).to_owned(), format!("{value:#}\n")));
    }
    files.push((name.to_owned(), found.to_owned()));
    let mut names = VariableNames::default();
    for side in &world.sides {
        names.extend(side.variables.iter().map(|v| (v.var, v.path.clone())));
    }
    for (number, (about, conditions)) in obligations.iter().enumerate() {
        let comment = [claim.to_owned(), about.clone()];
        let options = ScriptOptions {
            comment: &comment,
            open_world: crate::generate::is_open(&world.holes),
            names: Some(&names),
            expected: Some(Expected::Unsat),
        };
        let text = world.script(conditions, options);
        files.push((format!("obligation-{:04}.smt2", number + 1), text));
    }
    let listed: Vec<serde_json::Value> = files
        .iter()
        .map(|(name, text)| json!({ "file": name, "checksum": checksum(text.as_bytes()) }))
        .collect();
    let manifest = json!({
        "format": "pnet-certificate", "version": 1, "claim": claim,
        "obligations": obligations.len(), "files": listed,
    });
    files.push((MANIFEST.to_owned(), format!("{manifest:#}\n")));
    Certificate { files }
}

/// A checksum that notices what happens to files by accident: FNV-1a with 64 bits.
pub fn checksum(bytes: &[u8]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for &byte in bytes {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}
