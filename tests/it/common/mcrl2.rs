//! A small interpreter of mCRL2: the part of the language that exports use, read by its own grammar, and done by its own
//! rules. Actions communicate by their names alone, whoever does them; what is not allowed does not happen.

use std::collections::{BTreeMap, BTreeSet};

use pnetc::lts::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState};

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Int(i64),
    Bool(bool),
    Made(String, Vec<Value>),
}

#[derive(Clone, Debug)]
enum Expr {
    Value(Value),
    Name(String),
    Call(String, Vec<Expr>),
}

/// Where each process is, and with which values.
type Processes = Vec<(String, Vec<Value>)>;

#[derive(Clone, Debug)]
struct Summand {
    sums: Vec<(String, String)>,
    condition: Option<Expr>,
    action: (String, Vec<Expr>),
    next: (String, Vec<Expr>),
}

#[derive(Clone, Debug)]
struct Equation {
    parameters: Vec<(String, String)>,
    summands: Vec<Summand>,
}

/// A specification.
#[derive(Clone, Default, Debug)]
pub struct Spec {
    /// Constructors: their sorts, their fields with selectors.
    constructors: BTreeMap<String, (String, Vec<String>)>,
    selectors: BTreeMap<String, (String, usize)>,
    recognisers: BTreeMap<String, String>,
    functions: BTreeMap<String, (Vec<String>, Expr)>,
    /// Actions with the numbers of their arguments.
    actions: BTreeSet<(String, usize)>,
    processes: BTreeMap<String, Equation>,
    hidden: BTreeSet<String>,
    allowed: BTreeSet<String>,
    communications: Vec<(Vec<String>, String)>,
    starts: Vec<(String, Vec<Expr>)>,
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

const SIGNS: [&str; 25] = [
    "->", "||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "(", ")", "{", "}", ",",
    ".", ";", ":", "=", "|", "#", "?", "!",
];

fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line.split('%').next().unwrap().trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => SIGNS
                    .iter()
                    .find(|sign| rest.starts_with(**sign))
                    .unwrap_or_else(|| panic!("no token: {rest}"))
                    .len(),
            };
            found.push(rest[..end].to_owned());
            rest = rest[end..].trim_start();
        }
    }
    found
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn takes(&mut self, token: &str) -> bool {
        let is = self.peek() == token;
        self.at += usize::from(is);
        is
    }

    #[track_caller]
    fn expect(&mut self, token: &str) {
        let from = self.at.saturating_sub(8);
        assert!(self.takes(token), "expected {token} after {:?}", &self.tokens[from..self.at + 1]);
    }

    fn name(&mut self) -> String {
        let name = self.next();
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'), "no name: {name}");
        name
    }

    fn list<T>(&mut self, close: &str, mut one: impl FnMut(&mut Parser) -> T) -> Vec<T> {
        let mut all = Vec::new();
        while !self.takes(close) {
            all.push(one(self));
            if !self.takes(",") {
                self.expect(close);
                break;
            }
        }
        all
    }

    fn typed(&mut self) -> (String, String) {
        let name = self.name();
        self.expect(":");
        (name, self.name())
    }

    fn called(&mut self) -> (String, Vec<Expr>) {
        let name = self.name();
        let args = if self.takes("(") { self.list(")", |p| p.expr(0)) } else { Vec::new() };
        (name, args)
    }

    // ---- declarations ----

    fn spec(&mut self) -> Spec {
        let mut spec = Spec::default();
        while self.at < self.tokens.len() {
            match self.next().as_str() {
                "sort" => self.sort(&mut spec),
                "map" => self.map(),
                "act" => self.acts(&mut spec),
                "proc" => self.process(&mut spec),
                "init" => self.init(&mut spec),
                "var" => {
                    while !["eqn"].contains(&self.peek()) {
                        self.typed();
                        self.expect(";");
                    }
                }
                "eqn" => {
                    let name = self.name();
                    let vars = match self.takes("(") {
                        true => self.list(")", Parser::name),
                        false => Vec::new(),
                    };
                    self.expect("=");
                    let body = self.expr(0);
                    self.expect(";");
                    spec.functions.insert(name, (vars, body));
                }
                other => panic!("no declaration: {other}"),
            }
        }
        spec
    }

    fn sort(&mut self, spec: &mut Spec) {
        let sort = self.name();
        self.expect("=");
        self.expect("struct");
        loop {
            let name = self.name();
            let fields = match self.takes("(") {
                true => self.list(")", Parser::typed),
                false => Vec::new(),
            };
            for (at, (selector, _)) in fields.iter().enumerate() {
                spec.selectors.insert(selector.clone(), (name.clone(), at));
            }
            if self.takes("?") {
                let recogniser = self.name();
                spec.recognisers.insert(recogniser, name.clone());
            }
            let sorts = fields.into_iter().map(|(_, sort)| sort).collect();
            assert!(spec.constructors.insert(name, (sort.clone(), sorts)).is_none(), "twice");
            if !self.takes("|") {
                break;
            }
        }
        self.expect(";");
    }

    fn map(&mut self) {
        self.name();
        self.expect(":");
        self.name();
        while self.takes("#") || self.takes("->") {
            self.name();
        }
        self.expect(";");
    }

    fn acts(&mut self, spec: &mut Spec) {
        while !["sort", "map", "act", "proc", "init", "var", "eqn", ""].contains(&self.peek()) {
            let (name, mut count) = (self.name(), 0);
            if self.takes(":") {
                self.name();
                count = 1;
                while self.takes("#") {
                    self.name();
                    count += 1;
                }
            }
            self.expect(";");
            assert!(spec.actions.insert((name.clone(), count)), "{name} is declared twice");
        }
    }

    fn process(&mut self, spec: &mut Spec) {
        let name = self.name();
        let parameters = match self.takes("(") {
            true => self.list(")", Parser::typed),
            false => Vec::new(),
        };
        self.expect("=");
        let mut summands = Vec::new();
        if !self.takes("delta") {
            summands.push(self.summand());
            while self.takes("+") {
                summands.push(self.summand());
            }
        }
        self.expect(";");
        let known = spec.processes.insert(name.clone(), Equation { parameters, summands });
        assert!(known.is_none(), "{name} is there twice");
    }

    fn summand(&mut self) -> Summand {
        self.expect("(");
        let mut sums = Vec::new();
        while self.takes("sum") {
            sums.push(self.typed());
            self.expect(".");
        }
        let condition = self.takes("(").then(|| {
            let condition = self.expr(0);
            self.expect(")");
            self.expect("->");
            condition
        });
        let action = self.called();
        self.expect(".");
        let next = self.called();
        self.expect(")");
        Summand { sums, condition, action, next }
    }

    fn init(&mut self, spec: &mut Spec) {
        // hide, allow and comm, in this order.
        let mut closing = 0;
        for word in ["hide", "allow", "comm"] {
            if !self.takes(word) {
                continue;
            }
            closing += 1;
            self.expect("(");
            self.expect("{");
            match word {
                "hide" => spec.hidden = self.list("}", Parser::name).into_iter().collect(),
                "allow" => spec.allowed = self.list("}", Parser::name).into_iter().collect(),
                _ => {
                    spec.communications = self.list("}", |parser| {
                        let mut left = vec![parser.name()];
                        while parser.takes("|") {
                            left.push(parser.name());
                        }
                        parser.expect("->");
                        (left, parser.name())
                    });
                }
            }
            self.expect(",");
        }
        spec.starts.push(self.called());
        while self.takes("||") {
            spec.starts.push(self.called());
        }
        (0..closing).for_each(|_| self.expect(")"));
        self.expect(";");
    }

    // ---- expressions: the levels of the grammar, `*` above `div` and `mod` ----

    fn expr(&mut self, least: u8) -> Expr {
        let mut left = self.prefix();
        loop {
            let level = match self.peek() {
                "||" => 3,
                "&&" => 4,
                "==" | "!=" => 5,
                "<" | "<=" | ">" | ">=" => 6,
                "+" | "-" => 10,
                "div" | "mod" => 11,
                "*" => 12,
                _ => return left,
            };
            if level < least {
                return left;
            }
            let sign = self.next();
            let right = self.expr(level + 1);
            left = Expr::Call(sign, vec![left, right]);
        }
    }

    fn prefix(&mut self) -> Expr {
        if self.takes("!") {
            return Expr::Call("!".to_owned(), vec![self.prefix()]);
        }
        if self.takes("-") {
            return Expr::Call("negate".to_owned(), vec![self.prefix()]);
        }
        if self.takes("(") {
            let inner = self.expr(0);
            self.expect(")");
            return inner;
        }
        let word = self.peek();
        if let Ok(number) = word.parse::<i64>() {
            self.at += 1;
            return Expr::Value(Value::Int(number));
        }
        match word {
            "true" | "false" => Expr::Value(Value::Bool(self.next() == "true")),
            _ => match self.called() {
                (name, args) if args.is_empty() => Expr::Name(name),
                (name, args) => Expr::Call(name, args),
            },
        }
    }
}

