//! Priorities: an interaction gives way exactly where a higher one is possible.
//!
//! Whether a part offers an action is a matter of its state, which no guard can see. So a vector that gives way
//! keeps what it gives way to as a [`Rival`]. Orders are transitive: a vector's rivals are those of all names
//! above its own.
//!
//! A priority orders actions by their names, whatever vector shows them. A vector that shows what a member does may
//! show an action of some name or not: it gives way where it does, so a rival of it has that as a condition; and as a
//! rival it stands for the cases in which it shows an action of the higher name.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::build::Builder;
use super::problems::PriorityOnHole;
use super::shows::{Case, Contents, Form, Named};
use super::vector::Made;
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{Composite, HoleId, Member, Members, Order, PartId, Rival, Vector};
use crate::sema::program::NetBlock;

/// A vector as priorities see it.
struct Seen {
    /// The connector it belongs to.
    connector: Option<Symbol>,
    /// Its ports: who takes part with what.
    ports: FxHashSet<(PartId, Form)>,
    /// The cases in which it may be possible, each with the form of what it shows then.
    cases: Vec<(Case, Form)>,
}

/// For each name, all names that go before it.
type Above = FxHashMap<Symbol, FxHashSet<Symbol>>;

impl<'p> Builder<'p> {
    /// Gives each vector its rivals, and sees to it that no hole has a say in whether one is possible.
    pub fn priorities(&mut self, block: &'p NetBlock, made: &mut [Made], node: &Composite) {
        let parts: Contents = node.parts.iter().map(|part| part.content).collect();
        for one in made.iter() {
            if is_spent() {
                return;
            }
            if !self.written_rivals_are_known(&one.vector, &parts, node) {
                return;
            }
        }
        if block.priorities.is_empty() && block.maximal.is_none() {
            return;
        }
        let instance = self.origins.get(node.origin).instance;
        let below = block.priorities.iter().map(|(low, high)| Order::Below(low.name, high.name));
        for order in below.chain(block.maximal.map(|_| Order::Maximal)) {
            self.origins.order(instance, order);
        }
        let above = above(block);
        let seen: Vec<Seen> = made.iter().map(|one| self.see(one, &parts)).collect();
        for low in 0..made.len() {
            let mut known: FxHashSet<(Vec<(PartId, TermId)>, TermId)> = FxHashSet::default();
            let names = self.conditions_of_names(&made[low].vector, &seen[low], &above);
            for high in 0..made.len() {
                if is_spent() {
                    return;
                }
                let ordered = self.ordered(&names, &above, &made[high].vector, &seen[high]);
                let is_larger = block.maximal.is_some() && seen[high].is_larger(&seen[low]);
                let yes = self.terms.bool(true);
                let larger = seen[high].cases.iter().filter(|_| is_larger);
                let larger = larger.map(|(case, _)| (case.clone(), yes)).collect();
                for (wanted, is_order) in [(ordered, true), (larger, false)] {
                    for (case, condition) in wanted {
                        if let Some(hole) = case.hole {
                            let names = (made[low].vector.result, made[high].vector.result);
                            self.unknown_offer(block, is_order, names, &case, hole);
                            return;
                        }
                        let taken = &made[low].vector.variables;
                        let rival = self.rival_of(&made[high].vector, &case, condition, taken);
                        let members = rival.members.iter().map(|one| (one.part, one.action));
                        if known.insert((members.collect(), rival.guard)) {
                            made[low].vector.rivals.push(rival);
                        }
                    }
                }
            }
        }
    }

    fn see(&mut self, made: &Made, parts: &Contents) -> Seen {
        let vector = &made.vector;
        let cases = self.cases(&vector.members, vector.guard, parts);
        let shown = |case: Case| {
            let action = self.terms.substitute(vector.result, &case.values);
            (case, self.form(action))
        };
        let cases = cases.into_iter().map(shown).collect();
        let port = |member: &Member| (member.part, self.form(member.action));
        let ports = vector.members.iter().map(port).collect();
        Seen { connector: made.connector, ports, cases }
    }

