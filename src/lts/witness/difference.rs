//! What tells two systems apart, as a line of JSON, and whether it does: it is evaluated on both.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::base::Id;
use crate::lts::compare::{Difference, LtsQuestion, Side};
use crate::lts::formula::{Form, FormulaId, Formulas};
use crate::lts::reduce::Equivalence;
use crate::lts::refines::{Excess, Seen, Then, shows};
use crate::lts::system::{LabelTable, Lts, LtsLabel};

/// What is wrong with a difference.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum WrongDifference {
    /// It is none.
    #[error("it does not say what tells the two apart")]
    Unread,
    /// It is none of what was asked.
    #[error("it does not tell the two apart by what was asked")]
    Kind,
    /// It is not so.
    #[error("it does not hold in just one of the two systems")]
    NotSo,
}

/// A difference, with labels as texts; none is the silent one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Whether it is of the first system; otherwise of the second.
    first: bool,
    what: What,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum What {
    Trace {
        trace: Vec<Option<String>>,
        then: After,
    },
    /// Each formula is made of those before it; the last one is meant.
    Formula(Vec<Part>),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum After {
    Stuck,
    Refuses(Vec<Option<String>>),
    Diverges,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    Not(u32),
    All(Vec<u32>),
    Step(Option<String>, u32),
    Weakly(Option<String>, u32),
    Observed(Option<String>, u32),
    Until(u32, Option<String>, u32),
    ForEver(u32),
}

/// A difference as a line of JSON.
pub fn difference_line(difference: &Difference, labels: &LabelTable) -> String {
    let text = |label: &LtsLabel| (!label.is_silent()).then(|| labels.text(*label).to_owned());
    let texts = |all: &[LtsLabel]| all.iter().map(text).collect();
    let (of, what) = match difference {
        Difference::Seen { of, excess } => {
            let then = match &excess.then {
                Then::Stuck => After::Stuck,
                Then::Refuses { offers } => After::Refuses(texts(offers)),
                Then::Diverges => After::Diverges,
            };
            (of, What::Trace { trace: texts(&excess.trace), then })
        }
        Difference::Formula { of, formulas, formula } => {
            let part = |at: usize| match formulas.form(FormulaId::at(at)) {
                Form::Not(one) => Part::Not(one.0),
                Form::All(parts) => Part::All(parts.iter().map(|one| one.0).collect()),
                Form::Step(label, one) => Part::Step(text(label), one.0),
                Form::Weakly(label, one) => Part::Weakly(text(label), one.0),
                Form::Observed(label, one) => Part::Observed(text(label), one.0),
                Form::Until(one, label, two) => Part::Until(one.0, text(label), two.0),
                Form::ForEver(one) => Part::ForEver(one.0),
            };
            (of, What::Formula((0..=formula.index()).map(part).collect()))
        }
    };
    let line = Line { first: *of == Side::First, what };
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

/// Whether a line tells two systems apart by what was asked; otherwise, why not.
pub fn tells_apart(
    line: &str,
    (first, second): (&Lts, &Lts),
    question: LtsQuestion,
) -> Result<(), WrongDifference> {
    let Line { first: of_first, what } =
        serde_json::from_str(line.trim_end()).map_err(|_| WrongDifference::Unread)?;
    // In one direction, only what the first has more counts.
    let one_way = matches!(question, LtsQuestion::Simulated | LtsQuestion::Refines(_));
    let (own, other) = if of_first { (first, second) } else { (second, first) };
    let mut reading = Reading { labels: LabelTable::new("tau"), formulas: Formulas::default() };
    let tells = match what {
        What::Trace { trace, then } => {
            let seen = seen(question, &then).ok_or(WrongDifference::Kind)?;
            if one_way && !of_first {
                return Err(WrongDifference::Kind);
            }
            let then = match then {
                After::Stuck => Then::Stuck,
                After::Refuses(offers) => Then::Refuses { offers: reading.all(&offers) },
                After::Diverges => Then::Diverges,
            };
            let excess = Excess { trace: reading.all(&trace), then };
            let shows = |lts: &Lts| shows(lts, &reading.labels, &excess, seen);
            shows(own) && !shows(other)
        }
        What::Formula(parts) => {
            let id = reading.formula(parts, question)?;
            if one_way && !of_first {
                return Err(WrongDifference::Kind);
            }
            let holds = |lts: &Lts| reading.formulas.holds(id, &reading.labels, lts);
            holds(own) && !holds(other)
        }
    };
    if tells { Ok(()) } else { Err(WrongDifference::NotSo) }
}

/// What a trace is seen by, where it tells apart what was asked.
fn seen(question: LtsQuestion, then: &After) -> Option<Seen> {
    let by_trace = |hides: bool| {
        let seen = if hides { Seen::WeakTraces } else { Seen::Traces };
        (*then == After::Stuck).then_some(seen)
    };
    match question {
        LtsQuestion::Equivalent(by) => by_trace(by.hides()),
        LtsQuestion::Simulated => by_trace(true),
        LtsQuestion::Refines(seen) | LtsQuestion::SeenAlike(seen) => match seen {
            Seen::Traces | Seen::WeakTraces => by_trace(seen.hides()),
            seen => Some(seen),
        },
    }
}

struct Reading {
    labels: LabelTable,
    formulas: Formulas,
}

impl Reading {
    fn label(&mut self, text: &Option<String>) -> LtsLabel {
        match text {
            // The silent action has no text here: whatever is called so is seen.
            None => LtsLabel::SILENT,
            Some(text) => self.labels.intern(text),
        }
    }

    fn all(&mut self, texts: &[Option<String>]) -> Vec<LtsLabel> {
        texts.iter().map(|text| self.label(text)).collect()
    }

    /// A formula of the logic of what was asked.
    fn formula(
        &mut self,
        parts: Vec<Part>,
        question: LtsQuestion,
    ) -> Result<FormulaId, WrongDifference> {
        let mut made: Vec<FormulaId> = Vec::with_capacity(parts.len());
        for part in parts {
            if !is_of_logic(&part, question) {
                return Err(WrongDifference::Kind);
            }
            let known = |at: u32| made.get(at as usize).copied().ok_or(WrongDifference::Unread);
            let form = match part {
                Part::Not(one) => Form::Not(known(one)?),
                Part::All(all) => {
                    let all: Result<Vec<FormulaId>, _> = all.into_iter().map(known).collect();
                    Form::All(all?)
                }
                Part::Step(label, one) => Form::Step(self.label(&label), known(one)?),
                Part::Weakly(label, one) => Form::Weakly(self.label(&label), known(one)?),
                Part::Observed(label, one) => Form::Observed(self.label(&label), known(one)?),
                Part::Until(one, label, two) => {
                    Form::Until(known(one)?, self.label(&label), known(two)?)
                }
                Part::ForEver(one) => Form::ForEver(known(one)?),
            };
            made.push(self.formulas.make(form));
        }
        made.last().copied().ok_or(WrongDifference::Unread)
    }
}

/// Whether states that are related satisfy the same formulas of this form; by a simulation, those that simulate satisfy more.
fn is_of_logic(part: &Part, question: LtsQuestion) -> bool {
    use LtsQuestion::{Equivalent, Simulated};
    match (part, question) {
        (Part::All(_), _) => true,
        (Part::Not(_), Equivalent(by)) => by != Equivalence::Safety,
        (Part::Step(..), Equivalent(Equivalence::Strong)) => true,
        (Part::Weakly(..), Equivalent(Equivalence::Weak)) => true,
        (
            Part::Until(..),
            Equivalent(Equivalence::Branching | Equivalence::DivergencePreserving),
        ) => true,
        (Part::ForEver(_), Equivalent(Equivalence::DivergencePreserving)) => true,
        (Part::Observed(label, _), Equivalent(Equivalence::Safety) | Simulated) => label.is_some(),
        _ => false,
    }
}
