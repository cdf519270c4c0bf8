//! Fields of datatypes: several constructors may have one of the same name, and a value has that of the one that made it.

use super::body::Body;
use super::infer::base;
use super::problems::FieldOfTwoSorts;
use super::program::{DataId, Named, Sort, SortParamId};
use crate::diagnostics::Symbol;
use crate::syntax::ast::Ident;

/// An enumeration or a datatype.
#[derive(Debug)]
pub struct DataDef {
    /// Its name.
    pub named: Named,
    /// The sorts that it is over.
    pub params: Vec<SortParamId>,
    /// The datatype that it is an instance of, with the sorts that it is for.
    pub instance: Option<(DataId, Vec<Sort>)>,
    /// Its constructors; none of what is no sort of values, but of parameters.
    pub constructors: Vec<ConstructorDef>,
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct ConstructorDef {
    /// Its name.
    pub name: Ident,
    /// Its selectors with their sorts.
    pub fields: Vec<(Ident, Sort)>,
}

impl DataDef {
    /// The constructors that have a field of this name, each with the place of the field.
    pub fn with_field(&self, name: Symbol) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.constructors.iter().enumerate().filter_map(move |(index, constructor)| {
            let field = constructor.fields.iter().position(|(field, _)| field.name == name)?;
            Some((index as u32, field as u32))
        })
    }

    /// The constructors that have all of these fields.
    pub fn with_fields(&self, names: &[Symbol]) -> impl Iterator<Item = u32> + '_ {
        let names = names.to_vec();
        self.constructors.iter().enumerate().filter_map(move |(index, constructor)| {
            let has =
                |name: &Symbol| constructor.fields.iter().any(|(field, _)| field.name == *name);
            names.iter().all(has).then_some(index as u32)
        })
    }

    /// The first of them.
    pub(super) fn first(&self, name: Symbol) -> Option<(u32, u32)> {
        self.with_field(name).next()
    }
}

impl Body<'_, '_> {
    /// The sort of a field, which several constructors may have; reports one that is not the same in all of them.
    pub fn field_sort(&mut self, data: DataId, name: Ident) -> Option<Sort> {
        self.names_field(name, data);
        let program = &self.sema.program;
        let of = &program.datas[data.index()];
        let fields = of.with_field(name.name).map(|(index, field)| {
            let constructor = &of.constructors[index as usize];
            (constructor.name.name, constructor.fields[field as usize].1)
        });
        let all: Vec<(Symbol, Sort)> = fields.collect();
        let (first, sort) = *all.first()?;
        let known = |sort: Sort| match sort {
            Sort::Range(id) => program.ranges[id.index()].known.as_ref(),
            _ => None,
        };
        let same =
            |other: Sort| other == sort || known(other).is_some() && known(other) == known(sort);
        if all.iter().all(|(_, other)| same(*other)) {
            return Some(sort);
        }
        let differs = all.iter().find(|(_, other)| base(*other) != base(sort));
        let Some(&(second, other)) = differs else { return Some(base(sort)) };
        let shown = |of: Symbol, sort: Sort| (of.to_string(), program.sort_name(sort));
        let sorts = [shown(first, sort), shown(second, other)];
        self.report(FieldOfTwoSorts { span: name.span, name: name.name.to_string(), sorts });
        None
    }
}
