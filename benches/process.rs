//! Commands that are measured from outside: what they say, and what they take.

use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a command took.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// Seconds of the processor, of all its threads; of the clock where the system does not tell.
    pub cpu: f64,
    /// Seconds of the clock.
    #[allow(dead_code, reason = "not every benchmark has threads")]
    pub clock: f64,
    /// The most memory that it used, in megabytes, as far as the system tells.
    pub memory: Option<u64>,
}

/// Runs a command to its end, and says what it wrote and what it took.
#[allow(dead_code, reason = "not every benchmark is so patient")]
pub fn run(command: &mut Command) -> (String, Spent) {
    run_within(command, Duration::MAX).expect("it is waited for")
}

/// The same, unless it takes more time of the processor than that: others may be at work, too.
#[allow(dead_code, reason = "not every benchmark is so impatient")]
pub fn run_within(command: &mut Command, patience: Duration) -> Option<(String, Spent)> {
    match ended_within(command, patience) {
        Ended::Well(said, spent) => Some((said, spent)),
        Ended::Late => None,
        Ended::Badly(why) => panic!("{command:?}: {why}"),
    }
}

/// How a program ended.
pub enum Ended {
    /// It said something, and this is what it took.
    Well(String, Spent),
    /// It was ended, since it took too long.
    Late,
    /// It failed, or ended itself.
    Badly(String),
}

/// Runs a program, unless it takes more time of the processor than that.
pub fn ended_within(command: &mut Command, patience: Duration) -> Ended {
    match ended(command, patience) {
        None => Ended::Late,
        Some((status, said, _)) if !status.success() => Ended::Badly(format!("{status}\n{said}")),
        Some((_, said, spent)) => Ended::Well(said, spent),
    }
}

/// Runs a program to its end, which may be that it refuted something.
#[allow(dead_code, reason = "not every benchmark has something refuted")]
pub fn run_checks(command: &mut Command) -> (String, Spent) {
    let (status, said, spent) = ended(command, Duration::MAX).expect("it is waited for");
    assert!(matches!(status.code(), Some(0 | 1)), "{command:?}: {status}");
    (said, spent)
}

/// How a program ended, what it said and what it took; nothing where it took too long.
fn ended(command: &mut Command, patience: Duration) -> Option<(ExitStatus, String, Spent)> {
    let (before, started) = (of_children(), Instant::now());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let reading = std::thread::spawn(move || {
        let mut said = String::new();
        out.read_to_string(&mut said).map(|_| said)
    });
    let mut memory = None;
    while !reading.is_finished() {
        memory = memory.max(most_memory(child.id()));
        let taken = of_one(child.id()).unwrap_or_else(|| started.elapsed().as_secs_f64());
        if taken > patience.as_secs_f64() {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = child.wait().unwrap();
    let (after, clock) = (of_children(), started.elapsed().as_secs_f64());
    let said = reading.join().unwrap().unwrap();
    let cpu = before.zip(after).map_or(clock, |(before, after)| after - before);
    Some((status, said, Spent { cpu, clock, memory }))
}

/// Seconds of the processor that a process took so far.
fn of_one(id: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

/// Seconds of the processor that all children took which have ended, for themselves and inside of the system.
fn of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the command may have spaces; it stands in parentheses, and fourteen fields follow.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: f64 = fields[13].parse::<f64>().ok()? + fields[14].parse::<f64>().ok()?;
    // Linux counts hundredths of seconds here, whatever its own clock does.
    Some(ticks / 100.0)
}

/// The most memory that a process used so far, in megabytes.
fn most_memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

/// How many processes wanted a processor during the last minute, on average.
#[allow(dead_code, reason = "not every benchmark asks for it")]
pub fn load() -> Option<String> {
    let load = std::fs::read_to_string("/proc/loadavg").ok()?;
    load.split_whitespace().next().map(str::to_owned)
}
