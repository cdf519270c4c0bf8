//! Programs that parse and mean nothing: every shape of the grammar, with names, white space, comments and
//! superfluous parentheses as they come. One function for each rule of `grammar/pnet.lalrpop`.

mod connectors;
mod expr;
mod formula;
mod nets;
mod rules;
mod words;

use super::Random;
use words::{CHECKS, COMMENTS, DOCS, GLUED, NAMES, QUOTED, WHITE};

/// A whole program.
pub fn program(random: &mut Random) -> String {
    let mut syntax = Syntax::new(random);
    let count = syntax.random.between(1, 10);
    if syntax.random.one_in(2) {
        syntax.docs();
        syntax.module();
    }
    for _ in 0..count {
        syntax.docs();
        syntax.item();
    }
    if syntax.random.one_in(3) {
        let end = *syntax.random.pick(&["\n", "// the end", "/* the end */\n", "\t \r\n"]);
        syntax.out.push_str(end);
    }
    syntax.out
}

/// One expression.
pub fn expression(random: &mut Random) -> String {
    let mut syntax = Syntax::new(random);
    syntax.expr(5);
    syntax.out
}

struct Syntax<'r> {
    random: &'r mut Random,
    out: String,
    /// One gap in so many has a comment.
    comments: usize,
    /// Whether the next token must follow without a gap.
    glued: bool,
    /// Whether braces must be kept out: a block's `{` is found without parsing.
    braceless: bool,
}

type Rule<'r> = fn(&mut Syntax<'r>, usize);

impl<'r> Syntax<'r> {
    fn new(random: &'r mut Random) -> Syntax<'r> {
        let comments = [5, 30, 200, usize::MAX][random.below(4)];
        Syntax { random, out: String::new(), comments, glued: false, braceless: false }
    }

    // ---- tokens and the gaps between them ----

    fn t(&mut self, token: &str) {
        let (before, after) = (self.out.chars().next_back(), token.chars().next());
        if let (false, Some(before), Some(after)) = (self.glued, before, after) {
            let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '`') || !c.is_ascii();
            let pair: String = [before, after].into_iter().collect();
            let needed = word(before) && word(after) || GLUED.contains(&pair.as_str());
            self.gap(needed);
        }
        self.glued = false;
        self.out.push_str(token);
    }

    fn gap(&mut self, needed: bool) {
        if self.random.one_in(self.comments) {
            let comment = *self.random.pick(COMMENTS);
            self.out.push_str(comment);
        } else if needed || self.random.one_in(2) {
            let white = *self.random.pick(WHITE);
            self.out.push_str(white);
        }
    }

    /// The dot of a path or a selector.
    fn dot(&mut self) {
        self.out.push('.');
        self.glued = true;
    }

    /// The dot after the variables of a quantifier.
    fn spaced_dot(&mut self) {
        let dot = *self.random.pick(&[" . ", " .", ". ", "\n.", ".\n"]);
        self.out.push_str(dot);
        self.glued = true;
    }

    fn docs(&mut self) {
        if self.random.one_in(3) {
            for _ in 0..self.random.between(1, 3) {
                let white = *self.random.pick(&["", " ", "\n"]);
                let doc = *self.random.pick(DOCS);
                self.out.push_str(white);
                self.out.push_str(doc);
            }
        }
    }

    fn maybe(&mut self, rule: impl FnOnce(&mut Self)) {
        if self.random.one_in(2) {
            rule(self);
        }
    }

