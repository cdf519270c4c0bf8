//! `pnet recheck`

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::check::open_session;
use super::comparison;
use super::files::{Disk, in_words};
use super::mona;
use super::output::{complain, write_line};
use super::solver::Solver;
use super::systems::is_system;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_REFUTED, STATUS_UNKNOWN};
use crate::base::Spent;
use crate::generate::{self, Algorithm, Refine, Watch};
use crate::model::Checked;
use crate::parametric::{MonaAnswer, MonaProgram, plain_answer};
use crate::session::Session;
use crate::verify::{
    self, Basis, COMPARED, CONFIGURATIONS, Certificate, ClaimText, FIXPOINTS, FORMULA, FOUND,
    INVARIANT, Listing, MANIFEST, ModelOptions, NoCertificate, PAIRS, PROOF, PairTexts, SIZES,
    Texts, checksum, differences, remake, remake_fixpoints, remake_listed, remake_pairs,
    remake_sizes,
};

/// Options of `pnet recheck`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet verify model.pnet --certificate proofs   prove, and write down what the proofs rest on\n  \
                  pnet recheck proofs model.pnet                make it again from the model, and have z3 confirm it, or go through it\n  \
                  pnet recheck proofs                           only have z3 confirm every obligation\n  \
                  pnet recheck proofs model.pnet --solver cvc5  have another solver do it\n  \
                  pnet recheck proofs --solver \"yices-smt2 --incremental\"\n\n\
                  Exit status: 0 everything is confirmed, 1 something is not, 3 a solver did not know, or nobody\n\
                  went through configurations since there is no model,\n\
                  2 the certificate cannot be read, is not whole, or is not that of the model.")]
pub(super) struct Args {
    /// The folder that `pnet verify --certificate` wrote
    #[arg(value_name = "DIR")]
    folder: String,
    /// The models that were verified: automata and obligations are made again from these and compared, and configurations gone through
    #[arg(value_name = "MODEL")]
    models: Vec<String>,
    /// The solver: `z3`, `cvc5` (which is asked with `--enum-inst`), or a command that takes a file
    #[arg(long, default_value = "z3", value_name = "COMMAND")]
    solver: String,
    /// How long the solver may think about one obligation, in seconds
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    timeout: u64,
    /// How long making the automata and obligations of one claim again may take, or going through its configurations, in seconds; 0 for any time
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    model_timeout: u64,
}

/// Larger files are no parts of certificates.
const LARGEST: u64 = 1 << 30;

#[derive(Default)]
struct Tally {
    confirmed: usize,
    contradicted: usize,
    unknown: usize,
    /// Lists of configurations that the plain interpreter went through.
    gone_through: usize,
    /// The same of pairs.
    pairs: usize,
    /// Comparisons of labelled transition systems that were looked at step by step.
    compared: usize,
    /// Proofs for every size that were gone through.
    sizes: usize,
    /// Formulas that MONA found without a model.
    formulas: usize,
    /// Formulas that nobody was asked about, since MONA is not there.
    unasked: usize,
    /// Those that nobody went through, since there is no model.
    left_out: usize,
}

/// A model, and the claims of which a certificate was seen.
struct Model<'a> {
    path: &'a str,
    checked: &'static Checked,
    hashes: Vec<String>,
    seen: Vec<String>,
}

/// Why something is not confirmed.
enum Failure {
    /// It is not as it should be, or cannot be read.
    Wrong(String),
    /// Nobody knows: the work was not done to its end.
    Stopped(String),
}

impl From<String> for Failure {
    fn from(why: String) -> Failure {
        Failure::Wrong(why)
    }
}

impl From<&str> for Failure {
    fn from(why: &str) -> Failure {
        Failure::Wrong(why.to_owned())
    }
}

impl Failure {
    /// The same of a certificate.
    fn of(self, folder: &Path) -> Failure {
        let said = |why: String| format!("`{}` is not confirmed: {why}", folder.display());
        match self {
            Failure::Wrong(why) => Failure::Wrong(said(why)),
            Failure::Stopped(why) => Failure::Stopped(said(why)),
        }
    }
}

impl Args {
    /// How long what concerns a model may take.
    fn model_time(&self) -> Option<Duration> {
        (self.model_timeout > 0).then(|| Duration::from_secs(self.model_timeout))
    }
}

