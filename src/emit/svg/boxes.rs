//! Lays out boxes in boxes: each box is as large as what is in it, and parts stand in rows that make the whole
//! fit a screen.

use thiserror::Error;

use crate::emit::label;
use crate::pnet::{Composite, Content, HoleId, PNet, PartId, Plts};

use super::automaton::{Automaton, automaton};
use super::circle::{self, Wiring};
use super::links::{self, Link};
use super::measure::{mono, sans};
use super::parts::{self, Slot};
use super::table::{Table, table};
use super::text::{LINE, Line, SMALL, width};

/// The room between a box and what is in it.
pub(super) const PAD: f64 = 14.0;
/// The height of a title.
pub(super) const TITLE: f64 = 28.0;
/// The size of its letters.
pub(super) const TITLE_SIZE: f64 = 13.0;
/// The room between two parts.
const GAP: f64 = 16.0;
/// How much wider than high a good picture is.
const SHAPE: f64 = 1.5;
/// So many actions of a hole's sort and so many variables of a leaf are shown.
const MOST_LINES: usize = 6;
/// A table of transitions is cut into at most so many pieces, of at least so many rows.
const MOST_PIECES: usize = 5;
const FEWEST_ROWS: usize = 10;

/// A box with its place in the box around it.
#[derive(Debug)]
pub(in crate::emit) struct Block {
    /// The names from the root to here.
    pub(super) path: String,
    /// Its own name.
    pub(super) name: String,
    /// What stands there.
    pub(super) component: Option<String>,
    /// From the left border of the box around it.
    pub(super) x: f64,
    /// From its upper border.
    pub(super) y: f64,
    /// How wide it is.
    pub(super) width: f64,
    /// How high it is.
    pub(super) height: f64,
    /// What is in it.
    pub(super) inside: Inside,
}

/// What is in a box.
#[derive(Debug)]
pub(super) enum Inside {
    /// A leaf: its variables, and its automaton or what is said in its place.
    Leaf { variables: Vec<Line>, drawing: Result<Automaton, TooLarge> },
    /// A node: its parts, its vectors with their place, who talks to whom, and its priorities.
    Node { parts: Vec<Block>, table: Option<(f64, f64, Table)>, wiring: Wiring, notes: Vec<Line> },
    /// A node that is not drawn, and what is said in its place.
    Closed(String),
    /// A component of which only the name is shown.
    Named,
    /// An open automaton: what there is to say about it, its drawing or what is said in its place, with the
    /// width in the middle of which it stands, and its transitions with their places.
    Open {
        facts: Vec<Line>,
        drawing: Result<Automaton, TooLarge>,
        room: f64,
        tables: Vec<(f64, f64, Table)>,
    },
    /// A hole: the radius of its circle, and what may fill it.
    Hole { radius: f64, sort: Vec<Line> },
    /// So many parts that are left out.
    Gap,
}

/// Why there is no drawing: nobody could follow it.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub(in crate::emit) enum TooLarge {
    #[error("{states} states, {transitions} transitions: too many to draw")]
    Process { states: usize, transitions: usize },
    #[error(
        "{states} states, {transitions} transitions: too many to draw; `--emit automaton` and `--emit \
         automaton-json` have them all, `--emit automaton-dot` a graph"
    )]
    Open { states: usize, transitions: usize },
}

/// An open automaton.
pub(in crate::emit) fn open_block(
    name: &str,
    facts: Vec<Line>,
    drawing: Result<Automaton, TooLarge>,
    table: Option<Table>,
) -> Block {
    let inner = match &drawing {
        Ok(automaton) => (automaton.width, automaton.height),
        Err(why) => (mono(&why.to_string(), SMALL), LINE),
    };
    let (tables, beside) = best_tables(inner, table);
    let (wide, high) = with_tables(inner, &tables, beside);
    let top = TITLE + 10.0 + LINE * facts.len() as f64;
    let mut made = Block {
        path: name.to_owned(),
        name: name.to_owned(),
        component: None,
        x: 0.0,
        y: 0.0,
        width: 0.0,
        height: top + high + PAD,
        inside: Inside::Gap,
    };
    let all = wide.max(made.title_width()).max(width(&facts));
    made.width = all + 2.0 * PAD;
    let side = tables_size(&tables);
    let (mut x, y, room) = match beside {
        true => (PAD + all - side.0, top, all - side.0 - GAP),
        false => (PAD + (all - side.0) / 2.0, top + inner.1 + GAP, all),
    };
    let mut placed = Vec::new();
    for table in tables {
        let width = table.width;
        placed.push((x, y, table));
        x += width + GAP;
    }
    made.inside = Inside::Open { facts, drawing, room, tables: placed };
    made
}

