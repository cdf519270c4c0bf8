//! Architectures: names of rules and of components, who can stand behind a name, and whether rules come to anything.
//!
//! A rule is checked like a net whose parts are its names: what a name offers is what the components offer that can stand
//! behind it. Its unfoldings are ordinary nets, which are made as they are asked for (`unfold.rs`).

pub(super) mod claims;
mod classes;
pub mod def;
mod formula;
mod instance;
pub(super) mod members;
mod skeleton;
mod unfold;

pub use self::skeleton::skeleton;
pub use self::unfold::{MOST_COMPONENTS, MOST_TREES, unfolding_texts};

use rustc_hash::FxHashMap;

use self::classes::Classes;
use self::def::{
    ArchitectureDef, HeadDef, JoinDef, JoinMember, KindDef, MadeDef, NeverDef, PartDef, RuleDef,
    RuleName,
};
use super::Sema;
use super::leaves::leaves_of;
use super::net::{Part, Seen};
use super::offers::Offer;
use super::problems::{
    ComponentWithHoles, Duplicate, OrderOfNames, RuleArity, StartRule, UnknownRule,
    UnknownRuleName, UseInRule,
};
use super::program::{ArchitectureId, Component, ModuleId, NetBlock, PartId};
use super::question::at_top;
use super::scope::Space;
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::parametric::{Profiles, SystemPattern};
use crate::syntax::ast::{
    self, ConnectorKind, Ident, NetStatementKind, RuleDecl, RuleKind, RuleStatementKind,
};
use crate::syntax::print::print_instance;

/// What others want to know of an architecture.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Whether it was checked, and nothing is wrong with it.
    pub ready: bool,
    /// Rules, names and parts without what they do.
    pub skeleton: SystemPattern,
    /// Where the component of each name is made.
    pub profiles: Profiles,
}

/// What is known of a rule before its vectors are looked at.
struct Reading<'t> {
    rule: &'t RuleDecl,
    span: Span,
    names: Vec<Ident>,
    made: Vec<Making>,
    parts: Vec<PartDef>,
    has_gaps: bool,
}

/// A component that a rule makes, with what it offers.
struct Making {
    name: usize,
    kind: usize,
    span: Span,
}

/// A kind of components, with what it offers.
struct Kind {
    def: KindDef,
    offer: Offer,
    silent: bool,
}

/// Checks an architecture.
pub(super) fn check(
    sema: &mut Sema<'_>,
    module: ModuleId,
    id: ArchitectureId,
    decl: &ast::ArchitectureDecl,
) {
    let before = sema.problems.len();
    let mut checking =
        Checking { sema, module, decl, heads: Vec::new(), kinds: Vec::new(), failed: false };
    let def = checking.run(id);
    let failed = checking.failed;
    let has_errors = failed || has_error(&sema.problems[before..]);
    let named = sema.program.architectures[id.index()].named;
    sema.program.architectures[id.index()] = ArchitectureDef { named, has_errors, ..def };
    if has_errors || is_spent() {
        return;
    }
    skeleton::judge(sema, id);
}

fn has_error(problems: &[super::SemaProblem]) -> bool {
    problems.iter().any(|one| one.entry().severity == crate::diagnostics::Severity::Error)
}

struct Checking<'s, 'a, 't> {
    sema: &'s mut Sema<'a>,
    module: ModuleId,
    decl: &'t ast::ArchitectureDecl,
    heads: Vec<HeadDef>,
    kinds: Vec<Kind>,
    failed: bool,
}

