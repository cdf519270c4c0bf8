//! What a run is made of: straight code over registers.
//!
//! Every register holds a word, or no value. What is computed from no value has none, but where something else decides:
//! a conjunction with a false part is false, whatever the other parts are. So guards may be reordered freely.

use super::layout::LayoutId;
use super::word::Word;
use crate::algebra::{ConstId, DataId, FunId, VarId};
use crate::pnet::VectorPlace;

/// A register.
pub(super) type Reg = u16;

/// A place in the code.
pub(super) type At = u32;

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lack {
    /// An array is read outside of its range, or something is divided by zero.
    Undefined,
    /// A field of a value that does not have it.
    Field(DataId, u32, u32),
    /// A function without a definition.
    Abstract(FunId),
    /// A quantifier over too many values.
    Quantifier(LayoutId),
    /// A variable that would need a domain.
    Domain(VarId),
    /// The same of something that goes first.
    Rival(VarId),
    /// A constant that would need a value.
    Constant(ConstId),
    /// A function goes too deep, or takes too long.
    TooDeep(FunId),
    /// An expression is too deep.
    Deep,
    /// An integer with too many digits.
    Huge,
    /// Too many interactions of this vector at once.
    Many(VectorPlace),
    /// The budget is spent.
    Stopped,
}

/// An instruction. Results go to the first register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Const(Reg, Word),
    Copy(Reg, Reg),
    /// A variable of a leaf, from the configuration.
    Load(Reg, u32),
    Add(Reg, Reg, Reg),
    /// A sum with a small constant.
    Plus(Reg, Reg, i32),
    Multiply(Reg, Reg, Reg),
    Div(Reg, Reg, Reg),
    Mod(Reg, Reg, Reg),
    Less(Reg, Reg, Reg),
    LessEqual(Reg, Reg, Reg),
    Equal(Reg, Reg, Reg),
    Not(Reg, Reg),
    /// The larger and the smaller of two numbers; where one has no value, the other one.
    Max(Reg, Reg, Reg),
    Min(Reg, Reg, Reg),
    /// Whether a number is from the first to just before the second.
    Within(Reg, Reg, Word, Word),
    Jump(At),
    /// Goes there where the register is false, on otherwise.
    Unless(Reg, At),
    /// Goes there where the register is true, on otherwise.
    When(Reg, At),
    /// After both ways of a condition that has no value: their value where they agree. After the second way: its value.
    Merge {
        to: Reg,
        other: Reg,
        condition: Reg,
    },
    /// One more operand of `and` (false decides) or `or` (true decides): where it does, goes there.
    Decide {
        to: Reg,
        operand: Reg,
        decides: bool,
        end: At,
    },
    /// Some bits of a packed value.
    Take {
        to: Reg,
        from: Reg,
        shift: u8,
        bits: u8,
        low: Word,
    },
    /// Whether some bits of a packed value are this number.
    Tag {
        to: Reg,
        from: Reg,
        bits: u8,
        tag: u32,
    },
    /// Whether a larger value is made by this constructor.
    ItemTag {
        to: Reg,
        from: Reg,
        layout: LayoutId,
        tag: u32,
    },
    /// A field, where the value has it.
    Field {
        to: Reg,
        from: Reg,
        layout: LayoutId,
        tag: u16,
        field: u16,
    },
    /// What a constructor makes of the registers from the first on.
    Construct {
        to: Reg,
        first: Reg,
        layout: LayoutId,
        tag: u32,
    },
    /// What is at a place of a packed array over a range.
    PackedElement {
        to: Reg,
        array: Reg,
        key: Reg,
        bits: u8,
        places: u8,
        low: i32,
        value_low: i32,
    },
    /// A packed array over a range with another value at a place.
    PackedUpdate {
        to: Reg,
        array: Reg,
        key: Reg,
        value: Reg,
        bits: u8,
        places: u8,
        low: i32,
        value_low: i32,
        most: u32,
    },
    Element {
        to: Reg,
        array: Reg,
        key: Reg,
        layout: LayoutId,
    },
    Update {
        to: Reg,
        array: Reg,
        key: Reg,
        value: Reg,
        layout: LayoutId,
    },
    Fill {
        to: Reg,
        value: Reg,
        layout: LayoutId,
    },
    /// The array that is the same from the place in one register to just before that in the other.
    FillBetween {
        to: Reg,
        value: Reg,
        low: Reg,
        high: Reg,
    },
    /// An array as one of another sort.
    Convert {
        to: Reg,
        from: Reg,
        own: LayoutId,
        wanted: LayoutId,
    },
    /// Whether two arrays of different sorts are the same.
    Alike {
        to: Reg,
        a: Reg,
        b: Reg,
        own: LayoutId,
        other: LayoutId,
    },
    /// Calls a function with the registers from the first on.
    Call {
        to: Reg,
        first: Reg,
        function: FunId,
    },
    Return(Reg),
    /// There is no value, for this reason.
    Lacks(Reg, Lack),
    /// The value at a place among those of a sort, or those that are tried.
    Nth {
        to: Reg,
        place: Reg,
        layout: LayoutId,
        tried: bool,
    },
    /// How many values there are, with the bounds of ranges in the registers from the first on.
    CountLoose {
        to: Reg,
        layout: LayoutId,
        first: Reg,
        tried: bool,
    },
    /// The value at a place among these.
    NthLoose {
        to: Reg,
        place: Reg,
        layout: LayoutId,
        first: Reg,
        tried: bool,
    },
    /// Begins to count from the second register to just before the third; goes there when there is nothing to count.
    Begin {
        counter: Reg,
        low: Reg,
        high: Reg,
        exit: At,
        level: u16,
    },
    /// Counts on, and goes there as long as there is something to count.
    Next {
        counter: Reg,
        high: Reg,
        body: At,
        level: u16,
    },
    /// Goes on where the register is true, there where it is false; notes where it has no value.
    Test {
        on: Reg,
        fail: At,
        level: u16,
    },
    /// Notes where a register has no value.
    Needs {
        on: Reg,
        level: u16,
    },
    /// None of the values that were tried does, but there are others.
    Unknown(Lack),
    /// There are values that are not tried.
    Limited,
    /// There are values that are not tried where the first counts from more than the second number, or to less than it.
    LimitedBy {
        low: Reg,
        high: Reg,
        tried_low: Word,
        tried_high: Word,
    },
    /// Goes there where something could happen that goes first.
    Rival {
        site: u16,
        first: Reg,
        fail: At,
        level: u16,
    },
    /// Goes there where nobody wants to know what is shown.
    Unlabelled(At),
    /// All is found that belongs to a step.
    Emit,
}

/// Code with the number of registers that it uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub ops: Box<[Op]>,
    pub registers: usize,
}

/// A function that is defined: its parameters are the first registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub code: Code,
    pub params: usize,
}
