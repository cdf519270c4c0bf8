//! Programs that check without errors and without warnings, of about as many lines as are asked for.
//!
//! A program is a row of clusters: some data, some actions, processes that use them, interfaces, nets that compose
//! the processes, and checks. Global names have numbers, so that nothing clashes and nothing is shadowed. The
//! generator keeps books on what the checker looks at: what is read, what each component offers, which holes it
//! has and which leaves.

mod check;
mod cluster;
mod component;
mod data;
mod expr;
mod net;
mod process;
mod text;

use super::Random;
use component::Component;
use data::{Const, Data, Fun};

/// A program of about `lines` lines that checks without errors and warnings.
pub fn valid_program(random: &mut Random, lines: usize) -> String {
    let mut world = World::new(random);
    world.header();
    while world.lines < lines {
        let left = lines - world.lines;
        world.cluster(left);
    }
    world.out
}

/// What has been declared so far.
struct World<'r> {
    random: &'r mut Random,
    out: String,
    lines: usize,
    /// For names that nobody else has.
    next: usize,
    /// The abstract sorts, each with a symbolic constant and an uninterpreted function to `Int`.
    sorts: Vec<AbstractSort>,
    datas: Vec<Data>,
    funs: Vec<Fun>,
    consts: Vec<Const>,
    /// All actions of the cluster that is being made.
    actions: Vec<Action>,
    components: Vec<Component>,
    interfaces: Vec<Interface>,
    /// Keywords that no action is called by yet.
    keywords: Vec<&'static str>,
    /// What was imported.
    has_lotos: bool,
    has_ccs: bool,
    /// Whether something of the library was used.
    library_used: bool,
    /// How many fillings are being made, one in another.
    fill_depth: usize,
    /// Whether names are those of leaves.
    in_property: bool,
}

struct AbstractSort {
    name: String,
    constant: String,
    measure: String,
}

/// An action of a cluster.
#[derive(Clone)]
struct Action {
    name: String,
    sorts: Vec<data::Ty>,
    used: bool,
}

struct Interface {
    name: String,
    /// Of the cluster's actions.
    actions: Vec<usize>,
}

impl<'r> World<'r> {
    fn new(random: &'r mut Random) -> World<'r> {
        World {
            random,
            out: String::new(),
            lines: 0,
            next: 0,
            sorts: Vec::new(),
            datas: Vec::new(),
            funs: Vec::new(),
            consts: Vec::new(),
            actions: Vec::new(),
            components: Vec::new(),
            interfaces: Vec::new(),
            keywords: vec!["in", "state", "do", "match", "any", "import", "when", "check", "final"],
            has_lotos: false,
            has_ccs: false,
            library_used: false,
            fill_depth: 0,
            in_property: false,
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
        self.lines += 1 + text.matches('\n').count();
    }

    /// Which actions are used, to go back to when a text is not kept.
    fn used(&self) -> Vec<bool> {
        self.actions.iter().map(|action| action.used).collect()
    }

    fn forget_uses(&mut self, used: &[bool]) {
        for (action, &used) in self.actions.iter_mut().zip(used) {
            action.used = used;
        }
    }

    /// A name with a number that no other name has.
    fn fresh(&mut self, stems: &[&str]) -> String {
        let stem = *self.random.pick(stems);
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    fn header(&mut self) {
        if self.random.percent(70) {
            self.line("/// A model that a generator made.");
            self.line("module generated.model;");
            self.line("");
        }
        self.has_lotos = self.random.percent(50);
        self.has_ccs = self.random.percent(50);
        if self.has_lotos {
            self.line("import std.lotos;");
        }
        if self.has_ccs {
            self.line("import std.ccs as ccs;");
        }
        if self.random.percent(40) {
            self.buffers();
        }
    }

    /// Buffers of the library, imported by their names.
    fn buffers(&mut self) {
        self.line("import std.buffers (OnePlace, Fifo, put, get);");
        self.line("");
        let name = self.fresh(&["Pipe", "Kanal"]);
        self.line(&format!("net {name}(Source: any, Sink: any) {{"));
        self.line("    sub B = Fifo<4>;");
        self.line("    sub C = OnePlace;");
        self.line("");
        self.line("    <Source: put(x), B: put(x)> -> put(x);");
        self.line("    <B: get(x), C: put(x)>      -> tau;");
        self.line("    <C: get(x), Sink: get(x)>   -> get(x);");
        self.line("}");
        self.line("");
        self.line(&format!("check nonblocking({name}(Source: OnePlace));"));
    }
}
