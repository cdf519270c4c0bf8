//! `?x` where a vector or connector names data: there a name alone is enough, and all of one statement are one mistake.

use super::body::Body;
use super::problems::MisplacedPattern;
use crate::diagnostics::Span;
use crate::syntax::ast::{
    ConnectDecl, Connector, ConnectorKind, Expr, ExprKind, Member, Rival, Vector,
};
use crate::syntax::walk::walk;

/// Where a `?` stands at a name, in some texts.
struct Marks {
    places: Vec<Span>,
    first: Option<(Span, String)>,
}

impl Marks {
    fn look(&mut self, expr: &Expr) {
        walk(expr, &mut |expr| {
            if let ExprKind::Input(name) = &expr.kind {
                self.places.push(Span::new(expr.span.start, name.span.start));
                self.first.get_or_insert_with(|| (expr.span, name.name.to_string()));
            }
        });
    }

    /// `?a` for a whole action is right; what its data is called is not.
    fn member(&mut self, action: &Expr) {
        match &action.kind {
            ExprKind::Sync(inner) | ExprKind::Co(inner) => self.member(inner),
            ExprKind::Call(call) => call.args.iter().for_each(|arg| self.look(arg)),
            _ => {}
        }
    }

    fn members(&mut self, members: &[Member]) {
        for member in members {
            self.member(&member.action);
            member.condition.iter().for_each(|condition| self.look(condition));
        }
    }

    fn rivals(&mut self, rivals: &[Rival]) {
        for rival in rivals {
            self.members(&rival.members);
            rival.guard.iter().for_each(|guard| self.look(guard));
        }
    }

    fn port(&mut self, part: &Connector) {
        match &part.kind {
            ConnectorKind::Port(port) => port.args.iter().for_each(|arg| self.look(arg)),
            ConnectorKind::Group(parts) => parts.iter().for_each(|part| self.port(part)),
            ConnectorKind::Each(parts, _, condition) => {
                parts.iter().for_each(|part| self.port(part));
                condition.iter().for_each(|condition| self.look(condition));
            }
            ConnectorKind::Error | ConnectorKind::Formal(_) => {}
        }
    }
}

impl Body<'_, '_> {
    /// Reports the marks of a vector that belong to no whole action.
    pub fn marks_in_vector(&mut self, vector: &Vector) {
        let mut marks = Marks { places: Vec::new(), first: None };
        marks.members(&vector.members);
        marks.look(&vector.result);
        vector.guard.iter().for_each(|guard| marks.look(guard));
        marks.rivals(&vector.rivals);
        self.report_marks(marks);
    }

    /// Reports the marks of a connector.
    pub fn marks_in_connector(&mut self, connect: &ConnectDecl) {
        let mut marks = Marks { places: Vec::new(), first: None };
        connect.parts.iter().for_each(|part| marks.port(part));
        connect.exports.iter().for_each(|export| marks.look(export));
        connect.guard.iter().for_each(|guard| marks.look(guard));
        connect.transfer.iter().for_each(|transfer| marks.look(&transfer.value));
        marks.rivals(&connect.rivals);
        self.report_marks(marks);
    }

    fn report_marks(&mut self, marks: Marks) {
        let Some((span, name)) = marks.first else { return };
        let (what, allowed) = (format!("`?{name}`"), name);
        self.report(MisplacedPattern { span, what, allowed, marks: marks.places });
    }
}
