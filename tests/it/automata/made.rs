//! Open automata made by hand: the world of a net, with states and transitions put into it.

use crate::common::sources::{self, Memory};
use pnetc::algebra::*;
use pnetc::automaton::*;
use pnetc::base::{Id, IndexVec};
use pnetc::diagnostics::{SourceMap, Span, Symbol};
use pnetc::elaborate::ElaborateOptions;
use pnetc::pnet::*;
use std::sync::Arc;

/// An automaton with the net that it belongs to.
pub struct Made {
    pub automaton: OpenAutomaton,
    pub net: Arc<PNet>,
    pub sources: SourceMap,
}

/// The world of a net of a model, without states and transitions.
pub fn world(path: &str, model: &str, name: &str) -> Made {
    let checked = sources::check(&Memory::file(path, model), path);
    let net = checked.build(Some(name), &ElaborateOptions::default()).unwrap();
    let leaves = net.leaves();
    let mut variables = IndexVec::default();
    for (path, id) in &leaves {
        let plts = &net.plts[*id];
        for ((var, initial), text) in plts.variables.iter().zip(&plts.variable_texts) {
            let name = net.terms.var(*var).name;
            let dot = if path.is_empty() { "" } else { "." };
            let path = format!("{path}{dot}{name}");
            variables.push(StateVariable { var: *var, path, initial: *initial, text: *text });
        }
    }
    let leaf = |(path, id): &(String, PltsId)| {
        let plts = &net.plts[*id];
        Leaf { path: path.clone(), states: plts.states.clone(), origin: plts.origin }
    };
    let automaton = OpenAutomaton {
        name: net.name,
        algebra: net.algebra.clone(),
        terms: net.terms.clone(),
        holes: net.holes.clone(),
        leaves: leaves.iter().map(leaf).collect(),
        variables,
        states: IndexVec::default(),
        initial: StateId(0),
        transitions: IndexVec::default(),
        origins: net.origins.clone(),
        movers: Default::default(),
    };
    Made { automaton, net, sources: checked.sources }
}

impl Made {
    pub fn state(&mut self, leaves: &[u32]) {
        self.automaton
            .states
            .push(GlobalState { leaves: leaves.iter().copied().map(PltsStateId).collect() });
    }

    /// A transition without conditions or changes.
    pub fn go(&mut self, source: u32, target: u32, action: TermId) -> &mut OpenTransition {
        let guard = self.automaton.terms.bool(true);
        self.automaton.transitions.push(OpenTransition {
            source: StateId(source),
            target: StateId(target),
            holes: Vec::new(),
            guard,
            action,
            updates: Vec::new(),
            used: Used::default(),
        });
        self.automaton.transitions.last_mut().unwrap()
    }

    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        let var = self.automaton.terms.new_var(Symbol::new(name), sort, VariableKind::Vector);
        self.automaton.terms.var_term(var)
    }

    pub fn action(&self, name: &str, arity: usize) -> ActionId {
        let mut actions = self.automaton.algebra.actions.iter();
        let found = |one: &Signature| one.name.as_str() == name && one.sorts.len() == arity;
        ActionId(actions.position(found).expect(name) as u32)
    }

    pub fn act(&mut self, name: &str, args: &[TermId]) -> TermId {
        let id = self.action(name, args.len());
        self.automaton.terms.raw(Term::Act(id, args.into()))
    }

    fn constant(&mut self, name: &str) -> TermId {
        let mut constants = self.automaton.algebra.constants.iter();
        let at = constants.position(|one| one.name.as_str() == name).expect(name);
        self.automaton.terms.raw(Term::Const(ConstId(at as u32)))
    }
}

const ENABLE: &str = include_str!("../../../examples/enable.pnet");

/// Sequence with the controller of two states.
pub fn enable_state() -> Made {
    let mut made = world("enable.pnet", ENABLE, "EnableState");
    made.state(&[0]);
    made.state(&[1]);
    enable(&mut made, [(0, 0), (0, 1), (1, 1)]);
    made
}

/// Sequence with the controller of one state and a variable.
pub fn enable_data() -> Made {
    let mut made = world("enable.pnet", ENABLE, "EnableData");
    made.state(&[0]);
    enable(&mut made, [(0, 0); 3]);
    let v = made.automaton.variables[StateVariableId(0)].var;
    let terms = &mut made.automaton.terms;
    let (zero, one, value) = (terms.int(0), terms.int(1), terms.var_term(v));
    let (first, second) = (terms.equal(value, zero), terms.equal(value, one));
    for (at, wanted) in [first, first, second].into_iter().enumerate() {
        let transition = &mut made.automaton.transitions[TransitionId::at(at)];
        transition.guard = made.automaton.terms.and([transition.guard, wanted]);
    }
    made.automaton.transitions[TransitionId(1)].updates = vec![(v, one)];
    made
}

