//! Networks in files: what each form means, worked out by hand, and what is said about those that are broken.

use crate::common::exp::{Files, in_words, product, said};
use pnetc::diagnostics::Severity;
use pnetc::lts::LtsLabel;

const A: &str = "des (0, 2, 2)\n(0, \"A\", 1)\n(1, \"B !1\", 0)\n";
const B: &str = "des (0, 3, 2)\n(0, \"A\", 1)\n(1, \"B !1\", 0)\n(1, tau, 0)\n";
const C: &str = "des (0, 1, 1)\n(0, \"C\", 0)\n";
const OFFERS: &str = "des (0, 3, 1)\n(0, \"C !1\", 0)\n(0, \"C !2\", 0)\n(0, \"D(1)\", 0)\n";
const ENDS: &str = "des (0, 2, 3)\n(0, \"A\", 1)\n(1, \"exit\", 2)\n";

fn files(network: &str) -> Files {
    Files::new(&[
        ("net.exp", network),
        ("a.aut", A),
        ("b.aut", B),
        ("c.aut", C),
        ("offers.aut", OFFERS),
        ("ends.aut", ENDS),
        ("old.bcg", "BCG"),
        ("broken.aut", "des (0, 1, 1)\n(0, \"A\")\n"),
        ("loose.exp", "hide A in \"a.aut\""),
        ("tight.exp", "hide A in \"a.aut\" end hide"),
        ("both.exp", "\"a\" ||| \"c\""),
        ("self.exp", "\"c.aut\" ||| \"other.exp\""),
        ("other.exp", "(\"self.exp\")"),
        ("below/one.exp", "\"../a.aut\" |[A]| \"two\""),
        ("below/two.exp", "\"two.aut\""),
        ("below/two.aut", C),
    ])
}

/// What never happens, which most of these networks have on purpose.
const NEVER: [&str; 3] = ["F0212", "F0214", "F0215"];

/// The product of a network that must be read without a word, but of what never happens.
fn means(network: &str) -> Vec<String> {
    let read = files(network).read("net.exp");
    let mut said = said(&read);
    said.retain(|said| !NEVER.iter().any(|code| said.starts_with(code)));
    assert_eq!(said, [""; 0], "{network}");
    in_words(&product(&read.network.unwrap()))
}

/// The product of a network, and what is said.
fn says(network: &str) -> (Vec<String>, Vec<String>) {
    let read = files(network).read("net.exp");
    let steps = read.network.as_ref().map_or(Vec::new(), |network| in_words(&product(network)));
    (said(&read), steps)
}

// ---- forms ----

#[test]
fn a_file_is_what_is_in_it() {
    let own = ["0 -A-> 1", "1 -B !1-> 0"];
    for network in
        ["\"a.aut\"", "\"a\"", "a.aut", "a", "((a))", "\"./a.aut\"", "elotos behaviour a"]
    {
        assert_eq!(means(network), own, "{network}");
    }
    assert_eq!(means("-- a comment\n(* and\n one \" more *) \"a.aut\" -- the end"), own);
}

#[test]
fn operators_of_lotos() {
    let all = means("\"a.aut\" || \"b.aut\"");
    assert_eq!(all, ["0 0 -A-> 1 1", "1 1 -B !1-> 0 0", "1 1 -tau-> 1 0"]);
    let none = means("\"a.aut\" ||| \"c.aut\"");
    assert_eq!(none, ["0 0 -A-> 1 0", "0 0 -C-> 0 0", "1 0 -B !1-> 0 0", "1 0 -C-> 1 0"]);
    assert_eq!(means("\"a.aut\" |[]| \"c.aut\""), none);
    assert_eq!(
        means("\"a.aut\" |[A]| \"b.aut\""),
        [
            "0 0 -A-> 1 1",
            "0 1 -B !1-> 0 0",
            "0 1 -tau-> 0 0",
            "1 0 -B !1-> 0 0",
            "1 1 -B !1-> 0 1",
            "1 1 -B !1-> 1 0",
            "1 1 -tau-> 1 0",
        ]
    );
    assert_eq!(means("\"a.aut\" |[A, B]| \"b.aut\""), all);
}

