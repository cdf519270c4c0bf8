//! How wide a text is, roughly: nobody asks a font here, so a table of usual widths has to do.

/// The width of a text in the proportional font.
pub(super) fn sans(text: &str, size: f64) -> f64 {
    text.chars().map(sans_em).sum::<f64>() * size
}

/// The width of a text in the font for code, where most letters are equally wide.
pub(super) fn mono(text: &str, size: f64) -> f64 {
    text.chars().map(mono_em).sum::<f64>() * size
}

fn mono_em(c: char) -> f64 {
    match c {
        _ if is_wide(c) => 1.2,
        _ if is_joined(c) => 0.0,
        _ => 0.605,
    }
}

/// Widths of the usual system fonts, in parts of the size; the widest of them counts.
fn sans_em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' => 0.3,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '{' | '}' | 'I' | ' ' | '/' | '-' => 0.4,
        'm' | 'w' | 'M' | 'W' | '…' | '→' => 0.95,
        'A'..='Z' | '<' | '>' | '=' | '+' => 0.7,
        _ if is_wide(c) => 1.1,
        _ if is_joined(c) => 0.0,
        _ => 0.6,
    }
}

/// Letters as wide as high: Chinese, Japanese and Korean ones, and pictures.
pub(in crate::emit) fn is_wide(c: char) -> bool {
    matches!(c as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0x1f300..=0x1faff | 0x20000..=0x3fffd)
}

/// Marks that stand on the letter before them, and what is not seen at all.
pub(in crate::emit) fn is_joined(c: char) -> bool {
    matches!(c as u32, 0x300..=0x36f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f)
}
