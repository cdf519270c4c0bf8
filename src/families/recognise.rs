//! Whether a net is of a shape that all its sizes share: what depends on an index or on the size does so in a few forms only.
//!
//! Claim: let `k` be the margin. Of two sizes that are large enough, the cells (all members with one index) near the start
//! are the same, those near the end are, and those between are all alike, up to a shift; *near* is `2 k + 2`, and large
//! enough is `10 k + 8`. For every expression that depends on an index is the index, the size or nothing, plus a number of at
//! most `k`; or it is such a sum modulo the size, which differs from the sum near the ends only; or it compares two such
//! sums, which comes to the same for all indices that are further than `k` from both ends.
//!
//! There may be several sizes. Each expression is about one of them, each family has one, and so the cells of one size are
//! the same whatever the others are, as long as these are large enough; for small ones this is looked at where a text asks
//! about two sizes at once.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::glue::Parts;
use super::meets::WrittenMeeting;
use super::shape::{Shape, Sum};
use crate::diagnostics::{Span, Symbol};
use crate::elaborate::Settings;
use crate::sema::program::{
    ActionSet, Argument, Component, ConstId, FamilyDef, Instance, Local, LocalId, LocalKind,
    NetBlock, NetBody, NetId, ProcessId, Program, RangeId, Sort,
};

/// Numbers beyond this would make the instances that are looked at too large.
const MOST_MARGIN: i64 = 12;

/// More cells that differ from each other between the ends are not looked at.
const MOST_PERIOD: i64 = 6;

/// More instances in a text, or more in each other, are not looked at.
const MOST_INSTANCES: usize = 20_000;
const MOST_LEVELS: usize = 100;

/// A net whose sizes have a shape in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recognised {
    /// How far from an index, the start or the end anything reaches.
    pub margin: i64,
    /// The families of symbolic size: their names, from the root, with the number of the size.
    pub families: BTreeMap<String, usize>,
    /// So many cells after each other differ, and then the same follow again.
    pub period: i64,
    /// Whether some text asks about several sizes at once.
    pub mixed: bool,
    /// The meetings, by their texts.
    pub(super) meetings: BTreeMap<Span, WrittenMeeting>,
    /// Those of them in which any members may take part.
    pub(super) open: BTreeSet<Span>,
}

/// What was found about data on the way: it is looked for until nothing more is found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Carrying {
    /// Indices are sent as data, or data choose members: how far from an index such data are.
    pub reach: Option<i64>,
    /// The size of the family whose indices they are, by its number: there is one only.
    pub of: Option<usize>,
}

/// Something that is not of a form that is recognised.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[error("{why}")]
pub struct Outside {
    /// The text.
    pub span: Span,
    /// What would be recognised.
    pub why: WhyOutside,
}

