//! Names for what is written: legal, and each declared once. The declarations of several modules come together
//! in one text, so that names which were apart there can clash here; the later one gets a number.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::used::Used;
use crate::algebra::{AbstractId, ActionId, Algebra, ConstId, DataId, FunId};
use crate::syntax::token::{is_quotable, needs_quotes};

/// The names of sorts that need no declaration.
const PREDEFINED: [&str; 4] = ["Bool", "Int", "Action", "actions"];

/// Picks names of which no two are the same.
#[derive(Clone, Default, Debug)]
pub(super) struct Unique<'o> {
    /// Names of the world outside that may not be used either.
    outer: Vec<&'o FxHashSet<String>>,
    taken: FxHashSet<String>,
    next: FxHashMap<String, u32>,
}

impl<'o> Unique<'o> {
    /// Picks names that also differ from these.
    pub fn besides(outer: impl IntoIterator<Item = &'o FxHashSet<String>>) -> Unique<'o> {
        Unique { outer: outer.into_iter().collect(), ..Unique::default() }
    }

    /// Sees to it that a name is not picked.
    pub fn reserve(&mut self, name: impl Into<String>) {
        self.taken.insert(name.into());
    }

    /// The name itself, or the name with a number if it is taken.
    pub fn pick(&mut self, wanted: &str) -> String {
        let wanted = legal(wanted);
        if self.is_free(&wanted) {
            self.taken.insert(wanted.clone().into_owned());
            return wanted.into_owned();
        }
        let mut number = self.next.get(wanted.as_ref()).copied().unwrap_or(2);
        let found = loop {
            let name = format!("{wanted}_{number}");
            number += 1;
            if self.is_free(&name) {
                break name;
            }
        };
        self.next.insert(wanted.into_owned(), number);
        self.taken.insert(found.clone());
        found
    }

    fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name) && !self.outer.iter().any(|outer| outer.contains(name))
    }

    /// All names that were picked or reserved.
    pub fn taken(self) -> FxHashSet<String> {
        self.taken
    }
}

/// A text with `_` for all that cannot stand in a name, not even between back-quotes, and `x` where nothing of a name is left.
pub(super) fn legal(text: &str) -> Cow<'_, str> {
    if is_quotable(text) {
        return Cow::Borrowed(text);
    }
    let is_part = |c: char| c == '_' || unicode_ident::is_xid_continue(c);
    let kept = if text.chars().all(is_part) {
        Cow::Borrowed(text)
    } else {
        let kept: String = text.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
        Cow::Owned(kept.trim_end_matches('_').to_owned())
    };
    if kept.chars().all(|c| c == '_') {
        return Cow::Borrowed("x");
    }
    match kept.chars().next() {
        Some(first) if first == '_' || unicode_ident::is_xid_start(first) => kept,
        _ => Cow::Owned(format!("_{kept}")),
    }
}

/// A path as a name: `left.C` as `left_C`, `S[3].C` as `S_3_C`.
pub(super) fn path_name(path: &str) -> String {
    path.replace("].", "_").replace(']', "").replace(['[', '.'], "_")
}

/// The name of a function as it is called: for which sorts it is meant is found out again.
pub(super) fn called(name: &str) -> &str {
    name.split_once('<').map_or(name, |(called, _)| called)
}

/// A name as it is written: a keyword stands between back-quotes.
pub fn quoted(name: &str) -> Cow<'_, str> {
    if needs_quotes(name) { Cow::Owned(format!("`{name}`")) } else { Cow::Borrowed(name) }
}

/// A path as it is written: each of its names may have an index.
pub fn quoted_path(path: &str) -> String {
    let part = |name: &str| match name.split_once('[') {
        Some((name, index)) => format!("{}[{index}", quoted(name)),
        None => quoted(name).into_owned(),
    };
    path.split('.').map(part).collect::<Vec<_>>().join(".")
}

/// Something that an algebra declares, by its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declared {
    /// An abstract sort.
    Abstract(usize),
    /// A datatype, with its constructors.
    Datatype(usize),
    /// A function.
    Function(usize),
    /// A constant.
    Constant(usize),
}

/// The names of what the algebra of a net declares.
#[derive(Default, Debug)]
pub struct Names {
    /// What is used of the algebra, and so has a name.
    pub(super) used: Used,
    abstracts: FxHashMap<AbstractId, String>,
    datatypes: FxHashMap<DataId, Datatype>,
    functions: FxHashMap<FunId, String>,
    constants: FxHashMap<ConstId, String>,
    /// Names of sorts and interfaces.
    pub(super) sorts: FxHashSet<String>,
    /// Names of constants, functions and constructors: no variable may hide them.
    pub(super) values: FxHashSet<String>,
}

#[derive(Default, Debug)]
struct Datatype {
    name: String,
    constructors: Vec<(String, Vec<String>)>,
}

