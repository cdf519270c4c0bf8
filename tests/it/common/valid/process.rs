//! Processes.

use super::World;
use super::component::{Component, Head, Kind, Origin, Param, Source};
use super::data::Ty;
use super::expr::Scope;
use super::text::NOT;

const PARAMS: &[&str] = &["max", "id", "limit", "anfang", "mode_of"];
const VARS: &[&str] =
    &["count", "level", "t", "buffer", "größe", "flag", "total", "item", "`final`", "имя"];
const STATES: &[&str] =
    &["idle", "busy", "s0", "s1", "left", "right", "geöffnet", "`when`", "wait", "done", "zurück"];

struct Transition {
    source: usize,
    target: usize,
    action: String,
    guard: Vec<String>,
    updates: Vec<String>,
}

/// What the transitions of a process are made with.
struct Work {
    scope: Scope,
    /// How many of the names in scope are parameters.
    params: usize,
    vars: usize,
    /// The parameter that is an action, and its number.
    action_param: Option<(String, usize)>,
    offer: Vec<Source>,
    transitions: Vec<Transition>,
    taken: Vec<(usize, usize, String)>,
}

impl World<'_> {
    /// A process; its number is returned.
    pub fn process(&mut self) -> usize {
        let name = self.fresh(&["Timer", "Sender", "Medium", "Wächter", "Station"]);
        let (params, mut work) = self.params();
        let declared = self.variables(&mut work);
        let mut states: Vec<String> = STATES.iter().map(|s| (*s).to_owned()).collect();
        self.random.shuffle(&mut states);
        let count = self.random.between(1, 5);
        states.truncate(count);
        for target in 1..count {
            let source = self.random.below(target);
            self.transition(&mut work, source, target);
        }
        for _ in 0..self.random.between(1, 4) {
            let (source, target) = (self.random.below(count), self.random.below(count));
            self.transition(&mut work, source, target);
        }
        self.read_everything(&mut work);
        let (head, vars) = declared;
        self.write_process(&name, &head, &vars, &states, &work);
        let vars = work.scope.vars[work.params..work.params + work.vars].iter();
        let vars = vars.map(|var| (var.name.clone(), var.ty.clone())).collect();
        let kind = Kind::Process { vars, states };
        let (holes, offer) = (Vec::new(), work.offer);
        self.components.push(Component {
            name,
            params,
            offer,
            unclear: false,
            holes,
            own_holes: 0,
            kind,
        });
        self.components.len() - 1
    }

    fn params(&mut self) -> (Vec<Param>, Work) {
        let mut names: Vec<&str> = PARAMS.to_vec();
        self.random.shuffle(&mut names);
        let (mut params, mut scope) = (Vec::new(), Scope::default());
        for _ in 0..[0, 0, 1, 1, 2][self.random.below(5)] {
            let ty = self.some_ty();
            scope.add(names[params.len()], ty.clone());
            params.push(Param::Value(names[params.len()].to_owned(), ty));
        }
        let mut action_param = None;
        if self.random.one_in(8) {
            action_param = Some((names[params.len()].to_owned(), params.len()));
            params.push(Param::Action);
        }
        let count = scope.vars.len();
        let (offer, transitions, taken) = (Vec::new(), Vec::new(), Vec::new());
        (params, Work { scope, params: count, vars: 0, action_param, offer, transitions, taken })
    }

    /// Declares variables; the parameters and the variables as texts.
    fn variables(&mut self, work: &mut Work) -> (String, Vec<String>) {
        let mut params: Vec<String> = work
            .scope
            .vars
            .iter()
            .map(|var| format!("{}: {}", var.name, self.ty_text(&var.ty)))
            .collect();
        params.extend(work.action_param.iter().map(|(name, _)| format!("{name}: Action")));
        let head =
            if params.is_empty() { String::new() } else { format!("<{}>", params.join(", ")) };
        let mut names: Vec<&str> = VARS.to_vec();
        self.random.shuffle(&mut names);
        let (mut lines, mut vars) = (Vec::new(), Vec::new());
        for name in names.iter().take(self.random.below(4)) {
            let ty = self.some_ty();
            let sort = self.ty_text(&ty);
            let initial = if self.random.one_in(4) {
                String::new()
            } else {
                format!(" = {}", self.expr(&mut work.scope, &ty, 1).text)
            };
            lines.push(format!("var {name}: {sort}{initial};"));
            vars.push((*name, ty));
        }
        work.vars = vars.len();
        vars.into_iter().for_each(|(name, ty)| work.scope.add(name, ty));
        (head, lines)
    }

    fn transition(&mut self, work: &mut Work, source: usize, target: usize) {
        let fixed = work.scope.vars.len();
        for _ in 0..10 {
            let Some((label, action)) = self.label(work, source, target) else { continue };
            work.taken.push((source, target, label));
            let (guard, updates) = self.effects(work, fixed);
            work.transitions.push(Transition { source, target, action, guard, updates });
            work.scope.vars.truncate(fixed);
            return;
        }
        // All actions are taken between these two states: one more.
        self.actions.push(super::Action { name: String::new(), sorts: Vec::new(), used: false });
        let id = self.actions.len() - 1;
        self.actions[id].name = self.fresh(&["step", "schritt"]);
        let action = self.action_text(id, &[]);
        work.offer.push(Source::new(Origin::Head(Head::Plain(id))));
        work.taken.push((source, target, format!("{action} 0")));
        let (guard, updates) = (Vec::new(), Vec::new());
        work.transitions.push(Transition { source, target, action, guard, updates });
    }

    /// The action of a transition: its head, which no other between these states has, and its text. Inputs are added
    /// to the scope.
    fn label(&mut self, work: &mut Work, source: usize, target: usize) -> Option<(String, String)> {
        let is_taken = |label: &str| {
            work.taken.iter().any(|(a, b, c)| (*a, *b, c.as_str()) == (source, target, label))
        };
        let param_unused = work
            .action_param
            .as_ref()
            .filter(|(name, _)| !work.taken.iter().any(|(_, _, label)| label == name));
        if let Some((name, index)) = param_unused.cloned() {
            work.offer.push(Source::new(Origin::Param(index)));
            return Some((name.clone(), name));
        }
        let id = self.random.below(self.actions.len());
        let wrapper = *self.random.pick(&["", "", "", "", "", "", "", "co ", "sync ", "tau"]);
        if wrapper == "tau" {
            return (!is_taken("tau")).then(|| ("tau".to_owned(), "tau".to_owned()));
        }
        let label = format!("{wrapper}{} {}", self.actions[id].name, self.actions[id].sorts.len());
        if is_taken(&label) {
            return None;
        }
        let args = self.label_args(work, id);
        let action = format!("{wrapper}{}", self.action_text(id, &args));
        match wrapper {
            "" => work.offer.push(Source::new(Origin::Head(Head::Plain(id)))),
            "co " => work.offer.push(Source::new(Origin::Head(Head::Co(id)))),
            _ => {}
        }
        Some((label, action))
    }

    fn label_args(&mut self, work: &mut Work, id: usize) -> Vec<String> {
        let sorts = self.actions[id].sorts.clone();
        let mut inputs: Vec<(String, Ty)> = Vec::new();
        let mut args = Vec::new();
        for ty in &sorts {
            args.push(match self.random.below(10) {
                0..=3 => {
                    let name = self.fresh(&["x", "in_"]);
                    inputs.push((name.clone(), ty.clone()));
                    format!("?{name}")
                }
                4 => "_".to_owned(),
                _ => self.expr(&mut work.scope, ty, 1).text,
            });
        }
        inputs.into_iter().for_each(|(name, ty)| work.scope.add(name, ty));
        args
    }

    /// The guard and the assignments of a transition; the inputs stand after `fixed`.
    fn effects(&mut self, work: &mut Work, fixed: usize) -> (Vec<String>, Vec<String>) {
        let (mut guard, mut updates) = (Vec::new(), Vec::new());
        if self.random.percent(35) {
            guard.extend(self.truth(&mut work.scope, 2).map(|truth| truth.at(NOT)));
        }
        let mut targets: Vec<usize> = (work.params..work.params + work.vars).collect();
        self.random.shuffle(&mut targets);
        for &target in targets.iter().take(self.random.below(3)) {
            let (name, ty) =
                (work.scope.vars[target].name.clone(), work.scope.vars[target].ty.clone());
            // Reading a variable only to update it is not reading it.
            let reads = work.scope.vars[target].reads;
            let value = self.expr(&mut work.scope, &ty, 2);
            work.scope.vars[target].reads = reads;
            if value.text != name {
                let sign = match (&ty, self.random.below(4)) {
                    (Ty::Int, 0) => "+=",
                    (Ty::Int, 1) => "-=",
                    _ => ":=",
                };
                updates.push(format!("{name} {sign} {}", value.text));
            }
        }
        for input in fixed..work.scope.vars.len() {
            if work.scope.vars[input].reads == 0 {
                guard.push(self.test_of(&mut work.scope, input).at(NOT));
            }
        }
        (guard, updates)
    }

    /// Adds guards so that every parameter and variable is read.
    fn read_everything(&mut self, work: &mut Work) {
        for index in 0..work.scope.vars.len() {
            if work.scope.vars[index].reads == 0 {
                let test = self.test_of(&mut work.scope, index).at(NOT);
                let transition = self.random.below(work.transitions.len());
                work.transitions[transition].guard.push(test);
            }
        }
        if let Some((name, index)) = work.action_param.clone()
            && !work.taken.iter().any(|(_, _, label)| *label == name)
        {
            work.offer.push(Source::new(Origin::Param(index)));
            let (guard, updates) = (Vec::new(), Vec::new());
            work.transitions.push(Transition {
                source: 0,
                target: 0,
                action: name,
                guard,
                updates,
            });
        }
    }

    fn write_process(
        &mut self,
        name: &str,
        head: &str,
        vars: &[String],
        states: &[String],
        work: &Work,
    ) {
        if self.random.one_in(3) {
            self.line("/// What it does.");
        }
        self.line(&format!("process {name}{head} {{"));
        for var in vars {
            self.line(&format!("    {var}"));
        }
        let finals: Vec<bool> = states.iter().map(|_| self.random.one_in(4)).collect();
        let init =
            if finals[0] { *self.random.pick(&["init final", "final init"]) } else { "init" };
        self.line(&format!("    {init} state {};", states[0]));
        for is_final in [false, true] {
            let named: Vec<&str> = (1..states.len())
                .filter(|&index| finals[index] == is_final)
                .map(|index| states[index].as_str())
                .collect();
            if !named.is_empty() {
                let mark = if is_final { "final " } else { "" };
                self.line(&format!("    {mark}state {};", named.join(", ")));
            }
        }
        self.line("");
        for transition in &work.transitions {
            if self.random.one_in(12) {
                self.line("    /// When this happens.");
            }
            let between = *self.random.pick(&[" ", " ", " ", " ", " ", "\n        "]);
            let mut text = format!(
                "    {} -> {} : {}",
                states[transition.source], states[transition.target], transition.action
            );
            if !transition.guard.is_empty() {
                text.push_str(&format!("{between}when {}", transition.guard.join(" and ")));
            }
            if !transition.updates.is_empty() {
                text.push_str(&match self.random.one_in(4) {
                    true => format!("{between}do {{ {} }}", transition.updates.join("; ")),
                    false => format!("{between}do {}", transition.updates.join(", ")),
                });
            }
            let comment = *self.random.pick(&["", "", "", "", "    // why"]);
            self.line(&format!("{text};{comment}"));
        }
        self.line("}");
        self.line("");
    }
}
