//! Patterns: what all sizes of a system have in common, as data. Rules make components, name what others make, let them
//! interact, and use each other; an *unfolding* is a finite tree of rules, and a system of ordinary components.
//!
//! Both front doors (families of symbolic size, and architectures) end here, and the engine begins here: nothing in a
//! pattern has data, and nothing refers to the text of a model but its labels.

use thiserror::Error;

use super::bits::StateBits;
use crate::base::IndexVec;
use crate::tagged_id;

tagged_id!(
    /// A type of components of a pattern.
    ComponentTypeId
);

tagged_id!(
    /// A state of a type of components: its number in the type.
    ComponentStateId
);

tagged_id!(
    /// A port. Ports belong to the pattern: a member of an interaction asks for one before it is known what type of
    /// component stands behind its name.
    PatternPortId
);

tagged_id!(
    /// What rules of one name have in common: their name, and how many parameters they have.
    RuleHeadId
);

tagged_id!(
    /// A rule of a pattern.
    PatternRuleId
);

tagged_id!(
    /// A name in a rule: parameters come first, in their order, then the new names.
    PatternNameId
);

tagged_id!(
    /// A meeting of a pattern.
    MeetingId
);

/// How many slots of a meeting may be filled by one member each.
pub const MOST_SEATS: usize = 4;

/// How many states a component may have at all. What can be done with many of them is a matter of work.
pub const MOST_STATES: usize = 1024;

/// A pattern: types of components, and rules that put components together. See [`SystemPattern::check`] for what has to hold.
#[derive(Clone, Default, Debug)]
pub struct SystemPattern {
    /// What people call it.
    pub label: String,
    /// The ports, by what people call them.
    pub ports: IndexVec<PatternPortId, String>,
    /// The types of components.
    pub types: IndexVec<ComponentTypeId, ComponentType>,
    /// The names of rules.
    pub heads: IndexVec<RuleHeadId, RuleHead>,
    /// The rules, in the order of the text: unfoldings are put in order by it.
    pub rules: IndexVec<PatternRuleId, PatternRule>,
    /// Interactions of any number of components.
    pub meetings: IndexVec<MeetingId, Meeting>,
    /// Where unfoldings begin: a head without parameters.
    pub start: Option<RuleHeadId>,
}

/// A type of components: a finite automaton.
#[derive(Clone, Default, Debug)]
pub struct ComponentType {
    /// What people call it.
    pub label: String,
    /// The states; at least one of them is initial.
    pub states: IndexVec<ComponentStateId, ComponentState>,
    /// What it can do. A port may have several moves, also in one state; it may have none.
    pub moves: Vec<ComponentMove>,
}

/// A state of a component.
#[derive(Clone, Default, Debug)]
pub struct ComponentState {
    /// What people call it.
    pub label: String,
    /// Whether a component can begin here. With several of them nobody knows where it begins.
    pub initial: bool,
    /// Whether it may rest here: a system in which nothing can happen is no deadlock where all components are in final
    /// states.
    pub is_final: bool,
}

/// A move of a component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentMove {
    /// By which port.
    pub port: PatternPortId,
    /// From this state.
    pub from: ComponentStateId,
    /// To this one.
    pub to: ComponentStateId,
    /// Whether it is enabled in every situation that looks like this one. Every move *may* happen; one that depends on
    /// data that was forgotten *must* not. An enabled interaction needs a move that must, of each member.
    pub must: bool,
}

/// What rules of one name have in common.
#[derive(Clone, Default, Debug)]
pub struct RuleHead {
    /// What people call it.
    pub label: String,
    /// How many parameters its rules have.
    pub parameters: usize,
}

/// A rule: one way in which a part described by its head can be made.
#[derive(Clone, Debug)]
pub struct PatternRule {
    /// The head that it is a rule of.
    pub head: RuleHeadId,
    /// What people call the names: the parameters of the head, then the new ones.
    pub names: IndexVec<PatternNameId, String>,
    /// The components that are made here.
    pub components: Vec<MadeComponent>,
    /// The interactions.
    pub interactions: Vec<PatternInteraction>,
    /// The parts that other rules describe.
    pub parts: Vec<PatternPart>,
    /// What is claimed about the names.
    pub nevers: Vec<NeverClaim>,
    /// Who joins a meeting.
    pub joins: Vec<PatternJoin>,
}

