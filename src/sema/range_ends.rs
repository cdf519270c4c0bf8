//! Where ranges end, for messages: they are half open, and who expects otherwise compares with the end.

use num_bigint::BigInt;

use super::fold::Folder;
use super::program::{
    Expr, ExprKind, Local, LocalId, LocalKind, ProcessDef, Program, RangeId, Sort, TransitionDef,
    UpdateDef,
};
use crate::diagnostics::{Diagnostic, Span};
use crate::syntax::ast::{Operator, Relation};

/// A name whose sort is a range, and where that ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangeEnd {
    /// Where the name is declared.
    pub declared: Span,
    /// The name with its sort: `n: 0..CAP`.
    pub shown: String,
    /// The last value of the range.
    pub last: String,
    /// The value after it, which is no longer part of it.
    pub end: String,
    /// The range with this value: `0..CAP + 1`.
    pub longer: String,
    /// What makes it so.
    pub edit: (Span, String),
}

/// A value that is assigned to a variable whose sort is a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// The variable.
    pub variable: RangeEnd,
    /// Whether the guard of the transition compares it with the end of its range.
    pub compared: bool,
    /// Where the value is received as it is: the declaration of the action, and one with the range for its data.
    pub received: Option<(Span, String)>,
}

impl RangeEnd {
    /// Says at the declaration where the range ends, and how it would not.
    pub fn explain(&self, diagnostic: Diagnostic) -> Diagnostic {
        let RangeEnd { last, end, longer, .. } = self;
        self.point_out(diagnostic)
            .note(format!(
                "a range does not contain its end: write `{longer}` if {end} is meant, or compare with {last}"
            ))
            .suggest(format!("write `{longer}`"), self.edit.0, self.edit.1.clone())
    }

    /// Says at the declaration where the range ends.
    pub fn point_out(&self, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.also(self.declared, format!("`{}` ends with {}", self.shown, self.last))
    }
}

impl Program {
    /// What a text is assigned to, where that has a range.
    pub fn assigned_at(&self, text: Span) -> Option<Assigned> {
        self.processes.iter().find_map(|process| {
            let mut transitions = process.transitions.iter();
            let transition = transitions.find(|transition| transition.span.contains(text))?;
            let update = transition.updates.iter().find(|update| update.value.span == text)?;
            let UpdateDef { target, place, value } = update;
            if !matches!(place.kind, ExprKind::Local(_)) {
                return None;
            }
            let local = process.locals[target.index()];
            let Sort::Range(range) = local.sort else { return None };
            let folder = Folder { program: self, locals: &process.locals };
            let end =
                |guard: &Expr| folder.compared_with_end(guard).is_some_and(|id| id == *target);
            Some(Assigned {
                variable: folder.range_end(local, range),
                compared: transition.guard.as_ref().is_some_and(end),
                received: self.received(process, transition, value, range),
            })
        })
    }

    /// The variable that a condition compares with the end of its range.
    pub fn compared_at(&self, text: Span) -> Option<RangeEnd> {
        self.processes.iter().find_map(|process| {
            let folder = Folder { program: self, locals: &process.locals };
            let guards = process.transitions.iter().filter_map(|one| one.guard.as_ref());
            let guard = guards.into_iter().find(|guard| guard.span.contains(text))?;
            let mut found = None;
            guard.each(&mut |expr| {
                if expr.span == text {
                    found = found.or_else(|| folder.compared_with_end(expr));
                }
            });
            folder.end_of(found?)
        })
    }

    /// The action that a value is received with, declared so that only values of the range are.
    fn received(
        &self,
        process: &ProcessDef,
        transition: &TransitionDef,
        value: &Expr,
        range: RangeId,
    ) -> Option<(Span, String)> {
        let ExprKind::Local(id) = value.kind else { return None };
        let local = process.locals[id.index()];
        if local.kind != LocalKind::Input || matches!(local.sort, Sort::Range(_)) {
            return None;
        }
        let mut action = &transition.action;
        while let ExprKind::Sync(inner) | ExprKind::Co(inner) = &action.kind {
            action = inner;
        }
        let ExprKind::Act(act, args) = &action.kind else { return None };
        let def = &self.actions[act.index()];
        let folder = Folder { program: self, locals: &process.locals };
        let sorts = args.iter().zip(&def.sorts).map(|(arg, sort)| match arg.kind {
            ExprKind::Input(input) if input == id => folder.range_text(range),
            _ => self.sort_name(*sort),
        });
        let sorts: Vec<String> = sorts.collect();
        Some((def.named.span, format!("action {}({});", def.named.name, sorts.join(", "))))
    }
}

