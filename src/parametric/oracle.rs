//! What MONA says of a formula: whoever can start programs asks it, and here is what its answer means.

use std::collections::BTreeMap;

use super::inclusion::CounterModel;
use super::mona::{part_address, state_set};
use super::pattern::{ComponentStateId, SystemPattern};
use super::profile::{Profiles, VariantRuleId};
use super::unfold::{Unfolding, UnfoldingNode, UnfoldingNodeId};
use crate::base::{Budget, IndexVec};

/// What came of asking MONA.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MonaSaid {
    /// What it wrote.
    Text(String),
    /// It did not run to its end, and why.
    Failed(String),
}

/// Who runs MONA: a formula, and a budget that ends it.
#[derive(Clone, Copy, Debug)]
pub struct MonaProgram(pub fn(&str, &Budget) -> MonaSaid);

impl PartialEq for MonaProgram {
    fn eq(&self, other: &MonaProgram) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for MonaProgram {}

impl std::hash::Hash for MonaProgram {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0 as usize).hash(state);
    }
}

/// What MONA found out about a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MonaAnswer {
    /// It has no model.
    NoModel,
    /// It has a model; and the situation that this is, if it can be read.
    Model(Option<CounterModel>),
    /// Nothing.
    Failed(String),
}

/// Reads what MONA wrote about the formula of a pattern.
pub fn mona_answer(pattern: &SystemPattern, profiles: &Profiles, said: &MonaSaid) -> MonaAnswer {
    match (plain_answer(said), said) {
        (MonaAnswer::Model(_), MonaSaid::Text(text)) => {
            let example = Example::read(text);
            MonaAnswer::Model(example.and_then(|one| one.model(pattern, profiles)))
        }
        (answer, _) => answer,
    }
}

/// Whether a formula has a model, by what MONA wrote about it.
pub fn plain_answer(said: &MonaSaid) -> MonaAnswer {
    let text = match said {
        MonaSaid::Failed(why) => return MonaAnswer::Failed(why.clone()),
        MonaSaid::Text(text) => text,
    };
    let begins = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
    if begins("Formula is unsatisfiable") {
        return MonaAnswer::NoModel;
    }
    if begins("A satisfying example") || begins("Formula is valid") {
        return MonaAnswer::Model(None);
    }
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    MonaAnswer::Failed(first.unwrap_or("it says nothing").to_owned())
}

/// An example: for each variable, the nodes that are in it. A node is the way to it: `.0.1`, or ` + 1 + 1`.
#[derive(Default, Debug)]
struct Example {
    sets: BTreeMap<String, Vec<String>>,
}

/// Trees that are deeper than this are not read.
const DEEPEST: usize = 10_000;

impl Example {
    fn read(text: &str) -> Option<Example> {
        let (head, found) = text.split_once("A satisfying example")?;
        match found.lines().next()?.contains("least length") {
            true => Example::of_word(found),
            false => Example::of_tree(head, found),
        }
    }

    /// `U0 = {0,2}`
    fn of_word(text: &str) -> Option<Example> {
        let mut example = Example::default();
        for line in text.lines() {
            let Some((name, set)) = line.split_once(" = ") else { continue };
            let inner = set.trim().strip_prefix('{')?.strip_suffix('}')?;
            let numbers = inner.split(',').filter(|number| !number.is_empty());
            let node = |number: &str| Some(" + 1".repeat(number.trim().parse().ok()?));
            let nodes: Option<Vec<String>> = numbers.map(node).collect();
            example.sets.insert(name.trim().to_owned(), nodes?);
        }
        Some(example)
    }

    /// `Free variables are: U0, U1`, and later `(10,(01,(),()),())`
    fn of_tree(head: &str, text: &str) -> Option<Example> {
        let names = head.lines().find_map(|line| line.strip_prefix("Free variables are:"))?;
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let tree = text.lines().find(|line| line.starts_with('('))?;
        let mut example = Example::default();
        // The way to each node that is open, and how many of its parts have begun.
        let mut open: Vec<(String, usize)> = Vec::new();
        let mut bits = String::new();
        for sign in tree.chars() {
            match sign {
                '(' => {
                    let way = match open.last_mut() {
                        None => String::new(),
                        Some((way, begun)) => {
                            *begun += 1;
                            format!("{way}.{}", *begun - 1)
                        }
                    };
                    if open.len() > DEEPEST {
                        return None;
                    }
                    open.push((way, 0));
                }
                ',' | ')' => {
                    let way = &open.last()?.0;
                    for (name, _) in names.iter().zip(bits.chars()).filter(|(_, bit)| *bit == '1') {
                        example.sets.entry((*name).to_owned()).or_default().push(way.clone());
                    }
                    bits.clear();
                    if sign == ')' {
                        open.pop();
                    }
                }
                sign => bits.push(sign),
            }
        }
        Some(example)
    }

    fn has(&self, set: &str, way: &str) -> bool {
        self.sets.get(set).is_some_and(|nodes| nodes.iter().any(|node| node == way))
    }

    /// The situation that an example is.
    fn model(&self, pattern: &SystemPattern, profiles: &Profiles) -> Option<CounterModel> {
        let widest = profiles.rules.iter().map(|rule| rule.parts.len()).max().unwrap_or(0);
        let mut nodes: IndexVec<UnfoldingNodeId, UnfoldingNode> = IndexVec::default();
        let mut situation = Vec::new();
        let mut open = vec![(String::new(), None)];
        while let Some((way, whole)) = open.pop() {
            let mut rules = profiles.rules.ids();
            let rule: VariantRuleId = rules.find(|id| self.has(&format!("U{}", id.0), &way))?;
            let text = &profiles.rules[rule];
            for (place, (_, of)) in text.components.iter().enumerate() {
                let states = &mut pattern.types[*of].states.ids();
                let state: ComponentStateId =
                    states.find(|state| self.has(&state_set(place, state.0), &way))?;
                situation.push(state);
            }
            if nodes.len() > DEEPEST {
                return None;
            }
            let node = nodes.push(UnfoldingNode { rule, whole, parts: Vec::new() });
            if let Some(whole) = whole {
                nodes[whole].parts.push(node);
            }
            let below = (0..text.parts.len()).rev();
            open.extend(below.map(|at| (format!("{way}{}", part_address(widest, at)), Some(node))));
        }
        Some(CounterModel { unfolding: Unfolding { nodes }, situation })
    }
}
