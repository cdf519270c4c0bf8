//! Compositional generation: parts are reduced, restricted by their neighbours, and put together two at a time, and what comes
//! of that is reduced again, until one is left (Graf & Steffen; Crouzen & Lang, "Smart Reduction").
//!
//! What goes in: a network, and the relation that counts. What comes out: a system that is equivalent to the product by this
//! relation, and smallest, with a report of every step. Claimed is that each step keeps the network equivalent: restriction
//! changes nothing (Lang, RR-5996, Theorem 1), parts made one do what they did, and a part is reduced by the relation only
//! where that is a congruence; otherwise by strong bisimilarity ([`WhyStrong`]).

use std::sync::Arc;

use super::behaviour::NotGenerated;
use super::choose::{near, pairs};
use super::interface::{RefinedInterface, SystemSize, refined_interface};
use super::merge::{Merged, can_merge, merge};
use super::on_the_way::ProductOnTheWay;
use super::product::{ProductLimits, product};
use super::restrict::restrict;
use super::simplify::{replace, simplify};
use super::vectors::{Network, NetworkPartId, NetworkVectorId, Synchron};
use crate::base::Watch;
use crate::lts::{Equivalence, Lts, NotReduced, ReduceLimits, reduce};

/// So many pairs are tried that turn out too large, one after the other, before all that is left is put together at once.
const MOST_TRIED: usize = 3;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct ComposeLimits {
    /// How many states there may be once all that is left is put together.
    pub most_states: usize,
    /// How many states two parts may have together, before that is reduced; others are tried if there are more.
    pub pair_states: usize,
    /// How many states neighbours may have together that a part is restricted by.
    pub interface_states: usize,
    /// Parts that have no more states together than this are put together at once.
    pub small_states: usize,
}

impl Default for ComposeLimits {
    fn default() -> ComposeLimits {
        let most_states = ProductLimits::default().most_states;
        ComposeLimits {
            most_states,
            pair_states: 1 << 22,
            interface_states: 1 << 10,
            small_states: 1 << 6,
        }
    }
}

/// A member of a vector by its names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedMember {
    /// The part.
    pub part: String,
    /// What it does.
    pub label: String,
}

/// Why a part is reduced by strong bisimilarity only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyStrong {
    /// A vector synchronises or renames its silent steps.
    Silence {
        /// Who moves in it.
        vector: Vec<NamedMember>,
    },
    /// A vector does not happen where it could move.
    Stops {
        /// Who moves in that vector.
        vector: Vec<NamedMember>,
    },
}

/// A step: a part made smaller, or several made one.
#[derive(Clone, Debug)]
pub struct ComposeStep {
    /// What was put together; one part if it was only made smaller.
    pub parts: Vec<String>,
    /// What it was restricted by, with the names of the neighbours.
    pub interface: Option<Arc<RefinedInterface>>,
    /// How large it was, once restricted.
    pub generated: SystemSize,
    /// How many bytes the states took that were met on the way.
    pub store_bytes: usize,
    /// How large it is, once reduced.
    pub reduced: SystemSize,
    /// By what.
    pub by: Equivalence,
    /// Why by no more than that, if more was asked for.
    pub why_strong: Option<WhyStrong>,
}

/// What was tried and was too large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLargeStep {
    /// What was to be put together.
    pub parts: Vec<String>,
}

/// What was done.
#[derive(Clone, Default, Debug)]
pub struct ComposeReport {
    /// The steps, in order.
    pub steps: Vec<ComposeStep>,
    /// What was given up.
    pub too_large: Vec<TooLargeStep>,
}

impl ComposeReport {
    /// The step with the largest system on the way, which decides whether it can be done at all.
    pub fn largest(&self) -> Option<&ComposeStep> {
        self.steps.iter().rev().max_by_key(|step| step.generated)
    }

    /// The most bytes that states took in one step.
    pub fn most_bytes(&self) -> usize {
        self.steps.iter().map(|step| step.store_bytes).max().unwrap_or(0)
    }
}

/// A system that was made step by step.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The system.
    pub lts: Lts,
    /// How it was made.
    pub report: ComposeReport,
}

/// Why there is none, and how far it got.
#[derive(Clone, Debug)]
pub struct NotComposed {
    /// Why.
    pub why: NotGenerated,
    /// What was done.
    pub report: ComposeReport,
    /// What is left: a smaller network that is equivalent.
    pub network: Network,
}

/// Puts a network together, step by step.
pub fn compose(
    network: &Network,
    by: Equivalence,
    limits: ComposeLimits,
    watch: &dyn Watch,
) -> Result<Composed, Box<NotComposed>> {
    compose_first(network, by, limits, &[], watch)
}

/// The same, where some parts are put together before the others: groups of their names, one after the other. Names that
/// nobody has, and groups that cannot be put together by themselves, are passed over.
pub fn compose_first(
    network: &Network,
    by: Equivalence,
    limits: ComposeLimits,
    first: &[Vec<String>],
    watch: &dyn Watch,
) -> Result<Composed, Box<NotComposed>> {
    let report = ComposeReport::default();
    let mut composing = Composing { network: network.clone(), by, limits, watch, report };
    match composing.go(first) {
        Ok(lts) => Ok(Composed { lts, report: composing.report }),
        Err(why) => {
            let Composing { network, report, .. } = composing;
            Err(Box::new(NotComposed { why, report, network }))
        }
    }
}

