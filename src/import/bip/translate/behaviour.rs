//! What an atom does: states are the places that are marked together, and internal transitions are done at once.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::super::super::problems::{
    PriorityCircle, Refusal, RefusedBip, SamePortTwice, UnsafePlace,
};
use super::super::super::text::Texts;
use super::super::model::{AtomDef, TransitionDef};
use super::super::term::{Ref, Term, Values, execute, now};
use super::super::tree::Operator;
use crate::base::budget::is_spent;

/// So many internal transitions are done in a row.
const MOST_INTERNAL: usize = 64;

/// An atom with more states is not translated.
const MOST_STATES: usize = 2_000;

/// So many ways through internal transitions are followed for one transition.
const MOST_WAYS: usize = 512;

/// The marked places.
pub(super) type Marking = BTreeSet<usize>;

/// A transition of the process.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub from: usize,
    pub to: usize,
    /// The port of the atom.
    pub port: usize,
    pub guard: Term,
    /// The values of variables that change.
    pub values: Vec<(usize, Term)>,
}

#[derive(Clone, Debug)]
pub(super) struct Behaviour {
    pub states: Vec<Marking>,
    /// The state at first, and the values of variables; those that are not there have none.
    pub start: FxHashMap<usize, Term>,
    pub steps: Vec<Step>,
}

/// What goes before a port, under which conditions.
type Above = Vec<(usize, Term)>;

/// Which variables get values at which ports.
pub(super) type Inputs<'i> = &'i dyn Fn(usize, usize) -> bool;

/// The behaviour of an atom whose ports `is_live` says can happen.
pub(super) fn behaviour(
    atom: &AtomDef,
    is_live: &dyn Fn(usize) -> bool,
    inputs: Inputs<'_>,
    texts: &mut Texts<'_>,
) -> Option<Behaviour> {
    let before = texts.diagnostics.len();
    let above = priorities(atom, texts)?;
    let mut making = Making { atom, texts, states: IndexMap::new(), told: BTreeSet::new() };
    let (first, start) = making.start()?;
    making.states.insert(first, ());
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some((marking, ())) = making.states.get_index(at) {
        let marking = marking.clone();
        making.steps(at, &marking, (&above, is_live, inputs), &mut steps)?;
        at += 1;
        if at > MOST_STATES || is_spent() {
            let refusal = Refusal::TooLarge("this atom has too many states");
            texts.report(RefusedBip { span: atom.name.span, refusal });
            return None;
        }
    }
    let states = making.states.into_keys().collect();
    let is_well = texts.diagnostics[before..]
        .iter()
        .all(|one| one.severity != crate::diagnostics::Severity::Error);
    is_well.then_some(Behaviour { states, start, steps })
}

/// For each port: the ports that go before it, under which conditions.
fn priorities(atom: &AtomDef, texts: &mut Texts<'_>) -> Option<Vec<Above>> {
    let mut all = Vec::new();
    for start in 0..atom.ports.len() {
        let mut found: Vec<(usize, Term)> = Vec::new();
        let mut work = vec![(vec![start], Term::Bool(true))];
        let mut ways = 0;
        while let Some((way, guard)) = work.pop() {
            ways += 1;
            let Some(last) = way.last() else { continue };
            for rule in atom.rules.iter().filter(|rule| rule.low == *last) {
                let guard = guard.clone().and(rule.guard.clone());
                if way.contains(&rule.high) {
                    if guard == Term::Bool(true) && rule.high == start {
                        let name = |port: &usize| atom.ports[*port].name.text().to_owned();
                        let way = way.iter().map(name).collect();
                        texts.report(PriorityCircle { span: rule.span, way });
                        return None;
                    }
                    continue;
                }
                match found.iter_mut().find(|(one, _)| *one == rule.high) {
                    Some((_, Term::Bool(true))) => continue,
                    Some((_, known)) if *known == guard => continue,
                    Some((_, known)) => *known = known.clone().or(guard.clone()),
                    None => found.push((rule.high, guard.clone())),
                }
                let mut longer = way.clone();
                longer.push(rule.high);
                work.push((longer, guard));
            }
            if ways > MOST_WAYS {
                let refusal = Refusal::TooLarge("the priorities of this atom");
                texts.report(RefusedBip { span: atom.name.span, refusal });
                return None;
            }
        }
        all.push(found);
    }
    Some(all)
}

