//! Sorts, and expressions over some names.

use super::Maker;

/// A sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Bool,
    /// From 0 to just before this.
    Range(usize),
    Colour,
    Msg,
    Int,
}

impl Ty {
    pub fn text(self) -> String {
        match self {
            Ty::Bool => "Bool".to_owned(),
            Ty::Range(high) => format!("0..{high}"),
            Ty::Colour => "Colour".to_owned(),
            Ty::Msg => "Msg".to_owned(),
            Ty::Int => "Int".to_owned(),
        }
    }

    pub fn is_number(self) -> bool {
        matches!(self, Ty::Range(_) | Ty::Int)
    }
}

/// An action of the pool.
#[derive(Clone, Debug)]
pub struct Action {
    pub name: &'static str,
    pub sorts: Vec<Ty>,
}

impl Action {
    pub fn declared(&self) -> String {
        let sorts: Vec<String> = self.sorts.iter().map(|sort| sort.text()).collect();
        self.with(&sorts)
    }

    pub fn with(&self, arguments: &[String]) -> String {
        if arguments.is_empty() {
            self.name.to_owned()
        } else {
            format!("{}({})", self.name, arguments.join(", "))
        }
    }
}

/// A name with its sort.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub ty: Ty,
}

impl Maker<'_> {
    pub fn ty(&mut self) -> Ty {
        match self.random.below(10) {
            0 | 1 => Ty::Bool,
            2 | 3 => Ty::Range(3),
            4 => Ty::Range(2),
            5..8 if !self.shape.data => Ty::Range(2),
            5 | 6 => Ty::Colour,
            7 => Ty::Msg,
            _ if self.shape.ints => Ty::Int,
            _ => Ty::Range(3),
        }
    }

    fn named(&mut self, names: &[Name], wanted: impl Fn(Ty) -> bool) -> Option<String> {
        let fitting: Vec<&Name> = names.iter().filter(|name| wanted(name.ty)).collect();
        self.random.pick_some(&fitting).map(|name| name.text.clone())
    }

    /// A value of a sort.
    pub fn literal(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Bool => (*self.random.pick(&["true", "false"])).to_owned(),
            Ty::Range(high) => self.random.below(high).to_string(),
            Ty::Colour => (*self.random.pick(&["Red", "Green", "Blue"])).to_owned(),
            Ty::Msg if self.random.one_in(3) => "Ping".to_owned(),
            Ty::Msg => format!("Pkt({}, {})", self.random.below(3), self.random.percent(50)),
            Ty::Int => self.random.below(3).to_string(),
        }
    }

    /// An expression of a sort; an integer stays small if the names are.
    pub fn expr(&mut self, ty: Ty, names: &[Name]) -> String {
        let same = self.named(names, |other| other == ty);
        match (ty, same, self.random.below(10)) {
            (_, Some(name), 0..5) => name,
            (Ty::Bool, _, 5..8) => format!("({})", self.condition(names)),
            (Ty::Bool, Some(name), _) => format!("not {name}"),
            (Ty::Range(high), Some(name), 5..7) => format!("({name} + 1) mod {high}"),
            // This may leave the range.
            (Ty::Range(_), Some(name), 7) => format!("{name} + 1"),
            (Ty::Range(_), Some(name), 8) => format!("{name} - 1"),
            (Ty::Range(high), _, 0..4) => {
                let number = self.named(names, Ty::is_number);
                number.map_or_else(|| self.literal(ty), |name| format!("{name} mod {high}"))
            }
            (Ty::Colour, Some(name), 5..8) => format!("turn({name})"),
            (Ty::Int, _, 0..6) => {
                self.named(names, Ty::is_number).unwrap_or_else(|| self.literal(ty))
            }
            (Ty::Int, Some(name), 6 | 7) => format!("{name} + 1"),
            (Ty::Int, Some(name), 8) => format!("2 - {name}"),
            (Ty::Msg, _, 5..8) => {
                let (seq, ok) = (self.expr(Ty::Range(3), names), self.expr(Ty::Bool, names));
                format!("Pkt({seq}, {ok})")
            }
            (Ty::Bool, None, 0..5) if self.random.one_in(2) => {
                format!("({})", self.condition(names))
            }
            _ => self.literal(ty),
        }
    }

    /// A condition on some of the names.
    pub fn condition(&mut self, names: &[Name]) -> String {
        let Some(name) = self.random.pick_some(names).cloned() else {
            return if self.random.one_in(8) { "false".to_owned() } else { "true".to_owned() };
        };
        let first = self.test(&name, names);
        match self.random.below(8) {
            0 => {
                let other = self.random.pick(names).clone();
                format!("{first} and {}", self.test(&other, names))
            }
            1 => {
                let other = self.random.pick(names).clone();
                format!("({first} or {})", self.test(&other, names))
            }
            _ => first,
        }
    }

    fn test(&mut self, name: &Name, names: &[Name]) -> String {
        let text = &name.text;
        match name.ty {
            Ty::Bool => format!("{}{text}", if self.random.one_in(2) { "not " } else { "" }),
            Ty::Range(_) | Ty::Int => {
                let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "!="]);
                let number = self.random.below(3).to_string();
                let other = match self.random.below(6) {
                    0 if self.has_limit => "LIMIT".to_owned(),
                    0 | 1 => self
                        .named(names, Ty::is_number)
                        .filter(|other| other != text)
                        .unwrap_or(number),
                    _ => number,
                };
                format!("{text} {sign} {other}")
            }
            Ty::Colour => {
                let colour = self.literal(Ty::Colour);
                match self.random.below(5) {
                    0 => format!("{text} is {colour}"),
                    1 => format!("{text} is not {colour}"),
                    2 => format!("{text} == {colour}"),
                    3 => format!("turn({text}) != {colour}"),
                    _ => format!("{text} != {colour}"),
                }
            }
            Ty::Msg => match self.random.below(4) {
                0 => format!("{text} is Ping"),
                1 => format!("{text} is Pkt(_, _)"),
                2 => format!("({text} is Pkt(_, _) and {text}.seq > 0)"),
                _ => format!("{text} != {}", self.literal(Ty::Msg)),
            },
        }
    }
}
