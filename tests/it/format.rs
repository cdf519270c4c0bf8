//! The formatter and the printer: what they write, and what must hold of it whatever the model.

use std::fmt::Write as _;

use crate::common::Random;

use pnetc::diagnostics::{Severity, Span};
use pnetc::syntax::format::format;
use pnetc::syntax::parse;
use pnetc::syntax::print::print;
use pnetc::syntax::token::{Token, lex};
use serde_json::Value;

// ---- what must hold of every model ----

/// Checks all that must hold of a model, and returns it formatted.
fn check(model: &str) -> String {
    let formatted = match format(model) {
        Ok(formatted) => formatted,
        Err(problems) => panic!("does not parse: {:?}\n{model}", problems.first()),
    };
    let again = format(&formatted).unwrap_or_else(|_| panic!("cannot parse\n{formatted}"));
    assert_eq!(again, formatted, "formatting twice is not formatting once, of\n{model}");
    let tree = tree(model);
    assert_eq!(self::tree(&formatted), tree, "another tree:\n{formatted}\nof\n{model}");
    assert_eq!(comments(&formatted), comments(model), "other comments:\n{formatted}\nof\n{model}");
    assert_eq!(token_texts(&formatted), token_texts(model), "other tokens");
    check_white_space(&formatted);

    let printed = print(&parse(model, 0).module);
    assert_eq!(self::tree(&printed), tree, "another tree is printed:\n{printed}\nof\n{model}");
    formatted
}

fn check_white_space(formatted: &str) {
    assert!(formatted.is_empty() || formatted.ends_with('\n'), "no newline at the end");
    assert!(!formatted.ends_with("\n\n") && !formatted.starts_with('\n'), "empty lines at an end");
    for line in formatted.lines() {
        assert_eq!(line, line.trim_end(), "white space at the end of a line of\n{formatted}");
    }
}

/// The tree of a model without its spans.
fn tree(model: &str) -> Value {
    let parsed = parse(model, 0);
    let is_error = |severity| severity == Severity::Error;
    let error = parsed.problems.iter().find(|problem| is_error(problem.entry().severity));
    assert!(error.is_none(), "{error:?} in\n{model}");
    without_spans(serde_json::to_value(&parsed.module).unwrap())
}

fn without_spans(value: Value) -> Value {
    let is_span = |all: &[Value]| all.len() == 2 && all.iter().all(Value::is_number);
    match value {
        Value::Array(all) if is_span(&all) => Value::Null,
        Value::Array(all) => all.into_iter().map(without_spans).collect(),
        Value::Object(all) => {
            all.into_iter().map(|(key, value)| (key, without_spans(value))).collect()
        }
        value => value,
    }
}

