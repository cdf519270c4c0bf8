//! Families of symbolic size as patterns: `const n: Int; axiom n >= 2;` with `sub S[i: 0..n]`. There may be several sizes.
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
mod expressions;
mod glue;
mod looking;
mod meets;
mod met;
mod optional;
mod pair;
pub mod problems;
mod recognise;
mod scheme;
mod shape;
mod size;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use itertools::Itertools;
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
    GoalFormula, InstanceComponent, PatternGoal, PatternInstance, PatternRuleId, Profiles,
    SystemPattern, Unfolding, UnfoldingNode,
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
    /// The sizes.
    pub sizes: &'p [ConstId],
    /// What is known of each.
    pub bounds: &'p [SizeBounds],
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
    /// The smallest value of each size with which it is an unfolding of the pattern.
    pub from: Vec<i64>,
    /// The variables that are forgotten.
    pub forgotten: Vec<ForgottenVariable>,
    /// The rules that sizes start with, and how much more than a size is made of cells comes to.
    starts: Vec<(PatternRuleId, Vec<i64>)>,
    /// The rules that make cells, with the number of their size.
    cells: BTreeMap<PatternRuleId, usize>,
    /// The families, by their names from the root, with the number of their size.
    families: BTreeMap<String, usize>,
    /// So many cells are made at once.
    period: usize,
    /// The index of the first of each size.
    first: Vec<i64>,
}

/// Larger instances are not looked at.
const MOST_LOOKED_AT: i64 = 2_000;

/// The values of all sizes.
type Values = Vec<i64>;

/// Sizes that leave the same number when they are divided by the period.
struct SizeClass {
    rows: Vec<(Values, Row)>,
    /// The row that the scheme was read off.
    large: usize,
    scheme: Scheme,
    /// From these sizes on, the scheme fits.
    from: Values,
}

impl SizeClass {
    /// What rows have in common. There is one size, or those rows are there in which all others are large, and all
    /// where a text asks about several at once.
    fn of(rows: Vec<(Values, Row)>, near: usize) -> Option<SizeClass> {
        // The largest one is only compared.
        let large = rows.len().checked_sub(2)?;
        let (values, row) = &rows[large];
        let scheme = Scheme::of(row, near)?;
        let fits: Vec<bool> = rows.iter().map(|(_, row)| scheme.fits(row)).collect();
        if !fits[large] || !fits[large + 1] {
            return None;
        }
        let mut from = values.clone();
        for (size, from) in from.iter_mut().enumerate() {
            let others_are_large = |known: &Values| {
                let mut each = known.iter().zip(values).enumerate();
                each.all(|(at, (known, large))| at == size || known >= large)
            };
            let all = rows.iter().zip(&fits).rev();
            let own = all.filter(|((known, _), _)| others_are_large(known));
            let fitting = own.take_while(|(_, fits)| **fits);
            *from = fitting.map(|((known, _), _)| known[size]).min()?;
        }
        let is_meant = |known: &Values| known.iter().zip(&from).all(|(known, from)| known >= from);
        let mut all = rows.iter().zip(&fits);
        let fit = all.all(|((known, _), fits)| *fits || !is_meant(known));
        fit.then_some(SizeClass { rows, large, scheme, from })
    }

    /// What is to be added to so many cells, taken together, so that it is a size.
    fn more(&self, period: i64) -> Values {
        let Some((values, row)) = self.rows.last() else { return Vec::new() };
        values.iter().zip(&row.cells).map(|(size, cells)| size - period * *cells as i64).collect()
    }

    /// The scheme, without sizes that are smaller: they are no unfoldings, and nothing is asked of them.
    fn at_least(&self, from: &[i64]) -> Scheme {
        let is_meant = |known: &Values| known.iter().zip(from).all(|(known, from)| known >= from);
        let meant = self.rows.iter().filter(|(values, _)| is_meant(values));
        let cells: Vec<&Vec<usize>> = meant.map(|(_, row)| &row.cells).collect();
        let least = |size: usize| cells.iter().map(|cells| cells[size]).min().unwrap_or(0);
        let least: Vec<usize> = (0..from.len()).map(least).collect();
        self.scheme.clone().at_least(&least, &self.rows[self.large].1)
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
    /// The smallest size is too large.
    #[error("the smallest size, {0}, has too many members to be looked at")]
    Large(i64),
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
            NotAnySize::Ways
            | NotAnySize::Large(_)
            | NotAnySize::Irregular
            | NotAnySize::Stopped => None,
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
            NoRow::Pairs(span) => Outside { span, why: WhyOutside::Pairs }.into(),
            NoRow::Optional(span) => Outside { span, why: WhyOutside::Trigger }.into(),
        }
    }
}

