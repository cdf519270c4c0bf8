//! Definitions of connectors over sorts, `connector Tell<T: sort>(s: port(x: T), r: port(y: T))`: which instance a use is of.
//!
//! What stands at the ports tells the sorts. An instance is the definition checked again, as for processes and nets.

use super::component::Asked;
use super::generic::Put;
use super::net::Work;
use super::program::{ConnectorTypeId, Sort};
use super::scope::{Meaning, Space};
use crate::syntax::ast::{self, ConnectorKind};

impl Work<'_, '_> {
    /// The instance of a definition that a use is of.
    pub(super) fn taken_connector(
        &mut self,
        used: &ast::ConnectorUse,
        id: ConnectorTypeId,
    ) -> Option<ConnectorTypeId> {
        let def = &self.body.sema.program.connectors[id.index()];
        let (over, declared, has_errors) = (def.over.clone(), def.named.span, def.has_errors);
        let ports = def.ports.iter();
        let ports: Vec<Vec<Sort>> =
            ports.map(|port| port.data.iter().map(|datum| datum.sort).collect()).collect();
        let params = self.body.sema.components.connectors[id.index()].1.params.as_slice();
        let asked = Asked { of: used.name, values: &used.values, span: used.span };
        let found = self.given_so_far(asked, (&over, params), declared)?;
        for (port, sorts) in used.ports.iter().zip(&ports) {
            self.sorts_from_port(port, sorts, &found.2);
        }
        let (given, _, _) = self.all_given(asked, params, found)?;
        let before = self.body.sema.problems.len();
        let id = self.body.sema.connector_instance(id, given);
        self.only_new_problems(asked, before, has_errors);
        Some(id)
    }

    /// Lets what stands at a port say which sorts are meant; what does not fit is told when it is looked at for itself.
    fn sorts_from_port(&mut self, port: &ast::Connector, sorts: &[Sort], put: &Put) {
        match &port.kind {
            ConnectorKind::Error | ConnectorKind::Formal(_) => {}
            ConnectorKind::Group(all) | ConnectorKind::Each(all, ..) => {
                all.iter().for_each(|one| self.sorts_from_port(one, sorts, put));
            }
            ConnectorKind::Port(port) => {
                let Some(found) = self.sorts_at(port, sorts.len()) else { return };
                for (found, wanted) in found.into_iter().zip(sorts) {
                    let wanted = self.body.sema.put_sort(*wanted, put);
                    self.body.unify(wanted, found);
                }
            }
        }
    }

    /// The sorts of so many data at a port of a part, or at one that another connector shows.
    fn sorts_at(&mut self, port: &ast::Port, count: usize) -> Option<Vec<Sort>> {
        if let Some(shown) = self.shown_sorts(port) {
            return (shown.len() == count).then_some(shown);
        }
        let Meaning::Actions(all) = self.body.lookup(Space::Values, port.action.name)?.meaning
        else {
            return None;
        };
        let (_, id) = all.into_iter().find(|(arity, _)| *arity == count)?;
        Some(self.body.sema.program.actions[id.index()].sorts.clone())
    }
}
