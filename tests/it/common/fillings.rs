//! Instances with filled holes, made of what a model declares.

use pnetc::elaborate::{ElaborateOptions, Target};
use pnetc::model::Checked;
use pnetc::pnet::PNet;

use super::Random;

/// What a model declares that can stand in a hole.
pub struct Component {
    pub name: String,
    /// Whether it takes a number.
    pub indexed: bool,
    /// The paths of its holes, families once, and whether they are families.
    pub holes: Vec<(String, bool)>,
}

/// Everything that a model declares and that can be elaborated.
pub fn components(checked: &Checked) -> Vec<Component> {
    let mut found = Vec::new();
    for (name, target) in checked.targets() {
        let parameters = match target {
            Target::Process(id) => checked.program.processes[id.index()].parameters,
            Target::Net(id) => checked.program.nets[id.index()].parameters,
        };
        let Ok(net) = checked.build(Some(name.as_str()), &ElaborateOptions::default()) else {
            continue;
        };
        if parameters < 2 {
            let (name, indexed) = (name.to_string(), parameters == 1);
            found.push(Component { name, indexed, holes: holes(&net) });
        }
    }
    found
}

fn holes(net: &PNet) -> Vec<(String, bool)> {
    let mut all: Vec<(String, bool)> = Vec::new();
    for hole in &net.holes {
        let path: String =
            hole.path.split('[').enumerate().fold(String::new(), |path, (at, part)| {
                let rest =
                    if at == 0 { part } else { part.split_once(']').map_or("", |both| both.1) };
                path + rest
            });
        let is_family = hole.path.ends_with(']');
        if !all.iter().any(|(known, _)| *known == path) {
            all.push((path, is_family));
        }
    }
    all
}

/// A random instance of a component with some of its holes filled.
pub fn instance(
    random: &mut Random,
    of: &Component,
    all: &[Component],
    share: usize,
    depth: usize,
) -> String {
    named(random, of, all, share, depth, "1")
}

fn named(
    random: &mut Random,
    of: &Component,
    all: &[Component],
    share: usize,
    depth: usize,
    index: &str,
) -> String {
    let head = if of.indexed { format!("{}<{index}>", of.name) } else { of.name.clone() };
    let mut fills = Vec::new();
    for (path, is_family) in &of.holes {
        // What is behind another name is filled from outside more rarely.
        let share = if path.contains('.') { share / 2 } else { share };
        if all.is_empty() || depth == 0 || !random.percent(share) {
            continue;
        }
        let with = random.pick(all);
        let (target, index) = match (is_family, random.below(3)) {
            (true, 0) => (format!("{path}[i]"), "i"),
            (true, 1) => (format!("{path}[1]"), "2"),
            _ => (path.clone(), "1"),
        };
        fills.push(format!("{target}: {}", named(random, with, all, share, depth - 1, index)));
    }
    if fills.is_empty() { head } else { format!("{head}({})", fills.join(", ")) }
}
