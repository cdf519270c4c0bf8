//! Definitions of connectors: ports with data, what they join, and what moves in which interaction.
//!
//! Each variable of a port is a local name of the definition; of a family of ports, an array with a place for each.

use super::Sema;
use super::body::Body;
use super::component::StandsFor;
use super::problems::{
    AbsentTarget, AssignedTwice, Duplicate, FamilyIndex, JoinsOnce, MisplacedParameter,
    MisplacedTrigger, PortMisuse, PortUse, ReadAndWritten, UnjoinedPort, UnknownPort,
    UnknownPortData, UnusedParameter,
};
use super::program::{
    ConnectorTypeId, Expr, FamilyDef, Local, LocalId, LocalKind, ModuleId, Named, Sort,
};
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, ConnectorKind, ConnectorStatementKind, Ident, ItemKind, PlaceStep};

/// A definition of a connector.
#[derive(Debug)]
pub struct ConnectorTypeDef {
    /// Its name.
    pub named: Named,
    /// Its local names, its parameters first.
    pub locals: Vec<Local>,
    /// How many parameters it has that are values.
    pub parameters: usize,
    /// What its parameters stand for, where not all are values.
    pub over: Vec<StandsFor>,
    /// Whether it is over something, so that only its instances are used.
    pub is_open: bool,
    /// The ports that it joins.
    pub ports: Vec<FormalDef>,
    /// The port that it shows.
    pub shows: Option<FormalDef>,
    /// What it joins, with triggers and groups.
    pub joins: Vec<JointDef>,
    /// What holds for interactions without clauses of their own.
    pub general: ClausesDef,
    /// Interactions with clauses of their own.
    pub clauses: Vec<OnDef>,
    /// Whether something is wrong with it.
    pub has_errors: bool,
}

/// A port of a definition.
#[derive(Debug)]
pub struct FormalDef {
    /// Its name.
    pub name: Ident,
    /// Its indices, when it stands for many.
    pub family: Option<FamilyDef>,
    /// Its variables.
    pub data: Vec<DatumDef>,
}

/// A variable of a port.
#[derive(Debug)]
pub struct DatumDef {
    /// Its name.
    pub name: Ident,
    /// The local name that stands for it; of a family, an array.
    pub local: LocalId,
    /// Its sort.
    pub sort: Sort,
    /// Whether it only goes in.
    pub goes_in: bool,
    /// The variable whose value it has where nobody writes it.
    pub otherwise: Option<usize>,
}

/// A port or a group of what a definition joins.
#[derive(Debug)]
pub struct JointDef {
    /// Whether it can start an interaction.
    pub trigger: bool,
    /// Which.
    pub kind: JointKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of what a definition joins.
#[derive(Debug)]
pub enum JointKind {
    /// A port, with its index when it is one of a family.
    Port(usize, Option<Expr>),
    /// A group.
    Group(Vec<JointDef>),
    /// A group of what is repeated for these indices, or for those of which a condition holds.
    Each(Vec<JointDef>, Vec<FamilyDef>, Option<Expr>),
}

/// When interactions can happen, and what moves.
#[derive(Debug, Default)]
pub struct ClausesDef {
    /// When they can happen.
    pub guard: Option<Expr>,
    /// What goes to the port that is shown.
    pub up: Vec<TransferDef>,
    /// What comes back to the ports.
    pub down: Vec<TransferDef>,
}

/// Data that moves.
#[derive(Debug)]
pub struct TransferDef {
    /// The port that is written; none for the one that is shown.
    pub port: Option<usize>,
    /// Its index, when it is one of a family.
    pub index: Option<Expr>,
    /// Which of its variables.
    pub datum: usize,
    /// The value.
    pub value: Expr,
    /// The indices it is repeated for.
    pub repeat: Vec<FamilyDef>,
    /// For which of them.
    pub condition: Option<Expr>,
    /// What is written.
    pub span: Span,
}

/// An interaction with clauses of its own.
#[derive(Debug)]
pub struct OnDef {
    /// Its ports.
    pub joins: Vec<JointDef>,
    /// What holds for it.
    pub clauses: ClausesDef,
    /// Its ports, as they were written.
    pub span: Span,
}

impl JointDef {
    /// Whether something in it can start an interaction.
    fn has_trigger(&self) -> bool {
        self.trigger
            || match &self.kind {
                JointKind::Port(..) => false,
                JointKind::Group(all) | JointKind::Each(all, ..) => {
                    all.iter().any(JointDef::has_trigger)
                }
            }
    }
}

impl ConnectorTypeDef {
    /// One of which only the name is known.
    pub(super) fn new(named: Named) -> ConnectorTypeDef {
        ConnectorTypeDef {
            named,
            locals: Vec::new(),
            parameters: 0,
            over: Vec::new(),
            is_open: false,
            ports: Vec::new(),
            shows: None,
            joins: Vec::new(),
            general: ClausesDef::default(),
            clauses: Vec::new(),
            has_errors: true,
        }
    }
}

/// Where data of ports is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// In a guard, or in what goes up.
    Up,
    /// In what comes back.
    Down,
    /// In what a connector shows.
    Shown,
}

