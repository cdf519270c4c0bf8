//! Vectors: repeated ones unfolded, members that data chooses turned into one vector for each choice.

use super::build::{Builder, MOST_RESERVED};
use super::env::Env;
use super::lower::Scope;
use super::node::Places;
use super::problems::{EmptyFamily, IndexOutside, TooManyInstances};
use crate::algebra::{Sort, TermId, VarId, VariableKind};
use crate::base::budget::is_spent;
use crate::base::{Id, IndexVec};
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{
    Composite, Condition, InstanceId, Member, Members, Owed, OwedKind, PartId, Rival, Vector,
};
use crate::sema::program::{
    Expr, ExprKind, FamilyDef, LocalId, LocalKind, MemberDef, NetBlock, OrderedDefKind, RivalDef,
    VectorDef,
};

use num_traits::ToPrimitive;

/// A vector that was made.
pub(super) struct Made {
    /// The name of the connector it belongs to.
    pub connector: Option<Symbol>,
    /// The vector.
    pub vector: Vector,
}

/// The indices of one repetition, with their values.
pub(super) type Indices = Vec<(LocalId, TermId)>;

/// A member, with the indices that it is repeated for inside of its vector.
pub(super) type Taking<'p> = (&'p MemberDef, Indices);

/// Names, with some indices.
pub(super) fn with_indices<'p>(scope: &Scope<'p>, indices: &Indices) -> Scope<'p> {
    let mut scope = scope.clone();
    indices.iter().for_each(|&(index, value)| scope.set(index, value));
    scope
}

/// Members, and the conditions under which data chooses them.
type Choice = (Vec<Member>, Vec<Condition>);

/// A guard: as a whole, what it asks for, what data asks for by the choice of members, and what all values owe.
#[derive(Clone, Copy)]
pub(super) struct Guard<'a> {
    pub term: TermId,
    pub conditions: &'a [Condition],
    pub chosen: &'a [Condition],
    pub owes: &'a [Owed],
}

impl<'p> Builder<'p> {
    /// Makes the vectors of a node, its connectors' too, and lets priorities block some.
    pub fn vectors(
        &mut self,
        block: &'p NetBlock,
        env: &Env<'p>,
        places: &[Places],
        node: &mut Composite,
    ) {
        let mut made: Vec<Made> = Vec::new();
        self.here = node.parts.iter().map(|part| part.content).collect();
        let ordered = block.priorities.iter().flat_map(|one| one.orders.iter().flatten());
        let single = ordered.filter_map(|one| match &one.kind {
            OrderedDefKind::Ports(name, _) => Some(*name),
            _ => None,
        });
        self.told_apart = single.collect();
        for vector in &block.vectors {
            let repetitions = self.repetitions(&vector.repeat, (&env.scope, env.instance));
            made.reserve(repetitions.len());
            for indices in repetitions {
                let before = made.len();
                self.vector(vector, env, with_indices(&env.scope, &indices), places, &mut made);
                self.origins.unfold(vector.span, made.len() > before);
                if !self.problems.is_empty() || is_spent() {
                    return;
                }
            }
        }
        for connector in block.connectors.iter().filter(|connector| !connector.is_inner()) {
            for indices in self.repetitions(&connector.repeat, (&env.scope, env.instance)) {
                let scope = with_indices(&env.scope, &indices);
                let before = made.len();
                match connector.used {
                    Some(_) => {
                        self.connector_use((block, connector), env, &scope, places, &mut made);
                    }
                    None => self.connector(connector, env, &scope, places, &mut made),
                }
                self.origins.unfold(connector.span, made.len() > before);
                if !self.problems.is_empty() || is_spent() {
                    return;
                }
            }
        }
        self.priorities(block, (env, places), &mut made, node);
        node.vectors = made.into_iter().map(|made| made.vector).collect();
    }

