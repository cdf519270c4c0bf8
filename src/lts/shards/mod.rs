//! Labelled transition systems in shards: a state is a worker and a number, and each worker has a file of the transitions to
//! its states. A map says what belongs together and how much there must be.
//!
//! Nothing here opens files: whoever has them brings their lines.

mod line;
mod map;
mod scan;

pub use line::{ShardLine, line};
pub use map::{MAP, ModelText, Shard, ShardMap, WrongMap, file_name};
pub use scan::{Scan, WrongShard};
