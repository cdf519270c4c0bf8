//! Texts from bytes.

/// A text, and what is wrong with its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// The text. Whatever is no UTF-8 is blanked out, so that every place stays where it is.
    pub text: String,
    /// The first byte that is no part of a character, and where it is.
    pub broken: Option<(usize, u8)>,
}

/// A text from bytes.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    let mut bytes = bytes;
    let mut broken = None;
    let mut from = 0;
    while let Err(problem) = std::str::from_utf8(&bytes[from..]) {
        let at = from + problem.valid_up_to();
        broken = broken.or_else(|| bytes.get(at).map(|&byte| (at, byte)));
        let length = problem.error_len().unwrap_or(bytes.len() - at).max(1);
        let end = (at + length).min(bytes.len());
        // In the middle of a word the word goes on, so that it stays one name.
        let in_word = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric);
        let inside =
            in_word(at.checked_sub(1).and_then(|at| bytes.get(at))) || in_word(bytes.get(end));
        bytes[at..end].fill(if inside { b'_' } else { b' ' });
        from = end;
    }
    Decoded { text: String::from_utf8(bytes).unwrap_or_default(), broken }
}
