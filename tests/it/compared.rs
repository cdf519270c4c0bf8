//! Comparisons `by` a reduction: beside what is so by definition, on random pairs of nets; what is too coarse is told; plays are
//! those of the nets, also where these are much larger than what was compared.

use crate::cli::Folder;
use crate::common::nets::Shape;
use crate::common::pairs::{self, Facts, Kind, facts, pair};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Patience, Random, check_text};
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::EngineChoice;
use pnetc::outcome::{Evidence, Note, Outcome, Reason, Reply, Verdict};
use pnetc::sema::program::CheckKind;
use pnetc::verify;

fn outcomes(text: &str, engine: EngineChoice) -> Vec<(CheckKind, Outcome)> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}\n{text}", checked.diagnostics);
    let mut options = verify::ModelOptions::default();
    options.explore.engine = engine;
    let run = |check| verify::run(&checked, check, &options, &Patience::default()).unwrap();
    checked.program.checks.iter().map(|check| (check.kind, run(check))).collect()
}

fn is_so(facts: &Facts, kind: CheckKind) -> bool {
    match kind {
        CheckKind::Bisimilar => facts.bisimilar,
        CheckKind::WeaklyBisimilar => facts.weakly_bisimilar,
        CheckKind::WeaklyRefines => facts.weakly_refines,
        _ => facts.refines,
    }
}

/// The checks, and what a root may preserve for each.
const ROOTS: [(&str, &[&str]); 4] = [
    ("bisimilar", &["strong"]),
    ("refines", &["strong"]),
    ("weakly_bisimilar", &["strong", "dpbranching", "branching", "weak"]),
    ("weakly_refines", &["strong", "dpbranching"]),
];

/// A pair with all its comparisons, each by one reduction of the left net and by one of the right one.
fn asked(pair: &pairs::Pair, random: &mut Random) -> String {
    let models = pair.text.split("\ncheck ").next().unwrap_or_default();
    let mut text = format!("{models}\n");
    for (number, (kind, roots)) in ROOTS.iter().enumerate() {
        for (side, net) in [("L", &pair.left), ("R", &pair.right)] {
            let name = format!("By{side}{number}");
            let root = random.pick(roots);
            let said = match random.below(3) {
                0 => String::new(),
                1 => format!("root {root};"),
                _ => format!("leaf {root}; root {root};"),
            };
            text += &format!("reduction {name} of {net} {{ {said} }}\n");
            text += &format!("check {kind}({}, {}) by {name};\n", pair.left, pair.right);
        }
    }
    text
}

#[derive(Default, Debug)]
struct Count {
    proved: usize,
    refuted: usize,
    refused: usize,
    moves: usize,
}

impl Count {
    fn look(&mut self, (kind, outcome): &(CheckKind, Outcome), so: bool, label: &str) {
        match (outcome.verdict, so, &outcome.reason) {
            (Verdict::Proved, true, Reason::ComposedRelated { .. }) => self.proved += 1,
            (Verdict::Refuted, false, Reason::ToldApart { moves }) => {
                self.refuted += 1;
                self.moves += moves;
                let Evidence::Play(play) = &outcome.evidence else { panic!("{label}: no play") };
                let last = play.moves.last();
                let unanswered = last.is_some_and(|one| matches!(one.reply, Reply::None { .. }));
                assert!(unanswered != play.stuck.is_some(), "{label}: the play does not end");
            }
            (Verdict::Unknown, _, Reason::NotComposed { .. }) => self.refused += 1,
            (verdict, so, reason) => {
                panic!("{kind:?} is {so}, but {verdict:?}: {reason:?}\n{label}")
            }
        }
    }
}

