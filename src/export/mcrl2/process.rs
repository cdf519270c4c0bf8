//! Leaves as recursive equations.

use rustc_hash::FxHashMap;

use super::Mcrl2;
use super::share::{Shared, Side};
use crate::algebra::{TermId, VarId};
use crate::base::IndexVec;
use crate::export::expression::{Beyond, Dialect};
use crate::export::joint::Turn;
use crate::export::problems::{OpenValue, SortInExport};
use crate::pnet::{Plts, PltsId, PltsStateId};

impl Mcrl2<'_> {
    /// The equations of a leaf, and the call that begins.
    pub fn process(&mut self, id: PltsId, all: &[Shared]) -> Option<(String, String)> {
        let leaf = &self.joints.net.plts[id];
        if !self.has_form(leaf) {
            return None;
        }
        let name = self.leaves[&id].clone();
        let states =
            leaf.states.iter().map(|state| self.unique.pick(&format!("{name}_{}", state.name)));
        let states: IndexVec<PltsStateId, String> = states.collect();
        let mut names: FxHashMap<VarId, String> = FxHashMap::default();
        let (mut unique, mut parameters) = (self.unique.clone(), Vec::new());
        for (var, _) in &leaf.variables {
            let own = unique.pick(self.joints.terms.var(*var).name.as_str());
            let sort = self.joints.terms.var(*var).sort.clone();
            let sort = self.writing(FxHashMap::default()).sort(&sort).ok()?;
            parameters.push(format!("{own}: {sort}"));
            names.insert(*var, own);
        }
        let parameters = match parameters.is_empty() {
            true => String::new(),
            false => format!("({})", parameters.join(", ")),
        };
        let mut text = String::new();
        for (state, called) in states.enumerated() {
            let mut summands = Vec::new();
            for shared in all {
                for side in shared.sides.iter().filter(|side| side.leaf == id) {
                    let turns = self.joints.ports[&id][side.port].turns.clone();
                    let here = |turn: &&Turn| leaf.transitions[turn.transition].source == state;
                    for turn in turns.iter().filter(here) {
                        let around = (leaf, &states, &names);
                        match self.summand((shared, side), turn, around, unique.clone()) {
                            Ok(text) => summands.push(text),
                            Err(what) => {
                                let origin = leaf.transitions[turn.transition].origin;
                                let span = self.joints.net.origins.get(origin).span;
                                self.refuse(span, what);
                                return None;
                            }
                        }
                    }
                }
            }
            summands.dedup();
            let body = match summands.is_empty() {
                true => "delta".to_owned(),
                false => summands.join("\n  + "),
            };
            text.push_str(&format!("proc {called}{parameters} =\n    {body};\n"));
        }
        let start = self.start(leaf, &states[leaf.initial])?;
        Some((text, start))
    }

    /// Whether all variables have sorts that mCRL2 has, and begin with a value.
    fn has_form(&mut self, leaf: &Plts) -> bool {
        let (net, before) = (self.joints.net, self.problems.len());
        for (at, (var, initial)) in leaf.variables.iter().enumerate() {
            let span = leaf.variable_texts.get(at).copied();
            let span = span.unwrap_or_else(|| net.origins.get(leaf.origin).span);
            let variable = net.terms.var(*var).name.to_string();
            let sort = self.writing(FxHashMap::default()).sort(net.sort_of(*var));
            if let Err(what) = sort {
                let format = Dialect::Mcrl2.name();
                self.problems.push(SortInExport { span, variable, format, what }.into());
            } else if initial.is_none() {
                self.problems.push(OpenValue { span, what: variable, is_initial: true }.into());
            }
        }
        self.problems.len() == before
    }

    fn start(&mut self, leaf: &Plts, state: &str) -> Option<String> {
        let mut values = Vec::new();
        for (at, (_, initial)) in leaf.variables.iter().enumerate() {
            let value = self.writing(FxHashMap::default()).text((*initial)?);
            match value {
                Ok(value) => values.push(value),
                Err(what) => {
                    self.refuse(leaf.variable_texts.get(at).copied().unwrap_or_default(), what);
                    return None;
                }
            }
        }
        Some(applied(state, &values))
    }

    /// One way of a leaf to take part in a joint move.
    fn summand(
        &mut self,
        (shared, side): (&Shared, &Side),
        turn: &Turn,
        (leaf, states, names): (&Plts, &IndexVec<PltsStateId, String>, &FxHashMap<VarId, String>),
        mut unique: crate::export::name::Namer,
    ) -> Result<String, Beyond> {
        let (mut names, mut sums) = (names.clone(), Vec::new());
        for &var in &side.sums {
            let known = self.joints.terms.var(var).clone();
            let own = unique.pick(known.name.as_str());
            let sort = self.writing(FxHashMap::default()).sort(&known.sort)?;
            sums.push(format!("sum {own}: {sort} . "));
            names.insert(var, own);
        }
        let conditions: Vec<TermId> = turn.inside.iter().chain(&side.conditions).copied().collect();
        let condition = self.writing(names.clone()).conditions(&conditions)?;
        let condition = condition.map_or_else(String::new, |text| format!("({text}) -> "));
        let mut args = Vec::with_capacity(side.args.len());
        for &arg in &side.args {
            args.push(self.writing(names.clone()).text(arg)?);
        }
        let action = match side.raw.as_deref().or(shared.shown()) {
            Some(name) => applied(name, &args),
            None => "tau".to_owned(),
        };
        let mut next = Vec::with_capacity(leaf.variables.len());
        for (var, _) in &leaf.variables {
            let updated = turn.updates.iter().find(|(updated, _)| updated == var);
            let value =
                updated.map_or_else(|| self.joints.terms.var_term(*var), |(_, value)| *value);
            let value = self.joints.terms.substitute(value, &side.values);
            next.push(self.writing(names.clone()).text(value)?);
        }
        let target = applied(&states[leaf.transitions[turn.transition].target], &next);
        Ok(format!("({}{condition}{action} . {target})", sums.concat()))
    }
}

/// A name with its arguments.
fn applied(name: &str, args: &[String]) -> String {
    match args.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", args.join(", ")),
    }
}
