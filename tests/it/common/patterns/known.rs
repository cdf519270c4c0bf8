//! The models of the seed, with their variations.

use pnetc::parametric::SystemPattern;

use super::pattern;

const STATIONS: &str = "
    component Station *idle recv busy, busy send idle
    component Holder *busy send idle, idle recv busy";

/// A ring of stations with one token.
pub fn ring() -> SystemPattern {
    pattern(&format!(
        "{STATIONS}
        rule Ring; send y, recv x; Chain x y
        rule Chain x y; x = Station; send x, recv z; Chain z y
        rule Chain x y; x = Station; y = Holder; send x, recv y"
    ))
}

/// A ring with two tokens.
pub fn two_holders() -> SystemPattern {
    pattern(&format!(
        "{STATIONS}
        rule Ring; send y, recv x; Chain x y
        rule Chain x y; x = Station; send x, recv z; Chain z y
        rule Chain x y; x = Station; w = Holder; y = Holder; send x, recv w; send w, recv y"
    ))
}

/// A master and its slaves.
pub fn star() -> SystemPattern {
    pattern(
        "component Master *free snd taken, taken rcv free
        component Slave *idle rcv serving, serving snd idle
        rule Star; m = Master; Slaves s m
        rule Slaves s m; s = Slave; snd m, rcv s; snd s, rcv m; Slaves t m
        rule Slaves s m; s = Slave; snd m, rcv s; snd s, rcv m",
    )
}

/// The slaves also pass a token round.
pub fn star_ring() -> SystemPattern {
    pattern(
        "component Master *free snd taken, taken rcv free
        component Slave *idle rcv serving, serving snd idle, idle recv token, token send idle
        component First *token send idle, idle recv token, idle rcv serving, serving snd idle
        rule StarRing; m = Master; send t, recv s; Slaves s t m
        rule Slaves s t m; s = Slave; snd m, rcv s; snd s, rcv m; send s, recv u; Slaves u t m
        rule Slaves s t m; s = Slave; t = First
        snd m, rcv s; snd s, rcv m; snd m, rcv t; snd t, rcv m; send s, recv t",
    )
}

/// Philosophers who take their forks one after the other; the first one from the other side where `asymmetric`.
pub fn table(asymmetric: bool) -> SystemPattern {
    let (left, right) = if asymmetric { ("f", "g") } else { ("g", "f") };
    pattern(&format!(
        "component Philo *thinking take_left waiting, waiting take_right eating, eating leave thinking
        component Fork *free grab busy, busy release free
        rule Table; p = Philo; take_left p, grab {left}; take_right p, grab {right}
        leave p, release f, release g; Seats p p f g
        rule Seats first left f g; f = Fork; p = Philo; take_left p, grab f; take_right p, grab h
        leave p, release f, release h; never neighbours: left eating & p eating; Seats first p h g
        rule Seats first left f g; f = Fork; p = Philo; g = Fork; take_left p, grab f; take_right p, grab g
        leave p, release f, release g; never neighbours: left eating | first eating & p eating"
    ))
}

/// Philosophers who take both forks at once.
pub fn sync_table() -> SystemPattern {
    pattern(
        "component Philo *thinking take eating, eating leave thinking
        component Fork *free grab busy, busy release free
        rule Table; p = Philo; take p, grab f, grab g; leave p, release f, release g; Seats p p f g
        rule Seats first left f g; f = Fork; p = Philo; take p, grab f, grab h
        leave p, release f, release h; never neighbours: left eating & p eating; Seats first p h g
        rule Seats first left f g; f = Fork; p = Philo; g = Fork; take p, grab f, grab g
        leave p, release f, release g; never neighbours: left eating | first eating & p eating",
    )
}

/// A token walks down a tree and up again.
pub fn tree_dfs() -> SystemPattern {
    pattern(
        "component Root *has send waits, waits recv has
        component Node *a recv b, b send_0 c, c recv_0 d, d send_1 e, e recv_1 f, f send a
        component Leaf *idle recv busy, busy send idle
        rule TreeDfs; r = Root; send r, recv n; send n, recv r; Tree n
        rule Tree n; n = Node; send_0 n, recv a; send a, recv_0 n; send_1 n, recv b; send b, recv_1 n
        Tree a; Tree b
        rule Tree n; n = Leaf",
    )
}

