//! The same question as a formula of WS1S or WS2S, for the tool MONA: the encoding that Bozga, Iosif and Sifakis published, on
//! purpose, so that it shares nothing with the engine but the pattern and its profiles.
//!
//! A set `U` for each rule has the nodes of the unfolding that use it; a set `X` for each state of each component that a rule makes
//! has the nodes where it is in this state. An interaction finds its members by paths: sets `W` for each name on the way, each
//! element of which has the neighbour that passes it. The formula has a model if, and only if, a bad situation of some unfolding
//! is not excluded.

use std::collections::BTreeSet;

use itertools::Itertools;
use thiserror::Error;

use super::bits::StateBits;
use super::pattern::{
    ComponentMove, ComponentType, ComponentTypeId, GoalFormula, NameFormula, PatternGoal, StateSet,
    SystemPattern,
};
use super::profile::{
    NameOrigin, Profiles, VariantInteraction, VariantNameId, VariantRule, VariantRuleId,
};
use super::slots::{Maker, Makers, makers};
use super::values::InvariantFamily;
use crate::base::Id;

/// Why there is no formula.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum NoFormula {
    /// Flows count without end.
    #[error("flow invariants cannot be said in this logic: leave them out")]
    Flow,
    /// Meetings.
    #[error(
        "all members at once, and pairs of any members, are not said in this logic: ask without `--engine mona`"
    )]
    Meetings,
}

/// A formula that has a model if, and only if, something bad in some unfolding is not excluded.
pub fn mona(
    pattern: &SystemPattern,
    profiles: &Profiles,
    goal: &PatternGoal,
    families: &[InvariantFamily],
) -> Result<String, NoFormula> {
    if families.contains(&InvariantFamily::Flow) {
        return Err(NoFormula::Flow);
    }
    if !pattern.meetings.is_empty() {
        return Err(NoFormula::Meetings);
    }
    let parts = profiles.rules.iter().map(|rule| rule.parts.len()).max().unwrap_or(0);
    let writer = Writer { pattern, profiles, makers: makers(profiles), parts };
    Ok(writer.all(goal, families))
}

struct Writer<'p> {
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    makers: Makers,
    /// The most parts that a rule has.
    parts: usize,
}

/// A name in a rule, on the way to where its component is made.
type Station = (VariantRuleId, VariantNameId);

fn and(all: impl IntoIterator<Item = String>) -> String {
    let text = all.into_iter().join(" & ");
    if text.is_empty() { "true".to_owned() } else { format!("({text})") }
}

fn or(all: impl IntoIterator<Item = String>) -> String {
    let text = all.into_iter().join(" | ");
    if text.is_empty() { "false".to_owned() } else { format!("({text})") }
}

/// What is made: the place among the components of a rule, and the type. Rules are apart from each other, so that they can share
/// their sets.
type Kind = (usize, ComponentTypeId);

/// The set of a letter for a state of a component.
fn set(letter: char, kind: Kind, state: usize) -> String {
    format!("{letter}{}s{state}", kind.0)
}

