//! Connectors that use definitions: a tree of definitions whose leaves are ports of parts, and its interactions.
//!
//! A use stands for the interactions of its definition. Where a port of it is one that another connector shows, an
//! interaction of that one is part of it. Data goes up this tree and down again (`moves.rs`); what comes out is one vector for
//! each interaction, as if it had been written by hand.

mod flat;
mod moves;
mod whole;

use std::rc::Rc;

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::build::Builder;
use super::connector::{MOST_INTERACTIONS, Shape, interactions};
use super::env::Env;
use super::lower::Scope;
use super::node::Places;
use super::problems::{
    ClauseTwice, EmptyFamily, FamilyOfPorts, IndexOutside, NoInteractionOfPorts, TooNested,
};
use super::vector::{Made, with_indices};
use crate::algebra::{Term, VariableKind};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Connector, InstanceId, Joined, PartId};
use crate::sema::program::{
    ClausesDef, ConnectorDef, ConnectorPart, ConnectorPartKind, ConnectorTypeDef, Expr, ExprKind,
    JointDef, JointKind, MemberDef, NetBlock,
};

/// Deeper trees of connectors are refused: nobody means them, and each level costs stack.
const MOST_LEVELS: usize = 100;

/// A connector with what stands at its ports.
pub(super) struct Tree<'p> {
    def: &'p ConnectorTypeDef,
    /// The name of the connector.
    connector: Symbol,
    /// The names of the definition, with the values of its parameters.
    scope: Scope<'p>,
    /// For each port of the definition, what stands there, each with its index.
    ends: Vec<Vec<(i64, End<'p>)>>,
    /// The use.
    used: Span,
    /// Which ports there are: port of the definition, and which of its family.
    ports: Vec<Port>,
    /// How they are joined.
    shape: Shape,
    /// The clauses of those interactions that have some of their own.
    clauses: FxHashMap<Vec<usize>, usize>,
    /// A number that no other tree of its net has.
    number: usize,
}

/// A port of a definition, and which of its family.
pub(super) type Port = (usize, usize);

/// What stands at a port.
enum End<'p> {
    /// A port of a part, with the names around it.
    Part(&'p MemberDef, Scope<'p>),
    /// The port that another connector shows.
    Shown(Rc<Tree<'p>>),
}

/// One interaction of a tree.
pub(super) struct Happening<'p> {
    tree: Rc<Tree<'p>>,
    /// The ports that take part, each with the interaction below it.
    parts: Vec<(Port, Option<Rc<Happening<'p>>>)>,
    /// The number of the clause of its own.
    clause: Option<usize>,
}

/// Where a connector stands.
#[derive(Clone, Copy)]
struct Around<'a, 'p> {
    block: &'p NetBlock,
    env: &'a Env<'p>,
}

impl<'p> Happening<'p> {
    /// What holds for it.
    fn clauses(&self) -> &'p ClausesDef {
        let def = self.tree.def;
        self.clause.map_or(&def.general, |at| &def.clauses[at].clauses)
    }

    /// Whether its connector, or one below, says that it never happens.
    fn is_left_out(&self) -> bool {
        self.clause.is_some_and(|at| self.tree.is_left_out(at))
            || self
                .parts
                .iter()
                .filter_map(|(_, below)| below.as_ref())
                .any(|one| one.is_left_out())
    }

    /// Its ports in words.
    fn in_words(&self) -> String {
        let ports = self.parts.iter().map(|(port, _)| self.tree.name(*port));
        ports.collect::<Vec<_>>().join(" ")
    }
}

impl<'p> Tree<'p> {
    fn name(&self, (port, at): Port) -> String {
        let formal = &self.def.ports[port];
        match formal.family {
            Some(_) => format!("{}[{}]", formal.name.name, self.ends[port][at].0),
            None => formal.name.name.to_string(),
        }
    }

    fn end(&self, (port, at): Port) -> &End<'p> {
        &self.ends[port][at].1
    }

    /// Whether a clause says that its interaction never happens.
    fn is_left_out(&self, clause: usize) -> bool {
        let guard = self.def.clauses[clause].clauses.guard.as_ref();
        guard.is_some_and(|guard| matches!(guard.kind, ExprKind::Bool(false)))
    }
}

