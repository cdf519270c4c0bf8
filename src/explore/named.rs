//! Domains as people name them: `Int=0..3`, `Data=3`. Texts in, the domains of a net out, or what is wrong with them.

use num_bigint::BigInt;
use thiserror::Error;

use super::{Domain, Domains};
use crate::algebra::{AbstractId, Algebra};
use crate::diagnostics::closest;

/// A domain with the name of its sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NamedDomain {
    /// The sort.
    pub sort: String,
    /// What is tried.
    pub domain: Domain,
}

/// What is wrong with a domain.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum DomainProblem {
    /// It does not look like one.
    #[error(
        "write it as SORT=VALUES: `Int=0..3`, or `Data=3` for three values of an abstract sort"
    )]
    Form,
    /// A range without values, or no value of an abstract sort.
    #[error("`{0}` has no values to try")]
    Empty(String),
    /// There is no such sort that needs a domain.
    #[error(
        "domains are for `Int` and for abstract sorts, and the net has none of the name `{sort}`{}",
        hint(.similar)
    )]
    Unknown {
        /// What was written.
        sort: String,
        /// What was probably meant.
        similar: Option<&'static str>,
    },
    /// Integers are given as a range.
    #[error("the values of `Int` are given as a range: `Int=0..{0}`")]
    NeedsRange(u32),
    /// Values of an abstract sort are counted.
    #[error(
        "`{0}` is an abstract sort, whose values have nothing but numbers: say how many, as in `{0}=3`"
    )]
    NeedsCount(String),
}

fn hint(similar: &Option<&'static str>) -> String {
    similar.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

impl std::str::FromStr for NamedDomain {
    type Err = DomainProblem;

    fn from_str(text: &str) -> Result<NamedDomain, DomainProblem> {
        let (sort, values) = text.split_once('=').ok_or(DomainProblem::Form)?;
        let (sort, values) = (sort.trim().to_owned(), values.trim());
        if sort.is_empty() {
            return Err(DomainProblem::Form);
        }
        let domain = match values.split_once("..") {
            Some((from, to)) => range(from, to).ok_or(DomainProblem::Form)?,
            None => Domain::Count(values.parse().map_err(|_| DomainProblem::Form)?),
        };
        let is_empty = match &domain {
            Domain::Range(from, to) => from >= to,
            Domain::Count(count) => *count == 0,
        };
        if is_empty {
            Err(DomainProblem::Empty(text.to_owned()))
        } else {
            Ok(NamedDomain { sort, domain })
        }
    }
}

fn range(from: &str, to: &str) -> Option<Domain> {
    let end = |text: &str| text.trim().parse::<BigInt>().ok();
    Some(Domain::Range(end(from)?, end(to)?))
}

impl std::fmt::Display for NamedDomain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.domain {
            Domain::Range(from, to) => write!(f, "{}={from}..{to}", self.sort),
            Domain::Count(count) => write!(f, "{}={count}", self.sort),
        }
    }
}

impl Domains {
    /// The domains of a net. Of two for one sort, the last counts.
    pub fn named(algebra: &Algebra, given: &[NamedDomain]) -> Result<Domains, DomainProblem> {
        let mut domains = Domains::default();
        for NamedDomain { sort, domain } in given {
            match (sort.as_str(), domain) {
                ("Int", Domain::Range(from, to)) => {
                    domains.integers = Some((from.clone(), to.clone()));
                }
                ("Int", Domain::Count(count)) => return Err(DomainProblem::NeedsRange(*count)),
                (_, Domain::Range(..)) => {
                    abstract_sort(algebra, sort)?;
                    return Err(DomainProblem::NeedsCount(sort.clone()));
                }
                (_, Domain::Count(count)) => {
                    domains.abstracts.insert(abstract_sort(algebra, sort)?, *count);
                }
            }
        }
        Ok(domains)
    }

    /// The same with names, in order.
    pub fn names(&self, algebra: &Algebra) -> Vec<NamedDomain> {
        let integers = self.integers.clone().map(|(from, to)| NamedDomain {
            sort: "Int".to_owned(),
            domain: Domain::Range(from, to),
        });
        let mut counted: Vec<(AbstractId, u32)> =
            self.abstracts.iter().map(|(&id, &count)| (id, count)).collect();
        counted.sort_by_key(|(id, _)| id.index());
        let counted = counted.into_iter().filter_map(|(id, count)| {
            let sort = algebra.abstracts.get(id.index())?.to_string();
            Some(NamedDomain { sort, domain: Domain::Count(count) })
        });
        integers.into_iter().chain(counted).collect()
    }
}

fn abstract_sort(algebra: &Algebra, name: &str) -> Result<AbstractId, DomainProblem> {
    let known = || algebra.abstracts.iter().map(|sort| sort.as_str());
    match known().position(|known| known == name) {
        Some(at) => Ok(AbstractId(at as u32)),
        None => {
            let similar = closest(name, known().chain(["Int"]));
            Err(DomainProblem::Unknown { sort: name.to_owned(), similar })
        }
    }
}
