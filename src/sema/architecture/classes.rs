//! Who can stand behind a name: names that are passed to each other are one class, and all components that rules make for
//! one of them can stand behind the others. That is more than there are in any unfolding, and never less.

use super::Reading;
use super::def::HeadDef;

/// Classes of names.
pub(super) struct Classes {
    /// For each rule and name, its class.
    of: Vec<Vec<usize>>,
    /// The kinds of components of each class, in order.
    pub kinds: Vec<Vec<usize>>,
}

impl Classes {
    pub fn of(heads: &[HeadDef], rules: &[Reading<'_>]) -> Classes {
        let mut joining = Joining { parent: Vec::new() };
        let parameters: Vec<Vec<usize>> = heads
            .iter()
            .map(|head| (0..head.parameters).map(|_| joining.fresh()).collect())
            .collect();
        let mut nodes: Vec<Vec<usize>> = Vec::new();
        for rule in rules {
            let own: Vec<usize> = rule.names.iter().map(|_| joining.fresh()).collect();
            let head = heads.iter().position(|head| head.name.name == rule.rule.name.name);
            let given = head.map_or(&[][..], |head| &parameters[head]);
            for (name, parameter) in own.iter().take(rule.rule.params.len()).zip(given) {
                joining.join(*name, *parameter);
            }
            for part in &rule.parts {
                for (&name, &parameter) in part.names.iter().zip(&parameters[part.head]) {
                    joining.join(own[name], parameter);
                }
            }
            nodes.push(own);
        }
        joining.classes(&nodes, rules)
    }

    /// The class of a name of a rule.
    pub fn class(&self, rule: usize, name: usize) -> usize {
        self.of[rule][name]
    }
}

struct Joining {
    parent: Vec<usize>,
}

impl Joining {
    fn fresh(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.parent.len() - 1
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other)] = one.min(other);
    }

    fn classes(mut self, nodes: &[Vec<usize>], rules: &[Reading<'_>]) -> Classes {
        let mut numbers: Vec<Option<usize>> = vec![None; self.parent.len()];
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        let mut of = Vec::new();
        for own in nodes {
            let mut classes = Vec::with_capacity(own.len());
            for &node in own {
                let root = self.root(node);
                let number = *numbers[root].get_or_insert_with(|| {
                    kinds.push(Vec::new());
                    kinds.len() - 1
                });
                classes.push(number);
            }
            of.push(classes);
        }
        for (rule, classes) in rules.iter().zip(&of) {
            for made in &rule.made {
                let known: &mut Vec<usize> = &mut kinds[classes[made.name]];
                if !known.contains(&made.kind) {
                    known.push(made.kind);
                }
            }
        }
        kinds.iter_mut().for_each(|all| all.sort_unstable());
        Classes { of, kinds }
    }
}