/// The ports whose data can be named.
#[derive(Debug)]
pub(super) struct Ports {
    pub all: Vec<PortNames>,
    pub reading: Reading,
    /// The data that was read: port, variable, and where.
    pub read: Vec<(usize, usize, Span)>,
}

/// The names of a port and its data.
#[derive(Clone, Debug)]
pub(super) struct PortNames {
    pub name: Ident,
    pub is_family: bool,
    pub is_shown: bool,
    /// Names, what stands for them, and whether they only go in.
    pub data: Vec<(Ident, LocalId, bool)>,
}

impl FormalDef {
    pub(super) fn names(&self, is_shown: bool) -> PortNames {
        let data = self.data.iter().map(|datum| (datum.name, datum.local, datum.goes_in)).collect();
        PortNames { name: self.name, is_family: self.family.is_some(), is_shown, data }
    }
}

/// Checks all definitions of connectors.
pub(super) fn run(sema: &mut Sema<'_>) {
    let mut index = 0;
    for (module, loaded) in sema.modules.iter().enumerate() {
        for item in &loaded.tree.items {
            if is_spent() {
                return;
            }
            if let ItemKind::Connector(connector) = &item.kind {
                sema.components.connectors.push((ModuleId(module as u32), connector));
                check(sema, ModuleId(module as u32), ConnectorTypeId(index), connector);
                index += 1;
            }
        }
    }
}

/// Checks a definition: as it is written, or as the instance that its place in the program is for.
pub(super) fn check(
    sema: &mut Sema<'_>,
    module: ModuleId,
    id: ConnectorTypeId,
    decl: &ast::ConnectorDecl,
) {
    let made = &sema.program.connectors[id.index()];
    let (named, given, is_open) = (made.named, made.over.clone(), made.is_open);
    let mut body = Body::new(sema, module);
    for param in &decl.params {
        // Ports stand for actions here.
        if matches!(param.sort.kind, ast::SortKind::ActionOf(_)) {
            body.report(MisplacedParameter { span: param.sort.span, is_sort: false });
        }
    }
    let (parameters, over) = body.parameters(&decl.params, false, &given);
    let mut work = Joining { body, decl, ports: Vec::new(), shows: None, used: Vec::new() };
    work.head();
    let mut def = ConnectorTypeDef::new(named);
    def.is_open = is_open || given.is_empty() && !over.is_empty();
    def.over = over;
    work.statements(&mut def);
    let is_gap = |one: &ast::ConnectorStatement| matches!(one.kind, ConnectorStatementKind::Error);
    let has_gaps = decl.body.iter().any(is_gap);
    if !work.body.failed && !has_gaps {
        work.lints(parameters);
    }
    let Joining { body, ports, shows, .. } = work;
    def.has_errors = body.failed || has_gaps;
    (def.locals, def.parameters, def.ports, def.shows) = (body.locals, parameters, ports, shows);
    sema.program.connectors[id.index()] = def;
}

