//! Uses of definitions of connectors: what stands at their ports, and which of them are parts of others.

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Resolved, Strangers};
use super::component::StandsFor;
use super::glue::UseDef;
use super::infer::base;
use super::joint::{FormalDef, PortNames, Ports, Reading};
use super::net::Work;
use super::occurrence::NameKind;
use super::offers;
use super::problems::{
    ConnectCycle, Duplicate, FamilyIndex, MisplacedTrigger, PortArguments, PortCount, PortGroup,
    PortSort, PortTwice, UnknownConnector, UnknownShownPort, ValueCount,
};
use super::program::{
    Argument, ConnectorDef, ConnectorPart, ConnectorPartKind, ConnectorTypeId, Expr, ExprKind,
    LocalId, LocalKind, RivalDef, Sort,
};
use super::scope::{Declared, Meaning, Space};
use crate::base::graph::{self, Topological};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, ConnectorKind, Ident, NetStatementKind};

/// What is known of the connectors of a net before they are looked at.
#[derive(Default)]
pub(super) struct Glue {
    /// The connectors by their names; of several with one name, the first.
    connects: FxHashMap<Symbol, Connect>,
    /// Those whose shown port another one uses.
    inner: FxHashSet<Symbol>,
    /// The instances of definitions over sorts, by the places of their uses; none where it is not known which.
    pub(super) instances: FxHashMap<Span, Option<ConnectorTypeId>>,
}

struct Connect {
    name: Ident,
    /// The definition that it uses.
    connector: Option<ConnectorTypeId>,
    /// Whether it was reported that it is not known which instance of a definition it uses.
    is_unclear: bool,
    /// For how many indices it is repeated.
    indices: usize,
}

/// A port of a definition, as far as what stands there is concerned.
struct Wanted {
    connector: Symbol,
    name: Ident,
    is_family: bool,
    /// The sorts of its data.
    sorts: Vec<Sort>,
}

impl Wanted {
    fn of(connector: Symbol, port: &FormalDef) -> Wanted {
        Wanted {
            connector,
            name: port.name,
            is_family: port.family.is_some(),
            sorts: port.data.iter().map(|datum| datum.sort).collect(),
        }
    }
}

/// Ports with their places.
type Places = Vec<(Symbol, Symbol, Span)>;

impl Work<'_, '_> {
    // ---- which connectors there are ----

    /// Looks at all connectors of a net: who is a part of whom.
    pub fn see_connectors(&mut self, statements: &[ast::NetStatement]) {
        let connects = statements.iter().filter_map(|statement| match &statement.kind {
            NetStatementKind::Connect(connect) => Some(&**connect),
            _ => None,
        });
        let connects: Vec<&ast::ConnectDecl> = connects.collect();
        if connects.iter().all(|connect| connect.used.is_none()) {
            return;
        }
        for connect in &connects {
            let used = connect.used.as_deref();
            let found = used.and_then(|used| self.definition(used));
            let connector = found.and_then(|declared| match declared.meaning {
                Meaning::Connector(id) => Some(id),
                _ => None,
            });
            let (name, indices) = (connect.name, connect.repeat.len());
            let new = Connect { name, connector, is_unclear: false, indices };
            self.glue.connects.entry(name.name).or_insert(new);
        }
        let mut below: Vec<Vec<usize>> = Vec::with_capacity(connects.len());
        for connect in &connects {
            let mut names = Vec::new();
            let ports = connect.used.iter().flat_map(|used| &used.ports);
            ports.for_each(|port| each_owner(port, &mut |owner| names.push(owner)));
            names.retain(|name| {
                !self.part_ids.contains_key(name) && self.glue.connects.contains_key(name)
            });
            let at = |name: &Symbol| connects.iter().position(|one| one.name.name == *name);
            below.push(names.iter().filter_map(at).collect());
            self.glue.inner.extend(names);
        }
        let (order, has_cycles) = self.no_cycles(&connects, &below);
        self.called_once(&connects);
        // What a connector shows is known before those that use it are looked at.
        for connect in order.into_iter().map(|at| connects[at]) {
            self.see_instance(connect, has_cycles);
        }
    }

