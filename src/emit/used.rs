//! What a net really uses of its algebra: the declarations of all modules are in there, and most of them say
//! nothing about this net.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::pnet::{
    AbstractId, ActionId, ConstId, DataId, FunId, HoleSort, PNet, Sort, Term, TermId, VarId,
};

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
    let mut search =
        Search { net, used: Used::default(), terms: FxHashSet::default(), work: Vec::new() };
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
        search.work.extend(vector.members.iter().map(|member| member.action));
        search.work.extend([vector.result, vector.guard]);
        for rival in &vector.rivals {
            search.work.extend(rival.members.iter().map(|member| member.action));
            search.work.push(rival.guard);
        }
    }
    for hole in &net.holes {
        if let HoleSort::Actions(actions) = &hole.sort {
            actions.iter().for_each(|action| search.action(*action));
        }
    }
    search.work.extend(&net.algebra.axioms);
    search.run();
    search.used
}

struct Search<'n> {
    net: &'n PNet,
    used: Used,
    terms: FxHashSet<TermId>,
    work: Vec<TermId>,
}

impl Search<'_> {
    fn run(&mut self) {
        while let Some(id) = self.work.pop() {
            if self.terms.insert(id) {
                self.term(id);
                self.work.extend(self.net.terms.children(id));
            }
        }
    }

    fn term(&mut self, id: TermId) {
        match self.net.terms.get(id) {
            Term::Var(variable) => self.variable(*variable),
            Term::Forall(variables, _) | Term::Exists(variables, _) => {
                variables.iter().for_each(|variable| self.variable(*variable));
            }
            Term::Const(id) if self.used.constants.insert(*id) => {
                self.sort(&self.net.algebra.constants[id.index()].sort);
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
        self.sort(self.net.sort_of(id));
    }

    fn function(&mut self, id: FunId) {
        if self.used.functions.insert(id) {
            let function = &self.net.algebra.functions[id.index()];
            function.params.iter().for_each(|parameter| self.variable(*parameter));
            self.sort(&function.result);
            self.work.extend(function.body);
        }
    }

    fn action(&mut self, id: ActionId) {
        if self.used.actions.insert(id) {
            self.net.algebra.action(id).sorts.iter().for_each(|sort| self.sort(sort));
        }
    }

    fn sort(&mut self, sort: &Sort) {
        let net = self.net;
        let mut work = vec![sort];
        while let Some(sort) = work.pop() {
            match sort {
                Sort::Bool | Sort::Int | Sort::Action => {}
                Sort::Abstract(id) => {
                    self.used.abstracts.insert(*id);
                }
                Sort::Data(id) => {
                    if self.used.datatypes.insert(*id) {
                        let constructors = &net.algebra.datatypes[id.index()].constructors;
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
