//! What is to be said about the nets that checks are about, each thing once.
//!
//! A vector that is dead in one instance may be alive in another: what never happens is said only where it never does
//! in any of the nets that were looked at and have it.

use rustc_hash::FxHashSet;

use super::{ModelOptions, any_size};
use crate::diagnostics::{Diagnostic, Span};
use crate::generate::Watch;
use crate::model::{Checked, Wanted};
use crate::outcome::{Outcome, Reason};
use crate::sema::program::CheckDef;

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
    /// What keeps checks from being answered for every size.
    sizes: Vec<Diagnostic>,
}

/// Codes of what is so if it is so anywhere: the others say that something is never so.
const ANYWHERE: [&str; 2] = ["A0101", "A0109"];

impl Reviews {
    /// Looks at the nets that were made for a check, each once. What is composed has conditions of its own; what is said
    /// about a net is said about the whole.
    pub fn look(
        &mut self,
        checked: &Checked,
        check: &CheckDef,
        options: &ModelOptions,
        watch: &dyn Watch,
    ) {
        for instance in check.nets.iter().filter(|_| !options.compose) {
            let (wanted, text) = (Wanted::Instance(check, instance), instance.span);
            let text = checked.sources.text(text).to_owned();
            let made = checked.is_made(wanted, options);
            if !made || watch.budget().spent().is_some() || !self.seen.insert(text) {
                continue;
            }
            self.review(checked, wanted, options, watch);
        }
    }

    /// Looks for what kept a check from being answered for every size.
    pub fn sizes(
        &mut self,
        checked: &Checked,
        check: &CheckDef,
        outcome: &Outcome,
        options: &ModelOptions,
        watch: &dyn Watch,
    ) {
        if matches!(outcome.reason, Reason::NotEverySize { .. }) && !watch.budget().is_spent() {
            self.sizes.extend(any_size::size_problems(checked, check, options, watch));
        }
    }

    fn review(
        &mut self,
        checked: &Checked,
        wanted: Wanted<'_>,
        options: &ModelOptions,
        watch: &dyn Watch,
    ) {
        let Ok(net) = checked.unfolded(wanted, &options.elaborate) else { return };
        let Ok(generated) = checked.automaton(wanted, options, watch) else { return };
        let found = checked.review(&net, &generated, &options.generate, watch);
        let stuck = generated.automaton.transitions.is_empty();
        let items = items(checked, net.origins.spans());
        self.all.push(Review { items, stuck, found });
    }

    /// What is to be said, in the order of the text.
    pub fn problems(&self, checked: &Checked) -> Vec<Diagnostic> {
        let mut said: Vec<Diagnostic> = Vec::new();
        for one in self.all.iter().flat_map(|review| &review.found) {
            if !said.iter().any(|known| is_same(known, one)) && self.agree(checked, one) {
                said.push(one.clone());
            }
        }
        for one in &self.sizes {
            if !said.iter().any(|known| is_same(known, one)) {
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