fn enable(made: &mut Made, ends: [(u32, u32); 3]) {
    let data = made.automaton.algebra.action(made.action("delta", 1)).sorts[0].clone();
    let (a, b, x) = (made.var("a", Sort::Action), made.var("a", Sort::Action), made.var("x", data));
    let (delta, acc) = (made.act("delta", &[x]), made.act("acc", &[x]));
    let terms = &mut made.automaton.terms;
    let Term::Act(id, _) = terms.get(delta) else { unreachable!() };
    let id = *id;
    let is_delta = terms.is_act(id, a);
    let guard = terms.not(is_delta);
    let sync = terms.raw(Term::Sync(delta));
    let node = |at: u32| Used {
        vectors: vec![(NodeId(0), VectorId(at))],
        transitions: vec![(PltsId(0), PltsTransitionId(at))],
    };
    let (p, q) = (HoleId(0), HoleId(1));
    let first = made.go(ends[0].0, ends[0].1, a);
    (first.holes, first.guard, first.used) = (vec![(p, a)], guard, node(0));
    let second = made.go(ends[1].0, ends[1].1, sync);
    (second.holes, second.used) = (vec![(p, delta), (q, acc)], node(1));
    let third = made.go(ends[2].0, ends[2].1, b);
    (third.holes, third.used) = (vec![(q, b)], node(2));
}

/// The monitor with its 3 states and 12 transitions.
pub fn failure_monitor() -> Made {
    let model = include_str!("../../../examples/failure_monitor.pnet");
    let mut made = world("failure_monitor.pnet", model, "FailureMonitor");
    for leaves in [[0, 0], [1, 1], [2, 0]] {
        made.state(&leaves);
    }
    let t = made.automaton.variables[StateVariableId(0)].var;
    let max = made.constant("Max");
    let terms = &mut made.automaton.terms;
    let (zero, time, truth) = (terms.int(0), terms.var_term(t), terms.bool(true));
    let one = terms.int(1);
    let next = terms.add([time, one]);
    let (running, over) = (terms.less(time, max), terms.equal(time, max));
    let (tick, ask, reset) = (made.act("tick", &[]), made.act("ask", &[]), made.act("reset", &[]));
    let b = HoleId(0);
    let shown = |made: &mut Made, ends: (u32, u32), name: &str, sure: bool| {
        let value = if sure { truth } else { made.var("b0", Sort::Bool) };
        let action = made.act(name, &[value]);
        let transition = made.go(ends.0, ends.1, action);
        transition.holes = vec![(b, action)];
    };
    shown(&mut made, (0, 1), "fail", true);
    made.automaton.transitions[TransitionId(0)].updates = vec![(t, zero)];
    shown(&mut made, (0, 0), "fail", false);
    shown(&mut made, (0, 0), "resume", false);
    made.go(0, 0, reset);
    shown(&mut made, (1, 1), "fail", false);
    shown(&mut made, (1, 0), "resume", true);
    let ticking = made.go(1, 1, tick);
    (ticking.guard, ticking.updates) = (running, vec![(t, next)]);
    made.go(1, 2, ask).guard = over;
    made.go(1, 0, reset);
    shown(&mut made, (2, 2), "fail", false);
    shown(&mut made, (2, 2), "resume", false);
    made.go(2, 0, reset);
    made
}

/// Names with all that means something elsewhere, a condition that is long, and a value that may be any.
pub fn escapes() -> Made {
    let model = "action `when`(Int), größe;\n\
        const `state`: Int;\naxiom `state` > 0;\n\
        process P {\n    var `in`: Int;\n    init state s;\n    final state e;\n    s -> e : größe;\n}\n\
        net N(`sub`: any) {\n    sub p = P;\n    <`sub`: `when`(x), p: größe> -> `when`(x);\n}\n";
    let mut made = world("escapes.pnet", model, "N");
    made.automaton.name = Symbol::new("N<\"&'\\>");
    for state in &mut made.automaton.leaves[LeafId(0)].states {
        state.name = Symbol::new(&format!("<{}> & \"\\", state.name));
    }
    made.state(&[0]);
    made.state(&[1]);
    let value = made.automaton.variables[StateVariableId(0)].var;
    let x = made.var("x", Sort::Int);
    let action = made.act("when", &[x]);
    let limit = made.constant("state");
    let y = made.automaton.terms.new_var(Symbol::new("x"), Sort::Int, VariableKind::Bound);
    let terms = &mut made.automaton.terms;
    let (own, bound) = (terms.var_term(value), terms.var_term(y));
    let mut all = vec![terms.less(own, limit)];
    for at in 0..12 {
        let number = terms.int(at * 1000);
        let below = terms.less(x, number);
        all.push(terms.not(below));
    }
    let equal = terms.equal(bound, x);
    all.push(terms.raw(Term::Exists([y].into(), equal)));
    let guard = terms.and(all);
    let transition = made.go(0, 1, action);
    (transition.holes, transition.guard) = (vec![(HoleId(0), action)], guard);
    transition.updates = vec![(value, x)];
    let silent = made.automaton.terms.raw(Term::Tau);
    made.go(1, 0, silent);
    made
}

