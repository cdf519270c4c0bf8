//! What is known inside one instance of a net: its local names, what stands in its holes, and the way to it.

use std::rc::Rc;

use num_bigint::BigInt;

use super::lower::Scope;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{HoleId, InstanceId};
use crate::sema::program::{FillDef, Instance, InterfaceId, Local, LocalId};

/// What is known inside one instance of a net.
pub(super) struct Env<'p> {
    /// Its local names.
    pub scope: Scope<'p>,
    /// What stands in each of its own holes.
    pub holes: Rc<Vec<Slots<'p>>>,
    /// What fills holes further inside.
    pub inner: Rc<Inner<'p>>,
    /// The way to the instance.
    pub path: String,
    /// The instance, for messages.
    pub instance: Option<InstanceId>,
    /// How many nets are around what is in it.
    pub level: usize,
}

/// Where an instance is put.
#[derive(Clone, Copy)]
pub(super) struct Site<'a, 'p> {
    /// The way to it.
    pub path: &'a str,
    /// The index of the member of a family whose place it takes.
    pub index: Option<&'a BigInt>,
    /// What fills holes that it leaves open.
    pub inner: &'a [(Vec<Symbol>, Filling<'p>)],
    /// How many nets are around it.
    pub level: usize,
    /// Whether what fills its holes is left out, to be elaborated by itself.
    pub apart: bool,
}

/// What fills holes further inside, by their paths.
pub(super) type Inner<'p> = Vec<(Vec<Symbol>, Filling<'p>)>;

/// What stands in a hole, or in each hole of a family.
pub(super) enum Slots<'p> {
    One(Slot<'p>),
    Family(Vec<(BigInt, Slot<'p>)>),
}

#[derive(Clone)]
pub(super) enum Slot<'p> {
    /// Nothing: the hole stays open under this path.
    Open(OpenSlot),
    /// An instance, seen from where it was written.
    Filled(Filling<'p>),
    /// The same, to be elaborated by itself, and how the hole is called that stands in its place.
    Apart(Filling<'p>, OpenSlot),
}

/// A hole that stays open: its path, what it may do, and where it is declared.
pub(super) type OpenSlot = (String, Option<InterfaceId>, Span);

/// An instance that fills a hole, left out to be elaborated by itself.
pub(super) struct LeftOut<'p> {
    /// The hole in its place.
    pub hole: HoleId,
    pub filling: Filling<'p>,
    /// The way to where it stands.
    pub path: String,
    /// What fills its holes from further outside.
    pub inner: Inner<'p>,
    /// How many nets are around it.
    pub level: usize,
}

/// An instance that fills a hole.
#[derive(Clone)]
pub(super) struct Filling<'p> {
    pub instance: &'p Instance,
    /// Where it was written.
    pub env: Rc<Env<'p>>,
    /// The index of the family's member that it fills, and the name it is bound to.
    pub index: Option<(Option<LocalId>, BigInt)>,
    /// Where it fills holes further inside: the name that their indices are bound to, or the only one it fills.
    pub family: (Option<LocalId>, Option<BigInt>),
    /// Whether it is to be elaborated by itself.
    pub apart: bool,
}

/// A fill of an instance, with its index where it is one of a family.
pub(super) type IndexedFill<'p> = (&'p FillDef, Option<BigInt>);

impl<'p> Env<'p> {
    /// Outside of every net.
    pub fn at_top(locals: &'p [Local]) -> Env<'p> {
        Env {
            scope: Scope::new(locals),
            holes: Rc::default(),
            inner: Rc::default(),
            path: String::new(),
            instance: None,
            level: 0,
        }
    }

    /// What fills holes inside one of the parts.
    pub fn inner_of(&self, part: Symbol) -> Inner<'p> {
        let inside = self.inner.iter().filter(|(path, _)| path.len() > 1 && path[0] == part);
        inside.map(|(path, filling)| (path[1..].to_vec(), filling.clone())).collect()
    }

    /// The same with other values for the local names.
    pub fn with_scope(&self, scope: Scope<'p>) -> Env<'p> {
        Env {
            scope,
            holes: Rc::clone(&self.holes),
            inner: Rc::clone(&self.inner),
            path: self.path.clone(),
            ..*self
        }
    }

    /// Where one of the parts is put.
    pub fn site<'a>(&self, path: &'a str, inner: &'a [(Vec<Symbol>, Filling<'p>)]) -> Site<'a, 'p> {
        Site { path, index: None, inner, level: self.level, apart: false }
    }

    /// The way to one of the parts, or to a member of a family of parts.
    pub fn path_to(&self, part: Symbol, index: Option<i64>) -> String {
        match index {
            Some(index) => join(&self.path, &format!("{part}[{index}]")),
            None => join(&self.path, part.as_str()),
        }
    }
}

impl Site<'_, '_> {
    /// Outside of every net.
    pub const TOP: Site<'static, 'static> =
        Site { path: "", index: None, inner: &[], level: 0, apart: false };
}

/// A path with one more name.
fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
