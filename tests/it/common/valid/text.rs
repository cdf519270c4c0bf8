//! Texts of expressions, with how tightly they bind.

/// How tightly expressions bind, as in the grammar, loosest first.
pub const ANY: u8 = 0;
pub const OR: u8 = 1;
pub const AND: u8 = 2;
pub const NOT: u8 = 3;
pub const COMPARISON: u8 = 4;
pub const SUM: u8 = 5;
pub const PRODUCT: u8 = 6;
pub const OPERAND: u8 = 7;
pub const TERM: u8 = 9;

/// The text of an expression.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: String,
    pub level: u8,
}

impl Text {
    pub fn new(text: impl Into<String>, level: u8) -> Text {
        Text { text: text.into(), level }
    }

    /// A name, a call, or something in brackets of its own.
    pub fn term(text: impl Into<String>) -> Text {
        Text::new(text, TERM)
    }

    /// The text where only what binds at least so tightly may stand.
    pub fn at(&self, level: u8) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Two texts with an operator between them that binds so tightly, its operands tighter.
    pub fn infix(left: &Text, operator: &str, right: &Text, level: u8) -> Text {
        Text::new(format!("{} {operator} {}", left.at(level + 1), right.at(level + 1)), level)
    }
}
