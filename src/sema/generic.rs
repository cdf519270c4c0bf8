//! Datatypes and functions over sorts, and their instances.
//!
//! `List<Int>` is a datatype of its own, made where it is first spoken of. While sorts are inferred there are also instances
//! for sorts that are not known yet, and inside of what is over sorts there are some for its parameters: these are nothing
//! that has values, and [`super::specialise`] takes them away in the end.

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Sema;
use super::body::Body;
use super::problems::{
    EndlessInstances, OpenInstance, RangeAsArgument, SortCount, SortTooLarge, UselessSort,
};
use super::program::{
    ActionSet, DataDef, DataId, Expr, ExprKind, FunDef, FunId, ModuleId, Named, Pattern,
    PatternKind, Program, RangeDef, RangeId, Sort, SortParamId,
};
use crate::diagnostics::Span;
use crate::syntax::ast::Ident;

/// Sorts are not made of more parts than this: each use can double them, and whoever walks through them would not end.
pub(super) const MOST_PARTS: u32 = 1_000;
/// Sorts inside of sorts are shown so deep.
pub(super) const DEEPEST_SHOWN: usize = 5;

/// The instances that were made.
#[derive(Debug, Default)]
pub(super) struct Instances {
    datas: FxHashMap<(DataId, Vec<Sort>), DataId>,
    funs: FxHashMap<(FunId, Vec<Sort>), FunId>,
    /// Whether the fields of what is declared are known.
    filled: bool,
    /// Datatypes that would need larger and larger instances of themselves.
    endless: FxHashSet<DataId>,
    /// Of how many parts each instance is made.
    parts: FxHashMap<DataId, u32>,
    /// The range between two numbers that all ranges between them are.
    pub ranges: FxHashMap<(BigInt, BigInt), RangeId>,
    /// Instances in which something is not known.
    open: FxHashSet<DataId>,
    /// Whether a sort of too many parts was asked for, and nobody was told yet.
    pub too_large: bool,
}

/// What parameters stand for.
pub(super) type Put = Vec<(SortParamId, Sort)>;

/// Inside of what a parameter is over, another stands for a sort that is made of it.
struct Growth {
    from: SortParamId,
    to: SortParamId,
    grows: bool,
    span: Span,
    /// What is instantiated, and with what.
    shown: String,
}

impl Program {
    /// The sorts that a datatype is for.
    pub(super) fn sorts_of(&self, id: DataId) -> &[Sort] {
        self.datas[id.index()].instance.as_ref().map_or(&[], |(_, sorts)| sorts)
    }

    /// The function as it was written.
    pub(super) fn generic_fun(&self, id: FunId) -> FunId {
        self.funs[id.index()].instance.as_ref().map_or(id, |(generic, _)| *generic)
    }

    /// Whether nothing in a sort is a parameter, or not known.
    pub(super) fn is_of_values(&self, sort: Sort) -> bool {
        match sort {
            Sort::Parameter(_) | Sort::Unknown(_) | Sort::Error => false,
            Sort::Array(id) => {
                let (key, value) = self.arrays[id.index()];
                self.is_of_values(key) && self.is_of_values(value)
            }
            Sort::Data(id) => {
                let data = &self.datas[id.index()];
                data.params.is_empty() && self.sorts_of(id).iter().all(|&s| self.is_of_values(s))
            }
            _ => true,
        }
    }

    /// What a datatype is called: `List<Int>`.
    pub(super) fn data_name(&self, id: DataId) -> String {
        self.applied_name(id, DEEPEST_SHOWN)
    }

    fn applied_name(&self, id: DataId, depth: usize) -> String {
        let data = &self.datas[id.index()];
        let name = data.named.name;
        let sorts: Vec<Sort> = match &data.instance {
            Some((_, sorts)) => sorts.clone(),
            None => data.params.iter().map(|&param| Sort::Parameter(param)).collect(),
        };
        if sorts.is_empty() {
            name.to_string()
        } else {
            self.with_sorts(name.as_str(), &sorts, depth)
        }
    }