/// How a table is cut into pieces that stand side by side, and whether they go beside the drawing.
fn best_tables(inner: (f64, f64), table: Option<Table>) -> (Vec<Table>, bool) {
    let Some(table) = table else { return (Vec::new(), false) };
    let mut best = (f64::INFINITY, 1, false);
    for count in 1..=(table.rows.len() / FEWEST_ROWS).clamp(1, MOST_PIECES) {
        let pieces = table.clone().split(count);
        for beside in [false, true] {
            let (wide, high) = with_tables(inner, &pieces, beside);
            let cost = cost(wide, high);
            if cost < best.0 - 0.01 {
                best = (cost, count, beside);
            }
        }
    }
    (table.split(best.1), best.2)
}

fn tables_size(tables: &[Table]) -> (f64, f64) {
    let wide: f64 = tables.iter().map(|table| table.width).sum();
    let high = tables.iter().map(|table| table.height).fold(0.0, f64::max);
    (wide + GAP * tables.len().saturating_sub(1) as f64, high)
}

fn with_tables(inner: (f64, f64), tables: &[Table], beside: bool) -> (f64, f64) {
    let (wide, high) = tables_size(tables);
    match (tables.is_empty(), beside) {
        (true, _) => inner,
        (_, true) => (inner.0 + GAP + wide, inner.1.max(high)),
        (_, false) => (inner.0.max(wide), inner.1 + GAP + high),
    }
}

/// The whole net.
pub(super) fn whole(net: &PNet) -> Block {
    block(net, &net.name.to_string(), "", net.root, parts::levels(net))
}

fn block(net: &PNet, name: &str, around: &str, content: Content, levels: usize) -> Block {
    let path = if around.is_empty() { name.to_owned() } else { format!("{around}.{name}") };
    let component = match content {
        Content::Leaf(id) => Some(net.plts[id].name.to_string()),
        Content::Node(id) => Some(net.nodes[id].name.to_string()),
        Content::Hole(_) => None,
    };
    let component = component.filter(|component| component != name);
    let empty = Inside::Gap;
    let mut made = Block {
        path,
        name: name.to_owned(),
        component,
        x: 0.0,
        y: 0.0,
        width: 0.0,
        height: 0.0,
        inside: empty,
    };
    match content {
        Content::Leaf(id) => made.leaf(net, &net.plts[id]),
        Content::Hole(id) => made.hole(net, id),
        Content::Node(id) if levels == 0 => made.closed(&net.nodes[id]),
        Content::Node(id) => made.node(net, &net.nodes[id], levels - 1),
    }
    made
}

/// A few lines, with the rest in the tooltip of the last one.
fn lines(texts: &[String], class: &'static str) -> Vec<Line> {
    let kept = if texts.len() > MOST_LINES { MOST_LINES - 1 } else { texts.len() };
    let mut lines: Vec<Line> = texts[..kept].iter().map(|text| Line::new(class, text)).collect();
    if kept < texts.len() {
        let rest = format!("… and {} more", texts.len() - kept);
        lines.push(Line {
            pieces: vec![("muted", rest)],
            whole: Some(texts[kept..].join("\n")),
            lead: 0.0,
        });
    }
    lines
}

impl Block {
    fn title_width(&self) -> f64 {
        let component = self.component.as_ref().map_or(0.0, |text| sans(text, TITLE_SIZE) + 14.0);
        sans(&self.name, TITLE_SIZE) * 1.08 + component
    }

