//! What priorities say: which interactions give way to which, closed transitively, with the guards of a way taken together.
//!
//! What a priority orders are names, actions with values, single interactions, `tau`, or all others. That one is below another
//! does not depend on whether either is possible, nor on what lies between them.

use rustc_hash::FxHashSet;

use super::build::Builder;
use super::env::Env;
use super::lower::Scope;
use super::node::Places;
use super::problems::{NoSuchInteraction, PriorityCircle, TooManyOrders};
use super::vector::with_indices;
use crate::algebra::{ActionId, Term, TermId, VariableKind};
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::Order;
use crate::sema::program::{Expr, ExprKind, MemberDef, NetBlock, OrderedDef, OrderedDefKind};

/// What a rule is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Selected {
    /// What shows an action of this name.
    Name(Symbol),
    /// What shows this action with these values; none for any.
    Act(ActionId, Vec<Option<TermId>>),
    /// The interaction of this name of these parts with actions of these names.
    Ports(Symbol, FxHashSet<(usize, Symbol)>),
    /// What shows nothing.
    Tau,
    /// All but these.
    Others(Box<Selected>),
}

/// The first gives way to the second where the guard holds.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub low: Selected,
    pub high: Selected,
    pub guard: TermId,
    /// Where both were written, and how.
    pub low_text: (Span, String),
    pub high_text: (Span, String),
}

/// More rules, counted with those that follow from them, are refused.
const MOST_RULES: usize = 1 << 14;

impl<'p> Builder<'p> {
    /// The rules of a net with all that follow from them; nothing where one is wrong.
    pub fn rules(
        &mut self,
        block: &'p NetBlock,
        env: &Env<'p>,
        places: &[Places],
    ) -> Option<Vec<Rule>> {
        let mut rules: Vec<Rule> = Vec::new();
        for priority in &block.priorities {
            for indices in self.repetitions(&priority.repeat, (&env.scope, env.instance)) {
                let scope = with_indices(&env.scope, &indices);
                let guard = priority.guard.as_ref();
                let (guard, owed) = self.lowering().owing(|l| l.guard(guard, &scope).0);
                let guard =
                    self.terms.and([guard].into_iter().chain(owed.iter().map(|owed| owed.term)));
                for pair in priority.orders.iter().flat_map(|order| order.windows(2)) {
                    let [low, high] = pair else { continue };
                    if rules.len() > MOST_RULES {
                        self.report(TooManyOrders { span: low.span, limit: MOST_RULES });
                    }
                    if is_spent() || !self.problems.is_empty() {
                        return None;
                    }
                    rules.push(self.rule((low, high), guard, (&scope, env, places))?);
                }
            }
        }
        if !self.problems.is_empty() {
            return None;
        }
        self.closed(&rules)
    }

    /// Notes the orders of a net for those who draw it.
    pub fn note_orders(&mut self, block: &NetBlock, env: &Env<'p>) {
        for priority in &block.priorities {
            if !priority.is_plain() {
                self.origins.order(env.instance, Order::Written(priority.text));
                continue;
            }
            for (low, high) in priority.names() {
                self.origins.order(env.instance, Order::Below(low, high));
            }
        }
        if block.maximal.is_some() {
            self.origins.order(env.instance, Order::Maximal);
        }
    }

    fn rule(
        &mut self,
        (low, high): (&'p OrderedDef, &'p OrderedDef),
        guard: TermId,
        around: (&Scope<'p>, &Env<'p>, &[Places]),
    ) -> Option<Rule> {
        let (below, above) = (self.selected(low, around), self.selected(high, around));
        let others = |one: Option<Selected>| one.map(|one| Selected::Others(Box::new(one)));
        let text =
            |builder: &Self, def: &OrderedDef, one: &Selected| (def.span, builder.words(one));
        let (below, above) = match (below, above) {
            (None, None) => return None,
            (None, above) => (others(above.clone())?, above?),
            (below, None) => (below.clone()?, others(below)?),
            (Some(below), Some(above)) => (below, above),
        };
        let (low_text, high_text) = (text(self, low, &below), text(self, high, &above));
        Some(Rule { low: below, high: above, guard, low_text, high_text })
    }

