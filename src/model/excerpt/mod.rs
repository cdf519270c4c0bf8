//! A net as a model that a person would write: what it needs of the texts, as it was written.
//!
//! Everything that is named in what is needed is needed, from the net on; axioms always are. What other files declare stands
//! before it, what the library declares is imported. Connectors, their definitions, families and comments are kept, since
//! nothing is made anew. Names decide by themselves, and not what they mean, so the excerpt is read again: where it does not
//! elaborate to the same net, there is none, and the net has to be written as it was elaborated.

mod pieces;

use std::fmt::Write;

use rustc_hash::FxHashSet;

use self::pieces::{Piece, Text};
use super::{Checked, Made, Wanted, check};
use crate::diagnostics::{SourceFile, Symbol};
use crate::elaborate::{ElaborateOptions, Settings, Target};
use crate::loader::Sources;
use crate::pnet::{PNet, same};
use crate::sema::program::{ModuleInfo, Named};
use crate::syntax::ast::{Import, ImportNames, ImportSource};
use crate::syntax::format::format;
use crate::syntax::token::{Token, lex};

/// What the excerpt is called while it is read again.
const FILE: &str = "excerpt.pnet";

/// The one file there is.
struct Alone<'t>(&'t str);

impl Sources for Alone<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match path == FILE {
            true => Ok(self.0.as_bytes().to_vec()),
            false => Err("there is no such file".to_owned()),
        }
    }
}

/// What stands at the end of the excerpt.
enum Last {
    /// What was declared with this name.
    Declared(Named),
    /// A net with this name, another one for an instance.
    Alias(String, String),
}

impl Checked {
    /// The net that was made of what is wanted, as a model of what it needs, as that was written; nothing where that cannot be
    /// told from the texts.
    pub fn excerpt(
        &self,
        wanted: Wanted<'_>,
        net: &PNet,
        options: &ElaborateOptions,
    ) -> Option<String> {
        let texts = self.texts();
        let last = self.last(wanted, &texts)?;
        let kept = self.needed(&texts, &last)?;
        let text = self.joined(&texts, &kept, &last, &options.set);
        let text = format(&text).ok()?;
        let name = match &last {
            Last::Declared(named) => named.name.as_str(),
            Last::Alias(name, _) => name,
        };
        is_the_same(&text, name, net, options).then_some(text)
    }

