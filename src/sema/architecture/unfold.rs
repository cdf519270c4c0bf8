//! Unfoldings as nets: the components of a tree of rules as sub-nets, and the vectors, connectors and priorities of its
//! rules between them.
//!
//! The net is made as a tree of the text, whose parts stand where the rules do, and is checked as if somebody had written it;
//! what is to be said about the rules was said before.

use std::collections::BTreeSet;

use itertools::Itertools;
use rustc_hash::FxHashSet;

use super::def::{ArchitectureDef, NeverFormula, NeverTest};
use super::has_error;
use crate::base::budget::{self, Budget};
use crate::diagnostics::{Span, Symbol};
use crate::parametric::{PatternInstance, Unfolding, Unfoldings, profiles};
use crate::sema::Sema;
use crate::sema::leaves::{LeafTest, leaves_of};
use crate::sema::net;
use crate::sema::problems::{NoUnfolding, SeveralUnfoldings, SizeTooLarge};
use crate::sema::program::{
    ArchitectureId, Expr, ExprKind, ModuleId, Named, NetDef, NetId, Sort, StateId, UnfoldedFrom,
};
use crate::syntax::ast::{
    self, ConnectorKind, Ident, NetStatement, NetStatementKind, RuleDecl, RuleKind,
    RuleStatementKind,
};

/// Larger unfoldings are refused.
pub const MOST_COMPONENTS: usize = 1_000;

/// More trees of one size are not counted.
pub const MOST_TREES: usize = 10_000;

/// So many unfoldings of one size are listed in a message.
const SOME: usize = 6;

/// More choices of components for one vector are not looked at.
const MOST_CHOICES: usize = 256;

