//! What the words before a place ask for.

use crate::syntax::token::lex;

/// What fits at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Import,
    Item,
    Sort,
    HoleSort,
    State,
    /// States of whatever component.
    AnyState,
    Component,
    Statement,
    /// What a net, a definition of a connector, an architecture, a rule or a reduction is made of.
    StatementOf(&'static str),
    /// What an interaction is called, or a transition does.
    Action,
    /// A part or hole of the net around.
    Part,
    /// A part of whatever net.
    AnyPart,
    /// What a check asks.
    Claim,
    /// A temporal formula or a property of configurations.
    Formula,
    /// What is used by `by`.
    Relation,
    /// What a `connect` uses: parts, or definitions.
    Joined,
    /// A field of data.
    Field,
    /// After a dot: fields of data, and variables and states of parts.
    Member,
    /// After a port and a dot.
    Datum,
    /// After a part and a dot, where parts are joined.
    ActionOfPart,
    /// After the name of an import and a dot.
    OfModule,
    /// A value.
    Value,
}

/// The text before a place, in words.
struct Before<'t> {
    words: Vec<&'t str>,
}

impl<'t> Before<'t> {
    /// The place of the brace that is open, from the inside out.
    fn open(&self) -> impl Iterator<Item = usize> {
        let mut level = 0;
        self.words.iter().enumerate().rev().filter_map(move |(at, word)| {
            level += i32::from(*word == "}") - i32::from(*word == "{");
            let is_open = level < 0;
            level = level.max(0);
            is_open.then_some(at)
        })
    }

    /// The words before a place that belong to the same statement.
    fn head(&self, end: usize) -> &[&'t str] {
        let words = &self.words[..end];
        let start = words.iter().rposition(|word| matches!(*word, ";" | "{" | "}"));
        &words[start.map_or(0, |at| at + 1)..]
    }

    /// The items and statements around, the innermost first.
    fn blocks(&self) -> Vec<&[&'t str]> {
        self.open().map(|at| self.head(at)).collect()
    }
}

/// What the words before a place ask for.
pub(super) fn wanted(before: &str) -> Wanted {
    let (lexed, _) = lex(before, 0);
    let text = |span: &crate::diagnostics::Span| before.get(span.start as usize..span.end as usize);
    let words = lexed.spans.iter().map(|span| text(span).unwrap_or("")).collect();
    let before = Before { words };
    let blocks = before.blocks();
    let statement = before.head(before.words.len());
    let innermost = blocks.first().and_then(|head| head.last()).copied().unwrap_or("");
    match innermost {
        "fair" => return Wanted::Action,
        "in" | "not" => return Wanted::AnyState,
        "with" if statement.is_empty() || statement.last() == Some(&",") => return Wanted::Field,
        _ => {}
    }
    let block = blocks.iter().find_map(|head| head.first().copied().filter(|one| is_block(one)));
    match block {
        Some(block) => in_block(block, statement, !is_block(first(&blocks))),
        None if !blocks.is_empty() => Wanted::Value,
        None => of_item(statement),
    }
}

fn first<'t>(blocks: &[&[&'t str]]) -> &'t str {
    blocks.first().and_then(|head| head.first()).copied().unwrap_or("")
}

fn is_block(word: &str) -> bool {
    matches!(
        word,
        "process" | "net" | "connector" | "architecture" | "rule" | "reduction" | "scenario"
    )
}

/// In the braces of an item; `is_inner` in braces of a statement inside of it.
fn in_block(block: &str, statement: &[&str], is_inner: bool) -> Wanted {
    let last = statement.last().copied();
    match (block, last) {
        ("process", None) if !is_inner => Wanted::Statement,
        ("process", _) if !is_inner => in_process(statement),
        ("scenario", None) => Wanted::Action,
        ("reduction", None) => Wanted::StatementOf("reduction"),
        ("reduction", _) => Wanted::AnyPart,
        ("connector", _) => Wanted::StatementOf("connector"),
        ("architecture", None) => Wanted::StatementOf("architecture"),
        ("net", None) => Wanted::StatementOf("net"),
        ("rule", None) => Wanted::StatementOf("rule"),
        ("net" | "rule", _) => in_net(statement),
        _ => Wanted::Value,
    }
}