    /// The texts that are not of the library, those that others import first.
    fn texts(&self) -> Vec<Text<'_>> {
        let is_own = |module: &&ModuleInfo| !module.file.starts_with("std.");
        let modules = &self.program.modules;
        let texts = modules.iter().filter(is_own).filter_map(|module| {
            let files = module.aliases.iter();
            let files = files.filter(|(_, other)| is_own(&&modules[other.index()]));
            let files: Vec<Symbol> = files.map(|(alias, _)| *alias).collect();
            Some(Text::new(self.file(&module.file)?, module, &files))
        });
        texts.collect()
    }

    fn file(&self, name: &str) -> Option<&SourceFile> {
        self.sources.files().iter().find(|file| file.name() == name)
    }

    fn last(&self, wanted: Wanted<'_>, texts: &[Text<'_>]) -> Option<Last> {
        let instance = match wanted {
            Wanted::Named(name) => {
                return Some(Last::Declared(match self.target(name).ok()? {
                    Target::Process(id) => self.program.processes[id.index()].named,
                    Target::Net(id) => self.program.nets[id.index()].named,
                }));
            }
            Wanted::Instance(_, instance) => instance,
            Wanted::Scenario(scenario) => &scenario.net,
        };
        let text = self.sources.text(instance.span).to_owned();
        let letters = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut name = letters.collect::<Vec<_>>().join("_");
        let taken = |name: &str| {
            let mut names = texts.iter().flat_map(|text| &text.pieces).flat_map(Piece::names);
            names.any(|known| known.as_str() == name)
        };
        while taken(&name) {
            name.push('_');
        }
        Some(Last::Alias(name, text))
    }

    /// What is needed, by its names; nothing where something cannot be had from the texts alone.
    fn needed(&self, texts: &[Text<'_>], last: &Last) -> Option<FxHashSet<(usize, Symbol)>> {
        let root = texts.iter().position(|text| text.module.is_root)?;
        let mut work: Vec<(usize, Symbol)> = Vec::new();
        match last {
            Last::Declared(named) => work.push((root, named.name)),
            Last::Alias(_, instance) => {
                work.extend(
                    lex(instance, 0).0.tokens.iter().filter_map(|t| Some((root, t.as_name()?))),
                );
            }
        }
        for (at, text) in texts.iter().enumerate() {
            let axioms = text.pieces.iter().filter(|piece| piece.is_axiom);
            work.extend(axioms.flat_map(|piece| &piece.uses).map(|name| (at, *name)));
        }
        let mut needed = FxHashSet::default();
        while let Some((from, name)) = work.pop() {
            // What a text declares hides what it imports.
            let own = texts[from].hides(name);
            for (at, text) in texts.iter().enumerate() {
                let is_meant = if own { at == from } else { text.declares(name) };
                if !is_meant || !needed.insert((at, name)) {
                    continue;
                }
                for piece in text.pieces.iter().filter(|piece| piece.names().any(|n| n == name)) {
                    if piece.is_outside {
                        return None;
                    }
                    work.extend(piece.uses_of(name).map(|name| (at, name)));
                }
            }
        }
        Some(needed)
    }

    /// The text of what is needed.
    fn joined(
        &self,
        texts: &[Text<'_>],
        kept: &FxHashSet<(usize, Symbol)>,
        last: &Last,
        set: &Settings,
    ) -> String {
        let mut out = String::new();
        let root = texts.iter().find(|text| text.module.is_root);
        if let Some(head) = root.and_then(|text| text.head.as_ref()) {
            let _ = writeln!(out, "{head}\n");
        }
        let mut body = String::new();
        let mut end = String::new();
        let mut uses: FxHashSet<Symbol> = FxHashSet::default();
        for (at, text) in texts.iter().enumerate() {
            let is_kept = |name: Symbol| kept.contains(&(at, name));
            for piece in &text.pieces {
                let is_last = matches!(last, Last::Declared(named) if piece.is_at(named.span));
                let Some(written) = piece.written(is_kept, &|span| {
                    let id = self.program.consts.iter().position(|one| one.named.span == span)?;
                    let setting = set.iter().find(|(known, _)| known.index() == id)?.1;
                    Some(setting.value.shown(&self.program).to_string())
                }) else {
                    continue;
                };
                match piece.is_axiom {
                    true => uses.extend(piece.uses.iter().copied()),
                    // Of several actions, only those that are kept use anything.
                    false => {
                        let names = piece.names().filter(|name| is_kept(*name));
                        uses.extend(names.flat_map(|name| piece.uses_of(name)));
                    }
                }
                let to = if is_last { &mut end } else { &mut body };
                to.push_str(&written);
                to.push_str("\n\n");
            }
        }
        if let Last::Alias(name, instance) = last {
            uses.extend(lex(instance, 0).0.tokens.iter().filter_map(|token| token.as_name()));
            let _ = writeln!(end, "net {name} = {instance};");
        }
        for import in self.imports(texts, kept, &uses) {
            out.push_str(&import);
        }
        out.push('\n');
        out + &body + &end
    }

    /// What is imported from the library.
    fn imports(
        &self,
        texts: &[Text<'_>],
        kept: &FxHashSet<(usize, Symbol)>,
        uses: &FxHashSet<Symbol>,
    ) -> Vec<String> {
        let declared: FxHashSet<Symbol> = kept.iter().map(|(_, name)| *name).collect();
        let is_used = |name: Symbol| uses.contains(&name) && !declared.contains(&name);
        let mut found: Vec<String> = Vec::new();
        for import in texts.iter().flat_map(|text| &text.imports) {
            let line = self.import(import, &is_used);
            found.extend(line.filter(|line| !found.contains(line)));
        }
        found
    }

    fn import(&self, import: &Import, is_used: &dyn Fn(Symbol) -> bool) -> Option<String> {
        let ImportSource::Library(path) = &import.source else { return None };
        let path = path.to_string();
        match &import.names {
            ImportNames::Under(alias) => is_used(alias.name)
                .then(|| format!("import {path} as {};\n", Token::Name(alias.name))),
            ImportNames::Listed(names) => {
                let names = names.iter().map(|name| name.name).filter(|name| is_used(*name));
                let names: Vec<String> = names.map(|name| Token::Name(name).to_string()).collect();
                (!names.is_empty()).then(|| format!("import {path} ({});\n", names.join(", ")))
            }
            ImportNames::All => {
                let module = self.program.modules.iter().find(|module| module.file == path)?;
                let text = Text::new(self.file(&path)?, module, &[]);
                let mut names = text.pieces.iter().flat_map(Piece::names);
                names.any(is_used).then(|| format!("import {path};\n"))
            }
        }
    }
}

/// Whether a text says the same of a net.
fn is_the_same(text: &str, name: &str, net: &PNet, options: &ElaborateOptions) -> bool {
    let Ok(checked) = check(&Alone(text), FILE, None, Made::default()) else { return false };
    let options = ElaborateOptions { set: Settings::default(), ..options.clone() };
    let Ok(twin) = checked.build(Some(name), &options) else { return false };
    if twin.name == net.name {
        return same(net, &twin).is_ok();
    }
    let renamed = PNet { name: net.name, ..PNet::clone(&twin) };
    same(net, &renamed).is_ok()
}
