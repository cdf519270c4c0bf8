//! Components and their instances: parameters, holes, and what they can show.
//!
//! What is offered is reckoned as the checker does (`src/sema/offers.rs`), because it asks every net to let through
//! whatever its parts certainly offer.

use super::World;
use super::data::Ty;
use super::expr::Scope;
use super::text::{SUM, TERM, Text};

/// An action of the cluster, without its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    Plain(usize),
    Co(usize),
}

impl Head {
    pub fn action(self) -> usize {
        match self {
            Head::Plain(id) | Head::Co(id) => id,
        }
    }
}

#[derive(Clone)]
pub enum Param {
    /// A value, by its name.
    Value(String, Ty),
    Action,
    Set,
}

#[derive(Clone)]
pub enum Origin {
    Head(Head),
    Param(usize),
    Hole(usize),
}

/// A set of actions that a guard asks for.
#[derive(Clone)]
pub enum Set {
    /// With whether all actions of that head are in it.
    Known(Vec<(Head, bool)>),
    Param(usize),
    Unclear,
}

/// Something that is offered, if it is in these sets (or, when true, outside of them).
#[derive(Clone)]
pub struct Source {
    pub origin: Origin,
    pub tests: Vec<(Set, bool)>,
}

impl Source {
    pub fn new(origin: Origin) -> Source {
        Source { origin, tests: Vec::new() }
    }

    /// The action, if it is certain that it is offered.
    pub fn certain(&self) -> Option<Head> {
        let Origin::Head(head) = self.origin else { return None };
        let passes = |(set, negated): &(Set, bool)| {
            let Set::Known(known) = set else { return false };
            let found: Vec<bool> =
                known.iter().filter(|(one, _)| *one == head).map(|k| k.1).collect();
            match (found.is_empty(), negated) {
                (true, negated) => *negated,
                (false, true) => !found.contains(&true),
                (false, false) => true,
            }
        };
        self.tests.iter().all(passes).then_some(head)
    }
}

#[derive(Clone)]
pub struct Hole {
    pub path: Vec<String>,
    /// None for `any`.
    pub interface: Option<usize>,
    /// The number of its members, if it is a family.
    pub family: Option<i64>,
}

pub enum Kind {
    Process {
        vars: Vec<(String, Ty)>,
        states: Vec<String>,
    },
    Alias(Instance),
    /// The parts, and whether each is a family.
    Block(Vec<(String, bool, Instance)>),
}

pub struct Component {
    pub name: String,
    pub params: Vec<Param>,
    pub offer: Vec<Source>,
    /// Whether nobody can tell all that it offers.
    pub unclear: bool,
    /// Its own holes, then those that its parts leave open.
    pub holes: Vec<Hole>,
    pub own_holes: usize,
    pub kind: Kind,
}

impl Component {
    pub fn certain(&self) -> Vec<Head> {
        certain(&self.offer)
    }
}

/// The actions that are certainly offered, each once.
pub fn certain(offer: &[Source]) -> Vec<Head> {
    let mut heads: Vec<Head> = Vec::new();
    for head in offer.iter().filter_map(Source::certain) {
        if !heads.contains(&head) {
            heads.push(head);
        }
    }
    heads
}

#[derive(Clone)]
pub enum Target {
    Component(usize),
    Hole(usize),
}

#[derive(Clone)]
pub struct Instance {
    pub target: Target,
    pub fills: Vec<(Vec<String>, Instance)>,
    pub text: String,
    pub offer: Vec<Source>,
    pub unclear: bool,
    /// Whether one member of a family of holes is passed on.
    pub indexed: bool,
}

/// The net around instances.
#[derive(Default)]
pub struct Around {
    /// Its value parameters.
    pub scope: Scope,
    /// Its parameters that are sets of actions: name, number, and whether they were used.
    pub sets: Vec<(String, usize, bool)>,
    pub holes: Vec<Hole>,
    pub own_holes: usize,
    pub passed: Vec<bool>,
}

