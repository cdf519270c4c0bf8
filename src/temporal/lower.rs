//! What is said of runs by one operator, as fixpoints.
//!
//! `A[l U r]` is `mu X` of: whatever the configuration is, each step that is not `r` is `l` and leads to `X`, and a run
//! does not end here unless `r` holds without a step. The others are like it: `A[not a W b]` becomes
//! `nu X . [a and not b] false and [not b] X`, and `E[not c U a]` becomes `mu X . <a> true or <not c> X`.

use thiserror::Error;

use super::formula::{FixId, Modality, PathFormula, Runs, StateFormula, StepPattern};
use crate::base::Id;

/// More configurations than this are not told apart in one position.
const MOST_PARTS: usize = 6;

/// Why something is not a fixpoint.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NoFixpoint {
    /// An operator on runs stands inside of another.
    #[error("operators on runs stand inside of each other without `A` or `E`")]
    Nested,
    /// There are too many parts.
    #[error("one position speaks of more than {MOST_PARTS} configurations and values")]
    Large,
}

/// Gives numbers to fixpoints.
#[derive(Debug)]
pub struct Fixes(usize);

impl Fixes {
    /// Numbers that a formula does not have.
    pub fn after(formula: &StateFormula) -> Fixes {
        let mut next = 0;
        formula.any(&mut |part| {
            if let StateFormula::Fix { id, .. } = part {
                next = next.max(id.index() + 1);
            }
            false
        });
        Fixes(next)
    }

    /// A new one.
    pub fn fresh(&mut self) -> FixId {
        self.0 += 1;
        FixId::at(self.0 - 1)
    }
}

/// `AG (after p => f)`: `nu X . [p] f and [any] X`.
pub fn after_each(step: StepPattern, then: StateFormula, fixes: &mut Fixes) -> StateFormula {
    let id = fixes.fresh();
    let again = StateFormula::Again(id, Vec::new());
    let body = StateFormula::and([
        StateFormula::Box(Modality::plain(step, then)),
        StateFormula::Box(Modality::plain(StepPattern::Any, again)),
    ]);
    StateFormula::Fix { id, greatest: true, params: Vec::new(), body: Box::new(body) }
}

/// What is said of a position: of its configuration, and of its next step, if there is one.
pub(super) enum Position {
    Bool(bool),
    State(StateFormula),
    Step(StepPattern),
    Not(Box<Position>),
    And(Vec<Position>),
}

impl Position {
    pub(super) fn of(linear: &PathFormula) -> Result<Position, NoFixpoint> {
        let all =
            |parts: &[PathFormula]| parts.iter().map(Position::of).collect::<Result<Vec<_>, _>>();
        Ok(match linear {
            PathFormula::State(StateFormula::Bool(value)) => Position::Bool(*value),
            PathFormula::State(formula) => Position::State(formula.clone()),
            PathFormula::Step(step) => Position::Step(step.clone()),
            PathFormula::Text(_, inner) => Position::of(inner)?,
            PathFormula::Not(inner) => Position::Not(Box::new(Position::of(inner)?)),
            PathFormula::And(parts) => Position::And(all(parts)?),
            PathFormula::Or(parts) => Position::or(all(parts)?),
            PathFormula::Implies(one, other) => {
                let one = Position::Not(Box::new(Position::of(one)?));
                Position::or(vec![one, Position::of(other)?])
            }
            PathFormula::Forall(vars, inner) if inner.steps().is_empty() => {
                let inner = Box::new(state_of(inner)?);
                Position::State(StateFormula::Forall(vars.clone(), inner))
            }
            PathFormula::Exists(vars, inner) if inner.steps().is_empty() => {
                let inner = Box::new(state_of(inner)?);
                Position::State(StateFormula::Exists(vars.clone(), inner))
            }
            _ => return Err(NoFixpoint::Nested),
        })
    }

    /// The same, where what is said of the configuration alone is one formula: taken apart it would have to be put together again,
    /// case by case.
    fn joined(linear: &PathFormula) -> Result<Position, NoFixpoint> {
        if !linear.is_position() || !linear.steps().is_empty() {
            return Position::of(linear);
        }
        let formula = state_of(linear)?;
        Ok(match without_text(&formula) {
            StateFormula::Bool(value) => Position::Bool(*value),
            _ => Position::State(formula),
        })
    }