struct Making<'a, 'x, 'f> {
    atom: &'a AtomDef,
    texts: &'x mut Texts<'f>,
    states: IndexMap<Marking, ()>,
    /// Pairs of transitions that were told of.
    told: BTreeSet<(u32, u32)>,
}

/// A way through internal transitions: its condition, where it leads, and the values then.
type Way = (Term, Marking, Values);

impl Making<'_, '_, '_> {
    fn refuse<T>(&mut self, span: crate::diagnostics::Span, refusal: Refusal) -> Option<T> {
        self.texts.report(RefusedBip { span, refusal });
        None
    }

    fn execute(&mut self, of: &[super::super::term::Action], values: &mut Values) -> Option<()> {
        match execute(of, values) {
            Ok(()) => Some(()),
            Err(large) => self.refuse(large.0, Refusal::TooLarge("what these statements compute")),
        }
    }

    /// The first state, after internal transitions, and the values there.
    fn start(&mut self) -> Option<(Marking, FxHashMap<usize, Term>)> {
        let unset = (0..self.atom.data.len()).map(|at| (Ref::Data(at), Term::Ref(Ref::Unset(at))));
        let mut values: Values = unset.collect();
        let start = self.atom.start.clone();
        self.execute(&start, &mut values)?;
        let marking: Marking = self.atom.initial.iter().copied().collect();
        let ways = self.settle(Term::Bool(true), marking, values)?;
        let [(Term::Bool(true), marking, values)] = ways.as_slice() else {
            let first = self.atom.transitions.iter().find(|one| one.port.is_none());
            let span = first.map_or(self.atom.name.span, |one| one.span);
            return self.refuse(span, Refusal::InternalAtFirst);
        };
        let mut start = FxHashMap::default();
        for at in 0..self.atom.data.len() {
            let term = values.get(&Ref::Data(at)).cloned().unwrap_or(Term::Ref(Ref::Unset(at)));
            if term == Term::Ref(Ref::Unset(at)) {
                continue;
            }
            let mut unset = None;
            term.refs(&mut |one| {
                if let Ref::Unset(other) = one {
                    unset = Some(other);
                }
            });
            if let Some(other) = unset {
                let variable = &self.atom.data[other].variable.name;
                return self.refuse(variable.span, Refusal::Unset(variable.text().to_owned()));
            }
            start.insert(at, term);
        }
        Some((marking.clone(), start))
    }

    /// Where a transition leads from a marking, if it can happen there.
    fn fired(&mut self, transition: &TransitionDef, marking: &Marking) -> Option<Marking> {
        if !transition.from.iter().all(|place| marking.contains(place)) {
            return None;
        }
        let mut after = marking.clone();
        transition.from.iter().for_each(|place| _ = after.remove(place));
        for (place, span) in &transition.to {
            if !after.insert(*place) {
                let name = |place: &usize| self.atom.places[*place].text().to_owned();
                let marked: Vec<String> = marking.iter().map(name).collect();
                if self.told.insert((span.start, u32::MAX)) {
                    let place = name(place);
                    self.texts.report(UnsafePlace {
                        span: *span,
                        place,
                        marking: marked.join(", "),
                    });
                }
                return None;
            }
        }
        Some(after)
    }

    /// Does internal transitions until there is none to do.
    fn settle(&mut self, condition: Term, marking: Marking, values: Values) -> Option<Vec<Way>> {
        let mut done = Vec::new();
        let mut work = vec![(condition, marking, values, 0_usize)];
        while let Some((condition, marking, values, depth)) = work.pop() {
            let mut stays = condition;
            let mut seen: Vec<&TransitionDef> = Vec::new();
            let internal = self.atom.transitions.iter().filter(|one| one.port.is_none());
            for transition in internal {
                let Some(after) = self.fired(transition, &marking) else { continue };
                seen.iter().for_each(|first| self.tell_pair(first, transition));
                seen.push(transition);
                let guard = now(&transition.guard, &values);
                let goes = stays.clone().and(guard.clone());
                if goes == Term::Bool(false) {
                    continue;
                }
                if depth >= MOST_INTERNAL
                    || done.len() + work.len() > MOST_WAYS
                    || goes.is_too_large()
                {
                    return self.refuse(transition.span, Refusal::InternalLoop(MOST_INTERNAL));
                }
                let mut values = values.clone();
                self.execute(&transition.action, &mut values)?;
                work.push((goes, after, values, depth + 1));
                stays = stays.and(guard.not());
            }
            if stays != Term::Bool(false) {
                done.push((stays, marking, values));
            }
        }
        Some(done)
    }

    /// Warns of two transitions of one port that may be enabled together.
    fn tell_pair(&mut self, first: &TransitionDef, second: &TransitionDef) {
        let both = first.guard.clone().and(second.guard.clone());
        let is_apart = both == Term::Bool(false) || excludes(&first.guard, &second.guard);
        if !is_apart && self.told.insert((first.span.start, second.span.start)) {
            self.texts.report(SamePortTwice { span: second.span, first: first.span });
        }
    }

    fn steps(
        &mut self,
        from: usize,
        marking: &Marking,
        (above, is_live, inputs): (&[Above], &dyn Fn(usize) -> bool, Inputs<'_>),
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let atom = self.atom;
        let mut enabled: Vec<Term> = vec![Term::Bool(false); atom.ports.len()];
        let mut fired = Vec::new();
        for transition in atom.transitions.iter() {
            let Some(port) = transition.port else { continue };
            let Some(after) = self.fired(transition, marking) else { continue };
            let others =
                fired.iter().filter(|(one, _): &&(&TransitionDef, Marking)| one.port == Some(port));
            let others: Vec<&TransitionDef> = others.map(|(one, _)| *one).collect();
            others.iter().for_each(|first| self.tell_pair(first, transition));
            enabled[port] = std::mem::replace(&mut enabled[port], Term::Bool(false))
                .or(transition.guard.clone());
            fired.push((transition, after));
        }
        for (transition, after) in fired {
            let Some(port) = transition.port.filter(|port| is_live(*port)) else { continue };
            let mut guard = transition.guard.clone();
            for (high, condition) in &above[port] {
                guard = guard.and(condition.clone().and(enabled[*high].clone()).not());
            }
            if guard == Term::Bool(false) {
                continue;
            }
            let carried = atom.ports[port].data.iter().enumerate();
            let carried = carried.filter(|(at, _)| inputs(port, *at));
            let mut values: Values =
                carried.map(|(_, data)| (Ref::Data(*data), Term::Ref(Ref::Input(*data)))).collect();
            self.execute(&transition.action, &mut values)?;
            for (condition, after, values) in self.settle(guard, after, values)? {
                let to = self.states.insert_full(after, ()).0;
                let mut changed: Vec<(usize, Term)> = values
                    .into_iter()
                    .filter_map(|(key, term)| match key {
                        Ref::Data(at) if term != Term::Ref(Ref::Data(at)) => Some((at, term)),
                        _ => None,
                    })
                    .collect();
                changed.sort_by_key(|(at, _)| *at);
                steps.push(Step { from, to, port, guard: condition, values: changed });
            }
        }
        Some(())
    }
}

