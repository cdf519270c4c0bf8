//! Processes and nets that are not well formed, and what is never used or never happens.

use std::ops::Range;

use pnetc::syntax::ast::{
    Expr, ExprKind, HoleSort, ItemKind, NetBody, ProcessDecl, ProcessStatementKind, Transition,
    Vector,
};

use super::{Base, Kind, Plant, Statement, What, range};
use crate::common::Random;

pub const KINDS: &[Kind] = &[
    ("no initial state", no_initial_state),
    ("two initial states", two_initial_states),
    ("assigned twice", assigned_twice),
    ("input shadows a variable", input_shadows),
    ("unbound variable in a result", |base, random| {
        unbound(
            base,
            random,
            "unbound variable in a result",
            |vector| Some(&vector.result),
            &["W0108", "N0203"],
        )
    }),
    ("unbound variable in a guard", |base, random| {
        unbound(
            base,
            random,
            "unbound variable in a guard",
            |vector| vector.guard.as_ref(),
            &["W0109"],
        )
    }),
    ("member twice", member_twice),
    ("action outside the interface", outside_interface),
    ("action that is never offered", never_offered),
    ("variable of a vector used once", used_once),
    ("unreachable state", unreachable_state),
    ("unused variable", |base, random| {
        let fits = |what: &What<'_>| matches!(what, What::State(_) | What::Var(_));
        add(base, random, "unused variable", fits, "var idle_one: Int = 0;", &["W0303"])
    }),
    ("unused action", |base, random| {
        let fits = |what: &What<'_>| matches!(what, What::Item(ItemKind::Action(_)));
        add(base, random, "unused action", fits, "action leftover;", &["W0302"])
    }),
    ("useless assignment", useless_assignment),
    ("constant guard", constant_guard),
    ("transition twice", transition_twice),
];

/// Something put after a statement of some kind.
fn add(
    base: &Base,
    random: &mut Random,
    kind: &'static str,
    fits: impl Fn(&What<'_>) -> bool,
    text: &str,
    codes: &'static [&'static str],
) -> Option<Plant> {
    let fitting: Vec<Statement<'_>> =
        base.statements().into_iter().filter(|s| fits(&s.what)).collect();
    let statement = random.pick_some(&fitting)?;
    Some(base.after(kind, &statement.range, text.to_owned(), codes))
}

fn unreachable_state(base: &Base, random: &mut Random) -> Option<Plant> {
    let statements = base.statements();
    let is_state = |s: &&Statement<'_>| matches!(s.what, What::State(_));
    let states: Vec<&Statement<'_>> = statements.iter().filter(is_state).collect();
    let statement = random.pick_some(&states)?;
    let text = "state lost_one;".to_owned();
    let mut plant = base.after("unreachable state", &statement.range, text, &["W0301"]);
    // Without its initial state nobody can tell what a process reaches.
    let is_initial = |s: &&&Statement<'_>| {
        s.item == statement.item && matches!(s.what, What::State(state) if state.init)
    };
    plant.regions.extend(states.iter().filter(is_initial).map(|s| s.range.clone()));
    Some(plant)
}

fn no_initial_state(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        if let What::State(state) = statement.what
            && state.init
            && base.text[statement.range.clone()].starts_with("init ")
        {
            found.push(statement);
        }
    }
    let statement = random.pick_some(&found)?;
    let start = statement.range.start;
    let edit = (start..start + "init ".len(), String::new());
    let mut plant = base.in_statement("no initial state", &statement.range, edit, &["W0101"]);
    let head = base.head(statement.item)?;
    plant.lines = vec![base.lines(&head)];
    plant.regions.push(head);
    Some(plant)
}

fn two_initial_states(base: &Base, random: &mut Random) -> Option<Plant> {
    let statements = base.statements();
    let is_other = |s: &&Statement<'_>| matches!(s.what, What::State(state) if !state.init);
    let others: Vec<&Statement<'_>> = statements.iter().filter(is_other).collect();
    let statement = random.pick_some(&others)?;
    let start = statement.range.start;
    let edit = (start..start, "init ".to_owned());
    let mut plant = base.in_statement("two initial states", &statement.range, edit, &["W0102"]);
    // If the first one is spoilt there are no two.
    let is_first = |s: &&Statement<'_>| {
        s.item == statement.item && matches!(s.what, What::State(state) if state.init)
    };
    plant.regions.extend(statements.iter().filter(is_first).map(|s| s.range.clone()));
    Some(plant)
}

/// All transitions, each with its statement and its process.
fn transitions(base: &Base) -> Vec<(Range<usize>, &Transition, &ProcessDecl)> {
    let mut all = Vec::new();
    for statement in base.statements() {
        if let What::Transition(transition) = statement.what
            && let ItemKind::Process(process) = &base.module.items[statement.item].kind
        {
            all.push((statement.range, transition, &**process));
        }
    }
    all
}

