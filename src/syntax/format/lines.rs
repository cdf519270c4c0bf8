//! Cuts the pieces into lines, as if a line could be as long as it likes: one statement each, one
//! comment, or one element of a list that has lines of its own.

use super::pieces::{Brace, NO_BRACE, Piece};
use super::roles::{Role, is_clause};
use super::{CONTINUATION, INDENT, WIDTH};

/// A line, before it is known how long it may be.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Its first piece.
    pub start: usize,
    /// One past its last piece.
    pub end: usize,
    /// One past the last of the comments that follow it at its end.
    pub comments_end: usize,
    /// Its column.
    pub indent: usize,
    /// Whether an empty line stands before it.
    pub blank: bool,
    /// Whether it has comments only.
    pub is_comment: bool,
}

/// The lines of a text. Lists that do not fit on a line get lines of their own.
pub fn lines(pieces: &[Piece], braces: &mut [Brace]) -> Vec<Line> {
    let mut cutter = Cutter {
        pieces,
        braces,
        at: 0,
        indent: 0,
        outer: Vec::new(),
        after_open: true,
        lines: Vec::new(),
    };
    while cutter.at < pieces.len() {
        cutter.comments_at_end();
        cutter.comments();
        if cutter.at < pieces.len() {
            cutter.code();
        }
    }
    cutter.lines
}

/// How wide these pieces are on one line, without the comments that end it.
pub fn width(pieces: &[Piece]) -> usize {
    let counted = |piece: &Piece| if piece.role.ends_line() { 0 } else { piece.width as usize };
    let spaces = |piece: &Piece| usize::from(piece.space && !piece.role.ends_line());
    let first = pieces.first().map_or(0, counted);
    first + pieces.iter().skip(1).map(|piece| counted(piece) + spaces(piece)).sum::<usize>()
}

/// Whether the line must end between this piece and the one before it.
pub fn must_break(pieces: &[Piece], at: usize) -> bool {
    let (before, piece) = (pieces[at - 1].role, &pieces[at]);
    // White space beside the dot of a path would make it another dot.
    before.ends_line()
        || before == Role::TallComment && piece.role != Role::Dot
        || piece.role == Role::TallComment && before != Role::Dot
        || piece.role.ends_line() && piece.newlines > 0
}

/// Whether the line fits as it is.
pub fn fits(pieces: &[Piece], line: &Line) -> bool {
    let inside = &pieces[line.start..line.end];
    line.indent + width(inside) <= WIDTH
        && !inside.iter().any(|piece| piece.role == Role::TallComment)
        && !(line.start + 1..line.end).any(|at| must_break(pieces, at))
}

struct Cutter<'p> {
    pieces: &'p [Piece],
    braces: &'p mut [Brace],
    at: usize,
    indent: usize,
    /// Where the closing braces of the open blocks and lists will stand, and what comes after them.
    outer: Vec<(usize, usize)>,
    /// Whether the last line opened a block, or there is none.
    after_open: bool,
    lines: Vec<Line>,
}

