//! Writes a line, in several where it is too long or a comment ends one.

use std::ops::Range;

use super::lines::{Line, must_break, width};
use super::pieces::Piece;
use super::roles::{BreakLevel, NO_BREAK, Role, fills};
use super::writer::Writer;
use super::{CONTINUATION, INDENT, WIDTH};

/// How far the inner parts of a wrapped line may be indented more than its outer ones.
const DEEPEST: usize = 4 * INDENT;

/// A text with its pieces.
#[derive(Clone, Copy)]
pub struct Page<'t> {
    /// The text.
    pub text: &'t str,
    /// Its pieces.
    pub pieces: &'t [Piece],
}

impl<'t> Page<'t> {
    fn text_of(&self, at: usize) -> &'t str {
        let piece = &self.pieces[at];
        self.text.get(piece.start as usize..piece.end as usize).unwrap_or("")
    }

    fn width(&self, pieces: &Range<usize>) -> usize {
        width(&self.pieces[pieces.clone()])
    }

    /// Writes one piece.
    pub fn put_piece(&self, at: usize, out: &mut Writer) {
        let piece = &self.pieces[at];
        let text = self.text_of(at);
        let after_dot = at > 0 && self.pieces[at - 1].role == Role::Dot;
        match piece.role {
            Role::TallComment => out.tall(text),
            Role::LineComment | Role::DocComment if !after_dot => out.comment(text),
            _ => out.text(text, piece.width as usize),
        }
    }

    /// Writes pieces on one line; the first may start a line.
    fn put(&self, pieces: Range<usize>, out: &mut Writer) {
        for at in pieces.clone() {
            let piece = &self.pieces[at];
            if at == pieces.start && piece.role.ends_line() {
                out.text(self.text_of(at), piece.width as usize);
                continue;
            }
            if at > pieces.start && piece.space && !piece.role.ends_line() {
                out.space();
            }
            self.put_piece(at, out);
        }
    }

    /// Writes the comments at the end of a line, and ends it.
    pub fn end_line(&self, line: &Line, out: &mut Writer) {
        for at in line.end..line.comments_end {
            out.comment(self.text_of(at));
        }
        out.end_line();
    }
}

/// Writes a line by itself.
pub fn write(page: Page<'_>, line: &Line, out: &mut Writer) {
    if line.blank {
        out.blank_line();
    }
    out.pad(line.indent);
    if line.is_comment {
        write_comments(page, line, out);
    } else {
        write_code(page, line, out);
    }
    page.end_line(line, out);
}

fn write_comments(page: Page<'_>, line: &Line, out: &mut Writer) {
    for at in line.start..line.end {
        if at > line.start {
            out.space();
        }
        match page.pieces[at].role {
            Role::TallComment => out.tall(page.text_of(at)),
            _ => out.text(page.text_of(at), page.pieces[at].width as usize),
        }
    }
}

fn write_code(page: Page<'_>, line: &Line, out: &mut Writer) {
    let indent = line.indent + CONTINUATION;
    let wrap = Wrap { page, deepest: indent + DEEPEST };
    let mut start = line.start;
    for at in line.start + 1..line.end {
        if must_break(page.pieces, at) {
            wrap.write(start..at, indent, out);
            out.end_line();
            out.pad(indent);
            start = at;
        }
    }
    wrap.write(start..line.end, indent, out);
}

struct Wrap<'t> {
    page: Page<'t>,
    deepest: usize,
}

impl Wrap<'_> {
    /// Writes pieces from where the line stands, in several lines if they are too long for one. Says
    /// whether they were.
    ///
    /// Each call breaks at a deeper level than the one it comes from, and the levels that a text has are
    /// as many as its tree is deep.
    fn write(&self, pieces: Range<usize>, indent: usize, out: &mut Writer) -> bool {
        let fits = out.width() + self.page.width(&pieces) <= WIDTH;
        let level = if fits { NO_BREAK } else { self.outermost(&pieces) };
        if level == NO_BREAK {
            self.page.put(pieces, out);
            return false;
        }
        let mut broken = false;
        let mut start = pieces.start;
        for at in pieces.start + 1..=pieces.end {
            if at < pieces.end && self.page.pieces[at].level != level {
                continue;
            }
            if start > pieces.start {
                self.separate(&(start..at), fills(level) && !broken, indent, out);
            }
            broken = self.write(start..at, (indent + INDENT).min(self.deepest), out);
            start = at;
        }
        true
    }

    /// Goes to the next line, or stays on this one if it can take these pieces too.
    fn separate(&self, pieces: &Range<usize>, may_stay: bool, indent: usize, out: &mut Writer) {
        let space = usize::from(self.page.pieces[pieces.start].space);
        if may_stay && out.width() + space + self.page.width(pieces) <= WIDTH {
            out.pad(out.width() + space);
        } else {
            out.end_line();
            out.pad(indent);
        }
    }

    /// The outermost level at which these pieces can be broken.
    fn outermost(&self, pieces: &Range<usize>) -> BreakLevel {
        let inner = pieces.clone().skip(1);
        inner.map(|at| self.page.pieces[at].level).min().unwrap_or(NO_BREAK)
    }
}
