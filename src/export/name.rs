//! Names as other formats have them: letters, digits and `_` of ASCII, no word of the format, each once.

use rustc_hash::{FxHashMap, FxHashSet};

/// Picks names of which no two are the same.
#[derive(Clone, Debug)]
pub(super) struct Namer {
    words: &'static [&'static str],
    taken: FxHashSet<String>,
    next: FxHashMap<String, u32>,
}

impl Namer {
    /// Picks names that are none of these words.
    pub fn new(words: &'static [&'static str]) -> Namer {
        Namer { words, taken: FxHashSet::default(), next: FxHashMap::default() }
    }

    /// The name itself, or the name with a number.
    pub fn pick(&mut self, wanted: &str) -> String {
        let wanted = legal(wanted);
        let is_free = |name: &str, taken: &FxHashSet<String>| {
            !taken.contains(name) && !self.words.contains(&name)
        };
        let mut name = wanted.clone();
        let next = self.next.entry(wanted.clone()).or_insert(2);
        while !is_free(&name, &self.taken) {
            name = format!("{wanted}_{next}");
            *next += 1;
        }
        self.taken.insert(name.clone());
        name
    }
}

/// A text with `_` for all that cannot stand in a name.
pub(super) fn legal(text: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = text.chars().map(kept).collect();
    let name = name.trim_matches('_');
    match name.chars().next() {
        None => "x".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{name}"),
        Some(_) => name.to_owned(),
    }
}
