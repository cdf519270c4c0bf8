//! One automaton, however it is generated: by the three algorithms, by one worker or several; and with less
//! refinement only more of it.
use std::collections::BTreeMap;

use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
use crate::common::sources;
use crate::common::{Random, models};
use pnetc::automaton::OpenAutomaton;
use pnetc::elaborate;
use pnetc::emit::automaton::{rules, text};
use pnetc::generate::{Algorithm, Generated, Options, Refine, Unwatched, generate};
use pnetc::pnet::PNet;

fn with(net: &PNet, change: impl Fn(&mut Options)) -> Generated {
    let mut options = Options::default();
    change(&mut options);
    generate(net, &options, &Unwatched)
}

/// The first line in which two texts differ.
fn difference(one: &str, other: &str) -> String {
    let lines = one.lines().map(Some).chain(std::iter::repeat(None));
    let others = other.lines().map(Some).chain(std::iter::repeat(None));
    let both = lines.zip(others).take_while(|(a, b)| a.is_some() || b.is_some());
    match both.enumerate().find(|(_, (a, b))| a != b) {
        Some((at, (a, b))) => {
            format!("line {}: `{}` and `{}`", at + 1, a.unwrap_or("-"), b.unwrap_or("-"))
        }
        None => "no difference".to_owned(),
    }
}

/// That an automaton has the text of another one.
fn same(name: &str, expected: &str, found: &Generated) -> Result<(), String> {
    let found = text(&found.automaton);
    if found == expected {
        return Ok(());
    }
    Err(format!("{name}: {}", difference(expected, &found)))
}

/// The transitions of an automaton in words, each with how often it is there; and its states.
fn contents(automaton: &OpenAutomaton) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for rule in rules(automaton) {
        *found.entry(format!("{rule:?}")).or_default() += 1;
    }
    for state in (0..automaton.states.len() as u32).map(pnetc::automaton::StateId) {
        *found.entry(automaton.state_name(state)).or_default() += 1;
    }
    found
}

/// That everything of an automaton is in another one.
fn is_part(name: &str, part: &Generated, whole: &Generated) -> Result<(), String> {
    let whole = contents(&whole.automaton);
    for (one, count) in contents(&part.automaton) {
        if whole.get(&one).copied().unwrap_or(0) < count {
            return Err(format!("{name}: only with more refinement there is {one}"));
        }
    }
    Ok(())
}

/// What was compared: automata, their transitions, and how many of these refinement takes away.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    automata: usize,
    transitions: usize,
    refined: usize,
}

impl Compared {
    fn add(&mut self, other: Compared) {
        self.automata += other.automata;
        self.transitions += other.transitions;
        self.refined += other.refined;
    }
}

/// Generates the automaton of a net in all ways.
fn compare(net: &PNet, literal: bool) -> Result<Compared, String> {
    let fast = with(net, |_| ());
    let expected = text(&fast.automaton);
    same("again", &expected, &with(net, |_| ()))?;
    same("two workers", &expected, &with(net, |options| options.jobs = 2))?;
    if literal {
        let smart = with(net, |options| options.algorithm = Algorithm::Smart);
        same("smart", &expected, &smart)?;
        let naive = with(net, |options| options.algorithm = Algorithm::Naive);
        same("naive", &expected, &naive)?;
    }
    let once = with(net, |options| options.refine = Refine::Once);
    let none = with(net, |options| options.refine = Refine::None);
    is_part("full in once", &fast, &once)?;
    is_part("once in none", &once, &none)?;
    if literal {
        let smart = with(net, |options| {
            options.refine = Refine::None;
            options.algorithm = Algorithm::Smart;
        });
        same("smart, not refined", &text(&none.automaton), &smart)?;
    }
    let transitions = fast.automaton.transitions.len();
    let refined = none.automaton.transitions.len() - transitions;
    Ok(Compared { automata: 1, transitions, refined })
}

/// With more leaves than this, every combination takes too long for every day.
const MOST_LEAVES: usize = 3;

fn random_models(name: &str, shape: Shape, literal: bool, count: u64) -> Compared {
    let count = fuzz().unwrap_or(count);
    let mut total = Compared::default();
    let mut failures: Vec<String> = Vec::new();
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), shape);
        let label = format!("same, {name}, PNET_SEED={seed}");
        let compared = shrink::tried(&label, &text, |text| {
            let Ok(net) = nets::accepted(text) else { return Ok(Compared::default()) };
            compare(&net, literal && (fuzz().is_some() || net.plts.len() <= MOST_LEAVES))
        });
        match compared {
            Ok(found) => total.add(found),
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(total.automata, seeds(count).count(), "{name}: not all were compared");
    total
}

#[test]
fn algorithms_agree_on_random_models() {
    let mut total = Compared::default();
    for (name, shape) in [("closed", Shape::closed()), ("open", Shape::open())] {
        // The algorithms of the paper build every combination: flat nets only.
        total.add(random_models(name, Shape { depth: 1, ..shape }, true, 40));
    }
    // There was something to compare, and something for refinement to take away.
    assert!(total.automata < 80 || total.transitions > 10 * total.automata, "{total:?}");
    assert!(total.automata < 80 || total.refined > 20, "{total:?}");
}

#[test]
fn workers_and_refinement_agree_on_deep_models() {
    for (name, shape) in [("deep, closed", Shape::closed()), ("deep, open", Shape::open())] {
        random_models(name, shape, false, 25);
    }
}

/// Nets that the algorithms of the paper need too long for.
const TOO_LARGE: [&str; 3] = ["Rush", "Two", "TwoStrict"];

/// Nets with more leaves are there to be explored: their automata are for nobody.
const MANY_LEAVES: usize = 16;

#[test]
fn algorithms_agree_on_the_models_of_the_project() {
    let mut total = Compared::default();
    for (path, _) in models().into_iter().filter(|(path, _)| path.contains("examples")) {
        let checked = sources::check(&sources::PROJECT, &path);
        for (name, _) in checked.targets() {
            let options = elaborate::ElaborateOptions::default();
            let Ok(net) = checked.build(Some(name.as_str()), &options) else { continue };
            if net.plts.len() > MANY_LEAVES || net.has_optional() {
                continue;
            }
            let found = compare(&net, !TOO_LARGE.contains(&name.as_str()));
            total.add(found.unwrap_or_else(|why| panic!("{path}, {name}: {why}")));
        }
    }
    println!("{total:?}");
    assert!(total.automata > 20, "{total:?}");
}
