//! Code: automata and right-hand sides as flat lists of instructions.
//!
//! An argument is *strict* if its normal form is needed whatever rule is applied: it is looked at on
//! every way through the automaton, or what the rule gives needs it. Strict arguments are evaluated
//! before a call, the others when they are looked at, or when their normal form is needed after all.
//! That is innermost rewriting, but for terms that it evaluates in vain: what innermost rewriting
//! brings to an end has the same normal form, and `if`, `and`, `or` need not be told of.
//!
//! `program` is what is made, `strict` finds the strict arguments, `emit` writes the code of a symbol.
//!
//! Source: J. van de Pol, JITty: a rewriter with strategy annotations, RTA 2002; L. Maranget,
//! Compiling pattern matching to good decision trees, ML 2008.

pub mod emit;
pub mod program;
pub mod strict;

use crate::data::automaton::{Automaton, Rule};
use crate::data::compile::emit::Emitter;
use crate::data::compile::program::Program;
use crate::data::compile::strict::lazy_arguments;
use crate::data::terms::{NONE, Terms};
use rustc_hash::FxHashMap;

impl Program {
    /// The code of rules, which `by_head` lists for each symbol in the order of declaration.
    pub fn new(
        terms: &Terms,
        rules: &[Rule],
        by_head: &[Vec<u32>],
        agree: &mut dyn FnMut(u32, u32) -> bool,
    ) -> Self {
        let automata: Vec<Option<Automaton>> = by_head
            .iter()
            .zip(&terms.symbols)
            .map(|(numbers, symbol)| {
                let is_computed = symbol.native.is_some() || symbol.quantifies;
                let is_defined = !numbers.is_empty() || is_computed;
                is_defined.then(|| Automaton::new(terms, rules, numbers, agree))
            })
            .collect();
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
                    symbol: symbol as u32,
                    automaton,
                    program: &mut program,
                    places: FxHashMap::default(),
                    waiting: Vec::new(),
                }
                .emit();
            }
        }
        program
    }
}