/// Offers must be the same, and a gate that only one operand has is blocked by `||`.
#[test]
fn moving_together_needs_the_same_label() {
    let twice = means("\"offers.aut\" || \"offers.aut\"");
    assert_eq!(twice, ["0 0 -C !1-> 0 0", "0 0 -C !2-> 0 0", "0 0 -D(1)-> 0 0"]);
    assert_eq!(means("\"a.aut\" || \"c.aut\""), [""; 0]);
    let (said, steps) = says("\"offers.aut\" |[C, D]| \"c.aut\"");
    assert_eq!(said, ["F0212 net.exp:1:19 `D`"]);
    assert_eq!(steps, [""; 0], "`C` is not `C !1`");
}

#[test]
fn infix_operators_associate_to_the_right() {
    // a ||| (a |[A]| a): the first `A` of the left one alone, the others together.
    let chain = means("a ||| a |[A]| a");
    assert_eq!(chain, means("a ||| (a |[A]| a)"));
    assert!(chain.contains(&"0 0 0 -A-> 1 0 0".to_owned()));
    assert!(chain.contains(&"0 0 0 -A-> 0 1 1".to_owned()));
    assert_ne!(chain, means("(a ||| a) |[A]| a"));
    assert_eq!(means("a |[A]| a |[A]| a ||| c"), means("a |[A]| (a |[A]| (a ||| c))"));
}

#[test]
fn operands_end_together() {
    let steps = means("\"ends.aut\" ||| \"ends.aut\"");
    let expected =
        ["0 0 -A-> 0 1", "0 0 -A-> 1 0", "0 1 -A-> 1 1", "1 0 -A-> 1 1", "1 1 -exit-> 2 2"];
    assert_eq!(steps, expected);
}

#[test]
fn hiding() {
    let hidden = ["0 -tau-> 1", "1 -B !1-> 0"];
    assert_eq!(means("hide A in a end hide"), hidden);
    assert_eq!(means("hide A in a"), hidden);
    assert_eq!(means("gate hide \"[AX]\", C in a end hide"), hidden);
    assert_eq!(means("hide all but B in a end hide"), hidden);
    assert_eq!(means("hide in a end hide"), ["0 -A-> 1", "1 -B !1-> 0"]);
    let offers = ["0 -A-> 1", "1 -tau-> 0"];
    assert_eq!(means("hide B in a end hide"), offers);
    assert_eq!(means("total hide \"B !.\" in a end hide"), offers);
    assert_eq!(means("total hide B in a end hide"), ["0 -A-> 1", "1 -B !1-> 0"]);
    assert_eq!(means("partial hide \"1\" in a end hide"), offers);
    assert_eq!(means("partial hide all but \"^A$\" in a end hide"), offers);
    // As in LOTOS, it reaches as far as it can.
    assert_eq!(means("hide A in a ||| c"), means("hide A in (a ||| c) end hide"));
}

#[test]
fn cutting() {
    assert_eq!(means("cut B in a end cut"), ["0 -A-> 1"]);
    assert_eq!(means("total cut \"B !1\" in a end cut"), ["0 -A-> 1"]);
    assert_eq!(means("partial cut \"!\" in a end cut"), ["0 -A-> 1"]);
    assert_eq!(means("cut all but A in b end cut"), ["0 -A-> 1", "1 -tau-> 0"]);
}

#[test]
fn renaming() {
    assert_eq!(means("rename B -> D in a end rename"), ["0 -A-> 1", "1 -D !1-> 0"]);
    assert_eq!(means("rename \"B\" -> \"D !0\" in a end rename"), ["0 -A-> 1", "1 -D !0 !1-> 0"]);
    assert_eq!(means("gate rename A -> B, B -> A in a end rename"), ["0 -B-> 1", "1 -A !1-> 0"]);
    let total = "total rename \"\\(.\\) !\\([0-9]*\\)\" -> \"\\2 by \\1\" in a end rename";
    assert_eq!(means(total), ["0 -A-> 1", "1 -1 by B-> 0"]);
    assert_eq!(means("total rename B -> D in a end rename"), ["0 -A-> 1", "1 -B !1-> 0"]);
    let single = "single rename \"[!1]\" -> \"x\" in a end rename";
    assert_eq!(means(single), ["0 -A-> 1", "1 -B x1-> 0"]);
    let multiple = "multiple rename \"[!1]\" -> \"x\" in a end rename";
    assert_eq!(means(multiple), ["0 -A-> 1", "1 -B xx-> 0"]);
    let nothing = "multiple rename \"X*\" -> \"-\" in a end rename";
    assert_eq!(means(nothing), ["0 --A--> 1", "1 --B- -!-1--> 0"]);
    assert_eq!(means("rename A -> tau in a end rename"), ["0 -tau-> 1", "1 -B !1-> 0"]);
    // Silent steps have no label to be renamed, hidden or cut.
    assert_eq!(
        means("rename \".*\" -> X in (cut B in b end cut) end rename"),
        ["0 -X-> 1", "1 -tau-> 0"]
    );
}

