//! Formulas of configurations on finite systems: a parity game on pairs of a configuration and a part of the formula.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::explicit::{Atoms, Bindings, FiniteSystem, MoveId, Undecided, fits};
use super::fair::fairly_lowered;
use super::formula::{
    FairPattern, FixId, Modality, PathFormula, Runs, StateFormula, StatePredicate, StepPattern,
};
use super::game::Game;
use super::ground::Ground;
use super::linear::{self, Lasso, Runner};
use super::lower::Fixes;
use super::sets::{Before, sets};
use crate::algebra::{TermId, VarId};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::explore::Value;
use crate::lts::LtsState;

/// A part of a formula, with negations at its atoms.
#[derive(Debug)]
pub(super) enum Part {
    Bool(bool),
    Holds(StatePredicate, bool),
    MayEnd(bool),
    /// All of these, or one of these.
    Several(bool, Vec<usize>),
    /// For all values, or for some.
    Values(bool, Vec<VarId>, usize),
    /// All steps, or one.
    Steps(bool, Modality, usize),
    Fix(u32, Vec<(VarId, TermId)>, usize),
    /// What is said of the runs; or its opposite.
    Path(Runs, PathFormula, bool),
    /// A fixpoint again: its parameters, their values, and what it says.
    Again(usize, Vec<TermId>),
}

/// Decides formulas of one system.
pub struct Decider<'a> {
    /// The system.
    pub system: &'a FiniteSystem,
    /// What atoms say.
    pub atoms: &'a mut dyn Atoms,
    /// Which runs count.
    pub fair: &'a [FairPattern],
    sets: FxHashMap<(StateFormula, Bindings), Rc<[bool]>>,
    ends: Option<Rc<[bool]>>,
    before: Option<Rc<Before>>,
    meant: FxHashMap<StepPattern, Rc<[bool]>>,
    /// How many moves there are.
    moves: usize,
}

impl<'a> Decider<'a> {
    /// Somebody who decides formulas of a system, where runs count that are fair.
    pub fn new(
        system: &'a FiniteSystem,
        atoms: &'a mut dyn Atoms,
        fair: &'a [FairPattern],
    ) -> Decider<'a> {
        let steps = (0..system.len()).flat_map(|at| system.steps.row(LtsState::at(at)));
        let moves = steps.map(|(done, _)| done.index() + 1).max().unwrap_or(0);
        let (sets, meant) = Default::default();
        Decider { system, atoms, fair, sets, ends: None, before: None, meant, moves }
    }

    /// Where a formula holds, for values of what is bound around it.
    pub fn set(
        &mut self,
        formula: &StateFormula,
        bound: &Bindings,
    ) -> Result<Rc<[bool]>, Undecided> {
        let key = (formula.clone(), bound.clone());
        if let Some(known) = self.sets.get(&key) {
            return Ok(Rc::clone(known));
        }
        let all: Vec<usize> = (0..self.system.len()).collect();
        let found: Rc<[bool]> = self.decided(formula, bound, &all)?.into();
        self.sets.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// Whether a formula holds in each configuration in which the system begins.
    pub fn at_first(&mut self, formula: &StateFormula) -> Result<Vec<bool>, Undecided> {
        let begins: Vec<usize> = self.system.begins.iter().map(|at| at.index()).collect();
        let found = self.decided(formula, &Vec::new(), &begins)?;
        Ok(begins.into_iter().map(|at| found[at]).collect())
    }

    /// Where a run may end: every step that is possible needs a hole.
    pub(super) fn ends(&mut self) -> Rc<[bool]> {
        let (system, atoms) = (self.system, &self.atoms);
        let may_end = |at: usize| {
            let mut steps = system.steps.row(LtsState::at(at)).iter();
            steps.all(|(done, _)| atoms.needs_hole(*done))
        };
        let ends = self.ends.get_or_insert_with(|| (0..system.len()).map(may_end).collect());
        Rc::clone(ends)
    }

    /// The steps into each configuration.
    pub(super) fn before(&mut self) -> Rc<Before> {
        let system = self.system;
        Rc::clone(self.before.get_or_insert_with(|| Rc::new(Before::of(system))))
    }

    /// Which moves a pattern means where nothing is bound.
    pub(super) fn meant(&mut self, step: &StepPattern) -> Result<Rc<[bool]>, Undecided> {
        if let Some(known) = self.meant.get(step) {
            return Ok(Rc::clone(known));
        }
        let mut found = Vec::with_capacity(self.moves);
        for done in 0..self.moves {
            found.push(fits(self.atoms, MoveId::at(done), step, &Bindings::new())?);
        }
        let found: Rc<[bool]> = found.into();
        self.meant.insert(step.clone(), Rc::clone(&found));
        Ok(found)
    }

    fn decided(
        &mut self,
        formula: &StateFormula,
        bound: &Bindings,
        wanted: &[usize],
    ) -> Result<Vec<bool>, Undecided> {
        let made;
        // Operators on runs are fixpoints where all runs count.
        let formula = match self.fair.is_empty() {
            true => {
                let mut fixes = Fixes::after(formula);
                made = fairly_lowered(formula, &[], &mut fixes).unwrap_or_else(|_| formula.clone());
                &made
            }
            false => formula,
        };
        if bound.is_empty()
            && let Some(found) = sets(self, formula)?
        {
            return Ok(found);
        }
        let mut flat = Flat::default();
        let root = flat.add(formula, false)?.0;
        let mut found = vec![false; self.system.len()];
        let mut playing = Playing {
            flat: &flat,
            nodes: IndexMap::default(),
            paths: FxHashMap::default(),
            ends: self.ends(),
            decider: self,
        };
        for &at in wanted {
            playing.nodes.insert((root, at, bound.clone()), ());
        }
        let game = playing.game()?;
        let won = game.won().ok_or(Undecided::Stopped)?;
        for (number, &at) in wanted.iter().enumerate() {
            found[at] = won[number];
        }
        Ok(found)
    }
}

