//! How terms are made. What can be simplified at once is: constants are folded, `and` and `or` are flat, double negations
//! vanish.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::{ActionId, DataId, Term, TermId, Terms};

impl Terms {
    /// The opposite.
    pub fn not(&mut self, inner: TermId) -> TermId {
        match self.get(inner) {
            Term::Bool(value) => {
                let value = !*value;
                self.bool(value)
            }
            Term::Not(twice) => *twice,
            _ => self.raw(Term::Not(inner)),
        }
    }

    /// All of these.
    pub fn and(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(operands, true)
    }

    /// One of these.
    pub fn or(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(operands, false)
    }

    fn junction(&mut self, operands: impl IntoIterator<Item = TermId>, neutral: bool) -> TermId {
        let mut flat: Vec<TermId> = Vec::new();
        for operand in operands {
            match (self.get(operand), neutral) {
                (Term::Bool(value), _) if *value == neutral => {}
                (Term::Bool(_), _) => return self.bool(!neutral),
                (Term::And(inner), true) | (Term::Or(inner), false) => flat.extend(inner.iter()),
                _ => flat.push(operand),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        flat.retain(|id| seen.insert(*id));
        match flat.as_slice() {
            [] => self.bool(neutral),
            [only] => *only,
            _ if neutral => self.raw(Term::And(flat.into())),
            _ => self.raw(Term::Or(flat.into())),
        }
    }

    /// The first implies the second.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// The sum.
    pub fn add(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        let mut constant = BigInt::zero();
        let mut rest: Vec<TermId> = Vec::new();
        for operand in operands {
            match self.get(operand) {
                Term::Int(value) => constant += &**value,
                Term::Add(inner) => {
                    for part in inner.clone() {
                        match self.as_int(part) {
                            Some(value) => constant += value,
                            None => rest.push(part),
                        }
                    }
                }
                _ => rest.push(operand),
            }
        }
        if !constant.is_zero() || rest.is_empty() {
            let constant = self.int(constant);
            rest.push(constant);
        }
        match rest.as_slice() {
            [only] => *only,
            _ => self.raw(Term::Add(rest.into())),
        }
    }

    /// The product.
    pub fn multiply(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        let mut constant = BigInt::from(1);
        let mut rest: Vec<TermId> = Vec::new();
        for operand in operands {
            match self.get(operand) {
                Term::Int(value) => constant *= &**value,
                _ => rest.push(operand),
            }
        }
        if constant.is_zero() || rest.is_empty() {
            return self.int(constant);
        }
        if constant != BigInt::from(1) {
            let constant = self.int(constant);
            rest.insert(0, constant);
        }
        match rest.as_slice() {
            [only] => *only,
            _ => self.raw(Term::Multiply(rest.into())),
        }
    }

    /// The opposite number.
    pub fn negate(&mut self, inner: TermId) -> TermId {
        let minus_one = self.int(-1);
        self.multiply([minus_one, inner])
    }

    /// Quotient and remainder where both numbers are known: the remainder is never negative.
    pub(super) fn divided(&self, a: TermId, b: TermId) -> Option<(BigInt, BigInt)> {
        let (a, b) = (self.as_int(a)?, self.as_int(b)?);
        if b.is_zero() {
            return None;
        }
        let remainder = a.mod_floor(&b.abs());
        Some(((a - &remainder) / b, remainder))
    }

    /// The quotient.
    pub fn div(&mut self, a: TermId, b: TermId) -> TermId {
        match self.divided(a, b) {
            Some((quotient, _)) => self.int(quotient),
            None => self.raw(Term::Div(a, b)),
        }
    }

    /// Whether a term is a value: nothing else can be equal to it but itself.
    pub fn is_value(&self, id: TermId) -> bool {
        match self.get(id) {
            Term::Bool(_) | Term::Int(_) | Term::Tau => true,
            Term::Construct(_, _, args) | Term::Act(_, args) => {
                args.iter().all(|&a| self.is_value(a))
            }
            Term::Sync(inner) | Term::Co(inner) => self.is_value(*inner),
            _ => false,
        }
    }

    /// Whether two terms are the same.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool(true);
        }
        if self.is_value(a) && self.is_value(b) {
            return self.bool(false);
        }
        if let Some(equal) = self.equal_actions(a, b) {
            return equal;
        }
        if let Some(same) = self.same_numbers(a, b) {
            return self.bool(same);
        }
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            _ => self.raw(Term::Equal(a, b)),
        }
    }

    /// When two actions are equal whose forms are known.
    fn equal_actions(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.get(a).clone(), self.get(b).clone()) {
            (Term::Act(p, xs), Term::Act(q, ys)) if p == q => {
                let pairs = xs.iter().zip(&*ys);
                let all: Vec<TermId> = pairs.map(|(&x, &y)| self.equal(x, y)).collect();
                Some(self.and(all))
            }
            (Term::Sync(x), Term::Sync(y)) | (Term::Co(x), Term::Co(y)) => Some(self.equal(x, y)),
            (
                Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_),
                Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_),
            ) => Some(self.bool(false)),
            _ => None,
        }
    }

    /// Less.
    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) => {
                let value = x < y;
                self.bool(value)
            }
            _ if a == b => self.bool(false),
            _ => self.raw(Term::Less(a, b)),
        }
    }

    /// Less or the same.
    pub fn less_equal(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) => {
                let value = x <= y;
                self.bool(value)
            }
            _ if a == b => self.bool(true),
            _ => self.raw(Term::LessEqual(a, b)),
        }
    }

    /// If, then, else.
    pub fn if_then_else(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        match self.as_bool(condition) {
            Some(true) => yes,
            Some(false) => no,
            None if yes == no => yes,
            None => self.raw(Term::If(condition, yes, no)),
        }
    }

    /// Whether a value is made by a constructor.
    pub fn is_constructor(&mut self, data: DataId, index: u32, value: TermId) -> TermId {
        match self.get(value) {
            Term::Construct(_, made_by, _) => {
                let same = *made_by == index;
                self.bool(same)
            }
            _ => self.raw(Term::IsConstructor(data, index, value)),
        }
    }

    /// The field of a constructor.
    pub fn select(&mut self, data: DataId, index: u32, field: u32, value: TermId) -> TermId {
        match self.get(value) {
            Term::Construct(_, made_by, args) if *made_by == index => args[field as usize],
            _ => self.raw(Term::Select(data, index, field, value)),
        }
    }

    /// Whether an action is this one, whatever its arguments.
    pub fn is_act(&mut self, id: ActionId, action: TermId) -> TermId {
        match self.get(action) {
            Term::Act(other, _) => {
                let same = *other == id;
                self.bool(same)
            }
            Term::Tau | Term::Sync(_) | Term::Co(_) => self.bool(false),
            _ => self.raw(Term::IsAct(id, action)),
        }
    }

    /// Whether an action is `sync` of something.
    pub fn is_sync(&mut self, action: TermId) -> TermId {
        match self.get(action) {
            Term::Sync(_) => self.bool(true),
            Term::Tau | Term::Act(..) | Term::Co(_) => self.bool(false),
            _ => self.raw(Term::IsSync(action)),
        }
    }

    /// Whether an action is `co` of something.
    pub fn is_co(&mut self, action: TermId) -> TermId {
        match self.get(action) {
            Term::Co(_) => self.bool(true),
            Term::Tau | Term::Act(..) | Term::Sync(_) => self.bool(false),
            _ => self.raw(Term::IsCo(action)),
        }
    }

    /// An argument of an action.
    pub fn argument(&mut self, id: ActionId, index: u32, action: TermId) -> TermId {
        match self.get(action) {
            Term::Act(other, args) if *other == id => args[index as usize],
            _ => self.raw(Term::Argument(id, index, action)),
        }
    }

    /// What is inside `sync` or `co`.
    pub fn inner(&mut self, action: TermId) -> TermId {
        match self.get(action) {
            Term::Sync(inner) | Term::Co(inner) => *inner,
            _ => self.raw(Term::Inner(action)),
        }
    }
}
