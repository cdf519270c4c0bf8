//! Natural mistakes of people who know other languages: each makes exactly one error, at the right place, and where
//! an edit is proposed, it mends the model.

use crate::common::check_text;
use pnetc::diagnostics::{Diagnostic, Severity};

/// Where a mistake is made.
#[derive(Clone, Copy)]
enum Place {
    /// In a process with the variables `x`, `ready` and `free`, and the states `s` and `t`.
    Process,
    /// In a net with the parts `X` and `Y`, and a part `Z` with the connector `inner`.
    Net,
    /// At the top of a file.
    Top,
    /// In a rule with the names `x` and `y`, whose components are of `Cell`.
    Rule,
    /// In the architecture of that rule.
    Rules,
}

/// A mistake, its code, the text that is underlined, and the mended line, where the edit is known.
type Mistake = (Place, &'static str, &'static str, &'static str, Option<&'static str>);

use Place::{Net, Process, Rule, Rules, Top};

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    // Assignments.
    (Process, "s -> s : go do x *= 2;", "P0014", "*=", Some("s -> s : go do x := x * 2;")),
    (Process, "s -> s : go do x *= x + 1;", "P0014", "*=", Some("s -> s : go do x := x * (x + 1);")),
    (Process, "s -> s : go do x %= 2;", "P0014", "%=", Some("s -> s : go do x := x mod 2;")),
    (Process, "s -> s : go do x /= 2;", "P0014", "/=", Some("s -> s : go do x := x div 2;")),
    (Process, "s -> s : go do x++;", "P0014", "x++", Some("s -> s : go do x := x + 1;")),
    (Process, "s -> s : go do x--;", "P0014", "x--", Some("s -> s : go do x := x - 1;")),
    (Process, "s -> s : go do ++x;", "P0014", "++x", Some("s -> s : go do x := x + 1;")),
    (Process, "s -> s : go do x' = x + 1;", "P0014", "x'", Some("s -> s : go do x := x + 1;")),
    (Process, "s -> s : go do x, ready := 1, true;", "P0014", "x, ready", Some("s -> s : go do x := 1, ready := true;")),
    (Process, "s -> s : go do skip;", "P0014", "skip", None),
    (Process, "s -> s : go { x := 1; ready := false };", "P0014", "{", Some("s -> s : go do { x := 1; ready := false };")),
    (Process, "s -> s : go { x := 1 };", "P0014", "{", Some("s -> s : go do x := 1;")),
    (Process, "s -> s : go do x := 1; ready := false;", "P0014", "ready", Some("s -> s : go do x := 1, ready := false;")),
    (Process, "s -> s : go; ready := false;", "P0014", "ready", Some("s -> s : go do ready := false;")),
    (Process, "s -> s : go do x = 1;", "P0007", "=", Some("s -> s : go do x := 1;")),
    // Guards and expressions.
    (Process, "s -> s : go when |x| > 1;", "P0014", "|x|", None),
    (Process, "s -> s : go when |x - 1| > 1 and x < 3;", "P0014", "|x - 1|", None),
    (Process, "var y: Int in 0..3;", "P0014", "in", Some("var y: 0..3;")),
    (Process, "var y: Int in 0..3 = 1;", "P0014", "in", Some("var y: 0..3 = 1;")),
    (Top, "check size(S) == 1;", "P0014", "1", None),
    (Process, "t -> s : get(1) if x > 0;", "P0014", "if", Some("t -> s : get(1) when x > 0;")),
    (Process, "t -> s : get(1) provided x > 0 do x := 1;", "P0014", "provided", Some("t -> s : get(1) when x > 0 do x := 1;")),
    (Process, "s -> s : go do x := 1 when x > 0;", "P0014", "when", Some("s -> s : go when x > 0 do x := 1;")),
    (Process, "s -> s : go then x := 1;", "P0014", "then", Some("s -> s : go do x := 1;")),
    (Process, "s -> s : go when forall i in 0..3. free[i];", "P0014", "in", Some("s -> s : go when forall i: 0..3. free[i];")),
    (Process, "s -> s : go when forall i in 0..3 : free[i];", "P0014", "in", Some("s -> s : go when forall i: 0..3  .  free[i];")),
    (Process, "s -> s : go when x = 2;", "P0007", "=", Some("s -> s : go when x == 2;")),
    (Process, "s -> s : go when x <> 2;", "P0014", "<>", Some("s -> s : go when x != 2;")),
    (Process, "s -> s : go when x /= 2;", "P0012", "/=", Some("s -> s : go when x != 2;")),
    (Process, "s -> s : go when x =/= 2;", "P0012", "=/=", Some("s -> s : go when x != 2;")),
    (Process, "s -> s : go when !ready;", "P0012", "!", Some("s -> s : go when not ready;")),
    (Process, "s -> s : go when ready <=> x > 1;", "P0014", "<=>", Some("s -> s : go when ready == (x > 1);")),
    (Process, "s -> s : go when ready xor x > 1;", "P0014", "xor", Some("s -> s : go when ready != (x > 1);")),
    (Process, "s -> s : go when ready -> x > 1;", "P0014", "->", Some("s -> s : go when ready => x > 1;")),
    (Process, "s -> s : go when x in 0..3;", "P0014", "in", Some("s -> s : go when 0 <= x and x < 3;")),
    (Process, "s -> s : go when x in { 1, 2 };", "T0101", "x", None),
    (Process, "s -> s : go do x := x > 2 ? 0 : 1;", "P0014", "?", Some("s -> s : go do x := if x > 2 then 0 else 1;")),
    (Process, "s -> s : go do x := if x > 2 then 0;", "P0014", "if", Some("s -> s : go do x := if x > 2 then 0 else x;")),
    (Process, "s -> s : go do x := if x > 2 then 0 elif x > 1 then 2 else 3;", "P0014", "elif", Some("s -> s : go do x := if x > 2 then 0 else if x > 1 then 2 else 3;")),
    (Process, "s -> s : go when True;", "N0202", "True", Some("s -> s : go when true;")),
    // Transitions, states and variables.
    (Process, "s => t : go;", "P0014", "=>", Some("s -> t : go;")),
    (Process, "s -go-> t;", "P0014", "-go->", Some("s -> t : go;")),
    (Process, "s --go--> t;", "P0014", "--go-->", Some("s -> t : go;")),
    (Process, "transition s -> t : go;", "P0014", "transition", Some("s -> t : go;")),
    (Process, "transition go from s to t;", "P0014", "transition", Some("s -> t : go;")),
    (Process, "on go from s to t provided x > 0 do x := 1;", "P0014", "on", Some("s -> t : go when x > 0 do x := 1;")),
    (Process, "from s to t on go;", "P0014", "from", Some("s -> t : go;")),
    (Process, "s -> s : put!x;", "P0014", "!x", Some("s -> s : put(x);")),
    (Process, "s -> s : get?v;", "P0014", "?v", Some("s -> s : get(?v);")),
    (Process, "s -> s : go; -- a comment", "L0001", "--", Some("s -> s : go; // a comment")),
    (Process, "s -> s : go; % isn't \"this", "L0001", "%", Some("s -> s : go; // isn't \"this")),
    (Process, "int y = 0;", "P0014", "int", Some("var y: Int = 0;")),
    (Process, "let y: Int = 0;", "P0013", "let", Some("var y: Int = 0;")),
    (Process, "var y = 0;", "P0014", "y", Some("var y: Int = 0;")),
    (Process, "var y: Int := 0;", "P0007", ":=", Some("var y: Int = 0;")),
    (Process, "var y: nat = 0;", "N0201", "nat", Some("var y: Int = 0;")),
    (Process, "var y: u8 = 0;", "N0201", "u8", Some("var y: 0..256 = 0;")),
    (Process, "var y: 0..=3 = 0;", "P0014", "..=", Some("var y: 0..4 = 0;")),
    (Process, "var y: Map<Int, Bool>;", "N0201", "Map", None),
    (Process, "var y: Set<Int>;", "N0201", "Set", None),
    (Process, "var y: List<Int>;", "N0201", "List", None),
    (Process, "var y: Int[3];", "P0014", "Int[3]", Some("var y: [0..3]Int;")),
    (Process, "var y[3]: Int;", "P0014", "y[3]", Some("var y: [0..3]Int;")),
    (Process, "var y: [Int; 3];", "P0014", "[Int; 3]", Some("var y: [0..3]Int;")),
    (Process, "var y: array [0..3] of Int;", "P0014", "array [0..3] of Int", Some("var y: [0..3]Int;")),
    // Nets.
    (Net, "<X: go | Y: go> -> go;", "P0014", "|", Some("<X: go , Y: go> -> go;")),
    (Net, "<X: go || Y: go> -> go;", "P0014", "||", Some("<X: go , Y: go> -> go;")),
    (Net, "<X: go; Y: go> -> go;", "P0014", ";", Some("<X: go, Y: go> -> go;")),
    (Net, "(X: go, Y: go) -> go;", "P0014", "(", Some("<X: go, Y: go> -> go;")),
    (Net, "<X.go, Y.go> -> go;", "P0014", ".", Some("<X: go, Y: go> -> go;")),
    (Net, "<X: go, Y: go> => go;", "P0014", "=>", Some("<X: go, Y: go> -> go;")),
    (Net, "<X: go, Y: go>;", "P0014", "<X: go, Y: go>", None),
    (Net, "<X: get(v)> -> go if v > 0;", "P0014", "if", Some("<X: get(v)> -> go when v > 0;")),
    (Net, "<X: get(v)> -> go do v := 1;", "P0014", "do", None),
    (Net, "<X: get(i)> -> go for i: 0..3;", "P0014", ":", None),
    (Net, "for i in 0..3 { <X: get(i)> -> go; }", "P0014", "for", None),
    (Net, "for i in 0..3 <X: get(i)> -> go;", "P0014", "for", None),
    (Net, "connect both : X.go, Y.go;", "P0014", ",", Some("connect both : X.go Y.go;")),
    (Net, "connect both : X.get(a), Y.put(a);", "P0014", ",", Some("connect both : X.get(a) Y.put(a);")),
    (Net, "sub P[i: 0..N] = if i == 0 then Cell else Other;", "N0205", "Other", None),
    (Net, "sub P[i in 0..N] = Cell;", "P0014", "i in", Some("sub P[i: 0..N] = Cell;")),
    (Net, "sub P[3] = Cell;", "P0014", "3", Some("sub P[i: 0..3] = Cell;")),
    (Net, "sub P: Cell;", "P0014", ":", Some("sub P= Cell;")),
    (Net, "sub P = new Cell();", "P0014", "new", Some("sub P = Cell();")),
    (Net, "priority get > put;", "P0014", ">", Some("priority put < get;")),
    (Net, "priority Z.inner < put;", "P0014", "Z.inner", None),
    (Net, "priority inner < put;", "N0216", "inner", None),
    (Net, "sub R = Rdv(X, Y);", "N0205", "X", Some("sub R = Rdv(Cell, Cell);")),
    (Net, "sub R = Rdv(A: X, B: Y);", "N0205", "X", Some("sub R = Rdv(A: Cell, B: Cell);")),
    // Definitions of connectors and their uses.
    (Net, "connect both : Tell(X.get, Y.put) when x > 0;", "P0014", "when", None),
    (Net, "connect both : Tell(X.get, Y.put) do y := x;", "P0014", "do", None),
    (Net, "connect both : Tell(X, Y.put);", "P0014", "X", None),
    (Net, "connect both : Tell(X.get, Y);", "P0014", "Y", None),
    (Net, "connect both : Tell X.get Y.put;", "P0014", "Tell", None),
    (Net, "connect both : Tell(p: X.get, q: Y.put);", "P0014", "p:", Some("connect both : Tell(X.get, Y.put);")),
    (Net, "connect both : Tell(X.get Y.put);", "P0014", "Y", Some("connect both : Tell(X.get, Y.put);")),
    (Net, "connect Tell(X.get, Y.put);", "P0014", "Tell(X.get, Y.put)", None),
    (Net, "connect both : X.get(v) Y.put(w) down w := v;", "P0014", "down", Some("connect both : X.get(v) Y.put(w) do w := v;")),
    (Net, "connector Tell both(X.get, Y.put);", "P0014", "connector", Some("connect both : Tell(X.get, Y.put);")),
    (Net, "connector Tell both(X.get, Y.put), other(Y.get, X.put);", "P0014", "connector", None),
    (Net, "connector both(X.go, Y.go);", "P0014", "connector", None),
    (Net, "<X: get(v)> -> get(v) for all i in 0..2;", "P0014", "all", Some("<X: get(v)> -> get(v) for i in 0..2;")),
    (Net, "connect both : X.go Y.go for each i in 0..2;", "P0014", "each", Some("connect both : X.go Y.go for i in 0..2;")),
    (Net, "<X: get(v)> -> get(v) foreach i in 0..2;", "P0014", "foreach", Some("<X: get(v)> -> get(v) for i in 0..2;")),
    (Net, "priority go < sync both;", "P0014", "sync", Some("priority go < both;")),
    (Net, "sub W = match N { 0 => Cell, _ => Cell };", "P0014", "match", None),
    (Net, "priority maximal progress;", "P0014", "progress", Some("priority maximal ;")),
    (Net, "priority go:X.get < both;", "P0014", "go:", None),
    (Top, "connector D(s: port, r: port) { define s' r; }", "N0224", "define", None),
    (Top, "connector type D(s: port, r: port) { s' r; }", "P0014", "type", Some("connector D(s: port, r: port) { s' r; }")),
    (Top, "connector D(s: port(x: Int), r: port(y: Int)) { s' r; on s, r down r.y := s.x; }", "P0014", ",", Some("connector D(s: port(x: Int), r: port(y: Int)) { s' r; on s r down r.y := s.x; }")),
    (Top, "connector D(s: port, r: port) { s + r; }", "P0014", "+", Some("connector D(s: port, r: port) { s  r; }")),
    (Top, "connector D(s: port(x: Int), r: port) { s' r; on s r provided (s.x > 0); }", "P0014", "provided", Some("connector D(s: port(x: Int), r: port) { s' r; on s r when (s.x > 0); }")),
    (Top, "connector D(s: port(x: Int), r: port(y: Int)) { s r down { r.y = s.x; } }", "P0014", "{", Some("connector D(s: port(x: Int), r: port(y: Int)) { s r down r.y := s.x; }")),
    (Top, "connector D(s: port(x: Int), r: port(y: Int)) { s' r; on s r down { r.y = s.x; }; on s; }", "P0014", "{", Some("connector D(s: port(x: Int), r: port(y: Int)) { s' r; on s r down r.y := s.x; on s; }")),
    (Top, "connector D(s: port(x: Int), r: port(y: Int)) { s r do r.y := s.x; }", "P0014", "do", Some("connector D(s: port(x: Int), r: port(y: Int)) { s r down r.y := s.x; }")),
    (Top, "connector D(s: port(x: Int), r: port(y: Int)) { s' r; on s r r.y := s.x; }", "P0014", "r.y", Some("connector D(s: port(x: Int), r: port(y: Int)) { s' r; on s r down r.y := s.x; }")),
    (Top, "connector D(s: port(Int)) { s; }", "P0014", "Int", Some("connector D(s: port(x: Int)) { s; }")),
    (Top, "connector D(s(x: Int), r: port) { s r; }", "P0014", "s", Some("connector D(s: port(x: Int), r: port) { s r; }")),
    (Top, "connector D(s: Int, r: port) { s r; }", "P0014", "Int", Some("connector D(s: port(x: Int), r: port) { s r; }")),
    (Top, "connector D(Sig s, r: port) { s r; }", "P0014", "Sig s", Some("connector D(s: port, r: port) { s r; }")),
    (Top, "connector D(s, r: port) { s r; }", "P0014", "s", Some("connector D(s: port, r: port) { s r; }")),
    (Top, "connector D(s: port, r: port) { s' (r); }", "P0014", "(", Some("connector D(s: port, r: port) { s' [r]; }")),
    (Top, "connector D(s: port, r: port) exports top { s' r; }", "P0014", "exports", Some("connector D(s: port, r: port) shows top { s' r; }")),
    (Top, "connector D(s: port) shows top: port(m: Int) { s up top.m := 1; }", "P0014", ": port", Some("connector D(s: port) shows top(m: Int) { s up top.m := 1; }")),
    (Top, "connector D<n>(r[i: 0..n]: port) { [r[i] for i in 0..n]; }", "P0014", "n", Some("connector D<n: Int>(r[i: 0..n]: port) { [r[i] for i in 0..n]; }")),
    (Top, "connector D<T>(s: port(x: T)) { s; }", "P0014", "T", Some("connector D<T: sort>(s: port(x: T)) { s; }")),
    (Top, "connector D<n: Int>(r[n]: port) { [r[i] for i in 0..n]; }", "P0014", "n", Some("connector D<n: Int>(r[i: 0..n]: port) { [r[i] for i in 0..n]; }")),
    (Top, "connector D<n: Int>(r[0..n]: port) { [r[i] for i in 0..n]; }", "P0014", "0..n", Some("connector D<n: Int>(r[i: 0..n]: port) { [r[i] for i in 0..n]; }")),
    (Top, "connector D<n: Int>(r[i: 0..n]: port) { r[i] for i in 0..n; }", "P0014", "for", None),
    // All members at once.
    (Net, "<F[*]: go> -> go;", "P0014", "[*]", None),
    (Net, "sub F[i: 0..2, j: 0..2] = Cell;", "P0014", ", j: 0..2", None),
    (Net, "<F[i, j]: go> -> go for i in 0..2, j in 0..2;", "P0014", ", j", None),
    (Net, "sub F[0] = Cell;", "P0014", "0", None),
    (Net, "sub F[0..2] = Cell; <F[i]: go> -> go for i in 0..2;", "P0014", "0..2", Some("sub F[i: 0..2] = Cell; <F[i]: go> -> go for i in 0..2;")),
    (Net, "<[X: go] for i in 0..2> -> go;", "P0014", "[X: go]", None),
    (Net, "<[X: go, Y: go for i in 0..2]> -> go;", "P0014", "[X: go, Y: go for i in 0..2]", None),
    (Net, "<X: get(v)> -> get(v) for i in N;", "P0014", "N", Some("<X: get(v)> -> get(v) for i in 0..N;")),
    (Net, "<X: go> -> go unless go;", "P0014", "go", None),
    (Net, "<X: go, [Y: go for i in 0..1 when Z.x > 0]> -> go;", "W0109", "Z", None),
    (Net, "connect both : X.go' [Y.go, Z.inner];", "P0014", ",", Some("connect both : X.go' [Y.go Z.inner];")),
    (Net, "connect both : (X.go Y.go);", "P0014", "(", Some("connect both : [X.go Y.go];")),
    (Net, "connect X.go Y.go;", "P0014", "X", None),
    (Net, "connect both : X.go' Y.go; priority both[X.go, Y.go] < get;", "P0014", ",", Some("connect both : X.go' Y.go; priority both[X.go Y.go] < get;")),
    (Process, "priority go > get;", "P0014", ">", Some("priority get < go;")),
    (Process, "priority maximal;", "P0014", "maximal", None),
    (Top, "connector D(s: port(x: Int), r: port) { s r provided s.x > 0; }", "P0014", "provided", Some("connector D(s: port(x: Int), r: port) { s r when s.x > 0; }")),
    // Sorts as parameters.
    (Top, "data Row<T: sort> { End, More(head: T, tail: Row<T>) }", "P0014", ": sort", Some("data Row<T> { End, More(head: T, tail: Row<T>) }")),
    (Top, "data Row<T, n: Int> { End(head: T) }", "P0014", ": Int", None),
    (Top, "action held(Int); process Holder<T, put: Action(T)> { var x: T; init state s; s -> s : put(x); } net Held = Holder<Int, held>;", "P0014", "T", Some("action held(Int); process Holder<T: sort, put: Action(T)> { var x: T; init state s; s -> s : put(x); } net Held = Holder<Int, held>;")),
    (Top, "fun same<T: sort>(x: T): T = x;", "P0014", ": sort", Some("fun same<T>(x: T): T = x;")),
    (Top, "fun same(x: T): Int = 1;", "N0201", "T", None),
    (Top, "data Box<T> { Box(inner: T) } fun open(b: Box[Msg]): Msg = b.inner;", "P0014", "Box[Msg]", Some("data Box<T> { Box(inner: T) } fun open(b: Box<Msg>): Msg = b.inner;")),
    // Names.
    (Top, "action `a.b`;", "L0003", "`a.b`", None),
    (Top, "action when; process Odd { init state s; s -> s : `when`; }", "P0006", "when", Some("action `when`; process Odd { init state s; s -> s : `when`; }")),
    // Architectures.
    (Rule, "new w = Cell;", "P0014", "new", Some("sub w = Cell;")),
    (Rule, "new w: Cell;", "P0014", "new", Some("sub w= Cell;")),
    (Rule, "w = Cell;", "P0014", "w", Some("sub w = Cell;")),
    (Rule, "w : Cell;", "P0014", "w", Some("sub w = Cell;")),
    (Rule, "sub w[i: 0..3] = Cell;", "P0014", "[i: 0..3]", None),
    (Rule, "sub w = Cells(y);", "N0205", "Cells", None),
    (Rule, "component w = Cell;", "P0013", "component", Some("sub w = Cell;")),
    (Rule, "fresh w; sub w = Cell;", "P0013", "fresh", Some("new w; sub w = Cell;")),
    (Rule, "neverr x in s;", "P0013", "neverr", Some("never x in s;")),
    (Rule, "never x == y;", "T0154", "x == y", None),
    (Rule, "never x in r;", "N0207", "r", None),
    (Rule, "never w in s;", "N0221", "w", None),
    (Rule, "<x.go, y.go> -> go;", "P0014", ".", Some("<x: go, y: go> -> go;")),
    (Rule, "init state s;", "P0008", "init", None),
    (Rules, "rule Other { sub x = Cell; }", "P0014", "Other", Some("rule Other() { sub x = Cell; }")),
    (Rules, "rule Other(x: Cell) { sub x = Cell; }", "P0014", ": Cell", Some("rule Other(x) { sub x = Cell; }")),
    (Rules, "rule Other<x> { sub x = Cell; }", "P0014", "<", Some("rule Other(x) { sub x = Cell; }")),
    (Rules, "rule Other(x) { call Cells(x); }", "P0014", "call", Some("rule Other(x) {  Cells(x); }")),
    (Rules, "Other(x) { sub x = Cell; }", "P0001", "Other", None),
    (Rules, "rul Other(x) { sub x = Cell; }", "P0013", "rul", Some("rule Other(x) { sub x = Cell; }")),
    (Rules, "rule Other(x) { sub x = Cell }", "P0002", "", None),
    (Rules, "sub x = Cell;", "P0008", "sub", None),
    (Rules, "Cells(x);", "P0008", "Cells", None),
    (Net, "new w;", "P0008", "new", None),
    (Net, "never X in t;", "P0008", "never", None),
    (Top, "architecture L<n: Int> { rule L() { sub x = Cell; } }", "P0014", "<n: Int>", Some("architecture L { rule L() { sub x = Cell; } }")),
    (Top, "rule L(x) { sub x = Cell; }", "P0008", "rule", None),
    (Top, "archtecture L { rule L() { sub x = Cell; } }", "P0013", "archtecture", Some("architecture L { rule L() { sub x = Cell; } }")),
    // Where guards, actions and assignments stand.
    (Process, "[x < 3] s -> s : go;", "P0014", "[x < 3]", Some("s -> s : go when x < 3;")),
    (Process, "[x < 3] s -> s : put(?v) do x := v;", "P0014", "[x < 3]", Some("s -> s : put(?v) when x < 3 do x := v;")),
    (Process, "s -> s : [x < 3] go;", "P0014", "[x < 3]", Some("s -> s : go when x < 3;")),
    (Process, "s -> s : [x < 3] get(x) do x := 1;", "P0014", "[x < 3]", Some("s -> s : get(x) when x < 3 do x := 1;")),
    (Process, "s -> s : when x < 3 : go;", "P0014", "when", Some("s -> s : go when x < 3;")),
    (Process, "s -> s : go [x < 3];", "T0105", "x < 3", Some("s -> s : go when x < 3;")),
    (Process, "s -> s : put(?v) [v < 3] do x := v;", "T0105", "v < 3", Some("s -> s : put(?v) when v < 3 do x := v;")),
    (Net, "<X: get(v)> -> go [v < 3];", "T0105", "v < 3", Some("<X: get(v)> -> go when v < 3;")),
    (Process, "s -> s : go / x := 1;", "P0014", "/", Some("s -> s : go do x := 1;")),
    (Process, "s -> s : go when x > 1 / x := 1;", "P0014", "/", Some("s -> s : go when x > 1 do x := 1;")),
    (Process, "s -[go]-> t;", "P0014", "-[go]->", Some("s -> t : go;")),
    (Process, "s -[get(x)]-> t;", "P0014", "-[get(x)]->", Some("s -> t : get(x);")),
    (Process, "s -> go -> t;", "P0014", "go", Some("s -> t : go;")),
    (Process, "s -> get(x) -> t when x > 1;", "P0014", "get(x)", Some("s -> t : get(x) when x > 1;")),
    (Process, "s -> t;", "P0014", "s -> t", Some("s -> t : tau;")),
    (Process, "s -> t do x := 1;", "P0014", "s -> t", Some("s -> t : tau do x := 1;")),
    (Process, "go;", "P0014", "go", None),
    (Process, "s -> s : tau(3);", "P0014", "(3)", Some("s -> s : tau;")),
    (Process, "s -> s : sum d: Int . put(d);", "P0014", "sum", Some("s -> s : put(?d);")),
    (Process, "s -> s : sum d: Int . put(d) do x := d;", "P0014", "sum", Some("s -> s : put(?d) do x := d;")),
    (Process, "var u, w: Int = 0; s -> s : get(u + w);", "P0014", ",", Some("var u: Int = 0; var w: Int = 0; s -> s : get(u + w);")),
    (Process, "var y: [4]Int;", "P0014", "[4]Int", Some("var y: [0..4]Int;")),
    (Process, "var y: [0..3]Int = [0, 0, 0];", "P0014", "[0, 0, 0]", Some("var y: [0..3]Int = [_]Int(0);")),
    (Process, "var y: [0..3]Int = [1, 2, 1];", "P0014", "[1, 2, 1]", None),
    (Process, "invariant x < 3;", "P0014", "invariant", None),
    (Process, "port p;", "P0014", "port", None),
    (Process, "s -> s : go when x # 3;", "P0012", "#", Some("s -> s : go when x != 3;")),
    (Process, "s -> s : go; # x is not 3;", "L0001", "#", Some("s -> s : go; // x is not 3;")),
    (Process, "s -> s : go when x \\in 0..3;", "P0014", "\\in", Some("s -> s : go when 0 <= x and x < 3;")),
    (Process, "s -> s : go when \\A i: Int . free[i];", "P0012", "\\A", Some("s -> s : go when forall i: Int . free[i];")),
    (Process, "s -> s : go when exists i \\in 0..3 . free[i];", "P0014", "\\in", Some("s -> s : go when exists i: 0..3 . free[i];")),
    (Process, "s -> s : go when ready \\land x > 3;", "P0012", "\\land", Some("s -> s : go when ready and x > 3;")),
    (Net, "<X: go> when N > 2 -> go;", "P0014", "when", Some("<X: go> -> go when N > 2;")),
    (Net, "<X: get(v)> -> get(v) for i in 0..2 when v > i;", "P0014", "for", Some("<X: get(v)> -> get(v) when v > i for i in 0..2;")),
    (Net, "X: go, Y: go -> go;", "P0014", "X", Some("<X: go, Y: go> -> go;")),
    (Net, "X || Y;", "P0014", "||", None),
    (Net, "comm put|get -> go;", "P0014", "comm", None),
    (Net, "hide go;", "P0014", "hide", None),
    (Net, "allow { go };", "P0014", "allow", None),
    (Net, "connect both = X.go Y.go;", "P0014", "=", Some("connect both : X.go Y.go;")),
    (Net, "connect both : X:go Y:go;", "P0014", ":", Some("connect both : X.go Y.go;")),
    (Net, "connect both : X.get(v) Y.put(w) do Y.x := X.x;", "P0014", "Y.x", None),
    (Net, "port p;", "P0014", "port", None),
    (Top, "sort Color = struct Red | Green;", "P0014", "=", Some("enum Color { Red, Green }")),
 (Top, "sort Msg2 = struct Ping ? is_ping | Data2(seq2: Int) ? is_data;", "P0014", "=", Some("data Msg2 { Ping, Data2(seq2: Int) }")),
    (Top, "sort Bit = 0..2;", "P0014", "=", None),
    (Top, "proc A { init state s; s -> s : go; }", "P0013", "proc", Some("process A { init state s; s -> s : go; }")),
    (Top, "proc A = go . A;", "P0014", "proc", None),
    (Top, "invariant N < 3;", "P0014", "invariant", None),
    (Top, "invariant I of Two = X in s;", "P0014", "=", Some("invariant I of Two { X in s; }")),
    (Top, "invariant I of Two: X in s;", "P0014", ":", Some("invariant I of Two { X in s; }")),
    (Top, "invariant I of Two = { X in s; }", "P0014", "=", Some("invariant I of Two { X in s; }")),
    (Top, "invariant I = X in s;", "P0014", "invariant", None),
    (Top, "check Two refines Two;", "P0014", "refines", Some("check refines(Two, Two);")),
    (Top, "check deadlock_free Two;", "P0014", "Two", Some("check deadlock_free(Two);")),
    // Data that is sent and received.
    (Net, "<X: get(?v), Y: put(?v)> -> go;", "T0127", "?v", Some("<X: get(v), Y: put(v)> -> go;")),
    (Net, "<X: get(?v)> -> get(?v) when ?v > 1;", "T0127", "?v", Some("<X: get(v)> -> get(v) when v > 1;")),
    (Net, "<X: ?a> -> ?a when a is not go;", "T0127", "?a", Some("<X: ?a> -> a when a is not go;")),
    (Net, "connect both : X.get(?v) Y.put(?w) do w := v;", "T0127", "?v", Some("connect both : X.get(v) Y.put(w) do w := v;")),
    (Net, "<X: get(v)> -> put;", "N0204", "put", Some("<X: get(v)> -> put(v);")),
    (Net, "<X: put(v), Y: get(w)> -> get when v > w;", "N0204", "get", Some("<X: put(v), Y: get(w)> -> get(v) when v > w;")),
    (Net, "connect put : X.get(v) Y.put(w) do w := v;", "N0204", "put", Some("connect put(v) : X.get(v) Y.put(w) do w := v;")),
    (Process, "s -> s : put(v) do x := v;", "N0202", "v", Some("s -> s : put(?v) do x := v;")),
    (Process, "s -> s : put(v) when v > x do x := v + 1;", "N0202", "v", Some("s -> s : put(?v) when v > x do x := v + 1;")),
    (Process, "s -> s : put(?x) when x > 1;", "W0104", "x", None),
    // Declarations and checks.
    (Top, "record Pair { a: Int, b: Bool }", "P0014", "record", Some("data Pair { Pair(a: Int, b: Bool) }")),
    (Top, "struct Pair { a: Int; b: Bool; }; fun first(p: Pair): Int = p.a;", "P0014", "struct", Some("data Pair { Pair(a: Int, b: Bool) } fun first(p: Pair): Int = p.a;")),
    (Top, "data Pair { a: Int, b: Bool }", "P0014", "a", Some("data Pair { Pair(a: Int, b: Bool) }")),
    (Top, "data Pair { Both { a: Int } }", "P0014", "{", Some("data Pair { Both(a: Int) }")),
    (Top, "data Pair { Both(Int, Bool) }", "P0014", "Int", None),
    (Top, "data Color = Red | Green | Blue;", "P0014", "=", Some("data Color { Red, Green, Blue }")),
    (Top, "enum Color = { Red, Green };", "P0014", "=", Some("enum Color { Red, Green }")),
    (Top, "enum Color { Red | Green | Blue }", "P0014", "|", Some("enum Color { Red , Green , Blue }")),
    (Top, "enum Color { Red; Green; }", "P0014", ";", Some("enum Color { Red, Green, }")),
    (Top, "type Index = Int;", "P0014", "type", None),
    (Top, "chan c = [2] of { int };", "P0014", "chan", None),
    (Top, "map f: Nat -> Nat;", "P0014", "map", None),
    (Top, "eqn f(x) = x + 1;", "P0014", "eqn", None),
    (Top, "fun f(x: Int) -> Int = x;", "P0014", "->", Some("fun f(x: Int): Int = x;")),
    (Top, "fun f(x: Int): Int { x }", "P0014", "{", Some("fun f(x: Int): Int = x;")),
    (Top, "fn f(x: Int): Int = x;", "P0013", "fn", Some("fun f(x: Int): Int = x;")),
    (Top, "import std::lotos;", "P0014", "::", Some("import std.lotos;")),
    (Top, "process A<cap> { init state s; s -> s : get(cap); }", "P0014", "cap", Some("process A<cap: Int> { init state s; s -> s : get(cap); }")),
    (Top, "process A<cap: Int, more> { init state s; s -> s : get(cap + more); }", "P0014", "more", Some("process A<cap: Int, more: Int> { init state s; s -> s : get(cap + more); }")),
    (Top, "net A(P) { <P: go> -> go; }", "P0014", "P", Some("net A(P: any) { <P: go> -> go; }")),
    (Top, "net A<n>(P: any) { <P: get(n)> -> go; }", "P0014", "n", Some("net A<n: Int>(P: any) { <P: get(n)> -> go; }")),
    (Top, "const M = 3;", "P0014", "M", Some("const M: Int = 3;")),
    (Top, "action up(n: Int, b: Bool);", "P0014", "n:", Some("action up(Int, Bool);")),
    (Top, "action up : Int;", "P0014", ":", Some("action up(Int);")),
    (Top, "process A(n: Int) { init state s; s -> s : get(n); }", "P0014", "(", Some("process A<n: Int> { init state s; s -> s : get(n); }")),
    (Top, "process A { state s; s -> s : go; }", "W0101", "A", None),
    (Top, "process A { init s; s -> s : go; }", "P0014", "init s", Some("process A { init state s; s -> s : go; }")),
    (Top, "process A { initial s; s -> s : go; }", "P0014", "initial s", Some("process A { init state s; s -> s : go; }")),
    (Top, "process A { final init s; s -> s : go; }", "P0014", "final init s", Some("process A { final init state s; s -> s : go; }")),
    (Top, "process A { state s; initial to s; s -> s : go; }", "P0014", "initial to", None),
    (Top, "process A { var x: Int; state s; initial to s do x := 1; s -> s : get(x); }", "P0014", "initial to", None),
    (Top, "active proctype A { init state s; s -> s : go; }", "P0013", "active proctype", Some("process A { init state s; s -> s : go; }")),
    (Top, "action tau;", "P0014", "tau", Some("")),
    (Top, "action tau, up; process A { init state s; s -> s : up; }", "P0014", "tau", Some("action up; process A { init state s; s -> s : up; }")),
    (Top, "action up, tau; process A { init state s; s -> s : up; }", "P0014", "tau", Some("action up; process A { init state s; s -> s : up; }")),
    (Top, "interface I { go, tau } net A(P: I) { <P: go> -> go; <P: tau> -> tau; }", "P0014", "tau", Some("interface I { go } net A(P: I) { <P: go> -> go; <P: tau> -> tau; }")),
    (Top, "interface I { action go; }", "P0014", "action", Some("interface I { go }")),
    (Top, "interface I { action go; action get(Int); } net A(P: I) { <P: go> -> go; <P: tau> -> tau; <P: get(_)> -> tau; }", "P0014", "action", Some("interface I { go, get(Int) } net A(P: I) { <P: go> -> go; <P: tau> -> tau; <P: get(_)> -> tau; }")),
    (Top, "interface I { go; both }", "P0014", ";", Some("interface I { go, both }")),
    (Top, "process A { state init s; s -> s : go; }", "P0014", "state init", Some("process A { init state s; s -> s : go; }")),
    (Top, "net Both = Cell || Cell;", "P0014", "||", None),
    (Top, "check Two == Two;", "P0014", "==", Some("check bisimilar(Two, Two);")),
    (Top, "check eventually(Two, R in got);", "N0212", "eventually", None),
    (Top, "check leads_to(Two, X in s, X in t);", "N0212", "leads_to", None),
    (Top, "check ltl(Two, [] go);", "N0212", "ltl", None),
    (Top, "check forbidden(Two, X in t);", "N0212", "forbidden", Some("check never(Two, X in t);")),
    (Top, "check globally(Two, X in t);", "N0212", "globally", Some("check always(Two, X in t);")),
    (Top, "check safe(Two, X in t);", "N0212", "safe", Some("check always(Two, X in t);")),
];

