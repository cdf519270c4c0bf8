//! Properties of the configurations of a net, and what actions fit, as terms that an interpreter evaluates.

use std::cell::RefCell;

use thiserror::Error;

use super::{BuildFailure, Checked, Wanted};
use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::IndexVec;
use crate::diagnostics::{Diagnostic, Span, Symbol};
use crate::elaborate::problems::{ElaborationProblem, NoSuchMember};
use crate::elaborate::{self, ElaborateOptions, LeafNames, Leaves, UnclearName};
use crate::explore::{Property, Read, Value};
use crate::pnet::{LeafId, Owed, OwedKind, PNet, Plts, PltsId, StateVariableId, path_inside};
use crate::sema::program::{CheckDef, Expr, ExprKind, Local, LocalId, Pattern, StateId};

/// Why it is not clear what a property says.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum UnclearProperty {
    /// A part of it means nothing.
    #[error("it is not known what `{0}` in the property means")]
    Text(String),
    /// A name that was bound by what a hole does is used where it is not known.
    #[error("what a hole does is known in its step alone: `{0}` cannot be used after it")]
    OfHole(String),
    /// A name does not mean one thing.
    #[error("the property does not mean one thing: {0}")]
    Name(UnclearName, Span),
}

/// What local names stand for, as terms.
type Bound = Vec<(LocalId, TermId)>;

/// What some of the local names stand for.
pub type Given<'g> = &'g [(LocalId, Value)];

impl Checked {
    /// A property of configurations, as it is written among local names, of which some stand for values.
    pub fn property(
        &self,
        asked: (&Expr, &[Local], Given<'_>),
        net: &PNet,
        options: &ElaborateOptions,
    ) -> Result<Property, UnclearProperty> {
        self.property_in(net.terms.clone(), asked, net, options)
    }

    /// The same, with terms of a table that has those of the net, and more.
    pub fn property_in(
        &self,
        mut terms: Terms,
        (expr, locals, given): (&Expr, &[Local], Given<'_>),
        net: &PNet,
        options: &ElaborateOptions,
    ) -> Result<Property, UnclearProperty> {
        if let Some(unclear) = error_in(expr) {
            return Err(UnclearProperty::Text(self.sources.text(unclear.span).to_owned()));
        }
        let (given, bound) = variables(&mut terms, net, (locals, given));
        let leaves = net.leaves();
        let paths = Paths::of(net, &leaves);
        let places = Places::of(&mut terms, net, &leaves, &paths);
        let (parts, says) = elaborate::property_given(
            &self.program,
            (expr, locals, &bound),
            (&net.algebra, &mut terms),
            &places,
            options,
        );
        match places.trouble.into_inner().into_iter().next() {
            Some((why, text)) => Err(UnclearProperty::Name(why, text)),
            None => {
                let families = places.families.into_inner();
                let family = |text: Span| {
                    let known = families.iter().find(|(known, ..)| *known == text);
                    known.map(|(_, name, indices)| (name.clone(), indices.clone()))
                };
                let of_family = |owed: &Owed| (owed.kind == OwedKind::Member).then_some(owed.text);
                let read = |owed: Owed| Read { family: of_family(&owed).and_then(family), owed };
                let reads: Vec<Read> = parts.into_iter().map(read).collect();
                let owed = terms.and(reads.iter().map(|read| read.owed.term));
                Ok(Property { terms, owed, reads, says, locations: places.locations, given })
            }
        }
    }

    /// What is wrong with the property of a check, or with its invariant, in the net that it is about: it speaks of what is
    /// not there.
    pub fn unclear_property(
        &self,
        check: &CheckDef,
        options: &ElaborateOptions,
    ) -> Result<Vec<Diagnostic>, BuildFailure> {
        let [instance] = check.nets.as_slice() else { return Ok(Vec::new()) };
        let net = self.net(Wanted::Instance(check, instance), options)?;
        let invariant = check.invariant.map(|id| &self.program.invariants[id.index()]);
        let conditions = invariant.into_iter().flat_map(|one| {
            one.conditions.iter().map(|condition| (&condition.holds, one.locals.as_slice()))
        });
        let own = check.property.iter().map(|expr| (expr, check.locals.as_slice()));
        let mut found = Vec::new();
        for (expr, locals) in own.chain(conditions) {
            let problem = match self.property((expr, locals, &[]), &net, options) {
                Ok(property) => never_there(&property),
                Err(UnclearProperty::Name(why, span)) => Some((span, why.to_string())),
                Err(UnclearProperty::Text(_) | UnclearProperty::OfHole(_)) => None,
            };
            let problem = problem.map(|(span, why)| NoSuchMember { span, why });
            found.extend(problem.map(|one| ElaborationProblem::from(one).diagnose()));
        }
        Ok(found)
    }

    /// Whether an action fits a pattern; what the pattern binds fits whatever it is, unless it stands for a value.
    pub fn fits(
        &self,
        (pattern, locals, given): (&Pattern, &[Local], Given<'_>),
        action: &Value,
        net: &PNet,
        options: &ElaborateOptions,
    ) -> Property {
        let mut terms = net.terms.clone();
        let (mut given, bound) = variables(&mut terms, net, (locals, given));
        let shown = terms.new_var(Symbol::new("shown"), Sort::Action, VariableKind::Bound);
        given.push((shown, action.clone()));
        let shown = terms.var_term(shown);
        let (owed, says) = elaborate::fits_given(
            &self.program,
            (pattern, locals, &bound),
            shown,
            (&net.algebra, &mut terms),
            options,
        );
        Property { terms, owed, reads: Vec::new(), says, locations: Vec::new(), given }
    }
}

/// A member that a property reads in every configuration, and that is not there.
fn never_there(property: &Property) -> Option<(Span, String)> {
    let never = |read: &&Read| property.terms.as_bool(read.owed.term) == Some(false);
    let read = property.reads.iter().find(never)?;
    let (family, indices) = read.family.as_ref()?;
    Some((read.owed.text, format!("this leads outside of `{family}`, whose indices are {indices}")))
}

/// A variable with a value for each local name that stands for one.
fn variables(
    terms: &mut Terms,
    net: &PNet,
    (locals, given): (&[Local], Given<'_>),
) -> (Vec<(VarId, Value)>, Bound) {
    let mut values = Vec::with_capacity(given.len());
    let mut bound = Vec::with_capacity(given.len());
    for (local, value) in given {
        let name = locals[local.index()].name;
        let var = terms.new_var(name, sort_of(net, value), VariableKind::Bound);
        bound.push((*local, terms.var_term(var)));
        values.push((var, value.clone()));
    }
    (values, bound)
}

/// A sort that a value has; what matters is only that it is none with invariants.
fn sort_of(_net: &PNet, value: &Value) -> Sort {
    match value {
        Value::Bool(_) => Sort::Bool,
        Value::Int(_) | Value::Array(_) => Sort::Int,
        Value::Abstract(id, _) => Sort::Abstract(*id),
        Value::Data(id, ..) => Sort::Data(*id),
        Value::Act(..) | Value::Tau | Value::Sync(_) | Value::Co(_) | Value::Other(_) => {
            Sort::Action
        }
    }
}

/// The paths of the leaves and variables of a net.
pub(super) struct Paths {
    leaves: Vec<String>,
    variables: Vec<(String, VarId)>,
}

impl Paths {
    pub fn of(net: &PNet, leaves: &IndexVec<LeafId, (String, PltsId)>) -> Paths {
        let mut variables = Vec::new();
        for (path, leaf) in leaves {
            for (var, _) in &net.plts[*leaf].variables {
                variables.push((path_inside(path, net.terms.var(*var).name.as_str()), *var));
            }
        }
        Paths { leaves: leaves.iter().map(|(path, _)| path.clone()).collect(), variables }
    }
}

/// What names in a property stand for: variables of leaves, and a number for the state that each leaf is in.
pub(super) struct Places<'p> {
    variables: LeafNames<'p, StateVariableId>,
    terms: IndexVec<StateVariableId, TermId>,
    leaves: LeafNames<'p, LeafId>,
    at: IndexVec<LeafId, TermId>,
    pub locations: Vec<(VarId, PltsId)>,
    /// The names of the states of each leaf.
    states: IndexVec<LeafId, Vec<Symbol>>,
    pub trouble: RefCell<Vec<(UnclearName, Span)>>,
    /// The indices of families, by the texts of those that are read.
    families: RefCell<Vec<(Span, String, String)>>,
}

impl<'p> Places<'p> {
    pub fn of(
        terms: &mut Terms,
        net: &PNet,
        leaves: &IndexVec<LeafId, (String, PltsId)>,
        paths: &'p Paths,
    ) -> Places<'p> {
        let name = Symbol::new("at");
        let names = |plts: &Plts| plts.states.iter().map(|state| state.name).collect();
        let locations: Vec<(VarId, PltsId)> = leaves
            .iter()
            .map(|(_, leaf)| (terms.new_var(name, Sort::Int, VariableKind::State), *leaf))
            .collect();
        Places {
            variables: LeafNames::new(paths.variables.iter().map(|(path, _)| path.as_str())),
            terms: paths.variables.iter().map(|(_, var)| net.terms.var_term(*var)).collect(),
            leaves: LeafNames::new(paths.leaves.iter().map(String::as_str)),
            at: locations.iter().map(|(var, _)| terms.var_term(*var)).collect(),
            locations,
            states: leaves.iter().map(|(_, leaf)| names(&net.plts[*leaf])).collect(),
            trouble: RefCell::default(),
            families: RefCell::default(),
        }
    }
}

impl Leaves for Places<'_> {
    fn variables(&self, _net: usize) -> &LeafNames<'_, StateVariableId> {
        &self.variables
    }

