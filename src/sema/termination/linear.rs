//! Linear integer arithmetic, as far as it goes without a solver.
//!
//! Facts are inequalities `a1·x1 + … + an·xn + c >= 0` over integers. Fourier–Motzkin elimination: the facts
//! without `x` follow from the facts with `x` by adding each that bounds `x` from below to each that bounds it
//! from above, with factors that cancel `x`; over the rationals the two sets have the same solutions for the
//! other variables. If nothing but a false fact `c >= 0` with `c < 0` is left in the end, the facts contradict
//! each other, and they imply a goal if they contradict its opposite. Dividing a fact by the common divisor of
//! its factors and rounding its constant down loses no solution in integers.
//!
//! All that is ever relied on is a contradiction or a bound that was found. So whatever is too large (numbers
//! of more than 127 bits, too many facts, too much work) may simply be left out: less is shown then, never
//! more.

use crate::base::budget::is_spent;
use num_integer::Integer;

/// Something that stands for an integer.
pub(super) type Atom = u32;

/// The atom that stands for a term whose lower bound is looked for.
const SOUGHT: Atom = Atom::MAX;

/// More facts than this are not kept.
const MOST_FACTS: usize = 96;

/// A sum of atoms with factors, and a constant. No factor is zero; atoms are in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Linear {
    pub parts: Vec<(Atom, i128)>,
    pub constant: i128,
}

impl Linear {
    pub fn number(constant: i128) -> Linear {
        Linear { parts: Vec::new(), constant }
    }

    pub fn atom(atom: Atom) -> Linear {
        Linear { parts: vec![(atom, 1)], constant: 0 }
    }

    /// The atom that this is, if it is nothing else.
    pub fn as_atom(&self) -> Option<Atom> {
        match (self.parts.as_slice(), self.constant) {
            ([(atom, 1)], 0) => Some(*atom),
            _ => None,
        }
    }

    /// The number that this is, if it is one.
    pub fn as_number(&self) -> Option<i128> {
        self.parts.is_empty().then_some(self.constant)
    }

    /// This and `factor` times the other; none where a number grows too large.
    pub fn plus(&self, factor: i128, other: &Linear) -> Option<Linear> {
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut mine, mut theirs) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        loop {
            let (atom, total) = match (mine.peek(), theirs.peek()) {
                (Some(&&(a, x)), Some(&&(b, y))) if a == b => {
                    mine.next();
                    theirs.next();
                    (a, x.checked_add(y.checked_mul(factor)?)?)
                }
                (Some(&&(a, x)), Some(&&(b, _))) if a < b => {
                    mine.next();
                    (a, x)
                }
                (Some(&&(a, x)), None) => {
                    mine.next();
                    (a, x)
                }
                (_, Some(&&(b, y))) => {
                    theirs.next();
                    (b, y.checked_mul(factor)?)
                }
                (None, None) => break,
            };
            if total != 0 {
                parts.push((atom, total));
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(Linear { parts, constant })
    }

    pub fn times(&self, factor: i128) -> Option<Linear> {
        Linear::default().plus(factor, self)
    }

    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.plus(-1, other)
    }

    /// The same and a number.
    pub fn add(&self, number: i128) -> Option<Linear> {
        let constant = self.constant.checked_add(number)?;
        Some(Linear { parts: self.parts.clone(), constant })
    }

    fn factor(&self, atom: Atom) -> i128 {
        match self.parts.binary_search_by_key(&atom, |part| part.0) {
            Ok(at) => self.parts[at].1,
            Err(_) => 0,
        }
    }

    /// As a fact `>= 0`: with small factors, and as strong as it can be said of integers.
    fn tightened(mut self) -> Linear {
        let divisor = self.parts.iter().fold(0_i128, |known, part| known.gcd(&part.1));
        if divisor > 1 {
            self.parts.iter_mut().for_each(|part| part.1 /= divisor);
            self.constant = Integer::div_floor(&self.constant, &divisor);
        }
        self
    }
}

/// How much may still be done. What takes longer is given up.
#[derive(Debug)]
pub(super) struct Work {
    left: u64,
}

impl Work {
    pub fn new(left: u64) -> Work {
        Work { left }
    }

    /// Takes some of what is left; false when there is not enough.
    pub fn spend(&mut self, steps: usize) -> bool {
        // Whoever looks at the budget at the end finds it spent as well, and says nothing of what was given up.
        let left = if is_spent() { 0 } else { self.left };
        self.left = left.saturating_sub(steps as u64);
        self.left > 0
    }

    pub fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// What is known: each of these is at least zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    rows: Vec<Linear>,
    /// Whether one was false.
    contradictory: bool,
}

impl Facts {
    pub fn rows(&self) -> &[Linear] {
        &self.rows
    }

