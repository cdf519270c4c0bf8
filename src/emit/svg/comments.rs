//! What people wrote about what is drawn: the comments right before it, shown where one points at it.

use std::collections::BTreeMap;

use crate::diagnostics::{SourceMap, Span};
use crate::pnet::{Content, PNet};

/// Comments, by what they are about.
#[derive(Default)]
pub(in crate::emit) struct Comments {
    /// About vectors and connectors, by their texts.
    texts: BTreeMap<Span, String>,
    /// About parts and nets, by their paths.
    parts: BTreeMap<String, String>,
}

impl Comments {
    /// The comments on what a net consists of.
    pub(super) fn new(net: &PNet, sources: &SourceMap) -> Comments {
        let mut comments = Comments::default();
        for vector in net.nodes.iter().flat_map(|node| &node.vectors) {
            let span = net.origins.get(vector.origin).span;
            if let Some(text) = before(sources, span) {
                comments.texts.insert(span, text);
            }
        }
        let name = net.name.to_string();
        let mut work = vec![(name.clone(), net.root)];
        while let Some((path, content)) = work.pop() {
            let origin = match content {
                Content::Leaf(id) => net.plts[id].origin,
                Content::Node(id) => {
                    let parts = net.nodes[id].parts.iter();
                    work.extend(parts.map(|part| (format!("{path}.{}", part.name), part.content)));
                    net.nodes[id].origin
                }
                Content::Hole(_) => continue,
            };
            let made = net.origins.chain(origin).first().map(|instance| instance.span);
            // What is said where a part is made, and what is said of everything that is made so.
            let said = [made, Some(net.origins.get(origin).span)].into_iter().flatten();
            let mut said: Vec<String> = said.filter_map(|span| before(sources, span)).collect();
            said.dedup();
            if !said.is_empty() {
                comments.parts.insert(path, said.join("\n\n"));
            }
        }
        comments
    }

    /// What is said of a part, or of the whole.
    pub(super) fn part(&self, path: &str) -> Option<&str> {
        self.parts.get(path).map(String::as_str)
    }

    /// What is said of a vector or connector.
    pub(super) fn text(&self, span: Span) -> Option<&str> {
        self.texts.get(&span).map(String::as_str)
    }
}

/// The lines of comments right before the line on which a text begins.
fn before(sources: &SourceMap, span: Span) -> Option<String> {
    let file = sources.file_of(span)?;
    let start = file.range(span).start;
    let mut lines: Vec<&str> = file.text().get(..start)?.split('\n').collect();
    lines.pop();
    let is_comment = |line: &&&str| line.trim_start().starts_with("//");
    let mut found: Vec<&str> = lines.iter().rev().take_while(is_comment).copied().collect();
    found.reverse();
    let text = |line: &str| line.trim().trim_start_matches('/').trim().to_owned();
    let found: Vec<String> = found.into_iter().map(text).collect();
    (!found.is_empty()).then(|| found.join("\n"))
}
