//! What proofs of temporal formulas rest on: certificates, what was changed in them, and notes about parts of formulas that do
//! not matter; and two parts of a net that are in each other's way.

use pnetc::base::{Dice, Unwatched, Watch};
use pnetc::verify::{
    CONFIGURATIONS, Certificate, ClaimText, FIXPOINTS, Listing, MANIFEST, ModelOptions,
    NoCertificate, NotClosed, checksum, remake_fixpoints, remake_listed,
};

use crate::certificates::{Folder, pnet};
use crate::common::Memory;
use crate::common::seeds::{fuzz, seeds};

/// A light that somebody switches, for ever, and a counter with no end.
const MODEL: &str = "\
const n: 1..4;
action on, off, tick, done(0..4);

process Light {
    init state dark;
    state lit;

    dark -> lit  : on;
    lit  -> dark : off;
    dark -> dark : tick;
}

process Counter {
    var t: Int = 0;
    init state low;
    state high;

    low  -> low  : tick when t < 10 do t := t + 1;
    low  -> high : on   when t >= 10;
    high -> high : tick do t := t + 1;
}

process Upto {
    var k: 0..4 = 0;
    init state s;
    state t;

    s -> s : done(k) when k + 1 < n do k := k + 1;
    s -> t : off     when k + 1 == n;
}
";

