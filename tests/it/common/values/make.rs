//! Random models.

use super::exprs::{Maker, Scope, bin, conj, name};
use super::{
    Arg, Bound, Const, Constructor, Data, Expr, Fun, Label, Model, Op, PARAM, Process, Side, Sort,
    Trans, Wrap,
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
    /// A net with families of parts or holes.
    Families,
    /// A net with nets inside, with values and with what fills their holes.
    Nested,
    /// A net without holes, with connectors.
    Connected,
    /// A net with its holes filled.
    Filled,
}

/// A random model with one side only; `symbolic`: some bounds are `N`.
pub fn model(random: &mut Random, kind: Kind, symbolic: bool) -> Model {
    let mut maker = Maker::new(random);
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
        kind => maker.whole(kind),
    }
    maker.model
}

fn con(name: &str, fields: Vec<(&str, Sort)>) -> Constructor {
    let fields = fields.into_iter().map(|(name, sort)| (name.to_owned(), sort)).collect();
    Constructor { name: name.to_owned(), fields }
}

pub fn lit(low: i64, high: i64) -> Sort {
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
                let of = match self.random.below(10) {
                    0..=2 => Sort::Bool,
                    3 => lit(-2, 0),
                    4 => lit(1, 2),
                    _ => lit(0, 2),
                };
                let low = Bound::Lit(if self.random.percent(80) { 0 } else { 1 });
                let n = self.model.consts.iter().any(|c| c.name == "N");
                let high = match (n, self.has_param) {
                    (true, _) if self.random.percent(60) => Bound::N(1),
                    (_, true) if self.random.percent(60) => Bound::Param(1),
                    _ => Bound::Lit(2),
                };
                Sort::Array(low, high, Box::new(of))
            }
            _ => self.plain(),
        }
    }

    /// A parameter that bounds can be made of.
    pub fn param(&mut self) -> (String, Sort) {
        self.has_param = true;
        let sort = if self.random.percent(50) { Sort::Int } else { lit(1, 4) };
        (PARAM.to_owned(), sort)
    }

    pub fn process(&mut self, name: &str, in_net: bool) -> Process {
        let mut params = Vec::new();
        if in_net && self.random.percent(25) {
            params.push(self.param());
        } else if in_net && self.random.percent(30) {
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
        self.has_param = false;
        process
    }

    /// The actions that a process may do.
    fn allowed(&self) -> Vec<(String, Vec<Sort>)> {
        let mut all = self.model.actions.clone();
        if let Some(interface) = self.interface {
            all.retain(|(name, _)| self.model.interfaces[interface].1.contains(name));
        }
        all
    }

    fn trans(&mut self, process: &Process, from: usize) -> Trans {
        let to = if self.random.percent(50) { process.states - 1 } else { 0 };
        let mut scope: Scope = process.params.clone();
        scope.extend(process.vars.iter().map(|(name, sort, _)| (name.clone(), sort.clone())));
        let outer = scope.clone();
        let label = if self.random.percent(12) {
            Label::Tau
        } else {
            let (action, sorts) = self.random.pick(&self.allowed()).clone();
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
            let how = match self.random.below(100) {
                0..6 => Wrap::Sync,
                6..14 if self.interface.is_none() => Wrap::Co,
                _ => Wrap::Plain,
            };
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
}

/// The other side is the same for now.
pub fn copied(model: &Model) -> Side {
    let mut side = model.left.clone();
    let other =
        |name: &mut String| *name = if name == "A" { "B".to_owned() } else { format!("{name}b") };
    side.processes.iter_mut().for_each(|process| other(&mut process.name));
    for net in side.all_nets_mut() {
        other(&mut net.name);
        for sub in &mut net.subs {
            other(&mut sub.of);
            sub.fills.iter_mut().for_each(|(_, by)| other(by));
        }
    }
    side.fills.iter_mut().for_each(|(_, by)| other(by));
    side
}
