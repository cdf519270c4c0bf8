//! How elaboration grows: rings of 1,000, 10,000 and 100,000 stations.
//!
//! Run it with `make bench`. Machines differ and are noisy: compare figures of one run only.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

use std::time::Instant;

use pnetc::driver::{self, Sources};
use pnetc::elaborate::Options;

/// The same allocator as the command's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RUNS: usize = 3;

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

fn main() {
    println!("| stations | terms | seconds | growth |");
    println!("| --- | --- | --- | --- |");
    let mut before: Option<f64> = None;
    for stations in [1_000, 10_000, 100_000] {
        let model = Model(format!("{RING}\nnet Big = Ring<{stations}>;\n"));
        let checked = driver::check(&model, "ring.pnet").expect("it can be read");
        assert!(!checked.has_errors(), "the model should be fine");
        let mut best = f64::INFINITY;
        let mut terms = 0;
        for _ in 0..RUNS {
            let start = Instant::now();
            let net = driver::build(&checked, None, &Options::default()).expect("it elaborates");
            best = best.min(start.elapsed().as_secs_f64());
            assert_eq!(net.plts.len(), stations);
            terms = net.terms.len();
        }
        let growth = before.map_or_else(String::new, |before| format!("{:.1}x", best / before));
        println!("| {stations} | {terms} | {best:.3} | {growth} |");
        before = Some(best);
    }
}
