//! What ports carry: an argument for each variable that somebody reads, and one for each that somebody writes.
//!
//! A definition of a connector says what its ports carry, once for all its uses. So all ports that stand at one port of a connector
//! type carry the same, and so do a port that is exported and what it is inside.

use rustc_hash::FxHashMap;

use super::super::model::{BipModel, End, Kind};
use super::super::term::{Ref, Term};
use super::clause::{Moves, moves};
use super::plan::FaceUse;

/// Something that carries data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Carrier {
    /// A port of a component.
    Face(Kind, usize),
    /// A port of a connector type.
    Port(usize, usize),
    /// The port that a connector type exports.
    Shown(usize),
}

#[derive(Debug, Default)]
pub(super) struct Carried {
    /// Carriers with the same number carry the same.
    class: FxHashMap<Carrier, usize>,
    uses: Vec<FaceUse>,
    /// For each connector type: what each of its interactions does; nothing where that cannot be said without the parts.
    moves: Vec<Option<Vec<Moves>>>,
}

impl Carried {
    /// What everything carries. `faces` is what is done with the ports of components.
    pub fn new(model: &BipModel, faces: &FxHashMap<(Kind, usize), FaceUse>) -> Carried {
        let all = model.connectors.iter();
        let moves =
            all.map(|of| of.interactions.iter().map(|ports| moves(of, ports)).collect()).collect();
        let mut carried = Carried { moves, ..Carried::classes(model) };
        for ((kind, face), used) in faces {
            let class = carried.class_of(Carrier::Face(*kind, *face));
            carried.uses[class].add(used);
        }
        loop {
            let before = carried.uses.clone();
            for which in 0..model.connectors.len() {
                carried.connector(model, which);
            }
            if before == carried.uses {
                return carried;
            }
        }
    }

    fn classes(model: &BipModel) -> Carried {
        let mut joined = Joined::default();
        for (which, compound) in model.compounds.iter().enumerate() {
            let carrier = |end: &End| match end {
                End::Component(at, face) => Carrier::Face(compound.components[*at].kind, *face),
                End::Connector(at) => Carrier::Shown(compound.connectors[*at].kind),
            };
            for connector in &compound.connectors {
                for (port, end) in connector.ends.iter().enumerate() {
                    joined.join(Carrier::Port(connector.kind, port), carrier(end));
                }
            }
            for (face, ends) in compound.exports.iter().enumerate() {
                for end in ends {
                    joined.join(Carrier::Face(Kind::Compound(which), face), carrier(end));
                }
            }
        }
        let mut carried = Carried::default();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for (carrier, at) in joined.numbers.clone() {
            let next = numbers.len();
            let class = *numbers.entry(joined.root(at)).or_insert(next);
            carried.class.insert(carrier, class);
        }
        carried.uses = vec![FaceUse::default(); numbers.len()];
        carried
    }

    fn class_of(&mut self, carrier: Carrier) -> usize {
        let next = self.uses.len();
        let class = *self.class.entry(carrier).or_insert(next);
        if class == next {
            self.uses.push(FaceUse::default());
        }
        class
    }

    /// What is done with what this carries; nothing for what nobody uses.
    pub fn used(&self, carrier: Carrier) -> Option<&FaceUse> {
        self.class.get(&carrier).map(|class| &self.uses[*class])
    }

    /// Whether somebody writes a variable of the port that a connector type exports.
    pub fn is_written(&self, connector: usize, at: usize) -> bool {
        self.used(Carrier::Shown(connector)).is_some_and(|used| used.is_in(at))
    }

    /// What the interactions of a connector type do, in their order.
    pub fn moves(&self, connector: usize) -> Option<&[Moves]> {
        self.moves.get(connector)?.as_deref()
    }

    fn connector(&mut self, model: &BipModel, which: usize) {
        let of = &model.connectors[which];
        let shown = self.class_of(Carrier::Shown(which));
        let classes: Vec<usize> =
            (0..of.ports.len()).map(|port| self.class_of(Carrier::Port(which, port))).collect();
        let Some(all) = self.moves.get_mut(which).and_then(Option::take) else { return };
        for (ports, moves) in of.interactions.iter().zip(&all) {
            let mut read: Vec<&Term> = vec![&moves.guard];
            let above = self.uses[shown].clone();
            let up = moves.up.iter().enumerate();
            read.extend(up.filter(|(at, _)| above.is_out(*at)).map(|(_, term)| term));
            let down = moves.down(&|at| above.is_in(at));
            read.extend(down.iter().map(|(_, term)| term));
            for port in ports {
                let many = model.port_types[of.ports[*port].1].parameters.len();
                for at in 0..many {
                    let is_written = down.iter().any(|(to, _)| *to == (*port, at));
                    self.uses[classes[*port]].left(at, is_written);
                }
            }
            for term in read {
                term.refs(&mut |one| {
                    if let Ref::Port(port, at) = one {
                        self.uses[classes[port]].read.insert(at);
                    }
                });
            }
        }
        for (class, (_, kind)) in classes.iter().zip(&of.ports).filter(|_| of.is_large) {
            self.uses[*class].keep(model.port_types[*kind].parameters.len());
        }
        self.moves[which] = Some(all);
    }
}

/// Carriers that carry the same, as far as that is known.
#[derive(Default)]
struct Joined {
    numbers: FxHashMap<Carrier, usize>,
    above: Vec<usize>,
}

impl Joined {
    fn number(&mut self, carrier: Carrier) -> usize {
        let next = self.above.len();
        let number = *self.numbers.entry(carrier).or_insert(next);
        if number == next {
            self.above.push(next);
        }
        number
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.above[at] != at {
            self.above[at] = self.above[self.above[at]];
            at = self.above[at];
        }
        at
    }

    fn join(&mut self, a: Carrier, b: Carrier) {
        let (a, b) = (self.number(a), self.number(b));
        let (a, b) = (self.root(a), self.root(b));
        self.above[a] = b;
    }
}
