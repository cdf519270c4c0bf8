//! What is to be said about the nets that checks are about, each thing once.
//!
//! A vector that is dead in one instance may be alive in another: what never happens is said only where it never does
//! in any of the nets that were looked at and have it.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;

use crate::diagnostics::{Diagnostic, Span};
use crate::driver::{self, Checked};
use crate::generate::{self, Generated, Watch};
use crate::pnet::PNet;

/// A net that was generated for a check.
#[derive(Debug)]
pub(super) struct Made {
    pub text: String,
    pub net: PNet,
    /// Its automaton, unless the check needed another one.
    pub generated: Option<Arc<Generated>>,
}

/// Where checks leave the nets that they generate.
#[derive(Clone, Debug, Default)]
pub struct Kept(Arc<Mutex<Vec<Made>>>);

impl Kept {
    pub(super) fn keep(&self, made: Made) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(made);
    }
}

/// What was found about one net.
struct Review {
    /// The items of the file that it is made of, by their places.
    items: Vec<usize>,
    /// Nothing happens in it: what never happens is not listed.
    stuck: bool,
    found: Vec<Diagnostic>,
}

/// What was found about all nets so far.
#[derive(Default)]
pub struct Reviews {
    seen: FxHashSet<String>,
    all: Vec<Review>,
}

/// Codes of what is so if it is so anywhere: the others say that something is never so.
const ANYWHERE: [&str; 2] = ["A0101", "A0109"];

impl Reviews {
    /// Looks at the nets that were kept, each once.
    pub fn look(
        &mut self,
        checked: &Checked,
        kept: &Kept,
        options: &generate::Options,
        watch: &dyn Watch,
    ) {
        let kept = std::mem::take(&mut *kept.0.lock().unwrap_or_else(PoisonError::into_inner));
        for made in kept {
            if watch.budget().spent().is_some() || !self.seen.insert(made.text) {
                continue;
            }
            let generated = made
                .generated
                .unwrap_or_else(|| Arc::new(generate::generate(&made.net, options, watch)));
            let found = driver::review(checked, &made.net, &generated, options, watch);
            let stuck = generated.automaton.transitions.is_empty();
            let items = items(checked, made.net.origins.spans());
            self.all.push(Review { items, stuck, found });
        }
    }

    /// What is to be said, in the order of the text.
    pub fn problems(&self, checked: &Checked) -> Vec<Diagnostic> {
        let mut said: Vec<Diagnostic> = Vec::new();
        for one in self.all.iter().flat_map(|review| &review.found) {
            if !said.iter().any(|known| is_same(known, one)) && self.agree(checked, one) {
                said.push(one.clone());
            }
        }
        said.sort_by_key(|one| one.span().start);
        said
    }

    /// Whether what is said is so in all nets that have the text it is said about.
    fn agree(&self, checked: &Checked, one: &Diagnostic) -> bool {
        let Some(item) = item_of(checked, one.span()) else { return true };
        ANYWHERE.contains(&one.entry.code)
            || self.all.iter().all(|review| {
                let silent = review.stuck && one.entry.code != "A0108";
                !review.items.contains(&item)
                    || silent
                    || review.found.iter().any(|known| is_same(known, one))
            })
    }
}

/// Whether two say the same about one text.
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.entry.code == other.entry.code && one.span() == other.span()
}

/// The item of the file that a text stands in.
fn item_of(checked: &Checked, span: Span) -> Option<usize> {
    checked.tree.items.iter().position(|item| item.span.contains(span))
}

fn items(checked: &Checked, spans: impl Iterator<Item = Span>) -> Vec<usize> {
    let spans: FxHashSet<(u32, u32)> = spans.map(|span| (span.start, span.end)).collect();
    let mut items: Vec<usize> =
        spans.into_iter().filter_map(|(from, to)| item_of(checked, Span::new(from, to))).collect();
    items.sort_unstable();
    items.dedup();
    items
}
