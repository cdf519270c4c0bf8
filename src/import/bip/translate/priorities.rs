//! The order between interactions, in the forms that the language has for it.
//!
//! Maximal progress is `priority maximal`, which is about connectors: what is written as vectors is ordered pair by pair. Orders of
//! the language are closed transitively, but not through `priority maximal`, so a rule about a single interaction is also
//! written for those that are smaller, or larger.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::name::quoted;
use super::super::model::{CompoundRule, End, Kind, SideDef};
use super::super::term::{Ref, Term};
use super::Writer;
use super::compound::{NetPage, OwnNames, net_ref};
use super::connects::Form;
use super::glue::Interaction;
use super::order::larger;
use super::plan::{Top, VariantKey};

/// More pairs than this nobody wants to read one by one.
const MOST_PAIRS: usize = 200;

/// One side of a rule: a connector, and which interactions of it; nothing for all.
type Side = (usize, Option<Vec<usize>>);

/// What is written, and for which connectors.
struct Orders<'o, 'n> {
    net: &'o NetPage<'n>,
    forms: &'o [Form],
    /// What each connector is seen as.
    names: Vec<Vec<String>>,
    /// For each interaction of each connector, the larger ones of it.
    larger: Vec<Vec<Vec<usize>>>,
}

impl Writer<'_> {
    /// The order of a compound; nothing if the language has no form for it.
    pub fn orders(
        &mut self,
        net: &NetPage<'_>,
        own: &OwnNames,
        forms: &[Form],
    ) -> Option<Vec<String>> {
        let names =
            (0..net.plan.tops.len()).map(|at| self.names_of(net, own, at)).collect::<Vec<_>>();
        let larger = net.plan.tops.iter().map(|top| larger(&top.interactions)).collect();
        let orders = Orders { net, forms, names, larger };
        if !self.are_names_clear(&orders) {
            return None;
        }
        let mut lines = Vec::new();
        for rule in &net.compound.rules {
            let pairs = self.rule(&orders, own, rule)?;
            let guard = &rule.guard;
            if !pairs.is_empty() && *guard != Term::Bool(false) {
                let mut line = format!("priority {}", pairs.join(", "));
                if *guard != Term::Bool(true) {
                    let guard = self.guard(net, guard);
                    line.push_str(&format!(" when {guard}"));
                }
                lines.push(format!("// {}", rule.name.text()));
                lines.push(format!("{line};"));
            }
        }
        let mut pairs = Vec::new();
        for at in (0..forms.len()).filter(|at| forms[*at] == Form::Vectors) {
            pairs.extend(self.pairs(&orders, at));
        }
        if pairs.len() > MOST_PAIRS {
            return None;
        }
        if !pairs.is_empty() {
            lines.push("// Larger interactions go first.".to_owned());
            lines.push(format!("priority {};", pairs.join(", ")));
        }
        let is_many = |at: usize| self.is_many(net, &net.plan.tops[at]);
        let is_connector = |at: &usize| matches!(forms[*at], Form::Use | Form::Apart);
        if (0..forms.len()).filter(is_connector).any(is_many) {
            lines.push("priority maximal;".to_owned());
        }
        Some(lines)
    }

    /// The interactions of a connector that can happen.
    fn happening<'o>(&self, orders: &Orders<'o, '_>, at: usize) -> Vec<&'o Interaction> {
        let net = orders.net;
        let all = net.plan.tops[at].interactions.iter();
        all.filter(|one| self.happens(net.compound, net.plan, one)).collect()
    }

    /// Whether everything that is ordered has a name of its own.
    fn are_names_clear(&mut self, orders: &Orders<'_, '_>) -> bool {
        let net = orders.net;
        let mut seen: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, names) in orders.names.iter().enumerate() {
            if orders.forms[at] != Form::Not {
                names.iter().for_each(|name| seen.entry(name.clone()).or_default().push(at));
            }
        }
        let mut passed = BTreeSet::new();
        for face in &net.key.1 {
            if net.compound.exports[*face].iter().any(|end| matches!(end, End::Component(..))) {
                passed.insert(self.face_action(net.key.0, *face));
            }
        }
        let has_rules = !net.compound.rules.is_empty();
        seen.iter().all(|(name, tops)| {
            let is_shared = tops.len() > 1 || passed.contains(name);
            let is_ordered =
                has_rules || tops.iter().any(|at| self.is_many(net, &net.plan.tops[*at]));
            // Of two connectors with one name, neither may have more ports.
            let leaves: Vec<&Interaction> =
                tops.iter().flat_map(|at| self.happening(orders, *at)).collect();
            let within = |a: &Interaction, b: &Interaction| {
                a.leaves.len() < b.leaves.len()
                    && a.leaves.iter().all(|leaf| b.leaves.contains(leaf))
            };
            let is_large = tops.iter().any(|at| net.plan.tops[*at].is_large);
            let is_mixed = tops.len() > 1
                && (is_large || leaves.iter().any(|a| leaves.iter().any(|b| within(a, b))));
            !is_shared || !(is_ordered || is_mixed)
        })
    }

    // ---- rules ----

    /// The pairs of a rule.
    fn rule(
        &mut self,
        orders: &Orders<'_, '_>,
        own: &OwnNames,
        rule: &CompoundRule,
    ) -> Option<Vec<String>> {
        self.is_sayable(orders, rule)?;
        let (low, high) = (&rule.low, &rule.high);
        if let Some(text) = self.any(orders, own, low, high) {
            return Some(vec![text]);
        }
        let mut pairs = Vec::new();
        for below in self.sides(orders, (low, high), true) {
            for above in self.sides(orders, (high, low), false) {
                let lows = self.side(orders, &below);
                for high in self.side(orders, &above) {
                    for low in &lows {
                        let pair = format!("{low} < {high}");
                        if !pairs.contains(&pair) {
                            pairs.push(pair);
                        }
                    }
                }
                if pairs.len() > MOST_PAIRS {
                    return None;
                }
            }
        }
        Some(pairs)
    }

    /// Nothing, if a rule is about what never happens while another way may go through it.
    fn is_sayable(&self, orders: &Orders<'_, '_>, rule: &CompoundRule) -> Option<()> {
        let rules = &orders.net.compound.rules;
        for side in [&rule.low, &rule.high] {
            let (SideDef::Connector(at) | SideDef::Interaction(at, _)) = side else { continue };
            let top = orders.net.plan.tops.iter().position(|top| top.connector == *at)?;
            let is_in = |side: &SideDef| match side {
                SideDef::All => true,
                SideDef::Connector(other) | SideDef::Interaction(other, _) => other == at,
            };
            let is_between = rules.iter().any(|rule| is_in(&rule.low))
                && rules.iter().any(|rule| is_in(&rule.high));
            let all = &orders.net.plan.tops[top].interactions;
            let count = self.happening(orders, top).len();
            let is_one = matches!(side, SideDef::Interaction(..)) && all.len() > 1;
            if is_between && (count == 0 || (count < all.len() && is_one)) {
                return None;
            }
        }
        Some(())
    }

    /// All others, where these are all others of the net.
    fn any(
        &mut self,
        orders: &Orders<'_, '_>,
        own: &OwnNames,
        low: &SideDef,
        high: &SideDef,
    ) -> Option<String> {
        let net = orders.net;
        let passes = net.compound.exports.iter().flatten();
        let passes = passes.filter(|end| matches!(end, End::Component(..))).count();
        let is_all = own.passed.is_empty() && passes == 0;
        let one = match (low, high) {
            (SideDef::All, one) | (one, SideDef::All) if is_all => one,
            _ => return None,
        };
        let (at, ports) = self.sides(orders, (one, one), *high == SideDef::All).pop()?;
        let [name] = orders.names[at].as_slice() else { return None };
        let name = quoted(name);
        match (ports, *low == SideDef::All) {
            (Some(_), _) => None,
            (None, true) => Some(format!("* < {name}")),
            (None, false) => Some(format!("{name} < *")),
        }
    }

    /// What a side is about: connectors that can happen, and which interactions of them.
    fn sides(
        &self,
        orders: &Orders<'_, '_>,
        (side, other): (&SideDef, &SideDef),
        is_low: bool,
    ) -> Vec<Side> {
        let tops = orders.net.plan.tops.iter().enumerate();
        let seen = tops.filter(|(at, _)| orders.forms[*at] != Form::Not);
        let is_other = |top: &Top| match other {
            SideDef::All => false,
            SideDef::Connector(at) | SideDef::Interaction(at, _) => *at == top.connector,
        };
        match side {
            SideDef::All => {
                seen.filter(|(_, top)| !is_other(top)).map(|(at, _)| (at, None)).collect()
            }
            SideDef::Connector(one) => {
                seen.filter(|(_, top)| top.connector == *one).map(|(at, _)| (at, None)).collect()
            }
            SideDef::Interaction(one, ports) => {
                let mut sides = Vec::new();
                for (at, _) in seen.filter(|(_, top)| top.connector == *one) {
                    let all = &orders.net.plan.tops[at].interactions;
                    let is_one = |number: usize| all[number].ports == *ports;
                    let is_meant = |number: &usize| {
                        is_one(*number)
                            || (0..all.len()).any(|other| {
                                let (low, high) = match is_low {
                                    true => (*number, other),
                                    false => (other, *number),
                                };
                                is_one(other) && orders.larger[at][low].contains(&high)
                            })
                    };
                    let meant: Vec<usize> = (0..all.len()).filter(is_meant).collect();
                    match meant.len() == all.len() {
                        true => sides.push((at, None)),
                        false => sides.push((at, Some(meant))),
                    }
                }
                sides
            }
        }
    }

    /// A side as it is written: by its names, or one interaction after the other.
    fn side(&mut self, orders: &Orders<'_, '_>, (at, which): &Side) -> Vec<String> {
        let names: Vec<String> = orders.names[*at].iter().map(|name| quoted(name)).collect();
        let Some(which) = which else { return names };
        let net = orders.net;
        let mut texts = Vec::new();
        for number in which {
            let interaction = &net.plan.tops[*at].interactions[*number];
            if self.happens(net.compound, net.plan, interaction) {
                let leaves = interaction.leaves.iter();
                let leaves: Vec<String> = leaves.map(|leaf| self.port_of(net, *leaf)).collect();
                let leaves = leaves.join(" ");
                texts.extend(names.iter().map(|name| format!("{name}[{leaves}]")));
            }
        }
        texts
    }

    /// The pairs of smaller and larger interactions of a connector.
    fn pairs(&mut self, orders: &Orders<'_, '_>, at: usize) -> Vec<String> {
        let mut pairs = Vec::new();
        for (low, highs) in orders.larger[at].iter().enumerate() {
            let lows = self.side(orders, &(at, Some(vec![low])));
            let highs = self.side(orders, &(at, Some(highs.clone())));
            for low in &lows {
                pairs.extend(highs.iter().map(|high| format!("{low} < {high}")));
            }
            if pairs.len() > MOST_PAIRS {
                break;
            }
        }
        pairs
    }

    // ---- guards ----

    /// A guard: exported data is read where it is.
    pub fn guard(&mut self, net: &NetPage<'_>, guard: &Term) -> String {
        let mut read = BTreeSet::new();
        guard.refs(&mut |one| _ = read.insert(one));
        let mut paths = BTreeMap::new();
        for one in read {
            if let Ref::Exported(component, data) = one {
                let key = net.plan.key(net.compound, component);
                let path = self.data_path(&key, data);
                paths.insert(one, format!("{}.{path}", quoted(&net.subs[component])));
            }
        }
        self.shown(guard, &|one| paths.get(&one).cloned().unwrap_or_else(|| net_ref(one, net)))
    }

    /// The way from a component to exported data of it, which is noted to be looked at.
    fn data_path(&mut self, key: &VariantKey, data: usize) -> String {
        match key.0 {
            Kind::Atom(at) => {
                self.looked.entry(key.clone()).or_default().insert(data);
                quoted(self.model.atoms[at].data[data].variable.name.text())
            }
            Kind::Compound(at) => {
                let compound = &self.model.compounds[at];
                let (_, component, inner) = compound.data[data];
                let name = quoted(compound.components[component].name.text());
                let Some(planned) = self.plan.compounds.get(key) else { return name };
                let path = self.data_path(&planned.key(compound, component), inner);
                format!("{name}.{path}")
            }
        }
    }
}