/// Two counters that go on by themselves: `rows * columns` states.
pub fn grid(rows: u32, columns: u32) -> Made {
    let model = "action right(Int), down, home;\n\
        process P {\n    init state s;\n    s -> s : down;\n    s -> s : right(0);\n    s -> s : home;\n}\n\
        net Grid(H: any) {\n    sub a = P;\n    sub b = P;\n    <a: down> -> down;\n    <b: right(x)> -> right(x);\n    <b: home> -> home;\n    <H: down> -> down;\n}\n";
    let mut made = world("grid.pnet", model, "Grid");
    for (leaf, (letter, count)) in [('a', rows), ('b', columns)].into_iter().enumerate() {
        let name = |at: u32| Symbol::new(&format!("{letter}{at}"));
        let states = (0..count).map(|at| State {
            name: name(at),
            is_final: at + 1 == count,
            text: Span::default(),
        });
        made.automaton.leaves[LeafId::at(leaf)].states = states.collect();
    }
    let (down, home) = (made.act("down", &[]), made.act("home", &[]));
    for row in 0..rows {
        for column in 0..columns {
            made.state(&[row, column]);
            let here = row * columns + column;
            if column + 1 < columns {
                let number = made.automaton.terms.int(column);
                let right = made.act("right", &[number]);
                made.go(here, here + 1, right);
            }
            if row + 1 < rows {
                made.go(here, here + columns, down);
            }
            if column + 1 == columns && row % 2 == 0 {
                made.go(here, here + 1 - columns, home);
            }
        }
    }
    made
}

/// One state that does nothing.
pub fn silent() -> Made {
    let mut made = world("silent.pnet", "process Silent {\n    init state s;\n}\n", "Silent");
    made.state(&[0]);
    made
}

/// The example of docs/json.md.
pub fn watch(model: &str) -> Made {
    let mut made = world("model.pnet", model, "Watch");
    made.state(&[0]);
    let t = made.automaton.variables[StateVariableId(0)].var;
    let (a, max, tick) =
        (made.var("a", Sort::Action), made.constant("Max"), made.action("tick", 0));
    let terms = &mut made.automaton.terms;
    let (time, one, is_tick) = (terms.var_term(t), terms.int(1), terms.is_act(tick, a));
    let (other, below) = (terms.not(is_tick), terms.less(time, max));
    let (guard, next) = (terms.and([other, below]), terms.add([time, one]));
    let transition = made.go(0, 0, a);
    (transition.holes, transition.guard) = (vec![(HoleId(0), a)], guard);
    transition.updates = vec![(t, next)];
    transition.used = Used {
        vectors: vec![(NodeId(0), VectorId(0))],
        transitions: vec![(PltsId(0), PltsTransitionId(0))],
    };
    made
}

/// Two states with many transitions between them, many holes and many variables.
pub fn crowd() -> Made {
    let vars: String = (0..6).map(|at| format!("    var v{at}: Int = {at};\n")).collect();
    let holes: Vec<String> = (0..8).map(|at| format!("H{at}: any")).collect();
    let vectors: String = (0..8).map(|at| format!("    <H{at}: ?a> -> a;\n")).collect();
    let model = format!(
        "action go(Int);\nprocess P {{\n{vars}    init state here;\n    state there;\n    \
         here -> there : go(v0);\n}}\nnet Crowd({}) {{\n    sub p = P;\n{vectors}}}\n",
        holes.join(", ")
    );
    let mut made = world("crowd.pnet", &model, "Crowd");
    made.state(&[0]);
    made.state(&[1]);
    let updates: Vec<(VarId, TermId)> = made
        .automaton
        .variables
        .iter()
        .map(|one| one.var)
        .map(|var| (var, made.automaton.terms.var_term(var)))
        .collect();
    for at in 0..40_u32 {
        let number = made.automaton.terms.int(at);
        let action = made.act("go", &[number]);
        // Every third goes round.
        let target = u32::from(at % 3 > 0);
        let transition = made.go(0, target, action);
        transition.holes = (0..=at % 8).map(|hole| (HoleId(hole), action)).collect();
        transition.updates = updates.clone();
    }
    made
}