    /// Whether it says more where a formula is true, and whether it says more where it is false, as far as its form says.
    fn says_more(&self, where_true: &StateFormula) -> (bool, bool) {
        match self {
            Position::State(formula) => (formula == where_true, false),
            Position::Bool(_) | Position::Step(_) => (false, false),
            Position::Not(inner) => {
                let (more, less) = inner.says_more(where_true);
                (less, more)
            }
            Position::And(parts) => parts.iter().fold((false, false), |found, part| {
                let (more, less) = part.says_more(where_true);
                (found.0 || more, found.1 || less)
            }),
        }
    }

    fn or(parts: Vec<Position>) -> Position {
        let parts = parts.into_iter().map(|part| Position::Not(Box::new(part))).collect();
        Position::Not(Box::new(Position::And(parts)))
    }

    /// What it says of configurations, each once.
    fn states(&self, found: &mut Vec<StateFormula>) {
        match self {
            Position::State(formula) if !found.contains(formula) => found.push(formula.clone()),
            Position::Not(inner) => inner.states(found),
            Position::And(parts) => parts.iter().for_each(|part| part.states(found)),
            _ => {}
        }
    }

    /// The steps that it means, where it is known what holds of the configuration.
    pub(super) fn step(&self, known: &dyn Fn(&StateFormula) -> bool) -> Meant {
        match self {
            Position::Bool(value) => Meant::Bool(*value),
            Position::State(formula) => Meant::Bool(known(formula)),
            Position::Step(StepPattern::Any) => Meant::Bool(true),
            Position::Step(step) => Meant::Steps(step.clone()),
            Position::Not(inner) => match inner.step(known) {
                Meant::Bool(value) => Meant::Bool(!value),
                Meant::Steps(step) => Meant::Steps(step.negated()),
            },
            Position::And(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    match part.step(known) {
                        Meant::Bool(false) => return Meant::Bool(false),
                        Meant::Bool(true) => {}
                        Meant::Steps(step) => all.push(step),
                    }
                }
                match all.len() {
                    0 => Meant::Bool(true),
                    1 => Meant::Steps(all.swap_remove(0)),
                    _ => Meant::Steps(StepPattern::And(all)),
                }
            }
        }
    }

    /// What it says where there is no next step: a pattern that is to hold all the time does not mind.
    pub(super) fn at_end(&self, known: &dyn Fn(&StateFormula) -> bool, weak: bool) -> bool {
        match self {
            Position::Bool(value) => *value,
            Position::State(formula) => known(formula),
            Position::Step(_) => weak,
            Position::Not(inner) => !inner.at_end(known, !weak),
            Position::And(parts) => parts.iter().all(|part| part.at_end(known, weak)),
        }
    }
}

/// The steps that a position means: all, none, or those of a pattern.
#[derive(Clone)]
pub(super) enum Meant {
    Bool(bool),
    Steps(StepPattern),
}

impl Meant {
    pub(super) fn pattern(self) -> StepPattern {
        match self {
            Meant::Bool(true) => StepPattern::Any,
            Meant::Bool(false) => StepPattern::none(),
            Meant::Steps(step) => step,
        }
    }
}

fn without_text(formula: &StateFormula) -> &StateFormula {
    match formula {
        StateFormula::Text(_, inner) => without_text(inner),
        other => other,
    }
}

/// What is said of a configuration alone.
fn state_of(linear: &PathFormula) -> Result<StateFormula, NoFixpoint> {
    let all = |parts: &[PathFormula]| parts.iter().map(state_of).collect::<Result<Vec<_>, _>>();
    Ok(match linear {
        PathFormula::State(formula) => formula.clone(),
        PathFormula::Text(span, inner) => StateFormula::Text(*span, Box::new(state_of(inner)?)),
        PathFormula::Not(inner) => state_of(inner)?.negated(),
        PathFormula::And(parts) => StateFormula::and(all(parts)?),
        PathFormula::Or(parts) => StateFormula::or(all(parts)?),
        PathFormula::Implies(one, other) => {
            StateFormula::Implies(Box::new(state_of(one)?), Box::new(state_of(other)?))
        }
        PathFormula::Forall(vars, inner) => {
            StateFormula::Forall(vars.clone(), Box::new(state_of(inner)?))
        }
        PathFormula::Exists(vars, inner) => {
            StateFormula::Exists(vars.clone(), Box::new(state_of(inner)?))
        }
        _ => return Err(NoFixpoint::Nested),
    })
}

/// The same formula without operators on runs. What is inside is done, too.
pub fn lowered(formula: &StateFormula, fixes: &mut Fixes) -> Result<StateFormula, NoFixpoint> {
    match formula {
        StateFormula::Path(runs, path) => path_lowered(*runs, path, false, fixes),
        other => other.with_inside(&mut |inner| lowered(inner, fixes)),
    }
}

