//! `pnet lsp`: the language server, over standard input and output.
//!
//! One thread reads messages and answers from the newest checked texts; another does what takes long (`work.rs`).
//! What the answers are is known in `src/editor/`; here they become messages.

mod answer;
mod diagnose;
mod state;
mod text;
mod work;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use self::state::State;
use super::STATUS_ERROR;
use super::output::complain;

/// Options of `pnet lsp`.
#[derive(clap::Args)]
#[command(after_help = "An editor starts this; docs/editors.md says how to set one up.")]
pub(super) struct Args {
    /// For editors that ask for it: standard input and output are used anyway
    #[arg(long)]
    stdio: bool,
}

/// How deep texts may be nested is bounded, and this is enough for it.
const STACK: usize = 64 << 20;

pub(super) fn run(args: &Args) -> u8 {
    let _ = args.stdio;
    let serve = std::thread::Builder::new().stack_size(STACK).spawn(serve);
    match serve.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => 0,
        Ok(Ok(Err(why))) => {
            complain(&why);
            STATUS_ERROR
        }
        _ => STATUS_ERROR,
    }
}

pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve() -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let (id, params) = connection.initialize_start().map_err(|why| why.to_string())?;
    let offers = |encoding: &str| {
        let all = params.pointer("/capabilities/general/positionEncodings");
        all.and_then(Value::as_array).is_some_and(|all| all.iter().any(|one| one == encoding))
    };
    let utf8 = offers("utf-8");
    let result = json!({
        "capabilities": answer::capabilities(utf8),
        "serverInfo": { "name": "pnet", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result).map_err(|why| why.to_string())?;
    let sender = connection.sender.clone();
    let out = work::Out::new(move |message| sender.send(message).map_err(|unsent| unsent.0));
    let state = Arc::new(Mutex::new(State::new(out, utf8)));
    lock(&state).settings(params.get("initializationOptions"));
    let jobs = work::start(Arc::clone(&state));
    let mut shut_down = false;
    for message in &connection.receiver {
        match message {
            Message::Request(request) if request.method == "shutdown" => {
                shut_down = true;
                lock(&state).stop_all();
                send(&connection, Response::new_ok(request.id, Value::Null).into());
            }
            Message::Request(request) if shut_down => {
                let (code, why) = (ErrorCode::InvalidRequest as i32, "the server is shut down");
                send(&connection, Response::new_err(request.id, code, why.to_owned()).into());
            }
            Message::Request(request) => {
                if let Some(response) = asked(&state, &jobs, request) {
                    send(&connection, response.into());
                }
            }
            Message::Notification(note) if note.method == "exit" => break,
            Message::Notification(note) => told(&state, &note),
            Message::Response(_) => {}
        }
    }
    lock(&state).stop_all();
    // The worker may be in the middle of something that ends soon; nobody waits for it.
    drop(connection);
    if shut_down {
        return Ok(());
    }
    drop(threads);
    Err("the editor is gone without a shutdown".to_owned())
}

fn send(connection: &Connection, message: Message) {
    // An editor that is gone does not read.
    let _ = connection.sender.send(message);
}

/// Answers a request, at once or by the worker. A panic is an answer, too.
fn asked(state: &Mutex<State>, jobs: &work::Jobs, request: Request) -> Option<Response> {
    let Request { id, method, params } = request;
    if method == "workspace/executeCommand" {
        match work::Job::read(&mut lock(state), id.clone(), &params) {
            Ok(Some(job)) => {
                jobs.send(job);
                return None;
            }
            Ok(None) => {}
            Err(why) => {
                return Some(Response::new_err(id, ErrorCode::InvalidParams as i32, why));
            }
        }
    }
    let answer =
        catch_unwind(AssertUnwindSafe(|| answer::answer(&mut lock(state), &method, &params)));
    Some(match answer {
        Ok(Ok(result)) => Response::new_ok(id, result),
        Ok(Err((code, why))) => Response::new_err(id, code as i32, why),
        Err(_) => {
            complain(&format!("`{method}` could not be answered: a mistake of pnet"));
            let why = format!("`{method}` could not be answered: this is a mistake of pnet");
            Response::new_err(id, ErrorCode::InternalError as i32, why)
        }
    })
}

fn told(state: &Mutex<State>, note: &Notification) {
    let done = catch_unwind(AssertUnwindSafe(|| lock(state).told(&note.method, &note.params)));
    if done.is_err() {
        complain(&format!("`{}` was not taken in: a mistake of pnet", note.method));
    }
}
