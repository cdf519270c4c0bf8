//! Connectors and priorities: the BIP layer of a net.

use rustc_hash::FxHashMap;

use super::body::Strangers;
use super::net::Work;
use super::offers::{self, Certainty, Head, Offer};
use super::problems::{PortTwice, PriorityCycle, TransferTarget, UnknownInteraction};
use super::program::{
    ActionId, Component, ConnectorDef, ConnectorPart, ConnectorPartKind, Expr, ExprKind, LocalId,
    LocalKind, MemberDef, NetBlock, NetBody, OrderedDef, OrderedDefKind, PriorityDef, RivalDef,
    Sort,
};
use super::scope::Space;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, ConnectorKind, Ident, OrderedKind};
use crate::syntax::print::print_order;

/// The ports of a part of a connector.
fn all_ports<'c>(part: &'c ConnectorPart, found: &mut Vec<&'c MemberDef>) {
    match &part.kind {
        ConnectorPartKind::Port(member) => found.push(member),
        ConnectorPartKind::Shown(..) => {}
        ConnectorPartKind::Group(parts) | ConnectorPartKind::Each(parts, ..) => {
            parts.iter().for_each(|part| all_ports(part, found));
        }
    }
}

/// The conditions of brackets in a part of a connector, and the ports that are in none.
fn in_brackets<'c>(
    part: &'c ConnectorPart,
    (conditions, outside): (&mut Vec<&'c Expr>, &mut Vec<&'c MemberDef>),
) {
    match &part.kind {
        ConnectorPartKind::Port(member) => outside.push(member),
        ConnectorPartKind::Shown(..) => {}
        ConnectorPartKind::Group(parts) => {
            parts.iter().for_each(|part| in_brackets(part, (conditions, outside)));
        }
        ConnectorPartKind::Each(parts, _, condition) => {
            conditions.extend(condition);
            let mut inside = Vec::new();
            parts.iter().for_each(|part| in_brackets(part, (conditions, &mut inside)));
        }
    }
}

impl Work<'_, '_> {
    /// A connector.
    pub fn connector(&mut self, connect: &ast::ConnectDecl, span: Span) -> Option<ConnectorDef> {
        if let Some(used) = &connect.used {
            return self.connector_use(connect, used, span);
        }
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
        let mut rivals: Vec<RivalDef> =
            connect.rivals.iter().map(|rival| self.rival(rival)).collect();
        self.body.strangers = Strangers::Unknown;
        self.body.leave(mark);
        self.body.settle(first);
        parts.iter_mut().for_each(|part| self.finish_part(part));
        guard.iter_mut().for_each(|guard| self.body.finish(guard));
        transfer.iter_mut().for_each(|(_, value)| self.body.finish(value));
        self.body.finish(&mut shows);
        for rival in &mut rivals {
            self.finish_members(&mut rival.members);
            rival.guard.iter_mut().for_each(|guard| self.finish_guard_of_parts(guard));
        }
        let mut ports: Vec<&MemberDef> = Vec::new();
        parts.iter().for_each(|part| all_ports(part, &mut ports));
        self.unbound_indices(&ports);
        let (mut conditions, mut outside) = (Vec::new(), Vec::new());
        parts.iter().for_each(|part| in_brackets(part, (&mut conditions, &mut outside)));
        for condition in conditions {
            self.unbound_condition(Some(condition), &outside, &[]);
        }
        for member in rivals.iter().flat_map(|rival| &rival.members) {
            self.unbound_condition(member.condition.as_ref(), &outside, &rivals);
        }
        if !self.body.failed {
            self.single_uses(first);
        }
        for part in &parts {
            self.look_at_part(part);
        }
        let offer = offers::of_action(&shows, &offers::Offer::unclear());
        self.offer.extend(offer);
        self.body.failed |= failed;
        let name = connect.name;
        let used = None;
        Some(ConnectorDef { name, shows, parts, used, guard, transfer, rivals, repeat, span })
    }

