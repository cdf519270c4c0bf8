//! Nets as networks of CADP.

use std::ops::ControlFlow;

use super::Exported;
use super::problems::{ExportProblem, HoleInExport, NoNetwork};
use crate::base::Watch;
use crate::compose::{ComposePlan, NotByParts, PlanOptions, Seeing, root_network};
use crate::diagnostics::Span;
use crate::explore::Domains;
use crate::lts::{Lts, aut};
use crate::network::{ProductLimits, exp};
use crate::pnet::{Content, PNet};

/// What CADP calls the silent action.
const SILENT: &str = "i";

/// The network of a net, and its systems.
pub(super) fn export(
    (net, name): (&PNet, &str),
    stem: &str,
    watch: &dyn Watch,
) -> Result<Exported, Vec<ExportProblem>> {
    let span = span(net);
    let refused = |why: String| vec![NoNetwork { span, net: name.to_owned(), why }.into()];
    let holes = net.holes.iter().map(|hole| {
        let span = net.origins.get(hole.origin).span;
        HoleInExport { span, hole: hole.path.clone() }.into()
    });
    let holes: Vec<ExportProblem> = holes.collect();
    if !holes.is_empty() {
        return Err(holes);
    }
    let most_states = ProductLimits::default().most_states;
    let seeing = Seeing { finals: false, most_states };
    let options = PlanOptions { seeing, later: &[], marking: None };
    let told = |why: NotByParts| refused(why.to_string());
    let plan = ComposePlan::new((net, name), &Domains::default(), options, watch).map_err(told)?;
    let network = root_network(&plan, ProductLimits::default(), watch).map_err(told)?;
    let network = network.ok_or_else(|| refused("it is a process, and has no parts".to_owned()))?;
    let written = exp::write(&network, SILENT, stem).map_err(|why| refused(why.to_string()))?;
    let systems = written.systems.iter();
    let beside = systems.map(|(file, lts)| (file.clone(), text(lts, watch))).collect();
    Ok(Exported { text: written.network, beside, labels: Vec::new() })
}

/// The text of a system.
fn text(lts: &Lts, watch: &dyn Watch) -> String {
    let mut bytes = Vec::new();
    let _ = aut::write(lts, SILENT, |piece| {
        bytes.extend_from_slice(piece);
        match watch.budget().is_spent() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Where a net is declared.
fn span(net: &PNet) -> Span {
    let origin = match net.root {
        Content::Node(id) => net.nodes[id].origin,
        Content::Leaf(id) => net.plts[id].origin,
        Content::Hole(id) => net.holes[id].origin,
    };
    net.origins.get(origin).span
}
