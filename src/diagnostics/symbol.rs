//! Interned names: cheap to copy, compare and hash; the text is one lookup away.

use std::fmt;
use std::sync::{OnceLock, RwLock};

use rustc_hash::FxHashMap;

/// A name. Two symbols are equal exactly when their texts are.
///
/// There is no order on purpose: the numbers depend on what was read first, and output must not.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u32);

#[derive(Default)]
struct Table {
    by_text: FxHashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

fn table() -> &'static RwLock<Table> {
    static TABLE: OnceLock<RwLock<Table>> = OnceLock::new();
    TABLE.get_or_init(RwLock::default)
}

impl Symbol {
    /// The symbol of this text. Texts live as long as the program: a model has few different names.
    pub fn new(text: &str) -> Symbol {
        let read = table().read().unwrap_or_else(|broken| broken.into_inner());
        if let Some(&found) = read.by_text.get(text) {
            return Symbol(found);
        }
        drop(read);
        let mut table = table().write().unwrap_or_else(|broken| broken.into_inner());
        if let Some(&found) = table.by_text.get(text) {
            return Symbol(found);
        }
        let id = table.texts.len() as u32;
        let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
        table.texts.push(kept);
        table.by_text.insert(kept, id);
        Symbol(id)
    }

    /// The text of this name.
    pub fn as_str(self) -> &'static str {
        let table = table().read().unwrap_or_else(|broken| broken.into_inner());
        table.texts.get(self.0 as usize).copied().unwrap_or("")
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Symbol {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
