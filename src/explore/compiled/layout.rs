//! How the values of each sort are words.
//!
//! A sort with few enough values is *packed*: its values are the bits of a word. A range is counted from its low bound
//! there, and is a plain integer anywhere else. All other values are integers or handles of the pool.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::word::{MOST_BITS, bits_for, is_small};
use crate::algebra::{AbstractId, Algebra, DataId, Sort, TermId, Terms};
use crate::explore::Domains;

/// An array over more places than this is not kept place by place.
pub(super) const MOST_PLACES: u64 = 1 << 20;

/// The layout of a sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LayoutId(u32);

/// A field of a constructor: its layout, and where it is in a packed value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub layout: LayoutId,
    pub shift: u32,
}

/// What values look like.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Bool,
    /// A range with bounds that are known, from this on.
    Range(i64),
    Int,
    /// A range with bounds that are known only when it runs, or are large.
    Loose(TermId, TermId),
    Abstract(AbstractId),
    /// The fields of each constructor; how many bits say which one it is.
    Data(DataId, Vec<Vec<Slot>>, u32),
    /// The layouts of keys and values, and how many places there are, if they are kept one by one.
    Array(LayoutId, LayoutId, Option<u64>),
    Action,
}

/// A layout.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub shape: Shape,
    /// How many bits a value has, where it is packed.
    pub bits: Option<u32>,
    /// How many values there are, where there is an end of them.
    pub count: Option<u64>,
    /// How many are tried, where that is another number.
    pub tried: Option<u64>,
    /// Whether there is a range inside whose bounds are known only when it runs.
    pub loose: bool,
}

/// All layouts.
#[derive(Clone, Debug, Default)]
pub(super) struct Layouts {
    all: Vec<Layout>,
    by_sort: FxHashMap<Sort, LayoutId>,
    /// The datatypes that contain themselves.
    recursive: Vec<bool>,
    /// The first of the integers that are tried, and how many are.
    integers: Option<(i64, u64)>,
    abstracts: FxHashMap<AbstractId, u32>,
}

/// What layouts are made of.
#[derive(Clone, Copy)]
pub(super) struct Sorts<'a> {
    pub algebra: &'a Algebra,
    pub terms: &'a Terms,
}

impl Layouts {
    /// None yet, for these domains.
    pub fn new(sorts: Sorts<'_>, domains: &Domains) -> Layouts {
        let integers = domains.integers.as_ref().and_then(|(low, high)| {
            Some((low.to_i64().filter(|&low| is_small(low))?, (high - low).to_u64()?))
        });
        let abstracts = domains.abstracts.clone();
        let recursive = (0..sorts.algebra.datatypes.len())
            .map(|data| contains_itself(sorts.algebra, data))
            .collect();
        Layouts { recursive, integers, abstracts, ..Layouts::default() }
    }

    /// A layout.
    pub fn get(&self, id: LayoutId) -> &Layout {
        &self.all[id.0 as usize]
    }

    /// The layout of a sort that is known.
    pub fn known(&self, sort: &Sort) -> Option<LayoutId> {
        self.by_sort.get(sort).copied()
    }

    /// The layout of a sort.
    pub fn of(&mut self, sorts: Sorts<'_>, sort: &Sort) -> LayoutId {
        if let Some(known) = self.known(sort) {
            return known;
        }
        if let Sort::Data(data) = sort
            && self.recursive[data.index()]
        {
            let id = self.push(sort, plain(Shape::Data(*data, Vec::new(), 0)));
            let fields = self.fields(sorts, *data);
            self.all[id.0 as usize].shape = Shape::Data(*data, fields, 0);
            return id;
        }
        let layout = self.made(sorts, sort);
        self.push(sort, layout)
    }

    fn push(&mut self, sort: &Sort, layout: Layout) -> LayoutId {
        let id = LayoutId(self.all.len() as u32);
        self.all.push(layout);
        self.by_sort.insert(sort.clone(), id);
        id
    }

    fn fields(&mut self, sorts: Sorts<'_>, data: DataId) -> Vec<Vec<Slot>> {
        let constructors = &sorts.algebra.datatypes[data.index()].constructors;
        let slot =
            |this: &mut Layouts, sort: &Sort| Slot { layout: this.of(sorts, sort), shift: 0 };
        constructors
            .iter()
            .map(|one| one.fields.iter().map(|(_, sort)| slot(self, sort)).collect())
            .collect()
    }

    fn made(&mut self, sorts: Sorts<'_>, sort: &Sort) -> Layout {
        match sort {
            Sort::Bool => counted(Shape::Bool, 2),
            Sort::Int => {
                Layout { tried: self.integers.map(|(_, count)| count), ..plain(Shape::Int) }
            }
            Sort::Action => plain(Shape::Action),
            Sort::Abstract(id) => {
                let tried = self.abstracts.get(id).map(|&count| u64::from(count));
                let bits = tried.map(bits_for);
                Layout { tried, bits, ..plain(Shape::Abstract(*id)) }
            }
            Sort::Range(low, high) => range(sorts.terms, *low, *high),
            Sort::Data(data) => {
                let fields = self.fields(sorts, *data);
                self.data(*data, fields)
            }
            Sort::Array(both) => {
                let (key, value) = (self.of(sorts, &both.0), self.of(sorts, &both.1));
                self.array(key, value)
            }
        }
    }

