//! What an open automaton can be written as: rules as in the papers (`text.rs`), JSON (`json.rs`), a graph
//! (`dot.rs`), a picture (`svg.rs`).

mod dot;
mod facts;
mod json;
mod rule;
mod svg;
mod text;

pub use dot::dot;
pub use json::json;
pub use rule::{Rule, rule, rules};
pub use svg::svg;
pub use text::text;

/// A text in lines of at most so many letters, where it has spaces to be broken at.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