/// A token goes down a tree, and from any leaf back to the root.
pub fn tree_back_root() -> SystemPattern {
    pattern(
        "component Root *has send waits, waits recv has
        component Node *idle recv busy, busy send idle
        rule TreeBackRoot; r = Root; send r, recv a; send r, recv b; Tree a r; Tree b r
        rule Tree n r; n = Node; send n, recv a; send n, recv b; Tree a r; Tree b r
        rule Tree n r; n = Node; send n, recv r",
    )
}

/// Requests down a tree and replies up; the leaves also pass a token round.
pub fn tree_linked_leaves() -> SystemPattern {
    pattern(
        "component Root *idle ask waiting, waiting got idle
        component Inner *idle asked had, had ask waiting, waiting got done, done reply idle
        component LeafNode *idle take token, token give idle, idle asked serving, serving reply idle
        component FirstLeaf *token give idle, idle take token
        rule TreeLinkedLeaves; r = Root; x = FirstLeaf; ask r, asked n; got r, reply n
        give x, take l; give m, take x; Node l n m
        rule Node l n m; n = Inner; ask n, asked a, asked b; got n, reply a, reply b; give k, take j
        Node l a k; Node j b m
        rule Node l n m; n = Inner; ask n, asked l, asked m; got n, reply l, reply m; give l, take m
        Leaf l; Leaf m
        rule Leaf l; l = LeafNode",
    )
}

/// Pairs in which one does so many steps, and the other one fewer, together.
pub fn pairs(one: usize, other: usize) -> SystemPattern {
    let steps = |count: usize, port: &str| {
        let step = |at| format!("{}{at} {port} s{}", if at == 0 { "*s" } else { "s" }, at + 1);
        (0..count).map(step).collect::<Vec<_>>().join(", ")
    };
    pattern(&format!(
        "component A {}
        component B {}
        rule Pairs; a = A; b = B; p a, q b; Pairs
        rule Pairs; a = A; b = B; p a, q b",
        steps(one, "p"),
        steps(other, "q")
    ))
}

/// A ring whose stations have so many states: one receives, the others are steps by themselves, and the last one sends.
pub fn long_ring(states: usize) -> SystemPattern {
    let steps = |first: usize| {
        let state = |at: usize| format!("{}s{at}", if at == first { "*" } else { "" });
        let port = |at: usize| match at {
            0 => "recv".to_owned(),
            _ if at + 1 == states => "send".to_owned(),
            _ => format!("t{at}"),
        };
        let order = (first..states).chain(0..first);
        let step = |at| format!("{} {} s{}", state(at), port(at), (at + 1) % states);
        order.map(step).collect::<Vec<_>>().join(", ")
    };
    let own = |name: &str| {
        (1..states - 1).map(|at| format!("t{at} {name}")).collect::<Vec<_>>().join("; ")
    };
    pattern(&format!(
        "component Station {}
        component Holder {}
        rule Ring; send y, recv x; Chain x y
        rule Chain x y; x = Station; send x, recv z; {}; Chain z y
        rule Chain x y; x = Station; y = Holder; send x, recv y; {}; {}",
        steps(0),
        steps(states - 1),
        own("x"),
        own("x"),
        own("y")
    ))
}

/// A master with whom slaves go through so many steps, each of which is a handshake.
pub fn handshakes(steps: usize) -> SystemPattern {
    let circle = |letter: char| {
        let state = |at: usize| format!("{}{letter}{at}", if at == 0 { "*" } else { "" });
        let step = |at: usize| format!("{} {letter}{at} {letter}{}", state(at), (at + 1) % steps);
        (0..steps).map(step).collect::<Vec<_>>().join(", ")
    };
    let all = (0..steps).map(|at| format!("w{at} m, v{at} s")).collect::<Vec<_>>().join("; ");
    pattern(&format!(
        "component Master {}
        component Slave {}
        rule Star; m = Master; Slaves s m
        rule Slaves s m; s = Slave; {all}; Slaves t m
        rule Slaves s m; s = Slave; {all}",
        circle('w'),
        circle('v'),
    ))
}
