//! Invariants: what they prove and what they do not, with the step that breaks them; and that those which are written
//! from terms can be put into the model.
use crate::common::explicit::{Explicit, World};
use crate::common::models::in_short;
use crate::common::nets::{self, Shape};
use crate::common::patience::Patience;
use crate::common::said::{Said, evidence};
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
use crate::common::{Random, check_text};
use pnetc::algebra::TermId;
use pnetc::diagnostics::Severity;
use pnetc::emit::{self, Locations, Names, Scope};
use pnetc::model::{Checked, Wanted};
use pnetc::outcome::{Evidence, Fails, Outcome, Verdict};
use pnetc::pnet::PNet;
use pnetc::verify::{self, ModelOptions};

/// Two customers with growing tickets.
const MUTEX: &str = include_str!("models/tickets.pnet");

fn sound(text: &str) -> Checked {
    let checked = check_text(text);
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let errors: Vec<String> = errors.map(|found| in_short(&checked, found)).collect();
    assert!(errors.is_empty(), "{}\n{text}", errors.join("\n"));
    checked
}

fn outcomes(text: &str) -> Vec<Outcome> {
    let checked = sound(text);
    let run = |check| {
        verify::run(&checked, check, &ModelOptions::default(), &Patience::default()).unwrap()
    };
    checked.program.checks.iter().map(run).collect()
}

/// What is said of the checks that are put behind the model of customers.
fn about(more: &str) -> Vec<Outcome> {
    outcomes(&format!("{MUTEX}\n{more}"))
}

/// The code and the message of the one error of a text.
fn error(more: &str) -> (&'static str, String) {
    let checked = check_text(format!("{MUTEX}\n{more}"));
    let mut errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let found = errors.next().expect("an error");
    assert!(errors.next().is_none(), "one error: {:?}", checked.diagnostics);
    (found.entry.code, found.message.clone())
}

const TICKETS: &str = "
invariant Tickets of Mutex<2> {
    forall i: 0..n . C[i] not in idle => D.serving <= C[i].number and C[i].number < D.next;
    forall i: 0..n . C[i] in critical => C[i].number == D.serving;
    C[0] not in idle and C[1] not in idle => C[0].number != C[1].number;
    D.next == D.serving + (if C[0] in idle then 0 else 1) + (if C[1] in idle then 0 else 1);
}
";

#[test]
fn an_invariant_proves_what_it_implies() {
    let found = about(&format!(
        "{TICKETS}
         check always(Mutex<2>, not (C[0] in critical and C[1] in critical)) by Tickets;
         check not reaches(Mutex<2>, C[0] in critical and C[1] in critical) by Tickets;
         check deadlock_free(Mutex<2>) by Tickets;
         check always(Mutex<2>, D.serving <= D.next) by Tickets;"
    ));
    for outcome in &found {
        assert_eq!(outcome.verdict, Verdict::Proved, "{outcome:?}");
        assert!(outcome.obligations.len() > 10);
    }
    let said = Said::from(&found[1]);
    assert!(matches!(&said, Said::Proved(why) if why.starts_with("it never is: the invariant")));
}

#[test]
fn a_claim_that_an_invariant_excludes_is_refuted() {
    let found = about(&format!(
        "{TICKETS}
         check reaches(Mutex<2>, C[0] in critical and C[1] in critical) by Tickets;
         check not always(Mutex<2>, D.serving <= D.next) by Tickets;"
    ));
    assert!(found.iter().all(|outcome| outcome.verdict == Verdict::Refuted), "{found:?}");
}

/// The one outcome of an invariant that is no proof, and how it fails.
#[track_caller]
fn broken(more: &str) -> (Fails, Said, String) {
    let found = about(more);
    let [outcome] = found.as_slice() else { panic!("one check: {found:?}") };
    assert_eq!(outcome.verdict, Verdict::Unknown, "never refuted: {outcome:?}");
    let Evidence::Broken(broken) = &outcome.evidence else { panic!("{outcome:?}") };
    (broken.fails, Said::from(outcome), evidence(outcome))
}

