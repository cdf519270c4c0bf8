//! Relations: what they can say, and that those which are found can be put into the model.
use crate::common::models::in_short;
use crate::common::nets::Shape;
use crate::common::pairs::{Kind, pair};
use crate::common::said::Said;
use crate::common::seeds::{fuzz, seeds};
use crate::common::sources::{Beside, PROJECT};
use crate::common::{Memory, Patience, Random, check_files, check_text, examples};
use pnetc::diagnostics::Severity;
use pnetc::model::Checked;
use pnetc::outcome::{Evidence, Outcome};
use pnetc::sema::program::{CheckDef, CheckKind};
use pnetc::verify;

fn run(checked: &Checked, check: &CheckDef) -> Outcome {
    run_within(&Patience::default(), checked, check)
}

fn run_within(patience: &Patience, checked: &Checked, check: &CheckDef) -> Outcome {
    verify::run(checked, check, &verify::ModelOptions::default(), patience).unwrap()
}

/// Checks a text that has no errors.
#[track_caller]
fn sound(text: &str) -> Checked {
    sound_at("model.pnet", text)
}

/// Checks a text that stands in the place of a file of the project.
#[track_caller]
fn sound_at(path: &str, text: &str) -> Checked {
    let checked = check_files(&Beside(path, text.as_bytes(), &PROJECT), path);
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let errors: Vec<String> = errors.map(|found| in_short(&checked, found)).collect();
    assert!(errors.is_empty(), "{}\n{text}", errors.join("\n"));
    checked
}

/// The verdicts on all checks of a text.
#[track_caller]
fn verdicts(text: &str) -> Vec<Said> {
    let checked = sound(text);
    checked.program.checks.iter().map(|check| Said::from(&run(&checked, check))).collect()
}

#[track_caller]
fn words(text: &str) -> Vec<&'static str> {
    verdicts(text).iter().map(Said::word).collect()
}

/// The error that a text has, and what it proposes.
#[track_caller]
fn error(text: &str) -> (&'static str, Vec<String>) {
    let checked = check_text(text);
    let mut errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let found = errors.next().expect("an error");
    assert!(errors.next().is_none(), "one error: {:?}", checked.diagnostics);
    let edits = found.suggestions.iter().flat_map(|one| &one.edits);
    let proposed = edits.map(|edit| edit.text.clone());
    (found.entry.code, proposed.collect())
}

/// Whether a check compares two nets and looks for the relation itself.
fn looks_for_a_relation(check: &CheckDef) -> bool {
    let compares = matches!(
        check.kind,
        CheckKind::Bisimilar
            | CheckKind::WeaklyBisimilar
            | CheckKind::Refines
            | CheckKind::WeaklyRefines
    );
    compares && check.relation.is_none()
}

/// Puts each relation that is found into the model, and claims that it is what it has to be. Says how many there were.
#[track_caller]
fn found_relations_can_be_used(name: &str, text: &str, most: usize) -> usize {
    let checked = sound_at(name, text);
    let mut longer = text.to_owned();
    let mut claims = Vec::new();
    for check in checked.program.checks.iter().filter(|check| looks_for_a_relation(check)) {
        let Outcome { evidence: Evidence::Relation(item), verdict, .. } =
            run_within(&Patience::of(most), &checked, check)
        else {
            continue;
        };
        assert_eq!(verdict.word(), if check.negated { "refuted" } else { "proved" });
        let found = format!("Found{}", claims.len());
        longer += &format!(
            "\n{}",
            item.item.replacen("relation Found(", &format!("relation {found}("), 1)
        );
        let claim = checked.sources.text(check.span).trim_end_matches(';').replacen(
            "check not ",
            "check ",
            1,
        );
        let (claim, tracking) = match claim.split_once(" tracking") {
            Some((claim, tracking)) => (claim, format!(" tracking{tracking}")),
            None => (&*claim, String::new()),
        };
        claims.push(format!("{claim} by {found}{tracking};"));
    }
    let longer = format!("{longer}\n{}\n", claims.join("\n"));
    let again = sound_at(name, &longer);
    let new = &again.program.checks[checked.program.checks.len()..];
    assert_eq!(new.len(), claims.len());
    for (check, claim) in new.iter().zip(&claims) {
        let outcome = run(&again, check);
        assert_eq!(outcome.verdict.word(), "proved", "{name}: {claim}\n{outcome:?}\n{longer}");
    }
    claims.len()
}

