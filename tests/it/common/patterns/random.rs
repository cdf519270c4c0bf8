//! Random patterns, and what they are by definition.

use pnetc::parametric::search::{Situation, after, initial};
use pnetc::parametric::{
    ComponentMove, ComponentState, ComponentStateId, ComponentType, ComponentTypeId, GoalFormula,
    InteractionMember, InvariantFamily, MadeComponent, Meeting, MeetingId, MeetingSlot,
    NameFormula, NeverClaim, PatternGoal, PatternInstance, PatternInteraction, PatternJoin,
    PatternNameId, PatternPart, PatternPortId, PatternRule, PatternRuleId, RuleHead, RuleHeadId,
    StateSet, SystemPattern,
};

use crate::common::Random;

/// A pattern: up to three heads, three types of up to three states, three ports; parts one after the other, or trees.
pub fn random(dice: &mut Random) -> SystemPattern {
    let mut pattern = SystemPattern::new("random");
    let exact = dice.percent(70);
    let ports = dice.between(2, 3);
    (0..ports).for_each(|port| {
        pattern.port(&format!("p{port}"));
    });
    for of in 0..dice.between(1, 3) {
        let one = component(dice, of, ports, exact);
        pattern.types.push(one);
    }
    let widest = dice.between(1, 2);
    let mut inside: Vec<Vec<bool>> = Vec::new();
    for head in 0..dice.between(2, 3) {
        let parameters = if head == 0 { 0 } else { dice.between(1, 3) };
        pattern.heads.push(RuleHead { label: format!("H{head}"), parameters });
        inside.push((0..parameters).map(|_| dice.percent(60)).collect());
    }
    pattern.start = Some(RuleHeadId(0));
    for head in pattern.heads.ids() {
        for at in 0..dice.between(1, 2) {
            // One rule of a head ends, so that there are unfoldings.
            let parts = if head.0 > 0 && at == 0 { 0 } else { dice.between(1, widest) };
            let rule = rule(dice, &pattern, head, parts, &inside, exact);
            pattern.rules.push(rule);
        }
    }
    pattern
}

/// A pattern in which some components join meetings.
pub fn with_meetings(dice: &mut Random) -> SystemPattern {
    let mut pattern = random(dice);
    let exact = pattern.is_exact();
    for at in 0..dice.between(1, 2) {
        let meeting = meeting(dice, at, exact);
        let id = pattern.meetings.push(meeting);
        for rule in pattern.rules.ids() {
            let joins = joins(dice, &pattern, rule, id);
            pattern.rules[rule].joins.extend(joins);
        }
    }
    pattern
}

fn meeting(dice: &mut Random, at: usize, exact: bool) -> Meeting {
    let mut slots = Vec::new();
    let apart = dice.one_in(2);
    for _ in 0..dice.between(1, 3) {
        let is_one = |slot: &MeetingSlot| matches!(slot, MeetingSlot::One { .. });
        let one = slots.iter().position(is_one);
        slots.push(match dice.below(7) {
            0..3 => MeetingSlot::One { apart: apart || dice.one_in(3) },
            3..6 => MeetingSlot::All { but: one.filter(|_| dice.one_in(2)) },
            _ => MeetingSlot::Any,
        });
    }
    Meeting { label: format!("m{at}"), slots, may_only: !exact && dice.percent(20) }
}

/// Who of a rule joins a meeting.
fn joins(
    dice: &mut Random,
    pattern: &SystemPattern,
    rule: PatternRuleId,
    meeting: MeetingId,
) -> Vec<PatternJoin> {
    let made: Vec<PatternNameId> =
        pattern.rules[rule].components.iter().map(|made| made.name).collect();
    let member = |dice: &mut Random, name: PatternNameId| InteractionMember {
        name,
        port: PatternPortId(dice.below(pattern.ports.len()) as u32),
    };
    // Each is one of the many, or all together are.
    let together = dice.one_in(2);
    let mut joins = Vec::new();
    for (at, name) in made.iter().enumerate() {
        for slot in 0..pattern.meetings[meeting].slots.len() {
            if dice.percent(60) {
                let mut members = vec![member(dice, *name)];
                let other = *dice.pick(&made);
                if together && other != *name && dice.one_in(4) {
                    members.push(member(dice, other));
                }
                let unit = if together { 0 } else { at };
                joins.push(PatternJoin { meeting, slot, unit, members });
            }
        }
    }
    joins
}

