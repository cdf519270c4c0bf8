//! Sorts, functions and terms as Z3 sees them.
//!
//! Names in Z3 are numbers: what people call things never gets there, and nothing can clash.

use std::cell::Cell;
use std::str::FromStr;

use rustc_hash::FxHashMap;
use thiserror::Error;
use z3::ast::{Ast, Bool, Dynamic, Int};
use z3::datatype_builder::create_datatypes;
use z3::{
    DatatypeAccessor, DatatypeBuilder, DatatypeSort, FuncDecl, RecFuncDecl, Sort as Z3Sort, Symbol,
};

use crate::algebra::{
    AbstractId, ActionId, Algebra, BottomUp, ConstId, DataId, FunId, Sort, Term, TermId, Terms,
    VarId,
};

/// Why a question cannot be put to the solver.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Unsupported {
    /// A term is not of the sort that it must have; the front end rules this out.
    #[error("a term has a sort that does not fit")]
    Misfit,
    /// Datatypes are declared before arrays of them.
    #[error("a datatype contains itself through an array, which the solver cannot do")]
    Cycle,
    /// An equality that cannot be spelt out.
    #[error(
        "arrays whose bounds are symbolic, or far apart, stand inside values that are compared as a whole"
    )]
    Loose,
}

type Encoded<T> = Result<T, Unsupported>;

/// A sort that has constructors: an enumeration, a datatype, or the actions.
const ACTION: usize = usize::MAX;

/// The places of the constructors of actions after those that are declared.
struct Silent {
    tau: usize,
    sync: usize,
    co: usize,
}

/// Everything that has been told to Z3.
pub(super) struct Encoder {
    /// Tells what one session says from what others say to the same Z3.
    number: u64,
    abstracts: Vec<Z3Sort>,
    datas: Vec<Option<DatatypeSort>>,
    pub(super) action: Option<DatatypeSort>,
    /// Whether actions are possible that nobody declared.
    open_world: bool,
    functions: FxHashMap<FunId, Function>,
    terms: FxHashMap<TermId, Dynamic>,
}

#[derive(Clone)]
enum Function {
    /// Nothing is known of it.
    Free(std::rc::Rc<FuncDecl>),
    /// It speaks of itself.
    Recursive(std::rc::Rc<RecFuncDecl>),
    /// Its parameters and its definition.
    Defined(std::rc::Rc<(Vec<Dynamic>, Dynamic)>),
}

/// What a name stands for that was given to Z3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// A variable, by its place in the table.
    Var(usize),
    Const(ConstId),
    Fun(FunId),
    Construct(DataId, u32),
    Select(DataId, u32, u32),
    Act(ActionId),
    Argument(ActionId, u32),
    Tau,
    Sync,
    Co,
    /// What is inside `sync` or `co`.
    Inner,
}

thread_local! {
    static SESSIONS: Cell<u64> = const { Cell::new(0) };
}

impl Encoder {
    pub fn new(algebra: &Algebra, open_world: bool) -> Encoded<Encoder> {
        let number = SESSIONS.with(|sessions| {
            sessions.set(sessions.get() + 1);
            sessions.get()
        });
        let abstracts = (0..algebra.abstracts.len())
            .map(|index| Z3Sort::uninterpreted(Symbol::String(format!("s{number}!a{index}"))))
            .collect();
        let mut encoder = Encoder {
            number,
            abstracts,
            datas: (0..algebra.datatypes.len()).map(|_| None).collect(),
            action: None,
            open_world,
            functions: FxHashMap::default(),
            terms: FxHashMap::default(),
        };
        for group in groups(algebra) {
            encoder.declare(algebra, &group)?;
        }
        Ok(encoder)
    }

    /// The number of the session.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// What a name stands for; nothing where this encoder did not give it.
    pub(super) fn named(&self, name: &str, algebra: &Algebra) -> Option<Named> {
        let name = name.strip_prefix('s')?.strip_prefix(&self.number.to_string())?;
        let (head, rest) = match name.strip_prefix('!')?.split_once('!') {
            Some((head, rest)) => (head, Some(rest)),
            None => (name.strip_prefix('!')?, None),
        };
        let number = |text: &str| text.parse::<u32>().ok();
        let Some(rest) = rest else {
            return Some(match head.split_at_checked(1)? {
                ("v", index) => Named::Var(index.parse().ok()?),
                ("c", index) => Named::Const(ConstId(number(index)?)),
                ("f", index) => Named::Fun(FunId(number(index)?)),
                _ => return None,
            });
        };
        let (index, field) = match rest.split_once('!') {
            Some((index, field)) => (number(index)?, Some(number(field)?)),
            None => (number(rest)?, None),
        };
        if head == "action" {
            return Encoder::action_named(algebra, index, field);
        }
        let data = DataId(number(head.strip_prefix('d')?)?);
        Some(field.map_or(Named::Construct(data, index), |at| Named::Select(data, index, at)))
    }

