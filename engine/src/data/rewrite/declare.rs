//! Data as they are declared: sorts, symbols, and rules as codes.

use crate::data::automaton::Rule;
use crate::data::compile::program::Program;
use crate::data::overlaps::Overlaps;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, Symbol, Terms};

impl Data {
    /// Data over sorts and symbols; `rules` as codes (number of variables, left, right); `truth`
    /// and `falsity` are the Boolean constants.
    pub fn new(
        sorts: Vec<Vec<u8>>,
        symbols: Vec<Symbol>,
        rules: &[(usize, Vec<i64>, Vec<i64>)],
        truth: u32,
        falsity: u32,
    ) -> Result<Self, String> {
        let mut constructors = vec![Vec::new(); sorts.len()];
        for (number, symbol) in symbols.iter().enumerate() {
            if symbol.kind == Kind::Constructor {
                constructors[symbol.sort as usize].push(number as u32);
            }
        }
        let mut rewritten = vec![false; symbols.len()];
        for (_, left, _) in rules {
            match left.first().map(|&head| usize::try_from(head)) {
                Some(Ok(symbol)) if symbol < symbols.len() => rewritten[symbol] = true,
                Some(Err(_)) => return Err("the left side of a rule is a variable".into()),
                _ => return Err("the left side of a rule is no term".into()),
            }
        }
        let mut by_head = vec![Vec::new(); symbols.len()];
        let mut terms = Terms::new(symbols, &rewritten);
        let mut decoded = Vec::new();
        for (number, (variables, left, right)) in rules.iter().enumerate() {
            let (left, right) = (terms.decode(left)?, terms.decode(right)?);
            decoded.push(Rule { left, right, variables: *variables as u32 });
            if let Head::Symbol(symbol) = terms.head(left) {
                by_head[symbol as usize].push(number as u32);
            }
        }
        let mut overlaps = Overlaps::new(terms.clone(), &decoded, &by_head);
        let mut agree = |i, j| overlaps.agree(i, j);
        let program = Program::new(&terms, &decoded, &by_head, &mut agree);
        let mut data = Self::with(terms, program);
        data.truth = data.terms.apply(truth, &[]);
        data.falsity = data.terms.apply(falsity, &[]);
        data.sorts = sorts;
        data.constructors = constructors;
        Ok(data)
    }
}
