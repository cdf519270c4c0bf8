//! Temporal formulas of open nets with data: known verdicts, and random nets against all their configurations.

use std::sync::Arc;

use pnetc::algebra::{Term, TermId, Terms};
use pnetc::base::Watch;
use pnetc::elaborate::ElaborateOptions;
use pnetc::generate::{Options, generate};
use pnetc::model::{Checked, Wanted};
use pnetc::pnet::PNet;
use pnetc::system::System;
use pnetc::temporal::symbolic::{Decided, RunShown, Shown, decide};
use pnetc::temporal::{
    Decider, Fairness, Fixes, Formula, PathFormula as P, StateFormula as F, StepPattern, after_each,
};

use crate::common::configurations::{Making, Whole};
use crate::common::nets::{self, Shape};
use crate::common::sayings::{Sayings, all, always, eventually, implies, some, until, weak_until};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Memory, Patience, Random, check_files, check_text};

/// What is said of a formula, with the steps of the run that shows it.
#[derive(Debug)]
struct Said {
    word: &'static str,
    steps: Vec<String>,
    given: Vec<String>,
    shown: Option<Shown>,
    why: String,
}

fn said(net: &PNet, formula: &Formula) -> Said {
    let watch = Patience::default();
    let automaton = generate(net, &Options::default(), &watch).automaton;
    let _here = watch.budget().enter();
    let (system, mut facts, mut prover) =
        System::alone(&automaton, Options::default().asking(), &watch);
    let decided = decide(net, (&system, &mut prover), &mut facts, formula);
    let nothing = Said { word: "", steps: vec![], given: vec![], shown: None, why: String::new() };
    match decided {
        Decided::Proved(proof) => {
            assert!(!proof.duties.is_empty());
            Said { word: "proved", ..nothing }
        }
        Decided::Unknown(why) => Said { word: "unknown", why: why.to_string(), ..nothing },
        Decided::Refuted(_, shown) => {
            let RunShown { run, then, .. } = *shown;
            let names = |term| written(&system, &prover.terms, term);
            let steps = run.steps.iter().map(|(step, _)| names(step.action)).collect();
            let given = run
                .given
                .iter()
                .map(|&(what, value)| format!("{} = {}", names(what), names(value)));
            let given = given.collect();
            Said { word: "refuted", steps, given, shown: Some(then), why: String::new() }
        }
    }
}

fn written(system: &System<'_>, terms: &Terms, term: TermId) -> String {
    let algebra = &system.automaton.algebra;
    match terms.get(term) {
        Term::Act(action, args) => {
            let name = algebra.actions[action.index()].name;
            let args: Vec<String> = args.iter().map(|&arg| written(system, terms, arg)).collect();
            if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(", ")) }
        }
        Term::Bool(value) => value.to_string(),
        Term::Int(value) => value.to_string(),
        Term::Const(id) => algebra.constants[id.index()].name.to_string(),
        Term::Tau => "tau".to_owned(),
        other => format!("{other:?}"),
    }
}

fn example(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join("examples").join(name)).unwrap()
}

fn net(checked: &Checked, name: &str) -> Arc<PNet> {
    assert!(!checked.has_errors());
    checked.net(Wanted::Named(Some(name)), &ElaborateOptions::default()).unwrap()
}

/// The monitor, with what is known of its limit.
fn monitor(axiom: &str) -> Checked {
    check_text(format!("{}\n{axiom}\n", example("failure_monitor.pnet")))
}

fn step(pattern: StepPattern) -> P {
    P::Step(pattern)
}

fn not(path: P) -> P {
    P::Not(Box::new(path))
}

/// `E[not (reset or resume(_)) U ask]`
fn can_ask(say: &mut Sayings<'_>) -> F {
    let (reset, resume, ask) = (say.act("reset"), say.act("resume"), say.act("ask"));
    some(until(not(step(StepPattern::Or(vec![reset, resume]))), step(ask)))
}

#[test]
fn nothing_is_asked_for_before_a_failure() {
    for axiom in ["axiom Max >= 0;", ""] {
        let checked = monitor(axiom);
        let net = net(&checked, "FailureMonitor");
        let mut say = Sayings::of(&net);
        let ask = say.act("ask");
        let failed = say.act_with("fail", 0, |terms| terms.bool(true));
        let formula = say.formula(all(weak_until(not(step(ask)), step(failed))));
        let said = said(&net, &formula);
        assert_eq!(said.word, "proved", "{said:?}");
    }
}

#[test]
fn a_failure_can_be_asked_about() {
    let checked = monitor("axiom Max >= 0;");
    let net = net(&checked, "FailureMonitor");
    let mut say = Sayings::of(&net);
    let can = can_ask(&mut say);
    let failed = say.at("C", "s1");
    let formula = say.formula(always(implies(failed, can)));
    let said = said(&net, &formula);
    assert_eq!(said.word, "proved", "{said:?}");
}