/// What would be recognised.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum WhyOutside {
    /// A range of indices.
    #[error("a family of any size needs a range such as `0..n`, `1..n` or `0..n + 1`")]
    Range,
    /// An index.
    #[error(
        "an index has to be a number, `n - 1`, `i + 1` or `(i + 1) mod n`, or to come with an action"
    )]
    Index,
    /// A use of an index or of the size.
    #[error("an index or a size may only be compared with numbers and with `n - 1` here")]
    Data,
    /// Several indices.
    #[error(
        "there may be one index of symbolic range at a time; of a vector or connector, two at which there are members"
    )]
    Indices,
    /// All members at once.
    #[error(
        "all members at once are those of one family, each at the index of the brackets, as in `[S[i]: tick for i in 0..n]`"
    )]
    Broadcast,
    /// A member of a vector with all members of a family, or with two indices.
    #[error(
        "where all members take part at once, or two indices go through families, a member has to be at an index itself, a number or `n - 1`"
    )]
    Meeting,
    /// Pairs.
    #[error("of two indices, all pairs have to be meant, or all pairs that differ")]
    Pairs,
    /// A trigger.
    #[error(
        "where any members of a family of any size may take part, each may by itself, as in `C.ring' [S[i].hear' for i in 0..n]`, and maximal progress is of the outermost net"
    )]
    Trigger,
    /// A connector that is defined apart.
    #[error("a connector of a system of any size is written out, and uses no definition")]
    Definition,
    /// Members that are not alike.
    #[error("the members of a family of any size have to be instances of one process or net")]
    Differ,
    /// A hole.
    #[error("a system of any size may have no holes")]
    Hole,
    /// A sort.
    #[error("the values of a sort may not depend on the size")]
    Sort,
    /// A number.
    #[error("numbers beside an index may be up to {MOST_MARGIN}")]
    Large,
    /// A number that an index is divided by.
    #[error("an index may be taken modulo numbers whose common multiple is at most {MOST_PERIOD}")]
    Period,
    /// A number that an index is divided by, where there are several sizes.
    #[error("an index may be taken modulo a number where there is one size only")]
    PeriodOfSizes,
    /// How many members there may be.
    #[error("members of a family of any size are counted up to 12")]
    Count,
    /// Some members of a family.
    #[error("all members of a family of any size are counted, or none")]
    Members,
    /// A member that small sizes do not have.
    #[error(
        "with size {size} there is no such member: let an axiom demand a larger size, or ask only where there is one"
    )]
    Missing {
        /// The size.
        size: i64,
    },
    /// A variable that is not part of the states.
    #[error(
        "a property of any size may read variables with few values only: `Bool`, enumerations and ranges that are known"
    )]
    Forgotten,
    /// A member that is not there in all sizes, where there are several.
    #[error(
        "the smallest sizes have no such member: let axioms demand larger ones, or ask only where there is one"
    )]
    NotThere,
    /// Indices of two families of different sizes.
    #[error("an index or a size may only be compared with others of the same size")]
    TwoSizes,
    /// A property.
    #[error(
        "a property may speak of members at `i`, `i + 1`, `(i + 1) mod n`, a number or `n - 1`, for all `i`"
    )]
    Property,
}

pub(super) type Settled<T> = Result<T, Outside>;

/// Whether all sizes of an instance have a shape in common, and which.
pub fn recognise(
    program: &Program,
    set: &Settings,
    sizes: &[ConstId],
    instance: &Instance,
) -> Result<Recognised, Outside> {
    Recogniser::of(program, set, sizes, instance).map(Recogniser::done)
}

/// What local names come to.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub shapes: BTreeMap<LocalId, Shape>,
    /// Whether there is an index of symbolic range already.
    pub indexed: bool,
    /// Whether there may be several.
    pub meets: bool,
}

pub(super) struct Recogniser<'p> {
    pub(super) program: &'p Program,
    pub(super) set: &'p Settings,
    pub(super) sizes: Vec<ConstId>,
    margin: i64,
    families: BTreeMap<String, usize>,
    period: i64,
    /// The sizes that are asked about in the text that is looked at, and in values that are passed to others.
    pub(super) asked: BTreeSet<usize>,
    passed: BTreeSet<usize>,
    mixed: bool,
    /// What is known about data, and what was found.
    pub(super) carrying: Carrying,
    pub(super) found: Carrying,
    /// The meetings, by their texts.
    pub(super) meetings: BTreeMap<Span, WrittenMeeting>,
    pub(super) open: BTreeSet<Span>,
    /// How many instances may still be looked at.
    left: usize,
    level: usize,
}

impl Recognised {
    /// How many cells at an end may differ from those between; where several differ that follow each other, so many times as
    /// many.
    pub fn near(&self) -> usize {
        let cells = 2 * self.margin.unsigned_abs() as usize + 2;
        match self.period.unsigned_abs() as usize {
            1 => cells,
            period => cells.div_ceil(period) + 1,
        }
    }

    /// The largest size that is looked at: of each kind, two are large.
    pub fn largest(&self) -> i64 {
        self.large() + 2 * self.period - 1
    }

