//! How long an editor waits for `pnet lsp`, over pipes: what is wrong after a change, hovering, typing while something is
//! verified; and whether memory grows while somebody types.
//!
//! Run it with `make bench`, or `cargo bench --bench editor`. Machines differ and are noisy: the middle of many tries is
//! told, and the worst.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    dead_code,
    reason = "a program for people, not part of the product"
)]

#[path = "../tests/it/common/lsp.rs"]
mod lsp;

use std::fmt::Write;
use std::time::Instant;

use lsp::Editor;
use serde_json::{Value, json};

/// A claim whose answer takes longer than anybody waits.
const LONG: &str = "\
action tick;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 1000000000 do n := n + 1;
}

net Many { sub C[i: 0..6] = Clock; <C[i]: tick> -> tick for i in 0..6; }

check always(Many, C[0].n * C[1].n * C[2].n + C[3].n * C[4].n * C[5].n != 998244353);
";

fn main() {
    println!("| what | middle | worst | limit |");
    println!("| --- | --- | --- | --- |");
    let mut editor = Editor::new("bench");
    let text = model(10_000);
    let started = Instant::now();
    assert_eq!(editor.open("large.pnet", &text), Vec::<Value>::new());
    println!("| opening 10,000 lines | {:.1} ms | | |", started.elapsed().as_secs_f64() * 1e3);
    row("diagnostics after a change", 100.0, &typed(&mut editor, &text, 2, 60));
    let asked = editor.at("large.pnet", &text, "count9 <", 2);
    row("hover", 5.0, &timed(200, || drop(editor.ask("textDocument/hover", asked.clone()))));
    let about = editor.about("large.pnet");
    for (what, method) in [
        ("semantic tokens", "textDocument/semanticTokens/full"),
        ("outline", "textDocument/documentSymbol"),
        ("lenses", "textDocument/codeLens"),
    ] {
        row(what, f64::INFINITY, &timed(20, || drop(editor.ask(method, about.clone()))));
    }
    let completed = || drop(editor.ask("textDocument/completion", asked.clone()));
    row("completion", f64::INFINITY, &timed(20, completed));
    editor.open("long.pnet", LONG);
    let arguments = json!([editor.uri("long.pnet")]);
    let params = json!({ "command": "pnet.verify", "arguments": arguments, "workDoneToken": 1 });
    let id = editor.begin("workspace/executeCommand", params);
    editor.wait(|one| one["method"] == "$/progress");
    row("diagnostics while something is verified", 100.0, &typed(&mut editor, &text, 100, 60));
    row(
        "hover meanwhile",
        5.0,
        &timed(200, || drop(editor.ask("textDocument/hover", asked.clone()))),
    );
    editor.tell("$/cancelRequest", json!({ "id": id }));
    let started = Instant::now();
    assert!(editor.answer(id).is_err());
    println!("| from stopping to stopped | {:.1} ms | | |", started.elapsed().as_secs_f64() * 1e3);
    assert_eq!(editor.end(), 0);
    memory();
}

/// Memory while somebody types ten thousand letters.
fn memory() {
    let mut editor = Editor::new("bench_memory");
    let text = model(500);
    editor.open("large.pnet", &text);
    let mut before = None;
    println!("\n| edits | memory |\n| --- | --- |");
    for round in 0..10 {
        typed(&mut editor, &text, 2 + round * 1000, 1000);
        let used = resident(editor.child.id());
        println!("| {} | {used:.1} MB |", (round + 1) * 1000);
        before.get_or_insert(used);
    }
    let (before, after) = (before.unwrap(), resident(editor.child.id()));
    let grown = (after / before - 1.0) * 100.0;
    println!("\nfrom the first thousand edits to the last, memory changed by {grown:.0} %");
    assert_eq!(editor.end(), 0);
}

/// Types letters into a name, one after the other, and takes them away again: the times until it is known what is wrong.
fn typed(editor: &mut Editor, text: &str, version: i64, count: usize) -> Vec<f64> {
    let at = lsp::position(text, text.find("process P9 ").unwrap() + "process P9".len());
    let behind = json!({ "line": at["line"], "character": at["character"].as_u64().unwrap() + 1 });
    let mut times = Vec::with_capacity(count);
    for edit in 0..count {
        let (end, new) = if edit % 2 == 0 { (&at, "x") } else { (&behind, "") };
        let change = json!([{ "range": { "start": at, "end": end }, "text": new }]);
        let started = Instant::now();
        editor.edit("large.pnet", version + edit as i64, change);
        let wrong = editor.diagnostics("large.pnet");
        times.push(started.elapsed().as_secs_f64() * 1e3);
        // A process of another name is not the one that the net speaks of.
        assert_eq!(wrong.is_empty(), edit % 2 == 1, "{wrong:?}");
    }
    times
}

fn timed(count: usize, mut work: impl FnMut()) -> Vec<f64> {
    let one = |_| {
        let started = Instant::now();
        work();
        started.elapsed().as_secs_f64() * 1e3
    };
    (0..count).map(one).collect()
}

fn row(what: &str, limit: f64, times: &[f64]) {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let (middle, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let told = match limit.is_finite() {
        true if middle <= limit => format!("{limit} ms: met"),
        true => format!("{limit} ms: NOT MET"),
        false => String::new(),
    };
    println!("| {what} | {middle:.2} ms | {worst:.2} ms | {told} |");
}

/// A model of about so many lines without anything to complain about.
fn model(lines: usize) -> String {
    let mut text = String::from("action go, stop(Int);\n\n");
    // Each part is 19 lines, and typing needs the tenth of them.
    for number in 0..(lines / 19).max(10) {
        write!(
            text,
            "/// Goes on and off, {number}.\nprocess P{number} {{\n    var count{number}: Int = 0;\n    init state red;\n    \
             state green;\n\n    red   -> green : go when count{number} < 3 do count{number} := count{number} + 1;\n    \
             green -> red : stop(count{number});\n}}\n\nnet N{number} {{\n    sub L = P{number};\n\n    <L: go> -> go;\n    \
             <L: stop(x)> -> stop(x);\n}}\n\ncheck always(N{number}, L.count{number} <= 3);\n\n"
        )
        .unwrap();
    }
    text
}

/// Megabytes that a process uses.
fn resident(id: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
