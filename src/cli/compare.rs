//! `pnet compare`

use serde_json::json;

use super::check::{check_watched, open_session};
use super::comparison::{Answered, write_certificate};
use super::exploring::Engaging;
use super::output::{Format, complain, write_line};
use super::subject::{LIMITED, Subject, SubjectRead};
use super::systems::{NotRead, RelationArgs, SystemArgs};
use super::verify::{Checking, Model, Tally, duration, verify_last};
use super::watch::Working;
use super::{STATUS_ERROR, STATUS_REFUTED, STATUS_UNKNOWN};
use crate::diagnostics::Levels;
use crate::emit::systems as words;
use crate::finite::LabelView;
use crate::loader::{CompareQuestion, Question};
use crate::lts::{self, Equivalence, Lts, LtsCompared, LtsQuestion, Seen};

/// Options of `pnet compare`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet compare model.pnet EnableState EnableData            step by step the same?\n  \
                  pnet compare model.pnet Spec Impl --weak                  the same but for silent steps?\n  \
                  pnet compare model.pnet 'Ring<5>' 'Ring<6>' --refines     does the first do nothing else?\n  \
                  pnet compare model.pnet Small Large --refines --tracking P,Q\n  \
                  pnet compare model.pnet Impl Spec --weak --refines        the same, with internal steps?\n  \
                  pnet compare model.pnet 'Par(A, B)' C --compose           from the automata of `Par`, A and B\n  \
                  pnet compare model.pnet 'Par(A, B)' 'Par(B, A)' --relations\n\n\
                  pnet compare a.aut b.aut --branching      two labelled transition systems, and no model\n  \
                  pnet compare impl.aut spec.aut --weak-trace --refines\n  \
                  pnet compare impl.aut spec.aut --failures-divergences --refines\n  \
                  pnet compare model.pnet Ring spec.aut --weak              a net with finite data, and a file\n  \
                  pnet compare old.pnet Ring new.pnet Ring --branching      nets of two models\n\n\
                  A and B are written as in a `check` item. Files (.aut), nets of two models, and nets by relations other\n\
                  than `--strong`, `--weak` and `--refines`, are compared as labelled transition systems: what tells them apart is a shortest trace, or a formula where no trace does: `<a>f`, a\n\
                  step with `a` leads to where f holds; `<<a>>f`, with silent steps around it; `f <a> g`, silent steps\n\
                  through where f holds, then `a` to where g holds; `<tau...>f`, silent steps for ever.\n\
                  Exit status: 0 they compare, 1 they do not, 3 not known, 2 the model or the question has errors.")]
pub(super) struct Args {
    /// What to compare: two nets or processes of a model, `FILE A B`; two labelled transition systems, `A.aut B.aut`; or one of
    /// each, `FILE A B.aut`; nets of two models, `FILE A OTHER.pnet B`
    #[arg(value_name = "WHAT", num_args = 2..=4, required = true)]
    what: Vec<String>,
    #[command(flatten)]
    relation: RelationArgs,
    /// Stable failures: traces without silent steps, and what is refused after them
    #[arg(long, group = "model")]
    failures: bool,
    /// The same with where silent steps can be made for ever
    #[arg(long, group = "model")]
    failures_divergences: bool,
    /// Refinement: A does nothing that B does not allow, and gets stuck no more often; with `--weak`, silent steps do
    /// not count. As labelled transition systems: with `--trace`, `--weak-trace`, `--safety`, `--failures` or `--failures-divergences`
    #[arg(long)]
    refines: bool,
    /// With `--refines`, the holes that must do the same on both sides, `P,Q`; without it, all, which both must have
    #[arg(long, value_name = "HOLES", value_delimiter = ',', requires = "refines")]
    tracking: Option<Vec<String>>,
    #[command(flatten)]
    engaging: Engaging,
    #[command(flatten)]
    system: SystemArgs,
    #[command(flatten)]
    checking: Checking,
}

/// Two nets of one model, as they were written.
type Nets<'a> = (&'a str, &'a str);

impl Args {
    fn question(&self, nets: Nets<'_>) -> Question {
        let kind = match (self.relation.weak, self.refines) {
            (true, true) => "weakly_refines",
            (true, false) => "weakly_bisimilar",
            (false, true) => "refines",
            (false, false) => "bisimilar",
        };
        let (first, second) = (nets.0.to_owned(), nets.1.to_owned());
        Question::Comparison(CompareQuestion {
            kind,
            first,
            second,
            tracking: self.tracking.clone(),
        })
    }

