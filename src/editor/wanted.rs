//! What the words before a place ask for.

use super::within::{Within, component};
use crate::syntax::token::{KEYWORDS, lex};

/// The words of temporal formulas.
pub(super) const FORMULA: [&str; 14] =
    ["A", "E", "G", "F", "X", "AG", "AF", "AX", "EG", "EF", "EX", "U", "W", "after"];

/// What fits at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// Nothing that is known: a name that is new.
    Nothing,
    Import,
    /// What an import lists.
    OfImport,
    Item,
    Sort,
    HoleSort,
    State,
    /// States of whatever component.
    AnyState,
    Component,
    /// What a component is given between `<` and `>`.
    Argument,
    Statement,
    /// What a net, a definition of a connector, an architecture, a rule or a reduction is made of.
    StatementOf(&'static str),
    /// These words, and nothing else.
    Words(&'static [&'static str]),
    /// What an interaction is called, or a transition does.
    Action,
    /// What an interface has, or a set of actions.
    ActionName,
    /// A part or hole of the net around.
    Part,
    /// A part of whatever net.
    AnyPart,
    /// What a quantifier goes through.
    Members,
    /// What a rule is called.
    RuleName,
    /// What a check asks.
    Claim,
    /// A temporal formula or a property of configurations.
    Formula,
    /// What holds in states of nets.
    Told,
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
    /// What goes on behind a value; whether that is a formula.
    Operator(bool),
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

    /// The words before a place that belong to the same statement: sets of actions, states and updates are parts of one.
    fn head(&self, end: usize) -> &[&'t str] {
        let mut start = end;
        while let Some(last) = start.checked_sub(1) {
            match self.words[last] {
                ";" | "{" => break,
                "}" => match self.opened(last).filter(|&open| self.is_set(open)) {
                    Some(open) => start = open,
                    None => break,
                },
                _ => start = last,
            }
        }
        &self.words[start..end]
    }

    /// The brace that a brace closes.
    fn opened(&self, close: usize) -> Option<usize> {
        let mut level = 0;
        (0..=close).rev().find(|&at| {
            level += i32::from(self.words[at] == "}") - i32::from(self.words[at] == "{");
            level == 0
        })
    }

    /// Whether a brace opens no block of statements.
    fn is_set(&self, open: usize) -> bool {
        let before = open.checked_sub(1).map_or("", |at| self.words[at]);
        matches!(
            before,
            "<" | "," | "(" | "[" | "=" | "fair" | "in" | "not" | "tracking" | "with" | "do"
        )
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
    let words: Vec<&str> = lexed.spans.iter().map(|span| text(span).unwrap_or("")).collect();
    let is_behind = words.last().is_some_and(|last| ends_value(last));
    match at(&Before { words }) {
        Wanted::Value | Wanted::Told if is_behind => Wanted::Operator(false),
        Wanted::Formula if is_behind => Wanted::Operator(true),
        wanted => wanted,
    }
}

/// Whether a value can end with this word.
fn ends_value(word: &str) -> bool {
    let is_word = |one: char| one.is_alphanumeric() || matches!(one, '_' | '`' | '"');
    let is_name = word.starts_with(is_word) && !KEYWORDS.iter().any(|(one, _)| *one == word);
    let begins = matches!(word, "let" | "with" | "assert" | "by" | "new" | "on" | "up" | "down");
    matches!(word, ")" | "]" | "}" | "true" | "false")
        || is_name && !begins && !FORMULA.contains(&word)
}

fn at(before: &Before<'_>) -> Wanted {
    let blocks = before.blocks();
    let statement = before.head(before.words.len());
    let innermost = blocks.first().and_then(|head| head.last()).copied().unwrap_or("");
    let begins = open_bracket(statement).is_none();
    match innermost {
        "fair" | "<" | "," | "(" if !begins => return Wanted::Value,
        "fair" => return Wanted::Action,
        "<" | "," | "(" => return Wanted::ActionName,
        "in" | "not" => return Wanted::AnyState,
        "tracking" => return Wanted::AnyPart,
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
        "process"
            | "net"
            | "connector"
            | "architecture"
            | "rule"
            | "reduction"
            | "scenario"
            | "data"
            | "enum"
            | "interface"
            | "relation"
            | "invariant"
    )
}

/// The place of the bracket that is open, if there is one.
fn open_bracket(words: &[&str]) -> Option<usize> {
    let mut level = 0;
    words.iter().rposition(|word| {
        match *word {
            ")" | "]" => level += 1,
            "(" | "[" => level -= 1,
            _ => {}
        }
        level < 0
    })
}

