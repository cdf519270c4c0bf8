//! Clusters: data, actions, processes, interfaces, nets and checks that belong together.

use super::component::{Head, Origin, Source};
use super::{Action, Interface, World};

const ACTIONS: &[&str] =
    &["send", "recv", "start", "stop", "push", "fail", "ack", "grüßen", "отправить"];

impl World<'_> {
    /// A cluster; small, if only a few lines are left.
    pub fn cluster(&mut self, left: usize) {
        self.line("");
        if self.random.one_in(3) {
            self.line(
                "// ---- the next part -----------------------------------------------------------",
            );
            self.line("");
        }
        if self.random.percent(70) {
            self.declare_data();
            self.line("");
        }
        self.components.clear();
        self.interfaces.clear();
        self.actions.clear();
        self.choose_actions();
        // What is declared depends on what is used: the text comes first, the declaration goes before it.
        let before = std::mem::take(&mut self.out);
        self.behaviour(left);
        let body = std::mem::replace(&mut self.out, before);
        self.declare_actions();
        self.out.push_str(&body);
    }

    fn choose_actions(&mut self) {
        for _ in 0..self.random.between(2, 6) {
            let keyword = if self.random.one_in(8) { self.keywords.pop() } else { None };
            let name = match keyword {
                Some(word) => format!("`{word}`"),
                None => self.fresh(ACTIONS),
            };
            let arity = [0, 0, 1, 1, 2, 3][self.random.below(6)];
            let sorts = (0..arity).map(|_| self.some_ty()).collect();
            self.actions.push(Action { name: name.clone(), sorts, used: false });
            if self.random.one_in(4) {
                let sorts = (0..=arity).map(|_| self.some_ty()).collect();
                self.actions.push(Action { name, sorts, used: false });
            }
        }
    }

    fn declare_actions(&mut self) {
        let texts: Vec<String> = self
            .actions
            .iter()
            .filter(|action| action.used)
            .map(|action| {
                let sorts: Vec<String> = action.sorts.iter().map(|ty| self.ty_text(ty)).collect();
                if sorts.is_empty() {
                    action.name.clone()
                } else {
                    format!("{}({})", action.name, sorts.join(", "))
                }
            })
            .collect();
        let mut rest = texts.as_slice();
        while !rest.is_empty() {
            let (some, others) = rest.split_at(self.random.between(1, 4).min(rest.len()));
            self.line(&format!("action {};", some.join(", ")));
            rest = others;
        }
        self.line("");
    }

    fn behaviour(&mut self, left: usize) {
        let large = left > 60;
        for _ in 0..self.random.between(1, if large { 4 } else { 1 }) {
            let process = self.process();
            if self.random.one_in(2) {
                self.interface(process);
            }
        }
        for _ in 0..self.random.below(if large { 4 } else { 2 }) {
            if self.random.one_in(3) {
                self.alias();
            } else {
                self.block_net();
            }
        }
        if !self.library_used || self.random.one_in(3) {
            self.library_used = true;
            self.library();
        }
        if self.random.percent(60) {
            self.checks();
        }
    }

    /// An interface with the actions of a process, unless it complements some or is given them.
    fn interface(&mut self, process: usize) {
        let plain = |source: &Source| matches!(source.origin, Origin::Head(Head::Plain(_)));
        let component = &self.components[process];
        if component.offer.is_empty() || !component.offer.iter().all(plain) {
            return;
        }
        let actions: Vec<usize> = component.certain().iter().map(|head| head.action()).collect();
        let name = self.fresh(&["Operand", "Schnittstelle", "Users"]);
        let texts: Vec<String> = actions
            .iter()
            .map(|&id| {
                let sorts: Vec<String> =
                    self.actions[id].sorts.iter().map(|ty| self.ty_text(ty)).collect();
                self.action_text(id, &sorts)
            })
            .collect();
        self.line(&format!("interface {name} {{ {} }}", texts.join(", ")));
        self.line("");
        self.interfaces.push(Interface { name, actions });
    }

    // ---- the library ----

    /// Nets that are made of the library's.
    fn library(&mut self) {
        if self.has_lotos {
            let (name, instance) = (self.fresh(&["Job"]), self.lotos(2));
            self.line(&format!("net {name} = {instance};"));
        }
        if self.has_ccs {
            let (name, instance) = (self.fresh(&["Agent"]), self.ccs(2));
            self.line(&format!("net {name} = {instance};"));
        }
    }

    fn some_action(&mut self) -> String {
        let id = self.random.below(self.actions.len());
        self.action_value(id)
    }

    fn lotos(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(2) {
                0 => "Stop".to_owned(),
                _ => format!("Exit<{}>", self.some_action()),
            };
        }
        let one = self.lotos(depth - 1);
        match self.random.below(6) {
            0 => format!("Prefix<{}>({one})", self.some_action()),
            1 => format!("Choice({one}, {})", self.lotos(depth - 1)),
            2 => format!("Enable<{}>({one}, {})", self.set().0, self.lotos(depth - 1)),
            3 => format!("Par<{}>(L: {one}, R: {})", self.set().0, self.lotos(depth - 1)),
            4 => format!("Hide<{}>({one})", self.set().0),
            _ => format!("Disable<{}>({one}, {})", self.set().0, self.lotos(depth - 1)),
        }
    }

    fn ccs(&mut self, depth: usize) -> String {
        if depth == 0 {
            return "ccs.Nil".to_owned();
        }
        let one = self.ccs(depth - 1);
        match self.random.below(5) {
            0 | 1 => {
                let co = *self.random.pick(&["", "co "]);
                format!("ccs.Prefix<{co}{}>({one})", self.some_action())
            }
            2 => format!("ccs.Choice({one}, {})", self.ccs(depth - 1)),
            3 => format!("ccs.Par({one}, {})", self.ccs(depth - 1)),
            _ => format!("ccs.Restrict<{}>({one})", self.set().0),
        }
    }
}
