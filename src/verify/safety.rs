//! Who answers a check about what one net can reach: exploration, the open automaton with a solver, or an engine of
//! `safety`.
//!
//! Without `--engine`, exploration is asked first, up to a limit, then the open automaton for a short while, where it is
//! small, and then all of them at once (`portfolio`). Exploration settles what it goes through to the end, and what it finds;
//! the others settle what holds for all of infinitely many values. Nobody is asked where an invariant is given: then the
//! question is whether that is a proof.

use super::explored::{self, Effort, Tried};
use super::portfolio::{self, Attempt};
use super::{ModelOptions, any_size, composed, engines, failed, given, reach};
use crate::base::{Budget, Watch};
use crate::diagnostics::Diagnostic;
use crate::explore::EngineChoice;
use crate::model::{Checked, Wanted};
use crate::outcome::{Evidence, ExploreLimit, Outcome, Reason, Verdict};
use crate::pnet::PNet;
use crate::safety::{Abstraction, Bounded, Directed, Engine, Horn, Induction};
use crate::sema::program::CheckDef;

/// How often the quick look at the open automaton may look at its budget. Where it answers, it mostly does so within hundreds
/// of looks; where it does not, each further look takes longer than those before, and others are waiting.
const QUICK: u64 = 2_000;

/// Exploration by itself has one of so many shares of the time; where that is short, others prove what it cannot.
pub(super) const EXPLORATION: u32 = 4;

/// The quick look at the open automaton has one of so many shares of what is left then.
const AUTOMATON: u32 = 3;

/// Directed search keeps so many configurations where somebody else waits for its turn.
pub(super) const SOME_DIRECTED: usize = 200_000;

/// The open automaton is asked first only where the states of its leaves have no more combinations.
pub(super) const MOST_COMBINATIONS: u64 = 5_000;

/// With so many combinations, each transition of the open automaton is an obligation of its own: a second solver is
/// asked about each of them, and there are soon thousands where the components would owe a few dozen.
const MOST_LISTED: u64 = 200;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    if let Some(invariant) = check.invariant {
        let written = &checked.program.invariants[invariant.index()];
        return given::check(checked, check, written, options, watch);
    }
    if let Some(reduction) = check.reduction {
        let method = composed::written(checked, check, reduction.id);
        return composed::check(checked, check, &method, options, watch);
    }
    let symbolic = check.kind.is_safety();
    let choice = options.explore.engine;
    if let (EngineChoice::Composition, Some(method)) = (choice, composed::method_of(check.kind)) {
        return composed::check(checked, check, &method, options, watch);
    }
    if symbolic && matches!(choice, EngineChoice::Auto | EngineChoice::Mona) {
        if let Some(outcome) = any_size::check(checked, check, options, watch)? {
            return Ok(outcome);
        }
        if choice == EngineChoice::Mona {
            return Ok(Outcome::unknown(Reason::NotForMona));
        }
        return Asked { checked, check, options }.by_whoever_can(watch);
    }
    match engine(choice, options).filter(|_| symbolic) {
        Some(engine) => engines::check(checked, check, options, &*engine, watch),
        None if symbolic && choice == EngineChoice::Symbolic => {
            reach::check(checked, check, options, watch)
        }
        None => Ok(settled(explored::check(checked, check, options, Effort::ALL, watch)?)),
    }
}

/// The engine that was chosen by its name, if it is one of those for unbounded data.
pub(super) fn engine(choice: EngineChoice, options: &ModelOptions) -> Option<Box<dyn Engine>> {
    let most_depth = usize::try_from(options.explore.most_depth).unwrap_or(usize::MAX);
    Some(match choice {
        EngineChoice::Bounded => Box::new(Bounded { most_depth, ..Bounded::default() }),
        EngineChoice::Induction => Box::new(Induction::default()),
        EngineChoice::Directed => Box::new(Directed::default()),
        EngineChoice::Abstraction => Box::new(Abstraction::default()),
        EngineChoice::AbstractionFull => Box::new(Abstraction::full()),
        EngineChoice::Horn => Box::new(Horn::default()),
        _ => return None,
    })
}

/// A check that several can answer.
#[derive(Clone, Copy)]
struct Asked<'a> {
    checked: &'a Checked,
    check: &'a CheckDef,
    options: &'a ModelOptions,
}

impl<'a> Asked<'a> {
    /// Asks what is cheap first, and then all others at once.
    fn by_whoever_can(self, watch: &dyn Watch) -> Result<Outcome, Vec<Diagnostic>> {
        let Asked { checked, check, options } = self;
        let share = watch.budget().share_of_time(EXPLORATION);
        let first = {
            let (_here, limited) = (share.enter(), Limited { watch, budget: share.clone() });
            explored::check(checked, check, options, Effort::SOME, &limited)?
        };
        // What was found when the share was over may rest on work that was not done to its end.
        let first = match first {
            Tried::Settled(outcome) if share.spent().is_none() => return Ok(outcome),
            Tried::Settled(_) => Reason::Stopped,
            Tried::Open(why) => why,
        };
        if watch.budget().spent().is_some() {
            return Ok(Outcome::unknown(first));
        }
        // What met no limit meets the same end again.
        let hurried = share.spent().is_some();
        let more =
            hurried || matches!(first, Reason::NotFound { .. }) && !is_by_choice(&first, options);
        let small = is_small(checked, check, options)?;
        let mut ways = vec![if more { of_first_look(first) } else { first }];
        ways.retain(|why| *why != Reason::Stopped);
        if small {
            let budget = watch.budget().share_of_time(AUTOMATON).part_of_work(QUICK);
            let quick = Limited { watch, budget: budget.clone() };
            let outcome = {
                let _here = budget.enter();
                reach::check(checked, check, options, &quick)?
            };
            let known = outcome.verdict != Verdict::Unknown || outcome.evidence != Evidence::None;
            if budget.spent().is_none() && known || watch.budget().spent().is_some() {
                return Ok(outcome);
            }
        }
        match portfolio::first(self.at_once(small, more), watch) {
            Ok(outcome) => return Ok(outcome),
            Err(open) if watch.budget().spent().is_some() => {
                ways.extend(open.into_iter().filter(|why| *why != Reason::Stopped));
            }
            Err(open) => ways.extend(open),
        }
        let reason = match ways.len() {
            0 => Reason::Stopped,
            1 => ways.remove(0),
            _ => Reason::Tried { ways },
        };
        Ok(Outcome::unknown(reason))
    }

