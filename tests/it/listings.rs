//! Certificates of proofs by exploration: all configurations, confirmed by solvers where they are few, and gone through by the
//! plain interpreter where they are many or the claim is none for solvers. What was changed is not confirmed.

use std::path::{Path, PathBuf};

use pnetc::base::{Budget, Unwatched, Watch};
use pnetc::emit::listing::{configuration_line, listing_schema};
use pnetc::emit::quoted_path;
use pnetc::explore::{EngineChoice, ExploreOptions};
use pnetc::loader::Question;
use pnetc::outcome::{Note, Verdict};
use pnetc::pnet::PNet;
use pnetc::session::Session;
use pnetc::verify::{
    self, CONFIGURATIONS, ClaimText, Listing, ListingFault, ModelOptions, NoCertificate, NotClosed,
    Texts, checksum, remake_listed,
};
use serde_json::Value;

use crate::certificates::{Done, Folder, pnet};
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Memory, Random, shrink};

/// Two that take turns, with an array, an enumeration and a range; and one that ends.
const TURNS: &str = "\
enum Colour { Red, Green }
action step(0..2), paint(Colour), last;

process Two {
    var turn: 0..2 = 0;
    var seen: [0..2]Int = [_]Int(0);
    var colour: Colour = Red;
    init state calm;
    state wild;

    calm -> wild : step(turn) do seen := seen[turn := 1 - seen[turn]];
    wild -> calm : paint(colour) do turn := 1 - turn, colour := if colour == Red then Green else Red;
}

process Ends {
    var n: Int = 0;
    init state s;
    final state t;

    s -> s : step(0) when n < 3 do n := n + 1;
    s -> t : last when n == 3;
}

check always(Two, seen[0] + seen[1] <= 2);
check not reaches(Two, Two in calm and turn == 0 and seen[0] == 0 and seen[1] == 1);
check deadlock_free(Two);
check deterministic(Two);
check live(Two, paint(Green));
check terminates(Ends);
check deadlock_free(Ends);
";

/// A folder with a model and the certificates of its checks.
struct Proofs(Folder);

impl Proofs {
    fn of(name: &str, text: &str, more: &[&str]) -> Proofs {
        let proofs = Proofs(Folder::new(&format!("listings-{name}")));
        std::fs::write(proofs.0.0.join("model.pnet"), text).unwrap();
        let (model, out) = (proofs.path("model.pnet"), proofs.path("proofs"));
        let args = [&["verify", &model, "--certificate", &out], more].concat();
        let done = pnet(&args);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        assert!(!done.out.contains("certificate"), "{}", done.out);
        proofs
    }

    fn path(&self, name: &str) -> String {
        self.0.0.join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, number: &str, name: &str) -> PathBuf {
        self.0.0.join("proofs").join(number).join(name)
    }

    fn listed(&self, number: &str) -> Listed {
        Listed::read(&std::fs::read_to_string(self.file(number, CONFIGURATIONS)).unwrap())
    }

    fn recheck(&self, solver: &str) -> Done {
        pnet(&["recheck", &self.path("proofs"), &self.path("model.pnet"), "--solver", solver])
    }

    /// Puts a file in the place of another, and its hash into the list.
    fn put(&self, number: &str, name: &str, text: &str) {
        let path = self.file(number, name);
        let old = checksum(&std::fs::read(&path).unwrap());
        std::fs::write(&path, text).unwrap();
        let list = self.file(number, "certificate.json");
        let adjusted = std::fs::read_to_string(&list).unwrap();
        let adjusted = adjusted.replace(&old, &checksum(text.as_bytes()));
        std::fs::write(list, adjusted).unwrap();
    }

    #[track_caller]
    fn is_noticed(&self, words: &str) {
        let done = self.recheck("z3");
        assert_ne!(done.status, 0, "{}", done.out);
        let all = format!("{}{}", done.out, done.err);
        assert!(all.contains(words), "it does not say {words:?}: {all}");
    }
}

/// A list of configurations, row by row.
#[derive(Clone)]
struct Listed {
    head: Vec<String>,
    rows: Vec<Vec<u32>>,
}