/// With a limit below zero no timer runs out.
#[test]
fn constants_have_all_values() {
    let checked = monitor("");
    let net = net(&checked, "FailureMonitor");
    let mut say = Sayings::of(&net);
    let can = can_ask(&mut say);
    let failed = say.at("C", "s1");
    let formula = say.formula(always(implies(failed, can)));
    let said = said(&net, &formula);
    assert_eq!(said.word, "refuted", "{said:?}");
    assert_eq!(said.steps, ["fail(true)"]);
    assert_eq!(said.given, ["Max = -1"]);
}

/// As it is printed: where a reset was asked for, the operand still fails alone, and nothing is asked for then.
#[test]
fn the_printed_claim_does_not_hold() {
    let checked = monitor("axiom Max >= 0;");
    let net = net(&checked, "FailureMonitor");
    let mut say = Sayings::of(&net);
    let can = can_ask(&mut say);
    let fail = say.act("fail");
    let says = after_each(fail, can, &mut Fixes::after(&F::Bool(true)));
    let formula = say.formula(says);
    let said = said(&net, &formula);
    assert_eq!(said.word, "refuted", "{said:?}");
    assert_eq!(said.steps, ["fail(true)", "ask", "fail(false)"]);
}

// ---- two monitors ----

/// Two monitors, with what is known of their limits; `mended`: a timer that does not run, or has run out, lets time pass.
fn two_monitors(axioms: &str, mended: bool) -> Checked {
    let mut one = example("failure_monitor.pnet");
    if mended {
        let idle = "t0 -> t0 : tick; t1 -> t1 : tick when t >= max; t1 -> t0 : timeout";
        one = one.replace("t1 -> t0 : timeout", idle);
    }
    let two = format!(
        "{}\n{axioms}\nnet Asked(B1: Operand, B2: Operand) = Two<Max1, Max2>(B1, B2);\n",
        example("two_monitors.pnet")
    );
    let mut files = Memory::file("two_monitors.pnet", two);
    files.0.insert("failure_monitor.pnet".to_owned(), one.into_bytes());
    check_files(&files, "two_monitors.pnet")
}

/// `AG (M1.C in s1 or M2.C in s1 => E[not (reset or resume(_, _)) U ask])`, or its opposite.
fn either_can_ask(axioms: &str, mended: bool, opposite: bool) -> Said {
    let checked = two_monitors(axioms, mended);
    let net = net(&checked, "Asked");
    let mut say = Sayings::of(&net);
    // The actions of the two have a number.
    let (reset, ask) = (say.act("reset"), say.act("ask"));
    let resume = say.last_act("resume");
    let can = some(until(not(step(StepPattern::Or(vec![reset, resume]))), step(ask)));
    let either = F::Or(vec![say.at("M1.C", "s1"), say.at("M2.C", "s1")]);
    let says = always(implies(either, can));
    let says = if opposite { F::Not(Box::new(says)) } else { says };
    let formula = say.formula(says);
    said(&net, &formula)
}

#[test]
fn two_monitors_with_different_limits_interfere() {
    let natural = "axiom Max1 >= 0 and Max2 >= 0 and Max1 != Max2;";
    let said = either_can_ask(natural, false, false);
    assert_eq!(said.word, "refuted", "{said:?}");
    // For all limits that differ, not for some.
    let said = either_can_ask(natural, false, true);
    assert_eq!(said.word, "proved", "{said:?}");
}

#[test]
fn two_monitors_with_one_limit_interfere() {
    let same = "axiom Max1 == Max2 and Max1 >= 1;";
    let said = either_can_ask(same, false, false);
    assert_eq!(said.word, "refuted", "{said:?}");
    assert!(said.steps.len() <= 4, "{said:?}");
    let said = either_can_ask(same, false, true);
    assert_eq!(said.word, "proved", "{said:?}");
}

#[test]
fn two_monitors_without_time_do_not_interfere() {
    let said = either_can_ask("axiom Max1 == 0 and Max2 == 0;", false, false);
    assert_eq!(said.word, "proved", "{said:?}");
}

#[test]
fn two_mended_monitors_do_not_interfere() {
    let said = either_can_ask("axiom Max1 >= 0 and Max2 >= 0;", true, false);
    assert_eq!(said.word, "proved", "{said:?}");
}

// ---- what comes in the end ----

const COUNTERS: &str = "const Max: Int; action inc, dec, again(Int), idle, done;
    interface Helper { done }
    process Up { var n: Int = 0; init state s; state t;
        s -> s : inc when n < Max do n := n + 1; s -> t : done when n >= Max; t -> t : idle; }
    process Idles { var n: Int = 0; init state s; state t;
        s -> s : inc when n < Max do n := n + 1; s -> s : idle; s -> t : done when n >= Max; t -> t : idle; }
    process Nested { var i: Int; var j: Int; init state s; state t;
        s -> s : dec when j > 0 do j := j - 1;
        s -> s : again(?x) when j <= 0 and i > 0 do i := i - 1, j := x;
        s -> t : done when i <= 0 and j <= 0; t -> t : idle; }
    process TwoPlaces { var n: Int; init state s; state t, u;
        s -> u : dec when n > 0 do n := n - 2; u -> s : inc do n := n + 1;
        s -> t : done when n <= 0; t -> t : idle; }
    process Wild { var n: Int; init state s; state t;
        s -> s : dec when n != 0 do n := n - 1; s -> t : done when n == 0; t -> t : idle; }
    net Waits(H: Helper) { sub P = Up; <P: inc> -> inc; <P: done, H: done> -> done; <P: idle> -> idle; }\n";

