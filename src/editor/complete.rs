//! What could be written at a place.

use rustc_hash::FxHashSet;

use crate::diagnostics::{SourceFile, Span};
use crate::loader;
use crate::model::Checked;
use crate::sema::NameKind;
use crate::sema::program::LocalKind;
use crate::syntax::ast::{ImportNames, ItemKind};
use crate::syntax::token::{KEYWORDS, lex, needs_quotes};

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

/// Which names fit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Import,
    Item,
    Sort,
    HoleSort,
    State,
    Component,
    Statement,
    /// After a dot: fields of data, and variables and states of parts.
    Member,
    /// After the name of an import and a dot.
    OfModule,
    Anything,
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
    let before = whole.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
    let typed = &whole[before.len()..];
    let wanted = match (wanted(before), typed.rfind('.')) {
        (Wanted::Import, _) => Wanted::Import,
        (_, Some(dot)) if is_alias(checked, &typed[..dot]) => Wanted::OfModule,
        (_, Some(_)) => Wanted::Member,
        (wanted, None) => wanted,
    };
    let kept = if wanted == Wanted::Import { 0 } else { typed.rfind('.').map_or(0, |dot| dot + 1) };
    let replaces = Span::new(file.base() + (before.len() + kept) as u32, offset);
    let mut all = words(wanted, files, replaces);
    if !matches!(wanted, Wanted::Import | Wanted::Item) {
        all.extend(names(checked, wanted, replaces));
    }
    all
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
            let more = ["import", "interface", "data", "sort", "axiom", "scenario", "relation"];
            SNIPPETS.into_iter().map(snippet).chain(more.map(word)).collect()
        }
        Wanted::Sort => ["Int", "Bool"].map(word).into(),
        Wanted::HoleSort => vec![word("any")],
        Wanted::Statement => ["init state", "state", "var", "priority"].map(word).into(),
        Wanted::State | Wanted::Component | Wanted::Member | Wanted::OfModule => Vec::new(),
        Wanted::Anything => KEYWORDS.iter().map(|(keyword, _)| word(keyword)).collect(),
    }
}

/// The names that fit, each once.
fn names(checked: &Checked, wanted: Wanted, replaces: Span) -> Vec<Completion> {
    let (offset, whole) = (replaces.end, super::root(checked).map(SourceFile::span));
    let whole = whole.unwrap_or_default();
    let around = checked.tree.items.iter().find(|item| {
        let here = item.span.start <= offset && offset <= item.span.end;
        here && !matches!(item.kind, ItemKind::Error)
    });
    let around = around.map_or(whole, |item| item.span);
    let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
    let mut all = Vec::new();
    for one in checked.program.occurrences.iter().filter(|one| one.declares) {
        let is_local = matches!(
            one.kind,
            NameKind::Local(_)
                | NameKind::State
                | NameKind::Hole
                | NameKind::Part
                | NameKind::Port
                | NameKind::Rule
        );
        let is_near = match wanted {
            Wanted::Member => whole.contains(one.span),
            Wanted::OfModule => !whole.contains(one.span),
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
        let label = one.name.to_string();
        let text = if needs_quotes(&label) { format!("`{label}`") } else { label.clone() };
        all.push(Completion { label, text, kind: Some(one.kind), is_snippet: false, replaces });
    }
    all
}

fn fits(wanted: Wanted, kind: NameKind) -> bool {
    match wanted {
        Wanted::Import | Wanted::Item => false,
        Wanted::Sort => kind == NameKind::Sort,
        Wanted::HoleSort => kind == NameKind::Interface,
        Wanted::State | Wanted::Statement => kind == NameKind::State,
        Wanted::Component => {
            matches!(kind, NameKind::Process | NameKind::Net | NameKind::Hole | NameKind::Module)
        }
        Wanted::Member => {
            matches!(kind, NameKind::Field | NameKind::Part)
                || kind == NameKind::Local(LocalKind::Variable)
        }
        Wanted::OfModule => !matches!(
            kind,
            NameKind::Local(_)
                | NameKind::State
                | NameKind::Hole
                | NameKind::Part
                | NameKind::Port
                | NameKind::Rule
        ),
        Wanted::Anything => true,
    }
}

/// What the words before a place ask for.
fn wanted(before: &str) -> Wanted {
    let (lexed, _) = lex(before, 0);
    let words: Vec<&str> = lexed
        .spans
        .iter()
        .map(|span| before.get(span.start as usize..span.end as usize).unwrap_or(""))
        .collect();
    let mut depth = 0_i32;
    for word in &words {
        depth += i32::from(*word == "{") - i32::from(*word == "}");
    }
    // The word that the block around begins with.
    let (mut level, mut block) = (0, "");
    for (at, word) in words.iter().enumerate().rev() {
        level += i32::from(*word == "}") - i32::from(*word == "{");
        if level < 0 {
            let head = words[..at].iter().rev().take_while(|one| !matches!(**one, ";" | "}"));
            block = head.last().copied().unwrap_or("");
            break;
        }
    }
    let start = words.iter().rposition(|word| matches!(*word, ";" | "{" | "}"));
    let statement = &words[start.map_or(0, |at| at + 1)..];
    let last = statement.last().copied();
    match (statement.first().copied(), last) {
        (None, _) if depth <= 0 => Wanted::Item,
        (None, _) if block == "process" => Wanted::Statement,
        (Some("import"), Some("import")) => Wanted::Import,
        (Some("net"), Some(":")) => {
            let in_holes = statement.iter().rposition(|word| *word == "(");
            if in_holes.is_some() { Wanted::HoleSort } else { Wanted::Sort }
        }
        (Some("var" | "const" | "fun" | "data" | "process"), Some(":")) => Wanted::Sort,
        (Some("action"), Some("(" | ",")) if statement.contains(&"(") => Wanted::Sort,
        (Some("sub"), Some("=")) | (Some("net"), Some("=")) => Wanted::Component,
        (Some("check"), Some("(" | ",")) => Wanted::Component,
        (_, Some("->")) if block == "process" => Wanted::State,
        _ => Wanted::Anything,
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
