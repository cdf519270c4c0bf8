//! Formulas that say less than they seem to: where a part could say anything, and the whole would hold all the same (Beer,
//! Ben-David, Eisner and Rodeh, CAV 1997).
//!
//! A part that stands under an even number of negations is made `false`, others `true`: if that holds, so does the formula
//! with anything in that place. Texts that stand in several places, since a property is used twice, are changed in all of
//! them at once, and left alone where they stand on both sides.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

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

/// What is known of a text.
struct Known {
    first: Occurrence,
    /// Whether it stands on both sides.
    both: bool,
    /// In which parts of the conjunction it stands, in order.
    places: Vec<usize>,
}

/// The stronger formulas of one that holds, those about larger parts first, made one after the other. Of a conjunction, each is about
/// what its part stands in, since the rest holds all the same.
pub fn strengthened(formula: &StateFormula) -> impl Iterator<Item = Strengthened> + '_ {
    let all = conjuncts(formula);
    let mut known: IndexMap<Span, Known, FxBuildHasher> = IndexMap::default();
    for (place, one) in all.iter().enumerate() {
        let mut walk = Walk { found: Vec::new(), replace: None };
        walk.state(&mut (*one).clone(), true, PartStands::Anywhere);
        let root = match one {
            StateFormula::Text(span, _) => Some(*span),
            _ => None,
        };
        for found in walk.found.into_iter().filter(|found| Some(found.part) != root) {
            let entry = known.entry(found.part);
            let known = entry.or_insert(Known { first: found, both: false, places: Vec::new() });
            known.both |= known.first.positive != found.positive;
            if known.places.last() != Some(&place) {
                known.places.push(place);
            }
        }
    }
    let matters = |(_, one): &(Span, Known)| !one.both && !one.first.trivial;
    known.into_iter().filter(matters).map(move |(part, one)| {
        let changed = !one.first.positive;
        let changed_in = |place: usize| {
            let mut says = all[place].clone();
            let mut walk = Walk { found: Vec::new(), replace: Some((part, changed)) };
            walk.state(&mut says, true, PartStands::Anywhere);
            says
        };
        let says = StateFormula::and(one.places.into_iter().map(changed_in));
        Strengthened { part, stands: one.first.stands, changed, says }
    })
}

/// What all has to hold for a formula to hold.
fn conjuncts(formula: &StateFormula) -> Vec<&StateFormula> {
    let (mut found, mut work) = (Vec::new(), vec![formula]);
    while let Some(one) = work.pop() {
        let mut inner = one;
        while let StateFormula::Text(_, text) = inner {
            inner = text;
        }
        match inner {
            StateFormula::And(parts) => work.extend(parts.iter().rev()),
            _ => found.push(one),
        }
    }
    found
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
