//! The leaves of a net, which properties and relations speak of.

use std::rc::Rc;

use num_bigint::BigInt;

use super::Sema;
use super::fold::Folder;
use super::parameters::{given_values, with_values};
use super::program::{
    Component, Expr, FamilyDef, Instance, LocalId, NetBody, ProcessId, StateId, SubDef,
};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::Ident;

/// The way to a leaf or one of its variables: names, with an index where one is of a family.
pub type LeafPath = Vec<(Ident, Option<Expr>)>;

/// A variable of a leaf of a net.
#[derive(Clone, Debug)]
pub struct LeafVariable {
    /// The path as it was written.
    pub path: LeafPath,
    /// Which of the check's or relation's nets it is found in.
    pub net: usize,
    /// The process it belongs to.
    pub process: ProcessId,
    /// Which of its locals.
    pub variable: LocalId,
}

/// A test of the state of a leaf.
#[derive(Clone, Debug)]
pub struct LeafTest {
    /// The path of the leaf as it was written.
    pub path: LeafPath,
    /// Which of the check's or relation's nets it is found in.
    pub net: usize,
    /// The process it is an instance of.
    pub process: ProcessId,
    /// The states.
    pub states: Vec<StateId>,
    /// The names of the states, where different processes may stand there.
    pub any_of: Vec<Symbol>,
}

/// The nets that a property speaks of.
#[derive(Clone, Debug)]
pub(super) struct Property {
    /// The leaves of each.
    pub nets: Rc<Vec<Leaves>>,
    /// What they are called.
    pub name: String,
    /// Whether it is the guard of a priority, where variables are named by paths that begin with a part, and nothing else of the
    /// leaves is.
    pub of_parts: bool,
}

/// The leaves of a net.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    /// Each leaf, in order.
    pub all: Vec<Leaf>,
    /// Whether something keeps them from being counted: an error, too many of them, a family.
    pub unclear: bool,
    /// Whether some may be missing here, so that nobody can say what there is not.
    pub partial: bool,
    /// How much was looked at.
    steps: usize,
}

/// A leaf: a process somewhere in a net.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The way to it.
    pub path: Vec<Symbol>,
    /// Where each name on the way is declared.
    pub declared: Vec<Span>,
    /// Which names on the way are those of families.
    pub families: Vec<Option<Family>>,
    /// What it is.
    pub process: ProcessId,
}

/// A family on the way to a leaf.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// Where it is declared.
    pub declared: Span,
    /// Its first index and the one past its last, where they are known.
    pub known: Option<(BigInt, BigInt)>,
    /// The same as they are written, with what parameters stand for; nothing where they depend on other indices.
    pub range: Option<(Expr, Expr)>,
}

impl Family {
    /// An index, where it is known which there are.
    pub fn nth(&self, number: u32) -> String {
        let index = self.known.as_ref().map(|(low, high)| (low + number).min(high - 1));
        index.map_or_else(|| "…".to_owned(), |index| index.to_string())
    }
}

impl Leaf {
    /// The way to it as it is written, where a member of a family stands for all.
    pub fn example(&self) -> String {
        let member = |(at, name): (usize, &Symbol)| match self.families.get(at) {
            Some(Some(family)) => format!("{name}[{}]", family.nth(0)),
            _ => name.to_string(),
        };
        let parts: Vec<String> = self.path.iter().enumerate().map(member).collect();
        parts.join(".")
    }

    /// The way to it in words.
    pub fn show(&self) -> String {
        let names: Vec<&str> = self.path.iter().map(|name| name.as_str()).collect();
        names.join(".")
    }

    /// The way to one of its variables, of the first member of each family.
    pub fn show_member(&self, variable: Symbol) -> String {
        let names = self.path.iter().zip(&self.families).map(|(name, family)| match family {
            None => name.to_string(),
            Some(family) => format!("{name}[{}]", family.nth(0)),
        });
        names.chain([variable.to_string()]).collect::<Vec<_>>().join(".")
    }

    /// Whether it is one of several, told apart by an index.
    pub fn is_member(&self) -> bool {
        self.families.iter().any(Option::is_some)
    }
}

impl Leaves {
    /// Nothing more can be said of them.
    pub fn give_up(&mut self) {
        (self.unclear, self.partial) = (true, true);
    }

    /// The same, if there is a reason.
    pub fn give_up_if(&mut self, reason: bool) {
        if reason {
            self.give_up();
        }
    }
}

/// More leaves than this are left to elaboration.
const MOST_LEAVES: usize = 2_000;
/// Larger and deeper hierarchies too.
const MOST_STEPS: usize = 20_000;
const MOST_LEVELS: usize = 100;

/// The leaves of an instance.
pub(super) fn leaves_of(sema: &Sema<'_>, instance: &Instance) -> Leaves {
    let mut leaves = Leaves::default();
    let mut path = Way::default();
    collect(sema, instance, None, &mut path, &mut leaves, 0);
    leaves
}

