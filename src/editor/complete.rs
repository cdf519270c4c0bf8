//! What could be written at a place.

use rustc_hash::FxHashSet;

use crate::diagnostics::Span;
use crate::loader;
use crate::model::Checked;
use crate::sema::NameKind;
use crate::syntax::ast::ItemKind;
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

/// What could be written at an offset of the file that was asked for.
pub fn completions(checked: &Checked, offset: u32) -> Vec<Completion> {
    let Some(file) = super::root(checked) else { return Vec::new() };
    let at = (offset.saturating_sub(file.base())) as usize;
    let before = file.text().get(..at).unwrap_or("");
    let typed = before.len()
        - before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.').len();
    let before = &before[..before.len() - typed];
    let wanted = wanted(before);
    let mut all = Vec::new();
    let word = |label: &str| Completion {
        label: label.to_owned(),
        text: label.to_owned(),
        kind: None,
        is_snippet: false,
    };
    match wanted {
        Wanted::Import => {
            all.extend(loader::library_names().map(|name| word(&format!("std.{name}"))));
            return all;
        }
        Wanted::Item => {
            for (label, text) in SNIPPETS {
                let (label, text) = (label.to_owned(), text.to_owned());
                all.push(Completion { label, text, kind: None, is_snippet: true });
            }
            let more = ["import", "interface", "data", "sort", "axiom", "scenario", "relation"];
            all.extend(more.map(word));
            return all;
        }
        Wanted::Sort => all.extend(["Int", "Bool"].map(word)),
        Wanted::HoleSort => all.push(word("any")),
        Wanted::Statement => all.extend(["init state", "state", "var", "priority"].map(word)),
        Wanted::State | Wanted::Component => {}
        Wanted::Anything => all.extend(KEYWORDS.iter().map(|(keyword, _)| word(keyword))),
    }
    let around = checked.tree.items.iter().find(|item| {
        item.span.start <= offset
            && offset <= item.span.end
            && !matches!(item.kind, ItemKind::Error)
    });
    let around = around.map_or(file.span(), |item| item.span);
    let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
    for one in checked.program.occurrences.iter().filter(|one| one.declares) {
        let is_local = matches!(
            one.kind,
            NameKind::Local(_) | NameKind::State | NameKind::Hole | NameKind::Part
        );
        if !fits(wanted, one.kind) || is_local && !around.contains(one.span) {
            continue;
        }
        if one.span.end == offset || !seen.insert((one.name.as_str(), one.kind.in_words())) {
            continue;
        }
        let label = one.name.to_string();
        let text = if needs_quotes(&label) { format!("`{label}`") } else { label.clone() };
        all.push(Completion { label, text, kind: Some(one.kind), is_snippet: false });
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
