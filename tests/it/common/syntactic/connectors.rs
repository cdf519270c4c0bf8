//! Definitions of connectors, and uses of them, of every shape.

use super::Syntax;

/// Names of ports: in a definition, more words are no names.
const PORTS: &[&str] = &["p", "q", "port", "shows", "`on`", "`up`", "`down`", "`net`", "größe"];

impl Syntax<'_> {
    pub(super) fn connector(&mut self) {
        self.t("connector");
        self.name();
        self.params();
        self.braceless = true;
        self.in_brackets("(", ")", |s| {
            s.name();
            if s.random.one_in(3) {
                s.family();
            }
            s.t(":");
            s.t("port");
            s.port_data();
        });
        if self.random.one_in(2) {
            self.t("shows");
            self.name();
            self.port_data();
        }
        self.braceless = false;
        self.t("{");
        for _ in 0..self.random.between(1, 4) {
            self.docs();
            if self.random.one_in(2) {
                self.t("on");
            }
            self.joints(2);
            self.moves();
            self.t(";");
        }
        self.t("}");
    }

    fn port_data(&mut self) {
        self.maybe(|s| {
            s.in_brackets("(", ")", |s| {
                if s.random.one_in(3) {
                    s.t("in");
                }
                s.binder();
            })
        });
    }

    fn port_name(&mut self) {
        let name = *self.random.pick(PORTS);
        self.t(name);
    }

    fn joints(&mut self, depth: usize) {
        for _ in 0..self.random.between(1, 4) {
            if depth > 0 && self.random.one_in(3) {
                // Right behind a name it would be an index.
                self.out.push(' ');
                self.t("[");
                self.joints(depth - 1);
                if self.random.one_in(3) {
                    self.t("for");
                    self.port_name();
                    self.t("in");
                    self.t("0");
                    self.t("..");
                    self.t("3");
                    if self.random.one_in(2) {
                        self.t("when");
                        self.t("x != 2");
                    }
                }
                self.t("]");
            } else {
                self.port_name();
                if self.random.one_in(3) {
                    self.glued = true;
                    self.t("[");
                    self.t("2");
                    self.t("]");
                }
            }
            if self.random.one_in(3) {
                self.t("'");
            }
        }
    }

    fn moves(&mut self) {
        if self.random.one_in(3) {
            self.t("when");
            self.t("p.x > a[2] + 1");
        }
        for word in ["up", "down"] {
            if self.random.one_in(2) {
                self.t(word);
                self.comma1(|s| {
                    let many = s.random.one_in(3);
                    if many {
                        s.t("[");
                    }
                    s.port_name();
                    if s.random.one_in(3) {
                        s.t("[");
                        s.t("x");
                        s.t("]");
                    }
                    s.dot();
                    s.port_name();
                    s.t(":=");
                    s.t("f(p.up, -3)");
                    if many {
                        s.t("for");
                        s.port_name();
                        s.t("in");
                        s.t("1");
                        s.t("..");
                        s.t("x");
                    }
                    if many {
                        s.t("]");
                    }
                });
            }
        }
    }

    /// `Max<3>(A.out, [S[i].hear for i in 0..3])`
    pub(super) fn use_of_connector(&mut self) {
        self.name();
        if self.random.one_in(2) {
            self.in_brackets("<", ">", |s| s.t("3"));
        }
        self.in_brackets("(", ")", |s| {
            if s.random.one_in(3) {
                s.t("[");
                s.connectors(1);
                s.t("]");
            } else {
                s.part();
                s.dot();
                s.name();
            }
        });
    }
}
