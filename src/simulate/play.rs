//! Random runs: in each configuration, one of the possible steps.

use super::{Dice, Ending, Unplayable};
use crate::base::budget;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Property, Step, Steps};

/// A property that a run looks for, with its text.
#[derive(Clone, Debug)]
pub struct Sought {
    /// The property.
    pub property: Property,
    /// As somebody wrote it.
    pub text: String,
}

/// A run that was made.
#[derive(Clone, Debug)]
pub struct Played {
    /// Where it begins.
    pub begin: Configuration,
    /// The steps.
    pub steps: Vec<Step>,
    /// What is so at the end.
    pub ending: Ending,
    /// Why it did not go on, where nothing could be said about what is possible.
    pub gap: Option<Gap>,
}

/// A random run of at most so many steps, to where a goal is met.
pub fn play(
    interpreter: &Interpreter<'_>,
    goal: Option<&Sought>,
    (most, seed): (usize, u64),
) -> Result<Played, Unplayable> {
    let mut dice = Dice::new(seed);
    let mut begins = interpreter.initial()?.configurations;
    let mut played = Played {
        begin: match begins.len() {
            0 => return Err(Unplayable::NoBeginning),
            count => begins.swap_remove(dice.below(count)),
        },
        steps: Vec::new(),
        ending: Ending::Open,
        gap: None,
    };
    let budget = budget::here();
    while !budget.is_spent() {
        match next(interpreter, goal, (&played, most), &mut dice) {
            Ok(Next::Step(step)) => played.steps.push(step),
            Ok(Next::End(ending)) => {
                played.ending = ending;
                break;
            }
            Err(gap) => {
                played.gap = Some(gap);
                break;
            }
        }
    }
    Ok(played)
}

enum Next {
    Step(Step),
    End(Ending),
}

fn next(
    interpreter: &Interpreter<'_>,
    goal: Option<&Sought>,
    (played, most): (&Played, usize),
    dice: &mut Dice,
) -> Result<Next, Gap> {
    let at = played.last();
    if let Some(goal) = goal
        && interpreter.holds(at, &goal.property)? == Some(true)
    {
        return Ok(Next::End(Ending::Property(Some(true), Some(goal.text.clone()))));
    }
    let mut steps = interpreter.steps(at)?;
    if let Some(ending) = stuck(interpreter, at, &steps) {
        return Ok(Next::End(ending));
    }
    if played.steps.len() >= most {
        return Ok(Next::End(Ending::Open));
    }
    let chosen = dice.below(steps.steps.len());
    Ok(Next::Step(steps.steps.swap_remove(chosen)))
}

/// How a run ends that ends here: whether it could go on. Where that is not known, nothing is said against it.
pub fn ending(interpreter: &Interpreter<'_>, at: &Configuration) -> Ending {
    let steps = interpreter.steps(at).ok();
    steps.and_then(|steps| stuck(interpreter, at, &steps)).unwrap_or(Ending::Open)
}

/// What is so where there are no steps; nothing where there are some.
pub fn stuck(interpreter: &Interpreter<'_>, at: &Configuration, steps: &Steps) -> Option<Ending> {
    match (steps.steps.is_empty(), steps.limited) {
        (false, _) => None,
        (true, true) => Some(Ending::Untried),
        (true, false) if interpreter.is_final(at) => Some(Ending::Finished),
        (true, false) => Some(Ending::Deadlock),
    }
}

impl Played {
    /// Where it ends.
    pub fn last(&self) -> &Configuration {
        self.steps.last().map_or(&self.begin, |step| &step.target)
    }
}
