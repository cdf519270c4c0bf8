//! Nets made by hand.

use num_bigint::BigInt;
use pnetc::algebra::*;
use pnetc::base::{Id, IndexVec};
use pnetc::diagnostics::{Span, Symbol};
use pnetc::pnet::*;

/// Makes a net piece by piece.
pub struct Maker {
    pub net: PNet,
    origin: OriginId,
}

impl Maker {
    pub fn new(name: &str) -> Maker {
        let mut origins = Origins::default();
        let origin = origins.add(Span::new(0, 0), None);
        let net = PNet {
            name: Symbol::new(name),
            algebra: Algebra::default(),
            terms: Terms::default(),
            plts: IndexVec::default(),
            nodes: IndexVec::default(),
            holes: IndexVec::default(),
            root: Content::Node(NodeId(0)),
            origins,
            premises: Default::default(),
            granted: Default::default(),
        };
        Maker { net, origin }
    }

    pub fn action(&mut self, name: &str, sorts: &[Sort]) -> ActionId {
        let name = Symbol::new(name);
        let known = |it: &Signature| it.name == name && it.sorts.len() == sorts.len();
        if let Some(at) = self.net.algebra.actions.iter().position(known) {
            return ActionId(at as u32);
        }
        self.net.algebra.actions.push(Signature { name, sorts: sorts.to_vec() });
        ActionId(self.net.algebra.actions.len() as u32 - 1)
    }

    /// An action with arguments; they are integers or truth values by what they are.
    pub fn act(&mut self, name: &str, args: &[TermId]) -> TermId {
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.sort_of(arg)).collect();
        let id = self.action(name, &sorts);
        self.net.terms.raw(Term::Act(id, args.into()))
    }

    fn sort_of(&self, id: TermId) -> Sort {
        match self.net.terms.get(id) {
            Term::Bool(_) => Sort::Bool,
            Term::Var(var) => self.net.sort_of(*var).clone(),
            _ => Sort::Int,
        }
    }

    /// An action with one truth value.
    pub fn flag(&mut self, name: &str, value: bool) -> TermId {
        let value = self.net.terms.bool(value);
        self.act(name, &[value])
    }

    pub fn var(&mut self, name: &str, sort: Sort, kind: VariableKind) -> (VarId, TermId) {
        let var = self.net.terms.new_var(Symbol::new(name), sort, kind);
        (var, self.net.terms.var_term(var))
    }

    pub fn yes(&mut self) -> TermId {
        self.net.terms.bool(true)
    }

    pub fn constant(&mut self, name: &str) -> TermId {
        self.net.algebra.constants.push(Constant {
            name: Symbol::new(name),
            sort: Sort::Int,
            value: None,
        });
        self.net.terms.raw(Term::Const(ConstId(self.net.algebra.constants.len() as u32 - 1)))
    }

    pub fn leaf(&mut self, name: &str, states: &[&str]) -> PltsId {
        let state = |name: &&str| match name.strip_prefix('*') {
            Some(name) => State { name: Symbol::new(name), is_final: true, text: Span::default() },
            None => State { name: Symbol::new(name), is_final: false, text: Span::default() },
        };
        self.net.plts.push(Plts {
            name: Symbol::new(name),
            states: states.iter().map(state).collect(),
            initial: PltsStateId(0),
            variables: Vec::new(),
            variable_texts: Vec::new(),
            transitions: IndexVec::default(),
            origin: self.origin,
        })
    }

    pub fn plts(&mut self, id: PltsId) -> &mut Plts {
        &mut self.net.plts[id]
    }

    /// A transition that asks for nothing and changes nothing.
    pub fn go(&mut self, leaf: PltsId, ends: (usize, usize), action: TermId) -> &mut Transition {
        let guard = self.yes();
        let (source, target) = (PltsStateId::at(ends.0), PltsStateId::at(ends.1));
        let origin = self.origin;
        let made = Transition {
            source,
            target,
            action,
            inputs: vec![],
            guard,
            conditions: IndexVec::default(),
            owes: IndexVec::default(),
            updates: vec![],
            action_text: Span::default(),
            origin,
        };
        let plts = self.plts(leaf);
        plts.transitions.push(made);
        plts.transitions.last_mut().unwrap()
    }

    pub fn hole(&mut self, path: &str, sort: HoleSort) -> Content {
        let hole = Hole { path: path.to_owned(), sort, origin: self.origin };
        Content::Hole(self.net.holes.push(hole))
    }

    pub fn node(&mut self, name: &str, parts: &[(&str, Option<usize>, Content)]) -> NodeId {
        let part = |(name, index, content): &(&str, Option<usize>, Content)| Part {
            name: PartName { name: Symbol::new(name), index: index.map(BigInt::from) },
            content: *content,
        };
        self.net.nodes.push(Composite {
            name: Symbol::new(name),
            parts: parts.iter().map(part).collect(),
            vectors: IndexVec::default(),
            origin: self.origin,
        })
    }

    pub fn vector(
        &mut self,
        node: NodeId,
        members: &[(usize, TermId)],
        result: TermId,
        guard: Option<TermId>,
    ) -> &mut Vector {
        let guard = guard.unwrap_or_else(|| self.yes());
        let members = members
            .iter()
            .map(|&(part, action)| Member { part: PartId::at(part), action, text: Span::default() })
            .collect();
        let origin = self.origin;
        let vectors = &mut self.net.nodes[node].vectors;
        vectors.push(Vector {
            members,
            result,
            guard,
            conditions: IndexVec::default(),
            owes: IndexVec::default(),
            variables: vec![],
            rivals: IndexVec::default(),
            optional: vec![],
            maximal: None,
            origin,
        });
        vectors.last_mut().unwrap()
    }
}

