//! The instructions of the machine, and the code of all rules.

use crate::data::numbers::Operation;
use crate::data::terms::Term;

/// An instruction. Registers count from the base of the current call on the stack.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// Evaluates a register that is not strict.
    Need(u32),
    /// Computes the result, if the arguments are numerals; else the rules of the symbol follow.
    Native {
        symbol: u32,
        operation: Operation,
    },
    /// Looks for values that meet the condition of the symbol; goes on if that is not decided.
    Quantifier(u32),
    /// Goes where the table says for the symbol in the register.
    Switch {
        register: u32,
        table: u32,
    },
    /// Pushes a child of a register.
    Load {
        register: u32,
        child: u32,
    },
    /// Goes on if the registers hold one term, else where the table says.
    Same {
        left: u32,
        right: u32,
        table: u32,
    },
    /// Takes the value of a condition from the top; goes on if it holds, else where the table says.
    Test(u32),
    /// Forgets the registers from this one.
    Reset(u32),
    Jump(u32),
    /// Counts a step of this rule.
    Step(u32),
    /// The arguments with this symbol outside are a normal form.
    Stuck(u32),
    /// Pushes a register, or a term.
    Push(u32),
    Constant(Term),
    /// Replaces the arguments on top of the stack by the term of this symbol, as it stands.
    Build(u32),
    /// Replaces the arguments on top of the stack by the normal form of that term.
    Call(u32),
    /// The same as the result of this call.
    Tail(u32),
    /// Evaluates the top of the stack.
    Force,
    /// The result is the normal form of a register, or of the top of the stack.
    ForceTail(u32),
    Return,
}

/// Where to go from a `Switch`, a `Same` or a `Test`: the cases are sorted by symbol.
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
    /// Where the code of each symbol begins, else `NONE`.
    pub entries: Vec<u32>,
    /// For every symbol the arguments that are not strict, as bits. Those from the 64th are strict.
    pub lazy: Vec<u64>,
}

/// The bit of an argument, if it has one.
pub fn bit(argument: usize) -> u64 {
    if argument < 64 { 1 << argument } else { 0 }
}
