//! What somebody is told who makes a run step by step, line by line.

use super::cells::{Paint, filled, painted, width};
use super::lanes::{Look, lanes, name};
use super::list::{action_width, row, said};
use super::moves::{begun, shown};
use crate::emit::outcome::{ended_shortly, place};
use crate::outcome::{
    Blocked, Choices, Component, Equation, Obstructed, Place, Position, StepAnswer, TraceStep,
    WhyNot,
};

/// So many choices are shown; there are more by number.
const MOST_CHOICES: usize = 100;
/// So many ways to make an action are told.
const MOST_WAYS: usize = 12;

/// An answer, line by line.
pub fn step_answer(answer: &StepAnswer, look: Look) -> Vec<String> {
    match answer {
        StepAnswer::Position(position) => located(position, look),
        StepAnswer::Components { components } => {
            components.iter().flat_map(|one| component(one, look)).collect()
        }
        StepAnswer::Values { values } => {
            values.iter().flat_map(|one| filled(&[equation(one)], look.width)).collect()
        }
        StepAnswer::Run(trace) => lanes(trace, look),
        StepAnswer::Why(why) => reasons(why, look),
    }
}

fn equation(one: &Equation) -> String {
    format!("{} = {}", one.what, one.value.text)
}

fn component(one: &Component, look: Look) -> Vec<String> {
    let begun = begun(&one.state, &one.variables).join(" ");
    filled(&[format!("{}: {begun}", name(&one.path))], look.width)
}

/// Where a run is: the last step, and what can be chosen.
fn located(position: &Position, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(last) = &position.last {
        let columns = (width(&position.steps.to_string()), action_width([last]));
        lines.extend(row(look, columns, (position.steps, shown(last)), said(last)));
    }
    if position.ahead > 0 {
        let ahead = position.ahead;
        let steps =
            if ahead == 1 { "1 step was".to_owned() } else { format!("{ahead} steps were") };
        lines.push(format!("({steps} taken back: `forward` goes there again)"));
    }
    match &position.choices {
        Choices::Beginnings { beginnings } => {
            lines.push(painted("it can begin with", Paint::Bold, look.colour));
            lines.extend(numbered(beginnings, look, |_, at, begins| {
                let text: Vec<String> = begins.iter().map(equation).collect();
                filled(&[format!("{at}  {}", text.join(", "))], look.width.saturating_sub(2))
            }));
        }
        Choices::Steps { steps } if !steps.is_empty() => {
            let said_first =
                if position.steps == 0 { "it can begin with" } else { "then it can do" };
            lines.push(painted(said_first, Paint::Bold, look.colour));
            let inside = Look { width: look.width.saturating_sub(2), ..look };
            let columns = (width(&steps.len().to_string()), action_width(steps));
            lines.extend(numbered(steps, inside, |look, at, step: &TraceStep| {
                row(look, columns, (at, shown(step)), said(step))
            }));
        }
        Choices::Steps { .. } => {}
        Choices::Unknown { why } => {
            lines.extend(filled(&[format!("not known: {why}")], look.width))
        }
    }
    if let Some(end) = &position.end {
        lines.extend(filled(&[ended_shortly(end, position.steps)], look.width));
    } else if position.limited {
        lines
            .push("(with values that are not tried, there may be more: see `--domain`)".to_owned());
    }
    lines
}

/// Choices with their numbers, a little to the right.
fn numbered<T>(
    all: &[T],
    look: Look,
    line: impl Fn(Look, usize, &T) -> Vec<String>,
) -> Vec<String> {
    let shown = all.iter().take(MOST_CHOICES).enumerate();
    let lines = shown.flat_map(|(at, one)| line(look, at + 1, one));
    let mut lines: Vec<String> = lines.map(|line| format!("  {line}")).collect();
    if all.len() > MOST_CHOICES {
        lines.push(format!("  … and more, up to {}", all.len()));
    }
    lines
}

