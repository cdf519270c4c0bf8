//! The sorts of what a module declares: data, functions, constants, actions and interfaces.

use super::Sema;
use super::body::{Body, Resolved, Strangers};
use super::bounds::NoNumber;
use super::declare::declare;
use super::problems::{
    ActionClash, Duplicate, EmptyDatatype, MisplacedParameter, MisplacedSet, NotConstant,
    RangeAsArgument, UnknownAction, UnknownSort, WrongArity,
};
use super::program::{
    ActionDef, ActionId, DataId, Expr, ExprKind, Local, LocalKind, ModuleId, Named, Program,
    RangeDef, RangeId, Sort,
};
use super::scope::{Meaning, Space};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident, ItemKind, SortKind};

/// A predefined sort.
pub(super) fn predefined(name: Symbol) -> Option<Sort> {
    match name.as_str() {
        "Bool" => Some(Sort::Bool),
        "Int" => Some(Sort::Int),
        "Action" => Some(Sort::Action),
        _ => None,
    }
}

/// Declares the names of actions, before imports are looked at; their sorts come later.
pub(super) fn declare_action_names(sema: &mut Sema<'_>) {
    for (index, module) in sema.modules.iter().enumerate() {
        let id = ModuleId(index as u32);
        for item in &module.tree.items {
            if let ItemKind::Action(signatures) = &item.kind {
                for signature in signatures {
                    declare_action(sema, id, signature);
                }
            }
        }
    }
}

fn declare_action(sema: &mut Sema<'_>, module: ModuleId, signature: &ast::Signature) {
    let ident = signature.name;
    let arity = signature.sorts.len();
    let next = ActionId(sema.program.actions.len() as u32);
    let id = *sema.action_ids.entry((ident.name, arity)).or_insert(next);
    if id == next {
        let named = Named { name: ident.name, span: ident.span, module };
        sema.program.actions.push(ActionDef { named, sorts: vec![Sort::Error; arity] });
        sema.used_actions.push(false);
    }
    sema.names_action(ident, id);
    let own = &mut sema.scopes[module.index()].own;
    match own.get_mut(&(Space::Values, ident.name)).map(|known| (&mut known.meaning, known.span)) {
        Some((Meaning::Actions(actions), _)) if actions.iter().all(|(one, _)| *one != arity) => {
            actions.push((arity, id));
        }
        Some((_, first)) => {
            let what = "action".to_owned();
            sema.report(Duplicate { span: ident.span, what, name: ident.name.to_string(), first });
        }
        None => declare(sema, module, Space::Values, ident, Meaning::Actions(vec![(arity, id)])),
    }
}

/// Resolves the signatures of all modules.
pub(super) fn run(sema: &mut Sema<'_>) {
    let mut counts = Counts::default();
    let mut pending: Vec<Pending<'_>> = Vec::new();
    for (index, module) in sema.modules.iter().enumerate() {
        let mut body = Body::new(sema, ModuleId(index as u32));
        for item in &module.tree.items {
            signature(&mut body, &item.kind, &mut counts, &mut pending);
        }
    }
    // Bounds can use every constant, so they come when the sorts of all constants are known.
    for (module, id, range) in pending {
        let mut body = Body::new(sema, module);
        let (low, high) = (body.bound(&range.low), body.bound(&range.high));
        let known = &mut body.sema.program.ranges[id.index()];
        (known.low, known.high) = (low, high);
    }
    for (index, module) in sema.modules.iter().enumerate() {
        let mut body = Body::new(sema, ModuleId(index as u32));
        for item in &module.tree.items {
            if let ItemKind::Interface(interface) = &item.kind {
                let id = counts.interfaces;
                counts.interfaces += 1;
                let actions = interface_actions(&mut body, interface);
                body.sema.program.interfaces[id].actions = actions;
            }
        }
    }
    sema.fill_datatypes();
    report_empty_datatypes(sema);
}

/// A range whose bounds are still to be looked at.
type Pending<'a> = (ModuleId, RangeId, &'a ast::Range);

/// The next id of each kind, in the order of declaration.
#[derive(Default)]
struct Counts {
    datas: usize,
    funs: usize,
    consts: usize,
    interfaces: usize,
}

