//! Who moves in a step of a run, and what changes for whom.

use crate::outcome::{ByPart, Changed, Equation, TraceStep};

/// A component that moves in a step.
#[derive(Clone, Debug)]
pub(in crate::emit) struct Move<'t> {
    /// Its path.
    pub path: &'t str,
    /// Where it was.
    pub from: &'t str,
    /// Where it is then.
    pub to: &'t str,
    /// What changes of its variables.
    pub changes: Vec<(&'t str, &'t Changed)>,
    /// The first of its transitions.
    pub by: Option<&'t ByPart>,
}

/// The path of the component that a variable belongs to, and its name there.
pub(in crate::emit) fn owner(variable: &str) -> (&str, &str) {
    variable.rsplit_once('.').unwrap_or(("", variable))
}

/// Who moves in a step, in the order in which they take part.
pub(in crate::emit) fn moves(step: &TraceStep) -> Vec<Move<'_>> {
    let mut all: Vec<Move<'_>> = Vec::new();
    for part in step.by.iter().flat_map(|by| &by.parts) {
        match all.iter_mut().find(|known| known.path == part.part) {
            Some(known) => known.to = &part.to,
            None => all.push(Move {
                path: &part.part,
                from: &part.from,
                to: &part.to,
                changes: Vec::new(),
                by: Some(part),
            }),
        }
    }
    for change in &step.changes {
        let (path, name) = owner(&change.variable);
        match all.iter_mut().find(|known| known.path == path) {
            Some(known) => known.changes.push((name, change)),
            None => {
                all.push(Move { path, from: "", to: "", changes: vec![(name, change)], by: None })
            }
        }
    }
    all
}

/// What is new for a component, piece by piece: its state if it is another one, and the variables that changed.
pub(in crate::emit) fn news(made: &Move<'_>) -> Vec<String> {
    let state = (made.from != made.to).then(|| made.to.to_owned());
    let changes = made.changes.iter().map(|(name, change)| format!("{name}={}", change.after.text));
    state.into_iter().chain(changes).collect()
}

/// What a component begins with.
pub(in crate::emit) fn begun(state: &str, variables: &[Equation]) -> Vec<String> {
    let variables = variables.iter().map(|one| format!("{}={}", one.what, one.value.text));
    std::iter::once(state.to_owned()).chain(variables).collect()
}

/// What a step shows, as people read it.
pub(in crate::emit) fn shown(step: &TraceStep) -> &str {
    step.action.as_ref().map_or("tau", |action| &action.text)
}
