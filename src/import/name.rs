//! Names of other tools as names of the language.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::token::needs_quotes;

/// Words that a statement can begin with, and that are names elsewhere: between back-quotes they are names everywhere.
const STATEMENT_WORDS: [&str; 5] = ["new", "never", "rule", "architecture", "lts"];

/// A name as it is written: between back-quotes if it is a keyword.
pub(super) fn quoted(name: &str) -> String {
    match needs_quotes(name) || STATEMENT_WORDS.contains(&name) {
        true => format!("`{name}`"),
        false => name.to_owned(),
    }
}

/// A text as a name: `_` for what names are not made of.
pub(super) fn as_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for c in text.chars() {
        if unicode_ident::is_xid_continue(c) {
            name.push(c);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    let begins = name.chars().next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c));
    match begins && name != "_" {
        true => name,
        false => format!("x{name}"),
    }
}

/// Names of one namespace, each given once.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
    /// The number that was last put behind a name.
    last: FxHashMap<String, usize>,
}

impl Names {
    /// Takes a name, so that nobody gets it.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Whether somebody has a name.
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// A name like this one that nobody has, with a number behind it if need be.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let plain = as_name(wanted);
        let mut name = plain.clone();
        while !self.taken.insert(name.clone()) {
            let last = self.last.entry(plain.clone()).or_insert(1);
            *last += 1;
            name = format!("{plain}_{last}");
        }
        name
    }
}
