//! Connector types as definitions of connectors.

use super::super::super::name::{Names, quoted};
use super::super::super::write::Page;
use super::super::model::GlueDef;
use super::super::term::{Ref, Term};
use super::Writer;
use super::carried::Carrier;
use super::clause::Moves;
use super::plan::FaceUse;

/// What a variable of a port is called: where it is read, and where it is written.
#[derive(Clone, Default)]
struct Datum {
    read: String,
    written: String,
    /// How both are declared.
    text: Vec<String>,
}

/// The names of the data of a connector type.
struct Data {
    ports: Vec<(String, Vec<Datum>)>,
    shown: (String, Vec<Datum>),
}

impl Data {
    fn read(&self, one: Ref) -> String {
        let (name, all, at) = match one {
            Ref::Port(port, at) => (&self.ports[port].0, &self.ports[port].1, at),
            Ref::In(at) => {
                let (name, all) = &self.shown;
                return all
                    .get(at)
                    .map_or(String::new(), |datum| format!("{name}.{}", datum.written));
            }
            _ => return String::new(),
        };
        all.get(at).map_or(String::new(), |datum| format!("{name}.{}", datum.read))
    }

    /// Some ports, one after the other.
    fn names(&self, ports: &[usize]) -> String {
        let names: Vec<&str> = ports.iter().map(|port| self.ports[*port].0.as_str()).collect();
        names.join(" ")
    }

    fn written(&self, (port, at): (usize, usize)) -> String {
        let (name, all) = &self.ports[port];
        all.get(at).map_or(String::new(), |datum| format!("{name}.{}", datum.written))
    }
}

/// What is done in an interaction, as it is written.
#[derive(PartialEq)]
struct Clauses {
    guard: Term,
    up: Vec<(usize, Term)>,
    down: Vec<((usize, usize), Term)>,
}

impl Clauses {
    /// Those of an interaction that is left out.
    fn never() -> Clauses {
        Clauses { guard: Term::Bool(false), up: Vec::new(), down: Vec::new() }
    }

    fn is_idle(&self) -> bool {
        self.guard == Term::Bool(true) && self.up.is_empty() && self.down.is_empty()
    }
}

