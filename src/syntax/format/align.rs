//! Writes consecutive transitions, vectors or connectors as a table.

use super::WIDTH;
use super::lines::{Line, fits};
use super::roles::{Column, Kind, Role};
use super::wrap::Page;
use super::writer::Writer;

/// How many of these lines, from the first, are written as one table.
pub fn run(page: Page<'_>, lines: &[Line]) -> usize {
    let Some(kind) = lines.first().and_then(|line| table_kind(page, line)) else { return 0 };
    let goes_on = |line: &&Line| !line.blank && table_kind(page, line) == Some(kind);
    1 + lines.iter().skip(1).take_while(goes_on).count()
}

/// The kind of the statement, if it can be a line of a table.
fn table_kind(page: Page<'_>, line: &Line) -> Option<Kind> {
    let last = page.pieces.get(line.end.checked_sub(1)?)?;
    if last.role != Role::Semicolon || line.is_comment {
        return None;
    }
    let first_column = match last.kind {
        Kind::Transition | Kind::Vector => Column::Arrow,
        Kind::Connect => Column::Colon,
        Kind::Pair => Column::None,
        _ => return None,
    };
    let pieces = &page.pieces[line.start..line.end];
    let whole = pieces.iter().any(|piece| piece.column == first_column)
        && pieces[0].role != Role::CloseBrace;
    (whole && fits(page.pieces, line)).then_some(last.kind)
}

/// A part of a line, from where a column starts.
#[derive(Clone, Copy)]
struct Cell {
    column: Column,
    /// Which of the members it is.
    member: usize,
    /// Whether it is the first of the clauses.
    is_first_clause: bool,
    width: usize,
}

/// Which columns are aligned: members or not, and up to which of the others.
#[derive(Clone, Copy)]
struct Plan {
    members: bool,
    last: Column,
    /// Whether the first clause of each line stands in one column, whichever it is.
    one_clause: bool,
}

/// What to try, the best first, until the lines are short enough.
const PLANS: [Plan; 6] = [
    Plan { members: true, last: Column::For, one_clause: false },
    Plan { members: true, last: Column::When, one_clause: true },
    Plan { members: false, last: Column::For, one_clause: false },
    Plan { members: false, last: Column::When, one_clause: true },
    Plan { members: false, last: Column::Colon, one_clause: false },
    Plan { members: false, last: Column::Arrow, one_clause: false },
];

/// Writes lines as a table.
pub fn write(page: Page<'_>, lines: &[Line], out: &mut Writer) {
    let mut starts = Table::new(page, lines).best().into_iter();
    for line in lines {
        if line.blank {
            out.blank_line();
        }
        out.pad(line.indent);
        starts.next();
        for at in line.start..line.end {
            if is_cell(page, line, at) {
                out.pad(starts.next().unwrap_or(0).max(out.width() + 1));
            } else if at > line.start && page.pieces[at].space {
                out.space();
            }
            page.put_piece(at, out);
        }
        page.end_line(line, out);
    }
}

/// Whether a column that can be aligned starts at this piece.
fn is_cell(page: Page<'_>, line: &Line, at: usize) -> bool {
    let (column, kind) = (page.pieces[at].column, page.pieces[line.end - 1].kind);
    // The parts of a connector are too uneven for more than their names to be in a column.
    at > line.start && column != Column::None && (kind != Kind::Connect || column == Column::Colon)
}

struct Table {
    indent: usize,
    /// The cells of all lines; the first of each line starts it.
    cells: Vec<Cell>,
    /// Where each line's cells start.
    lines: Vec<usize>,
    /// Whether each line is too long to be aligned with the others.
    excluded: Vec<bool>,
}

/// How far a line has come.
#[derive(Clone, Copy)]
struct Reached {
    /// Its next cell, and the first of the next line.
    next: usize,
    end: usize,
    width: usize,
}

impl Table {
    fn new(page: Page<'_>, lines: &[Line]) -> Table {
        let indent = lines.first().map_or(0, |line| line.indent);
        let excluded = vec![false; lines.len()];
        let mut table = Table { indent, cells: Vec::new(), lines: Vec::new(), excluded };
        for line in lines {
            table.lines.push(table.cells.len());
            table.add(page, line);
        }
        table
    }

