//! Options of every command that generates automata.

use clap::ValueEnum;
use num_bigint::BigInt;

use crate::diagnostics::Symbol;
use crate::elaborate;
use crate::generate::{self, Algorithm, Refine};
use crate::smt::Limits;

/// How to explore.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AlgorithmName {
    /// Algorithms 1 and 2 of the paper: build every combination, then ask the solver
    Naive,
    /// Algorithm 3 of the paper: ask the solver as it goes
    Smart,
    /// Solve what can be solved, join by actions, ask little
    Fast,
}

/// How far to go with the values that variables can have.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RefineName {
    /// Until nothing changes
    Full,
    /// One round
    Once,
    /// Not at all
    None,
}

/// How nets are elaborated and automata generated.
#[derive(clap::Args)]
pub(super) struct Generation {
    /// Fix a symbolic constant: `--set N=4`
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(String, BigInt)>,
    /// How many instances may be made
    #[arg(long, value_name = "N", default_value_t = elaborate::Options::default().most_instances)]
    most_instances: usize,
    /// How to generate automata
    #[arg(long, value_enum, default_value = "fast")]
    algorithm: AlgorithmName,
    /// How far to leave out transitions that the values of variables make impossible
    #[arg(long, value_enum, default_value = "full")]
    refine: RefineName,
    /// How many solvers work at once; 0 for one a processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// How long the solver may think about one question, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    solver_timeout: u32,
}

/// `NAME=VALUE`
fn setting(text: &str) -> Result<(String, BigInt), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE, for example N=4")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number"))?;
    Ok((name.trim().to_owned(), value))
}

/// Seconds, as thousandths.
fn seconds(text: &str) -> Result<u32, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=1_000_000.0).contains(&seconds) => Ok((seconds * 1000.0) as u32),
        _ => Err("give a time in seconds, for example 5 or 0.5".to_owned()),
    }
}

impl Generation {
    pub fn elaborate(&self) -> elaborate::Options {
        let mut options = elaborate::Options {
            most_instances: self.most_instances,
            ..elaborate::Options::default()
        };
        for (name, value) in &self.set {
            options.set.insert(Symbol::new(name), value.clone());
        }
        options
    }

    pub fn generate(&self) -> generate::Options {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        generate::Options {
            algorithm: match self.algorithm {
                AlgorithmName::Naive => Algorithm::Naive,
                AlgorithmName::Smart => Algorithm::Smart,
                AlgorithmName::Fast => Algorithm::Fast,
            },
            refine: match self.refine {
                RefineName::Full => Refine::Full,
                RefineName::Once => Refine::Once,
                RefineName::None => Refine::None,
            },
            jobs: if self.jobs == 0 { processors() } else { self.jobs },
            limits: Limits { milliseconds: self.solver_timeout },
            keep_questions: false,
        }
    }

    /// The name of the algorithm.
    pub fn algorithm(&self) -> &'static str {
        match self.algorithm {
            AlgorithmName::Naive => "naive",
            AlgorithmName::Smart => "smart",
            AlgorithmName::Fast => "fast",
        }
    }
}