type Names = BTreeMap<String, Value>;

impl Spec {
    /// Reads a specification, and looks at the rules that mCRL2's type checker has.
    pub fn read(text: &str) -> Spec {
        let spec = Parser { tokens: tokens(text), at: 0 }.spec();
        let mut seen = BTreeSet::new();
        for (left, result) in &spec.communications {
            assert!(left.len() >= 2, "communication as renaming: {left:?}");
            for name in left {
                assert!(seen.insert(name.clone()), "{name} communicates in different ways");
                assert!(spec.actions.iter().any(|(known, _)| known == name), "{name}");
            }
            assert!(!left.contains(result));
        }
        for (_, result) in &spec.communications {
            assert!(!seen.contains(result), "{result} comes out and goes in");
        }
        for equation in spec.processes.values() {
            for Summand { action: (name, args), next: (next, values), .. } in &equation.summands {
                let known = name == "tau" || spec.actions.contains(&(name.clone(), args.len()));
                assert!(known, "{name} with {} arguments", args.len());
                assert_eq!(spec.processes[next].parameters.len(), values.len(), "{next}");
            }
        }
        spec
    }

    fn value(&self, expr: &Expr, names: &Names) -> Option<Value> {
        let (name, args) = match expr {
            Expr::Value(value) => return Some(value.clone()),
            Expr::Name(name) if names.contains_key(name) => return names.get(name).cloned(),
            Expr::Name(name) if self.constructors.contains_key(name) => {
                return Some(Value::Made(name.clone(), Vec::new()));
            }
            Expr::Name(name) => {
                let (_, body) = self.functions.get(name)?;
                return self.value(body, &Names::new());
            }
            Expr::Call(name, args) => (name.as_str(), args),
        };
        if name == "if" {
            return match self.value(&args[0], names)? {
                Value::Bool(true) => self.value(&args[1], names),
                _ => self.value(&args[2], names),
            };
        }
        // What has no value does not matter where the other side decides.
        if let ("&&" | "||", [a, b]) = (name, args.as_slice()) {
            let decides = Some(Value::Bool(name == "||"));
            let (a, b) = (self.value(a, names), self.value(b, names));
            return if a == decides || b == decides { decides } else { a.and(b) };
        }
        let values: Option<Vec<Value>> = args.iter().map(|arg| self.value(arg, names)).collect();
        let values = values?;
        Some(match (name, values.as_slice()) {
            ("!", [Value::Bool(a)]) => Value::Bool(!a),
            ("==", [a, b]) => Value::Bool(a == b),
            ("!=", [a, b]) => Value::Bool(a != b),
            ("<", [Value::Int(a), Value::Int(b)]) => Value::Bool(a < b),
            ("<=", [Value::Int(a), Value::Int(b)]) => Value::Bool(a <= b),
            (">", [Value::Int(a), Value::Int(b)]) => Value::Bool(a > b),
            (">=", [Value::Int(a), Value::Int(b)]) => Value::Bool(a >= b),
            ("+", [Value::Int(a), Value::Int(b)]) => Value::Int(a + b),
            ("-", [Value::Int(a), Value::Int(b)]) => Value::Int(a - b),
            ("*", [Value::Int(a), Value::Int(b)]) => Value::Int(a * b),
            ("negate", [Value::Int(a)]) => Value::Int(-a),
            ("div", [Value::Int(a), Value::Int(b)]) => Value::Int(a.div_euclid(*b)),
            ("mod", [Value::Int(a), Value::Int(b)]) => Value::Int(a.rem_euclid(*b)),
            (_, [Value::Made(made, fields)]) if self.selectors.contains_key(name) => {
                let (of, at) = &self.selectors[name];
                return fields.get(*at).filter(|_| of == made).cloned();
            }
            (_, [Value::Made(made, _)]) if self.recognisers.contains_key(name) => {
                Value::Bool(self.recognisers[name] == *made)
            }
            _ if self.constructors.contains_key(name) => Value::Made(name.to_owned(), values),
            _ => {
                let (vars, body) = self.functions.get(name).unwrap_or_else(|| panic!("{name}"));
                let names = vars.iter().cloned().zip(values).collect();
                return self.value(body, &names);
            }
        })
    }

