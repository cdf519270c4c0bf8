//! In which order facts are looked at: which give variables their values, which are tested, and what has to be tried.
//!
//! A fact is tested as soon as all its variables have values. An equation gives a value to a variable that has none. When
//! nothing else is left, the values of one variable are tried, between the bounds that the facts put to it. Where there is
//! no end of values and no domain, the variable has no value, and so has all that depends on it: other facts may still be
//! false.

use std::collections::BTreeSet;

use super::code::{Lack, Op, Reg};
use super::expr::{Builder, Counted, Source};
use super::layout::{LayoutId, Shape};
use super::linear::{Bound, bound, solved};
use super::run::UNKNOWN;
use super::word::{NONE, Word};
use crate::algebra::{Sort, Term, TermId, Terms, VarId};

/// What is done with values without end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Endless {
    /// Those of domains are tried.
    Tried,
    /// It is not known.
    Unknown,
}

/// Something to be looked at.
#[derive(Clone, Debug)]
enum Fact {
    Holds(TermId),
    Same(TermId, TermId),
    /// A rival with its parameters is not possible: by its number.
    Rival(u16, Vec<VarId>),
}

/// Facts with the variables that have no value yet.
#[derive(Clone, Debug)]
struct Pending {
    fact: Fact,
    open: Vec<VarId>,
}

/// A loop over the values of a variable.
struct Loop {
    begin: usize,
    counter: Reg,
    high: Reg,
    /// Why it cannot be told whether there is something, when no round finds it.
    left_out: Option<Lack>,
}

/// How many numbers are tried of those without end, where one is enough.
const GUESSES: i32 = 16;

/// A plan in the making.
pub(super) struct Plan<'b, 'a> {
    pub builder: &'b mut Builder<'a>,
    endless: Endless,
    pending: Vec<Pending>,
    open: BTreeSet<VarId>,
    loops: Vec<Loop>,
    /// For each level of loops, the jumps to where it goes on.
    fails: Vec<Vec<usize>>,
    /// It can never happen.
    pub never: bool,
}

impl<'b, 'a> Plan<'b, 'a> {
    /// A plan to find values for variables.
    pub fn new(
        builder: &'b mut Builder<'a>,
        open: impl IntoIterator<Item = VarId>,
        endless: Endless,
    ) -> Plan<'b, 'a> {
        Plan {
            builder,
            endless,
            pending: Vec::new(),
            open: open.into_iter().collect(),
            loops: Vec::new(),
            fails: vec![Vec::new()],
            never: false,
        }
    }

    /// How many loops there are around what comes next.
    pub fn level(&self) -> u16 {
        self.loops.len() as u16
    }

    fn open_in(&self, terms: &[TermId]) -> Vec<VarId> {
        let mut found = BTreeSet::new();
        for &term in terms {
            let vars = self.builder.terms.free_vars(term);
            found.extend(vars.into_iter().filter(|var| self.open.contains(var)));
        }
        found.into_iter().collect()
    }

    /// A condition must hold.
    pub fn holds(&mut self, id: TermId) {
        match self.builder.terms.get(id).clone() {
            Term::Bool(true) => {}
            Term::Bool(false) => self.never = true,
            Term::And(parts) => parts.iter().for_each(|&part| self.holds(part)),
            Term::Equal(a, b) => self.same(a, b),
            _ => {
                let open = self.open_in(&[id]);
                self.pending.push(Pending { fact: Fact::Holds(id), open });
            }
        }
    }

    /// Two values must be the same.
    pub fn same(&mut self, a: TermId, b: TermId) {
        let both = self.builder.terms.equal(a, b);
        match self.builder.terms.get(both).clone() {
            Term::Equal(a, b) => {
                let open = self.open_in(&[a, b]);
                self.pending.push(Pending { fact: Fact::Same(a, b), open });
            }
            _ => self.holds(both),
        }
    }

    /// A rival must not be possible.
    pub fn rival(&mut self, number: u16, params: &[VarId]) {
        let open = params.iter().copied().filter(|var| self.open.contains(var)).collect();
        self.pending.push(Pending { fact: Fact::Rival(number, params.to_vec()), open });
    }

    /// Finds values for all variables that matter: those of facts, and those that are needed afterwards.
    pub fn solve(&mut self, needed: &[VarId]) {
        while !self.never {
            self.settle_tests();
            if self.bind() {
                continue;
            }
            let mut left: BTreeSet<VarId> =
                needed.iter().copied().filter(|var| self.open.contains(var)).collect();
            left.extend(self.pending.iter().flat_map(|pending| pending.open.iter().copied()));
            if left.is_empty() {
                break;
            }
            self.try_values(&left);
        }
    }

