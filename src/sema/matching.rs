//! Whether the arms of a `match` cover every form, and whether each can be reached.
//!
//! The usual algorithm on matrices of patterns (Maranget, "Warnings for pattern matching"): a row is useful
//! when there is a value that it matches and no row above does. The arms are exhaustive when a row of
//! wildcards after them is not useful; the value that makes it useful is what is missing.

use num_bigint::BigInt;

use super::pattern::constructor_name;
use super::program::{DataId, Pattern, PatternKind, Program, Sort};

/// What was found.
pub(super) struct Report {
    /// Forms that no arm covers, as people would write them.
    pub missing: Vec<String>,
    /// Arms that can never be reached.
    pub unreachable: Vec<usize>,
}

/// How many missing forms are shown.
const MOST_MISSING: usize = 3;

/// How many steps are taken: the question is exponential in the worst case, and a `match` that exhausts
/// this is not reported on at all.
const MOST_STEPS: usize = 200_000;

/// Looks at the arms of a `match` on a value of this sort.
pub(super) fn check(program: &Program, sort: Sort, arms: &[&Pattern]) -> Report {
    let mut search = Search { program, steps: 0 };
    let mut rows: Vec<Vec<Shape>> = Vec::new();
    let mut unreachable = Vec::new();
    for (index, pattern) in arms.iter().enumerate() {
        let row = vec![shape(pattern)];
        if search.useful(&rows, &row, &[sort]).is_none() && search.steps < MOST_STEPS {
            unreachable.push(index);
        }
        rows.push(row);
    }
    let mut missing = Vec::new();
    while missing.len() < MOST_MISSING {
        match search.useful(&rows, &[Shape::Any], &[sort]) {
            Some(witness) if search.steps < MOST_STEPS => {
                let [value] = witness.as_slice() else { break };
                missing.push(value.show(program));
                rows.push(vec![value.clone()]);
            }
            _ => break,
        }
    }
    Report { missing, unreachable }
}

/// Whether it is known that the arms of a `match` cover every form.
pub(super) fn is_covered(program: &Program, sort: Sort, arms: &[&Pattern]) -> bool {
    let mut search = Search { program, steps: 0 };
    let rows: Vec<Vec<Shape>> = arms.iter().map(|pattern| vec![shape(pattern)]).collect();
    search.useful(&rows, &[Shape::Any], &[sort]).is_none() && search.steps < MOST_STEPS
}

/// A pattern without what does not matter here.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    Any,
    Constructor(DataId, u32, Vec<Shape>),
    Bool(bool),
    Int(BigInt),
}

fn shape(pattern: &Pattern) -> Shape {
    match &pattern.kind {
        PatternKind::Construct(data, index, inner) => {
            Shape::Constructor(*data, *index, inner.iter().map(shape).collect())
        }
        PatternKind::Bool(value) => Shape::Bool(*value),
        PatternKind::Int(value) => Shape::Int(value.clone()),
        _ => Shape::Any,
    }
}

impl Shape {
    fn show(&self, program: &Program) -> String {
        match self {
            Shape::Any => "_".to_owned(),
            Shape::Bool(value) => value.to_string(),
            Shape::Int(value) => value.to_string(),
            Shape::Constructor(data, index, inner) => {
                let name = program.datas[data.index()].constructors[*index as usize].name.name;
                let inner: Vec<String> = inner.iter().map(|shape| shape.show(program)).collect();
                constructor_name(name, &inner)
            }
        }
    }

    /// The head of a shape, with as many fields of anything.
    fn head(&self, fields: usize) -> Shape {
        match self {
            Shape::Constructor(data, index, _) => {
                Shape::Constructor(*data, *index, vec![Shape::Any; fields])
            }
            other => other.clone(),
        }
    }

    /// What is left of a row whose first column is `self`, for values with this head.
    fn specialise(&self, head: &Shape, fields: usize) -> Option<Vec<Shape>> {
        match (self, head) {
            (Shape::Any, _) => Some(vec![Shape::Any; fields]),
            (Shape::Constructor(_, a, inner), Shape::Constructor(_, b, _)) => {
                (a == b).then(|| inner.clone())
            }
            (a, b) => (a == b).then(Vec::new),
        }
    }
}

