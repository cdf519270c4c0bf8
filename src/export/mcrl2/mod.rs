//! Nets as processes of mCRL2.
//!
//! Each leaf is a set of recursive equations, one for each state, with its variables as parameters. Each joint move of the
//! root has actions of its own, one for each leaf that takes part: in mCRL2 an action communicates in one way only, and
//! by its name alone. Actions that communicate have the same arguments, so what a leaf does not know is summed over
//! (`share.rs`). All is put together as `hide(allow(comm(…)))`: without `allow`, steps would also happen at the same time.
//! Every equation ends with a call or `delta`, so nothing terminates.

mod process;
mod share;

use rustc_hash::FxHashMap;

use super::Exported;
use super::expression::{Beyond, DataNames, Dialect, Writing};
use super::joint::Joints;
use super::name::{Namer, legal};
use super::problems::{ExportProblem, NoOrder, OrderInExport, TermInExport};
use crate::algebra::{DataId, FunId, Sort, VarId};
use crate::diagnostics::Span;
use crate::pnet::{PNet, PltsId};
use share::Shared;

/// The words of mCRL2, its sorts, and the functions that it knows.
const WORDS: &[&str] = &[
    "act",
    "allow",
    "block",
    "comm",
    "cons",
    "delay",
    "delta",
    "div",
    "end",
    "eqn",
    "exists",
    "exist",
    "forall",
    "glob",
    "hide",
    "if",
    "in",
    "init",
    "lambda",
    "map",
    "mod",
    "mu",
    "nu",
    "pbes",
    "proc",
    "rename",
    "sort",
    "struct",
    "sum",
    "tau",
    "true",
    "false",
    "val",
    "var",
    "whr",
    "yaled",
    "nil",
    "dist",
    "form",
    "must",
    "may",
    "bag",
    "set",
    "Bool",
    "Pos",
    "Nat",
    "Int",
    "Real",
    "List",
    "Set",
    "Bag",
    "FSet",
    "FBag",
    "min",
    "max",
    "succ",
    "pred",
    "abs",
    "exp",
    "floor",
    "ceil",
    "round",
    "sqrt",
    "head",
    "tail",
    "rhead",
    "rtail",
    "count",
    "Pos2Nat",
    "Pos2Int",
    "Nat2Int",
    "Nat2Pos",
    "Int2Nat",
    "Int2Pos",
    "Pos2Real",
    "Nat2Real",
    "Int2Real",
    "Real2Pos",
    "Real2Nat",
    "Real2Int",
    "Set2Bag",
    "Bag2Set",
    "infinite",
    "empty",
    "Terminate",
];

/// Writes a net.
struct Mcrl2<'n> {
    joints: Joints<'n>,
    unique: Namer,
    data: DataNames,
    /// What leaves are called.
    leaves: FxHashMap<PltsId, String>,
    problems: Vec<ExportProblem>,
}

/// A net as a specification.
pub(super) fn export(net: &PNet, name: &str) -> Result<Exported, Vec<ExportProblem>> {
    let orders = orders(net);
    if !orders.is_empty() {
        return Err(orders);
    }
    let joints = Joints::new(net)?;
    let mut unique = Namer::new(WORDS);
    let data = declared(net, &mut unique);
    let path = |path: String| if path.is_empty() { name.to_owned() } else { path };
    let leaves = net.leaves().into_iter();
    let leaves = leaves.map(|(at, id)| (id, unique.pick(&path(at)))).collect();
    let mut writer = Mcrl2 { joints, unique, data, leaves, problems: Vec::new() };
    let all = writer.shared();
    let page = writer.page(&all, name);
    match (page, writer.problems.is_empty()) {
        (Some(text), true) => {
            let visible = all.iter().filter_map(|one| one.result.clone());
            let mut labels: Vec<(String, String)> = visible.collect();
            labels.sort();
            labels.dedup();
            Ok(Exported { text, beside: Vec::new(), labels })
        }
        _ => Err(writer.problems),
    }
}

/// All that gives way to something: there is no form for it.
fn orders(net: &PNet) -> Vec<ExportProblem> {
    let vectors = net.nodes.iter().flat_map(|node| &node.vectors);
    let found = vectors.filter_map(|vector| {
        let first = vector.rivals.iter().next()?.text;
        let span = net.origins.get(vector.origin).span;
        Some(OrderInExport { span, first, why: NoOrder::None })
    });
    let mut found: Vec<OrderInExport> = found.collect();
    found.dedup_by_key(|one| one.span);
    found.into_iter().map(ExportProblem::from).collect()
}

