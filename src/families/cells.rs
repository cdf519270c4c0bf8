//! An instance as a row of cells: all members with one index are a cell, and what has no index stands beside.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::ToPrimitive;

use super::meets::{WrittenMeeting, WrittenSlot};
use super::met::{KnownMeeting, Met, MetMember};
use super::optional::Split;
use super::recognise::Recognised;
use crate::algebra::{Evaluator, MOST_UNFOLDED, Term, TermId};
use crate::diagnostics::Span;
use crate::moving::{Datum, ForgottenVariable, Move, Moving, Space};
use crate::parametric::{
    ComponentMove, ComponentState, ComponentStateId, ComponentType, ComponentTypeId, NameFormula,
    PatternPortId, StateSet, SystemPattern,
};
use crate::pnet::{Content, NodeId, PNet, PartId, PltsId, VectorPlace};
use crate::safety::{Bad, Interaction, Problem};
use crate::sema::program::StateId;

/// Stands between the role of a component and its place among the cells that are taken together.
pub(super) const IN_GROUP: char = '#';

/// A cell: of which size, by its number, and which one, counted from the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct CellAt {
    pub size: usize,
    pub at: usize,
}

/// Where a component stands: its cell, if it is in one, and what it is called there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Spot {
    /// The cell.
    pub cell: Option<CellAt>,
    /// Its path, without the index of the cell.
    pub role: String,
}

/// Something about components: an interaction, or a claim.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item<N> {
    /// The components.
    pub at: Vec<N>,
    /// What it is about them.
    pub what: What,
}

/// What an item is about its components.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum What {
    /// They move together by these ports.
    Move { label: String, ports: Vec<PatternPortId>, may_only: bool },
    /// This is never so, by the number of a formula. Names stand for their places in the item.
    Never { label: String, formula: usize },
    /// They join a slot of a meeting, by its number; of cells that are taken together, as the unit with this number.
    Join { meeting: usize, slot: usize, unit: usize, ports: Vec<PatternPortId> },
}

impl<N> Item<N> {
    /// The same about others; nothing where one of them is nobody.
    pub fn about<M>(&self, mut who: impl FnMut(&N) -> Option<M>) -> Option<Item<M>> {
        let at: Option<Vec<M>> = self.at.iter().map(&mut who).collect();
        Some(Item { at: at?, what: self.what.clone() })
    }
}

/// An instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// How many cells there are of each size.
    pub cells: Vec<usize>,
    /// The index of the first of each.
    pub first: Vec<i64>,
    /// The components, with their types.
    pub parts: BTreeMap<Spot, ComponentTypeId>,
    /// Interactions and claims.
    pub items: BTreeSet<Item<Spot>>,
}

/// Types of components, ports and formulas of all instances.
#[derive(Clone, Debug, Default)]
pub(super) struct Catalogue {
    /// Types, ports and moves; no rules yet.
    pub pattern: SystemPattern,
    /// What each type was made of: its role and the names of its states.
    spaces: Vec<(String, Vec<String>)>,
    /// How many states of each type are at one place.
    at_place: Vec<usize>,
    /// What variables are in the states of each type.
    data: Vec<Vec<BTreeMap<String, Datum>>>,
    /// The ports: of which role with which states, and by which moves.
    ports: BTreeMap<(String, Vec<String>, BTreeSet<Move>), PatternPortId>,
    /// The formulas of claims.
    pub formulas: Vec<NameFormula>,
    /// The meetings.
    pub meetings: Vec<KnownMeeting>,
    /// What was forgotten: variables of components.
    pub forgotten: BTreeSet<ForgottenVariable>,
}

/// Why an instance is no row of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoRow {
    /// A component has too many places.
    States {
        /// The process.
        name: String,
        /// Where it is declared.
        text: Span,
        /// How many it has.
        states: usize,
    },
    /// There are too many ways in which components can move together.
    Ways,
    /// In a text with two indices, some pairs of them are meant, and others are not.
    Pairs(Span),
    /// Those who may take part in this do not each do so by themselves.
    Optional(Span),
}