#[test]
fn vectors_of_labels() {
    let network = "label par using\n  \"A\" * \"A\" -> \"both\",\n  \"B !1\" * _ -> \"left\"\nin a.aut || b.aut end par";
    let expected = [
        "0 0 -both-> 1 1",
        "0 1 -tau-> 0 0",
        "1 0 -left-> 0 0",
        "1 1 -left-> 0 1",
        "1 1 -tau-> 1 0",
    ];
    assert_eq!(means(network), expected);
    assert_eq!(means(&network.replace('*', "||")), expected);
    // What is in no vector does not happen; what results may be silent.
    assert_eq!(means("label par using _ * A -> tau in c || a end par"), ["0 0 -tau-> 0 1"]);
    assert_eq!(means("label par using C -> C in c end par"), ["0 -C-> 0"]);
}

#[test]
fn vectors_of_gates_carry_offers_along() {
    let network = "gate par using C * C -> E, D * _ -> F in offers || offers end par";
    let expected = ["0 0 -E !1-> 0 0", "0 0 -E !2-> 0 0", "0 0 -F(1)-> 0 0"];
    assert_eq!(means(network), expected);
    assert_eq!(means(&network["gate ".len()..]), expected);
    let silent = "par using C * _ -> tau in offers || c end par";
    assert_eq!(means(silent), ["0 0 -tau-> 0 0"]);
    let named = "gate par using B * C -> E in a || offers end par";
    let before = means(&named.replace("using", "using A * _ -> A,"));
    assert_eq!(before, ["0 0 -A-> 1 0", "1 0 -E !1-> 0 0"]);
}

#[test]
fn interfaces() {
    assert_eq!(means("par all in a || b end par"), means("a || b"));
    assert_eq!(means("par a || c end par"), means("a ||| c"));
    assert_eq!(means("par A in a || b end par"), means("a |[A]| b"));
    // Two of three on `A`, and `B` alone.
    let two = means("par A#2 in a || a || a end par");
    let first: Vec<&String> = two.iter().filter(|step| step.starts_with("0 0 0 ")).collect();
    assert_eq!(first, ["0 0 0 -A-> 0 1 1", "0 0 0 -A-> 1 0 1", "0 0 0 -A-> 1 1 0"]);
    // The outer two on `A`, the middle one by itself.
    let local = means("gate par A -> a || a || A -> a end par");
    let first: Vec<&String> = local.iter().filter(|step| step.starts_with("0 0 0 ")).collect();
    assert_eq!(first, ["0 0 0 -A-> 0 1 0", "0 0 0 -A-> 1 0 1"]);
    assert_eq!(means("label par \"C !1\" in offers || offers end par").len(), 3);
    assert_eq!(means("par A#0 in a || c end par"), ["0 0 -C-> 0 0"]);
}

#[test]
fn networks_in_networks() {
    assert_eq!(means("\"tight.exp\" ||| c"), means("(hide A in a) ||| c"));
    assert_eq!(means("c ||| \"loose.exp\""), means("c ||| (hide A in a)"));
    assert_eq!(means("(\"loose.exp\") ||| c"), means("(hide A in a) ||| c"));
    let below = files("").read("below/one.exp");
    assert_eq!(said(&below), ["F0212 below/one.exp:1:14 `A`"]);
    let nested = "hide D in rename B -> D in cut C in a ||| c end cut end rename end hide";
    assert_eq!(means(nested), ["0 0 -A-> 1 0", "1 0 -tau-> 0 0"]);
}

/// The same file twice is one system, of which there are two.
#[test]
fn a_system_that_is_meant_twice_is_read_once() {
    let read = files("a ||| \"a.aut\"").read("net.exp");
    let parts = read.network.unwrap().parts;
    let [one, other] = parts.as_slice() else { panic!() };
    assert!(std::sync::Arc::ptr_eq(&one.lts, &other.lts));
}

