//! Models of the language, as files of other tools: `pnet export`.
//!
//! Input: a net. Output: the text of a model of another tool that does the same, with the files that it needs; or what the
//! format cannot say, with its place in the model and the reason. Nothing is left out silently.
//!
//! - `exp`: networks of CADP, with their systems (`exp.rs`);
//! - `bip`: systems of BIP2 (`bip`);
//! - `mcrl2`: processes of mCRL2 (`mcrl2`).
//!
//! `joint.rs` has what a net does, interaction by interaction, for formats that have data; `expression.rs` writes terms.

mod bip;
mod exp;
mod expression;
mod joint;
mod mcrl2;
mod name;
pub mod problems;

pub use expression::Beyond;

use crate::base::Watch;
use crate::pnet::PNet;
use problems::{ExportProblem, TooManyJoint};

/// What a net is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportKind {
    /// Processes of mCRL2.
    Mcrl2,
    /// A package of BIP2.
    Bip,
    /// A network of CADP, with its systems.
    Exp,
}

impl ExportKind {
    /// All of them.
    pub const ALL: [ExportKind; 3] = [ExportKind::Mcrl2, ExportKind::Bip, ExportKind::Exp];

    /// The ending of the names of such files.
    pub fn ending(self) -> &'static str {
        match self {
            ExportKind::Mcrl2 => "mcrl2",
            ExportKind::Bip => "bip",
            ExportKind::Exp => "exp",
        }
    }

    /// What is exported to show what a code means.
    pub fn of_example(code: &str) -> Option<ExportKind> {
        if !problems::ENTRIES.iter().any(|entry| entry.code == code) {
            return None;
        }
        Some(match code {
            "F0336" => ExportKind::Mcrl2,
            "F0337" => ExportKind::Exp,
            _ => ExportKind::Bip,
        })
    }
}

/// What a net is as files of another tool.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The text of the model.
    pub text: String,
    /// Files that stand beside it, with their names.
    pub beside: Vec<(String, String)>,
    /// What the interactions of the result are called that have another name, or none, in the model: the name there, and what
    /// it shows here.
    pub labels: Vec<(String, String)>,
}

/// Exports a net, whose connectors have each interaction by itself. `stem` is what the names of files beside it begin with.
pub fn export(
    (net, name): (&PNet, &str),
    kind: ExportKind,
    stem: &str,
    watch: &dyn Watch,
) -> Result<Exported, Vec<ExportProblem>> {
    let _entered = watch.budget().enter();
    // Each interaction is written by itself.
    let vectors = net.nodes.iter().flat_map(|node| &node.vectors);
    let mut whole = vectors.filter(|one| !one.optional.is_empty() || one.maximal.is_some());
    if let Some(vector) = whole.next() {
        let span = net.origins.get(vector.origin).span;
        return Err(vec![TooManyJoint { span, most: joint::MOST_JOINT }.into()]);
    }
    match kind {
        ExportKind::Mcrl2 => mcrl2::export(net, name),
        ExportKind::Bip => bip::export(net, name),
        ExportKind::Exp => exp::export((net, name), stem, watch),
    }
}