struct Search<'p> {
    program: &'p Program,
    steps: usize,
}

impl Search<'_> {
    /// Values that the row matches and none of the rows above, one per column.
    fn useful(&mut self, rows: &[Vec<Shape>], row: &[Shape], sorts: &[Sort]) -> Option<Vec<Shape>> {
        self.steps += 1 + rows.len();
        if self.steps >= MOST_STEPS {
            return None;
        }
        let ([first, rest @ ..], [sort, rest_sorts @ ..]) = (row, sorts) else {
            return rows.is_empty().then(Vec::new);
        };
        if *first != Shape::Any {
            return self.useful_with(rows, first, rest, rest_sorts);
        }
        let heads = self.all_heads(*sort);
        let used: Vec<&Shape> = rows.iter().filter_map(|row| row.first()).collect();
        let complete = heads.as_ref().is_some_and(|heads| {
            heads.iter().all(|head| used.iter().any(|shape| shape.same_head(head)))
        });
        if complete {
            let heads = heads.unwrap_or_default();
            return heads.iter().find_map(|head| self.useful_with(rows, head, rest, rest_sorts));
        }
        // Some head is used by no row: only rows that start with a wildcard matter.
        let below: Vec<Vec<Shape>> = rows
            .iter()
            .filter(|row| row.first() == Some(&Shape::Any))
            .map(|row| row[1..].to_vec())
            .collect();
        let mut witness = self.useful(&below, rest, rest_sorts)?;
        let unused = heads.and_then(|heads| {
            heads.into_iter().find(|head| !used.iter().any(|shape| shape.same_head(head)))
        });
        let example = if used.iter().all(|shape| **shape == Shape::Any) { None } else { unused };
        witness.insert(0, example.unwrap_or(Shape::Any));
        Some(witness)
    }

    fn useful_with(
        &mut self,
        rows: &[Vec<Shape>],
        first: &Shape,
        rest: &[Shape],
        rest_sorts: &[Sort],
    ) -> Option<Vec<Shape>> {
        let field_sorts = self.field_sorts(first);
        let fields = field_sorts.len();
        let head = first.head(fields);
        let specialised: Vec<Vec<Shape>> = rows
            .iter()
            .filter_map(|row| {
                let mut columns = row[0].specialise(&head, fields)?;
                columns.extend_from_slice(&row[1..]);
                Some(columns)
            })
            .collect();
        let mut row = first.specialise(&head, fields)?;
        row.extend_from_slice(rest);
        let sorts: Vec<Sort> = field_sorts.into_iter().chain(rest_sorts.iter().copied()).collect();
        let mut witness = self.useful(&specialised, &row, &sorts)?;
        let others = witness.split_off(fields.min(witness.len()));
        let value = match head {
            Shape::Constructor(data, index, _) => Shape::Constructor(data, index, witness),
            other => other,
        };
        Some(std::iter::once(value).chain(others).collect())
    }

    fn field_sorts(&self, head: &Shape) -> Vec<Sort> {
        match head {
            Shape::Constructor(data, index, _) => {
                let constructor = &self.program.datas[data.index()].constructors[*index as usize];
                constructor.fields.iter().map(|field| field.1).collect()
            }
            _ => Vec::new(),
        }
    }

    /// All heads that values of a sort can have, if they are few.
    fn all_heads(&self, sort: Sort) -> Option<Vec<Shape>> {
        match sort {
            Sort::Bool => Some(vec![Shape::Bool(true), Shape::Bool(false)]),
            Sort::Data(data) => {
                let constructors = self.program.datas[data.index()].constructors.iter().enumerate();
                let head = |(index, constructor): (usize, &super::program::ConstructorDef)| {
                    let fields = vec![Shape::Any; constructor.fields.len()];
                    Shape::Constructor(data, index as u32, fields)
                };
                Some(constructors.map(head).collect())
            }
            _ => None,
        }
    }
}

impl Shape {
    fn same_head(&self, other: &Shape) -> bool {
        match (self, other) {
            (Shape::Constructor(_, a, _), Shape::Constructor(_, b, _)) => a == b,
            (Shape::Any, _) | (_, Shape::Any) => false,
            (a, b) => a == b,
        }
    }
}
