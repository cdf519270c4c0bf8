//! The tools that play nets and automata out with concrete values: known models have known steps, faults in an
//! automaton are found, and random models are explored without trouble.
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::explicit::{Config, Explicit, Reached, Step, Value, World, agree};
use crate::common::nets::{self, Shape};
use crate::common::seeds::seeds;
use crate::common::{Random, check_text};
use pnetc::automaton::{
    GlobalState, Leaf, OpenAutomaton, OpenTransition, StateId, StateVariable, TransitionId, Used,
};
use pnetc::base::IndexVec;
use pnetc::elaborate::ElaborateOptions;
use pnetc::pnet::{Content, PNet, StateVariableId};

fn build(text: &str, net: &str) -> Arc<PNet> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    checked.build(Some(net), &ElaborateOptions::default()).unwrap()
}

fn example(name: &str, net: &str) -> Arc<PNet> {
    build(&std::fs::read_to_string(format!("examples/{name}.pnet")).unwrap(), net)
}

fn explore(net: &PNet, world: &World) -> Reached {
    let reached = Explicit::new(net, world).reachable(2_000).unwrap();
    assert!(reached.complete);
    assert_eq!(reached.in_trouble(), 0);
    reached
}

fn actions(steps: &BTreeSet<Step>) -> Vec<String> {
    steps.iter().map(|step| step.action.to_string()).collect()
}

/// What is shown along the only way there is.
fn way(net: &PNet, steps: usize) -> Vec<String> {
    let world = World::of(net);
    let explicit = Explicit::new(net, &world);
    let mut config = explicit.initial().unwrap().remove(0);
    let mut shown = Vec::new();
    for _ in 0..steps {
        let found = explicit.steps(&config).unwrap();
        assert!(found.len() < 2, "{found:?}");
        let Some(step) = found.into_iter().next() else { break };
        shown.push(step.action.to_string());
        config = step.next;
    }
    shown
}

#[test]
fn enable_hands_over_the_value_of_the_exit() {
    let text = std::fs::read_to_string("examples/enable.pnet").unwrap();
    let text = text.replace("sort Data;", "enum Data { One, Two }")
        + "action first, second(Data);
        process Left { init state s; state t, u; s -> t : first; t -> u : delta(Two); }
        process Right {
            var d: Data = One;
            init state s; state t, u;
            s -> t : acc(?x) do d := x;
            t -> u : second(d);
        }
        net ByState = EnableState(Left, Right);
        net ByData = EnableData(Left, Right);
        net Nested = EnableState(EnableData(Left, Right), Right);";
    let wanted = ["first", "sync delta(Two)", "second(Two)"];
    assert_eq!(way(&build(&text, "ByState"), 9), wanted);
    assert_eq!(way(&build(&text, "ByData"), 9), wanted);
    assert_eq!(way(&build(&text, "Nested"), 9), wanted);
}

#[test]
fn an_open_enable_passes_on_what_its_holes_do() {
    let net = example("enable", "EnableState");
    let world = World {
        holes: vec![
            vec![Value::act("l"), Value::Act("delta", vec![Value::Atom("Data", 1)]), Value::Tau],
            vec![
                Value::Act("acc", vec![Value::Atom("Data", 1)]),
                Value::Act("acc", vec![Value::Atom("Data", 0)]),
                Value::Other(3),
            ],
        ],
        ..World::default()
    };
    let reached = explore(&net, &world);
    assert_eq!(reached.configs.len(), 2);
    let steps = |at: usize| reached.configs[at].1.as_ref().unwrap();
    assert_eq!(actions(steps(0)), ["l", "tau", "sync delta(Data#1)"]);
    assert_eq!(actions(steps(1)), ["acc(Data#0)", "acc(Data#1)", "other#3"]);
    let handed_over = steps(0).last().unwrap();
    let acc = |number| Value::Act("acc", vec![Value::Atom("Data", number)]);
    let delta = Value::Act("delta", vec![Value::Atom("Data", 1)]);
    assert_eq!(handed_over.holes, [(0, delta), (1, acc(1))]);
}

