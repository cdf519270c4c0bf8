//! `any` is open: a hole of this sort may be filled by what does actions that nobody had declared, and what was
//! found out about the open net still holds.
//!
//! The automaton of an open net is generated from its text. Then the text gets more actions and some processes,
//! and the holes are filled with these. In every configuration that is reached, the filled net does what the
//! open automaton does with holes that do what the processes do, an undeclared action being just some other one;
//! and whatever was dead or never reached still is.
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::explicit::{Concrete, Config, Explicit, Step, Value, World};
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
use crate::common::{Random, check_text};
use pnetc::algebra::Sort;
use pnetc::automaton::OpenAutomaton;
use pnetc::diagnostics::{Severity, Span};
use pnetc::elaborate;
use pnetc::generate::{Options, Unwatched, generate};
use pnetc::pnet::{HoleId, HoleSort, PNet, PltsId};

/// How many configurations of a filled net are looked at.
const LIMIT: usize = 60;

// ---- what fills holes ----

/// A process without variables: its states, and what it does from one to another.
#[derive(Clone, Debug)]
struct Filler {
    states: usize,
    moves: Vec<(usize, usize, String)>,
}

/// Actions that only the filled model declares.
const NEW: &str = "action zz_stop, zz_say(Int), zz_pair(Bool, Int);\n";

fn new_action(random: &mut Random) -> String {
    match random.below(4) {
        0 => "zz_stop".to_owned(),
        1 => format!("zz_pair({}, {})", random.percent(50), random.below(2)),
        _ => format!("zz_say({})", random.below(3)),
    }
}

/// A declared action with some arguments, where its sorts are simple.
fn known_action(random: &mut Random, text: &str, net: &PNet) -> Option<String> {
    let signature = random.pick_some(&net.algebra.actions)?;
    // Those of imported files may have no name here.
    let declared =
        |line: &str| line.starts_with("action") && line.contains(signature.name.as_str());
    if !text.lines().any(declared) {
        return None;
    }
    let mut arguments = Vec::new();
    for sort in &signature.sorts {
        arguments.push(match sort {
            Sort::Bool => random.percent(50).to_string(),
            Sort::Int => random.below(3).to_string(),
            Sort::Range(..) => random.below(2).to_string(),
            _ => return None,
        });
    }
    let name = signature.name;
    let plain = if arguments.is_empty() {
        name.to_string()
    } else {
        format!("{name}({})", arguments.join(", "))
    };
    Some(plain)
}

impl Filler {
    fn new(random: &mut Random, text: &str, net: &PNet) -> Filler {
        let states = random.between(1, 3);
        let mut moves = Vec::new();
        for state in 0..states {
            for _ in 0..random.between(1, 2) {
                let action = match random.below(8) {
                    0 => "tau".to_owned(),
                    1..4 => known_action(random, text, net).unwrap_or_else(|| new_action(random)),
                    _ => new_action(random),
                };
                moves.push((state, (state + random.below(2)) % states, action));
            }
        }
        // Every state is reached, or the model gets a warning.
        for state in 0..states {
            moves.push((state, (state + 1) % states, "zz_stop".to_owned()));
        }
        Filler { states, moves }
    }

    fn text(&self, name: &str) -> String {
        let mut text = format!("process {name} {{\n");
        for state in 0..self.states {
            let mark = if state == 0 { "init " } else { "" };
            text += &format!("    {mark}state z{state};\n");
        }
        for (source, target, action) in &self.moves {
            text += &format!("    z{source} -> z{target} : {action};\n");
        }
        text + "}\n"
    }

    /// The states after an action.
    fn after(&self, state: usize, action: &Value, known: &Actions) -> BTreeSet<usize> {
        let fitting = self
            .moves
            .iter()
            .filter(|(source, _, does)| *source == state && known.of(does) == action);
        fitting.map(|(_, target, _)| *target).collect()
    }
}

/// What texts of actions mean where only the first model is known: new ones are some other actions.
#[derive(Default)]
struct Actions {
    by_text: BTreeMap<String, Value>,
    /// What the filled net calls the new ones.
    new: BTreeMap<Value, Value>,
}

impl Actions {
    fn learn(&mut self, text: &str) {
        if self.by_text.contains_key(text) {
            return;
        }
        let concrete = value(text);
        let seen = if text.starts_with("zz_") {
            let other = Value::Other(self.new.len() as u32 + 1);
            self.new.insert(concrete, other.clone());
            other
        } else {
            concrete
        };
        self.by_text.insert(text.to_owned(), seen);
    }

