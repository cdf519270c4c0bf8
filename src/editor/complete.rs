//! What could be written at a place.

use rustc_hash::FxHashSet;

use super::wanted::{FORMULA, Wanted, wanted};
use crate::diagnostics::{SourceFile, Span};
use crate::loader;
use crate::model::Checked;
use crate::sema::program::LocalKind;
use crate::sema::{NameKind, Occurrence, known_checks};
use crate::syntax::ast::{ImportNames, ItemKind};
use crate::syntax::token::{lex, needs_quotes};

/// Something that could be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// What is shown.
    pub label: String,
    /// What is written; `$1` and `$0` are places to go on, in a snippet.
    pub text: String,
    /// What it names; nothing for words of the language.
    pub kind: Option<NameKind>,
    /// Whether it is a snippet.
    pub is_snippet: bool,
    /// What was written of it so far, in the place of which it is put.
    pub replaces: Span,
}

const SNIPPETS: [(&str, &str); 7] = [
    ("process", "process ${1:Name} {\n    init state ${2:start};\n    $0\n}"),
    ("net", "net ${1:Name}(${2:P}: any) {\n    $0\n}"),
    ("action", "action ${1:name};$0"),
    ("enum", "enum ${1:Name} { ${2:One}, ${3:Two} }$0"),
    ("fun", "fun ${1:name}(${2:x}: ${3:Int}): ${4:Int} = $0;"),
    ("const", "const ${1:name}: ${2:Int} = $0;"),
    ("check", "check ${1:bisimilar}(${2:First}, ${3:Second});$0"),
];

/// What could be written at an offset of the file that was asked for. `files` are those that could be imported, relative to it.
pub fn completions(checked: &Checked, offset: u32, files: &[String]) -> Vec<Completion> {
    let Some(file) = super::root(checked) else { return Vec::new() };
    let at = (offset.saturating_sub(file.base())) as usize;
    let whole = file.text().get(..at).unwrap_or("");
    if let Some(start) = import_text(whole) {
        let replaces = Span::new(file.base() + start as u32, offset);
        return files.iter().map(|one| word(&format!("./{one}"), replaces)).collect();
    }
    let (before, typed) = whole.split_at(path_start(whole));
    let dot = typed.rfind('.');
    let (wanted, alias) = match (wanted(before), dot) {
        (Wanted::Import, _) => (Wanted::Import, ""),
        (_, Some(dot)) if is_alias(checked, &typed[..dot]) => (Wanted::OfModule, &typed[..dot]),
        (Wanted::StatementOf("connector"), Some(_)) => (Wanted::Datum, ""),
        (Wanted::Joined, Some(_)) => (Wanted::ActionOfPart, ""),
        (Wanted::AnyState, Some(_)) => (Wanted::AnyState, ""),
        (_, Some(_)) => (Wanted::Member, ""),
        (wanted, None) => (wanted, ""),
    };
    let kept = if wanted == Wanted::Import { 0 } else { dot.map_or(0, |dot| dot + 1) };
    let replaces = Span::new(file.base() + (before.len() + kept) as u32, offset);
    if wanted == Wanted::OfImport {
        return listed(checked, before, replaces);
    }
    let mut all = words(wanted, files, replaces);
    if !matches!(wanted, Wanted::Import | Wanted::Item) {
        all.extend(names(checked, wanted, (replaces, alias)));
    }
    all
}

/// Where the path begins that is being written at the end of a text: `P[i].x`, but not `0..n`.
fn path_start(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut start = text.trim_end_matches(is_name).len();
    while start > 0 && bytes[start - 1] == b'.' && !text[..start - 1].ends_with('.') {
        let before = &text[..start - 1];
        // The index of a part, in one line.
        let mut level = 0;
        let name_end =
            before.char_indices().rev().take_while(|(_, c)| *c != '\n').find_map(|(at, c)| {
                level += i32::from(c == ']') - i32::from(c == '[');
                (level <= 0).then_some(if c == '[' { at } else { at + c.len_utf8() })
            });
        let name = before.get(..name_end.unwrap_or(0)).unwrap_or("").trim_end_matches(is_name);
        if name_end.is_none_or(|end| end == name.len()) {
            // Of a value that is no name, a field may be meant.
            return if before.ends_with([')', ']', '`']) { start - 1 } else { start };
        }
        start = name.len();
    }
    start
}