impl Sema<'_> {
    /// The net of an unfolding: that with so many components, or the one with this number among them.
    pub(in crate::sema) fn unfolding(
        &mut self,
        id: ArchitectureId,
        (size, number): (usize, Option<usize>),
        span: Span,
    ) -> Option<NetId> {
        let named = self.program.architectures[id.index()].named;
        let name = named.name.to_string();
        if size > MOST_COMPONENTS {
            self.report(SizeTooLarge { span, name, most: MOST_COMPONENTS });
            return None;
        }
        let facts = &self.architecture_facts[id.index()];
        let (all, complete) = {
            let mut unfoldings = Unfoldings::new(&facts.profiles, MOST_TREES);
            (unfoldings.of_size(size, &budget::here()), unfoldings.is_complete())
        };
        let shown = || all.iter().take(SOME).map(|one| shown(facts, one)).collect::<Vec<_>>();
        match number {
            None if all.is_empty() => {
                let sizes = self.sizes(id, size);
                self.report(NoUnfolding { span, name, size, number, count: 0, sizes });
                None
            }
            None if all.len() > 1 => {
                let (shown, count) = (shown(), all.len());
                self.report(SeveralUnfoldings { span, name, size, count, complete, shown });
                None
            }
            Some(_) if !complete => {
                let (shown, count) = (shown(), all.len());
                self.report(SeveralUnfoldings { span, name, size, count, complete, shown });
                None
            }
            Some(at) if at >= all.len() => {
                let (sizes, count) = (self.sizes(id, size), all.len());
                self.report(NoUnfolding { span, name, size, number, count, sizes });
                None
            }
            number => {
                let number = number.unwrap_or(0);
                Some(self.unfolded_net(id, (size, number), &all[number]))
            }
        }
    }

    /// The sizes that there are, up to a little more than this one.
    fn sizes(&self, id: ArchitectureId, size: usize) -> Vec<usize> {
        let facts = &self.architecture_facts[id.index()];
        let mut unfoldings = Unfoldings::new(&facts.profiles, MOST_TREES);
        let near = size.saturating_sub(3)..=(size + 8).min(MOST_COMPONENTS);
        near.filter(|&size| !unfoldings.of_size(size, &budget::here()).is_empty()).collect()
    }

    fn unfolded_net(
        &mut self,
        id: ArchitectureId,
        (size, number): (usize, usize),
        unfolding: &Unfolding,
    ) -> NetId {
        if let Some(&known) = self.unfolded.get(&(id, size, number)) {
            return known;
        }
        let (module, decl) = self.architecture_decls[id.index()];
        let facts = &self.architecture_facts[id.index()];
        let instance = PatternInstance::of(&facts.skeleton, &facts.profiles, unfolding);
        let rules: Vec<usize> = unfolding
            .nodes
            .iter()
            .map(|node| facts.profiles.rules[node.rule].rule.index())
            .collect();
        let made = Making { decl, rules: &rules, instance: &instance };
        let (net, parts) = made.net();
        let mut names = Vec::new();
        for (at, claim) in instance.claims.iter().enumerate() {
            let own = claim.names.iter().map(|&component| parts[component].name);
            names.push((rules[at], own.collect()));
        }
        let paths = instance.components.iter().map(|one| one.path.clone()).collect();
        let from = UnfoldedFrom { architecture: id, size, number, names, paths };
        let made = self.made_net(module, &net, Some(from));
        self.unfolded.insert((id, size, number), made);
        made
    }

    /// Adds a net that nobody has written. What is wrong with it is wrong with its rules; only errors would be news.
    fn made_net(
        &mut self,
        module: ModuleId,
        net: &ast::NetDecl,
        from: Option<UnfoldedFrom>,
    ) -> NetId {
        let id = NetId(self.program.nets.len() as u32);
        let named = Named { name: net.name.name, span: net.name.span, module };
        self.program.nets.push(NetDef { is_made: true, from, ..NetDef::new(named) });
        self.net_facts.push(net::Facts::default());
        let before = self.problems.len();
        net::check(self, module, id, net);
        let said = self.problems.split_off(before);
        self.problems.extend(said.into_iter().filter(|one| has_error(std::slice::from_ref(one))));
        id
    }

    /// Writes out how components meet: for each vector or connector, a net for each choice of who stands behind its names.
    pub(in crate::sema) fn ask_architecture(&mut self, id: ArchitectureId) {
        let def = &self.program.architectures[id.index()];
        if def.is_asked || def.has_errors || !self.architecture_facts[id.index()].ready {
            return;
        }
        let (module, decl) = self.architecture_decls[id.index()];
        let mut wanted = Vec::new();
        for (rule, text) in def.rules.iter().zip(rules_of(decl)) {
            let statements = joins_of(text);
            let choices =
                rule.joins.iter().map(|join| choices(def, rule.names.as_slice(), &join.names));
            let each = statements.into_iter().zip(choices).zip(&rule.joins);
            let each = each.map(|((statement, choices), join)| {
                let names = join.names.iter().map(|&name| rule.names[name].ident);
                (statement, choices, names.collect::<Vec<Ident>>())
            });
            wanted.push(each.collect::<Vec<_>>());
        }
        let kinds = instances_of(def, decl);
        for (at, instance) in kinds.iter().enumerate() {
            let Some(instance) = instance else { continue };
            let part = statement_of(sub_net(decl.name, (*instance).clone()), decl.name.span);
            let alone = net(decl.name, vec![part]);
            let made = self.made_net(module, &alone, None);
            self.program.architectures[id.index()].kinds[at].net = Some(made);
        }
        for (rule, joins) in wanted.into_iter().enumerate() {
            for (place, (statement, choices, names)) in joins.into_iter().enumerate() {
                for choice in choices {
                    let net = meeting(decl.name, statement, &names, &choice, &kinds);
                    let made = self.made_net(module, &net, None);
                    let def = &mut self.program.architectures[id.index()];
                    def.rules[rule].joins[place].nets.push((choice, made));
                }
            }
        }
        self.program.architectures[id.index()].is_asked = true;
    }

    /// That no claim of rules is violated in an unfolding, as a property of its net: of all claims, or of those of a label.
    pub(in crate::sema) fn claims_of(&self, net: NetId, label: Option<Symbol>, span: Span) -> Expr {
        let instance = crate::sema::program::Instance {
            component: crate::sema::program::Component::Net(net),
            values: Vec::new(),
            fills: Vec::new(),
            span,
        };
        let leaves = leaves_of(self, &instance).all;
        let Some(from) = &self.program.nets[net.index()].from else { return truth(true, span) };
        let def = &self.program.architectures[from.architecture.index()];
        let mut all = Vec::new();
        for (rule, names) in &from.names {
            for claim in &def.rules[*rule].nevers {
                if label.is_some_and(|label| claim.label.map(|one| one.name) != Some(label)) {
                    continue;
                }
                let bad = self.claim(&claim.bad, names, &leaves, span);
                all.push(Expr { kind: ExprKind::Not(Box::new(bad)), sort: Sort::Bool, span });
            }
        }
        joined(all, ast::Operator::And, span)
    }

    fn claim(
        &self,
        formula: &NeverFormula,
        names: &[Symbol],
        leaves: &[crate::sema::leaves::Leaf],
        span: Span,
    ) -> Expr {
        let all = |parts: &[NeverFormula]| -> Vec<Expr> {
            parts.iter().map(|one| self.claim(one, names, leaves, span)).collect()
        };
        match formula {
            NeverFormula::Truth(value) => truth(*value, span),
            NeverFormula::Not(one) => {
                let inner = self.claim(one, names, leaves, span);
                Expr { kind: ExprKind::Not(Box::new(inner)), sort: Sort::Bool, span }
            }
            NeverFormula::And(parts) => joined(all(parts), ast::Operator::And, span),
            NeverFormula::Or(parts) => joined(all(parts), ast::Operator::Or, span),
            NeverFormula::In(test) => self.tested(test, names, leaves, span),
        }
    }

    fn tested(
        &self,
        test: &NeverTest,
        names: &[Symbol],
        leaves: &[crate::sema::leaves::Leaf],
        span: Span,
    ) -> Expr {
        let mut way = vec![names[test.name]];
        way.extend(test.path.iter().map(|one| one.name));
        let Some(leaf) = leaves.iter().find(|leaf| leaf.path == way) else {
            return truth(false, span);
        };
        let known = self.program.processes[leaf.process.index()].states.iter().enumerate();
        let states: Vec<StateId> = known
            .filter(|(_, state)| test.states.contains(&state.name.name))
            .map(|(at, _)| StateId(at as u32))
            .collect();
        if states.is_empty() {
            return truth(false, span);
        }
        let path = way.into_iter().map(|name| (Ident { name, span: test.span }, None)).collect();
        let test = LeafTest { path, net: 0, process: leaf.process, states, any_of: Vec::new() };
        Expr { kind: ExprKind::InState(Box::new(test), false), sort: Sort::Bool, span }
    }
}