impl<'p> Builder<'p> {
    /// The vectors of a connector that uses a definition.
    pub fn connector_use(
        &mut self,
        (block, connector): (&'p NetBlock, &'p ConnectorDef),
        env: &Env<'p>,
        scope: &Scope<'p>,
        places: &[Places],
        made: &mut Vec<Made>,
    ) {
        let around = Around { block, env };
        let Some(tree) = self.tree(connector, scope, around, 0) else { return };
        let before = made.len();
        let whole = self.whole_use(&tree, connector, (env, scope, places), made);
        if whole.is_none() {
            self.each_happening(&tree, connector, (env, scope, places), made);
        }
        if !self.problems.is_empty() || whole == Some(false) || is_spent() {
            return;
        }
        let joins = self.drawn(&tree, tree.def.joins.as_slice(), &tree.scope, (env, places));
        let written = self.origins.connect(Connector { name: connector.name.name, joins });
        for made in &made[before..] {
            self.origins.interaction_of(made.vector.origin, written);
        }
    }

    /// A vector for each interaction.
    fn each_happening(
        &mut self,
        tree: &Rc<Tree<'p>>,
        connector: &'p ConnectorDef,
        (env, scope, places): (&Env<'p>, &Scope<'p>, &[Places]),
        made: &mut Vec<Made>,
    ) {
        if !tree.shape.has_interaction() {
            let (span, chain) = (tree.used, self.chain(env.instance));
            self.report(EmptyFamily { span, range: None, chain });
            return;
        }
        for happening in self.happenings(tree, connector.name.span).unwrap_or_default() {
            if is_spent() || !self.problems.is_empty() {
                return;
            }
            self.happening(&happening, connector, (env, scope, places), made);
        }
    }

    // ---- trees ----

