//! The pictures of nets: well-formed, the same every time, nothing on top of anything else. `PICTURES=folder`
//! writes them to a folder, to be looked at.

use crate::common::sources;
use crate::pictures_support::nets;
use crate::pictures_support::xml;
use std::sync::Arc;

use pnetc::algebra::{Sort, Term, VariableKind};
use pnetc::architectures::shown_rules;
use pnetc::elaborate::ElaborateOptions;
use pnetc::emit::{dot, label, rules_svg, svg, svg_with_comments};
use pnetc::pnet::{PNet, violations};
use xml::{Element, Rect, parse, rect, room};

fn all() -> Vec<(&'static str, PNet)> {
    vec![
        ("failure_monitor", nets::failure_monitor()),
        ("enable_left", nets::enable_left()),
        ("ring", nets::ring(5)),
        ("large_ring", nets::ring(1000)),
        ("lonely", nets::lonely()),
        ("drawn_ring", drawn("Ring")),
        ("star", drawn("Star")),
        ("cast", drawn("Cast")),
    ]
}

/// A net of `pictures_support/drawn.pnet`.
fn drawn(name: &str) -> PNet {
    let checked = sources::check(&sources::Disk("tests/it/pictures_support"), "drawn.pnet");
    Arc::unwrap_or_clone(checked.build(Some(name), &ElaborateOptions::default()).unwrap())
}

#[test]
#[ignore = "writes the pictures to the folder that PICTURES names"]
fn pictures_can_be_looked_at() {
    let folder = std::env::var("PICTURES").expect("PICTURES names a folder");
    for (name, net) in all() {
        std::fs::write(format!("{folder}/{name}.svg"), svg(&net)).unwrap();
        std::fs::write(format!("{folder}/{name}.dot"), dot(&net)).unwrap();
    }
    for (name, picture) in pictures() {
        std::fs::write(format!("{folder}/{}.svg", name.replace(' ', "-")), picture).unwrap();
    }
}

#[test]
fn the_nets_are_nets() {
    for (name, net) in all() {
        assert_eq!(violations(&net), [], "{name}");
    }
}

#[test]
fn pictures_are_the_same_every_time() {
    for ((name, a), (_, b)) in all().into_iter().zip(all()) {
        assert_eq!(svg(&a), svg(&b), "{name}");
        assert_eq!(dot(&a), dot(&b), "{name}");
    }
}

// ---- XML ----

/// All pictures: of nets, and of the rules of architectures.
fn pictures() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> =
        all().iter().map(|(name, net)| ((*name).to_owned(), svg(net))).collect();
    for file in ["ring", "star_ring", "tables", "trees", "tree_linked", "election"] {
        let file = format!("{file}.pnet");
        let checked = sources::check(&sources::Disk("examples/architectures"), &file);
        for def in checked.architectures() {
            let name = format!("{file} {}", def.named.name);
            found.push((name, rules_svg(&shown_rules(def, &checked.sources))));
        }
    }
    assert!(found.len() > 12, "{}", found.len());
    found
}

#[test]
fn pictures_are_well_formed() {
    for (name, picture) in pictures() {
        let elements = parse(&picture);
        assert_eq!(elements[0].name, "svg", "{name}");
        assert_eq!(elements.iter().filter(|element| element.parent.is_none()).count(), 1);
    }
}

// ---- geometry ----

/// The nearest enclosing group of a box, with that box.
fn enclosing(elements: &[Element], at: usize) -> Option<(usize, Rect)> {
    let mut next = elements[at].parent;
    while let Some(group) = next {
        let framed = elements.iter().find(|one| one.parent == Some(group) && one.has_class("box"));
        if let Some(frame) = framed {
            return Some((group, rect(frame)));
        }
        next = elements[group].parent;
    }
    None
}

