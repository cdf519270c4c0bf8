//! Terms as expressions of other formats, with parentheses only where they are needed.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, DataId, FunId, Sort, Term, TermId, Terms, VarId};

// How tightly a text binds, loosest first.
const DISJUNCTION: u8 = 1;
const CONJUNCTION: u8 = 2;
const EQUALITY: u8 = 3;
const RELATION: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const PREFIX: u8 = 7;
const TERM: u8 = 8;

/// Alternatives are written out as disjunctions, or statements, so many times at most.
const MOST_CASES: usize = 256;

/// A text and how tightly it binds.
type Piece = (String, u8);

/// Which format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    Bip,
    Mcrl2,
}

impl Dialect {
    /// How people call it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Bip => "BIP",
            Dialect::Mcrl2 => "mCRL2",
        }
    }
}

/// What a format has no form for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// Values of a sort.
    Sort(String),
    /// A function.
    Function(String),
    /// A constant without a value.
    Constant(String),
    /// `forall` and `exists`.
    Quantifier,
    /// Division by what is not a number that is written down.
    Division,
    /// Something about actions as values.
    Action,
    /// Too many alternatives in one expression.
    Cases,
    /// A number that is too large.
    Number,
}

impl Beyond {
    /// In words.
    pub fn words(&self, format: &str) -> String {
        match self {
            Beyond::Sort(sort) => format!("there are no values of `{sort}` in {format}"),
            Beyond::Function(name) => format!("there is no function `{name}` in {format}"),
            Beyond::Constant(name) => {
                format!("`{name}` has no value; give it one with `--set {name}=…`")
            }
            Beyond::Quantifier => format!("there are no quantifiers in {format}"),
            Beyond::Division => {
                "only division by a number that is written down is exported".to_owned()
            }
            Beyond::Action => format!("there are no actions as values in {format}"),
            Beyond::Cases => "there are too many alternatives in one expression".to_owned(),
            Beyond::Number => format!("a number is too large for {format}"),
        }
    }
}

/// What declarations are called; a format without them has none.
#[derive(Clone, Debug, Default)]
pub(super) struct DataNames {
    pub sorts: FxHashMap<DataId, String>,
    pub constructors: FxHashMap<(DataId, u32), String>,
    pub fields: FxHashMap<(DataId, u32, u32), String>,
    pub functions: FxHashMap<FunId, String>,
}

/// Writes terms.
pub(super) struct Writing<'w> {
    pub dialect: Dialect,
    pub algebra: &'w Algebra,
    pub terms: &'w mut Terms,
    /// What variables are called.
    pub names: FxHashMap<VarId, String>,
    pub data: &'w DataNames,
}

