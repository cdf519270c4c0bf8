//! Patterns of actions, and which actions fit them: for `live`, and for scenarios.

use rustc_hash::FxHashSet;

use crate::algebra::ConstId;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Value};
use crate::model::{Checked, Given, ModelOptions};
use crate::pnet::PNet;
use crate::sema::program::{ActionSet, Local, LocalId, Pattern, PatternKind};

/// What is asked about the actions of a net.
pub(super) struct Asked<'a> {
    pub checked: &'a Checked,
    pub locals: &'a [Local],
    pub options: &'a ModelOptions,
    pub net: &'a PNet,
}

impl Asked<'_> {
    /// The symbolic constants that a set of actions speaks of.
    pub fn constants_of_set(&self, set: &ActionSet) -> FxHashSet<ConstId> {
        match set {
            ActionSet::Patterns(patterns) => {
                patterns.iter().flat_map(|pattern| self.constants_of(pattern)).collect()
            }
            _ => FxHashSet::default(),
        }
    }

    /// The symbolic constants that a pattern speaks of, whatever action it is compared with.
    pub fn constants_of(&self, pattern: &Pattern) -> FxHashSet<ConstId> {
        let asked = (pattern, self.locals, &[][..]);
        let fits = self.checked.fits(asked, &Value::Tau, self.net, &self.options.elaborate);
        fits.constants(&self.net.algebra)
    }
}

/// What is needed to tell whether an action fits.
pub(super) struct Fitting<'a> {
    pub checked: &'a Checked,
    pub locals: &'a [Local],
    pub options: &'a ModelOptions,
    pub interpreter: &'a Interpreter<'a>,
    /// A configuration, for the values of constants.
    pub at: &'a Configuration,
}

impl Fitting<'_> {
    /// Whether an action is in a set.
    pub fn is_in(&self, set: &ActionSet, action: &Value) -> Result<bool, Gap> {
        match set {
            ActionSet::Patterns(patterns) => {
                for pattern in patterns {
                    if self.fits(pattern, &[], action)?.is_some() {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ActionSet::Interface(id) => {
                let actions = &self.checked.program.interfaces[id.index()].actions;
                Ok(matches!(action, Value::Act(id, _) if actions.contains(id)))
            }
            ActionSet::Parameter(_) | ActionSet::Error => Ok(false),
        }
    }

    /// Whether an action fits a pattern, where some names stand for values; the names that it binds, if it does.
    pub fn fits(
        &self,
        pattern: &Pattern,
        given: Given<'_>,
        action: &Value,
    ) -> Result<Option<Vec<(LocalId, Value)>>, Gap> {
        let mut bound = given.to_vec();
        if !bind(pattern, action, &mut bound) {
            return Ok(None);
        }
        let net = self.interpreter.net();
        let asked = (pattern, self.locals, bound.as_slice());
        let fits = self.checked.fits(asked, action, net, &self.options.elaborate);
        let fits = self.interpreter.holds(self.at, &fits)? == Some(true);
        Ok(fits.then_some(bound))
    }
}

/// Lets the names of a pattern stand for the parts of a value; whether each stands for one thing.
fn bind(pattern: &Pattern, value: &Value, bound: &mut Vec<(LocalId, Value)>) -> bool {
    match (&pattern.kind, value) {
        (PatternKind::Bind(id), value) => match bound.iter().find(|(known, _)| known == id) {
            Some((_, known)) => known == value,
            None => {
                bound.push((*id, value.clone()));
                true
            }
        },
        (PatternKind::Act(id, inner), Value::Act(action, args)) => {
            id == action && inner.len() == args.len() && bind_all(inner, args, bound)
        }
        (PatternKind::Construct(data, index, inner), Value::Data(of, made_by, fields)) => {
            (data, index) == (of, made_by) && bind_all(inner, fields, bound)
        }
        (PatternKind::Sync(inner), Value::Sync(value))
        | (PatternKind::Co(inner), Value::Co(value)) => bind(inner, value, bound),
        (PatternKind::Act(..) | PatternKind::Construct(..), _) => false,
        (PatternKind::Sync(_) | PatternKind::Co(_), _) => false,
        // What binds nothing is looked at as a whole.
        _ => true,
    }
}

fn bind_all(patterns: &[Pattern], values: &[Value], bound: &mut Vec<(LocalId, Value)>) -> bool {
    patterns.iter().zip(values).all(|(pattern, value)| bind(pattern, value, bound))
}
