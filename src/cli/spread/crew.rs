//! The workers that are started here: processes of this same program, each with pipes by which it is told what to do and
//! says what comes of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Places;
use super::wire::{Order, Report, Said};
use crate::base::{Spent, Watch};
use crate::cli::files::in_words;
use crate::cli::watch::{Working, listen_to_termination};

/// How often to look at the clock.
const LOOK: Duration = Duration::from_millis(20);

/// How long workers may take to end that should.
const GRACE: Duration = Duration::from_secs(60);

/// How much is kept of what a worker says that nobody asked for.
const MOST_SAID: u64 = 8192;

/// How a worker ended.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// With a report.
    Report(Box<Report>),
    /// It could not do its work.
    Failed(String),
    /// It was gone without a word, or with what it said to standard error.
    Gone(String),
}

impl End {
    /// Whether it was told to end before it had begun.
    pub fn is_stopped(&self) -> bool {
        matches!(self, End::Failed(why) if *why == Spent::Interrupted.to_string())
    }

    /// The worker that this one found gone.
    pub fn lost(&self) -> Option<u32> {
        match self {
            End::Report(report) => report.lost,
            End::Failed(_) | End::Gone(_) => None,
        }
    }
}

/// How workers ended, with their numbers, and why they were told to.
pub(super) struct Ended {
    pub workers: Vec<(u32, End)>,
    pub spent: Option<Spent>,
    pub seconds: f64,
}

/// What a worker said, or that it says nothing more.
type Heard = (usize, Option<Said>);

struct Hired {
    number: u32,
    child: Child,
    orders: Option<ChildStdin>,
    stderr: Arc<Mutex<String>>,
    progress: (u64, u64, u64),
    /// How long nothing was heard of it.
    quiet: Duration,
    /// Whether it has said its last word.
    is_silent: bool,
    last: Option<End>,
}

/// Starts workers, and waits until all have ended.
pub(super) fn explore(places: &Places, secret: &str, watch: &Working) -> Result<Ended, String> {
    listen_to_termination();
    let (said, heard) = channel();
    let mut crew = Crew { hired: Vec::new(), heard, stopped: None, started: Instant::now() };
    for &number in &places.local {
        let at = crew.hired.len();
        match Hired::new(number, at, said.clone()) {
            Ok(hired) => crew.hired.push(hired),
            Err(why) => {
                crew.hired.iter_mut().for_each(Hired::kill);
                return Err(format!("worker {number} cannot be started: {why}"));
            }
        }
    }
    drop(said);
    let listen = |number: u32| match &places.addresses {
        Some(addresses) => addresses.get(number as usize).cloned().unwrap_or_default(),
        None => "127.0.0.1:0".to_owned(),
    };
    crew.hired.iter_mut().for_each(|one| one.tell(&Order::Listen(listen(one.number))));
    Ok(crew.work(places, secret, watch))
}

impl Hired {
    fn new(number: u32, at: usize, said: Sender<Heard>) -> Result<Hired, String> {
        let program = std::env::current_exe().map_err(|problem| in_words(&problem))?;
        let mut arguments = std::env::args_os().skip(1);
        let command = arguments.next().unwrap_or_default();
        let mut child = Command::new(program)
            .arg(command)
            .args(["--as-worker", &number.to_string()])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|problem| in_words(&problem))?;
        let (orders, stderr) = (child.stdin.take(), Arc::<Mutex<String>>::default());
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    if let Ok(one) = serde_json::from_str(&line) {
                        let _ = said.send((at, Some(one)));
                    }
                }
                let _ = said.send((at, None));
            });
        }
        if let Some(mut out) = child.stderr.take() {
            let kept = Arc::clone(&stderr);
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = out.by_ref().take(MOST_SAID).read_to_end(&mut bytes);
                let text = String::from_utf8_lossy(&bytes).trim().to_owned();
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = text;
                let _ = std::io::copy(&mut out, &mut std::io::sink());
            });
        }
        let (progress, quiet) = ((0, 0, 0), Duration::ZERO);
        let (is_silent, last) = (false, None);
        Ok(Hired { number, child, orders, stderr, progress, quiet, is_silent, last })
    }

    /// Tells it something. Whoever is gone does not listen.
    fn tell(&mut self, order: &Order) {
        let line = serde_json::to_string(order).unwrap_or_default();
        if let Some(orders) = &mut self.orders {
            let _ = writeln!(orders, "{line}").and_then(|()| orders.flush());
        }
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// It has said nothing for so long that nothing more is to be expected.
    fn give_up(&mut self) {
        let seconds = self.quiet.as_secs();
        let how = format!("it said nothing for {seconds} s, and was ended (`--worker-timeout`)");
        self.last = Some(End::Gone(how));
        self.kill();
    }

    /// It says nothing more.
    fn fell_silent(&mut self) {
        self.is_silent = true;
        let status = self.child.wait();
        if self.last.is_none() {
            let how = status.map_or_else(|problem| in_words(&problem), |status| in_status(&status));
            let said = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let said = if said.is_empty() { String::new() } else { format!("\n{said}") };
            self.last = Some(End::Gone(format!("{how}{said}")));
        }
    }
}

