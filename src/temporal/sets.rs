//! Where a formula holds, by worklists: linear in the steps of a system, for formulas in which nothing is bound and fixpoints do not
//! alternate.
//!
//! A closed part is a set of configurations, made of those of its parts. The open parts of a fixpoint are done together: for a
//! least one, truths are followed from where they are known to whatever they make true; for a greatest one, falsehoods to what
//! they make false. What needs several others counts how many are still missing.

use std::rc::Rc;

use super::explicit::{Bindings, FiniteSystem, MoveId, Undecided};
use super::formula::StateFormula;
use super::linear;
use super::modal::{Decider, Flat, Part};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::lts::LtsState;

/// Where a formula holds; nothing where it is not of the kind that is decided here.
pub(super) fn sets(
    decider: &mut Decider<'_>,
    formula: &StateFormula,
) -> Result<Option<Vec<bool>>, Undecided> {
    let mut flat = Flat::default();
    let root = flat.add(formula, false)?.0;
    let Some(open) = open_parts(&flat) else { return Ok(None) };
    let mut work = Sets { flat: &flat, open, known: vec![None; flat.parts.len()] };
    if !work.decides(root) {
        return Ok(None);
    }
    work.closed(decider, root)?;
    Ok(work.known[root].take())
}

/// Whether each part speaks of a fixpoint around it; nothing at all where something is bound.
fn open_parts(flat: &Flat) -> Option<Vec<bool>> {
    let binds = |part: &Part| match part {
        Part::Values(..) => true,
        Part::Steps(_, modality, _) => !modality.binds.is_empty(),
        Part::Fix(_, params, _) => !params.is_empty(),
        _ => false,
    };
    if flat.parts.iter().any(binds) {
        return None;
    }
    Some((0..flat.parts.len()).map(|part| flat.is_open(part)).collect())
}

/// The steps into each configuration.
pub(super) struct Before {
    starts: Vec<u32>,
    steps: Vec<(u32, MoveId)>,
}

struct Sets<'f> {
    flat: &'f Flat,
    open: Vec<bool>,
    known: Vec<Option<Vec<bool>>>,
}

/// How a part of a fixpoint follows from what is inside.
enum Follows {
    /// As soon as one does.
    Any,
    /// When all do: how many are missing, for each configuration; those that can never be are at the largest number.
    All(Vec<u32>),
}

/// A part of a fixpoint.
struct OpenPart {
    part: usize,
    follows: Follows,
    /// Of steps: which are meant.
    meant: Option<Rc<[bool]>>,
    /// What follows from it, by places in the list.
    parents: Vec<usize>,
    reached: Vec<bool>,
}

