//! Whether two automata are the same up to the names of the variables of their transitions.
//!
//! States, leaves, holes and variables have the same names in the same order; and for each transition of one there is
//! one of the other with the same source, target, actions of holes, action, updates and guard. The parts of a guard
//! may stand in another order. Where something else differs, the solver has to say that it comes to the same: that
//! can be variables that are bound, or a value that the guard fixes, which one shows as `e(true)` and the other as
//! `e(v)` where `v` is true. Which of these it is depends on what is solved first.

use rustc_hash::FxHashMap;

use pnetc::algebra::{ImportMap, Sort, Term, TermId, Terms, VarId, VariableKind};
use pnetc::automaton::{OpenAutomaton, OpenTransition, StateId};
use pnetc::diagnostics::Symbol;
use pnetc::pnet::HoleId;
use pnetc::pnet::is_open;
use pnetc::smt::{Answer, Limits, Solver, Theory};

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Alike {
    pub states: usize,
    pub transitions: usize,
    /// Those that are the same only by the solver.
    pub by_solver: usize,
}

/// A transition in words that do not depend on the automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    ends: (StateId, StateId),
    holes: Vec<(HoleId, TermId)>,
    action: TermId,
    updates: Vec<(usize, TermId)>,
    /// The parts of the guard, sorted.
    guard: Vec<TermId>,
}

impl Seen {
    /// What does not depend on values.
    fn outline(&self) -> (&(StateId, StateId), Vec<HoleId>, Vec<usize>) {
        let holes = self.holes.iter().map(|(hole, _)| *hole).collect();
        (&self.ends, holes, self.updates.iter().map(|(place, _)| *place).collect())
    }

    /// What it shows and assigns.
    fn values(&self) -> impl Iterator<Item = TermId> {
        let holes = self.holes.iter().map(|(_, action)| *action);
        holes.chain([self.action]).chain(self.updates.iter().map(|(_, value)| *value))
    }
}

/// Compares two automata, or says where they differ first.
pub fn alike(one: &OpenAutomaton, other: &OpenAutomaton) -> Result<Alike, String> {
    same("name", &one.name.to_string(), &other.name.to_string())?;
    let holes = |of: &OpenAutomaton| -> Vec<String> {
        of.holes.iter().map(|hole| format!("{}: {:?}", hole.path, hole.sort)).collect()
    };
    same("holes", &holes(one), &holes(other))?;
    let leaves = |of: &OpenAutomaton| -> Vec<String> {
        let states = |leaf: &pnetc::automaton::Leaf| {
            let names = leaf.states.iter().map(|state| (state.name.to_string(), state.is_final));
            names.collect::<Vec<_>>()
        };
        of.leaves.iter().map(|leaf| format!("{}: {:?}", leaf.path, states(leaf))).collect()
    };
    same("leaves", &leaves(one), &leaves(other))?;
    let variables = |of: &OpenAutomaton| -> Vec<String> {
        of.variables.iter().map(|variable| variable.path.clone()).collect()
    };
    same("variables", &variables(one), &variables(other))?;
    let states = |of: &OpenAutomaton| -> Vec<String> {
        (0..of.states.len() as u32).map(|at| of.state_name(StateId(at))).collect()
    };
    same("states", &states(one), &states(other))?;
    same("number of transitions", &one.transitions.len(), &other.transitions.len())?;
    let mut table = Table::new(one);
    let mut theirs = table.all(other)?;
    let ours = table.all(one)?;
    let mut found = Alike { states: one.states.len(), transitions: ours.len(), by_solver: 0 };
    let mut left = Vec::new();
    for (at, seen) in ours.iter().enumerate() {
        match theirs.iter().position(|their| their == seen) {
            Some(place) => {
                theirs.swap_remove(place);
            }
            None => left.push(at),
        }
    }
    let mut session = Solver::new(&one.algebra, is_open(&one.holes), Limits::default());
    for at in left {
        let seen = &ours[at];
        let fits = |their: &Seen, table: &mut Table<'_>, session: &mut Solver| {
            their.outline() == seen.outline() && table.same(seen, their, session)
        };
        let place = (0..theirs.len()).find(|&place| fits(&theirs[place], &mut table, &mut session));
        let Some(place) = place else {
            let rule = &pnetc::emit::automaton::rules(one)[at];
            return Err(format!("only one of them has {rule:?}"));
        };
        theirs.swap_remove(place);
        found.by_solver += 1;
    }
    Ok(found)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}: {one:?} and {other:?}")) }
}

/// One table of terms for both automata.
struct Table<'a> {
    algebra: &'a pnetc::algebra::Algebra,
    terms: Terms,
    /// The variables of both, by their places.
    variables: Vec<VarId>,
    initial: Vec<Option<TermId>>,
    /// The variables of transitions, by their numbers and sorts.
    locals: FxHashMap<(usize, Sort), VarId>,
}