/// The work on one definition.
struct Joining<'s, 'a, 'd> {
    body: Body<'s, 'a>,
    decl: &'d ast::ConnectorDecl,
    ports: Vec<FormalDef>,
    shows: Option<FormalDef>,
    /// Which ports are joined.
    used: Vec<bool>,
}

impl Joining<'_, '_, '_> {
    // ---- ports ----

    fn head(&mut self) {
        let decl = self.decl;
        for port in decl.ports.iter().chain(&decl.shows) {
            let all = self.ports.iter().map(|known| known.name);
            let first = all.into_iter().find(|known| known.name == port.name.name);
            let local = self.body.local(port.name.name);
            let parameter = local.map(|id| self.body.locals[id.index()].span);
            if let Some(first) = first.map(|first| first.span).or(parameter) {
                let (what, name) = ("port".to_owned(), port.name.name.to_string());
                self.body.report(Duplicate { span: port.name.span, what, name, first });
            }
            self.body.names_port(port.name, port.name);
            let formal = self.formal(port);
            if decl.shows.as_ref().is_some_and(|shown| std::ptr::eq(shown, port)) {
                self.shows = Some(formal);
            } else {
                self.ports.push(formal);
            }
        }
        self.used = vec![false; self.ports.len()];
        let mut all: Vec<PortNames> = self.ports.iter().map(|port| port.names(false)).collect();
        all.extend(self.shows.iter().map(|shown| shown.names(true)));
        self.body.ports = Some(Ports { all, reading: Reading::Up, read: Vec::new() });
    }

    fn formal(&mut self, port: &ast::FormalPort) -> FormalDef {
        let family = port.family.as_ref().map(|family| {
            let range = self.body.range(&family.range);
            let mark = self.body.enter();
            let index = self.body.bind(family.index, Sort::Range(range), LocalKind::Index);
            self.body.leave(mark);
            FamilyDef { index, range }
        });
        let mut data: Vec<DatumDef> = Vec::with_capacity(port.data.len());
        for (goes_in, binder) in &port.data {
            let sort = self.body.local_sort(&binder.sort);
            if let Some(first) = data.iter().find(|known| known.name.name == binder.name.name) {
                let (what, name) = ("variable".to_owned(), binder.name.name.to_string());
                let first = first.name.span;
                self.body.report(Duplicate { span: binder.name.span, what, name, first });
            }
            let of_all = match &family {
                Some(family) => self.body.sema.array(Sort::Range(family.range), sort),
                None => sort,
            };
            self.body.names_datum(binder.name, binder.name);
            let span = binder.name.span;
            let local = self.body.anonymous(span, of_all, LocalKind::VectorData);
            let name = format!("{}.{}", port.name.name, binder.name.name);
            self.body.locals[local.index()].name = Symbol::new(&name);
            // What goes in takes the place of what was shown right before it.
            let before = data.iter().rposition(|one| !one.goes_in);
            let same = |at: &usize| self.body.unify(data[*at].sort, sort);
            let otherwise = before.filter(|_| *goes_in).filter(same);
            let goes_in = *goes_in;
            data.push(DatumDef { name: binder.name, local, sort, goes_in, otherwise });
        }
        FormalDef { name: port.name, family, data }
    }

    // ---- what is joined ----

    fn statements(&mut self, def: &mut ConnectorTypeDef) {
        let mut first: Option<Span> = None;
        for statement in &self.decl.body {
            match &statement.kind {
                ConnectorStatementKind::Error => first = first.or(Some(statement.span)),
                ConnectorStatementKind::Joins(parts, clauses) => {
                    let joins = self.joints(parts, false);
                    let general = self.clauses(clauses, false);
                    if let Some(first) = first {
                        let name = self.decl.name.name.to_string();
                        let (span, first) = (statement.span, Some(first));
                        self.body.report(JoinsOnce { span, name, first });
                        continue;
                    }
                    first = Some(statement.span);
                    (def.joins, def.general) = (joins, general);
                }
                ConnectorStatementKind::On(parts, clauses) => {
                    let joins = self.joints(parts, true);
                    // Without a trigger there is one interaction, which nobody wants to leave out.
                    let clauses =
                        self.clauses(clauses, def.joins.iter().any(JointDef::has_trigger));
                    let ends = parts.first().zip(parts.last());
                    let span = ends.map_or(statement.span, |(a, b)| a.span.to(b.span));
                    self.absent_targets(&joins, &clauses, span);
                    def.clauses.push(OnDef { joins, clauses, span });
                }
            }
        }
        if first.is_none() {
            let (span, name) = (self.decl.name.span, self.decl.name.name.to_string());
            self.body.report(JoinsOnce { span, name, first });
        }
    }

    /// Warns of what goes to a port that the interaction of a clause does not have.
    fn absent_targets(&mut self, joins: &[JointDef], clauses: &ClausesDef, on: Span) {
        let (mut present, mut work) = (Vec::new(), joins.iter().collect::<Vec<_>>());
        while let Some(joint) = work.pop() {
            match &joint.kind {
                JointKind::Port(port, _) => present.push(*port),
                JointKind::Group(inner) | JointKind::Each(inner, ..) => work.extend(inner),
            }
        }
        // A port that could not be read is not called absent.
        if self.body.failed {
            return;
        }
        for transfer in &clauses.down {
            if let Some(port) = transfer.port.filter(|port| !present.contains(port)) {
                let (span, port) = (transfer.span, self.ports[port].name.name.to_string());
                self.body.report(AbsentTarget { span, port, on });
            }
        }
    }

    fn joints(&mut self, parts: &[ast::Connector], in_clause: bool) -> Vec<JointDef> {
        parts.iter().filter_map(|part| self.joint(part, in_clause)).collect()
    }

    fn joint(&mut self, part: &ast::Connector, in_clause: bool) -> Option<JointDef> {
        if part.trigger && in_clause {
            let mark = Span::new(part.span.end.saturating_sub(1), part.span.end);
            self.body.report(MisplacedTrigger { span: mark, in_use: false });
        }
        let kind = match &part.kind {
            ConnectorKind::Error | ConnectorKind::Port(_) => {
                self.body.failed = true;
                return None;
            }
            ConnectorKind::Formal(port) => self.port(port)?,
            ConnectorKind::Group(parts) => JointKind::Group(self.joints(parts, in_clause)),
            ConnectorKind::Each(parts, repeat, condition) => {
                let mark = self.body.enter();
                let repeat = self.repeat(repeat);
                let parts = self.joints(parts, in_clause);
                let condition =
                    condition.as_ref().map(|one| self.body.expr_of(one, Sort::Bool, None));
                self.body.leave(mark);
                JointKind::Each(parts, repeat, condition)
            }
        };
        Some(JointDef { trigger: part.trigger, kind, span: part.span })
    }

    fn repeat(&mut self, repeat: &[ast::Family]) -> Vec<FamilyDef> {
        let mut all = Vec::with_capacity(repeat.len());
        for family in repeat {
            let range = self.body.repeated_range(&family.range);
            let index = self.body.bind(family.index, Sort::Range(range), LocalKind::Index);
            all.push(FamilyDef { index, range });
        }
        all
    }

    fn port(&mut self, port: &ast::Part) -> Option<JointKind> {
        let index = port.index.as_ref().map(|index| self.body.expr_of(index, Sort::Int, None));
        let at = self.find(port.name)?;
        self.used[at] = true;
        let formal = &self.ports[at];
        if formal.family.is_some() != index.is_some() {
            let (name, declared) = (formal.name.name.to_string(), Some(formal.name.span));
            let family = index.is_none();
            self.body.report(FamilyIndex { span: port.span, name, family, declared });
            return None;
        }
        Some(JointKind::Port(at, index))
    }

    fn find(&mut self, name: Ident) -> Option<usize> {
        let at = self.ports.iter().position(|port| port.name.name == name.name);
        if let Some(at) = at {
            self.body.names_port(name, self.ports[at].name);
        }
        if at.is_none() {
            self.body.failed = true;
            if !self.body.is_unparsed(name.name) {
                let known: Vec<String> =
                    self.ports.iter().map(|port| port.name.name.to_string()).collect();
                let similar = self.body.sema.similar(name.name, known.iter().map(String::as_str));
                let connector = self.decl.name.name.to_string();
                let (span, name) = (name.span, name.name.to_string());
                self.body.report(UnknownPort { span, name, connector, similar, known });
            }
        }
        at
    }

    // ---- data ----

    fn clauses(&mut self, clauses: &ast::ConnectorClauses, is_one_of_many: bool) -> ClausesDef {
        self.read_in(Reading::Up);
        let mut guard = clauses.guard.as_ref().map(|guard| match guard.kind {
            // `on p when false` is how one interaction is left out.
            ast::ExprKind::Bool(false) if is_one_of_many => {
                self.body.expr_of(guard, Sort::Bool, None)
            }
            _ => self.body.guard(guard),
        });
        let mut up = self.transfers(&clauses.up, true);
        self.read_in(Reading::Down);
        let mut down = self.transfers(&clauses.down, false);
        guard.iter_mut().for_each(|guard| self.body.finish(guard));
        for transfer in up.iter_mut().chain(&mut down) {
            self.body.finish(&mut transfer.value);
            transfer.index.iter_mut().for_each(|index| self.body.finish(index));
            transfer.condition.iter_mut().for_each(|one| self.body.finish(one));
        }
        self.read_and_written(&down);
        self.body.ports.iter_mut().for_each(|ports| ports.read.clear());
        ClausesDef { guard, up, down }
    }

    fn read_in(&mut self, reading: Reading) {
        self.body.ports.iter_mut().for_each(|ports| ports.reading = reading);
    }

    fn transfers(&mut self, all: &[ast::Transfer], up: bool) -> Vec<TransferDef> {
        let mut done: Vec<TransferDef> = Vec::with_capacity(all.len());
        for transfer in all {
            let mark = self.body.enter();
            let repeat = self.repeat(&transfer.repeat);
            let made = self.transfer(&transfer.moves, up);
            let condition = transfer.condition.as_ref();
            let condition = condition.map(|one| self.body.expr_of(one, Sort::Bool, None));
            self.body.leave(mark);
            let Some(made) = made else { continue };
            let made = TransferDef { repeat, condition, ..made };
            let single = |one: &TransferDef| one.index.is_none();
            let same = |one: &&TransferDef| {
                single(one) && (one.port, one.datum) == (made.port, made.datum) && single(&made)
            };
            if let Some(first) = done.iter().find(same) {
                let name = crate::syntax::print::print_place(&transfer.moves);
                self.body.report(AssignedTwice { span: made.span, name, first: first.span });
            }
            done.push(made);
        }
        done
    }

    fn transfer(&mut self, moves: &ast::Assignment, up: bool) -> Option<TransferDef> {
        let target = self.target(moves, up);
        let Some((port, datum, index, span)) = target else {
            self.body.expr(&moves.value);
            return None;
        };
        let formal = port.map_or(self.shows.as_ref(), |port| self.ports.get(port))?;
        let (sort, declared) = (formal.data[datum].sort, formal.data[datum].name.span);
        let because = Some((declared, "the variable is declared here".to_owned()));
        let value = self.body.expr_of(&moves.value, sort, because);
        self.body.check_range(&value, sort, Some(declared));
        if moves.operator.is_some() {
            let name = crate::syntax::print::print_place(moves);
            self.body.report(ReadAndWritten { span, name, written: span, declared });
        }
        let (repeat, condition) = (Vec::new(), None);
        Some(TransferDef { port, index, datum, value, repeat, condition, span })
    }

    /// What is written: the port, its variable, its index, and where it stands.
    fn target(
        &mut self,
        moves: &ast::Assignment,
        up: bool,
    ) -> Option<(Option<usize>, usize, Option<Expr>, Span)> {
        let port = moves.target;
        let (index, data) = match moves.place.as_slice() {
            [PlaceStep::Field(data)] => (None, *data),
            [PlaceStep::Index(index, brackets), PlaceStep::Field(data)] => {
                (Some((index, *brackets)), *data)
            }
            _ => {
                let name = port.name.to_string();
                self.body.report(PortUse { span: port.span, name, why: PortMisuse::Target });
                return None;
            }
        };
        let span = port.span.to(data.span);
        let is_shown = self.shows.as_ref().is_some_and(|shown| shown.name.name == port.name);
        let is_known = self.ports.iter().any(|one| one.name.name == port.name);
        if up && self.shows.is_none() && !is_known {
            let (name, why) = (format!("{}.{}", port.name, data.name), PortMisuse::Up(None));
            self.body.report(PortUse { span, name, why });
            return None;
        }
        let at = if is_shown { None } else { Some(self.find(port)?) };
        let formal = at.map_or(self.shows.as_ref(), |at| self.ports.get(at))?;
        if formal.family.is_some() != index.is_some() {
            let (name, declared) = (formal.name.name.to_string(), Some(formal.name.span));
            let (span, family) = (port.span, index.is_none());
            self.body.report(FamilyIndex { span, name, family, declared });
            return None;
        }
        let Some(datum) = formal.data.iter().position(|one| one.name.name == data.name) else {
            let names = formal.names(is_shown);
            self.body.unknown_port_data(&names, data);
            return None;
        };
        self.body.names_port(port, formal.name);
        self.body.names_datum(data, formal.data[datum].name);
        let why = match (up, is_shown) {
            (true, false) => Some(PortMisuse::Up(self.shows.as_ref().map(|s| s.name.name))),
            (true, true) if formal.data[datum].goes_in => Some(PortMisuse::UpIn),
            (false, true) => Some(PortMisuse::Down),
            _ => None,
        };
        if let Some(why) = why {
            let name = format!("{}.{}", port.name, data.name);
            self.body.report(PortUse { span, name, why });
            return None;
        }
        let index = index.map(|(index, _)| self.body.expr_of(index, Sort::Int, None));
        Some((at, datum, index, span))
    }

    /// Reports data that one interaction both reads and writes: an action has one argument for it.
    fn read_and_written(&mut self, down: &[TransferDef]) {
        let Some(ports) = &self.body.ports else { return };
        let mut found = Vec::new();
        for written in down {
            let Some(port) = written.port else { continue };
            let formal = &self.ports[port];
            if formal.family.is_some() {
                continue;
            }
            let read =
                ports.read.iter().find(|(at, datum, _)| (*at, *datum) == (port, written.datum));
            if let Some((_, _, span)) = read {
                let datum = &formal.data[written.datum];
                let name = format!("{}.{}", formal.name.name, datum.name.name);
                let (span, declared) = (*span, datum.name.span);
                found.push(ReadAndWritten { span, name, written: written.span, declared });
            }
        }
        found.into_iter().for_each(|problem| self.body.report(problem));
    }

    fn lints(&mut self, parameters: usize) {
        for index in 0..parameters {
            let local = self.body.locals[index];
            let quiet = local.name.as_str().starts_with('_');
            if self.body.reads[index] == 0 && !quiet {
                let name = local.name.to_string();
                self.body.report(UnusedParameter { span: local.span, name });
            }
        }
        for at in 0..self.ports.len() {
            let Ident { name, span } = self.ports[at].name;
            if !self.used[at] && !name.as_str().starts_with('_') {
                let (name, connector) = (name.to_string(), self.decl.name.name.to_string());
                self.body.report(UnjoinedPort { span, name, connector });
            }
        }
    }
}