#[test]
fn what_is_not_inductive_shows_the_step() {
    let (fails, said, shown) = broken(
        "invariant Weak of Mutex<2> { forall i: 0..n . C[i] in critical => C[i].number == D.serving; }
         check always(Mutex<2>, not (C[0] in critical and C[1] in critical)) by Weak;",
    );
    assert_eq!(fails, Fails::Kept);
    let Said::Unknown(why) = said else { panic!("{said:?}") };
    assert!(
        why.starts_with("the invariant is not inductive: a step breaks `forall i: 0..n"),
        "{why}"
    );
    assert!(shown.contains("`left("), "who moves: {shown}");
    assert!(shown.contains("D.serving := "), "values: {shown}");
    assert!(shown.contains("`C[0]` in critical"), "where: {shown}");
    assert!(shown.contains("`C[1]` in critical"), "where: {shown}");
    assert!(shown.contains("may not be reachable"), "{shown}");
}

/// Of nine customers, the open automaton would be too large: the safety problem is asked.
#[test]
fn in_large_nets_the_step_is_shown_with_values_before_and_after() {
    let (fails, said, shown) = broken(
        "invariant Two of Mutex<9> { D.next >= 0; D.next <= 5; }
         check always(Mutex<9>, D.next >= 0) by Two;",
    );
    let why = "the invariant is not inductive: a step breaks `D.next <= 5`".to_owned();
    assert_eq!((fails, said), (Fails::Kept, Said::Unknown(why)));
    for wanted in [
        "say `D` in open with next = 5 and serving = 0",
        "and 8 more components as they begin",
        "it does `drawn(0, 5)`",
        "`C[0]` idle to waiting",
        "D.next := 6 (was 5), C[0].number := 5 (was 0)",
        "then `D.next <= 5`",
        "may not be reachable: then add a condition that excludes it",
    ] {
        assert!(shown.contains(wanted), "{wanted}\n{shown}");
    }
}

/// What is shown is a step of the net, as the plain interpreter makes it, from where the invariant holds to where it does not.
#[test]
fn what_breaks_an_invariant_of_a_large_net_is_a_step_of_it() {
    let found = about(
        "invariant Weak of Mutex<9> { forall i: 0..n . C[i] in critical => C[i].number == D.serving; }
         check always(Mutex<9>, not (C[0] in critical and C[1] in critical)) by Weak;",
    );
    let Evidence::Broken(broken) = &found[0].evidence else { panic!("{:?}", found[0]) };
    let value = |what: &str| -> i64 {
        let (path, name) = what.rsplit_once('.').unwrap();
        let component = broken.components.iter().find(|one| one.path == path).expect(what);
        let all = &component.variables;
        all.iter().find(|one| one.what == name).expect(what).value.text.parse().unwrap()
    };
    let inside: Vec<&str> = broken
        .components
        .iter()
        .filter(|one| one.state == "critical")
        .map(|one| one.path.as_str())
        .collect();
    assert!(inside.len() > 1, "two are inside: {broken:?}");
    for path in &inside {
        assert_eq!(value(&format!("{path}.number")), value("D.serving"), "it holds: {broken:?}");
    }
    let step = broken.step.as_ref().unwrap();
    let change = step.changes.iter().find(|one| one.variable == "D.serving").expect("a change");
    assert_eq!(change.after.text.parse::<i64>().unwrap(), value("D.serving") + 1);
}

#[test]
fn a_configuration_that_the_net_begins_in_is_called_so() {
    let small = |size: u32| {
        format!(
            "invariant Short of Mutex<{size}> {{ D.serving >= 0; }}
             check always(Mutex<{size}>, D.serving >= 1) by Short;"
        )
    };
    for size in [2, 9] {
        let (fails, _, shown) = broken(&small(size));
        assert_eq!(fails, Fails::Implies);
        assert!(
            shown.contains("the net begins like this: the property does not always hold"),
            "{shown}"
        );
        assert!(!shown.contains("may not be reachable"), "{shown}");
    }
}

