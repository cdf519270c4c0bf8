//! `F0413`: connector of BIP that never does anything.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A connector whose port nobody uses.
#[derive(Clone, Debug)]
pub struct NeverConnected {
    /// Where it is.
    pub span: Span,
    /// Its name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0413",
    title: "connector of BIP that never does anything",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A connector whose type exports a port happens only as a part of what is connected to this
port. Nothing is: no other connector, and the compound does not export it. BIP then never
executes it, and the model leaves it out.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    export port Sig p()\n    place S\n    initial to S\n    on p from S to S\n  end\n  connector type Up(Sig a)\n    export port Sig e()\n    define a\n  end\n  connector type One(Sig a)\n    define a\n  end\n  compound type K()\n    component A x()\n    connector Up «c»(x.p)\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    export port Sig p()\n    place S\n    initial to S\n    on p from S to S\n  end\n  connector type Up(Sig a)\n    export port Sig e()\n    define a\n  end\n  connector type One(Sig a)\n    define a\n  end\n  compound type K()\n    component A x()\n    connector One c(x.p)\n  end\nend\n",
};

impl NeverConnected {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` never happens: nobody uses the port that it exports", self.name);
        Diagnostic::new(entry, self.span, message)
            .note("connect the port, export it, or use a connector type without `export port`")
    }
}
