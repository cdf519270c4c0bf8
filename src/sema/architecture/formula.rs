//! What rules claim: formulas about the states of names.

use super::def::{NeverFormula, NeverTest, RuleName};
use crate::diagnostics::{Span, Symbol};
use crate::sema::Sema;
use crate::sema::leaf_names::{Written, written};
use crate::sema::leaves::leaves_of;
use crate::sema::problems::{ClaimForm, UnknownState};
use crate::sema::program::{Instance, ModuleId, ProcessId};
use crate::syntax::ast::{self, ExprKind, Ident, Operator};

/// Reads the claims of one rule.
pub(super) struct Asking<'s, 'a, 'n> {
    sema: &'s mut Sema<'a>,
    module: ModuleId,
    names: &'n [RuleName],
    classes: &'n [Vec<usize>],
    /// Of each kind, its leaves: the ways to them, and what they are.
    leaves: Vec<Vec<(Vec<Symbol>, ProcessId)>>,
    /// Names that the rule does not have.
    pub strangers: Vec<Ident>,
    /// Whether something is wrong.
    pub failed: bool,
}

impl<'s, 'a, 'n> Asking<'s, 'a, 'n> {
    pub fn new(
        sema: &'s mut Sema<'a>,
        module: ModuleId,
        (names, classes): (&'n [RuleName], &'n [Vec<usize>]),
        kinds: &[&Instance],
    ) -> Self {
        let leaves = kinds.iter().map(|kind| {
            let all = leaves_of(sema, kind).all.into_iter();
            all.map(|leaf| (leaf.path, leaf.process)).collect()
        });
        let leaves = leaves.collect();
        Asking { sema, module, names, classes, leaves, strangers: Vec::new(), failed: false }
    }

    pub fn formula(&mut self, expr: &ast::Expr) -> NeverFormula {
        match &expr.kind {
            ExprKind::Bool(truth) => NeverFormula::Truth(*truth),
            ExprKind::Not(inner) => NeverFormula::Not(Box::new(self.formula(inner))),
            ExprKind::Implies(both) => {
                let first = NeverFormula::Not(Box::new(self.formula(&both.0)));
                NeverFormula::Or(vec![first, self.formula(&both.1)])
            }
            ExprKind::Chain(chain) => {
                let operators = chain.rest.iter().map(|(operator, _, _)| *operator);
                let any = operators.clone().all(|operator| operator == Operator::Or);
                if !any && !operators.clone().all(|operator| operator == Operator::And) {
                    return self.no_claim(expr.span);
                }
                let rest = chain.rest.iter().map(|(_, _, operand)| operand);
                let all = std::iter::once(&chain.first).chain(rest);
                let all: Vec<NeverFormula> = all.map(|part| self.formula(part)).collect();
                if any { NeverFormula::Or(all) } else { NeverFormula::And(all) }
            }
            ExprKind::In(test) => {
                let found = self.test(&test.subject, &test.against, expr.span);
                if test.negated { NeverFormula::Not(Box::new(found)) } else { found }
            }
            ExprKind::Error => {
                self.failed = true;
                NeverFormula::Truth(false)
            }
            _ => self.no_claim(expr.span),
        }
    }

    fn no_claim(&mut self, span: Span) -> NeverFormula {
        self.failed = true;
        self.sema.report(ClaimForm { span });
        NeverFormula::Truth(false)
    }

    fn test(&mut self, subject: &ast::Expr, against: &ast::Expr, span: Span) -> NeverFormula {
        let plain = |path: &Written<'_>| path.iter().all(|one| one.1.is_none());
        let Some(path) = written(subject).filter(plain) else { return self.no_claim(subject.span) };
        let states = match &against.kind {
            ExprKind::Set(elements) => elements.iter().collect(),
            _ => vec![against],
        };
        let mut named = Vec::with_capacity(states.len());
        for state in states {
            match state.kind {
                ExprKind::Name(name) => named.push(Ident { name, span: state.span }),
                ExprKind::Error => self.failed = true,
                _ => return self.no_claim(state.span),
            }
        }
        let path: Vec<Ident> = path.into_iter().map(|(ident, _)| ident).collect();
        let Some(name) = self.names.iter().position(|name| name.ident.name == path[0].name) else {
            self.strangers.push(path[0]);
            self.failed = true;
            return NeverFormula::Truth(false);
        };
        self.sema.names_component(path[0], self.names[name].ident);
        self.are_states(name, &path, &named);
        let states = named.iter().map(|state| state.name).collect();
        NeverFormula::In(NeverTest { name, path: path[1..].to_vec(), states, span })
    }

    /// Notes states by the first process that has them.
    fn names_states(&mut self, processes: &[ProcessId], states: &[Ident]) {
        for ident in states {
            let of = |id: &ProcessId| self.sema.program.processes[id.index()].states.iter();
            let found = processes.iter().flat_map(of).find(|one| one.name.name == ident.name);
            if let Some(declared) = found.map(|state| state.name.span) {
                self.sema.occurs(*ident, declared, crate::sema::NameKind::State);
            }
        }
    }

    /// Whether a component that can stand behind a name has these states.
    fn are_states(&mut self, name: usize, path: &[Ident], states: &[Ident]) {
        let kinds = &self.classes[self.names[name].class];
        let way: Vec<Symbol> = path[1..].iter().map(|one| one.name).collect();
        let leaves = kinds.iter().flat_map(|&kind| &self.leaves[kind]);
        let fits = leaves.filter(|(path, _)| *path == way);
        let mut processes: Vec<ProcessId> = fits.map(|(_, process)| *process).collect();
        processes.dedup();
        if kinds.is_empty() {
            return;
        }
        if processes.is_empty() {
            let span = path[0].span.to(path[path.len() - 1].span);
            self.no_claim(span);
            return;
        }
        self.names_states(&processes, states);
        let has_gaps = |process: &ProcessId| self.sema.process_facts[process.index()].has_gaps;
        let unclear = processes.iter().any(has_gaps);
        let known: Vec<Symbol> = processes
            .iter()
            .flat_map(|process| &self.sema.program.processes[process.index()].states)
            .map(|state| state.name.name)
            .collect();
        let unparsed =
            |state: &Ident| self.sema.scopes[self.module.index()].unparsed.contains(&state.name);
        let wrong: Vec<Ident> = states
            .iter()
            .filter(|state| !known.contains(&state.name) && !unclear && !unparsed(state))
            .copied()
            .collect();
        for state in wrong {
            self.failed = true;
            let similar = self.sema.similar(state.name, known.iter().map(|one| one.as_str()));
            let names = processes
                .iter()
                .map(|process| self.sema.program.processes[process.index()].named.name.to_string());
            let process = names.collect::<Vec<_>>().join("` or `");
            let (span, name) = (state.span, state.name.to_string());
            self.sema.report(UnknownState { span, name, process, similar });
        }
    }
}
