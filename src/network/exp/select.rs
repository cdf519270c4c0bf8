//! Hiding, cutting and renaming: what becomes of each label.

use super::pattern::{Pattern, Replacement};
use super::tree::Matching;

/// What ends a gate in a label.
const GATE_ENDS: [char; 5] = ['!', '?', '(', ' ', '\t'];

/// The gate of a label, and the rest.
pub(super) fn gate(label: &str) -> (&str, &str) {
    label.split_at(label.find(GATE_ENDS).unwrap_or(label.len()))
}

/// Whether a name of a gate has offers.
pub(super) fn has_offers(name: &str) -> bool {
    !gate(name).1.is_empty()
}

/// Whether a pattern for a gate has offers; parentheses may be those of groups.
pub(super) fn speaks_of_offers(pattern: &str) -> bool {
    pattern.contains(['!', '?', ' ', '\t']) && !pattern.contains('[')
}

/// Whether a pattern fits a label.
pub(super) fn fits(pattern: &Pattern, matching: Matching, label: &str) -> bool {
    match matching {
        Matching::Gate => pattern.fits_all(gate(label).0),
        Matching::Total => pattern.fits_all(label),
        Matching::Partial | Matching::Multiple => {
            pattern.fit(&label.chars().collect::<Vec<_>>(), 0).is_some()
        }
    }
}

/// A rule of renaming: what fits, and what is put in its place.
#[derive(Debug)]
pub(super) struct Rule {
    pub from: Pattern,
    pub to: Replacement,
}

impl Rule {
    /// What a label becomes, if the rule fits.
    pub fn renamed(&self, matching: Matching, label: &str) -> Option<String> {
        let (before, after) = match matching {
            Matching::Gate => gate(label),
            _ => (label, ""),
        };
        let text: Vec<char> = before.chars().collect();
        let mut renamed = String::new();
        match matching {
            Matching::Gate | Matching::Total => {
                self.to.put(&self.from.fit_all(&text)?, &text, &mut renamed);
            }
            Matching::Partial => self.replace(&text, 1, &mut renamed)?,
            Matching::Multiple => self.replace(&text, usize::MAX, &mut renamed)?,
        }
        renamed.push_str(after);
        Some(renamed)
    }

    /// Replaces what fits, so often.
    fn replace(&self, text: &[char], most: usize, into: &mut String) -> Option<()> {
        let (mut at, mut times) = (0, 0);
        while times < most
            && let Some(fit) = (at <= text.len()).then(|| self.from.fit(text, at)).flatten()
        {
            into.extend(&text[at..fit.from]);
            self.to.put(&fit, text, into);
            at = fit.to;
            times += 1;
            // Where nothing fits, one character is gone past, so that it comes to an end.
            if fit.to == fit.from {
                into.extend(text.get(at));
                at += 1;
            }
        }
        into.extend(text.get(at..).unwrap_or(&[]));
        (times > 0).then_some(())
    }
}
