//! Vectors and connectors.

use super::data::{Name, Ty};
use super::net::Part;
use super::{Maker, Offer, Wrap};

/// What a priority can call a vector or connector by.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub name: &'static str,
    /// Whether holes take part.
    pub open: bool,
    pub connector: bool,
}

/// A vector that is being made.
#[derive(Default)]
struct Work {
    members: Vec<String>,
    /// The variables that members bind.
    names: Vec<Name>,
    /// `for i in 0..n`, once some member is one of a family.
    repeat: Option<usize>,
    /// A variable that stands for an action, with what it can be.
    action: Option<(&'static str, Vec<Offer>)>,
    guards: Vec<String>,
}

impl Maker<'_> {
    /// Makes a vector of these parts.
    pub fn vector(
        &mut self,
        members: &[usize],
        parts: &[Part],
        lines: &mut Vec<String>,
        shown: &mut Vec<Shown>,
        offers: &mut Vec<Offer>,
    ) {
        let mut work = Work::default();
        let handshake = members.len() == 2 && self.random.percent(12);
        // Families come last, so that data of the others can choose their members.
        let mut members = members.to_vec();
        members.sort_by_key(|&member| parts[member].family.is_some());
        let members = &members[..];
        for (place, &member) in members.iter().enumerate() {
            let part = &parts[member];
            if part.offers.is_empty() {
                return;
            }
            let whom = self.member(part, &mut work);
            let action = if handshake {
                let known: Vec<Offer> = part.offers.clone();
                work.action.get_or_insert(("z", known));
                if place == 0 { "?z".to_owned() } else { "co ?z".to_owned() }
            } else if self.random.percent(if place == 0 { 20 } else { 8 }) {
                let known: Vec<Offer> = part.offers.clone();
                work.action.get_or_insert(("z", known));
                "?z".to_owned()
            } else {
                let alone = members.len() == 1;
                self.member_action(part, alone, &mut work)
            };
            work.members.push(format!("{whom}: {action}"));
        }
        self.around_family(members, parts, &mut work);
        let (result, offer, passed) = self.result(&mut work);
        self.guard(&mut work);
        let mut line = format!("<{}> -> {result}", work.members.join(", "));
        if !work.guards.is_empty() {
            line += &format!(" when {}", work.guards.join(" and "));
        }
        if self.shape.priorities && self.random.percent(12) {
            line += &self.unless(parts, &work);
        }
        if let Some(count) = work.repeat {
            line += &format!(" for i in 0..{count}");
        }
        lines.push(line + ";");
        let open = members.iter().any(|&member| parts[member].open);
        // What is shown through a variable has names, too.
        let through = work.action.iter().filter(|_| offer.is_none()).flat_map(|(_, known)| known);
        for one in offer.iter().chain(through) {
            if let Offer::Act(_, action) = one {
                shown.push(Shown { name: self.actions[*action].name, open, connector: false });
            }
        }
        let new = offer.into_iter().chain(passed);
        for offer in new {
            if !offers.contains(&offer) {
                offers.push(offer);
            }
        }
    }