    /// What is ordered; nothing for all others.
    fn selected(
        &mut self,
        ordered: &'p OrderedDef,
        (scope, env, places): (&Scope<'p>, &Env<'p>, &[Places]),
    ) -> Option<Selected> {
        Some(match &ordered.kind {
            OrderedDefKind::All => return None,
            OrderedDefKind::Tau => Selected::Tau,
            OrderedDefKind::Name(name) => Selected::Name(*name),
            OrderedDefKind::Act(id, args) => {
                let value = |arg: &'p Expr| match arg.kind {
                    ExprKind::Wildcard => None,
                    _ => Some(self.lowering().owing(|l| l.term(arg, scope)).0),
                };
                Selected::Act(*id, args.iter().map(value).collect())
            }
            OrderedDefKind::Ports(name, ports) => {
                let mut all: FxHashSet<(usize, Symbol)> = FxHashSet::default();
                for (port, action) in ports {
                    let part = self.only_part(port, (scope, env, places))?;
                    all.insert((part, *action));
                }
                Selected::Ports(*name, all)
            }
        })
    }

    fn only_part(
        &mut self,
        port: &'p MemberDef,
        (scope, env, places): (&Scope<'p>, &Env<'p>, &[Places]),
    ) -> Option<usize> {
        let parts = self.parts(port, env, scope, places, &mut Vec::new());
        parts.first().map(|(part, _)| *part)
    }

    /// How people call what is ordered.
    fn words(&self, one: &Selected) -> String {
        match one {
            Selected::Name(name) => name.to_string(),
            Selected::Act(id, _) => self.program.actions[id.index()].named.name.to_string(),
            Selected::Ports(name, _) => name.to_string(),
            Selected::Tau => "tau".to_owned(),
            Selected::Others(_) => "*".to_owned(),
        }
    }

    // ---- what follows ----

    /// The rules, and those that follow: where one ends at what another begins with.
    fn closed(&mut self, rules: &[Rule]) -> Option<Vec<Rule>> {
        let mut closed: Vec<Rule> = Vec::new();
        for (first, start) in rules.iter().enumerate() {
            let mut seen: FxHashSet<(usize, TermId)> = FxHashSet::default();
            let mut work: Vec<(usize, TermId, Vec<usize>)> =
                vec![(first, start.guard, vec![first])];
            seen.insert((first, start.guard));
            while let Some((at, guard, way)) = work.pop() {
                if is_spent() {
                    return None;
                }
                if closed.len() > MOST_RULES {
                    self.report(TooManyOrders { span: start.low_text.0, limit: MOST_RULES });
                    return None;
                }
                let last = &rules[at];
                if let Some(same) = self.overlap(&last.high, &start.low) {
                    let all = self.terms.and([guard, same]);
                    if self.terms.as_bool(all) == Some(true) {
                        self.circle(rules, &way);
                        return None;
                    }
                }
                closed.push(Rule {
                    low: start.low.clone(),
                    high: last.high.clone(),
                    guard,
                    low_text: start.low_text.clone(),
                    high_text: last.high_text.clone(),
                });
                for (next, rule) in rules.iter().enumerate() {
                    let Some(same) = self.overlap(&last.high, &rule.low) else { continue };
                    let guard = self.terms.and([guard, same, rule.guard]);
                    // The same rule twice on one way says nothing new: its guard holds already.
                    if self.terms.as_bool(guard) != Some(false)
                        && !way.contains(&next)
                        && seen.insert((next, guard))
                    {
                        let way = way.iter().copied().chain([next]).collect();
                        work.push((next, guard, way));
                    }
                }
            }
        }
        Some(closed)
    }

    fn circle(&mut self, rules: &[Rule], way: &[usize]) {
        let Some(last) = way.last().map(|&last| &rules[last]) else { return };
        let names = way.iter().map(|&one| rules[one].low_text.1.clone());
        let cycle: Vec<String> = names.chain([last.high_text.1.clone()]).collect();
        self.report(PriorityCircle { span: last.high_text.0, cycle });
    }

    /// The condition under which some interaction is meant by both; nothing where none is.
    fn overlap(&mut self, a: &Selected, b: &Selected) -> Option<TermId> {
        let named = |builder: &Self, one: &Selected| match one {
            Selected::Name(name) | Selected::Ports(name, _) => Some(*name),
            Selected::Act(id, _) => Some(builder.program.actions[id.index()].named.name),
            Selected::Tau | Selected::Others(_) => None,
        };
        let yes = self.terms.bool(true);
        match (a, b) {
            (Selected::Others(_), Selected::Others(_)) | (Selected::Tau, Selected::Tau) => {
                Some(yes)
            }
            (Selected::Others(left_out), one) | (one, Selected::Others(left_out)) => {
                (!self.covers(left_out, one)).then_some(yes)
            }
            (Selected::Tau, _) | (_, Selected::Tau) => None,
            (Selected::Act(x, these), Selected::Act(y, those)) => {
                if x != y {
                    return None;
                }
                let pairs = these.iter().zip(those).filter_map(|(x, y)| Some(((*x)?, (*y)?)));
                let pairs: Vec<(TermId, TermId)> = pairs.collect();
                let same: Vec<TermId> =
                    pairs.into_iter().map(|(x, y)| self.terms.equal(x, y)).collect();
                let same = self.terms.and(same);
                (self.terms.as_bool(same) != Some(false)).then_some(same)
            }
            (Selected::Ports(x, these), Selected::Ports(y, those)) => {
                (x == y && these == those).then_some(yes)
            }
            _ => (named(self, a) == named(self, b)).then_some(yes),
        }
    }

    /// Whether all that one means is meant by the other.
    fn covers(&self, large: &Selected, small: &Selected) -> bool {
        match (large, small) {
            (Selected::Name(name), Selected::Act(id, _)) => {
                self.program.actions[id.index()].named.name == *name
            }
            (Selected::Name(name), Selected::Ports(other, _)) => name == other,
            (Selected::Act(x, these), Selected::Act(y, those)) => {
                x == y && these.iter().zip(those).all(|(x, y)| x.is_none() || x == y)
            }
            (large, small) => large == small,
        }
    }

    /// Whether an action is one with these values, whatever stands around it.
    pub fn is_selected(
        &mut self,
        action: TermId,
        (id, args): (ActionId, &[Option<TermId>]),
    ) -> TermId {
        match self.terms.get(action).clone() {
            Term::Act(other, given) if other == id => {
                let mut all = Vec::with_capacity(args.len());
                for (arg, given) in args.iter().zip(given) {
                    all.extend(arg.map(|arg| self.terms.equal(arg, given)));
                }
                self.terms.and(all)
            }
            Term::Act(..) | Term::Tau => self.terms.bool(false),
            Term::Sync(inner) => self.is_selected(inner, (id, args)),
            Term::Co(inner) => self.is_selected(inner, (id, args)),
            _ => self.is_selected_later(action, (id, args)),
        }
    }

    /// The same of an action that is not known yet.
    fn is_selected_later(
        &mut self,
        action: TermId,
        (id, args): (ActionId, &[Option<TermId>]),
    ) -> TermId {
        let sorts = self.algebra.action(id).sorts.clone();
        let (mut bound, mut values) = (Vec::new(), Vec::with_capacity(args.len()));
        for (arg, sort) in args.iter().zip(sorts) {
            values.push(arg.unwrap_or_else(|| {
                let var = self.terms.new_var(Symbol::new("x"), sort, VariableKind::Bound);
                bound.push(var);
                self.terms.var_term(var)
            }));
        }
        let plain = self.terms.raw(Term::Act(id, values.into()));
        let co = self.terms.raw(Term::Co(plain));
        let done = [plain, co].map(|one| self.terms.raw(Term::Sync(one)));
        let forms = [plain, co, done[0], done[1]];
        let is: Vec<TermId> = forms.iter().map(|&one| self.terms.equal(action, one)).collect();
        let is = self.terms.or(is);
        match bound.is_empty() {
            true => is,
            false => self.terms.quantified(false, bound.into(), is),
        }
    }

    /// Reports single interactions that there are not.
    pub fn no_such_interaction(
        &mut self,
        rules: &[Rule],
        found: impl Fn(&Selected) -> bool,
    ) -> bool {
        for rule in rules {
            for (one, (span, name)) in [(&rule.low, &rule.low_text), (&rule.high, &rule.high_text)]
            {
                if matches!(one, Selected::Ports(..)) && !found(one) {
                    let (span, name) = (*span, name.clone());
                    self.report(NoSuchInteraction { span, name });
                    return true;
                }
            }
        }
        false
    }
}
