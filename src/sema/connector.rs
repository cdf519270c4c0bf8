//! Connectors and priorities: the BIP layer of a net.

use rustc_hash::FxHashMap;

use super::body::Strangers;
use super::net::Work;
use super::offers::{self, Certainty, Head, Offer};
use super::problems::{PortTwice, PriorityCycle, TransferTarget, UnknownInteraction};
use super::program::{
    ActionId, Component, ConnectorDef, ConnectorPart, ConnectorPartKind, Expr, ExprKind, LocalId,
    LocalKind, MemberDef, NetBlock, NetBody, Sort,
};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, ConnectorKind, Ident};

/// The ports of a part of a connector.
fn all_ports<'c>(part: &'c ConnectorPart, found: &mut Vec<&'c MemberDef>) {
    match &part.kind {
        ConnectorPartKind::Port(member) => found.push(member),
        ConnectorPartKind::Group(parts) | ConnectorPartKind::Each(parts, _) => {
            parts.iter().for_each(|part| all_ports(part, found));
        }
    }
}

impl Work<'_, '_> {
    /// A connector.
    pub fn connector(&mut self, connect: &ast::ConnectDecl, span: Span) -> Option<ConnectorDef> {
        let mark = self.body.enter();
        let first = self.body.locals.len();
        let failed = std::mem::replace(&mut self.body.failed, false);
        self.body.marks_in_connector(connect);
        let repeat = self.repeat(&connect.repeat);
        self.body.strangers = Strangers::Variables;
        let mut ports: Vec<(Symbol, Symbol, Option<Span>, Span)> = Vec::new();
        let mut parts: Vec<ConnectorPart> =
            connect.parts.iter().filter_map(|part| self.connector_part(part, &mut ports)).collect();
        self.body.strangers = Strangers::UnboundInGuard;
        let mut guard = connect.guard.as_ref().map(|guard| self.body.guard(guard));
        let mut transfer = self.transfer(&connect.transfer);
        self.body.strangers = Strangers::UnboundInResult;
        let mut shows = self.shown(connect);
        self.body.strangers = Strangers::Unknown;
        self.body.leave(mark);
        self.body.settle(first);
        parts.iter_mut().for_each(|part| self.finish_part(part));
        guard.iter_mut().for_each(|guard| self.body.finish(guard));
        transfer.iter_mut().for_each(|(_, value)| self.body.finish(value));
        self.body.finish(&mut shows);
        let mut ports: Vec<&MemberDef> = Vec::new();
        parts.iter().for_each(|part| all_ports(part, &mut ports));
        self.unbound_indices(&ports);
        if !self.body.failed {
            self.single_uses(first);
        }
        for part in &parts {
            self.look_at_part(part);
        }
        let offer = offers::of_action(&shows, &offers::Offer::unclear());
        self.offer.extend(offer);
        self.body.failed |= failed;
        Some(ConnectorDef { name: connect.name, shows, parts, guard, transfer, repeat, span })
    }

    fn connector_part(
        &mut self,
        part: &ast::Connector,
        ports: &mut Vec<(Symbol, Symbol, Option<Span>, Span)>,
    ) -> Option<ConnectorPart> {
        let kind = match &part.kind {
            ConnectorKind::Error => {
                self.body.failed = true;
                return None;
            }
            ConnectorKind::Port(port) => ConnectorPartKind::Port(self.port(port, ports)?),
            ConnectorKind::Group(parts) => ConnectorPartKind::Group(
                parts.iter().filter_map(|part| self.connector_part(part, ports)).collect(),
            ),
            ConnectorKind::Each(parts, repeat) => {
                let (repeat, mark) = self.together(repeat);
                let parts = parts.iter().filter_map(|part| self.connector_part(part, ports));
                let parts = parts.collect();
                self.body.forget(mark, repeat.len());
                ConnectorPartKind::Each(parts, repeat)
            }
        };
        Some(ConnectorPart { trigger: part.trigger, kind, span: part.span })
    }

    fn port(
        &mut self,
        port: &ast::Port,
        ports: &mut Vec<(Symbol, Symbol, Option<Span>, Span)>,
    ) -> Option<MemberDef> {
        let (part, action) = (port.part.name.name, port.action.name);
        let indexed = port.part.index.as_ref().map(|index| index.span);
        let span = port.part.span.to(port.action.span);
        let same = ports.iter().find(|(a, b, index, _)| {
            (*a, *b) == (part, action) && index.is_none() && indexed.is_none()
        });
        if let Some((_, _, _, first)) = same {
            let (name, first) = (format!("{part}.{action}"), *first);
            self.body.report(PortTwice { span, name, first });
        }
        ports.push((part, action, indexed, span));
        self.member(&port.part, |work| work.port_action(port))
    }

