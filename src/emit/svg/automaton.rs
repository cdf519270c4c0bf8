//! Lays out an automaton, from left to right: states in columns by their distance from the initial one, labels
//! in columns of their own between them, so that nothing lies on anything else.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::emit::label::{self, TransitionLabel};
use crate::pnet::{PNet, Plts};

use super::layers::{Layers, rising};
use super::text::{LINE, Line, height, label_lines, width};

/// Larger automata are not drawn: nobody could follow their arrows.
const MOST_STATES: usize = 60;
const MOST_VERTICES: usize = 1200;
/// The height of a state.
pub(super) const STATE: f64 = 28.0;
/// How high a loop rises above its state.
pub(super) const LOOP: f64 = 22.0;
/// The room that a label leaves on the side of its arrow: so that there and back lie as close as on a state.
const LINE_SIDE: f64 = -1.0;
/// How far from the middle of a state arrows arrive, and how far from each other.
const FARTHEST: f64 = 11.0;
const APART: f64 = 7.5;
/// What is higher than this is high.
const HIGH: f64 = 900.0;
/// The arrow to the initial state.
const START: f64 = 26.0;

/// A point.
pub(super) type Point = (f64, f64);
/// A piece of an arrow: two ends, and what pulls it between them.
pub(super) type Curve = [Point; 4];

/// A drawn automaton.
#[derive(Debug, Default)]
pub(in crate::emit) struct Automaton {
    /// How wide it is.
    pub(super) width: f64,
    /// How high it is.
    pub(super) height: f64,
    /// Its states.
    pub(super) states: Vec<Pill>,
    /// Its arrows.
    pub(super) arrows: Vec<Arrow>,
    /// What is said at the arrow to the initial state, with the place of the first line's end.
    pub(super) start: (Vec<Line>, Point),
    /// What is said below states, with the middles of the lines.
    pub(super) notes: Vec<(Line, Point)>,
}

/// A drawn state.
#[derive(Debug)]
pub(super) struct Pill {
    /// Its centre.
    pub(super) at: Point,
    /// Its width.
    pub(super) width: f64,
    /// Its height.
    pub(super) height: f64,
    /// What stands in it.
    pub(super) name: Vec<Line>,
    /// Whether it is the initial one.
    pub(super) initial: bool,
    /// Whether it is final.
    pub(super) is_final: bool,
    /// What is special about it.
    pub(super) kind: StateKind,
    /// What a run does there.
    pub(super) taken: Option<Taken>,
}

impl Pill {
    /// What the state is called: what stands in it, on one line.
    pub(super) fn called(&self) -> String {
        let line =
            |line: &Line| line.pieces.iter().map(|(_, text)| text.as_str()).collect::<String>();
        self.name.iter().map(line).collect::<Vec<_>>().join(" ")
    }
}

/// A drawn arrow with its label.
#[derive(Debug)]
pub(super) struct Arrow {
    /// The way it takes.
    pub(super) curves: Vec<Curve>,
    /// Its label.
    pub(super) lines: Vec<Line>,
    /// The middle of the label, and its upper border.
    pub(super) text: Point,
    /// Whether nobody sees what it is about.
    pub(super) silent: bool,
    /// The states that it leads from and to.
    pub(super) ends: (usize, usize),
    /// What a run does with it.
    pub(super) taken: Option<Taken>,
}

/// The transitions from one state to another.
struct Edge {
    source: usize,
    target: usize,
    lines: Vec<Line>,
    silent: bool,
    /// Its vertices from left to right.
    chain: Vec<usize>,
    /// Which of them is the label.
    label: usize,
}

impl Edge {
    /// Whether it runs from right to left.
    fn is_back(&self, ranks: &[(usize, usize)]) -> bool {
        ranks[self.source].0 > ranks[self.target].0
    }
}

/// What is special about a state.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::emit) enum StateKind {
    /// Nothing.
    #[default]
    Plain,
    /// Nothing follows.
    Deadlock,
    /// It stands for many.
    Many,
    /// It stands for many, and after some of them nothing follows.
    ManyDeadlocks,
}

/// A state that is to be drawn.
#[derive(Clone, Default, Debug)]
pub(in crate::emit) struct GraphState {
    /// What stands in it.
    pub(in crate::emit) name: Vec<Line>,
    /// What it is called elsewhere.
    pub(in crate::emit) short: String,
    /// Whether it is final.
    pub(in crate::emit) is_final: bool,
    /// What is special about it.
    pub(in crate::emit) kind: StateKind,
    /// What stands below it.
    pub(super) below: Vec<Line>,
}

