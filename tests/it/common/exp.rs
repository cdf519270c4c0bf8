//! Networks in files for tests: files in memory, what is said about them, and the product as its definition says, every
//! vector tried in every tuple.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pnetc::base::Unwatched;
use pnetc::diagnostics::Diagnostic;
use pnetc::lts::LtsState;
use pnetc::network::exp::{ExpFiles, ExpRead, ExpWritten, Unread, read};
use pnetc::network::{Network, Synchron};

use super::systems::written;

/// Files by their paths.
#[derive(Clone, Default)]
pub struct Files(pub BTreeMap<String, Vec<u8>>);

impl Files {
    pub fn new(files: &[(&str, &str)]) -> Files {
        let all = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
        Files(all.collect())
    }

    /// The files of a network that was written, as `net.exp`.
    pub fn of(all: &ExpWritten) -> Files {
        let system = |(name, lts): &(String, Arc<pnetc::lts::Lts>)| {
            (name.clone(), written(lts).into_bytes())
        };
        let mut files = Files(all.systems.iter().map(system).collect());
        files.0.insert("net.exp".to_owned(), all.network.clone().into_bytes());
        files
    }

    pub fn read(&self, path: &str) -> ExpRead {
        self.read_as(path, &["tau"])
    }

    pub fn read_as(&self, path: &str, silent: &[&str]) -> ExpRead {
        let silent: Vec<String> = silent.iter().map(|name| (*name).to_owned()).collect();
        read(path, &silent, self, &Unwatched)
    }
}

impl ExpFiles for Files {
    fn read(&self, path: &str, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<(), Unread> {
        let bytes = self.0.get(path).ok_or(Unread::Missing)?;
        for piece in bytes.chunks(5) {
            if !take(piece) {
                break;
            }
        }
        Ok(())
    }
}

/// Codes with the text that they are about, and where that is: ``F0202 net.exp:3:5 `in` ``.
pub fn said(read: &ExpRead) -> Vec<String> {
    let one = |one: &Diagnostic| {
        let file = read.sources.file_of(one.span()).unwrap();
        let at = file.position(one.span().start);
        let text = read.sources.text(one.span());
        format!("{} {}:{}:{} `{text}`", one.entry.code, file.name(), at.line, at.column)
    };
    read.diagnostics.iter().map(one).collect()
}

/// A product by its tuples: for each that is reached, what can be done, and where it leads.
pub type Tuples = BTreeMap<Vec<u32>, BTreeSet<(String, Vec<u32>)>>;

/// The product as its definition says.
pub fn product(network: &Network) -> Tuples {
    let initial: Vec<u32> = network.parts.iter().map(|part| part.lts.initial().0).collect();
    explored(initial, |tuple| {
        let mut steps = BTreeSet::new();
        for vector in network.vectors.iter() {
            let text = network.labels.text(vector.result);
            let all = moves(network, tuple, &vector.members).into_iter();
            steps.extend(all.map(|to| (text.to_owned(), to)));
        }
        steps
    })
}

/// What can be reached.
pub fn explored(
    initial: Vec<u32>,
    steps: impl Fn(&[u32]) -> BTreeSet<(String, Vec<u32>)>,
) -> Tuples {
    let (mut found, mut open) = (Tuples::new(), vec![initial]);
    while let Some(tuple) = open.pop() {
        if let Entry::Vacant(place) = found.entry(tuple) {
            let steps = steps(place.key());
            open.extend(steps.iter().map(|(_, to)| to.clone()));
            place.insert(steps);
        }
    }
    found
}

/// All tuples to which members lead together.
fn moves(network: &Network, tuple: &[u32], members: &[Synchron]) -> Vec<Vec<u32>> {
    let mut all = vec![tuple.to_vec()];
    for member in members {
        let at = member.part.index();
        let steps = network.parts[member.part].lts.steps_by(LtsState(tuple[at]), member.label);
        let moved = |tuple: &Vec<u32>, to: u32| {
            let mut tuple = tuple.clone();
            tuple[at] = to;
            tuple
        };
        all =
            all.iter().flat_map(|tuple| steps.iter().map(|step| moved(tuple, step.to.0))).collect();
    }
    all
}

/// A product in words, a step a line: `0 1 -A-> 1 1`.
pub fn in_words(tuples: &Tuples) -> Vec<String> {
    let shown = |tuple: &[u32]| tuple.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let steps = tuples.iter().flat_map(|(from, steps)| steps.iter().map(move |step| (from, step)));
    steps.map(|(from, (label, to))| format!("{} -{label}-> {}", shown(from), shown(to))).collect()
}
