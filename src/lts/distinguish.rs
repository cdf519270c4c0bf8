//! A formula that holds in one of two states that are not bisimilar, and not in the other.
//!
//! Partitions are refined level by level until the two states are apart. What is in one block at a level satisfies the same
//! formulas of that depth; so a formula that tells two states apart at their first level is made of formulas that tell what
//! they lead to apart at earlier levels, one for each block (Cleaveland, 1990; for branching bisimilarity Korver, 1991).

use rustc_hash::FxHashMap;

use super::formula::{Form, FormulaId, Formulas};
use super::partition::BlockId;
use super::system::{Lts, LtsLabel, LtsState};
use crate::base::{Id, IndexVec, Watch, budget};

/// Deeper formulas are not made: nobody reads them.
const MOST_LEVELS: usize = 500;

/// How many numbers are kept for all levels.
const MOST_KEPT: usize = 50_000_000;

/// Bisimilarities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bisimilarity {
    Strong,
    /// Branching, and whether going on silently for ever counts.
    Branching {
        diverging: bool,
    },
    Weak,
}

/// What a state does, and into which block of a level that leads; `None` is going on silently for ever.
type Does = Option<(LtsLabel, BlockId)>;

/// The blocks of all states, level by level, with fewer blocks first.
pub(super) struct Levels<'l> {
    lts: &'l Lts,
    by: Bisimilarity,
    all: Vec<IndexVec<LtsState, BlockId>>,
}

impl<'l> Levels<'l> {
    /// All levels until two states are apart.
    fn new(
        lts: &'l Lts,
        by: Bisimilarity,
        (one, other): (LtsState, LtsState),
        watch: &dyn Watch,
    ) -> Option<Levels<'l>> {
        let mut levels = Levels { lts, by, all: vec![IndexVec::of(lts.states(), BlockId(0))] };
        let budget = watch.budget();
        while levels.all.last().is_some_and(|of| of[one] == of[other]) {
            let most =
                levels.all.len() >= MOST_LEVELS || levels.all.len() * lts.states() > MOST_KEPT;
            if most || budget.is_spent() {
                return None;
            }
            watch.searching(&format!("looking for a formula, depth {}", levels.all.len()), 0);
            let next = levels.next_level()?;
            levels.all.push(next);
        }
        Some(levels)
    }

    /// All levels until no more states come apart.
    pub fn to_the_end(lts: &'l Lts, by: Bisimilarity, watch: &dyn Watch) -> Option<Levels<'l>> {
        let mut levels = Levels { lts, by, all: vec![IndexVec::of(lts.states(), BlockId(0))] };
        let (mut blocks, budget) = (1, watch.budget());
        loop {
            let most =
                levels.all.len() >= MOST_LEVELS || levels.all.len() * lts.states() > MOST_KEPT;
            if most || budget.is_spent() {
                return None;
            }
            watch.searching(&format!("looking for formulas, depth {}", levels.all.len()), 0);
            let next = levels.next_level()?;
            let count = next.iter().map(|block| block.index() + 1).max().unwrap_or(1);
            if count == blocks {
                return Some(levels);
            }
            blocks = count;
            levels.all.push(next);
        }
    }

    fn next_level(&self) -> Option<IndexVec<LtsState, BlockId>> {
        let of = self.all.last()?;
        let mut known: FxHashMap<(BlockId, Vec<Does>), BlockId> = FxHashMap::default();
        let signatures = self.signatures(of);
        let block = |(state, own): (LtsState, Vec<Does>)| {
            let next = BlockId::at(known.len());
            *known.entry((of[state], own)).or_insert(next)
        };
        Some(self.lts.ids().zip(signatures).map(block).collect())
    }

    /// What each state does at a level, silent steps taken as the relation takes them. Silent steps lead to smaller numbers.
    fn signatures(&self, of: &IndexVec<LtsState, BlockId>) -> Vec<Vec<Does>> {
        let mut all: Vec<Vec<Does>> = Vec::with_capacity(self.lts.states());
        let silently = (self.by == Bisimilarity::Weak).then(|| self.silently(of));
        for state in self.lts.ids() {
            let mut own: Vec<Does> = Vec::new();
            // What is found when the budget is spent is not looked at.
            let steps = if budget::is_spent() { &[] } else { self.lts.steps(state) };
            for step in steps {
                let to = of[step.to];
                let inside = step.label.is_silent() && to == of[state];
                match (self.by, &silently) {
                    (Bisimilarity::Branching { diverging }, _) if inside => {
                        if step.to == state {
                            own.extend(diverging.then_some(None));
                        } else {
                            own.extend_from_slice(&all[step.to.index()]);
                        }
                    }
                    (_, Some(_)) if step.label.is_silent() => {
                        own.extend_from_slice(&all[step.to.index()])
                    }
                    (_, Some(silently)) => {
                        own.extend(silently[step.to].iter().map(|to| Some((step.label, *to))));
                    }
                    _ => own.push(Some((step.label, to))),
                }
            }
            if let Some(silently) = &silently {
                own.extend(silently[state].iter().map(|to| Some((LtsLabel::SILENT, *to))));
            }
            own.sort_unstable();
            own.dedup();
            all.push(own);
        }
        all
    }

    /// The blocks that are reached silently.
    fn silently(&self, of: &IndexVec<LtsState, BlockId>) -> IndexVec<LtsState, Vec<BlockId>> {
        let mut all: IndexVec<LtsState, Vec<BlockId>> = IndexVec::default();
        for state in self.lts.ids() {
            let mut own = vec![of[state]];
            self.lts
                .silent_steps(state)
                .iter()
                .for_each(|step| own.extend_from_slice(&all[step.to]));
            own.sort_unstable();
            own.dedup();
            all.push(own);
        }
        all
    }

    /// The first level at which two states are apart.
    fn apart(&self, one: LtsState, other: LtsState) -> Option<usize> {
        // Once apart, they stay so.
        let at = self.all.partition_point(|of| of[one] == of[other]);
        (at < self.all.len()).then_some(at)
    }
}

