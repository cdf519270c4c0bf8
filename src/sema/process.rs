//! Processes: their states, variables and transitions, and the conditions on them (Ameur-Boulifa et al., JLAMP 2023,
//! Definition 1).

use rustc_hash::{FxHashMap, FxHashSet};

use super::Sema;
use super::action::Place;
use super::body::Body;
use super::connector::path_between;
use super::problems::{
    Duplicate, NoInitialState, OrderOfNames, TakenByAssert, TwoInitialStates, UnknownInteraction,
    UnknownState, UnsettledInitial,
};
use super::program::{
    ActionId, Expr, ExprKind, LocalId, LocalKind, ModuleId, ProcessOrderDef, Sort, StateDef,
    StateId, TransitionDef, VariableDef,
};
use super::scope::Space;
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident, ItemKind, ProcessStatementKind};

/// What the variable is called that says whether an `assert` has failed.
const FAILED: &str = "failed";

/// What the lints want to know of a process.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// How often each parameter and variable is read, but for updates of itself.
    pub reads: Vec<u32>,
    /// Where each is assigned, the first time.
    pub writes: FxHashMap<LocalId, Span>,
    /// Whether a statement could not be parsed.
    pub has_gaps: bool,
    /// Whether all its transitions are known, with their actions.
    pub is_complete: bool,
}

/// Checks all processes.
pub(super) fn run(sema: &mut Sema<'_>) {
    sema.declared_actions = sema.program.actions.len();
    let mut index = 0;
    for (module, loaded) in sema.modules.iter().enumerate() {
        for item in &loaded.tree.items {
            if is_spent() {
                return;
            }
            if let ItemKind::Process(process) = &item.kind {
                sema.components.processes.push((ModuleId(module as u32), process));
                check(sema, ModuleId(module as u32), index, process);
                index += 1;
            }
        }
    }
}

pub(super) fn check(
    sema: &mut Sema<'_>,
    module: ModuleId,
    index: usize,
    process: &ast::ProcessDecl,
) {
    let given = sema.program.processes[index].over.clone();
    let mut body = Body::new(sema, module);
    let (parameters, over) = body.parameters(&process.params, false, &given);
    let mut work = Work { body, process, states: Vec::new(), state_ids: FxHashMap::default() };
    let initial = work.states();
    let mut variables = work.variables();
    let noted = work.failures();
    let noted_in = noted.as_ref().map(|noted| noted.local);
    variables.extend(noted);
    let fixed = work.body.locals.len();
    let mut writes = FxHashMap::default();
    let transitions = work.transitions(&mut writes);
    let priorities = work.priorities(&transitions);
    let has_gaps =
        process.body.iter().any(|statement| matches!(statement.kind, ProcessStatementKind::Error));
    let written = process.body.iter();
    let written = written.filter(|s| matches!(s.kind, ProcessStatementKind::Transition(_))).count();
    let understood = |t: &TransitionDef| !matches!(t.action.kind, ExprKind::Error);
    let is_complete =
        !has_gaps && transitions.len() == written && transitions.iter().all(understood);
    let Work { body, states, .. } = work;
    let Body { locals, reads, failed, .. } = body;
    let reads = reads.into_iter().take(fixed).collect();
    sema.process_facts.push(Facts { reads, writes, has_gaps, is_complete });
    let def = &mut sema.program.processes[index];
    def.has_errors = failed || has_gaps;
    def.is_open |= given.is_empty() && !over.is_empty();
    def.over = over;
    (def.locals, def.parameters, def.variables) = (locals, parameters, variables);
    def.failed = noted_in;
    (def.states, def.initial, def.transitions) = (states, initial, transitions);
    def.priorities = priorities;
}

pub(super) struct Work<'s, 'a, 'p> {
    pub body: Body<'s, 'a>,
    process: &'p ast::ProcessDecl,
    states: Vec<StateDef>,
    state_ids: FxHashMap<Symbol, StateId>,
}

