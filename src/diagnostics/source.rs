//! Source texts and places in them.
//!
//! All files of one compilation share one space of byte offsets, each file at its own base, so that a
//! [`Span`] is eight bytes and knows its file.

use std::sync::Arc;

/// A piece of source text, as byte offsets into the compilation's shared space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to just before `end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The empty span just after this one: where a missing text is to be inserted.
    pub fn after(self) -> Span {
        Span::new(self.end, self.end)
    }

    /// The empty span just before this one.
    pub fn before(self) -> Span {
        Span::new(self.start, self.start)
    }

    /// Whether `other` lies wholly inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl serde::Serialize for Span {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.start, self.end).serialize(serializer)
    }
}

/// A line and a column, both from 1; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// One source text with its name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: Arc<str>,
    base: u32,
    line_starts: Arc<[u32]>,
    /// Where the text stands in its file, if it is only a piece of it.
    excerpt: Excerpt,
}

/// Where a piece of a file stands: how many lines and bytes come before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Excerpt {
    /// How many lines.
    pub line: usize,
    /// How many bytes.
    pub byte: u64,
}

impl SourceFile {
    /// The name people see: a path as they wrote it, or `std.lotos`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The offset of this file's first byte in the shared space.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The span of the whole file.
    pub fn span(&self) -> Span {
        Span::new(self.base, self.base + self.text.len() as u32)
    }

    /// The byte range of a span, relative to this file's text and kept inside it.
    pub fn range(&self, span: Span) -> std::ops::Range<usize> {
        let clamp = |offset: u32| (offset.saturating_sub(self.base) as usize).min(self.text.len());
        clamp(span.start)..clamp(span.end).max(clamp(span.start))
    }

    /// The line and column of an offset of the shared space.
    pub fn position(&self, offset: u32) -> Position {
        let local = self.range(Span::new(offset, offset)).start;
        let line = self.line_of(local);
        let start = self.line_starts.get(line).copied().unwrap_or(0) as usize;
        let column = self.text.get(start..local).map_or(local - start, |t| t.chars().count());
        Position { line: self.excerpt.line + line + 1, column: column + 1 }
    }

    /// Where the text stands in its file.
    pub fn excerpt(&self) -> Excerpt {
        self.excerpt
    }

    /// The line, from 0, of a byte of this file.
    pub(super) fn line_of(&self, local: usize) -> usize {
        self.line_starts.partition_point(|&start| start as usize <= local).saturating_sub(1)
    }

    /// Where each line starts, in bytes of this file.
    pub(super) fn line_starts(&self) -> &[u32] {
        &self.line_starts
    }
}

/// The files of one compilation. A copy shares their texts.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

/// All sources together do not fit the shared space of offsets (four gigabytes).
#[derive(Clone, Copy, Debug)]
pub struct SourceTooLarge;

impl SourceMap {
    /// Takes in a file; its index can be used with [`SourceMap::file`].
    pub fn add(&mut self, name: String, text: Arc<str>) -> Result<usize, SourceTooLarge> {
        self.add_excerpt(name, text, Excerpt::default())
    }

    /// Takes in a piece of a file that is too large to be taken in as a whole; it begins at the start of a line.
    pub fn add_excerpt(
        &mut self,
        name: String,
        text: Arc<str>,
        excerpt: Excerpt,
    ) -> Result<usize, SourceTooLarge> {
        // One byte between files, so that the end of one is not the start of the next.
        let base = self.files.last().map_or(0, |last| u64::from(last.span().end) + 1);
        if base + text.len() as u64 >= u64::from(u32::MAX) {
            return Err(SourceTooLarge);
        }
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(SourceFile { name, text, base: base as u32, line_starts, excerpt });
        Ok(self.files.len() - 1)
    }

    /// The file with this index.
    pub fn file(&self, index: usize) -> Option<&SourceFile> {
        self.files.get(index)
    }

    /// All files, in the order they were taken in.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The file that a span lies in.
    pub fn file_of(&self, span: Span) -> Option<&SourceFile> {
        self.index_of(span).and_then(|index| self.files.get(index))
    }

    /// The index of the file that a span lies in.
    pub fn index_of(&self, span: Span) -> Option<usize> {
        self.files.partition_point(|file| file.base <= span.start).checked_sub(1)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.file_of(span).and_then(|file| file.text.get(file.range(span))).unwrap_or("")
    }
}
