//! Holes and what fills them: what an instance says itself goes before what is said further out.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::build::Builder;
use super::env::{Env, Filling, IndexedFill, Inner, LeftOut, OpenSlot, Site, Slot, Slots};
use super::problems::IndexOutside;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Content, Hole, HoleId, HoleSort, InstanceId};
use crate::sema::program::{Component, FillDef, FillIndex, HoleDef, Instance, LocalId, NetDef};

impl<'p> Builder<'p> {
    /// What stands in the holes of a net: what `fill` gives for a hole and an index, or nothing.
    pub fn slots(
        &mut self,
        holes: &'p [HoleDef],
        env: &Env<'p>,
        fill: impl Fn(&HoleDef, Option<i64>) -> Option<Filling<'p>>,
    ) -> Option<Vec<Slots<'p>>> {
        let mut all = Vec::with_capacity(holes.len());
        for hole in holes {
            let slot = |index: Option<i64>| slot_of(hole, index, env, fill(hole, index));
            all.push(match &hole.family {
                None => Slots::One(slot(None)),
                Some(family) => {
                    let indices = self.indices(family.range, (&env.scope, env.instance))?;
                    Slots::Family(indices.map(|i| (BigInt::from(i), slot(Some(i)))).collect())
                }
            });
        }
        Some(all)
    }

    /// What a slot comes to where a hole is put.
    pub fn slot(
        &mut self,
        slot: &Slot<'p>,
        instance: Option<InstanceId>,
        site: Site<'_, 'p>,
    ) -> Option<Content> {
        match slot {
            Slot::Open(open) => Some(Content::Hole(self.open_hole(open, instance))),
            Slot::Filled(filling) => self.filling(filling, site),
            Slot::Apart(filling, open) => {
                let hole = self.open_hole(open, instance);
                self.draft.left_out.push(LeftOut {
                    hole,
                    filling: filling.clone(),
                    path: site.path.to_owned(),
                    inner: site.inner.to_vec(),
                    level: site.level,
                });
                Some(Content::Hole(hole))
            }
        }
    }

    fn open_hole(
        &mut self,
        (path, interface, span): &OpenSlot,
        instance: Option<InstanceId>,
    ) -> HoleId {
        let origin = self.origins.add(*span, instance);
        let sort = match interface {
            None => HoleSort::Any,
            Some(id) => HoleSort::Actions(self.program.interfaces[id.index()].actions.clone()),
        };
        self.draft.holes.push(Hole { path: path.clone(), sort, origin })
    }

    /// What an instance that fills a hole comes to.
    pub fn filling(&mut self, filling: &Filling<'p>, site: Site<'_, 'p>) -> Option<Content> {
        let Filling { instance, env, index, .. } = filling;
        let site = Site { index: index.as_ref().map(|(_, value)| value), ..site };
        match index {
            Some((Some(local), value)) => {
                let term = self.terms.int(value.clone());
                let with_index = Rc::new(env.with_scope(env.scope.with(*local, term)));
                self.content(instance, &with_index, site)
            }
            Some((None, _)) | None => self.content(instance, env, site),
        }
    }

    /// What stands in a hole that is passed on.
    pub fn find_slot(
        &mut self,
        slots: &Slots<'p>,
        index: Option<BigInt>,
        span: Span,
        env: &Env<'p>,
    ) -> Option<Slot<'p>> {
        match (slots, index) {
            (Slots::One(slot), _) => Some(slot.clone()),
            (Slots::Family(members), Some(index)) => {
                // The members are in order and without gaps.
                let low = members.first().map(|(low, _)| low.clone()).unwrap_or_default();
                let place = (&index - low).to_usize();
                let found = place.and_then(|place| members.get(place));
                if found.is_none() {
                    let (index, chain) = (index.to_string(), self.chain(env.instance));
                    self.report(IndexOutside { span, index, chain });
                }
                found.map(|(_, slot)| slot.clone())
            }
            (Slots::Family(members), None) => members.first().map(|(_, slot)| slot.clone()),
        }
    }

    /// The fills of an instance, each with its index where it is one of a family.
    pub fn constant_fills(
        &mut self,
        instance: &'p Instance,
        env: &Env<'p>,
    ) -> Vec<IndexedFill<'p>> {
        let mut fills = Vec::with_capacity(instance.fills.len());
        for fill in &instance.fills {
            let index = match &fill.index {
                FillIndex::One(expr) => {
                    let term = self.lowering().term(expr, &env.scope);
                    self.terms.as_int(term).cloned()
                }
                _ => None,
            };
            fills.push((fill, index));
        }
        fills
    }
}

