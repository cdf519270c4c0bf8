//! Connectors: their feasible interactions, each a vector.
//!
//! The interactions are those of the algebra of connectors (Bliudze and Sifakis, "The Algebra of Connectors:
//! Structuring Interaction in BIP"): of a port, itself; of parts without a trigger, one interaction of each
//! part together; of parts with triggers, one interaction of each part of any set of parts that contains a
//! trigger.

use rustc_hash::FxHashSet;

use super::build::Builder;
use super::env::Env;
use super::lower::Scope;
use super::node::Places;
use super::problems::{AbsentPort, EmptyFamily, TooManyInteractions, TransferRead};
use super::vector::{Guard, Indices, Made, Taking, with_indices};
use crate::algebra::VariableKind;
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::pnet::{Connector, Joined, Owed};
use crate::sema::program::{
    ConnectorDef, ConnectorPart, ConnectorPartKind, Expr, ExprKind, LocalId, LocalKind,
};

/// A connector with more interactions is refused.
pub(super) const MOST_INTERACTIONS: usize = 1 << 12;

/// The shape of a connector: ports by number, and groups; each may be a trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A port.
    Port(usize),
    /// Parts, each with whether it is a trigger.
    Group(Vec<(bool, Shape)>),
}

/// Whether some ports are an interaction of a part of a connector.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    /// None of them is in it.
    Nobody,
    /// Those that are in it are one.
    Whole,
    /// They are none.
    Broken,
}

impl Shape {
    /// Whether there is any interaction.
    pub(super) fn has_interaction(&self) -> bool {
        let Shape::Group(parts) = self else { return true };
        match parts.iter().any(|(trigger, _)| *trigger) {
            true => parts.iter().any(|(trigger, part)| *trigger && part.has_interaction()),
            false => !parts.is_empty() && parts.iter().all(|(_, part)| part.has_interaction()),
        }
    }

    /// Whether some port stands in two places.
    pub(super) fn has_port_twice(&self) -> bool {
        let (mut seen, mut work) = (FxHashSet::default(), vec![self]);
        while let Some(shape) = work.pop() {
            match shape {
                Shape::Port(port) if !seen.insert(*port) => return true,
                Shape::Port(_) => {}
                Shape::Group(parts) => work.extend(parts.iter().map(|(_, part)| part)),
            }
        }
        false
    }

    /// Whether just these ports, which are in order, are an interaction; each port stands in one place.
    pub(super) fn is_interaction(&self, ports: &[usize]) -> bool {
        let mut met = 0;
        self.share(ports, &mut met) == Share::Whole && met == ports.len()
    }

    fn share(&self, ports: &[usize], met: &mut usize) -> Share {
        let parts = match self {
            Shape::Port(port) if ports.binary_search(port).is_ok() => {
                *met += 1;
                return Share::Whole;
            }
            Shape::Port(_) => return Share::Nobody,
            Shape::Group(parts) => parts,
        };
        let (mut nobody, mut somebody, mut started) = (false, false, false);
        for (trigger, part) in parts {
            match part.share(ports, met) {
                Share::Nobody => nobody = true,
                Share::Whole => (somebody, started) = (true, started || *trigger),
                Share::Broken => return Share::Broken,
            }
        }
        let has_trigger = parts.iter().any(|(trigger, _)| *trigger);
        match (somebody, if has_trigger { started } else { !nobody }) {
            (false, _) => Share::Nobody,
            (true, true) => Share::Whole,
            (true, false) => Share::Broken,
        }
    }
}

/// The interactions of a connector: sets of ports, each in order and without repetition. `None` when there are
/// more than `limit`, or the budget is spent.
pub fn interactions(shape: &Shape, limit: usize) -> Option<Vec<Vec<usize>>> {
    let parts = match shape {
        Shape::Port(port) => return Some(vec![vec![*port]]),
        Shape::Group(parts) => parts,
    };
    let has_trigger = parts.iter().any(|(trigger, _)| *trigger);
    // Pairs of an interaction so far, and whether a trigger is in it.
    let mut all: Vec<(Vec<usize>, bool)> = vec![(Vec::new(), !has_trigger)];
    for (trigger, part) in parts {
        let of_part = interactions(part, limit)?;
        let mut next: Vec<(Vec<usize>, bool)> = Vec::new();
        for (so_far, started) in &all {
            if is_spent() {
                return None;
            }
            if has_trigger {
                next.push((so_far.clone(), *started));
            }
            for one in &of_part {
                let mut joined = so_far.clone();
                joined.extend(one);
                next.push((joined, *started || *trigger));
            }
            // Half of what is kept may still be dropped for want of a trigger.
            if next.len() > limit * 2 {
                return None;
            }
        }
        all = next;
    }
    let mut seen: FxHashSet<Vec<usize>> = FxHashSet::default();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (mut interaction, started) in all {
        interaction.sort_unstable();
        interaction.dedup();
        if started && !interaction.is_empty() && seen.insert(interaction.clone()) {
            found.push(interaction);
        }
    }
    found.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    (found.len() <= limit).then_some(found)
}