impl Names {
    /// The names that a module has for what is declared: behind the name of another module, where `behind` knows one.
    pub fn seen(algebra: &Algebra, behind: impl Fn(Declared) -> Option<String>) -> Names {
        let called_by = |declared: Declared, name: &str| {
            behind(declared).map(|module| format!("{}.{}", quoted(&module), quoted(name)))
        };
        let mut names = Names::default();
        for (at, name) in algebra.abstracts.iter().enumerate() {
            let name = called_by(Declared::Abstract(at), name.as_str());
            names.abstracts.extend(name.map(|name| (AbstractId(at as u32), name)));
        }
        for (at, known) in algebra.functions.iter().enumerate() {
            let name = called_by(Declared::Function(at), called(known.name.as_str()));
            names.functions.extend(name.map(|name| (FunId(at as u32), name)));
        }
        for (at, known) in algebra.constants.iter().enumerate() {
            let name = called_by(Declared::Constant(at), known.name.as_str());
            names.constants.extend(name.map(|name| (ConstId(at as u32), name)));
        }
        for (at, known) in algebra.datatypes.iter().enumerate() {
            let here = Declared::Datatype(at);
            let Some(name) = called_by(here, known.name.as_str()) else { continue };
            let constructors = known.constructors.iter().map(|one| {
                let fields = one.fields.iter().map(|(field, _)| field.to_string());
                let own = one.name.as_str();
                (called_by(here, own).unwrap_or_else(|| own.to_owned()), fields.collect())
            });
            let named = Datatype { name, constructors: constructors.collect() };
            names.datatypes.insert(DataId(at as u32), named);
        }
        names
    }

    /// Names for what is used of an algebra.
    pub(super) fn new(algebra: &Algebra, used: Used) -> Names {
        let mut names = Names::default();
        let mut sorts = Unique::default();
        PREDEFINED.iter().for_each(|name| sorts.reserve(*name));
        let mut values = Unique::default();
        // Actions are known by their names everywhere: theirs stay.
        let actions: FxHashSet<String> =
            used.actions.iter().map(|id| algebra.action(*id).name.to_string()).collect();
        values.outer.push(&actions);
        for id in &used.abstracts {
            names.abstracts.insert(*id, sorts.pick(algebra.abstracts[id.index()].as_str()));
        }
        for id in &used.datatypes {
            let named = datatype(algebra, *id, &mut sorts, &mut values);
            names.datatypes.insert(*id, named);
        }
        for id in &used.functions {
            let name = algebra.functions[id.index()].name;
            names.functions.insert(*id, values.pick(name.as_str()));
        }
        for id in &used.constants {
            let name = algebra.constants[id.index()].name;
            names.constants.insert(*id, values.pick(name.as_str()));
        }
        (names.sorts, names.values, names.used) = (sorts.taken(), values.taken(), used);
        names
    }

    pub(super) fn abstract_sort(&self, id: AbstractId) -> Option<&str> {
        self.abstracts.get(&id).map(String::as_str)
    }

    pub(super) fn datatype(&self, id: DataId) -> Option<&str> {
        self.datatypes.get(&id).map(|data| data.name.as_str())
    }

    pub(super) fn constructor(&self, id: DataId, index: u32) -> Option<&str> {
        self.datatypes.get(&id)?.constructors.get(index as usize).map(|one| one.0.as_str())
    }

    pub(super) fn selector(&self, id: DataId, index: u32, field: u32) -> Option<&str> {
        let constructor = self.datatypes.get(&id)?.constructors.get(index as usize)?;
        constructor.1.get(field as usize).map(String::as_str)
    }

    pub(super) fn function(&self, id: FunId) -> Option<&str> {
        self.functions.get(&id).map(String::as_str)
    }

    pub(super) fn constant(&self, id: ConstId) -> Option<&str> {
        self.constants.get(&id).map(String::as_str)
    }
}

/// Names for a datatype: `m.seq` must tell which constructor is meant, so selectors differ from each other.
fn datatype(
    algebra: &Algebra,
    id: DataId,
    sorts: &mut Unique<'_>,
    values: &mut Unique<'_>,
) -> Datatype {
    let data = &algebra.datatypes[id.index()];
    let mut selectors = Unique::default();
    let constructors = data.constructors.iter().map(|constructor| {
        let fields = constructor.fields.iter().map(|(name, _)| selectors.pick(name.as_str()));
        let fields = fields.collect();
        (values.pick(constructor.name.as_str()), fields)
    });
    let constructors = constructors.collect();
    Datatype { name: sorts.pick(data.name.as_str()), constructors }
}

/// The name of an action.
pub(super) fn action(algebra: &Algebra, id: ActionId) -> &'static str {
    algebra.action(id).name.as_str()
}