impl GraphState {
    /// A state with a name.
    pub(in crate::emit) fn new(name: &str, is_final: bool) -> GraphState {
        let lines = vec![Line::new("state-name", name)];
        GraphState { name: lines, short: name.to_owned(), is_final, ..GraphState::default() }
    }

    fn width(&self) -> f64 {
        (width(&self.name) + 22.0).max(STATE + 8.0)
    }

    /// One line more than the smallest needs as much room more.
    fn height(&self) -> f64 {
        STATE + LINE * self.name.len().saturating_sub(1) as f64
    }
}

/// The column of each state, and when it was first met.
pub(super) type Ranks = Vec<(usize, usize)>;

/// An automaton that is to be drawn.
#[derive(Clone, Debug, Default)]
pub(in crate::emit) struct Graph {
    /// Its states.
    pub(in crate::emit) states: Vec<GraphState>,
    /// The initial state.
    pub(in crate::emit) initial: usize,
    /// What is said at the arrow to the initial state.
    pub(in crate::emit) start: Vec<Line>,
    /// What is said at the arrow from a state to another.
    pub(in crate::emit) labels: BTreeMap<(usize, usize), Vec<Line>>,
    /// Between which states there are only steps that nobody sees.
    pub(in crate::emit) silent: BTreeSet<(usize, usize)>,
    /// The states that a run comes to.
    pub(in crate::emit) visited: BTreeMap<usize, Taken>,
    /// The arrows that it takes.
    pub(in crate::emit) taken: BTreeMap<(usize, usize), Taken>,
}

/// What a run does with a state or an arrow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::emit) enum Taken {
    /// It comes through.
    Once,
    /// It comes back for ever.
    Round,
}

impl Taken {
    /// What that is called in pictures.
    pub(super) fn class(taken: Option<Taken>) -> &'static str {
        match taken {
            None => "",
            Some(Taken::Once) => " taken",
            Some(Taken::Round) => " taken round",
        }
    }
}

/// The automaton of a leaf; none when it is too large to be looked at.
pub(super) fn automaton(net: &PNet, plts: &Plts) -> Option<Automaton> {
    let mut labels: BTreeMap<(usize, usize), Vec<TransitionLabel>> = BTreeMap::new();
    for transition in &plts.transitions {
        let ends = (transition.source.index(), transition.target.index());
        labels.entry(ends).or_default().push(label::transition(net, transition));
    }
    let graph = Graph {
        states: plts
            .states
            .iter()
            .map(|it| GraphState::new(it.name.as_str(), it.is_final))
            .collect(),
        initial: plts.initial.index(),
        labels: labels.into_iter().map(|(ends, labels)| (ends, label_lines(&labels))).collect(),
        ..Graph::default()
    };
    graph.draw()
}

impl Graph {
    /// The drawing; none when it is too large to be looked at.
    pub(in crate::emit) fn draw(mut self) -> Option<Automaton> {
        let count = self.states.len();
        if count > MOST_STATES || count == 0 {
            return None;
        }
        self.labels.retain(|&(source, target), _| source.max(target) < count);
        let ranks = self.ranks();
        (self.vertices(&ranks) <= MOST_VERTICES).then(|| self.laid_out(&ranks))
    }

    /// How many vertices a drawing takes besides the states.
    pub(super) fn vertices(&self, ranks: &[(usize, usize)]) -> usize {
        self.labels.keys().map(|&(a, b)| ranks[a].0.abs_diff(ranks[b].0) * 2).sum()
    }

    /// The drawing with these columns.
    pub(super) fn laid_out(mut self, ranks: &[(usize, usize)]) -> Automaton {
        let labels = std::mem::take(&mut self.labels);
        let loops = vec![Vec::new(); self.states.len()];
        let mut drawing = Drawing { graph: &self, loops, edges: Vec::new() };
        for ((source, target), lines) in labels {
            if source == target {
                drawing.loops[source] = lines;
            } else {
                let silent = self.silent.contains(&(source, target));
                let chain = Vec::new();
                drawing.edges.push(Edge { source, target, lines, silent, chain, label: 0 });
            }
        }
        // Arrows back go below arrows forth, and the longer ones below the shorter.
        drawing.edges.sort_by_key(|edge| {
            let span = ranks[edge.source].0.abs_diff(ranks[edge.target].0);
            (edge.is_back(ranks), span, ranks[edge.source].1, ranks[edge.target].1)
        });
        drawing.draw(ranks)
    }

