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

use super::shape::{INDEX, SIZE, Shape, Sum};
use crate::diagnostics::{Span, Symbol};
use crate::elaborate::{SettingValue, Settings};
use crate::sema::program::{
    ActionId, ActionSet, Argument, Component, ConnectorDef, ConnectorPart, ConnectorPartKind,
    ConstId, Expr, ExprKind, FamilyDef, Instance, Local, LocalId, LocalKind, MemberDef, NetBlock,
    NetBody, NetId, ProcessId, Program, RangeId, Sort, Value, VectorDef,
};
use crate::syntax::ast::Operator;

/// Numbers beyond this would make the instances that are looked at too large.
const MOST_MARGIN: i64 = 12;

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
    #[error("an index has to be a number, `n - 1`, `i + 1` or `(i + 1) mod n`")]
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
    /// A hole.
    #[error("a system of any size may have no holes")]
    Hole,
    /// A sort.
    #[error("the values of a sort may not depend on the size")]
    Sort,
    /// A number.
    #[error("numbers beside an index may be up to {MOST_MARGIN}")]
    Large,
    /// A property.
    #[error(
        "a property may speak of members at `i`, `i + 1`, `(i + 1) mod n`, a number or `n - 1`, for all `i`"
    )]
    Property,
}

type Settled<T> = Result<T, Outside>;

/// Whether all sizes of an instance have a shape in common, and which.
pub fn recognise(
    program: &Program,
    set: &Settings,
    size: ConstId,
    instance: &Instance,
) -> Result<Recognised, Outside> {
    let mut walk = Recogniser::new(program, set, size);
    walk.instance(instance, &Scope::default(), &mut Vec::new())?;
    Ok(walk.done())
}

/// What local names come to.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub shapes: BTreeMap<LocalId, Shape>,
    /// Whether there is an index of symbolic range already.
    pub indexed: bool,
}

pub(super) struct Recogniser<'p> {
    program: &'p Program,
    set: &'p Settings,
    size: ConstId,
    margin: i64,
    families: BTreeSet<String>,
    /// How many instances may still be looked at.
    left: usize,
    level: usize,
}

impl Recognised {
    /// How many cells at an end may differ from those between.
    pub fn near(&self) -> usize {
        2 * self.margin.unsigned_abs() as usize + 2
    }

    /// From this size on, all sizes have the shape of this one.
    pub fn large(&self) -> i64 {
        10 * self.margin + 8
    }
}

impl<'p> Recogniser<'p> {
    pub fn new(program: &'p Program, set: &'p Settings, size: ConstId) -> Self {
        let (families, left) = (BTreeSet::new(), MOST_INSTANCES);
        Recogniser { program, set, size, margin: 1, families, left, level: 0 }
    }

