//! All configurations of a net with finite data, as a system of which formulas are decided plainly; and random formulas about a net.

use indexmap::IndexSet;
use pnetc::algebra::{ActionId, Sort, Term, TermId, VarId, VariableKind};
use pnetc::base::Id;
use pnetc::diagnostics::Symbol;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, Gap, Property, Value};
use pnetc::lts::{LtsState, Rows};
use pnetc::pnet::{HoleId, LeafId, PNet, VectorPlace};
use pnetc::temporal::{
    Atoms, Bindings, FiniteSystem, FixId, Formula, Modality, MoveId, PathFormula as P,
    StateFormula as F, StatePredicate, StepPattern,
};

use super::Random;
use super::sayings::{Sayings, all, always, eventually, some, until, weak_until};

/// More configurations are not looked at.
const MOST_CONFIGURATIONS: usize = 300;

/// What is done in a step: what it shows, what holes do, and the vectors.
type Move = (Value, Vec<(HoleId, Value)>, Vec<VectorPlace>);

/// All configurations of a net with finite data.
pub struct Whole<'n> {
    pub interpreter: Interpreter<'n>,
    pub configurations: IndexSet<Configuration>,
    /// What is done in steps, with where it was done.
    moves: IndexSet<Move>,
    formula: &'n Formula,
}

impl<'n> Whole<'n> {
    /// Nothing where there are too many, or values without end.
    pub fn of(net: &'n PNet, formula: &'n Formula) -> Option<(Whole<'n>, FiniteSystem)> {
        let interpreter = Interpreter::new(net, Domains::default());
        let initial = interpreter.initial().ok()?;
        if initial.limited {
            return None;
        }
        let begins = (0..initial.configurations.len()).map(LtsState::at).collect();
        let mut configurations: IndexSet<Configuration> =
            initial.configurations.into_iter().collect();
        let mut moves = IndexSet::new();
        let mut rows = Rows::with_capacity(0, 0);
        let mut at = 0;
        while let Some(here) = configurations.get_index(at) {
            if configurations.len() > MOST_CONFIGURATIONS {
                return None;
            }
            let steps = interpreter.steps(here).ok()?;
            if steps.limited {
                return None;
            }
            for step in steps.steps {
                let done = moves.insert_full((step.action, step.holes, step.vectors)).0;
                let to = configurations.insert_full(step.target).0;
                rows.push((MoveId::at(done), LtsState::at(to)));
            }
            rows.end_row();
            at += 1;
        }
        let whole = Whole { interpreter, configurations, moves, formula };
        Some((whole, FiniteSystem { begins, steps: rows }))
    }

    fn truth(
        &self,
        at: usize,
        (owed, says): (TermId, TermId),
        given: Bindings,
    ) -> Result<bool, Gap> {
        let Formula { terms, locations, .. } = self.formula;
        let (terms, locations) = (terms.clone(), locations.clone());
        let property = Property { terms, owed, reads: Vec::new(), says, locations, given };
        Ok(self.interpreter.holds(&self.configurations[at], &property)? == Some(true))
    }
}