    /// The values that are tried where somebody chooses one.
    fn values_of(&self, sort: &str) -> Vec<Value> {
        match sort {
            "Bool" => vec![Value::Bool(false), Value::Bool(true)],
            "Int" => (-6..20).map(Value::Int).collect(),
            _ => {
                let own = self.constructors.iter().filter(|(_, (of, _))| of == sort);
                own.flat_map(|(name, (_, fields))| self.made(name, fields)).collect()
            }
        }
    }

    /// The values of a constructor.
    fn made(&self, name: &str, fields: &[String]) -> Vec<Value> {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for field in fields {
            let values = self.values_of(field);
            let longer = |row: &Vec<Value>| {
                values
                    .iter()
                    .map(|value| [row.clone(), vec![value.clone()]].concat())
                    .collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        rows.into_iter().map(|row| Value::Made(name.to_owned(), row)).collect()
    }

    /// What processes do together, each with a summand: the arguments that they share, and the names of each.
    fn together(&self, all: &[(&Summand, Names)]) -> Vec<(Vec<Value>, Vec<Names>)> {
        let mut names: Vec<Names> = all.iter().map(|(_, names)| names.clone()).collect();
        let count = all[0].0.action.1.len();
        assert!(all.iter().all(|(summand, _)| summand.action.1.len() == count));
        let knows = |names: &Names, summand: &Summand, expr: &Expr| {
            let open =
                summand.sums.iter().any(|(sum, _)| !names.contains_key(sum) && speaks(expr, sum));
            if open { None } else { self.value(expr, names) }
        };
        // What one of them knows, the others that take it know too.
        for _ in 0..=count {
            for at in 0..count {
                let known = all
                    .iter()
                    .zip(&names)
                    .find_map(|((summand, _), names)| knows(names, summand, &summand.action.1[at]));
                let Some(known) = known else { continue };
                for ((summand, _), names) in all.iter().zip(&mut names) {
                    if let Expr::Name(name) = &summand.action.1[at]
                        && summand.sums.iter().any(|(sum, _)| sum == name)
                    {
                        names.entry(name.clone()).or_insert_with(|| known.clone());
                    }
                }
            }
        }
        // What is left is chosen.
        for (who, (summand, _)) in all.iter().enumerate() {
            let open = summand.sums.iter().find(|(sum, _)| !names[who].contains_key(sum));
            if let Some((sum, sort)) = open {
                return self
                    .values_of(sort)
                    .into_iter()
                    .flat_map(|value| {
                        let mut chosen: Vec<(&Summand, Names)> = all
                            .iter()
                            .zip(&names)
                            .map(|((one, _), names)| (*one, names.clone()))
                            .collect();
                        chosen[who].1.insert(sum.clone(), value);
                        self.together(&chosen)
                    })
                    .collect();
            }
        }
        let mut shared: Option<Vec<Value>> = None;
        for ((summand, _), names) in all.iter().zip(&names) {
            let holds = summand
                .condition
                .as_ref()
                .is_none_or(|one| self.value(one, names) == Some(Value::Bool(true)));
            let own: Option<Vec<Value>> =
                summand.action.1.iter().map(|arg| self.value(arg, names)).collect();
            if !holds || shared.as_ref().is_some_and(|shared| Some(shared) != own.as_ref()) {
                return Vec::new();
            }
            shared = own;
        }
        shared.map(|shared| vec![(shared, names)]).unwrap_or_default()
    }

    /// All that can happen in a state.
    fn steps(&self, at: &[(String, Vec<Value>)]) -> Vec<(String, Processes)> {
        let offers = |who: usize, action: &str| -> Vec<(&Summand, Names)> {
            let (process, values) = &at[who];
            let equation = &self.processes[process];
            let parameters = equation.parameters.iter().map(|(name, _)| name.clone());
            let names: Names = parameters.zip(values.iter().cloned()).collect();
            let fits = equation.summands.iter().filter(|one| one.action.0 == action);
            fits.map(|one| (one, names.clone())).collect()
        };
        let mut found = Vec::new();
        let mut happens = |action: &str, who: &[usize], chosen: &[(&Summand, Names)]| {
            for (args, names) in self.together(chosen) {
                let mut next = at.to_vec();
                for ((who, (summand, _)), names) in who.iter().zip(chosen).zip(&names) {
                    let values =
                        summand.next.1.iter().map(|value| self.value(value, names).unwrap());
                    next[*who] = (summand.next.0.clone(), values.collect());
                }
                found.push((self.label(action, &args), next));
            }
        };
        for who in 0..at.len() {
            for action in self.allowed.iter().map(String::as_str).chain(["tau"]) {
                for one in offers(who, action) {
                    happens(action, &[who], &[one]);
                }
            }
        }
        for (left, result) in
            self.communications.iter().filter(|(_, one)| self.allowed.contains(one))
        {
            let able = left.iter().map(|action| {
                (0..at.len()).filter(|who| !offers(*who, action).is_empty()).collect::<Vec<_>>()
            });
            for who in chosen(&able.collect::<Vec<_>>()) {
                let ways: Vec<Vec<(&Summand, Names)>> =
                    who.iter().zip(left).map(|(who, action)| offers(*who, action)).collect();
                let mut rows: Vec<Vec<(&Summand, Names)>> = vec![Vec::new()];
                for ways in &ways {
                    let mut longer = Vec::new();
                    for (row, way) in
                        rows.iter().flat_map(|row| ways.iter().map(move |way| (row, way)))
                    {
                        let mut row = row.clone();
                        row.push(way.clone());
                        longer.push(row);
                    }
                    rows = longer;
                }
                rows.iter().for_each(|row| happens(result, &who, row));
            }
        }
        found
    }

    fn label(&self, action: &str, args: &[Value]) -> String {
        if action == "tau" || self.hidden.contains(action) {
            return "tau".to_owned();
        }
        let shown: Vec<String> = args.iter().map(shown).collect();
        match shown.is_empty() {
            true => action.to_owned(),
            false => format!("{action}({})", shown.join(", ")),
        }
    }

    /// What it does, if it has no more states than that.
    pub fn explored(&self, most: usize) -> Option<Lts> {
        let start = self.starts.iter().map(|(name, values)| {
            let values = values.iter().map(|value| self.value(value, &Names::new()).unwrap());
            (name.clone(), values.collect())
        });
        let start: Vec<(String, Vec<Value>)> = start.collect();
        let mut known = BTreeMap::from([(start.clone(), 0u32)]);
        let (mut work, mut builder) = (vec![start], LtsBuilder::new(LabelTable::new("tau")));
        builder.state(LtsState(0));
        while let Some(at) = work.pop() {
            let from = known[&at];
            for (label, next) in self.steps(&at) {
                let new = known.len() as u32;
                let to = *known.entry(next.clone()).or_insert(new);
                if to == new {
                    work.push(next);
                }
                if known.len() > most {
                    return None;
                }
                let label = match label.as_str() {
                    "tau" => LtsLabel::SILENT,
                    other => builder.labels.intern(other),
                };
                builder.add(LtsState(from), label, LtsState(to));
            }
        }
        Some(builder.finish(LtsState(0)))
    }
}

/// All ways to choose one of each, and nobody twice.
fn chosen(able: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for able in able {
        let longer = |row: &Vec<usize>| {
            let others = able.iter().filter(|one| !row.contains(one));
            others.map(|one| [row.clone(), vec![*one]].concat()).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}

fn speaks(expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::Value(_) => false,
        Expr::Name(other) => other == name,
        Expr::Call(_, args) => args.iter().any(|arg| speaks(arg, name)),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Made(name, fields) if fields.is_empty() => name.clone(),
        Value::Made(name, fields) => {
            format!("{name}({})", fields.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
    }
}
