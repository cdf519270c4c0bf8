//! The files that the examples of explanations speak of.

use super::ImportKind;
use crate::diagnostics::Entry;
use crate::network::exp::{ExpFiles, Unread};

/// The text of an example, among a few small files.
#[derive(Clone, Debug)]
pub struct ImportExample {
    kind: ImportKind,
    text: String,
    /// Whether the text is that of a component, and not of what is imported.
    is_component: bool,
}

/// Rules about which nothing is to be said.
const RULES: &str =
    "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv) (x : station, y : holder);\n";

impl ImportExample {
    /// An example of an entry, if it is about imports.
    pub fn new(entry: &Entry, text: &str) -> Option<ImportExample> {
        let number: u32 = entry.code.strip_prefix('F')?.parse().ok()?;
        let kind = match number {
            301..=320 => ImportKind::Rec,
            321..=329 | 341 => ImportKind::Spec,
            400..=499 => ImportKind::Bip,
            _ => return None,
        };
        Some(ImportExample { kind, text: text.to_owned(), is_component: entry.code == "F0304" })
    }

    /// What kind of file it is.
    pub fn kind(&self) -> ImportKind {
        self.kind
    }

    /// What the file is called.
    pub fn name(&self) -> String {
        format!("example.{}", self.kind.ending())
    }

    fn text(&self, path: &str) -> Option<&str> {
        match path {
            "station.aut" if self.is_component => Some(&self.text),
            "station.aut" => Some("idle -> busy : recv\nbusy -> idle : send\n"),
            "holder.aut" => Some("busy -> idle : send\nidle -> busy : recv\n"),
            _ if path != self.name() => None,
            _ if self.is_component => Some(RULES),
            _ => Some(&self.text),
        }
    }
}

impl ExpFiles for ImportExample {
    fn read(&self, path: &str, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<(), Unread> {
        take(self.text(path).ok_or(Unread::Missing)?.as_bytes());
        Ok(())
    }
}
