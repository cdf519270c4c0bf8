//! A picture of a net, drawn without any other program: boxes in boxes, holes as circles, leaves with their
//! automata, and each node's vectors as a table. Open automata are drawn with the same means.
//!
//! Sizes are found from the inside out (`automaton`, `table`, `boxes`), then everything is written at its
//! place (`draw`). What is too large to be looked at is left out, and it is said how much (`parts`).

mod automaton;
mod boxes;
mod chart;
mod circle;
mod comments;
mod draw;
mod folded;
mod layers;
pub(super) mod links;
mod measure;
pub(super) mod parts;
mod rules;
mod style;
mod table;
mod text;

use crate::diagnostics::SourceMap;
use crate::pnet::PNet;

pub(super) use automaton::{Graph, GraphState, StateKind, Taken};
pub(super) use boxes::{Block, TooLarge, open_block};
pub use chart::chart;
pub(super) use draw::escape;
pub(super) use measure::{is_joined, is_wide};
pub use rules::rules_svg;
pub(super) use table::{Column, Table, measured};
pub(super) use text::Line;

use comments::Comments;
use style::STYLE;

/// The style sheet of all pictures, for a page that has it once.
pub fn picture_style() -> String {
    format!("{STYLE}{}", chart::MORE_STYLE)
}

/// The same picture without its style sheet, for a page that has it.
pub fn without_style(picture: &str) -> String {
    let parts = picture.split_once("<style>\n");
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once("</style>\n")?.1)));
    parts.map_or_else(|| picture.to_owned(), |(before, after)| format!("{before}{after}"))
}

/// The room around the picture.
const MARGIN: f64 = 12.0;

/// The net as an SVG picture.
pub fn svg(net: &PNet) -> String {
    page(net.name.as_str(), &boxes::whole(net))
}

/// The same, which shows what people wrote about something where one points at it.
pub fn svg_with_comments(net: &PNet, sources: &SourceMap) -> String {
    page_with(net.name.as_str(), &boxes::whole(net), Comments::new(net, sources))
}

/// A page with one box on it.
pub(super) fn page(name: &str, whole: &Block) -> String {
    page_with(name, whole, Comments::default())
}

fn page_with(name: &str, whole: &Block, comments: Comments) -> String {
    let (width, height) =
        ((whole.width + 2.0 * MARGIN).ceil(), (whole.height + 2.0 * MARGIN).ceil());
    let mut canvas = draw::Canvas { out: String::new(), comments };
    canvas.out.push_str(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" xml:space=\"preserve\">\n<title>{}</title>\n",
        escape(name)
    ));
    canvas.out.push_str(&format!("<style>\n{STYLE}</style>\n"));
    canvas.out.push_str(TIP);
    canvas.rect("page", (0.0, 0.0), (width, height), 0.0);
    canvas.block(whole, (MARGIN, MARGIN));
    canvas.out.push_str("</svg>\n");
    canvas.out
}

const TIP: &str = "<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
    markerHeight=\"7\" orient=\"auto\"><path class=\"tip\" d=\"M0 1L10 5L0 9L2.5 5Z\"/></marker></defs>\n";