#[test]
fn boxes_lie_in_their_boxes_and_nothing_lies_on_anything_else() {
    for (name, picture) in pictures() {
        let elements = parse(&picture);
        let page = Rect {
            x: 0.0,
            y: 0.0,
            right: elements[0].number("width"),
            bottom: elements[0].number("height"),
        };
        // What takes room of its own, and the group it stands in.
        let mut solid: Vec<(Option<usize>, Rect, String)> = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            let inner = match element.name.as_str() {
                "rect"
                    if ["box", "sheet", "state"].iter().any(|class| element.has_class(class)) =>
                {
                    rect(element)
                }
                "text" if element.has_class("code") => room(&elements, at),
                "circle" if element.has_class("hole-ring") => {
                    let (x, y, r) =
                        (element.number("cx"), element.number("cy"), element.number("r"));
                    Rect { x: x - r, y: y - r, right: x + r, bottom: y + r }
                }
                _ => continue,
            };
            assert!(page.contains(&inner), "{name}: {element:?} lies outside");
            // A box stands in the box around its group; anything else in the box of its group.
            let from = if element.has_class("box") { element.parent.unwrap() } else { at };
            let frame = enclosing(&elements, from);
            if let Some((_, outer)) = frame {
                assert!(outer.contains(&inner), "{name}: {element:?} sticks out of its box");
            }
            let in_pill = element.name == "text"
                && elements.iter().any(|one| one.parent == Some(at) && one.has_class("state-name"));
            let in_table = element.name == "text"
                && element.parent.is_some_and(|group| {
                    elements[group].has_class("vector") || elements[group].has_class("vectors")
                });
            let is_inner_ring = element.has_class("final");
            if !in_pill && !in_table && !is_inner_ring {
                solid.push((frame.map(|(group, _)| group), inner, format!("{element:?}")));
            }
        }
        for (at, (group, one, what)) in solid.iter().enumerate() {
            for (other_group, other, other_what) in &solid[at + 1..] {
                let apart = group != other_group || !one.overlaps(other);
                assert!(apart, "{name}: {what} lies on {other_what}");
            }
        }
    }
}

// ---- who talks to whom ----

/// The parts that lines join.
fn links(net: &PNet) -> Vec<String> {
    let elements = parse(&svg(net));
    let links = elements.iter().filter(|one| one.name == "g" && one.has_class("link"));
    links.map(|one| one.get("data-parts").to_owned()).collect()
}

#[test]
fn parts_that_share_a_vector_have_a_line() {
    for (name, net) in all().into_iter().filter(|(name, _)| *name != "large_ring") {
        let found = links(&net);
        for node in &net.nodes {
            for vector in &node.vectors {
                let parts =
                    vector.members.iter().map(|member| node.parts[member.part].name.to_string());
                let parts: Vec<String> = parts.collect();
                let joined = found.iter().any(|link| {
                    let link: Vec<&str> = link.split(' ').collect();
                    parts.iter().all(|part| link.contains(&part.as_str()))
                });
                assert!(parts.len() < 2 || joined, "{name}: {parts:?} in {found:?}");
            }
        }
    }
    assert_eq!(links(&drawn("Star")).len(), 5);
    assert_eq!(links(&nets::lonely()), [""; 0]);
}

/// The middle of the box of a part.
fn middle(elements: &[Element], path: &str) -> (f64, f64) {
    let group = elements.iter().position(|one| one.name == "g" && one.get("data-path") == path);
    let frame = elements.iter().find(|one| one.parent == group && one.has_class("box")).unwrap();
    let Rect { x, y, right, bottom } = rect(frame);
    ((x + right) / 2.0, (y + bottom) / 2.0)
}

#[test]
fn rings_look_like_rings_and_stars_like_stars() {
    let elements = parse(&svg(&drawn("Ring")));
    let at: Vec<(f64, f64)> =
        (0..5).map(|place| middle(&elements, &format!("Ring.S[{place}]"))).collect();
    // Going round, one always turns to the same side.
    for place in 0..5 {
        let (a, b, c) = (at[place], at[(place + 1) % 5], at[(place + 2) % 5]);
        let turn = (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0);
        assert!(turn > 0.0, "{at:?}");
    }
    let elements = parse(&svg(&drawn("Star")));
    let hub = middle(&elements, "Star.H");
    let far: Vec<(f64, f64)> =
        (0..5).map(|place| middle(&elements, &format!("Star.P[{place}]"))).collect();
    assert!(far.iter().any(|at| at.0 < hub.0) && far.iter().any(|at| at.0 > hub.0));
    assert!(far.iter().any(|at| at.1 < hub.1) && far.iter().any(|at| at.1 > hub.1));
}