impl Folder<'_> {
    /// A name with the end of its range.
    pub fn end_of(self, id: LocalId) -> Option<RangeEnd> {
        let local = *self.locals.get(id.index())?;
        match local.sort {
            Sort::Range(range) => Some(self.range_end(local, range)),
            _ => None,
        }
    }

    fn range_end(self, local: Local, range: RangeId) -> RangeEnd {
        let def = &self.program.ranges[range.index()];
        let high = self.bound_text(&def.high, def.known.as_ref().map(|known| &known.1));
        let low = self.bound_text(&def.low, def.known.as_ref().map(|known| &known.0));
        let (last, end, more) = match (&def.known, &def.high.kind) {
            (Some((_, end)), ExprKind::Int(_) | ExprKind::BigInt(_)) => {
                ((end - 1i32).to_string(), end.to_string(), (end + 1i32).to_string())
            }
            (Some((_, end)), _) => {
                ((end - 1i32).to_string(), end.to_string(), format!("{high} + 1"))
            }
            (None, _) => (self.moved(&def.high, -1), high.clone(), self.moved(&def.high, 1)),
        };
        let shown = format!("{}: {low}..{high}", local.name);
        let edit = match more.strip_prefix(&high) {
            Some(rest) if rest.starts_with(' ') => (def.high.span.after(), rest.to_owned()),
            _ => (def.high.span, more.clone()),
        };
        RangeEnd { declared: local.span, shown, last, end, longer: format!("{low}..{more}"), edit }
    }

    fn range_text(self, range: RangeId) -> String {
        let def = &self.program.ranges[range.index()];
        let low = self.bound_text(&def.low, def.known.as_ref().map(|known| &known.0));
        let high = self.bound_text(&def.high, def.known.as_ref().map(|known| &known.1));
        format!("{low}..{high}")
    }

    /// A bound by its name, or as a number; as it was written, where it is computed.
    fn bound_text(self, bound: &Expr, known: Option<&BigInt>) -> String {
        match (&bound.kind, known) {
            (ExprKind::Const(_) | ExprKind::Local(_), _) | (_, None) => self.written(bound),
            (_, Some(known)) => known.to_string(),
        }
    }

    /// A number as it was written, up to forms that are rare in bounds.
    fn written(self, bound: &Expr) -> String {
        match &bound.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::BigInt(value) => value.to_string(),
            ExprKind::Const(id) => self.program.consts[id.index()].named.name.to_string(),
            ExprKind::Local(id) if id.index() < self.locals.len() => {
                self.locals[id.index()].name.to_string()
            }
            ExprKind::Apply(id, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.written(arg)).collect();
                format!("{}({})", self.program.funs[id.index()].named.name, args.join(", "))
            }
            ExprKind::Chain(chain) => self.chain(&chain.0, &chain.1),
            _ => "…".to_owned(),
        }
    }

    fn chain(self, first: &Expr, rest: &[(Operator, Expr)]) -> String {
        let sums = rest.iter().all(|(operator, _)| is_sum(*operator));
        let operand = |inner: &Expr| match &inner.kind {
            // Products bind more than sums.
            ExprKind::Chain(chain) if !sums || chain.1.iter().any(|one| is_sum(one.0)) => {
                format!("({})", self.written(inner))
            }
            _ => self.written(inner),
        };
        let more = |(operator, inner): &(Operator, Expr)| {
            format!(" {} {}", operator.spelling(), operand(inner))
        };
        operand(first) + &rest.iter().map(more).collect::<String>()
    }

    /// A bound that is larger by so much, with one number at its end.
    fn moved(self, bound: &Expr, by: i64) -> String {
        let (text, number) = match &bound.kind {
            ExprKind::Chain(chain) => match chain.1.as_slice() {
                [rest @ .., (Operator::Add, Expr { kind: ExprKind::Int(last), .. })] => {
                    (self.chain(&chain.0, rest), last.saturating_add(by))
                }
                [rest @ .., (Operator::Subtract, Expr { kind: ExprKind::Int(last), .. })] => {
                    (self.chain(&chain.0, rest), by.saturating_sub(*last))
                }
                _ => (self.written(bound), by),
            },
            _ => (self.written(bound), by),
        };
        match number {
            0 => text,
            1.. => format!("{text} + {number}"),
            _ => format!("{text} - {}", number.unsigned_abs()),
        }
    }

    /// The name that a condition compares with the value after the last of its range, or with the last as if there
    /// were more.
    pub fn compared_with_end(self, condition: &Expr) -> Option<LocalId> {
        let mut found = None;
        condition.each(&mut |expr| {
            if let ExprKind::Compare(relation, both) = &expr.kind {
                let one = self.asks_for_end(&both.0, *relation, &both.1);
                found = found
                    .or(one)
                    .or_else(|| self.asks_for_end(&both.1, mirrored(*relation), &both.0));
            }
        });
        found
    }

    fn asks_for_end(self, subject: &Expr, relation: Relation, other: &Expr) -> Option<LocalId> {
        let ExprKind::Local(id) = subject.kind else { return None };
        let Sort::Range(range) = self.locals.get(id.index())?.sort else { return None };
        let def = &self.program.ranges[range.index()];
        let same_name = match (&def.high.kind, &other.kind) {
            (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
            (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
            _ => false,
        };
        let value = self.integer(other);
        let is_end = value.zip(def.known.as_ref()).is_some_and(|(value, (_, end))| {
            let beyond_last = matches!(relation, Relation::Greater | Relation::LessEqual);
            value == *end || beyond_last && value == end - 1i32
        });
        (same_name || is_end).then_some(id)
    }
}

fn is_sum(operator: Operator) -> bool {
    matches!(operator, Operator::Add | Operator::Subtract)
}

fn mirrored(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        same => same,
    }
}
