//! Terms, sorts and labels as people read them in a picture: infix operators, as few parentheses as needed.
//!
//! What is written here is for reading, and is cut short when it grows beyond all measure; it need not parse.

mod writer;

use super::Scope;
use super::names::quoted;
use crate::algebra::{ActionId, Sort, Term, TermId, VarId};
use crate::pnet::{Composite, HoleSort, Member, Members, PNet, Rival, Transition, Vector, name_of};
use writer::{marked, written};

/// A term as people read it: `t < max`, `delta(x)`, `a is not delta(_)`.
pub fn term<'a>(scope: impl Into<Scope<'a>>, id: TermId) -> String {
    marked(scope.into(), id, &[])
}

/// A sort as people read it.
pub fn sort<'a>(scope: impl Into<Scope<'a>>, of: &Sort) -> String {
    written(scope.into(), of)
}

/// The label of a transition, in its three parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionLabel {
    /// What it shows, with `?` before its inputs.
    pub action: String,
    /// When it can happen, unless that is always.
    pub guard: Option<String>,
    /// What it changes, if it does.
    pub updates: Option<String>,
}

/// The label of a transition.
pub fn transition(net: &PNet, of: &Transition) -> TransitionLabel {
    let updates: Vec<String> =
        of.updates.iter().map(|(v, value)| assignment(net, *v, *value)).collect();
    TransitionLabel {
        action: marked(net.into(), of.action, &of.inputs),
        guard: condition(net, of.guard),
        updates: (!updates.is_empty()).then(|| updates.join(", ")),
    }
}

/// What a member of a vector does: a variable for the whole action has a `?`.
pub fn member(net: &PNet, action: TermId) -> String {
    match net.terms.get(action) {
        Term::Var(variable) => marked(net.into(), action, &[*variable]),
        _ => term(net, action),
    }
}

/// A condition, unless it always holds.
pub fn condition<'a>(scope: impl Into<Scope<'a>>, guard: TermId) -> Option<String> {
    let scope = scope.into();
    (scope.terms.as_bool(guard) != Some(true)).then(|| term(scope, guard))
}

/// A vector on one line.
pub fn vector(net: &PNet, node: &Composite, of: &Vector) -> String {
    let mut members = members(net, node, &of.members);
    for one in of.all_optional().flat_map(|one| &one.members) {
        members.push(format!("{}?", one_of(net, node, one)));
    }
    let mut text = format!("<{}> -> {}", members.join(", "), term(net, of.result));
    if let Some(guard) = condition(net, of.guard) {
        text.push_str(" when ");
        text.push_str(&guard);
    }
    for one in &of.rivals {
        text.push_str(" unless ");
        text.push_str(&rival(net, node, one));
    }
    text
}

/// What goes before a vector.
pub fn rival(net: &PNet, node: &Composite, of: &Rival) -> String {
    let mut text = format!("<{}>", members(net, node, &of.members).join(", "));
    if let Some(guard) = condition(net, of.guard) {
        text.push_str(" when ");
        text.push_str(&guard);
    }
    text
}

/// What goes before a vector, by its ports alone.
pub fn ports(net: &PNet, node: &Composite, of: &Rival) -> String {
    let port = |one: &Member| {
        let name = node.parts.get(one.part).map(|part| part.name.to_string()).unwrap_or_default();
        match name_of(&net.terms, one.action) {
            Some(action) => format!("{name}.{}", quoted(net.algebra.action(action).name.as_str())),
            None => format!("{name}: {}", member(net, one.action)),
        }
    };
    of.members.iter().map(port).collect::<Vec<_>>().join(" ")
}

fn members(net: &PNet, node: &Composite, members: &Members) -> Vec<String> {
    members.iter().map(|one| one_of(net, node, one)).collect()
}

fn one_of(net: &PNet, node: &Composite, one: &Member) -> String {
    let name = node.parts.get(one.part).map(|part| part.name.to_string()).unwrap_or_default();
    format!("{name}: {}", member(net, one.action))
}

/// A variable of a process with its sort and initial value.
pub fn declaration(net: &PNet, variable: VarId, value: Option<TermId>) -> String {
    let it = net.terms.var(variable);
    let text = format!("{}: {}", it.name, sort(net, &it.sort));
    match value {
        Some(value) => format!("{text} = {}", term(net, value)),
        None => text,
    }
}

/// What may fill a hole, an action at a time.
pub fn hole_sort<'a>(scope: impl Into<Scope<'a>>, of: &HoleSort) -> Vec<String> {
    let scope = scope.into();
    match of {
        HoleSort::Any => vec!["any".to_owned()],
        HoleSort::Actions(actions) if actions.is_empty() => vec!["silent".to_owned()],
        HoleSort::Actions(actions) => {
            actions.iter().map(|&action| signature(scope, action)).collect()
        }
    }
}

fn signature(scope: Scope<'_>, action: ActionId) -> String {
    let it = scope.algebra.action(action);
    let name = quoted(it.name.as_str());
    if it.sorts.is_empty() {
        return name.into_owned();
    }
    let sorts: Vec<String> = it.sorts.iter().map(|one| sort(scope, one)).collect();
    format!("{name}({})", sorts.join(", "))
}

fn assignment(net: &PNet, variable: VarId, value: TermId) -> String {
    format!("{} := {}", net.terms.var(variable).name, term(net, value))
}
