//! Second models, made from the first by small changes: some mean the same, some nearly.

use super::eval::{Env, Value, World, wrapped};
use super::exprs::{bin, conj, name};
use super::make::copied;
use super::rewire::rewired;
use super::{
    Arg, Bound, Expr, Label, Member, Model, Net, Op, PARAM, Res, Side, Sort, Vector, Wrap,
};
use crate::common::Random;

/// Makes the right side: a copy with up to three changes.
pub fn twin(random: &mut Random, model: &mut Model) {
    let mut side = copied(model);
    let changes = *random.pick(&[0, 1, 1, 1, 1, 2, 2, 3]);
    for _ in 0..changes {
        let before = side.clone();
        for _ in 0..20 {
            change(random, model, &mut side);
            if side != before {
                break;
            }
        }
    }
    model.right = side;
}

fn change(random: &mut Random, model: &Model, side: &mut Side) {
    if side.net.is_some() && random.percent(35) {
        return rewired(random, side);
    }
    match random.below(14) {
        0 => drop_guard(random, side),
        1 => drop_statement(random, side),
        2 | 3 => range_to_int(random, side),
        4 | 5 => write_out(random, model, side),
        6 => inline(random, model, side),
        7 | 8 => split_if(random, side),
        9 => beginning(random, side),
        _ => rewrite(random, model, side),
    }
}

fn drop_guard(random: &mut Random, side: &mut Side) {
    let mut all: Vec<&mut Option<Expr>> = Vec::new();
    let nets = side.nets.iter_mut().chain(&mut side.net);
    for net in nets {
        all.extend(net.vectors.iter_mut().map(|v| &mut v.guard));
        all.extend(net.connectors.iter_mut().map(|c| &mut c.guard));
    }
    for process in &mut side.processes {
        all.extend(process.trans.iter_mut().map(|t| &mut t.guard));
    }
    let at = random.below(all.len());
    if let Some(guard) = all.get_mut(at) {
        **guard = None;
    }
}

/// A random net of a side.
pub fn some_net<'s>(random: &mut Random, side: &'s mut Side) -> Option<&'s mut Net> {
    let at = random.below(side.nets.len() + 1);
    side.all_nets_mut().nth(at)
}

fn some_process<'s>(random: &mut Random, side: &'s mut Side) -> Option<&'s mut super::Process> {
    let at = random.below(side.processes.len());
    side.processes.get_mut(at)
}

fn drop_statement(random: &mut Random, side: &mut Side) {
    if random.percent(50)
        && let Some(net) = some_net(random, side)
    {
        let at = random.below(net.vectors.len() + net.connectors.len());
        if net.vectors.len() + net.connectors.len() < 2 {
        } else if at < net.vectors.len() {
            net.vectors.remove(at);
        } else {
            net.connectors.remove(at - net.vectors.len());
        }
        return;
    }
    let Some(process) = some_process(random, side) else { return };
    if process.trans.len() > 1 {
        let at = random.below(process.trans.len());
        process.trans.remove(at);
    }
}

/// A variable with a range becomes an integer, with the range as guards.
fn range_to_int(random: &mut Random, side: &mut Side) {
    if side.processes.is_empty() {
        return;
    }
    let at = random.below(side.processes.len());
    let process = &mut side.processes[at];
    let ranges: Vec<usize> = (0..process.vars.len())
        .filter(|&v| matches!(process.vars[v].1, Sort::Range(..)) && process.vars[v].2.is_some())
        .collect();
    let Some(&var) = random.pick_some(&ranges) else { return };
    let (variable, sort, _) = process.vars[var].clone();
    let Sort::Range(low, high) = sort else { return };
    process.vars[var].1 = Sort::Int;
    for trans in &mut process.trans {
        let Some((_, e)) = trans.updates.iter().find(|(name, _)| *name == variable) else {
            continue;
        };
        let above = bin(Op::Ge, e.clone(), bound(low));
        let below = bin(Op::Lt, e.clone(), bound(high));
        trans.guard = Some(conj(trans.guard.take(), bin(Op::And, above, below)));
    }
}

fn bound(bound: Bound) -> Expr {
    match bound {
        Bound::Lit(n) => Expr::Int(n),
        Bound::N(n) => bin(Op::Add, name("N"), Expr::Int(n)),
        Bound::Param(n) => bin(Op::Add, name(PARAM), Expr::Int(n)),
    }
}