#[test]
fn an_interface_keeps_a_hole_from_other_actions() {
    let model = "action a, b(0..2);
        interface I { b(0..2) }
        net N(P: I) { <P: ?x> -> x; }";
    let net = build(model, "N");
    let b = |number| Value::Act("b", vec![Value::Int(number)]);
    let offers = vec![Value::act("a"), b(1), b(2), Value::Tau, b(1).co(), Value::act("a").sync()];
    let world = World { holes: vec![offers], ..World::default() };
    let reached = explore(&net, &world);
    assert_eq!(actions(reached.configs[0].1.as_ref().unwrap()), ["b(1)", "tau", "sync a"]);
}

#[test]
fn a_token_goes_round() {
    let model = "action give, take, pass(Int);
        process Station<me: Int> {
            var holds: Bool = me == 0;
            init state s;
            s -> s : give when holds     do holds := false;
            s -> s : take when not holds do holds := true;
        }
        net Ring<n: Int> {
            sub S[i: 0..n] = Station<i>;
            <S[i]: give, S[(i + 1) mod n]: take> -> pass(i) for i in 0..n;
        }
        net Ring3 = Ring<3>;";
    let net = build(model, "Ring3");
    let shown = way(&net, 7);
    let wanted = ["pass(0)", "pass(1)", "pass(2)", "pass(0)", "pass(1)", "pass(2)", "pass(0)"];
    assert_eq!(shown, wanted);
    assert_eq!(explore(&net, &World::of(&net)).configs.len(), 3);
}

#[test]
fn counters_meet_in_a_shared_action() {
    let model = "action up, reset(Int), both(Int, Int);
        process Counter<max: Int> {
            var n: Int = 0;
            init state s;
            s -> s : up       when n < max do n := n + 1;
            s -> s : reset(n) when n > 0   do n := 0;
        }
        net N {
            sub A = Counter<2>;
            sub B = Counter<3>;
            <A: up> -> up;
            <B: up> -> up;
            <A: reset(x), B: reset(y)> -> both(x, y) when x + 1 == y;
        }";
    let net = build(model, "N");
    let reached = explore(&net, &World::of(&net));
    assert_eq!(reached.configs.len(), 3 * 4);
    let both = reached.configs.iter().flat_map(|(_, steps)| steps.iter().flatten());
    let both: BTreeSet<String> = both.map(|step| step.action.to_string()).collect();
    assert_eq!(both.into_iter().collect::<Vec<_>>(), ["both(1, 2)", "both(2, 3)", "up"]);
    // up: A can in 2 * 4 configurations, B in 3 * 3; and the two resets.
    assert_eq!(reached.steps(), 8 + 9 + 2);
}

#[test]
fn members_can_compute() {
    let model = "action out(Int), set(Int), xfer(Int), even(Int);
        process Source { var v: Int = 0; init state s; s -> s : out(v) when v < 4 do v := v + 1; }
        process Sink { var w: Int = 0; init state s; s -> s : set(?x) do w := x; }
        net N {
            sub S = Source;
            sub T = Sink;
            connect xfer(x) : S.out(x) T.set(y) when x > 0 do y := x + 1;
            <S: out(_)> -> tau;
        }";
    let net = build(model, "N");
    let world = World::of(&net);
    let reached = explore(&net, &world);
    let last = reached.configs.iter().map(|(config, _)| config).max().unwrap();
    assert_eq!(last.to_string(), "0[4].0[4]");
    let xfers = reached.configs.iter().flat_map(|(_, steps)| steps.iter().flatten());
    let xfers = xfers.filter(|step| step.action == Value::Act("xfer", vec![Value::Int(3)]));
    assert!(xfers.clone().count() > 0);
    assert!(xfers.clone().all(|step| step.next.values[1] == [Value::Int(4)]));
}

#[test]
fn what_leaves_its_range_does_not_happen() {
    let model = "action a(0..2), b, c(Int);
        process P {
            var v: 0..3 = 0;
            init state s;
            s -> s : b    do v := v + 1;
            s -> s : a(v);
        }
        net N { sub X = P; <X: b> -> b; <X: a(_)> -> tau; }
        net Shown { sub X = P; <X: b> -> b; <X: a(x)> -> a(x + 1); }";
    let tau = |name: &str| {
        let net = build(model, name);
        let reached = explore(&net, &World::of(&net));
        let steps = reached.configs.iter().map(|(_, steps)| actions(steps.as_ref().unwrap()));
        steps.collect::<Vec<_>>()
    };
    assert_eq!(tau("N"), [vec!["b", "tau"], vec!["b", "tau"], vec![]]);
    assert_eq!(tau("Shown"), [vec!["a(1)", "b"], vec!["b"], vec![]]);
}

