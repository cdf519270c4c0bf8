//! `check noninterfering(S, M1, M2, f)`: whether two parts of a net leave each other alone.
//!
//! A formula is asked of each part by itself, and of each part in the net: there, a step is what the part does in it, and
//! nothing where the part does not take part. Where the formula holds of a part alone but not in the net, the step is told that
//! the part could make by itself where the run came to, and cannot make in the net.

use std::cell::RefCell;

use super::Asked;
use crate::algebra::{Sort, TermId, VarId};
use crate::base::{Id, Watch};
use crate::diagnostics::{Diagnostic, Symbol};
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Step, Value};
use crate::model::{Checked, ModelOptions, Wanted};
use crate::outcome::{Note, Outcome, Reason, Verdict};
use crate::pnet::{PNet, PartId, PltsId};
use crate::sema::program::{CheckDef, CheckedPart};
use crate::simulate::Teller;
use crate::temporal::Formula;
use crate::verify::failed;

pub(in crate::verify) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let ([instance], [_, _]) = (check.nets.as_slice(), check.parts.as_slice()) else {
        return Ok(Outcome::unknown(Reason::Incomplete));
    };
    let wanted = Wanted::Instance(check, instance);
    let net = checked.unfolded(wanted, &options.elaborate).map_err(failed)?;
    let name = checked.sources.text(instance.span);
    let parts = Parts { checked, check, options, net: &net, name };
    Ok(parts.answered(watch).unwrap_or_else(Outcome::unknown))
}

/// Two parts of a net.
struct Parts<'a> {
    checked: &'a Checked,
    check: &'a CheckDef,
    options: &'a ModelOptions,
    net: &'a PNet,
    name: &'a str,
}

/// One of them: by itself, and what is asked of it.
struct One {
    name: String,
    at: PartId,
    /// The part by itself.
    alone: PNet,
    /// The leaf of the whole that each of its leaves is.
    leaves: Vec<PltsId>,
    formula: Formula,
}

