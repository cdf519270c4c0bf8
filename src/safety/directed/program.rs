//! Terms made ready to be evaluated with spans, over and over: a list of operations each, innermost first.

use rustc_hash::FxHashMap;

use super::span::Span;
use crate::algebra::{Algebra, ConstId, Sort, Term, TermId, Terms, VarId};
use crate::tagged_id;

tagged_id! {
    /// Something that has a span: a variable of the state, or a symbolic constant.
    SlotId
}

/// The slots of a problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    pub variables: FxHashMap<VarId, SlotId>,
    pub constants: FxHashMap<ConstId, SlotId>,
}

/// An operation on what operations before it came to, each known by its place in the list.
#[derive(Clone, Debug)]
enum Operation {
    Known(Span),
    Slot(SlotId),
    Not(usize),
    And(Box<[usize]>),
    Or(Box<[usize]>),
    Add(Box<[usize]>),
    Multiply(Box<[usize]>),
    Divide(usize, usize),
    Remainder(usize, usize),
    Same(usize, usize, bool),
    Less(usize, usize),
    If(usize, usize, usize),
    /// One or the other.
    Either(usize, usize),
    /// What is inside.
    As(usize),
}

/// A term that can be evaluated.
#[derive(Clone, Debug)]
pub(super) struct Program {
    operations: Vec<Operation>,
    /// What it reads.
    pub reads: Vec<SlotId>,
}

impl Program {
    pub fn new(algebra: &Algebra, terms: &Terms, slots: &Slots, root: TermId) -> Program {
        let mut compiler = Compiler {
            algebra,
            terms,
            slots,
            places: FxHashMap::default(),
            program: Program { operations: Vec::new(), reads: Vec::new() },
        };
        compiler.compile(root);
        let mut program = compiler.program;
        program.reads.sort_unstable();
        program.reads.dedup();
        program
    }

    /// The same, denied.
    pub fn denied(mut self) -> Program {
        let last = self.operations.len().saturating_sub(1);
        self.operations.push(Operation::Not(last));
        self
    }

    /// What it comes to.
    pub fn span(&self, scratch: &mut Vec<Span>, of: impl Fn(SlotId) -> Span) -> Span {
        scratch.clear();
        for operation in &self.operations {
            let span = operation.span(scratch, &of);
            scratch.push(span);
        }
        scratch.last().copied().unwrap_or(Span::ANY)
    }
}

impl Operation {
    fn span(&self, done: &[Span], of: &impl Fn(SlotId) -> Span) -> Span {
        let all = |places: &[usize], start: Span, join: fn(Span, Span) -> Span| {
            places.iter().map(|&place| done[place]).fold(start, join)
        };
        match self {
            Operation::Known(span) => *span,
            Operation::Slot(slot) => of(*slot),
            Operation::Not(a) => done[*a].not(),
            Operation::And(parts) => all(parts, Span::YES, |a, b| Span {
                least: a.least.min(b.least),
                largest: a.largest.min(b.largest),
            }),
            Operation::Or(parts) => all(parts, Span::NO, |a, b| Span {
                least: a.least.max(b.least),
                largest: a.largest.max(b.largest),
            }),
            Operation::Add(parts) => all(parts, Span::just(0), Span::plus),
            Operation::Multiply(parts) => all(parts, Span::just(1), Span::times),
            Operation::Divide(a, b) => done[*a].divided(done[*b]),
            Operation::Remainder(a, b) => done[*a].remainder(done[*b]),
            Operation::Same(a, b, exact) => done[*a].same(done[*b], *exact),
            Operation::Less(a, b) => done[*a].less(done[*b]),
            Operation::If(condition, yes, no) => match done[*condition] {
                Span::YES => done[*yes],
                Span::NO => done[*no],
                _ => done[*yes].or(done[*no]),
            },
            Operation::Either(a, b) => done[*a].or(done[*b]),
            Operation::As(a) => done[*a],
        }
    }
}

struct Compiler<'c> {
    algebra: &'c Algebra,
    terms: &'c Terms,
    slots: &'c Slots,
    places: FxHashMap<TermId, usize>,
    program: Program,
}