    fn leaf(&mut self, net: &PNet, plts: &Plts) {
        let texts: Vec<String> = plts
            .variables
            .iter()
            .map(|(var, value)| label::declaration(net, *var, *value))
            .collect();
        let variables = lines(&texts, "var");
        let (states, transitions) = (plts.states.len(), plts.transitions.len());
        let drawing = automaton(net, plts).ok_or(TooLarge::Process { states, transitions });
        let (wide, high) = match &drawing {
            Ok(automaton) => (automaton.width, automaton.height),
            Err(why) => (mono(&why.to_string(), SMALL), LINE),
        };
        self.width = wide.max(self.title_width()).max(width(&variables)) + 2.0 * PAD;
        self.height = TITLE + LINE * variables.len() as f64 + 6.0 + high + PAD;
        self.inside = Inside::Leaf { variables, drawing };
    }

    fn hole(&mut self, net: &PNet, id: HoleId) {
        let hole = &net.holes[id];
        let mut texts = label::hole_sort(net, &hole.sort);
        // A hole that is passed on has a name of its own.
        if hole.path != self.name && hole.path != self.path {
            texts.insert(0, format!("hole {}", hole.path));
        }
        let sort = lines(&texts, "hole-sort");
        self.round(sort);
    }

    fn closed(&mut self, node: &Composite) {
        let text = format!("{} parts, {} vectors", node.parts.len(), node.vectors.len());
        self.width = mono(&text, SMALL).max(self.title_width()) + 2.0 * PAD;
        self.height = TITLE + 6.0 + LINE + PAD;
        self.inside = Inside::Closed(text);
    }

    fn node(&mut self, net: &PNet, node: &Composite, levels: usize) {
        let mut parts: Vec<Block> = Vec::new();
        let slots = parts::slots(node);
        for slot in &slots {
            parts.push(match slot {
                Slot::Gap(count) => gap(&self.path, *count),
                Slot::Part(at) => {
                    let part = &node.parts[*at];
                    block(net, &part.name.to_string(), &self.path, part.content, levels)
                }
            });
        }
        let orders = links::orders(net, node);
        let notes: Vec<Line> = orders.iter().map(|(text, _)| Line::new("cond", text)).collect();
        let table = table(net, node);
        let mut wiring = wired(net, node, &slots, &mut parts);
        let (wide, high, beside) = match &mut wiring {
            Some((wiring, inner)) => {
                for (low, high) in orders.iter().filter_map(|(_, order)| order.as_ref()) {
                    let ends = (wiring.named(low), wiring.named(high));
                    wiring.orders.extend(ends.0.zip(ends.1).map(|(low, high)| [low, high]));
                }
                round(&mut parts, wiring, *inner, table.as_ref())
            }
            None => arrange(&mut parts, table.as_ref()),
        };
        let wiring = wiring.map(|(wiring, _)| wiring);
        self.filled((parts, table), (wiring, (wide, high, beside)), notes);
    }

    /// Everything at its place in a node, and the node as large as it all.
    fn filled(
        &mut self,
        (mut parts, table): (Vec<Block>, Option<Table>),
        (wiring, (wide, high, beside)): (Option<Wiring>, (f64, f64, bool)),
        notes: Vec<Line>,
    ) {
        let top = TITLE + 4.0 + LINE * notes.len() as f64;
        for part in &mut parts {
            part.x += PAD;
            part.y += top;
        }
        let mut wiring = wiring.unwrap_or_default();
        wiring.moved((PAD, top));
        let inner = wide.max(self.title_width()).max(width(&notes));
        self.width = inner + 2.0 * PAD;
        self.height = top + high + PAD;
        let table = table.map(|table| {
            let x =
                if beside { PAD + wide - table.width } else { PAD + (wide - table.width) / 2.0 };
            let y = if beside { top } else { top + high - table.height };
            (x, y, table)
        });
        self.inside = Inside::Node { parts, table, wiring, notes };
    }

    fn empty(name: &str, path: String, component: Option<&str>) -> Block {
        let (name, component) = (name.to_owned(), component.map(str::to_owned));
        let inside = Inside::Gap;
        Block { path, name, component, x: 0.0, y: 0.0, width: 0.0, height: 0.0, inside }
    }

    fn round(&mut self, sort: Vec<Line>) {
        let radius = (sans(&self.name, TITLE_SIZE) * 1.08 / 2.0 + 10.0).max(27.0);
        self.width = (2.0 * radius).max(width(&sort)) + 4.0;
        self.height = 2.0 * radius + 8.0 + LINE * sort.len() as f64;
        self.inside = Inside::Hole { radius, sort };
    }
}

