//! Temporal formulas on random finite systems: fixpoints against sets that are computed as they are defined, what is said of
//! runs against runs that are looked at position by position, and both engines against each other.
//!
//! `PNET_FUZZ` and `PNET_SEED` work as elsewhere.

use pnetc::algebra::{Sort, TermId, Terms, VarId, VariableKind};
use pnetc::base::{Dice, Id};
use pnetc::diagnostics::{Span, Symbol};
use pnetc::explore::{Gap, Value};
use pnetc::lts::{LtsState, Rows};
use pnetc::temporal::{
    Atoms, Bindings, Decider, FairPattern, Fairness, FiniteSystem, FixId, Lasso, Modality, MoveId,
    PathFormula as P, PlainDecider, Runs, StateFormula as F, StatePredicate, StepPattern,
    counterexample,
};

use crate::common::seeds::{fuzz, seeds};

const LABELS: usize = 3;

/// A system whose states are bits, and whose first label needs a hole.
struct Small {
    bits: Vec<usize>,
    steps: Vec<Vec<(usize, usize)>>,
}

impl Small {
    fn random(dice: &mut Dice) -> Small {
        let count = 1 + dice.below(5);
        let bits = (0..count).map(|_| dice.below(4)).collect();
        let mut steps = vec![Vec::new(); count];
        for _ in 0..dice.below(3 * count) {
            steps[dice.below(count)].push((dice.below(LABELS), dice.below(count)));
        }
        Small { bits, steps }
    }

    fn explicit(&self) -> FiniteSystem {
        let mut rows = Rows::with_capacity(self.steps.len(), 0);
        for row in &self.steps {
            row.iter().for_each(|&(a, to)| rows.push((MoveId::at(a), LtsState::at(to))));
            rows.end_row();
        }
        FiniteSystem { begins: vec![LtsState::at(0)], steps: rows }
    }

    fn may_end(&self, at: usize) -> bool {
        self.steps[at].iter().all(|step| step.0 == 0)
    }
}

impl Atoms for Small {
    fn holds(&mut self, at: LtsState, says: &StatePredicate, _: &Bindings) -> Result<bool, Gap> {
        Ok(self.bits[at.index()] >> says.says.index() & 1 == 1)
    }

    fn fits(&mut self, done: MoveId, step: &StepPattern, bound: &Bindings) -> Result<bool, Gap> {
        let StepPattern::Shows(term) = step else { return Err(Gap::Undefined) };
        // A term from 10 on is a variable.
        Ok(match term.index().checked_sub(10) {
            Some(var) => bound.iter().any(|(known, value)| {
                known.index() == var && value.as_int() == Some(&done.index().into())
            }),
            None => done.index() == term.index(),
        })
    }

    fn value(&mut self, done: Option<MoveId>, term: TermId, _: &Bindings) -> Result<Value, Gap> {
        Ok(Value::Int(done.map_or(term.index(), |done| done.index()).into()))
    }

    fn values(&mut self, _: VarId) -> Result<Vec<Value>, Gap> {
        Ok((0..LABELS).map(|value| Value::Int(value.into())).collect())
    }

    fn needs_hole(&self, done: MoveId) -> bool {
        done.index() == 0
    }
}

/// The term at a place of a table of numbers: what is meant by it is its place alone.
fn term(place: usize) -> TermId {
    let mut terms = Terms::default();
    (0..=place).map(|number| terms.int(number)).last().unwrap()
}

fn pattern(dice: &mut Dice, depth: usize) -> StepPattern {
    let two = |dice: &mut Dice| vec![pattern(dice, depth - 1), pattern(dice, depth - 1)];
    match dice.below(if depth == 0 { 4 } else { 7 }) {
        0 => StepPattern::Any,
        1..4 => StepPattern::Shows(term(dice.below(LABELS))),
        4 => StepPattern::Not(Box::new(pattern(dice, depth - 1))),
        5 => StepPattern::And(two(dice)),
        _ => StepPattern::Or(two(dice)),
    }
}

fn is_meant(step: &StepPattern, label: usize) -> bool {
    match step {
        StepPattern::Any => true,
        StepPattern::Shows(term) => term.index() == label,
        StepPattern::Not(inner) => !is_meant(inner, label),
        StepPattern::And(parts) => parts.iter().all(|part| is_meant(part, label)),
        StepPattern::Or(parts) => parts.iter().any(|part| is_meant(part, label)),
        _ => false,
    }
}

