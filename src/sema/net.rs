//! Nets: their holes and sub-nets, and the conditions on them (Ameur-Boulifa et al., JLAMP 2023, Definitions 2 and
//! 4).
//!
//! A net is checked after the nets it is made of, so that it is known what those offer and which holes they leave
//! open.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Sema;
use super::architecture;
use super::body::{Body, Resolved};
use super::leaves::{Property, leaves_of_parts};
use super::offers::{Head, Offer, Origin, Source};
use super::problems::{
    ChoiceWithHole, Duplicate, EmptyNet, RecursiveNet, UnusedHole, UnusedParameter,
};
use super::program::{
    ArchitectureId, FamilyDef, HoleDef, Instance, InterfaceId, LocalKind, ModuleId, NetBlock,
    NetBody, NetId, PartId, RangeId, Sort, SubDef,
};
use super::scope::{Meaning, Space};
use crate::base::budget::is_spent;
use crate::base::graph::{self, Topological};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident, ItemKind, NetStatementKind};
use crate::syntax::print::print_range;

/// What others want to know of a net.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Whether the net was checked; not while one is looked at that contains itself.
    pub ready: bool,
    /// The holes that are open: its own, then those its parts leave open.
    pub holes: Vec<OpenHole>,
    /// Whether there are more holes than were counted.
    pub more_holes: bool,
    /// What it can show.
    pub offer: Offer,
}

/// A hole that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenHole {
    /// The way to it.
    pub path: HolePath,
    /// What limits it; none for `any`.
    pub interface: Option<InterfaceId>,
    /// The indices, when it stands for many.
    pub family: Option<RangeId>,
    /// Where it was declared.
    pub span: Span,
    /// What the vectors of the net that has it take, and the name of that net; nothing where that is not known.
    pub taken: Option<Rc<(Seen, Symbol)>>,
}

/// Names from the outside in, shared between the nets that they lead through.
#[derive(Clone, Debug)]
pub(super) struct HolePath {
    pub name: Symbol,
    pub rest: Option<Rc<HolePath>>,
}

impl HolePath {
    /// The path behind one more name.
    pub fn behind(&self, name: Symbol) -> HolePath {
        HolePath { name, rest: Some(Rc::new(self.clone())) }
    }

    pub fn names(&self) -> Vec<Symbol> {
        let mut names = vec![self.name];
        let mut at = self.rest.as_ref();
        while let Some(next) = at {
            names.push(next.name);
            at = next.rest.as_ref();
        }
        names
    }

    pub fn show(&self) -> String {
        let names: Vec<&str> = self.names().into_iter().map(Symbol::as_str).collect();
        names.join(".")
    }
}

/// More open holes than this are not counted one by one.
pub(super) const MOST_HOLES: usize = 1_000;

/// Checks all nets.
pub(super) fn run(sema: &mut Sema<'_>) {
    for index in 0..sema.program.processes.len() {
        let offer = process_offer(sema, index);
        sema.offers.push(offer);
    }
    let declarations = Declared::all(sema);
    sema.components.nets.clone_from(&declarations.nets);
    sema.net_facts.resize_with(declarations.nets.len(), Facts::default);
    sema.architecture_facts
        .resize_with(declarations.architectures.len(), architecture::Facts::default);
    sema.architecture_decls.clone_from(&declarations.architectures);
    let nets = declarations.nets.len();
    for index in in_order(sema, &declarations) {
        if is_spent() {
            return;
        }
        if let Some(&(module, net)) = declarations.nets.get(index) {
            check(sema, module, NetId(index as u32), net);
        } else {
            let (module, one) = declarations.architectures[index - nets];
            architecture::check(sema, module, ArchitectureId((index - nets) as u32), one);
        }
    }
}