/// Whether two conditions plainly exclude each other: one is the opposite of a part of the other.
fn excludes(first: &Term, second: &Term) -> bool {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    parts(first, &mut ones);
    parts(second, &mut others);
    ones.iter().any(|one| others.iter().any(|other| are_opposite(one, other)))
}

fn parts<'t>(term: &'t Term, all: &mut Vec<&'t Term>) {
    match term {
        Term::Binary(Operator::AndAnd, sides) => {
            parts(&sides.0, all);
            parts(&sides.1, all);
        }
        other => all.push(other),
    }
}

fn are_opposite(one: &Term, other: &Term) -> bool {
    if one.clone().not() == *other || *one == other.clone().not() {
        return true;
    }
    let (Term::Binary(first, a), Term::Binary(second, b)) = (one, other) else { return false };
    let differ = |x: &Term, y: &Term| matches!((x, y), (Term::Int(x), Term::Int(y)) if x != y);
    if a.0 == b.0 && a.1 == b.1 {
        use Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        return matches!(
            (first, second),
            (Equal, NotEqual | Less | Greater)
                | (NotEqual | Less | Greater, Equal)
                | (Less, GreaterEqual | Greater)
                | (GreaterEqual | Greater, Less)
                | (LessEqual, Greater)
                | (Greater, LessEqual)
        );
    }
    *first == Operator::Equal && *second == Operator::Equal && a.0 == b.0 && differ(&a.1, &b.1)
}