#[test]
fn numbers_that_get_too_large_and_unknown_values_are_trouble() {
    let model = "action a, b;
        process Up { var n: Int = 0; init state s; s -> s : a do n := n + 1; }
        process Divides { var n: Int = 2; init state s; s -> s : a when n > 0 do n := n - 1;
            s -> s : b when 4 div n > 1; }";
    let up = build(model, "Up");
    let reached = Explicit::new(&up, &World::of(&up)).reachable(100).unwrap();
    assert_eq!((reached.configs.len(), reached.in_trouble()), (7, 1));
    let divides = build(model, "Divides");
    let reached = Explicit::new(&divides, &World::of(&divides)).reachable(100).unwrap();
    assert_eq!((reached.configs.len(), reached.in_trouble(), reached.steps()), (3, 1, 4));
}

#[test]
fn who_gives_way_waits() {
    let model = "action tick, ask(Int), answer(Int), go(Int), stop(Int);
        process Asker {
            var n: Int = 0;
            init state s;
            s -> s : ask(n) when n < 2 do n := n + 1;
            s -> s : tick;
        }
        process Timer { init state s; state t; s -> t : tick; t -> t : answer(?x) when x >= 0; }
        net Order {
            sub A = Asker;
            sub T = Timer;
            connect ask(x) : A.ask(x) T.answer(y) do y := x;
            connect tick   : A.tick;
            <T: tick> -> sync tick;
            priority tick < ask;
        }
        process Two { init state s; s -> s : go(0); s -> s : go(1); s -> s : stop(1); }
        net Same  { sub X = Two; <X: go(x)> -> go(x) unless <X: stop(x)>; }
        net Other { sub X = Two; <X: go(x)> -> go(x) unless <X: stop(y)> when y > 0; }
        net Never { sub X = Two; <X: go(x)> -> go(x) unless <X: stop(y)> when y > 1; }
        process Bell { init state s; state t; s -> t : tick; t -> s : tick; s -> s : ask(0); }
        net Most {
            sub A = Two;
            sub B = Bell;
            connect tick : A.stop(_)' B.ask(_);
            <B: tick> -> sync tick;
            priority maximal;
        }";
    let steps = |name: &str| {
        let net = build(model, name);
        let reached = explore(&net, &World::of(&net));
        let steps = reached.configs.iter().map(|(_, steps)| actions(steps.as_ref().unwrap()));
        steps.collect::<Vec<_>>()
    };
    assert_eq!(steps("Same"), [["go(0)"]]);
    assert_eq!(steps("Other"), [Vec::<&str>::new()]);
    assert_eq!(steps("Never"), [["go(0)", "go(1)"]]);
    // A tick is shown while the timer does not answer, and again when there is nothing to ask.
    let order = steps("Order");
    assert_eq!(order, [vec!["tick", "sync tick"], vec!["ask(0)"], vec!["ask(1)"], vec!["tick"]]);
    let net = build(model, "Most");
    let reached = explore(&net, &World::of(&net));
    let ticks = |at: usize| actions(reached.configs[at].1.as_ref().unwrap());
    assert_eq!((ticks(0), ticks(1)), (vec!["tick".into(), "sync tick".into()], ticks(0)));
}

#[test]
fn the_failure_monitor_has_its_configurations() {
    let net = example("failure_monitor", "FailureMonitor");
    let world = World::of(&net).with("Max", Value::Int(2));
    let reached = explore(&net, &world);
    // The timer keeps its value: s0.t0 and s1.t1 with 0, 1 and 2, and s2.t0 with 2.
    assert_eq!(reached.configs.len(), 7);
    let first = actions(reached.configs[0].1.as_ref().unwrap());
    let wanted =
        ["fail(false)", "fail(true)", "fail(true)", "reset", "resume(false)", "resume(true)"];
    assert_eq!(first, wanted);
    let asked = reached.configs.iter().flat_map(|(config, steps)| {
        steps.iter().flatten().filter(|s| s.action == Value::act("ask")).map(move |s| (config, s))
    });
    let asked: Vec<(&Config, &Step)> = asked.collect();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].0.values[1], [Value::Int(2)]);
}

