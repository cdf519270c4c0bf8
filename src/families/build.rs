//! The pattern of a scheme: a rule for each cell at the ends, and two for what is between, one of which ends it.
//!
//! Names are passed to where they are needed, and to nowhere else. A component at the end that cells between know is passed
//! to them before it is made.

use std::collections::BTreeSet;

use super::cells::{Catalogue, Item, What};
use super::scheme::{Known, Scheme, Stage};
use crate::base::IndexVec;
use crate::parametric::{
    InteractionMember, MadeComponent, NameFormula, NeverClaim, PatternInteraction, PatternNameId,
    PatternPart, PatternRule, RuleHeadId, SystemPattern,
};

/// Adds the rules of a scheme to a pattern with the types and ports of a catalogue; the one it starts with is the first.
pub(super) fn add(
    catalogue: &Catalogue,
    scheme: &Scheme,
    prefix: &str,
    pattern: &mut SystemPattern,
) {
    let needs = Needs::of(scheme);
    let mut building = Building { pattern, catalogue, scheme, needs, prefix };
    building.start();
    building.front();
    building.middle();
    building.back();
}

/// The names that each rule needs from above, or gives to it.
struct Needs {
    front: Vec<BTreeSet<Known>>,
    middle: BTreeSet<Known>,
    back: Vec<BTreeSet<Known>>,
}

impl Needs {
    fn of(scheme: &Scheme) -> Needs {
        let is_back = |known: &&Known| matches!(known, Known::Back(..));
        let before = scheme.front.iter().chain([&scheme.middle]);
        // Components at the end that are known before they are made.
        let early: BTreeSet<Known> = before
            .flat_map(used)
            .collect::<BTreeSet<_>>()
            .iter()
            .filter(is_back)
            .cloned()
            .collect();
        let mut back: Vec<BTreeSet<Known>> = Vec::new();
        let mut after = BTreeSet::new();
        for (at, stage) in scheme.back.iter().enumerate().rev() {
            let place = scheme.back.len() - 1 - at;
            let mut needs = &used(stage) | &after;
            needs.retain(|known| !matches!(known, Known::Back(own, _) if *own == place));
            let own = stage.cell.keys().map(|role| Known::Back(place, role.clone()));
            needs.extend(own.filter(|known| early.contains(known)));
            after = needs.clone();
            back.insert(0, needs);
        }
        let middle = middle_needs(scheme, back.first().unwrap_or(&BTreeSet::new()));
        let mut front: Vec<BTreeSet<Known>> = Vec::new();
        let mut after: BTreeSet<Known> =
            middle.iter().map(|known| at_start(known, scheme.ends.front)).collect();
        for (at, stage) in scheme.front.iter().enumerate().rev() {
            let mut needs = &used(stage) | &after;
            needs.retain(|known| !matches!(known, Known::Front(own, _) if *own == at));
            after = needs.clone();
            front.insert(0, needs);
        }
        Needs { front, middle, back }
    }
}

/// What a cell between needs, for itself and for those after it.
fn middle_needs(scheme: &Scheme, end: &BTreeSet<Known>) -> BTreeSet<Known> {
    let mut needs: BTreeSet<Known> = used(&scheme.middle);
    needs.retain(|known| !matches!(known, Known::Near(0, _)));
    needs.extend(end.iter().cloned());
    for _ in 0..=scheme.ends.window {
        let earlier: Vec<Known> = needs.iter().filter_map(one_nearer).collect();
        needs.extend(earlier);
    }
    needs
}

/// What is to be known in a cell so that it is known in the next; nothing of the cell itself.
fn one_nearer(known: &Known) -> Option<Known> {
    match known {
        Known::Near(before, role) if *before > 1 => Some(Known::Near(before - 1, role.clone())),
        _ => None,
    }
}

/// A name of a cell between, where it is the first one.
fn at_start(known: &Known, front: usize) -> Known {
    match known {
        Known::Near(before, role) => Known::Front(front - before, role.clone()),
        known => known.clone(),
    }
}

/// The components that a stage speaks of.
fn used(stage: &Stage) -> BTreeSet<Known> {
    stage.items.iter().flat_map(|item| item.at.iter().cloned()).collect()
}

struct Building<'a> {
    pattern: &'a mut SystemPattern,
    /// What the heads of its rules start with, but for the first.
    prefix: &'a str,
    catalogue: &'a Catalogue,
    scheme: &'a Scheme,
    needs: Needs,
}

/// A rule in the making: its names.
struct Names {
    known: Vec<Known>,
    parameters: usize,
}

impl Names {
    fn new(parameters: &BTreeSet<Known>) -> Names {
        let known: Vec<Known> = parameters.iter().cloned().collect();
        Names { parameters: known.len(), known }
    }

    fn id(&mut self, known: &Known) -> PatternNameId {
        let at = self.known.iter().position(|one| one == known).unwrap_or_else(|| {
            self.known.push(known.clone());
            self.known.len() - 1
        });
        PatternNameId(at as u32)
    }

    fn labels(&self) -> IndexVec<PatternNameId, String> {
        self.known.iter().map(shown).collect()
    }
}

fn shown(known: &Known) -> String {
    match known {
        Known::Single(role) => role.clone(),
        Known::Front(at, role) => format!("{role}[{at}]"),
        Known::Near(0, role) => format!("{role}[i]"),
        Known::Near(before, role) => format!("{role}[i - {before}]"),
        Known::Back(after, role) => format!("{role}[n - {}]", after + 1),
    }
}