impl Catalogue {
    /// An instance as a row of cells, without claims.
    pub fn row(&mut self, net: &PNet, known: &Recognised, sizes: usize) -> Result<Row, NoRow> {
        let split = match known.open.is_empty() {
            true => None,
            false => Some(Split::of(net, known)?),
        };
        let (net, required) = match &split {
            Some(split) => (&split.net, split.required.clone()),
            None => (net, BTreeMap::new()),
        };
        let problem = Problem::new(net, Bad::Stuck).map_err(|_| NoRow::Ways)?;
        let mut terms = problem.terms.clone();
        let spots = spots(net, known);
        let mut row = Row::default();
        for size in 0..sizes {
            let all = spots.values().filter_map(|(index, _)| *index);
            let own = all.filter(|(of, _)| *of == size).map(|(_, index)| index);
            let first = own.clone().min().unwrap_or(0);
            let cells = own.max().map_or(0, |last| (last - first + 1).unsigned_abs() as usize);
            row.cells.push(cells);
            row.first.push(first);
        }
        let (mut spaces, mut places) = (Vec::new(), Vec::new());
        for component in &problem.components {
            let plts = &net.plts[component.plts];
            let space = Space::of(net, &mut terms, component).ok_or_else(|| NoRow::States {
                name: plts.name.to_string(),
                text: net.origins.get(plts.origin).span,
                states: plts.states.len(),
            })?;
            let (index, role) = spots.get(&component.plts).cloned().unwrap_or_default();
            let cell = index.map(|(size, index)| CellAt {
                size,
                at: (index - row.first[size]).unsigned_abs() as usize,
            });
            let spot = Spot { cell, role };
            for variable in &space.forgotten {
                let path = format!("{}.{}", spot.role, variable.name);
                self.forgotten.insert(ForgottenVariable { path, ..variable.clone() });
            }
            row.parts.insert(spot.clone(), self.kind(&spot.role, &space));
            places.push(spot);
            spaces.push(space);
        }
        let (ways, mut met) = (ways_to(net), Met::default());
        let evaluator = Evaluator::new(&net.algebra, MOST_UNFOLDED);
        let mut moving =
            Moving { problem: &problem, terms: &mut terms, evaluator, spaces: &spaces };
        for interaction in &problem.interactions {
            let together = moving.together(interaction).ok_or(NoRow::Ways)?;
            let meeting = meeting_of(net, (known, &required), interaction)?;
            let who: Vec<usize> =
                interaction.participants.iter().map(|one| one.component.index()).collect();
            let shown = interaction.vectors.last().map(|place| net.vector(*place).result);
            let label = shown.map_or_else(String::new, |shown| label(net, shown));
            let blocks = together.must.iter().map(|block| (block, false));
            for (block, may_only) in blocks.chain(together.may.iter().map(|block| (block, true))) {
                let ports = who
                    .iter()
                    .zip(block)
                    .map(|(&one, moves)| self.port(&places[one].role, &spaces[one].labels, moves));
                let ports: Vec<PatternPortId> = ports.collect();
                let at = who.iter().map(|&one| places[one].clone());
                let Some(meeting) = &meeting else {
                    let what = What::Move { label: label.clone(), ports, may_only };
                    row.items.insert(Item { at: at.collect(), what }.in_order());
                    continue;
                };
                let members = who.iter().zip(at).zip(ports).map(|((&one, spot), port)| {
                    let leaf = problem.components.as_slice()[one].plts;
                    let (text, slot) = meeting.slot_of(net, ways.get(&leaf)?)?;
                    Some(MetMember { spot, port, text, slot })
                });
                let members: Option<Vec<MetMember>> = members.collect();
                let is_met =
                    |members: Vec<MetMember>| met.add(meeting.text, &label, may_only, &members);
                if !members.is_some_and(is_met) {
                    let text = meeting.text;
                    return Err(match known.open.contains(&text) {
                        true => NoRow::Optional(text),
                        false => NoRow::Pairs(text),
                    });
                }
            }
        }
        row.items.extend(met.joins(self)?);
        Ok(row)
    }

