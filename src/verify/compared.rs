//! `check weakly_bisimilar(A, B) by R` and its kin: comparisons of systems that were made part by part.
//!
//! Input: two nets, and a method by which one of them, or both, is made; the other is gone through configuration by
//! configuration. Output: what was settled. The game is that of `pairwise`, on the reduced system in the place of the net.
//!
//! Claimed: the relation that the method preserves does not change the answer. Strong bisimilarity changes none. Weak
//! bisimilarity, and all that are finer, do not change whether two are weakly bisimilar. Whether one weakly refines another
//! also depends on where it is stuck: a net whose system is stuck after divergence-preserving reduction has no silent
//! circle there, so that it gets to where it is stuck by silent steps, and the other one can follow; what preserves less
//! is refused (T0139). A play is one of the nets themselves (`finite::Lift`), and each of its steps is made again by the
//! plain interpreter.

use crate::base::{IndexVec, Watch};
use crate::compose::{ComposedSystem, Method, Seeing};
use crate::diagnostics::Diagnostic;
use crate::explore::compiled::Compiled;
use crate::explore::{Domains, Value};
use crate::finite::{
    Couple, GameSide, LabelView, Lift, LiftedPlay, NotLifted, OnDemand, PairGame, PairRules,
    Played, Real, ShownId, Shows, Unfolded, unfold,
};
use crate::lts::LtsLabel;
use crate::model::{Checked, ModelOptions};
use crate::outcome::{Evidence, MadeByParts, Note, Outcome, Reason, Statistics, Vacuity, Verdict};
use crate::sema::program::CheckDef;

use super::composed::{MOST_OF_LEAF, MOST_OF_RUN, made, not_made};
use super::explored::{Effort, limits_of, told_gap};
use super::pairwise::{Comparing, MOST, begin_alike, not_finite, too_many, with_nets};
use super::played::{Sight, Stage};

/// How many claims about configurations are looked at for a play.
const MOST_OF_CLAIMS: usize = 5_000_000;

/// Compares the nets of a check, those of which it is said being made by a method.
pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    (method, by_parts): (&Method, [bool; 2]),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let outcome = with_nets((checked, check), options, |comparing| {
        ByParts { comparing, method, by_parts, watch }.compared().unwrap_or_else(|outcome| *outcome)
    })?;
    Ok(outcome.unwrap_or_else(|| Outcome::unknown(Reason::Incomplete)))
}

struct ByParts<'c> {
    comparing: &'c Comparing<'c>,
    method: &'c Method,
    by_parts: [bool; 2],
    watch: &'c dyn Watch,
}

/// What stands for a net in the game, and what its configurations are.
struct Player<'m, 'n> {
    side: GameSide,
    real: RealNet<'m, 'n>,
    report: Option<MadeByParts>,
}

enum RealNet<'m, 'n> {
    Whole(Box<Unfolded<'m, 'n>>),
    Larger(Box<OnDemand<'m, 'n>>),
}

impl<'m, 'n> RealNet<'m, 'n> {
    fn of<'r>(&'r mut self, side: &'r GameSide) -> Real<'r, 'm, 'n> {
        match self {
            RealNet::Whole(_) => Real::Itself(side),
            RealNet::Larger(net) => Real::Net(net),
        }
    }

    fn sight(&self) -> &dyn Sight {
        match self {
            RealNet::Whole(whole) => &**whole,
            RealNet::Larger(net) => &**net,
        }
    }
}

fn open(reason: Reason) -> Box<Outcome> {
    Box::new(Outcome::unknown(reason))
}

fn unconfirmed() -> Box<Outcome> {
    open(Reason::NotReplayed { why: "what was found was not confirmed".to_owned() })
}

/// Why two nets cannot be compared in this way.
fn refused(reason: Reason) -> Box<Outcome> {
    open(match reason {
        Reason::NotFinite { why } => Reason::NotComposed { why },
        reason => reason,
    })
}