/// What a configuration that the invariant allows says is said of the property: of `reaches`, it makes the claim true.
#[test]
fn what_begins_reached_does_not_make_its_claim_false() {
    let (fails, _, shown) = broken(
        "invariant Short of Mutex<2> { D.serving >= 0; }
         check reaches(Mutex<2>, D.serving == 0) by Short;",
    );
    assert_eq!(fails, Fails::Excludes);
    assert!(shown.contains("the net begins like this: the property is reached"), "{shown}");
}

#[test]
fn the_first_condition_that_breaks_is_named() {
    let (fails, said, shown) = broken(
        "invariant Two of Mutex<2> { D.next >= 0; D.next <= 5; D.serving >= 0; }
         check always(Mutex<2>, D.next >= 0) by Two;",
    );
    let why = "the invariant is not inductive: a step breaks `D.next <= 5`".to_owned();
    assert_eq!((fails, said), (Fails::Kept, Said::Unknown(why)));
    assert!(shown.contains("D.next := 6 (was 5)"), "{shown}");
}

#[test]
fn what_fails_at_first_shows_the_values() {
    let (fails, said, shown) = broken(
        "invariant First of Mutex<2> { D.next >= 0; D.next > 0; }
         check always(Mutex<2>, D.next >= 0) by First;",
    );
    let why = "the invariant does not hold at first: `D.next > 0` is false".to_owned();
    assert_eq!((fails, said), (Fails::First, Said::Unknown(why)));
    assert!(shown.starts_with("at first, `D` in open with next = 0 and serving = 0"), "{shown}");
    assert!(!shown.contains("may not be reachable"), "it is: {shown}");
}

#[test]
fn what_does_not_imply_the_claim_shows_a_configuration() {
    let short = "invariant Short of Mutex<2> { D.serving >= 0; }\n";
    let said = |check: &str| broken(&format!("{short}{check}"));
    let (fails, _, shown) = said("check always(Mutex<2>, D.serving >= 1) by Short;");
    assert_eq!(fails, Fails::Implies);
    assert!(shown.contains("serving = 0"), "{shown}");
    let (fails, ..) = said("check not reaches(Mutex<2>, D.serving >= 7) by Short;");
    assert_eq!(fails, Fails::Excludes);
    let (fails, _, shown) = said("check deadlock_free(Mutex<2>) by Short;");
    assert_eq!(fails, Fails::Deadlock);
    assert!(shown.contains("it can do nothing"), "{shown}");
    let (fails, ..) = said("check always(Mutex<2>, 1 div D.serving >= 0) by Short;");
    assert_eq!(fails, Fails::Value);
}

#[test]
fn symbolic_constants_have_the_values_that_break_it() {
    let text = "
        const MOST: Int;
        axiom MOST >= 2;
        action tick;
        process Counter {
            var n: Int = 0;
            init state s;
            s -> s : tick when n < MOST do n := n + 1;
        }
        invariant Low of Counter { n <= MOST; }
        invariant Bad of Counter { n <= 2; }
        check always(Counter, n <= MOST) by Low;
        check always(Counter, n <= MOST) by Bad;
    ";
    let found = outcomes(text);
    assert_eq!(found[0].verdict, Verdict::Proved);
    assert_eq!(found[1].verdict, Verdict::Unknown);
    let shown = evidence(&found[1]);
    assert!(shown.contains("with MOST = 3"), "{shown}");
    assert!(shown.contains("n := 3 (was 2)"), "{shown}");
}

#[test]
fn an_invariant_of_an_open_net_holds_for_every_filling() {
    let text = "
        action put(Int), take;
        interface Source { put(Int) }
        process Sum {
            var total: Int = 0;
            init state s;
            s -> s : put(?x) when x >= 0 do total := total + x;
        }
        net Adds(P: Source) {
            sub S = Sum;
            <P: put(x), S: put(x)> -> put(x);
        }
        invariant Grows of Adds { S.total >= 0; }
        check always(Adds, S.total >= 0) by Grows;
        invariant Small of Adds { S.total >= 0; S.total < 9; }
        check always(Adds, S.total >= 0) by Small;
    ";
    let found = outcomes(text);
    assert_eq!(found[0].verdict, Verdict::Proved);
    assert_eq!(found[1].verdict, Verdict::Unknown);
    let shown = evidence(&found[1]);
    assert!(shown.contains("while `P` does `put("), "what the hole did: {shown}");
}

