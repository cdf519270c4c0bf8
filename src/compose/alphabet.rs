//! Actions with their values as labels: each action has one text, and is found by it again.

use rustc_hash::FxHashMap;

use crate::algebra::Algebra;
use crate::base::IndexVec;
use crate::emit::outcome::concrete;
use crate::explore::Value;
use crate::lts::{LabelTable, LtsLabel};

/// What a configuration does in which all leaves are final, in place: no action has this text.
pub const FINAL: &str = "(final)";

/// What the silent action is called.
const SILENT: &str = "tau";

/// Labels, and the actions that they stand for.
#[derive(Clone, Debug)]
pub struct Alphabet {
    table: LabelTable,
    /// The action of each label; none of one that is a mark.
    actions: IndexVec<LtsLabel, Option<Value>>,
    known: FxHashMap<Value, LtsLabel>,
}

impl Default for Alphabet {
    fn default() -> Alphabet {
        let table = LabelTable::new(SILENT);
        let known = FxHashMap::from_iter([(Value::Tau, LtsLabel::SILENT)]);
        Alphabet { table, actions: vec![Some(Value::Tau)].into(), known }
    }
}

impl Alphabet {
    /// The label of an action. Where two have the same text (it is too long, or two modules have an action of one name),
    /// the second one gets a number.
    pub fn label(&mut self, algebra: &Algebra, action: &Value) -> LtsLabel {
        if let Some(known) = self.known.get(action) {
            return *known;
        }
        let text = concrete(algebra, action).text;
        let mut unique = text.clone();
        let mut number = 2;
        while self.table.get(&unique).is_some() {
            unique = format!("{text} #{number}");
            number += 1;
        }
        let label = self.table.intern(&unique);
        self.actions.push(Some(action.clone()));
        self.known.insert(action.clone(), label);
        label
    }

    /// The label of a mark, which is no action.
    pub fn mark(&mut self, text: &str) -> LtsLabel {
        if let Some(known) = self.table.get(text) {
            return known;
        }
        self.actions.push(None);
        self.table.intern(text)
    }

    /// The label of an action, if it has one.
    pub fn get(&self, action: &Value) -> Option<LtsLabel> {
        self.known.get(action).copied()
    }

    /// The action of a label; none of one that is a mark.
    pub fn action(&self, label: LtsLabel) -> Option<&Value> {
        self.actions.get(label)?.as_ref()
    }

    /// The labels.
    pub fn table(&self) -> &LabelTable {
        &self.table
    }

    /// All actions with their labels, in the order of the labels.
    pub fn actions(&self) -> impl Iterator<Item = (LtsLabel, &Value)> {
        self.actions.enumerated().filter_map(|(label, action)| Some((label, action.as_ref()?)))
    }
}
