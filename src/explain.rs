//! The long explanation of a code, and the index of all codes.

use std::fmt::Write;

use crate::diagnostics::{Entry, Severity, Style, render};
use crate::export::ExportKind;
use crate::generate::Unwatched;
use crate::import::{self, ImportExample, ImportOptions};
use crate::loader::{self, Sources};
use crate::model::{BuildFailure, ModelOptions, Wanted};
use crate::network::exp;
use crate::session::Session;
use crate::{elaborate, export, families, lts, review, sema, syntax, verify};

/// All kinds of problems, in the order of their codes within each stage.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let syntax = syntax::problems::ENTRIES.iter();
    // Imports and exports share their numbers.
    let mut tools: Vec<&Entry> =
        import::problems::ENTRIES.iter().chain(export::problems::ENTRIES).copied().collect();
    tools.sort_by_key(|entry| entry.code);
    syntax
        .chain(loader::problems::ENTRIES)
        .chain(sema::problems::ENTRIES)
        .chain(elaborate::problems::ENTRIES)
        .chain(review::problems::ENTRIES)
        .chain(families::problems::ENTRIES)
        .chain(lts::aut::problems::ENTRIES)
        .chain(exp::problems::ENTRIES)
        .copied()
        .chain(tools)
}

/// The entry with this code.
pub fn entry(code: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

/// The name under which the models of explanations are stored.
const FILE: &str = "example.pnet";

/// One model, under the name [`FILE`].
struct Model(String);

impl Sources for Model {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == FILE { Ok(self.0.clone().into_bytes()) } else { Err("no such file".to_owned()) }
    }
}

/// The ending of the files of other tools that an entry is about, if it is not about models.
fn file_kind(entry: &Entry) -> Option<&'static str> {
    if ExportKind::of_example(entry.code).is_some() {
        None
    } else if let Some(example) = ImportExample::new(entry, "") {
        Some(example.kind().ending())
    } else if entry.code.starts_with("F02") {
        Some("exp")
    } else {
        entry.code.starts_with('F').then_some("aut")
    }
}

/// What is said about a file of another tool, as text.
fn said_about_file(file: &str, kind: &str, entry: &Entry) -> String {
    let style = Style { colour: false };
    if let Some(example) = ImportExample::new(entry, file) {
        let options = ImportOptions::default();
        let done = import::import(&example.name(), example.kind(), &options, &example, &Unwatched);
        return done.diagnostics.iter().map(|one| render(one, &done.sources, style)).collect();
    }
    let silent = ["tau".to_owned()];
    let (diagnostics, sources) = if kind == "exp" {
        let files = exp::ExampleFiles(file.to_owned());
        let read = exp::read(exp::ExampleFiles::NAME, &silent, &files, &Unwatched);
        (read.diagnostics, read.sources)
    } else {
        let mut reader = lts::aut::AutReader::new("example.aut", &silent);
        reader.push(file.as_bytes());
        let read = reader.finish();
        (read.diagnostics, read.sources)
    };
    diagnostics.iter().map(|one| render(one, &sources, style)).collect()
}

/// What is said about a model, as text.
fn said_about(model: &str, entry: &Entry) -> String {
    if let Some(kind) = file_kind(entry) {
        return said_about_file(model, kind, entry);
    }
    let Ok(mut checked) = Session::default().check(&Model(model.to_owned()), FILE) else {
        return String::new();
    };
    let (wanted, options) = (Wanted::Named(None), ModelOptions::default());
    if families::problems::ENTRIES.iter().any(|own| own.code == entry.code) {
        let problems = |check| verify::size_problems(&checked, check, &options, &Unwatched);
        let found: Vec<_> = checked.checks().into_iter().flat_map(problems).collect();
        checked.diagnostics.extend(found);
        let wanted = checked.diagnostics.iter().filter(|d| d.entry.code == entry.code);
        return wanted.map(|d| render(d, &checked.sources, Style { colour: false })).collect();
    }
    match checked.net(wanted, &options.elaborate) {
        Ok(net) if let Some(kind) = ExportKind::of_example(entry.code) => {
            let refused = export::export((&net, net.name.as_str()), kind, "part", &Unwatched);
            let found = refused.err().unwrap_or_default();
            checked.diagnostics.extend(found.iter().map(|problem| problem.diagnose()));
        }
        Ok(net) if entry.code.starts_with('A') => {
            if let Ok(generated) = checked.automaton(wanted, &options, &Unwatched) {
                let found = checked.review(&net, &generated, &options.generate, &Unwatched);
                checked.diagnostics.extend(found);
            }
        }
        Ok(_) => {
            let unclear = |check| checked.unclear_property(check, &options.elaborate);
            let found = checked.checks().into_iter().filter_map(|check| unclear(check).ok());
            let found: Vec<_> = found.flatten().collect();
            checked.diagnostics.extend(found);
        }
        Err(BuildFailure::Problems(problems)) => checked.diagnostics.extend(problems),
        _ => {}
    }
    let wanted = checked.diagnostics.iter().filter(|d| d.entry.code == entry.code);
    wanted.map(|d| render(d, &checked.sources, Style { colour: false })).collect()
}

/// The long explanation, as `pnet explain` prints it.
pub fn explain(entry: &Entry) -> String {
    let mut text = format!("{}: {} ({})\n\n", entry.code, entry.title, kind(entry));
    let _ = writeln!(text, "{}\n", entry.explanation.trim());
    if !entry.wrong.is_empty() {
        let wrong = entry.wrong_model();
        let kind = if file_kind(entry).is_some() { "file" } else { "model" };
        let _ = writeln!(text, "For example, in this {kind}:\n\n{}", indented(&wrong));
        let said = said_about(&wrong, entry);
        if !said.is_empty() {
            let _ = writeln!(text, "the compiler says:\n\n{}", indented(&said));
        }
        let _ = writeln!(text, "Corrected:\n\n{}", indented(entry.right));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn kind(entry: &Entry) -> &'static str {
    match (entry.severity, entry.on_request) {
        (Severity::Error, _) => "error",
        (Severity::Warning, false) => "warning",
        (Severity::Warning, true) => "warning, when asked for with --warn",
    }
}

fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    text.trim_end().lines().map(line).collect()
}

/// One line per code.
pub fn list() -> String {
    entries().map(|entry| format!("{}  {}\n", entry.code, entry.title)).collect()
}

/// The error index, as `docs/errors.md` has it.
pub fn index() -> String {
    let mut text = String::from(
        "# Error index\n\nMade from the codes themselves: do not edit it, run `PNET_BLESS=1 cargo test`.\n\n\
         `pnet explain CODE` prints the same with what the compiler says.\n\n\
         | code | kind | what is wrong |\n| --- | --- | --- |\n",
    );
    for entry in entries() {
        let (code, anchor) = (entry.code, entry.code.to_lowercase());
        let _ = writeln!(text, "| [{code}](#{anchor}) | {} | {} |", kind(entry), entry.title);
    }
    for entry in entries() {
        let _ = writeln!(text, "\n## {}\n\n**{}**\n", entry.code, entry.title);
        let _ = writeln!(text, "{}", entry.explanation.trim());
        if !entry.wrong.is_empty() {
            let (wrong, right) = (entry.wrong_model(), entry.right);
            let kind = file_kind(entry).unwrap_or("pnet");
            let _ = writeln!(text, "\n```{kind},wrong\n{}\n```\n", wrong.trim_end());
            let _ = writeln!(text, "Corrected:\n\n```{kind}\n{}\n```", right.trim_end());
        }
    }
    text
}
