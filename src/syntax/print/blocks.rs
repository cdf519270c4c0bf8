//! Processes, nets, architectures, relations, scenarios, invariants, reductions, and what stands in them.

use super::super::ast::{
    ArchitectureDecl, Assignment, ConditionKind, ConnectDecl, Connector, ConnectorKind, Expr,
    Family, Fill, Head, Hole, HoleSort, Instance, InvariantDecl, Member, NetBody, NetDecl,
    NetState, NetStatement, NetStatementKind, Operator, Ordered, OrderedKind, Pair, PairKind, Part,
    PartPath, PlaceStep, Priority, PriorityOrder, ProcessDecl, ProcessStatement,
    ProcessStatementKind, Range, ReducingKind, ReducingStep, ReductionDecl, RelationDecl, Rival,
    RuleDecl, RuleKind, RuleStatementKind, ScenarioDecl, ScenarioName, StateDecl, Step, StepKind,
    SubDecl, SystemSource, Transition, VarDecl, Vector,
};
use super::expr::{ADDITIVE, ANY, OPERAND};
use super::{Printer, print_expr};

const INDENT: &str = "    ";

impl Printer {
    // ---- processes ----

    pub(super) fn process(&mut self, process: &ProcessDecl) {
        self.put("process ");
        self.ident(process.name);
        if let Some(system) = &process.system {
            return self.system(system);
        }
        self.bracketed(("<", ">"), &process.params, Printer::binder);
        self.put(" {\n");
        for statement in &process.body {
            self.process_statement(statement);
        }
        self.put("}");
    }

    /// What stands after the name of a process that comes from a file.
    fn system(&mut self, system: &SystemSource) {
        self.put(" = lts \"");
        self.put(system.file.as_str());
        if let Some(silent) = system.silent {
            self.put("\" tau \"");
            self.put(silent.as_str());
        }
        self.put("\";");
    }

    fn process_statement(&mut self, statement: &ProcessStatement) {
        if matches!(statement.kind, ProcessStatementKind::Error) {
            return;
        }
        self.docs(&statement.docs, INDENT);
        self.put(INDENT);
        match &statement.kind {
            ProcessStatementKind::Error => {}
            ProcessStatementKind::Var(var) => self.var(var),
            ProcessStatementKind::State(state) => self.state(state),
            ProcessStatementKind::Transition(transition) => self.transition(transition),
            ProcessStatementKind::Priority(order) => {
                self.put("priority ");
                self.order(order);
            }
        }
        self.put(";\n");
    }

    fn var(&mut self, var: &VarDecl) {
        self.put("var ");
        self.sorted(var.name, &var.sort);
        self.value(var.value.as_ref());
    }

    fn state(&mut self, state: &StateDecl) {
        if state.init {
            self.put("init ");
        }
        if state.is_final {
            self.put("final ");
        }
        self.put("state ");
        self.names(&state.names);
    }

    fn transition(&mut self, transition: &Transition) {
        self.ident(transition.source);
        self.put(" -> ");
        self.ident(transition.target);
        self.put(" : ");
        self.expr_at(&transition.action, OPERAND);
        self.guard(transition.guard.as_ref());
        if let Some(assert) = &transition.assert {
            self.put(" assert ");
            self.expr(assert);
        }
        match transition.in_sequence {
            true => self.sequence(&transition.updates),
            false => self.updates(&transition.updates),
        }
    }

    pub(super) fn guard(&mut self, guard: Option<&Expr>) {
        if let Some(guard) = guard {
            self.put(" when ");
            self.expr(guard);
        }
    }

    fn updates(&mut self, updates: &[Assignment]) {
        self.bracketed((" do ", ""), updates, Printer::update);
    }

    fn sequence(&mut self, updates: &[Assignment]) {
        self.put(" do { ");
        self.list("; ", updates, Printer::update);
        self.put(" }");
    }

    pub(super) fn update(&mut self, update: &Assignment) {
        self.place(update);
        self.put(match update.operator {
            Some(Operator::Add) => " += ",
            Some(Operator::Subtract) => " -= ",
            _ => " := ",
        });
        self.expr(&update.value);
    }

    /// What is assigned.
    pub(super) fn place(&mut self, update: &Assignment) {
        self.ident(update.target);
        for step in &update.place {
            match step {
                PlaceStep::Index(index, _) => {
                    self.put("[");
                    self.expr(index);
                    self.put("]");
                }
                PlaceStep::Field(field) => {
                    self.put(".");
                    self.ident(*field);
                }
            }
        }
    }

