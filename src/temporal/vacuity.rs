//! Formulas that say less than they seem to: where a part could say anything, and the whole would hold all the same (Beer,
//! Ben-David, Eisner and Rodeh, CAV 1997).
//!
//! A part that stands under an even number of negations is made `false`, others `true`: if that holds, so does the formula
//! with anything in that place. Texts that stand in several places, since a property is used twice, are changed in all of
//! them at once, and left alone where they stand on both sides.

use super::formula::{PathFormula, StateFormula};
use crate::diagnostics::Span;

/// A stronger formula, in which one part says as much as it can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strengthened {
    /// The part.
    pub part: Span,
    /// Why it is asked for.
    pub stands: PartStands,
    /// What it was changed to.
    pub changed: bool,
    /// The formula with the change.
    pub says: StateFormula,
}

/// Where a part stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartStands {
    /// Behind `=>`; this is what stands before it.
    Behind(Span),
    /// Somewhere.
    Anywhere,
}

impl PartStands {
    /// What stands before `=>`.
    pub fn before(self) -> Option<Span> {
        match self {
            PartStands::Behind(before) => Some(before),
            PartStands::Anywhere => None,
        }
    }
}

/// A text and where it stands.
#[derive(Clone, Copy)]
struct Occurrence {
    part: Span,
    positive: bool,
    stands: PartStands,
    /// Whether it says nothing anyway.
    trivial: bool,
}

/// The stronger formulas of one, those about larger parts first.
pub fn strengthened(formula: &StateFormula) -> Vec<Strengthened> {
    let mut all = Walk { found: Vec::new(), replace: None };
    let mut whole = formula.clone();
    all.state(&mut whole, true, PartStands::Anywhere);
    let root = match formula {
        StateFormula::Text(span, _) => Some(*span),
        _ => None,
    };
    let mut made: Vec<Strengthened> = Vec::new();
    for one in &all.found {
        let same = |other: &&Occurrence| other.part == one.part;
        let both = all.found.iter().filter(same).any(|other| other.positive != one.positive);
        let known = made.iter().any(|other| other.part == one.part);
        if both || known || one.trivial || Some(one.part) == root {
            continue;
        }
        let changed = !one.positive;
        let mut says = formula.clone();
        let mut walk = Walk { found: Vec::new(), replace: Some((one.part, changed)) };
        walk.state(&mut says, true, PartStands::Anywhere);
        made.push(Strengthened { part: one.part, stands: one.stands, changed, says });
    }
    made
}

/// Goes through all parts that have a text, and replaces one of them, if that is wanted.
struct Walk {
    found: Vec<Occurrence>,
    replace: Option<(Span, bool)>,
}

impl Walk {
    /// What a part with this text becomes.
    fn replacement(&self, text: Span) -> Option<bool> {
        self.replace.filter(|(part, _)| *part == text).map(|(_, value)| value)
    }

    fn state(&mut self, formula: &mut StateFormula, positive: bool, stands: PartStands) {
        match formula {
            StateFormula::Text(span, inner) => {
                let trivial = is_constant(inner);
                self.found.push(Occurrence { part: *span, positive, stands, trivial });
                if let Some(value) = self.replacement(*span) {
                    **inner = StateFormula::Bool(value);
                    return;
                }
                self.state(inner, positive, PartStands::Anywhere);
            }
            StateFormula::Not(inner) => self.state(inner, !positive, PartStands::Anywhere),
            StateFormula::Implies(one, other) => {
                let before = match (&**one, positive) {
                    (StateFormula::Text(span, _), true) => PartStands::Behind(*span),
                    _ => PartStands::Anywhere,
                };
                self.state(one, !positive, PartStands::Anywhere);
                self.state(other, positive, before);
            }
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                parts.iter_mut().for_each(|one| self.state(one, positive, PartStands::Anywhere));
            }
            StateFormula::Forall(_, inner)
            | StateFormula::Exists(_, inner)
            | StateFormula::Fix { body: inner, .. } => {
                self.state(inner, positive, PartStands::Anywhere);
            }
            StateFormula::Box(modality) | StateFormula::Diamond(modality) => {
                self.state(&mut modality.then, positive, PartStands::Anywhere);
            }
            StateFormula::Path(_, path) => self.path(path, positive, PartStands::Anywhere),
            StateFormula::Bool(_)
            | StateFormula::Holds(_)
            | StateFormula::MayEnd
            | StateFormula::Again(..) => {}
        }
    }

    fn path(&mut self, path: &mut PathFormula, positive: bool, stands: PartStands) {
        match path {
            PathFormula::Text(span, inner) => {
                let trivial = is_constant_path(inner);
                self.found.push(Occurrence { part: *span, positive, stands, trivial });
                if let Some(value) = self.replacement(*span) {
                    **inner = PathFormula::State(StateFormula::Bool(value));
                    return;
                }
                self.path(inner, positive, PartStands::Anywhere);
            }
            PathFormula::State(formula) => self.state(formula, positive, stands),
            PathFormula::Not(inner) => self.path(inner, !positive, PartStands::Anywhere),
            PathFormula::Implies(one, other) => {
                let before = match (text_of(one), positive) {
                    (Some(span), true) => PartStands::Behind(span),
                    _ => PartStands::Anywhere,
                };
                self.path(one, !positive, PartStands::Anywhere);
                self.path(other, positive, before);
            }
            PathFormula::And(parts) | PathFormula::Or(parts) => {
                parts.iter_mut().for_each(|one| self.path(one, positive, PartStands::Anywhere));
            }
            PathFormula::Forall(_, inner)
            | PathFormula::Exists(_, inner)
            | PathFormula::Next(inner)
            | PathFormula::Finally(inner)
            | PathFormula::Globally(inner) => self.path(inner, positive, PartStands::Anywhere),
            PathFormula::Until(one, other) | PathFormula::WeakUntil(one, other) => {
                self.path(one, positive, PartStands::Anywhere);
                self.path(other, positive, PartStands::Anywhere);
            }
            PathFormula::Step(_) => {}
        }
    }
}

/// Whether it says nothing, or everything.
fn is_constant(formula: &StateFormula) -> bool {
    match formula {
        StateFormula::Bool(_) => true,
        StateFormula::Text(_, inner) => is_constant(inner),
        _ => false,
    }
}

/// The same of what is said of a run.
fn is_constant_path(path: &PathFormula) -> bool {
    match path {
        PathFormula::State(formula) => is_constant(formula),
        PathFormula::Text(_, inner) => is_constant_path(inner),
        _ => false,
    }
}

/// The text of what is said of a run.
fn text_of(path: &PathFormula) -> Option<Span> {
    match path {
        PathFormula::Text(span, _) => Some(*span),
        PathFormula::State(StateFormula::Text(span, _)) => Some(*span),
        _ => None,
    }
}
