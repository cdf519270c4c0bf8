//! The builder of one net: what it has made so far, what it has to say, and where everything comes from.
//!
//! Its methods are in the files of what they make: instances (`instance.rs`), holes and what fills them (`filling.rs`),
//! nodes (`node.rs`), leaves, vectors, connectors, priorities. Expressions are lowered by a [`Lowering`], which borrows what
//! it needs and knows nothing of nets.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ElaborateOptions;
use super::env::LeftOut;
use super::lower::{Leaves, Ledger, Lowering};
use super::problems::{ElaborationProblem, TooManyInstances};
use super::reading::PartVariables;
use super::shows::{Contents, Shown, Templates};
use crate::algebra::{Algebra, Term, TermId, Terms};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{
    Composite, Content, Hole, HoleId, InstanceId, NodeId, Origins, PNet, Plts, PltsId, Premise,
};
use crate::sema::program::Program;

/// Room for more than this is made when it is needed: there may never be so many.
pub(super) const MOST_RESERVED: usize = 1 << 16;

/// A variable of a port of a definition: which use, which port, which of its family, which variable.
pub(super) type PortDatum = (usize, (usize, usize), usize);

/// Everything that is known while a net is built.
pub(super) struct Builder<'p> {
    pub program: &'p Program,
    pub options: &'p ElaborateOptions,
    pub terms: Terms,
    pub algebra: Algebra,
    pub ledger: Ledger,
    /// The net as far as it is made.
    pub draft: Draft<'p>,
    pub origins: Origins,
    pub problems: Vec<ElaborationProblem>,
    pub templates: Templates,
    /// The variables of the parts of the node that is made, where what goes first reads them.
    pub reading: Option<PartVariables>,
    /// The parts of the node whose vectors are made.
    pub here: Contents,
    /// How often a name was given to data of the vector that is made.
    pub data_names: FxHashMap<Symbol, usize>,
    /// The connectors of the net that is made whose single interactions are ordered.
    pub told_apart: FxHashSet<Symbol>,
    /// What stands at the ports of a connector that is kept in one piece.
    pub port_values: Option<FxHashMap<PortDatum, TermId>>,
    /// How many uses of definitions of connectors were looked at.
    pub trees: usize,
    /// How many instances were made.
    made: usize,
}

/// A net as far as it is made.
#[derive(Default)]
pub(super) struct Draft<'p> {
    pub plts: IndexVec<PltsId, Plts>,
    pub nodes: IndexVec<NodeId, Composite>,
    pub holes: IndexVec<HoleId, Hole>,
    /// What fills holes, and was left out.
    pub left_out: Vec<LeftOut<'p>>,
    /// What its parts can show.
    pub shown: Shown,
}

impl<'p> Builder<'p> {
    pub fn new(program: &'p Program, options: &'p ElaborateOptions) -> Builder<'p> {
        Builder {
            program,
            options,
            terms: Terms::default(),
            algebra: Algebra::default(),
            ledger: Ledger::default(),
            draft: Draft::default(),
            origins: Origins::default(),
            problems: Vec::new(),
            templates: Templates::default(),
            reading: None,
            here: Contents::default(),
            data_names: FxHashMap::default(),
            told_apart: FxHashSet::default(),
            port_values: None,
            trees: 0,
            made: 0,
        }
    }

    /// Makes what every net needs; nothing where something is wrong with that.
    pub fn start(&mut self) -> Option<()> {
        self.algebra();
        (self.problems.is_empty() && !is_spent()).then_some(())
    }

    /// The whole net, with what stands at its root.
    pub fn whole(mut self, (name, root): (Symbol, Content)) -> PNet {
        let (premises, granted) = self.premises();
        self.terms.freeze();
        let Draft { plts, nodes, holes, .. } = self.draft;
        PNet {
            name,
            algebra: self.algebra,
            terms: self.terms,
            plts,
            nodes,
            holes,
            root,
            origins: self.origins,
            premises,
            granted,
        }
    }

    /// Something that makes terms of one piece of the model.
    pub fn lowering(&mut self) -> Lowering<'_> {
        Lowering {
            program: self.program,
            set: &self.options.set,
            algebra: &self.algebra,
            terms: &mut self.terms,
            ledger: &mut self.ledger,
            leaves: self.reading.as_ref().map(|reading| reading as &dyn Leaves),
            owed: Vec::new(),
            unfolds: 0,
        }
    }

    pub fn report(&mut self, problem: impl Into<ElaborationProblem>) {
        self.problems.push(problem.into());
    }

    /// The instances that led to one, in words: "`T2`, an instance of `Timer`", with the place.
    pub fn chain(&self, instance: Option<InstanceId>) -> Vec<(Span, String)> {
        let chain = self.origins.chain_of(instance).into_iter();
        chain
            .map(|i| {
                (i.span, format!("in `{}`, an instance of `{}` made here", i.part, i.component))
            })
            .collect()
    }

    /// Counts an instance; says whether there may be more.
    pub fn count(&mut self, span: Span) -> bool {
        if is_spent() {
            return false;
        }
        self.made += 1;
        if self.made.checked_sub(1) == Some(self.options.most_instances) {
            self.report(TooManyInstances { span, limit: self.options.most_instances });
        }
        self.made <= self.options.most_instances
    }

    /// The premises of what was made. Those that speak of its own parameters, which stand for any value, are taken for
    /// granted.
    pub fn premises(&mut self) -> (Vec<Premise>, Vec<TermId>) {
        let all: Vec<Premise> = self.ledger.premises.drain(..).collect();
        let (granted, premises): (Vec<Premise>, Vec<Premise>) =
            all.into_iter().partition(|premise| self.speaks_of_parameters(premise.term));
        let granted: Vec<TermId> = granted.into_iter().map(|premise| premise.term).collect();
        self.algebra.axioms.extend(&granted);
        (premises, granted)
    }

    fn speaks_of_parameters(&self, root: TermId) -> bool {
        let first = self.program.consts.len();
        let is_parameter =
            |id| matches!(self.terms.get(id), Term::Const(id) if id.index() >= first);
        self.terms.inside([root]).any(is_parameter)
    }
}