#[test]
fn labels_are_in_upper_case_where_the_language_has_it_so() {
    for header in ["behaviour", "lotos behaviour", "behavior"] {
        let network = format!("{header} hide b in a end hide");
        assert_eq!(means(&network), ["0 -A-> 1", "1 -tau-> 0"], "{header}");
    }
    assert_eq!(means("hide b in a end hide"), ["0 -A-> 1", "1 -B !1-> 0"]);
    assert_eq!(means("behaviour label par using a -> tau in a end par"), ["0 -tau-> 1"]);
    assert_eq!(means("behaviour ends ||| ends"), means("ends ||| ends"));
    let (said, _) = says("a |[a]| b");
    assert_eq!(said, ["F0212 net.exp:1:5 `a`"]);
    let read = files("a |[a]| b").read("net.exp");
    assert_eq!(read.diagnostics[0].notes, ["upper and lower case count: there is `A`"]);
}

#[test]
fn the_silent_action_has_the_names_that_are_given() {
    let i = "des (0, 2, 2)\n(0, i, 1)\n(1, \"X\", 0)\n";
    let files = Files::new(&[("net.exp", "hide X in \"s.aut\""), ("s.aut", i)]);
    let read = files.read_as("net.exp", &["i"]);
    let network = read.network.unwrap();
    assert_eq!(network.labels.text(LtsLabel::SILENT), "i");
    assert_eq!(in_words(&product(&network)), ["0 -i-> 1", "1 -i-> 0"]);
}

// ---- what is wrong ----

#[test]
fn broken_networks_are_told_where_and_why() {
    let all: [(&str, &[&str]); 48] = [
        ("", &["F0202 net.exp:1:1 ``"]),
        ("a ||| ", &["F0202 net.exp:1:7 ``"]),
        ("a c", &["F0202 net.exp:1:3 `c`"]),
        ("\"a.aut", &["F0201 net.exp:1:1 `\"a.aut`"]),
        ("a (* b", &["F0201 net.exp:1:3 `(*`"]),
        ("a ; c", &["F0201 net.exp:1:3 `;`", "F0202 net.exp:1:5 `c`"]),
        ("(a ||| c", &["F0202 net.exp:1:9 ``"]),
        ("a)", &["F0202 net.exp:1:2 `)`"]),
        ("hide A B in a", &["F0202 net.exp:1:8 `B`"]),
        ("hide A, in a", &["F0202 net.exp:1:9 `in`"]),
        ("hide end in a end hide", &["F0202 net.exp:1:6 `end`"]),
        ("hide A in a end cut", &["F0202 net.exp:1:17 `cut`"]),
        ("cut A in a", &["F0202 net.exp:1:11 ``"]),
        ("hide all A in a", &["F0202 net.exp:1:10 `A`"]),
        ("single hide A in a", &["F0202 net.exp:1:8 `hide`"]),
        ("label hide A in a", &["F0202 net.exp:1:7 `hide`"]),
        ("partial rename A -> B in a end rename", &["F0202 net.exp:1:9 `rename`"]),
        ("total par a || c end par", &["F0202 net.exp:1:7 `par`"]),
        ("total a", &["F0202 net.exp:1:7 `a`"]),
        ("rename A in a end rename", &["F0202 net.exp:1:10 `in`"]),
        ("lotos a", &["F0202 net.exp:1:7 `a`"]),
        ("par using A * -> B in a end par", &["F0202 net.exp:1:15 `->`"]),
        (
            "par using A * -> B, A -> B,\n A A -> C in a end par",
            &["F0202 net.exp:1:15 `->`", "F0202 net.exp:2:4 `A`"],
        ),
        ("par using A -> B, in a end par", &["F0202 net.exp:1:19 `in`"]),
        ("par A#x in a || b end par", &["F0202 net.exp:1:6 `#`"]),
        ("prio A > B in a end prio", &["F0204 net.exp:1:1 `prio`"]),
        ("total prio A > B in a end prio", &["F0204 net.exp:1:7 `prio`"]),
        ("a | c", &["F0204 net.exp:1:3 `|`"]),
        ("a \\ A", &["F0204 net.exp:1:3 `\\`"]),
        ("a [B/A]", &["F0204 net.exp:1:3 `[`"]),
        ("a [[A <- B]]", &["F0204 net.exp:1:3 `[[`"]),
        ("a [| {A} |] c", &["F0204 net.exp:1:3 `[|`"]),
        ("mcrl behaviour a", &["F0204 net.exp:1:1 `mcrl`"]),
        ("comm A | B = C end comm a", &["F0204 net.exp:1:1 `comm`"]),
        ("hide using \"x.hid\" in a end hide", &["F0204 net.exp:1:6 `using`"]),
        ("rename using \"x.ren\" in a end rename", &["F0204 net.exp:1:8 `using`"]),
        ("par using A -> B in a || c end par", &["F0206 net.exp:1:11 `A -> B`"]),
        ("par using _ * _ -> B in a || c end par", &["F0206 net.exp:1:11 `_ * _ -> B`"]),
        ("par A#3 in a || b end par", &["F0206 net.exp:1:5 `A`"]),
        ("par A#2 -> a || b end par", &["F0206 net.exp:1:5 `A`"]),
        (
            "\"nothing\" ||| \"no.aut\"",
            &["F0207 net.exp:1:1 `\"nothing\"`", "F0207 net.exp:1:15 `\"no.aut\"`"],
        ),
        ("\"old.bcg\" ||| old", &["F0207 net.exp:1:1 `\"old.bcg\"`", "F0207 net.exp:1:15 `old`"]),
        ("\"net.exp\"", &["F0208 net.exp:1:1 `\"net.exp\"`"]),
        ("c ||| (\"self.exp\")", &["F0208 other.exp:1:2 `\"self.exp\"`"]),
        ("\"loose.exp\" ||| c", &["F0209 net.exp:1:1 `\"loose.exp\"`"]),
        ("par a || \"both.exp\" end par", &["F0209 net.exp:1:10 `\"both.exp\"`"]),
        ("par using tau -> B in a end par", &["F0210 net.exp:1:11 `tau`"]),
        ("\"broken.aut\" || \"broken.aut\"", &["F0102 broken.aut:2:5 `\"A\")`"]),
    ];
    for (network, expected) in all {
        let read = files(network).read("net.exp");
        assert_eq!(said(&read), expected, "{network}");
        assert!(read.network.is_none(), "{network}");
        assert!(read.diagnostics.iter().any(|one| one.severity == Severity::Error), "{network}");
    }
}