pub(super) fn run(args: &Args) -> u8 {
    let mut tally = Tally::default();
    match recheck(args, &mut tally) {
        Err(Failure::Wrong(problem)) => {
            complain(&problem);
            STATUS_ERROR
        }
        Err(Failure::Stopped(why)) => {
            complain(&why);
            STATUS_UNKNOWN
        }
        Ok(claims) => {
            if tally.gone_through > 0 {
                let lists = counted(tally.gone_through, "list");
                write_line(&format!(
                    "{lists} of configurations: gone through by the plain interpreter"
                ));
            }
            if tally.pairs > 0 {
                let lists = counted(tally.pairs, "list");
                write_line(&format!("{lists} of pairs: gone through by the plain interpreter"));
            }
            if tally.compared > 0 {
                let many = counted(tally.compared, "comparison");
                write_line(&format!("{many} of systems: looked at step by step"));
            }
            if tally.sizes > 0 {
                let many = counted(tally.sizes, "proof");
                write_line(&format!("{many} for every size: gone through case by case"));
            }
            if tally.formulas > 0 {
                let many = counted(tally.formulas, "formula");
                write_line(&format!("{many} about every size: MONA finds no model"));
            }
            if tally.unasked > 0 {
                let many = counted(tally.unasked, "formula");
                write_line(&format!(
                    "{many} about every size: nobody was asked, since the program `mona` is not installed"
                ));
            }
            let total = tally.confirmed + tally.contradicted + tally.unknown;
            write_line(&format!(
                "{} with {}: {} confirmed by `{}`, {} contradicted, {} unknown",
                counted(claims, "claim"),
                counted(total, "obligation"),
                tally.confirmed,
                args.solver,
                tally.contradicted,
                tally.unknown
            ));
            match (tally.contradicted, tally.unknown + tally.left_out) {
                (0, 0) => 0,
                (0, _) => STATUS_UNKNOWN,
                _ => STATUS_REFUTED,
            }
        }
    }
}

/// `1 claim`, `2 claims`
fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Replays all certificates in a folder; says how many claims there are.
fn recheck(args: &Args, tally: &mut Tally) -> Result<usize, Failure> {
    let watch = Terminal::new(None);
    let session = open_session();
    let models = args.models.iter().filter(|path| !is_system(path));
    let models = models.map(|path| model(session, path, (&watch, args.model_time())));
    let mut models = models.collect::<Result<Vec<_>, _>>()?;
    let folders = folders(&args.folder)?;
    for folder in &folders {
        one(args, (folder, None), &mut models, &watch, tally)?;
    }
    for model in &models {
        say_missing(model);
    }
    if models.is_empty() && tally.compared < folders.len() {
        write_line(
            "only the solver's part was checked: `pnet recheck DIR MODEL` also makes the obligations again from the model",
        );
    }
    Ok(folders.len())
}

/// A model without errors.
fn model<'a>(
    session: &'static Session,
    path: &'a str,
    (watch, time): (&Terminal, Option<Duration>),
) -> Result<Model<'a>, Failure> {
    let (file, stopped) = (path.to_owned(), |spent: Spent| {
        Failure::Stopped(format!("`{path}` was not checked to its end: {spent}"))
    });
    let checked = watch.run(time, move |_: &Working| session.check(&Disk, &file));
    let checked = checked
        .map_err(|left| stopped(left.spent))?
        .map_err(|reason| format!("cannot read `{path}`: {reason}"))?;
    if let Some(spent) = checked.stopped {
        return Err(stopped(spent));
    }
    if checked.has_errors() {
        return Err(format!("`{path}` has errors; `pnet check {path}` shows them").into());
    }
    let hashes = verify::model_hashes(&checked);
    // Work that is left behind may still look at it.
    let checked = Box::leak(Box::new(checked));
    Ok(Model { path, checked, hashes, seen: Vec::new() })
}

/// The folders with a certificate, in order.
fn folders(folder: &str) -> Result<Vec<PathBuf>, String> {
    let root = Path::new(folder);
    let mut folders: Vec<PathBuf> = vec![root.to_path_buf()];
    let entries = std::fs::read_dir(root)
        .map_err(|problem| format!("cannot read `{folder}`: {}", in_words(&problem)))?;
    folders.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
    folders.sort();
    folders.retain(|folder| folder.join(MANIFEST).exists());
    if folders.is_empty() {
        return Err(format!(
            "there is no certificate in `{folder}`; `pnet verify FILE --certificate DIR` writes one"
        ));
    }
    Ok(folders)
}

