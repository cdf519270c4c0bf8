//! What the text of a network says, as a tree.

use crate::diagnostics::Span;

/// A name of a file, gate or label, or a pattern, as it is meant.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: Box<str>,
    pub span: Span,
    pub is_quoted: bool,
}

/// A whole file.
#[derive(Debug)]
pub(super) struct ExpTree {
    pub language: Language,
    pub root: Tree,
}

/// What a language has its own ways about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Language {
    /// Whether labels that stand in the file are meant in upper case.
    pub is_upper: bool,
    /// The gate on which all operands end together.
    pub termination: Option<&'static str>,
}

/// A behaviour.
#[derive(Debug)]
pub(super) struct Tree {
    pub kind: TreeKind,
    pub span: Span,
    /// Whether an operator that follows would reach into it if it were only copied into another file: infix operators
    /// without parentheses, and a `hide` without an end.
    pub is_loose: bool,
}

#[derive(Debug)]
pub(super) enum TreeKind {
    /// A file, with a system or a network.
    File(Name),
    /// Some labels are hidden.
    Hide(Selection, Box<Tree>),
    /// Steps with some labels are left out.
    Cut(Selection, Box<Tree>),
    /// Labels are renamed, each by the first rule that fits.
    Rename(Matching, Vec<(Name, Name)>, Box<Tree>),
    /// Infix operators, which associate to the right.
    Chain(Box<Tree>, Vec<(Global, Tree)>),
    /// Operands that move by vectors.
    Using(Unit, Vec<VectorTree>, Vec<Tree>),
    /// Operands that move together by what they share.
    Par(Unit, Global, Vec<(Vec<Element>, Tree)>),
}

/// What of a label a pattern is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Matching {
    /// The gate, all of it.
    Gate,
    /// The label, all of it.
    Total,
    /// Some text in it; the first one, for renaming.
    Partial,
    /// All texts in it that fit.
    Multiple,
}

/// What of a label must be the same to move together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    /// The gate is named, and offers are the same.
    Gate,
    /// The whole label is named.
    Label,
}

/// Some labels, or all but them.
#[derive(Debug)]
pub(super) struct Selection {
    pub matching: Matching,
    pub all_but: bool,
    pub patterns: Vec<Name>,
}

/// On what all operands move together.
#[derive(Debug)]
pub(super) enum Global {
    All,
    These(Vec<Element>),
}

impl Global {
    /// Whether both name the same, in the same order.
    pub fn is_same(&self, other: &Global) -> bool {
        match (self, other) {
            (Global::All, Global::All) => true,
            (Global::These(one), Global::These(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| {
                        (&one.name.text, one.degree) == (&other.name.text, other.degree)
                    })
            }
            _ => false,
        }
    }
}

/// A gate or label to move together on; by so many of those that name it, or by all.
#[derive(Debug)]
pub(super) struct Element {
    pub name: Name,
    pub degree: Option<usize>,
}

/// A vector: what each operand does, and what is seen.
#[derive(Debug)]
pub(super) struct VectorTree {
    pub slots: Vec<Option<Name>>,
    pub result: Name,
    pub span: Span,
}
