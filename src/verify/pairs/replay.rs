//! Goes through a list of pairs with the plain interpreter: where the nets begin is in it, and each step from a pair has an
//! answer that leads to a pair. It shares nothing with the game that found the pairs.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::PairTable;
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::emit::aut;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Constants, Gap, Step, Value};
use crate::simulate::Teller;
use crate::verify::listing::table::Lookup;
use crate::verify::pairwise::Comparing;

/// Why pairs that are listed are no proof. Lines are those of the list of pairs.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotRelated {
    /// Where a net begins is in no pair.
    #[error("`{net}` may begin in `{at}`, which is in no pair with where the other begins")]
    Begin {
        /// The net.
        net: String,
        /// Where.
        at: String,
    },
    /// The two begin with different values of constants.
    #[error("the two nets do not begin with the same values of symbolic constants")]
    Constants,
    /// A step has no answer.
    #[error(
        "in line {line}, `{first}` and `{second}`, the other net has no answer within the pairs to `{step}` of `{net}`"
    )]
    Unanswered {
        /// The line.
        line: u64,
        /// Where the first net is.
        first: String,
        /// Where the second is.
        second: String,
        /// What is done.
        step: String,
        /// By which net.
        net: String,
    },
    /// One is stuck, and the other is not.
    #[error("in line {line}, `{first}` is stuck, and `{second}` is not")]
    Stuck {
        /// The line.
        line: u64,
        /// Where the first net is.
        first: String,
        /// Where the second is.
        second: String,
    },
    /// There may be more steps, with other values.
    #[error("not all values can be tried from the pair in line {line}")]
    Limited {
        /// The line.
        line: u64,
    },
    /// Not all beginnings can be tried.
    #[error("not all configurations that the nets may begin in can be tried")]
    Beginnings,
    /// Nothing can be said about a configuration.
    #[error("the pair in line {line}: {gap}")]
    Gap {
        /// The line.
        line: u64,
        /// Why.
        gap: Gap,
    },
}

/// What is seen of a step: the action, and what the holes do that are compared; nothing where it is silent.
type Seen = Option<(Value, Vec<(String, Value)>)>;

/// A step, as it is compared.
struct SeenStep {
    seen: Seen,
    text: String,
    to: Configuration,
}

/// Goes through all pairs. Whether the budget was spent on the way is for the caller to see.
pub(super) fn go_through(
    comparing: &Comparing<'_>,
    table: &PairTable,
    watch: &dyn Watch,
) -> Result<(), NotRelated> {
    let domains = comparing.domains();
    let net = |side: usize| OneNet {
        comparing,
        side,
        interpreter: Interpreter::new(comparing.nets[side], domains[side].clone()),
        teller: Teller::new(comparing.checked, comparing.nets[side], comparing.names[side]),
        lookup: Lookup::new(&table.tables[side]),
        known: RefCell::default(),
    };
    let pairs = table.pairs.iter().copied().collect();
    let going = Going { comparing, table, nets: [net(0), net(1)], pairs };
    going.begins()?;
    for place in 0..table.pairs.len() {
        if is_spent() {
            break;
        }
        if place % 100 == 0 {
            let count = table.pairs.len();
            watch.searching(&format!("gone through {place} of {count} pairs"), 0);
        }
        going.look(place)?;
    }
    Ok(())
}

/// One of the nets.
struct OneNet<'g> {
    comparing: &'g Comparing<'g>,
    side: usize,
    interpreter: Interpreter<'g>,
    teller: Teller<'g>,
    lookup: Lookup<'g>,
    /// The steps that were made already.
    known: RefCell<FxHashMap<Configuration, Rc<Vec<SeenStep>>>>,
}