/// What is declared: nets, and architectures, which count after these.
struct Declared<'a> {
    nets: Vec<(ModuleId, &'a ast::NetDecl)>,
    architectures: Vec<(ModuleId, &'a ast::ArchitectureDecl)>,
}

impl<'a> Declared<'a> {
    fn all(sema: &Sema<'a>) -> Declared<'a> {
        let (mut nets, mut architectures) = (Vec::new(), Vec::new());
        for (module, loaded) in sema.modules.iter().enumerate() {
            let module = ModuleId(module as u32);
            for item in &loaded.tree.items {
                match &item.kind {
                    ItemKind::Net(net) => nets.push((module, &**net)),
                    ItemKind::Architecture(one) => architectures.push((module, &**one)),
                    _ => {}
                }
            }
        }
        Declared { nets, architectures }
    }

    fn name(&self, index: usize) -> Ident {
        match self.nets.get(index) {
            Some((_, net)) => net.name,
            None => self.architectures[index - self.nets.len()].1.name,
        }
    }
}

/// What a process can show: the actions of its transitions.
pub(super) fn process_offer(sema: &Sema<'_>, index: usize) -> Offer {
    let process = &sema.program.processes[index];
    let unclear = !sema.process_facts[index].is_complete;
    let mut offer = Offer { sources: Vec::new(), unclear };
    let mut seen: FxHashSet<Head> = FxHashSet::default();
    for transition in &process.transitions {
        let variable = match transition.action.kind {
            super::program::ExprKind::Local(id) => {
                Offer { sources: vec![Source::plain(Origin::Parameter(id))], unclear: false }
            }
            _ => Offer::unclear(),
        };
        let shown = super::offers::of_action(&transition.action, &variable);
        for source in shown.sources {
            match source.origin {
                Origin::Head(head) if !seen.insert(head) => {}
                _ => offer.add(source),
            }
        }
        offer.unclear |= shown.unclear;
    }
    offer
}

/// The nets, each after those it uses; a net that contains itself is reported.
fn in_order(sema: &mut Sema<'_>, declarations: &Declared<'_>) -> Vec<usize> {
    let nets = declarations.nets.len();
    let used = |one: usize| match declarations.nets.get(one) {
        Some(&net) => used_nets(sema, net, nets),
        None => used_by_rules(sema, declarations.architectures[one - nets], nets),
    };
    let count = nets + declarations.architectures.len();
    let Topological { order, cycles } = graph::topological(count, used);
    for cycle in cycles {
        let name = |&one: &usize| declarations.name(one);
        let names = cycle.iter().chain(cycle.first()).map(|one| name(one).name.to_string());
        let span = cycle.first().map(|first| name(first).span).unwrap_or_default();
        sema.report(RecursiveNet { span, cycle: names.collect() });
    }
    order
}

/// What the rules of an architecture use.
fn used_by_rules(
    sema: &mut Sema<'_>,
    (module, one): (ModuleId, &ast::ArchitectureDecl),
    nets: usize,
) -> Vec<usize> {
    let rules = one.rules.iter().filter_map(|rule| match &rule.kind {
        ast::RuleKind::Makes(made) => Some(&made.body),
        ast::RuleKind::Error => None,
    });
    let made = rules.flatten().filter_map(|statement| match &statement.kind {
        ast::RuleStatementKind::Net(NetStatementKind::Sub(sub)) => Some(&sub.instance),
        _ => None,
    });
    used_by(sema, module, made.collect(), &FxHashSet::default(), nets)
}

fn used_nets(
    sema: &mut Sema<'_>,
    (module, net): (ModuleId, &ast::NetDecl),
    nets: usize,
) -> Vec<usize> {
    let holes: FxHashSet<Symbol> = net.holes.iter().map(|hole| hole.name.name).collect();
    let work: Vec<&ast::Instance> = match &net.body {
        ast::NetBody::Alias(instance) => vec![instance],
        ast::NetBody::Block(statements) => statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                NetStatementKind::Sub(sub) => Some(sub.instances()),
                _ => None,
            })
            .flatten()
            .collect(),
    };
    used_by(sema, module, work, &holes, nets)
}

/// The nets and architectures that instances are made of.
fn used_by(
    sema: &mut Sema<'_>,
    module: ModuleId,
    mut work: Vec<&ast::Instance>,
    holes: &FxHashSet<Symbol>,
    nets: usize,
) -> Vec<usize> {
    let mut used = Vec::new();
    let mut body = Body::new(sema, module);
    while let Some(instance) = work.pop() {
        let path = &instance.head.path;
        let is_hole = path.as_name().is_some_and(|name| holes.contains(&name.name));
        if !is_hole && let Resolved::Known(declared, _, []) = body.resolve(Space::Components, path)
        {
            match declared.meaning {
                Meaning::Net(id) => used.push(id.index()),
                Meaning::Architecture(id) => used.push(nets + id.index()),
                _ => {}
            }
        }
        work.extend(instance.fills.iter().map(|fill| &fill.instance));
    }
    used.reverse();
    used
}