    fn of(&self, text: &str) -> &Value {
        &self.by_text[text]
    }

    /// An action of the filled net as the open one sees it.
    fn seen(&self, action: &Value) -> Value {
        match action {
            Value::Sync(inner) => self.seen(inner).sync(),
            Value::Co(inner) => self.seen(inner).co(),
            _ => self.new.get(action).unwrap_or(action).clone(),
        }
    }
}

/// The value that a text of a simple action is.
fn value(text: &str) -> Value {
    if text == "tau" {
        return Value::Tau;
    }
    let name = |text: &str| -> &'static str { text.to_owned().leak() };
    let Some((head, rest)) = text.split_once('(') else { return Value::act(name(text)) };
    let arguments = rest.trim_end_matches(')').split(", ").map(|argument| match argument {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        number => Value::Int(number.parse().unwrap()),
    });
    Value::Act(name(head), arguments.collect())
}

// ---- the comparison ----

/// The texts of vectors and transitions that an automaton was made of, and the states of leaves it reaches.
fn live(net: &PNet, automaton: &OpenAutomaton) -> BTreeSet<(&'static str, u32, u32)> {
    let mut found = BTreeSet::new();
    let mut put = |kind, span: Span| found.insert((kind, span.start, span.end));
    for transition in &automaton.transitions {
        for &place in &transition.used.vectors {
            let vector = net.vector(place);
            put("vector", net.origins.get(vector.origin).span);
        }
        for &place in &transition.used.transitions {
            let one = net.transition(place);
            put("transition", net.origins.get(one.origin).span);
        }
    }
    for state in &automaton.states {
        for (leaf, at) in automaton.leaves.iter().zip(&state.leaves) {
            put("state", leaf.states[*at].text);
        }
    }
    found
}

#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    nets: usize,
    configs: usize,
    steps: usize,
    /// Steps in which somebody did an action that the open net does not know.
    new: usize,
    skipped: usize,
}

fn build(text: &str, target: Option<&str>) -> Result<Arc<PNet>, String> {
    let checked = check_text(text);
    let error = checked.diagnostics.iter().find(|one| one.severity == Severity::Error);
    if let Some(error) = error {
        return Err(crate::common::models::in_short(&checked, error));
    }
    checked
        .build(target, &elaborate::ElaborateOptions::default())
        .map_err(|failure| format!("{failure:?}"))
}

/// An open net, and the same with some of its holes filled.
struct Pair {
    text: String,
    open: Arc<PNet>,
    filled: Arc<PNet>,
    /// What fills a hole, by the path of the hole.
    fillers: BTreeMap<String, Filler>,
    known: Actions,
}

fn fill(random: &mut Random, text: &str, target: Option<&str>) -> Result<Option<Pair>, String> {
    let open = build(text, target)?;
    let mut known = Actions::default();
    let mut fillers = BTreeMap::new();
    let mut more = format!("{text}\n{NEW}");
    let mut arguments = Vec::new();
    for hole in &open.holes {
        if hole.sort == HoleSort::Any && !hole.path.contains(['.', '[']) {
            let filler = Filler::new(random, text, &open);
            let name = format!("Fills{}", hole.path);
            more += &filler.text(&name);
            filler.moves.iter().for_each(|(_, _, action)| known.learn(action));
            arguments.push(format!("{}: {name}", hole.path));
            fillers.insert(hole.path.clone(), filler);
        }
    }
    if fillers.is_empty() {
        return Ok(None);
    }
    more += &format!("net Filled = {}({});\n", open.name, arguments.join(", "));
    let filled = build(&more, Some("Filled"))?;
    Ok(Some(Pair { text: more, open, filled, fillers, known }))
}

fn paths(net: &PNet) -> Vec<String> {
    net.leaves().into_iter().map(|(path, _)| path).collect()
}

impl Pair {
    /// The worlds of the two nets: what is left open does the same in both.
    fn worlds(&self) -> (World, World) {
        let mut open = World::of(&self.open);
        for (at, hole) in self.open.holes.iter().enumerate() {
            if let Some(filler) = self.fillers.get(&hole.path) {
                let does = filler.moves.iter().map(|(_, _, action)| self.known.of(action).clone());
                open.holes[at] = does.collect::<BTreeSet<_>>().into_iter().collect();
            }
        }
        let mut filled = World { constants: open.constants.clone(), ..World::default() };
        for hole in &self.filled.holes {
            let at = self.hole(&hole.path);
            filled.holes.push(open.holes[at].clone());
        }
        (open, filled)
    }