impl<'t> Checking<'_, '_, 't> {
    fn run(&mut self, id: ArchitectureId) -> ArchitectureDef {
        let decl = self.decl;
        let rules = decl.rules.iter().filter_map(|rule| match &rule.kind {
            RuleKind::Makes(made) => Some((&**made, rule.span)),
            RuleKind::Error => None,
        });
        let rules: Vec<(&RuleDecl, Span)> = rules.collect();
        self.failed |= rules.len() < decl.rules.len();
        self.find_heads(&rules);
        self.start(&rules);
        let readings: Vec<Reading<'t>> =
            rules.into_iter().map(|(rule, span)| self.read(rule, span)).collect();
        let classes = Classes::of(&self.heads, &readings);
        let named = self.sema.program.architectures[id.index()].named;
        let mut def = ArchitectureDef::new(named);
        for (at, reading) in readings.iter().enumerate() {
            if is_spent() {
                return def;
            }
            let rule = self.rule(reading, at, &classes);
            def.rules.push(rule);
        }
        self.failed |= readings.iter().any(|reading| reading.has_gaps);
        (def.heads, def.classes) = (std::mem::take(&mut self.heads), classes.kinds);
        def.kinds = self.kinds.drain(..).map(|kind| kind.def).collect();
        def
    }

    // ---- names of rules ----

    fn find_heads(&mut self, rules: &[(&RuleDecl, Span)]) {
        for (rule, _) in rules {
            let parameters = rule.params.len();
            self.names_rule(rule.name);
            match self.heads.iter().find(|head| head.name.name == rule.name.name) {
                None => self.heads.push(HeadDef { name: rule.name, parameters }),
                Some(known) if known.parameters != parameters => {
                    let (span, name) = (rule.name.span, rule.name.name.to_string());
                    let (expected, declared) = (known.parameters, known.name.span);
                    let found = parameters;
                    self.failed = true;
                    let is_use = false;
                    self.sema.report(RuleArity { span, name, expected, found, declared, is_use });
                }
                Some(_) => {}
            }
        }
    }

    /// Notes the name of a rule; the first one is called as the architecture is.
    fn names_rule(&mut self, rule: Ident) {
        let of_name = |head: &&HeadDef| head.name.name == rule.name;
        let (declared, kind) = match self.heads.iter().find(of_name) {
            _ if rule.name == self.decl.name.name => {
                (self.decl.name.span, super::NameKind::Architecture)
            }
            Some(head) => (head.name.span, super::NameKind::Rule),
            None => (rule.span, super::NameKind::Rule),
        };
        self.sema.occurs(rule, declared, kind);
    }

    /// The first rule has the name of the architecture, and no parameters.
    fn start(&mut self, rules: &[(&RuleDecl, Span)]) {
        let name = self.decl.name;
        let of_name = |rule: &&(&RuleDecl, Span)| rule.0.name.name == name.name;
        match rules.iter().find(of_name) {
            None if self.failed => {}
            None => {
                let (span, first) = (name.span, rules.first().map(|rule| rule.0.name));
                let first = first.map(|first| (first.span, first.name.to_string()));
                let (name, has_parameters) = (name.name.to_string(), false);
                self.sema.report(StartRule { span, name, first, has_parameters });
                self.failed = true;
            }
            Some((rule, _)) if !rule.params.is_empty() => {
                let (first, last) = (rule.params[0].span, rule.params[rule.params.len() - 1].span);
                let (span, name) = (first.to(last), name.name.to_string());
                let (first, has_parameters) = (None, true);
                self.sema.report(StartRule { span, name, first, has_parameters });
                self.failed = true;
            }
            Some(_) => {}
        }
        self.heads.sort_by_key(|head| head.name.name != name.name);
    }

    // ---- one rule, before its vectors ----

