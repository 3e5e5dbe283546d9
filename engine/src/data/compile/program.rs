//! The instructions of the abstract machine, and the code of all rules.

use crate::data::numbers::Operation;
use crate::data::terms::Term;

/// An instruction. Registers are numbered from the base of the current call on the stack.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// Evaluates a register that holds a lazy argument.
    Need(u32),
    /// Computes the result if the arguments are numerals; otherwise continues with the rules of the
    /// symbol.
    Native {
        symbol: u32,
        operation: Operation,
    },
    /// Searches for values that satisfy the condition of the quantifier; continues if that is
    /// undecided.
    Quantifier(u32),
    /// Jumps to the table's target for the symbol of the term in the register.
    Switch {
        register: u32,
        table: u32,
    },
    /// Pushes a child of the term in a register.
    Load {
        register: u32,
        child: u32,
    },
    /// Continues if the registers hold the same term, otherwise jumps to the table's target.
    Same {
        left: u32,
        right: u32,
        table: u32,
    },
    /// Pops the value of a condition; continues if it is true, otherwise jumps to the table's
    /// target.
    Test(u32),
    /// Drops the registers from this one on.
    Reset(u32),
    Jump(u32),
    /// Counts the application of this rule as a step.
    Step(u32),
    /// Returns this symbol applied to the arguments, which is a normal form.
    Stuck(u32),
    /// Pushes the term in a register (`Constant`: this term).
    Push(u32),
    Constant(Term),
    /// Replaces the arguments on top of the stack by this symbol applied to them, without
    /// evaluation.
    Build(u32),
    /// Replaces the arguments on top of the stack by the normal form of this symbol applied to
    /// them.
    Call(u32),
    /// Like `Call`, with the result returned.
    Tail(u32),
    /// Evaluates the top of the stack.
    Force,
    /// Returns the normal form of the term in a register.
    ForceTail(u32),
    Return,
}

/// The jump targets of a `Switch`, a `Same` or a `Test`; the cases are sorted by symbol.
#[derive(Clone, Copy)]
pub struct Table {
    pub begin: u32,
    pub end: u32,
    pub other: u32,
    pub open: u32,
}

/// The code of all rules.
#[derive(Default)]
pub struct Program {
    pub ops: Vec<Op>,
    pub tables: Vec<Table>,
    pub cases: Vec<(u32, u32)>,
    /// The address of each symbol's code, or `NONE`.
    pub entries: Vec<u32>,
    /// For every symbol its lazy arguments, as bits. Arguments from the 64th on are always strict.
    pub lazy: Vec<u64>,
}

/// The bit of an argument; 0 if it has none.
pub fn bit(argument: usize) -> u64 {
    if argument < 64 { 1 << argument } else { 0 }
}
