//! `pnet explore --workers`: exploration by several processes, here or on other machines.
//!
//! - `mod.rs`: the options, and what comes out in the end.
//! - `crew.rs`: starts workers, tells them what to do, and listens until the last one is gone.
//! - `worker.rs`: a worker. It meets the others (`sockets.rs`), takes part in the dataflow (`flow.rs`), and writes its shard
//!   (`file.rs`). `wire.rs` has what a worker and who started it say to each other.
//! - `result.rs`: what all workers have seen, put together, and the map of the shards.
//!
//! What a worker does with configurations is the business of `explore::search::spread`.

mod crew;
mod file;
mod flow;
mod result;
mod sockets;
mod wire;
pub(super) mod worker;

use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use super::explore::Args;
use super::files::read;
use super::simulating::Ready;
use super::verify::{duration, patience};
use super::watch::Working;
use crate::explore::Configuration;
use crate::explore::naive::Interpreter;
use crate::outcome::Trace;
use crate::simulate::{self, Ending};
use crate::verify::{checksum, model_hashes};

pub(super) use result::{FOUND, MOST_DEPTH, MOST_STATES, Together};
pub(super) use wire::Found;

/// How many workers there may be.
const MOST_WORKERS: u32 = 1024;

/// The secret that workers on several machines share.
const SECRET: &str = "PNET_SECRET";

/// Who explores, where that is not this process alone.
#[derive(clap::Args)]
pub(super) struct SpreadArgs {
    /// Have so many processes explore together, each with its share of the configurations
    #[arg(long, value_name = "N", conflicts_with = "depth_first",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_WORKERS)))]
    workers: Option<u32>,
    /// The workers on several machines, one `HOST:PORT` a line; each is started with `--worker`
    #[arg(long, value_name = "FILE", requires = "worker", conflicts_with = "depth_first")]
    hosts: Option<String>,
    /// Which line of `--hosts` this process is, counted from 0
    #[arg(long, value_name = "K", requires = "hosts")]
    worker: Option<u32>,
    /// How long a worker may say nothing before it counts as hanging, in seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = patience)]
    worker_timeout: f64,
    /// This process was started as a worker
    #[arg(long, hide = true)]
    pub as_worker: Option<u32>,
}

impl SpreadArgs {
    /// Whether several processes explore.
    pub fn is_asked(&self) -> bool {
        self.workers.is_some() || self.hosts.is_some()
    }

    /// Whether the workers are on several machines, perhaps.
    pub fn has_hosts(&self) -> bool {
        self.hosts.is_some()
    }

    /// Which workers are started here, and where all are, if that is known.
    fn places(&self) -> Result<Places, String> {
        let patience = duration(self.worker_timeout);
        let Some(path) = &self.hosts else {
            let of = self.workers.unwrap_or(1);
            return Ok(Places { local: (0..of).collect(), addresses: None, of, patience });
        };
        let text = read(path).map_err(|why| format!("cannot read `{path}`: {why}"))?;
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
        let addresses: Vec<String> =
            lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
        if let Some(wrong) = addresses.iter().find(|address| !is_address(address)) {
            return Err(format!("`{wrong}` in `{path}` is no address, as `host:2101`"));
        }
        let (of, worker) = (addresses.len() as u32, self.worker.unwrap_or(0));
        if worker >= of {
            let last = of.saturating_sub(1);
            return Err(format!("`{path}` has workers 0 to {last}, and no worker {worker}"));
        }
        if let Some(workers) = self.workers.filter(|&workers| workers != of) {
            return Err(format!("`{path}` has {of} workers, and `--workers` says {workers}"));
        }
        Ok(Places { local: vec![worker], addresses: Some(addresses), of, patience })
    }
}

/// Where workers are.
struct Places {
    /// Those that are started here.
    local: Vec<u32>,
    /// The addresses of all, where they are known before these say them.
    addresses: Option<Vec<String>>,
    of: u32,
    /// How long one that was started here may say nothing.
    patience: Option<Duration>,
}

fn is_address(text: &str) -> bool {
    text.rsplit_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

/// Has several processes explore; what came of it. An error is why it could not be done.
pub(super) fn explore(
    args: &'static Args,
    ready: &Ready,
    watch: &Working,
) -> Result<Together, String> {
    if args.file == "-" {
        return Err("with `--workers`, the model has to be a file: each worker reads it".to_owned());
    }
    let places = args.spread.places()?;
    if let Some(folder) = args.folder() {
        result::prepare(folder, &places.local)?;
    }
    let secret = match places.addresses {
        Some(_) => std::env::var(SECRET).unwrap_or_default(),
        None => fresh_secret(),
    };
    if args.spread.has_hosts() {
        args.simulating.reporting.say("waiting for the other workers");
    }
    let ended = crew::explore(&places, &secret, watch)?;
    result::together(args, ready, &places, ended)
}

/// A word that nobody else knows.
fn fresh_secret() -> String {
    let number = |n: u64| {
        let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
        hasher.write_u64(n);
        format!("{:016x}", hasher.finish())
    };
    (0..4).map(number).collect()
}

/// The hash of the texts of a model.
fn model_hash(ready: &Ready) -> String {
    checksum(model_hashes(&ready.checked).join("\n").as_bytes())
}

/// A path of configurations as a run, once the plain interpreter has made it again; or why it is none.
pub(super) fn followed(ready: &Ready, path: &[Configuration]) -> Result<Trace, String> {
    let interpreter = Interpreter::new(&ready.net, ready.domains.clone());
    let steps = simulate::follow(&interpreter, path).map_err(|why| why.to_string())?;
    let ending = match &ready.goal {
        Some(sought) => Ending::Property(Some(true), Some(sought.text.clone())),
        None => Ending::Deadlock,
    };
    let run = (&path[0], steps.as_slice());
    let told = simulate::tell(&ready.checked, (&ready.net, &ready.name), run, ending);
    Ok(ready.noted(told))
}
