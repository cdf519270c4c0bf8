//! Models as text.

use super::{
    Arg, Bound, Connector, Expr, Index, Joined, Joint, Label, Member, Model, Net, Op, PARAM,
    Pattern, Place, Process, Question, Res, Shape, Side, Sort, Trans, Vector, Wrap,
};

fn bound(bound: Bound) -> String {
    match bound {
        Bound::Lit(n) => n.to_string(),
        Bound::N(n) => sum("N", n),
        Bound::Param(n) => sum(PARAM, n),
    }
}

fn sum(name: &str, n: i64) -> String {
    match n {
        0 => name.to_owned(),
        n if n < 0 => format!("{name} - {}", -n),
        n => format!("{name} + {n}"),
    }
}

fn index((name, low, high): &Index) -> String {
    format!("{name}: {}..{}", bound(*low), bound(*high))
}

fn repeat(all: &[Index]) -> String {
    let all = list(all, |(name, low, high)| format!("{name} in {}..{}", bound(*low), bound(*high)));
    if all.is_empty() { all } else { format!(" for {all}") }
}

fn in_angles<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    if all.is_empty() { String::new() } else { format!("<{}>", list(all, one)) }
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
        Op::Quot => "quot",
        Op::Rem => "rem",
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

    fn params(&self, params: &[(String, Sort)]) -> String {
        in_angles(params, |(name, sort)| format!("{name}: {}", self.sort(sort)))
    }

    fn place(&self, place: &Place) -> String {
        match &place.index {
            Some(index) => format!("{}[{}]", place.name, self.expr(index)),
            None => place.name.clone(),
        }
    }

    fn process(&self, p: &Process) -> String {
        let mut text = format!("process {}{} {{\n", p.name, self.params(&p.params));
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

    fn members(&self, members: &[(Place, Member)]) -> String {
        let members = list(members, |(place, member)| {
            let part = self.place(place);
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
        let (members, guard) = (self.members(&v.members), self.guard(&v.guard));
        format!("    {members} -> {result}{guard}{rivals}{};\n", repeat(&v.repeat))
    }

    fn joints(&self, joints: &[Joint]) -> String {
        let one = |joint: &Joint| {
            let text = match &joint.what {
                Joined::Port(place, action, args) => {
                    let args = in_brackets(args, |p| self.pattern(p));
                    format!("{}.{action}{args}", self.place(place))
                }
                Joined::Group(joints) => format!("[{}]", self.joints(joints)),
            };
            text + if joint.trigger { "'" } else { "" }
        };
        joints.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    fn connector(&self, c: &Connector) -> String {
        let shown = format!("{}{}", c.name, in_brackets(&c.exports, |e| self.expr(e)));
        let (joints, guard) = (self.joints(&c.joints), self.guard(&c.guard));
        let writes = list(&c.transfers, |(name, e)| format!("{name} := {}", self.expr(e)));
        let writes = if writes.is_empty() { writes } else { format!(" do {writes}") };
        format!("    connect {shown} : {joints}{guard}{writes}{};\n", repeat(&c.repeat))
    }

    fn instance(&self, name: &str, values: &[Expr], fills: &[(String, String)]) -> String {
        let values = in_angles(values, |e| self.expr(e));
        let fills = in_brackets(fills, |(hole, by)| format!("{hole}: {by}"));
        format!("{name}{values}{fills}")
    }

    fn net(&self, net: &Net) -> String {
        let holes = in_brackets(&net.holes, |hole| {
            let family = hole.family.as_ref().map_or(String::new(), |f| format!("[{}]", index(f)));
            let sort = hole.sort.map_or("any", |i| self.interfaces[i].0.as_str());
            format!("{}{family}: {sort}", hole.name)
        });
        let mut text = format!("net {}{}{holes} {{\n", net.name, self.params(&net.params));
        for sub in &net.subs {
            let family = sub.family.as_ref().map_or(String::new(), |f| format!("[{}]", index(f)));
            let instance = self.instance(&sub.of, &sub.values, &sub.fills);
            text += &format!("    sub {}{family} = {instance};\n", sub.name);
        }
        text += &net.vectors.iter().map(|v| self.vector(v)).collect::<String>();
        text += &net.connectors.iter().map(|c| self.connector(c)).collect::<String>();
        for (low, high) in &net.priorities {
            text += &format!("    priority {low} < {high};\n");
        }
        if net.maximal {
            text += "    priority maximal;\n";
        }
        text + "}\n"
    }

    fn side(&self, side: &Side) -> String {
        let mut text: String = side.processes.iter().map(|p| self.process(p)).collect();
        text += &side.all_nets().map(|net| self.net(net)).collect::<String>();
        text
    }

    fn whole(&self, side: &Side) -> String {
        let name = side.net.as_ref().map_or_else(|| &side.processes[0].name, |net| &net.name);
        self.instance(name, &side.values, &side.fills)
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

    fn check(&self, question: Question) -> String {
        let word = match question {
            Question::Bisimilar => "bisimilar",
            Question::WeaklyBisimilar => "weakly_bisimilar",
            Question::Refines | Question::Tracking => "refines",
            Question::WeaklyRefines => "weakly_refines",
            Question::Nonblocking => {
                return format!("check nonblocking({});\n", self.whole(&self.left));
            }
        };
        let tracking = match question {
            Question::Tracking | Question::WeaklyRefines if !self.tracked.is_empty() => {
                format!(" tracking {{ {} }}", self.tracked.join(", "))
            }
            _ => String::new(),
        };
        format!(
            "check {word}({}, {}){tracking};\n",
            self.whole(&self.left),
            self.whole(&self.right)
        )
    }

    /// The whole model, with its questions.
    pub fn text(&self) -> String {
        let text = self.declarations() + &self.side(&self.left) + &self.side(&self.right);
        text + &self.questions().into_iter().map(|q| self.check(q)).collect::<String>()
    }

    /// The text, with what is set as a comment on top.
    pub fn shown(&self) -> String {
        let set: String =
            self.set.iter().map(|(name, n)| format!("// --set {name}={n}\n")).collect();
        set + &self.text()
    }
}