    fn action_named(algebra: &Algebra, index: u32, field: Option<u32>) -> Option<Named> {
        let declared = algebra.actions.len() as u32;
        let action = ActionId(index);
        Some(match (index.checked_sub(declared), field) {
            (None, None) => Named::Act(action),
            (None, Some(place)) => Named::Argument(action, place),
            (Some(0), None) => Named::Tau,
            (Some(1), None) => Named::Sync,
            (Some(2), None) => Named::Co,
            (Some(1 | 2), Some(_)) => Named::Inner,
            _ => return None,
        })
    }

    /// The sort that a name stands for.
    pub(super) fn sort_named(&self, name: &str) -> Option<Sort> {
        let name = name.strip_prefix('s')?.strip_prefix(&self.number.to_string())?;
        let name = name.strip_prefix('!')?;
        match name.split_at_checked(1)? {
            _ if name == "action" => Some(Sort::Action),
            ("a", index) => Some(Sort::Abstract(AbstractId(index.parse().ok()?))),
            ("d", index) => Some(Sort::Data(DataId(index.parse().ok()?))),
            _ => None,
        }
    }

    fn silent(algebra: &Algebra) -> Silent {
        let tau = algebra.actions.len();
        Silent { tau, sync: tau + 1, co: tau + 2 }
    }

    // ---- sorts ----

    fn sort_name(&self, data: usize) -> String {
        match data {
            ACTION => format!("s{}!action", self.number),
            _ => format!("s{}!d{data}", self.number),
        }
    }

    /// Declares sorts that contain each other.
    fn declare(&mut self, algebra: &Algebra, group: &[usize]) -> Encoded<()> {
        let mut builders = Vec::with_capacity(group.len());
        for &data in group {
            let name = self.sort_name(data);
            let mut builder = DatatypeBuilder::new(name.as_str());
            for (index, fields) in constructors(algebra, data, self.open_world).iter().enumerate() {
                let mut accessors = Vec::with_capacity(fields.len());
                for sort in fields {
                    accessors.push(self.accessor(sort, group)?);
                }
                let names: Vec<String> =
                    (0..fields.len()).map(|field| format!("{name}!{index}!{field}")).collect();
                let fields = names.iter().map(String::as_str).zip(accessors).collect();
                builder = builder.variant(&format!("{name}!{index}"), fields);
            }
            builders.push(builder);
        }
        for (made, &data) in create_datatypes(builders).into_iter().zip(group) {
            match data {
                ACTION => self.action = Some(made),
                _ => self.datas[data] = Some(made),
            }
        }
        Ok(())
    }

    fn accessor(&self, sort: &Sort, group: &[usize]) -> Encoded<DatatypeAccessor> {
        let inside = match sort {
            Sort::Data(id) => Some(id.index()),
            Sort::Action => Some(ACTION),
            _ => None,
        };
        match inside {
            Some(data) if group.contains(&data) => {
                Ok(DatatypeAccessor::datatype(self.sort_name(data).as_str()))
            }
            _ => Ok(DatatypeAccessor::sort(self.sort(sort)?)),
        }
    }

    pub fn sort(&self, sort: &Sort) -> Encoded<Z3Sort> {
        Ok(match sort {
            Sort::Bool => Z3Sort::bool(),
            Sort::Int | Sort::Range(..) => Z3Sort::int(),
            Sort::Action => self.action.as_ref().ok_or(Unsupported::Cycle)?.sort.clone(),
            Sort::Abstract(id) => self.abstracts[id.index()].clone(),
            Sort::Data(id) => {
                self.datas[id.index()].as_ref().ok_or(Unsupported::Cycle)?.sort.clone()
            }
            Sort::Array(both) => Z3Sort::array(&self.sort(&both.0)?, &self.sort(&both.1)?),
        })
    }

    pub(super) fn data(&self, data: usize) -> Encoded<&DatatypeSort> {
        self.datas[data].as_ref().ok_or(Unsupported::Misfit)
    }

    fn actions(&self) -> Encoded<&DatatypeSort> {
        self.action.as_ref().ok_or(Unsupported::Misfit)
    }

    // ---- variables and constants ----

