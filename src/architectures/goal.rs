//! What is asked of all unfoldings.
//!
//! Quantifiers over members, with equality and tests of one member, come to how many members there are of each sort, up to the
//! number of quantifiers: a formula with `q` of them cannot tell `q` members that pass the same tests from more.

use thiserror::Error;

use super::ArchitectureQuestion;
use super::types::Kinds;
use crate::diagnostics::{Span, Symbol};
use crate::parametric::{GoalFormula, PatternGoal, StateSet};
use crate::sema::program::{CheckKind, MemberFormula, MemberSet, Program};

/// Why something cannot be asked of all unfoldings.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("what is claimed tells too many sorts of members apart")]
pub struct NoGoal {
    /// The text.
    pub span: Span,
}

/// More combinations of how many members there are of each sort are not looked at.
const MOST_COMBINATIONS: usize = 4096;

/// What is bad.
pub(super) fn goal(
    question: &ArchitectureQuestion<'_>,
    kinds: &Kinds,
) -> Result<PatternGoal, NoGoal> {
    let check = question.check;
    let no_goal = NoGoal { span: check.span };
    let label = check.kind.word().to_owned();
    match check.kind {
        CheckKind::DeadlockFree => Ok(PatternGoal::deadlock()),
        CheckKind::Never => {
            let label = check.label.map(|label| label.name.to_string());
            Ok(PatternGoal::never(label.as_deref()))
        }
        kind => {
            let formula = check.members.as_ref().ok_or(no_goal)?;
            let holds = Reading { program: question.program, kinds }.formula(formula);
            let holds = holds.ok_or(no_goal)?;
            let when = match kind {
                CheckKind::Reaches => holds,
                _ => GoalFormula::Not(Box::new(holds)),
            };
            Ok(PatternGoal { label, stuck: false, when })
        }
    }
}

struct Reading<'r> {
    program: &'r Program,
    kinds: &'r Kinds,
}

/// A sort of members: those that pass some tests, and not the others.
struct MemberSort {
    /// For each test, whether these pass it.
    passes: Vec<bool>,
    /// The states in which a member is of this sort.
    states: StateSet,
}

impl Reading<'_> {
    /// A formula about counts. Boolean connectives outside of quantifiers stay as they are.
    fn formula(&self, formula: &MemberFormula) -> Option<GoalFormula> {
        let all = |parts: &[MemberFormula]| -> Option<Vec<GoalFormula>> {
            parts.iter().map(|one| self.formula(one)).collect()
        };
        Some(match formula {
            MemberFormula::Truth(true) => GoalFormula::And(Vec::new()),
            MemberFormula::Truth(false) => GoalFormula::Or(Vec::new()),
            MemberFormula::Not(one) => GoalFormula::Not(Box::new(self.formula(one)?)),
            MemberFormula::And(parts) => GoalFormula::And(all(parts)?),
            MemberFormula::Or(parts) => GoalFormula::Or(all(parts)?),
            MemberFormula::AtMost(most, sets) => {
                let mut states = StateSet::new();
                for set in sets {
                    self.kinds.add_all(&self.states(set), &mut states);
                }
                GoalFormula::Not(Box::new(GoalFormula::AtLeast(most + 1, states)))
            }
            MemberFormula::Each { .. } => self.counted(formula)?,
            // A variable stands inside of its quantifier.
            MemberFormula::In(..) | MemberFormula::Same(..) => return None,
        })
    }

    /// The states of members of a set.
    fn states(&self, set: &MemberSet) -> StateSet {
        let process = &self.program.processes[set.process.index()];
        let names: Vec<Symbol> =
            set.states.iter().map(|state| process.states[state.index()].name.name).collect();
        self.kinds.states_of(set.process, &names)
    }

    /// A formula with quantifiers: in which combinations of counts it holds.
    fn counted(&self, formula: &MemberFormula) -> Option<GoalFormula> {
        let mut tests: Vec<MemberSet> = Vec::new();
        collect(formula, &mut tests);
        let sorts = self.sorts(&tests)?;
        let depth = quantifiers(formula);
        let combinations = (0..sorts.len()).try_fold(1usize, |many, _| {
            many.checked_mul(depth + 1).filter(|many| *many <= MOST_COMBINATIONS)
        })?;
        let mut holds = Vec::new();
        for number in 0..combinations {
            let mut rest = number;
            let counts: Vec<usize> = sorts
                .iter()
                .map(|_| {
                    let count = rest % (depth + 1);
                    rest /= depth + 1;
                    count
                })
                .collect();
            // So many members of each sort stand for all situations with these counts.
            let members: Vec<usize> = counts
                .iter()
                .enumerate()
                .flat_map(|(sort, &count)| std::iter::repeat_n(sort, count))
                .collect();
            let looking = Looking { tests: &tests, sorts: &sorts, members: &members };
            if looking.holds(formula, &mut Vec::new()) {
                let each = sorts.iter().zip(&counts);
                holds.push(GoalFormula::And(
                    each.flat_map(|(sort, &count)| exactly(sort, count, depth)).collect(),
                ));
            }
        }
        Some(GoalFormula::Or(holds))
    }

    /// The sorts of members that there can be: by which tests they pass.
    fn sorts(&self, tests: &[MemberSet]) -> Option<Vec<MemberSort>> {
        let sets: Vec<StateSet> = tests.iter().map(|test| self.states(test)).collect();
        let mut sorts: Vec<MemberSort> = Vec::new();
        for (of, state) in self.kinds.all_states() {
            let passes: Vec<bool> = sets.iter().map(|set| set.has(of, state)).collect();
            if !passes.contains(&true) {
                continue;
            }
            match sorts.iter_mut().find(|sort| sort.passes == passes) {
                Some(sort) => sort.states.add(of, state),
                None => {
                    let states = StateSet::new().with(of, state);
                    sorts.push(MemberSort { passes, states });
                }
            }
        }
        (sorts.len() <= 12).then_some(sorts)
    }
}

