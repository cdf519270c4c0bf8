//! `deadlock_free`, `always` and `reaches`: cases with the verdicts that are right, and random models that are played out
//! with concrete values by an interpreter that knows nothing of solvers.
use crate::common::explicit::{Explicit, World};
use crate::common::nets::{self, Shape};
use crate::common::patience::Patience;
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
use crate::common::{Random, check_text};
use pnetc::explore::{EngineChoice, ExploreOptions};
use pnetc::outcome::{Evidence, Outcome, RunEnd, Verdict};
use pnetc::pnet::PNet;
use pnetc::verify::{self, ModelOptions};

fn outcomes(text: &str) -> Vec<Outcome> {
    outcomes_by(text, ExploreOptions::default())
}

fn outcomes_by(text: &str, explore: ExploreOptions) -> Vec<Outcome> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{text}");
    let options = ModelOptions { explore, ..ModelOptions::default() };
    let run = |check| verify::run(&checked, check, &options, &Patience::default()).unwrap();
    checked.program.checks.iter().map(run).collect()
}

/// By looking at configurations alone.
fn explored() -> ExploreOptions {
    ExploreOptions { engine: EngineChoice::Explicit, ..ExploreOptions::default() }
}

fn words(text: &str) -> Vec<&'static str> {
    outcomes(text).iter().map(|outcome| outcome.verdict.word()).collect()
}

/// The steps of the runs that are shown.
fn steps(text: &str) -> Vec<Option<usize>> {
    let steps = |outcome: &Outcome| match &outcome.evidence {
        Evidence::Run(run) => Some(run.steps.len()),
        _ => None,
    };
    outcomes(text).iter().map(steps).collect()
}

const COUNTER: &str = "action inc, jam;
    const MAX: Int;
    axiom MAX >= 1;
    process Ends { var n: Int = 0; init state s; final state t;
        s -> s : inc when n < 3 do n := n + 1; s -> t : jam when n == 3; }
    process Stuck { var n: Int = 0; init state s; state t;
        s -> s : inc when n < 3 do n := n + 1; s -> t : jam when n == 3; }
    process Up { var n: Int = 0; init state s; s -> s : inc do n := n + 1; }
    process Below { var n: Int = 0; init state s; s -> s : inc when n < MAX do n := n + 1; s -> s : jam; }
    process Any { var n: 0..4; init state s; s -> s : inc do n := (n + 1) mod 4; }
    process Reads { var i: Int = 0; var m: [0..3]Int; init state s; s -> s : inc when i < 5 do i := i + 1; s -> s : jam; }\n";

fn about(checks: &str) -> String {
    format!("{COUNTER}{checks}")
}

#[test]
fn final_states_are_no_deadlocks() {
    let checks =
        "check deadlock_free(Ends); check deadlock_free(Stuck); check not deadlock_free(Stuck);
        check deadlock_free(Up);";
    assert_eq!(words(&about(checks)), ["proved", "refuted", "proved", "proved"]);
    assert_eq!(steps(&about(checks)), [None, Some(4), Some(4), None]);
}

#[test]
fn what_is_reached_has_the_shortest_run() {
    let checks =
        "check reaches(Up, n == 7); check reaches(Up, n < 0); check not reaches(Up, n < 0);
        check reaches(Ends, Ends in t); check reaches(Any, n == 3);";
    assert_eq!(words(&about(checks)), ["proved", "refuted", "proved", "proved", "proved"]);
    assert_eq!(steps(&about(checks)), [Some(7), None, None, Some(4), Some(0)]);
}

/// `always` is for all values of constants and of what begins with any value, `reaches` for some.
#[test]
fn constants_have_all_values_or_some() {
    let checks = "check always(Below, n <= MAX); check always(Below, n <= 5); check reaches(Below, n == 5);
        check reaches(Below, n == 5 and MAX == 4); check always(Any, n < 4); check always(Any, n < 3);";
    let expected = ["proved", "refuted", "proved", "refuted", "proved", "refuted"];
    assert_eq!(words(&about(checks)), expected);
}

/// Constants of which only the property speaks.
const ASKED: &str = "action step;
    const K: 0..5;
    const L: 0..9;
    const M: 0..3;
    const FREE: Int;
    axiom L == K + 2;
    fun beyond(x: Int): Bool = x > M;
    process P { var n: 0..4 = 0; init state s; s -> s : step when n < 3 do n := n + 1; s -> s : step when n == 3; }
    process Q { var n: 0..9 = 0; init state s; s -> s : step when n < K do n := n + 1; s -> s : step when n == K; }\n";

