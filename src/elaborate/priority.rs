//! Priorities: an interaction gives way exactly where a higher one is possible.
//!
//! Whether a part offers an action is a matter of its state, which no guard can see. So a vector that gives way
//! keeps what it gives way to as a [`Rival`]. Orders are transitive: a vector's rivals are those of all names
//! above its own.
//!
//! A priority orders actions by their names, whatever vector shows them. A vector that shows what a member does may
//! show an action of some name or not: it gives way where it does, so a rival of it has that as a condition; and as a
//! rival it stands for the cases in which it shows an action of the higher name.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::build::Builder;
use super::connector::MOST_INTERACTIONS;
use super::env::Env;
use super::node::Places;
use super::orders::{Rule, Selected};
use super::problems::{OneOfMany, PriorityOnHole};
use super::shows::{Case, Contents, Form, Named};
use super::vector::Made;
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{Composite, HoleId, Member, Members, PartId, Rival, Vector};
use crate::sema::program::NetBlock;

/// A vector as priorities see it.
struct Seen {
    /// The connector it belongs to.
    connector: Option<Symbol>,
    /// The name of what it shows, where that is known.
    shows: Option<Symbol>,
    /// Its ports by the names of their actions, where these are known.
    named_ports: Option<FxHashSet<(usize, Symbol)>>,
    /// Its ports: who takes part with what.
    ports: FxHashSet<(PartId, Form)>,
    /// The cases in which it may be possible, each with the form of what it shows then.
    cases: Vec<(Case, Form)>,
}

/// When one vector gives way to another: a condition on the one that gives way, and one on the other, in its own variables.
type Both = (TermId, TermId);

/// What goes before a vector: other vectors in one of their cases, each with conditions of which one has to hold, and a rule.
type Above = BTreeMap<(usize, usize), (Vec<Both>, usize)>;

