//! What a game sees of a net: configurations as numbers, and what is shown as numbers that both nets share.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::unfold::{LabelView, Unfolded};
use crate::base::IndexVec;
use crate::explore::{Constants, Value};
use crate::lts::{Lts, LtsLabel, LtsState, Rows};
use crate::tagged_id;

tagged_id!(
    /// Something that is shown: an action, and what the holes do that are compared. Both nets have the same numbers.
    ShownId
);

/// What is shown: the action, and what holes do by their paths, in order; nothing where it is silent.
pub type Shown = Option<(Value, Vec<(String, Value)>)>;

/// What is shown in either net, each with a number.
#[derive(Debug, Default)]
pub struct Shows(IndexSet<Shown, FxBuildHasher>);

impl Shows {
    /// The number of something.
    pub fn number(&mut self, shown: Shown) -> ShownId {
        ShownId(self.0.insert_full(shown).0 as u32)
    }

    /// The number of something, if it has one.
    pub fn get(&self, shown: &Shown) -> Option<ShownId> {
        self.0.get_index_of(shown).map(|place| ShownId(place as u32))
    }

    /// What has a number.
    pub fn shown(&self, id: ShownId) -> Option<&(Value, Vec<(String, Value)>)> {
        self.0.get_index(id.index()).and_then(Option::as_ref)
    }

    /// Whether nobody sees it.
    pub fn is_silent(&self, id: ShownId) -> bool {
        self.0.get_index(id.index()).is_some_and(Option::is_none)
    }
}

/// One side of a game.
#[derive(Debug)]
pub struct GameSide {
    /// The steps of each configuration.
    pub steps: Rows<LtsState, (ShownId, LtsState)>,
    /// Where it begins, with the values of symbolic constants.
    pub begins: Vec<(Constants, LtsState)>,
}

impl GameSide {
    /// What a game sees of a net, where only these holes are compared; where silent steps do not count, holes must not be.
    pub fn of(
        unfolded: &Unfolded<'_, '_>,
        view: LabelView,
        tracked: impl Fn(&str) -> bool,
        shows: &mut Shows,
    ) -> GameSide {
        let numbers = unfolded.done.ids().map(|done| {
            let shown = unfolded.seen(done, view).map(|(action, holes)| {
                let path = |hole| unfolded.hole_path(hole).to_owned();
                let holes = holes.into_iter().map(|(hole, does)| (path(hole), does));
                let mut holes: Vec<_> = holes.filter(|(path, _)| tracked(path)).collect();
                holes.sort();
                (action, holes)
            });
            shows.number(shown.filter(|(action, holes)| *action != Value::Tau || !holes.is_empty()))
        });
        let numbers: Vec<ShownId> = numbers.collect();
        let mut steps = Rows::with_capacity(unfolded.states(), unfolded.steps.items());
        for at in unfolded.ids() {
            for (done, to) in unfolded.steps.row(at) {
                steps.push((numbers[done.index()], *to));
            }
            steps.end_row();
        }
        GameSide { steps, begins: unfolded.begins.clone() }
    }

    /// What a game sees of a system; nothing where a label that it has has no number.
    pub fn of_lts(
        lts: &Lts,
        numbers: &IndexVec<LtsLabel, Option<ShownId>>,
        constants: Constants,
    ) -> Option<GameSide> {
        let mut steps = Rows::with_capacity(lts.states(), lts.transitions());
        for at in lts.ids() {
            for step in lts.steps(at) {
                steps.push((numbers[step.label]?, step.to));
            }
            steps.end_row();
        }
        Some(GameSide { steps, begins: vec![(constants, lts.initial())] })
    }

    /// Whether nothing at all is possible.
    pub fn is_stuck(&self, at: LtsState) -> bool {
        self.steps.row(at).is_empty()
    }
}

/// Where steps of one side can be answered to.
#[derive(Debug, Default)]
pub struct Answers {
    /// Silent steps, any number of them.
    silent: FxHashMap<LtsState, Box<[LtsState]>>,
    shown: FxHashMap<(LtsState, ShownId), Box<[LtsState]>>,
}