fn slice(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

/// The comments of a text, without the white space at the ends of their lines.
fn comments(text: &str) -> Vec<String> {
    let (lexed, _) = lex(text, 0);
    let lines =
        |comment: &str| comment.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n");
    lexed.comments.iter().map(|comment| lines(slice(text, comment.span))).collect()
}

fn token_texts(text: &str) -> Vec<&str> {
    let (lexed, _) = lex(text, 0);
    lexed.spans.iter().map(|span| slice(text, *span)).collect()
}

// ---- rules, one by one ----

/// Checks that a model is formatted like this.
#[track_caller]
fn becomes(model: &str, expected: &str) {
    assert_eq!(check(model), expected);
}

/// Checks that a model is formatted as it is written.
#[track_caller]
fn stays(model: &str) {
    becomes(model, model);
}

/// Checks how the statements of a process come out.
#[track_caller]
fn in_process(statements: &str, expected: &str) {
    becomes(&format!("process P {{{statements}}}"), &format!("process P {{\n{expected}}}\n"));
}

/// Checks how the statements of a net come out.
#[track_caller]
fn in_net(statements: &str, expected: &str) {
    becomes(&format!("net N {{{statements}}}"), &format!("net N {{\n{expected}}}\n"));
}

#[test]
fn nothing_at_all() {
    becomes("", "");
    becomes("\u{FEFF} \r\n\n\t", "");
    becomes("\u{FEFF}// only a comment  ", "// only a comment\n");
}

#[test]
fn one_statement_a_line() {
    becomes("module m;sort A;sort B;", "module m;\nsort A;\nsort B;\n");
    becomes(
        "process P{init state s;s->s:tau;}",
        "process P {\n    init state s;\n    s -> s : tau;\n}\n",
    );
    becomes("net\nN\n(\nP\n:\nany\n)\n{\n}\n", "net N(P: any) {}\n");
    becomes("sort A ;  \r\n  sort B ;\r\n", "sort A;\nsort B;\n");
}

#[test]
fn empty_lines() {
    becomes("\n\nsort A;\n\n\n\nsort B;\nsort C;\n\n", "sort A;\n\nsort B;\nsort C;\n");
    in_process("\n\ninit state s;\n \n\t\n state t;\n\n", "    init state s;\n\n    state t;\n");
    in_process("\n\n// c\n\n\nstate t;\n\n// d\n\n", "    // c\n\n    state t;\n\n    // d\n");
    becomes("process P { // c\n\n state t;}", "process P {  // c\n    state t;\n}\n");
}

#[test]
fn spaces() {
    becomes(
        "fun f(x:Int,y:0..n-1):Int=if x<0 and not(y==-1)then-x else(x+y)*2 mod 3;",
        "fun f(x: Int, y: 0..n - 1): Int = if x < 0 and not (y == -1) then -x else (x + y) * 2 mod 3;\n",
    );
    becomes(
        "const k:[Int][Bool]0..3=[_]Int ( 0 )[1:=2];",
        "const k: [Int][Bool]0..3 = [_]Int(0)[1 := 2];\n",
    );
    becomes(
        "axiom forall x:Int,y .f(x)>y=>a [x] [y].b>=0;",
        "axiom forall x: Int, y . f(x) > y => a[x][y].b >= 0;\n",
    );
    becomes(
        "axiom a not in{f(_),b}or a is not tau;",
        "axiom a not in { f(_), b } or a is not tau;\n",
    );
    becomes("axiom a in{};axiom { }==b;", "axiom a in {};\naxiom {} == b;\n");
    becomes(
        "import std.lotos(a,b);import \"./x.pnet\"as x;",
        "import std.lotos (a, b);\nimport \"./x.pnet\" as x;\n",
    );
    becomes("action a ( Int , [ Int ] Bool ) , b ;", "action a(Int, [Int]Bool), b;\n");
    becomes("const `when`:Int=1_000;", "const `when`: Int = 1_000;\n");
}

#[test]
fn angle_brackets() {
    becomes(
        "process P<n:Int>{}net N<G:actions>(P:any)=M<n+1,(a<b)>(P);",
        "process P<n: Int> {}\nnet N<G: actions>(P: any) = M<n + 1, (a < b)>(P);\n",
    );
    becomes("check always(N<3>(P:Q<f(a<b)>),x<y);", "check always(N<3>(P: Q<f(a < b)>), x < y);\n");
    becomes(
        "check size(Hide<{a(_),b}>(P))==(3,12);",
        "check size(Hide<{ a(_), b }>(P)) == (3, 12);\n",
    );
    becomes(
        "relation R(A<-1>,B<n>(P,Q[2]:X)){(a,b.c)when x<-y;}",
        "relation R(A<-1>, B<n>(P, Q[2]: X)) {\n    (a, b.c) when x < -y;\n}\n",
    );
    becomes(
        "invariant I of B<n,{a}>(P,Q[2]:X<1>){x<-y;(a<b)==(P[0]in s);P not in{s,t}=>v[0]<w;}",
        "invariant I of B<n, { a }>(P, Q[2]: X<1>) {\n    x < -y;\n    (a < b) == (P[0] in s);\n    P not in { s, t } => \
         v[0] < w;\n}\n",
    );
    becomes("check always(N<3>,x<y)by I;", "check always(N<3>, x < y) by I;\n");
    in_net(
        "sub S[i:0..n]=T<i>(P[i]);priority a<b<c,d<e;<>->tau;",
        "    sub S[i: 0..n] = T<i>(P[i]);\n    priority a < b < c, d < e;\n    <> -> tau;\n",
    );
    becomes(
        "check refines(A,B)by R tracking{P,Q};check not refines(A,B)tracking{};",
        "check refines(A, B) by R tracking { P, Q };\ncheck not refines(A, B) tracking {};\n",
    );
}

#[test]
fn connectors() {
    in_net(
        "connect c(x):A[1].p(x)'[B.q[C.r]'D.s]S[i+1].t when x>0 do y:=x for i in 0..n;",
        "    connect c(x) : A[1].p(x)' [B.q [C.r]' D.s] S[i + 1].t when x > 0 do y := x for i in 0..n;\n",
    );
    in_net(
        "connect long_name:A.a B.b;connect b:[A.a B.b]'when x==1;",
        "    connect long_name : A.a B.b;\n    connect b         : [A.a B.b]' when x == 1;\n",
    );
}

#[test]
fn lists_on_one_line_or_more() {
    becomes(
        "enum E{A,B}data D{}interface I{a(Int),b,}",
        "enum E { A, B }\ndata D {}\ninterface I { a(Int), b, }\n",
    );
    becomes("data D {\nA(x:Int), B }", "data D {\n    A(x: Int),\n    B\n}\n");
    becomes("enum E { A, // first\n B }", "enum E {\n    A,  // first\n    B\n}\n");
    let long = (0..30).map(|n| format!("Name{n}")).collect::<Vec<_>>();
    becomes(
        &format!("enum E {{{}}}", long.join(",")),
        &format!("enum E {{\n    {}\n}}\n", long.join(",\n    ")),
    );
}

#[test]
fn matches() {
    becomes(
        "const x:Int=match m{A=>1,B(y)=>y};",
        "const x: Int = match m { A => 1, B(y) => y };\n",
    );
    stays(
        "const x: Int = match m {\n    A => 1,\n    B(y) => match y {\n        C => 2,  // two\n\n        D => 3\n    }\n} + 1;\n",
    );
    let long = "a_rather_long_name_of_a_constant";
    becomes(
        &format!("const x: Int = match m {{ A => {long}, B => {long}, C => {long} }};"),
        &format!(
            "const x: Int = match m {{\n    A => {long},\n    B => {long},\n    C => {long}\n}};\n"
        ),
    );
}

#[test]
fn tables_of_transitions() {
    in_process(
        "left->left:l;left->right:delta;",
        "    left -> left  : l;\n    left -> right : delta;\n",
    );
    in_process(
        "idle->running:start do t:=0;running->running:tick when t<max do t:=t+1;running->idle:timeout when t==max;",
        "    idle    -> running : start                 do t := 0;\n\
         \x20   running -> running : tick    when t < max  do t := t + 1;\n\
         \x20   running -> idle    : timeout when t == max;\n",
    );
    in_process("a->b:c;\n\nlonger->b:c;", "    a -> b : c;\n\n    longer -> b : c;\n");
    in_process("a->b:c;\n// d\nlonger->b:c;", "    a -> b : c;\n    // d\n    longer -> b : c;\n");
    in_process("a->b:c; // d\nlonger->b:c;", "    a      -> b : c;  // d\n    longer -> b : c;\n");
    in_process("a->b:c when forall x:Int .x>0;", "    a -> b : c when forall x: Int . x > 0;\n");
}

#[test]
fn tables_of_vectors() {
    in_net(
        "<P:?a,C:l>->a when a is not d(_);<P:d(x),Q:acc(x),C:d>->sync d(x);<Q:?a,C:r>->a for i in 0..n;",
        "    <P: ?a,   C: l>            -> a         when a is not d(_);\n\
         \x20   <P: d(x), Q: acc(x), C: d> -> sync d(x);\n\
         \x20   <Q: ?a,   C: r>            -> a                            for i in 0..n;\n",
    );
    becomes(
        "relation R(A,B){(one,s)when x==1;(three,s)when x==3;}",
        "relation R(A, B) {\n    (one, s)   when x == 1;\n    (three, s) when x == 3;\n}\n",
    );
}

#[test]
fn tables_stay_within_the_line() {
    let action = "an_action_with_a_name_that_goes_on_and_on_and_is_never_going_to_end";
    in_process(
        &format!("s->t:{action};state0->t:a when x == 1 and y == 2 do x := 1;s->t:b do x:=2;"),
        &format!(
            "    s      -> t : {action};\n    state0 -> t : a when x == 1 and y == 2 do x := 1;\n    s      -> t : b do x := 2;\n"
        ),
    );
    let member = format!("P: {action}");
    in_net(
        &format!("<{member}>->b;<Q:c>->d when x == {};<R:long>->e;", "1".repeat(30)),
        &format!(
            "    <{member}> -> b;\n    <Q: c> -> d when x == {};\n    <R: long>{} -> e;\n",
            "1".repeat(30),
            " ".repeat(member.len() - "R: long".len()),
        ),
    );
}

#[test]
fn long_lines() {
    let (a, b, c) = ("a".repeat(40), "b".repeat(40), "c".repeat(40));
    in_process(
        &format!("s->t:{a} when {b}==1 do x:={c};"),
        &format!("    s -> t : {a}\n            when {b} == 1\n            do x := {c};\n"),
    );
    in_process(
        &format!("s->t:a when {a} and {b} and({c} or d)do x:=1;"),
        &format!(
            "    s -> t : a\n            when {a}\n                and {b}\n                and ({c} or d)\n            do x := 1;\n"
        ),
    );
    becomes(&format!("action {a},{b},{c},d;"), &format!("action {a}, {b},\n        {c}, d;\n"));
    becomes(
        &format!("net N({a}:any,Q:any)=M({a},{b},{c});"),
        &format!("net N({a}: any, Q: any) =\n        M({a}, {b},\n            {c});\n"),
    );
    becomes(
        &format!("check bisimilar(A({a},{b},{c}),B);"),
        &format!("check bisimilar(A({a},\n            {b}, {c}),\n        B);\n"),
    );
    in_net(
        &format!("connect c:A.{a} B.{b} C.{c};"),
        &format!("    connect c : A.{a}\n            B.{b} C.{c};\n"),
    );
    let too_long = "x".repeat(120);
    becomes(&format!("sort {too_long};"), &format!("sort {too_long};\n"));
}

#[test]
fn comments_at_ends_of_lines() {
    becomes("sort A;// a\nsort Long; // b", "sort A;     // a\nsort Long;  // b\n");
    becomes(
        "sort A; /* a */ // b\n\nsort Long; // c",
        "sort A;  /* a */ // b\n\nsort Long;  // c\n",
    );
    becomes(
        "process P{ // c\nstate s; // d\n} // e",
        "process P {   // c\n    state s;  // d\n}             // e\n",
    );
    becomes("sort A; /// about B\nsort B;", "sort A;\n/// about B\nsort B;\n");
    let long = "x".repeat(110);
    becomes(
        &format!("sort {long}; // a\nsort B; // b"),
        &format!("sort {long};  // a\nsort B;  // b\n"),
    );
}

#[test]
fn comments_on_lines_of_their_own() {
    in_process(
        "\n// c\n        /// d  \nstate s;/* e\n     f  \n  */",
        "    // c\n    /// d\n    state s;\n    /* e\n     f\n  */\n",
    );
    becomes(
        "/* a */ /* b */\nsort A;\n/* c */ sort B; /* d */ sort C;",
        "/* a */ /* b */\nsort A;\n/* c */ sort B;  /* d */\nsort C;\n",
    );
    becomes("sort A;\n\n// end  \n\n", "sort A;\n\n// end\n");
}

#[test]
fn comments_inside_statements() {
    becomes("sort/*a*/A/*b*/,B/*c*/;", "sort /*a*/ A /*b*/, B /*c*/;\n");
    becomes("sort A, // a\nB;", "sort A,  // a\n        B;\n");
    becomes(
        "sort A,\n// a\nB\n// b\n;",
        "sort A,\n        // a\n        B\n        // b\n        ;\n",
    );
    becomes("sort A, /* a\n b */ B;", "sort A,\n        /* a\n b */\n        B;\n");
    becomes("module a/* x */./* y */b;", "module a /* x */./* y */ b;\n");
    becomes("module a.// x\nb;", "module a.// x\n        b;\n");
    becomes("axiom forall x// a\n. p;", "axiom forall x  // a\n        . p;\n");
    in_process("s /* a */->t:a;long->t:b;", "    s /* a */ -> t : a;\n    long      -> t : b;\n");
}

#[test]
fn errors_are_returned_and_warnings_are_not() {
    let problems = format("sort ;\nsort A;").unwrap_err();
    assert!(problems.iter().all(|problem| problem.entry().severity == Severity::Error));
    assert!(!problems.is_empty());
    becomes("sort /// stray\nA;", "sort  /// stray\n        A;\n");
}

/// The whole model of the design. Written by hand, it differed in the white space before comments, in one
/// space before a `when`, and in the alignment of two `=`.
const ENABLE: &str = "\
/// LOTOS enabling, P >> Q: P runs until it exits with a value, which Q accepts.
module enable;

sort Data;                      // abstract: nothing known but equality
action l, r, delta, acc;        // constant actions
action delta(Data), acc(Data);  // the same name may also carry data (other arity)

/// State-oriented controller.
process CState {
    init state left;
    state right;

    left  -> left  : l;
    left  -> right : delta;
    right -> right : r;
}

/// The same controller, data-oriented: one state and a variable.
process CData {
    var v: Int = 0;
    init state s;

    s -> s : l     when v == 0;
    s -> s : delta when v == 0 do v := 1;
    s -> s : r     when v == 1;
}

interface Controller { l, r, delta }

/// Three holes: the two processes, and the controller, so that either encoding fits.
net Enable(P: any, Q: any, C: Controller) {
    <P: ?a,       C: l>                -> a             when a is not delta(_);
    <P: delta(x), Q: acc(x), C: delta> -> sync delta(x);
    <Q: ?a,       C: r>                -> a;
}

net EnableState(P: any, Q: any) = Enable(P, Q, CState);
net EnableData(P: any, Q: any) = Enable(P, Q, CData);
net EnableLeft(P: any, Q: any, R: any) = EnableState(EnableState(P, Q), R);
net EnableRight(P: any, Q: any, R: any) = EnableState(P, EnableState(Q, R));

check bisimilar(EnableState, EnableData);
check bisimilar(EnableLeft, EnableRight);  // >> is associative
";

#[test]
fn the_model_of_the_design() {
    stays(ENABLE);
}

// ---- printing ----

#[test]
fn parentheses_where_they_are_needed() {
    let print_of = |expr: &str| print(&parse(&format!("axiom {expr};"), 0).module);
    let cases = [
        "(a + b) + c - (d - e)",
        "(a and b) and c or not (a or b)",
        "(a == b) == (not c)",
        "not not a",
        "(a => b) => c => d",
        "(if a then b else c) + 1",
        "(forall x . x) and (exists y: 0..n . y)",
        "if a then if b then c else d else e",
        "sync (sync a) == -(-1) * co b(_)",
        "(x).f == x.f",
        "(a + b)[i][j := k].f",
        "(a + b).f",
        "(-a)[0] == -a[0]",
        "a is (not b) or a is not b or (not a) is b",
        "(a in { b, (c) })",
        "`when` == by and `by` == `forall`.f",
        "match match a { A => b } { B => c => d, (-1) => match e {} }",
        "f() == [_]Int(0)[1].g",
        "?x.f == _.f",
        "(a mod b) * c div (d * e)",
    ];
    for case in cases {
        check(&format!("axiom {case};"));
    }
    assert_eq!(print_of("((a)) + ((b * c)) - (d - e)"), "axiom a + b * c - (d - e);\n");
    assert_eq!(print_of("(not (a)) and ((b) == (c))"), "axiom not a and b == c;\n");
}

#[test]
fn words_that_are_quoted() {
    check("check `always`(A, B);\ncheck always(A, b);\ncheck `by`(A) by by tracking { tracking };");
    check("net N { priority maximal < by; priority maximal; priority `maximal` < a; }");
    check(
        "module `module`.`in`;\nimport `by`.tracking as `as`;\nfun `fun`(`var`: `sort`): actions;",
    );
}

// ---- all models of the project, and variations of them ----

/// All models of the project, each with its name.
fn models() -> Vec<(String, String)> {
    let design = ("the model of the design".to_owned(), ENABLE.to_owned());
    crate::common::models().into_iter().chain([design]).collect()
}

#[test]
fn all_models_of_the_project() {
    for (name, text) in models() {
        println!("{name}");
        check(&text);
        check(&text.replace('\n', "\r\n"));
        check(&text.replace('\n', "\n\n"));
    }
}

/// Calls `test` with seeds, or with the one that is asked for, and names the one that fails.
fn with_seeds(count: u64, test: impl Fn(&mut Random) + std::panic::RefUnwindSafe) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("PNET_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("PNET_FUZZ").map_or(count, |wanted| wanted / 100),
    };
    for seed in seeds {
        let run = || test(&mut Random::new(seed));
        if let Err(failure) = std::panic::catch_unwind(run) {
            eprintln!("failed; replay with PNET_SEED={seed}");
            std::panic::resume_unwind(failure);
        }
    }
}