    fn variable(&self, _net: usize, id: StateVariableId) -> TermId {
        self.terms[id]
    }

    fn leaves(&self, _net: usize) -> &LeafNames<'_, LeafId> {
        &self.leaves
    }

    fn in_state(&self, _net: usize, leaf: LeafId, states: &[StateId], terms: &mut Terms) -> TermId {
        let is = |state: &StateId| {
            let number = terms.int(state.index());
            terms.raw(Term::Equal(self.at[leaf], number))
        };
        let any: Vec<TermId> = states.iter().map(is).collect();
        terms.or(any)
    }

    fn state_named(&self, _net: usize, leaf: LeafId, name: Symbol) -> Option<StateId> {
        let at = self.states.get(leaf)?.iter().position(|state| *state == name)?;
        Some(StateId(at as u32))
    }

    fn unclear(&self, why: UnclearName, text: Span) {
        self.trouble.borrow_mut().push((why, text));
    }

    fn indexed(&self, text: Span, family: &str, indices: &str) {
        let mut families = self.families.borrow_mut();
        if families.last().is_none_or(|(last, ..)| *last != text) {
            families.push((text, family.to_owned(), indices.to_owned()));
        }
    }
}

/// A part of an expression of which nobody could say what it means.
pub(super) fn error_in(expr: &Expr) -> Option<&Expr> {
    if matches!(expr.kind, ExprKind::Error) {
        return Some(expr);
    }
    let mut found = None;
    expr.each_inside(&mut |inside| found = found.or_else(|| error_in(inside)));
    found
}
