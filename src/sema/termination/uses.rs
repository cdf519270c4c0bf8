//! Who uses whom: functions, constants and datatypes, which can all mention functions (in definitions, and in
//! the bounds of ranges), and the circles among them.

use rustc_hash::FxHashSet;

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

    /// The circles: nodes that use each other, or one that uses itself. Without recursion, since chains of
    /// definitions can be long (Tarjan, "Depth-first search and linear graph algorithms").
    pub fn circles(&self) -> Vec<Vec<Node>> {
        let count = self.count();
        let mut search = Search {
            number: vec![usize::MAX; count],
            low: vec![0; count],
            is_open: vec![false; count],
            open: Vec::new(),
            next: 0,
            circles: Vec::new(),
        };
        for node in 0..count {
            if search.number[node] == usize::MAX {
                search.from(self, node);
            }
        }
        search.circles
    }
}

struct Search {
    number: Vec<usize>,
    low: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<Node>,
    next: usize,
    circles: Vec<Vec<Node>>,
}

impl Search {
    fn from(&mut self, uses: &Uses<'_>, start: Node) {
        let mut path = vec![self.enter(uses, start)];
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            match rest.pop() {
                Some(used) if self.number[used] == usize::MAX => {
                    let entered = self.enter(uses, used);
                    path.push(entered);
                }
                Some(used) => {
                    if self.is_open[used] {
                        self.low[node] = self.low[node].min(self.number[used]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((outer, _)) = path.last() {
                        self.low[*outer] = self.low[*outer].min(self.low[node]);
                    }
                    self.leave(uses, node);
                }
            }
        }
    }

    fn enter(&mut self, uses: &Uses<'_>, node: Node) -> (Node, Vec<Node>) {
        (self.number[node], self.low[node]) = (self.next, self.next);
        self.next += 1;
        self.is_open[node] = true;
        self.open.push(node);
        (node, uses.of(node, true).into_iter().map(|(used, _)| used).collect())
    }

    /// Takes the nodes of a circle, if this was the first of one.
    fn leave(&mut self, uses: &Uses<'_>, node: Node) {
        if self.low[node] != self.number[node] {
            return;
        }
        let at = self.open.iter().rposition(|open| *open == node).unwrap_or(0);
        let mut circle = self.open.split_off(at);
        circle.iter().for_each(|one| self.is_open[*one] = false);
        if circle.len() > 1 || uses.of(node, true).iter().any(|(used, _)| *used == node) {
            circle.sort_unstable();
            self.circles.push(circle);
        }
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
            ExprKind::Apply(id, _) if self.calls => self.nodes.push((id.index(), one.span)),
            ExprKind::Const(id) => {
                let node = self.uses.constant(id.index());
                self.nodes.push((node, one.span));
            }
            ExprKind::Construct(..) | ExprKind::ConstArray(_) => self.sort(one.sort, one.span),
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
