//! The part of what can be reached that lies around where a walk is, as a picture.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::walk::here;
use super::{View, ViewProblem, Walk};
use crate::base::{Id, budget};
use crate::emit;
use crate::emit::lts::PartMark;
use crate::explore::{Configuration, Gap};
use crate::lts::{LabelTable, LtsBuilder, LtsState};
use crate::simulate::{Ending, StepProblem, stuck};

/// So many configurations are drawn.
const MOST_DRAWN: usize = 40;

impl View {
    /// What is around: a picture whose states have numbers, with what each of them is and the choices that lead there.
    pub fn around(&mut self, walk: &Walk) -> Result<Value, ViewProblem> {
        self.follow(walk, |stepper| {
            let from = here(stepper).ok_or(StepProblem::NotBegun)?.clone();
            let (interpreter, teller) = (stepper.interpreter(), stepper.teller());
            let mut places: FxHashMap<Configuration, usize> = FxHashMap::default();
            let mut met: Vec<(Configuration, Vec<usize>)> = vec![(from.clone(), Vec::new())];
            places.insert(from, 0);
            let mut builder = LtsBuilder::new(LabelTable::new("tau"));
            let (mut marks, mut at) = (Vec::new(), 0);
            while at < met.len() {
                if budget::is_spent() {
                    return Err(ViewProblem::Gap(Gap::Stopped));
                }
                let (here, way) = met[at].clone();
                builder.state(LtsState::at(at));
                let steps = interpreter.steps(&here)?;
                let is_stuck = stuck(interpreter, &here, &steps) == Some(Ending::Deadlock);
                let mut mark = match (is_stuck, steps.limited) {
                    (true, _) => PartMark::Deadlock,
                    (false, true) => PartMark::Cut,
                    (false, false) => PartMark::Whole,
                };
                for (number, step) in steps.steps.into_iter().enumerate() {
                    let label = teller.value(&step.action).text;
                    let to = match places.get(&step.target) {
                        Some(known) => *known,
                        None if met.len() >= MOST_DRAWN => {
                            mark = PartMark::Cut;
                            continue;
                        }
                        None => {
                            let mut choices = way.clone();
                            choices.push(number + 1);
                            places.insert(step.target.clone(), met.len());
                            met.push((step.target, choices));
                            met.len() - 1
                        }
                    };
                    let label = builder.labels.intern(&label);
                    builder.add(LtsState::at(at), label, LtsState::at(to));
                }
                marks.push(mark);
                at += 1;
            }
            let lts = builder.finish(LtsState::at(0));
            let picture = emit::lts::part_svg(&lts, teller.name(), &marks);
            let more = marks.contains(&PartMark::Cut);
            let states: Vec<Value> = met
                .iter()
                .map(|(at, choices)| json!({ "state": teller.state(at), "choices": choices }))
                .collect();
            Ok(json!({ "picture": emit::without_style(&picture), "states": states, "more": more }))
        })
    }
}
