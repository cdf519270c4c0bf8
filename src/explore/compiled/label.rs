//! Labels: what steps show, and what holes do, as words.

use super::expr::Builder;
use super::layout::Layouts;
use super::rule::LabelPart;
use super::values::Values;
use super::word::Word;
use crate::algebra::{ActionId, Algebra, Term, TermId, Terms, VarId};
use crate::base::Id;
use crate::explore::Value;
use crate::pnet::HoleId;

const TAU: u64 = 0;
const ACT: u64 = 1;
const SYNC: u64 = 2;
const CO: u64 = 3;
const OTHER: u64 = 4;

/// A word of a label: known, or the value of a term.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Word(u64),
    /// With the action and the place among its arguments.
    Term(TermId, Option<(ActionId, usize)>),
}

impl Part {
    /// The term whose value it is.
    pub fn term(&self) -> Option<TermId> {
        match self {
            Part::Word(_) => None,
            Part::Term(term, _) => Some(*term),
        }
    }

    /// With a register for the value.
    pub fn made(&self, builder: &mut Builder<'_>) -> LabelPart {
        match self {
            Part::Word(word) => LabelPart::Word(*word),
            Part::Term(term, place) => {
                let algebra = builder.world.algebra;
                let sort = place.map(|(action, at)| &algebra.action(action).sorts[at]);
                let layout = sort.and_then(|sort| builder.world.layouts.known(sort));
                LabelPart::Register(builder.term_into(*term, layout))
            }
        }
    }
}

/// What labels are about.
pub(super) struct About<'a> {
    pub terms: &'a Terms,
    pub others: &'a [VarId],
}

impl About<'_> {
    /// The label of a step: what it shows, then what holes do.
    pub fn parts(&self, shown: TermId, holes: &[(HoleId, TermId)]) -> Vec<Part> {
        let mut parts = Vec::new();
        self.action(shown, &mut parts);
        for &(hole, done) in holes {
            parts.push(Part::Word(hole.place() as u64));
            self.action(done, &mut parts);
        }
        parts
    }

    fn action(&self, id: TermId, parts: &mut Vec<Part>) {
        let mut at = id;
        loop {
            match self.terms.get(at) {
                Term::Sync(inner) => {
                    parts.push(Part::Word(SYNC));
                    at = *inner;
                }
                Term::Co(inner) => {
                    parts.push(Part::Word(CO));
                    at = *inner;
                }
                Term::Tau => return parts.push(Part::Word(TAU)),
                Term::Act(action, args) => {
                    parts.push(Part::Word(ACT | u64::from(action.0) << 8));
                    let args = args.iter().enumerate();
                    return parts
                        .extend(args.map(|(at, &arg)| Part::Term(arg, Some((*action, at)))));
                }
                Term::Var(var) => {
                    let number = self.others.iter().position(|other| other == var);
                    return parts.push(match number {
                        Some(number) => Part::Word(OTHER | (number as u64) << 8),
                        None => Part::Term(at, None),
                    });
                }
                // An action that depends on values: there is no word for it, and running it says so.
                _ => return parts.push(Part::Term(at, None)),
            }
        }
    }
}

/// Reads labels.
pub(super) struct Reader<'a> {
    pub algebra: &'a Algebra,
    pub layouts: &'a Layouts,
    pub values: Values<'a>,
}

impl Reader<'_> {
    /// What a label says.
    pub fn read(&self, label: &[u64]) -> (Value, Vec<(HoleId, Value)>) {
        let mut words = label.iter().copied();
        let shown = self.action(&mut words);
        let mut holes = Vec::new();
        while let Some(hole) = words.next() {
            holes.push((HoleId::at(hole as usize), self.action(&mut words)));
        }
        (shown, holes)
    }

    fn action(&self, words: &mut impl Iterator<Item = u64>) -> Value {
        let mut around = Vec::new();
        let mut value = loop {
            let word = words.next().unwrap_or(TAU);
            match word & 0xff {
                kind @ (SYNC | CO) => around.push(kind),
                OTHER => break Value::Other((word >> 8) as u32),
                ACT => break self.act(ActionId((word >> 8) as u32), words),
                _ => break Value::Tau,
            }
        };
        while let Some(kind) = around.pop() {
            let inner = Box::new(value);
            value = if kind == SYNC { Value::Sync(inner) } else { Value::Co(inner) };
        }
        value
    }

    fn act(&self, action: ActionId, words: &mut impl Iterator<Item = u64>) -> Value {
        let sorts = &self.algebra.action(action).sorts;
        let args = sorts.iter().map(|sort| {
            let word = words.next().unwrap_or(0) as Word;
            match self.layouts.known(sort) {
                Some(layout) => self.values.decode(layout, word),
                None => Value::Tau,
            }
        });
        Value::Act(action, args.collect())
    }
}
