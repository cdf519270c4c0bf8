//! Messages on pipes: a header with a length, and JSON. What makes no sense is said, and does not take memory.

use std::io::{BufRead, Read, Write};

use lsp_server::Message;
use serde_json::Value;

/// No message is longer: a text of a hundred megabytes is nothing that somebody edits.
const MOST_BYTES: usize = 256 << 20;

/// No line of a header is longer.
const MOST_HEADER: u64 = 4096;

/// What was heard.
pub(super) enum Heard {
    /// A message.
    Message(Message),
    /// Something that is framed as a message, and is none.
    Garbage(String),
    /// The end, and why, if it is not one between two messages.
    End(Option<String>),
}

/// Hears one message.
pub(super) fn hear(from: &mut impl BufRead) -> Heard {
    let length = match header(from) {
        Ok(Some(length)) => length,
        Ok(None) => return Heard::End(None),
        Err(why) => return Heard::End(Some(why)),
    };
    let mut body = Vec::new();
    // Memory is taken as bytes come, not as they are promised.
    match from.take(length as u64).read_to_end(&mut body) {
        Ok(count) if count == length => {}
        Ok(_) => return Heard::End(Some("a message ended before its length".to_owned())),
        Err(why) => return Heard::End(Some(why.to_string())),
    }
    let read = |body: &[u8]| serde_json::from_slice::<Value>(body).and_then(serde_json::from_value);
    match read(&body).or_else(|why| whole(&body).map_or(Err(why), |mended| read(&mended))) {
        Ok(message) => Heard::Message(message),
        Err(why) => Heard::Garbage(why.to_string()),
    }
}

/// The message with U+FFFD in the place of each half of a letter, which is as long in all units: an editor may cut a letter
/// of two units of UTF-16 in two, and its text must not be another one than ours. Nothing where there is no half.
fn whole(body: &[u8]) -> Option<Vec<u8>> {
    let (mut whole, mut at, mut found) = (Vec::with_capacity(body.len()), 0, false);
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let (read, put) = match rest {
            // As bytes, which no JSON has.
            [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => (3, "\u{FFFD}".as_bytes()),
            _ => match (half(rest), rest.get(6..).and_then(half)) {
                (Some(0xD800..0xDC00), Some(0xDC00..)) => (12, &rest[..12]),
                (Some(_), _) => (6, &b"\\ufffd"[..]),
                // What is escaped otherwise is no beginning of something else.
                (None, _) => {
                    let length = if rest[0] == b'\\' { rest.len().min(2) } else { 1 };
                    (length, &rest[..length])
                }
            },
        };
        found |= put.len() != read || put != &rest[..read];
        whole.extend_from_slice(put);
        at += read;
    }
    found.then_some(whole)
}

/// The half of a letter that is written here as `\uD800` to `\uDFFF`.
fn half(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(br"\u")?.get(..4)?;
    let digits = digits.iter().all(u8::is_ascii_hexdigit).then_some(digits)?;
    let unit = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (0xD800..=0xDFFF).contains(&unit).then_some(unit)
}

/// The length of the next message; nothing at the end.
fn header(from: &mut impl BufRead) -> Result<Option<usize>, String> {
    let (mut length, mut is_first) = (None, true);
    loop {
        let mut line = Vec::new();
        let count = from.take(MOST_HEADER).read_until(b'\n', &mut line);
        let count = count.map_err(|why| why.to_string())?;
        if count == 0 && is_first {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let Some(line) = line.strip_suffix('\n') else {
            return Err("what comes in is no message of the protocol".to_owned());
        };
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() && !is_first {
            return length.map(Some).ok_or_else(|| "a message has no `Content-Length`".to_owned());
        }
        is_first = false;
        let Some((name, value)) = line.split_once(':') else {
            return Err("what comes in is no message of the protocol".to_owned());
        };
        if name.eq_ignore_ascii_case("content-length") {
            let wrong = || format!("`{}` is no length of a message", value.trim());
            let given: usize = value.trim().parse().map_err(|_| wrong())?;
            length = Some(Some(given).filter(|given| *given <= MOST_BYTES).ok_or_else(wrong)?);
        }
    }
}

/// Says one message.
pub(super) fn say(to: &mut impl Write, message: &Value) -> std::io::Result<()> {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::{Heard, hear, whole};

    fn heard(bytes: &str) -> String {
        heard_bytes(bytes.as_bytes())
    }

    fn heard_bytes(mut bytes: &[u8]) -> String {
        match hear(&mut bytes) {
            Heard::Message(_) => "a message".to_owned(),
            Heard::Garbage(_) => "garbage".to_owned(),
            Heard::End(why) => why.unwrap_or_else(|| "the end".to_owned()),
        }
    }

    #[test]
    fn messages_are_heard_and_nothing_else_is() {
        let body = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        assert_eq!(heard(&format!("Content-Length: {}\r\n\r\n{body}", body.len())), "a message");
        assert_eq!(heard(&format!("content-length:{}\n\n{body}", body.len())), "a message");
        assert_eq!(heard("Content-Length: 2\r\n\r\n{]"), "garbage");
        assert_eq!(heard("Content-Length: 2\r\n\r\n12"), "garbage");
        assert_eq!(heard(""), "the end");
        assert_eq!(heard("Content-Length: 9\r\n\r\n{}"), "a message ended before its length");
        for wrong in ["-1", "x", "99999999999999999999", "999999999999"] {
            let said = heard(&format!("Content-Length: {wrong}\r\n\r\n"));
            assert_eq!(said, format!("`{wrong}` is no length of a message"));
        }
        assert_eq!(heard("Content-Type: x\r\n\r\n"), "a message has no `Content-Length`");
        for wrong in ["hello", "hello\n", "\u{1}\u{2}", "Content-Length: 3"] {
            assert_eq!(heard(wrong), "what comes in is no message of the protocol");
        }
        assert_eq!(heard(&"x".repeat(10_000)), "what comes in is no message of the protocol");
    }

    #[test]
    fn halves_of_letters_are_one_unit_each() {
        let mended = |text: &str| whole(text.as_bytes()).map(|one| String::from_utf8(one).unwrap());
        for (written, meant) in [
            (r"a\ud83db", r"a\ufffdb"),
            (r"\uDE00\uD83D", r"\ufffd\ufffd"),
            (r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00"),
            (r"\\\ud83d", r"\\\ufffd"),
        ] {
            assert_eq!(mended(written).as_deref(), Some(meant), "{written}");
        }
        // Whole letters, escaped backslashes and what is no escape at all are left alone.
        for text in [r"\ud83d\ude00", r"\\ud83d", r"\u12", r"\", "ä🙂", r"\uD8"] {
            assert_eq!(mended(text), None, "{text}");
        }
        assert_eq!(whole(b"\xED\xA0\xBD"), Some("\u{FFFD}".as_bytes().to_vec()));
        let body = br#"{"jsonrpc":"2.0","method":"a\ud800"}"#;
        let framed = [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
        assert_eq!(heard_bytes(&framed), "a message");
    }
}
