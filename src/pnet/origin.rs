//! Where the parts of a net come from: source texts, and the chain of instantiations that led to them.

use crate::diagnostics::{Span, Symbol};

/// Where something comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OriginId(pub u32);

/// The text something comes from, and through which instance.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The text.
    pub span: Span,
    /// The instance it belongs to; none at the top.
    pub instance: Option<u32>,
}

/// An instance: `left`, an instance of `Timer` made here.
#[derive(Clone, Debug)]
pub struct Instantiation {
    /// The name of the part.
    pub part: String,
    /// The process or net that was instantiated.
    pub component: Symbol,
    /// Where it was made.
    pub span: Span,
    /// The instance around it; none at the top.
    pub outer: Option<u32>,
}

/// All origins of a net.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    origins: Vec<Origin>,
    instances: Vec<Instantiation>,
}

impl Origins {
    /// Notes an origin.
    pub fn add(&mut self, span: Span, instance: Option<u32>) -> OriginId {
        self.origins.push(Origin { span, instance });
        OriginId(self.origins.len() as u32 - 1)
    }

    /// Notes an instance.
    pub fn instantiate(&mut self, instantiation: Instantiation) -> u32 {
        self.instances.push(instantiation);
        self.instances.len() as u32 - 1
    }

    /// An origin.
    pub fn get(&self, id: OriginId) -> Origin {
        self.origins[id.0 as usize]
    }

    /// The texts of all origins.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.origins.iter().map(|origin| origin.span)
    }

    /// The instances that led to an origin, the innermost first.
    pub fn chain(&self, id: OriginId) -> Vec<&Instantiation> {
        self.chain_of(self.get(id).instance)
    }

    /// The instances from one outwards.
    pub fn chain_of(&self, instance: Option<u32>) -> Vec<&Instantiation> {
        let mut chain = Vec::new();
        let mut at = instance;
        while let Some(index) = at {
            let instance = &self.instances[index as usize];
            chain.push(instance);
            at = instance.outer;
        }
        chain
    }
}
