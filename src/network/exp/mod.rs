//! Networks in files: the EXP format of CADP (Lang, "EXP.OPEN 2.0", IFM 2005; manual page `exp`), read and written.
//!
//! What is read comes out flat: operators and networks in each other are folded into the vectors of one [`Network`], whose
//! parts are the systems of the files. Files come through [`ExpFiles`].
//!
//! [`Network`]: super::Network

mod example;
mod files;
mod parallel;
mod parse;
mod pattern;
pub mod problems;
mod read;
mod select;
mod token;
mod tree;
mod write;

pub use example::ExampleFiles;
pub use files::{ExpFiles, Unread};
pub use pattern::PatternFlaw;
pub use read::{ExpRead, read};
pub use write::{ExpWritten, NotWritten, write};