impl<'p> Builder<'p> {
    /// Gives each vector its rivals, and sees to it that no hole has a say in whether one is possible.
    pub fn priorities(
        &mut self,
        block: &'p NetBlock,
        (env, places): (&Env<'p>, &[Places]),
        made: &mut [Made],
        node: &Composite,
    ) {
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
        self.note_orders(block, env);
        let Some(rules) = self.rules(block, env, places) else { return };
        let seen: Vec<Seen> = made.iter().map(|one| self.see(one, &parts)).collect();
        let is_there = |one: &Selected| seen.iter().any(|seen| seen.has_ports(one));
        // Of a connector in one piece, the interactions are not there one by one.
        if self.is_one_of_whole(&rules, made, &seen) || self.no_such_interaction(&rules, is_there) {
            return;
        }
        if block.maximal.is_some() && !self.largest_of_whole(block, made, &seen) {
            return;
        }
        let ordered = self.ordered(&rules, made, &seen);
        for (low, ordered) in ordered.into_iter().enumerate() {
            let mut known: FxHashSet<(Vec<(PartId, TermId)>, TermId)> = FxHashSet::default();
            let highs: Vec<usize> = match block.maximal {
                Some(_) => (0..made.len()).collect(),
                None => ordered.keys().map(|(high, _)| *high).dedup().collect(),
            };
            for high in highs {
                if is_spent() {
                    return;
                }
                let wanted = self.wanted(&ordered, high, &seen);
                // A vector with members that may take part or not knows which interactions are larger.
                let is_whole = made[low].vector.maximal.is_some();
                let is_larger =
                    block.maximal.is_some() && !is_whole && seen[high].is_larger(&seen[low]);
                let yes = self.terms.bool(true);
                let larger = seen[high].cases.iter().filter(|_| is_larger);
                let larger = larger.map(|(case, _)| (case.clone(), vec![(yes, yes)], None));
                for (case, conditions, rule) in wanted.into_iter().chain(larger) {
                    if let Some(hole) = case.hole {
                        let names = (made[low].vector.result, made[high].vector.result);
                        self.unknown_offer(block, rule.map(|at| &rules[at]), names, &case, hole);
                        return;
                    }
                    let taken = &made[low].vector.variables;
                    let rival = self.rival_of(&made[high].vector, &case, &conditions, taken);
                    if self.terms.as_bool(rival.guard) == Some(false) {
                        continue;
                    }
                    let members = rival.members.iter().map(|one| (one.part, one.action));
                    if known.insert((members.collect(), rival.guard)) {
                        made[low].vector.rivals.push(rival);
                    }
                }
            }
        }
    }

    /// Reports a priority on single interactions of a connector that is kept in one piece.
    fn is_one_of_whole(&mut self, rules: &[Rule], made: &[Made], seen: &[Seen]) -> bool {
        for rule in rules {
            for (one, text) in [(&rule.low, &rule.low_text), (&rule.high, &rule.high_text)] {
                let Selected::Ports(name, _) = one else { continue };
                let is_it = |(made, seen): (&Made, &Seen)| {
                    !made.vector.optional.is_empty() && seen.shows == Some(*name)
                };
                if made.iter().zip(seen).any(is_it) {
                    let limit = MOST_INTERACTIONS;
                    self.report(OneOfMany { span: text.0, name: name.to_string(), limit });
                    return true;
                }
            }
        }
        false
    }

    /// Notes which vectors belong together where only the largest interactions happen, and some of them have members that may
    /// take part or not; whether it is known when they are possible.
    fn largest_of_whole(&mut self, block: &NetBlock, made: &mut [Made], seen: &[Seen]) -> bool {
        let mut names: Vec<Symbol> = Vec::new();
        for one in made.iter().filter(|one| !one.vector.optional.is_empty()) {
            names.extend(one.connector.filter(|name| !names.contains(name)));
        }
        for (one, seen) in made.iter_mut().zip(seen) {
            let number = |name| names.iter().position(|other| *other == name);
            let Some(number) = one.connector.and_then(number) else { continue };
            one.vector.maximal = Some(number as u32);
            let hole = seen.cases.iter().find_map(|(case, _)| Some((case, case.hole?)));
            if let Some((case, hole)) = hole.filter(|_| !one.vector.optional.is_empty()) {
                let shown = one.vector.result;
                self.unknown_offer(block, None, (shown, shown), case, hole);
                return false;
            }
        }
        true
    }

    /// The cases of a vector that go before another, each with the conditions, and one of the rules that say so.
    fn wanted(
        &self,
        ordered: &Above,
        high: usize,
        seen: &[Seen],
    ) -> Vec<(Case, Vec<Both>, Option<usize>)> {
        let cases = ordered.range((high, 0)..(high + 1, 0));
        let wanted = cases.map(|(&(_, at), (conditions, rule))| {
            (seen[high].cases[at].0.clone(), conditions.clone(), Some(*rule))
        });
        wanted.collect()
    }

    /// For each vector, what goes before it by these rules.
    fn ordered(&mut self, rules: &[Rule], made: &[Made], seen: &[Seen]) -> Vec<Above> {
        let mut found: Vec<Above> = made.iter().map(|_| Above::new()).collect();
        for (number, rule) in rules.iter().enumerate() {
            let mut lows: Vec<(usize, TermId)> = Vec::new();
            let mut highs: Vec<((usize, usize), TermId)> = Vec::new();
            for (at, one) in made.iter().enumerate() {
                if is_spent() {
                    return found;
                }
                let low = self.gives_way(&rule.low, &one.vector, &seen[at]);
                let low = self.terms.and([low, rule.guard]);
                if !seen[at].cases.is_empty() && self.terms.as_bool(low) != Some(false) {
                    lows.push((at, low));
                }
                for case in 0..seen[at].cases.len() {
                    let high = self.goes_first(&rule.high, &one.vector, &seen[at], case);
                    if self.terms.as_bool(high) != Some(false) {
                        highs.push(((at, case), high));
                    }
                }
            }
            for &(low, condition) in &lows {
                if is_spent() {
                    return found;
                }
                for &(place, high) in &highs {
                    let known = found[low].entry(place).or_insert((Vec::new(), number));
                    known.0.push((condition, high));
                }
            }
        }
        found
    }

    /// When a vector is what gives way.
    fn gives_way(&mut self, selected: &Selected, vector: &Vector, seen: &Seen) -> TermId {
        match selected {
            Selected::Name(name) => self.shows_name(vector, seen, *name),
            Selected::Act(id, args) => self.is_selected(vector.result, (*id, args)),
            Selected::Ports(..) => self.terms.bool(seen.has_ports(selected)),
            Selected::Tau => self.is_silent(vector.result),
            Selected::Others(one) => {
                let is_it = self.gives_way(one, vector, seen);
                self.terms.not(is_it)
            }
        }
    }

    /// When a vector is what goes first, in one of its cases.
    fn goes_first(
        &mut self,
        selected: &Selected,
        vector: &Vector,
        seen: &Seen,
        case: usize,
    ) -> TermId {
        let (values, form) = (&seen.cases[case].0.values, &seen.cases[case].1);
        match selected {
            Selected::Name(name) => match self.named(form) {
                Named::Yes(shown) => self.terms.bool(shown == *name),
                Named::No => self.terms.bool(false),
                Named::Open => {
                    let shown = self.terms.substitute(vector.result, values);
                    self.has_name(shown, *name)
                }
            },
            Selected::Act(id, args) => {
                let shown = self.terms.substitute(vector.result, values);
                self.is_selected(shown, (*id, args))
            }
            Selected::Ports(..) => self.terms.bool(seen.has_ports(selected)),
            Selected::Tau => {
                let shown = self.terms.substitute(vector.result, values);
                self.is_silent(shown)
            }
            Selected::Others(one) => {
                let is_it = self.goes_first(one, vector, seen, case);
                self.terms.not(is_it)
            }
        }
    }

    /// Whether an action is `tau`.
    pub fn is_silent(&mut self, action: TermId) -> TermId {
        match self.form(action) {
            Form::Tau => self.terms.bool(true),
            Form::Any => self.has_form(action, &Form::Tau),
            Form::Act(_) | Form::Sync(_) | Form::Co(_) | Form::Other => self.terms.bool(false),
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
        let name = |form: &Form| match self.named(form) {
            Named::Yes(name) => Some(name),
            Named::No | Named::Open => None,
        };
        let named = |member: &Member| Some((member.part.index(), name(&self.form(member.action))?));
        let named_ports = vector.members.iter().map(named).collect();
        let shows = made.connector.or_else(|| name(&self.form(vector.result)));
        Seen { connector: made.connector, shows, ports, named_ports, cases }
    }

    /// When a vector shows an action of a name.
    fn shows_name(&mut self, vector: &Vector, seen: &Seen, name: Symbol) -> TermId {
        let forms: BTreeSet<&Form> = seen.cases.iter().map(|(_, form)| form).collect();
        let named: Vec<Named> = forms.iter().map(|form| self.named(form)).collect();
        let has = |one: &Named| *one == Named::Yes(name);
        if named.contains(&Named::Open) {
            return self.has_name(vector.result, name);
        }
        if named.iter().all(has) {
            return self.terms.bool(true);
        }
        let with_name = forms.iter().zip(&named).filter(|(_, named)| has(named));
        let forms: Vec<Form> = with_name.map(|(form, _)| (*form).clone()).collect();
        let each: Vec<TermId> =
            forms.iter().map(|form| self.has_form(vector.result, form)).collect();
        self.terms.or(each)
    }

    /// A vector as a rival, in one of its cases and under conditions of which one has to hold.
    ///
    /// `taken` are the variables of the one that gives way.
    fn rival_of(
        &mut self,
        vector: &Vector,
        case: &Case,
        conditions: &[Both],
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
        let highs = self.terms.or(conditions.iter().map(|(_, high)| *high));
        let used = self.terms.and([guard, highs]);
        let values = self.renamed(&new, &members, used);
        for member in &mut members {
            member.action = self.terms.substitute(member.action, &values);
        }
        guard = self.terms.substitute(guard, &values);
        // What is said of the rival is about its new variables, and what is said of the one that gives way is not.
        let mut each = Vec::with_capacity(conditions.len());
        for &(low, high) in conditions {
            let high = self.terms.substitute(high, &values);
            each.push(self.terms.and([low, high]));
        }
        let condition = self.terms.or(each);
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
        rule: Option<&Rule>,
        (low, high): (TermId, TermId),
        case: &Case,
        hole: HoleId,
    ) {
        let high = self.terms.substitute(high, &case.values);
        let names = |builder: &Self, action: TermId| match builder.named(&builder.form(action)) {
            Named::Yes(name) => name.to_string(),
            _ => String::new(),
        };
        let (low, high, span) = match rule {
            Some(Rule { low_text, high_text, .. }) => {
                (low_text.1.clone(), high_text.1.clone(), low_text.0.to(high_text.0))
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
    /// Whether it is an interaction of just these ports.
    fn has_ports(&self, selected: &Selected) -> bool {
        let Selected::Ports(name, ports) = selected else { return false };
        self.shows == Some(*name) && self.named_ports.as_ref() == Some(ports)
    }

    /// Whether it has all ports of another interaction of connectors with the same name, and more.
    fn is_larger(&self, small: &Seen) -> bool {
        self.connector.is_some()
            && self.connector == small.connector
            && self.ports.len() > small.ports.len()
            && small.ports.is_subset(&self.ports)
    }
}
