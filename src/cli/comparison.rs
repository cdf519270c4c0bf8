//! Certificates of comparisons of labelled transition systems: both systems, and what shows that something holds between them, or
//! what tells them apart; and how these are looked at again.

use std::path::Path;

use serde_json::{Value, json};

use super::files::in_words;
use super::output::write_line;
use super::systems::{is_system, read_pieces, write_system};
use super::watch::Working;
use crate::base::Watch;
use crate::emit::systems as words;
use crate::lts::aut::AutReader;
use crate::lts::witness::{Witness, difference_line, tells_apart, witness};
use crate::lts::{Lts, LtsCompared, LtsQuestion, LtsState, ReduceLimits};
use crate::verify::{MANIFEST, checksum};

/// What a list of files says that it is of.
pub(super) const FORMAT: &str = "pnet-comparison";

/// The files: both systems, and what the answer rests on.
const SYSTEMS: [&str; 2] = ["first.aut", "second.aut"];
const EVIDENCE: &str = "evidence.jsonl";

/// A comparison that was answered.
pub(super) struct Answered<'a> {
    pub systems: (&'a Lts, &'a Lts),
    pub names: (&'a str, &'a str),
    pub question: LtsQuestion,
    pub found: &'a LtsCompared,
    pub limits: ReduceLimits,
    /// What the silent action is called.
    pub silent: &'a str,
}

/// Writes the certificate of a comparison into a folder; or says why there is none. An error is why it cannot be written.
pub(super) fn write_certificate(
    folder: &str,
    answered: &Answered<'_>,
    watch: &Working,
) -> Result<Option<String>, String> {
    let Answered { systems, names, question, found, limits, silent } = *answered;
    let none =
        |why: &dyn std::fmt::Display| Ok(Some(format!("there is no certificate of this: {why}")));
    let evidence = match (&found.difference, found.holds) {
        (Some(difference), false) => difference_line(difference, &found.labels),
        (None, false) => return none(&"what tells the two apart is too large"),
        (_, true) => match witness(systems, question, limits, watch) {
            Ok(shown) => shown.text(),
            Err(why) => return none(&why),
        },
    };
    let place = format!("{folder}/001");
    let cannot = |path: &str, problem: &std::io::Error| {
        format!("cannot write `{path}`: {}", in_words(problem))
    };
    std::fs::create_dir_all(&place).map_err(|problem| cannot(&place, &problem))?;
    for (name, lts) in SYSTEMS.iter().zip([systems.0, systems.1]) {
        let path = format!("{place}/{name}");
        if !write_system(Some(&path), silent, lts, watch)? {
            return Err(format!("`{path}` was not written to its end"));
        }
    }
    let put = |name: &str, text: &str| {
        let path = format!("{place}/{name}");
        std::fs::write(&path, text).map_err(|problem| cannot(&path, &problem))
    };
    put(EVIDENCE, &evidence)?;
    let mut files = Vec::new();
    for name in SYSTEMS.into_iter().chain([EVIDENCE]) {
        let hash = checksum(&read(&Path::new(&place).join(name))?);
        files.push(json!({ "file": name, "hash": hash }));
    }
    let list = json!({
        "format": FORMAT, "version": 1, "pnet": env!("CARGO_PKG_VERSION"),
        "relation": words::relation(question), "refines": words::is_one_way(question),
        "verdict": if found.holds { "proved" } else { "refuted" },
        "first": names.0, "second": names.1, "tau": silent, "files": files,
    });
    put(MANIFEST, &format!("{list:#}\n")).map(|()| None)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path)
        .map_err(|problem| format!("cannot read `{}`: {}", path.display(), in_words(&problem)))
}

/// The list of files of a comparison, if that is what is in a folder.
pub(super) fn list_in(folder: &Path) -> Option<Value> {
    let list: Value = serde_json::from_slice(&std::fs::read(folder.join(MANIFEST)).ok()?).ok()?;
    (list["format"] == FORMAT).then_some(list)
}

