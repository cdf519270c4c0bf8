//! Whether a net is of a shape that all its sizes share: what depends on an index or on the size does so in a few forms only.
//!
//! Claim: let `k` be the margin. Of two sizes that are large enough, the cells (all members with one index) near the start
//! are the same, those near the end are, and those between are all alike, up to a shift; *near* is `2 k + 2`, and large
//! enough is `10 k + 8`. For every expression that depends on an index is the index, the size or nothing, plus a number of at
//! most `k`; or it is such a sum modulo the size, which differs from the sum near the ends only; or it compares two such
//! sums, which comes to the same for all indices that are further than `k` from both ends.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::ToPrimitive;
use thiserror::Error;

use super::carried::{is_vector_data, moved};
use super::shape::{INDEX, SIZE, Shape, Sum};
use crate::diagnostics::{Span, Symbol};
use crate::elaborate::{SettingValue, Settings};
use crate::sema::program::{
    ActionId, ActionSet, Argument, Component, ConnectorDef, ConnectorPart, ConnectorPartKind,
    ConstId, Expr, ExprKind, FamilyDef, Instance, Local, LocalId, LocalKind, MemberDef, NetBlock,
    NetBody, NetId, OrderedDefKind, PriorityDef, ProcessId, Program, RangeId, Sort, Value,
    VectorDef,
};
use crate::syntax::ast::Operator;

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
    /// The families of symbolic size: their names, from the root.
    pub families: BTreeSet<String>,
    /// So many cells after each other differ, and then the same follow again.
    pub period: i64,
}

/// What was found about data on the way: it is looked for until nothing more is found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Carrying {
    /// Indices are sent as data, or data choose members: how far from an index such data are.
    pub reach: Option<i64>,
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
    /// Two indices.
    #[error("there may be one index of symbolic range at a time")]
    Indices,
    /// All members at once.
    #[error("an interaction has to have the same number of members in all sizes")]
    Broadcast,
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
    size: ConstId,
    instance: &Instance,
) -> Result<Recognised, Outside> {
    Recogniser::of(program, set, size, instance).map(Recogniser::done)
}

/// What local names come to.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub shapes: BTreeMap<LocalId, Shape>,
    /// Whether there is an index of symbolic range already.
    pub indexed: bool,
}

/// The parts of a net, as its vectors see them.
#[derive(Clone, Copy)]
struct Parts<'a> {
    is_symbolic: &'a [bool],
    locals: &'a [Local],
}

