//! Variables of parts that the guards of priorities and of `unless` read.
//!
//! What goes first is asked for where the net is, so its guard may speak of the variables of all leaves in the net, whether
//! or not they take part. In the core these variables stand in the guards of rivals as they are.

use std::cell::RefCell;

use super::build::Builder;
use super::lower::{LeafNames, Leaves, UnclearName};
use super::problems::UnclearReading;
use crate::algebra::{TermId, Terms};
use crate::base::IndexVec;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Composite, Content, LeafId, StateVariableId, path_inside};
use crate::sema::program::{Expr, ExprKind, NetBlock, StateId};

/// The variables of the leaves of a node.
pub(super) struct PartVariables {
    names: LeafNames<'static, StateVariableId>,
    terms: IndexVec<StateVariableId, TermId>,
    leaves: LeafNames<'static, LeafId>,
    trouble: RefCell<Vec<(UnclearName, Span)>>,
}

impl Leaves for PartVariables {
    fn variables(&self, _net: usize) -> &LeafNames<'_, StateVariableId> {
        &self.names
    }

    fn variable(&self, _net: usize, id: StateVariableId) -> TermId {
        self.terms[id]
    }

    fn leaves(&self, _net: usize) -> &LeafNames<'_, LeafId> {
        &self.leaves
    }

    /// The states of leaves cannot be asked for.
    fn in_state(&self, _: usize, _: LeafId, _: &[StateId], terms: &mut Terms) -> TermId {
        terms.bool(false)
    }

    fn state_named(&self, _net: usize, _leaf: LeafId, _name: Symbol) -> Option<StateId> {
        None
    }

    fn unclear(&self, why: UnclearName, text: Span) {
        self.trouble.borrow_mut().push((why, text));
    }
}

impl Builder<'_> {
    /// The variables of all leaves of a node, where something of its net reads them.
    pub fn variables_of_parts(&self, block: &NetBlock, node: &Composite) -> Option<PartVariables> {
        if !reads_parts(block) {
            return None;
        }
        let (mut names, mut terms): (Vec<&'static str>, Vec<TermId>) = Default::default();
        let parts = node.parts.iter().rev();
        let mut work: Vec<(String, Content)> =
            parts.map(|part| (part.name.to_string(), part.content)).collect();
        while let Some((path, content)) = work.pop() {
            match content {
                Content::Leaf(id) => {
                    for (var, _) in &self.draft.plts[id].variables {
                        let name = self.terms.var(*var).name;
                        names.push(Symbol::new(&path_inside(&path, name.as_str())).as_str());
                        terms.push(self.terms.var_term(*var));
                    }
                }
                Content::Node(id) => {
                    let inner = self.draft.nodes[id].parts.iter().rev();
                    work.extend(
                        inner
                            .map(|part| (path_inside(&path, &part.name.to_string()), part.content)),
                    );
                }
                Content::Hole(_) => {}
            }
        }
        Some(PartVariables {
            names: LeafNames::new(names.into_iter()),
            terms: terms.into(),
            leaves: LeafNames::new(std::iter::empty()),
            trouble: RefCell::default(),
        })
    }

    /// Reports what is read and is not there.
    pub fn unclear_readings(&mut self) {
        let trouble = self.reading.as_ref().map(|reading| reading.trouble.take());
        for (why, span) in trouble.into_iter().flatten() {
            let known = |problem: &super::problems::ElaborationProblem| problem.span() == span;
            if !self.problems.iter().any(known) {
                self.report(UnclearReading { span, why: why.to_string() });
            }
        }
    }
}

/// Whether something that goes first reads variables of parts.
fn reads_parts(block: &NetBlock) -> bool {
    let vectors = block.vectors.iter().flat_map(|vector| &vector.rivals);
    let connectors = block.connectors.iter().flat_map(|connector| &connector.rivals);
    let rivals = vectors.chain(connectors).filter_map(|rival| rival.guard.as_ref());
    let priorities = block.priorities.iter().filter_map(|priority| priority.guard.as_ref());
    rivals.chain(priorities).any(reads_part)
}

fn reads_part(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Leaf(_));
    expr.each_inside(&mut |inside| found |= reads_part(inside));
    found
}
