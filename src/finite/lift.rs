//! Plays of nets that were compared by systems like them: what a play of the small systems shows is looked for in the nets.
//!
//! Input: a game between two sides, one or both of which stand for a net that is larger, and a pair that is lost in it.
//! Output: a play of the nets themselves. A pair that is lost says something of either side that the other does not
//! fulfil: of who challenges, that some step leads to where more is so whatever the answer; of who answers, that wherever
//! it answers to, more is so. What these say is only about steps that show something (with silent steps around them, where these
//! do not count) and about being stuck, so that a net fulfils it if a system like it does, by the relation that the
//! comparison needs. Which configuration fulfils what is found out in the net, as far as needed.
//!
//! Claimed: each step of the play is one of the nets, and at its end there is no answer in the net, or nothing that is stuck.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::demand::{NotLifted, OnDemand, StepList};
use super::game::{Couple, Move, PairGame};
use super::side::{GameSide, ShownId, Shows};
use crate::base::{Spent, Watch};
use crate::lts::LtsState;

/// What a side of a game stands for.
pub enum Real<'r, 'm, 'n> {
    /// Itself: its states are the configurations.
    Itself(&'r GameSide),
    /// A net that is larger.
    Net(&'r mut OnDemand<'m, 'n>),
}

/// A play of the nets.
#[derive(Clone, Debug)]
pub struct LiftedPlay {
    /// Where it begins.
    pub begin: Couple,
    /// Its moves.
    pub moves: Vec<Move>,
    /// Where the left side is stuck at the end, and the right one is not and cannot get stuck silently.
    pub stuck: Option<Couple>,
}

/// How a pair is lost.
#[derive(Clone, Copy, Debug)]
enum LostBy {
    /// The left side is stuck.
    Stuck,
    /// A step of one side, which the other cannot answer well.
    Step { by_right: bool, shown: ShownId, to: LtsState },
}

/// A pair of the small systems, and a configuration of one side that is to fulfil what the pair says of it.
type Claim = (LtsState, Couple);

/// What has to be found out about a claim.
struct Frame {
    claim: Claim,
    /// Whether one of the groups is enough, all of whose claims hold; otherwise one claim of each group is needed.
    one_group: bool,
    groups: Vec<Vec<Claim>>,
    group: usize,
    place: usize,
}

/// Who looks for a play of the nets.
pub struct Lift<'l, 'g, 'r, 'm, 'n> {
    /// The game of the small systems, which was played.
    pub game: &'l mut PairGame<'g>,
    /// What both sides stand for.
    pub real: &'l mut [Real<'r, 'm, 'n>; 2],
    /// What is shown.
    pub shows: &'l Shows,
    /// Whether silent steps do not count.
    pub weak: bool,
    /// How many claims may be kept.
    pub most: usize,
}

/// Steps that lead somewhere, one after the other.
type Way = Vec<(ShownId, LtsState)>;

struct Lifting<'i, 'l, 'g, 'r, 'm, 'n> {
    with: &'i mut Lift<'l, 'g, 'r, 'm, 'n>,
    watch: &'i dyn Watch,
    known: [FxHashMap<Claim, bool>; 2],
    lost: FxHashMap<Couple, LostBy>,
}

impl Lift<'_, '_, '_, '_, '_> {
    /// The play from a pair that is lost.
    pub fn play(&mut self, begin: Couple, watch: &dyn Watch) -> Result<LiftedPlay, NotLifted> {
        let (known, lost) = Default::default();
        Lifting { with: self, watch, known, lost }.play(begin)
    }
}

fn own(pair: Couple, side: usize) -> LtsState {
    if side == 0 { pair.0 } else { pair.1 }
}

fn couple(side: usize, own: LtsState, other: LtsState) -> Couple {
    if side == 0 { (own, other) } else { (other, own) }
}

