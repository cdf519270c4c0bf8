//! Random nets: who is in them, and what they do together.

use super::connect::interactions;
use super::exprs::{Maker, Scope, bin, conj, name};
use super::make::{Kind, lit};
use super::{
    Bound, Connector, Expr, Hole, Index, Joined, Joint, Label, Member, Net, Op, PARAM, Pattern,
    Place, Res, Shape, Sort, Sub, Vector, Wrap,
};

/// What a net is to have.
#[derive(Clone, Copy, Default)]
struct Features {
    open: bool,
    families: bool,
    nested: bool,
    connectors: bool,
}

/// What a part is called, its family, and what it can do; nothing: anything.
struct Candidate {
    name: String,
    family: Option<Index>,
    offers: Option<Vec<(Wrap, String)>>,
    is_hole: bool,
}

impl Maker<'_> {
    /// The left side, a net.
    pub fn whole(&mut self, kind: Kind) {
        let some = |maker: &mut Self, share| maker.random.percent(share);
        let none = Features::default();
        let features = match kind {
            Kind::Leaf | Kind::Closed => none,
            Kind::Open => Features { open: true, ..none },
            Kind::Filled => Features { open: true, families: some(self, 25), ..none },
            Kind::Families => {
                let (open, connectors) = (some(self, 30), some(self, 30));
                Features { open, families: true, connectors, ..none }
            }
            Kind::Nested => {
                let (open, families, connectors) = (some(self, 25), some(self, 30), some(self, 30));
                Features { open, families, connectors, nested: true }
            }
            Kind::Connected => Features { families: some(self, 40), connectors: true, ..none },
        };
        if features.open || features.nested {
            self.interface();
        }
        let net = self.net("A", features);
        let side = (self.values(&net.params.clone(), &Scope::new()), Vec::new());
        (self.model.left.values, self.model.left.fills) = side;
        if kind == Kind::Filled {
            self.fill(&net);
        }
        if net.holes.len() > self.model.left.fills.len() && self.random.percent(25) {
            self.model.tracked.push(net.holes[net.holes.len() - 1].name.clone());
        }
        self.model.left.net = Some(net);
    }

    fn interface(&mut self) {
        let mut all = vec!["a".to_owned()];
        let others: Vec<String> = self.model.actions[1..].iter().map(|(n, _)| n.clone()).collect();
        all.extend(others.into_iter().filter(|_| self.random.percent(60)));
        self.model.interfaces.push(("I".to_owned(), all));
    }

    /// Fills the first hole, or all.
    fn fill(&mut self, net: &Net) {
        let all = if self.random.percent(70) { net.holes.len() } else { 1 };
        for hole in &net.holes[..all] {
            let by = self.filling(hole.sort);
            self.model.left.fills.push((hole.name.clone(), by));
        }
    }

    /// A process that fits a hole.
    fn filling(&mut self, sort: Option<usize>) -> String {
        self.interface = sort;
        self.fresh += 1;
        let mut process = self.process(&format!("F{}", self.fresh), false);
        self.interface = None;
        process.params.clear();
        let name = process.name.clone();
        self.model.left.processes.push(process);
        name
    }

    /// Values for parameters.
    fn values(&mut self, params: &[(String, Sort)], scope: &Scope) -> Vec<Expr> {
        let mut all = Vec::new();
        for (param, sort) in params {
            all.push(match (param.as_str(), self.random.below(20)) {
                // Nothing has no values.
                (PARAM, 0) => Expr::Int(0),
                (PARAM, _) if !scope.is_empty() && self.random.percent(60) => {
                    let index = name(&self.random.pick(scope).0.clone());
                    bin(Op::Add, index, Expr::Int(1))
                }
                (PARAM, _) => Expr::Int(self.random.between(1, 2) as i64),
                _ => self.value(sort, scope, 1),
            });
        }
        all
    }

    fn net(&mut self, called: &str, features: Features) -> Net {
        let mut net = Net { name: called.to_owned(), ..Net::default() };
        let counts = features.families || called != "A";
        if counts && self.random.percent(40) {
            net.params.push((
                PARAM.to_owned(),
                if self.random.percent(50) { Sort::Int } else { lit(1, 4) },
            ));
        }
        if called != "A" && self.random.percent(40) {
            let sort = self.range();
            net.params.push((self.name_for(&sort), sort));
        }
        if features.open {
            let sort = if self.random.percent(80) { Some(0) } else { None };
            let two = self.random.percent(20);
            for name in if two { &["P", "Q"][..] } else { &["P"] } {
                let is_family = features.families && !two && self.random.percent(35);
                let family = if is_family { Some(self.family(&net)) } else { None };
                net.holes.push(Hole { name: (*name).to_owned(), sort, family });
            }
        }
        let subs = if features.open { self.random.below(2) } else { self.random.between(1, 2) };
        for at in 0..subs {
            let sub = self.sub(&net, ["X", "Y"][at], features);
            net.subs.push(sub);
        }
        let vectors =
            if features.connectors { self.random.below(3) } else { self.random.between(2, 3) };
        for _ in 0..vectors {
            let vector = self.vector(&net);
            net.vectors.push(vector);
        }
        if features.connectors {
            for _ in 0..self.random.between(1, 2) {
                let connector = self.connector(&net);
                net.connectors.extend(connector);
            }
        }
        if !features.open && !self.has_holes(&net) {
            self.rivals(&mut net);
        }
        net
    }

    /// Whether some of its parts have holes that nobody fills.
    fn has_holes(&self, net: &Net) -> bool {
        net.subs.iter().any(|sub| {
            let inner = self.model.left.nets.iter().find(|inner| inner.name == sub.of);
            inner.is_some_and(|inner| inner.holes.len() > sub.fills.len() || self.has_holes(inner))
        })
    }

    fn family(&mut self, net: &Net) -> Index {
        self.fresh += 1;
        let has_param = net.params.iter().any(|(name, _)| name == PARAM);
        let (low, high) = match self.random.below(10) {
            0..=4 if has_param => (Bound::Lit(0), Bound::Param(0)),
            5 => (Bound::Lit(1), Bound::Lit(3)),
            6 => (Bound::Lit(-1), Bound::Lit(1)),
            7 => (Bound::Lit(0), Bound::Lit(1)),
            _ => (Bound::Lit(0), Bound::Lit(2)),
        };
        (format!("i{}", self.fresh), low, high)
    }

    fn sub(&mut self, net: &Net, called: &str, features: Features) -> Sub {
        let family = if features.families && self.random.percent(65) {
            Some(self.family(net))
        } else {
            None
        };
        let mut scope: Scope = net.params.clone();
        scope.extend(
            family.iter().map(|(name, low, high)| (name.clone(), Sort::Range(*low, *high))),
        );
        self.fresh += 1;
        let (of, params, fills) = if features.nested && self.random.percent(75) {
            let open = self.random.percent(35);
            let families = features.families && self.random.percent(40);
            let connectors = features.connectors && self.random.percent(50);
            let inner = Features { open, families, connectors, nested: false };
            let inner = self.net(&format!("In{}", self.fresh), inner);
            let mut fills = Vec::new();
            for hole in &inner.holes {
                if !features.open || self.random.percent(70) {
                    fills.push((hole.name.clone(), self.filling(hole.sort)));
                }
            }
            let found = (inner.name.clone(), inner.params.clone(), fills);
            self.model.left.nets.push(inner);
            found
        } else {
            let process = self.process(&format!("P{}", self.fresh), true);
            let found = (process.name.clone(), process.params.clone(), Vec::new());
            self.model.left.processes.push(process);
            found
        };
        let values = self.values(&params, &scope);
        Sub { name: called.to_owned(), family, of, values, fills }
    }

    /// What a component can do, as far as its text tells.
    fn offers(&self, of: &str) -> Option<Vec<(Wrap, String)>> {
        let mut all = Vec::new();
        if let Some(process) = self.model.left.processes.iter().find(|p| p.name == of) {
            all.extend(process.trans.iter().filter_map(|t| match &t.label {
                Label::Act(how, name, _) => Some((*how, name.clone())),
                Label::Tau => None,
            }));
            return Some(all);
        }
        let net = self.model.left.nets.iter().find(|net| net.name == of)?;
        for vector in &net.vectors {
            match &vector.result {
                Res::Act(how, name, _) => all.push((*how, name.clone())),
                Res::Tau => {}
                Res::Whole(_) => {
                    let subs = net.subs.iter().filter_map(|sub| self.offers(&sub.of));
                    all.extend(subs.flatten().filter(|(how, _)| *how == Wrap::Plain));
                }
            }
        }
        all.extend(net.connectors.iter().map(|c| (Wrap::Plain, c.name.clone())));
        Some(all)
    }

    fn members_of(&self, net: &Net) -> Vec<Candidate> {
        let mut all = Vec::new();
        for hole in &net.holes {
            let offers = hole.sort.map(|i| {
                let all = self.model.interfaces[i].1.iter();
                all.map(|name| (Wrap::Plain, name.clone())).collect()
            });
            let (name, family) = (hole.name.clone(), hole.family.clone());
            all.push(Candidate { name, family, offers, is_hole: true });
        }
        for sub in &net.subs {
            let (name, family) = (sub.name.clone(), sub.family.clone());
            all.push(Candidate { name, family, offers: self.offers(&sub.of), is_hole: false });
        }
        all
    }

    /// Priorities, or what a vector gives way to.
    fn rivals(&mut self, net: &mut Net) {
        net.maximal = !net.connectors.is_empty() && self.random.percent(60);
        if self.random.percent(40) {
            let mut names = self.shown_names(net);
            self.random.shuffle(&mut names);
            for pair in names.windows(2).take(self.random.between(1, 2)) {
                net.priorities.push((pair[0].clone(), pair[1].clone()));
            }
        } else if !net.vectors.is_empty() && self.random.percent(40) {
            let at = self.random.below(net.vectors.len());
            let vector = net.vectors[at].clone();
            let mut scope = self.bound(net, &vector);
            let (members, wholes) = self.members(net, &mut scope, &vector.repeat);
            let guard = self.vector_guard(net, &scope, &wholes);
            net.vectors[at].unless.push((members, guard));
        }
    }

    /// The names of actions that a net shows.
    fn shown_names(&self, net: &Net) -> Vec<String> {
        let mut names: Vec<String> = net.connectors.iter().map(|c| c.name.clone()).collect();
        for vector in &net.vectors {
            match &vector.result {
                Res::Act(_, name, _) => names.push(name.clone()),
                Res::Tau => {}
                Res::Whole(whole) => {
                    let is =
                        |member: &Member| matches!(member, Member::Whole(_, name) if name == whole);
                    let place = vector.members.iter().find(|(_, member)| is(member));
                    let sub =
                        net.subs.iter().find(|sub| place.is_some_and(|(p, _)| p.name == sub.name));
                    let offers = sub.and_then(|sub| self.offers(&sub.of)).unwrap_or_default();
                    names.extend(offers.into_iter().map(|(_, name)| name));
                }
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// The names that a vector has, with their sorts.
    fn bound(&self, net: &Net, vector: &Vector) -> Scope {
        let mut scope: Scope = net.params.clone();
        scope.extend(
            vector.repeat.iter().map(|(n, low, high)| (n.clone(), Sort::Range(*low, *high))),
        );
        for (_, member) in &vector.members {
            if let Member::Act(_, action, args) = member {
                for (pattern, sort) in args.iter().zip(self.model.sorts_of(action)) {
                    self.bound_by(pattern, sort, &mut scope);
                }
            }
        }
        scope
    }

    fn bound_by(&self, pattern: &Pattern, sort: &Sort, scope: &mut Scope) {
        let mut add = |name: &String, sort: Sort| {
            if !scope.iter().any(|(other, _)| other == name) {
                scope.push((name.clone(), sort));
            }
        };
        match pattern {
            Pattern::Var(name) => add(name, sort.clone()),
            Pattern::Plus(name, _) => add(name, Sort::Int),
            Pattern::Con(data, con, args) => {
                let fields = &self.model.datas[*data].constructors[*con].fields;
                for (pattern, (_, sort)) in args.iter().zip(fields) {
                    self.bound_by(pattern, sort, scope);
                }
            }
            Pattern::Any | Pattern::Lit(_) => {}
        }
    }

    /// An index to repeat something for: that of a family, if there is one.
    fn repetition(&mut self, net: &Net) -> Vec<Index> {
        let families: Vec<Index> =
            self.members_of(net).into_iter().filter_map(|one| one.family).collect();
        let Some((_, low, high)) = self.random.pick_some(&families).cloned() else {
            return Vec::new();
        };
        if self.random.percent(35) {
            return Vec::new();
        }
        self.fresh += 1;
        vec![(format!("i{}", self.fresh), low, high)]
    }

    fn start(&self, net: &Net, repeat: &[Index]) -> Scope {
        let mut scope: Scope = net.params.clone();
        scope.extend(repeat.iter().map(|(n, low, high)| (n.clone(), Sort::Range(*low, *high))));
        scope
    }

    /// One of a family: by an index, by a number, or by data.
    fn index(&mut self, family: &Index, repeat: &[Index], data: &Scope) -> Expr {
        let (_, low, high) = family;
        let numbers: Vec<&str> =
            data.iter().filter(|(_, sort)| sort.is_int()).map(|(name, _)| name.as_str()).collect();
        let same = repeat.iter().find(|(_, l, h)| (l, h) == (low, high));
        if let Some(data) = self.random.pick_some(&numbers)
            && (same.is_none() || self.random.percent(35))
        {
            let data = name(data);
            let by = Expr::Int(self.random.between(1, 2) as i64);
            return match self.random.below(6) {
                0 => bin(Op::Add, data, by),
                1 => bin(Op::Sub, data, by),
                2 => bin(Op::Mod, data, Expr::Int(2)),
                _ => data,
            };
        }
        match (same, low, high) {
            (Some((index, ..)), Bound::Lit(0), Bound::Lit(high)) if self.random.percent(25) => {
                bin(Op::Mod, bin(Op::Add, name(index), Expr::Int(1)), Expr::Int(*high))
            }
            (Some((index, ..)), Bound::Lit(0), Bound::Param(0)) if self.random.percent(25) => {
                bin(Op::Mod, bin(Op::Add, name(index), Expr::Int(1)), name(PARAM))
            }
            (Some((index, ..)), ..) => name(index),
            (None, Bound::Lit(low), Bound::Lit(high)) => {
                Expr::Int(low + self.random.below((high - low) as usize) as i64)
            }
            _ => Expr::Int(0),
        }
    }

    /// Who takes part with what, and the names of whole actions.
    fn members(
        &mut self,
        net: &Net,
        scope: &mut Scope,
        repeat: &[Index],
    ) -> (Vec<(Place, Member)>, Vec<String>) {
        let mut parts = self.members_of(net);
        let before = scope.len();
        self.random.shuffle(&mut parts);
        let count = if self.random.percent(45) { parts.len() } else { 1 };
        parts.truncate(count);
        let (mut members, mut wholes, mut families) = (Vec::new(), Vec::new(), Vec::new());
        for part in &parts {
            // Two of one family, now and then.
            let times = if part.family.is_some() && self.random.percent(30) { 2 } else { 1 };
            for _ in 0..times {
                let member = self.member(part, scope, &mut wholes);
                members.push((Place::one(&part.name), member));
                families.push(part.family.clone());
            }
        }
        let data: Scope = scope[before..].to_vec();
        for ((place, _), family) in members.iter_mut().zip(families) {
            place.index = family.map(|family| self.index(&family, repeat, &data));
        }
        (members, wholes)
    }

    fn vector_guard(&mut self, net: &Net, scope: &Scope, wholes: &[String]) -> Option<Expr> {
        let mut guard = if self.random.percent(45) { Some(self.truth(scope, 2)) } else { None };
        for whole in wholes {
            // Often only what can be written out.
            if !net.holes.is_empty() && self.random.percent(45) {
                guard = Some(conj(guard, Expr::ActIn(whole.clone(), true, 0)));
            }
            for _ in 0..self.random.below(3) {
                let test = self.test(whole, scope);
                guard = Some(conj(guard, test));
            }
        }
        guard
    }

    fn vector(&mut self, net: &Net) -> Vector {
        let repeat = self.repetition(net);
        let mut scope = self.start(net, &repeat);
        let (members, wholes) = self.members(net, &mut scope, &repeat);
        let guard = self.vector_guard(net, &scope, &wholes);
        let result = match self.random.below(10) {
            0 => Res::Tau,
            1..=5 if !wholes.is_empty() => Res::Whole(wholes[0].clone()),
            _ => {
                let (action, sorts) = self.random.pick(&self.model.actions.clone()).clone();
                let args = sorts.iter().map(|sort| self.value(sort, &scope, 2)).collect();
                let how = match self.random.below(20) {
                    0 | 1 => Wrap::Sync,
                    2 => Wrap::Co,
                    _ => Wrap::Plain,
                };
                Res::Act(how, action, args)
            }
        };
        Vector { members, result, guard, unless: Vec::new(), repeat }
    }

    /// A test of a whole action.
    fn test(&mut self, whole: &str, scope: &Scope) -> Expr {
        let (action, sorts) = self.random.pick(&self.model.actions.clone()).clone();
        let positive = self.random.percent(50);
        match self.random.below(8) {
            0 if !self.model.interfaces.is_empty() => Expr::ActIn(whole.to_owned(), positive, 0),
            1 => Expr::ActIs(whole.to_owned(), positive, Shape::Tau),
            2 => Expr::ActIs(whole.to_owned(), false, Shape::AnySync),
            3 => {
                let args = sorts.iter().map(|sort| self.value(sort, scope, 1)).collect();
                Expr::ActEq(whole.to_owned(), positive, action, args)
            }
            _ => {
                let mut args = Vec::new();
                for sort in &sorts {
                    args.push(match sort {
                        Sort::Range(Bound::Lit(low), Bound::Lit(high))
                            if self.random.percent(70) =>
                        {
                            Some(low + self.random.below((high - low) as usize) as i64)
                        }
                        _ => None,
                    });
                }
                Expr::ActIs(whole.to_owned(), positive, Shape::Act(action, args))
            }
        }
    }

    fn member(&mut self, part: &Candidate, scope: &mut Scope, wholes: &mut Vec<String>) -> Member {
        if self.random.percent(if part.is_hole { 35 } else { 20 }) {
            self.fresh += 1;
            let name = format!("x{}", self.fresh);
            wholes.push(name.clone());
            let how = match self.random.below(20) {
                0..=2 => Wrap::Sync,
                3 => Wrap::Co,
                _ => Wrap::Plain,
            };
            return Member::Whole(how, name);
        }
        if self.random.percent(6) {
            return Member::Tau;
        }
        let (how, action) = match &part.offers {
            Some(offers) => match self.random.pick_some(offers) {
                Some(offer) => offer.clone(),
                None => return Member::Tau,
            },
            None => {
                let how = if self.random.percent(15) { Wrap::Co } else { Wrap::Plain };
                (how, self.random.pick(&self.model.actions.clone()).0.clone())
            }
        };
        let sorts = self.model.sorts_of(&action).to_vec();
        let args = sorts.iter().map(|sort| self.pattern(sort, scope)).collect();
        Member::Act(how, action, args)
    }

    // ---- connectors ----

    /// A connector of some parts, unless there are none with ports.
    fn connector(&mut self, net: &Net) -> Option<Connector> {
        let repeat = self.repetition(net);
        let start = self.start(net, &repeat);
        let mut parts = self.members_of(net);
        self.random.shuffle(&mut parts);
        let mut scope = start.clone();
        let (mut joints, mut families, mut transfers) = (Vec::new(), Vec::new(), Vec::new());
        for part in &parts {
            let times = if part.family.is_some() && self.random.percent(40) { 2 } else { 1 };
            for _ in 0..times {
                let Some(port) = self.port(part, &mut scope, &mut transfers) else { continue };
                joints.push(Joint { trigger: self.random.percent(35), what: port });
                families.push(part.family.clone());
            }
        }
        if joints.is_empty() {
            return None;
        }
        let is_grouped = joints.len() > 2 && self.random.percent(50);
        let group = if is_grouped { joints.split_off(joints.len() - 2) } else { Vec::new() };
        if is_grouped {
            joints.push(Joint { trigger: self.random.percent(25), what: Joined::Group(group) });
        }
        let always = self.always(&joints, &start, &scope);
        let data: Scope = always[start.len()..].to_vec();
        let mut families = families.into_iter();
        each_place(&mut joints, &mut |place| {
            let family = families.next().flatten();
            place.index = family.map(|family| self.index(&family, &repeat, &data));
        });
        let (action, sorts) = self.random.pick(&self.model.actions.clone()).clone();
        let exports = sorts.iter().map(|sort| self.value(sort, &always, 1)).collect();
        let guard = if self.random.percent(40) { Some(self.truth(&always, 1)) } else { None };
        let transfers = transfers
            .into_iter()
            .map(|(name, sort): (String, Sort)| (name, self.value(&sort, &always, 1)))
            .collect();
        Some(Connector { name: action, exports, joints, guard, transfers, repeat })
    }

    /// A port; now and then the connector writes its value.
    fn port(
        &mut self,
        part: &Candidate,
        scope: &mut Scope,
        transfers: &mut Vec<(String, Sort)>,
    ) -> Option<Joined> {
        let plain: Vec<String> = match &part.offers {
            Some(offers) => {
                let plain = offers.iter().filter(|(how, _)| *how == Wrap::Plain);
                plain.map(|(_, name)| name.clone()).collect()
            }
            None => self.model.actions.iter().map(|(name, _)| name.clone()).collect(),
        };
        let action = self.random.pick_some(&plain)?.clone();
        let mut args = Vec::new();
        for sort in self.model.sorts_of(&action).to_vec() {
            args.push(if self.random.percent(30) {
                let name = self.name_for(&sort);
                transfers.push((name.clone(), sort));
                Pattern::Var(name)
            } else {
                self.pattern(&sort, scope)
            });
        }
        Some(Joined::Port(Place::one(&part.name), action, args))
    }

    /// The names that have a value in all interactions.
    fn always(&self, joints: &[Joint], start: &Scope, all: &Scope) -> Scope {
        let mut always = all.clone();
        for ports in interactions(joints) {
            let mut here = start.clone();
            for port in ports {
                for (pattern, sort) in port.args.iter().zip(self.model.sorts_of(port.action)) {
                    self.bound_by(pattern, sort, &mut here);
                }
            }
            always.retain(|(name, _)| here.iter().any(|(other, _)| other == name));
        }
        always
    }

    fn pattern(&mut self, sort: &Sort, scope: &mut Scope) -> Pattern {
        if self.random.percent(10) {
            return Pattern::Any;
        }
        let known: Vec<String> =
            scope.iter().filter(|(_, s)| s == sort).map(|(name, _)| name.clone()).collect();
        if let (Some(name), true) = (self.random.pick_some(&known), self.random.percent(40)) {
            return Pattern::Var(name.clone());
        }
        match sort {
            Sort::Range(..) if self.random.percent(15) => {
                let name = self.name_for(&Sort::Int);
                scope.push((name.clone(), Sort::Int));
                Pattern::Plus(name, self.random.between(1, 2) as i64)
            }
            Sort::Range(Bound::Lit(low), _) if self.random.percent(12) => {
                Pattern::Lit(Expr::Int(*low))
            }
            Sort::Data(data) if self.random.percent(35) => {
                let all = self.model.datas[*data].constructors.clone();
                let at = self.random.below(all.len());
                let args =
                    all[at].fields.iter().map(|(_, sort)| self.pattern(sort, scope)).collect();
                Pattern::Con(*data, at, args)
            }
            _ => {
                let name = self.name_for(sort);
                scope.push((name.clone(), sort.clone()));
                Pattern::Var(name)
            }
        }
    }
}

/// The parts of a connector, from left to right.
pub fn each_place(joints: &mut [Joint], see: &mut impl FnMut(&mut Place)) {
    for joint in joints {
        match &mut joint.what {
            Joined::Port(place, ..) => see(place),
            Joined::Group(joints) => each_place(joints, see),
        }
    }
}