impl Writer<'_> {
    /// Whether a connector type can be written as a definition.
    pub fn is_defined(&self, which: usize) -> bool {
        let all = self.plan.carried.moves(which);
        all.is_some_and(|all| all.iter().any(|one| !one.is_never()))
    }

    pub fn definition(&mut self, which: usize, page: &mut Page) {
        let (model, plan) = (self.model, self.plan);
        let Some(all) = plan.carried.moves(which).filter(|_| self.is_defined(which)) else {
            return;
        };
        let of = &model.connectors[which];
        let data = self.data(which);
        let ports: Vec<String> = data
            .ports
            .iter()
            .map(|(name, data)| format!("{name}: port{}", carries(data)))
            .collect();
        let name = quoted(&plan.definitions[which]);
        let shows = match of.export {
            Some(_) => format!(" shows {}{}", data.shown.0, carries(&data.shown.1)),
            None => String::new(),
        };
        page.line(&format!("connector {name}({}){shows} {{", ports.join(", ")));
        let (mut happens, mut each, mut never) = (Vec::new(), Vec::new(), Vec::new());
        for (ports, moves) in of.interactions.iter().zip(all) {
            match moves.is_never() {
                true => never.push(ports),
                false => {
                    happens.push(ports);
                    each.push(self.clauses(which, moves));
                }
            }
        }
        let joins: Vec<String> = of.glue.iter().map(|part| joint(part, &data)).collect();
        let joins = joins.join(" ");
        // Of many interactions, those without a clause do nothing with data.
        match general(&happens, &each).filter(|one| !of.is_large || one.is_idle()) {
            Some(general) => {
                let text = self.clauses_text(&general, &data);
                page.line(&format!("{joins}{text};"));
            }
            None => {
                page.line(&format!("{joins};"));
                let own = happens.iter().zip(&each).filter(|(_, one)| !one.is_idle());
                for (ports, clauses) in own {
                    let text = self.clauses_text(clauses, &data);
                    page.line(&format!("on {}{text};", data.names(ports)));
                }
            }
        }
        for ports in never {
            let text = self.clauses_text(&Clauses::never(), &data);
            page.line(&format!("on {}{text};", data.names(ports)));
        }
        page.line("}");
    }

    /// The name of the port that a connector type shows.
    pub fn shown_port(&self, which: usize) -> String {
        self.data(which).shown.0
    }

    /// What the variables of the port that a connector type shows are called there.
    pub fn shown_values(&self, which: usize) -> Vec<String> {
        let (name, all) = self.data(which).shown;
        all.into_iter().map(|datum| format!("{name}.{}", datum.read)).collect()
    }

    fn data(&self, which: usize) -> Data {
        let of = &self.model.connectors[which];
        let mut names = Names::default();
        let port = |port: usize, kind: usize, names: &mut Names| {
            let used = self.plan.carried.used(Carrier::Port(which, port));
            let name = quoted(&names.fresh(of.ports[port].0.text()));
            (name, self.datums(kind, used))
        };
        let ports = of.ports.iter().enumerate();
        let ports = ports.map(|(at, (_, kind))| port(at, *kind, &mut names)).collect();
        let shown = of.export.as_ref().map_or_else(Default::default, |(name, kind, _)| {
            let used = self.plan.carried.used(Carrier::Shown(which));
            (quoted(&names.fresh(name.text())), self.datums(*kind, used))
        });
        Data { ports, shown }
    }

    fn datums(&self, kind: usize, used: Option<&FaceUse>) -> Vec<Datum> {
        let variables = &self.model.port_types[kind].parameters;
        let mut names = Names::default();
        variables.iter().for_each(|one| names.take(one.name.text()));
        let datum = |(at, one): (usize, &super::super::model::Variable)| {
            let (name, sort) = (quoted(one.name.text()), self.sort(one.kind));
            let (is_out, is_in) =
                (used.is_some_and(|used| used.is_out(at)), used.is_some_and(|used| used.is_in(at)));
            let mut datum = Datum { read: name.clone(), written: name.clone(), text: Vec::new() };
            if is_out || is_in {
                datum.text.push(format!("{name}: {sort}"));
            }
            if is_out && is_in {
                datum.written = quoted(&names.fresh(&format!("new_{}", one.name.text())));
                datum.text.push(format!("in {}: {sort}", datum.written));
            }
            datum
        };
        variables.iter().enumerate().map(datum).collect()
    }

    fn clauses(&self, which: usize, moves: &Moves) -> Clauses {
        let carried = &self.plan.carried;
        let used = carried.used(Carrier::Shown(which));
        let up = moves.up.iter().cloned().enumerate();
        let up = up.filter(|(at, _)| used.is_some_and(|used| used.is_out(*at))).collect();
        // What the shown port has a name for is called by it.
        let named = moves.down(&|at| used.is_some_and(|used| used.is_out(at) || used.is_in(at)));
        let down = moves.down(&|at| carried.is_written(which, at)).into_iter();
        let down = down.map(|(to, term)| {
            let name = named.iter().find(|(other, _)| *other == to);
            (to, name.map_or(term, |(_, term)| term.clone()))
        });
        Clauses { guard: moves.guard.clone(), up, down: down.collect() }
    }

    fn clauses_text(&mut self, clauses: &Clauses, data: &Data) -> String {
        let mut text = String::new();
        if clauses.guard != Term::Bool(true) {
            text.push_str(&format!(" when {}", self.shown(&clauses.guard, &|one| data.read(one))));
        }
        let (name, shown) = &data.shown;
        let up = clauses.up.iter().map(|(at, term)| (format!("{name}.{}", shown[*at].read), term));
        let down = clauses.down.iter().map(|(to, term)| (data.written(*to), term));
        for (word, moved) in [("up", up.collect::<Vec<_>>()), ("down", down.collect())] {
            let moved = moved.into_iter();
            let moved = moved
                .map(|(to, term)| format!("{to} := {}", self.shown(term, &|one| data.read(one))));
            let moved: Vec<String> = moved.collect();
            if !moved.is_empty() {
                text.push_str(&format!(" {word} {}", moved.join(", ")));
            }
        }
        text
    }
}

/// What a port carries, as it is declared.
fn carries(data: &[Datum]) -> String {
    let all: Vec<&str> = data.iter().flat_map(|datum| &datum.text).map(String::as_str).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("({})", all.join(", ")),
    }
}

fn joint(glue: &GlueDef, data: &Data) -> String {
    let (text, trigger) = match glue {
        GlueDef::Port(at, trigger) => (data.ports[*at].0.clone(), *trigger),
        GlueDef::Group(parts, trigger) => {
            let parts: Vec<String> = parts.iter().map(|part| joint(part, data)).collect();
            (format!("[{}]", parts.join(" ")), *trigger)
        }
    };
    if trigger { format!("{text}'") } else { text }
}

/// The clauses that hold for all interactions, if they do the same: transfers to ports that do not take part are left out.
fn general(interactions: &[&Vec<usize>], each: &[Clauses]) -> Option<Clauses> {
    let first = each.first()?;
    let mut down: Vec<((usize, usize), Term)> = Vec::new();
    for clauses in each {
        if (&clauses.guard, &clauses.up) != (&first.guard, &first.up) {
            return None;
        }
        let new = clauses.down.iter().filter(|(to, _)| !down.iter().any(|(known, _)| known == to));
        let new: Vec<((usize, usize), Term)> = new.cloned().collect();
        down.extend(new);
    }
    down.sort_by_key(|(to, _)| *to);
    for (ports, clauses) in interactions.iter().zip(each) {
        let own: Vec<&((usize, usize), Term)> =
            down.iter().filter(|((port, _), _)| ports.contains(port)).collect();
        if own != clauses.down.iter().collect::<Vec<_>>() {
            return None;
        }
    }
    Some(Clauses { guard: first.guard.clone(), up: first.up.clone(), down })
}
