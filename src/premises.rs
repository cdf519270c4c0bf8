//! What a net needs to have a meaning: its sorts have values, and values that no step gives are those of their sorts.
//!
//! Input: a net that was elaborated, with its premises. Output: the problems, for each premise that does not follow from
//! the axioms, or of which the solver does not know. Where constants were set, the axioms must allow their values.

use rustc_hash::FxHashSet;

use crate::algebra::TermId;
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::elaborate::ElaborateOptions;
use crate::elaborate::problems::{
    ContradictingSettings, ElaborationProblem, EmptySort, ValueOutside,
};
use crate::emit;
use crate::pnet::is_open_world;
use crate::pnet::{PNet, Premise, PremiseKind};
use crate::sema::program::Program;
use crate::smt::Answer;
use crate::smt::Oracle;
use crate::smt::OracleOptions;

/// The premises of a net that do not follow from the axioms.
pub fn unmet(net: &PNet, program: &Program, options: &ElaborateOptions) -> Vec<ElaborationProblem> {
    if net.premises.is_empty() && options.set.is_empty() {
        return Vec::new();
    }
    let mut terms = net.terms.clone();
    let mut oracle = Oracle::new(&net.algebra, is_open_world(net), OracleOptions::default());
    let yes = terms.bool(true);
    if !options.set.is_empty()
        && !net.algebra.axioms.is_empty()
        && oracle.check(&mut terms, &[yes]) == Answer::Unsat
    {
        return vec![contradiction(net, program, options).into()];
    }
    let mut problems = Vec::new();
    // What was asked for once is taken to be there: an axiom that mends one place mends the others.
    let mut question: Vec<TermId> = Vec::new();
    let mut empty: FxHashSet<(TermId, TermId)> = FxHashSet::default();
    for premise in &net.premises {
        question.push(terms.not(premise.term));
        let answer = oracle.check(&mut terms, &question);
        question.pop();
        let why = match answer {
            Answer::Unsat => continue,
            // Nobody waits for the answer: what comes next will say so.
            Answer::Unknown(_) if is_spent() => return Vec::new(),
            Answer::Sat => None,
            Answer::Unknown(why) => Some(why),
        };
        if terms.as_bool(premise.term) != Some(false) {
            question.push(premise.term);
        } else if !is_news(premise.kind, &mut empty) {
            continue;
        }
        problems.push(problem(net, premise, why));
    }
    problems
}

/// Whether a premise that is false says more than those before: of a range without values it is said once, and where
/// there is one, values that lie outside of ranges are no wonder.
fn is_news(kind: PremiseKind, empty: &mut FxHashSet<(TermId, TermId)>) -> bool {
    match kind {
        PremiseKind::Inhabited(low, high) => empty.insert((low, high)),
        PremiseKind::Value(_) => empty.is_empty(),
    }
}

fn problem(net: &PNet, premise: &Premise, unknown: Option<String>) -> ElaborationProblem {
    let needs = (net.terms.as_bool(premise.term) != Some(false))
        .then(|| emit::label::term(net, premise.term));
    let chain = net.origins.chain_of(premise.instance).into_iter();
    let chain = chain
        .map(|i| (i.span, format!("in `{}`, an instance of `{}` made here", i.part, i.component)))
        .collect();
    let span = premise.text;
    match premise.kind {
        PremiseKind::Inhabited(..) => EmptySort { span, needs, unknown, chain }.into(),
        PremiseKind::Value(kind) => ValueOutside { span, kind, needs, unknown, chain }.into(),
    }
}

/// The axiom that is false by itself, or else the first.
fn contradiction(
    net: &PNet,
    program: &Program,
    options: &ElaborateOptions,
) -> ContradictingSettings {
    let is_false = |axiom: &TermId| net.terms.as_bool(*axiom) == Some(false);
    let place = net.algebra.axioms.iter().position(is_false).unwrap_or_default();
    let span = program.axioms.get(place).map_or_else(Span::default, |axiom| axiom.body.span);
    let settings = options.set.texts(program);
    let settings: Vec<String> = settings.iter().map(|text| format!("--set {text}")).collect();
    ContradictingSettings { span, settings: settings.join(" ") }
}