#[test]
fn relations_of_all_examples_can_be_used() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let models = examples();
    let work = |parity: usize| {
        let mut count = 0;
        for path in models.iter().skip(parity).step_by(2) {
            let text = std::fs::read_to_string(root.join(path)).unwrap();
            count += found_relations_can_be_used(path, &text, 4_000);
        }
        count
    };
    let count: usize = std::thread::scope(|scope| {
        let all = [0, 1].map(|parity| scope.spawn(move || work(parity)));
        all.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!(count >= 45, "only {count} relations were found");
}

// ---- which of the two nets ----

/// Two nets with a cell each.
const CELLS: &str = "action put(Int), get(Int), skip;
    process Cell {
        var k: Int = 0;
        init state s;
        s -> s : put(?x) do k := x;
        s -> s : get(k);
    }
    net One { sub P = Cell; <P: put(x)> -> put(x); <P: get(x)> -> get(x); }
    net Two { sub P = Cell; <P: put(x)> -> put(x); <P: get(x)> -> get(x); }
";

fn cells(condition: &str) -> String {
    format!(
        "{CELLS} relation R(One, Two) {{ (s, s) when {condition}; }} check bisimilar(One, Two) by R;"
    )
}

#[test]
fn first_and_second_say_which_net() {
    assert_eq!(words(&cells("first.P.k == second.P.k")), ["proved"]);
    assert_eq!(words(&cells("first.k == second.k")), ["proved"]);
    assert_eq!(words(&cells("first.k == first.P.k")), ["refuted"]);
    assert_eq!(words(&cells("first.k == second.k + 1")), ["refuted"]);
    let found = format!("{CELLS} check bisimilar(One, Two);");
    let checked = sound(&found);
    let Evidence::Relation(found) = run(&checked, &checked.program.checks[0]).evidence else {
        panic!("no relation");
    };
    let item = found.item;
    assert!(item.contains("(s, s) when first.P.k == second.P.k;"), "{item}");
}

#[test]
fn a_path_in_both_nets_needs_a_word() {
    let proposed = vec!["first.P.k".to_owned(), "second.P.k".to_owned()];
    assert_eq!(error(&cells("P.k == 0")), ("N0214", proposed.clone()));
    assert_eq!(error(&cells("k == 0")), ("N0214", proposed));
    assert_eq!(error(&cells("first.Q.k == 0")).0, "N0215");
    assert_eq!(error(&cells("first == 0")).0, "N0215");
    assert_eq!(error(&cells("third.P.k == 0")).0, "N0215");
}

/// A part that is called `first` is found by its name.
#[test]
fn parts_may_be_called_first() {
    let nets = "net Pair {
            sub first = Cell; sub second = Cell;
            <first: put(x)> -> put(x); <first: get(x)> -> get(x); <second: put(_)> -> skip;
        }
        net Pair2 {
            sub first = Cell; sub second = Cell;
            <first: put(x)> -> put(x); <first: get(x)> -> get(x); <second: put(_)> -> skip;
        }
        net Lone { sub P = Cell; <P: put(x)> -> put(x); <P: get(x)> -> get(x); }
        net Inside { sub first = Cell; <first: put(x)> -> put(x); <first: get(x)> -> get(x); }
    ";
    let model = |nets2: &str, condition: &str, states: &str| {
        format!(
            "{CELLS} {nets} relation R({nets2}) {{ ({states}) when {condition}; }} check bisimilar({nets2}) by R;"
        )
    };
    // The part `first` of the second net, and not `k` of the first.
    assert_eq!(words(&model("Lone, Inside", "P.k == first.k", "s, s")), ["proved"]);
    assert_eq!(words(&model("Lone, Inside", "first.P.k == second.first.k", "s, s")), ["proved"]);
    assert_eq!(words(&model("Lone, Inside", "first.P.k == second.k", "s, s")), ["proved"]);
    // Both nets have both: the words come before.
    let both = "first.first.k == second.first.k";
    assert_eq!(words(&model("Pair, Pair2", both, "s.s, s.s")), ["proved"]);
    let wrong = "first.second.k == second.first.k";
    assert_eq!(words(&model("Pair, Pair2", wrong, "s.s, s.s")), ["refuted"]);
    let (code, proposed) = error(&model("Pair, Pair2", "first.k == 0", "s.s, s.s"));
    assert_eq!((code, proposed.len()), ("N0214", 2), "{proposed:?}");
    assert_eq!(proposed, ["first.first.k", "second.first.k"]);
    let found =
        format!("{CELLS} {nets} check bisimilar(Pair, Pair2); check bisimilar(Lone, Inside);");
    assert_eq!(found_relations_can_be_used("parts called first", &found, 4_000), 2);
}