    /// The place of a hole in the open net.
    fn hole(&self, path: &str) -> usize {
        self.open.holes.iter().position(|hole| hole.path == path).unwrap()
    }

    /// A configuration of the filled net, split: that of the open one, and the states of what fills its holes.
    fn split(&self, config: &Config) -> (Config, BTreeMap<String, usize>) {
        let filled = paths(&self.filled);
        let at = |path: &String| filled.iter().position(|other| other == path).unwrap();
        let places: Vec<usize> = paths(&self.open).iter().map(at).collect();
        let open = Config {
            states: places.iter().map(|&place| config.states[place]).collect(),
            values: places.iter().map(|&place| config.values[place].clone()).collect(),
        };
        let leaves = self.filled.leaves();
        let filler = |path: &String| {
            let name = format!("Fills{path}");
            let is_it = |(_, id): &(String, PltsId)| self.filled.plts[*id].name.as_str() == name;
            leaves.iter().position(is_it).unwrap()
        };
        let states = self.fillers.keys().map(|path| (path.clone(), config.states[filler(path)]));
        (open, states.collect())
    }

    /// What the filled net does, as somebody sees it who knows the open one.
    fn seen(&self, steps: &BTreeSet<Step>) -> BTreeSet<(Step, BTreeMap<String, usize>)> {
        let seen = steps.iter().map(|step| {
            let (next, states) = self.split(&step.next);
            let holes = step.holes.iter().map(|(hole, action)| {
                let path = &self.filled.holes[HoleId(*hole)].path;
                (self.hole(path) as u32, action.clone())
            });
            let mut holes: Vec<(u32, Value)> = holes.collect();
            holes.sort();
            (Step { action: self.known.seen(&step.action), holes, next }, states)
        });
        seen.collect()
    }

    /// What the open net does with holes that do what fills them.
    fn expected(
        &self,
        steps: BTreeSet<Step>,
        states: &BTreeMap<String, usize>,
    ) -> BTreeSet<(Step, BTreeMap<String, usize>)> {
        let mut found = BTreeSet::new();
        for mut step in steps {
            let mut all = vec![states.clone()];
            for (hole, action) in &step.holes {
                let path = &self.open.holes[HoleId(*hole)].path;
                let Some(filler) = self.fillers.get(path) else { continue };
                let next = filler.after(states[path], action, &self.known);
                let choices = all.iter().flat_map(|states| {
                    next.iter().map(|&to| {
                        let mut states = states.clone();
                        states.insert(path.clone(), to);
                        states
                    })
                });
                all = choices.collect();
            }
            let filled = |hole: u32| self.fillers.contains_key(&self.open.holes[HoleId(hole)].path);
            step.holes.retain(|(hole, _)| !filled(*hole));
            found.extend(all.into_iter().map(|states| (step.clone(), states)));
        }
        found
    }

    fn compare(&self) -> Result<Compared, String> {
        let open = generate(&self.open, &Options::default(), &Unwatched).automaton;
        let filled = generate(&self.filled, &Options::default(), &Unwatched).automaton;
        // Whatever was said to be dead still is: nothing lives now that did not before.
        let end = self.text.find(NEW).unwrap() as u32;
        let before = live(&self.open, &open);
        for (kind, start, stop) in live(&self.filled, &filled) {
            if start < end && !before.contains(&(kind, start, stop)) {
                let text = &self.text[start as usize..stop as usize];
                return Err(format!("the {kind} `{text}` was dead in the open net"));
            }
        }
        let (open_world, filled_world) = self.worlds();
        let explicit = Explicit::new(&self.filled, &filled_world);
        let of_open = Explicit::new(&self.open, &open_world);
        let leaves: Vec<(String, Vec<String>)> = of_open
            .leaves()
            .iter()
            .enumerate()
            .map(|(leaf, (path, _))| {
                let names = of_open.variables(leaf).iter().map(|(var, _)| {
                    let name = self.open.terms.var(*var).name;
                    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
                });
                (path.clone(), names.collect())
            })
            .collect();
        let concrete = Concrete::new(&open, &open_world, &leaves)?;
        let mut compared = Compared { nets: 1, ..Compared::default() };
        let Ok(reached) = explicit.reachable(LIMIT) else { return Ok(compared) };
        for (config, steps) in &reached.configs {
            let (config, states) = self.split(config);
            let (Some(steps), Ok(theirs)) = (steps, concrete.steps(&config)) else {
                compared.skipped += 1;
                continue;
            };
            if !concrete.has_state(&config) {
                return Err(format!("the open automaton has no state for {config}"));
            }
            let (seen, expected) = (self.seen(steps), self.expected(theirs, &states));
            if let Some((step, _)) = seen.difference(&expected).next() {
                return Err(format!("in {config}: only the filled net does {step}"));
            }
            if let Some((step, _)) = expected.difference(&seen).next() {
                return Err(format!("in {config}: only the open automaton does {step}"));
            }
            compared.configs += 1;
            compared.steps += seen.len();
            let is_new = |(step, _): &&(Step, _)| format!("{}", step.action).contains("other#");
            compared.new += seen.iter().filter(is_new).count();
        }
        Ok(compared)
    }
}

