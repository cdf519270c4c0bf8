//! Sorts, and expressions over some names.

use super::Maker;

/// A sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Bool,
    /// From the first to just before the second.
    Range(i64, i64),
    /// From 0 to just before the constant `K` and one more, which is symbolic.
    UpToK,
    Colour,
    Msg,
    Stack,
    /// Over the places `0..n`.
    Array(i64, Box<Ty>),
    /// Over colours.
    ByColour(Box<Ty>),
    Int,
    Thing,
}

impl Ty {
    pub fn text(&self) -> String {
        match self {
            Ty::Bool => "Bool".to_owned(),
            Ty::Range(low, high) => format!("{low}..{high}"),
            Ty::UpToK => "0..K + 1".to_owned(),
            Ty::Colour => "Colour".to_owned(),
            Ty::Msg => "Msg".to_owned(),
            Ty::Stack => "Stack".to_owned(),
            Ty::Array(places, inner) => format!("[0..{places}]{}", inner.text()),
            Ty::ByColour(inner) => format!("[Colour]{}", inner.text()),
            Ty::Int => "Int".to_owned(),
            Ty::Thing => "Thing".to_owned(),
        }
    }

    /// Whether an array of these can be written down: `[_]` takes the name of a sort.
    fn has_name(&self) -> bool {
        matches!(self, Ty::Bool | Ty::Colour | Ty::Msg | Ty::Stack | Ty::Int | Ty::Thing)
    }

    /// Whether it has values that can be written down.
    pub fn has_literals(&self) -> bool {
        match self {
            Ty::Array(_, inner) | Ty::ByColour(inner) => inner.has_name(),
            _ => true,
        }
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Ty::Range(..) | Ty::UpToK | Ty::Int)
    }
}

/// A name with its sort.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub ty: Ty,
}

impl Name {
    pub fn new(text: impl Into<String>, ty: Ty) -> Name {
        Name { text: text.into(), ty }
    }
}

