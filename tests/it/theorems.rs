//! What the theory says about bisimilarity and refinement, tried on random models: from what `verify` proves never
//! follows something that it refutes.
//!
//! The models have data with two values, so that nearly everything is decided. `PNET_FUZZ=…` tries more models, and
//! `PNET_SEED=…` one again.
use crate::common::nets::Shape;
use crate::common::pairs::{Kind, Lts, Tracking, diverges, pair};
use crate::common::sources;
use crate::common::theory::{
    Instance, Item, Maker, Quiet, is_nonblocking, no_theorem, renamed, text, theorem,
};
use crate::common::{Memory, Random, check_text};
use pnetc::diagnostics::Severity;
use pnetc::elaborate::ElaborateOptions;
use pnetc::generate::Unwatched;
use pnetc::verify;

/// Both notions of bisimilarity, each with what its models may see.
const STRONG: (&str, Quiet) = ("bisimilar", Quiet::No);
const WEAK: (&str, Quiet) = ("weakly_bisimilar", Quiet::Yes);

/// Makes a model that has no errors.
fn sound(random: &mut Random, quiet: Quiet, make: impl Fn(&mut Maker<'_>) -> Vec<Item>) -> String {
    loop {
        let items = make(&mut Maker { random: &mut *random, quiet });
        let text = text(&items.iter().collect::<Vec<_>>());
        let checked = check_text(text.as_str());
        let mut errors = checked.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        match errors.next() {
            None => return text,
            // What is made of the parts is the only thing that may go wrong.
            Some(error) => assert_eq!(error.entry.code, "W0113", "{error:?}\n{text}"),
        }
    }
}

/// A way to make something of something else.
type Change = fn(&mut Maker<'_>, &mut [Item]);

/// A net with what is inside it, and versions of both, each made of the one before, under names with an ending.
fn versions(maker: &mut Maker<'_>, holes: &[&str], versions: &[(&str, Change)]) -> Vec<Item> {
    let mut last = [maker.process("P1"), maker.net("Net1", "P1", holes)];
    let mut all = last.to_vec();
    for (ending, change) in versions {
        change(maker, &mut last);
        all.extend(last.iter().map(|item| renamed(item, &["P1", "Net1"], ending)));
    }
    all
}

fn some_change(maker: &mut Maker<'_>, items: &mut [Item]) {
    match (maker.random.below(4), maker.quiet) {
        (0 | 1, _) => maker.changed(items),
        (2, Quiet::Yes) => maker.slower(items),
        _ => maker.alike(items),
    }
}

fn some_more(maker: &mut Maker<'_>, items: &mut [Item]) {
    match maker.random.below(4) {
        0 | 1 => maker.larger(items),
        2 => maker.changed(items),
        _ => maker.alike(items),
    }
}

fn alike_or_slower(maker: &mut Maker<'_>, items: &mut [Item]) {
    match maker.quiet {
        Quiet::Yes if maker.random.percent(70) => maker.slower(items),
        _ => maker.alike(items),
    }
}

// ---- equivalences ----

/// Reflexive, symmetric and transitive.
fn equivalence((word, quiet): (&str, Quiet), random: &mut Random) -> Instance {
    let model = sound(random, quiet, |maker| {
        versions(maker, &["H"], &[("b", some_change), ("c", some_change)])
    });
    let claim = |one: &str, other: &str| format!("{word}({one}, {other})");
    let not = |claim: &str| format!("not {claim}");
    let (ab, ba) = (claim("Net1", "Net1b"), claim("Net1b", "Net1"));
    let (bc, ac) = (claim("Net1b", "Net1c"), claim("Net1", "Net1c"));
    Instance::new(model)
        .implies(&[], &claim("Net1", "Net1"))
        .implies(&[&ab], &ba)
        .implies(&[&not(&ab)], &not(&ba))
        .implies(&[&ab, &bc], &ac)
        .implies(&[&ab, &not(&bc)], &not(&ac))
        .implies(&[&not(&ab), &bc], &not(&ac))
}

#[test]
fn bisimilarity_is_an_equivalence() {
    theorem("bisimilarity is an equivalence", 25, 3, |random| equivalence(STRONG, random));
}

#[test]
fn weak_bisimilarity_is_an_equivalence() {
    theorem("weak bisimilarity is an equivalence", 15, 3, |random| equivalence(WEAK, random));
}

/// On models with all that nets can have.
#[test]
fn every_net_is_bisimilar_to_itself() {
    theorem("reflexivity", 12, 1, |random| {
        let shape = Shape { ints: false, constants: false, depth: 1, ..Shape::open() };
        let made = pair(random, shape, Kind::Same);
        let model: Vec<&str> =
            made.text.lines().filter(|line| !line.starts_with("check ")).collect();
        let claim = |word: &str| format!("{word}({}, {})", made.left, made.left);
        Instance::new(model.join("\n") + "\n")
            .implies(&[], &claim("bisimilar"))
            .implies(&[], &claim("refines"))
            .implies(&[], &claim("weakly_refines"))
    });
}

/// Strong is stronger than weak, and than refinement in both directions.
#[test]
fn bisimilar_is_weakly_bisimilar_and_refines() {
    theorem("strong implies weak and refinement", 25, 4, |random| {
        let model =
            sound(random, Quiet::No, |maker| versions(maker, &["H"], &[("b", some_change)]));
        let strong = "bisimilar(Net1, Net1b)";
        Instance::new(model)
            .implies(&[strong], "weakly_bisimilar(Net1, Net1b)")
            .implies(&[strong], "refines(Net1, Net1b)")
            .implies(&[strong], "refines(Net1b, Net1)")
    });
}

// ---- refinement ----

/// A set of holes, as `tracking` wants it.
fn holes(random: &mut Random, among: &[&str]) -> Vec<String> {
    let chosen = among.iter().filter(|_| random.percent(60));
    chosen.map(|hole| (*hole).to_owned()).collect()
}

fn refines(one: &str, other: &str, tracked: &[String]) -> String {
    format!("refines({one}, {other}) tracking {{ {} }}", tracked.join(", "))
}

/// Theorem 1 of the SEFM paper.
#[test]
fn refinement_is_a_preorder() {
    theorem("refinement is a preorder", 20, 3, |random| {
        let model = sound(random, Quiet::No, |maker| {
            versions(maker, &["H", "K"], &[("b", some_more), ("c", some_more)])
        });
        let tracked = holes(random, &["H", "K"]);
        let claim = |one: &str, other: &str| refines(one, other, &tracked);
        let ac = claim("Net1", "Net1c");
        Instance::new(model)
            .implies(&[], &claim("Net1", "Net1"))
            .implies(&[&claim("Net1", "Net1b"), &claim("Net1b", "Net1c")], &ac)
    });
}

/// Property 2 of the SEFM paper: whoever tracks more holes tracks fewer.
#[test]
fn tracking_more_holes_is_stronger() {
    theorem("tracking more holes", 20, 4, |random| {
        let model =
            sound(random, Quiet::No, |maker| versions(maker, &["H", "K"], &[("b", some_more)]));
        let most = holes(random, &["H", "K"]);
        let all = refines("Net1", "Net1b", &["H".to_owned(), "K".to_owned()]);
        let names: Vec<&str> = most.iter().map(String::as_str).collect();
        let fewer = refines("Net1", "Net1b", &holes(random, &names));
        let most = refines("Net1", "Net1b", &most);
        Instance::new(model)
            .implies(&["refines(Net1, Net1b)"], &all)
            .implies(&[&all], &most)
            .implies(&[&most], &fewer)
    });
}

fn weakly_refines(one: &str, other: &str, tracked: &[String]) -> String {
    format!("weakly_{}", refines(one, other, tracked))
}

fn some_more_or_slower(maker: &mut Maker<'_>, items: &mut [Item]) {
    match maker.random.below(3) {
        0 => maker.slower(items),
        _ => some_more(maker, items),
    }
}

#[test]
fn weak_refinement_is_a_preorder() {
    theorem("weak refinement is a preorder", 20, 3, |random| {
        let model = sound(random, Quiet::No, |maker| {
            versions(maker, &["H", "K"], &[("b", some_more_or_slower), ("c", some_more_or_slower)])
        });
        let tracked = holes(random, &["H", "K"]);
        let claim = |one: &str, other: &str| weakly_refines(one, other, &tracked);
        let (ab, bc, ac) =
            (claim("Net1", "Net1b"), claim("Net1b", "Net1c"), claim("Net1", "Net1c"));
        Instance::new(model).implies(&[], &claim("Net1", "Net1")).implies(&[&ab, &bc], &ac)
    });
}

/// What refines does so weakly, with the same holes; and whoever tracks more holes tracks fewer.
#[test]
fn refinement_is_weak_refinement() {
    theorem("refinement is weak refinement", 20, 4, |random| {
        let model = sound(random, Quiet::No, |maker| {
            versions(maker, &["H", "K"], &[("b", some_more_or_slower)])
        });
        let tracked = holes(random, &["H", "K"]);
        let names: Vec<&str> = tracked.iter().map(String::as_str).collect();
        let fewer = weakly_refines("Net1", "Net1b", &holes(random, &names));
        let weakly = weakly_refines("Net1", "Net1b", &tracked);
        let all = weakly_refines("Net1", "Net1b", &["H".to_owned(), "K".to_owned()]);
        Instance::new(model)
            .implies(&[&refines("Net1", "Net1b", &tracked)], &weakly)
            .implies(&["refines(Net1, Net1b)"], "weakly_refines(Net1, Net1b)")
            .implies(&["bisimilar(Net1, Net1b)"], "weakly_refines(Net1b, Net1)")
            .implies(&["weakly_refines(Net1, Net1b)"], &all)
            .implies(&[&all], &weakly)
            .implies(&[&weakly], &fewer)
    });
}

/// Whether something comes to an end, or shows something again and again; nothing when that is too much to find out.
fn never_spins(model: &str, name: &str) -> Option<bool> {
    let built = check_text(model).build(Some(name), &ElaborateOptions::default()).ok()?;
    Some(!diverges(&Lts::of(&built)?, Tracking(None), true))
}

/// What is weakly bisimilar also refines weakly, in both directions, where neither goes on silently for ever.
#[test]
fn weak_bisimilarity_without_divergence_is_weak_refinement() {
    theorem("weak bisimilarity without divergence", 30, 3, |random| {
        let model = sound(random, Quiet::No, |maker| {
            versions(
                maker,
                &["H"],
                &[("b", |maker, items| {
                    if maker.random.percent(60) { maker.slower(items) } else { maker.alike(items) }
                })],
            )
        });
        let mut instance = Instance::new(model.clone());
        for (one, other) in [("P1", "P1b"), ("Net1", "Net1b")] {
            if [one, other].iter().any(|name| never_spins(&model, name) != Some(true)) {
                continue;
            }
            let claim = format!("weakly_bisimilar({one}, {other})");
            instance = instance
                .implies(&[&claim], &format!("weakly_refines({one}, {other})"))
                .implies(&[&claim], &format!("weakly_refines({other}, {one})"));
        }
        instance
    });
}

// ---- filling ----

/// Two nets with holes, and two components for one of them, filled in all ways. The holes that are left are `K`, of the
/// nets, and `M`, of what fills them, or some of these.
fn filled(maker: &mut Maker<'_>, change: Change) -> Vec<Item> {
    let holes: &[&str] = if maker.random.percent(30) { &["H", "K"] } else { &["H"] };
    let mut all = versions(maker, holes, &[("b", change)]);
    let open = maker.random.percent(30);
    let mut filler = vec![maker.process(if open { "R1" } else { "Q1" })];
    if open {
        filler.push(maker.net("Q1", "R1", &["M"]));
    }
    all.extend(filler.clone());
    change(maker, &mut filler);
    all.extend(filler.iter().map(|item| renamed(item, &["Q1", "R1"], "b")));
    let (declared, passed) = if open { ("(M: Plain)", "(M)") } else { ("", "") };
    all.push(vec![
        format!("net Both{declared} = Net1(H: Q1{passed});"),
        format!("net OtherNet{declared} = Net1b(H: Q1{passed});"),
        format!("net OtherFill{declared} = Net1(H: Q1b{passed});"),
    ]);
    all
}

/// The nets of which pnet says that they see silent actions of their parts (W0201).
fn nets_that_observe(model: &str) -> Vec<String> {
    let files = Memory::file("model.pnet", model);
    let checked = sources::check(&files, "model.pnet");
    let found = checked.diagnostics.iter().filter(|found| found.entry.code == "W0201");
    let mut nets: Vec<String> =
        found.filter_map(|found| Some(found.message.split('`').nth(1)?.to_owned())).collect();
    nets.dedup();
    nets
}

fn congruence((word, quiet): (&str, Quiet), random: &mut Random) -> Instance {
    let model = sound(random, quiet, |maker| filled(maker, alike_or_slower));
    if quiet == Quiet::Yes {
        assert_eq!(nets_that_observe(&model), Vec::<String>::new(), "{model}");
    }
    Instance::new(model)
        .implies(&[&format!("{word}(Net1, Net1b)")], &format!("{word}(Both, OtherNet)"))
        .implies(&[&format!("{word}(Q1, Q1b)")], &format!("{word}(Both, OtherFill)"))
}

#[test]
fn bisimilarity_is_preserved_by_filling() {
    theorem("bisimilarity and filling", 25, 2, |random| congruence(STRONG, random));
}

/// Where nets do not see silent actions of what fills their holes.
#[test]
fn weak_bisimilarity_is_preserved_by_quiet_filling() {
    theorem("weak bisimilarity and filling", 20, 3, |random| congruence(WEAK, random));
}

/// Theorem 2 (context refinement) and Theorem 3 (congruence) of the SEFM paper. What they need is that the composition
/// on the smaller side blocks nothing.
fn refinement_of_filled(random: &mut Random, nonblocking: bool) -> Instance {
    let model = sound(random, Quiet::No, |maker| filled(maker, some_more));
    let has = |hole: &str| model.contains(&format!("{hole}: Plain"));
    let present = |hole: &'static str| if has(hole) { vec![hole] } else { Vec::new() };
    let (outer, inner) = (present("K"), present("M"));
    let (some_outer, some_inner) = (holes(random, &outer), holes(random, &inner));
    let with = |some: &[String], all: &[&str]| -> Vec<String> {
        some.iter().cloned().chain(all.iter().map(|&hole| hole.to_owned())).collect()
    };
    let nets = refines("Net1", "Net1b", &with(&some_outer, &["H"]));
    let fillers = refines("Q1", "Q1b", &some_inner);
    let needed: &[&str] = if nonblocking { &["nonblocking(Both)"] } else { &[] };
    Instance::new(model)
        .implies(
            &[needed, &[&nets]].concat(),
            &refines("Both", "OtherNet", &with(&some_outer, &inner)),
        )
        .implies(
            &[needed, &[&fillers]].concat(),
            &refines("Both", "OtherFill", &with(&some_inner, &outer)),
        )
}

/// What `verify` says about blocking is what going through all configurations says.
#[test]
fn blocking_is_found() {
    theorem("blocking", 60, 1, |random| {
        let model = sound(random, Quiet::No, |maker| filled(maker, some_more));
        let claim = match is_nonblocking(&model, "Net1", "Both") {
            Some(true) => "nonblocking(Both)",
            Some(false) => "not nonblocking(Both)",
            None => return Instance::new(model),
        };
        Instance::new(model).implies(&[], claim)
    });
}

#[test]
fn refinement_is_preserved_by_nonblocking_filling() {
    theorem("refinement and filling", 40, 8, |random| refinement_of_filled(random, true));
}

// ---- what does not follow ----

/// Were one of these hypotheses not needed, or not looked at, nothing would be found here.
#[test]
fn hypotheses_are_needed() {
    no_theorem("refinement and filling that blocks", |random| refinement_of_filled(random, false));
    no_theorem("weak bisimilarity where silent steps are seen", |random| {
        let model = sound(random, Quiet::No, |maker| {
            filled(maker, |maker, items| {
                let slower = items.len() == 1 || items[0][0].contains("R1");
                if slower { maker.slower(items) } else { maker.alike(items) }
            })
        });
        Instance::new(model)
            .implies(&["weakly_bisimilar(Q1, Q1b)"], "weakly_bisimilar(Both, OtherFill)")
    });
    no_theorem("bisimilarity and filling with anything", |random| {
        let model = sound(random, Quiet::No, |maker| filled(maker, some_change));
        Instance::new(model).implies(&[], "bisimilar(Both, OtherFill)")
    });
}

#[test]
fn converses_are_no_theorems() {
    fn two(random: &mut Random, quiet: Quiet, change: Change) -> Instance {
        Instance::new(sound(random, quiet, |maker| versions(maker, &["H", "K"], &[("b", change)])))
    }
    no_theorem("refinement is symmetric", |random| {
        let instance = two(random, Quiet::No, some_more);
        instance.implies(&["refines(Net1, Net1b)"], "refines(Net1b, Net1)")
    });
    no_theorem("refinement is bisimilarity", |random| {
        let instance = two(random, Quiet::No, some_more);
        instance.implies(&["refines(Net1, Net1b)"], "bisimilar(Net1, Net1b)")
    });
    no_theorem("weak is strong", |random| {
        let instance = two(random, Quiet::Yes, alike_or_slower);
        instance.implies(&["weakly_bisimilar(Net1, Net1b)"], "bisimilar(Net1, Net1b)")
    });
    no_theorem("tracking fewer holes is stronger", |random| {
        let instance = two(random, Quiet::No, some_more);
        let fewer = refines("Net1", "Net1b", &["K".to_owned()]);
        instance.implies(&[&fewer], "refines(Net1, Net1b)")
    });
    no_theorem("weak refinement is refinement", |random| {
        let instance = two(random, Quiet::Yes, some_more_or_slower);
        instance.implies(&["weakly_refines(Net1, Net1b)"], "refines(Net1, Net1b)")
    });
    no_theorem("weak refinement is weak bisimilarity", |random| {
        let instance = two(random, Quiet::Yes, some_more);
        instance.implies(&["weakly_refines(Net1, Net1b)"], "weakly_bisimilar(Net1, Net1b)")
    });
    no_theorem("everything is alike", |random| {
        two(random, Quiet::No, some_change).implies(&[], "bisimilar(Net1, Net1b)")
    });
    no_theorem("what is not alike is not transitive", |random| {
        let changes: [(&str, Change); 2] = [("b", some_change), ("c", some_change)];
        let model = sound(random, Quiet::No, |maker| versions(maker, &["H"], &changes));
        Instance::new(model).implies(&["not bisimilar(Net1, Net1b)"], "not bisimilar(Net1, Net1c)")
    });
}

#[track_caller]
fn words(text: &str) -> Vec<&'static str> {
    let checked = check_text(text);
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.count(), 0, "{:?}", checked.diagnostics);
    let run =
        |check| verify::run(&checked, check, &verify::ModelOptions::default(), &Unwatched).unwrap();
    checked.program.checks.iter().map(|check| run(check).verdict.word()).collect()
}

