//! Draws automata of any size, as far as one can follow them: arrows that would go too far are words below the state that
//! they leave, and what is much wider than high goes on below, like the lines of a text.

use std::collections::BTreeMap;

use super::automaton::{Automaton, Graph, Ranks};
use super::text::Line;

/// So many vertices a drawing may have, and so many more for each state.
const VERTICES: usize = 1200;
const FOR_EACH: usize = 4;
/// What is easy to follow: so many states or arrows, and so many arrows for two states.
const FEW: usize = 40;
const ARROWS: usize = 5;
/// How much wider than high a good picture is, and from which width on this matters.
const SHAPE: f64 = 1.6;
const SCREEN: f64 = 1400.0;
/// Between two rows.
const BETWEEN: f64 = 26.0;
/// So many lines stand below a state, of at most so many letters, with so many states each.
const MOST_LINES: usize = 5;
const LONGEST: usize = 26;
const MOST_TARGETS: usize = 5;

impl Graph {
    /// The drawing. Not all arrows may be arrows.
    pub(in crate::emit) fn draw_folded(mut self) -> Automaton {
        if self.states.is_empty() {
            return Automaton::default();
        }
        let ranks = self.near_enough();
        let whole = self.clone().laid_out(&ranks);
        let rows = (whole.width / (SHAPE * (whole.height + BETWEEN))).sqrt();
        if whole.width < SCREEN || rows < 1.5 {
            return whole;
        }
        let cuts = self.cuts(&ranks, rows.round() as usize);
        let row = |state: usize| row_of(&cuts, ranks[state].0);
        let between = self.labels.keys().filter(|(a, b)| row(*a) != row(*b)).count();
        // What is torn to pieces is harder to follow than what is wide.
        if between > self.labels.len() / 4 { whole } else { self.in_rows(&ranks, &cuts) }
    }

    /// Sees to it that one can follow the arrows: where there are too many, states stand in columns by their distance, and
    /// only arrows to the next column are arrows, first of all those by which a state is met first.
    fn near_enough(&mut self) -> Ranks {
        let mut ranks = self.ranks();
        if !self.is_crowded(&ranks) {
            return ranks;
        }
        for (state, far) in self.met() {
            ranks[state].0 = far;
        }
        let is_next = |&(a, b): &(usize, usize)| ranks[a].0 + 1 == ranks[b].0;
        let mut first = vec![usize::MAX; self.states.len()];
        for &(a, b) in self.labels.keys().filter(|ends| is_next(ends)) {
            first[b] = first[b].min(ranks[a].1);
        }
        let mut arrows: Vec<(usize, usize)> =
            self.labels.keys().filter(|(a, b)| a != b).copied().collect();
        arrows.sort_by_key(|&(a, b)| (!is_next(&(a, b)), first[b] != ranks[a].1, a, b));
        let next = arrows.iter().take_while(|ends| is_next(ends)).count();
        let far = arrows.split_off(next.min(FEW + self.states.len() * ARROWS / 2));
        self.say_instead(far);
        ranks
    }

    /// Whether there are too many arrows, or too long ones.
    fn is_crowded(&self, ranks: &[(usize, usize)]) -> bool {
        let (states, arrows) = (self.states.len(), self.labels.len());
        let is_dense = arrows > FEW + ARROWS * states;
        let is_large = states > FEW && arrows > states * ARROWS / 2;
        is_dense || is_large || self.vertices(ranks) > VERTICES + FOR_EACH * states
    }

    /// Says some arrows in words.
    fn say_instead(&mut self, arrows: Vec<(usize, usize)>) {
        let mut leaving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (from, to) in arrows {
            leaving.entry(from).or_default().push(to);
        }
        for (from, mut targets) in leaving {
            targets.sort_unstable();
            let mut lines = self.references(from, &targets);
            self.states[from].below.append(&mut lines);
            targets.iter().for_each(|to| drop(self.labels.remove(&(from, *to))));
        }
    }

    /// What is said of arrows from a state: those with the same label on one line.
    fn references(&self, from: usize, targets: &[usize]) -> Vec<Line> {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for to in targets {
            let said = self.labels.get(&(from, *to)).map_or_else(String::new, |lines| flat(lines));
            let short = self.states[*to].short.as_str();
            match groups.iter_mut().find(|(known, _)| *known == said) {
                Some((_, shorts)) => shorts.push(short),
                None => groups.push((said, vec![short])),
            }
        }
        let mut lines: Vec<Line> = groups.iter().map(reference).collect();
        if lines.len() > MOST_LINES {
            let all: Vec<String> =
                groups.iter().map(|(said, to)| format!("{said} → {}", to.join(", "))).collect();
            lines.truncate(MOST_LINES - 1);
            let mut rest = Line::new("muted", &format!("… to {} in all", targets.len()));
            rest.whole = Some(all.join("\n"));
            lines.push(rest);
        }
        lines
    }