    /// Finds the instance that a use is of, where its definition is over sorts. In a circle, nothing is known.
    fn see_instance(&mut self, connect: &ast::ConnectDecl, has_cycles: bool) {
        let Some(used) = connect.used.as_deref() else { return };
        let Some(Meaning::Connector(id)) = self.definition(used).map(|found| found.meaning) else {
            return;
        };
        if self.body.sema.program.connectors[id.index()].over.is_empty() {
            return;
        }
        let instance = if has_cycles { None } else { self.taken_connector(used, id) };
        self.glue.instances.insert(used.span, instance);
        if let Some(known) = self.glue.connects.get_mut(&connect.name.name)
            && known.name.span == connect.name.span
        {
            (known.connector, known.is_unclear) = (instance, instance.is_none());
        }
    }

    /// The sorts of the data of a port that another connector shows, if it is known what that uses.
    pub(super) fn shown_sorts(&self, port: &ast::Port) -> Option<Vec<Sort>> {
        let owner = port.part.name.name;
        if self.part_ids.contains_key(&owner) {
            return None;
        }
        let connector = self.glue.connects.get(&owner)?.connector?;
        let shown = self.body.sema.program.connectors[connector.index()].shows.as_ref()?;
        let is_meant = shown.name.name == port.action.name;
        is_meant.then(|| shown.data.iter().map(|datum| datum.sort).collect())
    }

    /// Reports connectors that are parts of each other; all of them, each after those below it, and whether there was a circle.
    fn no_cycles(
        &mut self,
        connects: &[&ast::ConnectDecl],
        below: &[Vec<usize>],
    ) -> (Vec<usize>, bool) {
        let Topological { cycles, order } =
            graph::topological(connects.len(), |at| below[at].clone());
        let has_cycles = !cycles.is_empty();
        for cycle in cycles {
            let names = cycle.iter().chain(cycle.first());
            let names = names.map(|&at| connects[at].name.name.to_string()).collect();
            let span = cycle.first().map_or(Span::default(), |&at| connects[at].name.span);
            self.body.report(ConnectCycle { span, cycle: names });
        }
        (order, has_cycles)
    }

    /// Reports connectors that have the name of one whose port is used: it would not be clear whose.
    fn called_once(&mut self, connects: &[&ast::ConnectDecl]) {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for connect in connects {
            let Ident { name, span } = connect.name;
            if !self.glue.inner.contains(&name) {
                continue;
            }
            if let Some(&first) = seen.get(&name) {
                let (what, name) = ("connector".to_owned(), name.to_string());
                self.body.report(Duplicate { span, what, name, first });
            }
            seen.insert(name, span);
        }
    }

    // ---- one use ----

