//! Values made and taken apart, whatever their layout.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use super::layout::{Layout, LayoutId, Layouts, MOST_PLACES, Shape, Slot};
use super::pool::{Item, Pool};
use super::word::{NONE, Word, mask};
use crate::algebra::DataId;
use crate::explore::{Array, Value};

/// What is needed to read and make values.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub layouts: &'a Layouts,
    pub pool: &'a Pool,
    /// The bounds of ranges that are known only when it runs.
    pub loose: &'a [(LayoutId, Word, Word)],
}

impl<'a> Values<'a> {
    fn layout(&self, id: LayoutId) -> &'a Layout {
        self.layouts.get(id)
    }

    /// The bits of a value inside a packed one; nothing if it does not belong there.
    pub fn to_bits(self, id: LayoutId, word: Word) -> Option<u64> {
        let layout = self.layout(id);
        let (low, most) = match layout.shape {
            Shape::Range(low) => (low, layout.count?.checked_sub(1)?),
            _ => (0, mask(layout.bits?)),
        };
        let bits = word.wrapping_sub(low) as u64;
        (word != NONE && bits <= most).then_some(bits)
    }

    /// The value that bits inside a packed one stand for.
    pub fn of_bits(&self, id: LayoutId, bits: u64) -> Word {
        let low = if let Shape::Range(low) = self.layout(id).shape { low } else { 0 };
        bits as Word + low
    }

    /// Whether a value is one of a layout with bounds.
    pub fn belongs(&self, id: LayoutId, word: Word) -> bool {
        match self.layout(id).shape {
            Shape::Range(_) | Shape::Bool => self.to_bits(id, word).is_some(),
            _ => word != NONE,
        }
    }

    /// Which constructor made a value.
    pub fn tag(&self, id: LayoutId, word: Word) -> Option<u32> {
        let layout = self.layout(id);
        match (&layout.shape, layout.bits) {
            (_, _) if word == NONE => None,
            (Shape::Data(_, _, tag), Some(_)) => Some((word as u64 & mask(*tag)) as u32),
            _ => match self.pool.get(word) {
                Some(Item::Data(tag, _)) => Some(*tag),
                _ => None,
            },
        }
    }

    /// A field of what a constructor made.
    pub fn field(&self, id: LayoutId, word: Word, slot: Slot, at: usize) -> Word {
        match self.layout(id).bits {
            Some(_) => {
                let bits = self.layout(slot.layout).bits.unwrap_or(0);
                self.of_bits(slot.layout, (word as u64 >> slot.shift) & mask(bits))
            }
            None => match self.pool.get(word) {
                Some(Item::Data(_, fields)) => fields.get(at).copied().unwrap_or(NONE),
                _ => NONE,
            },
        }
    }

    /// What a constructor makes; nothing if a field does not belong there.
    pub fn construct(&self, id: LayoutId, tag: u32, fields: &[Word]) -> Word {
        let layout = self.layout(id);
        let Shape::Data(_, constructors, _) = &layout.shape else { return NONE };
        let Some(slots) = constructors.get(tag as usize) else { return NONE };
        if layout.bits.is_none() {
            let fits =
                slots.iter().zip(fields).all(|(slot, &word)| self.belongs(slot.layout, word));
            return if fits { self.pool.add(Item::Data(tag, fields.into())) } else { NONE };
        }
        let mut word = u64::from(tag);
        for (slot, &field) in slots.iter().zip(fields) {
            match self.to_bits(slot.layout, field) {
                Some(bits) => word |= bits << slot.shift,
                None => return NONE,
            }
        }
        word as Word
    }

    /// The array that is the same everywhere.
    pub fn fill(&self, id: LayoutId, value: Word) -> Word {
        let layout = self.layout(id);
        let Shape::Array(_, element, places) = layout.shape else { return NONE };
        if !self.belongs(element, value) {
            return NONE;
        }
        match (layout.bits, places) {
            (Some(_), Some(places)) => self.packed_array(element, (0..places).map(|_| value)),
            (None, Some(places)) => self.pool.add(Item::Dense(vec![value; places as usize].into())),
            _ => self.pool.add(Item::Sparse(value, Box::default())),
        }
    }

    /// The array that is the same from one place to just before another.
    pub fn fill_between(&self, value: Word, low: Word, high: Word) -> Word {
        let count = high.checked_sub(low).and_then(|count| u64::try_from(count).ok());
        match count.filter(|&count| count <= MOST_PLACES && value != NONE && low != NONE) {
            Some(count) => self.pool.add(Item::From(low, vec![value; count as usize].into())),
            None => NONE,
        }
    }

    fn packed_array(&self, element: LayoutId, values: impl Iterator<Item = Word>) -> Word {
        let bits = self.layout(element).bits.unwrap_or(0);
        let mut word = 0;
        for (at, value) in values.enumerate() {
            match self.to_bits(element, value) {
                Some(value) => word |= value << (at as u32 * bits),
                None => return NONE,
            }
        }
        word as Word
    }

    /// What is at a place of an array; nothing outside of its range.
    pub fn element(&self, id: LayoutId, array: Word, key: Word) -> Word {
        let layout = self.layout(id);
        let Shape::Array(keys, element, places) = layout.shape else { return NONE };
        if array == NONE || key == NONE {
            return NONE;
        }
        let Some(places) = places else {
            return match self.pool.get(array) {
                Some(Item::From(low, values)) => {
                    let at = key.checked_sub(*low).and_then(|at| usize::try_from(at).ok());
                    at.and_then(|at| values.get(at)).copied().unwrap_or(NONE)
                }
                Some(Item::Sparse(rest, places)) => {
                    match places.binary_search_by_key(&key, |p| p.0) {
                        Ok(at) => places[at].1,
                        Err(_) => *rest,
                    }
                }
                _ => NONE,
            };
        };
        let Some(at) = self.rank(keys, key).filter(|&at| at < places) else { return NONE };
        match layout.bits {
            Some(_) => {
                let bits = self.layout(element).bits.unwrap_or(0);
                self.of_bits(element, (array as u64 >> (at as u32 * bits)) & mask(bits))
            }
            None => match self.pool.get(array) {
                Some(Item::Dense(values)) => values.get(at as usize).copied().unwrap_or(NONE),
                _ => NONE,
            },
        }
    }

    /// An array with another value at a place; nothing outside of its range.
    pub fn updated(&self, id: LayoutId, array: Word, key: Word, value: Word) -> Word {
        let layout = self.layout(id);
        let Shape::Array(keys, element, places) = layout.shape else { return NONE };
        if array == NONE || key == NONE || !self.belongs(element, value) {
            return NONE;
        }
        let Some(places) = places else { return self.updated_sparse(array, key, value) };
        let Some(at) = self.rank(keys, key).filter(|&at| at < places) else { return NONE };
        if layout.bits.is_some() {
            let (bits, new) =
                (self.layout(element).bits.unwrap_or(0), self.to_bits(element, value));
            let (Some(new), shift) = (new, at as u32 * bits) else { return NONE };
            return ((array as u64 & !(mask(bits) << shift)) | (new << shift)) as Word;
        }
        match self.pool.get(array) {
            Some(Item::Dense(values)) => {
                let mut values = values.clone();
                values[at as usize] = value;
                self.pool.add(Item::Dense(values))
            }
            _ => NONE,
        }
    }

    /// An array as one of another sort: with the same places, and the same at each.
    pub fn converted(&self, own: LayoutId, wanted: LayoutId, word: Word) -> Word {
        if own == wanted || word == NONE {
            return word;
        }
        let (Shape::Array(_, from, _), Shape::Array(keys, to, places)) =
            (&self.layout(own).shape, &self.layout(wanted).shape)
        else {
            return if self.belongs(wanted, word) { word } else { NONE };
        };
        let Some(places) = *places else { return self.converted_sparse((*from, *to), word) };
        let element = |place| {
            let key = self.nth(*keys, place, false);
            let value = self.converted(*from, *to, self.element(own, word, key));
            Some(value).filter(|&value| self.belongs(*to, value))
        };
        let values: Option<Vec<Word>> = (0..places).map(element).collect();
        values.map_or(NONE, |values| self.dense(wanted, *to, values))
    }

    fn converted_sparse(&self, (from, to): (LayoutId, LayoutId), word: Word) -> Word {
        let (rest, places) = match self.pool.get(word) {
            Some(Item::Sparse(rest, places)) => (rest, places),
            Some(Item::From(low, values)) => {
                let values = values.iter().map(|&value| self.converted(from, to, value));
                let values: Box<[Word]> = values.collect();
                let fits = values.iter().all(|&value| self.belongs(to, value));
                return if fits { self.pool.add(Item::From(*low, values)) } else { NONE };
            }
            _ => return NONE,
        };
        let rest = self.converted(from, to, *rest);
        let places: Vec<(Word, Word)> =
            places.iter().map(|&(key, value)| (key, self.converted(from, to, value))).collect();
        if rest == NONE || places.iter().any(|&(_, value)| value == NONE) {
            return NONE;
        }
        self.pool.add(Item::Sparse(rest, places.into()))
    }

    fn updated_sparse(&self, array: Word, key: Word, value: Word) -> Word {
        let (rest, places) = match self.pool.get(array) {
            Some(Item::Sparse(rest, places)) => (rest, places),
            Some(Item::From(low, values)) => {
                let at = key.checked_sub(*low).and_then(|at| usize::try_from(at).ok());
                let Some(at) = at.filter(|&at| at < values.len()) else { return NONE };
                let mut values = values.clone();
                values[at] = value;
                return self.pool.add(Item::From(*low, values));
            }
            _ => return NONE,
        };
        let mut places = places.to_vec();
        match places.binary_search_by_key(&key, |place| place.0) {
            Ok(at) if value == *rest => drop(places.remove(at)),
            Ok(at) => places[at].1 = value,
            Err(_) if value == *rest => return array,
            Err(at) => places.insert(at, (key, value)),
        }
        self.pool.add(Item::Sparse(*rest, places.into()))
    }

    /// The place of a value among all of its sort, of which there is an end.
    pub fn rank(&self, id: LayoutId, word: Word) -> Option<u64> {
        let layout = self.layout(id);
        match &layout.shape {
            Shape::Bool => Some(word as u64),
            Shape::Range(_) => self.to_bits(id, word),
            Shape::Data(_, constructors, _) => {
                let made_by = self.tag(id, word)? as usize;
                let mut before = 0_u64;
                for slots in &constructors[..made_by] {
                    before = before.checked_add(self.product(slots, false)?)?;
                }
                let mut at = 0_u64;
                for (number, slot) in constructors[made_by].iter().enumerate() {
                    let inner = self.rank(slot.layout, self.field(id, word, *slot, number))?;
                    at = at.checked_mul(self.layout(slot.layout).count?)?.checked_add(inner)?;
                }
                before.checked_add(at)
            }
            Shape::Array(keys, element, places) => {
                let mut at = 0_u64;
                for place in 0..(*places)? {
                    let value = self.element(id, word, self.nth(*keys, place, false));
                    at = at.checked_mul(self.layout(*element).count?)?;
                    at = at.checked_add(self.rank(*element, value)?)?;
                }
                Some(at)
            }
            Shape::Int | Shape::Loose(..) | Shape::Abstract(_) | Shape::Action => None,
        }
    }

    fn product(&self, slots: &[Slot], tried: bool) -> Option<u64> {
        slots.iter().try_fold(1_u64, |all, slot| all.checked_mul(self.count(slot.layout, tried)?))
    }

    /// How many values there are, or are tried.
    pub fn count(&self, id: LayoutId, tried: bool) -> Option<u64> {
        let layout = self.layout(id);
        if !layout.loose {
            return if tried { layout.count.or(layout.tried) } else { layout.count };
        }
        match &layout.shape {
            Shape::Loose(..) => {
                let (low, high) = self.between(id)?;
                u64::try_from(high.checked_sub(low)?).ok().or(Some(0))
            }
            Shape::Data(_, constructors, _) => constructors
                .iter()
                .try_fold(0_u64, |sum, slots| sum.checked_add(self.product(slots, tried)?)),
            Shape::Array(keys, element, _) => {
                let places = u32::try_from(self.count(*keys, false)?).ok()?;
                self.count(*element, tried)?.checked_pow(places)
            }
            _ => None,
        }
    }

    /// The bounds of a range that are known now.
    fn between(&self, id: LayoutId) -> Option<(Word, Word)> {
        let found = self.loose.iter().find(|(layout, ..)| *layout == id);
        found.map(|&(_, low, high)| (low, high)).filter(|&(low, high)| low != NONE && high != NONE)
    }

    /// The value at a place among all of a sort, or among those that are tried.
    pub fn nth(&self, id: LayoutId, place: u64, tried: bool) -> Word {
        match &self.layout(id).shape {
            Shape::Bool | Shape::Abstract(_) => place as Word,
            Shape::Range(low) => low + place as Word,
            Shape::Int if tried => {
                let low = self.layouts.first_integer().map_or(0, |(low, _)| low);
                self.pool.small(low.saturating_add(place as i64))
            }
            Shape::Data(_, constructors, _) => {
                let mut place = place;
                for (tag, slots) in constructors.iter().enumerate() {
                    let Some(count) = self.product(slots, tried) else { return NONE };
                    if place < count {
                        return self.nth_made(id, tag as u32, slots, place, tried);
                    }
                    place -= count;
                }
                NONE
            }
            Shape::Array(keys, element, places) => {
                let Some(places) = places.or_else(|| self.count(*keys, false)) else { return NONE };
                let Some(count) = self.count(*element, tried) else { return NONE };
                let mut rest = place;
                let mut values = vec![NONE; places as usize];
                for value in values.iter_mut().rev() {
                    *value = self.nth(*element, rest % count, tried);
                    rest /= count;
                }
                match self.between(*keys) {
                    Some((low, _)) => self.pool.add(Item::From(low, values.into())),
                    None => self.dense(id, *element, values),
                }
            }
            Shape::Loose(..) => self.between(id).map_or(NONE, |(low, _)| low + place as Word),
            Shape::Int | Shape::Action => NONE,
        }
    }

    fn dense(&self, id: LayoutId, element: LayoutId, values: Vec<Word>) -> Word {
        match self.layout(id).bits {
            Some(_) => self.packed_array(element, values.into_iter()),
            None => self.pool.add(Item::Dense(values.into())),
        }
    }

    fn nth_made(&self, id: LayoutId, tag: u32, slots: &[Slot], place: u64, tried: bool) -> Word {
        let mut rest = place;
        let mut fields = vec![NONE; slots.len()];
        for (slot, field) in slots.iter().zip(&mut fields).rev() {
            let Some(count) = self.count(slot.layout, tried) else { return NONE };
            *field = self.nth(slot.layout, rest % count, tried);
            rest /= count;
        }
        self.construct(id, tag, &fields)
    }

    /// A value as data.
    pub fn decode(&self, id: LayoutId, word: Word) -> Value {
        let layout = self.layout(id);
        match &layout.shape {
            Shape::Bool => Value::Bool(word != 0),
            Shape::Range(_) | Shape::Int | Shape::Loose(..) => self.integer(word),
            Shape::Abstract(sort) => Value::Abstract(*sort, word as u32),
            Shape::Data(data, constructors, _) => self.decode_data(id, *data, constructors, word),
            Shape::Array(keys, element, places) => {
                self.decode_array(id, (*keys, *element, *places), word)
            }
            // No action is a value of a variable.
            Shape::Action => Value::Tau,
        }
    }

    fn integer(&self, word: Word) -> Value {
        Value::Int(self.pool.to_int(word).unwrap_or_else(|| BigInt::from(word)))
    }

    fn decode_data(
        &self,
        id: LayoutId,
        data: DataId,
        constructors: &[Vec<Slot>],
        word: Word,
    ) -> Value {
        // Data that contain themselves can be deep: the last field is followed in a loop, as in a list.
        let mut open: Vec<(u32, Vec<Value>)> = Vec::new();
        let mut at = word;
        let mut last = loop {
            let Some(tag) = self.tag(id, at) else { break None };
            let Some(slots) = constructors.get(tag as usize) else { break None };
            let follows = slots.last().is_some_and(|slot| slot.layout == id);
            let inner = if follows { &slots[..slots.len() - 1] } else { &slots[..] };
            let fields = inner.iter().enumerate();
            let fields: Vec<Value> = fields
                .map(|(number, slot)| self.decode(slot.layout, self.field(id, at, *slot, number)))
                .collect();
            if !follows {
                break Some(Value::Data(data, tag, fields));
            }
            open.push((tag, fields));
            at = self.field(id, at, slots[slots.len() - 1], slots.len() - 1);
        };
        while let Some((tag, mut fields)) = open.pop() {
            fields.extend(last);
            last = Some(Value::Data(data, tag, fields));
        }
        last.unwrap_or(Value::Data(data, 0, Vec::new()))
    }

    fn decode_array(
        &self,
        id: LayoutId,
        (keys, element, places): (LayoutId, LayoutId, Option<u64>),
        word: Word,
    ) -> Value {
        let mut found = BTreeMap::new();
        let mut rest = None;
        match (places, self.pool.get(word)) {
            (Some(places), _) => {
                for place in 0..places {
                    let key = self.nth(keys, place, false);
                    let value = self.decode(element, self.element(id, word, key));
                    found.insert(self.decode(keys, key), value);
                }
            }
            (None, Some(Item::From(low, values))) => {
                for (at, &value) in values.iter().enumerate() {
                    let key = Value::Int(BigInt::from(*low) + at);
                    found.insert(key, self.decode(element, value));
                }
            }
            (None, Some(Item::Sparse(elsewhere, listed))) => {
                rest = Some(self.decode(element, *elsewhere));
                for &(key, value) in listed {
                    found.insert(self.decode(keys, key), self.decode(element, value));
                }
            }
            (None, _) => {}
        }
        Value::Array(Box::new(Array { places: found, rest }))
    }
}