/// The bytes of a file that is none too large, and no device that never ends.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |why: &str| format!("cannot read `{}`: {why}", path.display());
    let about = std::fs::metadata(path).map_err(|problem| cannot(&in_words(&problem)))?;
    if !about.is_file() {
        return Err(cannot("it is no file"));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|problem| cannot(&in_words(&problem)))?;
    let done = file.take(LARGEST + 1).read_to_end(&mut bytes);
    done.map_err(|problem| cannot(&in_words(&problem)))?;
    if bytes.len() as u64 > LARGEST {
        return Err(cannot("it is too large to be a part of a certificate"));
    }
    Ok(bytes)
}

/// What a certificate says of itself; nothing of it is trusted.
struct Manifest {
    claim: String,
    settings: Vec<String>,
    compared: bool,
    options: Value,
    model: Vec<String>,
    /// The files with their hashes.
    files: Vec<(String, String)>,
}

impl Manifest {
    fn read(folder: &Path) -> Result<Manifest, String> {
        let path = folder.join(MANIFEST);
        let bytes = read(&path)?;
        let damaged = || format!("`{}` is damaged: it is no list of files", path.display());
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| damaged())?;
        if value["version"] == 1 {
            return Err(format!(
                "`{}` was written by an earlier version of pnet: verify the model again",
                path.display()
            ));
        }
        let found = Manifest::of(&value).ok_or_else(damaged)?;
        if !found.is_whole(&value) {
            return Err(format!(
                "`{}` is not whole: it does not list all obligations",
                path.display()
            ));
        }
        Ok(found)
    }

    fn of(value: &Value) -> Option<Manifest> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let pair = |file: &Value| Some((text(&file["file"])?, text(&file["hash"])?));
        let plain = |name: &str| !name.contains(['/', '\\']) && name != "..";
        let files: Vec<(String, String)> =
            value["files"].as_array()?.iter().map(pair).collect::<Option<_>>()?;
        if !files.iter().all(|(name, _)| plain(name)) {
            return None;
        }
        Some(Manifest {
            claim: text(&value["claim"])?,
            settings: value["settings"].as_array()?.iter().map(text).collect::<Option<_>>()?,
            compared: value["asked"] == "compare",
            options: value["options"].clone(),
            model: value["model"]
                .as_array()?
                .iter()
                .map(|file| text(&file["hash"]))
                .collect::<Option<_>>()?,
            files,
        })
    }

    /// Whether each obligation is listed, and each file once.
    fn is_whole(&self, value: &Value) -> bool {
        let mut names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        let scripts = names.iter().filter(|name| name.ends_with(".smt2")).count();
        names.sort_unstable();
        let once = names.windows(2).all(|two| two[0] != two[1]);
        let listed = self.lists(CONFIGURATIONS) || self.has_pairs() || self.lists(SIZES);
        let rests = scripts > 0 || listed;
        rests && once && value["obligations"].as_u64() == Some(scripts as u64)
    }

    /// Whether it rests on pairs of configurations.
    fn has_pairs(&self) -> bool {
        self.lists(PAIRS) && COMPARED.iter().all(|name| self.lists(name))
    }

    fn lists(&self, name: &str) -> bool {
        self.files.iter().any(|(listed, _)| listed == name)
    }

    /// What is to be done with a list of configurations, if there is one: where solvers are asked, they are enough.
    fn listing(&self) -> Option<Listing> {
        let for_solvers = self.files.iter().any(|(name, _)| name.ends_with(".smt2"));
        self.lists(CONFIGURATIONS).then_some(match for_solvers {
            true => Listing::Obligations,
            false => Listing::GoneThrough,
        })
    }

    /// The claim with what is set.
    fn shown(&self) -> String {
        let with = match self.settings.as_slice() {
            [] => String::new(),
            settings => format!(" with {}", settings.join(", ")),
        };
        let asked =
            if self.compared { " (no check of the model: it was asked from outside)" } else { "" };
        format!("{}{with}{asked}", self.claim)
    }

    /// How automata are to be made; none of it makes a wrong one.
    fn options(&self) -> Result<ModelOptions, String> {
        let options = &self.options;
        let algorithm = match options["algorithm"].as_str() {
            Some("naive") => Algorithm::Naive,
            Some("smart") => Algorithm::Smart,
            Some("fast") => Algorithm::Fast,
            _ => return Err("it does not say by which algorithm it was made".to_owned()),
        };
        let refine = match options["refine"].as_str() {
            Some("full") => Refine::Full,
            Some("once") => Refine::Once,
            Some("none") => Refine::None,
            _ => return Err("it does not say how far transitions were left out".to_owned()),
        };
        let generate = generate::Options { algorithm, refine, ..generate::Options::default() };
        let compose = options["compose"] == true;
        Ok(ModelOptions { generate, compose, ..ModelOptions::default() })
    }
}

