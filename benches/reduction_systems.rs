//! The systems that are reduced: random ones, chains, de Bruijn graphs, and philosophers.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use pnetc::base::Dice;

/// A system, and what it is reduced by.
#[derive(Clone, Debug)]
pub struct System {
    pub name: String,
    pub relations: &'static [&'static str],
    /// Whether all its states can be reached.
    pub is_reached: bool,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// So many states, four times as many transitions, so many of a hundred silent.
    Random { states: usize, silent: usize },
    /// So many steps one after the other.
    Chain { steps: usize, silent: usize },
    /// Words of so many bits.
    DeBruijn { bits: usize },
    /// So many philosophers, of whom is seen that they eat.
    Philosophers { many: usize },
    /// A file.
    Given(PathBuf),
}

const BOTH: &[&str] = &["strong", "branching"];
const STRONG: &[&str] = &["strong"];
const ALL: &[&str] = &["strong", "branching", "weak"];

fn system(name: &str, relations: &'static [&'static str], kind: Kind) -> System {
    let is_reached = !matches!(kind, Kind::Random { .. } | Kind::Given(_));
    System { name: name.to_owned(), relations, is_reached, kind }
}

pub static SYSTEMS: std::sync::LazyLock<Vec<System>> = std::sync::LazyLock::new(|| {
    let random = |states, silent| Kind::Random { states, silent };
    vec![
        system("random, 10⁵ transitions", STRONG, random(25_000, 0)),
        system("random, 10⁵, 30 % silent", BOTH, random(25_000, 30)),
        system("random, 10⁵, 80 % silent", BOTH, random(25_000, 80)),
        system("random, 10⁶ transitions", STRONG, random(250_000, 0)),
        system("random, 10⁶, 30 % silent", BOTH, random(250_000, 30)),
        system("random, 10⁶, 80 % silent", BOTH, random(250_000, 80)),
        system("random, 10⁷ transitions", STRONG, random(2_500_000, 0)),
        system("random, 10⁷, 30 % silent", BOTH, random(2_500_000, 30)),
        system("random, 10⁷, 80 % silent", BOTH, random(2_500_000, 80)),
        system("chain of 10⁶", STRONG, Kind::Chain { steps: 1_000_000, silent: 0 }),
        system("chain of 10⁶, 30 % silent", BOTH, Kind::Chain { steps: 1_000_000, silent: 30 }),
        system("de Bruijn 19", STRONG, Kind::DeBruijn { bits: 19 }),
        system("de Bruijn 22", STRONG, Kind::DeBruijn { bits: 22 }),
        system("philosophers 8", ALL, Kind::Philosophers { many: 8 }),
        system("philosophers 10", ALL, Kind::Philosophers { many: 10 }),
    ]
});

impl System {
    /// A file that somebody named.
    pub fn given(path: &str) -> System {
        system(path, ALL, Kind::Given(path.into()))
    }

    /// The file, which is made unless it is there.
    pub fn file(&self, folder: &Path) -> PathBuf {
        if let Kind::Given(path) = &self.kind {
            return path.clone();
        }
        let name: String = self.name.chars().filter(|c| c.is_alphanumeric()).collect();
        let path = folder.join(format!("{name}.aut"));
        if !path.exists() {
            self.make(&path).unwrap();
        }
        path
    }

    fn make(&self, path: &Path) -> std::io::Result<()> {
        if let Kind::Philosophers { many } = self.kind {
            let model = format!("{}/benches/models/dining_eat.pnet", env!("CARGO_MANIFEST_DIR"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
            command.args(["explore", &model, &format!("Dining<{many}>"), "--emit", "aut", "-o"]);
            assert!(command.arg(path).status()?.success());
            return Ok(());
        }
        let mut out = BufWriter::new(std::fs::File::create(path)?);
        let mut dice = Dice::new(7);
        match self.kind {
            Kind::Random { states, silent } => random(&mut out, &mut dice, states, silent),
            Kind::Chain { steps, silent } => chain(&mut out, &mut dice, steps, silent),
            Kind::DeBruijn { bits } => de_bruijn(&mut out, bits),
            Kind::Philosophers { .. } | Kind::Given(_) => Ok(()),
        }
    }
}

fn label(dice: &mut Dice, silent: usize, labels: usize) -> String {
    match dice.below(100) < silent {
        true => "tau".to_owned(),
        false => format!("\"a{}\"", dice.below(labels)),
    }
}

fn random(
    out: &mut dyn Write,
    dice: &mut Dice,
    states: usize,
    silent: usize,
) -> std::io::Result<()> {
    let mut from: Vec<usize> = (0..4 * states).map(|_| dice.below(states)).collect();
    from.sort_unstable();
    writeln!(out, "des (0, {}, {states})", from.len())?;
    for from in from {
        let (label, to) = (label(dice, silent, 5), dice.below(states));
        writeln!(out, "({from}, {label}, {to})")?;
    }
    Ok(())
}

fn chain(out: &mut dyn Write, dice: &mut Dice, steps: usize, silent: usize) -> std::io::Result<()> {
    writeln!(out, "des (0, {steps}, {})", steps + 1)?;
    for from in 0..steps {
        let label = label(dice, silent, 1);
        writeln!(out, "({from}, {label}, {})", from + 1)?;
    }
    Ok(())
}

/// Each word leads to those that begin with its last bits; what is seen is its first bit.
fn de_bruijn(out: &mut dyn Write, bits: usize) -> std::io::Result<()> {
    let states = 1_usize << bits;
    writeln!(out, "des (0, {}, {states})", 2 * states)?;
    for from in 0..states {
        let label = if from >> (bits - 1) == 1 { "one" } else { "zero" };
        for last in 0..2 {
            writeln!(out, "({from}, \"{label}\", {})", (2 * from + last) % states)?;
        }
    }
    Ok(())
}
