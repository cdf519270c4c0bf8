//! Where a formula surely holds, as a condition for each state of the automaton.
//!
//! A set that is found here is never too large: it *under*-approximates. Negations stand at atoms only, so that smaller sets
//! for parts make smaller sets for the whole, and the opposite of a formula is a formula like others. So a formula is proved
//! where its set has all configurations in which a net begins, and refuted where the set of its opposite has one of them.

use rustc_hash::FxHashMap;

use super::given::Giving;
use super::parts::{Move, Part, PartId, Parts};
use super::{Recorded, Set, Stopped, Wanted};
use crate::algebra::{TermId, VarId, conjunction, simplified_where};
use crate::automaton::StateId;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::smt::Answer;
use crate::system::{Facts, Prover, System};

/// Configurations from which a least fixpoint is reached, in an order in which each leads to earlier ones.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Numbers that get smaller in their order within the layer; none where each leads to earlier layers.
    pub ranks: Vec<VarId>,
    /// Where it is, over the variables of the net, of the formula, and these numbers.
    pub set: Set,
}

/// What was found for a fixpoint.
#[derive(Clone, Debug)]
pub enum Found {
    /// A set from which all that is said leads to itself.
    Greatest(Set),
    /// Layers, each of which leads to earlier ones.
    Least(Vec<Layer>),
}

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Rounds of one fixpoint.
    pub rounds: usize,
    /// Terms in one condition.
    pub terms: usize,
    /// Whether ranks and Horn clauses are tried.
    pub all: bool,
}

/// Looks for sets of the parts of formulas.
pub(super) struct Engine<'e, 'a> {
    pub system: &'e System<'a>,
    pub prover: &'e mut Prover<'a>,
    pub facts: Facts,
    pub parts: Parts,
    pub effort: Effort,
    /// What each fixpoint that is being looked for is taken for.
    pub taken: FxHashMap<PartId, Set>,
    /// What was found for fixpoints that speak of no others around them.
    pub found: FxHashMap<PartId, Found>,
    /// Which part is asked about, and of which first configurations.
    pub root: Option<(PartId, Wanted)>,
    /// What a proof rests on, while one is written down.
    pub proof: Option<Recorded>,
    /// Sets that somebody else found, in the place of a search.
    pub given: Option<Giving>,
    may_end: Option<Set>,
}

impl<'e, 'a> Engine<'e, 'a> {
    pub fn new(
        (system, prover): (&'e System<'a>, &'e mut Prover<'a>),
        facts: Facts,
        parts: Parts,
        effort: Effort,
    ) -> Engine<'e, 'a> {
        Engine {
            system,
            prover,
            facts,
            parts,
            effort,
            taken: FxHashMap::default(),
            found: FxHashMap::default(),
            root: None,
            proof: None,
            given: None,
            may_end: None,
        }
    }

    /// The same condition everywhere.
    pub fn everywhere(&mut self, value: bool) -> Set {
        let value = self.prover.terms.bool(value);
        IndexVec::of(self.system.steps.len(), value)
    }

    /// Where a part surely holds.
    pub fn set(&mut self, part: PartId) -> Result<Set, Stopped> {
        if is_spent() {
            return Err(Stopped);
        }
        match self.parts.all[part].clone() {
            Part::Bool(value) => Ok(self.everywhere(value)),
            Part::Holds(set) => Ok(set),
            Part::MayEnd(wanted) => {
                let ends = self.may_end();
                Ok(if wanted { ends } else { self.opposite(&ends) })
            }
            Part::Several(all, parts) => self.several(all, &parts),
            Part::Values(all, vars, inner) => {
                let inner = self.set(inner)?;
                Ok(self.quantified(all, &vars, &inner))
            }
            Part::Steps { all, moves, then } => {
                let then = self.set(then)?;
                self.before(all, &moves, &then)
            }
            Part::Fix { params, .. } => {
                let found = self.fixpoint(part)?;
                let set = self.total(&found);
                Ok(self.with(&set, &params.into_iter().collect()))
            }
            Part::Again(fix, args) => {
                let Some(set) = self.taken.get(&fix).cloned() else {
                    return Ok(self.everywhere(false));
                };
                let Part::Fix { params, .. } = &self.parts.all[fix] else { return Ok(set) };
                let values = params.iter().map(|(var, _)| *var).zip(args).collect();
                Ok(self.with(&set, &values))
            }
        }
    }