const WHITE: &[&str] = &[" ", "\n", "\t", "\r\n", "\n\n\n", "  ", "\r", "\n   \n", "\u{C}"];
const COMMENTS: &[&str] = &[
    "/* c */",
    "// line\n",
    "/// doc  \n",
    "/**/",
    "/* two\n     lines */",
    "/* a /* nested */ b */",
    "//\r\n",
    "//// four slashes \t\n",
    "// \u{e4} \r",
    "/* three \r\n  \r\n lines*/",
    "// a comment that is longer than most lines, so that what stands before it would have to be wrapped\n",
];

/// White space and comments, at least one if `something` must stand here.
fn gap(random: &mut Random, comments: usize, something: bool) -> String {
    let mut out = String::new();
    for _ in 0..random.below(3) {
        let from = if random.one_in(comments) { COMMENTS } else { WHITE };
        out.push_str(random.pick::<&str>(from));
    }
    if out.is_empty() && something {
        out.push(' ');
    }
    out
}

/// Something beside the dot of a path: no white space may touch the dot.
fn before_dot(random: &mut Random) -> &'static str {
    if random.one_in(8) {
        random.pick::<&str>(&["/* c */", " /* c */", "\n/* a\n b */"])
    } else {
        ""
    }
}

fn after_dot(random: &mut Random) -> &'static str {
    if random.one_in(8) {
        random.pick::<&str>(&["/* c */", "/* c */\n", "// c\n", "/* a\n b */"])
    } else {
        ""
    }
}