/// The leaves of the parts of a net that is being checked; what stands in holes is not known.
pub(super) fn leaves_of_parts(sema: &Sema<'_>, subs: &[SubDef]) -> Leaves {
    let (mut leaves, mut path) = (Leaves::default(), Way::default());
    for sub in subs {
        leaves.unclear |= sub.family.is_some() || !sub.choices.is_empty();
        let family = sub.family.as_ref().map(|family| Family {
            declared: sub.name.span,
            known: sema.program.ranges[family.range.index()].known.clone(),
            range: None,
        });
        path.push(sub.name, family);
        for instance in sub.instances() {
            collect(sema, instance, None, &mut path, &mut leaves, 0);
        }
        path.pop();
    }
    leaves
}

/// The way to where leaves are looked for.
#[derive(Default)]
struct Way {
    names: Vec<Symbol>,
    declared: Vec<Span>,
    families: Vec<Option<Family>>,
}

impl Way {
    fn push(&mut self, name: Ident, family: Option<Family>) {
        self.names.push(name.name);
        self.declared.push(name.span);
        self.families.push(family);
    }

    fn pop(&mut self) {
        self.names.pop();
        self.declared.pop();
        self.families.pop();
    }

    fn leaf(&self, process: ProcessId) -> Leaf {
        let (path, declared) = (self.names.clone(), self.declared.clone());
        Leaf { path, declared, families: self.families.clone(), process }
    }
}

/// What fills the holes of the net around, and what fills theirs.
struct Around<'i> {
    instance: &'i Instance,
    outer: Option<&'i Around<'i>>,
    /// What its parameters stand for, where that is known.
    values: Vec<Option<Expr>>,
}

impl Around<'_> {
    /// A family of the net, if it is one.
    fn family(&self, sema: &Sema<'_>, of: Option<&FamilyDef>, declared: Span) -> Option<Family> {
        let range = &sema.program.ranges[of?.range.index()];
        let bound = |bound: &Expr| with_values(&sema.program, bound, &self.values);
        let written = bound(&range.low).zip(bound(&range.high));
        let known = range.known.clone().or_else(|| {
            let folder = Folder { program: &sema.program, locals: &[] };
            let (low, high) = written.as_ref()?;
            folder.integer(low).zip(folder.integer(high))
        });
        Some(Family { declared, known, range: written })
    }
}

fn collect(
    sema: &Sema<'_>,
    instance: &Instance,
    around: Option<&Around<'_>>,
    path: &mut Way,
    leaves: &mut Leaves,
    level: usize,
) {
    leaves.steps += 1;
    if leaves.all.len() >= MOST_LEAVES || leaves.steps >= MOST_STEPS || level >= MOST_LEVELS {
        leaves.give_up();
        return;
    }
    match &instance.component {
        Component::Error | Component::Architecture(_) => leaves.give_up(),
        Component::Process(id) => {
            leaves.give_up_if(sema.program.processes[id.index()].has_errors);
            leaves.all.push(path.leaf(*id));
        }
        Component::Hole(number, index) => {
            leaves.give_up_if(index.is_some());
            let Some(around) = around else { return };
            fill_of(sema, around, *number, path, leaves, level);
        }
        Component::Net(id) => {
            let net = &sema.program.nets[id.index()];
            leaves.give_up_if(net.has_errors);
            let outer = around.map(|around| around.values.as_slice());
            let values = given_values(&sema.program, instance, outer);
            let inside = Around { instance, outer: around, values };
            match &net.body {
                NetBody::Error => leaves.give_up(),
                NetBody::Alias(alias) => {
                    collect(sema, alias, Some(&inside), path, leaves, level + 1)
                }
                NetBody::Block(block) => {
                    for (number, hole) in net.holes.iter().enumerate() {
                        leaves.unclear |= hole.family.is_some();
                        let family = inside.family(sema, hole.family.as_ref(), hole.name.span);
                        path.push(hole.name, family);
                        fill_of(sema, &inside, number, path, leaves, level + 1);
                        path.pop();
                    }
                    for sub in &block.subs {
                        leaves.unclear |= sub.family.is_some() || !sub.choices.is_empty();
                        let family = inside.family(sema, sub.family.as_ref(), sub.name.span);
                        path.push(sub.name, family);
                        for instance in sub.instances() {
                            collect(sema, instance, Some(&inside), path, leaves, level + 1);
                        }
                        path.pop();
                    }
                }
            }
        }
    }
}

/// The leaves of what fills a hole.
fn fill_of(
    sema: &Sema<'_>,
    around: &Around<'_>,
    number: usize,
    path: &mut Way,
    leaves: &mut Leaves,
    level: usize,
) {
    let Component::Net(id) = around.instance.component else { return };
    let Some(hole) = sema.program.nets[id.index()].holes.get(number) else { return };
    let fills = around.instance.fills.iter().filter(|fill| fill.hole == [hole.name.name]);
    for fill in fills {
        collect(sema, &fill.instance, around.outer, path, leaves, level + 1);
    }
    // Holes of parts that this net leaves open can be filled from further out; that is rare, and left to
    // elaboration.
    leaves.give_up_if(around.instance.fills.iter().any(|fill| fill.hole.len() > 1));
}