    /// A name with the sorts that it is for.
    pub(super) fn with_sorts(&self, name: &str, sorts: &[Sort], depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return format!("{name}<…>") };
        let shown = |&sort: &Sort| match sort {
            Sort::Data(id) => self.applied_name(id, depth),
            Sort::Array(id) => {
                let (key, value) = self.arrays[id.index()];
                let part = |sort: Sort| match sort {
                    Sort::Data(id) => self.applied_name(id, depth),
                    // An array of arrays of arrays is short enough.
                    other => self.sort_name(other),
                };
                format!("[{}]{}", part(key), part(value))
            }
            other => self.sort_name(other),
        };
        let shown: Vec<String> = sorts.iter().map(shown).collect();
        format!("{name}<{}>", shown.join(", "))
    }

    /// Whether a range stands in a sort whose bounds are no numbers, or which somebody's parameters give.
    fn has_open_range(&self, sort: Sort, is_open: &dyn Fn(&RangeDef) -> bool) -> bool {
        match sort {
            Sort::Range(id) => is_open(&self.ranges[id.index()]),
            Sort::Array(id) => {
                let (key, value) = self.arrays[id.index()];
                self.has_open_range(key, is_open) || self.has_open_range(value, is_open)
            }
            _ => false,
        }
    }

    /// Calls `visit` with each instance of a datatype in a sort.
    fn each_instance(&self, sort: Sort, visit: &mut dyn FnMut(DataId, &[Sort])) {
        match sort {
            Sort::Array(id) => {
                let (key, value) = self.arrays[id.index()];
                self.each_instance(key, visit);
                self.each_instance(value, visit);
            }
            Sort::Data(id) => {
                if let Some((generic, sorts)) = &self.datas[id.index()].instance {
                    sorts.iter().for_each(|&sort| self.each_instance(sort, visit));
                    visit(*generic, sorts);
                }
            }
            _ => {}
        }
    }

    fn each_parameter(&self, sort: Sort, visit: &mut dyn FnMut(SortParamId)) {
        match sort {
            Sort::Parameter(id) => visit(id),
            Sort::Array(id) => {
                let (key, value) = self.arrays[id.index()];
                self.each_parameter(key, visit);
                self.each_parameter(value, visit);
            }
            Sort::Data(id) => {
                self.sorts_of(id).iter().for_each(|&sort| self.each_parameter(sort, visit));
                let own = &self.datas[id.index()].params;
                own.iter().for_each(|&param| visit(param));
            }
            _ => {}
        }
    }
}

