//! Instances: processes and nets with their values, and holes with what fills them, at any depth.

use std::rc::Rc;

use super::Target;
use super::build::Builder;
use super::env::{Env, Site};
use super::filling::{deeper_fills, fill_for};
use super::lower::{Scope, Value};
use super::problems::{NeedsSet, NoSize};
use crate::algebra::TermId;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Content, InstanceId, Instantiation};
use crate::sema::program::{
    Argument, Component, Expr, Instance, Local, LocalId, NetBody, NetId, ProcessId, Sort,
};

impl<'p> Builder<'p> {
    /// A component, whose parameters stand for any value. Where it is another name for an instance, `apart` says whether
    /// what fills that one's holes is left out.
    pub fn target(&mut self, target: Target, apart: bool) -> Option<(Symbol, Content)> {
        let program = self.program;
        match target {
            Target::Process(id) => {
                let process = &program.processes[id.index()];
                let named = process.named;
                let scope =
                    self.symbolic_parameters(&process.locals, process.parameters, named.span)?;
                Some((named.name, self.leaf(id, scope, None)))
            }
            Target::Net(id) => {
                let net = &program.nets[id.index()];
                let scope =
                    self.symbolic_parameters(&net.locals, net.parameters, net.named.span)?;
                let env = Env { scope, level: 1, ..Env::at_top(&net.locals) };
                let holes = Rc::new(self.slots(&net.holes, &env, |_, _| None)?);
                Some((net.named.name, self.net(id, &Rc::new(Env { holes, ..env }), apart)?))
            }
        }
    }

    /// An instance that stands for itself, as in a check.
    pub fn alone(
        &mut self,
        instance: &'p Instance,
        locals: &'p [Local],
        apart: bool,
    ) -> Option<(Symbol, Content)> {
        let name = self.name_of(instance)?;
        let site = Site { apart, ..Site::TOP };
        Some((name, self.content(instance, &Rc::new(Env::at_top(locals)), site)?))
    }

    /// The name of what is instantiated.
    pub fn name_of(&self, instance: &Instance) -> Option<Symbol> {
        match instance.component {
            Component::Process(id) => Some(self.program.processes[id.index()].named.name),
            Component::Net(id) => Some(self.program.nets[id.index()].named.name),
            Component::Architecture(id) => Some(self.program.architectures[id.index()].named.name),
            Component::Hole(..) | Component::Error => None,
        }
    }

    /// What an instance comes to.
    pub fn content(
        &mut self,
        instance: &'p Instance,
        env: &Rc<Env<'p>>,
        site: Site<'_, 'p>,
    ) -> Option<Content> {
        if !self.count(instance.span) {
            return None;
        }
        match &instance.component {
            Component::Error => None,
            Component::Architecture(id) => {
                let named = self.program.architectures[id.index()].named;
                self.report(NoSize { span: instance.span, name: named.name.to_string() });
                None
            }
            Component::Hole(number, index) => {
                self.passed_hole(instance.span, (*number, index.as_deref()), env, site)
            }
            Component::Process(id) => Some(self.process_instance(instance, *id, env, site)),
            Component::Net(id) => self.net_instance(instance, *id, env, site),
        }
    }

    /// A hole of the net around, in the place of an instance.
    fn passed_hole(
        &mut self,
        span: Span,
        (number, index): (usize, Option<&'p Expr>),
        env: &Rc<Env<'p>>,
        site: Site<'_, 'p>,
    ) -> Option<Content> {
        let index = match index {
            Some(expr) => {
                let term = self.lowering().term(expr, &env.scope);
                Some(self.terms.as_int(term).cloned().unwrap_or_default())
            }
            None => site.index.cloned(),
        };
        let slot = self.find_slot(&env.holes[number], index, span, env)?;
        self.slot(&slot, env.instance, Site { apart: false, ..site })
    }

    fn process_instance(
        &mut self,
        instance: &'p Instance,
        id: ProcessId,
        env: &Env<'p>,
        site: Site<'_, 'p>,
    ) -> Content {
        let process = &self.program.processes[id.index()];
        let scope = self.arguments(&instance.values, env, &process.locals);
        let made = self.made_here(site.path, process.named.name, instance.span, env.instance);
        self.leaf(id, scope, Some(made))
    }

    fn net_instance(
        &mut self,
        instance: &'p Instance,
        id: NetId,
        env: &Rc<Env<'p>>,
        Site { path, inner, level, apart, .. }: Site<'_, 'p>,
    ) -> Option<Content> {
        let net = &self.program.nets[id.index()];
        let scope = self.arguments(&instance.values, env, &net.locals);
        let made = self.made_here(path, net.named.name, instance.span, env.instance);
        let (path, instance_of) = (path.to_owned(), Some(made));
        let top = Env::at_top(&net.locals);
        let new = Env { scope, path, instance: instance_of, level: level + 1, ..top };
        // Another name for an instance: what fills that one's holes is meant.
        let is_name = instance.fills.is_empty() && matches!(net.body, NetBody::Alias(_));
        let fills = self.constant_fills(instance, env);
        let said = |hole: &_, index| fill_for(hole, index, &fills, (env, apart), inner);
        let holes = Rc::new(self.slots(&net.holes, &new, said)?);
        let inner = Rc::new(deeper_fills(net, &fills, (env, apart), inner));
        self.net(id, &Rc::new(Env { holes, inner, ..new }), apart && is_name)
    }

    fn made_here(
        &mut self,
        path: &str,
        component: Symbol,
        span: Span,
        outer: Option<InstanceId>,
    ) -> InstanceId {
        let part = if path.is_empty() { component.to_string() } else { path.to_owned() };
        self.origins.instantiate(Instantiation { part, component, span, outer })
    }

    // ---- parameters ----

    /// Parameters of what is elaborated stand for any value.
    fn symbolic_parameters(
        &mut self,
        locals: &'p [Local],
        count: usize,
        component: Span,
    ) -> Option<Scope<'p>> {
        let mut scope = Scope::new(locals);
        for (index, local) in locals.iter().enumerate().take(count) {
            if local.sort == Sort::Actions {
                let (span, name) = (local.span, local.name.to_string());
                self.report(NeedsSet { span, name, component });
                return None;
            }
            let mut lowering = self.lowering();
            lowering.inhabited(local.sort, &scope, None);
            let sort = lowering.sort(local.sort, &scope);
            let term = self.symbolic(local.name, sort);
            scope.set(LocalId(index as u32), term);
        }
        Some(scope)
    }

    /// The value parameters of an instance.
    pub fn arguments(
        &mut self,
        values: &'p [Argument],
        env: &Env<'p>,
        locals: &'p [Local],
    ) -> Scope<'p> {
        let mut scope = Scope::new(locals);
        for (index, argument) in values.iter().enumerate() {
            let value = match argument {
                Argument::Value(expr) => {
                    Value::Term(self.argument(expr, env, locals[index].sort, &scope))
                }
                Argument::Set(set) => {
                    let (set, owed) = self.lowering().owing(|l| l.set(set, &env.scope));
                    self.lowering().require(owed, env.instance);
                    Value::Set(set)
                }
            };
            scope.values.insert(LocalId(index as u32), value);
        }
        scope
    }

    /// A value for a parameter: one of its sort, whose bounds may use the parameters before it.
    fn argument(&mut self, expr: &'p Expr, env: &Env<'p>, sort: Sort, scope: &Scope<'p>) -> TermId {
        let mut lowering = self.lowering();
        lowering.inhabited(sort, scope, env.instance);
        let sort = lowering.sort(sort, scope);
        lowering.required(expr, &sort, (&env.scope, env.instance))
    }
}
