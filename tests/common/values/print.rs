//! Models as text.

use super::{
    Arg, Bound, Expr, Label, Member, Model, Op, Pattern, Process, Res, Shape, Side, Sort, Trans,
    Vector, Wrap,
};

fn bound(bound: Bound) -> String {
    match bound {
        Bound::Lit(n) => n.to_string(),
        Bound::N(0) => "N".to_owned(),
        Bound::N(n) if n < 0 => format!("N - {}", -n),
        Bound::N(n) => format!("N + {n}"),
    }
}

fn list<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn in_brackets<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    if all.is_empty() { String::new() } else { format!("({})", list(all, one)) }
}

fn word(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Eq => "==",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Gt => ">",
        Op::Ge => ">=",
        Op::And => "and",
        Op::Or => "or",
        Op::Implies => "=>",
    }
}

fn wrap(how: Wrap) -> &'static str {
    match how {
        Wrap::Plain => "",
        Wrap::Sync => "sync ",
        Wrap::Co => "co ",
    }
}

impl Model {
    pub fn sort(&self, sort: &Sort) -> String {
        match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Range(low, high) => format!("{}..{}", bound(*low), bound(*high)),
            Sort::Data(data) => self.datas[*data].name.clone(),
            Sort::Array(low, high, of) => {
                format!("[{}..{}]{}", bound(*low), bound(*high), self.sort(of))
            }
        }
    }

    /// An expression that can stand anywhere.
    pub fn expr(&self, e: &Expr) -> String {
        let is = |positive: &bool| if *positive { "is" } else { "is not" };
        match e {
            Expr::Bool(b) => b.to_string(),
            Expr::Int(n) if *n < 0 => format!("(-{})", -n),
            Expr::Int(n) => n.to_string(),
            Expr::Name(name) => name.clone(),
            Expr::Bin(op, l, r) => {
                format!("({} {} {})", self.expr(l), word(*op), self.expr(r))
            }
            Expr::Not(e) => format!("(not {})", self.expr(e)),
            Expr::If(c, a, b) => {
                format!("(if {} then {} else {})", self.expr(c), self.expr(a), self.expr(b))
            }
            Expr::Con(data, con, args) => {
                let con = &self.datas[*data].constructors[*con];
                format!("{}{}", con.name, in_brackets(args, |e| self.expr(e)))
            }
            Expr::Is(e, data, con, positive) => {
                let con = &self.datas[*data].constructors[*con];
                let blanks = in_brackets(&con.fields, |_| "_".to_owned());
                format!("({} {} {}{blanks})", self.expr(e), is(positive), con.name)
            }
            Expr::Field(e, _, field) => format!("{}.{field}", self.expr(e)),
            Expr::Match(e, data, arms) => {
                let arms: Vec<_> = self.datas[*data].constructors.iter().zip(arms).collect();
                let arms = list(&arms, |(con, (names, e))| {
                    let names = in_brackets(names, Clone::clone);
                    format!("{}{names} => {}", con.name, self.expr(e))
                });
                format!("(match {} {{ {arms} }})", self.expr(e))
            }
            Expr::Call(name, args) => format!("{name}({})", list(args, |e| self.expr(e))),
            Expr::Read(a, i) => format!("{}[{}]", self.expr(a), self.expr(i)),
            Expr::Store(a, i, v, _) => {
                format!("{}[{} := {}]", self.expr(a), self.expr(i), self.expr(v))
            }
            Expr::Fill(_, _, sort, e) => {
                let sort = if sort.is_int() { "Int".to_owned() } else { self.sort(sort) };
                format!("[_]{sort}({})", self.expr(e))
            }
            Expr::Quant(universal, name, sort, e) => {
                let word = if *universal { "forall" } else { "exists" };
                format!("({word} {name}: {} . {})", self.sort(sort), self.expr(e))
            }
            Expr::ActIs(name, positive, shape) => {
                format!("({name} {} {})", is(positive), self.shape(shape))
            }
            Expr::ActIn(name, positive, interface) => {
                let word = if *positive { "in" } else { "not in" };
                format!("({name} {word} {})", self.interfaces[*interface].0)
            }
            Expr::ActEq(name, positive, action, args) => {
                let sign = if *positive { "==" } else { "!=" };
                format!("({name} {sign} {action}{})", in_brackets(args, |e| self.expr(e)))
            }
        }
    }

    fn shape(&self, shape: &Shape) -> String {
        match shape {
            Shape::Tau => "tau".to_owned(),
            Shape::AnySync => "sync _".to_owned(),
            Shape::AnyCo => "co _".to_owned(),
            Shape::Act(name, args) => {
                let one = |arg: &Option<i64>| arg.map_or("_".to_owned(), |n| n.to_string());
                format!("{name}{}", in_brackets(args, one))
            }
        }
    }

    fn guard(&self, guard: &Option<Expr>) -> String {
        guard.as_ref().map_or(String::new(), |e| format!(" when {}", self.expr(e)))
    }

    fn trans(&self, t: &Trans) -> String {
        let label = match &t.label {
            Label::Tau => "tau".to_owned(),
            Label::Act(how, name, args) => {
                let args = in_brackets(args, |arg| match arg {
                    Arg::Out(e) => self.expr(e),
                    Arg::In(name) => format!("?{name}"),
                    Arg::Any => "_".to_owned(),
                });
                format!("{}{name}{args}", wrap(*how))
            }
        };
        let updates = list(&t.updates, |(name, e)| format!("{name} := {}", self.expr(e)));
        let updates = if updates.is_empty() { updates } else { format!(" do {updates}") };
        format!("    s{} -> s{} : {label}{}{updates};\n", t.from, t.to, self.guard(&t.guard))
    }

    fn process(&self, p: &Process) -> String {
        let params = list(&p.params, |(name, sort)| format!("{name}: {}", self.sort(sort)));
        let params = if params.is_empty() { params } else { format!("<{params}>") };
        let mut text = format!("process {}{params} {{\n", p.name);
        for (name, sort, value) in &p.vars {
            let value = value.as_ref().map_or(String::new(), |e| format!(" = {}", self.expr(e)));
            text += &format!("    var {name}: {}{value};\n", self.sort(sort));
        }
        for state in 0..p.states {
            text += &format!("    {}state s{state};\n", if state == 0 { "init " } else { "" });
        }
        text += &p.trans.iter().map(|t| self.trans(t)).collect::<String>();
        text + "}\n"
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Any => "_".to_owned(),
            Pattern::Var(name) => name.clone(),
            Pattern::Plus(name, n) => format!("{name} + {n}"),
            Pattern::Con(data, con, args) => {
                let con = &self.datas[*data].constructors[*con];
                format!("{}{}", con.name, in_brackets(args, |p| self.pattern(p)))
            }
            Pattern::Lit(e) => self.expr(e),
        }
    }

    fn members(&self, members: &[(String, Member)]) -> String {
        let members = list(members, |(part, member)| {
            let member = match member {
                Member::Tau => "tau".to_owned(),
                Member::Act(how, name, args) => {
                    format!("{}{name}{}", wrap(*how), in_brackets(args, |p| self.pattern(p)))
                }
                Member::Whole(how, name) => format!("{}?{name}", wrap(*how)),
            };
            format!("{part}: {member}")
        });
        format!("<{members}>")
    }

    fn vector(&self, v: &Vector) -> String {
        let result = match &v.result {
            Res::Tau => "tau".to_owned(),
            Res::Act(how, name, args) => {
                format!("{}{name}{}", wrap(*how), in_brackets(args, |e| self.expr(e)))
            }
            Res::Whole(name) => name.clone(),
        };
        let rivals = list(&v.unless, |(members, guard)| self.members(members) + &self.guard(guard));
        let rivals = if rivals.is_empty() { rivals } else { format!(" unless {rivals}") };
        format!("    {} -> {result}{}{rivals};\n", self.members(&v.members), self.guard(&v.guard))
    }

    fn side(&self, side: &Side) -> String {
        let mut text: String = side.processes.iter().map(|p| self.process(p)).collect();
        let Some(net) = &side.net else { return text };
        let holes = in_brackets(&net.holes, |(name, sort)| {
            format!("{name}: {}", sort.map_or("any", |i| self.interfaces[i].0.as_str()))
        });
        text += &format!("net {}{holes} {{\n", net.name);
        for (name, process, values) in &net.subs {
            let values = list(values, |e| self.expr(e));
            let values = if values.is_empty() { values } else { format!("<{values}>") };
            text += &format!("    sub {name} = {process}{values};\n");
        }
        text += &net.vectors.iter().map(|v| self.vector(v)).collect::<String>();
        for (low, high) in &net.priorities {
            text += &format!("    priority {low} < {high};\n");
        }
        text + "}\n"
    }

    fn declarations(&self) -> String {
        let mut text = String::new();
        for c in &self.consts {
            let value = c.value.as_ref().map_or(String::new(), |e| format!(" = {}", self.expr(e)));
            text += &format!("const {}: {}{value};\n", c.name, self.sort(&c.sort));
        }
        let fields = |all: &[(String, Sort)]| {
            in_brackets(all, |(name, sort)| format!("{name}: {}", self.sort(sort)))
        };
        for data in &self.datas {
            let all = list(&data.constructors, |c| c.name.clone() + &fields(&c.fields));
            text += &format!("data {} {{ {all} }}\n", data.name);
        }
        for f in &self.funs {
            let body = f.body.as_ref().map_or(String::new(), |e| format!(" = {}", self.expr(e)));
            let params = list(&f.params, |(name, sort)| format!("{name}: {}", self.sort(sort)));
            text += &format!("fun {}({params}): {}{body};\n", f.name, self.sort(&f.result));
        }
        for axiom in &self.axioms {
            text += &format!("axiom {};\n", self.expr(axiom));
        }
        let signature = |name: &str| {
            let sorts = in_brackets(self.sorts_of(name), |sort| self.sort(sort));
            format!("{name}{sorts}")
        };
        text += &format!("action {};\n", list(&self.actions, |(name, _)| signature(name)));
        for (name, all) in &self.interfaces {
            text += &format!("interface {name} {{ {} }}\n", list(all, |name| signature(name)));
        }
        text
    }

    /// The whole model, with three checks.
    pub fn text(&self) -> String {
        let mut text = self.declarations() + &self.side(&self.left) + &self.side(&self.right);
        for check in ["bisimilar", "weakly_bisimilar", "refines"] {
            text += &format!("check {check}({}, {});\n", self.left.name(), self.right.name());
        }
        text
    }

    /// The text, with what is set as a comment on top.
    pub fn shown(&self) -> String {
        let set: String =
            self.set.iter().map(|(name, n)| format!("// --set {name}={n}\n")).collect();
        set + &self.text()
    }
}
