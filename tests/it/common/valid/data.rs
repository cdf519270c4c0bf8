//! Sorts, datatypes, functions, constants and axioms.

use super::expr::Scope;
use super::text::Text;
use super::{AbstractSort, World};

/// A sort.
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    Bool,
    Int,
    /// From the first to just before the second, as it is written.
    Range(i64, i64, String),
    Abstract(usize),
    Data(usize),
    Array(Box<(Ty, Ty)>),
}

impl Ty {
    /// Whether values of the one can be used for the other as they are.
    pub fn same(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Range(a, b, _), Ty::Range(c, d, _)) => (a, b) == (c, d),
            (Ty::Array(a), Ty::Array(b)) => a.0.same(&b.0) && a.1.same(&b.1),
            _ => self == other,
        }
    }
}

pub struct Constructor {
    pub name: String,
    pub fields: Vec<(String, Ty)>,
}

/// A datatype; its first constructor does not lead back to it.
pub struct Data {
    pub name: String,
    pub constructors: Vec<Constructor>,
}

impl Data {
    /// The pattern of a constructor that says nothing of its fields.
    pub fn blank_pattern(&self, index: usize) -> String {
        let constructor = &self.constructors[index];
        if constructor.fields.is_empty() {
            return constructor.name.clone();
        }
        format!("{}({})", constructor.name, vec!["_"; constructor.fields.len()].join(", "))
    }
}

pub struct Fun {
    pub name: String,
    pub params: Vec<Ty>,
    pub result: Ty,
}

pub struct Const {
    pub name: String,
    pub ty: Ty,
    /// The value, where it is an integer that is known.
    pub value: Option<i64>,
}

/// Only what was declared lately is used: models should not be made of references over a million lines.
pub const RECENT: usize = 12;

const CONSTRUCTORS: &[&str] =
    &["Waiting", "Running", "Stopped", "Message", "Request", "Größtes", "Element"];

