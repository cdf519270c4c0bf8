//! Nets: parts, vectors, connectors and priorities.

use super::component::{
    Around, Component, Head, Hole, Instance, Kind, Origin, Param, Set, Source, certain,
};
use super::data::Ty;
use super::expr::Scope;
use super::text::NOT;
use super::{Action, World};

const PARAMS: &[&str] = &["n", "size_of", "grenze"];
const VARS: &[&str] = &["x", "y", "z", "m", "d", "k", "wert", "`sub`"];

struct Part {
    name: String,
    /// The number of members as it is written, and as it is known.
    family: Option<(String, Option<i64>)>,
    /// What must be let through.
    heads: Vec<Head>,
    offer: Vec<Source>,
    unclear: bool,
    is_any: bool,
}

/// A vector or a connector.
struct Statement {
    head: String,
    guard: Vec<String>,
    tail: String,
}

#[derive(Default)]
struct Work {
    around: Around,
    params: Vec<Param>,
    param_texts: Vec<String>,
    /// The parameter that is an action, until it is used.
    action_param: Option<(String, usize)>,
    parts: Vec<Part>,
    subs: Vec<(String, bool, Instance)>,
    sub_lines: Vec<String>,
    statements: Vec<Statement>,
    offer: Vec<Source>,
    unclear: bool,
    /// The names that a priority can use.
    shown: Vec<String>,
}

impl Work {
    /// Adds a statement that uses a parameter; without one, its name must say that it is not used.
    fn use_param(&mut self, name: &str, head: Option<String>, guard: Vec<String>) {
        match head {
            Some(head) => self.statements.push(Statement { head, guard, tail: String::new() }),
            None => {
                let declared = self.param_texts.iter_mut().find(|text| text.starts_with(name));
                declared.into_iter().for_each(|text| text.insert(0, '_'));
            }
        }
    }
}

/// What a vector or connector has so far.
struct Vector {
    scope: Scope,
    /// The names in scope that are parameters of the net.
    params: usize,
    index: Option<(String, String)>,
    names: Vec<&'static str>,
}