    /// Ends the code: after what was made of the values comes the next round.
    pub fn close(&mut self) {
        while let Some(inner) = self.loops.pop() {
            let level = self.loops.len() as u16 + 1;
            let fails = self.fails.pop().unwrap_or_default();
            self.builder.land(&fails);
            let Loop { begin, counter, high, left_out } = inner;
            self.builder.ops.push(Op::Next { counter, high, body: begin as u32 + 1, level });
            self.builder.land(&[begin]);
            self.builder.ops.extend(left_out.map(Op::Unknown));
        }
        let fails = self.fails.pop().unwrap_or_default();
        self.builder.land(&fails);
    }

    // ---- tests ----

    fn test(&mut self, on: Reg) {
        let level = self.level();
        self.fails[level as usize].push(self.builder.ops.len());
        self.builder.ops.push(Op::Test { on, fail: UNKNOWN, level });
    }

    fn settle_tests(&mut self) {
        // What goes first takes longer to find out than anything else.
        for of_rivals in [false, true] {
            let is_ready = |one: &Pending| {
                one.open.is_empty() && matches!(one.fact, Fact::Rival(..)) == of_rivals
            };
            let (ready, rest): (Vec<Pending>, Vec<Pending>) =
                std::mem::take(&mut self.pending).into_iter().partition(is_ready);
            self.pending = rest;
            for one in ready {
                self.settle(one.fact);
            }
        }
    }

    fn settle(&mut self, fact: Fact) {
        match fact {
            Fact::Holds(term) => {
                let on = self.builder.term(term);
                self.test(on);
            }
            Fact::Same(a, b) => {
                let on = self.builder.alike(a, b);
                self.test(on);
            }
            Fact::Rival(site, params) => {
                let (first, level) = (self.in_row(&params), self.level());
                self.fails[level as usize].push(self.builder.ops.len());
                self.builder.ops.push(Op::Rival { site, first, fail: UNKNOWN, level });
            }
        }
    }

    /// The values of variables in registers one after the other; the first of these.
    pub fn in_row(&mut self, variables: &[VarId]) -> Reg {
        let value = |&var: &VarId| {
            let term = self.builder.terms.var_term(var);
            self.builder.term(term)
        };
        let values: Vec<Reg> = variables.iter().map(value).collect();
        self.builder.in_row(&values)
    }

    // ---- equations ----

    /// Gives a value to a variable, or takes an equation apart.
    fn bind(&mut self) -> bool {
        for at in 0..self.pending.len() {
            let Fact::Same(a, b) = self.pending[at].fact else { continue };
            for (a, b) in [(a, b), (b, a)] {
                if self.bind_side(a, b) {
                    self.pending.remove(at);
                    self.refresh();
                    return true;
                }
            }
        }
        for at in 0..self.pending.len() {
            if self.bind_number(at) {
                self.refresh();
                return true;
            }
        }
        false
    }

    fn refresh(&mut self) {
        for pending in &mut self.pending {
            pending.open.retain(|var| self.open.contains(var));
        }
    }

    fn is_open(&self, id: TermId) -> bool {
        self.builder.terms.free_vars(id).iter().any(|var| self.open.contains(var))
    }

    fn bind_side(&mut self, a: TermId, b: TermId) -> bool {
        match self.builder.terms.get(a).clone() {
            Term::Var(var) if self.open.contains(&var) && !self.is_open(b) => {
                self.give(var, b);
                true
            }
            Term::Construct(data, tag, args) if self.is_open(a) => {
                if let Term::Construct(_, other, others) = self.builder.terms.get(b).clone() {
                    self.never |= tag != other;
                    args.iter().zip(&*others).for_each(|(&a, &b)| self.same(a, b));
                    return true;
                }
                if self.is_open(b) {
                    return false;
                }
                let made_by = self.builder.terms.is_constructor(data, tag, b);
                self.holds(made_by);
                // The fields are read only of what was made so.
                self.settle_tests();
                for (field, &arg) in args.iter().enumerate() {
                    let inner = self.builder.terms.select(data, tag, field as u32, b);
                    self.same(arg, inner);
                }
                true
            }
            _ => false,
        }
    }

