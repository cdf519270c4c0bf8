//! Names that nothing has, and names that two things have.

use std::ops::Range;

use pnetc::diagnostics::Span;
use pnetc::syntax::ast::{
    Connector, ConnectorKind, Expr, ExprKind, Fill, HoleSort, Instance, ItemKind, NetBody,
    NetStatementKind, Priority, ProcessStatementKind, Sort, SortKind,
};

use super::{Base, Kind, Plant, What, range};
use crate::common::Random;

pub const KINDS: &[Kind] = &[
    ("unknown action in a transition", |base, random| {
        let places = transitions(base, |transition| action_name(base, &transition.action));
        base.misspelling(random, "unknown action in a transition", &places, &["N0203"])
    }),
    ("unknown action in a net", |base, random| {
        let places = net_actions(base);
        base.misspelling(random, "unknown action in a net", &places, &["N0203"])
    }),
    ("unknown state", |base, random| {
        let mut places = transitions(base, |transition| Some(transition.source.span));
        places.extend(transitions(base, |transition| Some(transition.target.span)));
        base.misspelling(random, "unknown state", &places, &["N0207"])
    }),
    ("unknown variable", unknown_variable),
    ("unknown variable assigned", |base, random| {
        let places = transitions(base, |transition| {
            transition.updates.first().map(|update| update.target.span)
        });
        base.misspelling(random, "unknown variable assigned", &places, &["N0202"])
    }),
    ("unknown function", unknown_function),
    ("unknown constructor in a pattern", unknown_pattern),
    ("unknown selector", unknown_selector),
    ("unknown sort", unknown_sort),
    ("unknown component", |base, random| {
        let places = instances(base, |instance| {
            vec![instance.head.path.parts[instance.head.path.parts.len() - 1].span]
        });
        base.misspelling(random, "unknown component", &places, &["N0205"])
    }),
    ("unknown hole", |base, random| {
        let named = |fill: &Fill| fill.hole.as_ref().map(|hole| hole.path.parts[0].span);
        let places = instances(base, |instance| instance.fills.iter().filter_map(named).collect());
        base.misspelling(random, "unknown hole", &places, &["N0209"])
    }),
    ("unknown part", unknown_part),
    ("unknown interface", unknown_interface),
    ("unknown check", |base, random| {
        let places = items(base, |kind| match kind {
            ItemKind::Check(check) if check.property.is_none() => Some(check.kind.span),
            _ => None,
        });
        base.misspelling(random, "unknown check", &places, &["N0212"])
    }),
    ("unknown name in a priority", |base, random| {
        let mut places = Vec::new();
        for statement in base.statements() {
            if let What::Priority(Priority::Order(orders)) = statement.what {
                places.extend(
                    orders.orders.iter().flatten().map(|name| (statement.range.clone(), name.span)),
                );
            }
        }
        base.misspelling(random, "unknown name in a priority", &places, &["N0216"])
    }),
    ("unknown library", |base, _| {
        first_line(base, "unknown library", "import std.lotus;", &["N0103"])
    }),
    ("missing file", |base, _| {
        first_line(base, "missing file", "import \"./nowhere.pnet\" (Something);", &["N0101"])
    }),
    ("state twice", |base, random| twice(base, random, "state twice")),
    ("variable twice", |base, random| twice(base, random, "variable twice")),
    ("process twice", process_twice),
];

fn transitions(
    base: &Base,
    place: impl Fn(&pnetc::syntax::ast::Transition) -> Option<Span>,
) -> Vec<(Range<usize>, Span)> {
    let mut places = Vec::new();
    for statement in base.statements() {
        if let What::Transition(transition) = statement.what {
            places.extend(place(transition).map(|span| (statement.range.clone(), span)));
        }
    }
    places
}

fn items(base: &Base, place: impl Fn(&ItemKind) -> Option<Span>) -> Vec<(Range<usize>, Span)> {
    let mut places = Vec::new();
    for statement in base.statements() {
        if let What::Item(kind) = statement.what {
            places.extend(place(kind).map(|span| (statement.range.clone(), span)));
        }
    }
    places
}

/// The name of the action in a term, if it is declared.
fn action_name(base: &Base, term: &Expr) -> Option<Span> {
    match &term.kind {
        ExprKind::Name(name) if base.action_arities(name.as_str()).is_empty() => None,
        ExprKind::Name(_) => Some(term.span),
        ExprKind::Call(call) => Some(call.callee.as_name()?.span),
        ExprKind::Sync(inner) | ExprKind::Co(inner) => action_name(base, inner),
        _ => None,
    }
}

fn ports<'c>(connectors: &'c [Connector], found: &mut Vec<&'c pnetc::syntax::ast::Port>) {
    for connector in connectors {
        match &connector.kind {
            ConnectorKind::Port(port) => found.push(port),
            ConnectorKind::Group(inner) | ConnectorKind::Each(inner, ..) => ports(inner, found),
            ConnectorKind::Error | ConnectorKind::Formal(_) => {}
        }
    }
}