/// Whether a sort is to stand behind these words: after a colon, and inside of a sort that has sorts in it.
fn is_sort_place(words: &[&str]) -> bool {
    let Some(colon) = words.iter().rposition(|word| *word == ":") else { return false };
    let (mut angles, mut squares) = (0, 0);
    for word in &words[colon + 1..] {
        match *word {
            "<" => angles += 1,
            ">" => angles -= 1,
            "[" => squares += 1,
            "]" => squares -= 1,
            ".." if squares > 0 => {}
            "," if angles > 0 => {}
            "." => {}
            word if word.chars().all(|one| one.is_alphanumeric() || one == '_') => {}
            _ => return false,
        }
    }
    squares == 0 && matches!(words.last(), Some(&(":" | "<" | "," | "]")))
}

/// In the braces of an item; `is_inner` in braces of a statement inside of it.
fn in_block(block: &str, statement: &[&str], is_inner: bool) -> Wanted {
    let last = statement.last().copied();
    match (block, last) {
        ("process", None) if !is_inner => Wanted::Statement,
        ("process", _) if !is_inner => in_process(statement),
        ("data" | "interface", _) if open_bracket(statement).is_some() => in_signature(statement),
        ("interface", _) => Wanted::ActionName,
        ("data" | "enum", _) => Wanted::Nothing,
        ("relation", _) if !statement.contains(&"when") => Wanted::AnyState,
        ("relation" | "invariant", _) => told(statement),
        ("scenario", None) => Wanted::Action,
        ("scenario", _) if statement.first() == Some(&"[") => in_formula(statement),
        ("reduction", None) => Wanted::StatementOf("reduction"),
        ("reduction", _) => Wanted::AnyPart,
        ("connector", _) => Wanted::StatementOf("connector"),
        ("architecture", None) => Wanted::StatementOf("architecture"),
        ("architecture", Some("rule")) => Wanted::RuleName,
        ("net", None) => Wanted::StatementOf("net"),
        ("rule", None) => Wanted::StatementOf("rule"),
        ("net" | "rule", _) => in_net(statement),
        _ => Wanted::Value,
    }
}

/// What holds in a state.
fn told(statement: &[&str]) -> Wanted {
    match in_formula(statement) {
        Wanted::Formula => Wanted::Told,
        other => other,
    }
}

/// The data of actions and constructors, in brackets.
fn in_signature(statement: &[&str]) -> Wanted {
    match statement.last() {
        Some(&("(" | "," | "<" | "]")) => Wanted::Sort,
        _ if is_sort_place(statement) => Wanted::Sort,
        _ => Wanted::Value,
    }
}

fn in_process(statement: &[&str]) -> Wanted {
    let is_transition = statement.contains(&"->");
    let last = statement.last().copied().unwrap_or("");
    match (statement.first().copied().unwrap_or(""), last) {
        ("var", _) if !statement.contains(&"=") && is_sort_place(statement) => Wanted::Sort,
        ("init", "init") => Wanted::Words(&["state", "final state"]),
        ("init" | "final", "final") => Wanted::Words(&["state"]),
        ("priority", "priority" | "<") => Wanted::Action,
        (_, "->") => Wanted::State,
        (_, ":" | "sync" | "co") if is_transition => Wanted::Action,
        _ => Wanted::Value,
    }
}

fn in_net(statement: &[&str]) -> Wanted {
    let last = statement.last().copied().unwrap_or("");
    let first = statement.first().copied().unwrap_or("");
    if let ("sub", Some(is)) = (first, statement.iter().position(|word| *word == "=")) {
        return component(&statement[is + 1..]).wanted();
    }
    match (first, last) {
        ("connect", "connect") | ("priority", _) => Wanted::Action,
        ("connect", _) => in_connect(statement),
        ("<", "->" | "sync") => Wanted::Action,
        ("<", _) if statement.contains(&"->") || is_inside_data(statement) => Wanted::Value,
        ("<", "<" | "," | "[") => Wanted::Part,
        ("<", ":" | "co") => Wanted::Action,
        ("never", "in" | "{") => Wanted::AnyState,
        ("never", ":" | "and" | "or" | "not") => Wanted::Part,
        _ => Wanted::Value,
    }
}

/// Whether an action's data, or the index of a part, are written.
fn is_inside_data(statement: &[&str]) -> bool {
    let Some(open) = open_bracket(statement) else { return false };
    let before = open.checked_sub(1).map_or("", |at| statement[at]);
    let is_name = before.ends_with(|one: char| one.is_alphanumeric() || one == '_' || one == '`');
    let port = open.checked_sub(2).map_or("", |at| statement[at]);
    is_name
        && match statement[open] {
            // Behind a port begins a group of others.
            "[" => port != ".",
            _ => matches!(port, "." | ":") || statement[0] == "<",
        }
}

