//! The tables of terms and variables, and the algebra.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::algebra::{ActionId, Algebra, DataId, Sort, Term, TermId, VarId, VariableKind};
use crate::emit::names::Names;
use crate::emit::scope::Scope;

/// The terms and variables that were met, in the order in which they were.
pub(in crate::emit) struct Tables<'n> {
    scope: Scope<'n>,
    names: &'n Names,
    terms: Vec<Value>,
    term_numbers: FxHashMap<TermId, usize>,
    variables: Vec<Value>,
    variable_numbers: FxHashMap<VarId, usize>,
}

/// An action by its name and arity.
pub(in crate::emit) fn action(algebra: &Algebra, id: ActionId) -> Value {
    let signature = algebra.action(id);
    json!({ "name": signature.name, "arity": signature.sorts.len() })
}

impl<'n> Tables<'n> {
    pub fn new(scope: Scope<'n>, names: &'n Names) -> Tables<'n> {
        Tables {
            scope,
            names,
            terms: Vec::new(),
            term_numbers: FxHashMap::default(),
            variables: Vec::new(),
            variable_numbers: FxHashMap::default(),
        }
    }

    /// The tables of variables and of terms.
    pub fn finish(self) -> (Vec<Value>, Vec<Value>) {
        (self.variables, self.terms)
    }

    // ---- the algebra ----

    /// The declarations that the net uses.
    pub fn algebra(&mut self) -> Value {
        let names = self.names;
        let used = &names.used;
        let sorts: Vec<_> = used.abstracts.iter().map(|id| names.abstract_sort(*id)).collect();
        let datatypes: Vec<Value> = used.datatypes.iter().map(|id| self.datatype(*id)).collect();
        let functions: Vec<Value> = used
            .functions
            .iter()
            .map(|id| {
                let function = &self.scope.algebra.functions[id.index()];
                let parameters: Vec<usize> =
                    function.params.iter().map(|parameter| self.variable(*parameter)).collect();
                let (result, body) =
                    (self.sort(&function.result), function.body.map(|body| self.term(body)));
                let name = names.function(*id);
                json!({ "name": name, "parameters": parameters, "result": result, "body": body })
            })
            .collect();
        let constants: Vec<Value> = used
            .constants
            .iter()
            .map(|id| {
                let sort = self.sort(&self.scope.algebra.constants[id.index()].sort);
                json!({ "name": names.constant(*id), "sort": sort })
            })
            .collect();
        let axioms: Vec<usize> =
            self.scope.algebra.axioms.iter().map(|axiom| self.term(*axiom)).collect();
        let actions: Vec<Value> = used
            .actions
            .iter()
            .map(|id| {
                let signature = self.scope.algebra.action(*id);
                let sorts: Vec<Value> =
                    signature.sorts.iter().map(|sort| self.sort(sort)).collect();
                json!({ "name": signature.name, "sorts": sorts })
            })
            .collect();
        json!({
            "sorts": sorts,
            "datatypes": datatypes,
            "functions": functions,
            "constants": constants,
            "axioms": axioms,
            "actions": actions,
        })
    }

    fn datatype(&mut self, id: DataId) -> Value {
        let (scope, names) = (self.scope, self.names);
        let constructors = &scope.algebra.datatypes[id.index()].constructors;
        let constructors = constructors.iter().enumerate().map(|(index, constructor)| {
            let fields = constructor.fields.iter().enumerate().map(|(field, (_, sort))| {
                let name = names.selector(id, index as u32, field as u32);
                json!({ "name": name, "sort": self.sort(sort) })
            });
            let fields: Vec<Value> = fields.collect();
            json!({ "name": names.constructor(id, index as u32), "fields": fields })
        });
        let constructors: Vec<Value> = constructors.collect();
        json!({ "name": names.datatype(id), "constructors": constructors })
    }

    /// A sort.
    pub fn sort(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => json!("Bool"),
            Sort::Int => json!("Int"),
            Sort::Action => json!("Action"),
            Sort::Abstract(id) => json!(self.names.abstract_sort(*id)),
            Sort::Data(id) => json!(self.names.datatype(*id)),
            Sort::Range(low, high) => json!({ "from": self.term(*low), "to": self.term(*high) }),
            Sort::Array(both) => {
                json!({ "keys": self.sort(&both.0), "values": self.sort(&both.1) })
            }
        }
    }

    // ---- tables ----

    /// The number of a variable.
    pub fn variable(&mut self, id: VarId) -> usize {
        if let Some(&number) = self.variable_numbers.get(&id) {
            return number;
        }
        let variable = self.scope.terms.var(id);
        let kind = match variable.kind {
            VariableKind::State | VariableKind::Failure => "state",
            VariableKind::Input => "input",
            VariableKind::Vector => "vector",
            VariableKind::Parameter => "parameter",
            VariableKind::Bound => "bound",
        };
        let sort = self.sort(&variable.sort);
        let number = self.variables.len();
        self.variable_numbers.insert(id, number);
        self.variables.push(json!({ "name": variable.name, "sort": sort, "kind": kind }));
        number
    }

    /// The number of a term; those inside it have smaller ones.
    pub fn term(&mut self, id: TermId) -> usize {
        if let Some(&number) = self.term_numbers.get(&id) {
            return number;
        }
        let value = self.form(id);
        let number = self.terms.len();
        self.term_numbers.insert(id, number);
        self.terms.push(value);
        number
    }

    fn form(&mut self, id: TermId) -> Value {
        let scope = self.scope;
        let names = self.names;
        let children = scope.terms.children(id);
        let args: Vec<usize> = children.into_iter().map(|child| self.term(child)).collect();
        let plain = |op: &str| json!({ "op": op, "args": args });
        match scope.terms.get(id) {
            Term::Bool(value) => json!({ "op": "bool", "value": value }),
            Term::Int(value) => json!({ "op": "int", "value": value.to_string() }),
            Term::Var(variable) => {
                json!({ "op": "variable", "variable": self.variable(*variable) })
            }
            Term::Const(id) => json!({ "op": "constant", "name": names.constant(*id) }),
            Term::Apply(id, _) => {
                json!({ "op": "apply", "function": names.function(*id), "args": args })
            }
            Term::Construct(data, index, _) => {
                let name = names.constructor(*data, *index);
                json!({ "op": "construct", "constructor": name, "args": args })
            }
            Term::Select(data, index, field, _) => {
                let name = names.constructor(*data, *index);
                let field = names.selector(*data, *index, *field);
                json!({ "op": "select", "constructor": name, "field": field, "args": args })
            }
            Term::IsConstructor(data, index, _) => {
                let name = names.constructor(*data, *index);
                json!({ "op": "is_constructor", "constructor": name, "args": args })
            }
            Term::ConstArray(sort, _) => {
                json!({ "op": "constant_array", "sort": self.sort(sort), "args": args })
            }
            Term::Forall(variables, _) => {
                let variables: Vec<usize> = variables.iter().map(|v| self.variable(*v)).collect();
                json!({ "op": "forall", "variables": variables, "args": args })
            }
            Term::Exists(variables, _) => {
                let variables: Vec<usize> = variables.iter().map(|v| self.variable(*v)).collect();
                json!({ "op": "exists", "variables": variables, "args": args })
            }
            Term::Act(id, _) => {
                json!({ "op": "action", "name": scope.algebra.action(*id).name, "args": args })
            }
            Term::IsAct(id, _) => {
                json!({ "op": "is_action", "action": action(scope.algebra, *id), "args": args })
            }
            Term::Argument(id, index, _) => {
                let action = action(scope.algebra, *id);
                json!({ "op": "argument", "action": action, "index": index, "args": args })
            }
            Term::Index(..) => plain("index"),
            Term::Update(..) => plain("update"),
            Term::Not(_) => plain("not"),
            Term::And(_) => plain("and"),
            Term::Or(_) => plain("or"),
            Term::Add(_) => plain("add"),
            Term::Multiply(_) => plain("multiply"),
            Term::Div(..) => plain("div"),
            Term::Mod(..) => plain("mod"),
            Term::Equal(..) => plain("equal"),
            Term::Less(..) => plain("less"),
            Term::LessEqual(..) => plain("less_equal"),
            Term::If(..) => plain("if"),
            Term::Tau => json!({ "op": "tau" }),
            Term::Sync(_) => plain("sync"),
            Term::Co(_) => plain("co"),
            Term::IsSync(_) => plain("is_sync"),
            Term::IsCo(_) => plain("is_co"),
            Term::Inner(_) => plain("inner"),
        }
    }
}