#[test]
fn proofs_of_another_kind_are_errors() {
    let relation = "relation Same(Mutex<2>, Mutex<2>) { (open.idle.idle, open.idle.idle); }\n";
    let (code, message) = error(&format!("{relation}check deadlock_free(Mutex<2>) by Same;"));
    assert_eq!(code, "T0136");
    assert_eq!(message, "`deadlock_free` is proved by an invariant, and `Same` is a relation");
    let (code, message) =
        error(&format!("{TICKETS}check bisimilar(Mutex<2>, Mutex<2>) by Tickets;"));
    assert_eq!(code, "T0136");
    assert_eq!(message, "`bisimilar` is proved by a relation, and `Tickets` is an invariant");
    let reduction = "reduction Parts of Mutex<2> { root branching; }\n";
    let (code, message) =
        error(&format!("{reduction}check weakly_refines(Mutex<2>, Mutex<2>) by Parts;"));
    assert_eq!(code, "T0139");
    assert_eq!(message, "`Parts` preserves `branching`, which does not settle `weakly_refines`");
    assert_eq!(error(&format!("{TICKETS}check terminates(Mutex<2>) by Tickets;")).0, "T0130");
    assert_eq!(error(&format!("{TICKETS}check live(Mutex<2>, _) by Tickets;")).0, "T0130");
    let tracking = "check always(Mutex<2>, true) by Tickets tracking { P };";
    assert_eq!(error(&format!("{TICKETS}{tracking}")).0, "T0130");
}

#[test]
fn invariants_of_other_nets_are_errors() {
    let (code, message) =
        error(&format!("{TICKETS}check always(Mutex<3>, D.next >= 0) by Tickets;"));
    assert_eq!(code, "T0137");
    assert_eq!(
        message,
        "`Tickets` is an invariant of `Mutex<2>`, and the check is about `Mutex<3>`"
    );
    // Another way to write the same values is the same net.
    let same = "const TWO: Int = 2;
                invariant I of Mutex<TWO> { D.next >= 0; }
                check always(Mutex< TWO >, D.next >= 0) by I;";
    assert_eq!(about(same)[0].verdict, Verdict::Proved);
    // What a constant stands for can be set.
    let set = "const TWO: Int = 2;
               invariant I of Mutex<2> { D.next >= 0; }
               check always(Mutex<TWO>, D.next >= 0) by I;";
    assert_eq!(error(set).0, "T0137");
}

#[test]
fn names_are_those_of_properties() {
    let of = |condition: &str| format!("invariant I of Mutex<2> {{ {condition}; }}");
    assert_eq!(error(&of("D.nexxt >= 0")).0, "N0215");
    assert_eq!(error(&of("C[0] in waitin")).0, "N0207");
    assert_eq!(error(&of("C in waiting")).0, "T0128");
    assert_eq!(error(&of("D.next")).0, "T0101");
    assert_eq!(error("invariant I of Mutx<2> { D.next >= 0; }").0, "N0205");
    assert_eq!(error(&format!("{TICKETS}check deadlock_free(Mutex<2>) by Tickkets;")).0, "N0211");
    assert_eq!(error(&format!("{TICKETS}invariant Tickets of Mutex<2> {{ }}")).0, "N0301");
}

#[test]
fn the_word_is_a_name_elsewhere() {
    let text = "
        action invariant(Int), of;
        process of {
            var invariant: Int = 0;
            init state s;
            s -> s : invariant(invariant) do invariant := invariant + 1;
        }
        invariant invariant of of { invariant >= 0; of in s; }
        check always(of, invariant >= 0) by invariant;
    ";
    assert_eq!(outcomes(text)[0].verdict, Verdict::Proved);
}

// ---- writing ----