impl Answers {
    /// All configurations to which a step that shows this can be answered: by one that shows the same; where silent steps do
    /// not count, with silent ones around it, and a silent one by silent ones or none.
    pub fn to(
        &mut self,
        side: &GameSide,
        shows: &Shows,
        (at, shown): (LtsState, ShownId),
        weak: bool,
    ) -> &[LtsState] {
        if weak && shows.is_silent(shown) {
            return self.silently(side, shows, at);
        }
        if !self.shown.contains_key(&(at, shown)) {
            let before: Vec<LtsState> = match weak {
                true => self.silently(side, shows, at).to_vec(),
                false => vec![at],
            };
            let after = before.iter().flat_map(|from| side.steps.row(*from));
            let mut found: Vec<LtsState> =
                after.filter(|(does, _)| *does == shown).map(|(_, to)| *to).collect();
            in_order(&mut found);
            if weak {
                let ends = found.iter().flat_map(|to| self.silently(side, shows, *to).to_vec());
                found = ends.collect();
                in_order(&mut found);
            }
            self.shown.insert((at, shown), found.into());
        }
        self.shown.get(&(at, shown)).map_or(&[], |found| found)
    }

    /// All configurations that silent steps lead to, the first itself included; in order.
    pub fn silently(&mut self, side: &GameSide, shows: &Shows, at: LtsState) -> &[LtsState] {
        self.silent.entry(at).or_insert_with(|| {
            let mut found: IndexSet<LtsState, FxBuildHasher> = IndexSet::default();
            found.insert(at);
            let mut next = 0;
            while let Some(from) = found.get_index(next).copied() {
                let steps = side.steps.row(from).iter();
                found.extend(steps.filter(|(does, _)| shows.is_silent(*does)).map(|(_, to)| *to));
                next += 1;
            }
            let mut found: Vec<LtsState> = found.into_iter().collect();
            found.sort_unstable();
            found.into()
        })
    }

    /// How many configurations are remembered.
    pub fn size(&self) -> usize {
        let silent: usize = self.silent.values().map(|all| all.len()).sum();
        silent + self.shown.values().map(|all| all.len()).sum::<usize>()
    }
}

fn in_order(found: &mut Vec<LtsState>) {
    found.sort_unstable();
    found.dedup();
}

/// A shortest way from one configuration to another that shows this and nothing else, as the places of its steps; nothing
/// where there is none.
pub fn way(
    side: &GameSide,
    shows: &Shows,
    (from, to): (LtsState, LtsState),
    shown: ShownId,
    weak: bool,
) -> Option<Vec<(ShownId, LtsState)>> {
    let is_silent = weak && shows.is_silent(shown);
    // Where it is, and whether it has shown what is wanted.
    let mut met: IndexSet<(LtsState, bool), FxBuildHasher> = IndexSet::default();
    let mut before: Vec<Option<(usize, ShownId)>> = vec![None];
    met.insert((from, is_silent));
    let mut next = 0;
    while let Some((at, done)) = met.get_index(next).copied() {
        if at == to && done {
            return Some(walked(&met, &before, next));
        }
        for (does, target) in side.steps.row(at) {
            let now = match weak && shows.is_silent(*does) {
                true => (*target, done),
                false if *does == shown && !done => (*target, true),
                false => continue,
            };
            if met.insert(now) {
                before.push(Some((next, *does)));
            }
        }
        next += 1;
    }
    None
}

fn walked(
    met: &IndexSet<(LtsState, bool), FxBuildHasher>,
    before: &[Option<(usize, ShownId)>],
    mut at: usize,
) -> Vec<(ShownId, LtsState)> {
    let mut steps = Vec::new();
    while let (Some((state, _)), Some(Some((from, does)))) = (met.get_index(at), before.get(at)) {
        steps.push((*does, *state));
        at = *from;
    }
    steps.reverse();
    steps
}