fn atom(dice: &mut Dice) -> F {
    let says = term(dice.below(2));
    F::Holds(StatePredicate { owed: says, says })
}

/// A formula with fixpoints; `free` are those around it that may be named under so many negations.
fn modal(dice: &mut Dice, depth: usize, free: &mut Vec<(FixId, bool)>, next: &mut u32) -> F {
    if depth == 0 {
        let usable: Vec<FixId> = free.iter().filter(|(_, not)| !not).map(|(id, _)| *id).collect();
        return match dice.below(3) {
            0 => atom(dice),
            1 if dice.below(4) == 0 => F::MayEnd,
            _ if usable.is_empty() => F::Bool(dice.below(2) == 0),
            _ => F::Again(usable[dice.below(usable.len())], Vec::new()),
        };
    }
    let depth = depth - 1;
    match dice.below(8) {
        0 => F::And(vec![modal(dice, depth, free, next), modal(dice, depth, free, next)]),
        1 => F::Or(vec![modal(dice, depth, free, next), modal(dice, depth, free, next)]),
        2 => {
            free.iter_mut().for_each(|one| one.1 = !one.1);
            let inner = modal(dice, depth, free, next);
            free.iter_mut().for_each(|one| one.1 = !one.1);
            F::Not(Box::new(inner))
        }
        3 => F::Box(Modality::plain(pattern(dice, 1), modal(dice, depth, free, next))),
        4 => F::Diamond(Modality::plain(pattern(dice, 1), modal(dice, depth, free, next))),
        _ => {
            let (id, greatest) = (FixId(*next), dice.below(2) == 0);
            *next += 1;
            free.push((id, false));
            let body = Box::new(modal(dice, depth, free, next));
            free.pop();
            F::Fix { id, greatest, params: Vec::new(), body }
        }
    }
}

/// Where a formula holds, as it is defined.
fn naive(small: &Small, formula: &F, known: &mut Vec<(FixId, Vec<bool>)>) -> Vec<bool> {
    let states = 0..small.bits.len();
    match formula {
        F::Bool(value) => vec![*value; small.bits.len()],
        F::Holds(says) => states.map(|at| small.bits[at] >> says.says.index() & 1 == 1).collect(),
        F::MayEnd => states.map(|at| small.may_end(at)).collect(),
        F::Not(inner) => naive(small, inner, known).into_iter().map(|is| !is).collect(),
        F::And(parts) | F::Or(parts) => {
            let sets: Vec<_> = parts.iter().map(|part| naive(small, part, known)).collect();
            let all = matches!(formula, F::And(_));
            let is = |at: usize| {
                if all { sets.iter().all(|set| set[at]) } else { sets.iter().any(|set| set[at]) }
            };
            states.map(is).collect()
        }
        F::Box(modality) | F::Diamond(modality) => {
            let then = naive(small, &modality.then, known);
            let all = matches!(formula, F::Box(_));
            let is = |at: usize| {
                let mut to = small.steps[at].iter();
                let mut to = to.by_ref().filter(|step| is_meant(&modality.step, step.0));
                if all { to.all(|step| then[step.1]) } else { to.any(|step| then[step.1]) }
            };
            states.map(is).collect()
        }
        F::Fix { id, greatest, body, .. } => {
            let mut set = vec![*greatest; small.bits.len()];
            loop {
                known.push((*id, set.clone()));
                let next = naive(small, body, known);
                known.pop();
                if next == set {
                    return set;
                }
                set = next;
            }
        }
        F::Again(id, _) => known.iter().rev().find(|(one, _)| one == id).unwrap().1.clone(),
        other => panic!("{other:?} is not made here"),
    }
}

fn position(dice: &mut Dice, depth: usize) -> P {
    match dice.below(if depth == 0 { 3 } else { 6 }) {
        0 => P::State(atom(dice)),
        1 | 2 => P::Step(pattern(dice, 1)),
        3 => P::Not(Box::new(position(dice, depth - 1))),
        4 => P::And(vec![position(dice, depth - 1), position(dice, depth - 1)]),
        _ => P::Implies(Box::new(position(dice, depth - 1)), Box::new(position(dice, depth - 1))),
    }
}