impl Listed {
    fn read(text: &str) -> Listed {
        let (head, lines): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('{'));
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for line in lines {
            let numbers: Vec<u32> = serde_json::from_str(line).unwrap();
            let above = rows.last().map_or(&[][..], |row| &row[..numbers[0] as usize]);
            rows.push([above, &numbers[1..]].concat());
        }
        Listed { head: head.into_iter().map(str::to_owned).collect(), rows }
    }

    /// The text with as many configurations as there are.
    fn text(&self) -> String {
        let mut head: Value = serde_json::from_str(&self.head[0]).unwrap();
        let old = format!("\"configurations\":{}", head["configurations"]);
        head["configurations"] = self.rows.len().into();
        let new = format!("\"configurations\":{}", head["configurations"]);
        let mut text = self.head[0].replace(&old, &new) + "\n";
        self.head[1..].iter().for_each(|line| text.push_str(&format!("{line}\n")));
        let mut above: &[u32] = &[];
        for row in &self.rows {
            configuration_line(above, row, &mut text);
            text.push('\n');
            above = row;
        }
        text
    }

    fn without(&self, row: usize) -> Listed {
        let mut less = self.clone();
        less.rows.remove(row);
        less
    }
}

// ---- whole certificates ----

#[test]
fn both_solvers_confirm_few_configurations_and_the_rest_is_gone_through() {
    let proofs = Proofs::of("whole", TURNS, &[]);
    for (number, scripts) in [
        ("001", true),
        ("002", true),
        ("003", true),
        ("004", false),
        ("005", false),
        ("006", false),
    ] {
        assert_eq!(proofs.file(number, "obligation-0001.smt2").exists(), scripts, "{number}");
        assert!(proofs.file(number, CONFIGURATIONS).exists(), "{number}");
    }
    for solver in ["z3", "cvc5"] {
        let done = proofs.recheck(solver);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        let last: Vec<&str> = done.out.lines().rev().take(2).collect();
        assert_eq!(last[1], "3 lists of configurations: gone through by the plain interpreter");
        assert!(last[0].starts_with("7 claims with "), "{}", last[0]);
        assert!(last[0].ends_with(", 0 contradicted, 0 unknown"), "{}", last[0]);
    }
    // Without the model nobody can go through them.
    let alone = pnet(&["recheck", &proofs.path("proofs")]);
    assert_eq!(alone.status, 3, "{}{}", alone.out, alone.err);
    assert!(alone.out.contains("nobody went through it, since the model is not given"));
}

#[test]
fn what_a_reduced_search_left_out_is_listed() {
    // With stand-ins there are fewer configurations, which are not closed under steps.
    let text = "action go(0..3);
        process P<i: Int> { init state a; state b; state c; a -> b : go(i); b -> c : go(i); c -> a : go(i); }
        net Three { sub P[i: 0..3] = P<i>; <P[i]: go(i)> -> go(i) for i in 0..3; }
        check always(Three, not (P[0] in a and P[1] in a and false));
        check deadlock_free(Three);";
    let proofs = Proofs::of("reduced", text, &["--engine", "explicit"]);
    for number in ["001", "002"] {
        assert_eq!(proofs.listed(number).rows.len(), 27, "{number}");
    }
    assert_eq!(proofs.recheck("cvc5").status, 0);
}

/// More configurations than solvers are asked about.
fn many() -> String {
    "action up(0..4);
        process Counter<i: Int> { var n: 0..11 = 0; init state s; s -> s : up(i) do n := (n + 1) mod 11; }
        net All { sub C[i: 0..4] = Counter<i>; <C[i]: up(i)> -> up(i) for i in 0..4; }
        check always(All, C[0].n <= 10 and C[3].n <= 10);"
        .to_owned()
}

#[test]
fn many_configurations_are_gone_through() {
    let proofs = Proofs::of("many", &many(), &["--engine", "explicit", "--reduce", "none"]);
    let list = proofs.listed("001");
    assert_eq!(list.rows.len(), 14_641);
    assert!(!proofs.file("001", "obligation-0001.smt2").exists());
    let done = proofs.recheck("z3");
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("1 list of configurations: gone through"), "{}", done.out);

    proofs.put("001", CONFIGURATIONS, &list.without(9_000).text());
    proofs.is_noticed("a step leads to");
    let cut: String = list.text().lines().take(5_000).map(|line| format!("{line}\n")).collect();
    proofs.put("001", CONFIGURATIONS, &cut);
    proofs.is_noticed("it ends after 4991 of 14641 configurations");
}

