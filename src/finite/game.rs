//! Two nets compared configuration by configuration: the game of `equivalence`, on pairs of configurations.
//!
//! Input: two sides, and the rules. Output: a relation, a play, or that there are too many pairs. The rules are those of the
//! symbolic game (`equivalence/game.rs`): one side makes a step, the other answers it by a step that shows the same, or,
//! where silent steps do not count, by silent steps around it, and by silent steps or none if it is silent. In a refinement
//! only the left side challenges, and where it has no step at all the right one must have none, or be able to get by silent
//! steps to where it has none. Final states play no part. Each way in which one side begins needs one of the other with the
//! same values of symbolic constants.
//!
//! Claimed: all pairs that the game can come to are looked at. A pair is lost in round k if some step has no answer to a
//! pair that is not lost before; what is never lost is the largest relation among these pairs, and is looked at once more,
//! pair by pair, before it is called one ([`Played::Related`]). A play follows the rounds down, so that its last move has no
//! answer at all. With finitely many configurations this is exact: nothing is left open but by a limit.

use std::collections::VecDeque;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::side::{Answers, GameSide, ShownId, Shows, way};
use crate::base::{Id, IndexVec, Spent, Watch};
use crate::lts::LtsState;
use crate::tagged_id;

tagged_id!(
    /// A pair of configurations.
    CouplePlace
);

tagged_id!(
    /// A step of one side in a pair, which the other has to answer.
    DareId
);

/// What is played for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairRules {
    /// Whether the right side challenges, too; otherwise it must be stuck where the left one is.
    pub both: bool,
    /// Whether silent steps do not count.
    pub weak: bool,
    /// How many pairs and answers are kept.
    pub most: usize,
}

/// Two configurations.
pub type Couple = (LtsState, LtsState);

/// A move of a play: where, who challenges by which step, and what the other answers.
#[derive(Clone, Debug)]
pub struct Move {
    /// Where the two are.
    pub at: Couple,
    /// Whether the right side challenges.
    pub by_right: bool,
    /// What is shown, and where it leads.
    pub step: (ShownId, LtsState),
    /// The steps of the answer, one after the other, and where they end; nothing where there is no answer.
    pub answer: Option<(Vec<(ShownId, LtsState)>, LtsState)>,
}

/// What a game came to.
#[derive(Clone, Debug)]
pub enum Played {
    /// The two are related, by so many pairs.
    Related {
        /// The pairs of the relation.
        pairs: usize,
    },
    /// They are told apart by a play.
    Apart {
        /// Where it begins.
        begin: Couple,
        /// Its moves.
        moves: Vec<Move>,
        /// Where the left side is stuck at the end, and the right one is not and cannot get stuck silently.
        stuck: Option<Couple>,
    },
    /// One side can begin with values of constants with which the other cannot.
    Unmatched,
    /// There are more pairs than may be kept.
    TooMany,
    /// The budget was spent.
    Spent(Spent),
    /// What was found was not confirmed. This is a mistake of the program.
    Unconfirmed,
}

/// A challenge: its pair, and how many of its answers are not lost.
#[derive(Clone, Copy, Debug)]
struct Dare {
    of: CouplePlace,
    open: u32,
}

/// The game.
pub struct PairGame<'g> {
    sides: [&'g GameSide; 2],
    shows: &'g Shows,
    rules: PairRules,
    answers: [Answers; 2],
    /// All pairs, with the round in which each is lost.
    pairs: IndexMap<Couple, u32, FxBuildHasher>,
    dares: IndexVec<DareId, Dare>,
    /// For each answer of each challenge, the pair it leads to.
    leads: Vec<(CouplePlace, DareId)>,
    lost: VecDeque<CouplePlace>,
}

/// Of a pair that is not lost.
const NEVER: u32 = u32::MAX;

impl<'g> PairGame<'g> {
    /// A game between two.
    pub fn new(sides: [&'g GameSide; 2], shows: &'g Shows, rules: PairRules) -> PairGame<'g> {
        PairGame {
            sides,
            shows,
            rules,
            answers: [Answers::default(), Answers::default()],
            pairs: IndexMap::default(),
            dares: IndexVec::default(),
            leads: Vec::new(),
            lost: VecDeque::new(),
        }
    }

