//! The end of what is over sorts: instances for sorts of values get their definitions and names, and all else that has
//! parameters is taken away, so that later stages meet plain datatypes and functions only.

use super::Sema;
use super::generic::{MOST_PARTS, Put};
use super::problems::{ManyInstances, SortTooLarge};
use super::program::{DataId, FunId, Sort};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;

/// More instances than this are no model that anybody wrote.
const MOST_INSTANCES: usize = 4_000;
/// Sorts inside of sorts are named so deep.
const DEEPEST_NAMED: usize = 5;

impl Sema<'_> {
    /// Makes the definitions of instances, and takes away what has parameters.
    pub(super) fn specialise(&mut self) {
        if self.program.sort_params.is_empty() {
            return;
        }
        self.define_functions();
        self.name_functions();
        self.name_datatypes();
        self.take_away();
    }

    /// The definitions of all instances that there are values for, and of those that they need.
    fn define_functions(&mut self) {
        let (mut index, mut made) = (0, 0);
        while index < self.program.funs.len() && !is_spent() {
            if self.is_whole(FunId(index as u32)) {
                self.define(FunId(index as u32));
                made += 1;
            }
            index += 1;
            if made > MOST_INSTANCES {
                let named = self.program.funs[index - 1].named;
                let (span, name) = (named.span, named.name.to_string());
                self.report(ManyInstances { span, name, limit: MOST_INSTANCES });
                return;
            }
        }
    }

    /// Whether a function is an instance for sorts of values.
    fn is_whole(&self, id: FunId) -> bool {
        let instance = &self.program.funs[id.index()].instance;
        instance
            .as_ref()
            .is_some_and(|(_, sorts)| sorts.iter().all(|&sort| self.program.is_of_values(sort)))
    }

    fn define(&mut self, id: FunId) {
        let Some((generic, sorts)) = self.program.funs[id.index()].instance.clone() else { return };
        let of = &self.program.funs[generic.index()];
        let put: Put = of.sorts.iter().copied().zip(sorts).collect();
        let (mut body, mut measures) = (of.body.clone(), of.measures.clone());
        let mut locals = of.locals.clone();
        body.iter_mut().chain(&mut measures).for_each(|expr| self.put_expr(expr, &put));
        self.put_locals(&mut locals, &put);
        if std::mem::take(&mut self.instances.too_large) {
            let span = self.program.funs[generic.index()].named.span;
            self.report(SortTooLarge { span, limit: MOST_PARTS as usize });
        }
        let def = &mut self.program.funs[id.index()];
        (def.body, def.measures, def.locals) = (body, measures, locals);
    }

    fn name_functions(&mut self) {
        for index in 0..self.program.funs.len() {
            let fun = &self.program.funs[index];
            if let Some((_, sorts)) = &fun.instance {
                let own = fun.named.name;
                let name = self.program.with_sorts(own.as_str(), sorts, DEEPEST_NAMED);
                self.program.funs[index].named.name = Symbol::new(&name);
            }
        }
    }

    fn name_datatypes(&mut self) {
        let datas = 0..self.program.datas.len();
        let names: Vec<String> =
            datas.map(|index| self.program.data_name(DataId(index as u32))).collect();
        for (data, name) in self.program.datas.iter_mut().zip(names) {
            if data.instance.is_some() {
                data.named.name = Symbol::new(&name);
            }
        }
    }

    /// What has parameters has no values: nothing is left of it but its place.
    fn take_away(&mut self) {
        for index in 0..self.program.datas.len() {
            if !self.program.is_of_values(Sort::Data(DataId(index as u32))) {
                self.program.datas[index].constructors.clear();
            }
        }
        for index in 0..self.program.funs.len() {
            let fun = &self.program.funs[index];
            let open = !fun.sorts.is_empty()
                || fun.instance.is_some() && !self.is_whole(FunId(index as u32));
            if open {
                let fun = &mut self.program.funs[index];
                (fun.body, fun.result) = (None, Sort::Bool);
                fun.params.clear();
                fun.measures.clear();
                fun.locals.clear();
            }
        }
    }
}