fn model(place: Place, text: &str) -> String {
    let put = |wanted: &str| match (place, wanted) {
        (Process, "process") | (Net, "net") | (Top, "top") => text.to_owned(),
        (Rule, "rule") | (Rules, "rules") => text.to_owned(),
        _ => String::new(),
    };
    format!(
        "action get(Int), put(Int), go, both, inner;
const N: Int = 3;
data Msg {{ Pkt(seq: Int) }}

process Cell {{
    var x: Int = 0;
    var ready: Bool = true;
    var free: [Int]Bool = [_]Bool(true);
    var grid: [Int][Int]Int;
    var m: Msg;
    init state s;
    state t;

    s -> t : put(?v) when free[v] and grid[v][v] > m.seq do x := v, m := m;
    t -> s : get(x) when ready do x := 0;
    s -> s : go;
    {}
}}

architecture Line {{
    rule Line() {{ new x; Cells(x); }}
    rule Cells(x) {{ new y; sub x = Cell; <x: go, y: go> -> go; {} Cells(y); }}
    rule Cells(x) {{ sub x = Cell; <x: go> -> go; }}
    {}
}}

connector Tell(p: port(x: Int), q: port(y: Int)) {{
    p' q down q.y := p.x;
}}

net Rdv(A: any, B: any) {{
    <A: get(v), B: put(v)> -> go;
}}

net Inside {{
    sub C = Cell;

    connect inner : C.go;
}}

net Two {{
    sub X = Cell;
    sub Y = Cell;
    sub Z = Inside;

    <X: put(v)>            -> put(v);
    <X: get(v), Y: put(v)> -> go;
    <Y: get(v)>            -> get(v);
    <X: go, Y: go, Z: inner> -> both;
    {}
}}

{}
",
        put("process"),
        put("rule"),
        put("rules"),
        put("net"),
        put("top")
    )
}

