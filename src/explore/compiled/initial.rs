//! The configurations to begin with, and configurations as data.
//!
//! First the values of symbolic constants are found that the axioms allow; then, for each choice of these, the values of
//! the variables of leaves.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Compiled;
use super::code::{Code, Lack, Op, Reg};
use super::compiler::Compiler;
use super::expr::{Builder, Source};
use super::plan::{Endless, Plan};
use super::run::{Run, Sink, Work};
use super::word::NONE;
use crate::algebra::{ConstId, Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::Id;
use crate::base::IndexVec;
use crate::explore::{Configuration, Gap, Packed, Value};
use crate::pnet::PltsStateId;

/// Who gathers configurations.
struct Beginning {
    updates: Vec<(u32, Reg)>,
    found: BTreeSet<Box<[u64]>>,
    limited: bool,
}

impl Sink for Beginning {
    fn labels(&self) -> bool {
        false
    }

    fn emit(&mut self, run: &Run<'_>, work: &mut Work, base: usize) -> Result<bool, Lack> {
        if let Some((_, why)) = work.unknown {
            return Err(why);
        }
        let mut packed: Box<[u64]> = run.from.into();
        for &(field, register) in &self.updates {
            let field = run.fields[field as usize];
            let value = work.registers[base + register as usize];
            let Some(bits) = field.to_bits(value, run.values.pool) else { return Ok(true) };
            field.put(&mut packed, bits);
        }
        self.found.insert(packed);
        Ok(true)
    }

    fn rival(
        &mut self,
        _: &Run<'_>,
        _: &mut Work,
        _: usize,
        _: usize,
        _: usize,
    ) -> Result<Option<bool>, Lack> {
        Ok(Some(false))
    }

    fn limited(&mut self) {
        self.limited = true;
    }
}

/// A term with variables in the place of symbolic constants.
fn with_variables(
    terms: &mut Terms,
    id: TermId,
    constants: &FxHashMap<ConstId, VarId>,
    done: &mut FxHashMap<TermId, TermId>,
) -> TermId {
    terms.bottom_up(
        id,
        done,
        |_| true,
        |terms, id, done| match terms.get(id) {
            Term::Const(constant) => match constants.get(constant) {
                Some(&var) => terms.var_term(var),
                None => id,
            },
            _ => terms.rebuilt(id, done),
        },
    )
}

impl Compiled<'_> {
    pub(super) fn all_initial(&self) -> Result<(Vec<Packed>, bool), Gap> {
        if self.stopped {
            return Err(Gap::Stopped);
        }
        let mut found: BTreeSet<Box<[u64]>> = BTreeSet::new();
        let (choices, mut limited) = self.choices_of_constants()?;
        let (code, updates) = self.beginning();
        for choice in choices {
            let mut packed = choice;
            for (leaf, plts) in self.net.plts.enumerated() {
                let field = self.places.fields[self.places.states[leaf.place()] as usize];
                field.put(&mut packed, plts.initial.place() as u64);
            }
            let mut sink =
                Beginning { updates: updates.clone(), found: BTreeSet::new(), limited: false };
            let ended = self.run(&packed).go(&code, 0, &mut Work::default(), &mut sink);
            ended.map_err(|lack| self.gap(lack))?;
            limited |= sink.limited;
            found.extend(sink.found);
        }
        Ok((self.in_order(found), limited))
    }

    /// Configurations in the order of what they are.
    fn in_order(&self, found: BTreeSet<Box<[u64]>>) -> Vec<Box<[u64]>> {
        let mut all: Vec<Box<[u64]>> = found.into_iter().collect();
        if all.len() > 1 {
            all.sort_by_cached_key(|packed| self.decoded(packed));
        }
        all
    }

    /// The code that gives values to all variables, and where they go.
    fn beginning(&self) -> (Code, Vec<(u32, Reg)>) {
        let mut compiler = self.compiler();
        let variables: Vec<(VarId, Option<TermId>)> =
            self.net.plts.iter().flat_map(|plts| plts.variables.iter().copied()).collect();
        let free: Vec<VarId> =
            variables.iter().filter(|(_, value)| value.is_none()).map(|(var, _)| *var).collect();
        let mut builder = Builder::new(self.world(), &mut compiler.terms);
        builder.constants = self.places.constants.clone();
        let mut plan = Plan::new(&mut builder, free.iter().copied(), Endless::Tried);
        plan.solve(&free);
        let level = plan.level();
        let mut updates = Vec::new();
        for (var, value) in variables {
            let term = value.unwrap_or_else(|| plan.builder.terms.var_term(var));
            let layout = self.layouts.known(self.net.sort_of(var));
            let register = plan.builder.term_into(term, layout);
            plan.builder.ops.push(Op::Needs { on: register, level });
            // A variable may begin with what another one begins with.
            plan.builder.variables.insert(var, Source::Register(register));
            if let Some(Source::Field(field)) = self.places.of.get(&var) {
                updates.push((*field, register));
            }
        }
        plan.builder.ops.push(Op::Emit);
        plan.close();
        let code = builder.finish().unwrap_or_else(super::compiler::too_large);
        (code, updates)
    }

    /// The values of symbolic constants that the axioms allow, in configurations with nothing else.
    fn choices_of_constants(&self) -> Result<(Vec<Packed>, bool), Gap> {
        let empty: Box<[u64]> = vec![0; self.places.words].into();
        if self.places.constants.is_empty() {
            return Ok((vec![empty], false));
        }
        let (code, updates) = self.choosing();
        let mut sink = Beginning { updates, found: BTreeSet::new(), limited: false };
        let ended = self.run(&empty).go(&code, 0, &mut Work::default(), &mut sink);
        ended.map_err(|lack| self.gap_of_constant(lack))?;
        let mut allowed = Vec::new();
        for choice in self.in_order(sink.found) {
            if self.is_allowed(&choice)? {
                allowed.push(choice);
            }
        }
        Ok((allowed, sink.limited))
    }

    /// The code that finds values for symbolic constants, and where they go.
    fn choosing(&self) -> (Code, Vec<(u32, Reg)>) {
        let mut compiler = self.compiler();
        let Compiler { terms, .. } = &mut *compiler;
        let mut constants: Vec<ConstId> = self.places.constants.keys().copied().collect();
        constants.sort_by_key(|constant| constant.index());
        let mut variables = FxHashMap::default();
        let (mut open, mut bounds) = (Vec::new(), Vec::new());
        for &id in &constants {
            let constant = &self.net.algebra.constants[id.index()];
            let mut sort = constant.sort.clone();
            let is_value = |bound: TermId| terms.as_int(bound).is_some();
            if let Sort::Range(low, high) = sort
                && !(is_value(low) && is_value(high))
            {
                // The bounds are made of other constants, which have to be chosen as well.
                let itself = terms.raw(Term::Const(id));
                bounds.extend([terms.less_equal(low, itself), terms.less(itself, high)]);
                sort = Sort::Int;
            }
            let var = terms.new_var(constant.name, sort, VariableKind::Bound);
            variables.insert(id, var);
            open.push(var);
        }
        let mut done = FxHashMap::default();
        // What functions come to is looked at when all constants have values.
        let plain = |id: &TermId| {
            !self
                .net
                .terms
                .inside([*id])
                .any(|id| matches!(self.net.terms.get(id), Term::Apply(..)))
        };
        let axioms: Vec<TermId> = self.places.axioms.iter().copied().filter(plain).collect();
        let axioms: Vec<TermId> = axioms
            .into_iter()
            .chain(bounds)
            .map(|axiom| with_variables(terms, axiom, &variables, &mut done))
            .collect();
        let mut builder = Builder::new(self.world(), terms);
        let mut plan = Plan::new(&mut builder, open.iter().copied(), Endless::Tried);
        axioms.into_iter().for_each(|axiom| plan.holds(axiom));
        plan.solve(&open);
        let level = plan.level();
        let mut updates = Vec::new();
        for (id, &var) in constants.iter().zip(&open) {
            let term = plan.builder.terms.var_term(var);
            let register = plan.builder.term(term);
            plan.builder.ops.push(Op::Needs { on: register, level });
            if let Some(Source::Field(field)) = self.places.constants.get(id) {
                updates.push((*field, register));
            }
        }
        if !plan.never {
            plan.builder.ops.push(Op::Emit);
        }
        plan.close();
        let code = builder.finish().unwrap_or_else(super::compiler::too_large);
        (code, updates)
    }

    /// Whether the axioms allow these values of symbolic constants.
    fn is_allowed(&self, packed: &[u64]) -> Result<bool, Gap> {
        let mut compiler = self.compiler();
        let mut unknown = None;
        for &axiom in &self.places.axioms {
            let mut builder = Builder::new(self.world(), &mut compiler.terms);
            builder.constants = self.places.constants.clone();
            let result = builder.term(axiom);
            builder.ops.push(Op::Return(result));
            let code = builder.finish().unwrap_or_else(super::compiler::too_large);
            let mut work = Work::default();
            match self.run(packed).value(&code, &mut work) {
                Ok(0) => return Ok(false),
                Ok(NONE) => unknown = Some(work.why),
                Ok(_) => {}
                Err(lack) => unknown = Some(lack),
            }
        }
        drop(compiler);
        unknown.map_or(Ok(true), |lack| Err(self.gap_of_constant(lack)))
    }

    /// A constant without a value is called so, and not by the sort that has too many.
    fn gap_of_constant(&self, lack: Lack) -> Gap {
        match self.gap(lack) {
            Gap::NeedsDomain { name, .. } => Gap::NeedsValue { name },
            other => other,
        }
    }

    pub(super) fn decoded(&self, packed: &[u64]) -> Configuration {
        let values = self.values();
        let read = |field: u32, sort: &crate::algebra::Sort| {
            let word = self.places.fields[field as usize].load(packed, &self.pool);
            self.layouts.known(sort).map_or(Value::Tau, |layout| values.decode(layout, word))
        };
        let constants = self.net.algebra.constants.iter().enumerate().map(|(number, constant)| {
            match self.places.constants.get(&ConstId(number as u32)) {
                Some(Source::Field(field)) => Some(read(*field, &constant.sort)),
                _ => None,
            }
        });
        let leaves = self.net.plts.enumerated();
        let states = leaves.map(|(leaf, _)| PltsStateId::at(self.state(leaf.place(), packed)));
        let of_leaf = |leaf: usize, plts: &crate::pnet::Plts| {
            let first = self.places.variables[leaf];
            let variables = plts.variables.iter().enumerate();
            variables
                .map(|(at, (var, _))| read(first + at as u32, self.net.sort_of(*var)))
                .collect()
        };
        let values: IndexVec<_, Vec<Value>> =
            self.net.plts.enumerated().map(|(leaf, plts)| of_leaf(leaf.place(), plts)).collect();
        Configuration { constants: Arc::new(constants.collect()), states: states.collect(), values }
    }
}
