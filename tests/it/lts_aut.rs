//! Files in the Aldebaran format: what is read, what is said about those that are broken, and that nothing panics.

use pnetc::diagnostics::Severity;
use pnetc::lts::aut::{AutRead, AutReader};
use pnetc::lts::{Lts, LtsLabel};

use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::{random, read, written};

/// Reads a file in pieces of some size.
fn read_in_pieces(file: &[u8], silent: &[&str], size: usize) -> AutRead {
    let silent: Vec<String> = silent.iter().map(|name| (*name).to_owned()).collect();
    let mut reader = AutReader::new("test.aut", &silent);
    for piece in file.chunks(size) {
        if !reader.push(piece) {
            break;
        }
    }
    reader.finish()
}

fn read_as(file: &str, silent: &[&str]) -> AutRead {
    read_in_pieces(file.as_bytes(), silent, 7)
}

/// The transitions of a system, in words.
fn shown(lts: &Lts) -> Vec<String> {
    let steps = |from| {
        lts.steps(from).iter().map(move |step| {
            let silent = if step.label.is_silent() { " silently" } else { "" };
            format!("{} {}{silent} {}", from.0, lts.text(step.label), step.to.0)
        })
    };
    lts.ids().flat_map(steps).collect()
}

/// Codes with the place that they are about: `F0102 3:5-9`.
fn said(read: &AutRead) -> Vec<String> {
    let one = |one: &pnetc::diagnostics::Diagnostic| {
        let file = read.sources.file_of(one.span()).unwrap();
        let (start, end) = (file.position(one.span().start), file.position(one.span().end));
        format!("{} {}:{}-{}", one.entry.code, start.line, start.column, end.column)
    };
    read.diagnostics.iter().map(one).collect()
}

#[test]
fn the_example_of_the_format() {
    let file =
        "des (0, 4, 3)\n(0, \"PUT !3\", 1)\n(1, i, 2)\n(2, \"GET !3\", 0)\n(2, \"ERR, y\", 2)\n";
    let read = read_as(file, &["i"]);
    assert_eq!(said(&read), [""; 0]);
    let lts = read.lts.unwrap();
    assert_eq!(shown(&lts), ["0 PUT !3 1", "1 i silently 2", "2 GET !3 0", "2 ERR, y 2"]);
    assert_eq!((lts.states(), lts.transitions(), lts.initial().0, read.lines), (3, 4, 0, 4));
}

#[test]
fn what_other_tools_write() {
    let all = [
        "des(1,2,2)\n(0,a b,1)\n(1,tau,0)",
        "des (1, 2, 2)      \r\n(0, \"a b\", 1)\r\n(1, \"tau\", 0)\r\n",
        "\n  des  ( 1 , 2 , 2 )\n\n\t( 0 , a b , 1 )  \n(1, tau, 0)\n\n",
    ];
    for file in all {
        let read = read_as(file, &["tau"]);
        assert_eq!(said(&read), [""; 0], "{file}");
        let lts = read.lts.unwrap();
        assert_eq!(shown(&lts), ["0 a b 1", "1 tau silently 0"], "{file}");
        assert_eq!(lts.initial().0, 1, "{file}");
    }
}

#[test]
fn a_label_goes_from_the_first_comma_to_the_last() {
    let lts = read("des (0, 3, 2)\n(0, f(1, 2), 1)\n(0, \"a, \"b\", c\", 1)\n(0, \"\", 1)\n");
    assert_eq!(shown(&lts), ["0 f(1, 2) 1", "0 a, \"b\", c 1", "0  1"]);
}

