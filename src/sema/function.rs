//! Functions, constants and axioms: their definitions, and the values of constants.

use super::Sema;
use super::body::Body;
use super::fold::Folder;
use super::problems::{ConstantCycle, EmptyRange, MisplacedSet};
use super::program::{AxiomDef, ConstId, Expr, ExprKind, LocalKind, ModuleId, RangeId, Sort};
use super::signatures::report_repeated;
use crate::base::budget::is_spent;
use crate::base::graph::{Topological, topological};
use crate::syntax::ast::{self, ItemKind};

/// Checks all definitions, then folds the constants.
pub(super) fn run(sema: &mut Sema<'_>) {
    let (mut funs, mut consts) = (0, 0);
    for (index, module) in sema.modules.iter().enumerate() {
        let id = ModuleId(index as u32);
        for item in &module.tree.items {
            if is_spent() {
                return;
            }
            match &item.kind {
                ItemKind::Const(constant) => {
                    check_constant(sema, id, consts, constant);
                    consts += 1;
                }
                ItemKind::Fun(_) => {}
                ItemKind::Axiom(axiom) => check_axiom(sema, id, axiom),
                _ => {}
            }
        }
    }
    fold_constants(sema);
    // With the values of constants at hand, ranges in what follows are known.
    for (index, module) in sema.modules.iter().enumerate() {
        for item in &module.tree.items {
            if is_spent() {
                return;
            }
            if let ItemKind::Fun(fun) = &item.kind {
                check_function(sema, ModuleId(index as u32), funs, fun);
                funs += 1;
            }
        }
    }
    recheck_constants(sema);
    sema.endless_instances();
}

fn check_function(sema: &mut Sema<'_>, module: ModuleId, index: usize, fun: &ast::FunDecl) {
    let params = sema.program.funs[index].params.clone();
    let result = sema.program.funs[index].result;
    let over = sema.program.funs[index].sorts.clone();
    let mut body = Body::new(sema, module);
    body.over(over);
    report_repeated(&mut body, "parameter", fun.params.iter().map(|param| param.name));
    for (param, &sort) in fun.params.iter().zip(&params) {
        if matches!(param.sort.kind, ast::SortKind::Actions) {
            body.report(MisplacedSet { span: param.sort.span });
        }
        if body.local(param.name.name).is_none() {
            body.bind(param.name, sort, LocalKind::Parameter);
        } else {
            body.anonymous(param.name.span, sort, LocalKind::Parameter);
        }
    }
    let because = Some((fun.result.span, "the result is declared here".to_owned()));
    let measures = fun.measures.iter().map(|measure| check_measure(&mut body, measure)).collect();
    let definition = fun.body.as_ref().map(|expr| {
        let mut value = body.expr_of(expr, result, because);
        body.check_range(&value, result, Some(fun.result.span));
        body.settle(0);
        body.finish(&mut value);
        value
    });
    let unread = definition.is_some() && !body.failed;
    let locals = std::mem::take(&mut body.locals);
    if unread {
        let is_root = body.sema.modules[module.index()].is_root;
        for (local, reads) in locals.iter().zip(body.reads.clone()) {
            let quiet = local.name.as_str().starts_with('_') || body.is_unparsed(local.name);
            if local.kind == LocalKind::Parameter && reads == 0 && is_root && !quiet {
                let name = local.name.to_string();
                body.report(super::problems::UnusedParameter { span: local.span, name });
            }
        }
    }
    let def = &mut sema.program.funs[index];
    (def.body, def.locals, def.measures) = (definition, locals, measures);
}

/// What `decreases` names: an integer, or a value of a datatype, which is larger than its parts.
fn check_measure(body: &mut Body<'_, '_>, measure: &ast::Expr) -> Expr {
    let mut value = body.expr(measure);
    if !matches!(body.shallow(value.sort), Sort::Data(_)) {
        let because = "what `decreases` names is an integer or a value of a datatype".to_owned();
        if !body.expect(&value, Sort::Int, Some((measure.span, because))) {
            return Expr::error(measure.span);
        }
    }
    body.settle(0);
    body.finish(&mut value);
    value
}