/// The pattern of a family of symbolic size, with what is asked. `net` makes the instance of some size; where it is asked to,
/// with connectors in one piece.
pub fn any_size<E>(
    question: FamilyQuestion<'_>,
    mut net: impl FnMut(&[i64], bool) -> Result<Arc<PNet>, E>,
) -> Result<Result<AnySize, NotAnySize>, E> {
    let reading = match Read::of(&question) {
        Ok(reading) => reading,
        Err(outside) => return Ok(Err(outside.into())),
    };
    let mut catalogue = Catalogue::default();
    let mut rows: Vec<(Values, Row)> = Vec::new();
    let least = question.bounds.iter().map(|bounds| bounds.least).max().unwrap_or(0);
    if least > MOST_LOOKED_AT {
        return Ok(Err(NotAnySize::Large(least)));
    }
    for values in looked_at(&reading.known, question.bounds) {
        let net = net(&values, !reading.known.open.is_empty())?;
        match catalogue.row(&net, &reading.known, values.len()) {
            Ok(row) => rows.push((values, row)),
            Err(why) => return Ok(Err(why.into())),
        }
        // What the smallest size cannot be asked, no size is asked.
        if let [(values, row)] = rows.as_slice()
            && let Err(outside) = reading.looked(&catalogue, row, values)
        {
            return Ok(Err(outside.into()));
        }
        if is_spent() {
            return Ok(Err(NotAnySize::Stopped));
        }
    }
    Ok(reading.finished(&question, catalogue, rows))
}

