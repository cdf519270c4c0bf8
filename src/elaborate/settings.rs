//! Values for symbolic constants: `--set N=4`.
//!
//! Settings are read once, against the sorts of the constants, and are typed values from then on. Whoever has more to
//! ask of a value (whether it is in its range, whether the axioms allow it) finds all of them in [`Settings`], each
//! with the text it comes from.

use std::collections::BTreeMap;
use std::fmt;

use num_bigint::BigInt;

use super::problems::{CannotSet, WhyNotSet};
use crate::algebra::{Term, TermId, Terms};
use crate::diagnostics::{Span, Symbol, closest};
use crate::sema::program::{ConstDef, ConstId, DataId, ModuleId, Program, Sort};
use crate::syntax::ast::{Chain, Expr, ExprKind, ItemKind, Operator, Path};

/// A value that a constant can be set to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SettingValue {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(BigInt),
    /// What a constructor makes.
    Construct(DataId, u32, Vec<SettingValue>),
}

impl From<i32> for SettingValue {
    fn from(number: i32) -> SettingValue {
        SettingValue::Int(number.into())
    }
}

impl From<BigInt> for SettingValue {
    fn from(number: BigInt) -> SettingValue {
        SettingValue::Int(number)
    }
}

impl From<bool> for SettingValue {
    fn from(truth: bool) -> SettingValue {
        SettingValue::Bool(truth)
    }
}

impl SettingValue {
    /// The value as a term.
    pub fn term(&self, terms: &mut Terms) -> TermId {
        match self {
            SettingValue::Bool(truth) => terms.bool(*truth),
            SettingValue::Int(number) => terms.int(number.clone()),
            SettingValue::Construct(data, index, args) => {
                let args = args.iter().map(|arg| arg.term(terms)).collect();
                terms.raw(Term::Construct(*data, *index, args))
            }
        }
    }

    /// The value as it would be written in the model.
    pub fn shown<'v>(&'v self, program: &'v Program) -> impl fmt::Display + 'v {
        Shown(self, program)
    }
}

struct Shown<'v>(&'v SettingValue, &'v Program);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(value, program) = self;
        match value {
            SettingValue::Bool(truth) => write!(out, "{truth}"),
            SettingValue::Int(number) => write!(out, "{number}"),
            SettingValue::Construct(data, index, args) => {
                let made = &program.datas[data.index()].constructors[*index as usize];
                write!(out, "{}", made.name.name)?;
                for (at, arg) in args.iter().enumerate() {
                    let before = if at == 0 { "(" } else { ", " };
                    write!(out, "{before}{}", Shown(arg, program))?;
                }
                if args.is_empty() { Ok(()) } else { write!(out, ")") }
            }
        }
    }
}

/// One constant and its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setting {
    /// The value.
    pub value: SettingValue,
    /// Where it was written, if it was: a text of its own among the sources.
    pub span: Span,
}

/// What is set, by constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Settings {
    all: BTreeMap<ConstId, Setting>,
}

impl Settings {
    /// Sets a constant, whoever says so.
    pub fn insert(&mut self, constant: ConstId, value: impl Into<SettingValue>) {
        self.all.insert(constant, Setting { value: value.into(), span: Span::default() });
    }