/// A part of the net that is being checked.
pub(super) struct Part {
    pub name: Ident,
    pub family: Option<RangeId>,
    /// The interface of a hole that has one.
    pub interface: Option<InterfaceId>,
    pub is_hole: bool,
    pub offer: Offer,
    /// What it is an instance of, for messages.
    pub component: String,
    /// Whether it is that and nothing else: one instance, without arguments.
    pub plain: bool,
    /// The indices of a family, as they were written.
    pub indices: Option<String>,
    /// Whether it may do silent actions, as far as one can tell.
    pub silent: bool,
    pub seen: Seen,
}

/// What vectors and connectors say of a part.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Whether any names it.
    pub at_all: bool,
    /// Whether one takes whatever it does.
    pub anything: bool,
    /// The actions that they take.
    pub heads: FxHashSet<Head>,
}

/// The work on one net.
pub(super) struct Work<'s, 'a> {
    pub body: Body<'s, 'a>,
    pub net: Ident,
    pub parts: Vec<Part>,
    pub part_ids: FxHashMap<Symbol, PartId>,
    /// Where each own hole is passed on.
    pub passed: FxHashMap<usize, Span>,
    pub own_holes: usize,
    pub holes: Vec<OpenHole>,
    pub more_holes: bool,
    pub offer: Offer,
    /// For each interaction, those that go right before it.
    pub higher: FxHashMap<Symbol, Vec<Symbol>>,
    /// Names of interactions that are elsewhere, and that priorities can use.
    pub also_known: Vec<Symbol>,
    /// Whether it is made of rules: what cannot happen is no mistake of it.
    pub is_made: bool,
    /// Whether a whole architecture can stand here.
    pub any_size: bool,
    /// Whether what is instantiated has the name of a rule.
    pub passes_rule: bool,
    /// What is known of the connectors of the net.
    pub glue: super::uses::Glue,
    /// The variables of parts, where the guard of a priority or of `unless` may read them.
    pub variables: Option<Property>,
}

pub(super) fn check(sema: &mut Sema<'_>, module: ModuleId, id: NetId, net: &ast::NetDecl) {
    let is_made = sema.program.nets[id.index()].is_made;
    let mut body = Body::new(sema, module);
    let given = body.sema.program.nets[id.index()].over.clone();
    let (parameters, over) = body.parameters(&net.params, true, &given);
    let mut work = Work {
        body,
        net: net.name,
        parts: Vec::new(),
        part_ids: FxHashMap::default(),
        passed: FxHashMap::default(),
        own_holes: 0,
        holes: Vec::new(),
        more_holes: false,
        offer: Offer::default(),
        higher: FxHashMap::default(),
        also_known: Vec::new(),
        is_made,
        any_size: false,
        passes_rule: false,
        glue: Default::default(),
        variables: None,
    };
    let holes = work.own_holes(&net.holes);
    let has_gaps = match &net.body {
        ast::NetBody::Block(all) => all.iter().any(|s| matches!(s.kind, NetStatementKind::Error)),
        ast::NetBody::Alias(_) => false,
    };
    let checked = match &net.body {
        ast::NetBody::Alias(instance) => {
            let (instance, offer) = work.instance(instance, &[]);
            work.offer = offer;
            work.unused_holes();
            NetBody::Alias(instance)
        }
        ast::NetBody::Block(statements) => NetBody::Block(work.block(statements, has_gaps)),
    };
    if !work.body.failed && !has_gaps {
        work.unused_parameters(parameters);
        if matches!(net.body, ast::NetBody::Block(_)) {
            work.what_holes_may_do();
        }
    }
    let Work { body, holes: open, more_holes, mut offer, .. } = work;
    let Body { locals, failed, .. } = body;
    offer.unclear |= failed || has_gaps;
    sema.net_facts[id.index()] = Facts { ready: true, holes: open, more_holes, offer };
    let def = &mut sema.program.nets[id.index()];
    def.has_errors = failed || has_gaps;
    def.is_open |= given.is_empty() && !over.is_empty();
    def.over = over;
    (def.locals, def.parameters, def.holes, def.body) = (locals, parameters, holes, checked);
}

/// Whether the guard of a priority, or of what stands behind `unless`, is in a statement.
fn has_guarded_order(statement: &ast::NetStatement) -> bool {
    match &statement.kind {
        NetStatementKind::Vector(vector) => vector.rivals.iter().any(|one| one.guard.is_some()),
        NetStatementKind::Connect(connect) => connect.rivals.iter().any(|one| one.guard.is_some()),
        NetStatementKind::Priority(priority) => match &**priority {
            ast::Priority::Order(order) => order.guard.is_some(),
            ast::Priority::Maximal => false,
        },
        NetStatementKind::Sub(_) | NetStatementKind::Error => false,
    }
}

