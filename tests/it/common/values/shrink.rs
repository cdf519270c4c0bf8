//! Smaller models that are still wrong: statements are left out, and expressions too, as the interpreter knows a model
//! by its parts and not by its text.

use crate::common::shrink::smallest;

use super::twin::{children, wholes};
use super::{Expr, Model, Net, Side};

/// The model with as much left out as possible, as long as `wrong` says that it still is.
pub fn shrink(model: &Model, wrong: impl FnMut(&Model) -> bool) -> Model {
    smallest(model, smaller, wrong)
}

fn smaller(model: &Model) -> Vec<Model> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Model)| {
        let mut one = model.clone();
        change(&mut one);
        all.push(one);
    };
    for at in 0..model.set.len() {
        with(&|m| drop(m.set.remove(at)));
    }
    for at in 0..model.axioms.len() {
        with(&|m| drop(m.axioms.remove(at)));
    }
    for at in 0..model.funs.len() {
        with(&|m| drop(m.funs.remove(at)));
    }
    for at in 0..model.consts.len() {
        with(&|m| drop(m.consts.remove(at)));
    }
    for at in 0..model.actions.len() {
        with(&|m| {
            let (name, _) = m.actions.remove(at);
            m.interfaces.iter_mut().for_each(|(_, all)| all.retain(|other| *other != name));
        });
    }
    for i in 0..model.interfaces.len() {
        for at in 0..model.interfaces[i].1.len() {
            with(&|m| drop(m.interfaces[i].1.remove(at)));
        }
    }
    // The last datatype, so that the numbers of the others stay.
    if !uses_last_data(model) {
        with(&|m| drop(m.datas.pop()));
    }
    sides(model, &mut all);
    all
}

/// Whether anything but its own declaration names the last datatype.
fn uses_last_data(model: &Model) -> bool {
    let Some(data) = model.datas.last() else { return true };
    let mut own = vec![data.name.as_str()];
    for con in &data.constructors {
        own.push(&con.name);
        own.extend(con.fields.iter().map(|(name, _)| name.as_str()));
    }
    let text = model.text();
    let declaration = format!("data {} ", data.name);
    let mut lines = text.lines().filter(|line| !line.starts_with(&declaration));
    lines.any(|line| line.split(|c: char| !c.is_alphanumeric()).any(|word| own.contains(&word)))
}

type Part = fn(&mut Model) -> &mut Side;

fn sides(model: &Model, all: &mut Vec<Model>) {
    let parts: [Part; 2] = [|m| &mut m.left, |m| &mut m.right];
    // Both together first: they are nearly the same.
    for chosen in [&parts[..], &parts[..1], &parts[1..]] {
        let mut with = |change: &dyn Fn(&mut Side)| {
            let mut one = model.clone();
            chosen.iter().for_each(|part| change(part(&mut one)));
            if one != *model {
                all.push(one);
            }
        };
        for at in 0..4 {
            for net in 0..1 + model.left.nets.len() {
                with(&|side| drop_vector(side, net, at));
                with(&|side| drop_sub(side, net, at));
                with(&|side| drop_rival(side, net, at));
                with(&|side| drop_order(side, net, at));
                with(&|side| drop_member(side, net, at));
            }
            for p in 0..model.left.processes.len() {
                with(&|side| drop_trans(side, p, at));
                with(&|side| drop_var(side, p, at));
                with(&|side| drop_parts(side, p, at));
            }
        }
        for e in 0..24 {
            for child in 0..5 {
                with(&|side| lift(side, e, child));
            }
        }
    }
}

/// Changes one net, counted from the outermost one.
fn in_net(side: &mut Side, at: usize, change: impl FnOnce(&mut Net)) {
    if let Some(net) = side.net.iter_mut().chain(&mut side.nets).nth(at) {
        change(net);
    }
}

fn drop_vector(side: &mut Side, net: usize, at: usize) {
    in_net(side, net, |net| {
        if at < net.vectors.len() {
            net.vectors.remove(at);
        } else if at - net.vectors.len() < net.connectors.len() {
            net.connectors.remove(at - net.vectors.len());
        }
    });
}

fn drop_sub(side: &mut Side, net: usize, at: usize) {
    let mut of = None;
    in_net(side, net, |net| {
        if at < net.subs.len() {
            let sub = net.subs.remove(at);
            net.vectors.retain(|v| v.members.iter().all(|(place, _)| place.name != sub.name));
            of = Some(sub);
        }
    });
    if let Some(sub) = of {
        let goes = |name: &String| *name == sub.of || sub.fills.iter().any(|(_, by)| by == name);
        side.processes.retain(|p| !goes(&p.name));
        side.nets.retain(|net| !goes(&net.name));
    }
}

fn drop_rival(side: &mut Side, net: usize, at: usize) {
    in_net(side, net, |net| {
        if let Some(vector) = net.vectors.get_mut(at) {
            match vector.unless.pop() {
                Some(_) => {}
                None => vector.guard = None,
            }
        } else if let Some(connector) = net.connectors.get_mut(at.wrapping_sub(net.vectors.len())) {
            match connector.transfers.pop() {
                Some(_) => {}
                None => connector.guard = None,
            }
        }
    });
}

fn drop_order(side: &mut Side, net: usize, at: usize) {
    in_net(side, net, |net| match at {
        0 => net.maximal = false,
        at if at <= net.priorities.len() => drop(net.priorities.remove(at - 1)),
        _ => {}
    });
}

/// One member less, or one part of a connector.
fn drop_member(side: &mut Side, net: usize, at: usize) {
    in_net(side, net, |net| {
        if let Some(vector) = net.vectors.get_mut(at) {
            if vector.members.len() > 1 {
                vector.members.pop();
            }
        } else if let Some(connector) = net.connectors.get_mut(at.wrapping_sub(net.vectors.len()))
            && connector.joints.len() > 1
        {
            connector.joints.pop();
        }
    });
}

fn drop_trans(side: &mut Side, process: usize, at: usize) {
    let Some(process) = side.processes.get_mut(process) else { return };
    if at < process.trans.len() && process.trans.len() > 1 {
        process.trans.remove(at);
    }
}

fn drop_var(side: &mut Side, process: usize, at: usize) {
    let Some(process) = side.processes.get_mut(process) else { return };
    if at < process.vars.len() {
        let (name, ..) = process.vars.remove(at);
        process.trans.iter_mut().for_each(|t| t.updates.retain(|(other, _)| *other != name));
    } else if at == 3 && process.states > 1 {
        process.states -= 1;
        let last = process.states;
        process.trans.retain(|t| t.from < last);
        process.trans.iter_mut().for_each(|t| t.to = t.to.min(last - 1));
    }
}

fn drop_parts(side: &mut Side, process: usize, at: usize) {
    let Some(process) = side.processes.get_mut(process) else { return };
    if let Some(trans) = process.trans.get_mut(at) {
        match trans.guard.take() {
            Some(_) => {}
            None => drop(trans.updates.pop()),
        }
    }
}

/// One of its parts takes the place of an expression; the outermost ones first.
fn lift(side: &mut Side, at: usize, child: usize) {
    let mut count = 0;
    for whole in wholes(side) {
        if lift_in(whole, at, child, &mut count) {
            return;
        }
    }
}

fn lift_in(e: &mut Expr, at: usize, child: usize, count: &mut usize) -> bool {
    if *count == at {
        let part = children(e).into_iter().nth(child).map(|part| part.clone());
        if let Some(part) = part {
            *e = part;
        }
        return true;
    }
    *count += 1;
    for part in children(e) {
        if lift_in(part, at, child, count) {
            return true;
        }
    }
    false
}