/// Interactions of components that join it, wherever they are made: one for each choice of who fills its slots.
///
/// An interaction in which one component is a member twice never happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// What people call it.
    pub label: String,
    /// Who takes part.
    pub slots: Vec<MeetingSlot>,
    /// Whether it never counts as enabled.
    pub may_only: bool,
}

/// A slot of a meeting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MeetingSlot {
    /// One of those who join it.
    One {
        /// Whether no other such slot is filled by the same unit.
        apart: bool,
    },
    /// All who join it.
    All {
        /// But for those of the unit that fills this slot.
        but: Option<usize>,
    },
    /// Any who join it, or nobody.
    Any,
}

/// Components that a rule makes join a slot of a meeting, together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternJoin {
    /// The meeting.
    pub meeting: MeetingId,
    /// The slot.
    pub slot: usize,
    /// Which of the many they are, of those that the rule makes.
    pub unit: usize,
    /// Who, and by which ports: they are made by this rule.
    pub members: Vec<InteractionMember>,
}

impl Meeting {
    /// How many slots are filled by one member each.
    pub fn seats(&self) -> usize {
        self.seat(self.slots.len())
    }

    /// The place of a slot among those that are filled by one member each.
    pub fn seat(&self, slot: usize) -> usize {
        let before = self.slots.iter().take(slot);
        before.filter(|slot| matches!(slot, MeetingSlot::One { .. })).count()
    }
}

/// A component that a rule makes, for a name of the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MadeComponent {
    /// Whose component it is.
    pub name: PatternNameId,
    /// Of which type.
    pub of: ComponentTypeId,
}

/// An interaction: its members move together, one move each, and all others stay.
///
/// An interaction in which one component is a member twice, through two names, never happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternInteraction {
    /// What people call it.
    pub label: String,
    /// Who moves, and by which port. At least one.
    pub members: Vec<InteractionMember>,
    /// Whether it never counts as enabled: it depends on something that the pattern does not have, such as values that
    /// have to agree.
    pub may_only: bool,
}

/// A member of an interaction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InteractionMember {
    /// Who.
    pub name: PatternNameId,
    /// By which port. A component without a move by it never moves by it.
    pub port: PatternPortId,
}

/// A part of what a rule makes, described by other rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternPart {
    /// The rules that describe it.
    pub head: RuleHeadId,
    /// The names that are passed, one for each parameter; a name may be passed twice.
    pub arguments: Vec<PatternNameId>,
}

/// A claim of a rule: wherever the rule is used, this is never so.
#[derive(Clone, Debug)]
pub struct NeverClaim {
    /// What people call it; several claims may share it.
    pub label: String,
    /// What never is.
    pub bad: NameFormula,
}

/// A formula about the states of names of one rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameFormula {
    /// The component of this name is in one of these states. (It is not, where it is of a type without them.)
    In(PatternNameId, StateSet),
    /// Not this.
    Not(Box<NameFormula>),
    /// All of these; none of them is true.
    And(Vec<NameFormula>),
    /// One of these; none of them is false.
    Or(Vec<NameFormula>),
}

/// States of components of several types.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct StateSet {
    /// The states of each type; not empty at the end.
    of: Vec<StateBits>,
}

impl StateSet {
    /// No state.
    pub fn new() -> StateSet {
        StateSet::default()
    }

    /// One state more.
    #[must_use]
    pub fn with(mut self, of: ComponentTypeId, state: ComponentStateId) -> StateSet {
        self.add(of, state);
        self
    }

    /// Adds a state.
    pub fn add(&mut self, of: ComponentTypeId, state: ComponentStateId) {
        if self.of.len() <= of.index() {
            self.of.resize(of.index() + 1, StateBits::default());
        }
        self.of[of.index()].insert(state);
    }

