//! Values of the wrong sort, too many arguments, and forms that are missing.

use std::ops::Range;

use pnetc::diagnostics::Span;
use pnetc::syntax::ast::{
    Expr, ExprKind, ItemKind, NetBody, ProcessStatementKind, SortKind, Transition,
};

use super::{Base, Kind, Plant, What, range};
use crate::common::Random;

pub const KINDS: &[Kind] = &[
    ("wrong number of arguments of an action", wrong_arity),
    ("wrong number of arguments of a function", argument_count),
    ("wrong sort in a guard", wrong_sort_in_guard),
    ("wrong sort in an assignment", |base, random| {
        in_assignment(
            base,
            random,
            "wrong sort in an assignment",
            |sort| match sort {
                "Bool" => Some("and 1"),
                "Int" => Some("+ true"),
                _ => None,
            },
            &["T0101"],
        )
    }),
    ("wrong sort of an argument", wrong_sort_of_argument),
    ("division by zero", |base, random| {
        let wrong = |sort: &str| (sort == "Int").then_some("+ 1 div 0");
        in_assignment(base, random, "division by zero", wrong, &["T0112"])
    }),
    ("value outside its range", out_of_range),
    ("empty range", |base, random| {
        let vars: Vec<_> =
            base.statements().into_iter().filter(|s| matches!(s.what, What::Var(_))).collect();
        let statement = random.pick_some(&vars)?;
        let text = "var _never: 3..3;".to_owned();
        Some(base.after("empty range", &statement.range, text, &["T0114"]))
    }),
    ("missing arm", missing_arm),
    ("wrong number of values", value_count),
    ("too many fillings", hole_count),
    ("one net too few", check_arguments),
];

/// An expression with something wrong after it.
fn spoilt(
    base: &Base,
    kind: &'static str,
    statement: &Range<usize>,
    expr: Span,
    with: &str,
    codes: &'static [&'static str],
) -> Plant {
    let expr = range(expr);
    let mut plant =
        base.in_statement(kind, statement, (expr.start..expr.start, "(".to_owned()), codes);
    plant.edits.push((expr.end..expr.end, format!(") {with}")));
    plant
}

/// All transitions, each with its statement and its process.
fn transitions(base: &Base) -> Vec<(Range<usize>, &Transition, usize)> {
    let mut all = Vec::new();
    for statement in base.statements() {
        if let What::Transition(transition) = statement.what {
            all.push((statement.range, transition, statement.item));
        }
    }
    all
}

fn wrong_arity(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for (statement, transition, _) in transitions(base) {
        let (name, arity, edit) = match &transition.action.kind {
            ExprKind::Name(name) => {
                let end = range(transition.action.span).end;
                (name.as_str(), 1, (end..end, "(1)".to_owned()))
            }
            ExprKind::Call(call) => {
                let end = range(transition.action.span).end - 1;
                (
                    call.callee.parts[0].name.as_str(),
                    call.args.len() + 1,
                    (end..end, ", 1".to_owned()),
                )
            }
            _ => continue,
        };
        let arities = base.action_arities(name);
        if !arities.is_empty() && !arities.contains(&arity) {
            found.push((statement, edit));
        }
    }
    let (statement, edit) = random.pick_some(&found)?.clone();
    Some(base.in_statement("wrong number of arguments of an action", &statement, edit, &["N0204"]))
}

fn argument_count(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        for expr in Base::expressions(&statement.what) {
            if let ExprKind::Call(call) = &expr.kind
                && !call.args.is_empty()
            {
                let end = range(expr.span).end - 1;
                found.push((statement.range.clone(), end));
            }
        }
    }
    let (statement, end) = random.pick_some(&found)?.clone();
    let edit = (end..end, ", 1".to_owned());
    Some(base.in_statement("wrong number of arguments of a function", &statement, edit, &["T0102"]))
}

