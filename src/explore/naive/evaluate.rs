//! What terms come to, as far as their variables are known.
//!
//! A term has a value, or none (a place that an array does not have, a quotient by zero), or nothing can be said. `and`,
//! `or` and `if` are Kleene's: one operand can decide whatever the others are, since simplification may have changed
//! their order.
//!
//! Functions call themselves as deep as they like: the stack is a list, not the thread's.

use std::rc::Rc;

use super::attempt::{Attempt, Demand};
use super::partial::Partial;
use super::solve::{AnyWay, solve};
use super::sorts::Listing;
use super::store::Source;
use super::world::{Known, World};
use crate::algebra::{ConstId, FunId, Sort, Term, TermId, Terms, VarId};
use crate::base::budget::is_spent;
use crate::explore::{Gap, Value};

/// No more terms are looked into inside of each other.
const MOST_FRAMES: usize = 10_000;
/// No more terms are looked at for one.
const MOST_LOOKS: usize = 20_000_000;

/// What a term comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    /// A value, as far as it is known.
    Is(Partial),
    /// It has no value.
    Nothing,
    /// Nothing can be said.
    Gap(Gap),
}

impl Seen {
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Seen::Is(partial) => partial.as_bool(),
            _ => None,
        }
    }

    /// Whether it depends on what is not known yet.
    pub fn is_open(&self) -> bool {
        matches!(self, Seen::Is(partial) if partial.value().is_none())
    }
}

/// Reads terms, with what is known.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub world: &'a World<'a>,
    pub known: &'a Known,
}

/// The parameters of a function, or variables under a quantifier.
struct Locals {
    values: Vec<(VarId, Partial)>,
    outer: Scope,
    /// The function whose parameters they are, if they are.
    function: Option<FunId>,
}

type Scope = Option<Rc<Locals>>;

/// A term that is being looked at.
struct Frame {
    term: TermId,
    scope: Scope,
    inside: Vec<TermId>,
    /// What was seen inside.
    done: Vec<Seen>,
    /// Under a quantifier, the values of each variable.
    ranges: Vec<Vec<Partial>>,
    /// A sort among them that has no end of values.
    endless: Option<String>,
}

/// What is to be done about a term.
enum Next {
    Look(TermId, Scope),
    Done(Seen),
}

