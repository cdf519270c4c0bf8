//! Comparisons configuration by configuration: the engine that makes them and the one with a solver do not contradict each other,
//! and what was proved has a certificate, which the plain interpreter confirms, and not any more once a pair is changed.

use pnetc::base::{Unwatched, Watch};
use pnetc::explore::{EngineChoice, ExploreOptions};
use pnetc::model::Checked;
use pnetc::outcome::{Reason, Verdict};
use pnetc::sema::program::CheckDef;
use pnetc::verify::{
    self, COMPARED, ClaimText, MANIFEST, ModelOptions, NoCertificate, NotRelated, PAIRS, PairTexts,
    PairsFault, Texts, checksum, remake_pairs,
};

use crate::certificates::{Done, Folder, pnet};
use crate::common::nets::Shape;
use crate::common::pairs::{Kind, pair};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Patience, Random, check_text};

/// Counters that do the same, each step in one way only; and one with silent steps that do not count.
const COUNTERS: &str = "\
action up(0..3), down;

process Plain {
    var n: 0..3 = 0;
    init state s;

    s -> s : up(n) when n < 2 do n := n + 1;
    s -> s : down when n == 2 do n := 0;
}

process States {
    init state zero;
    state one, two;

    zero -> one : up(0);
    one -> two : up(1);
    two -> zero : down;
}

process Lazy {
    var n: 0..3 = 0;
    init state s;
    state t;

    s -> t : tau;
    t -> s : up(n) when n < 2 do n := n + 1;
    t -> s : down when n == 2 do n := 0;
}

process Less {
    init state zero;
    state one;

    zero -> one : up(0);
    one -> one : up(1);
}

check bisimilar(Plain, States);
check refines(Plain, States);
check weakly_bisimilar(Lazy, Plain);
check weakly_refines(Lazy, States);
";

/// A folder with a model and the certificates of its checks.
struct Proofs(Folder);

impl Proofs {
    fn new(name: &str) -> Proofs {
        let proofs = Proofs(Folder::new(&format!("related-{name}")));
        std::fs::write(proofs.0.0.join("model.pnet"), COUNTERS).unwrap();
        let (model, out) = (proofs.path("model.pnet"), proofs.path("proofs"));
        let done = pnet(&["verify", &model, "--certificate", &out, "--engine", "explicit"]);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        assert!(!done.out.contains("certificate"), "{}", done.out);
        proofs
    }

    fn path(&self, name: &str) -> String {
        self.0.0.join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, number: &str, name: &str) -> String {
        std::fs::read_to_string(self.0.0.join("proofs").join(number).join(name)).unwrap()
    }

    /// Puts a file in the place of another, and its hash into the list.
    fn put(&self, number: &str, name: &str, text: &str) {
        let old = checksum(self.read(number, name).as_bytes());
        let folder = self.0.0.join("proofs").join(number);
        std::fs::write(folder.join(name), text).unwrap();
        let list = self.read(number, "certificate.json");
        let list = list.replace(&old, &checksum(text.as_bytes()));
        std::fs::write(folder.join("certificate.json"), list).unwrap();
    }

    fn recheck(&self) -> Done {
        pnet(&["recheck", &self.path("proofs"), &self.path("model.pnet")])
    }

    /// Something is not confirmed, for a reason.
    #[track_caller]
    fn is_noticed(&self, words: &str) {
        let done = self.recheck();
        assert_eq!(done.status, 2, "{}{}", done.out, done.err);
        assert!(done.err.contains(words), "it does not say {words:?}: {}", done.err);
    }
}

/// The pairs of a list without one of them.
fn without(text: &str, place: usize) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let pairs = lines.len() - 1;
    lines.remove(place + 1);
    let head = format!("\"pairs\":{pairs}");
    (lines.join("\n") + "\n").replacen(&head, &format!("\"pairs\":{}", pairs - 1), 1)
}

