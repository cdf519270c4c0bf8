//! Running something on many inputs: each in a thread of its own, with the stack that tests have, and not for
//! longer than it may take. A failure names its seed and leaves its input in a file.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::Random;

/// The stack that threads of tests have.
const STACK: usize = 2 << 20;

/// How long one input may take. Generous: other tests run at the same time.
pub const LIMIT: Duration = Duration::from_secs(20);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// How many inputs were asked for with `PNET_FUZZ`.
pub fn fuzz() -> Option<u64> {
    number("PNET_FUZZ")
}

/// The seeds to try: the one that `PNET_SEED` asks for, or so many; with both, so many from this one on.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    match number("PNET_SEED") {
        Some(seed) => seed..seed + fuzz().unwrap_or(1),
        None => 0..count,
    }
}

/// Makes an input from each seed and checks it. What was returned by `check` is added up.
pub fn for_seeds(
    name: &str,
    count: u64,
    make: impl Fn(&mut Random) -> Vec<u8> + Sync,
    check: fn(&[u8]) -> usize,
) -> usize {
    let next = AtomicU64::new(0);
    let seeds: Vec<u64> = seeds(count).collect();
    let work = || {
        let mut total = 0;
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            let input = make(&mut Random::new(seed));
            total += guarded(&format!("{name}, PNET_SEED={seed}"), LIMIT, input, check).0;
        }
        total
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        all.into_iter().map(|worker| worker.join().unwrap_or_else(|e| resume_unwind(e))).sum()
    })
}

/// Runs `check` on an input; fails if that panics or takes too long. Says how long it took.
///
/// An overflow of the stack ends the process; the name of the thread, which the last words of the process
/// mention, is then the label.
pub fn guarded<I, R>(label: &str, limit: Duration, input: I, check: fn(&[u8]) -> R) -> (R, Duration)
where
    I: Into<Vec<u8>>,
    R: Send + 'static,
{
    let input: std::sync::Arc<[u8]> = input.into().into();
    let (report, reports) = mpsc::channel();
    let theirs = std::sync::Arc::clone(&input);
    let start = Instant::now();
    let thread = std::thread::Builder::new().name(label.to_owned()).stack_size(STACK);
    let thread = thread.spawn(move || {
        let result = check(&theirs);
        let _ = report.send(result);
    });
    let thread = thread.unwrap();
    match reports.recv_timeout(limit) {
        Ok(result) => {
            let _ = thread.join();
            (result, start.elapsed())
        }
        Err(mpsc::RecvTimeoutError::Timeout) => {
            let path = keep(label, &input);
            panic!("{label}: not done after {limit:?}; the input is in {}", path.display());
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let failed = |text: &str| {
                check(text.as_bytes());
                Ok(())
            };
            match std::str::from_utf8(&input) {
                Ok(text) => {
                    let said = super::shrink::tried(label, text, failed);
                    eprintln!("{}", said.err().unwrap_or_else(|| format!("{label}: failed once")));
                }
                Err(_) => eprintln!("{label}: the input is in {}", keep(label, &input).display()),
            }
            match thread.join() {
                Err(failure) => resume_unwind(failure),
                Ok(()) => panic!("{label}: no answer"),
            }
        }
    }
}

/// Writes an input that failed to a file.
pub fn keep(label: &str, input: &[u8]) -> PathBuf {
    let name: String = label.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.pnet"));
    std::fs::write(&path, input).unwrap();
    path
}
