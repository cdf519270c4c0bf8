//! Temporal formulas of checks, as the engines take them: names of leaves, values and steps are terms of a net.

use rustc_hash::FxHashMap;

use super::property::{Paths, Places, error_in};
use super::{Checked, UnclearProperty};
use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::Id;
use crate::diagnostics::Symbol;
use crate::elaborate::{self, ElaborateOptions};
use crate::pnet::{HoleId, PNet, Stilled, VectorPlace};
use crate::sema::program::{
    CheckDef, Expr, FairDef, FormulaDef, Local, LocalId, Pattern, PatternKind, Said, SaidKind,
    SaidStep,
};
use crate::syntax::ast::Along;
use crate::temporal::{
    FairPattern, Fairness, FixId, Formula, Modality, PathFormula, Runs, StateFormula,
    StatePredicate, StepPattern,
};

impl Checked {
    /// The formula of a check, about a net.
    pub fn formula(
        &self,
        check: &CheckDef,
        net: &PNet,
        options: &ElaborateOptions,
    ) -> Result<Option<Formula>, UnclearProperty> {
        let Some(def) = &check.formula else { return Ok(None) };
        let mut terms = net.terms.clone();
        let shown = terms.new_var(Symbol::new("shown"), Sort::Action, VariableKind::Bound);
        let leaves = net.leaves();
        let paths = Paths::of(net, &leaves);
        let places = Places::of(&mut terms, net, &leaves, &paths);
        let mut lowering = Lowering {
            checked: self,
            net,
            options,
            locals: &def.locals,
            terms,
            places,
            shown,
            bound: Vec::new(),
            of_hole: Vec::new(),
            params: FxHashMap::default(),
        };
        let made = lowering.formula(def)?;
        if let Some((why, text)) = lowering.places.trouble.borrow_mut().pop() {
            return Err(UnclearProperty::Name(why, text));
        }
        let (says, fair) = made;
        let locations = lowering.places.locations;
        Ok(Some(Formula { terms: lowering.terms, shown, locations, says, fair }))
    }
}

impl Checked {
    /// A net in which what the formula of a check does not depend on stays as it begins, and the formula about it; nothing where
    /// all counts.
    pub fn stilled(
        &self,
        check: &CheckDef,
        (net, formula): (&PNet, &Formula),
        options: &ElaborateOptions,
    ) -> Result<Option<(Stilled, Formula)>, UnclearProperty> {
        let Some(stilled) = net.stilled(&formula.watched(net.root)) else { return Ok(None) };
        let formula = self.formula(check, &stilled.net, options)?;
        Ok(formula.map(|formula| (stilled, formula)))
    }
}

type Lowered<T> = Result<T, UnclearProperty>;

struct Lowering<'l> {
    checked: &'l Checked,
    net: &'l PNet,
    options: &'l ElaborateOptions,
    locals: &'l [Local],
    terms: Terms,
    places: Places<'l>,
    shown: VarId,
    /// What local names stand for.
    bound: Vec<(LocalId, TermId)>,
    /// Those that stand for a part of what a hole does.
    of_hole: Vec<LocalId>,
    /// The parameters of the fixpoints around.
    params: FxHashMap<usize, Vec<LocalId>>,
}

/// A pattern of steps, and what it binds: terms over what is shown.
struct LoweredStep {
    step: StepPattern,
    binds: Vec<(LocalId, TermId)>,
}