/// A box with its title only, or with a text in it.
pub(super) fn plain(name: &str, around: &str, of: Option<&str>, text: Option<&str>) -> Block {
    let mut made = Block::empty(name, format!("{around}.{name}"), of);
    let inner = text.map_or(0.0, |text| mono(text, SMALL));
    made.width = made.title_width().max(inner) + 2.0 * PAD;
    made.height = TITLE + text.map_or(2.0, |_| 6.0 + LINE);
    made.inside = text.map_or(Inside::Named, |text| Inside::Closed(text.to_owned()));
    made
}

/// A name that something else stands behind: what it can be.
pub(super) fn named_hole(name: &str, around: &str, kinds: &[String]) -> Block {
    let mut made = Block::empty(name, format!("{around}.{name}"), None);
    made.round(lines(kinds, "hole-sort"));
    made
}

/// A node with parts and a table that have their places, and what joins the parts.
pub(super) fn node(
    (name, component): (&str, Option<&str>),
    path: &str,
    inside: (Vec<Block>, Option<Table>),
    placed: (Option<Wiring>, (f64, f64, bool)),
    notes: Vec<Line>,
) -> Block {
    let mut made = Block::empty(name, path.to_owned(), component);
    made.filled(inside, placed, notes);
    made
}

/// Puts parts that talk to each other on a circle, with lines between them; gives the size of it all. Nothing where
/// nobody talks, or where there are too many.
fn wired(
    net: &PNet,
    node: &Composite,
    slots: &[Slot],
    parts: &mut [Block],
) -> Option<(Wiring, (f64, f64))> {
    let links = links::links(net, node, slots);
    if links.is_empty() || parts.len() > circle::MOST {
        return None;
    }
    let at = |part: PartId| slots.iter().position(|slot| *slot == Slot::Part(part));
    let name = |part: PartId| node.parts[part].name.to_string();
    let named = |link: Link| {
        let names = link.parts().into_iter().map(name).collect();
        (link, names)
    };
    let links: Vec<(Link, Vec<String>)> = links.into_iter().map(named).collect();
    Some(circled(parts, &links, &at))
}

/// Puts parts on a circle, with what joins them; the table goes beside it or below. Nothing where there are no lines, or too many
/// parts. Gives the size of it all, and whether the table is beside.
pub(super) fn joined(
    parts: &mut [Block],
    links: Vec<(Link, Vec<String>)>,
    table: Option<&Table>,
) -> Option<(Wiring, (f64, f64, bool))> {
    if links.is_empty() || parts.len() > circle::MOST {
        return None;
    }
    let count = parts.len();
    let at = |part: PartId| Some(part.index()).filter(|at| *at < count);
    let (mut wiring, inner) = circled(parts, &links, &at);
    let size = round(parts, &mut wiring, inner, table);
    Some((wiring, size))
}

fn circled(
    parts: &mut [Block],
    links: &[(Link, Vec<String>)],
    at: &dyn Fn(PartId) -> Option<usize>,
) -> (Wiring, (f64, f64)) {
    let joined: Vec<Vec<usize>> =
        links.iter().map(|(link, _)| link.parts().into_iter().filter_map(at).collect()).collect();
    circle::place(parts, &joined, circle::room(links.iter().map(|(link, _)| link)));
    let mut wiring = circle::wiring(parts, links, at);
    let mut corners = wiring.corners();
    for part in parts.iter() {
        corners.extend([(part.x, part.y), (part.x + part.width, part.y + part.height)]);
    }
    let least = |f: fn(&(f64, f64)) -> f64| corners.iter().map(f).fold(f64::INFINITY, f64::min);
    let most = |f: fn(&(f64, f64)) -> f64| corners.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
    let (left, top) = (least(|c| c.0), least(|c| c.1));
    let size = (most(|c| c.0) - left, most(|c| c.1) - top);
    for part in parts.iter_mut() {
        (part.x, part.y) = (part.x - left, part.y - top);
    }
    wiring.moved((-left, -top));
    (wiring, size)
}

