//! The vectors of a node with the actions that its parts really do: what a node comes to once each part is known by itself.
//!
//! Input: for each part of a node, the actions that it may do, with all their values. Output: each choice of actions with
//! which a vector can happen, what is shown then, and the choices that it gives way to. Conditions, results and what values
//! owe are looked at as for a step of the whole net; only where the actions come from is another matter.

use rustc_hash::FxHashMap;

use super::Interpreter;
use super::attempt::{Attempt, Demand, Side};
use super::evaluate::Seen;
use super::initial::settled;
use super::partial::{Head, Partial};
use super::solve::{AllWays, AnyWay, solve};
use super::store::Source;
use super::world::{Known, World};
use crate::algebra::ActionId;
use crate::base::budget::is_spent;
use crate::base::{Id, IndexVec};
use crate::explore::MOST_AT_ONCE;
use crate::explore::{Configuration, Gap, Value};
use crate::pnet::{Foremost, Member, Members, NodeId, PartId, Rival, Vector, VectorId};
use crate::tagged_id;

tagged_id! {
    /// An action among those that a part may do.
    OfferId
}

/// A part, and the action that it does.
pub type Offered = (PartId, OfferId);

/// A vector, with the actions of its members.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instance {
    /// The vector.
    pub vector: VectorId,
    /// Who does what, in the order of the parts.
    pub members: Vec<Offered>,
    /// What is shown.
    pub result: Value,
    /// What it gives way to: all of one of these could happen.
    pub rivals: Vec<Vec<Offered>>,
}

/// The actions that a part may do, found by what is known of them.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    all: IndexVec<OfferId, Value>,
    known: FxHashMap<Value, OfferId>,
    by_head: FxHashMap<ActionId, Vec<OfferId>>,
    by_argument: FxHashMap<(ActionId, usize, Value), Vec<OfferId>>,
    /// Those that are no declared actions: silent ones and complements.
    others: Vec<OfferId>,
}

impl FromIterator<Value> for Offers {
    fn from_iter<I: IntoIterator<Item = Value>>(all: I) -> Offers {
        let mut offers = Offers::default();
        all.into_iter().for_each(|value| _ = offers.add(value));
        offers
    }
}

impl Offers {
    /// One more action, which may be known.
    pub fn add(&mut self, value: Value) -> OfferId {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let id = self.all.push(value.clone());
        match &value {
            Value::Act(action, args) => {
                self.by_head.entry(*action).or_default().push(id);
                for (place, arg) in args.iter().enumerate() {
                    self.by_argument.entry((*action, place, arg.clone())).or_default().push(id);
                }
            }
            _ => self.others.push(id),
        }
        self.known.insert(value, id);
        id
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// An action.
    pub fn get(&self, id: OfferId) -> &Value {
        &self.all[id]
    }

    /// All actions.
    pub fn enumerated(&self) -> impl Iterator<Item = (OfferId, &Value)> {
        self.all.enumerated()
    }

    /// Those that may be what is known in part.
    fn like(&self, wanted: &Partial) -> Vec<OfferId> {
        if let Some(value) = wanted.value() {
            return self.known.get(value).copied().into_iter().collect();
        }
        match wanted.taken_apart() {
            None => self.all.ids().collect(),
            Some((Head::Act(action), args)) => self.acts(action, &args),
            Some(_) => self.others.clone(),
        }
    }

    /// Those of an action, with what is known of its arguments: by the argument that leaves the fewest.
    fn acts(&self, action: ActionId, args: &[Partial]) -> Vec<OfferId> {
        let mut best: &[OfferId] = self.by_head.get(&action).map_or(&[], Vec::as_slice);
        for (place, arg) in args.iter().enumerate() {
            let Some(value) = arg.value() else { continue };
            let fitting = self.by_argument.get(&(action, place, value.clone()));
            let fitting = fitting.map_or(&[][..], Vec::as_slice);
            if fitting.len() < best.len() {
                best = fitting;
            }
        }
        best.to_vec()
    }
}

/// The parts of a node with what they may do.
struct Joining<'a> {
    world: &'a World<'a>,
    offers: &'a IndexVec<PartId, Offers>,
}

/// An attempt at a vector, with the actions that were chosen so far, in the order of the members.
type Joined = (Attempt, Vec<Offered>);

impl Interpreter<'_> {
    /// The vectors of a node with the actions of its parts, in order, each once. Constants have the values that they have in
    /// a configuration.
    pub fn instances(
        &self,
        node: NodeId,
        at: &Configuration,
        offers: &IndexVec<PartId, Offers>,
    ) -> Result<Vec<Instance>, Gap> {
        let constants = at.constants.iter().map(|value| value.clone().map(Partial::Whole));
        let world = World::new(self.net, &self.domains, constants.collect());
        let (joining, foremost) = (Joining { world: &world, offers }, Foremost::new(self.net));
        let mut found = Vec::new();
        for (id, vector) in self.net.nodes[node].vectors.enumerated() {
            // Whether it gives way depends on values that are not seen from outside of the parts.
            let mut reads = vector.rivals.iter().flat_map(|rival| self.net.reads_of(rival));
            if let Some(var) = reads.next() {
                return Err(Gap::Rival { name: self.net.terms.var(var).name.to_string() });
            }
            // Whoever asks has each interaction unfolded.
            if !vector.optional.is_empty() || vector.maximal.is_some() {
                let name = self.net.connector_name((node, id));
                return Err(Gap::TooManyInteractions { name, limit: MOST_AT_ONCE });
            }
            let rivals: Vec<&Rival> =
                foremost.of((node, id), vector).into_iter().map(|(_, rival)| rival).collect();
            joining.vector((id, vector), &rivals, &mut found)?;
        }
        found.sort();
        found.dedup();
        Ok(found)
    }
}

