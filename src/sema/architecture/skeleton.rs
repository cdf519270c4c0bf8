//! Rules without what their components do: enough to say where the component of each name is made, and which unfoldings
//! there are.

use super::Facts;
use super::def::{ArchitectureDef, RuleDef};
use crate::base::IndexVec;
use crate::base::budget;
use crate::base::graph::circles;
use crate::diagnostics::Span;
use crate::parametric::{
    ComponentState, ComponentType, ComponentTypeId, InteractionMember, MadeComponent, NameCount,
    NameFormula, NamePlace, NeverClaim, PatternInteraction, PatternNameId, PatternPart,
    PatternPortId, PatternReport, PatternRule, PatternRuleId, RuleHead, RuleHeadId, SystemPattern,
    profiles,
};
use crate::sema::Sema;
use crate::sema::problems::{
    AlwaysTwice, EndlessRule, IdleComponent, LeftOut, NameWithoutComponent, NoUnfoldings, OneTwice,
    UnusedRule,
};
use crate::sema::program::ArchitectureId;

/// The pattern of the rules: components have one type, which does nothing, and each rule has one claim, so that an instance
/// says which component each name has.
pub fn skeleton(def: &ArchitectureDef) -> SystemPattern {
    let mut pattern = SystemPattern::new(def.named.name.as_str());
    let port = pattern.port("");
    let state = ComponentState { label: String::new(), initial: true, is_final: true };
    pattern.types.push(ComponentType {
        label: String::new(),
        states: vec![state].into(),
        moves: Vec::new(),
    });
    for head in &def.heads {
        let (label, parameters) = (head.name.name.to_string(), head.parameters);
        pattern.heads.push(RuleHead { label, parameters });
    }
    pattern.rules = def.rules.iter().map(|rule| bare(rule, port)).collect();
    pattern.start = (!def.heads.is_empty()).then_some(RuleHeadId(0));
    pattern
}

fn bare(rule: &RuleDef, port: PatternPortId) -> PatternRule {
    let id = |name: usize| PatternNameId(name as u32);
    let made = rule.made.iter();
    let made = made.map(|one| MadeComponent { name: id(one.name), of: ComponentTypeId(0) });
    let join = |names: &[usize]| PatternInteraction {
        label: String::new(),
        members: names.iter().map(|&name| InteractionMember { name: id(name), port }).collect(),
        may_only: false,
    };
    let part = |head: usize, names: &[usize]| PatternPart {
        head: RuleHeadId(head as u32),
        arguments: names.iter().map(|&name| id(name)).collect(),
    };
    let names: IndexVec<PatternNameId, String> =
        rule.names.iter().map(|name| name.ident.name.to_string()).collect();
    PatternRule {
        head: RuleHeadId(rule.head as u32),
        names,
        components: made.collect(),
        interactions: rule.joins.iter().map(|one| join(one.together())).collect(),
        parts: rule.parts.iter().map(|one| part(one.head, &one.names)).collect(),
        nevers: vec![NeverClaim { label: String::new(), bad: NameFormula::Or(Vec::new()) }],
        joins: Vec::new(),
    }
}

/// Says what is strange about an architecture whose rules are fine one by one, and keeps what others want to know.
pub(super) fn judge(sema: &mut Sema<'_>, id: ArchitectureId) {
    let def = &sema.program.architectures[id.index()];
    let skeleton = skeleton(def);
    if skeleton.check().is_err() {
        sema.program.architectures[id.index()].has_errors = true;
        return;
    }
    let Ok(profiles) = profiles(&skeleton, &budget::here()) else { return };
    let before = sema.problems.len();
    let report = profiles.report.clone();
    let has_start = profiles.start.is_some();
    Judging { sema, id }.all(&report, has_start);
    if super::has_error(&sema.problems[before..]) {
        sema.program.architectures[id.index()].has_errors = true;
        return;
    }
    sema.architecture_facts[id.index()] = Facts { ready: true, skeleton, profiles };
}

struct Judging<'s, 'a> {
    sema: &'s mut Sema<'a>,
    id: ArchitectureId,
}

