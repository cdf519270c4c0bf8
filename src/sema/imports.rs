//! What each module sees of the others.

use super::Sema;
use super::problems::{ImportClash, NotExported};
use super::program::ModuleId;
use super::scope::{Declared, Imported, Meaning, Space};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{Ident, Import, ImportNames, ItemKind};

/// Declares the actions of every module, then lets each see what it imports.
pub(super) fn run(sema: &mut Sema<'_>) {
    super::signatures::declare_action_names(sema);
    for (index, module) in sema.modules.iter().enumerate() {
        let id = ModuleId(index as u32);
        let imports = module.tree.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Import(import) => Some(&**import),
            _ => None,
        });
        for (number, import) in imports.enumerate() {
            match module.imports.get(number).copied().flatten() {
                Some(from) => take(sema, id, number, import, from),
                None => excuse(sema, id, &import.names),
            }
        }
    }
}

/// An import that could not be followed: the names it would have brought are not called unknown as well.
fn excuse(sema: &mut Sema<'_>, module: ModuleId, names: &ImportNames) {
    let scope = &mut sema.scopes[module.index()];
    match names {
        ImportNames::All => scope.missing_import = true,
        ImportNames::Under(alias) => {
            scope.unparsed.insert(alias.name);
        }
        ImportNames::Listed(names) => scope.unparsed.extend(names.iter().map(|name| name.name)),
    }
}

fn take(sema: &mut Sema<'_>, module: ModuleId, number: usize, import: &Import, from: ModuleId) {
    match &import.names {
        ImportNames::All => {
            let names = sema.scopes[from.index()].own.iter();
            let mut all: Vec<_> = names.map(|(key, declared)| (*key, declared.clone())).collect();
            // In the order of their declaration, so that the first clash is always the same one.
            all.sort_by_key(|(_, declared)| declared.span.start);
            let mut clashed = false;
            for ((space, name), declared) in all {
                let place = (import.source_span, clashed);
                clashed |= bring(sema, module, number, (space, name), declared, place);
            }
        }
        ImportNames::Under(alias) => {
            sema.occurs(*alias, alias.span, super::NameKind::Module);
            let aliases = &mut sema.scopes[module.index()].aliases;
            let previous = aliases.insert(alias.name, (from, number));
            if let Some((other, other_number)) = previous
                && other != from
            {
                let other = import_span(sema, module, other_number);
                let name = alias.name.to_string();
                let clash = ImportClash { span: alias.span, name, other, other_is_import: true };
                sema.report(clash);
            }
        }
        ImportNames::Listed(names) => {
            for &name in names {
                take_listed(sema, module, number, name, from);
            }
        }
    }
}

fn take_listed(sema: &mut Sema<'_>, module: ModuleId, number: usize, name: Ident, from: ModuleId) {
    let mut found = false;
    for space in Space::ALL {
        let key = (space, name.name);
        let Some(declared) = sema.scopes[from.index()].own.get(&key).cloned() else { continue };
        found = true;
        sema.names(name, &declared);
        let own = sema.scopes[module.index()].own.get(&key);
        let both_actions = own.is_some_and(|own| are_actions(&own.meaning, &declared.meaning));
        if let Some(own) = own
            && !both_actions
        {
            let (text, other) = (name.name.to_string(), own.span);
            sema.scopes[module.index()].used_imports[number] = true;
            sema.report(ImportClash { span: name.span, name: text, other, other_is_import: false });
            continue;
        }
        bring(sema, module, number, key, declared, (name.span, false));
    }
    if !found && !sema.scopes[from.index()].unparsed.contains(&name.name) {
        let known = sema.scopes[from.index()].own.keys().map(|(_, name)| name.as_str());
        let known: Vec<&str> = known.collect();
        let similar = sema.similar(name.name, known);
        let file = sema.modules[from.index()].file.clone();
        sema.report(NotExported {
            span: name.span,
            name: name.name.to_string(),
            module: file,
            similar,
        });
        let scope = &mut sema.scopes[module.index()];
        scope.unparsed.insert(name.name);
        scope.used_imports[number] = true;
    }
}

fn are_actions(a: &Meaning, b: &Meaning) -> bool {
    matches!((a, b), (Meaning::Actions(_), Meaning::Actions(_)))
}

/// Brings one name in; says whether it clashes with one that another import brought.
fn bring(
    sema: &mut Sema<'_>,
    module: ModuleId,
    import: usize,
    key: (Space, Symbol),
    declared: Declared,
    (span, already_reported): (Span, bool),
) -> bool {
    let imported = &mut sema.scopes[module.index()].imported;
    let Some(known) = imported.get_mut(&key) else {
        imported.insert(key, Imported { declared, import });
        return false;
    };
    if known.declared.meaning == declared.meaning {
        return false;
    }
    if let (Meaning::Actions(have), Meaning::Actions(more)) =
        (&mut known.declared.meaning, &declared.meaning)
    {
        for action in more {
            if !have.contains(action) {
                have.push(*action);
            }
        }
        return false;
    }
    let other_import = known.import;
    // A module's own declaration hides both, so nobody has to choose.
    let hidden = sema.scopes[module.index()].own.contains_key(&key);
    if !hidden && !already_reported {
        let other = import_span(sema, module, other_import);
        let name = key.1.to_string();
        sema.report(ImportClash { span, name, other, other_is_import: true });
        sema.scopes[module.index()].used_imports[import] = true;
    }
    !hidden
}

/// Where an import of a module names its source.
pub(super) fn import_span(sema: &Sema<'_>, module: ModuleId, number: usize) -> Span {
    let items = &sema.modules[module.index()].tree.items;
    let mut imports = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Import(import) => Some(import.source_span),
        _ => None,
    });
    imports.nth(number).unwrap_or_default()
}
