//! What is said of fair runs, as fixpoints.
//!
//! Every run that has begun can go on fairly, or ends, so that fairness makes a difference only to what goes on for ever: to
//! `E[l W r]` and `E G l`, and to their opposites `A[l U r]` and `A F r`. A run that goes on for ever and is fair makes, from
//! some point on, a set `J` of the strongly fair steps again and again, and none of the others is ever possible. So there is
//! one where there is a set `J` with a way to
//! `nu Z . stays and, for each goal g, mu Y . stays and (<l and g> Z or <l> Y)`
//! where `stays` says that no other strongly fair step is possible, and goals are the steps of `J`, and for a weakly fair one
//! that it is made, or is not possible.

use super::formula::{FairPattern, Fairness, PathFormula, Runs, StateFormula, StepPattern};
use super::lower::{
    Fixes, NoFixpoint, Position, boxed, by_case, cases, diamond, lowered, path_lowered,
};

/// More strongly fair patterns than this are not taken apart.
const MOST_STRONG: usize = 5;

/// The same formula without operators on runs, where only fair runs count.
pub fn fairly_lowered(
    formula: &StateFormula,
    fair: &[FairPattern],
    fixes: &mut Fixes,
) -> Result<StateFormula, NoFixpoint> {
    // What `lowered` has no fixpoints for may still have some.
    if fair.is_empty()
        && let Ok(found) = lowered(formula, fixes)
    {
        return Ok(found);
    }
    if fair.iter().filter(|one| one.kind == Fairness::Strong).count() > MOST_STRONG {
        return Err(NoFixpoint::Large);
    }
    Lowering { fair, fixes }.state(formula)
}

struct Lowering<'l> {
    fair: &'l [FairPattern],
    fixes: &'l mut Fixes,
}

