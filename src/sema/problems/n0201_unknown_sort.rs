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
    /// Whether it is a family of the net that is asked about.
    pub is_family: bool,
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

/// The module of the library that has a sort like this, and how it is written.
fn library(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name.to_lowercase().as_str() {
        "list" | "vec" | "vector" | "seq" | "sequence" => ("list", "List<T>"),
        "map" | "hashmap" | "dict" | "table" => ("map", "Map<K, V>"),
        "set" | "hashset" => ("set", "Set<T>"),
        "bag" | "multiset" => ("bag", "Bag<T>"),
        "queue" | "fifo" => ("queue", "Queue<T>"),
        "option" | "maybe" | "optional" => ("option", "Option<T>"),
        _ => return None,
    })
}

impl UnknownSort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        if self.is_family {
            return Diagnostic::new(entry, self.span, format!("`{name}` is a family, and no sort"))
                .label("has to be a sort or a range here")
                .note(format!("its members are gone through by `in`, as in `forall x in {name} . …`"));
        }
        let diagnostic = Diagnostic::new(entry, self.span, format!("unknown sort `{name}`"))
            .label("no sort of this name")
            .did_you_mean(self.span, self.similar.as_deref());
        let ours = match name.to_lowercase().as_str() {
            "int" | "integer" | "nat" | "natural" | "i8" | "i16" | "i32" | "i64" | "u16" | "u32"
            | "u64" | "usize" | "number" | "long" | "short" => Some("Int"),
            "bool" | "boolean" => Some("Bool"),
            "u8" | "byte" => Some("0..256"),
            "bit" => Some("0..2"),
            _ => None,
        };
        let similar = self.similar.as_deref();
        match ours.filter(|ours| similar.is_none_or(|similar| similar == *ours)) {
            Some(range) if range.contains("..") => diagnostic
                .note(format!("numbers with bounds have a range as their sort: `{range}`"))
                .suggest(format!("write `{range}`"), self.span, range),
            Some(ours) if similar.is_some() => {
                diagnostic.note(format!("the predefined sort is called `{ours}`"))
            }
            Some(ours) => diagnostic
                .note(format!("the predefined sort is called `{ours}`"))
                .did_you_mean(self.span, Some(ours)),
            None if library(name).is_some() => {
                let (module, sort) = library(name).unwrap_or_default();
                diagnostic.note(format!("`import std.{module};` brings `{sort}`"))
            }
            None if matches!(name.as_str(), "String" | "string" | "Text" | "char" | "Char") => diagnostic
                .note(format!("there are no texts: list the values with `enum`, or leave them open with `sort {name};`")),
            None if matches!(name.as_str(), "Real" | "real" | "float" | "Float" | "double" | "Double") => diagnostic
                .note("numbers are whole: count in a smaller unit, with the sort `Int`"),
            None if name.len() == 1 && name.starts_with(char::is_uppercase) => diagnostic.note(format!(
                "where `{name}` stands for any sort, it is a parameter: `fun f<{name}>(…)`, `data D<{name}> {{ … }}`, `process P<{name}: sort> {{ … }}`"
            )),
            None => diagnostic.note(format!(
                "a new sort is declared with `sort {name};`, or with its values by `enum` or `data`"
            )),
        }
    }
}
