//! Unification: equations between terms solved as far as this can be done without a solver, up to what must be computed.
//!
//! Input: pairs of terms that are to be the same, and conditions. Output: values of variables, and the conditions that
//! are left, simplified; or nothing, where a clash of constructors or a condition shows that it is impossible. Nothing
//! that is possible is lost, and nothing changes its meaning: a variable is replaced only by a term that it must be
//! equal to.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Sort, Term, TermId, Terms, VarId, VariableKind};

/// When several pairs of terms can be the same and conditions hold, for some values of all variables but the
/// `rigid` ones and those of the state: a condition on these, with quantifiers where they are needed.
pub fn possible(
    terms: &mut Terms,
    pairs: &[(TermId, TermId)],
    conditions: &[TermId],
    rigid: &[VarId],
) -> Option<TermId> {
    let mut solver = Unifier::new(terms, rigid);
    for &(a, b) in pairs {
        solver.unify(a, b)?;
    }
    solver.conditions.extend(conditions);
    let conditions = solver.settle()?;
    let all = terms.and(conditions);
    let left = terms.free_vars(all).into_iter();
    let left: Vec<VarId> =
        left.filter(|&var| is_local(terms, var) && !rigid.contains(&var)).collect();
    // The same transition may stand outside as well: bound variables are new ones.
    let (renamed, bound) = terms.fresh(left, VariableKind::Bound);
    let all = terms.substitute(all, &renamed);
    Some(terms.quantified(false, bound.into(), all))
}

/// Whether a variable belongs to a transition or vector: it stands for some value, and can be replaced.
fn is_local(terms: &Terms, var: VarId) -> bool {
    matches!(terms.var(var).kind, VariableKind::Input | VariableKind::Vector)
}

/// Equations that are being solved.
pub struct Unifier<'t> {
    terms: &'t mut Terms,
    rigid: &'t [VarId],
    /// What variables are replaced by; these terms may contain variables that are replaced themselves, until
    /// everything is settled.
    pub values: FxHashMap<VarId, TermId>,
    /// What has to hold as well.
    pub conditions: Vec<TermId>,
}