impl Work<'_, '_> {
    /// Remembers what is taken of each hole, for those who fill it. A hole that is passed on is somebody else's.
    fn what_holes_may_do(&mut self) {
        for number in 0..self.own_holes {
            if !self.passed.contains_key(&number) {
                let seen = std::mem::take(&mut self.parts[number].seen);
                self.holes[number].taken = Some(Rc::new((seen, self.net.name)));
            }
        }
    }

    fn own_holes(&mut self, holes: &[ast::Hole]) -> Vec<HoleDef> {
        let mut checked = Vec::with_capacity(holes.len());
        for hole in holes {
            let family = hole.family.as_ref().map(|family| self.family(family));
            let interface = match &hole.sort {
                ast::HoleSort::Any(_) => None,
                ast::HoleSort::Interface(path) => self.interface(path),
            };
            let unclear = interface.is_none() && !matches!(hole.sort, ast::HoleSort::Any(_));
            let range = family.as_ref().map(|family| family.range);
            let number = self.holes.len();
            let path = HolePath { name: hole.name.name, rest: None };
            self.holes.push(OpenHole {
                path,
                interface,
                family: range,
                span: hole.name.span,
                taken: None,
            });
            let origin = if unclear { Origin::Anything } else { Origin::Hole(number) };
            let offer = Offer { sources: vec![Source::plain(origin)], unclear: false };
            let component = match interface {
                Some(id) => self.body.sema.program.interfaces[id.index()].named.name.to_string(),
                None => "any".to_owned(),
            };
            self.part(Part {
                name: hole.name,
                family: range,
                interface,
                is_hole: true,
                offer,
                component,
                plain: false,
                indices: hole.family.as_ref().map(|family| print_range(&family.range)),
                silent: true,
                seen: Seen::default(),
            });
            checked.push(HoleDef { name: hole.name, family, interface });
        }
        self.own_holes = self.holes.len();
        checked
    }

    /// The index of a family; it can be used inside, and is forgotten by whoever entered a scope.
    fn family(&mut self, family: &ast::Family) -> FamilyDef {
        let range = self.body.range(&family.range);
        let mark = self.body.enter();
        let index = self.body.bind(family.index, Sort::Range(range), LocalKind::Index);
        self.body.reads[index.index()] = 1;
        self.body.leave(mark);
        FamilyDef { index, range }
    }

    fn interface(&mut self, path: &ast::Path) -> Option<InterfaceId> {
        match self.body.resolve(Space::Sorts, path) {
            Resolved::Known(declared, ident, []) => match declared.meaning {
                Meaning::Interface(id) => Some(id),
                _ => {
                    self.body.wrong_kind(ident, "an interface");
                    None
                }
            },
            _ => {
                self.body.unknown_interface(path.parts[path.parts.len() - 1]);
                None
            }
        }
    }

    fn part(&mut self, part: Part) {
        if let Some(known) = self.part_ids.get(&part.name.name) {
            let first = self.parts[known.index()].name.span;
            let what = if part.is_hole { "hole" } else { "sub-net" };
            let (what, name) = (what.to_owned(), part.name.name.to_string());
            self.body.report(Duplicate { span: part.name.span, what, name, first });
        } else {
            self.part_ids.insert(part.name.name, PartId(self.parts.len() as u32));
        }
        let kind = if part.is_hole { super::NameKind::Hole } else { super::NameKind::Part };
        // What was made of an architecture stands in no text.
        if !self.is_made {
            self.body.sema.occurs(part.name, part.name.span, kind);
        }
        self.parts.push(part);
    }

