//! Documents, examples and the library: every model in them checks, every link leads somewhere.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::sources::{self, Beside, Disk, PROJECT};
use pnetc::diagnostics::{Diagnostic, Levels, Style, render};
use pnetc::elaborate;
use pnetc::emit;
use pnetc::explain;
use pnetc::generate::{self, Unwatched};
use pnetc::model::Checked;
use pnetc::syntax::format::format;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()))
}

/// The files below a folder that have this extension, in order, as paths from the root of the project.
fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            all.extend(files(&name, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            all.push(name);
        }
    }
    all.sort();
    all
}

/// The documents.
fn documents() -> Vec<String> {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    top.iter().map(|name| (*name).to_owned()).chain(files("docs", "md")).collect()
}

fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

// ---- models ----

/// Checks a file of the project, which may be replaced by a text.
fn check(path: &str, text: Option<&str>) -> Checked {
    let text = text.map_or_else(|| read(path), str::to_owned);
    sources::check(&Beside(path, text.as_bytes(), &PROJECT), path)
}

/// What is said about a model, with the lines counted from `first_line`.
fn said_about(path: &str, text: Option<&str>, first_line: usize) -> Vec<String> {
    let checked = check(path, text);
    let line = |one: &Diagnostic, checked: &Checked| {
        let file = checked.sources.file_of(one.span()).unwrap();
        let line = first_line + file.position(one.span().start).line - 1;
        format!("{path}:{line}: {}: {}", one.entry.code, one.message)
    };
    let shown = checked.diagnostics.iter().filter_map(|one| Levels::default().apply(one.clone()));
    shown.map(|one| line(&one, &checked)).collect()
}

/// A block of code in a document.
struct Block {
    info: String,
    text: String,
    /// The line on which its text begins, from 1.
    line: usize,
}

fn blocks(document: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (at, line) in document.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), inside) {
            (Some(info), false) => {
                blocks.push(Block {
                    info: info.trim().to_owned(),
                    text: String::new(),
                    line: at + 2,
                });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => {
                let block = blocks.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!inside, "a block is not closed");
    blocks
}

#[test]
fn models_in_documents_check() {
    let mut complaints = Vec::new();
    for path in documents() {
        for block in blocks(&read(&path)).iter().filter(|block| block.info == "pnet") {
            // The tutorial's models import each other; nothing else imports files.
            let place = "examples/tutorial/block.pnet";
            let said = said_about(place, Some(&block.text), block.line);
            complaints.extend(said.iter().map(|line| line.replace(place, &path)));
        }
    }
    report(complaints);
}

#[test]
fn blocks_say_what_they_are() {
    let known = [
        "pnet",
        "pnet,fragment",
        "pnet,wrong",
        "text",
        "sh",
        "json",
        "rust",
        "lua",
        "lisp",
        "elisp",
        "aut",
        "aut,wrong",
        "exp",
        "exp,wrong",
        "rec",
        "rec,wrong",
        "spec",
        "spec,wrong",
        "bip",
        "bip,wrong",
    ];
    let mut complaints = Vec::new();
    for path in documents() {
        for block in blocks(&read(&path)) {
            if !known.contains(&block.info.as_str()) {
                complaints.push(format!("{path}:{}: a block of `{}`", block.line - 1, block.info));
            }
        }
    }
    report(complaints);
}

#[test]
fn examples_and_library_check() {
    let models = files("examples", "pnet").into_iter().chain(files("stdlib", "pnet"));
    report(models.flat_map(|path| said_about(&path, None, 1)).collect());
}

#[test]
fn examples_and_library_are_formatted() {
    let models = files("examples", "pnet").into_iter().chain(files("stdlib", "pnet"));
    let unformatted = models.filter(|path| format(&read(path)).ok() != Some(read(path)));
    report(unformatted.map(|path| format!("{path}: run `make fmt`")).collect());
}

// ---- documents that are made from something else ----

#[test]
fn the_error_index_is_up_to_date() {
    let path = root().join("docs/errors.md");
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::write(&path, explain::index()).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == explain::index(), "docs/errors.md is out of date: PNET_BLESS=1 renews it");
}