/// A whole path goes before the end of another.
#[test]
fn whole_paths_come_first() {
    let nets = "net Deep {
            sub P = Cell; sub L = One;
            <P: put(x)> -> put(x); <P: get(x)> -> get(x); <L: put(_)> -> skip;
        }
        process Skip { init state s; s -> s : skip; }
        net Flat { sub P = Cell; sub S = Skip; <P: put(x)> -> put(x); <P: get(x)> -> get(x); <S: skip> -> skip; }
    ";
    let by = |condition: &str| {
        format!(
            "{CELLS} {nets} relation R(Deep, Flat) {{ (s.s, s.s) when {condition}; }} check bisimilar(Deep, Flat) by R;"
        )
    };
    assert_eq!(words(&by("first.P.k == second.P.k")), ["proved"]);
    assert_eq!(words(&by("L.P.k == second.P.k")), ["refuted"]);
    assert_eq!(
        error(&by("first.k == 0")),
        ("N0214", vec!["first.P.k".into(), "first.L.P.k".into()])
    );
    let found = format!("{CELLS} {nets} check bisimilar(Deep, Flat);");
    assert_eq!(found_relations_can_be_used("whole paths", &found, 4_000), 1);
}

// ---- what conditions are made of ----

/// Fields, arrays, constructors, keywords as names, families, abstract sorts, quantifiers.
#[test]
fn found_relations_of_all_kinds_of_data_can_be_used() {
    let data = "sort Item;
        data Msg { Ping, Pkt(seq: Int, item: Item) }
        action put(Msg), get(Msg), seq(Int), at(Int, Int), see(Int);
        process Held {
            var `state`: Msg = Ping;
            init state `in`;
            `in` -> `in` : put(?x) do `state` := x;
            `in` -> `in` : get(`state`);
            `in` -> `in` : seq(`state`.seq) when `state` is Pkt(_, _);
        }
        process Table {
            var t: [Int]Int = [_]Int(0);
            init state s;
            s -> s : at(?i, ?v) when v != t[i] do t := t[i := v];
            s -> s : see(t[3]);
        }
        net A { sub `net` = Held; <`net`: put(x)> -> put(x); <`net`: get(x)> -> get(x); <`net`: seq(x)> -> seq(x); }
        process Count { var n: Int = 0; init state s; s -> s : see(n) do n := n + 1; }
        net B { sub T[i: 0..2] = Count; <T[i]: see(x)> -> at(i, x) for i in 0..2; }
        net C { sub T[i: 0..2] = Count; <T[i]: see(x)> -> at(i, x) for i in 0..2; }
        check bisimilar(Held, Held);
        check bisimilar(A, Held);
        check bisimilar(A, A);
        check bisimilar(Table, Table);
        check bisimilar(B, C);
    ";
    assert_eq!(found_relations_can_be_used("all kinds of data", data, 4_000), 5);
}