impl<'a> Reader<'a> {
    fn terms(&self) -> &'a Terms {
        self.world.terms
    }

    /// What a term comes to.
    pub fn see(&self, term: TermId) -> Seen {
        let mut frames = vec![self.frame(term, None)];
        for _ in 0..MOST_LOOKS {
            if is_spent() {
                return Seen::Gap(Gap::Stopped);
            }
            let depth = frames.len();
            let Some(frame) = frames.last_mut() else { break };
            match self.next(frame) {
                Next::Look(inner, scope) if depth < MOST_FRAMES => {
                    frames.push(self.frame(inner, scope));
                }
                Next::Look(..) => break,
                Next::Done(seen) => {
                    frames.pop();
                    let Some(outer) = frames.last_mut() else { return seen };
                    outer.done.push(seen);
                }
            }
        }
        Seen::Gap(Gap::TooDeep { name: self.innermost(&frames) })
    }

    fn frame(&self, term: TermId, scope: Scope) -> Frame {
        let inside = self.terms().children(term);
        Frame { term, scope, inside, done: Vec::new(), ranges: Vec::new(), endless: None }
    }

    /// The function that is being computed.
    fn innermost(&self, frames: &[Frame]) -> String {
        let function = frames.iter().rev().find_map(|frame| {
            let mut scope = frame.scope.as_ref();
            while let Some(locals) = scope {
                if let Some(function) = locals.function {
                    return Some(
                        self.world.net.algebra.functions[function.index()].name.to_string(),
                    );
                }
                scope = locals.outer.as_ref();
            }
            None
        });
        function.unwrap_or_else(|| "a condition".to_owned())
    }

    fn next(&self, frame: &mut Frame) -> Next {
        match self.terms().get(frame.term) {
            Term::Var(var) => Next::Done(Seen::Is(self.variable(*var, &frame.scope))),
            Term::Const(id) => self.constant(*id, frame),
            Term::If(..) => self.choice(frame),
            Term::And(_) => self.junction(frame, false),
            Term::Or(_) => self.junction(frame, true),
            Term::Apply(function, _) => self.call(*function, frame),
            Term::Forall(vars, body) => self.quantified(vars, *body, frame, false),
            Term::Exists(vars, body) => self.quantified(vars, *body, frame, true),
            term => match frame.inside.get(frame.done.len()) {
                Some(&inner) => Next::Look(inner, frame.scope.clone()),
                None => Next::Done(self.combined(term, std::mem::take(&mut frame.done))),
            },
        }
    }

    fn variable(&self, var: VarId, scope: &Scope) -> Partial {
        let mut scope = scope.as_ref();
        while let Some(locals) = scope {
            if let Some((_, value)) = locals.values.iter().find(|(one, _)| *one == var) {
                return self.known.store.resolve(value);
            }
            scope = locals.outer.as_ref();
        }
        match self.known.env.get(&var) {
            Some(value) => self.known.store.resolve(value),
            None => self.world.state.get(&var).cloned().unwrap_or(Partial::Open),
        }
    }

    fn constant(&self, id: ConstId, frame: &mut Frame) -> Next {
        let constant = &self.world.net.algebra.constants[id.index()];
        match (constant.value, frame.done.pop(), self.world.constants.get(id.index())) {
            (_, Some(seen), _) => Next::Done(seen),
            (Some(value), ..) => Next::Look(value, None),
            (None, None, Some(Some(known))) => {
                Next::Done(Seen::Is(self.known.store.resolve(known)))
            }
            _ => Next::Done(Seen::Gap(Gap::NeedsValue { name: constant.name.to_string() })),
        }
    }

    /// Only the branch that is taken is looked at. Where nobody can say which, both may come to the same; inside of
    /// functions this is not asked, since the other branch may call for ever.
    fn choice(&self, frame: &mut Frame) -> Next {
        let (done, inside) = (&frame.done, &frame.inside);
        let look = |place: usize| Next::Look(inside[place], frame.scope.clone());
        let Some(condition) = done.first() else { return look(0) };
        match (condition.as_bool(), done.len()) {
            (Some(value), 1) => look(if value { 1 } else { 2 }),
            (Some(_), _) => Next::Done(done[1].clone()),
            (None, _) if condition.is_open() => Next::Done(Seen::Is(Partial::Open)),
            (None, _) if frame.scope.is_some() => Next::Done(condition.clone()),
            (None, count @ (1 | 2)) => look(count),
            (None, _) if done[1] == done[2] && !done[1].is_open() => Next::Done(done[1].clone()),
            (None, _) => Next::Done(condition.clone()),
        }
    }

    /// `and` and `or`: one operand can decide.
    fn junction(&self, frame: &mut Frame, decides: bool) -> Next {
        if frame.done.last().is_some_and(|last| last.as_bool() == Some(decides)) {
            return Next::Done(Seen::Is(Partial::bool(decides)));
        }
        match frame.inside.get(frame.done.len()) {
            Some(&inner) => Next::Look(inner, frame.scope.clone()),
            None => Next::Done(undecided(&frame.done, decides)),
        }
    }

    fn call(&self, id: FunId, frame: &mut Frame) -> Next {
        if let Some(&argument) = frame.inside.get(frame.done.len()) {
            return Next::Look(argument, frame.scope.clone());
        }
        if frame.done.len() > frame.inside.len() {
            return Next::Done(frame.done[frame.inside.len()].clone());
        }
        let function = &self.world.net.algebra.functions[id.index()];
        let Some(body) = function.body else {
            return Next::Done(Seen::Gap(Gap::Abstract { name: function.name.to_string() }));
        };
        let args = match strict(frame.done.clone()) {
            Ok(args) => args,
            Err(seen) => return Next::Done(seen),
        };
        let values = function.params.iter().copied().zip(args).collect();
        Next::Look(body, Some(Rc::new(Locals { values, outer: None, function: Some(id) })))
    }

    // ---- quantifiers ----

    fn quantified(&self, vars: &[VarId], body: TermId, frame: &mut Frame, decides: bool) -> Next {
        if frame.ranges.is_empty() {
            for var in vars {
                let sort = &self.terms().var(*var).sort;
                match self.range(sort, frame) {
                    Ok(range) => frame.ranges.push(range),
                    Err(seen) => return Next::Done(seen),
                }
            }
        }
        if frame.done.last().is_some_and(|last| last.as_bool() == Some(decides)) {
            return Next::Done(Seen::Is(Partial::bool(decides)));
        }
        match instance(&frame.ranges, frame.done.len()) {
            Some(values) => {
                let values = vars.iter().copied().zip(values).collect();
                let outer = frame.scope.clone();
                Next::Look(body, Some(Rc::new(Locals { values, outer, function: None })))
            }
            None => Next::Done(self.over(vars, body, frame, decides)),
        }
    }

    /// The values that a variable under a quantifier goes through. Of a sort without end, one that stands for all.
    fn range(&self, sort: &Sort, frame: &mut Frame) -> Result<Vec<Partial>, Seen> {
        match self.values(sort) {
            Listing::All(values) => Ok(values.into_iter().map(Partial::Whole).collect()),
            Listing::Endless(name) => {
                frame.endless.get_or_insert(name);
                Ok(vec![Partial::Open])
            }
            Listing::Waiting => Err(Seen::Is(Partial::Open)),
            Listing::Gap(gap) => Err(Seen::Gap(gap)),
        }
    }

    /// What all instances of a quantifier come to, where none decides.
    fn over(&self, vars: &[VarId], body: TermId, frame: &Frame, decides: bool) -> Seen {
        let seen = undecided(&frame.done, decides);
        match &frame.endless {
            Some(sort) if seen.as_bool().is_none() && !self.waits(frame) => {
                let found = self.sought(vars, body, frame, decides);
                found.unwrap_or_else(|| Seen::Gap(Gap::Quantifier { sort: sort.clone() }))
            }
            _ => seen,
        }
    }

    /// Looks for values that decide, where there is no end of them; nothing where nobody can say whether there are such.
    fn sought(&self, vars: &[VarId], body: TermId, frame: &Frame, decides: bool) -> Option<Seen> {
        let mut attempt = Attempt::new(self.known.clone());
        let mut scopes: Vec<&Locals> = Vec::new();
        let mut scope = frame.scope.as_deref();
        while let Some(locals) = scope {
            scopes.push(locals);
            scope = locals.outer.as_deref();
        }
        let values = scopes.into_iter().rev().flat_map(|locals| locals.values.iter().cloned());
        attempt.known.env.extend(values);
        for &var in vars {
            let name = self.terms().var(var).name.to_string();
            attempt.declare(self.world, var, name, Source::Vector);
        }
        attempt.demand(if decides { Demand::True(body) } else { Demand::False(body) });
        let _inside = self.world.inside()?;
        let solved = solve(self.world, vec![attempt], &AnyWay).ok()?;
        let found = !solved.found.is_empty();
        (found || solved.limited.is_none()).then(|| Seen::Is(Partial::bool(decides == found)))
    }

    /// Whether a term depends on what is not known yet.
    fn waits(&self, frame: &Frame) -> bool {
        self.terms().inside([frame.term]).any(|id| match self.terms().get(id) {
            Term::Var(var) => {
                let known = self.known.env.contains_key(var) || is_local(*var, &frame.scope);
                known && self.variable(*var, &frame.scope).value().is_none()
            }
            Term::Const(id) => match self.world.constants.get(id.index()) {
                Some(Some(known)) => self.known.store.resolve(known).value().is_none(),
                _ => false,
            },
            _ => false,
        })
    }
}