impl ByParts<'_> {
    fn compared(&self) -> Result<Outcome, Box<Outcome>> {
        let comparing = self.comparing;
        comparing.can_be_answered().map_err(refused)?;
        let domains = comparing.domains();
        let machine = |side: usize| Compiled::new(comparing.nets[side], &domains[side]);
        let machines = [machine(0), machine(1)];
        let mut shows = Shows::default();
        // Nets may be silent where the systems that stand for them are not.
        shows.number(None);
        let first = self.player((0, &machines[0]), &domains[0], &mut shows)?;
        let second = self.player((1, &machines[1]), &domains[1], &mut shows)?;
        let sides = [&first.side, &second.side];
        begin_alike(sides).map_err(refused)?;
        let kind = comparing.kind();
        let rules = PairRules { both: !kind.refines, weak: kind.weak, most: MOST };
        let mut game = PairGame::new(sides, &shows, rules);
        let statistics = Statistics {
            states: sides.iter().map(|side| side.steps.len()).sum(),
            transitions: sides.iter().map(|side| side.steps.items()).sum(),
            ..Statistics::default()
        };
        let reports: Vec<&MadeByParts> =
            [&first.report, &second.report].into_iter().flatten().collect();
        let mut notes: Vec<Note> =
            reports.iter().map(|one| Note::Composed((*one).clone())).collect();
        let outcome = match game.decide(self.watch) {
            Err(Played::Related { pairs }) => {
                let reason = self.related(pairs, &reports);
                let vacuous = self.vacuous(sides);
                Outcome { vacuous, ..Outcome::new(Verdict::Proved, reason) }
            }
            Ok(begin) => {
                let mut reals = [first.real, second.real];
                let apart = self.lifted((&mut game, begin), (sides, &shows), &mut reals);
                let apart = apart.and_then(|play| self.told(&play, &reals, (&shows, &domains)));
                apart.unwrap_or_else(Outcome::unknown)
            }
            Err(Played::Spent(_)) => Outcome::unknown(Reason::Stopped),
            Err(Played::TooMany) => return Err(refused(too_many(MOST))),
            Err(Played::Unmatched | Played::Unconfirmed | Played::Apart { .. }) => *unconfirmed(),
        };
        if kind.refines && kind.weak {
            notes.extend(comparing.diverges(sides, &shows));
        }
        Ok(Outcome { notes, statistics, ..outcome })
    }

    /// One of the two, as it takes part in the game.
    fn player<'m, 'n: 'm>(
        &self,
        (side, machine): (usize, &'m Compiled<'n>),
        domains: &Domains,
        shows: &mut Shows,
    ) -> Result<Player<'m, 'n>, Box<Outcome>>
    where
        Self: 'm,
    {
        let view = LabelView::hiding(self.comparing.kind().weak);
        match self.by_parts[side] {
            true => self.made((side, machine), (view, domains), shows),
            false => self.whole((side, machine), view, shows),
        }
    }

    fn whole<'m, 'n: 'm>(
        &self,
        (side, machine): (usize, &'m Compiled<'n>),
        view: LabelView,
        shows: &mut Shows,
    ) -> Result<Player<'m, 'n>, Box<Outcome>>
    where
        Self: 'm,
    {
        let limits = limits_of(&self.comparing.options.explore, Effort::ALL);
        let unfolded = unfold((self.comparing.nets[side], machine), &limits, self.watch);
        let unfolded = unfolded.map_err(|why| refused(not_finite(&why)))?;
        let unfolded = self.comparing.whole(unfolded, side).map_err(refused)?;
        let own = GameSide::of(&unfolded, view, |path| self.comparing.is_tracked(path), shows);
        Ok(Player { side: own, real: RealNet::Whole(Box::new(unfolded)), report: None })
    }

    fn made<'m, 'n: 'm>(
        &self,
        (side, machine): (usize, &'m Compiled<'n>),
        (view, domains): (LabelView, &Domains),
        shows: &mut Shows,
    ) -> Result<Player<'m, 'n>, Box<Outcome>>
    where
        Self: 'm,
    {
        let Comparing { checked, options, nets, names, .. } = self.comparing;
        let most_states = MOST_OF_LEAF.min(options.explore.most_states as usize);
        let seeing = Seeing { finals: false, most_states };
        let of = (*checked, nets[side], names[side]);
        let system = made(of, (self.method, domains), (seeing, None), self.watch);
        let system = system.map_err(|failed| {
            let (why, report) = *failed;
            Box::new(not_made(why, report))
        })?;
        let larger = OnDemand::new((nets[side], machine), view, MOST_OF_RUN);
        let larger = larger.map_err(|why| open(self.not_lifted(&why)))?;
        let first = larger.configuration(larger.initial());
        let constants = first.map(|first| first.constants).unwrap_or_default();
        let numbers = numbers(&system, view, shows);
        let own = GameSide::of_lts(&system.lts, &numbers, constants).ok_or_else(unconfirmed)?;
        let (real, report) = (RealNet::Larger(Box::new(larger)), Some(system.report));
        Ok(Player { side: own, real, report })
    }

    /// A play of the nets, from one of the systems that stand for them.
    fn lifted(
        &self,
        (game, begin): (&mut PairGame<'_>, Couple),
        (sides, shows): ([&GameSide; 2], &Shows),
        reals: &mut [RealNet<'_, '_>; 2],
    ) -> Result<LiftedPlay, Reason> {
        let [first, second] = reals;
        let real = &mut [first.of(sides[0]), second.of(sides[1])];
        let weak = self.comparing.kind().weak;
        let play = Lift { game, real, shows, weak, most: MOST_OF_CLAIMS }.play(begin, self.watch);
        play.map_err(|why| self.not_lifted(&why))
    }

    fn not_lifted(&self, why: &NotLifted) -> Reason {
        match why {
            NotLifted::Spent(_) => Reason::Stopped,
            NotLifted::Gap(gap) => told_gap(gap, 0),
            why => Reason::PlayNotFound { why: why.to_string() },
        }
    }

    fn told(
        &self,
        play: &LiftedPlay,
        reals: &[RealNet<'_, '_>; 2],
        (shows, domains): (&Shows, &[Domains; 2]),
    ) -> Result<Outcome, Reason> {
        let LiftedPlay { begin, moves, stuck } = play;
        let sights = [reals[0].sight(), reals[1].sight()];
        let stage = Stage { comparing: self.comparing, sights, shows, domains };
        let told = stage.told(*begin, moves, *stuck)?;
        let reason = Reason::ToldApart { moves: moves.len() + usize::from(stuck.is_some()) };
        let refuted = Outcome::new(Verdict::Refuted, reason);
        Ok(Outcome { evidence: Evidence::Play(told), ..refuted })
    }

    fn related(&self, pairs: usize, reports: &[&MadeByParts]) -> Reason {
        let relation = reports.first().map(|one| one.relation.clone()).unwrap_or_default();
        let most = reports.iter().map(|one| one.most_states).max().unwrap_or_default();
        Reason::ComposedRelated { relation, pairs, most }
    }

    /// Why a comparison says less than it seems to. What a relation has forgotten is not missed.
    fn vacuous(&self, sides: [&GameSide; 2]) -> Vec<Vacuity> {
        let is_idle = |side: &usize| {
            sides[*side].steps.items() == 0 && (!self.by_parts[*side] || !self.method.root.hides())
        };
        match (0..2).filter(is_idle).collect::<Vec<usize>>().as_slice() {
            [] => Vec::new(),
            [one] => vec![Vacuity::NoTransitions { net: self.comparing.names[*one].to_owned() }],
            _ => vec![Vacuity::NoTransitionsAtAll],
        }
    }
}

/// What each label of a system shows; nothing of one that is no action.
fn numbers(
    system: &ComposedSystem,
    view: LabelView,
    shows: &mut Shows,
) -> IndexVec<LtsLabel, Option<ShownId>> {
    let labels = system.lts.labels();
    let number = |label: LtsLabel| {
        let own = system.alphabet.table().get(labels.text(label));
        let action = system.alphabet.action(own?)?;
        let is_silent = match view {
            LabelView::All => *action == Value::Tau,
            LabelView::Visible => action.is_silent(),
        };
        Some(shows.number((!is_silent).then(|| (action.clone(), Vec::new()))))
    };
    labels.ids().map(number).collect()
}
