//! What the clauses of connector types come to: statements one after the other as values that are moved at once.

use super::super::model::ConnectorDef;
use super::super::term::{Ref, Term, Values, execute};

/// What one interaction of a connector type does with the data of its ports.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub guard: Term,
    /// What the variables of the exported port are set to.
    pub up: Vec<Term>,
    /// What variables of ports get: port, variable, and value. [`Ref::In`] is a variable of the exported port as those above
    /// have left it.
    down: Vec<((usize, usize), Term)>,
}

impl Moves {
    /// Whether it can never happen.
    pub fn is_never(&self) -> bool {
        self.guard == Term::Bool(false)
    }

    /// What variables of ports get, where that is not what they had. What nobody above writes is what it was set to.
    pub fn down(&self, is_written: &dyn Fn(usize) -> bool) -> Vec<((usize, usize), Term)> {
        let settled = self.down.iter().map(|(to, term)| {
            let term = term.with(&|one| match one {
                Ref::In(at) if !is_written(at) => self.up.get(at).cloned(),
                _ => None,
            });
            (*to, term)
        });
        settled.filter(|((port, at), term)| *term != Term::Ref(Ref::Port(*port, *at))).collect()
    }
}

/// What the interaction of some ports of a connector type comes to; nothing where a variable has no value, or a term is too
/// large.
pub(super) fn moves(of: &ConnectorDef, ports: &[usize]) -> Option<Moves> {
    let clause = of.clauses.iter().find(|one| one.ports == ports);
    let mut values = Values::default();
    if let Some(clause) = clause {
        execute(&clause.up, &mut values).ok()?;
    }
    let carried = of.export.as_ref().map_or(&[][..], |(_, _, carried)| carried);
    let mut up = Vec::new();
    for (at, local) in carried.iter().enumerate() {
        up.push(values.insert(Ref::Local(*local), Term::Ref(Ref::In(at)))?);
    }
    if let Some(clause) = clause {
        execute(&clause.down, &mut values).ok()?;
    }
    let mut down: Vec<((usize, usize), Term)> = values
        .into_iter()
        .filter_map(|(to, term)| match to {
            Ref::Port(port, at) => Some(((port, at), term)),
            _ => None,
        })
        .collect();
    down.sort_by_key(|(to, _)| *to);
    let guard = clause.map_or(Term::Bool(true), |one| one.guard.clone());
    let moved = down.iter().map(|(_, term)| term);
    let is_known = moved.chain(&up).chain([&guard]).all(has_values);
    is_known.then_some(Moves { guard, up, down })
}

/// Whether no variable of the connector is left in a term.
fn has_values(term: &Term) -> bool {
    let mut has = true;
    term.refs(&mut |one| has &= !matches!(one, Ref::Local(_)));
    has
}
