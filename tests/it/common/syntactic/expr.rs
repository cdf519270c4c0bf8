//! Sorts and expressions, loosest first.

use super::words::NUMBERS;
use super::{Rule, Syntax};

impl<'r> Syntax<'r> {
    // ---- sorts ----

    pub(super) fn sort(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 2 } else { 6 }) {
            0 | 1 => self.path(),
            2 | 3 => self.range(depth),
            5 => self.applied_sort(depth),
            _ => {
                self.t("[");
                self.sort(depth - 1);
                self.t("]");
                self.sort(depth - 1);
            }
        }
    }

    /// `List<Int>`
    pub(super) fn applied_sort(&mut self, depth: usize) {
        self.path();
        self.t("<");
        self.comma1(|s| s.sort(depth - 1));
        self.t(">");
    }

    pub(super) fn range(&mut self, depth: usize) {
        self.additive(depth);
        self.t("..");
        self.additive(depth);
    }

    // ---- expressions ----

    pub(super) fn expr(&mut self, depth: usize) {
        let Some(inner) = depth.checked_sub(1) else { return self.additive(0) };
        match self.random.below(13) {
            12 => {
                self.t("let");
                let name = *self.random.pick(&["x", "it", "`let`", "größe"]);
                self.t(name);
                self.t("=");
                self.additive(inner);
                self.t("in");
                self.expr(inner);
            }
            0 => {
                self.t("if");
                self.expr(inner);
                self.t("then");
                self.expr(inner);
                self.t("else");
                self.expr(inner);
            }
            1 => {
                let quantifier = *self.random.pick(&["forall", "exists"]);
                self.t(quantifier);
                self.comma1(|s| {
                    s.name();
                    match s.random.below(3) {
                        0 => {}
                        1 => {
                            s.t(":");
                            s.sort(1);
                        }
                        _ => {
                            s.t("in");
                            s.member_path();
                        }
                    }
                });
                self.spaced_dot();
                self.expr(inner);
            }
            2 => {
                self.disjunction(inner);
                self.t("=>");
                self.expr(inner);
            }
            _ => self.disjunction(depth),
        }
    }

    pub(super) fn level(&mut self, depth: usize, operators: &[&str], next: Rule<'r>) {
        let more = if depth > 0 && self.random.one_in(5) { self.random.between(1, 3) } else { 0 };
        let depth = depth - usize::from(more > 0);
        next(self, depth);
        for _ in 0..more {
            let operator = *self.random.pick(operators);
            self.t(operator);
            next(self, depth);
        }
    }

    pub(super) fn disjunction(&mut self, depth: usize) {
        self.level(depth, &["or"], Self::conjunction);
    }

    fn conjunction(&mut self, depth: usize) {
        self.level(depth, &["and"], Self::negation);
    }

    fn negation(&mut self, depth: usize) {
        if depth > 0 && self.random.one_in(8) {
            self.t("not");
            self.negation(depth - 1);
        } else {
            self.comparison(depth);
        }
    }

    fn comparison(&mut self, depth: usize) {
        let Some(inner) = depth.checked_sub(1) else { return self.additive(0) };
        match self.random.below(8) {
            0 | 1 => {
                self.additive(inner);
                let relation = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                self.t(relation);
                self.additive(inner);
            }
            2 => {
                self.additive(inner);
                let words: &[&str] = if self.random.one_in(2) { &["is"] } else { &["is", "not"] };
                words.iter().for_each(|word| self.t(word));
                self.operand(inner);
            }
            3 => {
                self.additive(inner);
                let words: &[&str] = if self.random.one_in(2) { &["in"] } else { &["not", "in"] };
                words.iter().for_each(|word| self.t(word));
                self.operand(inner);
            }
            _ => self.additive(depth),
        }
    }

    pub(super) fn additive(&mut self, depth: usize) {
        self.level(depth, &["+", "-"], Self::multiplicative);
    }

    fn multiplicative(&mut self, depth: usize) {
        self.level(depth, &["*", "div", "mod", "quot", "rem"], Self::operand);
    }

    pub(super) fn operand(&mut self, depth: usize) {
        if depth > 0 && self.random.one_in(6) {
            let prefix = *self.random.pick(&["-", "sync", "co"]);
            self.t(prefix);
            self.operand(depth - 1);
        } else {
            self.postfix(depth);
        }
    }

    fn postfix(&mut self, depth: usize) {
        if self.random.one_in(3) { self.path() } else { self.term(depth) }
    }

    fn term(&mut self, depth: usize) {
        let Some(inner) = depth.checked_sub(1) else { return self.leaf() };
        match self.random.below(12) {
            0..=2 => self.leaf(),
            3 => {
                self.t("(");
                self.expr(inner);
                match self.random.below(4) {
                    0 => {
                        self.t(",");
                        self.comma1(|s| s.expr(inner));
                    }
                    1 => {
                        self.t(":");
                        self.sort(1);
                    }
                    _ => {}
                }
                self.t(")");
            }
            4 | 5 => {
                self.path();
                self.in_brackets("(", ")", |s| s.expr(inner));
            }
            6 => {
                self.postfix(inner);
                self.t("[");
                self.expr(inner);
                if self.random.one_in(2) {
                    self.t(":=");
                    self.expr(inner);
                }
                self.t("]");
            }
            7 => {
                self.term(inner);
                self.dot();
                self.name();
            }
            8 => {
                self.t("[");
                self.t("_");
                self.t("]");
                if self.random.one_in(4) {
                    self.applied_sort(1);
                } else {
                    self.path();
                }
                self.t("(");
                self.expr(inner);
                self.t(")");
            }
            _ if self.braceless => self.leaf(),
            11 => {
                self.postfix(inner);
                self.t("with");
                self.in_brackets("{", "}", |s| {
                    s.name();
                    s.t(":=");
                    s.expr(inner);
                });
            }
            9 => self.in_brackets("{", "}", |s| s.expr(inner)),
            _ => {
                self.t("match");
                self.expr(inner);
                self.in_brackets("{", "}", |s| {
                    s.operand(inner);
                    s.t("=>");
                    s.expr(inner);
                });
            }
        }
    }

    fn leaf(&mut self) {
        match self.random.below(8) {
            0 => self.t("true"),
            1 => self.t("false"),
            2 | 3 => {
                let number = *self.random.pick(NUMBERS);
                self.t(number);
            }
            4 => self.t("_"),
            5 => self.t("tau"),
            6 => {
                self.t("?");
                self.name();
            }
            _ => {
                self.path();
                self.t("(");
                self.t(")");
            }
        }
    }
}
