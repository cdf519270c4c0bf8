//! What somebody is told who makes a run step by step, line by line.

use super::cells::{Paint, filled, painted, width};
use super::lanes::{Look, lanes, name};
use super::list::{action_width, row, said};
use super::moves::{begun, shown};
use crate::emit::outcome::{ended_shortly, place};
use crate::outcome::{
    Choices, Component, Equation, Obstructed, Place, Position, StepAnswer, TraceStep, WhyNot,
};

/// So many choices are shown; there are more by number.
const MOST_CHOICES: usize = 100;

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
        return vec![format!("nothing in the net ever shows `{}`", why.action)];
    }
    let mut lines = vec![format!("`{}` is not possible now:", why.action)];
    for obstacle in &why.obstacles {
        lines.extend(obstructed(obstacle, look));
    }
    lines
}

fn obstructed(one: &Obstructed, look: Look) -> Vec<String> {
    let at = |place_of: &Option<Place>| {
        place_of.as_ref().map_or_else(String::new, |at| format!(" ({})", place(at)))
    };
    let inside = look.width.saturating_sub(4).max(20);
    let mut lines: Vec<String> = Vec::new();
    if let Some(way) = &one.way {
        lines.extend(
            filled(&[format!("{way}{}", at(&one.at))], inside)
                .iter()
                .map(|line| format!("  {line}")),
        );
    }
    let why = filled(&[format!("{}{}", one.why, at(&one.because))], inside);
    lines.extend(why.iter().map(|line| format!("    {line}")));
    lines
}
