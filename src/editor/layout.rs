//! A text that was laid out anew, as the smallest edits of white space: what an editor has marked or shows stays where it is.

use std::ops::Range;

/// The edits that make `new` of `old`: bytes of `old`, and what stands there then.
pub fn layout(old: &str, new: &str) -> Vec<(Range<usize>, String)> {
    if old == new {
        return Vec::new();
    }
    // Formatting changes white space only. Should it ever do more, all of the text is replaced.
    gaps(old, new).unwrap_or_else(|| vec![(0..old.len(), new.to_owned())])
}

/// Goes through both texts, from one piece of white space to the next.
fn gaps(old: &str, new: &str) -> Option<Vec<(Range<usize>, String)>> {
    let (mut edits, mut at, mut there) = (Vec::new(), 0, 0);
    loop {
        let (gap, their_gap) = (blank(old, at), blank(new, there));
        if old.get(gap.clone())? != new.get(their_gap.clone())? {
            edits.push((gap.clone(), new.get(their_gap.clone())?.to_owned()));
        }
        (at, there) = (gap.end, their_gap.end);
        let (rest, other) = (old.get(at..)?, new.get(there..)?);
        let same = rest.chars().zip(other.chars());
        let same = same.take_while(|(a, b)| a == b && !a.is_whitespace());
        let length: usize = same.map(|(a, _)| a.len_utf8()).sum();
        if length == 0 {
            // Where nothing is blank on either side, and nothing is the same, it is not white space that differs.
            return (rest.is_empty() && other.is_empty()).then_some(edits);
        }
        (at, there) = (at + length, there + length);
    }
}

/// The white space from a place on, which may be none.
fn blank(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or("");
    at..at + rest.len() - rest.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::layout;

    fn applied(old: &str, new: &str) -> (String, usize) {
        let edits = layout(old, new);
        let mut text = old.to_owned();
        for (range, put) in edits.iter().rev() {
            text.replace_range(range.clone(), put);
        }
        (text, edits.len())
    }

    #[test]
    fn only_gaps_are_edited() {
        let (text, count) = applied("a  ;\nb;", "a;\nb;\n");
        assert_eq!((text.as_str(), count), ("a;\nb;\n", 2));
        assert_eq!(applied("a;b", "a; b"), ("a; b".to_owned(), 1));
        assert_eq!(applied(" é { x}", "é {x}"), ("é {x}".to_owned(), 2));
        assert_eq!(applied("", ""), (String::new(), 0));
    }

    #[test]
    fn what_is_more_than_white_space_replaces_all() {
        assert_eq!(applied("ab c", "a b d"), ("a b d".to_owned(), 1));
    }
}