/// The tokens of a model with other white space, other comments and, sometimes, longer names.
fn soup(model: &str, random: &mut Random) -> String {
    // As they are meant: the words of formulas are no names.
    let lexed = parse(model, 0).lexed;
    let comments = [2, 10, 40, 1_000_000][random.below(4)];
    let longest = [1, 1, 12, 40][random.below(4)];
    let mut out = gap(random, comments, false);
    for (at, (&token, &span)) in lexed.tokens.iter().zip(&lexed.spans).enumerate() {
        let text = slice(model, span);
        out.push_str(text);
        // `Action(T)` is known by its name.
        if matches!(token, Token::Name(_)) && !text.starts_with('`') && text != "Action" {
            let _ = write!(out, "{}", "x".repeat(random.below(longest)));
        }
        let next = lexed.tokens.get(at + 1);
        let touches = lexed.spans.get(at + 1).is_none_or(|next| next.start == span.end);
        match (token, next) {
            (Token::Dot, _) => out.push_str(after_dot(random)),
            (_, Some(Token::Dot)) => out.push_str(before_dot(random)),
            (Token::SpacedDot, _) | (_, Some(Token::SpacedDot)) => {
                let _ = writeln!(out, " {}", gap(random, comments, false));
            }
            _ => out.push_str(&gap(random, comments, !touches)),
        }
    }
    out
}