fn random_pairs(kind: Kind, count: u64) -> Count {
    let mut total = Count::default();
    for seed in seeds(fuzz().unwrap_or(count)) {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(2);
        let shape = Shape { ints: false, constants: false, depth, ..Shape::closed() };
        let (pair, facts) = loop {
            let pair = pair(&mut random, shape, kind);
            let checked = check_text(pair.text.as_str());
            let net = |name: &str| checked.build(Some(name), &ElaborateOptions::default()).unwrap();
            let lts = |name: &str| pairs::Lts::of(&net(name));
            let found = lts(&pair.left).zip(lts(&pair.right));
            if let Some(facts) = found.and_then(|(left, right)| facts(&left, &right)) {
                break (pair, facts);
            }
        };
        let text = asked(&pair, &mut random);
        let label = format!("{kind:?}, PNET_SEED={seed}\n{text}");
        for one in outcomes(&text, EngineChoice::Auto) {
            total.look(&one, is_so(&facts, one.0), &label);
        }
        for one in outcomes(&pair.text, EngineChoice::Composition) {
            total.look(&one, is_so(&facts, one.0), &label);
        }
    }
    println!("{kind:?}: {total:?}");
    total
}

#[test]
fn reductions_of_one_net_or_both_settle_comparisons() {
    let kinds = [Kind::Same, Kind::Split, Kind::Mutated, Kind::Independent, Kind::Delayed];
    let totals = kinds.map(|kind| random_pairs(kind, 8));
    let sum = |of: fn(&Count) -> usize| totals.iter().map(of).sum::<usize>();
    assert!(sum(|one| one.proved) > 0 && sum(|one| one.refuted) > 0, "{totals:?}");
    let settled = sum(|one| one.proved + one.refuted);
    assert!(settled > 5 * sum(|one| one.refused), "{totals:?}");
}

/// Cells in a row, each of which passes on what it has; all but the ends is hidden.
fn row(cells: usize, last: &str) -> String {
    format!(
        "action put(Bool), get(Bool), move(0..{more}, Bool);

process Cell<me: Int> {{
    var kept: Bool = false;
    init state empty;
    state full;

    empty -> full  : move(me, ?x)        do kept := x;
    full  -> empty : move(me + 1, kept);
}}

process Last {{
    var kept: Bool = false;
    init state empty;
    state full;

    empty -> full  : move({cells}, ?x) do kept := x;
    {last}
}}

net Row {{
    sub C[i: 0..{cells}] = Cell<i>;
    sub L = Last;

    <C[0]: move(0, x)>                                 -> put(x);
    <C[i]: move(i + 1, x), C[i + 1]: move(i + 1, x)>   -> sync move(i + 1, x) for i in 0..{before};
    <C[{before}]: move({cells}, x), L: move({cells}, x)> -> sync move({cells}, x);
    <L: get(x)>                                        -> get(x);
}}

/// What it is from outside: what was put and not got yet, in order.
process Queue {{
    var many: 0..{two} = 0;
    var bits: [0..{more}]Bool = [_]Bool(false);
    init state s;

    s -> s : put(?x) when many < {more} do bits := bits[many := x], many := many + 1;
    s -> s : get(bits[0]) when many > 0 do bits := bits{shifted}, many := many - 1;
}}

reduction Small of Row {{
    root branching;
}}

reduction Finer of Row {{
    root dpbranching;
}}

reduction Strong of Row {{
    leaf strong;
    root strong;
}}

check weakly_bisimilar(Row, Queue) by Small;
check weakly_bisimilar(Queue, Row) by Small;
check weakly_refines(Row, Queue) by Finer;
check weakly_refines(Queue, Row) by Finer;
check not bisimilar(Row, Queue) by Strong;
",
        more = cells + 1,
        two = cells + 2,
        before = cells - 1,
        shifted = (0..cells)
            .map(|at| format!("[{at} := bits[{}]]", at + 1))
            .chain([format!("[{cells} := false]")])
            .collect::<String>(),
    )
}

#[test]
fn rows_of_cells_are_queues() {
    for (kind, outcome) in outcomes(&row(4, "full -> empty : get(kept);"), EngineChoice::Auto) {
        let made = outcome.notes.iter().filter(|note| matches!(note, Note::Composed(_))).count();
        assert_eq!((outcome.verdict, made), (Verdict::Proved, 1), "{kind:?}: {outcome:?}");
    }
}

