//! Nets with finite data as labelled transition systems, and comparisons that go configuration by configuration: beside
//! what is so by definition (`common/pairs`), and beside what the solver says.

use std::sync::Arc;

use crate::common::nets::Shape;
use crate::common::pairs::{self, Facts, Kind, facts, pair};
use crate::common::said::Said;
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Patience, Random, check_text};
use pnetc::base::Budget;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::search::SearchLimits;
use pnetc::explore::{Domains, EngineChoice};
use pnetc::finite::{LabelView, NotUnfolded, lts_of};
use pnetc::generate::Watch;
use pnetc::lts::{Equivalence, Lts, LtsQuestion, ReduceLimits, compare};
use pnetc::model::Checked;
use pnetc::outcome::{Evidence, Outcome, Reason, Reply};
use pnetc::pnet::PNet;
use pnetc::sema::program::CheckKind;
use pnetc::verify;

/// Nobody is in a hurry.
struct Calm;

impl Watch for Calm {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        Budget::default()
    }
}

fn net(checked: &Checked, name: &str) -> Arc<PNet> {
    checked.build(Some(name), &ElaborateOptions::default()).unwrap()
}

fn system(net: &PNet, view: LabelView) -> Result<Lts, NotUnfolded> {
    let made = lts_of((net, &Domains::default()), (view, "tau"), &SearchLimits::default(), &Calm)?;
    assert!(!made.1, "no values are left out where no domain is given");
    Ok(made.0)
}

/// The verdicts on all checks of a text, by one engine.
fn outcomes(text: &str, engine: EngineChoice) -> Vec<(CheckKind, Outcome)> {
    let checked = check_text(text);
    let mut options = verify::ModelOptions::default();
    options.explore.engine = engine;
    let run = |check| verify::run(&checked, check, &options, &Patience::default()).unwrap();
    checked.program.checks.iter().map(|check| (check.kind, run(check))).collect()
}

fn words(text: &str, engine: EngineChoice) -> Vec<&'static str> {
    outcomes(text, engine).iter().map(|(_, outcome)| Said::from(outcome).word()).collect()
}

fn is_so(facts: &Facts, kind: CheckKind) -> bool {
    match kind {
        CheckKind::Bisimilar => facts.bisimilar,
        CheckKind::WeaklyBisimilar => facts.weakly_bisimilar,
        CheckKind::WeaklyRefines => facts.weakly_refines,
        _ => facts.refines,
    }
}

/// Whether two systems compare, by what is done with files.
fn by_systems(checked: &Checked, pair: &pairs::Pair, by: Equivalence) -> Option<bool> {
    let view = LabelView::hiding(by.hides());
    let lts = |name: &str| system(&net(checked, name), view);
    let (first, second) = match (lts(&pair.left), lts(&pair.right)) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(NotUnfolded::Begins { .. }), _) | (_, Err(NotUnfolded::Begins { .. })) => return None,
        (Err(why), _) | (_, Err(why)) => panic!("{why}\n{}", pair.text),
    };
    let asked = LtsQuestion::Equivalent(by);
    Some(compare(first, second, asked, ReduceLimits::default(), &Calm).unwrap().holds)
}

fn random_pairs(kind: Kind, count: u64) {
    let shape = Shape { ints: false, constants: false, depth: 1, ..Shape::closed() };
    let (mut proved, mut refuted, mut systems) = (0, 0, 0);
    for seed in seeds(fuzz().unwrap_or(count)) {
        let mut random = Random::new(seed);
        let (pair, facts) = loop {
            let pair = pair(&mut random, shape, kind);
            let checked = check_text(pair.text.as_str());
            let lts = |name: &str| pairs::Lts::of(&net(&checked, name));
            let found = lts(&pair.left).zip(lts(&pair.right));
            if let Some(facts) = found.and_then(|(left, right)| facts(&left, &right)) {
                break (pair, facts);
            }
        };
        let label = |what: &str| format!("{kind:?}, PNET_SEED={seed}: {what}\n{}", pair.text);
        for (check, outcome) in outcomes(&pair.text, EngineChoice::Explicit) {
            match (Said::from(&outcome), is_so(&facts, check)) {
                (Said::Proved(_), true) => proved += 1,
                (Said::Refuted(_), false) => refuted += 1,
                (said, so) => panic!("{}", label(&format!("{check:?} is {so}, but {said:?}"))),
            }
            plays_end(&outcome, &label("the play does not end"));
        }
        let checked = check_text(pair.text.as_str());
        for (by, so) in
            [(Equivalence::Strong, facts.bisimilar), (Equivalence::Weak, facts.weakly_bisimilar)]
        {
            if let Some(found) = by_systems(&checked, &pair, by) {
                systems += 1;
                assert_eq!(found, so, "{}", label(&format!("{by:?}")));
            }
        }
    }
    println!("{kind:?}: {proved} proved, {refuted} refuted, {systems} compared as systems");
    assert!(systems > 0);
}

