//! Nets: their parts, and what they do together.

use super::vector::Shown;
use super::{Component, Maker, Offer, Wrap};

/// A part of a net.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    /// How many there are, if it is a family.
    pub family: Option<usize>,
    pub offers: Vec<Offer>,
    /// Whether it is a hole or has some.
    pub open: bool,
}

/// More leaves are not made on purpose.
const MOST_LEAVES: usize = 5;

impl Maker<'_> {
    /// Makes a net. The outermost one has no holes to be filled.
    pub fn net(&mut self, depth: usize, outermost: bool) -> Component {
        let mut parts: Vec<Part> = Vec::new();
        let (mut subs, mut holes): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        // Holes that the net around this one fills at once.
        let mut fillers: Vec<String> = Vec::new();
        let count = *self.random.pick(&[1, 2, 2, 2, 3, 3]);
        for at in 0..count {
            let nested_next = depth > 1 && (at == 0 || self.random.percent(30));
            // An open net has a hole, at the latest here.
            let closed_yet = outermost && at + 1 == count && parts.iter().all(|part| !part.open);
            let must = self.shape.holes && closed_yet;
            let part = if nested_next && !must && self.leaves < MOST_LEAVES {
                let inner = self.net(depth - 1, false);
                let name = format!("N{at}");
                subs.push(format!("sub {name} = {};", inner.name));
                Part { name, family: None, offers: inner.offers, open: inner.open }
            } else if must || self.shape.holes && self.random.percent(50) {
                let (part, text) = self.hole(at);
                holes.push(text);
                part
            } else if !outermost && self.random.percent(15) {
                let process = self.some_process(None);
                let name = format!("H{at}");
                holes.push(format!("{name}: any"));
                fillers.push(format!("{name}: {}", self.instance(&process, "1")));
                Part { name, family: None, offers: process.offers, open: false }
            } else {
                let (part, text) = self.sub(at);
                subs.push(text);
                part
            };
            parts.push(part);
        }
        let name = self.fresh("Net");
        let mut component = self.body(&name, &parts, &subs, &holes);
        if !fillers.is_empty() {
            // What is left open stays open.
            let filled = self.fresh("Net");
            self.line(&format!("net {filled} = {name}({});", fillers.join(", ")));
            component.name = filled;
        }
        component
    }

    /// A process that there is, or a new one.
    fn some_process(&mut self, indexed: Option<bool>) -> Component {
        let fits = |process: &&Component| indexed.is_none_or(|wanted| process.indexed == wanted);
        let known: Vec<Component> = self.processes.iter().filter(fits).cloned().collect();
        self.leaves += 1;
        if (known.is_empty() || self.random.percent(30)) && indexed.is_none() {
            return self.process();
        }
        match self.random.pick_some(&known) {
            Some(known) => known.clone(),
            None => self.processes[self.random.below(self.processes.len())].clone(),
        }
    }

    fn instance(&mut self, process: &Component, index: &str) -> String {
        if process.indexed { format!("{}<{index}>", process.name) } else { process.name.clone() }
    }

    fn hole(&mut self, at: usize) -> (Part, String) {
        let name = format!("H{at}");
        let all = 0..self.actions.len();
        let (sort, offers): (String, Vec<Offer>) = match self.random.pick_some(&self.interfaces) {
            Some((interface, inside)) if self.random.percent(60) => {
                let offers = inside.iter().map(|&action| Offer::Act(Wrap::Plain, action));
                (interface.clone(), offers.chain([Offer::Tau]).collect())
            }
            _ => {
                let plain = all.map(|action| Offer::Act(Wrap::Plain, action));
                let other = [Offer::Tau, Offer::Act(Wrap::Co, 0), Offer::Act(Wrap::Co, 2)];
                ("any".to_owned(), plain.chain(other).collect())
            }
        };
        if self.shape.families && self.random.percent(12) {
            let text = format!("{name}[i: 0..2]: {sort}");
            return (Part { name, family: Some(2), offers, open: true }, text);
        }
        let text = format!("{name}: {sort}");
        (Part { name, family: None, offers, open: true }, text)
    }

    fn sub(&mut self, at: usize) -> (Part, String) {
        let name = format!("S{at}");
        if self.shape.families && self.leaves + 2 < MOST_LEAVES && self.random.percent(35) {
            let count = *self.random.pick(&[2, 2, 3]);
            let process = self.some_process(Some(true));
            self.leaves += count - 1;
            let text = format!("sub {name}[i: 0..{count}] = {};", self.instance(&process, "i"));
            let offers = process.offers;
            return (Part { name, family: Some(count), offers, open: false }, text);
        }
        let process = self.some_process(None);
        let index = self.random.below(2).to_string();
        let text = format!("sub {name} = {};", self.instance(&process, &index));
        (Part { name, family: None, offers: process.offers, open: false }, text)
    }

    fn body(&mut self, name: &str, parts: &[Part], subs: &[String], holes: &[String]) -> Component {
        let mut lines: Vec<String> = Vec::new();
        let mut shown: Vec<Shown> = Vec::new();
        let mut offers: Vec<Offer> = Vec::new();
        // Everybody can do something, and some of it together.
        for part in 0..parts.len() {
            self.vector(&[part], parts, &mut lines, &mut shown, &mut offers);
        }
        for _ in 0..self.random.between(1, 4) {
            let mut members: Vec<usize> = (0..parts.len()).collect();
            self.random.shuffle(&mut members);
            members.truncate(*self.random.pick(&[1, 2, 2, 2, 3]));
            if parts.iter().any(|part| part.family.is_some()) && self.random.percent(25) {
                self.brackets(&members, parts, &mut lines, &mut shown, &mut offers);
            } else if self.shape.connectors && self.random.percent(30) {
                self.connector(&members, parts, &mut lines, &mut shown, &mut offers);
            } else {
                self.vector(&members, parts, &mut lines, &mut shown, &mut offers);
            }
        }
        if self.shape.priorities && self.random.percent(50) {
            self.priority(&shown, &mut lines);
        }
        let holes_text =
            if holes.is_empty() { String::new() } else { format!("({})", holes.join(", ")) };
        self.line(&format!("net {name}{holes_text} {{"));
        for line in subs.iter().chain(&lines) {
            self.line(&format!("    {line}"));
        }
        self.line("}");
        let open = parts.iter().any(|part| part.open);
        Component { name: name.to_owned(), indexed: false, offers, open }
    }

    /// A name, or an action with some of its values.
    fn ordered(&mut self, name: &'static str) -> String {
        let known = self.actions.iter().find(|action| action.name == name);
        let Some(sorts) = known.map(|action| action.sorts.clone()) else { return name.to_owned() };
        if sorts.is_empty() || self.random.one_in(3) {
            return name.to_owned();
        }
        let value = |ty| if self.random.one_in(3) { "_".to_owned() } else { self.literal(ty) };
        let values: Vec<String> = sorts.into_iter().map(value).collect();
        format!("{name}({})", values.join(", "))
    }

    fn priority(&mut self, shown: &[Shown], lines: &mut Vec<String>) {
        let high: Vec<&Shown> = shown
            .iter()
            .filter(|one| !shown.iter().any(|other| other.name == one.name && other.open))
            .collect();
        let Some(high) = self.random.pick_some(&high).map(|one| one.name) else { return };
        let mut low: Vec<&str> =
            shown.iter().map(|one| one.name).filter(|name| *name != high).collect();
        low.sort_unstable();
        low.dedup();
        self.random.shuffle(&mut low);
        if let Some(&first) = low.first().filter(|_| self.random.percent(40)) {
            let (below, above) = (self.ordered(first), self.ordered(high));
            lines.push(match self.random.below(5) {
                0 if !shown.iter().any(|one| one.open) => format!("priority {below} < *;"),
                1 => format!("priority * < {above};"),
                2 => format!("priority tau < {above};"),
                3 => format!("priority {below} < {above}, tau < {above};"),
                _ => format!("priority {below} < {above};"),
            });
            return;
        }
        // Two orders that may meet, or one after the other.
        match low[..] {
            [first, second, ..] if self.random.percent(35) => {
                let between = if self.random.percent(50) { "" } else { &format!("{high}, ") };
                lines.push(format!("priority {first} < {between}{second} < {high};"));
            }
            [first, ..] => lines.push(format!("priority {first} < {high};")),
            [] => {}
        }
        let closed = shown.iter().all(|one| !one.open);
        if closed && shown.iter().any(|one| one.connector) && self.random.percent(40) {
            lines.push("priority maximal;".to_owned());
        }
    }
}