fn path(dice: &mut Dice, depth: usize) -> P {
    if depth == 0 {
        return position(dice, 1);
    }
    let one = Box::new(path(dice, depth - 1));
    let other = Box::new(path(dice, depth - 1));
    match dice.below(8) {
        0 => P::Finally(one),
        1 => P::Globally(one),
        2 => P::Until(one, other),
        3 => P::WeakUntil(one, other),
        4 => P::Not(one),
        5 => P::Or(vec![*one, *other]),
        6 => P::And(vec![*one, *other]),
        _ => P::Next(one),
    }
}

/// What a formula says at each position of a run, as it is defined.
fn on_run(small: &Small, run: &Lasso, says: &P, weak: bool) -> Vec<bool> {
    let mut states = vec![run.begins.index()];
    let all: Vec<(usize, usize)> =
        run.stem.iter().chain(&run.round).map(|(done, to)| (done.index(), to.index())).collect();
    states.extend(all.iter().map(|step| step.1));
    if !run.round.is_empty() {
        assert_eq!(states.pop(), Some(states[run.stem.len()]), "the loop leads back");
    }
    let count = states.len();
    let next = |at: usize| match () {
        () if at + 1 < count => Some(at + 1),
        () if run.round.is_empty() => None,
        () => Some(run.stem.len()),
    };
    let go = |one: &P, weak: bool| on_run(small, run, one, weak);
    let until = |left: Vec<bool>, right: Vec<bool>, for_ever: bool| {
        let mut set = vec![for_ever; count];
        for _ in 0..=count {
            set = (0..count)
                .map(|at| right[at] || left[at] && next(at).map_or(for_ever, |to| set[to]))
                .collect();
        }
        set
    };
    match says {
        P::State(F::Holds(atom)) => {
            states.iter().map(|&at| small.bits[at] >> atom.says.index() & 1 == 1).collect()
        }
        P::Step(step) => (0..count)
            .map(|at| if next(at).is_none() { weak } else { is_meant(step, all[at].0) })
            .collect(),
        P::Not(inner) => go(inner, !weak).into_iter().map(|is| !is).collect(),
        P::And(parts) | P::Or(parts) => {
            let sets: Vec<_> = parts.iter().map(|part| go(part, weak)).collect();
            let all = matches!(says, P::And(_));
            (0..count)
                .map(|at| match all {
                    true => sets.iter().all(|set| set[at]),
                    false => sets.iter().any(|set| set[at]),
                })
                .collect()
        }
        P::Implies(one, other) => {
            let (one, other) = (go(one, !weak), go(other, weak));
            (0..count).map(|at| !one[at] || other[at]).collect()
        }
        P::Next(inner) => {
            let set = go(inner, false);
            (0..count).map(|at| next(at).is_some_and(|to| set[to])).collect()
        }
        P::Finally(inner) => until(vec![true; count], go(inner, false), false),
        P::Globally(inner) => until(go(inner, true), vec![false; count], true),
        P::Until(one, other) => until(go(one, false), go(other, false), false),
        P::WeakUntil(one, other) => until(go(one, true), go(other, false), true),
        other => panic!("{other:?} is not made here"),
    }
}

fn is_fair(small: &Small, run: &Lasso, fair: &[FairPattern]) -> bool {
    let can =
        |at: usize, step: &StepPattern| small.steps[at].iter().any(|one| is_meant(step, one.0));
    run.round.is_empty()
        || fair.iter().all(|FairPattern { step, kind, .. }| {
            let mut round = run.round.iter();
            let possible = match kind {
                Fairness::Strong => round.any(|(_, at)| can(at.index(), step)),
                Fairness::Weak => round.all(|(_, at)| can(at.index(), step)),
            };
            !possible || run.round.iter().any(|(done, _)| is_meant(step, done.index()))
        })
}

/// Whether it is a run of the system that ends only where one may.
fn is_run(small: &Small, run: &Lasso) -> bool {
    let mut at = run.begins.index();
    let steps = run.stem.iter().chain(&run.round).all(|(done, to)| {
        let is = small.steps[at].contains(&(done.index(), to.index()));
        at = to.index();
        is
    });
    let stem = run.stem.last().map_or(run.begins, |step| step.1).index();
    steps && if run.round.is_empty() { small.may_end(at) } else { at == stem }
}

