//! Leaves as atoms.

use rustc_hash::FxHashMap;

use super::{Bip, Carried, WORDS, action_name, kind_of, writing};
use crate::algebra::{TermId, Terms, VarId};
use crate::base::IndexVec;
use crate::export::expression::{Beyond, DataNames, Dialect};
use crate::export::joint::{Port, Turn};
use crate::export::name::Namer;
use crate::export::problems::{OpenValue, SortInExport};
use crate::pnet::{Plts, PltsId, PltsStateId};

/// An atom that was written.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    /// Its type.
    pub name: String,
    /// The names of its ports.
    pub ports: Vec<String>,
}

/// What stands in an atom is called.
struct Names {
    vars: FxHashMap<VarId, String>,
    places: IndexVec<PltsStateId, String>,
    ports: Vec<String>,
    /// More variables, for inputs and for values that others still need, with their types.
    inputs: Vec<(Option<VarId>, String, String)>,
    unique: Namer,
}

impl Bip<'_> {
    /// Writes a leaf.
    pub fn atom(&mut self, id: PltsId) -> Option<Atom> {
        let leaf = &self.joints.net.plts[id];
        if !self.has_form(leaf) {
            return None;
        }
        let mut names = self.names(id, leaf)?;
        let ports = self.joints.ports.get(&id).cloned().unwrap_or_default();
        let mut turns: Vec<String> = Vec::new();
        for (at, port) in ports.iter().enumerate() {
            for turn in &port.turns {
                turns.push(self.turn(leaf, (at, port), turn, &mut names)?);
            }
        }
        let mut lines = self.variables(leaf, &names);
        for (at, port) in names.ports.clone().iter().enumerate() {
            let carried = self.carried(id, at);
            let kind = self.port_type(&carried);
            let vars: Vec<&str> =
                carried.iter().filter_map(|one| Some(names.vars.get(&one.var)?.as_str())).collect();
            lines.push(format!("export port {kind} {port}({})", vars.join(", ")));
        }
        lines.push(format!("place {}", names.places.as_slice().join(", ")));
        lines.push(self.initial(leaf, &names)?);
        lines.append(&mut turns);
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        let (name, is_new) = self.declared(leaf.name.as_str(), &format!("atom\n{body}"));
        if is_new {
            self.atoms.push(format!("  atom type {name}()\n{body}  end\n"));
        }
        Some(Atom { name, ports: names.ports })
    }

    /// Whether all variables have sorts that BIP has, and begin with a value.
    fn has_form(&mut self, leaf: &Plts) -> bool {
        let (net, before) = (self.joints.net, self.problems.len());
        for (at, (var, initial)) in leaf.variables.iter().enumerate() {
            let span = leaf.variable_texts.get(at).copied();
            let span = span.unwrap_or_else(|| net.origins.get(leaf.origin).span);
            let variable = net.terms.var(*var).name.to_string();
            if let Err(what) = kind_of(&net.algebra, net.sort_of(*var)) {
                let format = Dialect::Bip.name();
                self.problems.push(SortInExport { span, variable, format, what }.into());
            } else if initial.is_none() {
                self.problems.push(OpenValue { span, what: variable, is_initial: true }.into());
            }
        }
        self.problems.len() == before
    }

    /// What goes through a port: what its action is made of, then what comes from outside and is kept.
    pub fn carried(&mut self, leaf: PltsId, at: usize) -> Vec<Carried> {
        let Some(port) = self.joints.ports.get(&leaf).and_then(|ports| ports.get(at)) else {
            return Vec::new();
        };
        let terms = &self.joints.terms;
        let mut reads: Vec<VarId> = Vec::new();
        for term in [port.action].into_iter().chain(port.outside.iter().copied()) {
            reads.extend(terms.free_vars(term).iter().filter(|var| !port.inputs.contains(var)));
        }
        let declared = &self.joints.net.plts[leaf].variables;
        let own = declared.iter().map(|(var, _)| *var).filter(|var| reads.contains(var));
        let kept = kept_inputs(terms, port);
        let each = own.map(|var| (var, false)).chain(kept.into_iter().map(|var| (var, true)));
        let carried = each.map(|(var, is_input)| {
            let kind = kind_of(&self.joints.net.algebra, &terms.var(var).sort);
            Carried { var, kind: kind.unwrap_or_default(), is_input }
        });
        carried.collect()
    }

    fn names(&mut self, id: PltsId, leaf: &Plts) -> Option<Names> {
        let mut unique = Namer::new(WORDS);
        let (net, terms) = (self.joints.net, &self.joints.terms);
        let mut vars: FxHashMap<VarId, String> = FxHashMap::default();
        for (var, _) in &leaf.variables {
            vars.insert(*var, unique.pick(terms.var(*var).name.as_str()));
        }
        let places = leaf.states.iter().map(|state| unique.pick(state.name.as_str())).collect();
        let (mut ports, mut inputs) = (Vec::new(), Vec::new());
        for port in self.joints.ports.get(&id)? {
            let name = unique.pick(&action_name(&net.algebra, terms, port.action));
            for var in kept_inputs(terms, port) {
                let kind = match kind_of(&net.algebra, &terms.var(var).sort) {
                    Ok(kind) => kind,
                    Err(what) => {
                        let span = port
                            .turns
                            .first()
                            .map(|turn| leaf.transitions[turn.transition].action_text);
                        self.refuse(span.unwrap_or_default(), what);
                        return None;
                    }
                };
                let name = unique.pick(&format!("{name}_{}", terms.var(var).name));
                vars.insert(var, name.clone());
                inputs.push((Some(var), name, kind));
            }
            ports.push(name);
        }
        Some(Names { vars, places, ports, inputs, unique })
    }

    fn variables(&self, leaf: &Plts, names: &Names) -> Vec<String> {
        let (net, mut lines) = (self.joints.net, Vec::new());
        for (var, _) in &leaf.variables {
            let kind = kind_of(&net.algebra, net.sort_of(*var)).unwrap_or_default();
            lines.push(format!("data {kind} {}", names.vars[var]));
        }
        for (_, name, kind) in &names.inputs {
            lines.push(format!("data {kind} {name}"));
        }
        lines
    }

    fn initial(&mut self, leaf: &Plts, names: &Names) -> Option<String> {
        let mut sets = Vec::new();
        for (at, (var, initial)) in leaf.variables.iter().enumerate() {
            let span = leaf.variable_texts.get(at).copied().unwrap_or_default();
            let name = names.vars[var].clone();
            let set = self.assigned(&names.vars, &name, (*initial)?);
            match set {
                Ok(text) => sets.push(text),
                Err(what) => {
                    self.refuse(span, what);
                    return None;
                }
            }
        }
        sets.extend(names.inputs.iter().map(|(_, name, kind)| format!("{name} = {};", zero(kind))));
        let place = &names.places[leaf.initial];
        Some(match sets.is_empty() {
            true => format!("initial to {place}"),
            false => format!("initial to {place} do {{ {} }}", sets.join(" ")),
        })
    }

    fn turn(
        &mut self,
        leaf: &Plts,
        (at, port): (usize, &Port),
        turn: &Turn,
        names: &mut Names,
    ) -> Option<String> {
        let transition = &leaf.transitions[turn.transition];
        let span = self.joints.net.origins.get(transition.origin).span;
        let (from, to) = (&names.places[transition.source], &names.places[transition.target]);
        let mut line = format!("on {} from {from} to {to}", names.ports[at]);
        let guard = self.condition(&names.vars, &turn.inside);
        let statements = self.statements(port, turn, names);
        match (guard, statements) {
            (Ok(guard), Ok(statements)) => {
                line.extend(guard.map(|guard| format!(" provided ({guard})")));
                if !statements.is_empty() {
                    line.push_str(&format!(" do {{ {} }}", statements.join(" ")));
                }
                Some(line)
            }
            (Err(what), _) | (_, Err(what)) => {
                self.refuse(span, what);
                None
            }
        }
    }

    /// What a transition changes, one after the other. What others still need of a variable is kept in another one.
    fn statements(
        &mut self,
        port: &Port,
        turn: &Turn,
        names: &mut Names,
    ) -> Result<Vec<String>, Beyond> {
        let (mut left, mut vars) = (turn.updates.clone(), names.vars.clone());
        let (mut lines, mut resets) = (Vec::new(), Vec::new());
        while !left.is_empty() {
            let reads =
                |terms: &Terms, value: TermId, var: VarId| terms.free_vars(value).contains(&var);
            let terms = &self.joints.terms;
            let is_free = |at: usize| {
                let var = left[at].0;
                let mut others = left.iter().enumerate().filter(|(other, _)| *other != at);
                !others.any(|(_, (_, value))| {
                    reads(terms, *value, var) && vars[&var] == names.vars[&var]
                })
            };
            let at = (0..left.len()).find(|&at| is_free(at));
            let (var, value) = match at {
                Some(at) => left.remove(at),
                None => {
                    let var = left[0].0;
                    let own = names.vars[&var].clone();
                    let kind = kind_of(&self.joints.net.algebra, &terms.var(var).sort)?;
                    let saved = names.unique.pick(&format!("old_{own}"));
                    names.inputs.push((None, saved.clone(), kind.clone()));
                    lines.push(format!("{saved} = {own};"));
                    resets.push(format!("{saved} = {};", zero(&kind)));
                    vars.insert(var, saved);
                    continue;
                }
            };
            let target = names.vars[&var].clone();
            lines.push(self.assigned(&vars, &target, value)?);
        }
        for var in kept_inputs(&self.joints.terms, port) {
            let kept = names.inputs.iter().find(|(known, _, _)| *known == Some(var));
            resets.extend(kept.map(|(_, name, kind)| format!("{name} = {};", zero(kind))));
        }
        lines.append(&mut resets);
        Ok(lines)
    }

    pub fn assigned(
        &mut self,
        names: &FxHashMap<VarId, String>,
        target: &str,
        value: TermId,
    ) -> Result<String, Beyond> {
        let (algebra, data) = (&self.joints.net.algebra, DataNames::default());
        let mut writing = writing((algebra, &mut self.joints.terms, &data), names.clone());
        writing.assigned(value, &|text| format!("{target} = {text};"))
    }

    pub fn condition(
        &mut self,
        names: &FxHashMap<VarId, String>,
        all: &[TermId],
    ) -> Result<Option<String>, Beyond> {
        let (algebra, data) = (&self.joints.net.algebra, DataNames::default());
        writing((algebra, &mut self.joints.terms, &data), names.clone()).conditions(all)
    }
}

/// The inputs that a port needs for what its transitions change.
fn kept_inputs(terms: &Terms, port: &Port) -> Vec<VarId> {
    let values = port.turns.iter().flat_map(|turn| &turn.updates);
    let used: Vec<VarId> = values.flat_map(|(_, value)| terms.free_vars(*value)).collect();
    port.inputs.iter().copied().filter(|var| used.contains(var)).collect()
}

/// A value of a type.
fn zero(kind: &str) -> &'static str {
    if kind == "bool" { "false" } else { "0" }
}
