//! Nets: their parts, and what these do together.

use super::data::{Name, Ty};
use super::{Maker, SHOWN};

/// A part of a net.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    /// How many there are, if it is a family.
    pub family: Option<usize>,
    /// The actions that it shows.
    pub offers: Vec<usize>,
    /// Whether it is a hole.
    pub open: bool,
    /// The leaves that it is made of: their paths, and their processes by their numbers.
    pub leaves: Vec<(String, usize)>,
}

/// The net that is asked about.
#[derive(Clone, Debug)]
pub struct Main {
    /// How it is written in a check.
    pub instance: String,
    /// The size of its families.
    pub size: usize,
    pub parts: Vec<Part>,
}

/// What a vector is made of.
#[derive(Default)]
struct Work {
    members: Vec<String>,
    /// The variables that members bind.
    names: Vec<Name>,
    /// Whether it is repeated, and how it is.
    repeat: Option<&'static str>,
}

impl Maker<'_> {
    /// The net that is asked about, and what is in it.
    pub fn main(&mut self) -> Main {
        let size = *self.random.pick(&[1, 2, 2, 3]);
        let nested = self.random.percent(40);
        let inner = nested.then(|| self.inner());
        let (mut parts, mut subs, mut holes) = (Vec::new(), Vec::new(), Vec::new());
        if self.random.percent(45) {
            let (part, text) = self.family(size);
            parts.push(part);
            subs.push(text);
        }
        for name in ["A", "B"] {
            if parts.is_empty() || self.random.percent(70) {
                let process = self.random.below(self.processes.len());
                let index = self.random.below(2);
                let text = self.instance(process, &index.to_string());
                subs.push(format!("sub {name} = {text};"));
                let offers = self.processes[process].offers.clone();
                let leaves = vec![(name.to_owned(), process)];
                let name = name.to_owned();
                parts.push(Part { name, family: None, offers, open: false, leaves });
            }
        }
        if let Some(inner) = inner {
            self.has("net in a net");
            subs.push(format!("sub I = {};", inner.name));
            let leaves = inner.leaves.iter();
            let leaves = leaves.map(|(path, process)| (format!("I.{path}"), *process)).collect();
            parts.push(Part { name: "I".to_owned(), leaves, ..inner });
        }
        if self.random.percent(30) {
            let (part, text) = self.hole(size);
            parts.push(part);
            holes.push(text);
        }
        let lines = self.body(&parts, size);
        let holes =
            if holes.is_empty() { String::new() } else { format!("({})", holes.join(", ")) };
        self.line(&format!("net Main<n: Int>{holes} {{"));
        subs.iter().chain(&lines).for_each(|line| self.line(&format!("    {line}")));
        self.line("}");
        Main { instance: format!("Main<{size}>"), size, parts }
    }

    fn instance(&self, process: usize, index: &str) -> String {
        let process = &self.processes[process];
        if process.indexed { format!("{}<{index}>", process.name) } else { process.name.clone() }
    }

    fn family(&mut self, size: usize) -> (Part, String) {
        self.has(if size == 1 { "family of one" } else { "family" });
        let process = self.random.below(self.processes.len());
        let other = self.random.below(self.processes.len());
        let mut offers = self.processes[process].offers.clone();
        let name = "F".to_owned();
        if self.random.percent(30) {
            // The first is another than the rest.
            self.has("family of parts that differ");
            let (first, rest) = (self.instance(other, "i"), self.instance(process, "i"));
            let text = format!("sub F[i: 0..n] = if i == 0 then {first} else {rest};");
            offers.retain(|offer| self.processes[other].offers.contains(offer));
            let leaf = |at| if at == 0 { other } else { process };
            let leaves = (0..size).map(|at| (format!("F[{at}]"), leaf(at))).collect();
            return (Part { name, family: Some(size), offers, open: false, leaves }, text);
        }
        let text = format!("sub F[i: 0..n] = {};", self.instance(process, "i"));
        let leaves = (0..size).map(|at| (format!("F[{at}]"), process)).collect();
        (Part { name, family: Some(size), offers, open: false, leaves }, text)
    }

    fn hole(&mut self, size: usize) -> (Part, String) {
        let mut offers: Vec<usize> = (0..self.actions.len()).collect();
        self.random.shuffle(&mut offers);
        offers.truncate(self.random.between(1, 3));
        let sort = match self.random.percent(25) {
            true => {
                self.has("hole of any sort");
                "any".to_owned()
            }
            false => {
                self.has("hole with an interface");
                let interface = self.fresh("Face");
                let inside = offers.iter().map(|&action| {
                    let sorts = &self.actions[action].sorts;
                    let sorts: Vec<String> = sorts.iter().map(Ty::text).collect();
                    self.actions[action].with(&sorts)
                });
                let inside: Vec<String> = inside.collect();
                self.line(&format!("interface {interface} {{ {} }}", inside.join(", ")));
                interface
            }
        };
        let family = self.random.percent(20).then_some(size);
        let text = match family {
            Some(_) => {
                self.has("family of holes");
                format!("H[i: 0..n]: {sort}")
            }
            None => format!("H: {sort}"),
        };
        (Part { name: "H".to_owned(), family, offers, open: true, leaves: Vec::new() }, text)
    }

    /// A net inside: two processes that do something together, with an order among it.
    fn inner(&mut self) -> Part {
        let count = self.random.between(1, 2);
        let (mut parts, mut lines) = (Vec::new(), Vec::new());
        for name in ["X", "Y"].into_iter().take(count) {
            let process = self.random.below(self.processes.len());
            lines.push(format!("sub {name} = {};", self.instance(process, "1")));
            let offers = self.processes[process].offers.clone();
            let leaves = vec![(name.to_owned(), process)];
            parts.push(Part { name: name.to_owned(), family: None, offers, open: false, leaves });
        }
        let mut offers = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let mut work = Work::default();
            for part in &parts {
                if work.members.is_empty() || self.random.percent(50) {
                    self.member(part, None, &mut work);
                }
            }
            if work.members.is_empty() {
                continue;
            }
            let action = self.random.below(self.actions.len());
            let sorts = self.actions[action].sorts.clone();
            let names = work.names.clone();
            let shown: Vec<String> = sorts.iter().map(|ty| self.expr(ty, &names, 1)).collect();
            let shown = self.actions[action].with(&shown);
            let rival = self.rival(&parts, &work, "inner ");
            lines.push(format!("<{}> -> {shown}{rival};", work.members.join(", ")));
            offers.extend((!offers.contains(&action)).then_some(action));
        }
        if offers.len() > 1 && self.random.percent(40) {
            let [first, second] = [offers[0], offers[1]].map(|action| self.actions[action].name);
            self.has("priority inside");
            lines.push(format!("priority {first} < {second};"));
        }
        let name = self.fresh("Inner");
        self.line(&format!("net {name} {{"));
        lines.iter().for_each(|line| self.line(&format!("    {line}")));
        self.line("}");
        let leaves = parts.into_iter().flat_map(|part| part.leaves).collect();
        Part { name, family: None, offers, open: false, leaves }
    }

    fn body(&mut self, parts: &[Part], size: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for part in parts {
            let mut work = Work::default();
            self.member(part, Some(size), &mut work);
            lines.extend(self.vector(parts, work));
        }
        for _ in 0..self.random.between(2, 5) {
            let mut members: Vec<usize> = (0..parts.len()).collect();
            self.random.shuffle(&mut members);
            members.truncate(*self.random.pick(&[1, 2, 2, 2, 3]));
            let members: Vec<&Part> = members.into_iter().map(|at| &parts[at]).collect();
            match self.random.below(10) {
                0..3 => lines.extend(self.connector(&members)),
                3 => lines.extend(self.transfer(&members)),
                4 => lines.extend(self.brackets(&members, parts)),
                5 => lines.extend(self.chosen(&members)),
                _ => {
                    let mut work = Work::default();
                    members.iter().for_each(|part| self.member(part, Some(size), &mut work));
                    lines.extend(self.vector(parts, work));
                }
            }
        }
        if parts.iter().any(|part| part.open) && self.random.percent(50) {
            let family = parts.iter().any(|part| part.open && part.family.is_some());
            let hole = if family { "H[0]" } else { "H" };
            lines.push(match self.random.below(3) {
                0 => format!("<{hole}: tau> -> tau;"),
                1 => format!("<{hole}: ?z> -> z when z is not a;"),
                _ => format!("<{hole}: ?z> -> z;"),
            });
        }
        self.priorities(&mut lines);
        lines
    }

    /// One of the actions of a part.
    fn offer(&mut self, part: &Part) -> Option<usize> {
        self.random.pick_some(&part.offers).copied()
    }

    /// A part as a member of a vector, with variables, values and `_`.
    fn member(&mut self, part: &Part, size: Option<usize>, work: &mut Work) {
        let Some(action) = self.offer(part) else { return };
        let whom = match part.family {
            None => part.name.clone(),
            Some(count) if self.random.one_in(4) => {
                format!("{}[{}]", part.name, self.random.below(count))
            }
            Some(_) if size.is_some() => {
                let ranges = ["0..n", "0..n", "0..n", "1..n", "0..n - 1", "n..n"];
                work.repeat.get_or_insert(*self.random.pick(&ranges));
                format!("{}[i]", part.name)
            }
            Some(_) => format!("{}[0]", part.name),
        };
        let arguments = self.arguments(action, work);
        work.members.push(format!("{whom}: {}", self.actions[action].with(&arguments)));
    }

    fn arguments(&mut self, action: usize, work: &mut Work) -> Vec<String> {
        let sorts = self.actions[action].sorts.clone();
        let mut all = Vec::new();
        for ty in sorts {
            let shared = work.names.iter().find(|name| name.ty == ty);
            let shared = shared.map(|name| name.text.clone());
            all.push(match (self.random.below(10), shared) {
                (0, _) => self.literal(&ty),
                (1, _) => "_".to_owned(),
                (2, _) if ty == Ty::Int && work.repeat.is_some() => "i".to_owned(),
                (3..7, Some(name)) => name,
                _ => {
                    let text = format!("x{}", work.names.len());
                    work.names.push(Name::new(text.clone(), ty));
                    text
                }
            });
        }
        all
    }

    /// What a vector shows.
    fn shown(&mut self, names: &[Name]) -> String {
        let number = names.iter().find(|name| name.ty.is_number());
        match (self.random.below(8), number) {
            (0, _) => "tau".to_owned(),
            (1 | 2, Some(number)) => format!("out({})", number.text),
            _ => (*self.random.pick(&SHOWN)).to_owned(),
        }
    }

    fn vector(&mut self, parts: &[Part], work: Work) -> Option<String> {
        if work.members.is_empty() {
            return None;
        }
        let shown = self.shown(&work.names);
        let mut line = format!("<{}> -> {shown}", work.members.join(", "));
        if !work.names.is_empty() && self.random.percent(35) {
            line += &format!(" when {}", self.condition(&work.names, 2));
        }
        line += &self.rival(parts, &work, "");
        if let Some(range) = work.repeat {
            self.has(match range {
                "n..n" => "vector repeated for nobody",
                "0..n" => "vector repeated for all",
                _ => "vector repeated for some",
            });
            line += &format!(" for i in {range}");
        }
        Some(line + ";")
    }

    /// What a vector gives way to.
    fn rival(&mut self, parts: &[Part], work: &Work, place: &str) -> String {
        let closed: Vec<&Part> = parts.iter().filter(|part| !part.open).collect();
        let Some(&part) = self.random.pick_some(&closed).filter(|_| self.random.percent(20)) else {
            return String::new();
        };
        let mut inner = Work { names: work.names.clone(), ..Work::default() };
        let before = inner.names.len();
        self.member(part, None, &mut inner);
        if let Some(&other) = self.random.pick_some(&closed)
            && other.name != part.name
            && self.random.percent(40)
        {
            self.member(other, None, &mut inner);
        }
        if inner.members.is_empty() {
            return String::new();
        }
        let own: Vec<Name> = inner.names.split_off(before);
        let known = [&work.names[..], &own].concat();
        let guard = match !known.is_empty() && self.random.percent(60) {
            true => format!(" when {}", self.condition(&known, 1)),
            false => String::new(),
        };
        self.has(match (place.is_empty(), guard.is_empty()) {
            (true, true) => "unless",
            (true, false) => "unless with a guard",
            (false, _) => "unless inside",
        });
        format!(" unless <{}>{guard}", inner.members.join(", "))
    }

    /// A connector, often with triggers and all members of a family.
    fn connector(&mut self, members: &[&Part]) -> Option<String> {
        let triggers = self.random.percent(60);
        let mut ports = Vec::new();
        let mut any = false;
        for part in members {
            let Some(action) = self.offer(part) else { continue };
            let arguments = vec!["_".to_owned(); self.actions[action].sorts.len()];
            let port = self.actions[action].with(&arguments);
            let trigger = triggers && (!any || self.random.one_in(2));
            let mark = if trigger { "'" } else { "" };
            any |= trigger;
            ports.push(match part.family {
                None => format!("{}.{port}{mark}", part.name),
                Some(_) if self.random.percent(60) => {
                    self.has(match trigger {
                        true => "brackets of triggers in a connector",
                        false => "brackets in a connector",
                    });
                    // Somebody has to be left.
                    let alone = members.len() == 1;
                    let range = match alone {
                        true => "0..n",
                        false => {
                            *self.random.pick(&["0..n", "0..n", "1..n", "0..0", "0..n when i != 1"])
                        }
                    };
                    if range.contains("when") {
                        self.has("condition in brackets of a connector");
                    }
                    format!("[{}[i].{port}{mark} for i in {range}]", part.name)
                }
                Some(count) => format!("{}[{}].{port}{mark}", part.name, self.random.below(count)),
            });
        }
        if ports.is_empty() {
            return None;
        }
        let text = match ports.as_slice() {
            [first, second, third] if self.random.one_in(2) => {
                self.has("connector in a connector");
                format!("{first} [{second} {third}]")
            }
            _ => ports.join(" "),
        };
        self.has(if any { "connector with triggers" } else { "connector" });
        let name = *self.random.pick(&SHOWN);
        Some(format!("connect {name} : {text};"))
    }

    /// A connector that transfers data, with a guard.
    fn transfer(&mut self, members: &[&Part]) -> Option<String> {
        let data = |part: &&&Part| !part.offers.is_empty();
        let members: Vec<&&Part> = members.iter().filter(data).take(2).collect();
        let [from, to] = members[..] else { return None };
        let with_data = |maker: &Self, part: &Part| -> Vec<usize> {
            let offers = part.offers.iter().copied();
            offers.filter(|&action| maker.actions[action].sorts.len() == 1).collect()
        };
        let (out, into) = (with_data(self, from), with_data(self, to));
        let (&out, &into) = (self.random.pick_some(&out)?, self.random.pick_some(&into)?);
        let whom = |part: &Part| match part.family {
            Some(_) => format!("{}[0]", part.name),
            None => part.name.clone(),
        };
        let names = [Name::new("x", self.actions[out].sorts[0].clone())];
        let wanted = self.actions[into].sorts[0].clone();
        let value = self.expr(&wanted, &names, 2);
        let guard = match self.random.percent(50) {
            true => {
                self.has("transfer with a guard");
                format!(" when {}", self.condition(&names, 2))
            }
            false => String::new(),
        };
        self.has("transfer");
        let (out, into) = (self.actions[out].name, self.actions[into].name);
        let name = *self.random.pick(&SHOWN);
        let ports = format!("{}.{out}(x) {}.{into}(y)", whom(from), whom(to));
        let unless = match (self.random.percent(25), from.open, &from.offers[..]) {
            (true, false, [first, ..]) => {
                self.has("connector that gives way");
                let arguments = vec!["_".to_owned(); self.actions[*first].sorts.len()];
                format!(" unless <{}: {}>", whom(from), self.actions[*first].with(&arguments))
            }
            _ => String::new(),
        };
        Some(format!("connect {name} : {ports}{guard} do y := {value}{unless};"))
    }

    /// A vector with all members of a family in one step.
    fn brackets(&mut self, members: &[&Part], parts: &[Part]) -> Option<String> {
        let family = parts.iter().find(|part| part.family.is_some())?;
        let mut work = Work::default();
        for part in members.iter().filter(|part| part.family.is_none()).take(1) {
            self.member(part, None, &mut work);
        }
        let action = self.offer(family)?;
        let range = match work.members.is_empty() {
            true => "0..n",
            false => *self.random.pick(&["0..n", "0..n", "1..n", "0..0", "0..n when i != 1"]),
        };
        let sorts = self.actions[action].sorts.clone();
        let arguments = match (&sorts[..], self.random.percent(40)) {
            ([ty], true) if range == "0..n" && ty.is_number() => {
                self.has("array with a place for each member");
                work.names.push(Name::new("v[0]", ty.clone()));
                vec!["v[i]".to_owned()]
            }
            _ => self.arguments(action, &mut work),
        };
        let action = self.actions[action].with(&arguments);
        self.has(match range.contains("when") {
            true => "condition in brackets of a vector",
            false => "brackets in a vector",
        });
        work.members.push(format!("[{}[i]: {action} for i in {range}]", family.name));
        self.vector(parts, work)
    }

    /// A vector in which data choose the member of a family.
    fn chosen(&mut self, members: &[&Part]) -> Option<String> {
        let family = members.iter().find(|part| part.family.is_some())?;
        let from = members.iter().find(|part| part.family.is_none())?;
        let numbers = from.offers.iter().copied();
        let numbers: Vec<usize> = numbers
            .filter(|&action| matches!(&self.actions[action].sorts[..], [ty] if ty.is_number()))
            .collect();
        let (&out, action) = (self.random.pick_some(&numbers)?, self.offer(family)?);
        let arguments = vec!["_".to_owned(); self.actions[action].sorts.len()];
        let action = self.actions[action].with(&arguments);
        self.has("member chosen by data");
        let (from, out, family) = (&from.name, self.actions[out].name, &family.name);
        Some(format!("<{from}: {out}(x), {family}[x]: {action}> -> k0;"))
    }

    fn priorities(&mut self, lines: &mut Vec<String>) {
        if self.random.percent(35) {
            let mut names = SHOWN;
            self.random.shuffle(&mut names);
            self.has("priority");
            let [low, middle, high, _] = names;
            lines.push(match self.random.below(6) {
                0 | 1 => format!("priority {low} < {middle} < {high};"),
                2 => {
                    self.has("priority over all others");
                    format!("priority * < {high};")
                }
                3 => {
                    self.has("priority of values");
                    format!("priority out(i) < {high}, {low} < out(1) for i in 0..1;")
                }
                _ => format!("priority {low} < {high};"),
            });
        }
        if lines.iter().any(|line| line.starts_with("connect")) && self.random.percent(25) {
            self.has("maximal progress");
            lines.push("priority maximal;".to_owned());
        }
    }
}
