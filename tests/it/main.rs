//! All integration tests, in one binary: what is compiled and linked once need not be forty times.
//!
//! `cargo test values::` runs those of one file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests may fail, print, and look at files and clocks"
)]

mod common;

mod automata {
    //! Automata made for the tests of what is written about them.
    pub mod made;
    pub mod shown;
}
mod pictures_support {
    //! What the tests of pictures share.
    pub mod nets;
    pub mod xml;
}

mod algebra;
mod architectures;
mod asked;
mod attacked;
#[cfg(unix)]
mod budget;
mod certificates;
mod changes;
mod cli;
mod codes;
mod compare_agrees;
mod compared;
mod compose;
mod compositional;
mod connectors;
mod definitions;
mod docs;
mod editors;
mod elaborate;
mod emit;
mod emit_automaton;
mod evaluate;
mod excerpts;
mod exp_agrees;
mod exp_cli;
mod exp_read;
mod exp_write;
mod experiment;
mod explained;
mod explicit;
mod explore_compiled;
#[cfg(unix)]
mod explore_ends;
mod explore_known;
mod explore_naive;
mod export;
mod finite;
mod format;
mod formulas_golden;
mod generate;
mod generate_agrees;
mod generate_open;
mod generate_same;
mod generics;
mod glue;
mod golden;
mod guards;
mod habits;
mod holds;
mod holds_deep;
mod holds_evidence;
mod import;
mod import_bip;
mod influence;
mod invariants;
mod leaves;
mod listings;
mod lsp;
mod lsp_attacked;
mod lsp_names;
mod lsp_texts;
mod lsp_verify;
mod lts_aut;
mod lts_cli;
mod lts_compare;
mod lts_merc;
mod lts_pictures;
mod lts_reduce;
mod lts_witness;
mod network_cli;
mod network_compose;
mod network_product;
mod network_restrict;
mod newcomers;
mod newcomers_safety;
mod nonblocking;
mod parametric_agrees;
mod parametric_certificate;
mod parametric_cli;
mod parametric_decide;
mod parametric_directed;
mod parametric_families;
mod parametric_known;
mod parametric_mona;
mod parametric_sizes;
mod parametric_steps;
mod parametric_triggers;
mod parametric_unfold;
mod parametric_wide;
mod pictures;
mod planting;
mod priorities;
mod priority_guards;
mod reaching;
mod reducing;
mod related;
mod relations;
mod robust;
mod roundtrip;
mod runs;
mod safety_abstraction;
mod safety_agrees;
mod safety_directed;
mod safety_engines;
mod safety_families;
mod safety_mixed;
mod safety_nasty;
mod safety_notes;
mod safety_texts;
mod saves;
mod schema;
mod session;
mod settings;
mod shrink;
mod simulate;
mod smtlib;
mod solving;
mod sound;
mod split;
mod spread;
mod stories;
mod synchronisation;
mod temporal;
mod temporal_merc;
mod temporal_mixed;
mod temporal_observers;
mod temporal_symbolic;
mod termination;
mod termination_data;
mod theorems;
mod tidy;
mod together;
mod tree_sitter;
mod vacuous;
mod valid;
mod values;
mod values_known;
mod verify;
mod view_browser;
mod view_page;
mod weak_refinement;
mod wholes;
mod words;