fn component(dice: &mut Random, of: usize, ports: usize, exact: bool) -> ComponentType {
    let count = dice.between(2, 3);
    let state = |at: usize, dice: &mut Random| ComponentState {
        label: format!("s{at}"),
        initial: at == 0 || dice.percent(10),
        is_final: dice.percent(10),
    };
    let states = (0..count).map(|at| state(at, dice)).collect();
    let moves = (0..dice.between(2, 4)).map(|_| ComponentMove {
        port: PatternPortId(dice.below(ports) as u32),
        from: ComponentStateId(dice.below(count) as u32),
        to: ComponentStateId(dice.below(count) as u32),
        must: exact || dice.percent(80),
    });
    let moves = moves.collect();
    ComponentType { label: format!("T{of}"), states, moves }
}

/// A rule in which most names get one component: here, or in a part. `inside` says which parameters of a head get theirs inside,
/// if it goes by the plan.
fn rule(
    dice: &mut Random,
    pattern: &SystemPattern,
    head: RuleHeadId,
    parts: usize,
    inside: &[Vec<bool>],
    exact: bool,
) -> PatternRule {
    let own = &inside[head.index()];
    let new = dice.between(usize::from(head.0 == 0), 2);
    let mut count = own.len() + new;
    let mut needed: Vec<usize> = (0..count).filter(|name| own.get(*name) != Some(&false)).collect();
    dice.shuffle(&mut needed);
    let mut given: Vec<usize> = Vec::new();
    let mut all = Vec::new();
    for _ in 0..parts {
        let below = RuleHeadId(dice.between(1, inside.len() - 1) as u32);
        let mut arguments = Vec::new();
        for is_inside in &inside[below.index()] {
            // What one part makes and another one looks at is worth more than its share.
            let any = match given.is_empty() || dice.percent(50) {
                true => dice.below(count),
                false => *dice.pick(&given),
            };
            arguments.push(match *is_inside && !dice.percent(5) {
                false => any,
                true => needed.pop().unwrap_or_else(|| {
                    count += 1;
                    count - 1
                }),
            });
        }
        let inner = arguments.iter().zip(&inside[below.index()]).filter(|(_, inside)| **inside);
        given.extend(inner.map(|(name, _)| *name));
        let arguments = arguments.into_iter().map(|name| PatternNameId(name as u32)).collect();
        all.push(PatternPart { head: below, arguments });
    }
    let parts = all;
    let names = (0..count).map(|name| format!("x{name}")).collect();
    let name = |dice: &mut Random| PatternNameId(dice.below(count) as u32);
    let made: Vec<usize> = needed.into_iter().filter(|_| dice.percent(97)).collect();
    let of = |dice: &mut Random| ComponentTypeId(dice.below(pattern.types.len()) as u32);
    let components = made
        .iter()
        .map(|one| MadeComponent { name: PatternNameId(*one as u32), of: of(dice) })
        .collect();
    let member = |dice: &mut Random| InteractionMember {
        name: name(dice),
        port: PatternPortId(dice.below(pattern.ports.len()) as u32),
    };
    let interactions = (0..dice.below(4)).map(|at| PatternInteraction {
        label: format!("i{at}"),
        members: (0..dice.between(1, 3)).map(|_| member(dice)).collect(),
        may_only: !exact && dice.percent(20),
    });
    let interactions = interactions.collect();
    let test = |dice: &mut Random| {
        let test = NameFormula::In(name(dice), set(dice, pattern));
        if dice.one_in(3) { NameFormula::Not(Box::new(test)) } else { test }
    };
    let claim = |dice: &mut Random| NeverClaim {
        label: format!("c{}", dice.below(2)),
        bad: NameFormula::And((0..2).map(|_| test(dice)).collect()),
    };
    let nevers = (0..dice.below(2)).map(|_| claim(dice)).collect();
    PatternRule { head, names, components, interactions, parts, nevers, joins: Vec::new() }
}

fn set(dice: &mut Random, pattern: &SystemPattern) -> StateSet {
    let mut states = StateSet::new();
    for _ in 0..dice.between(1, 2) {
        let of = ComponentTypeId(dice.below(pattern.types.len()) as u32);
        let state = dice.below(pattern.types[of].states.len());
        states.add(of, ComponentStateId(state as u32));
    }
    states
}

