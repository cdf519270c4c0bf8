//! Code of expressions.

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::code::{At, Code, Function, Lack, Op, Reg};
use super::layout::{LayoutId, Layouts, Shape, Slot};
use super::pool::Pool;
use super::run::{INSIDE, UNKNOWN};
use super::values::Values;
use super::word::{NONE, Word, truth};
use crate::algebra::{Algebra, ConstId, FunId, Sort, SortsOf, Term, TermId, Terms, VarId};

/// Expressions are not deeper than this.
const MOST_DEPTH: usize = 400;

/// Where the value of a variable or a constant is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// In the configuration.
    Field(u32),
    /// In a register.
    Register(Reg),
}

/// What a number stands for that is counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counted {
    /// Itself.
    Itself,
    /// The value at this place among all.
    Place,
    /// The same, with the bounds of ranges in the registers from this one on.
    Between(Reg),
}

/// What expressions speak of.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub algebra: &'a Algebra,
    pub layouts: &'a Layouts,
    pub pool: &'a Pool,
}

impl<'a> World<'a> {
    /// How values are made.
    pub fn values(&self) -> Values<'a> {
        Values { layouts: self.layouts, pool: self.pool, loose: &[] }
    }
}

/// Code that is being made.
pub(super) struct Builder<'a> {
    pub world: World<'a>,
    pub terms: &'a mut Terms,
    pub ops: Vec<Op>,
    /// The variables that have a value.
    pub variables: FxHashMap<VarId, Source>,
    /// The symbolic constants that have one.
    pub constants: FxHashMap<ConstId, Source>,
    next: usize,
    /// What was computed before, wherever the code goes.
    known: Vec<FxHashMap<TermId, Reg>>,
    sorts: SortsOf,
    depth: usize,
    /// Whether there are more registers than there may be.
    too_many: bool,
}