    fn any(&mut self, depth: usize, rules: &[Rule<'r>]) {
        let rule = self.random.below(rules.len());
        rules[rule](self, depth);
    }

    /// Up to three, or none, with commas between them and sometimes after the last.
    fn comma(&mut self, rule: impl FnMut(&mut Self)) {
        if !self.random.one_in(5) {
            self.comma1(rule);
            self.maybe_trailing();
        }
    }

    fn maybe_trailing(&mut self) {
        if self.random.one_in(6) {
            self.t(",");
        }
    }

    /// At least one, with commas between them.
    fn comma1(&mut self, mut rule: impl FnMut(&mut Self)) {
        rule(self);
        for _ in 0..self.random.below(3) {
            self.t(",");
            rule(self);
        }
    }

    fn in_brackets(&mut self, open: &str, close: &str, rule: impl FnMut(&mut Self)) {
        self.t(open);
        self.comma(rule);
        self.t(close);
    }

    // ---- names ----

    fn name(&mut self) {
        let from = if self.random.one_in(8) { QUOTED } else { NAMES };
        let name = *self.random.pick(from);
        if self.random.one_in(10) && !name.starts_with('`') {
            let name = format!("{name}{}", self.random.below(100));
            self.t(&name);
        } else {
            self.t(name);
        }
    }

    fn path(&mut self) {
        self.name();
        while self.random.one_in(5) {
            self.dot();
            self.name();
        }
    }

    // ---- items ----

    fn module(&mut self) {
        self.t("module");
        self.path();
        self.t(";");
    }

    fn item(&mut self) {
        let rules: &[fn(&mut Self)] = &[
            Self::import,
            Self::sorts,
            Self::data,
            Self::fun,
            Self::axiom,
            Self::constant,
            Self::actions,
            Self::interface,
            Self::process,
            Self::process,
            Self::net,
            Self::net,
            Self::alias,
            Self::check,
            Self::property,
            Self::relation,
            Self::scenario,
            Self::invariant,
            Self::reduction,
            Self::architecture,
            Self::connector,
        ];
        let rule = self.random.below(rules.len());
        rules[rule](self);
    }

    fn import(&mut self) {
        self.t("import");
        if self.random.one_in(2) {
            self.path();
        } else {
            let file =
                *self.random.pick(&["\"./timer.pnet\"", "\"\"", "\"../a b/ö.pnet\"", "\"\\\""]);
            self.t(file);
        }
        match self.random.below(3) {
            0 => {}
            1 => {
                self.t("as");
                self.name();
            }
            _ => self.in_brackets("(", ")", Self::name),
        }
        self.t(";");
    }

    fn sorts(&mut self) {
        self.t("sort");
        self.comma1(Self::name);
        self.t(";");
    }

    fn data(&mut self) {
        let is_enum = self.random.one_in(2);
        self.t(if is_enum { "enum" } else { "data" });
        self.name();
        if !is_enum {
            self.sort_names();
        }
        self.in_brackets("{", "}", |s| {
            s.name();
            if !is_enum {
                s.maybe(|s| s.in_brackets("(", ")", Self::binder));
            }
        });
    }

    /// `<A, B>`
    fn sort_names(&mut self) {
        if self.random.one_in(3) {
            self.t("<");
            self.comma1(Self::name);
            self.t(">");
        }
    }

    fn fun(&mut self) {
        self.t("fun");
        self.name();
        self.sort_names();
        self.in_brackets("(", ")", Self::binder);
        self.t(":");
        self.sort(2);
        match self.random.below(4) {
            0 => {
                self.t("decreases");
                self.additive(2);
                self.value();
            }
            1 => {
                self.t("decreases");
                self.t("(");
                self.expr(2);
                self.t(",");
                self.expr(2);
                self.t(")");
                self.value();
            }
            _ => self.maybe(Self::value),
        }
        self.t(";");
    }

    fn value(&mut self) {
        self.t("=");
        self.expr(4);
    }

    fn axiom(&mut self) {
        self.t("axiom");
        self.expr(5);
        self.t(";");
    }

    fn constant(&mut self) {
        self.t("const");
        self.binder();
        self.maybe(Self::value);
        self.t(";");
    }

    fn actions(&mut self) {
        self.t("action");
        self.comma1(Self::signature);
        self.t(";");
    }

    fn interface(&mut self) {
        self.t("interface");
        self.name();
        self.in_brackets("{", "}", Self::signature);
    }

    fn binder(&mut self) {
        self.name();
        self.t(":");
        self.sort(2);
    }

    fn signature(&mut self) {
        self.name();
        self.maybe(|s| s.in_brackets("(", ")", |s| s.sort(2)));
    }

    fn params(&mut self) {
        if self.random.one_in(2) {
            self.braceless = true;
            self.in_brackets("<", ">", Self::param);
            self.braceless = false;
        }
    }

    fn param(&mut self) {
        match self.random.below(4) {
            0 => {
                self.name();
                self.t(":");
                self.t("sort");
            }
            1 => {
                self.name();
                self.t(":");
                self.t("Action");
                self.in_brackets("(", ")", |s| s.sort(1));
            }
            _ => self.binder(),
        }
    }

    fn holes(&mut self) {
        if self.random.one_in(2) {
            self.in_brackets("(", ")", Self::hole);
        }
    }

    fn hole(&mut self) {
        self.name();
        if self.random.one_in(3) {
            self.family();
        }
        self.t(":");
        if self.random.one_in(2) {
            self.t("any");
        } else {
            self.path();
        }
    }

    /// `[i: 0..n]`
    fn family(&mut self) {
        self.t("[");
        self.name();
        self.t(":");
        self.range(2);
        self.t("]");
    }

    fn net_head(&mut self) {
        self.t("net");
        self.name();
        self.params();
        self.holes();
    }

    fn alias(&mut self) {
        self.net_head();
        self.t("=");
        self.instance(3);
        self.t(";");
    }

    fn check(&mut self) {
        self.t("check");
        if self.random.one_in(3) {
            self.t("not");
        }
        if self.random.one_in(5) {
            self.holds();
        } else if self.random.one_in(3) {
            let kind =
                *self.random.pick(&["always", "reaches", "live", "mutex", "at_most", "never"]);
            self.t(kind);
            self.t("(");
            self.instance(2);
            self.t(",");
            if kind == "at_most" {
                self.expr(2);
                self.t(",");
            }
            self.expr(4);
            self.t(")");
            self.proof();
        } else {
            let kind = *self.random.pick(CHECKS);
            self.t(kind);
            self.in_brackets("(", ")", |s| s.instance(3));
            self.clauses();
        }
        self.t(";");
    }

    fn clauses(&mut self) {
        if self.random.one_in(3) {
            self.t("==");
            self.t("(");
            self.expr(2);
            self.t(",");
            self.expr(2);
            self.t(")");
        }
        self.proof();
    }

    fn proof(&mut self) {
        if self.random.one_in(3) {
            self.t("by");
            self.path();
        }
        if self.random.one_in(3) {
            self.t("tracking");
            self.in_brackets("{", "}", Self::name);
        }
    }

    fn relation(&mut self) {
        self.t("relation");
        self.name();
        self.in_brackets("(", ")", |s| s.instance(2));
        self.block(|s| {
            s.t("(");
            s.net_state();
            s.t(",");
            s.net_state();
            s.t(")");
            s.guard();
        });
    }

    fn scenario(&mut self) {
        self.t("scenario");
        if self.random.one_in(3) {
            self.t("not");
        }
        if self.random.one_in(2) {
            self.name();
        } else {
            let text = *self.random.pick(&["\"a run\"", "\"\"", "\"of { x; }\"", "\"größe\""]);
            self.t(text);
        }
        self.t("of");
        self.instance(2);
        self.block(|s| match s.random.below(6) {
            0 => s.t(".."),
            1 => {
                s.t("[");
                s.expr(3);
                s.t("]");
            }
            2 => {
                let silent = *s.random.pick(&["tau", "_"]);
                s.t(silent);
            }
            3 => {
                let around = *s.random.pick(&["sync", "co"]);
                s.t(around);
                s.path();
            }
            _ => {
                s.path();
                s.maybe(|s| s.in_brackets("(", ")", |s| s.expr(2)));
            }
        });
    }

    fn invariant(&mut self) {
        self.t("invariant");
        self.name();
        self.t("of");
        self.instance(2);
        self.block(|s| {
            // `--x` would start a comment of another language here.
            if s.random.one_in(2) {
                s.path();
                s.t("=>");
                s.expr(3);
            } else {
                s.t("(");
                s.expr(3);
                s.t(")");
            }
        });
    }

    fn reduction(&mut self) {
        self.t("reduction");
        self.name();
        self.t("of");
        self.instance(2);
        self.block(|s| {
            let word = *s.random.pick(&["restrict", "leaf", "compose", "root", "anything"]);
            s.t(word);
            s.part_path();
            while s.random.one_in(3) {
                s.t(",");
                s.part_path();
            }
            if s.random.one_in(3) {
                s.t("by");
                s.part_path();
            }
            s.maybe(|s| s.t("first"));
        });
    }

    /// `Agent[n + 1]`; words that mean something elsewhere are none.
    fn part_path(&mut self) {
        let name = *self.random.pick(&["Agent", "Directory", "`net`", "größe"]);
        self.t(name);
        self.maybe(|s| {
            s.t("[");
            s.expr(2);
            s.t("]");
        });
    }

    /// `Row[2].Cell`
    pub(super) fn member_path(&mut self) {
        for at in 0..self.random.between(1, 3) {
            if at > 0 {
                self.dot();
            }
            self.name();
            self.maybe(|s| {
                s.t("[");
                s.expr(1);
                s.t("]");
            });
        }
    }

    fn net_state(&mut self) {
        if self.random.one_in(5) {
            self.t("-");
        } else {
            self.path();
        }
    }

    fn block(&mut self, statement: fn(&mut Self)) {
        self.t("{");
        for _ in 0..self.random.below(7) {
            self.docs();
            statement(self);
            self.t(";");
        }
        self.t("}");
    }

    // ---- processes ----

    fn process(&mut self) {
        self.t("process");
        self.name();
        if self.random.one_in(6) {
            return self.system();
        }
        self.params();
        self.block(|s| match s.random.below(9) {
            8 => {
                s.t("priority");
                s.orders();
            }
            0 | 1 => {
                s.t("var");
                s.binder();
                s.maybe(Self::value);
            }
            2 | 3 => s.states(),
            _ => s.transition(),
        });
    }

    fn system(&mut self) {
        self.t("=");
        self.t("lts");
        let file = *self.random.pick(&["\"medium.aut\"", "\"\"", "\"../a b/ö.aut\""]);
        self.t(file);
        if self.random.one_in(2) {
            self.t("tau");
            let name = *self.random.pick(&["\"i\"", "\"tau\"", "\"\""]);
            self.t(name);
        }
        self.t(";");
    }

    fn states(&mut self) {
        let marks: &[&[&str]] =
            &[&[], &["init"], &["final"], &["init", "final"], &["final", "init"]];
        for mark in *self.random.pick(marks) {
            self.t(mark);
        }
        self.t("state");
        self.comma1(Self::name);
    }

    fn transition(&mut self) {
        self.name();
        self.t("->");
        self.name();
        self.t(":");
        self.operand(3);
        self.guard();
        self.maybe(|s| {
            s.t("assert");
            s.expr(2);
        });
        self.changes();
    }

    fn guard(&mut self) {
        if self.random.one_in(2) {
            self.t("when");
            self.expr(4);
        }
    }

    /// What a transition changes.
    fn changes(&mut self) {
        match self.random.below(4) {
            0 | 1 => {}
            2 => {
                self.t("do");
                self.comma1(Self::change);
            }
            _ => {
                self.t("do");
                self.t("{");
                self.change();
                while self.random.one_in(2) {
                    self.t(";");
                    self.change();
                }
                self.maybe(|s| s.t(";"));
                self.t("}");
            }
        }
    }

    fn change(&mut self) {
        self.name();
        while self.random.one_in(4) {
            if self.random.one_in(2) {
                self.t("[");
                self.expr(2);
                self.t("]");
            } else {
                self.dot();
                self.name();
            }
        }
        let sign = *self.random.pick(&[":=", ":=", "+=", "-="]);
        self.t(sign);
        self.expr(3);
    }

    fn updates(&mut self) {
        if self.random.one_in(2) {
            self.t("do");
            self.comma1(|s| {
                s.name();
                s.t(":=");
                s.expr(3);
            });
        }
    }
}
