//! Claims that hold because there is nothing to claim anything about.

use crate::automaton::OpenAutomaton;
use crate::outcome::Vacuity;
use crate::pnet::HoleId;

/// Why a comparison of two nets says less than it seems to, if it does.
pub(super) fn comparison(sides: [(&str, &OpenAutomaton); 2]) -> Vec<Vacuity> {
    let idle: Vec<&str> = sides
        .iter()
        .filter(|(_, automaton)| automaton.transitions.is_empty())
        .map(|(name, _)| *name)
        .collect();
    match idle.as_slice() {
        [] => sides.iter().flat_map(|(name, automaton)| still(name, automaton)).collect(),
        [one] => vec![Vacuity::NoTransitions { net: (*one).to_owned() }],
        _ => vec![Vacuity::NoTransitionsAtAll],
    }
}

/// Holes that never move.
fn still(name: &str, automaton: &OpenAutomaton) -> Vec<Vacuity> {
    let moves = |hole: HoleId| {
        let of = |(moved, _): &(HoleId, _)| *moved == hole;
        automaton.transitions.iter().any(|transition| transition.holes.iter().any(of))
    };
    let holes = automaton.holes.enumerated().filter(|(at, _)| !moves(*at));
    holes
        .map(|(_, hole)| Vacuity::StillHole { hole: hole.path.clone(), net: name.to_owned() })
        .collect()
}

/// Why a claim about all that one net can reach says less than it seems to, if it does.
pub(super) fn alone(name: &str, automaton: &OpenAutomaton) -> Vec<Vacuity> {
    match automaton.transitions.is_empty() {
        true => vec![Vacuity::NoTransitions { net: name.to_owned() }],
        false => Vec::new(),
    }
}