impl Lowering<'_> {
    fn formula(&mut self, def: &FormulaDef) -> Lowered<(StateFormula, Vec<FairPattern>)> {
        let says = self.state(&def.says)?;
        let mut fair = Vec::new();
        for one in &def.fair {
            self.fair(one, &one.repeat, &mut fair)?;
        }
        Ok((says, fair))
    }

    /// Fair steps, one pattern for each value of the indices.
    fn fair(
        &mut self,
        def: &FairDef,
        left: &[LocalId],
        found: &mut Vec<FairPattern>,
    ) -> Lowered<()> {
        let Some((index, left)) = left.split_first() else {
            let step = self.step(&def.step)?.step;
            let kind = if def.weak { Fairness::Weak } else { Fairness::Strong };
            found.push(FairPattern { step, kind, text: def.span });
            return Ok(());
        };
        let sort = self.sort(*index);
        let text = || UnclearProperty::Text(self.checked.sources.text(def.span).to_owned());
        let Sort::Range(low, high) = sort else { return Err(text()) };
        let bounds = (self.terms.as_int(low).cloned(), self.terms.as_int(high).cloned());
        let (Some(low), Some(high)) = bounds else { return Err(text()) };
        let mut at = low;
        while at < high {
            let value = self.terms.int(at.clone());
            self.bound.push((*index, value));
            self.fair(def, left, found)?;
            self.bound.pop();
            at += 1;
        }
        Ok(())
    }

    fn sort(&mut self, local: LocalId) -> Sort {
        let asked = (self.locals[local.index()].sort, self.locals, self.bound.as_slice());
        let world = (&self.net.algebra, &mut self.terms);
        elaborate::sort_given(&self.checked.program, asked, world, self.options)
    }

    /// A variable for a local name, which stands for it from now on.
    fn variable(&mut self, local: LocalId) -> VarId {
        let sort = self.sort(local);
        let var = self.terms.new_var(self.locals[local.index()].name, sort, VariableKind::Bound);
        self.bound.push((local, self.terms.var_term(var)));
        var
    }

    fn term(&mut self, expr: &Expr) -> Lowered<StatePredicate> {
        if let Some(unclear) = error_in(expr) {
            let text = self.checked.sources.text(unclear.span).to_owned();
            return Err(UnclearProperty::Text(text));
        }
        if let Some(local) = speaks_of(expr, &self.of_hole) {
            let name = self.locals[local.index()].name.to_string();
            return Err(UnclearProperty::OfHole(name));
        }
        let (owed, says) = elaborate::property_given(
            &self.checked.program,
            (expr, self.locals, &self.bound),
            (&self.net.algebra, &mut self.terms),
            &self.places,
            self.options,
        );
        let owed = self.terms.and(owed.into_iter().map(|owed| owed.term));
        Ok(StatePredicate { owed, says })
    }

    // ---- what is said of configurations ----

    fn state(&mut self, said: &Said) -> Lowered<StateFormula> {
        let formula = match &said.kind {
            // What is said of runs without a word for which is said of all.
            kind if kind.is_of_runs() => StateFormula::Path(Runs::All, Box::new(self.path(said)?)),
            SaidKind::Holds(expr) => match self.constant(expr) {
                Some(value) => StateFormula::Bool(value),
                None => StateFormula::Holds(self.term(expr)?),
            },
            SaidKind::Not(inner) => self.state(inner)?.negated(),
            SaidKind::And(parts) => StateFormula::And(
                parts.iter().map(|one| self.state(one)).collect::<Result<_, _>>()?,
            ),
            SaidKind::Or(parts) => {
                StateFormula::Or(parts.iter().map(|one| self.state(one)).collect::<Result<_, _>>()?)
            }
            SaidKind::Implies(both) => {
                let one = Box::new(self.state(&both.0)?);
                StateFormula::Implies(one, Box::new(self.state(&both.1)?))
            }
            SaidKind::Quantified(universal, locals, inner) => {
                let mark = self.bound.len();
                let vars = locals.iter().map(|local| self.variable(*local)).collect();
                let inner = Box::new(self.state(inner)?);
                self.bound.truncate(mark);
                match universal {
                    true => StateFormula::Forall(vars, inner),
                    false => StateFormula::Exists(vars, inner),
                }
            }
            SaidKind::Modal { all, step, then } => {
                let modality = self.modality(step, then)?;
                if *all { StateFormula::Box(modality) } else { StateFormula::Diamond(modality) }
            }
            SaidKind::Fix { number, greatest, params, body } => {
                let mark = self.bound.len();
                let mut begins = Vec::with_capacity(params.len());
                let mut guard = Vec::new();
                for (local, value) in params {
                    begins.push(self.argument(*local, value, &mut guard)?);
                }
                let vars: Vec<VarId> =
                    params.iter().map(|(local, _)| self.variable(*local)).collect();
                self.params.insert(*number, params.iter().map(|(local, _)| *local).collect());
                let body = Box::new(self.state(body)?);
                self.bound.truncate(mark);
                self.params.remove(number);
                let params = vars.into_iter().zip(begins).collect();
                let id = FixId::at(*number);
                let fix = StateFormula::Fix { id, greatest: *greatest, params, body };
                self.guarded(guard, fix)
            }
            SaidKind::Again(number, values) => {
                let mut terms = Vec::with_capacity(values.len());
                let mut guard = Vec::new();
                let params = self.params.get(number).cloned().unwrap_or_default();
                for (local, value) in params.into_iter().zip(values) {
                    terms.push(self.argument(local, value, &mut guard)?);
                }
                self.guarded(guard, StateFormula::Again(FixId::at(*number), terms))
            }
            SaidKind::Runs(all, inner) => {
                let runs = if *all { Runs::All } else { Runs::Some };
                StateFormula::Path(runs, Box::new(self.path(inner)?))
            }
            _ => {
                let text = self.checked.sources.text(said.span).to_owned();
                return Err(UnclearProperty::Text(text));
            }
        };
        Ok(StateFormula::Text(said.span, Box::new(formula)))
    }

    /// What a parameter of a fixpoint is; and what has to be so for it: it has a value, which is in the range of the parameter.
    fn argument(
        &mut self,
        param: LocalId,
        value: &Expr,
        guard: &mut Vec<TermId>,
    ) -> Lowered<TermId> {
        let StatePredicate { owed, says } = self.term(value)?;
        guard.push(owed);
        let is_same = |sort: &Sort, terms: &Terms| matches!(*terms.get(says), Term::Var(var) if terms.var(var).sort == *sort);
        let sort = self.sort(param);
        if let Sort::Range(low, high) = sort
            && !is_same(&sort, &self.terms)
        {
            guard.push(self.terms.less_equal(low, says));
            guard.push(self.terms.less(says, high));
        }
        Ok(says)
    }

    /// A fixpoint that is false where its parameters are no values of their sorts.
    fn guarded(&mut self, guard: Vec<TermId>, fix: StateFormula) -> StateFormula {
        let owed = self.terms.and(guard);
        if self.terms.as_bool(owed) == Some(true) {
            return fix;
        }
        let says = self.terms.bool(true);
        StateFormula::And(vec![StateFormula::Holds(StatePredicate { owed, says }), fix])
    }

    fn constant(&self, expr: &Expr) -> Option<bool> {
        match expr.kind {
            crate::sema::program::ExprKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn modality(&mut self, step: &SaidStep, then: &Said) -> Lowered<Modality> {
        let mark = self.bound.len();
        let LoweredStep { step, binds } = self.step(step)?;
        let mut made = Vec::with_capacity(binds.len());
        for (local, term) in binds {
            made.push((self.variable(local), term));
        }
        let then = Box::new(self.state(then)?);
        self.bound.truncate(mark);
        Ok(Modality { step, binds: made, then })
    }

    // ---- what is said of runs ----

    fn path(&mut self, said: &Said) -> Lowered<PathFormula> {
        let formula = match &said.kind {
            kind if !kind.is_of_runs() => PathFormula::State(self.state(said)?),
            SaidKind::Step(step) => PathFormula::Step(self.step(step)?.step),
            SaidKind::Not(inner) => PathFormula::Not(Box::new(self.path(inner)?)),
            SaidKind::And(parts) => {
                PathFormula::And(parts.iter().map(|one| self.path(one)).collect::<Result<_, _>>()?)
            }
            SaidKind::Or(parts) => {
                PathFormula::Or(parts.iter().map(|one| self.path(one)).collect::<Result<_, _>>()?)
            }
            SaidKind::Implies(both) => {
                let one = Box::new(self.path(&both.0)?);
                PathFormula::Implies(one, Box::new(self.path(&both.1)?))
            }
            SaidKind::Quantified(universal, locals, inner) => {
                let mark = self.bound.len();
                let vars = locals.iter().map(|local| self.variable(*local)).collect();
                let inner = Box::new(self.path(inner)?);
                self.bound.truncate(mark);
                match universal {
                    true => PathFormula::Forall(vars, inner),
                    false => PathFormula::Exists(vars, inner),
                }
            }
            SaidKind::Along(along, inner) => {
                let inner = Box::new(self.path(inner)?);
                match along {
                    Along::Globally => PathFormula::Globally(inner),
                    Along::Finally => PathFormula::Finally(inner),
                    Along::Next => PathFormula::Next(inner),
                }
            }
            SaidKind::Until(weak, both) => {
                let one = Box::new(self.path(&both.0)?);
                let other = Box::new(self.path(&both.1)?);
                match weak {
                    true => PathFormula::WeakUntil(one, other),
                    false => PathFormula::Until(one, other),
                }
            }
            _ => PathFormula::State(self.state(said)?),
        };
        Ok(PathFormula::Text(said.span, Box::new(formula)))
    }

    // ---- steps ----

    fn step(&mut self, said: &SaidStep) -> Lowered<LoweredStep> {
        let plain = |step| LoweredStep { step, binds: Vec::new() };
        Ok(match said {
            SaidStep::Error => return Err(UnclearProperty::Text("a step".to_owned())),
            SaidStep::Any => plain(StepPattern::Any),
            SaidStep::Shows(pattern) => {
                let mark = self.bound.len();
                let (term, binds) = self.fits(pattern)?;
                self.bound.truncate(mark);
                LoweredStep { step: StepPattern::Shows(term), binds }
            }
            SaidStep::Hole { path, does } => {
                let mark = self.bound.len();
                let hole = self.hole(path)?;
                let term = self.fits(does)?.0;
                self.bound.truncate(mark);
                plain(StepPattern::Hole(hole, term))
            }
            SaidStep::Named(ident) => plain(StepPattern::With(self.vectors(ident.name))),
            SaidStep::When(expr) => {
                let StatePredicate { owed, says } = self.term(expr)?;
                plain(StepPattern::Shows(self.terms.and([owed, says])))
            }
            SaidStep::Not(inner) => plain(self.step(inner)?.step.negated()),
            SaidStep::Or(parts) => {
                let parts = parts.iter().map(|part| Ok(self.step(part)?.step));
                plain(StepPattern::Or(parts.collect::<Lowered<_>>()?))
            }
            SaidStep::And(parts) => return self.all_of(parts),
        })
    }

    /// Several demands on one step, of which the later see what the earlier bind.
    fn all_of(&mut self, parts: &[SaidStep]) -> Lowered<LoweredStep> {
        let (mark, holes) = (self.bound.len(), self.of_hole.len());
        let (mut steps, mut binds) = (Vec::new(), Vec::new());
        // What is asked of what a hole does belongs to the hole.
        let mut hole: Option<(usize, Vec<LocalId>)> = None;
        for part in parts {
            match part {
                SaidStep::Hole { does, .. } => {
                    let mut locals = Vec::new();
                    bound_by(does, &mut locals);
                    steps.push(self.step(part)?.step);
                    let shown = self.terms.var_term(self.shown);
                    self.bind(does, shown);
                    self.of_hole.extend(&locals);
                    hole = Some((steps.len() - 1, locals));
                }
                SaidStep::When(expr) => {
                    let own = hole.as_ref().filter(|(_, own)| speaks_of(expr, own).is_some());
                    let Some((at, _)) = own else {
                        steps.push(self.step(part)?.step);
                        continue;
                    };
                    let at = *at;
                    let known = std::mem::take(&mut self.of_hole);
                    let predicate = self.term(expr);
                    self.of_hole = known;
                    let StatePredicate { owed, says } = predicate?;
                    if let StepPattern::Hole(_, term) = steps[at] {
                        let all = self.terms.and([term, owed, says]);
                        if let StepPattern::Hole(_, term) = &mut steps[at] {
                            *term = all;
                        }
                    }
                }
                _ => {
                    let LoweredStep { step, binds: more } = self.step(part)?;
                    self.bound.extend(&more);
                    binds.extend(more);
                    steps.push(step);
                }
            }
        }
        self.bound.truncate(mark);
        self.of_hole.truncate(holes);
        Ok(LoweredStep { step: StepPattern::And(steps), binds })
    }

    /// Whether what is shown fits a pattern, and what that binds.
    fn fits(&mut self, pattern: &Pattern) -> Lowered<(TermId, Vec<(LocalId, TermId)>)> {
        let mark = self.bound.len();
        let shown = self.terms.var_term(self.shown);
        self.bind(pattern, shown);
        let binds = self.bound[mark..].to_vec();
        let (owed, fits) = elaborate::fits_given(
            &self.checked.program,
            (pattern, self.locals, &self.bound),
            shown,
            (&self.net.algebra, &mut self.terms),
            self.options,
        );
        Ok((self.terms.and([owed, fits]), binds))
    }

    /// Lets the names of a pattern stand for parts of a value.
    fn bind(&mut self, pattern: &Pattern, value: TermId) {
        match &pattern.kind {
            PatternKind::Bind(local) => self.bound.push((*local, value)),
            PatternKind::Act(id, inner) => {
                for (at, one) in inner.iter().enumerate() {
                    let part = self.terms.argument(*id, at as u32, value);
                    self.bind(one, part);
                }
            }
            PatternKind::Construct(data, index, inner) => {
                for (field, one) in inner.iter().enumerate() {
                    let part = self.terms.select(*data, *index, field as u32, value);
                    self.bind(one, part);
                }
            }
            PatternKind::Sync(inner) | PatternKind::Co(inner) => {
                let part = self.terms.inner(value);
                self.bind(inner, part);
            }
            _ => {}
        }
    }

    fn hole(&mut self, path: &[(crate::syntax::ast::Ident, Option<Expr>)]) -> Lowered<HoleId> {
        let mut text = String::new();
        for (ident, index) in path {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(ident.name.as_str());
            if let Some(index) = index {
                let term = self.term(index)?.says;
                let unclear =
                    || UnclearProperty::Text(self.checked.sources.text(index.span).to_owned());
                let value = self.terms.as_int(term).ok_or_else(unclear)?;
                text.push_str(&format!("[{value}]"));
            }
        }
        let found = self.net.holes.enumerated().find(|(_, hole)| hole.path == text);
        found.map(|(id, _)| id).ok_or(UnclearProperty::Text(text))
    }

    /// The vectors of the outermost net that a name stands for.
    fn vectors(&self, name: Symbol) -> Vec<VectorPlace> {
        let crate::pnet::Content::Node(node) = self.net.root else { return Vec::new() };
        let origins = &self.net.origins;
        let vectors = self.net.nodes[node].vectors.enumerated();
        let is_named = |origin| {
            origins.name(origin) == Some(name)
                || origins.connector(origin).is_some_and(|(_, one)| one.name == name)
        };
        let meant = vectors.filter(|(_, vector)| is_named(vector.origin));
        meant.map(|(id, _)| (node, id)).collect()
    }
}

/// The names that a pattern binds.
fn bound_by(pattern: &Pattern, found: &mut Vec<LocalId>) {
    match &pattern.kind {
        PatternKind::Bind(id) => found.push(*id),
        PatternKind::Act(_, inner) | PatternKind::Construct(_, _, inner) => {
            inner.iter().for_each(|one| bound_by(one, found));
        }
        PatternKind::Sync(inner) | PatternKind::Co(inner) => bound_by(inner, found),
        _ => {}
    }
}

/// One of some names that an expression speaks of.
fn speaks_of(expr: &Expr, names: &[LocalId]) -> Option<LocalId> {
    if let crate::sema::program::ExprKind::Local(id) = expr.kind
        && names.contains(&id)
    {
        return Some(id);
    }
    let mut found = None;
    expr.each_inside(&mut |inside| found = found.or_else(|| speaks_of(inside, names)));
    found
}
