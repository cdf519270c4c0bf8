//! Architectures of every shape.

use super::Syntax;

impl Syntax<'_> {
    pub(super) fn architecture(&mut self) {
        self.t("architecture");
        self.name();
        self.t("{");
        for _ in 0..self.random.below(4) {
            self.docs();
            self.rule();
        }
        self.t("}");
    }

    fn rule(&mut self) {
        self.t("rule");
        self.name();
        self.names();
        self.block(|s| match s.random.below(10) {
            0 | 1 => {
                s.t("new");
                s.comma1(Self::name);
            }
            2 => {
                s.t("sub");
                s.name();
                s.t("=");
                s.instance(2);
            }
            3..=5 => s.vector(),
            6 => s.connect(),
            7 => s.priority(),
            8 => s.part_of_rule(),
            _ => s.never(),
        });
    }

    fn names(&mut self) {
        self.t("(");
        if self.random.one_in(2) {
            self.comma1(Self::name);
        }
        self.t(")");
    }

    /// A use of a rule; one that is called like the word of a claim is quoted.
    fn part_of_rule(&mut self) {
        let name =
            *self.random.pick(&["Chain", "Tree", "new", "rule", "`never`", "`net`", "größe"]);
        self.t(name);
        self.names();
    }

    fn never(&mut self) {
        self.t("never");
        if self.random.one_in(2) {
            self.name();
            self.t(":");
        }
        self.expr(3);
    }
}
