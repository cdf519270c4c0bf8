//! Processes, nets and definitions of connectors over sorts and actions: `process Cell<T: sort, put: Action(T)>`.
//!
//! What is declared is checked once, for parameters of which nothing is known. Each instance is then checked again, from its
//! text, with what the parameters stand for; this finds nothing that was not known, but for what a sort itself brings in.

use rustc_hash::FxHashMap;

use super::Sema;
use super::body::{Body, Resolved};
use super::generic::Put;
use super::joint::{self, ConnectorTypeDef};
use super::net::{self, Work};
use super::problems::{
    ActionMisfit, BadInstance, Duplicate, NotASort, SemaProblem, UnknownInstance, ValueCount,
};
use super::process;
use super::program::{
    ActionDef, ActionId, ConnectorTypeId, LocalKind, ModuleId, Named, NetBody, NetDef, NetId,
    ProcessDef, ProcessId, Sort,
};
use super::scope::{Declared, Meaning, Space};
use crate::diagnostics::{Severity, Span, Symbol};
use crate::syntax::ast::{self, Ident};

/// What a parameter of a process, a net or a definition of connectors stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StandsFor {
    /// A value: each use gives its own.
    Value,
    /// A sort.
    Sort(Sort),
    /// An action.
    Action(ActionId),
}

/// Processes, nets and definitions of connectors as they are written, and the instances that were made of them.
#[derive(Debug, Default)]
pub(super) struct Components<'a> {
    pub processes: Vec<(ModuleId, &'a ast::ProcessDecl)>,
    pub nets: Vec<(ModuleId, &'a ast::NetDecl)>,
    pub connectors: Vec<(ModuleId, &'a ast::ConnectorDecl)>,
    made_processes: FxHashMap<(ProcessId, Vec<StandsFor>), ProcessId>,
    made_nets: FxHashMap<(NetId, Vec<StandsFor>), NetId>,
    made_connectors: FxHashMap<(ConnectorTypeId, Vec<StandsFor>), ConnectorTypeId>,
}

impl Body<'_, '_> {
    /// Introduces parameters. How many of them are values is returned, and what the others stand for: what is given, or
    /// something of which nothing is known.
    pub fn parameters(
        &mut self,
        params: &[ast::Binder],
        sets_allowed: bool,
        given: &[StandsFor],
    ) -> (usize, Vec<StandsFor>) {
        let (mut over, mut values) = (Vec::with_capacity(params.len()), 0);
        for (index, param) in params.iter().enumerate() {
            let one = match &param.sort.kind {
                ast::SortKind::AnySort => self.sort_parameter(param.name, given.get(index)),
                ast::SortKind::ActionOf(sorts) => {
                    self.action_parameter(param.name, sorts, given.get(index))
                }
                _ => {
                    self.value_parameter(param, sets_allowed);
                    values += 1;
                    StandsFor::Value
                }
            };
            over.push(one);
        }
        if values == params.len() {
            over.clear();
        }
        (values, over)
    }

    fn value_parameter(&mut self, param: &ast::Binder, sets_allowed: bool) {
        let sort = match param.sort.kind {
            ast::SortKind::Actions if sets_allowed => Sort::Actions,
            _ => self.local_sort(&param.sort),
        };
        if let Some(first) = self.parameter_place(param.name.name) {
            self.parameter_twice(param.name, first);
            self.anonymous(param.name.span, sort, LocalKind::Parameter);
        } else {
            self.bind(param.name, sort, LocalKind::Parameter);
        }
    }

    /// Where a parameter of this name was declared before.
    fn parameter_place(&self, name: Symbol) -> Option<Span> {
        let local = self.local(name).map(|id| self.locals[id.index()].span);
        let action = self.action_names.get(&name).map(|(_, span)| *span);
        let sort = match self.sort_names.get(&name) {
            Some(Sort::Parameter(id)) => Some(self.sema.program.sort_params[id.index()].span),
            _ => None,
        };
        local.or(action).or(sort)
    }

    fn parameter_twice(&mut self, ident: Ident, first: Span) {
        let (what, name) = ("parameter".to_owned(), ident.name.to_string());
        self.report(Duplicate { span: ident.span, what, name, first });
    }

    fn sort_parameter(&mut self, ident: Ident, given: Option<&StandsFor>) -> StandsFor {
        if let Some(first) = self.parameter_place(ident.name) {
            self.parameter_twice(ident, first);
        }
        let sort = match given {
            Some(StandsFor::Sort(sort)) => *sort,
            _ => Sort::Parameter(self.sema.sort_param(ident, self.module)),
        };
        self.sort_names.insert(ident.name, sort);
        StandsFor::Sort(sort)
    }

    fn action_parameter(
        &mut self,
        ident: Ident,
        sorts: &[ast::Sort],
        given: Option<&StandsFor>,
    ) -> StandsFor {
        if let Some(first) = self.parameter_place(ident.name) {
            self.parameter_twice(ident, first);
        }
        let sorts: Vec<Sort> = sorts.iter().map(|sort| self.local_sort(sort)).collect();
        let arity = sorts.len();
        let id = match given {
            Some(StandsFor::Action(id)) => *id,
            _ => {
                let id = ActionId(self.sema.program.actions.len() as u32);
                let named = Named { name: ident.name, span: ident.span, module: self.module };
                self.sema.program.actions.push(ActionDef { named, sorts });
                self.sema.used_actions.push(true);
                id
            }
        };
        let meaning = Meaning::Actions(vec![(arity, id)]);
        self.action_names.insert(ident.name, (meaning, ident.span));
        StandsFor::Action(id)
    }

    /// The action that a parameter of this name stands for.
    pub fn given_action(&self, space: Space, name: Symbol) -> Option<Declared> {
        if space != Space::Values || self.action_names.is_empty() {
            return None;
        }
        let (meaning, span) = self.action_names.get(&name)?;
        Some(Declared { meaning: meaning.clone(), span: *span })
    }
}

/// An instance that somebody asks for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'i> {
    pub of: Ident,
    pub values: &'i [ast::Expr],
    pub span: Span,
}

impl<'i> Asked<'i> {
    fn new(instance: &'i ast::Instance, of: Ident) -> Asked<'i> {
        Asked { of, values: &instance.values, span: instance.span }
    }
}

/// What the parameters of an instance stand for, its arguments that are values, and what is put for which sort.
pub(super) type Given<'i> = (Vec<StandsFor>, Vec<&'i ast::Expr>, Put);

/// What an instance is made of, with the arguments for its values.
pub(super) struct Taken<'i, I> {
    pub id: I,
    pub values: Vec<&'i ast::Expr>,
    /// The sorts of its values.
    pub sorts: Vec<Sort>,
}