    /// The names that give way to others and that a vector can show, each with the condition that it does.
    fn conditions_of_names(
        &mut self,
        vector: &Vector,
        seen: &Seen,
        above: &Above,
    ) -> Vec<(Symbol, TermId)> {
        let forms: BTreeSet<&Form> = seen.cases.iter().map(|(_, form)| form).collect();
        let named: Vec<Named> = forms.iter().map(|form| self.named(form)).collect();
        let is_open = named.contains(&Named::Open);
        let mut names: Vec<Symbol> = above.keys().copied().collect();
        names.sort_by_key(|name| name.as_str());
        let mut found = Vec::new();
        for name in names {
            let has = |one: &Named| *one == Named::Yes(name);
            let condition = if is_open {
                self.has_name(vector.result, name)
            } else if named.iter().all(has) {
                self.terms.bool(true)
            } else {
                let with_name = forms.iter().zip(&named).filter(|(_, named)| has(named));
                let forms: Vec<Form> = with_name.map(|(form, _)| (*form).clone()).collect();
                let each: Vec<TermId> =
                    forms.iter().map(|form| self.has_form(vector.result, form)).collect();
                self.terms.or(each)
            };
            if !forms.is_empty() && self.terms.as_bool(condition) != Some(false) {
                found.push((name, condition));
            }
        }
        found
    }

    /// The cases in which a vector goes before one that shows these names, each with the condition that it does.
    fn ordered(
        &mut self,
        low: &[(Symbol, TermId)],
        above: &Above,
        vector: &Vector,
        seen: &Seen,
    ) -> Vec<(Case, TermId)> {
        let mut found = Vec::new();
        if low.is_empty() {
            return found;
        }
        for (case, form) in &seen.cases {
            let mut conditions: Vec<TermId> = Vec::new();
            match self.named(form) {
                Named::No => {}
                Named::Yes(high) => {
                    let below = low.iter().filter(|(name, _)| above[name].contains(&high));
                    conditions.extend(below.map(|(_, condition)| *condition));
                }
                Named::Open => {
                    let shown = self.terms.substitute(vector.result, &case.values);
                    for (name, condition) in low {
                        let mut higher: Vec<Symbol> = above[name].iter().copied().collect();
                        higher.sort_by_key(|name| name.as_str());
                        for high in higher {
                            let is_it = self.has_name(shown, high);
                            conditions.push(self.terms.and([*condition, is_it]));
                        }
                    }
                }
            }
            let condition = self.terms.or(conditions);
            if self.terms.as_bool(condition) != Some(false) {
                found.push((case.clone(), condition));
            }
        }
        found
    }

    /// A vector as a rival, in one of its cases and under a condition on the vector that gives way.
    ///
    /// `taken` are the variables of the one that gives way.
    fn rival_of(
        &mut self,
        vector: &Vector,
        case: &Case,
        condition: TermId,
        taken: &[VarId],
    ) -> Rival {
        let text = self.origins.get(vector.origin).span;
        let mut members = vector.members.clone();
        for member in &mut members {
            member.action = self.terms.substitute(member.action, &case.values);
        }
        // It could happen only where its values are those of their sorts.
        let owed = vector.owes.iter().map(|owed| owed.term);
        let guard = self.terms.and([vector.guard].into_iter().chain(owed));
        let mut guard = self.terms.substitute(guard, &case.values);
        let own = self.variables(&members);
        // What the case put in is meant anew. So is what the two share: all, where a vector gives way to itself, and
        // where data chooses among members, which makes several vectors of one.
        let is_new = |var: &VarId| taken.contains(var) || !vector.variables.contains(var);
        let new: Vec<VarId> = own.into_iter().filter(is_new).collect();
        let values = self.renamed(&new, &members, guard);
        for member in &mut members {
            member.action = self.terms.substitute(member.action, &values);
        }
        guard = self.terms.substitute(guard, &values);
        let guard = self.terms.and([condition, guard]);
        self.rival(members, guard, text)
    }

