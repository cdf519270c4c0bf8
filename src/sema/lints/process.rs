//! Unreachable states, variables and parameters that are never used, and transitions written twice.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::sema::Sema;
use crate::sema::problems::{
    NeverRead, Repeated, SemaProblem, UnreachableState, UnusedParameter, UnusedVariable,
};
use crate::sema::process::Facts;
use crate::sema::program::{ProcessDef, TransitionDef};

use super::net::{same_expr, same_guard};

/// Looks at every process of the modules that were asked for.
pub(in crate::sema) fn run(sema: &mut Sema<'_>) {
    for index in 0..sema.program.processes.len() {
        if is_spent() {
            return;
        }
        let process = &sema.program.processes[index];
        let module = process.named.module;
        // An instance is as it was written.
        if !sema.modules[module.index()].is_root || process.generic.is_some() {
            continue;
        }
        // Errors elsewhere in the process do not matter: what could not be understood is taken as used.
        let mut found: Vec<SemaProblem> = Vec::new();
        unreachable_states(process, &sema.scopes[module.index()].unparsed, &mut found);
        unused_locals(process, &sema.process_facts[index], &mut found);
        repeated_transitions(process, &mut found);
        let unparsed = &sema.scopes[module.index()].unparsed;
        let name_of = |problem: &SemaProblem| match problem {
            SemaProblem::UnreachableState(p) => Some(Symbol::new(&p.name)),
            SemaProblem::UnusedVariable(p) => Some(Symbol::new(&p.name)),
            SemaProblem::NeverRead(p) => Some(Symbol::new(&p.name)),
            SemaProblem::UnusedParameter(p) => Some(Symbol::new(&p.name)),
            _ => None,
        };
        found.retain(|problem| name_of(problem).is_none_or(|name| !unparsed.contains(&name)));
        sema.problems.extend(found);
    }
}

fn unreachable_states(
    process: &ProcessDef,
    unparsed: &FxHashSet<Symbol>,
    found: &mut Vec<SemaProblem>,
) {
    let Some(initial) = process.initial else { return };
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); process.states.len()];
    for transition in &process.transitions {
        targets[transition.source.index()].push(transition.target.index());
    }
    let mut reached = vec![false; process.states.len()];
    reached[initial.index()] = true;
    let mut work = vec![initial.index()];
    // A transition that could not be parsed may lead to any state that it names.
    for (index, state) in process.states.iter().enumerate() {
        if unparsed.contains(&state.name.name) && !reached[index] {
            reached[index] = true;
            work.push(index);
        }
    }
    while let Some(state) = work.pop() {
        for &target in &targets[state] {
            if !reached[target] {
                reached[target] = true;
                work.push(target);
            }
        }
    }
    for (state, _) in process.states.iter().zip(reached).filter(|(_, reached)| !reached) {
        let (name, process) = (state.name.name.to_string(), process.named.name.to_string());
        found.push(UnreachableState { span: state.name.span, name, process }.into());
    }
}

fn unused_locals(process: &ProcessDef, facts: &Facts, found: &mut Vec<SemaProblem>) {
    for (local, &reads) in process.locals.iter().zip(&facts.reads).take(process.parameters) {
        if reads == 0 && !local.name.as_str().starts_with('_') {
            found.push(UnusedParameter { span: local.span, name: local.name.to_string() }.into());
        }
    }
    for variable in &process.variables {
        let local = process.locals[variable.local.index()];
        let reads = facts.reads.get(variable.local.index()).copied().unwrap_or(1);
        if reads > 0 || local.name.as_str().starts_with('_') {
            continue;
        }
        let name = local.name.to_string();
        found.push(match facts.writes.get(&variable.local) {
            Some(&span) => NeverRead { span, name, variable: local.span }.into(),
            None => UnusedVariable { span: local.span, name }.into(),
        });
    }
}

fn repeated_transitions(process: &ProcessDef, found: &mut Vec<SemaProblem>) {
    let mut seen: FxHashMap<(u32, u32), Vec<&TransitionDef>> = FxHashMap::default();
    for transition in &process.transitions {
        let earlier = seen.entry((transition.source.0, transition.target.0)).or_default();
        // Many transitions between two states are compared with the latest ones only.
        let recent = earlier.iter().rev().take(32);
        if let Some(first) = recent.into_iter().find(|other| same(process, other, transition)) {
            let (span, first): (Span, Span) = (transition.span, first.span);
            found.push(Repeated { span, what: "transition".to_owned(), first }.into());
        }
        earlier.push(transition);
    }
}

fn same(process: &ProcessDef, a: &TransitionDef, b: &TransitionDef) -> bool {
    let locals = &process.locals;
    same_expr(locals, &a.action, &b.action)
        && same_guard(locals, a.guard.as_ref(), b.guard.as_ref())
        && same_guard(locals, a.assert.as_ref(), b.assert.as_ref())
        && a.updates.len() == b.updates.len()
        && a.in_sequence == b.in_sequence
        && a.updates.iter().zip(&b.updates).all(|(x, y)| {
            same_expr(locals, &x.place, &y.place) && same_expr(locals, &x.value, &y.value)
        })
}
