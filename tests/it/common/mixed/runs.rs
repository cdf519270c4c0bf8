//! Temporal formulas: the same question twice, in other words.

use super::net::Main;
use super::{Maker, SHOWN};

impl Maker<'_> {
    /// Two checks that ask the same; what is proved of one is not refuted of the other.
    pub fn asks_twice(&mut self, main: &Main) {
        let net = &main.instance;
        let (p, q) = (self.said(main), self.said(main));
        let (s, t) = (self.steps(), self.steps());
        let fair = match self.random.below(4) {
            0 => format!(" fair {{ {} }}", self.steps()),
            1 => format!(" weakly fair {{ {}, {} }}", self.steps(), self.steps()),
            _ => String::new(),
        };
        let (form, one, other, fair) = match self.random.below(12) {
            0 => ("AG as a fixpoint", format!("AG {p}"), format!("nu Z . {p} and [any] Z"), ""),
            1 => ("EF as a fixpoint", format!("EF {p}"), format!("mu Z . {p} or <any> Z"), ""),
            2 => (
                "W of steps as a fixpoint",
                format!("A[not {s} W {t}]"),
                format!("nu Z . [{s} and not {t}] false and [not {t}] Z"),
                "",
            ),
            3 => (
                "U of steps as a fixpoint",
                format!("E[not {s} U {t}]"),
                format!("mu Z . <{t}> true or <not {s}> Z"),
                "",
            ),
            4 => (
                "X as a fixpoint",
                format!("A[G ({s} => X {p})]"),
                format!("nu Z . [{s}] {p} and [any] Z"),
                "",
            ),
            5 => ("G and F", format!("A[G {p}]"), format!("not E[F not {p}]"), fair.as_str()),
            6 => ("F and G", format!("A[F {p}]"), format!("not E[G not {p}]"), fair.as_str()),
            7 => (
                "U and its opposites",
                format!("A[{p} U {q}]"),
                format!("not (E[not {q} U (not {p} and not {q})] or E[G not {q}])"),
                fair.as_str(),
            ),
            8 => (
                "W and its opposite",
                format!("A[{p} W {q}]"),
                format!("not E[({p} and not {q}) U (not {p} and not {q})]"),
                fair.as_str(),
            ),
            9 => (
                "response twice",
                format!("A[G ({p} => F {q})]"),
                format!("AG ({p} => A[F {q}])"),
                fair.as_str(),
            ),
            10 => ("again and again", format!("A[G F {p}]"), format!("AG A[F {p}]"), fair.as_str()),
            _ => (
                "values one by one",
                format!("forall v: 0..3 . A[G (out(v) => X {p})]"),
                format!("A[G (out(0) or out(1) or out(2) => X {p})]"),
                "",
            ),
        };
        self.has(form);
        let lines = match self.random.below(3) {
            // By a property with parameters, and by its name alone.
            0 => [
                format!("property Asked = {other};"),
                format!("check holds({net}, {one}){fair};"),
                format!("check holds({net}, Asked){fair};"),
            ],
            _ => [
                String::new(),
                format!("check holds({net}, {one}){fair};"),
                format!("check holds({net}, {other}){fair};"),
            ],
        };
        lines.iter().for_each(|line| self.line(line));
    }

    /// What is said of configurations, in parentheses.
    fn said(&mut self, main: &Main) -> String {
        match self.random.below(6) {
            0 => "(exists i: 3..1 . true)".to_owned(),
            1 => "(forall i: 0..2 . i >= 0)".to_owned(),
            _ => format!("({})", self.property(main, 1)),
        }
    }

    /// Some steps, in parentheses.
    fn steps(&mut self) -> String {
        let one = |maker: &mut Self| match maker.random.below(7) {
            0 => "tau".to_owned(),
            1 => "any".to_owned(),
            2 => "out(_)".to_owned(),
            3 => format!("out({})", maker.random.below(3)),
            _ => (*maker.random.pick(&SHOWN)).to_owned(),
        };
        match self.random.below(4) {
            0 => format!("({} or {})", one(self), one(self)),
            1 => format!("(not {})", one(self)),
            _ => format!("({})", one(self)),
        }
    }
}
