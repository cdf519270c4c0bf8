//! Names, sorts and well-formedness: from the trees of all modules to one typed program.
//!
//! The passes, in order: [`declare`] takes in every name; [`imports`] decides what each module sees;
//! [`signatures`] resolves the sorts of data, functions, constants and actions; then the bodies are
//! checked, each by itself ([`function`], [`process`], [`net`], [`question`], [`scenario`]), [`termination`] sees to it
//! that functions have a meaning, and at last the [`lints`] look at the whole.

mod action;
mod architecture;
mod body;
mod bounds;
mod changes;
mod check;
mod component;
mod connector;
mod declare;
mod expr;
mod fields;
mod fold;
mod function;
mod generic;
mod glue;
mod imports;
mod infer;
mod instance;
mod invariant;
mod joint;
mod joint_sorts;
mod leaf_names;
mod leaves;
mod lints;
mod marks;
mod matching;
mod members;
mod membership;
mod net;
mod occurrence;
mod offers;
mod parameters;
mod pattern;
pub mod problems;
mod process;
pub mod program;
mod question;
mod range_ends;
mod record;
mod reduction;
mod related;
mod scenario;
mod scope;
mod signatures;
mod specialise;
mod substitute;
mod temporal;
mod termination;
mod tuple;
mod uses;
mod vector;
mod walk;
mod weight;

use rustc_hash::FxHashMap;

pub use self::architecture::{MOST_COMPONENTS, MOST_TREES, skeleton, unfolding_texts};
pub use self::occurrence::{NameKind, Occurrence, Occurrences};
pub use self::question::known_checks;
pub use self::range_ends::{Assigned, RangeEnd};

use self::problems::SemaProblem;
use self::program::{ActionId, ArchitectureId, ModuleId, ModuleInfo, NetId, Program};
use self::scope::Scope;
use crate::base::budget::is_spent;
use crate::diagnostics::{Severity, Span, Symbol, closest};
use crate::loader::LoadedModule;
use crate::syntax::ast::{ArchitectureDecl, ConstDecl};

/// What is done with a program, one after the other.
const PASSES: [fn(&mut Sema<'_>); 11] = [
    declare::run,
    imports::run,
    signatures::run,
    function::run,
    termination::run,
    process::run,
    joint::run,
    net::run,
    question::run,
    scenario::run,
    lints::run,
];

/// Checks a program. Modules come after those they import. What could be understood is in the program,
/// however much is wrong. Where the budget was spent meanwhile, neither the program nor the problems are worth anything.
pub fn check(modules: &[LoadedModule]) -> (Program, Vec<SemaProblem>) {
    let mut sema = Sema::new(modules);
    for pass in PASSES {
        // A pass that was not done to its end is nothing to build on.
        if is_spent() {
            break;
        }
        pass(&mut sema);
    }
    sema.specialise();
    sema.take_away_components();
    sema.keep_aliases();
    (sema.program, sema.problems)
}

/// How many names are looked at for all "did you mean" of one run: in a file with thousands of unknown names nobody
/// reads the rest, and each costs a look at all names.
const MOST_LOOKED_AT: usize = 200_000;

/// The state of the passes.
struct Sema<'a> {
    modules: &'a [LoadedModule],
    program: Program,
    scopes: Vec<Scope>,
    problems: Vec<SemaProblem>,
    /// Actions by name and arity.
    action_ids: FxHashMap<(Symbol, usize), ActionId>,
    /// Which actions are used at all.
    used_actions: Vec<bool>,
    /// Sorts of arrays by their parts.
    array_ids: FxHashMap<(program::Sort, program::Sort), program::ArrayId>,
    /// Processes and nets as they are written, and their instances.
    components: component::Components<'a>,
    /// How many actions are declared; after these come parameters that stand for some.
    declared_actions: usize,
    /// Instances of datatypes and functions over sorts.
    instances: generic::Instances,
    offers: Vec<offers::Offer>,
    process_facts: Vec<process::Facts>,
    net_facts: Vec<net::Facts>,
    architecture_facts: Vec<architecture::Facts>,
    /// The architectures as they are written.
    architecture_decls: Vec<(ModuleId, &'a ArchitectureDecl)>,
    /// The constants as they are written.
    constants: Vec<(ModuleId, &'a ConstDecl)>,
    /// The nets of unfoldings: by architecture, number of components and number among these.
    unfolded: FxHashMap<(ArchitectureId, usize, usize), NetId>,
    /// How many names may still be looked at.
    names_left: usize,
}

impl<'a> Sema<'a> {
    /// Whether an error was reported inside of a text.
    fn has_error_in(&self, text: Span) -> bool {
        let errors = self.problems.iter().filter(|one| one.entry().severity == Severity::Error);
        errors.map(SemaProblem::span).any(|span| text.contains(span))
    }

    fn new(modules: &'a [LoadedModule]) -> Sema<'a> {
        let info = |module: &LoadedModule| ModuleInfo {
            file: module.file.clone(),
            is_root: module.is_root,
            aliases: Vec::new(),
        };
        Sema {
            modules,
            program: Program { modules: modules.iter().map(info).collect(), ..Program::default() },
            scopes: Vec::new(),
            problems: Vec::new(),
            action_ids: FxHashMap::default(),
            used_actions: Vec::new(),
            array_ids: FxHashMap::default(),
            components: component::Components::default(),
            declared_actions: usize::MAX,
            instances: generic::Instances::default(),
            offers: Vec::new(),
            process_facts: Vec::new(),
            net_facts: Vec::new(),
            architecture_facts: Vec::new(),
            architecture_decls: Vec::new(),
            constants: Vec::new(),
            unfolded: FxHashMap::default(),
            names_left: MOST_LOOKED_AT,
        }
    }

    /// Notes what modules call each other, for those who write something in their words.
    fn keep_aliases(&mut self) {
        for (info, scope) in self.program.modules.iter_mut().zip(&self.scopes) {
            let aliases = scope.aliases.iter();
            info.aliases = aliases.map(|(alias, (module, _))| (*alias, *module)).collect();
            info.aliases.sort_by_key(|(alias, _)| alias.as_str());
        }
    }

    fn report(&mut self, problem: impl Into<SemaProblem>) {
        self.problems.push(problem.into());
    }

    /// The name among the candidates that was probably meant.
    fn similar<'n>(
        &mut self,
        written: Symbol,
        candidates: impl IntoIterator<Item = &'n str>,
    ) -> Option<String> {
        if self.names_left == 0 {
            return None;
        }
        let left = &mut self.names_left;
        let counted = candidates.into_iter().inspect(|_| *left = left.saturating_sub(1));
        closest(written.as_str(), counted).map(str::to_owned)
    }
}