fn net_actions(base: &Base) -> Vec<(Range<usize>, Span)> {
    let mut places = Vec::new();
    for statement in base.statements() {
        let mut add = |span: Span| places.push((statement.range.clone(), span));
        match statement.what {
            What::Vector(vector) => {
                vector
                    .members
                    .iter()
                    .filter_map(|m| action_name(base, &m.action))
                    .for_each(&mut add);
                action_name(base, &vector.result).into_iter().for_each(&mut add);
            }
            What::Connect(connect) => {
                let mut all = Vec::new();
                ports(&connect.parts, &mut all);
                all.iter().for_each(|port| add(port.action.span));
                add(connect.name.span);
            }
            _ => {}
        }
    }
    places
}

fn unknown_part(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut places = Vec::new();
    for statement in base.statements() {
        match statement.what {
            What::Vector(vector) => {
                places.extend(
                    vector.members.iter().map(|m| (statement.range.clone(), m.part.name.span)),
                );
            }
            What::Connect(connect) => {
                let mut all = Vec::new();
                ports(&connect.parts, &mut all);
                places
                    .extend(all.iter().map(|port| (statement.range.clone(), port.part.name.span)));
            }
            _ => {}
        }
    }
    base.misspelling(random, "unknown part", &places, &["N0206"])
}

/// The names of variables, parameters and inputs that a process reads.
fn unknown_variable(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut places = Vec::new();
    for statement in base.statements() {
        let ItemKind::Process(process) = &base.module.items[statement.item].kind else { continue };
        let variable = |statement: &pnetc::syntax::ast::ProcessStatement| match &statement.kind {
            ProcessStatementKind::Var(var) => Some(var.name.name),
            _ => None,
        };
        let mut known: Vec<_> = process.body.iter().filter_map(variable).collect();
        known.extend(process.params.iter().map(|param| param.name.name));
        for expr in Base::expressions(&statement.what) {
            match &expr.kind {
                ExprKind::Name(name) if known.contains(name) => {
                    places.push((statement.range.clone(), expr.span))
                }
                _ => {}
            }
        }
    }
    base.misspelling(random, "unknown variable", &places, &["N0202"])
}

fn unknown_function(base: &Base, random: &mut Random) -> Option<Plant> {
    let is_function = |name: pnetc::diagnostics::Symbol| {
        base.module
            .items
            .iter()
            .any(|item| matches!(&item.kind, ItemKind::Fun(fun) if fun.name.name == name))
    };
    let mut places = Vec::new();
    for statement in base.statements() {
        for expr in Base::expressions(&statement.what) {
            if let ExprKind::Call(call) = &expr.kind
                && let Some(name) = call.callee.as_name()
                && is_function(name.name)
            {
                places.push((statement.range.clone(), name.span));
            }
        }
    }
    base.misspelling(random, "unknown function", &places, &["N0202"])
}

/// Constructors in the arms of `match` and after `is`.
fn unknown_pattern(base: &Base, random: &mut Random) -> Option<Plant> {
    let constructor = |pattern: &Expr| {
        let span = match &pattern.kind {
            ExprKind::Name(_) => pattern.span,
            ExprKind::Call(call) => call.callee.as_name()?.span,
            _ => return None,
        };
        base.slice(span).starts_with(char::is_uppercase).then_some(span)
    };
    let mut places = Vec::new();
    for statement in base.statements() {
        for expr in Base::expressions(&statement.what) {
            match &expr.kind {
                ExprKind::Match(all) => {
                    let spans = all.arms.iter().filter_map(|(pattern, _)| constructor(pattern));
                    places.extend(spans.map(|span| (statement.range.clone(), span)));
                }
                ExprKind::Is(test) => {
                    places.extend(
                        constructor(&test.against).map(|span| (statement.range.clone(), span)),
                    );
                }
                _ => {}
            }
        }
    }
    base.misspelling(random, "unknown constructor in a pattern", &places, &["N0213"])
}

fn unknown_selector(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut places = Vec::new();
    for statement in base.statements() {
        for expr in Base::expressions(&statement.what) {
            let span = match &expr.kind {
                // `Sort.Constructor` is no selector.
                ExprKind::Path(path)
                    if !base.slice(path.parts[0].span).starts_with(char::is_uppercase) =>
                {
                    path.parts[path.parts.len() - 1].span
                }
                ExprKind::Field(field) => field.1.span,
                _ => continue,
            };
            places.push((statement.range.clone(), span));
        }
    }
    base.misspelling(random, "unknown selector", &places, &["N0210"])
}

fn sort_names(sort: &Sort, found: &mut Vec<Span>) {
    match &sort.kind {
        SortKind::Named(path) if path.parts.len() == 1 => found.push(path.parts[0].span),
        SortKind::Array(both) => {
            sort_names(&both.0, found);
            sort_names(&both.1, found);
        }
        _ => {}
    }
}

