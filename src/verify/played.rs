//! Plays of two nets in the words of the model, each step of which the plain interpreter has made again.

use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Domains, Step, Value};
use crate::finite::{Couple, Move, OnDemand, ShownId, Shows, Unfolded};
use crate::lts::LtsState;
use crate::outcome::{Play, PlayMove, Reason, Reply, TraceStep};
use crate::pnet::HoleId;
use crate::simulate::Teller;

use super::explored::told_gap;
use super::pairwise::Comparing;

/// The configurations of a net that a play is about, by their numbers.
pub(super) trait Sight {
    /// A configuration as data.
    fn configuration(&self, at: LtsState) -> Option<Configuration>;
    /// How many steps it has.
    fn many(&self, at: LtsState) -> Option<usize>;
    /// The path of a hole.
    fn hole_path(&self, hole: HoleId) -> &str;
}

impl Sight for Unfolded<'_, '_> {
    fn configuration(&self, at: LtsState) -> Option<Configuration> {
        Unfolded::configuration(self, at)
    }

    fn many(&self, at: LtsState) -> Option<usize> {
        Some(self.steps.row(at).len())
    }

    fn hole_path(&self, hole: HoleId) -> &str {
        Unfolded::hole_path(self, hole)
    }
}

impl Sight for OnDemand<'_, '_> {
    fn configuration(&self, at: LtsState) -> Option<Configuration> {
        OnDemand::configuration(self, at)
    }

    fn many(&self, at: LtsState) -> Option<usize> {
        OnDemand::many(self, at)
    }

    fn hole_path(&self, hole: HoleId) -> &str {
        &self.net().holes[hole].path
    }
}

/// Two nets that a play is told of.
pub(super) struct Stage<'s> {
    pub comparing: &'s Comparing<'s>,
    pub sights: [&'s dyn Sight; 2],
    pub shows: &'s Shows,
    pub domains: &'s [Domains; 2],
}

impl Stage<'_> {
    fn telling(&self, side: usize) -> Telling<'_> {
        let Stage { comparing, sights, shows, domains } = self;
        let (net, name) = (comparing.nets[side], comparing.names[side]);
        Telling {
            sight: sights[side],
            shows,
            interpreter: Interpreter::new(net, domains[side].clone()),
            teller: Teller::new(comparing.checked, net, name),
            name,
            comparing,
        }
    }

    /// A play in the words of the model, each step of which the plain interpreter has made.
    pub fn told(
        &self,
        begin: Couple,
        moves: &[Move],
        stuck: Option<Couple>,
    ) -> Result<Play, Reason> {
        let (tellings, names) = ([self.telling(0), self.telling(1)], self.comparing.names);
        let weak = self.comparing.kind().weak;
        let at = |pair: Couple| -> Result<(String, String), Reason> {
            Ok((tellings[0].state(pair.0)?, tellings[1].state(pair.1)?))
        };
        let mut told = Vec::with_capacity(moves.len());
        for made in moves {
            let (one, other) = if made.by_right { (1, 0) } else { (0, 1) };
            let own = |side: usize| if side == 0 { made.at.0 } else { made.at.1 };
            let step = tellings[one].steps(own(one), &[made.step], false)?;
            tellings[other].looked_at(own(other))?;
            let net = names[other].to_owned();
            let reply = match &made.answer {
                None => Reply::None { net },
                Some((steps, _)) if steps.is_empty() => Reply::Stays { net },
                Some((steps, _)) => Reply::Step(tellings[other].steps(
                    own(other),
                    steps,
                    weak && self.shows.is_silent(made.step.0),
                )?),
            };
            told.push(PlayMove { at: at(made.at)?, step, reply });
        }
        if let Some((first, second)) = stuck {
            tellings[0].looked_at(first)?;
            tellings[1].looked_at(second)?;
        }
        let first = tellings[0].configuration(begin.0)?;
        let second = tellings[1].configuration(begin.1)?;
        let mut begins = tellings[0].teller.begins(&first);
        begins.extend(tellings[1].teller.begins(&second));
        Ok(Play {
            nets: (names[0].to_owned(), names[1].to_owned()),
            with: tellings[0].teller.constants(&first),
            begins,
            needs: Vec::new(),
            moves: told,
            stuck: stuck.map(at).transpose()?,
            weak,
        })
    }
}

