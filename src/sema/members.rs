//! Indices of families in properties: that there are such members.
//!
//! A number that is no index is wrong wherever it stands. A variable of a quantifier is wrong where its values lead outside
//! and nothing decides before whether the member is read: in `i < 2 => A[i].n >= 0` something does.

use num_bigint::BigInt;

use super::body::Body;
use super::leaves::{Family, Leaf, Property};
use super::problems::{AmbiguousPath, IndexOutOfFamily, UnrangedIndex};
use super::program::{CountedMembers, Expr, ExprKind, LeafPath, LocalId, LocalKind, Sort};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{Ident, Operator};

/// An index of a property, the name that has it, and whether it is certainly read.
struct Read<'e> {
    name: Ident,
    index: &'e Expr,
    family: Family,
    certain: bool,
}

impl Body<'_, '_> {
    /// Reports indices of a property that lead outside of their families.
    pub fn members_exist(&mut self, expr: &Expr, property: &Property) {
        let mut all = Vec::new();
        self.reads(expr, property, true, &mut all);
        all.iter().for_each(|read| self.member_exists(read));
    }

    /// Collects what is read of families.
    fn reads<'e>(
        &self,
        expr: &'e Expr,
        property: &Property,
        certain: bool,
        all: &mut Vec<Read<'e>>,
    ) {
        match &expr.kind {
            ExprKind::Leaf(one) => {
                self.read_path(&one.path, (property, one.net), true, certain, all)
            }
            ExprKind::InState(one, _) => {
                self.read_path(&one.path, (property, one.net), false, certain, all);
            }
            _ => {}
        }
        if let ExprKind::AtMost(count) = &expr.kind {
            for CountedMembers { test, .. } in &count.members {
                self.read_path(&test.path, (property, test.net), false, certain, all);
            }
        }
        let mut first = true;
        let decides = decides(expr);
        expr.each_inside(&mut |inner| {
            self.reads(inner, property, certain && (first || !decides), all);
            first = false;
        });
    }

    fn read_path<'e>(
        &self,
        path: &'e LeafPath,
        (property, net): (&Property, usize),
        variable: bool,
        certain: bool,
        all: &mut Vec<Read<'e>>,
    ) {
        let names: Vec<Symbol> = path.iter().map(|(ident, _)| ident.name).collect();
        let Some(leaf) = self.only_leaf(property, &names, net, variable) else { return };
        let way = &path[..path.len() - usize::from(variable)];
        let families = &leaf.families[leaf.families.len().saturating_sub(way.len())..];
        for ((name, index), family) in way.iter().zip(families) {
            if let (Some(index), Some(family)) = (index, family) {
                all.push(Read { name: *name, index, family: family.clone(), certain });
            }
        }
    }

    fn member_exists(&mut self, read: &Read<'_>) {
        let Some((low, high)) = &read.family.known else { return };
        if low >= high {
            return;
        }
        let range = format!("{low}..{high}");
        match self.outside(read, (low, high)) {
            Some(index) => self.report(IndexOutOfFamily {
                span: read.index.span,
                name: read.name.name.to_string(),
                index: index.to_string(),
                range,
                declared: Some(read.family.declared),
            }),
            None => self.has_range(read, range),
        }
    }

    /// An index that is certainly taken, and that no member has.
    fn outside(&self, read: &Read<'_>, (low, high): (&BigInt, &BigInt)) -> Option<BigInt> {
        let (least, most) = self.folder().interval(read.index)?;
        let is_number = least == most;
        if !(is_number || read.certain && self.takes_every_value(read.index)) {
            return None;
        }
        if !is_number || read.certain || matches!(read.index.kind, ExprKind::Int(_)) {
            return [most, least].into_iter().find(|index| index < low || index >= high);
        }
        None
    }

    /// Reports a variable of a quantifier over all integers that is an index.
    fn has_range(&mut self, read: &Read<'_>, range: String) {
        let ExprKind::Local(id) = read.index.kind else { return };
        let local = &self.locals[id.index()];
        if read.certain && local.kind == LocalKind::Quantified && local.sort == Sort::Int {
            let (variable, declared) = (local.name.to_string(), local.span);
            let (span, name) = (read.index.span, read.name.name.to_string());
            self.report(UnrangedIndex { span, variable, declared, name, range });
        }
    }

    /// Whether a path that leaves out a family means one member of it; reports it where there are several.
    pub fn is_one_member(
        &mut self,
        leaf: &Leaf,
        (way, variable): (&[Ident], Option<Ident>),
        span: Span,
    ) -> bool {
        let left_out = leaf.families.len().saturating_sub(way.len());
        let ranges = leaf.families[..left_out].iter().flatten();
        let several = |(low, high): &&(BigInt, BigInt)| high > &(low + 1);
        if !ranges.filter_map(|family| family.known.as_ref()).any(|range| several(&range)) {
            return true;
        }
        let shown = |number: u32| {
            let with_index = |(name, family): (&Symbol, &Option<Family>)| match family {
                None => name.to_string(),
                Some(family) => format!("{name}[{}]", family.nth(number)),
            };
            let way = leaf.path.iter().zip(&leaf.families).map(with_index);
            let variable = variable.map(|one| one.name.to_string());
            way.chain(variable).collect::<Vec<_>>().join(".")
        };
        let written = way.iter().chain(&variable).map(|one| one.name.as_str());
        let name = written.collect::<Vec<_>>().join(".");
        self.report(AmbiguousPath { span, name, candidates: vec![shown(0), shown(1)] });
        false
    }

    /// Whether an expression takes both bounds of its interval: one index of `for` or of a family, or one variable of a
    /// quantifier, plus or minus constants.
    pub fn takes_every_value(&self, expr: &Expr) -> bool {
        let is_index = |expr: &Expr| match expr.kind {
            ExprKind::Local(id) => self.goes_through(id),
            _ => false,
        };
        match &expr.kind {
            ExprKind::Chain(chain) => {
                let sums = |(operator, _): &(Operator, Expr)| {
                    matches!(operator, Operator::Add | Operator::Subtract)
                };
                let operands = std::iter::once(&chain.0).chain(chain.1.iter().map(|(_, e)| e));
                let (indices, others): (Vec<&Expr>, Vec<&Expr>) =
                    operands.partition(|e| is_index(e));
                let constant = |e: &&Expr| matches!(e.kind, ExprKind::Int(_) | ExprKind::Const(_));
                chain.1.iter().all(sums) && indices.len() == 1 && others.iter().all(constant)
            }
            _ => is_index(expr),
        }
    }

    fn goes_through(&self, id: LocalId) -> bool {
        let kind = self.locals[id.index()].kind;
        matches!(kind, LocalKind::Index | LocalKind::Quantified | LocalKind::Member)
    }
}

/// Whether the first part of an expression decides if the others are read.
fn decides(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Implies(_) | ExprKind::If(_) | ExprKind::Match(_) => true,
        ExprKind::Chain(chain) => {
            chain.1.iter().any(|(operator, _)| matches!(operator, Operator::And | Operator::Or))
        }
        _ => false,
    }
}