    fn bind_number(&mut self, at: usize) -> bool {
        let Fact::Same(a, b) = self.pending[at].fact else { return false };
        let vars = self.pending[at].open.clone();
        for var in vars {
            if !self.is_number(var) {
                continue;
            }
            let open = &self.open;
            let is_known = |terms: &Terms, id: TermId| {
                !terms.free_vars(id).iter().any(|var| open.contains(var))
            };
            if let Some((value, exact)) = solved(self.builder.terms, (a, b), var, &is_known) {
                self.pending.remove(at);
                if let Some(exact) = exact {
                    let on = self.builder.term(exact);
                    self.test(on);
                }
                self.give(var, value);
                return true;
            }
        }
        false
    }

    fn sort(&self, var: VarId) -> Sort {
        self.builder.terms.var(var).sort.clone()
    }

    fn is_number(&self, var: VarId) -> bool {
        matches!(self.sort(var), Sort::Int | Sort::Range(..))
    }

    fn layout(&self, var: VarId) -> Option<LayoutId> {
        self.builder.world.layouts.known(&self.sort(var))
    }

    /// A variable gets the value of a term, which must be one of its sort.
    fn give(&mut self, var: VarId, value: TermId) {
        let layout = self.layout(var);
        let register = self.builder.term_into(value, layout);
        self.open.remove(&var);
        self.builder.variables.insert(var, Source::Register(register));
        if !matches!(self.builder.terms.get(value), Term::Var(_) | Term::Int(_) | Term::Bool(_)) {
            let level = self.level();
            self.builder.ops.push(Op::Needs { on: register, level });
        }
        let known = match self.builder.terms.get(value) {
            Term::Var(other) => self.sort(*other) == self.sort(var),
            _ => false,
        };
        let shape = self.layout(var).map(|layout| {
            let layout = self.builder.world.layouts.get(layout);
            (layout.shape.clone(), layout.count)
        });
        match shape {
            Some((Shape::Range(low), Some(count))) if !known => {
                let high = low + count as Word;
                let on = self.builder.new_register(|to| Op::Within(to, register, low, high));
                self.test(on);
            }
            Some((Shape::Loose(low, high), _)) if !known => {
                let term = self.builder.terms.var_term(var);
                let low = self.builder.terms.less_equal(low, term);
                let high = self.builder.terms.less(term, high);
                self.holds(low);
                self.holds(high);
            }
            _ => {}
        }
    }

    // ---- trying ----

    /// The bounds that facts put to a variable.
    fn limits(&mut self, var: VarId) -> (Vec<TermId>, Vec<TermId>) {
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for pending in &self.pending {
            let Fact::Holds(condition) = pending.fact else { continue };
            if pending.open != [var] {
                continue;
            }
            let open = &self.open;
            let is_known = |terms: &Terms, id: TermId| {
                !terms.free_vars(id).iter().any(|var| open.contains(var))
            };
            match bound(self.builder.terms, condition, var, &is_known) {
                Some(Bound::Low(low)) => lows.push(low),
                Some(Bound::High(high)) => highs.push(high),
                None => {}
            }
        }
        (lows, highs)
    }

    /// How long it takes to try all values of a variable; nothing where there is no end of them.
    fn cost(&mut self, var: VarId) -> Option<u64> {
        const SOME: u64 = 1_000;
        let layout = self.layout(var)?;
        let count = self.builder.world.layouts.get(layout).count;
        if count.is_none() && self.builder.world.layouts.ends(layout, false) {
            return Some(SOME);
        }
        if !self.is_number(var) {
            return count;
        }
        let (lows, highs) = self.limits(var);
        let bounded = !lows.is_empty() && !highs.is_empty();
        if bounded { Some(count.unwrap_or(SOME).min(SOME)) } else { count }
    }

    fn try_values(&mut self, left: &BTreeSet<VarId>) {
        let mut best: Option<(u64, VarId)> = None;
        for &var in left {
            if let Some(cost) = self.cost(var)
                && best.is_none_or(|(least, _)| cost < least)
            {
                best = Some((cost, var));
            }
        }
        match best {
            Some((_, var)) => self.try_all(var),
            None => {
                let Some(&var) = left.first() else { return };
                self.try_some(var);
            }
        }
        self.refresh();
    }

