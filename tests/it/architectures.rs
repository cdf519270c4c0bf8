//! Architectures: what is proved for every unfolding, what is refuted and by which, and that unfoldings are the nets that
//! people would have written.

use pnetc::base::{Budget, Unwatched};
use pnetc::diagnostics::Severity;
use pnetc::model::{Checked, ModelOptions};
use pnetc::outcome::{Note, Outcome, Reason, Verdict};
use pnetc::parametric::search::{Searched, search};
use pnetc::parametric::{
    PatternGoal, PatternInstance, PlainSearch, SizesLimits, SizesVerdict, SystemPattern,
    Unfoldings, decide, profiles,
};
use pnetc::verify;

use crate::common::Random;
use crate::common::patterns::random::random;
use crate::common::patterns::text;
use crate::common::seeds::{fuzz, seeds};
use crate::common::sources::{MODEL, Memory, check};

fn checked(text: &str) -> Checked {
    let checked = check(&Memory::file(MODEL, text), MODEL);
    assert!(!checked.has_errors(), "{text}\n{:?}", checked.diagnostics);
    checked
}

fn outcomes(text: &str) -> Vec<Outcome> {
    let checked = checked(text);
    let options = ModelOptions::default();
    let run = |check| verify::run(&checked, check, &options, &Unwatched).unwrap();
    checked.checks().into_iter().map(run).collect()
}

/// What is said of a claim: by which invariants it is proved, or which unfolding refutes it after how many steps.
fn told(outcome: &Outcome) -> String {
    let verdict = match outcome.verdict {
        Verdict::Proved => "proved",
        Verdict::Refuted => "refuted",
        Verdict::Unknown => "unknown",
    };
    let why = match (&outcome.reason, outcome.notes.first()) {
        (Reason::EverySize { invariants, .. }, _) => invariants.join(", "),
        (_, Some(Note::Unfolding { name })) => name.clone(),
        (reason, _) => format!("{reason:?}"),
    };
    format!("{verdict} {why}")
}

fn answers(text: &str) -> Vec<String> {
    outcomes(text).iter().map(told).collect()
}