/// What is said of the runs from a configuration. With `weak`, a step that is spoken of here need not be there: an odd number of
/// negations stands around.
pub(super) fn path_lowered(
    runs: Runs,
    path: &PathFormula,
    weak: bool,
    fixes: &mut Fixes,
) -> Result<StateFormula, NoFixpoint> {
    let yes = || PathFormula::State(StateFormula::Bool(true));
    let no = || PathFormula::State(StateFormula::Bool(false));
    match path {
        PathFormula::Text(span, inner) => {
            Ok(StateFormula::Text(*span, Box::new(path_lowered(runs, inner, weak, fixes)?)))
        }
        // Of all runs: some run does the opposite, the other way round.
        PathFormula::Not(inner) if !inner.is_position() => {
            let other = match runs {
                Runs::All => Runs::Some,
                Runs::Some => Runs::All,
            };
            Ok(path_lowered(other, inner, !weak, fixes)?.negated())
        }
        PathFormula::Finally(inner) => until((runs, false), &yes(), inner, fixes),
        PathFormula::Globally(inner) => until((runs, true), inner, &no(), fixes),
        PathFormula::Until(left, right) => until((runs, false), left, right, fixes),
        PathFormula::WeakUntil(left, right) => until((runs, true), left, right, fixes),
        PathFormula::Next(inner) => next(runs, inner, fixes),
        // `A (f and g)` and `E (f or g)` are said of each.
        PathFormula::And(parts) if runs == Runs::All => {
            let parts = parts.iter().map(|part| path_lowered(runs, part, weak, fixes));
            Ok(StateFormula::and(parts.collect::<Result<Vec<_>, _>>()?))
        }
        PathFormula::Or(parts) if runs == Runs::Some => {
            let parts = parts.iter().map(|part| path_lowered(runs, part, weak, fixes));
            Ok(StateFormula::or(parts.collect::<Result<Vec<_>, _>>()?))
        }
        position if position.is_position() => here(runs, (position, weak), fixes),
        _ => Err(NoFixpoint::Nested),
    }
}

/// Which formulas hold of a configuration, and the formula that says so.
pub(super) type Case = (Vec<(StateFormula, bool)>, StateFormula);

/// All that may hold of configurations in some positions, each with the formula that says so.
pub(super) fn cases(
    runs: Runs,
    positions: &[&Position],
    fixes: &mut Fixes,
) -> Result<Vec<Case>, NoFixpoint> {
    let mut states = Vec::new();
    positions.iter().for_each(|position| position.states(&mut states));
    if states.len() > MOST_PARTS {
        return Err(NoFixpoint::Large);
    }
    let mut made = Vec::with_capacity(states.len());
    for state in &states {
        made.push(lowered(state, fixes)?);
    }
    // What is said grows with the truth of a formula that stands under no negation: then its opposite need not be said, since more
    // of it never hurts; and the other way round. So each formula is written down as often as it has to be.
    let grows = |state: &StateFormula| {
        let found = positions.iter().map(|position| position.says_more(state));
        found.fold((false, false), |all, (more, less)| (all.0 || more, all.1 || less))
    };
    let grows: Vec<(bool, bool)> = states.iter().map(grows).collect();
    let mut cases = Vec::with_capacity(1 << states.len());
    for number in 0..1_usize << states.len() {
        let is = |at: usize| number & (1 << at) != 0;
        let known = states.iter().cloned().enumerate().map(|(at, state)| (state, is(at)));
        let says = made.iter().enumerate().filter_map(|(at, made)| {
            let (more, less) = grows[at];
            let said = match (is(at), runs) {
                (true, Runs::All) | (false, Runs::Some) => less,
                (false, Runs::All) | (true, Runs::Some) => more,
            };
            said.then(|| if is(at) { made.clone() } else { made.clone().negated() })
        });
        cases.push((known.collect(), StateFormula::and(says)));
    }
    Ok(cases)
}

