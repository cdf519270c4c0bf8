//! Properties of the configurations of a net, and what actions fit, as terms that an interpreter evaluates.

use std::cell::RefCell;

use thiserror::Error;

use super::Checked;
use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::IndexVec;
use crate::diagnostics::Symbol;
use crate::elaborate::{self, ElaborateOptions, LeafNames, Leaves, UnclearName};
use crate::explore::{Property, Value};
use crate::pnet::{LeafId, PNet, PltsId, StateVariableId, path_inside};
use crate::sema::program::{Expr, ExprKind, Local, LocalId, Pattern, StateId};

/// Why it is not clear what a property says.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum UnclearProperty {
    /// A part of it means nothing.
    #[error("it is not known what `{0}` in the property means")]
    Text(String),
    /// A name does not mean one thing.
    #[error("the property does not mean one thing: {0}")]
    Name(UnclearName),
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
        let (owed, says) = elaborate::property_given(
            &self.program,
            (expr, locals, &bound),
            (&net.algebra, &mut terms),
            &places,
            options,
        );
        match places.trouble.into_inner().into_iter().next() {
            Some(why) => Err(UnclearProperty::Name(why)),
            None => Ok(Property { terms, owed, says, locations: places.locations, given }),
        }
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
        Property { terms, owed, says, locations: Vec::new(), given }
    }
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
struct Paths {
    leaves: Vec<String>,
    variables: Vec<(String, VarId)>,
}

impl Paths {
    fn of(net: &PNet, leaves: &IndexVec<LeafId, (String, PltsId)>) -> Paths {
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
struct Places<'p> {
    variables: LeafNames<'p, StateVariableId>,
    terms: IndexVec<StateVariableId, TermId>,
    leaves: LeafNames<'p, LeafId>,
    at: IndexVec<LeafId, TermId>,
    locations: Vec<(VarId, PltsId)>,
    trouble: RefCell<Vec<UnclearName>>,
}

impl<'p> Places<'p> {
    fn of(
        terms: &mut Terms,
        net: &PNet,
        leaves: &IndexVec<LeafId, (String, PltsId)>,
        paths: &'p Paths,
    ) -> Places<'p> {
        let name = Symbol::new("at");
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
            trouble: RefCell::default(),
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

    fn unclear(&self, why: UnclearName) {
        self.trouble.borrow_mut().push(why);
    }
}

/// A part of an expression of which nobody could say what it means.
fn error_in(expr: &Expr) -> Option<&Expr> {
    if matches!(expr.kind, ExprKind::Error) {
        return Some(expr);
    }
    let mut found = None;
    expr.each_inside(&mut |inside| found = found.or_else(|| error_in(inside)));
    found
}