/// Names for all declarations that mCRL2 has a form for.
fn declared(net: &PNet, unique: &mut Namer) -> DataNames {
    let (algebra, mut names) = (&net.algebra, DataNames::default());
    let is_plain = |sort: &Sort, left: &[bool]| match sort {
        Sort::Bool | Sort::Int | Sort::Range(..) => true,
        Sort::Data(id) => left[id.index()],
        Sort::Action | Sort::Abstract(_) | Sort::Array(_) => false,
    };
    let mut left = vec![true; algebra.datatypes.len()];
    loop {
        let fits = |at: usize| {
            let constructors = &algebra.datatypes[at].constructors;
            let mut fields = constructors.iter().flat_map(|one| &one.fields);
            fields.all(|(_, sort)| is_plain(sort, &left))
        };
        let Some(wrong) = (0..left.len()).find(|&at| left[at] && !fits(at)) else { break };
        left[wrong] = false;
    }
    for (at, datatype) in algebra.datatypes.iter().enumerate().filter(|(at, _)| left[*at]) {
        let id = DataId(at as u32);
        names.sorts.insert(id, unique.pick(datatype.name.as_str()));
        for (index, constructor) in (0u32..).zip(&datatype.constructors) {
            let name = unique.pick(constructor.name.as_str());
            for (field, (selector, _)) in (0u32..).zip(&constructor.fields) {
                let name = unique.pick(&format!("{name}_{selector}"));
                names.fields.insert((id, index, field), name);
            }
            unique.pick(&format!("is_{name}"));
            names.constructors.insert((id, index), name);
        }
    }
    for (id, function) in
        algebra.functions.iter().enumerate().map(|(at, one)| (FunId(at as u32), one))
    {
        let sorts = function.params.iter().map(|var| &net.terms.var(*var).sort);
        let fits = sorts.chain([&function.result]).all(|sort| is_plain(sort, &left));
        if fits && function.body.is_some() {
            names.functions.insert(id, unique.pick(function.name.as_str()));
        }
    }
    names
}

