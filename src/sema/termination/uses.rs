//! Who uses whom: functions, constants and datatypes, which can all mention functions (in definitions, and in
//! the bounds of ranges), and the circles among them.

use rustc_hash::FxHashSet;

use crate::base::graph::circles;
use crate::diagnostics::Span;
use crate::sema::program::{Expr, ExprKind, LocalKind, Program, RangeId, Sort};

/// A function, a constant or a datatype: functions come first, then constants, then datatypes.
pub(super) type Node = usize;

/// What uses what.
pub(super) struct Uses<'p> {
    program: &'p Program,
}

impl<'p> Uses<'p> {
    pub fn new(program: &'p Program) -> Uses<'p> {
        Uses { program }
    }

    fn count(&self) -> usize {
        self.program.funs.len() + self.program.consts.len() + self.program.datas.len()
    }

    fn constant(&self, index: usize) -> Node {
        self.program.funs.len() + index
    }

    fn data(&self, index: usize) -> Node {
        self.constant(self.program.consts.len()) + index
    }

    /// What people call it.
    pub fn name(&self, node: Node) -> String {
        let (funs, consts) = (self.program.funs.len(), self.program.consts.len());
        let named = match node {
            _ if node < funs => &self.program.funs[node].named,
            _ if node < funs + consts => &self.program.consts[node - funs].named,
            _ => &self.program.datas[node - funs - consts].named,
        };
        named.name.to_string()
    }

    /// What a node uses, and where. Calls in the definition of a function are left out where it is asked for.
    pub fn of(&self, node: Node, with_calls: bool) -> Vec<(Node, Span)> {
        let (funs, consts) = (self.program.funs.len(), self.program.consts.len());
        let mut found =
            Found { uses: self, nodes: Vec::new(), ranges: FxHashSet::default(), calls: true };
        if node < funs {
            let fun = &self.program.funs[node];
            let at = fun.named.span;
            fun.params.iter().chain([&fun.result]).for_each(|sort| found.sort(*sort, at));
            for local in &fun.locals {
                // The range of what is quantified belongs to the definition.
                if local.kind != LocalKind::Quantified || !matches!(local.sort, Sort::Range(_)) {
                    found.sort(local.sort, local.span);
                }
            }
            found.calls = with_calls;
            fun.body.iter().chain(&fun.measures).for_each(|body| found.expr(body));
            if with_calls {
                fun.locals.iter().for_each(|local| found.sort(local.sort, local.span));
            }
        } else if node < funs + consts {
            let constant = &self.program.consts[node - funs];
            found.sort(constant.sort, constant.named.span);
            constant.body.iter().for_each(|body| found.expr(body));
            constant.locals.iter().for_each(|local| found.sort(local.sort, local.span));
        } else {
            let data = &self.program.datas[node - funs - consts];
            for (name, sort) in data.constructors.iter().flat_map(|one| &one.fields) {
                found.sort(*sort, name.span);
            }
        }
        found.nodes
    }

    /// The circles: nodes that use each other, or one that uses itself.
    pub fn circles(&self) -> Vec<Vec<Node>> {
        let used = |node| self.of(node, true).into_iter().rev().map(|(used, _)| used).collect();
        let edges: Vec<Vec<Node>> = (0..self.count()).map(used).collect();
        circles(&edges)
    }
}

struct Found<'u, 'p> {
    uses: &'u Uses<'p>,
    nodes: Vec<(Node, Span)>,
    ranges: FxHashSet<RangeId>,
    /// Whether functions that are applied count.
    calls: bool,
}

impl Found<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        expr.each(&mut |one| match &one.kind {
            ExprKind::Apply(id, _) if self.calls => {
                self.nodes.push((self.uses.program.generic_fun(*id).index(), one.span));
            }
            ExprKind::Const(id) => {
                let node = self.uses.constant(id.index());
                self.nodes.push((node, one.span));
            }
            ExprKind::Construct(..) | ExprKind::With(..) | ExprKind::ConstArray(_) => {
                self.sort(one.sort, one.span);
            }
            _ => {}
        });
    }

    fn sort(&mut self, sort: Sort, at: Span) {
        let program = self.uses.program;
        match sort {
            Sort::Data(id) => {
                let node = self.uses.data(id.index());
                self.nodes.push((node, at));
            }
            Sort::Array(id) => {
                let (key, value) = program.arrays[id.index()];
                self.sort(key, at);
                self.sort(value, at);
            }
            Sort::Range(id) if self.ranges.insert(id) => {
                let range = &program.ranges[id.index()];
                let calls = std::mem::replace(&mut self.calls, true);
                self.expr(&range.low);
                self.expr(&range.high);
                self.calls = calls;
            }
            _ => {}
        }
    }
}
