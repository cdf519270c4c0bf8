//! `pnet view`: a page on the loopback that shows a net.

mod desk;
mod http;
mod jobs;
mod refusal;
mod views;
mod work;

use std::io::IsTerminal;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::STATUS_ERROR;
use super::output::{complain, write_line};
use super::simulating::{Besides, Simulating};
use super::systems::is_system;
use super::verify::duration;
use super::watch::{self, Terminal, is_interrupted};
use desk::Desk;
use http::Guard;

/// How often it is looked whether somebody asks, or wants it to end.
const PAUSE: Duration = Duration::from_millis(15);

/// How often it is looked whether the terminal is still there.
const LOOK: Duration = Duration::from_millis(500);

/// So many requests are answered at the same time.
const MOST_AT_ONCE: usize = 64;

/// Options of `pnet view`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet view model.pnet                     the last net, in the browser\n  \
                  pnet view model.pnet 'Ring<5>'           an instance, as in a `check` item\n  \
                  pnet view model.pnet --no-open           only print the address, which has a secret in it\n\n\
                  The page is served to this machine only, and to whoever has the address. It shows the net's picture\n\
                  with the current state, what can be done and what cannot and why, runs and their charts, and the\n\
                  checks. Ctrl-C ends it; so does the end of the terminal. docs/view.md tells more.")]
pub(super) struct Args {
    /// The model
    #[arg(value_name = "FILE")]
    file: String,
    /// The net (or process) to look at, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// The port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// End with the standard input: with whoever has started this, however that ends
    #[arg(long, hide = true)]
    until_input_ends: bool,
    #[command(flatten)]
    simulating: Simulating,
}

pub(super) fn run(args: &'static Args) -> u8 {
    watch::listen();
    watch::listen_to_termination();
    if args.until_input_ends {
        end_with_input();
    }
    match serve(args) {
        Ok(()) => 0,
        Err(problem) => {
            problem.iter().for_each(|problem| complain(problem));
            STATUS_ERROR
        }
    }
}

fn serve(args: &'static Args) -> Result<(), Option<String>> {
    if args.file == "-" || is_system(&args.file) {
        let why = format!("`{}` cannot be viewed: give the name of a model", args.file);
        return Err(Some(why));
    }
    let terminal = Terminal::new(args.simulating.memory.limit());
    let ready = terminal.run(duration(args.simulating.timeout), move |_| {
        let instead = views::instead(args, args.net.as_deref());
        let subject = (args.file.as_str(), instead.as_deref().or(args.net.as_deref()));
        args.simulating.ready(subject, &Besides::default())
    });
    let ready = ready.map_err(|left| Some(left.told()))??;
    drop(terminal);
    let cannot = |why: std::io::Error| Some(format!("no page can be served: {why}"));
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let listener = TcpListener::bind(address).map_err(cannot)?;
    listener.set_nonblocking(true).map_err(cannot)?;
    let port = listener.local_addr().map_err(cannot)?.port();
    let guard =
        Guard::new(port).map_err(|why| Some(format!("there are no random numbers: {why}")))?;
    let address = guard.address();
    let desk = Arc::new(Desk::new(args, ready));
    write_line(&format!("`{}` is shown at {address}", args.file));
    args.simulating.reporting.say("Ctrl-C ends it");
    if !args.no_open {
        open_browser(&address);
    }
    answer_all(&listener, &Arc::new(guard), &desk);
    desk.stop_all();
    Ok(())
}

/// Ends the process when nobody holds the other end of its input any more.
fn end_with_input() {
    let wait = || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    };
    // Without threads nothing is served.
    let _ = std::thread::Builder::new().spawn(wait);
}

fn answer_all(listener: &TcpListener, guard: &Arc<Guard>, desk: &Arc<Desk>) {
    let busy = Arc::new(AtomicUsize::new(0));
    // A terminal that goes away is no terminal any more. Reading it would stop a server in the background.
    let has_terminal = std::io::stdin().is_terminal();
    let mut looked = Instant::now();
    while !is_interrupted() {
        if has_terminal && looked.elapsed() > LOOK {
            if !std::io::stdin().is_terminal() {
                return;
            }
            looked = Instant::now();
        }
        let Ok((stream, peer)) = listener.accept() else {
            std::thread::sleep(PAUSE);
            continue;
        };
        if !peer.ip().is_loopback() {
            continue;
        }
        if busy.load(Ordering::SeqCst) >= MOST_AT_ONCE {
            let _ = http::refuse(stream);
            continue;
        }
        let (guard, desk, theirs) = (Arc::clone(guard), Arc::clone(desk), Arc::clone(&busy));
        busy.fetch_add(1, Ordering::SeqCst);
        let work = move || {
            // A connection that breaks is the business of who broke it.
            let _ = http::converse(stream, &guard, &|name, body| desk.answer(name, body));
            theirs.fetch_sub(1, Ordering::SeqCst);
        };
        if std::thread::Builder::new().spawn(work).is_err() {
            busy.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Opens a browser, where there is a screen; the address has been printed for all others.
fn open_browser(address: &str) {
    let has_screen =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if !has_screen && !cfg!(target_os = "macos") {
        return;
    }
    let mut command = std::process::Command::new(program);
    let quiet = std::process::Stdio::null;
    let _ = command.arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}
