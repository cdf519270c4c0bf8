//! Expressions of a given sort.

use super::World;
use super::data::{RECENT, Ty};
use super::text::{AND, ANY, COMPARISON, NOT, OPERAND, OR, PRODUCT, SUM, Text};

/// Names that can be read.
#[derive(Default, Clone)]
pub struct Scope {
    pub vars: Vec<Var>,
    /// Whether the names are variables of leaves, which have no selectors.
    pub is_property: bool,
}

#[derive(Clone)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub reads: usize,
}

impl Scope {
    pub fn add(&mut self, name: impl Into<String>, ty: Ty) {
        self.vars.push(Var { name: name.into(), ty, reads: 0 });
    }

    pub fn read(&mut self, index: usize) -> String {
        self.vars[index].reads += 1;
        self.vars[index].name.clone()
    }

    fn of(&self, ty: &Ty) -> Vec<usize> {
        let fits = |var: &Var| match (&var.ty, ty) {
            (Ty::Range(..), Ty::Int) => true,
            (have, wanted) => have.same(wanted),
        };
        (0..self.vars.len()).filter(|&index| fits(&self.vars[index])).collect()
    }
}

impl World<'_> {
    // ---- values without variables ----

    /// A value that uses no variables.
    pub fn value(&mut self, ty: &Ty, depth: usize) -> Text {
        match ty {
            Ty::Bool => Text::term(*self.random.pick(&["true", "false"])),
            Ty::Int if self.random.one_in(6) => {
                Text::new(format!("-{}", self.random.between(1, 20)), OPERAND)
            }
            Ty::Int => Text::term(*self.random.pick(&["0", "1", "2", "7", "12", "1_000"])),
            Ty::Range(low, high, _) => {
                let value = low + self.random.below((high - low) as usize) as i64;
                Text::new(value.to_string(), if value < 0 { OPERAND } else { super::text::TERM })
            }
            Ty::Abstract(id) => Text::term(self.sorts[*id].constant.clone()),
            Ty::Data(id) => self.constructed(*id, depth, |world, ty, depth| world.value(ty, depth)),
            Ty::Array(both) => {
                self.constant_array(both, depth, |world, ty, depth| world.value(ty, depth))
            }
        }
    }

    fn constructed(
        &mut self,
        data: usize,
        depth: usize,
        mut inside: impl FnMut(&mut Self, &Ty, usize) -> Text,
    ) -> Text {
        let count = self.datas[data].constructors.len();
        let index = if depth == 0 { 0 } else { self.random.below(count) };
        let constructor = &self.datas[data].constructors[index];
        let (name, fields) = (constructor.name.clone(), constructor.fields.clone());
        let name = if self.random.one_in(10) && !self.in_property {
            format!("{}.{name}", self.datas[data].name)
        } else {
            name
        };
        if fields.is_empty() {
            return Text::term(name);
        }
        let args: Vec<String> =
            fields.iter().map(|(_, ty)| inside(self, ty, depth.saturating_sub(1)).text).collect();
        Text::term(format!("{name}({})", args.join(", ")))
    }

    fn constant_array(
        &mut self,
        both: &(Ty, Ty),
        depth: usize,
        mut inside: impl FnMut(&mut Self, &Ty, usize) -> Text,
    ) -> Text {
        let depth = depth.saturating_sub(1);
        let (sort, value) = (self.ty_text(&both.1), inside(self, &both.1, depth));
        let array = format!("[_]{sort}({})", value.text);
        if depth == 0 || self.random.one_in(2) {
            return Text::term(array);
        }
        let (key, value) = (inside(self, &both.0, depth - 1), inside(self, &both.1, depth - 1));
        Text::term(format!("{array}[{} := {}]", key.text, value.text))
    }

    // ---- values with variables ----

    /// A value that may use the variables of a scope.
    pub fn expr(&mut self, scope: &mut Scope, ty: &Ty, depth: usize) -> Text {
        let known = scope.of(ty);
        if let (Some(&index), true) = (self.random.pick_some(&known), self.random.percent(45)) {
            return Text::term(scope.read(index));
        }
        if depth == 0 {
            return self.value(ty, 1);
        }
        match self.random.below(10) {
            0 => {
                if let Some(call) = self.call(scope, ty, depth) {
                    return call;
                }
            }
            1 => {
                if let Some(condition) = self.truth(scope, depth - 1) {
                    let (yes, no) =
                        (self.expr(scope, ty, depth - 1), self.expr(scope, ty, depth - 1));
                    let text = format!("if {} then {} else {}", condition.text, yes.text, no.text);
                    return Text::new(text, ANY);
                }
            }
            2 => {
                if let Some(choice) = self.choice(scope, ty, depth) {
                    return choice;
                }
            }
            3 => {
                if let Some(read) = self.element(scope, ty, depth) {
                    return read;
                }
            }
            4 => {
                if let Some(constant) = self.constant(ty) {
                    return constant;
                }
            }
            _ => {}
        }
        self.built(scope, ty, depth)
    }

    /// A value by the operators and constructors of its sort.
    fn built(&mut self, scope: &mut Scope, ty: &Ty, depth: usize) -> Text {
        match ty {
            Ty::Bool => self.truth(scope, depth).unwrap_or_else(|| self.value(ty, 1)),
            Ty::Int => self.integer(scope, depth),
            Ty::Range(low, high, _) => {
                let (low, high) = (*low, *high);
                if low == 0 && self.random.one_in(2) {
                    let number = self.expr(scope, &Ty::Int, depth - 1);
                    let sum = Text::infix(&number, "+", &Text::term("1"), SUM);
                    return Text::infix(&sum, "mod", &Text::term(high.to_string()), PRODUCT);
                }
                self.value(ty, 1)
            }
            Ty::Abstract(_) => self.value(ty, 1),
            Ty::Data(id) => {
                let id = *id;
                self.constructed(id, depth, |world, ty, depth| world.expr(scope, ty, depth))
            }
            Ty::Array(both) => {
                let known = scope.of(ty);
                let Some(&index) = self.random.pick_some(&known) else {
                    return self.constant_array(both, depth, |world, ty, depth| {
                        world.expr(scope, ty, depth)
                    });
                };
                let array = scope.read(index);
                let key = self.expr(scope, &both.0, depth - 1);
                let value = self.expr(scope, &both.1, depth - 1);
                Text::term(format!("{array}[{} := {}]", key.text, value.text))
            }
        }
    }

    fn integer(&mut self, scope: &mut Scope, depth: usize) -> Text {
        let left = self.expr(scope, &Ty::Int, depth - 1);
        let number = Text::term(self.random.between(1, 9).to_string());
        match self.random.below(8) {
            0 => Text::new(format!("-{}", left.at(OPERAND)), OPERAND),
            1 => {
                let operator = *self.random.pick(&["div", "mod", "quot", "rem", "*"]);
                Text::infix(&left, operator, &number, PRODUCT)
            }
            2 => {
                let right = self.expr(scope, &Ty::Int, depth - 1);
                let name = *self.random.pick(&["minimum", "maximum"]);
                Text::term(format!("{name}({}, {})", left.text, right.text))
            }
            3 => Text::infix(&left, "-", &number, SUM),
            4 => {
                let name = self.fresh(&["it", "part"]);
                scope.add(name.clone(), Ty::Int);
                let body = self.expr(scope, &Ty::Int, depth - 1);
                scope.vars.pop();
                let value = left.at(SUM);
                Text::term(format!("(let {name} = {value} in {name} + {})", body.at(PRODUCT)))
            }
            _ => {
                let right = self.expr(scope, &Ty::Int, depth - 1);
                Text::infix(&left, *self.random.pick(&["+", "-", "+"]), &right, SUM)
            }
        }
    }

    fn call(&mut self, scope: &mut Scope, ty: &Ty, depth: usize) -> Option<Text> {
        let low = self.funs.len().saturating_sub(RECENT);
        let fitting: Vec<usize> =
            (low..self.funs.len()).filter(|&id| self.funs[id].result.same(ty)).collect();
        let id = *self.random.pick_some(&fitting)?;
        let (name, params) = (self.funs[id].name.clone(), self.funs[id].params.clone());
        let args: Vec<String> =
            params.iter().map(|ty| self.expr(scope, ty, depth - 1).text).collect();
        Some(Text::term(format!("{name}({})", args.join(", "))))
    }

    fn constant(&mut self, ty: &Ty) -> Option<Text> {
        let low = self.consts.len().saturating_sub(RECENT);
        let fitting: Vec<usize> =
            (low..self.consts.len()).filter(|&id| self.consts[id].ty.same(ty)).collect();
        let id = *self.random.pick_some(&fitting)?;
        Some(Text::term(self.consts[id].name.clone()))
    }

    /// An element of an array, or a field of a value of a datatype.
    fn element(&mut self, scope: &mut Scope, ty: &Ty, depth: usize) -> Option<Text> {
        let mut found: Vec<(usize, Result<Ty, String>)> = Vec::new();
        for (index, var) in scope.vars.iter().enumerate() {
            match &var.ty {
                Ty::Array(both) if both.1.same(ty) => found.push((index, Ok(both.0.clone()))),
                Ty::Data(id) if !scope.is_property => {
                    let fields = self.datas[*id].constructors.iter().flat_map(|c| &c.fields);
                    let fitting = fields.filter(|(_, field)| field.same(ty));
                    found.extend(fitting.map(|(name, _)| (index, Err(name.clone()))));
                }
                _ => {}
            }
        }
        let (index, how) = self.random.pick_some(&found)?.clone();
        let name = scope.read(index);
        Some(Text::term(match how {
            Ok(key) => format!("{name}[{}]", self.expr(scope, &key, depth - 1).text),
            Err(field) => format!("{name}.{field}"),
        }))
    }

    /// A `match`.
    fn choice(&mut self, scope: &mut Scope, ty: &Ty, depth: usize) -> Option<Text> {
        let matchable = |ty: &Ty| matches!(ty, Ty::Data(_) | Ty::Bool | Ty::Int);
        let known: Vec<usize> =
            (0..scope.vars.len()).filter(|&index| matchable(&scope.vars[index].ty)).collect();
        let index = *self.random.pick_some(&known)?;
        let subject = scope.read(index);
        let arms = match scope.vars[index].ty.clone() {
            Ty::Data(id) => self.data_arms(scope, id, ty, depth),
            Ty::Bool => {
                let (yes, no) = (self.expr(scope, ty, depth - 1), self.expr(scope, ty, depth - 1));
                vec![format!("true => {}", yes.text), format!("false => {}", no.text)]
            }
            _ => self.integer_arms(scope, ty, depth),
        };
        let comma = *self.random.pick(&["", "", "", ","]);
        Some(Text::term(format!("match {subject} {{ {}{comma} }}", arms.join(", "))))
    }

    fn integer_arms(&mut self, scope: &mut Scope, ty: &Ty, depth: usize) -> Vec<String> {
        let mut arms = Vec::new();
        for pattern in ["0", "-1", "7"] {
            if self.random.one_in(2) {
                arms.push(format!("{pattern} => {}", self.expr(scope, ty, depth - 1).text));
            }
        }
        let name = self.fresh(&["v"]);
        scope.add(name.clone(), Ty::Int);
        arms.push(format!("{name} => {}", self.expr(scope, ty, depth - 1).text));
        scope.vars.pop();
        arms
    }

    /// One arm for each constructor, or one for the last few together.
    fn data_arms(&mut self, scope: &mut Scope, data: usize, ty: &Ty, depth: usize) -> Vec<String> {
        let mut order: Vec<usize> = (0..self.datas[data].constructors.len()).collect();
        self.random.shuffle(&mut order);
        let single =
            if self.random.one_in(3) { self.random.below(order.len()) } else { order.len() };
        let mut arms = Vec::new();
        for &constructor in &order[..single] {
            let before = scope.vars.len();
            let pattern = self.pattern(scope, data, constructor);
            arms.push(format!("{pattern} => {}", self.expr(scope, ty, depth - 1).text));
            scope.vars.truncate(before);
        }
        if single < order.len() {
            arms.push(format!("_ => {}", self.expr(scope, ty, depth - 1).text));
        }
        arms
    }

    fn pattern(&mut self, scope: &mut Scope, data: usize, index: usize) -> String {
        let constructor = &self.datas[data].constructors[index];
        let (name, fields) = (constructor.name.clone(), constructor.fields.clone());
        if fields.is_empty() {
            return name;
        }
        let mut inner = Vec::new();
        for (_, ty) in fields {
            if self.random.one_in(2) {
                inner.push("_".to_owned());
                continue;
            }
            let name = self.fresh(&["v"]);
            scope.add(name.clone(), ty);
            inner.push(name);
        }
        format!("{name}({})", inner.join(", "))
    }

    // ---- truths that nobody can tell in advance ----

    /// A truth that depends on the variables; nothing if there are none.
    pub fn truth(&mut self, scope: &mut Scope, depth: usize) -> Option<Text> {
        if scope.vars.is_empty() {
            return None;
        }
        if depth == 0 {
            let index = self.random.below(scope.vars.len());
            return Some(self.test_of(scope, index));
        }
        let inner = depth - 1;
        Some(match self.random.below(9) {
            0 | 1 => {
                let (a, b) = (self.truth(scope, inner)?, self.truth(scope, inner)?);
                Text::infix(&a, "and", &b, AND)
            }
            2 => {
                let (a, b) = (self.truth(scope, inner)?, self.truth(scope, inner)?);
                Text::infix(&a, "or", &b, OR)
            }
            3 => Text::new(format!("not {}", self.truth(scope, inner)?.at(NOT)), NOT),
            4 => {
                let (a, b) = (self.truth(scope, inner)?, self.truth(scope, inner)?);
                Text::new(format!("{} => {}", a.at(OR), b.at(ANY)), ANY)
            }
            5 => {
                let (name, ty) = (self.fresh(&["q"]), self.plain_ty());
                let sort = self.ty_text(&ty);
                scope.add(name.clone(), ty);
                let index = scope.vars.len() - 1;
                let test = self.test_of(scope, index);
                let body = Text::infix(&test, "and", &self.truth(scope, inner)?, AND);
                scope.vars.pop();
                let quantifier = *self.random.pick(&["forall", "exists"]);
                Text::new(format!("{quantifier} {name}: {sort} . {}", body.text), ANY)
            }
            _ => {
                let index = self.random.below(scope.vars.len());
                self.test_of(scope, index)
            }
        })
    }

    /// A truth that depends on this variable.
    pub fn test_of(&mut self, scope: &mut Scope, index: usize) -> Text {
        let (name, ty) = (scope.read(index), scope.vars[index].ty.clone());
        self.test(scope, &name, &ty, 2)
    }

    fn test(&mut self, scope: &mut Scope, name: &str, ty: &Ty, depth: usize) -> Text {
        let subject = Text::term(name);
        match ty {
            Ty::Bool => match self.random.below(3) {
                0 => Text::new(format!("not {name}"), NOT),
                _ => subject,
            },
            Ty::Int => {
                let relation = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let depth = self.random.below(2).min(depth);
                Text::infix(&subject, relation, &self.expr(scope, &Ty::Int, depth), COMPARISON)
            }
            Ty::Range(..) => {
                let relation = *self.random.pick(&["==", "!="]);
                Text::infix(&subject, relation, &self.value(ty, 1), COMPARISON)
            }
            Ty::Abstract(id) => {
                if self.random.one_in(2) {
                    let measure = self.sorts[*id].measure.clone();
                    return Text::new(format!("{measure}({name}) > 0"), COMPARISON);
                }
                Text::infix(&subject, "==", &self.value(ty, 1), COMPARISON)
            }
            Ty::Data(id) => self.test_of_data(scope, &subject, *id, depth),
            Ty::Array(both) => {
                let key = self.value(&both.0, 1);
                let element = format!("{name}[{}]", key.text);
                self.test(scope, &element, &both.1, depth.saturating_sub(1))
            }
        }
    }

    fn test_of_data(&mut self, scope: &mut Scope, subject: &Text, id: usize, depth: usize) -> Text {
        let index = self.random.below(self.datas[id].constructors.len());
        let fields = self.datas[id].constructors[index].fields.clone();
        match self.random.below(5) {
            0 => Text::infix(subject, "==", &self.value(&Ty::Data(id), 2), COMPARISON),
            1 if depth > 0 && !fields.is_empty() && !scope.is_property => {
                let (field, ty) = self.random.pick(&fields).clone();
                self.test(scope, &format!("{}.{field}", subject.text), &ty, depth - 1)
            }
            2 => {
                let pattern = self.datas[id].blank_pattern(index);
                Text::new(format!("{} is not {pattern}", subject.text), COMPARISON)
            }
            _ => {
                let pattern = self.datas[id].blank_pattern(index);
                Text::new(format!("{} is {pattern}", subject.text), COMPARISON)
            }
        }
    }
}