fn signature<'a>(
    body: &mut Body<'_, '_>,
    item: &'a ItemKind,
    counts: &mut Counts,
    pending: &mut Vec<Pending<'a>>,
) {
    match item {
        ItemKind::Data(data) => {
            let id = counts.datas;
            counts.datas += 1;
            body.over(body.sema.program.datas[id].params.clone());
            for (index, constructor) in data.constructors.iter().enumerate() {
                report_repeated(body, "selector", constructor.fields.iter().map(|f| f.name));
                let fields = constructor.fields.iter();
                let fields = fields.map(|field| (field.name, body.sort(&field.sort, pending)));
                let fields = fields.collect();
                body.sema.program.datas[id].constructors[index].fields = fields;
            }
            body.declares_fields(id);
        }
        ItemKind::Fun(fun) => {
            let id = counts.funs;
            counts.funs += 1;
            body.over(body.sema.program.funs[id].sorts.clone());
            let params = fun.params.iter().map(|param| body.sort(&param.sort, pending)).collect();
            let result = body.sort(&fun.result, pending);
            let def = &mut body.sema.program.funs[id];
            (def.params, def.result) = (params, result);
            body.useless_sorts(id);
        }
        ItemKind::Const(constant) => {
            let id = counts.consts;
            counts.consts += 1;
            let sort = body.sort(&constant.sort, pending);
            body.sema.program.consts[id].sort = sort;
        }
        ItemKind::Action(signatures) => {
            for signature in signatures {
                let sorts = signature.sorts.iter().map(|sort| body.sort(sort, pending)).collect();
                action_sorts(body, signature, sorts);
            }
        }
        _ => {}
    }
    body.over(Vec::new());
}

fn action_sorts(body: &mut Body<'_, '_>, signature: &ast::Signature, sorts: Vec<Sort>) {
    let arity = sorts.len();
    let ident = signature.name;
    let Some(&id) = body.sema.action_ids.get(&(ident.name, arity)) else { return };
    let def = &mut body.sema.program.actions[id.index()];
    if def.named.span == ident.span {
        def.sorts = sorts;
        return;
    }
    let (known, first) = (def.sorts.clone(), def.named.span);
    let same = known.iter().zip(&sorts).all(|(&a, &b)| body.unify(a, b));
    if !same && body.sema.program.actions[id.index()].named.module != body.module {
        let name = ident.name.to_string();
        body.report(ActionClash { span: ident.span, name, arity, first });
    }
}

fn interface_actions(body: &mut Body<'_, '_>, interface: &ast::InterfaceDecl) -> Vec<ActionId> {
    let mut actions: Vec<(ActionId, Span)> = Vec::new();
    for signature in &interface.actions {
        let mut none = Vec::new();
        let sorts: Vec<Sort> = signature.sorts.iter().map(|s| body.sort(s, &mut none)).collect();
        body.check_bounds(none);
        let Some(id) = body.find_action(signature.name, sorts.len()) else { continue };
        body.use_action(id);
        if let Some((_, first)) = actions.iter().find(|(known, _)| *known == id) {
            let (what, name) = ("action".to_owned(), signature.name.name.to_string());
            let first = *first;
            body.report(Duplicate { span: signature.name.span, what, name, first });
            continue;
        }
        let declared = body.sema.program.actions[id.index()].sorts.clone();
        for (index, (&wanted, &found)) in declared.iter().zip(&sorts).enumerate() {
            let span = signature.sorts[index].span;
            let first = body.sema.program.actions[id.index()].named.span;
            let because = Some((first, "the action is declared here".to_owned()));
            let stand_in = Expr { kind: ExprKind::Error, sort: found, span };
            body.expect(&stand_in, wanted, because);
        }
        actions.push((id, signature.name.span));
    }
    actions.into_iter().map(|(id, _)| id).collect()
}

/// Reports names that come twice in a list.
pub(super) fn report_repeated(
    body: &mut Body<'_, '_>,
    what: &str,
    names: impl Iterator<Item = Ident>,
) {
    let mut seen: rustc_hash::FxHashMap<Symbol, Span> = rustc_hash::FxHashMap::default();
    for ident in names {
        if let Some(&first) = seen.get(&ident.name) {
            let (what, name) = (what.to_owned(), ident.name.to_string());
            body.report(Duplicate { span: ident.span, what, name, first });
        } else {
            seen.insert(ident.name, ident.span);
        }
    }
}

