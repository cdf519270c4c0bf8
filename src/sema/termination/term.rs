//! The values that expressions have, as far as sizes and numbers are concerned: equal terms are equal values.

use rustc_hash::FxHashMap;

use super::linear::{Atom, Linear};
use crate::sema::program::{ConstId, DataId, FunId, LocalId, Program, Sort};

/// A term, by its place in the table. As an [`Atom`] it is the number that the term stands for.
pub(super) type TermId = Atom;

/// The forms of terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// A local name of the function with this place.
    Local(usize, LocalId),
    /// A constant.
    Const(ConstId),
    /// A field of a value.
    Select(DataId, u32, u32, TermId),
    /// A value made by a constructor.
    Construct(DataId, u32, Vec<TermId>),
    /// A function applied.
    Apply(FunId, Vec<TermId>),
    /// A sum.
    Sum(Linear),
    /// Quotient and remainder.
    Quotient(Linear, Linear),
    Remainder(Linear, Linear),
    /// The same, rounded towards zero.
    Truncated(Linear, Linear),
    Rest(Linear, Linear),
    /// The product of two that are no numbers.
    Product(Linear, Linear),
    /// How many constructors a value of a datatype is made of, arrays left out.
    Size(TermId),
    /// The value of an expression of the function with this place: nothing else is known.
    Opaque(usize, usize),
}

/// Terms, each once.
#[derive(Default)]
pub(super) struct Terms {
    forms: Vec<Form>,
    known: FxHashMap<Form, TermId>,
}

impl Terms {
    pub fn get(&self, id: TermId) -> &Form {
        &self.forms[id as usize]
    }

    pub fn make(&mut self, form: Form) -> TermId {
        if let Some(&known) = self.known.get(&form) {
            return known;
        }
        let id = self.forms.len() as TermId;
        self.forms.push(form.clone());
        self.known.insert(form, id);
        id
    }

    /// A field of a value; of one that was just made it is what was put there.
    pub fn select(&mut self, data: DataId, index: u32, field: u32, value: TermId) -> TermId {
        match self.get(value) {
            Form::Construct(_, by, args) if *by == index => args[field as usize],
            _ => self.make(Form::Select(data, index, field, value)),
        }
    }

    /// A sum as a term.
    pub fn sum(&mut self, sum: Linear) -> TermId {
        match sum.as_atom() {
            Some(atom) => atom,
            None => self.make(Form::Sum(sum)),
        }
    }

    /// The number that a term stands for.
    pub fn number(&self, id: TermId) -> Linear {
        match self.get(id) {
            Form::Sum(sum) => sum.clone(),
            _ => Linear::atom(id),
        }
    }

    /// The size of a value of a datatype.
    pub fn size(&mut self, program: &Program, value: TermId) -> Option<Linear> {
        let Form::Construct(data, index, args) = self.get(value).clone() else {
            return Some(Linear::atom(self.make(Form::Size(value))));
        };
        let fields = &program.datas[data.index()].constructors[index as usize].fields;
        let mut total = Linear::number(1);
        for (arg, (_, sort)) in args.into_iter().zip(fields) {
            if is_sized(*sort) {
                total = total.plus(1, &self.size(program, arg)?)?;
            }
        }
        Some(total)
    }

    /// A term with the parameters of a function replaced; none where it is made of something else.
    pub fn replaced(
        &mut self,
        program: &Program,
        term: TermId,
        (function, args): (usize, &[TermId]),
    ) -> Option<Linear> {
        match self.get(term).clone() {
            Form::Size(inner) => {
                let inner = self.replaced_value(inner, (function, args))?;
                self.size(program, inner)
            }
            _ => {
                let value = self.replaced_value(term, (function, args))?;
                Some(self.number(value))
            }
        }
    }

    fn replaced_value(&mut self, term: TermId, call: (usize, &[TermId])) -> Option<TermId> {
        match self.get(term).clone() {
            Form::Local(function, local) if function == call.0 => {
                call.1.get(local.index()).copied()
            }
            Form::Const(_) => Some(term),
            Form::Select(data, index, field, inner) => {
                let inner = self.replaced_value(inner, call)?;
                Some(self.select(data, index, field, inner))
            }
            _ => None,
        }
    }
}

/// Whether values of a sort have a size.
pub(super) fn is_sized(sort: Sort) -> bool {
    matches!(sort, Sort::Data(_))
}