    /// Plays it.
    pub fn play(mut self, watch: &dyn Watch) -> Played {
        match self.decide(watch) {
            Err(ended) => ended,
            Ok(begin) => self.told(begin).unwrap_or(Played::Unconfirmed),
        }
    }

    /// Finds out who wins: a pair in which it can begin that is lost, or how it ended otherwise.
    pub fn decide(&mut self, watch: &dyn Watch) -> Result<Couple, Played> {
        if let Some(ended) = self.go_through(watch) {
            return Err(ended);
        }
        match self.unmatched_begin() {
            None if self.is_confirmed() => Err(Played::Related { pairs: self.related() }),
            None => Err(Played::Unconfirmed),
            Some(None) => Err(Played::Unmatched),
            Some(Some(begin)) => Ok(begin),
        }
    }

    /// How a pair is lost: by a step of one side, whether it is the right one, or, where there is no step, since the left
    /// side is stuck. Nothing where it is not lost.
    pub(super) fn lost_by(&mut self, at: Couple) -> Option<Option<(bool, (ShownId, LtsState))>> {
        let round = self.pairs.get(&at).copied().filter(|round| *round != NEVER)?;
        if round == 1 && !self.rules.both && self.is_left_behind(at) {
            return Some(None);
        }
        let (by_right, step, _) = self.winning(at, round)?;
        Some(Some((by_right, step)))
    }

    /// A relation that shows that the two are related: it has one answer to each challenge, and is often much smaller than the
    /// largest one. Nothing where they are not related, or a limit was met.
    pub fn relation(mut self, watch: &dyn Watch) -> Option<Vec<Couple>> {
        if self.go_through(watch).is_some() || self.unmatched_begin().is_some() {
            return None;
        }
        let begins = self.begins().into_iter().filter(|pair| !self.is_lost(*pair));
        let mut chosen: IndexSet<Couple, FxBuildHasher> = begins.collect();
        let mut next = 0;
        while let Some(pair) = chosen.get_index(next).copied() {
            if watch.budget().is_spent() {
                return None;
            }
            self.answer_all(pair, &mut chosen)?;
            next += 1;
        }
        Some(chosen.into_iter().collect())
    }

    /// Chooses an answer to each challenge in a pair, one that is chosen already if there is one.
    fn answer_all(
        &mut self,
        pair: Couple,
        chosen: &mut IndexSet<Couple, FxBuildHasher>,
    ) -> Option<()> {
        let ways = if self.rules.both { &[false, true][..] } else { &[false] };
        for &by_right in ways {
            let (own, other) = if by_right { (pair.1, pair.0) } else { pair };
            let side = self.sides[usize::from(by_right)];
            for (shown, to) in side.steps.row(own) {
                let ends = self.ends(by_right, (other, *shown)).into_iter();
                let next = ends.map(|end| if by_right { (end, *to) } else { (*to, end) });
                let good: Vec<Couple> = next.filter(|pair| !self.is_lost(*pair)).collect();
                let known = good.iter().find(|pair| chosen.contains(*pair));
                chosen.insert(*known.or(good.first())?);
            }
        }
        Some(())
    }

    /// Looks at all pairs, and finds out which are lost; what stopped it, if something did.
    fn go_through(&mut self, watch: &dyn Watch) -> Option<Played> {
        let begins = self.begins();
        begins.iter().for_each(|pair| _ = self.meet(*pair));
        let mut next = 0;
        while let Some((pair, _)) = self.pairs.get_index(next).map(|(pair, round)| (*pair, *round))
        {
            if let Some(ended) = self.is_over(watch, next) {
                return Some(ended);
            }
            self.look(CouplePlace::at(next), pair);
            next += 1;
        }
        (!self.lose(watch)).then(|| spent(watch))
    }

    fn is_over(&self, watch: &dyn Watch, pairs: usize) -> Option<Played> {
        if pairs.is_multiple_of(1024) {
            watch.searching(&format!("comparing, {pairs} pairs of configurations"), 0);
        }
        if watch.budget().is_spent() {
            return Some(spent(watch));
        }
        let kept = self.pairs.len() + self.leads.len();
        let kept = kept
            + self.answers.iter().map(Answers::size).sum::<usize>()
                * usize::from(pairs.is_multiple_of(1024));
        (kept > self.rules.most).then_some(Played::TooMany)
    }

