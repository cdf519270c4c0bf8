//! Questions in parts: the conditions can hold together exactly if those of each part can.
use crate::common::Random;
use crate::common::seeds::seeds;
use pnetc::algebra::{
    AbstractId, Algebra, ConstId, Constant, FunId, Function, Sort, Term, TermId, Terms,
    VariableKind,
};
use pnetc::diagnostics::Symbol;
use pnetc::smt::{Answer, Explicit, Limits, Solver, Splitter, Theory};

/// An abstract sort, a symbolic constant `k` and a function `f` of which nothing is known.
fn algebra(terms: &mut Terms) -> Algebra {
    let param = terms.new_var(Symbol::new("n"), Sort::Int, VariableKind::Parameter);
    let function = Function {
        name: Symbol::new("f"),
        params: vec![param],
        result: Sort::Int,
        measures: Vec::new(),
        body: None,
    };
    let constant = Constant { name: Symbol::new("k"), sort: Sort::Int, value: None };
    Algebra {
        abstracts: vec![Symbol::new("Item")],
        functions: vec![function],
        constants: vec![constant],
        ..Algebra::default()
    }
}

struct Theories {
    algebra: Algebra,
    terms: Terms,
    ints: Vec<TermId>,
    items: Vec<TermId>,
}

impl Theories {
    fn new() -> Theories {
        let mut terms = Terms::default();
        let algebra = algebra(&mut terms);
        let mut var = |name: String, sort: Sort| {
            let var = terms.new_var(Symbol::new(&name), sort, VariableKind::State);
            terms.var_term(var)
        };
        let ints = (0..4).map(|at| var(format!("x{at}"), Sort::Int)).collect();
        let item = Sort::Abstract(AbstractId(0));
        let items = (0..3).map(|at| var(format!("i{at}"), item.clone())).collect();
        Theories { algebra, terms, ints, items }
    }

    fn number(&mut self, random: &mut Random) -> TermId {
        let x = self.ints[random.below(4)];
        let small = random.below(3) as i64;
        let small = self.terms.int(small);
        match random.below(8) {
            0 => small,
            1 => self.terms.raw(Term::Const(ConstId(0))),
            2 => self.terms.raw(Term::Apply(FunId(0), [x].into())),
            3 => self.terms.add([x, small]),
            4 => {
                let by = self.ints[random.below(4)];
                self.terms.div(x, by)
            }
            _ => x,
        }
    }

    fn condition(&mut self, random: &mut Random, depth: usize) -> TermId {
        match random.below(if depth == 0 { 4 } else { 8 }) {
            0 => {
                let (a, b) = (self.items[random.below(3)], self.items[random.below(3)]);
                self.terms.equal(a, b)
            }
            1 => {
                let (a, b) = (self.number(random), self.number(random));
                self.terms.equal(a, b)
            }
            2 | 3 => {
                let (a, b) = (self.number(random), self.number(random));
                self.terms.less(a, b)
            }
            4 => {
                let inner = self.condition(random, depth - 1);
                self.terms.not(inner)
            }
            kind => {
                let both = [self.condition(random, depth - 1), self.condition(random, depth - 1)];
                if kind == 5 { self.terms.or(both) } else { self.terms.and(both) }
            }
        }
    }

    fn ask(&mut self, conditions: &[TermId]) -> Answer {
        let mut explicit = Explicit::new(&self.algebra, &mut self.terms);
        let question = explicit.question(&mut self.terms, conditions).unwrap().all();
        let mut session = Solver::new(&self.algebra, false, Limits::default());
        session.check(Theory { algebra: &explicit.algebra, terms: &self.terms }, &question)
    }

    fn in_parts(&mut self, conditions: &[TermId]) -> (Answer, usize) {
        let parts = Splitter::new(&self.algebra).parts(&mut self.terms, conditions);
        let answers: Vec<Answer> = parts.iter().map(|part| self.ask(part)).collect();
        let unsat = answers.iter().find(|&answer| *answer == Answer::Unsat);
        let unknown = answers.iter().find(|&answer| *answer != Answer::Sat);
        (unsat.or(unknown).cloned().unwrap_or(Answer::Sat), parts.len())
    }
}

#[test]
fn a_question_and_its_parts_have_one_answer() {
    let (mut several, mut impossible, mut compared) = (0, 0, 0);
    for seed in seeds(150) {
        let mut random = Random::new(seed);
        let mut theories = Theories::new();
        let count = 2 + random.below(5);
        let conditions: Vec<TermId> =
            (0..count).map(|_| theories.condition(&mut random, 2)).collect();
        let whole = theories.ask(&conditions);
        let (together, parts) = theories.in_parts(&conditions);
        let known = |answer: &Answer| !matches!(answer, Answer::Unknown(_));
        if known(&whole) && known(&together) {
            assert_eq!(whole, together, "seed {seed}");
            compared += 1;
        }
        several += usize::from(parts > 1);
        impossible += usize::from(whole == Answer::Unsat);
    }
    assert!(several > 10 && impossible > 10, "{several} in parts, {impossible} impossible");
    assert!(compared > 130, "{compared} of 150 have an answer");
}

#[test]
fn what_speaks_of_one_function_stays_together() {
    let mut theories = Theories::new();
    let (x, y) = (theories.ints[0], theories.ints[1]);
    let terms = &mut theories.terms;
    let (f_x, f_y) = (Term::Apply(FunId(0), [x].into()), Term::Apply(FunId(0), [y].into()));
    let (f_x, f_y) = (terms.raw(f_x), terms.raw(f_y));
    let (one, two) = (terms.int(1), terms.int(2));
    let question =
        [terms.equal(x, one), terms.equal(y, one), terms.equal(f_x, one), terms.equal(f_y, two)];
    assert_eq!(theories.in_parts(&question), (Answer::Unsat, 1));
}

#[test]
fn what_has_nothing_in_common_is_asked_by_itself() {
    let mut theories = Theories::new();
    let (x, y) = (theories.ints[0], theories.ints[1]);
    let terms = &mut theories.terms;
    let three = terms.int(3);
    let (a, b) = (terms.less(x, three), terms.less(y, three));
    // With `a`, that not both are so is that `b` is not.
    let both = terms.and([a, b]);
    let not_both = terms.not(both);
    let not_b = terms.not(b);
    let parts = Splitter::new(&theories.algebra).parts(&mut theories.terms, &[a, not_both]);
    assert_eq!(parts, [vec![a], vec![not_b]]);
}