    /// A connector that uses a definition.
    pub fn connector_use(
        &mut self,
        connect: &ast::ConnectDecl,
        used: &ast::ConnectorUse,
        span: Span,
    ) -> Option<ConnectorDef> {
        let mark = self.body.enter();
        let first = self.body.locals.len();
        let failed = std::mem::replace(&mut self.body.failed, false);
        self.body.marks_in_connector(connect);
        let repeat = self.repeat(&connect.repeat);
        for family in &repeat {
            self.body.reads[family.index.index()] += 1;
        }
        let declared = self.find_connector(used);
        let id = match self.glue.instances.get(&used.span) {
            Some(instance) => *instance,
            None => declared,
        };
        let values = self.values_of_use(used, id);
        let mut parts = self.ends(used, id);
        let is_inner = self.glue.inner.contains(&connect.name.name);
        let (mut shows, seen) = match is_inner {
            true => {
                self.body.sema.occurs(connect.name, connect.name.span, NameKind::Joint);
                (Expr { kind: ExprKind::Tau, sort: Sort::Action, span }, Vec::new())
            }
            false => self.shown_by_use(connect, id),
        };
        let mut rivals: Vec<RivalDef> =
            connect.rivals.iter().map(|rival| self.rival(rival)).collect();
        self.body.strangers = Strangers::Unknown;
        self.body.leave(mark);
        self.body.settle(first);
        parts.iter_mut().for_each(|part| self.finish_part(part));
        self.body.finish(&mut shows);
        for rival in &mut rivals {
            self.finish_members(&mut rival.members);
            rival.guard.iter_mut().for_each(|guard| self.body.finish(guard));
        }
        parts.iter().for_each(|part| self.look_at_part(part));
        if !is_inner {
            let offer = offers::of_action(&shows, &offers::Offer::unclear());
            self.offer.extend(offer);
        }
        let broken = id.is_some_and(|id| self.body.sema.program.connectors[id.index()].has_errors);
        self.body.failed |= failed || broken || id.is_none();
        let use_def = UseDef { connector: id?, values, is_inner, seen, span: used.span };
        let (name, used, guard, transfer) = (connect.name, Some(use_def), None, Vec::new());
        Some(ConnectorDef { name, shows, parts, used, guard, transfer, rivals, repeat, span })
    }

    /// What the name of a definition means, in this module or in the one that it is reached through.
    fn definition(&mut self, used: &ast::ConnectorUse) -> Option<Declared> {
        let Some(module) = used.module else {
            return self.body.lookup_at(Space::Connectors, used.name);
        };
        let path = ast::Path { parts: vec![module, used.name] };
        match self.body.resolve(Space::Connectors, &path) {
            Resolved::Known(declared, ..) => Some(declared),
            _ => None,
        }
    }

    fn find_connector(&mut self, used: &ast::ConnectorUse) -> Option<ConnectorTypeId> {
        let ident = used.name;
        if let Some(declared) = self.definition(used)
            && let Meaning::Connector(id) = declared.meaning
        {
            return Some(id);
        }
        self.body.failed = true;
        if used.module.is_some() {
            let (span, name) = (ident.span, ident.name.to_string());
            self.body.report(UnknownConnector { span, name, similar: None });
        } else if !self.body.is_unparsed(ident.name) {
            let known = self.body.names_in(Space::Connectors, |_| true);
            let similar = self.body.sema.similar(ident.name, known);
            let excused = self.body.is_excused(similar.as_ref());
            if !excused && (similar.is_some() || !self.body.wrong_kind(ident, "a connector")) {
                let (span, name) = (ident.span, ident.name.to_string());
                self.body.report(UnknownConnector { span, name, similar });
            }
        }
        None
    }

    fn values_of_use(
        &mut self,
        used: &ast::ConnectorUse,
        id: Option<ConnectorTypeId>,
    ) -> Vec<Argument> {
        let Some(id) = id else { return Vec::new() };
        let def = &self.body.sema.program.connectors[id.index()];
        let (declared, wanted) = (def.named.span, def.parameters);
        let sorts: Vec<Sort> = def.locals.iter().take(wanted).map(|local| local.sort).collect();
        // Arguments that are sorts have been looked at.
        let over = def.over.as_slice();
        let all_written = over.len() == used.values.len();
        let is_value = |(at, _): &(usize, &ast::Expr)| {
            !all_written || over.get(*at).is_none_or(|one| *one == StandsFor::Value)
        };
        let written = used.values.iter().enumerate().filter(is_value);
        let written: Vec<&ast::Expr> = written.map(|(_, value)| value).collect();
        let (found, broken) = (written.len(), def.has_errors);
        if found != sorts.len() && !broken {
            let (name, declared) = (used.name.name.to_string(), Some(declared));
            let (span, expected) = (used.span, sorts.len());
            self.body.report(ValueCount { span, name, expected, found, declared });
        }
        let sorts = sorts.into_iter().chain(std::iter::repeat(Sort::Error));
        let values = written.into_iter().zip(sorts);
        values.map(|(value, sort)| self.argument(value, sort, declared)).collect()
    }