    // ---- nets ----

    pub(super) fn net(&mut self, net: &NetDecl) {
        self.put("net ");
        self.ident(net.name);
        self.bracketed(("<", ">"), &net.params, Printer::binder);
        self.bracketed(("(", ")"), &net.holes, Printer::hole);
        match &net.body {
            NetBody::Alias(instance) => self.ended(" = ", |p| p.instance(instance)),
            NetBody::Block(statements) => {
                self.put(" {\n");
                for statement in statements {
                    self.net_statement(statement);
                }
                self.put("}");
            }
        }
    }

    fn hole(&mut self, hole: &Hole) {
        self.ident(hole.name);
        self.family(hole.family.as_ref());
        self.put(": ");
        match &hole.sort {
            HoleSort::Any(_) => self.put("any"),
            HoleSort::Interface(path) => self.path(path),
        }
    }

    pub(super) fn family(&mut self, family: Option<&Family>) {
        if let Some(family) = family {
            self.put("[");
            self.ident(family.index);
            self.put(": ");
            self.range(&family.range);
            self.put("]");
        }
    }

    pub(super) fn range(&mut self, range: &Range) {
        self.expr_at(&range.low, ADDITIVE);
        self.put("..");
        self.expr_at(&range.high, ADDITIVE);
    }

    fn net_statement(&mut self, statement: &NetStatement) {
        if matches!(statement.kind, NetStatementKind::Error) {
            return;
        }
        self.docs(&statement.docs, INDENT);
        self.put(INDENT);
        self.net_statement_kind(&statement.kind);
        self.put(";\n");
    }

    fn net_statement_kind(&mut self, kind: &NetStatementKind) {
        match kind {
            NetStatementKind::Error => {}
            NetStatementKind::Sub(sub) => self.sub(sub),
            NetStatementKind::Vector(vector) => self.vector(vector),
            NetStatementKind::Connect(connect) => self.connect(connect),
            NetStatementKind::Priority(priority) => self.priority(priority),
        }
    }

    // ---- architectures ----

    pub(super) fn architecture(&mut self, architecture: &ArchitectureDecl) {
        self.put("architecture ");
        self.ident(architecture.name);
        self.put(" {\n");
        for rule in &architecture.rules {
            if let RuleKind::Makes(made) = &rule.kind {
                self.docs(&rule.docs, INDENT);
                self.rule(made);
            }
        }
        self.put("}");
    }

    fn rule(&mut self, rule: &RuleDecl) {
        self.put(INDENT);
        self.put("rule ");
        self.ident(rule.name);
        self.put("(");
        self.names(&rule.params);
        self.put(") {\n");
        let inside = INDENT.repeat(2);
        for statement in &rule.body {
            if matches!(
                statement.kind,
                RuleStatementKind::Error | RuleStatementKind::Net(NetStatementKind::Error)
            ) {
                continue;
            }
            self.docs(&statement.docs, &inside);
            self.put(&inside);
            self.rule_statement(&statement.kind);
            self.put(";\n");
        }
        self.put(INDENT);
        self.put("}\n");
    }

    fn rule_statement(&mut self, kind: &RuleStatementKind) {
        match kind {
            RuleStatementKind::Error => {}
            RuleStatementKind::New(names) => {
                self.put("new ");
                self.names(names);
            }
            RuleStatementKind::Net(kind) => self.net_statement_kind(kind),
            RuleStatementKind::Part(part) => {
                // `never(x);` would be a claim.
                match part.rule.name.as_str() {
                    "never" => self.quoted("never"),
                    _ => self.ident(part.rule),
                }
                self.put("(");
                self.names(&part.names);
                self.put(")");
            }
            RuleStatementKind::Never(claim) => {
                self.put("never ");
                if let Some(label) = claim.label {
                    self.ident(label);
                    self.put(": ");
                }
                self.expr(&claim.bad);
            }
        }
    }

    fn sub(&mut self, sub: &SubDecl) {
        self.put("sub ");
        self.ident(sub.name);
        self.family(sub.family.as_ref());
        self.put(" = ");
        for choice in &sub.choices {
            self.put("if ");
            self.expr(&choice.condition);
            self.put(" then ");
            self.instance(&choice.instance);
            self.put(" else ");
        }
        self.instance(&sub.instance);
    }

