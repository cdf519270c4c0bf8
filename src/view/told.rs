//! What the page is told: the model, what is not possible and why, charts and texts.

use serde_json::{Value, json};

use super::position::came_back;
use super::{View, ViewProblem, Walk};
use crate::base::budget;
use crate::elaborate::Target;
use crate::emit;
use crate::emit::trace::{Look, step_answer};
use crate::model::Checked;
use crate::outcome::{RunEnd, StepAnswer, Trace, WhyNot};
use crate::simulate::{StepCommand, StepProblem, Stepper};
use crate::verify;

/// So many actions are told of that are not possible.
const MOST_IMPOSSIBLE: usize = 40;
/// Reasons are not broken into lines: the page does that.
const WIDTH: usize = 4_000;
const LOOK: Look = Look { width: WIDTH, colour: false };
/// So many steps of a walk are in its chart: the last ones.
const MOST_CHARTED: usize = 200;

/// The checks and scenarios of a model, for the page.
pub fn claims(checked: &Checked) -> Vec<Value> {
    let claims = verify::claims(checked);
    let own = claims.iter().enumerate().filter(|(_, claim)| !checked.is_asked(claim.span()));
    own.map(|(place, claim)| {
        let file = checked.sources.file_of(claim.span());
        let line = file.map(|file| file.position(claim.span().start).line);
        let file = file.map(crate::diagnostics::SourceFile::name);
        json!({ "place": place, "text": claim.text(checked), "file": file, "line": line })
    })
    .collect()
}

impl View {
    /// The model and its picture.
    pub fn model(&self) -> Value {
        let viewed = self.viewed();
        let (checked, net) = (&viewed.checked, &viewed.net);
        let files = checked.sources.files().iter().filter(|file| viewed.is_own(file));
        let files: Vec<Value> = files
            .map(|file| json!({ "name": file.name(), "text": file.text().as_ref() }))
            .collect();
        let is_net = |target: &Target| matches!(target, Target::Net(_));
        let nets = checked.targets().into_iter().map(
            |(name, target)| json!({ "name": emit::quoted(name.as_str()), "net": is_net(&target) }),
        );
        let holes: Vec<&str> = net.holes.iter().map(|hole| hole.path.as_str()).collect();
        let domains = viewed.domains.names(&net.algebra);
        json!({
            "name": viewed.name,
            "file": checked.root,
            "files": files,
            "nets": nets.collect::<Vec<_>>(),
            "holes": holes,
            "domains": domains.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "drawn": self.drawn(),
            "claims": claims(checked),
        })
    }

    /// The net's picture, with what is needed to light the states of its components there.
    pub fn drawn(&self) -> Value {
        let viewed = self.viewed();
        let (checked, net) = (&viewed.checked, &viewed.net);
        let teller = viewed.teller();
        let paths: Vec<&str> = teller.leaves().iter().map(|(path, _)| path.as_str()).collect();
        json!({
            "name": viewed.name,
            "root": net.name.as_str(),
            "paths": paths,
            "picture": emit::without_style(&emit::svg_with_comments(net, &checked.sources)),
        })
    }

    /// What the steps of a walk show, and with how many choices it begins.
    pub fn labels(&mut self, walk: &Walk) -> Result<Value, ViewProblem> {
        self.follow(walk, |stepper| {
            let first = usize::from(stepper.beginnings().len() > 1);
            let steps = stepper.made().map_or(&[][..], |(_, steps)| steps);
            let teller = stepper.teller();
            let labels = steps.iter().map(|step| teller.value(&step.action).text);
            Ok(json!({ "first": first, "labels": labels.collect::<Vec<_>>() }))
        })
    }

    /// What is not possible, and why: each action of the model that no step shows now.
    pub fn impossible(&mut self, walk: &Walk) -> Result<Value, ViewProblem> {
        let viewed = std::sync::Arc::clone(self.viewed());
        self.follow(walk, |stepper| {
            let mut names: Vec<&str> = Vec::new();
            for action in &viewed.net.algebra.actions {
                let name = action.name.as_str();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let (mut told, mut more) = (Vec::new(), 0);
            for name in names {
                if told.len() >= MOST_IMPOSSIBLE || budget::is_spent() {
                    more += 1;
                    continue;
                }
                let Ok(mut why) = why(stepper, &emit::quoted(name)) else { continue };
                if why.synchronised {
                    let Ok(inside) = self::why(stepper, &format!("sync {}", emit::quoted(name)))
                    else {
                        continue;
                    };
                    why = inside;
                }
                if why.possible.is_empty() && !why.obstacles.is_empty() {
                    let lines = step_answer(&StepAnswer::Why(Box::new(why.clone())), LOOK);
                    let place = why.obstacles.first().and_then(|one| one.at.clone());
                    told.push(json!({ "action": why.action, "why": lines, "at": place }));
                }
            }
            Ok(json!({ "impossible": told, "more": more }))
        })
    }

    /// Why an action that somebody wrote is not possible.
    pub fn why(&mut self, walk: &Walk, action: &str) -> Result<Value, ViewProblem> {
        self.follow(walk, |stepper| {
            let why = why(stepper, action)?;
            let lines = step_answer(&StepAnswer::Why(Box::new(why.clone())), LOOK);
            Ok(json!({ "lines": lines, "possible": why.possible }))
        })
    }

    /// The run so far as a sequence chart, and as lanes.
    pub fn chart(&mut self, walk: &Walk) -> Result<Value, ViewProblem> {
        let mut trace = self.trace(walk)?;
        let again = self.follow(walk, |stepper| Ok(came_back(stepper)))?;
        if let (RunEnd::Open { state }, Some(start)) = (&trace.end, again) {
            trace.end = RunEnd::Loop { state: state.clone(), start };
        }
        let left_out = trace.steps.len().saturating_sub(MOST_CHARTED);
        let lanes = emit::trace::lanes(&trace, Look { width: 110, colour: false });
        trace.steps.drain(..left_out);
        // The first step of a loop may be among those that are left out: then it is told below the chart only.
        if let RunEnd::Loop { state, start } = &trace.end {
            trace.end = match start.checked_sub(left_out) {
                Some(start) => RunEnd::Loop { state: state.clone(), start },
                None => RunEnd::Open { state: state.clone() },
            };
        }
        let picture = emit::without_style(&emit::chart(&trace));
        Ok(json!({ "picture": picture, "lanes": lanes.join("\n"), "left_out": left_out }))
    }

    /// The run so far as text, which `pnet replay` reads.
    pub fn text(&mut self, walk: &Walk) -> Result<Value, ViewProblem> {
        Ok(json!({ "text": emit::trace::saved(&self.trace(walk)?) }))
    }

    fn trace(&mut self, walk: &Walk) -> Result<Trace, ViewProblem> {
        let viewed = std::sync::Arc::clone(self.viewed());
        let domains = viewed.domains.names(&viewed.net.algebra);
        let domains = domains.iter().map(ToString::to_string).collect();
        let trace = self.follow(walk, |stepper| Ok(stepper.trace()?))?;
        Ok(Trace { set: viewed.set.clone(), domains, ..trace })
    }
}

fn why(stepper: &mut Stepper<'_>, action: &str) -> Result<WhyNot, ViewProblem> {
    match stepper.obey(&StepCommand::Why(action.to_owned()))? {
        StepAnswer::Why(why) => Ok(*why),
        _ => Err(StepProblem::NotHere.into()),
    }
}
