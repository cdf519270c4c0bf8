//! Certificates made from a model, settings and what was found, and nothing else.
//!
//! `verify` writes what is made here, and `recheck` makes it again: what both come to is the same, byte for byte, unless
//! somebody changed one of them. So what a certificate holds need not be trusted; of all its files only the claim, the
//! settings and the text of what was found are taken over, and these are looked at as if a person had written them.

use std::fmt::Display;

use serde_json::{Value, json};

use super::certificate::{About, with_list};
use super::refusal::{Deviation, NoCertificate};
use super::{
    COMPARED, CONFIGURATIONS, Certificate, FIXPOINTS, FORMULA, FOUND, INVARIANT, Lines, Listing,
    MANIFEST, ModelOptions, PAIRS, PROOF, PairTexts, SIZES, checksum, claim, compare, given, holds,
    listing, nonblocking, pairs, sized, valid,
};
use crate::algebra::TermId;
use crate::automaton::VariableNames;
use crate::diagnostics::{Severity, SourceMap};
use crate::elaborate;
use crate::emit;
use crate::equivalence::Sides;
use crate::generate::Watch;
use crate::loader::{Question, Sources};
use crate::model::{self, Checked, Made};
use crate::pnet::is_open;
use crate::sema::program::{CheckDef, CheckKind, InvariantDef, RelationDef};
use crate::smt::{Expected, ScriptOptions};
use crate::syntax::ast::{CheckDecl, ItemKind};
use crate::syntax::{parse, parse_check};
use crate::system::{Prover, System};

/// What determines a certificate, besides the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Basis {
    /// The check, as it is written, without `;`.
    pub claim: String,
    /// What is set: `N=4`.
    pub settings: Vec<String>,
    /// What was found, as the text of a relation or an invariant.
    pub found: String,
}

/// The texts of a compilation, to be read once more.
pub struct Texts<'m>(pub &'m SourceMap);

impl Sources for Texts<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let file = self.0.files().iter().find(|file| file.name() == path);
        let text = file.map(|file| file.text().as_bytes().to_vec());
        text.ok_or_else(|| "there is no such file".to_owned())
    }
}

/// The automata, what was found and the obligations, before it is said what they are about.
pub(super) struct Remade {
    /// The files with the automata.
    automata: Vec<(&'static str, String)>,
    /// The name of the file with what was found.
    file: &'static str,
    /// What was found, written anew.
    found: String,
    /// Each with what it is about, and the script without its comment.
    obligations: Vec<(String, String)>,
}

impl Remade {
    /// What a proof rests on.
    pub fn of(
        (sides, prover): (&Sides<'_>, &mut Prover<'_>),
        found: String,
        obligations: &[(String, Vec<TermId>)],
    ) -> Remade {
        let [first, second] = &sides.systems.0;
        let systems = [("first.json", first), ("second.json", second)];
        Remade::made((&systems, prover), sides.is_open_world(), (FOUND, found), obligations)
    }

    /// What a proof about one system rests on.
    pub fn alone(
        (system, prover): (&System<'_>, &mut Prover<'_>),
        found: String,
        obligations: &[(String, Vec<TermId>)],
    ) -> Remade {
        let open_world = is_open(&system.automaton.holes);
        let systems = [("automaton.json", system)];
        Remade::made((&systems, prover), open_world, (INVARIANT, found), obligations)
    }

    /// What a proof of a formula rests on.
    pub fn of_fixpoints(
        (system, prover): (&System<'_>, &mut Prover<'_>),
        found: String,
        obligations: &[(String, Vec<TermId>)],
    ) -> Remade {
        let open_world = is_open(&system.automaton.holes);
        let systems = [("automaton.json", system)];
        Remade::made((&systems, prover), open_world, (FIXPOINTS, found), obligations)
    }

    /// What a proof of a formula rests on that was made with an observer.
    pub fn of_observed(net: String, found: String, obligations: Vec<(String, String)>) -> Remade {
        Remade { automata: vec![("net.json", net)], file: FIXPOINTS, found, obligations }
    }

