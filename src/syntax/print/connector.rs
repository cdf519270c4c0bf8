//! Definitions of connectors, and uses of them.

use super::Printer;
use super::expr::ADDITIVE;
use crate::syntax::ast::{
    ConnectorClauses, ConnectorDecl, ConnectorStatementKind, ConnectorUse, FormalPort, Transfer,
};

const INDENT: &str = "    ";

/// Whether a word is no name in the definition of a connector.
pub(super) fn is_word(text: &str) -> bool {
    matches!(text, "on" | "up" | "down" | "connector")
}

impl Printer {
    pub(super) fn connector_use(&mut self, used: &ConnectorUse) {
        if let Some(module) = used.module {
            self.ident(module);
            self.put(".");
        }
        self.ident(used.name);
        self.bracketed(("<", ">"), &used.values, |p, value| p.expr_at(value, ADDITIVE));
        self.put("(");
        self.list(", ", &used.ports, Printer::connector);
        self.put(")");
    }

    pub(super) fn connector_decl(&mut self, connector: &ConnectorDecl) {
        self.put("connector ");
        self.ident(connector.name);
        self.bracketed(("<", ">"), &connector.params, Printer::binder);
        self.put("(");
        self.list(", ", &connector.ports, |p, port| {
            p.ident(port.name);
            p.family(port.family.as_ref());
            p.put(": port");
            p.port_data(port);
        });
        self.put(")");
        if let Some(shown) = &connector.shows {
            self.put(" shows ");
            self.ident(shown.name);
            self.port_data(shown);
        }
        self.put(" {\n");
        self.in_connector = true;
        for statement in &connector.body {
            let (word, parts, clauses) = match &statement.kind {
                ConnectorStatementKind::Error => continue,
                ConnectorStatementKind::Joins(parts, clauses) => ("", parts, clauses),
                ConnectorStatementKind::On(parts, clauses) => ("on ", parts, clauses),
            };
            self.docs(&statement.docs, INDENT);
            self.put(INDENT);
            self.put(word);
            self.list(" ", parts, Printer::connector);
            self.clauses(clauses);
            self.put(";\n");
        }
        self.in_connector = false;
        self.put("}");
    }

    fn port_data(&mut self, port: &FormalPort) {
        self.bracketed(("(", ")"), &port.data, |p, (goes_in, data)| {
            if *goes_in {
                p.put("in ");
            }
            p.binder(data);
        });
    }

    fn clauses(&mut self, clauses: &ConnectorClauses) {
        self.guard(clauses.guard.as_ref());
        self.bracketed((" up ", ""), &clauses.up, Printer::transfer);
        self.bracketed((" down ", ""), &clauses.down, Printer::transfer);
    }

    fn transfer(&mut self, transfer: &Transfer) {
        if transfer.repeat.is_empty() {
            return self.update(&transfer.moves);
        }
        self.put("[");
        self.update(&transfer.moves);
        self.repeat(&transfer.repeat);
        self.guard(transfer.condition.as_ref());
        self.put("]");
    }
}