    pub fn done(self) -> Recognised {
        Recognised { margin: self.margin, families: self.families }
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
            Component::Hole(..) | Component::Error => {
                Err(Outside { span: instance.span, why: WhyOutside::Hole })
            }
        };
        self.level -= 1;
        found
    }

    fn process(&mut self, id: ProcessId, scope: &Scope) -> Settled<()> {
        let process = &self.program.processes[id.index()];
        self.sorts(&process.locals, process.parameters, scope)?;
        for variable in &process.variables {
            variable.initial.iter().try_for_each(|value| self.plain(value, scope))?;
        }
        for transition in &process.transitions {
            self.plain(&transition.action, scope)?;
            transition.guard.iter().try_for_each(|guard| self.plain(guard, scope))?;
            transition.updates.iter().try_for_each(|(_, value)| self.plain(value, scope))?;
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
        match &net.body {
            NetBody::Alias(instance) => self.instance(instance, &scope, path),
            NetBody::Block(block) => self.block(block, &mut scope, path),
            NetBody::Error => Err(Outside { span: net.named.span, why: WhyOutside::Hole }),
        }
    }

    fn block(
        &mut self,
        block: &'p NetBlock,
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
            self.instance(&sub.instance, &inner, path)?;
            path.pop();
        }
        for vector in &block.vectors {
            self.vector(vector, scope.clone(), &is_symbolic, path.is_empty())?;
        }
        for connector in &block.connectors {
            self.connector(connector, scope.clone(), &is_symbolic, path.is_empty())?;
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
        is_symbolic: &[bool],
        outermost: bool,
    ) -> Settled<()> {
        for family in &vector.repeat {
            self.repeated(family, &mut scope)?;
        }
        self.members(&vector.members, &scope, is_symbolic)?;
        for rival in &vector.rivals {
            self.members(&rival.members, &scope, is_symbolic)?;
            rival.guard.iter().try_for_each(|guard| self.plain(guard, &scope))?;
        }
        vector.guard.iter().try_for_each(|guard| self.plain(guard, &scope))?;
        // What the outermost net shows does not matter.
        if outermost { Ok(()) } else { self.plain(&vector.result, &scope) }
    }

    fn members(&mut self, members: &[MemberDef], scope: &Scope, symbolic: &[bool]) -> Settled<()> {
        members.iter().try_for_each(|member| self.member(member, scope.clone(), symbolic))
    }

    fn member(
        &mut self,
        member: &MemberDef,
        mut scope: Scope,
        is_symbolic: &[bool],
    ) -> Settled<()> {
        for family in &member.repeat {
            if self.repeated(family, &mut scope)? {
                return Err(Outside { span: member.span, why: WhyOutside::Broadcast });
            }
        }
        self.plain(&member.action, &scope)?;
        let Some(index) = &member.index else { return Ok(()) };
        let symbolic = is_symbolic.get(member.part.index()).copied().unwrap_or(false);
        let outside = Outside { span: index.span, why: WhyOutside::Index };
        match self.shape(index, &scope)? {
            Shape::Sum(sum) if symbolic && sum.is_place() => self.reaches(sum, index.span),
            Shape::Sum(sum) if !symbolic && sum.is_number() => Ok(()),
            Shape::Sum(_) | Shape::Plain => Err(outside),
        }
    }

    fn connector(
        &mut self,
        connector: &ConnectorDef,
        mut scope: Scope,
        is_symbolic: &[bool],
        outermost: bool,
    ) -> Settled<()> {
        for family in &connector.repeat {
            self.repeated(family, &mut scope)?;
        }
        self.parts(&connector.parts, &scope, is_symbolic)?;
        connector.guard.iter().try_for_each(|guard| self.plain(guard, &scope))?;
        connector.transfer.iter().try_for_each(|(_, value)| self.plain(value, &scope))?;
        if outermost { Ok(()) } else { self.plain(&connector.shows, &scope) }
    }

    fn parts(&mut self, parts: &[ConnectorPart], scope: &Scope, symbolic: &[bool]) -> Settled<()> {
        for part in parts {
            match &part.kind {
                ConnectorPartKind::Port(member) => self.member(member, scope.clone(), symbolic)?,
                ConnectorPartKind::Group(inner) => self.parts(inner, scope, symbolic)?,
                ConnectorPartKind::Each(inner, families) => {
                    let mut scope = scope.clone();
                    for family in families {
                        if self.repeated(family, &mut scope)? {
                            return Err(Outside { span: part.span, why: WhyOutside::Broadcast });
                        }
                    }
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
                Shape::Plain => Ok(Shape::Plain),
            },
            ExprKind::Chain(chain) => self.chain((&chain.0, &chain.1), scope),
            ExprKind::Compare(_, both) => self.compared(expr, (&both.0, &both.1), scope),
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
        scope: &Scope,
    ) -> Settled<Shape> {
        let mut value = self.shape(first, scope)?;
        let mut span = first.span;
        for (operator, operand) in rest {
            let other = self.shape(operand, scope)?;
            span = span.to(operand.span);
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
        }
    }

    /// That the values which an action carries do not depend on the size.
    fn action(&mut self, id: ActionId, span: Span) -> Settled<()> {
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