    fn read(&mut self, rule: &'t RuleDecl, span: Span) -> Reading<'t> {
        let has_gaps = rule.body.iter().any(|one| matches!(one.kind, RuleStatementKind::Error));
        let mut reading = Reading {
            rule,
            span,
            names: Vec::new(),
            made: Vec::new(),
            parts: Vec::new(),
            has_gaps,
        };
        for &name in &rule.params {
            self.introduce(&mut reading, name, "parameter");
        }
        for statement in &rule.body {
            if let RuleStatementKind::New(names) = &statement.kind {
                names.iter().for_each(|&name| self.introduce(&mut reading, name, "new name"));
            }
        }
        for statement in &rule.body {
            if let RuleStatementKind::Net(NetStatementKind::Sub(sub)) = &statement.kind {
                self.made(&mut reading, sub);
            }
        }
        for statement in &rule.body {
            if let RuleStatementKind::Part(part) = &statement.kind {
                self.part(&mut reading, part, statement.span);
            }
        }
        reading
    }

    fn introduce(&mut self, reading: &mut Reading<'_>, name: Ident, what: &str) {
        if let Some(first) = reading.names.iter().find(|known| known.name == name.name) {
            let (span, what, first) = (name.span, what.to_owned(), first.span);
            self.sema.report(Duplicate { span, what, name: name.name.to_string(), first });
            self.failed = true;
            return;
        }
        self.sema.names_component(name, name);
        reading.names.push(name);
    }

    /// A component of a name; one not seen before is new.
    fn made(&mut self, reading: &mut Reading<'_>, sub: &ast::SubDecl) {
        let known = reading.names.iter().position(|name| name.name == sub.name.name);
        let name = known.unwrap_or_else(|| {
            reading.names.push(sub.name);
            reading.names.len() - 1
        });
        self.sema.names_component(sub.name, reading.names[name]);
        if let Some(kind) = self.kind(sub) {
            reading.made.push(Making { name, kind, span: sub.name.span });
        }
    }

    /// The kind of components that somebody makes.
    fn kind(&mut self, sub: &ast::SubDecl) -> Option<usize> {
        let text = print_instance(&sub.instance);
        let is_rule = sub
            .instance
            .head
            .path
            .as_name()
            .is_some_and(|name| self.heads.iter().any(|head| head.name.name == name.name));
        let mut work = at_top(self.sema, self.module, sub.name);
        work.passes_rule = is_rule;
        let (instance, offer) = work.instance(&sub.instance, &[sub.name.name]);
        let silent = work.may_be_silent(&instance);
        let holes: Vec<String> = work.holes.iter().map(|hole| hole.path.show()).collect();
        let mut failed = work.body.failed || matches!(instance.component, Component::Error);
        if !failed && !holes.is_empty() {
            let (span, component) = (sub.instance.span, text.clone());
            work.body.report(ComponentWithHoles { span, component, holes });
            failed = true;
        }
        self.failed |= failed;
        if failed {
            return None;
        }
        let same = self.kinds.iter().position(|kind| kind.def.text == text);
        Some(same.unwrap_or_else(|| {
            let leaves = leaves_of(self.sema, &instance).all.into_iter();
            let processes = leaves.map(|leaf| (leaf.path, leaf.process)).collect();
            let def = KindDef { instance, text, processes, net: None };
            self.kinds.push(Kind { def, offer, silent });
            self.kinds.len() - 1
        }))
    }

    /// A use of a rule.
    fn part(&mut self, reading: &mut Reading<'_>, part: &ast::RuleUse, span: Span) {
        let Some(head) = self.heads.iter().position(|head| head.name.name == part.rule.name) else {
            return self.unknown_rule(part.rule);
        };
        let HeadDef { name, parameters } = self.heads[head];
        self.names_rule(part.rule);
        if parameters != part.names.len() {
            let (expected, found) = (parameters, part.names.len());
            let (declared, rule) = (name.span, part.rule.name.to_string());
            let is_use = true;
            self.sema.report(RuleArity { span, name: rule, expected, found, declared, is_use });
            self.failed = true;
            return;
        }
        let names: Option<Vec<usize>> =
            part.names.iter().map(|&name| self.name(reading, name)).collect();
        if let Some(names) = names {
            reading.parts.push(PartDef { head, names, span });
        }
    }

    fn unknown_rule(&mut self, rule: Ident) {
        self.failed = true;
        let known: Vec<String> = self.heads.iter().map(|head| head.name.name.to_string()).collect();
        let module = self.module.index();
        let excused = self.sema.scopes[module].unparsed.contains(&rule.name)
            || self.decl.rules.iter().any(|one| matches!(one.kind, RuleKind::Error));
        if excused {
            return;
        }
        let similar = self.sema.similar(rule.name, known.iter().map(String::as_str));
        let architecture = self.decl.name.name.to_string();
        let (span, name) = (rule.span, rule.name.to_string());
        let found = self.sema.lookup(self.module, Space::Components, rule.name);
        let is_component = found.is_some();
        self.sema.report(UnknownRule { span, name, architecture, similar, known, is_component });
    }

    /// A name of a rule.
    fn name(&mut self, reading: &Reading<'_>, ident: Ident) -> Option<usize> {
        let found = reading.names.iter().position(|name| name.name == ident.name);
        match found {
            Some(at) => self.sema.names_component(ident, reading.names[at]),
            None => self.unknown_name(reading, ident),
        }
        found
    }

    fn unknown_name(&mut self, reading: &Reading<'_>, ident: Ident) {
        self.failed = true;
        if reading.has_gaps || self.sema.scopes[self.module.index()].unparsed.contains(&ident.name)
        {
            return;
        }
        let known: Vec<String> = reading.names.iter().map(|name| name.name.to_string()).collect();
        let similar = self.sema.similar(ident.name, known.iter().map(String::as_str));
        let rule = reading.rule.name.name.to_string();
        let (span, name) = (ident.span, ident.name.to_string());
        self.sema.report(UnknownRuleName { span, name, rule, similar, known });
    }

    // ---- what a rule does ----

    fn rule(&mut self, reading: &Reading<'_>, at: usize, classes: &Classes) -> RuleDef {
        let class = |name: usize| classes.class(at, name);
        let names: Vec<RuleName> = reading
            .names
            .iter()
            .enumerate()
            .map(|(name, &ident)| RuleName { ident, class: class(name) })
            .collect();
        let made = reading.made.iter();
        let made =
            made.map(|one| MadeDef { name: one.name, kind: one.kind, span: one.span }).collect();
        let head = self.heads.iter().position(|head| head.name.name == reading.rule.name.name);
        let joins = self.joins(reading, &names, classes);
        let nevers = self.nevers(reading, &names, classes);
        RuleDef {
            head: head.unwrap_or(0),
            parameters: reading.rule.params.len(),
            names,
            made,
            joins,
            parts: reading.parts.clone(),
            nevers,
            span: reading.span,
        }
    }

    /// The parts of a rule as of a net: one for each name, which offers what can stand behind it.
    fn parts(
        &self,
        names: &[RuleName],
        classes: &Classes,
    ) -> (Vec<Part>, FxHashMap<Symbol, PartId>) {
        let mut ids = FxHashMap::default();
        let part = |name: &RuleName| {
            let kinds = &classes.kinds[name.class];
            let mut offer = Offer::default();
            kinds.iter().for_each(|&kind| offer.extend(self.kinds[kind].offer.clone()));
            offer.unclear |= kinds.is_empty() || self.failed;
            let texts: Vec<&str> =
                kinds.iter().map(|&kind| self.kinds[kind].def.text.as_str()).collect();
            Part {
                name: name.ident,
                family: None,
                interface: None,
                is_hole: false,
                offer,
                component: texts.join("` or `"),
                plain: false,
                indices: None,
                silent: kinds.iter().any(|&kind| self.kinds[kind].silent),
                seen: Seen::default(),
            }
        };
        let parts: Vec<Part> = names.iter().map(part).collect();
        for (at, name) in names.iter().enumerate() {
            ids.insert(name.ident.name, PartId(at as u32));
        }
        (parts, ids)
    }

    fn joins(
        &mut self,
        reading: &Reading<'_>,
        names: &[RuleName],
        classes: &Classes,
    ) -> Vec<JoinDef> {
        let (parts, part_ids) = self.parts(names, classes);
        let mut strangers = Vec::new();
        let mut joins = Vec::new();
        for statement in &reading.rule.body {
            let RuleStatementKind::Net(kind) = &statement.kind else { continue };
            let mut used: Vec<usize> = Vec::new();
            each_part(kind, &mut |part| match names
                .iter()
                .position(|name| name.ident.name == part.name.name)
            {
                Some(at) if used.contains(&at) => {}
                Some(at) => used.push(at),
                None => strangers.push(part.name),
            });
            if matches!(kind, NetStatementKind::Vector(_) | NetStatementKind::Connect(_)) {
                let together = match kind {
                    NetStatementKind::Vector(vector) => {
                        let has = |at: &&usize| {
                            let name = names[**at].ident.name;
                            vector.members.iter().any(|member| member.part.name.name == name)
                        };
                        used.iter().filter(has).count()
                    }
                    _ => used.len().min(1),
                };
                joins.push(join(kind, names, (used, together), statement.span));
            }
        }
        strangers.iter().for_each(|&ident| self.unknown_name(reading, ident));
        if !strangers.is_empty() {
            return joins;
        }
        let mut work = at_top(self.sema, self.module, reading.rule.name);
        (work.parts, work.part_ids) = (parts, part_ids);
        let mut block = NetBlock::default();
        for statement in &reading.rule.body {
            match &statement.kind {
                RuleStatementKind::Net(NetStatementKind::Vector(vector)) => {
                    block.vectors.extend(work.vector(vector, statement.span));
                }
                RuleStatementKind::Net(NetStatementKind::Connect(connect)) => {
                    if let Some(used) = &connect.used {
                        let (span, name) = (used.span, used.name.name.to_string());
                        work.body.report(UseInRule { span, name });
                        continue;
                    }
                    block.connectors.extend(work.connector(connect, statement.span));
                }
                _ => {}
            }
        }
        let everywhere = interactions_of(self.decl);
        work.also_known = everywhere;
        for statement in &reading.rule.body {
            if let RuleStatementKind::Net(NetStatementKind::Priority(priority)) = &statement.kind {
                work.priority(priority, statement.span, &mut block);
                // It is about all interactions of a name, in whatever rule: nothing else is known of these here.
                if block.priorities.pop().is_some_and(|order| !order.is_plain()) {
                    let place = "an architecture";
                    work.body.report(OrderOfNames { span: statement.span, place });
                }
            }
        }
        self.failed |= work.body.failed;
        joins
    }

    fn nevers(
        &mut self,
        reading: &Reading<'_>,
        names: &[RuleName],
        classes: &Classes,
    ) -> Vec<NeverDef> {
        let mut nevers = Vec::new();
        for statement in &reading.rule.body {
            let RuleStatementKind::Never(claim) = &statement.kind else { continue };
            let kinds: Vec<&super::program::Instance> =
                self.kinds.iter().map(|kind| &kind.def.instance).collect();
            let mut asking =
                formula::Asking::new(self.sema, self.module, (names, &classes.kinds), &kinds);
            let bad = asking.formula(&claim.bad);
            self.failed |= asking.failed;
            let strangers = std::mem::take(&mut asking.strangers);
            strangers.into_iter().for_each(|ident| self.unknown_name(reading, ident));
            nevers.push(NeverDef { label: claim.label, bad, span: statement.span });
        }
        nevers
    }
}

/// A vector or connector, as it was written.
fn join(
    kind: &NetStatementKind,
    known: &[RuleName],
    (names, together): (Vec<usize>, usize),
    span: Span,
) -> JoinDef {
    let find = |ident: Ident| known.iter().position(|name| name.ident.name == ident.name);
    let mut members = Vec::new();
    let (mut name, mut shows, mut last) = (None, span, span.start);
    match kind {
        NetStatementKind::Vector(vector) => {
            let own = vector.members.iter().filter_map(|member| {
                let (name, action) = (find(member.part.name)?, member.action.span);
                Some(JoinMember { name, action, trigger: None })
            });
            members.extend(own);
            (shows, last) = (vector.result.span, vector.result.span.end);
        }
        NetStatementKind::Connect(connect) => {
            for part in &connect.parts {
                last = last.max(part.span.end);
                each_triggered(part, &mut |port, trigger| {
                    let last = port.args.last().map_or(port.action.span, |arg| arg.span);
                    let action = port.action.span.to(last);
                    let member = |name| JoinMember { name, action, trigger: Some(trigger) };
                    members.extend(find(port.part.name).map(member));
                });
            }
            (name, shows) = (Some(connect.name), connect.name.span);
        }
        NetStatementKind::Sub(_) | NetStatementKind::Priority(_) | NetStatementKind::Error => {}
    }
    let clauses = Span::new(last, span.end.max(last));
    JoinDef { names, together, nets: Vec::new(), members, name, shows, clauses, span }
}

/// Calls `visit` with every port of a connector, and whether it is a trigger.
fn each_triggered<'s>(
    part: &'s ast::Connector,
    visit: &mut dyn FnMut(&'s crate::syntax::ast::Port, bool),
) {
    match &part.kind {
        ConnectorKind::Error | ConnectorKind::Formal(_) => {}
        ConnectorKind::Port(port) => visit(port, part.trigger),
        ConnectorKind::Group(parts) | ConnectorKind::Each(parts, ..) => {
            parts.iter().for_each(|part| each_triggered(part, visit));
        }
    }
}

/// The names of interactions of all rules, which priorities can use.
fn interactions_of(decl: &ast::ArchitectureDecl) -> Vec<Symbol> {
    let mut all = Vec::new();
    for rule in &decl.rules {
        let RuleKind::Makes(rule) = &rule.kind else { continue };
        for statement in &rule.body {
            match &statement.kind {
                RuleStatementKind::Net(NetStatementKind::Vector(vector)) => {
                    all.extend(shown_by(&vector.result));
                }
                RuleStatementKind::Net(NetStatementKind::Connect(one)) => all.push(one.name.name),
                _ => {}
            }
        }
    }
    all
}

/// The name of the action that is shown.
fn shown_by(result: &ast::Expr) -> Option<Symbol> {
    match &result.kind {
        ast::ExprKind::Name(name) => Some(*name),
        ast::ExprKind::Call(call) => call.callee.as_name().map(|name| name.name),
        ast::ExprKind::Sync(inner) | ast::ExprKind::Co(inner) => shown_by(inner),
        _ => None,
    }
}

/// Calls `visit` with every part that a statement names.
fn each_part<'s>(kind: &'s NetStatementKind, visit: &mut dyn FnMut(&'s ast::Part)) {
    match kind {
        NetStatementKind::Vector(vector) => {
            vector.members.iter().for_each(|member| visit(&member.part));
            let rivals = vector.rivals.iter().flat_map(|rival| &rival.members);
            rivals.for_each(|member| visit(&member.part));
        }
        NetStatementKind::Connect(connect) => {
            let ports = connect.used.iter().flat_map(|used| &used.ports);
            connect.parts.iter().chain(ports).for_each(|part| each_port(part, visit));
            let rivals = connect.rivals.iter().flat_map(|rival| &rival.members);
            rivals.for_each(|member| visit(&member.part));
        }
        NetStatementKind::Sub(_) | NetStatementKind::Priority(_) | NetStatementKind::Error => {}
    }
}

fn each_port<'s>(part: &'s ast::Connector, visit: &mut dyn FnMut(&'s ast::Part)) {
    match &part.kind {
        ConnectorKind::Error | ConnectorKind::Formal(_) => {}
        ConnectorKind::Port(port) => visit(&port.part),
        ConnectorKind::Group(parts) | ConnectorKind::Each(parts, ..) => {
            parts.iter().for_each(|part| each_port(part, visit));
        }
    }
}
