//! An instance with filled holes in parts: the net with its holes open, and each of what fills them by itself.
//!
//! All parts are made by one builder, which goes on with the same terms and origins, and gives everything the path
//! that it has in the whole: what is composed of the parts has the names of the whole.

use super::build::{Builder, Draft};
use super::env::{LeftOut, Site};
use crate::diagnostics::Symbol;
use crate::pnet::{Content, Origins, PNet, Parts};

impl Builder<'_> {
    /// What has just been made, in parts, with what stands at its root.
    pub fn in_parts(&mut self, root: (Symbol, Content)) -> Option<Parts> {
        let parts = self.part(root)?;
        Some(self.with_origins(parts))
    }

    /// The net that has just been made, with what was left out of it. Nets are at most some hundred levels deep.
    fn part(&mut self, (name, root): (Symbol, Content)) -> Option<Parts> {
        let (premises, granted) = self.premises();
        self.terms.freeze();
        // The next part is a net of its own.
        let Draft { plts, nodes, holes, left_out, .. } = std::mem::take(&mut self.draft);
        let net = PNet {
            name,
            algebra: self.algebra.clone(),
            terms: self.terms.clone(),
            plts,
            nodes,
            holes,
            root,
            origins: Origins::default(),
            premises,
            granted,
        };
        let mut fillings = Vec::with_capacity(left_out.len());
        for LeftOut { hole, filling, path, inner, level } in left_out {
            let name = self.name_of(filling.instance)?;
            let site = Site { path: &path, index: None, inner: &inner, level, apart: true };
            let root = self.filling(&filling, site)?;
            fillings.push((hole, self.part((name, root))?));
        }
        Some(Parts { net, fillings })
    }

    /// Origins are numbered over all parts: each part gets all of them.
    fn with_origins(&self, mut parts: Parts) -> Parts {
        let mut work = vec![&mut parts];
        while let Some(part) = work.pop() {
            part.net.origins = self.origins.clone();
            work.extend(part.fillings.iter_mut().map(|(_, part)| part));
        }
        parts
    }
}
