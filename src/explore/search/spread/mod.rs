//! A search that several workers do together, each in a process of its own: the configurations are shared out by their
//! hashes, and go level by level.
//!
//! Nothing here knows sockets, threads or clocks. A [`Peer`] takes messages and makes messages; whoever carries them
//! tells it when all of a level has arrived. Input: a machine, the same in all processes. Output: what the embedded search
//! counts, the steps between configurations as lines, and, hop by hop, a shortest way to what was looked for.
//!
//! - `parcel.rs`: what goes from one worker to another.
//! - `share.rs`: the configurations of one worker, and the steps that lead to them.
//! - `peer.rs`: one worker: when it looks, what it tells the others, and when it is over.
//!
//! A level begins when everything that leads to it has arrived everywhere. So levels are those of the embedded search, and
//! the numbers of configurations depend on the net and the number of workers alone: they follow the numbers of the workers
//! and of the configurations that they were reached from.

mod parcel;
mod peer;
mod share;

pub use parcel::{Halt, Message, News, Parcel, StateId, Tally, total};
pub use peer::{Next, Peer, PeerTask};
pub use share::{LabelText, Share};

#[cfg(test)]
mod tests;
