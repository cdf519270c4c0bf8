//! Nets of every shape.

use super::Syntax;

impl<'r> Syntax<'r> {
    pub(super) fn net(&mut self) {
        self.net_head();
        self.block(|s| match s.random.below(7) {
            0 => s.sub(),
            1..=3 => s.vector(),
            4 | 5 => s.connect(),
            _ => s.priority(),
        });
    }

    pub(super) fn sub(&mut self) {
        self.t("sub");
        self.name();
        if self.random.one_in(3) {
            self.family();
        }
        self.t("=");
        while self.random.one_in(5) {
            self.t("if");
            self.expr(2);
            self.t("then");
            self.instance(1);
            self.t("else");
        }
        self.instance(3);
    }

    pub(super) fn vector(&mut self) {
        if self.random.one_in(6) {
            self.t("step");
            self.name();
            self.t(":");
        }
        self.in_brackets("<", ">", |s| {
            let all = s.random.one_in(6);
            if all {
                s.t("[");
            }
            s.part();
            s.t(":");
            s.operand(2);
            if all {
                s.repeated();
                s.condition();
                s.t("]");
            }
        });
        self.t("->");
        self.operand(2);
        self.guard();
        self.repeat();
    }

    pub(super) fn repeat(&mut self) {
        if self.random.one_in(3) {
            self.repeated();
        }
    }

    /// Of which indices something in brackets is meant.
    pub(super) fn condition(&mut self) {
        if self.random.one_in(3) {
            self.t("when");
            self.expr(2);
        }
    }

    pub(super) fn repeated(&mut self) {
        self.t("for");
        self.comma1(|s| {
            s.name();
            s.t("in");
            s.range(2);
        });
    }

    pub(super) fn part(&mut self) {
        self.name();
        if self.random.one_in(3) {
            self.t("[");
            self.expr(2);
            self.t("]");
        }
    }

    pub(super) fn connect(&mut self) {
        self.t("connect");
        self.name();
        if self.random.one_in(3) {
            self.in_brackets("(", ")", |s| s.expr(2));
        }
        self.t(":");
        if self.random.one_in(4) {
            self.use_of_connector();
        } else {
            self.connectors(2);
            self.guard();
            self.updates();
        }
        if self.random.one_in(4) {
            self.t("unless");
            self.t("<");
            self.part();
            self.t(":");
            self.operand(2);
            self.t(">");
            self.guard();
        }
        self.repeat();
    }

    pub(super) fn connectors(&mut self, depth: usize) {
        for _ in 0..self.random.between(1, 3) {
            if depth > 0 && self.random.one_in(3) {
                self.t("[");
                self.connectors(depth - 1);
                if self.random.one_in(3) {
                    self.repeated();
                    self.condition();
                }
                self.t("]");
            } else {
                self.part();
                self.dot();
                self.name();
                if self.random.one_in(3) {
                    self.in_brackets("(", ")", |s| s.expr(2));
                }
            }
            if self.random.one_in(3) {
                self.t("'");
            }
        }
    }

    pub(super) fn priority(&mut self) {
        self.t("priority");
        if self.random.one_in(4) {
            self.t("maximal");
            return;
        }
        self.orders();
        self.repeat();
    }

    pub(super) fn orders(&mut self) {
        self.comma1(|s| {
            s.ordered();
            for _ in 0..s.random.between(1, 3) {
                s.t("<");
                s.ordered();
            }
        });
        self.guard();
    }

    pub(super) fn ordered(&mut self) {
        match self.random.below(8) {
            0 => self.t("*"),
            1 => self.t("tau"),
            2 => {
                self.name();
                self.in_brackets("(", ")", |s| s.expr(2));
            }
            3 => {
                self.name();
                self.t("[");
                for _ in 0..self.random.between(1, 3) {
                    self.part();
                    self.dot();
                    self.name();
                }
                self.t("]");
            }
            _ => self.name(),
        }
    }

    pub(super) fn instance(&mut self, depth: usize) {
        self.head();
        if depth == 0 {
            return;
        }
        if self.random.one_in(3) {
            self.in_brackets("<", ">", |s| match s.random.below(6) {
                0 => s.applied_sort(2),
                1 => s.range(1),
                _ => s.additive(2),
            });
        }
        if self.random.one_in(2) {
            self.in_brackets("(", ")", |s| {
                if s.random.one_in(2) {
                    s.head();
                    s.t(":");
                }
                s.instance(depth - 1);
            });
        }
    }

    pub(super) fn head(&mut self) {
        self.path();
        if self.random.one_in(6) {
            self.t("[");
            self.expr(2);
            self.t("]");
        }
    }
}