    // ---- what stands at the ports ----

    fn ends(
        &mut self,
        used: &ast::ConnectorUse,
        id: Option<ConnectorTypeId>,
    ) -> Vec<ConnectorPart> {
        let Some(id) = id else { return Vec::new() };
        let def = &self.body.sema.program.connectors[id.index()];
        if def.has_errors {
            self.body.failed = true;
            return Vec::new();
        }
        let wanted: Vec<Wanted> =
            def.ports.iter().map(|port| Wanted::of(def.named.name, port)).collect();
        let declared = def.named.span;
        if wanted.len() != used.ports.len() {
            let names = wanted.iter().map(|port| port.name.name.to_string()).collect();
            let (span, name, found) = (used.span, used.name.name.to_string(), used.ports.len());
            self.body.report(PortCount { span, name, found, names, declared });
            return Vec::new();
        }
        let mut seen = Places::new();
        let ends = used.ports.iter().zip(&wanted);
        ends.filter_map(|(port, wanted)| self.end(port, wanted, &mut seen)).collect()
    }

    fn end(
        &mut self,
        port: &ast::Connector,
        wanted: &Wanted,
        seen: &mut Places,
    ) -> Option<ConnectorPart> {
        let is_group = matches!(port.kind, ConnectorKind::Group(_) | ConnectorKind::Each(..));
        if is_group != wanted.is_family {
            let (span, name) = (port.span, wanted.name.name.to_string());
            let (family, declared) = (wanted.is_family, wanted.name.span);
            self.body.report(PortGroup { span, name, family, declared });
            return None;
        }
        self.end_inside(port, wanted, seen)
    }

    fn end_inside(
        &mut self,
        port: &ast::Connector,
        wanted: &Wanted,
        seen: &mut Places,
    ) -> Option<ConnectorPart> {
        if port.trigger {
            let mark = Span::new(port.span.end.saturating_sub(1), port.span.end);
            self.body.report(MisplacedTrigger { span: mark, in_use: true });
        }
        let kind = match &port.kind {
            ConnectorKind::Error | ConnectorKind::Formal(_) => {
                self.body.failed = true;
                return None;
            }
            ConnectorKind::Port(one) => self.single_end(one, wanted, seen)?,
            ConnectorKind::Group(all) => {
                let all = all.iter().filter_map(|one| self.end_inside(one, wanted, seen));
                ConnectorPartKind::Group(all.collect())
            }
            ConnectorKind::Each(all, repeat, condition) => {
                let (repeat, mark) = self.together(repeat);
                let all = all.iter().filter_map(|one| self.end_inside(one, wanted, seen));
                let all = all.collect();
                let condition = self.condition(condition.as_deref());
                self.body.forget(mark, repeat.len());
                ConnectorPartKind::Each(all, repeat, condition)
            }
        };
        Some(ConnectorPart { trigger: false, kind, span: port.span })
    }

    fn single_end(
        &mut self,
        port: &ast::Port,
        wanted: &Wanted,
        seen: &mut Places,
    ) -> Option<ConnectorPartKind> {
        let owner = port.part.name.name;
        let span = port.part.span.to(port.action.span);
        if let (Some(first), Some(last)) = (port.args.first(), port.args.last()) {
            let (span, name) = (first.span.to(last.span), wanted.name.name.to_string());
            let connector = wanted.connector.to_string();
            self.body.report(PortArguments { span, name, connector });
            return None;
        }
        let is_part = self.part_ids.contains_key(&owner);
        if !is_part && self.glue.connects.contains_key(&owner) {
            return self.shown_end(port, wanted);
        }
        if port.part.index.is_none() {
            let same = |(a, b, _): &&(Symbol, Symbol, Span)| (*a, *b) == (owner, port.action.name);
            if let Some((_, _, first)) = seen.iter().find(same) {
                let (name, first) = (format!("{owner}.{}", port.action.name), *first);
                self.body.report(PortTwice { span, name, first });
            }
            seen.push((owner, port.action.name, span));
        }
        let member = self.member(&port.part, |work| work.end_action(port, wanted))?;
        Some(ConnectorPartKind::Port(member))
    }