    pub(super) fn instance(&mut self, instance: &Instance) {
        self.head(&instance.head);
        self.bracketed(("<", ">"), &instance.values, |p, value| p.expr_at(value, ADDITIVE));
        self.bracketed(("(", ")"), &instance.fills, Printer::fill);
    }

    fn head(&mut self, head: &Head) {
        self.path(&head.path);
        self.index(head.index.as_deref());
    }

    fn index(&mut self, index: Option<&Expr>) {
        if let Some(index) = index {
            self.put("[");
            self.expr(index);
            self.put("]");
        }
    }

    fn fill(&mut self, fill: &Fill) {
        if let Some(hole) = &fill.hole {
            self.head(hole);
            self.put(": ");
        }
        self.instance(&fill.instance);
    }

    fn vector(&mut self, vector: &Vector) {
        if let Some(name) = vector.name {
            self.put("step ");
            self.ident(name);
            self.put(": ");
        }
        self.members(&vector.members);
        self.put(" -> ");
        self.expr_at(&vector.result, OPERAND);
        self.guard(vector.guard.as_ref());
        self.rivals(&vector.rivals);
        self.repeat(&vector.repeat);
    }

    fn rivals(&mut self, rivals: &[Rival]) {
        self.bracketed((" unless ", ""), rivals, |p, rival| {
            p.members(&rival.members);
            p.guard(rival.guard.as_ref());
        });
    }

    fn members(&mut self, members: &[Member]) {
        self.put("<");
        self.list(", ", members, |p, member| match member.repeat.is_empty() {
            true => p.member(member),
            false => {
                p.put("[");
                p.member(member);
                p.repeat(&member.repeat);
                p.guard(member.condition.as_deref());
                p.put("]");
            }
        });
        self.put(">");
    }

    fn member(&mut self, member: &Member) {
        self.part(&member.part);
        self.put(": ");
        self.expr_at(&member.action, OPERAND);
    }

    fn part(&mut self, part: &Part) {
        self.ident(part.name);
        self.index(part.index.as_deref());
    }

    pub(super) fn repeat(&mut self, repeat: &[Family]) {
        self.bracketed((" for ", ""), repeat, |p, family| {
            p.ident(family.index);
            p.put(" in ");
            p.range(&family.range);
        });
    }

    fn connect(&mut self, connect: &ConnectDecl) {
        self.put("connect ");
        self.ident(connect.name);
        self.bracketed(("(", ")"), &connect.exports, |p, export| p.expr_at(export, ANY));
        self.put(" : ");
        match &connect.used {
            Some(used) => self.connector_use(used),
            None => self.list(" ", &connect.parts, Printer::connector),
        }
        self.guard(connect.guard.as_ref());
        self.updates(&connect.transfer);
        self.rivals(&connect.rivals);
        self.repeat(&connect.repeat);
    }

    pub(super) fn connector(&mut self, connector: &Connector) {
        match &connector.kind {
            ConnectorKind::Error => {}
            ConnectorKind::Port(port) => {
                self.part(&port.part);
                self.put(".");
                self.ident(port.action);
                self.bracketed(("(", ")"), &port.args, |p, arg| p.expr_at(arg, ANY));
            }
            ConnectorKind::Formal(port) => self.part(port),
            ConnectorKind::Group(parts) => {
                self.put("[");
                self.list(" ", parts, Printer::connector);
                self.put("]");
            }
            ConnectorKind::Each(parts, repeat, condition) => {
                self.put("[");
                self.list(" ", parts, Printer::connector);
                self.repeat(repeat);
                self.guard(condition.as_deref());
                self.put("]");
            }
        }
        if connector.trigger {
            self.put("'");
        }
    }

    fn priority(&mut self, priority: &Priority) {
        self.put("priority ");
        match priority {
            Priority::Maximal => self.put("maximal"),
            Priority::Order(order) => self.order(order),
        }
    }

    pub(super) fn order(&mut self, order: &PriorityOrder) {
        self.list(", ", &order.orders, |p, order| p.list(" < ", order, Printer::ordered));
        self.guard(order.guard.as_ref());
        self.repeat(&order.repeat);
    }

    fn ordered(&mut self, ordered: &Ordered) {
        match &ordered.kind {
            OrderedKind::Named(name, args) => {
                self.ident(*name);
                self.bracketed(("(", ")"), args, |p, arg| p.expr_at(arg, ANY));
            }
            OrderedKind::Ports(name, ports) => {
                self.ident(*name);
                self.put("[");
                self.list(" ", ports, |p, port| {
                    p.part(&port.part);
                    p.put(".");
                    p.ident(port.action);
                });
                self.put("]");
            }
            OrderedKind::Tau => self.put("tau"),
            OrderedKind::All => self.put("*"),
        }
    }

