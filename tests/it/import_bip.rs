//! Systems of BIP2: each file of `tests/bip` says what it does by BIP's semantics, worked out by hand, and the model that is
//! made of it must do that.
//!
//! Lines that begin with `//#`:
//! - `net Root`: which net is looked at;
//! - `s0: go s1, back s2`: what can happen in a state; the first state is the initial one, and a state without anything is a
//!   deadlock. The net must be strongly bisimilar;
//! - `always e`, `reaches e`: claims about its data, which must be proved;
//! - `proved`: all checks of the model are proved;
//! - `warns F0411`: the import warns; `clean`: the model checks, and is not run;
//! - `says text`: the model has this text in it;
//! - `refused F0407 3:5`: it is refused with this, here, and with nothing else.

use std::path::PathBuf;

use crate::common::Patience;
use crate::common::exp::Files;
use crate::common::said::Said;
use crate::common::sources::{self, Memory};
use crate::import::{alike, imported, said, system, told, written_down};
use pnetc::elaborate::ElaborateOptions;
use pnetc::verify;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bip")
}

/// All files, with their paths below the folder.
fn files() -> Files {
    let mut files = Files::default();
    let mut work = vec![folder()];
    while let Some(at) = work.pop() {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => work.push(path),
                false => {
                    let name = path.strip_prefix(folder()).unwrap().to_str().unwrap().to_owned();
                    files.0.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
    }
    files
}

/// What a file says about itself.
#[derive(Default, Debug)]
struct Expected {
    net: String,
    /// For each state, its steps.
    states: Vec<(String, Vec<(String, String)>)>,
    claims: Vec<String>,
    is_proved: bool,
    warnings: Vec<String>,
    texts: Vec<String>,
    refused: Vec<String>,
}

fn expected(text: &str) -> Expected {
    let mut expected = Expected::default();
    for line in text.lines().filter_map(|line| line.strip_prefix("//# ")) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "net" => expected.net = rest.to_owned(),
            "always" | "reaches" => expected.claims.push(line.to_owned()),
            "proved" => expected.is_proved = true,
            "clean" => {}
            "warns" => expected.warnings.push(rest.to_owned()),
            "says" => expected.texts.push(rest.to_owned()),
            "refused" => expected.refused.push(rest.to_owned()),
            _ => {
                let state = word.strip_suffix(':').unwrap_or_else(|| panic!("{line}"));
                let steps = rest.split(", ").filter(|step| !step.is_empty());
                let step = |step: &str| {
                    let (label, to) = step.split_once(' ').unwrap();
                    (label.to_owned(), to.to_owned())
                };
                expected.states.push((state.to_owned(), steps.map(step).collect()));
            }
        }
    }
    expected
}

/// What is wrong with the import of a file.
fn complaint(name: &str, files: &Files) -> Result<(), String> {
    let expected = expected(std::str::from_utf8(&files.0[name]).unwrap());
    let imported = imported(name, files);
    if !expected.refused.is_empty() {
        let found: Vec<String> =
            said(&imported).iter().map(|one| one.replace(&format!("{name}:"), "")).collect();
        return match found == expected.refused && imported.model.is_none() {
            true => Ok(()),
            false => Err(format!("refused: {found:?}")),
        };
    }
    let mut warnings: Vec<&str> = imported.diagnostics.iter().map(|one| one.entry.code).collect();
    warnings.dedup();
    if warnings != expected.warnings {
        return Err(format!("says {:?}", said(&imported)));
    }
    let model = imported.model.ok_or("there is no model")?;
    if let Some(text) = expected.texts.iter().find(|text| !model.contains(*text)) {
        return Err(format!("does not say {text}\n{model}"));
    }
    let checked = sources::check(&Memory::file("model.pnet", model.as_str()), "model.pnet");
    if let Some(first) = told(&checked).first() {
        return Err(format!("{first}\n{model}"));
    }
    if !expected.states.is_empty() {
        let mut all = Vec::new();
        let number = |state: &str| {
            expected
                .states
                .iter()
                .position(|(name, _)| name == state)
                .unwrap_or_else(|| panic!("{name}: {state}"))
        };
        for (from, steps) in &expected.states {
            all.extend(steps.iter().map(|(label, to)| (number(from), label.clone(), number(to))));
        }
        let found = system(&Files::default(), &model, &expected.net);
        if !alike(found.clone(), written_down(0, expected.states.len(), &all)) {
            return Err(format!("does something else, with {} states\n{model}", found.states()));
        }
    }
    let claims = expected.claims.iter().map(|claim| {
        let (word, claim) = claim.split_once(' ').unwrap();
        format!("check {word}({}, {claim});\n", expected.net)
    });
    let with_claims = format!("{model}\n{}", claims.collect::<String>());
    let is_asked = !expected.claims.is_empty() || expected.is_proved;
    let checked = sources::check(&Memory::file("model.pnet", with_claims), "model.pnet");
    for check in checked.program.checks.iter().filter(|_| is_asked) {
        let outcome =
            verify::run(&checked, check, &verify::ModelOptions::default(), &Patience::default());
        let word = Said::from(&outcome.map_err(|_| "a check cannot be run")?).word();
        if word != "proved" {
            return Err(format!("{word}: {}\n{model}", checked.sources.text(check.span)));
        }
    }
    if is_asked && checked.program.checks.is_empty() {
        return Err("has no checks".to_owned());
    }
    Ok(())
}