    /// The action at a port of a definition: it has an argument for each variable.
    fn end_action(&mut self, port: &ast::Port, wanted: &Wanted) -> Expr {
        let span = port.action.span;
        let declared = self.body.lookup(Space::Values, port.action.name);
        let arity = wanted.sorts.len();
        if let Some(Meaning::Actions(all)) = declared.map(|declared| declared.meaning)
            && all.iter().all(|(one, _)| *one != arity)
        {
            all.iter().for_each(|(_, id)| self.body.use_action(*id));
            let found = all.iter().map(|(one, _)| *one).collect();
            self.port_sort(span, port, wanted, Err(found));
            return Expr::error(span);
        }
        let Some(id) = self.body.find_action(port.action, arity) else { return Expr::error(span) };
        self.body.use_action(id);
        let sorts = self.body.sema.program.actions[id.index()].sorts.clone();
        for (at, (&found, &expected)) in sorts.iter().zip(&wanted.sorts).enumerate() {
            if !self.body.unify(found, expected) {
                self.port_sort(span, port, wanted, Ok((at, expected, found)));
                return Expr::error(span);
            }
        }
        let any = |sort: Sort| Expr { kind: ExprKind::Wildcard, sort: base(sort), span };
        let args = sorts.into_iter().map(any).collect();
        Expr { kind: ExprKind::Act(id, args), sort: Sort::Action, span }
    }

    fn port_sort(
        &mut self,
        span: Span,
        port: &ast::Port,
        wanted: &Wanted,
        found: Result<(usize, Sort, Sort), Vec<usize>>,
    ) {
        let program = &self.body.sema.program;
        let differs = found.map(|(at, expected, found)| {
            (at + 1, program.sort_name(expected), program.sort_name(found))
        });
        self.body.report(PortSort {
            span,
            action: port.action.name.to_string(),
            port: wanted.name.name.to_string(),
            connector: wanted.connector.to_string(),
            expected: wanted.sorts.len(),
            differs,
            declared: wanted.name.span,
        });
    }

    /// `m.top`: the port that another connector shows.
    fn shown_end(&mut self, port: &ast::Port, wanted: &Wanted) -> Option<ConnectorPartKind> {
        let owner = port.part.name;
        let index = port.part.index.as_ref();
        let index = index.map(|index| self.body.expr_of(index, Sort::Int, None));
        let connect = &self.glue.connects[&owner.name];
        let (declared, indices, connector) = (connect.name, connect.indices, connect.connector);
        if connect.is_unclear {
            self.body.failed = true;
            return None;
        }
        let Some(connector) = connector else {
            if self.body.sema.program.connectors.is_empty() || !self.is_use(owner.name) {
                self.unknown_shown(port, None, declared.span);
            }
            self.body.failed = true;
            return None;
        };
        let def = &self.body.sema.program.connectors[connector.index()];
        let Some(shown) = def.shows.as_ref().filter(|one| one.name.name == port.action.name) else {
            if def.has_errors {
                self.body.failed = true;
                return None;
            }
            let meant = def.shows.as_ref().map(|one| one.name.name.to_string());
            self.unknown_shown(port, meant, declared.span);
            return None;
        };
        let (sorts, port_name): (Vec<Sort>, Ident) =
            (shown.data.iter().map(|datum| datum.sort).collect(), shown.name);
        self.body.sema.occurs(owner, declared.span, NameKind::Joint);
        self.body.names_port(port.action, port_name);
        if (indices > 0) != index.is_some() || indices > 1 {
            let (name, family) = (owner.name.to_string(), indices > 0);
            let (span, declared) = (port.part.span, Some(declared.span));
            self.body.report(FamilyIndex { span, name, family, declared });
            return None;
        }
        if sorts.len() != wanted.sorts.len() {
            self.port_sort(port.action.span, port, wanted, Err(vec![sorts.len()]));
            return None;
        }
        for (at, (&found, &expected)) in sorts.iter().zip(&wanted.sorts).enumerate() {
            if !self.body.unify(found, expected) {
                self.port_sort(port.action.span, port, wanted, Ok((at, expected, found)));
                return None;
            }
        }
        Some(ConnectorPartKind::Shown(owner.name, index))
    }

