//! How fast `pnet check` is, how its time grows, and how much memory it takes.
//!
//! Run it with `make bench`. It generates models of 10,000, 100,000 and 1,000,000 lines, checks each in a
//! process of its own, and prints lines a second, the growth from each size to the next, and the peak of
//! memory. Machines differ and are noisy: compare figures of one run only.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

use std::fmt::Write;
use std::process::Command;
use std::time::Instant;

use pnetc::diagnostics::Levels;
use pnetc::loader::Sources;
use pnetc::session::Session;

/// The same allocator as the command's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
const RUNS: usize = 3;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args.iter().position(|arg| arg == "--measure") {
        Some(at) => measure(args[at + 1].parse().expect("a number of lines")),
        None => report(),
    }
}

/// Measures every size, each in a fresh process, and prints a table.
fn report() {
    println!("| lines | bytes | seconds | lines/s | growth | peak memory |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut before: Option<f64> = None;
    for size in SIZES {
        let this = std::env::current_exe().expect("this program");
        let output =
            Command::new(this).arg("--measure").arg(size.to_string()).output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("text");
        let figures: Vec<f64> =
            text.split_whitespace().map(|word| word.parse().expect("a figure")).collect();
        let [lines, bytes, seconds, memory] = figures[..] else { panic!("unexpected: {text}") };
        let growth =
            before.map_or_else(|| "".to_owned(), |before| format!("{:.1}x", seconds / before));
        println!(
            "| {lines} | {bytes} | {seconds:.3} | {:.0} | {growth} | {:.0} MB |",
            lines / seconds,
            memory / 1024.0
        );
        before = Some(seconds);
    }
}

/// Checks one model a few times; prints its lines, bytes, the best time and the peak of memory in kB.
fn measure(size: usize) {
    let model = Model(generate(size));
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let checked = Session::default().check(&model, "model.pnet").expect("it can be read");
        best = best.min(start.elapsed().as_secs_f64());
        let said =
            checked.diagnostics.into_iter().filter_map(|d| Levels::default().apply(d)).next();
        assert!(said.is_none(), "the model should be fine: {said:?}");
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|rest| rest.split_whitespace().next()).unwrap_or("0");
    println!("{} {} {best} {peak}", model.0.lines().count(), model.0.len());
}

struct Model(String);

impl Sources for Model {
    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        Ok(self.0.clone().into_bytes())
    }
}

/// A model of about this many lines: timers, routers and the nets that join them, as people write them.
fn generate(lines: usize) -> String {
    let mut model = String::from(
        "/// Generated for a benchmark.\nmodule bench;\n\nsort Data;\nconst LIMIT: Int = 16;\n\
         enum Mode { Idle, Busy, Broken }\ndata Message { Ping, Packet(seq: Int, body: Data) }\n\n\
         action start, stop, tick, set(Int), timeout(Int);\n\
         action put(Int, Data), get(Int, Data), send(Message), receive(Message), pass(Int, Data);\n\n",
    );
    let mut written = 12;
    let mut number = 0;
    while written < lines {
        let before = model.len();
        block(&mut model, number);
        written += model[before..].matches('\n').count();
        number += 1;
    }
    model
}

/// About forty lines: two processes, a function and a net.
fn block(model: &mut String, n: usize) {
    write!(
        model,
        "/// The number of a message.\n\
         fun number{n}(m: Message, mode: Mode): Int =\n    \
             match m {{ Ping => 0, Packet(seq, _) => if mode == Busy then seq + {n} else seq * 2 }};\n\n\
         /// Counts to a limit.\n\
         process Timer{n}<max: Int> {{\n    \
             var t: Int = 0;\n    \
             var mode: Mode = Idle;\n    \
             init state idle;\n    \
             state running;\n    \
             final state broken;\n\n    \
             idle -> running : start do t := 0, mode := Busy;\n    \
             running -> running : tick when t < max and t + 1 < LIMIT * {n} + 1 do t := t + 1;\n    \
             running -> idle : timeout(t) when t >= max or mode == Broken do mode := Idle;\n    \
             running -> idle : set(?x) when x > 0 and x < LIMIT do t := x;\n    \
             running -> broken : stop when number{n}(Ping, mode) == 0;\n\
         }}\n\n\
         /// Keeps a message and passes it on.\n\
         process Router{n} {{\n    \
             var last: Message = Ping;\n    \
             var count: 0..{m} = 0;\n    \
             init state empty;\n    \
             state full;\n\n    \
             empty -> full : receive(?m) when m is Packet(_, _) do last := m, count := (count + 1) mod {m};\n    \
             full -> empty : send(last) when not (last is Ping) => count > 0;\n    \
             full -> full : put(count, last.body) when last is Packet(_, _);\n\
         }}\n\n\
         net System{n}(P: any, Q: any) {{\n    \
             sub T = Timer{n}<{k}>;\n    \
             sub R = Router{n};\n\n    \
             <P: ?a, T: start> -> a when a is not get(_, _);\n    \
             <P: get(i, d), R: put(i, d)> -> sync pass(i, d) when i < {k};\n    \
             <T: timeout(x), Q: set(x)> -> timeout(x);\n    \
             <T: set(x), R: receive(Packet(x, d)), Q: put(x, d)> -> pass(x, d);\n    \
             <R: send(m), Q: receive(m)> -> send(m);\n    \
             <T: tick> -> tick;\n    \
             <T: stop> -> stop;\n\
         }}\n\n",
        m = n % 7 + 2,
        k = n % 31 + 1,
    )
    .expect("writing to a text");
}