/// Random runs of a system: walks that end, or that come back to where they were.
fn walks(small: &Small, dice: &mut Dice, count: usize) -> Vec<Lasso> {
    let mut found = Vec::new();
    for _ in 0..count {
        let (mut at, mut steps, mut path) = (0, Vec::new(), vec![0]);
        for _ in 0..dice.below(12) {
            let possible = &small.steps[at];
            if possible.is_empty() {
                break;
            }
            let (a, to) = possible[dice.below(possible.len())];
            steps.push((MoveId::at(a), LtsState::at(to)));
            at = to;
            path.push(at);
        }
        let begins = LtsState::at(0);
        if small.may_end(at) {
            found.push(Lasso { begins, stem: steps.clone(), round: Vec::new(), open: false });
        }
        for start in (0..steps.len()).filter(|&start| path[start] == at) {
            let (stem, round) = (steps[..start].to_vec(), steps[start..].to_vec());
            found.push(Lasso { begins, stem, round, open: false });
        }
    }
    found
}

/// A run that goes on at random until it ends or goes round.
fn gone_on(small: &Small, dice: &mut Dice, mut run: Lasso) -> Lasso {
    let first = run.stem.len();
    let mut at = run.stem.last().map_or(run.begins, |step| step.1).index();
    let mut path = vec![at];
    while !(small.steps[at].is_empty() || small.may_end(at) && dice.below(2) == 0) {
        let (a, to) = small.steps[at][dice.below(small.steps[at].len())];
        run.stem.push((MoveId::at(a), LtsState::at(to)));
        at = to;
        if let Some(back) = path.iter().position(|&known| known == at) {
            run.round = run.stem.split_off(first + back);
            return run;
        }
        path.push(at);
    }
    run
}

fn rounds(default: u64) -> std::ops::Range<u64> {
    seeds(fuzz().unwrap_or(default))
}

#[test]
fn fixpoints_are_what_they_are_defined_to_be() {
    let mut both = [0_usize; 2];
    for seed in rounds(2_000) {
        let dice = &mut Dice::new(seed);
        let mut small = Small::random(dice);
        let depth = 2 + dice.below(5);
        let formula = modal(dice, depth, &mut Vec::new(), &mut 0);
        let expected = naive(&small, &formula, &mut Vec::new());
        let system = small.explicit();
        let found = Decider::new(&system, &mut small, &[]).set(&formula, &Vec::new()).unwrap();
        assert_eq!(found, expected, "seed {seed}: {formula:?} of {:?}", system.steps);
        let plain = PlainDecider::new(&system, &mut small, &[]).set(&formula, &Vec::new());
        assert_eq!(plain, Ok(expected), "seed {seed}: {formula:?} of {:?}", system.steps);
        found.iter().for_each(|&is| both[usize::from(is)] += 1);
    }
    assert!(both.iter().all(|&count| count > 500), "{both:?}");
}

#[test]
fn what_is_said_of_runs_is_so_of_runs() {
    let (mut shown, mut held, mut looked) = (0, 0, 0);
    for seed in rounds(1_500) {
        let dice = &mut Dice::new(seed);
        let mut small = Small::random(dice);
        let says = {
            let depth = 1 + dice.below(3);
            path(dice, depth)
        };
        let mut fair = Vec::new();
        for _ in 0..dice.below(3) {
            let kind = if dice.below(2) == 0 { Fairness::Strong } else { Fairness::Weak };
            fair.push(FairPattern { step: pattern(dice, 1), kind, text: Span::new(0, 0) });
        }
        let system = small.explicit();
        let mut decider = Decider::new(&system, &mut small, &fair);
        let found = counterexample(&mut decider, &says).unwrap();
        let all = F::Path(Runs::All, Box::new(says.clone()));
        let holds = decider.at_first(&all).unwrap()[0];
        assert_eq!(holds, found.is_none(), "seed {seed}: {says:?} of {:?}", system.steps);
        let everywhere = decider.set(&all, &Vec::new());
        let plain = PlainDecider::new(&system, &mut small, &fair).set(&all, &Vec::new());
        assert_eq!(plain, everywhere, "seed {seed}: {says:?} of {:?}", system.steps);
        match found {
            Some(run) => {
                shown += 1;
                // However it goes on, where that does not matter.
                let run = if run.open { gone_on(&small, dice, run) } else { run };
                assert!(is_run(&small, &run), "seed {seed}: {run:?} of {:?}", system.steps);
                assert!(
                    run.open || is_fair(&small, &run, &fair),
                    "seed {seed}: {run:?} is not fair"
                );
                let said = on_run(&small, &run, &says, false)[0];
                assert!(!said, "seed {seed}: {says:?} on {run:?}");
            }
            None => {
                held += 1;
                for run in walks(&small, dice, 40) {
                    if is_fair(&small, &run, &fair) {
                        looked += 1;
                        let said = on_run(&small, &run, &says, false)[0];
                        assert!(said, "seed {seed}: {says:?} on {run:?}");
                    }
                }
            }
        }
    }
    assert!(shown > 200 && held > 200 && looked > 2_000, "{shown} {held} {looked}");
}