/// Values of all kinds are read as they were written.
#[test]
fn values_are_read_back() {
    let text = "data Tree { Leaf, Node(left: Tree, value: Int, right: Tree) }
        action grow;
        process P {
            var t: Tree = Leaf;
            var big: Int = 100000000000000000000;
            var far: [Int]Bool = [_]Bool(false);
            init state s;
            state t;
            s -> t : grow do t := Node(t, 0 - big, Leaf), far := far[big := true];
        }
        check always(P, big > 0);";
    let proofs = Proofs::of("values", text, &["--engine", "explicit"]);
    assert_eq!(proofs.listed("001").rows.len(), 2);
    assert!(proofs.file("001", "obligation-0001.smt2").exists());
    for solver in ["z3", "cvc5"] {
        let done = proofs.recheck(solver);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    }
}

/// Symbolic constants have a column each.
#[test]
fn constants_have_columns() {
    let text = "enum Mode { Slow, Quick }
        const M: Mode;
        action go;
        process P { var n: Int = 0; init state s; s -> s : go when n < 3 and (M == Quick or n < 1) do n := n + 1; }
        check always(P, n <= 1 or M == Quick);";
    let proofs = Proofs::of("constants", text, &["--engine", "explicit"]);
    let list = proofs.listed("001");
    assert_eq!(list.rows.len(), 6);
    assert!(list.head[1].contains("\"of\":\"constant\""), "{}", list.head[1]);
    for solver in ["z3", "cvc5"] {
        assert_eq!(proofs.recheck(solver).status, 0);
    }
}

// ---- predicates ----

/// A reachability predicate of an open automaton is an invariant of its net.
#[test]
fn predicates_are_confirmed_and_what_was_changed_is_not() {
    let text = "action go(Int), back;
        process P {
            var n: Int = 0;
            init state s;
            state t;
            s -> t : go(?x) when x > n do n := x;
            t -> s : back;
        }
        check always(P, n >= 0);
        check not reaches(P, P in t and n <= 0);
        check deadlock_free(P);";
    let proofs = Proofs::of("predicate", text, &["--engine", "symbolic"]);
    for solver in ["z3", "cvc5"] {
        let done = proofs.recheck(solver);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        assert!(done.out.lines().last().unwrap().starts_with("3 claims with "), "{}", done.out);
    }
    let found = std::fs::read_to_string(proofs.file("001", "invariant.pnet")).unwrap();
    assert!(found.contains("0 <= n"), "{found}");
    proofs.put("001", "invariant.pnet", &found.replace("0 <= n", "0 < n"));
    proofs.is_noticed("is not what the model comes to");
}

// ---- changes ----

#[test]
fn a_configuration_less_is_contradicted_by_solvers() {
    let proofs = Proofs::of("less", TURNS, &[]);
    let list = proofs.listed("001");
    for row in [0, list.rows.len() / 2, list.rows.len() - 1] {
        let less = list.without(row).text();
        proofs.put("001", CONFIGURATIONS, &less);
        proofs.is_noticed("is not what the model comes to");
        // With all that follows from it, the solver is the one to notice.
        let model = Memory::file("model.pnet", TURNS);
        let claim = ClaimText { text: "check always(Two, seen[0] + seen[1] <= 2)", settings: &[] };
        let mut lines = less.lines().map(|line| Ok(line.to_owned()));
        let list = (&mut lines as verify::Lines<'_>, Listing::Obligations);
        let options = ModelOptions::default();
        let made = remake_listed((&model, "model.pnet"), &claim, list, &options, &Unwatched);
        for (name, text) in made.unwrap().files {
            if name != "certificate.json" {
                proofs.put("001", &name, &text);
            }
        }
        let done = proofs.recheck("z3");
        assert_eq!(done.status, 1, "{}{}", done.out, done.err);
        assert!(done.out.contains("answers sat, not unsat"), "{}", done.out);
    }
}

#[test]
fn a_list_without_its_obligations_is_gone_through() {
    let proofs = Proofs::of("obligations", TURNS, &[]);
    let path = proofs.file("001", "certificate.json");
    let mut list: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    list["files"]
        .as_array_mut()
        .unwrap()
        .retain(|file| !file["file"].as_str().unwrap().ends_with(".smt2"));
    list["obligations"] = 0.into();
    std::fs::write(&path, format!("{list:#}\n")).unwrap();
    let done = proofs.recheck("z3");
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("4 lists of configurations: gone through"), "{}", done.out);
    let less = proofs.listed("001").without(0).text();
    proofs.put("001", CONFIGURATIONS, &less);
    proofs.is_noticed("the net may begin in `calm, turn = 0");
}