impl Atoms for Whole<'_> {
    fn holds(
        &mut self,
        at: LtsState,
        says: &StatePredicate,
        bound: &Bindings,
    ) -> Result<bool, Gap> {
        self.truth(at.index(), (says.owed, says.says), bound.clone())
    }

    fn fits(&mut self, done: MoveId, step: &StepPattern, bound: &Bindings) -> Result<bool, Gap> {
        let (action, holes, vectors) = &self.moves[done.index()];
        let (action, term) = match step {
            StepPattern::Shows(term) => (Some(action), *term),
            StepPattern::Hole(hole, term) => {
                (holes.iter().find(|(one, _)| one == hole).map(|(_, action)| action), *term)
            }
            StepPattern::With(places) => return Ok(vectors.iter().any(|one| places.contains(one))),
            _ => return Err(Gap::Undefined),
        };
        let Some(action) = action else { return Ok(false) };
        let mut given = bound.clone();
        given.push((self.formula.shown, action.clone()));
        // What is shown is not about configurations.
        self.truth(0, (term, term), given)
    }

    fn value(&mut self, done: Option<MoveId>, term: TermId, _: &Bindings) -> Result<Value, Gap> {
        let (Some(done), Term::Argument(_, place, _)) = (done, self.formula.terms.get(term)) else {
            return Err(Gap::Undefined);
        };
        match &self.moves[done.index()].0 {
            Value::Act(_, args) => args.get(*place as usize).cloned().ok_or(Gap::Undefined),
            _ => Err(Gap::Undefined),
        }
    }

    fn values(&mut self, _: VarId) -> Result<Vec<Value>, Gap> {
        Ok(vec![Value::Bool(false), Value::Bool(true)])
    }

    fn needs_hole(&self, done: MoveId) -> bool {
        !self.moves[done.index()].1.is_empty()
    }
}

/// Random formulas about a net.
pub struct Making<'m, 'n> {
    pub say: Sayings<'n>,
    pub random: &'m mut Random,
    fixes: u32,
    /// What was bound.
    bound: Vec<TermId>,
}

impl<'m, 'n> Making<'m, 'n> {
    pub fn about(net: &'n PNet, random: &'m mut Random) -> Making<'m, 'n> {
        Making { say: Sayings::of(net), random, fixes: 0, bound: Vec::new() }
    }