#[test]
fn operators_on_runs_as_fixpoints_and_by_automata_are_the_same() {
    // Fairness to what never happens leaves out nothing, and has automata asked.
    let idle = StepPattern::Or(Vec::new());
    let fair = [FairPattern { step: idle, kind: Fairness::Weak, text: Span::new(0, 0) }];
    for seed in rounds(1_500) {
        let dice = &mut Dice::new(seed);
        let mut small = Small::random(dice);
        let (one, other) = (Box::new(position(dice, 2)), Box::new(position(dice, 2)));
        let said = match dice.below(10) {
            6 => P::Globally(Box::new(P::Implies(one, Box::new(P::Finally(other))))),
            7 => P::Globally(Box::new(P::Implies(one, Box::new(P::Next(other))))),
            8 => P::Globally(Box::new(P::Finally(one))),
            9 => {
                let third = Box::new(position(dice, 1));
                let until = P::WeakUntil(other, third);
                let then = if dice.below(2) == 0 { P::Next(Box::new(until)) } else { until };
                P::Globally(Box::new(P::Implies(one, Box::new(then))))
            }
            0 => P::Finally(one),
            1 => P::Globally(one),
            2 => P::Next(one),
            3 => P::Not(Box::new(P::Until(one, other))),
            4 => P::Until(one, other),
            _ => P::WeakUntil(one, other),
        };
        let runs = if dice.below(2) == 0 { Runs::All } else { Runs::Some };
        let inner = F::Path(runs, Box::new(said));
        let formula = match dice.below(3) {
            0 => inner,
            1 => F::Path(Runs::All, Box::new(P::Globally(Box::new(P::State(inner))))),
            _ => F::Path(Runs::Some, Box::new(P::Finally(Box::new(P::State(inner))))),
        };
        let system = small.explicit();
        let plain = Decider::new(&system, &mut small, &[]).set(&formula, &Vec::new());
        let by_automata = Decider::new(&system, &mut small, &fair).set(&formula, &Vec::new());
        assert_eq!(plain, by_automata, "seed {seed}: {formula:?} of {:?}", system.steps);
        let defined = PlainDecider::new(&system, &mut small, &[]).set(&formula, &Vec::new());
        assert_eq!(plain, defined, "seed {seed}: {formula:?} of {:?}", system.steps);
    }
}

#[test]
fn what_is_bound_is_seen_later() {
    // 0 -1-> 1 -1-> 0, and 1 -2-> 2: what was done may be done again, where it was 1.
    let mut small =
        Small { bits: vec![0; 3], steps: vec![vec![(1, 1)], vec![(1, 0), (2, 2)], vec![]] };
    let system = small.explicit();
    let var = Terms::default().new_var(Symbol::new("x"), Sort::Int, VariableKind::Bound);
    let again = F::Diamond(Modality::plain(StepPattern::Shows(term(10)), F::Bool(true)));
    let binds = vec![(var, term(0))];
    let all = F::Box(Modality { step: StepPattern::Any, binds, then: Box::new(again.clone()) });
    let mut decider = Decider::new(&system, &mut small, &[]);
    assert_eq!(decider.set(&all, &Vec::new()).unwrap(), [true, false, true]);
    let every = F::Forall(vec![var], Box::new(again.clone()));
    assert_eq!(decider.set(&every, &Vec::new()).unwrap(), [false; 3]);
    let some = F::Exists(vec![var], Box::new(again));
    assert_eq!(decider.set(&some, &Vec::new()).unwrap(), [true, true, false]);
}