    fn connector_part(
        &mut self,
        part: &ast::Connector,
        ports: &mut Vec<(Symbol, Symbol, Option<Span>, Span)>,
    ) -> Option<ConnectorPart> {
        let kind = match &part.kind {
            ConnectorKind::Error | ConnectorKind::Formal(_) => {
                self.body.failed = true;
                return None;
            }
            ConnectorKind::Port(port) => ConnectorPartKind::Port(self.port(port, ports)?),
            ConnectorKind::Group(parts) => ConnectorPartKind::Group(
                parts.iter().filter_map(|part| self.connector_part(part, ports)).collect(),
            ),
            ConnectorKind::Each(parts, repeat, condition) => {
                let (repeat, mark) = self.together(repeat);
                let parts = parts.iter().filter_map(|part| self.connector_part(part, ports));
                let parts = parts.collect();
                let condition = self.condition(condition.as_deref());
                self.body.forget(mark, repeat.len());
                ConnectorPartKind::Each(parts, repeat, condition)
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
        if let Some((_, _, _, first)) = same.filter(|_| !self.is_made) {
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
    pub(super) fn shown(&mut self, connect: &ast::ConnectDecl) -> Expr {
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
            self.body.names_local(target, ident.span);
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

    pub(super) fn finish_part(&mut self, part: &mut ConnectorPart) {
        match &mut part.kind {
            ConnectorPartKind::Shown(_, index) => {
                index.iter_mut().for_each(|index| self.body.finish(index));
            }
            ConnectorPartKind::Port(member) => {
                self.finish_members(std::slice::from_mut(member));
            }
            ConnectorPartKind::Group(parts) => {
                parts.iter_mut().for_each(|part| self.finish_part(part));
            }
            ConnectorPartKind::Each(parts, _, condition) => {
                parts.iter_mut().for_each(|part| self.finish_part(part));
                condition.iter_mut().for_each(|condition| self.body.finish(condition));
            }
        }
    }

    pub(super) fn look_at_part(&mut self, part: &ConnectorPart) {
        match &part.kind {
            ConnectorPartKind::Shown(..) => {}
            ConnectorPartKind::Port(member) => self.look_at_members(std::slice::from_ref(member)),
            ConnectorPartKind::Group(parts) | ConnectorPartKind::Each(parts, ..) => {
                parts.iter().for_each(|part| self.look_at_part(part));
            }
        }
    }

    // ---- priorities ----

    /// A priority statement.
    pub fn priority(&mut self, priority: &ast::Priority, span: Span, block: &mut NetBlock) {
        let order = match priority {
            ast::Priority::Maximal => {
                block.maximal = block.maximal.or(Some(span));
                return;
            }
            ast::Priority::Order(order) => order,
        };
        let known = self.interactions(block);
        let shown = self.shown_members(block);
        let mark = self.body.enter();
        let first = self.body.locals.len();
        let repeat = self.repeat(&order.repeat);
        let mut orders = Vec::with_capacity(order.orders.len());
        for chain in &order.orders {
            let all: Vec<Option<OrderedDef>> =
                chain.iter().map(|one| self.ordered(one, (&known, &shown), block)).collect();
            let Some(all) = all.into_iter().collect::<Option<Vec<OrderedDef>>>() else { continue };
            orders.push(all);
        }
        let mut guard = order.guard.as_ref().map(|guard| self.guard_of_parts(guard));
        self.body.leave(mark);
        self.body.settle(first);
        guard.iter_mut().for_each(|guard| self.finish_guard_of_parts(guard));
        for one in orders.iter_mut().flatten() {
            match &mut one.kind {
                OrderedDefKind::Act(_, args) => {
                    args.iter_mut().for_each(|arg| self.body.finish(arg))
                }
                OrderedDefKind::Ports(_, ports) => {
                    ports.iter_mut().for_each(|(port, _)| {
                        port.index.iter_mut().for_each(|index| self.body.finish(index));
                    });
                }
                OrderedDefKind::Name(_) | OrderedDefKind::Tau | OrderedDefKind::All => {}
            }
        }
        let text = Symbol::new(&print_order(order));
        let def = PriorityDef { orders, guard, repeat, text };
        self.no_circle(&def);
        block.priorities.push(def);
    }

    /// Reports names that would have to wait for themselves.
    fn no_circle(&mut self, def: &PriorityDef) {
        if def.guard.is_some() {
            return;
        }
        for pair in def.orders.iter().flat_map(|order| order.windows(2)) {
            let [low, high] = pair else { continue };
            let (OrderedDefKind::Name(from), OrderedDefKind::Name(to)) = (&low.kind, &high.kind)
            else {
                continue;
            };
            if let Some(cycle) = path_between(&self.higher, *to, *from) {
                let cycle = cycle.into_iter().chain([*to]).map(|name| name.to_string());
                let cycle = cycle.collect();
                self.body.report(PriorityCycle { span: high.span, cycle });
                continue;
            }
            self.higher.entry(*from).or_default().push(*to);
        }
    }

    /// What a priority orders.
    fn ordered(
        &mut self,
        ordered: &ast::Ordered,
        known: (&[Symbol], &Offer),
        block: &NetBlock,
    ) -> Option<OrderedDef> {
        let kind = match &ordered.kind {
            OrderedKind::Tau => OrderedDefKind::Tau,
            OrderedKind::All => OrderedDefKind::All,
            OrderedKind::Named(name, args) => {
                if !self.is_interaction(*name, known, block) {
                    return None;
                }
                match args.is_empty() {
                    true => OrderedDefKind::Name(name.name),
                    false => self.ordered_action(*name, args)?,
                }
            }
            OrderedKind::Ports(name, ports) => {
                let named = self.is_interaction(*name, known, block);
                let mut all = Vec::with_capacity(ports.len());
                for port in ports {
                    let any = |_: &mut Self| Expr {
                        kind: ExprKind::Wildcard,
                        sort: Sort::Action,
                        span: port.action.span,
                    };
                    self.body.lookup_at(Space::Values, port.action);
                    all.push((self.member(&port.part, any)?, port.action.name));
                }
                if !named {
                    return None;
                }
                OrderedDefKind::Ports(name.name, all)
            }
        };
        Some(OrderedDef { kind, span: ordered.span })
    }

    /// An action with arguments: values, or `_` for any.
    fn ordered_action(&mut self, name: Ident, args: &[ast::Expr]) -> Option<OrderedDefKind> {
        let id = self.body.find_action(name, args.len())?;
        let sorts = self.body.sema.program.actions[id.index()].sorts.clone();
        let args = args.iter().zip(sorts).map(|(arg, sort)| match arg.kind {
            ast::ExprKind::Wildcard => Expr { kind: ExprKind::Wildcard, sort, span: arg.span },
            _ => self.body.expr_of(arg, sort, None),
        });
        Some(OrderedDefKind::Act(id, args.collect()))
    }

    /// The names that a priority can use.
    fn interactions(&self, block: &NetBlock) -> Vec<Symbol> {
        let connectors = block.connectors.iter().filter(|connector| !connector.is_inner());
        let connectors = connectors.map(|connector| connector.name.name);
        let program = &self.body.sema.program;
        let vectors = block.vectors.iter().filter_map(|vector| shown_by(&vector.result));
        connectors.chain(vectors.map(|id| program.actions[id.index()].named.name)).collect()
    }

    /// The action of this name that the net shows, whose arity may be any.
    fn shown_as(&self, name: Symbol, block: &NetBlock) -> Option<ActionId> {
        let connectors = block.connectors.iter().map(|connector| &connector.shows);
        let mut shown = connectors.chain(block.vectors.iter().map(|vector| &vector.result));
        let program = &self.body.sema.program;
        let is_it = |id: &ActionId| program.actions[id.index()].named.name == name;
        shown.find_map(|one| shown_by(one).filter(is_it))
    }

    /// The part whose net has an interaction of this name, and that net.
    fn inside(&self, name: Symbol, block: &NetBlock) -> Option<(String, String)> {
        let parts = block.subs.iter().flat_map(|sub| sub.instances().map(move |one| (sub, one)));
        parts.into_iter().find_map(|(sub, instance)| {
            let Component::Net(id) = instance.component else { return None };
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
        if known.contains(&ident.name)
            || self.also_known.contains(&ident.name)
            || self.may_be_shown(ident.name, shown)
        {
            self.body.lookup_at(Space::Values, ident);
            // Of several actions of one name, it is that of the interaction.
            if let Some(id) = self.shown_as(ident.name, block) {
                self.body.sema.names_action(ident, id);
            }
            return true;
        }
        if self.is_made {
            return false;
        }
        self.body.failed = true;
        if !self.body.is_unparsed(ident.name) {
            let similar =
                self.body.sema.similar(ident.name, known.iter().map(|name| name.as_str()));
            let name = ident.name.to_string();
            let inside = if similar.is_none() { self.inside(ident.name, block) } else { None };
            let (span, process) = (ident.span, None);
            self.body.report(UnknownInteraction { span, name, similar, inside, process });
        }
        false
    }
}

/// The action that is shown, if it is one that is called by its name.
fn shown_by(shown: &Expr) -> Option<ActionId> {
    match &shown.kind {
        ExprKind::Act(id, _) => Some(*id),
        ExprKind::Sync(inner) | ExprKind::Co(inner) => shown_by(inner),
        _ => None,
    }
}

/// The names from `from` up to `to`, along `low < high`, both included.
pub(super) fn path_between(
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