/// A vector with `?x` of a hole with an interface becomes one for each action.
fn write_out(random: &mut Random, model: &Model, side: &mut Side) {
    let Some(net) = &mut side.net else { return };
    let is_whole = |net: &Net, v: &Vector| {
        v.members.iter().position(|(place, member)| {
            let declared =
                net.holes.iter().any(|hole| hole.name == place.name && hole.sort.is_some());
            declared && matches!(member, Member::Whole(Wrap::Plain, _))
        })
    };
    let found: Vec<(usize, usize)> = (0..net.vectors.len())
        .filter_map(|at| is_whole(net, &net.vectors[at]).map(|member| (at, member)))
        .collect();
    let Some(&(at, member)) = random.pick_some(&found) else { return };
    let world = World::new(model);
    let Some(actions) = actions(&world, &model.interfaces[0].1) else { return };
    let vector = net.vectors.remove(at);
    let Member::Whole(_, whole) = vector.members[member].1.clone() else { return };
    for action in actions {
        net.vectors.push(with_action(&world, &vector, member, &whole, &action));
    }
}

fn actions(world: &World<'_>, interface: &[String]) -> Option<Vec<Value>> {
    let mut all = vec![Value::Tau];
    for (name, sorts) in &world.model.actions {
        if !sorts.iter().all(|sort| is_finite(world.model, sort)) {
            return None;
        }
        for row in world.products(sorts).ok()? {
            let action = Value::Act(name.clone(), row);
            if interface.contains(name) {
                all.push(action.clone());
            }
            all.push(wrapped(Wrap::Sync, action));
        }
    }
    (all.len() <= 24).then_some(all)
}

fn is_finite(model: &Model, sort: &Sort) -> bool {
    match sort {
        Sort::Bool | Sort::Range(Bound::Lit(_), Bound::Lit(_)) => true,
        Sort::Int | Sort::Range(..) => false,
        Sort::Array(low, high, of) => {
            matches!((low, high), (Bound::Lit(_), Bound::Lit(_))) && is_finite(model, of)
        }
        Sort::Data(data) => {
            let mut sorts = model.datas[*data].constructors.iter().flat_map(|con| &con.fields);
            sorts.all(|(_, inner)| inner != sort && is_finite(model, inner))
        }
    }
}

fn with_action(
    world: &World<'_>,
    vector: &Vector,
    member: usize,
    whole: &str,
    action: &Value,
) -> Vector {
    let mut one = vector.clone();
    let (how, inside) = match action {
        Value::Wrapped(how, inside) => (*how, &**inside),
        other => (Wrap::Plain, other),
    };
    let args: Vec<Expr> = match inside {
        Value::Act(_, values) => values.iter().map(literal).collect(),
        _ => Vec::new(),
    };
    one.members[member].1 = match inside {
        Value::Act(name, _) => {
            let args = args.iter().cloned().map(super::Pattern::Lit).collect();
            Member::Act(how, name.clone(), args)
        }
        _ => Member::Tau,
    };
    if one.result == Res::Whole(whole.to_owned()) {
        one.result = match inside {
            Value::Act(name, _) => Res::Act(how, name.clone(), args),
            _ => Res::Tau,
        };
    }
    if let Some(guard) = &mut one.guard {
        settle(world, guard, whole, action);
    }
    one
}

/// Replaces the tests of a whole action by what they are.
fn settle(world: &World<'_>, e: &mut Expr, whole: &str, action: &Value) {
    let env = Env::from([(whole.to_owned(), action.clone())]);
    match e {
        Expr::ActIs(name, ..) | Expr::ActIn(name, ..) if name == whole => {
            if let Ok(Value::Bool(b)) = world.eval(e, &env) {
                *e = Expr::Bool(b);
            }
        }
        Expr::ActEq(name, positive, head, args) if name == whole => {
            let positive = *positive;
            let mut all: Option<Expr> = None;
            match action {
                Value::Act(mine, values) if mine == head => {
                    for (arg, value) in args.iter().zip(values) {
                        all = Some(conj(all, bin(Op::Eq, arg.clone(), literal(value))));
                    }
                }
                // What is owed by the arguments is owed all the same.
                _ => {
                    for arg in args.iter() {
                        let owed = bin(Op::Ne, arg.clone(), arg.clone());
                        all = Some(conj(all, owed));
                    }
                    all = Some(all.unwrap_or(Expr::Bool(false)));
                }
            }
            let all = all.unwrap_or(Expr::Bool(true));
            *e = if positive { all } else { Expr::Not(Box::new(all)) };
        }
        _ => children(e).into_iter().for_each(|e| settle(world, e, whole, action)),
    }
}

pub fn literal(value: &Value) -> Expr {
    match value {
        Value::Bool(b) => Expr::Bool(*b),
        Value::Int(n) => Expr::Int(*n),
        Value::Con(data, con, values) => {
            Expr::Con(*data, *con, values.iter().map(literal).collect())
        }
        Value::Arr(first, values) => {
            let sort = match values.first() {
                Some(Value::Bool(_)) => Sort::Bool,
                _ => Sort::Int,
            };
            let (low, high) = (Bound::Lit(*first), Bound::Lit(first + values.len() as i64));
            let start = Expr::Fill(low, high, sort.clone(), Box::new(literal(&values[0])));
            let rest = values.iter().enumerate().skip(1);
            rest.fold(start, |array, (at, value)| {
                let at = Expr::Int(first + at as i64);
                Expr::Store(Box::new(array), Box::new(at), Box::new(literal(value)), sort.clone())
            })
        }
        other => unreachable!("no value of data: {other:?}"),
    }
}

