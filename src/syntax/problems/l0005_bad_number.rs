//! `L0005`: number with letters in it.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something that starts like a number and goes on like a name.
#[derive(Clone, Debug)]
pub struct BadNumber {
    /// The whole of it.
    pub span: Span,
    /// What was written.
    pub text: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0005",
    title: "number with letters in it",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A number is a row of digits, which may be grouped with `_` as in `1_000_000`. It
is written in base ten, has no fraction, no exponent and no unit. A name, on the
other hand, cannot start with a digit.

If a number was meant, leave the letters out. If a name was meant, let it start
with a letter.
",
    wrong: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick when t < «10ms» do t := t + 1;
}
",
    right: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick when t < 10 do t := t + 1;
}
",
};

impl BadNumber {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let text = &self.text;
        if let Some((whole, _)) = text.split_once('.') {
            return Diagnostic::new(entry, self.span, format!("`{text}` is not a whole number"))
                .label("numbers have no decimal places")
                .note("count in a smaller unit, as in cents instead of euros")
                .suggest(format!("write `{whole}` to leave out the rest"), self.span, whole);
        }
        let diagnostic =
            Diagnostic::new(entry, self.span, format!("`{text}` is neither a number nor a name"))
                .label("starts like a number, goes on like a name");
        let plain: String = text.to_lowercase().chars().filter(|&c| c != '_').collect();
        let (base, other) = match plain.get(..2) {
            Some("0x") => (16, plain.get(2..)),
            Some("0o") => (8, plain.get(2..)),
            Some("0b") => (2, plain.get(2..)),
            _ => (10, None),
        };
        if let Some(number) = other.and_then(|digits| u128::from_str_radix(digits, base).ok()) {
            return diagnostic.note("numbers are written in base ten").suggest(
                format!("write it as `{number}`"),
                self.span,
                number.to_string(),
            );
        }
        let digits = text.split(|c: char| !c.is_ascii_digit() && c != '_').next().unwrap_or("0");
        diagnostic
            .note("a number has only digits and `_` in it; a name starts with a letter or `_`")
            .suggest(format!("if a number was meant, write `{digits}`"), self.span, digits)
    }
}