#[test]
fn damage_is_told_with_its_line() {
    let proofs = Proofs::of("damage", TURNS, &[]);
    let whole = proofs.listed("004");
    let text = whole.text();
    let columns = whole.head.len();
    let lines: Vec<&str> = text.lines().collect();
    let joined = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let with = |at: usize, line: &str| {
        let mut changed = lines.clone();
        changed[at] = line;
        joined(&changed)
    };
    let mut swapped = whole.clone();
    swapped.rows.swap(1, 2);
    let mut twice = whole.clone();
    twice.rows.insert(2, twice.rows[1].clone());
    for (changed, words) in [
        (with(0, "{}"), "line 1 does not say what is listed".to_owned()),
        (text.replace("\"net\":\"Two\"", "\"net\":\"Ends\""), "line 1 does not say".to_owned()),
        (
            text.replace("\"column\":\"turn\"", "\"column\":\"torn\""),
            "line 3 is not that of the column `turn`".to_owned(),
        ),
        (
            text.replace("\"calm\"", "\"wold\""),
            "line 2: the column `Two` cannot have the value `\"wold\"`".to_owned(),
        ),
        (text.replace("\"calm\",\"wild\"", "\"wild\",\"calm\""), "line 2 is not that".to_owned()),
        (with(columns + 1, "[0]"), format!("line {} is no configuration", columns + 2)),
        (with(columns + 1, "[1, 0]"), format!("line {} is no configuration", columns + 2)),
        (with(columns + 1, "nonsense"), format!("line {} is no configuration", columns + 2)),
        (with(columns, "[4,0,0,0,0]"), format!("line {} is no configuration", columns + 1)),
        (swapped.text(), format!("line {} should not come after the one above", columns + 3)),
        (twice.text(), format!("line {} should not come after the one above", columns + 3)),
        (joined(&lines[..lines.len() - 1]), "it ends after".to_owned()),
        (text[..text.len() - 4].to_owned(), "is no configuration".to_owned()),
        (format!("{text}[0]\n"), "there is something behind its".to_owned()),
        (String::new(), "line 1 does not say".to_owned()),
    ] {
        assert_ne!(changed, text, "{words}");
        proofs.put("004", CONFIGURATIONS, &changed);
        proofs.is_noticed(&words);
    }
    proofs.put("004", CONFIGURATIONS, &text);
    assert_eq!(proofs.recheck("z3").status, 0);
    std::fs::write(proofs.file("004", CONFIGURATIONS), whole.without(1).text()).unwrap();
    proofs.is_noticed("its checksum is wrong");
}

#[test]
fn other_claims_are_noticed() {
    let proofs = Proofs::of("claims", TURNS, &[]);
    for (number, claim, words) in [
        ("004", "check deterministic(Ends)", "line 1 does not say what is listed"),
        (
            "004",
            "check always(Two, Two in calm)",
            "what is claimed is not so in the configuration in line",
        ),
        (
            "004",
            "check always(Two, seen[turn + 5] == 0)",
            "what is claimed is not so in the configuration in line",
        ),
        ("004", "check terminates(Two)", "line 1 does not say what is listed"),
        ("004", "check bisimilar(Two, Two)", "is not confirmed"),
        ("004", "check size(Two) == (2, 2)", "what is claimed is not so"),
        ("004", "check not deterministic(Two)", "what is claimed not to hold has no certificate"),
        ("004", "check reaches(Two, Two in wild)", "checks of this kind have no certificates"),
        ("005", "check terminates(Two)", "does not become smaller"),
        ("005", "check live(Two, step(0)", "is no check"),
        ("006", "check live(Ends, last)", "does not become smaller"),
    ] {
        let path = proofs.file(number, "certificate.json");
        let whole = std::fs::read_to_string(&path).unwrap();
        let mut list: Value = serde_json::from_str(&whole).unwrap();
        list["claim"] = claim.into();
        std::fs::write(&path, format!("{list:#}\n")).unwrap();
        proofs.is_noticed(words);
        std::fs::write(&path, whole).unwrap();
    }
}

