//! Runs code.
//!
//! Functions call each other on a stack of their own, so that deep ones do not end the program. A function that goes too
//! deep or takes too long ends the run with that reason.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::code::{At, Code, Function, Lack, Op, Reg};
use super::field::Field;
use super::layout::{LayoutId, Shape};
use super::values::Values;
use super::word::{NONE, Word, is_small, mask, truth};
use crate::algebra::FunId;
use crate::base::budget::is_spent;

/// How deep functions may call each other.
const MOST_FRAMES: usize = 200_000;
/// How many calls one step may take.
const MOST_CALLS: u32 = 20_000_000;
/// How large integers may become. One that doubles in every step fills the memory with digits long before there are many
/// configurations.
const MOST_BITS: u64 = 30_000;
/// How often the budget is looked at: once in so many calls and rounds.
const LOOK: u32 = 1 << 10;
/// The level of loops inside of expressions, which clear nothing.
pub(super) const INSIDE: u16 = u16::MAX;

/// What code is run with.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub values: Values<'a>,
    pub functions: &'a [Option<Function>],
    pub fields: &'a [Field],
    /// The configuration.
    pub from: &'a [u64],
}

/// What one thread runs code with.
#[derive(Debug)]
pub(super) struct Work {
    pub registers: Vec<Word>,
    frames: Vec<Frame>,
    /// Why there was no value, the last time.
    pub why: Lack,
    /// A condition that had no value on the way, at this level of loops, and why.
    pub unknown: Option<(u16, Lack)>,
    ticks: u32,
    calls: u32,
}

impl Default for Work {
    fn default() -> Work {
        let (registers, frames) = (Vec::new(), Vec::new());
        Work { registers, frames, why: Lack::Undefined, unknown: None, ticks: 0, calls: 0 }
    }
}

/// Where a call returns to.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The function that called; none for the code that is run.
    code: Option<FunId>,
    at: usize,
    base: usize,
    to: Reg,
}

/// Who is told what code finds.
pub(super) trait Sink {
    /// Whether anybody wants to know what is shown.
    fn labels(&self) -> bool;
    /// A step is complete, if nothing was noted that is unknown; its registers begin at the base. Says whether to go on.
    fn emit(&mut self, run: &Run<'_>, work: &mut Work, base: usize) -> Result<bool, Lack>;
    /// Whether something could happen that goes first, when its parameters begin at this register; registers from
    /// `free` on are not used.
    fn rival(
        &mut self,
        run: &Run<'_>,
        work: &mut Work,
        site: usize,
        params: usize,
        free: usize,
    ) -> Result<Option<bool>, Lack>;
    /// There are values that are not tried.
    fn limited(&mut self);
    /// Whether there is something cannot be told, for this reason.
    fn unknown(&mut self, _: Lack) {}
}

/// Nobody: the code is an expression.
pub(super) struct Nobody;

impl Sink for Nobody {
    fn labels(&self) -> bool {
        false
    }

    fn emit(&mut self, _: &Run<'_>, _: &mut Work, _: usize) -> Result<bool, Lack> {
        Ok(false)
    }

    fn rival(
        &mut self,
        _: &Run<'_>,
        _: &mut Work,
        _: usize,
        _: usize,
        _: usize,
    ) -> Result<Option<bool>, Lack> {
        Ok(Some(false))
    }

    fn limited(&mut self) {}
}

impl Work {
    /// Begins something new.
    pub fn begin(&mut self) {
        self.calls = 0;
        self.unknown = None;
    }

    /// Makes room for registers.
    pub fn reserve(&mut self, count: usize) {
        if self.registers.len() < count {
            self.registers.resize(count, NONE);
        }
    }

    fn tick(&mut self) -> Result<(), Lack> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(LOOK) && is_spent() { Err(Lack::Stopped) } else { Ok(()) }
    }

    fn none(&mut self, why: Lack) -> Word {
        self.why = why;
        NONE
    }

    /// Notes a condition without a value.
    fn note(&mut self, level: u16) {
        if self.unknown.is_none_or(|(before, _)| before > level) {
            self.unknown = Some((level, self.why));
        }
    }