impl World<'_> {
    // ---- sorts ----

    pub fn ty_text(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => "Bool".to_owned(),
            Ty::Int => "Int".to_owned(),
            Ty::Range(_, _, text) => text.clone(),
            Ty::Abstract(id) => self.sorts[*id].name.clone(),
            Ty::Data(id) => self.datas[*id].name.clone(),
            Ty::Array(both) => format!("[{}]{}", self.ty_text(&both.0), self.ty_text(&both.1)),
        }
    }

    /// A sort with a name of its own.
    pub fn plain_ty(&mut self) -> Ty {
        match self.random.below(8) {
            0 | 1 => Ty::Bool,
            2..=4 => Ty::Int,
            5 if !self.sorts.is_empty() => Ty::Abstract(self.recent(self.sorts.len())),
            _ if !self.datas.is_empty() => Ty::Data(self.recent(self.datas.len())),
            _ => Ty::Int,
        }
    }

    /// Any sort.
    pub fn some_ty(&mut self) -> Ty {
        match self.random.below(10) {
            0 | 1 => self.range_ty(),
            2 => {
                let key = if self.random.one_in(2) { self.range_ty() } else { self.plain_ty() };
                let value = self.plain_ty();
                Ty::Array(Box::new((key, value)))
            }
            _ => self.plain_ty(),
        }
    }

    fn range_ty(&mut self) -> Ty {
        let lately = self.consts.len().saturating_sub(RECENT);
        let known = self.consts[lately..].iter();
        let bounds: Vec<(i64, String)> =
            known.filter_map(|c| Some((c.value.filter(|v| *v >= 2)?, c.name.clone()))).collect();
        if let (Some((high, name)), true) = (bounds.first(), self.random.one_in(2)) {
            return Ty::Range(0, *high, format!("0..{name}"));
        }
        let (low, size) = (self.random.below(4) as i64 - 1, self.random.between(2, 9) as i64);
        match self.random.below(4) {
            0 => Ty::Range(low, low + size, format!("{low}..{}", low + size)),
            1 => Ty::Range(0, size + 1, format!("0..{size} + 1")),
            _ => Ty::Range(0, size, format!("0..{size}")),
        }
    }

    /// The index of one of the latest of so many.
    pub fn recent(&mut self, count: usize) -> usize {
        let low = count.saturating_sub(RECENT);
        low + self.random.below(count - low)
    }

    // ---- declarations ----

    /// A few declarations of data.
    pub fn declare_data(&mut self) {
        for _ in 0..self.random.between(1, 4) {
            match self.random.below(9) {
                0 => self.declare_sort(),
                1 => self.declare_enum(),
                2 => self.declare_datatype(),
                3 => self.declare_recursive_datatype(),
                4 => self.declare_constant(),
                5 | 6 => self.declare_function(),
                7 => self.declare_factorial(),
                _ => self.declare_axiom(),
            }
        }
    }

    fn doc(&mut self) {
        const DOCS: &[&str] =
            &["/// What it is for.", "///", "/// Größe: `x` und so weiter", "// no doc"];
        if self.random.one_in(3) {
            let doc = *self.random.pick(DOCS);
            self.line(doc);
            if doc == "///" {
                self.line("/// More than one line.");
            }
        }
    }

    fn declare_sort(&mut self) {
        let name = self.fresh(&["Data", "Token", "Größe", "Kind"]);
        let constant = self.fresh(&["SOME", "THE_ONE"]);
        let measure = self.fresh(&["weight", "länge", "rank"]);
        self.doc();
        self.line(&format!("sort {name};"));
        self.line(&format!("const {constant}: {name};"));
        self.line(&format!("fun {measure}(of: {name}): Int;"));
        let q = self.fresh(&["q"]);
        self.line(&format!("axiom forall {q}: {name} . {measure}({q}) >= 0;"));
        let id = self.sorts.len();
        self.consts.push(Const { name: constant.clone(), ty: Ty::Abstract(id), value: None });
        self.sorts.push(AbstractSort { name, constant, measure });
    }

    fn declare_enum(&mut self) {
        let name = self.fresh(&["Light", "Phase", "Farbe"]);
        let constructors: Vec<Constructor> = (0..self.random.between(2, 5))
            .map(|_| Constructor { name: self.fresh(CONSTRUCTORS), fields: Vec::new() })
            .collect();
        let names: Vec<&str> = constructors.iter().map(|c| c.name.as_str()).collect();
        let text = format!("enum {name} {{ {} }}", names.join(", "));
        self.doc();
        self.line(&text);
        self.datas.push(Data { name, constructors });
    }

    fn fields(&mut self, count: usize) -> Vec<(String, Ty)> {
        (0..count)
            .map(|_| (self.fresh(&["seq", "body", "tail", "größe"]), self.plain_ty()))
            .collect()
    }

    fn declare_datatype(&mut self) {
        let name = self.fresh(&["Packet", "Order", "Nachricht"]);
        let mut constructors = Vec::new();
        for _ in 0..self.random.between(2, 3) {
            let count = self.random.below(3);
            constructors
                .push(Constructor { name: self.fresh(CONSTRUCTORS), fields: self.fields(count) });
        }
        self.data(name, constructors);
    }

    /// A list, or two datatypes that are made of each other.
    fn declare_recursive_datatype(&mut self) {
        let (one, two) = (self.datas.len(), self.datas.len() + 1);
        let twice = self.random.one_in(2);
        let back = if twice { two } else { one };
        let make = |world: &mut Self, back: usize| {
            let mut fields = world.fields(1);
            fields.push((world.fresh(&["rest", "next"]), Ty::Data(back)));
            let empty = Constructor { name: world.fresh(CONSTRUCTORS), fields: Vec::new() };
            let full = Constructor { name: world.fresh(CONSTRUCTORS), fields };
            Data { name: world.fresh(&["List", "Tree"]), constructors: vec![empty, full] }
        };
        let first = make(self, back);
        let second = twice.then(|| make(self, one));
        self.datas.push(first);
        self.datas.extend(second);
        for id in one..self.datas.len() {
            let text = self.data_text(id);
            self.line(&text);
        }
        if !twice {
            self.declare_length(one);
        }
    }

    fn data(&mut self, name: String, constructors: Vec<Constructor>) {
        self.datas.push(Data { name, constructors });
        self.doc();
        let text = self.data_text(self.datas.len() - 1);
        self.line(&text);
    }

    fn data_text(&self, id: usize) -> String {
        let data = &self.datas[id];
        let constructor = |c: &Constructor| {
            let fields: Vec<String> =
                c.fields.iter().map(|(name, ty)| format!("{name}: {}", self.ty_text(ty))).collect();
            if fields.is_empty() {
                c.name.clone()
            } else {
                format!("{}({})", c.name, fields.join(", "))
            }
        };
        let all: Vec<String> = data.constructors.iter().map(constructor).collect();
        format!("data {} {{ {} }}", data.name, all.join(", "))
    }

    /// A recursive function over a list.
    fn declare_length(&mut self, data: usize) {
        let name = self.fresh(&["length", "zähle"]);
        let (sort, empty) =
            (self.datas[data].name.clone(), self.datas[data].constructors[0].name.clone());
        let full = self.datas[data].constructors[1].name.clone();
        let rest = self.fresh(&["v"]);
        self.line(&format!(
            "fun {name}(list: {sort}): Int = match list {{ {empty} => 0, {full}(_, {rest}) => 1 + {name}({rest}) }};"
        ));
        self.funs.push(Fun { name, params: vec![Ty::Data(data)], result: Ty::Int });
    }

    fn declare_factorial(&mut self) {
        let name = self.fresh(&["factorial", "summe"]);
        let operator = *self.random.pick(&["*", "+"]);
        // Some say what becomes smaller.
        let measure = if operator == "+" { " decreases n" } else { "" };
        self.line(&format!(
            "fun {name}(n: Int): Int{measure} = if n <= 0 then 1 else n {operator} {name}(n - 1);"
        ));
        self.funs.push(Fun { name, params: vec![Ty::Int], result: Ty::Int });
    }

    fn declare_constant(&mut self) {
        let name = self.fresh(&["MAX", "LIMIT", "Grenze"]);
        self.doc();
        match self.random.below(4) {
            0 => {
                self.line(&format!("const {name}: Int;"));
                self.line(&format!("axiom {name} >= 2;"));
                self.consts.push(Const { name, ty: Ty::Int, value: None });
            }
            1 | 2 => {
                let value = self.random.between(2, 9) as i64;
                let text = *self.random.pick(&["", " + 0", " * 1", " div 1"]);
                self.line(&format!("const {name}: Int = {value}{text};"));
                self.consts.push(Const { name, ty: Ty::Int, value: Some(value) });
            }
            _ => {
                let ty = self.some_ty();
                let (sort, value) = (self.ty_text(&ty), self.value(&ty, 2));
                self.line(&format!("const {name}: {sort} = {};", value.text));
                self.consts.push(Const { name, ty, value: None });
            }
        }
    }

    fn declare_function(&mut self) {
        let name = self.fresh(&["f", "next_of", "größer"]);
        let count = self.random.between(1, 3);
        let mut scope = Scope::default();
        for _ in 0..count {
            let (param, ty) = (self.fresh(&["p"]), self.some_ty());
            scope.add(param, ty);
        }
        let params: Vec<String> = scope
            .vars
            .iter()
            .map(|var| format!("{}: {}", var.name, self.ty_text(&var.ty)))
            .collect();
        let result = self.some_ty();
        let body = if self.random.one_in(4) {
            String::new()
        } else {
            format!(" = {}", self.body(&mut scope, &result).text)
        };
        let sort = self.ty_text(&result);
        self.doc();
        self.line(&format!("fun {name}({}): {sort}{body};", params.join(", ")));
        let params = scope.vars.into_iter().map(|var| var.ty).collect();
        self.funs.push(Fun { name, params, result });
    }

    /// The definition of a function, which reads every parameter.
    fn body(&mut self, scope: &mut Scope, result: &Ty) -> Text {
        let value = self.expr(scope, result, 2);
        let unread: Vec<usize> =
            (0..scope.vars.len()).filter(|&index| scope.vars[index].reads == 0).collect();
        if unread.is_empty() {
            return value;
        }
        let tests: Vec<String> =
            unread.iter().map(|&index| self.test_of(scope, index).at(super::text::NOT)).collect();
        let other = self.expr(scope, result, 1);
        let text = format!("if {} then {} else {}", tests.join(" and "), value.text, other.text);
        Text::new(text, super::text::ANY)
    }

    fn declare_axiom(&mut self) {
        let ty = self.plain_ty();
        let (q, sort) = (self.fresh(&["q"]), self.ty_text(&ty));
        let mut scope = Scope::default();
        scope.add(q.clone(), ty);
        let body = self.truth(&mut scope, 2).unwrap();
        let quantifier = *self.random.pick(&["forall", "exists"]);
        self.line(&format!("axiom {quantifier} {q}: {sort} . {};", body.text));
    }
}