    fn several(&mut self, all: bool, parts: &[PartId]) -> Result<Set, Stopped> {
        let mut together = self.everywhere(all);
        // What is simple comes first: where it decides, nothing else need be said.
        for &part in parts {
            let set = self.set(part)?;
            for (whole, one) in together.iter_mut().zip(set) {
                let terms = &mut self.prover.terms;
                *whole = if all { terms.and([*whole, one]) } else { terms.or([*whole, one]) };
            }
        }
        Ok(together)
    }

    /// For all values of some variables, or for some.
    fn quantified(&mut self, all: bool, vars: &[VarId], set: &Set) -> Set {
        let each = |&one: &TermId| match all {
            true => {
                let not = self.prover.terms.not(one);
                let some = self.prover.exists(vars, vec![not]);
                self.prover.terms.not(some)
            }
            false => self.prover.exists(vars, vec![one]),
        };
        set.iter().map(each).collect()
    }

    /// From where all of some moves lead to a set, or one does.
    fn before(
        &mut self,
        all: bool,
        moves: &IndexVec<StateId, Vec<Move>>,
        then: &Set,
    ) -> Result<Set, Stopped> {
        let target = if all { self.opposite(then) } else { then.clone() };
        let mut found = Set::default();
        for (state, meant) in moves.enumerated() {
            if is_spent() {
                return Err(Stopped);
            }
            let mut ways = Vec::new();
            for one in meant {
                ways.push(self.way(state, one, &target));
            }
            let some = self.prover.terms.or(ways);
            found.push(if all { self.prover.terms.not(some) } else { some });
        }
        Ok(found)
    }

    /// From where a move leads to a set.
    fn way(&mut self, state: StateId, one: &Move, target: &Set) -> TermId {
        let step = &self.system.steps[state][one.step];
        let terms = &mut self.prover.terms;
        let mut values = step.updates.clone();
        values.extend(one.binds.iter().map(|(&var, &value)| (var, value)));
        let then = terms.substitute(target[step.target], &values);
        match conjunction(terms, vec![step.guard, one.fits, then]) {
            Some(parts) => self.prover.exists(&step.locals, parts),
            None => terms.bool(false),
        }
    }

    /// Where every step that is possible needs a hole.
    fn may_end(&mut self) -> Set {
        if let Some(known) = &self.may_end {
            return known.clone();
        }
        let mut ends = Set::default();
        for steps in &self.system.steps {
            let alone = steps.iter().filter(|step| step.holes.is_empty());
            let can: Vec<TermId> =
                alone.map(|step| self.prover.exists(&step.locals, vec![step.guard])).collect();
            let can = self.prover.terms.or(can);
            ends.push(self.prover.terms.not(can));
        }
        self.may_end = Some(ends.clone());
        ends
    }

    pub fn opposite(&mut self, set: &Set) -> Set {
        set.iter().map(|&one| self.prover.terms.not(one)).collect()
    }

    /// A set with values for some of the variables that it speaks of.
    pub fn with(&mut self, set: &Set, values: &FxHashMap<VarId, TermId>) -> Set {
        set.iter().map(|&one| self.prover.terms.substitute(one, values)).collect()
    }

    /// What was found for a fixpoint, as one set.
    pub fn total(&mut self, found: &Found) -> Set {
        match found {
            Found::Greatest(set) => set.clone(),
            Found::Least(layers) => self.below(layers, layers.len()),
        }
    }

    /// All that is in the first of some layers.
    pub fn below(&mut self, layers: &[Layer], count: usize) -> Set {
        let mut all = self.everywhere(false);
        for layer in &layers[..count] {
            let whole = self.whole(layer);
            self.join(&mut all, &whole);
        }
        all
    }

    /// A layer without its ranks.
    pub fn whole(&mut self, layer: &Layer) -> Set {
        if layer.ranks.is_empty() {
            return layer.set.clone();
        }
        let zero = self.prover.terms.int(0);
        let mut natural = Vec::with_capacity(layer.ranks.len());
        for &rank in &layer.ranks {
            let rank = self.prover.terms.var_term(rank);
            natural.push(self.prover.terms.less_equal(zero, rank));
        }
        let each = |&one: &TermId| {
            let parts = natural.iter().copied().chain([one]).collect();
            match conjunction(&mut self.prover.terms, parts) {
                Some(parts) => self.prover.exists(&layer.ranks, parts),
                None => self.prover.terms.bool(false),
            }
        };
        layer.set.iter().map(each).collect()
    }