/// Whether a variable is one of the parameters or of the variables under quantifiers around.
fn is_local(var: VarId, scope: &Scope) -> bool {
    let mut scope = scope.as_deref();
    while let Some(locals) = scope {
        if locals.values.iter().any(|(own, _)| *own == var) {
            return true;
        }
        scope = locals.outer.as_deref();
    }
    false
}

/// Operands none of which decides.
fn undecided(done: &[Seen], decides: bool) -> Seen {
    if done.iter().any(Seen::is_open) {
        return Seen::Is(Partial::Open);
    }
    let trouble = done.iter().find(|one| matches!(one, Seen::Gap(_)));
    let trouble = trouble.or_else(|| done.iter().find(|one| **one == Seen::Nothing));
    trouble.cloned().unwrap_or_else(|| Seen::Is(Partial::bool(!decides)))
}

/// All values, where there are such. What has no value makes nothing of the rest.
pub(super) fn strict(done: Vec<Seen>) -> Result<Vec<Partial>, Seen> {
    if done.contains(&Seen::Nothing) {
        return Err(Seen::Nothing);
    }
    let is_open = done.iter().any(Seen::is_open);
    let mut parts = Vec::with_capacity(done.len());
    for one in done {
        match one {
            Seen::Is(partial) => parts.push(partial),
            Seen::Gap(_) if is_open => return Err(Seen::Is(Partial::Open)),
            trouble => return Err(trouble),
        }
    }
    Ok(parts)
}

/// The values of variables in the instance of this number.
fn instance(ranges: &[Vec<Partial>], number: usize) -> Option<Vec<Partial>> {
    let mut rest = number;
    let mut values = Vec::with_capacity(ranges.len());
    for range in ranges.iter().rev() {
        let place = rest.checked_rem(range.len())?;
        values.push(range[place].clone());
        rest /= range.len();
    }
    values.reverse();
    (rest == 0).then_some(values)
}

/// Whether a value is nested so deep that going through it would be dangerous.
pub(super) fn is_too_deep(value: &Value) -> bool {
    const MOST_NESTED: usize = 1_000;
    let mut work = vec![(value, 0)];
    while let Some((value, depth)) = work.pop() {
        if depth > MOST_NESTED {
            return true;
        }
        match value {
            Value::Data(_, _, inner) | Value::Act(_, inner) => {
                work.extend(inner.iter().map(|one| (one, depth + 1)));
            }
            Value::Sync(inner) | Value::Co(inner) => work.push((inner, depth + 1)),
            Value::Array(array) => {
                work.extend(array.places.values().chain(&array.rest).map(|one| (one, depth + 1)));
            }
            _ => {}
        }
    }
    false
}
