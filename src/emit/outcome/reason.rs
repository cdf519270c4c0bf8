//! Reasons, notes and obligations in words.

use super::{composition, counted, evidence, pair, sizes};
use crate::base::Spent;
use crate::outcome::{
    Asked, Divergence, ExploreLimit, Extent, Fails, Incomparable, NoValue, Note, ObligationKind,
    Observed, Outcome, Place, Reason, Vacuity, Verdict,
};

/// So many variables are named whose values were left out.
const MOST_LEFT_OUT: usize = 4;

/// Why a verdict is what it is.
pub fn reason(reason: &Reason) -> String {
    settled(reason).unwrap_or_else(|| unsettled(reason))
}

/// Why the verdict on a check is what it is. Where a check denies something, what refutes it speaks of what is denied.
pub fn answer(outcome: &Outcome, denied: Option<&str>) -> String {
    let why = reason(&outcome.reason);
    match denied.filter(|_| outcome.verdict == Verdict::Refuted) {
        None => why,
        Some("always" | "mutex" | "at_most") => format!("it always holds: {why}"),
        Some("reaches") => format!("it is reached: {why}"),
        Some("deadlock_free") => format!("it is never stuck: {why}"),
        Some(word) => format!("`{word}` holds: {why}"),
    }
}

/// The reasons of what is proved or refuted.
fn settled(reason: &Reason) -> Option<String> {
    Some(match reason {
        Reason::Size { states, transitions, as_claimed } => {
            let found = size(*states, *transitions);
            if *as_claimed { found } else { format!("it has {found}") }
        }
        Reason::RelationFound { pairs, obligations } => {
            let pairs = match pairs {
                1 => "one pair".to_owned(),
                count => counted(*count, "pair"),
            };
            let met = counted(*obligations, "obligation");
            format!("by a relation of {pairs} of states, which meets {met}")
        }
        Reason::PairsRelated { pairs, configurations } => format!(
            "by {} of configurations, of {configurations} in all, each of which was looked at twice",
            counted(*pairs, "pair")
        ),
        Reason::RelationMeets { obligations } => {
            format!("the relation meets its {}", counted(*obligations, "obligation"))
        }
        Reason::PredicateFound { obligations } => {
            let met = counted(*obligations, "obligation");
            format!("by a reachability predicate, which meets {met} (found by symbolic)")
        }
        Reason::FixpointsFound { obligations } => {
            let met = counted(*obligations, "obligation");
            format!("by sets for its fixpoints, which meet {met} (found by symbolic)")
        }
        Reason::InvariantMeets { obligations, never } => {
            let met = counted(*obligations, "obligation");
            let so = if *never { "it never is: " } else { "" };
            format!("{so}the invariant meets its {met}")
        }
        // Nothing has to be known of how a configuration came about.
        Reason::InvariantFound { engine, conditions: 0, never } => {
            let place = if *never { "no configuration" } else { "every configuration" };
            format!("it is so in {place}, reachable or not (found by {engine})")
        }
        Reason::InvariantFound { engine, conditions, never } => {
            let never = if *never { "it never is, " } else { "" };
            let conditions = counted(*conditions, "condition");
            format!("{never}by an invariant of {conditions} (found by {engine})")
        }
        Reason::Valid { on: None, .. } => "it holds for all values, by the solver".to_owned(),
        Reason::Valid { on: Some(on), obligations } => {
            let met = counted(*obligations, "obligation");
            format!("it holds for all values, by induction on `{on}`, which meets {met}")
        }
        Reason::NotValid => "it does not hold for these values".to_owned(),
        Reason::ValidityOpen { seems_false: false } => {
            "neither the solver nor induction on one variable settles it".to_owned()
        }
        Reason::ValidityOpen { seems_false: true } => {
            "the solver has values for which it may not hold, but what it comes to \
             depends on constants or functions without a definition, or on quantifiers"
                .to_owned()
        }
        Reason::NothingFilled => "no hole is filled, so nothing can be blocked".to_owned(),
        Reason::ToldApart { moves: 1 } => "they are told apart in one move".to_owned(),
        Reason::ToldApart { moves } => format!("they are told apart in {moves} moves"),
        Reason::RelationFails { pairs } => format!("the relation fails in {}", pairs.join(", ")),
        Reason::RelationFailsInitially => {
            "the relation does not relate the initial configurations".to_owned()
        }
        Reason::Blocked { steps: 0 } => "it is blocked from the beginning".to_owned(),
        Reason::Blocked { steps: 1 } => "it can be blocked after one step".to_owned(),
        Reason::Blocked { steps } => format!("it can be blocked after {steps} steps"),
        Reason::Deadlock { steps: 0 } => "it is stuck where it begins, before any step".to_owned(),
        Reason::PropertyFails { steps: 0 } => {
            "it is already false where the net begins, before any step".to_owned()
        }
        Reason::PropertyReached { steps: 0 } => {
            "it is already true where the net begins, before any step".to_owned()
        }
        Reason::Deadlock { steps } => format!("it can be stuck {}", after(*steps)),
        Reason::PropertyFails { steps } => format!("it can be false {}", after(*steps)),
        Reason::PropertyReached { steps } => format!("it is true {}", after(*steps)),
        Reason::PropertyNever { obligations } => {
            let met = counted(*obligations, "obligation");
            format!(
                "it never is, by a reachability predicate, which meets {met} (found by symbolic)"
            )
        }
        Reason::Explored(all) => in_all(*all),
        Reason::Composed { relation, states, most, never } => format!(
            "{}in a system of {} that was made part by part, by {relation}; the largest on the way had {most}",
            if *never { "it never is, " } else { "" },
            counted(*states, "state")
        ),
        Reason::ComposedRelated { relation, pairs, most } => format!(
            "by {} of states of systems, made part by part, by {relation}; the largest on the way had {most}",
            counted(*pairs, "pair")
        ),
        Reason::EverySize { of, searched, invariants, engine, never, .. } => {
            let never = if *never { "it never is, " } else { "" };
            let by = sizes::decided(engine.as_deref());
            format!("{never}{}{by}", sizes::every(of, *searched, invariants))
        }
        Reason::NeverHolds(all) => format!("it is false {}", in_all(*all)),
        Reason::Choice { steps } => {
            format!(
                "two steps show the same and lead to different configurations {}",
                after(*steps)
            )
        }
        Reason::Circle { steps, round } => {
            let round = counted(*round, "step");
            format!("it can go round for ever {}, in a circle of {round}", after(*steps))
        }
        Reason::OneRun { steps, round, shows } => {
            let does = if *shows { "a run does so" } else { "a run does otherwise" };
            match round {
                0 => format!("{does}, {}", after(*steps)),
                _ => {
                    let round = counted(*round, "step");
                    format!("{does}, {} and then round for ever in {round}", after(*steps))
                }
            }
        }
        Reason::LeftAlone { parts: [one, other] } => {
            format!(
                "the formula holds of `{one}` and `{other}` alone, and of each of them in the net"
            )
        }
        Reason::PartFails { part, together: false, why } => {
            format!("`{part}` alone: {}", self::reason(why))
        }
        Reason::PartFails { part, together: true, why } => {
            format!("the formula holds of `{part}` alone, but in the net {}", self::reason(why))
        }
        Reason::FormulaFails(all) => {
            format!("it does not hold from the beginning, {}", in_all(*all))
        }
        Reason::FalseAtFirst => "it is false where the net begins".to_owned(),
        Reason::NeverAgain { steps } => format!("it can never happen again {}", after(*steps)),
        Reason::ScenarioRuns { steps } => {
            format!("it is possible, by a run of {}", counted(*steps, "step"))
        }
        Reason::ScenarioStops { done, stops_at, extent: all } => {
            let done = match done {
                0 => "it cannot begin".to_owned(),
                done => format!("it is possible up to its {} part", ordinal(*done)),
            };
            format!("{done}: `{stops_at}` is not possible then, {}", in_all(*all))
        }
        _ => return None,
    })
}