    // ---- reductions, scenarios, invariants and relations ----

    pub(super) fn reduction(&mut self, reduction: &ReductionDecl) {
        self.put("reduction ");
        self.ident(reduction.name);
        self.put(" of ");
        self.instance(&reduction.net);
        self.put(" {\n");
        for statement in &reduction.statements {
            if let ReducingKind::Does(step) = &statement.kind {
                self.docs(&statement.docs, INDENT);
                self.put(INDENT);
                self.reducing(step);
                self.put(";\n");
            }
        }
        self.put("}");
    }

    fn reducing(&mut self, step: &ReducingStep) {
        self.ident(step.word);
        self.put(" ");
        self.part_paths(&step.what);
        if !step.by.is_empty() {
            self.put(" by ");
            self.part_paths(&step.by);
        }
        if let Some(last) = step.last {
            self.put(" ");
            self.ident(last);
        }
    }

    fn part_paths(&mut self, paths: &[PartPath]) {
        for (at, path) in paths.iter().enumerate() {
            self.put(if at == 0 { "" } else { ", " });
            self.part_path(path);
        }
    }

    pub(super) fn part_path(&mut self, path: &PartPath) {
        for (place, (name, index)) in path.steps.iter().enumerate() {
            self.put(if place == 0 { "" } else { "." });
            self.ident(*name);
            if let Some(index) = index {
                self.put("[");
                self.expr(index);
                self.put("]");
            }
        }
    }

    pub(super) fn scenario(&mut self, scenario: &ScenarioDecl) {
        self.put(if scenario.negated { "scenario not " } else { "scenario " });
        match scenario.name {
            ScenarioName { name, is_text: true, .. } => {
                self.put("\"");
                self.put(name.as_str());
                self.put("\"");
            }
            ScenarioName { name, .. } => self.name(name),
        }
        self.put(" of ");
        self.instance(&scenario.net);
        self.put(" {\n");
        for step in &scenario.steps {
            self.step(step);
        }
        self.put("}");
    }

    fn step(&mut self, step: &Step) {
        if matches!(step.kind, StepKind::Error) {
            return;
        }
        self.docs(&step.docs, INDENT);
        self.put(INDENT);
        match &step.kind {
            StepKind::Error => {}
            StepKind::Gap => self.put(".."),
            StepKind::Action(action) => self.expr_at(action, OPERAND),
            StepKind::Demand(property) => {
                self.put("[");
                self.expr(property);
                self.put("]");
            }
        }
        self.put(";\n");
    }

    pub(super) fn invariant(&mut self, invariant: &InvariantDecl) {
        self.put("invariant ");
        self.ident(invariant.name);
        self.put(" of ");
        self.instance(&invariant.net);
        self.put(" {\n");
        for condition in &invariant.conditions {
            if let ConditionKind::Holds(holds) = &condition.kind {
                self.docs(&condition.docs, INDENT);
                self.put(INDENT);
                self.condition(holds);
                self.put(";\n");
            }
        }
        self.put("}");
    }

    /// `--x` would start a comment of another language where a statement starts.
    fn condition(&mut self, holds: &Expr) {
        match print_expr(holds) {
            text if text.starts_with("--") => self.put(&format!("({text})")),
            text => self.put(&text),
        }
    }

    pub(super) fn relation(&mut self, relation: &RelationDecl) {
        self.put("relation ");
        self.ident(relation.name);
        self.put("(");
        self.list(", ", &relation.nets, Printer::instance);
        self.put(") {\n");
        for pair in &relation.pairs {
            if let PairKind::Pair(kind) = &pair.kind {
                self.docs(&pair.docs, INDENT);
                self.pair(kind);
            }
        }
        self.put("}");
    }

    fn pair(&mut self, pair: &Pair) {
        self.put(INDENT);
        self.put("(");
        self.net_state(&pair.left);
        self.put(", ");
        self.net_state(&pair.right);
        self.put(")");
        self.guard(pair.guard.as_ref());
        self.put(";\n");
    }

    fn net_state(&mut self, state: &NetState) {
        if state.leaves.is_empty() {
            self.put("-");
        }
        for (place, &leaf) in state.leaves.iter().enumerate() {
            self.put(if place > 0 { "." } else { "" });
            self.ident(leaf);
        }
    }
}
