//! What may become smaller: terms in the parameters of a function.

use super::linear::Linear;
use super::path::{Case, Reader, is_number};
use super::term::{Form, TermId, Terms, is_sized};
use crate::sema::program::{Expr, ExprKind, FunDef, LocalId, Program, Sort};

/// More measures than this are not tried for one function.
const MOST: usize = 14;

/// The measures of one function.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    pub all: Vec<Linear>,
    /// Whether they were named, so that no others count.
    pub named: bool,
}

impl Measures {
    /// Those that are named, or else those that the function suggests.
    pub fn of(reader: &mut Reader<'_>, fun: &FunDef, body: &Expr) -> Measures {
        let mut measures = Measures { all: Vec::new(), named: !fun.measures.is_empty() };
        if measures.named {
            for measure in &fun.measures {
                let found = measure_of(reader, measure);
                measures.all.push(found);
            }
            return measures;
        }
        for (index, sort) in fun.params.iter().enumerate() {
            let local = Form::Local(reader.function, LocalId(index as u32));
            let local = reader.terms.make(local);
            if is_sized(*sort) {
                let size = reader.terms.size(reader.program, local);
                measures.add(size);
            } else if is_number(*sort) {
                measures.add(Some(Linear::atom(local)));
            }
            if matches!(sort, Sort::Range(_)) {
                measures.add(Linear::atom(local).times(-1));
            }
        }
        measures.compared(reader, fun, body);
        measures
    }

    /// Adds a measure, if it is new. A constant summand makes no difference.
    pub fn add(&mut self, measure: Option<Linear>) {
        let Some(mut measure) = measure else { return };
        measure.constant = 0;
        if !measure.parts.is_empty() && self.all.len() < MOST && !self.all.contains(&measure) {
            self.all.push(measure);
        }
    }

    /// The differences of numbers that are compared: `n - i` for `i >= n`.
    fn compared(&mut self, reader: &mut Reader<'_>, fun: &FunDef, body: &Expr) {
        let mut pairs = Vec::new();
        body.each(&mut |expr| {
            if let ExprKind::Compare(_, both) = &expr.kind
                && is_number(both.0.sort)
                && both.0.sort != Sort::Bool
                && pairs.len() < 200
            {
                pairs.push((&both.0, &both.1));
            }
        });
        for (left, right) in pairs {
            let mut path = vec![Case::default()];
            let (a, b) = (reader.number(left, &mut path), reader.number(right, &mut path));
            for measure in [b.minus(&a), a.minus(&b)].into_iter().flatten() {
                if is_of_parameters(reader.terms, &measure, reader.function, fun.params.len()) {
                    self.add(Some(measure));
                }
            }
        }
    }
}

fn measure_of(reader: &mut Reader<'_>, measure: &Expr) -> Linear {
    let mut path = vec![Case::default()];
    if is_sized(measure.sort) {
        let value = reader.value(measure, &mut path);
        return reader.terms.size(reader.program, value).unwrap_or_default();
    }
    reader.number(measure, &mut path)
}

/// Whether a term is made of parameters, their sizes, and constants.
pub(super) fn is_of_parameters(
    terms: &Terms,
    term: &Linear,
    function: usize,
    parameters: usize,
) -> bool {
    let known = |form: &Form| matches!(form, Form::Local(of, local) if *of == function && local.index() < parameters);
    term.parts.iter().all(|(atom, _)| match terms.get(*atom) {
        Form::Size(inner) => known(terms.get(*inner)),
        Form::Const(_) => true,
        form => known(form),
    })
}

/// A measure of a function that is called, in the terms of the caller.
pub(super) fn at_call(
    terms: &mut Terms,
    program: &Program,
    measure: &Linear,
    call: (usize, &[TermId]),
) -> Option<Linear> {
    let mut total = Linear::number(measure.constant);
    for (atom, factor) in &measure.parts {
        total = total.plus(*factor, &terms.replaced(program, *atom, call)?)?;
    }
    Some(total)
}
