//! Checks, relations, invariants and reductions.

use super::World;
use super::component::{Around, Head, Instance, Kind, Param, Target, certain};
use super::expr::Scope;

const COMPARISONS: &[&str] = &["bisimilar", "weakly_bisimilar", "refines", "weakly_refines"];

/// What systems are reduced by, and what the result preserves.
const RELATIONS: &[&str] =
    &["strong", "dpbranching", "branching", "weak", "safety", "trace", "weak_trace"];

/// The relations that preserve what this one does.
fn finer(root: &str) -> &'static [&'static str] {
    match root {
        "strong" => &["strong"],
        "dpbranching" => &["strong", "dpbranching"],
        "branching" => &["strong", "dpbranching", "branching"],
        "weak" => &["strong", "dpbranching", "branching", "weak"],
        "safety" => &["strong", "dpbranching", "branching", "weak", "safety"],
        "trace" => &["strong", "trace"],
        _ => RELATIONS,
    }
}

impl World<'_> {
    /// A few checks of what the cluster has.
    pub fn checks(&mut self) {
        for _ in 0..self.random.between(1, 4) {
            match self.random.below(11) {
                0 | 1 => self.comparison(),
                2 => self.size(),
                3 => self.relation(),
                4 | 5 => self.property(),
                6 => self.live(),
                7 | 8 => self.scenario(),
                _ => {
                    let (instance, _) = self.any_instance();
                    let kind = *self.random.pick(&[
                        "deadlock_free",
                        "nonblocking",
                        "deterministic",
                        "terminates",
                    ]);
                    let by = match kind {
                        "deadlock_free" => self.reduction(&instance, &["strong", "dpbranching"]),
                        _ => String::new(),
                    };
                    self.question(&format!("{kind}({}){by}", instance.text));
                }
            }
        }
    }

    fn question(&mut self, text: &str) {
        let not = if self.random.one_in(4) { "not " } else { "" };
        self.line(&format!("check {not}{text};"));
    }

    /// An instance of something of the cluster, and the names of the holes that it leaves open.
    fn any_instance(&mut self) -> (Instance, Vec<String>) {
        let id = self.random.below(self.components.len());
        let mut around = Around::default();
        let instance = self.instance(id, &mut around, None, 1);
        let single = around.holes.iter().filter(|hole| hole.path.len() == 1);
        let holes = single.map(|hole| hole.path[0].clone()).collect();
        (instance, holes)
    }

    fn comparison(&mut self) {
        let ((a, mut holes), (b, _)) = (self.any_instance(), self.any_instance());
        let kind = *self.random.pick(COMPARISONS);
        holes.dedup();
        let tracking = if kind.ends_with("refines") && !holes.is_empty() {
            format!(" tracking {{ {} }}", holes.join(", "))
        } else {
            String::new()
        };
        self.question(&format!("{kind}({}, {}){tracking}", a.text, b.text));
    }

    fn size(&mut self) {
        let (instance, _) = self.any_instance();
        self.size_of(&instance);
    }

    fn size_of(&mut self, instance: &Instance) {
        let (states, transitions) = (self.random.below(20), self.random.below(50));
        self.question(&format!("size({}) == ({states}, {transitions})", instance.text));
    }

    /// An action that something may show, or a set of them.
    fn live(&mut self) {
        let (instance, _) = self.any_instance();
        let mut shown: Vec<String> = vec!["tau".to_owned(), "_".to_owned()];
        for head in certain(&instance.offer) {
            shown.push(match head {
                Head::Plain(id) if self.random.one_in(2) => self.action_value(id),
                Head::Plain(id) => self.blank_action(id),
                Head::Co(id) => format!("co {}", self.blank_action(id)),
            });
        }
        let pattern = match self.random.one_in(4) {
            true => format!("{{ {} }}", shown[2..].join(", ")),
            false => self.random.pick(&shown).clone(),
        };
        self.question(&format!("live({}, {pattern})", instance.text));
    }

    /// A run with gaps, values that are bound and must fit again, and demands.
    fn scenario(&mut self) {
        let (instance, _) = self.any_instance();
        let mut steps: Vec<String> = Vec::new();
        for head in certain(&instance.offer) {
            let step = match head {
                Head::Plain(id) if self.random.one_in(3) => {
                    let names = self.actions[id].sorts.len();
                    let names: Vec<String> = (0..names).map(|_| self.fresh(&["w"])).collect();
                    let step = self.action_text(id, &names);
                    steps.push(step.clone());
                    step
                }
                Head::Plain(id) if self.random.one_in(2) => self.action_value(id),
                Head::Plain(id) => self.blank_action(id),
                Head::Co(id) => format!("co {}", self.blank_action(id)),
            };
            steps.push(step);
            let more = *self.random.pick(&["..", "tau", "_", "sync _"]);
            steps.push(more.to_owned());
        }
        if let Some(leaves) = self.leaves(&instance) {
            let mut scope = self.leaf_scope(&[&leaves]);
            self.see_params(&instance, &leaves, &mut scope);
            self.in_property = true;
            let demand = self.truth(&mut scope, 1);
            self.in_property = false;
            steps.extend(demand.map(|demand| format!("[{}]", demand.text)));
        }
        let not = if self.random.one_in(3) { "not " } else { "" };
        let name = self.fresh(&["run", "lauf"]);
        let name = if self.random.one_in(3) { format!("\"{name} twice\"") } else { name };
        self.line(&format!("scenario {not}{name} of {} {{", instance.text));
        for step in steps {
            self.line(&format!("    {step};"));
        }
        self.line("}");
    }

    /// The variables of leaves, by names that are not ambiguous.
    fn leaf_scope(&self, nets: &[&[(Vec<String>, usize)]]) -> Scope {
        let mut scope = Scope { is_property: true, ..Scope::default() };
        let all: Vec<&(Vec<String>, usize)> =
            nets.iter().flat_map(|leaves| leaves.iter()).collect();
        for (path, process) in all.iter().copied() {
            let Kind::Process { vars, .. } = &self.components[*process].kind else { continue };
            for (name, ty) in vars {
                let has = |(_, other): &&&(Vec<String>, usize)| match &self.components[*other].kind
                {
                    Kind::Process { vars, .. } => vars.iter().any(|(one, _)| one == name),
                    _ => false,
                };
                let text = match path.last() {
                    _ if all.iter().filter(has).count() == 1 => name.clone(),
                    Some(leaf)
                        if all.iter().filter(|(p, _)| p.last() == Some(leaf)).count() == 1 =>
                    {
                        format!("{leaf}.{name}")
                    }
                    _ => continue,
                };
                scope.add(text, ty.clone());
            }
        }
        scope
    }

    fn property(&mut self) {
        let (instance, _) = self.any_instance();
        let Some(leaves) = self.leaves(&instance) else { return self.about_family(&instance) };
        let mut scope = self.leaf_scope(&[&leaves]);
        self.see_params(&instance, &leaves, &mut scope);
        let mut claims: Vec<String> = Vec::new();
        self.in_property = true;
        claims.extend(self.truth(&mut scope, 2).map(|truth| truth.at(super::text::NOT)));
        self.in_property = false;
        let named = |leaf: &&(Vec<String>, usize)| leaf.0.last().is_some();
        let leaf = leaves.iter().filter(named).find(|(path, _)| {
            leaves.iter().filter(|(other, _)| other.last() == path.last()).count() == 1
        });
        if let Some((path, process)) = leaf {
            let states = match &self.components[*process].kind {
                Kind::Process { states, .. } => states.clone(),
                _ => Vec::new(),
            };
            let state = self.random.pick(&states).clone();
            let word = *self.random.pick(&["in", "not in"]);
            let set =
                if self.random.one_in(3) { format!("{{ {} }}", states.join(", ")) } else { state };
            claims.push(format!("{} {word} {set}", path[path.len() - 1]));
        }
        if claims.is_empty() {
            return self.size_of(&instance);
        }
        self.random.shuffle(&mut claims);
        let kind = *self.random.pick(&["always", "reaches"]);
        let joint = *self.random.pick(&[" and ", " or ", " => "]);
        let by = match self.invariant(&instance, &claims) {
            none if none.is_empty() => self.reduction(&instance, RELATIONS),
            by => by,
        };
        self.question(&format!("{kind}({}, {}){by}", instance.text, claims.join(joint)));
    }

    /// Parameters of the net that no leaf's variable hides.
    fn see_params(&self, of: &Instance, leaves: &[(Vec<String>, usize)], scope: &mut Scope) {
        let Target::Component(id) = of.target else { return };
        for param in &self.components[id].params {
            let Param::Value(name, ty) = param else { continue };
            let hides = |(_, process): &(Vec<String>, usize)| match &self.components[*process].kind
            {
                Kind::Process { vars, .. } => vars.iter().any(|(one, _)| one == name),
                _ => false,
            };
            if !leaves.iter().any(hides) {
                scope.add(name.clone(), ty.clone());
            }
        }
    }

    /// A claim about several members of a family.
    fn about_family(&mut self, instance: &Instance) {
        if self.random.one_in(3) {
            return self.counted(instance);
        }
        let Target::Component(id) = instance.target else { return self.size_of(instance) };
        let mut claims: Vec<String> = Vec::new();
        if let Kind::Block(subs) = &self.components[id].kind {
            for (name, _, sub) in subs.iter().filter(|(_, family, _)| *family) {
                let Target::Component(of) = sub.target else { continue };
                let Kind::Process { vars, states } = &self.components[of].kind else { continue };
                let next = format!("{name}[(i + 1) mod 2]");
                claims.push(format!("{name}[i] in {}", states[0]));
                claims.push(format!("{next} not in {{ {} }}", states.join(", ")));
                claims
                    .extend(vars.iter().map(|(var, _)| format!("{name}[i].{var} == {next}.{var}")));
            }
        }
        if claims.is_empty() {
            return self.size_of(instance);
        }
        self.random.shuffle(&mut claims);
        claims.truncate(3);
        let kind = *self.random.pick(&["always", "reaches"]);
        let quantifier = *self.random.pick(&["forall", "exists"]);
        let joint = *self.random.pick(&[" and ", " or ", " => "]);
        let of_members = |claim: &String| claim.contains("(i + 1)");
        let claim = match claims.iter().any(of_members) || self.random.one_in(2) {
            true => format!("{quantifier} i: 0..2 . {}", claims.join(joint)),
            false => self.of_members(quantifier, &claims, joint),
        };
        let by = self.invariant(instance, std::slice::from_ref(&claim));
        self.question(&format!("{kind}({}, {claim}){by}", instance.text));
    }

    /// The same claims of the members themselves.
    fn of_members(&mut self, quantifier: &str, claims: &[String], joint: &str) -> String {
        let family = |claim: &String| claim.split('[').next().unwrap_or_default().to_owned();
        let mut families: Vec<String> = claims.iter().map(family).collect();
        families.sort();
        families.dedup();
        let name = |family: &str| format!("of_{family}");
        let bound: Vec<String> =
            families.iter().map(|one| format!("{} in {one}", name(one))).collect();
        let mut said: Vec<String> = claims.to_vec();
        for claim in &mut said {
            for one in &families {
                *claim = claim.replace(&format!("{one}[i]"), &name(one));
            }
        }
        if self.random.one_in(2) {
            let one = families[0].clone();
            let same = *self.random.pick(&["==", "!="]);
            said.push(format!("({quantifier} other in {one} . {} {same} other)", name(&one)));
        }
        format!("{quantifier} {} . {}", bound.join(", "), said.join(joint))
    }

    /// How many members of families are in some states.
    fn counted(&mut self, instance: &Instance) {
        let Target::Component(id) = instance.target else { return self.size_of(instance) };
        let mut parts: Vec<String> = Vec::new();
        if let Kind::Block(subs) = &self.components[id].kind {
            for (name, family, sub) in subs {
                let Target::Component(of) = sub.target else { continue };
                let Kind::Process { states, .. } = &self.components[of].kind else { continue };
                parts.push(match states.len() % 2 {
                    0 => format!("{name} in {}", states[0]),
                    _ => format!("{name} in {{ {} }}", states.join(", ")),
                });
                if *family {
                    parts.push(format!("{name}[1] in {}", states[0]));
                }
            }
        }
        if parts.is_empty() {
            return self.size_of(instance);
        }
        self.random.shuffle(&mut parts);
        parts.truncate(3);
        let counted = parts.join(" or ");
        let count = match self.random.below(3) {
            0 => format!("mutex({}, {counted})", instance.text),
            _ => format!("at_most({}, {}, {counted})", instance.text, self.random.below(4)),
        };
        self.question(&count);
    }

    /// Now and then an invariant of a net, with the clause that uses it.
    fn invariant(&mut self, of: &Instance, conditions: &[String]) -> String {
        if !self.random.one_in(3) {
            return String::new();
        }
        let name = self.fresh(&["Holds", "Gilt"]);
        self.line(&format!("invariant {name} of {} {{", of.text));
        for condition in conditions {
            self.line(&format!("    {condition};"));
        }
        self.line("}");
        if self.random.one_in(3) {
            self.question(&format!("deadlock_free({}) by {name}", of.text));
        }
        format!(" by {name}")
    }

    /// Now and then a reduction of a net to one of these relations, with the clause that uses it.
    fn reduction(&mut self, of: &Instance, roots: &'static [&'static str]) -> String {
        if !self.random.one_in(3) {
            return String::new();
        }
        let mut parts: Vec<String> = match of.target {
            Target::Component(id) => match &self.components[id].kind {
                Kind::Block(subs) => {
                    let part = |(name, family, _): &(String, bool, Instance)| match family {
                        true => format!("{name}[{}]", name.len() % 2),
                        false => name.clone(),
                    };
                    subs.iter().map(part).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        self.random.shuffle(&mut parts);
        let name = self.fresh(&["Small", "Klein"]);
        self.line(&format!("reduction {name} of {} {{", of.text));
        if let [one, others @ ..] = parts.as_slice()
            && !others.is_empty()
        {
            if self.random.one_in(2) {
                self.line(&format!("    restrict {one} by {};", others.join(", ")));
            }
            if self.random.one_in(2) {
                self.line(&format!("    compose {} first;", parts.join(", ")));
            }
        }
        let root = self.random.one_in(2).then(|| *self.random.pick(roots));
        if self.random.one_in(2) {
            let leaf = *self.random.pick(root.map_or(roots, finer));
            self.line(&format!("    leaf {leaf};"));
        }
        if let Some(root) = root {
            self.line(&format!("    root {root};"));
        }
        self.line("}");
        format!(" by {name}")
    }

    fn relation(&mut self) {
        let used = self.used();
        let ((a, _), (b, _)) = (self.any_instance(), self.any_instance());
        let leaves = self.leaves(&a).zip(self.leaves(&b));
        let Some((left, right)) = leaves.filter(|(l, r)| !l.is_empty() && !r.is_empty()) else {
            return self.forget_uses(&used);
        };
        let name = self.fresh(&["Same", "Gleich"]);
        self.line(&format!("relation {name}({}, {}) {{", a.text, b.text));
        for _ in 0..self.random.between(1, 3) {
            let (l, r) = (self.states_of(&left), self.states_of(&right));
            let mut scope = self.leaf_scope(&[&left, &right]);
            self.in_property = true;
            let truth = self.truth(&mut scope, 1);
            self.in_property = false;
            let guard = match truth {
                Some(truth) if self.random.one_in(2) => format!(" when {}", truth.text),
                _ => String::new(),
            };
            self.line(&format!("    ({l}, {r}){guard};"));
        }
        self.line("}");
        let kind = *self.random.pick(COMPARISONS);
        self.question(&format!("{kind}({}, {}) by {name}", a.text, b.text));
    }

    fn states_of(&mut self, leaves: &[(Vec<String>, usize)]) -> String {
        let mut states: Vec<String> = Vec::new();
        for (_, process) in leaves {
            if let Kind::Process { states: all, .. } = &self.components[*process].kind {
                states.push(self.random.pick(all).clone());
            }
        }
        states.join(".")
    }
}
