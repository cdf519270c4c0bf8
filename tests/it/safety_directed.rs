//! Directed search: runs that are too long for others, and what is called hopeless.

use pnetc::base::Unwatched;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::naive::Interpreter;
use pnetc::model::Wanted;
use pnetc::safety::{Bad, Directed, Engine, Found, Problem};
use pnetc::simulate::follow;

use crate::common::check_text;

/// How many steps the run has that is found, and how many configurations were met; no steps where none is found.
fn searched(text: &str, most: usize) -> (Option<usize>, usize) {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let check = checked.checks()[0];
    let options = ElaborateOptions::default();
    let net = checked.net(Wanted::Instance(check, &check.nets[0]), &options).unwrap();
    let asked = check.property.as_ref();
    let property = asked.map(|expr| {
        checked.property((expr, check.locals.as_slice(), &[]), &net, &options).unwrap()
    });
    let bad = property.as_ref().map_or(Bad::Stuck, Bad::Fails);
    let problem = Problem::new(&net, bad).unwrap();
    let (found, effort) = Directed { most }.solve(&problem, &Unwatched);
    let Found::Reached(run) = found else { return (None, effort.nodes) };
    let interpreter = Interpreter::new(&net, run.domains.clone());
    let steps = follow(&interpreter, &run.path).unwrap();
    let last = run.path.last().unwrap();
    match &property {
        Some(property) => assert_eq!(interpreter.holds(last, property), Ok(Some(false))),
        None => assert_eq!(interpreter.can_step(last), Ok(false)),
    }
    (Some(steps.len()), effort.nodes)
}

fn family(name: &str, check: &str) -> String {
    let path = format!("{}/examples/safety/{name}.pnet", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let model: String =
        text.lines().filter(|line| !line.starts_with("check ")).collect::<Vec<_>>().join("\n");
    format!("{model}\ncheck {check};")
}

/// Four times as many steps as servers, three more, and forty interactions to choose from at each.
#[test]
fn a_long_run_is_found() {
    let text = family("quorum", "always(QuorumUnsafe<5>, O in two => O.a == O.b)");
    let (steps, met) = searched(&text, 20_000);
    assert_eq!(steps, Some(23));
    assert!(met < 20_000);
}

/// A counter has to go far before anything happens.
#[test]
fn numbers_are_counted() {
    let text = "action up, down, jump; process A { var n: Int = 0; init state s; state bad;
            s -> s : up do n := n + 1; s -> s : down do n := n - 1; s -> bad : jump when n == 300; }
        net S { sub B[i: 0..6] = A; <B[i]: up> -> up for i in 0..6; <B[i]: down> -> down for i in 0..6;
            <B[i]: jump> -> jump for i in 0..6; }
        check always(S, not B[4] in bad);";
    assert_eq!(searched(text, 100_000).0, Some(301));
}

/// What cannot be undone is not gone into: no configuration is kept from which nothing bad can be reached.
#[test]
fn what_is_hopeless_is_left() {
    let text = "action up, lose; process A { var n: Int = 0; var lost: Bool = false; init state s; state bad;
            s -> s : up do n := n + 1; s -> s : lose do lost := true;
            s -> bad : up when n == 30 and not lost; }
        check always(A, not A in bad);";
    let (steps, met) = searched(text, 10_000);
    assert_eq!(steps, Some(31));
    assert!(met <= 40, "{met} were kept");
}

/// Where nothing is bad, nothing is found, and where something is stuck it is.
#[test]
fn nothing_is_made_up() {
    let safe = "action up; process A { var n: 0..50 = 0; init state s; state bad;
            s -> s : up do n := (n + 1) mod 50; s -> bad : up when n == 50; }
        check always(A, not A in bad);";
    assert_eq!(searched(safe, 10_000).0, None);
    let stuck = "action up; process A { var n: 0..50 = 0; init state s; s -> s : up when n < 49 do n := n + 1; }
        check deadlock_free(A);";
    assert_eq!(searched(stuck, 10_000).0, Some(49));
}

/// Steps that a run can do without are left out of it.
#[test]
fn runs_have_no_needless_steps() {
    let text = "action a, b, c; data K { One, Two, Three }
        process A { var k: K = One; init state s; state t; s -> s : a do k := Two; s -> s : b do k := Three;
            s -> s : c do k := One; s -> t : b when k is Three; }
        check always(A, not A in t);";
    assert_eq!(searched(text, 1_000).0, Some(2));
}