fn truth(value: bool, span: Span) -> Expr {
    Expr { kind: ExprKind::Bool(value), sort: Sort::Bool, span }
}

/// Operands of one operator.
pub(super) fn joined(mut all: Vec<Expr>, operator: ast::Operator, span: Span) -> Expr {
    if all.is_empty() {
        return truth(operator == ast::Operator::And, span);
    }
    let first = all.remove(0);
    if all.is_empty() {
        return first;
    }
    let rest = all.into_iter().map(|one| (operator, one)).collect();
    Expr { kind: ExprKind::Chain(Box::new((first, rest))), sort: Sort::Bool, span }
}

/// The unfoldings of an architecture with so many components, in words and in order, and whether these are all; nothing where
/// the budget is spent.
pub fn unfolding_texts(
    def: &ArchitectureDef,
    size: usize,
    budget: &Budget,
) -> Option<(Vec<String>, bool)> {
    let skeleton = super::skeleton::skeleton(def);
    let profiles = profiles(&skeleton, budget).ok()?;
    let facts = super::Facts { ready: true, skeleton, profiles };
    let mut unfoldings = Unfoldings::new(&facts.profiles, MOST_TREES);
    let all = unfoldings.of_size(size, budget);
    let texts = all.iter().map(|one| shown(&facts, one)).collect();
    (!budget.is_spent()).then_some((texts, unfoldings.is_complete()))
}

/// An unfolding in words: its rules from the outermost on, those of one name by their places.
fn shown(facts: &super::Facts, unfolding: &Unfolding) -> String {
    let rules = unfolding.nodes.iter().map(|node| {
        let rule = facts.profiles.rules[node.rule].rule;
        let head = facts.skeleton.rules[rule].head;
        let label = &facts.skeleton.heads[head].label;
        let same = facts.skeleton.rules.enumerated().filter(|(_, one)| one.head == head);
        let same: Vec<_> = same.map(|(id, _)| id).collect();
        let place = same.iter().position(|id| *id == rule).unwrap_or(0) + 1;
        if same.len() > 1 { format!("{label}/{place}") } else { label.clone() }
    });
    rules.collect::<Vec<_>>().join(" ")
}

