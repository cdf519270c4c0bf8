//! Why an action is not possible in a configuration, in the words of the model.

use super::asked::asked;
use super::{StepProblem, Teller};
use crate::emit::label;
use crate::explore::naive::{AskedAction, Block, Interpreter, Obstacle, Way};
use crate::explore::{Configuration, Value};
use crate::outcome::{Blocked, Equation, Obstructed, WhyNot};
use crate::pnet::{NodeId, OwedKind, PartId, TransitionPlace};

/// Why an action that somebody wrote is not possible, or that it is.
pub(super) fn why(
    (interpreter, teller): (&Interpreter<'_>, &Teller<'_>),
    at: &Configuration,
    action: &str,
) -> Result<WhyNot, StepProblem> {
    let wanted = asked(&teller.net().algebra, action)?;
    let steps = interpreter.steps(at)?.steps;
    let shows = |value: &Value| wanted.iter().any(|one| fits(value, one));
    let possible = steps.iter().enumerate().filter(|(_, step)| shows(&step.action));
    let possible: Vec<usize> = possible.map(|(at, _)| at + 1).collect();
    let obstacles: Vec<Obstacle> = match possible.is_empty() {
        true => wanted.iter().flat_map(|one| interpreter.why_not(at, one)).collect(),
        false => Vec::new(),
    };
    let synchronised = possible.is_empty() && obstacles.is_empty() && {
        let hidden = |one: &AskedAction| AskedAction::Sync(Some(Box::new(one.clone())));
        let mut hidden = wanted.iter().map(hidden);
        hidden.any(|one| {
            steps.iter().any(|step| fits(&step.action, &one))
                || !interpreter.why_not(at, &one).is_empty()
        })
    };
    let obstacles = obstacles.iter().map(|one| obstructed(teller, one)).collect();
    Ok(WhyNot { action: action.to_owned(), possible, obstacles, synchronised })
}

/// Whether an action is one that somebody asks for.
pub fn fits(value: &Value, wanted: &AskedAction) -> bool {
    let inside = |inner: &Value, wanted: &Option<Box<AskedAction>>| {
        wanted.as_ref().is_none_or(|wanted| fits(inner, wanted))
    };
    match (value, wanted) {
        (Value::Tau, AskedAction::Tau) => true,
        (Value::Sync(inner), AskedAction::Sync(wanted)) => inside(inner, wanted),
        (Value::Co(inner), AskedAction::Co(wanted)) => inside(inner, wanted),
        (Value::Act(id, args), AskedAction::Act(other, values)) => {
            let mut pairs = args.iter().zip(values);
            id == other && pairs.all(|(is, wanted)| wanted.as_ref().is_none_or(|it| it == is))
        }
        _ => false,
    }
}

fn obstructed(teller: &Teller<'_>, obstacle: &Obstacle) -> Obstructed {
    let net = teller.net();
    let (of, origin) = match obstacle.rule {
        Way::Vector(place) => (teller.path_of(place.0), net.vector(place).origin),
        Way::Transition(place) => (teller.path(place.0), net.transition(place).origin),
    };
    let text = net.origins.get(origin).span;
    Obstructed {
        of: of.to_owned(),
        way: teller.text(text),
        at: teller.place(text),
        blocks: obstacle.blocks.iter().map(|block| blocked(teller, block)).collect(),
    }
}

fn blocked(teller: &Teller<'_>, block: &Block) -> Blocked {
    let net = teller.net();
    match block {
        Block::State { leaf, is, needs } => Blocked::State {
            component: teller.path(*leaf).to_owned(),
            is: net.plts[*leaf].states[*is].name.to_string(),
            needs: net.plts[*leaf].states[*needs].name.to_string(),
        },
        Block::Member { node, part, text, offers, inside, .. } => Blocked::Member {
            part: part_path(teller, *node, *part),
            asked: teller.text(*text),
            at: teller.place(*text),
            offers: offers.iter().map(|&place| offer(teller, place)).collect(),
            inside: inside.iter().map(|one| obstructed(teller, one)).collect(),
        },
        Block::Disagree { node, member, text } => Blocked::Disagree {
            part: member_path(teller, *node, *member, *text),
            asked: teller.text(*text),
            at: teller.place(*text),
        },
        Block::Condition { text, values } => Blocked::Condition {
            text: teller.text(*text),
            at: teller.place(*text),
            values: equations(teller, values),
        },
        Block::Owed { text, kind, values } => Blocked::Owed {
            text: teller.text(*text),
            at: teller.place(*text),
            what: owed(*kind).to_owned(),
            values: equations(teller, values),
        },
        Block::Rival { text, .. } => {
            Blocked::Rival { text: teller.text(*text), at: teller.place(*text) }
        }
        Block::Unclear(gap) => Blocked::Unclear { why: gap.to_string() },
    }
}

/// What a value is for, in a word.
fn owed(kind: OwedKind) -> &'static str {
    match kind {
        OwedKind::Range => "range",
        OwedKind::Place => "place",
        OwedKind::Member => "member",
        OwedKind::Divisor => "divisor",
        OwedKind::Call => "call",
        OwedKind::Field => "field",
        OwedKind::Apart => "apart",
    }
}

fn equations(teller: &Teller<'_>, values: &[(String, Value)]) -> Vec<Equation> {
    let one = |(what, value): &(String, Value)| Equation {
        what: what.clone(),
        value: teller.value(value),
    };
    values.iter().map(one).collect()
}

/// What a transition does, as it is written.
fn offer(teller: &Teller<'_>, place: TransitionPlace) -> String {
    label::transition(teller.net(), teller.net().transition(place)).action
}

fn part_path(teller: &Teller<'_>, node: NodeId, part: PartId) -> String {
    let name = teller.net().nodes[node].parts[part].name.to_string();
    crate::pnet::path_inside(teller.path_of(node), &name)
}

/// The path of a member, by the vector that has its text.
fn member_path(
    teller: &Teller<'_>,
    node: NodeId,
    member: crate::pnet::MemberId,
    text: crate::diagnostics::Span,
) -> String {
    let vectors = teller.net().nodes[node].vectors.iter();
    let mut members = vectors.filter_map(|vector| vector.members.get(member));
    let part = members.find(|member| member.text == text).map(|member| member.part);
    part.map_or_else(String::new, |part| part_path(teller, node, part))
}
