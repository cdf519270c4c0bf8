//! From the typed program to one hierarchical pNet: instances are made, families unfolded, holes filled,
//! connectors and priorities turned into vectors.
//!
//! Input: a program without errors, and the component to elaborate. Output: a pNet for which
//! [`crate::pnet::violations`] finds nothing, or the problems that are in the way, each shown at the text that
//! caused it with the instances that led there. Where the budget is spent there are none: what was found of a net that was
//! not made to its end is nothing to go by.

mod algebra;
mod build;
mod connector;
mod families;
mod leaf;
mod lower;
mod owed;
mod parts;
mod priority;
pub mod problems;
mod settings;
mod shows;
mod sizes;
mod vector;

pub use build::Leaves;
pub use connector::{Shape, interactions};
pub use settings::{Setting, SettingValue, Settings, has_constant, set_name, similar_constant};

use self::problems::ElaborationProblem;
use crate::algebra::{Algebra, TermId, Terms};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{PNet, Parts};
use crate::sema::program::{Expr, Instance, Local, ModuleId, NetId, ProcessId, Program};

/// How elaboration is to be done.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ElaborateOptions {
    /// Values for symbolic constants: `--set N=4`.
    pub set: Settings,
    /// How many instances may be made.
    pub most_instances: usize,
}

impl Default for ElaborateOptions {
    fn default() -> ElaborateOptions {
        ElaborateOptions { set: Settings::default(), most_instances: 1_000_000 }
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
    let nets = program.nets.iter().enumerate().filter(|(_, net)| net.named.module == module);
    let nets = nets.map(|(index, net)| (net.named, Target::Net(NetId(index as u32))));
    let processes = program.processes.iter().enumerate();
    let processes = processes.filter(|(_, process)| process.named.module == module);
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
    let mut builder = build::Builder::new(program, options);
    let net = builder.run(target);
    checked(net, builder.problems)
}

/// Elaborates an instance that stands for itself, as in `check size(Ring<5>) == …`.
pub fn elaborate_instance(
    program: &Program,
    instance: &Instance,
    locals: &[Local],
    options: &ElaborateOptions,
) -> Result<PNet, Vec<ElaborationProblem>> {
    let mut builder = build::Builder::new(program, options);
    let net = builder.run_instance(instance, locals);
    checked(net, builder.problems)
}

/// Elaborates a component in parts: where it is another name for an instance with filled holes, these are left open,
/// and what fills them is elaborated by itself.
pub fn elaborate_parts(
    program: &Program,
    target: Target,
    options: &ElaborateOptions,
) -> Result<Parts, Vec<ElaborationProblem>> {
    let mut builder = build::Builder::new(program, options);
    let parts = builder.run_parts(target);
    checked_parts(parts, builder.problems)
}

/// Elaborates an instance in parts, as in `check size(Buffered(Producer, Consumer)) == …`.
pub fn elaborate_instance_parts(
    program: &Program,
    instance: &Instance,
    locals: &[Local],
    options: &ElaborateOptions,
) -> Result<Parts, Vec<ElaborationProblem>> {
    let mut builder = build::Builder::new(program, options);
    let parts = builder.run_instance_parts(instance, locals);
    checked_parts(parts, builder.problems)
}

/// A condition on the states and variables of nets, as a term of `terms`.
pub fn property(
    program: &Program,
    (expr, locals): (&Expr, &[Local]),
    (algebra, terms): (&Algebra, &mut Terms),
    leaves: &dyn Leaves,
    options: &ElaborateOptions,
) -> TermId {
    let mut builder = build::Builder::new(program, options);
    builder.algebra = algebra.clone();
    builder.terms = std::mem::take(terms);
    builder.leaves = Some(leaves);
    let scope = lower::Scope::new(locals);
    let (term, owed) = builder.owing(|builder| builder.term(expr, &scope));
    // A condition that reads what has no value does not hold.
    let owed = owed.into_iter().map(|owed| owed.term);
    let term = builder.terms.and(owed.chain([term]));
    *terms = builder.terms;
    term
}

fn checked(
    net: Option<PNet>,
    problems: Vec<ElaborationProblem>,
) -> Result<PNet, Vec<ElaborationProblem>> {
    match net {
        _ if is_spent() => Err(Vec::new()),
        Some(net) if problems.is_empty() => {
            debug_assert_eq!(crate::pnet::violations(&net), Vec::new());
            Ok(net)
        }
        _ => Err(problems),
    }
}

fn checked_parts(
    parts: Option<Parts>,
    problems: Vec<ElaborationProblem>,
) -> Result<Parts, Vec<ElaborationProblem>> {
    match parts {
        _ if is_spent() => Err(Vec::new()),
        Some(parts) if problems.is_empty() => {
            debug_assert!(parts.all().all(|net| crate::pnet::violations(net).is_empty()));
            Ok(parts)
        }
        _ => Err(problems),
    }
}