impl World<'_> {
    /// An instance of a component. Holes that it leaves open become holes of the net around, behind `name`.
    pub fn instance(
        &mut self,
        id: usize,
        around: &mut Around,
        name: Option<&str>,
        depth: usize,
    ) -> Instance {
        let params = self.components[id].params.clone();
        let mut values: Vec<String> = Vec::new();
        let mut arguments: Vec<Option<Result<Head, Set>>> = Vec::new();
        for param in &params {
            let (text, argument) = self.argument(param, around);
            values.push(text.at(SUM));
            arguments.push(argument);
        }
        let (fill_texts, fills, offers) = self.fills(id, around, name, depth);
        let mut text = self.components[id].name.clone();
        if !values.is_empty() {
            text = format!("{text}<{}>", values.join(", "));
        }
        if !fill_texts.is_empty() {
            text = format!("{text}({})", fill_texts.join(", "));
        }
        let mut unclear = self.components[id].unclear;
        let mut offer: Vec<Source> = Vec::new();
        for source in self.components[id].offer.clone() {
            let tests: Vec<(Set, bool)> = source
                .tests
                .into_iter()
                .map(|(set, negated)| match set {
                    Set::Param(index) => match arguments.get(index) {
                        Some(Some(Err(set))) => (set.clone(), negated),
                        _ => (Set::Unclear, negated),
                    },
                    set => (set, negated),
                })
                .collect();
            match source.origin {
                Origin::Head(_) => offer.push(Source { origin: source.origin, tests }),
                Origin::Param(index) => match arguments.get(index) {
                    Some(Some(Ok(head))) => {
                        offer.push(Source { origin: Origin::Head(*head), tests })
                    }
                    _ => unclear = true,
                },
                Origin::Hole(index) => {
                    for inner in offers[index].iter().cloned() {
                        let all = inner.tests.into_iter().chain(tests.iter().cloned()).collect();
                        offer.push(Source { origin: inner.origin, tests: all });
                    }
                }
            }
        }
        unclear |= fills.iter().any(|(_, fill)| fill.unclear);
        Instance { target: Target::Component(id), fills, text, offer, unclear, indexed: false }
    }

    fn argument(
        &mut self,
        param: &Param,
        around: &mut Around,
    ) -> (Text, Option<Result<Head, Set>>) {
        match param {
            Param::Value(_, ty) => (self.expr(&mut around.scope, ty, 1), None),
            Param::Action => {
                let id = self.random.below(self.actions.len());
                let text = self.action_value(id);
                (Text::new(text, TERM), Some(Ok(Head::Plain(id))))
            }
            Param::Set => {
                if let (Some(set), true) = (around.sets.first_mut(), self.random.one_in(2)) {
                    set.2 = true;
                    return (Text::term(set.0.clone()), Some(Err(Set::Param(set.1))));
                }
                let (text, set) = self.set();
                (Text::term(text), Some(Err(set)))
            }
        }
    }

    /// An action with constant arguments.
    pub fn action_value(&mut self, id: usize) -> String {
        self.actions[id].used = true;
        let sorts = self.actions[id].sorts.clone();
        let args: Vec<String> = sorts.iter().map(|ty| self.value(ty, 1).text).collect();
        self.action_text(id, &args)
    }

    pub fn action_text(&mut self, id: usize, args: &[String]) -> String {
        self.actions[id].used = true;
        let name = &self.actions[id].name;
        if args.is_empty() { name.clone() } else { format!("{name}({})", args.join(", ")) }
    }

    /// An action with `_` for all its arguments.
    pub fn blank_action(&mut self, id: usize) -> String {
        let args = vec!["_".to_owned(); self.actions[id].sorts.len()];
        self.action_text(id, &args)
    }

    /// A set of actions.
    pub fn set(&mut self) -> (String, Set) {
        if let (Some(interface), true) = (self.interfaces.last(), self.random.one_in(3)) {
            let known = interface.actions.iter().map(|&id| (Head::Plain(id), true)).collect();
            return (interface.name.clone(), Set::Known(known));
        }
        let (mut texts, mut known) = (Vec::new(), Vec::new());
        for _ in 0..self.random.below(3) {
            let id = self.random.below(self.actions.len());
            texts.push(self.blank_action(id));
            known.push((Head::Plain(id), true));
        }
        if texts.is_empty() {
            return ("{}".to_owned(), Set::Known(known));
        }
        (format!("{{ {} }}", texts.join(", ")), Set::Known(known))
    }

    // ---- filling holes ----

    /// Fills of the holes of a component: their texts, what they are, and what each hole then shows.
    #[allow(clippy::type_complexity, reason = "three lists that are made together")]
    fn fills(
        &mut self,
        id: usize,
        around: &mut Around,
        name: Option<&str>,
        depth: usize,
    ) -> (Vec<String>, Vec<(Vec<String>, Instance)>, Vec<Vec<Source>>) {
        let holes = self.components[id].holes.clone();
        let (mut texts, mut fills, mut offers) = (Vec::new(), Vec::new(), Vec::new());
        let may_stay_open = self.fill_depth == 0;
        let mut by_position = self.random.one_in(2);
        let mut open: Vec<(usize, Hole)> = Vec::new();
        for (number, hole) in holes.iter().enumerate() {
            let stays_open = may_stay_open && self.random.percent(15);
            let filler = if stays_open { None } else { self.filler(hole, around, depth) };
            let Some(filler) = filler else {
                by_position = false;
                open.push((number, hole.clone()));
                offers.push(Vec::new());
                continue;
            };
            let text = if by_position && hole.family.is_none() {
                filler.text.clone()
            } else {
                by_position = false;
                format!("{}: {}", hole.path.join("."), filler.text)
            };
            texts.push(text);
            offers.push(filler.offer.clone());
            fills.push((hole.path.clone(), filler));
        }
        // The checker numbers the holes that stay open after it has looked at all fills.
        for (number, hole) in open {
            offers[number] = vec![Source::new(Origin::Hole(around.holes.len()))];
            let mut path: Vec<String> = name.map(str::to_owned).into_iter().collect();
            path.extend(hole.path.clone());
            around.holes.push(Hole { path, ..hole });
            around.passed.push(false);
        }
        (texts, fills, offers)
    }

    /// Something that fits a hole.
    fn filler(&mut self, hole: &Hole, around: &mut Around, depth: usize) -> Option<Instance> {
        if let Some(number) = self.own_hole(hole, around)
            && (depth == 0 || self.random.one_in(2))
        {
            around.passed[number] = true;
            let text = around.holes[number].path.join(".");
            let offer = vec![Source::new(Origin::Hole(number))];
            let target = Target::Hole(number);
            return Some(Instance {
                target,
                fills: Vec::new(),
                text,
                offer,
                unclear: false,
                indexed: false,
            });
        }
        let fits = |component: &Component, interfaces: &[super::Interface]| match hole.interface {
            None => true,
            Some(interface) => {
                let allowed = &interfaces[interface].actions;
                let plain = |source: &Source| matches!(source.origin, Origin::Head(_));
                component.offer.iter().all(plain)
                    && component.certain().iter().all(|head| match head {
                        Head::Plain(id) => allowed.contains(id),
                        Head::Co(_) => false,
                    })
            }
        };
        let simple = |component: &Component| {
            let fillable = component.holes.len() < 4
                && component.holes.iter().all(|hole| hole.interface.is_none());
            matches!(component.kind, Kind::Process { .. }) || depth > 0 && fillable
        };
        let fitting: Vec<usize> = (0..self.components.len())
            .filter(|&id| {
                simple(&self.components[id]) && fits(&self.components[id], &self.interfaces)
            })
            .collect();
        let id = *self.random.pick_some(&fitting)?;
        let behind = hole.path[0].clone();
        self.fill_depth += 1;
        let instance = self.instance(id, around, Some(&behind), depth.saturating_sub(1));
        self.fill_depth -= 1;
        Some(instance)
    }

    /// A hole of the net around that can be passed on to this one.
    fn own_hole(&mut self, hole: &Hole, around: &Around) -> Option<usize> {
        let fits = |number: &usize| {
            let own = &around.holes[*number];
            !around.passed[*number]
                && own.family.is_none()
                && hole.family.is_none()
                && (hole.interface.is_none() || hole.interface == own.interface)
        };
        let fitting: Vec<usize> = (0..around.own_holes).filter(fits).collect();
        self.random.pick_some(&fitting).copied()
    }

    // ---- leaves ----

    /// The leaves of an instance: the way to each, and its process. Nothing if they cannot be told.
    pub fn leaves(&self, instance: &Instance) -> Option<Vec<(Vec<String>, usize)>> {
        let mut found = Vec::new();
        let clear = self.collect(instance, None, &mut Vec::new(), &mut found);
        clear.then_some(found)
    }

    fn collect(
        &self,
        instance: &Instance,
        around: Option<&Nest<'_>>,
        path: &mut Vec<String>,
        found: &mut Vec<(Vec<String>, usize)>,
    ) -> bool {
        let id = match instance.target {
            Target::Component(id) => id,
            Target::Hole(number) => {
                return around.is_none_or(|around| self.fill_of(around, number, path, found));
            }
        };
        let component = &self.components[id];
        let inside = Nest { instance, outer: around };
        match &component.kind {
            Kind::Process { .. } => {
                found.push((path.clone(), id));
                true
            }
            Kind::Alias(alias) => self.collect(alias, Some(&inside), path, found),
            Kind::Block(subs) => {
                let mut clear = true;
                for (number, hole) in component.holes[..component.own_holes].iter().enumerate() {
                    clear &= hole.family.is_none();
                    path.push(hole.path[0].clone());
                    clear &= self.fill_of(&inside, number, path, found);
                    path.pop();
                }
                for (name, family, sub) in subs {
                    path.push(name.clone());
                    clear &= !family && self.collect(sub, Some(&inside), path, found);
                    path.pop();
                }
                clear
            }
        }
    }

    fn fill_of(
        &self,
        around: &Nest<'_>,
        number: usize,
        path: &mut Vec<String>,
        found: &mut Vec<(Vec<String>, usize)>,
    ) -> bool {
        let Target::Component(id) = around.instance.target else { return true };
        let Some(hole) = self.components[id].holes.get(number) else { return true };
        let mut clear = around.instance.fills.iter().all(|(path, _)| path.len() == 1);
        for (_, fill) in around.instance.fills.iter().filter(|(path, _)| *path == hole.path) {
            clear &= self.collect(fill, around.outer, path, found);
        }
        clear
    }
}

/// An instance inside others.
struct Nest<'i> {
    instance: &'i Instance,
    outer: Option<&'i Nest<'i>>,
}
