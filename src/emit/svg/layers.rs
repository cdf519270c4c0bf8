//! Places the vertices of a drawing in columns, so that edges run from column to column, cross seldom and are
//! nearly straight: ranks are given, order and heights are found (after Sugiyama, Tagawa and Toda).

use crate::base::budget;

/// Between two vertices of a column.
const SPACE: f64 = 12.0;
/// How often the columns are gone through, there and back.
const SWEEPS: usize = 8;
/// Drawings with more vertices than this are not improved by exchanging neighbours.
const MOST_EXCHANGED: usize = 150;

/// A vertex: a state, a label, or a bend of an edge.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    /// Its column.
    pub(super) rank: usize,
    /// How much room it needs above the height at which its edges arrive, and below.
    pub(super) up: f64,
    /// See `up`.
    pub(super) down: f64,
    /// How wide it is.
    pub(super) width: f64,
    /// The height at which its edges arrive.
    pub(super) y: f64,
}

/// The vertices of a drawing, and who is joined to whom in the next column.
#[derive(Default)]
pub(super) struct Layers {
    /// All vertices.
    pub(super) vertices: Vec<Vertex>,
    /// The columns, each from top to bottom.
    pub(super) columns: Vec<Vec<usize>>,
    left: Vec<Vec<usize>>,
    right: Vec<Vec<usize>>,
    /// The neighbours on both sides, and how much a vertex wants to be at their height.
    near: Vec<Vec<(usize, f64)>>,
}

impl Layers {
    /// A new vertex, at the bottom of its column.
    pub(super) fn add(&mut self, rank: usize, width: f64, up: f64, down: f64) -> usize {
        let id = self.vertices.len();
        self.vertices.push(Vertex { rank, up, down, width, y: 0.0 });
        self.left.push(Vec::new());
        self.right.push(Vec::new());
        self.near.push(Vec::new());
        if self.columns.len() <= rank {
            self.columns.resize(rank + 1, Vec::new());
        }
        self.columns[rank].push(id);
        id
    }

    /// Joins a vertex to one in the next column.
    pub(super) fn join(&mut self, from: usize, to: usize, weight: f64) {
        self.right[from].push(to);
        self.left[to].push(from);
        self.near[from].push((to, weight));
        self.near[to].push((from, weight));
    }

    /// Finds the order in the columns and the heights.
    pub(super) fn arrange(&mut self) {
        self.order();
        self.stack();
        for sweep in (0..3 * SWEEPS).take_while(|_| !budget::is_spent()) {
            self.straighten(sweep);
        }
        let top = self.vertices.iter().map(|v| v.y - v.up).fold(f64::INFINITY, f64::min);
        for vertex in &mut self.vertices {
            vertex.y -= top;
        }
    }

    /// How high everything is together.
    pub(super) fn height(&self) -> f64 {
        self.vertices.iter().map(|v| v.y + v.down).fold(0.0, f64::max)
    }

    // ---- order ----