/// After `connect`.
fn in_connect(statement: &[&str]) -> Wanted {
    let joins = statement.iter().position(|word| *word == ":");
    let Some(joined) = joins.map(|colon| &statement[colon + 1..]) else { return Wanted::Value };
    let is_over = joined.iter().any(|word| matches!(*word, "when" | "do" | "for"));
    match joined.last() {
        _ if is_over => Wanted::Value,
        // The name of what is used has no dot before it.
        _ if open_bracket(joined).is_some_and(|at| at > 1) && is_inside_data(joined) => {
            Wanted::Value
        }
        _ => Wanted::Joined,
    }
}

/// Outside of all braces.
fn of_item(statement: &[&str]) -> Wanted {
    let last = statement.last().copied();
    let after = |word: &str| {
        let at = statement.iter().position(|one| *one == word);
        at.map(|at| component(&statement[at + 1..]).wanted())
    };
    match (statement.first().copied(), last) {
        (None, _) => Wanted::Item,
        (Some("module" | "sort" | "enum"), _) => Wanted::Nothing,
        (Some("import"), Some("import")) => Wanted::Import,
        (Some("import"), _) if statement.contains(&"(") => Wanted::OfImport,
        (Some("net"), _) if statement.contains(&"=") => after("=").unwrap_or(Wanted::Component),
        (Some("net"), Some(":")) if statement.contains(&"(") => Wanted::HoleSort,
        (Some("action"), _) if open_bracket(statement).is_some() => in_signature(statement),
        (Some("reduction" | "scenario" | "invariant"), _) if statement.contains(&"of") => {
            after("of").unwrap_or(Wanted::Component)
        }
        (Some("relation"), _) if statement.contains(&"(") => {
            let open = statement.iter().position(|word| *word == "(").unwrap_or(0);
            let first = &statement[open + 1..];
            let second = component(first).argument_ends.map(|end| &first[end + 1..]);
            component(second.unwrap_or(first)).wanted()
        }
        (Some("property"), _) => in_formula(statement),
        (Some("check"), _) => in_check(statement),
        _ if !statement.contains(&"=") && is_sort_place(statement) => Wanted::Sort,
        _ => Wanted::Value,
    }
}

fn in_check(statement: &[&str]) -> Wanted {
    match statement.last() {
        Some(&"check") => return Wanted::Claim,
        Some(&"not") if statement.len() == 2 => return Wanted::Claim,
        Some(&"by") => return Wanted::Relation,
        _ => {}
    }
    let is_denied = statement.get(1) == Some(&"not");
    let asked = statement.get(1 + usize::from(is_denied)..).unwrap_or(&[]);
    let [kind, "(", rest @ ..] = asked else { return Wanted::Nothing };
    let mut rest = rest;
    let is_comparison = kind.ends_with("bisimilar") || kind.ends_with("refines");
    let nets = match *kind {
        "valid" => 0,
        _ if is_comparison => 2,
        _ => 1,
    };
    for _ in 0..nets {
        let found = component(rest);
        match found.argument_ends {
            Some(end) => rest = &rest[end + 1..],
            None if found.within == Within::Behind => return BEHIND,
            None => return found.wanted(),
        }
    }
    let levels =
        |word: &&str| i32::from(matches!(*word, "(" | "[")) - i32::from(matches!(*word, ")" | "]"));
    if rest.iter().map(levels).sum::<i32>() < 0 {
        return BEHIND;
    }
    // Who is kept apart from whom.
    for _ in 0..2 * usize::from(*kind == "noninterfering") {
        match component(rest).argument_ends {
            Some(end) => rest = &rest[end + 1..],
            None if rest.is_empty() => return Wanted::AnyPart,
            None => return Wanted::Value,
        }
    }
    in_formula(rest)
}

/// What stands behind the brackets of a check.
const BEHIND: Wanted = Wanted::Words(&["by", "tracking", "fair"]);

fn in_formula(statement: &[&str]) -> Wanted {
    let quantifier = statement.iter().rposition(|word| matches!(*word, "forall" | "exists"));
    let is_bound = quantifier.is_some();
    // `x in W, y in W .`
    let binds = quantifier.is_some_and(|at| !statement[at..].contains(&"."));
    match statement.last().copied() {
        Some("in") if binds => Wanted::Members,
        Some("in") => Wanted::AnyState,
        Some("after" | "sync") => Wanted::Action,
        _ if is_bound && is_sort_place(statement) => Wanted::Sort,
        _ => Wanted::Formula,
    }
}