impl Judging<'_, '_> {
    fn def(&self) -> &ArchitectureDef {
        &self.sema.program.architectures[self.id.index()]
    }

    fn rule(&self, id: PatternRuleId) -> &RuleDef {
        &self.def().rules[id.index()]
    }

    fn name_of(&self, id: PatternRuleId) -> String {
        self.def().heads[self.rule(id).head].name.name.to_string()
    }

    fn all(&mut self, report: &PatternReport, has_start: bool) {
        if !report.endless.is_empty() {
            return self.endless(&report.endless);
        }
        let is_wrong = |count: &NameCount| count.never() || count.always_two();
        if !has_start && !report.counts.iter().any(is_wrong) {
            let named = self.def().named;
            self.sema.report(NoUnfoldings { span: named.span, name: named.name.to_string() });
            return;
        }
        report.counts.iter().for_each(|count| self.count(count));
        // What is not used because of such a name is not said to be unused as well.
        if !report.counts.is_empty() {
            return;
        }
        for &rule in &report.unused {
            let (span, name) = (self.rule(rule).span, self.name_of(rule));
            let span = self.head_of(span);
            self.sema.report(UnusedRule { span, name });
        }
        for &(rule, place) in &report.impossible {
            let span = self.rule(rule).joins[place].span;
            self.sema.report(OneTwice { span, rule: self.name_of(rule) });
        }
        self.idle(report);
    }

    /// Rules that never end: those that lead back to themselves, and not those that only use them.
    fn endless(&mut self, heads: &[RuleHeadId]) {
        let def = self.def();
        let place = |head: usize| heads.iter().position(|one| one.index() == head);
        let mut edges = vec![Vec::new(); heads.len()];
        for rule in &def.rules {
            if let Some(from) = place(rule.head) {
                edges[from].extend(rule.parts.iter().filter_map(|part| place(part.head)));
            }
        }
        let round = circles(&edges).into_iter().filter_map(|circle| circle.first().copied());
        for at in round.collect::<Vec<_>>() {
            let name = self.def().heads[heads[at].index()].name;
            self.sema.report(EndlessRule { span: name.span, name: name.name.to_string() });
        }
    }

    /// The first word of a rule and its name.
    fn head_of(&self, rule: Span) -> Span {
        Span::new(rule.start, rule.start + "rule".len() as u32)
    }

    fn count(&mut self, count: &NameCount) {
        let rule = self.rule(count.rule);
        let ident = rule.names[count.name.index()].ident;
        let place = |place: &NamePlace| match *place {
            NamePlace::Component(at) => rule.made[at].span,
            NamePlace::Part(at) => rule.parts[at].span,
        };
        let places: Vec<Span> = count.places.iter().map(place).collect();
        let (span, name, rule) = (ident.span, ident.name.to_string(), self.name_of(count.rule));
        if count.never() {
            self.sema.report(NameWithoutComponent { span, name, rule });
        } else if count.always_two() {
            self.sema.report(AlwaysTwice { span, name, rule, places });
        } else if count.leaves_out() {
            let (none, two) = (count.fewest == 0, count.most > 1);
            self.sema.report(LeftOut { span, name, rule, places, none, two });
        }
    }

    /// Components that take part in nothing.
    fn idle(&mut self, report: &PatternReport) {
        let def = self.def();
        let mut used = vec![false; def.classes.len()];
        for rule in &def.rules {
            for name in rule.joins.iter().flat_map(|join| &join.names) {
                used[rule.names[*name].class] = true;
            }
        }
        let mut found = Vec::new();
        for (at, rule) in def.rules.iter().enumerate() {
            let is_unused = report.unused.contains(&PatternRuleId(at as u32));
            for made in rule.made.iter().filter(|_| !is_unused) {
                if !used[rule.names[made.name].class] {
                    let name = rule.names[made.name].ident.name.to_string();
                    let component = def.kinds[made.kind].text.clone();
                    found.push(IdleComponent { span: made.span, name, component });
                }
            }
        }
        found.into_iter().for_each(|one| self.sema.report(one));
    }
}
