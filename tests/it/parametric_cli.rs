//! Claims about every size on the command line: MONA as an engine and as a format, certificates, and what is shown.

use std::path::Path;
use std::process::Command;

use pnetc::verify::checksum;
use serde_json::Value;

use crate::certificates::{Done, Folder, pnet, root};
use crate::common::Random;

/// Runs pnet with `mona` taken from a folder alone.
fn pnet_with(programs: &Path, args: &[&str]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let done = command.args(args).current_dir(root()).env("PATH", programs).output().unwrap();
    Done {
        status: done.status.code().expect("it was killed"),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

const PHILOSOPHERS: &str = "examples/any_size/philosophers.pnet";
const RING: &str = "examples/any_size/token_ring.pnet";

// ---- MONA ----

#[test]
fn mona_decides_where_it_is_asked() {
    for file in [RING, "examples/any_size/star.pnet", "examples/any_size/pipeline.pnet"] {
        let (own, asked) = (pnet(&["verify", file]), pnet(&["verify", file, "--engine", "mona"]));
        assert_eq!(own.status, asked.status, "{file}: {}{}", asked.out, asked.err);
        let verdicts = |done: &Done| -> Vec<String> {
            let lines = done.out.lines().filter(|line| line.contains(" check "));
            lines.map(|line| line.split(": ").next().unwrap().to_owned()).collect()
        };
        assert_eq!(verdicts(&own), verdicts(&asked), "{file}");
        assert!(asked.out.contains("MONA decided"), "{file}: {}", asked.out);
        assert!(!own.out.contains("MONA"), "{file}: {}", own.out);
    }
}

#[test]
fn mona_refutes_nothing_by_itself() {
    let done = pnet(&[
        "verify",
        PHILOSOPHERS,
        "--engine",
        "mona",
        "--check",
        "deadlock_free(Sym)",
        "--format",
        "json",
    ]);
    assert_eq!(done.status, 1, "{}{}", done.out, done.err);
    let said: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(said["verdict"], "refuted");
    assert_eq!(said["instance"][0], "n=2");
    assert_eq!(said["evidence"]["kind"], "run", "{said:#}");
}

#[test]
fn mona_is_for_every_size_alone() {
    let one = pnet(&["verify", RING, "--engine", "mona", "--set", "n=4"]);
    assert_eq!(one.status, 3, "{}{}", one.out, one.err);
    assert!(one.out.contains("MONA decides claims about nets of every size"), "{}", one.out);
}

#[test]
fn without_mona_it_is_said_how_to_get_it() {
    let empty = Folder::new("no-mona");
    let done = pnet_with(&empty.0, &["verify", RING, "--engine", "mona"]);
    assert_eq!(done.status, 2);
    assert!(done.err.contains("the program `mona` cannot be started"), "{}", done.err);
    assert!(done.err.contains("apt install mona"), "{}", done.err);
}

/// A program in the place of MONA.
#[cfg(unix)]
fn in_the_place_of_mona(folder: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("mona");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    for program in ["sh", "sleep", "cat"] {
        let real = ["/bin", "/usr/bin"].map(|bin| Path::new(bin).join(program));
        let real = real.iter().find(|path| path.exists()).unwrap();
        std::os::unix::fs::symlink(real, folder.join(program)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn mona_ends_when_the_time_is_up() {
    let folder = Folder::new("slow-mona");
    let number = folder.0.join("number");
    let script = format!(
        "#!/bin/sh\n[ $# = 0 ] && exit 0\necho $$ > {}\nexec sleep 600\n",
        number.display()
    );
    in_the_place_of_mona(&folder.0, &script);
    let started = std::time::Instant::now();
    let check = ["--check", "deadlock_free(Asym)", "--timeout", "20"];
    let args: Vec<&str> =
        ["verify", PHILOSOPHERS, "--engine", "mona"].into_iter().chain(check).collect();
    let done = pnet_with(&folder.0, &args);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    assert!(done.out.contains("the time was up after 20 s"), "{}", done.out);
    assert!(started.elapsed().as_secs() < 120);
    let number = std::fs::read_to_string(&number).unwrap();
    let running = Path::new("/proc").join(number.trim());
    assert!(!running.exists(), "MONA was left behind");
}

#[cfg(unix)]
#[test]
fn what_mona_cannot_do_is_told() {
    for (script, said) in [
        ("echo 'BDD too large' >&2; exit 1", "BDD too large"),
        ("cat >/dev/null; echo 'something else'", "something else"),
        ("cat >/dev/null", "it says nothing"),
        ("kill -9 $$", "signal: 9"),
    ] {
        let folder = Folder::new("odd-mona");
        in_the_place_of_mona(&folder.0, &format!("#!/bin/sh\n[ $# = 0 ] && exit 0\n{script}\n"));
        let check = ["--check", "deadlock_free(Asym)"];
        let args: Vec<&str> =
            ["verify", PHILOSOPHERS, "--engine", "mona"].into_iter().chain(check).collect();
        let done = pnet_with(&folder.0, &args);
        assert_eq!(done.status, 3, "{script}: {}{}", done.out, done.err);
        let told = format!("MONA did not decide: {said}");
        assert!(done.out.contains(&told), "{script}: {}", done.out);
    }
}

/// What MONA says of a formula.
fn mona_says(formula: &str) -> String {
    let folder = Folder::new("formula");
    let path = folder.0.join("it.mona");
    std::fs::write(&path, formula).unwrap();
    let done = Command::new("mona").arg("-q").arg(&path).output();
    let done = done.expect("mona does not run: install it, with `apt install mona` on Debian");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
fn formulas_are_written() {
    let build = |args: &[&str]| {
        let whole: Vec<&str> =
            ["build", PHILOSOPHERS].into_iter().chain(args.iter().copied()).collect();
        pnet(&whole)
    };
    let done = build(&["Asym", "--emit", "mona", "--goal", "deadlock", "--invariants", "o"]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert!(done.out.starts_with("ws1s;"), "{}", done.out);
    assert!(mona_says(&done.out).contains("unsatisfiable"));
    let done = build(&["Asym", "--emit", "mona", "--invariants", "t"]);
    assert!(mona_says(&done.out).contains("satisfying example"));
    let claim = "always(Sym, forall i: 0..n . not (P[i] in eating and P[(i + 1) mod n] in eating))";
    let done = build(&["--emit", "mona", "--goal", claim, "--invariants", "to"]);
    assert!(mona_says(&done.out).contains("unsatisfiable"), "{}", done.err);
    // The last net is Sym.
    let done = build(&["--emit", "mona"]);
    assert!(mona_says(&done.out).contains("satisfying example"), "{}", done.err);
    for (args, said) in [
        (&["Asym", "--invariants", "tx"][..], "`x` is no letter of invariants"),
        (&["Asym", "--invariants", "f"], "flow invariants cannot be said in this logic"),
        (&["Asym", "--invariants", ""], "say by which invariants"),
        (&["Asym", "--goal", "sleep"], "`sleep` is no goal"),
        (&["Asym", "--set", "n=3"], "it is about nets whose size is known"),
    ] {
        let args: Vec<&str> = ["--emit", "mona"].into_iter().chain(args.iter().copied()).collect();
        let done = build(&args);
        assert_eq!(done.status, 2, "{args:?}: {}", done.out);
        assert!(done.err.contains(said), "{args:?}: {}", done.err);
    }
}

// ---- certificates ----

fn certified(folder: &Folder, file: &str, check: Option<&str>) -> Done {
    let mut args = vec!["verify", file, "--certificate", folder.text()];
    args.extend(check.iter().flat_map(|check| ["--check", check]));
    pnet(&args)
}

fn recheck(folder: &Folder, file: &str) -> Done {
    pnet(&["recheck", folder.text(), file])
}

/// Changes a file of a certificate, and its checksum, so that only what it says is wrong.
fn change(folder: &Path, name: &str, edit: impl FnOnce(String) -> String) {
    let (path, list) = (folder.join(name), folder.join("certificate.json"));
    let text = edit(std::fs::read_to_string(&path).unwrap());
    let mut manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(&list).unwrap()).unwrap();
    for file in manifest["files"].as_array_mut().unwrap() {
        if file["file"] == name {
            file["hash"] = checksum(text.as_bytes()).into();
        }
    }
    std::fs::write(&path, text).unwrap();
    std::fs::write(&list, format!("{manifest:#}\n")).unwrap();
}

/// A text with something else in it, which has to be there.
fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "`{from}` is not in {text}");
    text.replace(from, to)
}

#[test]
fn proofs_for_every_size_are_confirmed() {
    for file in
        [PHILOSOPHERS, RING, "examples/any_size/star.pnet", "examples/any_size/pipeline.pnet"]
    {
        let folder = Folder::new(&format!("sizes-{}", file.len()));
        certified(&folder, file, None);
        let done = recheck(&folder, file);
        assert_eq!(done.status, 0, "{file}: {}{}", done.out, done.err);
        assert!(done.out.contains("for every size: gone through case by case"), "{}", done.out);
        assert!(done.out.contains("about every size: MONA finds no model"), "{}", done.out);
        let has_small = file == PHILOSOPHERS;
        assert!(!has_small || done.out.contains(" with n=2"), "{}", done.out);
        // Without the model nobody knows what the cases are about.
        let done = pnet(&["recheck", folder.text()]);
        assert_eq!(done.status, 3, "{file}: {}{}", done.out, done.err);
        // A second run leaves nothing of the first.
        certified(&folder, RING, Some("deadlock_free(Ring<2>)"));
        assert!(!folder.0.join("001/alone-001").exists(), "{file}");
        assert!(!folder.0.join("001/sizes.json").exists(), "{file}");
    }
}

#[test]
fn changed_certificates_for_every_size_are_rejected() {
    let folder = Folder::new("changed-sizes");
    let asym = "deadlock_free(Asym)";
    let place = folder.0.join("001");
    let rejected = |what: &str, change: &dyn Fn(), said: &str| {
        assert_eq!(certified(&folder, PHILOSOPHERS, Some(asym)).status, 0);
        change();
        let done = recheck(&folder, PHILOSOPHERS);
        assert_eq!(done.status, 2, "{what}: {}{}", done.out, done.err);
        assert!(done.err.contains(said), "{what}: {}", done.err);
    };
    // Its fields get another order by this, which is noticed last: for what is noticed before.
    let edited = |edit: &dyn Fn(&mut Value)| {
        change(&place, "sizes.json", |text| {
            let mut value: Value = serde_json::from_str(&text).unwrap();
            edit(&mut value);
            format!("{value:#}\n")
        });
    };
    rejected(
        "the checksum",
        &|| {
            let path = place.join("sizes.json");
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, text.replacen('1', "2", 1)).unwrap();
        },
        "its checksum is wrong",
    );
    rejected(
        "an entry less",
        &|| {
            edited(&|value| _ = value["others"]["entries"].as_array_mut().unwrap().pop());
        },
        "nothing stands for",
    );
    rejected(
        "no proof",
        &|| edited(&|value| value["others"] = Value::Null),
        "it is about other sizes",
    );
    rejected(
        "a size less",
        &|| {
            edited(&|value| _ = value["alone"].as_array_mut().unwrap().pop());
        },
        "the sizes that it lists are not those",
    );
    rejected(
        "another folder",
        &|| change(&place, "sizes.json", |text| replaced(&text, "\"alone-001\"", "\"../002\"")),
        "is no folder",
    );
    rejected(
        "a folder that is not there",
        &|| change(&place, "sizes.json", |text| replaced(&text, "alone-001", "alone-002")),
        "alone-002",
    );
    rejected(
        "another size",
        &|| {
            let list = place.join("alone-001/certificate.json");
            let text = std::fs::read_to_string(&list).unwrap();
            std::fs::write(&list, replaced(&text, "\"n=2\"", "\"n=3\"")).unwrap();
        },
        "it is about another size",
    );
    rejected(
        "another formula",
        &|| {
            change(&place, "formula.mona", |_| "ws1s;\nfalse;\n".to_owned());
        },
        "`formula.mona` is not what the model comes to",
    );
    rejected(
        "other words",
        &|| {
            change(&place, "sizes.json", |text| replaced(&text, "  ", " "));
        },
        "`sizes.json` is not what the model comes to",
    );
    rejected(
        "another claim",
        &|| {
            let list = place.join("certificate.json");
            let text = std::fs::read_to_string(&list).unwrap();
            std::fs::write(&list, replaced(&text, "(Asym)", "(Sym)")).unwrap();
        },
        "is not confirmed",
    );
}

/// Where the numbers of a JSON text stand.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut is_string, mut is_escaped) = (Vec::new(), false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_string = !is_string,
            b'0'..=b'9' if !is_string => match found.last_mut() {
                Some(std::ops::Range { end, .. }) if *end == at => *end += 1,
                _ => found.push(at..at + 1),
            },
            _ => {}
        }
    }
    found
}