impl Maker<'_> {
    /// A sort; of scalars, where it is inside of another.
    pub fn ty(&mut self, inside: bool) -> Ty {
        match self.random.below(if inside { 9 } else { 17 }) {
            0 | 1 => Ty::Bool,
            2 => Ty::Range(0, 3),
            3 => Ty::Range(0, 2),
            4 => Ty::Range(1, 3),
            5 => Ty::Range(-1, 2),
            6 => Ty::Range(2, 3),
            7 | 8 => Ty::Colour,
            9 => Ty::Msg,
            10 => Ty::Stack,
            11 => {
                self.has("array");
                let inner = self.ty(true);
                let inner =
                    if self.random.one_in(3) { Ty::Array(2, Box::new(inner)) } else { inner };
                Ty::Array(self.random.between(1, 2) as i64, Box::new(inner))
            }
            12 => {
                self.has("array over an enumeration");
                Ty::ByColour(Box::new(self.ty(true)))
            }
            13 if self.symbolic => Ty::UpToK,
            14 if self.abstracts => Ty::Thing,
            _ => Ty::Int,
        }
    }

    fn named(&mut self, names: &[Name], wanted: impl Fn(&Ty) -> bool) -> Option<String> {
        let fitting: Vec<&Name> = names.iter().filter(|name| wanted(&name.ty)).collect();
        self.random.pick_some(&fitting).map(|name| name.text.clone())
    }

    /// A number of some kind.
    fn number(&mut self, names: &[Name]) -> Option<String> {
        self.named(names, Ty::is_number)
    }

    /// A value of a sort.
    pub fn literal(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => (*self.random.pick(&["true", "false"])).to_owned(),
            Ty::Range(low, high) => {
                let value = low + self.random.below((high - low) as usize) as i64;
                if value < 0 { format!("({value})") } else { value.to_string() }
            }
            Ty::UpToK => (*self.random.pick(&["0", "0", "K"])).to_owned(),
            Ty::Colour => (*self.random.pick(&["Red", "Green", "Blue"])).to_owned(),
            Ty::Msg if self.random.one_in(3) => "Ping".to_owned(),
            Ty::Msg => format!("Pkt({}, {})", self.random.below(3), self.random.percent(50)),
            Ty::Stack => match self.random.below(3) {
                0 => "Nil".to_owned(),
                1 => format!("Push({}, Nil)", self.random.below(2)),
                _ => format!("Push({}, Push({}, Nil))", self.random.below(2), self.random.below(2)),
            },
            Ty::Array(_, inner) => {
                let value = self.literal(inner);
                format!("[_]{}({value})", inner.text())
            }
            Ty::ByColour(inner) => {
                let value = self.literal(inner);
                format!("[_]{}({value})", inner.text())
            }
            Ty::Int => match self.random.below(12) {
                0 => {
                    self.has("large number");
                    "1_000_000_000_000_000_000_000".to_owned()
                }
                1 => "(-1)".to_owned(),
                2 if self.symbolic => "K".to_owned(),
                _ => self.random.below(3).to_string(),
            },
            Ty::Thing => "NIHIL".to_owned(),
        }
    }

    /// An expression of a sort; integers stay small if the names are, mostly.
    pub fn expr(&mut self, ty: &Ty, names: &[Name], depth: usize) -> String {
        let same = self.named(names, |other| other == ty);
        let roll = self.random.below(12);
        if let Some(name) = &same
            && (roll < 4 || depth == 0)
        {
            return name.clone();
        }
        if depth == 0 {
            return self.literal(ty);
        }
        if roll == 4 {
            self.has("if");
            let test = self.condition(names, depth - 1);
            let (yes, no) = (self.expr(ty, names, depth - 1), self.expr(ty, names, depth - 1));
            return format!("(if {test} then {yes} else {no})");
        }
        match ty {
            Ty::Bool if roll < 10 => format!("({})", self.condition(names, depth - 1)),
            Ty::Range(..) | Ty::UpToK | Ty::Int => self.number_expr(ty, names, depth),
            Ty::Colour => match same {
                Some(name) if roll < 9 => {
                    self.has("function");
                    format!("turn({name})")
                }
                _ => self.literal(ty),
            },
            Ty::Msg => {
                let seq = self.expr(&Ty::Range(0, 3), names, depth - 1);
                let ok = self.expr(&Ty::Bool, names, depth - 1);
                format!("Pkt({seq}, {ok})")
            }
            Ty::Stack => match same {
                Some(name) if roll < 8 => {
                    let top = self.expr(&Ty::Range(0, 2), names, depth - 1);
                    format!("(if height({name}) < 2 then Push({top}, {name}) else Nil)")
                }
                Some(name) => format!("{name}.below"),
                None => self.literal(ty),
            },
            Ty::Array(places, inner) => match same {
                Some(name) => {
                    let place = self.place(*places, names, depth);
                    let value = self.expr(inner, names, depth - 1);
                    format!("{name}[{place} := {value}]")
                }
                None => self.literal(ty),
            },
            Ty::ByColour(inner) => match same {
                Some(name) => {
                    let place = self.expr(&Ty::Colour, names, depth - 1);
                    let value = self.expr(inner, names, depth - 1);
                    format!("{name}[{place} := {value}]")
                }
                None => self.literal(ty),
            },
            Ty::Thing | Ty::Bool => self.literal(ty),
        }
    }

    /// A place of an array; it may be outside.
    fn place(&mut self, places: i64, names: &[Name], depth: usize) -> String {
        match self.number(names) {
            Some(name) if self.random.one_in(4) => name,
            Some(name) if depth > 0 => format!("{name} mod {places}"),
            _ => self.random.below(places as usize).to_string(),
        }
    }

    fn number_expr(&mut self, ty: &Ty, names: &[Name], depth: usize) -> String {
        let inner = depth - 1;
        let read = self.read_number(names, inner);
        let number = self.number(names).unwrap_or_else(|| self.literal(&Ty::Int));
        let value = match self.random.below(13) {
            12 => {
                self.has("name for a value");
                format!("(let it = {number} - 1 in it * it - it)")
            }
            0 | 1 => format!("{number} + 1"),
            2 => format!("{number} - 1"),
            3 => format!("2 - {number}"),
            4 => format!("{number} * {}", self.random.pick(&["2", "(-1)", "0"])),
            5 => {
                self.has("division by what may be zero");
                let by = self.expr(&Ty::Range(-1, 2), names, inner);
                format!("{number} {} {by}", self.random.pick(&["div", "mod", "quot", "rem"]))
            }
            6 => {
                self.has("division of what may be negative");
                format!("({number} - 2) {} {}", self.random.pick(&["div", "mod", "quot", "rem"]), 2)
            }
            7 if ty != &Ty::Int => {
                self.has("function into a range");
                format!("clip({number})")
            }
            _ => read.unwrap_or(number),
        };
        match ty {
            Ty::Range(low, high) if self.random.percent(60) => {
                let size = high - low;
                if *low == 0 {
                    format!("({value}) mod {size}")
                } else {
                    format!("({value}) mod {size} + {low}")
                }
            }
            Ty::UpToK if self.random.percent(60) => format!("({value}) mod (K + 1)"),
            Ty::Range(..) | Ty::UpToK => {
                self.has("value that may leave its range");
                value
            }
            _ => value,
        }
    }

    /// A number inside of another value.
    fn read_number(&mut self, names: &[Name], depth: usize) -> Option<String> {
        let inside = |ty: &Ty| match ty {
            Ty::Msg | Ty::Stack => true,
            Ty::Array(_, inner) | Ty::ByColour(inner) => inner.is_number(),
            _ => false,
        };
        let fitting: Vec<Name> = names.iter().filter(|name| inside(&name.ty)).cloned().collect();
        let Name { text, ty } = self.random.pick_some(&fitting)?.clone();
        Some(match ty {
            Ty::Msg => {
                self.has("field");
                format!("{text}.seq")
            }
            Ty::Stack if self.random.one_in(2) => {
                self.has("recursive function");
                format!("height({text})")
            }
            Ty::Stack => format!("{text}.top"),
            Ty::Array(places, _) => {
                self.has("element");
                let place = self.place(places, names, depth);
                format!("{text}[{place}]")
            }
            _ => format!("{text}[{}]", self.literal(&Ty::Colour)),
        })
    }

    /// A condition on some of the names.
    pub fn condition(&mut self, names: &[Name], depth: usize) -> String {
        let Some(name) = self.random.pick_some(names).cloned() else {
            return if self.random.one_in(8) { "false".to_owned() } else { "true".to_owned() };
        };
        let first = self.test(&name, names, depth);
        if depth == 0 {
            return first;
        }
        match self.random.below(10) {
            0 => format!("({first} and {})", self.condition(names, depth - 1)),
            1 => format!("({first} or {})", self.condition(names, depth - 1)),
            2 => format!("({first} => {})", self.condition(names, depth - 1)),
            3 => format!("not ({first})"),
            4 => {
                self.has("quantifier");
                let range = *self.random.pick(&["0..2", "0..3", "1..1", "-1..1"]);
                let word = *self.random.pick(&["forall", "exists"]);
                let with = [names, &[Name::new("q", Ty::Range(0, 3))]].concat();
                format!("({word} q: {range} . {})", self.condition(&with, depth - 1))
            }
            _ => first,
        }
    }

    fn test(&mut self, name: &Name, names: &[Name], depth: usize) -> String {
        let text = &name.text;
        let depth = depth.min(1);
        match &name.ty {
            Ty::Bool => format!("{}{text}", if self.random.one_in(2) { "not " } else { "" }),
            Ty::Range(..) | Ty::UpToK | Ty::Int => {
                let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "!="]);
                let other = match self.random.below(6) {
                    0 => self.expr(&Ty::Int, names, depth),
                    1 => self.number(names).unwrap_or_else(|| "1".to_owned()),
                    2 if self.symbolic => "K".to_owned(),
                    _ => self.random.below(3).to_string(),
                };
                format!("{text} {sign} {other}")
            }
            Ty::Colour => match self.random.below(5) {
                0 => format!("{text} is {}", self.literal(&Ty::Colour)),
                1 => format!("turn({text}) != {}", self.literal(&Ty::Colour)),
                2 if self.uninterpreted => {
                    self.has("function without a definition");
                    format!("weight({text}) > 0")
                }
                3 => {
                    self.has("match");
                    format!("(match {text} {{ Red => true, Green => false, Blue => true }})")
                }
                _ => format!("{text} != {}", self.expr(&Ty::Colour, names, depth)),
            },
            Ty::Msg => match self.random.below(5) {
                0 => format!("{text} is Ping"),
                1 => format!("{text} is Pkt(_, _)"),
                2 => format!("({text} is Pkt(_, _) and {text}.seq > 0)"),
                3 => format!("{text}.ok"),
                _ => format!("{text} != {}", self.expr(&Ty::Msg, names, depth)),
            },
            Ty::Stack => match self.random.below(4) {
                0 => format!("{text} is Nil"),
                1 => format!("height({text}) < 2"),
                2 => format!("({text} is Push(_, _) and {text}.top == 1)"),
                _ => format!("{text} == {}", self.literal(&Ty::Stack)),
            },
            Ty::Array(places, inner) => {
                let place = self.place(*places, names, depth);
                let element = Name::new(format!("{text}[{place}]"), (**inner).clone());
                match self.random.below(4) {
                    0 => format!("{text} == {}", self.expr(&name.ty, names, depth)),
                    _ => self.test(&element, names, 0),
                }
            }
            Ty::ByColour(inner) => {
                let place = self.expr(&Ty::Colour, names, depth);
                let element = Name::new(format!("{text}[{place}]"), (**inner).clone());
                self.test(&element, names, 0)
            }
            Ty::Thing => {
                let other = self.named(names, |ty| ty == &Ty::Thing).unwrap_or_default();
                let other = if other.is_empty() || &other == text { "NIHIL" } else { &other };
                format!("{text} {} {other}", self.random.pick(&["==", "!="]))
            }
        }
    }
}