#[test]
fn the_silent_action_has_the_names_that_are_given() {
    let file = "des (0, 3, 2)\n(0, i, 1)\n(0, tau, 1)\n(1, \"i\", 0)\n";
    let silent = |names: &[&str]| {
        let lts = read_as(file, names).lts.unwrap();
        let steps = lts.ids().flat_map(|state| lts.silent_steps(state).to_vec());
        (steps.count(), lts.text(LtsLabel::SILENT).to_owned())
    };
    assert_eq!(silent(&["i"]), (2, "i".to_owned()));
    assert_eq!(silent(&["tau"]), (1, "tau".to_owned()));
    assert_eq!(silent(&["tau", "i"]), (2, "tau".to_owned()));
    assert_eq!(said(&read_as("des (0, 1, 2)\n(0, i, 1)\n", &["tau"])), ["F0105 2:5-6"]);
    assert_eq!(said(&read_as("des (0, 1, 2)\n(0, \"tau\", 1)\n", &["i"])), ["F0105 2:6-9"]);
    assert_eq!(said(&read_as("des (0, 1, 2)\n(0, in, 1)\n", &["tau"])), [""; 0]);
}

#[test]
fn counts_are_not_relied_on() {
    let read = |file: &str| {
        let read = read_as(file, &["tau"]);
        let lts = read.lts.as_ref().unwrap();
        let sizes = (lts.states(), lts.transitions());
        assert!(read.diagnostics.iter().all(|one| one.severity == Severity::Warning));
        (sizes, said(&read))
    };
    let warned = |range: &str| vec![format!("F0104 1:1-{range}")];
    assert_eq!(read("des (0, 2, 2)\n(0, a, 1)\n"), ((2, 1), warned("14")));
    assert_eq!(read("des (0, 1, 1)\n(0, a, 7)\n"), ((8, 1), warned("14")));
    assert_eq!(read("des (5, 0, 1)\n"), ((6, 0), warned("14")));
    assert_eq!(read("des (0, 0, 1)\n"), ((1, 0), vec![]));
    let huge = "des (0, 18446744073709551614, 18446744073709551614)\n(0, a, 1)\n";
    assert_eq!(read(huge), ((2, 1), warned("52")));
    // The same line twice is one transition, and no mistake.
    assert_eq!(read("des (0, 2, 2)\n(0, a, 1)\n(0, \"a\", 1)\n"), ((2, 1), vec![]));
}

#[test]
fn broken_files_are_told_where_and_why() {
    let all: [(&[u8], &[&str]); 22] = [
        (b"", &["F0101 1:1-1"]),
        (b"\n\n  \n", &["F0101 4:1-1"]),
        (b"hello\n", &["F0101 1:1-6"]),
        (b"des 0, 0, 1\n", &["F0101 1:5-12"]),
        (b"des (0, 0)\n", &["F0101 1:10-11"]),
        (b"des (0, 0, 1\n", &["F0101 1:12-13"]),
        (b"des (0, 0, 1) 2\n", &["F0101 1:15-16"]),
        (b"des (-1, 0, 1)\n", &["F0101 1:6-15"]),
        (b"des (4294967295, 0, 1)\n", &["F0101 1:6-16"]),
        (b"des (0, 1, 2)\n0, a, 1\n", &["F0102 2:1-8"]),
        (b"des (0, 1, 2)\n(x, a, 1)\n", &["F0102 2:2-10"]),
        (b"des (0, 1, 2)\n(0 a 1)\n", &["F0102 2:4-8"]),
        (b"des (0, 1, 2)\n(0, a)\n", &["F0102 2:5-7"]),
        (b"des (0, 1, 2)\n(0,, 1)\n", &["F0102 2:3-5"]),
        (b"des (0, 1, 2)\n(0, a, )\n", &["F0102 2:8-9"]),
        (b"des (0, 1, 2)\n(0, a, 1\n", &["F0102 2:8-9"]),
        (b"des (0, 1, 2)\n(0, a, 1) x\n", &["F0102 2:11-12"]),
        (b"des (0, 1, 2)\n(0, \"a, 1)\n", &["F0102 2:4-7"]),
        (b"des (0, 1, 2)\n(0, a, 1 1/2 2)\n", &["F0102 2:7-16"]),
        (b"des (0, 1, 2)\n(0, \"\xff\", 1)\n", &["F0102 2:4-8"]),
        (b"des (0, 1, 2)\n(4294967295, a, 1)\n", &["F0103 2:2-12"]),
        (b"des (0, 2, 2)\n(0, a, 1\n(1, b, 0)\n(1; c, 0)\n", &["F0102 2:8-9", "F0102 4:3-10"]),
    ];
    for (file, expected) in all {
        let shown = String::from_utf8_lossy(file);
        for size in [1, 3, 1000] {
            let read = read_in_pieces(file, &["tau"], size);
            assert_eq!(said(&read), expected, "{shown}");
            assert!(read.lts.is_none(), "{shown}");
        }
    }
}

