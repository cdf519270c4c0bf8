//! Tokens and comments in order, each with the facts that the layout depends on.

use super::super::token::{Comment, CommentKind, Lexed};
use super::reader::{Found, Reader};
use super::roles::{BraceKind, BreakLevel, Column, Kind, NO_BREAK, Role};
use crate::diagnostics::Span;

/// No brace.
pub const NO_BRACE: u32 = u32::MAX;

/// A token or a comment.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Where its text starts.
    pub start: u32,
    /// Where its text ends; white space at the end of a comment is left out.
    pub end: u32,
    /// How many characters it has, or its first line.
    pub width: u32,
    /// Whether a line may be broken before it.
    pub level: BreakLevel,
    /// For a brace, or a comma directly in braces, or a `;` in those of a scenario: which.
    pub brace: u32,
    /// Its role.
    pub role: Role,
    /// How many lines end before it, up to two.
    pub newlines: u8,
    /// The column that starts with it.
    pub column: Column,
    /// For a `;`: the kind of the statement it ends.
    pub kind: Kind,
    /// Whether there is a space before it, unless it is the first on its line.
    pub space: bool,
}

/// A pair of braces.
#[derive(Clone, Copy, Debug)]
pub struct Brace {
    /// What stands in them.
    pub kind: BraceKind,
    /// The piece that opens.
    pub open: usize,
    /// The piece that closes.
    pub close: usize,
    /// Whether what stands in them has lines of its own.
    pub vertical: bool,
}

impl Brace {
    /// Whether nothing stands in them.
    pub fn is_empty(&self) -> bool {
        self.close == self.open + 1
    }
}

/// The pieces of a text, and its braces.
pub fn pieces(text: &str, lexed: &Lexed) -> (Vec<Piece>, Vec<Brace>) {
    let mut cutter = Cutter {
        text,
        pieces: Vec::with_capacity(lexed.tokens.len() + lexed.comments.len()),
        braces: Vec::new(),
        open: Vec::new(),
        end: 0,
        break_after: NO_BREAK,
        column_after: Column::None,
        opening: false,
    };
    let mut reader = Reader::new(&lexed.tokens);
    let mut comments = lexed.comments.iter().peekable();
    for &span in &lexed.spans {
        while let Some(comment) = comments.next_if(|comment| comment.span.start < span.start) {
            cutter.comment(*comment);
        }
        cutter.token(reader.read(), span);
    }
    comments.for_each(|comment| cutter.comment(*comment));
    (cutter.pieces, cutter.braces)
}

struct Cutter<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
    braces: Vec<Brace>,
    /// The open braces, from the outermost.
    open: Vec<u32>,
    /// Where the last piece ended, with the white space at its end.
    end: usize,
    break_after: BreakLevel,
    column_after: Column,
    /// Whether the last token opened braces.
    opening: bool,
}

impl Cutter<'_> {
    fn token(&mut self, found: Found, span: Span) {
        let (start, end) = (span.start as usize, span.end as usize);
        let at = self.pieces.len();
        let mut piece = self.piece(start, end, found.role);
        piece.level = piece.level.min(found.before);
        piece.column = piece.column.max(found.column);
        piece.kind = found.kind;
        self.note_line(piece.newlines > 0);
        if let Some(kind) = found.brace.filter(|kind| *kind != BraceKind::Set) {
            piece.brace = self.brace(found.role, kind, at);
        }
        self.opening = found.role == Role::OpenBrace && piece.brace != NO_BRACE;
        self.break_after = found.after;
        self.column_after = found.next_column;
        self.push(piece, end);
    }

    fn comment(&mut self, comment: Comment) {
        let (start, whole_end) = (comment.span.start as usize, comment.span.end as usize);
        let whole = self.text.get(start..whole_end).unwrap_or("");
        let role = match comment.kind {
            CommentKind::Line => Role::LineComment,
            CommentKind::Doc => Role::DocComment,
            CommentKind::Block if whole.contains('\n') => Role::TallComment,
            CommentKind::Block => Role::BlockComment,
        };
        let mut piece = self.piece(start, start + whole.trim_end().len(), role);
        if role != Role::BlockComment {
            // The lines are broken around it anyway, or must not be.
            piece.level = NO_BREAK;
            self.make_vertical();
        }
        self.note_line(piece.newlines > 0);
        (self.break_after, self.column_after) = (NO_BREAK, Column::None);
        self.push(piece, whole_end);
    }

    fn piece(&self, start: usize, end: usize, role: Role) -> Piece {
        let before = self.pieces.last().map(|piece| piece.role);
        Piece {
            start: start as u32,
            end: end as u32,
            width: first_width(self.text.get(start..end).unwrap_or("")),
            level: self.break_after,
            brace: NO_BRACE,
            role,
            newlines: newlines(self.text.get(self.end..start).unwrap_or("")),
            column: self.column_after,
            kind: Kind::Plain,
            space: before.is_some_and(|before| spaced(before, role)),
        }
    }

    fn push(&mut self, piece: Piece, end: usize) {
        self.pieces.push(piece);
        self.end = end;
    }

    // ---- braces ----

    fn brace(&mut self, role: Role, kind: BraceKind, at: usize) -> u32 {
        match role {
            Role::OpenBrace => {
                let id = self.braces.len() as u32;
                let vertical = kind == BraceKind::Block;
                self.braces.push(Brace { kind, open: at, close: at, vertical });
                self.open.push(id);
                id
            }
            Role::CloseBrace => {
                let Some(id) = self.open.pop() else { return NO_BRACE };
                if let Some(brace) = self.braces.get_mut(id as usize) {
                    brace.close = at;
                    brace.vertical &= !brace.is_empty();
                }
                id
            }
            _ => self.open.last().copied().unwrap_or(NO_BRACE),
        }
    }

    /// Where somebody ended the line before the first element, each element has a line of its own; in a scenario, where
    /// somebody ended a line at all.
    fn note_line(&mut self, on_new_line: bool) {
        let inside = self.open.last().and_then(|&id| self.braces.get(id as usize));
        let steps = inside.is_some_and(|brace| brace.kind.has_short_statements());
        if on_new_line && (self.opening || steps) {
            self.make_vertical();
        }
    }

    /// Gives lines of their own to what stands in the innermost braces, and so in those around them.
    fn make_vertical(&mut self) {
        for &id in self.open.iter().rev() {
            match self.braces.get_mut(id as usize) {
                Some(brace) if !brace.vertical => brace.vertical = true,
                _ => break,
            }
        }
    }
}

fn spaced(before: Role, role: Role) -> bool {
    let plain = |role: Role| if role.is_comment() { Role::Operand } else { role };
    // After a comment, nothing is glued that would be an operand's own bracket.
    match (before.is_comment(), role) {
        (true, Role::OpenGlued | Role::Quote | Role::Colon) => true,
        _ => plain(before).space_before(plain(role)),
    }
}

/// How many lines end in this white space, up to two.
fn newlines(gap: &str) -> u8 {
    let bytes = gap.as_bytes();
    let ends =
        |at: usize| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    (0..bytes.len()).filter(|&at| ends(at)).take(2).count() as u8
}

/// How many characters a text has, up to the end of its first line.
fn first_width(text: &str) -> u32 {
    if text.is_ascii() && !text.contains('\n') {
        return text.len() as u32;
    }
    text.lines().next().unwrap_or("").trim_end().chars().count() as u32
}
