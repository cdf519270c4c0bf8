//! An instance with filled holes in parts: the net with its holes open, and each of what fills them by itself.
//!
//! All parts are made by one builder, which goes on with the same terms and origins, and gives everything the path
//! that it has in the whole: what is composed of the parts has the names of the whole.

use std::rc::Rc;

use super::Target;
use super::build::{Builder, Env, LeftOut};
use crate::diagnostics::Symbol;
use crate::pnet::{Content, Origins, PNet, Parts};
use crate::sema::program::{Instance, Local, NetBody};

impl<'p> Builder<'p> {
    /// Builds a component in parts: where it is another name for an instance, what fills that one's holes is apart.
    pub fn run_parts(&mut self, target: Target) -> Option<Parts> {
        self.start()?;
        self.apart = match target {
            Target::Net(id) => {
                matches!(self.program.nets[id.index()].body, NetBody::Alias(_))
            }
            Target::Process(_) => false,
        };
        let (name, root) = self.target(target)?;
        let parts = self.part(name, root)?;
        Some(self.with_origins(parts))
    }

    /// Builds an instance in parts.
    pub fn run_instance_parts(
        &mut self,
        instance: &'p Instance,
        locals: &'p [Local],
    ) -> Option<Parts> {
        self.start()?;
        let name = self.name_of(instance)?;
        self.apart = true;
        let root = self.content(instance, &Rc::new(Env::at_top(locals)), "", None, &[])?;
        let parts = self.part(name, root)?;
        Some(self.with_origins(parts))
    }

    /// The net that has just been made, with what was left out of it. Nets are at most some hundred levels deep.
    fn part(&mut self, name: Symbol, root: Content) -> Option<Parts> {
        self.apart = false;
        let (premises, granted) = self.take_premises();
        self.terms.freeze();
        let net = PNet {
            name,
            algebra: self.algebra.clone(),
            terms: self.terms.clone(),
            plts: std::mem::take(&mut self.plts),
            nodes: std::mem::take(&mut self.nodes),
            holes: std::mem::take(&mut self.holes),
            root,
            origins: Origins::default(),
            premises,
            granted,
        };
        let mut fillings = Vec::new();
        for LeftOut { hole, filling, path, inner, level } in std::mem::take(&mut self.left_out) {
            self.level = level;
            self.apart = true;
            let name = self.name_of(filling.instance)?;
            let root = self.filling(&filling, &path, &inner)?;
            fillings.push((hole, self.part(name, root)?));
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