    /// Makes a vector with all members of a family, or those of which a condition holds.
    pub fn brackets(
        &mut self,
        members: &[usize],
        parts: &[Part],
        lines: &mut Vec<String>,
        shown: &mut Vec<Shown>,
        offers: &mut Vec<Offer>,
    ) {
        let mut work = Work::default();
        let closed = |&member: &usize| !parts[member].offers.is_empty();
        let mut others = members.iter().copied().filter(|&member| parts[member].family.is_none());
        let other = others.find(closed);
        let mut families = (0..parts.len()).filter(|&part| parts[part].family.is_some());
        let Some(family) = families.find(closed) else { return };
        if let Some(other) = other {
            let action = self.member_action(&parts[other], false, &mut work);
            work.members.push(format!("{}: {action}", parts[other].name));
        }
        let (part, size) = (&parts[family], parts[family].family.unwrap_or(1));
        let number = work.names.iter().find(|name| name.ty.is_number());
        let condition = match (self.random.below(5), number) {
            (0, Some(number)) => format!(" when j != {}", number.text),
            (1, Some(number)) => format!(" when j >= {}", number.text),
            (2, _) => format!(" when j != {}", self.random.below(size)),
            _ => String::new(),
        };
        let plain = part.offers.iter().filter_map(|offer| match offer {
            Offer::Act(Wrap::Plain, action) => Some(*action),
            _ => None,
        });
        let plain: Vec<usize> = plain.collect();
        let Some(&action) = self.random.pick_some(&plain) else { return };
        let sorts = self.actions[action].sorts.clone();
        let arguments: Vec<String> = match sorts[..] {
            [ty] if condition.is_empty() && self.random.percent(60) => {
                // A place for each of them.
                work.names.extend(["v[0]", "v[1]"].map(|text| Name { text: text.to_owned(), ty }));
                if self.random.percent(30) {
                    work.guards.push(format!("forall q: 0..{size} . v[q] == v[0]"));
                }
                vec!["v[j]".to_owned()]
            }
            _ => sorts.into_iter().map(|ty| self.argument(ty, &mut work)).collect(),
        };
        let action = self.actions[action].with(&arguments);
        work.members.push(format!("[{}[j]: {action} for j in 0..{size}{condition}]", part.name));
        let (result, offer, passed) = self.result(&mut work);
        let mut line = format!("<{}> -> {result}", work.members.join(", "));
        if !work.guards.is_empty() {
            line += &format!(" when {}", work.guards.join(" and "));
        }
        lines.push(line + ";");
        let open = [Some(family), other].into_iter().flatten().any(|part| parts[part].open);
        if let Some(Offer::Act(_, action)) = &offer {
            shown.push(Shown { name: self.actions[*action].name, open, connector: false });
        }
        let new: Vec<Offer> = offer.into_iter().chain(passed).collect();
        offers.extend(new.into_iter().filter(|one| !offers.contains(one)).collect::<Vec<_>>());
    }

    /// How a part is called in a vector.
    fn member(&mut self, part: &Part, work: &mut Work) -> String {
        let Some(count) = part.family else { return part.name.clone() };
        let indices: Vec<String> = work
            .names
            .iter()
            .filter(|name| name.ty.is_number())
            .map(|name| name.text.clone())
            .collect();
        // An index may come from data.
        if let Some(index) = self.random.pick_some(&indices)
            && self.random.percent(80)
        {
            return format!("{}[{index}]", part.name);
        }
        let fits = work.repeat.is_none_or(|repeat| repeat <= count);
        if fits && self.random.percent(75) {
            work.repeat.get_or_insert(count);
            return format!("{}[i]", part.name);
        }
        format!("{}[{}]", part.name, self.random.below(count))
    }

    /// Neighbours of a family do something together.
    fn around_family(&mut self, members: &[usize], parts: &[Part], work: &mut Work) {
        let [only] = members else { return };
        let part = &parts[*only];
        if let Some(count) = part.family
            && work.repeat == Some(count)
            && self.random.percent(50)
        {
            let action = self.member_action(part, false, work);
            work.members.push(format!("{}[(i + 1) mod {count}]: {action}", part.name));
        }
    }

    /// The action of a member: variables, values and `_` for its arguments.
    fn member_action(&mut self, part: &Part, alone: bool, work: &mut Work) -> String {
        let fits = |offer: &&Offer| alone || matches!(offer, Offer::Act(Wrap::Plain | Wrap::Co, _));
        let fitting: Vec<Offer> = part.offers.iter().filter(fits).copied().collect();
        // What others do already is the most likely to fit.
        let Some(offer) = self.random.pick_some(&fitting).copied() else {
            return "tau".to_owned();
        };
        let Offer::Act(wrap, action) = offer else { return "tau".to_owned() };
        let arguments: Vec<String> = self.actions[action]
            .sorts
            .clone()
            .into_iter()
            .map(|ty| self.argument(ty, work))
            .collect();
        wrapped(wrap, &self.actions[action].with(&arguments))
    }