/// Whether `done` comes in the end.
fn done_in_the_end(name: &str) -> Said {
    let checked = check_text(COUNTERS);
    let net = net(&checked, name);
    let mut say = Sayings::of(&net);
    let done = say.act("done");
    let formula = say.formula(all(eventually(step(done))));
    said(&net, &formula)
}

#[test]
fn what_counts_comes_to_an_end() {
    for name in ["Up", "Nested", "TwoPlaces"] {
        let said = done_in_the_end(name);
        assert_eq!(said.word, "proved", "{name}: {said:?}");
    }
}

#[test]
fn what_may_idle_need_not_come_to_an_end() {
    let said = done_in_the_end("Idles");
    assert_eq!(said.word, "refuted", "{said:?}");
    assert!(matches!(said.shown, Some(Shown::Loop(_))), "{said:?}");
    let said = done_in_the_end("Wild");
    assert_eq!(said.word, "refuted", "{said:?}");
}

/// A hole may refuse for ever.
#[test]
fn what_needs_a_hole_need_not_come() {
    let said = done_in_the_end("Waits");
    assert_eq!((said.word, said.shown), ("refuted", Some(Shown::End)));
}

/// What is possible again and again is done in the end, where that is fair.
#[test]
fn fair_runs_come_to_an_end() {
    let checked = check_text(COUNTERS);
    let net = net(&checked, "Idles");
    let mut say = Sayings::of(&net);
    let done = say.act("done");
    let inc = say.act("inc");
    for kind in [Fairness::Weak, Fairness::Strong] {
        say.fair.clear();
        say.fairly(inc.clone(), kind);
        say.fairly(done.clone(), kind);
        let formula = say.formula(all(eventually(step(done.clone()))));
        let said = said(&net, &formula);
        assert_eq!(said.word, "proved", "{kind:?}: {said:?}");
    }
    // Counting alone is not enough.
    say.fair.clear();
    say.fairly(inc, Fairness::Strong);
    let formula = say.formula(all(eventually(step(done))));
    let said = said(&net, &formula);
    assert_eq!(said.word, "refuted", "{said:?}");
}

/// What came out, by how often.
#[derive(Default, Debug)]
struct Agreed {
    proved: usize,
    refuted: usize,
    unknown: usize,
    runs: usize,
}

#[test]
fn random_nets_say_what_their_configurations_say() {
    let shapes = [
        Shape { ints: false, data: false, priorities: false, depth: 1, ..Shape::open() },
        Shape { ints: false, depth: 2, ..Shape::open() },
        Shape { ints: false, data: false, depth: 1, ..Shape::closed() },
    ];
    let mut agreed = Agreed::default();
    for seed in seeds(fuzz().unwrap_or(30)) {
        let random = &mut Random::new(seed);
        let shape = shapes[seed as usize % shapes.len()];
        let text = nets::model(random, shape);
        let Ok(net) = nets::accepted(&text) else { continue };
        if net.has_optional() {
            continue;
        }
        for _ in 0..4 {
            let mut making = Making::about(&net, random);
            let says = match making.random.below(4) {
                0 => making.response(),
                _ => making.formula(3, &mut Vec::new()),
            };
            for _ in 0..making.random.below(5).saturating_sub(2) {
                let (step, strong) = (making.pattern(0), making.random.one_in(2));
                let kind = if strong { Fairness::Strong } else { Fairness::Weak };
                making.say.fairly(step, kind);
            }
            let formula = making.say.formula(says);
            let Some((mut whole, explicit)) = Whole::of(&net, &formula) else { continue };
            let mut decider = Decider::new(&explicit, &mut whole, &formula.fair);
            let Ok(first) = decider.at_first(&formula.says) else { continue };
            let holds = first.iter().all(|holds| *holds);
            let said = said(&net, &formula);
            let wrong = match said.word {
                "proved" => !holds,
                "refuted" => holds,
                _ => false,
            };
            assert!(!wrong, "PNET_SEED={seed}: {said:?}\n{text}\n{:?}", formula.says);
            match said.word {
                "proved" => agreed.proved += 1,
                "refuted" => agreed.refuted += 1,
                _ => {
                    assert!(!said.why.is_empty(), "{said:?}");
                    agreed.unknown += 1;
                }
            }
            agreed.runs += usize::from(!said.steps.is_empty());
        }
    }
    println!("{agreed:?}");
    // What cannot fail shows nothing.
    assert!(agreed.proved > 0 && agreed.refuted > 0 && agreed.runs > 0, "{agreed:?}");
}
