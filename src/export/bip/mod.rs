//! Nets as systems of BIP2.
//!
//! Each leaf is an atom, and each node a compound. A joint move is a connector with one interaction: at the root it tests
//! what must hold and gives inputs their values; inside of other nodes it tests what is known there, and passes the variables
//! of its ports up and values for inputs down. Ports carry what their actions are made of, and values are computed in
//! connectors. Priorities between vectors are priorities between connectors.
//!
//! BIP has no values in the names of interactions, and no silent ones: `Exported::labels` says what each connector shows.

mod atom;
mod compound;
mod order;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Exported;
use super::expression::{Beyond, DataNames, Dialect, Writing};
use super::joint::Joints;
use super::name::{Namer, legal};
use super::problems::{ExportProblem, TermInExport};
use crate::algebra::{Algebra, Sort, Term, TermId, Terms, VarId};
use crate::diagnostics::Span;
use crate::pnet::PNet;

/// The words of BIP, and of what it is translated to.
const WORDS: &[&str] = &[
    "package",
    "use",
    "const",
    "data",
    "extern",
    "type",
    "refine",
    "as",
    "function",
    "operator",
    "port",
    "atom",
    "export",
    "clock",
    "place",
    "places",
    "initial",
    "to",
    "do",
    "on",
    "internal",
    "from",
    "provided",
    "priority",
    "invariant",
    "at",
    "end",
    "connector",
    "define",
    "up",
    "down",
    "compound",
    "component",
    "if",
    "then",
    "else",
    "fi",
    "true",
    "false",
    "int",
    "bool",
    "float",
    "string",
    "unit",
    "when",
    "resume",
    "delayable",
    "eager",
    "lazy",
    "reset",
    "double",
    "float",
    "char",
    "class",
    "void",
    "return",
    "while",
    "for",
    "new",
    "delete",
    "this",
    "public",
    "private",
    "static",
    "struct",
    "namespace",
];

/// A variable that goes through a port.
#[derive(Clone, Debug)]
struct Carried {
    var: VarId,
    /// `int` or `bool`
    kind: String,
    /// Whether its value comes from outside.
    is_input: bool,
}

/// Writes a net.
struct Bip<'n> {
    joints: Joints<'n>,
    types: Namer,
    /// The port types, by what they carry.
    port_types: BTreeMap<Vec<String>, String>,
    /// Atoms, connectors and compounds as they are written.
    atoms: Vec<String>,
    connectors: Vec<String>,
    compounds: Vec<String>,
    /// The types that were written, by what stands in them.
    known: FxHashMap<String, String>,
    labels: Vec<(String, String)>,
    problems: Vec<ExportProblem>,
}

/// A net as a package.
pub(super) fn export(net: &PNet, name: &str) -> Result<Exported, Vec<ExportProblem>> {
    let joints = Joints::new(net)?;
    let mut types = Namer::new(WORDS);
    let package = types.pick(name);
    let mut bip = Bip {
        joints,
        types,
        port_types: BTreeMap::new(),
        atoms: Vec::new(),
        connectors: Vec::new(),
        compounds: Vec::new(),
        known: FxHashMap::default(),
        labels: Vec::new(),
        problems: Vec::new(),
    };
    bip.root(name);
    if !bip.problems.is_empty() {
        return Err(bip.problems);
    }
    Ok(Exported { text: bip.page(name, &package), beside: Vec::new(), labels: bip.labels })
}

impl Bip<'_> {
    fn page(&self, name: &str, package: &str) -> String {
        let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut text = format!(
            "// The net {name}, exported by pnet. BIP's `int` is a machine integer; numbers of the model have no bounds.\n"
        );
        let silent = self.labels.iter().filter(|(_, label)| label == "tau").count();
        if silent > 0 {
            text.push_str(
                "// BIP has no silent interactions: those called tau are silent in the model.\n",
            );
        }
        text.push_str(&format!("package {package}\n"));
        for (kinds, name) in &self.port_types {
            let each = kinds.iter().enumerate().map(|(at, kind)| format!("{kind} v{}", at + 1));
            text.push_str(&format!(
                "  port type {name}({})\n",
                each.collect::<Vec<_>>().join(", ")
            ));
        }
        for part in self.atoms.iter().chain(&self.connectors).chain(&self.compounds) {
            text.push('\n');
            text.push_str(part);
        }
        text.push_str("end\n");
        text
    }

    /// The port type for these variables.
    fn port_type(&mut self, carried: &[Carried]) -> String {
        let kinds: Vec<String> = carried.iter().map(|one| one.kind.clone()).collect();
        if let Some(name) = self.port_types.get(&kinds) {
            return name.clone();
        }
        let wanted = match kinds.is_empty() {
            true => "Sig".to_owned(),
            false => format!("Val_{}", kinds.join("_")),
        };
        let name = self.types.pick(&wanted);
        self.port_types.insert(kinds, name.clone());
        name
    }

    /// The type with this body, which is written if it was not before; and whether it is new.
    fn declared(&mut self, wanted: &str, body: &str) -> (String, bool) {
        if let Some(name) = self.known.get(body) {
            return (name.clone(), false);
        }
        let name = self.types.pick(wanted);
        self.known.insert(body.to_owned(), name.clone());
        (name, true)
    }

    fn refuse(&mut self, span: Span, what: Beyond) {
        let known = self.problems.iter().any(|problem| problem.span() == span);
        if !known {
            self.problems.push(TermInExport { span, format: Dialect::Bip.name(), what }.into());
        }
    }
}

/// What writes terms, with names for variables.
fn writing<'w>(
    (algebra, terms, data): (&'w Algebra, &'w mut Terms, &'w DataNames),
    names: FxHashMap<VarId, String>,
) -> Writing<'w> {
    Writing { dialect: Dialect::Bip, algebra, terms, names, data }
}

/// The type of variables of a sort; for other sorts, what does not fit.
fn kind_of(algebra: &Algebra, sort: &Sort) -> Result<String, Beyond> {
    let (data, mut terms) = (DataNames::default(), Terms::default());
    writing((algebra, &mut terms, &data), FxHashMap::default()).sort(sort)
}

/// What an action is called.
pub(super) fn action_name(algebra: &Algebra, terms: &Terms, action: TermId) -> String {
    match terms.get(action) {
        Term::Act(id, args) => {
            let mut name = legal(algebra.action(*id).name.as_str());
            let literal = |arg: &TermId| match terms.get(*arg) {
                Term::Int(value) if value.sign() == num_bigint::Sign::Minus => {
                    Some(format!("_m{}", -&**value))
                }
                Term::Int(value) => Some(format!("_{value}")),
                Term::Bool(value) => Some(format!("_{value}")),
                Term::Construct(data, index, args) if args.is_empty() => {
                    let data = &algebra.datatypes[data.index()];
                    Some(format!("_{}", legal(data.constructors[*index as usize].name.as_str())))
                }
                _ => None,
            };
            let all: Option<Vec<String>> = args.iter().map(literal).collect();
            name.extend(all.into_iter().flatten());
            name
        }
        Term::Tau => "tau".to_owned(),
        Term::Sync(inner) => format!("sync_{}", action_name(algebra, terms, *inner)),
        Term::Co(inner) => format!("co_{}", action_name(algebra, terms, *inner)),
        _ => "x".to_owned(),
    }
}