#[test]
fn constants_of_the_property_have_all_values_or_some() {
    let claims = [
        ("always(P, n <= K)", "refuted"),
        ("always(P, n <= K + 3)", "proved"),
        ("reaches(P, n == 3 and K == 4)", "proved"),
        ("reaches(P, n == K + 4)", "refuted"),
        ("not reaches(P, n > K + 3)", "proved"),
        // An axiom ties one to another.
        ("always(P, L >= 2)", "proved"),
        ("reaches(P, L == 6 and K == 4)", "proved"),
        ("reaches(P, L == 8)", "refuted"),
        // Through a function.
        ("always(P, beyond(n))", "refuted"),
        ("reaches(P, beyond(n))", "proved"),
        ("always(P, beyond(n + 3))", "proved"),
        // Beside one that the net speaks of.
        ("always(Q, n <= K)", "proved"),
        ("always(Q, n <= M)", "refuted"),
        ("always(Q, n <= L)", "proved"),
        // In what a quantifier goes over.
        ("always(P, exists i: 0..K + 4 . i == n)", "proved"),
        ("always(P, exists i: 0..K + 1 . i == n)", "refuted"),
    ];
    let checks: String = claims.iter().map(|(claim, _)| format!("check {claim};\n")).collect();
    let text = format!("{ASKED}{checks}");
    for (explore, how) in [(explored(), "explored"), (ExploreOptions::default(), "by whoever can")]
    {
        for ((claim, expected), outcome) in claims.iter().zip(outcomes_by(&text, explore)) {
            assert_eq!(outcome.verdict.word(), *expected, "{claim}, {how}: {:?}", outcome.reason);
        }
    }
}

/// A run that shows something says for which values of the constants.
#[test]
fn constants_of_the_property_are_told() {
    let text = format!("{ASKED}check reaches(P, n == 2 and K == 4 and L == 6);");
    let outcome = outcomes_by(&text, explored()).remove(0);
    let Evidence::Run(run) = &outcome.evidence else { panic!("{outcome:?}") };
    let told: Vec<String> =
        run.with.iter().map(|one| format!("{} = {}", one.what, one.value.text)).collect();
    assert_eq!(told, ["K = 4", "L = 6"]);
}

/// Where a constant has too many values to try, the automaton answers; exploration says which constant it is.
#[test]
fn constants_without_end_are_for_the_automaton() {
    let text = format!("{ASKED}check reaches(P, n + FREE == 1000); check always(P, n <= FREE);");
    let words = |explore| -> Vec<&str> {
        outcomes_by(&text, explore).iter().map(|outcome| outcome.verdict.word()).collect()
    };
    assert_eq!(words(ExploreOptions::default()), ["proved", "refuted"]);
    for outcome in outcomes_by(&text, explored()) {
        let reason = format!("{:?}", outcome.reason);
        assert_eq!(outcome.verdict, Verdict::Unknown);
        assert!(reason.contains("FREE") && reason.contains("--set"), "{reason}");
    }
}

/// In depth the verdicts are the same; runs may be longer, and are not beyond the bound.
#[test]
fn checks_are_answered_in_depth() {
    let model = "action step, both, stop;
        process C<b: Int> { var n: 0..b + 1 = 0; init state s; state t;
            s -> s : step when n < b do n := n + 1; s -> s : step when n == b do n := 0; s -> t : stop when n == 2; }
        net Two<b: Int> { sub C[i: 0..2] = C<b>; <C[i]: step> -> step for i in 0..2;
            <C[0]: stop, C[1]: stop> -> stop; }
        process Free { init state s; s -> s : step; s -> s : both; }\n";
    let checks = "check deadlock_free(Two<9>); check always(Two<9>, C[0].n + C[1].n < 18);
        check always(Two<9>, C[0].n + C[1].n <= 18); check reaches(Two<9>, C[0] in t and C[1] in t);
        check reaches(Two<9>, C[0] in t and C[1] in s); check deadlock_free(Free); check deterministic(Two<9>);
        check always(Two<1>, 6 div (1 - C[0].n) >= 0);";
    let text = format!("{model}{checks}");
    let expected =
        ["refuted", "refuted", "proved", "proved", "refuted", "proved", "refuted", "unknown"];
    let deep = |most_depth| ExploreOptions { in_depth: true, most_depth, ..explored() };
    let words = |explore| -> Vec<&str> {
        outcomes_by(&text, explore).iter().map(|outcome| outcome.verdict.word()).collect()
    };
    assert_eq!(words(explored()), expected);
    assert_eq!(words(deep(u64::MAX)), expected);
    // The nearest deadlock is five steps away, and the nearest sum of 18 eighteen.
    let bounded =
        ["refuted", "unknown", "unknown", "proved", "unknown", "proved", "refuted", "unknown"];
    assert_eq!(words(deep(7)), bounded);
    let lengths = |explore| -> Vec<usize> {
        let found = outcomes_by(&text, explore);
        let runs = found.iter().filter_map(|outcome| match &outcome.evidence {
            Evidence::Run(run) => Some(run.steps.len()),
            _ => None,
        });
        runs.collect()
    };
    assert!(lengths(deep(7)).iter().all(|&steps| steps <= 7), "{:?}", lengths(deep(7)));
    assert!(lengths(deep(u64::MAX)).iter().any(|&steps| steps > 18), "it did not go in depth");
}

