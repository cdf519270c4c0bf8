//! Processes: their states, variables and transitions, and the conditions on them (Ameur-Boulifa et al., JLAMP 2023,
//! Definition 1).

use rustc_hash::{FxHashMap, FxHashSet};

use super::Sema;
use super::action::Place;
use super::body::Body;
use super::problems::{
    AssignedTwice, Duplicate, NoInitialState, NotAssignable, TwoInitialStates, UnknownName,
    UnknownState, UnsettledInitial, UselessAssignment,
};
use super::program::{
    Expr, ExprKind, LocalId, LocalKind, ModuleId, Sort, StateDef, StateId, TransitionDef,
    VariableDef,
};
use super::scope::Space;
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident, ItemKind, ProcessStatementKind};

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
    let mut index = 0;
    for (module, loaded) in sema.modules.iter().enumerate() {
        for item in &loaded.tree.items {
            if is_spent() {
                return;
            }
            if let ItemKind::Process(process) = &item.kind {
                check(sema, ModuleId(module as u32), index, process);
                index += 1;
            }
        }
    }
}

fn check(sema: &mut Sema<'_>, module: ModuleId, index: usize, process: &ast::ProcessDecl) {
    let mut body = Body::new(sema, module);
    let parameters = body.parameters(&process.params, false);
    let mut work = Work { body, process, states: Vec::new(), state_ids: FxHashMap::default() };
    let initial = work.states();
    let variables = work.variables();
    let fixed = work.body.locals.len();
    let mut writes = FxHashMap::default();
    let transitions = work.transitions(&mut writes);
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
    (def.locals, def.parameters, def.variables) = (locals, parameters, variables);
    (def.states, def.initial, def.transitions) = (states, initial, transitions);
}

struct Work<'s, 'a, 'p> {
    body: Body<'s, 'a>,
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
        let mut updates = self.updates(&transition.updates, writes);
        self.body.leave(mark);
        self.body.settle(first);
        self.body.finish(&mut action);
        guard.iter_mut().for_each(|guard| self.body.finish(guard));
        updates.iter_mut().for_each(|(_, value)| self.body.finish(value));
        self.body.unknowns.clear();
        self.unused_inputs(first);
        Some(TransitionDef { source: source?, target: target?, action, guard, updates, span })
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

    fn updates(
        &mut self,
        updates: &[ast::Assignment],
        writes: &mut FxHashMap<LocalId, Span>,
    ) -> Vec<(LocalId, Expr)> {
        let mut done: Vec<(LocalId, Expr)> = Vec::with_capacity(updates.len());
        let mut places: Vec<(LocalId, Span)> = Vec::new();
        for update in updates {
            let Some(target) = self.target(update.target) else {
                self.body.expr(&update.value);
                continue;
            };
            let whole = update.target.span.to(update.value.span);
            if let Some((_, first)) = places.iter().find(|(local, _)| *local == target) {
                let (name, first) = (update.target.name.to_string(), *first);
                self.body.report(AssignedTwice { span: update.target.span, name, first });
            }
            places.push((target, update.target.span));
            writes.entry(target).or_insert(update.target.span);
            let sort = self.body.locals[target.index()].sort;
            let declared = self.body.locals[target.index()].span;
            let because = Some((declared, "the variable is declared here".to_owned()));
            let reads_before = self.body.reads[target.index()];
            let value = self.body.expr_of(&update.value, sort, because);
            // Reading a variable only to update it is not reading it.
            self.body.reads[target.index()] = reads_before;
            if matches!(value.kind, ExprKind::Local(id) if id == target) {
                let name = update.target.name.to_string();
                self.body.report(UselessAssignment { span: whole, name });
            }
            self.body.check_range(&value, sort, Some(declared));
            done.push((target, value));
        }
        done
    }

    /// What an assignment writes.
    fn target(&mut self, ident: Ident) -> Option<LocalId> {
        let name = ident.name.to_string();
        if let Some(id) = self.body.local(ident.name) {
            let local = self.body.locals[id.index()];
            if local.kind == LocalKind::Variable {
                return Some(id);
            }
            let what = match local.kind {
                LocalKind::Input => "an input",
                _ => "a parameter",
            };
            let (what, declared) = (what.to_owned(), Some(local.span));
            self.body.report(NotAssignable { span: ident.span, name, what, declared });
            return None;
        }
        self.body.failed = true;
        if self.body.is_unparsed(ident.name) {
            return None;
        }
        let known = self.body.local_names(&[LocalKind::Variable]);
        let similar = self.body.sema.similar(ident.name, known);
        let declared = self.body.lookup(Space::Values, ident.name);
        match declared {
            Some(declared) if similar.is_none() => {
                let what = declared.meaning.in_words().to_owned();
                let declared = Some(declared.span);
                self.body.report(NotAssignable { span: ident.span, name, what, declared });
            }
            _ => self.body.report(UnknownName { span: ident.span, name, similar, input: false }),
        }
        None
    }
}

impl Body<'_, '_> {
    /// Introduces value parameters; how many there are is returned.
    pub fn parameters(&mut self, params: &[ast::Binder], sets_allowed: bool) -> usize {
        for param in params {
            let sort = match param.sort.kind {
                ast::SortKind::Actions if sets_allowed => Sort::Actions,
                _ => self.local_sort(&param.sort),
            };
            if let Some(known) = self.local(param.name.name) {
                let first = self.locals[known.index()].span;
                let (what, name) = ("parameter".to_owned(), param.name.name.to_string());
                self.report(Duplicate { span: param.name.span, what, name, first });
                self.anonymous(param.name.span, sort, LocalKind::Parameter);
            } else {
                self.bind(param.name, sort, LocalKind::Parameter);
            }
        }
        params.len()
    }

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