impl Sema<'_> {
    /// A parameter that stands for a sort.
    pub(super) fn sort_param(&mut self, ident: Ident, module: ModuleId) -> SortParamId {
        let id = SortParamId(self.program.sort_params.len() as u32);
        self.occurs(ident, ident.span, super::NameKind::Sort);
        self.program.sort_params.push(Named { name: ident.name, span: ident.span, module });
        id
    }

    /// The instance of a datatype for some sorts. Of a range whose bounds are not known, it is that for all integers.
    pub(super) fn data_instance(&mut self, generic: DataId, sorts: Vec<Sort>) -> Sort {
        let sorts: Vec<Sort> = sorts.into_iter().map(|sort| self.argument(sort)).collect();
        if sorts.contains(&Sort::Error) {
            return Sort::Error;
        }
        let def = &self.program.datas[generic.index()];
        let own = def.params.iter().map(|&param| Sort::Parameter(param));
        if own.eq(sorts.iter().copied()) {
            return Sort::Data(generic);
        }
        let next = DataId(self.program.datas.len() as u32);
        let key = (generic, sorts);
        if let Some(&known) = self.instances.datas.get(&key) {
            return Sort::Data(known);
        }
        let parts = key.1.iter().fold(1u32, |all, &one| all.saturating_add(self.parts_of(one)));
        if parts > MOST_PARTS {
            self.instances.too_large = true;
            return Sort::Error;
        }
        let is_open = key.1.iter().any(|&one| self.may_be_open(one));
        self.instances.parts.insert(next, parts);
        if is_open {
            self.instances.open.insert(next);
        }
        let def = &self.program.datas[generic.index()];
        let mut constructors = def.constructors.clone();
        constructors.iter_mut().for_each(|one| one.fields.clear());
        let (named, params, instance) = (def.named, Vec::new(), Some(key.clone()));
        self.program.datas.push(DataDef { named, params, instance, constructors });
        self.instances.datas.insert(key, next);
        if self.instances.filled {
            self.fill(next);
        }
        Sort::Data(next)
    }

    /// A sort that a datatype is for.
    pub(super) fn argument(&mut self, sort: Sort) -> Sort {
        match self.canonical(sort) {
            Sort::Range(id) if self.program.ranges[id.index()].known.is_none() => Sort::Int,
            other => other,
        }
    }

    /// Of how many parts a sort is made.
    fn parts_of(&self, sort: Sort) -> u32 {
        match sort {
            Sort::Data(id) => self.instances.parts.get(&id).copied().unwrap_or(1),
            Sort::Array(id) => {
                let (key, value) = self.program.arrays[id.index()];
                self.parts_of(key).saturating_add(self.parts_of(value))
            }
            _ => 1,
        }
    }

    /// Whether there is something in a sort that is found out later.
    pub(super) fn may_be_open(&self, sort: Sort) -> bool {
        match sort {
            Sort::Unknown(_) => true,
            Sort::Data(id) => self.instances.open.contains(&id),
            Sort::Array(id) => {
                let (key, value) = self.program.arrays[id.index()];
                self.may_be_open(key) || self.may_be_open(value)
            }
            _ => false,
        }
    }

    /// The fields of an instance.
    fn fill(&mut self, id: DataId) {
        let Some((generic, sorts)) = self.program.datas[id.index()].instance.clone() else {
            return;
        };
        let of = &self.program.datas[generic.index()];
        let put: Put = of.params.iter().copied().zip(sorts).collect();
        let endless = self.instances.endless.contains(&generic);
        for index in 0..of.constructors.len() {
            let fields = self.program.datas[generic.index()].constructors[index].fields.clone();
            let fields = fields.into_iter().map(|(name, sort)| match endless {
                true => (name, Sort::Error),
                false => (name, self.put_sort(sort, &put)),
            });
            self.program.datas[id.index()].constructors[index].fields = fields.collect();
        }
    }

    /// Gives all instances that were spoken of so far their fields, now that those of what is declared are known.
    pub(super) fn fill_datatypes(&mut self) {
        self.endless_datatypes();
        self.instances.filled = true;
        for index in 0..self.program.datas.len() {
            self.fill(DataId(index as u32));
        }
    }

    /// The instance of a function for some sorts.
    pub(super) fn fun_instance(&mut self, generic: FunId, sorts: Vec<Sort>) -> FunId {
        let def = &self.program.funs[generic.index()];
        let own = def.sorts.iter().map(|&param| Sort::Parameter(param));
        if own.eq(sorts.iter().copied()) {
            return generic;
        }
        let next = FunId(self.program.funs.len() as u32);
        let sorts = sorts.into_iter().map(|sort| self.canonical(sort)).collect();
        let def = &self.program.funs[generic.index()];
        let key = (generic, sorts);
        if let Some(&known) = self.instances.funs.get(&key) {
            return known;
        }
        let put: Put = def.sorts.iter().copied().zip(key.1.iter().copied()).collect();
        let (named, params, result) = (def.named, def.params.clone(), def.result);
        let params = params.into_iter().map(|sort| self.put_sort(sort, &put)).collect();
        let result = self.put_sort(result, &put);
        self.program.funs.push(FunDef {
            named,
            sorts: Vec::new(),
            instance: Some(key.clone()),
            params,
            result,
            measures: Vec::new(),
            body: None,
            locals: Vec::new(),
        });
        self.instances.funs.insert(key, next);
        next
    }

    /// Reports datatypes that would need larger and larger instances of themselves.
    fn endless_datatypes(&mut self) {
        let program = &self.program;
        let mut all: Vec<(DataId, Growth)> = Vec::new();
        for (index, data) in program.datas.iter().enumerate() {
            for (name, sort) in data.constructors.iter().flat_map(|one| &one.fields) {
                program.each_instance(*sort, &mut |generic, sorts| {
                    let of = &program.datas[generic.index()];
                    let shown = || program.with_sorts(of.named.name.as_str(), sorts, DEEPEST_SHOWN);
                    let found = growths(program, &of.params, sorts, name.span, shown);
                    all.extend(found.into_iter().map(|one| (DataId(index as u32), one)));
                });
            }
        }
        let edges: Vec<&Growth> = all.iter().map(|(_, one)| one).collect();
        let endless = all.iter().filter(|(_, one)| one.grows && leads_back(&edges, one));
        let mut reported: FxHashSet<DataId> = FxHashSet::default();
        let mut problems = Vec::new();
        for (id, one) in endless {
            if reported.insert(*id) {
                let name = program.datas[id.index()].named.name.to_string();
                problems.push(EndlessInstances {
                    span: one.span,
                    name,
                    shown: one.shown.clone(),
                    is_data: true,
                });
            }
        }
        // Others that lead there are not unfolded either.
        let count = program.datas.len() as u32;
        self.instances.endless = match reported.is_empty() {
            true => FxHashSet::default(),
            false => (0..count).map(DataId).collect(),
        };
        problems.into_iter().for_each(|problem| self.report(problem));
    }

    /// Reports functions that would need larger and larger instances of themselves.
    pub(super) fn endless_instances(&mut self) {
        let program = &self.program;
        let mut all: Vec<(FunId, Growth)> = Vec::new();
        for (index, fun) in program.funs.iter().enumerate().filter(|(_, f)| !f.sorts.is_empty()) {
            for expr in fun.body.iter().chain(&fun.measures) {
                expr.each(&mut |one| {
                    let ExprKind::Apply(id, _) = &one.kind else { return };
                    let Some((generic, sorts)) = &program.funs[id.index()].instance else { return };
                    let of = &program.funs[generic.index()];
                    let shown = || program.with_sorts(of.named.name.as_str(), sorts, DEEPEST_SHOWN);
                    let found = growths(program, &of.sorts, sorts, one.span, shown);
                    all.extend(found.into_iter().map(|one| (FunId(index as u32), one)));
                });
            }
        }
        let edges: Vec<&Growth> = all.iter().map(|(_, one)| one).collect();
        let mut reported: FxHashSet<FunId> = FxHashSet::default();
        let mut problems = Vec::new();
        for (id, one) in all.iter().filter(|(_, one)| one.grows && leads_back(&edges, one)) {
            if reported.insert(*id) {
                let name = program.funs[id.index()].named.name.to_string();
                let (span, shown) = (one.span, one.shown.clone());
                problems.push(EndlessInstances { span, name, shown, is_data: false });
            }
        }
        problems.into_iter().for_each(|problem| self.report(problem));
    }
}