#[test]
fn systems_do_what_bip_says() {
    let files = files();
    let names = files.0.keys().filter(|name| !name.contains('/'));
    let complaints: Vec<String> = names
        .filter_map(|name| complaint(name, &files).err().map(|why| format!("---- {name}: {why}")))
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    assert!(files.0.len() >= 60, "{}", files.0.len());
}

/// Whatever is left of a file, nothing panics.
#[test]
fn nothing_panics_on_truncated_systems() {
    let files = files();
    let all: Vec<(&String, &Vec<u8>)> =
        files.0.iter().filter(|(name, _)| !name.contains('/')).collect();
    for (at, (_, bytes)) in all.iter().enumerate() {
        for cut in (at % 29..bytes.len()).step_by(29) {
            let mut changed = (*bytes).clone();
            changed.remove(cut);
            for bytes in [bytes[..cut].to_vec(), changed] {
                let mut files = files.clone();
                files.0.insert("cut.bip".to_owned(), bytes);
                imported("cut.bip", &files);
            }
        }
    }
}

/// A system of two thousand lines is imported in a second, however slow the machine of the tests is.
#[test]
fn a_large_system_is_imported_quickly() {
    let mut text = String::from("package Large\n  port type Sig()\n  port type Val(int v)\n");
    for at in 0..100 {
        text.push_str(&format!(
            "  atom type A{at}(int first)\n    data int x, y\n    export port Val tell(x)\n    export port Sig go(), back()\n\
             \x20   place S, T, U\n    initial to S do {{ x = first; y = 0; }}\n    on go from S to T provided (x < {at})\n\
             \x20   on back from T to S do {{ x = x + 1; y = x; }}\n    internal from U to S\n\
             \x20   on tell from S to U do {{ if (x > 3) then x = 0; fi }}\n    priority p go < tell provided (x == 2)\n  end\n"
        ));
    }
    text.push_str("  connector type One(Sig a)\n    define a\n  end\n  connector type Cast(Val t, Val a, Val b)\n    define t' a b\n    on t a b provided (t.v > 0) down { a.v = t.v; b.v = t.v; }\n  end\n");
    text.push_str("  compound type Root()\n");
    for at in 0..200 {
        text.push_str(&format!("    component A{} c{at}({at})\n", at % 100));
    }
    for at in 0..200 {
        text.push_str(&format!(
            "    connector One g{at}(c{at}.go)\n    connector One b{at}(c{at}.back)\n"
        ));
        if at + 2 < 200 {
            text.push_str(&format!(
                "    connector Cast t{at}(c{at}.tell, c{}.tell, c{}.tell)\n",
                at + 1,
                at + 2
            ));
        }
    }
    text.push_str("  end\nend\n");
    assert!(text.lines().count() >= 2_000, "{}", text.lines().count());
    let files = Files::new(&[("large.bip", &text)]);
    let start = std::time::Instant::now();
    let imported = imported("large.bip", &files);
    let took = start.elapsed();
    assert_eq!(said(&imported), Vec::<String>::new());
    let model = imported.model.unwrap();
    // A second, with room for a machine that does much else.
    assert!(took.as_secs() < 10, "{took:?}");
    let checked = sources::check(&Memory::file("model.pnet", model), "model.pnet");
    assert_eq!(told(&checked), Vec::<String>::new());
}

/// Every net of what is imported, with every instance made as `--emit vectors` has it, checks; data that nobody moves is named once.
#[test]
fn printed_nets_check() {
    let files = files();
    let (mut count, mut complaints) = (0, Vec::new());
    for name in files.0.keys().filter(|name| !name.contains('/')) {
        let Some(model) = imported(name, &files).model else { continue };
        let checked = sources::check(&Memory::file("model.pnet", model), "model.pnet");
        for (net, _) in checked.targets() {
            let Ok(net) = checked.build(Some(net.as_str()), &ElaborateOptions::default()) else {
                continue;
            };
            let printed = pnetc::emit::text(&net);
            let again = sources::check(&Memory::file("model.pnet", printed.as_str()), "model.pnet");
            // An instance may have a guard that is never true for its parameters; a vector of a definition names data that
            // its interaction does not move; and what reads a variable may be in a net around this one.
            let codes = ["W0312", "W0303", "W0306", "W0308"];
            let is_of_instance = |one: &String| codes.iter().any(|code| one.starts_with(code));
            let told: Vec<String> =
                told(&again).into_iter().filter(|one| !is_of_instance(one)).collect();
            count += 1;
            if !told.is_empty() {
                complaints.push(format!("---- {name}: {told:?}\n{printed}"));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    assert!(count > 100, "{count}");
}
