//! What a net really uses of its algebra: the declarations of all modules are in there, and most of them say
//! nothing about this net.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::algebra::{
    AbstractId, ActionId, Algebra, ConstId, DataId, FunId, Sort, Term, TermId, Terms, VarId,
};
use crate::automaton::OpenAutomaton;
use crate::base::IndexVec;
use crate::pnet::{Hole, HoleId, HoleSort, PNet};

/// The declarations that a net uses, by their places in the algebra.
#[derive(Default, Debug)]
pub(super) struct Used {
    pub abstracts: BTreeSet<AbstractId>,
    pub datatypes: BTreeSet<DataId>,
    pub functions: BTreeSet<FunId>,
    pub constants: BTreeSet<ConstId>,
    pub actions: BTreeSet<ActionId>,
}

/// What a net uses. Axioms are used by what they speak of, and are all kept.
pub(super) fn used(net: &PNet) -> Used {
    let mut search = Search::new(&net.algebra, &net.terms);
    for plts in &net.plts {
        for (variable, initial) in &plts.variables {
            search.variable(*variable);
            search.work.extend(initial);
        }
        for transition in &plts.transitions {
            transition.inputs.iter().for_each(|input| search.variable(*input));
            search.work.extend([transition.action, transition.guard]);
            search.work.extend(transition.updates.iter().map(|(_, value)| *value));
        }
    }
    for vector in net.nodes.iter().flat_map(|node| &node.vectors) {
        search.work.extend(vector.all_members().map(|(member, _)| member.action));
        search.work.extend([vector.result, vector.guard]);
        for rival in &vector.rivals {
            search.work.extend(rival.members.iter().map(|member| member.action));
            search.work.push(rival.guard);
        }
    }
    search.holes(&net.holes);
    search.work.extend(&net.algebra.axioms);
    search.run();
    search.used
}

/// What an automaton uses. Axioms are used by what they speak of, and are all kept.
pub(super) fn used_by_automaton(automaton: &OpenAutomaton) -> Used {
    let mut search = Search::new(&automaton.algebra, &automaton.terms);
    search.automaton(automaton);
    search.work.extend(&automaton.algebra.axioms);
    search.run();
    search.used
}

/// What an automaton uses, and the axioms that speak of its constants and functions.
pub(super) fn told_by_automaton(automaton: &OpenAutomaton) -> (Used, Vec<TermId>) {
    let mut search = Search::new(&automaton.algebra, &automaton.terms);
    search.automaton(automaton);
    search.run();
    let mut axioms = Vec::new();
    for axiom in &automaton.algebra.axioms {
        let mut inner = Search::new(&automaton.algebra, &automaton.terms);
        inner.work.push(*axiom);
        inner.run();
        if !inner.used.constants.is_disjoint(&search.used.constants)
            || !inner.used.functions.is_disjoint(&search.used.functions)
        {
            axioms.push(*axiom);
        }
    }
    search.work.extend(&axioms);
    search.run();
    (search.used, axioms)
}

struct Search<'n> {
    algebra: &'n Algebra,
    pool: &'n Terms,
    used: Used,
    terms: FxHashSet<TermId>,
    work: Vec<TermId>,
}

impl<'n> Search<'n> {
    fn new(algebra: &'n Algebra, pool: &'n Terms) -> Search<'n> {
        let (terms, work) = (FxHashSet::default(), Vec::new());
        Search { algebra, pool, used: Used::default(), terms, work }
    }

    fn automaton(&mut self, automaton: &OpenAutomaton) {
        for variable in &automaton.variables {
            self.variable(variable.var);
            self.work.extend(variable.initial);
        }
        for transition in &automaton.transitions {
            self.work.extend(transition.terms());
        }
        self.holes(&automaton.holes);
    }

    fn holes(&mut self, holes: &IndexVec<HoleId, Hole>) {
        for hole in holes {
            if let HoleSort::Actions(actions) = &hole.sort {
                actions.iter().for_each(|action| self.action(*action));
            }
        }
    }

    fn run(&mut self) {
        while let Some(id) = self.work.pop() {
            if self.terms.insert(id) {
                self.term(id);
                self.work.extend(self.pool.children(id));
            }
        }
    }

    fn term(&mut self, id: TermId) {
        match self.pool.get(id) {
            Term::Var(variable) => self.variable(*variable),
            Term::Forall(variables, _) | Term::Exists(variables, _) => {
                variables.iter().for_each(|variable| self.variable(*variable));
            }
            Term::Const(id) if self.used.constants.insert(*id) => {
                self.sort(&self.algebra.constants[id.index()].sort);
            }
            Term::Apply(id, _) => self.function(*id),
            Term::Construct(id, ..) | Term::Select(id, ..) | Term::IsConstructor(id, ..) => {
                self.sort(&Sort::Data(*id));
            }
            Term::ConstArray(sort, _) => self.sort(sort),
            Term::Act(id, _) | Term::IsAct(id, _) | Term::Argument(id, ..) => self.action(*id),
            _ => {}
        }
    }

    fn variable(&mut self, id: VarId) {
        self.sort(&self.pool.var(id).sort);
    }

    fn function(&mut self, id: FunId) {
        if self.used.functions.insert(id) {
            let function = &self.algebra.functions[id.index()];
            function.params.iter().for_each(|parameter| self.variable(*parameter));
            self.sort(&function.result);
            self.work.extend(&function.measures);
            self.work.extend(function.body);
        }
    }

    fn action(&mut self, id: ActionId) {
        if self.used.actions.insert(id) {
            self.algebra.action(id).sorts.iter().for_each(|sort| self.sort(sort));
        }
    }

    fn sort(&mut self, sort: &Sort) {
        let algebra = self.algebra;
        let mut work = vec![sort];
        while let Some(sort) = work.pop() {
            match sort {
                Sort::Bool | Sort::Int | Sort::Action => {}
                Sort::Abstract(id) => {
                    self.used.abstracts.insert(*id);
                }
                Sort::Data(id) => {
                    if self.used.datatypes.insert(*id) {
                        let constructors = &algebra.datatypes[id.index()].constructors;
                        let fields = constructors.iter().flat_map(|one| &one.fields);
                        work.extend(fields.map(|(_, sort)| sort));
                    }
                }
                Sort::Range(low, high) => self.work.extend([*low, *high]),
                Sort::Array(both) => work.extend([&both.0, &both.1]),
            }
        }
    }
}
