//! What transitions change: variables and parts of them, all at once or one after the other.

use rustc_hash::FxHashMap;

use super::problems::{
    AssignedTwice, NotAssignable, UnknownName, UselessAssignment, WrittenTooLarge,
};
use super::process::Work;
use super::program::{DataId, Expr, ExprKind, LocalId, LocalKind, Sort};
use super::scope::Space;
use super::weight::{MOST_WEIGHT, Weights};
use crate::diagnostics::Span;
use crate::syntax::ast::{self, Ident, PlaceStep};

impl Work<'_, '_, '_> {
    pub(super) fn updates(
        &mut self,
        transition: &ast::Transition,
        writes: &mut FxHashMap<LocalId, Span>,
    ) -> Vec<UpdateDef> {
        let mut done: Vec<UpdateDef> = Vec::with_capacity(transition.updates.len());
        for update in &transition.updates {
            let Some(target) = self.target(update.target) else {
                self.body.expr(&update.value);
                continue;
            };
            writes.entry(target).or_insert(update.target.span);
            // Reading a variable only to update it is not reading it.
            let reads_before = self.body.reads[target.index()];
            let made = self.update(update, target);
            self.body.reads[target.index()] = reads_before;
            let Some(made) = made else { continue };
            if !transition.in_sequence {
                self.assigned_once(&done, &made);
            }
            done.push(made);
        }
        if transition.in_sequence {
            self.not_too_large(&done);
        }
        done
    }

    fn update(&mut self, update: &ast::Assignment, target: LocalId) -> Option<UpdateDef> {
        let Some(place) = self.place(update, target) else {
            self.body.expr(&update.value);
            return None;
        };
        let local = self.body.locals[target.index()];
        let because = update
            .place
            .is_empty()
            .then(|| (local.span, "the variable is declared here".to_owned()));
        let value = match update.operator {
            None => self.body.expr_of(&update.value, place.sort, because),
            Some(operator) => self.changed(&place, operator, &update.value),
        };
        let whole = update.target.span.to(update.value.span);
        if update.place.is_empty() && matches!(value.kind, ExprKind::Local(id) if id == target) {
            let name = update.target.name.to_string();
            self.body.report(UselessAssignment { span: whole, name });
        }
        let declared = update.place.is_empty().then_some(local.span);
        self.body.check_range(&value, place.sort, declared);
        Some(UpdateDef { target, place, value })
    }

    /// `x += e`: the old value is part of the new one.
    fn changed(&mut self, place: &Expr, operator: ast::Operator, value: &ast::Expr) -> Expr {
        let because =
            |text: Span| Some((text, format!("`{}=` works on `Int`", operator.spelling())));
        let span = place.span.to(value.span);
        let fits = self.body.expect(place, Sort::Int, because(value.span));
        let value = self.body.expr_of(value, Sort::Int, because(place.span));
        if !fits {
            return Expr::error(span);
        }
        let kind = ExprKind::Chain(Box::new((place.clone(), vec![(operator, value)])));
        Expr { kind, sort: Sort::Int, span }
    }

    /// What is assigned, as it would be read.
    fn place(&mut self, update: &ast::Assignment, target: LocalId) -> Option<Expr> {
        let sort = self.body.locals[target.index()].sort;
        let span = update.target.span;
        let mut place = Expr { kind: ExprKind::Local(target), sort, span };
        for step in &update.place {
            place = match step {
                PlaceStep::Index(index, brackets) => {
                    self.body.index_of(place, index, span.to(*brackets))
                }
                PlaceStep::Field(name) => self.body.select(place, *name),
            };
        }
        (!matches!(place.kind, ExprKind::Error)).then_some(place)
    }

    /// Reports what was assigned before in the same step. Places of an array may differ: the step owes that they do.
    fn assigned_once(&mut self, done: &[UpdateDef], made: &UpdateDef) {
        let first = done.iter().find(|other| {
            other.target == made.target && self.certainly_meet(&other.place, &made.place)
        });
        if let Some(first) = first {
            let name = self.body.locals[made.target.index()].name.to_string();
            let (span, first) = (made.place.span, first.place.span);
            self.body.report(AssignedTwice { span, name, first });
        }
    }

    /// Whether two places of one variable have something in common, whatever the indices are.
    fn certainly_meet(&self, a: &Expr, b: &Expr) -> bool {
        let (a, b) = (a.steps(), b.steps());
        a.iter().zip(&b).all(|(a, b)| match (a, b) {
            (PlacePart::Index(a), PlacePart::Index(b)) => {
                let folder = self.body.folder();
                let number = |expr: &Expr| folder.integer(expr);
                match (number(a), number(b)) {
                    (Some(a), Some(b)) => a == b,
                    _ => same_place(a, b),
                }
            }
            (PlacePart::Field(_, a, x), PlacePart::Field(_, b, y)) => (a, x) == (b, y),
            _ => true,
        })
    }

    /// Reports a sequence whose last values would be too large if written out.
    fn not_too_large(&mut self, updates: &[UpdateDef]) {
        let mut known = Weights::default();
        for update in updates {
            let program = &self.body.sema.program;
            let mut weight = program.weight(&update.value, &mut known);
            let (mut at, mut steps) = (&update.place, 0u32);
            let old = known.get(&update.target).copied().unwrap_or(1);
            loop {
                at = match &at.kind {
                    ExprKind::Index(both) => {
                        weight = weight.saturating_add(program.weight(&both.1, &mut known));
                        &both.0
                    }
                    ExprKind::Select(data, index, field, inner) => {
                        let def = &program.datas[data.index()];
                        let fields = &def.constructors[*index as usize].fields;
                        let name = fields[*field as usize].0.name;
                        let factor = program.spread(*data, &[name], old);
                        weight = weight.saturating_add(factor);
                        inner
                    }
                    _ => break,
                };
                steps += 1;
            }
            weight = weight.saturating_add(old.saturating_mul(u64::from(steps)));
            known.insert(update.target, weight);
            if weight > MOST_WEIGHT {
                let span = update.place.span;
                self.body.report(WrittenTooLarge { span, limit: MOST_WEIGHT });
                return;
            }
        }
    }

    /// What an assignment writes.
    fn target(&mut self, ident: Ident) -> Option<LocalId> {
        let name = ident.name.to_string();
        if let Some(id) = self.body.local(ident.name) {
            let local = self.body.locals[id.index()];
            self.body.names_local(id, ident.span);
            if local.kind == LocalKind::Variable {
                return Some(id);
            }
            let what = match local.kind {
                LocalKind::Input => "an input",
                _ => "a parameter",
            };
            let (what, declared) = (what.to_owned(), Some(local.span));
            self.body.report(NotAssignable { span: ident.span, name, what, declared });
            return None;
        }
        self.body.failed = true;
        if self.body.is_unparsed(ident.name) {
            return None;
        }
        let known = self.body.local_names(&[LocalKind::Variable]);
        let similar = self.body.sema.similar(ident.name, known);
        let declared = self.body.lookup(Space::Values, ident.name);
        match declared {
            Some(declared) if similar.is_none() => {
                let what = declared.meaning.in_words().to_owned();
                let declared = Some(declared.span);
                self.body.report(NotAssignable { span: ident.span, name, what, declared });
            }
            _ => self.body.report(UnknownName { span: ident.span, name, similar, input: false }),
        }
        None
    }
}

/// A variable, or a part of one, that a transition changes.
#[derive(Debug)]
pub struct UpdateDef {
    /// The variable.
    pub target: LocalId,
    /// The part of it that changes, as it would be read: the variable, under [`ExprKind::Index`] and [`ExprKind::Select`].
    pub place: Expr,
    /// Its new value.
    pub value: Expr,
}

/// A step into a value.
pub(crate) enum PlacePart<'e> {
    /// An element of an array.
    Index(&'e Expr),
    /// A field, by the first constructor that has it.
    Field(DataId, u32, u32),
}

impl Expr {
    /// The steps from a variable to a part of it, from the outside in.
    pub(crate) fn steps(&self) -> Vec<PlacePart<'_>> {
        let mut steps = Vec::new();
        let mut at = self;
        loop {
            at = match &at.kind {
                ExprKind::Index(both) => {
                    steps.push(PlacePart::Index(&both.1));
                    &both.0
                }
                ExprKind::Select(data, index, field, inner) => {
                    steps.push(PlacePart::Field(*data, *index, *field));
                    inner
                }
                _ => break,
            };
        }
        steps.reverse();
        steps
    }
}

/// Whether two indices are the same variable or parameter.
fn same_place(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        _ => false,
    }
}