impl<'a> Table<'a> {
    fn new(one: &'a OpenAutomaton) -> Table<'a> {
        Table {
            algebra: &one.algebra,
            terms: one.terms.clone(),
            variables: one.variables.iter().map(|variable| variable.var).collect(),
            initial: one.variables.iter().map(|variable| variable.initial).collect(),
            locals: FxHashMap::default(),
        }
    }

    /// The transitions of an automaton, in terms of this table.
    fn all(&mut self, automaton: &OpenAutomaton) -> Result<Vec<Seen>, String> {
        let mut done = ImportMap::default();
        let mut values = FxHashMap::default();
        for (place, variable) in automaton.variables.iter().enumerate() {
            let var = self.terms.import_var(&automaton.terms, variable.var, &mut done);
            let ours = self.variables[place];
            same("sort", &self.terms.var(var).sort.clone(), &self.terms.var(ours).sort.clone())
                .map_err(|why| format!("{}: {why}", variable.path))?;
            values.insert(var, self.terms.var_term(ours));
        }
        for (place, variable) in automaton.variables.iter().enumerate() {
            let initial = variable.initial.map(|value| {
                let value = self.terms.import(&automaton.terms, value, &mut done);
                self.terms.substitute(value, &values)
            });
            same("initial value", &self.initial[place], &initial)
                .map_err(|why| format!("{}: {why}", variable.path))?;
        }
        let transitions = automaton.transitions.iter();
        Ok(transitions.map(|one| self.seen(automaton, one, &mut done, &values)).collect())
    }

    fn seen(
        &mut self,
        automaton: &OpenAutomaton,
        transition: &OpenTransition,
        done: &mut ImportMap,
        values: &FxHashMap<VarId, TermId>,
    ) -> Seen {
        let mut take = |term: TermId| {
            let term = self.terms.import(&automaton.terms, term, done);
            self.terms.substitute(term, values)
        };
        let holes: Vec<(HoleId, TermId)> =
            transition.holes.iter().map(|&(hole, action)| (hole, take(action))).collect();
        let (action, guard) = (take(transition.action), take(transition.guard));
        let place = |var: VarId| automaton.variables.iter().position(|v| v.var == var).unwrap();
        let mut updates: Vec<(usize, TermId)> =
            transition.updates.iter().map(|&(var, value)| (place(var), take(value))).collect();
        updates.sort_by_key(|(place, _)| *place);
        // The variables of the transition get numbers in the order in which they are met.
        let mut numbered: FxHashMap<VarId, TermId> = FxHashMap::default();
        let shown = holes.iter().map(|(_, term)| *term).chain([action]);
        let shown: Vec<TermId> =
            shown.chain(updates.iter().map(|(_, term)| *term)).chain([guard]).collect();
        for term in shown {
            for var in self.terms.free_vars(term) {
                let is_local = self.terms.var(var).kind != VariableKind::State;
                if is_local && !numbered.contains_key(&var) {
                    let local = self.local(numbered.len(), var);
                    numbered.insert(var, self.terms.var_term(local));
                }
            }
        }
        let mut renamed = |term: TermId| self.terms.substitute(term, &numbered);
        let holes = holes.into_iter().map(|(hole, action)| (hole, renamed(action))).collect();
        let updates = updates.into_iter().map(|(var, value)| (var, renamed(value))).collect();
        let (action, guard) = (renamed(action), renamed(guard));
        let mut guard = match self.terms.get(guard) {
            Term::And(parts) => parts.to_vec(),
            Term::Bool(true) => Vec::new(),
            _ => vec![guard],
        };
        guard.sort_unstable();
        Seen { ends: (transition.source, transition.target), holes, action, updates, guard }
    }

    fn local(&mut self, number: usize, like: VarId) -> VarId {
        let sort = self.terms.var(like).sort.clone();
        if let Some(&known) = self.locals.get(&(number, sort.clone())) {
            return known;
        }
        let name = Symbol::new(&format!("v{number}"));
        let new = self.terms.new_var(name, sort.clone(), VariableKind::Input);
        self.locals.insert((number, sort), new);
        new
    }

    /// Whether two transitions come to the same, as the solver says.
    fn same(&mut self, one: &Seen, other: &Seen, session: &mut Solver) -> bool {
        let (a, b) = (self.terms.and(one.guard.clone()), self.terms.and(other.guard.clone()));
        let (not_a, not_b) = (self.terms.not(a), self.terms.not(b));
        let both = one.values().zip(other.values());
        let equal: Vec<TermId> = both.map(|(x, y)| self.terms.equal(x, y)).collect();
        let equal = self.terms.and(equal);
        let differs = self.terms.not(equal);
        let theory = Theory { algebra: self.algebra, terms: &self.terms };
        [[a, not_b], [b, not_a], [a, differs]]
            .iter()
            .all(|question| session.check(theory, question) == Answer::Unsat)
    }
}
