//! `check bisimilar(A, B)` and its kin, configuration by configuration.
//!
//! Input: two nets and a comparison. Output: what was settled, or why nothing was. The question is that of `compare`: the
//! same steps, the same holes on both sides or those that are tracked, the same rule about being stuck, all values of symbolic
//! constants and of what has no initial value. It is answered only where all configurations of both nets were looked at, with
//! all values; otherwise it is left to others. That is so where a domain limits what is tried, where it is not known what is
//! possible (a gap), where a hole may do what nobody declared, for which there are no labels, where the two do not begin with
//! the same values of symbolic constants, and where silent steps do not count but holes have some: whether these are
//! observed is for `equivalence` to say.
//!
//! Evidence: a relation was looked at once more, pair by pair (`finite::PairGame`); of a play each step was made again by
//! the plain interpreter, which also sees the same steps as were compared wherever the play comes.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::base::{IndexVec, Watch};
use crate::diagnostics::Diagnostic;
use crate::explore::compiled::Compiled;
use crate::explore::{Configuration, Domains};
use crate::finite::{
    GameSide, LabelView, NotUnfolded, PairGame, PairRules, Played, Shows, Unfolded,
    goes_on_silently, unfold,
};
use crate::lts::LtsState;
use crate::model::{Checked, ModelOptions, Wanted};
use crate::outcome::{Divergence, Evidence, Note, Outcome, Reason, Statistics, Vacuity, Verdict};
use crate::pnet::{HoleSort, PNet};
use crate::sema::program::CheckDef;

use super::compare::{Kind, incomparable, is_hole_of};
use super::explored::{Effort, Tried, domains_of, limits_of, told_gap};
use super::failed;
use super::played::{Sight, Stage};

use Tried::{Open, Settled};

type FxIndexSet<T> = IndexSet<T, FxBuildHasher>;

/// More pairs and answers than this are not kept.
pub(super) const MOST: usize = 100_000_000;

/// The same where somebody else may answer.
const SOME: usize = 3_000_000;

/// Compares the nets of a check.
pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    effort: Effort,
    watch: &dyn Watch,
) -> Result<Tried, Vec<Diagnostic>> {
    let tried = with_nets((checked, check), options, |comparing| comparing.tried(effort, watch))?;
    Ok(tried.unwrap_or(Err(Reason::Incomplete)).unwrap_or_else(Open))
}