/// One that keeps for ever what is true once it has come to the end: a play has steps inside of the row.
#[test]
fn plays_are_those_of_the_net() {
    let text = row(4, "full -> empty : get(kept) when not kept; full -> empty : tau when kept;");
    let mut silent = 0;
    for (kind, outcome) in outcomes(&text, EngineChoice::Auto).into_iter().take(4) {
        assert_eq!(outcome.verdict, Verdict::Refuted, "{kind:?}: {outcome:?}");
        let Evidence::Play(play) = &outcome.evidence else { panic!("{outcome:?}") };
        assert!(play.moves.len() > 1, "{play:?}");
        silent += play.moves.iter().filter(|one| matches!(one.reply, Reply::Stays { .. })).count();
    }
    assert!(silent > 0, "none of them has a step inside of the row");
}

const CLOCKS: &str = "action tick, tock;

process Clock {
    init state s;
    state t;

    s -> t : tick;
    t -> s : tau;
}

process Plain {
    init state s;

    s -> s : tick;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
    <A: tau>           -> tau;
    <B: tau>           -> tau;
}

";

#[test]
fn what_forgets_too_much_is_told() {
    let folder = Folder::new("compared", &[]);
    for (root, check, said) in [
        ("branching", "bisimilar(Two, Plain)", Some("write `root strong;`")),
        ("dpbranching", "refines(Two, Plain)", Some("write `root strong;`")),
        ("weak", "weakly_refines(Two, Plain)", Some("write `root dpbranching;`")),
        ("safety", "weakly_bisimilar(Two, Plain)", Some("write `root weak;`")),
        ("weak", "weakly_bisimilar(Plain, Two)", None),
        ("dpbranching", "weakly_refines(Plain, Two)", None),
    ] {
        let text = format!("{CLOCKS}reduction R of Two {{ root {root}; }}\ncheck {check} by R;\n");
        folder.write("m.pnet", &text);
        let done = folder.pnet(&["verify", "m.pnet"]);
        match said {
            Some(said) => {
                assert_eq!(done.status, 2, "{}{}", done.out, done.err);
                assert!(done.err.contains("T0139") && done.err.contains(said), "{}", done.err);
            }
            None => {
                assert_eq!(done.status, 0, "{}{}", done.out, done.err);
                assert!(done.out.contains("made part by part"), "{}", done.out);
            }
        }
    }
    folder.write(
        "m.pnet",
        &format!("{CLOCKS}reduction R of Clock {{ }}\ncheck bisimilar(Two, Plain) by R;\n"),
    );
    let done = folder.pnet(&["verify", "m.pnet"]);
    assert!(done.err.contains("T0137") && done.err.contains("`Two` and `Plain`"), "{}", done.err);
}

/// What was settled part by part has a certificate where the nets themselves are not too large.
#[test]
fn what_reductions_prove_is_certified() {
    let folder = Folder::new("compared_certified", &[]);
    let checks = "reduction R of Two { root dpbranching; }
check weakly_bisimilar(Two, Plain) by R;
check weakly_refines(Plain, Two) by R;
check deadlock_free(Two) by R;
check always(Two, A in s or A in t) by R;
";
    folder.write("m.pnet", &format!("{CLOCKS}{checks}"));
    let done = folder.pnet(&["verify", "m.pnet", "--certificate", "proof"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let again = folder.pnet(&["recheck", "proof", "m.pnet"]);
    assert_eq!(again.status, 0, "{}{}", again.out, again.err);
    assert!(!again.out.contains("without a certificate"), "{}", again.out);
    // Once the model is another one, it is not confirmed.
    folder.write("m.pnet", &format!("{}{checks}", CLOCKS.replace("t -> s : tau", "t -> s : tock")));
    assert_ne!(folder.pnet(&["recheck", "proof", "m.pnet"]).status, 0);
}