impl RangeDef {
    /// Whether a bound depends on a parameter of a declaration.
    fn reads_locals(&self) -> bool {
        let mut found = false;
        for end in [&self.low, &self.high] {
            end.each(&mut |one| found |= matches!(one.kind, ExprKind::Local(_)));
        }
        found
    }
}

/// What the parameters of something that is instantiated stand for, in terms of those around.
fn growths(
    program: &Program,
    params: &[SortParamId],
    sorts: &[Sort],
    span: Span,
    shown: impl Fn() -> String,
) -> Vec<Growth> {
    let mut found = Vec::new();
    for (&to, &sort) in params.iter().zip(sorts) {
        program.each_parameter(sort, &mut |from| {
            let grows = sort != Sort::Parameter(from);
            found.push(Growth { from, to, grows, span, shown: shown() });
        });
    }
    found
}

/// Whether what a parameter stands for comes back to where it came from.
fn leads_back(edges: &[&Growth], one: &Growth) -> bool {
    let mut seen: FxHashSet<SortParamId> = FxHashSet::default();
    let mut work = vec![one.to];
    while let Some(at) = work.pop() {
        if at == one.from {
            return true;
        }
        if seen.insert(at) {
            work.extend(edges.iter().filter(|edge| edge.from == at).map(|edge| edge.to));
        }
    }
    false
}