    /// From this size on, all sizes have the shape of this one, or of one that is a little smaller.
    pub fn large(&self) -> i64 {
        let periods = 5 * self.near() as i64 * self.period;
        (10 * self.margin + 8).max(if self.period == 1 { 0 } else { periods })
    }
}

impl<'p> Recogniser<'p> {
    pub fn new(program: &'p Program, set: &'p Settings, sizes: &[ConstId]) -> Self {
        Recogniser {
            program,
            set,
            sizes: sizes.to_vec(),
            margin: 1,
            families: BTreeMap::new(),
            period: 1,
            asked: BTreeSet::new(),
            passed: BTreeSet::new(),
            mixed: false,
            carrying: Carrying::default(),
            found: Carrying::default(),
            meetings: BTreeMap::new(),
            open: BTreeSet::new(),
            left: MOST_INSTANCES,
            level: 0,
        }
    }

    /// Looks at an instance, until what it says about data is known before it is looked at.
    pub fn of(
        program: &'p Program,
        set: &'p Settings,
        sizes: &[ConstId],
        instance: &'p Instance,
    ) -> Settled<Self> {
        let mut carrying = Carrying::default();
        loop {
            let mut walk = Recogniser::new(program, set, sizes);
            (walk.carrying, walk.found) = (carrying, carrying);
            walk.instance(instance, &Scope::default(), &mut Vec::new())?;
            if walk.found == carrying {
                return Ok(walk);
            }
            carrying = walk.found;
        }
    }

    pub fn done(self) -> Recognised {
        let mixed = self.mixed || self.passed.len() > 1;
        let Recogniser { margin, families, period, meetings, open, .. } = self;
        Recognised { margin, families, period, mixed, meetings, open }
    }

    /// Looks at a text by itself: takes note if it asks about several sizes.
    pub(super) fn alone<T>(&mut self, look: impl FnOnce(&mut Self) -> Settled<T>) -> Settled<T> {
        let before = std::mem::take(&mut self.asked);
        let found = look(self);
        self.was_alone(before);
        found
    }

    /// Takes note if the text that was looked at asks about several sizes; before it, these were asked about.
    pub(super) fn was_alone(&mut self, before: BTreeSet<usize>) {
        let own = std::mem::replace(&mut self.asked, before);
        self.mixed |= own.union(&self.passed).count() > 1;
    }

    /// The number of the size of a family, by its names from the root.
    pub(super) fn family(&self, names: &str) -> Option<usize> {
        self.families.get(names).copied()
    }

    /// Takes note that data are so far from an index of a family.
    pub(super) fn carries(&mut self, reach: i64, of: Option<usize>, span: Span) -> Settled<()> {
        let known = self.found.of.or(of);
        if of.is_some() && known != of {
            return Err(Outside { span, why: WhyOutside::TwoSizes });
        }
        self.found.of = known;
        self.found.reach = Some(self.found.reach.unwrap_or(0).max(reach));
        self.reaches(Sum::number(reach), span)
    }

    /// Takes note that cells are alike only after so many.
    pub(super) fn repeats(&mut self, number: i64, span: Span) -> Settled<()> {
        if self.sizes.len() > 1 {
            return Err(Outside { span, why: WhyOutside::PeriodOfSizes });
        }
        self.period = num_integer::lcm(self.period, number);
        match (1..=MOST_PERIOD).contains(&self.period) {
            true => Ok(()),
            false => Err(Outside { span, why: WhyOutside::Period }),
        }
    }

    /// Takes note of how far something reaches.
    pub fn reaches(&mut self, sum: Sum, span: Span) -> Settled<()> {
        self.margin = self.margin.max(sum.distance());
        match self.margin <= MOST_MARGIN {
            true => Ok(()),
            false => Err(Outside { span, why: WhyOutside::Large }),
        }
    }

