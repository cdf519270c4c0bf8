//! What is asked of all unfoldings.
//!
//! Quantifiers over members, with equality and tests of one member, come to how many members there are of each sort, up to the
//! number of quantifiers: a formula with `q` of them cannot tell `q` members that pass the same tests from more.

use thiserror::Error;

use super::ArchitectureQuestion;
use super::data::Valuing;
use super::types::Kinds;
use crate::diagnostics::{Span, Symbol};
use crate::moving::Datum;
use crate::parametric::{ComponentStateId, ComponentTypeId, GoalFormula, PatternGoal, StateSet};
use crate::sema::program::{
    CheckKind, ExprKind, LeafVariable, MemberData, MemberFormula, MemberSet,
};

/// Why something cannot be asked of all unfoldings.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("what is claimed tells too many sorts of members apart")]
pub struct NoGoal {
    /// The text.
    pub span: Span,
}

/// More combinations of how many members there are of each sort are not looked at.
const MOST_COMBINATIONS: usize = 20_000;
/// More sorts of members are not told apart.
const MOST_SORTS: usize = 14;

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
            let reading = Reading { valuing: Valuing::of(question), kinds };
            // What depends on forgotten data may be bad.
            let may = kind == CheckKind::Reaches;
            let holds = reading.formula(formula, may).ok_or(no_goal)?;
            let when = if may { holds } else { GoalFormula::Not(Box::new(holds)) };
            Ok(PatternGoal { label, stuck: false, when })
        }
    }
}

struct Reading<'r> {
    valuing: Valuing<'r>,
    kinds: &'r Kinds,
}

/// What a formula looks at.
struct Looked<'f> {
    /// The tests of being in some states.
    tests: Vec<MemberSet>,
    /// The truths about data.
    truths: Vec<&'f MemberData>,
}

/// A sort of members: those that pass some tests, and not the others.
struct MemberSort {
    /// For each test, whether these pass it.
    passes: Vec<bool>,
    /// What tells them apart from others by their data.
    data: Vec<Told>,
    /// The states in which a member is of this sort.
    states: StateSet,
    /// One of them.
    one: (ComponentTypeId, ComponentStateId),
}

/// What data tell of a member.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Told {
    /// Whether something is so that is about this member alone; nothing where that is forgotten.
    Truth(Option<bool>),
    /// A value that is compared with those of others.
    Value(Option<Datum>),
}

impl Reading<'_> {
    /// A formula about counts. Boolean connectives outside of quantifiers stay as they are. What depends on forgotten data
    /// holds if it `may`.
    fn formula(&self, formula: &MemberFormula, may: bool) -> Option<GoalFormula> {
        let all = |parts: &[MemberFormula]| -> Option<Vec<GoalFormula>> {
            parts.iter().map(|one| self.formula(one, may)).collect()
        };
        Some(match formula {
            MemberFormula::Truth(true) => GoalFormula::And(Vec::new()),
            MemberFormula::Truth(false) => GoalFormula::Or(Vec::new()),
            MemberFormula::Not(one) => GoalFormula::Not(Box::new(self.formula(one, !may)?)),
            MemberFormula::And(parts) => GoalFormula::And(all(parts)?),
            MemberFormula::Or(parts) => GoalFormula::Or(all(parts)?),
            MemberFormula::AtMost(most, sets) => {
                let mut states = StateSet::new();
                for set in sets {
                    self.kinds.add_all(&self.states(set), &mut states);
                }
                GoalFormula::Not(Box::new(GoalFormula::AtLeast(most + 1, states)))
            }
            // Without members there is only what constants say.
            MemberFormula::Data(data) if data.names.is_empty() => {
                let truth = self.valuing.truth(&data.truth, &|_| None).unwrap_or(may);
                if truth { GoalFormula::And(Vec::new()) } else { GoalFormula::Or(Vec::new()) }
            }
            MemberFormula::Each { .. } => self.counted(formula, may)?,
            // A variable stands inside of its quantifier.
            MemberFormula::In(..) | MemberFormula::Same(..) | MemberFormula::Data(_) => {
                return None;
            }
        })
    }

    /// The states of members of a set.
    fn states(&self, set: &MemberSet) -> StateSet {
        let process = &self.valuing.program.processes[set.process.index()];
        let names: Vec<Symbol> =
            set.states.iter().map(|state| process.states[state.index()].name.name).collect();
        self.kinds.states_of(set.process, &names)
    }

    /// A formula with quantifiers: in which combinations of counts it holds.
    fn counted(&self, formula: &MemberFormula, may: bool) -> Option<GoalFormula> {
        let mut looked = Looked { tests: Vec::new(), truths: Vec::new() };
        collect(formula, &mut looked);
        let sorts = self.sorts(&looked)?;
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
            let looking =
                Looking { reading: self, tests: &looked.tests, sorts: &sorts, members: &members };
            if looking.holds(formula, &mut Vec::new()).unwrap_or(may) {
                let each = sorts.iter().zip(&counts);
                holds.push(GoalFormula::And(
                    each.flat_map(|(sort, &count)| exactly(sort, count, depth)).collect(),
                ));
            }
        }
        Some(GoalFormula::Or(holds))
    }

    /// The sorts of members that there can be: by which tests they pass, and what their data tell.
    fn sorts(&self, looked: &Looked<'_>) -> Option<Vec<MemberSort>> {
        let sets: Vec<StateSet> = looked.tests.iter().map(|test| self.states(test)).collect();
        let mut sorts: Vec<MemberSort> = Vec::new();
        for (of, state) in self.kinds.all_states() {
            let passes: Vec<bool> = sets.iter().map(|set| set.has(of, state)).collect();
            if !passes.contains(&true) {
                continue;
            }
            let one = (of, state);
            let data = self.told(&looked.truths, one);
            let known = sorts.iter_mut().find(|sort| sort.passes == passes && sort.data == data);
            match known {
                Some(sort) => sort.states.add(of, state),
                None => {
                    let states = StateSet::new().with(of, state);
                    sorts.push(MemberSort { passes, data, states, one });
                }
            }
        }
        (sorts.len() <= MOST_SORTS).then_some(sorts)
    }

    /// What data tell of a member in a state.
    fn told(&self, truths: &[&MemberData], one: (ComponentTypeId, ComponentStateId)) -> Vec<Told> {
        let value = |variable: &LeafVariable| self.datum(one, variable);
        let mut told = Vec::new();
        for data in truths {
            if data.names.len() == 1 {
                told.push(Told::Truth(self.valuing.truth(&data.truth, &value)));
                continue;
            }
            data.truth.each(&mut |expr| {
                if let ExprKind::Leaf(variable) = &expr.kind {
                    told.push(Told::Value(value(variable)));
                }
            });
        }
        told
    }

    /// The value of a variable in a state.
    fn datum(
        &self,
        state: (ComponentTypeId, ComponentStateId),
        variable: &LeafVariable,
    ) -> Option<Datum> {
        let (name, _) = variable.path.last()?;
        self.kinds.datum(state, variable.process, name.name.as_str())
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
fn collect<'f>(formula: &'f MemberFormula, looked: &mut Looked<'f>) {
    let mut add = |set: &MemberSet| {
        if !looked.tests.contains(set) {
            looked.tests.push(set.clone());
        }
    };
    match formula {
        MemberFormula::Truth(_) | MemberFormula::Same(..) => {}
        MemberFormula::Data(data) => looked.truths.push(data),
        MemberFormula::In(_, set) => add(set),
        MemberFormula::AtMost(_, sets) => sets.iter().for_each(add),
        MemberFormula::Not(one) => collect(one, looked),
        MemberFormula::And(all) | MemberFormula::Or(all) => {
            all.iter().for_each(|one| collect(one, looked));
        }
        MemberFormula::Each { members, body, .. } => {
            add(members);
            collect(body, looked);
        }
    }
}