    /// The pairs in which it can begin: those with the same values of constants.
    fn begins(&self) -> Vec<Couple> {
        let [left, right] = self.sides;
        let pairs =
            left.begins.iter().flat_map(|one| right.begins.iter().map(move |two| (one, two)));
        let alike = pairs.filter(|(one, two)| one.0 == two.0);
        alike.map(|(one, two)| (one.1, two.1)).collect()
    }

    fn meet(&mut self, pair: Couple) -> CouplePlace {
        let entry = self.pairs.entry(pair);
        let place = CouplePlace::at(entry.index());
        entry.or_insert(NEVER);
        place
    }

    /// Looks at a pair: its challenges and their answers.
    fn look(&mut self, place: CouplePlace, pair: Couple) {
        if !self.rules.both && self.is_left_behind(pair) {
            self.lost_in(place, 1);
        }
        for by_right in [false, true] {
            if by_right && !self.rules.both {
                continue;
            }
            let (own, other) = if by_right { (pair.1, pair.0) } else { (pair.0, pair.1) };
            let side = self.sides[usize::from(by_right)];
            for at in 0..side.steps.row(own).len() {
                let (shown, to) = side.steps.row(own)[at];
                self.dare(place, by_right, (shown, to), other);
            }
        }
    }

    fn dare(
        &mut self,
        place: CouplePlace,
        by_right: bool,
        (shown, to): (ShownId, LtsState),
        other: LtsState,
    ) {
        let ends = self.ends(by_right, (other, shown));
        let dare = self.dares.push(Dare { of: place, open: ends.len() as u32 });
        if ends.is_empty() {
            self.lost_in(place, 1);
        }
        for end in ends {
            let next = self.meet(if by_right { (end, to) } else { (to, end) });
            self.leads.push((next, dare));
        }
    }

    /// Where the answers of the other side lead.
    pub(super) fn ends(&mut self, by_right: bool, asked: (LtsState, ShownId)) -> Vec<LtsState> {
        let other = usize::from(!by_right);
        self.answers[other].to(self.sides[other], self.shows, asked, self.rules.weak).to_vec()
    }

    /// Whether the left side is stuck, and the right one is not and cannot get stuck silently.
    fn is_left_behind(&mut self, (left, right): Couple) -> bool {
        let [one, two] = self.sides;
        if !one.is_stuck(left) {
            return false;
        }
        match self.rules.weak {
            false => !two.is_stuck(right),
            true => {
                let ends = self.answers[1].silently(two, self.shows, right);
                !ends.iter().any(|end| two.is_stuck(*end))
            }
        }
    }

    fn lost_in(&mut self, place: CouplePlace, round: u32) {
        if let Some((_, lost)) = self.pairs.get_index_mut(place.index())
            && *lost == NEVER
        {
            *lost = round;
            self.lost.push_back(place);
        }
    }

    fn round(&self, place: CouplePlace) -> u32 {
        self.pairs.get_index(place.index()).map_or(NEVER, |(_, round)| *round)
    }

    /// Goes through the rounds: a pair is lost when all answers to one of its challenges are. Pairs are lost in the order of
    /// their rounds, so that each gets the first one. Whether it came to its end.
    fn lose(&mut self, watch: &dyn Watch) -> bool {
        self.leads.sort_unstable();
        let budget = watch.budget();
        while let Some(place) = self.lost.pop_front() {
            if budget.is_spent() {
                return false;
            }
            let round = self.round(place);
            let from = self.leads.partition_point(|(to, _)| *to < place);
            let to = self.leads.partition_point(|(to, _)| *to <= place);
            for at in from..to {
                let dare = self.leads[at].1;
                self.dares[dare].open -= 1;
                if self.dares[dare].open == 0 {
                    self.lost_in(self.dares[dare].of, round + 1);
                }
            }
        }
        true
    }

    fn is_lost(&self, pair: Couple) -> bool {
        self.pairs.get(&pair).is_none_or(|round| *round != NEVER)
    }

    /// A beginning that has no like on the other side: the pair that resists longest, if there is any.
    fn unmatched_begin(&self) -> Option<Option<Couple>> {
        let [left, right] = self.sides;
        let ways = if self.rules.both { &[false, true][..] } else { &[false] };
        for by_right in ways {
            let (own, others) = if *by_right { (right, left) } else { (left, right) };
            for (constants, begin) in &own.begins {
                let fitting = others.begins.iter().filter(|(with, _)| with == constants);
                let pairs = fitting.map(|(_, other)| match by_right {
                    true => (*other, *begin),
                    false => (*begin, *other),
                });
                let pairs: Vec<Couple> = pairs.collect();
                if pairs.iter().all(|pair| self.is_lost(*pair)) {
                    let round = |pair: &&Couple| self.pairs.get(*pair).copied();
                    return Some(pairs.iter().max_by_key(round).copied());
                }
            }
        }
        None
    }