#[test]
fn connectors_have_their_triggers_and_order() {
    let picture = svg(&drawn("Cast"));
    let count = |text: &str| picture.matches(text).count();
    // `get` and `put` have a trigger each; two synchrons, those of the connector inside, and that itself.
    assert_eq!(count("class=\"trigger\""), 2);
    assert_eq!(count("class=\"synchron\""), 5);
    assert_eq!(count("class=\"hub-name\""), 2);
    assert_eq!(count("class=\"order\""), 1);
    assert!(picture.contains("priority get &lt; put"));
    let graph = dot(&drawn("Cast"));
    assert_eq!(graph.matches("arrowhead=inv").count(), 2, "{graph}");
    assert_eq!(graph.matches("arrowhead=dot").count(), 5, "{graph}");
    assert_eq!(graph.matches("style=dotted").count(), 1, "{graph}");
}

/// Connectors that others stand on have their names, data of one name is told apart, what a priority comes to is said by ports,
/// and comments are there where one points.
#[test]
fn connectors_stand_on_connectors() {
    let checked = sources::check(&sources::PROJECT, "examples/agreement.pnet");
    let net = checked.build(Some("Agreement"), &ElaborateOptions::default()).unwrap();
    let picture = svg_with_comments(&net, &checked.sources);
    parse(&picture);
    let count = |text: &str| picture.matches(text).count();
    assert_eq!(count(">pair<"), 2, "{picture}");
    assert_eq!(count("class=\"hub-name\""), 3);
    assert_eq!((count("class=\"trigger\""), count("class=\"synchron\"")), (2, 4));
    assert!(picture.contains("if x_2 &lt; x then x"), "{picture}");
    assert!(picture.contains("S[0].show S[1].show S[2].show S[3].show"), "{picture}");
    let graph = dot(&net);
    assert_eq!(graph.matches("label=\"pair\"").count(), 2, "{graph}");
    let checked = sources::check(&sources::PROJECT, "examples/tutorial/19_glue.pnet");
    let net = checked.build(None, &ElaborateOptions::default()).unwrap();
    let told = svg_with_comments(&net, &checked.sources);
    let wanted = "<title>Has a mark to give, and takes another one when all agree.</title>";
    assert_eq!(told.matches(wanted).count(), 4, "{told}");
    assert!(!svg(&net).contains(wanted));
}

/// Rules: a box for each, components that it makes, names that it does not, and what is passed on.
#[test]
fn rules_are_drawn() {
    let disk = sources::Disk("examples/architectures");
    let checked = sources::check(&disk, "ring.pnet");
    let def = checked.architectures().into_iter().next().unwrap();
    let picture = rules_svg(&shown_rules(def, &checked.sources));
    assert_eq!(picture, rules_svg(&shown_rules(def, &checked.sources)));
    let elements = parse(&picture);
    let paths = |class: &str| -> Vec<String> {
        let groups = elements.iter().filter(|one| one.name == "g" && one.has_class(class));
        groups.map(|one| one.get("data-path").to_owned()).collect()
    };
    assert_eq!(
        paths("hole"),
        ["Ring/Ring().x", "Ring/Ring().y", "Ring/Chain(x, y).y", "Ring/Chain(x, y).z"]
    );
    let made = ["Ring/Chain(x, y).x", "Ring/Chain(x, y).x", "Ring/Chain(x, y).y"];
    assert_eq!(paths("leaf"), made);
    let closed = ["Ring/Ring().Chain", "Ring/Chain(x, y).Chain"];
    assert_eq!(paths("closed"), closed);
    assert_eq!(picture.matches("class=\"passed\"").count(), 4, "{picture}");
    assert_eq!(picture.matches("<g class=\"vector\">").count(), 3);
    for text in ["Station", "Holder", ">send<", ">recv<", ">pass<", " : architecture"] {
        assert!(picture.contains(text), "{text}: {picture}");
    }
}

#[test]
fn text_is_never_cut() {
    let picture = svg(&drawn("Cast"));
    for whole in [
        "Very_long_name_of_a_process_that_goes_on",
        ">waiting_for_something_to_happen<",
        "等待消息",
        "n + 1 &lt;= 100",
        "n mod 3 != 2",
    ] {
        assert!(picture.contains(whole), "{whole}");
    }
    assert!(!picture.contains('…'));
}

// ---- what is shown ----

fn paths(net: &PNet, class: &str) -> Vec<String> {
    let elements = parse(&svg(net));
    let groups = elements.iter().filter(|one| one.name == "g" && one.has_class(class));
    groups.map(|one| one.get("data-path").to_owned()).filter(|path| !path.is_empty()).collect()
}

