//! The words and signs that programs are made of.

pub const NAMES: &[&str] = &[
    "a",
    "b",
    "x",
    "y",
    "P",
    "Q",
    "S",
    "n",
    "delta",
    "Timer",
    "some_name",
    "_hidden",
    "x1",
    "stateful",
    "when_",
    "größe",
    "π",
    "имя",
    "变量",
    "ñandú",
    "by",
    "tracking",
    "maximal",
    "always",
    "reaches",
    "live",
    "mutex",
    "at_most",
    "scenario",
    "invariant",
    "reduction",
    "of",
    "lts",
    "decreases",
    "architecture",
    "rule",
    "new",
    "never",
    "Int",
    "Bool",
    "Action",
    "actions",
    "std",
    "minimum",
];

pub const QUOTED: &[&str] = &[
    "`in`",
    "`send !1`",
    "`a, (b)`",
    "`while`",
    "`state`",
    "`a`",
    "`π`",
    "`tau`",
    "`module`",
    "`by`",
    "`maximal`",
    "`always`",
    "`_x`",
    "`true`",
    "`actions`",
];

/// Words that name a kind of check: the contextual keywords have to be quoted here.
pub const CHECKS: &[&str] = &[
    "bisimilar",
    "weakly_bisimilar",
    "refines",
    "weakly_refines",
    "deterministic",
    "terminates",
    "deadlock_free",
    "nonblocking",
    "size",
    "unheard_of",
    "`never`",
    "`always`",
    "`live`",
    "`mutex`",
    "`by`",
    "`check`",
];

pub const NUMBERS: &[&str] =
    &["0", "1", "2", "42", "1_000", "007", "0_", "123456789012345678901234567890"];

pub const DOCS: &[&str] = &[
    "/// A line.\n",
    "///\n",
    "///no space\n",
    "///  two spaces\n",
    "///\ttab \t\n",
    "/// `code` and ```pnet\n",
    "/// größe\r\n",
    "/// / slashes // ///\n",
    "///   \n",
    "/// \u{a0}blank\u{2003}\n",
];

pub const COMMENTS: &[&str] = &[
    "/* c */",
    "// line\n",
    "/**/",
    "/* a /* nested */ b */",
    "//// not a doc\n",
    "/* two\n lines */",
    "//\r\n",
    "/***/",
    "// ä\n",
];

pub const WHITE: &[&str] = &[" ", " ", " ", " ", "\n", "\t", "\r\n", "\n\n\n", "  ", "\u{C}"];

/// Two signs that would be another one if nothing stood between them.
pub const GLUED: &[&str] = &["<=", "=<", "->", "=>", "==", ":=", "..", ">=", "!="];
