//! `N0201`: unknown sort.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A sort that nobody has declared.
#[derive(Clone, Debug)]
pub struct UnknownSort {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The sort that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0201",
    title: "unknown sort",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A sort is a set of values: what Rust calls a type. `Bool`, `Int` and ranges such
as `0..8` are always there; all others are declared with `sort`, `enum` or `data`,
in this file or in one it imports.

`Action` and `actions` are for the parameters of processes and nets.
",
    wrong: "\
enum Light { Red, Green }

action show(«Ligth»);

process Lamp {
    init state s;

    s -> s : show(Red);
}
",
    right: "\
enum Light { Red, Green }

action show(Light);

process Lamp {
    init state s;

    s -> s : show(Red);
}
",
};

impl UnknownSort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let diagnostic = Diagnostic::new(entry, self.span, format!("unknown sort `{name}`"))
            .label("no sort of this name")
            .did_you_mean(self.span, self.similar.as_deref());
        let ours = match name.to_lowercase().as_str() {
            "integer" | "nat" | "natural" | "i32" | "i64" | "u32" | "u64" | "usize" | "number" => {
                Some("Int")
            }
            "boolean" => Some("Bool"),
            _ => None,
        };
        match (ours, &self.similar) {
            (Some(ours), None) => diagnostic
                .note(format!("the predefined sort is called `{ours}`"))
                .did_you_mean(self.span, Some(ours)),
            _ => diagnostic.note(format!(
                "a new sort is declared with `sort {name};`, or with its values by `enum` or `data`"
            )),
        }
    }
}