    /// Adds the states of another set.
    pub fn join(&mut self, other: &StateSet) {
        if self.of.len() < other.of.len() {
            self.of.resize(other.of.len(), StateBits::default());
        }
        self.of.iter_mut().zip(&other.of).for_each(|(own, more)| own.join(more));
    }

    /// The states of one type.
    pub fn of(&self, of: ComponentTypeId) -> StateBits {
        self.of.get(of.index()).cloned().unwrap_or_default()
    }

    /// Whether a state is among them.
    pub fn has(&self, of: ComponentTypeId, state: ComponentStateId) -> bool {
        self.of.get(of.index()).is_some_and(|own| own.has(state))
    }
}

/// What is asked of all unfoldings: that no situation is *bad*. It is bad if nothing can happen in it (where that is asked) and
/// the formula holds.
#[derive(Clone, Debug)]
pub struct PatternGoal {
    /// What people call it.
    pub label: String,
    /// Whether bad situations are those only in which no interaction is enabled, and some component is in a state that is
    /// not final.
    pub stuck: bool,
    /// What else holds in a bad situation.
    pub when: GoalFormula,
}

impl PatternGoal {
    /// Something can always happen.
    pub fn deadlock() -> PatternGoal {
        let when = GoalFormula::And(Vec::new());
        PatternGoal { label: "deadlock".to_owned(), stuck: true, when }
    }

    /// The claims of rules hold: all of them, or those with a label.
    pub fn never(label: Option<&str>) -> PatternGoal {
        let when = GoalFormula::Violated(label.map(str::to_owned));
        PatternGoal { label: label.unwrap_or("never").to_owned(), stuck: false, when }
    }

    /// No more than so many members are in these states at once.
    pub fn at_most(many: usize, states: StateSet) -> PatternGoal {
        let when = GoalFormula::AtLeast(many + 1, states);
        PatternGoal { label: format!("at most {many}"), stuck: false, when }
    }

    /// No two members are in these states at once.
    pub fn mutex(states: StateSet) -> PatternGoal {
        PatternGoal { label: "mutex".to_owned(), ..PatternGoal::at_most(1, states) }
    }
}

/// A formula about a situation of an unfolding. Quantifiers over members, with equality and tests of single members, come to
/// this: `exists x . φ` is `AtLeast(1, φ)`, `forall x . φ` is `Not(AtLeast(1, not φ))`, two different ones are `AtLeast(2, φ)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalFormula {
    /// At least so many components are in one of these states.
    AtLeast(usize, StateSet),
    /// A claim of a rule does not hold somewhere: one of any label, or of this label.
    Violated(Option<String>),
    /// Not this.
    Not(Box<GoalFormula>),
    /// All of these; none of them is true.
    And(Vec<GoalFormula>),
    /// One of these; none of them is false.
    Or(Vec<GoalFormula>),
}

/// Why something is no pattern.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum PatternMistake {
    /// There is nowhere to begin.
    #[error("a pattern needs a rule without parameters to begin with")]
    NoStart,
    /// A type has too many states, or no initial one.
    #[error("component `{0}` has {1} states: there may be 1 to {MOST_STATES}, one of them initial")]
    States(String, usize),
    /// Something is named that is not there.
    #[error("{0} of `{1}` names something that is not there")]
    Unknown(&'static str, String),
    /// A rule has fewer names than its head has parameters, or is used with another number of names.
    #[error("`{0}` has {1} parameters, and is used with {2} names")]
    Parameters(String, usize, usize),
    /// An interaction without members.
    #[error("interaction `{0}` has no members")]
    NoMembers(String),
    /// A meeting with too many slots, or one that says of a slot what is none.
    #[error("meeting `{0}` has slots that cannot be")]
    Slots(String),
}

impl SystemPattern {
    /// A pattern with nothing in it yet.
    pub fn new(label: &str) -> SystemPattern {
        SystemPattern { label: label.to_owned(), ..SystemPattern::default() }
    }