    pub fn join(&mut self, all: &mut Set, more: &Set) {
        for (all, &more) in all.iter_mut().zip(more) {
            *all = self.prover.terms.or([*all, more]);
        }
    }

    /// What was found for a fixpoint, or is looked for now.
    pub fn fixpoint(&mut self, part: PartId) -> Result<Found, Stopped> {
        let closed = self.parts.free[part].is_empty();
        let known = self.found.get(&part).filter(|_| closed).cloned();
        let found = match known {
            Some(found) => found,
            None => {
                let found = match self.next_given(part) {
                    Some(found) => found,
                    None => {
                        // What is tried on the way is no part of a proof.
                        let proof = self.proof.take();
                        let found = self.searched(part);
                        self.proof = proof;
                        found?
                    }
                };
                if closed {
                    self.found.insert(part, found.clone());
                }
                found
            }
        };
        if self.proof.is_some() {
            self.record(part, &found)?;
        }
        Ok(found)
    }

    /// Whether a fixpoint is the greatest one.
    pub fn is_greatest(&self, part: PartId) -> bool {
        matches!(self.parts.all[part], Part::Fix { greatest: true, .. })
    }

    fn searched(&mut self, part: PartId) -> Result<Found, Stopped> {
        let before = self.taken.get(&part).cloned();
        let found = match &self.parts.all[part] {
            Part::Fix { greatest: true, .. } => Found::Greatest(self.greatest(part)?),
            _ => Found::Least(self.least(part)?),
        };
        match before {
            Some(before) => drop(self.taken.insert(part, before)),
            None => drop(self.taken.remove(&part)),
        }
        Ok(found)
    }

    /// What the body of a fixpoint says where the fixpoint is taken for a set.
    pub fn body(&mut self, part: PartId, taken: Set) -> Result<Set, Stopped> {
        let Part::Fix { body, .. } = self.parts.all[part] else { return Ok(taken) };
        let before = self.taken.insert(part, taken);
        let set = self.set(body);
        match before {
            Some(before) => drop(self.taken.insert(part, before)),
            None => drop(self.taken.remove(&part)),
        }
        set
    }

    /// A condition in fewer words, where what is known of a state holds, and some more.
    pub fn shorter(&mut self, state: StateId, condition: TermId, known: &[TermId]) -> TermId {
        let mut known: Vec<TermId> = known.to_vec();
        known.extend(&self.facts[state]);
        let known = conjunction(&mut self.prover.terms, known);
        let Some(known) = known else { return self.prover.terms.bool(false) };
        let short = simplified_where(&mut self.prover.terms, condition, &known);
        if self.prover.terms.as_bool(short).is_some() {
            return short;
        }
        let not = self.prover.terms.not(short);
        let question: Vec<TermId> = known.iter().copied().chain([not]).collect();
        if self.prover.check(&question) == Answer::Unsat {
            return self.prover.terms.bool(true);
        }
        self.prover.fewer_parts(short, &known)
    }

    /// Whether conditions can hold together in a state.
    pub fn asked(&mut self, state: StateId, conditions: &[TermId]) -> Answer {
        let mut question = conditions.to_vec();
        question.extend(&self.facts[state]);
        self.prover.none_holds(&question)
    }

    /// Of the part that is asked about: whether its set has the configurations that are wanted.
    pub fn is_enough(&mut self, part: PartId, set: &Set) -> bool {
        match self.root {
            Some((root, wanted)) if root == part => self.wanted(wanted, set) == Answer::Unsat,
            _ => false,
        }
    }

    /// Of the part that is asked about: whether a set that has all of its own does not have those that are wanted.
    pub fn is_hopeless(&mut self, part: PartId, set: &Set) -> bool {
        match self.root {
            Some((root, wanted)) if root == part => self.wanted(wanted, set) == Answer::Sat,
            _ => false,
        }
    }

    /// Unsatisfiable where a set has the first configurations that are wanted, satisfiable where it has not.
    pub fn wanted(&mut self, wanted: Wanted, set: &Set) -> Answer {
        let first = StateId::FIRST;
        let initial: FxHashMap<VarId, TermId> = self.system.initial_values().collect();
        let here = self.prover.terms.substitute(set[first], &initial);
        match wanted {
            Wanted::All => {
                let not = self.prover.terms.not(here);
                self.prover.none_holds(&[not])
            }
            Wanted::Some => match self.prover.check(&[here]) {
                Answer::Sat => Answer::Unsat,
                Answer::Unsat => Answer::Sat,
                unknown => unknown,
            },
        }
    }
}