    fn data(&self, data: DataId, mut fields: Vec<Vec<Slot>>) -> Layout {
        let tag = bits_for(fields.len() as u64);
        let mut most = Some(tag);
        for constructor in &mut fields {
            let mut shift = Some(tag);
            for slot in constructor {
                slot.shift = shift.unwrap_or(0);
                shift = shift.zip(self.get(slot.layout).bits).map(|(a, b)| a + b);
                shift = shift.filter(|&bits| bits <= MOST_BITS);
            }
            most = most.zip(shift).map(|(a, b)| a.max(b));
        }
        let sum = |each: &dyn Fn(&Layout) -> Option<u64>| {
            fields.iter().try_fold(0_u64, |sum, constructor| {
                let product = constructor.iter().try_fold(1_u64, |product, slot| {
                    product.checked_mul(each(self.get(slot.layout))?)
                });
                sum.checked_add(product?)
            })
        };
        let (count, tried) = (sum(&|one| one.count), sum(&|one| one.tried.or(one.count)));
        let loose = fields.iter().flatten().any(|slot| self.get(slot.layout).loose);
        Layout { shape: Shape::Data(data, fields, tag), bits: most, count, tried, loose }
    }

    fn array(&self, key: LayoutId, value: LayoutId) -> Layout {
        let places = self.get(key).count.filter(|&count| count <= MOST_PLACES);
        let value_of = self.get(value);
        let power = |base: Option<u64>| base?.checked_pow(u32::try_from(places?).ok()?);
        let bits = value_of.bits.zip(places).map(|(bits, places)| u64::from(bits) * places);
        let bits = bits.filter(|&bits| bits <= u64::from(MOST_BITS)).map(|bits| bits as u32);
        Layout {
            shape: Shape::Array(key, value, places),
            bits,
            count: power(value_of.count),
            tried: power(value_of.tried.or(value_of.count)),
            loose: self.get(key).loose || value_of.loose,
        }
    }

    /// The ranges inside a layout whose bounds are known only when it runs.
    pub fn loose_inside(&self, id: LayoutId) -> Vec<LayoutId> {
        let (mut found, mut work) = (Vec::new(), vec![id]);
        while let Some(id) = work.pop() {
            match &self.get(id).shape {
                _ if !self.get(id).loose || found.contains(&id) => {}
                Shape::Loose(..) => found.push(id),
                Shape::Data(_, fields, _) => {
                    work.extend(fields.iter().flatten().map(|slot| slot.layout));
                }
                Shape::Array(key, value, _) => work.extend([*key, *value]),
                _ => {}
            }
        }
        found
    }

    /// Whether there is an end of values, or of those that are tried, whatever the bounds inside are.
    pub fn ends(&self, id: LayoutId, tried: bool) -> bool {
        let layout = self.get(id);
        match &layout.shape {
            _ if layout.count.is_some() || (tried && layout.tried.is_some()) => true,
            Shape::Loose(..) => true,
            Shape::Data(data, fields, _) => {
                !self.recursive[data.index()]
                    && fields.iter().flatten().all(|slot| self.ends(slot.layout, tried))
            }
            Shape::Array(key, value, _) => self.ends(*key, false) && self.ends(*value, tried),
            _ => false,
        }
    }

    /// The first of the integers that are tried.
    pub fn first_integer(&self) -> Option<(i64, u64)> {
        self.integers
    }
}

fn plain(shape: Shape) -> Layout {
    Layout { shape, bits: None, count: None, tried: None, loose: false }
}

fn counted(shape: Shape, count: u64) -> Layout {
    let bits = Some(bits_for(count)).filter(|&bits| bits <= MOST_BITS);
    Layout { shape, bits, count: Some(count), tried: None, loose: false }
}

fn range(terms: &Terms, low: TermId, high: TermId) -> Layout {
    let bound = |id: TermId| terms.as_int(id).and_then(BigInt::to_i64).filter(|&n| is_small(n));
    match (bound(low), bound(high)) {
        (Some(from), Some(to)) => counted(Shape::Range(from), (to - from).max(0) as u64),
        _ => Layout { loose: true, ..plain(Shape::Loose(low, high)) },
    }
}

/// Whether a datatype contains itself, also through others.
fn contains_itself(algebra: &Algebra, data: usize) -> bool {
    let mut seen = vec![false; algebra.datatypes.len()];
    let fields = |of: usize| {
        let constructors = algebra.datatypes[of].constructors.iter();
        constructors.flat_map(|one| one.fields.iter().map(|(_, sort)| sort))
    };
    let mut work: Vec<&Sort> = fields(data).collect();
    while let Some(sort) = work.pop() {
        match sort {
            Sort::Data(inner) if inner.index() == data => return true,
            Sort::Data(inner) if !std::mem::replace(&mut seen[inner.index()], true) => {
                work.extend(fields(inner.index()));
            }
            Sort::Array(both) => work.extend([&both.0, &both.1]),
            _ => {}
        }
    }
    false
}
