//! Families of symbolic size as patterns: `const n: Int; axiom n >= 2;` with `sub S[i: 0..n]`.
//!
//! Input: a program, an instance with a family whose size is a constant without a value, and what is asked of it. Output: a
//! pattern whose unfoldings are all instances from some size on, and the goal; or the text that is of no form that is
//! recognised.
//!
//! First it is seen to that all sizes have a shape in common (`recognise.rs`, which has the claim). Then a large instance is
//! elaborated and taken as a row of cells (`cells.rs`): components with their states and the ways in which they
//! move together (`crate::moving`); so connectors, parameters, nets in each other and small data come by themselves. What its ends
//! are, and what is repeated between them, is read off it (`scheme.rs`) and compared with all smaller instances and one that
//! is larger. The scheme is a pattern (`build.rs`), and the property a goal (`asked.rs`).

mod asked;
mod build;
mod carried;
mod cells;
mod counts;
mod looking;
mod pair;
pub mod problems;
mod recognise;
mod scheme;
mod shape;
mod size;
mod value;

use std::sync::Arc;

use thiserror::Error;

pub use cells::NoRow;
pub use recognise::{Outside, Recognised, WhyOutside, recognise};
pub use size::{SizeBounds, bounds, open_constants};

use self::asked::{Asked, Asking, Claimed, Reading};
use self::cells::{Catalogue, IN_GROUP, Row};
use self::looking::{Looking, RowClaim, with_claims};
use self::recognise::Recogniser;
use self::scheme::Scheme;
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::elaborate::Settings;
use crate::moving::ForgottenVariable;
use crate::parametric::{
    GoalFormula, InstanceComponent, PatternGoal, PatternRuleId, Profiles, SystemPattern, Unfolding,
    UnfoldingNode,
};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, CheckKind, ConstId, Expr, Instance, Program};

/// What is asked of all sizes.
#[derive(Clone, Copy, Debug)]
pub struct FamilyQuestion<'p> {
    /// The program.
    pub program: &'p Program,
    /// The values of other constants.
    pub set: &'p Settings,
    /// The size.
    pub size: ConstId,
    /// What is known of it.
    pub bounds: SizeBounds,
    /// The check.
    pub check: &'p CheckDef,
    /// The instance that it is about.
    pub instance: &'p Instance,
}

/// All sizes from some size on, as a pattern.
#[derive(Clone, Debug)]
pub struct AnySize {
    /// The pattern.
    pub pattern: SystemPattern,
    /// What is bad.
    pub goal: PatternGoal,
    /// The smallest size that is an unfolding of the pattern.
    pub from: i64,
    /// The variables that are forgotten.
    pub forgotten: Vec<ForgottenVariable>,
    /// The rules that sizes start with, and how much more than a size is made of cells comes to.
    starts: Vec<(PatternRuleId, i64)>,
    /// So many cells are made at once.
    period: usize,
    /// The index of the first.
    first: i64,
}

/// Sizes that leave the same number when they are divided by the period.
struct SizeClass {
    rows: Vec<(i64, Row)>,
    scheme: Scheme,
    /// From this size on, the scheme fits.
    from: i64,
}

impl SizeClass {
    fn of(rows: Vec<(i64, Row)>, near: usize) -> Option<SizeClass> {
        let (_, large) = rows.get(rows.len().checked_sub(2)?)?;
        let scheme = Scheme::of(large, near)?;
        let fitting = rows.iter().rev().take_while(|(_, row)| scheme.fits(row)).count();
        // The large one, and one that is larger.
        if fitting < 2 {
            return None;
        }
        let from = rows[rows.len() - fitting].0;
        Some(SizeClass { rows, scheme, from })
    }

    /// What is to be added to so many cells, taken together, so that it is a size.
    fn more(&self, period: i64) -> i64 {
        self.rows.last().map_or(0, |(size, row)| size - period * row.cells as i64)
    }

    /// The scheme, without sizes that are smaller: they are no unfoldings, and nothing is asked of them.
    fn at_least(&self, from: i64) -> Scheme {
        let smallest = self.rows.iter().find(|(size, _)| *size >= from);
        let large = self.rows.len().checked_sub(2).and_then(|at| self.rows.get(at));
        match smallest.zip(large) {
            Some(((_, smallest), (_, row))) => self.scheme.clone().at_least(smallest.cells, row),
            None => self.scheme.clone(),
        }
    }
}

