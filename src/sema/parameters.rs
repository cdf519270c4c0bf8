//! The parameters of the net that a property, a scenario or `live` is about, with the values of the instance.
//!
//! Of a net that is another name for an instance, these are its own parameters and then those of what it names, with the
//! values that it gives them.

use super::body::Body;
use super::infer::base;
use super::program::{
    Argument, Component, Expr, ExprKind, Instance, Local, NetBody, Program, Sort,
};
use super::walk::each_child;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::Ident;

/// More names for names than this are not followed.
const MOST_LEVELS: usize = 100;
/// Values that grow beyond this are not followed either: each level can double them.
const MOST_PARTS: usize = 10_000;

/// A parameter, and what it stands for.
#[derive(Clone, Debug)]
pub(super) struct SeenParameter {
    pub name: Symbol,
    pub declared: Span,
    pub value: Expr,
}

impl Body<'_, '_> {
    /// Lets the parameters of an instance be seen from here on.
    pub fn see_parameters(&mut self, instance: &Instance) {
        self.parameters = parameters(&self.sema.program, instance);
    }

    /// What a parameter of the net that is asked about stands for.
    pub fn seen_parameter(&mut self, name: Symbol, span: Span) -> Option<Expr> {
        let parameter = self.parameters.iter().find(|one| one.name == name)?;
        let kind = super::NameKind::Local(super::program::LocalKind::Parameter);
        self.sema.occurs(Ident { name, span }, parameter.declared, kind);
        Some(Expr { span, ..parameter.value.clone() })
    }
}

fn parameters(program: &Program, instance: &Instance) -> Vec<SeenParameter> {
    let mut seen: Vec<SeenParameter> = Vec::new();
    let mut of = instance;
    let mut values: Vec<Option<Expr>> =
        instance.values.iter().map(|argument| value_of(argument).cloned()).collect();
    for _ in 0..MOST_LEVELS {
        let Some((names, alias)) = declared(program, of) else { break };
        for (local, value) in names.iter().zip(&values) {
            if let Some(value) = value
                && seen.iter().all(|one| one.name != local.name)
            {
                let value = Expr { sort: base(value.sort), ..value.clone() };
                seen.push(SeenParameter { name: local.name, declared: local.span, value });
            }
        }
        let Some(alias) = alias else { break };
        let given = |argument| value_of(argument).and_then(|it| with_values(program, it, &values));
        values = alias.values.iter().map(given).collect();
        of = alias;
    }
    seen
}

/// The parameters of what an instance is made of, and the instance that this is another name for.
fn declared<'p>(
    program: &'p Program,
    instance: &Instance,
) -> Option<(&'p [Local], Option<&'p Instance>)> {
    match instance.component {
        Component::Process(id) => {
            let process = program.processes.get(id.index())?;
            Some((process.locals.get(..process.parameters)?, None))
        }
        Component::Net(id) => {
            let net = program.nets.get(id.index())?;
            let alias = match &net.body {
                NetBody::Alias(alias) => Some(alias),
                NetBody::Block(_) | NetBody::Error => None,
            };
            Some((net.locals.get(..net.parameters)?, alias))
        }
        Component::Hole(..) | Component::Architecture(_) | Component::Error => None,
    }
}

fn value_of(argument: &Argument) -> Option<&Expr> {
    match argument {
        Argument::Value(value) => Some(value),
        Argument::Set(_) => None,
    }
}

/// The values that an instance gives to parameters, as far as they are known: those of a net around it are put in.
pub(super) fn given_values(
    program: &Program,
    instance: &Instance,
    around: Option<&[Option<Expr>]>,
) -> Vec<Option<Expr>> {
    let given = |argument| {
        let value = value_of(argument)?;
        around.map_or_else(|| Some(value.clone()), |values| with_values(program, value, values))
    };
    instance.values.iter().map(given).collect()
}

/// An argument inside a net, with the values of the net's parameters. What binds names of its own is not followed: they
/// are names of the net.
pub(super) fn with_values(
    program: &Program,
    argument: &Expr,
    values: &[Option<Expr>],
) -> Option<Expr> {
    let mut made = argument.clone();
    let mut left = MOST_PARTS;
    put_values(program, &mut made, values, &mut left).then_some(made)
}

fn put_values(
    program: &Program,
    expr: &mut Expr,
    values: &[Option<Expr>],
    left: &mut usize,
) -> bool {
    if let ExprKind::Local(id) = expr.kind {
        let Some(Some(value)) = values.get(id.index()) else { return false };
        let mut parts = 0;
        value.each(&mut |_| parts += 1);
        *expr = Expr { sort: base(value.sort), ..value.clone() };
        return spend(left, parts);
    }
    let binds = matches!(
        expr.kind,
        ExprKind::Quantified(..)
            | ExprKind::Match(_)
            | ExprKind::Is(..)
            | ExprKind::In(..)
            | ExprKind::Input(_)
            | ExprKind::Wildcard
            | ExprKind::Error
    );
    if binds || !is_closed(program, expr.sort) || !spend(left, 1) {
        return false;
    }
    let mut good = true;
    each_child(expr, &mut |inner| good &= good && put_values(program, inner, values, left));
    expr.sort = base(expr.sort);
    good
}

fn spend(left: &mut usize, parts: usize) -> bool {
    let enough = *left >= parts;
    *left = left.saturating_sub(parts);
    enough
}

/// Whether the places of an array's sort need no parameter to be known.
fn is_closed(program: &Program, sort: Sort) -> bool {
    let Sort::Array(id) = sort else { return true };
    let (key, value) = program.arrays[id.index()];
    let known = match key {
        Sort::Range(range) => program.ranges[range.index()].known.is_some(),
        other => is_closed(program, other),
    };
    known && is_closed(program, value)
}