/// Replays one certificate.
fn one(
    args: &Args,
    (folder, part): (&Path, Option<&PartOf<'_>>),
    models: &mut [Model<'_>],
    watch: &Terminal,
    tally: &mut Tally,
) -> Result<(), Failure> {
    if let Some(list) = comparison::list_in(folder) {
        return compared(args, folder, list, (watch, tally));
    }
    let manifest = Manifest::read(folder)?;
    write_line(&format!("{}{}", if part.is_some() { "  " } else { "" }, manifest.shown()));
    if part.is_some_and(|part| !part.fits(&manifest)) {
        return Err(Failure::from("it is about another size, or another claim").of(folder));
    }
    for (name, hash) in &manifest.files {
        let path = folder.join(name);
        if *hash != checksum(&read(&path)?) {
            return Err(format!(
                "`{}` is not as it was written: its checksum is wrong",
                path.display()
            )
            .into());
        }
    }
    if !models.is_empty() {
        let is_part = part.is_some();
        let again = made_again((folder, is_part), &manifest, models, (watch, args.model_time()));
        again.map_err(|why| why.of(folder))?;
    }
    let by_hand = match manifest.listing() {
        Some(Listing::GoneThrough) => Some((CONFIGURATIONS, &mut tally.gone_through)),
        None if manifest.has_pairs() => Some((PAIRS, &mut tally.pairs)),
        None if manifest.lists(SIZES) => Some((SIZES, &mut tally.sizes)),
        _ => None,
    };
    match by_hand {
        Some((_, gone_through)) if !models.is_empty() => *gone_through += 1,
        Some((file, _)) => {
            tally.left_out += 1;
            write_line(&format!("  {file}: nobody went through it, since the model is not given"));
        }
        None => {}
    }
    if manifest.lists(FORMULA) {
        formula(args, folder, watch, tally)?;
    }
    if manifest.lists(SIZES) {
        sizes_alone(args, (folder, &manifest), models, watch, tally)?;
    }
    let scripts =
        manifest.files.iter().map(|(name, _)| name).filter(|name| name.ends_with(".smt2"));
    let scripts: Vec<&String> = scripts.collect();
    let paths: Vec<PathBuf> = scripts.iter().map(|name| folder.join(name)).collect();
    let solver = Solver { command: &args.solver, limit: Duration::from_secs(args.timeout) };
    for (name, answer) in scripts.into_iter().zip(solver.answers(&paths)?) {
        match answer.as_str() {
            "unsat" => tally.confirmed += 1,
            "sat" => tally.contradicted += 1,
            _ => tally.unknown += 1,
        }
        if answer != "unsat" {
            write_line(&format!("  {name}: `{}` answers {answer}, not unsat", args.solver));
        }
    }
    Ok(())
}

/// What the certificate of one size belongs to.
struct PartOf<'a> {
    claim: &'a str,
    /// What is set in this size.
    set: &'a [String],
    /// How much is set in the whole.
    before: usize,
}

impl PartOf<'_> {
    fn fits(&self, manifest: &Manifest) -> bool {
        // With several sizes, what is left where one is set is about every size of the others.
        let is_smaller = !manifest.lists(SIZES) || self.set.len() > self.before;
        manifest.claim == self.claim && manifest.settings == self.set && is_smaller
    }
}

