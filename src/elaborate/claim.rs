//! Claims about data alone, as nets in which nothing happens.

use super::build::Builder;
use super::lower::{MOST_UNFOLDS, Scope};
use super::problems::ElaborationProblem;
use super::{ElaborateOptions, unless_spent};
use crate::algebra::{TermId, VarId, VariableKind};
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Content, PNet, Plts, PltsStateId, State};
use crate::sema::program::{Expr, ExprKind, Local, LocalId, Program};

/// A claim about data.
#[derive(Debug)]
pub struct DataClaim {
    /// A net whose only process has the variables of the outermost `forall`, with any values, and does nothing.
    pub net: PNet,
    /// These variables.
    pub variables: Vec<VarId>,
    /// What is claimed of them: it has a value, and this is true.
    pub holds: TermId,
}

/// Makes the net of a claim about data.
pub fn data_claim(
    program: &Program,
    (expr, locals): (&Expr, &[Local]),
    options: &ElaborateOptions,
) -> Result<DataClaim, Vec<ElaborationProblem>> {
    let mut builder = Builder::new(program, options);
    if builder.start().is_none() {
        return unless_spent(Err(builder.problems));
    }
    let (ids, body) = stripped(expr);
    let mut scope = Scope::new(locals);
    let mut lowering = builder.lowering();
    lowering.unfolds = MOST_UNFOLDS;
    let variables = ids.iter().map(|&id| lowering.local_var(id, &mut scope, VariableKind::State));
    let variables: Vec<VarId> = variables.collect();
    let says = lowering.term(body, &scope);
    let owed: Vec<TermId> = lowering.owed.iter().map(|owed| owed.term).collect();
    // A claim that reads what has no value does not hold.
    let holds = builder.terms.and(owed.into_iter().chain([says]));
    let texts = ids.iter().map(|id| locals[id.index()].span).collect();
    let leaf = still(&mut builder, &variables, texts, expr.span);
    if !builder.problems.is_empty() {
        return unless_spent(Err(builder.problems));
    }
    let net = builder.whole((Symbol::new("data"), leaf));
    unless_spent(Ok(DataClaim { net, variables, holds }))
}

/// The variables of the quantifiers around a claim, and what stands inside.
fn stripped(expr: &Expr) -> (Vec<LocalId>, &Expr) {
    let (mut ids, mut body) = (Vec::new(), expr);
    while let ExprKind::Quantified(true, more, inner) = &body.kind {
        ids.extend(more);
        body = inner;
    }
    (ids, body)
}

/// A process with these variables that does nothing.
fn still(builder: &mut Builder<'_>, vars: &[VarId], texts: Vec<Span>, text: Span) -> Content {
    let origin = builder.origins.add(text, None);
    let state = State { name: Symbol::new("s"), is_final: true, text };
    Content::Leaf(builder.draft.plts.push(Plts {
        name: Symbol::new("data"),
        states: std::iter::once(state).collect(),
        initial: PltsStateId(0),
        variables: vars.iter().map(|&var| (var, None)).collect(),
        variable_texts: texts,
        transitions: std::iter::empty().collect(),
        origin,
    }))
}