    /// New variables; one that stands for any value has no name.
    fn renamed(
        &mut self,
        variables: &[VarId],
        members: &Members,
        guard: TermId,
    ) -> FxHashMap<VarId, TermId> {
        let used = self.terms.free_vars(guard);
        let mut values = FxHashMap::default();
        for &old in variables {
            let sort = self.terms.var(old).sort.clone();
            let mut places = 0;
            for member in members {
                let mut work = vec![member.action];
                while let Some(term) = work.pop() {
                    places += usize::from(*self.terms.get(term) == Term::Var(old));
                    work.extend(self.terms.children(term));
                }
            }
            let is_any = places == 1 && !used.contains(&old) && sort != Sort::Action;
            let name = if is_any { Symbol::new("_") } else { self.terms.var(old).name };
            let new = self.terms.new_var(name, sort, VariableKind::Vector);
            values.insert(old, self.terms.var_term(new));
        }
        values
    }

    // ---- holes ----

    /// The path of a hole.
    pub fn hole_path(&self, id: HoleId) -> String {
        self.draft.holes[id].path.clone()
    }

    /// Reports a priority that would have to know what a hole offers.
    fn unknown_offer(
        &mut self,
        block: &NetBlock,
        is_order: bool,
        (low, high): (TermId, TermId),
        case: &Case,
        hole: HoleId,
    ) {
        let high = self.terms.substitute(high, &case.values);
        let pair = block.priorities.iter().find(|(l, h)| {
            let shows = |builder: &Self, action: TermId, name: Symbol| match builder
                .named(&builder.form(action))
            {
                Named::Yes(shown) => shown == name,
                Named::Open => true,
                Named::No => false,
            };
            shows(self, low, l.name) && shows(self, high, h.name)
        });
        let pair = pair.or(block.priorities.first()).filter(|_| is_order);
        let names = |builder: &Self, action: TermId| match builder.named(&builder.form(action)) {
            Named::Yes(name) => name.to_string(),
            _ => String::new(),
        };
        let (low, high, span) = match pair {
            Some((low, high)) => {
                (low.name.to_string(), high.name.to_string(), low.span.to(high.span))
            }
            None => (names(self, low), names(self, high), block.maximal.unwrap_or_default()),
        };
        let (hole, low) = (self.hole_path(hole), format!("`{low}`"));
        self.report(PriorityOnHole { span, hole, high, low });
    }

    /// Whether it is known of everything in `unless` when it is possible.
    fn written_rivals_are_known(
        &mut self,
        vector: &Vector,
        parts: &Contents,
        node: &Composite,
    ) -> bool {
        for rival in &vector.rivals {
            let cases = self.cases(&rival.members, rival.guard, parts);
            if let Some(hole) = cases.iter().find_map(|case| case.hole) {
                let members =
                    rival.members.iter().map(|member| node.parts[member.part].name.to_string());
                let high = format!("<{}: …>", members.collect::<Vec<_>>().join(": …, "));
                let (hole, low) = (self.hole_path(hole), "this vector".to_owned());
                self.report(PriorityOnHole { span: rival.text, hole, high, low });
                return false;
            }
        }
        true
    }
}

impl Seen {
    /// Whether it has all ports of another interaction of connectors with the same name, and more.
    fn is_larger(&self, small: &Seen) -> bool {
        self.connector.is_some()
            && self.connector == small.connector
            && self.ports.len() > small.ports.len()
            && small.ports.is_subset(&self.ports)
    }
}

/// For each name that gives way, all names that go before it.
fn above(block: &NetBlock) -> Above {
    let mut above = Above::default();
    for (start, _) in &block.priorities {
        let mut reached: FxHashSet<Symbol> = FxHashSet::default();
        let mut work = vec![start.name];
        while let Some(name) = work.pop() {
            for (_, high) in block.priorities.iter().filter(|(low, _)| low.name == name) {
                if reached.insert(high.name) {
                    work.push(high.name);
                }
            }
        }
        above.insert(start.name, reached);
    }
    above
}