/// That there are so many members of a sort, or at least so many, where that is all that matters.
fn exactly(sort: &MemberSort, count: usize, most: usize) -> Vec<GoalFormula> {
    let at_least = |many: usize| GoalFormula::AtLeast(many, sort.states.clone());
    let mut all = Vec::new();
    if count > 0 {
        all.push(at_least(count));
    }
    if count < most {
        all.push(GoalFormula::Not(Box::new(at_least(count + 1))));
    }
    all
}

/// The tests of a formula, and those of being a member of a process at all.
fn collect(formula: &MemberFormula, tests: &mut Vec<MemberSet>) {
    let mut add = |set: &MemberSet| {
        if !tests.contains(set) {
            tests.push(set.clone());
        }
    };
    match formula {
        MemberFormula::Truth(_) | MemberFormula::Same(..) => {}
        MemberFormula::In(_, set) => add(set),
        MemberFormula::AtMost(_, sets) => sets.iter().for_each(add),
        MemberFormula::Not(one) => collect(one, tests),
        MemberFormula::And(all) | MemberFormula::Or(all) => {
            all.iter().for_each(|one| collect(one, tests));
        }
        MemberFormula::Each { members, body, .. } => {
            add(members);
            collect(body, tests);
        }
    }
}

/// How many quantifiers stand in each other.
fn quantifiers(formula: &MemberFormula) -> usize {
    match formula {
        MemberFormula::Truth(_) | MemberFormula::Same(..) | MemberFormula::In(..) => 0,
        MemberFormula::AtMost(most, _) => most + 1,
        MemberFormula::Not(one) => quantifiers(one),
        MemberFormula::And(all) | MemberFormula::Or(all) => {
            all.iter().map(quantifiers).max().unwrap_or(0)
        }
        MemberFormula::Each { body, .. } => 1 + quantifiers(body),
    }
}

/// Some members, by their sorts.
struct Looking<'l> {
    tests: &'l [MemberSet],
    sorts: &'l [MemberSort],
    members: &'l [usize],
}

impl Looking<'_> {
    fn passes(&self, member: usize, set: &MemberSet) -> bool {
        let test = self.tests.iter().position(|test| test == set);
        test.is_some_and(|test| self.sorts[self.members[member]].passes[test])
    }

    fn holds(&self, formula: &MemberFormula, of: &mut Vec<(usize, usize)>) -> bool {
        let find = |variable: &usize, of: &[(usize, usize)]| {
            of.iter().rev().find(|(known, _)| known == variable).map(|(_, member)| *member)
        };
        match formula {
            MemberFormula::Truth(truth) => *truth,
            MemberFormula::Not(one) => !self.holds(one, of),
            MemberFormula::And(all) => all.iter().all(|one| self.holds(one, of)),
            MemberFormula::Or(all) => all.iter().any(|one| self.holds(one, of)),
            MemberFormula::In(variable, set) => {
                find(variable, of).is_some_and(|member| self.passes(member, set))
            }
            MemberFormula::Same(a, b) => find(a, of) == find(b, of),
            MemberFormula::AtMost(most, sets) => {
                let counts = |member: &usize| sets.iter().any(|set| self.passes(*member, set));
                (0..self.members.len()).filter(counts).count() <= *most
            }
            MemberFormula::Each { universal, variable, members, body } => {
                let mut one = |member: usize| {
                    of.push((*variable, member));
                    let holds = self.holds(body, of);
                    of.pop();
                    holds
                };
                let own: Vec<usize> =
                    (0..self.members.len()).filter(|&at| self.passes(at, members)).collect();
                match universal {
                    true => own.into_iter().all(&mut one),
                    false => own.into_iter().any(&mut one),
                }
            }
        }
    }
}