/// `A[l U r]`, `E[l U r]`, and with `weak` their `W`.
fn until(
    (runs, weak): (Runs, bool),
    left: &PathFormula,
    right: &PathFormula,
    fixes: &mut Fixes,
) -> Result<StateFormula, NoFixpoint> {
    let (left, right) = (Position::joined(left)?, Position::joined(right)?);
    let id = fixes.fresh();
    let again = || StateFormula::Again(id, Vec::new());
    // What is said of the configuration alone is enough by itself.
    let (enough, right) = match right {
        Position::State(formula) => (lowered(&formula, fixes)?, Position::Bool(false)),
        other => (StateFormula::Bool(false), other),
    };
    let mut parts = Vec::new();
    for (known, says) in cases(runs, &[&left, &right], fixes)? {
        let is = |state: &StateFormula| known.iter().any(|(one, is)| one == state && *is);
        let (l, r) = (left.step(&is), right.step(&is));
        let ends = right.at_end(&is, false) || (weak && left.at_end(&is, true));
        let here = match (runs, l, r) {
            // Nothing depends on the next step, nor on whether there is one.
            (_, _, Meant::Bool(true)) if ends => StateFormula::Bool(true),
            (_, Meant::Bool(false), Meant::Bool(false)) if !ends => StateFormula::Bool(false),
            (Runs::All, l, r) => {
                let others = r.pattern().negated();
                let bad = others.clone().and(l.pattern().negated());
                let must_go_on =
                    if ends { StateFormula::Bool(true) } else { StateFormula::MayEnd.negated() };
                StateFormula::and([
                    must_go_on,
                    boxed(bad, StateFormula::Bool(false)),
                    boxed(others, again()),
                ])
            }
            (Runs::Some, l, r) => {
                let end = if ends { StateFormula::MayEnd } else { StateFormula::Bool(false) };
                StateFormula::or([
                    diamond(r.pattern(), StateFormula::Bool(true)),
                    diamond(l.pattern(), again()),
                    end,
                ])
            }
        };
        parts.push((says, here));
    }
    let body = Box::new(StateFormula::or([enough, by_case(runs, parts)]));
    Ok(StateFormula::Fix { id, greatest: weak, params: Vec::new(), body })
}

/// `A X f`, `E X f`: a next position is there, and `f` is said of it.
fn next(runs: Runs, inner: &PathFormula, fixes: &mut Fixes) -> Result<StateFormula, NoFixpoint> {
    let then = path_lowered(runs, inner, false, fixes)?;
    Ok(match runs {
        Runs::All => {
            StateFormula::and([StateFormula::MayEnd.negated(), boxed(StepPattern::Any, then)])
        }
        Runs::Some => diamond(StepPattern::Any, then),
    })
}

/// What is said of the first position of all runs, or of some.
fn here(
    runs: Runs,
    (position, weak): (&PathFormula, bool),
    fixes: &mut Fixes,
) -> Result<StateFormula, NoFixpoint> {
    let position = Position::joined(position)?;
    let mut parts = Vec::new();
    for (known, says) in cases(runs, &[&position], fixes)? {
        let is = |state: &StateFormula| known.iter().any(|(one, is)| one == state && *is);
        let ends = position.at_end(&is, weak);
        let here = match (position.step(&is), runs) {
            (Meant::Bool(value), _) if value == ends => StateFormula::Bool(value),
            (meant, Runs::All) => {
                let step = meant.pattern();
                let goes_on =
                    if ends { StateFormula::Bool(true) } else { StateFormula::MayEnd.negated() };
                StateFormula::and([goes_on, boxed(step.negated(), StateFormula::Bool(false))])
            }
            (meant, Runs::Some) => {
                let step = meant.pattern();
                let end = if ends { StateFormula::MayEnd } else { StateFormula::Bool(false) };
                StateFormula::or([diamond(step, StateFormula::Bool(true)), end])
            }
        };
        parts.push((says, here));
    }
    Ok(by_case(runs, parts))
}

/// What is said in each of some cases, of which one is so.
pub(super) fn by_case(runs: Runs, parts: Vec<(StateFormula, StateFormula)>) -> StateFormula {
    // The same is said in all cases where the cases make no difference.
    if let [(_, first), rest @ ..] = parts.as_slice()
        && rest.iter().all(|(_, other)| other == first)
    {
        return first.clone();
    }
    match runs {
        Runs::All => {
            let parts =
                parts.into_iter().map(|(says, here)| StateFormula::or([says.negated(), here]));
            StateFormula::and(parts)
        }
        Runs::Some => {
            let parts = parts.into_iter().map(|(says, here)| StateFormula::and([says, here]));
            StateFormula::or(parts)
        }
    }
}

pub(super) fn boxed(step: StepPattern, then: StateFormula) -> StateFormula {
    if step.is_none() || then == StateFormula::Bool(true) {
        return StateFormula::Bool(true);
    }
    StateFormula::Box(Modality::plain(step, then))
}

pub(super) fn diamond(step: StepPattern, then: StateFormula) -> StateFormula {
    if step.is_none() || then == StateFormula::Bool(false) {
        return StateFormula::Bool(false);
    }
    StateFormula::Diamond(Modality::plain(step, then))
}
