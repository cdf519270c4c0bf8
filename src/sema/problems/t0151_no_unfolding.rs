//! `T0151`: no unfolding of that size.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A number of components that no unfolding of the architecture has.
#[derive(Clone, Debug)]
pub struct NoUnfolding {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The number of components.
    pub size: usize,
    /// Which of those with so many.
    pub number: Option<usize>,
    /// How many there are with so many.
    pub count: usize,
    /// Numbers of components near it that there are.
    pub sizes: Vec<usize>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0151",
    title: "no unfolding of that size",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`A<k>` is the unfolding of an architecture that has `k` components, and `A<k, j>`
the one with number `j` among these, counted from 0. Not every number can be had:
a ring with at least two members has none with one. There is no such unfolding.
",
    wrong: "\
action pass, recv, send;

process Station {
    init state idle;
    state busy;

    idle -> busy : recv;
    busy -> idle : send;
}

process Holder {
    init state busy;
    state idle;

    busy -> idle : send;
    idle -> busy : recv;
}

architecture Ring {
    rule Ring() {
        new x, y;
        <y: send, x: recv> -> pass;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z;
        sub x = Station;
        <x: send, z: recv> -> pass;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        <x: send, y: recv> -> pass;
    }
}

check deadlock_free(«Ring<1>»);
",
    right: "\
action pass, recv, send;

process Station {
    init state idle;
    state busy;

    idle -> busy : recv;
    busy -> idle : send;
}

process Holder {
    init state busy;
    state idle;

    busy -> idle : send;
    idle -> busy : recv;
}

architecture Ring {
    rule Ring() {
        new x, y;
        <y: send, x: recv> -> pass;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z;
        sub x = Station;
        <x: send, z: recv> -> pass;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        <x: send, y: recv> -> pass;
    }
}

check deadlock_free(Ring<2>);
",
};

impl NoUnfolding {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, size) = (&self.name, self.size);
        let components = super::count(size, "component");
        let message = match self.number {
            Some(number) if self.count > 0 => {
                format!("there is no unfolding of `{name}` with {components} and number {number}")
            }
            _ => format!("no unfolding of `{name}` has {components}"),
        };
        let note = match (self.count, self.sizes.as_slice()) {
            (0, []) => "there is none that is nearly as large".to_owned(),
            (0, sizes) => {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                format!("numbers near it that there are: {}", sizes.join(", "))
            }
            (1, _) => format!("there is one with so many: `{name}<{size}>`"),
            (count, _) => format!("there are {count} with so many, numbered from 0"),
        };
        Diagnostic::new(entry, self.span, message).label("does not exist").note(note)
    }
}