#[test]
fn patterns_are_told_where_they_break() {
    let all = [
        ("*", 0..1),
        ("\\(*\\)", 2..3),
        ("a\\(b\\)*", 6..7),
        ("x[ab", 1..2),
        ("[b-a]", 1..4),
        ("[[:digit:]]", 1..3),
        ("a\\(b", 1..3),
        ("a\\)", 1..3),
        ("\\(a\\)\\1", 5..7),
        ("a\\{2\\}", 1..3),
        ("\\<a", 0..2),
        ("a\\", 1..2),
        ("a\\d", 1..3),
    ];
    for (pattern, range) in all {
        let written = pattern.replace("\\\\", "\\");
        let network = format!("total hide \"ok\", \"{written}\" in a end hide");
        let expected = format!("F0205 net.exp:1:{} `{}`", 19 + range.start, &pattern[range]);
        // A backslash at the end takes the quotes with it.
        if pattern != "a\\" {
            assert_eq!(says(&network).0, [expected], "{pattern}");
        }
    }
    let group = says("total rename \"A\" -> \"x\\1\" in a end rename").0;
    assert_eq!(group, ["F0205 net.exp:1:23 `\\1`"]);
    let all = says("total rename \"A\" -> \"x&\" in a end rename").0;
    assert_eq!(all, ["F0205 net.exp:1:23 `&`"]);
    // Escapes before it count as they are written.
    let escaped = says("total hide \"\\\"\\\"[\" in a end hide").0;
    assert_eq!(escaped, ["F0205 net.exp:1:17 `[`"]);
}

#[test]
fn what_is_odd_is_told_and_read() {
    let all: [(&str, &[&str]); 5] = [
        ("hide \"B !1\" in a end hide", &["F0213 net.exp:1:6 `\"B !1\"`"]),
        ("rename \"B !1\" -> C in a end rename", &["F0213 net.exp:1:8 `\"B !1\"`"]),
        ("a |[\"B !1\"]| b", &["F0213 net.exp:1:5 `\"B !1\"`"]),
        ("par using \"B !1\" -> C in a end par", &["F0213 net.exp:1:11 `\"B !1\"`"]),
        ("label par using A * B -> C in a || b end par", &["F0212 net.exp:1:21 `B`"]),
    ];
    for (network, expected) in all {
        let read = files(network).read("net.exp");
        assert_eq!(said(&read), expected, "{network}");
        assert!(read.network.is_some(), "{network}");
    }
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let mut files = files("");
    files.0.insert("net.exp".to_owned(), b"\"a.aut\" -- caf\xe9\n".to_vec());
    let read = files.read("net.exp");
    assert!(read.network.is_none());
    assert_eq!(read.diagnostics[0].entry.code, "F0201");
    assert_eq!(read.sources.files()[0].position(read.diagnostics[0].span().start).column, 15);
}