fn errors(checked: &pnetc::model::Checked) -> Vec<&Diagnostic> {
    checked.diagnostics.iter().filter(|one| one.severity == Severity::Error).collect()
}

/// The text with the edits of the first suggestion.
fn mended(checked: &pnetc::model::Checked, found: &Diagnostic) -> Option<String> {
    let file = checked.sources.file_of(found.span())?;
    let mut edits = found.suggestions.first()?.edits.clone();
    edits.sort_by_key(|edit| edit.span.start);
    let mut text = file.text().to_string();
    for edit in edits.iter().rev() {
        text.replace_range(file.range(edit.span), &edit.text);
    }
    Some(text)
}

/// What is wrong with what is said about a mistake.
fn complaint((place, wrong, code, underlined, right): &Mistake) -> Option<String> {
    let text = model(*place, wrong);
    let checked = check_text(text.as_str());
    let found = errors(&checked);
    let [only] = found.as_slice() else {
        let said: Vec<String> =
            found.iter().map(|one| format!("{} {}", one.entry.code, one.message)).collect();
        return Some(format!("{} errors: {said:?}", found.len()));
    };
    let file = checked.sources.file_of(only.span()).unwrap();
    let at = &text[file.range(only.span())];
    if only.entry.code != *code || at != *underlined {
        return Some(format!("{} at `{at}`: {}", only.entry.code, only.message));
    }
    let right = (*right)?;
    let Some(new) = mended(&checked, only) else { return Some("no edit".to_owned()) };
    if new != model(*place, right) {
        let line = new.lines().find(|line| !text.contains(*line)).unwrap_or_default();
        return Some(format!("mended to `{line}`"));
    }
    None
}

#[test]
fn one_mistake_makes_one_message() {
    let complaints: Vec<String> = MISTAKES
        .iter()
        .filter_map(|mistake| Some(format!("`{}`: {}", mistake.1, complaint(mistake)?)))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What the edits make of a mistake is right.
#[test]
fn what_is_mended_has_no_errors() {
    let mut complaints = Vec::new();
    for (place, _, _, _, right) in MISTAKES {
        let Some(right) = right else { continue };
        let checked = check_text(model(*place, right).as_str());
        let said = errors(&checked).into_iter().map(|one| format!("`{right}`: {}", one.message));
        complaints.extend(said);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
