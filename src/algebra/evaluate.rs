//! What closed terms come to: functions that are defined are unfolded, arrays have one form.
//!
//! Every term is turned into one that is equal to it, whatever its variables, symbolic constants and uninterpreted
//! functions are; what does not depend on these becomes a value. Quantifiers are not looked into, and what has no
//! value of its own (a quotient by zero, a field that a constructor lacks) stays as it is.

use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Algebra, Sort, Term, TermId, Terms, VarId};

/// So many functions are unfolded for one term, unless somebody says otherwise.
pub const MOST_UNFOLDED: usize = 20_000;
/// Functions are not unfolded on larger arguments: the number of their parts, each seen as often as it is there.
const HEAVIEST: u64 = 5_000;

/// Evaluates terms, and remembers what it found.
pub struct Evaluator<'a> {
    algebra: &'a Algebra,
    /// How many functions may be unfolded for one term.
    most: usize,
    left: usize,
    /// Variables that stand for values of their own, each for another one.
    atoms: FxHashSet<VarId>,
    done: FxHashMap<TermId, TermId>,
    weights: FxHashMap<TermId, u64>,
}

/// What is to be done about a term.
enum Next {
    /// It comes to this.
    Is(TermId),
    /// First it must be known what these come to.
    Needs(Vec<TermId>),
    /// Too much would have to be unfolded.
    GiveUp,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that unfolds so many functions for one term, and no more.
    pub fn new(algebra: &'a Algebra, most: usize) -> Evaluator<'a> {
        let (done, weights) = (FxHashMap::default(), FxHashMap::default());
        Evaluator { algebra, most, left: most, atoms: FxHashSet::default(), done, weights }
    }

    /// The same, where some variables stand for values that have no other name, each for another one.
    #[must_use]
    pub fn with_atoms(mut self, atoms: impl IntoIterator<Item = VarId>) -> Evaluator<'a> {
        self.atoms.extend(atoms);
        self
    }

    /// What a term comes to; the term itself where too much would have to be unfolded.
    pub fn evaluate(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        self.left = self.most;
        // Terms can be deep, and so can recursion: a stack of its own, not the thread's.
        let mut work = vec![root];
        while let Some(&id) = work.last() {
            if self.done.contains_key(&id) {
                work.pop();
                continue;
            }
            match self.next(terms, id) {
                Next::Needs(inner) => work.extend(inner),
                Next::Is(value) => {
                    self.done.insert(id, value);
                    // A value comes to itself.
                    self.done.entry(value).or_insert(value);
                    work.pop();
                }
                Next::GiveUp => return root,
            }
        }
        self.known(root)
    }

    fn known(&self, id: TermId) -> TermId {
        self.done.get(&id).copied().unwrap_or(id)
    }

    fn next(&mut self, terms: &mut Terms, id: TermId) -> Next {
        match terms.get(id).clone() {
            Term::Forall(..) | Term::Exists(..) => Next::Is(id),
            Term::If(condition, yes, no) => self.choice(terms, condition, (yes, no)),
            Term::And(parts) => self.junction(terms, id, &parts, false),
            Term::Or(parts) => self.junction(terms, id, &parts, true),
            term => {
                let mut open = Vec::new();
                term.each_inside(|inner| {
                    if !self.done.contains_key(&inner) {
                        open.push(inner);
                    }
                });
                if !open.is_empty() {
                    return Next::Needs(open);
                }
                let rebuilt = terms.made_again(id, &self.done);
                self.finished(terms, rebuilt)
            }
        }
    }

    /// Only the branch that is taken is looked at: the other one may unfold for ever.
    fn choice(
        &mut self,
        terms: &mut Terms,
        condition: TermId,
        (yes, no): (TermId, TermId),
    ) -> Next {
        let Some(&known) = self.done.get(&condition) else { return Next::Needs(vec![condition]) };
        let taken = match terms.as_bool(known) {
            Some(true) => yes,
            Some(false) => no,
            None => return Next::Is(terms.if_then_else(known, yes, no)),
        };
        self.done.get(&taken).map_or_else(|| Next::Needs(vec![taken]), |&value| Next::Is(value))
    }

    /// From left to right, until one of them decides.
    fn junction(&mut self, terms: &mut Terms, id: TermId, parts: &[TermId], decides: bool) -> Next {
        for part in parts {
            let Some(&known) = self.done.get(part) else { return Next::Needs(vec![*part]) };
            if terms.as_bool(known) == Some(decides) {
                return Next::Is(known);
            }
        }
        Next::Is(terms.made_again(id, &self.done))
    }

    /// A term all of whose parts are known.
    fn finished(&mut self, terms: &mut Terms, id: TermId) -> Next {
        match terms.get(id).clone() {
            Term::Apply(fun, args) => {
                let function = &self.algebra.functions[fun.index()];
                let Some(body) = function.body else { return Next::Is(id) };
                if self.left == 0 || self.weight(terms, id) > HEAVIEST {
                    return Next::GiveUp;
                }
                if !args.iter().all(|&arg| self.is_settled(terms, arg)) {
                    return Next::Is(id);
                }
                self.left -= 1;
                let values = function.params.iter().copied().zip(args.iter().copied());
                let target = terms.substitute(body, &values.collect());
                let known = self.done.get(&target).copied();
                known.map_or_else(|| Next::Needs(vec![target]), Next::Is)
            }
            Term::Update(array, at, value) => Next::Is(updated(terms, array, at, value)),
            Term::Equal(a, b) => Next::Is(match self.same(terms, a, b) {
                Some(same) => terms.bool(same),
                None => id,
            }),
            _ => Next::Is(id),
        }
    }

