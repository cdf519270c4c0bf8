//! Terms with other terms in the place of some of their variables.

use rustc_hash::FxHashMap;

use super::{Sort, Term, TermId, Terms, VarId, VariableKind};

impl Terms {
    /// A term with other terms in the place of some of its variables, simplified as it is built.
    ///
    /// Bound variables differ from all others, so nothing is captured.
    pub fn substitute(&mut self, root: TermId, values: &FxHashMap<VarId, TermId>) -> TermId {
        if values.is_empty() {
            return root;
        }
        self.substitute_with(root, values, &mut FxHashMap::default())
    }

    /// The same for several terms: what was done before is remembered in `done`.
    pub fn substitute_with(
        &mut self,
        root: TermId,
        values: &FxHashMap<VarId, TermId>,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        self.bottom_up(
            root,
            done,
            |_| true,
            |terms, id, done| match terms.get(id) {
                Term::Var(var) => values.get(var).copied().unwrap_or(id),
                _ => terms.rebuilt(id, done),
            },
        )
    }

    /// New variables of some kind that are like others: what to put in their place, and the new ones in order.
    pub fn fresh(
        &mut self,
        vars: impl IntoIterator<Item = VarId>,
        kind: VariableKind,
    ) -> (FxHashMap<VarId, TermId>, Vec<VarId>) {
        let (mut values, mut fresh) = (FxHashMap::default(), Vec::new());
        for var in vars {
            let (name, sort) = (self.var(var).name, self.var(var).sort.clone());
            let new = self.new_var(name, sort, kind);
            values.insert(var, self.var_term(new));
            fresh.push(new);
        }
        (values, fresh)
    }

    /// A term with other terms inside.
    pub(crate) fn rebuilt(&mut self, id: TermId, done: &FxHashMap<TermId, TermId>) -> TermId {
        let mut changed = false;
        self.get(id).each_inside(|inner| changed |= done.get(&inner) != Some(&inner));
        if changed { self.made_again(id, done) } else { id }
    }

    /// A term with other terms inside, simplified even where these are the same.
    pub(super) fn made_again(&mut self, id: TermId, done: &FxHashMap<TermId, TermId>) -> TermId {
        let new = |inner: &TermId| done.get(inner).copied().unwrap_or(*inner);
        let all = |args: &[TermId]| args.iter().map(new).collect::<Box<[TermId]>>();
        match self.get(id).clone() {
            Term::Bool(_) | Term::Int(_) | Term::Var(_) | Term::Const(_) | Term::Tau => id,
            Term::Apply(fun, args) => self.raw(Term::Apply(fun, all(&args))),
            Term::Construct(data, index, args) => {
                self.raw(Term::Construct(data, index, all(&args)))
            }
            Term::Select(data, index, field, inner) => self.select(data, index, field, new(&inner)),
            Term::IsConstructor(data, index, inner) => {
                self.is_constructor(data, index, new(&inner))
            }
            Term::Index(array, index) => self.index(new(&array), new(&index)),
            Term::Update(array, index, value) => {
                self.raw(Term::Update(new(&array), new(&index), new(&value)))
            }
            Term::ConstArray(sort, inner) => self.raw(Term::ConstArray(sort, new(&inner))),
            Term::Not(inner) => self.not(new(&inner)),
            Term::And(args) => self.and(all(&args)),
            Term::Or(args) => self.or(all(&args)),
            Term::Add(args) => self.add(all(&args)),
            Term::Multiply(args) => self.multiply(all(&args)),
            Term::Div(a, b) => self.div(new(&a), new(&b)),
            Term::Mod(a, b) => self.modulo(new(&a), new(&b)),
            Term::Equal(a, b) => self.equal(new(&a), new(&b)),
            Term::Less(a, b) => self.less(new(&a), new(&b)),
            Term::LessEqual(a, b) => self.less_equal(new(&a), new(&b)),
            Term::If(condition, yes, no) => self.if_then_else(new(&condition), new(&yes), new(&no)),
            Term::Forall(vars, body) => self.quantified(true, vars, new(&body)),
            Term::Exists(vars, body) => self.quantified(false, vars, new(&body)),
            Term::Act(action, args) => self.raw(Term::Act(action, all(&args))),
            Term::Sync(inner) => self.raw(Term::Sync(new(&inner))),
            Term::Co(inner) => self.raw(Term::Co(new(&inner))),
            Term::IsAct(action, inner) => self.is_act(action, new(&inner)),
            Term::IsSync(inner) => self.is_sync(new(&inner)),
            Term::IsCo(inner) => self.is_co(new(&inner)),
            Term::Argument(action, index, inner) => self.argument(action, index, new(&inner)),
            Term::Inner(inner) => self.inner(new(&inner)),
        }
    }

    /// A formula about all or some values of variables; those that it does not speak of are left out.
    pub fn quantified(&mut self, universal: bool, vars: Box<[VarId]>, body: TermId) -> TermId {
        let free = self.free_vars(body);
        let matters = |var: &VarId| free.contains(var) || !self.surely_has_values(*var);
        let vars: Box<[VarId]> = vars.into_iter().filter(matters).collect();
        match (vars.is_empty(), universal) {
            (true, _) => body,
            (false, true) => self.raw(Term::Forall(vars, body)),
            (false, false) => self.raw(Term::Exists(vars, body)),
        }
    }

    /// Whether there is a value for a variable: a range between symbolic bounds may be empty.
    fn surely_has_values(&self, var: VarId) -> bool {
        match &self.var(var).sort {
            Sort::Range(low, high) => {
                self.as_int(*low).zip(self.as_int(*high)).is_some_and(|(low, high)| low < high)
            }
            _ => true,
        }
    }

    /// `m[i]`
    pub fn index(&mut self, array: TermId, index: TermId) -> TermId {
        let mut array = array;
        loop {
            match *self.get(array) {
                Term::ConstArray(_, value) => return value,
                Term::Update(_, at, value) if at == index => return value,
                Term::Update(inner, at, _)
                    if (self.is_value(at) && self.is_value(index))
                        || self.same_numbers(at, index) == Some(false) =>
                {
                    array = inner;
                }
                Term::Update(_, at, value) if self.same_numbers(at, index) == Some(true) => {
                    return value;
                }
                _ => return self.raw(Term::Index(array, index)),
            }
        }
    }
}