impl Joining<'_> {
    fn vector(
        &self,
        (id, vector): (VectorId, &Vector),
        rivals: &[&Rival],
        found: &mut Vec<Instance>,
    ) -> Result<(), Gap> {
        let mut attempt = Attempt::new(Known::default());
        self.declare(&vector.variables, &mut attempt);
        attempt.demand(Demand::True(vector.guard));
        vector.owes.iter().for_each(|owed| attempt.owe(owed.term));
        self.each(&vector.members, attempt, |attempt, members| {
            let solved = solve(self.world, vec![attempt], &AllWays)?;
            if let Some(name) = solved.limited {
                return Err(Gap::NeedsDomain { name, sort: "Int".to_owned() });
            }
            for attempt in &solved.found {
                let result = settled(attempt.see(self.world, vector.result))?;
                let rivals = self.rivals(vector, rivals, &attempt.known)?;
                found.push(Instance { vector: id, members: members.clone(), result, rivals });
            }
            Ok(())
        })
    }

    fn declare(&self, variables: &[crate::algebra::VarId], attempt: &mut Attempt) {
        for &var in variables {
            if !attempt.known.env.contains_key(&var) {
                let name = self.world.terms.var(var).name.to_string();
                attempt.declare(self.world, var, name, Source::Vector);
            }
        }
    }

    /// Everything that the members of a vector may do together.
    fn each(
        &self,
        members: &Members,
        mut attempt: Attempt,
        mut take: impl FnMut(Attempt, Vec<Offered>) -> Result<(), Gap>,
    ) -> Result<(), Gap> {
        if attempt.settle(self.world).is_err() {
            return Ok(());
        }
        // Who has the least choice goes first.
        let mut order: Vec<&Member> = members.iter().collect();
        order.sort_by_key(|member| self.choices(member, &attempt).len());
        let mut work: Vec<Joined> = vec![(attempt, Vec::new())];
        while let Some((attempt, chosen)) = work.pop() {
            if is_spent() {
                return Err(Gap::Stopped);
            }
            match order.get(chosen.len()) {
                Some(member) => self.next(member, &attempt, &chosen, &mut work),
                None => take(attempt, in_order(chosen))?,
            }
        }
        Ok(())
    }

    fn next(&self, member: &Member, attempt: &Attempt, chosen: &[Offered], work: &mut Vec<Joined>) {
        for offer in self.choices(member, attempt).into_iter().rev() {
            let mut attempt = attempt.clone();
            let does = Side::Is(Partial::Whole(self.offers[member.part].get(offer).clone()));
            attempt.demand(Demand::Same(Side::Term(member.action), does));
            if attempt.settle(self.world).is_ok() {
                work.push((attempt, [chosen, &[(member.part, offer)]].concat()));
            }
        }
    }

    /// What a member may do, by what is known of its action.
    fn choices(&self, member: &Member, attempt: &Attempt) -> Vec<OfferId> {
        match attempt.see(self.world, member.action) {
            Seen::Is(wanted) => self.offers[member.part].like(&wanted),
            Seen::Nothing => Vec::new(),
            Seen::Gap(_) => self.offers[member.part].all.ids().collect(),
        }
    }

    /// What a vector gives way to, with the values that it has. What a rival shares with it has the vector's values.
    fn rivals(
        &self,
        vector: &Vector,
        rivals: &[&Rival],
        known: &Known,
    ) -> Result<Vec<Vec<Offered>>, Gap> {
        let mut found = Vec::new();
        for rival in rivals {
            let shared = |var: &crate::algebra::VarId| {
                Some((*var, known.store.resolve(known.env.get(var)?)))
            };
            let env = vector.variables.iter().filter_map(shared).collect();
            let mut attempt = Attempt::new(Known { env, store: known.store.clone() });
            self.declare(&rival.variables, &mut attempt);
            attempt.demand(Demand::True(rival.guard));
            self.each(&rival.members, attempt, |attempt, members| {
                let solved = solve(self.world, vec![attempt], &AnyWay)?;
                match (solved.found.is_empty(), solved.limited) {
                    (false, _) => found.push(members),
                    (true, Some(name)) => return Err(Gap::Rival { name }),
                    (true, None) => {}
                }
                Ok(())
            })?;
        }
        found.sort();
        found.dedup();
        Ok(found)
    }
}

fn in_order(mut chosen: Vec<Offered>) -> Vec<Offered> {
    chosen.sort_by_key(|(part, _)| part.place());
    chosen
}