    /// The action of a port; its arguments are patterns, as in a vector.
    fn port_action(&mut self, port: &ast::Port) -> Expr {
        let id = self.body.find_action(port.action, port.args.len());
        if let Some(id) = id {
            self.body.use_action(id);
        }
        let sorts = match id {
            Some(id) => self.body.sema.program.actions[id.index()].sorts.clone(),
            None => vec![Sort::Error; port.args.len()],
        };
        let args = port.args.iter().zip(sorts).map(|(arg, sort)| match arg.kind {
            ast::ExprKind::Wildcard => Expr { kind: ExprKind::Wildcard, sort, span: arg.span },
            _ => {
                let value = self.body.expr_of(arg, sort, None);
                self.body.check_range(&value, sort, None);
                value
            }
        });
        let args: Vec<Expr> = args.collect();
        let span = port.action.span;
        match id {
            Some(id) => Expr { kind: ExprKind::Act(id, args), sort: Sort::Action, span },
            None => Expr::error(span),
        }
    }

    /// The action that the connector shows: its name, with what it exports.
    fn shown(&mut self, connect: &ast::ConnectDecl) -> Expr {
        let id = self.body.find_action(connect.name, connect.exports.len());
        let sorts = match id {
            Some(id) => self.body.sema.program.actions[id.index()].sorts.clone(),
            None => vec![Sort::Error; connect.exports.len()],
        };
        let exports = connect.exports.iter().zip(sorts);
        let args: Vec<Expr> =
            exports.map(|(export, sort)| self.body.expr_of(export, sort, None)).collect();
        let span = connect.name.span;
        match id {
            Some(id) => {
                self.body.use_action(id);
                Expr { kind: ExprKind::Act(id, args), sort: Sort::Action, span }
            }
            None => Expr::error(span),
        }
    }

    fn transfer(&mut self, transfer: &[ast::Assignment]) -> Vec<(LocalId, Expr)> {
        let mut done: Vec<(LocalId, Expr)> = Vec::with_capacity(transfer.len());
        let mut places: FxHashMap<LocalId, Span> = FxHashMap::default();
        for assignment in transfer {
            let ident = assignment.target;
            let target = self
                .body
                .local(ident.name)
                .filter(|id| self.body.locals[id.index()].kind == LocalKind::VectorData);
            let Some(target) = target else {
                self.body.expr(&assignment.value);
                if !self.body.is_unparsed(ident.name) {
                    let name = ident.name.to_string();
                    self.body.report(TransferTarget { span: ident.span, name });
                }
                continue;
            };
            self.body.reads[target.index()] += 1;
            if let Some(&first) = places.get(&target) {
                let name = ident.name.to_string();
                self.body.report(super::problems::AssignedTwice { span: ident.span, name, first });
            }
            places.insert(target, ident.span);
            let sort = self.body.locals[target.index()].sort;
            let value = self.body.expr_of(&assignment.value, sort, None);
            done.push((target, value));
        }
        done
    }

    fn finish_part(&mut self, part: &mut ConnectorPart) {
        match &mut part.kind {
            ConnectorPartKind::Port(member) => {
                self.finish_members(std::slice::from_mut(member));
            }
            ConnectorPartKind::Group(parts) | ConnectorPartKind::Each(parts, _) => {
                parts.iter_mut().for_each(|part| self.finish_part(part));
            }
        }
    }

    fn look_at_part(&mut self, part: &ConnectorPart) {
        match &part.kind {
            ConnectorPartKind::Port(member) => self.look_at_members(std::slice::from_ref(member)),
            ConnectorPartKind::Group(parts) | ConnectorPartKind::Each(parts, _) => {
                parts.iter().for_each(|part| self.look_at_part(part));
            }
        }
    }

    // ---- priorities ----

