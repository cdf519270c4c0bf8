//! What all workers have seen, put together; and the map of their shards.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::Places;
use super::crew::{End, Ended};
use super::wire::{Found, Report};
use crate::base::Spent;
use crate::cli::explore::Args;
use crate::cli::files::in_words;
use crate::cli::output::complain;
use crate::cli::simulating::Ready;
use crate::explore::compiled::Coverage;
use crate::explore::search::spread::{Halt, Tally, total};
use crate::explore::search::{self, Counts};
use crate::lts::shards::{MAP, ModelText, Scan, Shard, ShardMap, file_name};
use crate::verify::model_hashes;

/// What several processes have seen.
pub(in crate::cli) struct Together {
    pub counts: Counts,
    /// Why not everything was looked at.
    pub why: Option<String>,
    /// Whether what was looked for was found.
    pub found: bool,
    pub limited: bool,
    /// What of the net was used.
    pub used: Coverage,
    /// The way to what was found, where it was collected here.
    pub run: Option<Found>,
    /// How many configurations each worker has, and how many steps to them were made, where that is known.
    pub workers: Vec<(Option<u64>, Option<u64>)>,
    pub seconds: f64,
}

/// Makes a folder ready for shards.
pub(super) fn prepare(folder: &str, local: &[u32]) -> Result<(), String> {
    let cannot =
        |problem: std::io::Error| format!("cannot write to `{folder}`: {}", in_words(&problem));
    fs::create_dir_all(folder).map_err(cannot)?;
    // What is there from before must not be taken for what comes now.
    for name in local.iter().map(|&worker| file_name(worker)).chain([MAP.to_owned()]) {
        match fs::remove_file(Path::new(folder).join(name)) {
            Err(problem) if problem.kind() != std::io::ErrorKind::NotFound => {
                return Err(cannot(problem));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Puts together what workers have said, and writes the map of the shards.
pub(super) fn together(
    args: &Args,
    ready: &Ready,
    places: &Places,
    ended: Ended,
) -> Result<Together, String> {
    let failed = ended.workers.iter().find_map(|(worker, end)| match end {
        End::Failed(why) if !end.is_stopped() => Some(told(*worker, why, places)),
        _ => None,
    });
    if let Some(why) = failed {
        return Err(why);
    }
    let (seconds, gone) = (ended.seconds, gone(&ended, places));
    gone.iter().for_each(|gone| complain(gone));
    let reports = Reports::new(ended, places.of);
    let parts = reports.parts(args.folder(), gone.is_some())?;
    let mut together = reports.together(gone, &parts);
    together.seconds = seconds;
    if let Some(folder) = args.folder() {
        let map = map(args, ready, &together, &parts);
        write_map(folder, &map, places.local.first().copied().unwrap_or(0))?;
    }
    Ok(together)
}

/// What a worker says about its failure: where several are here, which one it is.
fn told(worker: u32, why: &str, places: &Places) -> String {
    if places.local.len() == 1 { why.to_owned() } else { format!("worker {worker}: {why}") }
}

/// Who ended before its time, in words.
fn gone(ended: &Ended, places: &Places) -> Option<String> {
    let here = ended.workers.iter().find_map(|(worker, end)| match end {
        End::Gone(how) => Some(format!("worker {worker} ended before its time: {how}")),
        _ => None,
    });
    // Whoever was told to end before all had met takes the connection with it.
    let was_stopped =
        |lost: u32| ended.workers.iter().any(|(worker, end)| *worker == lost && end.is_stopped());
    let lost = || {
        let all = ended.workers.iter().filter_map(|(worker, end)| Some((*worker, end.lost()?)));
        all.filter(|(_, lost)| !was_stopped(*lost))
    };
    let elsewhere = || {
        let (_, lost) = lost().find(|(_, lost)| !places.local.contains(lost))?;
        Some(format!("worker {lost} is gone: the connection to it ended"))
    };
    let between = || {
        let (worker, lost) = lost().next()?;
        Some(format!("the connection between workers {worker} and {lost} ended"))
    };
    here.or_else(elsewhere).or_else(between)
}

/// What is known of one worker.
#[derive(Clone, Copy, Default)]
struct Part {
    states: Option<u64>,
    lines: Option<u64>,
    begins: u64,
}

/// What workers have reported.
struct Reports {
    of: u32,
    /// By the numbers of the workers; none for those that are elsewhere, or gone.
    reports: Vec<Option<Box<Report>>>,
    /// Those that were started here.
    local: Vec<u32>,
    /// What all have told last, as far as is known.
    tallies: Vec<Tally>,
    spent: Option<Spent>,
}

impl Reports {
    fn new(ended: Ended, of: u32) -> Reports {
        let mut reports: Vec<Option<Box<Report>>> = (0..of).map(|_| None).collect();
        let local = ended.workers.iter().map(|(worker, _)| *worker).collect();
        for (worker, end) in ended.workers {
            if let End::Report(report) = end {
                reports[worker as usize] = Some(report);
            }
        }
        let mut tallies: Vec<Tally> =
            (0..of).map(|from| Tally { from, ..Tally::default() }).collect();
        for told in reports.iter().flatten().flat_map(|report| &report.tallies) {
            let known = &mut tallies[told.from as usize % of as usize];
            // Whoever was gone first knows less than the others.
            if told.counts.states + told.lines >= known.counts.states + known.lines {
                *known = told.clone();
            }
        }
        Reports { of, reports, local, tallies, spent: ended.spent }
    }

    /// What there is of each worker. Shards that are here are looked at: what is not as it was reported is an error, and what
    /// a worker left behind that is gone is cut to whole lines.
    fn parts(&self, folder: Option<&str>, broken: bool) -> Result<Vec<Part>, String> {
        (0..self.of).map(|worker| self.part(worker, folder, broken)).collect()
    }

    fn part(&self, worker: u32, folder: Option<&str>, broken: bool) -> Result<Part, String> {
        let tally = &self.tallies[worker as usize];
        let mut part = Part {
            states: Some(tally.counts.states),
            lines: Some(tally.lines),
            begins: tally.begins,
        };
        let report = self.reports[worker as usize].as_ref();
        if let Some(report) = report {
            let (lines, states) = report.shard;
            part = Part { states: Some(states), lines: Some(lines), begins: report.begins };
        }
        let here = folder.filter(|_| self.local.contains(&worker));
        let Some(folder) = here else {
            let unknown = folder.is_some() && broken;
            return Ok(if unknown { Part { states: None, lines: None, ..part } } else { part });
        };
        let path = Path::new(folder).join(file_name(worker));
        let scan = mended(&path, worker, part.begins, report.is_none())
            .map_err(|why| format!("`{}`: {why}", path.display()))?;
        let found = (scan.lines, scan.states);
        match report.map(|report| report.shard).filter(|shard| *shard != found) {
            Some((lines, states)) => Err(format!(
                "`{}` has {} lines to {} states, and worker {worker} has written {lines} to {states}",
                path.display(),
                scan.lines,
                scan.states
            )),
            None => Ok(Part { states: Some(scan.states), lines: Some(scan.lines), ..part }),
        }
    }

    fn together(self, gone: Option<String>, parts: &[Part]) -> Together {
        let (mut counts, ended) = total(&self.tallies);
        counts.states = parts.iter().filter_map(|part| part.states).sum();
        let lines: u64 = parts.iter().filter_map(|part| part.lines).sum();
        let beyond: u64 = self.tallies.iter().map(|tally| tally.beyond).sum();
        counts.transitions = lines + beyond;
        let halts = self.tallies.iter().filter_map(|tally| tally.halt.clone());
        let spent = self.spent.map(|spent| spent.to_string());
        let halted = halts.min().and_then(|halt| match halt {
            Halt::Told(why) => Some(why),
            Halt::Found | Halt::States => None,
        });
        let gaps = self.tallies.iter().filter_map(|tally| tally.gap.clone());
        let by_end = match ended {
            search::Ended::States => spent.or(halted).or(Some(MOST_STATES.to_owned())),
            search::Ended::Depth => Some(MOST_DEPTH.to_owned()),
            _ => gaps.min().map(|(_, why)| why),
        };
        // A worker that was stopped before it had begun has left work that nobody did.
        let is_part = |worker: &u32| match &self.reports[*worker as usize] {
            Some(report) => report.lost.is_some(),
            None => true,
        };
        let in_part = self.local.iter().any(is_part);
        let in_part = in_part.then(|| self.spent.map_or("stopped".to_owned(), |s| s.to_string()));
        let mut used = Coverage::default();
        self.tallies.iter().flat_map(|tally| &tally.used).for_each(|numbers| used.add(numbers));
        Together {
            counts,
            found: ended == search::Ended::Found && gone.is_none(),
            why: gone.or(in_part).or(by_end),
            limited: self.tallies.iter().any(|tally| tally.limited),
            used,
            run: self.reports.into_iter().flatten().find_map(|report| report.run),
            workers: parts.iter().map(|part| (part.states, part.lines)).collect(),
            seconds: 0.0,
        }
    }
}

/// Why it ended, where a limit was met.
pub(in crate::cli) const MOST_STATES: &str = "`--most-states` allows no more";
pub(in crate::cli) const MOST_DEPTH: &str = "`--depth` allows no more";

/// Goes through a shard. `cut`: whether what is not whole is cut off.
fn mended(path: &Path, worker: u32, begins: u64, cut: bool) -> Result<Scan, String> {
    let words = |problem: std::io::Error| in_words(&problem);
    let file = match File::options().read(true).write(cut).open(path) {
        // It was gone before it had a shard.
        Err(problem) if cut && problem.kind() == std::io::ErrorKind::NotFound => {
            File::create(path).map_err(words)?;
            return Ok(Scan::new(worker, begins));
        }
        file => file.map_err(words)?,
    };
    let (mut lines, mut line) = (BufReader::new(&file), Vec::new());
    let (mut scan, mut bytes) = (Scan::new(worker, begins), 0);
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line).map_err(words)?;
        if read == 0 {
            return Ok(scan);
        }
        match scan.line(&line, None) {
            Ok(_) => bytes += read as u64,
            Err(_) if cut => {
                file.set_len(bytes).map_err(words)?;
                return Ok(scan);
            }
            Err(why) => return Err(why.to_string()),
        }
    }
}

fn map(args: &Args, ready: &Ready, together: &Together, parts: &[Part]) -> ShardMap {
    let modules = &ready.checked.program.modules;
    let files = ready.checked.sources.files().iter().map(|file| file.name().to_owned());
    let files = files.filter(|name| modules.iter().any(|module| module.file == *name));
    let texts = files.zip(model_hashes(&ready.checked));
    let model = texts.map(|(file, hash)| ModelText { file, hash }).collect();
    let shards = (0..).zip(parts).map(|(worker, part)| Shard {
        worker,
        file: file_name(worker),
        states: part.states,
        begins: part.begins,
        lines: part.lines,
    });
    let lines: u64 = parts.iter().filter_map(|part| part.lines).sum();
    let Counts { states, transitions, deadlocks, finals, depth, .. } = together.counts;
    ShardMap {
        model,
        set: ready.set().to_vec(),
        domains: ready.domain_names(),
        tau: args.tau.clone(),
        states,
        transitions,
        beyond: transitions - lines,
        deadlocks,
        finals,
        depth,
        complete: together.why.is_none() && !together.found,
        limited: together.limited,
        ended: together.why.clone().or(together.found.then(|| FOUND.to_owned())),
        shards: shards.collect(),
        ..ShardMap::new(&ready.name)
    }
}

/// Why not everything was looked at where something was found.
pub(in crate::cli) const FOUND: &str = "what was looked for was found";

/// Writes the map, as a whole or not at all.
fn write_map(folder: &str, map: &ShardMap, worker: u32) -> Result<(), String> {
    let (part, path) =
        (Path::new(folder).join(format!("{MAP}.{worker}.part")), Path::new(folder).join(MAP));
    let done = fs::write(&part, map.text()).and_then(|()| fs::rename(&part, &path));
    done.map_err(|problem| format!("cannot write `{}`: {}", path.display(), in_words(&problem)))
}

#[cfg(test)]
mod tests {
    use super::super::Places;
    use super::{End, Ended, Part, Report, Reports, gone};
    use crate::base::Spent;

    /// One worker was told to end while it waited for the other, which had seen it already.
    #[test]
    fn who_was_stopped_while_meeting_is_not_gone() {
        let workers = vec![
            (0, End::Failed(Spent::Interrupted.to_string())),
            (1, End::Report(Box::new(Report { lost: Some(0), ..Report::default() }))),
        ];
        let spent = Some(Spent::Time { milliseconds: 500 });
        let ended = Ended { workers, spent, seconds: 0.5 };
        let places = Places { local: vec![0, 1], addresses: None, of: 2, patience: None };
        assert_eq!(gone(&ended, &places), None);
        let together = Reports::new(ended, 2).together(None, &[Part::default(); 2]);
        assert_eq!(together.why.as_deref(), Some("the time was up after 0.5 s"));
    }

    /// One that ended by itself is.
    #[test]
    fn who_ended_before_its_time_is_gone() {
        let workers = vec![
            (0, End::Gone("it was killed by signal 9".to_owned())),
            (1, End::Report(Box::new(Report { lost: Some(0), ..Report::default() }))),
        ];
        let ended = Ended { workers, spent: None, seconds: 0.5 };
        let places = Places { local: vec![0, 1], addresses: None, of: 2, patience: None };
        assert!(gone(&ended, &places).is_some_and(|why| why.contains("worker 0 ended")));
    }
}
