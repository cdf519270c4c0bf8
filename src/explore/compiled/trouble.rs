//! What lacks of values are called outside.

use super::Compiled;
use super::code::Lack;
use super::layout::{LayoutId, Shape};
use crate::algebra::{Algebra, Sort, VarId};
use crate::explore::Gap;

impl Compiled<'_> {
    /// What a lack is called.
    pub(super) fn gap(&self, lack: Lack) -> Gap {
        let algebra = &self.net.algebra;
        let function = |id: crate::algebra::FunId| algebra.functions[id.index()].name.to_string();
        match lack {
            Lack::Undefined => Gap::Undefined,
            Lack::Field(data, tag, field) => {
                let constructor = &algebra.datatypes[data.index()].constructors[tag as usize];
                Gap::NoField { field: constructor.fields[field as usize].0.to_string() }
            }
            Lack::Abstract(id) => Gap::Abstract { name: function(id) },
            Lack::TooDeep(id) => Gap::TooDeep { name: function(id) },
            Lack::Deep => Gap::TooDeep { name: self.net.name.to_string() },
            Lack::Quantifier(layout) => Gap::Quantifier { sort: self.sort_name(layout) },
            Lack::Domain(var) => {
                let (name, sort) = self.variable(var);
                Gap::NeedsDomain { name, sort: endless(algebra, &sort) }
            }
            Lack::Rival(var) => Gap::Rival { name: self.variable(var).0 },
            Lack::Constant(id) => {
                Gap::NeedsValue { name: algebra.constants[id.index()].name.to_string() }
            }
            Lack::Huge => Gap::Huge,
            Lack::Many(place) => Gap::TooManyInteractions {
                name: self.net.connector_name(place),
                limit: crate::explore::MOST_AT_ONCE,
            },
            Lack::Stopped => Gap::Stopped,
        }
    }

    fn variable(&self, var: VarId) -> (String, Sort) {
        self.with_terms(|terms| {
            let variable = terms.var(var);
            (variable.name.to_string(), variable.sort.clone())
        })
    }

    fn sort_name(&self, layout: LayoutId) -> String {
        match &self.layouts.get(layout).shape {
            Shape::Abstract(id) => self.net.algebra.abstracts[id.index()].to_string(),
            Shape::Data(data, ..) => self.net.algebra.datatypes[data.index()].name.to_string(),
            Shape::Bool => "Bool".to_owned(),
            Shape::Action => "Action".to_owned(),
            Shape::Array(..) => "an array".to_owned(),
            Shape::Int | Shape::Range(_) | Shape::Loose(..) => "Int".to_owned(),
        }
    }
}

/// The sort inside a sort of whose values there is no end.
fn endless(algebra: &Algebra, sort: &Sort) -> String {
    let mut seen = vec![false; algebra.datatypes.len()];
    let mut work = vec![sort];
    let mut last = None;
    while let Some(sort) = work.pop() {
        match sort {
            Sort::Int => return "Int".to_owned(),
            Sort::Abstract(id) => return algebra.abstracts[id.index()].to_string(),
            Sort::Data(data) => {
                let data = data.index();
                if std::mem::replace(&mut seen[data], true) {
                    last = Some(algebra.datatypes[data].name.to_string());
                    continue;
                }
                let fields =
                    algebra.datatypes[data].constructors.iter().flat_map(|one| &one.fields);
                work.extend(fields.map(|(_, sort)| sort));
            }
            Sort::Array(both) => work.extend([&both.0, &both.1]),
            Sort::Bool | Sort::Range(..) | Sort::Action => {}
        }
    }
    last.unwrap_or_else(|| "Int".to_owned())
}