/// The automaton of a process alone, or of a net that has holes only: one transition for each of theirs.
fn plain_automaton(net: &PNet) -> OpenAutomaton {
    let mut automaton = OpenAutomaton {
        name: net.name,
        algebra: net.algebra.clone(),
        terms: net.terms.clone(),
        holes: net.holes.clone(),
        leaves: IndexVec::default(),
        variables: IndexVec::default(),
        states: vec![GlobalState { leaves: IndexVec::default() }].into(),
        initial: StateId(0),
        transitions: IndexVec::default(),
        origins: net.origins.clone(),
        movers: Default::default(),
    };
    match net.root {
        Content::Leaf(id) => {
            let plts = &net.plts[id];
            let (path, states) = (String::new(), plts.states.clone());
            automaton.leaves.push(Leaf { path, states, origin: plts.origin });
            let alone = |at| GlobalState { leaves: vec![at].into() };
            automaton.states = plts.states.ids().map(alone).collect();
            automaton.initial = StateId(plts.initial.0);
            for ((var, initial), text) in plts.variables.iter().zip(&plts.variable_texts) {
                let path = net.terms.var(*var).name.to_string();
                let (var, initial, text) = (*var, *initial, *text);
                automaton.variables.push(StateVariable { var, path, initial, text });
            }
            let mut transitions: Vec<_> = plts.transitions.iter().collect();
            transitions.sort_by_key(|transition| transition.source);
            automaton.transitions.extend(transitions.into_iter().map(|t| OpenTransition {
                source: StateId(t.source.0),
                target: StateId(t.target.0),
                holes: Vec::new(),
                guard: t.guard,
                action: t.action,
                updates: t.updates.clone(),
                used: Used::default(),
            }));
        }
        Content::Node(id) => {
            let node = &net.nodes[id];
            for vector in &node.vectors {
                let holes = vector.members.iter().map(|m| match node.parts[m.part].content {
                    Content::Hole(hole) => (hole, m.action),
                    _ => panic!("holes only"),
                });
                automaton.transitions.push(OpenTransition {
                    source: StateId(0),
                    target: StateId(0),
                    holes: holes.collect(),
                    guard: vector.guard,
                    action: vector.result,
                    updates: Vec::new(),
                    used: Used::default(),
                });
            }
        }
        Content::Hole(_) => panic!("no hole alone"),
    }
    automaton
}

const PLAIN: &str = "enum Colour { Red, Green }
    action a(0..3), b(Bool), c(Colour), d(Int);
    process P {
        var v: 0..3 = 1;
        var w: Int;
        var c: Colour = Red;
        init state s;
        state t;
        s -> t : a(?x) when x > v do v := x;
        t -> s : b(v == 2)        do v := v - 1;
        s -> s : c(?y) when y != c do c := y;
        t -> t : d(?z) when z >= 0 and z < 2 do w := z + 1;
    }
    net N(L: any, R: any) {
        <L: ?x>           -> x           when x is not a(_);
        <L: a(x), R: a(x)> -> sync a(x)  when x > 0;
        <L: ?x, R: co ?x> -> tau;
        <L: a(x), R: d(y)> -> d(x + y)   when x < y and y < 3;
    }";

#[test]
fn plain_automata_agree() {
    let process = build(PLAIN, "P");
    // s with v = 1 or t with v = 2, any of nine integers for `w`, two colours.
    assert_eq!(agree(&process, &plain_automaton(&process), 1_000), Ok(2 * 9 * 2));
    let net = build(PLAIN, "N");
    assert_eq!(agree(&net, &plain_automaton(&net), 1_000), Ok(1));
}