impl Lifting<'_, '_, '_, '_, '_, '_> {
    fn play(&mut self, mut pair: Couple) -> Result<LiftedPlay, NotLifted> {
        let first = |side: usize, real: &Real<'_, '_, '_>| match real {
            Real::Itself(_) => own(pair, side),
            Real::Net(net) => net.initial(),
        };
        let begin = (first(0, &self.with.real[0]), first(1, &self.with.real[1]));
        for side in [0, 1] {
            if !self.holds(side, (own(begin, side), pair))? {
                return Err(NotLifted::Differs);
            }
        }
        let (mut at, mut moves) = (begin, Vec::new());
        loop {
            match self.lost_by(pair)? {
                LostBy::Stuck => {
                    let at = self.get_stuck(at, &mut moves)?;
                    return Ok(LiftedPlay { begin, moves, stuck: Some(at) });
                }
                LostBy::Step { by_right, shown, to } => {
                    match self.moved((at, pair), (usize::from(by_right), shown, to), &mut moves)? {
                        None => return Ok(LiftedPlay { begin, moves, stuck: None }),
                        Some(next) => (at, pair) = next,
                    }
                }
            }
        }
    }

    /// The left side goes to where it is stuck; the right one stays where it is.
    fn get_stuck(&mut self, at: Couple, moves: &mut Vec<Move>) -> Result<Couple, NotLifted> {
        let (end, way) = self.stuck_from(0, at.0)?.ok_or(NotLifted::Differs)?;
        let mut from = at.0;
        for step in way {
            let answer = Some((Vec::new(), at.1));
            moves.push(Move { at: (from, at.1), by_right: false, step, answer });
            from = step.1;
        }
        self.steps(1, at.1)?;
        Ok((end, at.1))
    }

    /// The moves by which a challenge of the small systems is made in the nets, and where these are then; nothing where there
    /// is no answer.
    fn moved(
        &mut self,
        (at, pair): (Couple, Couple),
        (side, shown, to): (usize, ShownId, LtsState),
        moves: &mut Vec<Move>,
    ) -> Result<Option<(Couple, Couple)>, NotLifted> {
        let (other, by_right) = (1 - side, side == 1);
        let wanted = self.ends_of_small(other, own(pair, other), shown);
        let (end, way) = self.challenge((side, own(at, side)), (shown, to), &wanted)?;
        let mut stays = own(at, other);
        // The nearest: where a silent step is answered, it stays where it is.
        let answered = match self.answers(other, stays, shown)?.into_iter().next() {
            None => None,
            Some((end, way)) => {
                let small = self.small_like((other, end), (side, to), &wanted)?;
                Some((way, end, small))
            }
        };
        let mut from = own(at, side);
        for step in way {
            let shows = !(self.with.weak && self.with.shows.is_silent(step.0));
            let place = couple(side, from, stays);
            let answer = match (&answered, shows) {
                (Some((way, end, _)), true) => {
                    stays = *end;
                    Some((way.clone(), *end))
                }
                (None, true) => None,
                (_, false) => Some((Vec::new(), stays)),
            };
            let is_last = answer.is_none();
            moves.push(Move { at: place, by_right, step, answer });
            from = step.1;
            if is_last {
                return Ok(None);
            }
        }
        let (_, _, small) = answered.ok_or(NotLifted::Differs)?;
        Ok(Some((couple(side, end, stays), couple(side, to, small))))
    }

    /// A way of who challenges to where, whatever the answer, more is so.
    fn challenge(
        &mut self,
        (side, from): (usize, LtsState),
        (shown, to): (ShownId, LtsState),
        wanted: &[LtsState],
    ) -> Result<(LtsState, Way), NotLifted> {
        for (end, way) in self.answers(side, from, shown)? {
            let mut all = true;
            for other in wanted {
                all = all && self.holds(side, (end, couple(side, to, *other)))?;
            }
            if all {
                return Ok((end, way));
            }
        }
        Err(NotLifted::Differs)
    }

    /// The state of the small system that says what is so of where a net has answered to.
    fn small_like(
        &mut self,
        (side, end): (usize, LtsState),
        (challenger, to): (usize, LtsState),
        ends: &[LtsState],
    ) -> Result<LtsState, NotLifted> {
        for small in ends {
            if self.holds(side, (end, couple(challenger, to, *small)))? {
                return Ok(*small);
            }
        }
        Err(NotLifted::Differs)
    }

    /// Where a small system can answer to.
    fn ends_of_small(&mut self, side: usize, at: LtsState, shown: ShownId) -> Vec<LtsState> {
        self.with.game.ends(side == 0, (at, shown))
    }

    fn lost_by(&mut self, pair: Couple) -> Result<LostBy, NotLifted> {
        if let Some(known) = self.lost.get(&pair) {
            return Ok(*known);
        }
        let found = match self.with.game.lost_by(pair).ok_or(NotLifted::Differs)? {
            None => LostBy::Stuck,
            Some((by_right, (shown, to))) => LostBy::Step { by_right, shown, to },
        };
        self.lost.insert(pair, found);
        Ok(found)
    }

    /// Whether a configuration of one side fulfils what a pair that is lost says of it.
    fn holds(&mut self, side: usize, claim: Claim) -> Result<bool, NotLifted> {
        let mut work: Vec<Frame> = Vec::new();
        let mut result = self.quickly(side, claim, &mut work)?;
        while let Some(frame) = work.last_mut() {
            if let Some(held) = result.take() {
                frame.take(held);
            }
            match frame.next() {
                Err(held) => {
                    let claim = frame.claim;
                    work.pop();
                    self.keep(side, claim, held)?;
                    result = Some(held);
                }
                Ok(next) => result = self.quickly(side, next, &mut work)?,
            }
        }
        result.ok_or(NotLifted::Differs)
    }

    fn keep(&mut self, side: usize, claim: Claim, held: bool) -> Result<(), NotLifted> {
        self.known[side].insert(claim, held);
        match self.known[side].len() > self.with.most {
            true => Err(NotLifted::TooMany { most: self.with.most }),
            false => Ok(()),
        }
    }

    /// Whether a claim holds where that is seen at once; otherwise what has to be found out about it is begun.
    fn quickly(
        &mut self,
        side: usize,
        claim: Claim,
        work: &mut Vec<Frame>,
    ) -> Result<Option<bool>, NotLifted> {
        let (at, pair) = claim;
        if let Real::Itself(_) = self.with.real[side] {
            return Ok(Some(at == own(pair, side)));
        }
        if let Some(known) = self.known[side].get(&claim) {
            return Ok(Some(*known));
        }
        let LostBy::Step { by_right, shown, to } = self.lost_by(pair)? else {
            let held = self.stuck_from(side, at)?.is_some() == (side == 0);
            self.keep(side, claim, held)?;
            return Ok(Some(held));
        };
        let challenger = usize::from(by_right);
        let wanted = self.ends_of_small(1 - challenger, own(pair, 1 - challenger), shown);
        let ends = self.answers(side, at, shown)?;
        let next = |other: &LtsState| couple(challenger, to, *other);
        let groups = ends.iter().map(|(end, _)| wanted.iter().map(|small| (*end, next(small))));
        let groups = groups.map(Iterator::collect).collect();
        let one_group = challenger == side;
        work.push(Frame { claim, one_group, groups, group: 0, place: 0 });
        Ok(None)
    }

    fn steps(&mut self, side: usize, at: LtsState) -> Result<StepList, NotLifted> {
        let budget = self.watch.budget();
        if budget.is_spent() {
            return Err(NotLifted::Spent(budget.spent().unwrap_or(Spent::Interrupted)));
        }
        match &mut self.with.real[side] {
            Real::Itself(own) => Ok(own.steps.row(at).into()),
            Real::Net(net) => net.steps(at, self.with.shows),
        }
    }

    /// Where a step that shows this can lead, with silent steps around it where these do not count, and a shortest way to
    /// each; the nearest first.
    fn answers(
        &mut self,
        side: usize,
        from: LtsState,
        shown: ShownId,
    ) -> Result<Vec<(LtsState, Way)>, NotLifted> {
        let weak = self.with.weak;
        let mut walk = Walk::from((from, weak && self.with.shows.is_silent(shown)));
        let mut next = 0;
        while let Some((at, done)) = walk.met.get_index(next).copied() {
            if done && !weak {
                next += 1;
                continue;
            }
            for (does, to) in self.steps(side, at)?.iter() {
                match weak && self.with.shows.is_silent(*does) {
                    true => walk.meet((*to, done), (next, *does)),
                    false if *does == shown && !done => {
                        walk.meet((*to, true), (next, *does));
                    }
                    false => {}
                }
            }
            next += 1;
        }
        let ends = walk.met.iter().enumerate().filter(|(_, (_, done))| *done);
        Ok(ends.map(|(place, (end, _))| (*end, walk.way(place))).collect())
    }

    /// Where a side is stuck, after silent steps where these do not count, and the way there.
    fn stuck_from(
        &mut self,
        side: usize,
        from: LtsState,
    ) -> Result<Option<(LtsState, Way)>, NotLifted> {
        let mut walk = Walk::from((from, false));
        let mut next = 0;
        while let Some((at, _)) = walk.met.get_index(next).copied() {
            let steps = self.steps(side, at)?;
            if steps.is_empty() {
                return Ok(Some((at, walk.way(next))));
            }
            for (does, to) in steps.iter() {
                if self.with.weak && self.with.shows.is_silent(*does) {
                    walk.meet((*to, false), (next, *does));
                }
            }
            next += 1;
        }
        Ok(None)
    }
}

