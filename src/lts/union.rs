//! Two systems side by side.

use super::rows::Rows;
use super::system::{LabelTable, Lts, LtsLabel, LtsState, LtsStep};

/// Two systems in one, which begins as the first one does; and where the second one begins. Labels are the same if their
/// texts are; the silent action of one is that of the other.
pub fn union(first: &Lts, second: &Lts) -> (Lts, LtsState) {
    let mut labels = LabelTable::new(first.text(LtsLabel::SILENT));
    let states = first.states() + second.states();
    let mut rows = Rows::with_capacity(states, first.transitions() + second.transitions());
    for (lts, offset) in [(first, 0), (second, first.states() as u32)] {
        let new: Vec<LtsLabel> = lts
            .labels()
            .ids()
            .map(|label| if label.is_silent() { label } else { labels.intern(lts.text(label)) })
            .collect();
        for state in lts.ids() {
            for step in lts.steps(state) {
                rows.push(LtsStep {
                    label: new[step.label.index()],
                    to: LtsState(step.to.0 + offset),
                });
            }
            rows.end_row();
        }
    }
    let start = LtsState(first.states() as u32 + second.initial().0);
    (Lts::new(labels, first.initial(), rows), start)
}