#[test]
fn the_hierarchy_is_shown() {
    let net = nets::enable_left();
    assert_eq!(paths(&net, "node"), ["EnableLeft", "EnableLeft.P"]);
    assert_eq!(paths(&net, "hole"), ["EnableLeft.P.P", "EnableLeft.P.Q", "EnableLeft.Q"]);
    assert_eq!(paths(&net, "leaf"), ["EnableLeft.P.C", "EnableLeft.C"]);
}

#[test]
fn large_families_are_cut_short() {
    let net = nets::ring(1000);
    assert_eq!(paths(&net, "leaf"), ["Ring.S[0]", "Ring.S[1]", "Ring.S[999]"]);
    assert_eq!(paths(&net, "gap"), ["Ring.…"]);
    let picture = svg(&net);
    // `enter` and `leave` of three stations, the token from the first to the second and from the last.
    assert_eq!(picture.matches("<g class=\"vector\">").count(), 8);
    assert!(picture.contains("… and 2992 more"), "it is said how many are not shown");
    assert_eq!(paths(&nets::ring(8), "leaf").len(), 8);
}

#[test]
fn graphs_have_what_graphviz_needs() {
    for (name, net) in all() {
        let text = dot(&net);
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "{name}");
        let tables: Vec<&str> = text.split("label=<\n").skip(1).collect();
        for table in tables {
            parse(table.split(">];").next().unwrap().trim());
        }
    }
    let text = dot(&nets::failure_monitor());
    assert_eq!(text.matches("subgraph cluster_").count(), 3);
    assert!(text.contains("shape=circle"));
    assert!(text.contains("<td align=\"left\">b1 == b2 and (b1 or b2 =&gt; b0)</td>"), "{text}");
}

// ---- terms ----

#[test]
fn terms_read_well() {
    let mut make = nets::Maker::new("Terms");
    let (_, x) = make.var("x", Sort::Int, VariableKind::State);
    let (_, y) = make.var("y", Sort::Int, VariableKind::State);
    let (_, a) = make.var("a", Sort::Action, VariableKind::Vector);
    let (delta, acc) = (make.action("delta", &[Sort::Int]), make.action("acc", &[]));
    let terms = &mut make.net.terms;
    let (zero, two) = (terms.int(0), terms.int(2));
    let mut expected = Vec::new();
    let less = terms.less(x, y);
    expected.push((less, "x < y"));
    expected.push((terms.not(less), "x >= y"));
    let positive = terms.less(zero, x);
    expected.push((positive, "x > 0"));
    let same = terms.equal(x, y);
    expected.push((terms.not(same), "x != y"));
    let minus = terms.negate(y);
    let difference = terms.add([x, minus]);
    expected.push((difference, "x - y"));
    expected.push((minus, "-y"));
    let product = terms.multiply([two, difference]);
    expected.push((product, "2 * (x - y)"));
    let remainder = terms.modulo(product, x);
    expected.push((remainder, "(2 * (x - y)) mod x"));
    let (is_delta, is_acc) = (terms.is_act(delta, a), terms.is_act(acc, a));
    expected.push((terms.not(is_delta), "a is not delta(_)"));
    let either = terms.or([is_delta, is_acc]);
    expected.push((either, "a in {delta(_), acc}"));
    expected.push((terms.not(either), "a not in {delta(_), acc}"));
    let both = terms.and([less, positive]);
    expected.push((terms.not(both), "not (x < y and x > 0)"));
    let implied = terms.implies(both, same);
    expected.push((implied, "x < y and x > 0 => x == y"));
    expected.push((terms.and([is_acc, implied]), "a is acc and (x < y and x > 0 => x == y)"));
    let chosen = terms.if_then_else(less, x, y);
    expected.push((terms.add([chosen, two]), "(if x < y then x else y) + 2"));
    let act = terms.raw(Term::Act(delta, [x].into()));
    expected.push((terms.raw(Term::Sync(act)), "sync delta(x)"));
    for (id, text) in expected {
        assert_eq!(label::term(&make.net, id), text);
    }
}

#[test]
fn endless_terms_are_cut_short() {
    let mut make = nets::Maker::new("Terms");
    let (_, x) = make.var("x", Sort::Int, VariableKind::State);
    let mut term = x;
    for _ in 0..10_000 {
        term = make.net.terms.raw(Term::Div(term, term));
    }
    let text = label::term(&make.net, term);
    assert!(text.len() < 4000 && text.contains('…'));
}
