//! Formulas about a net, made by hand from its names.

use pnetc::algebra::{Sort, TermId, Terms, VarId, VariableKind};
use pnetc::diagnostics::{Span, Symbol};
use pnetc::pnet::{HoleId, PNet, PltsId};
use pnetc::temporal::{
    FairPattern, Fairness, Formula, PathFormula as P, Runs, StateFormula as F, StatePredicate,
    StepPattern,
};

/// What formulas about a net are made of.
pub struct Sayings<'n> {
    pub net: &'n PNet,
    pub terms: Terms,
    pub shown: VarId,
    pub locations: Vec<(VarId, PltsId)>,
    pub fair: Vec<FairPattern>,
}

impl<'n> Sayings<'n> {
    pub fn of(net: &'n PNet) -> Sayings<'n> {
        let mut terms = net.terms.clone();
        let shown = terms.new_var(Symbol::new("shown"), Sort::Action, VariableKind::Bound);
        let at = |(_, leaf): &(String, PltsId)| {
            (terms.new_var(Symbol::new("at"), Sort::Int, VariableKind::State), *leaf)
        };
        let locations = net.leaves().iter().map(at).collect();
        Sayings { net, terms, shown, locations, fair: Vec::new() }
    }

    pub fn formula(&self, says: F) -> Formula {
        Formula {
            terms: self.terms.clone(),
            shown: self.shown,
            locations: self.locations.clone(),
            says,
            fair: self.fair.clone(),
        }
    }

    /// Runs count that are fair to these steps.
    pub fn fairly(&mut self, step: StepPattern, kind: Fairness) {
        self.fair.push(FairPattern { step, kind, text: Span::default() });
    }

    /// That what is shown is an action, whatever its arguments.
    fn is_action(&mut self, name: &str) -> TermId {
        let actions = &self.net.algebra.actions;
        let place = actions.iter().position(|action| action.name.as_str() == name).unwrap();
        let shown = self.terms.var_term(self.shown);
        self.terms.is_act(pnetc::algebra::ActionId(place as u32), shown)
    }

    /// Steps that show an action, whatever its arguments.
    pub fn act(&mut self, name: &str) -> StepPattern {
        StepPattern::Shows(self.is_action(name))
    }

    /// The same, of the last action with this name: other modules may have one that is called so.
    pub fn last_act(&mut self, name: &str) -> StepPattern {
        let actions = &self.net.algebra.actions;
        let place = actions.iter().rposition(|action| action.name.as_str() == name).unwrap();
        let shown = self.terms.var_term(self.shown);
        StepPattern::Shows(self.terms.is_act(pnetc::algebra::ActionId(place as u32), shown))
    }

    /// Steps that show an action with this argument, among others.
    pub fn act_with(
        &mut self,
        name: &str,
        place: u32,
        value: impl Fn(&mut Terms) -> TermId,
    ) -> StepPattern {
        let is = self.is_action(name);
        let argument = self.argument(name, place);
        let value = value(&mut self.terms);
        let fits = self.terms.equal(argument, value);
        StepPattern::Shows(self.terms.and([is, fits]))
    }

    /// An argument of what is shown.
    pub fn argument(&mut self, name: &str, place: u32) -> TermId {
        let actions = &self.net.algebra.actions;
        let action = actions.iter().position(|action| action.name.as_str() == name).unwrap();
        let shown = self.terms.var_term(self.shown);
        self.terms.argument(pnetc::algebra::ActionId(action as u32), place, shown)
    }

    /// Steps in which a hole does an action.
    pub fn hole(&mut self, path: &str, name: &str) -> StepPattern {
        let hole = self.net.holes.find(|hole| hole.path == path).unwrap_or(HoleId(0));
        StepPattern::Hole(hole, self.is_action(name))
    }

    /// A predicate that a term is.
    pub fn holds(&mut self, says: TermId) -> F {
        let owed = self.terms.bool(true);
        F::Holds(StatePredicate { owed, says })
    }

    /// That a leaf is in a state.
    pub fn at(&mut self, path: &str, state: &str) -> F {
        let leaves = self.net.leaves();
        let (_, leaf) = leaves.iter().find(|(known, _)| known == path).unwrap();
        let states = &self.net.plts[*leaf].states;
        let place = states.iter().position(|known| known.name.as_str() == state).unwrap();
        let (var, _) = self.locations.iter().find(|(_, known)| known == leaf).unwrap();
        let (var, number) = (self.terms.var_term(*var), self.terms.int(place));
        let says = self.terms.equal(var, number);
        self.holds(says)
    }

    /// A variable of a leaf.
    pub fn var(&mut self, path: &str) -> TermId {
        let (leaf, name) = path.rsplit_once('.').unwrap_or(("", path));
        let leaves = self.net.leaves();
        let (_, plts) = leaves.iter().find(|(known, _)| known == leaf).unwrap();
        let mut variables = self.net.plts[*plts].variables.iter();
        let found = variables.find(|(var, _)| self.net.terms.var(*var).name.as_str() == name);
        self.terms.var_term(found.unwrap().0)
    }

    /// A symbolic constant.
    pub fn constant(&mut self, name: &str) -> TermId {
        let constants = &self.net.algebra.constants;
        let place = constants.iter().position(|known| known.name.as_str() == name).unwrap();
        self.terms.raw(pnetc::algebra::Term::Const(pnetc::algebra::ConstId(place as u32)))
    }
}

pub fn all(path: P) -> F {
    F::Path(Runs::All, Box::new(path))
}

pub fn some(path: P) -> F {
    F::Path(Runs::Some, Box::new(path))
}

pub fn always(says: F) -> F {
    all(P::Globally(Box::new(P::State(says))))
}

pub fn until(left: P, right: P) -> P {
    P::Until(Box::new(left), Box::new(right))
}

pub fn weak_until(left: P, right: P) -> P {
    P::WeakUntil(Box::new(left), Box::new(right))
}

pub fn eventually(right: P) -> P {
    P::Finally(Box::new(right))
}

pub fn implies(one: F, other: F) -> F {
    F::Implies(Box::new(one), Box::new(other))
}
