//! What is claimed of the members of processes in all unfoldings: quantifiers over them, tests of their states, and how many
//! of them are in some states.
//!
//! Of an architecture this is a formula for the engine; of one of its unfoldings it is written out, member by member.

use rustc_hash::FxHashMap;

use super::def::{MemberData, MemberFormula, MemberSet};
use crate::diagnostics::{Span, Symbol};
use crate::sema::body::{Body, Resolved};
use crate::sema::leaves::{Leaf, LeafTest, Leaves};
use crate::sema::problems::MemberForm;
use crate::sema::program::{CheckKind, Expr, ExprKind, ProcessId, Sort, StateId};
use crate::sema::question::figure;
use crate::sema::scope::{Meaning, Space};
use crate::sema::walk::each_child;
use crate::syntax::ast::{self, BoundBy, Ident, Operator, Relation};
use crate::syntax::walk::walk;

/// More tests than this are not written out for one unfolding.
const MOST_TESTS: usize = 100_000;

/// Whether a property speaks of members of processes.
pub(in crate::sema) fn speaks_of_members(
    body: &mut Body<'_, '_>,
    expr: &ast::Expr,
    kind: CheckKind,
) -> bool {
    let mut paths: Vec<Ident> = Vec::new();
    walk(expr, &mut |inner| match &inner.kind {
        ast::ExprKind::Quantified(quantified) => {
            for (_, bound) in &quantified.variables {
                if let BoundBy::Members(path) = bound
                    && let [(name, None)] = path.steps.as_slice()
                {
                    paths.push(*name);
                }
            }
        }
        ast::ExprKind::In(test) if matches!(kind, CheckKind::Mutex | CheckKind::AtMost) => {
            if let ast::ExprKind::Name(name) = test.subject.kind {
                paths.push(Ident { name, span: test.subject.span });
            }
        }
        _ => {}
    });
    paths.into_iter().any(|name| process_of(body, name).is_some())
}