/// Selections, in conditions that people write.
#[test]
fn conditions_can_select() {
    let model = |condition: &str| {
        format!(
            "data Msg {{ Ping, Pkt(seq: Int, row: [Int]Int) }}
            action put(Msg), one;
            process P {{ var m: Msg = Pkt(0, [_]Int(0)); init state s; s -> s : put(m); s -> s : one do m := Pkt(m.seq, m.row); }}
            net N {{ sub F[i: 0..2] = P; <F[0]: put(x)> -> put(x); <F[0]: one> -> one; <F[1]: one> -> one; }}
            process Q {{ var m: Msg = Pkt(0, [_]Int(0)); init state s; s -> s : put(m); s -> s : one; }}
            relation R(N, Q) {{ (s.s, s) when {condition}; }}
            check bisimilar(N, Q) by R;"
        )
    };
    let same = "F[0].m is Pkt(_, _) and second.m is Pkt(_, _) and";
    assert_eq!(
        words(&model(&format!("{same} F[0].m.seq == second.m.seq and F[0].m.row == second.m.row"))),
        ["proved"]
    );
    assert_eq!(
        words(&model(&format!(
            "{same} F[1 - 1].m == second.m and F[0].m.row[0] == second.m.row[0]"
        ))),
        ["proved"]
    );
    assert_eq!(words(&model("F[0].m.seq == second.m.seq")), ["refuted"]);
    assert_eq!(error(&model("F[0].m.sec == 0")).0, "N0210");
    assert_eq!(error(&model("F[0].n == 0")).0, "N0215");
    // What is not there, and what could be several things, is said where it is written.
    assert_eq!(error(&model("F[7].m == second.m")).0, "T0132");
    assert_eq!(error(&model("first.m == second.m")).0, "N0214");
}

#[test]
fn conditions_can_ask_for_states() {
    let model = |condition: &str| {
        format!(
            "action a;
            process P {{ init state s; state t; s -> t : a; t -> s : a; }}
            net N {{ sub X = P; <X: a> -> a; }}
            relation R(N, P) {{ (s, s) when {condition}; (t, t) when {condition}; }}
            check bisimilar(N, P) by R;"
        )
    };
    assert_eq!(words(&model("X in s or X in t")), ["proved"]);
    assert_eq!(words(&model("X in { s, t }")), ["proved"]);
    assert_eq!(words(&model("X in s")), ["refuted"]);
    // What a quantifier binds is an action.
    let actions = "forall x: Action . x in { a, co a } or x not in { a, co a }";
    assert_eq!(words(&model(actions)), ["proved"]);
    assert_eq!(words(&model("forall x: Action . x in { a }")), ["refuted"]);
}

/// A net without leaves has one state, `-`.
#[test]
fn nets_without_leaves_have_one_state() {
    let model = |pair: &str| {
        format!(
            "action a, b; net N(P: any) {{ <P: a> -> b; }} net M(P: any) {{ <P: a> -> b; }}
            relation R(N, M) {{ {pair} }} check bisimilar(N, M) by R;"
        )
    };
    assert_eq!(words(&model("(-, -);")), ["proved"]);
    assert_eq!(words(&model("")), ["refuted"]);
    assert_eq!(error(&model("(-, s);")).0, "T0123");
    let leaf = "action a; process P { init state s; s -> s : a; } relation R(P, P) { (-, s); }";
    assert_eq!(error(leaf).0, "T0123");
}