fn unknown_sort(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut places = Vec::new();
    for statement in base.statements() {
        let mut found = Vec::new();
        match statement.what {
            What::Var(var) => sort_names(&var.sort, &mut found),
            What::Item(ItemKind::Const(constant)) => sort_names(&constant.sort, &mut found),
            What::Item(ItemKind::Fun(fun)) => {
                fun.params.iter().for_each(|param| sort_names(&param.sort, &mut found));
                sort_names(&fun.result, &mut found);
            }
            What::Item(ItemKind::Action(all)) => {
                all.iter().flat_map(|a| &a.sorts).for_each(|sort| sort_names(sort, &mut found));
            }
            _ => {}
        }
        places.extend(found.into_iter().map(|span| (statement.range.clone(), span)));
    }
    base.misspelling(random, "unknown sort", &places, &["N0201"])
}

/// Places in the instances of a model, each with its statement.
fn instances(base: &Base, places: impl Fn(&Instance) -> Vec<Span>) -> Vec<(Range<usize>, Span)> {
    let mut found = Vec::new();
    for statement in base.statements() {
        let mut work: Vec<&Instance> = match statement.what {
            What::Sub(sub) => vec![&sub.instance],
            What::Item(ItemKind::Net(net)) => match &net.body {
                NetBody::Alias(instance) => vec![instance],
                NetBody::Block(_) => Vec::new(),
            },
            What::Item(ItemKind::Check(check)) => check.nets.iter().collect(),
            _ => Vec::new(),
        };
        while let Some(instance) = work.pop() {
            found.extend(places(instance).into_iter().map(|span| (statement.range.clone(), span)));
            work.extend(instance.fills.iter().map(|fill| &fill.instance));
        }
    }
    found
}

fn unknown_interface(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut places = Vec::new();
    for (index, item) in base.module.items.iter().enumerate() {
        let ItemKind::Net(net) = &item.kind else { continue };
        let region = base.head(index).unwrap_or(range(item.span));
        for hole in &net.holes {
            if let HoleSort::Interface(path) = &hole.sort {
                places.push((region.clone(), path.parts[0].span));
            }
        }
    }
    base.misspelling(random, "unknown interface", &places, &["N0208"])
}

/// Something after the `module` line or the first import.
fn first_line(
    base: &Base,
    kind: &'static str,
    text: &str,
    codes: &'static [&'static str],
) -> Option<Plant> {
    let statements = base.statements();
    let first = statements
        .iter()
        .find(|s| matches!(s.what, What::Item(ItemKind::Module(_) | ItemKind::Import(_))))?;
    Some(base.after(kind, &first.range, text.to_owned(), codes))
}

fn twice(base: &Base, random: &mut Random, kind: &'static str) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        match statement.what {
            What::State(state) if kind == "state twice" => {
                let name = base.slice(state.names[0].span);
                found.push((statement.range.clone(), format!("state {name};")));
            }
            What::Var(var) if kind == "variable twice" => {
                let name = base.slice(var.name.span);
                found.push((statement.range.clone(), format!("var {name}: Int = 0;")));
            }
            _ => {}
        }
    }
    let (statement, text) = random.pick_some(&found)?.clone();
    Some(base.after(kind, &statement, text, &["N0301"]))
}

fn process_twice(base: &Base, random: &mut Random) -> Option<Plant> {
    let processes = base.module.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Process(process) => Some((range(item.span), base.slice(process.name.span))),
        _ => None,
    });
    let processes: Vec<_> = processes.collect();
    let (item, name) = random.pick_some(&processes)?.clone();
    // After the `}` of the first.
    let close = item.end - 1..item.end;
    let text = format!("process {name} {{ init state s; }}");
    Some(base.after("process twice", &close, text, &["N0301"]))
}

impl Base {
    /// The numbers of arguments that an action of this name is declared with.
    pub fn action_arities(&self, name: &str) -> Vec<usize> {
        let mut arities = Vec::new();
        for item in &self.module.items {
            if let ItemKind::Action(all) = &item.kind {
                let same = all.iter().filter(|action| action.name.name.as_str() == name);
                arities.extend(same.map(|action| action.sorts.len()));
            }
        }
        arities
    }

    /// The statements of a net, for those who look at a whole net.
    pub fn net_statements(&self, item: usize) -> &[pnetc::syntax::ast::NetStatement] {
        match &self.module.items[item].kind {
            ItemKind::Net(net) => match &net.body {
                NetBody::Block(statements) => statements,
                NetBody::Alias(_) => &[],
            },
            _ => &[],
        }
    }

    /// What a part of a net is an instance of.
    pub fn component_of(&self, item: usize, part: &str) -> Option<&Instance> {
        self.net_statements(item).iter().find_map(|statement| match &statement.kind {
            NetStatementKind::Sub(sub) if sub.name.name.as_str() == part => Some(&sub.instance),
            _ => None,
        })
    }
}
