//! Diagnostics for people: the source text with labels under it.

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::{Ansi, NoColor};
use codespan_reporting::term::{self, Config, DisplayStyle};

use super::{Diagnostic, Label, Severity, SourceMap};

/// Lines longer than this are not shown: nobody reads them, and a generated file may be one line.
const LONGEST_LINE: usize = 400;

/// How diagnostics are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to use colours.
    pub colour: bool,
}

/// A diagnostic as text.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let mut shown = codespan::Diagnostic::new(match diagnostic.severity {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
    })
    .with_code(diagnostic.entry.code)
    .with_message(&diagnostic.message)
    .with_labels(labels(diagnostic, sources));
    let helps = diagnostic.suggestions.iter().map(|s| format!("help: {}", s.message));
    shown.notes = diagnostic.notes.iter().cloned().chain(helps).collect();

    let long_lines = places(diagnostic).any(|label| line_is_long(label, sources));
    let display_style = if long_lines { DisplayStyle::Medium } else { DisplayStyle::Rich };
    let config = Config { display_style, ..Config::default() };
    let files = Shown(sources);
    let mut out = Vec::new();
    let done = if style.colour {
        term::emit_to_write_style(&mut Ansi::new(&mut out), &config, &files, &shown)
    } else {
        term::emit_to_write_style(&mut NoColor::new(&mut out), &config, &files, &shown)
    };
    if done.is_err() {
        // A label outside its file: say what there is to say without the source.
        return format!(
            "{}[{}]: {}\n",
            diagnostic.severity.as_str(),
            diagnostic.entry.code,
            diagnostic.message
        );
    }
    let text = String::from_utf8_lossy(&out);
    // codespan pads empty label lines; nobody wants white space at the end of a line.
    let mut clean: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if long_lines {
        clean.push('\n');
    }
    clean
}

fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = &Label> {
    std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary)
}

fn labels(diagnostic: &Diagnostic, sources: &SourceMap) -> Vec<codespan::Label<usize>> {
    let with_style = |label: &Label, style| {
        let id = sources.index_of(label.span)?;
        let range = sources.file(id)?.range(label.span);
        Some(codespan::Label::new(style, id, range).with_message(&label.message))
    };
    let primary = with_style(&diagnostic.primary, codespan::LabelStyle::Primary);
    let others = diagnostic.secondary.iter();
    primary
        .into_iter()
        .chain(others.filter_map(|label| with_style(label, codespan::LabelStyle::Secondary)))
        .collect()
}

fn line_is_long(label: &Label, sources: &SourceMap) -> bool {
    let Some(file) = sources.file_of(label.span) else { return false };
    let range = file.range(label.span);
    let (first, last) = (file.line_of(range.start), file.line_of(range.end));
    [first, last].into_iter().any(|line| {
        let start = file.line_starts().get(line).copied().unwrap_or(0) as usize;
        let end = file.line_starts().get(line + 1).map_or(file.text().len(), |&next| next as usize);
        end - start > LONGEST_LINE
    })
}

/// The source map as codespan wants to see it.
struct Shown<'s>(&'s SourceMap);

impl<'a> Files<'a> for Shown<'_> {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, Error> {
        self.0.file(id).map(super::SourceFile::name).ok_or(Error::FileMissing)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        self.0.file(id).map(|file| &**file.text()).ok_or(Error::FileMissing)
    }

    fn line_index(&'a self, id: usize, byte: usize) -> Result<usize, Error> {
        self.0.file(id).map(|file| file.line_of(byte)).ok_or(Error::FileMissing)
    }

    fn line_number(&'a self, id: usize, line: usize) -> Result<usize, Error> {
        let file = self.0.file(id).ok_or(Error::FileMissing)?;
        Ok(file.excerpt().line + line + 1)
    }

    fn line_range(&'a self, id: usize, line: usize) -> Result<std::ops::Range<usize>, Error> {
        let file = self.0.file(id).ok_or(Error::FileMissing)?;
        let starts = file.line_starts();
        let start = *starts
            .get(line)
            .ok_or(Error::LineTooLarge { given: line, max: starts.len().saturating_sub(1) })?;
        let end = starts.get(line + 1).map_or(file.text().len(), |&next| next as usize);
        Ok(start as usize..end)
    }
}
