//! From a pNet to its open automaton.