fn control(make: &mut Maker) -> PltsId {
    let control = make.leaf("Control", &["s0", "s1", "s2"]);
    let [fail, no_fail] = [true, false].map(|value| make.flag("fail", value));
    let [resume, no_resume] = [true, false].map(|value| make.flag("resume", value));
    let (ask, reset) = (make.act("ask", &[]), make.act("reset", &[]));
    make.go(control, (0, 1), fail);
    make.go(control, (1, 0), resume);
    for state in 0..3 {
        make.go(control, (state, state), no_fail);
        make.go(control, (state, state), no_resume);
        make.go(control, (state, 0), reset);
    }
    make.go(control, (1, 2), ask);
    control
}

fn timer(make: &mut Maker, max: TermId) -> PltsId {
    let timer = make.leaf("Timer", &["t0", "t1"]);
    let (var, t) = make.var("t", Sort::Int, VariableKind::State);
    let (zero, one) = (make.net.terms.int(0), make.net.terms.int(1));
    make.plts(timer).variables.push((var, Some(zero)));
    let [start, no_start] = [true, false].map(|value| make.flag("start", value));
    let [cancel, no_cancel] = [true, false].map(|value| make.flag("cancel", value));
    let (tick, timeout) = (make.act("tick", &[]), make.act("timeout", &[]));
    make.go(timer, (0, 1), start).updates.push((var, zero));
    make.go(timer, (0, 0), no_start);
    make.go(timer, (1, 1), no_start);
    make.go(timer, (0, 0), cancel);
    make.go(timer, (1, 0), cancel);
    make.go(timer, (0, 0), no_cancel);
    let (running, next) = (make.net.terms.less(t, max), make.net.terms.add([t, one]));
    let over = make.net.terms.equal(t, max);
    let ticks = make.go(timer, (1, 1), tick);
    (ticks.guard, ticks.updates) = (running, vec![(var, next)]);
    make.go(timer, (1, 0), timeout).guard = over;
    timer
}

/// The model of models.md, with a priority of `ask` over `tick`.
pub fn failure_monitor() -> PNet {
    let mut make = Maker::new("FailureMonitor");
    let max = make.constant("Max");
    let operand = ["fail", "resume"].map(|name| make.action(name, &[Sort::Bool]));
    let hole = make.hole("B", HoleSort::Actions(operand.to_vec()));
    let (control, timer) = (control(&mut make), timer(&mut make, max));
    let parts =
        [("B", None, hole), ("C", None, Content::Leaf(control)), ("T", None, Content::Leaf(timer))];
    let node = make.node("Monitor", &parts);
    for (first, second) in [("fail", "start"), ("resume", "cancel")] {
        let [b0, b1, b2] =
            ["b0", "b1", "b2"].map(|name| make.var(name, Sort::Bool, VariableKind::Vector).1);
        let same = make.net.terms.equal(b1, b2);
        let some = make.net.terms.or([b1, b2]);
        let only = make.net.terms.implies(some, b0);
        let guard = make.net.terms.and([same, only]);
        let members = [
            (0, make.act(first, &[b0])),
            (1, make.act(first, &[b1])),
            (2, make.act(second, &[b2])),
        ];
        make.vector(node, &members, members[0].1, Some(guard));
    }
    let [tick, ask, timeout, reset] =
        ["tick", "ask", "timeout", "reset"].map(|name| make.act(name, &[]));
    let cancel = make.flag("cancel", true);
    let guard = make.yes();
    let members = Members::from_iter([
        Member { part: PartId(1), action: ask, text: Span::default() },
        Member { part: PartId(2), action: timeout, text: Span::default() },
    ]);
    make.vector(node, &[(2, tick)], tick, None).rivals.push(Rival {
        members,
        guard,
        variables: vec![],
        text: Default::default(),
    });
    make.vector(node, &[(1, ask), (2, timeout)], ask, None);
    make.vector(node, &[(1, reset), (2, cancel)], reset, None);
    make.net
}

