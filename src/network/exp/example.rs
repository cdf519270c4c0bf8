//! The files that the examples of explanations speak of.

use super::files::{ExpFiles, Unread};

/// A network, `example.exp`, among a few small files.
#[derive(Clone, Debug)]
pub struct ExampleFiles(pub String);

impl ExampleFiles {
    /// What the network is called.
    pub const NAME: &str = "example.exp";

    fn text(&self, path: &str) -> Option<&str> {
        match path {
            Self::NAME => Some(&self.0),
            "sender.aut" => Some("des (0, 2, 2)\n(0, \"PUT !1\", 1)\n(1, \"ACK\", 0)\n"),
            "receiver.aut" => Some("des (0, 2, 2)\n(0, \"GET !1\", 1)\n(1, \"ACK\", 0)\n"),
            "loose.exp" => Some("\"sender.aut\" ||| \"receiver.aut\"\n"),
            "old.bcg" => Some(""),
            _ => None,
        }
    }
}

impl ExpFiles for ExampleFiles {
    fn read(&self, path: &str, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<(), Unread> {
        take(self.text(path).ok_or(Unread::Missing)?.as_bytes());
        Ok(())
    }
}