impl<'t> Unifier<'t> {
    /// Nothing to solve yet; the rigid variables are not replaced.
    pub fn new(terms: &'t mut Terms, rigid: &'t [VarId]) -> Unifier<'t> {
        Unifier { terms, rigid, values: FxHashMap::default(), conditions: Vec::new() }
    }

    fn replaceable(&self, var: VarId) -> bool {
        is_local(self.terms, var) && !self.rigid.contains(&var)
    }

    /// What a term is, when it is a variable that is replaced.
    fn head(&self, mut term: TermId) -> TermId {
        while let Term::Var(var) = self.terms.get(term)
            && let Some(&value) = self.values.get(var)
        {
            term = value;
        }
        term
    }

    /// Makes two terms the same, or finds that they cannot be.
    pub fn unify(&mut self, a: TermId, b: TermId) -> Option<()> {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.head(a), self.head(b));
            if a == b {
                continue;
            }
            match (self.terms.get(a), self.terms.get(b)) {
                (Term::Var(x), Term::Var(y)) => {
                    let (x, y) = (*x, *y);
                    self.unify_vars((x, a), (y, b));
                }
                (Term::Var(x), _) if self.replaceable(*x) => self.replace(*x, b)?,
                (_, Term::Var(y)) if self.replaceable(*y) => self.replace(*y, a)?,
                (Term::Act(p, xs), Term::Act(q, ys)) => {
                    if p != q {
                        return None;
                    }
                    work.extend(xs.iter().copied().zip(ys.iter().copied()).rev());
                }
                (Term::Construct(_, p, xs), Term::Construct(_, q, ys)) => {
                    if p != q {
                        return None;
                    }
                    work.extend(xs.iter().copied().zip(ys.iter().copied()).rev());
                }
                (Term::Sync(x), Term::Sync(y)) | (Term::Co(x), Term::Co(y)) => {
                    work.push((*x, *y));
                }
                (x, y) if is_action_form(x) && is_action_form(y) => return None,
                _ => {
                    let equal = self.terms.equal(a, b);
                    self.conditions.push(equal);
                }
            }
        }
        Some(())
    }

    fn unify_vars(&mut self, (x, a): (VarId, TermId), (y, b): (VarId, TermId)) {
        let range = |terms: &Terms, var: VarId| matches!(terms.var(var).sort, Sort::Range(..));
        // What stays: variables that cannot be replaced, then ranges, then what vectors name, then the older.
        let weight = |this: &Self, var: VarId| {
            let named = this.terms.var(var).kind == VariableKind::Vector;
            (!this.replaceable(var), range(this.terms, var), named, std::cmp::Reverse(var))
        };
        let (gone, stays) =
            if weight(self, x) < weight(self, y) { (x, (y, b)) } else { (y, (x, a)) };
        if self.replaceable(gone) {
            self.set(gone, stays.1);
        } else {
            let equal = self.terms.equal(a, b);
            self.conditions.push(equal);
        }
    }

    /// Replaces a variable by a term that is no variable.
    fn replace(&mut self, var: VarId, term: TermId) -> Option<()> {
        match self.occurs(var, term) {
            Occurs::No => self.set(var, term),
            // No value contains itself.
            Occurs::InValue => return None,
            Occurs::InComputation => {
                let this = self.terms.var_term(var);
                let equal = self.terms.equal(this, term);
                self.conditions.push(equal);
            }
        }
        Some(())
    }

    fn set(&mut self, var: VarId, term: TermId) {
        self.values.insert(var, term);
        if let Sort::Range(low, high) = self.terms.var(var).sort
            && let Some(inside) = in_range(self.terms, term, low, high)
        {
            self.conditions.push(inside);
        }
    }

    fn occurs(&self, var: VarId, term: TermId) -> Occurs {
        let mut found = Occurs::No;
        let mut seen: FxHashSet<(TermId, bool)> = FxHashSet::default();
        let mut work = vec![(term, true)];
        while let Some((id, value)) = work.pop() {
            let id = self.head(id);
            if !seen.insert((id, value)) {
                continue;
            }
            match self.terms.get(id) {
                Term::Var(other) if *other == var => {
                    if value {
                        return Occurs::InValue;
                    }
                    found = Occurs::InComputation;
                }
                form => {
                    let builds = matches!(form, Term::Construct(..)) || is_action_form(form);
                    form.each_inside(|inner| work.push((inner, value && builds)));
                }
            }
        }
        found
    }

    /// Settles everything that can be: the conditions that are left, or nothing when one is false.
    pub fn settle(&mut self) -> Option<Vec<TermId>> {
        loop {
            self.resolve_values();
            let conditions = self.simplified()?;
            let known = self.values.len();
            let mut left = Vec::with_capacity(conditions.len());
            for condition in conditions {
                if !self.determines(condition)? {
                    left.push(condition);
                }
            }
            // What determining gave is not resolved yet.
            left.append(&mut self.conditions);
            self.conditions = left;
            if self.values.len() == known {
                let conditions = self.simplified()?;
                return self.propagate(conditions);
            }
        }
    }

    /// Lets each replacement stand without variables that are replaced themselves.
    fn resolve_values(&mut self) {
        let mut vars: Vec<VarId> = self.values.keys().copied().collect();
        vars.sort_unstable();
        let mut resolved: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for var in vars {
            let mut work = vec![var];
            while let Some(&var) = work.last() {
                if resolved.contains_key(&var) {
                    work.pop();
                    continue;
                }
                let Some(&term) = self.values.get(&var) else {
                    work.pop();
                    continue;
                };
                let inside = self.terms.free_vars(term).into_iter();
                let open =
                    inside.filter(|v| self.values.contains_key(v) && !resolved.contains_key(v));
                let before = work.len();
                work.extend(open);
                if work.len() == before {
                    work.pop();
                    // What is remembered may speak of variables that were not resolved at the time.
                    done.clear();
                    let term = self.terms.substitute_with(term, &resolved, &mut done);
                    resolved.insert(var, term);
                }
            }
        }
        self.values = resolved;
    }

    /// The conditions with variables replaced, one by one; nothing when one is false.
    fn simplified(&mut self) -> Option<Vec<TermId>> {
        let conditions = std::mem::take(&mut self.conditions);
        let mut done = FxHashMap::default();
        let mut flat: Vec<TermId> = Vec::with_capacity(conditions.len());
        for condition in conditions {
            let term = self.terms.substitute_with(condition, &self.values, &mut done);
            self.flatten(term, &mut flat)?;
        }
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        flat.retain(|&term| seen.insert(term));
        for &term in &flat {
            let not = self.terms.not(term);
            if seen.contains(&not) {
                return None;
            }
        }
        Some(flat)
    }

    fn flatten(&mut self, term: TermId, flat: &mut Vec<TermId>) -> Option<()> {
        match self.terms.get(term).clone() {
            Term::Bool(true) => {}
            Term::Bool(false) => return None,
            Term::And(args) => args.iter().try_for_each(|&arg| self.flatten(arg, flat))?,
            Term::Not(inner) => match self.terms.get(inner).clone() {
                // None of several: each of them not.
                Term::Or(args) => {
                    for &arg in &args {
                        let not = self.terms.not(arg);
                        self.flatten(not, flat)?;
                    }
                }
                _ => flat.push(term),
            },
            _ if self.is_understood(term) => {}
            _ => flat.push(term),
        }
        Some(())
    }

    /// Whether a condition only says that a variable of a transition or vector is in its range, which has values: so
    /// it may become where it was about another variable before.
    fn is_understood(&self, condition: TermId) -> bool {
        let range = |term: TermId| match *self.terms.get(term) {
            Term::Var(var) if is_local(self.terms, var) => match self.terms.var(var).sort {
                Sort::Range(low, high) => Some((low, high)),
                _ => None,
            },
            _ => None,
        };
        let bounds = match *self.terms.get(condition) {
            Term::LessEqual(low, var) => range(var).filter(|bounds| bounds.0 == low),
            Term::Less(var, high) => range(var).filter(|bounds| bounds.1 == high),
            _ => None,
        };
        bounds.is_some_and(|(low, high)| {
            let values = self.terms.as_int(low).zip(self.terms.as_int(high));
            values.is_some_and(|(low, high)| low < high)
        })
    }

    /// Whether a condition determines a variable, and needs not be kept for that.
    fn determines(&mut self, condition: TermId) -> Option<bool> {
        match *self.terms.get(condition) {
            Term::Var(var) if self.replaceable(var) && !self.values.contains_key(&var) => {
                let yes = self.terms.bool(true);
                self.set(var, yes);
                Some(true)
            }
            Term::Not(inner) => match *self.terms.get(inner) {
                Term::Var(var) if self.replaceable(var) && !self.values.contains_key(&var) => {
                    let no = self.terms.bool(false);
                    self.set(var, no);
                    Some(true)
                }
                _ => Some(false),
            },
            Term::Equal(a, b) => {
                let before = (self.values.len(), self.conditions.len());
                self.unify(a, b)?;
                if self.values.len() == before.0 && self.conditions.len() == before.1 + 1 {
                    // Nothing was learnt: it is as it was.
                    self.conditions.truncate(before.1);
                    let Some((var, value)) = self.summand(a, b).or_else(|| self.summand(b, a))
                    else {
                        return Some(false);
                    };
                    self.set(var, value);
                }
                Some(true)
            }
            _ => Some(false),
        }
    }

    /// A variable that one side of an equation adds to other things, and what it must be. What was set since the
    /// equation was last resolved counts as well: `x + 1 == 2 * y` may have made `x` a term with `y`, and then
    /// `y + 1 == 2 * x` does not say what `y` is.
    fn summand(&mut self, sum: TermId, other: TermId) -> Option<(VarId, TermId)> {
        let Term::Add(parts) = self.terms.get(sum).clone() else { return None };
        for (at, &part) in parts.iter().enumerate() {
            let Term::Var(var) = *self.terms.get(part) else { continue };
            if !self.replaceable(var) || self.values.contains_key(&var) {
                continue;
            }
            let rest = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, &p)| p);
            let rest: Vec<TermId> = rest.collect();
            let mut outside = [other].into_iter().chain(rest.iter().copied());
            if outside.all(|term| matches!(self.occurs(var, term), Occurs::No)) {
                let rest = self.terms.add(rest);
                let minus = self.terms.negate(rest);
                return Some((var, self.terms.add([other, minus])));
            }
        }
        None
    }

    /// Uses `v == 3` in the other conditions, for variables of the state and constants, and keeps it.
    fn propagate(&mut self, conditions: Vec<TermId>) -> Option<Vec<TermId>> {
        let mut vars: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut sources: FxHashSet<TermId> = FxHashSet::default();
        for &condition in &conditions {
            if let Some((var, value)) = self.fixed(condition) {
                match vars.get(&var) {
                    None => {
                        vars.insert(var, value);
                        sources.insert(condition);
                    }
                    Some(&other) if other != value => return None,
                    Some(_) => {}
                }
            }
        }
        if vars.is_empty() {
            return Some(conditions);
        }
        let mut done = FxHashMap::default();
        let mut flat = Vec::with_capacity(conditions.len());
        for condition in conditions {
            if sources.contains(&condition) {
                flat.push(condition);
            } else {
                let term = self.terms.substitute_with(condition, &vars, &mut done);
                self.flatten(term, &mut flat)?;
            }
        }
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        flat.retain(|&term| seen.insert(term));
        Some(flat)
    }

    /// The variable that a condition fixes, and its value.
    fn fixed(&mut self, condition: TermId) -> Option<(VarId, TermId)> {
        match *self.terms.get(condition) {
            Term::Var(var) => Some((var, self.terms.bool(true))),
            Term::Not(inner) => match *self.terms.get(inner) {
                Term::Var(var) => Some((var, self.terms.bool(false))),
                _ => None,
            },
            Term::Equal(a, b) => match (self.terms.get(a), self.terms.get(b)) {
                (Term::Var(var), _) if self.terms.is_value(b) => Some((*var, b)),
                (_, Term::Var(var)) if self.terms.is_value(a) => Some((*var, a)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a term is visibly an action, and which kind; different kinds are different actions.
fn is_action_form(term: &Term) -> bool {
    matches!(term, Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_))
}

enum Occurs {
    No,
    InValue,
    InComputation,
}

/// Whether two terms could be the same for some values, as far as their constructors tell.
pub fn can_be_same(terms: &Terms, a: TermId, b: TermId) -> bool {
    let mut work = vec![(a, b)];
    while let Some((a, b)) = work.pop() {
        if a == b {
            continue;
        }
        match (terms.get(a), terms.get(b)) {
            (Term::Act(p, xs), Term::Act(q, ys)) => {
                if p != q {
                    return false;
                }
                work.extend(xs.iter().copied().zip(ys.iter().copied()));
            }
            (Term::Construct(_, p, xs), Term::Construct(_, q, ys)) => {
                if p != q {
                    return false;
                }
                work.extend(xs.iter().copied().zip(ys.iter().copied()));
            }
            (Term::Sync(x), Term::Sync(y)) | (Term::Co(x), Term::Co(y)) => work.push((*x, *y)),
            (x, y) if is_action_form(x) && is_action_form(y) => return false,
            _ if terms.is_value(a) && terms.is_value(b) => return false,
            _ => {}
        }
    }
    true
}

/// That a value lies in a range, where it is not clear.
fn in_range(terms: &mut Terms, value: TermId, low: TermId, high: TermId) -> Option<TermId> {
    if let Term::Var(var) = terms.get(value)
        && terms.var(*var).sort == Sort::Range(low, high)
    {
        return None;
    }
    let (at_least, below) = (terms.less_equal(low, value), terms.less(value, high));
    let both = terms.and([at_least, below]);
    (terms.as_bool(both) != Some(true)).then_some(both)
}