impl Work<'_, '_> {
    /// The process that an instance is of.
    pub fn taken_process<'i>(
        &mut self,
        instance: &'i ast::Instance,
        ident: Ident,
        id: ProcessId,
    ) -> Option<Taken<'i, ProcessId>> {
        let process = &self.body.sema.program.processes[id.index()];
        let (over, declared) = (process.over.clone(), process.named.span);
        let locals = process.locals.iter().take(process.parameters);
        let sorts: Vec<Sort> = locals.map(|local| local.sort).collect();
        if over.is_empty() {
            return Some(Taken { id, values: instance.values.iter().collect(), sorts });
        }
        let params = self.body.sema.components.processes[id.index()].1.params.as_slice();
        let asked = Asked::new(instance, ident);
        let (given, values, put) = self.given(asked, (&over, params, &sorts), declared)?;
        let sorts = sorts.into_iter().map(|sort| self.body.sema.put_sort(sort, &put)).collect();
        let before = self.body.sema.problems.len();
        let has_errors = self.body.sema.program.processes[id.index()].has_errors;
        let id = self.body.sema.process_instance(id, given);
        self.only_new_problems(asked, before, has_errors);
        Some(Taken { id, values, sorts })
    }

    /// The net that an instance is of.
    pub fn taken_net<'i>(
        &mut self,
        instance: &'i ast::Instance,
        ident: Ident,
        id: NetId,
    ) -> Option<Taken<'i, NetId>> {
        let net = &self.body.sema.program.nets[id.index()];
        let (over, declared) = (net.over.clone(), net.named.span);
        let locals = net.locals.iter().take(net.parameters);
        let sorts: Vec<Sort> = locals.map(|local| local.sort).collect();
        if over.is_empty() {
            return Some(Taken { id, values: instance.values.iter().collect(), sorts });
        }
        let params = self.body.sema.components.nets[id.index()].1.params.as_slice();
        let asked = Asked::new(instance, ident);
        let (given, values, put) = self.given(asked, (&over, params, &sorts), declared)?;
        let sorts = sorts.into_iter().map(|sort| self.body.sema.put_sort(sort, &put)).collect();
        let before = self.body.sema.problems.len();
        let has_errors = self.body.sema.program.nets[id.index()].has_errors;
        let id = self.body.sema.net_instance(id, given);
        self.only_new_problems(asked, before, has_errors);
        Some(Taken { id, values, sorts })
    }

    /// What an instance was checked for again is known, unless a sort brought it in.
    pub(super) fn only_new_problems(&mut self, asked: Asked<'_>, before: usize, has_errors: bool) {
        let found: Vec<SemaProblem> = self.body.sema.problems.drain(before..).collect();
        self.body.too_large(asked.span);
        if has_errors {
            self.body.failed = true;
            return;
        }
        let first = found.iter().find(|one| one.entry().severity == Severity::Error);
        if let Some(first) = first {
            let (why, place) = (first.diagnose().message, first.span());
            let (span, name) = (asked.span, asked.of.name.to_string());
            self.body.report(BadInstance { span, name, why, place });
        }
    }

    /// What the parameters of an instance stand for, and its arguments that are values.
    fn given<'i>(
        &mut self,
        asked: Asked<'i>,
        (over, params, value_sorts): (&[StandsFor], &[ast::Binder], &[Sort]),
        declared: Span,
    ) -> Option<Given<'i>> {
        let found = self.given_so_far(asked, (over, params), declared)?;
        self.sorts_from_values(&found.1, value_sorts, &found.2);
        self.all_given(asked, params, found)
    }

    /// The same, with sorts that are left out still to be found.
    pub(super) fn given_so_far<'i>(
        &mut self,
        asked: Asked<'i>,
        (over, params): (&[StandsFor], &[ast::Binder]),
        declared: Span,
    ) -> Option<Given<'i>> {
        let sorts = over.iter().filter(|one| matches!(one, StandsFor::Sort(_))).count();
        let count = asked.values.len();
        if count != over.len() && count != over.len() - sorts {
            if !self.body.is_unparsed(asked.of.name) {
                let (name, expected) = (asked.of.name.to_string(), over.len());
                let (span, declared) = (asked.span, Some(declared));
                self.body.report(ValueCount { span, name, expected, found: count, declared });
            }
            return None;
        }
        let inferred = count != over.len();
        let mut args = asked.values.iter();
        let mut put: Put = Vec::new();
        let mut taken: Vec<(StandsFor, Option<&ast::Expr>)> = Vec::with_capacity(over.len());
        for one in over {
            match one {
                StandsFor::Sort(Sort::Parameter(id)) => {
                    let arg = if inferred { None } else { args.next() };
                    let sort = self.sort_argument(arg)?;
                    put.push((*id, sort));
                    taken.push((StandsFor::Sort(sort), arg));
                }
                other => taken.push((*other, args.next())),
            }
        }
        let (mut given, mut values) = (Vec::with_capacity(over.len()), Vec::new());
        for ((one, arg), param) in taken.into_iter().zip(params) {
            given.push(match one {
                StandsFor::Action(id) => {
                    StandsFor::Action(self.action_argument(id, arg?, param, &put)?)
                }
                StandsFor::Value => {
                    values.push(arg?);
                    StandsFor::Value
                }
                sort => sort,
            });
        }
        Some((given, values, put))
    }

    /// The same, with all sorts found, or one reported that nothing tells.
    pub(super) fn all_given<'i>(
        &mut self,
        asked: Asked<'i>,
        params: &[ast::Binder],
        (mut given, values, mut put): Given<'i>,
    ) -> Option<Given<'i>> {
        for (one, param) in given.iter_mut().zip(params) {
            let StandsFor::Sort(sort) = one else { continue };
            let known = self.body.resolve_sort(*sort);
            if self.body.is_open(known) {
                let (span, component) = (asked.span, asked.of.name.to_string());
                let name = param.name.name.to_string();
                self.body.report(UnknownInstance { span, component, name });
                return None;
            }
            *one = StandsFor::Sort(self.body.sema.canonical(known));
        }
        put.iter_mut().for_each(|(_, sort)| *sort = self.body.resolve_sort(*sort));
        (!given.contains(&StandsFor::Sort(Sort::Error))).then_some((given, values, put))
    }

    /// Lets the values of an instance say which sorts are meant, where the actions do not.
    fn sorts_from_values(&mut self, values: &[&ast::Expr], sorts: &[Sort], put: &Put) {
        let open = put.iter().any(|(_, sort)| self.body.is_open(*sort));
        if !open || values.is_empty() {
            return;
        }
        // What is wrong with them is told when they are looked at as what they are.
        let before = self.body.sema.problems.len();
        let failed = self.body.failed;
        for (value, sort) in values.iter().zip(sorts) {
            let wanted = self.body.sema.put_sort(*sort, put);
            if matches!(wanted, Sort::Action | Sort::Actions) {
                continue;
            }
            let found = self.body.expr(value);
            self.body.unify(found.sort, wanted);
        }
        self.body.sema.problems.truncate(before);
        self.body.failed = failed;
    }

    /// A sort that is given; one to be found out, where none is.
    fn sort_argument(&mut self, arg: Option<&ast::Expr>) -> Option<Sort> {
        let Some(arg) = arg else { return Some(self.body.fresh()) };
        let path = |name: Symbol| ast::Path { parts: vec![Ident { name, span: arg.span }] };
        let sort = match &arg.kind {
            ast::ExprKind::Wildcard => self.body.fresh(),
            ast::ExprKind::Name(name) => self.body.named_sort(&path(*name), None),
            ast::ExprKind::Path(path) => self.body.named_sort(path, None),
            ast::ExprKind::Sort(sort) => self.body.local_sort(sort),
            ast::ExprKind::Error => Sort::Error,
            _ => {
                self.body.report(NotASort { span: arg.span });
                Sort::Error
            }
        };
        self.body.failed |= sort == Sort::Error;
        (sort != Sort::Error).then_some(sort)
    }

    /// The action that is given for a parameter.
    fn action_argument(
        &mut self,
        formal: ActionId,
        arg: &ast::Expr,
        param: &ast::Binder,
        put: &Put,
    ) -> Option<ActionId> {
        let sorts = self.body.sema.program.actions[formal.index()].sorts.clone();
        let sorts: Vec<Sort> =
            sorts.into_iter().map(|sort| self.body.sema.put_sort(sort, put)).collect();
        let found = self.named_actions(arg);
        let actual = found.iter().find(|(arity, _)| *arity == sorts.len()).map(|(_, id)| *id);
        for (_, id) in &found {
            self.body.use_action(*id);
        }
        let ident = match &arg.kind {
            ast::ExprKind::Name(name) => Some(Ident { name: *name, span: arg.span }),
            ast::ExprKind::Path(path) => path.parts.last().copied(),
            _ => None,
        };
        let first = found.first().map(|(_, id)| *id);
        if let (Some(ident), Some(id)) = (ident, actual.or(first)) {
            self.body.sema.names_action(ident, id);
        }
        let fits = actual.is_some_and(|id| {
            let own = self.body.sema.program.actions[id.index()].sorts.clone();
            // A range says more than its numbers, where nothing is known yet.
            own.into_iter().zip(&sorts).all(|(own, &wanted)| {
                self.body.unify_places(wanted, own) || self.body.unify(wanted, own)
            })
        });
        if fits {
            return actual;
        }
        if self.body.is_unparsed_expr(arg) {
            self.body.failed = true;
            return None;
        }
        let shown: Vec<String> = sorts
            .into_iter()
            .map(|sort| {
                let sort = self.body.resolve_sort(sort);
                self.body.sema.program.sort_name(sort)
            })
            .collect();
        let found = actual.map(|id| {
            let action = &self.body.sema.program.actions[id.index()];
            let own = action.sorts.iter().map(|&sort| self.body.sema.program.sort_name(sort));
            let own = own.collect::<Vec<_>>().join(", ");
            (format!("{}({own})", action.named.name), action.named.span)
        });
        let (span, name) = (arg.span, param.name.name.to_string());
        self.body.report(ActionMisfit { span, name, wanted: shown, found });
        None
    }

    /// The actions of the name that stands here.
    fn named_actions(&mut self, arg: &ast::Expr) -> Vec<(usize, ActionId)> {
        let declared = match &arg.kind {
            ast::ExprKind::Name(name) => self.body.lookup(Space::Values, *name),
            ast::ExprKind::Path(path) => match self.body.resolve(Space::Values, path) {
                Resolved::Known(declared, _, []) => Some(declared),
                _ => None,
            },
            _ => None,
        };
        match declared.map(|declared| declared.meaning) {
            Some(Meaning::Actions(actions)) => actions,
            _ => Vec::new(),
        }
    }
}