fn wrong_sort_in_guard(base: &Base, random: &mut Random) -> Option<Plant> {
    let all = transitions(base);
    let guards: Vec<_> =
        all.iter().filter_map(|(s, t, _)| Some((s, t.guard.as_ref()?.span))).collect();
    let (statement, guard) = random.pick_some(&guards)?;
    Some(spoilt(base, "wrong sort in a guard", statement, *guard, "and 3", &["T0101"]))
}

/// The sort of a variable of a process as it is written.
fn sort_of<'b>(base: &'b Base, process: usize, variable: &str) -> Option<&'b str> {
    let ItemKind::Process(process) = &base.module.items[process].kind else { return None };
    process.body.iter().find_map(|statement| match &statement.kind {
        ProcessStatementKind::Var(var) if var.name.name.as_str() == variable => {
            Some(base.slice(var.sort.span))
        }
        _ => None,
    })
}

fn in_assignment(
    base: &Base,
    random: &mut Random,
    kind: &'static str,
    wrong: impl Fn(&str) -> Option<&'static str>,
    codes: &'static [&'static str],
) -> Option<Plant> {
    let mut found = Vec::new();
    for (statement, transition, process) in transitions(base) {
        for update in &transition.updates {
            let sort = sort_of(base, process, update.target.name.as_str());
            if let Some(with) = sort.and_then(&wrong) {
                found.push((statement.clone(), update.value.span, with));
            }
        }
    }
    let (statement, value, with) = random.pick_some(&found)?.clone();
    Some(spoilt(base, kind, &statement, value, with, codes))
}

/// The sorts of an action's arguments as they are written.
fn action_sorts<'b>(base: &'b Base, name: &str, arity: usize) -> Vec<&'b str> {
    for item in &base.module.items {
        if let ItemKind::Action(all) = &item.kind {
            let same = all.iter().find(|a| a.name.name.as_str() == name && a.sorts.len() == arity);
            if let Some(action) = same {
                return action.sorts.iter().map(|sort| base.slice(sort.span)).collect();
            }
        }
    }
    Vec::new()
}

fn wrong_sort_of_argument(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for (statement, transition, _) in transitions(base) {
        let ExprKind::Call(call) = &transition.action.kind else { continue };
        let sorts = action_sorts(base, call.callee.parts[0].name.as_str(), call.args.len());
        for (arg, sort) in call.args.iter().zip(sorts) {
            let with = match (sort, &arg.kind) {
                (_, ExprKind::Input(_) | ExprKind::Wildcard) => continue,
                ("Int", _) => "+ false",
                ("Bool", _) => "and 7",
                _ => continue,
            };
            found.push((statement.clone(), arg.span, with));
        }
    }
    let (statement, arg, with) = random.pick_some(&found)?.clone();
    Some(spoilt(base, "wrong sort of an argument", &statement, arg, with, &["T0101"]))
}

fn out_of_range(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        let What::Var(var) = statement.what else { continue };
        let SortKind::Range(bounds) = &var.sort.kind else { continue };
        let literal = |expr: &Expr| matches!(expr.kind, ExprKind::Int(_));
        let plain = |expr: &Expr| {
            matches!(expr.kind, ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Negate(_))
        };
        if let Some(value) = &var.value
            && literal(&bounds.high)
            && plain(value)
        {
            found.push((statement.range.clone(), range(value.span)));
        }
    }
    let (statement, value) = random.pick_some(&found)?.clone();
    Some(base.in_statement(
        "value outside its range",
        &statement,
        (value, "99".to_owned()),
        &["T0113"],
    ))
}

