//! Actions and imports that are never used.

use rustc_hash::FxHashSet;

use crate::diagnostics::Symbol;
use crate::sema::Sema;
use crate::sema::imports::import_span;
use crate::sema::problems::{Shadowing, UnusedAction, UnusedImport};
use crate::sema::program::ModuleId;
use crate::sema::scope::Meaning;
use crate::syntax::ast::{ImportNames, ImportSource, ItemKind};

/// Looks at the modules that were asked for.
pub(in crate::sema) fn run(sema: &mut Sema<'_>) {
    for index in 0..sema.modules.len() {
        if sema.modules[index].is_root {
            let module = ModuleId(index as u32);
            unused_actions(sema, module);
            imports(sema, module);
        }
    }
}

fn unused_actions(sema: &mut Sema<'_>, module: ModuleId) {
    // An action goes by its name: one arity in use keeps the others from being called unused.
    let used: FxHashSet<Symbol> = sema
        .program
        .actions
        .iter()
        .zip(&sema.used_actions)
        .filter(|(_, used)| **used)
        .map(|(action, _)| action.named.name)
        .collect();
    let unused: Vec<_> = sema
        .program
        .actions
        .iter()
        .map(|action| action.named)
        .filter(|named| named.module == module && !used.contains(&named.name))
        .filter(|named| !sema.scopes[module.index()].unparsed.contains(&named.name))
        .collect();
    let mut reported: FxHashSet<Symbol> = FxHashSet::default();
    for named in unused {
        if reported.insert(named.name) {
            let similar = sema.similar(named.name, used.iter().map(|name| name.as_str()));
            sema.report(UnusedAction { span: named.span, name: named.name.to_string(), similar });
        }
    }
}

fn imports(sema: &mut Sema<'_>, module: ModuleId) {
    let loaded = &sema.modules[module.index()];
    let imports = loaded.tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Import(import) => Some(&**import),
        _ => None,
    });
    for (number, import) in imports.enumerate() {
        let Some(from) = loaded.imports.get(number).copied().flatten() else { continue };
        // A misspelt module was reported, and replaced by the one that was meant.
        if let ImportSource::Library(path) = &import.source
            && path.to_string() != sema.modules[from.index()].file
        {
            continue;
        }
        let used = &sema.scopes[module.index()].used_imports;
        // Two imports of one module share what is used of it.
        let same =
            loaded.imports.iter().zip(used).any(|(other, used)| *used && *other == Some(from));
        if !same && !brings_used_actions(sema, module, number) {
            let name = match (&import.names, &import.source) {
                (ImportNames::Under(alias), _) => alias.name.to_string(),
                (_, ImportSource::Library(path)) => path.to_string(),
                (_, ImportSource::File(file)) => file.to_string(),
            };
            let span = import_span(sema, module, number);
            sema.report(UnusedImport { span, name });
        } else {
            hidden_names(sema, module, number);
        }
    }
}

/// Whether an import brings actions that the module declares as well: it makes them the same actions.
fn brings_used_actions(sema: &Sema<'_>, module: ModuleId, number: usize) -> bool {
    let scope = &sema.scopes[module.index()];
    scope.imported.iter().any(|(key, imported)| {
        imported.import == number
            && matches!(imported.declared.meaning, Meaning::Actions(_))
            && scope.own.contains_key(key)
    })
}

/// Declarations that hide what an import brings.
fn hidden_names(sema: &mut Sema<'_>, module: ModuleId, number: usize) {
    let scope = &sema.scopes[module.index()];
    let mut hidden: Vec<_> = scope
        .imported
        .iter()
        .filter(|(_, imported)| imported.import == number)
        .filter_map(|(key, imported)| Some((key.1, scope.own.get(key)?, imported)))
        .filter(|(_, own, _)| !matches!(own.meaning, Meaning::Actions(_)))
        .map(|(name, own, imported)| {
            (name, own.span, own.meaning.in_words(), imported.declared.span)
        })
        .collect();
    hidden.sort_by_key(|(_, span, _, _)| span.start);
    for (name, span, what, first) in hidden {
        let what = what.split_once(' ').map_or(what, |(_, noun)| noun).to_owned();
        sema.report(Shadowing { span, name: name.to_string(), what, first });
    }
}
