//! Models that have all the forms of the language, with checks about what they can reach.
//!
//! Their data are mostly finite and few, so that going through all configurations says what is true. Other generators have
//! models in which components meet more often; here it is forms, sorts and properties that are many.

mod ask;
mod data;
mod net;
mod process;
mod runs;

use std::collections::BTreeSet;

use pnetc::diagnostics::Severity;
use pnetc::model::Checked;

use super::{Random, check_text};
use data::{Name, Ty};

/// A model, and the forms that are in it.
#[derive(Clone, Debug)]
pub struct Mixed {
    pub text: String,
    pub forms: BTreeSet<&'static str>,
}

/// A model that checks and elaborates.
pub fn model(random: &mut Random) -> Mixed {
    loop {
        let made = candidate(random);
        if accepted(&made.text).is_some() {
            return made;
        }
    }
}

/// A text as a model; nothing where it has errors.
pub fn accepted(text: &str) -> Option<Checked> {
    let checked = check_text(text);
    let wrong = checked.diagnostics.iter().any(|found| found.severity == Severity::Error);
    let whole = !wrong
        && checked.checks().iter().all(|check| {
            let wanted = pnetc::model::Wanted::Instance(check, &check.nets[0]);
            checked.net(wanted, &Default::default()).is_ok()
        });
    whole.then_some(checked)
}

/// A model that checks and elaborates, and asks the same twice about runs.
pub fn model_of_runs(random: &mut Random) -> Mixed {
    loop {
        let made = made(random, |maker, main| maker.asks_twice(main));
        if accepted(&made.text).is_some() {
            return made;
        }
    }
}

/// A model that often checks and elaborates.
pub fn candidate(random: &mut Random) -> Mixed {
    made(random, |maker, main| maker.check(main))
}

fn made(random: &mut Random, ask: impl FnOnce(&mut Maker<'_>, &net::Main)) -> Mixed {
    let symbolic = random.percent(20);
    let (abstracts, uninterpreted) = (random.percent(12), random.percent(6));
    let mut maker = Maker {
        random,
        symbolic,
        abstracts,
        uninterpreted,
        out: String::new(),
        forms: BTreeSet::new(),
        actions: Vec::new(),
        processes: Vec::new(),
        next: 0,
    };
    maker.declarations();
    for _ in 0..maker.random.between(2, 3) {
        maker.process();
    }
    let main = maker.main();
    ask(&mut maker, &main);
    Mixed { text: maker.out, forms: maker.forms }
}

/// An action with the sorts of its arguments.
#[derive(Clone, Debug)]
struct Action {
    name: &'static str,
    sorts: Vec<Ty>,
}

impl Action {
    fn with(&self, arguments: &[String]) -> String {
        match arguments {
            [] => self.name.to_owned(),
            _ => format!("{}({})", self.name, arguments.join(", ")),
        }
    }
}

#[derive(Clone, Debug)]
struct Process {
    name: String,
    /// Whether it takes a number.
    indexed: bool,
    states: usize,
    variables: Vec<Name>,
    /// The actions that it does.
    offers: Vec<usize>,
}

/// What has been made so far.
struct Maker<'r> {
    random: &'r mut Random,
    /// Whether there is a symbolic constant `K`.
    symbolic: bool,
    /// Whether there is an abstract sort.
    abstracts: bool,
    /// Whether there is a function without a definition.
    uninterpreted: bool,
    out: String,
    forms: BTreeSet<&'static str>,
    actions: Vec<Action>,
    processes: Vec<Process>,
    next: usize,
}

/// What is shown: no process does it, so that priorities can speak of it.
const SHOWN: [&str; 4] = ["k0", "k1", "k2", "k3"];

impl Maker<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    fn has(&mut self, form: &'static str) {
        self.forms.insert(form);
    }

    fn declarations(&mut self) {
        self.line("enum Colour { Red, Green, Blue }");
        self.line("data Msg { Ping, Pkt(seq: 0..3, ok: Bool) }");
        self.line("data Stack { Nil, Push(top: 0..2, below: Stack) }");
        self.line("fun turn(now: Colour): Colour = match now { Red => Green, Green => Blue, Blue => Red };");
        self.line("fun height(s: Stack): Int = match s { Nil => 0, Push(_, below) => 1 + height(below) };");
        self.line("fun clip(x: Int): 0..3 = if x < 0 then 0 else (if x > 2 then 2 else x);");
        if self.symbolic {
            self.has("symbolic constant with axioms");
            let most = self.random.between(1, 2);
            self.line("const K: Int;");
            self.line(&format!("axiom 0 <= K and K <= {most};"));
        }
        if self.abstracts {
            self.has("abstract sort");
            self.line("sort Thing;");
            self.line("const NIHIL: Thing;");
        }
        if self.uninterpreted {
            self.line("fun weight(c: Colour): 0..2;");
            self.line("axiom weight(Red) == 0;");
        }
        for name in ["a", "b", "c", "p", "q", "r"] {
            let count = match name {
                "p" | "q" => 1,
                "r" => 2,
                _ => 0,
            };
            let sorts = (0..count).map(|_| self.ty(false)).collect();
            let action = Action { name, sorts };
            let sorts: Vec<String> = action.sorts.iter().map(Ty::text).collect();
            self.line(&format!("action {};", action.with(&sorts)));
            self.actions.push(action);
        }
        self.line(&format!("action {}, out(Int);", SHOWN.join(", ")));
    }
}