#[test]
fn random_changes_are_noticed() {
    let folder = Folder::new("random-sizes");
    assert_eq!(certified(&folder, PHILOSOPHERS, Some("deadlock_free(Asym)")).status, 0);
    let place = folder.0.join("001");
    let whole = std::fs::read_to_string(place.join("sizes.json")).unwrap();
    let numbers = numbers(&whole);
    let (mut rejected, mut tried) = (0, 0);
    for seed in 0..12 {
        let dice = &mut Random::new(seed);
        let (at, to) = (numbers[dice.below(numbers.len())].clone(), dice.below(4).to_string());
        // All else is as it was, so that no other order or layout is what is noticed.
        let mut text = whole.clone();
        text.replace_range(at, &to);
        if text == whole {
            continue;
        }
        tried += 1;
        change(&place, "sizes.json", |_| text);
        let done = recheck(&folder, PHILOSOPHERS);
        // It may say less and still be a proof.
        assert!([0, 2].contains(&done.status), "{seed}: {}{}", done.out, done.err);
        assert!(!done.err.contains("`sizes.json` is not what"), "{seed}: {}", done.err);
        rejected += usize::from(done.status == 2);
    }
    assert!(rejected * 3 > tried, "{rejected} of {tried}");
}

// ---- what is shown ----

