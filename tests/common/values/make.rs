//! Random models.

use super::exprs::{Maker, Scope, bin, conj, name};
use super::{
    Arg, Bound, Const, Constructor, Data, Expr, Fun, Label, Member, Model, Net, Op, Pattern,
    Process, Res, Shape, Side, Sort, Trans, Vector, Wrap,
};
use crate::common::Random;

/// What a random model may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One process.
    Leaf,
    /// A net without holes.
    Closed,
    /// A net with holes.
    Open,
}

/// A random model with one side only; `symbolic`: some bounds are `N`.
pub fn model(random: &mut Random, kind: Kind, symbolic: bool) -> Model {
    let mut maker = Maker { random, model: Model::default(), fresh: 0 };
    if symbolic {
        let sort = Sort::Int;
        maker.model.consts.push(Const { name: "N".to_owned(), sort, value: None });
        maker.model.axioms.push(bin(Op::Ge, name("N"), Expr::Int(1)));
    }
    maker.declare();
    match kind {
        Kind::Leaf => {
            let p = maker.process("P0", false);
            maker.model.left.processes.push(p);
        }
        Kind::Closed => maker.net(false),
        Kind::Open => maker.net(true),
    }
    maker.model
}

fn con(name: &str, fields: Vec<(&str, Sort)>) -> Constructor {
    let fields = fields.into_iter().map(|(name, sort)| (name.to_owned(), sort)).collect();
    Constructor { name: name.to_owned(), fields }
}

fn lit(low: i64, high: i64) -> Sort {
    Sort::Range(Bound::Lit(low), Bound::Lit(high))
}