/// Has the two nets of a check looked at; nothing where there are not two.
pub(super) fn with_nets<T>(
    (checked, check): (&Checked, &CheckDef),
    options: &ModelOptions,
    look: impl FnOnce(&Comparing<'_>) -> T,
) -> Result<Option<T>, Vec<Diagnostic>> {
    let [first, second] = check.nets.as_slice() else { return Ok(None) };
    let net = |instance| {
        checked.net(Wanted::Instance(check, instance), &options.elaborate).map_err(failed)
    };
    let nets: [Arc<PNet>; 2] = [net(first)?, net(second)?];
    let names = [first, second].map(|one| checked.sources.text(one.span));
    Ok(Some(look(&Comparing { checked, check, options, nets: [&nets[0], &nets[1]], names })))
}

/// Two nets that are compared.
pub(super) struct Comparing<'a> {
    pub checked: &'a Checked,
    check: &'a CheckDef,
    pub options: &'a ModelOptions,
    pub nets: [&'a PNet; 2],
    pub names: [&'a str; 2],
}

/// A relation between the configurations of two nets, which are numbered for each side, with a pair for each challenge.
pub(super) struct RelatedPairs {
    pub configurations: [Vec<Configuration>; 2],
    pub couples: Vec<(u32, u32)>,
}

/// Both, as they were unfolded.
struct Unfoldings<'u, 'm, 'n> {
    unfolded: [&'u Unfolded<'m, 'n>; 2],
    sides: [&'u GameSide; 2],
    shows: &'u Shows,
    domains: &'u [Domains; 2],
}

impl Comparing<'_> {
    fn tried(&self, effort: Effort, watch: &dyn Watch) -> Result<Tried, Reason> {
        self.unfolded(effort, watch, |both| self.judged(both, effort, watch))
    }

    /// Unfolds both, where the question can be answered in this way.
    fn unfolded<T>(
        &self,
        effort: Effort,
        watch: &dyn Watch,
        look: impl FnOnce(&Unfoldings<'_, '_, '_>) -> T,
    ) -> Result<T, Reason> {
        self.can_be_answered()?;
        let domains = self.domains();
        let machines =
            [Compiled::new(self.nets[0], &domains[0]), Compiled::new(self.nets[1], &domains[1])];
        let limits = limits_of(&self.options.explore, effort);
        let all = |side: usize| {
            let made = unfold((self.nets[side], &machines[side]), &limits, watch);
            made.map_err(|why| not_finite(&why)).and_then(|made| self.whole(made, side))
        };
        let unfolded = [all(0)?, all(1)?];
        let (view, mut shows) = (LabelView::hiding(self.kind().weak), Shows::default());
        let side = |one: &Unfolded<'_, '_>, shows: &mut Shows| {
            GameSide::of(one, view, |path| self.is_tracked(path), shows)
        };
        let sides = [side(&unfolded[0], &mut shows), side(&unfolded[1], &mut shows)];
        begin_alike([&sides[0], &sides[1]])?;
        Ok(look(&Unfoldings {
            unfolded: [&unfolded[0], &unfolded[1]],
            sides: [&sides[0], &sides[1]],
            shows: &shows,
            domains: &domains,
        }))
    }

    /// The values that are tried in each.
    pub fn domains(&self) -> [Domains; 2] {
        self.nets.map(|net| domains_of(net, &self.options.explore).0)
    }

    /// A relation that shows that the two compare; nothing where there is none, or it is too large.
    pub fn related(&self, watch: &dyn Watch) -> Result<Option<RelatedPairs>, Reason> {
        let Kind { refines, weak } = self.kind();
        let rules = PairRules { both: !refines, weak, most: MOST };
        self.unfolded(Effort::ALL, watch, |both| {
            let couples = PairGame::new(both.sides, both.shows, rules).relation(watch)?;
            let mut met: [FxIndexSet<LtsState>; 2] = Default::default();
            let mut number = |side: usize, at: LtsState| met[side].insert_full(at).0 as u32;
            let couples =
                couples.iter().map(|(one, two)| (number(0, *one), number(1, *two))).collect();
            let all = |side: usize| {
                let states = met[side].iter().map(|at| both.unfolded[side].configuration(*at));
                states.collect::<Option<Vec<Configuration>>>()
            };
            Some(RelatedPairs { configurations: [all(0)?, all(1)?], couples })
        })
    }

    pub fn kind(&self) -> Kind {
        Kind::of(self.check)
    }

    fn tracking(&self) -> Option<&[crate::syntax::ast::Ident]> {
        self.check.tracking.as_deref().filter(|_| self.kind().refines)
    }

    pub fn is_tracked(&self, path: &str) -> bool {
        let is_of = |name: &crate::syntax::ast::Ident| is_hole_of(path, name.name.as_str());
        self.tracking().is_none_or(|names| names.iter().any(is_of))
    }

    /// Whether the question can be answered in this way, as far as the nets tell.
    pub fn can_be_answered(&self) -> Result<(), Reason> {
        let holes = self.nets.map(|net| &net.holes);
        if let Some(why) = incomparable(self.checked, self.check, holes) {
            return Err(Reason::NotComparable(why));
        }
        let mut all = holes.into_iter().flat_map(IndexVec::iter);
        let why = |why: String| Err(Reason::NotFinite { why });
        if let Some(hole) = all.clone().find(|hole| hole.sort == HoleSort::Any) {
            return why(format!("the hole `{}` may do what nobody declared", hole.path));
        }
        if let Some(hole) = all.next().filter(|_| self.kind().weak) {
            return why(format!("the hole `{}` can be silent", hole.path));
        }
        let [one, other] = self.nets.map(|net| &net.algebra);
        let same = one.actions.len() == other.actions.len()
            && one.actions.iter().zip(&other.actions).all(|(a, b)| a.name == b.name);
        if same { Ok(()) } else { why("the two do not have the same actions".to_owned()) }
    }

    pub fn whole<'m, 'n>(
        &self,
        made: Unfolded<'m, 'n>,
        side: usize,
    ) -> Result<Unfolded<'m, 'n>, Reason> {
        match made.limited {
            false => Ok(made),
            true => Err(Reason::NotFinite {
                why: format!("not all values were tried in `{}`", self.names[side]),
            }),
        }
    }

    fn judged(&self, both: &Unfoldings<'_, '_, '_>, effort: Effort, watch: &dyn Watch) -> Tried {
        let Kind { refines, weak } = self.kind();
        let most = if effort.most_states == u64::MAX { MOST } else { SOME };
        let rules = PairRules { both: !refines, weak, most };
        let outcome = match PairGame::new(both.sides, both.shows, rules).play(watch) {
            Played::Related { pairs } => {
                let configurations = both.unfolded[0].states() + both.unfolded[1].states();
                let reason = Reason::PairsRelated { pairs, configurations };
                let vacuous = self.vacuous(both);
                Outcome { vacuous, ..Outcome::new(Verdict::Proved, reason) }
            }
            Played::Apart { begin, moves, stuck } => {
                let many = moves.len() + usize::from(stuck.is_some());
                let sights = [both.unfolded[0] as &dyn Sight, both.unfolded[1]];
                let (shows, domains) = (both.shows, both.domains);
                match (Stage { comparing: self, sights, shows, domains }).told(begin, &moves, stuck)
                {
                    Ok(play) => {
                        let reason = Reason::ToldApart { moves: many };
                        let refuted = Outcome::new(Verdict::Refuted, reason);
                        Outcome { evidence: Evidence::Play(play), ..refuted }
                    }
                    Err(why) => return Open(why),
                }
            }
            Played::Spent(_) => return Open(Reason::Stopped),
            Played::TooMany => return Open(too_many(most)),
            Played::Unmatched | Played::Unconfirmed => {
                let why = "what was found was not confirmed".to_owned();
                return Open(Reason::NotReplayed { why });
            }
        };
        let statistics = Statistics {
            states: both.unfolded.iter().map(|one| one.states()).sum(),
            transitions: both.sides.iter().map(|one| one.steps.items()).sum(),
            ..Statistics::default()
        };
        let notes =
            if refines && weak { self.diverges(both.sides, both.shows) } else { Vec::new() };
        Settled(Outcome { notes, statistics, ..outcome })
    }

    /// Why a comparison says less than it seems to, as `vacuous` has it.
    fn vacuous(&self, both: &Unfoldings<'_, '_, '_>) -> Vec<Vacuity> {
        let idle: Vec<&str> = (0..2)
            .filter(|side| both.sides[*side].steps.items() == 0)
            .map(|side| self.names[side])
            .collect();
        match idle.as_slice() {
            [] => (0..2).flat_map(|side| self.still(both, side)).collect(),
            [one] => vec![Vacuity::NoTransitions { net: (*one).to_owned() }],
            _ => vec![Vacuity::NoTransitionsAtAll],
        }
    }

    /// Holes that never move.
    fn still(&self, both: &Unfoldings<'_, '_, '_>, side: usize) -> Vec<Vacuity> {
        let moves = |hole| {
            both.unfolded[side].done.iter().any(|(_, all)| all.iter().any(|one| one.0 == hole))
        };
        let holes = self.nets[side].holes.enumerated().filter(|(at, _)| !moves(*at));
        let net = self.names[side];
        holes
            .map(|(_, hole)| Vacuity::StillHole { hole: hole.path.clone(), net: net.to_owned() })
            .collect()
    }

    /// What is to be said where the first can go on silently for ever, and the second cannot.
    pub fn diverges(&self, sides: [&GameSide; 2], shows: &Shows) -> Vec<Note> {
        let [first, second] = sides.map(|side| goes_on_silently(side, shows));
        let [net, other] = self.names.map(str::to_owned);
        let note = Note::Diverges { net, other, with_holes: false, known: Divergence::FirstAlone };
        if first && !second { vec![note] } else { Vec::new() }
    }
}

/// Both begin with the same values of symbolic constants.
pub(super) fn begin_alike(sides: [&GameSide; 2]) -> Result<(), Reason> {
    let [one, other] = sides.map(|side| {
        let mut all: Vec<_> = side.begins.iter().map(|(with, _)| with.clone()).collect();
        all.sort();
        all.dedup();
        all
    });
    match one == other {
        true => Ok(()),
        false => Err(Reason::NotFinite {
            why: "the two do not depend on the same symbolic constants".to_owned(),
        }),
    }
}

pub(super) fn too_many(most: usize) -> Reason {
    Reason::NotFinite {
        why: format!("there are more than {most} pairs of configurations and answers"),
    }
}

/// Why a net was not gone through to the end.
pub(super) fn not_finite(why: &NotUnfolded) -> Reason {
    match why {
        NotUnfolded::Gap(gap) => told_gap(gap, 0),
        NotUnfolded::Spent(_) => Reason::Stopped,
        why => Reason::NotFinite { why: why.to_string() },
    }
}
