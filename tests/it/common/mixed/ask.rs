//! Checks about what a net can reach.

use super::Maker;
use super::data::{Name, Ty};
use super::net::{Main, Part};

impl Maker<'_> {
    /// Asks something about the net.
    pub fn check(&mut self, main: &Main) {
        let instance = &main.instance;
        let not = if self.random.one_in(6) { "not " } else { "" };
        let text = match self.random.below(6) {
            5 => self.counted(main, not),
            0 => {
                self.has("deadlock_free");
                format!("check {not}deadlock_free({instance});")
            }
            1 | 2 => {
                self.has("reaches");
                format!("check {not}reaches({instance}, {});", self.property(main, 2))
            }
            _ => {
                self.has("always");
                format!("check {not}always({instance}, {});", self.property(main, 2))
            }
        };
        self.line(&text);
    }

    /// How many components are in some states.
    fn counted(&mut self, main: &Main, not: &str) -> String {
        let mut parts: Vec<String> = Vec::new();
        for part in main.parts.iter().filter(|part| !part.open) {
            for (path, process) in part.leaves.clone() {
                let states = self.processes[process].states;
                let at = self.random.below(states);
                // All members of a family are meant where no index is written.
                let whole = self.random.one_in(2);
                let path = match (&part.family, whole) {
                    (Some(_), true) => path.split('[').next().unwrap_or_default().to_owned(),
                    _ => path,
                };
                parts.push(match self.random.one_in(3) {
                    true => format!("{path} in {{ s{at}, s{} }}", self.random.below(states)),
                    false => format!("{path} in s{at}"),
                });
            }
        }
        self.random.shuffle(&mut parts);
        parts.truncate(4);
        if parts.is_empty() {
            return format!("check {not}deadlock_free({});", main.instance);
        }
        let counted = parts.join(" or ");
        match self.random.below(3) {
            0 => {
                self.has("mutex");
                format!("check {not}mutex({}, {counted});", main.instance)
            }
            _ => {
                self.has("at_most");
                let most = self.random.below(4);
                format!("check {not}at_most({}, {most}, {counted});", main.instance)
            }
        }
    }

    pub(super) fn property(&mut self, main: &Main, depth: usize) -> String {
        let first = self.claim(main);
        if depth == 0 {
            return first;
        }
        match self.random.below(8) {
            0 | 1 => format!("({first} and {})", self.property(main, depth - 1)),
            2 | 3 => format!("({first} or {})", self.property(main, depth - 1)),
            4 => format!("({first} => {})", self.property(main, depth - 1)),
            5 => format!("not {first}"),
            _ => first,
        }
    }

    fn claim(&mut self, main: &Main) -> String {
        let family = main.parts.iter().find(|part| part.family.is_some() && !part.open).cloned();
        if let Some(family) = family
            && self.random.percent(45)
        {
            return self.of_members(&family);
        }
        let leaves: Vec<(String, usize)> =
            main.parts.iter().flat_map(|part| part.leaves.iter().cloned()).collect();
        let Some((path, process)) = self.random.pick_some(&leaves).cloned() else {
            return "true".to_owned();
        };
        let others: Vec<Name> =
            leaves.iter().flat_map(|(path, process)| self.variables_at(path, *process)).collect();
        self.of_leaf(&path, process, &others)
    }

    /// The variables of a leaf by their paths.
    fn variables_at(&self, path: &str, process: usize) -> Vec<Name> {
        let variables = self.processes[process].variables.iter();
        variables.map(|one| Name::new(format!("{path}.{}", one.text), one.ty.clone())).collect()
    }

    fn of_leaf(&mut self, path: &str, process: usize, others: &[Name]) -> String {
        let states = self.processes[process].states;
        let at = self.random.below(states);
        let own = self.variables_at(path, process);
        match self.random.below(6) {
            0 | 1 => format!("{path} in s{at}"),
            2 => format!("{path} not in s{at}"),
            3 => {
                let other = self.random.below(states);
                format!("{path} in {{ s{at}, s{other} }}")
            }
            4 if !others.is_empty() => {
                self.has("property that compares variables");
                format!("({})", self.condition(others, 1))
            }
            _ if own.is_empty() => format!("{path} in s{at}"),
            _ => {
                let own = match self.random.pick(&own) {
                    // Fields and elements are written after the variable.
                    Name { text, ty: Ty::Array(..) } => {
                        vec![Name::new(text.clone(), self.sort_of(process, text))]
                    }
                    other => vec![other.clone()],
                };
                format!("({})", self.condition(&own, 1))
            }
        }
    }

    fn sort_of(&self, process: usize, path: &str) -> Ty {
        let name = path.rsplit('.').next().unwrap_or_default();
        let variables = &self.processes[process].variables;
        variables.iter().find(|one| one.text == name).map_or(Ty::Bool, |one| one.ty.clone())
    }

    /// What is said of all members of a family, or of some.
    fn of_members(&mut self, family: &Part) -> String {
        let Some(&(_, process)) = family.leaves.first() else { return "true".to_owned() };
        let variables = self.variables_at(&format!("{}[i]", family.name), process);
        let inside = self.of_leaf(&format!("{}[i]", family.name), process, &variables);
        let range = *self.random.pick(&["0..n", "0..n", "1..n", "n..n", "0..n + 1"]);
        let of_member = inside.replace(&format!("{}[i]", family.name), "x");
        match self.random.below(7) {
            4 => {
                self.has("property of all members by name");
                format!("(forall x in {} . {of_member})", family.name)
            }
            5 => {
                self.has("property of some member by name");
                format!("(exists x in {} . {of_member})", family.name)
            }
            6 => {
                self.has("property of pairs of members by name");
                let other = inside.replace(&format!("{}[i]", family.name), "y");
                let (name, same) = (&family.name, *self.random.pick(&["x == y", "not (x != y)"]));
                format!("(forall x in {name}, y in {name} . {of_member} and {other} => {same})")
            }
            0 | 1 => {
                self.has("property of all members");
                format!("(forall i: {range} . {inside})")
            }
            2 => {
                self.has("property of some member");
                format!("(exists i: {range} . {inside})")
            }
            _ => {
                self.has("property of pairs of members");
                let other = inside.replace("[i]", "[j]");
                format!("(forall i: 0..n, j: 0..n . {inside} and {other} => i == j)")
            }
        }
    }
}
