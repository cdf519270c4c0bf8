//! When two nets are the same: structure, order and meaning count; what variables and definitions are called
//! does not, nor do declarations that nothing in the net uses.

mod difference;
mod terms;

pub use difference::Difference;

use std::fmt::Display;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Content, HoleSort, Members, NodeId, Optional, PNet, Plts, PltsId, Vector};
use crate::algebra::{ActionId, ConstId, DataId, FunId, TermId, VarId};

/// What is found: nothing, or the first difference.
type Found = Result<(), Difference>;

/// Whether two nets are the same, up to the names of variables and definitions. The error is the first
/// difference.
///
/// Parts, vectors, transitions, states and holes count in their order; states, actions, sorts, functions and
/// constants also by their names, where a number at the end (`f_2`) does not matter, since printing a net adds
/// one where names clash. In the names of holes, `left.P`, `left[P]` and `left_P` are the same.
pub fn same(a: &PNet, b: &PNet) -> Result<(), Difference> {
    let mut comparison = Comparison {
        a,
        b,
        free: FxHashMap::default(),
        back: FxHashMap::default(),
        bound: Vec::new(),
        equal: FxHashSet::default(),
        declared: FxHashSet::default(),
        waiting: Vec::new(),
    };
    comparison.net()
}

struct Comparison<'n> {
    a: &'n PNet,
    b: &'n PNet,
    /// Which variables of the first net stand for which of the second in this scope, and back.
    free: FxHashMap<VarId, VarId>,
    back: FxHashMap<VarId, VarId>,
    /// Variables bound around the place that is looked at.
    bound: Vec<(VarId, VarId)>,
    /// Terms that are known to be the same in this scope.
    equal: FxHashSet<(TermId, TermId)>,
    /// Declarations that have been seen together.
    declared: FxHashSet<Declared>,
    /// Those that are still to be compared.
    waiting: Vec<Declared>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Declared {
    Data(DataId, DataId),
    Function(FunId, FunId),
    Constant(ConstId, ConstId),
    Action(ActionId, ActionId),
}

/// Complains when two things are not equal.
fn equal<T: PartialEq + Display>(a: T, b: T, what: &str) -> Found {
    if a == b { Ok(()) } else { Err(unequal(a, b, what)) }
}

fn unequal(one: impl Display, other: impl Display, what: &str) -> Difference {
    Difference::Unequal { what: what.to_owned(), one: one.to_string(), other: other.to_string() }
}

/// Says where a difference is.
fn within(place: impl FnOnce() -> String, found: Found) -> Found {
    found.map_err(|inside| Difference::Within { place: place(), inside: Box::new(inside) })
}

/// A name without the number that keeps it apart from another.
fn plain(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((before, number))
            if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            before
        }
        _ => name,
    }
}

/// The name of an instance as a plain name: `List<Int>` as `List_Int`.
fn written(name: &str) -> String {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let kept: String = name.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
    kept.trim_end_matches('_').to_owned()
}

fn alike(a: &str, b: &str, what: &str) -> Found {
    let same = || plain(&written(a)) == plain(&written(b));
    if plain(a) == plain(b) || same() { Ok(()) } else { Err(unequal(a, b, what)) }
}