impl Work<'_, '_, '_> {
    /// Declares the states; the initial one is returned.
    fn states(&mut self) -> Option<StateId> {
        let mut initial: Option<(StateId, Span)> = None;
        for statement in &self.process.body {
            let ProcessStatementKind::State(declaration) = &statement.kind else { continue };
            for &name in &declaration.names {
                let Some(id) = self.state(name, declaration.is_final) else { continue };
                match initial {
                    Some((_, first)) if declaration.init => {
                        let process = self.process.name.name.to_string();
                        self.body.report(TwoInitialStates { span: name.span, process, first });
                    }
                    None if declaration.init => initial = Some((id, name.span)),
                    _ => {}
                }
            }
        }
        let gaps = self.process.body.iter();
        let has_gaps = gaps.into_iter().any(|s| matches!(s.kind, ProcessStatementKind::Error));
        if initial.is_none() && !has_gaps {
            let Ident { name, span } = self.process.name;
            self.body.report(NoInitialState { span, process: name.to_string() });
        }
        initial.map(|(id, _)| id)
    }

    fn state(&mut self, name: Ident, is_final: bool) -> Option<StateId> {
        if let Some(known) = self.state_ids.get(&name.name) {
            let first = self.states[known.index()].name.span;
            let (what, text) = ("state".to_owned(), name.name.to_string());
            self.body.report(Duplicate { span: name.span, what, name: text, first });
            return None;
        }
        let id = StateId(self.states.len() as u32);
        self.states.push(StateDef { name, is_final });
        self.state_ids.insert(name.name, id);
        self.body.sema.occurs(name, name.span, super::NameKind::State);
        Some(id)
    }

    fn variables(&mut self) -> Vec<VariableDef> {
        let mut variables = Vec::new();
        let mut initials: Vec<(LocalId, &ast::VarDecl)> = Vec::new();
        for statement in &self.process.body {
            let ProcessStatementKind::Var(variable) = &statement.kind else { continue };
            let sort = self.body.local_sort(&variable.sort);
            if let Some(known) = self.body.local(variable.name.name) {
                let first = self.body.locals[known.index()].span;
                let (what, name) = ("variable".to_owned(), variable.name.name.to_string());
                self.body.report(Duplicate { span: variable.name.span, what, name, first });
                continue;
            }
            let id = self.body.bind(variable.name, sort, LocalKind::Variable);
            initials.push((id, variable));
        }
        let mut settled: FxHashSet<LocalId> = FxHashSet::default();
        for (local, variable) in initials {
            let initial = variable.value.as_ref().map(|value| self.initial(local, variable, value));
            if let Some(initial) = &initial {
                self.unsettled(initial, local, &settled);
                settled.insert(local);
            }
            variables.push(VariableDef { local, initial });
        }
        variables
    }

    /// The variable that says whether an `assert` has failed, where there are any.
    fn failures(&mut self) -> Option<VariableDef> {
        let asserts = self.process.body.iter().find_map(|statement| match &statement.kind {
            ProcessStatementKind::Transition(transition) => transition.assert.as_ref(),
            _ => None,
        });
        let (span, name) = (asserts?.span, Symbol::new(FAILED));
        if let Some(known) = self.body.local(name) {
            let first = self.body.locals[known.index()].span;
            self.body.report(TakenByAssert { span: first, name: FAILED.to_owned(), assert: span });
            return None;
        }
        let local = self.body.bind(Ident { name, span }, Sort::Bool, LocalKind::Variable);
        // Whoever asks whether asserts hold reads it.
        self.body.reads[local.index()] += 1;
        let initial = Some(Expr { kind: ExprKind::Bool(false), sort: Sort::Bool, span });
        Some(VariableDef { local, initial })
    }

    /// Reports variables in an initial value that have none themselves by then.
    fn unsettled(&mut self, initial: &Expr, own: LocalId, settled: &FxHashSet<LocalId>) {
        let mut named: Vec<LocalId> = Vec::new();
        initial.each_local(&mut |id| {
            let is_variable = self.body.locals[id.index()].kind == LocalKind::Variable;
            if is_variable && !settled.contains(&id) && !named.contains(&id) {
                named.push(id);
            }
        });
        for id in named {
            let local = self.body.locals[id.index()];
            let span = initial.place_of(id).unwrap_or(initial.span);
            let later = id.index() >= own.index();
            let name = local.name.to_string();
            self.body.report(UnsettledInitial { span, name, declared: local.span, later });
        }
    }

    fn initial(&mut self, local: LocalId, variable: &ast::VarDecl, value: &ast::Expr) -> Expr {
        let sort = self.body.locals[local.index()].sort;
        let because = Some((variable.sort.span, "the sort is declared here".to_owned()));
        let first = self.body.locals.len();
        let mut value = self.body.expr_of(value, sort, because);
        self.body.check_range(&value, sort, Some(variable.sort.span));
        self.body.settle(first);
        self.body.finish(&mut value);
        value
    }

    fn transitions(&mut self, writes: &mut FxHashMap<LocalId, Span>) -> Vec<TransitionDef> {
        let process = self.process;
        let mut transitions = Vec::with_capacity(process.body.len());
        for statement in &process.body {
            if is_spent() {
                break;
            }
            if let ProcessStatementKind::Transition(transition) = &statement.kind
                && let Some(checked) = self.transition(transition, statement.span, writes)
            {
                transitions.push(checked);
            }
        }
        transitions
    }

    fn transition(
        &mut self,
        transition: &ast::Transition,
        span: Span,
        writes: &mut FxHashMap<LocalId, Span>,
    ) -> Option<TransitionDef> {
        let source = self.find_state(transition.source);
        let target = self.find_state(transition.target);
        let mark = self.body.enter();
        let first = self.body.locals.len();
        let mut action = self.body.action(&transition.action, Place::Label);
        let mut guard = transition.guard.as_ref().map(|guard| self.body.guard(guard));
        let mut assert =
            transition.assert.as_ref().map(|assert| self.body.expr_of(assert, Sort::Bool, None));
        let mut updates = self.updates(transition, writes);
        self.body.leave(mark);
        self.body.settle(first);
        self.body.finish(&mut action);
        guard.iter_mut().chain(&mut assert).for_each(|guard| self.body.finish(guard));
        for update in &mut updates {
            self.body.finish(&mut update.place);
            self.body.finish(&mut update.value);
        }
        self.body.forget_unknowns();
        self.unused_inputs(first);
        let in_sequence = transition.in_sequence;
        let (source, target) = (source?, target?);
        Some(TransitionDef { source, target, action, guard, assert, updates, in_sequence, span })
    }

    /// Which actions give way to which.
    fn priorities(&mut self, transitions: &[TransitionDef]) -> Vec<ProcessOrderDef> {
        let process = self.process;
        let mut all = Vec::new();
        let mut higher: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
        let known = self.own_names(transitions);
        for statement in &process.body {
            let ProcessStatementKind::Priority(order) = &statement.kind else { continue };
            for pair in order.orders.iter().flat_map(|order| order.windows(2)) {
                let [low, high] = pair else { continue };
                let first = self.body.locals.len();
                let mut guard = order.guard.as_ref().map(|guard| self.body.guard(guard));
                self.body.settle(first);
                guard.iter_mut().for_each(|guard| self.body.finish(guard));
                self.body.forget_unknowns();
                let (lows, highs) = (
                    self.ordered(low, &known, transitions),
                    self.ordered(high, &known, transitions),
                );
                for (low, to) in
                    lows.iter().flat_map(|low| highs.iter().map(move |high| (*low, *high)))
                {
                    // `*` are all others.
                    let others = lows.len().max(highs.len()) > 1;
                    if others && low == to {
                        continue;
                    }
                    if guard.is_none() && !self.no_circle((low, to), high.span, &mut higher) {
                        return all;
                    }
                    let (guard, span) = (guard.clone(), statement.span);
                    all.push(ProcessOrderDef { low, high: to, guard, span });
                }
            }
        }
        all
    }

    /// Notes that one action always gives way to another; false where it would have to wait for itself.
    fn no_circle(
        &mut self,
        (low, high): (Option<Symbol>, Option<Symbol>),
        span: Span,
        higher: &mut FxHashMap<Symbol, Vec<Symbol>>,
    ) -> bool {
        let name = |one: Option<Symbol>| one.unwrap_or_else(|| Symbol::new("tau"));
        let (low, high) = (name(low), name(high));
        if let Some(cycle) = path_between(higher, high, low) {
            let cycle = cycle.into_iter().chain([high]).map(|name| name.to_string()).collect();
            self.body.report(super::problems::PriorityCycle { span, cycle });
            return false;
        }
        higher.entry(low).or_default().push(high);
        true
    }

    /// The names of the actions of transitions, none for `tau`. Where a parameter is one, more may be meant.
    fn own_names(&self, transitions: &[TransitionDef]) -> (Vec<Option<Symbol>>, bool) {
        let (mut names, mut open) = (Vec::new(), false);
        for transition in transitions {
            let action = plain(&transition.action);
            let name = match &action.kind {
                ExprKind::Act(id, _) => Some(self.body.sema.program.actions[id.index()].named.name),
                ExprKind::Tau => None,
                _ => {
                    open = true;
                    continue;
                }
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        (names, open)
    }

    /// The names that are meant by what a priority orders.
    fn ordered(
        &mut self,
        ordered: &ast::Ordered,
        (known, open): &(Vec<Option<Symbol>>, bool),
        transitions: &[TransitionDef],
    ) -> Vec<Option<Symbol>> {
        match &ordered.kind {
            ast::OrderedKind::Tau => vec![None],
            ast::OrderedKind::All => known.clone(),
            ast::OrderedKind::Named(name, args) if args.is_empty() => {
                if !*open && !known.contains(&Some(name.name)) {
                    self.body.failed = true;
                    if !self.body.is_unparsed(name.name) {
                        let names = known.iter().flatten().map(|name| name.as_str());
                        let similar = self.body.sema.similar(name.name, names);
                        let (span, name) = (name.span, name.name.to_string());
                        let process = Some(self.process.name.name.to_string());
                        self.body.report(UnknownInteraction {
                            span,
                            name,
                            similar,
                            inside: None,
                            process,
                        });
                    }
                    return Vec::new();
                }
                self.body.lookup_at(Space::Values, *name);
                // Of several actions of one name, it is that of the transitions.
                let program = &self.body.sema.program;
                let mut done = transitions.iter().filter_map(|one| match plain(&one.action).kind {
                    ExprKind::Act(id, _) => Some(id),
                    _ => None,
                });
                let is_it = |id: &ActionId| program.actions[id.index()].named.name == name.name;
                if let Some(id) = done.find(is_it) {
                    self.body.sema.names_action(*name, id);
                }
                vec![Some(name.name)]
            }
            ast::OrderedKind::Named(..) | ast::OrderedKind::Ports(..) => {
                self.body.report(OrderOfNames { span: ordered.span, place: "a process" });
                Vec::new()
            }
        }
    }

    fn unused_inputs(&mut self, first: usize) {
        if self.body.failed {
            return;
        }
        for index in first..self.body.locals.len() {
            let local = self.body.locals[index];
            let named = !local.name.as_str().starts_with('_');
            if local.kind == LocalKind::Input && self.body.reads[index] == 0 && named {
                let name = local.name.to_string();
                // `?x`: the mark goes with the name.
                let span = Span::new(local.span.start.saturating_sub(1), local.span.end);
                self.body.report(super::problems::SingleUse { span, name });
            }
        }
    }

    fn find_state(&mut self, ident: Ident) -> Option<StateId> {
        if let Some(&id) = self.state_ids.get(&ident.name) {
            let declared = self.states[id.index()].name.span;
            self.body.sema.occurs(ident, declared, super::NameKind::State);
            return Some(id);
        }
        self.body.failed = true;
        if !self.body.is_unparsed(ident.name) {
            let known: Vec<&str> = self.state_ids.keys().map(|name| name.as_str()).collect();
            let similar = self.body.sema.similar(ident.name, known);
            // Go on with the state that was probably meant.
            let meant =
                similar.as_deref().and_then(|meant| self.state_ids.get(&Symbol::new(meant)));
            let meant = meant.copied();
            let (name, process) = (ident.name.to_string(), self.process.name.name.to_string());
            self.body.report(UnknownState { span: ident.span, name, process, similar });
            return meant;
        }
        None
    }
}

impl Body<'_, '_> {
    /// A guard.
    pub fn guard(&mut self, guard: &ast::Expr) -> Expr {
        let failed = std::mem::replace(&mut self.failed, false);
        let checked = self.expr_of(guard, Sort::Bool, None);
        if !self.failed
            && let Some(value) = self.folder().truth(&checked)
        {
            let folder = self.folder();
            let end = folder.compared_with_end(&checked).and_then(|id| folder.end_of(id));
            self.report(super::problems::ConstantGuard { span: guard.span, value, end });
        }
        self.failed |= failed;
        checked
    }
}

/// What is done, whoever is called or waited for.
fn plain(action: &Expr) -> &Expr {
    match &action.kind {
        ExprKind::Sync(inner) | ExprKind::Co(inner) => plain(inner),
        _ => action,
    }
}