    fn block(&mut self, statements: &[ast::NetStatement], has_gaps: bool) -> NetBlock {
        let mut block = NetBlock::default();
        for statement in statements {
            if is_spent() {
                return block;
            }
            if let NetStatementKind::Sub(sub) = &statement.kind {
                block.subs.push(self.sub(sub));
            }
        }
        if statements.iter().any(has_guarded_order) {
            let nets = vec![leaves_of_parts(self.body.sema, &block.subs)].into();
            let name = self.net.name.to_string();
            self.variables = Some(Property { nets, name, of_parts: true });
        }
        if self.parts.is_empty() && !has_gaps {
            let Ident { name, span } = self.net;
            self.body.report(EmptyNet { span, net: name.to_string() });
        }
        self.see_connectors(statements);
        for statement in statements {
            if is_spent() {
                return block;
            }
            match &statement.kind {
                NetStatementKind::Vector(vector) => {
                    let vector = self.vector(vector, statement.span);
                    block.vectors.extend(vector);
                }
                NetStatementKind::Connect(connect) => {
                    let connector = self.connector(connect, statement.span);
                    block.connectors.extend(connector);
                }
                NetStatementKind::Priority(_)
                | NetStatementKind::Sub(_)
                | NetStatementKind::Error => {}
            }
        }
        for statement in statements {
            if let NetStatementKind::Priority(priority) = &statement.kind {
                self.priority(priority, statement.span, &mut block);
            }
        }
        self.body.forget_unknowns();
        if !self.body.failed && !has_gaps && !self.is_made {
            self.lints(&block);
        }
        block
    }

    fn sub(&mut self, sub: &ast::SubDecl) -> SubDef {
        let mark = self.body.enter();
        let family = sub.family.as_ref().map(|family| {
            let range = self.body.range(&family.range);
            let index = self.body.bind(family.index, Sort::Range(range), LocalKind::Index);
            self.body.reads[index.index()] = 1;
            FamilyDef { index, range }
        });
        let mut choices = Vec::with_capacity(sub.choices.len());
        let mut offer = Offer::default();
        for choice in &sub.choices {
            let condition = self.body.expr_of(&choice.condition, Sort::Bool, None);
            let (instance, offers) = self.chosen(&choice.instance, sub);
            offer.extend(offers);
            choices.push((condition, instance));
        }
        let (instance, otherwise) = match sub.choices.is_empty() {
            true => self.instance(&sub.instance, &[sub.name.name]),
            false => self.chosen(&sub.instance, sub),
        };
        offer.extend(otherwise);
        self.body.leave(mark);
        let mut def = SubDef { name: sub.name, family: None, choices, instance };
        let silent = def.instances().any(|instance| self.may_be_silent(instance));
        let heads: Vec<String> = sub.instances().map(|one| one.head.path.to_string()).collect();
        self.part(Part {
            name: sub.name,
            family: family.as_ref().map(|family| family.range),
            interface: None,
            is_hole: false,
            offer,
            component: heads.join(" or "),
            plain: sub.family.is_none()
                && sub.choices.is_empty()
                && sub.instance.values.is_empty()
                && sub.instance.fills.is_empty(),
            indices: sub.family.as_ref().map(|family| print_range(&family.range)),
            silent,
            seen: Seen::default(),
        });
        def.family = family;
        def
    }

    /// One of the things that a part may be: it has no hole of its own, which would be there or not.
    fn chosen(&mut self, instance: &ast::Instance, sub: &ast::SubDecl) -> (Instance, Offer) {
        let before = (self.holes.len(), self.passed.len());
        let made = self.instance(instance, &[sub.name.name]);
        if (self.holes.len(), self.passed.len()) != before {
            let hole = self.holes.get(before.0).map(|hole| hole.path.show());
            let part = sub.name.name.to_string();
            self.body.report(ChoiceWithHole { span: instance.span, part, hole });
        }
        made
    }

    pub fn may_be_silent(&self, instance: &Instance) -> bool {
        use super::program::{Component, ExprKind};
        match instance.component {
            Component::Process(id) => {
                let process = &self.body.sema.program.processes[id.index()];
                process.transitions.iter().any(|transition| {
                    matches!(
                        transition.action.kind,
                        ExprKind::Tau | ExprKind::Sync(_) | ExprKind::Local(_)
                    )
                })
            }
            _ => true,
        }
    }

    // ---- warnings ----

    fn unused_parameters(&mut self, parameters: usize) {
        for index in 0..parameters {
            let local = self.body.locals[index];
            let quiet = local.name.as_str().starts_with('_') || self.body.is_unparsed(local.name);
            if self.body.reads[index] == 0 && !quiet {
                let name = local.name.to_string();
                self.body.report(UnusedParameter { span: local.span, name });
            }
        }
    }

    /// Holes that an alias does not pass on.
    fn unused_holes(&mut self) {
        if self.body.failed {
            return;
        }
        for index in 0..self.own_holes {
            let Ident { name, span } = self.parts[index].name;
            if !self.passed.contains_key(&index) && !self.body.is_unparsed(name) {
                let (name, net) = (name.to_string(), self.net.name.to_string());
                self.body.report(UnusedHole { span, name, net, vector: None });
            }
        }
    }
}