/// What can be done from a state, as a relation takes silent steps.
#[derive(Default)]
struct Doable {
    /// What is done, and a state that it leads to.
    does: Vec<(LtsLabel, LtsState)>,
    /// The states outside of the block that silent steps from inside lead to.
    exits: Vec<LtsState>,
    /// Whether silent steps inside of the block can be made for ever.
    forever: bool,
}

/// Makes formulas for pairs of states.
pub(super) struct Making<'m> {
    levels: &'m Levels<'m>,
    pub formulas: Formulas,
    made: FxHashMap<(LtsState, LtsState), FormulaId>,
}

impl<'m> Making<'m> {
    /// None yet.
    pub fn new(levels: &'m Levels<'m>) -> Making<'m> {
        Making { levels, formulas: Formulas::default(), made: FxHashMap::default() }
    }

    /// A formula that holds in the first state, and not in the second.
    pub fn tell(&mut self, one: LtsState, other: LtsState) -> Option<FormulaId> {
        if let Some(made) = self.made.get(&(one, other)) {
            return Some(*made);
        }
        let level = self.levels.apart(one, other)?.checked_sub(1)?;
        let formula = match self.does_more(one, other, level) {
            Some(made) => made,
            None => {
                let made = self.does_more(other, one, level)?;
                self.formulas.make(Form::Not(made))
            }
        };
        self.made.insert((one, other), formula);
        Some(formula)
    }

    /// A formula about something that only the first state does, by the blocks of a level.
    fn does_more(&mut self, one: LtsState, other: LtsState, level: usize) -> Option<FormulaId> {
        let (own, others) = (self.doable(one, level), self.doable(other, level));
        let of = &self.levels.all[level];
        let by = self.levels.by;
        if own.forever && !others.forever {
            let through = self.apart_from(one, &others.exits, level)?;
            return Some(self.formulas.make(Form::ForEver(through)));
        }
        let answered = |label: LtsLabel, to: LtsState| {
            others.does.iter().any(|(other, answer)| *other == label && of[*answer] == of[to])
        };
        let (label, to) = own.does.iter().copied().find(|(label, to)| !answered(*label, *to))?;
        let mut answers: Vec<LtsState> =
            others.does.iter().filter(|(other, _)| *other == label).map(|(_, to)| *to).collect();
        if label.is_silent() && matches!(by, Bisimilarity::Branching { .. }) {
            // Silent steps inside of the block lead to states as this one.
            answers.push(other);
        }
        let after = self.apart_from(to, &answers, level)?;
        Some(match by {
            Bisimilarity::Strong => self.formulas.make(Form::Step(label, after)),
            Bisimilarity::Weak => self.formulas.make(Form::Weakly(label, after)),
            Bisimilarity::Branching { .. } => {
                let through = self.apart_from(one, &others.exits, level)?;
                self.formulas.make(Form::Until(through, label, after))
            }
        })
    }

    /// What holds in a state, and in none of others, each of which is in another block at a level.
    fn apart_from(
        &mut self,
        state: LtsState,
        others: &[LtsState],
        level: usize,
    ) -> Option<FormulaId> {
        let of = &self.levels.all[level];
        let mut one_of_each: Vec<LtsState> = others.to_vec();
        one_of_each.sort_by_key(|other| (of[*other], *other));
        one_of_each.dedup_by_key(|other| of[*other]);
        let parts: Option<Vec<FormulaId>> =
            one_of_each.into_iter().map(|other| self.tell(state, other)).collect();
        Some(self.formulas.make(Form::All(parts?)))
    }

    fn doable(&self, from: LtsState, level: usize) -> Doable {
        let (lts, of) = (self.levels.lts, &self.levels.all[level]);
        let mut found = Doable::default();
        match self.levels.by {
            Bisimilarity::Strong => {
                found.does = lts.steps(from).iter().map(|step| (step.label, step.to)).collect();
            }
            Bisimilarity::Weak => {
                let before = reached(lts, from, |_| true);
                for state in &before {
                    for step in lts.visible_steps(*state) {
                        let after = reached(lts, step.to, |_| true);
                        found.does.extend(after.into_iter().map(|to| (step.label, to)));
                    }
                }
                found.does.extend(before.into_iter().map(|to| (LtsLabel::SILENT, to)));
            }
            Bisimilarity::Branching { diverging } => {
                for state in reached(lts, from, |state| of[state] == of[from]) {
                    let does = lts.steps(state).iter().map(|step| (step.label, step.to));
                    let inert = |state: LtsState, step: &(LtsLabel, LtsState)| {
                        step.0.is_silent() && (step.1 == state || of[step.1] == of[from])
                    };
                    found.forever |=
                        diverging && lts.silent_steps(state).iter().any(|step| step.to == state);
                    let silent = lts.silent_steps(state).iter().map(|step| step.to);
                    found.exits.extend(silent.filter(|to| of[*to] != of[from]));
                    found.does.extend(does.filter(|step| !inert(state, step)));
                }
            }
        }
        found.does.sort_unstable();
        found.does.dedup();
        found
    }
}