/// Names that a module imports are called as the module calls them.
#[test]
fn what_is_imported_has_its_name() {
    // With other names inside, `Box` is not like `Cell` at a glance.
    let cell = "process Cell {
            var held: Item; var n: Int = LIMIT; var c: Colour = Red;
            init state s;
            s -> s : put(?x) do held := x;
            s -> s : put(held);
            s -> s : tick(n) when n == LIMIT or n == twice(LIMIT) do n := twice(LIMIT);
            s -> s : see(c) when c == Red do c := Green;
        }";
    let other = cell.replace("Cell", "Box").replace("init state s;", "init state t;");
    let other = other.replace("s -> s", "t -> t");
    let inside = format!(
        "const LIMIT: Int; sort Item; fun twice(x: Int): Int; enum Colour {{ Red, Green }}
        action put(Item), see(Colour), tick(Int);
        {cell}
        {other}"
    );
    let errors = |checked: &Checked| -> Vec<String> {
        let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        errors.map(|found| in_short(checked, found)).collect()
    };
    for (import, prefix) in [
        ("import \"inner.pnet\";", ""),
        ("import \"inner.pnet\" (Cell, Box, LIMIT, twice, Colour, Red, Green, Item);", ""),
        ("import \"inner.pnet\" as lib;", "lib."),
        ("import \"inner.pnet\" as lib; const LIMIT: Bool; enum C { Red }", "lib."),
    ] {
        let claim = format!("check bisimilar({prefix}Cell, {prefix}Box)");
        let text = format!("{import}\n{claim};\n");
        let check = |text: &str| {
            let files = Memory::file("model.pnet", text).and("inner.pnet", inside.as_str());
            check_files(&files, "model.pnet")
        };
        let checked = check(&text);
        let outcome = run(&checked, &checked.program.checks[0]);
        let Evidence::Relation(found) = outcome.evidence else { panic!("{outcome:?}") };
        let item = found.item;
        assert!(item.contains("LIMIT") && item.contains("Red"), "{item}");
        let text = format!("{text}{item}{claim} by Found;\n");
        let checked = check(&text);
        assert_eq!(errors(&checked), Vec::<String>::new(), "{text}");
        assert_eq!(run(&checked, &checked.program.checks[1]).verdict.word(), "proved", "{text}");
    }
}

/// Random pairs that do the same: what is found can be used.
#[test]
fn relations_of_random_pairs_can_be_used() {
    let closed = Shape { ints: false, constants: false, depth: 1, ..Shape::closed() };
    let open = Shape { holes: true, ..closed };
    let mut found = 0;
    for seed in seeds(fuzz().unwrap_or(4)) {
        for (shape, kind) in [(closed, Kind::Split), (open, Kind::Same), (open, Kind::Filled)] {
            let pair = pair(&mut Random::new(seed), shape, kind);
            let text = pair.text.lines().filter(|line| !line.starts_with("check "));
            let text = text.collect::<Vec<_>>().join("\n");
            let claim = format!("check bisimilar({}, {});\n", pair.left, pair.right);
            found += found_relations_can_be_used(
                &format!("PNET_SEED={seed}"),
                &format!("{text}\n{claim}"),
                // Few of them need more, and these take minutes.
                500,
            );
        }
    }
    println!("{found} relations were found");
    let only = seeds(4).count() == 1;
    assert!(only || found >= 5, "only {found} were found");
}

/// What has to hold in each pair of states grows with what there is to say, and not with how long it was looked for.
#[test]
fn what_is_found_of_buffers_is_short() {
    for places in 3..6 {
        let text = format!(
            "import std.buffers;\ncheck weakly_bisimilar(Fifo<{places}>, FifoCells<{places}>);\n"
        );
        let checked = sound(&text);
        let outcome = run(&checked, &checked.program.checks[0]);
        let Evidence::Relation(relation) = &outcome.evidence else {
            panic!("{:?}", outcome.verdict)
        };
        let pairs = relation.item.lines().filter(|line| line.contains(" when "));
        assert!(pairs.clone().count() > 0, "{}", relation.item);
        for pair in pairs {
            assert!(!pair.contains("exists") && !pair.contains(" or "), "{pair}");
            assert!(pair.matches(" and ").count() <= places, "{pair}");
        }
    }
}
