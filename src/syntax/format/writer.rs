//! Writes lines, and puts the comments at the ends of consecutive lines into one column.

use super::WIDTH;

/// How far a comment stands from the code before it, at least.
const GAP: usize = 2;

/// What is written, line by line.
pub struct Writer {
    out: String,
    line: String,
    width: usize,
    comment: String,
    /// Consecutive lines with comments at their ends, until it is known how many there are.
    held: Vec<Held>,
}

struct Held {
    line: String,
    width: usize,
    comment: String,
}

impl Writer {
    /// Nothing yet.
    pub fn with_capacity(bytes: usize) -> Writer {
        let (line, comment) = (String::new(), String::new());
        Writer { out: String::with_capacity(bytes), line, width: 0, comment, held: Vec::new() }
    }

    /// How many characters the line has so far.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Adds white space up to this column.
    pub fn pad(&mut self, column: usize) {
        let missing = column.saturating_sub(self.width);
        self.line.extend(std::iter::repeat_n(' ', missing));
        self.width += missing;
    }

    /// Adds a space.
    pub fn space(&mut self) {
        self.pad(self.width + 1);
    }

    /// Adds a text of one line, which has so many characters.
    pub fn text(&mut self, text: &str, width: usize) {
        self.line.push_str(text);
        self.width += width;
    }

    /// Adds a text of several lines as they are, but for the white space at their ends.
    pub fn tall(&mut self, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.end_line();
            }
            let line = line.trim_end();
            self.text(line, line.chars().count());
        }
    }

    /// Adds a comment at the end of the line. Nothing but other comments can follow.
    pub fn comment(&mut self, text: &str) {
        if !self.comment.is_empty() {
            self.comment.push(' ');
        }
        self.comment.push_str(text);
    }

    /// Ends the line.
    pub fn end_line(&mut self) {
        let width = std::mem::take(&mut self.width);
        if !self.comment.is_empty() {
            let (line, comment) =
                (std::mem::take(&mut self.line), std::mem::take(&mut self.comment));
            self.held.push(Held { line, width, comment });
            return;
        }
        self.release();
        self.out.push_str(&self.line);
        self.out.push('\n');
        self.line.clear();
    }

    /// Adds an empty line.
    pub fn blank_line(&mut self) {
        self.release();
        self.out.push('\n');
    }

    /// Writes the lines that were held, with their comments in one column. A line that is too long
    /// does not move the others' comments.
    fn release(&mut self) {
        let fitting = self.held.iter().map(|held| held.width).filter(|&width| width <= WIDTH);
        let column = fitting.max().unwrap_or(0) + GAP;
        for held in self.held.drain(..) {
            self.out.push_str(&held.line);
            let gap = column.saturating_sub(held.width).max(GAP);
            self.out.extend(std::iter::repeat_n(' ', gap));
            self.out.push_str(&held.comment);
            self.out.push('\n');
        }
    }

    /// All that was written.
    pub fn finish(mut self) -> String {
        self.release();
        self.out
    }
}
