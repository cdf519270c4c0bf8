//! The cone of influence: which variables decide what a net can do, or what somebody looks at.
//!
//! A variable counts if a guard, an obligation or a priority reads it, if two members of a vector must agree on it, if it is
//! watched, or if one that counts is made of it. The others may stay as they begin: the net without assignments to them is
//! strongly bisimilar to the net with them, by configurations that agree on the variables that count, where of what is shown only
//! what is watched is compared. What nobody decides and nobody looks at, such as the payload that a hole brings, is one
//! value then.

use indexmap::IndexSet;
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::{
    Composite, Content, Member, NodeId, Optional, PNet, Plts, PltsId, Rival, Transition, Vector,
};
use crate::algebra::{ActionId, Algebra, Sort, Term, TermId, Terms, VarId};

/// What somebody looks at.
#[derive(Clone, Default, Debug)]
pub struct Watched {
    /// Variables of components.
    pub variables: FxHashSet<VarId>,
    /// Arguments of what something does, by their places: of what the net shows, that is the root.
    pub arguments: FxHashSet<(Content, ActionId, u32)>,
    /// Of whose actions each argument is looked at.
    pub wholly: FxHashSet<Content>,
}

/// A net in which variables that do not count stay as they are.
#[derive(Clone, Debug)]
pub struct Stilled {
    /// The net.
    pub net: PNet,
    /// The variables of components that stay as they begin and did not before, in order.
    pub still: Vec<VarId>,
}

impl PNet {
    /// The net with the variables that do not count at rest; nothing where this changes nothing, or where vectors pass actions
    /// on without saying which.
    pub fn stilled(&self, watched: &Watched) -> Option<Stilled> {
        let mut cone =
            Cone { net: self, items: IndexSet::default(), needs: Vec::new(), roots: Vec::new() };
        cone.whole(watched).ok()?;
        let decided = cone.decided();
        let counts = cone.counts();
        let mut net = self.clone();
        let still = net.stop(&counts);
        let deaf = net.deafen(&counts);
        let silenced = net.silence(&|var| !counts.contains(&var) && !decided.contains(&var));
        (!still.is_empty() || deaf || silenced).then_some(Stilled { net, still })
    }

    /// Takes away assignments to variables that do not count, and has them begin with one value; those that had others.
    fn stop(&mut self, counts: &FxHashSet<VarId>) -> Vec<VarId> {
        let mut stopped = FxHashSet::default();
        for transition in self.plts.iter_mut().flat_map(|plts| plts.transitions.iter_mut()) {
            let idle = transition.updates.iter().map(|(var, _)| *var);
            stopped.extend(idle.filter(|var| !counts.contains(var)));
            transition.updates.retain(|(var, _)| counts.contains(var));
        }
        let mut still = Vec::new();
        for plts in self.plts.iter_mut() {
            for (var, initial) in &mut plts.variables {
                let begins = match initial {
                    None if !counts.contains(var) => some_value(&mut self.terms, *var),
                    _ => None,
                };
                if stopped.contains(var) || begins.is_some() {
                    still.push(*var);
                }
                *initial = initial.or(begins);
            }
        }
        still
    }

    /// Where a component is the whole net, it hears one value where any will do; whether there are such.
    fn deafen(&mut self, counts: &FxHashSet<VarId>) -> bool {
        let Content::Leaf(root) = self.root else { return false };
        let PNet { plts, terms, .. } = self;
        let mut changed = false;
        for transition in plts[root].transitions.iter_mut() {
            let idle = transition.inputs.iter().filter(|var| !counts.contains(*var));
            let values: FxHashMap<VarId, TermId> =
                idle.filter_map(|var| Some((*var, some_value(terms, *var)?))).collect();
            changed |= !values.is_empty();
            transition.inputs.retain(|var| !values.contains_key(var));
            transition.action = terms.substitute(transition.action, &values);
        }
        changed
    }

    /// Puts one value for the variables of vectors that may have any; whether there are such.
    fn silence(&mut self, is_idle: &dyn Fn(VarId) -> bool) -> bool {
        let PNet { nodes, terms, algebra, .. } = self;
        let mut changed = false;
        for vector in nodes.iter_mut().flat_map(|node| node.vectors.iter_mut()) {
            let idle: Vec<VarId> =
                vector.variables.iter().copied().filter(|var| is_idle(*var)).collect();
            if idle.is_empty() {
                continue;
            }
            let sorts = sorts_of(vector, algebra, terms);
            let value = |var: &VarId| {
                let also = sorts.get(var).map_or(&[][..], Vec::as_slice);
                Some((*var, one_value(terms, *var, also)?))
            };
            let values: FxHashMap<VarId, TermId> = idle.iter().filter_map(value).collect();
            changed |= !values.is_empty();
            vector.variables.retain(|var| !values.contains_key(var));
            vector.result = terms.substitute(vector.result, &values);
            for member in vector.members.iter_mut() {
                member.action = terms.substitute(member.action, &values);
            }
            silence_optional(&mut vector.optional, terms, &values);
        }
        changed
    }
}

