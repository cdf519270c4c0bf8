//! The one formatting.
//!
//! The text is cut into pieces: its tokens and comments, in order. The pieces are cut into lines, which are
//! wrapped where they are too long, and aligned where they are alike. No stage adds, drops or moves a
//! piece, so none can be lost; and all that is decided is decided from the pieces and from a few facts about the
//! white space between them, which are the same in the output: so formatting twice is formatting once.

mod align;
mod lines;
mod pieces;
mod reader;
mod roles;
mod wrap;
mod writer;

use super::parser::parse;
use super::problems::SyntaxProblem;
use super::token::Lexed;
use crate::diagnostics::Severity;

/// The most columns that a line should have.
const WIDTH: usize = 100;
/// How far a block is indented.
const INDENT: usize = 4;
/// How much further the lines of a statement are indented after its first.
const CONTINUATION: usize = 8;

/// The text in the one formatting, or the errors that are in it.
pub fn format(text: &str) -> Result<String, Vec<SyntaxProblem>> {
    Ok(lay_out(text, &lexed(text)?))
}

/// The tokens and comments of a text without errors.
fn lexed(text: &str) -> Result<Lexed, Vec<SyntaxProblem>> {
    let mut parsed = parse(text, 0);
    parsed.problems.retain(|problem| problem.entry().severity == Severity::Error);
    if parsed.problems.is_empty() { Ok(parsed.lexed) } else { Err(parsed.problems) }
}

fn lay_out(text: &str, lexed: &Lexed) -> String {
    let (pieces, mut braces) = pieces::pieces(text, lexed);
    let lines = lines::lines(&pieces, &mut braces);
    let page = wrap::Page { text, pieces: &pieces };
    let mut out = writer::Writer::with_capacity(text.len());
    let mut at = 0;
    while at < lines.len() {
        let run = align::run(page, &lines[at..]);
        if run > 0 {
            align::write(page, &lines[at..at + run], &mut out);
        } else {
            wrap::write(page, &lines[at], &mut out);
        }
        at += run.max(1);
    }
    out.finish()
}
