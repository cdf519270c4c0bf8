//! The pattern of a scheme: a rule for each cell at the ends, and two for what is between, one of which ends it. The cells of one
//! size come after those of another, so that all rules are in a row.
//!
//! Names are passed to where they are needed, and to nowhere else. A component that is known before it is made is passed
//! from the start on to where it is made.

use std::collections::BTreeSet;

use super::cells::{Catalogue, CellAt, Item, What};
use super::scheme::{Chain, Known, Scheme, Stage};
use crate::base::IndexVec;
use crate::parametric::{
    InteractionMember, MadeComponent, Meeting, MeetingId, NameFormula, NeverClaim,
    PatternInteraction, PatternJoin, PatternNameId, PatternPart, PatternPortId, PatternRule,
    PatternRuleId, RuleHeadId, SystemPattern,
};

/// Adds the rules of a scheme to a pattern with the types and ports of a catalogue; the one it starts with is the first. Says
/// which rules make cells of which size.
pub(super) fn add(
    catalogue: &Catalogue,
    scheme: &Scheme,
    prefix: &str,
    pattern: &mut SystemPattern,
) -> Vec<(PatternRuleId, usize)> {
    let needs = Needs::of(scheme);
    let made = Vec::new();
    let mut building = Building { pattern, catalogue, scheme, needs, prefix, made };
    building.start();
    for size in 0..scheme.chains.len() {
        building.front(size);
        building.middle(size);
        building.back(size);
    }
    building.made
}

/// The meetings of a pattern with these schemes. Those that need not have a member in every size are not counted on.
pub(super) fn meetings(catalogue: &Catalogue, schemes: &[Scheme]) -> IndexVec<MeetingId, Meeting> {
    let joins = |stage: &Stage, number: usize| {
        let mut items = stage.items.iter();
        items.any(|item| matches!(item.what, What::Join { meeting, .. } if meeting == number))
    };
    let has_member = |scheme: &Scheme, number: usize| {
        let ends = scheme.chains.iter().flat_map(|chain| chain.front.iter().chain(&chain.back));
        ends.chain([&scheme.singles]).any(|stage| joins(stage, number))
    };
    let all = catalogue.meetings.iter().enumerate().map(|(number, known)| {
        let always = schemes.iter().all(|scheme| has_member(scheme, number));
        known.meeting(known.is_of_all() && !always)
    });
    all.collect()
}

/// The names that each rule of a size needs from above, or gives to it.
struct ChainNeeds {
    front: Vec<BTreeSet<Known>>,
    middle: BTreeSet<Known>,
    back: Vec<BTreeSet<Known>>,
}

impl ChainNeeds {
    /// What the first rule needs.
    fn first(&self, chain: &Chain, size: usize) -> BTreeSet<Known> {
        let middle = || self.middle.iter().map(|known| at_start(known, size, chain)).collect();
        self.front.first().cloned().unwrap_or_else(middle)
    }
}

/// The names that rules need from above, or give to it, for each size.
struct Needs {
    chains: Vec<ChainNeeds>,
}

impl Needs {
    fn of(scheme: &Scheme) -> Needs {
        let early = early(scheme);
        let mut chains: Vec<ChainNeeds> = Vec::new();
        let mut after = BTreeSet::new();
        for (size, chain) in scheme.chains.iter().enumerate().rev() {
            let needs = chain_needs((chain, size), &early, &after);
            after = needs.first(chain, size);
            chains.insert(0, needs);
        }
        Needs { chains }
    }
}

/// The components at an end of a size that are known before they are made.
fn early(scheme: &Scheme) -> BTreeSet<Known> {
    let mut early = BTreeSet::new();
    let mut uses = used(&scheme.singles);
    for (size, chain) in scheme.chains.iter().enumerate() {
        let fronts = chain.front.iter().enumerate().map(|(at, stage)| {
            let own = |role: &String| Known::Front(CellAt { size, at }, role.clone());
            (stage, stage.cell.keys().map(own).collect::<Vec<Known>>())
        });
        let backs = chain.back.iter().enumerate().map(|(after, stage)| {
            let at = chain.back.len() - 1 - after;
            let own = |role: &String| Known::Back(CellAt { size, at }, role.clone());
            (stage, stage.cell.keys().map(own).collect::<Vec<Known>>())
        });
        let middle = std::iter::once((&chain.middle, Vec::new()));
        for (stage, made) in fronts.chain(middle).chain(backs) {
            early.extend(made.into_iter().filter(|known| uses.contains(known)));
            uses.extend(used(stage));
        }
    }
    early
}

