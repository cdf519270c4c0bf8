//! Observers of formulas: a net with one gets to what is bad exactly if the formula does not hold, on random nets with finite data,
//! configuration by configuration; and what the engines for unbounded data find with them.
//!
//! `PNET_FUZZ` and `PNET_SEED` work as elsewhere.

use pnetc::base::{Budget, Unwatched};
use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::search::{Goal, SearchLimits, search};
use pnetc::explore::{Domains, Machine};
use pnetc::pnet::violations;
use pnetc::safety::{Bad, Bounded, Directed, Engine, Found, Horn, Induction, Problem, check};
use pnetc::smt::Limits;
use pnetc::temporal::{Decider, Observed};
use pnetc::verify::FIXPOINTS;

use crate::certificates::{Folder, pnet};
use crate::common::Random;
use crate::common::configurations::{Making, Whole};
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};

/// Whether what is claimed fails somewhere; nothing where there are too many configurations.
fn fails(observed: &Observed) -> Option<bool> {
    let interpreter = Interpreter::new(&observed.net, Domains::default());
    let initial = interpreter.initial().ok()?;
    let mut configurations: indexmap::IndexSet<_> = initial.configurations.into_iter().collect();
    let mut at = 0;
    while let Some(here) = configurations.get_index(at) {
        if interpreter.holds(here, &observed.claim).ok()? != Some(true) {
            return Some(true);
        }
        let steps = interpreter.steps(here).ok()?;
        if steps.limited || initial.limited || configurations.len() > 20_000 {
            return None;
        }
        configurations.extend(steps.steps.into_iter().map(|step| step.target));
        at += 1;
    }
    Some(false)
}

/// The same by the fast interpreter.
fn fails_quickly(observed: &Observed) -> Option<bool> {
    let machine = Compiled::new(&observed.net, &Domains::default());
    let asked = machine.property(&observed.claim).ok()?;
    let limits = SearchLimits { most_states: 50_000, jobs: 1, ..SearchLimits::default() };
    let searched = search(&machine, Goal::Property(&asked, false), &limits, &Unwatched).ok()?;
    let found = searched.sights.goal.is_some();
    (found || searched.is_complete()).then_some(found)
}

/// What an engine finds is true; whether it found something.
fn is_answered(observed: &Observed, engine: &dyn Engine, holds: bool) -> Result<bool, String> {
    let Ok(problem) = Problem::new(&observed.net, Bad::Fails(&observed.claim)) else {
        return Ok(false);
    };
    let found = {
        let _entered = Budget::of_work(300_000).enter();
        engine.solve(&problem, &Unwatched).0
    };
    let limits = Limits { milliseconds: 2_000 };
    match found {
        Found::Safe(invariant) if !holds => match check(&problem, &invariant, limits) {
            Ok(()) => Err(format!("{}: safe", engine.name())),
            Err(_) => Ok(false),
        },
        Found::Unsafe(_) | Found::Reached(_) if holds => Err(format!("{}: unsafe", engine.name())),
        Found::Open(_) => Ok(false),
        _ => Ok(true),
    }
}

#[test]
fn observers_see_what_fails() {
    let shapes = [
        Shape { ints: false, data: false, priorities: false, depth: 1, ..Shape::open() },
        Shape { ints: false, depth: 2, ..Shape::open() },
        Shape { ints: false, data: false, depth: 1, ..Shape::closed() },
    ];
    let engines: [&dyn Engine; 4] = [
        &Induction::default(),
        &Horn::default(),
        &Directed::default(),
        &Bounded { most_depth: 4, ..Bounded::default() },
    ];
    let (mut holding, mut failing, mut alone, mut without, mut answered) = (0, 0, 0, 0, 0);
    for seed in seeds(fuzz().unwrap_or(60)) {
        let random = &mut Random::new(seed);
        let text = nets::model(random, shapes[seed as usize % shapes.len()]);
        let Ok(net) = nets::accepted(&text) else { continue };
        if net.has_optional() {
            continue;
        }
        for _ in 0..8 {
            let mut making = Making::about(&net, random);
            let says = making.universal(4, &mut Vec::new());
            let formula = making.say.formula(says);
            let Some(observed) = Observed::new(&net, &formula) else {
                without += 1;
                continue;
            };
            let wrong = violations(&observed.net);
            assert!(wrong.is_empty(), "PNET_SEED={seed}: {wrong:?}\n{text}\n{:?}", formula.says);
            let Some((mut whole, explicit)) = Whole::of(&net, &formula) else { continue };
            let mut decider = Decider::new(&explicit, &mut whole, &formula.fair);
            let Ok(first) = decider.at_first(&formula.says) else { continue };
            let holds = first.iter().all(|holds| *holds);
            let Some(fails) = fails(&observed) else { continue };
            let label = format!("PNET_SEED={seed}\n{text}\n{:?}", formula.says);
            assert_eq!(holds, !fails, "{label}");
            if let Some(quickly) = fails_quickly(&observed) {
                assert_eq!(holds, !quickly, "fast: {label}");
            }
            // Engines take their time.
            let engine = engines[(holding + failing) % engines.len()];
            if (holding + failing) % 8 < engines.len() {
                match is_answered(&observed, engine, holds) {
                    Ok(is) => answered += usize::from(is),
                    Err(why) => panic!("{why}: {label}"),
                }
            }
            alone += usize::from(observed.observer.is_none());
            *if holds { &mut holding } else { &mut failing } += 1;
        }
    }
    let told = format!(
        "{holding} hold, {failing} fail, {alone} without an observer; {without} have another form; \
         engines answered {answered}"
    );
    println!("{told}");
    assert!(holding > 20 && failing > 20 && alone > 2 && answered > 20, "{told}");
}