    /// What a proof about a net rests on that has no open automaton: it would be too large.
    pub fn of_net(net: String, found: String, obligations: Vec<(String, String)>) -> Remade {
        Remade { automata: vec![("net.json", net)], file: INVARIANT, found, obligations }
    }

    /// What a proof about data alone rests on.
    pub fn of_data(net: String, found: String, obligations: Vec<(String, String)>) -> Remade {
        Remade { automata: vec![("net.json", net)], file: PROOF, found, obligations }
    }

    /// What a proof by exploration rests on: all configurations.
    pub fn of_list(net: String, list: String, obligations: Vec<(String, String)>) -> Remade {
        let automata = vec![("net.json", net)];
        Remade { automata, file: CONFIGURATIONS, found: list, obligations }
    }

    /// What a comparison configuration by configuration rests on: lists of configurations, and the pairs.
    pub fn of_pairs([first, second]: [String; 2], [left, right, pairs]: [String; 3]) -> Remade {
        let automata = vec![
            ("first.json", first),
            ("second.json", second),
            (COMPARED[0], left),
            (COMPARED[1], right),
        ];
        Remade { automata, file: PAIRS, found: pairs, obligations: Vec::new() }
    }

    /// What a proof for every size rests on, with a formula where there is one.
    pub fn of_sizes(formula: Option<String>, found: String) -> Remade {
        let automata = formula.map(|formula| (FORMULA, formula)).into_iter().collect();
        Remade { automata, file: SIZES, found, obligations: Vec::new() }
    }