    fn order(&mut self) {
        let mut best = (self.crossings(), self.columns.clone());
        for sweep in 0..SWEEPS {
            if best.0 == 0 || budget::is_spent() {
                break;
            }
            let rightwards = sweep.is_multiple_of(2);
            let mut places = self.places();
            for step in 1..self.columns.len() {
                let column = if rightwards { step } else { self.columns.len() - 1 - step };
                self.sort_column(column, rightwards, &mut places);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.columns.clone());
            }
        }
        self.columns = best.1;
        if self.vertices.len() <= MOST_EXCHANGED {
            self.exchange(best.0);
        }
    }

    /// Exchanges neighbours in a column as long as that saves crossings.
    fn exchange(&mut self, mut crossings: usize) {
        for _ in 0..SWEEPS {
            let before = crossings;
            for column in 0..self.columns.len() {
                for place in 1..self.columns[column].len() {
                    if crossings == 0 {
                        return;
                    }
                    self.columns[column].swap(place - 1, place);
                    match self.crossings() {
                        fewer if fewer < crossings => crossings = fewer,
                        _ => self.columns[column].swap(place - 1, place),
                    }
                }
            }
            if crossings == before {
                return;
            }
        }
    }

    /// Where each vertex stands in its column.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.vertices.len()];
        for column in &self.columns {
            for (at, &vertex) in column.iter().enumerate() {
                places[vertex] = at;
            }
        }
        places
    }

    fn sort_column(&mut self, column: usize, rightwards: bool, places: &mut [usize]) {
        let neighbours = if rightwards { &self.left } else { &self.right };
        let middle = |vertex: usize| {
            let near = &neighbours[vertex];
            match near.len() {
                0 => places[vertex] as f64,
                count => near.iter().map(|&one| places[one] as f64).sum::<f64>() / count as f64,
            }
        };
        let mut keyed: Vec<(f64, usize)> =
            self.columns[column].iter().map(|&vertex| (middle(vertex), vertex)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.columns[column] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
        for (at, &vertex) in self.columns[column].iter().enumerate() {
            places[vertex] = at;
        }
    }

    /// How many pairs of edges cross.
    fn crossings(&self) -> usize {
        let places = self.places();
        let widths = self.columns.iter().skip(1).map(Vec::len).chain([0]);
        let pairs = self.columns.iter().zip(widths);
        pairs.map(|(column, next)| self.crossings_after(column, next, &places)).sum()
    }

    /// How many cross between a column and the next one, which has so many vertices.
    fn crossings_after(&self, column: &[usize], next: usize, places: &[usize]) -> usize {
        let (mut above, mut count, mut all) = (Sums(vec![0; next + 1]), 0, 0);
        for &vertex in column {
            let ends = || self.right[vertex].iter().map(|&to| places[to]);
            count += ends().map(|end| all - above.up_to(end)).sum::<usize>();
            ends().for_each(|end| above.add(end));
            all += self.right[vertex].len();
        }
        count
    }

    // ---- heights ----

    fn stack(&mut self) {
        for column in &self.columns {
            let height: f64 =
                column.iter().map(|&v| self.vertices[v].up + self.vertices[v].down).sum();
            let mut y = -(height + SPACE * column.len().saturating_sub(1) as f64) / 2.0;
            for &id in column {
                let vertex = &mut self.vertices[id];
                vertex.y = y + vertex.up;
                y = vertex.y + vertex.down + SPACE;
            }
        }
    }

    /// Moves each vertex as near to its neighbours' height as the order in its column allows.
    fn straighten(&mut self, sweep: usize) {
        for step in 0..self.columns.len() {
            let at = if sweep.is_multiple_of(2) { step } else { self.columns.len() - 1 - step };
            let column = &self.columns[at];
            let mut sums = Vec::new();
            let mut wanted = Vec::new();
            let mut weights = Vec::new();
            let mut sum = 0.0;
            for (place, &id) in column.iter().enumerate() {
                if place > 0 {
                    sum += self.vertices[column[place - 1]].down + SPACE + self.vertices[id].up;
                }
                sums.push(sum);
                let (wish, weight) = self.wish(id);
                wanted.push(wish - sum);
                weights.push(weight);
            }
            for (place, level) in rising(&wanted, &weights).into_iter().enumerate() {
                let id = self.columns[at][place];
                self.vertices[id].y = level + sums[place];
            }
        }
    }

    /// Where a vertex would like to be, and how much.
    fn wish(&self, id: usize) -> (f64, f64) {
        let all: f64 = self.near[id].iter().map(|(_, weight)| weight).sum();
        if all == 0.0 {
            return (self.vertices[id].y, 0.1);
        }
        let sum: f64 =
            self.near[id].iter().map(|(one, weight)| self.vertices[*one].y * weight).sum();
        (sum / all, all)
    }

    /// The largest difference in height between a vertex of a column and one that it is joined to on the right.
    pub(super) fn steepest(&self, column: &[usize]) -> f64 {
        let rise = |from: usize, to: usize| (self.vertices[from].y - self.vertices[to].y).abs();
        let all =
            column.iter().flat_map(|&from| self.right[from].iter().map(move |&to| rise(from, to)));
        all.fold(0.0, f64::max)
    }
}

/// How many edges end at each place, such that those up to a place are soon counted (Fenwick).
struct Sums(Vec<usize>);

impl Sums {
    fn add(&mut self, place: usize) {
        let mut at = place + 1;
        while let Some(sum) = self.0.get_mut(at) {
            *sum += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many end at this place or above it.
    fn up_to(&self, place: usize) -> usize {
        let (mut at, mut sum) = (place + 1, 0);
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

/// The rising sequence nearest to this one (pool adjacent violators).
pub(super) fn rising(wanted: &[f64], weights: &[f64]) -> Vec<f64> {
    // A level, its weight, and how many share it.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (&value, &weight) in wanted.iter().zip(weights) {
        let mut pool = (value, weight, 1);
        while let Some(&(above, heavy, count)) = pools.last() {
            if above <= pool.0 {
                break;
            }
            pools.pop();
            let all = heavy + pool.1;
            pool = ((above * heavy + pool.0 * pool.1) / all, all, count + pool.2);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(value, _, count)| std::iter::repeat_n(value, count)).collect()
}