#[test]
fn a_file_that_was_cut_is_told() {
    let whole = "des (0, 2, 2)\n(0, \"press\", 1)\n(1, \"release\", 0)\n";
    let cut = &whole[..whole.len() - 6];
    let read = read_as(cut, &["tau"]);
    assert_eq!(said(&read), ["F0102 3:5-13"]);
    assert!(read.diagnostics[0].notes[0].contains("ends in the middle"), "{:?}", read.diagnostics);
    assert_eq!(said(&read_as(&whole[..whole.len() - 1], &["tau"])), [""; 0]);
}

#[test]
fn not_more_than_twenty_problems_are_told() {
    let mut file = "des (0, 100, 2)\n".to_owned();
    (0..100).for_each(|_| file += "(0, a)\n");
    assert_eq!(read_as(&file, &["tau"]).diagnostics.len(), 20);
}

#[test]
fn what_is_written_is_read() {
    for seed in seeds(fuzz().unwrap_or(500)) {
        let lts = random(&mut Random::new(seed));
        let text = written(&lts);
        let again = read(&text);
        // The steps of a state are in the order in which their labels were read first.
        let sorted = |lts: &Lts| {
            let mut all = shown(lts);
            all.sort();
            (all, lts.states(), lts.initial())
        };
        assert_eq!(sorted(&again), sorted(&lts), "seed {seed}");
    }
}

#[test]
fn labels_are_written_such_that_they_can_be_read() {
    let lts = read("des (0, 2, 2)\n(0, say \"hi\", 1)\n(1, \"tau\", 0)\n");
    assert_eq!(written(&lts), "des (0, 2, 2)\n(0, \"say \"hi\"\", 1)\n(1, tau, 0)\n");
    assert_eq!(shown(&read(&written(&lts))), shown(&lts));
}

/// Transitions in any order are the same system.
#[test]
fn the_order_of_lines_does_not_matter() {
    for seed in seeds(fuzz().unwrap_or(200)) {
        let mut dice = Random::new(seed);
        let text = written(&random(&mut dice));
        let (header, rest) = text.split_once('\n').unwrap();
        let mut lines: Vec<&str> = rest.lines().collect();
        let before = shown(&read(&text));
        dice.shuffle(&mut lines);
        let mut after = shown(&read(&format!("{header}\n{}", lines.join("\n"))));
        let mut before = before;
        after.sort();
        before.sort();
        assert_eq!(after, before, "seed {seed}");
    }
}

/// Whatever is in a file, there is a system or an error with a place, however the file comes.
#[test]
fn nothing_panics_on_files_that_are_broken_at_random() {
    let (mut broken, mut whole) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(3000)) {
        let mut dice = Random::new(seed);
        let mut file = written(&random(&mut dice)).into_bytes();
        for _ in 0..dice.between(1, 4) {
            let at = dice.below(file.len() + 1);
            let bytes = b"(),\"\n\r \t0123456789-ides\xff\xc3";
            match dice.below(4) {
                0 => file.insert(at, *dice.pick(bytes)),
                1 if at < file.len() => _ = file.remove(at),
                2 if at < file.len() => file[at] = *dice.pick(bytes),
                _ => file.truncate(at),
            }
        }
        let one = read_in_pieces(&file, &["tau"], 1 + dice.below(30));
        let other = read_in_pieces(&file, &["tau"], 1000);
        assert_eq!(said(&one), said(&other), "seed {seed}");
        let has_errors = one.diagnostics.iter().any(|one| one.severity == Severity::Error);
        assert_eq!(
            one.lts.is_none(),
            has_errors,
            "seed {seed}: {}",
            String::from_utf8_lossy(&file)
        );
        *(if has_errors { &mut broken } else { &mut whole }) += 1;
    }
    assert!(seeds(3000).count() == 1 || broken > 100 && whole > 100, "{broken} {whole}");
}