    fn argument(&mut self, ty: Ty, work: &mut Work) -> String {
        let shared: Vec<Name> = work.names.iter().filter(|name| name.ty == ty).cloned().collect();
        if let Some(name) = self.random.pick_some(&shared)
            && self.random.percent(50)
        {
            return name.text.clone();
        }
        match self.random.below(10) {
            0 => self.literal(ty),
            1 => "_".to_owned(),
            2 if ty == Ty::Int && work.repeat.is_some() => "i".to_owned(),
            _ => {
                let text = format!("x{}", work.names.len());
                work.names.push(Name { text: text.clone(), ty });
                text
            }
        }
    }

    /// What a vector shows: its text, what it is, and what it passes on.
    fn result(&mut self, work: &mut Work) -> (String, Option<Offer>, Vec<Offer>) {
        if let Some((name, known)) = &work.action {
            let (name, known) = (*name, known.clone());
            if self.random.percent(70) {
                if self.random.percent(15) {
                    return (format!("sync {name}"), None, Vec::new());
                }
                return (name.to_owned(), None, known);
            }
        }
        if self.random.percent(12) {
            return ("tau".to_owned(), Some(Offer::Tau), Vec::new());
        }
        let action = self.random.below(self.actions.len());
        let sorts = self.actions[action].sorts.clone();
        let names = work.names.clone();
        let arguments: Vec<String> = sorts.into_iter().map(|ty| self.expr(ty, &names)).collect();
        let wrap = match self.random.below(12) {
            0 => Wrap::Sync,
            1 => Wrap::Co,
            _ => Wrap::Plain,
        };
        let text = wrapped(wrap, &self.actions[action].with(&arguments));
        (text, Some(Offer::Act(wrap, action)), Vec::new())
    }

    fn guard(&mut self, work: &mut Work) {
        if let Some((name, known)) = work.action.clone()
            && self.random.percent(55)
        {
            let test = self.action_test(name, &known);
            work.guards.push(test);
        }
        if !work.names.is_empty() && self.random.percent(30) {
            let names = work.names.clone();
            work.guards.push(self.condition(&names));
        }
    }

    fn action_test(&mut self, name: &str, known: &[Offer]) -> String {
        let acts = known.iter().filter_map(|offer| match offer {
            Offer::Act(Wrap::Plain, action) => Some(*action),
            _ => None,
        });
        let acts: Vec<usize> = acts.collect();
        let Some(&action) = self.random.pick_some(&acts) else {
            return format!("{name} is not tau");
        };
        let other = *self.random.pick(&acts);
        let (pattern, second) = (self.pattern(action), self.pattern(other));
        match self.random.below(9) {
            0 => format!("{name} is {pattern}"),
            1 => format!("{name} in {{ {pattern}, {second} }}"),
            2 => format!("{name} not in {{ {pattern}, {second} }}"),
            3 => format!("{name} is not tau"),
            4 => format!("{name} is not sync _"),
            5 => format!("{name} is not co _"),
            _ => format!("{name} is not {pattern}"),
        }
    }

    fn pattern(&mut self, action: usize) -> String {
        let sorts = self.actions[action].sorts.clone();
        let literal = self.random.one_in(5);
        let arguments: Vec<String> = sorts
            .into_iter()
            .map(|ty| if literal { self.literal(ty) } else { "_".to_owned() })
            .collect();
        self.actions[action].with(&arguments)
    }

    /// What a vector gives way to.
    fn unless(&mut self, parts: &[Part], work: &Work) -> String {
        let closed: Vec<&Part> =
            parts.iter().filter(|part| !part.open && part.family.is_none()).collect();
        let Some(&part) = self.random.pick_some(&closed) else { return String::new() };
        if part.offers.is_empty() {
            return String::new();
        }
        // Names of the vector mean its values; others mean some value.
        let mut inner = Work { names: work.names.clone(), ..Work::default() };
        let before = inner.names.len();
        let action = self.member_action(part, true, &mut inner);
        let mut text = format!(" unless <{}: {action}>", part.name);
        let own = inner.names.split_off(before);
        if !own.is_empty() && self.random.percent(50) {
            text += &format!(" when {}", self.condition(&own));
        }
        text
    }

