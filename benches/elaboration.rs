//! How elaboration grows: rings of 1,000, 10,000 and 100,000 stations.
//!
//! Run it with `make bench`. Machines differ and are noisy: compare figures of one run only.
//!
//! Between two nets the allocator keeps its memory: else the system would clear fresh pages for each of the large
//! ones, and the small ones, which fit into what is kept anyway, would look better than they are.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

use std::time::Instant;

use pnetc::elaborate::ElaborateOptions;
use pnetc::loader::Sources;
use pnetc::model::Checked;
use pnetc::session::Session;

/// The same allocator as the command's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Each size is measured as often, in turn, so that a noisy moment hits them all alike.
const ROUNDS: usize = 7;

const RING: &str = "
    action give(Int), take(Int), pass(Int, Int);

    process Station<i: Int> {
        var has: Bool = i == 0;
        var laps: Int = 0;
        init state waiting;
        state busy;

        waiting -> busy    : take(?x) when x != i do has := true;
        busy    -> waiting : give(i) when has or laps > 0 do has := false, laps := laps + 1;
    }

    net Ring<n: Int> {
        sub S[i: 0..n] = Station<i>;

        <S[i]: give(x), S[(i + 1) mod n]: take(x)> -> pass(i, x) for i in 0..n;
    }
";

struct Model(String);

impl Sources for Model {
    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        Ok(self.0.clone().into_bytes())
    }
}

/// The seconds that one net takes, on average over as many as make the work the same for all sizes.
fn seconds(checked: &Checked, stations: usize, most: usize) -> (f64, usize) {
    let (mut total, mut terms) = (0.0, 0);
    let copies = most / stations;
    for _ in 0..copies {
        let checked = checked.anew();
        let start = Instant::now();
        let net = checked.build(None, &ElaborateOptions::default()).expect("it elaborates");
        total += start.elapsed().as_secs_f64();
        assert_eq!(net.plts.len(), stations);
        terms = net.terms.len();
    }
    (total / copies as f64, terms)
}

/// Starts this program again with an allocator that keeps its memory; says whether it did.
fn keep_memory() -> bool {
    const SETTING: &str = "MIMALLOC_PURGE_DELAY";
    if std::env::var_os(SETTING).is_some() {
        return false;
    }
    let program = std::env::current_exe().expect("this program has a path");
    let ended = std::process::Command::new(program).env(SETTING, "-1").status();
    assert!(ended.expect("it starts").success());
    true
}

fn main() {
    if keep_memory() {
        return;
    }
    let sizes = [1_000, 10_000, 100_000];
    let checked = sizes.map(|stations| {
        let model = Model(format!("{RING}\nnet Big = Ring<{stations}>;\n"));
        let checked = Session::default().check(&model, "ring.pnet").expect("it can be read");
        assert!(!checked.has_errors(), "the model should be fine");
        checked
    });
    let mut times = [const { Vec::new() }; 3];
    let mut terms = [0; 3];
    for _ in 0..ROUNDS {
        for (at, &stations) in sizes.iter().enumerate() {
            let (time, count) = seconds(&checked[at], stations, 100_000);
            times[at].push(time);
            terms[at] = count;
        }
    }
    println!("| stations | terms | seconds (median of {ROUNDS}) | growth |");
    println!("| --- | --- | --- | --- |");
    let mut before: Option<f64> = None;
    for (at, stations) in sizes.iter().enumerate() {
        times[at].sort_by(f64::total_cmp);
        let median = times[at][ROUNDS / 2];
        let growth = before.map_or_else(String::new, |before| format!("{:.1}x", median / before));
        println!("| {stations} | {} | {median:.4} | {growth} |", terms[at]);
        before = Some(median);
    }
}