impl World<'_> {
    // ---- nets that are other nets ----

    /// `net A(P: any) = B(P, X);`
    pub fn alias(&mut self) -> Option<usize> {
        let fitting: Vec<usize> = (0..self.components.len())
            .filter(|&id| (1..6).contains(&self.components[id].holes.len()))
            .collect();
        let id = *self.random.pick_some(&fitting)?;
        let used = self.used();
        let mut around = Around::default();
        let mut params = Vec::new();
        let mut texts = Vec::new();
        if self.random.one_in(3) && !self.components[id].params.is_empty() {
            let ty = self.plain_ty();
            texts.push(format!("n: {}", self.ty_text(&ty)));
            around.scope.add("n", ty.clone());
            params.push(Param::Value("n".to_owned(), ty));
        }
        // A hole of its own for each hole that could take one.
        let mut wanted = self.components[id].holes.clone();
        wanted.retain(|hole| hole.family.is_none());
        for hole in wanted {
            if self.random.one_in(2) {
                let path = vec![self.fresh(&["P", "Q", "Loch"])];
                around.holes.push(Hole { path, ..hole });
                around.passed.push(false);
            }
        }
        around.own_holes = around.holes.len();
        let instance = self.instance(id, &mut around, None, 1);
        // What was not used after all is left out, unless that would change the numbers of holes.
        let unread = around.scope.vars.iter().any(|var| var.reads == 0);
        if unread || around.passed[..around.own_holes].contains(&false) {
            self.forget_uses(&used);
            return None;
        }
        let name = self.fresh(&["Filled", "Gefüllt"]);
        let holes = self.hole_list(&around);
        let text_params =
            if texts.is_empty() { String::new() } else { format!("<{}>", texts.join(", ")) };
        self.line(&format!("net {name}{text_params}{holes} = {};", instance.text));
        let (offer, unclear) = (instance.offer.clone(), instance.unclear);
        let (holes, own_holes) = (around.holes, around.own_holes);
        let kind = Kind::Alias(instance);
        self.components.push(Component { name, params, offer, unclear, holes, own_holes, kind });
        Some(self.components.len() - 1)
    }

    fn hole_list(&self, around: &Around) -> String {
        let hole = |hole: &Hole| {
            let sort = hole.interface.map_or("any", |id| self.interfaces[id].name.as_str());
            match hole.family {
                Some(size) => format!("{}[i: 0..{size}]: {sort}", hole.path[0]),
                None => format!("{}: {sort}", hole.path[0]),
            }
        };
        let all: Vec<String> = around.holes[..around.own_holes].iter().map(hole).collect();
        if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
    }

    // ---- nets with a block ----

    /// A net with parts and vectors or connectors; its number is returned.
    pub fn block_net(&mut self) -> usize {
        let mut work = Work::default();
        self.net_params(&mut work);
        self.own_holes(&mut work);
        self.subs(&mut work);
        self.connect_parts(&mut work);
        self.use_params(&mut work);
        self.write_net(work)
    }

    fn net_params(&mut self, work: &mut Work) {
        let mut names = PARAMS.to_vec();
        self.random.shuffle(&mut names);
        for name in names.iter().take([0, 0, 1, 1, 2][self.random.below(5)]) {
            let ty = if self.random.one_in(3) {
                Ty::Range(2, 5, "2..5".to_owned())
            } else {
                self.plain_ty()
            };
            work.param_texts.push(format!("{name}: {}", self.ty_text(&ty)));
            work.around.scope.add(*name, ty.clone());
            work.params.push(Param::Value((*name).to_owned(), ty));
        }
        if self.random.one_in(6) {
            let number = work.params.len();
            work.around.sets.push(("G".to_owned(), number, false));
            work.params.push(Param::Set);
            work.param_texts.push("G: actions".to_owned());
        }
        if self.random.one_in(8) {
            work.action_param = Some(("shown_as".to_owned(), work.params.len()));
            work.params.push(Param::Action);
            work.param_texts.push("shown_as: Action".to_owned());
        }
    }

    fn own_holes(&mut self, work: &mut Work) {
        let needs_any = !work.around.sets.is_empty();
        let count = self.random.below(3).max(usize::from(needs_any));
        for number in 0..count {
            let name = self.fresh(&["P", "Q", "Loch"]);
            let interface = if self.random.one_in(2)
                && !self.interfaces.is_empty()
                && !(needs_any && number == 0)
            {
                Some(self.random.below(self.interfaces.len()))
            } else {
                None
            };
            let size = self.random.between(2, 4) as i64;
            let family = (self.random.one_in(6) && interface.is_some()).then_some(size);
            let heads = interface.map_or(Vec::new(), |id| {
                self.interfaces[id].actions.iter().map(|&id| Head::Plain(id)).collect()
            });
            work.around.holes.push(Hole { path: vec![name.clone()], interface, family });
            work.around.passed.push(false);
            work.parts.push(Part {
                name,
                family: family.map(|size| (size.to_string(), Some(size))),
                heads,
                offer: vec![Source::new(Origin::Hole(number))],
                unclear: false,
                is_any: interface.is_none(),
            });
        }
        work.around.own_holes = count;
    }

    fn subs(&mut self, work: &mut Work) {
        let least = usize::from(work.parts.is_empty());
        for _ in 0..self.random.between(least, 3) {
            let family = if self.random.one_in(5) { Some(self.family_size(work)) } else { None };
            let small = |component: &Component| {
                let is_process = matches!(component.kind, Kind::Process { .. });
                is_process || family.is_none() && component.holes.len() < 4
            };
            let fitting: Vec<usize> =
                (0..self.components.len()).filter(|&id| small(&self.components[id])).collect();
            let id = *self.random.pick(&fitting);
            let name = self.fresh(&["C", "left", "Teil"]);
            if let Some((_, known)) = &family {
                let ty = known.map_or(Ty::Int, |size| Ty::Range(0, size, format!("0..{size}")));
                work.around.scope.add("i", ty);
            }
            let instance = self.instance(id, &mut work.around, Some(&name), 1);
            let index = match &family {
                Some((size, _)) => {
                    work.around.scope.vars.pop();
                    format!("[i: 0..{size}]")
                }
                None => String::new(),
            };
            work.sub_lines.push(format!("sub {name}{index} = {};", instance.text));
            work.parts.push(Part {
                name: name.clone(),
                heads: certain(&instance.offer),
                offer: instance.offer.clone(),
                unclear: instance.unclear,
                is_any: false,
                family: family.clone(),
            });
            work.subs.push((name, family.is_some(), instance));
        }
    }

    /// How many members a family has: a number, a constant or a parameter.
    fn family_size(&mut self, work: &mut Work) -> (String, Option<i64>) {
        let params = &mut work.around.scope.vars;
        let range = params.iter().position(|var| matches!(var.ty, Ty::Range(2, 5, _)));
        if let (Some(index), true) = (range, self.random.one_in(2)) {
            return (work.around.scope.read(index), None);
        }
        let size = self.random.between(2, 4) as i64;
        (size.to_string(), Some(size))
    }

    // ---- who acts with whom ----

    fn connect_parts(&mut self, work: &mut Work) {
        let mut pending: Vec<(usize, Head)> = Vec::new();
        for index in 0..work.parts.len() {
            if index < work.around.own_holes && work.around.passed[index] {
                continue;
            }
            let part = &work.parts[index];
            let nothing_certain = part.heads.is_empty();
            if part.is_any || nothing_certain || self.random.one_in(6) {
                self.whatever_it_does(work, index);
            } else {
                pending.extend(part.heads.iter().map(|&head| (index, head)));
            }
        }
        self.random.shuffle(&mut pending);
        let connectors = self.random.one_in(3);
        while !pending.is_empty() {
            let plain = pending.iter().filter(|(_, head)| matches!(head, Head::Plain(_))).count();
            if connectors && plain > 0 {
                self.connector(work, &mut pending);
            } else {
                self.vector(work, &mut pending);
            }
        }
    }

    fn new_vector(&mut self, work: &Work) -> Vector {
        let scope = work.around.scope.clone();
        let params = scope.vars.len();
        let mut names = VARS.to_vec();
        self.random.shuffle(&mut names);
        Vector { scope, params, index: None, names }
    }

    /// How a part is named in a vector; a family is indexed.
    fn part_text(&mut self, vector: &mut Vector, part: &Part) -> String {
        let Some((size, known)) = &part.family else { return part.name.clone() };
        match &vector.index {
            Some((index, bound)) if bound == size => {
                format!("{}[({index} + 1) mod {size}]", part.name)
            }
            Some(_) => format!("{}[0]", part.name),
            None => {
                let index = (*self.random.pick(&["i", "j"])).to_owned();
                let ty = known.map_or(Ty::Int, |size| Ty::Range(0, size, format!("0..{size}")));
                vector.scope.add(index.clone(), ty);
                if let Some(var) = vector.scope.vars.last_mut() {
                    var.reads = 2;
                }
                vector.index = Some((index.clone(), size.clone()));
                format!("{}[{index}]", part.name)
            }
        }
    }

    /// The arguments of an action of a member.
    fn member_args(&mut self, vector: &mut Vector, sorts: &[Ty]) -> Vec<String> {
        let mut args = Vec::new();
        for ty in sorts {
            let known: Vec<usize> = (0..vector.scope.vars.len())
                .filter(|&index| vector.scope.vars[index].ty.same(ty))
                .collect();
            if let (Some(&index), true) = (self.random.pick_some(&known), self.random.percent(40)) {
                args.push(vector.scope.read(index));
            } else if self.random.one_in(10) {
                args.push("_".to_owned());
            } else if self.random.one_in(12) {
                args.push(self.value(ty, 1).text);
            } else {
                let name = match vector.names.pop() {
                    Some(name) => name.to_owned(),
                    None => self.fresh(&["v"]),
                };
                vector.scope.add(name.clone(), ty.clone());
                args.push(vector.scope.read(vector.scope.vars.len() - 1));
            }
        }
        args
    }

    /// Takes one of the actions that must be let through, and others of other parts that act with it.
    fn together(
        &mut self,
        pending: &mut Vec<(usize, Head)>,
        most: usize,
        co: bool,
    ) -> Vec<(usize, Head)> {
        let mut chosen: Vec<(usize, Head)> = Vec::new();
        let mut at = pending.len();
        while at > 0 && chosen.len() < most {
            at -= 1;
            let (part, head) = pending[at];
            let fits = co || matches!(head, Head::Plain(_));
            if fits && chosen.iter().all(|(other, _)| *other != part) {
                chosen.push(pending.remove(at));
            }
        }
        chosen
    }

    fn vector(&mut self, work: &mut Work, pending: &mut Vec<(usize, Head)>) {
        let most = *self.random.pick(&[1, 1, 2, 2, 3]);
        let chosen = self.together(pending, most, true);
        let mut vector = self.new_vector(work);
        let mut members = Vec::new();
        for (part, head) in chosen {
            let place = self.part_text(&mut vector, &work.parts[part]);
            let sorts = self.actions[head.action()].sorts.clone();
            let args = self.member_args(&mut vector, &sorts);
            let co = if matches!(head, Head::Co(_)) { "co " } else { "" };
            members.push(format!("{place}: {co}{}", self.action_text(head.action(), &args)));
        }
        let result = self.result(work, &mut vector);
        let head = format!("<{}> -> {result}", members.join(", "));
        self.finish(work, vector, head, Vec::new(), String::new());
    }

    /// What a vector shows.
    fn result(&mut self, work: &mut Work, vector: &mut Vector) -> String {
        if let (Some((name, index)), true) = (work.action_param.clone(), self.random.one_in(2)) {
            work.action_param = None;
            work.offer.push(Source::new(Origin::Param(index)));
            return name;
        }
        let wrapper = *self.random.pick(&["", "", "", "tau", "sync ", "co "]);
        if wrapper == "tau" {
            return wrapper.to_owned();
        }
        let id = self.random.below(self.actions.len());
        let sorts = self.actions[id].sorts.clone();
        let mut args = Vec::new();
        for ty in &sorts {
            let known: Vec<usize> = (0..vector.scope.vars.len())
                .filter(|&index| vector.scope.vars[index].ty.same(ty))
                .collect();
            args.push(match self.random.pick_some(&known) {
                Some(&index) => vector.scope.read(index),
                None => self.value(ty, 1).text,
            });
        }
        match wrapper {
            "" => work.offer.push(Source::new(Origin::Head(Head::Plain(id)))),
            "co " => work.offer.push(Source::new(Origin::Head(Head::Co(id)))),
            _ => {}
        }
        let name = self.actions[id].name.clone();
        if !work.shown.contains(&name) {
            work.shown.push(name);
        }
        format!("{wrapper}{}", self.action_text(id, &args))
    }

    /// Adds the guard and the repetition, and keeps the statement.
    fn finish(
        &mut self,
        work: &mut Work,
        mut vector: Vector,
        head: String,
        mut guard: Vec<String>,
        transfer: String,
    ) {
        if self.random.percent(20) {
            guard.extend(self.truth(&mut vector.scope, 1).map(|truth| truth.at(NOT)));
        }
        for index in vector.params..vector.scope.vars.len() {
            if vector.scope.vars[index].reads == 1 {
                guard.push(self.test_of(&mut vector.scope, index).at(NOT));
            }
        }
        for index in 0..vector.params {
            work.around.scope.vars[index].reads = vector.scope.vars[index].reads;
        }
        let repeat = match &vector.index {
            Some((index, size)) => format!(" for {index} in 0..{size}"),
            None => String::new(),
        };
        work.statements.push(Statement { head, guard, tail: format!("{transfer}{repeat}") });
    }

    fn connector(&mut self, work: &mut Work, pending: &mut Vec<(usize, Head)>) {
        let most = self.random.between(1, 4);
        let chosen = self.together(pending, most, false);
        let mut vector = self.new_vector(work);
        let mut ports = Vec::new();
        for (part, head) in chosen {
            let place = self.part_text(&mut vector, &work.parts[part]);
            let sorts = self.actions[head.action()].sorts.clone();
            let args = self.member_args(&mut vector, &sorts);
            ports.push(format!("{place}.{}", self.action_text(head.action(), &args)));
        }
        let ports = self.nested(ports, 2);
        let own: Vec<usize> = (vector.params..vector.scope.vars.len()).collect();
        let exported: Vec<usize> = own.iter().copied().take(self.random.below(3)).collect();
        let sorts: Vec<Ty> =
            exported.iter().map(|&index| vector.scope.vars[index].ty.clone()).collect();
        let exports: Vec<String> = exported.iter().map(|&index| vector.scope.read(index)).collect();
        let name = self.fresh(&["meet", "treffen"]);
        self.actions.push(Action { name: name.clone(), sorts, used: false });
        let id = self.actions.len() - 1;
        let shown = self.action_text(id, &exports);
        work.offer.push(Source::new(Origin::Head(Head::Plain(id))));
        work.shown.push(name);
        let transfer = self.transfer(&mut vector);
        self.finish(work, vector, format!("connect {shown} : {ports}"), Vec::new(), transfer);
    }

    fn nested(&mut self, ports: Vec<String>, depth: usize) -> String {
        let mut texts: Vec<String> = Vec::new();
        let mut rest = ports.as_slice();
        while !rest.is_empty() {
            let take = if depth > 0 && self.random.one_in(3) {
                self.random.between(1, rest.len())
            } else {
                1
            };
            let (some, others) = rest.split_at(take);
            let inner = if take > 1 || depth > 0 && self.random.one_in(8) {
                format!("[{}]", self.nested(some.to_vec(), depth - 1))
            } else {
                some[0].clone()
            };
            let trigger = *self.random.pick(&["", "", "'"]);
            texts.push(format!("{inner}{trigger}"));
            rest = others;
        }
        texts.join(" ")
    }

    fn transfer(&mut self, vector: &mut Vector) -> String {
        let own: Vec<usize> = (vector.params..vector.scope.vars.len())
            .filter(|&index| {
                vector.index.as_ref().is_none_or(|(i, _)| *i != vector.scope.vars[index].name)
            })
            .collect();
        let Some(&target) = self.random.pick_some(&own) else { return String::new() };
        if self.random.one_in(2) {
            return String::new();
        }
        let ty = vector.scope.vars[target].ty.clone();
        let value = self.expr(&mut vector.scope, &ty, 1);
        format!(" do {} := {}", vector.scope.read(target), value.text)
    }

    // ---- parts of which only little is known ----

    /// Vectors that take whatever a part does.
    fn whatever_it_does(&mut self, work: &mut Work, part: usize) {
        let mut vector = self.new_vector(work);
        let place = self.part_text(&mut vector, &work.parts[part]);
        let variable = *self.random.pick(&["a", "b", "ereignis"]);
        let (mut tests, mut guard) = (Vec::new(), Vec::new());
        if let Some((text, set, negated)) = self.action_test(work, variable) {
            guard.push(text);
            tests.push((set, negated));
        }
        let head = format!("<{place}: ?{variable}> -> {variable}");
        for mut source in work.parts[part].offer.clone() {
            source.tests.extend(tests.clone());
            work.offer.push(source);
        }
        work.unclear |= work.parts[part].unclear;
        let index_only = vector.index.is_some();
        self.finish_whatever(work, vector, head, guard);
        if work.parts[part].is_any && !index_only && self.random.one_in(3) {
            self.silent_steps(work, part);
        }
    }

    /// No further guard: it would make the offer unclear.
    fn finish_whatever(
        &mut self,
        work: &mut Work,
        vector: Vector,
        head: String,
        guard: Vec<String>,
    ) {
        let repeat = match &vector.index {
            Some((index, size)) => format!(" for {index} in 0..{size}"),
            None => String::new(),
        };
        work.statements.push(Statement { head, guard, tail: repeat });
    }

    fn silent_steps(&mut self, work: &mut Work, part: usize) {
        let name = &work.parts[part].name;
        let head = match self.random.below(3) {
            0 => format!("<{name}: tau> -> tau"),
            1 => format!("<{name}: sync ?a> -> sync a"),
            _ => format!("<{name}: co ?a> -> co a"),
        };
        work.unclear |= head.contains("co ?a");
        work.statements.push(Statement { head, guard: Vec::new(), tail: String::new() });
    }

    /// A test of an action variable.
    fn action_test(&mut self, work: &mut Work, variable: &str) -> Option<(String, Set, bool)> {
        if let Some(set) = work.around.sets.iter_mut().find(|set| !set.2) {
            set.2 = true;
            let negated = self.random.one_in(2);
            let word = if negated { "not in" } else { "in" };
            return Some((format!("{variable} {word} {}", set.0), Set::Param(set.1), negated));
        }
        let id = self.random.below(self.actions.len());
        match self.random.below(6) {
            0 => {
                let pattern = self.blank_action(id);
                let set = Set::Known(vec![(Head::Plain(id), true)]);
                Some((format!("{variable} is not {pattern}"), set, true))
            }
            1 => {
                let (text, set) = self.set();
                let negated = self.random.one_in(2);
                let word = if negated { "not in" } else { "in" };
                Some((format!("{variable} {word} {text}"), set, negated))
            }
            2 => {
                let value = self.action_value(id);
                Some((format!("{variable} != {value}"), Set::Unclear, false))
            }
            3 if !self.actions[id].sorts.is_empty() => {
                let names: Vec<String> =
                    self.actions[id].sorts.clone().iter().map(|_| self.fresh(&["q"])).collect();
                let action = self.action_text(id, &names);
                let text = format!("(forall {} . {variable} != {action})", names.join(", "));
                Some((text, Set::Unclear, false))
            }
            _ => None,
        }
    }

    // ---- the end ----

    /// Sees to it that all parameters are read.
    fn use_params(&mut self, work: &mut Work) {
        for index in 0..work.around.scope.vars.len() {
            if work.around.scope.vars[index].reads > 0 {
                continue;
            }
            let test = self.test_of(&mut work.around.scope, index).at(NOT);
            let plain: Vec<usize> = (0..work.statements.len())
                .filter(|&index| !work.statements[index].head.contains('?'))
                .collect();
            let statement = match self.random.pick_some(&plain) {
                Some(&statement) => statement,
                None => self.random.below(work.statements.len()),
            };
            work.statements[statement].guard.push(test);
        }
        let passed = |part: usize| part < work.around.own_holes && work.around.passed[part];
        let single = |&part: &usize| work.parts[part].family.is_none() && !passed(part);
        let part = (0..work.parts.len()).find(single).map(|part| work.parts[part].name.clone());
        if let Some((name, index)) = work.action_param.take() {
            let head = part.as_ref().map(|part| format!("<{part}: tau> -> {name}"));
            work.offer.extend(head.as_ref().map(|_| Source::new(Origin::Param(index))));
            work.use_param(&name, head, Vec::new());
        }
        for (name, _, used) in std::mem::take(&mut work.around.sets) {
            if !used {
                let head = part.as_ref().map(|part| format!("<{part}: ?a> -> tau"));
                work.use_param(&name, head, vec![format!("a in {name}")]);
            }
        }
    }

    fn write_net(&mut self, work: Work) -> usize {
        let name = self.fresh(&["System", "Ring", "Verbund"]);
        let params = if work.param_texts.is_empty() {
            String::new()
        } else {
            format!("<{}>", work.param_texts.join(", "))
        };
        let holes = self.hole_list(&work.around);
        if self.random.one_in(3) {
            self.line("/// How they act together.");
        }
        self.line(&format!("net {name}{params}{holes} {{"));
        for sub in &work.sub_lines {
            self.line(&format!("    {sub}"));
        }
        if !work.sub_lines.is_empty() && !work.statements.is_empty() {
            self.line("");
        }
        for statement in &work.statements {
            let between = *self.random.pick(&[" ", " ", " ", " ", " ", "\n        "]);
            let guard = if statement.guard.is_empty() {
                String::new()
            } else {
                format!("{between}when {}", statement.guard.join(" and "))
            };
            self.line(&format!("    {}{guard}{};", statement.head, statement.tail));
        }
        self.priorities(&work.shown);
        self.line("}");
        self.line("");
        let Work { around, params, subs, offer, unclear, .. } = work;
        let (holes, own_holes, kind) = (around.holes, around.own_holes, Kind::Block(subs));
        self.components.push(Component { name, params, offer, unclear, holes, own_holes, kind });
        self.components.len() - 1
    }

    fn priorities(&mut self, shown: &[String]) {
        if shown.len() >= 2 && self.random.one_in(2) {
            let first = self.random.between(2, shown.len().min(4));
            let mut text = shown[..first].join(" < ");
            if shown.len() > first + 1 && self.random.one_in(2) {
                text = format!("{text}, {} < {}", shown[first], shown[first + 1]);
            }
            self.line(&format!("    priority {text};"));
        }
        if self.random.one_in(8) {
            self.line("    priority maximal;");
        }
    }
}