/// How a process ended, in words.
fn in_status(status: &ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(status) {
        return format!("it was killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("it ended with status {code}"),
        None => "it was killed".to_owned(),
    }
}

/// The workers that were started here.
struct Crew {
    hired: Vec<Hired>,
    heard: Receiver<Heard>,
    /// When they were told to end.
    stopped: Option<Instant>,
    started: Instant,
}

impl Crew {
    fn work(mut self, places: &Places, secret: &str, watch: &Working) -> Ended {
        let (mut listening, mut spent, mut looked) = (Vec::new(), None, Instant::now());
        while self.hired.iter().any(|one| !one.is_silent) {
            let heard = self.heard.recv_timeout(LOOK);
            self.mark_quiet(&heard, looked.elapsed(), places.patience);
            looked = Instant::now();
            match heard {
                Ok((at, Some(Said::Listening(address)))) => {
                    listening.push((at, address));
                    if listening.len() == self.hired.len() {
                        self.meet(&mut listening, places, secret);
                    }
                }
                Ok((at, said)) => self.hear(at, said, watch),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOOK),
            }
            if spent.is_none() {
                spent = watch.budget().spent();
                spent.into_iter().for_each(|spent| self.stop(Some(spent)));
            }
            if self.stopped.is_some_and(|since| since.elapsed() > GRACE) {
                self.hired.iter_mut().filter(|one| !one.is_silent).for_each(Hired::kill);
            }
        }
        let seconds = self.started.elapsed().as_secs_f64();
        let last = |one: Hired| (one.number, one.last.unwrap_or(End::Gone(String::new())));
        Ended { workers: self.hired.into_iter().map(last).collect(), spent, seconds }
    }

    /// Notes of whom something was heard, and ends whoever is quiet for too long. Time that went by while nobody listened here
    /// is not theirs.
    fn mark_quiet(
        &mut self,
        heard: &Result<Heard, RecvTimeoutError>,
        since: Duration,
        patience: Option<Duration>,
    ) {
        let speaker = heard.as_ref().ok().map(|(at, _)| *at);
        let since = since.min(5 * LOOK);
        for (at, one) in self.hired.iter_mut().enumerate().filter(|(_, one)| !one.is_silent) {
            one.quiet = if speaker == Some(at) { Duration::ZERO } else { one.quiet + since };
            if one.last.is_none() && patience.is_some_and(|patience| one.quiet > patience) {
                one.give_up();
            }
        }
    }

    /// All listen: they can meet.
    fn meet(&mut self, listening: &mut [(usize, String)], places: &Places, secret: &str) {
        listening.sort();
        let said = || listening.iter().map(|(_, address)| address.clone()).collect();
        let addresses = places.addresses.clone().unwrap_or_else(said);
        let order = Order::Meet { secret: secret.to_owned(), addresses };
        self.hired.iter_mut().for_each(|one| one.tell(&order));
    }

    fn hear(&mut self, at: usize, said: Option<Said>, watch: &Working) {
        let hired = &mut self.hired[at];
        match said {
            Some(Said::Progress(states, transitions, depth)) => {
                hired.progress = (states, transitions, depth);
                let sum = |(a, b, c): (u64, u64, u64), one: &Hired| {
                    let (states, transitions, depth) = one.progress;
                    (a + states, b + transitions, c.max(depth))
                };
                let (states, transitions, depth) = self.hired.iter().fold((0, 0, 0), sum);
                watch.exploring(states, transitions, depth);
            }
            Some(Said::Ended(report)) => hired.last = Some(End::Report(report)),
            Some(Said::Failed(why)) => {
                hired.last = Some(End::Failed(why));
                self.stop(None);
            }
            Some(Said::Stopping) => self.stop(None),
            Some(Said::Listening(_) | Said::Alive) => {}
            None => {
                hired.fell_silent();
                // Those who wait for it to come would wait for long.
                let whole = |end: &End| matches!(end, End::Report(_)) && end.lost().is_none();
                if !hired.last.as_ref().is_some_and(whole) {
                    self.stop(None);
                }
            }
        }
    }

    /// Has all end.
    fn stop(&mut self, why: Option<Spent>) {
        if self.stopped.is_some() {
            return;
        }
        self.stopped = Some(Instant::now());
        let order = Order::Stop(match why {
            Some(Spent::Time { milliseconds }) => Some(milliseconds),
            _ => None,
        });
        self.hired.iter_mut().for_each(|one| one.tell(&order));
    }
}