#[test]
fn variations_of_all_models() {
    let models = models();
    with_seeds(20, |random| {
        for (_, text) in &models {
            check(&soup(text, random));
        }
    });
}

#[test]
fn random_expressions() {
    with_seeds(500, |random| {
        let mut expr = String::new();
        expression(random, 5, &mut expr);
        let model = format!("axiom {expr};\nconst c: [{0}..{0}]Int = {expr};", "(1 + n)");
        check(&model);
        check(&soup(&model, random));
    });
}

#[test]
fn random_statements() {
    with_seeds(500, |random| {
        let mut model = "process P { init state s;".to_owned();
        for _ in 0..3 {
            let [mut guard, mut first, mut second] = [const { String::new() }; 3];
            expression(random, 4, &mut guard);
            expression(random, 3, &mut first);
            expression(random, 3, &mut second);
            let _ = write!(model, "s -> s : a when {guard} do x := {first}, y := {second};");
        }
        // A `<` before a name can look like the start of a vector whose statement lacks its `;`.
        model = model.replace(" < ", " <= ") + "}";
        check(&model);
        check(&soup(&model, random));
    });
}

/// A random expression, with more parentheses than it needs.
fn expression(random: &mut Random, depth: usize, out: &mut String) {
    const LEAVES: &[&str] =
        &["a", "b.c", "12", "0_7", "true", "_", "tau", "?x", "`in`", "by", "f()", "{}", "g(a, b)"];
    // `%` stands for an expression in parentheses, `#` for one in brackets of its own.
    const FORMS: &[&str] = &[
        "% + % - %",
        "% * % div % mod %",
        "% and % and %",
        "% or %",
        "not %",
        "-%",
        "sync %",
        "co %",
        "% == %",
        "% < %",
        "% >= %",
        "% => %",
        "% is %",
        "% is not %",
        "% in %",
        "% not in %",
        "if # then # else #",
        "forall x: [Int]0..3, y . #",
        "exists z . #",
        "match # { A(x, _) => #, % => #, }",
        "match # {}",
        "%[#]",
        "%[# := #]",
        "%.f",
        "[_]m.S(#)",
        "{ #, # }",
        "f(#, #, #)",
    ];
    if depth == 0 {
        return out.push_str(random.pick::<&str>(LEAVES));
    }
    for c in random.pick(FORMS).chars() {
        let inner = random.below(depth);
        match c {
            '%' if inner == 0 && random.one_in(2) => expression(random, 0, out),
            '%' => {
                out.push('(');
                expression(random, inner, out);
                out.push(')');
            }
            '#' => expression(random, inner, out),
            c => out.push(c),
        }
    }
}

