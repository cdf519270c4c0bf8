//! Lays out the vectors of a node as a table: a column for each part, the result, and the conditions.

use crate::diagnostics::Span;
use crate::emit::label;
use crate::pnet::{Composite, Content, PNet, Vector};

use super::measure::mono;
use super::parts::{self, Slot};
use super::text::{LINE, Line, SMALL};

/// The height of a row of one line.
pub(super) const ROW: f64 = 21.0;
/// The room on both sides of what stands in a cell.
pub(super) const PAD: f64 = 9.0;
/// Longer actions and conditions are broken into lines.
pub(super) const LONGEST_ACTION: usize = 26;
pub(super) const LONGEST_GUARD: usize = 46;
/// So many rivals of a vector are shown.
const MOST_RIVALS: usize = 3;

/// A table of vectors, or of the transitions of an automaton.
#[derive(Clone, Debug)]
pub(in crate::emit) struct Table {
    /// How wide it is.
    pub(super) width: f64,
    /// How high it is.
    pub(super) height: f64,
    /// The columns.
    pub(super) columns: Vec<Column>,
    /// The rows: a height, and a cell for each column.
    pub(super) rows: Vec<(f64, Vec<Vec<Line>>)>,
    /// The texts that rows come from, where that is known.
    pub(super) texts: Vec<Option<Span>>,
    /// What is not shown.
    pub(super) more: Option<String>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(in crate::emit) struct Column {
    /// What it is about.
    pub(super) head: Line,
    /// How wide it is.
    pub(super) width: f64,
    /// Whether a line parts it from the one before.
    pub(super) ruled: bool,
}

impl Table {
    /// So many tables, which have the rows one after the other and are about equally high.
    pub(super) fn split(self, pieces: usize) -> Vec<Table> {
        let all: f64 = self.rows.iter().map(|(height, _)| height).sum();
        let mut found: Vec<Table> = Vec::new();
        let (mut above, mut next) = (0.0, 0.0);
        let mut texts = self.texts.into_iter();
        for row in self.rows {
            if above >= next - 0.01 && found.len() < pieces {
                found.push(Table {
                    height: ROW,
                    columns: self.columns.clone(),
                    rows: Vec::new(),
                    texts: Vec::new(),
                    more: None,
                    width: self.width,
                });
                next = all * found.len() as f64 / pieces as f64;
            }
            above += row.0;
            if let Some(piece) = found.last_mut() {
                piece.height += row.0;
                piece.rows.push(row);
                piece.texts.push(texts.next().flatten());
            }
        }
        if let (Some(last), Some(more)) = (found.last_mut(), self.more) {
            last.height += ROW;
            last.more = Some(more);
        }
        found
    }
}

impl Column {
    /// A column, as wide as its cells will make it.
    pub(in crate::emit) fn new(head: Line, ruled: bool) -> Column {
        Column { head, width: 0.0, ruled }
    }
}

/// The table of a node's vectors; none when there are no vectors.
pub(super) fn table(net: &PNet, node: &Composite) -> Option<Table> {
    let slots = parts::slots(node);
    let (vectors, left_out) = parts::vectors(node, &slots);
    if node.vectors.is_empty() {
        return None;
    }
    let mut columns: Vec<Column> = slots.iter().map(|slot| heading(node, *slot)).collect();
    columns.push(Column::new(Line::new("th", "result"), true));
    let guarded = vectors.iter().any(|vector| label::condition(net, vector.guard).is_some());
    let rivalled = vectors.iter().any(|vector| !vector.rivals.is_empty());
    for (word, wanted) in [("when", guarded), ("unless", rivalled)] {
        if wanted {
            columns.push(Column::new(Line::new("th", word), true));
        }
    }
    let (mut rows, mut texts) = (Vec::new(), Vec::new());
    for vector in vectors {
        texts.push(Some(net.origins.get(vector.origin).span));
        let mut cells: Vec<Vec<Line>> =
            slots.iter().map(|slot| member(net, vector, *slot)).collect();
        cells.push(Line::several("result", &label::term(net, vector.result), LONGEST_ACTION));
        if guarded {
            let guard = label::condition(net, vector.guard);
            let lines = guard.iter().flat_map(|text| Line::several("cond", text, LONGEST_GUARD));
            cells.push(lines.collect());
        }
        if rivalled {
            cells.push(rivals(net, node, vector));
        }
        rows.push(cells);
    }
    Some(Table { texts, ..measured(columns, rows, left_out) })
}

/// A table with its measures; some rows may have been left out.
pub(in crate::emit) fn measured(
    mut columns: Vec<Column>,
    rows: Vec<Vec<Vec<Line>>>,
    left_out: usize,
) -> Table {
    let high = |cells: &Vec<Vec<Line>>| cells.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let rows: Vec<(f64, Vec<Vec<Line>>)> =
        rows.into_iter().map(|cells| (ROW + LINE * (high(&cells) - 1) as f64, cells)).collect();
    for (at, column) in columns.iter_mut().enumerate() {
        let cells = rows.iter().filter_map(|(_, cells)| cells.get(at)).flatten();
        let widest = cells.map(Line::width).fold(column.head.width() * 1.04, f64::max);
        column.width = (widest + 2.0 * PAD).max(30.0);
    }
    let more = (left_out > 0).then(|| match rows.len() {
        0 => format!("{left_out} vectors"),
        _ => format!("… and {left_out} more"),
    });
    let all: f64 = rows.iter().map(|(height, _)| height).sum();
    let width = columns.iter().map(|column| column.width).sum::<f64>();
    let note = more.as_ref().map_or(0.0, |text| mono(text, SMALL) + 2.0 * PAD);
    let height = ROW + all + if more.is_some() { ROW } else { 0.0 };
    if let (true, Some(last)) = (note > width, columns.last_mut()) {
        last.width += note - width;
    }
    Table { width: width.max(note), height, columns, rows, texts: Vec::new(), more }
}

fn heading(node: &Composite, slot: Slot) -> Column {
    let head = match slot {
        Slot::Gap(_) => Line::new("muted", "…"),
        Slot::Part(part) => {
            let hole = matches!(node.parts[part].content, Content::Hole(_));
            let class = if hole { "th hole-name" } else { "th" };
            Line::new(class, &node.parts[part].name.to_string())
        }
    };
    Column::new(head, false)
}

fn member(net: &PNet, vector: &Vector, slot: Slot) -> Vec<Line> {
    let Slot::Part(part) = slot else { return vec![Line::new("dash", "")] };
    match vector.all_members().find(|(member, _)| member.part == part) {
        Some((member, optional)) => {
            let action = label::member(net, member.action);
            // Who may take part or not has a mark.
            let action = if optional { format!("{action}?") } else { action };
            Line::several("act", &action, LONGEST_ACTION)
        }
        None => vec![Line::new("dash", "–")],
    }
}

fn rivals(net: &PNet, node: &Composite, vector: &Vector) -> Vec<Line> {
    let texts: Vec<String> =
        vector.rivals.iter().map(|rival| label::rival(net, node, rival)).collect();
    let kept = if texts.len() > MOST_RIVALS { MOST_RIVALS - 1 } else { texts.len() };
    let own = net.origins.get(vector.origin).span;
    let mut lines: Vec<Line> = Vec::new();
    for (rival, text) in vector.rivals.iter().zip(&texts).take(kept) {
        // What a priority comes to is said by its ports, and in full where one points at it.
        let is_written = own.contains(rival.text) && own != rival.text;
        let shown = if is_written { text.clone() } else { label::ports(net, node, rival) };
        let mut of_rival = Line::several("cond", &shown, LONGEST_GUARD);
        if !is_written {
            of_rival.iter_mut().for_each(|line| line.whole = Some(text.clone()));
        }
        lines.extend(of_rival);
    }
    if kept < texts.len() {
        let rest = format!("… and {} more", texts.len() - kept);
        let pieces = vec![("muted", rest)];
        lines.push(Line { pieces, whole: Some(texts[kept..].join("\n")), lead: 0.0 });
    }
    lines
}