fn assigned_twice(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for (statement, transition, _) in transitions(base) {
        if let [update] = transition.updates.as_slice()
            && !transition.in_sequence
        {
            let end = statement.end - 1;
            let again = base.text[range(update.target.span).start..end].replace('\n', " ");
            found.push((statement, (end..end, format!(", {again}"))));
        }
    }
    let (statement, edit) = random.pick_some(&found)?.clone();
    Some(base.in_statement("assigned twice", &statement, edit, &["W0106"]))
}

fn variables(process: &ProcessDecl) -> Vec<&pnetc::syntax::ast::VarDecl> {
    let var = |statement: &'_ pnetc::syntax::ast::ProcessStatement| {
        matches!(statement.kind, ProcessStatementKind::Var(_))
    };
    let vars = process.body.iter().filter(|statement| var(statement));
    vars.filter_map(|statement| match &statement.kind {
        ProcessStatementKind::Var(var) => Some(&**var),
        _ => None,
    })
    .collect()
}

/// Another transition with an action that the process does anyway, whose input has the name of a variable.
fn input_shadows(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for (statement, transition, process) in transitions(base) {
        if let ExprKind::Call(call) = &transition.action.kind
            && let Some(var) = variables(process).first()
        {
            let mut args = vec!["_".to_owned(); call.args.len()];
            args[0] = format!("?{}", base.slice(var.name.span));
            let (source, target) =
                (base.slice(transition.source.span), base.slice(transition.target.span));
            let callee = base.slice(call.callee.span());
            found.push((
                statement,
                format!("{source} -> {target} : {callee}({});", args.join(", ")),
            ));
        }
    }
    let (statement, text) = random.pick_some(&found)?.clone();
    Some(base.after("input shadows a variable", &statement, text, &["W0104"]))
}

/// The names that the members of a vector bind.
fn bound(vector: &Vector) -> Vec<&str> {
    let mut names = Vec::new();
    for member in &vector.members {
        pnetc::syntax::walk::walk(&member.action, &mut |expr| match &expr.kind {
            ExprKind::Call(call) => {
                let args = call.args.iter().filter_map(|arg| match &arg.kind {
                    ExprKind::Name(name) => Some(name.as_str()),
                    _ => None,
                });
                names.extend(args.filter(|name| name.starts_with(char::is_lowercase)));
            }
            ExprKind::Input(name) => names.push(name.name.as_str()),
            _ => {}
        });
    }
    names
}

fn unbound(
    base: &Base,
    random: &mut Random,
    kind: &'static str,
    place: impl Fn(&Vector) -> Option<&Expr>,
    codes: &'static [&'static str],
) -> Option<Plant> {
    let mut places = Vec::new();
    for statement in base.statements() {
        let What::Vector(vector) = statement.what else { continue };
        let (bound, params) = (bound(vector), net_params(base, statement.item));
        let Some(expr) = place(vector) else { continue };
        pnetc::syntax::walk::walk(expr, &mut |expr| {
            if let ExprKind::Name(name) = &expr.kind
                && bound.contains(&name.as_str())
                && !params.contains(&name.as_str())
            {
                places.push((statement.range.clone(), expr.span));
            }
        });
    }
    base.misspelling(random, kind, &places, codes)
}

fn net_params(base: &Base, item: usize) -> Vec<&str> {
    match &base.module.items[item].kind {
        ItemKind::Net(net) => net.params.iter().map(|param| param.name.name.as_str()).collect(),
        _ => Vec::new(),
    }
}

fn member_twice(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        if let What::Vector(vector) = statement.what
            && let Some(first) = vector.members.first()
            && first.part.index.is_none()
            && !matches!(first.action.kind, ExprKind::Sync(_))
        {
            let end = range(vector.members_span).end - 1;
            found.push((
                statement.range,
                end,
                format!(", {}: tau", base.slice(first.part.name.span)),
            ));
        }
    }
    let (statement, end, text) = random.pick_some(&found)?.clone();
    Some(base.in_statement("member twice", &statement, (end..end, text), &["W0110"]))
}

/// All actions of the module: the names as they are written, and the numbers of arguments.
fn actions(base: &Base) -> Vec<(&str, usize)> {
    let mut all = Vec::new();
    for item in &base.module.items {
        if let ItemKind::Action(some) = &item.kind {
            all.extend(
                some.iter().map(|action| (base.slice(action.name.span), action.sorts.len())),
            );
        }
    }
    all
}

fn blank(name: &str, arity: usize) -> String {
    if arity == 0 { name.to_owned() } else { format!("{name}({})", vec!["_"; arity].join(", ")) }
}

/// The last statement of a net.
fn last_statement(base: &Base, item: usize) -> Option<Range<usize>> {
    base.statements()
        .into_iter()
        .filter(|statement| statement.item == item)
        .map(|s| s.range)
        .next_back()
}

/// Whether a vector of a net names a part.
fn is_member(base: &Base, item: usize, part: &str) -> bool {
    base.statements().iter().any(|statement| match statement.what {
        What::Vector(vector) if statement.item == item => {
            vector.members.iter().any(|member| member.part.name.name.as_str() == part)
        }
        _ => false,
    })
}

