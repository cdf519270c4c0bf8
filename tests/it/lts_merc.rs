//! MERC as an outside oracle: what it says about two thousand pairs of random systems is written down in
//! `tests/merc/answers.txt`, so that nobody has to build it to run the tests.
//!
//! Where the program `oracles/merc` is built (`make oracles`), `PNET_FUZZ=…` asks it about other pairs, and `PNET_BLESS=1`
//! writes its answers down anew.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use pnetc::base::Unwatched;
use pnetc::lts::{Equivalence, Lts, LtsQuestion, ReduceLimits, Seen, compare};
use rustc_hash::FxHasher;

use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::{changed, larger, random, written};

/// How many pairs there are answers about.
const MANY: u64 = 2000;

/// The names that the oracle has for what is asked, in the order of the answers.
const ASKED: [(&str, LtsQuestion); 8] = [
    ("strong", LtsQuestion::Equivalent(Equivalence::Strong)),
    ("branching", LtsQuestion::Equivalent(Equivalence::Branching)),
    ("dpbranching", LtsQuestion::Equivalent(Equivalence::DivergencePreserving)),
    ("weak", LtsQuestion::Equivalent(Equivalence::Weak)),
    ("trace", LtsQuestion::Refines(Seen::Traces)),
    ("weak-trace", LtsQuestion::Refines(Seen::WeakTraces)),
    ("failures", LtsQuestion::Refines(Seen::Failures)),
    ("failures-divergences", LtsQuestion::Refines(Seen::FailuresDivergences)),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Two systems that are alike, or nearly so.
fn pair(seed: u64) -> (Lts, Lts) {
    let mut dice = Random::new(seed ^ 0x6d65_7263);
    let first = if seed.is_multiple_of(2) { random(&mut dice) } else { larger(&mut dice) };
    let second = changed(&first, &mut dice);
    (first, second)
}

fn fingerprint(first: &str, second: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (first, second).hash(&mut hasher);
    hasher.finish()
}

/// What pnet says: a letter for each question.
fn ours(first: &Lts, second: &Lts) -> String {
    let answer = |(_, question): (&str, LtsQuestion)| {
        let found =
            compare(first.clone(), second.clone(), question, ReduceLimits::default(), &Unwatched)
                .unwrap();
        if found.holds { 'y' } else { 'n' }
    };
    ASKED.into_iter().map(answer).collect()
}

/// The oracle, while it runs.
struct Merc {
    running: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Merc {
    /// Starts the oracle, if it is built.
    fn new(name: &str) -> Option<Merc> {
        let program = root().join("oracles/merc/target/release/merc-oracle");
        if !program.exists() {
            return None;
        }
        let mut command = Command::new(program);
        command.arg("answer").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut running = command.spawn().unwrap();
        let (ask, answers) = (running.stdin.take().unwrap(), running.stdout.take().unwrap());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("merc").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Some(Merc { running, ask, answers: BufReader::new(answers), folder })
    }

    /// What MERC says: a letter for each question.
    fn says(&mut self, first: &str, second: &str) -> String {
        let paths = [self.folder.join("first.aut"), self.folder.join("second.aut")];
        for (path, text) in paths.iter().zip([first, second]) {
            std::fs::write(path, text).unwrap();
        }
        let mut said = String::new();
        for (relation, _) in ASKED {
            let question = format!("{relation} {} {}", paths[0].display(), paths[1].display());
            writeln!(self.ask, "{question}").unwrap();
            let mut answer = String::new();
            self.answers.read_line(&mut answer).unwrap();
            said.push(answer.chars().next().expect("it has ended"));
        }
        said
    }
}

impl Drop for Merc {
    fn drop(&mut self) {
        let _ = self.running.kill();
        let _ = self.running.wait();
    }
}

fn answers() -> PathBuf {
    root().join("tests/merc/answers.txt")
}

/// Asks the oracle again, and writes down what it says.
fn renew() {
    let mut merc = Merc::new("renew").expect("`make oracles` builds the oracle");
    let mut text = String::from(
        "# What MERC 2.0 says about pairs of random systems: the seed, a hash of the two, and whether they compare as\n\
         # strong, branching, dpbranching, weak, trace, weak-trace, failures, failures-divergences (the last four one way).\n",
    );
    for seed in 0..MANY {
        let (first, second) = pair(seed);
        let (first, second) = (written(&first), written(&second));
        let said = merc.says(&first, &second);
        let _ = writeln!(text, "{seed} {:016x} {said}", fingerprint(&first, &second));
    }
    std::fs::create_dir_all(answers().parent().unwrap()).unwrap();
    std::fs::write(answers(), text).unwrap();
}

#[test]
fn merc_says_the_same() {
    if std::env::var_os("PNET_BLESS").is_some() && Merc::new("there").is_some() {
        renew();
    }
    let text = std::fs::read_to_string(answers()).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len() as u64, MANY);
    let mut counts = [(0, 0); ASKED.len()];
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let (first, second) = pair(words[0].parse().unwrap());
        let hash = format!("{:016x}", fingerprint(&written(&first), &written(&second)));
        assert_eq!(
            hash, words[1],
            "the systems are others than those that MERC was asked about: `make oracles`, and PNET_BLESS=1"
        );
        let (found, shown) =
            (ours(&first, &second), format!("{line}\n{}\n{}", written(&first), written(&second)));
        assert_eq!(found, words[2], "{shown}");
        for (count, letter) in counts.iter_mut().zip(found.chars()) {
            *(if letter == 'y' { &mut count.0 } else { &mut count.1 }) += 1;
        }
    }
    assert!(counts.iter().all(|(yes, no)| *yes > 100 && *no > 100), "{counts:?}");
}

/// Other pairs, if somebody asks for them.
#[test]
fn merc_says_the_same_of_more() {
    let (Some(many), Some(mut merc)) = (fuzz(), Merc::new("more")) else { return };
    for seed in seeds(many).map(|seed| seed + MANY) {
        let (first, second) = pair(seed);
        let said = merc.says(&written(&first), &written(&second));
        let shown = || format!("seed {seed}\n{}\n{}", written(&first), written(&second));
        assert_eq!(ours(&first, &second), said, "{}", shown());
    }
}
