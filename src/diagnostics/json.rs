//! Diagnostics for machines: one JSON object a line, described in `docs/language.md`.

use serde_json::{Value, json};

use super::{Diagnostic, Label, SourceMap, Span, Suggestion};

/// A diagnostic as one line of JSON, without the end of the line.
pub fn json_line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let label = |label: &Label| with_message(place(label.span, sources), &label.message);
    let suggestion = |suggestion: &Suggestion| {
        let edit = |edit: &super::Edit| {
            let mut value = place(edit.span, sources);
            value["text"] = json!(edit.text);
            value
        };
        json!({
            "message": suggestion.message,
            "edits": suggestion.edits.iter().map(edit).collect::<Vec<_>>(),
        })
    };
    json!({
        "code": diagnostic.entry.code,
        "severity": diagnostic.severity.as_str(),
        "message": diagnostic.message,
        "file": sources.file_of(diagnostic.span()).map(super::SourceFile::name),
        "span": place(diagnostic.span(), sources)["span"],
        "label": diagnostic.primary.message,
        "labels": diagnostic.secondary.iter().map(label).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "suggestions": diagnostic.suggestions.iter().map(suggestion).collect::<Vec<_>>(),
    })
    .to_string()
}

fn with_message(mut value: Value, message: &str) -> Value {
    value["message"] = json!(message);
    value
}

fn place(span: Span, sources: &SourceMap) -> Value {
    let Some(file) = sources.file_of(span) else { return json!({ "file": null, "span": null }) };
    let range = file.range(span);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let byte = |local: usize| file.excerpt().byte + local as u64;
    json!({
        "file": file.name(),
        "span": {
            "start": { "byte": byte(range.start), "line": start.line, "column": start.column },
            "end": { "byte": byte(range.end), "line": end.line, "column": end.column },
        },
    })
}
