//! Interactions of connectors, with those of the connectors that they are connected to, and the data that they move.

use super::super::model::{BipModel, CompoundDef, ConnectorDef, End};
use super::super::term::{Ref, Term, TooLarge, Values, execute, now};
use crate::diagnostics::Span;

/// Of a connector with more interactions, those below it included, not all are gone through.
const MOST_INTERACTIONS: usize = 4_096;

/// A port of a component that takes part.
pub(super) type Leaf = (usize, usize);

/// What takes part in an interaction at one port of its connector.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Leaf(Leaf),
    Inner(Box<Interaction>),
}

/// One interaction of a connector, with one of each connector below.
#[derive(Clone, Debug)]
pub(super) struct Interaction {
    pub connector: usize,
    /// The ports of the connector that take part.
    pub ports: Vec<usize>,
    parts: Vec<(usize, Part)>,
    pub leaves: Vec<Leaf>,
    pub guard: Term,
    /// The variables of the connector, after what goes up.
    locals: Values,
    /// The clause that says what is done.
    clause: Option<usize>,
    pub span: Span,
}

/// Why interactions cannot be written out.
#[derive(Clone, Copy, Debug)]
pub(super) enum NoGlue {
    TooMany(Span),
    TooLarge(Span),
    /// A variable of a connector that has no value.
    Unset(Span, usize),
}

impl From<TooLarge> for NoGlue {
    fn from(large: TooLarge) -> NoGlue {
        NoGlue::TooLarge(large.0)
    }
}

/// Values that components get: component, port and variable.
pub(super) type Writes = Vec<((usize, usize, usize), Term)>;

pub(super) struct Glue<'m> {
    pub model: &'m BipModel,
    pub compound: &'m CompoundDef,
}

impl Interaction {
    /// Whether this, or one of those below it, is of a kind.
    pub fn any(&self, is_meant: &dyn Fn(&Interaction) -> bool) -> bool {
        is_meant(self)
            || self.parts.iter().any(|(_, part)| match part {
                Part::Leaf(_) => false,
                Part::Inner(inner) => inner.any(is_meant),
            })
    }
}