    pub fn pattern(&mut self, depth: usize) -> StepPattern {
        let net = self.say.net;
        let two = |making: &mut Self| vec![making.pattern(depth - 1), making.pattern(depth - 1)];
        match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0 => StepPattern::Any,
            1 if !net.holes.is_empty() => {
                let hole = HoleId(self.random.below(net.holes.len()) as u32);
                let action = self.random.pick(&net.algebra.actions).name;
                match self.say.act(action.as_str()) {
                    StepPattern::Shows(term) => StepPattern::Hole(hole, term),
                    other => other,
                }
            }
            1..6 => {
                let action = self.random.pick(&net.algebra.actions).name;
                self.say.act(action.as_str())
            }
            6 => StepPattern::Not(Box::new(self.pattern(depth - 1))),
            7 => StepPattern::And(two(self)),
            _ => StepPattern::Or(two(self)),
        }
    }

    fn atom(&mut self) -> F {
        let (net, leaves) = (self.say.net, self.say.net.leaves());
        if !self.bound.is_empty() && self.random.one_in(2) {
            let value = *self.random.pick(&self.bound);
            return self.say.holds(value);
        }
        if leaves.is_empty() || self.random.one_in(8) {
            return F::MayEnd;
        }
        let leaf = LeafId(self.random.below(leaves.len()) as u32);
        let plts = &net.plts[leaves[leaf].1];
        if let Some(&(var, initial)) = plts.variables.first()
            && self.random.one_in(2)
        {
            let var = self.say.terms.var_term(var);
            let value = match (initial, net.terms.var(plts.variables[0].0).sort.clone()) {
                (_, Sort::Bool) => self.say.terms.bool(true),
                (_, Sort::Range(..)) => self.say.terms.int(1),
                (Some(initial), _) => initial,
                _ => return F::MayEnd,
            };
            let says = self.say.terms.equal(var, value);
            return self.say.holds(says);
        }
        let state = &plts.states.as_slice()[self.random.below(plts.states.len())];
        self.say.at(&leaves[leaf].0, state.name.as_str())
    }

    pub fn formula(&mut self, depth: usize, free: &mut Vec<(FixId, bool)>) -> F {
        if depth == 0 {
            let usable: Vec<FixId> =
                free.iter().filter(|(_, not)| !not).map(|(id, _)| *id).collect();
            return match usable.is_empty() || self.random.one_in(3) {
                true => self.atom(),
                false => F::Again(*self.random.pick(&usable), Vec::new()),
            };
        }
        let inner = |making: &mut Self, free: &mut Vec<(FixId, bool)>| {
            Box::new(making.formula(depth - 1, free))
        };
        match self.random.below(10) {
            0 => {
                free.iter_mut().for_each(|(_, not)| *not = !*not);
                let inside = inner(self, free);
                free.iter_mut().for_each(|(_, not)| *not = !*not);
                F::Not(inside)
            }
            1 => F::And(vec![*inner(self, free), *inner(self, free)]),
            2 => F::Or(vec![*inner(self, free), *inner(self, free)]),
            3 => self.stepping(true, inner, free),
            4 => self.stepping(false, inner, free),
            5 | 6 => {
                let id = FixId(self.fixes);
                self.fixes += 1;
                free.push((id, false));
                let body = inner(self, free);
                free.pop();
                F::Fix { id, greatest: self.random.one_in(2), params: Vec::new(), body }
            }
            7 if free.is_empty() => {
                let var = self.say.terms.new_var(Symbol::new("b"), Sort::Bool, VariableKind::Bound);
                self.bound.push(self.say.terms.var_term(var));
                let inside = inner(self, free);
                self.bound.pop();
                match self.random.one_in(2) {
                    true => F::Forall(vec![var], inside),
                    false => F::Exists(vec![var], inside),
                }
            }
            _ if free.is_empty() => {
                let left = self.position(depth - 1);
                let right = self.position(depth - 1);
                let path = match self.random.below(3) {
                    0 => weak_until(left, right),
                    _ => until(left, right),
                };
                if self.random.one_in(2) { all(path) } else { some(path) }
            }
            _ => self.stepping(self.fixes.is_multiple_of(2), inner, free),
        }
    }

    /// Something answers something, again and again.
    pub fn response(&mut self) -> F {
        let finally = eventually(self.position(1));
        let inside = match self.random.below(3) {
            0 => finally,
            1 => P::Or(vec![self.position(1), finally]),
            _ => P::Implies(Box::new(self.position(1)), Box::new(finally)),
        };
        match self.random.below(3) {
            0 => all(inside),
            1 => some(P::Not(Box::new(P::Globally(Box::new(inside))))),
            _ => all(P::Globally(Box::new(inside))),
        }
    }

    fn position(&mut self, depth: usize) -> P {
        match self.random.below(4) {
            0 => not(step(self.pattern(1))),
            1 => step(self.pattern(1)),
            2 => P::State(self.formula(depth.min(1), &mut Vec::new())),
            _ => P::Or(vec![step(self.pattern(0)), P::State(self.atom())]),
        }
    }

    /// A box or a diamond, which may bind an argument that is a truth value.
    fn stepping(
        &mut self,
        all: bool,
        inner: impl Fn(&mut Self, &mut Vec<(FixId, bool)>) -> Box<F>,
        free: &mut Vec<(FixId, bool)>,
    ) -> F {
        let actions = &self.say.net.algebra.actions;
        let fitting = actions.iter().position(|action| action.sorts.first() == Some(&Sort::Bool));
        let modality = match fitting {
            Some(place) if self.random.one_in(3) => {
                // Actions of one name differ in how many arguments they have.
                let action = ActionId(place as u32);
                let shown = self.say.terms.var_term(self.say.shown);
                let var = self.say.terms.new_var(Symbol::new("x"), Sort::Bool, VariableKind::Bound);
                let value = self.say.terms.argument(action, 0, shown);
                let step = StepPattern::Shows(self.say.terms.is_act(action, shown));
                self.bound.push(self.say.terms.var_term(var));
                let then = inner(self, free);
                self.bound.pop();
                Modality { step, binds: vec![(var, value)], then }
            }
            _ => Modality { step: self.pattern(1), binds: Vec::new(), then: inner(self, free) },
        };
        if all { F::Box(modality) } else { F::Diamond(modality) }
    }

    /// Something that all runs have to meet, step by step: what an observer can see.
    pub fn universal(&mut self, depth: usize, free: &mut Vec<(FixId, bool)>) -> F {
        if depth == 0 {
            return match free.is_empty() || self.random.one_in(2) {
                true => self.closed(),
                false => self.again(free),
            };
        }
        match self.random.below(11) {
            0 => F::And(vec![self.universal(depth - 1, free), self.universal(depth - 1, free)]),
            1 => F::Or(vec![self.closed(), self.universal(depth - 1, free)]),
            2 => F::Implies(Box::new(self.closed()), Box::new(self.universal(depth - 1, free))),
            3..6 => self.stepping(
                true,
                |making, free| Box::new(making.universal(depth - 1, free)),
                free,
            ),
            6 | 7 => self.lasting(depth, free),
            8 => {
                let var = self.say.terms.new_var(Symbol::new("b"), Sort::Bool, VariableKind::Bound);
                self.bound.push(self.say.terms.var_term(var));
                let inside = Box::new(self.universal(depth - 1, free));
                self.bound.pop();
                F::Forall(vec![var], inside)
            }
            9 if free.is_empty() => {
                let (left, right) = (self.plain_position(), self.plain_position());
                all(weak_until(left, right))
            }
            _ => always(self.closed()),
        }
    }

    /// A greatest fixpoint, which may have a parameter.
    fn lasting(&mut self, depth: usize, free: &mut Vec<(FixId, bool)>) -> F {
        let id = FixId(self.fixes);
        self.fixes += 1;
        let given = self.random.one_in(2);
        let params: Vec<(VarId, TermId)> = (0..usize::from(given))
            .map(|_| {
                let begins = self.truth();
                let var = self.say.terms.new_var(Symbol::new("p"), Sort::Bool, VariableKind::Bound);
                (var, begins)
            })
            .collect();
        let mark = self.bound.len();
        for (var, _) in &params {
            self.bound.push(self.say.terms.var_term(*var));
        }
        free.push((id, given));
        let mut parts = vec![self.universal(depth - 1, free)];
        // Most fixpoints have to speak of themselves.
        let again = |making: &mut Self, free: &mut Vec<(FixId, bool)>| Box::new(making.again(free));
        if !self.random.one_in(4) {
            parts.push(self.stepping(true, again, free));
        }
        free.pop();
        self.bound.truncate(mark);
        F::Fix { id, greatest: true, params, body: Box::new(F::And(parts)) }
    }

    /// One of the fixpoints around, with something for its parameter.
    fn again(&mut self, free: &[(FixId, bool)]) -> F {
        let &(id, given) = self.random.pick(free);
        let args = (0..usize::from(given)).map(|_| self.truth()).collect();
        F::Again(id, args)
    }

    /// A truth value, or one that was bound.
    fn truth(&mut self) -> TermId {
        match self.bound.is_empty() || self.random.one_in(3) {
            true => {
                let value = self.random.one_in(2);
                self.say.terms.bool(value)
            }
            false => {
                let value = *self.random.pick(&self.bound);
                match self.random.one_in(3) {
                    true => self.say.terms.not(value),
                    false => value,
                }
            }
        }
    }

    /// What is said of a configuration alone.
    fn closed(&mut self) -> F {
        let atom = loop {
            match self.atom() {
                F::MayEnd => {
                    if self.random.one_in(4) {
                        let value = self.random.one_in(2);
                        break F::Bool(value);
                    }
                }
                other => break other,
            }
        };
        if self.random.one_in(2) { atom } else { F::Not(Box::new(atom)) }
    }

    fn plain_position(&mut self) -> P {
        match self.random.below(3) {
            0 => not(step(self.pattern(1))),
            1 => step(self.pattern(1)),
            _ => P::State(self.closed()),
        }
    }
}

fn step(pattern: StepPattern) -> P {
    P::Step(pattern)
}

fn not(path: P) -> P {
    P::Not(Box::new(path))
}
