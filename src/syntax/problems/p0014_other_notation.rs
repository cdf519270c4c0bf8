//! `P0014`: notation of another language.

use crate::diagnostics::{Diagnostic, Edit, Entry, Severity, Span, Suggestion};

/// Something that is written differently here, or not at all.
#[derive(Clone, Debug)]
pub struct OtherNotation {
    /// The smallest text that is written in the manner of another language.
    pub span: Span,
    /// That text.
    pub found: String,
    /// Which habit this is.
    pub habit: Habit,
    /// What to write, where that is known: the text to show, and the edits that put it there.
    pub meant: Option<(String, Vec<(Span, String)>)>,
}

/// How other languages write things that are written differently here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Habit {
    /// `free[k] := false` in a connector
    ElementAssigned,
    /// `x *= 2`, `x++`
    OperatorAssigned,
    /// `x, y := 1, 2`
    AssignedTogether,
    /// `x' = x + 1`
    Primed,
    /// `do skip`
    Skip,
    /// `{ x := 1; y := 2 }` without `do`
    BracedAssignments,
    /// `do x := 1; y := 2;`
    AssignmentAlone,
    /// `get(1) if true`
    Guard,
    /// `go then x := 1`
    Effect,
    /// `do x := 1 when x > 0`
    GuardLast,
    /// `forall i in 0..3 . p`
    QuantifiedIn,
    /// `forall i: Int : p`
    QuantifierEnd,
    /// `x <> 2`, `a <=> b`
    Comparison,
    /// `a -> b` for an implication
    Implication,
    /// `c ? a : b`
    Conditional,
    /// `if c then a`
    NoElse,
    /// `elif`
    ElseIf,
    /// `x in 0..3`
    InRange,
    /// `0..=3`
    Inclusive,
    /// `put!x`, `get?x`
    Channel,
    /// `transition s -> t : go`, `on go from s to t`
    Transition,
    /// `s => t : go`
    Arrow,
    /// `init s;`, `state init s;`
    InitialState,
    /// `int x = 0;`
    SortFirst,
    /// `var x = 0;`
    NoSort,
    /// `net Both(P, Q)`
    NoHoleSort,
    /// `Map<Int, V>`, `Int[3]`
    ArraySort,
    /// `record Msg { … }`, `data Msg { seq: Int }`
    Record,
    /// `data Color = Red | Green`
    Alternatives,
    /// `Pkt(Int)`
    FieldWithoutName,
    /// `type Index = Int;`
    SortName,
    /// `chan c = [2] of { int };`
    Buffer,
    /// `import std::lotos;`
    Path,
    /// `process A(n: Int)`
    Parameters,
    /// `fun f(x: Int) -> Int`
    FunctionResult,
    /// `fun f(x: Int): Int { x }`
    FunctionBody,
    /// `action up(n: Int)`
    ActionArgument,
    /// `<X: go | Y: go>`
    Separator,
    /// `net S = A || B;`
    Parallel,
    /// `(X: go, Y: go) -> go`
    VectorBrackets,
    /// `<X.go, Y.go>`
    Member,
    /// `<X: go>;`
    NoResult,
    /// `<X: go> -> go do x := 1`
    VectorAssigns,
    /// `for i in 0..3 <X: go> -> go;`
    RepeatFirst,
    /// `<S[i]: a> -> a for i in 0..n when g`
    RepeatEarly,
    /// `<X: go> -> go for i: 0..3;`
    Repeat,
    /// `sub P = new A()`
    New,
    /// `connect go : X.a, Y.b`
    Ports,
    /// `sub P[i: 0..n] = match i { 0 => A, _ => B }`
    ChosenComponent,
    /// `sub P[3] = A`, `sub P[i in 0..3] = A`
    FamilyIndex,
    /// `sub P: A`
    SubNet,
    /// `package Bank … end`
    Package,
    /// `map f: Nat -> Nat; eqn f(x) = x;`
    Equations,
    /// `priority go < sync halt`
    SyncPriority,
    /// `connector Cast say(A.p, B.q);` in a net
    UseInNet,
    /// `priority get(_) < put(_)`
    PriorityArguments,
    /// `priority P.go < halt`
    InnerPriority,
    /// `priority go > halt`
    PriorityReversed,
    /// `check A == B`
    CheckOperator,
    /// `check size(S) == 3`
    OneNumber,
    /// `var x: Int in 0..3`
    SortInRange,
    /// `|x|`
    AbsoluteValue,
    /// `action tau;`
    SilentDeclared,
    /// `interface I { action a; }`
    ListedAction,
    /// `initial to s do x := 0;`
    InitialStep,
    /// `s -> t : [x < 3] go`
    GuardFirst,
    /// `s -> t;`
    NoAction,
    /// `tau(3)`
    SilentData,
    /// `sum d: Int . put(d)`
    Sum,
    /// `var u, v: Int;`
    SeveralVariables,
    /// `[0, 0, 0]`
    ArrayLiteral,
    /// `<X: go> when g -> go`
    GuardBeforeResult,
    /// `hide a;`, `comm a|b -> c;`
    NetOperator,
    /// `connect go = X.a Y.b`
    ConnectorSign,
    /// `connect go : X:a Y:b`
    Port,
    /// `connect go : X.a Y.b do Y.y := X.x`
    PortData,
    /// `port p;` in a block
    InnerAction,
    /// `invariant x < 3;`
    Invariant,
    /// `invariant I for S { … }`, `invariant I(S) { … }`
    InvariantOf,
    /// `invariant of S { … }`
    InvariantName,
    /// `invariant I { … }`
    InvariantNet,
    /// `invariant I of S = e;`
    InvariantBlock,
    /// `invariant I<n: Int> of S<n> { … }`
    InvariantParameters,
    /// `assert x < 3;` in an invariant
    ConditionWord,
    /// `x < 3, y < 4;` in an invariant
    ConditionEnd,
    /// `proc P = a . P;`
    ProcessTerm,
    /// `check deadlock_free S`
    CheckBrackets,
    /// `scenario s for Ring5 { … }`
    ScenarioOf,
    /// `...;` in a scenario
    Gap,
    /// `assert n > 0;` in a scenario
    Demand,
    /// `pass(0), pass(1);` in a scenario
    StepEnd,
    /// `on p, q;`, `p + q;` in a definition of connectors
    JointSign,
    /// `p (q r);` in a definition
    JointGroup,
    /// `r[i] for i in 0..n;` in a definition
    JointRepeat,
    /// `down { q.y = p.x; }`
    JointBraces,
    /// `on p q q.y := p.x;`
    NoDown,
    /// `on p q do q.y := p.x;`
    DefinitionMoves,
    /// `connector type C(…)`
    ConnectorType,
    /// `exports top`, `shows top: port`
    ShownPort,
    /// `connector C(p, q: Int, Sig r)`
    FormalPort,
    /// `p: port(Int)`
    PortVariable,
    /// `r[n]: port`
    PortFamily,
    /// `connect C(A.p, B.q);`
    UseName,
    /// `connect c : C A.p B.q;`
    UsePorts,
    /// `connect c : C(A.p) when g;`
    UseClause,
    /// `connect c : C(A, B);`
    PartAsPort,
    /// `connect c : C(p: A.p, q: B.q);`
    NamedPort,
    /// `connect c : C(A.p B.q);`
    UseComma,
    /// `priority maximal progress;`
    MaximalProgress,
    /// `priority low:A.a < high:*;`
    PriorityPorts,
    /// `architecture Ring<n: Int> { … }`
    ArchitectureParameters,
    /// `rule Chain { … }`, `rule Chain<x> { … }`
    RuleParameters,
    /// `rule Chain(x: Station) { … }`
    SortOfName,
    /// `new x = Station;`
    NewComponent,
    /// `sub x[i: 0..n] = Station;` in a rule
    FamilyInRule,
    /// `use Chain(x, y);`
    UseOfRule,
    /// `x = Station;` in a rule
    SubInRule,
    /// `S[*]`
    AllMembers,
    /// `sub S[i: 0..n, j: 0..m] = P;`
    TwoIndices,
    /// `sub S[0] = P;`
    OneMember,
    /// `<[S[i]: a, T[i]: b for i in 0..n]> -> a;`
    SingleMember,
    /// `<X: a> -> a unless b;`
    UnlessVector,
    /// `connect A.p B.q;`
    ConnectName,
    /// `priority maximal;` in a process
    MaximalInside,
    /// `List[Int]`
    SortBrackets,
    /// `data List<T: sort> { … }`
    SortParameter,
}

