//! The rules of the house that no lint can hold: who may use whom, where libraries may be named, how long a
//! file may be, and that the map in ARCHITECTURE.md is true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules in the order in which data flows through them: each may use those before it, and itself.
/// Those in one row are neighbours that may use each other.
const ORDER: [&[&str]; 37] = [
    &["base"],
    &["parametric"],
    &["diagnostics"],
    &["lts"],
    &["network"],
    &["syntax"],
    &["loader"],
    &["import"],
    &["sema"],
    &["algebra"],
    &["pnet"],
    &["elaborate"],
    &["explore"],
    &["smt"],
    &["automaton"],
    &["generate"],
    &["outcome"],
    &["system"],
    &["equivalence"],
    &["safety"],
    &["temporal"],
    &["moving"],
    &["families"],
    &["architectures"],
    &["emit"],
    &["compose"],
    &["export"],
    &["review"],
    &["premises"],
    &["model"],
    &["simulate"],
    &["finite"],
    &["verify"],
    &["view"],
    &["session"],
    &["explain"],
    &["editor"],
];

/// Comes after all others.
const LAST: &str = "cli";

/// What may be named in some modules only.
const ONLY_IN: [(&str, &[&str]); 14] = [
    ("codespan", &["src/diagnostics/"]),
    ("logos", &["src/syntax/", "src/import/"]),
    ("lalrpop", &["src/syntax/", "src/import/"]),
    ("clap", &["src/cli/"]),
    ("rustyline", &["src/cli/"]),
    ("terminal_size", &["src/cli/"]),
    ("timely", &["src/cli/spread/"]),
    ("signal_hook", &["src/cli/"]),
    ("z3", &["src/smt/", "src/cli/recheck.rs"]),
    ("std::fs", &["src/cli/"]),
    ("std::env", &["src/cli/"]),
    ("std::process", &["src/cli/", "src/main.rs"]),
    ("std::io::std", &["src/cli/"]),
    ("std::time", &["src/cli/", "src/smt/watchdog.rs"]),
];

const LONGEST_FILE: usize = 800;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A file with its path from the root of the project, with `/`.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Lines with their numbers, without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate();
        lines.map(|(at, line)| (at + 1, line.split("//").next().unwrap_or("")))
    }

    /// The module of the compiler that it belongs to: `sema` for `src/sema/net.rs`.
    fn module(&self) -> &str {
        if self.path == "grammar/bip.lalrpop" {
            return "import";
        }
        let inside = self.path.strip_prefix("src/").unwrap_or("syntax");
        inside.split(['/', '.']).next().unwrap_or("")
    }
}

/// All text files below a file or folder, in order.
fn files(path: &str) -> Vec<File> {
    let full = root().join(path);
    if full.is_dir() {
        let entries = std::fs::read_dir(&full).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        return names.iter().flat_map(|name| files(&format!("{path}/{name}"))).collect();
    }
    let text = String::from_utf8(std::fs::read(&full).unwrap_or_default()).unwrap_or_default();
    vec![File { path: path.to_owned(), text }]
}

/// The Rust sources, and the grammar.
fn sources() -> Vec<File> {
    files("src").into_iter().chain(files("grammar")).collect()
}

fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Whether `word` stands in a text, not as a part of a longer word.
fn names_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(is_part))
}

// ---- who may use whom ----

fn rank(module: &str) -> Option<usize> {
    if module == LAST {
        return Some(ORDER.len());
    }
    ORDER.iter().position(|row| row.contains(&module))
}

/// The modules that a text names by `crate::x` or `crate::{x, y::z}`.
fn used_modules(code: &str) -> Vec<&str> {
    let mut used = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap_or("");
                used.extend(list.split(',').map(|one| first_name(one.trim(), is_name)));
            }
            None => used.push(first_name(rest, is_name)),
        }
    }
    used
}

fn first_name(text: &str, is_name: impl Fn(char) -> bool) -> &str {
    text.split(|c: char| !is_name(c)).next().unwrap_or("")
}

#[test]
fn modules_use_only_those_above_them() {
    let mut complaints = Vec::new();
    for file in sources() {
        let Some(own) = rank(file.module()) else {
            if !["lib", "main"].contains(&file.module()) {
                complaints
                    .push(format!("{}: its module is not in the list of tests/tidy.rs", file.path));
            }
            continue;
        };
        for (line, code) in file.code() {
            let below = used_modules(code)
                .into_iter()
                .filter(|used| rank(used).is_some_and(|rank| rank > own));
            complaints
                .extend(below.map(|used| {
                    format!("{}:{line}: uses `{used}`, which stands below", file.path)
                }));
        }
    }
    report(complaints);
}

