//! Functions must have a meaning: each recursive call, also through others, makes something smaller that cannot
//! become smaller for ever.
//!
//! In go the definitions of functions, typed; out come problems. What is claimed: if nothing is reported, then
//! there is exactly one function for each definition, whatever the abstract functions and the symbolic constants
//! stand for. For the value of a definition depends only on values for arguments that come before its own in a
//! well-founded order (this is the theorem of well-founded recursion), and:
//!
//! - what a call depends on is over-approximated: the conditions on its path that are understood ([`path`]),
//!   with the values of calls unknown. So `f(f(n - 1))` needs both calls to descend whatever `f` is, and calls
//!   under quantifiers need it for every value in range;
//! - the order comes from measures: linear terms in the parameters, and the sizes of values of datatypes
//!   ([`measure`]), which linear arithmetic decides ([`linear`]), put together by the size-change principle
//!   ([`graph`]), which includes lexicographic orders.
//!
//! Parameters are in their ranges: where an argument is outside, the function means nothing, and the call is not
//! followed. Axioms define nothing, and are not looked at. Constants and datatypes in a circle with functions
//! have no parameters that could become smaller ([`uses`]).

mod blame;
mod calls;
mod graph;
mod group;
mod linear;
mod measure;
mod path;
mod term;
mod uses;
mod value;

use self::blame::report;
use self::calls::is_sound;
use self::group::{Answer, Group, Other};
use self::uses::{Node, Uses};
use super::Sema;
use super::program::{Expr, FunId, Program, Sort};
use crate::base::budget::is_spent;

/// Reports functions that may not end.
pub(super) fn run(sema: &mut Sema<'_>) {
    let mut problems = Vec::new();
    let uses = Uses::new(&sema.program);
    for circle in uses.circles() {
        if is_spent() {
            return;
        }
        problems.extend(check(sema, &uses, &circle));
    }
    for problem in problems {
        // A definition with another mistake says little about whether it ends.
        let body = sema.program.funs.iter().filter_map(|fun| fun.body.as_ref());
        let body = body.map(|body| body.span).find(|body| body.contains(problem.span));
        let is_wrong = body.is_some_and(|body| sema.has_error_in(body));
        if !is_wrong {
            sema.report(problem);
        }
    }
}

/// Looks at what uses itself.
fn check(
    sema: &Sema<'_>,
    uses: &Uses<'_>,
    circle: &[Node],
) -> Option<super::problems::EndlessRecursion> {
    let program = &sema.program;
    let functions = circle.iter().take_while(|node| **node < program.funs.len());
    let functions: Vec<FunId> = functions.map(|node| FunId(*node as u32)).collect();
    // Datatypes may contain themselves, and constants that do are another problem.
    if functions.is_empty() || !functions.iter().all(|id| is_whole(program, *id)) {
        return None;
    }
    let bodies: Vec<Expr> = bodies(program, &functions)?;
    let mut group = Group::new(program, &functions, &bodies, others(uses, circle, functions.len()));
    match group.answer() {
        Answer::Ends => None,
        Answer::Loops(ways) => Some(report(sema, uses, circle, &mut group, &ways)),
        Answer::TooComplex => Some(blame::too_complex(uses, circle, &group)),
    }
}

/// The definitions of functions; those in a circle all have one.
fn bodies(program: &Program, functions: &[FunId]) -> Option<Vec<Expr>> {
    functions.iter().map(|id| program.funs[id.index()].body.clone()).collect()
}

/// The uses in a circle that are no calls.
fn others(uses: &Uses<'_>, circle: &[Node], functions: usize) -> Vec<Other> {
    let mut found = Vec::new();
    for (from, node) in circle.iter().enumerate() {
        for (used, span) in uses.of(*node, from >= functions) {
            if let Ok(to) = circle.binary_search(&used) {
                found.push(Other { from, to, span });
            }
        }
    }
    found
}

/// Whether nothing in a function was wrong.
fn is_whole(program: &Program, id: FunId) -> bool {
    let fun = &program.funs[id.index()];
    !fun.params.contains(&Sort::Error)
        && fun.result != Sort::Error
        && fun.body.iter().chain(&fun.measures).all(is_sound)
}