    /// The type of a component.
    fn kind(&mut self, role: &str, space: &Space) -> ComponentTypeId {
        let key = (role.to_owned(), space.labels.clone());
        let states = space.states().map(|id| ComponentState {
            label: space.labels[id.index()].clone(),
            initial: space.initial.contains(&id),
            is_final: space.finals.contains(&id),
        });
        let states: Vec<ComponentState> = states.collect();
        let same = |(id, known): (ComponentTypeId, &ComponentType)| {
            let equal = |(one, other): (&ComponentState, &ComponentState)| {
                one.initial == other.initial && one.is_final == other.is_final
            };
            self.spaces[id.index()] == key && known.states.iter().zip(&states).all(equal)
        };
        if let Some(id) = self.pattern.types.ids().find(|id| same((*id, &self.pattern.types[*id])))
        {
            return id;
        }
        let of_role = self.spaces.iter().filter(|(known, _)| known == role).count();
        let label = if of_role == 0 { role.to_owned() } else { format!("{role}/{}", of_role + 1) };
        let own = self.ports.iter().filter(|((of, states, _), _)| (of, states) == (&key.0, &key.1));
        let moves = own.flat_map(|((_, _, moves), port)| moves_by(*port, moves)).collect();
        self.spaces.push(key);
        self.at_place.push(space.valuations());
        self.data.push(space.data.clone());
        self.pattern.types.push(ComponentType { label, states: states.into(), moves })
    }

    /// The port by which components of a role make some moves.
    fn port(&mut self, role: &str, labels: &[String], moves: &BTreeSet<Move>) -> PatternPortId {
        let key = (role.to_owned(), labels.to_vec(), moves.clone());
        if let Some(port) = self.ports.get(&key) {
            return *port;
        }
        let ways = moves
            .iter()
            .map(|(from, to)| format!("{}-{}", labels[from.index()], labels[to.index()]));
        let ways: Vec<String> = ways.collect();
        let port = self.pattern.ports.push(format!("{role}:{}", ways.join("|")));
        for (id, kind) in self.spaces.iter().enumerate() {
            if (kind.0.as_str(), kind.1.as_slice()) == (role, labels) {
                let id = ComponentTypeId(id as u32);
                self.pattern.types[id].moves.extend(moves_by(port, moves));
            }
        }
        self.ports.insert(key, port);
        port
    }

    /// The moves by a port, with whose they are.
    fn moves_of(&self, port: PatternPortId) -> Option<(&str, &[String], &BTreeSet<Move>)> {
        let mut all = self.ports.iter();
        let ((role, labels, moves), _) = all.find(|(_, known)| **known == port)?;
        Some((role, labels, moves))
    }

    /// Whether two ports have a move in common.
    pub fn overlap(&self, one: PatternPortId, other: PatternPortId) -> bool {
        match (self.moves_of(one), self.moves_of(other)) {
            (Some(one), Some(other)) => {
                (one.0, one.1) == (other.0, other.1) && !one.2.is_disjoint(other.2)
            }
            _ => true,
        }
    }

    /// The port with the moves of all of these; nothing where they are not of one kind of component.
    pub fn merged(&mut self, ports: &BTreeSet<PatternPortId>) -> Option<PatternPortId> {
        let first = *ports.first()?;
        let (role, labels, _) = self.moves_of(first)?;
        let (role, labels) = (role.to_owned(), labels.to_vec());
        let mut all = BTreeSet::new();
        for port in ports {
            let (own, of, moves) = self.moves_of(*port)?;
            if (own, of) != (role.as_str(), labels.as_slice()) {
                return None;
            }
            all.extend(moves.iter().copied());
        }
        Some(self.port(&role, &labels, &all))
    }