fn slot_of<'p>(
    hole: &HoleDef,
    index: Option<i64>,
    env: &Env<'p>,
    filling: Option<Filling<'p>>,
) -> Slot<'p> {
    let open = || (env.path_to(hole.name.name, index), hole.interface, hole.name.span);
    match filling {
        Some(filling) if filling.apart => Slot::Apart(filling, open()),
        Some(filling) => Slot::Filled(filling),
        None => Slot::Open(open()),
    }
}

/// What fills a hole of an instance: what the instance says, or what is said further out.
pub(super) fn fill_for<'p>(
    hole: &HoleDef,
    index: Option<i64>,
    fills: &[IndexedFill<'p>],
    (env, apart): (&Rc<Env<'p>>, bool),
    inner: &[(Vec<Symbol>, Filling<'p>)],
) -> Option<Filling<'p>> {
    let name = hole.name.name;
    let index = index.map(BigInt::from);
    // What is said of one member goes before what is said of all.
    let of_hole = || fills.iter().filter(|(fill, _)| fill.hole == [name]);
    let is_one = |(_, one): &&IndexedFill<'p>| one.is_some() && *one == index;
    let own = of_hole().find(is_one).or_else(|| of_hole().find(|(fill, _)| is_of_all(fill)));
    if let Some((fill, _)) = own {
        let index = index.map(|index| (bound(fill), index));
        return Some(Filling { index, ..Filling::of(fill, env, apart) });
    }
    let outside = || inner.iter().filter(|(path, _)| *path == [name]);
    let is_one = |(_, filling): &&(Vec<Symbol>, Filling<'p>)| {
        filling.family.1.is_some() && filling.family.1 == index
    };
    let of_all = |(_, filling): &&(Vec<Symbol>, Filling<'p>)| filling.family.1.is_none();
    let outer = outside().find(is_one).or_else(|| outside().find(of_all))?;
    let mut filling = outer.1.clone();
    filling.index = index.map(|index| (filling.family.0, index));
    Some(filling)
}

/// What fills holes further inside an instance.
pub(super) fn deeper_fills<'p>(
    net: &NetDef,
    fills: &[IndexedFill<'p>],
    (env, apart): (&Rc<Env<'p>>, bool),
    inner: &[(Vec<Symbol>, Filling<'p>)],
) -> Inner<'p> {
    let is_own =
        |path: &[Symbol]| path.len() == 1 && net.holes.iter().any(|h| h.name.name == path[0]);
    let said_here = fills.iter().filter(|(fill, _)| !is_own(&fill.hole)).map(|(fill, only)| {
        let family = (bound(fill), only.clone());
        (fill.hole.clone(), Filling { family, ..Filling::of(fill, env, apart) })
    });
    let said_outside = inner.iter().filter(|(path, _)| !is_own(path)).cloned();
    said_here.chain(said_outside).collect()
}

/// Whether it fills the hole, or all members of the family.
fn is_of_all(fill: &FillDef) -> bool {
    matches!(fill.index, FillIndex::Whole | FillIndex::Each(_))
}

/// The name that the indices of a family are bound to.
fn bound(fill: &FillDef) -> Option<LocalId> {
    match fill.index {
        FillIndex::Each(local) => Some(local),
        FillIndex::Whole | FillIndex::One(_) => None,
    }
}

impl<'p> Filling<'p> {
    fn of(fill: &'p FillDef, env: &Rc<Env<'p>>, apart: bool) -> Filling<'p> {
        let (instance, env) = (&fill.instance, Rc::clone(env));
        let apart = apart && !is_passed(instance);
        Filling { instance, env, index: None, family: (None, None), apart }
    }
}

/// Whether what fills a hole is only a hole of the net around.
fn is_passed(instance: &Instance) -> bool {
    matches!(
        instance.component,
        Component::Hole(..) | Component::Architecture(_) | Component::Error
    )
}