#[test]
fn the_tutorial_shows_its_examples() {
    let tutorial = blocks(&read("docs/tutorial.md"));
    let shown: Vec<&Block> = tutorial.iter().filter(|block| block.info == "pnet").collect();
    let examples = files("examples/tutorial", "pnet");
    assert_eq!(shown.len(), examples.len(), "one block for each of {examples:?}");
    for (block, path) in shown.iter().zip(&examples) {
        assert_eq!(block.text, read(path), "docs/tutorial.md:{} is not {path}", block.line);
    }
}

/// What is said about a model that differs in one line from a file, as text.
fn shown(path: &str, line: usize, replacement: &str, code: &str) -> String {
    let text = read(format!("examples/tutorial/{path}"));
    let lines = text.lines().enumerate();
    let changed = lines.map(|(at, old)| if at + 1 == line { replacement } else { old });
    let model: String = changed.flat_map(|line| [line, "\n"]).collect();
    rendered(path, &model, code)
}

/// What is said about a model under the name `path`, beside the files of the tutorial. Where the code is about
/// automata, that of the last net is looked at too.
fn rendered(path: &str, model: &str, code: &str) -> String {
    let files = Beside(path, model.as_bytes(), &Disk("examples/tutorial"));
    let mut checked = sources::check(&files, path);
    if code.starts_with('A') {
        let net = checked.build(None, &elaborate::ElaborateOptions::default()).unwrap();
        let options = generate::Options::default();
        let generated = generate::generate(&net, &options, &Unwatched);
        let found = checked.review(&net, &generated, &options, &Unwatched);
        checked.diagnostics.extend(found);
    }
    let shown = checked.diagnostics.iter().filter_map(|one| Levels::default().apply(one.clone()));
    shown.map(|one| render(&one, &checked.sources, Style { colour: false })).collect()
}

/// The place that a shown diagnostic points at: its file, its line, and that line's text.
fn pointed_at(block: &str) -> Option<(&str, usize, &str)> {
    let (_, place) = block.lines().nth(1)?.split_once("┌─ ")?;
    let (file, place) = place.split_once(':')?;
    let (line, _) = place.split_once(':')?;
    let quoted = block.lines().find_map(|quoted| {
        let (number, text) = quoted.split_once(" │ ")?;
        (number.trim() == line).then_some(text)
    });
    Some((file, line.parse().ok()?, quoted?))
}

fn shows_diagnostic(block: &&Block) -> bool {
    block.text.starts_with("error[") || block.text.starts_with("warning[")
}

/// Replaces the text of a block. Blocks before it may have changed since it was read, so it is known by its text.
fn replace(document: &str, block: &Block, real: &str) {
    let whole = read(document);
    let old = format!("```{}\n{}```", block.info, block.text);
    let new = format!("```{}\n{real}```", block.info);
    std::fs::write(root().join(document), whole.replacen(&old, &new, 1)).unwrap();
}

/// Compares a block of a document with what is really said; `PNET_BLESS=1` puts that in its place.
fn compare(document: &str, block: &Block, real: &str) -> Option<String> {
    let real = format!("{}\n", real.trim());
    if std::env::var_os("PNET_BLESS").is_some() {
        replace(document, block, &real);
        return None;
    }
    (block.text != real)
        .then(|| format!("{document}:{}: PNET_BLESS=1 makes it\n{real}", block.line))
}

#[test]
fn documents_show_real_diagnostics() {
    let mut complaints = Vec::new();
    for block in blocks(&read("docs/tutorial.md")).iter().filter(shows_diagnostic) {
        let (file, line, quoted) = pointed_at(&block.text).expect(&block.text);
        let (_, code) = block.text.split_once('[').unwrap();
        complaints.extend(compare("docs/tutorial.md", block, &shown(file, line, quoted, code)));
    }
    // The README shows its own model, and what is said when a vector is left out.
    let readme = blocks(&read("README.md"));
    let model = &readme.iter().find(|block| block.info == "pnet").unwrap().text;
    let real =
        rendered("lamp.pnet", &model.replace("    <H: press, L: off> -> press;\n", ""), "W0311");
    complaints.extend(compare("README.md", readme.iter().find(shows_diagnostic).unwrap(), &real));
    report(complaints);
}

// ---- sessions ----