/// A system that was generated.
struct Generated {
    lts: Lts,
    store_bytes: usize,
    interface: Option<Arc<RefinedInterface>>,
}

struct Composing<'c> {
    network: Network,
    by: Equivalence,
    limits: ComposeLimits,
    watch: &'c dyn Watch,
    report: ComposeReport,
}

impl Composing<'_> {
    fn go(&mut self, first: &[Vec<String>]) -> Result<Lts, NotGenerated> {
        for part in self.network.parts.ids() {
            self.leaf(part)?;
        }
        for group in first {
            let is_named = |part: &NetworkPartId| group.contains(&self.network.parts[*part].name);
            let parts: Vec<NetworkPartId> = self.network.parts.ids().filter(is_named).collect();
            if parts.len() == self.network.parts.len() {
                return self.root();
            }
            if parts.len() > 1 {
                self.join(&parts)?;
            }
        }
        while !self.is_small() && self.pair()? {}
        self.root()
    }

    /// Whether all that is left can be put together at once.
    fn is_small(&self) -> bool {
        let all = self.network.parts.iter();
        let states = all.fold(1usize, |all, part| all.saturating_mul(part.lts.states()));
        self.network.parts.len() <= 1 || states <= self.limits.small_states
    }

    /// How far to go with less than all parts.
    fn pair_limits(&self) -> ProductLimits {
        ProductLimits { most_states: self.limits.most_states.min(self.limits.pair_states) }
    }

    /// Makes a part smaller by itself, and then by what its neighbours allow.
    fn leaf(&mut self, part: NetworkPartId) -> Result<(), NotGenerated> {
        let name = self.network.parts[part].name.clone();
        self.watch.searching(&format!("reducing `{name}`"), 0);
        let lts = Lts::clone(&self.network.parts[part].lts);
        let names = [name];
        self.take(part, &names, Generated { lts, store_bytes: 0, interface: None })?;
        let lts = Arc::clone(&self.network.parts[part].lts);
        let neighbours = near(&self.network, part, self.limits.interface_states);
        let interface = self.interface(&self.network, part, &neighbours)?;
        let Some(interface) = interface else { return Ok(()) };
        let left = match restrict(&mut &*lts, &interface.interface, self.pair_limits(), self.watch)
        {
            Ok(left) => left,
            // The part itself is small enough.
            Err(NotGenerated::TooLarge { .. }) => return Ok(()),
            Err(why) => return Err(why),
        };
        if left.lts.transitions() == lts.transitions() {
            return Ok(());
        }
        let (lts, store_bytes) = (left.lts, left.store_bytes);
        self.take(part, &names, Generated { lts, store_bytes, interface: Some(interface) })
    }

    /// What neighbours allow a part, unless that is too large.
    fn interface(
        &self,
        network: &Network,
        part: NetworkPartId,
        neighbours: &[NetworkPartId],
    ) -> Result<Option<Arc<RefinedInterface>>, NotGenerated> {
        if neighbours.is_empty() {
            return Ok(None);
        }
        let limits = ProductLimits { most_states: self.limits.interface_states };
        match refined_interface(network, part, neighbours, limits, self.watch) {
            Ok(interface) => Ok(Some(Arc::new(interface))),
            Err(NotGenerated::TooLarge { .. } | NotGenerated::TooManySteps) => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// Puts the two parts together that promise most; whether there were any.
    fn pair(&mut self) -> Result<bool, NotGenerated> {
        let mut tried = 0;
        for parts in pairs(&self.network) {
            let names: Vec<String> =
                parts.iter().map(|part| self.network.parts[*part].name.clone()).collect();
            let is_tried = self.report.too_large.iter().any(|tried| tried.parts == names);
            if tried >= MOST_TRIED {
                break;
            }
            if is_tried || !can_merge(&self.network, &parts) {
                continue;
            }
            if self.join(&parts)? {
                return Ok(true);
            }
            tried += 1;
        }
        Ok(false)
    }

    /// Puts parts together, if they can be, and are not too large together; whether they were.
    fn join(&mut self, parts: &[NetworkPartId]) -> Result<bool, NotGenerated> {
        if !can_merge(&self.network, parts) {
            return Ok(false);
        }
        let names: Vec<String> =
            parts.iter().map(|part| self.network.parts[*part].name.clone()).collect();
        self.watch.searching(&format!("composing `{}`", names.join("` and `")), 0);
        let Merged { inner, outer, part } = merge(&self.network, parts);
        match self.generate(&inner, &outer, part) {
            Ok(generated) => {
                self.network = outer;
                self.take(part, &names, generated)?;
                Ok(true)
            }
            Err(NotGenerated::TooLarge { .. } | NotGenerated::TooManySteps) => {
                self.report.too_large.push(TooLargeStep { parts: names });
                Ok(false)
            }
            Err(why) => Err(why),
        }
    }

    /// What parts do together, as far as the others allow it.
    fn generate(
        &self,
        inner: &Network,
        outer: &Network,
        part: NetworkPartId,
    ) -> Result<Generated, NotGenerated> {
        let (neighbours, limits) =
            (near(outer, part, self.limits.interface_states), self.pair_limits());
        if let Some(interface) = self.interface(outer, part, &neighbours)? {
            let mut on_the_way = ProductOnTheWay::new(inner, limits.most_states);
            match restrict(&mut on_the_way, &interface.interface, limits, self.watch) {
                Ok(left) => {
                    let store_bytes = left.store_bytes + on_the_way.store_bytes();
                    return Ok(Generated {
                        lts: left.lts,
                        store_bytes,
                        interface: Some(interface),
                    });
                }
                // Together with the states of the interface there are too many; without it, perhaps not.
                Err(NotGenerated::TooLarge { .. }) => {}
                Err(why) => return Err(why),
            }
        }
        let made = product(inner, limits, self.watch)?;
        let store_bytes = made.figures.store_bytes;
        Ok(Generated { lts: made.lts, store_bytes, interface: None })
    }

    /// A system in the place of a part, reduced as far as that is allowed. It has the labels that the part has.
    fn take(
        &mut self,
        part: NetworkPartId,
        names: &[String],
        generated: Generated,
    ) -> Result<(), NotGenerated> {
        let size = SystemSize::of(&generated.lts);
        self.network.parts[part].lts = Arc::new(generated.lts);
        simplify(&mut self.network, part);
        let why_strong = match self.by {
            Equivalence::Strong | Equivalence::Trace => None,
            _ => why_strong(&self.network, part),
        };
        let by = if why_strong.is_some() { Equivalence::Strong } else { on_the_way_by(self.by) };
        let simple = Lts::clone(&self.network.parts[part].lts);
        let (small, by) = reduced(simple, by, self.watch)?;
        let step = ComposeStep {
            parts: names.to_vec(),
            interface: generated.interface,
            generated: size,
            store_bytes: generated.store_bytes,
            reduced: SystemSize::of(&small),
            by,
            why_strong,
        };
        self.report.steps.push(step);
        replace(&mut self.network, part, small);
        Ok(())
    }

    /// All that is left, put together at once.
    fn root(&mut self) -> Result<Lts, NotGenerated> {
        let names: Vec<String> = self.network.parts.iter().map(|part| part.name.clone()).collect();
        let limits = ProductLimits { most_states: self.limits.most_states };
        let made = match product(&self.network, limits, self.watch) {
            Ok(made) => made,
            Err(why) => {
                self.report.too_large.push(TooLargeStep { parts: names });
                return Err(why);
            }
        };
        let generated = SystemSize::of(&made.lts);
        let (store_bytes, by) = (made.figures.store_bytes, self.by);
        let small = reduce(made.lts, by, ReduceLimits::default(), self.watch)?;
        let reduced = SystemSize::of(&small);
        let step = ComposeStep {
            parts: names,
            interface: None,
            generated,
            store_bytes,
            reduced,
            by,
            why_strong: None,
        };
        self.report.steps.push(step);
        Ok(small)
    }
}

/// What parts are reduced by, if a relation counts in the end: making systems deterministic is left to the end.
fn on_the_way_by(by: Equivalence) -> Equivalence {
    match by {
        Equivalence::Trace => Equivalence::Strong,
        Equivalence::WeakTrace => Equivalence::Weak,
        by => by,
    }
}

/// Reduced by a relation, or by a finer one if that takes too much.
fn reduced(
    lts: Lts,
    by: Equivalence,
    watch: &dyn Watch,
) -> Result<(Lts, Equivalence), NotGenerated> {
    if by == Equivalence::Safety {
        match reduce(lts.clone(), by, ReduceLimits::default(), watch) {
            Err(NotReduced::TooLarge(_)) => return reduced(lts, Equivalence::Weak, watch),
            small => return Ok((small?, by)),
        }
    }
    Ok((reduce(lts, by, ReduceLimits::default(), watch)?, by))
}

/// Why a part can be reduced by strong bisimilarity only: a coarser relation is no congruence.
fn why_strong(network: &Network, part: NetworkPartId) -> Option<WhyStrong> {
    let named = |vector: NetworkVectorId| -> Vec<NamedMember> {
        let members = network.vectors[vector].members.iter();
        members.map(|member| named_member(network, *member)).collect()
    };
    for (id, vector) in network.vectors.enumerated() {
        let is_silent = vector.label_of(part).is_some_and(|label| label.is_silent());
        if is_silent && !vector.is_free_silence() {
            return Some(WhyStrong::Silence { vector: named(id) });
        }
        if vector.rivals.iter().flatten().any(|member| member.part == part) {
            return Some(WhyStrong::Stops { vector: named(id) });
        }
    }
    None
}

fn named_member(network: &Network, member: Synchron) -> NamedMember {
    let part = &network.parts[member.part];
    let label = part.lts.text(member.label).to_owned();
    NamedMember { part: part.name.clone(), label }
}
