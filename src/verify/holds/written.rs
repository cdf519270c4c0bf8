//! Sets of configurations as a text, for the certificate of a formula: conditions as a list of terms, each made of earlier ones.
//!
//! What is read is looked at as if a stranger had written it: each term is one of its sort, or none at all. Whether the sets
//! are a proof is not asked here.

mod reading;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub(super) use self::reading::{parsed, read, read_invariant};

use crate::algebra::{Sort, Term, TermId, Terms, VarId};
use crate::temporal::symbolic::{Found, Layer, Proof, Set};

/// The form of the file.
const VERSION: u32 = 1;

/// The file: what a proof of a formula rests on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct FixpointsFile {
    version: u32,
    /// The sorts of the variables that are neither the net's nor bound by the formula: ranks, and what conditions bind.
    variables: Vec<WrittenSort>,
    terms: Vec<WrittenTerm>,
    /// What is known in each state, as the places of terms.
    known: Vec<usize>,
    /// The sets, in the order in which the formula asks for them.
    fixpoints: Vec<WrittenSets>,
    /// In place of sets: what always holds of the net and of an observer of the formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invariant: Option<Vec<usize>>,
}

impl FixpointsFile {
    /// Whether it has an invariant, and no sets.
    pub fn has_invariant(&self) -> bool {
        self.invariant.is_some()
    }
}

/// Sets of a fixpoint.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum WrittenSets {
    /// One condition for each state.
    Greatest(Vec<usize>),
    /// Layers of the least one.
    Least(Vec<WrittenLayer>),
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct WrittenLayer {
    /// The variables that are its ranks.
    ranks: Vec<usize>,
    /// One condition for each state.
    states: Vec<usize>,
}

/// A sort. Numbers are places in the lists of the automaton, and of terms.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum WrittenSort {
    Bool,
    Int,
    Action,
    Abstract(usize),
    Data(usize),
    Range(usize, usize),
    Array(Box<WrittenSort>, Box<WrittenSort>),
}

/// A term. Numbers are places in the lists of the automaton, of variables, and of the terms before.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum WrittenTerm {
    Bool(bool),
    Int(String),
    /// A variable of the net.
    State(usize),
    /// A variable that the formula binds.
    Bound(usize),
    /// One of the other variables.
    Var(usize),
    Const(usize),
    Apply(usize, Vec<usize>),
    Construct(usize, u32, Vec<usize>),
    Select(usize, u32, u32, usize),
    Is(usize, u32, usize),
    Index(usize, usize),
    Update(usize, usize, usize),
    Everywhere(WrittenSort, usize),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Add(Vec<usize>),
    Multiply(Vec<usize>),
    Div(usize, usize),
    Mod(usize, usize),
    Equal(usize, usize),
    Less(usize, usize),
    #[serde(rename = "lessequal")]
    LessEqual(usize, usize),
    If(usize, usize, usize),
    Forall(Vec<usize>, usize),
    Exists(Vec<usize>, usize),
    Act(usize, Vec<usize>),
    Tau,
    Sync(usize),
    Co(usize),
    #[serde(rename = "isact")]
    IsAct(usize, usize),
    #[serde(rename = "issync")]
    IsSync(usize),
    #[serde(rename = "isco")]
    IsCo(usize),
    Argument(usize, u32, usize),
    Inner(usize),
}

/// What a proof rests on; `state` are the variables of the net.
pub(super) fn written(terms: &Terms, state: &[VarId], proof: &Proof) -> FixpointsFile {
    let mut writing = Writing::new(terms, state, &proof.bound);
    writing.file.known = writing.set(&proof.known);
    for fix in &proof.fixes {
        let sets = match &fix.sets {
            Found::Greatest(set) => WrittenSets::Greatest(writing.set(set)),
            Found::Least(layers) => {
                WrittenSets::Least(layers.iter().map(|layer| writing.layer(layer)).collect())
            }
        };
        writing.file.fixpoints.push(sets);
    }
    writing.file
}

/// What always holds of a net and of an observer; `state` are the variables of both, with those that are true where somebody is in
/// a state.
pub(super) fn written_invariant(
    terms: &Terms,
    state: &[VarId],
    conjuncts: &[TermId],
) -> FixpointsFile {
    let mut writing = Writing::new(terms, state, &[]);
    let invariant = conjuncts.iter().map(|&one| writing.term(one)).collect();
    writing.file.invariant = Some(invariant);
    writing.file
}

/// The file as a text.
pub(super) fn text(file: &FixpointsFile) -> String {
    serde_json::to_string(file).unwrap_or_default() + "\n"
}

fn places(vars: &[VarId]) -> FxHashMap<VarId, usize> {
    vars.iter().enumerate().map(|(place, var)| (*var, place)).collect()
}

struct Writing<'t> {
    terms: &'t Terms,
    state: FxHashMap<VarId, usize>,
    bound: FxHashMap<VarId, usize>,
    own: FxHashMap<VarId, usize>,
    /// Where each term that was written stands.
    places: FxHashMap<TermId, usize>,
    file: FixpointsFile,
}

