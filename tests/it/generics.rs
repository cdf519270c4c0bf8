//! What is over sorts: random programs against the same programs with every instance written by hand, and what the library
//! says of lists, sets, maps, bags and queues.
//!
//! The twin knows nothing of the compiler: it writes a typed term once with generic names, leaving out what can be inferred,
//! and once with a datatype and a function of its own for each instance.

use std::collections::BTreeSet;

use pnetc::outcome::{Outcome, Verdict};
use pnetc::verify::{self, ModelOptions};

use crate::common::{Patience, Random, check_text, seeds};

/// How many programs are tried.
const PROGRAMS: u64 = 40;

/// A sort of the random programs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Ty {
    Int,
    Bool,
    Color,
    /// The range `0..4`.
    Small,
    List(Box<Ty>),
    Maybe(Box<Ty>),
    Both(Box<Ty>, Box<Ty>),
}

/// A term with its sort.
#[derive(Clone, Debug)]
enum Term {
    Plain(String),
    /// A constructor: its name, the sort that it makes, and what it holds.
    Make(&'static str, Ty, Vec<Term>),
    /// A function: its name, for which sorts, and with what.
    Call(&'static str, Vec<Ty>, Vec<Term>),
}

/// The functions, with holes for the sorts that they are over: name, number of sorts, parameters, result, definition.
/// `{0}` and `{1}` are the sorts, `{L0}` a list of the first, `{O0}` an option, `{P01}` and `{P10}` pairs; constructors and
/// recursive calls are marked.
const FUNCTIONS: &[(&str, usize, &str)] = &[
    ("len", 1, "(l: {L0}): Int = match l { {Nil} => 0, {Cons}(_, t) => 1 + {len}(t) };"),
    (
        "app",
        1,
        "(a: {L0}, b: {L0}): {L0} = match a { {Nil} => b, {Cons}(h, t) => {Cons}(h, {app}(t, b)) };",
    ),
    (
        "has",
        1,
        "(l: {L0}, x: {0}): Bool = match l { {Nil} => false, {Cons}(h, t) => h == x or {has}(t, x) };",
    ),
    ("top", 1, "(l: {L0}): {O0} = match l { {Nil} => {No}, {Cons}(h, _) => {Yes}(h) };"),
    ("or_else", 1, "(o: {O0}, x: {0}): {0} = match o { {No} => x, {Yes}(y) => y };"),
    ("swap", 2, "(p: {P01}): {P10} = match p { {Two01}(a, b) => {Two10}(b, a) };"),
    ("one", 2, "(p: {P01}): {0} = p.left;"),
];

impl Ty {
    fn random(random: &mut Random, depth: usize) -> Ty {
        match random.below(if depth == 0 { 4 } else { 7 }) {
            0 => Ty::Int,
            1 => Ty::Bool,
            2 => Ty::Color,
            3 => Ty::Small,
            4 => Ty::List(Box::new(Ty::random(random, depth - 1))),
            5 => Ty::Maybe(Box::new(Ty::random(random, depth - 1))),
            _ => Ty::Both(
                Box::new(Ty::random(random, depth - 1)),
                Box::new(Ty::random(random, depth - 1)),
            ),
        }
    }

    /// As it is written over sorts.
    fn generic(&self) -> String {
        match self {
            Ty::Int => "Int".to_owned(),
            Ty::Bool => "Bool".to_owned(),
            Ty::Color => "Color".to_owned(),
            Ty::Small => "0..4".to_owned(),
            Ty::List(of) => format!("List<{}>", of.generic()),
            Ty::Maybe(of) => format!("Maybe<{}>", of.generic()),
            Ty::Both(a, b) => format!("Both<{}, {}>", a.generic(), b.generic()),
        }
    }

    /// The name that the twin has for it.
    fn own(&self) -> String {
        match self {
            Ty::Int => "Int".to_owned(),
            Ty::Bool => "Bool".to_owned(),
            Ty::Color => "Color".to_owned(),
            Ty::Small => "Small".to_owned(),
            Ty::List(of) => format!("List_{}_", of.own()),
            Ty::Maybe(of) => format!("Maybe_{}_", of.own()),
            Ty::Both(a, b) => format!("Both_{}_{}_", a.own(), b.own()),
        }
    }

    /// The sort that the twin has for it.
    fn own_sort(&self) -> String {
        match self {
            Ty::Small => "0..4".to_owned(),
            other => other.own(),
        }
    }

    /// All datatypes that it needs.
    fn needs(&self, all: &mut BTreeSet<Ty>) {
        match self {
            Ty::Int | Ty::Bool | Ty::Color | Ty::Small => return,
            Ty::List(of) | Ty::Maybe(of) => of.needs(all),
            Ty::Both(a, b) => {
                a.needs(all);
                b.needs(all);
            }
        }
        all.insert(self.clone());
    }

    /// The declaration of the twin.
    fn declared(&self) -> String {
        let name = self.own();
        match self {
            Ty::List(of) => {
                format!(
                    "data {name} {{ Nil{name}, Cons{name}(head: {}, tail: {name}) }}\n",
                    of.own_sort()
                )
            }
            Ty::Maybe(of) => {
                format!("data {name} {{ No{name}, Yes{name}(value: {}) }}\n", of.own_sort())
            }
            Ty::Both(a, b) => {
                let (a, b) = (a.own_sort(), b.own_sort());
                format!("data {name} {{ Two{name}(left: {a}, right: {b}) }}\n")
            }
            _ => String::new(),
        }
    }
}

/// The twin's text of a function for some sorts.
fn own_function(name: &str, sorts: &[Ty]) -> String {
    let (_, _, text) = FUNCTIONS.iter().find(|(known, ..)| *known == name).unwrap();
    let own = function_name(name, sorts);
    let list = Ty::List(Box::new(sorts[0].clone())).own();
    let maybe = Ty::Maybe(Box::new(sorts[0].clone())).own();
    let last = sorts.last().unwrap();
    let both = |a: &Ty, b: &Ty| Ty::Both(Box::new(a.clone()), Box::new(b.clone())).own();
    let mut text = text.to_string();
    for (hole, with) in [
        ("{0}", sorts[0].own_sort()),
        ("{L0}", list.clone()),
        ("{O0}", maybe.clone()),
        ("{P01}", both(&sorts[0], last)),
        ("{P10}", both(last, &sorts[0])),
        ("{Nil}", format!("Nil{list}")),
        ("{Cons}", format!("Cons{list}")),
        ("{No}", format!("No{maybe}")),
        ("{Yes}", format!("Yes{maybe}")),
        ("{Two01}", format!("Two{}", both(&sorts[0], last))),
        ("{Two10}", format!("Two{}", both(last, &sorts[0]))),
    ] {
        text = text.replace(hole, &with);
    }
    format!("fun {own}{}\n", text.replace(&format!("{{{name}}}"), &own))
}

fn function_name(name: &str, sorts: &[Ty]) -> String {
    let sorts: Vec<String> = sorts.iter().map(Ty::own).collect();
    format!("{name}_{}", sorts.join("_"))
}

/// All that is over sorts, as people write it.
fn generic_library() -> String {
    let mut text = "data List<T> { Nil, Cons(head: T, tail: List<T>) }
data Maybe<T> { No, Yes(value: T) }
data Both<A, B> { Two(left: A, right: B) }\n"
        .to_owned();
    for (name, count, definition) in FUNCTIONS {
        let mut own = definition.to_string();
        for (hole, with) in [
            ("{0}", "A"),
            ("{L0}", "List<A>"),
            ("{O0}", "Maybe<A>"),
            ("{P01}", "Both<A, B>"),
            ("{P10}", "Both<B, A>"),
            ("{Nil}", "Nil"),
            ("{Cons}", "Cons"),
            ("{No}", "No"),
            ("{Yes}", "Yes"),
            ("{Two01}", "Two"),
            ("{Two10}", "Two"),
        ] {
            own = own.replace(hole, with);
        }
        own = own.replace(&format!("{{{name}}}"), name);
        let sorts = if *count == 1 { "<A>" } else { "<A, B>" };
        text += &format!("fun {name}{sorts}{own}\n");
    }
    text
}

/// A random term of a sort, over variables.
fn term(random: &mut Random, ty: &Ty, depth: usize, vars: &[(String, Ty)]) -> Term {
    let known: Vec<&(String, Ty)> = vars.iter().filter(|(_, own)| own == ty).collect();
    if !known.is_empty() && random.below(3) > 0 {
        return Term::Plain(known[random.below(known.len())].0.clone());
    }
    let boxed = |ty: &Ty| Box::new(ty.clone());
    if depth > 0 && random.below(2) == 0 {
        let other = Ty::random(random, 1);
        let both = Ty::Both(boxed(ty), boxed(&other));
        match (random.below(3), ty) {
            (0, _) => {
                let args = vec![
                    term(random, &Ty::Maybe(boxed(ty)), depth - 1, vars),
                    term(random, ty, depth - 1, vars),
                ];
                return Term::Call("or_else", vec![ty.clone()], args);
            }
            (1, _) => {
                let arg = term(random, &both, depth - 1, vars);
                return Term::Call("one", vec![ty.clone(), other], vec![arg]);
            }
            (_, Ty::Int) => {
                let arg = term(random, &Ty::List(boxed(&other)), depth - 1, vars);
                return Term::Call("len", vec![other], vec![arg]);
            }
            (_, Ty::Bool) => {
                let args = vec![
                    term(random, &Ty::List(boxed(&other)), depth - 1, vars),
                    term(random, &other, depth - 1, vars),
                ];
                return Term::Call("has", vec![other], args);
            }
            (_, Ty::List(of)) => {
                let args =
                    vec![term(random, ty, depth - 1, vars), term(random, ty, depth - 1, vars)];
                return Term::Call("app", vec![(**of).clone()], args);
            }
            (_, Ty::Maybe(of)) => {
                let arg = term(random, &Ty::List(of.clone()), depth - 1, vars);
                return Term::Call("top", vec![(**of).clone()], vec![arg]);
            }
            (_, Ty::Both(a, b)) => {
                let arg = term(random, &Ty::Both(b.clone(), a.clone()), depth - 1, vars);
                return Term::Call("swap", vec![(**b).clone(), (**a).clone()], vec![arg]);
            }
            (_, Ty::Color | Ty::Small) => {}
        }
    }
    let next = depth.saturating_sub(1);
    match ty {
        Ty::Int | Ty::Small => Term::Plain(random.below(3).to_string()),
        Ty::Bool => Term::Plain(["true", "false"][random.below(2)].to_owned()),
        Ty::Color => Term::Plain(["Red", "Blue"][random.below(2)].to_owned()),
        Ty::List(of) if depth > 0 && random.below(3) > 0 => {
            let args = vec![term(random, of, next, vars), term(random, ty, next, vars)];
            Term::Make("Cons", ty.clone(), args)
        }
        Ty::List(_) => Term::Make("Nil", ty.clone(), Vec::new()),
        Ty::Maybe(of) if random.below(3) > 0 => {
            Term::Make("Yes", ty.clone(), vec![term(random, of, next, vars)])
        }
        Ty::Maybe(_) => Term::Make("No", ty.clone(), Vec::new()),
        Ty::Both(a, b) => {
            let args = vec![term(random, a, next, vars), term(random, b, next, vars)];
            Term::Make("Two", ty.clone(), args)
        }
    }
}

impl Term {
    /// As it is written over sorts; whether the place tells the sort.
    fn generic(&self, known: bool) -> String {
        match self {
            Term::Plain(text) => text.clone(),
            Term::Make(name @ ("Nil" | "No"), ..) if known => (*name).to_owned(),
            Term::Make(name @ ("Nil" | "No"), ty, _) => format!("({name}: {})", ty.generic()),
            // The head tells what the list is of.
            Term::Make("Cons", _, args) => {
                format!("Cons({}, {})", args[0].generic(known), args[1].generic(true))
            }
            Term::Make(name, _, args) => {
                let args: Vec<String> = args.iter().map(|arg| arg.generic(known)).collect();
                format!("{name}({})", args.join(", "))
            }
            Term::Call(name, _, args) => {
                let through = matches!(*name, "app" | "top" | "or_else" | "swap");
                let args: Vec<String> = args
                    .iter()
                    .enumerate()
                    // One argument tells the sort of the other.
                    .map(|(at, arg)| arg.generic(known && through || at > 0))
                    .collect();
                format!("{name}({})", args.join(", "))
            }
        }
    }

    fn own(&self) -> String {
        match self {
            Term::Plain(text) => text.clone(),
            Term::Make(name, ty, args) if args.is_empty() => format!("{name}{}", ty.own()),
            Term::Make(name, ty, args) => {
                let args: Vec<String> = args.iter().map(Term::own).collect();
                format!("{name}{}({})", ty.own(), args.join(", "))
            }
            Term::Call(name, sorts, args) => {
                let args: Vec<String> = args.iter().map(Term::own).collect();
                format!("{}({})", function_name(name, sorts), args.join(", "))
            }
        }
    }

    fn needs(&self, datas: &mut BTreeSet<Ty>, funs: &mut BTreeSet<(&'static str, Vec<Ty>)>) {
        let args = match self {
            Term::Plain(_) => return,
            Term::Make(_, ty, args) => {
                ty.needs(datas);
                args
            }
            Term::Call(name, sorts, args) => {
                let first = Box::new(sorts[0].clone());
                let last = Box::new(sorts[sorts.len() - 1].clone());
                for ty in [
                    Ty::List(first.clone()),
                    Ty::Maybe(first.clone()),
                    Ty::Both(first.clone(), last.clone()),
                    Ty::Both(last, first),
                ] {
                    ty.needs(datas);
                }
                funs.insert((name, sorts.clone()));
                args
            }
        };
        args.iter().for_each(|arg| arg.needs(datas, funs));
    }
}

/// Both texts, as they are written.
#[derive(Default)]
struct Both {
    generic: String,
    own: String,
    datas: BTreeSet<Ty>,
    funs: BTreeSet<(&'static str, Vec<Ty>)>,
}

impl Both {
    fn text(&mut self, text: &str) {
        self.generic += text;
        self.own += text;
    }

    fn sort(&mut self, ty: &Ty) {
        ty.needs(&mut self.datas);
        self.generic += &ty.generic();
        self.own += &ty.own_sort();
    }

    fn term(&mut self, term: &Term, known: bool) {
        term.needs(&mut self.datas, &mut self.funs);
        self.generic += &term.generic(known);
        self.own += &term.own();
    }
}

/// A random program, and the same by hand.
fn programs(random: &mut Random) -> (String, String) {
    let vars: Vec<(String, Ty)> =
        (0..3).map(|at| (format!("v{at}"), Ty::random(random, 2))).collect();
    let mut both = Both::default();
    both.text("process P {\n");
    for (name, ty) in &vars {
        both.text(&format!("    var {name}: "));
        both.sort(ty);
        both.text(" = ");
        both.term(&term(random, ty, 2, &[]), true);
        both.text(";\n");
    }
    both.text("    init state s;\n    state t;\n");
    for (at, (name, ty)) in vars.iter().enumerate() {
        let ends = ["s -> t", "t -> s", "s -> s"][at];
        both.text(&format!("    {ends} : a{at} when "));
        both.term(&term(random, &Ty::Bool, 2, &vars), true);
        both.text(&format!(" do {name} := "));
        both.term(&term(random, ty, 1, &vars), true);
        both.text(";\n");
    }
    both.text("}\ncheck valid(");
    both.term(&term(random, &Ty::Bool, 3, &[]), true);
    both.text(");\ncheck valid(");
    let compared = Ty::random(random, 2);
    both.term(&term(random, &compared, 2, &[]), false);
    both.text(" == ");
    both.term(&term(random, &compared, 2, &[]), true);
    both.text(");\ncheck deadlock_free(P);\ncheck always(P, ");
    both.term(&term(random, &Ty::Bool, 2, &vars), true);
    both.text(");\n");
    let Both { generic, own, datas, funs } = both;
    let declared: String = datas.iter().map(Ty::declared).collect();
    let functions: String = funs.iter().map(|(name, sorts)| own_function(name, sorts)).collect();
    let head = "enum Color { Red, Blue }\naction a0, a1, a2;\n";
    (format!("{head}{}{generic}", generic_library()), format!("{head}{declared}{functions}{own}"))
}

/// The outcomes of all checks of a text.
fn outcomes(text: &str) -> Vec<Outcome> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:#?}\n{text}", checked.diagnostics);
    let options = ModelOptions::default();
    let run = |check| verify::run(&checked, check, &options, &Patience::default()).unwrap();
    checked.checks().into_iter().map(run).collect()
}

fn agree(input: &[u8]) -> usize {
    let seed = u64::from_le_bytes(input.try_into().unwrap());
    let (generic, own) = programs(&mut Random::new(seed));
    let verdicts = |text: &str| outcomes(text).iter().map(|one| one.verdict).collect::<Vec<_>>();
    let (found, wanted) = (verdicts(&generic), verdicts(&own));
    assert_eq!(found, wanted, "{generic}\n---- by hand ----\n{own}");
    found.iter().filter(|one| **one != Verdict::Unknown).count()
}

#[test]
fn random_programs_are_what_they_are_by_hand() {
    let make = |random: &mut Random| (random.below(1 << 30) as u64).to_le_bytes().to_vec();
    let decided = seeds::for_seeds("generics", seeds::fuzz().unwrap_or(PROGRAMS), make, agree);
    assert!(decided > 100 || seeds::fuzz().is_some(), "only {decided} verdicts");
}

#[test]
fn instances_have_names_that_people_know() {
    let text = "data List<T> { Nil, Cons(head: T, tail: List<T>) }
action put(List<Int>), say(List<Bool>);
process P { init state s; s -> s : put(Cons(1, Nil)); s -> s : say(Cons(true, Nil)); }
";
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:#?}", checked.diagnostics);
    let names: Vec<String> = checked
        .program
        .datas
        .iter()
        .filter(|data| !data.constructors.is_empty())
        .map(|data| data.named.name.to_string())
        .collect();
    assert_eq!(names, ["List<Int>", "List<Bool>"]);
}