    pub fn instance(
        &mut self,
        instance: &'p Instance,
        scope: &Scope,
        path: &mut Vec<Symbol>,
    ) -> Settled<()> {
        let mut inner = Scope { shapes: BTreeMap::new(), indexed: scope.indexed, meets: false };
        let before = std::mem::take(&mut self.asked);
        for (at, argument) in instance.values.iter().enumerate() {
            let shape = match argument {
                Argument::Value(value) => self.shape(value, scope)?,
                Argument::Set(ActionSet::Patterns(_)) if !scope.shapes.is_empty() => {
                    return Err(Outside { span: instance.span, why: WhyOutside::Data });
                }
                Argument::Set(_) => Shape::Plain,
            };
            inner.shapes.insert(LocalId(at as u32), shape);
        }
        // What was found out about sizes may be asked again by whoever gets it.
        let passed = std::mem::replace(&mut self.asked, before);
        self.passed.extend(passed);
        if !instance.fills.is_empty() {
            return Err(Outside { span: instance.span, why: WhyOutside::Hole });
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || self.level > MOST_LEVELS {
            return Err(Outside { span: instance.span, why: WhyOutside::Large });
        }
        self.level += 1;
        let found = match instance.component {
            Component::Process(id) => self.alone(|walk| walk.process(id, &inner)),
            Component::Net(id) => self.net(id, inner, path),
            Component::Hole(..) | Component::Architecture(_) | Component::Error => {
                Err(Outside { span: instance.span, why: WhyOutside::Hole })
            }
        };
        self.level -= 1;
        found
    }

    fn process(&mut self, id: ProcessId, scope: &Scope) -> Settled<()> {
        let process = &self.program.processes[id.index()];
        self.sorts(&process.locals, process.parameters, scope)?;
        let mut scope = scope.clone();
        self.bind_data(&process.locals, LocalKind::Input, &mut scope);
        let sort = |id: LocalId| process.locals[id.index()].sort;
        for variable in &process.variables {
            let (sort, initial) = (sort(variable.local), variable.initial.iter());
            initial.into_iter().try_for_each(|value| self.assigned(sort, value, &scope))?;
        }
        for order in &process.priorities {
            order.guard.iter().try_for_each(|guard| self.plain(guard, &scope))?;
        }
        for transition in &process.transitions {
            self.sent(&transition.action, &process.locals, &scope)?;
            transition
                .guard
                .iter()
                .chain(&transition.assert)
                .try_for_each(|guard| self.condition(guard, &process.locals, &scope))?;
            for update in &transition.updates {
                self.plain(&update.place, &scope)?;
                self.assigned(update.place.sort, &update.value, &scope)?;
            }
        }
        Ok(())
    }

    /// That the sorts of local names do not depend on the size, but for parameters.
    fn sorts(&mut self, locals: &[Local], parameters: usize, scope: &Scope) -> Settled<()> {
        for local in locals.iter().skip(parameters) {
            if self.depends(local.sort, scope, &mut BTreeSet::new())? {
                return Err(Outside { span: local.span, why: WhyOutside::Sort });
            }
        }
        Ok(())
    }

    fn net(&mut self, id: NetId, mut scope: Scope, path: &mut Vec<Symbol>) -> Settled<()> {
        let net = &self.program.nets[id.index()];
        if !net.holes.is_empty() {
            return Err(Outside { span: net.named.span, why: WhyOutside::Hole });
        }
        let is_bound =
            |local: &&Local| !matches!(local.kind, LocalKind::Index | LocalKind::Parameter);
        for local in net.locals.iter().filter(is_bound) {
            let open = matches!(local.sort, Sort::Range(range)
                if self.program.ranges[range.index()].known.is_none());
            if open || self.depends(local.sort, &scope, &mut BTreeSet::new())? {
                return Err(Outside { span: local.span, why: WhyOutside::Sort });
            }
        }
        self.bind_data(&net.locals, LocalKind::VectorData, &mut scope);
        match &net.body {
            NetBody::Alias(instance) => self.instance(instance, &scope, path),
            NetBody::Block(block) => self.block((block, &net.locals), &mut scope, path),
            NetBody::Error => Err(Outside { span: net.named.span, why: WhyOutside::Hole }),
        }
    }

    fn block(
        &mut self,
        (block, locals): (&'p NetBlock, &'p [Local]),
        scope: &mut Scope,
        path: &mut Vec<Symbol>,
    ) -> Settled<()> {
        let mut sizes = Vec::with_capacity(block.subs.len());
        for sub in &block.subs {
            path.push(sub.name.name);
            let mut inner = scope.clone();
            let size = match &sub.family {
                Some(family) => self.members_of(family, &mut inner)?,
                None => None,
            };
            if let Some(size) = size {
                self.families.insert(joined(path), size);
            }
            sizes.push(size);
            for (condition, instance) in &sub.choices {
                if size.is_some() {
                    return Err(Outside { span: condition.span, why: WhyOutside::Differ });
                }
                self.alone(|walk| walk.plain(condition, &inner))?;
                self.instance(instance, &inner, path)?;
            }
            self.instance(&sub.instance, &inner, path)?;
            path.pop();
        }
        let parts = Parts { sizes: &sizes, locals };
        for vector in &block.vectors {
            self.alone(|walk| walk.vector(vector, scope.clone(), parts, path.is_empty()))?;
        }
        for connector in &block.connectors {
            self.alone(|walk| walk.connector(connector, scope.clone(), parts, path.is_empty()))?;
        }
        for priority in &block.priorities {
            self.alone(|walk| walk.priority(priority, scope.clone(), parts))?;
        }
        Ok(())
    }

    /// The same for a family of parts: these have numbers that do not depend on others. The number of the size, if there is
    /// one.
    fn members_of(&mut self, family: &FamilyDef, scope: &mut Scope) -> Settled<Option<usize>> {
        let symbolic = self.repeated(family, scope)?;
        match scope.shapes.get(&family.index) {
            Some(Shape::Sum(sum)) if symbolic => Ok(Some(sum.of)),
            Some(Shape::Sum(sum)) if sum.is_number() => Ok(None),
            _ => {
                let span = self.program.ranges[family.range.index()].low.span;
                Err(Outside { span, why: WhyOutside::Range })
            }
        }
    }

    /// Gives an index its shape; whether it is one of symbolic range.
    pub fn repeated(&mut self, family: &FamilyDef, scope: &mut Scope) -> Settled<bool> {
        let (shape, symbolic) = self.range((family.range, family.index), scope)?;
        scope.shapes.insert(family.index, shape);
        scope.indexed |= symbolic;
        Ok(symbolic)
    }

    /// The shape of the numbers of a range that an index goes through, and whether there are as many as the size says.
    pub fn range(
        &mut self,
        (range, index): (RangeId, LocalId),
        scope: &Scope,
    ) -> Settled<(Shape, bool)> {
        let def = &self.program.ranges[range.index()];
        let span = def.low.span.to(def.high.span);
        let outside = Outside { span, why: WhyOutside::Range };
        let (Shape::Sum(low), Shape::Sum(high)) =
            (self.shape(&def.low, scope)?, self.shape(&def.high, scope)?)
        else {
            return Err(outside);
        };
        if low.is_beside(high) {
            let last = high.high.saturating_sub(1);
            let all = Sum { high: last.max(low.low), ..low };
            return Ok((Shape::Sum(all), false));
        }
        if !low.is_number() || (high.index, high.size) != (0, 1) {
            return Err(outside);
        }
        if scope.indexed && !scope.meets {
            return Err(Outside { span, why: WhyOutside::Indices });
        }
        self.reaches(low, span)?;
        self.reaches(high, span)?;
        Ok((Shape::Sum(Sum::index(high.of, index)), true))
    }
}

fn joined(path: &[Symbol]) -> String {
    path.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(".")
}