/// The states that are reached silently through some states.
fn reached(lts: &Lts, from: LtsState, through: impl Fn(LtsState) -> bool) -> Vec<LtsState> {
    let mut found = vec![from];
    let mut known: rustc_hash::FxHashSet<LtsState> = found.iter().copied().collect();
    let mut at = 0;
    while let Some(state) = found.get(at).copied() {
        for step in lts.silent_steps(state) {
            if through(step.to) && known.insert(step.to) {
                found.push(step.to);
            }
        }
        at += 1;
    }
    found
}

/// A formula that holds in the first state, and not in the second, if there is one that is not too deep. Silent steps lead
/// to smaller numbers, or, where going on for ever counts, to the state itself.
pub(super) fn distinguish(
    lts: &Lts,
    by: Bisimilarity,
    (one, other): (LtsState, LtsState),
    watch: &dyn Watch,
) -> Option<(Formulas, FormulaId)> {
    let levels = Levels::new(lts, by, (one, other), watch)?;
    let mut making = Making::new(&levels);
    let formula = making.tell(one, other)?;
    Some((making.formulas, formula))
}

/// A formula that holds in a state and in no state that simulates it not, by pairs that fail round by round. For small
/// systems only.
pub(super) fn not_simulated(
    lts: &Lts,
    (one, other): (LtsState, LtsState),
    watch: &dyn Watch,
) -> Option<(Formulas, FormulaId)> {
    let ranks = Ranks::new(lts, watch)?;
    let mut formulas = Formulas::default();
    let formula = ranks.tell(lts, (one, other), &mut formulas)?;
    Some((formulas, formula))
}

/// The round in which it was found that a state is not simulated by another one.
struct Ranks {
    states: usize,
    rank: Vec<u16>,
}

/// Not found yet.
const NEVER: u16 = u16::MAX;

/// A rank for each pair is kept.
const MOST_RANKED: usize = 2000;

impl Ranks {
    fn new(lts: &Lts, watch: &dyn Watch) -> Option<Ranks> {
        let states = lts.states();
        if states > MOST_RANKED {
            return None;
        }
        let mut ranks = Ranks { states, rank: vec![NEVER; states * states] };
        let budget = watch.budget();
        for round in 0..NEVER {
            let mut failed = Vec::new();
            for one in lts.ids() {
                let others = lts.ids().filter(|other| ranks.of(one, *other) == NEVER);
                failed.extend(
                    others
                        .filter(|other| ranks.step(lts, one, *other, NEVER).is_some())
                        .map(|other| (one, other)),
                );
                if budget.is_spent() {
                    return None;
                }
            }
            if failed.is_empty() {
                return Some(ranks);
            }
            for (one, other) in failed {
                ranks.rank[one.index() * states + other.index()] = round;
            }
        }
        None
    }

    fn of(&self, one: LtsState, other: LtsState) -> u16 {
        self.rank[one.index() * self.states + other.index()]
    }

    /// A step of the first state such that all answers of the second lead to pairs that failed before a round.
    fn step(
        &self,
        lts: &Lts,
        one: LtsState,
        other: LtsState,
        before: u16,
    ) -> Option<(LtsLabel, LtsState)> {
        let fails = |step: &&super::system::LtsStep| {
            let mut answers = lts.steps_by(other, step.label).iter();
            answers.all(|answer| self.of(step.to, answer.to) < before)
        };
        lts.steps(one).iter().find(fails).map(|step| (step.label, step.to))
    }

    fn tell(
        &self,
        lts: &Lts,
        (one, other): (LtsState, LtsState),
        formulas: &mut Formulas,
    ) -> Option<FormulaId> {
        let rank = self.of(one, other);
        if rank == NEVER || usize::from(rank) > MOST_LEVELS {
            return None;
        }
        let (label, to) = self.step(lts, one, other, rank)?;
        let answers = lts.steps_by(other, label).iter();
        let parts: Option<Vec<FormulaId>> =
            answers.map(|answer| self.tell(lts, (to, answer.to), formulas)).collect();
        let after = formulas.make(Form::All(parts?));
        Some(formulas.make(Form::Observed(label, after)))
    }
}
