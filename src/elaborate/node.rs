//! Nets with parts: holes first, then sub-nets, families unfolded, and the vectors that move them.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use super::build::{Builder, MOST_RESERVED};
use super::env::{Env, Site, Slots};
use super::problems::{ElaborationProblem, TooNested, UnclearChoice};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::pnet::{Composite, Content, Part, PartName};
use crate::sema::program::{
    Component, FamilyDef, HoleDef, Instance, NetBlock, NetBody, NetDef, NetId, SubDef,
};

/// Deeper hierarchies are refused: nobody means them, and each level costs stack.
const MOST_LEVELS: usize = 250;

/// Where the parts of a sub-net or hole are among the parts of the node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places {
    /// In a sub-net.
    Elsewhere,
    One(usize),
    Family {
        first: usize,
        low: i64,
        count: usize,
    },
}

impl<'p> Builder<'p> {
    /// The body of a net. Where it is another name for an instance, `apart` is meant for that one.
    pub fn net(&mut self, id: NetId, env: &Rc<Env<'p>>, apart: bool) -> Option<Content> {
        let program = self.program;
        let net = &program.nets[id.index()];
        if env.level > MOST_LEVELS {
            self.too_nested(net);
            return None;
        }
        match &net.body {
            NetBody::Error => None,
            NetBody::Alias(instance) => {
                let site = Site { apart, ..env.site(&env.path, &env.inner) };
                self.content(instance, env, site)
            }
            NetBody::Block(block) => self.block(net, block, env),
        }
    }

    fn too_nested(&mut self, net: &NetDef) {
        if !self.problems.iter().any(|p| matches!(p, ElaborationProblem::TooNested(_))) {
            self.report(TooNested { span: net.named.span, limit: MOST_LEVELS, is_net: true });
        }
    }

    fn block(
        &mut self,
        net: &'p NetDef,
        block: &'p NetBlock,
        env: &Rc<Env<'p>>,
    ) -> Option<Content> {
        let origin = self.origins.add(net.named.span, env.instance);
        let mut parts: Vec<Part> = Vec::new();
        let places = self.places(net, block, env, &mut parts)?;
        let (name, vectors) = (net.named.name, IndexVec::default());
        let mut node = Composite { name, parts: parts.into(), vectors, origin };
        let outside = self.reading.take();
        self.reading = self.variables_of_parts(block, &node);
        self.vectors(block, env, &places, &mut node);
        self.unclear_readings();
        self.reading = outside;
        if !self.problems.is_empty() || is_spent() {
            return None;
        }
        Some(Content::Node(self.draft.nodes.push(node)))
    }

    /// Makes the parts of a node, and says where those of each hole and sub-net are.
    fn places(
        &mut self,
        net: &'p NetDef,
        block: &'p NetBlock,
        env: &Rc<Env<'p>>,
        parts: &mut Vec<Part>,
    ) -> Option<Vec<Places>> {
        let mut places: Vec<Places> = Vec::new();
        let passed = passed_on(block);
        for (number, hole) in net.holes.iter().enumerate() {
            // A hole that a sub-net gets stands there, and not here.
            places.push(if passed.contains(&number) {
                Places::Elsewhere
            } else {
                self.hole_parts(hole, &env.holes[number], env, parts)?
            });
        }
        for sub in &block.subs {
            places.push(self.sub_parts(sub, env, parts)?);
        }
        Some(places)
    }

    fn hole_parts(
        &mut self,
        hole: &'p HoleDef,
        slots: &Slots<'p>,
        env: &Env<'p>,
        parts: &mut Vec<Part>,
    ) -> Option<Places> {
        let first = parts.len();
        let name = hole.name.name;
        let inner = env.inner_of(name);
        let members = match slots {
            Slots::One(slot) => {
                let path = env.path_to(name, None);
                let content = self.slot(slot, env.instance, env.site(&path, &inner))?;
                parts.push(Part { name: PartName { name, index: None }, content });
                return Some(Places::One(first));
            }
            Slots::Family(members) => members,
        };
        for (index, slot) in members {
            let path = env.path_to(name, index.to_i64());
            let content = self.slot(slot, env.instance, env.site(&path, &inner))?;
            parts.push(Part { name: PartName { name, index: Some(index.clone()) }, content });
        }
        let low = members.first().and_then(|(index, _)| index.to_i64()).unwrap_or(0);
        Some(Places::Family { first, low, count: members.len() })
    }

    fn sub_parts(
        &mut self,
        sub: &'p SubDef,
        env: &Rc<Env<'p>>,
        parts: &mut Vec<Part>,
    ) -> Option<Places> {
        let first = parts.len();
        let name = sub.name.name;
        let inner = env.inner_of(name);
        let Some(FamilyDef { index, range }) = &sub.family else {
            let path = env.path_to(name, None);
            let instance = self.choice(sub, env)?;
            let content = self.content(instance, env, env.site(&path, &inner))?;
            parts.push(Part { name: PartName { name, index: None }, content });
            return Some(Places::One(first));
        };
        let indices = self.indices(*range, (&env.scope, env.instance))?;
        let (low, count) = (indices.start, (indices.end - indices.start) as usize);
        parts.reserve(count.min(MOST_RESERVED));
        for i in indices {
            let term = self.terms.int(i);
            let member = Rc::new(env.with_scope(env.scope.with(*index, term)));
            let path = env.path_to(name, Some(i));
            let instance = self.choice(sub, &member)?;
            let content = self.content(instance, &member, env.site(&path, &inner))?;
            parts.push(Part { name: PartName { name, index: Some(BigInt::from(i)) }, content });
        }
        Some(Places::Family { first, low, count })
    }

    /// What a part is: the first of which the condition holds.
    fn choice(&mut self, sub: &'p SubDef, env: &Env<'p>) -> Option<&'p Instance> {
        for (condition, instance) in &sub.choices {
            let (term, owed) = self.lowering().owing(|l| l.term(condition, &env.scope));
            let all = self.terms.and([term].into_iter().chain(owed.iter().map(|owed| owed.term)));
            match self.terms.as_bool(all) {
                Some(true) => return Some(instance),
                Some(false) => {}
                None => {
                    let (span, chain) = (condition.span, self.chain(env.instance));
                    self.report(UnclearChoice { span, part: sub.name.name.to_string(), chain });
                    return None;
                }
            }
        }
        Some(&sub.instance)
    }
}

/// The holes of a net that its sub-nets get.
fn passed_on(block: &NetBlock) -> FxHashSet<usize> {
    let mut passed = FxHashSet::default();
    let mut work: Vec<&Instance> = block.subs.iter().flat_map(SubDef::instances).collect();
    while let Some(instance) = work.pop() {
        if let Component::Hole(number, _) = instance.component {
            passed.insert(number);
        }
        work.extend(instance.fills.iter().map(|fill| &fill.instance));
    }
    passed
}
