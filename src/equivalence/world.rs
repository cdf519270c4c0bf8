//! Two automata in one world: one table of terms, one set of holes, one solver.

use rustc_hash::FxHashMap;

use super::reachability::fixed_values;
use crate::algebra::{Algebra, Imported, Sort, TermId, Terms, VarId};
use crate::automaton::{OpenAutomaton, OpenTransition, StateVariable};
use crate::base::budget::is_spent;
use crate::generate::ask::Asker;
use crate::generate::rules::sort_allows;
use crate::generate::{Options, Watch, is_open};
use crate::outcome::{Incomparable, STOPPED};
use crate::pnet::Hole;
use crate::smt::{Answer, ScriptOptions, script};

/// The left or the right one of two automata.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SideId {
    /// The first.
    Left,
    /// The second.
    Right,
}

impl SideId {
    /// The other one.
    #[must_use]
    pub fn other(self) -> SideId {
        match self {
            SideId::Left => SideId::Right,
            SideId::Right => SideId::Left,
        }
    }
}

/// An open transition in this world.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it starts and ends.
    pub source: usize,
    /// Where it ends.
    pub target: usize,
    /// What holes do: by their places among the holes of both.
    pub holes: Vec<(usize, TermId)>,
    /// When it can happen; what the sorts of holes allow is part of it.
    pub guard: TermId,
    /// What is shown.
    pub action: TermId,
    /// What changes.
    pub updates: FxHashMap<VarId, TermId>,
    /// Its own variables.
    pub locals: Vec<VarId>,
    /// The transitions that it is made of, by their places; with a number where they are gone round so many times.
    pub made_of: Vec<(usize, Option<TermId>)>,
}

/// One of the two automata.
#[derive(Clone, Debug)]
pub struct Side {
    /// The automaton as it was, for names.
    pub automaton: OpenAutomaton,
    /// Its variables in this world, in the same order.
    pub variables: Vec<StateVariable>,
    /// Its steps, by the states in which they start.
    pub steps: Vec<Vec<Step>>,
    /// What is known of the variables in each state whenever it is reached: a reachability predicate (Definition 7
    /// of the SEFM paper).
    pub facts: Vec<Vec<TermId>>,
}

/// Two automata.
pub struct World<'a> {
    /// Sorts, functions, actions and constants of both.
    pub algebra: Algebra,
    /// The terms of both.
    pub terms: Terms,
    /// The holes of both, by path.
    pub holes: Vec<Hole>,
    /// The two.
    pub sides: [Side; 2],
    pub(crate) asker: Asker<'a>,
    /// Who watches, and can stop the work.
    pub(crate) watch: &'a dyn Watch,
    /// Conditions with quantifiers that were made, by what they say with placeholders for what is bound, and its sorts.
    pub(super) quantified: FxHashMap<(TermId, Vec<Sort>), TermId>,
    /// The placeholders, by place and sort.
    pub(super) placeholders: FxHashMap<(usize, Sort), TermId>,
    /// Conditions with each comparison in its one form.
    pub(super) formed: FxHashMap<TermId, TermId>,
}

impl World<'_> {
    /// One of the two automata.
    pub fn side(&self, side: SideId) -> &Side {
        &self.sides[side as usize]
    }

    /// Whether what is said of constants can be true at all. If not, anything would follow.
    pub fn axioms_contradict(&mut self) -> bool {
        let yes = self.terms.bool(true);
        self.check(&[yes]) == Answer::Unsat
    }

    /// How many questions the solver was asked.
    pub fn queries(&self) -> usize {
        self.asker.queries
    }

    /// From now on each question gets little time: for attempts that others follow.
    pub fn hurry(&mut self) {
        self.asker.hurry();
    }

    /// From now on each question gets all its time again, also those that were not answered in a hurry.
    pub fn no_hurry(&mut self) {
        self.asker.no_hurry();
    }

    /// Says how far the work is.
    pub(super) fn searching(&self, what: &str) {
        self.watch.searching(what, self.asker.queries);
    }

    /// A question as a script for solvers. What cannot be put to one is the question whether nothing can hold: no
    /// solver will confirm it.
    pub fn script(&mut self, conditions: &[TermId], options: ScriptOptions<'_>) -> String {
        let explicit = self.asker.explicit(&mut self.terms);
        let all = match explicit.question(&mut self.terms, conditions) {
            Ok(question) => question.all(),
            Err(_) => Vec::new(),
        };
        script(&explicit.algebra, &self.terms, &all, options)
    }

    /// Whether conditions can hold together.
    pub fn check(&mut self, conditions: &[TermId]) -> Answer {
        if is_spent() {
            return Answer::Unknown(STOPPED.to_owned());
        }
        self.asker.check(&mut self.terms, conditions)
    }
}

