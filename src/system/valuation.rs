//! The valuation while a play or a run is made: values, as far as they could be written down, and what is known of
//! the rest. Values come from the solver, and each move is put to it again with them.

use rustc_hash::FxHashMap;

use super::{Prover, Step};
use crate::algebra::{Term, TermId, Terms, VarId, VariableKind, conjunction};
use crate::base::budget::is_spent;
use crate::outcome::STOPPED;
use crate::smt::{Answer, Value};

/// Values, and conditions on what has none.
#[derive(Clone, Debug, Default)]
pub struct Valuation {
    pub(crate) values: FxHashMap<VarId, TermId>,
    pub(crate) facts: Vec<TermId>,
    /// The variables of the state: those that have no value yet get one with the others.
    pub(crate) variables: Vec<VarId>,
}

impl Valuation {
    /// Forgets the variables of steps that were made: the same steps may be made again, with other values. What has
    /// no value that could be written down goes on under another name, which is returned.
    pub(crate) fn forget<'v>(
        &mut self,
        terms: &mut Terms,
        locals: impl Iterator<Item = &'v VarId>,
    ) -> FxHashMap<VarId, TermId> {
        let unwritten: Vec<VarId> =
            locals.copied().filter(|local| self.values.remove(local).is_none()).collect();
        let (renamed, _) = terms.fresh(unwritten, VariableKind::Vector);
        for term in self.values.values_mut().chain(&mut self.facts) {
            *term = terms.substitute(*term, &renamed);
        }
        renamed
    }
}

impl Prover<'_> {
    /// Keeps conditions in mind, as far as the values do not settle them.
    pub(crate) fn remember(&mut self, position: &mut Valuation, conditions: &[TermId]) {
        for &condition in conditions {
            let fact = self.now(condition, position);
            if self.terms.as_bool(fact).is_none() {
                position.facts.push(fact);
            }
        }
    }

    /// Takes values for variables, and keeps in mind that they are values of their sorts: of symbolic bounds this asks
    /// something.
    pub(crate) fn take(&mut self, position: &mut Valuation, values: FxHashMap<VarId, TermId>) {
        let mut taken: Vec<(VarId, TermId)> = values.into_iter().collect();
        taken.sort_unstable();
        for (var, value) in taken {
            position.values.insert(var, value);
            let sort = self.terms.var(var).sort.clone();
            if let Some(fits) = self.algebra.assumed_of(&mut self.terms, &sort, value)
                && self.speaks_of_unknowns(fits)
            {
                self.remember(position, &[fits]);
            }
        }
    }

    /// Whether there are symbolic constants. Conditions may depend on them by the sorts of variables alone.
    pub(crate) fn has_symbolic_constants(&self) -> bool {
        self.algebra.constants.iter().any(|constant| constant.value.is_none())
    }

    /// What a term comes to in a position.
    fn now(&mut self, term: TermId, position: &Valuation) -> TermId {
        let term = self.terms.substitute(term, &position.values);
        self.evaluated(term)
    }

    /// Whether a condition can hold in a position.
    pub(crate) fn asked(&mut self, condition: TermId, position: &Valuation) -> Answer {
        let now = self.now(condition, position);
        let mut question = position.facts.clone();
        question.push(now);
        self.check(&question)
    }

    /// Whether a term depends on symbolic constants or uninterpreted functions, by its functions as well.
    fn speaks_of_unknowns(&self, root: TermId) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.terms.get(id) {
                Term::Const(_) => return true,
                Term::Apply(fun, _) => match self.algebra.functions[fun.index()].body {
                    Some(body) => work.push(body),
                    None => return true,
                },
                _ => {}
            }
            self.terms.get(id).each_inside(|inner| work.push(inner));
        }
        false
    }

    /// What is known in a position of symbolic constants and uninterpreted functions alone.
    pub(crate) fn needed_of_constants(&mut self, position: &Valuation) -> Vec<TermId> {
        let Some(parts) = conjunction(&mut self.terms, position.facts.clone()) else {
            return Vec::new();
        };
        let about_constants =
            |&part: &TermId| self.terms.free_vars(part).is_empty() && self.speaks_of_unknowns(part);
        parts.into_iter().filter(about_constants).collect()
    }

    /// Values for variables under which conditions hold in a position. Those that cannot be written down stay as
    /// they are.
    pub(crate) fn values_for(
        &mut self,
        position: &Valuation,
        conditions: &[TermId],
        vars: &[VarId],
    ) -> Option<FxHashMap<VarId, TermId>> {
        let mut question = position.facts.clone();
        for &condition in conditions {
            question.push(self.now(condition, position));
        }
        // Variables without an initial value are chosen here as well.
        let mut open: Vec<VarId> = vars.to_vec();
        let any = position.variables.iter().copied();
        open.extend(any.filter(|var| !position.values.contains_key(var)));
        self.model(&question, &open).ok()
    }

    /// A step with values for some of its variables.
    pub(crate) fn with_values(&mut self, step: &Step, values: &FxHashMap<VarId, TermId>) -> Step {
        step.mapped(|term| {
            let term = self.terms.substitute(term, values);
            self.evaluated(term)
        })
    }

    /// Values under which conditions hold, of those variables whose values can be written down.
    pub(crate) fn model(
        &mut self,
        conditions: &[TermId],
        vars: &[VarId],
    ) -> Result<FxHashMap<VarId, TermId>, Answer> {
        if is_spent() {
            return Err(Answer::Unknown(STOPPED.to_owned()));
        }
        let model = self.oracle.model(&mut self.terms, conditions, vars)?;
        let mut values = FxHashMap::default();
        for (var, value) in model {
            if let Some(term) = value_term(&mut self.terms, &value) {
                values.insert(var, term);
            }
        }
        Ok(values)
    }
}

/// A value as a term; nothing for those that have no name.
fn value_term(terms: &mut Terms, value: &Value) -> Option<TermId> {
    Some(match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Int(value) => terms.int(value.clone()),
        Value::Construct(data, index, args) => {
            let args = args.iter().map(|arg| value_term(terms, arg)).collect::<Option<_>>()?;
            terms.raw(Term::Construct(*data, *index, args))
        }
        Value::Act(action, args) => {
            let args = args.iter().map(|arg| value_term(terms, arg)).collect::<Option<_>>()?;
            terms.raw(Term::Act(*action, args))
        }
        Value::Tau => terms.raw(Term::Tau),
        Value::Sync(inner) => {
            let inner = value_term(terms, inner)?;
            terms.raw(Term::Sync(inner))
        }
        Value::Co(inner) => {
            let inner = value_term(terms, inner)?;
            terms.raw(Term::Co(inner))
        }
        Value::Abstract(_) | Value::Other(_) | Value::Array(..) | Value::Opaque(_) => return None,
    })
}