fn rules_of(decl: &ast::ArchitectureDecl) -> impl Iterator<Item = &RuleDecl> {
    decl.rules.iter().filter_map(|rule| match &rule.kind {
        RuleKind::Makes(made) => Some(&**made),
        RuleKind::Error => None,
    })
}

/// The vectors and connectors of a rule.
fn joins_of(rule: &RuleDecl) -> Vec<(&NetStatementKind, Span)> {
    let joins = rule.body.iter().filter_map(|statement| match &statement.kind {
        RuleStatementKind::Net(
            kind @ (NetStatementKind::Vector(_) | NetStatementKind::Connect(_)),
        ) => Some((kind, statement.span)),
        _ => None,
    });
    joins.collect()
}

/// The texts of the kinds of components.
fn instances_of<'d>(
    def: &ArchitectureDef,
    decl: &'d ast::ArchitectureDecl,
) -> Vec<Option<&'d ast::Instance>> {
    let subs: Vec<&ast::SubDecl> =
        rules_of(decl).flat_map(|rule| &rule.body).filter_map(sub).collect();
    let find = |text: &str| {
        let same =
            |one: &&&ast::SubDecl| crate::syntax::print::print_instance(&one.instance) == text;
        subs.iter().find(same).map(|sub| &sub.instance)
    };
    def.kinds.iter().map(|kind| find(&kind.text)).collect()
}

fn sub(statement: &ast::RuleStatement) -> Option<&ast::SubDecl> {
    match &statement.kind {
        RuleStatementKind::Net(NetStatementKind::Sub(sub)) => Some(sub),
        _ => None,
    }
}

/// All choices of kinds for some names; none where there are too many.
fn choices(
    def: &ArchitectureDef,
    names: &[super::def::RuleName],
    used: &[usize],
) -> Vec<Vec<usize>> {
    let each = used.iter().map(|&name| def.classes[names[name].class].iter().copied());
    let many = each.clone().fold(1usize, |many, one| many.saturating_mul(one.len()));
    if many > MOST_CHOICES {
        return Vec::new();
    }
    each.multi_cartesian_product().collect()
}

/// A net that does one thing, with these components.
fn meeting(
    name: Ident,
    (statement, span): (&NetStatementKind, Span),
    names: &[Ident],
    kinds: &[usize],
    instances: &[Option<&ast::Instance>],
) -> ast::NetDecl {
    let subs = names.iter().zip(kinds).filter_map(|(&name, &kind)| {
        let instance = instances[kind]?.clone();
        Some(statement_of(sub_net(name, instance), name.span))
    });
    let mut body: Vec<NetStatement> = subs.collect();
    body.push(statement_of(statement.clone(), span));
    net(name, body)
}

fn sub_net(name: Ident, instance: ast::Instance) -> NetStatementKind {
    NetStatementKind::Sub(Box::new(ast::SubDecl {
        name,
        family: None,
        choices: Vec::new(),
        instance,
    }))
}

fn statement_of(kind: NetStatementKind, span: Span) -> NetStatement {
    NetStatement { docs: Vec::new(), kind, span }
}

fn net(name: Ident, body: Vec<NetStatement>) -> ast::NetDecl {
    let body = ast::NetBody::Block(body);
    ast::NetDecl { name, params: Vec::new(), holes: Vec::new(), body }
}

/// An unfolding on its way to a net.
struct Making<'m> {
    decl: &'m ast::ArchitectureDecl,
    /// The rule of each node.
    rules: &'m [usize],
    instance: &'m PatternInstance,
}