impl<'p> Builder<'p> {
    /// The shape of a connector, and its ports, with these indices of the brackets around them.
    fn shape(
        &mut self,
        parts: &'p [ConnectorPart],
        (scope, env, indices): (&Scope<'p>, &Env<'p>, &Indices),
        ports: &mut Vec<Taking<'p>>,
    ) -> Vec<(bool, Shape)> {
        let mut shapes = Vec::with_capacity(parts.len());
        for part in parts {
            let shape = match &part.kind {
                ConnectorPartKind::Port(member) => {
                    ports.push((member, indices.clone()));
                    Shape::Port(ports.len() - 1)
                }
                // Only connectors that use definitions have these.
                ConnectorPartKind::Shown(..) => continue,
                ConnectorPartKind::Group(parts) => {
                    Shape::Group(self.shape(parts, (scope, env, indices), ports))
                }
                ConnectorPartKind::Each(parts, repeat, condition) => {
                    let mut all = Vec::new();
                    for more in self.repetitions(repeat, (scope, env.instance)) {
                        let scope = with_indices(scope, &more);
                        if !self.is_meant(condition.as_ref(), &scope, env.instance) {
                            continue;
                        }
                        let indices: Indices = indices.iter().cloned().chain(more).collect();
                        all.extend(self.shape(parts, (&scope, env, &indices), ports));
                    }
                    // Where there is nobody, nobody is waited for.
                    if all.is_empty() {
                        continue;
                    }
                    Shape::Group(all)
                }
            };
            shapes.push((part.trigger, shape));
        }
        shapes
    }

    /// The vectors of a connector: those of each value of the data that conditions in it read.
    pub fn connector(
        &mut self,
        connector: &'p ConnectorDef,
        env: &Env<'p>,
        scope: &Scope<'p>,
        places: &[Places],
        made: &mut Vec<Made>,
    ) {
        let (mut conditions, mut members) = (Vec::new(), Vec::new());
        for part in &connector.parts {
            part.each_condition(&mut |condition| conditions.push(condition));
            part.each_port(&mut |member| members.push(member));
        }
        let all = self.values_of_conditions(&conditions, &members, (scope, places, env));
        let mut somebody = false;
        for values in all.unwrap_or_default() {
            if !self.problems.is_empty() || is_spent() {
                return;
            }
            let scope = with_indices(scope, &values);
            somebody |= self.connector_with(connector, (env, &scope, places), &values, made);
        }
        if !somebody && self.problems.is_empty() && !is_spent() {
            let (first, last) = (connector.parts.first(), connector.parts.last());
            let span = first.zip(last).map_or(connector.span, |(a, b)| a.span.to(b.span));
            let chain = self.chain(env.instance);
            self.report(EmptyFamily { span, range: None, chain });
        }
    }

    /// The vectors of a connector with values of the data that conditions read; whether there is anybody in it.
    fn connector_with(
        &mut self,
        connector: &'p ConnectorDef,
        (env, scope, places): (&Env<'p>, &Scope<'p>, &[Places]),
        values: &Indices,
        made: &mut Vec<Made>,
    ) -> bool {
        let mut ports: Vec<Taking<'p>> = Vec::new();
        let parts = self.shape(&connector.parts, (scope, env, &Vec::new()), &mut ports);
        if !self.problems.is_empty() || is_spent() {
            return false;
        }
        let shape = Shape::Group(parts);
        if ports.is_empty() || !self.transfers_are_clean(connector, scope) {
            return false;
        }
        let before = made.len();
        let around = (env, scope, places);
        let whole = match values.is_empty() {
            true => self.whole_connector(connector, &shape, &ports, around, made),
            false => None,
        };
        if !whole
            .unwrap_or_else(|| self.unfolded(connector, &shape, (&ports, values), around, made))
        {
            return false;
        }
        let mut scope = scope.clone();
        ports.iter().for_each(|(port, _)| self.declare_in(&port.action, &mut scope));
        // What they owe is owed where the interactions are made.
        let joins = self.joins(&connector.parts, env, &scope, places);
        let written = self.origins.connect(Connector { name: connector.name.name, joins });
        for made in &made[before..] {
            self.origins.interaction_of(made.vector.origin, written);
        }
        true
    }

