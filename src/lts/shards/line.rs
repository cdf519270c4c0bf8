//! The lines of a shard: `(0:12, "pass(3)", 1:7)`.

use std::io::Write;

/// A transition, from a worker's state to a worker's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardLine<'t> {
    /// The worker of the state that it starts from, and the state's number there.
    pub from: (u32, u32),
    /// The label as it is written in the Aldebaran format.
    pub label: &'t str,
    /// The same of where it leads.
    pub to: (u32, u32),
}

/// Writes a line, with a label as `aut::label` makes it.
pub fn line(out: &mut Vec<u8>, from: (u32, u32), label: &str, to: (u32, u32)) {
    // Writing to memory does not fail.
    let _ = writeln!(out, "({}:{}, {label}, {}:{})", from.0, from.1, to.0, to.1);
}

impl<'t> ShardLine<'t> {
    /// Reads a line, without its end; nothing if it is none.
    pub fn read(line: &'t [u8]) -> Option<ShardLine<'t>> {
        let inside = std::str::from_utf8(line).ok()?.strip_prefix('(')?.strip_suffix(')')?;
        let (from, rest) = inside.split_once(", ")?;
        let (label, to) = rest.rsplit_once(", ")?;
        (!label.is_empty()).then_some(())?;
        Some(ShardLine { from: state(from)?, label, to: state(to)? })
    }
}

fn state(text: &str) -> Option<(u32, u32)> {
    let (worker, number) = text.split_once(':')?;
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = plain(worker) && plain(number);
    numbers.then(|| Some((worker.parse().ok()?, number.parse().ok()?))).flatten()
}

#[cfg(test)]
mod tests {
    use super::{ShardLine, line};

    #[test]
    fn what_is_written_is_read() {
        for label in ["tau", "\"a\"", "\"pass(3, 4)\"", "\"x, 1:2\"", "\"é ü\""] {
            let mut out = Vec::new();
            line(&mut out, (0, 12), label, (31, u32::MAX));
            let text = out.strip_suffix(b"\n").unwrap();
            let read = ShardLine::read(text);
            assert_eq!(read, Some(ShardLine { from: (0, 12), label, to: (31, u32::MAX) }));
            for end in 0..text.len() {
                assert_eq!(ShardLine::read(&text[..end]), None, "cut at {end}");
            }
        }
    }

    #[test]
    fn what_is_no_line_is_none() {
        for wrong in [
            "",
            "()",
            "(0:1)",
            "(0:1, a)",
            "(0:1, , 0:2)",
            "(0, \"a\", 1)",
            "(0:-1, \"a\", 0:1)",
            "(0:1, \"a\", 0:+1)",
            "(:1, \"a\", 0:1)",
            "(0:1, \"a\", 0:99999999999)",
            "0:1, \"a\", 0:2",
        ] {
            assert_eq!(ShardLine::read(wrong.as_bytes()), None, "{wrong}");
        }
        assert_eq!(ShardLine::read(b"(0:1, \"\xff\", 0:1)"), None);
    }
}