impl Writing<'_> {
    /// A term.
    pub fn text(&mut self, term: TermId) -> Result<String, Beyond> {
        let term = self.prepared(term)?;
        Ok(self.show(term)?.0)
    }

    /// Several conditions together; nothing where there are none.
    pub fn conditions(&mut self, all: &[TermId]) -> Result<Option<String>, Beyond> {
        let mut texts = Vec::with_capacity(all.len());
        for &one in all {
            let one = self.prepared(one)?;
            texts.push(self.at(one, if all.len() > 1 { EQUALITY } else { DISJUNCTION })?);
        }
        Ok((!texts.is_empty()).then(|| texts.join(" && ")))
    }

    /// A condition in the form that the format has.
    fn prepared(&mut self, term: TermId) -> Result<TermId, Beyond> {
        match self.dialect {
            Dialect::Bip => self.without_cases(term),
            Dialect::Mcrl2 => Ok(term),
        }
    }

    /// A condition without `if`.
    fn without_cases(&mut self, term: TermId) -> Result<TermId, Beyond> {
        let mut term = term;
        for _ in 0..MOST_CASES {
            let Some(case) = self.first_case(term) else { return Ok(term) };
            let (condition, yes, no) = self.cases(term, case);
            let not = self.terms.not(condition);
            let (yes, no) = (self.terms.and([condition, yes]), self.terms.and([not, no]));
            term = self.terms.or([yes, no]);
        }
        Err(Beyond::Cases)
    }

    /// An assignment as statements: `write` makes one of a value without alternatives.
    pub fn assigned(
        &mut self,
        value: TermId,
        write: &dyn Fn(&str) -> String,
    ) -> Result<String, Beyond> {
        self.assigned_within(value, write, &mut 0)
    }

    fn assigned_within(
        &mut self,
        value: TermId,
        write: &dyn Fn(&str) -> String,
        count: &mut usize,
    ) -> Result<String, Beyond> {
        let Some(case) = self.first_case(value) else {
            return Ok(write(&self.show(value)?.0));
        };
        *count += 1;
        if *count > MOST_CASES {
            return Err(Beyond::Cases);
        }
        let (condition, yes, no) = self.cases(value, case);
        let condition = self.text(condition)?;
        let yes = self.assigned_within(yes, write, count)?;
        let no = self.assigned_within(no, write, count)?;
        Ok(format!("if ({condition}) then {yes} else {no} fi"))
    }

    /// An `if` in a term that has no other one in it.
    fn first_case(&self, term: TermId) -> Option<TermId> {
        let mut work = vec![term];
        let mut found = None;
        while let Some(id) = work.pop() {
            match self.terms.get(id) {
                Term::If(..) if self.terms.truncated(id).is_none() => {
                    found = Some(id);
                    // What it is about may have others in it.
                    work = self.terms.children(id);
                }
                _ => match self.terms.truncated(id) {
                    Some(truncated) => work.extend([truncated.a, truncated.b]),
                    None => work.extend(self.terms.children(id)),
                },
            }
        }
        found
    }

    /// A term, where an `if` in it holds and where it does not.
    fn cases(&mut self, term: TermId, case: TermId) -> (TermId, TermId, TermId) {
        let Term::If(condition, yes, no) = *self.terms.get(case) else {
            return (term, term, term);
        };
        let yes = replaced(self.terms, term, &[(case, yes)]);
        let no = replaced(self.terms, term, &[(case, no)]);
        (condition, yes, no)
    }

    fn at(&mut self, term: TermId, least: u8) -> Result<String, Beyond> {
        Ok(fitted(self.show(term)?, least))
    }

    fn show(&mut self, id: TermId) -> Result<Piece, Beyond> {
        if self.dialect == Dialect::Bip
            && let Some(truncated) = self.terms.truncated(id)
        {
            let sign = if truncated.is_rest { "%" } else { "/" };
            return self.divided(truncated.a, sign, truncated.b);
        }
        match self.terms.get(id).clone() {
            Term::Bool(value) => Ok((value.to_string(), TERM)),
            Term::Int(value) if self.dialect == Dialect::Bip && i32::try_from(&*value).is_err() => {
                Err(Beyond::Number)
            }
            Term::Int(value) => Ok(number(&value)),
            Term::Var(var) => self.variable(var),
            Term::Not(inner) => self.negation(inner),
            Term::And(all) => self.joined(&all, " && ", CONJUNCTION),
            Term::Or(all) => self.joined(&all, " || ", DISJUNCTION),
            Term::Add(all) => self.sum(&all),
            Term::Multiply(all) => self.product(&all),
            Term::Equal(a, b) => self.compared(a, "==", b, EQUALITY),
            Term::Less(a, b) => self.compared(a, "<", b, RELATION),
            Term::LessEqual(a, b) => self.compared(a, "<=", b, RELATION),
            Term::Div(a, b) => self.quotient(a, b),
            Term::Mod(a, b) => self.remainder(a, b),
            Term::If(condition, yes, no) => {
                let all = [self.at(condition, 0)?, self.at(yes, 0)?, self.at(no, 0)?];
                Ok((format!("if({})", all.join(", ")), TERM))
            }
            Term::Const(id) => {
                Err(Beyond::Constant(self.algebra.constants[id.index()].name.to_string()))
            }
            Term::Apply(id, args) => self.applied(id, &args),
            Term::Construct(data, index, args) => {
                let name = self.data.constructors.get(&(data, index)).cloned();
                let name = name.ok_or_else(|| self.no_data(data))?;
                match args.is_empty() {
                    true => Ok((name, TERM)),
                    false => Ok((format!("{name}({})", self.list(&args)?), TERM)),
                }
            }
            Term::Select(data, index, field, inner) => {
                let name = self.data.fields.get(&(data, index, field)).cloned();
                let name = name.ok_or_else(|| self.no_data(data))?;
                Ok((format!("{name}({})", self.at(inner, 0)?), TERM))
            }
            Term::IsConstructor(data, index, inner) => {
                let name = self.data.constructors.get(&(data, index)).cloned();
                let name = name.ok_or_else(|| self.no_data(data))?;
                Ok((format!("is_{name}({})", self.at(inner, 0)?), TERM))
            }
            Term::Forall(vars, body) => self.quantified("forall", &vars, body),
            Term::Exists(vars, body) => self.quantified("exists", &vars, body),
            Term::Index(..) | Term::Update(..) | Term::ConstArray(..) => {
                Err(Beyond::Sort("arrays".to_owned()))
            }
            Term::Act(..)
            | Term::Tau
            | Term::Sync(_)
            | Term::Co(_)
            | Term::IsAct(..)
            | Term::IsSync(_)
            | Term::IsCo(_)
            | Term::Argument(..)
            | Term::Inner(_) => Err(Beyond::Action),
        }
    }

    fn variable(&mut self, var: VarId) -> Result<Piece, Beyond> {
        let sort = self.terms.var(var).sort.clone();
        self.sort(&sort)?;
        match self.names.get(&var) {
            Some(name) => Ok((name.clone(), TERM)),
            None => Ok((self.terms.var(var).name.to_string(), TERM)),
        }
    }

    /// The sort of values in the format.
    pub fn sort(&self, sort: &Sort) -> Result<String, Beyond> {
        match (self.dialect, sort) {
            (Dialect::Bip, Sort::Bool) => Ok("bool".to_owned()),
            (Dialect::Bip, Sort::Int | Sort::Range(..)) => Ok("int".to_owned()),
            (Dialect::Mcrl2, Sort::Bool) => Ok("Bool".to_owned()),
            (Dialect::Mcrl2, Sort::Int | Sort::Range(..)) => Ok("Int".to_owned()),
            (Dialect::Mcrl2, Sort::Data(id)) => {
                self.data.sorts.get(id).cloned().ok_or_else(|| self.no_data(*id))
            }
            (Dialect::Bip, Sort::Data(id)) => Err(self.no_data(*id)),
            (_, Sort::Abstract(id)) => {
                Err(Beyond::Sort(self.algebra.abstracts[id.index()].to_string()))
            }
            (_, Sort::Array(_)) => Err(Beyond::Sort("arrays".to_owned())),
            (_, Sort::Action) => Err(Beyond::Action),
        }
    }

    fn no_data(&self, id: DataId) -> Beyond {
        Beyond::Sort(self.algebra.datatypes[id.index()].name.to_string())
    }

    fn applied(&mut self, id: FunId, args: &[TermId]) -> Result<Piece, Beyond> {
        let Some(name) = self.data.functions.get(&id).cloned() else {
            return Err(Beyond::Function(self.algebra.functions[id.index()].name.to_string()));
        };
        Ok((format!("{name}({})", self.list(args)?), TERM))
    }

    fn list(&mut self, all: &[TermId]) -> Result<String, Beyond> {
        let texts: Result<Vec<String>, Beyond> = all.iter().map(|&one| self.at(one, 0)).collect();
        Ok(texts?.join(", "))
    }

    fn quantified(&mut self, word: &str, vars: &[VarId], body: TermId) -> Result<Piece, Beyond> {
        if self.dialect == Dialect::Bip {
            return Err(Beyond::Quantifier);
        }
        let (mut binders, mut inside) = (Vec::new(), Vec::new());
        for &var in vars {
            let sort = self.terms.var(var).sort.clone();
            let name = format!("q{}", var.index());
            binders.push(format!("{name}: {}", self.sort(&sort)?));
            self.names.insert(var, name);
            inside.push(invariant(self.algebra, self.terms, var)?);
        }
        let inside = self.terms.and(inside);
        let body = match word {
            "forall" => self.terms.implies(inside, body),
            _ => self.terms.and([inside, body]),
        };
        let body = self.at(body, 0)?;
        Ok((format!("({word} {} . {body})", binders.join(", ")), TERM))
    }

    // ---- arithmetic and logic ----

    fn compared(&mut self, a: TermId, sign: &str, b: TermId, level: u8) -> Result<Piece, Beyond> {
        let (a, b) = (self.at(a, level + 1)?, self.at(b, level + 1)?);
        Ok((format!("{a} {sign} {b}"), level))
    }

    fn negation(&mut self, inner: TermId) -> Result<Piece, Beyond> {
        match *self.terms.get(inner) {
            Term::Equal(a, b) => self.compared(a, "!=", b, EQUALITY),
            Term::Less(a, b) => self.compared(a, ">=", b, RELATION),
            Term::LessEqual(a, b) => self.compared(a, ">", b, RELATION),
            _ => Ok((format!("!{}", self.at(inner, TERM)?), PREFIX)),
        }
    }

    fn joined(&mut self, all: &[TermId], between: &str, level: u8) -> Result<Piece, Beyond> {
        let texts: Result<Vec<String>, Beyond> =
            all.iter().map(|&one| self.at(one, level + 1)).collect();
        Ok((texts?.join(between), level))
    }

    fn sum(&mut self, all: &[TermId]) -> Result<Piece, Beyond> {
        let mut text = String::new();
        for (place, &one) in all.iter().enumerate() {
            match self.opposite(one) {
                Some(opposite) if place > 0 => {
                    text.push_str(" - ");
                    text.push_str(&self.at(opposite, PRODUCT + 1)?);
                }
                _ if place > 0 => {
                    text.push_str(" + ");
                    text.push_str(&self.at(one, PRODUCT)?);
                }
                _ => text.push_str(&self.at(one, PRODUCT)?),
            }
        }
        Ok((text, SUM))
    }

    /// The opposite of what has a minus.
    fn opposite(&mut self, id: TermId) -> Option<TermId> {
        match self.terms.get(id).clone() {
            Term::Int(value) if value.sign() == Sign::Minus => Some(self.terms.int(-*value)),
            Term::Multiply(factors) => {
                let first = self.terms.as_int(*factors.first()?)?.clone();
                (first == BigInt::from(-1)).then(|| {
                    let rest: Vec<TermId> = factors.iter().skip(1).copied().collect();
                    self.terms.multiply(rest)
                })
            }
            _ => None,
        }
    }

    fn product(&mut self, all: &[TermId]) -> Result<Piece, Beyond> {
        let texts: Result<Vec<String>, Beyond> =
            all.iter().map(|&one| self.at(one, PREFIX)).collect();
        Ok((texts?.join(" * "), PRODUCT))
    }

    fn divided(&mut self, a: TermId, sign: &str, b: TermId) -> Result<Piece, Beyond> {
        self.divisor(b)?;
        let (a, b) = (self.at(a, PREFIX)?, self.at(b, TERM)?);
        Ok((format!("{a} {sign} {b}"), PRODUCT))
    }

    /// A number that is written down, and is not 0.
    fn divisor(&self, b: TermId) -> Result<BigInt, Beyond> {
        let number = self.terms.as_int(b).filter(|number| !number.is_zero());
        number.cloned().ok_or(Beyond::Division)
    }

    /// The remainder that is never negative.
    fn remainder(&mut self, a: TermId, b: TermId) -> Result<Piece, Beyond> {
        let by = self.divisor(b)?.abs();
        let a = self.at(a, PREFIX)?;
        match self.dialect {
            Dialect::Bip => Ok((format!("({a} % {by} + {by}) % {by}"), PRODUCT)),
            Dialect::Mcrl2 => Ok((format!("{a} mod {by}"), PRODUCT)),
        }
    }

    /// The quotient that goes with it.
    fn quotient(&mut self, a: TermId, b: TermId) -> Result<Piece, Beyond> {
        let divisor = self.divisor(b)?;
        let by = divisor.abs();
        let text = match self.dialect {
            Dialect::Bip => {
                let rest = self.remainder(a, b)?.0;
                format!("({} - {rest}) / {by}", self.at(a, SUM)?)
            }
            Dialect::Mcrl2 => format!("{} div {by}", self.at(a, PREFIX)?),
        };
        match divisor.sign() {
            Sign::Minus => Ok((format!("-({text})"), PREFIX)),
            _ => Ok((text, PRODUCT)),
        }
    }
}