fn in_process(statement: &[&str]) -> Wanted {
    let is_transition = statement.contains(&"->");
    let last = statement.last().copied().unwrap_or("");
    match (statement.first().copied().unwrap_or(""), last) {
        ("var", ":") => Wanted::Sort,
        (_, "->") => Wanted::State,
        (_, ":" | "sync" | "co") if is_transition => Wanted::Action,
        _ => Wanted::Value,
    }
}

fn in_net(statement: &[&str]) -> Wanted {
    let last = statement.last().copied().unwrap_or("");
    match (statement.first().copied().unwrap_or(""), last) {
        ("sub", "=") => Wanted::Component,
        ("<", "->" | "sync") => Wanted::Action,
        ("<", _) if statement.contains(&"->") => Wanted::Value,
        ("<", "<" | "," | "[") => Wanted::Part,
        ("<", ":" | "co") => Wanted::Action,
        ("connect", "connect") | ("priority", _) => Wanted::Action,
        ("connect", ":" | "," | "[" | "'" | ")") => Wanted::Joined,
        ("connect", "(") if statement.contains(&":") => Wanted::Joined,
        ("never", "in" | "{") => Wanted::AnyState,
        ("never", ":" | "and" | "or" | "not") => Wanted::Part,
        _ => Wanted::Value,
    }
}

/// Outside of all braces.
fn of_item(statement: &[&str]) -> Wanted {
    let last = statement.last().copied();
    match (statement.first().copied(), last) {
        (None, _) => Wanted::Item,
        (Some("import"), Some("import")) => Wanted::Import,
        (Some("net"), Some(":")) if statement.contains(&"(") => Wanted::HoleSort,
        (Some("net"), Some("=")) => Wanted::Component,
        (Some("action" | "data"), Some("(" | ",")) if statement.contains(&"(") => Wanted::Sort,
        (Some("var" | "const" | "fun" | "data" | "process" | "net" | "connector"), Some(":")) => {
            Wanted::Sort
        }
        (Some("reduction" | "scenario"), Some("of")) => Wanted::Component,
        (Some("property"), _) => in_formula(statement),
        (Some("check"), _) => in_check(statement),
        _ => Wanted::Value,
    }
}

fn in_check(statement: &[&str]) -> Wanted {
    let last = statement.last().copied();
    match last {
        Some("check") => return Wanted::Claim,
        Some("not") if statement.len() == 2 => return Wanted::Claim,
        Some("by") => return Wanted::Relation,
        _ => {}
    }
    let is_denied = statement.get(1) == Some(&"not");
    let kind = statement.get(1 + usize::from(is_denied)).copied().unwrap_or("");
    let (mut level, mut argument) = (0, 0);
    for word in statement {
        match *word {
            "(" | "[" => level += 1,
            ")" | "]" => level -= 1,
            "," if level == 1 => argument += 1,
            _ => {}
        }
    }
    let begins = level == 1 && matches!(last, Some("(" | ","));
    let is_comparison = kind.ends_with("bisimilar") || kind.ends_with("refines");
    match (kind, argument) {
        (_, 0) if begins && kind != "valid" => Wanted::Component,
        (_, 1) if begins && is_comparison => Wanted::Component,
        ("noninterfering", 1 | 2) if begins => Wanted::AnyPart,
        _ => in_formula(statement),
    }
}

fn in_formula(statement: &[&str]) -> Wanted {
    match statement.last().copied() {
        Some("in") => Wanted::AnyState,
        Some("after" | "sync") => Wanted::Action,
        _ => Wanted::Formula,
    }
}