impl<'t> Writing<'t> {
    fn new(terms: &'t Terms, state: &[VarId], bound: &[VarId]) -> Writing<'t> {
        let file = FixpointsFile {
            version: VERSION,
            variables: Vec::new(),
            terms: Vec::new(),
            known: Vec::new(),
            fixpoints: Vec::new(),
            invariant: None,
        };
        let (own, places_of_terms) = (FxHashMap::default(), FxHashMap::default());
        let (state, bound) = (places(state), places(bound));
        Writing { terms, state, bound, own, places: places_of_terms, file }
    }

    fn set(&mut self, set: &Set) -> Vec<usize> {
        set.iter().map(|&one| self.term(one)).collect()
    }

    fn layer(&mut self, layer: &Layer) -> WrittenLayer {
        let ranks = layer.ranks.iter().map(|&rank| self.own(rank)).collect();
        WrittenLayer { ranks, states: self.set(&layer.set) }
    }

    /// The place of a variable that is neither the net's nor the formula's.
    fn own(&mut self, var: VarId) -> usize {
        if let Some(&place) = self.own.get(&var) {
            return place;
        }
        let sort = self.terms.var(var).sort.clone();
        let sort = self.sort(&sort);
        self.file.variables.push(sort);
        let place = self.file.variables.len() - 1;
        self.own.insert(var, place);
        place
    }

    fn sort(&mut self, sort: &Sort) -> WrittenSort {
        match sort {
            Sort::Bool => WrittenSort::Bool,
            Sort::Int => WrittenSort::Int,
            Sort::Action => WrittenSort::Action,
            Sort::Abstract(id) => WrittenSort::Abstract(id.index()),
            Sort::Data(id) => WrittenSort::Data(id.index()),
            Sort::Range(low, high) => WrittenSort::Range(self.term(*low), self.term(*high)),
            Sort::Array(both) => {
                let (key, value) = (self.sort(&both.0), self.sort(&both.1));
                WrittenSort::Array(Box::new(key), Box::new(value))
            }
        }
    }

    /// The place of a term: all that is inside comes before it.
    fn term(&mut self, root: TermId) -> usize {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.places.contains_key(&term) {
                work.pop();
                continue;
            }
            let before = work.len();
            let places = &self.places;
            self.terms.get(term).each_inside(|inner| {
                if !places.contains_key(&inner) {
                    work.push(inner);
                }
            });
            if work.len() == before {
                work.pop();
                let written = self.form(term);
                self.file.terms.push(written);
                self.places.insert(term, self.file.terms.len() - 1);
            }
        }
        self.places[&root]
    }

    /// A term of which all that is inside was written.
    fn form(&mut self, term: TermId) -> WrittenTerm {
        let terms = self.terms;
        let at = |term: &TermId| self.places[term];
        let all = |args: &[TermId]| args.iter().map(|arg| self.places[arg]).collect::<Vec<_>>();
        match terms.get(term) {
            Term::Bool(value) => WrittenTerm::Bool(*value),
            Term::Int(value) => WrittenTerm::Int(value.to_string()),
            Term::Var(var) => match (self.state.get(var), self.bound.get(var)) {
                (Some(&place), _) => WrittenTerm::State(place),
                (None, Some(&place)) => WrittenTerm::Bound(place),
                (None, None) => WrittenTerm::Var(self.own(*var)),
            },
            Term::Const(id) => WrittenTerm::Const(id.index()),
            Term::Apply(id, args) => WrittenTerm::Apply(id.index(), all(args)),
            Term::Construct(data, index, args) => {
                WrittenTerm::Construct(data.index(), *index, all(args))
            }
            Term::Select(data, index, field, inner) => {
                WrittenTerm::Select(data.index(), *index, *field, at(inner))
            }
            Term::IsConstructor(data, index, inner) => {
                WrittenTerm::Is(data.index(), *index, at(inner))
            }
            Term::Index(a, b) => WrittenTerm::Index(at(a), at(b)),
            Term::Update(a, b, c) => WrittenTerm::Update(at(a), at(b), at(c)),
            Term::ConstArray(sort, inner) => {
                let (sort, inner) = (sort.clone(), at(inner));
                WrittenTerm::Everywhere(self.sort(&sort), inner)
            }
            Term::Not(inner) => WrittenTerm::Not(at(inner)),
            Term::And(args) => WrittenTerm::And(all(args)),
            Term::Or(args) => WrittenTerm::Or(all(args)),
            Term::Add(args) => WrittenTerm::Add(all(args)),
            Term::Multiply(args) => WrittenTerm::Multiply(all(args)),
            Term::Div(a, b) => WrittenTerm::Div(at(a), at(b)),
            Term::Mod(a, b) => WrittenTerm::Mod(at(a), at(b)),
            Term::Equal(a, b) => WrittenTerm::Equal(at(a), at(b)),
            Term::Less(a, b) => WrittenTerm::Less(at(a), at(b)),
            Term::LessEqual(a, b) => WrittenTerm::LessEqual(at(a), at(b)),
            Term::If(a, b, c) => WrittenTerm::If(at(a), at(b), at(c)),
            Term::Forall(vars, inner) => {
                let (vars, inner) = (vars.clone(), at(inner));
                WrittenTerm::Forall(vars.iter().map(|var| self.own(*var)).collect(), inner)
            }
            Term::Exists(vars, inner) => {
                let (vars, inner) = (vars.clone(), at(inner));
                WrittenTerm::Exists(vars.iter().map(|var| self.own(*var)).collect(), inner)
            }
            Term::Act(action, args) => WrittenTerm::Act(action.index(), all(args)),
            Term::Tau => WrittenTerm::Tau,
            Term::Sync(inner) => WrittenTerm::Sync(at(inner)),
            Term::Co(inner) => WrittenTerm::Co(at(inner)),
            Term::IsAct(action, inner) => WrittenTerm::IsAct(action.index(), at(inner)),
            Term::IsSync(inner) => WrittenTerm::IsSync(at(inner)),
            Term::IsCo(inner) => WrittenTerm::IsCo(at(inner)),
            Term::Argument(action, place, inner) => {
                WrittenTerm::Argument(action.index(), *place, at(inner))
            }
            Term::Inner(inner) => WrittenTerm::Inner(at(inner)),
        }
    }
}