impl Habit {
    /// What is wrong, what is said at the place, and what to do.
    fn words(self, found: &str) -> (String, &'static str, &'static str) {
        let (message, label, note) = self.said();
        (message.replace("{}", found), label, note)
    }

    #[rustfmt::skip]
    fn said(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Habit::ElementAssigned => ("an element of an array cannot be assigned by itself", "not a variable", "assign the whole array with this element changed: `a := a[i := v]`"),
            Habit::OperatorAssigned => ("`{}` is no assignment here", "expected `:=`", "a variable gets its new value with `:=`, as in `x := x * 2`; there are also `+=` and `-=`"),
            Habit::AssignedTogether => ("each variable has an assignment of its own", "several variables", "write `x := 1, y := 2`; all of them happen at once"),
            Habit::Primed => ("`{}` does not stand for the value after the step", "no mark is needed", "values after the step are given by `do x := …`, and every right-hand side sees those before it"),
            Habit::Skip => ("`{}` is no assignment", "expected `x := …`", "leave out the `do` where nothing is assigned"),
            Habit::BracedAssignments => ("assignments follow `do`", "expected `do`", "write `do { x := 1; y := 2 }` for one after the other, and `do x := 1, y := 2` for all at once"),
            Habit::AssignmentAlone => ("an assignment cannot stand alone", "belongs to a transition", "the assignments of a transition follow its `do`, with commas between them"),
            Habit::Guard => ("`{}` does not start a guard", "expected `when`", "a guard is written with `when`, after the action: `s -> t : a when x > 0`"),
            Habit::Effect => ("`{}` does not start assignments", "expected `do`", "assignments are written with `do`, after the guard: `s -> t : a do x := 1`"),
            Habit::GuardLast => ("the guard stands before the assignments", "comes too late", "write `when …` first and then `do …`"),
            Habit::QuantifiedIn => ("a range stands after `:`, and `in` before a family", "expected `:`", "a quantifier is written `forall i: 0..3 . p`, or `forall x in P . p` for the members of a family"),
            Habit::QuantifierEnd => ("`{}` does not end the variables of a quantifier", "expected ` . `", "a quantifier is written `forall i: 0..3 . p`, with white space around the `.`"),
            Habit::Comparison => ("`{}` is not an operator here", "not part of the language", "values are compared with `==`, `!=`, `<`, `<=`, `>` and `>=`, also those of sort `Bool`"),
            Habit::Implication => ("`{}` does not mean an implication", "expected `=>`", "`a => b` is the implication, and `->` leads from state to state"),
            Habit::Conditional => ("there is no `? :` here", "not an operator", "write `if c then a else b`"),
            Habit::NoElse => ("this `if` has no `else`", "needs a value where the condition is false", "an `if` is an expression, and has a value in both cases: `if c then a else b`"),
            Habit::ElseIf => ("`{}` is not part of an `if`", "expected `else if`", "write `if c then a else if d then b else e`"),
            Habit::InRange => ("`in` tests actions, and not numbers", "a range is a sort, not a set", "compare with both bounds: `0 <= x and x < 3`"),
            Habit::Inclusive => ("`{}` is not a range here", "expected `..`", "ranges are half open: `0..4` has the values 0 to 3"),
            Habit::Channel => ("`{}` is no part of an action", "data stands in parentheses", "a component offers data with `a(e)`, and takes it with `a(?x)`"),
            Habit::Transition => ("this is not how a transition is written", "expected `source -> target : action`", "a transition reads `s -> t : a when guard do assignments;`"),
            Habit::Arrow => ("`{}` is not an arrow here", "expected `->`", "transitions and vectors are written with `->`"),
            Habit::InitialState => ("this is not how an initial state is written", "expected `init state`", "a state is declared with `state`, and the initial one with `init state`"),
            Habit::SortFirst => ("the sort of a variable stands after its name", "expected `var`", "a variable is declared with `var x: Int = 0;`"),
            Habit::NoHoleSort => ("what may fill the hole `{}` is missing", "expected `:` and `any` or an interface after it", "a hole takes anything, `P: any`, or what has an interface: `P: Network`"),
            Habit::NoSort => ("the sort of `{}` is missing", "expected `:` and a sort after it", "the sort of what is declared is always written: `x: Int = 0`"),
            Habit::ArraySort => ("`{}` is not a sort", "expected `[K]V`", "the sort of arrays, maps and sets is `[K]V`: a `V` for each `K`; a set is `[K]Bool`"),
            Habit::Record => ("a record is a datatype with one constructor", "expected a constructor", "write `data Msg { Msg(seq: Int) }`; a field is then read with `m.seq`"),
            Habit::Alternatives => ("the alternatives of a datatype stand in braces", "expected `{`", "write `enum Color { Red, Green }`, or `data` if they carry values"),
            Habit::FieldWithoutName => ("a field has a name", "expected `name: Sort`", "write a name before each sort, as in `Pkt(seq: Int)`; a field is then read with `m.seq`"),
            Habit::SortName => ("a sort cannot be given another name", "no declaration starts like this", "use the sort itself, or declare a new one with `sort`, `enum` or `data`"),
            Habit::Buffer => ("there are no channels with buffers", "no declaration starts like this", "declare an `action` to synchronise on; a buffer is a process of its own, such as `Fifo<2>` of `std.buffers`"),
            Habit::Path => ("`{}` does not join names", "expected `.`", "a module of the library is named with dots: `import std.lotos;`"),
            Habit::Parameters => ("parameters stand in angle brackets", "expected `<`", "write `process P<n: Int>`; round brackets are for the holes of nets"),
            Habit::FunctionResult => ("`{}` does not stand before the sort of a result", "expected `:`", "a function is written `fun f(x: Int): Int = x + 1;`"),
            Habit::FunctionBody => ("the body of a function has no braces", "expected `=`", "a function is written `fun f(x: Int): Int = x + 1;`"),
            Habit::ActionArgument => ("the data of an action has sorts only, in parentheses", "no name here", "write `action up(Int);`: names are given where the action is used"),
            Habit::Separator => ("`{}` does not separate the elements of a list", "expected `,`", "the members of a vector, the values of a sort and the actions of an interface are separated by commas"),
            Habit::Parallel => ("there is no operator for parallel composition", "a net says who synchronises with whom", "declare a net with both as sub-nets and a vector for each way to move, or use one that does so, such as `Par` of `std.ccs` or `std.lotos`"),
            Habit::VectorBrackets => ("a vector stands in angle brackets", "expected `<`", "write `<X: a, Y: b> -> c;`"),
            Habit::Member => ("`{}` does not stand between a part and its action", "expected `:`", "the members of a vector are written `X: a`; `X.a` is the port of a connector"),
            Habit::NoResult => ("a vector says what is seen of it from outside", "expected `->` and an action", "add `-> a`, or `-> tau` if nothing is seen"),
            Habit::VectorAssigns => ("a vector assigns nothing", "not part of a vector", "its members assign their variables, in their own transitions; only connectors transfer data with `do`"),
            Habit::RepeatFirst => ("`for` stands after what it repeats", "comes too early", "write `<S[i]: a> -> a for i in 0..n;`, for each vector or connector"),
            Habit::RepeatEarly => ("`for` stands at the end", "comes too early", "a vector reads `<S[i]: a(x)> -> b(x) when guard for i in 0..n;`, and a connector has its `for` at the end, too"),
            Habit::Repeat => ("`{}` does not give the index of what is repeated", "not how it is written", "a vector or connector is repeated with `for i in 0..n` after it"),
            Habit::New => ("`{}` is not needed", "leave it out", "write `sub X = Component;`"),
            Habit::Ports => ("the ports of a connector have nothing between them", "not needed", "write `connect a : X.p Y.q;`, with white space alone"),
            Habit::ChosenComponent => ("a component is chosen by `if`, not by `{}`", "not a component", "write `sub P[i: 0..n] = if i == 0 then A else B;`"),
            Habit::FamilyIndex => ("this is not how a family is written", "expected `i: 0..n`", "a family has an index with a range: `sub S[i: 0..n] = Station<i>;`"),
            Habit::SubNet => ("`{}` does not say what a sub-net is", "expected `=`", "write `sub X = Component;`"),
            Habit::Package => ("`{}` begins a model of BIP", "not a declaration of this language", "translate the file with `pnet import FILE.bip`; a file of pnet begins with `module NAME;`, or with its first declaration"),
            Habit::Equations => ("functions are declared with `fun`", "no declaration starts like this", "write `fun f(x: Int): Int = x + 1;`, or `fun f(x: Int): Int;` and an `axiom` about it"),
            Habit::SyncPriority => ("a priority has the names of actions, without `{}`", "not needed", "`sync a` and `co a` have the name of `a`"),
            Habit::UseInNet => ("a connector of a net starts with `connect`", "defines connectors, at the top of a file", "write `connect go : C(A.p, B.q);`, where `C` is a definition, or `connect go : A.p B.q;` without one"),
            Habit::PriorityArguments => ("a priority is about a whole interaction, whatever its data", "no data here", "name the connector or action alone; `unless` makes a vector wait by data"),
            Habit::InnerPriority => ("a priority orders the interactions of its own net", "belongs to a part", "what happens inside a part is ordered by a priority in the net of that part; what it shows is ordered by the vectors and connectors of this net"),
            Habit::PriorityReversed => ("a priority is written from low to high", "expected `<`", "`priority a < b` says that `a` waits where `b` can happen"),
            Habit::OneNumber => ("a size has two numbers", "one number alone", "write states and open transitions, as in `check size(S) == (3, 5);`"),
            Habit::SortInRange => ("a range is a sort by itself", "not part of a declaration", "write the range in the place of `Int`, as in `var x: 0..3`; its end is not part of it"),
            Habit::AbsoluteValue => ("there is no absolute value between bars", "not an expression", "write `if x < 0 then -x else x`, or define a function for it"),
            Habit::SilentDeclared => ("`tau` is built in, and never declared", "leave it out", "every process, and whatever fills a hole, can do `tau`: it needs no declaration"),
            Habit::ListedAction => ("an interface lists the names of actions", "not needed here", "list names only, with commas between them, as in `interface I { a, b(Int) }`; each action is declared with `action` outside of it"),
            Habit::InitialStep => ("there is no initial step", "expected `init state`", "mark the initial state where it is declared, as in `init state s;`, and give each variable its first value there, as in `var x: Int = 0;`"),
            Habit::GuardFirst => ("the guard stands after the action", "comes too early", "a transition reads `s -> t : a when guard do assignments;`"),
            Habit::NoAction => ("a transition has an action", "expected `:` and an action after this", "add the action, or `tau` if nothing is seen of it"),
            Habit::SilentData => ("`tau` carries no data", "leave it out", "nothing is seen of `tau`: use an action of your own to show a value"),
            Habit::Sum => ("`{}` does not choose a value", "expected an action", "a value from outside is received with `?`, as in `put(?d)`; all values of its sort are possible"),
            Habit::SeveralVariables => ("each variable has a declaration of its own", "expected `:`", "write `var u: Int;` and `var v: Int;`"),
            Habit::ArrayLiteral => ("the elements of an array cannot be listed", "not an array", "`[_]Int(0)` has 0 everywhere; a transition gives an element another value with `do a := a[1 := 5]`"),
            Habit::GuardBeforeResult => ("the guard of a vector stands after what it shows", "comes too early", "a vector reads `<X: a, Y: b> -> c when guard;`"),
            Habit::NetOperator => ("there is no operator `{}` in a net: vectors say what happens, and what is seen of it", "no statement starts like this", "`<P: a> -> tau;` hides `a`, leaving out its vector blocks it, and `<P: a, Q: b> -> c;` lets `a` and `b` happen together, seen as `c`; `std.lotos` and `std.ccs` have `Hide`, `Par` and others as nets"),
            Habit::ConnectorSign => ("`{}` does not stand between a connector and its ports", "expected `:`", "write `connect a : X.p Y.q;`"),
            Habit::Port => ("`{}` does not stand between a part and its port", "expected `.`", "the ports of a connector are written `X.p`; `X: p` is the member of a vector"),
            Habit::PortData => ("a connector moves the data of its ports, and not variables of parts", "not the data of a port", "name the data at the ports, and assign these names: `connect c : a.put(v) b.get(w) do w := v;`"),
            Habit::InnerAction => ("actions are declared outside of processes and nets", "no statement starts like this", "declare it at the top of the file, as in `action p;`: it belongs to whoever does it"),
            Habit::Invariant => ("an invariant is a claim, and no part of what happens", "no statement starts like this", "claim it with a check at the top of the file: `check always(S, x < 3);`; what a proof is to use is an `invariant I of S { x < 3; }`"),
            Habit::InvariantOf => ("`{}` does not say whose invariant it is", "expected `of`", "write `invariant Tickets of Mutex<2> { … }`"),
            Habit::InvariantName => ("an invariant has a name", "expected a name before this", "write `invariant Tickets of Mutex<2> { … }`; a check uses it by its name, as in `check always(Mutex<2>, e) by Tickets;`"),
            Habit::InvariantNet => ("`{}` does not say of which net it is an invariant", "expected `of` and a net after this", "write `invariant Tickets of Mutex<2> { A.n >= 0; }`, with the net as the check names it"),
            Habit::InvariantBlock => ("the conditions of an invariant stand in a block", "expected `{`", "each condition ends with `;`, and there may be several: `invariant Tickets of Mutex<2> { A.n >= 0; A.n <= B.n; }`"),
            Habit::InvariantParameters => ("an invariant has no parameters", "not part of an invariant", "write one for each net that a check names, as in `invariant Tickets of Mutex<2> { … }`; in its conditions, a parameter of the net stands for its value"),
            Habit::ConditionWord => ("a condition of an invariant has no word before it", "no condition starts like this", "write what holds alone, as in `x < 3;`"),
            Habit::ConditionEnd => ("each condition of an invariant ends with `;`", "expected `;`", "write the conditions one after the other, as in `x < 3; y < 4;`"),
            Habit::ProcessTerm => ("a process has states and transitions", "no declaration starts like this", "write `process P { init state s; s -> s : a; }`; the operators of process algebras are nets of `std.ccs` and `std.lotos`"),
            Habit::CheckBrackets => ("what a check is about stands in parentheses", "expected `(`", "write `check deadlock_free(S);`"),
            Habit::ScenarioOf => ("`{}` does not say whose scenario it is", "expected `of`", "write `scenario handover of Ring5 { … }`"),
            Habit::Gap => ("`{}` does not stand for any steps", "expected `..`", "write `..;` between steps for any steps, and `_` for any value"),
            Habit::Demand => ("a demand stands in square brackets", "no step starts like this", "write `[n > 0];` for what must hold after the steps before it"),
            Habit::StepEnd => ("each step of a scenario ends with `;`", "expected `;`", "write the steps one after the other, as in `pass(0); pass(1);`"),
            Habit::JointSign => ("`{}` does not stand between ports", "not needed", "ports stand side by side: `p q;`, and `p' q;` where `p` can happen alone"),
            Habit::JointGroup => ("ports are put together in square brackets", "expected `[`", "write `p [q r];`"),
            Habit::JointRepeat => ("what is repeated stands in square brackets", "expected before `]`", "write `[r[i] for i in 0..n];` for all of them together, and `[r[i]' for i in 0..n];` for any of them"),
            Habit::JointBraces => ("transfers do not stand in braces", "expected a transfer", "they follow `up` and `down`, with commas between them, and all of them happen at once: `down q.y := p.x, r.y := p.x`"),
            Habit::NoDown => ("data moves with `up` or `down`", "expected `down` before this", "`down` gives values to ports, `up` to the port that is shown: `on p q down q.y := p.x;`"),
            Habit::DefinitionMoves => ("`{}` does not move data in a definition of connectors", "expected `down`", "`down` gives values to ports, `up` to the port that is shown: `on p q down q.y := p.x;`"),
            Habit::ConnectorType => ("a definition of connectors starts with `connector` alone", "leave it out", "write `connector C(p: port, q: port) { p q; }`"),
            Habit::ShownPort => ("this is not how the port is written that a connector shows", "expected `shows` and a port", "write `connector C(p: port(x: Int)) shows top(m: Int) { p up top.m := p.x; }`"),
            Habit::FormalPort => ("this is not how a port is declared", "expected `p: port`", "the ports of a definition have names, and data where they carry any: `connector C(p: port, q: port(x: Int)) { p q; }`"),
            Habit::PortVariable => ("the data of a port has a name", "expected `x: Int`", "write `p: port(x: Int)`; its value is `p.x`"),
            Habit::PortFamily => ("this is not how a family of ports is written", "expected `i: 0..n`", "a family has an index with a range: `connector C<n: Int>(r[i: 0..n]: port) { [r[i] for i in 0..n]; }`"),
            Habit::UseName => ("a connector has a name, which is the action that it shows", "expected a name and `:` before this", "write `connect go : C(A.p, B.q);`"),
            Habit::UsePorts => ("what stands at the ports of `{}` is missing", "expected `(` after this", "write `connect go : C(A.p, B.q);`"),
            Habit::UseClause => ("a connector that uses a definition has no `{}` of its own", "belongs in the definition", "the definition says when its interactions happen and what moves: `on p q when p.x > 0 down q.y := p.x;`"),
            Habit::PartAsPort => ("`{}` is a part, and a port is wanted", "expected `.` and an action after this", "write `C(A.p, B.q)`, where `p` is an action of `A`"),
            Habit::NamedPort => ("the ports of a definition are given in order, without their names", "not needed", "write `connect go : C(A.p, B.q);`"),
            Habit::UseComma => ("the ports that a definition is given are separated by commas", "expected `,` before this", "write `connect go : C(A.p, B.q);`; a family is given in brackets: `C(A.p, [B.q D.q])`"),
            Habit::MaximalProgress => ("maximal progress is `priority maximal;`", "not needed", "where one interaction of a connector contains another, the larger one goes first then"),
            Habit::PriorityPorts => ("`{}` is not how an interaction of a connector is named", "expected the name alone, or ports in brackets", "`c` stands for all interactions of the connector `c`, `c[A.p B.q]` for the one of just these ports, and `*` for all others"),
            Habit::ArchitectureParameters => ("an architecture has no parameters", "not part of an architecture", "its rules say which sizes there are; an unfolding of it is named by its number of components, as in `Ring<5>`"),
            Habit::RuleParameters => ("the parameters of a rule stand in parentheses", "expected `(`", "write `rule Chain(x, y) { … }`, and `rule Ring() { … }` where there are none"),
            Habit::SortOfName => ("a parameter of a rule is a name alone", "not needed", "what component it has is said by the rule that gives it one: `sub x = Station;`"),
            Habit::NewComponent => ("`new` makes names, and `sub` components", "expected `sub`", "write `sub x = Station;`: a name not seen before is new; `new x;` is a name that a rule used below gives a component"),
            Habit::FamilyInRule => ("a name of a rule has one component", "no index here", "let rules make them one by one: `rule Cells(x) { new y; sub x = Cell; Cells(y); }`"),
            Habit::UseOfRule => ("a rule is used by its name alone", "leave it out", "write `Chain(x, y);`"),
            Habit::SubInRule => ("a component is given with `sub`", "expected `sub`", "write `sub x = Station;`"),
            Habit::AllMembers => ("`{}` is not how all members are written", "expected an index", "`[S[i]: a for i in 0..n]` stands for all of them in one step, in connectors `[S[i].a for i in 0..n]`; `for i in 0..n` behind the whole makes one for each"),
            Habit::TwoIndices => ("a family has one index", "not part of it", "give the members numbers, `sub S[k: 0..n * m] = P;`, and name one by `S[i * m + j]`; or make a family of nets that have families"),
            Habit::OneMember => ("the members of a family are made in one statement", "expected `i: 0..n`", "write `sub S[i: 0..n] = P;`; members that differ are chosen by `if`, as in `if i == 0 then A else B`"),
            Habit::SingleMember => ("square brackets are for one member that is repeated", "expected one member and `for`", "write `[S[i]: a for i in 0..n]`, and brackets of its own for each other member that is repeated; what is not repeated has no brackets"),
            Habit::UnlessVector => ("`unless` names vectors", "expected `<`", "write `unless <X: b>`; actions are ordered by `priority a < b;`"),
            Habit::ConnectName => ("a connector has a name, which is the action that it shows", "expected a name and `:` before this", "write `connect go : A.p B.q;`"),
            Habit::MaximalInside => ("a process has no interactions of which one contains another", "belongs in a net", "write `priority maximal;` in the net whose connectors are ordered; in a process, `priority a < b;` orders its actions"),
            Habit::SortBrackets => ("`{}` is not a sort", "expected `<` and `>`", "the sorts that data are over stand in angle brackets, as in `List<Int>`; the sort of arrays is `[K]V`"),
            Habit::SortParameter => ("`{}` is not needed: the parameters of data and functions are sorts, and nothing else", "not a part of it", "write `data List<T> { … }` and `fun length<T>(l: List<T>): Int`; processes and nets have values as parameters too, and say `T: sort`"),
            Habit::CheckOperator => ("a check has a name", "expected `bisimilar(…, …)`", "write `check bisimilar(A, B);`, or `weakly_bisimilar` or `refines`"),
        }
    }
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0014",
    title: "notation of another language",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
