//! Whether something can always happen again: from every configuration, steps lead to one that can do it.
//!
//! All configurations are known. The steps between them are made once more and kept, backwards; from those that can do
//! it, all are marked from which they are reached. What is not marked can never do it again.

use std::ops::ControlFlow;

use super::store::Ref;
use super::{Numbering, Searched, each_line};
use crate::explore::{Gap, Machine};

/// The first configuration, in the order of the search, from which no step that is wanted can be reached; nothing where there
/// is none. A step is told by where it starts and by its label. The search must be complete.
pub fn never_again<M: Machine>(
    searched: &Searched<'_, M>,
    mut is_wanted: impl FnMut(&[u64], &[u64]) -> bool,
) -> Result<Option<Ref>, Gap> {
    let numbering = Numbering::of(searched);
    let mut marked = vec![false; searched.counts.states as usize];
    let (mut froms, mut tos): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    each_line(searched, &numbering, |line| {
        match is_wanted(line.at, line.label) {
            true => marked[line.from as usize] = true,
            false => {
                froms.push(line.from as u32);
                tos.push(line.to as u32);
            }
        }
        ControlFlow::Continue(())
    })?;
    mark_backwards(&mut marked, &Backwards::new(searched.counts.states as usize, &froms, &tos));
    let first = marked.iter().position(|&marked| !marked);
    Ok(first.and_then(|number| numbering.each().nth(number)))
}

/// Steps by where they lead, in compressed rows.
struct Backwards {
    starts: Vec<u32>,
    froms: Vec<u32>,
}

impl Backwards {
    fn new(states: usize, froms: &[u32], tos: &[u32]) -> Backwards {
        let mut starts = vec![0u32; states + 1];
        tos.iter().for_each(|&to| starts[to as usize + 1] += 1);
        (0..states).for_each(|at| starts[at + 1] += starts[at]);
        let mut next = starts.clone();
        let mut sorted = vec![0; froms.len()];
        for (&from, &to) in froms.iter().zip(tos) {
            sorted[next[to as usize] as usize] = from;
            next[to as usize] += 1;
        }
        Backwards { starts, froms: sorted }
    }

    fn into(&self, to: u32) -> &[u32] {
        let (start, end) = (self.starts[to as usize], self.starts[to as usize + 1]);
        &self.froms[start as usize..end as usize]
    }
}

fn mark_backwards(marked: &mut [bool], steps: &Backwards) {
    let is_marked = |&at: &u32| marked[at as usize];
    let mut work: Vec<u32> = (0..marked.len() as u32).filter(is_marked).collect();
    while let Some(at) = work.pop() {
        for &from in steps.into(at) {
            if !std::mem::replace(&mut marked[from as usize], true) {
                work.push(from);
            }
        }
    }
}
