//! Places for parts that talk to each other: a ring is drawn as a ring, a star as a star, and everything else on a
//! circle, so that the lines between the parts run inside it.

use super::automaton::Point;
use super::boxes::{Block, Inside};
use super::links::{End, Link};
use super::measure::mono;
use super::text::SMALL;
use crate::diagnostics::Span;
use crate::pnet::PartId;

/// The room between two parts, and around what joins them.
const GAP: f64 = 46.0;
const ROOM: f64 = 8.0;
/// How much larger a picture may be so that no line runs behind a part that it does not join.
const HIDDEN: f64 = 0.6;
/// More parts than this are not put on a circle.
pub(super) const MOST: usize = 14;

/// A line, from what joins to a part or to another line's end.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    /// Its two ends.
    pub(super) ends: [Point; 2],
    /// Whether the second end is a trigger; none where there is no sign.
    pub(super) trigger: Option<bool>,
    /// The link it belongs to.
    pub(super) link: usize,
}

/// Where lines of a link meet.
#[derive(Clone, Debug)]
pub(super) struct Hub {
    /// Where it is.
    pub(super) at: Point,
    /// Its name.
    pub(super) name: Option<String>,
}

/// Lines and where they meet.
#[derive(Clone, Debug, Default)]
pub(super) struct Wiring {
    /// The lines.
    pub(super) wires: Vec<Wire>,
    /// Where they meet.
    pub(super) hubs: Vec<Hub>,
    /// The links: names of parts, what is said of each, whether names are only passed by it, and its text.
    pub(super) links: Vec<(Vec<String>, String, bool, Option<Span>)>,
    /// Who gives way to whom.
    pub(super) orders: Vec<[Point; 2]>,
}

/// A rectangle: its corner and its size.
type Rect = (Point, (f64, f64));

fn overlap(a: &Rect, b: &Rect, gap: f64) -> bool {
    let apart = |a: f64, wide: f64, b: f64, other: f64| a + wide + gap <= b || b + other + gap <= a;
    !apart(a.0.0, a.1.0, b.0.0, b.1.0) && !apart(a.0.1, a.1.1, b.0.1, b.1.1)
}

fn rect(block: &Block) -> Rect {
    ((block.x, block.y), (block.width, block.height))
}

/// The middle of what is drawn of a part.
fn middle(block: &Block) -> Point {
    let high = match &block.inside {
        Inside::Hole { radius, .. } => 2.0 * radius,
        _ => block.height,
    };
    (block.x + block.width / 2.0, block.y + high / 2.0)
}

/// Puts parts on an ellipse, or all but one, in the order in which they stand round it: on the one that makes the picture
/// smallest on a screen and has the fewest lines behind parts that they do not join. `room` is kept free in its middle, for
/// where lines meet.
pub(super) fn place(parts: &mut [Block], links: &[Vec<usize>], room: (f64, f64)) {
    let near = neighbours(parts.len(), links);
    let centre = star(&near);
    let order: Vec<usize> = match ring(&near) {
        Some(order) => order,
        None => (0..parts.len()).filter(|at| Some(*at) != centre).collect(),
    };
    let round = Round { order: &order, centre, links, room };
    let half = 180.0 / order.len().max(1) as f64;
    let starts = if order.len() == 2 { vec![180.0] } else { vec![-90.0, -90.0 + half] };
    // With such a radius there is room for all parts on one side.
    let most = parts.iter().map(|one| one.width + one.height + GAP).sum::<f64>() + room.0 + 40.0;
    let mut best = (f64::INFINITY, Ellipse { start: starts[0], radii: (most, most) });
    for start in starts {
        for wide in steps(most) {
            let fitting = |high: f64| Ellipse { start, radii: (wide, high) };
            let found = steps(most).map(fitting).find(|one| {
                round.put(parts, one);
                !round.is_crowded(parts)
            });
            let Some(found) = found else { continue };
            let cost = round.cost(parts);
            if cost < best.0 - 0.01 {
                best = (cost, found);
            }
        }
    }
    round.put(parts, &best.1);
}

/// The radii that are tried.
fn steps(most: f64) -> impl Iterator<Item = f64> {
    let next = |radius: &f64| Some(radius * 1.08);
    std::iter::successors(Some(20.0), next).take_while(move |radius| *radius < most)
}

/// Where an ellipse begins, in degrees, and how large it is.
#[derive(Clone, Copy)]
struct Ellipse {
    start: f64,
    radii: (f64, f64),
}

/// Parts round an ellipse.
struct Round<'a> {
    order: &'a [usize],
    centre: Option<usize>,
    links: &'a [Vec<usize>],
    room: (f64, f64),
}