/// A choice sees silent steps: `tau.a` is weakly bisimilar to `a`, but `tau.a + b` is not to `a + b`. Where they pass
/// without being seen, it is.
#[test]
fn weak_bisimilarity_is_not_preserved_by_choice() {
    let text = "action a, b;
        interface Plain { a, b }
        process A { init state s; state t; s -> t : a; }
        process SlowA { init state r; state s, t; r -> s : tau; s -> t : a; }
        process B { init state s; state t; s -> t : b; }
        process Chooser {
            init state open; state left, right;
            open -> left : a; open -> right : b;
            left -> left : a; right -> right : b;
        }
        net Choice(P: Plain, Q: Plain) {
            sub C = Chooser;
            <P: a, C: a> -> a; <P: b, C: a> -> b; <P: tau, C: a> -> tau;
            <Q: a, C: b> -> a; <Q: b, C: b> -> b; <Q: tau, C: b> -> tau;
        }
        net Beside(P: Plain, Q: Plain) {
            <P: a> -> a; <P: b> -> b; <P: tau> -> tau; <P: sync ?x> -> sync x;
            <Q: a> -> a; <Q: b> -> b; <Q: tau> -> tau; <Q: sync ?x> -> sync x;
        }
        check weakly_bisimilar(SlowA, A);
        check weakly_bisimilar(Choice(SlowA, B), Choice(A, B));
        check weakly_bisimilar(Beside(SlowA, B), Beside(A, B));
    ";
    assert_eq!(words(text), ["proved", "refuted", "proved"]);
    assert_eq!(nets_that_observe(text), ["Choice"]);
}

/// What fills the hole does only what the larger net knows: the smaller one is stuck then.
#[test]
fn refinement_is_not_preserved_by_blocking_filling() {
    let text = "action a, b;
        interface Plain { a, b }
        net Small(P: Plain) { <P: a> -> a; }
        net Large(P: Plain) { <P: a> -> a; <P: b> -> b; }
        process OnlyB { init state s; s -> s : b; }
        net SmallB = Small(P: OnlyB);
        net LargeB = Large(P: OnlyB);
        check refines(Small, Large);
        check refines(Small(P: OnlyB), Large(P: OnlyB));
    ";
    assert_eq!(words(text), ["proved", "refuted"]);
    assert_eq!(is_nonblocking(text, "Small", "SmallB"), Some(false));
    assert_eq!(is_nonblocking(text, "Large", "LargeB"), Some(true));
}
