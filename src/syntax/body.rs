//! The statements of a block, as they are collected while it is read.

use super::ast::{
    ArchitectureDecl, ConditionKind, ConnectorStatement, ConnectorStatementKind, Docs, Documented,
    ItemKind, NetBody, NetDecl, NetStatementKind, PairKind, ProcessDecl, ProcessStatementKind,
    ReducingKind, RelationDecl, RuleDecl, RuleItem, RuleKind, RuleStatement, RuleStatementKind,
    StepKind,
};
use super::cut::Ending;
use super::statement::{BlockHead, Parsed};
use crate::diagnostics::Span;

/// The kinds of blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Process,
    Net,
    Relation,
    Scenario,
    Invariant,
    Reduction,
    Architecture,
    Rule,
    Connector,
}

/// The statements of a block, whichever it is.
#[derive(Default)]
pub(super) struct Body {
    process: Vec<Documented<ProcessStatementKind>>,
    net: Vec<Documented<NetStatementKind>>,
    pairs: Vec<Documented<PairKind>>,
    steps: Vec<Documented<StepKind>>,
    conditions: Vec<Documented<ConditionKind>>,
    reducing: Vec<Documented<ReducingKind>>,
    statements: Vec<RuleStatement>,
    joints: Vec<ConnectorStatement>,
    pub(super) rules: Vec<RuleItem>,
    /// Whether a block inside was not closed, and so this one may not be: that is reported once.
    pub(super) open_inside: bool,
}

impl Body {
    pub(super) fn push(
        &mut self,
        block: Block,
        docs: Docs,
        parsed: Option<Parsed>,
        span: Span,
        ending: Ending,
    ) {
        // The statement is what stands before its `;`.
        let length = span.end - span.start;
        let trimmed = if ending == Ending::Proper && length > 1 { span.end - 1 } else { span.end };
        let span = Span::new(span.start, trimmed);
        match (block, parsed) {
            (Block::Process, Some(Parsed::Process(kind))) => {
                self.process.push(Documented { docs, kind, span });
            }
            (Block::Process, _) => {
                self.process.push(Documented { docs, kind: ProcessStatementKind::Error, span });
            }
            (Block::Net, Some(Parsed::Net(kind))) => self.net.push(Documented { docs, kind, span }),
            (Block::Net, _) => {
                self.net.push(Documented { docs, kind: NetStatementKind::Error, span });
            }
            (Block::Relation, Some(Parsed::Pair(kind))) => {
                self.pairs.push(Documented { docs, kind, span });
            }
            (Block::Relation, _) => {
                self.pairs.push(Documented { docs, kind: PairKind::Error, span })
            }
            (Block::Scenario, Some(Parsed::Step(kind))) => {
                self.steps.push(Documented { docs, kind, span });
            }
            (Block::Scenario, _) => {
                self.steps.push(Documented { docs, kind: StepKind::Error, span });
            }
            (Block::Invariant, parsed) => {
                let kind = match parsed {
                    Some(Parsed::Condition(holds)) => ConditionKind::Holds(holds),
                    _ => ConditionKind::Error,
                };
                self.conditions.push(Documented { docs, kind, span });
            }
            (Block::Reduction, parsed) => {
                let kind = match parsed {
                    Some(Parsed::Reducing(does)) => ReducingKind::Does(does),
                    _ => ReducingKind::Error,
                };
                self.reducing.push(Documented { docs, kind, span });
            }
            (Block::Connector, parsed) => {
                let kind = match parsed {
                    Some(Parsed::Joint(kind)) => *kind,
                    _ => ConnectorStatementKind::Error,
                };
                self.joints.push(Documented { docs, kind, span });
            }
            (Block::Rule | Block::Architecture, parsed) => {
                let kind = match parsed {
                    Some(Parsed::Rule(kind)) => kind,
                    _ => RuleStatementKind::Error,
                };
                self.statements.push(Documented { docs, kind, span });
            }
        }
    }

    pub(super) fn into_item(self, head: BlockHead) -> ItemKind {
        match head {
            BlockHead::Process(name, params) => ItemKind::Process(Box::new(ProcessDecl {
                name,
                params,
                system: None,
                body: self.process,
            })),
            BlockHead::Net(name, params, holes) => {
                let body = NetBody::Block(self.net);
                ItemKind::Net(Box::new(NetDecl { name, params, holes, body }))
            }
            BlockHead::Relation(name, nets) => {
                ItemKind::Relation(Box::new(RelationDecl { name, nets, pairs: self.pairs }))
            }
            BlockHead::Scenario(mut scenario) => {
                scenario.steps = self.steps;
                ItemKind::Scenario(scenario)
            }
            BlockHead::Invariant(mut invariant) => {
                invariant.conditions = self.conditions;
                ItemKind::Invariant(invariant)
            }
            BlockHead::Reduction(mut reduction) => {
                reduction.statements = self.reducing;
                ItemKind::Reduction(reduction)
            }
            BlockHead::Architecture(name) => {
                ItemKind::Architecture(Box::new(ArchitectureDecl { name, rules: self.rules }))
            }
            BlockHead::Connector(mut connector) => {
                connector.body = self.joints;
                ItemKind::Connector(connector)
            }
            BlockHead::Rule(..) => ItemKind::Error,
        }
    }

    pub(super) fn into_rule(self, head: BlockHead) -> RuleKind {
        match head {
            BlockHead::Rule(name, params) => {
                RuleKind::Makes(Box::new(RuleDecl { name, params, body: self.statements }))
            }
            _ => RuleKind::Error,
        }
    }

    pub(super) fn append_to(self, item: &mut ItemKind) {
        match item {
            ItemKind::Process(process) => process.body.extend(self.process),
            ItemKind::Net(net) => match &mut net.body {
                NetBody::Block(statements) => statements.extend(self.net),
                NetBody::Alias(_) => {}
            },
            ItemKind::Architecture(one) => one.rules.extend(self.rules),
            ItemKind::Connector(one) => one.body.extend(self.joints),
            _ => {}
        }
    }
}
