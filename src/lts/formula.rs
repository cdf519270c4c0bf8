//! Formulas of Hennessy–Milner logic with silent steps: what tells two states apart.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::rows::Rows;
use super::system::{LabelTable, Lts, LtsLabel, LtsState, LtsStep};
use crate::base::{Id, IndexVec, budget};
use crate::tagged_id;

tagged_id!(
    /// A formula.
    FormulaId
);

/// The forms of formulas.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Does not hold.
    Not(FormulaId),
    /// All hold; in every state, if there are none.
    All(Vec<FormulaId>),
    /// A step with a label leads to where it holds: `<a>f`.
    Step(LtsLabel, FormulaId),
    /// The same with silent steps before and after it; the silent action means any silent steps: `<<a>>f`.
    Weakly(LtsLabel, FormulaId),
    /// The same with silent steps before it only: `<tau*.a>f`.
    Observed(LtsLabel, FormulaId),
    /// Silent steps through where the first holds, and from there a step to where the second holds: `f <a> g`.
    Until(FormulaId, LtsLabel, FormulaId),
    /// Silent steps for ever through where it holds: `<tau...>f`.
    ForEver(FormulaId),
}

/// Formulas, each once. Those that others are made of come first.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    all: IndexSet<Form, FxBuildHasher>,
}

impl Formulas {
    /// The formula of this form.
    pub fn make(&mut self, form: Form) -> FormulaId {
        let form = match form {
            Form::Not(inner) => match &self.all[inner.index()] {
                Form::Not(twice) => return *twice,
                _ => Form::Not(inner),
            },
            Form::All(mut parts) => {
                parts.sort_unstable();
                parts.dedup();
                match parts.as_slice() {
                    [only] => return *only,
                    _ => Form::All(parts),
                }
            }
            other => other,
        };
        FormulaId::at(self.all.insert_full(form).0)
    }

    /// How many formulas there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Its form.
    pub fn form(&self, id: FormulaId) -> &Form {
        &self.all[id.index()]
    }

    /// A formula as a text, unless it is longer than that. The silent action has the name that the labels say.
    pub fn text(&self, id: FormulaId, labels: &LabelTable, most: usize) -> Option<String> {
        let mut texts: IndexVec<FormulaId, Option<String>> = IndexVec::default();
        for at in (0..=id.index()).map(FormulaId::at) {
            let text =
                self.text_of(self.form(at), labels, &texts).filter(|text| text.len() <= most);
            texts.push(text);
        }
        texts[id].clone()
    }

    fn text_of(
        &self,
        form: &Form,
        labels: &LabelTable,
        texts: &IndexVec<FormulaId, Option<String>>,
    ) -> Option<String> {
        let silent = labels.text(LtsLabel::SILENT);
        let name = |label: &LtsLabel| match label.is_silent() {
            true => silent.to_owned(),
            false => quoted(labels.text(*label)),
        };
        let inner = |id: &FormulaId| {
            let text = texts[*id].as_deref()?;
            let is_many = matches!(self.form(*id), Form::All(parts) if !parts.is_empty());
            let is_many = is_many || matches!(self.form(*id), Form::Until(..));
            Some(if is_many { format!("({text})") } else { text.to_owned() })
        };
        Some(match form {
            Form::Not(id) => format!("not {}", inner(id)?),
            Form::All(parts) if parts.is_empty() => "true".to_owned(),
            Form::All(parts) => {
                let parts: Option<Vec<String>> = parts.iter().map(inner).collect();
                parts?.join(" and ")
            }
            Form::Step(label, id) => format!("<{}>{}", name(label), inner(id)?),
            Form::Weakly(label, id) => format!("<<{}>>{}", name(label), inner(id)?),
            Form::Observed(label, id) => format!("<{silent}*.{}>{}", name(label), inner(id)?),
            Form::Until(first, label, second) => {
                format!("{} <{}> {}", inner(first)?, name(label), inner(second)?)
            }
            Form::ForEver(id) => format!("<{silent}...>{}", inner(id)?),
        })
    }