impl Glue<'_> {
    pub fn type_of(&self, connector: usize) -> &ConnectorDef {
        &self.model.connectors[self.compound.connectors[connector].kind]
    }

    /// How many interactions a connector has; nothing where these are too many.
    fn count(&self, connector: usize) -> Option<usize> {
        let of = self.type_of(connector);
        if of.is_large {
            return None;
        }
        let mut below = Vec::with_capacity(of.ports.len());
        for end in &self.compound.connectors[connector].ends {
            below.push(match end {
                End::Component(..) => 1,
                End::Connector(inner) => self.count(*inner)?,
            });
        }
        let mut all = 0_usize;
        for ports in &of.interactions {
            let many = ports.iter().try_fold(1_usize, |many, port| many.checked_mul(below[*port]));
            all = all.checked_add(many?)?;
        }
        (all <= MOST_INTERACTIONS).then_some(all)
    }

    /// Whether a connector has more interactions than are gone through.
    pub fn is_large(&self, connector: usize) -> bool {
        self.count(connector).is_none()
    }

    /// The interactions of a connector: all, or of many those that tell what can be read and written by any. What is done with
    /// the data of a port depends on what takes part there and above, so that each choice is there with one for all others.
    pub fn interactions(&self, connector: usize) -> Result<Vec<Interaction>, NoGlue> {
        let is_large = self.is_large(connector);
        let span = self.compound.connectors[connector].name.span;
        let mut choices: Vec<Vec<Part>> = Vec::new();
        for end in &self.compound.connectors[connector].ends {
            choices.push(match end {
                End::Component(component, face) => vec![Part::Leaf((*component, *face))],
                End::Connector(inner) => {
                    let inner = self.interactions(*inner)?.into_iter();
                    inner.map(|one| Part::Inner(Box::new(one))).collect()
                }
            });
        }
        let mut all = Vec::new();
        for ports in &self.type_of(connector).interactions {
            let mut rows: Vec<Vec<(usize, Part)>> = vec![Vec::new()];
            for port in ports {
                let choices = &choices[*port];
                let mut longer = Vec::new();
                for (number, row) in rows.iter().enumerate() {
                    let few = if is_large && number > 0 { 1 } else { choices.len() };
                    for choice in choices.iter().take(few) {
                        let mut row = row.clone();
                        row.push((*port, choice.clone()));
                        longer.push(row);
                    }
                }
                rows = longer;
                if all.len() + rows.len() > MOST_INTERACTIONS {
                    return Err(NoGlue::TooMany(span));
                }
            }
            for row in rows {
                all.push(self.interaction(connector, ports, row)?);
            }
        }
        Ok(all)
    }

    fn interaction(
        &self,
        connector: usize,
        ports: &[usize],
        parts: Vec<(usize, Part)>,
    ) -> Result<Interaction, NoGlue> {
        let of = self.type_of(connector);
        let clause = of.clauses.iter().position(|one| one.ports == ports);
        let (mut guard, mut leaves) = (Term::Bool(true), Vec::new());
        let mut values = Values::default();
        for (port, part) in &parts {
            match part {
                Part::Leaf(leaf) => leaves.push(*leaf),
                Part::Inner(inner) => {
                    leaves.extend(&inner.leaves);
                    guard = guard.and(inner.guard.clone());
                }
            }
            for (at, term) in self.shown(of.ports[*port].1, part)?.into_iter().enumerate() {
                values.insert(Ref::Port(*port, at), term);
            }
        }
        leaves.sort_unstable();
        if let Some(clause) = clause.map(|at| &of.clauses[at]) {
            let own = now(&clause.guard, &values);
            self.all_set(&own, clause.span)?;
            guard = guard.and(own);
            if guard.is_too_large() {
                return Err(NoGlue::TooLarge(clause.span));
            }
            execute(&clause.up, &mut values)?;
        }
        let locals = values.into_iter().filter(|(key, _)| matches!(key, Ref::Local(_))).collect();
        let span = self.compound.connectors[connector].name.span;
        let span = clause.map_or(span, |at| of.clauses[at].span);
        let ports = ports.to_vec();
        Ok(Interaction { connector, ports, parts, leaves, guard, locals, clause, span })
    }

    fn all_set(&self, term: &Term, span: Span) -> Result<(), NoGlue> {
        let mut unset = None;
        term.refs(&mut |one| {
            if let Ref::Local(at) = one {
                unset = Some(at);
            }
        });
        unset.map_or(Ok(()), |at| Err(NoGlue::Unset(span, at)))
    }

    /// What is seen at a port: what the component shows, or what the connector below computed.
    fn shown(&self, kind: usize, part: &Part) -> Result<Vec<Term>, NoGlue> {
        let many = self.model.port_types[kind].parameters.len();
        match part {
            Part::Leaf((component, face)) => {
                Ok((0..many).map(|at| Term::Ref(Ref::Out(*component, *face, at))).collect())
            }
            Part::Inner(inner) => self.exported(inner),
        }
    }

    /// The values that an interaction shows at the port that its connector exports.
    pub fn exported(&self, interaction: &Interaction) -> Result<Vec<Term>, NoGlue> {
        let of = self.type_of(interaction.connector);
        let Some((_, _, carried)) = &of.export else { return Ok(Vec::new()) };
        let mut terms = Vec::new();
        for at in carried {
            let term = interaction.locals.get(&Ref::Local(*at)).cloned();
            let term = term.ok_or(NoGlue::Unset(interaction.span, *at))?;
            self.all_set(&term, interaction.span)?;
            terms.push(term);
        }
        Ok(terms)
    }

    /// What components get: the last values of all variables of all ports that take part. `above` are the values that the
    /// exported port gets, if it is one that gets some.
    pub fn writes(
        &self,
        interaction: &Interaction,
        above: Option<&[Term]>,
    ) -> Result<Writes, NoGlue> {
        let of = self.type_of(interaction.connector);
        let mut values = interaction.locals.clone();
        if let (Some((_, _, carried)), Some(above)) = (&of.export, above) {
            for (at, term) in carried.iter().zip(above) {
                values.insert(Ref::Local(*at), term.clone());
            }
        }
        let mut sizes = Vec::new();
        for (port, part) in &interaction.parts {
            let shown = self.shown(of.ports[*port].1, part)?;
            sizes.push(shown.len());
            for (at, term) in shown.into_iter().enumerate() {
                values.insert(Ref::Port(*port, at), term);
            }
        }
        if let Some(clause) = interaction.clause.map(|at| &of.clauses[at]) {
            execute(&clause.down, &mut values)?;
        }
        let mut writes = Writes::new();
        for ((port, part), many) in interaction.parts.iter().zip(sizes) {
            let last: Vec<Term> = (0..many)
                .map(|at| values.get(&Ref::Port(*port, at)).cloned().unwrap_or(Term::Bool(false)))
                .collect();
            for term in &last {
                self.all_set(term, interaction.span)?;
            }
            match part {
                Part::Leaf((component, face)) => {
                    let each = last.into_iter().enumerate();
                    writes.extend(each.map(|(at, term)| ((*component, *face, at), term)));
                }
                Part::Inner(inner) => writes.extend(self.writes(inner, Some(&last))?),
            }
        }
        Ok(writes)
    }
}