/// An arm that nothing else covers: the only one with its constructor, and no arm for the rest.
fn missing_arm(base: &Base, random: &mut Random) -> Option<Plant> {
    let is_blank = |expr: &Expr| match &expr.kind {
        ExprKind::Wildcard => true,
        ExprKind::Name(name) => !name.as_str().starts_with(char::is_uppercase),
        _ => false,
    };
    let head = |pattern: &Expr| match &pattern.kind {
        ExprKind::Name(name) => Some(name.as_str().to_owned()),
        ExprKind::Call(call) => Some(call.callee.to_string()),
        ExprKind::Bool(value) => Some(value.to_string()),
        _ => None,
    };
    let whole = |pattern: &Expr| match &pattern.kind {
        ExprKind::Call(call) => call.args.iter().all(is_blank),
        ExprKind::Name(_) | ExprKind::Bool(_) => true,
        _ => false,
    };
    let mut found = Vec::new();
    for statement in base.statements() {
        for expr in Base::expressions(&statement.what) {
            let ExprKind::Match(all) = &expr.kind else { continue };
            let heads: Vec<_> = all.arms.iter().map(|(pattern, _)| head(pattern)).collect();
            if all.arms.iter().any(|(pattern, _)| is_blank(pattern)) || heads.contains(&None) {
                continue;
            }
            for (index, pair) in all.arms.windows(2).enumerate() {
                let single = heads.iter().filter(|one| **one == heads[index]).count() == 1;
                if single && whole(&pair[0].0) {
                    let arm = range(pair[0].0.span).start..range(pair[1].0.span).start;
                    found.push((statement.range.clone(), arm));
                }
            }
        }
    }
    let (statement, arm) = random.pick_some(&found)?.clone();
    let lines = "\n".repeat(base.text[arm.clone()].matches('\n').count());
    Some(base.in_statement("missing arm", &statement, (arm, lines), &["T0107"]))
}

fn value_count(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        let instance = match statement.what {
            What::Sub(sub) => &sub.instance,
            What::Item(ItemKind::Check(check)) => &check.nets[0],
            _ => continue,
        };
        if let Some(last) = instance.values.last()
            && !matches!(last.kind, ExprKind::Set(_))
        {
            // Before the `>`: the span of the last value leaves out its parentheses.
            let from = range(last.span).end;
            let tail = &base.text[from..range(instance.span).end];
            if let Some(close) =
                tail.find('>').filter(|&at| tail[..at].trim_matches(')').is_empty())
            {
                found.push((statement.range.clone(), from + close));
            }
        }
    }
    let (statement, at) = random.pick_some(&found)?.clone();
    Some(base.in_statement(
        "wrong number of values",
        &statement,
        (at..at, ", 1".to_owned()),
        &["T0116"],
    ))
}

fn hole_count(base: &Base, random: &mut Random) -> Option<Plant> {
    let is_process = |name: &str| {
        base.module
            .items
            .iter()
            .any(|item| matches!(&item.kind, ItemKind::Process(process) if process.name.name.as_str() == name))
    };
    let plain = base.module.items.iter().find_map(|item| match &item.kind {
        ItemKind::Process(process) if process.params.is_empty() => {
            Some(base.slice(process.name.span))
        }
        _ => None,
    })?;
    let mut found = Vec::new();
    for statement in base.statements() {
        let instance = match statement.what {
            What::Sub(sub) => &sub.instance,
            What::Item(ItemKind::Net(net)) => match &net.body {
                NetBody::Alias(instance) => instance,
                NetBody::Block(_) => continue,
            },
            _ => continue,
        };
        if instance.fills.is_empty() && is_process(&instance.head.path.to_string()) {
            found.push((statement.range.clone(), range(instance.span).end));
        }
    }
    let (statement, at) = random.pick_some(&found)?.clone();
    let edit = (at..at, format!("({plain})"));
    Some(base.in_statement("too many fillings", &statement, edit, &["T0117"]))
}

fn check_arguments(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        if let What::Item(ItemKind::Check(check)) = statement.what
            && let [first, second] = check.nets.as_slice()
            && check.by.is_none()
            && check.tracking.is_none()
            // What it mentions should be mentioned elsewhere.
            && second.values.is_empty()
            && second.fills.is_empty()
        {
            found.push((statement.range.clone(), range(first.span).end..range(second.span).end));
        }
    }
    let (statement, second) = random.pick_some(&found)?.clone();
    Some(base.in_statement("one net too few", &statement, (second, String::new()), &["T0124"]))
}