// ---- size ----

#[test]
fn deep_and_large() {
    let deep = 900;
    let model = format!("axiom {}a and b{};", "(".repeat(deep), ")".repeat(deep));
    let formatted = format(&model).unwrap();
    assert!(formatted.lines().count() == 2 && token_texts(&formatted) == token_texts(&model));
    assert!(format(&formatted).unwrap() == formatted);

    let nested = format!("axiom {}1{};", "match a { A => ".repeat(150), " }".repeat(150));
    check(&nested);
    let nested = format!("axiom {}1{};", "f(aaaa, bbbb, ".repeat(150), ")".repeat(150));
    check(&nested);
    let nested = format!("axiom {}1{};", "not a => (b or c and ".repeat(60), ")".repeat(60));
    check(&nested);

    let long = format!("sort {};", vec!["Name"; 100_000].join(","));
    check(&long);
    let comments = format!("sort {}; // a\n{}", "x".repeat(1000), "sort B; // b\n".repeat(10_000));
    check(&comments);
}

#[test]
fn short_scenarios_stay_on_one_line() {
    let head = "action a(Int), b;\n\nprocess P {\n    init state s;\n\n    s -> s : b;\n}\n\n";
    stays(&format!(
        "{head}scenario one of P {{ b; ..; b; }}\nscenario not two of P {{ ..; [P in s]; tau; }}\n"
    ));
    stays(&format!("{head}scenario one of P {{\n    b;\n    ..;\n}}\n"));
    stays(&format!("{head}scenario one of P {{ /* here */ b; }}\n"));
    becomes(
        &format!("{head}scenario one of P {{b;..;b;}}\n"),
        &format!("{head}scenario one of P {{ b; ..; b; }}\n"),
    );
    // Who ends a line ends all.
    becomes(
        &format!("{head}scenario one of P {{ b;\n b; }}\n"),
        &format!("{head}scenario one of P {{\n    b;\n    b;\n}}\n"),
    );
    becomes(
        &format!("{head}scenario one of P {{ b; // why\n b; }}\n"),
        &format!("{head}scenario one of P {{\n    b;  // why\n    b;\n}}\n"),
    );
    // What is too long for a line gets several.
    let steps = "b; ".repeat(40);
    let lines = "    b;\n".repeat(40);
    becomes(
        &format!("{head}scenario one of P {{ {steps}}}\n"),
        &format!("{head}scenario one of P {{\n{lines}}}\n"),
    );
}