fn check_constant(sema: &mut Sema<'_>, module: ModuleId, index: usize, constant: &ast::ConstDecl) {
    let sort = sema.program.consts[index].sort;
    let mut body = Body::new(sema, module);
    let because = Some((constant.sort.span, "the sort is declared here".to_owned()));
    let definition = constant.value.as_ref().map(|expr| {
        let mut value = body.expr_of(expr, sort, because);
        body.settle(0);
        body.finish(&mut value);
        value
    });
    let locals = std::mem::take(&mut body.locals);
    let def = &mut sema.program.consts[index];
    (def.body, def.locals) = (definition, locals);
}

fn check_axiom(sema: &mut Sema<'_>, module: ModuleId, axiom: &ast::Expr) {
    let mut body = Body::new(sema, module);
    let mut claim = body.expr_of(axiom, Sort::Bool, None);
    body.settle(0);
    body.finish(&mut claim);
    let locals = std::mem::take(&mut body.locals);
    sema.program.axioms.push(AxiomDef { body: claim, locals });
}

/// Folds the constants, each after those it uses, and reports those that use themselves.
fn fold_constants(sema: &mut Sema<'_>) {
    let count = sema.program.consts.len();
    let Topological { order, cycles } = topological(count, |one| used_constants(sema, one));
    for cycle in cycles {
        report_cycle(sema, &cycle);
    }
    for one in order {
        fold(sema, one);
    }
    fold_ranges(sema);
}

fn fold(sema: &mut Sema<'_>, index: usize) {
    let constant = &sema.program.consts[index];
    let folder = Folder { program: &sema.program, locals: &constant.locals };
    let value = constant.body.as_ref().and_then(|body| folder.value(body));
    sema.program.consts[index].value = value;
}

fn used_constants(sema: &Sema<'_>, index: usize) -> Vec<usize> {
    let mut used = Vec::new();
    let Some(body) = &sema.program.consts[index].body else { return used };
    body.each(&mut |expr| {
        if let ExprKind::Const(ConstId(id)) = expr.kind {
            used.push(id as usize);
        }
    });
    used
}

fn report_cycle(sema: &mut Sema<'_>, cycle: &[usize]) {
    let named = sema.program.consts[cycle[0]].named;
    let names = cycle.iter().chain(&cycle[..1]);
    let names = names.map(|&one| sema.program.consts[one].named.name.to_string()).collect();
    sema.report(ConstantCycle { span: named.span, cycle: names });
    sema.program.consts[cycle[0]].body = None;
}

/// The bounds of the ranges in signatures, which may use constants.
fn fold_ranges(sema: &mut Sema<'_>) {
    for index in 0..sema.program.ranges.len() {
        let range = &sema.program.ranges[index];
        if range.known.is_some() {
            continue;
        }
        let folder = Folder { program: &sema.program, locals: &[] };
        let known = folder.integer(&range.low).zip(folder.integer(&range.high));
        let span = range.low.span.to(range.high.span);
        if let Some((low, high)) = &known
            && low >= high
        {
            sema.report(EmptyRange { span, low: low.to_string(), high: high.to_string() });
        }
        sema.program.ranges[RangeId(index as u32).index()].known = known;
    }
}

/// Reports constants whose value is outside their range, now that both are known.
fn recheck_constants(sema: &mut Sema<'_>) {
    for index in 0..sema.program.consts.len() {
        let constant = &sema.program.consts[index];
        let Some(value): Option<Expr> = constant.body.clone() else { continue };
        let (sort, module) = (constant.sort, constant.named.module);
        let mut body = Body::new(sema, module);
        body.check_range(&value, sort, None);
    }
}
