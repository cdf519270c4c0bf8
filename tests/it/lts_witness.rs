//! Certificates of comparisons of labelled transition systems: on random pairs, what was found is shown or told apart again, step by
//! step, and not any more once it is changed; from outside, `pnet recheck` names what is wrong.

use pnetc::base::Unwatched;
use pnetc::lts::witness::{NoWitness, Witness, difference_line, tells_apart, witness};
use pnetc::lts::{Equivalence, Lts, LtsQuestion, ReduceLimits, Seen, compare};

use crate::cli::{Done, Folder};
use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::{changed, random, written};

const QUESTIONS: [LtsQuestion; 13] = [
    LtsQuestion::Equivalent(Equivalence::Strong),
    LtsQuestion::Equivalent(Equivalence::Branching),
    LtsQuestion::Equivalent(Equivalence::DivergencePreserving),
    LtsQuestion::Equivalent(Equivalence::Weak),
    LtsQuestion::Equivalent(Equivalence::Safety),
    LtsQuestion::Equivalent(Equivalence::Trace),
    LtsQuestion::Equivalent(Equivalence::WeakTrace),
    LtsQuestion::Simulated,
    LtsQuestion::Refines(Seen::WeakTraces),
    LtsQuestion::Refines(Seen::Failures),
    LtsQuestion::SeenAlike(Seen::Failures),
    LtsQuestion::Refines(Seen::FailuresDivergences),
    LtsQuestion::SeenAlike(Seen::FailuresDivergences),
];

/// The same with two blocks made one, or an item left out.
fn broken(shown: &Witness, dice: &mut Random) -> Option<Witness> {
    Some(match shown {
        Witness::Blocks(blocks) => {
            let most = *blocks.iter().max()?;
            let (from, to) =
                (dice.below(most as usize + 1) as u32, dice.below(most as usize + 1) as u32);
            let block = |block: &u32| if *block == from { to } else { *block };
            Witness::Blocks(blocks.iter().map(block).collect())
        }
        Witness::Pairs(pairs) => {
            let mut pairs = pairs.clone();
            pairs.remove(dice.below(pairs.len()));
            Witness::Pairs(pairs)
        }
        Witness::Sets(sets) => {
            let mut sets = sets.clone();
            sets.remove(dice.below(sets.len()));
            Witness::Sets(sets)
        }
    })
}

#[derive(Default, Debug)]
struct Count {
    held: usize,
    broken: usize,
    noticed: usize,
    apart: usize,
    /// How many of those that held were about failures, and how many of these were noticed when broken.
    failures: usize,
    refused: usize,
}

fn of_failures(question: LtsQuestion) -> bool {
    use Seen::{Failures, FailuresDivergences};
    matches!(
        question,
        LtsQuestion::Refines(Failures | FailuresDivergences)
            | LtsQuestion::SeenAlike(Failures | FailuresDivergences)
    )
}

fn looked_at(
    first: &Lts,
    second: &Lts,
    question: LtsQuestion,
    dice: &mut Random,
    count: &mut Count,
) {
    let limits = ReduceLimits::default();
    let found = compare(first.clone(), second.clone(), question, limits, &Unwatched).unwrap();
    let what = format!("{question:?}\n{}\n{}", written(first), written(second));
    if !found.holds {
        let line = difference_line(found.difference.as_ref().unwrap(), &found.labels);
        assert_eq!(tells_apart(&line, (first, second), question), Ok(()), "{line}{what}");
        assert!(tells_apart(&line, (first, first), question).is_err(), "{line}{what}");
        count.apart += 1;
        return;
    }
    let shown = witness((first, second), question, limits, &Unwatched).unwrap();
    count.failures += usize::from(of_failures(question));
    count.held += 1;
    let again = Witness::read(&shown.text()).unwrap();
    assert_eq!((again.fault(first, second, question), &again), (None, &shown), "{what}");
    if let Some(broken) = broken(&shown, dice).filter(|broken| *broken != shown) {
        count.broken += 1;
        match broken.fault(first, second, question) {
            Some(_) => {
                count.noticed += 1;
                count.refused += usize::from(of_failures(question));
            }
            // Blocks that can be one are told from those that cannot; of pairs, others may be enough.
            None => assert!(!matches!(broken, Witness::Blocks(_)), "{what}"),
        }
    }
}

#[test]
fn what_was_found_is_shown_again() {
    let mut count = Count::default();
    for seed in seeds(fuzz().unwrap_or(400)) {
        let mut dice = Random::new(seed);
        let first = random(&mut dice);
        let second = match dice.below(3) {
            0 => random(&mut dice),
            1 => changed(&first, &mut dice),
            _ => pnetc::lts::reduce(
                first.clone(),
                Equivalence::Branching,
                ReduceLimits::default(),
                &Unwatched,
            )
            .unwrap(),
        };
        for question in QUESTIONS {
            looked_at(&first, &second, question, &mut dice, &mut count);
        }
    }
    println!("{count:?}");
    assert!(count.held > 0 && count.apart > 0 && count.noticed * 2 > count.broken, "{count:?}");
    assert!(count.failures > 0 && count.refused > 0, "{count:?}");
}

