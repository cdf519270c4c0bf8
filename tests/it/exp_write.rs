//! Networks that are written and read again.

use std::sync::Arc;

use pnetc::lts::{LabelTable, LtsLabel};
use pnetc::network::exp::{NotWritten, write};
use pnetc::network::{Network, NetworkPart, NetworkPartId, NetworkVector, Synchron};

use crate::common::Random;
use crate::common::exp::{Files, in_words, product, said};
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::{self, read};

fn labels(names: &[&str]) -> LabelTable {
    let mut table = LabelTable::new("tau");
    names.iter().for_each(|name| _ = table.intern(name));
    table
}

fn part(network: &mut Network, name: &str, system: &str) -> NetworkPartId {
    let part =
        network.parts.push(NetworkPart { name: name.to_owned(), lts: Arc::new(read(system)) });
    network.let_silent_steps_be(part);
    part
}

fn vector(network: &mut Network, members: &[(NetworkPartId, &str)], result: &str) {
    let synchron = |(part, label): &(NetworkPartId, &str)| Synchron {
        part: *part,
        label: network.parts[*part].lts.labels().get(label).unwrap(),
    };
    let members = members.iter().map(synchron).collect();
    let result = network.labels.get(result).unwrap();
    network.vectors.push(NetworkVector::new(members, result));
}

/// A sender and a receiver that pass something on.
fn passing() -> Network {
    let mut network = Network::new(labels(&["pass", "say \"hi\"", "done"]));
    let sender = part(&mut network, "Sender", "des (0, 2, 2)\n(0, \"put\", 1)\n(1, tau, 0)\n");
    let receiver =
        part(&mut network, "Receiver", "des (0, 2, 2)\n(0, \"get\", 1)\n(1, \"done\", 0)\n");
    vector(&mut network, &[(sender, "put"), (receiver, "get")], "pass");
    vector(&mut network, &[(receiver, "done")], "done");
    network
}

#[test]
fn the_text_of_a_network() {
    let written = write(&passing(), "i", "net").unwrap();
    let expected = "-- net_1.aut: Sender\n-- net_2.aut: Receiver\n\
                    label par using\n  \"put\" * \"get\"  -> \"pass\",\n  _     * \"done\" -> \"done\"\n\
                    in\n  \"net_1.aut\"\n  || \"net_2.aut\"\nend par\n";
    assert_eq!(written.network, expected);
    let names: Vec<&str> = written.systems.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["net_1.aut", "net_2.aut"]);
}

#[test]
fn parts_that_share_their_system_share_its_file() {
    let mut network = passing();
    let again = network.parts.iter().next().unwrap().clone();
    let again = network.parts.push(again);
    network.let_silent_steps_be(again);
    let written = write(&network, "tau", "net").unwrap();
    assert_eq!(written.systems.len(), 2);
    assert!(
        written.network.contains("|| \"net_2.aut\"\n  || \"net_1.aut\"\n"),
        "{}",
        written.network
    );
}

#[test]
fn what_only_happens_silently_can_be_written() {
    let mut network = Network::new(labels(&[]));
    part(&mut network, "One", "des (0, 2, 2)\n(0, \"a\", 1)\n(0, tau, 1)\n");
    let files = Files::of(&write(&network, "tau", "net").unwrap());
    let read = files.read("net.exp");
    assert_eq!(said(&read), [""; 0]);
    assert_eq!(in_words(&product(&read.network.unwrap())), ["0 -tau-> 1"]);
}

#[test]
fn what_cannot_be_said_is_refused() {
    let refused = |change: fn(&mut Network)| {
        let mut network = passing();
        change(&mut network);
        write(&network, "tau", "net").unwrap_err()
    };
    assert_eq!(write(&Network::new(labels(&[])), "tau", "n").unwrap_err(), NotWritten::NoParts);
    let first = NetworkPartId(0);
    let silent = Synchron { part: first, label: LtsLabel::SILENT };
    let rivals = refused(|network| {
        let rival = network.vectors.iter().next().unwrap().members.clone();
        network.vectors.iter_mut().last().unwrap().rivals.push(rival);
    });
    assert_eq!(rivals, NotWritten::Priorities);
    let seen = refused(|network| {
        let done = network.labels.get("done").unwrap();
        let silent = Synchron { part: NetworkPartId(0), label: LtsLabel::SILENT };
        network.vectors.push(NetworkVector::new(vec![silent], done));
    });
    assert_eq!(seen, NotWritten::TouchedSilence { part: "Sender".to_owned() });
    let mut network = passing();
    let others = network.vectors.iter().filter(|one| one.members != [silent]).cloned();
    network.vectors = others.collect::<Vec<_>>().into();
    let cut = write(&network, "tau", "net").unwrap_err();
    assert_eq!(cut, NotWritten::CutSilence { part: "Sender".to_owned() });
    let as_silent = write(&passing(), "done", "net").unwrap_err();
    let (one, other) = ("done".to_owned(), "done".to_owned());
    assert_eq!(as_silent, NotWritten::SameText { one, other });
    for why in [rivals, seen, cut, as_silent] {
        assert!(why.to_string().starts_with(char::is_lowercase), "{why}");
    }
}

/// A network of random systems and vectors; some systems are there several times.
fn random(dice: &mut Random) -> Network {
    let mut network = Network::new(labels(&["a", "b", "X !1", "d e"]));
    for at in 0..dice.between(1, 4) {
        let known = dice.pick_some(network.parts.as_slice()).map(|part| part.lts.clone());
        let lts = match known {
            Some(lts) if dice.one_in(3) => lts,
            _ => Arc::new(systems::random(dice)),
        };
        let part = network.parts.push(NetworkPart { name: format!("P{at}"), lts });
        network.let_silent_steps_be(part);
    }
    for _ in 0..dice.below(8) {
        let mut members = Vec::new();
        for part in network.parts.ids() {
            let visible = network.parts[part].lts.labels().len() - 1;
            if visible > 0 && dice.one_in(2) {
                members.push(Synchron { part, label: LtsLabel(dice.between(1, visible) as u32) });
            }
        }
        let result = LtsLabel(dice.below(network.labels.len()) as u32);
        if !members.is_empty() {
            network.vectors.push(NetworkVector::new(members, result));
        }
    }
    network
}

#[test]
fn what_is_written_reads_back_to_the_same_product() {
    let mut steps = 0;
    for seed in seeds(fuzz().unwrap_or(500)) {
        let network = random(&mut Random::new(seed));
        let written = write(&network, "tau", "net").unwrap();
        let read = Files::of(&written).read("net.exp");
        let shown = &written.network;
        let again = read
            .network
            .as_ref()
            .unwrap_or_else(|| panic!("seed {seed}: {:?}\n{shown}", said(&read)));
        let (before, after) = (product(&network), product(again));
        assert_eq!(after, before, "seed {seed}\n{shown}");
        steps += in_words(&before).len();
    }
    assert!(seeds(2).count() == 1 || steps > 1_000, "{steps}");
}