/// What a file declares from which an import lists names. What is being written has no meaning yet, so the text is asked.
fn listed(checked: &Checked, before: &str, replaces: Span) -> Vec<Completion> {
    let head = before.rfind("import").map_or("", |at| &before[at + "import".len()..]);
    let source = head.split('(').next().unwrap_or("").trim();
    let file = source.trim_matches('"').trim_start_matches("./");
    let is_it = |name: &str| name == file || name.rsplit('/').next() == Some(file);
    let Some(file) = checked.sources.files().iter().find(|one| is_it(one.name())) else {
        return Vec::new();
    };
    let names = checked.names().iter().filter(|one| one.declares && file.span().contains(one.span));
    let mut seen = FxHashSet::default();
    let names = names.filter(|one| fits(Wanted::OfModule, one.kind) && seen.insert(one.name));
    names.map(|one| named(one, replaces)).collect()
}

/// A name, as it is written.
fn named(one: &Occurrence, replaces: Span) -> Completion {
    let label = one.name.to_string();
    let text = if needs_quotes(&label) { format!("`{label}`") } else { label.clone() };
    Completion { label, text, kind: Some(one.kind), is_snippet: false, replaces }
}

/// Whether an import is called so. What is being written has no meaning yet, so the imports are asked.
fn is_alias(checked: &Checked, name: &str) -> bool {
    checked.tree.items.iter().any(|item| match &item.kind {
        ItemKind::Import(import) => {
            matches!(import.names, ImportNames::Under(alias) if alias.name.as_str() == name)
        }
        _ => false,
    })
}

/// The file that an import stands for, where it was read.
fn imported<'c>(checked: &'c Checked, alias: &str) -> Option<&'c SourceFile> {
    let modules = &checked.program.modules;
    let root = modules.iter().find(|one| one.is_root)?;
    let (_, id) = root.aliases.iter().find(|(known, _)| known.as_str() == alias)?;
    let file = &modules.get(id.index())?.file;
    checked.sources.files().iter().find(|one| one.name() == file)
}

/// Where the name of a file begins that is being written after `import`.
fn import_text(before: &str) -> Option<usize> {
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let text = before.get(line..)?;
    let rest = text.trim_start().strip_prefix("import")?.trim_start().strip_prefix('"')?;
    (!rest.contains('"')).then(|| before.len() - rest.len())
}

fn word(label: &str, replaces: Span) -> Completion {
    let (label, text) = (label.to_owned(), label.to_owned());
    Completion { label, text, kind: None, is_snippet: false, replaces }
}

/// The words of the language, and the modules, that fit.
fn words(wanted: Wanted, files: &[String], replaces: Span) -> Vec<Completion> {
    let word = |label: &str| word(label, replaces);
    match wanted {
        Wanted::Import => {
            let library = loader::library_names().filter(|name| *name != "prelude");
            let library = library.map(|name| word(&format!("std.{name}")));
            library.chain(files.iter().map(|file| word(&format!("\"./{file}\"")))).collect()
        }
        Wanted::Item => {
            let snippet = |(label, text): (&str, &str)| {
                let (label, text) = (label.to_owned(), text.to_owned());
                Completion { label, text, kind: None, is_snippet: true, replaces }
            };
            let more = [
                "module",
                "import",
                "interface",
                "data",
                "sort",
                "axiom",
                "scenario",
                "relation",
                "invariant",
                "reduction",
                "property",
                "connector",
                "architecture",
            ];
            SNIPPETS.into_iter().map(snippet).chain(more.map(word)).collect()
        }
        Wanted::Sort => ["Int", "Bool"].map(word).into(),
        Wanted::HoleSort => vec![word("any")],
        Wanted::Statement => {
            ["init state", "state", "final state", "var", "priority"].map(word).into()
        }
        Wanted::Words(all) => all.iter().map(|one| word(one)).collect(),
        Wanted::Joined => ["when", "do", "for"].map(word).into(),
        Wanted::Argument => ["true", "false"].map(word).into(),
        Wanted::StatementOf(what) => statements(what).iter().map(|one| word(one)).collect(),
        Wanted::Action => ["tau", "sync"].map(word).into(),
        Wanted::Claim => {
            let checks = known_checks();
            checks.iter().map(String::as_str).chain(["not"]).map(word).collect()
        }
        Wanted::Formula => {
            let before = FORMULA.iter().filter(|one| !RUNS.contains(one));
            before.chain(&VALUE).map(|one| word(one)).collect()
        }
        Wanted::Told | Wanted::Value => VALUE.iter().map(|one| word(one)).collect(),
        Wanted::Operator(is_formula) => {
            let more: &[&str] = if is_formula { &RUNS } else { &[] };
            OPERATOR.iter().chain(more).map(|one| word(one)).collect()
        }
        _ => Vec::new(),
    }
}

