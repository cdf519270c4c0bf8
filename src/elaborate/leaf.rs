//! Leaves: a process with values for its parameters becomes a pLTS.

use super::build::Builder;
use super::lower::{Scope, Value};
use crate::pnet::{Content, OriginId, Plts, PltsId, State, Transition, VariableKind};
use crate::sema::program::ProcessId;

impl<'p> Builder<'p> {
    /// A leaf: a process with values for its parameters.
    pub(super) fn leaf(
        &mut self,
        id: ProcessId,
        mut scope: Scope<'p>,
        instance: Option<u32>,
    ) -> Content {
        let program = self.program;
        let process = &program.processes[id.index()];
        let variables: Vec<_> = process
            .variables
            .iter()
            .map(|variable| self.local_var(variable.local, &mut scope, VariableKind::State))
            .collect();
        let initials = process
            .variables
            .iter()
            .map(|variable| variable.initial.as_ref().map(|initial| self.term(initial, &scope)));
        let initials: Vec<_> = initials.collect();
        let transitions = process.transitions.iter();
        let transitions = transitions
            .map(|transition| self.transition(transition, &mut scope, instance))
            .collect();
        let origin = self.origins.add(process.named.span, instance);
        let state = |state: &crate::sema::program::StateDef| State {
            name: state.name.name,
            is_final: state.is_final,
            text: state.name.span,
        };
        self.plts.push(Plts {
            name: process.named.name,
            states: process.states.iter().map(state).collect(),
            initial: process.initial.map_or(0, crate::sema::program::StateId::index),
            variables: variables.into_iter().zip(initials).collect(),
            variable_texts: process
                .variables
                .iter()
                .map(|variable| process.locals[variable.local.index()].span)
                .collect(),
            transitions,
            origin,
        });
        Content::Leaf(PltsId(self.plts.len() as u32 - 1))
    }

    fn transition(
        &mut self,
        transition: &'p crate::sema::program::TransitionDef,
        scope: &mut Scope<'p>,
        instance: Option<u32>,
    ) -> Transition {
        let mut inputs = Vec::new();
        let mut expr = &transition.action;
        while let crate::sema::program::ExprKind::Sync(inner)
        | crate::sema::program::ExprKind::Co(inner) = &expr.kind
        {
            expr = inner;
        }
        if let crate::sema::program::ExprKind::Act(_, args) = &expr.kind {
            for arg in args {
                if let crate::sema::program::ExprKind::Input(id) = arg.kind {
                    // Each transition has inputs of its own: they can stay in the scope.
                    inputs.push(self.local_var(id, scope, VariableKind::Input));
                }
            }
        }
        let action = self.term(&transition.action, scope);
        let (guard, conditions) = self.guard(transition.guard.as_ref(), scope);
        let updates = transition.updates.iter().filter_map(|(local, value)| {
            let Some(Value::Term(target)) = scope.values.get(local) else { return None };
            let crate::pnet::Term::Var(target) = *self.terms.get(*target) else { return None };
            Some((target, self.term(value, scope)))
        });
        let updates = updates.collect();
        let origin: OriginId = self.origins.add(transition.span, instance);
        let (source, target) = (transition.source.index(), transition.target.index());
        Transition {
            source,
            target,
            action,
            inputs,
            guard,
            conditions,
            updates,
            action_text: transition.action.span,
            origin,
        }
    }
}