    /// The states in the order in which they are met, with how far each is from where the walk began.
    pub(super) fn met(&self) -> Vec<(usize, usize)> {
        let (count, labels) = (self.states.len(), &self.labels);
        let mut met: Vec<(usize, usize)> = Vec::new();
        let mut seen = vec![false; count];
        for start in std::iter::once(self.initial.min(count - 1)).chain(0..count) {
            let mut queue = VecDeque::from([(start, 0)]);
            while let Some((state, far)) = queue.pop_front() {
                if std::mem::replace(&mut seen[state], true) {
                    continue;
                }
                met.push((state, far));
                let next = labels.range((state, 0)..(state + 1, 0));
                queue.extend(next.map(|((_, target), _)| (*target, far + 1)));
            }
        }
        met
    }

    /// The column of each state and when it was first met; arrows between different states never stay in a column.
    pub(super) fn ranks(&self) -> Ranks {
        let met = self.met();
        let mut ranks = vec![(0, 0); self.states.len()];
        for (time, &(state, _)) in met.iter().enumerate() {
            ranks[state].1 = time;
        }
        let mut near = vec![Vec::new(); self.states.len()];
        for &(a, b) in self.labels.keys().filter(|(a, b)| a != b) {
            near[a].push(b);
            near[b].push(a);
        }
        for &(state, _) in &met {
            // Whatever joins it to a state met earlier is to its left.
            let earlier = near[state].iter().filter(|&&other| ranks[other].1 < ranks[state].1);
            ranks[state].0 = earlier.map(|&other| ranks[other].0 + 1).max().unwrap_or(0);
        }
        ranks
    }
}

struct Drawing<'a> {
    graph: &'a Graph,
    loops: Vec<Vec<Line>>,
    edges: Vec<Edge>,
}

