//! Sorts, functions, constants, actions and interfaces.

use rustc_hash::FxHashMap;

use super::Writer;
use crate::algebra::{ActionId, DataId, FunId, VarId};
use crate::emit::names::{Unique, quoted};
use crate::emit::term::{ADDITIVE, ANY, Printer};
use crate::pnet::HoleSort;

impl Writer<'_> {
    /// All declarations that the net uses.
    pub fn algebra(&mut self) {
        self.sorts();
        self.values();
        self.axioms();
        let mut printer = self.printer();
        let actions: Vec<String> =
            self.names.used.actions.iter().map(|id| signature(&mut printer, *id)).collect();
        if !actions.is_empty() {
            self.put(&format!("action {};\n\n", actions.join(", ")));
        }
        self.interfaces();
    }

    fn sorts(&mut self) {
        let names = self.names;
        let used = names.used.abstracts.iter();
        let abstracts: Vec<_> =
            used.filter_map(|id| names.abstract_sort(*id)).map(|name| quoted(name)).collect();
        if !abstracts.is_empty() {
            self.put(&format!("sort {};\n", abstracts.join(", ")));
        }
        for id in &names.used.datatypes {
            self.datatype(*id);
        }
        if !names.used.datatypes.is_empty() || !abstracts.is_empty() {
            self.put("\n");
        }
    }

    fn datatype(&mut self, id: DataId) {
        let (net, names) = (self.net, self.names);
        let mut printer = self.printer();
        let constructors = &net.algebra.datatypes[id.index()].constructors;
        let is_enum = constructors.iter().all(|constructor| constructor.fields.is_empty());
        let shown = constructors.iter().enumerate().map(|(index, constructor)| {
            let fields = constructor.fields.iter().enumerate().map(|(field, (_, sort))| {
                let selector = names.selector(id, index as u32, field as u32).unwrap_or_default();
                format!("{}: {}", quoted(selector), printer.sort(sort))
            });
            let fields: Vec<String> = fields.collect();
            let name = printer.constructor(id, index as u32);
            if fields.is_empty() { name } else { format!("{name}({})", fields.join(", ")) }
        });
        let shown: Vec<String> = shown.collect();
        let word = if is_enum { "enum" } else { "data" };
        let name = quoted(names.datatype(id).unwrap_or_default());
        self.put(&format!("{word} {name} {{ {} }}\n", shown.join(", ")));
    }

    fn values(&mut self) {
        let names = self.names;
        for id in &names.used.constants {
            if self.actions.contains(id) {
                continue;
            }
            let sort = self.printer().sort(&self.net.algebra.constants[id.index()].sort);
            let name = quoted(names.constant(*id).unwrap_or_default());
            self.put(&format!("const {name}: {sort};\n"));
        }
        for id in &names.used.functions {
            self.function(*id);
        }
        if !names.used.constants.is_empty() || !names.used.functions.is_empty() {
            self.put("\n");
        }
    }

    fn function(&mut self, id: FunId) {
        let function = &self.net.algebra.functions[id.index()];
        let mut printer = self.printer();
        let mut unique = Unique::besides([&self.names.values]);
        let parameters: Vec<String> = function
            .params
            .iter()
            .map(|&parameter| declare(&mut printer, parameter, &mut unique))
            .collect();
        printer.taken = unique.taken();
        let name = quoted(self.names.function(id).unwrap_or_default());
        let result = printer.sort(&function.result);
        // One by itself has no brackets around it, so it must bind tightly.
        let least = if function.measures.len() == 1 { ADDITIVE } else { ANY };
        let measures = function.measures.iter().map(|measure| printer.at(*measure, least));
        let measures: Vec<String> = measures.collect();
        let measures = match measures.as_slice() {
            [] => String::new(),
            [only] => format!(" decreases {only}"),
            several => format!(" decreases ({})", several.join(", ")),
        };
        let body = function.body.map(|body| format!(" = {}", printer.at(body, ANY)));
        let body = body.unwrap_or_default();
        self.put(&format!("fun {name}({}): {result}{measures}{body};\n", parameters.join(", ")));
    }

    fn axioms(&mut self) {
        for axiom in &self.net.algebra.axioms {
            let claim = self.printer().at(*axiom, ANY);
            self.put(&format!("axiom {claim};\n"));
        }
        if !self.net.algebra.axioms.is_empty() {
            self.put("\n");
        }
    }

    /// An interface for each set of actions that limits a hole.
    fn interfaces(&mut self) {
        let net = self.net;
        let mut known: FxHashMap<&[ActionId], String> = FxHashMap::default();
        let mut unique = Unique::besides([&self.names.sorts]);
        let mut printer = self.printer();
        for (index, hole) in net.holes.enumerated() {
            let HoleSort::Actions(actions) = &hole.sort else { continue };
            let name = match known.get(actions.as_slice()) {
                Some(name) => name.clone(),
                None => {
                    let name = unique.pick(&format!("{}_interface", self.holes[index]));
                    let all: Vec<String> =
                        actions.iter().map(|id| signature(&mut printer, *id)).collect();
                    let shown = quoted(&name).into_owned();
                    self.put(&format!("interface {shown} {{ {} }}\n\n", all.join(", ")));
                    known.insert(actions, name.clone());
                    name
                }
            };
            self.interfaces[index] = Some(name);
        }
    }
}

/// An action with the sorts of its arguments.
fn signature(printer: &mut Printer<'_>, id: ActionId) -> String {
    let sorts = &printer.scope.algebra.action(id).sorts;
    let shown: Vec<String> = sorts.iter().map(|sort| printer.sort(sort)).collect();
    let name = printer.action(id);
    if shown.is_empty() { name } else { format!("{name}({})", shown.join(", ")) }
}

/// Names a variable: its name with its sort.
pub(super) fn declare(printer: &mut Printer<'_>, id: VarId, unique: &mut Unique<'_>) -> String {
    let variable = printer.scope.terms.var(id);
    let name = unique.pick(variable.name.as_str());
    let sort = printer.sort(&variable.sort);
    let shown = quoted(&name).into_owned();
    printer.variables.insert(id, name);
    format!("{shown}: {sort}")
}