fn silence_optional(all: &mut [Optional], terms: &mut Terms, values: &FxHashMap<VarId, TermId>) {
    let mut work: Vec<&mut Optional> = all.iter_mut().collect();
    while let Some(one) = work.pop() {
        for member in one.members.iter_mut() {
            member.action = terms.substitute(member.action, values);
        }
        work.extend(one.inside.iter_mut());
    }
}

/// The sorts of the arguments that a variable of a vector stands for, in what its members do: a value must be of all of them.
fn sorts_of(vector: &Vector, algebra: &Algebra, terms: &Terms) -> FxHashMap<VarId, Vec<Sort>> {
    let mut found: FxHashMap<VarId, Vec<Sort>> = FxHashMap::default();
    for (member, _) in vector.all_members() {
        for inner in terms.inside([member.action]) {
            let Term::Act(action, args) = terms.get(inner) else { continue };
            for (arg, sort) in args.iter().zip(&algebra.action(*action).sorts) {
                if let Term::Var(var) = terms.get(*arg) {
                    found.entry(*var).or_default().push(sort.clone());
                }
            }
        }
    }
    found
}

/// A value of the sort of a variable, where there is one for sure that needs no choice.
fn some_value(terms: &mut Terms, var: VarId) -> Option<TermId> {
    one_value(terms, var, &[])
}

/// The same of a variable that stands for something of other sorts as well.
fn one_value(terms: &mut Terms, var: VarId, also: &[Sort]) -> Option<TermId> {
    let sort = terms.var(var).sort.clone();
    if sort == Sort::Bool {
        return Some(terms.bool(false));
    }
    let mut least: Option<BigInt> = None;
    for one in also.iter().chain([&sort]) {
        match one {
            Sort::Int => {}
            Sort::Range(low, _) => least = least.max(Some(terms.as_int(*low)?.clone())),
            _ => return None,
        }
    }
    let value = least.unwrap_or_default();
    for one in also.iter().chain([&sort]) {
        if let Sort::Range(_, high) = one
            && terms.as_int(*high)? <= &value
        {
            return None;
        }
    }
    Some(terms.int(value))
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Item {
    Variable(VarId),
    /// An argument of an action of what stands somewhere.
    Argument(Content, ActionId, u32),
}

/// Whole actions are passed on, and nobody says which.
struct Whole;

/// What is made of what.
struct Cone<'n> {
    net: &'n PNet,
    items: IndexSet<Item, FxBuildHasher>,
    /// Where the first counts, the others do.
    needs: Vec<Vec<usize>>,
    /// What counts in any case.
    roots: Vec<usize>,
}