/// The parts of an expression.
pub fn children(e: &mut Expr) -> Vec<&mut Expr> {
    match e {
        Expr::Bool(_) | Expr::Int(_) | Expr::Name(_) | Expr::ActIs(..) | Expr::ActIn(..) => vec![],
        Expr::Bin(_, a, b) | Expr::Read(a, b) => vec![&mut **a, &mut **b],
        Expr::Not(e)
        | Expr::Is(e, ..)
        | Expr::Field(e, ..)
        | Expr::Fill(.., e)
        | Expr::Quant(.., e) => vec![&mut **e],
        Expr::If(a, b, c) | Expr::Store(a, b, c, _) => vec![&mut **a, &mut **b, &mut **c],
        Expr::Con(_, _, all) | Expr::Call(_, all) | Expr::ActEq(.., all) => {
            all.iter_mut().collect()
        }
        Expr::Match(e, _, arms) => {
            let mut all = vec![&mut **e];
            all.extend(arms.iter_mut().map(|(_, e)| e));
            all
        }
    }
}

/// All whole expressions of a system.
pub fn wholes(side: &mut Side) -> Vec<&mut Expr> {
    let mut all: Vec<&mut Expr> = Vec::new();
    for process in &mut side.processes {
        for trans in &mut process.trans {
            if let Label::Act(_, _, args) = &mut trans.label {
                all.extend(args.iter_mut().filter_map(|arg| match arg {
                    Arg::Out(e) => Some(e),
                    _ => None,
                }));
            }
            all.extend(trans.guard.iter_mut());
            all.extend(trans.updates.iter_mut().map(|(_, e)| e));
        }
    }
    for net in side.nets.iter_mut().chain(&mut side.net) {
        for vector in &mut net.vectors {
            if let Res::Act(_, _, args) = &mut vector.result {
                all.extend(args.iter_mut());
            }
            all.extend(vector.guard.iter_mut());
            all.extend(vector.unless.iter_mut().filter_map(|(_, guard)| guard.as_mut()));
        }
        for connector in &mut net.connectors {
            all.extend(connector.exports.iter_mut().chain(&mut connector.guard));
            all.extend(connector.transfers.iter_mut().map(|(_, e)| e));
        }
        all.extend(net.subs.iter_mut().flat_map(|sub| &mut sub.values));
    }
    all
}

/// A random part of a random expression.
fn part<'s>(random: &mut Random, side: &'s mut Side) -> Option<&'s mut Expr> {
    let mut all = wholes(side);
    if all.is_empty() {
        return None;
    }
    let mut e = all.swap_remove(random.below(all.len()));
    loop {
        let count = children(e).len();
        if count == 0 || random.percent(30) {
            return Some(e);
        }
        e = children(e).swap_remove(random.below(count));
    }
}

#[derive(PartialEq)]
enum What {
    Number,
    Truth,
    Else,
}

/// What an expression is; names tell their sorts.
fn what(model: &Model, e: &Expr) -> What {
    let of = |sort: &Sort| match sort {
        Sort::Bool => What::Truth,
        sort if sort.is_int() => What::Number,
        _ => What::Else,
    };
    match e {
        Expr::Int(_)
        | Expr::Bin(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Quot | Op::Rem, ..) => {
            What::Number
        }
        Expr::Name(name) if name.starts_with(['i', 'K', 'N']) => What::Number,
        Expr::Name(name) if name.starts_with('p') => What::Truth,
        Expr::Bool(_) | Expr::Bin(..) | Expr::Not(_) | Expr::Is(..) | Expr::Quant(..) => {
            What::Truth
        }
        Expr::Field(_, data, field) => model.field(*data, field).map_or(What::Else, |f| of(f.2)),
        Expr::Call(name, _) => {
            let f = model.funs.iter().find(|f| f.name == *name);
            f.map_or(What::Else, |f| of(&f.result))
        }
        _ => What::Else,
    }
}