/// Where the commands of a document are run: the README's model is `lamp.pnet`, the others name files of the
/// project.
fn where_to_run(document: &str) -> PathBuf {
    if document != "README.md" {
        return root();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs");
    std::fs::create_dir_all(&folder).unwrap();
    let readme = blocks(&read(document));
    let model = &readme.iter().find(|block| block.info == "pnet").unwrap().text;
    std::fs::write(folder.join("lamp.pnet"), model).unwrap();
    folder
}

/// The words of a command: what stands between single quotes is one.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, piece) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// What a command says to somebody at a terminal.
fn session(document: &str, line: &str) -> String {
    let words = words(line);
    let mut words = words.iter().map(String::as_str);
    assert_eq!(words.next(), Some("pnet"), "{document}: {line}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let done = command.args(words).current_dir(where_to_run(document)).output().unwrap();
    String::from_utf8([done.stderr, done.stdout].concat()).unwrap()
}

/// Blocks of automata, each with the model before it.
fn automata(document: &str) -> Vec<(String, Block)> {
    let mut model = String::new();
    let mut found = Vec::new();
    for block in blocks(document) {
        match block.info.as_str() {
            "pnet" => model = block.text,
            "sh" => model.clear(),
            "text" if block.text.starts_with("automaton ") && !model.is_empty() => {
                found.push((model.clone(), block));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn the_reference_shows_real_automata() {
    let path = "docs/language.md";
    let shown = automata(&read(path));
    assert!(!shown.is_empty());
    let complaint = |(model, block): (String, Block)| {
        let checked = check(path, Some(&model));
        let net = checked.build(None, &elaborate::ElaborateOptions::default()).unwrap();
        let generated = generate::generate(&net, &generate::Options::default(), &Unwatched);
        compare(path, &block, &emit::automaton::text(&generated.automaton))
    };
    report(shown.into_iter().filter_map(complaint).collect());
}

/// A block of one command with the block of its output, where that follows: they are one line of text apart at most.
fn sessions(document: &str) -> Vec<(String, Block)> {
    let mut before: Option<Block> = None;
    let mut found = Vec::new();
    for block in blocks(document) {
        if let Some(command) = before.take().filter(|last| last.info == "sh")
            && block.info == "text"
            && block.line <= command.line + 5
        {
            found.push((command.text.trim().to_owned(), block));
        } else {
            before = Some(block);
        }
    }
    found
}

#[test]
fn documents_show_real_sessions() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for path in documents() {
        for (line, block) in sessions(&read(&path)) {
            complaints.extend(compare(&path, &block, &session(&path, &line)));
            count += 1;
        }
    }
    report(complaints);
    assert!(count >= 6, "only {count} sessions were found");
}

// ---- links ----

/// The targets of the links in a document, with their lines; not those in code.
fn links(document: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut links = Vec::new();
    for (at, line) in document.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        }
        if !inside {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            links.extend(targets.map(|(target, _)| (at + 1, target.to_owned())));
        }
    }
    links
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(document: &str) -> Vec<String> {
    let code = blocks(document);
    let in_code = |line: usize| {
        code.iter()
            .any(|block| (block.line..block.line + block.text.lines().count()).contains(&line))
    };
    let headings =
        document.lines().enumerate().filter(|(at, line)| line.starts_with('#') && !in_code(at + 1));
    headings
        .map(|(_, line)| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// Why a link of a document leads nowhere, if it does.
fn broken(document: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = Path::new(document).parent().unwrap();
    let path = if file.is_empty() { PathBuf::from(document) } else { folder.join(file) };
    if !root().join(&path).exists() {
        return Some(format!("there is no file `{}`", path.display()));
    }
    let missing = !anchor.is_empty() && !anchors(&read(&path)).iter().any(|known| known == anchor);
    missing.then(|| format!("`{}` has no heading `#{anchor}`", path.display()))
}

#[test]
fn links_lead_somewhere() {
    let mut complaints = Vec::new();
    for path in documents() {
        for (line, target) in links(&read(&path)) {
            complaints.extend(broken(&path, &target).map(|why| format!("{path}:{line}: {why}")));
        }
    }
    report(complaints);
}

#[test]
fn links_are_found() {
    let text = "see [a](b.md#c-d) and [e](#f)\n```text\n[g](h)\n```\n# C, `d`\n";
    assert_eq!(links(text), [(1, "b.md#c-d".to_owned()), (1, "#f".to_owned())]);
    assert_eq!(anchors(text), ["c-d"]);
}