    /// What a constant is set to.
    pub fn get(&self, constant: ConstId) -> Option<&Setting> {
        self.all.get(&constant)
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All that is set, in the order of the declarations.
    pub fn iter(&self) -> impl Iterator<Item = (ConstId, &Setting)> {
        self.all.iter().map(|(&constant, setting)| (constant, setting))
    }

    /// All that is set, as it would be written on the command line, in the order of the declarations.
    pub fn texts(&self, program: &Program) -> Vec<String> {
        let text = |(&id, setting): (&ConstId, &Setting)| {
            let named = program.consts[id.index()].named;
            let plain = named.name.to_string();
            let root = program.modules.iter().find(|module| module.is_root);
            let alias = root.and_then(|root| root.alias_of(named.module));
            let name = match alias.filter(|_| meant(program, &plain) != [id]) {
                Some(alias) => format!("{alias}.{plain}"),
                None => plain,
            };
            format!("{name}={}", setting.value.shown(program))
        };
        self.all.iter().map(text).collect()
    }

    /// Reads one more, `N=4`, whose text begins at `base`.
    pub fn read(&mut self, program: &Program, text: &str, base: u32) -> Result<(), Box<CannotSet>> {
        let written = Written::new(text, base);
        let id = written.constant(program)?;
        let constant = &program.consts[id.index()];
        if constant.body.is_some() {
            return Err(written.wrong(WhyNotSet::Valued(constant.named.span)));
        }
        if let Some(before) = self.all.get(&id) {
            return Err(written.wrong(WhyNotSet::Twice(before.span)));
        }
        let value = written.value_for(program, constant)?;
        self.all.insert(id, Setting { value, span: written.value_span });
        Ok(())
    }
}

/// What is to be set, `timer.N`, in the text of a setting.
pub fn set_name(text: &str) -> &str {
    text.split_once('=').map_or(text, |(name, _)| name).trim()
}

/// The constants that a name can mean.
fn meant(program: &Program, name: &str) -> Vec<ConstId> {
    let root = program.modules.iter().position(|module| module.is_root);
    let root = root.map(|at| ModuleId(at as u32));
    let (module, name) = match name.rsplit_once('.') {
        None => (None, name),
        Some((alias, name)) => {
            let info = root.and_then(|root| program.modules.get(root.index()));
            let known = info.into_iter().flat_map(|info| &info.aliases);
            let module = known.clone().find(|(known, _)| known.as_str() == alias);
            let Some((_, module)) = module else { return Vec::new() };
            (Some(*module), name)
        }
    };
    let name = name.trim_matches('`');
    let all = program.consts.iter().enumerate();
    let named = all.filter(|(_, constant)| constant.named.name.as_str() == name);
    let mut found: Vec<ConstId> = named
        .filter(|(_, constant)| module.is_none_or(|module| constant.named.module == module))
        .map(|(at, _)| ConstId(at as u32))
        .collect();
    // What the file itself declares goes first.
    let own = |id: &ConstId| Some(program.consts[id.index()].named.module) == root;
    if found.iter().any(own) {
        found.retain(own);
    }
    found
}

/// Whether a program has a constant that a setting can mean.
pub fn has_constant(program: &Program, name: &str) -> bool {
    !meant(program, name).is_empty()
}

/// The constant that was probably meant, where there is none of a name.
pub fn similar_constant(program: &Program, name: &str) -> Option<&'static str> {
    let known = program.consts.iter().filter(|constant| constant.body.is_none());
    closest(name, known.map(|constant| constant.named.name.as_str()))
}

/// A setting as it was written.
struct Written<'t> {
    name: &'t str,
    name_span: Span,
    value: &'t str,
    value_span: Span,
}

impl<'t> Written<'t> {
    fn new(text: &'t str, base: u32) -> Written<'t> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let after = (text.len() - value.len()) as u32;
        let span = |part: &str, from: u32| {
            let start = base + from + (part.len() - part.trim_start().len()) as u32;
            Span::new(start, start + part.trim().len() as u32)
        };
        let (name_span, value_span) = (span(name, 0), span(value, after));
        Written { name: name.trim(), name_span, value: value.trim(), value_span }
    }

    /// What is wrong with the name.
    fn wrong(&self, why: WhyNotSet) -> Box<CannotSet> {
        Box::new(CannotSet { span: self.name_span, name: self.name.to_owned(), why })
    }

    fn constant(&self, program: &Program) -> Result<ConstId, Box<CannotSet>> {
        match meant(program, self.name).as_slice() {
            [one] => Ok(*one),
            [] => {
                let root = program.modules.iter().filter(|module| module.is_root);
                let files = root.map(|module| module.file.clone()).collect();
                let similar = similar_constant(program, self.name).map(str::to_owned);
                Err(self.wrong(WhyNotSet::Unknown { files, similar }))
            }
            several => {
                let places = several.iter().map(|id| program.consts[id.index()].named.span);
                Err(self.wrong(WhyNotSet::Several(places.collect())))
            }
        }
    }

    fn value_for(
        &self,
        program: &Program,
        constant: &ConstDef,
    ) -> Result<SettingValue, Box<CannotSet>> {
        let (sort, declared) = (program.sort_name(constant.sort), constant.named.span);
        if !is_written(constant.sort) {
            return Err(self.wrong(WhyNotSet::Unwritten { sort, declared }));
        }
        let expr = parsed(self.value, self.value_span.start);
        match expr.and_then(|expr| value_of(program, constant.sort, &expr)) {
            Some(value) => Ok(value),
            None => {
                let similar = constructors(program, constant.sort);
                let similar = closest(self.value, similar).map(str::to_owned);
                let (given, values) = (self.value.to_owned(), values(program, constant.sort));
                let why = WhyNotSet::Misfit { given, sort, values, similar, declared };
                let name = self.name.to_owned();
                Err(Box::new(CannotSet { span: self.value_span, name, why }))
            }
        }
    }
}