    pub fn var(&self, terms: &Terms, id: VarId) -> Encoded<Dynamic> {
        let sort = self.sort(&terms.var(id).sort)?;
        Ok(Dynamic::new_const(format!("s{}!v{}", self.number, id.index()), &sort))
    }

    pub fn constant(&self, algebra: &Algebra, id: ConstId) -> Encoded<Dynamic> {
        let sort = self.sort(&algebra.constants[id.index()].sort)?;
        Ok(Dynamic::new_const(format!("s{}!c{}", self.number, id.index()), &sort))
    }

    pub fn bool(&mut self, algebra: &Algebra, terms: &Terms, id: TermId) -> Encoded<Bool> {
        self.term(algebra, terms, id)?.as_bool().ok_or(Unsupported::Misfit)
    }

    // ---- functions ----

    fn function(&mut self, algebra: &Algebra, terms: &Terms, id: FunId) -> Encoded<Function> {
        if let Some(function) = self.functions.get(&id) {
            return Ok(function.clone());
        }
        let function = &algebra.functions[id.index()];
        let sorts = function.params.iter().map(|&var| self.sort(&terms.var(var).sort));
        let sorts = sorts.collect::<Encoded<Vec<_>>>()?;
        let domain: Vec<&Z3Sort> = sorts.iter().collect();
        let result = self.sort(&function.result)?;
        let name = format!("s{}!f{}", self.number, id.index());
        let Some(body) = function.body else {
            let free = Function::Free(FuncDecl::new(name, &domain, &result).into());
            self.functions.insert(id, free.clone());
            return Ok(free);
        };
        let params = function.params.iter().map(|&var| self.var(terms, var));
        let params = params.collect::<Encoded<Vec<_>>>()?;
        if is_recursive(algebra, terms, id) {
            let decl = std::rc::Rc::new(RecFuncDecl::new(name, &domain, &result));
            self.functions.insert(id, Function::Recursive(decl.clone()));
            let body = self.term(algebra, terms, body)?;
            let params: Vec<&dyn Ast> = params.iter().map(|param| param as &dyn Ast).collect();
            decl.add_def(&params, &body);
            return Ok(Function::Recursive(decl));
        }
        let body = self.term(algebra, terms, body)?;
        let defined = Function::Defined((params, body).into());
        self.functions.insert(id, defined.clone());
        Ok(defined)
    }

    fn apply(
        &mut self,
        algebra: &Algebra,
        terms: &Terms,
        id: FunId,
        args: &[Dynamic],
    ) -> Encoded<Dynamic> {
        let plain: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        Ok(match self.function(algebra, terms, id)? {
            Function::Free(decl) => decl.apply(&plain),
            Function::Recursive(decl) => decl.apply(&plain),
            Function::Defined(defined) => {
                let values: Vec<(&Dynamic, &Dynamic)> = defined.0.iter().zip(args).collect();
                defined.1.substitute(&values)
            }
        })
    }

    // ---- terms ----

    pub fn term(&mut self, algebra: &Algebra, terms: &Terms, root: TermId) -> Encoded<Dynamic> {
        let mut walk = BottomUp::from(root);
        while let Some(id) = walk.next(terms, |id| self.terms.contains_key(&id)) {
            let encoded = self.form(algebra, terms, id)?;
            self.terms.insert(id, encoded);
        }
        self.terms.get(&root).cloned().ok_or(Unsupported::Misfit)
    }

    fn done(&self, id: TermId) -> Encoded<&Dynamic> {
        self.terms.get(&id).ok_or(Unsupported::Misfit)
    }

    fn done_int(&self, id: TermId) -> Encoded<Int> {
        self.done(id)?.as_int().ok_or(Unsupported::Misfit)
    }

    fn done_bool(&self, id: TermId) -> Encoded<Bool> {
        self.done(id)?.as_bool().ok_or(Unsupported::Misfit)
    }

    fn all_bools(&self, ids: &[TermId]) -> Encoded<Vec<Bool>> {
        ids.iter().map(|&id| self.done_bool(id)).collect()
    }

    fn all_ints(&self, ids: &[TermId]) -> Encoded<Vec<Int>> {
        ids.iter().map(|&id| self.done_int(id)).collect()
    }

    fn all(&self, ids: &[TermId]) -> Encoded<Vec<Dynamic>> {
        ids.iter().map(|&id| self.done(id).cloned()).collect()
    }