fn number(value: &BigInt) -> Piece {
    match value.sign() {
        Sign::Minus => (format!("({value})"), TERM),
        _ => (value.to_string(), TERM),
    }
}

/// A text between parentheses where it binds too loosely.
fn fitted((text, level): Piece, least: u8) -> String {
    if level >= least { text } else { format!("({text})") }
}

/// A term with others in the place of terms in it.
pub(super) fn replaced(terms: &mut Terms, term: TermId, others: &[(TermId, TermId)]) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = others.iter().copied().collect();
    terms.bottom_up(term, &mut done, |_| true, |terms, id, done| terms.rebuilt(id, done))
}

/// A quantifier over so many values is written out.
const MOST_UNFOLDED: usize = 64;

/// A term without the quantifiers over few values: what is said of each of them is said one by one, so that it is known who
/// can tell it.
pub(super) fn unfolded(algebra: &Algebra, terms: &mut Terms, term: TermId) -> TermId {
    let mut done = FxHashMap::default();
    terms.bottom_up(
        term,
        &mut done,
        |_| true,
        |terms, id, done| {
            let id = terms.rebuilt(id, done);
            match terms.get(id).clone() {
                Term::Forall(vars, body) => {
                    let all = one_by_one(algebra, terms, &vars, body);
                    all.map_or(id, |all| terms.and(all))
                }
                Term::Exists(vars, body) => {
                    let all = one_by_one(algebra, terms, &vars, body);
                    all.map_or(id, |all| terms.or(all))
                }
                _ => id,
            }
        },
    )
}