/// Whether there are values of a sort that can be written.
fn is_written(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Int | Sort::Range(_) | Sort::Data(_))
}

/// The names of a sort's constructors that take nothing.
fn constructors(program: &Program, sort: Sort) -> Vec<&'static str> {
    let Sort::Data(id) = sort else { return Vec::new() };
    let all = program.datas[id.index()].constructors.iter();
    all.filter(|made| made.fields.is_empty()).map(|made| made.name.name.as_str()).collect()
}

/// Values of a sort, in words.
fn values(program: &Program, sort: Sort) -> String {
    /// More names than these help nobody.
    const MOST: usize = 8;
    match sort {
        Sort::Bool => "`true` or `false`".to_owned(),
        Sort::Data(_) => {
            let names = constructors(program, sort);
            let shown: Vec<String> = names.iter().take(MOST).map(|n| format!("`{n}`")).collect();
            match (shown.as_slice(), names.len() > MOST) {
                ([], _) => "what one of its constructors makes, with its arguments".to_owned(),
                ([one], _) => one.clone(),
                (some, true) => format!("one of its values: {}, …", some.join(", ")),
                (all, false) => format!("one of its values: {}", all.join(", ")),
            }
        }
        _ => "a whole number, for example 4".to_owned(),
    }
}

/// A text as an expression; nothing where it is none. Its places are those of the text, which begins at `start`.
fn parsed(text: &str, start: u32) -> Option<Expr> {
    const BEFORE: &str = "axiom ";
    let base = start.checked_sub(BEFORE.len() as u32)?;
    let mut file = crate::syntax::parse(&format!("{BEFORE}{text}\n;"), base);
    let only = if file.module.items.len() == 1 { file.module.items.pop() } else { None };
    match only?.kind {
        ItemKind::Axiom(expr) if file.problems.is_empty() => Some(*expr),
        _ => None,
    }
}

/// The value of an expression, where it is one of this sort.
fn value_of(program: &Program, sort: Sort, expr: &Expr) -> Option<SettingValue> {
    match (sort, &expr.kind) {
        (Sort::Bool, _) => truth(expr).map(SettingValue::Bool),
        (Sort::Int | Sort::Range(_), _) => number(expr).map(SettingValue::Int),
        (Sort::Data(id), ExprKind::Name(name)) => made(program, id, *name, &[]),
        (Sort::Data(id), ExprKind::Path(path)) => {
            made(program, id, constructor_name(program, id, path)?, &[])
        }
        (Sort::Data(id), ExprKind::Call(call)) => {
            made(program, id, constructor_name(program, id, &call.callee)?, &call.args)
        }
        _ => None,
    }
}

/// The name of a constructor, which may stand behind what the file calls its module.
fn constructor_name(program: &Program, data: DataId, path: &Path) -> Option<Symbol> {
    match path.parts.as_slice() {
        [name] => Some(name.name),
        [alias, name] => {
            let root = program.modules.iter().find(|module| module.is_root)?;
            let module = program.datas[data.index()].named.module;
            (root.alias_of(module) == Some(alias.name)).then_some(name.name)
        }
        _ => None,
    }
}

fn made(program: &Program, data: DataId, name: Symbol, args: &[Expr]) -> Option<SettingValue> {
    let constructors = &program.datas[data.index()].constructors;
    let index = constructors.iter().position(|made| made.name.name == name)?;
    let fields = &constructors[index].fields;
    if fields.len() != args.len() {
        return None;
    }
    let both = fields.iter().zip(args);
    let args: Option<Vec<SettingValue>> =
        both.map(|((_, sort), arg)| value_of(program, *sort, arg)).collect();
    Some(SettingValue::Construct(data, index as u32, args?))
}

fn truth(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Bool(truth) => Some(*truth),
        ExprKind::Not(inner) => truth(inner).map(|truth| !truth),
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<BigInt> {
    match &expr.kind {
        ExprKind::Int(digits) => BigInt::parse_bytes(digits.as_str().as_bytes(), 10),
        ExprKind::Negate(inner) => number(inner).map(|number| -number),
        ExprKind::Chain(chain) => sum(chain),
        _ => None,
    }
}

fn sum(chain: &Chain) -> Option<BigInt> {
    let mut value = number(&chain.first)?;
    for (operator, _, operand) in &chain.rest {
        let operand = number(operand)?;
        match operator {
            Operator::Add => value += operand,
            Operator::Subtract => value -= operand,
            Operator::Multiply => value *= operand,
            _ => return None,
        }
    }
    Some(value)
}
