//! What is known of a name: what it is, its sort, its declaration, and the comment above that.

use super::names::name_at;
use crate::diagnostics::Span;
use crate::explain;
use crate::model::Checked;
use crate::sema::NameKind;
use crate::sema::program::{Local, LocalKind};

/// What is to be shown at an offset, as Markdown, and of which text.
pub fn hover(checked: &Checked, offset: u32) -> Option<(String, Span)> {
    if let Some(found) = code(checked, offset) {
        return Some(found);
    }
    let name = name_at(checked, offset)?;
    let what = name.kind.in_words();
    let mut shown = match (name.kind, local(checked, name.declared)) {
        (NameKind::Local(_), Some(one)) => {
            let sort = checked.program.sort_name(one.sort);
            format!("```pnet\n{}: {sort}\n```\n{what}", name.name)
        }
        _ => format!("```pnet\n{}\n```\n{what}", declaration(checked, name.declared)?),
    };
    if let Some(file) = checked.sources.file_of(name.declared)
        && file.name() != checked.root
    {
        let short = file.name().rsplit('/').next().unwrap_or(file.name());
        shown.push_str(&format!(" of `{short}`"));
    }
    let docs = docs(checked, name.declared);
    // What stands above the line of a parameter is about what has the parameter.
    let is_own = !matches!(
        name.kind,
        NameKind::Local(LocalKind::Parameter | LocalKind::Quantified) | NameKind::Hole
    );
    if !docs.is_empty() && is_own {
        shown.push_str("\n\n");
        shown.push_str(&docs);
    }
    Some((shown, name.span))
}

/// A code of a diagnostic that stands in the text, in a comment: its explanation.
fn code(checked: &Checked, offset: u32) -> Option<(String, Span)> {
    let file = checked.sources.file_of(Span::new(offset, offset))?;
    let (text, at) = (file.text(), (offset - file.base()) as usize);
    let is_code = |byte: &u8| byte.is_ascii_alphanumeric();
    let bytes = text.as_bytes();
    let start = at - bytes.get(..at)?.iter().rev().take_while(|byte| is_code(byte)).count();
    let end = at + bytes.get(at..)?.iter().take_while(|byte| is_code(byte)).count();
    let entry = explain::entry(text.get(start..end)?)?;
    let span = Span::new(file.base() + start as u32, file.base() + end as u32);
    Some((format!("**{}**: {}\n\n{}", entry.code, entry.title, entry.explanation), span))
}

/// The text of the statement that declares something, without its body.
fn declaration(checked: &Checked, declared: Span) -> Option<String> {
    let file = checked.sources.file_of(declared)?;
    let text = file.text();
    let range = file.range(declared);
    let start = text.get(..range.start)?.rfind(['\n', ';', '{']).map_or(0, |at| at + 1);
    let rest = text.get(range.end..)?;
    let end = range.end + rest.find(['\n', ';', '{', '}']).unwrap_or(rest.len());
    Some(text.get(start..end)?.trim().to_owned())
}

/// The doc comment above a declaration.
fn docs(checked: &Checked, declared: Span) -> String {
    let Some(file) = checked.sources.file_of(declared) else { return String::new() };
    let before = file.text().get(..file.range(declared).start).unwrap_or("");
    let above = before.rfind('\n').and_then(|at| before.get(..at)).unwrap_or("");
    let lines = above.lines().rev().map(str::trim);
    let mut docs: Vec<&str> = lines.map_while(|line| line.strip_prefix("///")).collect();
    docs.reverse();
    docs.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n")
}

/// The local name that was introduced at a place.
fn local(checked: &Checked, declared: Span) -> Option<Local> {
    let is_it = |one: &&Local| one.span == declared || one.span.end == declared.end;
    each_locals(checked).find_map(|all| all.iter().find(is_it)).copied()
}

fn each_locals(checked: &Checked) -> impl Iterator<Item = &[Local]> {
    let program = &checked.program;
    let funs = program.funs.iter().map(|one| &one.locals[..]);
    let consts = program.consts.iter().map(|one| &one.locals[..]);
    let axioms = program.axioms.iter().map(|one| &one.locals[..]);
    let processes = program.processes.iter().map(|one| &one.locals[..]);
    let nets = program.nets.iter().map(|one| &one.locals[..]);
    let relations = program.relations.iter().map(|one| &one.locals[..]);
    let invariants = program.invariants.iter().map(|one| &one.locals[..]);
    let checks = program.checks.iter().map(|one| &one.locals[..]);
    let connectors = program.connectors.iter().map(|one| &one.locals[..]);
    let scenarios = program.scenarios.iter().map(|one| &one.locals[..]);
    funs.chain(consts)
        .chain(axioms)
        .chain(processes)
        .chain(nets)
        .chain(relations)
        .chain(invariants)
        .chain(checks)
        .chain(connectors)
        .chain(scenarios)
}

/// The sorts of names whose sorts are not written: where, and what to show there.
pub fn hints(checked: &Checked, within: Span) -> Vec<(u32, String)> {
    let inferred = |one: &&Local| {
        let kind = matches!(
            one.kind,
            LocalKind::Input | LocalKind::VectorData | LocalKind::Pattern | LocalKind::Quantified
        );
        kind && within.contains(one.span) && one.name.as_str() != "_"
    };
    let all = each_locals(checked).flat_map(|all| all.iter().filter(inferred));
    let written = |one: &&Local| {
        let after = checked.sources.file_of(one.span).and_then(|file| {
            file.text().get(file.range(one.span).end..).map(|rest| rest.trim_start().to_owned())
        });
        after.is_some_and(|rest| rest.starts_with(':'))
    };
    let mut hints: Vec<(u32, String)> = all
        .filter(|one| !written(one))
        .map(|one| (one.span.end, format!(": {}", checked.program.sort_name(one.sort))))
        .collect();
    hints.sort();
    hints.dedup_by_key(|hint| hint.0);
    hints
}