    /// The states of components of a role at some places.
    pub fn states(&self, role: &str, places: &[StateId]) -> StateSet {
        let mut states = StateSet::new();
        for (of, kind) in self.pattern.types.enumerated() {
            if self.spaces[of.index()].0 != role {
                continue;
            }
            let each = self.at_place[of.index()];
            let here = |id: &ComponentStateId| {
                places.iter().any(|place| place.index() == id.index() / each)
            };
            kind.states.ids().filter(here).for_each(|id| states.add(of, id));
        }
        states
    }

    /// What variables are in a state.
    pub fn data(&self, of: ComponentTypeId, state: ComponentStateId) -> &BTreeMap<String, Datum> {
        &self.data[of.index()][state.index()]
    }

    /// The types of components of a role.
    pub fn types_of(&self, role: &str) -> impl Iterator<Item = ComponentTypeId> {
        let all = self.pattern.types.ids();
        all.filter(move |of| self.spaces[of.index()].0 == role)
    }

    /// The number of a meeting.
    pub fn meeting(&mut self, meeting: KnownMeeting) -> usize {
        match self.meetings.iter().position(|known| *known == meeting) {
            Some(at) => at,
            None => {
                self.meetings.push(meeting);
                self.meetings.len() - 1
            }
        }
    }

    /// The number of a formula.
    pub fn formula(&mut self, formula: NameFormula) -> usize {
        match self.formulas.iter().position(|known| *known == formula) {
            Some(at) => at,
            None => {
                self.formulas.push(formula);
                self.formulas.len() - 1
            }
        }
    }
}

impl Row {
    /// The same row with so many cells taken together as one; the last may have fewer.
    #[must_use]
    pub fn grouped(&self, period: usize) -> Row {
        if period <= 1 {
            return self.clone();
        }
        let group = |spot: &Spot| match spot.cell {
            None => spot.clone(),
            Some(CellAt { size, at }) => Spot {
                cell: Some(CellAt { size, at: at / period }),
                role: format!("{}{IN_GROUP}{}", spot.role, at % period),
            },
        };
        let parts = self.parts.iter().map(|(spot, of)| (group(spot), *of)).collect();
        let items = self.items.iter().filter_map(|item| {
            let at = item.at.iter().find_map(|spot| spot.cell).map_or(0, |cell| cell.at);
            let mut item = item.about(|spot| Some(group(spot)))?;
            if let What::Join { unit, .. } = &mut item.what {
                *unit = at % period;
            }
            Some(item)
        });
        let items = items.map(Item::in_order).collect();
        let cells = self.cells.iter().map(|cells| cells.div_ceil(period)).collect();
        Row { cells, first: self.first.clone(), parts, items }
    }

    /// The index of a member.
    pub fn index(&self, spot: &Spot) -> Option<i64> {
        let CellAt { size, at } = spot.cell?;
        Some(at as i64 + self.first.get(size)?)
    }
}

impl Item<Spot> {
    /// The same in the order of the components, where the order says nothing.
    #[must_use]
    pub fn in_order(mut self) -> Item<Spot> {
        if let What::Move { ports, .. } = &mut self.what {
            let mut members: Vec<_> = self.at.drain(..).zip(ports.drain(..)).collect();
            members.sort();
            (self.at, *ports) = members.into_iter().unzip();
        }
        self
    }
}

/// The text of a meeting that an interaction belongs to, and the vector that it is.
struct MeetingOf<'k> {
    text: Span,
    place: VectorPlace,
    written: &'k WrittenMeeting,
    /// Where any may take part: how many have to.
    required: Option<usize>,
}

/// The meeting that an interaction belongs to, if there is one; of two, nobody knows what they come to.
fn meeting_of<'k>(
    net: &PNet,
    (known, required): (&'k Recognised, &BTreeMap<VectorPlace, usize>),
    interaction: &Interaction,
) -> Result<Option<MeetingOf<'k>>, NoRow> {
    let mut found = None;
    for &place in &interaction.vectors {
        let text = net.origins.get(net.vector(place).origin).span;
        if let Some(written) = known.meetings.get(&text) {
            if found.is_some() {
                return Err(NoRow::Pairs(text));
            }
            let required = required.get(&place).copied();
            found = Some(MeetingOf { text, place, written, required });
        }
    }
    Ok(found)
}

