//! What a leaf may do, as far as its text says: each of its actions with all values that its arguments may have, wherever
//! the leaf is. It may never do some of them.

use super::Interpreter;
use super::evaluate::{Reader, Seen};
use super::partial::Partial;
use super::sorts::Listing;
use super::world::{Known, World};
use crate::algebra::{Sort, Term, TermId};
use crate::explore::{Configuration, Gap, Value};
use crate::pnet::PltsId;

/// More actions are not listed.
const MOST_ACTIONS: usize = 1 << 18;

impl Interpreter<'_> {
    /// The actions of a leaf, each once, in order. Constants have the values that they have in a configuration.
    pub fn declared(&self, leaf: PltsId, at: &Configuration) -> Result<Vec<Value>, Gap> {
        let constants = at.constants.iter().map(|value| value.clone().map(Partial::Whole));
        let world = World::new(self.net, &self.domains, constants.collect());
        let known = Known::default();
        let reader = Reader { world: &world, known: &known };
        let mut all = Vec::new();
        for transition in &self.net.plts[leaf].transitions {
            all.extend(reader.listed(transition.action)?);
        }
        all.sort();
        all.dedup();
        Ok(all)
    }
}

impl Reader<'_> {
    /// All that an action may be. Actions are at most some levels deep.
    fn listed(&self, action: TermId) -> Result<Vec<Value>, Gap> {
        let boxed = |inner: TermId, wrap: fn(Box<Value>) -> Value| {
            let inner = self.listed(inner)?;
            Ok(inner.into_iter().map(|one| wrap(Box::new(one))).collect())
        };
        match self.world.terms.get(action) {
            Term::Tau => Ok(vec![Value::Tau]),
            Term::Sync(inner) => boxed(*inner, Value::Sync),
            Term::Co(inner) => boxed(*inner, Value::Co),
            Term::Act(id, args) => {
                let signature = self.world.net.algebra.action(*id);
                let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
                for (arg, sort) in args.iter().zip(&signature.sorts) {
                    let values = self.values_of(*arg, sort, signature.name.as_str())?;
                    if rows.len().saturating_mul(values.len()) > MOST_ACTIONS {
                        return Err(Gap::TooDeep { name: signature.name.to_string() });
                    }
                    let longer = |row: &Vec<Value>| {
                        let with =
                            |value: &Value| [row.as_slice(), std::slice::from_ref(value)].concat();
                        values.iter().map(with).collect::<Vec<_>>()
                    };
                    rows = rows.iter().flat_map(longer).collect();
                }
                Ok(rows.into_iter().map(|row| Value::Act(*id, row)).collect())
            }
            _ => Err(Gap::Undefined),
        }
    }

    /// All values that an argument may have: the one that it is, those of its own sort, or those of the action's.
    fn values_of(&self, arg: TermId, sort: &Sort, action: &str) -> Result<Vec<Value>, Gap> {
        if let Seen::Is(Partial::Whole(value)) = self.see(arg) {
            return Ok(vec![value]);
        }
        if let Term::Var(var) = self.world.terms.get(arg)
            && let Listing::All(values) = self.values(self.world.net.sort_of(*var))
        {
            return Ok(values);
        }
        match self.values(sort) {
            Listing::All(values) => Ok(values),
            Listing::Gap(gap) => Err(gap),
            Listing::Endless(sort) => Err(Gap::NeedsDomain { name: action.to_owned(), sort }),
            Listing::Waiting => {
                Err(Gap::NeedsDomain { name: action.to_owned(), sort: "Int".to_owned() })
            }
        }
    }
}
