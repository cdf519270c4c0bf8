//! Processes.

use super::data::{Name, Ty};
use super::{Maker, Process};

impl Maker<'_> {
    /// Makes a process.
    pub fn process(&mut self) {
        let name = self.fresh("P");
        let indexed = self.random.percent(40);
        let mut own: Vec<usize> = (0..self.actions.len()).collect();
        self.random.shuffle(&mut own);
        own.truncate(self.random.between(2, 3));
        let states = *self.random.pick(&[1, 2, 2, 3, 3]);
        let head = if indexed { format!("{name}<me: Int>") } else { name.clone() };
        self.line(&format!("process {head} {{"));
        let variables = self.variables(indexed);
        let ends = self.random.percent(30);
        for state in 0..states {
            let mark = match (state, ends && state + 1 == states) {
                (0, true) => "init final ",
                (0, false) => "init ",
                (_, true) => "final ",
                _ => "",
            };
            if ends {
                self.has("final state");
            }
            self.line(&format!("    {mark}state s{state};"));
        }
        let mut way: Vec<(usize, usize)> = (0..states).map(|at| (at, (at + 1) % states)).collect();
        if ends {
            way.pop();
        }
        for _ in 0..self.random.between(1, 3) {
            way.push((self.random.below(states), self.random.below(states)));
        }
        let mut offers: Vec<usize> = Vec::new();
        for (source, target) in way {
            let offer = self.transition((source, target), &own, &variables, indexed);
            offers.extend(offer.filter(|offer| !offers.contains(offer)));
        }
        if let [first, second, ..] = offers[..]
            && self.random.percent(15)
        {
            self.has("priority in a process");
            let names = [first, second].map(|action| self.actions[action].name);
            let low = if self.random.one_in(3) { "tau" } else { names[0] };
            self.line(&format!("    priority {low} < {};", names[1]));
        }
        self.line("}");
        self.processes.push(Process { name, indexed, states, variables, offers });
    }

    fn variables(&mut self, indexed: bool) -> Vec<Name> {
        let mut variables: Vec<Name> = Vec::new();
        for text in ["v", "w"].into_iter().take(self.random.below(3)) {
            let ty = self.ty(false);
            let initial = match &ty {
                Ty::Range(0, high) if indexed && self.random.one_in(3) => {
                    format!(" = me mod {high}")
                }
                Ty::Int if indexed && self.random.one_in(3) => " = me".to_owned(),
                Ty::Bool | Ty::Range(..) | Ty::Colour | Ty::UpToK | Ty::Msg
                    if self.random.percent(12) =>
                {
                    self.has("variable without initial value");
                    String::new()
                }
                Ty::Array(_, inner) if **inner == Ty::Bool && self.random.percent(20) => {
                    self.has("array without initial value");
                    String::new()
                }
                ty if !ty.has_literals() => {
                    self.has("array of ranges or arrays");
                    String::new()
                }
                Ty::Int if self.random.percent(6) => {
                    self.has("integer without initial value");
                    String::new()
                }
                _ => format!(" = {}", self.literal(&ty)),
            };
            self.line(&format!("    var {text}: {}{initial};", ty.text()));
            variables.push(Name::new(text, ty));
        }
        variables
    }

    fn transition(
        &mut self,
        (source, target): (usize, usize),
        own: &[usize],
        variables: &[Name],
        indexed: bool,
    ) -> Option<usize> {
        let mut guards: Vec<String> = Vec::new();
        let mut known = variables.to_vec();
        let (offer, text) = match self.random.percent(6) {
            true => (None, "tau".to_owned()),
            false => {
                let action = *self.random.pick(own);
                (Some(action), self.label(action, variables, &mut known, indexed))
            }
        };
        let mut updates: Vec<String> = Vec::new();
        for variable in variables {
            if self.random.percent(45) {
                let value = self.new_value(variable, &known, &mut guards);
                updates.push(format!("{} := {value}", variable.text));
                if matches!(variable.ty, Ty::Int) && self.random.percent(30) {
                    updates.pop();
                    updates.push(format!("{} += {value}", variable.text));
                }
            }
        }
        if !known.is_empty() && self.random.percent(35) {
            guards.push(self.condition(&known, 2));
        }
        let mut line = format!("    s{source} -> s{target} : {text}");
        if !guards.is_empty() {
            line += &format!(" when {}", guards.join(" and "));
        }
        if !updates.is_empty() {
            line += &match self.random.percent(30) {
                true => {
                    self.has("assignments in sequence");
                    format!(" do {{ {} }}", updates.join("; "))
                }
                false => format!(" do {}", updates.join(", ")),
            };
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
                    known.push(Name::new(text.clone(), ty));
                    format!("?{text}")
                }
                4 => "_".to_owned(),
                5 if indexed && ty == Ty::Int => "me".to_owned(),
                _ => self.expr(&ty, variables, 1),
            });
        }
        self.actions[action].with(&arguments)
    }

    /// What a variable becomes; guards mostly keep integers small.
    fn new_value(&mut self, variable: &Name, known: &[Name], guards: &mut Vec<String>) -> String {
        if variable.ty != Ty::Int {
            return self.expr(&variable.ty, known, 2);
        }
        let text = &variable.text;
        if self.random.percent(7) {
            self.has("integer that grows");
            return format!("{text} + 1");
        }
        let input = known.iter().find(|name| name.ty == Ty::Int && name.text.starts_with('x'));
        match (self.random.below(4), input) {
            (0 | 1, Some(input)) => {
                guards.push(format!("{0} >= 0 and {0} < 3", input.text));
                input.text.clone()
            }
            (0 | 1, _) => {
                let limit = if self.symbolic { "K" } else { "3" };
                guards.push(format!("{text} < {limit}"));
                format!("{text} + 1")
            }
            (2, _) => {
                guards.push(format!("{text} > 0"));
                format!("{text} - 1")
            }
            _ => self.literal(&Ty::Int),
        }
    }
}