/// What is said, on either way, has these words in it.
#[track_caller]
fn says(done: &Done, status: i32, words: &[&str]) {
    let all = format!("{}{}", done.out, done.err);
    assert_eq!(done.status, status, "{all}");
    words.iter().for_each(|word| assert!(all.contains(word), "no `{word}` in: {all}"));
}

const SILENT: &str = "des (0, 3, 3)\n(0, a, 1)\n(1, tau, 2)\n(2, b, 0)\n";
const PLAIN: &str = "des (0, 2, 2)\n(0, a, 1)\n(1, b, 0)\n";
const OTHER: &str = "des (0, 2, 2)\n(0, a, 1)\n(1, c, 0)\n";

#[test]
fn certificates_of_systems_are_looked_at_again() {
    let files = [("silent.aut", SILENT), ("plain.aut", PLAIN), ("other.aut", OTHER)];
    let folder = Folder::new("lts_witness", &files);
    let asked: [&[&str]; 6] = [
        &["--branching"],
        &["--weak"],
        &["--safety"],
        &["--weak-trace"],
        &["--failures"],
        &["--failures-divergences"],
    ];
    for by in asked {
        let certified = ["compare", "silent.aut", "plain.aut", "--certificate", "proof"];
        says(&folder.pnet(&[&certified[..], by].concat()), 0, &["proved"]);
        let again = folder.pnet(&["recheck", "proof", "silent.aut", "plain.aut"]);
        says(&again, 0, &["1 comparison of systems: looked at step by step"]);
        assert!(!again.out.contains("nobody looked"), "{}", again.out);
        says(&folder.pnet(&["recheck", "proof"]), 0, &["nobody looked whether it is `silent.aut`"]);
        // What is proved of these is not proved of others.
        let path = "proof/001/second.aut";
        let whole = folder.read(path);
        folder.write(path, &whole.replace("\"b\"", "\"c\""));
        says(&folder.pnet(&["recheck", "proof"]), 2, &["second.aut", "its checksum is wrong"]);
        let list = folder.read("proof/001/certificate.json");
        let hash = |text: &str| pnetc::verify::checksum(text.as_bytes());
        let new = list.replace(&hash(&whole), &hash(&folder.read(path)));
        folder.write("proof/001/certificate.json", &new);
        says(&folder.pnet(&["recheck", "proof"]), 2, &["is not confirmed", "line "]);
    }
    let refuted = ["compare", "silent.aut", "other.aut", "--branching", "--certificate", "proof"];
    says(&folder.pnet(&refuted), 1, &["refuted"]);
    says(&folder.pnet(&["recheck", "proof", "silent.aut", "other.aut"]), 0, &["refuted: "]);
    let path = "proof/001/evidence.jsonl";
    let (whole, list) = (folder.read(path), folder.read("proof/001/certificate.json"));
    let hash = |text: &str| pnetc::verify::checksum(text.as_bytes());
    for (from, to, words) in [
        ("\"b\"", "\"a\"", "does not hold in just one"),
        ("trace", "way", "does not say what tells"),
        ("true", "false", "does not hold in just one"),
    ] {
        let new = whole.replacen(from, to, 1);
        folder.write(path, &new);
        let listed = list.replace(&hash(&whole), &hash(&new));
        folder.write("proof/001/certificate.json", &listed);
        says(&folder.pnet(&["recheck", "proof"]), 2, &[words]);
    }
}

/// One set of a witness is changed, or one of its states: another witness is rejected unless it is one, which a comparison that
/// is a plain one of its own here says.
#[test]
fn witnesses_of_failures_are_not_forged() {
    // The first rests where it does nothing but `a`, the second where it does `b` as well: traces are the same.
    let [narrow, wide, round] = [
        "des (0, 4, 2)\n(0, tau, 1)\n(1, a, 1)\n(0, a, 0)\n(0, b, 0)\n",
        "des (0, 2, 1)\n(0, a, 0)\n(0, b, 0)\n",
        "des (0, 3, 1)\n(0, a, 0)\n(0, b, 0)\n(0, tau, 0)\n",
    ]
    .map(lts);
    let failures = LtsQuestion::Refines(Seen::Failures);
    let divergences = LtsQuestion::Refines(Seen::FailuresDivergences);
    let traces = LtsQuestion::Refines(Seen::WeakTraces);
    let of_traces = |first, second| {
        witness((first, second), traces, ReduceLimits::default(), &Unwatched).unwrap()
    };
    let fault = |first, second, question| of_traces(first, second).fault(first, second, question);
    assert!(matches!(fault(&narrow, &wide, failures), Some(NoWitness::Refuses { .. })));
    assert!(matches!(fault(&round, &wide, divergences), Some(NoWitness::Diverges { .. })));
    assert_eq!(fault(&round, &wide, failures), None);
    assert_eq!(fault(&wide, &narrow, failures), None);
}

fn lts(text: &str) -> Lts {
    crate::common::systems::read(text)
}