    /// Tries all values of a variable, of which there is an end.
    fn try_all(&mut self, var: VarId) {
        let Some(layout) = self.layout(var) else { return self.give_up(var) };
        let (lows, highs) = if self.is_number(var) { self.limits(var) } else { Default::default() };
        let bounds = self.builder.bounds(layout, false);
        let how = bounds.map_or(Counted::Itself, |(_, _, how)| how);
        let low = self.outermost(bounds.map(|(low, _, _)| low), &lows, Op::Max);
        let high = self.outermost(bounds.map(|(_, high, _)| high), &highs, Op::Min);
        match (low, high) {
            (Some(low), Some(high)) => self.count(var, (low, high), (layout, how, false)),
            _ => self.give_up(var),
        }
    }

    fn outermost(
        &mut self,
        first: Option<Reg>,
        others: &[TermId],
        op: fn(Reg, Reg, Reg) -> Op,
    ) -> Option<Reg> {
        let mut found = first;
        for &other in others {
            let other = self.builder.term(other);
            found = Some(match found {
                None => other,
                Some(before) => self.builder.new_register(|to| op(to, before, other)),
            });
        }
        found
    }

    /// Tries those values of a variable that a domain names.
    fn try_some(&mut self, var: VarId) {
        let layout = self.layout(var);
        if self.endless == Endless::Unknown && self.is_number(var) {
            return self.guess(var);
        }
        let Some((layout, (first, last, how))) =
            layout.and_then(|layout| Some((layout, self.builder.bounds(layout, true)?)))
        else {
            return self.give_up(var);
        };
        if !self.is_number(var) {
            if self.endless == Endless::Tried {
                self.builder.ops.push(Op::Limited);
            }
            return self.count(var, (first, last), (layout, how, true));
        }
        let (lows, highs) = self.limits(var);
        let low = self.outermost(None, &lows, Op::Max);
        let high = self.outermost(None, &highs, Op::Min);
        let none = |this: &mut Self| this.builder.word(NONE);
        let low = low.unwrap_or_else(|| none(self));
        let high = high.unwrap_or_else(|| none(self));
        let (start, count) = self.builder.world.layouts.first_integer().unwrap_or((0, 0));
        let end = start.saturating_add_unsigned(count);
        self.builder.ops.push(Op::LimitedBy { low, high, tried_low: start, tried_high: end });
        let low = self.builder.new_register(|to| Op::Max(to, first, low));
        let high = self.builder.new_register(|to| Op::Min(to, last, high));
        self.count(var, (low, high), (layout, Counted::Itself, true));
    }

    /// Tries some numbers of those without end: if one does, that is enough.
    fn guess(&mut self, var: VarId) {
        let Some(layout) = self.layout(var) else { return self.give_up(var) };
        let (lows, highs) = self.limits(var);
        let low = self.outermost(None, &lows, Op::Max);
        let high = self.outermost(None, &highs, Op::Min);
        let bounds = match (low, high) {
            (Some(low), _) => (low, self.builder.new_register(|to| Op::Plus(to, low, GUESSES))),
            (None, Some(high)) => {
                (self.builder.new_register(|to| Op::Plus(to, high, -GUESSES)), high)
            }
            (None, None) => {
                (self.builder.word((-GUESSES).into()), self.builder.word(Word::from(GUESSES) + 1))
            }
        };
        self.count(var, bounds, (layout, Counted::Itself, true));
    }

    fn count(
        &mut self,
        var: VarId,
        (low, high): (Reg, Reg),
        (layout, how, tried): (LayoutId, Counted, bool),
    ) {
        let (counter, begin) = (self.builder.register(), self.builder.ops.len());
        let left_out = (tried && self.endless == Endless::Unknown).then_some(Lack::Rival(var));
        self.loops.push(Loop { begin, counter, high, left_out });
        self.fails.push(Vec::new());
        let level = self.level();
        self.builder.ops.push(Op::Begin { counter, low, high, exit: UNKNOWN, level });
        let value = self.builder.counted(counter, how, layout, tried);
        self.open.remove(&var);
        self.builder.variables.insert(var, Source::Register(value));
    }

    /// Nothing is tried for a variable: it has no value.
    fn give_up(&mut self, var: VarId) {
        let why = match self.endless {
            Endless::Tried => Lack::Domain(var),
            Endless::Unknown => Lack::Rival(var),
        };
        let register = self.builder.lack(why);
        let level = self.level();
        self.builder.ops.push(Op::Needs { on: register, level });
        self.open.remove(&var);
        self.builder.variables.insert(var, Source::Register(register));
    }
}