    // ---- rows ----

    /// The columns with which new rows begin: near to where rows are equally long, and where few arrows are cut.
    fn cuts(&self, ranks: &[(usize, usize)], rows: usize) -> Vec<usize> {
        let columns = ranks.iter().map(|rank| rank.0 + 1).max().unwrap_or(1);
        let mut cut = vec![0_usize; columns + 1];
        for (a, b) in self.labels.keys() {
            let (low, high) = (ranks[*a].0.min(ranks[*b].0), ranks[*a].0.max(ranks[*b].0));
            (low + 1..=high).for_each(|column| cut[column] += 1);
        }
        let around = columns / (4 * rows);
        let best = |row: usize| {
            let ideal = row * columns / rows;
            let near = ideal.saturating_sub(around).max(1)..=(ideal + around).min(columns - 1);
            near.min_by_key(|column| (cut[*column], column.abs_diff(ideal), *column))
        };
        let mut cuts: Vec<usize> = (1..rows).filter_map(best).collect();
        cuts.dedup();
        cuts
    }

    /// Draws each row by itself.
    fn in_rows(mut self, ranks: &[(usize, usize)], cuts: &[usize]) -> Automaton {
        let row = |state: usize| row_of(cuts, ranks[state].0);
        let between = self.labels.keys().filter(|(a, b)| row(*a) != row(*b)).copied().collect();
        self.say_instead(between);
        let mut rows: Vec<(Graph, Ranks)> = Vec::new();
        rows.resize_with(cuts.len() + 1, || {
            (Graph { initial: usize::MAX, ..Graph::default() }, Vec::new())
        });
        let mut numbers = Vec::new();
        for (state, shown) in std::mem::take(&mut self.states).into_iter().enumerate() {
            let (graph, own) = &mut rows[row(state)];
            if state == self.initial {
                graph.initial = graph.states.len();
            }
            let first = row(state).checked_sub(1).map_or(0, |before| cuts[before]);
            numbers.push(graph.states.len());
            graph.states.push(shown);
            own.push((ranks[state].0 - first, ranks[state].1));
        }
        for ((a, b), lines) in std::mem::take(&mut self.labels) {
            let (graph, ends) = (&mut rows[row(a)].0, (numbers[a], numbers[b]));
            graph.labels.insert(ends, lines);
            if self.silent.contains(&(a, b)) {
                graph.silent.insert(ends);
            }
        }
        below_each_other(rows)
    }
}

/// The row of a column.
fn row_of(cuts: &[usize], column: usize) -> usize {
    cuts.partition_point(|cut| *cut <= column)
}

fn below_each_other(rows: Vec<(Graph, Ranks)>) -> Automaton {
    let mut all = Automaton::default();
    for (graph, ranks) in rows {
        let mut row = graph.laid_out(&ranks);
        let top = if all.height > 0.0 { all.height + BETWEEN } else { 0.0 };
        row.moved(|point| point.1 += top);
        all.height = top + row.height;
        all.width = all.width.max(row.width);
        all.states.append(&mut row.states);
        all.arrows.append(&mut row.arrows);
        all.notes.append(&mut row.notes);
    }
    all
}

/// The text of some lines on one.
fn flat(lines: &[Line]) -> String {
    let texts = lines.iter().map(|line| {
        line.pieces.iter().map(|(_, text)| text.as_str()).collect::<String>().trim().to_owned()
    });
    texts.collect::<Vec<_>>().join(" ")
}

fn reference((said, targets): &(String, Vec<&str>)) -> Line {
    let whole = format!("{said} → {}", targets.join(", "));
    let mut line = Line::new("act", &shortened(said));
    let shown = targets.iter().take(MOST_TARGETS).copied().collect::<Vec<_>>().join(", ");
    let rest = if targets.len() > MOST_TARGETS { ", …" } else { "" };
    line.pieces.push(("muted", " → ".to_owned()));
    line.pieces.push(("number", format!("{shown}{rest}")));
    let told: String = line.pieces.iter().map(|(_, text)| text.as_str()).collect();
    line.whole = (told != whole).then_some(whole);
    line
}

/// A text of not too many letters.
fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let kept: String = text.chars().take(LONGEST - 1).collect();
    format!("{kept}…")
}
