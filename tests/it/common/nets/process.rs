//! Processes.

use super::data::{Name, Ty};
use super::{Component, Maker, Offer, Wrap};

impl Maker<'_> {
    /// Makes a process.
    pub fn process(&mut self) -> Component {
        let name = self.fresh("P");
        let indexed = self.shape.families && self.random.percent(30);
        let mut own: Vec<usize> = (0..self.actions.len()).collect();
        self.random.shuffle(&mut own);
        own.truncate(self.random.between(2, 3));
        let states = *self.random.pick(&[1, 2, 2, 3, 3, 4]);
        let mut variables: Vec<Name> = Vec::new();
        let head = if indexed { format!("{name}<me: Int>") } else { name.clone() };
        self.line(&format!("process {head} {{"));
        for text in ["v", "w"].into_iter().take(self.random.below(3)) {
            let ty = self.ty();
            variables.push(Name { text: text.to_owned(), ty });
            let initial = match ty {
                Ty::Range(high) if indexed && self.random.one_in(3) => {
                    format!(" = me mod {high}")
                }
                Ty::Bool if indexed && self.random.one_in(3) => " = me == 0".to_owned(),
                // Any value to begin with.
                Ty::Bool | Ty::Range(_) | Ty::Colour if self.random.one_in(10) => String::new(),
                _ => format!(" = {}", self.literal(ty)),
            };
            self.line(&format!("    var {text}: {}{initial};", ty.text()));
        }
        let end = self.random.percent(15);
        for state in 0..states {
            let mark = match (state, end && state + 1 == states) {
                (0, _) => "init ",
                (_, true) => "final ",
                _ => "",
            };
            self.line(&format!("    {mark}state s{state};"));
        }
        let mut offers: Vec<Offer> = Vec::new();
        let mut way: Vec<(usize, usize)> = (0..states).map(|at| (at, (at + 1) % states)).collect();
        for _ in 0..self.random.between(1, 3) {
            way.push((self.random.below(states), self.random.below(states)));
        }
        for (source, target) in way {
            let offer = self.transition(source, target, &own, &variables, indexed);
            if !offers.contains(&offer) {
                offers.push(offer);
            }
        }
        if self.shape.priorities && own.len() > 1 && self.random.percent(12) {
            let (low, high) = (self.actions[own[0]].name, self.actions[own[1]].name);
            let low = if self.random.one_in(4) { "tau" } else { low };
            if low != high
                && offers.iter().any(|one| matches!(one, Offer::Act(_, at) if *at == own[0]))
            {
                self.line(&format!("    priority {low} < {high};"));
            }
        }
        self.line("}");
        let component = Component { name, indexed, offers, open: false };
        self.processes.push(component.clone());
        component
    }

    fn transition(
        &mut self,
        source: usize,
        target: usize,
        own: &[usize],
        variables: &[Name],
        indexed: bool,
    ) -> Offer {
        let mut guards: Vec<String> = Vec::new();
        let mut known = variables.to_vec();
        let (offer, text) = if self.random.percent(8) {
            (Offer::Tau, "tau".to_owned())
        } else {
            let action = *self.random.pick(own);
            let text = self.label(action, variables, &mut known, indexed);
            match self.random.below(20) {
                0 => (Offer::Act(Wrap::Co, action), format!("co {text}")),
                1 => (Offer::Act(Wrap::Sync, action), format!("sync {text}")),
                _ => (Offer::Act(Wrap::Plain, action), text),
            }
        };
        let mut updates: Vec<String> = Vec::new();
        for variable in variables {
            if self.random.percent(45) {
                let value = self.new_value(variable, &known, &mut guards);
                updates.push(format!("{} := {value}", variable.text));
            }
        }
        if !known.is_empty() && self.random.percent(30) {
            guards.push(self.condition(&known));
        }
        let mut line = format!("    s{source} -> s{target} : {text}");
        if !guards.is_empty() {
            line += &format!(" when {}", guards.join(" and "));
        }
        if !updates.is_empty() {
            line += &format!(" do {}", updates.join(", "));
        }
        self.line(&(line + ";"));
        offer
    }

    /// An action with outputs and inputs; what comes in is known afterwards.
    fn label(
        &mut self,
        action: usize,
        variables: &[Name],
        known: &mut Vec<Name>,
        indexed: bool,
    ) -> String {
        let sorts = self.actions[action].sorts.clone();
        let mut arguments: Vec<String> = Vec::new();
        for ty in sorts {
            arguments.push(match self.random.below(10) {
                0..4 => {
                    let text = format!("x{}", known.len());
                    known.push(Name { text: text.clone(), ty });
                    format!("?{text}")
                }
                4 => "_".to_owned(),
                5 if indexed && ty == Ty::Int => "me".to_owned(),
                _ => self.expr(ty, variables),
            });
        }
        self.actions[action].with(&arguments)
    }

    /// What a variable becomes; guards keep integers small.
    fn new_value(&mut self, variable: &Name, known: &[Name], guards: &mut Vec<String>) -> String {
        if variable.ty != Ty::Int {
            return self.expr(variable.ty, known);
        }
        let text = &variable.text;
        let input = known.iter().find(|name| name.ty == Ty::Int && name.text.starts_with('x'));
        match (self.random.below(4), input) {
            (0 | 1, Some(input)) => {
                guards.push(format!("{0} >= 0 and {0} < 4", input.text));
                input.text.clone()
            }
            (0 | 1, _) => {
                let limit = if self.has_limit { "LIMIT" } else { "3" };
                guards.push(format!("{text} < {limit}"));
                format!("{text} + 1")
            }
            (2, _) => {
                guards.push(format!("{text} > 0"));
                format!("{text} - 1")
            }
            _ => self.literal(Ty::Int),
        }
    }
}