impl Frame {
    /// What was found out about the claim that was asked for.
    fn take(&mut self, held: bool) {
        if held == self.one_group {
            self.place += 1;
        } else {
            (self.group, self.place) = (self.group + 1, 0);
        }
    }

    /// The next claim that has to be found out about, or what came out.
    fn next(&self) -> Result<Claim, bool> {
        let Some(group) = self.groups.get(self.group) else { return Err(!self.one_group) };
        group.get(self.place).copied().ok_or(self.one_group)
    }
}

/// Configurations that are met, with whether what is wanted was shown before, and where each was met from.
struct Walk {
    met: IndexSet<(LtsState, bool), FxBuildHasher>,
    before: Vec<Option<(usize, ShownId)>>,
}

impl Walk {
    fn from(first: (LtsState, bool)) -> Walk {
        Walk { met: [first].into_iter().collect(), before: vec![None] }
    }

    fn meet(&mut self, now: (LtsState, bool), before: (usize, ShownId)) {
        if self.met.insert(now) {
            self.before.push(Some(before));
        }
    }

    fn way(&self, mut place: usize) -> Way {
        let mut way = Vec::new();
        while let (Some((at, _)), Some(Some((from, does)))) =
            (self.met.get_index(place), self.before.get(place))
        {
            way.push((*does, *at));
            place = *from;
        }
        way.reverse();
        way
    }
}