/// The words with which statements begin.
fn statements(of: &str) -> &'static [&'static str] {
    match of {
        "net" => &["sub", "connect", "priority"],
        "connector" => &["on", "up", "down", "when"],
        "architecture" => &["rule"],
        "rule" => &["new", "sub", "connect", "never", "priority"],
        "reduction" => &["restrict", "leaf", "root", "compose"],
        _ => &[],
    }
}

/// The words with which values begin.
const VALUE: [&str; 8] = ["not", "forall", "exists", "if", "let", "match", "true", "false"];

/// The words between formulas about runs.
const RUNS: [&str; 2] = ["U", "W"];

/// The words behind values.
const OPERATOR: [&str; 14] = [
    "and", "or", "div", "mod", "is", "in", "not in", "then", "else", "with", "for", "when",
    "unless", "do",
];

/// The names that fit, each once.
fn names(checked: &Checked, wanted: Wanted, (replaces, alias): (Span, &str)) -> Vec<Completion> {
    let module = imported(checked, alias).map(SourceFile::span);
    let (offset, whole) = (replaces.end, super::root(checked).map(SourceFile::span));
    let whole = whole.unwrap_or_default();
    let around = checked.tree.items.iter().find(|item| {
        let here = item.span.start <= offset && offset <= item.span.end;
        here && !matches!(item.kind, ItemKind::Error)
    });
    let around = around.map_or(whole, |item| item.span);
    let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
    let mut all = Vec::new();
    for one in checked.names().iter().filter(|one| one.declares) {
        let is_local = matches!(
            one.kind,
            NameKind::Local(_)
                | NameKind::State
                | NameKind::Hole
                | NameKind::Part
                | NameKind::Joint
                | NameKind::Fixpoint
                | NameKind::Port
                | NameKind::Rule
        );
        let is_near = match wanted {
            // What is asked about may be a net of another file.
            Wanted::AnyState => !is_library_of(checked, one),
            Wanted::Member | Wanted::Formula | Wanted::Told | Wanted::AnyPart | Wanted::Members => {
                !is_local || whole.contains(one.span)
            }
            Wanted::OfModule => match module {
                Some(module) => module.contains(one.span),
                None => !whole.contains(one.span),
            },
            _ => !is_local || around.contains(one.span),
        };
        // What is being written is no proposal.
        let is_it = one.span == replaces;
        if !fits(wanted, one.kind) || !is_near || is_it {
            continue;
        }
        if !seen.insert((one.name.as_str(), one.kind.in_words())) {
            continue;
        }
        all.push(named(one, replaces));
    }
    all
}

/// Whether a name is declared in the library.
fn is_library_of(checked: &Checked, one: &Occurrence) -> bool {
    checked.sources.file_of(one.span).is_none_or(|file| super::is_library(file.name()))
}