/// A model with checks, in a folder with the certificates of those that are proved.
fn certified(name: &str, checks: &[&str]) -> (Folder, String) {
    let folder = Folder::new(&format!("holds-{name}"));
    let text =
        format!("{MODEL}\n{}", checks.iter().map(|one| format!("{one};\n")).collect::<String>());
    std::fs::write(folder.0.join("model.pnet"), text).unwrap();
    let (model, proofs) = (path(&folder, "model.pnet"), path(&folder, "proofs"));
    let done = pnet(&["verify", &model, "--certificate", &proofs, "--color", "never"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    (folder, done.out)
}

fn path(folder: &Folder, name: &str) -> String {
    folder.0.join(name).to_str().unwrap().to_owned()
}

fn recheck(folder: &Folder, solver: &str) -> (i32, String) {
    let (proofs, model) = (path(folder, "proofs"), path(folder, "model.pnet"));
    let done = pnet(&["recheck", &proofs, &model, "--solver", solver]);
    (done.status, done.out + &done.err)
}

#[test]
fn formulas_have_certificates_that_two_solvers_confirm() {
    let (folder, said) = certified(
        "confirmed",
        &[
            "check holds(Light, G (on => X off))",
            "check holds(Light, AG EF Light in lit)",
            "check holds(Light, G F on) fair { on }",
            "check holds(Light, E G tick)",
            "check holds(Light, nu X . <tick> X)",
            "check holds(Upto, forall i: 0..n . A F (k == i))",
            "check holds(Counter, A[Counter in low W on])",
            "check holds(Counter, AG (Counter in low => t <= 10))",
            "check holds(Counter, AG EF Counter in high)",
            "check holds(Counter, A F on)",
        ],
    );
    assert!(said.contains("10 checks: 10 proved"), "{said}");
    assert!(!said.contains("certificate"), "{said}");
    for solver in ["z3", "cvc5"] {
        let (status, out) = recheck(&folder, solver);
        assert_eq!(status, 0, "{out}");
        assert!(out.contains("6 lists of configurations: gone through"), "{out}");
        assert!(
            out.contains("10 claims with ") && out.contains(" 0 contradicted, 0 unknown"),
            "{out}"
        );
    }
}

/// The certificate of a claim, made of a text once more.
fn remade(claim: &str, text: &str) -> Result<Certificate, NoCertificate> {
    let sources = Memory::file("model.pnet", MODEL);
    let claim = ClaimText { text: claim, settings: &[] };
    let watch = Unwatched;
    let _here = watch.budget().enter();
    let options = ModelOptions::default();
    if text.starts_with("{\"version\"") {
        return remake_fixpoints((&sources, "model.pnet"), &claim, text, &options, &watch);
    }
    let mut lines = text.lines().map(|line| Ok(line.to_owned()));
    let list = (&mut lines as _, Listing::GoneThrough);
    remake_listed((&sources, "model.pnet"), &claim, list, &options, &watch)
}

fn file(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.0.join("proofs/001").join(name)).unwrap()
}

#[test]
fn a_list_proves_no_other_formula() {
    let (folder, _) = certified("other-list", &["check holds(Light, G (on => X off))"]);
    let list = file(&folder, CONFIGURATIONS);
    assert!(remade("check holds(Light, G (on => X off))", &list).is_ok());
    for wrong in
        ["G F on", "AG Light in dark", "E F done(1)", "A[off W on] and X on", "AG <on> true"]
    {
        let found = remade(&format!("check holds(Light, {wrong})"), &list);
        assert!(
            matches!(found, Err(NoCertificate::NotClosed(NotClosed::FormulaFails { line: 3, .. }))),
            "{wrong}: {found:?}"
        );
    }
    // Without the configuration in which the light is on, a step leads out of the list.
    let count = list.lines().count();
    let less: String = list.lines().take(count - 1).map(|line| format!("{line}\n")).collect();
    assert!(remade("check holds(Light, G (on => X off))", &less).is_err());
}

/// Whether the solver confirms each obligation of a certificate.
fn is_confirmed(certificate: &Certificate, name: &str) -> bool {
    let folder = Folder::new(&format!("holds-{name}"));
    let inner = folder.0.join("001");
    std::fs::create_dir_all(&inner).unwrap();
    for (name, text) in &certificate.files {
        std::fs::write(inner.join(name), text).unwrap();
    }
    let done = pnet(&["recheck", folder.text(), "--solver", "z3"]);
    done.status == 0
}

#[test]
fn sets_prove_no_other_formula() {
    let claim = "check holds(Counter, A[Counter in low W on])";
    let (folder, _) = certified("other-sets", &[claim]);
    let sets = file(&folder, FIXPOINTS);
    let again = remade(claim, &sets).unwrap();
    assert!(is_confirmed(&again, "same-sets"));
    let wrong = [
        "A[Counter in high W on]",
        "A[t <= 3 W on]",
        "A[Counter in low W t == 7]",
        "AG (Counter in low)",
        "AG (t <= 10)",
    ];
    for (number, wrong) in wrong.into_iter().enumerate() {
        // Other formulas may ask for other sets; where they ask for these, a solver sees that they are no proof.
        match remade(&format!("check holds(Counter, {wrong})"), &sets) {
            Ok(made) => assert!(!is_confirmed(&made, &format!("wrong-{number}")), "{wrong}"),
            Err(NoCertificate::Fixpoints(_)) => {}
            Err(other) => panic!("{wrong}: {other}"),
        }
    }
    assert!(remade("check always(Counter, t >= 0)", &sets).is_err());
}

#[test]
fn changed_sets_are_noticed_whatever_is_changed() {
    let claim = "check holds(Counter, AG EF Counter in high)";
    let (folder, _) = certified("changed", &[claim]);
    let sets = file(&folder, FIXPOINTS);
    let (mut damaged, mut made) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(300)) {
        let dice = &mut Dice::new(seed);
        let mut bytes = sets.clone().into_bytes();
        for _ in 0..=dice.below(3) {
            let at = dice.below(bytes.len());
            match dice.below(3) {
                0 => bytes[at] = b"0123456789[]{},\"tfa"[dice.below(19)],
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b'0' + dice.below(10) as u8),
            }
        }
        let text = String::from_utf8(bytes).unwrap();
        // It may be a text of sets again, which a solver is asked about; it must never be the end of the program.
        match remade(claim, &text) {
            Err(_) => damaged += 1,
            Ok(_) => made += 1,
        }
    }
    assert!(damaged > 50, "{damaged} {made}");
    // From the command line, what was changed is not what the model comes to.
    let changed = sets.replacen("\"int\":\"10\"", "\"int\":\"11\"", 1);
    assert_ne!(changed, sets);
    let place = folder.0.join("proofs/001");
    std::fs::write(place.join(FIXPOINTS), &changed).unwrap();
    let list = std::fs::read_to_string(place.join(MANIFEST)).unwrap();
    let list = list.replace(&checksum(sets.as_bytes()), &checksum(changed.as_bytes()));
    std::fs::write(place.join(MANIFEST), list).unwrap();
    let (status, out) = recheck(&folder, "z3");
    assert_eq!(status, 2, "{out}");
    assert!(out.contains("is not what the model comes to"), "{out}");
}

/// What `verify` says of checks.
fn said(name: &str, checks: &str) -> String {
    let folder = Folder::new(&format!("holds-said-{name}"));
    std::fs::write(folder.0.join("model.pnet"), format!("{MODEL}\n{checks}")).unwrap();
    let done = pnet(&["verify", &path(&folder, "model.pnet"), "--color", "never"]);
    done.out
}

