//! From the typed program to one hierarchical pNet: instances are made, families unfolded, holes filled,
//! connectors and priorities turned into vectors.
//!
//! Input: a program without errors, and the component to elaborate. Output: a pNet for which
//! [`crate::pnet::violations`] finds nothing, or the problems that are in the way, each shown at the text that
//! caused it with the instances that led there. Where the budget is spent there are none: what was found of a net that was
//! not made to its end is nothing to go by.

mod algebra;
mod brackets;
mod build;
mod claim;
mod companion;
mod connector;
mod env;
mod families;
mod filling;
mod instance;
mod joint;
mod leaf;
mod lower;
mod node;
mod orders;
mod own_order;
mod parts;
mod priority;
pub mod problems;
mod reading;
mod settings;
mod shows;
mod vector;
mod whole;

pub use claim::{DataClaim, data_claim};
pub use connector::{Shape, interactions};
pub use lower::{LeafNames, Leaves, UnclearName};
pub use settings::{Setting, SettingValue, Settings, has_constant, set_name, similar_constant};
pub use whole::{ConnectorPiece, how_many, pieces};

use self::build::Builder;
use self::lower::{Ledger, Lowering, MOST_UNFOLDS, Scope};
use self::problems::ElaborationProblem;
use crate::algebra::{Algebra, Sort, TermId, Terms};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{Content, Owed, PNet, Parts};
use crate::sema::program::{
    Expr, Instance, Local, LocalId, ModuleId, NetId, Pattern, ProcessId, Program,
};

/// How elaboration is to be done.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ElaborateOptions {
    /// Values for symbolic constants: `--set N=4`.
    pub set: Settings,
    /// How many instances may be made.
    pub most_instances: usize,
    /// Connectors with more interactions are kept in one piece, where that can be: their vectors have members that may take
    /// part or not.
    pub most_unfolded: usize,
}

impl ElaborateOptions {
    /// The same, where each interaction of a connector is a vector of its own.
    #[must_use]
    pub fn unfolding(&self) -> ElaborateOptions {
        ElaborateOptions { most_unfolded: usize::MAX, ..self.clone() }
    }

    /// The same for a net that keeps large connectors in one piece.
    #[must_use]
    pub fn keeping(&self) -> ElaborateOptions {
        ElaborateOptions { most_unfolded: MOST_UNFOLDED, ..self.clone() }
    }

    /// Whether these make each interaction a vector of its own.
    pub fn is_unfolding(&self) -> bool {
        self.most_unfolded == usize::MAX
    }
}

/// By default, connectors with more interactions are kept in one piece.
const MOST_UNFOLDED: usize = 1 << 8;

impl Default for ElaborateOptions {
    fn default() -> ElaborateOptions {
        ElaborateOptions {
            set: Settings::default(),
            most_instances: 1_000_000,
            most_unfolded: MOST_UNFOLDED,
        }
    }
}

/// Something that can be elaborated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A process alone.
    Process(ProcessId),
    /// A net.
    Net(NetId),
}

/// What a module declares that can be elaborated, in the order of the text, each with its name.
pub fn targets(program: &Program, module: ModuleId) -> Vec<(Symbol, Target)> {
    let nets = program.nets.iter().enumerate();
    let nets = nets.filter(|(_, net)| {
        net.named.module == module && !net.is_made && !net.is_open && net.generic.is_none()
    });
    let nets = nets.map(|(index, net)| (net.named, Target::Net(NetId(index as u32))));
    let processes = program.processes.iter().enumerate();
    let processes = processes.filter(|(_, process)| {
        process.named.module == module && !process.is_open && process.generic.is_none()
    });
    let processes =
        processes.map(|(index, process)| (process.named, Target::Process(ProcessId(index as u32))));
    let mut all: Vec<_> = nets.chain(processes).collect();
    all.sort_by_key(|(named, _)| named.span.start);
    all.into_iter().map(|(named, target)| (named.name, target)).collect()
}

/// Elaborates a component.
pub fn elaborate(
    program: &Program,
    target: Target,
    options: &ElaborateOptions,
) -> Result<PNet, Vec<ElaborationProblem>> {
    let mut builder = Builder::new(program, options);
    let root = builder.start().and_then(|()| builder.target(target, false));
    whole(builder, root)
}

/// Elaborates an instance that stands for itself, as in `check size(Ring<5>) == …`.
pub fn elaborate_instance(
    program: &Program,
    instance: &Instance,
    locals: &[Local],
    options: &ElaborateOptions,
) -> Result<PNet, Vec<ElaborationProblem>> {
    let mut builder = Builder::new(program, options);
    let root = builder.start().and_then(|()| builder.alone(instance, locals, false));
    whole(builder, root)
}

/// Elaborates a component in parts: where it is another name for an instance with filled holes, these are left open,
/// and what fills them is elaborated by itself.
pub fn elaborate_parts(
    program: &Program,
    target: Target,
    options: &ElaborateOptions,
) -> Result<Parts, Vec<ElaborationProblem>> {
    let mut builder = Builder::new(program, options);
    let root = builder.start().and_then(|()| builder.target(target, true));
    in_parts(builder, root)
}