/// A goal of any kind.
pub fn goal(dice: &mut Random, pattern: &SystemPattern) -> PatternGoal {
    match dice.below(5) {
        0 | 1 => PatternGoal::deadlock(),
        2 => PatternGoal::at_most(dice.below(3), set(dice, pattern)),
        3 => PatternGoal::never(if dice.one_in(2) { Some("c0") } else { None }),
        _ => {
            let some = GoalFormula::AtLeast(1, set(dice, pattern));
            let none = GoalFormula::Not(Box::new(GoalFormula::AtLeast(
                dice.between(1, 2),
                set(dice, pattern),
            )));
            let when = GoalFormula::And(vec![some, none]);
            PatternGoal { label: "mixed".into(), stuck: dice.one_in(3), when }
        }
    }
}

/// How many bits a set of states of an instance has.
pub fn width(pattern: &SystemPattern, instance: &PatternInstance) -> usize {
    instance.components.iter().map(|one| pattern.types[one.of].states.len()).sum()
}

/// The bits of a situation, among all states of all components.
pub fn bits(pattern: &SystemPattern, instance: &PatternInstance, situation: &Situation) -> u64 {
    let mut first = 0;
    let mut all = 0;
    for (one, state) in instance.components.iter().zip(situation) {
        all |= 1 << (first + state.index());
        first += pattern.types[one.of].states.len();
    }
    all
}

/// All situations, reached or not.
pub fn situations(pattern: &SystemPattern, instance: &PatternInstance) -> Vec<Situation> {
    let mut all = vec![Vec::new()];
    for one in &instance.components {
        let states: Vec<ComponentStateId> = pattern.types[one.of].states.ids().collect();
        all = all
            .into_iter()
            .flat_map(|known: Situation| {
                states.iter().map(move |state| known.iter().copied().chain([*state]).collect())
            })
            .collect();
    }
    all
}

/// The sets of states of an instance that are invariants of a family, one set after the other, by definition. With each set,
/// how many of it are taken to begin with.
pub fn invariants(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    family: InvariantFamily,
) -> Vec<(u64, u32)> {
    let mut steps = Vec::new();
    for situation in situations(pattern, instance) {
        for interaction in &instance.interactions {
            let mut others = u64::MAX;
            let mut first = 0;
            for (at, one) in instance.components.iter().enumerate() {
                let count = pattern.types[one.of].states.len();
                if interaction.members.iter().any(|(who, _)| *who == at) {
                    others &= !(((1u64 << count) - 1) << first);
                }
                first += count;
            }
            for after in after(pattern, instance, interaction, &situation) {
                let moved = |one: &Situation| bits(pattern, instance, one) & !others;
                steps.push((moved(&situation), moved(&after)));
            }
        }
    }
    steps.sort_unstable();
    steps.dedup();
    let starts: Vec<u64> =
        initial(pattern, instance).map(|start| bits(pattern, instance, &start)).collect();
    let is_kept = |set: u64| {
        steps.iter().all(|(before, after)| {
            let (before, after) = ((before & set).count_ones(), (after & set).count_ones());
            match family {
                InvariantFamily::Trap => before == 0 || after > 0,
                InvariantFamily::One => before >= 2 || before == after,
                InvariantFamily::Flow => before == after,
                InvariantFamily::Siphon => after == 0 || before > 0,
            }
        })
    };
    let first = |set: u64| -> Option<u32> {
        let mut counts = starts.iter().map(|start| (start & set).count_ones());
        let one = counts.clone().next()?;
        let fits = match family {
            InvariantFamily::Trap => counts.all(|count| count > 0),
            InvariantFamily::One => counts.all(|count| count == 1),
            InvariantFamily::Flow => counts.all(|count| count == one),
            InvariantFamily::Siphon => counts.all(|count| count == 0),
        };
        fits.then_some(one)
    };
    let sets = 0..1u64 << width(pattern, instance);
    sets.filter(|set| is_kept(*set)).filter_map(|set| Some((set, first(set)?))).collect()
}

/// Whether one of these invariants says that a situation cannot be.
pub fn excludes(invariants: &[(u64, u32)], family: InvariantFamily, situation: u64) -> bool {
    invariants.iter().any(|(set, first)| {
        let now = (situation & set).count_ones();
        match family {
            InvariantFamily::Trap => now == 0,
            InvariantFamily::One => now != 1,
            InvariantFamily::Flow => now != *first,
            InvariantFamily::Siphon => now > 0,
        }
    })
}