impl Lowering<'_> {
    fn state(&mut self, formula: &StateFormula) -> Result<StateFormula, NoFixpoint> {
        match formula {
            StateFormula::Path(runs, path) => {
                let path = path.with_states(&mut |inner| self.state(inner))?;
                self.said(*runs, &path, false)
            }
            other => other.with_inside(&mut |inner| self.state(inner)),
        }
    }

    /// What is said of the fair runs from a configuration. With `weak`, a step that is spoken of here need not be there: an odd
    /// number of negations stands around.
    fn said(
        &mut self,
        runs: Runs,
        path: &PathFormula,
        weak: bool,
    ) -> Result<StateFormula, NoFixpoint> {
        let yes = PathFormula::State(StateFormula::Bool(true));
        let no = PathFormula::State(StateFormula::Bool(false));
        match (runs, path) {
            (_, PathFormula::Text(span, inner)) => {
                Ok(StateFormula::Text(*span, Box::new(self.said(runs, inner, weak)?)))
            }
            (_, PathFormula::Not(inner)) if !inner.is_position() => {
                let other = if runs == Runs::All { Runs::Some } else { Runs::All };
                Ok(self.said(other, inner, !weak)?.negated())
            }
            // What always holds of all runs holds of all runs from everywhere.
            (Runs::All, PathFormula::Globally(inner)) if !inner.is_position() => {
                // Each part by itself: whether there need be a step is another question for each.
                if let PathFormula::And(parts) = without_text(inner) {
                    let each = |part: &PathFormula| PathFormula::Globally(Box::new(part.clone()));
                    let parts = parts.iter().map(|part| self.said(runs, &each(part), false));
                    return Ok(StateFormula::and(parts.collect::<Result<Vec<_>, _>>()?));
                }
                let here = self.where_runs_begin(inner, true)?;
                let always = PathFormula::Globally(Box::new(PathFormula::State(here)));
                lowered(&StateFormula::Path(Runs::All, Box::new(always)), self.fixes)
            }
            (Runs::Some, PathFormula::Finally(inner)) if !inner.is_position() => {
                let opposite = PathFormula::Not(Box::new((**inner).clone()));
                let never = PathFormula::Globally(Box::new(opposite));
                Ok(self.said(Runs::All, &never, false)?.negated())
            }
            (Runs::All, PathFormula::Or(_) | PathFormula::Implies(..)) if !path.is_position() => {
                self.where_runs_begin(path, weak)
            }
            (Runs::Some, PathFormula::And(_)) if !path.is_position() => {
                let opposite = PathFormula::Not(Box::new(path.clone()));
                Ok(self.where_runs_begin(&opposite, !weak)?.negated())
            }
            (Runs::All, PathFormula::Finally(inner)) => self.for_ever(runs, &yes, inner),
            (Runs::All, PathFormula::Until(left, right)) => self.for_ever(runs, left, right),
            (Runs::Some, PathFormula::Globally(inner)) => self.for_ever(runs, inner, &no),
            (Runs::Some, PathFormula::WeakUntil(left, right)) => self.for_ever(runs, left, right),
            (Runs::All, PathFormula::And(parts)) => {
                let parts = parts.iter().map(|part| self.said(runs, part, weak));
                Ok(StateFormula::and(parts.collect::<Result<Vec<_>, _>>()?))
            }
            (Runs::Some, PathFormula::Or(parts)) => {
                let parts = parts.iter().map(|part| self.said(runs, part, weak));
                Ok(StateFormula::or(parts.collect::<Result<Vec<_>, _>>()?))
            }
            (_, PathFormula::Next(inner)) => {
                let then = self.said(runs, inner, false)?;
                Ok(match runs {
                    Runs::All => {
                        let goes_on = StateFormula::MayEnd.negated();
                        StateFormula::and([goes_on, boxed(StepPattern::Any, then)])
                    }
                    Runs::Some => diamond(StepPattern::Any, then),
                })
            }
            // What finitely many steps break or show: every run that has begun can go on fairly.
            _ => path_lowered(runs, path, weak, self.fixes),
        }
    }

    /// What is said of all runs by alternatives of which one is about the runs, and the others about their first position:
    /// `p => F q`. With `weak`, steps are spoken of inside of `G`, where there need not be one.
    fn where_runs_begin(
        &mut self,
        path: &PathFormula,
        weak: bool,
    ) -> Result<StateFormula, NoFixpoint> {
        let mut options = Vec::new();
        alternatives(path, false, &mut options);
        let (here, mut later): (Vec<PathFormula>, Vec<PathFormula>) =
            options.into_iter().partition(PathFormula::is_position);
        let (Some(last), true) = (later.pop(), later.is_empty()) else {
            return Err(NoFixpoint::Nested);
        };
        let no = PathFormula::State(StateFormula::Bool(false));
        let yes = PathFormula::State(StateFormula::Bool(true));
        let (left, right, for_ever) = match &last {
            PathFormula::Until(left, right) => ((**left).clone(), (**right).clone(), false),
            PathFormula::WeakUntil(left, right) => ((**left).clone(), (**right).clone(), true),
            PathFormula::Finally(inner) => (yes, (**inner).clone(), false),
            PathFormula::Globally(inner) => ((**inner).clone(), no, true),
            _ if here.is_empty() => return self.said(Runs::All, &last, weak),
            PathFormula::Next(inner) => return self.or_next(here, inner, weak),
            _ => return Err(NoFixpoint::Nested),
        };
        let then = self.said(Runs::All, &last, weak)?;
        if here.is_empty() {
            return Ok(then);
        }
        let here = Position::of(&PathFormula::Or(here))?;
        let (l, r) = (Position::of(&left)?, Position::of(&right)?);
        let mut parts = Vec::new();
        for (known, says) in cases(Runs::All, &[&here, &l, &r], self.fixes)? {
            let is = |state: &StateFormula| known.iter().any(|(one, is)| one == state && *is);
            let ends =
                here.at_end(&is, weak) || r.at_end(&is, false) || (for_ever && l.at_end(&is, true));
            let goes_on =
                if ends { StateFormula::Bool(true) } else { StateFormula::MayEnd.negated() };
            let owed = here.step(&is).pattern().negated().and(r.step(&is).pattern().negated());
            let bad = owed.clone().and(l.step(&is).pattern().negated());
            let all = [goes_on, boxed(bad, StateFormula::Bool(false)), boxed(owed, then.clone())];
            parts.push((says, StateFormula::and(all)));
        }
        Ok(by_case(Runs::All, parts))
    }

    /// `p => X f`: what is not meant by the alternatives leads to where `f` holds of all runs.
    fn or_next(
        &mut self,
        here: Vec<PathFormula>,
        inner: &PathFormula,
        weak: bool,
    ) -> Result<StateFormula, NoFixpoint> {
        let then = self.said(Runs::All, inner, false)?;
        let here = Position::of(&PathFormula::Or(here))?;
        let mut parts = Vec::new();
        for (known, says) in cases(Runs::All, &[&here], self.fixes)? {
            let is = |state: &StateFormula| known.iter().any(|(one, is)| one == state && *is);
            let goes_on = match here.at_end(&is, weak) {
                true => StateFormula::Bool(true),
                false => StateFormula::MayEnd.negated(),
            };
            let owed = here.step(&is).pattern().negated();
            parts.push((says, StateFormula::and([goes_on, boxed(owed, then.clone())])));
        }
        Ok(by_case(Runs::All, parts))
    }

    /// `E[l W r]` of fair runs, or `A[l U r]`: of no fair run `(l and not r) W (not l and not r)`.
    fn for_ever(
        &mut self,
        runs: Runs,
        left: &PathFormula,
        right: &PathFormula,
    ) -> Result<StateFormula, NoFixpoint> {
        let (l, r) = (Position::of(left)?, Position::of(right)?);
        let not = |one: &PathFormula| PathFormula::Not(Box::new(one.clone()));
        let (stays, leaves) = match runs {
            Runs::Some => (Position::of(left)?, Position::of(right)?),
            Runs::All => (
                Position::of(&PathFormula::And(vec![left.clone(), not(right)]))?,
                Position::of(&PathFormula::And(vec![not(left), not(right)]))?,
            ),
        };
        let core = self.core(&stays)?;
        let id = self.fixes.fresh();
        let again = StateFormula::Again(id, Vec::new());
        let mut parts = Vec::new();
        for (known, says) in cases(Runs::Some, &[&stays, &leaves], self.fixes)? {
            let is = |state: &StateFormula| known.iter().any(|(one, is)| one == state && *is);
            // A run may end here if that does not break `l W r`, or if it breaks `l U r`.
            let ends = match runs {
                Runs::Some => r.at_end(&is, false) || l.at_end(&is, true),
                Runs::All => !r.at_end(&is, false),
            };
            let end = if ends { StateFormula::MayEnd } else { StateFormula::Bool(false) };
            let here = StateFormula::or([
                diamond(leaves.step(&is).pattern(), StateFormula::Bool(true)),
                diamond(stays.step(&is).pattern(), again.clone()),
                end,
            ]);
            parts.push((says, here));
        }
        let body = StateFormula::or([core, by_case(Runs::Some, parts)]);
        let found =
            StateFormula::Fix { id, greatest: false, params: Vec::new(), body: Box::new(body) };
        Ok(if runs == Runs::Some { found } else { found.negated() })
    }

    /// Where a fair run goes on for ever by steps that are meant by a position.
    fn core(&mut self, stays: &Position) -> Result<StateFormula, NoFixpoint> {
        let fair = self.fair;
        let of = |kind: Fairness| fair.iter().filter(move |one| one.kind == kind);
        let strong: Vec<&StepPattern> = of(Fairness::Strong).map(|one| &one.step).collect();
        let weak: Vec<&StepPattern> = of(Fairness::Weak).map(|one| &one.step).collect();
        let mut ways = Vec::new();
        for chosen in 0..1_usize << strong.len() {
            let is_chosen = |at: usize| chosen & (1 << at) != 0;
            let never = strong.iter().enumerate().filter(|(at, _)| !is_chosen(*at));
            let never = never.map(|(_, &step)| possible(step).negated());
            let quiet = StateFormula::and(never.collect::<Vec<_>>());
            let goals = strong.iter().enumerate().filter(|(at, _)| is_chosen(*at));
            let goals: Vec<(&StepPattern, bool)> = goals
                .map(|(_, &step)| (step, false))
                .chain(weak.iter().map(|&step| (step, true)))
                .collect();
            ways.push(self.round(stays, &quiet, &goals)?);
        }
        Ok(StateFormula::or(ways))
    }

    /// `nu Z`: by steps of a position, in configurations in which something holds, to each goal and back.
    fn round(
        &mut self,
        stays: &Position,
        quiet: &StateFormula,
        goals: &[(&StepPattern, bool)],
    ) -> Result<StateFormula, NoFixpoint> {
        let id = self.fixes.fresh();
        let again = StateFormula::Again(id, Vec::new());
        let mut parts = vec![quiet.clone()];
        if goals.is_empty() {
            parts.push(self.steps(stays, StepPattern::Any, &again)?);
        }
        for &(goal, weak) in goals {
            let inner = self.fixes.fresh();
            let nearer = StateFormula::Again(inner, Vec::new());
            let mut ways = vec![self.steps(stays, goal.clone(), &again)?];
            if weak {
                let any = self.steps(stays, StepPattern::Any, &again)?;
                ways.push(StateFormula::and([possible(goal).negated(), any]));
            }
            ways.push(self.steps(stays, StepPattern::Any, &nearer)?);
            let body = StateFormula::and([quiet.clone(), StateFormula::or(ways)]);
            let params = Vec::new();
            let body = Box::new(body);
            parts.push(StateFormula::Fix { id: inner, greatest: false, params, body });
        }
        let body = Box::new(StateFormula::and(parts));
        Ok(StateFormula::Fix { id, greatest: true, params: Vec::new(), body })
    }

    /// A step that is meant by a position and by a pattern leads to something.
    fn steps(
        &mut self,
        stays: &Position,
        more: StepPattern,
        then: &StateFormula,
    ) -> Result<StateFormula, NoFixpoint> {
        let mut parts = Vec::new();
        for (known, says) in cases(Runs::Some, &[stays], self.fixes)? {
            let is = |state: &StateFormula| known.iter().any(|(one, is)| one == state && *is);
            let step = stays.step(&is).pattern().and(more.clone());
            parts.push((says, diamond(step, then.clone())));
        }
        Ok(by_case(Runs::Some, parts))
    }
}