impl Compiler<'_> {
    /// Terms can be deep: with a stack of its own.
    fn compile(&mut self, root: TermId) {
        let mut work = vec![root];
        while let Some(&id) = work.last() {
            if self.places.contains_key(&id) {
                work.pop();
                continue;
            }
            let inside = self.inside(id);
            let missing: Vec<TermId> =
                inside.into_iter().filter(|inner| !self.places.contains_key(inner)).collect();
            if missing.is_empty() {
                work.pop();
                let operation = self.operation(id);
                if let Operation::Slot(slot) = operation {
                    self.program.reads.push(slot);
                }
                self.places.insert(id, self.program.operations.len());
                self.program.operations.push(operation);
            } else {
                work.extend(missing);
            }
        }
    }

    /// What must be known first. What is bound is not looked into.
    fn inside(&self, id: TermId) -> Vec<TermId> {
        match self.terms.get(id) {
            Term::Forall(..) | Term::Exists(..) => Vec::new(),
            Term::Const(constant) => {
                self.algebra.constants[constant.index()].value.into_iter().collect()
            }
            _ => self.terms.children(id),
        }
    }

    fn at(&self, id: TermId) -> usize {
        self.places.get(&id).copied().unwrap_or_default()
    }

    fn operation(&mut self, id: TermId) -> Operation {
        let all = |parts: &[TermId]| parts.iter().map(|&part| self.at(part)).collect();
        match self.terms.get(id) {
            Term::Bool(value) => Operation::Known(Span::truth(*value)),
            Term::Int(value) => Operation::Known(Span::number(value)),
            Term::Var(var) => self.slot(self.slots.variables.get(var).copied(), || {
                self.any_of(&self.terms.var(*var).sort)
            }),
            Term::Const(constant) => match self.algebra.constants[constant.index()].value {
                Some(value) => Operation::As(self.at(value)),
                None => self.slot(self.slots.constants.get(constant).copied(), || Span::ANY),
            },
            Term::Construct(_, constructor, _) => {
                Operation::Known(Span::just(i64::from(*constructor)))
            }
            Term::Not(a) => Operation::Not(self.at(*a)),
            Term::And(parts) => Operation::And(all(parts)),
            Term::Or(parts) => Operation::Or(all(parts)),
            Term::Add(parts) => Operation::Add(all(parts)),
            Term::Multiply(parts) => Operation::Multiply(all(parts)),
            Term::Div(a, b) => Operation::Divide(self.at(*a), self.at(*b)),
            Term::Mod(a, b) => Operation::Remainder(self.at(*a), self.at(*b)),
            Term::Equal(a, b) => Operation::Same(self.at(*a), self.at(*b), self.is_exact(*a)),
            Term::Less(a, b) => Operation::Less(self.at(*a), self.at(*b)),
            Term::If(condition, yes, no) => {
                Operation::If(self.at(*condition), self.at(*yes), self.at(*no))
            }
            Term::Index(array, _) => Operation::As(self.at(*array)),
            Term::Update(array, _, value) => Operation::Either(self.at(*array), self.at(*value)),
            Term::ConstArray(_, value) => Operation::As(self.at(*value)),
            Term::LessEqual(a, b) => {
                // `a <= b` is not `b < a`.
                let less = Operation::Less(self.at(*b), self.at(*a));
                self.program.operations.push(less);
                Operation::Not(self.program.operations.len() - 1)
            }
            Term::IsConstructor(_, constructor, value) => {
                let wanted = Operation::Known(Span::just(i64::from(*constructor)));
                self.program.operations.push(wanted);
                let last = self.program.operations.len() - 1;
                Operation::Same(self.at(*value), last, true)
            }
            Term::Forall(..)
            | Term::Exists(..)
            | Term::IsAct(..)
            | Term::IsSync(_)
            | Term::IsCo(_) => Operation::Known(Span::EITHER),
            Term::Apply(..)
            | Term::Select(..)
            | Term::Act(..)
            | Term::Tau
            | Term::Sync(_)
            | Term::Co(_)
            | Term::Argument(..)
            | Term::Inner(_) => Operation::Known(Span::ANY),
        }
    }

    fn slot(&self, slot: Option<SlotId>, any: impl Fn() -> Span) -> Operation {
        slot.map_or_else(|| Operation::Known(any()), Operation::Slot)
    }

    /// Any value of a sort.
    fn any_of(&self, sort: &Sort) -> Span {
        match sort {
            Sort::Bool => Span::EITHER,
            Sort::Range(low, high) => match (self.terms.as_int(*low), self.terms.as_int(*high)) {
                (Some(low), Some(high)) => {
                    let (low, high) = (Span::number(low), Span::number(high));
                    Span {
                        least: low.least,
                        largest: high.largest.saturating_sub(1).max(low.least),
                    }
                }
                _ => Span::ANY,
            },
            _ => Span::ANY,
        }
    }

    /// Whether values of the sort of a term are the same where their numbers are.
    fn is_exact(&self, id: TermId) -> bool {
        match crate::algebra::sort_of(self.algebra, self.terms, id) {
            Sort::Bool | Sort::Int | Sort::Range(..) | Sort::Abstract(_) => true,
            Sort::Data(data) => {
                let constructors = &self.algebra.datatypes[data.index()].constructors;
                constructors.iter().all(|one| one.fields.is_empty())
            }
            _ => false,
        }
    }
}
