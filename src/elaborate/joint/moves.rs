//! Data of an interaction of connectors: up the tree, down again, and into the actions of the parts.
//!
//! Bottom up, each connector tests its guard and sets the port that it shows, which the one above sees. Top down, it moves
//! data back to its ports. At last the members make their own assignments: that is what a vector does anyway.

use rustc_hash::FxHashMap;

use super::super::build::{Builder, PortDatum};
use super::super::env::Env;
use super::super::lower::Scope;
use super::super::node::Places;
use super::super::problems::{NoPortValue, TooManyInstances, WrittenTwice};
use super::super::vector::{Guard, Made, with_indices};
use super::{End, Happening, Port, Tree};
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Condition, Member, Owed, PartId};
use crate::sema::program::{
    ConnectorDef, DatumDef, Expr, ExprKind, FormalDef, LocalId, LocalKind, MemberDef, TransferDef,
};

/// What the variables of a port are, as far as they have values.
type Values = Vec<Option<TermId>>;

/// What is written where: by port and variable.
type Written = FxHashMap<(Port, usize), (TermId, Span)>;

/// An interaction after its data has gone up.
struct Risen<'p> {
    /// The names of the definition, with the data of the ports.
    scope: Scope<'p>,
    /// Arrays of which some places have no value: the variable that stands for these.
    open: Vec<(LocalId, VarId)>,
    /// What each port that takes part has shown.
    seen: Vec<Values>,
    /// What is shown above.
    shown: Values,
    /// The interactions below, for the ports that have one.
    below: Vec<Option<Risen<'p>>>,
}

/// What an interaction asks for.
#[derive(Default)]
struct Asked {
    conditions: Vec<Condition>,
    owed: Vec<Owed>,
}

