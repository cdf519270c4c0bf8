//! Random expressions that stay near the borders of sorts.

use super::{Bound, Expr, Model, Op, Sort};
use crate::common::Random;

pub type Scope = Vec<(String, Sort)>;

/// Makes a model.
pub struct Maker<'r> {
    pub random: &'r mut Random,
    pub model: Model,
    pub fresh: usize,
    /// Whether bounds can be made of a parameter here.
    pub has_param: bool,
    /// The actions that a process is to do: those of an interface.
    pub interface: Option<usize>,
}

impl<'r> Maker<'r> {
    pub fn new(random: &'r mut Random) -> Maker<'r> {
        Maker { random, model: Model::default(), fresh: 0, has_param: false, interface: None }
    }
}

pub fn bin(op: Op, l: Expr, r: Expr) -> Expr {
    Expr::Bin(op, Box::new(l), Box::new(r))
}

pub fn name(name: &str) -> Expr {
    Expr::Name(name.to_owned())
}

pub fn conj(a: Option<Expr>, b: Expr) -> Expr {
    match a {
        Some(a) => bin(Op::And, a, b),
        None => b,
    }
}

const COMPARISONS: [Op; 6] = [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge];

impl Maker<'_> {
    /// A new name; its first letter tells the sort.
    pub fn name_for(&mut self, sort: &Sort) -> String {
        self.fresh += 1;
        let letter = match sort {
            Sort::Bool => "p",
            Sort::Int | Sort::Range(..) => "i",
            Sort::Data(_) => "m",
            Sort::Array(..) => "r",
        };
        format!("{letter}{}", self.fresh)
    }

    /// The names of a scope and the constants, of sorts like this.
    fn names(&self, scope: &Scope, fits: impl Fn(&Sort) -> bool) -> Vec<Expr> {
        let constants = self.model.consts.iter().map(|c| (&c.name, &c.sort));
        let all = scope.iter().map(|(name, sort)| (name, sort)).chain(constants);
        all.filter(|(_, sort)| fits(sort)).map(|(n, _)| name(n)).collect()
    }

    /// Functions with a result like this, but for those that are made later.
    fn functions(&self, fits: impl Fn(&Sort) -> bool) -> Vec<(String, Vec<Sort>)> {
        let all = self.model.funs.iter().filter(|f| fits(&f.result));
        all.map(|f| (f.name.clone(), f.params.iter().map(|(_, s)| s.clone()).collect())).collect()
    }