/// Replays the certificates of sizes that are looked at by themselves.
fn sizes_alone(
    args: &Args,
    (folder, manifest): (&Path, &Manifest),
    models: &mut [Model<'_>],
    watch: &Terminal,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let text = text_of(folder, SIZES)?;
    let alone = verify::sizes_alone(&text).map_err(|why| why.to_string())?;
    for size in &alone {
        match &size.certificate {
            Some(name) if !name.contains(['/', '\\', '.']) => {
                let before = manifest.settings.len();
                let part = PartOf { claim: &manifest.claim, set: &size.set, before };
                one(args, (&folder.join(name), Some(&part)), models, watch, tally)?;
            }
            Some(name) => return Err(Failure::from(format!("`{name}` is no folder")).of(folder)),
            None => {
                tally.left_out += 1;
                let set = size.set.join(", ");
                write_line(&format!("  with {set}: there is no certificate of this size"));
            }
        }
    }
    Ok(())
}

/// Asks MONA about the formula of a claim about every size, where it is there.
fn formula(args: &Args, folder: &Path, watch: &Terminal, tally: &mut Tally) -> Result<(), Failure> {
    let text = text_of(folder, FORMULA)?;
    let Ok(MonaProgram(ask)) = mona::program(None) else {
        tally.unasked += 1;
        return Ok(());
    };
    let limit = (args.timeout > 0).then(|| Duration::from_secs(args.timeout));
    let said = watch.run(limit, move |working: &Working| ask(&text, &working.budget()));
    let answer =
        said.map_or(MonaAnswer::Failed("it was stopped".to_owned()), |said| plain_answer(&said));
    match answer {
        MonaAnswer::NoModel => tally.formulas += 1,
        MonaAnswer::Model(_) => {
            tally.contradicted += 1;
            write_line(&format!("  {FORMULA}: MONA finds a model, and there should be none"));
        }
        MonaAnswer::Failed(why) => {
            tally.unknown += 1;
            write_line(&format!("  {FORMULA}: MONA does not decide: {why}"));
        }
    }
    Ok(())
}

/// A file of a certificate as a text.
fn text_of(folder: &Path, name: &str) -> Result<String, String> {
    String::from_utf8(read(&folder.join(name))?).map_err(|_| format!("`{name}` is no text"))
}

/// Looks again at a comparison of labelled transition systems.
fn compared(
    args: &Args,
    folder: &Path,
    list: Value,
    (watch, tally): (&Terminal, &mut Tally),
) -> Result<(), Failure> {
    let text = |name: &str| list[name].as_str().unwrap_or_default().to_owned();
    write_line(&format!(
        "{}: `{}` and `{}` by {}",
        text("verdict"),
        text("first"),
        text("second"),
        text("relation")
    ));
    let (place, sources) = (folder.to_path_buf(), args.models.clone());
    let again = move |working: &Working| {
        let _here = crate::generate::Watch::budget(working).enter();
        let done = comparison::recheck(&place, &list, &sources, working);
        (done, working.budget().spent())
    };
    let (done, spent) =
        watch.run(args.model_time(), again).map_err(|left| Failure::Stopped(left.told()))?;
    if let Some(spent) = spent {
        return Err(Failure::Stopped(spent.to_string()));
    }
    done?;
    tally.compared += 1;
    Ok(())
}

/// Makes a certificate again from its model, and compares the two.
fn made_again(
    (folder, is_part): (&Path, bool),
    manifest: &Manifest,
    models: &mut [Model<'_>],
    (watch, time): (&Terminal, Option<Duration>),
) -> Result<(), Failure> {
    let fits = |model: &&mut Model<'_>| model.hashes == manifest.model;
    let model = models
        .iter_mut()
        .find(fits)
        .ok_or("it was written for another model, or the model was changed since")?;
    let (checked, path, options) = (model.checked, model.path.to_owned(), manifest.options()?);
    let basis = Rests::of(folder, manifest)?;
    let again = move |working: &Working| {
        let made = basis.made((checked, &path), &options, working);
        (made, working.budget().spent())
    };
    let (made, spent) = watch.run(time, again).map_err(|left| Failure::Stopped(left.told()))?;
    if let Some(spent) = spent {
        return Err(Failure::Stopped(spent.to_string()));
    }
    let made = made.map_err(|why| why.to_string())?;
    let different = differences(&made, |name| read(&folder.join(name)))?;
    if let Some(first) = different.first() {
        return Err(first.to_string().into());
    }
    // A part is no claim by itself.
    if is_part {
        return Ok(());
    }
    // The same claim with other settings is another claim.
    model.seen.push(manifest.claim.clone());
    let shown = manifest.shown();
    let times = model.seen.iter().filter(|seen| **seen == manifest.claim).count();
    let checks = model.checked.checks().into_iter();
    let wanted = checks.filter(|check| verify::claim(model.checked, check) == manifest.claim);
    if !manifest.compared && times > wanted.count() {
        return Err(format!("`{shown}` has a certificate already: this one is repeated").into());
    }
    Ok(())
}

/// What a certificate is made of again.
enum Rests {
    /// A relation or an invariant.
    Text(Basis),
    /// A list of configurations, and where it stands.
    List { claim: String, settings: Vec<String>, path: PathBuf, listing: Listing },
    /// Pairs of configurations, and where they stand.
    Pairs { claim: String, settings: Vec<String>, folder: PathBuf },
    /// The text of a proof for every size.
    Sizes { claim: String, settings: Vec<String>, text: String },
    /// The text of the sets that a formula rests on.
    Fixpoints { claim: String, settings: Vec<String>, text: String },
}

/// The lines of a file whose checksum was looked at before: what cannot be read now is no whole list.
fn lines(path: &Path) -> impl Iterator<Item = Result<String, String>> + use<> {
    let file = std::fs::File::open(path).ok().map(BufReader::new);
    let lines = file.into_iter().flat_map(BufRead::lines);
    lines.map(|line| line.map_err(|problem| in_words(&problem)))
}

impl Rests {
    fn of(folder: &Path, manifest: &Manifest) -> Result<Rests, String> {
        let (claim, settings) = (manifest.claim.clone(), manifest.settings.clone());
        if let Some(listing) = manifest.listing() {
            return Ok(Rests::List { claim, settings, path: folder.join(CONFIGURATIONS), listing });
        }
        if manifest.has_pairs() {
            return Ok(Rests::Pairs { claim, settings, folder: folder.to_path_buf() });
        }
        if manifest.lists(SIZES) {
            return Ok(Rests::Sizes { claim, settings, text: text_of(folder, SIZES)? });
        }
        if manifest.lists(FIXPOINTS) {
            return Ok(Rests::Fixpoints { claim, settings, text: text_of(folder, FIXPOINTS)? });
        }
        let files = [INVARIANT, PROOF];
        let file = files.into_iter().find(|file| manifest.lists(file)).unwrap_or(FOUND);
        let found = text_of(folder, file)?;
        Ok(Rests::Text(Basis { claim, settings, found }))
    }

    fn made(
        &self,
        (checked, path): (&Checked, &str),
        options: &ModelOptions,
        working: &Working,
    ) -> Result<Certificate, NoCertificate> {
        let sources = Texts(&checked.sources);
        match self {
            Rests::Text(basis) => remake(&sources, path, basis, options, false, working),
            Rests::List { claim, settings, path: list, listing } => {
                let claim = ClaimText { text: claim, settings };
                let list = (&mut lines(list) as verify::Lines<'_>, *listing);
                let _here = crate::generate::Watch::budget(working).enter();
                remake_listed((&sources, path), &claim, list, options, working)
            }
            Rests::Sizes { claim, settings, text } => {
                let claim = ClaimText { text: claim, settings };
                let _here = crate::generate::Watch::budget(working).enter();
                remake_sizes((&sources, path), &claim, text, options, working)
            }
            Rests::Fixpoints { claim, settings, text } => {
                let claim = ClaimText { text: claim, settings };
                let _here = crate::generate::Watch::budget(working).enter();
                remake_fixpoints((&sources, path), &claim, text, options, working)
            }
            Rests::Pairs { claim, settings, folder } => {
                let claim = ClaimText { text: claim, settings };
                let mut lists = COMPARED.map(|name| lines(&folder.join(name)));
                let [first, second] = &mut lists;
                let mut pairs = lines(&folder.join(PAIRS));
                let texts = PairTexts { lists: [first, second], pairs: &mut pairs };
                let _here = crate::generate::Watch::budget(working).enter();
                remake_pairs((&sources, path), &claim, (texts, true), options, working)
            }
        }
    }
}

/// Says which checks of a model have no certificate here.
fn say_missing(model: &Model<'_>) {
    let mut seen = model.seen.clone();
    for check in model.checked.checks() {
        let claim = verify::claim(model.checked, check);
        match seen.iter().position(|known| *known == claim) {
            Some(at) => drop(seen.swap_remove(at)),
            None => write_line(&format!("without a certificate: {claim}")),
        }
    }
}