#[test]
fn uses_are_found() {
    assert_eq!(used_modules("use crate::sema::net;"), ["sema"]);
    assert_eq!(
        used_modules("use crate::{model, explain::list}; $crate::emit::x"),
        ["model", "explain", "emit"]
    );
    assert!(rank("sema") < rank("session") && rank("session") < rank("cli"));
}

// ---- one name, one meaning ----

/// Names that two rooms share on purpose, and why.
const SHARED_NAMES: [(&str, &str); 5] = [
    ("Expr", "the tree, and what it is once names have a meaning: sema writes `ast::Expr`"),
    ("ExprKind", "as `Expr`"),
    ("Instance", "as `Expr`"),
    ("NetBody", "as `Expr`"),
    ("Sort", "a sort as it is written, once its name has a meaning, and of a term"),
];

/// The type that a line declares for other rooms.
fn exported_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) "))?;
    let rest =
        ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| rest.strip_prefix(kind))?;
    Some(first_name(rest, |c: char| c.is_alphanumeric() || c == '_'))
}

/// The names that mean one type in a room, and another in a room that it uses.
fn ambiguous(sources: &[File]) -> Vec<String> {
    let mut rooms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut declared: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for file in sources {
        for (_, line) in file.code() {
            rooms.entry(file.module()).or_default().extend(used_modules(line));
            if let Some(name) = exported_type(line) {
                declared.entry(name).or_default().insert(file.module(), &file.path);
            }
        }
    }
    let mut found = Vec::new();
    for (name, places) in &declared {
        for (room, path) in places {
            let used =
                places.iter().filter(|(other, _)| *other != room && rooms[room].contains(*other));
            found.extend(
                used.map(|(_, other)| format!("{path}: `{name}` is also a type of {other}")),
            );
        }
    }
    found
}

#[test]
fn a_name_means_one_type_in_neighbouring_rooms() {
    let is_shared =
        |line: &String| SHARED_NAMES.iter().any(|(name, _)| line.contains(&format!("`{name}`")));
    let sources = sources();
    let found = ambiguous(&sources);
    for (name, why) in SHARED_NAMES {
        let is_used = found.iter().any(|line| line.contains(&format!("`{name}`")));
        assert!(is_used, "`{name}` is not shared any more: {why}");
    }
    report(found.into_iter().filter(|line| !is_shared(line)).collect());
}

#[test]
fn a_name_with_two_meanings_is_found() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let one = file("src/smt/a.rs", "pub enum Answer {\n");
    let uses = file("src/game/a.rs", "use crate::smt::Oracle;\npub(crate) struct Answer<'g> {\n");
    let alone = file("src/other/a.rs", "pub type Answer = ();\nstruct Private;\n");
    let found = ambiguous(&[one, uses, alone]);
    assert_eq!(found, ["src/game/a.rs: `Answer` is also a type of src/smt/a.rs"]);
}

#[test]
fn libraries_and_the_outside_world_are_named_only_where_they_belong() {
    let mut complaints = Vec::new();
    for file in files("src") {
        for (word, places) in ONLY_IN {
            if places.iter().any(|place| file.path.starts_with(place)) {
                continue;
            }
            let lines = file.code().filter(|(_, code)| names_word(code, word));
            complaints
                .extend(lines.map(|(line, _)| format!("{}:{line}: names `{word}`", file.path)));
        }
    }
    report(complaints);
}

// ---- what files look like ----

#[test]
fn no_source_file_is_too_long() {
    let length = |file: &File| file.text.lines().count();
    // lalrpop takes a grammar as one file.
    let most = |file: &File| if file.path.ends_with(".lalrpop") { 1_000 } else { LONGEST_FILE };
    let long = sources().into_iter().filter(|file| length(file) > most(file));
    report(long.map(|file| format!("{}: {} lines", file.path, length(&file))).collect());
}

#[test]
fn every_module_says_what_it_is_for() {
    // Scripts and style sheets of pages have comments of their own kinds; pictures and pages have none.
    let beginning = |path: &str| match Path::new(path).extension().and_then(|end| end.to_str()) {
        Some("rs") => Some("//! "),
        Some("js") => Some("// "),
        Some("css") => Some("/* "),
        _ => None,
    };
    let mut complaints = Vec::new();
    for file in files("src") {
        if let Some(wanted) = beginning(&file.path).filter(|begin| !file.text.starts_with(begin)) {
            complaints.push(format!("{}: does not begin with `{}`", file.path, wanted.trim()));
        }
    }
    report(complaints);
}

