//! Which call does not end, and why: in the words of the model.

use super::group::{Answer, Group, Other, Way};
use super::linear::{Linear, Work};
use super::measure::at_call;
use super::path::Case;
use super::term::{Form, TermId};
use super::uses::{Node, Uses};
use crate::diagnostics::Span;
use crate::sema::Sema;
use crate::sema::problems::{EndlessRecursion, EndlessWhy};
use crate::sema::program::{Expr, ExprKind, FunId, Program, Sort};
use crate::sema::walk::each_child;
use crate::syntax::ast::{self, ItemKind, Relation};

/// How many conditions are changed to see whether that helps.
const MOST_CHANGES: usize = 4;

/// The problem of calls that may follow each other for ever.
pub(super) fn report(
    sema: &Sema<'_>,
    uses: &Uses<'_>,
    circle: &[Node],
    group: &mut Group<'_>,
    ways: &[Way],
) -> EndlessRecursion {
    let worst = ways.iter().position(|way| stays(group, *way)).unwrap_or(0);
    let way = ways[worst];
    let (from, to, span) = step(group, way);
    let names = |ways: &[Way]| -> Vec<String> {
        let start = ways.first().map(|way| uses.name(circle[step(group, *way).0]));
        let rest = ways.iter().map(|way| uses.name(circle[step(group, *way).1]));
        start.into_iter().chain(rest).collect()
    };
    let others = ways.iter().map(|way| step(group, *way)).filter(|other| other.2 != span);
    let others = others.map(|(_, to, span)| (span, uses.name(circle[to]))).collect();
    let cycle = names(ways);
    let why = if way.0 < group.calls.len() { why(group, way) } else { EndlessWhy::NoCall };
    let caller = group.functions.get(from).copied();
    EndlessRecursion {
        span,
        caller: uses.name(circle[from]),
        callee: uses.name(circle[to]),
        why,
        cycle,
        others,
        named: caller.and_then(|id| named(group.program, id)),
        edit: caller.and_then(|id| mended(sema, group, id)),
    }
}

/// The problem of functions that cannot be judged.
pub(super) fn too_complex(uses: &Uses<'_>, circle: &[Node], group: &Group<'_>) -> EndlessRecursion {
    let calls = group.calls.iter().map(|(from, call)| (*from, call.to, call.span));
    let others = group.others.iter().map(|other| (other.from, other.to, other.span));
    let first = group.program.funs[group.functions[0].index()].named.span;
    let (from, to, span) = calls.chain(others).next().unwrap_or((0, 0, first));
    EndlessRecursion {
        span,
        caller: uses.name(circle[from]),
        callee: uses.name(circle[to]),
        why: EndlessWhy::TooComplex,
        cycle: Vec::new(),
        others: Vec::new(),
        named: None,
        edit: None,
    }
}

/// Who uses whom in a step of a circle, and where.
fn step(group: &Group<'_>, way: Way) -> (usize, usize, Span) {
    match group.calls.get(way.0) {
        Some((from, call)) => (*from, call.to, call.span),
        None => {
            let Other { from, to, span } = group.others[way.0 - group.calls.len()];
            (from, to, span)
        }
    }
}

fn named(program: &Program, id: FunId) -> Option<Span> {
    let measures = &program.funs[id.index()].measures;
    Some(measures.first()?.span.to(measures.last()?.span))
}

/// The measures before and after a call, of the caller and the callee.
fn changes(group: &mut Group<'_>, way: Way) -> Vec<(Linear, Linear)> {
    let Some((from, call)) = group.calls.get(way.0) else { return Vec::new() };
    let of = (call.to, call.args.as_slice());
    let mut found = Vec::new();
    for before in &group.measures[*from].all {
        for (at, after) in group.measures[call.to].all.iter().enumerate() {
            // A function's own measure is compared with itself.
            if *from == call.to && group.measures[*from].all.get(at) != Some(before) {
                continue;
            }
            if let Some(after) = at_call(&mut group.terms, group.program, after, of) {
                found.push((before.clone(), after));
            }
        }
    }
    found
}

/// Whether nothing becomes smaller in this step that has a lower bound.
fn stays(group: &mut Group<'_>, way: Way) -> bool {
    let changes = changes(group, way);
    let Some((_, call)) = group.calls.get(way.0) else { return true };
    let facts = &call.path[way.1].facts;
    let work = &mut Work::new(100_000);
    !changes.iter().any(|(before, after)| {
        let less = before.minus(after).and_then(|less| less.add(-1));
        less.is_some_and(|less| facts.imply(&less, work)) && facts.bound_below(before, work)
    })
}