/// An example, with other checks.
fn asked(example: &str, checks: &str) -> Vec<String> {
    let path = format!("{}/examples/architectures/{example}.pnet", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let model: Vec<&str> = text.lines().filter(|line| !line.starts_with("check ")).collect();
    answers(&format!("{}\n{checks}", model.join("\n")))
}

/// An example with another text for one.
fn planted(example: &str, (from, to): (&str, &str), checks: &str) -> Vec<String> {
    let path = format!("{}/examples/architectures/{example}.pnet", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let model: Vec<&str> = text.lines().filter(|line| !line.starts_with("check ")).collect();
    let model = model.join("\n");
    assert!(model.contains(from), "`{from}` is not in {example}");
    answers(&format!("{}\n{checks}", model.replacen(from, to, 1)))
}

#[test]
fn examples_are_proved_for_every_unfolding() {
    for (example, checks, wanted) in [
        ("ring", "check deadlock_free(Ring);", "proved trap"),
        ("ring", "check never(Ring, both);", "proved one"),
        ("ring", "check mutex(Ring, Station in busy or Holder in busy);", "proved one"),
        (
            "ring",
            "check always(Ring, forall x in Station, y in Holder . not (x in busy and y in busy));",
            "proved one",
        ),
        (
            "ring",
            "check always(Ring, (exists x in Station . x in busy) or (exists y in Holder . y in busy));",
            "proved trap",
        ),
        ("ring_two", "check at_most(Ring, 2, Station in busy or Holder in busy);", "proved flow"),
        ("star_ring", "check mutex(StarRing, Slave in token or First in token);", "proved one"),
        (
            "tree_linked",
            "check mutex(TreeLinkedLeaves, LeafNode in token or FirstLeaf in token);",
            "proved one",
        ),
        ("election", "check deadlock_free(Election);", "proved trap"),
        ("election", "check never(Election, two);", "proved one"),
        ("election", "check mutex(Election, Leaf in leader);", "proved one"),
        ("ring_two", "check deadlock_free(Ring);", "proved trap"),
        ("star", "check deadlock_free(Star);", "proved trap"),
        ("star", "check never(Star);", "proved one"),
        ("star_ring", "check deadlock_free(StarRing);", "proved trap"),
        ("tables", "check deadlock_free(AsymTable);", "proved one"),
        ("tables", "check never(AsymTable, neighbours);", "proved one"),
        ("tables", "check never(SymTable, neighbours);", "proved one"),
        ("tables_at_once", "check deadlock_free(SyncTable);", "proved trap"),
        ("tables_at_once", "check never(SyncTable, neighbours);", "proved one"),
        ("trees", "check deadlock_free(TreeDfs);", "proved trap"),
        ("trees", "check deadlock_free(TreeBackRoot);", "proved trap"),
        ("tree_linked", "check deadlock_free(TreeLinkedLeaves);", "proved trap"),
    ] {
        assert_eq!(asked(example, checks), [wanted], "{checks}");
    }
}

#[test]
fn mistakes_are_refuted_by_the_smallest_unfolding() {
    assert_eq!(asked("tables", "check deadlock_free(SymTable);"), ["refuted SymTable<4>"]);
    assert_eq!(asked("ring_two", "check never(Ring, both);"), ["refuted Ring<3>"]);
    let two = "check mutex(Ring, Station in busy or Holder in busy);";
    assert_eq!(asked("ring_two", two), ["refuted Ring<3>"]);
    let reached = "check reaches(Ring, exists x in Station, y in Station . x != y and x in busy and y in busy);";
    assert_eq!(asked("ring_two", reached), ["proved Ring<4>"]);
    assert_eq!(asked("ring", reached), ["refuted one"]);
    let ring =
        planted("ring", ("sub y = Holder;", "sub y = Station;"), "check deadlock_free(Ring);");
    assert_eq!(ring, ["refuted Ring<2>"]);
    let star = planted(
        "star",
        ("<s: snd, m: rcv> -> reply;\n        never", "never"),
        "check deadlock_free(Star);",
    );
    assert_eq!(star.len(), 1);
    assert!(star[0].starts_with("refuted Star<"), "{star:?}");
    let dfs = planted("trees", ("n: recv_1>", "n: recv_0>"), "check deadlock_free(TreeDfs);");
    assert_eq!(dfs, ["refuted TreeDfs<4>"]);
}

/// Pairs of components that count to different numbers: the claim is true, and needs weights that the invariants have not.
fn pairs(one: usize, other: usize) -> String {
    let process = |name: &str, steps: usize, action: &str| {
        let states: Vec<String> = (1..=steps).map(|at| format!("s{at}")).collect();
        let moves: String =
            (0..steps).map(|at| format!("s{at} -> s{} : {action};\n", at + 1)).collect();
        format!("process {name} {{ init state s0; state {}; {moves} }}\n", states.join(", "))
    };
    format!(
        "action p, q, both;\n{}{}
architecture Pairs {{
    rule Pairs() {{ sub a = A; sub b = B; <a: p, b: q> -> both; never last: a in s{one}; Pairs(); }}
    rule Pairs() {{ sub a = A; sub b = B; <a: p, b: q> -> both; never last: a in s{one}; }}
}}
check never(Pairs);
check always(Pairs, forall x in A . not (x in s{one}));
",
        process("A", one, "p"),
        process("B", other, "q")
    )
}

#[test]
fn what_needs_weights_is_not_known() {
    assert_eq!(answers(&pairs(2, 1)), ["proved one", "proved one"]);
    for outcome in outcomes(&pairs(3, 2)) {
        assert_eq!(outcome.verdict, Verdict::Unknown);
        assert!(matches!(outcome.reason, Reason::NotEverySize { model: Some(_), .. }));
    }
}

#[test]
fn a_run_that_refutes_replays() {
    let all = {
        let path = format!("{}/examples/architectures/tables.pnet", env!("CARGO_MANIFEST_DIR"));
        outcomes(&std::fs::read_to_string(path).unwrap())
    };
    // `check not deadlock_free(SymTable)` is proved by a run of an unfolding.
    let found = &all[2];
    assert_eq!(found.verdict, Verdict::Proved, "{found:#?}");
    assert!(matches!(&found.notes[0], Note::Unfolding { name } if name == "SymTable<4>"));
    assert!(matches!(found.reason, Reason::Deadlock { .. }), "{:?}", found.reason);
}

const STATIONS: &str = "
action recv, send, pass;
process Station { init state idle; state busy; idle -> busy : recv; busy -> idle : send; }
process Holder { init state busy; state idle; busy -> idle : send; idle -> busy : recv; }
architecture Ring {
    rule Ring() { new x, y; <y: send, x: recv> -> pass; Chain(x, y); }
    rule Chain(x, y) { new z; sub x = Station; <x: send, z: recv> -> pass; Chain(z, y); }
    rule Chain(x, y) { sub x = Station; sub y = Holder; <x: send, y: recv> -> pass; }
}
";

#[test]
fn an_unfolding_is_the_net_that_one_would_write() {
    let by_hand = "
net ThreeStations {
    sub A = Station;
    sub B = Station;
    sub C = Station;
    sub H = Holder;
    <A: send, B: recv> -> pass;
    <B: send, C: recv> -> pass;
    <C: send, H: recv> -> pass;
    <H: send, A: recv> -> pass;
}
check bisimilar(Ring<4>, ThreeStations);
check not bisimilar(Ring<3>, ThreeStations);
check size(Ring<4>) == (4, 4);
check deadlock_free(Ring<7>);
check always(Ring<3>, not (x1 in busy and y1 in busy));
";
    let all: Vec<Verdict> =
        outcomes(&format!("{STATIONS}{by_hand}")).iter().map(|one| one.verdict).collect();
    // The automaton knows all states of the leaves, the system those that it reaches.
    assert_eq!(all[0], Verdict::Proved);
    assert_eq!(all[3..], [Verdict::Proved, Verdict::Proved]);
}

#[test]
fn unfoldings_are_parts_of_nets() {
    let around = "
net Two {
    sub L = Ring<2>;
    sub R = Ring<3>;
    <L: pass, R: pass> -> pass;
}
check deadlock_free(Two);
";
    let all = outcomes(&format!("{STATIONS}{around}"));
    assert_eq!(all[0].verdict, Verdict::Proved);
}

#[test]
fn components_can_be_nets_with_data() {
    let model = "
action enter, exit, get, put, hand;
process Lock { init state open; state shut; open -> shut : get; shut -> open : put; }
process User {
    var rounds: Int = 0;
    var done: Bool = false;
    init state out;
    state inside;
    out    -> inside : enter when rounds >= 0;
    inside -> out    : exit do rounds := rounds + 1, done := true;
}
net Desk { sub U = User; <U: enter> -> enter; <U: exit> -> exit; }
architecture Room {
    rule Room() { new d; sub l = Lock; Desks(d, l); }
    rule Desks(d, l) {
        new e;
        sub d = Desk;
        <d: enter, l: get> -> hand;
        <d: exit, l: put> -> hand;
        never alone: d.U in inside and l in open;
        Desks(e, l);
    }
    rule Desks(d, l) {
        sub d = Desk;
        <d: enter, l: get> -> hand;
        <d: exit, l: put> -> hand;
        never alone: d.U in inside and l in open;
    }
}
check never(Room);
";
    let all = outcomes(model);
    assert_eq!(told(&all[0]), "proved one");
    let forgets = |note: &Note| matches!(note, Note::Forgotten { variables } if variables == &["Desk.U.rounds"]);
    assert!(all[0].notes.iter().any(forgets), "{:?}", all[0].notes);
}

#[test]
fn a_vector_between_two_names_of_one_component_never_happens() {
    // With one station in the ring, which passes the token to itself, nothing happens.
    let model = "
action recv, send, pass;
process Both { init state a; state b; a -> b : send; b -> a : recv; }
architecture Loop {
    rule Loop() { sub x = Both; Link(x, x); }
    rule Loop() { new x, y; Link(x, y); Made(x); Made(y); }
    rule Made(x) { sub x = Both; }
    rule Link(x, y) { <x: send, y: send> -> pass; <x: recv, y: recv> -> pass; }
}
check deadlock_free(Loop);
check deadlock_free(Loop<2>);
";
    assert_eq!(answers(model)[0], "refuted Loop<1>");
    assert_eq!(outcomes(model)[1].verdict, Verdict::Proved);
}

#[test]
fn words_of_architectures_are_names_elsewhere() {
    let model = "
action new, never, rule;
process architecture {
    init state never;
    state new;
    never -> new   : rule;
    new   -> never : new;
}
net rule { sub new = architecture; sub never = architecture; <new: rule, never: rule> -> never; <new: new> -> new; <never: new> -> rule; }
check deadlock_free(rule);
";
    let checked = checked(model);
    let warnings = checked.diagnostics.iter().filter(|one| one.severity == Severity::Warning);
    assert_eq!(warnings.count(), 0, "{:?}", checked.diagnostics);
}

/// What is known of an unfolding of a pattern, by going through its situations.
fn searched(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    goal: &PatternGoal,
) -> Option<bool> {
    match search(pattern, instance, goal, 20_000, &Budget::default()) {
        Searched::Safe(_) => Some(true),
        Searched::Bad(_) => Some(false),
        Searched::Unfinished(_) => None,
    }
}

/// Compares a random pattern with its text: unfoldings one by one, and what is said of all of them.
fn agrees(seed: u64, tally: &mut [usize; 4]) {
    let pattern = random(&mut Random::new(seed));
    let Some(model) = text::model(&pattern) else { return };
    let found = check(&Memory::file(MODEL, model.as_str()), MODEL);
    if found.has_errors() {
        return;
    }
    let budget = Budget::default();
    let profiles = profiles(&pattern, &budget).unwrap();
    let claims = [("deadlock_free", PatternGoal::deadlock()), ("never", PatternGoal::never(None))];
    let mut unfoldings = Unfoldings::new(&profiles, 5);
    let mut checks = String::new();
    let mut wanted: Vec<Option<bool>> = Vec::new();
    for size in 1..=4 {
        for (number, one) in unfoldings.of_size(size, &budget).iter().enumerate() {
            let instance = PatternInstance::of(&pattern, &profiles, one);
            for (word, goal) in &claims {
                checks.push_str(&format!("check {word}(H0<{size}, {number}>);\n"));
                wanted.push(searched(&pattern, &instance, goal));
            }
        }
    }
    let whole = "check deadlock_free(H0);\ncheck never(H0);\n";
    let all = outcomes(&format!("{model}{checks}{whole}"));
    for (outcome, wanted) in all.iter().zip(&wanted) {
        let found = match outcome.verdict {
            Verdict::Proved => Some(true),
            Verdict::Refuted => Some(false),
            Verdict::Unknown => None,
        };
        assert_eq!(found, *wanted, "seed {seed}: {outcome:?}\n{model}{checks}");
        tally[0] += 1;
    }
    for (at, (word, goal)) in claims.iter().enumerate() {
        let outcome = &all[wanted.len() + at];
        let mut plain = PlainSearch { pattern: &pattern, goal, most: 20_000 };
        let limits = SizesLimits { unfoldings: 50, ..SizesLimits::default() };
        let decided = decide(&pattern, &profiles, goal, limits, &mut plain, &Unwatched);
        let (wanted, place) = match decided {
            SizesVerdict::Proved { .. } => (Verdict::Proved, 1),
            SizesVerdict::Refuted { .. } => (Verdict::Refuted, 2),
            SizesVerdict::Unknown { .. } | SizesVerdict::Empty => (Verdict::Unknown, 3),
        };
        assert_eq!(outcome.verdict, wanted, "seed {seed}: {word}\n{model}\n{outcome:#?}");
        tally[place] += 1;
    }
}

#[test]
fn random_architectures_are_what_their_patterns_are() {
    let mut tally = [0; 4];
    seeds(fuzz().unwrap_or(60)).for_each(|seed| agrees(seed, &mut tally));
    println!(
        "{} unfoldings; {} proved, {} refuted, {} unknown",
        tally[0], tally[1], tally[2], tally[3]
    );
    if fuzz().is_none() && std::env::var_os("PNET_SEED").is_none() {
        assert!(tally[0] > 20 && tally[1] > 3 && tally[2] > 3, "{tally:?}");
    }
}

// ---- variables of members ----

#[test]
fn claims_speak_of_variables_of_members() {
    let planted_two = ("sub x = Station<0>; sub y", "sub x = Station<1>; sub y");
    let most_one = "check always(Ring, forall x in Station, y in Station . x == y or x.tokens + y.tokens <= 1);";
    assert_eq!(asked("counted_ring", most_one), ["proved one"]);
    assert_eq!(planted("counted_ring", planted_two, most_one), ["refuted Ring<2>"]);
    let some = "check always(Ring, exists x in Station . x.tokens == 1);";
    assert_eq!(asked("counted_ring", some), ["proved trap"]);
    let unequal = "check reaches(Ring, exists x in Station, y in Station . x.tokens > y.tokens);";
    assert_eq!(asked("counted_ring", unequal), ["proved Ring<2>"]);
    // What a name inside stands for is the inner one.
    let inner = "check always(Ring, forall x in Station . exists x in Station . x.tokens == 1);";
    assert_eq!(asked("counted_ring", inner), ["proved trap"]);
    // Constants, and operators.
    let text = "check always(Ring, forall x in Station . (x.tokens + 2) mod 2 == x.tokens and -x.tokens <= 0);";
    assert_eq!(asked("counted_ring", text), ["proved trap"]);
}

/// A station that also counts how often it had the token.
const COUNTING: &str = "
    action pass, recv, send;
    process Station {
        var had: Int = 0;
        var full: Bool = false;
        init state run;
        run -> run : recv when not full and had < 50 do full := true, had := had + 1;
        run -> run : send when full do full := false;
    }
    process Holder {
        var full: Bool = true;
        init state run;
        run -> run : recv when not full do full := true;
        run -> run : send when full do full := false;
    }
    architecture Ring {
        rule Ring() { new x, y; <y: send, x: recv> -> pass; Chain(x, y); }
        rule Chain(x, y) { new z; sub x = Station; <x: send, z: recv> -> pass; Chain(z, y); }
        rule Chain(x, y) { sub x = Station; sub y = Holder; <x: send, y: recv> -> pass; }
    }
";

#[test]
fn of_forgotten_variables_anything_may_be_so() {
    let said = |claim: &str| answers(&format!("{COUNTING} check {claim};"));
    // It does not matter what is forgotten.
    let found =
        said("always(Ring, forall x in Station, y in Holder . x.full and y.full => x.had > 5)");
    assert_eq!(found, ["proved one"]);
    let found = said(
        "always(Ring, forall x in Station . x.had >= 0 or not (x.full and x.had > 3) or x in run)",
    );
    assert_eq!(found, ["proved trap"]);
    // True, and more than anybody knows for every size.
    let found = said("always(Ring, forall x in Station . x.had >= 0)");
    assert!(found[0].starts_with("unknown"), "{found:?}");
    // An unfolding knows.
    assert_eq!(said("always(Ring, forall x in Station . x.had < 2)"), ["refuted Ring<2>"]);
    assert_eq!(said("reaches(Ring, exists x in Station . x.had == 2)"), ["proved Ring<2>"]);
}

#[test]
fn members_are_no_values() {
    let codes = |claim: &str| -> Vec<&'static str> {
        let text = format!("{COUNTING} check {claim};");
        let checked = check(&Memory::file(MODEL, text.as_str()), MODEL);
        checked.diagnostics.iter().map(|one| one.entry.code).collect()
    };
    assert_eq!(codes("always(Ring, forall x in Station . x > 0)"), ["T0155"]);
    assert_eq!(codes("always(Ring, forall x in Station . x.full and (x.had + x) > 0)"), ["T0155"]);
    // A variable of somebody is that of a member that has a name.
    assert_eq!(codes("always(Ring, forall x in Station . had > 0)"), ["T0155"]);
    for (claim, code) in [
        ("always(Ring, forall x in Station . x.hat > 0)", "N0215"),
        ("always(Ring, forall x in Station . x.full > 0)", "T0101"),
        ("always(Ring, forall x in Station . x.had)", "T0101"),
    ] {
        assert!(!codes(claim).is_empty(), "{claim}");
        println!("{claim}: {:?}, expected {code}", codes(claim));
    }
}

/// A claim at random, about two members.
fn claim(dice: &mut Random) -> String {
    let atom = |dice: &mut Random| {
        let member = |dice: &mut Random| if dice.one_in(2) { "x" } else { "y" };
        let relation = *dice.pick(&["==", "!=", "<", "<=", ">"]);
        match dice.below(5) {
            0 => format!("x {} y", dice.pick(&["==", "!="])),
            1 | 2 => format!("{}.tokens {relation} {}", member(dice), dice.below(3)),
            3 => format!("{}.tokens {relation} {}.tokens", member(dice), member(dice)),
            _ => format!("x.tokens + {}.tokens {relation} {}", member(dice), dice.below(3)),
        }
    };
    let either = |dice: &mut Random| {
        let word = *dice.pick(&["and", "or", "=>"]);
        let (one, other) = (atom(dice), atom(dice));
        format!("({one} {word} {other})")
    };
    let word = |dice: &mut Random| *dice.pick(&["forall", "exists"]);
    let (one, other, joint) = (word(dice), word(dice), *dice.pick(&["and", "or"]));
    let not = if dice.one_in(3) { "not " } else { "" };
    format!(
        "{one} x in Station . {other} y in Station . {not}({} {joint} {})",
        either(dice),
        either(dice)
    )
}

/// What is said of all unfoldings, and what of each small one by itself: they do not contradict each other.
#[test]
fn random_claims_about_variables_are_what_unfoldings_say() {
    let mut tally = [0; 3];
    for seed in seeds(fuzz().unwrap_or(30)) {
        let dice = &mut Random::new(seed ^ 0x6d65_6d62);
        let claim = claim(dice);
        let second = dice.below(3);
        let kind = if dice.one_in(3) { "reaches" } else { "always" };
        let checks: Vec<String> = ["Ring", "Ring<2>", "Ring<3>", "Ring<4>"]
            .iter()
            .map(|net| format!("check {kind}({net}, {claim});"))
            .collect();
        let from = (
            "sub x = Station<0>; sub y = Station<1>",
            ["0", "1", "0"][second],
            ["0", "1", "1"][second],
        );
        let to = format!("sub x = Station<{}>; sub y = Station<{}>", from.1, from.2);
        let path =
            format!("{}/examples/architectures/counted_ring.pnet", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let model: Vec<&str> = text.lines().filter(|line| !line.starts_with("check ")).collect();
        let text = format!("{}\n{}", model.join("\n").replace(from.0, &to), checks.join("\n"));
        let found: Vec<Verdict> = outcomes(&text).iter().map(|outcome| outcome.verdict).collect();
        let (whole, small) = (found[0], &found[1..]);
        // `reaches` asks whether some unfolding does.
        let (bad, good) = match kind {
            "always" => (Verdict::Refuted, Verdict::Proved),
            _ => (Verdict::Proved, Verdict::Refuted),
        };
        assert!(whole != good || !small.contains(&bad), "seed {seed}: {found:?}\n{text}");
        assert!(whole != bad || small.contains(&bad), "seed {seed}: {found:?}\n{text}");
        tally[[Verdict::Proved, Verdict::Refuted, Verdict::Unknown]
            .iter()
            .position(|one| *one == whole)
            .unwrap()] += 1;
    }
    println!("{tally:?}");
    assert!(seeds(2).count() < 2 || (tally[0] > 3 && tally[1] > 3), "{tally:?}");
}

/// In a net, members go by the names of their parts; who names the process is told the part.
#[test]
fn members_of_nets_go_by_their_parts() {
    let text = "
        action enter, leave;
        process Train { init state away; state here; away -> here : enter; here -> away : leave; }
        net Yard { sub T[i: 0..3] = Train; <T[i]: enter> -> enter for i in 0..3; <T[i]: leave> -> leave for i in 0..3; }
    ";
    for claim in ["at_most(Yard, 1, Train in here)", "always(Yard, forall x in Train . x in here)"]
    {
        let checked = check(&Memory::file(MODEL, format!("{text} check {claim};")), MODEL);
        let found: Vec<String> =
            checked.diagnostics.iter().map(|one| format!("{} {one:?}", one.entry.code)).collect();
        assert_eq!(found.len(), 1, "{claim}: {found:?}");
        assert!(
            found[0].starts_with("N0215") && found[0].contains("did you mean `T`"),
            "{found:?}"
        );
    }
}