    /// A priority statement.
    pub fn priority(&mut self, priority: &ast::Priority, span: Span, block: &mut NetBlock) {
        let orders = match priority {
            ast::Priority::Maximal => {
                block.maximal = block.maximal.or(Some(span));
                return;
            }
            ast::Priority::Order(orders) => orders,
        };
        let known = self.interactions(block);
        let shown = self.shown_members(block);
        for order in orders {
            let all_known =
                order.iter().filter(|ident| self.is_interaction(**ident, (&known, &shown), block));
            let all_known = all_known.count();
            if all_known < order.len() {
                continue;
            }
            for pair in order.windows(2) {
                let [low, high] = pair else { continue };
                if let Some(cycle) = path_between(&self.higher, high.name, low.name) {
                    let cycle = cycle.into_iter().chain([high.name]).map(|name| name.to_string());
                    let cycle = cycle.collect();
                    self.body.report(PriorityCycle { span: high.span, cycle });
                    continue;
                }
                self.higher.entry(low.name).or_default().push(high.name);
                block.priorities.push((*low, *high));
            }
        }
    }

    /// The names that a priority can use.
    fn interactions(&self, block: &NetBlock) -> Vec<Symbol> {
        let connectors = block.connectors.iter().map(|connector| connector.name.name);
        let program = &self.body.sema.program;
        let vectors = block.vectors.iter().filter_map(|vector| {
            let shown = match &vector.result.kind {
                ExprKind::Sync(inner) | ExprKind::Co(inner) => &inner.kind,
                other => other,
            };
            match shown {
                ExprKind::Act(id, _) => Some(program.actions[id.index()].named.name),
                _ => None,
            }
        });
        connectors.chain(vectors).collect()
    }

    /// The part whose net has an interaction of this name, and that net.
    fn inside(&self, name: Symbol, block: &NetBlock) -> Option<(String, String)> {
        block.subs.iter().find_map(|sub| {
            let Component::Net(id) = sub.instance.component else { return None };
            let net = &self.body.sema.program.nets[id.index()];
            let NetBody::Block(inner) = &net.body else { return None };
            let has = self.interactions(inner).contains(&name);
            has.then(|| (sub.name.name.to_string(), net.named.name.to_string()))
        })
    }

    /// What vectors can show that show what a member does.
    fn shown_members(&self, block: &NetBlock) -> Offer {
        let mut all = Offer::default();
        for vector in &block.vectors {
            let shown = match &vector.result.kind {
                ExprKind::Sync(inner) | ExprKind::Co(inner) => &inner.kind,
                other => other,
            };
            let ExprKind::Local(id) = shown else { continue };
            let binding = vector.members.iter().find(|member| match &member.action.kind {
                ExprKind::Local(bound) => bound == id,
                _ => false,
            });
            all.extend(match binding {
                Some(member) => self.parts[member.part.index()].offer.clone(),
                None => Offer::unclear(),
            });
        }
        all
    }

    /// Whether the net may show an action of this name through a variable.
    fn may_be_shown(&self, name: Symbol, shown: &Offer) -> bool {
        let actions = self.body.sema.program.actions.iter().enumerate();
        let mut called = actions.filter(|(_, action)| action.named.name == name);
        called.any(|(index, _)| {
            let id = ActionId(index as u32);
            let heads = [Head::Plain(id), Head::Co(id)];
            heads.into_iter().any(|head| shown.has(head) != Certainty::No)
        })
    }

    fn is_interaction(
        &mut self,
        ident: Ident,
        (known, shown): (&[Symbol], &Offer),
        block: &NetBlock,
    ) -> bool {
        if known.contains(&ident.name) || self.may_be_shown(ident.name, shown) {
            return true;
        }
        self.body.failed = true;
        if !self.body.is_unparsed(ident.name) {
            let similar =
                self.body.sema.similar(ident.name, known.iter().map(|name| name.as_str()));
            let name = ident.name.to_string();
            let inside = if similar.is_none() { self.inside(ident.name, block) } else { None };
            self.body.report(UnknownInteraction { span: ident.span, name, similar, inside });
        }
        false
    }
}

/// The names from `from` up to `to`, along `low < high`, both included.
fn path_between(
    higher: &FxHashMap<Symbol, Vec<Symbol>>,
    from: Symbol,
    to: Symbol,
) -> Option<Vec<Symbol>> {
    let mut came_from: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if at == to {
            let mut path = vec![at];
            let mut at = at;
            while at != from {
                at = came_from[&at];
                path.push(at);
            }
            path.reverse();
            return Some(path);
        }
        for &high in higher.get(&at).into_iter().flatten() {
            if high != from && !came_from.contains_key(&high) {
                came_from.insert(high, at);
                work.push(high);
            }
        }
    }
    None
}
