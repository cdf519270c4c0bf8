//! What an observer of a formula expects, place by place.
//!
//! A place is a part of the formula that has to hold of a configuration; a move goes along with a step to the part that has to
//! hold then.

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::algebra::{Sort, TermId, Terms, VarId};
use crate::diagnostics::Span;
use crate::temporal::formula::{FixId, Modality, StateFormula, StepPattern};

/// More places, or moves, than this are not made.
const MOST: usize = 200;

/// A text, and whether it is its opposite that has to hold.
pub(super) type Said = Option<(Span, bool)>;

/// A move: along with a step that fits.
#[derive(Clone, Debug)]
pub(super) struct Move<'f> {
    pub from: usize,
    /// Nothing where such a step is bad by itself.
    pub to: Option<usize>,
    pub step: &'f StepPattern,
    /// What must hold where the step begins, besides.
    pub conditions: Vec<TermId>,
    /// What variables are afterwards, by what is known before and what is shown.
    pub sets: Vec<(VarId, TermId)>,
    pub text: Said,
}

/// Where something does not hold that has to.
#[derive(Clone, Debug)]
pub(super) struct Bad {
    pub at: usize,
    /// All of these.
    pub when: Vec<TermId>,
    pub text: Said,
}

/// All places of a formula.
#[derive(Debug, Default)]
pub(super) struct Places<'f> {
    /// What each expects.
    expected: Vec<Expected<'f>>,
    pub moves: Vec<Move<'f>>,
    pub bad: Vec<Bad>,
    /// For each place, the variables that may have any value when it is entered.
    pub chosen: Vec<Vec<VarId>>,
    /// What parameters of fixpoints are at first.
    pub begins: FxHashMap<VarId, TermId>,
    fixes: FxHashMap<FixId, Fixpoint<'f>>,
}

#[derive(Clone, Copy, Debug)]
struct Expected<'f> {
    says: &'f StateFormula,
    not: bool,
    /// The fixpoint of which it is the body.
    body_of: Option<FixId>,
}

#[derive(Clone, Debug)]
struct Fixpoint<'f> {
    params: Vec<VarId>,
    body: &'f StateFormula,
    not: bool,
}

/// What is known on the way through a place.
#[derive(Clone, Default)]
struct Here {
    at: usize,
    conditions: Vec<TermId>,
    /// Parameters of fixpoints that begin here.
    values: FxHashMap<VarId, TermId>,
    text: Said,
    /// The fixpoints whose bodies are expected here.
    inside: FxHashSet<FixId>,
}

impl<'f> Places<'f> {
    /// The places of a formula; nothing where it has another form.
    pub fn of(says: &'f StateFormula, terms: &mut Terms) -> Option<Places<'f>> {
        let bounds_vary = |part: &StateFormula| match part {
            StateFormula::Forall(vars, _) | StateFormula::Exists(vars, _) => {
                !vars.iter().all(|var| is_plain(terms, *var))
            }
            _ => false,
        };
        if says.any(&mut |part| bounds_vary(part)) {
            return None;
        }
        let mut places = Places::default();
        let mut begin = Here::default();
        places.entered(says, false, (&mut begin, terms))?;
        places.begins = begin.values;
        let mut next = 0;
        while let Some(&expected) = places.expected.get(next) {
            if places.expected.len() > MOST || places.moves.len() > MOST {
                return None;
            }
            let inside = expected.body_of.into_iter().collect();
            let here = Here { at: next, inside, ..Here::default() };
            places.walk(expected.says, expected.not, here, terms)?;
            next += 1;
        }
        Some(places)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.expected.len()
    }

    /// Whether the same is expected after each step, so that nobody need go along.
    pub fn stays(&self) -> bool {
        let stays = |one: &Move<'_>| {
            one.to == Some(0)
                && *one.step == StepPattern::Any
                && one.conditions.is_empty()
                && one.sets.is_empty()
        };
        let is_free = self.chosen[0].is_empty() && self.begins.is_empty();
        // Where no move goes on, something is said of the beginning alone.
        self.count() == 1 && is_free && !self.moves.is_empty() && self.moves.iter().all(stays)
    }

    /// The place where something is expected.
    fn place(&mut self, expected: Expected<'f>) -> usize {
        let same =
            |one: &Expected<'_>| std::ptr::eq(one.says, expected.says) && one.not == expected.not;
        if let Some(known) = self.expected.iter().position(same) {
            return known;
        }
        self.expected.push(expected);
        self.chosen.push(Vec::new());
        self.expected.len() - 1
    }

