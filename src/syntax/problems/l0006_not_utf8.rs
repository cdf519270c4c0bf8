//! `L0006`: file that is not UTF-8.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A file that is not encoded in UTF-8.
#[derive(Clone, Debug)]
pub struct NotUtf8 {
    /// The place in the file.
    pub span: Span,
    /// The first byte that does not fit.
    pub byte: u8,
    /// How many bytes stand before it.
    pub offset: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0006",
    title: "file that is not UTF-8",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Models are read as UTF-8, which is what practically every editor writes today, and
of which ASCII is a part. This file has a byte in it that UTF-8 does not allow at
that place. Most often the file was saved as Latin-1 or Windows-1252 and has an
accented letter in a comment, or it was saved as UTF-16; or it is no text at all.

Save it as UTF-8 in the editor, or convert it on the command line:

    iconv -f WINDOWS-1252 -t UTF-8 model.pnet > converted.pnet

For a file from a Windows program that writes UTF-16, use `-f UTF-16`.
",
    wrong: "",
    right: "\
// Zähler: in UTF-8, names and comments can use the letters of any language.
action tick;

process Zähler {
    init state s;

    s -> s : tick;
}
",
};

impl NotUtf8 {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!(
            "this file is not UTF-8: the byte 0x{:02X} at offset {} cannot stand there",
            self.byte, self.offset
        );
        let diagnostic =
            Diagnostic::new(entry, self.span, message).label("the text up to here is UTF-8");
        match (self.offset, self.byte) {
            (0, 0xFE | 0xFF) => diagnostic.note(
                "it starts like UTF-16: save it as UTF-8, \
                 or convert it with `iconv -f UTF-16 -t UTF-8`",
            ),
            _ => diagnostic.note(
                "save it as UTF-8, or convert it, for example with \
                 `iconv -f WINDOWS-1252 -t UTF-8`",
            ),
        }
    }
}