impl Round<'_> {
    fn put(&self, parts: &mut [Block], on: &Ellipse) {
        for (place, &at) in self.order.iter().enumerate() {
            let angle = (on.start + 360.0 * place as f64 / self.order.len() as f64).to_radians();
            let (x, y) = (on.radii.0 * angle.cos(), on.radii.1 * angle.sin());
            let block = &mut parts[at];
            (block.x, block.y) = (x - block.width / 2.0, y - block.height / 2.0);
        }
        if let Some(block) = self.centre.map(|at| &mut parts[at]) {
            (block.x, block.y) = (-block.width / 2.0, -block.height / 2.0);
        }
    }

    fn is_crowded(&self, parts: &[Block]) -> bool {
        let inner = self.centre.map_or((0.0, 0.0), |at| (parts[at].width, parts[at].height));
        let (wide, high) = (self.room.0 + inner.0, self.room.1 + inner.1);
        let middle = ((-wide / 2.0, -high / 2.0), (wide, high));
        let mut round = self.order.iter();
        (wide > 0.0 && round.any(|&at| overlap(&rect(&parts[at]), &middle, ROOM)))
            || (0..parts.len())
                .any(|a| (0..a).any(|b| overlap(&rect(&parts[a]), &rect(&parts[b]), GAP)))
    }

    fn cost(&self, parts: &[Block]) -> f64 {
        let (mut low, mut top) = ((f64::INFINITY, f64::INFINITY), (0.0_f64, 0.0_f64));
        for ((x, y), (wide, high)) in parts.iter().map(rect) {
            low = (low.0.min(x), low.1.min(y));
            top = (top.0.max(x + wide), top.1.max(y + high));
        }
        let hidden = self.hidden(parts) as f64 / self.links.len().max(1) as f64;
        super::boxes::cost(top.0 - low.0, top.1 - low.1) * (1.0 + HIDDEN * hidden.min(2.0))
    }

    /// How often a line runs behind a part that it does not join.
    fn hidden(&self, parts: &[Block]) -> usize {
        let mut count = 0;
        for link in self.links {
            let ends: Vec<Point> = link.iter().map(|&at| middle(&parts[at])).collect();
            let many = ends.len().max(1) as f64;
            let sum = ends.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
            let hub = (sum.0 / many, sum.1 / many);
            for (_, part) in parts.iter().enumerate().filter(|(at, _)| !link.contains(at)) {
                count += ends.iter().filter(|end| crosses((hub, **end), &rect(part))).count();
            }
        }
        count
    }
}

/// Whether a line meets a rectangle.
fn crosses((from, to): (Point, Point), &((x, y), (wide, high)): &Rect) -> bool {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (start, way, low, length) in
        [(from.0, to.0 - from.0, x, wide), (from.1, to.1 - from.1, y, high)]
    {
        if way.abs() < 1e-9 {
            if start < low || start > low + length {
                return false;
            }
            continue;
        }
        let (one, other) = ((low - start) / way, (low + length - start) / way);
        (first, last) = (first.max(one.min(other)), last.min(one.max(other)));
    }
    first < last
}

fn neighbours(count: usize, links: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    for link in links {
        for &a in link {
            near[a].extend(link.iter().filter(|&&b| b != a));
        }
    }
    for list in &mut near {
        list.sort_unstable();
        list.dedup();
    }
    near
}

/// The order of the parts round a ring, if they are one.
fn ring(near: &[Vec<usize>]) -> Option<Vec<usize>> {
    if near.len() < 3 || near.iter().any(|list| list.len() != 2) {
        return None;
    }
    let mut order = vec![0];
    let mut at = near[0][0].min(near[0][1]);
    while at != 0 {
        let before = *order.last()?;
        order.push(at);
        at = *near[at].iter().find(|&&next| next != before)?;
    }
    (order.len() == near.len()).then_some(order)
}

/// The part that all others talk to, where they talk to nobody else.
fn star(near: &[Vec<usize>]) -> Option<usize> {
    let centre = near.iter().position(|list| list.len() + 1 == near.len())?;
    let others = near.iter().enumerate().filter(|(at, _)| *at != centre);
    let alone = others.clone().all(|(_, list)| list.len() == 1);
    (near.len() > 3 && alone).then_some(centre)
}

/// The lines of all links.
pub(super) fn wiring(
    parts: &[Block],
    links: &[(Link, Vec<String>)],
    at: &dyn Fn(PartId) -> Option<usize>,
) -> Wiring {
    let mut wiring = Wiring::default();
    let mut taken: Vec<Rect> = parts.iter().map(rect).collect();
    for (number, (link, names)) in links.iter().enumerate() {
        let told = match &link.name {
            Some(name) => format!("{name}\n{}", link.told.join("\n")),
            None => link.told.join("\n"),
        };
        wiring.links.push((names.clone(), told, link.passes, link.text));
        if link.is_plain() {
            let both: Vec<&Block> =
                link.parts().into_iter().filter_map(|p| parts.get(at(p)?)).collect();
            if let [a, b] = both.as_slice() {
                let ends = [border(a, middle(b)), border(b, middle(a))];
                wiring.wires.push(Wire { ends, trigger: None, link: number });
            }
            continue;
        }
        let mut drawing = Drawing { parts, at, taken: &mut taken, wiring: &mut wiring, number };
        drawing.hub(&link.ends, link.name.as_ref());
    }
    wiring
}

struct Drawing<'a> {
    parts: &'a [Block],
    at: &'a dyn Fn(PartId) -> Option<usize>,
    taken: &'a mut Vec<Rect>,
    wiring: &'a mut Wiring,
    number: usize,
}