#[test]
fn faults_are_found() {
    let mut planted = 0;
    for name in ["P", "N"] {
        let net = build(PLAIN, name);
        let good = plain_automaton(&net);
        let mut wrong = |what: &str, plant: &dyn Fn(&mut OpenAutomaton, TransitionId)| {
            for at in good.transitions.ids() {
                let mut bad = good.clone();
                plant(&mut bad, at);
                let verdict = agree(&net, &bad, 1_000);
                let difference = |text: &String| text.contains("only the");
                assert!(verdict.as_ref().is_err_and(difference), "{what}, {at:?}: {verdict:?}");
                planted += 1;
            }
        };
        wrong("no transition", &|bad, at| {
            bad.transitions.remove(at);
        });
        wrong("tau", &|bad, at| {
            let tau = bad.terms.raw(pnetc::algebra::Term::Tau);
            let is_tau = bad.transitions[at].action == tau;
            let zero = bad.algebra.actions.iter().position(|one| one.name.as_str() == "b").unwrap();
            let yes = bad.terms.bool(true);
            let id = pnetc::algebra::ActionId(zero as u32);
            let other = bad.terms.raw(pnetc::algebra::Term::Act(id, Box::new([yes])));
            bad.transitions[at].action = if is_tau { other } else { tau };
        });
    }
    let net = build(PLAIN, "P");
    let mut bad = plain_automaton(&net);
    let changed = bad.transitions.find(|t| !t.updates.is_empty()).unwrap();
    bad.transitions[changed].updates.clear();
    assert!(agree(&net, &bad, 1_000).unwrap_err().contains("only the automaton does"));
    let mut bad = plain_automaton(&net);
    bad.transitions[TransitionId(0)].guard = bad.terms.bool(true);
    assert!(agree(&net, &bad, 1_000).unwrap_err().contains("only the automaton does"));
    let mut bad = plain_automaton(&net);
    bad.variables[StateVariableId(0)].initial = None;
    assert!(agree(&net, &bad, 1_000).unwrap_err().starts_with("initially"));
    let mut bad = plain_automaton(&net);
    bad.variables.remove(bad.variables.ids().next_back().unwrap());
    assert!(agree(&net, &bad, 1_000).is_err());
    assert_eq!(planted, 16);
}

/// What random models of a shape are like.
#[derive(Default, Debug)]
struct Census {
    tried: usize,
    /// Check, elaborate and are explored.
    accepted: usize,
    /// Something can happen.
    lively: usize,
    /// Some configuration is in trouble.
    troubled: usize,
    open: usize,
    configs: usize,
    steps: usize,
}

fn census(shape: Shape) -> Census {
    let mut census = Census::default();
    for seed in seeds(200) {
        let mut random = Random::new(seed);
        let net = loop {
            census.tried += 1;
            if let Ok(net) = nets::accepted(&nets::candidate(&mut random, shape)) {
                break net;
            }
        };
        census.accepted += 1;
        let world = World::of(&net);
        let reached = Explicit::new(&net, &world).reachable(60);
        let reached = reached.unwrap_or_else(|why| panic!("PNET_SEED={seed}: {why:?}"));
        census.lively += usize::from(reached.steps() > 0);
        census.troubled += usize::from(reached.in_trouble() > 0);
        census.open += usize::from(!net.holes.is_empty());
        census.configs += reached.configs.len();
        census.steps += reached.steps();
    }
    println!("{shape:?}: {census:?}");
    census
}

#[test]
fn random_models_are_lively() {
    for shape in [Shape::closed(), Shape::open()] {
        let census = census(shape);
        if census.accepted == 1 {
            return;
        }
        assert!(census.accepted * 10 > census.tried * 8, "{census:?}");
        assert!(census.lively * 4 > census.accepted * 3, "{census:?}");
        assert!(census.troubled * 10 < census.accepted, "{census:?}");
        assert_eq!(census.open, if shape.holes { census.accepted } else { 0 });
    }
}

/// Processes alone and their plain automata agree.
#[test]
fn random_processes_agree_with_their_plain_automata() {
    let mut compared = 0;
    for seed in seeds(60) {
        let text = nets::model(&mut Random::new(seed), Shape::closed());
        let checked = check_text(text.as_str());
        for (name, _) in checked.targets() {
            // Parameters of a process alone have no values.
            if !name.as_str().starts_with('P') || text.contains(&format!("{name}<me")) {
                continue;
            }
            let net = checked.build(Some(name.as_str()), &ElaborateOptions::default()).unwrap();
            compared += agree(&net, &plain_automaton(&net), 60)
                .unwrap_or_else(|why| panic!("PNET_SEED={seed}: {name}: {why}\n{text}"));
        }
    }
    assert!(compared > 60 || seeds(60).count() == 1, "{compared}");
}
