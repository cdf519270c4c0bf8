//! Why there are no relations: facts that follow from each other, read from a proof of Spacer's.
//!
//! A proof is a chain of steps `((_ hyper-res …) clause proof fact)`, in which what is used often has a name.

use rustc_hash::FxHashMap;

use crate::smt::sexpr::Sexpr;

/// The facts of a proof, the last one first.
pub(super) fn facts(proof: &Sexpr) -> Vec<&Sexpr> {
    let mut names: FxHashMap<&str, &Sexpr> = FxHashMap::default();
    let mut node = proof;
    while let Some([Sexpr::Atom(word), Sexpr::List(bound), body]) = node.list()
        && word == "let"
    {
        for one in bound {
            if let Some([Sexpr::Atom(name), value]) = one.list() {
                names.insert(name, value);
            }
        }
        node = body;
    }
    let mut found = Vec::new();
    let mut next = Some(node);
    while let Some(node) = next {
        let node = node.atom().and_then(|name| names.get(name).copied()).unwrap_or(node);
        next = match node.list() {
            Some([Sexpr::Atom(word), premise, ..]) if word == "mp" => Some(premise),
            Some([Sexpr::List(head), _, inside @ .., fact]) if is_step(head) => {
                found.push(fact);
                inside.first()
            }
            _ => None,
        };
    }
    found
}

fn is_step(head: &[Sexpr]) -> bool {
    matches!(head, [Sexpr::Atom(under), Sexpr::Atom(rule), ..] if under == "_" && rule == "hyper-res")
}

#[cfg(test)]
mod tests {
    use super::facts;
    use crate::smt::sexpr::{Sexpr, parse};

    #[test]
    fn facts_come_in_the_order_of_the_proof() {
        let proof = "(let ((a!1 ((_ hyper-res 0 0) (asserted (forall ((A Int)) (r 0 A))) (r 0 5))))
            (let ((a!2 ((_ hyper-res 0 0 0 1) (asserted c) a!1 (r 1 5))))
            (mp ((_ hyper-res 0 0 0 1) (asserted (=> goal q)) ((_ hyper-res 0 0 0 1) (asserted b) a!2 goal) q)
                (asserted (=> q false)) false)))";
        let proof = parse(proof).unwrap_or(Sexpr::List(Vec::new()));
        let shown: Vec<String> = facts(&proof).iter().map(|one| format!("{one:?}")).collect();
        assert_eq!(shown.len(), 4);
        assert!(shown[0].contains('q') && shown[1].contains("goal"));
        assert!(shown[2].contains("\"1\"") && shown[3].contains("\"0\""));
    }
}