    /// Fields with a sort like this.
    fn fields(&self, fits: impl Fn(&Sort) -> bool) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (at, data) in self.model.datas.iter().enumerate() {
            let fields = data.constructors.iter().flat_map(|con| &con.fields);
            found.extend(fields.filter(|(_, s)| fits(s)).map(|(name, _)| (at, name.clone())));
        }
        found
    }

    /// A number of a sort, at one of its borders if possible.
    fn literal(&mut self, sort: &Sort) -> Expr {
        let (low, high) = match sort {
            Sort::Range(Bound::Lit(low), Bound::Lit(high)) => (*low, *high),
            Sort::Range(..) => (0, 1),
            _ => (-1, 4),
        };
        Expr::Int(match self.random.below(3) {
            0 => low,
            1 => high - 1,
            _ => low + self.random.below((high - low).max(1) as usize) as i64,
        })
    }

    pub fn value(&mut self, sort: &Sort, scope: &Scope, depth: usize) -> Expr {
        match sort {
            Sort::Bool => self.truth(scope, depth),
            Sort::Int | Sort::Range(..) => self.number(sort, scope, depth),
            Sort::Data(data) => self.data(*data, scope, depth),
            Sort::Array(low, high, of) => self.array((*low, *high, of), scope, depth),
        }
    }

    /// What any sort can have: a branch, an arm, a call, a field.
    fn general(&mut self, sort: &Sort, scope: &Scope, depth: usize) -> Option<Expr> {
        let less = depth - 1;
        let is = |other: &Sort| other == sort || sort.is_int() && other.is_int();
        match self.random.below(5) {
            0 => {
                let c = self.truth(scope, less);
                let (a, b) = (self.value(sort, scope, less), self.value(sort, scope, less));
                Some(Expr::If(Box::new(c), Box::new(a), Box::new(b)))
            }
            1 => {
                let all = self.functions(is);
                let (f, sorts) = self.random.pick_some(&all)?.clone();
                let args = sorts.iter().map(|sort| self.value(sort, scope, less)).collect();
                Some(Expr::Call(f, args))
            }
            2 => {
                let all = self.fields(is);
                let (data, field) = self.random.pick_some(&all)?.clone();
                // Fields of names and calls only: the others need no field.
                let all = self.names(scope, |s| *s == Sort::Data(data));
                let subject = match self.random.pick_some(&all) {
                    Some(subject) => subject.clone(),
                    None => self.data(data, scope, less),
                };
                Some(Expr::Field(Box::new(subject), data, field))
            }
            3 => {
                if self.model.datas.is_empty() {
                    return None;
                }
                let data = self.random.below(self.model.datas.len());
                let subject = self.data(data, scope, less);
                let mut arms = Vec::new();
                for con in self.model.datas[data].constructors.clone() {
                    let mut inner = scope.clone();
                    let names: Vec<String> =
                        con.fields.iter().map(|(_, sort)| self.name_for(sort)).collect();
                    let sorts = con.fields.iter().map(|(_, sort)| sort.clone());
                    inner.extend(names.iter().cloned().zip(sorts));
                    arms.push((names, self.value(sort, &inner, less)));
                }
                Some(Expr::Match(Box::new(subject), data, arms))
            }
            _ => {
                let arrays: Vec<(Expr, Sort)> = scope
                    .iter()
                    .filter_map(|(n, s)| match s {
                        Sort::Array(low, high, of) if is(of) => {
                            Some((name(n), Sort::Range(*low, *high)))
                        }
                        _ => None,
                    })
                    .collect();
                let (array, places) = self.random.pick_some(&arrays)?.clone();
                let at = self.number(&places, scope, less);
                Some(Expr::Read(Box::new(array), Box::new(at)))
            }
        }
    }

    pub fn number(&mut self, sort: &Sort, scope: &Scope, depth: usize) -> Expr {
        let names = self.names(scope, Sort::is_int);
        if depth == 0 || self.random.percent(15) {
            return match self.random.pick_some(&names) {
                Some(name) if self.random.percent(70) => name.clone(),
                _ => self.literal(sort),
            };
        }
        match self.random.below(8) {
            0..=2 => {
                let e = match self.random.pick_some(&names) {
                    Some(name) if self.random.percent(75) => name.clone(),
                    _ => self.number(sort, scope, depth - 1),
                };
                let op = *self.random.pick(&[Op::Add, Op::Add, Op::Sub, Op::Sub, Op::Mul]);
                let by = if op == Op::Mul { 2 } else { self.random.between(1, 2) as i64 };
                bin(op, e, Expr::Int(by))
            }
            3 => {
                let op = *self.random.pick(&[Op::Div, Op::Mod, Op::Quot, Op::Rem]);
                let l = self.number(sort, scope, depth - 1);
                let r = match self.random.pick_some(&names) {
                    Some(name) if self.random.percent(60) => name.clone(),
                    _ => Expr::Int(self.random.between(1, 3) as i64),
                };
                bin(op, l, r)
            }
            _ => match self.general(sort, scope, depth) {
                Some(e) => e,
                None => self.number(sort, scope, depth - 1),
            },
        }
    }

    pub fn data(&mut self, data: usize, scope: &Scope, depth: usize) -> Expr {
        let sort = Sort::Data(data);
        let names = self.names(scope, |s| *s == sort);
        if let Some(name) = self.random.pick_some(&names).cloned()
            && (depth == 0 || self.random.percent(35))
        {
            return name;
        }
        if depth > 0
            && self.random.percent(45)
            && let Some(e) = self.general(&sort, scope, depth)
        {
            return e;
        }
        let all = self.model.datas[data].constructors.clone();
        // The first constructor has no fields: there is an end.
        let at = if depth == 0 { 0 } else { self.random.below(all.len()) };
        let less = depth.saturating_sub(1);
        let args = all[at].fields.iter().map(|(_, sort)| self.value(sort, scope, less)).collect();
        Expr::Con(data, at, args)
    }

    fn array(&mut self, of: (Bound, Bound, &Sort), scope: &Scope, depth: usize) -> Expr {
        let (low, high, of) = of;
        let sort = Sort::Array(low, high, Box::new(of.clone()));
        let names = self.names(scope, |s| *s == sort);
        let Some(base) = self.random.pick_some(&names).cloned() else {
            let e = self.value(of, scope, depth.saturating_sub(1));
            return Expr::Fill(low, high, of.clone(), Box::new(e));
        };
        if depth == 0 || self.random.percent(15) {
            return base;
        }
        let less = depth - 1;
        match self.random.below(4) {
            0 => {
                if let Some(e) = self.general(&sort, scope, depth) {
                    return e;
                }
                base
            }
            1 => Expr::Fill(low, high, of.clone(), Box::new(self.value(of, scope, less))),
            _ => {
                let at = self.number(&Sort::Range(low, high), scope, less);
                let value = self.value(of, scope, less);
                Expr::Store(Box::new(base), Box::new(at), Box::new(value), of.clone())
            }
        }
    }

    pub fn truth(&mut self, scope: &Scope, depth: usize) -> Expr {
        let names = self.names(scope, |s| *s == Sort::Bool);
        if depth == 0 {
            return match self.random.pick_some(&names) {
                Some(name) if self.random.percent(60) => name.clone(),
                _ => self.comparison(scope, 0),
            };
        }
        let less = depth - 1;
        match self.random.below(12) {
            0..=3 => self.comparison(scope, depth),
            4 | 5 => {
                let op = *self.random.pick(&[Op::And, Op::Or, Op::Implies]);
                let l = self.truth(scope, less);
                bin(op, l, self.truth(scope, less))
            }
            6 => Expr::Not(Box::new(self.truth(scope, less))),
            7 => {
                let sort = match self.random.below(4) {
                    0 if !self.model.datas.is_empty() => {
                        Sort::Data(self.random.below(self.model.datas.len()))
                    }
                    1 => Sort::Bool,
                    _ => self.range(),
                };
                let name = self.name_for(&sort);
                let mut inner = scope.clone();
                inner.push((name.clone(), sort.clone()));
                let body = self.truth(&inner, less);
                Expr::Quant(self.random.percent(50), name, sort, Box::new(body))
            }
            8 | 9 if !self.model.datas.is_empty() => {
                let data = self.random.below(self.model.datas.len());
                let subject = self.data(data, scope, less);
                if self.random.percent(30) {
                    let other = self.data(data, scope, less);
                    return bin(*self.random.pick(&[Op::Eq, Op::Ne]), subject, other);
                }
                let con = self.random.below(self.model.datas[data].constructors.len());
                Expr::Is(Box::new(subject), data, con, self.random.percent(60))
            }
            10 => {
                let arrays: Vec<Sort> = scope
                    .iter()
                    .filter(|(_, s)| matches!(s, Sort::Array(..)))
                    .map(|(_, s)| s.clone())
                    .collect();
                let Some(sort) = self.random.pick_some(&arrays).cloned() else {
                    return self.comparison(scope, depth);
                };
                let all = self.names(scope, |s| *s == sort);
                let l = self.random.pick(&all).clone();
                let r = self.value(&sort, scope, depth);
                bin(*self.random.pick(&[Op::Eq, Op::Ne]), l, r)
            }
            _ => match self.general(&Sort::Bool, scope, depth) {
                Some(e) => e,
                None => self.comparison(scope, depth),
            },
        }
    }

    fn comparison(&mut self, scope: &Scope, depth: usize) -> Expr {
        let less = depth.saturating_sub(1);
        let l = self.number(&Sort::Int, scope, less);
        let r = if self.random.percent(70) {
            Expr::Int(self.random.below(4) as i64)
        } else {
            self.number(&Sort::Int, scope, 0)
        };
        bin(*self.random.pick(&COMPARISONS), l, r)
    }

    /// A small range.
    pub fn range(&mut self) -> Sort {
        let n = self.model.consts.iter().any(|c| c.name == "N");
        if n && self.random.percent(70) {
            return Sort::Range(Bound::Lit(0), Bound::N(0));
        }
        if self.has_param && self.random.percent(60) {
            return Sort::Range(Bound::Lit(0), Bound::Param(self.random.below(2) as i64));
        }
        let low = if self.random.percent(75) { 0 } else { self.random.below(5) as i64 - 3 };
        Sort::Range(Bound::Lit(low), Bound::Lit(low + self.random.between(1, 3) as i64))
    }
}