impl Drawing<'_> {
    /// A place where lines meet, with its lines.
    fn hub(&mut self, ends: &[End], name: Option<&String>) -> Point {
        let mut centres: Vec<Point> = Vec::new();
        self.each_part(ends, &mut |block| centres.push(middle(block)));
        let many = centres.len().max(1) as f64;
        let sum = centres.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        let hub = self.free((sum.0 / many, sum.1 / many), hub_size(name));
        self.wiring.hubs.push(Hub { at: hub, name: name.cloned() });
        for end in ends {
            let (to, trigger) = match end {
                End::Part(part, trigger) => {
                    let Some(block) = (self.at)(*part).and_then(|at| self.parts.get(at)) else {
                        continue;
                    };
                    (border(block, hub), *trigger)
                }
                End::Group(trigger, name, inner) => {
                    let inner = self.hub(inner, name.as_ref());
                    (rim(inner, hub_size(name.as_ref()), hub), Some(*trigger))
                }
            };
            self.wiring.wires.push(Wire { ends: [hub, to], trigger, link: self.number });
        }
        hub
    }

    fn each_part(&self, ends: &[End], visit: &mut dyn FnMut(&Block)) {
        for end in ends {
            match end {
                End::Part(part, _) => {
                    (self.at)(*part)
                        .and_then(|at| self.parts.get(at))
                        .into_iter()
                        .for_each(&mut *visit);
                }
                End::Group(_, _, inner) => self.each_part(inner, visit),
            }
        }
    }

    /// The place nearest to a point where nothing else is.
    fn free(&mut self, wish: Point, size: (f64, f64)) -> Point {
        let mut found = wish;
        for turn in 0..4000 {
            let (angle, far) = (f64::from(turn) * 0.7, f64::from(turn) * 1.1);
            let at = (wish.0 + far * angle.cos(), wish.1 + far * angle.sin());
            let own: Rect = ((at.0 - size.0 / 2.0, at.1 - size.1 / 2.0), size);
            if !self.taken.iter().any(|other| overlap(&own, other, ROOM)) {
                self.taken.push(own);
                found = at;
                break;
            }
        }
        found
    }
}

/// The room that the places of some links take, where lines meet.
pub(super) fn room<'a>(links: impl Iterator<Item = &'a Link>) -> (f64, f64) {
    let mut area = 0.0;
    for link in links.filter(|link| !link.is_plain()) {
        let (wide, high) = hub_size(link.name.as_ref());
        area += (wide + 2.0 * ROOM) * (high + 2.0 * ROOM);
    }
    let side = f64::sqrt(area);
    (side * 1.3, side)
}

/// The room that the place takes where lines meet.
fn hub_size(name: Option<&String>) -> (f64, f64) {
    (name.map_or(10.0, |name| mono(name, SMALL) + 18.0), 22.0)
}

/// Where a line from a point to a place where lines meet reaches it, so that the sign at its end is seen.
fn rim(hub: Point, (wide, high): (f64, f64), from: Point) -> Point {
    let (dx, dy) = (from.0 - hub.0, from.1 - hub.1);
    let scale = (wide / 2.0 / dx.abs().max(0.001)).min(high / 2.0 / dy.abs().max(0.001)).min(1.0);
    (hub.0 + dx * scale, hub.1 + dy * scale)
}

/// Where a line from a point to the middle of a part meets its border.
fn border(block: &Block, from: Point) -> Point {
    let to = middle(block);
    let (dx, dy) = (from.0 - to.0, from.1 - to.1);
    let far = dx.hypot(dy).max(0.001);
    if let Inside::Hole { radius, .. } = &block.inside {
        return (to.0 + dx / far * radius, to.1 + dy / far * radius);
    }
    let scale_x = block.width / 2.0 / dx.abs().max(0.001);
    let scale_y = block.height / 2.0 / dy.abs().max(0.001);
    let scale = scale_x.min(scale_y).min(1.0);
    (to.0 + dx * scale, to.1 + dy * scale)
}

impl Wiring {
    /// Everything moved.
    pub(super) fn moved(&mut self, (x, y): Point) {
        let points = self.wires.iter_mut().flat_map(|wire| &mut wire.ends);
        let points = points.chain(self.hubs.iter_mut().map(|hub| &mut hub.at));
        for point in points.chain(self.orders.iter_mut().flatten()) {
            *point = (point.0 + x, point.1 + y);
        }
    }

    /// The corners of what the hubs take.
    pub(super) fn corners(&self) -> Vec<Point> {
        let corner = |hub: &Hub| {
            let half = hub.name.as_ref().map_or(5.0, |name| mono(name, SMALL) / 2.0 + 9.0);
            [(hub.at.0 - half, hub.at.1 - 11.0), (hub.at.0 + half, hub.at.1 + 11.0)]
        };
        self.hubs.iter().flat_map(corner).collect()
    }

    /// The place of a connector, by its name.
    pub(super) fn named(&self, name: &str) -> Option<Point> {
        self.hubs.iter().find(|hub| hub.name.as_deref() == Some(name)).map(|hub| hub.at)
    }
}