fn fits(wanted: Wanted, kind: NameKind) -> bool {
    use NameKind as Kind;
    let is_variable = matches!(kind, Kind::Local(_));
    let is_inside = matches!(kind, Kind::State | Kind::Hole | Kind::Part | Kind::Port | Kind::Rule);
    let is_value = matches!(kind, Kind::Function | Kind::Constant | Kind::Constructor);
    match wanted {
        Wanted::Import | Wanted::OfImport | Wanted::Item | Wanted::Claim => false,
        Wanted::Nothing | Wanted::Words(_) | Wanted::Operator(_) => false,
        Wanted::Sort => matches!(kind, Kind::Sort | Kind::Module),
        Wanted::ActionName => matches!(kind, Kind::Action | Kind::Module),
        Wanted::Members => matches!(kind, Kind::Part | Kind::Hole | Kind::Process),
        Wanted::RuleName => matches!(kind, Kind::Rule | Kind::Architecture),
        Wanted::Argument => {
            is_value || is_variable || matches!(kind, Kind::Action | Kind::Sort | Kind::Module)
        }
        Wanted::HoleSort => kind == Kind::Interface,
        Wanted::State | Wanted::Statement | Wanted::AnyState => kind == Kind::State,
        Wanted::Component => {
            let is_one = matches!(kind, Kind::Process | Kind::Net | Kind::Architecture);
            is_one || matches!(kind, Kind::Hole | Kind::Module)
        }
        Wanted::Action => matches!(kind, Kind::Action | Kind::Module),
        Wanted::ActionOfPart => kind == Kind::Action,
        Wanted::Part | Wanted::AnyPart => matches!(kind, Kind::Part | Kind::Hole),
        Wanted::Joined => {
            let is_one = matches!(kind, Kind::Part | Kind::Hole | Kind::Joint);
            is_one || matches!(kind, Kind::Connector | Kind::Module)
        }
        Wanted::StatementOf("connector") => {
            is_value || kind == Kind::Port || kind == Kind::Local(LocalKind::Parameter)
        }
        Wanted::StatementOf("rule") => kind == Kind::Rule,
        Wanted::StatementOf(_) => false,
        Wanted::Relation => kind == Kind::Relation,
        Wanted::Field => kind == Kind::Field,
        Wanted::Datum => kind == Kind::Local(LocalKind::VectorData),
        Wanted::Member => {
            matches!(kind, Kind::Field | Kind::Part) || kind == Kind::Local(LocalKind::Variable)
        }
        Wanted::OfModule => !is_variable && !is_inside,
        Wanted::Formula | Wanted::Told => {
            let is_part = matches!(kind, Kind::Part | Kind::Hole | Kind::Process | Kind::Property);
            let is_own = matches!(
                kind,
                Kind::Local(LocalKind::Variable | LocalKind::Quantified | LocalKind::Parameter)
            );
            is_value || is_part || is_own || matches!(kind, Kind::Action | Kind::Module)
        }
        Wanted::Value => {
            is_value || is_variable || matches!(kind, Kind::Action | Kind::Part | Kind::Module)
        }
    }
}

/// What is called around an offset: the text of its declaration, and which argument is being written.
pub fn parameters(checked: &Checked, offset: u32) -> Option<(String, Vec<String>, usize)> {
    let file = super::root(checked)?;
    let at = (offset.checked_sub(file.base())?) as usize;
    let (lexed, _) = lex(file.text().get(..at)?, file.base());
    let text = |span: &Span| checked.sources.text(*span);
    let (mut level, mut argument) = (0, 0);
    for (index, span) in lexed.spans.iter().enumerate().rev() {
        match text(span) {
            ")" | "]" => level += 1,
            "(" | "[" if level > 0 => level -= 1,
            "(" => {
                let callee = lexed.spans.get(index.checked_sub(1)?)?;
                let name = super::name_at(checked, callee.start)?;
                let declared = checked.sources.file_of(name.declared)?;
                let rest = declared.text().get(declared.range(name.declared).end..)?;
                let inside = rest.trim_start().strip_prefix('(')?;
                let inside = inside.get(..inside.find(')')?)?;
                let all: Vec<String> = inside.split(',').map(|one| one.trim().to_owned()).collect();
                return Some((format!("{}({inside})", name.name), all, argument));
            }
            "," if level == 0 => argument += 1,
            ";" | "{" | "}" => return None,
            _ => {}
        }
    }
    None
}
