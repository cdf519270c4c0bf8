//! Temporal formulas: `property` items, and what `check holds(…)` asks.

use super::Syntax;

impl Syntax<'_> {
    /// `property Name(p, q) = f;`
    pub(super) fn property(&mut self) {
        self.t("property");
        self.name();
        if self.random.one_in(3) {
            self.in_brackets("(", ")", Self::name);
        }
        self.t("=");
        self.formula(4);
        self.t(";");
    }

    /// `holds(S, f) fair { p } weakly fair { q for i in 0..3 }`, without what is in front.
    pub(super) fn holds(&mut self) {
        self.t("holds");
        self.t("(");
        self.instance(2);
        self.t(",");
        self.formula(4);
        self.t(")");
        while self.random.one_in(4) {
            if self.random.one_in(2) {
                self.t("weakly");
            }
            self.t("fair");
            self.in_brackets("{", "}", |s| {
                s.tight(1);
                while s.random.one_in(4) {
                    s.t("for");
                    s.name();
                    s.t("in");
                    s.range(1);
                }
            });
        }
        self.proof();
    }

    fn formula(&mut self, depth: usize) {
        let Some(inner) = depth.checked_sub(1) else { return self.atom(0) };
        match self.random.below(9) {
            0 => self.fixpoint(inner),
            1 => {
                let quantifier = *self.random.pick(&["forall", "exists"]);
                self.t(quantifier);
                self.comma1(Self::binder);
                self.spaced_dot();
                self.formula(inner);
            }
            2 => {
                self.t("after");
                self.tight(inner);
                self.t("=>");
                self.formula(inner);
            }
            3 => {
                self.tight(inner);
                let until = *self.random.pick(&["U", "W"]);
                self.t(until);
                self.tight(inner);
            }
            4 => {
                let word = *self.random.pick(&["and", "or"]);
                self.tight(inner);
                for _ in 0..self.random.between(1, 2) {
                    self.t(word);
                    self.tight(inner);
                }
            }
            5 => {
                self.tight(inner);
                self.t("=>");
                self.formula(inner);
            }
            _ => self.tight(depth),
        }
    }

    fn fixpoint(&mut self, depth: usize) {
        let word = *self.random.pick(&["mu", "nu"]);
        self.t(word);
        // Fixpoints may be called like operators, which are none then.
        let name = *self.random.pick(&["Z", "X", "Y1", "`A`"]);
        self.t(name);
        if self.random.one_in(4) {
            self.t("(");
            self.comma1(|s| {
                s.binder();
                s.t("=");
                s.additive(1);
            });
            self.t(")");
        }
        self.spaced_dot();
        self.formula(depth);
    }

    /// What binds as a negation does.
    fn tight(&mut self, depth: usize) {
        let Some(inner) = depth.checked_sub(1) else { return self.atom(0) };
        match self.random.below(9) {
            0 => {
                self.t("not");
                self.tight(inner);
            }
            1 => {
                let word = *self.random.pick(&["A", "E"]);
                self.t(word);
                // What stands in brackets behind it is said of runs, and no steps.
                let (open, close) = *self.random.pick(&[("[", "]"), ("[", "]"), ("(", ")")]);
                self.t(open);
                self.formula(inner);
                self.t(close);
            }
            2 => {
                let words = ["G", "F", "AG", "AF", "AX", "EG", "EF", "EX"];
                let word = *self.random.pick(&words);
                self.t(word);
                self.tight(inner);
            }
            3 | 4 => {
                let (open, close) = *self.random.pick(&[("[", "]"), ("<", ">")]);
                self.t(open);
                self.step(inner);
                self.t(close);
                self.tight(inner);
            }
            5 => {
                self.t("(");
                self.formula(inner);
                self.t(")");
            }
            _ => self.atom(inner),
        }
    }

    /// The steps of a modality.
    fn step(&mut self, depth: usize) {
        match self.random.below(5) {
            0 => self.t("any"),
            1 => self.t("tau"),
            2 => {
                self.t("not");
                self.atom(depth);
            }
            3 => {
                self.atom(depth);
                let word = *self.random.pick(&["and", "or"]);
                self.t(word);
                self.atom(depth);
            }
            _ => self.atom(depth),
        }
    }

    fn atom(&mut self, depth: usize) {
        match self.random.below(7) {
            0 => {
                let word = *self.random.pick(&["true", "false", "any", "tau"]);
                self.t(word);
            }
            1 => {
                self.path();
                self.in_brackets("(", ")", |s| {
                    let depth = depth.min(1);
                    if s.random.one_in(3) { s.t("_") } else { s.tight(depth) }
                });
            }
            2 => {
                self.t("(");
                self.additive(1);
                let relation = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                self.t(relation);
                self.additive(1);
                self.t(")");
            }
            3 => {
                self.path();
                self.t("in");
                self.path();
            }
            // What a hole does.
            4 => {
                self.t("(");
                self.path();
                self.t(":");
                self.path();
                self.t(")");
            }
            _ => self.path(),
        }
    }
}
