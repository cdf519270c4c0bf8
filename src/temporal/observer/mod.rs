//! Formulas about all runs as observers: a component that goes along with the net, and what must always hold of both.
//!
//! Input: a net, and a [`Formula`] that is made of greatest fixpoints, boxes, conjunctions, quantifiers for all values, and
//! disjunctions of which one part at most speaks of steps. Output: a net and a [`Property`], such that the formula holds where the
//! net begins exactly if the property is never false in a configuration that is reached; or nothing, where a formula has another form.
//!
//! The observer stands at what is expected next (`places.rs`): of several things it chooses one, so that a run of both gets to what
//! is bad exactly if some choice does. What a formula binds is a variable of the observer. Where there is one place only, which
//! no step leaves, no observer is needed. `product.rs` puts it into the net: each vector of the root together with each move.

mod places;
mod product;

use super::fair::fairly_lowered;
use super::formula::Formula;
use super::lower::Fixes;
use crate::algebra::TermId;
use crate::diagnostics::Span;
use crate::explore::{Configuration, Property};
use crate::pnet::{PNet, PltsId};

use places::Places;

/// A net that is observed, and what must always hold of it.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The net, with the observer where there is one.
    pub net: PNet,
    /// What must always hold.
    pub claim: Property,
    /// What fails where the claim does, each with the text that says so and whether it is to be false there.
    pub failures: Vec<Failure>,
    /// The observer; its leaf is the last one.
    pub observer: Option<PltsId>,
    /// How many variables each leaf had before, where some know their state now.
    variables: Vec<usize>,
}

/// A way in which what is said can fail.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Where it does, over the terms of the claim.
    pub when: TermId,
    /// The text of what does not hold there.
    pub text: Option<Span>,
    /// Whether it is the opposite of the text that should hold.
    pub opposite: bool,
    /// Whether it is the step before that should not have been.
    pub by_step: bool,
}

impl Observed {
    /// A net with an observer for a formula; nothing where that has another form.
    pub fn new(net: &PNet, formula: &Formula) -> Option<Observed> {
        if !formula.fair.is_empty() || net.has_optional() {
            return None;
        }
        let says = fairly_lowered(&formula.says, &[], &mut Fixes::after(&formula.says)).ok()?;
        let mut terms = formula.terms.clone();
        let places = Places::of(&says, &mut terms)?;
        match places.stays() {
            true => Some(product::alone(net, formula, terms, &places)),
            false => product::together(net, formula, terms, &places),
        }
    }

    /// A configuration as one of the net without the observer.
    pub fn without(&self, at: &Configuration) -> Configuration {
        let leaves = self.variables.len();
        let values = at.values.iter().zip(&self.variables);
        Configuration {
            constants: at.constants.clone(),
            states: at.states.iter().take(leaves).copied().collect(),
            values: values.map(|(values, before)| values[..*before].to_vec()).collect(),
        }
    }
}