impl Body<'_, '_> {
    /// From here on, the names of these parameters stand for sorts.
    pub fn over(&mut self, params: Vec<SortParamId>) {
        let known = &self.sema.program.sort_params;
        self.sort_names =
            params.iter().map(|&id| (known[id.index()].name, Sort::Parameter(id))).collect();
    }

    /// Reports sorts of a function that neither its parameters nor its result speak of: no call could say what they are.
    pub fn useless_sorts(&mut self, fun: usize) {
        let program = &self.sema.program;
        let def = &program.funs[fun];
        let mut seen: FxHashSet<SortParamId> = FxHashSet::default();
        for &sort in def.params.iter().chain([&def.result]) {
            program.each_parameter(sort, &mut |id| {
                seen.insert(id);
            });
        }
        let broken = def.params.contains(&Sort::Error) || def.result == Sort::Error;
        let useless: Vec<Named> = def
            .sorts
            .iter()
            .filter(|id| !broken && !seen.contains(id))
            .map(|id| program.sort_params[id.index()])
            .collect();
        for named in useless {
            self.report(UselessSort { span: named.span, name: named.name.to_string() });
        }
    }

    /// A sort that takes none.
    pub fn plain_sort(
        &mut self,
        sort: Sort,
        ident: Ident,
        given: Option<(Vec<(Sort, Span)>, Span)>,
        declared: Option<Span>,
    ) -> Sort {
        let Some((given, span)) = given else { return sort };
        let (name, found) = (ident.name.to_string(), given.len());
        self.report(SortCount { span, name, expected: 0, found, declared });
        Sort::Error
    }

    /// A datatype with the sorts that it is for.
    pub fn applied_sort(
        &mut self,
        id: DataId,
        ident: Ident,
        given: Option<(Vec<(Sort, Span)>, Span)>,
        declared: Span,
    ) -> Sort {
        let expected = self.sema.program.datas[id.index()].params.len();
        let (given, span) = given.unwrap_or((Vec::new(), ident.span));
        if given.len() != expected {
            if self.is_unparsed(ident.name) {
                self.failed = true;
                return Sort::Error;
            }
            let (name, found) = (ident.name.to_string(), given.len());
            self.report(SortCount { span, name, expected, found, declared: Some(declared) });
            return Sort::Error;
        }
        if given.is_empty() {
            return Sort::Data(id);
        }
        let sorts = given.into_iter().map(|(sort, _)| sort).collect();
        let sort = self.sema.data_instance(id, sorts);
        self.too_large(span);
        sort
    }

    /// Reports a sort that is made of too many parts.
    pub fn too_large(&mut self, span: Span) {
        if std::mem::take(&mut self.sema.instances.too_large) && !self.failed {
            self.report(SortTooLarge { span, limit: MOST_PARTS as usize });
        }
    }

    /// A datatype where it is used: for sorts that will be found out, if it is over some.
    pub fn opened_data(&mut self, id: DataId) -> DataId {
        let count = self.sema.program.datas[id.index()].params.len();
        if count == 0 {
            return id;
        }
        let sorts = (0..count).map(|_| self.fresh()).collect();
        match self.sema.data_instance(id, sorts) {
            Sort::Data(id) => id,
            _ => id,
        }
    }

    /// A function where it is used.
    pub fn opened_fun(&mut self, id: FunId) -> FunId {
        let count = self.sema.program.funs[id.index()].sorts.len();
        if count == 0 {
            return id;
        }
        let sorts = (0..count).map(|_| self.fresh()).collect();
        self.sema.fun_instance(id, sorts)
    }

    /// Makes two datatypes the same, if they can be.
    pub fn unify_instances(&mut self, a: DataId, b: DataId) -> bool {
        let datas = &self.sema.program.datas;
        let own = |id: DataId| {
            let data = &datas[id.index()];
            data.instance.clone().unwrap_or_else(|| {
                (id, data.params.iter().map(|&param| Sort::Parameter(param)).collect())
            })
        };
        let ((a, a_sorts), (b, b_sorts)) = (own(a), own(b));
        a == b && a_sorts.into_iter().zip(b_sorts).all(|(a, b)| self.unify_arguments(a, b))
    }