impl Body<'_, '_> {
    /// Whether a port is called so.
    pub fn is_port(&self, name: Symbol) -> bool {
        let ports = self.ports.as_ref();
        ports.is_some_and(|ports| ports.all.iter().any(|port| port.name.name == name))
    }

    /// Reports a port where data is wanted.
    pub fn port_as_value(&mut self, ident: Ident) -> Expr {
        let name = ident.name.to_string();
        self.report(PortUse { span: ident.span, name, why: PortMisuse::Value });
        Expr::error(ident.span)
    }

    /// `p.x`, `r[i].x`
    pub fn port_data(
        &mut self,
        port: Ident,
        index: Option<(&ast::Expr, Span)>,
        data: Ident,
    ) -> Expr {
        let whole = port.span.to(data.span);
        let found = self.ports.as_ref().and_then(|ports| {
            let at = ports.all.iter().position(|one| one.name.name == port.name)?;
            Some((at, ports.all[at].clone(), ports.reading))
        });
        let Some((at, names, reading)) = found else { return Expr::error(whole) };
        if names.is_family != index.is_some() {
            index.into_iter().for_each(|(index, _)| drop(self.expr(index)));
            let (name, declared) = (names.name.name.to_string(), Some(names.name.span));
            let family = names.is_family;
            self.report(FamilyIndex { span: port.span, name, family, declared });
            return Expr::error(whole);
        }
        let Some(datum) = names.data.iter().position(|(one, _, _)| one.name == data.name) else {
            index.into_iter().for_each(|(index, _)| drop(self.expr(index)));
            self.unknown_port_data(&names, data);
            return Expr::error(whole);
        };
        let (declared, local, goes_in) = names.data[datum];
        self.names_port(port, names.name);
        self.names_datum(data, declared);
        let why = match (reading, names.is_shown, goes_in) {
            (Reading::Up, true, _) => Some(PortMisuse::TooEarly),
            (Reading::Up | Reading::Down, false, true) => Some(PortMisuse::OnlyIn),
            _ => None,
        };
        if let Some(why) = why {
            let name = format!("{}.{}", port.name, data.name);
            self.report(PortUse { span: whole, name, why });
            return Expr::error(whole);
        }
        self.ports.iter_mut().for_each(|ports| ports.read.push((at, datum, whole)));
        match index {
            None => self.read_unnamed(local, whole),
            Some((index, _)) => {
                let all = self.read_unnamed(local, whole);
                self.index_of(all, index, whole)
            }
        }
    }

    /// The data that what a connector shows can use, as it is written.
    pub fn data_of_ports(&self) -> Vec<String> {
        let ports = self.ports.iter().flat_map(|ports| &ports.all);
        let data = |port: &PortNames| {
            let name = port.name.name;
            let index = if port.is_family { "[i]" } else { "" };
            let data = port.data.iter().map(|(datum, ..)| format!("{name}{index}.{}", datum.name));
            data.collect::<Vec<_>>()
        };
        ports.flat_map(data).collect()
    }

    /// Reports data that a port does not have.
    pub fn unknown_port_data(&mut self, port: &PortNames, data: Ident) {
        self.failed = true;
        if self.is_unparsed(data.name) {
            return;
        }
        let known: Vec<String> = port.data.iter().map(|(name, ..)| name.name.to_string()).collect();
        let similar = self.sema.similar(data.name, known.iter().map(String::as_str));
        let (span, name) = (data.span, data.name.to_string());
        let (port, declared) = (port.name.name.to_string(), port.name.span);
        self.report(UnknownPortData { span, name, port, similar, known, declared });
    }
}