#[test]
fn comparisons_are_confirmed_by_the_plain_interpreter() {
    let proofs = Proofs::new("confirmed");
    let done = proofs.recheck();
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("4 lists of pairs: gone through by the plain interpreter"));
    let alone = pnet(&["recheck", &proofs.path("proofs")]);
    assert_eq!(alone.status, 3);
    assert!(alone.out.contains("pairs.jsonl: nobody went through it"), "{}", alone.out);
    // A comparison that somebody asks for is certified in the same way.
    let (out, model) = (proofs.path("asked"), proofs.path("model.pnet"));
    let args = ["compare", &model, "Lazy", "States", "--weak", "--engine", "explicit"];
    let asked = pnet(&[&args[..], &["--certificate", &out]].concat());
    assert_eq!(asked.status, 0, "{}{}", asked.out, asked.err);
    let done = pnet(&["recheck", &out, &model]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("it was asked from outside"), "{}", done.out);
}

/// Each step has one answer, so that no pair can be missing.
#[test]
fn a_pair_that_is_missing_is_noticed() {
    let proofs = Proofs::new("missing");
    for number in ["001", "002", "003", "004"] {
        let whole = proofs.read(number, PAIRS);
        for place in 0..whole.lines().count() - 1 {
            proofs.put(number, PAIRS, &without(&whole, place));
            let done = proofs.recheck();
            let said = ["no answer within the pairs", "which is in no pair"];
            let noticed = said.iter().any(|words| done.err.contains(words));
            assert!(done.status == 2 && noticed, "{number} {place}: {}{}", done.out, done.err);
        }
        proofs.put(number, PAIRS, &whole);
    }
    assert_eq!(proofs.recheck().status, 0);
}

#[test]
fn what_is_changed_is_noticed_with_its_line() {
    let proofs = Proofs::new("changed");
    let changed = |name: &str, from: &str, to: &str, words: &str| {
        let whole = proofs.read("001", name);
        assert!(whole.contains(from), "{whole}");
        proofs.put("001", name, &whole.replacen(from, to, 1));
        proofs.is_noticed(words);
        proofs.put("001", name, &whole);
    };
    let pairs = proofs.read("001", PAIRS);
    let pair = |line: usize| pairs.lines().nth(line - 1).unwrap().to_owned();
    let second: [u32; 2] = serde_json::from_str(&pair(3)).unwrap();
    // Where the step of the first pair leads is another pair.
    let other = format!("[{},{}]", second[0], (second[1] + 1) % 3);
    changed(PAIRS, &pair(3), &other, "in line 2, ");
    changed(PAIRS, &pair(3), &pair(2), "line 3 should not come after the one above");
    changed(PAIRS, &pair(2), "[7,0]", "line 2 is no pair");
    changed(PAIRS, &pair(2), "[0, 0]", "line 2 is no pair");
    changed(PAIRS, "\"pairs\":3", "\"pairs\":4", "it ends after 3 of 4 pairs");
    changed(PAIRS, "\"pairs\":3", "\"pairs\":2", "behind its 2 pairs, in line 4");
    changed(PAIRS, "States", "Less", "line 1 does not say what is listed");
    changed(COMPARED[0], "[0,1,2]", "[0,1,true]", "`first.jsonl`: line 3");
    changed(COMPARED[1], "\"one\"", "\"four\"", "`second.jsonl`: line 2");
    changed("first.json", "Plain", "Pale", "is not what the model comes to");
    // The pairs of another claim are none of this one.
    let (own, other) = (proofs.read("001", PAIRS), proofs.read("003", PAIRS));
    proofs.put("001", PAIRS, &other);
    proofs.is_noticed("line 1 does not say what is listed");
    proofs.put("001", PAIRS, &own);
    assert_eq!(proofs.recheck().status, 0);
}

// ---- random models ----

/// Larger nets are left out.
const MOST: u64 = 200;

fn by(engine: EngineChoice) -> ModelOptions {
    let explore = ExploreOptions { engine, most_states: MOST, ..ExploreOptions::default() };
    ModelOptions { explore, ..ModelOptions::default() }
}