    /// The port of a name; new if nobody has asked for it yet.
    pub fn port(&mut self, label: &str) -> PatternPortId {
        match self.ports.find(|known| known == label) {
            Some(port) => port,
            None => self.ports.push(label.to_owned()),
        }
    }

    /// The head of a name; new if nobody has asked for it yet.
    pub fn head(&mut self, label: &str, parameters: usize) -> RuleHeadId {
        match self.heads.find(|known| known.label == label) {
            Some(head) => head,
            None => self.heads.push(RuleHead { label: label.to_owned(), parameters }),
        }
    }

    /// Whether it is a pattern: what is named is there, rules have their parameters, and there is a start.
    pub fn check(&self) -> Result<(), PatternMistake> {
        let start = self.start.and_then(|start| self.heads.get(start));
        if start.is_none_or(|head| head.parameters > 0) {
            return Err(PatternMistake::NoStart);
        }
        self.types.iter().try_for_each(|one| self.check_type(one))?;
        self.meetings.iter().try_for_each(check_meeting)?;
        self.rules.iter().try_for_each(|rule| self.check_rule(rule))
    }

    fn check_type(&self, one: &ComponentType) -> Result<(), PatternMistake> {
        let count = one.states.len();
        if count > MOST_STATES || !one.states.iter().any(|state| state.initial) {
            return Err(PatternMistake::States(one.label.clone(), count));
        }
        let is_known = |step: &ComponentMove| {
            step.port.index() < self.ports.len() && step.from.index().max(step.to.index()) < count
        };
        match one.moves.iter().all(is_known) {
            true => Ok(()),
            false => Err(PatternMistake::Unknown("a move", one.label.clone())),
        }
    }

    fn check_rule(&self, rule: &PatternRule) -> Result<(), PatternMistake> {
        let head = self.heads.get(rule.head);
        let head = head.ok_or(PatternMistake::Unknown("the head", "rule".to_owned()))?;
        if rule.names.len() < head.parameters {
            let label = head.label.clone();
            return Err(PatternMistake::Parameters(label, head.parameters, rule.names.len()));
        }
        let unknown = |what| PatternMistake::Unknown(what, head.label.clone());
        let is_name = |name: PatternNameId| name.index() < rule.names.len();
        if !rule.components.iter().all(|one| is_name(one.name) && self.types.get(one.of).is_some())
        {
            return Err(unknown("a component"));
        }
        for interaction in &rule.interactions {
            if interaction.members.is_empty() {
                return Err(PatternMistake::NoMembers(interaction.label.clone()));
            }
            let known =
                |one: &InteractionMember| is_name(one.name) && self.ports.get(one.port).is_some();
            if !interaction.members.iter().all(known) {
                return Err(unknown("an interaction"));
            }
        }
        if !rule.nevers.iter().all(|claim| claim.bad.names().iter().all(|&name| is_name(name))) {
            return Err(unknown("a claim"));
        }
        if !rule.joins.iter().all(|join| self.is_join(join, rule)) {
            return Err(unknown("a join"));
        }
        rule.parts.iter().try_for_each(|part| self.check_part(part, rule, &head.label))
    }

    /// Whether a join names what is there.
    fn is_join(&self, join: &PatternJoin, rule: &PatternRule) -> bool {
        let is_slot =
            self.meetings.get(join.meeting).is_some_and(|one| join.slot < one.slots.len());
        let is_made = |name| rule.components.iter().any(|made| made.name == name);
        // A component is one of the many only once.
        let is_other =
            |other: &&PatternJoin| other.meeting == join.meeting && other.unit != join.unit;
        let others = || rule.joins.iter().filter(is_other).flat_map(|other| &other.members);
        let mut members = join.members.iter();
        is_slot
            && members.all(|who| {
                is_made(who.name)
                    && self.ports.get(who.port).is_some()
                    && others().all(|other| other.name != who.name)
            })
    }