/// Why an action is not possible.
fn reasons(why: &WhyNot, look: Look) -> Vec<String> {
    if !why.possible.is_empty() {
        let numbers: Vec<String> = why.possible.iter().map(usize::to_string).collect();
        let which = if numbers.len() == 1 { "step" } else { "steps" };
        return vec![format!("`{}` is possible: {which} {}", why.action, numbers.join(", "))];
    }
    if why.obstacles.is_empty() {
        let mut never = format!("nothing in the net ever shows `{}`", why.action);
        if why.synchronised {
            never.push_str(&format!("; ask about `sync {}`", why.action));
        }
        return vec![never];
    }
    let mut lines = vec![format!("`{}` is not possible now:", why.action)];
    obstructed(&why.obstacles, 1, look, &mut lines);
    lines
}

/// Ways that are blocked, each deeper than what they are for.
fn obstructed(all: &[Obstructed], depth: usize, look: Look, lines: &mut Vec<String>) {
    for one in all.iter().take(MOST_WAYS) {
        let of = if one.of.is_empty() { String::new() } else { format!(" of `{}`", one.of) };
        say(&format!("{}{of}{}", one.way, at(&one.at)), depth, look, lines);
        for block in &one.blocks {
            say(&blocked(block), depth + 1, look, lines);
            if let Blocked::Member { inside, .. } = block {
                obstructed(inside, depth + 2, look, lines);
            }
        }
        if one.blocks.is_empty() {
            say("nothing: it is possible by itself", depth + 1, look, lines);
        }
    }
    if all.len() > MOST_WAYS {
        say(&format!("… and {} more ways", all.len() - MOST_WAYS), depth, look, lines);
    }
}

/// Says something at a depth.
fn say(text: &str, depth: usize, look: Look, lines: &mut Vec<String>) {
    let indent = " ".repeat(2 * depth.min(20));
    let room = look.width.saturating_sub(indent.len()).max(20);
    lines.extend(filled(&[text.to_owned()], room).iter().map(|line| format!("{indent}{line}")));
}

/// Whether something is in the right state, and what stands in the way is something else.
fn is_near(way: &Obstructed) -> bool {
    !way.blocks.iter().any(|block| matches!(block, Blocked::State { .. }))
}

/// What stands in the way.
fn blocked(block: &Blocked) -> String {
    match block {
        Blocked::State { component, is, needs } => {
            format!("`{}` is in `{is}`, and it starts in `{needs}`", name(component))
        }
        Blocked::Member { part, asked, offers, inside, .. } => {
            let can = match offers.as_slice() {
                // What is missing is said below.
                _ if inside.iter().any(is_near) => "not now".to_owned(),
                [] => "it can do nothing here".to_owned(),
                offers => format!("where it is, it has {}", offers.join(", ")),
            };
            format!("`{}` does not do `{asked}`: {can}", name(part))
        }
        Blocked::Disagree { part, asked, .. } => {
            format!("`{}` does `{asked}` only with other values than the others", name(part))
        }
        Blocked::Condition { text, at: place, values } => {
            format!("`{text}` does not hold{}{}", with(values), at(place))
        }
        Blocked::Owed { text, at: place, what, values } => {
            let is = match what.as_str() {
                "range" => "is outside of its range",
                "place" => "is no place of the array",
                "member" => "is no member of the family",
                "divisor" => "is 0, and something is divided by it",
                "field" => "changes a field that the value does not have",
                "apart" => "is assigned twice",
                _ => "has no value",
            };
            format!("`{text}` {is}{}{}", with(values), at(place))
        }
        Blocked::Rival { text, at: place } => format!("it gives way to `{text}`{}", at(place)),
        Blocked::Unclear { why } => format!("nothing can be said: {why}"),
    }
}

fn at(place_of: &Option<Place>) -> String {
    place_of.as_ref().map_or_else(String::new, |at| format!(" ({})", place(at)))
}

fn with(values: &[Equation]) -> String {
    let all: Vec<String> = values.iter().map(equation).collect();
    if all.is_empty() { String::new() } else { format!(" with {}", all.join(", ")) }
}