#[test]
fn nothing_is_left_to_do() {
    let words = ["todo!", "unimplemented!", "dbg!", "FIXME", "XXX", "TODO"];
    let mut complaints = Vec::new();
    for file in sources() {
        for (at, line) in file.text.lines().enumerate() {
            let found = words.iter().filter(|word| names_word(line, word));
            complaints.extend(found.map(|word| format!("{}:{}: {word}", file.path, at + 1)));
        }
    }
    report(complaints);
}

#[test]
fn no_path_leads_into_somebodys_computer() {
    let places = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "Makefile",
        "Cargo.toml",
        "build.rs",
        "docs",
        "editors",
        "src",
        "grammar",
        "tests",
        "benches",
        "examples",
        "stdlib",
        "tools",
        ".ci",
    ];
    let mut complaints = Vec::new();
    for file in places.iter().flat_map(|place| files(place)) {
        for (at, line) in file.text.lines().enumerate() {
            if ["work", "root", "home", "Users"].iter().any(|folder| has_absolute(line, folder)) {
                complaints.push(format!("{}:{}: {}", file.path, at + 1, line.trim()));
            }
        }
    }
    report(complaints);
}

/// Whether a line has a path in it that starts at this folder of the root.
fn has_absolute(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}");
    let is_part = |c: char| c.is_alphanumeric() || "._-)}/*".contains(c);
    let is_whole = |at: usize| !line[at + path.len()..].starts_with(char::is_alphanumeric);
    line.match_indices(&path).any(|(at, _)| !line[..at].ends_with(is_part) && is_whole(at))
}

// ---- the map ----

/// What stands between back-quotes and looks like a path.
fn paths_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|quoted| looks_like_path(quoted))
}

fn looks_like_path(text: &str) -> bool {
    let endings = [".rs", ".md", ".toml", ".lalrpop", ".sh"];
    let plain = text.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c));
    plain && (text.contains('/') || endings.iter().any(|ending| text.ends_with(ending)))
}

fn exists(path: &str, section: &str) -> bool {
    let below_source =
        || files_and_folders("src").iter().any(|known| known.ends_with(&format!("/{path}")));
    let path = path.trim_end_matches('/');
    root().join(path).exists()
        || Path::new(&root().join(section)).join(path).exists()
        || below_source()
}

/// The paths of everything below a folder, with `/` at the end of folders.
fn files_and_folders(path: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(path)).unwrap().map(|entry| entry.unwrap());
    let mut all = Vec::new();
    for entry in entries {
        let name = format!("{path}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            all.extend(files_and_folders(&name));
            all.push(format!("{name}/"));
        } else {
            all.push(name);
        }
    }
    all
}

#[test]
fn documents_name_only_paths_that_exist() {
    let mut complaints = Vec::new();
    for file in ["ARCHITECTURE.md", "CONTRIBUTING.md"].iter().flat_map(|path| files(path)) {
        let mut section = String::new();
        for (at, line) in file.text.lines().enumerate() {
            if line.starts_with('#') {
                section = paths_in(line).next().unwrap_or("").to_owned();
            }
            let missing = paths_in(line).filter(|path| !exists(path, &section));
            complaints.extend(
                missing.map(|path| format!("{}:{}: there is no `{path}`", file.path, at + 1)),
            );
        }
    }
    report(complaints);
}

/// The rooms in the order of the map, of the library, and of the list here are the same.
#[test]
fn the_map_the_library_and_this_list_agree() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let mut rooms: Vec<&str> = ORDER.iter().flat_map(|row| row.iter().copied()).collect();
    rooms.push(LAST);
    let library = read("src/lib.rs");
    let declared: Vec<&str> = library
        .lines()
        .filter_map(|line| {
            line.strip_prefix("pub(crate) ")
                .or(line.strip_prefix("pub "))?
                .strip_prefix("mod ")?
                .strip_suffix(';')
        })
        .collect();
    assert_eq!(declared, rooms, "src/lib.rs");
    let map = read("ARCHITECTURE.md");
    let headed: Vec<&str> = map
        .lines()
        .filter_map(|line| line.strip_prefix("### `src/")?.split(['/', '.', '`']).next())
        .collect();
    assert_eq!(headed, rooms, "ARCHITECTURE.md");
}