#[test]
fn short_rules_stay_on_one_line() {
    let in_architecture = |rule: &str, expected: &str| {
        becomes(
            &format!("architecture A {{{rule}}}"),
            &format!("architecture A {{\n{expected}\n}}\n"),
        );
    };
    in_architecture(
        "rule T(n){sub n=Leaf;T(n);}rule U(n){}",
        "    rule T(n) { sub n = Leaf; T(n); }\n    rule U(n) {}",
    );
    // What is too long for a line gets several, even if it would not be after a break at its `=`.
    let (n, leaf) = ("n".repeat(30), "L".repeat(40));
    in_architecture(
        &format!("rule T({n}) {{ sub {n} = {leaf}; }}"),
        &format!("    rule T({n}) {{\n        sub {n} = {leaf};\n    }}"),
    );
    in_architecture(
        &format!("rule T // c\n({n}) {{ /* d */ sub {n} = {leaf}; }}"),
        &format!(
            "    rule T{}  // c\n            ({n}) {{  /* d */\n        sub {n} = {leaf};\n    }}",
            " ".repeat(36)
        ),
    );
    // A comment ends the line after the first word, and the rest is too long where it goes on.
    let rest = |name: &str| format!("T(n) {{ sub n = {name}; }}");
    let fitting = "L".repeat(100 - 12 - rest("").len());
    in_architecture(
        &format!("rule // c\n{}", rest(&fitting)),
        &format!("    rule  // c\n            {}", rest(&fitting)),
    );
    in_architecture(
        &format!("rule // c\n{}", rest(&format!("{fitting}L"))),
        &format!("    rule  // c\n            T(n) {{\n        sub n = {fitting}L;\n    }}"),
    );
}