impl<'a> Builder<'a> {
    /// No code yet.
    pub fn new(world: World<'a>, terms: &'a mut Terms) -> Builder<'a> {
        Builder {
            world,
            terms,
            ops: Vec::new(),
            variables: FxHashMap::default(),
            constants: FxHashMap::default(),
            next: 0,
            known: vec![FxHashMap::default()],
            sorts: SortsOf::default(),
            depth: 0,
            too_many: false,
        }
    }

    /// The code; nothing when it needs too many registers.
    pub fn finish(self) -> Option<Code> {
        (!self.too_many).then(|| Code { ops: self.ops.into(), registers: self.next + 1 })
    }

    /// A new register.
    pub fn register(&mut self) -> Reg {
        let register = self.next.min(usize::from(Reg::MAX) - 1);
        self.too_many |= register != self.next;
        self.next = register + 1;
        register as Reg
    }

    /// The place of the next instruction.
    pub fn here(&self) -> At {
        self.ops.len() as At
    }

    /// An instruction with a result in a new register.
    pub fn new_register(&mut self, op: impl FnOnce(Reg) -> Op) -> Reg {
        let to = self.register();
        self.ops.push(op(to));
        to
    }

    /// A register with a constant.
    pub fn word(&mut self, word: Word) -> Reg {
        self.new_register(|to| Op::Const(to, word))
    }

    /// A register that lacks a value.
    pub fn lack(&mut self, why: Lack) -> Reg {
        self.new_register(|to| Op::Lacks(to, why))
    }

    fn is_known(&self, id: TermId) -> Option<Reg> {
        self.known.iter().rev().find_map(|scope| scope.get(&id).copied())
    }

    /// Forgets afterwards what is computed on one way only.
    fn apart<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.known.push(FxHashMap::default());
        let made = make(self);
        self.known.pop();
        made
    }

    /// Fills in where jumps from these places go: here.
    pub fn land(&mut self, places: &[usize]) {
        let here = self.here();
        for &place in places {
            match &mut self.ops[place] {
                Op::Jump(to) | Op::Unless(_, to) | Op::When(_, to) | Op::Unlabelled(to) => {
                    *to = here
                }
                Op::Decide { end, .. } => *end = here,
                Op::Begin { exit, .. } => *exit = here,
                Op::Test { fail, .. } | Op::Rival { fail, .. } => *fail = here,
                _ => {}
            }
        }
    }

    /// The register with the value of a term.
    pub fn term(&mut self, id: TermId) -> Reg {
        if let Some(known) = self.is_known(id) {
            return known;
        }
        if self.depth >= MOST_DEPTH {
            return self.lack(Lack::Deep);
        }
        self.depth += 1;
        let register = self.made(id);
        self.depth -= 1;
        if let Some(scope) = self.known.last_mut() {
            scope.insert(id, register);
        }
        register
    }

    /// The register with the value of a term that goes into a sort: an array is given the layout of that sort.
    pub fn term_into(&mut self, id: TermId, wanted: Option<LayoutId>) -> Reg {
        let register = self.term(id);
        let is_array =
            |layout: LayoutId| matches!(self.world.layouts.get(layout).shape, Shape::Array(..));
        let Some(wanted) = wanted.filter(|&layout| is_array(layout)) else { return register };
        match self.array_layout(id) {
            Some(own) if own != wanted => {
                self.new_register(|to| Op::Convert { to, from: register, own, wanted })
            }
            _ => register,
        }
    }

    /// Whether two terms are the same.
    pub fn alike(&mut self, a: TermId, b: TermId) -> Reg {
        let sorts = [a, b].map(|id| self.sorts.of(self.world.algebra, self.terms, id));
        let layouts = sorts.each_ref().map(|sort| match sort {
            Sort::Array(_) => self.world.layouts.known(sort),
            _ => None,
        });
        let (x, y) = (self.term(a), self.term(b));
        match layouts {
            [Some(own), Some(other)] if own != other => {
                self.new_register(|to| Op::Alike { to, a: x, b: y, own, other })
            }
            _ => self.new_register(|to| Op::Equal(to, x, y)),
        }
    }

    fn made(&mut self, id: TermId) -> Reg {
        if let Some(word) = self.constant(id) {
            return self.word(word);
        }
        match self.terms.get(id).clone() {
            Term::Bool(value) => self.word(truth(value)),
            Term::Int(value) => {
                let word = self.world.pool.int(&value);
                self.word(word)
            }
            Term::Var(var) => {
                let source = self.variables.get(&var).copied();
                self.source(source, Lack::Undefined)
            }
            Term::Const(constant) => {
                let source = self.constants.get(&constant).copied();
                match (source, self.world.algebra.constants[constant.index()].value) {
                    (None, Some(value)) => self.term(value),
                    _ => self.source(source, Lack::Constant(constant)),
                }
            }
            Term::Apply(function, args) => self.call(function, &args),
            Term::Construct(data, tag, args) => self.construct(&Sort::Data(data), tag, &args),
            Term::Select(data, tag, field, inner) => {
                self.select(&Sort::Data(data), (tag, field), inner)
            }
            Term::IsConstructor(data, tag, inner) => self.made_by(&Sort::Data(data), tag, inner),
            Term::Index(array, key) => self.element(array, key),
            Term::Update(array, key, value) => self.update(array, key, value),
            Term::ConstArray(sort, value) => {
                let layout = self.world.layouts.known(&sort);
                let value = self.term_into(value, layout.and_then(|id| self.elements(id)));
                match layout {
                    Some(layout) if self.loose_places(layout).is_some() => {
                        let (low, high) = self.loose_places(layout).unwrap_or((id, id));
                        let (low, high) = (self.term(low), self.term(high));
                        self.new_register(|to| Op::FillBetween { to, value, low, high })
                    }
                    Some(layout) => self.new_register(|to| Op::Fill { to, value, layout }),
                    None => self.lack(Lack::Deep),
                }
            }
            Term::Not(inner) => {
                let inner = self.term(inner);
                self.new_register(|to| Op::Not(to, inner))
            }
            Term::And(args) => self.junction(&args, false),
            Term::Or(args) => self.junction(&args, true),
            Term::Add(args) => self.sum(&args),
            Term::Multiply(args) => self.chain(&args, Op::Multiply),
            Term::Div(a, b) => self.binary(a, b, Op::Div),
            Term::Mod(a, b) => self.binary(a, b, Op::Mod),
            Term::Equal(a, b) => self.alike(a, b),
            Term::Less(a, b) => self.binary(a, b, Op::Less),
            Term::LessEqual(a, b) => self.binary(a, b, Op::LessEqual),
            Term::If(condition, yes, no) => self.either(condition, yes, no),
            Term::Forall(vars, body) => self.quantified(&vars, body, false),
            Term::Exists(vars, body) => self.quantified(&vars, body, true),
            // Actions have been taken apart before, where their forms are known.
            Term::Act(..)
            | Term::Tau
            | Term::Sync(_)
            | Term::Co(_)
            | Term::IsAct(..)
            | Term::IsSync(_)
            | Term::IsCo(_)
            | Term::Argument(..)
            | Term::Inner(_) => self.lack(Lack::Undefined),
        }
    }

    /// The value of a term that is one.
    fn constant(&self, id: TermId) -> Option<Word> {
        if !self.terms.is_value(id) {
            return None;
        }
        let word = match self.terms.get(id) {
            Term::Bool(value) => truth(*value),
            Term::Int(value) => self.world.pool.int(value),
            Term::Construct(data, tag, args) => {
                let fields: Option<Vec<Word>> =
                    args.iter().map(|&arg| self.constant(arg)).collect();
                let layout = self.world.layouts.known(&Sort::Data(*data))?;
                self.world.values().construct(layout, *tag, &fields?)
            }
            _ => return None,
        };
        Some(word).filter(|&word| word != NONE)
    }

    fn source(&mut self, source: Option<Source>, why: Lack) -> Reg {
        match source {
            Some(Source::Field(field)) => self.new_register(|to| Op::Load(to, field)),
            Some(Source::Register(register)) => register,
            None => self.lack(why),
        }
    }

    fn binary(&mut self, a: TermId, b: TermId, op: impl FnOnce(Reg, Reg, Reg) -> Op) -> Reg {
        let (a, b) = (self.term(a), self.term(b));
        self.new_register(|to| op(to, a, b))
    }

    fn chain(&mut self, args: &[TermId], op: impl Fn(Reg, Reg, Reg) -> Op) -> Reg {
        let Some((&first, rest)) = args.split_first() else { return self.word(0) };
        let mut sum = self.term(first);
        for &arg in rest {
            let arg = self.term(arg);
            sum = self.new_register(|to| op(to, sum, arg));
        }
        sum
    }

    fn sum(&mut self, args: &[TermId]) -> Reg {
        let small = |id: TermId| self.terms.as_int(id).and_then(ToPrimitive::to_i32);
        match args.split_last() {
            Some((&last, rest)) if !rest.is_empty() && small(last).is_some() => {
                let constant = small(last).unwrap_or(0);
                let sum = self.chain(rest, Op::Add);
                self.new_register(|to| Op::Plus(to, sum, constant))
            }
            _ => self.chain(args, Op::Add),
        }
    }

    fn junction(&mut self, args: &[TermId], decides: bool) -> Reg {
        let to = self.word(truth(!decides));
        let mut jumps = Vec::with_capacity(args.len());
        for (number, &arg) in args.iter().enumerate() {
            let operand = match number {
                0 => self.term(arg),
                _ => self.apart(|this| this.term(arg)),
            };
            jumps.push(self.ops.len());
            self.ops.push(Op::Decide { to, operand, decides, end: UNKNOWN });
        }
        self.land(&jumps);
        to
    }

    fn either(&mut self, condition: TermId, yes: TermId, no: TermId) -> Reg {
        let (condition, to) = (self.term(condition), self.register());
        let unless = self.ops.len();
        self.ops.push(Op::Unless(condition, UNKNOWN));
        let sort = self.sorts.of(self.world.algebra, self.terms, yes);
        let layout = self.world.layouts.known(&sort);
        let yes = self.apart(|this| this.term(yes));
        self.ops.push(Op::Copy(to, yes));
        let when = self.ops.len();
        self.ops.push(Op::When(condition, UNKNOWN));
        self.land(&[unless]);
        let no = self.apart(|this| this.term_into(no, layout));
        self.ops.push(Op::Merge { to, other: no, condition });
        self.land(&[when]);
        to
    }

    /// Copies of values in registers one after the other.
    pub fn in_row(&mut self, values: &[Reg]) -> Reg {
        let first = self.next as Reg;
        for &value in values {
            self.new_register(|to| Op::Copy(to, value));
        }
        first
    }

    fn call(&mut self, function: FunId, args: &[TermId]) -> Reg {
        if self.world.algebra.functions[function.index()].body.is_none() {
            return self.lack(Lack::Abstract(function));
        }
        let params = &self.world.algebra.functions[function.index()].params;
        let sorts = params.iter().map(|&param| self.terms.var(param).sort.clone());
        let layouts: Vec<_> = sorts.map(|sort| self.world.layouts.known(&sort)).collect();
        let args = args.iter().zip(layouts);
        let args: Vec<Reg> = args.map(|(&arg, layout)| self.term_into(arg, layout)).collect();
        let to = self.register();
        let first = self.in_row(&args);
        self.ops.push(Op::Call { to, first, function });
        to
    }

    fn construct(&mut self, sort: &Sort, tag: u32, args: &[TermId]) -> Reg {
        let Some(layout) = self.world.layouts.known(sort) else { return self.lack(Lack::Deep) };
        let args = args.iter().enumerate().map(|(field, &arg)| {
            let slot = self.slot(layout, tag, field as u32);
            self.term_into(arg, slot.map(|(slot, _)| slot.layout))
        });
        let args: Vec<Reg> = args.collect();
        let first = self.in_row(&args);
        self.new_register(|to| Op::Construct { to, first, layout, tag })
    }

    fn slot(&self, layout: LayoutId, tag: u32, field: u32) -> Option<(Slot, usize)> {
        match &self.world.layouts.get(layout).shape {
            Shape::Data(_, constructors, _) => {
                let slot = constructors.get(tag as usize)?.get(field as usize)?;
                Some((*slot, constructors.len()))
            }
            _ => None,
        }
    }

    fn select(&mut self, sort: &Sort, (tag, field): (u32, u32), inner: TermId) -> Reg {
        let from = self.term(inner);
        let layout = self.world.layouts.known(sort);
        let Some((layout, (slot, constructors))) =
            layout.and_then(|layout| Some((layout, self.slot(layout, tag, field)?)))
        else {
            return self.lack(Lack::Deep);
        };
        let inner = self.world.layouts.get(slot.layout);
        match inner.bits.filter(|_| self.world.layouts.get(layout).bits.is_some()) {
            Some(bits) if constructors == 1 => {
                let low = if let Shape::Range(low) = inner.shape { low } else { 0 };
                let (shift, bits) = (slot.shift as u8, bits as u8);
                self.new_register(|to| Op::Take { to, from, shift, bits, low })
            }
            _ => {
                let (tag, field) = (tag as u16, field as u16);
                self.new_register(|to| Op::Field { to, from, layout, tag, field })
            }
        }
    }

    fn made_by(&mut self, sort: &Sort, tag: u32, inner: TermId) -> Reg {
        let from = self.term(inner);
        let Some(layout) = self.world.layouts.known(sort) else { return self.lack(Lack::Deep) };
        let of = self.world.layouts.get(layout);
        match (&of.shape, of.bits) {
            (Shape::Data(_, _, bits), Some(_)) => {
                let bits = *bits as u8;
                self.new_register(|to| Op::Tag { to, from, bits, tag })
            }
            _ => self.new_register(|to| Op::ItemTag { to, from, layout, tag }),
        }
    }

    /// The bounds of the places of an array, where they are known only when it runs.
    fn loose_places(&self, layout: LayoutId) -> Option<(TermId, TermId)> {
        let Shape::Array(keys, ..) = self.world.layouts.get(layout).shape else { return None };
        match self.world.layouts.get(keys).shape {
            Shape::Loose(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// The layout of the elements of an array.
    fn elements(&self, layout: LayoutId) -> Option<LayoutId> {
        match self.world.layouts.get(layout).shape {
            Shape::Array(_, element, _) => Some(element),
            _ => None,
        }
    }

    fn array_layout(&mut self, array: TermId) -> Option<LayoutId> {
        let sort = self.sorts.of(self.world.algebra, self.terms, array);
        self.world.layouts.known(&sort)
    }

    /// How a packed array over a range is read: bits of a value, places, first place, first and last value.
    fn packed(&self, layout: LayoutId) -> Option<(u8, u8, i32, i32, u32)> {
        let layouts = self.world.layouts;
        let of = layouts.get(layout);
        let (Shape::Array(keys, element, Some(places)), Some(_)) = (&of.shape, of.bits) else {
            return None;
        };
        let low = match layouts.get(*keys).shape {
            Shape::Range(low) => i32::try_from(low).ok()?,
            Shape::Bool => 0,
            _ => return None,
        };
        let element = layouts.get(*element);
        let bits = u8::try_from(element.bits?).ok()?;
        let (value_low, most) = match element.shape {
            Shape::Range(low) => (i32::try_from(low).ok()?, element.count?.checked_sub(1)?),
            _ => (0, super::word::mask(bits.into())),
        };
        // Without bits, any number of places fits into a word.
        Some((bits, u8::try_from(*places).ok()?, low, value_low, u32::try_from(most).ok()?))
    }

    fn element(&mut self, array: TermId, key: TermId) -> Reg {
        let Some(layout) = self.array_layout(array) else { return self.lack(Lack::Deep) };
        let (array, key) = (self.term(array), self.term(key));
        match self.packed(layout) {
            Some((bits, places, low, value_low, _)) => self.new_register(|to| Op::PackedElement {
                to,
                array,
                key,
                bits,
                places,
                low,
                value_low,
            }),
            None => self.new_register(|to| Op::Element { to, array, key, layout }),
        }
    }

    fn update(&mut self, array: TermId, key: TermId, value: TermId) -> Reg {
        let Some(layout) = self.array_layout(array) else { return self.lack(Lack::Deep) };
        let value = self.term_into(value, self.elements(layout));
        let (array, key) = (self.term(array), self.term(key));
        match self.packed(layout) {
            Some((bits, places, low, value_low, most)) => self.new_register(|to| {
                Op::PackedUpdate { to, array, key, value, bits, places, low, value_low, most }
            }),
            None => self.new_register(|to| Op::Update { to, array, key, value, layout }),
        }
    }

    /// The bounds between which the values of a variable can be counted, and what they are then.
    pub fn bounds(&mut self, layout: LayoutId, tried: bool) -> Option<(Reg, Reg, Counted)> {
        let count = self.world.values().count(layout, tried);
        let integers = self.world.layouts.first_integer().filter(|_| tried);
        match (&self.world.layouts.get(layout).shape, count) {
            (Shape::Range(low), Some(count)) => {
                let (low, high) = (*low, low + count as Word);
                Some((self.word(low), self.word(high), Counted::Itself))
            }
            (Shape::Loose(low, high), _) => {
                let (low, high) = (*low, *high);
                Some((self.term(low), self.term(high), Counted::Itself))
            }
            (Shape::Int, _) => {
                let (low, count) = integers?;
                let (low, high) = (low, self.world.pool.small(low.saturating_add_unsigned(count)));
                Some((self.word(low), self.word(high), Counted::Itself))
            }
            (Shape::Bool | Shape::Abstract(_), Some(count)) => {
                Some((self.word(0), self.word(count as Word), Counted::Itself))
            }
            (_, Some(count)) => {
                let high = self.world.pool.small(i64::try_from(count).ok()?);
                Some((self.word(0), self.word(high), Counted::Place))
            }
            (_, None) if self.world.layouts.ends(layout, tried) => {
                let first = self.loose_bounds(layout);
                let high = self.new_register(|to| Op::CountLoose { to, layout, first, tried });
                Some((self.word(0), high, Counted::Between(first)))
            }
            (_, None) => None,
        }
    }

    /// The bounds of all ranges inside a layout that are known only when it runs, in registers one after the other.
    fn loose_bounds(&mut self, layout: LayoutId) -> Reg {
        let mut registers = Vec::new();
        for inside in self.world.layouts.loose_inside(layout) {
            if let Shape::Loose(low, high) = self.world.layouts.get(inside).shape {
                registers.extend([self.term(low), self.term(high)]);
            }
        }
        self.in_row(&registers)
    }

    /// The value that is counted to.
    pub fn counted(&mut self, counter: Reg, how: Counted, layout: LayoutId, tried: bool) -> Reg {
        match how {
            Counted::Itself => counter,
            Counted::Place => self.new_register(|to| Op::Nth { to, place: counter, layout, tried }),
            Counted::Between(first) => {
                self.new_register(|to| Op::NthLoose { to, place: counter, layout, first, tried })
            }
        }
    }

    fn quantified(&mut self, vars: &[VarId], body: TermId, decides: bool) -> Reg {
        let to = self.word(truth(!decides));
        let mut loops: Vec<(usize, Reg, Reg)> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        self.known.push(FxHashMap::default());
        for &var in vars {
            let sort = self.terms.var(var).sort.clone();
            let layout = self.world.layouts.known(&sort);
            let bounds = layout.and_then(|layout| Some((layout, self.bounds(layout, false)?)));
            let Some((layout, (low, high, how))) = bounds else {
                let why = layout.map_or(Lack::Deep, Lack::Quantifier);
                self.ops.push(Op::Lacks(to, why));
                ends.push(self.ops.len());
                self.ops.push(Op::Jump(UNKNOWN));
                break;
            };
            // Where a bound has no value, neither has the whole.
            let operand = self.new_register(|to| {
                if decides { Op::Less(to, low, low) } else { Op::Equal(to, low, low) }
            });
            self.ops.push(Op::Decide { to, operand, decides, end: UNKNOWN });
            ends.push(self.ops.len() - 1);
            let counter = self.register();
            loops.push((self.ops.len(), counter, high));
            self.ops.push(Op::Begin { counter, low, high, exit: UNKNOWN, level: INSIDE });
            let value = self.counted(counter, how, layout, false);
            self.variables.insert(var, Source::Register(value));
        }
        if loops.len() == vars.len() {
            let operand = self.term(body);
            ends.push(self.ops.len());
            self.ops.push(Op::Decide { to, operand, decides, end: UNKNOWN });
        }
        for &(begin, counter, high) in loops.iter().rev() {
            self.ops.push(Op::Next { counter, high, body: begin as At + 1, level: INSIDE });
            self.land(&[begin]);
        }
        self.known.pop();
        self.land(&ends);
        to
    }
}

/// The code of all functions that are defined.
pub(super) fn functions(
    world: World<'_>,
    terms: &mut Terms,
    constants: &FxHashMap<ConstId, Source>,
) -> Vec<Option<Function>> {
    let make = |function: &crate::algebra::Function| {
        let body = function.body?;
        let mut builder = Builder::new(world, terms);
        builder.constants = constants.clone();
        for &param in &function.params {
            let register = builder.register();
            builder.variables.insert(param, Source::Register(register));
        }
        let result = builder.term_into(body, world.layouts.known(&function.result));
        builder.ops.push(Op::Return(result));
        Some(Function { code: builder.finish()?, params: function.params.len() })
    };
    world.algebra.functions.iter().map(make).collect()
}