/// A property that reads outside of an array says nothing, not even its opposite.
#[test]
fn what_has_no_value_is_not_known() {
    let checks =
        "check always(Reads, m[i] == m[i]); check not reaches(Reads, m[i] == 0 and i == 9);
        check always(Reads, i >= 3 or m[i] == m[i]); check always(Reads, 6 div (i + 1) >= 1);";
    assert_eq!(words(&about(checks)), ["unknown", "unknown", "proved", "proved"]);
    let run = &outcomes(&about("check always(Reads, m[i] == m[i]);"))[0].evidence;
    let Evidence::Run(run) = run else { panic!("{run:?}") };
    assert_eq!(
        (run.steps.len(), matches!(run.end, RunEnd::Property { holds: None, .. })),
        (3, true)
    );
}

#[test]
fn a_net_without_transitions_is_vacuous() {
    let outcome = &outcomes("process P { init state s; } check always(P, P in s);")[0];
    assert_eq!((outcome.verdict, outcome.vacuous.len()), (Verdict::Proved, 1));
}

// ---- several members of a family ----

const RING: &str = "action give, take, pass(Int), go, out;
    process Station<me: Int> { var holds: Bool = me == 0; var seen: 0..4 = 0; init state idle; state crit;
        idle -> idle : give when holds do holds := false, seen := (seen + 1) mod 4;
        idle -> idle : take when not holds do holds := true;
        idle -> crit : go when holds; crit -> idle : out; }
    net Ring<n: Int> { sub S[i: 0..n] = Station<i>;
        <S[i]: give, S[(i + 1) mod n]: take> -> pass(i) for i in 0..n;
        <S[i]: go> -> go for i in 0..n; <S[i]: out> -> out for i in 0..n; }
    net Ring3 = Ring<3>;
    net More<k: Int> = Ring<k + 1>;\n";

#[test]
fn properties_speak_of_several_members() {
    let expected = [
        (
            "always(Ring<3>, forall i: 0..n, j: 0..n . i != j => not (S[i] in crit and S[j] in crit))",
            "proved",
        ),
        ("always(Ring<3>, exists i: 0..n . S[i].holds)", "proved"),
        ("always(Ring<3>, forall i: 0..n . S[i].holds => not S[(i + 1) mod n].holds)", "proved"),
        ("always(Ring<3>, forall i: 0..n . S[i].holds => S[i] in crit)", "refuted"),
        ("reaches(Ring<3>, exists i: 1..n . S[i] in crit and S[i - 1].seen == 1)", "proved"),
        ("reaches(Ring<3>, forall i: 0..n . S[i].holds)", "refuted"),
        (
            "not reaches(Ring<3>, exists b: Bool . b and S[0].holds == b and S[1].holds == b)",
            "proved",
        ),
        ("always(Ring<3>, forall i: 0..0 . S[i].holds)", "proved"),
    ];
    for (check, verdict) in expected {
        assert_eq!(words(&format!("{RING}check {check};")), [verdict], "{check}");
    }
}

/// A member that there is not has no value; where nothing reads it, nothing is wrong.
#[test]
fn members_that_there_are_not_have_no_value() {
    let expected = [
        (
            "always(Ring<3>, forall i: 0..n . i + 1 < n => not (S[i].holds and S[i + 1].holds))",
            "proved",
        ),
        ("always(Ring<3>, forall i: 0..n . not (S[i].holds and S[i + 1].holds))", "unknown"),
        ("always(Ring<3>, S[seen_by(0)].holds)", "error"),
        ("always(Ring<3>, S[S[0].seen].seen >= 0)", "unknown"),
        ("always(Ring<4>, S[S[0].seen].seen >= 0)", "proved"),
        ("always(Ring<4>, S[S[0].seen] in { idle, crit })", "proved"),
        ("always(Ring<3>, S[0].seen < n => S[S[0].seen].seen < 4)", "proved"),
        ("reaches(Ring<4>, S[0].seen > 0 and S[S[0].seen] in crit)", "proved"),
        ("always(Ring<3>, S[7].holds)", "error"),
    ];
    for (check, verdict) in expected {
        let text = format!("{RING}check {check};");
        match check_text(text.as_str()).has_errors() {
            true => assert_eq!("error", verdict, "{check}"),
            false => assert_eq!(words(&text), [verdict], "{check}"),
        }
    }
}