    /// Whether a term is a value, or an array all of whose places are known.
    pub fn is_settled(&self, terms: &Terms, id: TermId) -> bool {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            match terms.get(id) {
                Term::Bool(_) | Term::Int(_) | Term::Tau => {}
                Term::Var(var) if self.atoms.contains(var) => {}
                Term::Construct(_, _, args) | Term::Act(_, args) => work.extend(args),
                Term::Sync(inner) | Term::Co(inner) | Term::ConstArray(_, inner) => {
                    work.push(*inner);
                }
                Term::Update(array, at, value) => work.extend([*array, *at, *value]),
                _ => return false,
            }
        }
        true
    }

    /// How large a term is when it is written down.
    fn weight(&mut self, terms: &Terms, root: TermId) -> u64 {
        let mut work = vec![root];
        while let Some(&id) = work.last() {
            let mut weight = terms.as_int(id).map_or(1, |value| 1 + value.bits() / 64);
            let before = work.len();
            terms.get(id).each_inside(|inner| match self.weights.get(&inner) {
                Some(known) => weight = weight.saturating_add(*known),
                None => work.push(inner),
            });
            if work.len() == before {
                self.weights.insert(id, weight);
                work.pop();
            }
        }
        self.weights.get(&root).copied().unwrap_or(u64::MAX)
    }

    /// Whether two terms that are known are the same; nothing when that depends on something else.
    fn same(&self, terms: &Terms, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        match (terms.get(a), terms.get(b)) {
            (Term::Construct(_, one, these), Term::Construct(_, other, those)) => {
                match one == other {
                    true => self.all_same(terms, these, those),
                    false => Some(false),
                }
            }
            (Term::Act(one, these), Term::Act(other, those)) => match one == other {
                true => self.all_same(terms, these, those),
                false => Some(false),
            },
            (Term::Update(..) | Term::ConstArray(..), Term::Update(..) | Term::ConstArray(..)) => {
                self.same_array(terms, a, b)
            }
            // Values of abstract sorts differ from each other, and are never compared with others.
            (Term::Var(one), Term::Var(other)) => {
                (self.atoms.contains(one) && self.atoms.contains(other)).then_some(false)
            }
            _ => (terms.is_value(a) && terms.is_value(b)).then_some(false),
        }
    }

    fn all_same(&self, terms: &Terms, these: &[TermId], those: &[TermId]) -> Option<bool> {
        let mut all = Some(true);
        for (&a, &b) in these.iter().zip(those) {
            match self.same(terms, a, b) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// Arrays differ where a place that both surely have differs; with the same places written, where the rest does
    /// and there is a rest.
    fn same_array(&self, terms: &Terms, a: TermId, b: TermId) -> Option<bool> {
        let (first, second) = (Written::of(terms, a)?, Written::of(terms, b)?);
        let mut all = Some(true);
        for &(place, _) in first.places.iter().chain(&second.places) {
            match self.same(terms, first.at(place), second.at(place)) {
                Some(true) => {}
                Some(false) if has_place(terms, first.sort, place) => return Some(false),
                _ => all = None,
            }
        }
        match self.same(terms, first.rest, second.rest) {
            Some(true) => all,
            Some(false) if first.has_rest() => Some(false),
            _ => None,
        }
    }
}

/// An array that was written to in some places.
struct Written<'t> {
    sort: &'t Sort,
    rest: TermId,
    places: Vec<(TermId, TermId)>,
}

impl<'t> Written<'t> {
    fn of(terms: &'t Terms, array: TermId) -> Option<Written<'t>> {
        let (inner, places) = written(terms, array);
        let Term::ConstArray(sort, rest) = terms.get(inner) else { return None };
        let known = places.iter().all(|&(place, _)| terms.is_value(place));
        known.then_some(Written { sort, rest: *rest, places })
    }

    fn at(&self, place: TermId) -> TermId {
        let found = self.places.iter().find(|(other, _)| *other == place);
        found.map_or(self.rest, |(_, value)| *value)
    }

    /// Whether there are surely places that were not written: there is no end of integers.
    fn has_rest(&self) -> bool {
        matches!(self.sort, Sort::Array(both) if both.0 == Sort::Int)
    }
}

/// Whether arrays of a sort surely have a place.
fn has_place(terms: &Terms, sort: &Sort, place: TermId) -> bool {
    let Sort::Array(both) = sort else { return false };
    match &both.0 {
        Sort::Range(low, high) => {
            let (low, high) = (terms.as_int(*low), terms.as_int(*high));
            match (low, terms.as_int(place), high) {
                (Some(low), Some(place), Some(high)) => low <= place && place < high,
                _ => false,
            }
        }
        _ => true,
    }
}

/// The array under all updates, and what they write, the last one first.
fn written(terms: &Terms, array: TermId) -> (TermId, Vec<(TermId, TermId)>) {
    let (mut at, mut places) = (array, Vec::new());
    while let Term::Update(inner, place, value) = terms.get(at) {
        places.push((*place, *value));
        at = *inner;
    }
    (at, places)
}

/// `m[i := v]`, where each place is written once, in order, and only with what is not there already.
fn updated(terms: &mut Terms, array: TermId, at: TermId, value: TermId) -> TermId {
    let (inner, mut places) = written(terms, array);
    let known = terms.is_value(at) && places.iter().all(|&(place, _)| terms.is_value(place));
    if !known {
        return terms.raw(Term::Update(array, at, value));
    }
    places.retain(|(place, _)| *place != at);
    places.push((at, value));
    if let Term::ConstArray(_, rest) = *terms.get(inner) {
        places.retain(|(_, value)| *value != rest);
    }
    places.sort_by_key(|&(place, _)| {
        let number = terms.as_int(place).and_then(|number| number.to_i64());
        (number, place)
    });
    let write = |array, (at, value)| terms.raw(Term::Update(array, at, value));
    places.into_iter().fold(inner, write)
}