impl Drawing<'_> {
    fn draw(mut self, ranks: &[(usize, usize)]) -> Automaton {
        let mut layers = Layers::default();
        self.add_states(&mut layers, ranks);
        self.add_edges(&mut layers, ranks);
        layers.arrange();
        let columns = columns(&layers);
        let ports = self.ports(&layers);
        let mut drawn = Automaton {
            width: columns.last().map_or(0.0, |column| column.1),
            height: layers.height(),
            ..Automaton::default()
        };
        for state in 0..self.graph.states.len() {
            let (left, right) = columns[layers.vertices[state].rank];
            let at = ((left + right) / 2.0, layers.vertices[state].y);
            drawn.states.push(self.pill(state, at));
        }
        for (edge, ports) in self.edges.iter().zip(ports) {
            drawn.arrows.push(edge.arrow(
                &layers,
                &columns,
                &drawn.states,
                ports,
                edge.is_back(ranks),
            ));
        }
        for (state, lines) in self.loops.into_iter().enumerate() {
            if !lines.is_empty() {
                let silent = self.graph.silent.contains(&(state, state));
                drawn.arrows.push(self_loop((state, &drawn.states[state]), lines, silent));
            }
        }
        for arrow in &mut drawn.arrows {
            arrow.taken = self.graph.taken.get(&arrow.ends).copied();
        }
        drawn.say_below(&self.graph.states);
        drawn.say_at_start(&self.graph.start);
        drawn
    }

    fn pill(&self, state: usize, at: Point) -> Pill {
        let shown = &self.graph.states[state];
        Pill {
            at,
            width: shown.width(),
            height: shown.height(),
            name: shown.name.clone(),
            initial: state == self.graph.initial,
            is_final: shown.is_final,
            kind: shown.kind,
            taken: self.graph.visited.get(&state).copied(),
        }
    }

    /// One vertex for each state, with the same number.
    fn add_states(&self, layers: &mut Layers, ranks: &[(usize, usize)]) {
        for (state, lines) in self.loops.iter().enumerate() {
            let shown = &self.graph.states[state];
            let mut wide = width(lines).max(shown.width() + 6.0).max(width(&shown.below));
            if state == self.graph.initial {
                wide = wide.max(shown.width() + 2.0 * START);
            }
            let above = if lines.is_empty() { 0.0 } else { LOOP + height(lines) + 4.0 };
            let said =
                if state == self.graph.initial { height(&self.graph.start) / 2.0 } else { 0.0 };
            let half = shown.height() / 2.0;
            let (up, down) = (half + above, half + 2.0 + height(&shown.below));
            layers.add(2 * ranks[state].0, wide, up.max(said), down.max(said));
        }
        for column in &mut layers.columns {
            column.sort_by_key(|&state| ranks[state].1);
        }
    }

    fn add_edges(&mut self, layers: &mut Layers, ranks: &[(usize, usize)]) {
        for edge in &mut self.edges {
            let back = edge.is_back(ranks);
            let (low, high) =
                if back { (edge.target, edge.source) } else { (edge.source, edge.target) };
            let (from, to) = (2 * ranks[low].0, 2 * ranks[high].0);
            // The middle column between two columns of states.
            let label_rank = from + 1 + ((to - from - 1) / 4) * 2;
            edge.chain.push(low);
            for rank in from + 1..to {
                if rank == label_rank {
                    let room = height(&edge.lines) + 4.0;
                    let (up, down) = if back { (LINE_SIDE, room) } else { (room, LINE_SIDE) };
                    edge.label = edge.chain.len();
                    edge.chain.push(layers.add(rank, width(&edge.lines) + 4.0, up, down));
                } else {
                    edge.chain.push(layers.add(rank, 0.0, 2.0, 2.0));
                }
            }
            edge.chain.push(high);
            for pair in edge.chain.windows(2) {
                let weight = if edge.chain.len() == 3 { 4.0 } else { 0.2 };
                layers.join(pair[0], pair[1], weight);
            }
        }
    }

    /// How far from the middle of its states each arrow begins and ends, from left to right.
    fn ports(&self, layers: &Layers) -> Vec<(f64, f64)> {
        let mut ports = vec![(0.0, 0.0); self.edges.len()];
        for at_start in [true, false] {
            let mut at_states: Vec<Vec<(f64, usize)>> = vec![Vec::new(); self.graph.states.len()];
            for (at, edge) in self.edges.iter().enumerate() {
                let last = edge.chain.len() - 1;
                let (own, next) = if at_start { (0, 1) } else { (last, last - 1) };
                at_states[edge.chain[own]].push((layers.vertices[edge.chain[next]].y, at));
            }
            for (state, mut here) in at_states.into_iter().enumerate() {
                here.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let wishes: Vec<f64> =
                    here.iter().map(|(y, _)| y - layers.vertices[state].y).collect();
                for ((_, edge), offset) in here.iter().zip(spread(&wishes)) {
                    *(if at_start { &mut ports[*edge].0 } else { &mut ports[*edge].1 }) = offset;
                }
            }
        }
        ports
    }
}

/// Offsets near to those that are wished for, but not too near to each other.
fn spread(wishes: &[f64]) -> Vec<f64> {
    let gaps = wishes.len().saturating_sub(1).max(1) as f64;
    let step = (2.0 * FARTHEST / gaps).min(APART);
    let first: Vec<f64> = wishes
        .iter()
        .enumerate()
        .map(|(at, wish)| wish.clamp(-FARTHEST, FARTHEST) - at as f64 * step)
        .collect();
    let close = |(at, level): (usize, f64)| {
        let offset = (level + at as f64 * step).clamp(-FARTHEST - 1.5, FARTHEST + 1.5);
        if (offset - wishes[at]).abs() < 1.6 { wishes[at] } else { offset }
    };
    rising(&first, &vec![1.0; first.len()]).into_iter().enumerate().map(close).collect()
}

/// Where each column begins and ends.
fn columns(layers: &Layers) -> Vec<(f64, f64)> {
    let mut columns = Vec::new();
    let mut x = 0.0;
    // The higher the drawing, the more room arrows need to rise.
    let most = 26.0 + ((layers.height() - HIGH) * 0.1).clamp(0.0, 160.0);
    for column in &layers.columns {
        let width = column.iter().map(|&v| layers.vertices[v].width).fold(0.0, f64::max);
        columns.push((x, x + width));
        x += width + 22.0 + (layers.steepest(column) * 0.12).min(most);
    }
    columns
}