    /// The ways that are tried at once.
    fn at_once(self, small: bool, more: bool) -> Vec<Vec<Attempt<'a>>> {
        let mut concrete: Vec<Attempt<'a>> = Vec::new();
        if more {
            concrete.push(Box::new(move |watch| self.explored(watch)));
        }
        if small {
            concrete.push(Box::new(move |watch| self.reached(watch)));
        }
        let by = |engine: EngineChoice| -> Attempt<'a> {
            Box::new(move |watch| self.by_engine(engine, watch))
        };
        vec![
            vec![by(EngineChoice::Induction), by(EngineChoice::Abstraction)],
            vec![Box::new(move |watch| self.directed(watch)), by(EngineChoice::Bounded)],
            vec![by(EngineChoice::Horn)],
            concrete,
        ]
    }

    fn explored(self, watch: &dyn Watch) -> Outcome {
        let Asked { checked, check, options } = self;
        explored::check(checked, check, options, Effort::BESIDE, watch)
            .map_or_else(|_| Outcome::unknown(Reason::Incomplete), settled)
    }

    fn reached(self, watch: &dyn Watch) -> Outcome {
        let Asked { checked, check, options } = self;
        reach::check(checked, check, options, watch)
            .unwrap_or_else(|_| Outcome::unknown(Reason::Incomplete))
    }

    fn directed(self, watch: &dyn Watch) -> Outcome {
        self.by(&Directed { most: SOME_DIRECTED }, watch)
    }

    fn by_engine(self, choice: EngineChoice, watch: &dyn Watch) -> Outcome {
        match engine(choice, self.options) {
            Some(engine) => self.by(&*engine, watch),
            None => Outcome::unknown(Reason::Incomplete),
        }
    }

    fn by(self, engine: &dyn Engine, watch: &dyn Watch) -> Outcome {
        let Asked { checked, check, options } = self;
        engines::check(checked, check, options, engine, watch)
            .unwrap_or_else(|_| Outcome::unknown(Reason::Incomplete))
    }
}

/// Somebody who watches, and gives part of the budget only.
pub(super) struct Limited<'w> {
    pub watch: &'w dyn Watch,
    pub budget: Budget,
}

impl Watch for Limited<'_> {
    fn progress(&self, states: usize, transitions: usize, queries: usize) {
        self.watch.progress(states, transitions, queries);
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }

    fn searching(&self, what: &str, queries: usize) {
        self.watch.searching(what, queries);
    }

    fn exploring(&self, states: u64, transitions: u64, depth: u64) {
        self.watch.exploring(states, transitions, depth);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }
}

pub(super) fn settled(tried: Tried) -> Outcome {
    match tried {
        Tried::Settled(outcome) => outcome,
        Tried::Open(why) => Outcome::unknown(why),
    }
}

/// Whether a search ended because somebody wanted it to end there, or because values were left out.
fn is_by_choice(why: &Reason, options: &ModelOptions) -> bool {
    use crate::outcome::ExploreLimit::{Budget, Depth, Domains, States};
    match why {
        Reason::NotFound { limit: States, extent } => extent.states >= options.explore.most_states,
        Reason::NotFound { limit: Depth | Domains(_) | Budget, .. } => true,
        _ => false,
    }
}

/// What a first look says: the limit that it had is nobody's choice, and not to be told.
fn of_first_look(why: Reason) -> Reason {
    match why {
        Reason::NotFound { extent, .. } => Reason::NotFound { extent, limit: ExploreLimit::Budget },
        why => why,
    }
}

/// Whether the open automaton of a net can have few states only.
pub(super) fn is_small(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
) -> Result<bool, Vec<Diagnostic>> {
    has_at_most(MOST_COMBINATIONS, checked, check, options)
}

/// Whether what an invariant owes is better said of the open automaton, transition by transition, than of the components.
pub(super) fn is_tiny(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
) -> Result<bool, Vec<Diagnostic>> {
    has_at_most(MOST_LISTED, checked, check, options)
}

fn has_at_most(
    most: u64,
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
) -> Result<bool, Vec<Diagnostic>> {
    let Some(instance) = check.nets.first() else { return Ok(false) };
    let wanted = Wanted::Instance(check, instance);
    let net = checked.net(wanted, &options.elaborate).map_err(failed)?;
    let has_automaton = !net.has_optional() || checked.unfolded(wanted, &options.elaborate).is_ok();
    Ok(has_automaton && combinations(&net) <= most)
}

/// How many combinations the states of all leaves have.
pub(super) fn combinations(net: &PNet) -> u64 {
    let counts = net.plts.iter().map(|plts| plts.states.len() as u64);
    counts.fold(1, u64::saturating_mul)
}