/// Why two automata cannot be compared, each with the name that somebody has given it.
pub fn why_not_comparable(sides: [(&str, &OpenAutomaton); 2]) -> Option<Incomparable> {
    let [left, right] = sides;
    let missing = |one: (&str, &OpenAutomaton), other: (&str, &OpenAutomaton)| {
        let lacks = |hole: &&Hole| !other.1.holes.iter().any(|known| known.path == hole.path);
        one.1.holes.iter().find(lacks).map(|hole| Incomparable::HoleMissing {
            net: one.0.to_owned(),
            hole: hole.path.clone(),
            other: other.0.to_owned(),
            tracking: None,
        })
    };
    let different = left.1.holes.iter().find(|hole| {
        right.1.holes.iter().any(|other| other.path == hole.path && other.sort != hole.sort)
    });
    missing(left, right)
        .or_else(|| missing(right, left))
        .or_else(|| different.map(|hole| Incomparable::HoleSorts { hole: hole.path.clone() }))
}

/// Brings two automata of one program together.
pub fn together<'a>(
    left: &'a OpenAutomaton,
    right: &'a OpenAutomaton,
    options: &Options,
    watch: &'a dyn Watch,
) -> World<'a> {
    let mut terms = left.terms.clone();
    if right.terms.has_complements() {
        terms.speak_of_complements();
    }
    let mut holes: Vec<Hole> = left.holes.clone();
    for hole in &right.holes {
        if !holes.iter().any(|known| known.path == hole.path) {
            holes.push(hole.clone());
        }
    }
    let first = side(left, &mut terms, &holes, None);
    let second = side(right, &mut terms, &holes, Some(&right.terms));
    let open_world = is_open(&holes);
    let asker = Asker::new(&left.algebra, open_world, options, true);
    World {
        algebra: left.algebra.clone(),
        terms,
        holes,
        sides: [first, second],
        asker,
        watch,
        quantified: FxHashMap::default(),
        placeholders: FxHashMap::default(),
        formed: FxHashMap::default(),
    }
}

/// Takes an automaton over; `from` is where its terms are, unless they are here.
fn side(
    automaton: &OpenAutomaton,
    terms: &mut Terms,
    holes: &[Hole],
    from: Option<&Terms>,
) -> Side {
    let mut done = Imported::default();
    let mut steps: Vec<Vec<Step>> = vec![Vec::new(); automaton.states.len()];
    let variables = automaton.variables.iter().map(|variable| {
        let (var, initial) = match from {
            None => (variable.var, variable.initial),
            Some(other) => (
                terms.import_var(other, variable.var, &mut done),
                variable.initial.map(|initial| terms.import(other, initial, &mut done)),
            ),
        };
        StateVariable { var, initial, ..variable.clone() }
    });
    let variables: Vec<StateVariable> = variables.collect();
    for (place, transition) in automaton.transitions.iter().enumerate() {
        let step = step(automaton, transition, &variables, terms, holes, (from, &mut done));
        let step = Step { made_of: vec![(place, None)], ..step };
        steps[transition.source.index()].push(step);
    }
    let facts = fixed_values(terms, &variables, &steps);
    Side { automaton: automaton.clone(), variables, steps, facts }
}

fn step(
    automaton: &OpenAutomaton,
    transition: &OpenTransition,
    variables: &[StateVariable],
    terms: &mut Terms,
    holes: &[Hole],
    (from, done): (Option<&Terms>, &mut Imported),
) -> Step {
    let mut take = |terms: &mut Terms, id: TermId| match from {
        None => id,
        Some(other) => terms.import(other, id, done),
    };
    let mut moves = Vec::with_capacity(transition.holes.len());
    let mut conditions = vec![take(terms, transition.guard)];
    for &(hole, action) in &transition.holes {
        // A hole that both have may have other sorts in the two: each keeps to its own.
        let Hole { path, sort, .. } = &automaton.holes[hole.0 as usize];
        let place = holes.iter().position(|known| known.path == *path).unwrap_or_default();
        let action = take(terms, action);
        moves.push((place, action));
        conditions.extend(sort_allows(&automaton.algebra, terms, sort, action));
    }
    moves.sort_unstable_by_key(|(place, _)| *place);
    let guard = terms.and(conditions);
    let action = take(terms, transition.action);
    let mut updates = FxHashMap::default();
    for &(var, value) in &transition.updates {
        let value = take(terms, value);
        let place = automaton.variables.iter().position(|variable| variable.var == var);
        if let Some(place) = place {
            updates.insert(variables[place].var, value);
        }
    }
    let mut locals: Vec<VarId> = Vec::new();
    let all = moves.iter().map(|(_, term)| *term).chain([guard, action]);
    for term in all.chain(updates.values().copied()) {
        for var in terms.free_vars(term) {
            if !variables.iter().any(|variable| variable.var == var) && !locals.contains(&var) {
                locals.push(var);
            }
        }
    }
    locals.sort_unstable();
    Step {
        source: transition.source.index(),
        target: transition.target.index(),
        holes: moves,
        guard,
        action,
        updates,
        locals,
        made_of: Vec::new(),
    }
}
