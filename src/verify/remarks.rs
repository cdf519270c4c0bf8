//! What a run does not say by itself: which text of the property has no value at its end, and which values it begins with
//! that nobody chose.

use rustc_hash::FxHashSet;

use super::ModelOptions;
use super::engines::{self, Asked};
use super::story::place;
use crate::algebra::{TermId, VarId};
use crate::diagnostics::Span;
use crate::explore::naive::Interpreter;
use crate::explore::{Property, Read};
use crate::model::Checked;
use crate::outcome::{Evidence, NoValue, Note, Outcome, Place, Reason, Trace, Verdict};
use crate::pnet::{OwedKind, PltsId, path_inside};
use crate::sema::program::CheckDef;
use crate::simulate::{self, RunGoal, Teller};

/// No more variables than these are told.
const MOST: usize = 3;

/// What is to be known about the run of an outcome.
pub(super) fn notes(
    checked: &Checked,
    check: &CheckDef,
    outcome: &Outcome,
    options: &ModelOptions,
) -> Vec<Note> {
    let mut found = Vec::new();
    let looked = engines::with_net(checked, check, options, |asked| {
        found = match (&outcome.reason, &outcome.evidence) {
            (Reason::PropertyWithoutValue { .. }, evidence) => asked.without_value(evidence),
            (_, Evidence::Run(run)) if outcome.verdict == Verdict::Refuted => asked.chosen(run),
            _ => Vec::new(),
        };
        Outcome::unknown(Reason::Incomplete)
    });
    if looked.is_err() { Vec::new() } else { found }
}

impl Asked<'_> {
    /// The place of a text of the model.
    fn place(&self, text: Span) -> Option<Place> {
        let in_model = !self.checked.is_asked(text);
        let at = || place(&self.checked.sources, &self.checked.root, text);
        in_model.then(at).flatten()
    }

    // ---- what has no value ----

    /// The text of a property that has no value at the end of a run.
    fn without_value(&self, evidence: &Evidence) -> Vec<Note> {
        let Ok(Some(property)) = self.property() else { return Vec::new() };
        let at_end = match evidence {
            Evidence::Run(run) => self.lacks_at_end(&property, run),
            _ => None,
        };
        let texts: FxHashSet<Span> = property.reads.iter().map(|read| read.owed.text).collect();
        let only = property.reads.first().filter(|_| texts.len() == 1);
        at_end.or(only).map(|read| self.no_value(read)).into_iter().collect()
    }

    fn lacks_at_end<'p>(&self, property: &'p Property, run: &Trace) -> Option<&'p Read> {
        let teller = Teller::new(self.checked, self.net, self.name);
        let goal = RunGoal::Property(property, None);
        let made = simulate::made_again(&teller, run, goal).ok()?;
        let (interpreter, last) = (Interpreter::new(self.net, made.domains), made.path.last()?);
        let is_true = |term: TermId| {
            let part = Property { owed: term, ..property.clone() };
            matches!(interpreter.holds(last, &part), Ok(Some(_)))
        };
        property.reads.iter().find(|read| !is_true(read.owed.term))
    }

    fn no_value(&self, read: &Read) -> Note {
        let why = match (read.owed.kind, &read.family) {
            (OwedKind::Member, Some((family, indices))) => {
                NoValue::Member { family: family.clone(), indices: indices.clone() }
            }
            (OwedKind::Divisor, _) => NoValue::Divisor,
            (OwedKind::Call, _) => NoValue::Call,
            (OwedKind::Field, _) => NoValue::Field,
            _ => NoValue::Outside,
        };
        let text = self.checked.sources.text(read.owed.text).to_owned();
        Note::WithoutValue { text, why, at: self.place(read.owed.text) }
    }

    // ---- what nobody chose ----

    /// The variables without an initial value that a run may depend on, with the values that it begins with.
    fn chosen(&self, run: &Trace) -> Vec<Note> {
        if run.begins.is_empty() {
            return Vec::new();
        }
        let property = self.property().ok().flatten();
        let asked = property.map_or_else(Vec::new, |it| it.terms.free_vars(it.says));
        let mut found = Vec::new();
        for (path, leaf) in &self.net.leaves() {
            let moves = run.steps.iter().flat_map(|step| &step.by);
            let moves = moves.flat_map(|by| &by.parts).any(|part| part.part == *path);
            let read = if moves { self.read_by(*leaf) } else { FxHashSet::default() };
            let plts = &self.net.plts[*leaf];
            for ((var, initial), text) in plts.variables.iter().zip(&plts.variable_texts) {
                if initial.is_none() && (asked.contains(var) || read.contains(var)) {
                    let variable = path_inside(path, self.net.terms.var(*var).name.as_str());
                    let told = run.begins.iter().find(|one| one.what == variable);
                    found.extend(told.map(|one| Note::NoInitialValue {
                        value: one.value.text.clone(),
                        variable,
                        at: self.place(*text),
                    }));
                }
            }
        }
        found.truncate(MOST);
        found
    }

    /// The variables that transitions of a leaf read.
    fn read_by(&self, leaf: PltsId) -> FxHashSet<VarId> {
        let terms = &self.net.terms;
        let mut found = FxHashSet::default();
        for transition in &self.net.plts[leaf].transitions {
            let values = transition.updates.iter().map(|(_, value)| *value);
            for term in [transition.action, transition.guard].into_iter().chain(values) {
                found.extend(terms.free_vars(term));
            }
        }
        found
    }
}
