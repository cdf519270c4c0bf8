//! The safety problems: six families of systems with unbounded data, in `examples/safety/`, in all their sizes.
//!
//! The tests count what each system is made of, and `benches/safety.rs` asks the engines about each.

use std::ops::RangeInclusive;

/// A family of systems that grow with a number `k`.
pub struct Family {
    /// Its name, and that of its file without the ending.
    pub name: &'static str,
    /// The sizes to look at.
    pub sizes: RangeInclusive<u32>,
    /// What a system is made of.
    pub counts: fn(u32) -> Counts,
    /// The net that is safe.
    safe: &'static str,
    /// The one that is not.
    flawed: &'static str,
    /// What is claimed of the safe one; the first is the row of the table.
    claims: fn(u32) -> Vec<Claim>,
    /// What the other one breaks.
    broken: Claim,
    /// How long the shortest run to there is; nothing where nobody has found out.
    pub shortest: fn(u32) -> Option<u64>,
}

/// What a system is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Processes.
    pub atoms: u32,
    /// Variables of all processes.
    pub variables: u32,
    /// States of all processes.
    pub locations: u32,
    /// Interactions: a connector that is repeated counts for each index, and a step of one process alone as well.
    pub interactions: u32,
}

const fn counts(atoms: u32, variables: u32, locations: u32, interactions: u32) -> Counts {
    Counts { atoms, variables, locations, interactions }
}

/// What is claimed of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// That a property always holds.
    Always(String),
    /// That it can always go on.
    DeadlockFree,
}

/// Which row of the table a problem is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The first claim of a family, of the net that is safe.
    Safe,
    /// What the other net breaks.
    Unsafe,
    /// One of the further claims.
    Further,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Safe, Kind::Unsafe, Kind::Further];

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Safe => "safe",
            Kind::Unsafe => "unsafe",
            Kind::Further => "further",
        }
    }
}

/// One question about one net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The name of the family.
    pub family: &'static str,
    /// The size.
    pub k: u32,
    pub kind: Kind,
    /// Which of the claims of this kind it is.
    pub place: usize,
    /// The file, from the root of the project.
    pub file: String,
    /// The net, as in a check: `Atm<3>`.
    pub instance: String,
    /// The check, without the word: `always(Atm<3>, …)`.
    pub check: String,
    /// Whether the check holds.
    pub holds: bool,
}

fn always(property: &str) -> Claim {
    Claim::Always(property.to_owned())
}

/// `U[0].purse + U[1].purse`, for all `k + 1`.
fn sum(k: u32, of: impl Fn(u32) -> String) -> String {
    (0..=k).map(of).collect::<Vec<_>>().join(" + ")
}

/// The degrees between the lowest and the highest temperature in `temperature_control.pnet`.
const DEGREES: u64 = 900;
/// The largest amount in `atm.pnet`.
const LIMIT: u64 = 2;

