//! Compiles automata and right-hand sides to flat lists of instructions.
//!
//! An argument is *strict* if its normal form is needed whichever rule is applied: it is inspected
//! on every path through the automaton, or the right-hand side needs it. Strict arguments are
//! evaluated before a call; the others (*lazy* ones) when they are inspected, or when their normal
//! form turns out to be needed. This is innermost rewriting without useless evaluations: if
//! innermost rewriting terminates, the normal form is the same, and `if`, `and`, `or` need no
//! special treatment.
//!
//! `program` defines the instructions, `strict` finds the strict arguments, `emit` emits the code
//! of a symbol.
//!
//! Sources: J. van de Pol, JITty: a rewriter with strategy annotations, RTA 2002; L. Maranget,
//! Compiling pattern matching to good decision trees, ML 2008.

pub mod emit;
pub mod program;
pub mod strict;

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::data::automaton::{Automaton, Rule};
use crate::data::compile::emit::Emitter;
use crate::data::compile::program::Program;
use crate::data::compile::strict::lazy_arguments;
use crate::data::terms::{NONE, Terms};
use rustc_hash::FxHashMap;

impl Program {
    /// Compiles rules; `by_head` lists the rules of each symbol in the order of declaration.
    pub fn new(
        terms: &Terms,
        rules: &[Rule],
        by_head: &[Vec<u32>],
        agree: &mut dyn FnMut(u32, u32) -> Result<bool>,
        cancel: &Cancel,
    ) -> Result<Self> {
        let automata: Vec<Option<Automaton>> = by_head
            .iter()
            .zip(&terms.symbols)
            .map(|(numbers, symbol)| {
                let is_computed = symbol.native.is_some() || symbol.quantifies;
                let is_defined = !numbers.is_empty() || is_computed;
                is_defined.then(|| Automaton::new(terms, rules, numbers, agree, cancel)).transpose()
            })
            .collect::<Result<_>>()?;
        let mut program = Self {
            entries: vec![NONE; by_head.len()],
            lazy: lazy_arguments(terms, rules, by_head, &automata),
            ..Self::default()
        };
        for (symbol, automaton) in automata.iter().enumerate() {
            if let Some(automaton) = automaton {
                Emitter {
                    terms,
                    rules,
                    symbol: u32::at(symbol),
                    automaton,
                    program: &mut program,
                    addresses: FxHashMap::default(),
                    waiting: Vec::new(),
                }
                .emit();
            }
        }
        Ok(program)
    }
}
