//! How workers meet: each listens, and connects to those before it. Both say who they are before anything else is sent, and
//! whoever does not know the secret, or has another model, is not let in.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::cli::files::in_words;

/// How long somebody may take who connects to say who it is: long enough for a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long the others are waited for.
const WAITING: Duration = Duration::from_secs(120);

/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(10);

/// The longest line that anybody listens to.
const LONGEST: usize = 4096;

/// Who somebody is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub secret: String,
    pub version: String,
    pub worker: u32,
    pub workers: u32,
    /// The hash of the texts of the model.
    pub model: String,
    /// The net, what is set, and how far to go, in words.
    pub task: String,
}

/// What is said to somebody who says hello.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Answer {
    Welcome(Hello),
    Refused(String),
    /// Whoever said hello has heard the answer, and did not go away meanwhile.
    Here,
}

/// Whether somebody fits: nothing if it does, and otherwise why not.
fn misfit(own: &Hello, other: &Hello) -> Option<String> {
    let worker = other.worker;
    let told = |what: String| Some(format!("worker {worker} {what}"));
    if own.version != other.version {
        return told(format!("is pnet {}, and this is pnet {}", other.version, own.version));
    }
    if own.workers != other.workers {
        return told(format!("is one of {} workers, and here are {}", other.workers, own.workers));
    }
    if own.model != other.model {
        let short = |hash: &str| hash.chars().take(12).collect::<String>();
        let (other, own) = (short(&other.model), short(&own.model));
        return told(format!(
            "has another model: its texts have the hash {other}…, and those here {own}…; give all workers the same files"
        ));
    }
    if own.task != other.task {
        return told(format!(
            "was asked for something else: `{}` there, `{}` here; give all workers the same options",
            other.task, own.task
        ));
    }
    None
}

/// Waits for all others. `stopped` says why to give up.
pub(super) fn meet(
    listener: &TcpListener,
    addresses: &[String],
    hello: &Hello,
    stopped: &dyn Fn() -> Option<String>,
) -> Result<Vec<Option<TcpStream>>, String> {
    let meeting = Meeting { hello, stopped, until: Instant::now() + WAITING };
    let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    for (worker, address) in (0..hello.worker).zip(addresses) {
        sockets[worker as usize] = Some(meeting.connect(worker, address)?);
    }
    listener.set_nonblocking(true).map_err(|problem| in_words(&problem))?;
    let later = hello.worker as usize + 1;
    while let Some(missing) = sockets[later..].iter().position(Option::is_none) {
        let missing = missing + later;
        meeting.go_on(|| {
            format!("worker {missing} did not come to `{}`", addresses[hello.worker as usize])
        })?;
        match listener.accept() {
            Ok((stream, _)) => {
                if let Some((worker, stream)) = meeting.let_in(stream)? {
                    sockets[worker as usize] = Some(stream);
                }
            }
            Err(problem) if problem.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
            // Whoever was about to come is gone again.
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
    Ok(sockets)
}

struct Meeting<'m> {
    hello: &'m Hello,
    stopped: &'m dyn Fn() -> Option<String>,
    until: Instant,
}

impl Meeting<'_> {
    /// Whether it makes sense to wait on.
    fn go_on(&self, why: impl FnOnce() -> String) -> Result<(), String> {
        if let Some(stopped) = (self.stopped)() {
            return Err(stopped);
        }
        if Instant::now() < self.until { Ok(()) } else { Err(why()) }
    }

    /// Connects to a worker, which may not be there yet.
    fn connect(&self, worker: u32, address: &str) -> Result<TcpStream, String> {
        let mut last = String::new();
        loop {
            self.go_on(|| format!("worker {worker} cannot be reached at `{address}`: {last}"))?;
            match reach(address) {
                Ok(stream) => match self.greet(stream) {
                    Ok(Some(stream)) => return Ok(stream),
                    Ok(None) => {
                        last = "who answers there does not know the secret".to_owned();
                        std::thread::sleep(10 * PAUSE);
                    }
                    Err(why) => return Err(why),
                },
                Err(problem) => {
                    last = problem;
                    std::thread::sleep(10 * PAUSE);
                }
            }
        }
    }

    /// Says hello, and listens to the answer; nothing if there is none.
    fn greet(&self, mut stream: TcpStream) -> Result<Option<TcpStream>, String> {
        let ready = say(&mut stream, self.hello).is_ok();
        let answer = ready.then(|| listen::<Answer>(&mut stream)).flatten();
        match answer {
            Some(Answer::Welcome(other)) if other.secret == self.hello.secret => {
                match misfit(self.hello, &other) {
                    None if say(&mut stream, &Answer::Here).is_ok() => Ok(settled(stream)),
                    None => Ok(None),
                    Some(why) => Err(why),
                }
            }
            Some(Answer::Refused(why)) => Err(why),
            _ => Ok(None),
        }
    }

    /// Listens to whoever came; nothing if it is a stranger.
    fn let_in(&self, mut stream: TcpStream) -> Result<Option<(u32, TcpStream)>, String> {
        if stream.set_nonblocking(false).is_err() {
            return Ok(None);
        }
        let Some(other) = listen::<Hello>(&mut stream) else { return Ok(None) };
        let expected = self.hello.worker < other.worker && other.worker < self.hello.workers;
        if other.secret != self.hello.secret || (!expected && other.workers == self.hello.workers) {
            return Ok(None);
        }
        if let Some(why) = misfit(self.hello, &other) {
            let refused = misfit(&other, self.hello).unwrap_or_else(|| why.clone());
            let _ = say(&mut stream, &Answer::Refused(refused));
            return Err(why);
        }
        let welcome = Answer::Welcome(self.hello.clone());
        let said = say(&mut stream, &welcome).is_ok();
        let here = said && matches!(listen(&mut stream), Some(Answer::Here));
        Ok(here.then(|| settled(stream)).flatten().map(|stream| (other.worker, stream)))
    }
}