    /// The interactions of a connector, each as a vector; whether they were made.
    fn unfolded(
        &mut self,
        connector: &'p ConnectorDef,
        shape: &Shape,
        (ports, values): (&[Taking<'p>], &Indices),
        (env, scope, places): (&Env<'p>, &Scope<'p>, &[Places]),
        made: &mut Vec<Made>,
    ) -> bool {
        let Some(interactions) = interactions(shape, MOST_INTERACTIONS) else {
            if !is_spent() {
                self.too_many_interactions(connector.name.span);
            }
            return false;
        };
        for interaction in interactions {
            if is_spent() {
                return false;
            }
            let members: Vec<Taking<'p>> =
                interaction.iter().map(|&port| ports[port].clone()).collect();
            if !self.conditions_are_known(connector, values, &members, (scope, env)) {
                return false;
            }
            self.interaction(connector, &members, env, &mut scope.clone(), places, made);
        }
        self.problems.is_empty()
    }

    /// Refuses a connector that would have to be written out.
    pub(super) fn too_many_interactions(&mut self, span: Span) {
        let is_apart = self.options.most_unfolded == usize::MAX;
        self.report(TooManyInteractions { span, limit: MOST_INTERACTIONS, is_apart });
    }

    /// Whether each interaction has the ports whose data say who takes part.
    fn conditions_are_known(
        &mut self,
        connector: &'p ConnectorDef,
        values: &Indices,
        members: &[Taking<'p>],
        (scope, env): (&Scope<'p>, &Env<'p>),
    ) -> bool {
        for (id, _) in values {
            let mut is_there = false;
            for (member, _) in members {
                member.action.each_local(&mut |other| is_there |= other == *id);
            }
            if !is_there {
                let mut span = None;
                for part in &connector.parts {
                    part.each_condition(&mut |condition| span = span.or(condition.place_of(*id)));
                }
                let span = span.unwrap_or(connector.span);
                self.absent(*id, span, (members, scope, env));
                return false;
            }
        }
        true
    }

    /// What a connector joins, for those who draw it.
    fn joins(
        &mut self,
        parts: &'p [ConnectorPart],
        env: &Env<'p>,
        scope: &Scope<'p>,
        places: &[Places],
    ) -> Vec<(bool, Joined)> {
        let joined = |part: &'p ConnectorPart| {
            let joined = match &part.kind {
                ConnectorPartKind::Port(member) => {
                    let action = self.lowering().term(&member.action, scope);
                    let (choices, _) = self.members(&[(member, Vec::new())], env, scope, places);
                    let parts =
                        choices.into_iter().filter_map(|(members, _)| Some(members.first()?.part));
                    Joined::Port(parts.collect(), action)
                }
                ConnectorPartKind::Shown(..) => Joined::Group(None, Vec::new()),
                ConnectorPartKind::Group(parts) => {
                    Joined::Group(None, self.joins(parts, env, scope, places))
                }
                ConnectorPartKind::Each(parts, repeat, condition) => {
                    let mut all = Vec::new();
                    for indices in self.repetitions(repeat, (scope, env.instance)) {
                        let scope = with_indices(scope, &indices);
                        if !self.is_meant(condition.as_ref(), &scope, env.instance) {
                            continue;
                        }
                        all.extend(self.joins(parts, env, &scope, places));
                    }
                    Joined::Group(None, all)
                }
            };
            (part.trigger, joined)
        };
        parts.iter().map(joined).collect()
    }

    /// A variable that is written by a transfer is read by nothing else of the connector.
    fn transfers_are_clean(&mut self, connector: &'p ConnectorDef, scope: &Scope<'p>) -> bool {
        for (target, _) in &connector.transfer {
            let readers = connector.transfer.iter().map(|(_, value)| value);
            let readers = readers.chain(&connector.guard).chain([&connector.shows]);
            for reader in readers {
                if let Some(span) = reader.place_of(*target) {
                    let written = connector.span;
                    let name = scope.locals[target.index()].name.to_string();
                    self.report(TransferRead { span, name, written });
                    return false;
                }
            }
        }
        true
    }

    #[allow(clippy::too_many_arguments, reason = "all of it describes one interaction")]
    pub fn interaction(
        &mut self,
        connector: &'p ConnectorDef,
        members: &[Taking<'p>],
        env: &Env<'p>,
        scope: &mut Scope<'p>,
        places: &[Places],
        made: &mut Vec<Made>,
    ) {
        let written: Vec<LocalId> = connector.transfer.iter().map(|(target, _)| *target).collect();
        let mut present: FxHashSet<LocalId> = FxHashSet::default();
        for (member, _) in members {
            member.action.each_local(&mut |id| {
                present.insert(id);
            });
        }
        for (member, _) in members {
            self.declare_unwritten(&member.action, &written, scope);
        }
        let open = self.places_of_arrays(members, scope);
        let mut given: Vec<Owed> = Vec::new();
        for (target, value) in &connector.transfer {
            if present.contains(target) {
                if !self.has_values(value, scope, members, env) {
                    return;
                }
                let mut lowering = self.lowering();
                let term = lowering.term(value, scope);
                given.append(&mut lowering.owed);
                scope.set(*target, term);
            }
        }
        let indices = members.iter().filter_map(|(member, _)| member.index.as_ref());
        let read = connector.guard.iter().chain([&connector.shows]).chain(indices);
        for expr in read {
            if !self.has_values(expr, scope, members, env) {
                return;
            }
        }
        let mut lowering = self.lowering();
        let result = lowering.term(&connector.shows, scope);
        let (term, conditions) = lowering.guard(connector.guard.as_ref(), scope);
        given.append(&mut lowering.owed);
        let (choices, owed) = self.members(members, env, scope, places);
        given.extend(owed);
        let owes = self.lowering().still_owed(given, &conditions);
        if !self.rivals_have_values(connector, scope, members, env) {
            return;
        }
        let rivals = self.written_rivals(&connector.rivals, env, scope, places);
        let values = connector.transfer.iter().map(|(_, value)| value);
        let readers = connector.guard.iter().chain([&connector.shows]).chain(values);
        let readers: Vec<&'p Expr> = readers.collect();
        for (chosen_members, chosen) in choices {
            let guard = Guard { term, conditions: &conditions, chosen: &chosen, owes: &owes };
            let mut vector = self.finish(chosen_members, result, guard, connector.span, env);
            vector.rivals.extend(rivals.iter().cloned());
            if !self.places_are_bound(&open, &vector, (&readers, scope, env.instance)) {
                return;
            }
            made.push(Made { connector: Some(connector.name.name), vector });
        }
    }

    /// Whether all data of ports that `unless` reads has a value in an interaction. (Other names mean some value.)
    fn rivals_have_values(
        &mut self,
        connector: &'p ConnectorDef,
        scope: &Scope<'p>,
        members: &[Taking<'p>],
        env: &Env<'p>,
    ) -> bool {
        let mut of_ports: FxHashSet<LocalId> = FxHashSet::default();
        for part in &connector.parts {
            part.each_port(&mut |port| {
                port.action.each_local(&mut |id| {
                    of_ports.insert(id);
                });
            });
        }
        for rival in &connector.rivals {
            let actions = rival.members.iter().map(|member| &member.action);
            for expr in actions.chain(&rival.guard) {
                let mut absent = None;
                expr.each_local(&mut |id| {
                    if of_ports.contains(&id) && !scope.values.contains_key(&id) {
                        absent = absent.or(Some(id));
                    }
                });
                if let Some(id) = absent {
                    let span = expr.place_of(id).unwrap_or(expr.span);
                    self.absent(id, span, (members, scope, env));
                    return false;
                }
            }
        }
        true
    }

    pub fn declare_unwritten(
        &mut self,
        expr: &'p Expr,
        written: &[LocalId],
        scope: &mut Scope<'p>,
    ) {
        let mut ids: Vec<LocalId> = Vec::new();
        expr.each_local(&mut |id| ids.push(id));
        for id in ids {
            let kind = scope.locals[id.index()].kind;
            if kind == LocalKind::VectorData
                && !written.contains(&id)
                && !scope.values.contains_key(&id)
            {
                self.lowering().local_var(id, scope, VariableKind::Vector);
            }
        }
    }

    /// Whether everything that an expression reads has a value in an interaction.
    pub fn has_values(
        &mut self,
        expr: &'p Expr,
        scope: &Scope<'p>,
        members: &[Taking<'p>],
        env: &Env<'p>,
    ) -> bool {
        let mut absent: Option<LocalId> = None;
        expr.each_local(&mut |id| {
            let is_port_data = scope.locals[id.index()].kind == LocalKind::VectorData;
            if is_port_data && !scope.values.contains_key(&id) {
                absent = absent.or(Some(id));
            }
        });
        let Some(id) = absent else { return true };
        let span = expr.place_of(id).unwrap_or(expr.span);
        self.absent(id, span, (members, scope, env));
        false
    }

    /// Reports data of a port that does not take part.
    fn absent(
        &mut self,
        id: LocalId,
        span: Span,
        (members, scope, env): (&[Taking<'p>], &Scope<'p>, &Env<'p>),
    ) {
        let names = members.iter().map(|(member, _)| match &member.action.kind {
            ExprKind::Act(action, _) => self.program.actions[action.index()].named.name.to_string(),
            _ => String::new(),
        });
        let interaction = format!("`{}`", names.collect::<Vec<_>>().join(" "));
        let name = scope.locals[id.index()].name.to_string();
        let chain = self.chain(env.instance);
        self.report(AbsentPort { span, name, interaction, chain });
    }
}