    /// How many pairs are not lost.
    fn related(&self) -> usize {
        self.pairs.values().filter(|round| **round == NEVER).count()
    }

    /// Looks once more at all pairs that are not lost: each step of each has an answer to one of them, and nobody is left
    /// behind. Nothing that was counted is used.
    fn is_confirmed(&mut self) -> bool {
        let kept: Vec<Couple> = self
            .pairs
            .iter()
            .filter(|(_, round)| **round == NEVER)
            .map(|(pair, _)| *pair)
            .collect();
        kept.into_iter().all(|pair| {
            let stays = self.rules.both || !self.is_left_behind(pair);
            let answered = |game: &mut Self, by_right: bool| {
                let side = game.sides[usize::from(by_right)];
                let (own, other) = if by_right { (pair.1, pair.0) } else { (pair.0, pair.1) };
                side.steps.row(own).iter().all(|(shown, to)| {
                    let ends = game.ends(by_right, (other, *shown));
                    let next = |end: LtsState| if by_right { (end, *to) } else { (*to, end) };
                    ends.into_iter().any(|end| !game.is_lost(next(end)))
                })
            };
            stays && answered(self, false) && (!self.rules.both || answered(self, true))
        })
    }

    /// The play from a pair that is lost: in each round the challenge that loses it, and the answer that resists longest.
    fn told(&mut self, begin: Couple) -> Option<Played> {
        let (mut at, mut moves) = (begin, Vec::new());
        loop {
            let round = self.pairs.get(&at).copied().filter(|round| *round != NEVER)?;
            if round == 1 && !self.rules.both && self.is_left_behind(at) {
                return Some(Played::Apart { begin, moves, stuck: Some(at) });
            }
            let (by_right, step, next) = self.winning(at, round)?;
            let (_, other) = if by_right { (at.1, at.0) } else { at };
            let Some(next) = next else {
                moves.push(Move { at, by_right, step, answer: None });
                return Some(Played::Apart { begin, moves, stuck: None });
            };
            let end = if by_right { next.0 } else { next.1 };
            let side = self.sides[usize::from(!by_right)];
            let steps = way(side, self.shows, (other, end), step.0, self.rules.weak)?;
            moves.push(Move { at, by_right, step, answer: Some((steps, end)) });
            at = next;
        }
    }

    /// A challenge all answers of which lead to pairs that are lost before, with the one that is lost last.
    fn winning(
        &mut self,
        at: Couple,
        round: u32,
    ) -> Option<(bool, (ShownId, LtsState), Option<Couple>)> {
        for by_right in [false, true] {
            if by_right && !self.rules.both {
                continue;
            }
            let (own, other) = if by_right { (at.1, at.0) } else { at };
            let side = self.sides[usize::from(by_right)];
            for step in side.steps.row(own) {
                let ends = self.ends(by_right, (other, step.0));
                let next = |end: LtsState| if by_right { (end, step.1) } else { (step.1, end) };
                let last = ends.into_iter().map(next).max_by_key(|pair| self.pairs.get(pair));
                let lost = last.and_then(|pair| self.pairs.get(&pair).copied());
                if lost.is_none_or(|lost| lost < round) {
                    return Some((by_right, *step, last));
                }
            }
        }
        None
    }
}

fn spent(watch: &dyn Watch) -> Played {
    Played::Spent(watch.budget().spent().unwrap_or(Spent::Interrupted))
}

/// Whether a side can go on silently for ever, from where it begins.
pub fn goes_on_silently(side: &GameSide, shows: &Shows) -> bool {
    let silent = |at: usize| {
        let steps = side.steps.row(LtsState::at(at)).iter();
        steps.filter(|(does, _)| shows.is_silent(*does)).map(|(_, to)| to.index()).collect()
    };
    let edges: Vec<Vec<usize>> = (0..side.steps.len()).map(silent).collect();
    !crate::base::graph::circles(&edges).is_empty()
}