pub(super) struct Recogniser<'p> {
    pub(super) program: &'p Program,
    set: &'p Settings,
    size: ConstId,
    margin: i64,
    families: BTreeSet<String>,
    period: i64,
    /// What is known about data, and what was found.
    pub(super) carrying: Carrying,
    pub(super) found: Carrying,
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
    pub fn new(program: &'p Program, set: &'p Settings, size: ConstId) -> Self {
        let (families, left) = (BTreeSet::new(), MOST_INSTANCES);
        let (carrying, found) = (Carrying::default(), Carrying::default());
        let (margin, period, level) = (1, 1, 0);
        Recogniser { program, set, size, margin, families, period, carrying, found, left, level }
    }

    /// Looks at an instance, until what it says about data is known before it is looked at.
    pub fn of(
        program: &'p Program,
        set: &'p Settings,
        size: ConstId,
        instance: &'p Instance,
    ) -> Settled<Self> {
        let mut carrying = Carrying::default();
        loop {
            let mut walk = Recogniser::new(program, set, size);
            (walk.carrying, walk.found) = (carrying, carrying);
            walk.instance(instance, &Scope::default(), &mut Vec::new())?;
            if walk.found == carrying {
                return Ok(walk);
            }
            carrying = walk.found;
        }
    }

    pub fn done(self) -> Recognised {
        let Recogniser { margin, families, period, .. } = self;
        Recognised { margin, families, period }
    }

    /// Takes note that data are so far from an index.
    pub(super) fn carries(&mut self, reach: i64, span: Span) -> Settled<()> {
        self.found.reach = Some(self.found.reach.unwrap_or(0).max(reach));
        self.reaches(Sum::number(reach), span)
    }

    /// Takes note that cells are alike only after so many.
    fn repeats(&mut self, number: i64, span: Span) -> Settled<()> {
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
        let mut inner = Scope { shapes: BTreeMap::new(), indexed: scope.indexed };
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
        if !instance.fills.is_empty() {
            return Err(Outside { span: instance.span, why: WhyOutside::Hole });
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || self.level > MOST_LEVELS {
            return Err(Outside { span: instance.span, why: WhyOutside::Large });
        }
        self.level += 1;
        let found = match instance.component {
            Component::Process(id) => self.process(id, &inner),
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
        let mut is_symbolic = Vec::with_capacity(block.subs.len());
        for sub in &block.subs {
            path.push(sub.name.name);
            let mut inner = scope.clone();
            let symbolic = match &sub.family {
                Some(family) => self.members_of(family, &mut inner)?,
                None => false,
            };
            if symbolic {
                self.families.insert(joined(path));
            }
            is_symbolic.push(symbolic);
            for (condition, instance) in &sub.choices {
                if symbolic {
                    return Err(Outside { span: condition.span, why: WhyOutside::Differ });
                }
                self.plain(condition, &inner)?;
                self.instance(instance, &inner, path)?;
            }
            self.instance(&sub.instance, &inner, path)?;
            path.pop();
        }
        let parts = Parts { is_symbolic: &is_symbolic, locals };
        for vector in &block.vectors {
            self.vector(vector, scope.clone(), parts, path.is_empty())?;
        }
        for connector in &block.connectors {
            self.connector(connector, scope.clone(), parts, path.is_empty())?;
        }
        for priority in &block.priorities {
            self.priority(priority, scope.clone(), parts)?;
        }
        Ok(())
    }

    /// That a priority says the same of all members that are not near an end.
    fn priority(
        &mut self,
        priority: &PriorityDef,
        mut scope: Scope,
        parts: Parts<'_>,
    ) -> Settled<()> {
        for family in &priority.repeat {
            self.repeated(family, &mut scope)?;
        }
        priority.guard.iter().try_for_each(|guard| self.plain(guard, &scope))?;
        for ordered in priority.orders.iter().flatten() {
            match &ordered.kind {
                OrderedDefKind::Act(_, args) => {
                    args.iter().try_for_each(|arg| self.plain(arg, &scope))?;
                }
                OrderedDefKind::Ports(_, ports) => {
                    for (port, _) in ports {
                        self.member(port, scope.clone(), parts)?;
                    }
                }
                OrderedDefKind::Name(_) | OrderedDefKind::Tau | OrderedDefKind::All => {}
            }
        }
        Ok(())
    }

    /// The same for a family of parts: these have numbers that do not depend on others.
    fn members_of(&mut self, family: &FamilyDef, scope: &mut Scope) -> Settled<bool> {
        let symbolic = self.repeated(family, scope)?;
        match scope.shapes.get(&family.index) {
            Some(Shape::Sum(sum)) if symbolic || sum.is_number() => Ok(symbolic),
            _ => {
                let span = self.program.ranges[family.range.index()].low.span;
                Err(Outside { span, why: WhyOutside::Range })
            }
        }
    }

    /// Gives an index its shape; whether it is one of symbolic range.
    pub fn repeated(&mut self, family: &FamilyDef, scope: &mut Scope) -> Settled<bool> {
        let (shape, symbolic) = self.range(family.range, scope)?;
        scope.shapes.insert(family.index, shape);
        scope.indexed |= symbolic;
        Ok(symbolic)
    }

    /// The shape of the numbers of a range, and whether there are as many as the size says.
    pub fn range(&mut self, range: RangeId, scope: &Scope) -> Settled<(Shape, bool)> {
        let def = &self.program.ranges[range.index()];
        let span = def.low.span.to(def.high.span);
        let outside = Outside { span, why: WhyOutside::Range };
        let (Shape::Sum(low), Shape::Sum(high)) =
            (self.shape(&def.low, scope)?, self.shape(&def.high, scope)?)
        else {
            return Err(outside);
        };
        if (low.index, low.size) == (high.index, high.size) {
            let last = high.plus(Sum::number(-1));
            let all = Sum { high: last.high.max(low.low), ..low };
            return Ok((Shape::Sum(all), false));
        }
        if !low.is_number() || (high.index, high.size) != (0, 1) {
            return Err(outside);
        }
        if scope.indexed {
            return Err(Outside { span, why: WhyOutside::Indices });
        }
        self.reaches(low, span)?;
        self.reaches(high, span)?;
        Ok((Shape::Sum(INDEX), true))
    }

    fn vector(
        &mut self,
        vector: &VectorDef,
        mut scope: Scope,
        parts: Parts<'_>,
        outermost: bool,
    ) -> Settled<()> {
        for family in &vector.repeat {
            self.repeated(family, &mut scope)?;
        }
        self.members(&vector.members, &scope, parts)?;
        let locals = parts.locals;
        for rival in &vector.rivals {
            self.members(&rival.members, &scope, parts)?;
            rival.guard.iter().try_for_each(|guard| self.condition(guard, locals, &scope))?;
        }
        vector.guard.iter().try_for_each(|guard| self.condition(guard, locals, &scope))?;
        // What the outermost net shows does not matter.
        if outermost { Ok(()) } else { self.sent(&vector.result, locals, &scope) }
    }

    fn members(&mut self, members: &[MemberDef], scope: &Scope, parts: Parts<'_>) -> Settled<()> {
        members.iter().try_for_each(|member| self.member(member, scope.clone(), parts))
    }

    fn member(&mut self, member: &MemberDef, mut scope: Scope, parts: Parts<'_>) -> Settled<()> {
        for family in &member.repeat {
            if self.repeated(family, &mut scope)? {
                return Err(Outside { span: member.span, why: WhyOutside::Broadcast });
            }
        }
        member.condition.iter().try_for_each(|condition| self.plain(condition, &scope))?;
        self.sent(&member.action, parts.locals, &scope)?;
        let Some(index) = &member.index else { return Ok(()) };
        let symbolic = parts.is_symbolic.get(member.part.index()).copied().unwrap_or(false);
        let outside = Outside { span: index.span, why: WhyOutside::Index };
        let shape = self.shape(index, &scope).map_err(|found| match found.why {
            WhyOutside::Data => outside.clone(),
            _ => found,
        });
        match shape? {
            Shape::Sum(sum) if symbolic && sum.is_place() => self.reaches(sum, index.span),
            Shape::Sum(sum) if !symbolic && sum.is_number() => Ok(()),
            // Data choose the member.
            Shape::Plain | Shape::Data(_) if is_vector_data(index, parts.locals) => {
                self.carries(0, index.span)
            }
            Shape::Sum(_) | Shape::Plain | Shape::Data(_) => Err(outside),
        }
    }

    fn connector(
        &mut self,
        connector: &ConnectorDef,
        mut scope: Scope,
        parts: Parts<'_>,
        outermost: bool,
    ) -> Settled<()> {
        if let Some(used) = &connector.used {
            return Err(Outside { span: used.span, why: WhyOutside::Definition });
        }
        for family in &connector.repeat {
            self.repeated(family, &mut scope)?;
        }
        self.parts(&connector.parts, &scope, parts)?;
        let locals = parts.locals;
        connector.guard.iter().try_for_each(|guard| self.condition(guard, locals, &scope))?;
        for rival in &connector.rivals {
            self.members(&rival.members, &scope, parts)?;
            rival.guard.iter().try_for_each(|guard| self.plain(guard, &scope))?;
        }
        connector.transfer.iter().try_for_each(|(_, value)| self.plain(value, &scope))?;
        if outermost { Ok(()) } else { self.sent(&connector.shows, locals, &scope) }
    }

    fn parts(&mut self, all: &[ConnectorPart], scope: &Scope, symbolic: Parts<'_>) -> Settled<()> {
        for part in all {
            match &part.kind {
                ConnectorPartKind::Port(member) => self.member(member, scope.clone(), symbolic)?,
                ConnectorPartKind::Shown(..) => {}
                ConnectorPartKind::Group(inner) => self.parts(inner, scope, symbolic)?,
                ConnectorPartKind::Each(inner, families, condition) => {
                    let mut scope = scope.clone();
                    for family in families {
                        if self.repeated(family, &mut scope)? {
                            return Err(Outside { span: part.span, why: WhyOutside::Broadcast });
                        }
                    }
                    condition.iter().try_for_each(|condition| self.plain(condition, &scope))?;
                    self.parts(inner, &scope, symbolic)?;
                }
            }
        }
        Ok(())
    }

    /// That an expression is the same for all indices that are not near an end.
    pub fn plain(&mut self, expr: &Expr, scope: &Scope) -> Settled<()> {
        match self.shape(expr, scope)? {
            Shape::Sum(sum) if !sum.is_number() => {
                Err(Outside { span: expr.span, why: WhyOutside::Data })
            }
            Shape::Data(_) => Err(Outside { span: expr.span, why: WhyOutside::Data }),
            Shape::Sum(_) | Shape::Plain => Ok(()),
        }
    }

    /// The shape of an expression.
    pub fn shape(&mut self, expr: &Expr, scope: &Scope) -> Settled<Shape> {
        match &expr.kind {
            ExprKind::Int(number) => Ok(Shape::Sum(Sum::number(*number))),
            ExprKind::Local(id) => Ok(scope.shapes.get(id).copied().unwrap_or(Shape::Plain)),
            ExprKind::Const(id) => self.constant(*id),
            ExprKind::Negate(inner) => match self.shape(inner, scope)? {
                Shape::Sum(sum) => Ok(Shape::Sum(sum.negated())),
                Shape::Data(_) => Err(Outside { span: expr.span, why: WhyOutside::Data }),
                Shape::Plain => Ok(Shape::Plain),
            },
            ExprKind::Chain(chain) => self.chain((&chain.0, &chain.1), expr.span, scope),
            ExprKind::Compare(_, both) => self.compared(expr, (&both.0, &both.1), scope),
            // Where they lead is looked at by whoever asks.
            ExprKind::Leaf(_) | ExprKind::InState(..) => Ok(Shape::Plain),
            ExprKind::Act(id, _) => {
                self.action(*id, expr.span)?;
                self.all_plain(expr, scope)
            }
            ExprKind::Apply(id, _) => {
                let fun = &self.program.funs[id.index()];
                let speaks = fun.body.iter().any(|body| self.speaks_of_size(body, 0));
                match speaks {
                    true => Err(Outside { span: expr.span, why: WhyOutside::Data }),
                    false => self.all_plain(expr, scope),
                }
            }
            _ => self.all_plain(expr, scope),
        }
    }

    fn all_plain(&mut self, expr: &Expr, scope: &Scope) -> Settled<Shape> {
        let mut inside = Vec::new();
        expr.each_inside(&mut |inner| inside.push(inner));
        inside.into_iter().try_for_each(|inner| self.plain(inner, scope))?;
        Ok(Shape::Plain)
    }

    fn constant(&mut self, id: ConstId) -> Settled<Shape> {
        if id == self.size {
            return Ok(Shape::Sum(SIZE));
        }
        let constant = &self.program.consts[id.index()];
        if let Some(set) = self.set.get(id) {
            return Ok(match &set.value {
                SettingValue::Int(number) => number_shape(number.to_i64()),
                _ => Shape::Plain,
            });
        }
        match (&constant.value, &constant.body) {
            (Some(Value::Int(number)), _) => Ok(number_shape(number.to_i64())),
            (None, Some(body)) => self.shape(body, &Scope::default()),
            _ => Ok(Shape::Plain),
        }
    }

    fn chain(
        &mut self,
        (first, rest): (&Expr, &[(Operator, Expr)]),
        span: Span,
        scope: &Scope,
    ) -> Settled<Shape> {
        let mut value = self.shape(first, scope)?;
        for (operator, operand) in rest {
            let other = self.shape(operand, scope)?;
            value = match (value, other) {
                (Shape::Sum(a), Shape::Sum(b)) => {
                    let both = self.combined(*operator, (a, b), span)?;
                    both.map_or(Shape::Plain, Shape::Sum)
                }
                (Shape::Plain, Shape::Sum(sum)) | (Shape::Sum(sum), Shape::Plain)
                    if !sum.is_number() =>
                {
                    return Err(Outside { span, why: WhyOutside::Data });
                }
                (Shape::Data(_), _) | (_, Shape::Data(_)) => {
                    moved(*operator, value, other).ok_or(Outside { span, why: WhyOutside::Data })?
                }
                _ => Shape::Plain,
            };
        }
        Ok(value)
    }

    /// What an operator makes of two sums; nothing in particular of numbers.
    fn combined(
        &mut self,
        operator: Operator,
        (a, b): (Sum, Sum),
        span: Span,
    ) -> Settled<Option<Sum>> {
        // Modulo the size, the size is nothing.
        let wraps = operator == Operator::Mod && b == SIZE;
        let a = if wraps { Sum { size: 0, ..a } } else { a };
        let made = match operator {
            // What is left of an index, or of the size, is one of a few numbers.
            Operator::Mod if !a.is_number() && b.is_number() && b.low == b.high && b.low > 0 => {
                self.repeats(b.low, span)?;
                Some(Sum { low: 0, high: b.low - 1, ..Sum::number(0) })
            }
            Operator::Add => Some(a.plus(b)),
            Operator::Subtract => Some(a.plus(b.negated())),
            Operator::Multiply => a.times(b),
            // Near an end it is something else, and an instance says what.
            Operator::Mod if wraps && a.is_place() => {
                self.reaches(a, span)?;
                Some(a).filter(|a| a.index == 1)
            }
            _ => None,
        };
        match made {
            Some(sum) => Ok(Some(sum)),
            None if a.is_number() && b.is_number() => Ok(None),
            None if wraps && a.is_place() => self.wrapped(a, span).map(Some),
            None => Err(Outside { span, why: WhyOutside::Data }),
        }
    }

    /// A number, or the size and a number, modulo the size: where all of them come to the same.
    fn wrapped(&mut self, sum: Sum, span: Span) -> Settled<Sum> {
        match (sum.low >= 0, sum.high < 0) {
            (true, _) => Ok(Sum { size: 0, ..sum }),
            (_, true) => Ok(Sum { size: 1, ..sum }),
            _ => Err(Outside { span, why: WhyOutside::Index }),
        }
    }

    fn compared(&mut self, expr: &Expr, (a, b): (&Expr, &Expr), scope: &Scope) -> Settled<Shape> {
        let outside = Outside { span: expr.span, why: WhyOutside::Data };
        match (self.shape(a, scope)?, self.shape(b, scope)?) {
            (Shape::Sum(a), Shape::Sum(b)) => {
                let difference = a.plus(b.negated());
                if a.is_number() && b.is_number() {
                    return Ok(Shape::Plain);
                }
                if !difference.is_settled_inside() {
                    return Err(outside);
                }
                self.reaches(difference, expr.span)?;
                Ok(Shape::Plain)
            }
            (Shape::Plain, Shape::Sum(sum)) | (Shape::Sum(sum), Shape::Plain) => {
                if sum.is_number() { Ok(Shape::Plain) } else { Err(outside) }
            }
            (Shape::Plain, Shape::Plain) => Ok(Shape::Plain),
            // All that comes together in an interaction comes from places near to each other, or near an end.
            (Shape::Data(reach), Shape::Data(other)) => {
                self.reaches(Sum::number(reach.saturating_add(other)), expr.span)?;
                Ok(Shape::Plain)
            }
            (Shape::Data(reach), Shape::Sum(sum)) | (Shape::Sum(sum), Shape::Data(reach)) => {
                if !sum.is_place() {
                    return Err(outside);
                }
                let distance = sum.distance().saturating_add(reach);
                self.reaches(Sum::number(distance), expr.span)?;
                Ok(Shape::Plain)
            }
            (Shape::Data(_), Shape::Plain) | (Shape::Plain, Shape::Data(_)) => Err(outside),
        }
    }

    /// That the values which an action carries do not depend on the size.
    pub(super) fn action(&mut self, id: ActionId, span: Span) -> Settled<()> {
        for &sort in &self.program.actions[id.index()].sorts {
            if self.depends(sort, &Scope::default(), &mut BTreeSet::new())? {
                return Err(Outside { span, why: WhyOutside::Sort });
            }
        }
        Ok(())
    }

    /// Whether the values of a sort depend on the size.
    fn depends(&mut self, sort: Sort, scope: &Scope, seen: &mut BTreeSet<u32>) -> Settled<bool> {
        match sort {
            Sort::Range(range) => {
                let def = &self.program.ranges[range.index()];
                let ends = [self.shape(&def.low, scope)?, self.shape(&def.high, scope)?];
                let known = |end: &Shape| {
                    matches!(end, Shape::Plain) || matches!(end, Shape::Sum(sum) if sum.is_number())
                };
                Ok(!ends.iter().all(known))
            }
            Sort::Array(array) => {
                let (keys, values) = self.program.arrays[array.index()];
                Ok(self.depends(keys, scope, seen)? || self.depends(values, scope, seen)?)
            }
            Sort::Data(data) if seen.insert(data.0) => {
                let constructors = &self.program.datas[data.index()].constructors;
                for (_, sort) in constructors.iter().flat_map(|one| &one.fields) {
                    if self.depends(*sort, scope, seen)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Whether the definition of a function speaks of the size, also through others.
    fn speaks_of_size(&self, body: &Expr, depth: usize) -> bool {
        let mut found = depth > self.program.funs.len() + self.program.consts.len();
        body.each(&mut |expr| match &expr.kind {
            ExprKind::Const(id) => {
                let inside = &self.program.consts[id.index()].body;
                let inside = inside.as_ref().filter(|_| !found);
                found |= *id == self.size
                    || inside.is_some_and(|body| self.speaks_of_size(body, depth + 1));
            }
            // A function that is used in a function: without a look at who calls whom, the answer is the careful one.
            ExprKind::Apply(id, _) => {
                let inside = &self.program.funs[id.index()].body;
                let is_own = inside.as_ref().is_some_and(|inside| std::ptr::eq(inside, body));
                found |= !is_own && inside.is_some();
            }
            _ => {}
        });
        found
    }
}

fn number_shape(number: Option<i64>) -> Shape {
    number.map_or(Shape::Plain, |number| Shape::Sum(Sum::number(number)))
}

fn joined(path: &[Symbol]) -> String {
    path.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(".")
}
