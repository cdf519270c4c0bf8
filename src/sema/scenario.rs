//! Scenarios: runs that a net must be able to make, or must not.
//!
//! A step is a pattern of an action. A name in its arguments that means nothing else is bound where it stands first, and
//! must fit from there on; a demand sees what was bound before it.

use rustc_hash::FxHashMap;

use super::Sema;
use super::body::Body;
use super::offers::{Certainty, Head, Offer};
use super::problems::{Duplicate, NeverShown, SingleUse};
use super::program::{
    ActionSet, Expr, Instance, Local, LocalId, ModuleId, Pattern, PatternKind, Sort,
};
use super::question::{at_top, leaves, property};
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident, ItemKind, ScenarioName, StepKind};
use crate::syntax::print::print_instance;

/// A run that must be possible, or must not be.
#[derive(Debug)]
pub struct ScenarioDef {
    /// Whether there must be no such run.
    pub negated: bool,
    /// What it is called.
    pub name: ScenarioName,
    /// Of what.
    pub net: Instance,
    /// Its steps, from the beginning.
    pub steps: Vec<ScenarioStep>,
    /// Its local names.
    pub locals: Vec<Local>,
    /// Where it was written.
    pub span: Span,
    /// What stands before its `{`.
    pub head: Span,
    /// In which module.
    pub module: ModuleId,
}

/// A step of a scenario.
#[derive(Debug)]
pub struct ScenarioStep {
    /// Which.
    pub kind: ScenarioStepKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of steps of scenarios.
#[derive(Debug)]
pub enum ScenarioStepKind {
    /// One step that shows an action like this. [`PatternKind::Bind`] takes a value for the rest of the scenario, and for
    /// what stands to its right.
    Action(Pattern),
    /// Any steps.
    Gap,
    /// This holds here; it may use what was bound before.
    Demand(Expr),
}

/// Checks all scenarios.
pub(super) fn run(sema: &mut Sema<'_>) {
    for (module, loaded) in sema.modules.iter().enumerate() {
        // A name is told apart by what the scenario is about.
        let mut known: FxHashMap<(Symbol, String), Span> = FxHashMap::default();
        for item in &loaded.tree.items {
            if is_spent() {
                return;
            }
            let ItemKind::Scenario(scenario) = &item.kind else { continue };
            let ScenarioName { name, span, .. } = scenario.name;
            let named = (name, print_instance(&scenario.net));
            if let Some(&first) = known.get(&named) {
                let (what, name) = ("scenario".to_owned(), format!("{name} of {}", named.1));
                sema.report(Duplicate { span, what, name, first });
            }
            known.entry(named).or_insert(span);
            let checked = check(sema, ModuleId(module as u32), scenario, item.span);
            sema.program.scenarios.push(checked);
        }
    }
}

fn check(
    sema: &mut Sema<'_>,
    module: ModuleId,
    scenario: &ast::ScenarioDecl,
    span: Span,
) -> ScenarioDef {
    let ScenarioName { name, span: name_span, .. } = scenario.name;
    let mut work = at_top(sema, module, Ident { name, span: name_span });
    let (net, offer) = work.instance(&scenario.net, &[]);
    let mut body = work.body;
    body.see_parameters(&net);
    let nets = [net];
    let about = leaves(&body, &nets);
    let net_name = scenario.net.head.path.to_string();
    let mut steps = Vec::with_capacity(scenario.steps.len());
    let mut bound: Vec<LocalId> = Vec::new();
    for step in &scenario.steps {
        let kind = match &step.kind {
            StepKind::Error => {
                body.failed = true;
                continue;
            }
            StepKind::Gap => ScenarioStepKind::Gap,
            StepKind::Action(action) => {
                let pattern = shown(&mut body, action, &mut bound);
                body.never_shown(std::slice::from_ref(&pattern), &offer, &net_name);
                ScenarioStepKind::Action(pattern)
            }
            StepKind::Demand(demand) => {
                let held = property(&mut body, demand, about.clone(), net_name.clone());
                ScenarioStepKind::Demand(held)
            }
        };
        steps.push(ScenarioStep { kind, span: step.span });
    }
    body.used_once(&bound);
    let locals = std::mem::take(&mut body.locals);
    let head = Span::new(span.start, scenario.net.span.end);
    let [net] = nets;
    let (negated, name) = (scenario.negated, scenario.name);
    ScenarioDef { negated, name, net, steps, locals, span, head, module }
}

/// The pattern of a step, and the names that it binds.
fn shown(body: &mut Body<'_, '_>, action: &ast::Expr, bound: &mut Vec<LocalId>) -> Pattern {
    let first = body.locals.len();
    body.binds = true;
    let pattern = body.test_pattern(action, Sort::Action);
    body.binds = false;
    body.settle(first);
    let mut set = ActionSet::Patterns(vec![pattern]);
    set.each_value_mut(&mut |value| body.finish(value));
    let ActionSet::Patterns(mut patterns) = set else { return error(action.span) };
    let pattern = patterns.pop().unwrap_or_else(|| error(action.span));
    names_of(&pattern, bound);
    pattern
}

fn error(span: Span) -> Pattern {
    Pattern { kind: PatternKind::Error, span }
}

/// The names that a pattern binds.
pub(super) fn names_of(pattern: &Pattern, bound: &mut Vec<LocalId>) {
    match &pattern.kind {
        PatternKind::Bind(id) => bound.push(*id),
        PatternKind::Construct(_, _, inner) | PatternKind::Act(_, inner) => {
            inner.iter().for_each(|one| names_of(one, bound));
        }
        PatternKind::Sync(inner) | PatternKind::Co(inner) => names_of(inner, bound),
        _ => {}
    }
}

impl Body<'_, '_> {
    /// Warns of actions that a net never shows, as far as its text tells.
    pub fn never_shown(&mut self, patterns: &[Pattern], offer: &Offer, net: &str) {
        for pattern in patterns {
            let head = match &pattern.kind {
                PatternKind::Act(id, _) => Head::Plain(*id),
                PatternKind::Co(inner) => match inner.kind {
                    PatternKind::Act(id, _) => Head::Co(id),
                    _ => continue,
                },
                _ => continue,
            };
            if self.failed || offer.has(head) != Certainty::No {
                continue;
            }
            let program = &self.sema.program;
            let name_of = |id: super::program::ActionId| program.actions[id.index()].named.name;
            let certain = offer.certain().into_iter().filter_map(Head::action);
            let known: Vec<&str> = certain.map(|id| name_of(id).as_str()).collect();
            let Some(action) = head.action().map(name_of) else { continue };
            let similar = self.sema.similar(action, known);
            let similar = similar.filter(|similar| similar != action.as_str());
            let (span, net, action) = (pattern.span, net.to_owned(), action.to_string());
            self.report(NeverShown { span, action, net, similar });
        }
    }

    /// Reports names that are bound and mean nothing to anybody.
    fn used_once(&mut self, bound: &[LocalId]) {
        for id in bound {
            let local = self.locals[id.index()];
            let quiet = local.name.as_str().starts_with('_') || self.is_unparsed(local.name);
            if self.reads[id.index()] == 1 && !quiet && !self.failed {
                self.report(SingleUse { span: local.span, name: local.name.to_string() });
            }
        }
    }
}