/// The one net that is checked, with conditions on it as terms over its variables and where its leaves are.
fn written_from(text: &str, net: &str, conditions: &[String]) -> (String, usize) {
    let item = emit::invariant_item("Given", net, conditions);
    let checked = sound(&format!("{text}\n{item}\ncheck deadlock_free({net}) by Given;\n"));
    let options = ModelOptions::default();
    let check = checked.program.checks.last().expect("the check");
    let built = checked.net(Wanted::Instance(check, &check.nets[0]), &options.elaborate).unwrap();
    let invariant = checked.program.invariants.last().expect("the invariant");
    let locals = invariant.locals.as_slice();
    let mut lines = Vec::new();
    for condition in &invariant.conditions {
        let lowered = (&condition.holds, locals, &[][..]);
        let property = checked.property(lowered, &built, &options.elaborate).unwrap();
        lines.push(line(&built, &property, property.says));
    }
    (emit::invariant_item("Given", net, &lines), lines.len())
}

/// A condition as it is written from its term.
fn line(net: &PNet, property: &pnetc::explore::Property, says: TermId) -> String {
    let names = emit::paths(net);
    let scope = Scope { algebra: &net.algebra, terms: &property.terms, names: Some(&names) };
    let locations = Locations::of(net, property.locations.iter().copied());
    let declared = Names::seen(&net.algebra, |_| None);
    let item = emit::invariant(scope, &declared, &locations, ("Given", "S"), &[says]);
    let inside = item.strip_prefix("invariant Given of S {\n    ").expect("the head");
    inside.strip_suffix(";\n}\n").expect("one condition").to_owned()
}

/// The conditions of an item, one on each line.
fn conditions_of(item: &str) -> Vec<String> {
    item.lines().filter_map(|line| Some(line.trim().strip_suffix(';')?.to_owned())).collect()
}

/// Conditions that are written from their terms can be read, and are written in the same words from then on: `P not in s or
/// e` may become `P in s => e` once.
fn says_the_same(text: &str, net: &str, conditions: &[String]) -> String {
    let (once, _) = written_from(text, net, conditions);
    let (twice, _) = written_from(text, net, &conditions_of(&once));
    let (again, _) = written_from(text, net, &conditions_of(&twice));
    assert_eq!(twice, again, "{once}");
    once
}

#[test]
fn what_is_written_from_terms_can_be_pasted() {
    let conditions = [
        "forall i: 0..n . C[i] in critical => C[i].number == D.serving",
        "C[0] in { waiting, critical } or D.next > 0",
        "C[0] not in idle and C[1] not in { idle, waiting }",
        "not (C[0] in waiting and C[1] in critical) or C[0].number != C[1].number",
        "not (C[0] in waiting and C[1] in idle) or not (D.next < 0) or D.serving != 2",
        "(C[0] in idle) == (C[1] in idle)",
        "D.next == D.serving + (if C[0] in idle then 0 else 1)",
        "forall next: 0..3 . D.next != next or C[0] in idle",
    ];
    let conditions = conditions.map(str::to_owned);
    let text = says_the_same(MUTEX, "Mutex<2>", &conditions);
    let expected = [
        "invariant Given of Mutex<2> {",
        "    (C[0] in critical => C[0].number == D.serving) and (C[1] in critical => C[1].number == D.serving);",
        "    C[0] not in idle or 0 < D.next;",
        "    C[0] not in idle and C[1] in critical;",
        "    C[0] in waiting and C[1] in critical => C[0].number != C[1].number;",
        "    C[0] in waiting and C[1] in idle => D.next >= 0 or D.serving != 2;",
    ];
    for line in expected {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let used = format!("{MUTEX}\n{text}\ncheck deadlock_free(Mutex<2>) by Given;");
    assert_eq!(outcomes(&used).len(), 1);
}

#[test]
fn an_invariant_written_from_terms_proves_what_it_was_written_for() {
    let conditions: Vec<String> = TICKETS
        .lines()
        .filter_map(|line| Some(line.trim().strip_suffix(';')?.to_owned()))
        .collect();
    assert_eq!(conditions.len(), 4);
    let text = says_the_same(MUTEX, "Mutex<2>", &conditions);
    let found = about(&format!(
        "{text}
         check always(Mutex<2>, not (C[0] in critical and C[1] in critical)) by Given;
         check deadlock_free(Mutex<2>) by Given;"
    ));
    assert!(found.iter().all(|outcome| outcome.verdict == Verdict::Proved), "{text}\n{found:?}");
}

#[test]
fn a_process_by_itself_is_named() {
    let text = "action tick; process Clock { var n: Int = 0; init state a; state b;
                a -> b : tick; b -> a : tick do n := n + 1; }";
    let conditions = ["Clock in a or Clock in b and n >= 0".to_owned()];
    let written = says_the_same(text, "Clock", &conditions);
    assert!(written.contains("Clock in a or Clock in b and 0 <= n"), "{written}");
}