/// A play ends where there is no answer, or where only the first is stuck.
fn plays_end(outcome: &Outcome, label: &str) {
    let Evidence::Play(play) = &outcome.evidence else {
        assert!(!matches!(outcome.reason, Reason::ToldApart { .. }), "{label}");
        return;
    };
    let last = play.moves.last();
    let unanswered = last.is_some_and(|last| matches!(last.reply, Reply::None { .. }));
    assert!(unanswered != play.stuck.is_some(), "{label}");
}

#[test]
fn what_is_the_same_is_related() {
    random_pairs(Kind::Same, 8);
    random_pairs(Kind::Split, 8);
}

#[test]
fn what_differs_is_told_apart() {
    random_pairs(Kind::Mutated, 16);
    random_pairs(Kind::Independent, 16);
    random_pairs(Kind::Delayed, 16);
}

const MODEL: &str = "action a, b(0..3);
    process Begins { var w: Bool; init state s; s -> s : a when w; s -> s : b(0) when not w; }
    process Ends { init state s; final state t; s -> t : a; }
    process Stops { init state s; state t; s -> t : a; }
    process Goes { init state s; s -> s : a; }
    process Gives { var n: 0..3 = 0; init state s; s -> s : b(n) do n := (n + 1) mod 3; }
    process Waits { var n: 0..3 = 0; init state s; state t; s -> t : b(n) do n := (n + 1) mod 3; t -> s : tau; t -> t : tau; }
    process Hides { init state s; state t; s -> t : a; t -> s : sync a; }
";

/// Being stuck counts in refinement, being final does not; each way to begin has its like.
#[test]
fn rules_that_the_solver_has_too() {
    let text = format!(
        "{MODEL}
        check bisimilar(Begins, Begins);
        check refines(Begins, Goes);
        check bisimilar(Ends, Stops);
        check refines(Ends, Goes);
        check refines(Goes, Ends);
        check weakly_refines(Ends, Stops);
        check weakly_refines(Stops, Goes);
        check bisimilar(Gives, Waits);
        check weakly_bisimilar(Gives, Waits);
        check weakly_refines(Waits, Gives);
        check refines(Waits, Gives);
        check bisimilar(Goes, Hides);
        check weakly_bisimilar(Goes, Hides);"
    );
    let finite = words(&text, EngineChoice::Explicit);
    assert_eq!(finite, words(&text, EngineChoice::Symbolic));
    assert_eq!(finite, words(&text, EngineChoice::Auto));
    let (yes, no) = ("proved", "refuted");
    assert_eq!(finite, [yes, no, yes, no, no, yes, no, no, yes, yes, no, no, yes]);
}

/// Holes with an interface are compared by what they do, where silent steps count; everything else is left to the solver.
#[test]
fn holes() {
    let text = "action a, b, c;
        interface Two { a, b }
        net First(P: Two)  { <P: a> -> c; <P: b> -> b; }
        net Second(P: Two) { <P: b> -> b; <P: a> -> c; }
        net Third(P: Two)  { <P: b> -> c; <P: a> -> c; }
        net Any(P: any)    { <P: a> -> c; }
        check bisimilar(First, Second);
        check bisimilar(First, Third);
        check refines(Third, First) tracking {};
        check weakly_bisimilar(First, Second);
        check bisimilar(Any, Any);
        check bisimilar(First, Any);";
    let (yes, no, open) = ("proved", "refuted", "unknown");
    assert_eq!(words(text, EngineChoice::Explicit), [yes, no, yes, open, open, open]);
    let symbolic = words(text, EngineChoice::Symbolic);
    assert_eq!(symbolic[..3], [yes, no, yes]);
    assert_eq!(words(text, EngineChoice::Auto), symbolic);
}

/// Where there is no end of values, nothing is claimed.
#[test]
fn what_is_not_finite_is_left_alone() {
    let text = "action a(Int); const N: Int;
        process P { init state s; s -> s : a(?x); }
        process Q { init state s; s -> s : a(?x) when x >= N; }
        check bisimilar(P, P);
        check refines(Q, P);";
    assert_eq!(words(text, EngineChoice::Explicit), ["unknown", "unknown"]);
    assert_eq!(words(text, EngineChoice::Auto), ["proved", "proved"]);
}

/// `sync a` is an action where silent steps count, and silent where they do not.
#[test]
fn labels_are_made_for_the_relation() {
    let checked = check_text(MODEL);
    let labels = |view| {
        let lts = system(&net(&checked, "Hides"), view).unwrap();
        let all = lts.ids().flat_map(|state| lts.steps(state).to_vec()).collect::<Vec<_>>();
        all.iter().map(|step| lts.text(step.label).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(labels(LabelView::All), ["a", "sync a"]);
    assert_eq!(labels(LabelView::Visible), ["a", "tau"]);
    let begins = system(&net(&checked, "Begins"), LabelView::All);
    assert_eq!(begins.unwrap_err(), NotUnfolded::Begins { many: 2 });
}
