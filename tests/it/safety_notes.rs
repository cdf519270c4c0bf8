//! What is to be known about answers to questions of safety: what is so from the beginning, and what holes have to do
//! with it.

use pnetc::explore::EngineChoice;
use pnetc::outcome::{HoleAction, Note, Outcome, Reason, Verdict};
use pnetc::verify::{self, ModelOptions};

use crate::common::check_text;
use crate::common::patience::Patience;
use crate::common::said::reason;

const ENGINES: [EngineChoice; 8] = [
    EngineChoice::Auto,
    EngineChoice::Explicit,
    EngineChoice::Symbolic,
    EngineChoice::Bounded,
    EngineChoice::Induction,
    EngineChoice::Abstraction,
    EngineChoice::AbstractionFull,
    EngineChoice::Horn,
];

/// What an engine says about the checks of a model.
fn answers(text: &str, engine: EngineChoice) -> Vec<Outcome> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let mut options = ModelOptions::default();
    options.explore.engine = engine;
    let run = |check| verify::run(&checked, check, &options, &Patience::default()).unwrap();
    checked.program.checks.iter().map(run).collect()
}

/// Whoever is asked, also those that never look for runs.
#[test]
fn what_is_so_from_the_beginning_is_said_by_all_engines_alike() {
    let text = "action up;
        process A { var n: Int = 3; init state s; s -> s : up do n := n + 1; }
        process B { var n: Int = 3; init state s; s -> s : up when n < 3; }
        check always(A, n > 3);
        check reaches(A, n == 3);
        check deadlock_free(B);";
    for engine in ENGINES {
        let found = answers(text, engine);
        let [fails, reached, stuck] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(fails.verdict, Verdict::Refuted, "{engine:?}: {fails:?}");
        assert_eq!(
            reason(fails),
            "it is already false where the net begins, before any step",
            "{engine:?}"
        );
        assert_eq!(reached.verdict, Verdict::Proved, "{engine:?}: {reached:?}");
        assert_eq!(
            reason(reached),
            "it is already true where the net begins, before any step",
            "{engine:?}"
        );
        assert_eq!(stuck.verdict, Verdict::Refuted, "{engine:?}: {stuck:?}");
        assert_eq!(reason(stuck), "it is stuck where it begins, before any step", "{engine:?}");
    }
}

/// A step is not the beginning.
#[test]
fn what_needs_a_step_is_not_said_to_be_so_from_the_beginning() {
    let text = "action up; process A { var n: Int = 3; init state s; s -> s : up do n := n + 1; }
        check always(A, n == 3);";
    let found = answers(text, EngineChoice::Bounded);
    assert_eq!(found[0].reason, Reason::PropertyFails { steps: 1 });
}

const CELL: &str = "action put(Int), get, poke; interface Source { put(Int), poke }
    process Cell { var n: Int = 0; init state empty; state full;
        empty -> full : put(?x) do n := x;
        empty -> full : poke do n := -1;
        full -> empty : get; }
    ";

fn of_cell(more: &str, engine: EngineChoice) -> Vec<Outcome> {
    answers(&format!("{CELL}{more}"), engine)
}

#[test]
fn a_refutation_says_which_hole_did_what() {
    let net = "net Open(P: Source, Q: Source) { sub C = Cell;
        <P: put(x), C: put(x)> -> put(x) when x >= 0; <Q: poke, C: poke> -> poke; <C: get> -> get; <P: tau> -> tau; }";
    let found = of_cell(&format!("{net} check always(Open, C.n >= 0);"), EngineChoice::Bounded);
    let action = HoleAction { hole: "Q".to_owned(), action: "poke".to_owned(), step: 1 };
    assert_eq!(found[0].notes, [Note::HolesDid { does: vec![action] }]);
    // Where only the net itself is to blame, nobody else is named.
    let alone = "net Alone(P: Source) { sub C = Cell; <C: poke> -> poke; <P: tau> -> tau; }";
    let found = of_cell(&format!("{alone} check always(Alone, C.n >= 0);"), EngineChoice::Bounded);
    assert_eq!((found[0].verdict, found[0].notes.as_slice()), (Verdict::Refuted, &[][..]));
}

#[test]
fn what_cannot_be_proved_says_what_a_hole_can_do() {
    let net = "net Open(P: Source) { sub C = Cell; <P: put(x), C: put(x)> -> put(x); <C: get> -> get; }
        net Guarded(P: Source) { sub C = Cell; <P: put(x), C: put(x)> -> put(x) when x < 5; <C: get> -> get; }
        check always(Open, C.n >= 0);
        check always(Guarded, C.n >= 0);
        check always(Open, C in empty);";
    let found = of_cell(net, EngineChoice::Induction);
    assert!(found.iter().all(|outcome| outcome.verdict == Verdict::Unknown), "{found:?}");
    let given = Note::HoleGives {
        hole: "P".to_owned(),
        action: "put(x)".to_owned(),
        variable: "C.n".to_owned(),
    };
    assert_eq!(found[0].notes, [given]);
    assert!(found[1].notes.is_empty(), "there is a guard: {:?}", found[1].notes);
    assert!(found[2].notes.is_empty(), "nothing is said of it: {:?}", found[2].notes);
}

#[test]
fn freedom_from_deadlocks_says_what_it_means_for_fillings() {
    let nets = "net Goes(P: Source) { sub C = Cell; <P: put(x), C: put(x)> -> put(x); <C: get> -> get; <P: tau> -> tau; }
        net Waits(P: Source) { sub C = Cell; <P: put(x), C: put(x)> -> put(x); <P: tau> -> tau; }
        process Closed { init state s; s -> s : get; }
        check deadlock_free(Goes);
        check deadlock_free(Waits);
        check deadlock_free(Closed);";
    for engine in [EngineChoice::Auto, EngineChoice::Symbolic, EngineChoice::Induction] {
        let found = of_cell(nets, engine);
        assert!(found.iter().all(|outcome| outcome.verdict == Verdict::Proved), "{found:?}");
        assert_eq!(found[0].notes, [Note::ForFillings], "{engine:?}");
        let silent =
            Note::OnlySilent { holes: vec!["P".to_owned()], state: "full".to_owned(), steps: 1 };
        assert_eq!(found[1].notes, [Note::ForFillings, silent], "{engine:?}");
        assert!(found[2].notes.is_empty(), "{engine:?}: {:?}", found[2].notes);
    }
}

/// A component that counts for ever has always something to do, but what another one does is met all the same.
#[test]
fn who_counts_for_ever_hides_nothing() {
    let text = "action step, tick;
        process Other { var i: Int = 0; init state go; go -> go : step do i := i + 1; }
        process Clock { var n: Int = 0; init state go; go -> go : tick when n < 100 do n := n + 1; }
        net Both { sub S = Other; sub C = Clock; <S: step> -> step; <C: tick> -> tick; }
        check always(Both, C.n < 3);
        check always(Both, C.n < 50);
        check reaches(Both, C.n == 7);";
    let found = answers(text, EngineChoice::Explicit);
    let reasons: Vec<&Reason> = found.iter().map(|outcome| &outcome.reason).collect();
    let [near, far, reached] = reasons.as_slice() else { panic!("{found:?}") };
    assert!(matches!(near, Reason::PropertyFails { steps: 3 }), "{near:?}");
    assert!(matches!(far, Reason::PropertyFails { steps: 50 }), "{far:?}");
    assert!(matches!(reached, Reason::PropertyReached { steps: 7 }), "{reached:?}");
}