impl Making<'_> {
    /// The net, and what its components are called.
    fn net(&self) -> (ast::NetDecl, Vec<Ident>) {
        let rules: Vec<&RuleDecl> = rules_of(self.decl).collect();
        let mut parts: Vec<Ident> = Vec::new();
        let mut body: Vec<NetStatement> = Vec::new();
        let mut taken: FxHashSet<Symbol> = FxHashSet::default();
        for component in &self.instance.components {
            let (node, place) = component.made;
            let rule = rules[self.rules[node.index()]];
            let Some(sub) = rule.body.iter().filter_map(sub).nth(place) else { continue };
            let name = fresh(&component.short, &mut taken);
            let part = Ident { name, span: sub.name.span };
            parts.push(part);
            body.push(statement_of(sub_net(part, sub.instance.clone()), sub.name.span));
        }
        for (node, &rule) in self.rules.iter().enumerate() {
            body.extend(self.statements(rules[rule], node, &parts));
        }
        let used: BTreeSet<usize> = self.rules.iter().copied().collect();
        for rule in used {
            let kinds = rules[rule].body.iter().filter_map(|one| match &one.kind {
                RuleStatementKind::Net(kind @ NetStatementKind::Priority(_)) => {
                    Some(statement_of(kind.clone(), one.span))
                }
                _ => None,
            });
            body.extend(kinds);
        }
        (net(self.decl.name, body), parts)
    }

    /// The vectors and connectors of a node, with the components of its names.
    fn statements(&self, rule: &RuleDecl, node: usize, parts: &[Ident]) -> Vec<NetStatement> {
        let names = names_of(rule);
        let of = &self.instance.claims[node].names;
        let component = |part: &ast::Part| {
            let at = names.iter().position(|&name| name == part.name.name)?;
            let component = of.iter().nth(at)?;
            parts.get(*component).copied()
        };
        let renamed = joins_of(rule)
            .into_iter()
            .filter_map(|(kind, span)| Some(statement_of(renamed(kind, &component)?, span)));
        renamed.collect()
    }
}

/// The names of a rule, in the order in which it introduces them.
fn names_of(rule: &RuleDecl) -> Vec<Symbol> {
    let mut names: Vec<Symbol> = rule.params.iter().map(|name| name.name).collect();
    let new = rule.body.iter().filter_map(|one| match &one.kind {
        RuleStatementKind::New(names) => Some(names),
        _ => None,
    });
    names.extend(new.flatten().map(|name| name.name));
    for sub in rule.body.iter().filter_map(sub) {
        if !names.contains(&sub.name.name) {
            names.push(sub.name.name);
        }
    }
    names
}

/// A short name that nobody else has.
fn fresh(short: &str, taken: &mut FxHashSet<Symbol>) -> Symbol {
    let mut name = Symbol::new(short);
    while !taken.insert(name) {
        name = Symbol::new(&format!("{name}_"));
    }
    name
}

/// A vector or connector between components; nothing where one component would be in it twice, which never happens.
fn renamed(
    kind: &NetStatementKind,
    component: &dyn Fn(&ast::Part) -> Option<Ident>,
) -> Option<NetStatementKind> {
    match kind {
        NetStatementKind::Vector(vector) => {
            let mut vector = vector.clone();
            vector.members = members(&vector.members, component)?;
            vector.rivals = rivals(&vector.rivals, component);
            Some(NetStatementKind::Vector(vector))
        }
        NetStatementKind::Connect(connect) => {
            let mut connect = connect.clone();
            connect.parts.iter_mut().for_each(|part| rename_ports(part, component));
            connect.rivals = rivals(&connect.rivals, component);
            Some(NetStatementKind::Connect(connect))
        }
        _ => None,
    }
}

/// What goes before a vector or connector, between components; one that has a component twice never happens.
fn rivals(all: &[ast::Rival], component: &dyn Fn(&ast::Part) -> Option<Ident>) -> Vec<ast::Rival> {
    let each = all.iter().filter_map(|rival| {
        Some(ast::Rival { members: members(&rival.members, component)?, ..rival.clone() })
    });
    each.collect()
}

fn members(
    members: &[ast::Member],
    component: &dyn Fn(&ast::Part) -> Option<Ident>,
) -> Option<Vec<ast::Member>> {
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let each = members.iter().map(|member| {
        let name = component(&member.part)?.name;
        let mut member = member.clone();
        member.part.name.name = name;
        seen.insert(name).then_some(member)
    });
    each.collect()
}

fn rename_ports(part: &mut ast::Connector, component: &dyn Fn(&ast::Part) -> Option<Ident>) {
    match &mut part.kind {
        ConnectorKind::Error | ConnectorKind::Formal(_) => {}
        ConnectorKind::Port(port) => {
            if let Some(found) = component(&port.part) {
                port.part.name.name = found.name;
            }
        }
        ConnectorKind::Group(parts) | ConnectorKind::Each(parts, ..) => {
            parts.iter_mut().for_each(|part| rename_ports(part, component));
        }
    }
}