/// An expression becomes an equal one, or nearly.
fn rewrite(random: &mut Random, model: &Model, side: &mut Side) {
    let Some(e) = part(random, side) else { return };
    let old = e.clone();
    let one = || Expr::Int(1);
    *e = match what(model, &old) {
        What::Number => match random.below(8) {
            0 => bin(Op::Add, old, one()),
            1 => bin(Op::Sub, old, one()),
            2 | 3 => bin(Op::Sub, bin(Op::Add, old, one()), one()),
            4 => bin(Op::Div, bin(Op::Mul, old, Expr::Int(2)), Expr::Int(2)),
            5 => bin(Op::Mod, old, Expr::Int(3)),
            _ => match old {
                Expr::Int(n) => Expr::Int(n + 1 - 2 * random.below(2) as i64),
                Expr::Bin(op, a, b) => Expr::Bin(op, b, a),
                _ => {
                    let c = bin(Op::Ge, old.clone(), one());
                    Expr::If(Box::new(c), Box::new(old.clone()), Box::new(old))
                }
            },
        },
        What::Truth => match (random.below(5), old) {
            (0, old) => Expr::Not(Box::new(Expr::Not(Box::new(old)))),
            (1, Expr::Bin(Op::Implies, a, b)) => Expr::Bin(Op::Or, Box::new(Expr::Not(a)), b),
            (1 | 2, Expr::Bin(op @ (Op::And | Op::Or | Op::Eq | Op::Ne), a, b)) => {
                Expr::Bin(op, b, a)
            }
            (_, Expr::Bin(Op::Lt, a, b)) => Expr::Bin(Op::Le, a, b),
            (_, Expr::Bin(Op::Le, a, b)) => Expr::Not(Box::new(Expr::Bin(Op::Gt, a, b))),
            (_, Expr::Bin(Op::Ge, a, b)) => Expr::Not(Box::new(Expr::Bin(Op::Lt, a, b))),
            (_, Expr::Bin(Op::Ne, a, b)) => Expr::Not(Box::new(Expr::Bin(Op::Eq, a, b))),
            (_, Expr::Bin(Op::And, a, b)) => {
                let (a, b) = (Expr::Not(a), Expr::Not(b));
                Expr::Not(Box::new(bin(Op::Or, a, b)))
            }
            (_, Expr::Quant(universal, name, sort, e)) => {
                let inner = Expr::Quant(!universal, name, sort, Box::new(Expr::Not(e)));
                Expr::Not(Box::new(inner))
            }
            (4, old) => Expr::Not(Box::new(old)),
            (_, old) => bin(Op::And, old, Expr::Bool(true)),
        },
        What::Else => match old {
            Expr::If(c, a, b) => Expr::If(Box::new(Expr::Not(c)), b, a),
            other => other,
        },
    };
}

/// A call becomes the body, with the arguments for the parameters.
fn inline(random: &mut Random, model: &Model, side: &mut Side) {
    for _ in 0..10 {
        let Some(e) = part(random, side) else { return };
        let Expr::Call(name, args) = e else { continue };
        let Some(f) = model.funs.iter().find(|f| f.name == *name) else { continue };
        let (Some(body), true) = (&f.body, f.name != "len") else { continue };
        let mut body = body.clone();
        let args: Vec<(String, Expr)> =
            f.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
        replace(&mut body, &args);
        *e = body;
        return;
    }
}

/// Names are unique in a model: nothing is captured.
pub fn replace(e: &mut Expr, by: &[(String, Expr)]) {
    if let Expr::Name(name) = e {
        if let Some((_, value)) = by.iter().find(|(other, _)| other == name) {
            *e = value.clone();
        }
        return;
    }
    children(e).into_iter().for_each(|e| replace(e, by));
}

/// A transition or vector with a conditional becomes two.
fn split_if(random: &mut Random, side: &mut Side) {
    let Some(process) = some_process(random, side) else { return };
    let is_if = |t: &super::Trans| t.updates.iter().position(|(_, e)| matches!(e, Expr::If(..)));
    let found: Vec<(usize, usize)> = (0..process.trans.len())
        .filter_map(|at| is_if(&process.trans[at]).map(|update| (at, update)))
        .collect();
    let Some(&(at, update)) = random.pick_some(&found) else { return };
    let mut first = process.trans[at].clone();
    let mut second = first.clone();
    let Expr::If(c, a, b) = first.updates[update].1.clone() else { return };
    first.updates[update].1 = *a;
    first.guard = Some(conj(first.guard.take(), (*c).clone()));
    second.updates[update].1 = *b;
    second.guard = Some(conj(second.guard.take(), Expr::Not(c)));
    process.trans[at] = first;
    process.trans.push(second);
}

/// A variable begins with another value, or with any.
fn beginning(random: &mut Random, side: &mut Side) {
    let Some(process) = some_process(random, side) else { return };
    let at = random.below(process.vars.len());
    let (_, sort, value) = &mut process.vars[at];
    match (value.clone(), &sort) {
        (Some(Expr::Int(n)), _) => *value = Some(Expr::Int(n + 1)),
        (Some(Expr::Bool(b)), _) => *value = Some(Expr::Bool(!b)),
        (Some(_), sort) if **sort != Sort::Int => *value = None,
        _ => {}
    }
}