/// A port of a part with its action.
pub(super) type Leaf<'h, 'p> = (&'p MemberDef, &'h Scope<'p>, TermId);

/// An interaction, before it is known which parts data chooses.
pub(super) struct Outcome<'h, 'p> {
    /// The ports of parts, in their order.
    pub leaves: Vec<Leaf<'h, 'p>>,
    pub conditions: Vec<Condition>,
    pub owed: Vec<Owed>,
    /// What is shown.
    pub result: TermId,
    /// The names of the net, with the data that is shown.
    pub scope: Scope<'p>,
}

/// What an interaction comes to.
#[derive(Default)]
struct Fallen<'h, 'p> {
    leaves: Vec<Leaf<'h, 'p>>,
    /// The data of the ports of the outermost connector, at the end; of what it shows, under no port.
    last: FxHashMap<(Option<usize>, usize), TermId>,
    /// The same of its families, index by index.
    families: FxHashMap<(usize, usize), Vec<(i64, TermId)>>,
}

impl Fallen<'_, '_> {
    /// Notes the data of a port of the outermost connector.
    fn note(&mut self, port: usize, index: Option<i64>, datum: usize, value: TermId) {
        match index {
            None => _ = self.last.insert((Some(port), datum), value),
            Some(index) => self.families.entry((port, datum)).or_default().push((index, value)),
        }
    }
}

impl<'p> Builder<'p> {
    /// The vectors of one interaction: one for each choice of parts that data makes.
    pub(super) fn happening(
        &mut self,
        happening: &Happening<'p>,
        connector: &'p ConnectorDef,
        (env, scope, places): (&Env<'p>, &Scope<'p>, &[Places]),
        made: &mut Vec<Made>,
    ) {
        self.data_names.clear();
        let Some(outcome) = self.outcome(happening, connector, (env, scope)) else { return };
        let Outcome { leaves, conditions, mut owed, result, scope } = outcome;
        let Some(choices) = self.choices(&leaves, env, places, &mut owed) else { return };
        let owes = self.lowering().still_owed(owed, &conditions);
        let rivals = self.written_rivals(&connector.rivals, env, &scope, places);
        let term = self.terms.and(conditions.iter().map(|condition| condition.term));
        for (members, chosen) in choices {
            let guard = Guard { term, conditions: &conditions, chosen: &chosen, owes: &owes };
            let mut vector = self.finish(members, result, guard, connector.span, env);
            vector.rivals.extend(rivals.iter().cloned());
            made.push(Made { connector: Some(connector.name.name), vector });
        }
    }

    /// What an interaction comes to: its data up the tree, and down again.
    pub(super) fn outcome<'h>(
        &mut self,
        happening: &'h Happening<'p>,
        connector: &'p ConnectorDef,
        (env, scope): (&Env<'p>, &Scope<'p>),
    ) -> Option<Outcome<'h, 'p>> {
        let mut asked = Asked::default();
        let risen = self.up(happening, env, &mut asked)?;
        let mut fallen = Fallen::default();
        let given = vec![None; happening.tree.def.shows.as_ref().map_or(0, |one| one.data.len())];
        self.down(happening, &risen, (&given, true), env, (&mut asked, &mut fallen))?;
        let mut scope = scope.clone();
        let (mut open, mut read) = (Vec::new(), Vec::new());
        connector.shows.each_local(&mut |local| read.push(local));
        for (port, datum, local) in connector.used.iter().flat_map(|used| &used.seen) {
            if let Some(&value) = fallen.last.get(&(*port, *datum)) {
                scope.set(*local, value);
            }
            let is_family = |port: &usize| happening.tree.def.ports[*port].family.is_some();
            if let Some(port) = port.filter(is_family).filter(|_| read.contains(local)) {
                let none = Vec::new();
                let known = fallen.families.get(&(port, *datum)).unwrap_or(&none);
                let all = happening.tree.ends[port].len();
                open.extend(self.array(*local, known, all, &mut scope));
            }
        }
        if !self.all_known(&connector.shows, &scope, happening, env) {
            return None;
        }
        let mut lowering = self.lowering();
        let result = lowering.term(&connector.shows, &scope);
        asked.owed.append(&mut lowering.owed);
        if !self.places_known(&[result], &connector.shows, (&open, &scope), happening, env) {
            return None;
        }
        let Asked { conditions, owed } = asked;
        Some(Outcome { leaves: fallen.leaves, conditions, owed, result, scope })
    }

    /// The parts of the members: one list for each choice that data makes.
    fn choices(
        &mut self,
        leaves: &[Leaf<'_, 'p>],
        env: &Env<'p>,
        places: &[Places],
        owed: &mut Vec<Owed>,
    ) -> Option<Vec<(Vec<Member>, Vec<Condition>)>> {
        let mut choices: Vec<(Vec<Member>, Vec<Condition>)> = vec![(Vec::new(), Vec::new())];
        for (member, scope, action) in leaves {
            let parts = self.parts(member, env, scope, places, owed);
            if parts.len().saturating_mul(choices.len()) > self.options.most_instances {
                let limit = self.options.most_instances;
                self.report(TooManyInstances { span: member.span, limit });
                return None;
            }
            let mut next = Vec::new();
            for (chosen, conditions) in &choices {
                if is_spent() {
                    return None;
                }
                for &(part, condition) in &parts {
                    let part = PartId::at(part);
                    // Nobody takes part twice.
                    if chosen.iter().any(|other: &Member| other.part == part) {
                        continue;
                    }
                    let (mut chosen, mut conditions) = (chosen.clone(), conditions.clone());
                    chosen.push(Member { part, action: *action, text: member.action.span });
                    conditions.extend(condition);
                    next.push((chosen, conditions));
                }
            }
            choices = next;
        }
        choices.retain(|(chosen, _)| !chosen.is_empty());
        Some(choices)
    }

    // ---- up ----

    fn up(
        &mut self,
        happening: &Happening<'p>,
        env: &Env<'p>,
        asked: &mut Asked,
    ) -> Option<Risen<'p>> {
        if is_spent() {
            return None;
        }
        let tree = &*happening.tree;
        let clauses = happening.clauses();
        let targets = self.targets(&clauses.down, happening, env)?;
        let (mut seen, mut below) = (Vec::new(), Vec::new());
        for (port, inner) in &happening.parts {
            match inner {
                Some(inner) => {
                    let risen = self.up(inner, env, asked)?;
                    seen.push(risen.shown.clone());
                    below.push(Some(risen));
                }
                None => {
                    seen.push(self.shown_by_part(tree, *port, &targets));
                    below.push(None);
                }
            }
        }
        let (scope, open) = self.with_data(happening, &seen);
        let data = tree.def.shows.as_ref().map_or(&[][..], |shown| &shown.data);
        let mut risen = Risen { scope, open, seen, shown: vec![None; data.len()], below };
        if let Some(guard) = &clauses.guard {
            if !self.all_known(guard, &risen.scope, happening, env) {
                return None;
            }
            let mut lowering = self.lowering();
            let (_, conditions) = lowering.guard(Some(guard), &risen.scope);
            asked.owed.append(&mut lowering.owed);
            let terms: Vec<TermId> = conditions.iter().map(|condition| condition.term).collect();
            asked.conditions.extend(conditions);
            if !self.places_known(&terms, guard, (&risen.open, &risen.scope), happening, env) {
                return None;
            }
        }
        let mut shown: Values = vec![None; data.len()];
        for transfer in &clauses.up {
            for scope in self.scopes_of(transfer, &risen.scope, env)? {
                let datum = &data[transfer.datum];
                let value = self.moved(transfer, datum, &scope, &risen, (happening, env), asked)?;
                shown[transfer.datum] = Some(value);
            }
        }
        risen.shown = shown;
        Some(risen)
    }

    /// What a part shows at a port: a variable for each argument that nobody writes.
    fn shown_by_part(
        &mut self,
        tree: &Tree<'p>,
        port: Port,
        targets: &FxHashMap<(Port, usize), Span>,
    ) -> Values {
        let End::Part(member, _) = tree.end(port) else { return Vec::new() };
        let ExprKind::Act(id, _) = &member.action.kind else { return Vec::new() };
        let sorts = self.algebra.action(*id).sorts.clone();
        let formal = &tree.def.ports[port.0];
        let mut values = Vec::with_capacity(formal.data.len());
        for (at, (datum, sort)) in formal.data.iter().zip(sorts).enumerate() {
            let is_shown = !datum.goes_in && !targets.contains_key(&(port, at));
            let place = (tree.number, port, at);
            values.push(is_shown.then(|| self.any_of(place, datum.name.name, sort)));
        }
        values
    }

    /// A variable of the vector for what stands at a port; of a piece, always the same.
    fn any_of(&mut self, place: PortDatum, name: Symbol, sort: Sort) -> TermId {
        let known = self.port_values.as_ref().and_then(|all| all.get(&place));
        if let Some(&known) = known {
            return known;
        }
        let term = self.any(name, sort);
        if let Some(all) = &mut self.port_values {
            all.insert(place, term);
        }
        term
    }

    /// A variable of the vector.
    fn any(&mut self, name: Symbol, sort: Sort) -> TermId {
        // Which numbers of a range there are is said by the action.
        let sort = if let Sort::Range(..) = sort { Sort::Int } else { sort };
        // Ports of one sort have data of one name: people tell the members of a vector apart by numbers.
        let count = self.data_names.entry(name).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name } else { Symbol::new(&format!("{name}_{count}")) };
        let var = self.terms.new_var(name, sort, VariableKind::Vector);
        self.terms.var_term(var)
    }

    /// The names of a definition with what the ports have shown.
    fn with_data(
        &mut self,
        happening: &Happening<'p>,
        seen: &[Values],
    ) -> (Scope<'p>, Vec<(LocalId, VarId)>) {
        let tree = &*happening.tree;
        let mut scope = tree.scope.clone();
        let mut open = Vec::new();
        for (port, formal) in tree.def.ports.iter().enumerate() {
            for (at, datum) in formal.data.iter().enumerate() {
                let mut known: Vec<(i64, TermId)> = Vec::new();
                for (((other, place), _), values) in happening.parts.iter().zip(seen) {
                    if let (true, Some(Some(value))) = (*other == port, values.get(at)) {
                        known.push((tree.ends[port][*place].0, *value));
                    }
                }
                match (&formal.family, known.first()) {
                    (None, Some((_, value))) => scope.set(datum.local, *value),
                    (None, None) => {}
                    (Some(_), _) => {
                        let all = tree.ends[port].len();
                        open.extend(self.array(datum.local, &known, all, &mut scope));
                    }
                }
            }
        }
        (scope, open)
    }

    /// The array of what the ports of a family have shown; where some have not, with the variable that stands for these.
    fn array(
        &mut self,
        of: LocalId,
        known: &[(i64, TermId)],
        all: usize,
        scope: &mut Scope<'p>,
    ) -> Option<(LocalId, VarId)> {
        let local = scope.locals[of.index()];
        let sort = self.lowering().sort(local.sort, scope);
        let is_whole = known.len() == all && all > 0;
        let mut base = None;
        let mut array = match known.first() {
            Some((_, first)) if is_whole => self.terms.raw(Term::ConstArray(sort, *first)),
            _ => {
                let var = self.terms.new_var(local.name, sort, VariableKind::Vector);
                base = Some(var);
                self.terms.var_term(var)
            }
        };
        for (index, value) in known.iter().skip(usize::from(is_whole)) {
            let at = self.terms.int(*index);
            array = self.terms.raw(Term::Update(array, at, *value));
        }
        scope.set(of, array);
        base.map(|var| (of, var))
    }

    // ---- down ----

    /// Moves data back; `given` is what was written to the port that is shown.
    fn down<'h>(
        &mut self,
        happening: &'h Happening<'p>,
        risen: &Risen<'p>,
        (given, is_outermost): (&Values, bool),
        env: &Env<'p>,
        (asked, fallen): (&mut Asked, &mut Fallen<'h, 'p>),
    ) -> Option<()> {
        let tree = &*happening.tree;
        let clauses = happening.clauses();
        let mut scope = risen.scope.clone();
        for (at, datum) in tree.def.shows.iter().flat_map(|shown| shown.data.iter().enumerate()) {
            let otherwise = || datum.otherwise.and_then(|other| risen.shown[other]);
            if let Some(value) = given[at].or(risen.shown[at]).or_else(otherwise) {
                scope.set(datum.local, value);
                if is_outermost {
                    fallen.last.insert((None, at), value);
                }
            }
        }
        let mut written = Written::default();
        for transfer in &clauses.down {
            for inside in self.scopes_of(transfer, &scope, env)? {
                let Some(port) = self.port_of(transfer, &inside, happening, env)? else { continue };
                let datum = &tree.def.ports[port.0].data[transfer.datum];
                let value = self.moved(transfer, datum, &inside, risen, (happening, env), asked)?;
                written.insert((port, transfer.datum), (value, transfer.span));
            }
        }
        for (((port, inner), values), below) in
            happening.parts.iter().zip(&risen.seen).zip(&risen.below)
        {
            let formal = &tree.def.ports[port.0];
            let index = formal.family.as_ref().map(|_| tree.ends[port.0][port.1].0);
            let get = |datum: usize| written.get(&(*port, datum)).map(|(value, _)| *value);
            if let (Some(inner), Some(below)) = (inner, below) {
                let given: Values = (0..formal.data.len()).map(get).collect();
                for (at, value) in given.iter().enumerate().filter(|_| is_outermost) {
                    let value = value.or(values.get(at).copied().flatten());
                    if let Some(value) = value {
                        fallen.note(port.0, index, at, value);
                    }
                }
                self.down(inner, below, (&given, false), env, (asked, fallen))?;
                continue;
            }
            let End::Part(member, around) = tree.end(*port) else { continue };
            let end = (tree.number, *port);
            let args = self.arguments_of((member, end), formal, values, &get);
            for (at, value) in args.iter().enumerate().filter(|_| is_outermost) {
                fallen.note(port.0, index, at, *value);
            }
            let ExprKind::Act(id, _) = &member.action.kind else { return None };
            let action = self.terms.raw(Term::Act(*id, args.into()));
            fallen.leaves.push((member, around, action));
        }
        Some(())
    }

    /// The arguments of the action of a part: what is written, or what it shows.
    fn arguments_of(
        &mut self,
        (member, (tree, port)): (&'p MemberDef, (usize, Port)),
        formal: &'p FormalDef,
        values: &Values,
        written: &dyn Fn(usize) -> Option<TermId>,
    ) -> Vec<TermId> {
        let ExprKind::Act(id, _) = &member.action.kind else { return Vec::new() };
        let sorts = self.algebra.action(*id).sorts.clone();
        let mut args = Vec::with_capacity(sorts.len());
        for (at, (datum, sort)) in formal.data.iter().zip(&sorts).enumerate() {
            let shown = |at: usize| values.get(at).copied().flatten();
            let otherwise = || datum.otherwise.and_then(|at| shown(at).or_else(|| written(at)));
            let value = written(at).or_else(|| shown(at)).or_else(otherwise);
            let value = match value {
                Some(value) => value,
                None => self.any_of((tree, port, at), datum.name.name, sort.clone()),
            };
            // The argument is compared with what the part does, which is a value of its sort.
            let text = member.action.span;
            let (value, _) = self.lowering().owing(|l| l.fit(value, sort, text));
            args.push(value);
        }
        args
    }

    // ---- transfers ----

    /// The names for each index that a transfer is repeated for.
    fn scopes_of(
        &mut self,
        transfer: &'p TransferDef,
        scope: &Scope<'p>,
        env: &Env<'p>,
    ) -> Option<Vec<Scope<'p>>> {
        if transfer.repeat.is_empty() {
            return Some(vec![scope.clone()]);
        }
        let mut all = Vec::new();
        for indices in self.repetitions(&transfer.repeat, (scope, env.instance)) {
            let inside = with_indices(scope, &indices);
            if self.is_meant(transfer.condition.as_ref(), &inside, env.instance) {
                all.push(inside);
            }
        }
        (self.problems.is_empty() && !is_spent()).then_some(all)
    }

    /// The port that a transfer writes; nothing inside where it does not take part.
    #[allow(clippy::option_option, reason = "nothing at all is something that was reported")]
    fn port_of(
        &mut self,
        transfer: &'p TransferDef,
        scope: &Scope<'p>,
        happening: &Happening<'p>,
        env: &Env<'p>,
    ) -> Option<Option<Port>> {
        let Some(port) = transfer.port else { return Some(None) };
        let at = match &transfer.index {
            None => 0,
            Some(index) => self.member_of(&happening.tree, (port, index), scope, env.instance)?,
        };
        let takes_part = happening.parts.iter().any(|(one, _)| *one == (port, at));
        Some(takes_part.then_some((port, at)))
    }

    /// What the transfers of an interaction write, each once.
    fn targets(
        &mut self,
        transfers: &'p [TransferDef],
        happening: &Happening<'p>,
        env: &Env<'p>,
    ) -> Option<FxHashMap<(Port, usize), Span>> {
        let mut found: FxHashMap<(Port, usize), Span> = FxHashMap::default();
        for transfer in transfers {
            for scope in self.scopes_of(transfer, &happening.tree.scope.clone(), env)? {
                let Some(port) = self.port_of(transfer, &scope, happening, env)? else { continue };
                if let Some(first) = found.insert((port, transfer.datum), transfer.span) {
                    let datum = happening.tree.def.ports[port.0].data[transfer.datum].name.name;
                    let name = format!("{}.{datum}", happening.tree.name(port));
                    let (span, chain) = (transfer.span, self.chain(env.instance));
                    self.report(WrittenTwice { span, name, first, chain });
                    return None;
                }
            }
        }
        Some(found)
    }

    /// The value that a transfer moves.
    fn moved(
        &mut self,
        transfer: &'p TransferDef,
        datum: &'p DatumDef,
        scope: &Scope<'p>,
        risen: &Risen<'p>,
        (happening, env): (&Happening<'p>, &Env<'p>),
        asked: &mut Asked,
    ) -> Option<TermId> {
        if !self.all_known(&transfer.value, scope, happening, env) {
            return None;
        }
        let mut lowering = self.lowering();
        let sort = lowering.sort(datum.sort, scope);
        let term = lowering.term(&transfer.value, scope);
        let term = lowering.fit(term, &sort, transfer.value.span);
        asked.owed.append(&mut lowering.owed);
        let known = (risen.open.as_slice(), &risen.scope);
        self.places_known(&[term], &transfer.value, known, happening, env).then_some(term)
    }

    // ---- what has no value ----

    /// Whether all data that an expression reads has a value.
    fn all_known(
        &mut self,
        expr: &'p Expr,
        scope: &Scope<'p>,
        happening: &Happening<'p>,
        env: &Env<'p>,
    ) -> bool {
        let mut absent: Option<LocalId> = None;
        expr.each_local(&mut |id| {
            let is_data = scope.locals[id.index()].kind == LocalKind::VectorData;
            if is_data && !scope.values.contains_key(&id) {
                absent = absent.or(Some(id));
            }
        });
        let Some(id) = absent else { return true };
        self.no_value(expr, id, scope, happening, env);
        false
    }

    /// Whether no term reads a place of a family that has no value.
    fn places_known(
        &mut self,
        terms: &[TermId],
        expr: &'p Expr,
        (open, scope): (&[(LocalId, VarId)], &Scope<'p>),
        happening: &Happening<'p>,
        env: &Env<'p>,
    ) -> bool {
        for &(id, base) in open {
            if terms.iter().any(|term| self.terms.free_vars(*term).contains(&base)) {
                self.no_value(expr, id, scope, happening, env);
                return false;
            }
        }
        true
    }

    fn no_value(
        &mut self,
        expr: &'p Expr,
        id: LocalId,
        scope: &Scope<'p>,
        happening: &Happening<'p>,
        env: &Env<'p>,
    ) {
        let span = expr.place_of(id).unwrap_or(expr.span);
        let name = scope.locals[id.index()].name.to_string();
        let (interaction, used) = (happening.in_words(), happening.tree.used);
        let chain = self.chain(env.instance);
        self.report(NoPortValue { span, name, interaction, used, chain });
    }
}