/// What the values of a sort are made of: an array has values where its elements have some.
fn made_of(program: &Program, sort: Sort) -> Sort {
    let mut sort = sort;
    while let Sort::Array(id) = sort {
        sort = program.arrays[id.index()].1;
    }
    sort
}

/// Reports datatypes that have no finite value.
fn report_empty_datatypes(sema: &mut Sema<'_>) {
    let count = sema.program.datas.len();
    let mut has_value = vec![false; count];
    loop {
        let mut changed = false;
        for index in 0..count {
            let data = &sema.program.datas[index];
            let inhabited = |sort: &Sort| match made_of(&sema.program, *sort) {
                Sort::Data(DataId(other)) => has_value[other as usize],
                _ => true,
            };
            let finite = data.constructors.iter().any(|c| c.fields.iter().all(|f| inhabited(&f.1)));
            if finite && !has_value[index] {
                has_value[index] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for index in (0..count).filter(|&index| !has_value[index]) {
        let def = &sema.program.datas[index];
        let (named, is_instance) = (def.named, def.instance.is_some());
        if !is_instance && !sema.scopes[named.module.index()].unparsed.contains(&named.name) {
            sema.report(EmptyDatatype { span: named.span, name: named.name.to_string() });
        }
    }
}

impl Body<'_, '_> {
    /// A sort as it was written. Ranges are noted, and their bounds looked at later.
    pub fn sort<'t>(&mut self, sort: &'t ast::Sort, pending: &mut Vec<Pending<'t>>) -> Sort {
        match &sort.kind {
            SortKind::Error => Sort::Error,
            SortKind::Actions => {
                self.report(MisplacedSet { span: sort.span });
                Sort::Error
            }
            SortKind::AnySort | SortKind::ActionOf(_) => {
                let is_sort = matches!(sort.kind, SortKind::AnySort);
                self.report(MisplacedParameter { span: sort.span, is_sort });
                Sort::Error
            }
            SortKind::Named(path) => self.named_sort(path, None),
            SortKind::Applied(all) => {
                let mut sorts = Vec::with_capacity(all.1.len());
                for one in &all.1 {
                    let sort = self.sort_argument(one, &all.0, pending);
                    sorts.push((sort, one.span));
                }
                self.named_sort(&all.0, Some((sorts, sort.span)))
            }
            SortKind::Range(range) => {
                let id = self.new_range(sort.span);
                pending.push((self.module, id, range));
                Sort::Range(id)
            }
            SortKind::Array(both) => {
                let key = self.sort(&both.0, pending);
                let value = self.sort(&both.1, pending);
                self.sema.array(key, value)
            }
        }
    }

    /// A sort that a datatype is for: the bounds of its ranges are numbers.
    fn sort_argument<'t>(
        &mut self,
        sort: &'t ast::Sort,
        of: &ast::Path,
        pending: &mut Vec<Pending<'t>>,
    ) -> Sort {
        match &sort.kind {
            SortKind::Range(range) => {
                // Others look at the bounds as at all bounds.
                let id = self.new_range(sort.span);
                pending.push((self.module, id, range));
                match self.known_range(range, sort.span) {
                    Ok(known) => known,
                    Err(NoNumber::Broken) => Sort::Error,
                    Err(NoNumber::Open) => {
                        let name = of.parts.last().map_or_else(String::new, |p| p.name.to_string());
                        self.report(RangeAsArgument { span: sort.span, name, is_data: true });
                        Sort::Error
                    }
                }
            }
            SortKind::Array(both) => {
                let key = self.sort_argument(&both.0, of, pending);
                let value = self.sort_argument(&both.1, of, pending);
                match key == Sort::Error || value == Sort::Error {
                    true => Sort::Error,
                    false => self.sema.array(key, value),
                }
            }
            // A parameter may stand for a range.
            _ => {
                let sort = self.sort(sort, pending);
                self.sema.argument(sort)
            }
        }
    }

    /// A sort whose ranges can use what is known here.
    pub fn local_sort(&mut self, sort: &ast::Sort) -> Sort {
        let mut pending = Vec::new();
        let resolved = self.sort(sort, &mut pending);
        self.check_bounds(pending);
        resolved
    }

    fn check_bounds(&mut self, pending: Vec<Pending<'_>>) {
        for (_, id, range) in pending {
            let bounds = (self.bound(&range.low), self.bound(&range.high));
            self.set_range(id, bounds, true);
        }
    }

    /// The range of a family, which has members.
    pub fn range(&mut self, range: &ast::Range) -> RangeId {
        self.range_of(range, true)
    }

    /// The range of `for`, or of a quantifier: it may be empty.
    pub fn repeated_range(&mut self, range: &ast::Range) -> RangeId {
        self.range_of(range, false)
    }

    fn range_of(&mut self, range: &ast::Range, is_needed: bool) -> RangeId {
        let id = self.new_range(range.low.span.to(range.high.span));
        let bounds = (self.bound(&range.low), self.bound(&range.high));
        self.set_range(id, bounds, is_needed);
        id
    }

    fn new_range(&mut self, span: Span) -> RangeId {
        let id = RangeId(self.sema.program.ranges.len() as u32);
        let (low, high) = (Expr::error(span), Expr::error(span));
        self.sema.program.ranges.push(RangeDef { low, high, known: None });
        id
    }

    /// A bound of a range: an integer that does not change while the model runs.
    fn bound(&mut self, bound: &ast::Expr) -> Expr {
        let (before, mark) = (self.locals.len(), self.enter());
        let expr = self.expr(bound);
        self.expect(&expr, Sort::Int, None);
        // Names bound inside a bound would stand between the parameters of the declaration.
        if self.locals.len() > before {
            self.leave(mark);
            self.locals.truncate(before);
            self.reads.truncate(before);
            self.report(NotConstant { span: bound.span });
            return Expr::error(bound.span);
        }
        let local = self.changing_local(&expr);
        if let Some(span) = local {
            self.report(NotConstant { span });
            return Expr::error(bound.span);
        }
        expr
    }

    /// Where an expression uses something that changes while the model runs.
    fn changing_local(&self, expr: &Expr) -> Option<Span> {
        let mut found = None;
        expr.each(&mut |expr| {
            let changes = match expr.kind {
                ExprKind::Local(id) => {
                    !matches!(self.locals[id.index()].kind, LocalKind::Parameter | LocalKind::Index)
                }
                ExprKind::Leaf(_) => true,
                _ => false,
            };
            if changes {
                found = found.or(Some(expr.span));
            }
        });
        found
    }

    /// The sort of a name, with the sorts that it is for.
    pub(super) fn named_sort(
        &mut self,
        path: &ast::Path,
        given: Option<(Vec<(Sort, Span)>, Span)>,
    ) -> Sort {
        let known = path.as_name().and_then(|name| {
            let parameter = self.sort_names.get(&name.name).copied();
            parameter.or_else(|| predefined(name.name)).map(|sort| (sort, name))
        });
        if let Some((sort, name)) = known {
            if let Sort::Parameter(id) = sort {
                let declared = self.sema.program.sort_params[id.index()].span;
                self.sema.occurs(name, declared, super::NameKind::Sort);
            }
            return self.plain_sort(sort, name, given, None);
        }
        match self.resolve(Space::Sorts, path) {
            Resolved::Known(declared, ident, rest) => match declared.meaning {
                Meaning::Abstract(id) if rest.is_empty() => {
                    self.plain_sort(Sort::Abstract(id), ident, given, Some(declared.span))
                }
                Meaning::Data(id) if rest.is_empty() => {
                    self.applied_sort(id, ident, given, declared.span)
                }
                _ if rest.is_empty() => {
                    self.wrong_kind(ident, "a sort");
                    Sort::Error
                }
                _ => {
                    self.unknown_sort(rest[0]);
                    Sort::Error
                }
            },
            Resolved::NotIn(ident) => {
                self.unknown_sort(ident);
                Sort::Error
            }
            Resolved::Unknown => {
                if let [module, _, ..] = path.parts.as_slice() {
                    self.unknown_module(*module);
                } else if let Some(ident) = path.as_name() {
                    self.unknown_sort(ident);
                }
                Sort::Error
            }
        }
    }

    fn unknown_sort(&mut self, ident: Ident) {
        self.failed = true;
        if self.is_unparsed(ident.name) {
            return;
        }
        if self.is_family(ident.name) {
            let (span, name) = (ident.span, ident.name.to_string());
            self.report(UnknownSort { span, name, similar: None, is_family: true });
            return;
        }
        let is_sort = |m: &Meaning| matches!(m, Meaning::Abstract(_) | Meaning::Data(_));
        let mut known = self.names_in(Space::Sorts, is_sort);
        known.extend(["Bool", "Int", "Action"]);
        known.extend(self.sort_names.keys().map(|name| name.as_str()));
        let similar = self.sema.similar(ident.name, known);
        if similar.is_none() && self.wrong_kind(ident, "a sort")
            || self.is_excused(similar.as_ref())
        {
            return;
        }
        let (span, name) = (ident.span, ident.name.to_string());
        self.report(UnknownSort { span, name, similar, is_family: false });
    }

    /// The action with this name and number of arguments; reports when there is none.
    pub fn find_action(&mut self, ident: Ident, arity: usize) -> Option<ActionId> {
        let declared = self.lookup_at(Space::Values, ident);
        self.action_of(declared.map(|declared| declared.meaning), ident, arity)
    }

    /// The action of this arity among those that a name means.
    pub fn action_of(
        &mut self,
        meaning: Option<Meaning>,
        ident: Ident,
        arity: usize,
    ) -> Option<ActionId> {
        if let Some(Meaning::Actions(actions)) = &meaning {
            if let Some((_, id)) = actions.iter().find(|(one, _)| *one == arity) {
                self.sema.names_action(ident, *id);
                return Some(*id);
            }
            let place = |id: &ActionId| self.sema.program.actions[id.index()].named.span;
            let declared = actions.iter().map(|(arity, id)| (*arity, place(id))).collect();
            for (_, id) in actions.clone() {
                self.use_action(id);
            }
            let shown = (self.strangers == Strangers::UnboundInResult)
                .then(|| actions.first().map_or_else(Vec::new, |(_, id)| self.values_for(*id)));
            let name = ident.name.to_string();
            self.report(WrongArity { span: ident.span, name, given: arity, declared, shown });
            return None;
        }
        self.failed = true;
        if self.is_unparsed(ident.name) {
            return None;
        }
        let known = self.names_in(Space::Values, |m| matches!(m, Meaning::Actions(_)));
        let similar = self.sema.similar(ident.name, known);
        if let Some(similar) = &similar {
            self.use_similar_action(Symbol::new(similar));
        } else if self.wrong_kind(ident, "an action") || self.is_excused(None) {
            return None;
        }
        let (span, name) = (ident.span, ident.name.to_string());
        self.report(UnknownAction { span, name, similar, meant: None });
        // Once is enough, however often it is used.
        self.sema.scopes[self.module.index()].unparsed.insert(ident.name);
        None
    }

    /// Variables of the members that could be the data of an action, in the order in which they are bound.
    fn values_for(&mut self, id: ActionId) -> Vec<String> {
        let sorts = self.sema.program.actions[id.index()].sorts.clone();
        let mut bound = self.visible().into_iter();
        let mut names = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let wanted = super::infer::base(sort);
            let fits = |body: &Self, local: Local| {
                let is_data = matches!(local.kind, LocalKind::VectorData | LocalKind::Index);
                is_data && super::infer::base(body.shallow(local.sort)) == wanted
            };
            names
                .extend(bound.find(|local| fits(self, *local)).map(|local| local.name.to_string()));
        }
        names
    }

    /// An action that was probably meant is not called unused as well.
    fn use_similar_action(&mut self, name: Symbol) {
        if let Some(declared) = self.lookup(Space::Values, name)
            && let Meaning::Actions(actions) = declared.meaning
        {
            for (_, id) in actions {
                self.use_action(id);
            }
        }
    }
}
