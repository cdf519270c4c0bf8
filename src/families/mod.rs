//! Families of symbolic size as patterns: `const n: Int; axiom n >= 2;` with `sub S[i: 0..n]`.
//!
//! Input: a program, an instance with a family whose size is a constant without a value, and what is asked of it. Output: a
//! pattern whose unfoldings are all instances from some size on, and the goal; or the text that is of no form that is
//! recognised.
//!
//! First it is seen to that all sizes have a shape in common (`recognise.rs`, which has the claim). Then a large instance is
//! elaborated and taken as a row of cells (`cells.rs`): components with their states (`space.rs`) and the ways in which they
//! move together (`moves.rs`); so connectors, parameters, nets in each other and small data come by themselves. What its ends
//! are, and what is repeated between them, is read off it (`scheme.rs`) and compared with all smaller instances and one that
//! is larger. The scheme is a pattern (`build.rs`), and the property a goal (`asked.rs`).

mod asked;
mod build;
mod cells;
mod moves;
mod recognise;
mod scheme;
mod shape;
mod size;
mod space;

use std::sync::Arc;

use thiserror::Error;

pub use cells::NoRow;
pub use recognise::{Outside, Recognised, WhyOutside, recognise};
pub use size::{SizeBounds, bounds, open_constants};

use self::asked::{Asked, Asking, Claimed, Looking, Reading};
use self::cells::{Catalogue, Row};
use self::recognise::{Recogniser, Scope};
use self::scheme::Scheme;
use crate::base::budget::is_spent;
use crate::elaborate::Settings;
use crate::parametric::{
    GoalFormula, InstanceComponent, PatternGoal, Profiles, SystemPattern, Unfolding, UnfoldingNode,
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
    pub forgotten: Vec<String>,
    /// How many cells more than the size there are.
    more: i64,
    /// The index of the first.
    first: i64,
}

/// Why there is no pattern.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotAnySize {
    /// Something is of no form that is recognised.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// A component has too many states.
    #[error("a component has more than {} states", crate::parametric::MOST_STATES)]
    States,
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

impl From<NoRow> for NotAnySize {
    fn from(why: NoRow) -> NotAnySize {
        match why {
            _ if is_spent() => NotAnySize::Stopped,
            NoRow::States => NotAnySize::States,
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
    for value in question.bounds.least..=reading.known.large() + 1 {
        let net = net(value)?;
        match catalogue.row(&net, &reading.known) {
            Ok(row) => rows.push((value, row)),
            Err(why) => return Ok(Err(why.into())),
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
        let mut walk = Recogniser::new(program, set, size);
        walk.instance(instance, &Scope::default(), &mut Vec::new())?;
        let asking = Asking { program, set, size, locals: &check.locals };
        let mut reading = Reading { asking: &asking, walk: &mut walk, claims: Vec::new() };
        let property = match &check.property {
            Some(expr) => Some((reading.read(expr)?, expr)),
            None => None,
        };
        let claims = reading.claims;
        Ok(Read { known: walk.done(), asking, claims, property })
    }

    /// The pattern, once there are rows of all sizes that are not large, and two that are.
    fn finished(
        &self,
        question: &FamilyQuestion<'_>,
        mut catalogue: Catalogue,
        mut rows: Vec<(i64, Row)>,
    ) -> Result<AnySize, NotAnySize> {
        let mut goal = GoalFormula::And(Vec::new());
        for (value, row) in &mut rows {
            let looking =
                Looking { asking: &self.asking, known: &self.known, row: &*row, value: *value };
            let claims = looking.claims(&self.claims, &mut catalogue)?;
            if let Some((asked, expr)) = &self.property {
                goal = looking.goal(asked, &catalogue, expr)?;
            }
            row.items.extend(claims);
        }
        let large = rows.len().checked_sub(2).and_then(|at| rows.get(at));
        let (value, row) = large.ok_or(NotAnySize::Irregular)?;
        let scheme = Scheme::of(row, self.known.near()).ok_or(NotAnySize::Irregular)?;
        let fitting = rows.iter().rev().take_while(|(_, row)| scheme.fits(row)).count();
        // The large one, and one that is larger.
        if fitting < 2 {
            return Err(NotAnySize::Irregular);
        }
        let (from, smallest) = &rows[rows.len() - fitting];
        // Smaller ones are no unfoldings: nothing is asked of them.
        let scheme = scheme.at_least(smallest.cells, row);
        let from = *from;
        let label = question.program.consts[question.size.index()].named.name.as_str();
        let pattern = build::pattern(&catalogue, &scheme, label);
        let more = row.cells as i64 - value;
        let forgotten = catalogue.forgotten.iter().cloned().collect();
        let (goal, first) = (self.goal(question.check.kind, goal), row.first);
        Ok(AnySize { pattern, goal, from, forgotten, more, first })
    }

    fn goal(&self, kind: CheckKind, formula: GoalFormula) -> PatternGoal {
        let label = kind.word().to_owned();
        match kind {
            CheckKind::Always => {
                let when = GoalFormula::Not(Box::new(formula));
                PatternGoal { label, stuck: false, when }
            }
            CheckKind::Reaches => PatternGoal { label, stuck: false, when: formula },
            _ => PatternGoal::deadlock(),
        }
    }
}

impl AnySize {
    /// What people call a component of an instance.
    pub fn name_of(&self, component: &InstanceComponent) -> String {
        let label = &self.pattern.types[component.of].label;
        let role = label.split('/').next().unwrap_or_default();
        match component.made.0.index() {
            0 => role.to_owned(),
            // Parts of nets in a family stand behind its index.
            node => {
                let index = node as i64 - 1 + self.first;
                match role.split_once('.') {
                    Some((family, rest)) => format!("{family}[{index}].{rest}"),
                    None => format!("{role}[{index}]"),
                }
            }
        }
    }

    /// The size of an unfolding.
    pub fn size_of(&self, unfolding: &Unfolding, profiles: &Profiles) -> i64 {
        let makes = |node: &UnfoldingNode| {
            let rule = profiles.rules[node.rule].rule;
            Some(self.pattern.rules[rule].head) != self.pattern.start
                && !self.pattern.rules[rule].components.is_empty()
        };
        unfolding.nodes.iter().filter(|node| makes(node)).count() as i64 - self.more
    }
}
