//! What open automata are written as: rules, JSON, graphs and pictures.
//!
//! `golden/automata/NAME.txt` and its neighbours are what is expected. `PNET_BLESS=1 cargo test --test
//! emit_automaton` writes them anew; read the difference, and look at the pictures, before you believe it.

use crate::automata::made;
use crate::automata::shown;
use crate::pictures_support::xml;

use std::path::{Path, PathBuf};

use made::Made;
use pnetc::emit::automaton::{dot, json, rules, svg, text};
use serde_json::Value;
use xml::{Rect, parse, rect, room};

fn all() -> Vec<(&'static str, Made)> {
    vec![
        ("enable_state", made::enable_state()),
        ("enable_data", made::enable_data()),
        ("failure_monitor", made::failure_monitor()),
        ("escapes", made::escapes()),
        ("grid", made::grid(5, 6)),
        ("crowd", made::crowd()),
        ("silent", made::silent()),
    ]
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/automata")
}

fn forms(made: &Made) -> [(&'static str, String); 4] {
    let value = json(&made.automaton, Some(&made.net), Some(&made.sources));
    [
        ("txt", text(&made.automaton)),
        ("json", format!("{value:#}\n")),
        ("dot", dot(&made.automaton)),
        ("svg", svg(&made.automaton)),
    ]
}

#[test]
fn all_forms_are_as_expected() {
    let bless = std::env::var_os("PNET_BLESS").is_some();
    let mut complaints = Vec::new();
    for (name, made) in all() {
        for (extension, found) in forms(&made) {
            let path = folder().join(format!("{name}.{extension}"));
            if bless {
                std::fs::create_dir_all(folder()).unwrap();
                std::fs::write(&path, &found).unwrap();
            }
            let expected = std::fs::read_to_string(&path).unwrap_or_default();
            if found != expected {
                complaints.push(format!("{name}.{extension}:\n{found}"));
            }
        }
    }
    assert!(complaints.is_empty(), "PNET_BLESS=1 renews them\n{}", complaints.join("\n"));
}

#[test]
fn all_forms_are_the_same_every_time() {
    for ((name, a), (_, b)) in all().into_iter().zip(all()) {
        assert_eq!(forms(&a), forms(&b), "{name}");
    }
}

// ---- text ----

#[test]
fn rules_read_like_those_of_the_papers() {
    let found = text(&made::enable_data().automaton);
    let rule = "  2. {P: delta(x), Q: acc(x)}, [v == 0], {v <- 1}\n     \
        --------------------------------------------\n     \
        s --sync delta(x)--> s\n";
    assert!(found.contains(rule), "{found}");
    assert!(found.contains("[a is not delta(_) and v == 0]"), "{found}");
    assert!(found.contains("C.v: Int = 0"), "{found}");
    let found = text(&made::failure_monitor().automaton);
    assert!(found.contains("   7. [t < Max], {t <- t + 1}\n"), "{found}");
    assert!(found.contains("constants    Max: Int\n"), "{found}");
    // Without premises there is no line.
    assert!(found.contains("\n\n   4. s0.t0 --reset--> s0.t0\n"), "{found}");
}

#[test]
fn names_are_written_as_in_the_language() {
    let made = made::escapes();
    let rule = &rules(&made.automaton)[0];
    assert_eq!(rule.action, "`when`(x)");
    let guard = rule.guard.as_ref().unwrap();
    assert!(guard.starts_with("`in` < `state` and x >= 0 and x >= 1000 and"), "{guard}");
    // What is bound does not hide what is free.
    assert!(guard.ends_with("(exists x_2: Int . x_2 == x)"), "{guard}");
    let found = text(&made.automaton);
    assert!(found.contains("(any value)"), "{found}");
    assert!(found.contains("axioms       `state` > 0"), "{found}");
    assert!(found.lines().all(|line| line.chars().count() <= 110), "{found}");
}

// ---- JSON ----

/// All numbers under a key, wherever it stands.
fn numbers(value: &Value, key: &str, found: &mut Vec<usize>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| numbers(item, key, found)),
        Value::Object(fields) => {
            for (name, inner) in fields {
                match inner.as_u64() {
                    Some(number) if name == key => found.push(number as usize),
                    _ => numbers(inner, key, found),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn json_has_no_dangling_numbers() {
    let mut seen = std::collections::BTreeSet::new();
    for (name, made) in all() {
        let value = json(&made.automaton, None, None);
        for (key, table) in [("term", "terms"), ("variable", "variables"), ("hole", "holes")] {
            let mut found = Vec::new();
            numbers(&value, key, &mut found);
            let count = value[table].as_array().unwrap().len();
            seen.extend(found.iter().map(|_| key));
            assert!(found.iter().all(|&number| number < count), "{name}: {key}");
        }
        let transitions = value["transitions"].as_array().unwrap();
        assert_eq!(transitions.len(), made.automaton.transitions.len());
        let places = value.to_string().contains("\"origin\"");
        assert!(!places, "{name}: without sources there are no places");
    }
    assert_eq!(seen.len(), 3, "numbers under other keys were not looked at: {seen:?}");
}

#[test]
fn json_says_where_things_come_from() {
    let made = made::enable_state();
    let value = json(&made.automaton, Some(&made.net), Some(&made.sources));
    let used = &value["transitions"][1]["used"];
    let model = include_str!("../../examples/enable.pnet");
    let cut = |origin: &Value| {
        let at = |key: &str| origin[key].as_u64().unwrap() as usize;
        model[at("start")..at("end")].to_owned()
    };
    assert_eq!(
        cut(&used["vectors"][0]["origin"]),
        "<P: delta(x), Q: acc(x), C: delta> -> sync delta(x)"
    );
    assert_eq!(cut(&used["transitions"][0]["origin"]), "left  -> right : delta");
    assert_eq!(value["transitions"][1]["action"]["text"], "sync delta(x)");
    assert_eq!(value["states"][0]["initial"], true);
    assert_eq!(value["states"][1]["name"], "right");
}

#[test]
fn the_documented_json_is_real() {
    let (models, examples) =
        (shown::blocks("docs/json.md", "pnet"), shown::blocks("docs/json.md", "json"));
    let made = made::watch(&models[1]);
    let real = shown::pretty(&json(&made.automaton, Some(&made.net), Some(&made.sources)));
    if std::env::var_os("PNET_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
        let document = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, document.replace(&examples[1], &real)).unwrap();
        return;
    }
    assert_eq!(examples[1], real, "PNET_BLESS=1 renews it");
}

#[test]
fn a_state_is_final_where_all_leaves_are() {
    let made = made::grid(2, 2);
    let value = json(&made.automaton, None, None);
    let finals: Vec<bool> =
        (0..4).map(|at| value["states"][at]["final"].as_bool().unwrap()).collect();
    assert_eq!(finals, [false, false, false, true]);
}

// ---- graphs ----

#[test]
fn graphs_have_an_arrow_for_each_pair_of_states() {
    let made = made::failure_monitor();
    let found = dot(&made.automaton);
    let arrows: Vec<&str> = found.lines().filter(|line| line.starts_with("  s0 -> ")).collect();
    assert_eq!(arrows.len(), 2, "{found}");
    assert!(found.contains("start -> s0 [label=\"t = 0\\l\"];"), "{found}");
    let found = dot(&made::escapes().automaton);
    assert!(found.contains("label=\"<s> & \\\"\\\\\"]"), "{found}");
    // Quotes are balanced on each line.
    for line in found.lines() {
        let plain = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(plain.matches('"').count() % 2, 0, "{line}");
    }
}

// ---- pictures ----

#[test]
fn pictures_are_well_formed() {
    for (name, made) in all() {
        let elements = parse(&svg(&made.automaton));
        assert_eq!(elements[0].name, "svg", "{name}");
        assert_eq!(elements.iter().filter(|element| element.parent.is_none()).count(), 1);
    }
}

#[test]
fn nothing_lies_on_anything_else() {
    for (name, made) in all() {
        let elements = parse(&svg(&made.automaton));
        let page = Rect {
            x: 0.0,
            y: 0.0,
            right: elements[0].number("width"),
            bottom: elements[0].number("height"),
        };
        let mut solid: Vec<(Rect, String)> = Vec::new();
        let mut states = 0;
        for (at, element) in elements.iter().enumerate() {
            let inner = match element.name.as_str() {
                "rect" if element.has_class("sheet") => rect(element),
                "rect" if element.has_class("state") && !element.has_class("final") => {
                    states += 1;
                    rect(element)
                }
                "text" if element.has_class("code") => room(&elements, at),
                _ => continue,
            };
            assert!(page.contains(&inner), "{name}: {element:?} lies outside");
            let named = |one: &xml::Element| one.has_class("state-name");
            let in_pill = element.name == "text"
                && elements.iter().any(|one| one.parent == Some(at) && named(one));
            let in_table = element.name == "text"
                && element.parent.is_some_and(|group| {
                    elements[group].has_class("vector") || elements[group].has_class("vectors")
                });
            if !in_pill && !in_table {
                solid.push((inner, format!("{element:?}")));
            }
        }
        assert_eq!(states, made.automaton.states.len(), "{name}");
        for (at, (one, what)) in solid.iter().enumerate() {
            for (other, other_what) in &solid[at + 1..] {
                assert!(!one.overlaps(other), "{name}: {what} lies on {other_what}");
            }
        }
    }
}

#[test]
fn cells_of_the_table_do_not_reach_into_each_other() {
    for (name, made) in all() {
        let elements = parse(&svg(&made.automaton));
        for (row, _) in elements.iter().enumerate().filter(|(_, one)| one.has_class("vector")) {
            let inside =
                |at: &usize| elements[*at].name == "text" && elements[*at].parent == Some(row);
            let cells: Vec<Rect> =
                (0..elements.len()).filter(inside).map(|at| room(&elements, at)).collect();
            for (at, one) in cells.iter().enumerate() {
                assert!(cells[at + 1..].iter().all(|other| !one.overlaps(other)), "{name}");
            }
        }
    }
}

#[test]
fn each_transition_has_its_row_and_its_number() {
    let picture = svg(&made::failure_monitor().automaton);
    assert_eq!(picture.matches("<g class=\"vector\">").count(), 12);
    for number in 1..=12 {
        let label = format!("<tspan class=\"number\">{number} </tspan>");
        assert_eq!(picture.matches(&label).count(), 1, "{number}");
    }
    assert!(picture.contains("t = 0") && picture.contains("Max: Int"));
}

#[test]
fn large_automata_are_written_quickly() {
    let made = made::grid(100, 100);
    let started = std::time::Instant::now();
    let picture = svg(&made.automaton);
    parse(&picture);
    assert!(picture.contains("10000 states, 19850 transitions"));
    assert!(picture.contains("… and 19550 more"));
    assert_eq!(text(&made.automaton).matches("--> ").count(), 19850);
    dot(&made.automaton);
    json(&made.automaton, None, None);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