impl Cutter<'_> {
    fn role(&self, at: usize) -> Option<Role> {
        self.pieces.get(at).map(|piece| piece.role)
    }

    fn is_comment(&self, at: usize) -> bool {
        self.role(at).is_some_and(Role::is_comment)
    }

    /// Whether this piece goes on with the line of the one before it, in the text.
    fn continues(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.newlines == 0)
    }

    fn is_short_comment(&self, at: usize) -> bool {
        matches!(self.role(at), Some(Role::LineComment | Role::BlockComment))
    }

    // ---- comments ----

    /// The comments that follow a line at its end.
    fn comments_at_end(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        while self.continues(self.at) && self.is_short_comment(self.at) {
            self.at += 1;
        }
        if let Some(line) = self.lines.last_mut() {
            line.comments_end = self.at;
        }
    }

    /// The comments with lines of their own, up to what they share a line with.
    fn comments(&mut self) {
        while self.is_comment(self.at) {
            let end = self.comments_of_line(self.at);
            if self.leads(end) {
                return;
            }
            let (start, indent, blank) = (self.at, self.indent, self.blank(self.at));
            self.lines.push(Line {
                start,
                end,
                comments_end: end,
                indent,
                blank,
                is_comment: true,
            });
            self.after_open = false;
            self.at = end;
        }
    }

    /// The end of the comments that share a line.
    fn comments_of_line(&self, start: usize) -> usize {
        let mut end = start + 1;
        let joins = |at: usize| self.role(at - 1) == Some(Role::BlockComment);
        while joins(end) && self.is_short_comment(end) && self.continues(end) {
            end += 1;
        }
        end
    }

    /// Whether the comments before this piece stand at the start of its line.
    fn leads(&self, at: usize) -> bool {
        self.role(at - 1) == Some(Role::BlockComment)
            && self.role(at).is_some_and(|role| !role.is_comment())
            && self.continues(at)
            && !self.starts_line(at)
    }

    fn blank(&self, at: usize) -> bool {
        !self.after_open && self.pieces.get(at).is_some_and(|piece| piece.newlines > 1)
    }

    // ---- code ----

    fn code(&mut self) {
        let start = self.at;
        let closes = self.starts_line(start);
        let mut indent = self.indent;
        if closes {
            (indent, self.indent) = self.outer.pop().unwrap_or_default();
        }
        let blank = self.blank(start) && !closes;
        let mut end = self.end_of_line(start);
        if self.open_long_statements(start, end, indent) {
            end = self.end_of_line(start);
        }
        if indent + width(&self.pieces[start..end]) > WIDTH
            && self.open_long_lists(start, end, indent)
        {
            end = self.end_of_line(start);
        }
        let line = Line { start, end, comments_end: end, indent, blank, is_comment: false };
        self.after_open = self.role(end - 1) == Some(Role::OpenBrace);
        if self.after_open {
            self.open(&line);
        }
        self.lines.push(line);
        self.at = end;
    }

    /// Goes into the braces that this line opens. The arms of a `match` are indented from where it stands.
    fn open(&mut self, line: &Line) {
        let arms = self.brace(line.end - 1).is_some_and(|brace| brace.kind.is_inside());
        // Far to the right nothing fits, and nothing is gained by going further.
        let wrapped = arms && line.indent < WIDTH / 2 && !fits(self.pieces, line);
        let moved = if wrapped { CONTINUATION } else { 0 };
        let indent = line.indent + moved;
        self.outer.push((indent, self.indent));
        self.indent = indent + INDENT;
    }

    fn end_of_line(&self, start: usize) -> usize {
        for at in start..self.pieces.len() {
            if at > start && self.starts_line(at) {
                let last = (start..at).rev().find(|&before| !self.is_comment(before));
                return last.map_or(at, |last| last + 1);
            }
            if self.ends_line(at) {
                return at + 1;
            }
        }
        self.pieces.len()
    }

    fn brace(&self, at: usize) -> Option<&Brace> {
        let id = self.pieces.get(at)?.brace;
        if id == NO_BRACE { None } else { self.braces.get(id as usize) }
    }

    /// Whether this is the `}` of what has lines of its own.
    fn starts_line(&self, at: usize) -> bool {
        self.role(at) == Some(Role::CloseBrace) && self.brace(at).is_some_and(|b| b.vertical)
    }

    fn ends_line(&self, at: usize) -> bool {
        let vertical = || self.brace(at).is_some_and(|brace| brace.vertical);
        match self.role(at) {
            Some(Role::Semicolon) => self.brace(at).is_none_or(|brace| brace.vertical),
            Some(Role::OpenBrace | Role::Comma) => vertical(),
            Some(Role::CloseBrace) => self.brace(at).is_some_and(|brace| !brace.kind.is_inside()),
            _ => false,
        }
    }

    /// Gives lines of their own to statements that share a line with their head, if they would not all stand on one
    /// line when it is written. A line that ended among them would give them lines of their own the next time.
    fn open_long_statements(&mut self, start: usize, end: usize, indent: usize) -> bool {
        // Comments may have ended lines before the braces, and what follows is indented more.
        let broken = (start + 1..end).rev().find(|&at| must_break(self.pieces, at));
        let (from, column) = broken.map_or((start, indent), |at| (at, indent + CONTINUATION));
        if column + width(&self.pieces[from..end]) <= WIDTH {
            return false;
        }
        let last = &self.pieces[end - 1];
        let is_close = last.brace != NO_BRACE && last.role == Role::CloseBrace;
        let brace = if is_close { self.braces.get_mut(last.brace as usize) } else { None };
        let is_shared =
            |b: &&mut Brace| b.kind.has_short_statements() && !b.vertical && !b.is_empty();
        brace.filter(is_shared).map(|brace| brace.vertical = true).is_some()
    }

    /// Opens the lists that would still be too long if the line was broken before each clause.
    fn open_long_lists(&mut self, start: usize, end: usize, indent: usize) -> bool {
        let (mut from, mut column, mut opened) = (start, indent, false);
        for at in start + 1..=end {
            if at < end && !is_clause(self.pieces[at].level) {
                continue;
            }
            if column + width(&self.pieces[from..at]) > WIDTH {
                opened |= self.open_lists(from, at);
            }
            (from, column) = (at, indent + CONTINUATION);
        }
        opened
    }

    /// Gives lines of their own to the elements of the outermost lists that stand here.
    fn open_lists(&mut self, start: usize, end: usize) -> bool {
        let (mut at, mut opened) = (start, false);
        while at < end {
            let id = self.pieces[at].brace;
            let is_open = id != NO_BRACE && self.role(at) == Some(Role::OpenBrace);
            let brace = if is_open { self.braces.get_mut(id as usize) } else { None };
            at += 1;
            if let Some(brace) = brace.filter(|brace| !brace.vertical && !brace.is_empty()) {
                brace.vertical = true;
                opened = true;
                at = brace.close + 1;
            }
        }
        opened
    }
}
