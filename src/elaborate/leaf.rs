//! Leaves: a process with values for its parameters becomes a pLTS.

use super::build::Builder;
use super::lower::Scope;
use crate::algebra::{TermId, VarId, VariableKind};
use crate::base::{Id, IndexVec};
use crate::pnet::{
    Content, InstanceId, OriginId, Plts, PltsStateId, PltsTransitionId, State, Transition,
};
use crate::sema::program::{Expr, ExprKind, LocalId, ProcessId, StateDef, TransitionDef};

impl<'p> Builder<'p> {
    /// A leaf: a process with values for its parameters.
    pub(super) fn leaf(
        &mut self,
        id: ProcessId,
        mut scope: Scope<'p>,
        instance: Option<InstanceId>,
    ) -> Content {
        let program = self.program;
        let process = &program.processes[id.index()];
        let variables: Vec<_> = process
            .variables
            .iter()
            .map(|variable| {
                let kind = match process.failed == Some(variable.local) {
                    true => VariableKind::Failure,
                    false => VariableKind::State,
                };
                self.lowering().local_var(variable.local, &mut scope, kind)
            })
            .collect();
        let sorts =
            process.variables.iter().map(|variable| process.locals[variable.local.index()].sort);
        sorts.for_each(|sort| self.lowering().inhabited(sort, &scope, instance));
        let mut initials = Vec::with_capacity(variables.len());
        // What was declared before stands for its own initial value.
        let mut first = scope.clone();
        for (variable, &var) in process.variables.iter().zip(&variables) {
            let initial = variable.initial.as_ref();
            let initial = initial.map(|initial| self.initial(initial, var, &first, instance));
            initial.into_iter().for_each(|initial| first.set(variable.local, initial));
            initials.push(initial);
        }
        let transitions = process.transitions.iter();
        let mut transitions: IndexVec<PltsTransitionId, Transition> = transitions
            .map(|transition| self.transition((transition, process.failed), &mut scope, instance))
            .collect();
        self.give_way(process, &mut transitions, &scope);
        let origin = self.origins.add(process.named.span, instance);
        let state = |state: &StateDef| State {
            name: state.name.name,
            is_final: state.is_final,
            text: state.name.span,
        };
        Content::Leaf(
            self.draft.plts.push(Plts {
                name: process.named.name,
                states: process.states.iter().map(state).collect(),
                initial: process.initial.map_or(PltsStateId(0), same_state),
                variables: variables.into_iter().zip(initials).collect(),
                variable_texts: process
                    .variables
                    .iter()
                    .map(|variable| process.locals[variable.local.index()].span)
                    .collect(),
                transitions,
                origin,
            }),
        )
    }

    /// An initial value: there is no step to block, so it must be one of the variable's sort.
    fn initial(
        &mut self,
        initial: &Expr,
        var: VarId,
        scope: &Scope<'p>,
        instance: Option<InstanceId>,
    ) -> TermId {
        let sort = self.terms.var(var).sort.clone();
        self.lowering().required(initial, &sort, (scope, instance))
    }

    fn transition(
        &mut self,
        (transition, failed): (&'p TransitionDef, Option<LocalId>),
        scope: &mut Scope<'p>,
        instance: Option<InstanceId>,
    ) -> Transition {
        let mut inputs = Vec::new();
        let mut expr = &transition.action;
        while let ExprKind::Sync(inner) | ExprKind::Co(inner) = &expr.kind {
            expr = inner;
        }
        if let ExprKind::Act(_, args) = &expr.kind {
            for arg in args {
                if let ExprKind::Input(id) = arg.kind {
                    // Each transition has inputs of its own: they can stay in the scope.
                    inputs.push(self.lowering().local_var(id, scope, VariableKind::Input));
                }
            }
        }
        let mut lowering = self.lowering();
        let action = lowering.term(&transition.action, scope);
        let (guard, conditions) = lowering.guard(transition.guard.as_ref(), scope);
        let mut updates = lowering.updates(transition, scope);
        if let (Some(assert), Some(failed)) = (&transition.assert, failed) {
            updates.extend(lowering.noted(assert, failed, scope));
        }
        let owed = lowering.owed;
        let owes = self.lowering().still_owed(owed, &conditions);
        let origin: OriginId = self.origins.add(transition.span, instance);
        let (source, target) = (same_state(transition.source), same_state(transition.target));
        Transition {
            source,
            target,
            action,
            inputs,
            guard,
            conditions: conditions.into(),
            updates,
            owes: owes.into(),
            action_text: transition.action.span,
            origin,
        }
    }
}

/// A state of a process is the one of its pLTSs at the same place.
fn same_state(state: crate::sema::program::StateId) -> PltsStateId {
    PltsStateId::at(state.index())
}
