//! The grammar for editors: it takes what pnet takes, and says so where a text is wrong.
//!
//! `editors/tree-sitter/src/parser.c` is compiled as it is committed, with the library of tree-sitter that the system has
//! (Debian's `libtree-sitter-dev`). Nothing is downloaded.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program that parses files; none, said aloud, where there is no C compiler.
fn parser() -> Option<&'static Path> {
    static PARSER: OnceLock<Option<PathBuf>> = OnceLock::new();
    PARSER.get_or_init(compile).as_deref()
}

fn compile() -> Option<PathBuf> {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the tree-sitter grammar is not tested, there is no C compiler `cc`");
        return None;
    }
    let grammar = root().join("editors/tree-sitter");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parse-with-tree-sitter");
    let mut command = Command::new("cc");
    command.args(["-O1", "-Wall", "-Werror", "-I"]).arg(grammar.join("src"));
    command.args(["test/parse.c", "src/parser.c", "src/scanner.c"].map(|file| grammar.join(file)));
    let made = command.arg("-o").arg(&program).arg("-ltree-sitter").output().unwrap();
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(
        made.status.success(),
        "the grammar for tree-sitter does not compile; if the library is missing: `apt install libtree-sitter-dev`\n{said}"
    );
    Some(program)
}

/// What the program says about files, and its status.
fn parse(options: &[&str], files: &[PathBuf]) -> Option<(String, i32)> {
    let run = Command::new(parser()?).args(options).args(files).output().unwrap();
    assert!(run.stderr.is_empty(), "{}", String::from_utf8_lossy(&run.stderr));
    Some((String::from_utf8(run.stdout).unwrap(), run.status.code().unwrap()))
}

/// A file with this text, for one test.
fn written(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tree-sitter");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn models_below(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            models_below(&entry, all);
        } else if entry.extension().is_some_and(|ending| ending == "pnet") {
            all.push(entry);
        }
    }
}

#[test]
fn every_example_and_library_file_is_taken() {
    let mut files = Vec::new();
    models_below(&root().join("examples"), &mut files);
    models_below(&root().join("stdlib"), &mut files);
    assert!(files.len() > 100, "only {} files", files.len());
    if let Some(found) = parse(&[], &files) {
        assert_eq!(found, (String::new(), 0));
    }
}

#[test]
fn every_model_of_the_reference_is_taken() {
    let mut files = Vec::new();
    for page in ["language", "tutorial", "safety", "parametric"] {
        let text = std::fs::read_to_string(root().join(format!("docs/{page}.md"))).unwrap();
        for (at, block) in text.split("\n```pnet\n").skip(1).enumerate() {
            let model = block.split("\n```").next().unwrap();
            files.push(written(&format!("{page}-{at}.pnet"), model));
        }
    }
    assert!(files.len() > 70, "only {} models", files.len());
    if let Some(found) = parse(&[], &files) {
        assert_eq!(found, (String::new(), 0));
    }
}

#[test]
fn wrong_texts_are_not_taken() {
    let wrong = [
        "action a",
        "process P { init state s; s -> : a; }",
        "net N { <P a> -> b; }",
        "check always(N);",
        "fun f(x: Int): Int = x.;",
        "axiom forall x.y == 1;",
        "connector C(p: port) { p [q; }",
        "/* one /* two */",
    ];
    for (at, text) in wrong.iter().enumerate() {
        let file = written(&format!("wrong-{at}.pnet"), text);
        let Some((said, status)) = parse(&[], &[file]) else { return };
        assert_eq!(status, 1, "{text}");
        assert!(said.ends_with(": not taken\n"), "{said}");
    }
}

#[test]
fn parsing_ends_whatever_stands_there() {
    // Every beginning and every end of a model, as they are while one types.
    let model = std::fs::read_to_string(root().join("examples/ring.pnet")).unwrap();
    let cuts = (0..model.len()).step_by(37).filter(|&cut| model.is_char_boundary(cut));
    let texts = cuts.flat_map(|cut| [&model[..cut], &model[cut..]]);
    let files = texts.enumerate().map(|(at, text)| written(&format!("cut-{at}.pnet"), text));
    let files: Vec<_> = files.collect();
    if let Some((_, status)) = parse(&[], &files) {
        assert!(status <= 1);
    }
}

/// The cases of a file of the corpus: their names, models and trees.
fn cases(text: &str) -> Vec<(String, String, String)> {
    let bars = format!("\n{}\n", "=".repeat(80));
    let text = format!("\n{text}");
    let parts: Vec<&str> = text.split(&bars).skip(1).collect();
    let split = format!("\n{}\n", "-".repeat(80));
    let cases = parts.chunks(2).map(|case| {
        let (model, tree) = case[1].split_once(&split).expect("a line of dashes");
        (case[0].to_owned(), model.to_owned(), tree.to_owned())
    });
    cases.collect()
}

/// A tree on one line, without the names of fields, which the corpus leaves out.
fn plain(tree: &str) -> String {
    let words = tree.split_whitespace().filter(|word| !word.ends_with(':'));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn trees_are_those_of_the_corpus() {
    for page in ["items", "behaviour", "claims"] {
        let path = root().join(format!("editors/tree-sitter/test/corpus/{page}.txt"));
        let cases = cases(&std::fs::read_to_string(path).unwrap());
        assert!(cases.len() >= 3, "{page}");
        for (at, (name, model, tree)) in cases.into_iter().enumerate() {
            let file = written(&format!("{page}-corpus-{at}.pnet"), &model);
            let Some((found, status)) = parse(&["-t"], &[file]) else { return };
            assert_eq!(plain(&found), plain(&tree), "{name}");
            assert_eq!(status, 0, "{name}");
        }
    }
}

#[test]
fn queries_are_ones_of_the_grammar() {
    for (page, least) in [("highlights", 50), ("folds", 1), ("locals", 10)] {
        let file = root().join(format!("editors/tree-sitter/queries/{page}.scm"));
        let Some((said, status)) = parse(&["-q"], &[file]) else { return };
        assert_eq!(status, 0, "{said}");
        assert!(said.trim().parse::<u32>().unwrap() >= least, "{page}: {said}");
    }
    let wrong = written("wrong.scm", "(no_such_node) @variable\n");
    let Some((_, status)) = parse(&["-q"], &[wrong]) else { return };
    assert_eq!(status, 1);
}

/// The words between quotes in a list of the queries or of the grammar.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

#[test]
fn every_keyword_has_a_colour() {
    let queries = root().join("editors/tree-sitter/queries/highlights.scm");
    let text = std::fs::read_to_string(queries).unwrap();
    let textmate = root().join("editors/vscode/syntaxes/pnet.tmLanguage.json");
    let textmate = std::fs::read_to_string(textmate).unwrap();
    let coloured = quoted(&text);
    // Those that are nodes of the tree: constants, and kinds of checks.
    let nodes = ["true", "false", "tau", "always", "reaches", "live", "mutex", "at_most", "valid"];
    let words = pnetc::syntax::token::KEYWORDS.iter().chain(pnetc::syntax::token::CONTEXTUAL);
    for (word, _) in words {
        assert!(coloured.contains(word) || nodes.contains(word), "tree-sitter: {word}");
        let mut alone = textmate.split(|c: char| !c.is_alphanumeric() && c != '_');
        assert!(alone.any(|one| one == *word), "TextMate: {word}");
    }
}