/// What is needed to tell of one of the two.
struct Telling<'t> {
    sight: &'t dyn Sight,
    shows: &'t Shows,
    interpreter: Interpreter<'t>,
    teller: Teller<'t>,
    name: &'t str,
    comparing: &'t Comparing<'t>,
}

impl Telling<'_> {
    fn lost(&self) -> Reason {
        let why = format!("`{}` does not do this again", self.name);
        Reason::NotReplayed { why }
    }

    fn configuration(&self, at: LtsState) -> Result<Configuration, Reason> {
        self.sight.configuration(at).ok_or_else(|| self.lost())
    }

    fn state(&self, at: LtsState) -> Result<String, Reason> {
        Ok(self.teller.state(&self.configuration(at)?))
    }

    /// The plain interpreter sees as many steps in a configuration as were compared, and they lead where these do.
    fn looked_at(&self, at: LtsState) -> Result<Vec<Step>, Reason> {
        let possible = self.interpreter.steps(&self.configuration(at)?);
        let possible = possible.map_err(|gap| told_gap(&gap, 0))?;
        let mut seen: Vec<_> =
            possible.steps.iter().map(|step| (&step.action, &step.holes, &step.target)).collect();
        seen.sort();
        seen.dedup();
        let as_many = !possible.limited && Some(seen.len()) == self.sight.many(at);
        if as_many { Ok(possible.steps) } else { Err(self.lost()) }
    }

    /// Steps one after the other, as one.
    fn steps(
        &self,
        from: LtsState,
        steps: &[(ShownId, LtsState)],
        is_silent: bool,
    ) -> Result<TraceStep, Reason> {
        let (begin, mut at, mut made) = (self.configuration(from)?, from, Vec::new());
        for (shown, to) in steps {
            let target = self.configuration(*to)?;
            let possible = self.looked_at(at)?;
            let fitting = |step: &Step| step.target == target && self.shows(step, *shown);
            let step = possible.into_iter().find(fitting).ok_or_else(|| self.lost())?;
            made.push((self.configuration(at)?, step));
            at = *to;
        }
        let told = made.iter().map(|(from, step)| self.teller.step(from, step));
        let told: Vec<TraceStep> = told.collect();
        let shown = made.iter().map(|(_, step)| step).find(|step| !step.action.is_silent());
        let shown = shown.or(made.first().map(|(_, step)| step)).ok_or_else(|| self.lost())?;
        let whole = Step {
            target: self.configuration(at)?,
            vectors: Vec::new(),
            transitions: Vec::new(),
            ..shown.clone()
        };
        let whole = self.teller.step(&begin, &whole);
        let by = told.into_iter().flat_map(|step| step.by).collect();
        let action = whole.action.filter(|_| !is_silent);
        Ok(TraceStep { by, action, ..whole })
    }

    /// Whether a step shows this.
    fn shows(&self, step: &Step, shown: ShownId) -> bool {
        let weak = self.comparing.kind().weak;
        let path = |hole| self.sight.hole_path(hole);
        let holes = step.holes.iter().filter(|(hole, _)| self.comparing.is_tracked(path(*hole)));
        let mut holes: Vec<(String, Value)> =
            holes.map(|(hole, does)| (path(*hole).to_owned(), does.clone())).collect();
        holes.sort();
        match self.shows.shown(shown) {
            None if weak => step.action.is_silent(),
            None => step.action == Value::Tau && holes.is_empty(),
            Some((action, does)) => step.action == *action && holes == *does,
        }
    }
}