    /// Whether a connector uses some definition, known or not.
    fn is_use(&self, name: Symbol) -> bool {
        self.glue.connects.get(&name).is_some_and(|connect| connect.connector.is_some())
    }

    fn unknown_shown(&mut self, port: &ast::Port, meant: Option<String>, declared: Span) {
        let (span, name) = (port.action.span, port.action.name.to_string());
        let owner = port.part.name.name.to_string();
        self.body.report(UnknownShownPort { span, name, owner, meant, declared });
    }

    // ---- what is shown ----

    /// The action that a use shows; its data are those of the definition's ports.
    fn shown_by_use(
        &mut self,
        connect: &ast::ConnectDecl,
        id: Option<ConnectorTypeId>,
    ) -> (Expr, Vec<(Option<usize>, usize, LocalId)>) {
        let mut seen = Vec::new();
        if let Some(id) = id.filter(|_| !connect.exports.is_empty()) {
            let def = &self.body.sema.program.connectors[id.index()];
            let mut all: Vec<(Option<usize>, PortNames, Vec<Sort>)> = Vec::new();
            for (at, port) in def.ports.iter().enumerate() {
                let sorts = port.data.iter().map(|datum| base(datum.sort)).collect();
                all.push((Some(at), port.names(false), sorts));
            }
            if let Some(shown) = &def.shows {
                let sorts = shown.data.iter().map(|datum| base(datum.sort)).collect();
                all.push((None, shown.names(true), sorts));
            }
            let mut names = Vec::with_capacity(all.len());
            for (at, mut port, sorts) in all {
                for (datum, ((name, local, _), sort)) in port.data.iter_mut().zip(sorts).enumerate()
                {
                    // The data of a family is read at an index.
                    let sort = match port.is_family {
                        true => self.body.sema.array(Sort::Int, sort),
                        false => sort,
                    };
                    *local = self.body.anonymous(name.span, sort, LocalKind::VectorData);
                    let text = format!("{}.{}", port.name.name, name.name);
                    self.body.locals[local.index()].name = Symbol::new(&text);
                    seen.push((at, datum, *local));
                }
                names.push(port);
            }
            self.body.ports = Some(Ports { all: names, reading: Reading::Shown, read: Vec::new() });
        }
        self.body.strangers = Strangers::UnboundInResult;
        let known = self.body.sema.problems.len();
        let shows = self.shown(connect);
        self.body.ports = None;
        // Where it is not known what is used, nothing can be said of its data.
        if id.is_none() && !connect.exports.is_empty() {
            self.body.sema.problems.truncate(known);
        }
        (shows, seen)
    }
}

fn each_owner(port: &ast::Connector, visit: &mut dyn FnMut(Symbol)) {
    match &port.kind {
        ConnectorKind::Error | ConnectorKind::Formal(_) => {}
        ConnectorKind::Port(port) => visit(port.part.name.name),
        ConnectorKind::Group(all) | ConnectorKind::Each(all, ..) => {
            all.iter().for_each(|one| each_owner(one, visit));
        }
    }
}