    fn add(&mut self, page: Page<'_>, line: &Line) {
        let empty = Cell { column: Column::None, member: 0, is_first_clause: false, width: 0 };
        let mut cell = empty;
        let (mut members, mut clauses) = (0, 0);
        // The `;` is in no column.
        for at in line.start..line.end - 1 {
            let piece = &page.pieces[at];
            if is_cell(page, line, at) {
                self.cells.push(cell);
                members += usize::from(piece.column == Column::Member);
                clauses += usize::from(piece.column >= Column::When);
                let member = if piece.column == Column::Member { members } else { 0 };
                let is_first_clause = piece.column >= Column::When && clauses == 1;
                cell = Cell { column: piece.column, member, is_first_clause, width: 0 };
            }
            let space = usize::from(piece.space && cell.width > 0);
            cell.width += space + piece.width as usize;
        }
        self.cells.push(cell);
    }

    /// Where each cell starts, but for the first of each line.
    fn best(&mut self) -> Vec<usize> {
        if let Some(starts) = PLANS.iter().find_map(|plan| self.starts(*plan).ok()) {
            return starts;
        }
        // Without the lines that no plan makes short enough, there is one that does.
        if let Some(Err(excluded)) = PLANS.last().map(|plan| self.starts(*plan)) {
            self.excluded = excluded;
        }
        PLANS.iter().find_map(|plan| self.starts(*plan).ok()).unwrap_or_default()
    }

    /// Where each cell starts, or which lines would be too long.
    fn starts(&self, plan: Plan) -> Result<Vec<usize>, Vec<bool>> {
        let mut starts = vec![0; self.cells.len()];
        let mut reached = self.first_cells();
        for column in self.columns() {
            self.place(column, plan, &mut reached, &mut starts);
        }
        let too_long = |line: &Reached| line.width + ";".len() > WIDTH;
        if reached.iter().any(too_long) {
            Err(reached.iter().map(too_long).collect())
        } else {
            Ok(starts)
        }
    }

    fn first_cells(&self) -> Vec<Reached> {
        let ends = self.lines.iter().skip(1).copied().chain([self.cells.len()]);
        let first = |(start, end): (&usize, usize)| {
            let width = self.indent + self.cells[*start].width;
            Reached { next: start + 1, end, width }
        };
        self.lines.iter().zip(ends).map(first).collect()
    }

    /// The columns that a line can have, from left to right.
    fn columns(&self) -> impl Iterator<Item = (Column, usize)> {
        let members = self.cells.iter().map(|cell| cell.member).max().unwrap_or(0);
        let others = [Column::Arrow, Column::Colon, Column::When, Column::Do, Column::For];
        let members = (1..=members).map(|member| (Column::Member, member));
        members.chain(others.map(|column| (column, 0)))
    }

    /// Places the cells of one column.
    fn place(
        &self,
        column: (Column, usize),
        plan: Plan,
        reached: &mut [Reached],
        starts: &mut [usize],
    ) {
        let is_member = column.0 == Column::Member;
        let aligned = if is_member { plan.members } else { column.0 <= plan.last };
        let has =
            |line: &Reached| line.next < line.end && self.cells[line.next].column(plan) == column;
        let lines = reached.iter().zip(&self.excluded);
        let counted = lines.filter(|(line, excluded)| !**excluded && (!is_member || has(line)));
        let start = counted.map(|(line, _)| line.width + 1).max().unwrap_or(0);
        for (line, excluded) in reached.iter_mut().zip(&self.excluded) {
            if has(line) {
                starts[line.next] = if aligned && !excluded { start } else { line.width + 1 };
                line.width = starts[line.next] + self.cells[line.next].width;
                line.next += 1;
            }
        }
    }
}

impl Cell {
    /// Its column, and which of several.
    fn column(&self, plan: Plan) -> (Column, usize) {
        let merged = plan.one_clause && self.is_first_clause;
        if merged { (Column::When, 0) } else { (self.column, self.member) }
    }
}