#[test]
fn other_ranks_are_noticed() {
    let proofs = Proofs::of("ranks", TURNS, &[]);
    for number in ["005", "006"] {
        let whole = proofs.listed(number);
        let text = whole.text();
        // All the same, as where nobody ever comes nearer.
        let mut flat = whole.clone();
        flat.rows.iter_mut().for_each(|row| *row.last_mut().unwrap() = 0);
        proofs.put(number, CONFIGURATIONS, &flat.text());
        proofs.is_noticed("does not become smaller");
        proofs.put(number, CONFIGURATIONS, &text);
    }
    assert_eq!(proofs.recheck("z3").status, 0);
}

#[test]
fn a_list_of_another_certificate_is_noticed() {
    let proofs = Proofs::of("swapped", TURNS, &[]);
    let (one, other) = (proofs.listed("004").text(), proofs.listed("006").text());
    proofs.put("004", CONFIGURATIONS, &other);
    proofs.put("006", CONFIGURATIONS, &one);
    proofs.is_noticed("line 1 does not say what is listed, or this is no list of this net");
}

/// What names its proof is proved by that, and by nothing else.
#[test]
fn a_check_by_an_invariant_is_not_proved_by_a_list() {
    let text = "action go;
        process P { var n: Int = 0; init state s; s -> s : go when n < 1 do n := n + 1; }
        invariant I of P { n <= 1; }
        check always(P, n <= 1) by I;";
    let model = Memory::file("model.pnet", text);
    let claim = ClaimText { text: "check always(P, n <= 1) by I", settings: &[] };
    let mut lines = std::iter::empty();
    let list = (&mut lines as verify::Lines<'_>, Listing::GoneThrough);
    let options = ModelOptions::default();
    let made = remake_listed((&model, "model.pnet"), &claim, list, &options, &Unwatched);
    assert_eq!(made, Err(NoCertificate::NoObligations));
}

/// Somebody who has no time.
struct Hurried(Budget);

impl Watch for Hurried {
    fn progress(&self, _: usize, _: usize, _: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

#[test]
fn a_spent_budget_ends_reading_and_going_through() {
    let proofs = Proofs::of("spent", &many(), &["--engine", "explicit", "--reduce", "none"]);
    let text = proofs.listed("001").text();
    let claim =
        ClaimText { text: "check always(All, C[0].n <= 10 and C[3].n <= 10)", settings: &[] };
    let model = Memory::file("model.pnet", many());
    let budget = Budget::of_work(20_000);
    let _here = budget.enter();
    let mut lines = text.lines().map(|line| Ok(line.to_owned()));
    let list = (&mut lines as verify::Lines<'_>, Listing::GoneThrough);
    let options = ModelOptions::default();
    let made =
        remake_listed((&model, "model.pnet"), &claim, list, &options, &Hurried(budget.clone()));
    assert!(budget.spent().is_some(), "{made:?}");
}

// ---- the form ----

#[test]
fn the_schema_of_lists_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configurations.schema.json");
    let made = format!("{:#}\n", listing_schema());
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), made, "PNET_BLESS=1 writes it anew");
}

// ---- random models ----

/// What is asked about a net: each kind of check that exploration proves.
fn questions(net: &PNet, name: &str, random: &mut Random) -> Vec<String> {
    let mut all = vec![
        format!("check deadlock_free({name})"),
        format!("check deterministic({name})"),
        format!("check terminates({name})"),
    ];
    let leaves = net.leaves();
    let leaves: Vec<_> = leaves.iter().filter(|(path, _)| !path.is_empty()).collect();
    for _ in 0..3.min(leaves.len()) {
        let mut place = || {
            let (path, leaf) = leaves[random.below(leaves.len())];
            let states = net.plts[*leaf].states.as_slice();
            let state = states[random.below(states.len())].name;
            format!("{} in {state}", quoted_path(path))
        };
        let (one, other) = (place(), place());
        all.push(format!("check always({name}, not ({one} and {other}))"));
        all.push(format!("check not reaches({name}, {one} and not {other})"));
    }
    all
}

#[derive(Default, Debug)]
struct Tried {
    listed: usize,
    for_solvers: usize,
    without: usize,
}

/// A proof by exploration has a certificate that is confirmed in both ways, and no more with one configuration less.
fn is_certified(text: &str, seed: u64) -> Result<Tried, String> {
    let Ok(net) = nets::accepted(text) else { return Ok(Tried::default()) };
    let mut random = Random::new(seed);
    let mut tried = Tried::default();
    let explore = ExploreOptions {
        engine: EngineChoice::Explicit,
        most_states: 1_500,
        ..ExploreOptions::default()
    };
    let options = ModelOptions { explore, ..ModelOptions::default() };
    for claim in questions(&net, net.name.as_str(), &mut random) {
        let (sources, session) = (Memory::file("model.pnet", text), Session::default());
        let question = Question::Checks(vec![claim.clone()]);
        let checked = session.ask(&sources, "model.pnet", Some(&question)).unwrap();
        if checked.has_errors() {
            continue;
        }
        let check =
            checked.checks().into_iter().find(|check| checked.is_asked(check.span)).unwrap();
        let Ok(outcome) = verify::run(&checked, check, &options, &Unwatched) else { continue };
        if outcome.verdict != Verdict::Proved {
            continue;
        }
        let made = match verify::certify(&checked, check, &options, &outcome, &Unwatched) {
            Some(Ok(made)) => made,
            Some(Err(Note::NoCertificate { why })) if !why.contains("contradicts") => {
                tried.without += 1;
                continue;
            }
            other => return Err(format!("{claim}: {other:?}")),
        };
        let list = made.files.iter().find(|(name, _)| name == CONFIGURATIONS);
        let Some((_, list)) = list else { continue };
        let scripts = made.files.iter().any(|(name, _)| name.ends_with(".smt2"));
        let written = verify::claim(&checked, check);
        let again = |list: &str, listing: Listing| {
            let mut lines = list.lines().map(|line| Ok(line.to_owned()));
            let list = (&mut lines as verify::Lines<'_>, listing);
            let claim = ClaimText { text: &written, settings: &[] };
            let sources = Texts(&checked.sources);
            remake_listed((&sources, "model.pnet"), &claim, list, &options, &Unwatched)
        };
        again(list, Listing::GoneThrough).map_err(|why| format!("{claim}: {why}"))?;
        tried.listed += 1;
        let listed = Listed::read(list);
        let less = listed.without(random.below(listed.rows.len())).text();
        match again(&less, Listing::GoneThrough) {
            Err(NoCertificate::NotClosed(NotClosed::Begin { .. } | NotClosed::Step { .. })) => {}
            Err(NoCertificate::Listing(ListingFault::Head)) if listed.rows.len() == 1 => {}
            other => return Err(format!("{claim}: one less: {:?}", other.map(|_| "confirmed"))),
        }
        if scripts {
            tried.for_solvers += 1;
            match again(&less, Listing::New) {
                Err(NoCertificate::Contradicted) => {}
                other => {
                    return Err(format!(
                        "{claim}: one less, for solvers: {:?}",
                        other.map(|_| "confirmed")
                    ));
                }
            }
        }
    }
    Ok(tried)
}

fn random_models(name: &str, shape: Shape, count: u64) {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut failures) = (Tried::default(), Vec::new());
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), shape);
        let label = format!("{name}, PNET_SEED={seed}");
        match shrink::tried(&label, &text, |text| is_certified(text, seed)) {
            Ok(found) => {
                total.listed += found.listed;
                total.for_solvers += found.for_solvers;
                total.without += found.without;
            }
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let many = seeds(count).count() > 1;
    assert!(total.listed > 0 && total.for_solvers > 0 || !many, "{total:?}");
    assert!(total.without <= total.listed || !many, "{total:?}");
}

#[test]
fn proofs_of_random_closed_nets_have_certificates() {
    random_models("listings closed", Shape::closed(), 30);
}

#[test]
fn proofs_of_random_open_nets_have_certificates() {
    random_models("listings open", Shape::open(), 20);
}
