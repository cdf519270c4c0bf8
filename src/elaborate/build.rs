//! Instances: processes and nets with their values, and holes with what fills them, at any depth.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use super::lower::{Scope, Value};
use super::owed::Owing;
use super::problems::{ElaborationProblem, IndexOutside, NeedsSet, TooManyInstances, TooNested};
use super::shows::Shown;
use super::{ElaborateOptions, Target};
use crate::algebra::{Algebra, ConstId, TermId, Terms};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{
    Composite, Content, Hole, HoleId, HoleSort, InstanceId, Instantiation, NodeId, Origins, PNet,
    Part, PartName, Plts, PltsId,
};
use crate::sema::program::{
    Argument, Component, FamilyDef, FillDef, FillIndex, HoleDef, Instance, LeafTest, LeafVariable,
    Local, LocalId, NetBody, NetDef, NetId, Program, Sort, SubDef,
};

/// Deeper hierarchies are refused: nobody means them, and each level costs stack.
const MOST_LEVELS: usize = 250;

/// Room for more than this is made when it is needed: there may never be so many.
pub(super) const MOST_RESERVED: usize = 1 << 16;

/// Everything that is known while a net is built.
pub(super) struct Builder<'p> {
    pub program: &'p Program,
    pub options: &'p ElaborateOptions,
    pub terms: Terms,
    pub algebra: Algebra,
    pub constants: FxHashMap<ConstId, TermId>,
    /// Constants that were needed before the functions that define them were declared.
    pub postponed: FxHashSet<ConstId>,
    pub(super) plts: IndexVec<PltsId, Plts>,
    pub(super) nodes: IndexVec<NodeId, Composite>,
    pub(super) holes: IndexVec<HoleId, Hole>,
    pub origins: Origins,
    pub problems: Vec<ElaborationProblem>,
    /// What expressions owe.
    pub(super) owing: Owing,
    made: usize,
    pub(super) level: usize,
    /// Whether what fills the holes of the next instance is left out, to be elaborated by itself.
    pub(super) apart: bool,
    /// What was left out.
    pub(super) left_out: Vec<LeftOut<'p>>,
    pub(super) shown: Shown,
    /// What names in a property stand for.
    pub leaves: Option<&'p dyn Leaves>,
}

/// What names in a property stand for: variables of leaves, and whether a leaf is in a state.
pub trait Leaves {
    /// A variable of a leaf.
    fn variable(&self, variable: &LeafVariable) -> Option<TermId>;

    /// Whether a leaf is in one of several states.
    fn in_state(&self, test: &LeafTest) -> Option<bool>;
}

/// What is known inside one instance of a net.
pub(super) struct Env<'p> {
    /// Its local names.
    pub scope: Scope<'p>,
    /// What stands in each of its own holes.
    holes: Rc<Vec<Slots<'p>>>,
    /// What fills holes further inside, by their paths.
    inner: Rc<Vec<(Vec<Symbol>, Filling<'p>)>>,
    /// The way to the instance.
    path: String,
    /// The instance, for messages.
    pub instance: Option<InstanceId>,
}

