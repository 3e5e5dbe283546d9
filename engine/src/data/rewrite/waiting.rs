//! Analyses the code of a symbol without running it: the variables that block the normal form of an
//! open term, and whether a symbol just compares two terms.

use crate::data::compile::program::Op;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, NONE, Term};
use rustc_hash::FxHashSet;

impl Data {
    /// Whether a symbol is the syntactic comparison of two terms.
    pub fn is_identity(&self, symbol: u32) -> bool {
        let (ops, mut entry) = (&self.program.ops, self.program.entries[symbol as usize]);
        if entry != NONE && matches!(ops[entry as usize], Op::Native { .. }) {
            entry += 1;
        }
        let gives = |position: u32, value: Term| {
            let code = ops.get(position as usize..).unwrap_or_default();
            matches!(code, [Op::Step(_), Op::Constant(c), Op::Return, ..] if *c == value)
        };
        if entry != NONE
            && self.terms.arity(symbol) == 2
            && let Op::Same { left: 0, right: 1, table } = ops[entry as usize]
            && let Op::Jump(yes) = ops[entry as usize + 1]
        {
            let no = self.program.tables[table as usize].other;
            return gives(yes, self.truth) && gives(no, self.falsity);
        }
        false
    }

    /// Appends the variables that block a normal form, that is, whose values would allow further
    /// rewriting. A variable may be appended several times.
    pub fn awaited(&mut self, term: Term, variables: &mut Vec<u32>) {
        let mut waiting = vec![term];
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        while let Some(term) = waiting.pop() {
            if self.terms.is_ground(term) || !seen.insert(term) {
                continue;
            }
            match self.terms.head(term) {
                Head::Variable(v) => variables.push(v),
                Head::Numeral(_) => {}
                Head::Symbol(symbol) if self.terms.is_inert(symbol) => {
                    waiting.extend(self.terms.children(term).iter().rev());
                }
                Head::Symbol(symbol) => match self.waits_for(term, symbol) {
                    open if open.is_empty() => self.terms.variables(term, variables),
                    open => waiting.extend(open.into_iter().rev()),
                },
            }
        }
    }

    /// The registers tested while open, along the path of a term through the automaton.
    fn waits_for(&mut self, term: Term, symbol: u32) -> Vec<Term> {
        let mut registers = self.terms.children(term).to_vec();
        let mut open = Vec::new();
        let mut op = self.program.entries[symbol as usize] as usize;
        loop {
            op = match self.program.ops[op] {
                Op::Need(_) | Op::Native { .. } | Op::Quantifier(_) => op + 1,
                Op::Switch { register, table } => {
                    let (target, is_open) = self.target(registers[register as usize], table);
                    if is_open {
                        open.push(registers[register as usize]);
                    }
                    target as usize
                }
                Op::Load { register, child } => {
                    let parent = registers[register as usize];
                    registers.push(self.terms.part(parent, child as usize));
                    op + 1
                }
                Op::Same { left, right, table } => {
                    let (left, right) = (registers[left as usize], registers[right as usize]);
                    let table = self.program.tables[table as usize];
                    if left == right {
                        op + 1
                    } else if self.differ(left, right) {
                        table.other as usize
                    } else {
                        open.extend([left, right]);
                        table.open as usize
                    }
                }
                Op::Reset(height) => {
                    registers.truncate(height as usize);
                    op + 1
                }
                Op::Jump(target) => target as usize,
                _ => return open,
            };
        }
    }
}