    /// Whether a formula holds where a system begins, whose labels have the same texts as those of `labels`.
    pub fn holds(&self, id: FormulaId, labels: &LabelTable, lts: &Lts) -> bool {
        let mut evaluation = Evaluation::new(lts, labels);
        evaluation.of(self, id).is_some_and(|holds| holds[lts.initial().index()])
    }
}

/// In which states of a system formulas hold, each of which is looked at once.
pub struct Evaluation<'e> {
    checking: Checking<'e>,
    holds: IndexVec<FormulaId, Vec<bool>>,
}

impl<'e> Evaluation<'e> {
    /// Nothing is known yet. The labels of the system have the same texts as those of `labels`.
    pub fn new(lts: &'e Lts, labels: &'e LabelTable) -> Evaluation<'e> {
        let checking = Checking { lts, labels, back: lts.backwards() };
        Evaluation { checking, holds: IndexVec::default() }
    }

    /// In which states a formula holds, always one of the same formulas; nothing where the budget is spent.
    pub fn of(&mut self, formulas: &Formulas, id: FormulaId) -> Option<&[bool]> {
        for at in (self.holds.len()..=id.index()).map(FormulaId::at) {
            if budget::is_spent() {
                return None;
            }
            let states = self.checking.states(formulas.form(at), &self.holds);
            self.holds.push(states);
        }
        self.holds.get(id).map(Vec::as_slice)
    }
}

/// A label of a formula: as it is, unless it has blanks or brackets in it.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_()!?,.:-+".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("\"{text}\"") }
}

/// Looks in which states formulas hold, each by itself.
struct Checking<'c> {
    lts: &'c Lts,
    labels: &'c LabelTable,
    back: Rows<LtsState, LtsStep>,
}

impl Checking<'_> {
    fn states(&self, form: &Form, holds: &IndexVec<FormulaId, Vec<bool>>) -> Vec<bool> {
        let silent = LtsLabel::SILENT;
        match form {
            Form::Not(id) => holds[*id].iter().map(|held| !held).collect(),
            Form::All(parts) => {
                let all = |state: LtsState| parts.iter().all(|part| holds[*part][state.index()]);
                self.lts.ids().map(all).collect()
            }
            Form::Step(label, id) => self.before(*label, &holds[*id]),
            Form::Weakly(label, id) if label.is_silent() => self.silently_before(&holds[*id], None),
            Form::Weakly(label, id) => {
                let after = self.silently_before(&holds[*id], None);
                self.silently_before(&self.before(*label, &after), None)
            }
            Form::Observed(label, id) => {
                self.silently_before(&self.before(*label, &holds[*id]), None)
            }
            Form::Until(first, label, second) => {
                let mut last = self.before(*label, &holds[*second]);
                last.iter_mut().zip(&holds[*first]).for_each(|(last, held)| *last &= held);
                self.silently_before(&last, Some(&holds[*first]))
            }
            Form::ForEver(id) => {
                let mut left = holds[*id].clone();
                loop {
                    let goes_on = self.before(silent, &left);
                    let next: Vec<bool> =
                        left.iter().zip(&goes_on).map(|(one, two)| *one && *two).collect();
                    if next == left {
                        return left;
                    }
                    left = next;
                }
            }
        }
    }

    /// The states with a step into a set.
    fn before(&self, label: LtsLabel, set: &[bool]) -> Vec<bool> {
        let own = match label.is_silent() {
            true => Some(label),
            false => self.lts.labels().get(self.labels.text(label)),
        };
        let steps = |state| own.map_or(&[][..], |label| self.lts.steps_by(state, label));
        self.lts.ids().map(|state| steps(state).iter().any(|step| set[step.to.index()])).collect()
    }

    /// The states from which silent steps, through states of another set, lead into a set.
    fn silently_before(&self, set: &[bool], through: Option<&[bool]>) -> Vec<bool> {
        let mut found = set.to_vec();
        let mut open: Vec<LtsState> = self.lts.ids().filter(|state| set[state.index()]).collect();
        while let Some(state) = open.pop() {
            for step in self.back.row(state).iter().take_while(|step| step.label.is_silent()) {
                let at = step.to.index();
                if !found[at] && through.is_none_or(|through| through[at]) {
                    found[at] = true;
                    open.push(step.to);
                }
            }
        }
        found
    }
}
