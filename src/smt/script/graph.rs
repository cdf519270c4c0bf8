//! What must be declared together, and in which order.

/// The strongly connected parts of a graph, each in order, and those that others lead to first.
///
/// Tarjan's algorithm with a stack of its own: chains can be long.
pub(super) fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        edges,
        number: vec![usize::MAX; edges.len()],
        low: vec![0; edges.len()],
        waiting: Vec::new(),
        is_waiting: vec![false; edges.len()],
        count: 0,
        found: Vec::new(),
    };
    for start in 0..edges.len() {
        if search.number[start] == usize::MAX {
            search.visit(start);
        }
    }
    search.found
}

struct Search<'e> {
    edges: &'e [Vec<usize>],
    /// When each was met.
    number: Vec<usize>,
    /// The first that was met of those it leads to.
    low: Vec<usize>,
    /// Met, but in no component yet.
    waiting: Vec<usize>,
    is_waiting: Vec<bool>,
    count: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, start: usize) {
        self.meet(start);
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.pop() {
            match self.edges[node].get(next) {
                Some(&to) => {
                    path.push((node, next + 1));
                    if self.number[to] == usize::MAX {
                        self.meet(to);
                        path.push((to, 0));
                    } else if self.is_waiting[to] {
                        self.low[node] = self.low[node].min(self.number[to]);
                    }
                }
                None => {
                    if let Some(&(parent, _)) = path.last() {
                        self.low[parent] = self.low[parent].min(self.low[node]);
                    }
                    self.leave(node);
                }
            }
        }
    }

    fn meet(&mut self, node: usize) {
        self.number[node] = self.count;
        self.low[node] = self.count;
        self.count += 1;
        self.waiting.push(node);
        self.is_waiting[node] = true;
    }

    /// Everything that was met since a node is one component, if it leads no further back.
    fn leave(&mut self, node: usize) {
        if self.low[node] != self.number[node] {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.waiting.pop() {
            self.is_waiting[member] = false;
            component.push(member);
            if member == node {
                break;
            }
        }
        component.sort_unstable();
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn what_others_need_comes_first() {
        // 0 and 2 need each other, and 3; 1 needs 0; 4 needs itself.
        let edges = [vec![2], vec![0], vec![0, 3], vec![], vec![4]];
        assert_eq!(components(&edges), [vec![3], vec![0, 2], vec![1], vec![4]]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let many = 300_000;
        let edges: Vec<Vec<usize>> =
            (0..many).map(|node| if node + 1 < many { vec![node + 1] } else { vec![] }).collect();
        let found = components(&edges);
        assert_eq!(found.len(), many);
        assert_eq!(found[0], [many - 1]);
    }
}
