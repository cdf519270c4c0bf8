//! The algebra presentation of a program, with `--set` applied.

use super::build::Builder;
use super::lower::Scope;
use crate::algebra::{
    ConstId, Constant, Constructor, Datatype, Function, Signature, Sort, TermId, VariableKind,
};
use crate::base::budget::is_spent;
use crate::sema::program::{Expr, ExprKind, LocalId, Value};

impl<'p> Builder<'p> {
    /// Takes over sorts, constructors, functions, constants and actions.
    pub fn algebra(&mut self) {
        let program = self.program;
        let nothing = Scope::new(&[]);
        self.algebra.abstracts = program.abstracts.iter().map(|named| named.name).collect();
        for constant in &program.consts {
            self.inhabited(constant.sort, &nothing, None);
            let sort = self.sort(constant.sort, &nothing);
            let name = constant.named.name;
            self.algebra.constants.push(Constant { name, sort, value: None });
        }
        for data in &program.datas {
            let fields = data.constructors.iter().flat_map(|constructor| &constructor.fields);
            fields.for_each(|(_, sort)| self.inhabited(*sort, &nothing, None));
            let constructors = data.constructors.iter().map(|constructor| Constructor {
                name: constructor.name.name,
                fields: constructor
                    .fields
                    .iter()
                    .map(|(name, sort)| (name.name, self.sort(*sort, &nothing)))
                    .collect(),
            });
            let constructors = constructors.collect();
            self.algebra.datatypes.push(Datatype { name: data.named.name, constructors });
        }
        for action in &program.actions {
            action.sorts.iter().for_each(|sort| self.inhabited(*sort, &nothing, None));
            let sorts = action.sorts.iter().map(|sort| self.sort(*sort, &nothing)).collect();
            self.algebra.actions.push(Signature { name: action.named.name, sorts });
        }
        let scopes = self.declare_functions();
        for index in 0..program.consts.len() {
            let value = self.constant(ConstId(index as u32));
            let symbolic =
                *self.terms.get(value) == crate::algebra::Term::Const(ConstId(index as u32));
            self.algebra.constants[index].value = (!symbolic).then_some(value);
        }
        self.define_functions(&scopes);
        self.settle_postponed();
        self.algebra.restrict(&mut self.terms);
        for axiom in &program.axioms {
            let scope = Scope::new(&axiom.locals);
            let (claim, owed) = self.owing(|b| b.term(&axiom.body, &scope));
            self.owing.known.learn(&self.terms, claim);
            self.algebra.axioms.push(claim);
            self.require(owed, None);
        }
    }

    /// Constants that sorts spoke of before it was known what functions make of them are what they are.
    fn settle_postponed(&mut self) {
        let mut postponed: Vec<ConstId> = self.postponed.drain().collect();
        postponed.sort_unstable();
        for id in postponed {
            let (itself, value) =
                (self.terms.raw(crate::algebra::Term::Const(id)), self.constant(id));
            let same = self.terms.equal(itself, value);
            self.owing.known.learn(&self.terms, same);
            self.algebra.axioms.push(same);
        }
    }

    /// Whether an expression calls a function that is not declared yet: its parameters' sorts are being looked at.
    fn calls_undeclared(&self, expr: &Expr) -> bool {
        let declared = self.algebra.functions.len();
        let mut found = false;
        expr.each(&mut |inner| {
            found |= matches!(inner.kind, ExprKind::Apply(id, _) if id.index() >= declared);
        });
        found
    }

    /// The functions without their definitions, each with its scope.
    fn declare_functions(&mut self) -> Vec<Scope<'p>> {
        let program = self.program;
        let mut scopes = Vec::with_capacity(program.funs.len());
        for fun in &program.funs {
            let mut scope = Scope::new(&fun.locals);
            let params = (0..fun.params.len()).map(|index| {
                self.local_var(LocalId(index as u32), &mut scope, VariableKind::Parameter)
            });
            let params = params.collect();
            let sorts = fun.params.iter().chain([&fun.result]);
            sorts.for_each(|sort| self.inhabited(*sort, &scope, None));
            let result = self.sort(fun.result, &scope);
            // What has a definition gets one below, when all functions are known.
            let body = fun.body.as_ref().map(|_| self.terms.bool(true));
            let measures = fun.measures.iter().map(|one| self.term(one, &scope)).collect();
            let name = fun.named.name;
            self.algebra.functions.push(Function { name, params, result, measures, body });
            scopes.push(scope);
        }
        self.declare_companions();
        scopes
    }

    fn define_functions(&mut self, scopes: &[Scope<'p>]) {
        let program = self.program;
        let mut owes = Vec::with_capacity(scopes.len());
        for (index, (fun, scope)) in program.funs.iter().zip(scopes).enumerate() {
            if is_spent() {
                return;
            }
            let Some(body) = &fun.body else {
                owes.push(Vec::new());
                continue;
            };
            let (term, owed) = self.owing(|b| {
                let term = b.term(body, scope);
                let result = b.algebra.functions[index].result.clone();
                b.fit(term, &result, body.span)
            });
            self.algebra.functions[index].body = Some(term);
            owes.push(owed);
        }
        self.define_companions(owes);
    }

    /// A constant: its value where it has one, else itself.
    pub fn constant(&mut self, id: ConstId) -> TermId {
        if let Some(&term) = self.constants.get(&id) {
            return term;
        }
        let constant = &self.program.consts[id.index()];
        let given = self.options.set.get(id);
        let mut term = match (&constant.body, given, &constant.value) {
            (None, Some(setting), _) => setting.value.term(&mut self.terms),
            (_, _, Some(Value::Int(value))) => self.terms.int(value.clone()),
            (_, _, Some(Value::Bool(value))) => self.terms.bool(*value),
            (Some(body), _, None) if self.calls_undeclared(body) => {
                self.postponed.insert(id);
                return self.terms.raw(crate::algebra::Term::Const(id));
            }
            (Some(body), _, None) => {
                let scope = Scope::new(&constant.locals);
                let (term, owed) = self.owing(|b| b.term(body, &scope));
                self.require(owed, None);
                term
            }
            (None, None, None) => self.terms.raw(crate::algebra::Term::Const(id)),
        };
        if *self.terms.get(term) != crate::algebra::Term::Const(id) {
            let text = constant.body.as_ref().map_or(constant.named.span, |body| body.span);
            let sort = self.sort(constant.sort, &Scope::new(&[]));
            let (fitting, owed) = self.owing(|b| b.fit(term, &sort, text));
            self.require(owed, None);
            term = fitting;
        }
        self.constants.insert(id, term);
        term
    }

    /// A parameter of what is elaborated: any value, the same everywhere.
    pub fn symbolic(&mut self, name: crate::diagnostics::Symbol, sort: Sort) -> TermId {
        let id = ConstId(self.algebra.constants.len() as u32);
        self.algebra.constants.push(Constant { name, sort, value: None });
        self.terms.raw(crate::algebra::Term::Const(id))
    }
}