    /// Makes a connector of these parts.
    pub fn connector(
        &mut self,
        members: &[usize],
        parts: &[Part],
        lines: &mut Vec<String>,
        shown: &mut Vec<Shown>,
        offers: &mut Vec<Offer>,
    ) {
        let mut work = Work::default();
        let mut ports: Vec<(String, bool)> = Vec::new();
        let triggers = self.random.percent(60);
        let mut transfer = String::new();
        for (place, &member) in members.iter().enumerate() {
            let part = &parts[member];
            let plain = part.offers.iter().filter_map(|offer| match offer {
                Offer::Act(Wrap::Plain, action) => Some(*action),
                _ => None,
            });
            let plain: Vec<usize> = plain.collect();
            let Some(&action) = self.random.pick_some(&plain) else { continue };
            let whom = self.member(part, &mut Work::default()).replace("[i]", "[0]");
            let sorts = self.actions[action].sorts.clone();
            let mut arguments: Vec<String> = Vec::new();
            for ty in sorts {
                let from = work.names.iter().find(|name| name.ty == ty).cloned();
                let port = format!("p{}{place}", arguments.len());
                arguments.push(match from {
                    Some(from) if !triggers && transfer.is_empty() && self.random.percent(60) => {
                        transfer = format!(" do {port} := {}", from.text);
                        port
                    }
                    // With triggers, only what is always there can be looked at: the first port.
                    _ if place == 0 || !triggers => {
                        work.names.push(Name { text: port.clone(), ty });
                        port
                    }
                    _ => "_".to_owned(),
                });
            }
            let trigger = triggers && (ports.is_empty() || self.random.one_in(3));
            ports.push((format!("{whom}.{}", self.actions[action].with(&arguments)), trigger));
        }
        if ports.is_empty() {
            return;
        }
        let always = !triggers || ports.iter().filter(|(_, trigger)| *trigger).count() == 1;
        if !always {
            work.names.clear();
            // Several triggers: nothing is always there.
            ports.iter_mut().for_each(|(text, _)| *text = without_names(text));
        }
        let names = work.names.clone();
        let taken = |name: &str| shown.iter().any(|one| one.name == name);
        let free: Vec<usize> =
            (0..self.actions.len()).filter(|&at| !taken(self.actions[at].name)).collect();
        let same: Vec<&Shown> = shown.iter().filter(|one| one.connector).collect();
        let again = self.random.pick_some(&same).filter(|_| self.random.percent(40));
        // Several connectors may have one name.
        let again = again
            .and_then(|one| (0..self.actions.len()).find(|&at| self.actions[at].name == one.name));
        let Some(action) = again.or_else(|| self.random.pick_some(&free).copied()) else { return };
        let sorts = self.actions[action].sorts.clone();
        let exports: Vec<String> = sorts.into_iter().map(|ty| self.expr(ty, &names)).collect();
        let name = self.actions[action].with(&exports);
        let mut guard = String::new();
        if !names.is_empty() && self.random.percent(30) {
            guard = format!(" when {}", self.condition(&names));
        }
        let text = self.ports(&ports);
        lines.push(format!("connect {name} : {text}{guard}{transfer};"));
        let open = members.iter().any(|&member| parts[member].open);
        shown.push(Shown { name: self.actions[action].name, open, connector: true });
        let offer = Offer::Act(Wrap::Plain, action);
        if !offers.contains(&offer) {
            offers.push(offer);
        }
    }

    /// The ports, some of them in brackets.
    fn ports(&mut self, ports: &[(String, bool)]) -> String {
        let mark =
            |(text, trigger): &(String, bool)| format!("{text}{}", if *trigger { "'" } else { "" });
        let all: Vec<String> = ports.iter().map(mark).collect();
        match (ports, &all[..]) {
            ([_, (_, false), (_, false)], [first, second, third]) if self.random.one_in(2) => {
                format!("{first} [{second} {third}]")
            }
            _ => all.join(" "),
        }
    }
}

fn wrapped(wrap: Wrap, text: &str) -> String {
    match wrap {
        Wrap::Plain => text.to_owned(),
        Wrap::Sync => format!("sync {text}"),
        Wrap::Co => format!("co {text}"),
    }
}

/// A port with `_` for each of its arguments.
fn without_names(port: &str) -> String {
    let Some((head, arguments)) = port.split_once('(') else { return port.to_owned() };
    let count = arguments.matches(',').count() + 1;
    format!("{head}({})", vec!["_"; count].join(", "))
}