/// What the rules of a size need, where what comes after it needs this.
fn chain_needs(
    (chain, size): (&Chain, usize),
    early: &BTreeSet<Known>,
    end: &BTreeSet<Known>,
) -> ChainNeeds {
    let mut back: Vec<BTreeSet<Known>> = Vec::new();
    let mut after = end.clone();
    for (at, stage) in chain.back.iter().enumerate().rev() {
        let place = CellAt { size, at: chain.back.len() - 1 - at };
        let mut needs = &used(stage) | &after;
        needs.retain(|known| !matches!(known, Known::Back(own, _) if *own == place));
        let own = stage.cell.keys().map(|role| Known::Back(place, role.clone()));
        needs.extend(own.filter(|known| early.contains(known)));
        after = needs.clone();
        back.insert(0, needs);
    }
    let middle = middle_needs(chain, &after);
    let mut front: Vec<BTreeSet<Known>> = Vec::new();
    let mut after: BTreeSet<Known> =
        middle.iter().map(|known| at_start(known, size, chain)).collect();
    for (at, stage) in chain.front.iter().enumerate().rev() {
        let place = CellAt { size, at };
        let mut needs = &used(stage) | &after;
        needs.retain(|known| !matches!(known, Known::Front(own, _) if *own == place));
        let own = stage.cell.keys().map(|role| Known::Front(place, role.clone()));
        needs.extend(own.filter(|known| early.contains(known)));
        after = needs.clone();
        front.insert(0, needs);
    }
    ChainNeeds { front, middle, back }
}

