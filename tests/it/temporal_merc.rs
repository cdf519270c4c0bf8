//! MERC as an outside oracle for formulas with fixpoints: what it says about two thousand random systems and formulas of the
//! modal mu-calculus is written down in `tests/merc/formulas.txt`, so that nobody has to build it to run the tests.
//!
//! Where the program `oracles/merc` is built (`make oracles`), `PNET_FUZZ=…` asks it about others, and `PNET_BLESS=1` writes its
//! answers down anew.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use pnetc::base::Dice;
use pnetc::temporal::{Decider, Modality, StateFormula as F, StepPattern};
use rustc_hash::FxHasher;

use crate::common::seeds::{fuzz, seeds};
use crate::temporal::{Small, modal, naive};

/// How many formulas there are answers about.
const MANY: u64 = 2000;

/// What is asked: a system and a formula.
fn asked(seed: u64) -> (Small, F) {
    let dice = &mut Dice::new(seed ^ 0x6d75_6e75);
    let most = if seed.is_multiple_of(2) { 5 } else { 30 };
    let small = Small::random_of(dice, most);
    let depth = 3 + dice.below(6);
    (small, modal(dice, depth, &mut Vec::new(), &mut 0))
}

/// A system as mCRL2's tools read it. A bit of a state is a step to itself that nothing else shows.
fn system_text(small: &Small) -> String {
    let mut lines = Vec::new();
    for (from, (steps, bits)) in small.steps.iter().zip(&small.bits).enumerate() {
        lines.extend(steps.iter().map(|(label, to)| format!("({from},\"a{label}\",{to})")));
        let bits = (0..2).filter(|bit| bits >> bit & 1 == 1);
        lines.extend(bits.map(|bit| format!("({from},\"p{bit}\",{from})")));
    }
    let head = format!("des (0,{},{})\n", lines.len(), small.steps.len());
    lines.iter().fold(head, |text, line| text + line + "\n")
}

/// A formula, or its opposite, in the words of mCRL2; negations stand at actions only.
fn formula_text(formula: &F, not: bool) -> String {
    let join = |parts: &[F], word: &str| {
        let parts: Vec<String> = parts.iter().map(|part| formula_text(part, not)).collect();
        format!("({})", parts.join(word))
    };
    match formula {
        F::Bool(value) => (*value != not).to_string(),
        F::Holds(says) if not => format!("[p{}] false", says.says.index()),
        F::Holds(says) => format!("<p{}> true", says.says.index()),
        // Every step shows what needs a hole.
        F::MayEnd if not => "<a1 || a2> true".to_owned(),
        F::MayEnd => "[a1 || a2] false".to_owned(),
        F::Not(inner) => formula_text(inner, !not),
        F::And(parts) => join(parts, if not { " || " } else { " && " }),
        F::Or(parts) => join(parts, if not { " && " } else { " || " }),
        F::Box(modality) => modality_text(modality, !not, not),
        F::Diamond(modality) => modality_text(modality, not, not),
        F::Fix { id, greatest, body, .. } => {
            let word = if *greatest == not { "mu" } else { "nu" };
            format!("({word} X{}. {})", id.index(), formula_text(body, not))
        }
        F::Again(id, _) => format!("X{}", id.index()),
        other => panic!("{other:?} is not made"),
    }
}

fn modality_text(modality: &Modality, all: bool, not: bool) -> String {
    // Bits are no steps.
    let step = format!("(a0 || a1 || a2) && {}", step_text(&modality.step));
    let then = formula_text(&modality.then, not);
    if all { format!("[{step}] ({then})") } else { format!("<{step}> ({then})") }
}

fn step_text(step: &StepPattern) -> String {
    let join = |parts: &[StepPattern], word: &str| {
        let parts: Vec<String> = parts.iter().map(step_text).collect();
        format!("({})", parts.join(word))
    };
    match step {
        StepPattern::Any => "true".to_owned(),
        StepPattern::Shows(term) => format!("a{}", term.index()),
        StepPattern::Not(inner) => format!("!({})", step_text(inner)),
        StepPattern::And(parts) => join(parts, " && "),
        StepPattern::Or(parts) => join(parts, " || "),
        other => panic!("{other:?} is not made"),
    }
}