/// The sizes that are looked at, the largest last: all up to two large ones. Where there are several, all of each while the
/// others are large; and together where a text asks about several at once.
fn looked_at(known: &Recognised, bounds: &[SizeBounds]) -> Vec<Values> {
    let least: Values = bounds.iter().map(|bounds| bounds.least).collect();
    if let [least] = *least {
        // Where all sizes are large, so many of them as well.
        let largest = known.largest().max(least.saturating_add(2 * known.period - 1));
        return (least..=largest).map(|value| vec![value]).collect();
    }
    let large: Values = least.iter().map(|least| known.large().max(*least)).collect();
    let mut all: BTreeSet<Values> = BTreeSet::new();
    // What the smallest cannot be asked is found at once.
    all.insert(least.clone());
    for (size, &least) in least.iter().enumerate() {
        for value in least..=large[size] + 1 {
            let mut values = large.clone();
            values[size] = value;
            all.insert(values);
        }
    }
    if known.mixed {
        let each = least.iter().zip(&large).map(|(least, large)| *least..=*large);
        all.extend(each.multi_cartesian_product());
    }
    let largest: Values = large.iter().map(|large| large + 1).collect();
    let is_last = |values: &Values| *values == large || *values == largest;
    all.retain(|values| !is_last(values));
    all.into_iter().chain([large, largest]).collect()
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
        let FamilyQuestion { program, set, sizes, check, instance, .. } = *question;
        let mut walk = Recogniser::of(program, set, sizes, instance)?;
        let asking = Asking { program, set, sizes, locals: &check.locals };
        let mut reading = Reading { asking: &asking, walk: &mut walk, claims: Vec::new() };
        let property = match &check.property {
            Some(expr) => Some((reading.read_alone(expr)?, expr)),
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
        sizes: &[i64],
    ) -> Result<(Vec<RowClaim>, GoalFormula), Outside> {
        let (asking, known) = (&self.asking, &self.known);
        let looking = Looking { asking, known, catalogue, row, sizes };
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
        mut rows: Vec<(Values, Row)>,
    ) -> Result<AnySize, NotAnySize> {
        let mut goals: Vec<GoalFormula> = Vec::new();
        for (sizes, row) in &mut rows {
            let (claims, goal) = self.looked(&catalogue, row, sizes)?;
            goals.push(goal);
            with_claims(row, claims, &mut catalogue);
        }
        let period = self.known.period.unsigned_abs() as usize;
        let mut classes = Vec::new();
        for residue in 0..period as i64 {
            let own = |(sizes, _): &&(Values, Row)| {
                sizes.iter().all(|size| size.rem_euclid(period as i64) == residue)
            };
            let own = rows.iter().filter(own);
            let own = own.map(|(sizes, row)| (sizes.clone(), row.grouped(period))).collect();
            classes.push(SizeClass::of(own, self.known.near()).ok_or(NotAnySize::Irregular)?);
        }
        let from = |size: usize| classes.iter().map(|class| class.from[size]).max().unwrap_or(0);
        let from: Values = (0..question.sizes.len()).map(from).collect();
        let is_meant = |known: &Values| known.iter().zip(&from).all(|(known, from)| known >= from);
        let asked = rows.iter().zip(&goals).filter(|((sizes, _), _)| is_meant(sizes));
        let asked: Vec<&GoalFormula> = asked.map(|(_, goal)| goal).collect();
        let Some(goal) = asked.last().filter(|goal| asked.iter().all(|one| one == *goal)) else {
            return Err(NotAnySize::Irregular);
        };
        let name = |size: &ConstId| question.program.consts[size.index()].named.name.to_string();
        let mut pattern = catalogue.pattern.clone();
        pattern.label = question.sizes.iter().map(name).collect::<Vec<_>>().join(", ");
        let (mut starts, mut cells) = (Vec::new(), BTreeMap::new());
        let schemes: Vec<Scheme> = classes.iter().map(|class| class.at_least(&from)).collect();
        pattern.meetings = build::meetings(&catalogue, &schemes);
        for (residue, class) in classes.into_iter().enumerate() {
            let prefix = if period == 1 { String::new() } else { format!("Of{residue}") };
            starts.push((PatternRuleId(pattern.rules.len() as u32), class.more(period as i64)));
            cells.extend(build::add(&catalogue, &schemes[residue], &prefix, &mut pattern));
        }
        let forgotten = catalogue.forgotten.iter().cloned().collect();
        let goal = self.goal(question.check.kind, (*goal).clone());
        let first = rows.last().map_or_else(Vec::new, |(_, row)| row.first.clone());
        let families = self.known.families.clone();
        Ok(AnySize { pattern, goal, from, forgotten, starts, cells, families, period, first })
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
    pub fn name_of(&self, instance: &PatternInstance, place: usize) -> String {
        let component = &instance.components[place];
        let role = self.role_of(component);
        let Some(size) = self.size_of_role(role) else { return role.to_owned() };
        let in_group = component.path.split_once(IN_GROUP).and_then(|(_, rest)| {
            rest.split(|sign: char| !sign.is_ascii_digit()).next()?.parse::<usize>().ok()
        });
        let same = |one: &&InstanceComponent| self.size_of_role(self.role_of(one)) == Some(size);
        let nodes = instance.components.iter().filter(same).map(|one| one.made.0);
        let before = nodes.filter(|node| *node < component.made.0).dedup().count();
        let index = (before * self.period + in_group.unwrap_or(0)) as i64 + self.first[size];
        // Parts of nets in a family stand behind its index.
        let family = self.family_of(role).unwrap_or(role);
        let rest = role.strip_prefix(family).unwrap_or_default();
        format!("{family}[{index}]{rest}")
    }

    fn role_of<'a>(&'a self, component: &InstanceComponent) -> &'a str {
        self.pattern.types[component.of].label.split('/').next().unwrap_or_default()
    }

    /// The family of symbolic size that a role is in.
    fn family_of<'a>(&self, role: &'a str) -> Option<&'a str> {
        let ends = role.match_indices('.').map(|(at, _)| at).chain([role.len()]);
        let mut starts = ends.map(|end| &role[..end]);
        starts.find(|start| self.families.contains_key(&without_indices(start)))
    }

    fn size_of_role(&self, role: &str) -> Option<usize> {
        let family = self.family_of(role)?;
        self.families.get(&without_indices(family)).copied()
    }

    /// The sizes of an unfolding.
    pub fn sizes_of(&self, unfolding: &Unfolding, profiles: &Profiles) -> Vec<i64> {
        let rule_of = |node: &UnfoldingNode| profiles.rules[node.rule].rule;
        let start = unfolding.nodes.iter().next().map(rule_of);
        let more = self.starts.iter().find(|(rule, _)| Some(*rule) == start);
        let mut sizes = more.map_or_else(|| vec![0; self.from.len()], |(_, more)| more.clone());
        for node in &unfolding.nodes {
            if let Some(size) = self.cells.get(&rule_of(node)) {
                sizes[*size] += self.period as i64;
            }
        }
        sizes
    }
}

/// Names without the indices of families whose size is known.
fn without_indices(role: &str) -> String {
    let parts = role.split('.').map(|part| part.split('[').next().unwrap_or(part));
    parts.collect::<Vec<_>>().join(".")
}