/// A line on which messages with growing numbers go, some of which are lost.
const LINE: &str = "\
action send(Int), deliver(Int), lose;

process Sender {
    var n: Int = 0;
    init state go;

    go -> go : send(n) do n := n + 1;
}

process Channel {
    var x: Int = 0;
    init state empty;
    state full;

    empty -> full  : send(?m) do x := m;
    full  -> empty : deliver(x);
    full  -> empty : lose;
}

net Line {
    sub S = Sender;
    sub C = Channel;

    step sending:    <S: send(v), C: send(v)> -> send(v);
    step delivering: <C: deliver(v)> -> deliver(v);
    step losing:     <C: lose> -> tau;
}

";

fn verified(name: &str, engine: &str, checks: &str) -> (Folder, String) {
    let folder = Folder::new(&format!("observed-{name}-{engine}"));
    std::fs::write(folder.0.join("line.pnet"), format!("{LINE}{checks}")).unwrap();
    let (model, proofs) = (folder.0.join("line.pnet"), folder.0.join("proofs"));
    let (model, proofs) = (model.to_str().unwrap(), proofs.to_str().unwrap());
    let done =
        pnet(&["verify", model, "--engine", engine, "--certificate", proofs, "--color", "never"]);
    (folder, done.out + &done.err)
}

#[test]
fn observers_remember_what_a_formula_binds() {
    let checks = "\
check holds(Line, AG (after send(x) => A[not (deliver(y) and (y != x)) W send(_)]));
check holds(Line, AG (after deliver(x) => AG (C in full => C.x > x)));
check holds(Line, nu X(last: Int = -1). [deliver(x) and (x <= last)] false and [deliver(x)] X(x) and [not deliver(_)] X(last));
check holds(Line, AG (C in empty => [deliver(x) and (x >= 0)] false));
check holds(Line, AG (C in full => C.x + 1 == S.n));
check holds(Line, A[not delivering W sending]);
";
    for engine in ["horn", "induction"] {
        let (folder, out) = verified("binds", engine, checks);
        assert!(out.contains("6 checks: 6 proved"), "{out}");
        assert_eq!(out.matches("by an invariant of").count(), 6, "{out}");
        let model = folder.0.join("line.pnet");
        for solver in ["z3", "cvc5"] {
            let proofs = folder.0.join("proofs");
            let (proofs, model) = (proofs.to_str().unwrap(), model.to_str().unwrap());
            let done = pnet(&["recheck", proofs, model, "--solver", solver]);
            assert_eq!(done.status, 0, "{}{}", done.out, done.err);
            assert!(done.out.contains(" 0 contradicted, 0 unknown"), "{}", done.out);
        }
        // An invariant that says nothing is no proof, and what was changed is noticed.
        let place = folder.0.join("proofs/003").join(FIXPOINTS);
        let text = std::fs::read_to_string(&place).unwrap();
        let from = text.find("\"invariant\":[").unwrap();
        std::fs::write(&place, format!("{}\"invariant\":[]}}\n", &text[..from])).unwrap();
        let proofs = folder.0.join("proofs");
        let done = pnet(&["recheck", proofs.to_str().unwrap(), model.to_str().unwrap()]);
        assert_eq!(done.status, 2, "{}{}", done.out, done.err);
    }
}

/// What is said of all values of an empty range is so.
#[test]
fn observers_choose_nothing_of_empty_ranges() {
    let checks = "\
check holds(Line, forall i: 3..3 . AG false);
check holds(Line, forall i: 5..3 . AG (after send(x) => x != i));
";
    for engine in ["horn", "bounded", "auto"] {
        let (_, out) = verified("empty", engine, checks);
        assert!(out.contains("2 checks: 2 proved"), "{engine}: {out}");
    }
}

#[test]
fn runs_that_observers_find_are_those_of_the_net() {
    for engine in ["bounded", "directed", "horn"] {
        let checks = "\
check not holds(Line, A[not deliver(_) W send(3)]);
check not holds(Line, AG (after send(x) => x < 2));
check not holds(Line, AG (C in full => [deliver(x) and (x > 0)] false));
";
        let (_, out) = verified("runs", engine, checks);
        assert!(out.contains("3 checks: 3 proved"), "{engine}: {out}");
        assert!(out.contains("a run does otherwise, after 2 steps"), "{engine}: {out}");
        assert!(!out.contains("observe"), "{engine}: {out}");
    }
}