fn fingerprint(system: &str, formula: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (system, formula).hash(&mut hasher);
    hasher.finish()
}

/// What pnet says.
fn ours(small: &mut Small, formula: &F) -> char {
    let system = small.explicit();
    let mut decider = Decider::new(&system, small, &[]);
    if decider.at_first(formula).unwrap()[0] { 'y' } else { 'n' }
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
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = root.join("oracles/merc/target/release/merc-oracle");
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

    fn says(&mut self, system: &str, formula: &str) -> char {
        let paths = [self.folder.join("formula.mcf"), self.folder.join("system.aut")];
        for (path, text) in paths.iter().zip([formula, system]) {
            std::fs::write(path, text).unwrap();
        }
        writeln!(self.ask, "holds {} {}", paths[0].display(), paths[1].display()).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer.chars().next().unwrap_or_else(|| panic!("it has ended:\n{system}\n{formula}"))
    }
}

impl Drop for Merc {
    fn drop(&mut self) {
        let _ = self.running.kill();
        let _ = self.running.wait();
    }
}

fn answers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/merc/formulas.txt")
}

/// Asks the oracle again, and writes down what it says.
fn renew() {
    let mut merc = Merc::new("formulas-renew").expect("`make oracles` builds the oracle");
    let mut text = String::from(
        "# What MERC 2.0 says about random systems and formulas of the modal mu-calculus: the seed, a hash of the two, and whether\n\
         # the formula holds in the first state.\n",
    );
    for seed in 0..MANY {
        let (small, formula) = asked(seed);
        let (system, formula) = (system_text(&small), formula_text(&formula, false));
        let said = merc.says(&system, &formula);
        let _ = writeln!(text, "{seed} {:016x} {said}", fingerprint(&system, &formula));
    }
    std::fs::write(answers(), text).unwrap();
}

#[test]
fn merc_says_the_same_of_formulas() {
    if std::env::var_os("PNET_BLESS").is_some() && Merc::new("formulas-there").is_some() {
        renew();
    }
    let text = std::fs::read_to_string(answers()).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len() as u64, MANY);
    let mut counts = [0; 2];
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let (mut small, formula) = asked(words[0].parse().unwrap());
        let (system, text) = (system_text(&small), formula_text(&formula, false));
        assert_eq!(
            format!("{:016x}", fingerprint(&system, &text)),
            words[1],
            "the formulas are others than those that MERC was asked about: `make oracles`, and PNET_BLESS=1"
        );
        let found = ours(&mut small, &formula);
        assert_eq!(found.to_string(), words[2], "{line}\n{system}\n{text}");
        counts[usize::from(found == 'y')] += 1;
    }
    assert!(counts.iter().all(|count| *count > 400), "{counts:?}");
}

/// Other formulas, if somebody asks for them. MERC 2.0 is wrong about few, in which fixpoints stand that do not matter, as in
/// `nu X . mu Y . (mu Z . X) && ((nu W . Y) || p)`: there, it is the definition that decides.
#[test]
fn merc_says_the_same_of_more_formulas() {
    let (Some(many), Some(mut merc)) = (fuzz(), Merc::new("formulas-more")) else { return };
    let mut wrong = 0;
    for seed in seeds(many).map(|seed| seed + MANY) {
        let (mut small, formula) = asked(seed);
        let (system, text) = (system_text(&small), formula_text(&formula, false));
        let said = merc.says(&system, &text);
        let defined = naive(&small, &formula, &mut Vec::new())[0];
        let found = ours(&mut small, &formula);
        assert_eq!(found == 'y', defined, "seed {seed}\n{system}\n{text}");
        wrong += u64::from(found != said);
    }
    println!("MERC says the same of {} formulas, and something else of {wrong}", many - wrong);
    assert!(wrong <= 1 + many / 500, "{wrong} of {many}");
}
