//! The algebra presentation of a program, with `--set` applied.

use super::build::Builder;
use super::lower::Scope;
use crate::algebra::{
    ConstId, Constant, Constructor, Datatype, Function, Signature, Sort, Term, TermId, VariableKind,
};
use crate::base::budget::is_spent;
use crate::sema::program::LocalId;

impl<'p> Builder<'p> {
    /// Takes over sorts, constructors, functions, constants and actions.
    pub fn algebra(&mut self) {
        let program = self.program;
        let nothing = Scope::new(&[]);
        self.algebra.abstracts = program.abstracts.iter().map(|named| named.name).collect();
        for constant in &program.consts {
            self.lowering().inhabited(constant.sort, &nothing, None);
            let sort = self.lowering().sort(constant.sort, &nothing);
            let name = constant.named.name;
            self.algebra.constants.push(Constant { name, sort, value: None });
        }
        for data in &program.datas {
            let fields = data.constructors.iter().flat_map(|constructor| &constructor.fields);
            fields.for_each(|(_, sort)| self.lowering().inhabited(*sort, &nothing, None));
            let constructors = data.constructors.iter().map(|constructor| Constructor {
                name: constructor.name.name,
                fields: constructor
                    .fields
                    .iter()
                    .map(|(name, sort)| (name.name, self.lowering().sort(*sort, &nothing)))
                    .collect(),
            });
            let constructors = constructors.collect();
            self.algebra.datatypes.push(Datatype { name: data.named.name, constructors });
        }
        for action in &program.actions {
            action.sorts.iter().for_each(|sort| self.lowering().inhabited(*sort, &nothing, None));
            let sorts =
                action.sorts.iter().map(|sort| self.lowering().sort(*sort, &nothing)).collect();
            self.algebra.actions.push(Signature { name: action.named.name, sorts });
        }
        let scopes = self.declare_functions();
        for index in 0..program.consts.len() {
            let value = self.lowering().constant(ConstId(index as u32));
            let symbolic = *self.terms.get(value) == Term::Const(ConstId(index as u32));
            self.algebra.constants[index].value = (!symbolic).then_some(value);
        }
        self.define_functions(&scopes);
        self.settle_postponed();
        self.algebra.restrict(&mut self.terms);
        for axiom in &program.axioms {
            let scope = Scope::new(&axiom.locals);
            let (claim, owed) = self.lowering().owing(|l| l.term(&axiom.body, &scope));
            self.ledger.known.learn(&self.terms, claim);
            self.algebra.axioms.push(claim);
            self.lowering().require(owed, None);
        }
    }

    /// Constants that sorts spoke of before it was known what functions make of them are what they are.
    fn settle_postponed(&mut self) {
        let mut postponed: Vec<ConstId> = self.ledger.postponed.drain().collect();
        postponed.sort_unstable();
        for id in postponed {
            let (itself, value) = (self.terms.raw(Term::Const(id)), self.lowering().constant(id));
            let same = self.terms.equal(itself, value);
            self.ledger.known.learn(&self.terms, same);
            self.algebra.axioms.push(same);
        }
    }

    /// The functions without their definitions, each with its scope.
    fn declare_functions(&mut self) -> Vec<Scope<'p>> {
        let program = self.program;
        let mut scopes = Vec::with_capacity(program.funs.len());
        for fun in &program.funs {
            let mut scope = Scope::new(&fun.locals);
            let params = (0..fun.params.len()).map(|index| {
                self.lowering().local_var(
                    LocalId(index as u32),
                    &mut scope,
                    VariableKind::Parameter,
                )
            });
            let params = params.collect();
            let sorts = fun.params.iter().chain([&fun.result]);
            sorts.for_each(|sort| self.lowering().inhabited(*sort, &scope, None));
            let result = self.lowering().sort(fun.result, &scope);
            // What has a definition gets one below, when all functions are known.
            let body = fun.body.as_ref().map(|_| self.terms.bool(true));
            let measures =
                fun.measures.iter().map(|one| self.lowering().term(one, &scope)).collect();
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
            let (term, owed) = self.lowering().owing(|l| {
                let term = l.term(body, scope);
                let result = l.algebra.functions[index].result.clone();
                l.fit(term, &result, body.span)
            });
            self.algebra.functions[index].body = Some(term);
            owes.push(owed);
        }
        self.define_companions(owes);
    }

    /// A parameter of what is elaborated: any value, the same everywhere.
    pub fn symbolic(&mut self, name: crate::diagnostics::Symbol, sort: Sort) -> TermId {
        let id = ConstId(self.algebra.constants.len() as u32);
        self.algebra.constants.push(Constant { name, sort, value: None });
        self.terms.raw(Term::Const(id))
    }
}
