//! Other ways to say who acts together: vectors one by one, numbers for indices, vectors for connectors; and mistakes
//! in them.

use super::connect::interactions;
use super::exprs::{bin, conj};
use super::nets::each_place;
use super::twin::{replace, some_net};
use super::{Bound, Expr, Joined, Member, Net, Op, Pattern, Place, Res, Side, Vector, Wrap};
use crate::common::Random;

/// Changes one net of a side.
pub fn rewired(random: &mut Random, side: &mut Side) {
    let Some(net) = some_net(random, side) else { return };
    match random.below(9) {
        0 | 1 => one_by_one(random, net),
        2 | 3 => by_numbers(random, net),
        4 | 5 => written_out(random, net),
        6 => net.maximal = !net.maximal && !net.connectors.is_empty() && net.holes.is_empty(),
        7 => {
            net.priorities.pop();
        }
        _ => other_trigger(random, net),
    }
}

/// A vector that is repeated becomes one for each index.
fn one_by_one(random: &mut Random, net: &mut Net) {
    let repeated: Vec<usize> =
        (0..net.vectors.len()).filter(|&at| !net.vectors[at].repeat.is_empty()).collect();
    let Some(&at) = random.pick_some(&repeated) else { return };
    let (index, Bound::Lit(low), Bound::Lit(high)) = net.vectors[at].repeat[0].clone() else {
        return;
    };
    let vector = net.vectors.remove(at);
    for value in low..high {
        let mut one = vector.clone();
        one.repeat.clear();
        put(&mut one, &[(index.clone(), Expr::Int(value))]);
        net.vectors.push(one);
    }
}

/// Puts numbers for names in a vector.
fn put(vector: &mut Vector, by: &[(String, Expr)]) {
    if let Res::Act(_, _, args) = &mut vector.result {
        args.iter_mut().for_each(|e| replace(e, by));
    }
    vector.guard.iter_mut().for_each(|e| replace(e, by));
    put_in_members(&mut vector.members, by);
    for (members, guard) in &mut vector.unless {
        put_in_members(members, by);
        guard.iter_mut().for_each(|e| replace(e, by));
    }
}

fn put_in_members(members: &mut [(Place, Member)], by: &[(String, Expr)]) {
    for (place, member) in members {
        place.index.iter_mut().for_each(|e| replace(e, by));
        if let Member::Act(_, _, args) = member {
            args.iter_mut().for_each(|pattern| put_in_pattern(pattern, by));
        }
    }
}

fn put_in_pattern(pattern: &mut Pattern, by: &[(String, Expr)]) {
    match pattern {
        Pattern::Var(name) => {
            if let Some((_, e)) = by.iter().find(|(other, _)| other == name) {
                *pattern = Pattern::Lit(e.clone());
            }
        }
        Pattern::Con(_, _, args) => args.iter_mut().for_each(|one| put_in_pattern(one, by)),
        _ => {}
    }
}

/// A member that data chooses is written out for each number.
fn by_numbers(random: &mut Random, net: &mut Net) {
    let Some(at) = (!net.vectors.is_empty()).then(|| random.below(net.vectors.len())) else {
        return;
    };
    let vector = net.vectors[at].clone();
    let is_data = |place: &Place| !matches!(place.index, None | Some(Expr::Int(_)));
    let Some(member) = vector.members.iter().position(|(place, _)| is_data(place)) else { return };
    let place = &vector.members[member].0;
    let holes = net.holes.iter().map(|hole| (&hole.name, &hole.family));
    let subs = net.subs.iter().map(|sub| (&sub.name, &sub.family));
    let family =
        holes.chain(subs).find(|(name, _)| **name == place.name).and_then(|(_, f)| f.clone());
    let (Some((_, Bound::Lit(low), Bound::Lit(high))), Some(index)) = (family, &place.index) else {
        return;
    };
    net.vectors.remove(at);
    for value in low..high {
        let mut one = vector.clone();
        one.members[member].0.index = Some(Expr::Int(value));
        let is_it = bin(Op::Eq, index.clone(), Expr::Int(value));
        one.guard = Some(conj(one.guard.take(), is_it));
        net.vectors.push(one);
    }
}

/// A connector becomes the vectors that it stands for; where larger ones go first, that is another net.
fn written_out(random: &mut Random, net: &mut Net) {
    let plain: Vec<usize> =
        (0..net.connectors.len()).filter(|&at| net.connectors[at].transfers.is_empty()).collect();
    let Some(&at) = random.pick_some(&plain) else { return };
    let connector = net.connectors.remove(at);
    if net.connectors.is_empty() {
        net.maximal = false;
    }
    for ports in interactions(&connector.joints) {
        net.vectors.push(Vector {
            members: ports.iter().map(|port| port.member()).collect(),
            result: Res::Act(Wrap::Plain, connector.name.clone(), connector.exports.clone()),
            guard: connector.guard.clone(),
            unless: Vec::new(),
            repeat: connector.repeat.clone(),
        });
    }
}

/// A part of a connector becomes a trigger, or is none any more.
fn other_trigger(random: &mut Random, net: &mut Net) {
    let at = random.below(net.connectors.len());
    let Some(connector) = net.connectors.get_mut(at) else { return };
    let mut count = 0;
    each_place(&mut connector.joints, &mut |_| count += 1);
    let joint = random.below(connector.joints.len());
    let joint = &mut connector.joints[joint];
    // What has a name that is needed must be there.
    if matches!(joint.what, Joined::Port(..)) && count > 1 {
        joint.trigger = !joint.trigger;
    }
}