/// The parameters of the net, and of the one that it is another name for.
#[test]
fn properties_see_parameters() {
    let expected = [
        ("always(Ring<2 + 1>, n == 3)", "proved"),
        ("always(Ring3, n == 3)", "proved"),
        ("always(More<2>, k == 2 and n == 3)", "proved"),
        ("reaches(More<2>, S[k].holds)", "proved"),
        ("always(Ring<3>, k == 2)", "error"),
        ("always(Station<0>, me == 0)", "proved"),
    ];
    for (check, verdict) in expected {
        let text = format!("{RING}check {check};");
        match check_text(text.as_str()).has_errors() {
            true => assert_eq!("error", verdict, "{check}"),
            false => assert_eq!(words(&text), [verdict], "{check}"),
        }
    }
}

// ---- random models ----

#[derive(Default, Debug)]
struct Tally {
    proved: usize,
    refuted: usize,
    unknown: usize,
}

/// Which configurations the interpreter found, for one set of values of the constants.
struct Seen {
    /// For each leaf, by path and state, whether it was reached.
    states: Vec<(String, String, bool)>,
    deadlock: bool,
    /// Whether these are all, for all values.
    all: bool,
}

fn seen(net: &PNet) -> Option<Seen> {
    let world = World::of(net);
    let explicit = Explicit::new(net, &world);
    let reached = explicit.reachable(150).ok()?;
    let symbolic = net.algebra.constants.iter().any(|constant| constant.value.is_none());
    let all = reached.complete && reached.in_trouble() == 0 && !symbolic;
    let mut states = Vec::new();
    for (leaf, (path, id)) in explicit.leaves().iter().enumerate() {
        for (at, state) in net.plts[*id].states.iter().enumerate() {
            let is_there = reached.configs.iter().any(|(config, _)| config.states[leaf] == at);
            states.push((path.clone(), state.name.to_string(), is_there));
        }
    }
    let is_final = |states: &[usize]| {
        let leaves = explicit.leaves().iter().zip(states);
        leaves.into_iter().all(|((_, id), &at)| net.plts[*id].states.as_slice()[at].is_final)
    };
    let is_stuck = |steps: &Option<_>, states: &[usize]| {
        steps.as_ref().is_some_and(|steps: &std::collections::BTreeSet<_>| steps.is_empty())
            && !is_final(states)
    };
    let deadlock = reached.configs.iter().any(|(config, steps)| is_stuck(steps, &config.states));
    Some(Seen { states, deadlock, all })
}

/// Compares what pnet says of all states of all leaves, and of deadlocks, with what the interpreter saw.
fn compared(text: &str, tally: &mut Tally) -> Result<(), String> {
    let Ok(net) = nets::accepted(text) else { return Ok(()) };
    let Some(seen) = seen(&net) else { return Ok(()) };
    let name = net.name;
    let mut questions = vec![(format!("check not deadlock_free({name});"), seen.deadlock)];
    for (path, state, there) in &seen.states {
        let path = if path.is_empty() { name.as_str() } else { path };
        questions.push((format!("check reaches({name}, {path} in {state});"), *there));
    }
    for (question, there) in questions {
        let checked = check_text(format!("{text}\n{question}\n"));
        if checked.has_errors() {
            continue;
        }
        let Some(check) = checked.program.checks.last() else { continue };
        let outcome =
            verify::run(&checked, check, &ModelOptions::default(), &Patience::default()).unwrap();
        match outcome.verdict {
            Verdict::Proved if !there && seen.all => {
                return Err(format!("{question} is proved, and the interpreter goes nowhere"));
            }
            Verdict::Refuted if there => {
                return Err(format!("{question} is refuted, and the interpreter gets there"));
            }
            Verdict::Proved => tally.proved += 1,
            Verdict::Refuted => tally.refuted += 1,
            Verdict::Unknown => tally.unknown += 1,
        }
    }
    Ok(())
}

#[test]
fn random_models_are_played_out() {
    let (count, mut tally) = (fuzz().unwrap_or(40), Tally::default());
    let mut failures = Vec::new();
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), Shape::closed());
        let label = format!("reaching, PNET_SEED={seed}");
        let found = shrink::tried(&label, &text, |text| compared(text, &mut Tally::default()));
        match found {
            Ok(()) => compared(&text, &mut tally).unwrap(),
            Err(why) => failures.push(why),
        }
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let decided = tally.proved + tally.refuted;
    assert!(tally.proved > 0 && tally.refuted > 0 && decided > 4 * tally.unknown, "{tally:?}");
}