/// What a formula says by alternatives, or, with `not`, its opposite.
fn alternatives(path: &PathFormula, not: bool, found: &mut Vec<PathFormula>) {
    match path {
        PathFormula::Text(_, inner) => alternatives(inner, not, found),
        PathFormula::Not(inner) => alternatives(inner, !not, found),
        PathFormula::Implies(one, other) if !not => {
            alternatives(one, true, found);
            alternatives(other, false, found);
        }
        PathFormula::Or(parts) if !not => {
            parts.iter().for_each(|part| alternatives(part, not, found));
        }
        PathFormula::And(parts) if not => {
            parts.iter().for_each(|part| alternatives(part, not, found));
        }
        // The opposites of operators on runs are others.
        PathFormula::Globally(inner) if not => {
            found.push(PathFormula::Finally(Box::new(opposite(inner))));
        }
        PathFormula::Finally(inner) if not => {
            found.push(PathFormula::Globally(Box::new(opposite(inner))));
        }
        // `not (l U r)`: `not r` as long as `l`, and where `l` ends.
        PathFormula::Until(left, right) if not => {
            let leaves = PathFormula::And(vec![opposite(left), opposite(right)]);
            found.push(PathFormula::WeakUntil(Box::new(opposite(right)), Box::new(leaves)));
        }
        // At the end of a run, a step that `r` speaks of is not there, and one that `l` speaks of does not matter: they cannot stand
        // side by side.
        PathFormula::WeakUntil(left, right) if not && right.steps().is_empty() => {
            let leaves = PathFormula::And(vec![opposite(left), opposite(right)]);
            found.push(PathFormula::Until(Box::new(opposite(right)), Box::new(leaves)));
        }
        other if not => found.push(opposite(other)),
        other => found.push(other.clone()),
    }
}

fn without_text(path: &PathFormula) -> &PathFormula {
    match path {
        PathFormula::Text(_, inner) => without_text(inner),
        other => other,
    }
}

fn opposite(path: &PathFormula) -> PathFormula {
    path.clone().negated()
}

/// That a step is possible.
fn possible(step: &StepPattern) -> StateFormula {
    diamond(step.clone(), StateFormula::Bool(true))
}