    /// The place for a part that is expected next: of a fixpoint, its body, with values for its parameters.
    fn entered(
        &mut self,
        mut says: &'f StateFormula,
        mut not: bool,
        (here, terms): (&mut Here, &mut Terms),
    ) -> Option<usize> {
        loop {
            match says {
                StateFormula::Text(span, inner) => {
                    here.text = Some((*span, not));
                    says = inner;
                }
                StateFormula::Not(inner) => (says, not) = (inner, !not),
                StateFormula::Fix { id, .. } => {
                    let fixpoint = self.fixpoint(says, not)?;
                    let StateFormula::Fix { params, .. } = says else { return None };
                    let args: Vec<TermId> = params.iter().map(|(_, value)| *value).collect();
                    return Some(self.body((*id, &fixpoint), &args, (here, terms)));
                }
                StateFormula::Again(id, args) => {
                    let fixpoint = self.fixes.get(id).filter(|known| known.not == not)?.clone();
                    return Some(self.body((*id, &fixpoint), args, (here, terms)));
                }
                _ => return Some(self.place(Expected { says, not, body_of: None })),
            }
        }
    }

    fn body(
        &mut self,
        (id, fixpoint): (FixId, &Fixpoint<'f>),
        args: &[TermId],
        (here, terms): (&mut Here, &mut Terms),
    ) -> usize {
        let values: Vec<TermId> =
            args.iter().map(|&arg| terms.substitute(arg, &here.values)).collect();
        here.values.extend(fixpoint.params.iter().copied().zip(values));
        self.place(Expected { says: fixpoint.body, not: fixpoint.not, body_of: Some(id) })
    }

    /// A fixpoint, which has to be the greatest one where it stands.
    fn fixpoint(&mut self, says: &'f StateFormula, not: bool) -> Option<Fixpoint<'f>> {
        let StateFormula::Fix { id, greatest, params, body } = says else { return None };
        if *greatest == not {
            return None;
        }
        let params = params.iter().map(|(var, _)| *var).collect();
        let fixpoint = Fixpoint { params, body, not };
        self.fixes.insert(*id, fixpoint.clone());
        Some(fixpoint)
    }

    /// Notes what is expected of a configuration at a place.
    fn walk(
        &mut self,
        says: &'f StateFormula,
        not: bool,
        mut here: Here,
        terms: &mut Terms,
    ) -> Option<()> {
        if is_closed(says) {
            let holds = closed(terms, says, not);
            let holds = terms.substitute(holds, &here.values);
            let fails = terms.not(holds);
            if terms.as_bool(fails) != Some(false) {
                here.conditions.push(fails);
                self.bad.push(Bad { at: here.at, when: here.conditions, text: here.text });
            }
            return Some(());
        }
        match says {
            StateFormula::Text(span, inner) => {
                here.text = Some((*span, not));
                self.walk(inner, not, here, terms)
            }
            StateFormula::Not(inner) => self.walk(inner, !not, here, terms),
            StateFormula::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| (part, not)).collect();
                self.several(!not, &parts, here, terms)
            }
            StateFormula::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| (part, not)).collect();
                self.several(not, &parts, here, terms)
            }
            StateFormula::Implies(one, other) => {
                self.several(not, &[(&**one, !not), (&**other, not)], here, terms)
            }
            StateFormula::Forall(vars, inner) | StateFormula::Exists(vars, inner) => {
                if matches!(says, StateFormula::Forall(..)) == not {
                    return None;
                }
                // Of an empty range nothing can be chosen, and all is said of nothing.
                if vars.iter().any(|var| is_empty(terms, *var)) {
                    return None;
                }
                let chosen = &mut self.chosen[here.at];
                for &var in vars {
                    if !chosen.contains(&var) {
                        chosen.push(var);
                    }
                }
                self.walk(inner, not, here, terms)
            }
            StateFormula::Box(modality) | StateFormula::Diamond(modality) => {
                if matches!(says, StateFormula::Box(_)) == not {
                    return None;
                }
                self.along(modality, not, here, terms)
            }
            StateFormula::Fix { id, params, .. } => {
                let fixpoint = self.fixpoint(says, not)?;
                let args: Vec<TermId> = params.iter().map(|(_, value)| *value).collect();
                self.unfolded((*id, &fixpoint), &args, here, terms)
            }
            StateFormula::Again(id, args) => {
                let fixpoint = self.fixes.get(id).filter(|known| known.not == not)?.clone();
                // Of a greatest fixpoint, what is said again of the same configuration says nothing new.
                match (here.inside.contains(id), args.is_empty()) {
                    (true, true) => Some(()),
                    (true, false) => None,
                    (false, _) => self.unfolded((*id, &fixpoint), args, here, terms),
                }
            }
            _ => None,
        }
    }

    fn unfolded(
        &mut self,
        (id, fixpoint): (FixId, &Fixpoint<'f>),
        args: &[TermId],
        mut here: Here,
        terms: &mut Terms,
    ) -> Option<()> {
        if !here.inside.insert(id) {
            return None;
        }
        let values: Vec<TermId> =
            args.iter().map(|&arg| terms.substitute(arg, &here.values)).collect();
        here.values.extend(fixpoint.params.iter().copied().zip(values));
        self.walk(fixpoint.body, fixpoint.not, here, terms)
    }

    /// All of some parts, or one of them, of which one at most speaks of steps.
    fn several(
        &mut self,
        all: bool,
        parts: &[(&'f StateFormula, bool)],
        mut here: Here,
        terms: &mut Terms,
    ) -> Option<()> {
        if all {
            for &(part, not) in parts {
                self.walk(part, not, here.clone(), terms)?;
            }
            return Some(());
        }
        let (apart, open): (Vec<_>, Vec<_>) = parts.iter().partition(|(part, _)| is_closed(part));
        let [(open, not)] = open.as_slice() else { return None };
        for (part, not) in apart {
            let holds = closed(terms, part, not);
            let holds = terms.substitute(holds, &here.values);
            let fails = terms.not(holds);
            match terms.as_bool(fails) {
                Some(false) => return Some(()),
                Some(true) => {}
                None => here.conditions.push(fails),
            }
        }
        self.walk(open, *not, here, terms)
    }

    /// What has to hold after all steps of a kind.
    fn along(
        &mut self,
        modality: &'f Modality,
        not: bool,
        here: Here,
        terms: &mut Terms,
    ) -> Option<()> {
        let Here { at, conditions, values, text, .. } = here;
        let mut next = Here { values, text, ..Here::default() };
        next.values.extend(modality.binds.iter().copied());
        let then = modality.then.truth().map(|value| value != not);
        let to = match then {
            Some(true) => return Some(()),
            Some(false) => None,
            None => Some(self.entered(&modality.then, not, (&mut next, terms))?),
        };
        let sets = match to {
            Some(_) => {
                let mut sets: Vec<(VarId, TermId)> = next.values.into_iter().collect();
                sets.sort_unstable_by_key(|(var, _)| *var);
                sets
            }
            None => Vec::new(),
        };
        self.moves.push(Move { from: at, to, step: &modality.step, conditions, sets, text });
        Some(())
    }
}

/// Whether a formula is about one configuration, by its values alone.
fn is_closed(says: &StateFormula) -> bool {
    !says.any(&mut |part| {
        matches!(
            part,
            StateFormula::Box(_)
                | StateFormula::Diamond(_)
                | StateFormula::Path(..)
                | StateFormula::MayEnd
                | StateFormula::Fix { .. }
                | StateFormula::Again(..)
        )
    })
}

/// What a formula about one configuration says, as a term; or its opposite.
fn closed(terms: &mut Terms, says: &StateFormula, not: bool) -> TermId {
    let term = match says {
        StateFormula::Bool(value) => terms.bool(*value),
        StateFormula::Holds(says) => terms.and([says.owed, says.says]),
        StateFormula::Not(inner) => return closed(terms, inner, !not),
        StateFormula::Text(_, inner) => return closed(terms, inner, not),
        StateFormula::And(parts) => {
            let parts: Vec<TermId> = parts.iter().map(|part| closed(terms, part, false)).collect();
            terms.and(parts)
        }
        StateFormula::Or(parts) => {
            let parts: Vec<TermId> = parts.iter().map(|part| closed(terms, part, false)).collect();
            terms.or(parts)
        }
        StateFormula::Implies(one, other) => {
            let (one, other) = (closed(terms, one, false), closed(terms, other, false));
            terms.implies(one, other)
        }
        StateFormula::Forall(vars, inner) => {
            let inner = closed(terms, inner, false);
            quantified(terms, true, vars, inner)
        }
        StateFormula::Exists(vars, inner) => {
            let inner = closed(terms, inner, false);
            quantified(terms, false, vars, inner)
        }
        // Nothing else is closed.
        _ => terms.bool(false),
    };
    if not { terms.not(term) } else { term }
}

/// The bounds of a variable that stands for a number of a range, if they are numbers.
fn bounds_of(terms: &Terms, var: VarId) -> Option<(BigInt, BigInt)> {
    let Sort::Range(low, high) = terms.var(var).sort else { return None };
    terms.as_int(low).cloned().zip(terms.as_int(high).cloned())
}

/// Whether it is known which values a variable may have, whatever others are, and that there are some but for ranges.
fn is_plain(terms: &Terms, var: VarId) -> bool {
    match terms.var(var).sort {
        Sort::Bool | Sort::Int | Sort::Abstract(_) => true,
        Sort::Range(..) => bounds_of(terms, var).is_some(),
        _ => false,
    }
}

fn is_empty(terms: &Terms, var: VarId) -> bool {
    bounds_of(terms, var).is_some_and(|(low, high)| high <= low)
}

/// So many values are written out.
const FEW: u32 = 16;

/// For all values of some variables, or for some; those of small ranges are written out.
fn quantified(terms: &mut Terms, all: bool, vars: &[VarId], mut inner: TermId) -> TermId {
    for &var in vars.iter().rev() {
        let bounds = bounds_of(terms, var);
        let Some((low, high)) = bounds.filter(|(low, high)| high - low <= BigInt::from(FEW)) else {
            inner = terms.quantified(all, Box::new([var]), inner);
            continue;
        };
        let (mut each, mut value) = (Vec::new(), low);
        while value < high {
            let here = [(var, terms.int(value.clone()))].into_iter().collect();
            each.push(terms.substitute(inner, &here));
            value += 1;
        }
        inner = if all { terms.and(each) } else { terms.or(each) };
    }
    inner
}