impl Sets<'_> {
    /// Whether no fixpoint of one kind stands inside of one of the other kind and speaks of it.
    fn decides(&self, root: usize) -> bool {
        let mut work = vec![(root, None)];
        while let Some((part, around)) = work.pop() {
            match &self.flat.parts[part] {
                Part::Fix(rank, _, body) => {
                    let least = rank % 2 == 1;
                    if self.open[part] && around.is_some_and(|kind| kind != least) {
                        return false;
                    }
                    let around = if self.open[part] { around } else { None };
                    work.push((*body, Some(around.unwrap_or(least))));
                }
                Part::Several(_, parts) => work.extend(parts.iter().map(|&one| (one, around))),
                Part::Steps(_, _, inner) => work.push((*inner, around)),
                _ => {}
            }
        }
        true
    }

    /// Makes the set of a part that speaks of no fixpoint around it.
    fn closed(&mut self, decider: &mut Decider<'_>, part: usize) -> Result<(), Undecided> {
        if self.known[part].is_some() {
            return Ok(());
        }
        let states = decider.system.len();
        let set = match &self.flat.parts[part] {
            Part::Bool(value) => vec![*value; states],
            Part::Holds(says, wanted) => {
                let mut set = decider.atoms.holds_where(states, says)?;
                set.iter_mut().for_each(|holds| *holds = *holds == *wanted);
                set
            }
            Part::MayEnd(wanted) => {
                decider.ends().iter().map(|may_end| *may_end == *wanted).collect()
            }
            Part::Path(runs, path, wanted) => {
                let set = linear::set(decider, *runs, path, &Bindings::new())?;
                set.into_iter().map(|holds| holds == *wanted).collect()
            }
            Part::Several(all, parts) => {
                let mut set = vec![*all; states];
                for &one in parts {
                    self.closed(decider, one)?;
                    let inner = self.known[one].as_ref().ok_or(Undecided::Unbound)?;
                    for (at, holds) in inner.iter().enumerate() {
                        set[at] = if *all { set[at] && *holds } else { set[at] || *holds };
                    }
                }
                set
            }
            Part::Steps(all, modality, inner) => {
                self.closed(decider, *inner)?;
                let meant = decider.meant(&modality.step)?;
                let inner = self.known[*inner].as_ref().ok_or(Undecided::Unbound)?;
                let row = |at: usize| {
                    let steps = decider.system.steps.row(LtsState::at(at)).iter();
                    let mut steps = steps.filter(|(done, _)| meant[done.index()]);
                    match all {
                        true => steps.all(|(_, to)| inner[to.index()]),
                        false => steps.any(|(_, to)| inner[to.index()]),
                    }
                };
                (0..states).map(row).collect()
            }
            Part::Fix(rank, _, _) => self.fixpoint(decider, part, rank % 2 == 1)?,
            Part::Values(..) | Part::Again(..) => return Err(Undecided::Unbound),
        };
        self.known[part] = Some(set);
        Ok(())
    }

    /// The set of a fixpoint, with all that is open inside of it.
    fn fixpoint(
        &mut self,
        decider: &mut Decider<'_>,
        root: usize,
        least: bool,
    ) -> Result<Vec<bool>, Undecided> {
        let states = decider.system.len();
        let mut parts: Vec<OpenPart> = Vec::new();
        let mut places = vec![usize::MAX; self.flat.parts.len()];
        let mut work = vec![(root, None)];
        while let Some((part, parent)) = work.pop() {
            places[part] = parts.len();
            let own = parts.len();
            if part != root && !self.open[part] {
                self.closed(decider, part)?;
                let set = self.known[part].as_ref().ok_or(Undecided::Unbound)?;
                let reached = set.iter().map(|holds| *holds == least).collect();
                let (follows, parents) = (Follows::Any, parent.into_iter().collect());
                parts.push(OpenPart { part, follows, meant: None, parents, reached });
                continue;
            }
            let mut meant_steps = None;
            let follows = match &self.flat.parts[part] {
                Part::Fix(_, _, body) => {
                    work.push((*body, Some(own)));
                    Follows::Any
                }
                Part::Again(..) => Follows::Any,
                Part::Several(all, inner) => {
                    let mut missing = vec![0_u32; states];
                    let mut hit = vec![false; states];
                    for &one in inner {
                        if self.open[one] {
                            work.push((one, Some(own)));
                            missing.iter_mut().for_each(|count| *count = count.saturating_add(1));
                            continue;
                        }
                        self.closed(decider, one)?;
                        let set = self.known[one].as_ref().ok_or(Undecided::Unbound)?;
                        for (at, holds) in set.iter().enumerate() {
                            match *holds == least {
                                true => hit[at] = true,
                                false => missing[at] = u32::MAX,
                            }
                        }
                    }
                    // Where one is enough, nothing is missing where one is so already.
                    if *all != least {
                        let parents = parent.into_iter().collect();
                        let follows = Follows::Any;
                        parts.push(OpenPart { part, follows, meant: None, parents, reached: hit });
                        continue;
                    }
                    Follows::All(missing)
                }
                Part::Steps(all, modality, inner) => {
                    work.push((*inner, Some(own)));
                    let meant = decider.meant(&modality.step)?;
                    let count = |at: usize| {
                        let steps = decider.system.steps.row(LtsState::at(at)).iter();
                        steps.filter(|(done, _)| meant[done.index()]).count() as u32
                    };
                    let follows = match *all == least {
                        true => Follows::All((0..states).map(count).collect()),
                        false => Follows::Any,
                    };
                    meant_steps = Some(meant);
                    follows
                }
                _ => return Err(Undecided::Unbound),
            };
            let reached = match &follows {
                Follows::All(missing) => missing.iter().map(|&count| count == 0).collect(),
                Follows::Any => vec![false; states],
            };
            let parents = parent.into_iter().collect();
            parts.push(OpenPart { part, follows, meant: meant_steps, parents, reached });
        }
        // A fixpoint is what it says again.
        for at in 0..parts.len() {
            if let Part::Again(fix, _) = &self.flat.parts[parts[at].part] {
                let fix = *places.get(*fix).ok_or(Undecided::Unbound)?;
                parts.get_mut(fix).ok_or(Undecided::Unbound)?.parents.push(at);
            }
        }
        Self::follow(decider, &mut parts)?;
        let reached = std::mem::take(&mut parts[places[root]].reached);
        Ok(reached.into_iter().map(|is| is == least).collect())
    }

    /// Follows what is known to whatever follows from it.
    fn follow(decider: &mut Decider<'_>, parts: &mut [OpenPart]) -> Result<(), Undecided> {
        let states = decider.system.len();
        let before = decider.before();
        let mut work: Vec<(u32, u32)> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let reached = (0..states).filter(|&at| part.reached[at]);
            work.extend(reached.map(|at| (number as u32, at as u32)));
        }
        let mut steps = 0_usize;
        while let Some((number, at)) = work.pop() {
            steps += 1;
            if steps.is_multiple_of(4096) && is_spent() {
                return Err(Undecided::Stopped);
            }
            let (number, at) = (number as usize, at as usize);
            for place in 0..parts[number].parents.len() {
                let parent = parts[number].parents[place];
                let of = &mut parts[parent];
                let mut take = |from: usize, follows: &mut Follows, reached: &mut [bool]| {
                    if reached[from] {
                        return;
                    }
                    let follows = match follows {
                        Follows::Any => true,
                        Follows::All(missing) if missing[from] == u32::MAX => false,
                        Follows::All(missing) => {
                            missing[from] -= 1;
                            missing[from] == 0
                        }
                    };
                    if follows {
                        reached[from] = true;
                        work.push((parent as u32, from as u32));
                    }
                };
                match &of.meant {
                    None => take(at, &mut of.follows, &mut of.reached),
                    Some(meant) => {
                        let range = before.starts[at] as usize..before.starts[at + 1] as usize;
                        for (from, done) in &before.steps[range] {
                            if meant[done.index()] {
                                take(*from as usize, &mut of.follows, &mut of.reached);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Before {
    pub fn of(system: &FiniteSystem) -> Before {
        let states = system.len();
        let mut starts = vec![0_u32; states + 1];
        for at in 0..states {
            for (_, to) in system.steps.row(LtsState::at(at)) {
                starts[to.index() + 1] += 1;
            }
        }
        for at in 0..states {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut steps = vec![(0_u32, MoveId::at(0)); starts[states] as usize];
        for at in 0..states {
            for (done, to) in system.steps.row(LtsState::at(at)) {
                let place = &mut next[to.index()];
                steps[*place as usize] = (at as u32, *done);
                *place += 1;
            }
        }
        Before { starts, steps }
    }
}
