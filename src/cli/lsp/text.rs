//! Texts as editors have them: lines, and positions in the units that were agreed on.

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Value, json};

/// Where the lines of a text start. `\n`, `\r\n` and `\r` end a line, as the protocol has it.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = bytes
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}

/// A text with its lines.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub text: Arc<str>,
    starts: Vec<usize>,
    /// Then a byte is a unit, whatever was agreed on.
    is_ascii: bool,
}

/// A line, and so many units of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Point {
    pub line: usize,
    pub character: usize,
}

impl Point {
    pub fn json(self) -> Value {
        json!({ "line": self.line, "character": self.character })
    }
}

impl Text {
    pub fn new(text: impl Into<Arc<str>>) -> Text {
        let text = text.into();
        let (starts, is_ascii) = (line_starts(&text), text.is_ascii());
        Text { text, starts, is_ascii }
    }

    /// The text of a line, without its end, and where it starts.
    fn line(&self, line: usize) -> (usize, &str) {
        let Some(&start) = self.starts.get(line) else { return (self.text.len(), "") };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end).unwrap_or("");
        (start, text.trim_end_matches(['\n', '\r']))
    }

    /// The byte at a position; behind the end of a line is its end, and behind the last line the end of the text.
    pub fn offset(&self, position: &Value, utf8: bool) -> usize {
        self.place(position, utf8).0
    }

    /// The same, and how long the letter is that is cut in two there.
    fn place(&self, position: &Value, utf8: bool) -> (usize, usize) {
        let number = |key: &str| position.get(key).and_then(Value::as_u64).unwrap_or(0);
        let (start, line) = self.line(usize::try_from(number("line")).unwrap_or(usize::MAX));
        let wanted = number("character");
        let mut units = 0;
        for (at, letter) in line.char_indices() {
            let next = units + units_of(letter, utf8) as u64;
            // Inside of a letter is before it.
            if next > wanted {
                let cut = if units < wanted && !utf8 { letter.len_utf8() } else { 0 };
                return (start + at, cut);
            }
            units = next;
        }
        (start + line.len(), 0)
    }

    /// The position of a byte.
    pub fn point(&self, offset: usize, utf8: bool) -> Point {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        if utf8 || self.is_ascii {
            return Point { line, character: offset - start };
        }
        let before = self.text.get(start..offset).unwrap_or("");
        Point { line, character: before.encode_utf16().count() }
    }

    /// The positions of bytes in order, each found from the one before it: lines may be long.
    pub fn points(&self, offsets: impl Iterator<Item = usize>, utf8: bool) -> Vec<Point> {
        let (mut at, mut last) = (0, Point::default());
        let mut all = Vec::new();
        for offset in offsets {
            let next = self.starts.get(last.line + 1).copied().unwrap_or(usize::MAX);
            let is_near = at <= offset && offset < next;
            last = match is_near.then(|| self.text.get(at..offset)).flatten() {
                Some(between) => {
                    let units: usize = between.chars().map(|one| units_of(one, utf8)).sum();
                    Point { character: last.character + units, ..last }
                }
                None => self.point(offset, utf8),
            };
            at = offset;
            all.push(last);
        }
        all
    }

    /// The range of some bytes.
    pub fn range(&self, bytes: Range<usize>, utf8: bool) -> Value {
        let (start, end) = (self.point(bytes.start, utf8), self.point(bytes.end, utf8));
        json!({ "start": start.json(), "end": end.json() })
    }

    /// Takes over a change of the client; one without a text says nothing.
    pub fn change(&mut self, change: &Value, utf8: bool) {
        let Some(new) = change.get("text").and_then(Value::as_str) else { return };
        *self = match change.get("range") {
            Some(range) if !range.is_null() => {
                let end = |key: &str| range.get(key).map_or((0, 0), |at| self.place(at, utf8));
                let ((start, cut), (end, last)) = (end("start"), end("end"));
                let mut text = self.text.to_string();
                // Of a letter that is cut in two, half is left: it is one unit, which is no letter.
                let half = |cut: usize| if cut > 0 { "\u{FFFD}" } else { "" };
                let put = format!("{}{new}{}", half(cut), half(last));
                text.replace_range(start..(end + last).max(start), &put);
                Text::new(text)
            }
            _ => Text::new(new),
        };
    }
}

fn units_of(letter: char, utf8: bool) -> usize {
    if utf8 { letter.len_utf8() } else { letter.len_utf16() }
}

#[cfg(test)]
mod tests {
    use super::{Point, Text};

    #[test]
    fn positions_and_bytes_agree() {
        let text = Text::new("a🙂b\r\nü\rx\n\n");
        for utf8 in [false, true] {
            let offsets: Vec<usize> = text.text.char_indices().map(|(at, _)| at).collect();
            let all = text.points(offsets.iter().copied(), utf8);
            for (&offset, point) in offsets.iter().zip(all) {
                assert_eq!(text.point(offset, utf8), point);
                // Between `\r` and `\n` is no place of a line.
                if !text.text[offset..].starts_with('\n') || offset == 0 {
                    assert_eq!(text.offset(&point.json(), utf8), offset, "{point:?}");
                }
            }
        }
        assert_eq!(text.point(5, false), Point { line: 0, character: 3 });
        assert_eq!(text.point(5, true), Point { line: 0, character: 5 });
        let inside = serde_json::json!({ "line": 0, "character": 2 });
        assert_eq!(text.offset(&inside, false), 1);
        let behind = serde_json::json!({ "line": 99, "character": 99 });
        assert_eq!(text.offset(&behind, false), text.text.len());
    }

    #[test]
    fn half_a_letter_is_one_unit() {
        let change = |from: u64, to: u64, new: &str| {
            let mut text = Text::new("a🙂b");
            let at = |character: u64| serde_json::json!({ "line": 0, "character": character });
            let range = serde_json::json!({ "start": at(from), "end": at(to) });
            text.change(&serde_json::json!({ "range": range, "text": new }), false);
            text.text.to_string()
        };
        assert_eq!(change(1, 2, ""), "a\u{FFFD}b");
        assert_eq!(change(2, 3, ""), "a\u{FFFD}b");
        assert_eq!(change(2, 2, "x"), "a\u{FFFD}x\u{FFFD}b");
        assert_eq!(change(0, 2, "x"), "x\u{FFFD}b");
        assert_eq!(change(1, 3, "x"), "axb");
    }
}