/// What a cell between needs, for itself and for those after it.
fn middle_needs(chain: &Chain, end: &BTreeSet<Known>) -> BTreeSet<Known> {
    let mut needs: BTreeSet<Known> = used(&chain.middle);
    needs.retain(|known| !matches!(known, Known::Near(0, _)));
    needs.extend(end.iter().cloned());
    for _ in 0..=chain.ends.window {
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
fn at_start(known: &Known, size: usize, chain: &Chain) -> Known {
    match known {
        Known::Near(before, role) => {
            Known::Front(CellAt { size, at: chain.ends.front - before }, role.clone())
        }
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
    /// The rules that make cells, with the number of their size.
    made: Vec<(PatternRuleId, usize)>,
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
        Known::Front(cell, role) => format!("{role}[{}]", cell.at),
        Known::Near(0, role) => format!("{role}[i]"),
        Known::Near(before, role) => format!("{role}[i - {before}]"),
        Known::Back(cell, role) => format!("{role}[n - {}]", cell.at + 1),
    }
}

/// A head with what is passed to it.
type Next = Option<(RuleHeadId, Vec<Known>)>;

impl Building<'_> {
    fn head(&mut self, size: usize, label: &str, parameters: usize) -> RuleHeadId {
        // Of the first size, rules have plain names.
        let number = if size == 0 { String::new() } else { format!("Of{size}") };
        self.pattern.head(&format!("{}{label}{number}", self.prefix), parameters)
    }

    /// The head that makes the cell after some at the start of a size; nothing where there is no such size.
    fn after_front(&mut self, size: usize, cells: usize) -> Next {
        let (chain, needs) = (self.scheme.chains.get(size)?, &self.needs.chains[size]);
        Some(match needs.front.get(cells) {
            Some(needs) => {
                let arguments: Vec<Known> = needs.iter().cloned().collect();
                (self.head(size, &format!("First{cells}"), arguments.len()), arguments)
            }
            None => {
                let needs = needs.middle.iter().map(|known| at_start(known, size, chain));
                let arguments: Vec<Known> = needs.collect();
                (self.head(size, "Between", arguments.len()), arguments)
            }
        })
    }

    fn start(&mut self) {
        let head = self.pattern.head("Start", 0);
        self.pattern.start = Some(head);
        let next = self.after_front(0, 0);
        let names = Names::new(&BTreeSet::new());
        let made = self.scheme.singles.cell.keys().cloned().map(Known::Single).collect();
        self.rule(head, names, (&self.scheme.singles, made), next);
    }

    fn front(&mut self, size: usize) {
        for at in 0..self.scheme.chains[size].front.len() {
            let names = Names::new(&self.needs.chains[size].front[at]);
            let head = self.head(size, &format!("First{at}"), names.parameters);
            let next = self.after_front(size, at + 1);
            let stage = &self.scheme.chains[size].front[at];
            let cell = CellAt { size, at };
            let made = stage.cell.keys().map(|role| Known::Front(cell, role.clone())).collect();
            let rule = self.rule(head, names, (stage, made), next);
            self.made.push((rule, size));
        }
    }

    fn middle(&mut self, size: usize) {
        let needs = self.needs.chains[size].middle.clone();
        let names = Names::new(&needs);
        let head = self.head(size, "Between", names.parameters);
        let stage = &self.scheme.chains[size].middle;
        let made = stage.cell.keys().map(|role| Known::Near(0, role.clone())).collect();
        let next = needs.iter().map(|known| match known {
            Known::Near(before, role) => Known::Near(before - 1, role.clone()),
            known => known.clone(),
        });
        let next = next.collect();
        let rule = self.rule(head, names, (stage, made), Some((head, next)));
        self.made.push((rule, size));
        if self.scheme.chains[size].back.is_empty() {
            let next = self.after_front(size + 1, 0);
            self.rule(head, Names::new(&needs), (&Stage::default(), Vec::new()), next);
        }
    }

    fn back(&mut self, size: usize) {
        let back = &self.scheme.chains[size].back;
        for (at, stage) in back.iter().enumerate() {
            let place = back.len() - 1 - at;
            let needs = &self.needs.chains[size];
            // The first of them ends what is between.
            let own = if at == 0 { &needs.middle } else { &needs.back[at] };
            let (names, next) = (Names::new(own), needs.back.get(at + 1).cloned());
            let label = if at == 0 { "Between".to_owned() } else { format!("Last{place}") };
            let head = self.head(size, &label, names.parameters);
            let next = match next {
                Some(needs) => {
                    let head = self.head(size, &format!("Last{}", place - 1), needs.len());
                    Some((head, needs.into_iter().collect()))
                }
                None => self.after_front(size + 1, 0),
            };
            let cell = CellAt { size, at: place };
            let made = stage.cell.keys().map(|role| Known::Back(cell, role.clone())).collect();
            let rule = self.rule(head, names, (stage, made), next);
            self.made.push((rule, size));
        }
    }

    /// Adds a rule that makes the components of a stage by these names, and goes on.
    fn rule(
        &mut self,
        head: RuleHeadId,
        mut names: Names,
        (stage, made): (&Stage, Vec<Known>),
        next: Next,
    ) -> PatternRuleId {
        let components = made.iter().zip(stage.cell.values());
        let components =
            components.map(|(known, of)| MadeComponent { name: names.id(known), of: *of });
        let components: Vec<MadeComponent> = components.collect();
        let mut rule = PatternRule {
            head,
            names: IndexVec::default(),
            components,
            interactions: Vec::new(),
            parts: Vec::new(),
            nevers: Vec::new(),
            joins: Vec::new(),
        };
        for item in &stage.items {
            self.item(item, &mut names, &mut rule);
        }
        let parts = next.map(|(head, arguments)| PatternPart {
            head,
            arguments: arguments.iter().map(|known| names.id(known)).collect(),
        });
        rule.parts = parts.into_iter().collect();
        rule.names = names.labels();
        self.pattern.rules.push(rule)
    }

    fn item(&self, item: &Item<Known>, names: &mut Names, rule: &mut PatternRule) {
        let at: Vec<PatternNameId> = item.at.iter().map(|known| names.id(known)).collect();
        let members = |ports: &[PatternPortId]| {
            let each = at.iter().zip(ports);
            each.map(|(name, port)| InteractionMember { name: *name, port: *port }).collect()
        };
        match &item.what {
            What::Move { label, ports, may_only } => {
                let (label, may_only) = (label.clone(), *may_only);
                let members = members(ports);
                rule.interactions.push(PatternInteraction { label, members, may_only });
            }
            What::Join { meeting, slot, unit, ports } => {
                let meeting = MeetingId(*meeting as u32);
                let (slot, unit, members) = (*slot, *unit, members(ports));
                rule.joins.push(PatternJoin { meeting, slot, unit, members });
            }
            What::Never { label, formula } => {
                let bad = self.catalogue.formulas[*formula].clone();
                rule.nevers.push(NeverClaim { label: label.clone(), bad: renamed(&bad, &at) });
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