impl OneNet<'_> {
    /// A configuration, as people read it.
    fn told(&self, at: &Configuration) -> String {
        let values = self.teller.components(at);
        let values = values.iter().flat_map(|component| &component.variables);
        let values = values.map(|one| format!("{} = {}", one.what, one.value.text));
        let all: Vec<String> = std::iter::once(self.teller.state(at)).chain(values).collect();
        all.join(", ")
    }

    /// The row of a configuration, if it is listed.
    fn row(&self, at: &Configuration) -> Option<u32> {
        self.lookup.find(at).map(|row| row as u32)
    }

    fn steps(&self, at: &Configuration, line: u64) -> Result<Rc<Vec<SeenStep>>, NotRelated> {
        if let Some(known) = self.known.borrow().get(at) {
            return Ok(Rc::clone(known));
        }
        let steps = self.interpreter.steps(at).map_err(|gap| NotRelated::Gap { line, gap })?;
        if steps.limited {
            return Err(NotRelated::Limited { line });
        }
        let seen = Rc::new(steps.steps.into_iter().map(|step| self.seen(step)).collect());
        self.known.borrow_mut().insert(at.clone(), Rc::clone(&seen));
        Ok(seen)
    }

    fn seen(&self, step: Step) -> SeenStep {
        let net = self.comparing.nets[self.side];
        let shown = (step.action, step.holes);
        let text = aut::label_text(&net.algebra, &net.holes, &shown, "tau");
        let (action, holes) = shown;
        let path = |hole| net.holes[hole].path.clone();
        let holes = holes.into_iter().map(|(hole, does)| (path(hole), does));
        let mut holes: Vec<(String, Value)> =
            holes.filter(|(path, _)| self.comparing.is_tracked(path)).collect();
        holes.sort();
        let silent = match self.comparing.kind().weak {
            // Where silent steps do not count, there are no holes.
            true => action.is_silent(),
            false => action == Value::Tau && holes.is_empty(),
        };
        SeenStep { seen: (!silent).then_some((action, holes)), text, to: step.target }
    }

    /// All configurations that silent steps lead to, from any of these.
    fn silently(
        &self,
        from: Vec<Configuration>,
        line: u64,
    ) -> Result<Vec<Configuration>, NotRelated> {
        let mut met: FxHashSet<Configuration> = from.iter().cloned().collect();
        let mut all = from;
        let mut next = 0;
        while let Some(at) = all.get(next).cloned().filter(|_| !is_spent()) {
            let steps = self.steps(&at, line)?;
            let silent = steps.iter().filter(|step| step.seen.is_none());
            all.extend(silent.map(|step| step.to.clone()).filter(|to| met.insert(to.clone())));
            next += 1;
        }
        Ok(all)
    }

    /// Where something that the other net does can be answered to.
    fn answers(
        &self,
        at: &Configuration,
        seen: &Seen,
        line: u64,
    ) -> Result<Vec<Configuration>, NotRelated> {
        let weak = self.comparing.kind().weak;
        let before = match weak {
            true => self.silently(vec![at.clone()], line)?,
            false => vec![at.clone()],
        };
        if weak && seen.is_none() {
            return Ok(before);
        }
        let mut after = Vec::new();
        for from in &before {
            let steps = self.steps(from, line)?;
            let same = steps.iter().filter(|step| step.seen == *seen);
            after.extend(same.map(|step| step.to.clone()));
        }
        if weak { self.silently(after, line) } else { Ok(after) }
    }

    /// Whether nothing is possible, or silent steps lead to where nothing is, if they do not count.
    fn can_be_stuck(&self, at: &Configuration, line: u64) -> Result<bool, NotRelated> {
        let places = match self.comparing.kind().weak {
            true => self.silently(vec![at.clone()], line)?,
            false => vec![at.clone()],
        };
        for place in &places {
            if self.steps(place, line)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

struct Going<'g> {
    comparing: &'g Comparing<'g>,
    table: &'g PairTable,
    nets: [OneNet<'g>; 2],
    pairs: FxHashSet<(u32, u32)>,
}

impl Going<'_> {
    /// Whether two configurations are related, by their places in a pair.
    fn related(&self, one: &Configuration, two: &Configuration) -> bool {
        let rows = (self.nets[0].row(one), self.nets[1].row(two));
        matches!(rows, (Some(one), Some(two)) if self.pairs.contains(&(one, two)))
    }

    fn begins(&self) -> Result<(), NotRelated> {
        let initial = |side: usize| {
            let made = self.nets[side].interpreter.initial();
            let made = made.map_err(|gap| NotRelated::Gap { line: 1, gap })?;
            if made.limited { Err(NotRelated::Beginnings) } else { Ok(made.configurations) }
        };
        let both = [initial(0)?, initial(1)?];
        let with = |side: usize| {
            let mut all: Vec<&Constants> = both[side].iter().map(|at| &at.constants).collect();
            all.sort();
            all.dedup();
            all
        };
        if with(0) != with(1) {
            return Err(NotRelated::Constants);
        }
        let sides = if self.comparing.kind().refines { 1 } else { 2 };
        for (side, begins) in both.iter().enumerate().take(sides) {
            let others = &both[1 - side];
            let related = |at: &Configuration, other: &Configuration| match side {
                0 => self.related(at, other),
                _ => self.related(other, at),
            };
            let answered = |at: &&Configuration| {
                let mut fitting = others.iter().filter(|other| other.constants == at.constants);
                fitting.any(|other| related(at, other))
            };
            if let Some(at) = begins.iter().find(|at| !answered(at)) {
                let net = self.comparing.names[side].to_owned();
                return Err(NotRelated::Begin { net, at: self.nets[side].told(at) });
            }
        }
        Ok(())
    }

    /// Looks at one pair.
    fn look(&self, place: usize) -> Result<(), NotRelated> {
        let (line, (one, two)) = (place as u64 + 2, self.table.pairs[place]);
        let row = |side: usize, row: u32| {
            self.table.tables[side].configuration(self.comparing.nets[side], row as usize)
        };
        let at = [row(0, one), row(1, two)];
        let told = |side: usize| self.nets[side].told(&at[side]);
        let refines = self.comparing.kind().refines;
        let left_stuck = refines && self.nets[0].steps(&at[0], line)?.is_empty();
        if left_stuck && !self.nets[1].can_be_stuck(&at[1], line)? {
            return Err(NotRelated::Stuck { line, first: told(0), second: told(1) });
        }
        for side in 0..if refines { 1 } else { 2 } {
            let steps = self.nets[side].steps(&at[side], line)?;
            for step in steps.iter() {
                let ends = self.nets[1 - side].answers(&at[1 - side], &step.seen, line)?;
                let good = |end: &Configuration| match side {
                    0 => self.related(&step.to, end),
                    _ => self.related(end, &step.to),
                };
                if !ends.iter().any(good) && !is_spent() {
                    let (first, second) = (told(0), told(1));
                    let net = self.comparing.names[side].to_owned();
                    let step = step.text.clone();
                    return Err(NotRelated::Unanswered { line, first, second, step, net });
                }
            }
        }
        Ok(())
    }
}