impl Maker<'_> {
    fn declare(&mut self) {
        self.datatypes();
        if self.random.percent(35) {
            let value = if self.random.percent(20) { Some(Expr::Int(1)) } else { None };
            let sort = if self.random.percent(60) { lit(0, 3) } else { Sort::Int };
            if sort == Sort::Int && value.is_none() {
                let low = self.random.below(2) as i64;
                self.model.axioms.push(bin(Op::Ge, name("K"), Expr::Int(low)));
                let high = self.random.between(2, 4) as i64;
                self.model.axioms.push(bin(Op::Lt, name("K"), Expr::Int(high)));
            }
            if value.is_none() && self.random.percent(30) {
                let k = self.random.below(4) as i64;
                self.model.set.push(("K".to_owned(), k));
            }
            self.model.consts.push(Const { name: "K".to_owned(), sort, value });
        }
        for at in 0..self.random.below(3) {
            self.function(at);
        }
        let sort = self.range();
        self.model.actions.push(("a".to_owned(), vec![sort]));
        self.model.actions.push(("b".to_owned(), vec![]));
        self.model.actions.push(("c".to_owned(), vec![]));
        if self.random.percent(70) {
            let sort = self.sort();
            self.model.actions.push(("d".to_owned(), vec![sort]));
        }
        if self.random.percent(20) {
            let sorts = vec![self.range(), self.range()];
            self.model.actions.push(("e".to_owned(), sorts));
        }
    }

    fn datatypes(&mut self) {
        if self.random.percent(60) {
            let mut all = vec![con("Ping", vec![])];
            let q = self.range();
            all.push(con("Pkt", vec![("q", q)]));
            if self.random.percent(30) {
                let sort = if self.random.percent(50) { Sort::Bool } else { lit(1, 3) };
                all.push(con("Box", vec![("w", sort)]));
            }
            self.model.datas.push(Data { name: "M".to_owned(), constructors: all });
            if self.random.percent(30) {
                let inner = ("inner", Sort::Data(0));
                let arr = Sort::Array(Bound::Lit(0), Bound::Lit(2), Box::new(lit(0, 2)));
                let other = if self.random.percent(50) { ("arr", arr) } else { ("k", lit(0, 2)) };
                let all = vec![con("None", vec![]), con("Wrap", vec![inner, other])];
                self.model.datas.push(Data { name: "W".to_owned(), constructors: all });
            }
            if self.random.percent(20) {
                // It is true of all values.
                let (x, pkt) = ("m0".to_owned(), Box::new(name("m0")));
                let q = Expr::Field(pkt.clone(), 0, "q".to_owned());
                if let Sort::Range(_, Bound::Lit(high)) =
                    self.model.datas[0].constructors[1].fields[0].1
                {
                    let below = bin(Op::Lt, q, Expr::Int(high));
                    let body = bin(Op::Implies, Expr::Is(pkt, 0, 1, true), below);
                    self.model.axioms.push(Expr::Quant(true, x, Sort::Data(0), Box::new(body)));
                }
            }
        }
        if self.random.percent(20) {
            let at = self.model.datas.len();
            let cons = con("Cons", vec![("head", lit(0, 2)), ("tail", Sort::Data(at))]);
            let constructors = vec![con("Nil", vec![]), cons];
            self.model.datas.push(Data { name: "L".to_owned(), constructors });
            if self.random.percent(40) {
                self.length(at);
            }
        }
    }

    /// How long a list is, into a range that is too small for long ones, or not.
    fn length(&mut self, data: usize) {
        let more = bin(Op::Add, Expr::Int(1), Expr::Call("len".to_owned(), vec![name("m2")]));
        let names = vec!["i1".to_owned(), "m2".to_owned()];
        let arms = vec![(vec![], Expr::Int(0)), (names, more)];
        let body = Some(Expr::Match(Box::new(name("m0")), data, arms));
        let result = if self.random.percent(50) { Sort::Int } else { lit(0, 3) };
        let params = vec![("m0".to_owned(), Sort::Data(data))];
        self.model.funs.push(Fun { name: "len".to_owned(), params, result, body });
    }

    fn function(&mut self, at: usize) {
        let result = self.sort();
        let mut params = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let sort = if self.random.percent(30) { Sort::Int } else { self.plain() };
            let name = self.name_for(&sort);
            params.push((name, sort));
        }
        let is_abstract = self.random.percent(35) && result != Sort::Int;
        if is_abstract {
            params.truncate(1);
            if params[0].1 == Sort::Int {
                params[0].1 = lit(0, 2);
            }
        }
        let body = if is_abstract { None } else { Some(self.value(&result, &params, 2)) };
        let name = format!("{}{at}", if is_abstract { "g" } else { "f" });
        self.model.funs.push(Fun { name: name.clone(), params: params.clone(), result, body });
        if is_abstract && self.random.percent(40) {
            // One row of its table.
            let row = self.constant(&params[0].1);
            let result = self.model.funs[self.model.funs.len() - 1].result.clone();
            let value = self.constant(&result);
            let (Some(row), Some(value)) = (row, value) else { return };
            self.model.axioms.push(bin(Op::Eq, Expr::Call(name, vec![row]), value));
        }
    }

    /// A value of a simple sort.
    fn constant(&mut self, sort: &Sort) -> Option<Expr> {
        Some(match sort {
            Sort::Bool => Expr::Bool(self.random.percent(50)),
            Sort::Range(Bound::Lit(low), _) => Expr::Int(*low),
            Sort::Data(data) => Expr::Con(*data, 0, vec![]),
            _ => return None,
        })
    }

    /// A sort without arrays.
    fn plain(&mut self) -> Sort {
        match self.random.below(6) {
            0 => Sort::Bool,
            1 | 2 if !self.model.datas.is_empty() => {
                Sort::Data(self.random.below(self.model.datas.len()))
            }
            _ => self.range(),
        }
    }

    pub fn sort(&mut self) -> Sort {
        match self.random.below(8) {
            0 => Sort::Int,
            1 => {
                let of = if self.random.percent(70) { lit(0, 2) } else { Sort::Bool };
                let low = Bound::Lit(if self.random.percent(80) { 0 } else { 1 });
                let n = self.model.consts.iter().any(|c| c.name == "N");
                let high = if n && self.random.percent(60) { Bound::N(1) } else { Bound::Lit(2) };
                Sort::Array(low, high, Box::new(of))
            }
            _ => self.plain(),
        }
    }

    pub fn process(&mut self, name: &str, in_net: bool) -> Process {
        let mut params = Vec::new();
        if in_net && self.random.percent(30) {
            let sort = self.range();
            params.push((self.name_for(&sort), sort));
        }
        let mut vars = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let sort = self.sort();
            let name = self.name_for(&sort);
            let free = self.random.percent(20) && sort != Sort::Int;
            let depth = self.random.below(2);
            let value = if free { None } else { Some(self.value(&sort, &params, depth)) };
            vars.push((name, sort, value));
        }
        let states = self.random.between(1, 2);
        let mut process =
            Process { name: name.to_owned(), params, vars, states, trans: Vec::new() };
        for at in 0..self.random.between(2, 3) {
            let from = if at < states { at } else { self.random.below(states) };
            let trans = self.trans(&process, from);
            process.trans.push(trans);
        }
        process
    }

    fn trans(&mut self, process: &Process, from: usize) -> Trans {
        let to = if self.random.percent(50) { process.states - 1 } else { 0 };
        let mut scope: Scope = process.params.clone();
        scope.extend(process.vars.iter().map(|(name, sort, _)| (name.clone(), sort.clone())));
        let outer = scope.clone();
        let label = if self.random.percent(12) {
            Label::Tau
        } else {
            let (action, sorts) = self.random.pick(&self.model.actions.clone()).clone();
            let mut args = Vec::new();
            for sort in sorts {
                args.push(match self.random.below(10) {
                    0 => Arg::Any,
                    1..=4 => {
                        let name = self.name_for(&sort);
                        scope.push((name.clone(), sort));
                        Arg::In(name)
                    }
                    _ => Arg::Out(self.value(&sort, &outer, 2)),
                });
            }
            let how = if self.random.percent(6) { Wrap::Sync } else { Wrap::Plain };
            Label::Act(how, action, args)
        };
        let mut guard = if self.random.percent(55) { Some(self.truth(&scope, 2)) } else { None };
        let mut updates = Vec::new();
        for (var, sort, _) in &process.vars {
            if self.random.percent(45) {
                let mut e = self.value(sort, &scope, 2);
                if *sort == Sort::Int {
                    // It stays in a window.
                    if self.random.percent(50) {
                        e = bin(Op::Mod, e, Expr::Int(3));
                    } else {
                        guard = Some(conj(guard, bin(Op::Ge, e.clone(), Expr::Int(0))));
                        guard = Some(conj(guard, bin(Op::Lt, e.clone(), Expr::Int(3))));
                    }
                }
                updates.push((var.clone(), e));
            }
        }
        Trans { from, to, label, guard, updates }
    }

    fn net(&mut self, open: bool) {
        let mut net = Net {
            name: "A".to_owned(),
            holes: Vec::new(),
            subs: Vec::new(),
            vectors: Vec::new(),
            priorities: Vec::new(),
        };
        if open {
            let mut all = vec!["a".to_owned()];
            let others: Vec<String> =
                self.model.actions[1..].iter().map(|(n, _)| n.clone()).collect();
            all.extend(others.into_iter().filter(|_| self.random.percent(60)));
            self.model.interfaces.push(("I".to_owned(), all));
            net.holes.push(("P".to_owned(), if self.random.percent(80) { Some(0) } else { None }));
        }
        let subs = if open { self.random.below(2) } else { self.random.between(1, 2) };
        for at in 0..subs {
            let process = self.process(&format!("P{at}"), true);
            let values = process.params.clone();
            let values =
                values.iter().map(|(_, sort)| self.value(sort, &Scope::new(), 1)).collect();
            let name = ["X", "Y"][at].to_owned();
            net.subs.push((name, process.name.clone(), values));
            self.model.left.processes.push(process);
        }
        for _ in 0..self.random.between(2, 3) {
            let vector = self.vector(&net);
            net.vectors.push(vector);
        }
        if !open {
            self.rivals(&mut net);
        }
        self.model.left.net = Some(net);
    }

    /// Priorities, or what a vector gives way to.
    fn rivals(&mut self, net: &mut Net) {
        if self.random.percent(30) {
            let shown = |v: &Vector| match &v.result {
                Res::Act(Wrap::Plain, name, _) => Some(name.clone()),
                _ => None,
            };
            let names: Vec<String> = net.vectors.iter().filter_map(shown).collect();
            let plain = net.vectors.iter().all(|v| !matches!(v.result, Res::Whole(_)));
            if plain && names.len() > 1 && names[0] != names[1] {
                net.priorities.push((names[0].clone(), names[1].clone()));
            }
        } else if self.random.percent(40) {
            let rival = self.vector(net);
            let at = self.random.below(net.vectors.len());
            net.vectors[at].unless.push((rival.members, rival.guard));
        }
    }

    fn vector(&mut self, net: &Net) -> Vector {
        let mut parts: Vec<String> = net.holes.iter().map(|(name, _)| name.clone()).collect();
        parts.extend(net.subs.iter().map(|(name, ..)| name.clone()));
        self.random.shuffle(&mut parts);
        let count = if self.random.percent(45) { parts.len() } else { 1 };
        parts.truncate(count);
        let (mut members, mut scope, mut wholes) = (Vec::new(), Scope::new(), Vec::new());
        for part in parts {
            let member = self.member(net, &part, &mut scope, &mut wholes);
            members.push((part, member));
        }
        let mut guard = if self.random.percent(45) { Some(self.truth(&scope, 2)) } else { None };
        for whole in &wholes {
            // Often only what can be written out.
            if !net.holes.is_empty() && self.random.percent(45) {
                guard = Some(conj(guard, Expr::ActIn(whole.clone(), true, 0)));
            }
            for _ in 0..self.random.below(3) {
                let test = self.test(whole, &scope);
                guard = Some(conj(guard, test));
            }
        }
        let result = match self.random.below(10) {
            0 => Res::Tau,
            1..=5 if !wholes.is_empty() => Res::Whole(wholes[0].clone()),
            _ => {
                let (action, sorts) = self.random.pick(&self.model.actions.clone()).clone();
                let args = sorts.iter().map(|sort| self.value(sort, &scope, 2)).collect();
                let how = if self.random.percent(10) { Wrap::Sync } else { Wrap::Plain };
                Res::Act(how, action, args)
            }
        };
        Vector { members, result, guard, unless: Vec::new() }
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

    fn member(
        &mut self,
        net: &Net,
        part: &str,
        scope: &mut Scope,
        wholes: &mut Vec<String>,
    ) -> Member {
        let is_hole = net.holes.iter().any(|(name, _)| name == part);
        if self.random.percent(if is_hole { 35 } else { 15 }) {
            self.fresh += 1;
            let name = format!("x{}", self.fresh);
            wholes.push(name.clone());
            let how = if self.random.percent(15) { Wrap::Sync } else { Wrap::Plain };
            return Member::Whole(how, name);
        }
        if self.random.percent(6) {
            return Member::Tau;
        }
        let mut names: Vec<String> = Vec::new();
        let process = net.subs.iter().find(|(name, ..)| name == part).map(|(_, p, _)| p);
        match process.and_then(|p| self.model.left.processes.iter().find(|q| q.name == *p)) {
            Some(process) => {
                names.extend(process.trans.iter().filter_map(|t| match &t.label {
                    Label::Act(Wrap::Plain, name, _) => Some(name.clone()),
                    _ => None,
                }));
            }
            None => match net.holes[0].1 {
                Some(i) => names.extend(self.model.interfaces[i].1.iter().cloned()),
                None => names.extend(self.model.actions.iter().map(|(name, _)| name.clone())),
            },
        }
        let Some(action) = self.random.pick_some(&names).cloned() else { return Member::Tau };
        let sorts = self.model.sorts_of(&action).to_vec();
        let args = sorts.iter().map(|sort| self.pattern(sort, scope)).collect();
        Member::Act(Wrap::Plain, action, args)
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

/// The other side is the same for now.
pub fn copied(model: &Model) -> Side {
    let mut side = model.left.clone();
    for process in &mut side.processes {
        process.name += "b";
    }
    if let Some(net) = &mut side.net {
        net.name = "B".to_owned();
        for (_, process, _) in &mut net.subs {
            *process += "b";
        }
    }
    side
}