impl MeetingOf<'_> {
    /// The slot of a leaf, by the way to it, with the text of the member.
    fn slot_of(&self, net: &PNet, way: &[(NodeId, PartId)]) -> Option<(Span, WrittenSlot)> {
        let (node, _) = self.place;
        let (_, part) = way.iter().find(|(known, _)| *known == node)?;
        let members = &net.vector(self.place).members;
        let mut each = members.iter().enumerate();
        let (at, member) = each.find(|(_, member)| member.part == *part)?;
        let text = member.text;
        let slot = *self.written.get(&text)?;
        let Some(required) = self.required else { return Some((text, slot)) };
        if at >= required {
            let alone = members.len() == required + 1;
            return Some((text, if alone { WrittenSlot::Any } else { slot }));
        }
        // Of all that could begin it, one does.
        let alike = members.iter().take(required).filter(|member| member.text == text).count();
        let is_one = slot == WrittenSlot::All && alike == 1;
        Some((text, if is_one { WrittenSlot::Index(usize::MAX) } else { slot }))
    }
}

/// The way to each leaf: nodes, with the part that it is in.
fn ways_to(net: &PNet) -> BTreeMap<PltsId, Vec<(NodeId, PartId)>> {
    let mut found = BTreeMap::new();
    let mut work = vec![(net.root, Vec::new())];
    while let Some((content, way)) = work.pop() {
        match content {
            Content::Leaf(leaf) => _ = found.insert(leaf, way),
            Content::Node(node) => {
                for (id, part) in net.nodes[node].parts.enumerated() {
                    let way: Vec<_> = way.iter().copied().chain([(node, id)]).collect();
                    work.push((part.content, way));
                }
            }
            Content::Hole(_) => {}
        }
    }
    found
}

/// What an action is called, whatever it carries.
fn label(net: &PNet, action: TermId) -> String {
    match net.terms.get(action) {
        Term::Act(id, _) => net.algebra.actions[id.index()].name.to_string(),
        Term::Sync(inner) => format!("sync {}", inner_label(net, *inner)),
        Term::Co(inner) => format!("co {}", inner_label(net, *inner)),
        _ => "tau".to_owned(),
    }
}

fn inner_label(net: &PNet, action: TermId) -> String {
    match net.terms.get(action) {
        Term::Act(id, _) => net.algebra.actions[id.index()].name.to_string(),
        _ => "_".to_owned(),
    }
}

fn moves_by(port: PatternPortId, moves: &BTreeSet<Move>) -> Vec<ComponentMove> {
    moves.iter().map(|&(from, to)| ComponentMove { port, from, to, must: true }).collect()
}

/// The number of the size of a family, and an index in it.
type Index = Option<(usize, i64)>;

/// The index of the cell of each leaf, if it is in one, and its path without it.
pub(super) fn spots(net: &PNet, known: &Recognised) -> BTreeMap<PltsId, (Index, String)> {
    let mut found = BTreeMap::new();
    let mut work = vec![(net.root, None, String::new(), String::new())];
    while let Some((content, index, names, role)) = work.pop() {
        match content {
            Content::Leaf(leaf) => _ = found.insert(leaf, (index, role)),
            Content::Node(node) => {
                for part in &net.nodes[node].parts {
                    let names = crate::pnet::path_inside(&names, part.name.name.as_str());
                    let own = part.name.index.as_ref().and_then(ToPrimitive::to_i64);
                    let size = known.families.get(&names).copied();
                    let name = match own.filter(|_| size.is_none()) {
                        Some(at) => format!("{}[{at}]", part.name.name),
                        None => part.name.name.to_string(),
                    };
                    let index = if size.is_some() { size.zip(own) } else { index };
                    let role = crate::pnet::path_inside(&role, &name);
                    work.push((part.content, index, names, role));
                }
            }
            Content::Hole(_) => {}
        }
    }
    found
}