/// How many quantifiers stand in each other.
fn quantifiers(formula: &MemberFormula) -> usize {
    match formula {
        MemberFormula::Truth(_)
        | MemberFormula::Same(..)
        | MemberFormula::In(..)
        | MemberFormula::Data(_) => 0,
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
    reading: &'l Reading<'l>,
    tests: &'l [MemberSet],
    sorts: &'l [MemberSort],
    members: &'l [usize],
}

impl Looking<'_> {
    fn sort(&self, member: usize) -> &MemberSort {
        &self.sorts[self.members[member]]
    }

    fn passes(&self, member: usize, set: &MemberSet) -> bool {
        let test = self.tests.iter().position(|test| test == set);
        test.is_some_and(|test| self.sort(member).passes[test])
    }

    /// Whether a formula holds; nothing where that depends on forgotten data.
    fn holds(&self, formula: &MemberFormula, of: &mut Vec<(usize, usize)>) -> Option<bool> {
        match formula {
            MemberFormula::Truth(truth) => Some(*truth),
            MemberFormula::Not(one) => self.holds(one, of).map(|holds| !holds),
            MemberFormula::And(all) => every(all.iter().map(|one| self.holds(one, of))),
            MemberFormula::Or(all) => some(all.iter().map(|one| self.holds(one, of))),
            MemberFormula::In(variable, set) => {
                Some(found(*variable, of).is_some_and(|member| self.passes(member, set)))
            }
            MemberFormula::Same(a, b) => Some(found(*a, of) == found(*b, of)),
            MemberFormula::Data(data) => self.truth(data, of),
            MemberFormula::AtMost(most, sets) => {
                let counts = |member: &usize| sets.iter().any(|set| self.passes(*member, set));
                Some((0..self.members.len()).filter(counts).count() <= *most)
            }
            MemberFormula::Each { universal, variable, members, body } => {
                let one = |member: usize| {
                    of.push((*variable, member));
                    let holds = self.holds(body, of);
                    of.pop();
                    holds
                };
                let own = (0..self.members.len()).filter(|&at| self.passes(at, members));
                let each = own.collect::<Vec<usize>>().into_iter().map(one);
                if *universal { every(each) } else { some(each) }
            }
        }
    }

    /// Whether something is so of the data of members: those of one state of their sort, which tells what all of them do.
    fn truth(&self, data: &MemberData, of: &[(usize, usize)]) -> Option<bool> {
        let value = |variable: &LeafVariable| {
            let (first, _) = variable.path.first()?;
            let (_, variable_of) = data.names.iter().find(|(name, _)| *name == first.name)?;
            let member = found(*variable_of, of)?;
            self.reading.datum(self.sort(member).one, variable)
        };
        self.reading.valuing.truth(&data.truth, &value)
    }
}

/// The member that a variable stands for.
fn found(variable: usize, of: &[(usize, usize)]) -> Option<usize> {
    of.iter().rev().find(|(known, _)| *known == variable).map(|(_, member)| *member)
}

/// Whether all hold: one that does not is enough to say no.
fn every(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for one in all {
        match one {
            Some(false) => return one,
            Some(true) => {}
            None => result = None,
        }
    }
    result
}

/// Whether one holds.
fn some(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    every(all.map(|one| one.map(|holds| !holds))).map(|none| !none)
}