impl Edge {
    fn arrow(
        &self,
        layers: &Layers,
        columns: &[(f64, f64)],
        states: &[Pill],
        ports: (f64, f64),
        back: bool,
    ) -> Arrow {
        let column = |place: usize| columns[layers.vertices[self.chain[place]].rank];
        let last = self.chain.len() - 1;
        let (first_state, last_state) = (&states[self.chain[0]], &states[self.chain[last]]);
        let start = (first_state.side(ports.0), first_state.at.1 + ports.0);
        let end_y = last_state.at.1 + ports.1;
        let end = (2.0 * last_state.at.0 - last_state.side(ports.1), end_y);
        let mut curves = vec![straight(start, (column(0).1, start.1))];
        let mut at = (column(0).1, start.1);
        for place in 1..last {
            let y = layers.vertices[self.chain[place]].y;
            let (left, right) = column(place);
            curves.push(bow(at, (left, y)));
            curves.push(straight((left, y), (right, y)));
            at = (right, y);
        }
        curves.push(bow(at, (column(last).0, end_y)));
        curves.push(straight((column(last).0, end_y), end));
        if back {
            curves.reverse();
            curves.iter_mut().for_each(|curve| curve.reverse());
        }
        let (left, right) = column(self.label);
        let y = layers.vertices[self.chain[self.label]].y;
        let lines = self.lines.clone();
        let top = if back { y + 2.0 } else { y - 1.0 - height(&lines) };
        let (text, ends) = (((left + right) / 2.0, top), (self.source, self.target));
        Arrow { curves, lines, text, silent: self.silent, ends, taken: None }
    }
}

impl Automaton {
    /// Puts what is said below states there.
    fn say_below(&mut self, states: &[GraphState]) {
        for (pill, shown) in self.states.iter().zip(states) {
            let mut at = (pill.at.0, pill.at.1 + pill.height / 2.0 - 1.0);
            for line in &shown.below {
                at.1 += LINE;
                self.notes.push((line.clone(), at));
            }
        }
    }

    /// Puts some lines before the arrow to the initial state, which is at the left.
    fn say_at_start(&mut self, lines: &[Line]) {
        let Some(pill) = self.states.iter().find(|pill| pill.initial) else { return };
        if lines.is_empty() {
            return;
        }
        let ring = if pill.is_final { 3.0 } else { 0.0 };
        let end = pill.at.0 - pill.width / 2.0 - ring - START - 2.0;
        let missing = (width(lines) - end).max(0.0);
        let top = pill.at.1 - height(lines) / 2.0 + LINE - 3.5;
        self.start = (lines.to_vec(), (end, top));
        self.move_right(missing);
    }

    fn move_right(&mut self, by: f64) {
        self.width += by;
        self.moved(|point| point.0 += by);
    }

    /// Moves everything that has a place.
    pub(super) fn moved(&mut self, change: impl Fn(&mut Point)) {
        change(&mut self.start.1);
        self.states.iter_mut().for_each(|pill| change(&mut pill.at));
        self.notes.iter_mut().for_each(|(_, at)| change(at));
        for arrow in &mut self.arrows {
            change(&mut arrow.text);
            arrow.curves.iter_mut().flatten().for_each(&change);
        }
    }
}

impl Pill {
    /// How round its corners are.
    pub(super) fn radius(&self) -> f64 {
        match self.kind {
            StateKind::Plain => STATE / 2.0,
            StateKind::Many => 8.0,
            StateKind::Deadlock | StateKind::ManyDeadlocks => 3.0,
        }
    }

    /// Where its right border is, so far from its middle.
    fn side(&self, offset: f64) -> f64 {
        let radius = self.radius() + if self.is_final { 3.0 } else { 0.0 };
        let into = (offset.abs() - (self.height / 2.0 - self.radius())).max(0.0);
        let bulge = (radius * radius - into * into).max(0.0).sqrt();
        self.at.0 + self.width / 2.0 - self.radius() + bulge
    }
}

fn straight(from: Point, to: Point) -> Curve {
    [from, from, to, to]
}

fn bow(from: Point, to: Point) -> Curve {
    let middle = (from.0 + to.0) / 2.0;
    [from, (middle, from.1), (middle, to.1), to]
}

fn self_loop((state, pill): (usize, &Pill), lines: Vec<Line>, silent: bool) -> Arrow {
    let (x, top) = (pill.at.0, pill.at.1 - pill.height / 2.0);
    let pull = LOOP / 0.75;
    let curve = [(x - 7.0, top), (x - 22.0, top - pull), (x + 22.0, top - pull), (x + 7.0, top)];
    let text = (x, top - LOOP - height(&lines));
    Arrow { curves: vec![curve], lines, text, silent, ends: (state, state), taken: None }
}
