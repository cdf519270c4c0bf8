//! Whether an automaton does what its net does.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pnetc::automaton::OpenAutomaton;
use pnetc::base::Id;
use pnetc::pnet::{PNet, PltsStateId};

use super::{Concrete, Config, Explicit, Orders, Step, World};

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Agreement {
    /// Configurations in which both have the same steps.
    pub configs: usize,
    /// Their steps.
    pub steps: usize,
    /// Configurations of which nothing can be said.
    pub skipped: usize,
}

/// Compares an automaton with its net, in the usual world of the net. Says in how many configurations it did.
pub fn agree(net: &PNet, automaton: &OpenAutomaton, limit: usize) -> Result<usize, String> {
    compare(net, automaton, &World::of(net), limit).map(|agreement| agreement.configs)
}

/// Compares an automaton with its net in the first configurations that the net reaches, up to `limit`.
pub fn compare(
    net: &PNet,
    automaton: &OpenAutomaton,
    world: &World,
    limit: usize,
) -> Result<Agreement, String> {
    compare_with(net, &Explicit::new(net, world), automaton, world, limit)
}

/// The same for a net without its priorities: these are given as they were written.
pub fn compare_ordered(
    net: &PNet,
    orders: &Orders,
    automaton: &OpenAutomaton,
    world: &World,
    limit: usize,
) -> Result<Agreement, String> {
    let explicit = Explicit::new(net, world).with(orders);
    compare_with(net, &explicit, automaton, world, limit)
}

fn compare_with(
    net: &PNet,
    explicit: &Explicit<'_>,
    automaton: &OpenAutomaton,
    world: &World,
    limit: usize,
) -> Result<Agreement, String> {
    let leaves: Vec<(String, Vec<String>)> = (0..explicit.leaves().len())
        .map(|leaf| {
            let path = &explicit.leaves()[leaf].0;
            let variables = explicit.variables(leaf).iter().map(|(var, _)| {
                let name = net.terms.var(*var).name;
                if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
            });
            (path.clone(), variables.collect())
        })
        .collect();
    let concrete = Concrete::new(automaton, world, &leaves)?;
    let mut agreement = Agreement::default();
    let Ok(reached) = explicit.reachable(limit) else { return Ok(agreement) };
    let initial: BTreeSet<Config> = explicit.initial().into_iter().flatten().collect();
    let theirs = concrete.initial().map_err(|trouble| format!("initially: {trouble:?}"))?;
    if initial != theirs {
        let text = |all: &BTreeSet<Config>| all.iter().map(Config::to_string).collect::<Vec<_>>();
        return Err(format!(
            "initially the net is in {:?}, the automaton in {:?}",
            text(&initial),
            text(&theirs)
        ));
    }
    for (config, steps) in &reached.configs {
        let Some(steps) = steps else {
            agreement.skipped += 1;
            continue;
        };
        let place = describe(net, explicit, config);
        if !concrete.has_state(config) {
            return Err(format!("{place}: the automaton has no such state"));
        }
        let theirs = concrete.steps(config).map_err(|trouble| {
            format!("{place}: the net is in no trouble, but the automaton is: {trouble:?}")
        })?;
        if *steps != theirs {
            return Err(format!("{place}:\n{}", difference(steps, &theirs)));
        }
        agreement.configs += 1;
        agreement.steps += steps.len();
    }
    Ok(agreement)
}

/// A configuration as people would write it.
fn describe(net: &PNet, explicit: &Explicit<'_>, config: &Config) -> String {
    let mut text = String::from("in");
    for (leaf, (path, id)) in explicit.leaves().iter().enumerate() {
        let state = net.plts[*id].states[PltsStateId::at(config.states[leaf])].name;
        let _ = write!(text, " {}:{state}", if path.is_empty() { "root" } else { path });
        for ((var, _), value) in explicit.variables(leaf).iter().zip(&config.values[leaf]) {
            let _ = write!(text, " {}={value}", net.terms.var(*var).name);
        }
    }
    text
}

fn difference(net: &BTreeSet<Step>, automaton: &BTreeSet<Step>) -> String {
    let mut text = String::new();
    for missing in net.difference(automaton).take(5) {
        let _ = writeln!(text, "  only the net does {missing}");
    }
    for extra in automaton.difference(net).take(5) {
        let _ = writeln!(text, "  only the automaton does {extra}");
    }
    let _ =
        write!(text, "  ({} steps of the net, {} of the automaton)", net.len(), automaton.len());
    text
}