/// Puts the table beside a circle or below it; gives the size of it all.
fn round(
    parts: &mut [Block],
    wiring: &mut Wiring,
    inner: (f64, f64),
    table: Option<&Table>,
) -> (f64, f64, bool) {
    let size = |beside: bool| with_table(inner, table, beside);
    let (below, beside) = (size(false), size(true));
    let is_beside = cost(beside.0, beside.1) < cost(below.0, below.1) - 0.01;
    let (wide, high) = if is_beside { beside } else { below };
    let shift = if is_beside { 0.0 } else { (wide - inner.0) / 2.0 };
    parts.iter_mut().for_each(|part| part.x += shift);
    wiring.moved((shift, 0.0));
    (wide, high, is_beside)
}

pub(super) fn gap(around: &str, count: usize) -> Block {
    let name = format!("{count} more");
    let width = mono(&name, SMALL) + 8.0;
    let inside = Inside::Gap;
    let path = format!("{around}.…");
    Block { path, name, component: None, x: 0.0, y: 0.0, width, height: 40.0, inside }
}

/// How small a picture of this size is on a screen.
pub(super) fn cost(width: f64, height: f64) -> f64 {
    width.max(height * SHAPE) + 0.05 * (width + height)
}

/// Finds rows for the parts, and whether the table goes beside them; gives the size of it all.
pub(super) fn arrange(parts: &mut [Block], table: Option<&Table>) -> (f64, f64, bool) {
    let mut limits = Vec::new();
    for from in 0..parts.len() {
        let mut sum = -GAP;
        for part in &parts[from..] {
            sum += part.width + GAP;
            limits.push(sum);
        }
    }
    let mut best = (f64::INFINITY, 0.0, false);
    for limit in limits {
        let rows = rows(parts, limit);
        for beside in [false, true] {
            let (width, high) = with_table(size(parts, &rows), table, beside);
            let cost = cost(width, high);
            if cost < best.0 - 0.01 {
                best = (cost, limit, beside);
            }
        }
    }
    let rows = rows(parts, best.1);
    let inner = size(parts, &rows);
    let (wide, high) = with_table(inner, table, best.2);
    place(parts, &rows, if best.2 { inner.0 } else { wide });
    (wide, high, best.2)
}

fn with_table((width, height): (f64, f64), table: Option<&Table>, beside: bool) -> (f64, f64) {
    match table {
        None => (width, height),
        Some(table) if beside => (width + GAP + table.width, height.max(table.height)),
        Some(table) => (width.max(table.width), height + GAP + table.height),
    }
}

/// Fills rows up to a width, in order.
fn rows(parts: &[Block], limit: f64) -> Vec<std::ops::Range<usize>> {
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0.0);
    for (at, part) in parts.iter().enumerate() {
        if at > start && used + GAP + part.width > limit + 0.01 {
            rows.push(start..at);
            (start, used) = (at, 0.0);
        }
        used += part.width + if at > start { GAP } else { 0.0 };
    }
    rows.push(start..parts.len());
    rows
}

fn row_size(parts: &[Block]) -> (f64, f64) {
    let wide: f64 = parts.iter().map(|part| part.width).sum();
    let high = parts.iter().map(|part| part.height).fold(0.0, f64::max);
    (wide + GAP * parts.len().saturating_sub(1) as f64, high)
}

fn size(parts: &[Block], rows: &[std::ops::Range<usize>]) -> (f64, f64) {
    let sizes = rows.iter().map(|row| row_size(&parts[row.clone()]));
    let (width, height) =
        sizes.fold((0.0, -GAP), |(w, h): (f64, f64), row| (w.max(row.0), h + row.1 + GAP));
    (width, height.max(0.0))
}

/// Puts each part at its place: rows are centred, or columns when all parts are equally wide; leaves are as high as their row.
fn place(parts: &mut [Block], rows: &[std::ops::Range<usize>], total: f64) {
    let even = parts.windows(2).all(|pair| (pair[0].width - pair[1].width).abs() < 1.0);
    let widest = size(parts, rows).0;
    let mut y = 0.0;
    for row in rows {
        let (wide, high) = row_size(&parts[row.clone()]);
        let mut x = (total - if even { widest } else { wide }) / 2.0;
        for part in &mut parts[row.clone()] {
            if matches!(part.inside, Inside::Leaf { .. } | Inside::Closed(_)) {
                part.height = high;
            }
            part.x = x;
            part.y = y + (high - part.height) / 2.0;
            x += part.width + GAP;
        }
        y += high + GAP;
    }
}