/// A path with `_` between its parts.
fn flat(path: &str) -> String {
    let parts = path.split(['.', '[', ']', '_']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}

impl Comparison<'_> {
    fn net(&mut self) -> Found {
        let (a, b) = (self.a, self.b);
        equal(a.name.as_str(), b.name.as_str(), "the nets have different names")?;
        self.holes()?;
        self.content(a.root, b.root)?;
        equal(a.algebra.axioms.len(), b.algebra.axioms.len(), "the numbers of axioms differ")?;
        for (&one, &other) in a.algebra.axioms.iter().zip(&b.algebra.axioms) {
            self.scope();
            within(|| "an axiom".to_owned(), self.term(one, other))?;
        }
        while let Some(declared) = self.waiting.pop() {
            self.declaration(declared)?;
        }
        Ok(())
    }

    fn holes(&mut self) -> Found {
        let (a, b) = (self.a, self.b);
        equal(a.holes.len(), b.holes.len(), "the numbers of holes differ")?;
        for (one, other) in a.holes.iter().zip(&b.holes) {
            let place = || format!("hole `{}`", one.path);
            if flat(&one.path) != flat(&other.path) {
                within(place, alike(&flat(&one.path), &flat(&other.path), "the names differ"))?;
            }
            within(place, self.hole_sort(&one.sort, &other.sort))?;
        }
        Ok(())
    }

    fn hole_sort(&mut self, a: &HoleSort, b: &HoleSort) -> Found {
        match (a, b) {
            (HoleSort::Any, HoleSort::Any) => Ok(()),
            (HoleSort::Actions(a), HoleSort::Actions(b)) => {
                equal(a.len(), b.len(), "the numbers of actions differ")?;
                a.iter().zip(b).try_for_each(|(&one, &other)| self.action(one, other))
            }
            _ => Err(Difference::OneTakesAnything),
        }
    }

    // ---- the hierarchy ----

    fn content(&mut self, a: Content, b: Content) -> Found {
        let mut work = vec![(a, b, String::new())];
        while let Some((a, b, path)) = work.pop() {
            let here = || if path.is_empty() { "the root".to_owned() } else { format!("`{path}`") };
            match (a, b) {
                (Content::Leaf(a), Content::Leaf(b)) => within(here, self.leaf(a, b))?,
                (Content::Hole(a), Content::Hole(b)) => {
                    within(here, equal(a.0, b.0, "different holes"))?;
                }
                (Content::Node(a), Content::Node(b)) => {
                    within(here, self.node(a, b))?;
                    let parts = &self.a.nodes[a].parts;
                    let others = &self.b.nodes[b].parts;
                    for (part, other) in parts.iter().zip(others).rev() {
                        let dot = if path.is_empty() { "" } else { "." };
                        let inner = format!("{path}{dot}{}", part.name);
                        work.push((part.content, other.content, inner));
                    }
                }
                _ => return within(here, Err(Difference::Parts)),
            }
        }
        Ok(())
    }

    fn leaf(&mut self, a: PltsId, b: PltsId) -> Found {
        let (a, b) = (&self.a.plts[a], &self.b.plts[b]);
        self.scope();
        equal(a.states.len(), b.states.len(), "the numbers of states differ")?;
        for (one, other) in a.states.iter().zip(&b.states) {
            equal(one.name.as_str(), other.name.as_str(), "the states have different names")?;
            let name = one.name;
            within(
                || format!("state `{name}`"),
                equal(one.is_final, other.is_final, "being final differs"),
            )?;
        }
        equal(a.initial.0, b.initial.0, "the initial states differ")?;
        equal(a.variables.len(), b.variables.len(), "the numbers of variables differ")?;
        for ((one, value), (other, other_value)) in a.variables.iter().zip(&b.variables) {
            self.pair(*one, *other)?;
            let found = self.option(*value, *other_value);
            within(|| self.called(*one), found)?;
        }
        self.transitions(a, b)
    }

    fn called(&self, variable: VarId) -> String {
        format!("variable `{}`", self.a.terms.var(variable).name)
    }

    fn option(&mut self, a: Option<TermId>, b: Option<TermId>) -> Found {
        match (a, b) {
            (None, None) => Ok(()),
            (Some(a), Some(b)) => self.term(a, b),
            _ => Err(Difference::OneHasValue),
        }
    }

    fn transitions(&mut self, a: &Plts, b: &Plts) -> Found {
        equal(a.transitions.len(), b.transitions.len(), "the numbers of transitions differ")?;
        for (place, (one, other)) in a.transitions.iter().zip(&b.transitions).enumerate() {
            let here = |what: &str| format!("transition {place}, {what}");
            within(|| here("source"), equal(one.source.0, other.source.0, "the states differ"))?;
            within(|| here("target"), equal(one.target.0, other.target.0, "the states differ"))?;
            equal(one.inputs.len(), other.inputs.len(), "the numbers of inputs differ")?;
            for (input, other) in one.inputs.iter().zip(&other.inputs) {
                within(|| here("input"), self.pair(*input, *other))?;
            }
            within(|| here("action"), self.term(one.action, other.action))?;
            within(|| here("guard"), self.term(one.guard, other.guard))?;
            equal(one.updates.len(), other.updates.len(), "the numbers of assignments differ")?;
            for ((target, value), (other, other_value)) in one.updates.iter().zip(&other.updates) {
                within(|| here("assignment"), self.variable(*target, *other))?;
                within(|| here("assignment"), self.term(*value, *other_value))?;
            }
        }
        Ok(())
    }

    fn node(&mut self, a: NodeId, b: NodeId) -> Found {
        let (a, b) = (&self.a.nodes[a], &self.b.nodes[b]);
        equal(a.parts.len(), b.parts.len(), "the numbers of parts differ")?;
        equal(a.vectors.len(), b.vectors.len(), "the numbers of vectors differ")?;
        for (place, (one, other)) in a.vectors.iter().zip(&b.vectors).enumerate() {
            within(|| format!("vector {place}"), self.vector(one, other))?;
        }
        Ok(())
    }

    fn vector(&mut self, a: &Vector, b: &Vector) -> Found {
        self.scope();
        self.members(&a.members, &b.members)?;
        within(|| "result".to_owned(), self.term(a.result, b.result))?;
        within(|| "guard".to_owned(), self.term(a.guard, b.guard))?;
        equal(a.variables.len(), b.variables.len(), "the numbers of variables differ")?;
        equal(a.rivals.len(), b.rivals.len(), "the numbers of rivals differ")?;
        for (one, other) in a.rivals.iter().zip(&b.rivals) {
            within(|| "rival".to_owned(), self.members(&one.members, &other.members))?;
            within(|| "guard of a rival".to_owned(), self.term(one.guard, other.guard))?;
        }
        equal(a.maximal.is_some(), b.maximal.is_some(), "maximal progress differs")?;
        self.optional(&a.optional, &b.optional)
    }

    fn optional(&mut self, a: &[Optional], b: &[Optional]) -> Found {
        equal(a.len(), b.len(), "the numbers of members that may take part differ")?;
        for (one, other) in a.iter().zip(b) {
            self.members(&one.members, &other.members)?;
            self.optional(&one.inside, &other.inside)?;
        }
        Ok(())
    }

    fn members(&mut self, a: &Members, b: &Members) -> Found {
        equal(a.len(), b.len(), "the numbers of members differ")?;
        for (one, other) in a.iter().zip(b) {
            equal(one.part.0, other.part.0, "different parts take part")?;
            within(|| "member".to_owned(), self.term(one.action, other.action))?;
        }
        Ok(())
    }
}