/// Elaborates an instance in parts, as in `check size(Buffered(Producer, Consumer)) == …`.
pub fn elaborate_instance_parts(
    program: &Program,
    instance: &Instance,
    locals: &[Local],
    options: &ElaborateOptions,
) -> Result<Parts, Vec<ElaborationProblem>> {
    let mut builder = Builder::new(program, options);
    let root = builder.start().and_then(|()| builder.alone(instance, locals, true));
    in_parts(builder, root)
}

/// A condition on the states and variables of nets, as a term of `terms`.
pub fn property(
    program: &Program,
    (expr, locals): (&Expr, &[Local]),
    (algebra, terms): (&Algebra, &mut Terms),
    leaves: &dyn Leaves,
    options: &ElaborateOptions,
) -> TermId {
    let (owed, term) =
        property_with_owed(program, (expr, locals), (algebra, terms), leaves, options);
    // A condition that reads what has no value does not hold.
    terms.and([owed, term])
}

/// The same in two parts: when it reads only what has a value, and what it says then.
pub fn property_with_owed(
    program: &Program,
    (expr, locals): (&Expr, &[Local]),
    (algebra, terms): (&Algebra, &mut Terms),
    leaves: &dyn Leaves,
    options: &ElaborateOptions,
) -> (TermId, TermId) {
    let (owed, term) =
        property_given(program, (expr, locals, &[]), (algebra, terms), leaves, options);
    (terms.and(owed.iter().map(|one| one.term)), term)
}

/// The same where some of the local names stand for something: what a scenario bound before; and all that is owed, each
/// with its text.
pub fn property_given(
    program: &Program,
    (expr, locals, given): (&Expr, &[Local], &[(LocalId, TermId)]),
    (algebra, terms): (&Algebra, &mut Terms),
    leaves: &dyn Leaves,
    options: &ElaborateOptions,
) -> (Vec<Owed>, TermId) {
    let (set, ledger, leaves) = (&options.set, &mut Ledger::default(), Some(leaves));
    let (owed, unfolds) = (Vec::new(), MOST_UNFOLDS);
    let mut lowering = Lowering { program, set, algebra, terms, ledger, leaves, owed, unfolds };
    let mut scope = Scope::new(locals);
    given.iter().for_each(|&(local, term)| scope.set(local, term));
    let term = lowering.term(expr, &scope);
    (lowering.owed, term)
}

/// The sort of a local name, whose bounds may use other names.
pub fn sort_given(
    program: &Program,
    (sort, locals, given): (crate::sema::program::Sort, &[Local], &[(LocalId, TermId)]),
    (algebra, terms): (&Algebra, &mut Terms),
    options: &ElaborateOptions,
) -> Sort {
    let (set, ledger, leaves) = (&options.set, &mut Ledger::default(), None);
    let (owed, unfolds) = (Vec::new(), 0);
    let mut lowering = Lowering { program, set, algebra, terms, ledger, leaves, owed, unfolds };
    let mut scope = Scope::new(locals);
    given.iter().for_each(|&(local, term)| scope.set(local, term));
    lowering.sort(sort, &scope)
}

/// Whether an action fits a pattern, in two parts: when the values of the pattern have a meaning, and whether it fits
/// then. What the pattern binds fits whatever it is.
pub fn fits_given(
    program: &Program,
    (pattern, locals, given): (&Pattern, &[Local], &[(LocalId, TermId)]),
    action: TermId,
    (algebra, terms): (&Algebra, &mut Terms),
    options: &ElaborateOptions,
) -> (TermId, TermId) {
    let (set, ledger, leaves) = (&options.set, &mut Ledger::default(), None);
    let (owed, unfolds) = (Vec::new(), 0);
    let mut lowering = Lowering { program, set, algebra, terms, ledger, leaves, owed, unfolds };
    let mut scope = Scope::new(locals);
    given.iter().for_each(|&(local, term)| scope.set(local, term));
    let shape = lowering.shape(pattern, &scope);
    let term = lowering.matches(action, &shape);
    let owed = lowering.owed.into_iter().map(|owed| owed.term);
    (lowering.terms.and(owed), term)
}

fn whole(
    builder: Builder<'_>,
    root: Option<(Symbol, Content)>,
) -> Result<PNet, Vec<ElaborationProblem>> {
    let net = match root {
        Some(root) if builder.problems.is_empty() => Ok(builder.whole(root)),
        _ => Err(builder.problems),
    };
    debug_assert!(net.iter().all(is_well_formed));
    unless_spent(net)
}

fn in_parts(
    mut builder: Builder<'_>,
    root: Option<(Symbol, Content)>,
) -> Result<Parts, Vec<ElaborationProblem>> {
    let parts = root.and_then(|root| builder.in_parts(root));
    let parts = parts.filter(|_| builder.problems.is_empty()).ok_or(builder.problems);
    debug_assert!(parts.iter().flat_map(Parts::all).all(is_well_formed));
    unless_spent(parts)
}

fn unless_spent<T>(made: Result<T, Vec<ElaborationProblem>>) -> Result<T, Vec<ElaborationProblem>> {
    if is_spent() { Err(Vec::new()) } else { made }
}

/// Whether a net that was made to its end has no violations.
fn is_well_formed(net: &PNet) -> bool {
    is_spent() || crate::pnet::violations(net).is_empty()
}
