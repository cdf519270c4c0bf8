//! From a net in parts to its open automaton: the automata of the parts are generated, and composed.
//!
//! Input: the parts of a net, and the whole. Output: the automaton that the whole has, without generating it; or why
//! it cannot be composed.

use rustc_hash::FxHashMap;

use super::compose::{Filling, Misfit, compose};
use super::{Generated, Options, Refine, Watch, generate};
use crate::automaton::{Movers, OpenAutomaton};
use crate::pnet::{Content, HoleId, NodeId, PNet, Parts, PltsId, path_inside};

/// An automaton composed of those of the parts of a net.
#[derive(Debug)]
pub struct Composed {
    /// The automaton of the net with its holes open.
    pub context: Generated,
    /// Its holes that are filled in the whole.
    pub filled: Vec<HoleId>,
    /// The automaton of the whole. What its transitions were made of has the numbers of the whole net.
    pub whole: Generated,
}

/// Generates the automata of the parts of a net, and composes them.
pub fn generate_parts(
    parts: &Parts,
    whole: &PNet,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Composed, Misfit> {
    // One round is one round of the whole.
    let refine = if options.refine == Refine::Full { Refine::Full } else { Refine::None };
    let partly = Options { refine, keep_questions: false, ..options.clone() };
    let mut contents = FxHashMap::default();
    whole.walk(|path, content| {
        contents.insert(path.to_owned(), content);
    });
    let composing = Composing { contents, partly: &partly, watch };
    let whole_options = Options { keep_questions: false, ..options.clone() };
    let mut composed = composing.part(parts, "", &whole_options)?;
    composed.whole.automaton.movers = Movers::of(whole).into();
    Ok(composed)
}

struct Composing<'a> {
    /// Everything in the whole net, by its path.
    contents: FxHashMap<String, Content>,
    /// How automata are generated that are not the whole.
    partly: &'a Options,
    watch: &'a dyn Watch,
}

impl Composing<'_> {
    /// The automaton of a part with what fills it. Nets are at most some hundred levels deep.
    fn part(&self, parts: &Parts, path: &str, options: &Options) -> Result<Composed, Misfit> {
        let last = parts.fillings.len();
        let own = if last == 0 { options } else { self.partly };
        let context = generate(&parts.net, own, self.watch);
        let mut whole = Generated {
            automaton: self.in_whole(&context.automaton, &parts.net, path),
            counts: context.counts,
            unknown: context.unknown.clone(),
            stopped: context.stopped,
            asked: Vec::new(),
            composed: last > 0,
        };
        // From the last hole to the first, so that the places and numbers of the others stay.
        for (at, (hole, inner)) in parts.fillings.iter().enumerate().rev() {
            let place = parts.net.place(*hole).ok_or(Misfit::NoHole)?;
            let inner = self.part(inner, &path_inside(path, &place.path), self.partly)?.whole;
            let filling = Filling { hole: *hole, place, with: &inner.automaton };
            let options = if at == 0 { options } else { self.partly };
            let next = compose(&whole.automaton, &filling, options, self.watch)?;
            whole = Generated {
                stopped: whole.stopped || inner.stopped || next.stopped,
                counts: super::Counts {
                    queries: whole.counts.queries + inner.counts.queries + next.counts.queries,
                    cache_hits: whole.counts.cache_hits
                        + inner.counts.cache_hits
                        + next.counts.cache_hits,
                    ..next.counts
                },
                ..next
            };
        }
        let filled = parts.fillings.iter().map(|(hole, _)| *hole).collect();
        Ok(Composed { context, filled, whole })
    }

    /// The automaton of a part, with the numbers that nodes and leaves have in the whole.
    fn in_whole(&self, automaton: &OpenAutomaton, net: &PNet, path: &str) -> OpenAutomaton {
        let mut nodes: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let mut leaves: FxHashMap<PltsId, PltsId> = FxHashMap::default();
        net.walk(|inside, content| {
            match (content, self.contents.get(&path_inside(path, inside))) {
                (Content::Node(old), Some(&Content::Node(new))) => {
                    nodes.insert(old, new);
                }
                (Content::Leaf(old), Some(&Content::Leaf(new))) => {
                    leaves.insert(old, new);
                }
                _ => {}
            }
        });
        let mut automaton = automaton.clone();
        for transition in &mut automaton.transitions {
            let used = &mut transition.used;
            for (node, _) in &mut used.vectors {
                *node = nodes.get(node).copied().unwrap_or(*node);
            }
            for (leaf, _) in &mut used.transitions {
                *leaf = leaves.get(leaf).copied().unwrap_or(*leaf);
            }
            used.sort();
        }
        automaton
    }
}