/// What a quantifier says of each value; nothing where there are too many.
fn one_by_one(
    algebra: &Algebra,
    terms: &mut Terms,
    vars: &[VarId],
    body: TermId,
) -> Option<Vec<TermId>> {
    let mut all = vec![body];
    for &var in vars {
        let sort = terms.var(var).sort.clone();
        let values = few_values(algebra, terms, &sort, MOST_UNFOLDED)?;
        if values.len() * all.len() > MOST_UNFOLDED {
            return None;
        }
        let mut more = Vec::with_capacity(values.len() * all.len());
        for one in all {
            for &value in &values {
                more.push(terms.substitute(one, &FxHashMap::from_iter([(var, value)])));
            }
        }
        all = more;
    }
    Some(all)
}

/// Values inside of values inside of values that have ranges are followed so far.
const DEEPEST: usize = 4;

/// That a variable has a value of its sort, where formats have more of them: ranges are all numbers there, also in the
/// fields of datatypes.
pub(super) fn invariant(
    algebra: &Algebra,
    terms: &mut Terms,
    var: VarId,
) -> Result<TermId, Beyond> {
    let (sort, value) = (terms.var(var).sort.clone(), terms.var_term(var));
    is_value(algebra, terms, (&sort, value), 0)
}

fn is_value(
    algebra: &Algebra,
    terms: &mut Terms,
    (sort, value): (&Sort, TermId),
    depth: usize,
) -> Result<TermId, Beyond> {
    match sort {
        Sort::Range(low, high) => {
            let ends = [terms.less_equal(*low, value), terms.less(value, *high)];
            Ok(terms.and(ends))
        }
        Sort::Data(id) => {
            let datatype = &algebra.datatypes[id.index()];
            if depth > DEEPEST {
                return Err(Beyond::Sort(datatype.name.to_string()));
            }
            let mut all = Vec::new();
            for (index, constructor) in (0u32..).zip(&datatype.constructors) {
                for (field, (_, sort)) in (0u32..).zip(&constructor.fields) {
                    let inner = terms.raw(Term::Select(*id, index, field, value));
                    let holds = is_value(algebra, terms, (sort, inner), depth + 1)?;
                    if terms.as_bool(holds) != Some(true) {
                        let is_it = terms.is_constructor(*id, index, value);
                        all.push(terms.implies(is_it, holds));
                    }
                }
            }
            Ok(terms.and(all))
        }
        _ => Ok(terms.bool(true)),
    }
}

/// The values of a sort, where these are few.
pub(super) fn few_values(
    algebra: &Algebra,
    terms: &mut Terms,
    sort: &Sort,
    most: usize,
) -> Option<Vec<TermId>> {
    match sort {
        Sort::Bool => Some(vec![terms.bool(false), terms.bool(true)]),
        Sort::Range(low, high) => {
            let (low, high) = (terms.as_int(*low)?.clone(), terms.as_int(*high)?.clone());
            let count = usize::try_from(&high - &low).ok().filter(|count| *count <= most)?;
            Some((0..count).map(|at| terms.int(&low + BigInt::from(at))).collect())
        }
        Sort::Data(id) => {
            let constructors = &algebra.datatypes[id.index()].constructors;
            let plain = constructors.iter().all(|one| one.fields.is_empty());
            (plain && constructors.len() <= most).then(|| {
                let all = 0..constructors.len() as u32;
                all.map(|at| terms.raw(Term::Construct(*id, at, Box::new([])))).collect()
            })
        }
        _ => None,
    }
}