// ---- random models ----

#[derive(Default, Debug)]
struct Tally {
    proved: usize,
    broken: usize,
    unknown: usize,
    written: usize,
}

/// For each leaf, by path and state, whether the interpreter got there.
fn seen(net: &PNet) -> Option<Vec<(String, String, bool)>> {
    let world = World::of(net);
    let explicit = Explicit::new(net, &world);
    let reached = explicit.reachable(150).ok()?;
    let mut states = Vec::new();
    for (leaf, (path, id)) in explicit.leaves().iter().enumerate() {
        for (at, state) in net.plts[*id].states.iter().enumerate() {
            let there = reached.configs.iter().any(|(config, _)| config.states[leaf] == at);
            states.push((path.clone(), state.name.to_string(), there));
        }
    }
    Some(states)
}

/// An invariant never proves what the interpreter sees to be false, and is written as it was.
fn compared(text: &str, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let Ok(net) = nets::accepted(text) else { return Ok(()) };
    let Some(seen) = seen(&net) else { return Ok(()) };
    let name = net.name.to_string();
    let away = |(path, state, _): &(String, String, bool)| {
        format!("{} not in {state}", if path.is_empty() { &name } else { path })
    };
    let never: Vec<String> = seen.iter().filter(|(.., there)| !there).map(away).collect();
    for claim in &seen {
        let mut conditions: Vec<String> = match claim.2 {
            true => vec![away(claim)],
            false => never.clone(),
        };
        if random.one_in(3) {
            conditions.push(format!(
                "{} or {}",
                away(random.pick(&seen)),
                away(random.pick(&seen))
            ));
        }
        let item = emit::invariant_item("I", &name, &conditions);
        let question = format!("check always({name}, {}) by I;", away(claim));
        let checked = check_text(format!("{text}\n{item}{question}\n"));
        if checked.has_errors() {
            continue;
        }
        let Some(check) = checked.program.checks.last() else { continue };
        let outcome =
            verify::run(&checked, check, &ModelOptions::default(), &Patience::default()).unwrap();
        match (outcome.verdict, &outcome.evidence) {
            (Verdict::Proved, _) if claim.2 => {
                return Err(format!("{item}{question} is proved, and the interpreter gets there"));
            }
            (Verdict::Refuted, _) => return Err(format!("{item}{question} is refuted")),
            (Verdict::Proved, _) => tally.proved += 1,
            (Verdict::Unknown, Evidence::Broken(_)) => tally.broken += 1,
            (Verdict::Unknown, _) => tally.unknown += 1,
        }
        if random.one_in(4) {
            says_the_same(text, &name, &conditions);
            tally.written += 1;
        }
    }
    Ok(())
}

#[test]
fn random_invariants_prove_nothing_that_is_false() {
    let (count, mut tally) = (fuzz().unwrap_or(20), Tally::default());
    let mut failures = Vec::new();
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), Shape::closed());
        let label = format!("invariants, PNET_SEED={seed}");
        let found = shrink::tried(&label, &text, |text| {
            compared(text, &mut Random::new(seed), &mut Tally::default())
        });
        match found {
            Ok(()) => compared(&text, &mut Random::new(seed), &mut tally).unwrap(),
            Err(why) => failures.push(why),
        }
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(tally.proved > 0 && tally.broken > tally.unknown && tally.written > 5, "{tally:?}");
}