    /// A term whose inner terms are done.
    fn form(&mut self, algebra: &Algebra, terms: &Terms, id: TermId) -> Encoded<Dynamic> {
        let silent = Encoder::silent(algebra);
        Ok(match terms.get(id) {
            Term::Bool(value) => Bool::from_bool(*value).into(),
            Term::Int(value) => {
                Int::from_str(&value.to_string()).map_err(|()| Unsupported::Misfit)?.into()
            }
            Term::Var(var) => self.var(terms, *var)?,
            Term::Const(constant) => self.constant(algebra, *constant)?,
            Term::Apply(fun, args) => {
                let args = self.all(args)?;
                self.apply(algebra, terms, *fun, &args)?
            }
            Term::Construct(data, index, args) => {
                construct(self.data(data.index())?, *index as usize, &self.all(args)?)
            }
            Term::Select(data, index, field, inner) => {
                let variant = &self.data(data.index())?.variants[*index as usize];
                variant.accessors[*field as usize].apply(&[self.done(*inner)?])
            }
            Term::IsConstructor(data, index, inner) => {
                is(self.data(data.index())?, *index as usize, self.done(*inner)?)
            }
            Term::Index(array, index) => {
                self.done(*array)?.as_array().ok_or(Unsupported::Misfit)?.select(self.done(*index)?)
            }
            Term::Update(array, index, value) => {
                let array = self.done(*array)?.as_array().ok_or(Unsupported::Misfit)?;
                array.store(self.done(*index)?, self.done(*value)?).into()
            }
            Term::ConstArray(sort, value) => {
                let Sort::Array(both) = sort else { return Err(Unsupported::Misfit) };
                z3::ast::Array::const_array(&self.sort(&both.0)?, self.done(*value)?).into()
            }
            Term::Not(inner) => self.done_bool(*inner)?.not().into(),
            Term::And(args) => Bool::and(&self.all_bools(args)?).into(),
            Term::Or(args) => Bool::or(&self.all_bools(args)?).into(),
            Term::Add(args) => Int::add(&self.all_ints(args)?).into(),
            Term::Multiply(args) => Int::mul(&self.all_ints(args)?).into(),
            Term::Div(a, b) => self.done_int(*a)?.div(&self.done_int(*b)?).into(),
            Term::Mod(a, b) => self.done_int(*a)?.modulo(&self.done_int(*b)?).into(),
            Term::Equal(a, b) => self.done(*a)?.eq(self.done(*b)?).into(),
            Term::Less(a, b) => self.done_int(*a)?.lt(&self.done_int(*b)?).into(),
            Term::LessEqual(a, b) => self.done_int(*a)?.le(&self.done_int(*b)?).into(),
            Term::If(condition, yes, no) => {
                self.done_bool(*condition)?.ite(self.done(*yes)?, self.done(*no)?)
            }
            Term::Forall(vars, body) => self.quantified(terms, true, vars, *body)?,
            Term::Exists(vars, body) => self.quantified(terms, false, vars, *body)?,
            Term::Act(action, args) => construct(self.actions()?, action.index(), &self.all(args)?),
            Term::Tau => construct(self.actions()?, silent.tau, &[]),
            Term::Sync(inner) => {
                construct(self.actions()?, silent.sync, &[self.done(*inner)?.clone()])
            }
            Term::Co(inner) => construct(self.actions()?, silent.co, &[self.done(*inner)?.clone()]),
            Term::IsAct(action, inner) => is(self.actions()?, action.index(), self.done(*inner)?),
            Term::IsSync(inner) => is(self.actions()?, silent.sync, self.done(*inner)?),
            Term::IsCo(inner) => is(self.actions()?, silent.co, self.done(*inner)?),
            Term::Argument(action, index, inner) => {
                let variant = &self.actions()?.variants[action.index()];
                variant.accessors[*index as usize].apply(&[self.done(*inner)?])
            }
            Term::Inner(inner) => {
                let inner = self.done(*inner)?;
                let variants = &self.actions()?.variants;
                let sync =
                    is(self.actions()?, silent.sync, inner).as_bool().ok_or(Unsupported::Misfit)?;
                let from_sync = variants[silent.sync].accessors[0].apply(&[inner]);
                sync.ite(&from_sync, &variants[silent.co].accessors[0].apply(&[inner]))
            }
        })
    }

    fn quantified(
        &self,
        terms: &Terms,
        universal: bool,
        vars: &[VarId],
        body: TermId,
    ) -> Encoded<Dynamic> {
        let consts = vars.iter().map(|&var| self.var(terms, var)).collect::<Encoded<Vec<_>>>()?;
        let consts: Vec<&dyn Ast> = consts.iter().map(|value| value as &dyn Ast).collect();
        let body = self.done_bool(body)?;
        Ok(if universal {
            z3::ast::forall_const(&consts, &[], &body).into()
        } else {
            z3::ast::exists_const(&consts, &[], &body).into()
        })
    }
}