/// All families.
pub fn families() -> Vec<Family> {
    vec![
        Family {
            name: "atm",
            sizes: 1..=10,
            counts: |k| counts(2 * k + 2, 4 * k + 4, 17 * k + 17, 8 * k + 8),
            safe: "Atm",
            flawed: "AtmUnsafe",
            claims: |k| {
                let purses = sum(k, |i| format!("U[{i}].purse"));
                let totals = sum(k, |i| format!("A[{i}].total"));
                vec![
                    always("forall i: 0..k + 1 . U[i].purse == A[i].total"),
                    Claim::Always(format!("{purses} == {totals}")),
                    always("forall i: 0..k + 1 . not A[i] in error"),
                ]
            },
            broken: always("forall i: 0..k + 1 . U[i].purse == A[i].total"),
            shortest: |_| Some(6 * LIMIT - 2),
        },
        Family {
            name: "quorum",
            sizes: 1..=10,
            counts: |k| counts(k + 3, 4 * k + 10, 4 * k + 11, 4 * k + 6),
            safe: "Quorum",
            flawed: "QuorumUnsafe",
            claims: |_| {
                vec![
                    always("O in two => O.a == O.b"),
                    always("C[0] in decided and C[1] in decided => C[0].w == C[1].w"),
                ]
            },
            broken: always("O in two => O.a == O.b"),
            shortest: |k| Some(u64::from(4 * k + 3)),
        },
        Family {
            name: "mutual_exclusion",
            sizes: 1..=10,
            counts: |k| counts(k + 2, k + 3, 3 * k + 9, 6 * k + 9),
            safe: "MutualExclusion",
            flawed: "MutualExclusionUnsafe",
            claims: |_| vec![exclusive(), always("not C in error"), Claim::DeadlockFree],
            broken: exclusive(),
            shortest: |_| Some(14),
        },
        Family {
            name: "leader_election",
            sizes: 1..=5,
            counts: |k| counts(2 * k + 2, 3 * k + 3, 7 * k + 7, 5 * k + 6),
            safe: "LeaderElection",
            flawed: "LeaderElectionUnsafe",
            claims: |_| {
                vec![
                    largest(),
                    always(
                        "forall i: 0..k + 1, j: 0..k + 1 . P[i] in leader and P[j] in leader => i == j",
                    ),
                    Claim::DeadlockFree,
                ]
            },
            broken: largest(),
            shortest: |_| Some(4),
        },
        Family {
            name: "railway_control",
            sizes: 1..=10,
            counts: |k| counts(k + 2, 1, 6 * k + 9, 5 * k + 6),
            safe: "RailwayControl",
            flawed: "RailwayControlUnsafe",
            claims: |_| {
                vec![one_crosses(), always("0 <= C.n and C.n <= k + 1"), Claim::DeadlockFree]
            },
            broken: one_crosses(),
            shortest: |_| Some(4),
        },
        Family {
            name: "temperature_control",
            sizes: 1..=10,
            counts: |k| counts(k + 2, k + 2, 3 * k + 6, 2 * k + 4),
            safe: "TemperatureControl",
            flawed: "TemperatureControlUnsafe",
            claims: |_| {
                vec![
                    always("low <= C.th and C.th <= high"),
                    always("not C in stopped"),
                    Claim::DeadlockFree,
                ]
            },
            broken: always("not C in stopped"),
            shortest: |k| Some(u64::from(k + 1) * (3 * DEGREES / 2 + 2) + DEGREES + 1),
        },
    ]
}

fn exclusive() -> Claim {
    always("forall i: 0..k + 1, j: 0..k + 1 . P[i] in critical and P[j] in critical => i == j")
}

fn largest() -> Claim {
    always("forall i: 0..k + 1, j: 0..k + 1 . P[i] in leader => P[j].id <= P[i].id")
}

fn one_crosses() -> Claim {
    always("forall i: 0..k + 1, j: 0..k + 1 . T[i] in crossing and T[j] in crossing => i == j")
}

impl Family {
    /// The file, from the root of the project.
    pub fn file(&self) -> String {
        format!("examples/safety/{}.pnet", self.name)
    }

    /// The safe net of a size, and the other one.
    pub fn instances(&self, k: u32) -> [String; 2] {
        [self.safe, self.flawed].map(|net| format!("{net}<{k}>"))
    }

    /// The problems of a size.
    pub fn problems(&self, k: u32) -> Vec<Problem> {
        let [safe, flawed] = self.instances(k);
        let mut claims = (self.claims)(k).into_iter();
        let mut problems = Vec::new();
        problems.extend(claims.next().map(|first| self.problem((k, 0), Kind::Safe, &safe, &first)));
        problems.push(self.problem((k, 0), Kind::Unsafe, &flawed, &self.broken));
        let further = claims.enumerate();
        problems.extend(
            further.map(|(place, claim)| self.problem((k, place), Kind::Further, &safe, &claim)),
        );
        problems
    }

    fn problem(
        &self,
        (k, place): (u32, usize),
        kind: Kind,
        instance: &str,
        claim: &Claim,
    ) -> Problem {
        let check = match claim {
            Claim::Always(property) => format!("always({instance}, {property})"),
            Claim::DeadlockFree => format!("deadlock_free({instance})"),
        };
        let (instance, holds) = (instance.to_owned(), kind != Kind::Unsafe);
        Problem { family: self.name, k, kind, place, file: self.file(), instance, check, holds }
    }
}

/// All problems of all families, the small ones of each first.
pub fn problems() -> Vec<Problem> {
    let families = families();
    let of = |family: &Family| family.sizes.clone().flat_map(|k| family.problems(k)).collect();
    families.iter().flat_map(|family| -> Vec<Problem> { of(family) }).collect()
}