impl Ground for Decider<'_> {
    fn begins(&self) -> Vec<LtsState> {
        self.system.begins.clone()
    }

    fn open(&mut self, _: LtsState) -> Result<(), Undecided> {
        Ok(())
    }

    fn row(&self, at: LtsState) -> &[(MoveId, LtsState)] {
        self.system.steps.row(at)
    }

    fn atoms(&mut self) -> &mut dyn Atoms {
        self.atoms
    }

    fn fair(&self) -> &[FairPattern] {
        self.fair
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn grow(&mut self, _: usize) -> Result<bool, Undecided> {
        Ok(true)
    }

    fn is(
        &mut self,
        at: LtsState,
        formula: &StateFormula,
        bound: &Bindings,
    ) -> Result<bool, Undecided> {
        Ok(self.set(formula, bound)?[at.index()])
    }

    fn at_first(&mut self, formula: &StateFormula) -> Result<Vec<bool>, Undecided> {
        Decider::at_first(self, formula)
    }

    fn run(
        &mut self,
        at: LtsState,
        says: (&PathFormula, bool),
        bound: &Bindings,
    ) -> Result<Option<Lasso>, Undecided> {
        Runner::new(self, says, bound)?.run(self, at)
    }
}

/// The parts of a formula.
#[derive(Default)]
pub(super) struct Flat {
    pub parts: Vec<Part>,
    fixes: Vec<(FixId, bool, usize)>,
    /// For each part, the outermost fixpoint around it of which it speaks.
    outermost: Vec<Option<usize>>,
}

impl Flat {
    /// A formula, or its opposite; also the largest rank inside.
    pub fn add(&mut self, formula: &StateFormula, not: bool) -> Result<(usize, u32), Undecided> {
        let (part, rank) = match formula {
            StateFormula::Bool(value) => (Part::Bool(*value != not), 0),
            StateFormula::Holds(says) => (Part::Holds(*says, !not), 0),
            StateFormula::MayEnd => (Part::MayEnd(!not), 0),
            StateFormula::Not(inner) => return self.add(inner, !not),
            StateFormula::Text(_, inner) => return self.add(inner, not),
            StateFormula::And(parts) => self.several(!not, parts.iter().map(|one| (one, not)))?,
            StateFormula::Or(parts) => self.several(not, parts.iter().map(|one| (one, not)))?,
            StateFormula::Implies(one, other) => {
                self.several(not, [(&**one, !not), (&**other, not)].into_iter())?
            }
            StateFormula::Forall(vars, inner) | StateFormula::Exists(vars, inner) => {
                let all = matches!(formula, StateFormula::Forall(..)) != not;
                let (inner, rank) = self.add(inner, not)?;
                (Part::Values(all, vars.clone(), inner), rank)
            }
            StateFormula::Box(modality) | StateFormula::Diamond(modality) => {
                let all = matches!(formula, StateFormula::Box(_)) != not;
                let (inner, rank) = self.add(&modality.then, not)?;
                (Part::Steps(all, modality.clone(), inner), rank)
            }
            StateFormula::Fix { id, greatest, params, body } => {
                let at = self.parts.len();
                self.parts.push(Part::Bool(false));
                self.outermost.push(None);
                self.fixes.push((*id, not, at));
                let (body, inside) = self.add(body, not)?;
                self.fixes.pop();
                let least = *greatest == not;
                // The smallest rank that is not smaller than those inside, odd for a least fixpoint.
                let smallest = inside.max(1);
                let rank = if (smallest % 2 == 1) == least { smallest } else { smallest + 1 };
                self.parts[at] = Part::Fix(rank, params.clone(), body);
                self.outermost[at] = self.outermost[body].filter(|outer| *outer != at);
                return Ok((at, rank));
            }
            StateFormula::Again(id, args) => {
                let known = self.fixes.iter().rev().find(|(known, ..)| known == id);
                let &(_, polarity, at) = known.ok_or(Undecided::Unbound)?;
                if polarity != not {
                    return Err(Undecided::NotMonotone);
                }
                (Part::Again(at, args.clone()), 0)
            }
            StateFormula::Path(runs, path) => {
                let mut own = Vec::new();
                let mixed = formula.any(&mut |part| {
                    if let StateFormula::Fix { id, .. } = part {
                        own.push(*id);
                    }
                    matches!(part, StateFormula::Again(id, _) if !own.contains(id))
                });
                if mixed {
                    return Err(Undecided::Mixed);
                }
                (Part::Path(*runs, (**path).clone(), !not), 0)
            }
        };
        let of = |part: &usize| self.outermost[*part];
        let outermost = match &part {
            Part::Several(_, parts) => parts.iter().filter_map(of).min(),
            Part::Values(_, _, inner) | Part::Steps(_, _, inner) => of(inner),
            Part::Again(fix, _) => Some(*fix),
            _ => None,
        };
        self.parts.push(part);
        self.outermost.push(outermost);
        Ok((self.parts.len() - 1, rank))
    }