    /// What was noted inside of a loop does not count in its next round.
    fn forget(&mut self, level: u16) {
        if level != INSIDE && self.unknown.is_some_and(|(noted, _)| noted >= level) {
            self.unknown = None;
        }
    }
}

impl Run<'_> {
    /// The value of an expression.
    pub fn value(&self, code: &Code, work: &mut Work) -> Result<Word, Lack> {
        self.go(code, 0, work, &mut Nobody)
    }

    /// Runs code whose registers begin at `base`.
    pub fn go<S: Sink>(
        &self,
        main: &Code,
        base: usize,
        work: &mut Work,
        sink: &mut S,
    ) -> Result<Word, Lack> {
        work.reserve(base + main.registers);
        let bottom = work.frames.len();
        let result = self.steps(main, base, work, sink, bottom);
        work.frames.truncate(bottom);
        result
    }

    fn steps<S: Sink>(
        &self,
        main: &Code,
        first: usize,
        work: &mut Work,
        sink: &mut S,
        bottom: usize,
    ) -> Result<Word, Lack> {
        let mut code = main;
        let mut function: Option<FunId> = None;
        let mut base = first;
        let mut at = 0_usize;
        macro_rules! get {
            ($register:expr) => {
                work.registers[base + $register as usize]
            };
        }
        while let Some(&op) = code.ops.get(at) {
            at += 1;
            match op {
                Op::Const(to, word) => get!(to) = word,
                Op::Copy(to, from) => get!(to) = get!(from),
                Op::Load(to, field) => {
                    get!(to) = self.fields[field as usize].load(self.from, self.values.pool);
                }
                Op::Add(to, a, b) => {
                    let (x, y) = (get!(a), get!(b));
                    let sum = x.wrapping_add(y);
                    get!(to) = if is_small(x) && is_small(y) && is_small(sum) {
                        sum
                    } else {
                        self.large(work, x, y, |x, y| Some(x + y))
                    };
                }
                Op::Plus(to, a, b) => {
                    let (x, y) = (get!(a), Word::from(b));
                    let sum = x.wrapping_add(y);
                    get!(to) = if is_small(x) && is_small(sum) {
                        sum
                    } else {
                        self.large(work, x, y, |x, y| Some(x + y))
                    };
                }
                Op::Multiply(to, a, b) => {
                    let (x, y) = (get!(a), get!(b));
                    get!(to) = match x.checked_mul(y) {
                        Some(product) if is_small(x) && is_small(y) && is_small(product) => product,
                        _ => self.large(work, x, y, |x, y| Some(x * y)),
                    };
                }
                Op::Div(to, a, b) => {
                    let (x, y) = (get!(a), get!(b));
                    get!(to) = match x.checked_div_euclid(y) {
                        Some(quotient) if is_small(x) && is_small(y) => quotient,
                        _ => self.divided(work, x, y, |x, y| (&x - x.mod_floor(&y.abs())) / y),
                    };
                }
                Op::Mod(to, a, b) => {
                    let (x, y) = (get!(a), get!(b));
                    get!(to) = match x.checked_rem_euclid(y) {
                        Some(remainder) if is_small(x) && is_small(y) => remainder,
                        _ => self.divided(work, x, y, |x, y| x.mod_floor(&y.abs())),
                    };
                }
                Op::Less(to, a, b) => get!(to) = self.less(get!(a), get!(b), false),
                Op::LessEqual(to, a, b) => get!(to) = self.less(get!(a), get!(b), true),
                Op::Equal(to, a, b) => {
                    let (x, y) = (get!(a), get!(b));
                    get!(to) = if x == NONE || y == NONE { NONE } else { truth(x == y) };
                }
                Op::Not(to, from) => {
                    let value = get!(from);
                    get!(to) = if value == NONE { NONE } else { 1 - value };
                }
                Op::Max(to, a, b) => get!(to) = self.outer(get!(a), get!(b), true),
                Op::Min(to, a, b) => get!(to) = self.outer(get!(a), get!(b), false),
                Op::Within(to, from, low, high) => {
                    let value = get!(from);
                    let inside = (low..high).contains(&value);
                    get!(to) = if value == NONE { NONE } else { truth(inside) };
                }
                Op::Jump(to) => at = to as usize,
                Op::Unless(on, to) => {
                    if get!(on) == 0 {
                        at = to as usize;
                    }
                }
                Op::When(on, to) => {
                    if get!(on) == 1 {
                        at = to as usize;
                    }
                }
                Op::Merge { to, other, condition } => {
                    let (one, other) = (get!(to), get!(other));
                    let agree = get!(condition) != NONE || one == other;
                    get!(to) = if agree { other } else { NONE };
                }
                Op::Decide { to, operand, decides, end } => {
                    let value = get!(operand);
                    if value == truth(decides) {
                        get!(to) = value;
                        at = end as usize;
                    } else if value == NONE {
                        get!(to) = NONE;
                    }
                }
                Op::Take { to, from, shift, bits, low } => {
                    let whole = get!(from);
                    get!(to) = if whole == NONE {
                        NONE
                    } else {
                        ((whole as u64 >> shift) & mask(u32::from(bits))) as Word + low
                    };
                }
                Op::Tag { to, from, bits, tag } => {
                    let whole = get!(from);
                    get!(to) = if whole == NONE {
                        NONE
                    } else {
                        truth(whole as u64 & mask(u32::from(bits)) == u64::from(tag))
                    };
                }
                Op::ItemTag { to, from, layout, tag } => {
                    let made_by = self.values.tag(layout, get!(from));
                    get!(to) = made_by.map_or(NONE, |made_by| truth(made_by == tag));
                }
                Op::Field { to, from, layout, tag, field } => {
                    get!(to) = self.field(work, get!(from), layout, (tag, field));
                }
                Op::Construct { to, first, layout, tag } => {
                    get!(to) = self.construct(work, layout, tag, base + first as usize);
                }
                Op::PackedElement { to, array, key, bits, places, low, value_low } => {
                    let (whole, key) = (get!(array), get!(key));
                    let place = key.wrapping_sub(Word::from(low)) as u64;
                    get!(to) = if whole == NONE || key == NONE {
                        NONE
                    } else if place >= u64::from(places) {
                        work.none(Lack::Undefined)
                    } else {
                        let shift = place as u32 * u32::from(bits);
                        ((whole as u64 >> shift) & mask(u32::from(bits))) as Word
                            + Word::from(value_low)
                    };
                }
                Op::PackedUpdate { to, array, key, value, bits, places, low, value_low, most } => {
                    let (whole, key, value) = (get!(array), get!(key), get!(value));
                    let place = key.wrapping_sub(Word::from(low)) as u64;
                    let new = value.wrapping_sub(Word::from(value_low)) as u64;
                    get!(to) = if whole == NONE || key == NONE || value == NONE {
                        NONE
                    } else if place >= u64::from(places) || new > u64::from(most) {
                        work.none(Lack::Undefined)
                    } else {
                        let shift = place as u32 * u32::from(bits);
                        let cleared = whole as u64 & !(mask(u32::from(bits)) << shift);
                        (cleared | (new << shift)) as Word
                    };
                }
                Op::Element { to, array, key, layout } => {
                    let (array, key) = (get!(array), get!(key));
                    let value = self.values.element(layout, array, key);
                    get!(to) = self.or_undefined(work, value, array == NONE || key == NONE);
                }
                Op::Update { to, array, key, value, layout } => {
                    let (array, key, value) = (get!(array), get!(key), get!(value));
                    let new = self.values.updated(layout, array, key, value);
                    let lacks = array == NONE || key == NONE || value == NONE;
                    get!(to) = self.or_undefined(work, new, lacks);
                }
                Op::Fill { to, value, layout } => {
                    let value = get!(value);
                    let new = self.values.fill(layout, value);
                    get!(to) = self.or_undefined(work, new, value == NONE);
                }
                Op::FillBetween { to, value, low, high } => {
                    let (value, low, high) = (get!(value), get!(low), get!(high));
                    let new = self.values.fill_between(value, low, high);
                    let lacks = value == NONE || low == NONE || high == NONE;
                    get!(to) = self.or_undefined(work, new, lacks);
                }
                Op::Convert { to, from, own, wanted } => {
                    let value = get!(from);
                    let new = self.values.converted(own, wanted, value);
                    get!(to) = self.or_undefined(work, new, value == NONE);
                }
                Op::Alike { to, a, b, own, other } => {
                    let (x, y) = (get!(a), get!(b));
                    get!(to) = if x == NONE || y == NONE {
                        NONE
                    } else {
                        truth(self.values.decode(own, x) == self.values.decode(other, y))
                    };
                }
                Op::Call { to, first, function: called } => {
                    work.tick()?;
                    let Some(callee) = &self.functions[called.index()] else {
                        get!(to) = work.none(Lack::TooDeep(called));
                        continue;
                    };
                    let params = base + first as usize;
                    if work.registers[params..params + callee.params].contains(&NONE) {
                        get!(to) = NONE;
                        continue;
                    }
                    work.calls += 1;
                    if work.frames.len() - bottom > MOST_FRAMES || work.calls > MOST_CALLS {
                        return Err(Lack::TooDeep(called));
                    }
                    work.frames.push(Frame { code: function, at, base, to });
                    (code, function, at, base) = (&callee.code, Some(called), 0, params);
                    work.reserve(base + code.registers);
                }
                Op::Return(from) => {
                    let value = get!(from);
                    if work.frames.len() == bottom {
                        return Ok(value);
                    }
                    let Some(frame) = work.frames.pop() else { return Ok(value) };
                    function = frame.code;
                    code = function
                        .and_then(|function| self.functions[function.index()].as_ref())
                        .map_or(main, |function| &function.code);
                    (at, base) = (frame.at, frame.base);
                    get!(frame.to) = value;
                }
                Op::Lacks(to, why) => get!(to) = work.none(why),
                Op::Nth { to, place, layout, tried } => {
                    get!(to) = match get!(place) {
                        NONE => NONE,
                        place => self.values.nth(layout, place as u64, tried),
                    };
                }
                Op::CountLoose { to, layout, first, tried } => {
                    let bounds = self.bounds(work, layout, base + first as usize);
                    let count = Values { loose: &bounds, ..self.values }.count(layout, tried);
                    let count = count.and_then(|count| i64::try_from(count).ok());
                    get!(to) = count.map_or(NONE, |count| self.values.pool.small(count));
                }
                Op::NthLoose { to, place, layout, first, tried } => {
                    let bounds = self.bounds(work, layout, base + first as usize);
                    let values = Values { loose: &bounds, ..self.values };
                    let place = get!(place);
                    get!(to) = match place {
                        NONE => NONE,
                        place => values.nth(layout, place as u64, tried),
                    };
                }
                Op::Begin { counter, low, high, exit, level } => {
                    work.forget(level);
                    let (low, high) = (get!(low), get!(high));
                    // Where a bound has no value, neither has what is counted.
                    let lacks = low == NONE || high == NONE;
                    get!(counter) = if lacks { NONE } else { low };
                    if !lacks && self.less(low, high, false) != 1 {
                        at = exit as usize;
                    }
                }
                Op::Next { counter, high, body, level } => {
                    work.tick()?;
                    work.forget(level);
                    let count = get!(counter);
                    let next = self.next(work, count);
                    get!(counter) = next;
                    if self.less(next, get!(high), false) == 1 {
                        at = body as usize;
                    }
                }
                Op::Test { on, fail, level } => match get!(on) {
                    1 => {}
                    0 => at = fail as usize,
                    _ => work.note(level),
                },
                Op::Needs { on, level } => {
                    if get!(on) == NONE {
                        work.note(level);
                    }
                }
                Op::Unlabelled(to) => {
                    if !sink.labels() {
                        at = to as usize;
                    }
                }
                Op::Unknown(why) => sink.unknown(why),
                Op::Limited => sink.limited(),
                Op::LimitedBy { low, high, tried_low, tried_high } => {
                    let (low, high) = (get!(low), get!(high));
                    if low == NONE || low < tried_low || high == NONE || high > tried_high {
                        sink.limited();
                    }
                }
                Op::Rival { site, first, fail, level } => {
                    let (params, free) = (base + first as usize, base + code.registers);
                    match sink.rival(self, work, site as usize, params, free)? {
                        Some(true) => at = fail as usize,
                        Some(false) => {}
                        None => work.note(level),
                    }
                }
                Op::Emit => {
                    if !sink.emit(self, work, base)? {
                        return Ok(NONE);
                    }
                }
            }
        }
        Ok(NONE)
    }

    /// The result of an operation on large numbers.
    #[cold]
    fn large(
        &self,
        work: &mut Work,
        x: Word,
        y: Word,
        op: impl Fn(BigInt, BigInt) -> Option<BigInt>,
    ) -> Word {
        let (Some(x), Some(y)) = (self.values.pool.to_int(x), self.values.pool.to_int(y)) else {
            return NONE;
        };
        match op(x, y) {
            Some(result) if result.bits() > MOST_BITS => work.none(Lack::Huge),
            Some(result) => self.values.pool.int(&result),
            None => NONE,
        }
    }

    #[cold]
    fn divided(
        &self,
        work: &mut Work,
        x: Word,
        y: Word,
        op: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Word {
        if y == 0 && x != NONE {
            return work.none(Lack::Undefined);
        }
        self.large(work, x, y, |x, y| (!y.is_zero()).then(|| op(x, y)))
    }

    #[inline]
    fn less(&self, x: Word, y: Word, or_same: bool) -> Word {
        if is_small(x) && is_small(y) {
            return truth(if or_same { x <= y } else { x < y });
        }
        let (x, y) = (self.values.pool.to_int(x), self.values.pool.to_int(y));
        match (x, y) {
            (Some(x), Some(y)) => truth(if or_same { x <= y } else { x < y }),
            _ => NONE,
        }
    }

    /// The bounds of the ranges inside a layout, from registers.
    fn bounds(&self, work: &Work, layout: LayoutId, first: usize) -> Vec<(LayoutId, Word, Word)> {
        let inside = self.values.layouts.loose_inside(layout).into_iter().enumerate();
        let bound = |at: usize| work.registers[first + at];
        inside.map(|(at, id)| (id, bound(2 * at), bound(2 * at + 1))).collect()
    }

    /// The next number.
    fn next(&self, work: &mut Work, x: Word) -> Word {
        if is_small(x) && is_small(x + 1) {
            x + 1
        } else {
            self.large(work, x, 1, |x, y| Some(x + y))
        }
    }

    fn outer(&self, x: Word, y: Word, larger: bool) -> Word {
        match self.less(x, y, false) {
            NONE if x == NONE => y,
            NONE => x,
            is_less if (is_less == 1) == larger => y,
            _ => x,
        }
    }

    #[cold]
    fn or_undefined(&self, work: &mut Work, value: Word, lacked: bool) -> Word {
        if value == NONE && !lacked {
            work.why = Lack::Undefined;
        }
        value
    }

    fn field(
        &self,
        work: &mut Work,
        from: Word,
        layout: LayoutId,
        (tag, field): (u16, u16),
    ) -> Word {
        let Shape::Data(data, constructors, _) = &self.values.layouts.get(layout).shape else {
            return NONE;
        };
        match self.values.tag(layout, from) {
            None => NONE,
            Some(made_by) if made_by == u32::from(tag) => {
                let slot = constructors[tag as usize][field as usize];
                self.values.field(layout, from, slot, field as usize)
            }
            Some(_) => work.none(Lack::Field(*data, tag.into(), field.into())),
        }
    }

    fn construct(&self, work: &mut Work, layout: LayoutId, tag: u32, first: usize) -> Word {
        let Shape::Data(_, constructors, _) = &self.values.layouts.get(layout).shape else {
            return NONE;
        };
        let count = constructors.get(tag as usize).map_or(0, Vec::len);
        let fields = &work.registers[first..first + count];
        if fields.contains(&NONE) {
            return NONE;
        }
        let value = self.values.construct(layout, tag, fields);
        self.or_undefined(work, value, false)
    }
}

/// The end of some code that is not known yet.
pub(super) const UNKNOWN: At = At::MAX;