#[test]
fn a_file_that_is_not_there_is_told() {
    let read = files("").read("nowhere.exp");
    assert!(read.network.is_none());
    assert_eq!(read.diagnostics[0].entry.code, "F0207");
}

#[test]
fn not_more_than_twenty_problems_are_told() {
    let vectors = vec!["A A -> B"; 100].join(", ");
    let read = files(&format!("par using {vectors} in a end par")).read("net.exp");
    assert_eq!(read.diagnostics.len(), 20);
    // Errors are not lost among warnings.
    let vectors = vec!["D -> D"; 100].join(", ");
    let read = files(&format!("par using {vectors}, _ -> B in a end par")).read("net.exp");
    let codes: Vec<&str> = read.diagnostics.iter().map(|one| one.entry.code).collect();
    assert_eq!((codes[0], codes[20], codes.len()), ("F0212", "F0206", 21));
}

#[test]
fn nesting_has_an_end_and_rows_have_none() {
    let deep = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(says(&deep(99)).0, [""; 0]);
    assert_eq!(says(&deep(100)).0, ["F0203 net.exp:1:101 `a`"]);
    assert_eq!(says(&deep(100_000)).0, ["F0203 net.exp:1:101 `(`"]);
    let hidden = format!("{}a", "hide A in ".repeat(100_000));
    assert_eq!(says(&hidden).0, ["F0203 net.exp:1:1001 `hide`"]);
    let row = vec!["c"; 20_000].join(" ||| ");
    let read = files(&row).read("net.exp");
    let network = read.network.unwrap();
    assert_eq!((network.parts.len(), network.vectors.len()), (20_000, 40_000));
}

/// Files that name each other in a chain are as deep as what they have in them.
#[test]
fn files_in_files_have_an_end() {
    let mut files = Files::new(&[("c.aut", C)]);
    for at in 0..300 {
        let text = format!("\"n{}.exp\"", at + 1);
        files.0.insert(format!("n{at}.exp"), text.into_bytes());
    }
    files.0.insert("n300.exp".to_owned(), b"c".to_vec());
    let read = files.read("n0.exp");
    assert!(read.network.is_none());
    assert_eq!(read.diagnostics[0].entry.code, "F0203");
}

/// What grows beyond all bounds when it is made flat is refused.
#[test]
fn f0211_too_many_vectors() {
    let many: String = (0..200).map(|at| format!("(0, \"L{at}\", 0)\n")).collect();
    let mut files = Files::new(&[
        (
            "net.exp",
            "par using X * X * X -> Y in (\"one.exp\") || (\"one.exp\") || (\"one.exp\") end par",
        ),
        ("one.exp", "rename \".*\" -> X in \"many.aut\" end rename"),
    ]);
    files.0.insert("many.aut".to_owned(), format!("des (0, 200, 1)\n{many}").into_bytes());
    let read = files.read("net.exp");
    assert_eq!(read.diagnostics.len(), 1);
    assert_eq!(read.diagnostics[0].entry.code, "F0211");
    assert!(said(&read)[0].starts_with("F0211 net.exp:1:1 `par using"));
    // Subsets of operands are counted as well.
    let row = vec!["\"many.aut\""; 60].join(" || ");
    files.0.insert("net.exp".to_owned(), format!("par L1#30 in {row} end par").into_bytes());
    assert_eq!(files.read("net.exp").diagnostics[0].entry.code, "F0211");
    // Two of them are 40,000 vectors, and can be read.
    files.0.insert(
        "net.exp".to_owned(),
        b"par using X * X -> Y in (\"one.exp\") || (\"one.exp\") end par".to_vec(),
    );
    assert_eq!(files.read("net.exp").network.unwrap().vectors.len(), 40_002);
}

/// No pattern takes longer than its length times that of the label.
#[test]
fn patterns_do_not_run_away() {
    let pattern = ".*".repeat(300) + "x";
    let label = "a".repeat(5_000);
    let files = Files::new(&[
        ("net.exp", &format!("multiple rename \"{pattern}\" -> \"b\" in a end rename")),
        ("a.aut", &format!("des (0, 1, 1)\n(0, \"{label}\", 0)\n")),
    ]);
    assert_eq!(in_words(&product(&files.read("net.exp").network.unwrap())).len(), 1);
}