    /// Adds that this is at least zero. What did not fit into a number says nothing.
    pub fn add(&mut self, fact: Option<Linear>) {
        let Some(fact) = fact.map(Linear::tightened) else { return };
        if fact.parts.is_empty() {
            self.contradictory |= fact.constant < 0;
            return;
        }
        if let Some(known) = self.rows.iter_mut().find(|row| row.parts == fact.parts) {
            known.constant = known.constant.min(fact.constant);
        } else if self.rows.len() < MOST_FACTS {
            self.rows.push(fact);
        }
    }

    /// Adds that two are the same.
    pub fn equal(&mut self, a: &Linear, b: &Linear) {
        self.add(a.minus(b));
        self.add(b.minus(a));
    }

    /// Whether the facts certainly contradict each other.
    pub fn refuted(&self, work: &mut Work) -> bool {
        self.contradictory || self.clone().eliminate(None, work).contradictory
    }

    /// Whether this is certainly at least zero.
    pub fn imply(&self, goal: &Linear, work: &mut Work) -> bool {
        if let Some(number) = goal.as_number() {
            return number >= 0 || self.contradictory;
        }
        let opposite = goal.times(-1).and_then(|opposite| opposite.add(-1));
        let Some(opposite) = opposite else { return false };
        let mut facts = self.about(&opposite);
        facts.add(Some(opposite));
        facts.contradictory || facts.eliminate(None, work).contradictory
    }

    /// Whether this certainly has a lower bound, the same number whatever the atoms stand for.
    pub fn bound_below(&self, term: &Linear, work: &mut Work) -> bool {
        if term.parts.is_empty() {
            return true;
        }
        let mut facts = self.about(term);
        facts.equal(&Linear::atom(SOUGHT), term);
        let left = facts.eliminate(Some(SOUGHT), work);
        // Where the work was given up, other atoms are left beside it.
        let is_bound =
            |row: &Linear| matches!(row.parts.as_slice(), [(SOUGHT, factor)] if *factor > 0);
        left.contradictory || left.rows.iter().any(is_bound)
    }

    /// The facts that share atoms with a term, also through others.
    fn about(&self, term: &Linear) -> Facts {
        let mut atoms: Vec<Atom> = term.parts.iter().map(|part| part.0).collect();
        let mut taken = vec![false; self.rows.len()];
        let mut grew = true;
        while grew {
            grew = false;
            for (row, taken) in self.rows.iter().zip(&mut taken) {
                if !*taken && row.parts.iter().any(|part| atoms.contains(&part.0)) {
                    *taken = true;
                    grew = true;
                    let new: Vec<Atom> = row.parts.iter().map(|part| part.0).collect();
                    atoms.extend(
                        new.into_iter().filter(|atom| !atoms.contains(atom)).collect::<Vec<_>>(),
                    );
                }
            }
        }
        let rows = self.rows.iter().zip(&taken).filter(|(_, taken)| **taken);
        let rows = rows.map(|(row, _)| row.clone()).collect();
        Facts { rows, contradictory: self.contradictory }
    }

    /// What follows for the atom that is kept, all others eliminated.
    fn eliminate(mut self, keep: Option<Atom>, work: &mut Work) -> Facts {
        while !self.contradictory {
            let Some(atom) = self.cheapest(keep) else { break };
            let (with, without): (Vec<Linear>, Vec<Linear>) =
                self.rows.drain(..).partition(|row| row.factor(atom) != 0);
            self.rows = without;
            let (lower, upper): (Vec<&Linear>, Vec<&Linear>) =
                with.iter().partition(|row| row.factor(atom) > 0);
            if !work.spend(1 + with.len() + lower.len() * upper.len()) {
                break;
            }
            for low in &lower {
                for high in &upper {
                    self.add(cancelled(low, high, atom));
                }
            }
        }
        self
    }

    /// The atom whose elimination makes the fewest new facts.
    fn cheapest(&self, keep: Option<Atom>) -> Option<Atom> {
        let mut counts: std::collections::BTreeMap<Atom, (usize, usize)> = Default::default();
        for (atom, factor) in self.rows.iter().flat_map(|row| &row.parts) {
            let count = counts.entry(*atom).or_default();
            if *factor > 0 { count.0 += 1 } else { count.1 += 1 }
        }
        counts.retain(|atom, _| Some(*atom) != keep);
        counts.into_iter().min_by_key(|(_, (low, high))| low * high).map(|(atom, _)| atom)
    }
}

/// The sum of two facts, one of which bounds an atom from below and one from above, without it.
fn cancelled(low: &Linear, high: &Linear, atom: Atom) -> Option<Linear> {
    let (a, b) = (low.factor(atom), high.factor(atom).checked_neg()?);
    let divisor = a.gcd(&b);
    low.times(b / divisor)?.plus(a / divisor, high)
}