fn outside_interface(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for (item, declaration) in base.module.items.iter().enumerate() {
        let ItemKind::Net(net) = &declaration.kind else { continue };
        if matches!(net.body, NetBody::Alias(_)) {
            continue;
        }
        for hole in net.holes.iter().filter(|hole| hole.family.is_none()) {
            // One that is passed on must not be used as well.
            if !is_member(base, item, hole.name.name.as_str()) {
                continue;
            }
            let HoleSort::Interface(path) = &hole.sort else { continue };
            let allowed = base.module.items.iter().find_map(|item| match &item.kind {
                ItemKind::Interface(interface) if interface.name.name == path.parts[0].name => {
                    Some(&interface.actions)
                }
                _ => None,
            });
            let Some(allowed) = allowed else { continue };
            let inside = |name: &str, arity: usize| {
                allowed.iter().any(|a| base.slice(a.name.span) == name && a.sorts.len() == arity)
            };
            for (name, arity) in actions(base) {
                if !inside(name, arity) {
                    let (hole, action) = (base.slice(hole.name.span), blank(name, arity));
                    found.push((item, format!("<{hole}: {action}> -> tau;")));
                }
            }
        }
    }
    let (item, text) = random.pick_some(&found)?.clone();
    Some(base.after("action outside the interface", &last_statement(base, item)?, text, &["W0112"]))
}

/// The names of the actions that a process shows; nothing if a parameter is one.
fn offered<'b>(base: &'b Base, name: &str) -> Option<Vec<(&'b str, usize)>> {
    let process = base.module.items.iter().find_map(|item| match &item.kind {
        ItemKind::Process(process) if process.name.name.as_str() == name => Some(process),
        _ => None,
    })?;
    if process.params.iter().any(|param| base.slice(param.sort.span) == "Action") {
        return None;
    }
    let mut all = Vec::new();
    for statement in &process.body {
        let ProcessStatementKind::Transition(transition) = &statement.kind else { continue };
        match &transition.action.kind {
            ExprKind::Name(_) => all.push((base.slice(transition.action.span), 0)),
            ExprKind::Call(call) => all.push((base.slice(call.callee.span()), call.args.len())),
            _ => {}
        }
    }
    Some(all)
}

fn never_offered(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        let What::Sub(sub) = statement.what else { continue };
        let Some(shown) = offered(base, &sub.instance.head.path.to_string()) else { continue };
        if sub.family.is_some() {
            continue;
        }
        for (name, arity) in actions(base) {
            if !shown.contains(&(name, arity)) {
                let (part, action) = (base.slice(sub.name.span), blank(name, arity));
                found.push((statement.item, format!("<{part}: {action}> -> tau;")));
            }
        }
    }
    let (item, text) = random.pick_some(&found)?.clone();
    Some(base.after("action that is never offered", &last_statement(base, item)?, text, &["W0113"]))
}

fn used_once(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for statement in base.statements() {
        let What::Vector(vector) = statement.what else { continue };
        let member = vector.members.iter().find(|member| member.part.index.is_none());
        if let Some(member) = member
            && let ExprKind::Call(call) = &member.action.kind
            && vector.members.len() > 1
        {
            let mut args = vec!["_"; call.args.len()];
            args[0] = "once";
            let (part, callee) =
                (base.slice(member.part.name.span), base.slice(call.callee.span()));
            let text = format!("<{part}: {callee}({})> -> tau;", args.join(", "));
            found.push((statement.range, text));
        }
    }
    let (statement, text) = random.pick_some(&found)?.clone();
    Some(base.after("variable of a vector used once", &statement, text, &["W0308"]))
}

fn useless_assignment(base: &Base, random: &mut Random) -> Option<Plant> {
    let mut found = Vec::new();
    for (statement, transition, process) in transitions(base) {
        if transition.updates.is_empty()
            && let Some(var) = variables(process).first()
        {
            let name = base.slice(var.name.span);
            found.push((statement, format!(" do {name} := {name}")));
        }
    }
    let (statement, text) = random.pick_some(&found)?.clone();
    let end = statement.end - 1;
    Some(base.in_statement("useless assignment", &statement, (end..end, text), &["W0314"]))
}

fn constant_guard(base: &Base, random: &mut Random) -> Option<Plant> {
    let all = transitions(base);
    let fitting: Vec<_> =
        all.iter().filter(|(_, t, _)| t.guard.is_none() && t.updates.is_empty()).collect();
    let (statement, _, _) = random.pick_some(&fitting)?;
    let end = statement.end - 1;
    Some(base.in_statement(
        "constant guard",
        statement,
        (end..end, " when 2 > 1".to_owned()),
        &["W0312"],
    ))
}

fn transition_twice(base: &Base, random: &mut Random) -> Option<Plant> {
    let all = transitions(base);
    let simple = |transition: &Transition| {
        transition.guard.is_none()
            && transition.updates.is_empty()
            && matches!(transition.action.kind, ExprKind::Name(_) | ExprKind::Tau)
    };
    let fitting: Vec<_> = all.iter().filter(|(_, transition, _)| simple(transition)).collect();
    let (statement, _, _) = random.pick_some(&fitting)?;
    let text = base.text[statement.clone()].to_owned();
    Some(base.after("transition twice", statement, text, &["W0313"]))
}
