//! Places of the texts as the editor counts them, and back.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::{Value, json};

use super::state::{Open, State};
use super::text::Text;
use super::uri::uri_of;
use crate::diagnostics::{SourceFile, Span};
use crate::editor;
use crate::loader::normalise;
use crate::model::Checked;
use crate::outcome::Place;

/// So many texts that are not open are kept with their lines.
const MOST_FOREIGN: usize = 16;

/// Texts that are not open, with their lines.
#[derive(Default)]
pub(super) struct Foreign(RefCell<Vec<(Arc<str>, Arc<Text>)>>);

impl Foreign {
    fn text(&self, of: &Arc<str>) -> Arc<Text> {
        let mut all = self.0.borrow_mut();
        if let Some((_, known)) = all.iter().find(|(text, _)| Arc::ptr_eq(text, of)) {
            return Arc::clone(known);
        }
        let made = Arc::new(Text::new(Arc::clone(of)));
        if all.len() >= MOST_FOREIGN {
            all.remove(0);
        }
        all.push((Arc::clone(of), Arc::clone(&made)));
        made
    }
}

impl State {
    /// The offset in the shared space of a position in an open text.
    pub fn offset(&self, checked: &Checked, path: &str, position: &Value) -> Option<u32> {
        let at = self.documents.get(path)?.text.offset(position, self.client.utf8);
        Some(editor::root(checked)?.base() + at as u32)
    }

    /// The range of a span, in the units of the client.
    pub fn range(&self, file: &SourceFile, span: Span) -> Value {
        let (bytes, utf8) = (file.range(span), self.client.utf8);
        // Open texts are checked whenever they change: their lengths tell a text that was found on the disk by others.
        let open = Open(&self.documents).document(file.name());
        match open.filter(|open| open.text.text.len() == file.text().len()) {
            Some(open) => open.text.range(bytes, utf8),
            None => {
                let mut range = self.foreign.text(file.text()).range(bytes, utf8);
                let before = file.excerpt().line;
                for end in ["start", "end"].iter().filter(|_| before > 0) {
                    let line = range[end]["line"].as_u64().unwrap_or(0);
                    range[end]["line"] = json!(line + before as u64);
                }
                range
            }
        }
    }

    /// The URI of a file, as the editor writes it; the library is shown as texts of its own.
    pub fn uri(&self, file: &SourceFile) -> Option<String> {
        if editor::is_library(file.name()) {
            return self
                .references
                .uri(&format!("{}.pnet", file.name()), || file.text().to_string());
        }
        let path = normalise(file.name());
        let open = Open(&self.documents).document(&path);
        Some(open.map_or_else(|| uri_of(&path), |open| open.uri.clone()))
    }

    /// The place of a span: its file and range.
    pub fn place(&self, checked: &Checked, span: Span) -> Option<Value> {
        let file = checked.sources.file_of(span)?;
        Some(json!({ "uri": self.uri(file)?, "range": self.range(file, span) }))
    }

    /// The place of a line: its text without the white space around it.
    pub fn line(&self, checked: &Checked, at: &Place) -> Option<Value> {
        let wanted = at.file.as_deref().unwrap_or(&checked.root);
        let file = checked.sources.files().iter().find(|file| file.name() == wanted)?;
        // These lines are those of messages, which end with `\n` alone.
        let before = file.text().match_indices('\n').map(|(end, _)| end + 1);
        let wanted = at.line.checked_sub(1 + file.excerpt().line)?;
        let start = std::iter::once(0).chain(before).nth(wanted)?;
        let line = file.text().get(start..)?.lines().next().unwrap_or("");
        let from = start + line.len() - line.trim_start().len();
        let (from, to) = (from as u32, (start + line.trim_end().len()) as u32);
        self.place(checked, Span::new(file.base() + from, file.base() + to.max(from)))
    }
}