    fn made(
        (systems, prover): (&[(&'static str, &System<'_>)], &mut Prover<'_>),
        open_world: bool,
        (file, found): (&'static str, String),
        obligations: &[(String, Vec<TermId>)],
    ) -> Remade {
        let automaton = |&(name, system): &(&'static str, &System<'_>)| {
            (name, format!("{:#}\n", emit::automaton::json(system.automaton, None, None)))
        };
        let automata = systems.iter().map(automaton).collect();
        let mut names = VariableNames::default();
        for (_, system) in systems {
            names.extend(system.variables.iter().map(|v| (v.var, v.path.clone())));
        }
        let script = |(about, conditions): &(String, Vec<TermId>)| {
            let options = ScriptOptions {
                comment: &[],
                open_world,
                names: Some(&names),
                expected: Some(Expected::Unsat),
            };
            (about.clone(), prover.script(conditions, options))
        };
        Remade { automata, file, found, obligations: obligations.iter().map(script).collect() }
    }

    /// The files, each obligation under what is claimed.
    fn files(self, claim: &ClaimText<'_>, found: String) -> Vec<(String, String)> {
        let automata = self.automata.into_iter();
        let mut files: Vec<(String, String)> =
            automata.map(|(name, text)| (name.to_owned(), text)).collect();
        files.push((self.file.to_owned(), found));
        let with = match claim.settings {
            [] => String::new(),
            settings => format!(" with {}", settings.join(", ")),
        };
        for (number, (about, script)) in self.obligations.into_iter().enumerate() {
            let comment = commented(&[&format!("{}{with}", claim.text), &about]);
            files.push((format!("obligation-{:04}.smt2", number + 1), comment + &script));
        }
        files
    }
}

/// Lines of a script that solvers do not read.
fn commented(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| line.lines()).map(|line| format!("; {line}\n")).collect()
}

/// Makes the certificate of a claim about a model. Whether the obligations are met is asked only where `meets` says so:
/// whoever checks a certificate has a solver of their own.
pub fn remake(
    sources: &dyn Sources,
    path: &str,
    basis: &Basis,
    options: &ModelOptions,
    meets: bool,
    watch: &dyn Watch,
) -> Result<Certificate, NoCertificate> {
    let claim = ClaimText { text: &basis.claim, settings: &basis.settings };
    if is_about_data(&basis.claim) {
        return claim.remade(((sources, path), options), |checked, check, options| {
            valid::remade(checked, check, (&basis.found, meets), options)
        });
    }
    let (checked, options) = claim.read((sources, path), &question(basis)?, options)?;
    let (check, written) = asked(&checked).ok_or(NoCertificate::NotUnderstood)?;
    claim.is_certified(&checked, check)?;
    let remade = rests_on(&checked, check, (written, meets), &options, watch)?;
    let found = match (check.relation, check.invariant) {
        (None, None) => basis.found.clone(),
        _ => renamed(&remade.found, &checked),
    };
    let about = claim.about(&checked, check, &options);
    Ok(with_list(remade.files(&claim, found), &about))
}

/// The same for a claim that was proved by exploration, from the list of all configurations.
pub fn remake_listed(
    sources: (&dyn Sources, &str),
    claim: &ClaimText<'_>,
    list: (Lines<'_>, Listing),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Certificate, NoCertificate> {
    claim.remade((sources, options), |checked, check, options| {
        listing::remade(checked, check, list, options, watch)
    })
}

/// The same for a comparison that was proved configuration by configuration, from the pairs that are related. They are gone
/// through where they are not just being written.
pub fn remake_pairs(
    sources: (&dyn Sources, &str),
    claim: &ClaimText<'_>,
    texts: (PairTexts<'_>, bool),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Certificate, NoCertificate> {
    claim.remade((sources, options), |checked, check, options| {
        if !check.kind.is_comparison() {
            return Err(NoCertificate::NoObligations);
        }
        pairs::remade(checked, check, texts, options, watch)
    })
}

/// The same for a claim about every size, from the text of its proof, which is gone through. Sizes that are looked at by
/// themselves have certificates of their own.
pub fn remake_sizes(
    sources: (&dyn Sources, &str),
    claim: &ClaimText<'_>,
    text: &str,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Certificate, NoCertificate> {
    claim.remade((sources, options), |checked, check, options| {
        sized::remade((checked, check), text, options, watch)
    })
}

/// The same for a formula, from the text of the sets that it rests on.
pub fn remake_fixpoints(
    sources: (&dyn Sources, &str),
    claim: &ClaimText<'_>,
    text: &str,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Certificate, NoCertificate> {
    claim.remade((sources, options), |checked, check, options| {
        if check.kind != CheckKind::Holds {
            return Err(NoCertificate::NoObligations);
        }
        holds::remade(checked, check, text, options, watch)
    })
}

/// What is claimed of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimText<'c> {
    /// The check, as it is written, without `;`.
    pub text: &'c str,
    /// What is set: `N=4`.
    pub settings: &'c [String],
}

impl ClaimText<'_> {
    /// The certificate of a claim that rests on lists, which are looked at together with the model.
    fn remade(
        &self,
        (sources, options): ((&dyn Sources, &str), &ModelOptions),
        look: impl FnOnce(&Checked, &CheckDef, &ModelOptions) -> Result<Remade, NoCertificate>,
    ) -> Result<Certificate, NoCertificate> {
        if !parse_check(self.text, 0).problems.is_empty() {
            return Err(NoCertificate::NoCheck(self.text.to_owned()));
        }
        let question = Question::Checks(vec![self.text.to_owned()]);
        let (checked, options) = self.read(sources, &question, options)?;
        let mut checks = checked.program.checks.iter();
        let check = checks.find(|check| checked.is_asked(check.span));
        let check = check.ok_or(NoCertificate::NotUnderstood)?;
        self.is_certified(&checked, check)?;
        // What a check names is what is to prove it.
        if check.invariant.is_some() || check.relation.is_some() {
            return Err(NoCertificate::NoObligations);
        }
        let remade = look(&checked, check, &options)?;
        let about = self.about(&checked, check, &options);
        let found = remade.found.clone();
        Ok(with_list(remade.files(self, found), &about))
    }

    /// The model with what is asked about it, and options with what is set.
    fn read(
        &self,
        (sources, path): (&dyn Sources, &str),
        question: &Question,
        options: &ModelOptions,
    ) -> Result<(Checked, ModelOptions), NoCertificate> {
        let made = model::check(sources, path, Some(question), Made::default());
        let mut checked = made?;
        let mut errors = checked.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        if let Some(error) = errors.next() {
            return Err(NoCertificate::Errors(error.message.clone()));
        }
        let options = with_settings(&mut checked, self.settings, options)?;
        Ok((checked, options))
    }

    /// Whether a check that was read is this one, and what is claimed can have a certificate; otherwise, why not.
    fn is_certified(&self, checked: &Checked, check: &CheckDef) -> Result<(), NoCertificate> {
        if claim(checked, check) != self.text {
            return Err(NoCertificate::OtherWords(self.text.to_owned()));
        }
        match check.kind {
            // What is said of two parts and of the whole would be several certificates.
            CheckKind::Noninterfering => Err(NoCertificate::NoObligations),
            // What an invariant shows is that something is never reached.
            CheckKind::Reaches if !check.negated => Err(NoCertificate::NoObligations),
            kind if check.negated && kind != CheckKind::Reaches => Err(NoCertificate::Negated),
            _ => Ok(()),
        }
    }

    fn about<'a>(
        &'a self,
        checked: &'a Checked,
        check: &CheckDef,
        options: &ModelOptions,
    ) -> About<'a> {
        let own = checked.checks().into_iter().filter(|own| own.span != check.span);
        About {
            claim: self.text,
            settings: self.settings,
            is_check: own.into_iter().any(|own| claim(checked, own) == self.text),
            model: model(checked),
            options: shown(options),
        }
    }
}

/// What the proof of a check by what is written rests on.
fn rests_on(
    checked: &Checked,
    check: &CheckDef,
    (written, meets): (Written<'_>, bool),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Remade, NoCertificate> {
    // Where the check names something, this is what it is about.
    let relation = check.relation.map(|id| &checked.program.relations[id.index()]);
    let relation = relation.or(written.relation);
    let invariant = check.invariant.map(|id| &checked.program.invariants[id.index()]);
    let invariant = invariant.or(written.invariant);
    match (check.kind, relation, invariant) {
        (
            CheckKind::Bisimilar
            | CheckKind::WeaklyBisimilar
            | CheckKind::Refines
            | CheckKind::WeaklyRefines,
            Some(relation),
            _,
        ) => compare::remade(checked, check, (relation, meets), options, watch),
        (CheckKind::Nonblocking, Some(relation), _) => {
            nonblocking::remade(checked, check, (relation, meets), options, watch)
        }
        (kind, _, Some(invariant)) if kind.is_safety() => {
            given::remade(checked, check, (invariant, meets), options, watch)
        }
        _ => Err(NoCertificate::NoObligations),
    }
}

/// What was found, under a name that the model does not have.
pub(super) fn renamed(found: &str, checked: &Checked) -> String {
    let program = &checked.program;
    let relations = program.relations.iter().map(|relation| &relation.named);
    let named = relations.chain(program.invariants.iter().map(|invariant| &invariant.named));
    let own = named.filter(|named| !checked.is_asked(named.span));
    let taken: Vec<&str> = own.map(|named| named.name.as_str()).collect();
    let names = std::iter::once("Found".to_owned()).chain((2..).map(|n| format!("Found{n}")));
    let name = names.into_iter().find(|name| !taken.contains(&name.as_str()));
    let name = name.unwrap_or_default();
    match found.strip_prefix("invariant Found of ") {
        Some(rest) => format!("invariant {name} of {rest}"),
        None => found.replacen("relation Found(", &format!("relation {name}("), 1),
    }
}

/// The hashes of the files of a model, in the order in which a certificate lists them.
pub fn model_hashes(checked: &Checked) -> Vec<String> {
    model(checked).into_iter().map(|(_, text)| checksum(text.as_bytes())).collect()
}

/// The claim and what was found as a question about the model; or why they are not one of each.
fn question(basis: &Basis) -> Result<Question, NoCertificate> {
    if !parse_check(&basis.claim, 0).problems.is_empty() {
        return Err(NoCertificate::NoCheck(basis.claim.clone()));
    }
    let parsed = parse(&basis.found, 0);
    match parsed.module.items.as_slice() {
        [one]
            if matches!(
                one.kind,
                ItemKind::Relation(_) | ItemKind::Invariant(_) | ItemKind::Reduction(_)
            ) && parsed.problems.is_empty() => {}
        _ => return Err(NoCertificate::NotOneRelation),
    }
    Ok(Question::Claim { check: basis.claim.clone(), relation: basis.found.clone() })
}

/// Whether a claim is one about data alone.
fn is_about_data(claim: &str) -> bool {
    let parsed = parse_check(claim, 0);
    let is_valid = |check: &CheckDecl| check.nets.is_empty() && check.property.is_some();
    parsed.problems.is_empty() && parsed.found.as_ref().is_some_and(is_valid)
}

/// Options with what is set.
fn with_settings(
    checked: &mut Checked,
    settings: &[String],
    options: &ModelOptions,
) -> Result<ModelOptions, NoCertificate> {
    let settled = model::settle(&mut [checked], settings);
    if let Some((_, problem)) = settled.problems.first() {
        return Err(NoCertificate::Settings(problem.message.clone()));
    }
    let set = settled.settings.into_iter().next().unwrap_or_default();
    let elaborate = elaborate::ElaborateOptions { set, ..options.elaborate.clone() };
    Ok(ModelOptions { elaborate, ..options.clone() })
}

/// What was found, as it was read: one of these.
#[derive(Clone, Copy)]
struct Written<'c> {
    relation: Option<&'c RelationDef>,
    invariant: Option<&'c InvariantDef>,
}

/// The check and what was found that were put behind the model.
fn asked(checked: &Checked) -> Option<(&CheckDef, Written<'_>)> {
    let check = checked.program.checks.iter().find(|check| checked.is_asked(check.span))?;
    let mut relations = checked.program.relations.iter();
    let relation = relations.find(|relation| checked.is_asked(relation.named.span));
    let mut invariants = checked.program.invariants.iter();
    let invariant = invariants.find(|invariant| checked.is_asked(invariant.named.span));
    (relation.is_some() || invariant.is_some()).then_some((check, Written { relation, invariant }))
}

/// The files of a model with their texts, those that were read first first: systems of processes belong to it like modules.
fn model(checked: &Checked) -> Vec<(&str, &str)> {
    let is_module = |name: &str| checked.program.modules.iter().any(|module| module.file == name);
    let belongs = |name: &str| is_module(name) || checked.reads.has(name);
    let files = checked.sources.files().iter().filter(|file| belongs(file.name()));
    files.map(|file| (file.name(), &**file.text())).collect()
}

/// The options that decide what is written.
fn shown(options: &ModelOptions) -> Value {
    json!({
        "algorithm": format!("{:?}", options.generate.algorithm).to_lowercase(),
        "refine": format!("{:?}", options.generate.refine).to_lowercase(),
        "compose": options.compose,
    })
}

/// What is different about the files of a certificate, as they were read, from those that were made again; in the order
/// in which they were made.
pub fn differences<E: Display>(
    made: &Certificate,
    read: impl Fn(&str) -> Result<Vec<u8>, E>,
) -> Result<Vec<Deviation>, E> {
    let mut found = Vec::new();
    let list = made.files.iter().find(|(name, _)| name == MANIFEST);
    let expected: Value =
        list.and_then(|(_, text)| serde_json::from_str(text).ok()).unwrap_or_default();
    let given: Value = serde_json::from_slice(&read(MANIFEST)?).unwrap_or_default();
    let hashes = |value: &Value| -> Vec<Value> {
        let files = value["model"].as_array().into_iter().flatten();
        files.map(|file| file["hash"].clone()).collect()
    };
    if hashes(&expected) != hashes(&given) {
        found.push(Deviation::Model);
    }
    for (field, what) in [
        ("version", "form of the list"),
        ("claim", "claim"),
        ("asked", "kind of claim"),
        ("settings", "settings"),
        ("options", "options"),
        ("obligations", "number of obligations"),
    ] {
        if expected[field] != given[field] {
            found.push(Deviation::Field(what));
        }
    }
    for (name, text) in made.files.iter().filter(|(name, _)| name != MANIFEST) {
        match read(name) {
            Ok(bytes) if bytes == text.as_bytes() => {}
            Ok(_) => found.push(Deviation::File(name.clone())),
            Err(why) => found.push(Deviation::Unread(why.to_string())),
        }
    }
    if expected["files"] != given["files"] {
        found.push(Deviation::Files);
    }
    Ok(found)
}