/// The texts of a certificate, to be read again; or with one pair less.
fn gone_through(
    checked: &Checked,
    claim: &str,
    files: &[(String, String)],
    watch: &dyn Watch,
) -> Result<(), NoCertificate> {
    let text =
        |name: &str| files.iter().find(|(one, _)| one == name).map(|(_, text)| text).unwrap();
    let lines = |name: &str| text(name).lines().map(|line| Ok(line.to_owned()));
    let (mut first, mut second) = (lines(COMPARED[0]), lines(COMPARED[1]));
    let mut pairs = lines(PAIRS);
    let texts = PairTexts { lists: [&mut first, &mut second], pairs: &mut pairs };
    let claim = ClaimText { text: claim, settings: &[] };
    let sources = (&Texts(&checked.sources) as &dyn pnetc::loader::Sources, checked.root.as_str());
    let made = remake_pairs(sources, &claim, (texts, true), &ModelOptions::default(), watch)?;
    let mut files = files.iter().filter(|(name, _)| name != MANIFEST);
    assert!(files.all(|file| made.files.contains(file)), "it is made in another way");
    Ok(())
}

#[derive(Default, Debug)]
struct Count {
    compared: usize,
    both: usize,
    proved: usize,
    missing: usize,
    noticed: usize,
}

/// Compares two nets configuration by configuration, and with a solver if that is wanted, and has a proof confirmed.
fn compared(
    checked: &Checked,
    (check, by_solver): (&CheckDef, bool),
    count: &mut Count,
    label: &str,
) {
    let watch = Patience::of(400);
    let options = by(EngineChoice::Explicit);
    let finite = verify::run(checked, check, &options, &watch).unwrap();
    if by_solver && finite.verdict != Verdict::Unknown {
        count.compared += 1;
        let other = verify::run(checked, check, &by(EngineChoice::Symbolic), &watch).unwrap();
        if other.verdict != Verdict::Unknown {
            count.both += 1;
            let claim = verify::claim(checked, check);
            assert_eq!(finite.verdict, other.verdict, "{label}: {claim}");
        }
    }
    if !matches!(finite.reason, Reason::PairsRelated { .. }) || finite.verdict != Verdict::Proved {
        return;
    }
    count.proved += 1;
    let made = verify::certify(checked, check, &options, &finite, &Unwatched).unwrap();
    let mut files = made.unwrap_or_else(|note| panic!("{label}: {note:?}")).files;
    let claim = verify::claim(checked, check);
    gone_through(checked, &claim, &files, &watch).unwrap_or_else(|why| panic!("{label}: {why}"));
    let at = files.iter().position(|(name, _)| name == PAIRS).unwrap();
    files[at].1 = without(&files[at].1, 0);
    count.missing += 1;
    match gone_through(checked, &claim, &files, &watch) {
        Err(NoCertificate::Pairs(PairsFault::NotRelated(
            NotRelated::Begin { .. } | NotRelated::Unanswered { .. } | NotRelated::Stuck { .. },
        ))) => count.noticed += 1,
        // There may be another answer among the pairs.
        Ok(()) => {}
        Err(why) => panic!("{label}: {why}"),
    }
}

#[test]
fn both_engines_agree_and_proofs_are_confirmed() {
    let shape = Shape { ints: false, constants: false, depth: 1, ..Shape::closed() };
    let mut count = Count::default();
    for (number, seed) in seeds(fuzz().unwrap_or(30)).enumerate() {
        let kinds = [Kind::Same, Kind::Mutated, Kind::Split, Kind::Delayed, Kind::Independent];
        let pair = pair(&mut Random::new(seed), shape, kinds[number % kinds.len()]);
        let checked = check_text(pair.text.as_str());
        let label = format!("PNET_SEED={seed}\n{}", pair.text);
        let checks = &checked.program.checks;
        for (at, check) in checks.iter().enumerate() {
            // The solver takes its time, so that it is asked about one of them.
            let by_solver = at == number % checks.len();
            compared(&checked, (check, by_solver), &mut count, &label);
        }
    }
    println!("{count:?}");
    assert!(
        count.compared < 10 || count.proved > 0 && count.both * 2 > count.compared,
        "{count:?}"
    );
    assert!(count.missing < 20 || count.noticed > 0, "{count:?}");
}