impl Cone<'_> {
    fn item(&mut self, item: Item) -> usize {
        let (place, is_new) = self.items.insert_full(item);
        if is_new {
            self.needs.push(Vec::new());
        }
        place
    }

    fn need(&mut self, from: Item, to: Item) {
        let (from, to) = (self.item(from), self.item(to));
        self.needs[from].push(to);
    }

    fn root(&mut self, item: Item) {
        let item = self.item(item);
        self.roots.push(item);
    }

    fn root_term(&mut self, term: TermId) {
        for var in self.net.terms.free_vars(term) {
            self.root(Item::Variable(var));
        }
    }

    fn need_term(&mut self, from: Item, term: TermId) {
        for var in self.net.terms.free_vars(term) {
            self.need(from, Item::Variable(var));
        }
    }

    /// What an action is of, and its arguments; nothing if it is silent.
    fn action(&self, mut id: TermId) -> Result<Option<(ActionId, Vec<TermId>)>, Whole> {
        loop {
            match self.net.terms.get(id) {
                Term::Sync(inner) | Term::Co(inner) => id = *inner,
                Term::Tau => return Ok(None),
                Term::Act(action, args) => return Ok(Some((*action, args.to_vec()))),
                _ => return Err(Whole),
            }
        }
    }

    fn as_variable(&self, term: TermId, among: &[VarId]) -> Option<VarId> {
        match self.net.terms.get(term) {
            Term::Var(var) if among.contains(var) => Some(*var),
            _ => None,
        }
    }

    fn whole(&mut self, watched: &Watched) -> Result<(), Whole> {
        let net = self.net;
        for (id, plts) in net.plts.enumerated() {
            self.plts(id, plts)?;
        }
        for (id, node) in net.nodes.enumerated() {
            self.node(id, node)?;
        }
        for (place, agreed) in self.agreed() {
            if agreed {
                self.root(place);
            }
        }
        watched.variables.iter().for_each(|var| self.root(Item::Variable(*var)));
        let of_whom = |item: &Item| match item {
            Item::Argument(content, action, at) => {
                watched.wholly.contains(content)
                    || watched.arguments.contains(&(*content, *action, *at))
            }
            Item::Variable(_) => false,
        };
        let looked: Vec<Item> = self.items.iter().copied().filter(of_whom).collect();
        looked.into_iter().for_each(|item| self.root(item));
        Ok(())
    }

    // ---- components ----

    fn plts(&mut self, id: PltsId, plts: &Plts) -> Result<(), Whole> {
        for (var, initial) in &plts.variables {
            if let Some(initial) = initial {
                self.need_term(Item::Variable(*var), *initial);
            }
        }
        for transition in &plts.transitions {
            self.transition(Content::Leaf(id), transition)?;
        }
        Ok(())
    }

    fn transition(&mut self, leaf: Content, transition: &Transition) -> Result<(), Whole> {
        self.root_term(transition.guard);
        transition.owes.iter().for_each(|owed| self.root_term(owed.term));
        for (var, value) in &transition.updates {
            self.need_term(Item::Variable(*var), *value);
        }
        let Some((action, args)) = self.action(transition.action)? else { return Ok(()) };
        for (at, arg) in args.into_iter().enumerate() {
            let argument = Item::Argument(leaf, action, at as u32);
            self.need_term(argument, arg);
            if let Some(input) = self.as_variable(arg, &transition.inputs) {
                self.need(Item::Variable(input), argument);
            }
        }
        Ok(())
    }

    // ---- vectors ----

    fn node(&mut self, id: NodeId, node: &Composite) -> Result<(), Whole> {
        for vector in &node.vectors {
            self.root_term(vector.guard);
            vector.owes.iter().for_each(|owed| self.root_term(owed.term));
            for optional in vector.all_optional() {
                optional.owes.iter().for_each(|owed| self.root_term(owed.term));
            }
            for (member, _) in vector.all_members() {
                self.member(node, member)?;
            }
            for rival in &vector.rivals {
                self.rival(node, (vector, rival))?;
            }
            let Some((action, args)) = self.action(vector.result)? else { continue };
            for (at, arg) in args.into_iter().enumerate() {
                let argument = Item::Argument(Content::Node(id), action, at as u32);
                self.need_term(argument, arg);
                // Where it is told from outside, it is what the members are told.
                if let Term::Var(var) = self.net.terms.get(arg) {
                    self.need(Item::Variable(*var), argument);
                }
            }
        }
        Ok(())
    }

    /// A variable is what the member says or hears; anything else has to be what the member does.
    fn member(&mut self, node: &Composite, member: &Member) -> Result<(), Whole> {
        let content = node.parts[member.part].content;
        let Some((action, args)) = self.action(member.action)? else { return Ok(()) };
        for (at, arg) in args.into_iter().enumerate() {
            let argument = Item::Argument(content, action, at as u32);
            match self.net.terms.get(arg) {
                Term::Var(var) => {
                    self.need(Item::Variable(*var), argument);
                    self.need(argument, Item::Variable(*var));
                }
                _ => {
                    self.root(argument);
                    self.root_term(arg);
                }
            }
        }
        Ok(())
    }

    /// What goes first is possible or not, whatever the values are that only one of its members has.
    fn rival(&mut self, node: &Composite, (vector, rival): (&Vector, &Rival)) -> Result<(), Whole> {
        self.root_term(rival.guard);
        let read: FxHashSet<VarId> = self.net.terms.free_vars(rival.guard).into_iter().collect();
        let mut arguments = Vec::new();
        for member in &rival.members {
            let content = node.parts[member.part].content;
            let Some((action, args)) = self.action(member.action)? else { continue };
            let place = |at| Item::Argument(content, action, at as u32);
            arguments.extend(args.into_iter().enumerate().map(|(at, arg)| (place(at), arg)));
        }
        // A variable of the vector has its value: what goes first can happen with this one, or not.
        let own = |one: &(Item, TermId)| {
            let found = self.as_variable(one.1, &rival.variables);
            found.filter(|var| !vector.variables.contains(var))
        };
        let vars: Vec<Option<VarId>> = arguments.iter().map(own).collect();
        for ((argument, arg), var) in arguments.into_iter().zip(&vars) {
            let alone = var.is_some_and(|var| {
                !read.contains(&var) && vars.iter().filter(|one| **one == Some(var)).count() == 1
            });
            if !alone {
                self.root(argument);
                self.root_term(arg);
            }
        }
        Ok(())
    }

    // ---- who decides ----

    /// The arguments in which each variable of a vector stands, and those of what it shows.
    fn occurrences(&self) -> (FxHashMap<VarId, Vec<Item>>, FxHashMap<Item, Vec<TermId>>) {
        let mut of_variables: FxHashMap<VarId, Vec<Item>> = FxHashMap::default();
        let mut shown: FxHashMap<Item, Vec<TermId>> = FxHashMap::default();
        for (id, node) in self.net.nodes.enumerated() {
            for vector in &node.vectors {
                for (member, _) in vector.all_members() {
                    let content = node.parts[member.part].content;
                    let Ok(Some((action, args))) = self.action(member.action) else { continue };
                    for (at, arg) in args.into_iter().enumerate() {
                        if let Term::Var(var) = self.net.terms.get(arg) {
                            let argument = Item::Argument(content, action, at as u32);
                            of_variables.entry(*var).or_default().push(argument);
                        }
                    }
                }
                let Ok(Some((action, args))) = self.action(vector.result) else { continue };
                for (at, arg) in args.into_iter().enumerate() {
                    let argument = Item::Argument(Content::Node(id), action, at as u32);
                    shown.entry(argument).or_default().push(arg);
                }
            }
        }
        (of_variables, shown)
    }

    /// The arguments that a component may say, and not only hear. Holes say what the others want.
    fn said(
        &self,
        of_variables: &FxHashMap<VarId, Vec<Item>>,
        shown: &FxHashMap<Item, Vec<TermId>>,
    ) -> FxHashSet<Item> {
        let mut said: FxHashSet<Item> = FxHashSet::default();
        for (id, plts) in self.net.plts.enumerated() {
            for transition in &plts.transitions {
                let Ok(Some((action, args))) = self.action(transition.action) else { continue };
                for (at, arg) in args.into_iter().enumerate() {
                    if self.as_variable(arg, &transition.inputs).is_none() {
                        said.insert(Item::Argument(Content::Leaf(id), action, at as u32));
                    }
                }
            }
        }
        loop {
            let before = said.len();
            for (argument, args) in shown {
                let says = |arg: &TermId| match self.net.terms.get(*arg) {
                    Term::Var(var) => of_variables
                        .get(var)
                        .is_none_or(|all| all.iter().any(|one| said.contains(one))),
                    _ => true,
                };
                if args.iter().any(says) {
                    said.insert(*argument);
                }
            }
            if said.len() == before {
                return said;
            }
        }
    }

    /// Each variable of a vector, with whether several say what it is: then they must agree.
    fn agreed(&self) -> Vec<(Item, bool)> {
        let (of_variables, shown) = self.occurrences();
        let said = self.said(&of_variables, &shown);
        let says = |all: &Vec<Item>| all.iter().filter(|one| said.contains(*one)).count();
        of_variables.iter().map(|(var, all)| (Item::Variable(*var), says(all) > 1)).collect()
    }

    /// The variables of vectors whose value some member says.
    fn decided(&self) -> FxHashSet<VarId> {
        let (of_variables, shown) = self.occurrences();
        let said = self.said(&of_variables, &shown);
        let decided =
            of_variables.into_iter().filter(|(_, all)| all.iter().any(|one| said.contains(one)));
        decided.map(|(var, _)| var).collect()
    }

    /// The variables that count.
    fn counts(self) -> FxHashSet<VarId> {
        let mut counts = vec![false; self.items.len()];
        let mut work = self.roots;
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut counts[at], true) {
                work.extend(&self.needs[at]);
            }
        }
        let counted = self.items.iter().zip(counts).filter(|(_, counts)| *counts);
        counted
            .filter_map(|(item, _)| match item {
                Item::Variable(var) => Some(*var),
                Item::Argument(..) => None,
            })
            .collect()
    }
}
