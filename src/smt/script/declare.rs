//! Sorts, datatypes, constants and functions without a definition.

use rustc_hash::FxHashMap;

use super::names::Constructor;
use super::write::Writer;
use crate::algebra::{DataId, Sort};
use crate::base::graph::components;

/// A datatype in a script.
#[derive(Clone, Copy)]
enum Kind {
    Data(DataId),
    Action,
}

impl Writer<'_> {
    /// Abstract sorts, datatypes and the actions.
    pub fn sorts(&mut self, open_world: bool) {
        for &id in &self.used.abstracts {
            let line = format!("(declare-sort {} 0)", self.names.abstract_sort(id));
            self.line(&line);
        }
        let mut kinds: Vec<Kind> = self.used.datatypes.iter().map(|&id| Kind::Data(id)).collect();
        if self.used.actions {
            kinds.push(Kind::Action);
        }
        let places = self.used.datatypes.iter().enumerate().map(|(place, &id)| (id, place));
        let places: FxHashMap<DataId, usize> = places.collect();
        let needed = |&kind: &Kind| self.needed(kind, &places);
        let edges: Vec<Vec<usize>> = kinds.iter().map(needed).collect();
        for component in components(&edges) {
            let together: Vec<Kind> = component.into_iter().map(|at| kinds[at]).collect();
            self.datatypes(&together, open_world);
        }
        if self.used.inside {
            let own = &self.names.own;
            let (action, sync, co) = (own.action, own.sync, own.co);
            let is_sync = self.tester(sync);
            let body = format!("(ite ({is_sync} a) ({sync}!0 a) ({co}!0 a))");
            let line = format!("(define-fun {} ((a {action})) {action} {body})", own.inside);
            self.line(&line);
        }
    }

    /// The places of the datatypes that the values of one are made of; the actions come after all others.
    fn needed(&self, kind: Kind, datatypes: &FxHashMap<DataId, usize>) -> Vec<usize> {
        let mut work: Vec<&Sort> = match kind {
            Kind::Data(id) => {
                let constructors = self.algebra.datatypes[id.index()].constructors.iter();
                constructors.flat_map(|one| &one.fields).map(|(_, sort)| sort).collect()
            }
            Kind::Action => self.algebra.actions.iter().flat_map(|one| &one.sorts).collect(),
        };
        let mut places = Vec::new();
        while let Some(sort) = work.pop() {
            match sort {
                Sort::Data(id) => places.extend(datatypes.get(id)),
                Sort::Action => places.push(datatypes.len()),
                Sort::Array(both) => work.extend([&both.0, &both.1]),
                _ => {}
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    fn datatypes(&mut self, together: &[Kind], open_world: bool) {
        let sorts = together.iter().map(|kind| match kind {
            Kind::Data(id) => format!("({} 0)", self.names.datatype(*id)),
            Kind::Action => format!("({} 0)", self.names.own.action),
        });
        let head = format!("(declare-datatypes ({}) (", sorts.collect::<Vec<_>>().join(" "));
        let bodies = together.iter().map(|kind| match kind {
            Kind::Data(id) => self.data_constructors(*id),
            Kind::Action => self.action_constructors(open_world),
        });
        let bodies = bodies.map(|all| format!("  ({})", all.join("\n   ")));
        let bodies = bodies.collect::<Vec<_>>().join("\n");
        self.line(&format!("{head}\n{bodies}))"));
        if self.defines_testers {
            together.iter().for_each(|kind| self.testers(*kind, open_world));
        }
    }

    /// A definition for the tester of each constructor: under `HORN`, Z3 knows `is-C` and not `(_ is C)`, and where values
    /// are compared with what a constructor makes of their fields, Spacer does not know.
    fn testers(&mut self, kind: Kind, open_world: bool) {
        let own = &self.names.own;
        let named = |one: &Constructor| one.name.clone();
        let (sort, mut all): (String, Vec<String>) = match kind {
            Kind::Data(id) => {
                let all = self.names.constructors(id).iter().map(named).collect();
                (self.names.datatype(id).to_owned(), all)
            }
            Kind::Action => {
                (own.action.to_owned(), self.names.actions().iter().map(named).collect())
            }
        };
        if matches!(kind, Kind::Action) {
            all.extend([own.tau, own.sync, own.co].map(str::to_owned));
            all.extend(open_world.then(|| own.other.to_owned()));
        }
        for name in all {
            let tester = self.tester(&name);
            self.line(&format!("(define-fun {tester} ((a {sort})) Bool (is-{name} a))"));
        }
    }

    fn data_constructors(&self, id: DataId) -> Vec<String> {
        let constructors = self.algebra.datatypes[id.index()].constructors.iter();
        let sorts = constructors.map(|one| one.fields.iter().map(|(_, sort)| sort));
        let named = self.names.constructors(id).iter();
        named.zip(sorts).map(|(named, sorts)| self.constructor(named, sorts)).collect()
    }

    fn action_constructors(&self, open_world: bool) -> Vec<String> {
        let sorts = self.algebra.actions.iter().map(|one| one.sorts.iter());
        let named = self.names.actions().iter();
        let mut all: Vec<String> =
            named.zip(sorts).map(|(named, sorts)| self.constructor(named, sorts)).collect();
        let own = &self.names.own;
        all.push(format!("({})", own.tau));
        for wrapper in [own.sync, own.co] {
            all.push(format!("({wrapper} ({wrapper}!0 {}))", own.action));
        }
        if open_world {
            all.push(format!("({other} ({other}!0 Int))", other = own.other));
        }
        all
    }

    fn constructor<'s>(
        &self,
        named: &Constructor,
        sorts: impl Iterator<Item = &'s Sort>,
    ) -> String {
        let mut text = format!("({}", named.name);
        for (field, sort) in named.fields.iter().zip(sorts) {
            text.push_str(&format!(" ({field} {})", self.sort(sort)));
        }
        text.push(')');
        text
    }

    /// Symbolic constants, uninterpreted functions, and functions that make arrays.
    pub fn symbols(&mut self) {
        for &id in &self.used.constants {
            let constant = &self.algebra.constants[id.index()];
            if constant.value.is_none() {
                let sort = self.sort(&constant.sort);
                let line = format!("(declare-const {} {sort})", self.names.constant(id));
                self.line(&line);
            }
        }
        for &id in &self.used.functions {
            let function = &self.algebra.functions[id.index()];
            if function.body.is_none() {
                let sorts = function.params.iter().map(|&var| self.sort(&self.terms.var(var).sort));
                let sorts = sorts.collect::<Vec<_>>().join(" ");
                let (name, result) = (self.names.function(id), self.sort(&function.result));
                let line = format!("(declare-fun {name} ({sorts}) {result})");
                self.line(&line);
            }
        }
        if !self.has_constant_arrays {
            self.used.constant_arrays.iter().for_each(|sort| self.array_maker(sort));
        }
    }

    /// The function that makes arrays of a sort that are the same everywhere.
    fn array_maker(&mut self, sort: &Sort) {
        let whole = self.sort(sort);
        let Sort::Array(both) = sort else { return };
        if self.arrays.contains_key(&whole) {
            return;
        }
        let (key, value) = (self.sort(&both.0), self.sort(&both.1));
        let name = self.names.constant_array();
        self.line(&format!("(declare-fun {name} ({value}) {whole})"));
        let read = format!("(select ({name} v) k)");
        let claim = format!("(! (= {read} v) :pattern ({read}))");
        self.line(&format!("(assert (forall ((v {value}) (k {key})) {claim}))"));
        self.arrays.insert(whole, name);
    }
}