    /// The values of the indices for each repetition.
    pub fn repetitions(
        &mut self,
        repeat: &'p [FamilyDef],
        (outer, instance): (&Scope<'p>, Option<InstanceId>),
    ) -> Vec<Indices> {
        let mut all: Vec<Indices> = vec![Vec::new()];
        for family in repeat {
            let mut next = Vec::new();
            for indices in all {
                if is_spent() {
                    return Vec::new();
                }
                let scope = with_indices(outer, &indices);
                let Some(range) = self.repeated(family.range, (&scope, instance)) else {
                    return Vec::new();
                };
                next.reserve(range.clone().count().min(MOST_RESERVED));
                for index in range {
                    if is_spent() {
                        return Vec::new();
                    }
                    let mut indices = indices.clone();
                    indices.push((family.index, self.terms.int(index)));
                    next.push(indices);
                    if next.len() > self.options.most_instances {
                        let span = self.program.ranges[family.range.index()].low.span;
                        let limit = self.options.most_instances;
                        self.report(TooManyInstances { span, limit });
                        return Vec::new();
                    }
                }
            }
            all = next;
        }
        all
    }

    fn vector(
        &mut self,
        vector: &'p VectorDef,
        env: &Env<'p>,
        scope: Scope<'p>,
        places: &[Places],
        made: &mut Vec<Made>,
    ) {
        let around = (&scope, places, env);
        let Some(all) = self.values_of_vector(vector, around) else { return };
        let mut somebody = false;
        for values in all {
            let mut scope = with_indices(&scope, &values);
            self.declare(&vector.members, &mut scope);
            let members = self.taking(&vector.members, env, &scope);
            if !self.problems.is_empty() || is_spent() {
                return;
            }
            if !members.is_empty() {
                somebody = true;
                self.vector_of(vector, &members, (env, scope, places), made);
            }
        }
        if !somebody {
            let chain = self.chain(env.instance);
            self.report(EmptyFamily { span: vector.members_span, range: None, chain });
        }
    }

    /// The values of the data that conditions in a vector read; those in its `unless` may read it, too.
    fn values_of_vector(
        &mut self,
        vector: &'p VectorDef,
        around: (&Scope<'p>, &[Places], &Env<'p>),
    ) -> Option<Vec<Indices>> {
        let rivals = vector.rivals.iter().flat_map(|rival| &rival.members);
        let conditions =
            vector.members.iter().chain(rivals).filter_map(|one| one.condition.as_ref());
        let conditions: Vec<&'p Expr> = conditions.collect();
        if conditions.is_empty() {
            return Some(vec![Vec::new()]);
        }
        let members: Vec<&'p MemberDef> = vector.members.iter().collect();
        self.values_of_conditions(&conditions, &members, around)
    }

    fn vector_of(
        &mut self,
        vector: &'p VectorDef,
        members: &[Taking<'p>],
        (env, mut scope, places): (&Env<'p>, Scope<'p>, &[Places]),
        made: &mut Vec<Made>,
    ) {
        if !self.takes_part_once(members, (&scope, places, env)) {
            return;
        }
        let open = self.places_of_arrays(members, &mut scope);
        let (choices, mut owed) = self.members(members, env, &scope, places);
        let mut lowering = self.lowering();
        let result = lowering.term(&vector.result, &scope);
        let (guard, conditions) = lowering.guard(vector.guard.as_ref(), &scope);
        owed.append(&mut lowering.owed);
        let owes = lowering.still_owed(owed, &conditions);
        let rivals = self.written_rivals(&vector.rivals, env, &scope, places);
        let readers = [&vector.result].into_iter().chain(&vector.guard);
        let readers = readers.chain(vector.rivals.iter().filter_map(|rival| rival.guard.as_ref()));
        let readers: Vec<&'p Expr> = readers.collect();
        for (members, chosen) in choices {
            let guard =
                Guard { term: guard, conditions: &conditions, chosen: &chosen, owes: &owes };
            let name = vector.name;
            let mut vector = self.finish(members, result, guard, vector.span, env);
            name.into_iter().for_each(|name| self.origins.call(vector.origin, name.name));
            vector.rivals.extend(rivals.iter().cloned());
            if !self.places_are_bound(&open, &vector, (&readers, &scope, env.instance))
                || !self.is_bound(&vector, &readers, env.instance)
            {
                return;
            }
            made.push(Made { connector: None, vector });
        }
    }

    /// What a vector or connector says goes first.
    pub fn written_rivals(
        &mut self,
        written: &'p [RivalDef],
        env: &Env<'p>,
        scope: &Scope<'p>,
        places: &[Places],
    ) -> Vec<Rival> {
        let mut rivals = Vec::new();
        for rival in written {
            let conditions = rival.members.iter().filter_map(|one| one.condition.as_ref());
            let conditions: Vec<&'p Expr> = conditions.collect();
            let members: Vec<&'p MemberDef> = rival.members.iter().collect();
            let all = self.values_of_conditions(&conditions, &members, (scope, places, env));
            for values in all.unwrap_or_default() {
                let scope = with_indices(scope, &values);
                self.written_rival(rival, env, (scope, places), &mut rivals);
            }
        }
        rivals
    }

    fn written_rival(
        &mut self,
        rival: &'p RivalDef,
        env: &Env<'p>,
        (mut scope, places): (Scope<'p>, &[Places]),
        rivals: &mut Vec<Rival>,
    ) {
        self.declare(&rival.members, &mut scope);
        let members = self.taking(&rival.members, env, &scope);
        if !self.takes_part_once(&members, (&scope, places, env)) {
            return;
        }
        let open = self.places_of_arrays(&members, &mut scope);
        let mut lowering = self.lowering();
        let (guard, conditions) = lowering.guard(rival.guard.as_ref(), &scope);
        let mut owed = lowering.owed;
        let (choices, of_members) = self.members(&members, env, &scope, places);
        owed.extend(of_members);
        // What goes first could happen only where its values are those of their sorts.
        let owed = self.lowering().still_owed(owed, &conditions);
        let owed = owed.into_iter().map(|owed| owed.term);
        let guard = self.terms.and([guard].into_iter().chain(owed));
        for (members, chosen) in choices {
            let chosen = chosen.into_iter().map(|condition| condition.term);
            let guard = self.terms.and(chosen.chain([guard]));
            let made = self.rival(members.into(), guard, rival.span);
            let readers: Vec<&'p Expr> = rival.guard.iter().collect();
            let around = (readers.as_slice(), &scope, env.instance);
            if !self.are_bound(&open, &made.variables, &[guard], around) {
                return;
            }
            rivals.push(made);
        }
    }

    /// A vector with its variables: those of its members' actions.
    pub fn finish(
        &mut self,
        members: Vec<Member>,
        result: TermId,
        guard: Guard<'_>,
        span: Span,
        env: &Env<'p>,
    ) -> Vector {
        let Guard { term, conditions, chosen, owes } = guard;
        let guard =
            self.terms.and([term].into_iter().chain(chosen.iter().map(|chosen| chosen.term)));
        let conditions = conditions.iter().chain(chosen).copied().collect();
        let members: Members = members.into();
        let variables = self.variables(&members);
        let origin = self.origins.add(span, env.instance);
        let owes = owes.iter().copied().collect();
        let rivals = IndexVec::default();
        let (optional, maximal) = (Vec::new(), None);
        Vector {
            members,
            result,
            guard,
            conditions,
            variables,
            owes,
            rivals,
            optional,
            maximal,
            origin,
        }
    }

    pub fn variables(&self, members: &Members) -> Vec<VarId> {
        let mut variables: Vec<VarId> = Vec::new();
        for member in members {
            for variable in self.terms.free_vars(member.action) {
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            }
        }
        variables
    }

    /// What would go before, from its members.
    pub fn rival(&mut self, members: Members, guard: TermId, text: Span) -> Rival {
        let variables = self.variables(&members);
        Rival { members, guard, variables, text }
    }

    /// Makes variables for the names that members introduce.
    pub fn declare(&mut self, members: &'p [MemberDef], scope: &mut Scope<'p>) {
        for member in members {
            self.declare_in(&member.action, scope);
            if let Some(index) = &member.index {
                self.declare_in(index, scope);
            }
        }
    }

    pub fn declare_in(&mut self, expr: &'p Expr, scope: &mut Scope<'p>) {
        let mut found: Vec<LocalId> = Vec::new();
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            match &expr.kind {
                ExprKind::Local(id) => found.push(*id),
                _ => expr.each_inside(&mut |inner| work.push(inner)),
            }
        }
        found.reverse();
        for id in found {
            let kind = scope.locals[id.index()].kind;
            let introduced = matches!(kind, LocalKind::VectorData | LocalKind::VectorAction);
            if introduced && !scope.values.contains_key(&id) {
                self.lowering().local_var(id, scope, VariableKind::Vector);
            }
        }
    }

    /// Members, each as often as it is repeated.
    fn taking(
        &mut self,
        members: &'p [MemberDef],
        env: &Env<'p>,
        scope: &Scope<'p>,
    ) -> Vec<Taking<'p>> {
        let mut all = Vec::with_capacity(members.len());
        for member in members {
            for indices in self.repetitions(&member.repeat, (scope, env.instance)) {
                let inside = with_indices(scope, &indices);
                if self.is_meant(member.condition.as_ref(), &inside, env.instance) {
                    all.push((member, indices));
                }
            }
        }
        all
    }

    /// The members with their parts: one list for each choice that data makes; and what their indices and actions owe.
    pub fn members(
        &mut self,
        members: &[Taking<'p>],
        env: &Env<'p>,
        scope: &Scope<'p>,
        places: &[Places],
    ) -> (Vec<Choice>, Vec<Owed>) {
        let mut owed: Vec<Owed> = Vec::new();
        let mut choices: Vec<Choice> = vec![(Vec::new(), Vec::new())];
        for (member, indices) in members {
            let scope = &with_indices(scope, indices);
            let mut lowering = self.lowering();
            let action = lowering.offered(&member.action, scope);
            owed.append(&mut lowering.owed);
            let parts = self.parts(member, env, scope, places, &mut owed);
            let many = parts.len().saturating_mul(choices.len());
            if many > self.options.most_instances {
                let limit = self.options.most_instances;
                self.report(TooManyInstances { span: member.span, limit });
                return Default::default();
            }
            let mut next = Vec::with_capacity(many.min(MOST_RESERVED));
            for (chosen, conditions) in &choices {
                if is_spent() {
                    return Default::default();
                }
                for &(part, condition) in &parts {
                    let part = PartId::at(part);
                    // Nobody takes part twice.
                    if chosen.iter().any(|other: &Member| other.part == part) {
                        continue;
                    }
                    let (mut chosen, mut conditions) = (chosen.clone(), conditions.clone());
                    chosen.push(Member { part, action, text: member.action.span });
                    conditions.extend(condition);
                    next.push((chosen, conditions));
                }
            }
            choices = next;
        }
        // What is repeated may be repeated zero times, and then nobody may be left.
        choices.retain(|(chosen, _)| !chosen.is_empty());
        (choices, owed)
    }

    /// The parts that a member can be, each with its condition.
    pub fn parts(
        &mut self,
        member: &'p MemberDef,
        env: &Env<'p>,
        scope: &Scope<'p>,
        places: &[Places],
        owed: &mut Vec<Owed>,
    ) -> Vec<(usize, Option<Condition>)> {
        let (first, low, count) = match places[member.part.index()] {
            // No vector moves a hole that a sub-net got: that is an error before.
            Places::Elsewhere => return Vec::new(),
            Places::One(place) => return vec![(place, None)],
            Places::Family { first, low, count } => (first, low, count),
        };
        let Some(index) = &member.index else { return vec![(first, None)] };
        let mut lowering = self.lowering();
        let term = lowering.term(index, scope);
        owed.append(&mut lowering.owed);
        if let Some(value) = self.terms.as_int(term).cloned() {
            let place = value.to_i64().and_then(|value| value.checked_sub(low));
            return match place {
                Some(place) if (0..count as i64).contains(&place) => {
                    vec![(first + place as usize, None)]
                }
                // Data that chooses nobody.
                _ if reads_data(index, scope) => Vec::new(),
                _ => {
                    let (index_text, chain) = (value.to_string(), self.chain(env.instance));
                    self.report(IndexOutside { span: index.span, index: index_text, chain });
                    Vec::new()
                }
            };
        }
        let (least, most) = (self.terms.int(low), self.terms.int(low + count as i64));
        let mut lowering = self.lowering();
        lowering.owe_place(term, &Sort::Range(least, most), index.span, OwedKind::Member);
        owed.append(&mut lowering.owed);
        let mut parts = Vec::with_capacity(count);
        for offset in 0..count {
            if is_spent() {
                return Vec::new();
            }
            let value = self.terms.int(low + offset as i64);
            let condition = self.terms.equal(term, value);
            parts.push((first + offset, Some(Condition { term: condition, text: index.span })));
        }
        parts
    }
}

/// Whether an expression reads data of a vector.
pub(super) fn reads_data(expr: &Expr, scope: &Scope<'_>) -> bool {
    let mut found = false;
    expr.each_local(&mut |id| found |= scope.locals[id.index()].kind == LocalKind::VectorData);
    found
}