fn process_of(body: &mut Body<'_, '_>, name: Ident) -> Option<ProcessId> {
    let path = ast::Path { parts: vec![name] };
    match body.resolve(Space::Components, &path) {
        Resolved::Known(declared, _, []) => match declared.meaning {
            Meaning::Process(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// Reads what is claimed of members.
pub(in crate::sema) struct Reading<'b, 's, 'a> {
    body: &'b mut Body<'s, 'a>,
    /// The variables, innermost last: which process they are members of.
    variables: Vec<(Symbol, ProcessId)>,
    /// What the property is about.
    name: String,
}

impl<'b, 's, 'a> Reading<'b, 's, 'a> {
    pub fn new(body: &'b mut Body<'s, 'a>, name: String) -> Self {
        Reading { body, variables: Vec::new(), name }
    }

    /// The property of a check.
    pub fn property(
        &mut self,
        expr: &ast::Expr,
        kind: CheckKind,
        most: Option<&ast::Expr>,
    ) -> MemberFormula {
        match kind {
            CheckKind::Mutex | CheckKind::AtMost => {
                let most = match most {
                    Some(most) => {
                        let many = figure(self.body, most);
                        num_traits::ToPrimitive::to_usize(&many.unwrap_or_default()).unwrap_or(0)
                    }
                    None => 1,
                };
                let mut sets = Vec::new();
                self.counted(expr, &mut sets);
                MemberFormula::AtMost(most, sets)
            }
            _ => self.formula(expr),
        }
    }

    fn wrong(&mut self, span: Span) -> MemberFormula {
        self.body.report(MemberForm { span, too_large: false });
        MemberFormula::Truth(true)
    }

    fn counted(&mut self, expr: &ast::Expr, sets: &mut Vec<MemberSet>) {
        match &expr.kind {
            ast::ExprKind::Chain(chain)
                if chain.rest.iter().all(|(operator, ..)| *operator == Operator::Or) =>
            {
                let rest = chain.rest.iter().map(|(_, _, operand)| operand);
                std::iter::once(&chain.first).chain(rest).for_each(|one| self.counted(one, sets));
            }
            ast::ExprKind::In(test) if !test.negated => {
                let name = match test.subject.kind {
                    ast::ExprKind::Name(name) => Ident { name, span: test.subject.span },
                    _ => {
                        self.wrong(test.subject.span);
                        return;
                    }
                };
                let Some(process) = self.process(name) else { return };
                let states = self.states(process, &test.against);
                sets.push(MemberSet { process, states });
            }
            _ => {
                self.wrong(expr.span);
            }
        }
    }

    /// The process of a name; reports where it is none.
    fn process(&mut self, name: Ident) -> Option<ProcessId> {
        let found = process_of(self.body, name);
        if found.is_none() && !self.body.is_unparsed(name.name) {
            let known = self.body.names_in(Space::Components, |m| matches!(m, Meaning::Process(_)));
            let similar = self.body.sema.similar(name.name, known);
            let (span, name, parts) = (name.span, name.name.to_string(), Vec::new());
            let is_rule = false;
            let unknown =
                crate::sema::problems::UnknownComponent { span, name, similar, parts, is_rule };
            self.body.report(unknown);
        }
        found
    }

    fn states(&mut self, process: ProcessId, against: &ast::Expr) -> Vec<StateId> {
        let all = match &against.kind {
            ast::ExprKind::Set(elements) => elements.iter().collect(),
            _ => vec![against],
        };
        let mut states = Vec::new();
        for state in all {
            match state.kind {
                ast::ExprKind::Name(name) => {
                    let ident = Ident { name, span: state.span };
                    states.extend(self.body.find_state_of(process, ident));
                }
                _ => {
                    self.wrong(state.span);
                }
            }
        }
        states
    }

    fn formula(&mut self, expr: &ast::Expr) -> MemberFormula {
        match &expr.kind {
            ast::ExprKind::Bool(truth) => MemberFormula::Truth(*truth),
            ast::ExprKind::Not(inner) => not(self.formula(inner)),
            ast::ExprKind::Implies(both) => {
                let (first, second) = (self.formula(&both.0), self.formula(&both.1));
                MemberFormula::Or(vec![not(first), second])
            }
            ast::ExprKind::Chain(chain) => {
                let of = |wanted| chain.rest.iter().all(|(operator, ..)| *operator == wanted);
                let (and, or) = (of(Operator::And), of(Operator::Or));
                if !and && !or {
                    return self.data(expr);
                }
                let rest = chain.rest.iter().map(|(_, _, operand)| operand);
                let all = std::iter::once(&chain.first).chain(rest);
                let all = all.map(|one| self.formula(one)).collect();
                if or { MemberFormula::Or(all) } else { MemberFormula::And(all) }
            }
            ast::ExprKind::In(test) => {
                let ast::ExprKind::Name(name) = test.subject.kind else {
                    return self.data(expr);
                };
                let Some(variable) = self.variable(name) else {
                    return self.wrong(test.subject.span);
                };
                let process = self.variables[variable].1;
                let states = self.states(process, &test.against);
                let found = MemberFormula::In(variable, MemberSet { process, states });
                if test.negated { not(found) } else { found }
            }
            ast::ExprKind::Compare(comparison) => {
                let side = |expr: &ast::Expr| match expr.kind {
                    ast::ExprKind::Name(name) => self.variable(name),
                    _ => None,
                };
                let both = side(&comparison.left).zip(side(&comparison.right));
                match (comparison.relation, both) {
                    (Relation::Equal, Some((a, b))) => MemberFormula::Same(a, b),
                    (Relation::NotEqual, Some((a, b))) => not(MemberFormula::Same(a, b)),
                    _ => self.data(expr),
                }
            }
            ast::ExprKind::Quantified(quantified) => self.quantified(quantified, expr.span),
            ast::ExprKind::Error => {
                self.body.failed = true;
                MemberFormula::Truth(true)
            }
            _ => self.data(expr),
        }
    }

    /// A truth about variables of members. It is read like a property of a net whose leaves are called as the members are.
    fn data(&mut self, expr: &ast::Expr) -> MemberFormula {
        if self.is_about_itself(expr) {
            return self.wrong(expr.span);
        }
        let mut leaves = Leaves::default();
        let mut known: Vec<(Symbol, usize)> = Vec::new();
        for (variable, (name, process)) in self.variables.iter().enumerate().rev() {
            if known.iter().all(|(other, _)| other != name) {
                known.push((*name, variable));
                // A member that is quantified over is declared in no net.
                let (path, declared, families) = (vec![*name], Vec::new(), vec![None]);
                leaves.all.push(Leaf { path, declared, families, process: *process });
            }
        }
        let name = self.name.clone();
        let truth = crate::sema::question::property(self.body, expr, vec![leaves], name);
        let (mut names, mut stray) = (Vec::new(), None);
        truth.each(&mut |inner| {
            if let ExprKind::Leaf(leaf) = &inner.kind {
                let first = leaf.path.first().map(|(ident, _)| ident.name);
                match known.iter().find(|(known, _)| Some(*known) == first && leaf.path.len() > 1) {
                    Some(found) if names.contains(found) => {}
                    Some(found) => names.push(*found),
                    None => stray = stray.or(Some(inner.span)),
                }
            }
            // A name of a state may be any end of a way, which says nothing of a member.
            if matches!(inner.kind, ExprKind::InState(..) | ExprKind::AtMost(_)) {
                stray = stray.or(Some(inner.span));
            }
        });
        match stray {
            Some(span) => self.wrong(span),
            None => MemberFormula::Data(MemberData { truth, names }),
        }
    }

    /// Whether a member stands where a value has to: members are no values, only their variables have some.
    fn is_about_itself(&self, expr: &ast::Expr) -> bool {
        let (mut names, mut bases) = (Vec::new(), Vec::new());
        walk(expr, &mut |inner| match &inner.kind {
            ast::ExprKind::Name(name) if self.variable(*name).is_some() => names.push(inner.span),
            ast::ExprKind::Field(field) => bases.push(field.0.span),
            _ => {}
        });
        names.iter().any(|name| !bases.contains(name))
    }

    /// All members of a process.
    fn all_of(&self, process: ProcessId) -> MemberSet {
        let count = self.body.sema.program.processes[process.index()].states.len();
        MemberSet { process, states: (0..count).map(|at| StateId(at as u32)).collect() }
    }

    fn variable(&self, name: Symbol) -> Option<usize> {
        self.variables.iter().rposition(|(known, _)| *known == name)
    }

    fn quantified(&mut self, quantified: &ast::Quantified, span: Span) -> MemberFormula {
        let before = self.variables.len();
        for (name, bound) in &quantified.variables {
            let found = match bound {
                BoundBy::Members(path) => match path.steps.as_slice() {
                    [(process, None)] => self.process(*process),
                    _ => None,
                },
                _ => None,
            };
            let Some(process) = found else {
                self.variables.truncate(before);
                if !matches!(bound, BoundBy::Members(_)) {
                    return self.wrong(span);
                }
                self.body.failed = true;
                return MemberFormula::Truth(true);
            };
            self.variables.push((name.name, process));
        }
        let mut formula = self.formula(&quantified.body);
        while self.variables.len() > before {
            let (_, process) = self.variables.pop().unwrap_or((Symbol::new(""), ProcessId(0)));
            formula = MemberFormula::Each {
                universal: quantified.universal,
                variable: self.variables.len(),
                members: self.all_of(process),
                body: Box::new(formula),
            };
        }
        formula
    }
}

/// Puts the ways to members in the places of their names.
fn at_members(expr: &mut Expr, ways: &[(Symbol, &[Symbol])]) {
    if let ExprKind::Leaf(leaf) = &mut expr.kind
        && let Some((first, _)) = leaf.path.first().cloned()
        && let Some((_, way)) = ways.iter().find(|(name, _)| *name == first.name)
    {
        let span = first.span;
        let way = way.iter().map(|&name| (Ident { name, span }, None));
        leaf.path.splice(..1, way);
    }
    each_child(expr, &mut |inner| at_members(inner, ways));
}

fn not(one: MemberFormula) -> MemberFormula {
    MemberFormula::Not(Box::new(one))
}

/// Writes a formula out for the leaves of an unfolding.
pub(in crate::sema) struct Writing<'l> {
    pub leaves: &'l [Leaf],
    pub span: Span,
    /// How many tests there may be.
    pub left: usize,
}

impl<'l> Writing<'l> {
    pub fn new(leaves: &'l [Leaf], span: Span) -> Writing<'l> {
        Writing { leaves, span, left: MOST_TESTS }
    }

    /// The formula as a property; nothing where it is too large.
    pub fn written(&mut self, formula: &MemberFormula) -> Option<Expr> {
        self.expr(formula, &mut FxHashMap::default())
    }

    fn expr(&mut self, formula: &MemberFormula, of: &mut FxHashMap<usize, usize>) -> Option<Expr> {
        self.left = self.left.checked_sub(1)?;
        Some(match formula {
            MemberFormula::Truth(truth) => self.truth(*truth),
            MemberFormula::Not(one) => {
                let inner = self.expr(one, of)?;
                self.bool(ExprKind::Not(Box::new(inner)))
            }
            MemberFormula::And(all) => {
                let all: Option<Vec<Expr>> = all.iter().map(|one| self.expr(one, of)).collect();
                super::unfold::joined(all?, Operator::And, self.span)
            }
            MemberFormula::Or(all) => {
                let all: Option<Vec<Expr>> = all.iter().map(|one| self.expr(one, of)).collect();
                super::unfold::joined(all?, Operator::Or, self.span)
            }
            MemberFormula::In(variable, set) => self.test(*of.get(variable)?, set),
            MemberFormula::Data(data) => self.data(data, of)?,
            MemberFormula::Same(a, b) => self.truth(of.get(a)? == of.get(b)?),
            MemberFormula::Each { universal, variable, members, body } => {
                let mut all = Vec::new();
                for at in 0..self.leaves.len() {
                    if self.leaves[at].process == members.process {
                        of.insert(*variable, at);
                        all.push(self.expr(body, of)?);
                    }
                }
                of.remove(variable);
                let operator = if *universal { Operator::And } else { Operator::Or };
                super::unfold::joined(all, operator, self.span)
            }
            MemberFormula::AtMost(most, sets) => self.at_most(*most, sets)?,
        })
    }

    /// A truth about variables, with the ways to the members in the places of their names.
    fn data(&mut self, data: &MemberData, of: &FxHashMap<usize, usize>) -> Option<Expr> {
        let mut ways: Vec<(Symbol, &[Symbol])> = Vec::new();
        for (name, variable) in &data.names {
            ways.push((*name, &self.leaves[*of.get(variable)?].path));
        }
        let mut truth = data.truth.clone();
        at_members(&mut truth, &ways);
        Some(truth)
    }

    fn truth(&self, truth: bool) -> Expr {
        self.bool(ExprKind::Bool(truth))
    }

    fn bool(&self, kind: ExprKind) -> Expr {
        Expr { kind, sort: Sort::Bool, span: self.span }
    }

    fn test(&self, leaf: usize, set: &MemberSet) -> Expr {
        let leaf = &self.leaves[leaf];
        if leaf.process != set.process || set.states.is_empty() {
            return self.truth(false);
        }
        let path = leaf.path.iter().map(|&name| (Ident { name, span: self.span }, None)).collect();
        let (process, states) = (set.process, set.states.clone());
        let test = LeafTest { path, net: 0, process, states, any_of: Vec::new() };
        self.bool(ExprKind::InState(Box::new(test), false))
    }

    /// That of no more members than that a test holds: no larger set of them is so.
    fn at_most(&mut self, most: usize, sets: &[MemberSet]) -> Option<Expr> {
        let mut tests: Vec<Expr> = Vec::new();
        for at in 0..self.leaves.len() {
            let own: Vec<Expr> = sets
                .iter()
                .filter(|set| set.process == self.leaves[at].process)
                .map(|set| self.test(at, set))
                .collect();
            if !own.is_empty() {
                tests.push(super::unfold::joined(own, Operator::Or, self.span));
            }
        }
        let mut all = Vec::new();
        for chosen in itertools::Itertools::combinations(tests.iter(), most + 1) {
            self.left = self.left.checked_sub(most + 1)?;
            let together: Vec<Expr> = chosen.into_iter().cloned().collect();
            let together = super::unfold::joined(together, Operator::And, self.span);
            all.push(self.bool(ExprKind::Not(Box::new(together))));
        }
        Some(super::unfold::joined(all, Operator::And, self.span))
    }
}