/// Looks at the certificate of a comparison again: whether its files are whole, and whether what they have shows what they say.
/// `sources`: files with systems that it may be about.
pub(super) fn recheck(
    folder: &Path,
    list: &Value,
    sources: &[String],
    watch: &Working,
) -> Result<(), String> {
    let damaged =
        || format!("`{}` is damaged: it is no list of files", folder.join(MANIFEST).display());
    let text = |name: &str| list[name].as_str().ok_or_else(damaged);
    let (relation, verdict) = (text("relation")?, text("verdict")?);
    let (names, silent) = ([text("first")?, text("second")?], text("tau")?);
    let one_way = list["refines"].as_bool().ok_or_else(damaged)?;
    let question = words::question(relation, one_way).ok_or_else(damaged)?;
    for name in SYSTEMS.into_iter().chain([EVIDENCE]) {
        let listed = list["files"].as_array().into_iter().flatten();
        let hash =
            listed.filter(|file| file["file"] == name).find_map(|file| file["hash"].as_str());
        if hash.ok_or_else(damaged)? != checksum(&read(&folder.join(name))?) {
            let path = folder.join(name);
            return Err(format!(
                "`{}` is not as it was written: its checksum is wrong",
                path.display()
            ));
        }
    }
    let system = |name: &str| system(&folder.join(name).to_string_lossy(), silent, watch);
    let (first, second) = (system(SYSTEMS[0])?, system(SYSTEMS[1])?);
    let evidence = String::from_utf8_lossy(&read(&folder.join(EVIDENCE))?).into_owned();
    let wrong = |why: &dyn std::fmt::Display| {
        format!("`{}` is not confirmed: `{EVIDENCE}`: {why}", folder.display())
    };
    match verdict {
        "proved" => {
            let shown = Witness::read(&evidence).map_err(|why| wrong(&why))?;
            if let Some(why) = shown.fault(&first, &second, question) {
                return Err(wrong(&crate::lts::witness::WitnessFault::from(why)));
            }
        }
        "refuted" => {
            tells_apart(&evidence, (&first, &second), question).map_err(|why| wrong(&why))?;
        }
        _ => return Err(damaged()),
    }
    for (name, (file, lts)) in names.iter().zip(SYSTEMS.iter().zip([&first, &second])) {
        is_source((name, file), lts, (sources, silent), folder, watch)?;
    }
    Ok(())
}

/// Looks whether a system is that of a file, or says how to.
fn is_source(
    (name, file): (&str, &str),
    lts: &Lts,
    (sources, silent): (&[String], &str),
    folder: &Path,
    watch: &Working,
) -> Result<(), String> {
    let is_given = is_system(name) && sources.iter().any(|source| source == name);
    let path = folder.join(file);
    if !is_given || !name.to_lowercase().ends_with(".aut") {
        write_line(&format!(
            "  {file}: nobody looked whether it is `{name}`; `pnet compare … {} --strong` does",
            path.display()
        ));
        return Ok(());
    }
    match is_same(&system(name, silent, watch)?, lts) {
        true => Ok(()),
        false => Err(format!("`{}` is not what is in `{name}`", path.display())),
    }
}

fn is_same(one: &Lts, other: &Lts) -> bool {
    let steps = |lts: &Lts, state: LtsState| {
        let steps = lts.steps(state).iter();
        let label = |step: &crate::lts::LtsStep| {
            (!step.label.is_silent()).then(|| lts.text(step.label).to_owned())
        };
        let mut all: Vec<(Option<String>, u32)> =
            steps.map(|step| (label(step), step.to.0)).collect();
        all.sort_unstable();
        all
    };
    one.states() == other.states()
        && one.initial() == other.initial()
        && one.ids().all(|state| steps(one, state) == steps(other, state))
}

/// A system from a file, in which something is called silent.
fn system(path: &str, silent: &str, watch: &Working) -> Result<Lts, String> {
    let mut reader = AutReader::new(path, &[silent.to_owned()]);
    read_pieces(path, |piece| reader.push(piece) && !watch.budget().is_spent())
        .map_err(|why| format!("cannot read `{path}`: {why}"))?;
    let read = reader.finish();
    read.lts.ok_or_else(|| {
        format!("`{path}` is no labelled transition system; `pnet info {path}` says why")
    })
}
