//! The claims of a text, which can be verified: checks and scenarios.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::diagnostics::Span;
use crate::model::Checked;
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

/// A number for all texts that a verdict depends on: another number, another model.
pub fn fingerprint(checked: &Checked) -> u64 {
    let mut hasher = FxHasher::default();
    for file in checked.sources.files() {
        file.name().hash(&mut hasher);
        file.text().hash(&mut hasher);
    }
    hasher.finish()
}