    fn check_part(
        &self,
        part: &PatternPart,
        rule: &PatternRule,
        label: &str,
    ) -> Result<(), PatternMistake> {
        let unknown = || PatternMistake::Unknown("a part", label.to_owned());
        let head = self.heads.get(part.head).ok_or_else(unknown)?;
        if head.parameters != part.arguments.len() {
            let (wanted, given) = (head.parameters, part.arguments.len());
            return Err(PatternMistake::Parameters(head.label.clone(), wanted, given));
        }
        match part.arguments.iter().all(|name| name.index() < rule.names.len()) {
            true => Ok(()),
            false => Err(unknown()),
        }
    }

    /// Whether every move must, and every interaction can be enabled: then what is found on an unfolding is so.
    pub fn is_exact(&self) -> bool {
        let must = |one: &ComponentType| one.moves.iter().all(|step| step.must);
        let can = |rule: &PatternRule| rule.interactions.iter().all(|one| !one.may_only);
        let meet = |meeting: &Meeting| !meeting.may_only;
        self.types.iter().all(must) && self.rules.iter().all(can) && self.meetings.iter().all(meet)
    }
}

fn check_meeting(meeting: &Meeting) -> Result<(), PatternMistake> {
    let is_one = |at: usize| matches!(meeting.slots.get(at), Some(MeetingSlot::One { .. }));
    let fits = |slot: &MeetingSlot| match slot {
        MeetingSlot::All { but: Some(but) } => is_one(*but),
        _ => true,
    };
    match meeting.seats() <= MOST_SEATS && meeting.slots.iter().all(fits) {
        true => Ok(()),
        false => Err(PatternMistake::Slots(meeting.label.clone())),
    }
}

impl ComponentType {
    /// Its initial states.
    pub fn initial(&self) -> StateBits {
        self.bits(|state| state.initial)
    }

    /// Its final states.
    pub fn finals(&self) -> StateBits {
        self.bits(|state| state.is_final)
    }

    /// All its states.
    pub fn all(&self) -> StateBits {
        self.bits(|_| true)
    }

    fn bits(&self, is_wanted: impl Fn(&ComponentState) -> bool) -> StateBits {
        let wanted = self.states.enumerated().filter(|(_, state)| is_wanted(state));
        wanted.map(|(id, _)| id).collect()
    }

    /// The states in which it must be able to move by a port.
    pub fn enabled(&self, port: PatternPortId) -> StateBits {
        self.moves_by(port).filter(|step| step.must).map(|step| step.from).collect()
    }

    /// Whether it must be able to move by a port in a state.
    pub fn is_enabled(&self, port: PatternPortId, state: ComponentStateId) -> bool {
        self.moves_by(port).any(|step| step.must && step.from == state)
    }

    /// Its moves by a port.
    pub fn moves_by(&self, port: PatternPortId) -> impl Iterator<Item = &ComponentMove> + Clone {
        self.moves.iter().filter(move |step| step.port == port)
    }
}

impl NameFormula {
    /// Whether it holds, where `is_in` says so of its tests.
    pub fn holds(&self, is_in: &mut dyn FnMut(PatternNameId, &StateSet) -> bool) -> bool {
        match self {
            NameFormula::In(name, states) => is_in(*name, states),
            NameFormula::Not(one) => !one.holds(is_in),
            NameFormula::And(all) => all.iter().all(|one| one.holds(is_in)),
            NameFormula::Or(all) => all.iter().any(|one| one.holds(is_in)),
        }
    }

    /// Its tests, from left to right.
    pub fn tests(&self) -> Vec<(PatternNameId, &StateSet)> {
        match self {
            NameFormula::In(name, states) => vec![(*name, states)],
            NameFormula::Not(one) => one.tests(),
            NameFormula::And(all) | NameFormula::Or(all) => {
                all.iter().flat_map(NameFormula::tests).collect()
            }
        }
    }

    fn names(&self) -> Vec<PatternNameId> {
        self.tests().into_iter().map(|(name, _)| name).collect()
    }
}