#[test]
fn parts_that_do_not_matter_are_told() {
    let out = said(
        "vacuous",
        "\
check holds(Light, G (done(_) => F on));
check holds(Light, AG (Light in lit => EF on));
check holds(Light, AG (EF on or EF done(1)));
check holds(Light, AG (after done(2) => A F on));
check holds(Light, G (on => X off));
check holds(Light, G (done(_) => false));
check holds(Light, A[not off W on]);
check holds(Counter, AG (t < 0 => EF Counter in high));
check holds(Counter, A[Counter in low W on]);
",
    );
    let notes: Vec<&str> =
        out.lines().filter_map(|line| line.trim().strip_prefix("note: vacuous: ")).collect();
    assert_eq!(
        notes,
        [
            "`done(_)` never comes true: `F on` could be `false`, and it would hold all the same",
            "`Light in lit` could be `true`, and it would hold all the same",
            "`EF done(1)` could be `false`, and it would hold all the same",
            "`A F on` could be `false`, and it would hold all the same",
            "`t < 0` never comes true: `EF Counter in high` could be `false`, and it would hold all the same",
        ],
        "{out}"
    );
}

#[test]
fn each_choice_of_constants_has_its_own_values() {
    let out = said(
        "constants",
        "\
check holds(Upto, forall i: 0..n . A F (k == i));
check holds(Upto, exists i: 0..n . A F (k == i and Upto in t));
check holds(Upto, mu X(i: Int = n) . i == 0 or [any] X(i - 1));
check not holds(Upto, forall i: 0..4 . A F (k == i));
check not holds(Upto, nu X(i: Int = n) . i > 0 and [any] X(i - 1));
check holds(Light, mu X(i: Int = 0) . i == 3 or <any> X(i + 1));
check not holds(Light, nu X(i: Int = 0) . i < 3 and [any] X(i + 1));
check holds(Light, mu X(i: Int = 0) . if i >= 3 then true else <any> X(i + 1));
",
    );
    assert!(out.contains("8 checks: 8 proved"), "{out}");
}

const SHARED: &str = "
process Key {
    init state here;
    state gone;

    here -> gone : on;
    gone -> here : off;
}

net OneKey {
    sub M[i: 0..2] = Light;
    sub K = Key;

    <M[i]: on, K: on>   -> on   for i in 0..2;
    <M[i]: off, K: off> -> off  for i in 0..2;
    <M[i]: tick>        -> tick for i in 0..2;
}
";

#[test]
fn parts_in_each_others_way_are_told() {
    let checks = "\
check noninterfering(OneKey, M[0], M[1], AG EF Light in lit);
check noninterfering(OneKey, M[0], M[1], AG (Light in dark => <on> true));
check noninterfering(OneKey, M[0], M[1], AG <on> true);
check noninterfering(OneKey, M[0], M[1], G F on) fair { on };
";
    let out = said("apart", &format!("{SHARED}\n{checks}"));
    let lines: Vec<&str> = out
        .lines()
        .filter(|line| !line.starts_with(' ') || line.trim().starts_with("note"))
        .map(str::trim)
        .collect();
    assert_eq!(
        lines,
        [
            "proved   check noninterfering(OneKey, M[0], M[1], AG EF Light in lit): the formula holds of `M[0]` and `M[1]` alone, and of each of them in the net",
            "refuted  check noninterfering(OneKey, M[0], M[1], AG (Light in dark => <on> true)): the formula holds of `M[0]` alone, but in the net a run does otherwise, after one step",
            "note: there, `M[0]` could do `on` by itself: in the net, beside `M[1]`, it cannot",
            "refuted  check noninterfering(OneKey, M[0], M[1], AG <on> true): `M[0]` alone: a run does otherwise, after one step",
            "refuted  check noninterfering(OneKey, M[0], M[1], G F on) fair { on }: the formula holds of `M[0]` alone, but in the net a run does otherwise, after one step and then round for ever in 1 step",
            "note: there, `M[0]` could do `on` by itself: in the net, beside `M[1]`, it cannot",
            "4 checks: 1 proved, 3 refuted",
        ],
        "{out}"
    );
}

#[test]
fn mistakes_with_parts_are_told() {
    for (check, words) in [
        ("noninterfering(OneKey, M[0], N, AG EF on)", "`N` is no part of the net"),
        ("noninterfering(OneKey, M, K, AG EF on)", "`M` is no part of the net"),
        ("noninterfering(OneKey, K, K, AG EF on)", "`K` is named twice"),
        ("noninterfering(OneKey, M[0], AG EF on)", "error"),
        ("noninterfering(OneKey, M[0], K, AG EF on)", "do not have the same processes"),
        ("noninterfering(OneKey, M[0], M[1], AG EF Light in gone)", "`gone`"),
    ] {
        let folder = Folder::new("holds-mistakes");
        let text = format!("{MODEL}{SHARED}\ncheck {check};\n");
        std::fs::write(folder.0.join("model.pnet"), text).unwrap();
        let done = pnet(&["check", &path(&folder, "model.pnet"), "--color", "never"]);
        assert_eq!(done.status, 2, "{check}: {}{}", done.out, done.err);
        assert!(done.err.contains(words), "{check}: {}", done.err);
    }
}
