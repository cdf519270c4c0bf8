//! Texts as editors have them: lines, and positions in the units that were agreed on.

use serde_json::{Value, json};

/// Where the lines of a text start. `\n`, `\r\n` and `\r` end a line, as the protocol has it.
pub(super) fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = bytes
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}

/// A text with its lines.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub text: String,
    starts: Vec<usize>,
}

impl Text {
    pub fn new(text: String) -> Text {
        let starts = line_starts(&text);
        Text { text, starts }
    }

    /// The text of a line, without its end.
    fn line(&self, line: usize) -> (usize, &str) {
        let Some(&start) = self.starts.get(line) else { return (self.text.len(), "") };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end).unwrap_or("");
        (start, text.trim_end_matches(['\n', '\r']))
    }

    /// The byte at a position; behind the end of a line is its end, and behind the last line the end of the text.
    pub fn offset(&self, position: &Value, utf8: bool) -> usize {
        let number = |key: &str| position.get(key).and_then(Value::as_u64).unwrap_or(0);
        let (start, line) = self.line(usize::try_from(number("line")).unwrap_or(usize::MAX));
        let wanted = number("character");
        let mut units = 0;
        for (at, letter) in line.char_indices() {
            let next = units + if utf8 { letter.len_utf8() } else { letter.len_utf16() } as u64;
            // Inside of a letter is before it.
            if next > wanted {
                return start + at;
            }
            units = next;
        }
        start + line.len()
    }

    /// The position of a byte.
    pub fn position(&self, offset: usize, utf8: bool) -> Value {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or("");
        let character = if utf8 { before.len() } else { before.encode_utf16().count() };
        json!({ "line": line, "character": character })
    }

    /// The range of some bytes.
    pub fn range(&self, bytes: std::ops::Range<usize>, utf8: bool) -> Value {
        json!({ "start": self.position(bytes.start, utf8), "end": self.position(bytes.end, utf8) })
    }

    /// Takes over a change of the client.
    pub fn change(&mut self, change: &Value, utf8: bool) {
        let new = change.get("text").and_then(Value::as_str).unwrap_or("");
        let text = match change.get("range") {
            Some(range) if !range.is_null() => {
                let end = |key: &str| range.get(key).map_or(0, |at| self.offset(at, utf8));
                let (start, end) = (end("start"), end("end"));
                let mut text = std::mem::take(&mut self.text);
                text.replace_range(start..end.max(start), new);
                text
            }
            _ => new.to_owned(),
        };
        *self = Text::new(text);
    }
}

/// The path of a URI; one that is no file stands for itself.
pub(super) fn path_of(uri: &str) -> String {
    let Some(path) = uri.strip_prefix("file://") else { return uri.to_owned() };
    let bytes = path.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let hex = (byte == b'%').then(|| path.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| path.to_owned())
}

/// The URI of a path.
pub(super) fn uri_of(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut uri = "file://".to_owned();
    for byte in path.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        if plain {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