impl GoalFormula {
    /// Whether it holds, where `atom` says so of [`GoalFormula::AtLeast`] and [`GoalFormula::Violated`].
    pub fn holds(&self, atom: &mut dyn FnMut(&GoalFormula) -> bool) -> bool {
        match self {
            GoalFormula::AtLeast(..) | GoalFormula::Violated(_) => atom(self),
            GoalFormula::Not(one) => !one.holds(atom),
            GoalFormula::And(all) => all.iter().all(|one| one.holds(atom)),
            GoalFormula::Or(all) => all.iter().any(|one| one.holds(atom)),
        }
    }

    /// What it asks about situations, from left to right.
    pub fn atoms(&self) -> Vec<&GoalFormula> {
        match self {
            GoalFormula::AtLeast(..) | GoalFormula::Violated(_) => vec![self],
            GoalFormula::Not(one) => one.atoms(),
            GoalFormula::And(all) | GoalFormula::Or(all) => {
                all.iter().flat_map(GoalFormula::atoms).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Cell` does `p` from its only state.
    fn one_cell() -> SystemPattern {
        let mut pattern = SystemPattern::new("Cell");
        let port = pattern.port("p");
        let state = ComponentState { label: "s".into(), initial: true, is_final: false };
        let (from, to) = (ComponentStateId(0), ComponentStateId(0));
        let moves = vec![ComponentMove { port, from, to, must: true }];
        let of = pattern.types.push(ComponentType {
            label: "Cell".into(),
            states: vec![state].into(),
            moves,
        });
        let head = pattern.head("Cell", 0);
        let name = PatternNameId(0);
        pattern.rules.push(PatternRule {
            head,
            names: vec!["x".to_owned()].into(),
            components: vec![MadeComponent { name, of }],
            interactions: vec![PatternInteraction {
                label: "p".into(),
                members: vec![InteractionMember { name, port }],
                may_only: false,
            }],
            parts: Vec::new(),
            nevers: Vec::new(),
            joins: Vec::new(),
        });
        pattern.start = Some(head);
        pattern
    }

    #[test]
    fn a_pattern_names_only_what_is_there() {
        let pattern = one_cell();
        assert_eq!(pattern.check(), Ok(()));
        assert!(pattern.is_exact());
        let mut wrong = pattern.clone();
        wrong.rules[PatternRuleId(0)].interactions[0].members[0].port = PatternPortId(7);
        assert_eq!(wrong.check(), Err(PatternMistake::Unknown("an interaction", "Cell".into())));
        let mut wrong = pattern.clone();
        wrong.start = None;
        assert_eq!(wrong.check(), Err(PatternMistake::NoStart));
        let mut wrong = pattern.clone();
        wrong.types[ComponentTypeId(0)].states[ComponentStateId(0)].initial = false;
        assert_eq!(wrong.check(), Err(PatternMistake::States("Cell".into(), 1)));
        let mut wrong = pattern;
        let part = PatternPart { head: RuleHeadId(0), arguments: vec![PatternNameId(0)] };
        wrong.rules[PatternRuleId(0)].parts.push(part);
        assert_eq!(wrong.check(), Err(PatternMistake::Parameters("Cell".into(), 0, 1)));
    }

    #[test]
    fn sets_of_states_are_by_type() {
        let states = StateSet::new().with(ComponentTypeId(1), ComponentStateId(2));
        assert!(states.has(ComponentTypeId(1), ComponentStateId(2)));
        assert!(!states.has(ComponentTypeId(0), ComponentStateId(2)));
        assert!(!states.has(ComponentTypeId(1), ComponentStateId(1)));
        assert!(states.of(ComponentTypeId(3)).is_empty());
    }

    #[test]
    fn formulas_are_evaluated() {
        let at_least = |many| GoalFormula::AtLeast(many, StateSet::new());
        let formula = GoalFormula::And(vec![at_least(1), GoalFormula::Not(Box::new(at_least(3)))]);
        let with = |count: usize| {
            formula.holds(&mut |atom| matches!(atom, GoalFormula::AtLeast(k, _) if count >= *k))
        };
        assert!(!with(0) && with(1) && with(2) && !with(3));
        assert_eq!(formula.atoms().len(), 2);
    }
}
