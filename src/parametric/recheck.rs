//! Looks whether a certificate is one, as naively as can be: each rule is applied to all combinations of entries and states once
//! more. There are no antichains here, no propagation and no demands that are looked for: sets of states and what others do are gone
//! through one by one; of components with many states, only sets that the certificate names. Of the engine, only what patterns and
//! profiles are is used.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use thiserror::Error;

use super::bad::{asked, claimed, is_counted_on};
use super::bits::StateBits;
use super::certificate::{
    CERTIFICATE_VERSION, CertifiedEntry, CertifiedSet, CertifiedVariant, MOST_STATES_GONE_THROUGH,
    SizesCertificate,
};
use super::meeting::{MeetingSums, Sums};
use super::naive::naive_sums;
use super::pattern::{
    ComponentStateId, ComponentType, ComponentTypeId, GoalFormula, Meeting, PatternGoal,
    PatternPortId, StateSet, SystemPattern,
};
use super::profile::{
    NameOrigin, Profiles, Variant, VariantMember, VariantNameId, VariantRule, VariantRuleId,
    profiles,
};
use super::values::{HARM, closed_value};
use crate::base::{Budget, Spent};

/// Why something is no certificate.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum WrongCertificate {
    /// It has another form.
    #[error("the certificate has version {0}, and this is {CERTIFICATE_VERSION}")]
    Version(u32),
    /// It is about another pattern.
    #[error("the certificate is about another pattern: {0}")]
    OtherPattern(String),
    /// It does not say something that is needed.
    #[error("entry {0} does not say all that is asked about its parameters")]
    Missing(usize),
    /// Something in it has no meaning.
    #[error("entry {0} has a value that means nothing")]
    Meaningless(usize),
    /// No entry stands for what a rule makes of some entries.
    #[error(
        "nothing stands for what rule {rule} makes of entries {parts:?} with states {states:?}"
    )]
    Uncovered {
        /// The rule, counted from 0 in the order of the text.
        rule: usize,
        /// The entries of its parts.
        parts: Vec<usize>,
        /// The states of the components that it makes.
        states: Vec<u32>,
    },
    /// The budget was spent.
    #[error("{0}")]
    Spent(Spent),
}

/// Looks whether a certificate shows that a goal holds in every unfolding of a pattern. Says how many cases there were.
pub fn recheck(
    pattern: &SystemPattern,
    goal: &PatternGoal,
    certificate: &SizesCertificate,
    budget: &Budget,
) -> Result<usize, WrongCertificate> {
    if certificate.version != CERTIFICATE_VERSION {
        return Err(WrongCertificate::Version(certificate.version));
    }
    let profiles = profiles(pattern, budget).map_err(WrongCertificate::Spent)?;
    let (counts, claims) = asked(goal);
    let mut rechecking = Rechecking {
        pattern,
        profiles: &profiles,
        goal,
        certificate,
        counts,
        claims,
        meetings: MeetingSums::of(pattern),
        facts: Vec::new(),
        ports: Vec::new(),
        behind: behind(&profiles),
        sets: RefCell::default(),
        budget,
    };
    rechecking.is_about_this()?;
    rechecking.read()?;
    let mut cases = 0;
    for (id, rule) in profiles.rules.enumerated() {
        cases += rechecking.rule(id, rule, budget)?;
    }
    Ok(cases)
}

/// Whose sets of states: a rule, a place in it, a family of invariants, and the current state.
type SetsOf = (VariantRuleId, usize, char, ComponentStateId);

struct Rechecking<'p> {
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    goal: &'p PatternGoal,
    certificate: &'p SizesCertificate,
    counts: Vec<(StateSet, u8)>,
    claims: Vec<Option<String>>,
    meetings: MeetingSums,
    /// The facts of the certificate.
    facts: Vec<StateSet>,
    /// The ports that values of sets are about, for each variant.
    ports: Vec<Vec<(usize, PatternPortId)>>,
    /// The types of components that can stand behind each parameter of each variant.
    behind: Vec<Vec<BTreeSet<ComponentTypeId>>>,
    /// Sets of states of components that were gone through: by rule, place, family and current state.
    sets: RefCell<BTreeMap<SetsOf, Vec<StateBits>>>,
    budget: &'p Budget,
}