/// A connection to an address, which may be a name.
fn reach(address: &str) -> Result<TcpStream, String> {
    let found = address.to_socket_addrs().map_err(|problem| problem.to_string())?;
    let mut last = "there is no such address".to_owned();
    for one in found {
        match TcpStream::connect_timeout(&one, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(problem) => last = problem.to_string(),
        }
    }
    Err(last)
}

/// A connection that is ready for work.
fn settled(stream: TcpStream) -> Option<TcpStream> {
    let ready = stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(None));
    ready.and_then(|()| stream.set_write_timeout(None)).ok().map(|()| stream)
}

fn say(stream: &mut TcpStream, what: &impl Serialize) -> std::io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let line = serde_json::to_string(what).unwrap_or_default() + "\n";
    stream.write_all(line.as_bytes())
}

/// A line, and not a byte more: what follows is not for us. Nothing if it does not come, or is none.
fn listen<T: for<'d> Deserialize<'d>>(stream: &mut TcpStream) -> Option<T> {
    let until = Instant::now() + PATIENCE;
    let (mut line, mut byte) = (Vec::new(), [0]);
    while line.len() < LONGEST && Instant::now() < until {
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        match stream.read(&mut byte) {
            Ok(1) if byte[0] == b'\n' => return serde_json::from_slice(&line).ok(),
            Ok(1) => line.push(byte[0]),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    use super::{Hello, meet};

    fn hello(worker: u32) -> Hello {
        let text = |text: &str| text.to_owned();
        let (secret, version) = (text("s"), text("1"));
        Hello { secret, version, worker, workers: 2, model: text("m"), task: text("t") }
    }

    /// What comes of a meeting of two, and what a stranger does before.
    fn met(change: impl Fn(&mut Hello), stranger: &[u8]) -> [Result<(), String>; 2] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let addresses = [address.clone(), other.local_addr().unwrap().to_string()];
        let mut first = TcpStream::connect(&address).unwrap();
        first.write_all(stranger).unwrap();
        drop(first);
        let (mut second, places) = (hello(1), addresses.clone());
        change(&mut second);
        let joining =
            std::thread::spawn(move || meet(&other, &places, &second, &|| None).map(drop));
        let waiting = meet(&listener, &addresses, &hello(0), &|| None).map(drop);
        [waiting, joining.join().unwrap()]
    }

    #[test]
    fn workers_meet_and_strangers_stay_outside() {
        for stranger in [&b""[..], b"hello\n", b"{}\n", &[b'x'; 10_000], b"\n\n\n"] {
            assert_eq!(met(|_| {}, stranger), [Ok(()), Ok(())]);
        }
    }

    #[test]
    fn who_said_hello_and_went_away_is_not_taken_for_a_worker() {
        let gone = serde_json::to_string(&hello(1)).unwrap() + "\n";
        assert_eq!(met(|_| {}, gone.as_bytes()), [Ok(()), Ok(())]);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let mut first = TcpStream::connect(&address).unwrap();
        first.write_all(gone.as_bytes()).unwrap();
        drop(first);
        let looks = std::cell::Cell::new(0);
        let stopped = || {
            looks.set(looks.get() + 1);
            (looks.get() > 20).then(|| "stopped".to_owned())
        };
        let met = meet(&listener, &[address, String::new()], &hello(0), &stopped).map(drop);
        assert_eq!(met, Err("stopped".to_owned()));
    }

    #[test]
    fn who_does_not_fit_is_told_on_both_sides() {
        let models = met(|hello| hello.model = "n".to_owned(), b"");
        for side in models {
            assert!(side.unwrap_err().contains("another model"));
        }
        for side in met(|hello| hello.task = "u".to_owned(), b"") {
            assert!(side.unwrap_err().contains("something else"));
        }
        for side in met(|hello| hello.version = "2".to_owned(), b"") {
            assert!(side.unwrap_err().contains("pnet 2"));
        }
        for side in met(|hello| hello.workers = 3, b"") {
            assert!(side.unwrap_err().contains("3"));
        }
    }
}