impl Building<'_> {
    fn head(&mut self, label: &str, parameters: usize) -> RuleHeadId {
        self.pattern.head(&format!("{}{label}", self.prefix), parameters)
    }

    /// The head that makes the cell after some at the start.
    fn after_front(&mut self, cells: usize) -> (RuleHeadId, Vec<Known>) {
        let ends = self.scheme.ends;
        match self.needs.front.get(cells) {
            Some(needs) => {
                let arguments: Vec<Known> = needs.iter().cloned().collect();
                (self.head(&format!("First{cells}"), arguments.len()), arguments)
            }
            None => {
                let needs = self.needs.middle.clone();
                let head = self.head("Between", needs.len());
                (head, needs.iter().map(|known| at_start(known, ends.front)).collect())
            }
        }
    }

    fn start(&mut self) {
        let head = self.pattern.head("Start", 0);
        self.pattern.start = Some(head);
        let (next, arguments) = self.after_front(0);
        let names = Names::new(&BTreeSet::new());
        let made = self.scheme.singles.cell.keys().cloned().map(Known::Single).collect();
        self.rule(head, names, (&self.scheme.singles, made), Some((next, arguments)));
    }

    fn front(&mut self) {
        for at in 0..self.scheme.front.len() {
            let names = Names::new(&self.needs.front[at]);
            let head = self.head(&format!("First{at}"), names.parameters);
            let next = self.after_front(at + 1);
            let stage = &self.scheme.front[at];
            let made = stage.cell.keys().map(|role| Known::Front(at, role.clone())).collect();
            self.rule(head, names, (stage, made), Some(next));
        }
    }

    fn middle(&mut self) {
        let names = Names::new(&self.needs.middle);
        let head = self.head("Between", names.parameters);
        let stage = &self.scheme.middle;
        let made = stage.cell.keys().map(|role| Known::Near(0, role.clone())).collect();
        let next = self.needs.middle.iter().map(|known| match known {
            Known::Near(before, role) => Known::Near(before - 1, role.clone()),
            known => known.clone(),
        });
        let next = next.collect();
        self.rule(head, names, (stage, made), Some((head, next)));
        if self.scheme.back.is_empty() {
            let names = Names::new(&self.needs.middle);
            self.rule(head, names, (&Stage::default(), Vec::new()), None);
        }
    }

    fn back(&mut self) {
        for at in 0..self.scheme.back.len() {
            let place = self.scheme.back.len() - 1 - at;
            // The first of them ends what is between.
            let needs = if at == 0 { &self.needs.middle } else { &self.needs.back[at] };
            let names = Names::new(needs);
            let label = if at == 0 { "Between".to_owned() } else { format!("Last{place}") };
            let head = self.head(&label, names.parameters);
            let next = self.needs.back.get(at + 1).cloned().map(|needs| {
                let head = self.head(&format!("Last{}", place - 1), needs.len());
                (head, needs.into_iter().collect())
            });
            let stage = &self.scheme.back[at];
            let made = stage.cell.keys().map(|role| Known::Back(place, role.clone())).collect();
            self.rule(head, names, (stage, made), next);
        }
    }

    /// Adds a rule that makes the components of a stage by these names, and goes on.
    fn rule(
        &mut self,
        head: RuleHeadId,
        mut names: Names,
        (stage, made): (&Stage, Vec<Known>),
        next: Option<(RuleHeadId, Vec<Known>)>,
    ) {
        let components = made.iter().zip(stage.cell.values());
        let components =
            components.map(|(known, of)| MadeComponent { name: names.id(known), of: *of });
        let components: Vec<MadeComponent> = components.collect();
        let (mut interactions, mut nevers) = (Vec::new(), Vec::new());
        for item in &stage.items {
            self.item(item, &mut names, &mut interactions, &mut nevers);
        }
        let parts = next.map(|(head, arguments)| PatternPart {
            head,
            arguments: arguments.iter().map(|known| names.id(known)).collect(),
        });
        let parts = parts.into_iter().collect();
        let names = names.labels();
        let rule = PatternRule { head, names, components, interactions, parts, nevers };
        self.pattern.rules.push(rule);
    }

    fn item(
        &self,
        item: &Item<Known>,
        names: &mut Names,
        interactions: &mut Vec<PatternInteraction>,
        nevers: &mut Vec<NeverClaim>,
    ) {
        let at: Vec<PatternNameId> = item.at.iter().map(|known| names.id(known)).collect();
        match &item.what {
            What::Move { label, ports, may_only } => {
                let members = at.into_iter().zip(ports);
                let members =
                    members.map(|(name, port)| InteractionMember { name, port: *port }).collect();
                let (label, may_only) = (label.clone(), *may_only);
                interactions.push(PatternInteraction { label, members, may_only });
            }
            What::Never { label, formula } => {
                let bad = self.catalogue.formulas[*formula].clone();
                nevers.push(NeverClaim { label: label.clone(), bad: renamed(&bad, &at) });
            }
        }
    }
}

/// A formula whose names are places of a list.
fn renamed(formula: &NameFormula, names: &[PatternNameId]) -> NameFormula {
    let all = |parts: &[NameFormula]| parts.iter().map(|one| renamed(one, names)).collect();
    match formula {
        NameFormula::In(place, states) => {
            let name = names.get(place.index()).copied().unwrap_or(*place);
            NameFormula::In(name, states.clone())
        }
        NameFormula::Not(one) => NameFormula::Not(Box::new(renamed(one, names))),
        NameFormula::And(parts) => NameFormula::And(all(parts)),
        NameFormula::Or(parts) => NameFormula::Or(all(parts)),
    }
}