/// A rule with entries for its parts, and states of what it makes.
struct Case<'c> {
    id: VariantRuleId,
    rule: &'c VariantRule,
    parts: &'c [usize],
    letter: &'c [ComponentStateId],
}

/// What is so of outer parameters: a value for each fact that the variant has about them.
type Outside = Vec<Vec<(usize, u8)>>;

impl Rechecking<'_> {
    fn is_about_this(&self) -> Result<(), WrongCertificate> {
        let wrong = |what: &str| Err(WrongCertificate::OtherPattern(what.to_owned()));
        let names = (&self.certificate.pattern, &self.certificate.goal);
        if names != (&self.pattern.label, &self.goal.label) {
            return wrong("it names another system or another claim");
        }
        let (known, said) = (&self.profiles.variants, &self.certificate.variants);
        let same = known.iter().zip(said).all(|(known, said)| {
            let head = &self.pattern.heads[known.head].label;
            (head, &known.same, &known.inside) == (&said.head, &said.same, &said.inside)
        });
        if known.len() != said.len() || !same {
            return wrong("its rules are others");
        }
        let facts = self.certificate.facts.len();
        let fits = |variant: &CertifiedVariant| {
            let many = variant.inside.len();
            variant.facts.iter().all(|(at, fact)| *at < many && *fact < facts)
                && variant.ports.iter().all(|(at, _)| *at < many)
        };
        if !said.iter().all(fits) {
            return wrong("values are about nothing");
        }
        let flags = self.counts.len() + self.claims.len() + 1;
        let meets = self.meetings.count();
        for (at, entry) in self.certificate.entries.iter().enumerate() {
            let Some(variant) = said.get(entry.variant) else {
                return wrong("an entry is of none");
            };
            let sets = entry
                .sets
                .iter()
                .all(|set| set.values.len() == variant.ports.len() && set.meets.len() == meets);
            let sets = sets && entry.meets.len() == meets;
            if !sets || entry.values.len() != variant.facts.len() || entry.flags.len() != flags {
                return Err(WrongCertificate::Missing(at));
            }
            if !self.has_meaning(entry) {
                return Err(WrongCertificate::Meaningless(at));
            }
        }
        Ok(())
    }

    /// Whether an entry says nothing but what is looked at below: another letter, or a larger number, might be taken for
    /// something that is fine.
    fn has_meaning(&self, entry: &CertifiedEntry) -> bool {
        let most = self.counts.iter().map(|(_, most)| *most).chain(std::iter::repeat(1));
        let flags = entry.flags.iter().zip(most).all(|(flag, most)| *flag <= most);
        let sets = entry.sets.iter().all(|set| {
            let most = match set.family {
                't' | 's' => HARM,
                'o' | 'f' => 0b1111,
                _ => return false,
            };
            set.first <= 1 && set.values.iter().all(|value| *value <= most)
        });
        flags && sets && entry.values.iter().all(|value| *value <= 1)
    }

    fn entries(&self, variant: usize) -> impl Iterator<Item = usize> + Clone {
        let all = self.certificate.entries.iter().enumerate();
        all.filter(move |(_, entry)| entry.variant == variant).map(|(at, _)| at)
    }

    /// All cases of a rule.
    fn rule(
        &self,
        id: VariantRuleId,
        rule: &VariantRule,
        budget: &Budget,
    ) -> Result<usize, WrongCertificate> {
        let parts = choices(rule.parts.iter().map(|part| self.entries(part.of.index()).collect()));
        let made =
            rule.components.iter().map(|(_, of)| self.pattern.types[*of].states.ids().collect());
        let letters = choices(made);
        let outsides = choices(
            (0..self.profiles.variants[rule.of].inside.len()).map(|at| self.outside(rule, at)),
        );
        let mut cases = 0;
        for (parts, letter) in parts.iter().cartesian_product(&letters) {
            let case = Case { id, rule, parts, letter };
            // Sets are justified by the case, whoever is outside.
            let mut justified: Vec<Option<bool>> = vec![None; self.certificate.entries.len()];
            for outside in &outsides {
                if budget.is_spent() {
                    return Err(budget
                        .spent()
                        .map_or(WrongCertificate::Missing(0), WrongCertificate::Spent));
                }
                cases += 1;
                if !self.is_covered(&case, outside, &mut justified)? {
                    if let Some(spent) = budget.spent() {
                        return Err(WrongCertificate::Spent(spent));
                    }
                    return Err(WrongCertificate::Uncovered {
                        rule: self.profiles.rules[id].rule.index(),
                        parts: parts.clone(),
                        states: letter.iter().map(|state| state.0).collect(),
                    });
                }
            }
        }
        Ok(cases)
    }

    /// What can be so of a parameter: nothing is asked of those made inside.
    fn outside(&self, rule: &VariantRule, parameter: usize) -> Vec<Vec<(usize, u8)>> {
        if self.profiles.variants[rule.of].inside[parameter] {
            return vec![Vec::new()];
        }
        let facts = self.certificate.variants[rule.of.index()].facts.iter();
        let facts: Vec<usize> =
            facts.filter(|(at, _)| *at == parameter).map(|(_, fact)| *fact).collect();
        let types = self.behind[rule.of.index()][parameter].iter();
        let states = |of: &ComponentTypeId| {
            let of = *of;
            self.pattern.types[of].states.ids().map(move |state| (of, state))
        };
        let so = types.flat_map(states).map(|(of, state)| {
            facts.iter().map(|&fact| (fact, u8::from(self.is_so(fact, of, state)))).collect()
        });
        BTreeSet::<Vec<(usize, u8)>>::from_iter(so).into_iter().collect()
    }

    /// Reads the facts and ports of the certificate.
    fn read(&mut self) -> Result<(), WrongCertificate> {
        for fact in &self.certificate.facts {
            let is_named = |of: ComponentTypeId, state: ComponentStateId| {
                let of = &self.pattern.types[of];
                fact.states.contains(&format!("{}.{}", of.label, of.states[state].label))
            };
            self.facts.push(self.states(is_named));
        }
        for variant in &self.certificate.variants {
            let port = |(at, label): &(usize, String)| {
                Some((*at, self.pattern.ports.find(|known| known == label)?))
            };
            let ports: Option<Vec<_>> = variant.ports.iter().map(port).collect();
            self.ports.push(ports.ok_or(WrongCertificate::Missing(0))?);
        }
        Ok(())
    }

    /// The states that are wanted.
    fn states(&self, is_in: impl Fn(ComponentTypeId, ComponentStateId) -> bool) -> StateSet {
        let types = self.pattern.types.enumerated();
        let all = types.flat_map(|(id, of)| of.states.ids().map(move |state| (id, state)));
        let wanted = all.filter(|(of, state)| is_in(*of, *state));
        wanted.fold(StateSet::new(), |states, (of, state)| states.with(of, state))
    }

    fn is_so(&self, fact: usize, of: ComponentTypeId, state: ComponentStateId) -> bool {
        self.facts[fact].has(of, state)
    }

    /// The fact that a component is in one of these states.
    fn fact(&self, exact: bool, states: &StateSet) -> Option<usize> {
        let mut known = self.facts.iter().zip(&self.certificate.facts);
        known.position(|(known, said)| said.exact == exact && known == states)
    }

    // ---- bad situations ----

    /// Whether a fact is so of a name.
    fn value(
        &self,
        case: &Case,
        outside: &Outside,
        name: VariantNameId,
        fact: usize,
    ) -> Option<u8> {
        match case.rule.origins[name] {
            NameOrigin::Made(at) => {
                Some(u8::from(self.is_so(fact, case.rule.components[at].1, case.letter[at])))
            }
            NameOrigin::Outer(at) => {
                outside[at].iter().find(|(known, _)| *known == fact).map(|(_, value)| *value)
            }
            NameOrigin::Part(part, at) => {
                let of = &self.certificate.variants[case.rule.parts[part].of.index()];
                let slot = of.facts.iter().position(|slot| *slot == (at, fact))?;
                Some(self.certificate.entries[case.parts[part]].values[slot])
            }
        }
    }

    /// Whether an entry stands for a case; what is not bad needs none.
    fn is_covered(
        &self,
        case: &Case,
        outside: &Outside,
        justified: &mut [Option<bool>],
    ) -> Result<bool, WrongCertificate> {
        let missing = || WrongCertificate::Missing(case.parts.first().copied().unwrap_or(0));
        if !self.is_met(case, outside).ok_or_else(missing)?
            || !self.is_stuck(case, outside).ok_or_else(missing)?
        {
            return Ok(true);
        }
        let flags = self.flags(case, outside).ok_or_else(missing)?;
        let meets = self.can_meet(case);
        let whole = self.profiles.start == Some(case.rule.of)
            && self.is_bad(&flags)
            && !self.some_meet(&meets);
        for at in self.entries(case.rule.of.index()) {
            let entry = &self.certificate.entries[at];
            if !self.stands_for(case, outside, entry, &flags).ok_or_else(missing)?
                || !is_within(&entry.meets, &meets)
            {
                continue;
            }
            let fine = !whole || entry.sets.iter().any(|set| self.excludes(set));
            let is_justified = justified[at]
                .get_or_insert_with(|| entry.sets.iter().all(|set| self.is_justified(case, set)));
            if fine && *is_justified {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether what parts demand is so.
    fn is_met(&self, case: &Case, outside: &Outside) -> Option<bool> {
        for (part, &entry) in case.rule.parts.iter().zip(case.parts) {
            let of = &self.certificate.variants[part.of.index()];
            let values = &self.certificate.entries[entry].values;
            for ((at, fact), demanded) in
                of.facts.iter().zip(values).filter(|((at, _), _)| !of.inside[*at])
            {
                let value = self.value(case, outside, part.arguments[*at], *fact)?;
                let exact = self.certificate.facts[*fact].exact;
                if if exact { value != *demanded } else { value > *demanded } {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Whether no interaction of the rule is enabled, where this is asked.
    fn is_stuck(&self, case: &Case, outside: &Outside) -> Option<bool> {
        for one in case.rule.interactions.iter().filter(|one| self.goal.stuck && !one.may_only) {
            let mut enabled = true;
            for who in &one.members {
                let can = |of: ComponentTypeId, state: ComponentStateId| {
                    let mut moves = self.pattern.types[of].moves_by(who.port);
                    moves.any(|step| step.must && step.from == state)
                };
                enabled &=
                    self.value(case, outside, who.name, self.fact(false, &self.states(can))?)? == 1;
            }
            if enabled {
                return Some(false);
            }
        }
        Some(true)
    }

    fn flags(&self, case: &Case, outside: &Outside) -> Option<Vec<u8>> {
        let made = || case.rule.components.iter().zip(case.letter);
        let below = |at: usize| {
            case.parts
                .iter()
                .map(move |part| usize::from(self.certificate.entries[*part].flags[at]))
        };
        let mut flags = Vec::new();
        for (at, (states, most)) in self.counts.iter().enumerate() {
            let here = made().filter(|((_, of), state)| states.has(*of, **state)).count();
            flags.push((here + below(at).sum::<usize>()).min(usize::from(*most)) as u8);
        }
        for place in 0..self.claims.len() {
            let mut violated = below(flags.len()).any(|flag| flag == 1);
            for claim in &self.pattern.rules[case.rule.rule].nevers {
                if claimed(&self.claims, &claim.label).contains(&place) {
                    violated |= self.is_violated(case, outside, &claim.bad)?;
                }
            }
            flags.push(u8::from(violated));
        }
        let rests = made().all(|((_, of), state)| self.pattern.types[*of].states[*state].is_final);
        let unrest = below(flags.len()).any(|flag| flag == 1) || !rests;
        flags.push(u8::from(self.goal.stuck && unrest));
        Some(flags)
    }

    fn is_violated(
        &self,
        case: &Case,
        outside: &Outside,
        bad: &super::pattern::NameFormula,
    ) -> Option<bool> {
        let mut known = true;
        let violated = bad.holds(&mut |name, states| {
            let fact = self.fact(true, states);
            let value =
                fact.and_then(|fact| self.value(case, outside, case.rule.names[name], fact));
            known &= value.is_some();
            value == Some(1)
        });
        known.then_some(violated)
    }

    fn is_bad(&self, flags: &[u8]) -> bool {
        let unrest = flags.last() == Some(&1);
        (unrest || !self.goal.stuck)
            && self.goal.when.holds(&mut |atom| match atom {
                GoalFormula::AtLeast(many, states) => {
                    let at = self.counts.iter().position(|(known, _)| known == states);
                    at.is_some_and(|at| usize::from(flags[at]) >= *many)
                }
                GoalFormula::Violated(label) => {
                    let at = self.claims.iter().position(|known| known == label);
                    at.is_some_and(|at| flags[self.counts.len() + at] == 1)
                }
                _ => false,
            })
    }

    /// Whether an entry is at least as bad as a case.
    fn stands_for(
        &self,
        case: &Case,
        outside: &Outside,
        entry: &CertifiedEntry,
        flags: &[u8],
    ) -> Option<bool> {
        let last = flags.len() - 1;
        if entry.flags[..last] != flags[..last] || entry.flags[last] < flags[last] {
            return Some(false);
        }
        let of = &self.certificate.variants[entry.variant];
        for ((at, fact), said) in of.facts.iter().zip(&entry.values) {
            let value = self.value(case, outside, VariantNameId(*at as u32), *fact)?;
            let stands = match (self.certificate.facts[*fact].exact, of.inside[*at]) {
                (true, _) => value == *said,
                (false, true) => *said <= value,
                (false, false) => value <= *said,
            };
            if !stands {
                return Some(false);
            }
        }
        Some(true)
    }

    // ---- meetings ----

    /// Whether those who join meetings can move, of those that can be counted on.
    fn can_meet(&self, case: &Case) -> Vec<u8> {
        let can = |who: &VariantMember| {
            let NameOrigin::Made(at) = case.rule.origins[who.name] else { return 0 };
            let mut moves = self.pattern.types[case.rule.components[at].1].moves_by(who.port);
            u8::from(moves.any(|step| step.must && step.from == case.letter[at]))
        };
        let below = case.parts.iter().map(|part| self.certificate.entries[*part].meets.as_slice());
        let below: Vec<&[u8]> = below.collect();
        let asked = |meeting: &Meeting| is_counted_on(self.goal, meeting);
        naive_sums((self.pattern, &self.meetings), Sums::Enabled, case.rule, &below, (&asked, &can))
    }

    /// Whether a meeting that can be counted on can happen in a whole unfolding.
    fn some_meet(&self, meets: &[u8]) -> bool {
        self.pattern.meetings.iter().enumerate().any(|(at, meeting)| {
            let last = self.meetings.place(at).end - 1;
            is_counted_on(self.goal, meeting) && meets[last] != 0
        })
    }

    /// Whether a set of a whole unfolding excludes its situation.
    fn excludes(&self, set: &CertifiedSet) -> bool {
        let kind = sums_of(set.family);
        let kept = (0..self.pattern.meetings.len()).all(|at| {
            let last = self.meetings.place(at).end - 1;
            kind.is_kept(set.meets[last])
        });
        kept && excludes(set)
    }

    // ---- sets that exclude ----

    /// Whether there is such a set: some states of what is made here, with sets of the parts.
    fn is_justified(&self, case: &Case, set: &CertifiedSet) -> bool {
        let below = case.parts.iter().map(|part| -> Vec<&CertifiedSet> {
            let sets = self.certificate.entries[*part].sets.iter();
            sets.filter(|one| one.family == set.family).collect()
        });
        let made = (0..case.letter.len()).map(|place| self.sets_of(case, place, set.family));
        let (below, made) = (choices(below), choices(made));
        let mut all = below.iter().cartesian_product(&made);
        all.any(|(below, made)| !self.budget.is_spent() && self.is_such(case, set, below, made))
    }

    /// All sets of states of a component; where these are too many, those that the certificate names.
    fn all_sets(&self, id: ComponentTypeId) -> Box<dyn Iterator<Item = StateBits> + '_> {
        let states = &self.pattern.types[id].states;
        let count = states.len();
        if count <= MOST_STATES_GONE_THROUGH {
            let set = move |chosen: u64| -> StateBits {
                states.ids().filter(|state| chosen >> state.0 & 1 == 1).collect()
            };
            return Box::new((0..1u64 << count).map(set));
        }
        let named = self.certificate.sets.iter().filter(move |one| one.component == id.index());
        let set = move |set: &Vec<u32>| -> StateBits {
            let known = set.iter().filter(|state| (**state as usize) < count);
            known.map(|&state| ComponentStateId(state)).collect()
        };
        Box::new(named.flat_map(|one| &one.sets).map(set))
    }

    /// The sets of states of a component that keep what it does alone; of those that nobody can tell apart here, one.
    fn sets_of(&self, case: &Case, place: usize, family: char) -> Vec<StateBits> {
        let state = case.letter[place];
        let key = (case.id, place, family, state);
        if let Some(known) = self.sets.borrow().get(&key) {
            return known.clone();
        }
        let (name, id) = case.rule.components[place];
        let of = &self.pattern.types[id];
        let ports: BTreeSet<PatternPortId> = of.moves.iter().map(|step| step.port).collect();
        let alone: BTreeSet<PatternPortId> = case
            .rule
            .interactions
            .iter()
            .filter(|one| one.members.len() == 1 && one.members[0].name == name)
            .map(|one| one.members[0].port)
            .collect();
        let mut found: BTreeMap<(Vec<u8>, StateBits, bool), StateBits> = BTreeMap::new();
        for set in self.all_sets(id) {
            if self.budget.is_spent() {
                return Vec::new();
            }
            let value = |port: &PatternPortId| port_value(family, of, *port, &set);
            if alone.iter().all(|port| is_kept(family, &[value(port)])) {
                let seen = ports.iter().map(value).collect();
                let key = (seen, of.initial().within(&set), set.has(state));
                found.entry(key).or_insert(set);
            }
        }
        let found: Vec<StateBits> = found.into_values().collect();
        self.sets.borrow_mut().insert(key, found.clone());
        found
    }

    fn is_such(
        &self,
        case: &Case,
        set: &CertifiedSet,
        below: &[&CertifiedSet],
        made: &[StateBits],
    ) -> bool {
        let value = |name, port| self.set_value(case, set, below, made, name, port);
        let better = |one: u8, other: u8| match set.family {
            't' | 's' => one <= other,
            _ => one & !other == 0,
        };
        let mut demands = case.rule.parts.iter().zip(below);
        let met = demands.all(|(part, below)| {
            let of = &self.certificate.variants[part.of.index()];
            let ports = self.ports[part.of.index()].iter();
            let mut slots = ports.zip(&below.values).filter(|((at, _), _)| !of.inside[*at]);
            slots.all(|((at, port), most)| {
                value(part.arguments[*at], *port).is_some_and(|value| better(value, *most))
            })
        });
        let of = &self.certificate.variants[case.rule.of.index()];
        let mut own = self.ports[case.rule.of.index()]
            .iter()
            .zip(&set.values)
            .filter(|((at, _), _)| of.inside[*at]);
        let told = own.all(|((at, port), said)| {
            value(VariantNameId(*at as u32), *port).is_some_and(|value| better(value, *said))
        });
        let mut interactions = case.rule.interactions.iter();
        let kept = interactions.all(|one| {
            let values = one.members.iter().map(|who| value(who.name, who.port));
            values.collect::<Option<Vec<u8>>>().is_some_and(|values| is_kept(set.family, &values))
        });
        let below_meets: Vec<&[u8]> = below.iter().map(|below| below.meets.as_slice()).collect();
        let of = |who: &VariantMember| value(who.name, who.port).unwrap_or(0b1111);
        let sums = naive_sums(
            (self.pattern, &self.meetings),
            sums_of(set.family),
            case.rule,
            &below_meets,
            (&|_| true, &of),
        );
        met && told
            && kept
            && is_within(&sums, &set.meets)
            && self.is_counted(case, set, below, made)
    }

    /// The value of a port of a name.
    fn set_value(
        &self,
        case: &Case,
        set: &CertifiedSet,
        below: &[&CertifiedSet],
        made: &[StateBits],
        name: VariantNameId,
        port: PatternPortId,
    ) -> Option<u8> {
        let slot = |variant: usize, at: usize| {
            self.ports[variant].iter().position(|known| *known == (at, port))
        };
        match case.rule.origins[name] {
            NameOrigin::Made(at) => {
                let of = &self.pattern.types[case.rule.components[at].1];
                Some(port_value(set.family, of, port, &made[at]))
            }
            NameOrigin::Part(part, at) => {
                Some(below[part].values[slot(case.rule.parts[part].of.index(), at)?])
            }
            NameOrigin::Outer(at) => Some(set.values[slot(case.rule.of.index(), at)?]),
        }
    }

    /// Whether as many are in the set to begin with, and now, as is said.
    fn is_counted(
        &self,
        case: &Case,
        set: &CertifiedSet,
        below: &[&CertifiedSet],
        made: &[StateBits],
    ) -> bool {
        let each = || case.rule.components.iter().zip(case.letter).zip(made);
        let initial = |of: ComponentTypeId| self.pattern.types[of].initial();
        match set.family {
            't' => {
                let marked = each().any(|(((_, of), _), set)| initial(*of).is_within(set));
                let free = !each().any(|((_, state), set)| set.has(*state));
                free && (set.first == 0 || marked || below.iter().any(|below| below.first == 1))
            }
            's' => {
                let marked = each().any(|((_, state), set)| set.has(*state));
                let free = each().all(|(((_, of), _), set)| !initial(*of).meets(set));
                free && (set.first == 0 || marked || below.iter().any(|below| below.first == 1))
            }
            _ => {
                let clear = each().all(|(((_, of), _), set)| {
                    !initial(*of).meets(set) || initial(*of).is_within(set)
                });
                let begin = each().filter(|(((_, of), _), set)| initial(*of).meets(set)).count();
                let here = each().filter(|((_, state), set)| set.has(**state)).count() as i32;
                let is_flow = set.family == 'f';
                let here = if is_flow { here - begin as i32 } else { here };
                let first =
                    begin + below.iter().map(|below| usize::from(below.first)).sum::<usize>();
                let sum = |bound: fn(&CertifiedSet) -> Option<i32>| {
                    below.iter().try_fold(here, |sum, below| sum.checked_add(bound(below)?))
                };
                let least = set
                    .least
                    .is_none_or(|said| sum(|one| one.least).is_some_and(|sum| said <= sum));
                let most =
                    set.most.is_none_or(|said| sum(|one| one.most).is_some_and(|sum| sum <= said));
                clear && least && most && (is_flow || first == usize::from(set.first))
            }
        }
    }
}

/// The types of components that can stand behind each parameter of each variant: rules say who makes or passes them, until nothing
/// is new.
fn behind(profiles: &Profiles) -> Vec<Vec<BTreeSet<ComponentTypeId>>> {
    let none = |variant: &Variant| vec![BTreeSet::new(); variant.inside.len()];
    let mut known: Vec<Vec<BTreeSet<ComponentTypeId>>> =
        profiles.variants.iter().map(none).collect();
    loop {
        let mut next = known.clone();
        for rule in &profiles.rules {
            let of_name = |name: VariantNameId| match rule.origins[name] {
                NameOrigin::Made(at) => BTreeSet::from([rule.components[at].1]),
                NameOrigin::Outer(at) => known[rule.of.index()][at].clone(),
                NameOrigin::Part(part, at) => known[rule.parts[part].of.index()][at].clone(),
            };
            for part in &rule.parts {
                for (at, name) in part.arguments.iter().enumerate() {
                    next[part.of.index()][at].extend(of_name(*name));
                }
            }
            for (at, types) in next[rule.of.index()].iter_mut().enumerate() {
                types.extend(of_name(VariantNameId(at as u32)));
            }
        }
        if next == known {
            return known;
        }
        known = next;
    }
}

/// One of each.
pub(super) fn choices<T: Clone>(all: impl Iterator<Item = Vec<T>>) -> Vec<Vec<T>> {
    all.fold(vec![Vec::new()], |known, each| {
        let more = known.iter().cartesian_product(&each);
        more.map(|(known, one)| known.iter().chain([one]).cloned().collect()).collect()
    })
}

/// The value of a port: pairs of (before, after) as bits where it is counted.
fn port_value(family: char, of: &ComponentType, port: PatternPortId, set: &StateBits) -> u8 {
    let is_in = |state: ComponentStateId| u8::from(set.has(state));
    match family {
        't' | 's' => closed_value(of, port, set, family == 's'),
        _ => of
            .moves_by(port)
            .fold(0, |mask, step| mask | 1 << (2 * is_in(step.from) + is_in(step.to))),
    }
}

/// Whether an interaction of members with these values keeps a set: whatever moves they choose, where they are counted.
fn is_kept(family: char, values: &[u8]) -> bool {
    if matches!(family, 't' | 's') {
        return values.contains(&0) || !values.contains(&2);
    }
    let pairs = |mask: &u8| (0..4u8).filter(|pair| mask >> pair & 1 == 1).collect::<Vec<u8>>();
    choices(values.iter().map(pairs)).iter().all(|choice| {
        let before: u8 = choice.iter().map(|pair| pair / 2).sum();
        let after: u8 = choice.iter().map(|pair| pair % 2).sum();
        before == after || (family == 'o' && before >= 2)
    })
}

/// Whether all bits of some numbers are in others.
fn is_within(ones: &[u8], others: &[u8]) -> bool {
    ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| one & !other == 0)
}

/// What meetings do to sets of a family.
fn sums_of(family: char) -> Sums {
    match family {
        't' | 's' => Sums::Closed,
        'o' => Sums::One,
        _ => Sums::Flow,
    }
}

/// Whether a set of a whole unfolding excludes its situation.
fn excludes(set: &CertifiedSet) -> bool {
    let apart = |from: i32| {
        set.least.is_some_and(|least| least > from) || set.most.is_some_and(|most| most < from)
    };
    match set.family {
        't' | 's' => set.first == 1,
        'o' => set.first == 1 && apart(1),
        _ => apart(0),
    }
}
