//! Long texts on several lines.

/// A text in lines of at most so many letters, broken where its parts end if possible, else at any space.
pub(super) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let mut lines: Vec<String> = Vec::new();
    for part in parts(text) {
        let pieces = if length(part) <= most { vec![part] } else { part.split(' ').collect() };
        for piece in pieces {
            match lines.last_mut() {
                Some(line) if length(line) + 1 + length(piece) <= most => {
                    line.push(' ');
                    line.push_str(piece);
                }
                _ => lines.push(piece.to_owned()),
            }
        }
    }
    lines
}

/// The parts of a list, a conjunction or a disjunction, which may stand between brackets of its own.
fn parts(text: &str) -> Vec<&str> {
    let own = i32::from(text.starts_with(['[', '{']));
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth <= own => {
                let rest = &text[at + 1..];
                let ends = text[..at].ends_with(',')
                    || ["and ", "or "].iter().any(|word| rest.starts_with(word));
                if ends {
                    parts.push(&text[start..at]);
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