    /// What is asked about two systems, or why that cannot be.
    fn about_systems(&self) -> Result<LtsQuestion, String> {
        let by = self.relation.equivalence();
        let seen = match (self.failures, self.failures_divergences, by) {
            (true, false, None) => Some(Seen::Failures),
            (false, true, None) => Some(Seen::FailuresDivergences),
            (_, _, Some(Equivalence::Trace)) => Some(Seen::Traces),
            (_, _, Some(Equivalence::WeakTrace)) => Some(Seen::WeakTraces),
            _ => None,
        };
        if self.tracking.is_some() {
            return Err(
                "labelled transition systems have no holes: leave out `--tracking`".to_owned()
            );
        }
        if (self.failures || self.failures_divergences) && by.is_some() {
            return Err("only one relation can be asked for at a time".to_owned());
        }
        match (self.refines, seen, by) {
            (true, Some(seen), _) => Ok(LtsQuestion::Refines(seen)),
            (true, None, Some(Equivalence::Safety)) => Ok(LtsQuestion::Simulated),
            (true, None, _) => Err(ONE_WAY.to_owned()),
            (false, Some(seen), None) => Ok(LtsQuestion::SeenAlike(seen)),
            (false, _, by) => Ok(LtsQuestion::Equivalent(by.unwrap_or(Equivalence::Strong))),
        }
    }

    /// Whether what is asked about nets is what a `check` item can ask.
    fn is_check(&self) -> bool {
        let by = self.relation.equivalence();
        let is_known = matches!(by, None | Some(Equivalence::Strong | Equivalence::Weak));
        is_known && !self.failures && !self.failures_divergences
    }
}