fn enable(make: &mut Maker, left: Content, right: Content) -> NodeId {
    let data = Sort::Abstract(AbstractId(0));
    let control = make.leaf("CState", &["left", "right"]);
    let [l, delta, r] = ["l", "delta", "r"].map(|name| make.act(name, &[]));
    make.go(control, (0, 0), l);
    make.go(control, (0, 1), delta);
    make.go(control, (1, 1), r);
    let parts = [("P", None, left), ("Q", None, right), ("C", None, Content::Leaf(control))];
    let node = make.node("Enable", &parts);
    let (_, a) = make.var("a", Sort::Action, VariableKind::Vector);
    let (_, x) = make.var("x", data.clone(), VariableKind::Vector);
    let exit = make.action("delta", &[data]);
    let is_exit = make.net.terms.is_act(exit, a);
    let guard = make.net.terms.not(is_exit);
    make.vector(node, &[(0, a), (2, l)], a, Some(guard));
    let (exits, accepts) = (make.act("delta", &[x]), make.act("acc", &[x]));
    let shown = make.net.terms.raw(Term::Sync(exits));
    make.vector(node, &[(0, exits), (1, accepts), (2, delta)], shown, None);
    let (_, b) = make.var("a", Sort::Action, VariableKind::Vector);
    make.vector(node, &[(1, b), (2, r)], b, None);
    node
}

/// (P >> Q) >> R.
pub fn enable_left() -> PNet {
    let mut make = Maker::new("EnableLeft");
    make.net.algebra.abstracts.push(Symbol::new("Data"));
    let [p, q, r] = ["P", "Q", "R"].map(|name| make.hole(name, HoleSort::Any));
    let inner = enable(&mut make, p, q);
    let outer = enable(&mut make, Content::Node(inner), r);
    make.net.root = Content::Node(outer);
    make.net
}

fn station(make: &mut Maker, id: usize) -> PltsId {
    let leaf = make.leaf("Station", &["idle", "busy"]);
    let (holds, is_holding) = make.var("holds", Sort::Bool, VariableKind::State);
    let (steps, count) = make.var("steps", Sort::Int, VariableKind::State);
    let (input, x) = make.var("x", Sort::Int, VariableKind::Input);
    let (number, one, zero) =
        (make.net.terms.int(id), make.net.terms.int(1), make.net.terms.int(0));
    let first = make.net.terms.bool(id == 0);
    make.plts(leaf).variables.extend([(holds, Some(first)), (steps, Some(zero))]);
    let next = make.net.terms.add([count, one]);
    let not_holding = make.net.terms.not(is_holding);
    let (no, yes) = (make.net.terms.bool(false), make.yes());
    let [enter, leave, give, take] =
        [("enter", number), ("leave", number), ("give", next), ("take", x)]
            .map(|(name, arg)| make.act(name, &[arg]));
    make.go(leaf, (0, 1), enter).guard = is_holding;
    make.go(leaf, (1, 0), leave);
    let gives = make.go(leaf, (0, 0), give);
    (gives.guard, gives.updates) = (is_holding, vec![(holds, no)]);
    let takes = make.go(leaf, (0, 0), take);
    (takes.guard, takes.inputs) = (not_holding, vec![input]);
    takes.updates = vec![(holds, yes), (steps, x)];
    leaf
}

/// A ring of stations.
pub fn ring(count: usize) -> PNet {
    let mut make = Maker::new("Ring");
    let mut parts = Vec::new();
    for id in 0..count {
        parts.push(("S", Some(id), Content::Leaf(station(&mut make, id))));
    }
    let node = make.node("OpenRing", &parts);
    for name in ["enter", "leave"] {
        for id in 0..count {
            let number = make.net.terms.int(id);
            let action = make.act(name, &[number]);
            make.vector(node, &[(id, action)], action, None);
        }
    }
    for id in 0..count {
        let number = make.net.terms.int(id);
        let (_, x) = make.var("x", Sort::Int, VariableKind::Vector);
        let (give, take) = (make.act("give", &[x]), make.act("take", &[x]));
        let pass = make.act("pass", &[number, x]);
        make.vector(node, &[(id, give), ((id + 1) % count, take)], pass, None);
    }
    make.net
}

/// A process alone, with more states and longer labels than a good one has, some states final.
pub fn lonely() -> PNet {
    let mut make = Maker::new("Sender");
    let leaf = make
        .leaf("Sender", &["ready", "waiting", "*a_state_with_quite_a_long_name", "retry", "*lost"]);
    make.net.root = Content::Leaf(leaf);
    let (var, count) = make.var("attempts", Sort::Int, VariableKind::State);
    let zero = make.net.terms.int(0);
    make.plts(leaf).variables.push((var, Some(zero)));
    let (minus, three) = (make.net.terms.negate(count), make.net.terms.int(3));
    let sum = make.net.terms.add([count, minus, three]);
    let small = make.net.terms.less(zero, sum);
    let other = make.net.terms.equal(count, three);
    let guard = make.net.terms.and([small, other]);
    let ends = [(0, 1), (1, 2), (1, 3), (3, 1), (3, 4), (2, 0), (4, 0), (0, 4), (1, 4), (4, 4)];
    for (at, ends) in ends.into_iter().enumerate() {
        let action = make.act(["send", "acknowledge_message", "error"][at % 3], &[count]);
        let made = make.go(leaf, ends, action);
        if at % 2 == 0 {
            (made.guard, made.updates) = (guard, vec![(var, sum)]);
        }
    }
    make.net
}