/// What stands in a hole, or in each hole of a family.
enum Slots<'p> {
    One(Slot<'p>),
    Family(Vec<(BigInt, Slot<'p>)>),
}

#[derive(Clone)]
enum Slot<'p> {
    /// Nothing: the hole stays open under this path.
    Open(OpenSlot),
    /// An instance, seen from where it was written.
    Filled(Filling<'p>),
    /// The same, to be elaborated by itself, and how the hole is called that stands in its place.
    Apart(Filling<'p>, OpenSlot),
}

/// A hole that stays open: its path, what it may do, and where it is declared.
type OpenSlot = (String, Option<crate::sema::program::InterfaceId>, Span);

/// An instance that fills a hole, left out to be elaborated by itself.
pub(super) struct LeftOut<'p> {
    /// The hole in its place.
    pub hole: HoleId,
    pub filling: Filling<'p>,
    /// The way to where it stands.
    pub path: String,
    /// What fills its holes from further outside.
    pub inner: Vec<(Vec<Symbol>, Filling<'p>)>,
    pub level: usize,
}

#[derive(Clone)]
pub(super) struct Filling<'p> {
    pub instance: &'p Instance,
    env: Rc<Env<'p>>,
    /// The index of the family's member that it fills, and the name it is bound to.
    index: Option<(Option<LocalId>, BigInt)>,
    /// Where it fills holes further inside: the name that their indices are bound to, or the only one it fills.
    family: (Option<LocalId>, Option<BigInt>),
    /// Whether it is to be elaborated by itself.
    apart: bool,
}

impl<'p> Builder<'p> {
    pub fn new(program: &'p Program, options: &'p ElaborateOptions) -> Builder<'p> {
        Builder {
            program,
            options,
            terms: Terms::default(),
            algebra: Algebra::default(),
            constants: FxHashMap::default(),
            postponed: FxHashSet::default(),
            plts: IndexVec::default(),
            nodes: IndexVec::default(),
            holes: IndexVec::default(),
            origins: Origins::default(),
            problems: Vec::new(),
            owing: Owing::default(),
            made: 0,
            level: 0,
            apart: false,
            left_out: Vec::new(),
            shown: Shown::default(),
            leaves: None,
        }
    }

    /// Builds the whole net.
    pub fn run(&mut self, target: Target) -> Option<PNet> {
        self.start()?;
        let (name, root) = self.target(target)?;
        Some(self.whole(name, root))
    }

    /// Builds an instance that stands for itself, as in a check.
    pub fn run_instance(&mut self, instance: &'p Instance, locals: &'p [Local]) -> Option<PNet> {
        self.start()?;
        let name = self.name_of(instance)?;
        let root = self.content(instance, &Rc::new(Env::at_top(locals)), "", None, &[])?;
        Some(self.whole(name, root))
    }

    /// Makes what every net needs; nothing where something is wrong with that.
    pub(super) fn start(&mut self) -> Option<()> {
        self.algebra();
        (self.problems.is_empty() && !is_spent()).then_some(())
    }

    /// The name of what is instantiated.
    pub(super) fn name_of(&self, instance: &Instance) -> Option<Symbol> {
        match instance.component {
            Component::Process(id) => Some(self.program.processes[id.index()].named.name),
            Component::Net(id) => Some(self.program.nets[id.index()].named.name),
            Component::Hole(..) | Component::Error => None,
        }
    }

    /// A component, whose parameters stand for any value.
    pub(super) fn target(&mut self, target: Target) -> Option<(Symbol, Content)> {
        Some(match target {
            Target::Process(id) => {
                let process = &self.program.processes[id.index()];
                let scope = self.symbolic_parameters(
                    &process.locals,
                    process.parameters,
                    process.named.span,
                )?;
                (process.named.name, self.leaf(id, scope, None))
            }
            Target::Net(id) => {
                let net = &self.program.nets[id.index()];
                let scope =
                    self.symbolic_parameters(&net.locals, net.parameters, net.named.span)?;
                let env = Env { scope, ..Env::at_top(&net.locals) };
                let holes = self.slots(&net.holes, &env, |_, _| None)?;
                (net.named.name, self.net(id, Rc::new(Env { holes: Rc::new(holes), ..env }))?)
            }
        })
    }

    fn whole(&mut self, name: Symbol, root: Content) -> PNet {
        let (premises, granted) = self.take_premises();
        self.terms.freeze();
        PNet {
            name,
            algebra: std::mem::take(&mut self.algebra),
            terms: std::mem::take(&mut self.terms),
            plts: std::mem::take(&mut self.plts),
            nodes: std::mem::take(&mut self.nodes),
            holes: std::mem::take(&mut self.holes),
            root,
            origins: std::mem::take(&mut self.origins),
            premises,
            granted,
        }
    }

    pub fn report(&mut self, problem: impl Into<ElaborationProblem>) {
        self.problems.push(problem.into());
    }

    /// The instances that led to one, in words: "`T2`, an instance of `Timer`", with the place.
    pub fn chain(&self, instance: Option<InstanceId>) -> Vec<(Span, String)> {
        let chain = self.origins.chain_of(instance).into_iter();
        chain
            .map(|i| {
                (i.span, format!("in `{}`, an instance of `{}` made here", i.part, i.component))
            })
            .collect()
    }

    /// Parameters of what is elaborated stand for any value.
    fn symbolic_parameters(
        &mut self,
        locals: &'p [Local],
        count: usize,
        span: Span,
    ) -> Option<Scope<'p>> {
        let mut scope = Scope::new(locals);
        for (index, local) in locals.iter().enumerate().take(count) {
            if local.sort == Sort::Actions {
                self.report(NeedsSet {
                    span: local.span,
                    name: local.name.to_string(),
                    component: span,
                });
                return None;
            }
            self.inhabited(local.sort, &scope, None);
            let sort = self.sort(local.sort, &scope);
            let term = self.symbolic(local.name, sort);
            scope.set(LocalId(index as u32), term);
        }
        Some(scope)
    }

    /// Counts an instance; says whether there may be more.
    fn count(&mut self, span: Span) -> bool {
        if is_spent() {
            return false;
        }
        self.made += 1;
        if self.made.checked_sub(1) == Some(self.options.most_instances) {
            self.report(TooManyInstances { span, limit: self.options.most_instances });
        }
        self.made <= self.options.most_instances
    }

    /// What stands in the holes of a net: what `fill` gives for a hole and an index, or nothing.
    fn slots(
        &mut self,
        holes: &'p [HoleDef],
        env: &Env<'p>,
        fill: impl Fn(&HoleDef, Option<i64>) -> Option<Filling<'p>>,
    ) -> Option<Vec<Slots<'p>>> {
        let mut all = Vec::with_capacity(holes.len());
        for hole in holes {
            let open = |index: Option<i64>| {
                let name = match index {
                    Some(index) => format!("{}[{index}]", hole.name.name),
                    None => hole.name.name.to_string(),
                };
                (join(&env.path, &name), hole.interface, hole.name.span)
            };
            let slot = |index: Option<i64>| match fill(hole, index) {
                Some(filling) if filling.apart => Slot::Apart(filling, open(index)),
                Some(filling) => Slot::Filled(filling),
                None => Slot::Open(open(index)),
            };
            all.push(match &hole.family {
                None => Slots::One(slot(None)),
                Some(family) => {
                    let indices = self.indices(family.range, (&env.scope, env.instance))?;
                    Slots::Family(indices.map(|i| (BigInt::from(i), slot(Some(i)))).collect())
                }
            });
        }
        Some(all)
    }

    // ---- nets ----

    fn net(&mut self, id: NetId, env: Rc<Env<'p>>) -> Option<Content> {
        let program = self.program;
        let net = &program.nets[id.index()];
        self.level += 1;
        if self.level > MOST_LEVELS {
            self.level -= 1;
            if !self.problems.iter().any(|p| matches!(p, ElaborationProblem::TooNested(_))) {
                self.report(TooNested { span: net.named.span, limit: MOST_LEVELS });
            }
            return None;
        }
        let content = match &net.body {
            NetBody::Error => None,
            NetBody::Alias(instance) => self.content(instance, &env, &env.path, None, &env.inner),
            NetBody::Block(block) => self.block(net, block, &env),
        };
        self.level -= 1;
        content
    }

    fn block(
        &mut self,
        net: &'p NetDef,
        block: &'p crate::sema::program::NetBlock,
        env: &Rc<Env<'p>>,
    ) -> Option<Content> {
        let origin = self.origins.add(net.named.span, env.instance);
        let mut parts: Vec<Part> = Vec::new();
        let mut places: Vec<Places> = Vec::new();
        let passed = passed_on(block);
        for (number, hole) in net.holes.iter().enumerate() {
            // A hole that a sub-net gets stands there, and not here.
            let place = if passed.contains(&number) {
                Places::Elsewhere
            } else {
                self.hole_parts(hole, &env.holes[number], env, &mut parts)?
            };
            places.push(place);
        }
        for sub in &block.subs {
            let place = self.sub_parts(sub, env, &mut parts)?;
            places.push(place);
        }
        let mut node = Composite {
            name: net.named.name,
            parts: parts.into(),
            vectors: IndexVec::default(),
            origin,
        };
        self.vectors(block, env, &places, &mut node);
        if !self.problems.is_empty() || is_spent() {
            return None;
        }
        Some(Content::Node(self.nodes.push(node)))
    }

    fn hole_parts(
        &mut self,
        hole: &'p HoleDef,
        slots: &Slots<'p>,
        env: &Rc<Env<'p>>,
        parts: &mut Vec<Part>,
    ) -> Option<Places> {
        let first = parts.len();
        let name = hole.name.name;
        let inner = env.inner_of(name);
        match slots {
            Slots::One(slot) => {
                let path = join(&env.path, name.as_str());
                let content = self.slot(slot, &path, env.instance, &inner)?;
                parts.push(Part { name: PartName { name, index: None }, content });
                Some(Places::One(first))
            }
            Slots::Family(members) => {
                for (index, slot) in members {
                    let path = join(&env.path, &format!("{name}[{index}]"));
                    let content = self.slot(slot, &path, env.instance, &inner)?;
                    parts.push(Part {
                        name: PartName { name, index: Some(index.clone()) },
                        content,
                    });
                }
                let low = members.first().and_then(|(index, _)| index.to_i64()).unwrap_or(0);
                Some(Places::Family { first, low, count: members.len() })
            }
        }
    }

    fn slot(
        &mut self,
        slot: &Slot<'p>,
        path: &str,
        instance: Option<InstanceId>,
        inner: &[(Vec<Symbol>, Filling<'p>)],
    ) -> Option<Content> {
        match slot {
            Slot::Open(open) => Some(Content::Hole(self.open_hole(open, instance))),
            Slot::Filled(filling) => self.filling(filling, path, inner),
            Slot::Apart(filling, open) => {
                let hole = self.open_hole(open, instance);
                self.left_out.push(LeftOut {
                    hole,
                    filling: filling.clone(),
                    path: path.to_owned(),
                    inner: inner.to_vec(),
                    level: self.level,
                });
                Some(Content::Hole(hole))
            }
        }
    }

    fn open_hole(
        &mut self,
        (path, interface, span): &OpenSlot,
        instance: Option<InstanceId>,
    ) -> HoleId {
        let origin = self.origins.add(*span, instance);
        let sort = match interface {
            None => HoleSort::Any,
            Some(id) => HoleSort::Actions(self.program.interfaces[id.index()].actions.clone()),
        };
        self.holes.push(Hole { path: path.clone(), sort, origin })
    }

    /// What an instance that fills a hole comes to.
    pub(super) fn filling(
        &mut self,
        filling: &Filling<'p>,
        path: &str,
        inner: &[(Vec<Symbol>, Filling<'p>)],
    ) -> Option<Content> {
        let Filling { instance, env, index, .. } = filling;
        match index {
            Some((Some(local), value)) => {
                let mut scope = env.scope.clone();
                let term = self.terms.int(value.clone());
                scope.set(*local, term);
                let with_index = Rc::new(env.with_scope(scope));
                self.content(instance, &with_index, path, Some(value), inner)
            }
            Some((None, value)) => self.content(instance, env, path, Some(value), inner),
            None => self.content(instance, env, path, None, inner),
        }
    }

    fn sub_parts(
        &mut self,
        sub: &'p SubDef,
        env: &Rc<Env<'p>>,
        parts: &mut Vec<Part>,
    ) -> Option<Places> {
        let first = parts.len();
        let name = sub.name.name;
        let inner = env.inner_of(name);
        let Some(FamilyDef { index, range }) = &sub.family else {
            let path = join(&env.path, name.as_str());
            let content = self.content(&sub.instance, env, &path, None, &inner)?;
            parts.push(Part { name: PartName { name, index: None }, content });
            return Some(Places::One(first));
        };
        let indices = self.indices(*range, (&env.scope, env.instance))?;
        let (low, count) = (indices.start, (indices.end - indices.start) as usize);
        parts.reserve(count.min(MOST_RESERVED));
        for i in indices {
            let mut scope = env.scope.clone();
            let term = self.terms.int(i);
            scope.set(*index, term);
            let member = Rc::new(env.with_scope(scope));
            let path = join(&env.path, &format!("{name}[{i}]"));
            let content = self.content(&sub.instance, &member, &path, None, &inner)?;
            parts.push(Part { name: PartName { name, index: Some(BigInt::from(i)) }, content });
        }
        Some(Places::Family { first, low, count })
    }

    // ---- instances ----

    /// What an instance comes to. `inner` fills holes that it leaves open, by their paths.
    pub(super) fn content(
        &mut self,
        instance: &'p Instance,
        env: &Rc<Env<'p>>,
        path: &str,
        index: Option<&BigInt>,
        inner: &[(Vec<Symbol>, Filling<'p>)],
    ) -> Option<Content> {
        if !self.count(instance.span) {
            return None;
        }
        let apart = std::mem::take(&mut self.apart);
        match &instance.component {
            Component::Error => None,
            Component::Hole(number, written) => {
                let written = match written {
                    Some(expr) => {
                        let term = self.term(expr, &env.scope);
                        Some(self.terms.as_int(term).cloned().unwrap_or_default())
                    }
                    None => index.cloned(),
                };
                let slot = self.find_slot(&env.holes[*number], written, instance.span, env)?;
                self.slot(&slot, path, env.instance, inner)
            }
            Component::Process(id) => {
                let process = &self.program.processes[id.index()];
                let scope = self.arguments(instance, env, &process.locals);
                let made = self.made_here(path, process.named.name, instance.span, env.instance);
                Some(self.leaf(*id, scope, Some(made)))
            }
            Component::Net(id) => {
                let net = &self.program.nets[id.index()];
                let scope = self.arguments(instance, env, &net.locals);
                let made = self.made_here(path, net.named.name, instance.span, env.instance);
                let path = path.to_owned();
                let new = Env {
                    scope,
                    holes: Rc::default(),
                    inner: Rc::default(),
                    path,
                    instance: Some(made),
                };
                // Another name for an instance: what fills that one's holes is meant.
                let is_name = instance.fills.is_empty() && matches!(net.body, NetBody::Alias(_));
                let fills = self.constant_fills(instance, env);
                let holes = self.slots(&net.holes, &new, |hole, index| {
                    fill_for(hole, index, &fills, (env, apart), inner)
                })?;
                let rest = deeper_fills(net, &fills, (env, apart), inner);
                self.apart = apart && is_name;
                self.net(*id, Rc::new(Env { holes: Rc::new(holes), inner: Rc::new(rest), ..new }))
            }
        }
    }

    fn made_here(
        &mut self,
        path: &str,
        component: Symbol,
        span: Span,
        outer: Option<InstanceId>,
    ) -> InstanceId {
        let part = if path.is_empty() { component.to_string() } else { path.to_owned() };
        self.origins.instantiate(Instantiation { part, component, span, outer })
    }

    fn find_slot(
        &mut self,
        slots: &Slots<'p>,
        index: Option<BigInt>,
        span: Span,
        env: &Env<'p>,
    ) -> Option<Slot<'p>> {
        match (slots, index) {
            (Slots::One(slot), _) => Some(slot.clone()),
            (Slots::Family(members), Some(index)) => {
                // The members are in order and without gaps.
                let low = members.first().map(|(low, _)| low.clone()).unwrap_or_default();
                let place = (&index - low).to_usize();
                let found = place.and_then(|place| members.get(place));
                if found.is_none() {
                    let (index, chain) = (index.to_string(), self.chain(env.instance));
                    self.report(IndexOutside { span, index, chain });
                }
                found.map(|(_, slot)| slot.clone())
            }
            (Slots::Family(members), None) => members.first().map(|(_, slot)| slot.clone()),
        }
    }

    /// The fills of an instance, each with its index where it is one of a family.
    fn constant_fills(
        &mut self,
        instance: &'p Instance,
        env: &Rc<Env<'p>>,
    ) -> Vec<(&'p FillDef, Option<BigInt>)> {
        let mut fills = Vec::with_capacity(instance.fills.len());
        for fill in &instance.fills {
            let index = match &fill.index {
                FillIndex::One(expr) => {
                    let term = self.term(expr, &env.scope);
                    self.terms.as_int(term).cloned()
                }
                _ => None,
            };
            fills.push((fill, index));
        }
        fills
    }

    /// A value for a parameter: one of its sort, whose bounds may use the parameters before it.
    fn argument(
        &mut self,
        expr: &'p crate::sema::program::Expr,
        env: &Env<'p>,
        sort: Sort,
        scope: &Scope<'p>,
    ) -> TermId {
        self.inhabited(sort, scope, env.instance);
        let sort = self.sort(sort, scope);
        let (term, owed) = self.owing(|b| {
            let term = b.term(expr, &env.scope);
            b.fit(term, &sort, expr.span)
        });
        self.require(owed, env.instance);
        term
    }

    /// The value parameters of an instance.
    fn arguments(
        &mut self,
        instance: &'p Instance,
        env: &Env<'p>,
        locals: &'p [Local],
    ) -> Scope<'p> {
        let mut scope = Scope::new(locals);
        for (index, argument) in instance.values.iter().enumerate() {
            let value = match argument {
                Argument::Value(expr) => {
                    Value::Term(self.argument(expr, env, locals[index].sort, &scope))
                }
                Argument::Set(set) => {
                    let (set, owed) = self.owing(|b| b.set(set, &env.scope));
                    self.require(owed, env.instance);
                    Value::Set(set)
                }
            };
            scope.values.insert(LocalId(index as u32), value);
        }
        scope
    }
}

impl<'p> Env<'p> {
    /// Outside of every net.
    pub(super) fn at_top(locals: &'p [Local]) -> Env<'p> {
        Env {
            scope: Scope::new(locals),
            holes: Rc::default(),
            inner: Rc::default(),
            path: String::new(),
            instance: None,
        }
    }

    /// What fills holes inside one of the parts.
    fn inner_of(&self, part: Symbol) -> Vec<(Vec<Symbol>, Filling<'p>)> {
        let inside = self.inner.iter().filter(|(path, _)| path.len() > 1 && path[0] == part);
        inside.map(|(path, filling)| (path[1..].to_vec(), filling.clone())).collect()
    }

    /// The same with other values for the local names.
    fn with_scope(self: &Rc<Self>, scope: Scope<'p>) -> Env<'p> {
        Env {
            scope,
            holes: Rc::clone(&self.holes),
            inner: Rc::clone(&self.inner),
            path: self.path.clone(),
            instance: self.instance,
        }
    }
}

/// The holes of a net that its sub-nets get.
fn passed_on(block: &crate::sema::program::NetBlock) -> FxHashSet<usize> {
    let mut passed = FxHashSet::default();
    let mut work: Vec<&Instance> = block.subs.iter().map(|sub| &sub.instance).collect();
    while let Some(instance) = work.pop() {
        if let Component::Hole(number, _) = instance.component {
            passed.insert(number);
        }
        work.extend(instance.fills.iter().map(|fill| &fill.instance));
    }
    passed
}

/// Where the parts of a sub-net or hole are among the parts of the node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places {
    /// In a sub-net.
    Elsewhere,
    One(usize),
    Family {
        first: usize,
        low: i64,
        count: usize,
    },
}

/// What fills a hole of an instance: what the instance says, or what is said further out.
fn fill_for<'p>(
    hole: &HoleDef,
    index: Option<i64>,
    fills: &[(&'p FillDef, Option<BigInt>)],
    (env, apart): (&Rc<Env<'p>>, bool),
    inner: &[(Vec<Symbol>, Filling<'p>)],
) -> Option<Filling<'p>> {
    let name = hole.name.name;
    let index = index.map(BigInt::from);
    let own =
        fills.iter().find(|(fill, one)| fill.hole == [name] && (one.is_none() || *one == index));
    if let Some((fill, _)) = own {
        let index = index.map(|index| (bound(fill), index));
        return Some(Filling { index, ..Filling::of(fill, env, apart) });
    }
    let is_meant = |filling: &Filling<'p>| filling.family.1.is_none() || filling.family.1 == index;
    let outer = inner.iter().find(|(path, filling)| *path == [name] && is_meant(filling))?;
    let mut filling = outer.1.clone();
    filling.index = index.map(|index| (filling.family.0, index));
    Some(filling)
}

/// The name that the indices of a family are bound to.
fn bound(fill: &FillDef) -> Option<LocalId> {
    match fill.index {
        FillIndex::Each(local) => Some(local),
        FillIndex::Whole | FillIndex::One(_) => None,
    }
}

impl<'p> Filling<'p> {
    fn of(fill: &'p FillDef, env: &Rc<Env<'p>>, apart: bool) -> Filling<'p> {
        let (instance, env) = (&fill.instance, Rc::clone(env));
        let apart = apart && !is_passed(instance);
        Filling { instance, env, index: None, family: (None, None), apart }
    }
}

/// Whether what fills a hole is only a hole of the net around.
fn is_passed(instance: &Instance) -> bool {
    matches!(instance.component, Component::Hole(..) | Component::Error)
}

/// What fills holes further inside an instance.
fn deeper_fills<'p>(
    net: &NetDef,
    fills: &[(&'p FillDef, Option<BigInt>)],
    (env, apart): (&Rc<Env<'p>>, bool),
    inner: &[(Vec<Symbol>, Filling<'p>)],
) -> Vec<(Vec<Symbol>, Filling<'p>)> {
    let is_own =
        |path: &[Symbol]| path.len() == 1 && net.holes.iter().any(|h| h.name.name == path[0]);
    let said_here = fills.iter().filter(|(fill, _)| !is_own(&fill.hole)).map(|(fill, only)| {
        let family = (bound(fill), only.clone());
        (fill.hole.clone(), Filling { family, ..Filling::of(fill, env, apart) })
    });
    let said_outside = inner.iter().filter(|(path, _)| !is_own(path)).cloned();
    said_here.chain(said_outside).collect()
}

/// A path with one more name.
fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

impl Builder<'_> {}