/// Why there is no pattern.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotAnySize {
    /// Something is of no form that is recognised.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// A component has too many states.
    #[error("`{name}` has more than {} states", crate::parametric::MOST_STATES)]
    States {
        /// The process.
        name: String,
        /// Where it is declared.
        text: Span,
        /// How many it has.
        states: usize,
    },
    /// There are too many ways to move together.
    #[error("there are too many ways in which components can move together")]
    Ways,
    /// Instances do not have a shape in common after all.
    #[error("the instances that were looked at have no shape in common")]
    Irregular,
    /// The budget is spent.
    #[error("stopped")]
    Stopped,
}

impl NotAnySize {
    /// The same with its place.
    pub fn problem(&self) -> Option<problems::FamilyProblem> {
        match self {
            NotAnySize::Outside(Outside { span, why }) => {
                Some(problems::OutsideForms { span: *span, why: *why }.into())
            }
            NotAnySize::States { name, text, states } => {
                let (span, name, states) = (*text, name.clone(), *states);
                Some(problems::ManyStates { span, name, states }.into())
            }
            NotAnySize::Ways | NotAnySize::Irregular | NotAnySize::Stopped => None,
        }
    }
}

impl AnySize {
    /// The data that are forgotten, and that something depends on.
    pub fn problems(&self) -> Vec<problems::FamilyProblem> {
        let needed = self.forgotten.iter().filter(|one| !one.needed.is_empty());
        let problem = |one: &ForgottenVariable| {
            let (span, name, needed) = (one.text, one.name.clone(), one.needed.clone());
            problems::ForgottenData { span, name, needed }.into()
        };
        needed.map(problem).collect()
    }
}

impl From<NoRow> for NotAnySize {
    fn from(why: NoRow) -> NotAnySize {
        match why {
            _ if is_spent() => NotAnySize::Stopped,
            NoRow::States { name, text, states } => NotAnySize::States { name, text, states },
            NoRow::Ways => NotAnySize::Ways,
        }
    }
}

/// The pattern of a family of symbolic size, with what is asked. `net` makes the instance of some size.
pub fn any_size<E>(
    question: FamilyQuestion<'_>,
    mut net: impl FnMut(i64) -> Result<Arc<PNet>, E>,
) -> Result<Result<AnySize, NotAnySize>, E> {
    let reading = match Read::of(&question) {
        Ok(reading) => reading,
        Err(outside) => return Ok(Err(outside.into())),
    };
    let mut catalogue = Catalogue::default();
    let mut rows: Vec<(i64, Row)> = Vec::new();
    for value in question.bounds.least..=reading.known.largest() {
        let net = net(value)?;
        match catalogue.row(&net, &reading.known) {
            Ok(row) => rows.push((value, row)),
            Err(why) => return Ok(Err(why.into())),
        }
        // What the smallest size cannot be asked, no size is asked.
        if let [(size, row)] = rows.as_slice()
            && let Err(outside) = reading.looked(&catalogue, row, *size)
        {
            return Ok(Err(outside.into()));
        }
        if is_spent() {
            return Ok(Err(NotAnySize::Stopped));
        }
    }
    Ok(reading.finished(&question, catalogue, rows))
}

/// What a question comes to, before any instance was looked at.
struct Read<'p> {
    known: Recognised,
    asking: Asking<'p>,
    claims: Vec<Claimed<'p>>,
    property: Option<(Asked<'p>, &'p Expr)>,
}