What is meant is clear to somebody who knows the language it comes from, but it is
written differently here, or there is no such thing. The message says what to
write. Where that text is known, it is proposed as an edit, and the statement is
read as if it had been written, so that no other message follows from this one.

Assignments follow `do`, with commas between them, and all of them happen at once.
An array is a value: `a[i := v]` is the array that differs from `a` at `i`, and it
can be assigned to `a`.
",
    wrong: "\
action double(Int);

process Doubler {
    var n: Int = 1;
    init state s;

    s -> s : double(n) do n «*=» 2;
}
",
    right: "\
action double(Int);

process Doubler {
    var n: Int = 1;
    init state s;

    s -> s : double(n) do n := n * 2;
}
",
};

impl OtherNotation {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (message, label, note) = self.habit.words(&self.found);
        let mut diagnostic = Diagnostic::new(entry, self.span, message).label(label).note(note);
        if let Some((text, edits)) = &self.meant {
            let edit = |(span, text): &(Span, String)| Edit { span: *span, text: text.clone() };
            let edits = edits.iter().map(edit).collect();
            let message = match text.as_str() {
                "" => "remove it".to_owned(),
                text => format!("write `{text}`"),
            };
            diagnostic.suggestions.push(Suggestion { message, edits });
        }
        diagnostic
    }
}