    fn tree(
        &mut self,
        connector: &'p ConnectorDef,
        scope: &Scope<'p>,
        around: Around<'_, 'p>,
        level: usize,
    ) -> Option<Rc<Tree<'p>>> {
        let used = connector.used.as_ref()?;
        if level > MOST_LEVELS {
            self.report(TooNested { span: used.span, limit: MOST_LEVELS, is_net: false });
            return None;
        }
        let program = self.program;
        let def = &program.connectors[used.connector.index()];
        let env = around.env.with_scope(scope.clone());
        let own = self.arguments(&used.values, &env, &def.locals);
        let mut ends = Vec::with_capacity(def.ports.len());
        for (formal, part) in def.ports.iter().zip(&connector.parts) {
            if is_spent() {
                return None;
            }
            let mut found = Vec::new();
            self.ends(part, scope, (around, level), &mut found);
            if !self.problems.is_empty() {
                return None;
            }
            let low = match &formal.family {
                None => 0,
                Some(family) => {
                    let range = self.repeated(family.range, (&own, around.env.instance))?;
                    let wanted =
                        usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(0);
                    if wanted != found.len() {
                        let (name, declared) = (formal.name.name.to_string(), formal.name.span);
                        let (span, found) = (part.span, found.len());
                        let chain = self.chain(around.env.instance);
                        self.report(FamilyOfPorts { span, name, wanted, found, declared, chain });
                        return None;
                    }
                    range.start
                }
            };
            ends.push((low..).zip(found).collect());
        }
        let mut tree = Tree {
            def,
            connector: connector.name.name,
            scope: own,
            ends,
            used: used.span,
            ports: Vec::new(),
            shape: Shape::Group(Vec::new()),
            clauses: FxHashMap::default(),
            number: self.trees,
        };
        self.trees += 1;
        self.find_shape(&mut tree, around)?;
        self.find_clauses(&mut tree, connector, around)?;
        Some(Rc::new(tree))
    }

    /// What stands at a port of a definition, or at all ports of a family.
    fn ends(
        &mut self,
        part: &'p ConnectorPart,
        scope: &Scope<'p>,
        (around, level): (Around<'_, 'p>, usize),
        found: &mut Vec<End<'p>>,
    ) {
        let instance = around.env.instance;
        match &part.kind {
            ConnectorPartKind::Port(member) => found.push(End::Part(member, scope.clone())),
            ConnectorPartKind::Group(all) => {
                all.iter().for_each(|one| self.ends(one, scope, (around, level), found));
            }
            ConnectorPartKind::Each(all, repeat, condition) => {
                for indices in self.repetitions(repeat, (scope, instance)) {
                    let scope = with_indices(scope, &indices);
                    if self.is_meant(condition.as_ref(), &scope, instance) && !is_spent() {
                        all.iter().for_each(|one| self.ends(one, &scope, (around, level), found));
                    }
                }
            }
            ConnectorPartKind::Shown(name, index) => {
                let all = &around.block.connectors;
                let Some(below) = all.iter().find(|one| one.name.name == *name) else { return };
                let mut inner = around.env.scope.clone();
                if let (Some(index), [family]) = (index, below.repeat.as_slice()) {
                    let term = self.lowering().term(index, scope);
                    let value = self.terms.as_int(term).and_then(ToPrimitive::to_i64);
                    let range = self.repeated(family.range, (&inner, instance));
                    let Some(value) =
                        value.filter(|value| range.is_some_and(|r| r.contains(value)))
                    else {
                        if self.problems.is_empty() {
                            let text =
                                value.map_or_else(|| "?".to_owned(), |value| value.to_string());
                            let (span, chain) = (index.span, self.chain(instance));
                            self.report(IndexOutside { span, index: text, chain });
                        }
                        return;
                    };
                    let term = self.terms.int(value);
                    inner.set(family.index, term);
                }
                let below = self.tree(below, &inner, around, level + 1);
                found.extend(below.map(End::Shown));
            }
        }
    }

    // ---- interactions ----

    fn find_shape(&mut self, tree: &mut Tree<'p>, around: Around<'_, 'p>) -> Option<()> {
        let (scope, def) = (tree.scope.clone(), tree.def);
        let mut numbers: FxHashMap<Port, usize> = FxHashMap::default();
        let shape = self.joined(&def.joins, (&scope, around), tree, &mut numbers)?;
        let mut ports: Vec<Port> = vec![(0, 0); numbers.len()];
        numbers.iter().for_each(|(port, at)| ports[*at] = *port);
        (tree.ports, tree.shape) = (ports, Shape::Group(shape));
        Some(())
    }

    /// The sets of ports of a connector that happen together, one by one.
    fn each_interaction(&mut self, tree: &Tree<'p>, name: Span) -> Option<Vec<Vec<usize>>> {
        let all = interactions(&tree.shape, MOST_INTERACTIONS);
        if all.is_none() && !is_spent() {
            self.too_many_interactions(name);
        }
        all
    }

    /// Finds the interactions of a connector that have clauses of their own.
    fn find_clauses(
        &mut self,
        tree: &mut Tree<'p>,
        connector: &'p ConnectorDef,
        around: Around<'_, 'p>,
    ) -> Option<()> {
        let (scope, def) = (tree.scope.clone(), tree.def);
        let mut numbers: FxHashMap<Port, usize> =
            tree.ports.iter().enumerate().map(|(at, port)| (*port, at)).collect();
        // Of a port that stands in two places it is not known at once in which of them it takes part.
        let all = match !def.clauses.is_empty() && tree.shape.has_port_twice() {
            true => Some(self.each_interaction(tree, connector.name.span)?),
            false => None,
        };
        for (at, clause) in def.clauses.iter().enumerate() {
            let mut set = Vec::new();
            let shape = self.joined(&clause.joins, (&scope, around), tree, &mut numbers)?;
            ports_of(&shape, &mut set);
            set.sort_unstable();
            set.dedup();
            let known = match &all {
                Some(all) => all.contains(&set),
                None => tree.shape.is_interaction(&set),
            };
            let mut names: Vec<(usize, Port)> = numbers.iter().map(|(p, at)| (*at, *p)).collect();
            names.sort_unstable();
            let text = set.iter().map(|&at| tree.name(names[at].1)).collect::<Vec<_>>().join(" ");
            let (span, chain) = (clause.span, self.chain(around.env.instance));
            if !known {
                let joins = def.joins.first().zip(def.joins.last());
                let joins = joins.map_or(def.named.span, |(a, b)| a.span.to(b.span));
                self.report(NoInteractionOfPorts { span, ports: text, joins, chain });
                return None;
            }
            if let Some(first) = tree.clauses.insert(set, at) {
                let first = def.clauses[first].span;
                self.report(ClauseTwice { span, ports: text, first, chain });
                return None;
            }
        }
        Some(())
    }

    /// The shape of what is joined, with ports as numbers.
    fn joined(
        &mut self,
        joints: &'p [JointDef],
        (scope, around): (&Scope<'p>, Around<'_, 'p>),
        tree: &Tree<'p>,
        numbers: &mut FxHashMap<Port, usize>,
    ) -> Option<Vec<(bool, Shape)>> {
        let instance = around.env.instance;
        let mut shapes = Vec::with_capacity(joints.len());
        for joint in joints {
            if is_spent() {
                return None;
            }
            let shape = match &joint.kind {
                JointKind::Port(port, index) => {
                    let at = match index {
                        None => 0,
                        Some(index) => self.member_of(tree, (*port, index), scope, instance)?,
                    };
                    let next = numbers.len();
                    Shape::Port(*numbers.entry((*port, at)).or_insert(next))
                }
                JointKind::Group(inner) => {
                    Shape::Group(self.joined(inner, (scope, around), tree, numbers)?)
                }
                JointKind::Each(inner, repeat, condition) => {
                    let mut all = Vec::new();
                    for indices in self.repetitions(repeat, (scope, instance)) {
                        let scope = with_indices(scope, &indices);
                        if self.is_meant(condition.as_ref(), &scope, instance) {
                            all.extend(self.joined(inner, (&scope, around), tree, numbers)?);
                        }
                    }
                    if !self.problems.is_empty() {
                        return None;
                    }
                    // Where there is nobody, nobody is waited for.
                    if all.is_empty() {
                        continue;
                    }
                    Shape::Group(all)
                }
            };
            shapes.push((joint.trigger, shape));
        }
        Some(shapes)
    }

    /// Which of a family of ports an index means.
    fn member_of(
        &mut self,
        tree: &Tree<'p>,
        (port, index): (usize, &'p Expr),
        scope: &Scope<'p>,
        instance: Option<InstanceId>,
    ) -> Option<usize> {
        let term = self.lowering().term(index, scope);
        let value = self.terms.as_int(term).and_then(ToPrimitive::to_i64);
        let at = tree.ends[port].iter().position(|(at, _)| Some(*at) == value);
        if at.is_none() && self.problems.is_empty() {
            let text = value.map_or_else(|| "?".to_owned(), |value| value.to_string());
            let (span, chain) = (index.span, self.chain(instance));
            self.report(IndexOutside { span, index: text, chain });
        }
        at
    }

    /// All interactions of a tree, with those below.
    fn happenings(&mut self, tree: &Rc<Tree<'p>>, name: Span) -> Option<Vec<Rc<Happening<'p>>>> {
        let mut found: Vec<Rc<Happening<'p>>> = Vec::new();
        let mut below: FxHashMap<usize, Vec<Rc<Happening<'p>>>> = FxHashMap::default();
        for (at, port) in tree.ports.iter().enumerate() {
            if let End::Shown(inner) = tree.end(*port) {
                below.insert(at, self.happenings(inner, name)?);
            }
        }
        for set in &self.each_interaction(tree, name)? {
            let clause = tree.clauses.get(set).copied();
            if clause.is_some_and(|at| tree.is_left_out(at)) {
                continue;
            }
            let mut rows: Vec<Vec<(Port, Option<Rc<Happening<'p>>>)>> = vec![Vec::new()];
            for at in set {
                let port = tree.ports[*at];
                let mut next = Vec::with_capacity(rows.len());
                for row in rows {
                    if is_spent() {
                        return None;
                    }
                    match below.get(at) {
                        None => next.push(with(row, (port, None))),
                        Some(inner) => next.extend(
                            inner.iter().map(|one| with(row.clone(), (port, Some(Rc::clone(one))))),
                        ),
                    }
                    if next.len() + found.len() > MOST_INTERACTIONS {
                        self.too_many_interactions(name);
                        return None;
                    }
                }
                rows = next;
            }
            let tree = || Rc::clone(tree);
            found.extend(
                rows.into_iter().map(|parts| Rc::new(Happening { tree: tree(), parts, clause })),
            );
        }
        Some(found)
    }

    // ---- pictures ----

    /// What a connector joins, for those who draw it.
    fn drawn(
        &mut self,
        tree: &Tree<'p>,
        joints: &'p [JointDef],
        scope: &Scope<'p>,
        (env, places): (&Env<'p>, &[Places]),
    ) -> Vec<(bool, Joined)> {
        let mut all = Vec::with_capacity(joints.len());
        for joint in joints {
            let joined = match &joint.kind {
                JointKind::Port(port, index) => {
                    let index = index.as_ref().and_then(|index| {
                        let (term, _) = self.lowering().owing(|l| l.term(index, scope));
                        self.terms.as_int(term).and_then(ToPrimitive::to_i64)
                    });
                    let ends = &tree.ends[*port];
                    let at =
                        index.map_or(Some(0), |index| ends.iter().position(|(at, _)| *at == index));
                    let Some((_, end)) = at.and_then(|at| ends.get(at)) else { continue };
                    match end {
                        End::Shown(inner) => {
                            let joins = inner.def.joins.as_slice();
                            let joins = self.drawn(inner, joins, &inner.scope, (env, places));
                            Joined::Group(Some(inner.connector), joins)
                        }
                        End::Part(member, around) => {
                            self.drawn_port(tree, *port, (member, around), (env, places))
                        }
                    }
                }
                JointKind::Group(inner) => {
                    Joined::Group(None, self.drawn(tree, inner, scope, (env, places)))
                }
                JointKind::Each(inner, repeat, condition) => {
                    let mut group = Vec::new();
                    for indices in self.repetitions(repeat, (scope, env.instance)) {
                        let scope = with_indices(scope, &indices);
                        if self.is_meant(condition.as_ref(), &scope, env.instance) {
                            group.extend(self.drawn(tree, inner, &scope, (env, places)));
                        }
                    }
                    Joined::Group(None, group)
                }
            };
            all.push((joint.trigger, joined));
        }
        all
    }

    fn drawn_port(
        &mut self,
        tree: &Tree<'p>,
        port: usize,
        (member, scope): (&'p MemberDef, &Scope<'p>),
        (env, places): (&Env<'p>, &[Places]),
    ) -> Joined {
        let ExprKind::Act(id, _) = &member.action.kind else {
            return Joined::Group(None, Vec::new());
        };
        let sorts = self.algebra.action(*id).sorts.clone();
        let names = tree.def.ports[port].data.iter().map(|datum| datum.name.name);
        let mut args = Vec::with_capacity(sorts.len());
        for (name, sort) in names.zip(sorts) {
            let var = self.terms.new_var(name, sort, VariableKind::Vector);
            args.push(self.terms.var_term(var));
        }
        let action = self.terms.raw(Term::Act(*id, args.into()));
        // What they owe is owed where the interactions are made.
        let parts = self.parts(member, env, scope, places, &mut Vec::new());
        Joined::Port(parts.into_iter().map(|(part, _)| PartId::at(part)).collect(), action)
    }
}

fn with<T>(mut row: Vec<T>, one: T) -> Vec<T> {
    row.push(one);
    row
}

fn ports_of(shape: &[(bool, Shape)], found: &mut Vec<usize>) {
    for (_, one) in shape {
        match one {
            Shape::Port(port) => found.push(*port),
            Shape::Group(inner) => ports_of(inner, found),
        }
    }
}