impl Mcrl2<'_> {
    fn writing(&mut self, names: FxHashMap<VarId, String>) -> Writing<'_> {
        Writing {
            dialect: Dialect::Mcrl2,
            algebra: &self.joints.net.algebra,
            terms: &mut self.joints.terms,
            names,
            data: &self.data,
        }
    }

    fn refuse(&mut self, span: Span, what: Beyond) {
        if !self.problems.iter().any(|problem| problem.span() == span) {
            self.problems.push(TermInExport { span, format: Dialect::Mcrl2.name(), what }.into());
        }
    }

    /// The whole text.
    fn page(&mut self, all: &[Shared], name: &str) -> Option<String> {
        let acts = self.actions(all)?;
        let mut processes = String::new();
        let mut starts = Vec::new();
        for (_, id) in self.joints.net.leaves() {
            let (text, start) = self.process(id, all)?;
            processes.push_str(&text);
            starts.push(start);
        }
        let init = initial(all, &starts);
        let data = self.declarations(&format!("{acts}{processes}{init}"))?;
        let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Some(format!("% The net {name}, exported by pnet.\n\n{data}{acts}\n{processes}\n{init}"))
    }

    /// The actions with their sorts.
    fn actions(&mut self, all: &[Shared]) -> Option<String> {
        let mut lines: Vec<String> = Vec::new();
        for one in all {
            let mut sorts = Vec::with_capacity(one.sorts.len());
            for sort in &one.sorts {
                let known = self.writing(FxHashMap::default()).sort(sort);
                match known {
                    Ok(known) => sorts.push(known),
                    Err(what) => {
                        self.refuse(one.span, what);
                        return None;
                    }
                }
            }
            let sorts = match sorts.is_empty() {
                true => String::new(),
                false => format!(": {}", sorts.join(" # ")),
            };
            let shown = one.shown().into_iter().map(str::to_owned);
            let names = shown.chain(one.raw().into_iter().map(str::to_owned));
            lines.extend(names.map(|name| format!("{name}{sorts};")));
        }
        lines.sort();
        lines.dedup();
        Some(match lines.is_empty() {
            true => String::new(),
            false => format!("act\n  {}\n", lines.join("\n  ")),
        })
    }

    /// The sorts and functions that a text needs.
    fn declarations(&mut self, text: &str) -> Option<String> {
        let (mut sorts, mut functions) = (String::new(), String::new());
        let mut done: Vec<String> = Vec::new();
        loop {
            let all = format!("{text}{sorts}{functions}");
            let used: rustc_hash::FxHashSet<&str> =
                all.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
            let mut new = self.sorts_of(&used, &done);
            new.extend(self.functions_of(&used, &done)?);
            let Some((name, is_sort, line)) = new.into_iter().next() else { break };
            done.push(name);
            if is_sort { sorts.push_str(&line) } else { functions.push_str(&line) }
        }
        Some(format!("{sorts}{functions}"))
    }

    fn sorts_of(
        &mut self,
        used: &rustc_hash::FxHashSet<&str>,
        done: &[String],
    ) -> Vec<(String, bool, String)> {
        let mut ids: Vec<_> = self.data.sorts.clone().into_iter().collect();
        ids.sort_by_key(|(id, _)| id.index());
        let mut found = Vec::new();
        for (id, name) in ids {
            let constructors = self.joints.net.algebra.datatypes[id.index()].constructors.clone();
            let names: Vec<String> = (0u32..constructors.len() as u32)
                .filter_map(|index| self.data.constructors.get(&(id, index)).cloned())
                .collect();
            let is_used = used.contains(name.as_str())
                || names.iter().any(|name| used.contains(name.as_str()));
            if !is_used || done.contains(&name) {
                continue;
            }
            let mut texts = Vec::new();
            for (index, constructor) in (0u32..).zip(&constructors) {
                let mut fields = Vec::new();
                for (field, (_, sort)) in (0u32..).zip(&constructor.fields) {
                    let selector = self.data.fields.get(&(id, index, field)).cloned();
                    let sort = self.writing(FxHashMap::default()).sort(sort).unwrap_or_default();
                    fields.push(format!("{}: {sort}", selector.unwrap_or_default()));
                }
                let own = &names[index as usize];
                let fields = match fields.is_empty() {
                    true => String::new(),
                    false => format!("({})", fields.join(", ")),
                };
                texts.push(format!("{own}{fields}?is_{own}"));
            }
            let line = format!("sort {name} = struct {};\n", texts.join(" | "));
            found.push((name, true, line));
        }
        found
    }

    fn functions_of(
        &mut self,
        used: &rustc_hash::FxHashSet<&str>,
        done: &[String],
    ) -> Option<Vec<(String, bool, String)>> {
        let mut ids: Vec<_> = self.data.functions.clone().into_iter().collect();
        ids.sort_by_key(|(id, _)| id.index());
        let mut found = Vec::new();
        for (id, name) in ids {
            if !used.contains(name.as_str()) || done.contains(&name) {
                continue;
            }
            let function = self.joints.net.algebra.functions[id.index()].clone();
            let (mut vars, mut sorts, mut names) = (Vec::new(), Vec::new(), FxHashMap::default());
            let mut unique = self.unique.clone();
            for &var in &function.params {
                let known = self.joints.terms.var(var).clone();
                let own = unique.pick(known.name.as_str());
                let sort = self.writing(FxHashMap::default()).sort(&known.sort).ok()?;
                vars.push(own.clone());
                sorts.push(sort);
                names.insert(var, own);
            }
            let result = self.writing(FxHashMap::default()).sort(&function.result).ok()?;
            let body = match self.writing(names).text(function.body?) {
                Ok(body) => body,
                Err(what) => {
                    self.refuse(self.root_span(), what);
                    return None;
                }
            };
            let line = match vars.is_empty() {
                true => format!("map {name}: {result};\neqn {name} = {body};\n"),
                false => {
                    let declared =
                        vars.iter().zip(&sorts).map(|(var, sort)| format!("{var}: {sort};"));
                    let declared = declared.collect::<Vec<_>>().join(" ");
                    format!(
                        "map {name}: {} -> {result};\nvar {declared}\neqn {name}({}) = {body};\n",
                        sorts.join(" # "),
                        vars.join(", ")
                    )
                }
            };
            found.push((name, false, line));
        }
        Some(found)
    }

    fn root_span(&self) -> Span {
        let net = self.joints.net;
        let origin = match net.root {
            crate::pnet::Content::Node(id) => net.nodes[id].origin,
            crate::pnet::Content::Leaf(id) => net.plts[id].origin,
            crate::pnet::Content::Hole(id) => net.holes[id].origin,
        };
        net.origins.get(origin).span
    }
}

/// How everything is put together.
fn initial(all: &[Shared], starts: &[String]) -> String {
    let mut text = starts.join("\n       || ");
    let comms = all
        .iter()
        .filter(|one| one.sides.len() > 1)
        .filter_map(|one| Some(format!("{} -> {}", one.raw().join("|"), one.shown()?)));
    let comms: Vec<String> = comms.collect();
    if !comms.is_empty() {
        text = format!("comm({{{}}},\n       {text})", comms.join(",\n           "));
    }
    let mut shown: Vec<&str> = all.iter().filter_map(Shared::shown).collect();
    shown.sort_unstable();
    shown.dedup();
    text = format!("allow({{{}}},\n       {text})", shown.join(", "));
    let mut hidden: Vec<&str> =
        all.iter().filter(|one| one.result.is_none()).filter_map(Shared::shown).collect();
    hidden.sort_unstable();
    if !hidden.is_empty() {
        text = format!("hide({{{}}},\n       {text})", hidden.join(", "));
    }
    format!("init {text};\n")
}

/// What an action is called, without its values.
fn plain_name(joints: &Joints<'_>, action: crate::algebra::TermId) -> String {
    use crate::algebra::Term;
    match joints.terms.get(action) {
        Term::Act(id, _) => legal(joints.net.algebra.action(*id).name.as_str()),
        Term::Sync(inner) => format!("sync_{}", plain_name(joints, *inner)),
        Term::Co(inner) => format!("co_{}", plain_name(joints, *inner)),
        _ => "tau".to_owned(),
    }
}