/// When something is so in a run.
fn after(steps: usize) -> String {
    match steps {
        0 => "from the beginning".to_owned(),
        1 => "after one step".to_owned(),
        _ => format!("after {steps} steps"),
    }
}

/// `in all 12 configurations, at most 3 steps away`, `in 7 configurations that stand for all`
fn in_all(all: Extent) -> String {
    let states = counted(all.states as usize, "configuration");
    match all.depth {
        _ if all.reduced => stand_for(all, "all"),
        _ if all.states == 1 => "in the only configuration".to_owned(),
        0 => format!("in all {states}"),
        1 => format!("in all {states}, at most one step away"),
        depth => format!("in all {states}, at most {depth} steps away"),
    }
}

fn stand_for(few: Extent, whom: &str) -> String {
    let stand = if few.states == 1 { "stands" } else { "stand" };
    format!("in {} that {stand} for {whom}", counted(few.states as usize, "configuration"))
}

/// `1st`, `2nd`
fn ordinal(number: usize) -> String {
    let end = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

fn not_found(all: Extent, limit: &ExploreLimit) -> String {
    let (one, states) = (all.states == 1, counted(all.states as usize, "configuration"));
    let settle = if one { "does not settle it" } else { "do not settle it" };
    let were = if one { "was" } else { "were" };
    let found = match all.reduced {
        true => format!("{states} that {were} looked at in the place of many {settle}"),
        false => format!(
            "the {states} that {were} looked at, up to {} away, {settle}",
            counted(all.depth as usize, "step")
        ),
    };
    match limit {
        ExploreLimit::States => {
            format!("{found}; there are more, and `--most-states` allows no more")
        }
        ExploreLimit::Budget => found,
        ExploreLimit::Depth => format!("{found}; there are more, and `--depth` allows no more"),
        ExploreLimit::Domains(domains) => {
            let tried = domains.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>();
            format!("{found}: only values of {} were tried", tried.join(", "))
        }
    }
}

fn size(states: usize, transitions: usize) -> String {
    format!("{} and {}", counted(states, "state"), counted(transitions, "open transition"))
}

/// The reasons of what is not known.
fn unsettled(why: &Reason) -> String {
    match why {
        Reason::NotEverySize { of, why, fine, model } => {
            sizes::not_every(of, why.as_deref(), *fine, model.as_deref())
        }
        Reason::NotForMona => "MONA decides claims about nets of every size, and this is none: choose another `--engine`".to_owned(),
        Reason::Stopped => "stopped".to_owned(),
        Reason::NotAnswered => "questions of this kind are not answered yet".to_owned(),
        Reason::NotLookedAt => "stopped before it was looked at".to_owned(),
        Reason::StoppedAfter { states, transitions } => {
            format!("stopped after {}", size(*states, *transitions))
        }
        Reason::Spent { spent, before } => spent_before(*spent, before.as_deref()),
        Reason::PropertyWithoutValue { steps } => format!(
            "the property reads what has no value {}: an index outside of its range, or a division by zero",
            after(*steps)
        ),
        Reason::NotFound { extent, limit } => not_found(*extent, limit),
        Reason::NotComposed { why } => format!("it was not made part by part: {why}"),
        Reason::RunNotFound { trace } => format!(
            "the reduced system gets there by {}, and no run of the net was found that does",
            if trace.is_empty() { "silent steps".to_owned() } else { format!("`{}`", trace.join("`, `")) }
        ),
        Reason::PlayNotFound { why } => {
            format!("the systems that were made part by part are told apart, and no play of the nets was found: {why}")
        }
        Reason::NotFinite { why } => {
            format!("not compared configuration by configuration: {why}")
        }
        Reason::Gap { why, steps: 0 } => why.clone(),
        Reason::Gap { why, steps } => format!("{why}, {}", after(*steps)),
        Reason::MaybeStuck { steps } => format!(
            "it has no step with the values that are tried {}, but may have one with others",
            after(*steps)
        ),
        Reason::TooManyInteractions => {
            "there are too many ways in which components can move together".to_owned()
        }
        Reason::GaveUp { engine, depth: None } => {
            let nothing = match engine.as_str() {
                "induction" => "no invariant",
                "bounded" | "directed" => "no run with the values that it tries",
                _ => "neither an invariant nor a run",
            };
            format!("{engine} found {nothing}")
        }
        Reason::GaveUp { engine, depth: Some(depth) } => {
            format!("{engine} found nothing in {}", counted(*depth, "step"))
        }
        Reason::InvariantUnconfirmed { engine, why } => {
            let why = why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
            format!("the invariant that {engine} found was not confirmed{why}")
        }
        Reason::NotReplayed { why } => {
            format!("a run was found, but could not be made again: {why}; please report this")
        }
        Reason::DemandWithoutValue => {
            "what it demands reads what has no value somewhere: an index outside of its range, or a division by zero"
                .to_owned()
        }
        Reason::PropertyCalls => {
            "the property calls functions, of which it is not known here where they have values: \
                                  write out what they say"
                .to_owned()
        }
        Reason::UnclearProperty { why } => why.clone(),
        Reason::Incomplete => "the check is not complete".to_owned(),
        Reason::AxiomsContradict => {
            "the axioms, with the values that were set, contradict each other: anything would \
                                     follow from them"
                .to_owned()
        }
        Reason::UnsureTransitions { states, transitions, unsure, why } => format!(
            "{}, but it is not known whether {} of these can happen: {why}",
            size(*states, *transitions),
            counted(*unsure, "transition")
        ),
        Reason::NotComparable(why) => incomparable(why),
        Reason::RelationOfOthers { relation, its_nets, nets } => format!(
            "`{relation}` is a relation of {}, in this order, and the check is about {}",
            quoted(its_nets),
            quoted(nets)
        ),
        Reason::InvariantFails { fails, condition } => invariant_fails(*fails, condition.as_deref()),
        Reason::Unmet(failure) => evidence::failure(failure),
        Reason::PredicateFails => "the predicate that was found does not hold".to_owned(),
        Reason::UnsureObligation { obligation: about, why } => {
            format!("it is not sure that {}: {why}", obligation(about))
        }
        Reason::SilentStepsMissing => {
            "they differ as far as silent steps could be followed, but not all could".to_owned()
        }
        Reason::NoPlay => "they seem to differ, but no play could be made".to_owned(),
        Reason::NoRun => "there seems to be a run, but it was lost".to_owned(),
        Reason::ConditionsGrow { terms } => format!("the conditions grow beyond {terms} terms"),
        Reason::NoRelation { rounds } => format!("no relation was found within {rounds} rounds"),
        Reason::NoFixpoints { rounds } => format!(
            "no sets were found for its fixpoints in {rounds} rounds, from above and from below, round loops that count, by \
             sums that get smaller, and by Horn clauses: bound the data, or ask for less at once"
        ),
        Reason::FormulaWithoutRun => {
            "it does not hold for some values, but a run with values was not found".to_owned()
        }
        Reason::NotSettled { steps } => format!("it was not settled within {steps} steps"),
        Reason::SimpleNotSettled => "the simple conditions did not settle".to_owned(),
        Reason::TooHurried => "the solver had too little time for simple conditions".to_owned(),
        Reason::Solver { asked: Some(Asked::CompareRounds), why } => {
            format!("the solver could not compare two rounds: {why}")
        }
        Reason::HolesNotAlone { why } => format!("its holes cannot be looked at alone: {why}"),
        Reason::ContextNotFound => {
            "the states of the net with its holes open were not found".to_owned()
        }
        Reason::Tried { ways } => {
            let mut said: Vec<String> = Vec::with_capacity(ways.len());
            for way in ways.iter().map(reason) {
                if !said.contains(&way) {
                    said.push(way);
                }
            }
            // Where several have looked for an invariant, whoever knows the model can help most.
            if ways.iter().any(|way| matches!(way, Reason::GaveUp { .. })) {
                said.push("an `invariant` with `by` may help (docs/safety.md)".to_owned());
            }
            said.join("; ")
        }
        Reason::InvariantBroken { condition, by } => {
            let condition =
                condition.as_ref().map_or_else(String::new, |text| format!(" `{text}`"));
            format!(
                "the invariant is not inductive: `{by}` breaks{condition}, perhaps where it cannot be reached: add a condition that excludes that"
            )
        }
        Reason::Solver { why, .. }
        | Reason::LeftBehind { why }
        | Reason::UnclearInvariant { why }
        | Reason::UnclearRelation { why } => why.clone(),
        settled => self::settled(settled).unwrap_or_default(),
    }
}

fn invariant_fails(fails: Fails, condition: Option<&str>) -> String {
    match fails {
        Fails::First => match condition {
            Some(text) => format!("the invariant does not hold at first: `{text}` is false"),
            None => "the invariant does not hold at first".to_owned(),
        },
        Fails::Kept => match condition {
            Some(text) => format!("the invariant is not inductive: a step breaks `{text}`"),
            None => "the invariant is not inductive".to_owned(),
        },
        Fails::Implies => "the invariant does not imply the property".to_owned(),
        Fails::Excludes => "the invariant does not exclude the property".to_owned(),
        Fails::Value => {
            "the invariant does not exclude that the property reads what has no value".to_owned()
        }
        Fails::Deadlock => "the invariant does not exclude deadlocks".to_owned(),
    }
}

fn spent_before(spent: Spent, before: Option<&Reason>) -> String {
    match before {
        None => spent.to_string(),
        Some(before @ Reason::StoppedAfter { .. }) if spent == Spent::Interrupted => reason(before),
        Some(before) => format!("{spent}: {}", reason(before)),
    }
}

/// `A` and `B`, in back-quotes.
fn quoted(nets: &[String]) -> String {
    nets.iter().map(|net| format!("`{net}`")).collect::<Vec<_>>().join(" and ")
}

fn incomparable(why: &Incomparable) -> String {
    match why {
        Incomparable::HoleMissing { net, hole, other, tracking } => {
            let todo = match tracking.as_deref() {
                None => "fill it on both sides, or on neither".to_owned(),
                Some([]) => {
                    "write `tracking { }` after the check to compare what is seen alone".to_owned()
                }
                Some(holes) => format!(
                    "write `tracking {{ {} }}` after the check to compare what these holes do alone",
                    holes.join(", ")
                ),
            };
            format!(
                "they cannot be compared: `{net}` has a hole `{hole}`, and `{other}` has none of that name: {todo}"
            )
        }
        Incomparable::HoleSorts { hole } => {
            format!("they cannot be compared: the hole `{hole}` has different sorts in the two")
        }
        Incomparable::Untracked { hole, net } => format!(
            "`{hole}` is to be tracked, and `{net}` has no such hole: only holes of both can be"
        ),
        Incomparable::TrackedInPart { family, hole, net, other } => format!(
            "`{family}` is to be tracked as a whole, and `{hole}` is a hole of `{net}` but not of `{other}`: fill the \
             same members on both sides, or leave `{family}` out of `tracking`"
        ),
    }
}

/// What an obligation is about: what must hold.
pub fn obligation(about: &ObligationKind) -> String {
    match about {
        ObligationKind::Initial => "the initial configurations are related".to_owned(),
        ObligationKind::Answered { at, of_first, step } => {
            let who = if *of_first { "first" } else { "second" };
            format!("in {}, step {step} of the {who} one is answered", pair(at))
        }
        ObligationKind::StuckTogether { at } => {
            format!("in {}, where the first one is stuck the second is", pair(at))
        }
        ObligationKind::StuckSilently { at } => {
            format!(
                "in {}, where the first one is stuck the second can silently get stuck",
                pair(at)
            )
        }
        ObligationKind::HoldsFirst => "the predicate holds at first".to_owned(),
        ObligationKind::Kept { state, step } => {
            format!("step {step} of {state} keeps the predicate")
        }
        ObligationKind::KeepsAway { state } => {
            format!("in {state}, the whole can do something where its context can")
        }
        ObligationKind::FixpointKept { fixpoint, state } => {
            format!("in {state}, set {fixpoint} has only what leads to it again")
        }
        ObligationKind::LayerReached { fixpoint, layer, state } => {
            format!("in {state}, layer {layer} of set {fixpoint} leads to smaller ones")
        }
        ObligationKind::FormulaFirst => "the formula holds at first".to_owned(),
        ObligationKind::InvariantFirst => "the invariant holds at first".to_owned(),
        ObligationKind::InvariantKeptBy { interaction } => {
            format!("`{interaction}` keeps the invariant")
        }
        ObligationKind::InvariantExcludes => {
            "the invariant excludes what must not be reached".to_owned()
        }
        ObligationKind::InvariantKept { state, step } => {
            format!("step {step} of {state} keeps the invariant")
        }
        ObligationKind::InvariantImplies { state } => {
            format!("in {state}, the invariant implies what is claimed")
        }
    }
}

/// `in line 7, `
fn placed(at: Option<&Place>) -> String {
    at.map_or_else(String::new, |at| format!("in {}, ", evidence::place(at)))
}

fn no_value(text: &str, why: &NoValue) -> String {
    match why {
        NoValue::Member { family, indices } => format!(
            "the index `{text}` leads outside of `{family}`, whose indices are {indices}: give a quantifier this range, or \
             say before when it is inside, as in `0 <= i and i < n => …`"
        ),
        NoValue::Outside => format!(
            "`{text}` is outside of its range: say before when it is inside, with `and` or `=>`"
        ),
        NoValue::Divisor => {
            format!("the divisor `{text}` is zero: say before when it is not, with `and` or `=>`")
        }
        NoValue::Call => format!(
            "`{text}` has no value for these arguments: say before when it has, with `and` or `=>`"
        ),
        NoValue::Field => format!(
            "`{text}` changes a field that the value does not have: say before how it is made, as in `m is Pkt(_) and …`"
        ),
    }
}

/// What is to be known about an outcome.
pub fn note(note: &Note) -> String {
    match note {
        Note::Composed(report) => {
            format!("made part by part:\n           {}", composition(report).join("\n           "))
        }
        Note::HolesDid { does } => {
            let all: Vec<String> = does
                .iter()
                .map(|did| format!("`{}` do `{}` in step {}", did.hole, did.action, did.step))
                .collect();
            format!(
                "this run has {}: if that should not happen, guard the vector, or fill the hole with what never does it",
                all.join(" and ")
            )
        }
        Note::HoleGives { hole, action, variable } => format!(
            "the hole `{hole}` can give `{variable}` any value, by `{action}`: if it should not, guard the \
             vector, or fill the hole"
        ),
        Note::Taken { part, step, other } => format!(
            "there, `{part}` could do `{step}` by itself: in the net, beside `{other}`, it cannot"
        ),
        Note::Cooperates => "`E` and `<…>` are about the open net: what they ask for happens where the holes play along"
            .to_owned(),
        Note::LeftOut { variables } => {
            let shown = variables.iter().take(MOST_LEFT_OUT).map(|name| format!("`{name}`"));
            let more = match variables.len().saturating_sub(MOST_LEFT_OUT) {
                0 => String::new(),
                more => format!(" and of {more} more"),
            };
            format!(
                "the values of {}{more} were left out: nothing that is asked depends on them",
                shown.collect::<Vec<_>>().join(", ")
            )
        }
        Note::ForFillings => "of a filled net, this holds only together with `nonblocking`: what fills the holes may refuse \
                              what they could do"
            .to_owned(),
        Note::OnlySilent { holes, state, steps } => {
            let whose = match holes.as_slice() {
                [one] => format!("`{one}`"),
                some => format!("its holes `{}`", some.join("`, `")),
            };
            format!(
                "in {state}, {}, nothing is possible but silent steps of {whose}: without them it would be stuck",
                after(*steps)
            )
        }
        Note::Instance { set } => {
            let set: Vec<String> = set.iter().map(|one| format!("--set {one}")).collect();
            format!("this is the instance with `{}`", set.join(" "))
        }
        Note::Unfolding { name } => format!("this is the unfolding `{name}`"),
        Note::Forgotten { variables } => format!(
            "proofs for every size do without the values of `{}`: what depends on them may happen, and is not counted on",
            variables.join("`, `")
        ),
        Note::WithoutValue { text, why, at } => format!("{}{}", placed(at.as_ref()), no_value(text, why)),
        Note::NoInitialValue { variable, value, at } => format!(
            "`{variable}` has no initial value{}: here it begins as {value}",
            at.as_ref().map_or_else(String::new, |at| format!(" ({})", evidence::place(at)))
        ),
        Note::RelationAlone => "this is about the relation alone; another one may do".to_owned(),
        Note::SizesLeftOut => "sizes that the axioms do not allow are left out".to_owned(),
        Note::NoCertificate { why } => format!("there is no certificate of this proof: {why}"),
        Note::Diverges { net, other, with_holes, known } => {
            let as_long = if *with_holes { "as long as its holes move" } else { "by itself" };
            let unseen = "a weak refinement does not see this";
            match known {
                Divergence::FirstAlone => format!(
                    "`{net}` can go on silently for ever {as_long}, and `{other}` cannot: {unseen}"
                ),
                Divergence::First => format!(
                    "`{net}` can go on silently for ever {as_long}, and it is not known whether `{other}` can: {unseen}"
                ),
                Divergence::NotSecond => format!(
                    "it is not known whether `{net}` can go on silently for ever {as_long}, which `{other}` cannot: \
                     {unseen}"
                ),
            }
        }
        Note::Observes { net, hole, state, what } => {
            let how = match what {
                Observed::Tau => format!(
                    "in {state}, `tau` of `{hole}` cannot pass unseen, as it could with `<{hole}: tau> -> tau;`"
                ),
                Observed::Sync => format!(
                    "in {state}, not every synchronised action of `{hole}` can pass unseen, as it could with \
                     `<{hole}: sync ?a> -> sync a;`"
                ),
                Observed::More => format!("in {state}, more happens when `{hole}` is silent"),
            };
            format!(
                "`{net}` observes silent actions of `{hole}`: {how}; with `{hole}` filled, this may come out differently"
            )
        }
    }
}

/// Why a claim that holds says less than it seems to.
pub fn vacuity(vacuity: &Vacuity) -> String {
    match vacuity {
        Vacuity::NoTransitions { net } => format!("`{net}` can do nothing"),
        Vacuity::NoTransitionsAtAll => {
            "neither of the two has transitions: nets that can do nothing are alike".to_owned()
        }
        Vacuity::StillHole { hole, net } => {
            format!(
                "the hole `{hole}` of `{net}` can never move: whatever fills it does not matter"
            )
        }
        Vacuity::UnreachedPair { pair } => {
            format!("`{pair}` says nothing: one of its states is never reached")
        }
        Vacuity::Idle { parts, always, whatever, claim } => {
            let (join, is) = match always {
                true => ("` or `", "always"),
                false => ("` and `", "never"),
            };
            let holds = if parts.len() == 1 || *always { "holds" } else { "hold together" };
            let whatever = match whatever.as_slice() {
                [] => String::new(),
                [one] => format!(", whatever `{one}` is"),
                some => format!(", whatever `{}` are", some.join("`, `")),
            };
            format!("`{}` {is} {holds}{whatever}: `{claim}` says nothing", parts.join(join))
        }
        Vacuity::NoMatter { part, could_be, never } => {
            let all_the_same =
                format!("`{part}` could be `{could_be}`, and it would hold all the same");
            match never {
                Some(never) => format!("`{never}` never comes true: {all_the_same}"),
                None => all_the_same,
            }
        }
        Vacuity::NothingFilled => "no hole is filled".to_owned(),
        Vacuity::NothingToBlock => {
            "with its holes open, the net can do nothing: there is nothing to block".to_owned()
        }
    }
}
