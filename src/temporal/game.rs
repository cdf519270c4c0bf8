//! Parity games (Zielonka, 1998), component by component, so that games without alternation take linear time.
//!
//! The verifier wins a play that visits infinitely often a node of an even rank and only finitely often one of a larger
//! rank; who cannot move loses.

use crate::base::budget::is_spent;

/// A game. Nodes are numbers, since there are as many as pairs of a configuration and a part of a formula.
#[derive(Debug, Default)]
pub(super) struct Game {
    /// Where each node leads.
    pub moves: Vec<Vec<u32>>,
    /// Whether the verifier moves there.
    pub of_verifier: Vec<bool>,
    /// The ranks.
    pub ranks: Vec<u32>,
}

/// The strongly connected components of a graph of so many nodes; those that others lead to come first. `next_of` gives where a
/// node leads, one after the other.
pub(super) fn components(
    count: usize,
    next_of: &dyn Fn(usize, usize) -> Option<u32>,
) -> Vec<Vec<usize>> {
    const NEW: u32 = u32::MAX;
    let (mut number, mut low) = (vec![NEW; count], vec![0_u32; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if number[root] != NEW {
            continue;
        }
        let mut walk = vec![(root, 0)];
        while let Some((node, at)) = walk.pop() {
            if at == 0 {
                (number[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(to) = next_of(node, at) {
                let to = to as usize;
                walk.push((node, at + 1));
                if number[to] == NEW {
                    walk.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(number[to]);
                }
                continue;
            }
            if let Some(&(before, _)) = walk.last() {
                low[before] = low[before].min(low[node]);
            }
            if low[node] == number[node] {
                let mut component = Vec::new();
                while let Some(one) = stack.pop() {
                    on_stack[one] = false;
                    component.push(one);
                    if one == node {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}

impl Game {
    /// Where the verifier wins; nothing where the budget was spent.
    pub fn won(&self) -> Option<Vec<bool>> {
        let count = self.moves.len();
        let mut before = vec![Vec::new(); count];
        for (node, moves) in self.moves.iter().enumerate() {
            moves.iter().for_each(|&to| before[to as usize].push(node as u32));
        }
        let mut solving = Solving {
            game: self,
            before,
            won: vec![None; count],
            inside: vec![u32::MAX; count],
            level: 0,
        };
        let next_of = |node: usize, at: usize| self.moves[node].get(at).copied();
        for component in components(count, &next_of) {
            if is_spent() {
                return None;
            }
            solving.component(component);
        }
        if is_spent() {
            return None;
        }
        Some(solving.won.into_iter().map(|won| won == Some(true)).collect())
    }
}

struct Solving<'g> {
    game: &'g Game,
    before: Vec<Vec<u32>>,
    /// Who wins, where it is known: the verifier, or the other.
    won: Vec<Option<bool>>,
    /// The innermost part of the game that a node belongs to.
    inside: Vec<u32>,
    level: u32,
}

impl Solving<'_> {
    /// Decides a component, when all that it leads to are decided.
    fn component(&mut self, nodes: Vec<usize>) {
        // What follows from what is decided already.
        let mut work: Vec<usize> = Vec::new();
        for &node in &nodes {
            work.push(node);
        }
        while let Some(node) = work.pop() {
            if self.won[node].is_some() {
                continue;
            }
            let verifier = self.game.of_verifier[node];
            let moves = &self.game.moves[node];
            let is = |to: &&u32, who: bool| self.won[**to as usize] == Some(who);
            let who = if moves.iter().any(|to| is(&to, verifier)) {
                verifier
            } else if moves.iter().all(|to| is(&to, !verifier)) {
                !verifier
            } else {
                continue;
            };
            self.won[node] = Some(who);
            work.extend(self.before[node].iter().map(|&one| one as usize));
        }
        let rest: Vec<usize> = nodes.into_iter().filter(|&node| self.won[node].is_none()).collect();
        let (even, odd) = self.solve(rest);
        even.into_iter().for_each(|node| self.won[node] = Some(true));
        odd.into_iter().for_each(|node| self.won[node] = Some(false));
    }

    /// Who wins where in a part of the game in which everybody can move: moves that leave it are bad for who makes them.
    fn solve(&mut self, mut nodes: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
        let mut lost: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        while let Some(rank) = nodes.iter().map(|&node| self.game.ranks[node]).max() {
            if is_spent() {
                break;
            }
            let favoured = rank % 2 == 0;
            let highest = nodes.iter().copied().filter(|&node| self.game.ranks[node] == rank);
            let taken = self.attracted(&nodes, highest.collect(), favoured);
            let rest = without(&nodes, &taken);
            let (even, odd) = self.solve(rest);
            let against = if favoured { odd } else { even };
            if against.is_empty() {
                lost[usize::from(favoured)].append(&mut nodes);
                break;
            }
            let away = self.attracted(&nodes, against, !favoured);
            nodes = without(&nodes, &away);
            lost[usize::from(!favoured)].extend(away);
        }
        let [odd, even] = lost;
        (even, odd)
    }

    /// From where a player can force a play to some nodes, inside of a part of the game.
    fn attracted(&mut self, nodes: &[usize], goal: Vec<usize>, player: bool) -> Vec<usize> {
        self.level = self.level.wrapping_add(1);
        let mark = self.level;
        nodes.iter().for_each(|&node| self.inside[node] = mark);
        let mut taken = goal;
        let mut is_taken: rustc_hash::FxHashSet<usize> = taken.iter().copied().collect();
        let mut at = 0;
        while at < taken.len() {
            for &before in &self.before[taken[at]] {
                let before = before as usize;
                if self.inside[before] != mark || is_taken.contains(&before) {
                    continue;
                }
                let inside = |to: &&u32| self.inside[**to as usize] == mark;
                let mut moves = self.game.moves[before].iter().filter(inside);
                let own = self.game.of_verifier[before] == player;
                if own || moves.all(|&to| is_taken.contains(&(to as usize))) {
                    is_taken.insert(before);
                    taken.push(before);
                }
            }
            at += 1;
        }
        taken
    }
}

fn without(nodes: &[usize], left_out: &[usize]) -> Vec<usize> {
    let left_out: rustc_hash::FxHashSet<usize> = left_out.iter().copied().collect();
    nodes.iter().copied().filter(|node| !left_out.contains(node)).collect()
}