impl<'p> Read<'p> {
    fn of(question: &FamilyQuestion<'p>) -> Result<Read<'p>, Outside> {
        let FamilyQuestion { program, set, size, check, instance, .. } = *question;
        let mut walk = Recogniser::of(program, set, size, instance)?;
        let asking = Asking { program, set, size, locals: &check.locals };
        let mut reading = Reading { asking: &asking, walk: &mut walk, claims: Vec::new() };
        let property = match &check.property {
            Some(expr) => Some((reading.read(expr)?, expr)),
            None => None,
        };
        let claims = reading.claims;
        Ok(Read { known: walk.done(), asking, claims, property })
    }

    /// The claims of a row, and the goal.
    fn looked(
        &self,
        catalogue: &Catalogue,
        row: &Row,
        size: i64,
    ) -> Result<(Vec<RowClaim>, GoalFormula), Outside> {
        let (asking, known) = (&self.asking, &self.known);
        let looking = Looking { asking, known, catalogue, row, size };
        let claims = looking.claims(&self.claims)?;
        let goal = match &self.property {
            Some((asked, expr)) => looking.goal(asked, expr)?,
            None => GoalFormula::And(Vec::new()),
        };
        Ok((claims, goal))
    }

    /// The pattern, once there are rows of all sizes that are not large, and two that are.
    fn finished(
        &self,
        question: &FamilyQuestion<'_>,
        mut catalogue: Catalogue,
        mut rows: Vec<(i64, Row)>,
    ) -> Result<AnySize, NotAnySize> {
        let mut goals: Vec<GoalFormula> = Vec::new();
        for (size, row) in &mut rows {
            let (claims, goal) = self.looked(&catalogue, row, *size)?;
            goals.push(goal);
            with_claims(row, claims, &mut catalogue);
        }
        let period = self.known.period.unsigned_abs() as usize;
        let mut classes = Vec::new();
        for residue in 0..period as i64 {
            let own = |(size, _): &&(i64, Row)| size.rem_euclid(period as i64) == residue;
            let own: Vec<(i64, Row)> =
                rows.iter().filter(own).map(|(size, row)| (*size, row.grouped(period))).collect();
            classes.push(SizeClass::of(own, self.known.near()).ok_or(NotAnySize::Irregular)?);
        }
        let from = classes.iter().map(|class| class.from).max().unwrap_or(question.bounds.least);
        let asked = rows.iter().zip(&goals).filter(|((size, _), _)| *size >= from);
        let asked: Vec<&GoalFormula> = asked.map(|(_, goal)| goal).collect();
        let Some(goal) = asked.last().filter(|goal| asked.iter().all(|one| one == *goal)) else {
            return Err(NotAnySize::Irregular);
        };
        let label = question.program.consts[question.size.index()].named.name.as_str();
        let mut pattern = catalogue.pattern.clone();
        pattern.label = label.to_owned();
        let mut starts = Vec::new();
        for (residue, class) in classes.into_iter().enumerate() {
            let prefix = if period == 1 { String::new() } else { format!("Of{residue}") };
            starts.push((PatternRuleId(pattern.rules.len() as u32), class.more(period as i64)));
            build::add(&catalogue, &class.at_least(from), &prefix, &mut pattern);
        }
        let forgotten = catalogue.forgotten.iter().cloned().collect();
        let goal = self.goal(question.check.kind, (*goal).clone());
        let first = rows.last().map_or(0, |(_, row)| row.first);
        Ok(AnySize { pattern, goal, from, forgotten, starts, period, first })
    }

    fn goal(&self, kind: CheckKind, formula: GoalFormula) -> PatternGoal {
        let label = kind.word().to_owned();
        match kind {
            kind if kind.is_always() => {
                let when = GoalFormula::Not(Box::new(formula));
                PatternGoal { label, stuck: false, when }
            }
            CheckKind::Reaches => PatternGoal { label, stuck: false, when: formula },
            _ => PatternGoal::deadlock(),
        }
    }
}

impl AnySize {
    /// What people call a component of an unfolding.
    pub fn name_of(&self, component: &InstanceComponent) -> String {
        let label = &self.pattern.types[component.of].label;
        let role = label.split('/').next().unwrap_or_default();
        let (node, _) = component.made;
        if node.index() == 0 {
            return role.to_owned();
        }
        let in_group = component.path.split_once(IN_GROUP).and_then(|(_, rest)| {
            rest.split(|sign: char| !sign.is_ascii_digit()).next()?.parse::<usize>().ok()
        });
        let cell = (node.index() - 1) * self.period + in_group.unwrap_or(0);
        let index = cell as i64 + self.first;
        // Parts of nets in a family stand behind its index.
        match role.split_once('.') {
            Some((family, rest)) => format!("{family}[{index}].{rest}"),
            None => format!("{role}[{index}]"),
        }
    }

    /// The size of an unfolding.
    pub fn size_of(&self, unfolding: &Unfolding, profiles: &Profiles) -> i64 {
        let rule_of = |node: &UnfoldingNode| profiles.rules[node.rule].rule;
        let makes = |node: &&UnfoldingNode| {
            let rule = &self.pattern.rules[rule_of(node)];
            Some(rule.head) != self.pattern.start && !rule.components.is_empty()
        };
        let cells = unfolding.nodes.iter().filter(makes).count() * self.period;
        let start = unfolding.nodes.iter().next().map(rule_of);
        let more = self.starts.iter().find(|(rule, _)| Some(*rule) == start);
        cells as i64 + more.map_or(0, |(_, more)| *more)
    }
}