impl Writer<'_> {
    fn all(&self, goal: &PatternGoal, families: &[InvariantFamily]) -> String {
        let mut text = if self.parts > 1 { "ws2s;\n" } else { "ws1s;\n" }.to_owned();
        text += &format!("# {}: {}\n", self.pattern.label, goal.label);
        let rules = self.profiles.rules.ids().map(|rule| format!("U{}", rule.0));
        let mut sets = rules.chain(self.sets('X'));
        text += &format!("var2 {};\n", sets.join(", "));
        text += &format!("pred Tree() = {};\n", self.tree());
        for (rule, name) in self.stations() {
            for kind in self.behind((rule, name)) {
                text += &self.path((rule, name), kind);
            }
        }
        for (rule, interaction, at) in self.interactions() {
            for (choice, kinds) in self.choices(rule, interaction).iter().enumerate() {
                text += &self.together(rule, interaction, at, choice, kinds);
            }
        }
        let mut conditions = vec!["Tree()".to_owned(), self.situation(), self.bad(goal)];
        conditions.extend(families.iter().map(|family| self.not_excluded(*family)));
        for condition in conditions {
            text += &format!("{condition};\n");
        }
        text
    }

    fn kind(&self, maker: Maker) -> Kind {
        (maker.1, self.profiles.rules[maker.0].components[maker.1].1)
    }

    fn kinds(&self) -> BTreeSet<Kind> {
        let rules = self.profiles.rules.iter();
        let all = rules.flat_map(|rule| rule.components.iter().enumerate());
        all.map(|(place, (_, of))| (place, *of)).collect()
    }

    /// The kinds that can stand behind a name.
    fn behind(&self, (rule, name): Station) -> Vec<Kind> {
        let makers = self.makers[rule][name].iter();
        BTreeSet::from_iter(makers.map(|maker| self.kind(*maker))).into_iter().collect()
    }

    /// The rules that make a kind.
    fn makes(&self, kind: Kind) -> Vec<VariantRuleId> {
        let makes =
            |rule: &VariantRule| rule.components.get(kind.0).is_some_and(|one| one.1 == kind.1);
        let all = self.profiles.rules.enumerated().filter(|(_, rule)| makes(rule));
        all.map(|(id, _)| id).collect()
    }

    /// A component of this kind is made at a node.
    fn is_made(&self, kind: Kind, node: &str) -> String {
        self.rules_of(&self.makes(kind), node)
    }

    fn states(&self, kind: Kind) -> std::ops::Range<usize> {
        0..self.pattern.types[kind.1].states.len()
    }

    fn sets(&self, letter: char) -> BTreeSet<String> {
        let kinds = self.kinds().into_iter();
        kinds
            .flat_map(|kind| self.states(kind).map(move |state| set(letter, kind, state)))
            .collect()
    }

    // ---- trees ----

    fn address(&self, part: usize) -> String {
        part_address(self.parts, part)
    }

    fn root(&self) -> &'static str {
        if self.parts > 1 { "root" } else { "0" }
    }

    fn rules_of(&self, rules: &[VariantRuleId], node: &str) -> String {
        or(rules.iter().map(|rule| format!("{node} in U{}", rule.0)))
    }

    /// The sets `U` are an unfolding.
    fn tree(&self) -> String {
        let all: Vec<VariantRuleId> = self.profiles.rules.ids().collect();
        let one_each = all
            .iter()
            .array_combinations()
            .map(|[one, other]| format!("~(x in U{} & x in U{})", one.0, other.0));
        let start =
            self.profiles.start.map_or(&[][..], |start| &self.profiles.variants[start].rules);
        let mut below = Vec::new();
        let mut above = vec![format!("x = {}", self.root())];
        for (id, rule) in self.profiles.rules.enumerated() {
            for (place, part) in rule.parts.iter().enumerate() {
                let (address, rules) =
                    (self.address(place), &self.profiles.variants[part.of].rules);
                let node = format!("(x{address})");
                below.push(format!("(x in U{} => {})", id.0, self.rules_of(rules, &node)));
                let fits = self.rules_of(rules, "x");
                above.push(format!("(ex1 y: x = y{address} & y in U{} & {fits})", id.0));
            }
        }
        let is_there = self.rules_of(&all, "x");
        let start = self.rules_of(start, self.root());
        format!(
            "{start} & all1 x: {} & {} & ({is_there} => {})",
            and(one_each),
            and(below),
            or(above)
        )
    }

    /// The sets `X` are a situation: each component is in one state.
    fn situation(&self) -> String {
        let is_in = |kind, state| format!("x in {}", set('X', kind, state));
        let each = self.kinds().into_iter().map(|kind| {
            let states: Vec<String> = self.states(kind).map(|state| is_in(kind, state)).collect();
            let made = self.is_made(kind, "x");
            format!("({made} => {})", or(states))
        });
        let apart = self.kinds().into_iter().map(|kind| {
            let states: Vec<String> = self.states(kind).map(|state| is_in(kind, state)).collect();
            let differ = states.iter().array_combinations();
            and(differ.map(|[one, other]| format!("~({one} & {other})")))
        });
        let proper = self.sets('X').into_iter().map(|name| {
            let own = self
                .kinds()
                .into_iter()
                .filter(|kind| self.states(*kind).any(|state| set('X', *kind, state) == name));
            let made = own.map(|kind| self.is_made(kind, "x"));
            format!("(x in {name} => {})", or(made))
        });
        format!("all1 x: {} & {} & {}", and(each), and(apart), and(proper))
    }

    // ---- paths ----

    fn stations(&self) -> BTreeSet<Station> {
        let rules = self.profiles.rules.enumerated();
        let all = rules.flat_map(|(id, rule)| rule.origins.ids().map(move |name| (id, name)));
        all.collect()
    }

    /// The stations that can come after one.
    fn next(&self, (rule, name): Station) -> Vec<(Station, usize, bool)> {
        let text = &self.profiles.rules[rule];
        match text.origins[name] {
            NameOrigin::Made(_) => Vec::new(),
            NameOrigin::Part(part, parameter) => {
                let below = &self.profiles.variants[text.parts[part].of].rules;
                let each = below.iter().map(|id| ((*id, VariantNameId::at(parameter)), part, true));
                each.collect()
            }
            NameOrigin::Outer(parameter) => {
                let mut above = Vec::new();
                for (id, whole) in self.profiles.rules.enumerated() {
                    for (place, part) in
                        whole.parts.iter().enumerate().filter(|(_, part)| part.of == text.of)
                    {
                        above.push(((id, part.arguments[parameter]), place, false));
                    }
                }
                above
            }
        }
    }

    /// The predicate that a name at a node is made at another one.
    fn path(&self, from: Station, to: Kind) -> String {
        let head = format!("pred {}(var1 u, var1 v) =", path_name(from, to));
        if matches!(self.profiles.rules[from.0].origins[from.1], NameOrigin::Made(_)) {
            return format!("{head} u = v & u in U{};\n", from.0.0);
        }
        let makers = self.makers[from.0][from.1].iter().filter(|maker| self.kind(**maker) == to);
        let end = |maker: &Maker| (maker.0, self.profiles.rules[maker.0].components[maker.1].0);
        let ends: BTreeSet<Station> = makers.map(end).collect();
        let reached = self.on_the_way(from, &ends);
        let set = |(rule, name): &Station| format!("W{}n{}", rule.0, name.0);
        let quantified = reached.iter().map(&set).join(", ");
        let at_end = or(ends.iter().map(|end| format!("x in {}", set(end))));
        let mut each =
            vec![format!("u in {}", set(&from)), format!("(all1 x: {at_end} <=> x = v)")];
        for one in &reached {
            let mut steps = Vec::new();
            let next = self.next(*one).into_iter().filter(|(next, ..)| reached.contains(next));
            for (next, part, down) in next {
                let (address, next) = (self.address(part), set(&next));
                steps.push(match down {
                    true => format!("(x{address}) in {next}"),
                    false => format!("(ex1 y: x = y{address} & y in {next})"),
                });
            }
            let goes_on = if ends.contains(one) { "true".to_owned() } else { or(steps) };
            each.push(format!("(all1 x: x in {} => x in U{} & {goes_on})", set(one), one.0.0));
        }
        format!("{head} ex2 {quantified}: {};\n", and(each))
    }

    /// The stations that are reached from one, those at an end only if it is one that is wanted.
    fn on_the_way(&self, from: Station, ends: &BTreeSet<Station>) -> BTreeSet<Station> {
        let mut reached = ends.clone();
        reached.insert(from);
        let mut open = vec![from];
        while let Some(one) = open.pop() {
            for (next, ..) in self.next(one) {
                let made =
                    matches!(self.profiles.rules[next.0].origins[next.1], NameOrigin::Made(_));
                if !made && reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }

    // ---- interactions ----

    fn interactions(&self) -> Vec<(VariantRuleId, &VariantInteraction, usize)> {
        let rules = self.profiles.rules.enumerated();
        let all = rules.flat_map(|(id, rule)| {
            rule.interactions.iter().enumerate().map(move |(at, one)| (id, one, at))
        });
        all.collect()
    }

    /// Who can be the members of an interaction.
    fn choices(&self, rule: VariantRuleId, one: &VariantInteraction) -> Vec<Vec<Kind>> {
        let members = one.members.iter();
        members.map(|who| self.behind((rule, who.name))).multi_cartesian_product().collect()
    }

    /// The predicate that some nodes are where the members of an interaction are made. It speaks of unfoldings only: without this,
    /// MONA makes automata for sets `U` that are none, and these are large.
    fn together(
        &self,
        rule: VariantRuleId,
        one: &VariantInteraction,
        at: usize,
        choice: usize,
        kinds: &[Kind],
    ) -> String {
        let count = kinds.len();
        let nodes = (0..count).map(|at| format!("var1 v{at}")).join(", ");
        let names: Vec<VariantNameId> = one.members.iter().map(|who| who.name).collect();
        let paths = and(self.paths(rule, &names, kinds));
        format!(
            "pred I{}i{at}m{choice}({nodes}) = Tree() & ex1 u: u in U{} & {paths};\n",
            rule.0, rule.0
        )
    }

    fn paths(&self, rule: VariantRuleId, names: &[VariantNameId], kinds: &[Kind]) -> Vec<String> {
        let each = names.iter().zip(kinds).enumerate();
        each.map(|(at, (name, to))| format!("{}(u, v{at})", path_name((rule, *name), *to)))
            .collect()
    }

    /// For all interactions and members, something that is said of members and their nodes `v0, v1, …`.
    fn for_all(
        &self,
        is_wanted: impl Fn(&VariantInteraction) -> bool,
        say: impl Fn(&VariantInteraction, &[Kind]) -> String,
    ) -> String {
        let mut all = Vec::new();
        for (rule, one, at) in self.interactions().into_iter().filter(|(_, one, _)| is_wanted(one))
        {
            for (choice, kinds) in self.choices(rule, one).iter().enumerate() {
                let nodes = (0..kinds.len()).map(|at| format!("v{at}")).join(", ");
                let said = say(one, kinds);
                all.push(format!("(all1 {nodes}: I{}i{at}m{choice}({nodes}) => {said})", rule.0));
            }
        }
        and(all)
    }

    fn type_of(&self, kind: Kind) -> &ComponentType {
        &self.pattern.types[kind.1]
    }

    /// Sets with a letter are kept by all steps of an interaction.
    fn kept(&self, family: InvariantFamily, one: &VariantInteraction, kinds: &[Kind]) -> String {
        let moves = |(who, kind): (&super::profile::VariantMember, &Kind)| -> Vec<ComponentMove> {
            self.type_of(*kind).moves_by(who.port).copied().collect()
        };
        let steps = one.members.iter().zip(kinds).map(moves).multi_cartesian_product();
        let is_in = |at: usize, state: usize| format!("v{at} in {}", set('Z', kinds[at], state));
        let said = steps.map(|steps| {
            let each = || steps.iter().enumerate();
            let before: Vec<String> =
                each().map(|(at, step)| is_in(at, step.from.index())).collect();
            let after: Vec<String> = each().map(|(at, step)| is_in(at, step.to.index())).collect();
            match family {
                InvariantFamily::Trap => format!("({} => {})", or(before), or(after)),
                InvariantFamily::Siphon => format!("({} => {})", or(after), or(before)),
                InvariantFamily::One | InvariantFamily::Flow => {
                    let two =
                        before.iter().array_combinations().map(|[a, b]| format!("({a} & {b})"));
                    format!("({} | {})", or(two), as_many(&before, &after))
                }
            }
        });
        and(said)
    }

    // ---- what is bad ----

    fn bad(&self, goal: &PatternGoal) -> String {
        let mut all = vec![self.formula(&goal.when)];
        if goal.stuck {
            all.push(self.for_all(
                |one| !one.may_only,
                |one, kinds| {
                    let each = one.members.iter().zip(kinds).enumerate();
                    let can = each.map(|(at, (who, kind))| {
                        let enabled = self.type_of(*kind).enabled(who.port);
                        self.is_in(*kind, &enabled, &format!("v{at}"))
                    });
                    format!("~{}", and(can))
                },
            ));
            let unrest = self.kinds().into_iter().map(|kind| {
                let of = self.type_of(kind);
                self.is_in(kind, &of.all().without(&of.finals()), "x")
            });
            all.push(format!("(ex1 x: {})", or(unrest)));
        }
        and(all)
    }

    /// The component made at a node is in one of these states.
    fn is_in(&self, kind: Kind, states: &StateBits, node: &str) -> String {
        let any =
            or(states.iter().map(|state| format!("{node} in {}", set('X', kind, state.index()))));
        format!("({} & {any})", self.is_made(kind, node))
    }

    fn formula(&self, formula: &GoalFormula) -> String {
        match formula {
            GoalFormula::AtLeast(many, states) => {
                self.at_least(*many, &|kind, node| self.is_in(kind, &states.of(kind.1), node))
            }
            GoalFormula::Violated(label) => self.violated(label.as_deref()),
            GoalFormula::Not(one) => format!("~{}", self.formula(one)),
            GoalFormula::And(all) => and(all.iter().map(|one| self.formula(one))),
            GoalFormula::Or(all) => or(all.iter().map(|one| self.formula(one))),
        }
    }

    /// At least so many components, with the nodes where they are made.
    fn at_least(&self, many: usize, is_one: &dyn Fn(Kind, &str) -> String) -> String {
        if many == 0 {
            return "true".to_owned();
        }
        let kinds = self.kinds();
        let choices = kinds.iter().combinations_with_replacement(many);
        let each = choices.map(|choice| {
            let nodes = (0..many).map(|at| format!("a{at}")).join(", ");
            let are = (0..many).map(|at| is_one(*choice[at], &format!("a{at}")));
            let same = (0..many)
                .array_combinations()
                .filter(|[one, other]| choice[*one] == choice[*other]);
            let differ = same.map(|[one, other]| format!("a{one} ~= a{other}"));
            format!("(ex1 {nodes}: {} & {})", and(are), and(differ))
        });
        or(each)
    }

    fn violated(&self, label: Option<&str>) -> String {
        let mut all = Vec::new();
        for (id, rule) in self.profiles.rules.enumerated() {
            let claims = self.pattern.rules[rule.rule].nevers.iter();
            for claim in claims.filter(|claim| label.is_none_or(|label| label == claim.label)) {
                let tests = claim.bad.tests().into_iter();
                let names: BTreeSet<_> = tests.map(|(name, _)| rule.names[name]).collect();
                let names: Vec<VariantNameId> = names.into_iter().collect();
                all.extend(self.claim(id, rule, &names, &claim.bad));
            }
        }
        or(all)
    }

    fn claim(
        &self,
        id: VariantRuleId,
        rule: &VariantRule,
        names: &[VariantNameId],
        bad: &NameFormula,
    ) -> Vec<String> {
        if names.is_empty() {
            return vec![format!(
                "(ex1 u: u in U{} & {})",
                id.0,
                self.said(bad, &|_, _| String::new())
            )];
        }
        let kinds = names.iter().map(|name| self.behind((id, *name)));
        let each = kinds.multi_cartesian_product().map(|kinds: Vec<Kind>| {
            let nodes = (0..names.len()).map(|at| format!("v{at}")).join(", ");
            let said = self.said(bad, &|name, states| {
                let at = names.iter().position(|one| *one == rule.names[name]).unwrap_or(0);
                self.is_in(kinds[at], &states.of(kinds[at].1), &format!("v{at}"))
            });
            let paths = and(self.paths(id, names, &kinds));
            format!("(Tree() & ex1 u, {nodes}: u in U{} & {paths} & {said})", id.0)
        });
        each.collect()
    }

    fn said(
        &self,
        formula: &NameFormula,
        test: &dyn Fn(super::pattern::PatternNameId, &StateSet) -> String,
    ) -> String {
        match formula {
            NameFormula::In(name, states) => test(*name, states),
            NameFormula::Not(one) => format!("~{}", self.said(one, test)),
            NameFormula::And(all) => and(all.iter().map(|one| self.said(one, test))),
            NameFormula::Or(all) => or(all.iter().map(|one| self.said(one, test))),
        }
    }

    // ---- invariants ----

    /// No invariant of a family excludes the situation.
    fn not_excluded(&self, family: InvariantFamily) -> String {
        let kept = self.for_all(|_| true, |one, kinds| self.kept(family, one, kinds));
        let meets = |kind: Kind, node: &str| {
            let made = self.is_made(kind, node);
            let both = or(self.states(kind).map(|state| {
                format!(
                    "({node} in {} & {node} in {})",
                    set('X', kind, state),
                    set('Z', kind, state)
                )
            }));
            format!("({made} & {both})")
        };
        let begins = |kind: Kind, node: &str| {
            let initial = self.type_of(kind).initial();
            let all =
                initial.iter().map(|state| format!("{node} in {}", set('Z', kind, state.index())));
            format!("({} & {})", self.is_made(kind, node), and(all))
        };
        let (first, now) = match family {
            InvariantFamily::Trap => (self.at_least(1, &begins), self.at_least(1, &meets)),
            InvariantFamily::Siphon => (
                format!("~{}", self.at_least(1, &|kind, node| self.can_begin(kind, node))),
                format!("~{}", self.at_least(1, &meets)),
            ),
            InvariantFamily::One | InvariantFamily::Flow => {
                let one = |is_one: &dyn Fn(Kind, &str) -> String| {
                    format!("({} & ~{})", self.at_least(1, is_one), self.at_least(2, is_one))
                };
                // Where a component can begin in and outside of the set, nobody knows how many there are.
                let unclear = self.at_least(1, &|kind, node| {
                    format!("({} & ~{})", self.can_begin(kind, node), begins(kind, node))
                });
                (format!("{} & ~{unclear}", one(&begins)), one(&meets))
            }
        };
        format!("all2 {}: ({kept} & {first}) => {now}", self.sets('Z').iter().join(", "))
    }

    /// The component made at a node can begin in the set.
    fn can_begin(&self, kind: Kind, node: &str) -> String {
        let initial = self.type_of(kind).initial();
        let any =
            or(initial.iter().map(|state| format!("{node} in {}", set('Z', kind, state.index()))));
        format!("({} & {any})", self.is_made(kind, node))
    }
}

/// As many of some formulas hold as of others: by all subsets of the first, as many and no more of the second.
fn as_many(before: &[String], after: &[String]) -> String {
    let exactly = |all: &[String], many: usize| {
        let subsets = (0..all.len()).combinations(many);
        or(subsets.map(|subset| {
            and(all.iter().enumerate().map(|(at, one)| match subset.contains(&at) {
                true => one.clone(),
                false => format!("~({one})"),
            }))
        }))
    };
    or((0..=before.len())
        .map(|many| format!("({} & {})", exactly(before, many), exactly(after, many))))
}

/// Where a part is, seen from what it is a part of, if this can have so many. More than two parts are one after the other.
pub(super) fn part_address(widest: usize, part: usize) -> String {
    match widest {
        0 | 1 => " + 1".to_owned(),
        2 => format!(".{part}"),
        _ => format!("{}.0", ".1".repeat(part)),
    }
}

/// The set of nodes whose component at a place of the rule is in a state.
pub(super) fn state_set(place: usize, state: u32) -> String {
    format!("X{place}s{state}")
}

/// The predicate for a path.
fn path_name(from: Station, to: Kind) -> String {
    format!("P{}n{}to{}t{}", from.0.0, from.1.0, to.0, to.1.0)
}