    /// Puts the instances that were meant, now that all sorts are known.
    /// What is not known of one is returned.
    pub fn finish_instances(&mut self, expr: &mut Expr) -> Option<OpenInstance> {
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Construct(data, index, args) => {
                *data = self.finished_data(*data, span);
                let (id, program) = (*data, &self.sema.program);
                let constructor = &program.datas[id.index()].constructors[*index as usize];
                let name = constructor.name.name;
                if !program.sorts_of(id).is_empty() {
                    let sorts: Vec<Sort> = constructor.fields.iter().map(|field| field.1).collect();
                    self.in_ranges(args, &sorts);
                }
                if self.is_open(Sort::Data(id)) {
                    let shown = Some(self.sema.program.sort_name(Sort::Data(id)));
                    return Some(OpenInstance { span, name: name.to_string(), shown });
                }
            }
            ExprKind::Select(data, ..) | ExprKind::With(data, _) => {
                *data = self.finished_data(*data, span);
            }
            ExprKind::Apply(id, args) => {
                let open = self.finish_call(id, span);
                let fun = &self.sema.program.funs[id.index()];
                if fun.instance.is_some() {
                    let sorts = fun.params.clone();
                    self.in_ranges(args, &sorts);
                }
                return open;
            }
            ExprKind::Match(all) => {
                all.1.iter_mut().for_each(|(pattern, _)| self.finish_pattern(pattern));
            }
            ExprKind::Is(test, _) => self.finish_pattern(&mut test.1),
            ExprKind::In(test, _) => self.finish_set(&mut test.1),
            _ => {}
        }
        None
    }

    /// Reports values that are certainly outside of the ranges that they go into, now that these are known.
    fn in_ranges(&mut self, values: &[Expr], sorts: &[Sort]) {
        for (value, &sort) in values.iter().zip(sorts) {
            self.check_range(value, sort, None);
        }
    }

    /// Fills in what was inferred in the patterns of a set.
    pub fn finish_set(&mut self, set: &mut ActionSet) {
        if let ActionSet::Patterns(patterns) = set {
            patterns.iter_mut().for_each(|pattern| self.finish_pattern(pattern));
        }
    }

    /// Fills in the instances in a pattern; the values in it are expressions of their own.
    pub fn finish_pattern(&mut self, pattern: &mut Pattern) {
        let span = pattern.span;
        match &mut pattern.kind {
            PatternKind::Construct(data, _, inner) => {
                *data = self.finished_data(*data, span);
                inner.iter_mut().for_each(|one| self.finish_pattern(one));
            }
            PatternKind::Act(_, inner) => inner.iter_mut().for_each(|one| self.finish_pattern(one)),
            PatternKind::Sync(inner) | PatternKind::Co(inner) => self.finish_pattern(inner),
            _ => {}
        }
    }

    fn finished_data(&mut self, id: DataId, span: Span) -> DataId {
        let Sort::Data(known) = self.resolve_sort(Sort::Data(id)) else { return id };
        let program = &self.sema.program;
        let is_open = |sort: &Sort| program.has_open_range(*sort, &|range| range.known.is_none());
        if !self.failed && program.sorts_of(known).iter().any(is_open) {
            let name = program.datas[known.index()].named.name.to_string();
            self.report(RangeAsArgument { span, name, is_data: true });
        }
        known
    }

    fn finish_call(&mut self, id: &mut FunId, span: Span) -> Option<OpenInstance> {
        let (generic, sorts) = self.sema.program.funs[id.index()].instance.clone()?;
        let sorts: Vec<Sort> = sorts.into_iter().map(|sort| self.resolve_sort(sort)).collect();
        let open = sorts.iter().any(|&sort| self.is_open(sort));
        let name = self.sema.program.funs[generic.index()].named.name.to_string();
        // A function stands outside of whoever has the parameters.
        let program = &self.sema.program;
        let is_given = |sort: &Sort| program.has_open_range(*sort, &RangeDef::reads_locals);
        if !self.failed && sorts.iter().any(is_given) {
            self.report(RangeAsArgument { span, name, is_data: false });
            return None;
        }
        *id = self.sema.fun_instance(generic, sorts);
        open.then_some(OpenInstance { span, name, shown: None })
    }
}