fn construct(sort: &DatatypeSort, index: usize, args: &[Dynamic]) -> Dynamic {
    let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
    sort.variants[index].constructor.apply(&args)
}

fn is(sort: &DatatypeSort, index: usize, value: &Dynamic) -> Dynamic {
    sort.variants[index].tester.apply(&[value])
}

/// The sorts of the fields of each constructor.
fn constructors(algebra: &Algebra, data: usize, open_world: bool) -> Vec<Vec<Sort>> {
    if data != ACTION {
        let constructors = algebra.datatypes[data].constructors.iter();
        let fields = constructors
            .map(|constructor| constructor.fields.iter().map(|(_, sort)| sort.clone()).collect());
        return fields.collect();
    }
    let mut all: Vec<Vec<Sort>> = (0..algebra.actions.len())
        .map(|id| algebra.action(ActionId(id as u32)).sorts.clone())
        .collect();
    all.extend([vec![], vec![Sort::Action], vec![Sort::Action]]);
    if open_world {
        all.push(vec![Sort::Int]);
    }
    all
}

/// The sorts with constructors, those that contain each other together, each after what it contains.
fn groups(algebra: &Algebra) -> Vec<Vec<usize>> {
    let count = algebra.datatypes.len();
    let place = |data: usize| if data == ACTION { count } else { data };
    let inside = |data: usize| -> Vec<usize> {
        let mut found = Vec::new();
        let mut work: Vec<Sort> =
            constructors(algebra, data, false).into_iter().flatten().collect();
        while let Some(sort) = work.pop() {
            match sort {
                Sort::Data(id) => found.push(id.index()),
                Sort::Action => found.push(ACTION),
                Sort::Array(both) => work.extend([both.0, both.1]),
                _ => {}
            }
        }
        found
    };
    // Reachability is enough to find who contains whom: models have few sorts.
    let all: Vec<usize> = (0..count).chain([ACTION]).collect();
    let reach: Vec<Vec<usize>> = all
        .iter()
        .map(|&data| {
            let (mut seen, mut work) = (vec![false; count + 1], inside(data));
            while let Some(next) = work.pop() {
                if !std::mem::replace(&mut seen[place(next)], true) {
                    work.extend(inside(next));
                }
            }
            all.iter().copied().filter(|&other| seen[place(other)]).collect()
        })
        .collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &data in &all {
        let together = |other: usize| {
            other == data
                || (reach[place(data)].contains(&other) && reach[place(other)].contains(&data))
        };
        // What is over sorts has no constructors left: only its instances are sorts.
        let has_values = data == ACTION || !algebra.datatypes[data].constructors.is_empty();
        if has_values && !groups.iter().any(|group| group.contains(&data)) {
            groups.push(all.iter().copied().filter(|&other| together(other)).collect());
        }
    }
    order(groups, |group, other| other.iter().any(|data| reach[place(group[0])].contains(data)))
}

/// Puts each group after those it needs.
fn order(groups: Vec<Vec<usize>>, needs: impl Fn(&[usize], &[usize]) -> bool) -> Vec<Vec<usize>> {
    let mut ordered: Vec<Vec<usize>> = Vec::with_capacity(groups.len());
    let mut rest = groups;
    while !rest.is_empty() {
        let free = (0..rest.len()).find(|&at| {
            rest.iter().enumerate().all(|(other, group)| other == at || !needs(&rest[at], group))
        });
        ordered.push(rest.remove(free.unwrap_or(0)));
    }
    ordered
}

/// Whether a function speaks of itself, also through others.
pub(super) fn is_recursive(algebra: &Algebra, terms: &Terms, id: FunId) -> bool {
    let mut seen = vec![false; algebra.functions.len()];
    let mut work: Vec<TermId> = algebra.functions[id.index()].body.into_iter().collect();
    let mut met: rustc_hash::FxHashSet<TermId> = rustc_hash::FxHashSet::default();
    while let Some(term) = work.pop() {
        if !met.insert(term) {
            continue;
        }
        if let Term::Apply(other, _) = terms.get(term) {
            if *other == id {
                return true;
            }
            if !std::mem::replace(&mut seen[other.index()], true) {
                work.extend(algebra.functions[other.index()].body);
            }
        }
        terms.get(term).each_inside(|inner| work.push(inner));
    }
    false
}