impl Parts<'_> {
    fn answered(&self, watch: &dyn Watch) -> Result<Outcome, Reason> {
        let [first, second] = [self.one(0)?, self.one(1)?];
        // Names in the formula are those of the first part: they mean the same in the second only where it is made like it.
        if shape(&first.alone) != shape(&second.alone) {
            let why = format!(
                "`{}` and `{}` do not have the same processes in the same places",
                first.name, second.name
            );
            return Err(Reason::UnclearProperty { why });
        }
        let mut notes = Vec::new();
        for one in [&first, &second] {
            let found = self.alone(one, watch);
            if found.verdict != Verdict::Proved {
                return Ok(told(found, &one.name, false));
            }
            notes.extend(found.notes);
        }
        for (one, other) in [(&first, &second), (&second, &first)] {
            let (mut found, last) = self.together(one, watch)?;
            if found.verdict == Verdict::Refuted {
                let taken = last.and_then(|last| self.taken(one, &last));
                found.notes.extend(taken.map(|step| Note::Taken {
                    part: one.name.clone(),
                    step,
                    other: other.name.clone(),
                }));
            }
            if found.verdict != Verdict::Proved {
                return Ok(told(found, &one.name, true));
            }
        }
        notes.dedup();
        let parts = [first.name, second.name];
        Ok(Outcome { notes, ..Outcome::new(Verdict::Proved, Reason::LeftAlone { parts }) })
    }

    fn one(&self, number: usize) -> Result<One, Reason> {
        let CheckedPart { name, index, span } = &self.check.parts[number];
        let name_of = self.checked.sources.text(*span).to_owned();
        let missing =
            || Reason::UnclearProperty { why: format!("`{name_of}` is no part of the net") };
        let (at, part) = self.net.part(*name, index.as_ref()).ok_or_else(missing)?;
        let mut alone = self.net.alone(part.content);
        let (leaves, _) = self.net.inside(part.content);
        // Inside of it, holes are called by the way from there.
        let before = format!("{}.", part.name);
        for hole in &mut alone.holes {
            hole.path = hole.path.strip_prefix(&before).unwrap_or(&hole.path).to_owned();
        }
        let formula = self.checked.formula(self.check, &alone, &self.options.elaborate);
        let formula = formula
            .map_err(|why| Reason::UnclearProperty { why: format!("{why}, of `{name_of}`") })?
            .ok_or(Reason::Incomplete)?;
        Ok(One { name: name_of, at, alone, leaves, formula })
    }

    /// What is found out about a part by itself.
    fn alone(&self, one: &One, watch: &dyn Watch) -> Outcome {
        let asked = Asked {
            checked: self.checked,
            options: self.options,
            net: &one.alone,
            name: &one.name,
            formula: &one.formula,
            about: None,
            told: None,
            last: RefCell::default(),
        };
        asked.answered(watch)
    }

    /// What is found out about a part in the net, and where a run that shows it comes to.
    fn together(
        &self,
        one: &One,
        watch: &dyn Watch,
    ) -> Result<(Outcome, Option<Configuration>), Reason> {
        let seen = self.net.seen_by(one.at).ok_or(Reason::Incomplete)?;
        let formula = in_the_whole(&one.formula, &one.leaves);
        let asked = Asked {
            checked: self.checked,
            options: self.options,
            net: &seen,
            name: self.name,
            formula: &formula,
            about: None,
            told: Some(super::Told { net: self.net, still: &[] }),
            last: RefCell::default(),
        };
        let found = asked.answered(watch);
        Ok((found, asked.last.into_inner()))
    }

    /// A step that a part could make by itself, where a run of the net came to, and cannot make in the net.
    fn taken(&self, one: &One, last: &Configuration) -> Option<String> {
        let seen = self.net.seen_by(one.at)?;
        let (domains, _) = super::domains_of(self.net, &self.options.explore);
        let domains = domains.about(super::constants(&seen, &one.formula));
        let here = Configuration {
            constants: last.constants.clone(),
            states: one.leaves.iter().map(|&leaf| last.states[leaf]).collect(),
            values: one.leaves.iter().map(|&leaf| last.values[leaf].clone()).collect(),
        };
        let alone = Interpreter::new(&one.alone, domains.clone()).steps(&here).ok()?.steps;
        let together = Interpreter::new(&seen, domains).steps(last).ok()?.steps;
        let done: Vec<&Value> = together.iter().map(|step| &step.action).collect();
        let missing = |step: &&Step| !done.contains(&&step.action);
        let step = alone.iter().find(missing)?;
        Some(Teller::new(self.checked, &one.alone, &one.name).value(&step.action).text)
    }
}

/// Where a leaf stands, its states, and its variables with their sorts.
type LeafShape = (String, Vec<Symbol>, Vec<(Symbol, Sort)>);

/// What names can mean in a net: its leaves with their states and variables.
fn shape(net: &PNet) -> Vec<LeafShape> {
    let leaf = |(path, id): &(String, PltsId)| {
        let plts = &net.plts[*id];
        let states = plts.states.iter().map(|state| state.name).collect();
        let variable = |(var, _): &(VarId, Option<TermId>)| {
            let var = net.terms.var(*var);
            let sort = match &var.sort {
                Sort::Range(..) => Sort::Int,
                sort => sort.clone(),
            };
            (var.name, sort)
        };
        (path.clone(), states, plts.variables.iter().map(variable).collect())
    };
    net.leaves().iter().map(leaf).collect()
}

/// An outcome about one of the parts.
fn told(found: Outcome, part: &str, together: bool) -> Outcome {
    let why = Box::new(found.reason);
    Outcome { reason: Reason::PartFails { part: part.to_owned(), together, why }, ..found }
}

/// What is said of a part by itself, said of it in the whole: the same terms, about the leaves that its leaves are there.
fn in_the_whole(formula: &Formula, leaves: &[PltsId]) -> Formula {
    let place = |&(var, leaf): &(VarId, PltsId)| Some((var, *leaves.get(leaf.place())?));
    let locations = formula.locations.iter().filter_map(place).collect();
    Formula { locations, ..formula.clone() }
}
