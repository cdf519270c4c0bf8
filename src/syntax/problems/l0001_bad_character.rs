//! `L0001`: character that has no meaning in a model.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A character, or several in a row, that can be part of nothing in the language.
#[derive(Clone, Debug)]
pub struct BadCharacter {
    /// The characters.
    pub span: Span,
    /// The characters themselves.
    pub text: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0001",
    title: "character that has no meaning in a model",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Models are written with letters, digits, `_`, the signs of the language and,
between quotes, the names of imported files. Anything else can only stand in a
comment. The character is passed over and the rest of the text is still read.

Characters like this often arrive with text that was copied from a document:
typographic quotes, long dashes, arrows, mathematical signs, or spaces that look
like any other but are not. Where the language has a sign of its own for what was
probably meant (`->` for an arrow, `<=` for \"at most\", `and`, `not`), the message
proposes it.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : «$»tick;
}
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}
",
};

impl BadCharacter {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let text = &self.text;
        let codes: Vec<String> = text.chars().map(|c| format!("U+{:04X}", u32::from(c))).collect();
        let codes = codes.join(" ");
        let visible =
            text.chars().all(|c| !c.is_whitespace() && !c.is_control() && !is_invisible(c));
        let message = match (visible, text.chars().count()) {
            (true, 1) => format!("the character `{text}` has no meaning here"),
            (true, _) => format!("the characters `{text}` have no meaning here"),
            (false, 1) => format!("an invisible character ({codes}) that has no meaning here"),
            (false, _) => format!("characters ({codes}) that have no meaning here"),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message);
        match meant(text) {
            Some(" ") => diagnostic
                .label("looks like a space, but is none")
                .note("it often comes with text copied from a document or a web page")
                .suggest("put an ordinary space in its place", self.span, " "),
            Some(sign) => diagnostic
                .label("not part of the language")
                .note(format!("the language writes `{sign}` for this"))
                .suggest(format!("did you mean `{sign}`?"), self.span, sign),
            None => diagnostic
                .label("not part of the language")
                .note("remove it, or put it in a comment")
                .suggest("remove it", self.span, ""),
        }
    }
}

/// Whether a character takes no ink, although it is neither white space nor a control character.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}

/// What somebody probably meant who wrote this character.
fn meant(text: &str) -> Option<&'static str> {
    Some(match text {
        "\u{A0}" | "\u{2007}" | "\u{202F}" | "\u{3000}" => " ",
        "→" | "⟶" | "➔" => "->",
        "⇒" | "⟹" => "=>",
        "≤" | "⩽" => "<=",
        "≥" | "⩾" => ">=",
        "≠" => "!=",
        "≡" => "==",
        "≔" => ":=",
        "−" | "–" | "—" => "-",
        "×" | "·" | "⋅" => "*",
        "÷" => "div",
        "∧" | "&" => "and",
        "∨" | "|" => "or",
        "¬" | "~" => "not",
        "∀" => "forall",
        "∃" => "exists",
        "∈" => "in",
        "⟨" | "〈" => "<",
        "⟩" | "〉" => ">",
        "“" | "”" | "„" => "\"",
        "‘" | "’" | "′" => "'",
        "…" => "..",
        "#" | "--" | "%" | "\\*" => "//",
        ";" | "；" => ";",
        "，" => ",",
        "：" => ":",
        _ => return None,
    })
}