#[test]
fn invariants_of_the_smallest_sizes_are_shown() {
    let args = ["verify", RING, "--invariant"];
    let done = pnet(&args);
    assert!(done.out.contains("for `n = 2` always:"), "{}", done.out);
    let words = "at least one of S[0] in here with holds = true, S[1] in here with holds = true";
    assert!(done.out.contains(words), "{}", done.out);
    let without = pnet(&["verify", RING]);
    assert!(!without.out.contains("at least one of"), "{}", without.out);
    let json =
        pnet(&["verify", PHILOSOPHERS, "--check", "deadlock_free(Asym)", "--format", "json"]);
    let said: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(said["verdict"], "proved");
    assert_eq!(said["because"]["sizes"], "all");
    assert_eq!(said["because"]["invariants"][0], "one");
    // At a table for three all philosophers differ; at one for four two of them are alike, and are told of in one sentence.
    let [three, four] = [0, 1].map(|at| &said["evidence"]["instances"][at]);
    assert_eq!(three["instance"], "n = 3");
    let words = three["invariants"].to_string();
    assert!(
        words.contains("exactly one of F[0] in free, P[0] in eating, P[2] in eating"),
        "{words}"
    );
    assert!(!words.contains("for i from "), "{words}");
    assert_eq!(four["instance"], "n = 4");
    let words = four["invariants"].to_string();
    let alike = "F[i + 1] in free, P[i + 1] in waiting, P[i + 1] in eating, for i from 1 to 2";
    assert!(words.contains(alike), "{words}");
}