impl Body<'_, '_> {
    fn is_unparsed_expr(&self, arg: &ast::Expr) -> bool {
        match &arg.kind {
            ast::ExprKind::Name(name) => self.is_unparsed(*name),
            ast::ExprKind::Error => true,
            _ => false,
        }
    }
}

impl ProcessDef {
    /// A process of which only the name is known.
    pub(super) fn new(named: Named) -> ProcessDef {
        ProcessDef {
            named,
            over: Vec::new(),
            generic: None,
            is_open: false,
            locals: Vec::new(),
            parameters: 0,
            variables: Vec::new(),
            failed: None,
            states: Vec::new(),
            initial: None,
            transitions: Vec::new(),
            priorities: Vec::new(),
            has_errors: false,
        }
    }
}

impl NetDef {
    /// A net of which only the name is known.
    pub(super) fn new(named: Named) -> NetDef {
        NetDef {
            named,
            over: Vec::new(),
            generic: None,
            is_open: false,
            locals: Vec::new(),
            parameters: 0,
            holes: Vec::new(),
            body: NetBody::Error,
            has_errors: false,
            is_made: false,
            from: None,
        }
    }
}

impl Sema<'_> {
    /// Whether nothing that is given is a parameter itself.
    fn is_for_values(&self, given: &[StandsFor], declared: usize) -> bool {
        given.iter().all(|one| match one {
            StandsFor::Value => true,
            StandsFor::Sort(sort) => self.program.is_of_values(*sort),
            StandsFor::Action(id) => id.index() < declared,
        })
    }

    /// What an instance is called.
    fn instance_name(&self, name: Symbol, given: &[StandsFor]) -> Symbol {
        let shown = given.iter().filter_map(|one| match one {
            StandsFor::Value => None,
            StandsFor::Sort(sort) => Some(self.program.sort_name(*sort)),
            StandsFor::Action(id) => Some(self.program.actions[id.index()].named.name.to_string()),
        });
        Symbol::new(&format!("{name}<{}>", shown.collect::<Vec<_>>().join(", ")))
    }

    /// The instance of a process.
    fn process_instance(&mut self, generic: ProcessId, given: Vec<StandsFor>) -> ProcessId {
        let key = (generic, given);
        if let Some(&known) = self.components.made_processes.get(&key) {
            return known;
        }
        let id = ProcessId(self.program.processes.len() as u32);
        let (generic, given) = key.clone();
        self.components.made_processes.insert(key, id);
        let of = self.program.processes[generic.index()].named;
        let name = self.instance_name(of.name, &given);
        let mut made = ProcessDef::new(Named { name, ..of });
        made.is_open = !self.is_for_values(&given, self.declared_actions);
        (made.generic, made.over) = (Some(generic), given);
        self.program.processes.push(made);
        let (module, decl) = self.components.processes[generic.index()];
        process::check(self, module, id.index(), decl);
        let offer = net::process_offer(self, id.index());
        self.offers.push(offer);
        id
    }

    /// The instance of a net.
    fn net_instance(&mut self, generic: NetId, given: Vec<StandsFor>) -> NetId {
        let key = (generic, given);
        if let Some(&known) = self.components.made_nets.get(&key) {
            return known;
        }
        let id = NetId(self.program.nets.len() as u32);
        let (generic, given) = key.clone();
        self.components.made_nets.insert(key, id);
        let of = self.program.nets[generic.index()].named;
        let name = self.instance_name(of.name, &given);
        let mut made = NetDef::new(Named { name, ..of });
        made.is_open = !self.is_for_values(&given, self.declared_actions);
        (made.generic, made.over) = (Some(generic), given);
        self.program.nets.push(made);
        self.net_facts.push(net::Facts::default());
        let (module, decl) = self.components.nets[generic.index()];
        net::check(self, module, id, decl);
        id
    }

    /// The instance of a definition of connectors.
    pub(super) fn connector_instance(
        &mut self,
        generic: ConnectorTypeId,
        given: Vec<StandsFor>,
    ) -> ConnectorTypeId {
        let key = (generic, given);
        if let Some(&known) = self.components.made_connectors.get(&key) {
            return known;
        }
        let id = ConnectorTypeId(self.program.connectors.len() as u32);
        let (generic, given) = key.clone();
        self.components.made_connectors.insert(key, id);
        let of = self.program.connectors[generic.index()].named;
        let name = self.instance_name(of.name, &given);
        let mut made = ConnectorTypeDef::new(Named { name, ..of });
        made.is_open = !self.is_for_values(&given, self.declared_actions);
        made.over = given;
        self.program.connectors.push(made);
        let (module, decl) = self.components.connectors[generic.index()];
        joint::check(self, module, id, decl);
        id
    }

    /// Takes away what is over something: nothing is left of it but its place.
    pub(super) fn take_away_components(&mut self) {
        for process in self.program.processes.iter_mut().filter(|process| process.is_open) {
            let named = process.named;
            *process = ProcessDef { is_open: true, ..ProcessDef::new(named) };
        }
        for net in self.program.nets.iter_mut().filter(|net| net.is_open) {
            let named = net.named;
            *net = NetDef { is_open: true, ..NetDef::new(named) };
        }
        for connector in self.program.connectors.iter_mut().filter(|one| one.is_open) {
            let named = connector.named;
            *connector = ConnectorTypeDef { is_open: true, ..ConnectorTypeDef::new(named) };
        }
        self.program.actions.truncate(self.declared_actions);
    }
}
