//! What can be done with a text: its claims can be verified, and its nets drawn and explored.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::diagnostics::Span;
use crate::model::Checked;
use crate::syntax::ast::{Item, ItemKind};
use crate::syntax::token::needs_quotes;
use crate::verify::{self, ModelClaim};

/// A check or a scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Its place among the claims of the file.
    pub place: usize,
    /// Its text in one line.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Whether it is a scenario.
    pub is_scenario: bool,
}

/// The claims of the file that was asked for, as `pnet verify` runs them.
pub fn claims(checked: &Checked) -> Vec<Claim> {
    let all = verify::claims(checked).into_iter().enumerate();
    all.map(|(place, claim)| {
        let (span, is_scenario) = match claim {
            ModelClaim::Check(check) => (check.span, false),
            ModelClaim::Scenario(scenario) => (scenario.head, true),
        };
        Claim { place, text: claim.text(checked), span, is_scenario }
    })
    .collect()
}

/// A net that can be drawn and explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetPlace {
    /// Its name, as an instance without arguments is written.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
}

/// The nets that the file that was asked for declares, in the order of the text.
pub fn nets(checked: &Checked) -> Vec<NetPlace> {
    let of = |item: &Item| match &item.kind {
        ItemKind::Net(net) => {
            let name = net.name.name.to_string();
            let name = if needs_quotes(&name) { format!("`{name}`") } else { name };
            Some(NetPlace { name, span: net.name.span })
        }
        _ => None,
    };
    checked.tree.items.iter().filter_map(of).collect()
}

/// A number for all texts that a verdict depends on: another number, another model.
pub fn fingerprint(checked: &Checked) -> u64 {
    let mut hasher = FxHasher::default();
    checked.reads.hash(&mut hasher);
    hasher.finish()
}