fn why(group: &mut Group<'_>, way: Way) -> EndlessWhy {
    let changes = changes(group, way);
    let (from, call) = &group.calls[way.0];
    let case = &call.path[way.1];
    let work = &mut Work::new(100_000);
    for (before, after) in &changes {
        let less = before.minus(after).and_then(|less| less.add(-1));
        if less.is_some_and(|less| case.facts.imply(&less, work))
            && !case.facts.bound_below(before, work)
        {
            return EndlessWhy::Unbounded(show(group, before));
        }
    }
    if let Some(part) = call.args.iter().find_map(|arg| unknown_part(group, case, *arg)) {
        return part;
    }
    let is_same = |(at, arg): (usize, &TermId)| matches!(group.terms.get(*arg), Form::Local(of, local) if of == from && local.index() == at);
    if *from == call.to && call.args.iter().enumerate().all(is_same) {
        return EndlessWhy::Same;
    }
    EndlessWhy::NotSmaller
}

/// A part of a value that may have been made by another constructor.
fn unknown_part(group: &Group<'_>, case: &Case, term: TermId) -> Option<EndlessWhy> {
    let Form::Select(data, index, _, inner) = group.terms.get(term) else { return None };
    if case.is_made_by(*inner, *index) {
        return unknown_part(group, case, *inner);
    }
    let constructor = &group.program.datas[data.index()].constructors[*index as usize];
    let holes = vec!["_".to_owned(); constructor.fields.len()];
    Some(EndlessWhy::UnknownPart {
        part: show_term(group, term),
        whole: show_term(group, *inner),
        test: crate::sema::pattern::constructor_name(constructor.name.name, &holes),
    })
}

// ---- terms in words ----

fn show(group: &Group<'_>, term: &Linear) -> String {
    let mut text = String::new();
    // What is added comes first.
    let (more, less): (Vec<_>, Vec<_>) = term.parts.iter().copied().partition(|part| part.1 > 0);
    for (atom, factor) in more.into_iter().chain(less) {
        let sign = match (text.is_empty(), factor < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        if factor.abs() != 1 {
            text.push_str(&format!("{} * ", factor.abs()));
        }
        text.push_str(&show_term(group, atom));
    }
    text
}

fn show_term(group: &Group<'_>, term: TermId) -> String {
    let program = group.program;
    match group.terms.get(term) {
        Form::Local(function, local) => {
            let fun = &program.funs[group.functions[*function].index()];
            fun.locals[local.index()].name.to_string()
        }
        Form::Const(id) => program.consts[id.index()].named.name.to_string(),
        Form::Select(data, index, field, inner) => {
            let constructor = &program.datas[data.index()].constructors[*index as usize];
            let field = constructor.fields[*field as usize].0.name;
            format!("{}.{field}", show_term(group, *inner))
        }
        Form::Size(inner) => show_term(group, *inner),
        _ => "…".to_owned(),
    }
}

// ---- what would mend it ----

/// A sign in a condition of the function with which it would end: `n <= 0` for `n == 0`.
fn mended(sema: &Sema<'_>, group: &Group<'_>, id: FunId) -> Option<(Span, String)> {
    let program = group.program;
    let place = group.functions.iter().position(|one| *one == id)?;
    let bodies = super::bodies(program, &group.functions)?;
    let mut equalities = Vec::new();
    bodies[place].each(&mut |expr| {
        if let ExprKind::Compare(Relation::Equal, both) = &expr.kind
            && matches!(both.0.sort, Sort::Int | Sort::Range(_))
        {
            equalities.push(expr.span);
        }
    });
    for span in equalities.into_iter().take(MOST_CHANGES) {
        for relation in [Relation::LessEqual, Relation::GreaterEqual] {
            let mut changed = bodies.clone();
            replace(&mut changed[place], span, relation);
            let others = group.others.iter();
            let others = others.map(|o| Other { from: o.from, to: o.to, span: o.span }).collect();
            let mut group = Group::new(program, &group.functions, &changed, others);
            if matches!(group.answer(), Answer::Ends) {
                let sign = sign_of(sema, id, span)?;
                return Some((sign, relation.spelling().to_owned()));
            }
        }
    }
    None
}

fn replace(expr: &mut Expr, span: Span, relation: Relation) {
    if expr.span == span
        && let ExprKind::Compare(known, _) = &mut expr.kind
    {
        *known = relation;
    }
    each_child(expr, &mut |inner| replace(inner, span, relation));
}

/// Where the sign of a comparison stands.
fn sign_of(sema: &Sema<'_>, id: FunId, comparison: Span) -> Option<Span> {
    let named = sema.program.funs[id.index()].named;
    let items = &sema.modules[named.module.index()].tree.items;
    let body = items.iter().find_map(|item| match &item.kind {
        ItemKind::Fun(fun) if fun.name.span == named.span => fun.body.as_ref(),
        _ => None,
    })?;
    let mut sign = None;
    crate::syntax::walk::walk(body, &mut |expr| {
        if let ast::ExprKind::Compare(found) = &expr.kind
            && expr.span == comparison
        {
            sign = Some(found.sign);
        }
    });
    sign
}
