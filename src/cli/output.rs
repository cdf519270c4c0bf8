//! Diagnostics on their way to a person or a program.

use std::io::{IsTerminal, Write};

use clap::ValueEnum;

use crate::diagnostics::{
    Diagnostic, Level, Levels, Severity, SourceMap, Style, json_line, render,
};
use crate::explain;

/// Writes a line to standard output. When nobody reads it any more, as behind `head`, there is nothing left to do.
pub(super) fn write_line(line: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(problem) = writeln!(out, "{line}").and_then(|()| out.flush()) {
        if problem.kind() != std::io::ErrorKind::BrokenPipe {
            complain(&format!(
                "cannot write to standard output: {}",
                super::files::in_words(&problem)
            ));
        }
        std::process::exit(i32::from(super::STATUS_ERROR));
    }
}

/// How diagnostics are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// With the source text, for people (to standard error)
    Human,
    /// One JSON object a line, for programs (to standard output)
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Options of every command that reports on models.
#[derive(clap::Args)]
pub(super) struct Reporting {
    /// How to write diagnostics
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    /// Treat a warning as an error: a code, or `warnings` for all
    #[arg(long, value_name = "CODE")]
    deny: Vec<String>,
    /// Report a warning that is silent unless asked for, such as W0201
    #[arg(long, value_name = "CODE")]
    warn: Vec<String>,
    /// Do not report a warning: a code, or `warnings` for all
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// When to use colours
    #[arg(long, visible_alias = "colour", value_enum, default_value = "auto", value_name = "WHEN")]
    color: Colour,
    /// Show at most this many diagnostics a file (0: all); programs get all of them
    #[arg(long, default_value_t = 100, value_name = "N")]
    limit: usize,
}

impl Reporting {
    /// The levels that were asked for, or what is wrong with them.
    pub fn levels(&self) -> Result<Levels, String> {
        let mut levels = Levels::default();
        let all =
            [(&self.allow, Level::Allow), (&self.warn, Level::Warn), (&self.deny, Level::Deny)];
        for (codes, level) in all {
            for code in codes.iter().flat_map(|codes| codes.split(',')) {
                check_code(code)?;
                levels.set(code, level);
            }
        }
        Ok(levels)
    }

    fn style(&self) -> Style {
        Style { colour: self.colours(std::io::stderr().is_terminal()) }
    }

    /// Whether results have colours.
    pub fn colours_out(&self) -> bool {
        self.colours(std::io::stdout().is_terminal())
    }

    fn colours(&self, is_terminal: bool) -> bool {
        match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }

    /// Writes diagnostics.
    pub fn write(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        match self.format {
            Format::Json => {
                let mut out = std::io::stdout().lock();
                for diagnostic in diagnostics {
                    let _ = writeln!(out, "{}", json_line(diagnostic, sources));
                }
            }
            Format::Human => {
                let shown = if self.limit == 0 { diagnostics.len() } else { self.limit };
                let style = self.style();
                let mut out = std::io::stderr().lock();
                for diagnostic in diagnostics.iter().take(shown) {
                    let _ = writeln!(out, "{}", render(diagnostic, sources, style).trim_end());
                    let _ = writeln!(out);
                }
                if diagnostics.len() > shown {
                    let more = diagnostics.len() - shown;
                    let _ = writeln!(out, "… and {more} more; `--limit 0` shows them all\n");
                }
            }
        }
    }

    /// Says something to a person, and nothing to a program.
    pub fn say(&self, text: &str) {
        if self.format == Format::Human {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// Reports that a file cannot be read.
    pub fn unreadable(&self, path: &str, reason: &str) {
        match self.format {
            Format::Human => complain(&format!("cannot read `{path}`: {reason}")),
            Format::Json => {
                let line = serde_json::json!({
                    "code": null, "severity": "error", "file": path, "span": null,
                    "message": format!("cannot read `{path}`: {reason}"),
                    "label": "", "labels": [], "notes": [], "suggestions": [],
                });
                let _ = writeln!(std::io::stdout(), "{line}");
            }
        }
    }
}

/// Whether this is a code of a warning, or `warnings`.
fn check_code(code: &str) -> Result<(), String> {
    if code.eq_ignore_ascii_case("warnings") {
        return Ok(());
    }
    match explain::entry(code) {
        Some(entry) if entry.severity == Severity::Error => {
            Err(format!("`{code}` is an error, not a warning: it cannot be allowed"))
        }
        Some(_) => Ok(()),
        None => {
            let codes = explain::entries().map(|entry| entry.code);
            let hint = crate::diagnostics::closest(&code.to_uppercase(), codes)
                .map_or_else(String::new, |code| format!("; did you mean `{code}`?"));
            Err(format!("there is no code `{code}`{hint} (`pnet explain` lists all codes)"))
        }
    }
}

/// Reports something that has no place in a model.
pub(super) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "error: {message}");
}

/// Refuses to write a result over the file that it is made of.
pub(super) fn replaces_nothing(output: Option<&str>, source: &str) -> Result<(), String> {
    let Some(output) = output.filter(|output| *output != "-") else { return Ok(()) };
    let same = match (std::fs::canonicalize(output), std::fs::canonicalize(source)) {
        (Ok(output), Ok(source)) => output == source,
        _ => false,
    };
    match same {
        true => Err(format!("`-o {output}` would replace the file that is read; name another one")),
        false => Ok(()),
    }
}

/// Writes a result to a file, or to standard output.
pub(super) fn write_result(text: &str, path: Option<&str>) -> Result<(), String> {
    match path {
        None | Some("-") => {
            let done = std::io::stdout().lock().write_all(text.as_bytes());
            match done {
                // Whoever reads has seen enough.
                Err(problem) if problem.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
                other => other.map_err(|problem| {
                    format!("cannot write to standard output: {}", super::files::in_words(&problem))
                }),
            }
        }
        Some(path) => std::fs::write(path, text).map_err(|problem| {
            format!("cannot write `{path}`: {}", super::files::in_words(&problem))
        }),
    }
}