impl Compared {
    fn add(&mut self, other: Compared) {
        self.nets += other.nets;
        self.configs += other.configs;
        self.steps += other.steps;
        self.new += other.new;
        self.skipped += other.skipped;
    }
}

#[test]
fn filled_random_models_do_what_open_ones_do() {
    let count = fuzz().unwrap_or(150);
    let mut total = Compared::default();
    let mut failures = Vec::new();
    for seed in seeds(count) {
        let mut random = Random::new(seed);
        let shape = Shape { depth: 1 + (seed % 2) as usize, ..Shape::open() };
        let text = nets::model(&mut random, shape);
        // Whatever is left out, the holes are filled with the same.
        let compared =
            shrink::tried(&format!("open, PNET_SEED={seed}"), &text, |text| {
                match fill(&mut random.clone(), text, None) {
                    Ok(Some(pair)) => pair.compare(),
                    _ => Ok(Compared::default()),
                }
            });
        match compared {
            Ok(found) => total.add(found),
            Err(why) => failures.push(why),
        }
    }
    println!("{total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(total.skipped * 10 <= total.configs, "{total:?}");
    let enough = total.nets > 50 && total.steps > 500 && total.new > 50;
    assert!(enough || count < 150 || seeds(count).count() == 1, "{total:?}");
}

#[test]
fn filled_models_of_the_project_do_what_open_ones_do() {
    let mut total = Compared::default();
    for file in [
        "examples/enable",
        "examples/ccs_choice",
        "examples/lotos_prefix",
        "stdlib/lotos",
        "stdlib/ccs",
    ] {
        let text = std::fs::read_to_string(format!("{file}.pnet")).unwrap();
        let checked = check_text(text.as_str());
        for (name, _) in checked.targets() {
            let name = name.as_str();
            if build(&text, Some(name)).map_or(true, |net| net.holes.is_empty()) {
                continue;
            }
            for seed in seeds(6) {
                let pair = match fill(&mut Random::new(seed), &text, Some(name)) {
                    Ok(Some(pair)) => pair,
                    Ok(None) => continue,
                    // It has parameters of its own.
                    Err(why) if why.contains("T0116") => continue,
                    Err(why) => panic!("{file}, {name}: {why}"),
                };
                let found = pair.compare();
                total.add(found.unwrap_or_else(|why| {
                    panic!("{file}, {name}, PNET_SEED={seed}: {why}\n{}", pair.text)
                }));
            }
        }
    }
    println!("{total:?}");
    assert!(total.nets > 20 && total.steps > 100 && total.new > 20, "{total:?}");
}

/// What is none of the declared actions can still happen.
#[test]
fn nobody_knows_all_actions() {
    let text = "action a, b(Int);
net Others(P: any) {
    <P: ?x> -> a when x not in { a, b(_) } and x is not tau and x is not sync _ and x is not co _;
}
";
    for seed in seeds(5) {
        let pair = fill(&mut Random::new(seed), text, None).unwrap().unwrap();
        let found = pair.compare().unwrap_or_else(|why| panic!("PNET_SEED={seed}: {why}"));
        assert!(found.steps > 0, "PNET_SEED={seed}: {found:?}");
    }
}
