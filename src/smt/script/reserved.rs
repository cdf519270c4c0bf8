//! Words that mean something to some solver.

/// Whether a name means something to some solver already.
pub(super) fn is_reserved(name: &str) -> bool {
    let is_of_theory = name.split_once('.').is_some_and(|(theory, _)| THEORIES.contains(&theory));
    is_of_theory || RESERVED.binary_search(&name).is_ok()
}

/// Names that begin with one of these and a dot belong to a theory.
const THEORIES: &[&str] = &[
    "array", "bag", "bv", "char", "ff", "fp", "int", "nullable", "re", "real", "rel", "sep", "seq",
    "set", "str", "table", "tuple",
];

/// Words of SMT-LIB, of its theories, and of what z3 and cvc5 add to them, in order.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "Array", "BINARY", "Bag", "BitVec", "Bool", "Char", "DECIMAL", "FiniteField", "Float128",
    "Float16", "Float32", "Float64", "FloatingPoint", "HEXADECIMAL", "Int", "List", "NUMERAL",
    "NaN", "Option", "RNA", "RNE", "RTN", "RTP", "RTZ", "Real", "RegEx", "RegLan", "Relation",
    "RoundingMode", "STRING", "Seq", "Sequence", "Set", "String", "StringSequence", "Table",
    "Tuple", "Unicode", "Unit", "UnitTuple", "_", "abs", "acos", "acosh", "and", "arccos",
    "arccosec", "arccot", "arccsc", "arcsec", "arcsin", "arctan", "as", "asin", "asinh", "assert",
    "at_least", "at_most", "atan", "atanh", "bag", "bit0", "bit1", "bit2bool", "bv", "bv2int",
    "bv2nat", "bvadd", "bvand", "bvashr", "bvcomp", "bvite", "bvlshr", "bvmul", "bvnand", "bvneg",
    "bvnego", "bvnor", "bvnot", "bvor", "bvredand", "bvredor", "bvsaddo", "bvsdiv", "bvsdiv0",
    "bvsdiv_i", "bvsdivo", "bvsge", "bvsgt", "bvshl", "bvsle", "bvslt", "bvsltbv", "bvsmod",
    "bvsmod0", "bvsmod_i", "bvsmul_noovfl", "bvsmul_noudfl", "bvsmulo", "bvsrem", "bvsrem0",
    "bvsrem_i", "bvssubo", "bvsub", "bvuaddo", "bvudiv", "bvudiv0", "bvudiv_i", "bvuge", "bvugt",
    "bvule", "bvult", "bvultbv", "bvumul_noovfl", "bvumulo", "bvurem", "bvurem0", "bvurem_i",
    "bvusubo", "bvxnor", "bvxor", "char", "choice", "complement", "concat", "const", "cos", "cosec",
    "cosh", "cot", "csc", "declare", "default", "distinct", "div", "divisible", "echo", "emp",
    "eqrange", "euler", "exists", "exit", "exp", "ext", "extract", "false", "forall", "fp", "iand",
    "if", "iff", "implies", "include", "int2bv", "int_to_bv", "intersection", "is", "is_int", "ite",
    "lambda", "let", "map", "match", "mkbv", "mod", "named", "nat2bv", "no_pattern", "not",
    "nullable", "or", "par", "partial", "pattern", "pi", "pop", "pow", "pow2", "pto", "push", "qid",
    "rel", "rem", "repeat", "reset", "root_obj", "rotate_left", "rotate_right",
    "roundNearestTiesToAway", "roundNearestTiesToEven", "roundTowardNegative",
    "roundTowardPositive", "roundTowardZero", "sat", "sbv_to_int", "sec", "select", "sep", "set",
    "setminus", "sign_extend", "sin", "sinh", "skolemid", "sqrt", "store", "subset", "success",
    "table", "tan", "tanh", "to_fp", "to_fp_unsigned", "to_int", "to_real", "true", "tuple",
    "ubv_to_int", "union", "unit", "unknown", "unsat", "unsupported", "update", "wand", "witness",
    "xor", "zero_extend",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_in_order_and_found() {
        assert!(RESERVED.is_sorted());
        assert!(["_", "and", "Int", "select", "str.len"].iter().all(|word| is_reserved(word)));
        assert!(["x", "delta.1", "t!1", "Pkt.seq"].iter().all(|word| !is_reserved(word)));
    }
}