    /// Whether a part speaks of a fixpoint around it.
    pub fn is_open(&self, part: usize) -> bool {
        self.outermost[part].is_some()
    }

    fn several<'f>(
        &mut self,
        all: bool,
        parts: impl Iterator<Item = (&'f StateFormula, bool)>,
    ) -> Result<(Part, u32), Undecided> {
        let (mut made, mut rank) = (Vec::new(), 0);
        for (part, not) in parts {
            let (at, inside) = self.add(part, not)?;
            made.push(at);
            rank = rank.max(inside);
        }
        Ok((Part::Several(all, made), rank))
    }
}

/// A part of a formula in a configuration.
type Node = (usize, usize, Bindings);

struct Playing<'p, 'd, 'a> {
    flat: &'p Flat,
    nodes: IndexMap<Node, (), FxBuildHasher>,
    paths: FxHashMap<(usize, Bindings), Vec<bool>>,
    ends: Rc<[bool]>,
    decider: &'d mut Decider<'a>,
}

impl Playing<'_, '_, '_> {
    /// The game that begins in the nodes that are there.
    fn game(&mut self) -> Result<Game, Undecided> {
        let mut game = Game::default();
        let mut at = 0;
        while let Some(((part, state, bound), ())) = self.nodes.get_index(at) {
            if at.is_multiple_of(1024) && is_spent() {
                return Err(Undecided::Stopped);
            }
            let (part, state, bound) = (*part, *state, bound.clone());
            let (verifier, rank, next) = self.moves(part, state, bound)?;
            let mut moves = Vec::with_capacity(next.len());
            for node in next {
                let number = self.nodes.insert_full(node, ()).0;
                moves.push(u32::try_from(number).map_err(|_| Undecided::TooMany)?);
            }
            moves.sort_unstable();
            moves.dedup();
            game.moves.push(moves);
            game.of_verifier.push(verifier);
            game.ranks.push(rank);
            at += 1;
        }
        Ok(game)
    }

    /// Who moves in a node, its rank, and where it leads.
    fn moves(
        &mut self,
        part: usize,
        state: usize,
        bound: Bindings,
    ) -> Result<(bool, u32, Vec<Node>), Undecided> {
        let flat = self.flat;
        // Who cannot move loses.
        let known = |holds: bool| Ok((!holds, 0, Vec::new()));
        let here = LtsState::at(state);
        match &flat.parts[part] {
            Part::Bool(value) => known(*value),
            Part::Holds(says, wanted) => {
                known(self.decider.atoms.holds(here, says, &bound)? == *wanted)
            }
            Part::MayEnd(wanted) => known(self.ends[state] == *wanted),
            Part::Path(runs, path, wanted) => {
                let key = (part, bound);
                if !self.paths.contains_key(&key) {
                    let set = linear::set(self.decider, *runs, path, &key.1)?;
                    self.paths.insert(key.clone(), set);
                }
                known(self.paths[&key][state] == *wanted)
            }
            Part::Several(all, parts) => {
                // Where what is said of the configuration decides, nothing else is asked: parameters may grow behind it for ever.
                for &one in parts {
                    if let Part::Holds(says, wanted) = &flat.parts[one] {
                        let is = self.decider.atoms.holds(here, says, &bound)? == *wanted;
                        if is != *all {
                            return known(is);
                        }
                    }
                }
                let next = parts.iter().map(|&one| (one, state, bound.clone())).collect();
                Ok((!all, 0, next))
            }
            Part::Values(all, vars, inner) => {
                let all_bound = extended(self.decider.atoms, &bound, vars)?;
                Ok((!all, 0, all_bound.into_iter().map(|one| (*inner, state, one)).collect()))
            }
            Part::Steps(all, modality, inner) => {
                let system = self.decider.system;
                let mut next = Vec::new();
                for &(done, to) in system.steps.row(here) {
                    if !fits(self.decider.atoms, done, &modality.step, &bound)? {
                        continue;
                    }
                    let with = self.with(&bound, Some(done), &modality.binds)?;
                    next.push((*inner, to.index(), with));
                }
                Ok((!all, 0, next))
            }
            Part::Fix(rank, params, body) => {
                let with = self.with(&bound, None, params)?;
                Ok((true, *rank, vec![(*body, state, with)]))
            }
            Part::Again(fix, args) => {
                let Part::Fix(rank, params, body) = &flat.parts[*fix] else {
                    return Err(Undecided::Unbound);
                };
                let pairs: Vec<(VarId, TermId)> =
                    params.iter().map(|(var, _)| *var).zip(args.iter().copied()).collect();
                // What was bound inside is forgotten: the fixpoint does not see it.
                let mut with = self.with(&bound, None, &pairs)?;
                let first = params.first().map(|(var, _)| *var);
                let outside = self.outside(*fix, &bound, first);
                with.retain(|(var, _)| {
                    outside.contains(var) || params.iter().any(|(p, _)| p == var)
                });
                Ok((true, *rank, vec![(*body, state, with)]))
            }
        }
    }

    /// The variables that are bound where a fixpoint stands: those that came before its first parameter, or, where it has
    /// none, all that nothing inside of it binds.
    fn outside(&self, fix: usize, bound: &Bindings, first: Option<VarId>) -> Vec<VarId> {
        if let Some(first) = first {
            let before = bound.iter().map(|(var, _)| *var).take_while(|var| *var != first);
            return before.collect();
        }
        let mut inside = Vec::new();
        let mut work = vec![fix];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(part) = work.pop() {
            if !seen.insert(part) {
                continue;
            }
            match &self.flat.parts[part] {
                Part::Several(_, parts) => work.extend(parts),
                Part::Values(_, vars, inner) => {
                    inside.extend(vars.iter().copied());
                    work.push(*inner);
                }
                Part::Steps(_, modality, inner) => {
                    inside.extend(modality.binds.iter().map(|(var, _)| *var));
                    work.push(*inner);
                }
                Part::Fix(_, params, body) => {
                    inside.extend(params.iter().map(|(var, _)| *var));
                    work.push(*body);
                }
                _ => {}
            }
        }
        bound.iter().map(|(var, _)| *var).filter(|var| !inside.contains(var)).collect()
    }

    /// What is bound, with more that is, by terms that do not see each other.
    fn with(
        &mut self,
        bound: &Bindings,
        done: Option<MoveId>,
        binds: &[(VarId, TermId)],
    ) -> Result<Bindings, Undecided> {
        with_values(self.decider.atoms, bound, done, binds)
    }
}

