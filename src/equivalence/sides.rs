//! Two systems side by side, over one set of holes and one table of terms.

use std::ops::{Index, IndexMut};

use rustc_hash::FxHashMap;

use crate::algebra::{TermId, Terms, VarId};
use crate::automaton::OpenAutomaton;
use crate::base::{IndexVec, Watch};
use crate::outcome::Incomparable;
use crate::pnet::{Hole, HoleId, HoleSort};
use crate::smt::OracleOptions;
use crate::system::{Facts, Prover, System};

/// The left or the right one of two automata.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SideId {
    /// The first.
    Left,
    /// The second.
    Right,
}

impl SideId {
    /// Both, in order.
    pub const BOTH: [SideId; 2] = [SideId::Left, SideId::Right];

    /// The other one.
    #[must_use]
    pub fn other(self) -> SideId {
        match self {
            SideId::Left => SideId::Right,
            SideId::Right => SideId::Left,
        }
    }
}

/// One of something for each side.
#[derive(Clone, Debug)]
pub struct Both<T>(pub [T; 2]);

impl<T> Index<SideId> for Both<T> {
    type Output = T;

    fn index(&self, side: SideId) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<SideId> for Both<T> {
    fn index_mut(&mut self, side: SideId) -> &mut T {
        &mut self.0[side as usize]
    }
}

/// The two systems. Questions about them are put to a prover, and do not change them.
#[derive(Debug)]
pub struct Sides<'a> {
    pub systems: Both<System<'a>>,
    /// The holes of both, by path.
    pub holes: IndexVec<HoleId, Hole>,
}

impl<'a> Index<SideId> for Sides<'a> {
    type Output = System<'a>;

    fn index(&self, side: SideId) -> &System<'a> {
        &self.systems[side]
    }
}

impl<'a> Sides<'a> {
    /// Both systems, in order.
    pub fn iter(&self) -> impl Iterator<Item = &System<'a>> {
        self.systems.0.iter()
    }

    /// Whether some hole may do what nobody declared.
    pub fn is_open_world(&self) -> bool {
        self.holes.iter().any(|hole| hole.sort == HoleSort::Any)
    }

    /// The variables of both.
    pub fn variables(&self) -> Vec<VarId> {
        self.iter().flat_map(|system| &system.variables).map(|variable| variable.var).collect()
    }

    /// The initial values of all variables that have one.
    pub fn initial_values(&self) -> FxHashMap<VarId, TermId> {
        self.iter().flat_map(System::initial_values).collect()
    }

    /// What a variable of the right side is called on the left: the same path.
    pub fn namesakes(&self, terms: &Terms) -> FxHashMap<VarId, TermId> {
        let [first, second] = &self.systems.0;
        let mut same = FxHashMap::default();
        for variable in &second.variables {
            if let Some(other) = first.variables.iter().find(|other| other.path == variable.path) {
                same.insert(variable.var, terms.var_term(other.var));
            }
        }
        same
    }
}

/// Two systems with a prover about them, and what is known of each.
pub struct Product<'a> {
    /// The two.
    pub sides: Sides<'a>,
    /// Who is asked.
    pub prover: Prover<'a>,
    /// What holds whenever states are reached.
    pub facts: Both<Facts>,
}

impl<'a> Product<'a> {
    /// Brings two automata of one program together.
    pub fn of(
        left: &'a OpenAutomaton,
        right: &'a OpenAutomaton,
        asking: OracleOptions,
        watch: &'a dyn Watch,
    ) -> Product<'a> {
        let mut terms = left.terms.clone();
        if right.terms.has_complements() {
            terms.speak_of_complements();
        }
        let mut holes: IndexVec<HoleId, Hole> = left.holes.clone();
        for hole in &right.holes {
            if !holes.iter().any(|known| known.path == hole.path) {
                holes.push(hole.clone());
            }
        }
        let first = System::load(left, &mut terms, &holes, None);
        let known_first = Facts::fixed(&first, &mut terms);
        let second = System::load(right, &mut terms, &holes, Some(&right.terms));
        let known_second = Facts::fixed(&second, &mut terms);
        let sides = Sides { systems: Both([first, second]), holes };
        Product {
            prover: Prover::new(left, terms, sides.is_open_world(), asking, watch),
            sides,
            facts: Both([known_first, known_second]),
        }
    }
}

/// The holes of a net.
pub type Holes = IndexVec<HoleId, Hole>;

/// Why two nets cannot be compared, by their holes, each with the name that somebody has given it.
pub fn why_not_comparable(sides: [(&str, &Holes); 2]) -> Option<Incomparable> {
    let [left, right] = sides;
    let missing = |one: (&str, &Holes), other: (&str, &Holes)| {
        let lacks = |hole: &&Hole| !other.1.iter().any(|known| known.path == hole.path);
        one.1.iter().find(lacks).map(|hole| Incomparable::HoleMissing {
            net: one.0.to_owned(),
            hole: hole.path.clone(),
            other: other.0.to_owned(),
            tracking: None,
        })
    };
    let different = left.1.iter().find(|hole| {
        right.1.iter().any(|other| other.path == hole.path && other.sort != hole.sort)
    });
    missing(left, right)
        .or_else(|| missing(right, left))
        .or_else(|| different.map(|hole| Incomparable::HoleSorts { hole: hole.path.clone() }))
}
