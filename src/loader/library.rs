//! The standard library, compiled in.

use super::problems::UnknownLibrary;
use crate::diagnostics::{Span, closest};
use crate::syntax::ast;

const LIBRARY: &[(&str, &str)] = &[
    ("prelude", include_str!("../../stdlib/prelude.pnet")),
    ("buffers", include_str!("../../stdlib/buffers.pnet")),
    ("channels", include_str!("../../stdlib/channels.pnet")),
    ("clocks", include_str!("../../stdlib/clocks.pnet")),
    ("ccs", include_str!("../../stdlib/ccs.pnet")),
    ("bag", include_str!("../../stdlib/bag.pnet")),
    ("list", include_str!("../../stdlib/list.pnet")),
    ("map", include_str!("../../stdlib/map.pnet")),
    ("option", include_str!("../../stdlib/option.pnet")),
    ("queue", include_str!("../../stdlib/queue.pnet")),
    ("set", include_str!("../../stdlib/set.pnet")),
    ("glue", include_str!("../../stdlib/glue.pnet")),
    ("locks", include_str!("../../stdlib/locks.pnet")),
    ("lotos", include_str!("../../stdlib/lotos.pnet")),
    ("patterns", include_str!("../../stdlib/patterns.pnet")),
];

/// The names of all modules, without `std.`.
pub fn names() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().map(|(name, _)| *name)
}

/// The text of the module with this name.
pub(super) fn text(name: &str) -> Option<&'static str> {
    LIBRARY.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The text of the module with this path: `std.buffers`.
pub(super) fn text_of(path: &ast::Path) -> Option<&'static str> {
    let [std, name] = path.parts.as_slice() else { return None };
    (std.name.as_str() == "std").then(|| text(name.name.as_str())).flatten()
}

/// That there is no module with this path.
pub(super) fn unknown(path: &ast::Path, span: Span) -> UnknownLibrary {
    let known: Vec<String> = LIBRARY.iter().map(|(name, _)| format!("std.{name}")).collect();
    let name = path.to_string();
    let similar = closest(&name, known.iter().map(String::as_str)).map(str::to_owned);
    UnknownLibrary { span, name, similar, known }
}