/// What is bound, with more that is, by terms that do not see each other.
pub(super) fn with_values(
    atoms: &mut dyn Atoms,
    bound: &Bindings,
    done: Option<MoveId>,
    binds: &[(VarId, TermId)],
) -> Result<Bindings, Undecided> {
    if binds.is_empty() {
        return Ok(bound.clone());
    }
    let mut new = Vec::with_capacity(binds.len());
    for (var, term) in binds {
        new.push((*var, atoms.value(done, *term, bound)?));
    }
    Ok(bind(bound, new))
}

/// What is bound, with new values in the place of old ones.
fn bind(bound: &Bindings, new: Vec<(VarId, Value)>) -> Bindings {
    let mut all = bound.clone();
    for (var, value) in new {
        match all.iter_mut().find(|(known, _)| *known == var) {
            Some(known) => known.1 = value,
            None => all.push((var, value)),
        }
    }
    all
}

/// What is bound, with each of the values of some variables.
pub(super) fn extended(
    atoms: &mut dyn Atoms,
    bound: &Bindings,
    vars: &[VarId],
) -> Result<Vec<Bindings>, Undecided> {
    let mut all = vec![bound.clone()];
    for &var in vars {
        let values = atoms.values(var)?;
        let mut more = Vec::with_capacity(all.len().saturating_mul(values.len()));
        for one in &all {
            if is_spent() {
                return Err(Undecided::Stopped);
            }
            more.extend(values.iter().map(|value| bind(one, vec![(var, value.clone())])));
        }
        all = more;
    }
    Ok(all)
}
