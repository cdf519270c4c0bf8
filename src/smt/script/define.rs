//! Definitions: those of functions, and those that large terms are cut into.

use rustc_hash::{FxHashMap, FxHashSet};

use super::plan::in_order;
use super::used::each_part;
use super::write::Writer;
use crate::algebra::{ConstId, FunId, Sort, Term, TermId};
use crate::base::graph::components;

/// What has a definition in the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Defined {
    Function(FunId),
    Constant(ConstId),
}

/// A definition: its name with parameters and sort, and its body.
struct Definition {
    head: String,
    body: String,
}

impl Writer<'_> {
    /// The functions that have a definition, and the constants that have a value: those that others need come
    /// first.
    pub fn functions(&mut self) {
        let all = self.all_defined();
        let places: FxHashMap<Defined, usize> =
            all.iter().enumerate().map(|(place, (defined, _))| (*defined, place)).collect();
        let edges: Vec<Vec<usize>> = all
            .iter()
            .map(|&(_, body)| {
                let mentioned = in_order(self.terms, &[body], |_| false).into_iter();
                mentioned
                    .filter_map(|id| mentioned_in(self.terms.get(id)))
                    .filter_map(|defined| places.get(&defined).copied())
                    .collect()
            })
            .collect();
        for component in components(&edges) {
            let is_recursive = edges[component[0]].contains(&component[0]) || component.len() > 1;
            let together: Vec<(Defined, TermId)> =
                component.iter().map(|&place| all[place]).collect();
            if is_recursive {
                self.recursive(&together);
            } else {
                self.plain(&together);
            }
        }
    }

    fn all_defined(&self) -> Vec<(Defined, TermId)> {
        let constants = self.used.constants.iter().filter_map(|&id| {
            let value = self.algebra.constants[id.index()].value?;
            Some((Defined::Constant(id), value))
        });
        let functions = self.used.functions.iter().filter_map(|&id| {
            let body = self.algebra.functions[id.index()].body?;
            Some((Defined::Function(id), body))
        });
        constants.chain(functions).collect()
    }

    /// Definitions that need only what stands before them.
    fn plain(&mut self, together: &[(Defined, TermId)]) {
        for &(defined, body) in together {
            self.define(&[body]);
            let head = self.signature(defined);
            let body = self.text_of(body);
            self.line(&format!("(define-fun {head} {body})"));
        }
    }

    /// Definitions that need each other, with the pieces of them that need them too.
    fn recursive(&mut self, together: &[(Defined, TermId)]) {
        let group: FxHashSet<Defined> = together.iter().map(|&(defined, _)| defined).collect();
        let bodies: Vec<TermId> = together.iter().map(|&(_, body)| body).collect();
        let pieces = self.pieces_of(&bodies, &group);
        let own = together.iter().map(|&(defined, body)| Definition {
            head: self.signature(defined),
            body: self.text_of(body),
        });
        let all: Vec<Definition> = own.chain(pieces).collect();
        let heads: Vec<String> = all.iter().map(|one| format!("({})", one.head)).collect();
        let bodies: Vec<&str> = all.iter().map(|one| one.body.as_str()).collect();
        let (heads, bodies) = (heads.join("\n  "), bodies.join("\n  "));
        self.line(&format!("(define-funs-rec (\n  {heads}) (\n  {bodies}))"));
    }

    /// Name, parameters and sort of a definition.
    fn signature(&self, defined: Defined) -> String {
        match defined {
            Defined::Function(id) => {
                let function = &self.algebra.functions[id.index()];
                let (params, result) =
                    (self.binders(&function.params), self.sort(&function.result));
                format!("{} {params} {result}", self.names.function(id))
            }
            Defined::Constant(id) => {
                let sort = self.sort(&self.algebra.constants[id.index()].sort);
                format!("{} () {sort}", self.names.constant(id))
            }
        }
    }

    /// Writes the definitions that terms are cut into, as far as they are not there yet.
    pub fn define(&mut self, roots: &[TermId]) {
        self.pieces_of(roots, &FxHashSet::default());
    }

    /// The same; but pieces that need one of a group are returned, to be written together with it.
    fn pieces_of(&mut self, roots: &[TermId], group: &FxHashSet<Defined>) -> Vec<Definition> {
        let mut kept = Vec::new();
        let mut needy: FxHashSet<TermId> = FxHashSet::default();
        let order = in_order(self.terms, roots, |id| self.defined.contains_key(&id));
        for id in order {
            let mut needs_group =
                mentioned_in(self.terms.get(id)).is_some_and(|defined| group.contains(&defined));
            each_part(self.terms, id, |part| needs_group |= needy.contains(&part));
            if needs_group {
                needy.insert(id);
            }
            if let Some(piece) = self.piece(id) {
                if needs_group {
                    kept.push(piece);
                } else {
                    self.line(&format!("(define-fun {} {})", piece.head, piece.body));
                }
            }
        }
        kept
    }

    /// The definition of a term that gets one; from now on, the term is written by its name.
    fn piece(&mut self, id: TermId) -> Option<Definition> {
        let params = self.plan.parameters(id)?;
        self.count += 1;
        let name = self.names.fresh(self.count);
        let sort: Sort = self.sorts_of.of(self.algebra, self.terms, id);
        let head = format!("{name} {} {}", self.binders(params), self.sort(&sort));
        let body = self.definition_of(id);
        let args: Vec<&str> = params.iter().map(|&var| self.names.var(var)).collect();
        let call = if args.is_empty() { name } else { format!("({name} {})", args.join(" ")) };
        self.defined.insert(id, call);
        Some(Definition { head, body })
    }
}

/// The function or constant that a term mentions by itself.
fn mentioned_in(term: &Term) -> Option<Defined> {
    match term {
        Term::Apply(id, _) => Some(Defined::Function(*id)),
        Term::Const(id) => Some(Defined::Constant(*id)),
        _ => None,
    }
}
