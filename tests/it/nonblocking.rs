//! Filling that blocks nothing: proofs, runs that lead to where something is blocked, and what is inferred of what can
//! be reached.

use crate::common::check_text;
use crate::common::said::{evidence, reason};
use pnetc::generate::Unwatched;
use pnetc::outcome::{Evidence, Outcome};
use pnetc::verify::{self, ModelOptions};

const PIPE: &str = "
    action push(Int), pop(Int), put(Int), get(Int);

    interface Producer { push(Int) }
    interface Consumer { pop(Int) }
    interface Store { put(Int), get(Int) }

    net Pipe(P: Producer, Q: Consumer, B: Store) {
        <P: push(x), B: put(x)> -> push(x);
        <B: get(x),  Q: pop(x)> -> pop(x);
        <B: tau>                -> tau;
    }

    process One {
        var m: Int = 0;
        init state empty;
        state full;

        empty -> full  : put(?x) do m := x;
        full  -> empty : get(m);
    }

    process Picky {
        var m: Int = 0;
        init state empty;
        state full;

        empty -> full  : put(?x) do m := x;
        full  -> empty : get(m) when m != 7;
    }

    process Counting<step: Int> {
        var k: Int = 0;
        init state s;

        s -> s : push(k) do k := k + step;
    }

    process Ending {
        var k: Int = 1;
        init state s;

        s -> s : push(k) when k < 4 do k := k + 2;
    }

    process Sink { init state s; s -> s : pop(_); }

    net Halfway(P: Producer) = Pipe(P, Sink, One);
";

/// The outcomes of checks about pipes.
fn outcomes(checks: &str) -> Vec<Outcome> {
    let checked = check_text(format!("{PIPE}\n{checks}"));
    let errors: Vec<&str> = checked.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert!(!checked.has_errors(), "{errors:?}");
    let options = ModelOptions::default();
    let run = |check| verify::run(&checked, check, &options, &Unwatched).unwrap();
    checked.program.checks.iter().map(run).collect()
}

fn words(checks: &str) -> Vec<&'static str> {
    outcomes(checks).iter().map(|outcome| outcome.verdict.word()).collect()
}

#[test]
fn what_takes_everything_blocks_nothing() {
    let checks = "check nonblocking(Pipe(B: One));
        check nonblocking(Pipe(P: Counting<1>, B: One));
        check nonblocking(Pipe(Counting<1>, Sink, One));
        check nonblocking(Halfway);
        check nonblocking(Halfway(P: Counting<1>));
        check not nonblocking(Halfway(P: Counting<1>));";
    assert_eq!(words(checks), ["proved", "proved", "proved", "proved", "proved", "refuted"]);
}

/// Where nothing is filled, nothing is blocked, and the answer says why.
#[test]
fn nothing_is_filled() {
    let found = outcomes("check nonblocking(Pipe); check nonblocking(One);");
    for outcome in found {
        assert_eq!(outcome.verdict.word(), "proved");
        assert_eq!(reason(&outcome), "no hole is filled, so nothing can be blocked");
    }
}

#[test]
fn a_run_leads_to_where_it_is_blocked() {
    let found = outcomes("check nonblocking(Pipe(B: Picky));");
    assert_eq!(reason(&found[0]), "it can be blocked after one step");
    let Evidence::Run(found_run) = &found[0].evidence else { panic!("a run") };
    assert_eq!(found_run.steps.len(), 1);
    let run = evidence(&found[0]);
    let lines: Vec<&str> = run.lines().collect();
    assert_eq!(lines[0], "1. `push(7)`, empty to full while `P` does `push(7)`");
    assert!(lines[1].starts_with("     by the vector in line "), "{run}");
    assert!(lines[2].starts_with("     with B.m := 7"), "{run}");
    assert!(lines[3].starts_with("2. in full, with its holes open, `Pipe` could do "), "{run}");
    assert!(found[0].found.is_empty());
}

#[test]
fn a_long_run() {
    let found = outcomes("check nonblocking(Pipe(Ending, Sink, One));");
    assert_eq!(reason(&found[0]), "it can be blocked after 4 steps");
    let found = outcomes("check nonblocking(Pipe(Counting<1>, Sink, Picky));");
    assert_eq!(reason(&found[0]), "it can be blocked after 15 steps");
}

/// `k` counts 0, 2, 4, … and never is 7: rounds alone would go down for ever.
#[test]
fn what_can_be_reached_is_inferred() {
    let found = outcomes("check nonblocking(Pipe(Counting<2>, Sink, Picky));");
    assert_eq!(found[0].verdict.word(), "proved", "{:?}", found[0].verdict);
    assert!(matches!(found[0].evidence, Evidence::Predicate(_)), "{found:?}");
    let predicate = evidence(&found[0]);
    assert!(predicate.contains("k >= 0"), "{predicate}");
    assert!(!found[0].found.is_empty());
}