/// What is compared: nets by a check, or systems.
enum Comparison<'a> {
    Nets(&'a str, Nets<'a>),
    Systems([Subject<'a>; 2]),
}

impl Args {
    fn comparison(&self) -> Result<Comparison<'_>, &'static str> {
        let subjects = Subject::two(&self.what)?;
        let [first, second] = subjects;
        match (first, second) {
            (
                Subject::Net { model, net: Some(one) },
                Subject::Net { model: other, net: Some(two) },
            ) if model == other && self.is_check() => match self.relation.strong && self.refines {
                true => Err("`--refines` is a relation of its own: leave out `--strong`"),
                false => Ok(Comparison::Nets(model, (one, two))),
            },
            _ => Ok(Comparison::Systems(subjects)),
        }
    }
}

const ONE_WAY: &str = "`--refines` needs a relation that goes one way: `--trace`, `--weak-trace`, `--safety`, \
                       `--failures` or `--failures-divergences`";

pub(super) fn run(args: &'static Args) -> u8 {
    match args.comparison() {
        Ok(Comparison::Nets(model, nets)) => compare_nets(args, model, nets),
        Ok(Comparison::Systems(subjects)) => compare_systems(args, subjects),
        Err(problem) => {
            complain(problem);
            STATUS_ERROR
        }
    }
}

/// Two systems are compared.
fn compare_systems(args: &'static Args, subjects: [Subject<'static>; 2]) -> u8 {
    let (levels, question) = match (args.checking.reporting.levels(), args.about_systems()) {
        (Ok(levels), Ok(question)) => (levels, question),
        (Err(problem), _) | (_, Err(problem)) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    args.checking.prepare();
    let (watch, time) = (args.checking.terminal(), duration(args.checking.timeout));
    let asked = Asked { args, question, names: (subjects[0].name(), subjects[1].name()) };
    match watch.run(time, move |working| asked.answered(subjects, &levels, working)) {
        Ok(status) => status,
        Err(left) => asked.unknown(&left.told()),
    }
}

/// A question about two systems.
#[derive(Clone, Copy)]
struct Asked {
    args: &'static Args,
    question: LtsQuestion,
    names: (&'static str, &'static str),
}

impl Asked {
    fn answered(self, subjects: [Subject<'_>; 2], levels: &Levels, watch: &Working) -> u8 {
        let Asked { args, question, .. } = self;
        let (view, with) = (
            LabelView::hiding(question.hides()),
            (args.checking.readying(args.engaging.domains()), levels),
        );
        // A file beside a net is read as the net's own file would be.
        let like_nets = question.hides() && subjects.iter().any(Subject::is_net);
        let read = |one: Subject<'_>| {
            let read = one.read(&args.system, view, with, watch)?;
            Ok(if like_nets && !one.is_net() { read.like_models() } else { read })
        };
        let both = read(subjects[0]).and_then(|first| Ok((first, read(subjects[1])?)));
        let (first, second) = match both {
            Ok(both) => both,
            Err(NotRead::Reported) => return STATUS_ERROR,
            Err(NotRead::Stopped(why)) => return self.unknown(&why.to_string()),
        };
        let doubt = doubt([&first, &second]);
        let (first, second) = (first.read.lts, second.read.lts);
        let folder = args.checking.certificate.as_deref().filter(|_| doubt.is_none());
        let kept = folder.map(|folder| (folder, first.clone(), second.clone()));
        match lts::compare(first, second, question, args.system.limits(), watch) {
            Ok(found) => {
                let status = self.tell(&found, doubt);
                match kept {
                    Some((folder, first, second)) => {
                        self.certify(folder, (&first, &second), &found, watch).unwrap_or(status)
                    }
                    None => status,
                }
            }
            Err(why) => self.unknown(&why.to_string()),
        }
    }

    /// Writes what the answer rests on; the status to end with, where that is not possible.
    fn certify(
        self,
        folder: &str,
        systems: (&Lts, &Lts),
        found: &LtsCompared,
        watch: &Working,
    ) -> Option<u8> {
        let Asked { args, question, names } = self;
        let (limits, silent) = (args.system.limits(), args.system.silent());
        let answered = Answered { systems, names, question, found, limits, silent };
        match write_certificate(folder, &answered, watch) {
            Ok(none) => {
                none.iter().for_each(|why| args.checking.reporting.say(why));
                None
            }
            Err(problem) => {
                complain(&problem);
                Some(STATUS_ERROR)
            }
        }
    }

    fn tell(self, found: &LtsCompared, doubt: Option<String>) -> u8 {
        let Asked { args, question, names } = self;
        match args.checking.reporting.format {
            Format::Json => {
                let mut object = words::compared_object(found, question, names);
                if let Some(doubt) = &doubt {
                    object["verdict"] = "unknown".into();
                    object["reason"] = doubt.as_str().into();
                }
                write_line(&object.to_string());
            }
            Format::Human => {
                doubt.iter().for_each(|doubt| {
                    write_line(&format!("unknown: {doubt}; as they are made, it is"))
                });
                words::compared_lines(found, question, names)
                    .iter()
                    .for_each(|line| write_line(line));
            }
        }
        match doubt {
            Some(_) => STATUS_UNKNOWN,
            None if found.holds => 0,
            None => STATUS_REFUTED,
        }
    }

    fn unknown(self, why: &str) -> u8 {
        let Asked { args, question, names: (first, second) } = self;
        match args.checking.reporting.format {
            Format::Json => write_line(
                &json!({
                    "first": first, "second": second, "relation": words::relation(question),
                    "verdict": "unknown", "reason": why,
                })
                .to_string(),
            ),
            Format::Human => write_line(&format!("unknown: {why}")),
        }
        STATUS_UNKNOWN
    }
}

/// Why what is found out about two systems need not hold of the nets that they were made of.
fn doubt(both: [&SubjectRead; 2]) -> Option<String> {
    if both.iter().any(|one| one.limited) {
        return Some(LIMITED.to_owned());
    }
    let hole = both.iter().find_map(|one| one.undeclared.as_deref())?;
    Some(format!(
        "the hole `{hole}` may do what nobody declared, for which there are no labels: give it an interface"
    ))
}

/// Two nets of a model are compared.
fn compare_nets(args: &'static Args, file: &'static str, nets: Nets<'_>) -> u8 {
    let levels = match args.checking.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let watch = args.checking.terminal();
    let reporting = &args.checking.reporting;
    let within = (&watch, duration(args.checking.timeout));
    let (session, asked) = (open_session(), (file, Some(args.question(nets))));
    let mut checked = match check_watched(session, asked, reporting, &levels, within) {
        Ok(checked) => checked,
        Err(status) => return status,
    };
    if checked.has_errors() {
        return STATUS_ERROR;
    }
    args.checking.prepare();
    let mut tally = Tally::default();
    let Some(settings) = args.checking.settings(&mut [&mut checked]) else { return STATUS_ERROR };
    let model = Model {
        session,
        path: file,
        checked: Box::leak(Box::new(checked)),
        settings: settings.into_iter().next().unwrap_or_default(),
        explore: args.engaging.options(args.checking.threads()),
        mona: None,
        traces: None,
    };
    verify_last((&args.checking, &levels), &model, &watch, &mut tally);
    tally.status()
}
