//! Small models in which something happens, for comparing what nets do.
//!
//! Processes draw their actions from a small pool, and vectors are made of what the parts offer, so that members
//! often meet. Data is finite, or kept small by guards. (The programs of `valid` are made to have everything that
//! the language has; what they do is of no concern there.)

mod data;
mod net;
mod process;
mod vector;

use pnetc::diagnostics::Severity;
use pnetc::elaborate::ElaborateOptions;
use pnetc::pnet::PNet;
use std::sync::Arc;

use super::{Random, check_text};
use data::{Action, Ty};

/// What a model may have.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Whether the net has holes.
    pub holes: bool,
    /// Integers without bounds.
    pub ints: bool,
    /// Priorities, maximal progress and `unless`.
    pub priorities: bool,
    pub families: bool,
    pub connectors: bool,
    /// Symbolic constants.
    pub constants: bool,
    /// Enumerations and datatypes.
    pub data: bool,
    /// How deep nets are in nets.
    pub depth: usize,
}

impl Shape {
    /// Everything, without holes.
    pub fn closed() -> Shape {
        Shape {
            holes: false,
            ints: true,
            priorities: true,
            families: true,
            connectors: true,
            constants: true,
            data: true,
            depth: 3,
        }
    }

    /// Everything.
    pub fn open() -> Shape {
        Shape { holes: true, ..Shape::closed() }
    }
}

/// A model that checks and elaborates; its last net is the one to build.
pub fn model(random: &mut Random, shape: Shape) -> String {
    loop {
        let text = candidate(random, shape);
        if accepted(&text).is_ok() {
            return text;
        }
    }
}

/// The last net of a text, or why there is none.
pub fn accepted(text: &str) -> Result<Arc<PNet>, String> {
    let checked = check_text(text);
    if let Some(error) = checked.diagnostics.iter().find(|found| found.severity == Severity::Error)
    {
        return Err(super::models::in_short(&checked, error));
    }
    checked.build(None, &ElaborateOptions::default()).map_err(|failure| format!("{failure:?}"))
}

/// A model that most probably checks and elaborates.
pub fn candidate(random: &mut Random, shape: Shape) -> String {
    let mut maker = Maker::new(random, shape);
    maker.declarations();
    let depth = 1 + maker.random.below(shape.depth.max(1));
    for _ in 0..maker.random.between(2, 3) {
        maker.process();
    }
    maker.net(depth, true);
    maker.out
}

/// Declarations, and two models over them, which most probably check and elaborate.
pub fn two_candidates(random: &mut Random, shape: Shape) -> [String; 3] {
    let mut maker = Maker::new(random, shape);
    maker.declarations();
    let head = std::mem::take(&mut maker.out);
    let mut models = [(); 2].map(|()| {
        maker.processes.clear();
        maker.leaves = 0;
        let depth = 1 + maker.random.below(shape.depth.max(1));
        for _ in 0..maker.random.between(1, 2) {
            maker.process();
        }
        maker.net(depth, true);
        std::mem::take(&mut maker.out)
    });
    [head, std::mem::take(&mut models[0]), std::mem::take(&mut models[1])]
}

/// What has been made so far.
struct Maker<'r> {
    random: &'r mut Random,
    shape: Shape,
    out: String,
    actions: Vec<Action>,
    /// Interfaces with their actions.
    interfaces: Vec<(String, Vec<usize>)>,
    processes: Vec<Component>,
    /// For names that nobody else has.
    next: usize,
    /// How many leaves there are.
    leaves: usize,
    /// Whether there is a constant `LIMIT` without a value.
    has_limit: bool,
}

/// A process or net.
#[derive(Clone, Debug)]
struct Component {
    name: String,
    /// Whether it takes a number.
    indexed: bool,
    offers: Vec<Offer>,
    /// Whether it has holes.
    open: bool,
}

/// What stands around an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrap {
    Plain,
    Sync,
    Co,
}

/// Something that a component may show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Offer {
    Tau,
    Act(Wrap, usize),
}

impl<'r> Maker<'r> {
    fn new(random: &'r mut Random, shape: Shape) -> Maker<'r> {
        Maker {
            random,
            shape,
            out: String::new(),
            actions: Vec::new(),
            interfaces: Vec::new(),
            processes: Vec::new(),
            next: 0,
            leaves: 0,
            has_limit: false,
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    /// Sorts, constants, actions, interfaces.
    fn declarations(&mut self) {
        self.line("enum Colour { Red, Green, Blue }");
        self.line("data Msg { Ping, Pkt(seq: 0..3, ok: Bool) }");
        self.line("fun turn(now: Colour): Colour = match now { Red => Green, Green => Blue, Blue => Red };");
        self.has_limit = self.shape.constants && self.random.percent(25);
        if self.has_limit {
            self.line("const LIMIT: Int;");
        }
        for (place, name) in ["a", "b", "c", "d", "e", "f"].into_iter().enumerate() {
            let count = match place {
                0 | 1 => 0,
                2 | 3 => 1,
                _ => self.random.between(0, 2),
            };
            let sorts: Vec<Ty> = (0..count).map(|_| self.ty()).collect();
            self.declare(name, sorts);
        }
        // The same name with another number of arguments is another action.
        if self.random.percent(25) {
            let ty = self.ty();
            self.declare("a", vec![ty]);
        }
        for _ in 0..self.random.below(3) {
            let name = self.fresh("I");
            let mut inside: Vec<usize> = (0..self.actions.len()).collect();
            self.random.shuffle(&mut inside);
            inside.truncate(self.random.between(2, 4));
            let texts: Vec<String> = inside.iter().map(|&at| self.actions[at].declared()).collect();
            self.line(&format!("interface {name} {{ {} }}", texts.join(", ")));
            self.interfaces.push((name, inside));
        }
    }

    fn declare(&mut self, name: &'static str, sorts: Vec<Ty>) {
        let action = Action { name, sorts };
        self.line(&format!("action {};", action.declared()));
        self.actions.push(action);
    }
}
