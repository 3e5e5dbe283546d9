//! Codes of terms, in which Python passes them; and copies of terms from one table to another.

use crate::base::ids::Id;
use crate::data::numbers::Number;
use crate::data::terms::{Head, Term, Terms};
use rustc_hash::FxHashMap;

/// Tokens from this number on are numerals.
const NUMERALS: i64 = 1 << 60;

/// Tokens from this number on are existing terms.
pub const KNOWN: i64 = 1 << 61;

/// Tokens from this number on repeat a subterm of the same code.
pub const REPEATED: i64 = 1 << 62;

impl Terms {
    /// The term with this code: tokens in prefix order; symbol `n >= 0`, variable `v` as `-(v+1)`,
    /// number `k` of the sort of numbers `s` as `2^60 + s 2^56 + 2^55 + k`, existing term `t` as
    /// `2^61 + t`, and `2^62 + k` for the `k`-th subterm with arguments, counted from the end of
    /// the code, so that a term with shared subterms is coded without writing them out.
    pub fn decode(&mut self, code: &[i64]) -> Result<Term, String> {
        let mut stack: Vec<Term> = Vec::new();
        let mut composed: Vec<Term> = Vec::new();
        for &token in code.iter().rev() {
            if token < 0 {
                let variable =
                    u32::try_from(-1 - token).map_err(|_| "a code has an unknown variable")?;
                stack.push(self.variable(variable));
                continue;
            }
            if token >= REPEATED {
                let repeated = usize::try_from(token - REPEATED).ok();
                let repeated = repeated.and_then(|number| composed.get(number));
                stack.push(*repeated.ok_or("a code repeats an unknown term")?);
                continue;
            }
            if token >= KNOWN {
                let known =
                    u32::try_from(token - KNOWN).ok().filter(|&t| (t as usize) < self.len());
                stack.push(known.ok_or("a code has an unknown term")?);
                continue;
            }
            if token >= NUMERALS {
                let (which, value) = ((token - NUMERALS) >> 56, token & ((1 << 56) - 1));
                let number = Number::Small(value - (1 << 55));
                let which = u32::at(which);
                let sort = self.number_sorts.get(which as usize);
                if !sort.is_some_and(|sort| sort.kind.has(&number)) {
                    return Err("a code has a number that is not in its sort".into());
                }
                stack.push(self.numeral(which, number));
                continue;
            }
            let known =
                u32::try_from(token).ok().filter(|&symbol| (symbol as usize) < self.symbols.len());
            let symbol = known.ok_or("a code has an unknown symbol")?;
            let arity = self.arity(symbol);
            if stack.len() < arity {
                return Err("a code ends too early".into());
            }
            let children: Vec<Term> = stack.drain(stack.len() - arity..).rev().collect();
            let term = self.apply(symbol, &children);
            if arity > 0 {
                composed.push(term);
            }
            stack.push(term);
        }
        match stack[..] {
            [term] => Ok(term),
            _ => Err("a code is not one term".into()),
        }
    }

    /// The same term as `term` of another table, whose symbols and sorts of numbers have the same
    /// numbers as here; `None` if it has a symbol that is unknown here. Shared parts are copied
    /// once.
    pub fn copied(&mut self, from: &Self, term: Term) -> Option<Term> {
        let mut copies: FxHashMap<Term, Term> = FxHashMap::default();
        // An explicit stack, as terms may be nested deeply.
        let mut waiting = vec![term];
        while let Some(&at) = waiting.last() {
            if copies.contains_key(&at) {
                waiting.pop();
                continue;
            }
            let copy = match from.head(at) {
                Head::Variable(variable) => self.variable(variable),
                Head::Numeral(number) => {
                    let (which, number) = from.numerals.get(number);
                    self.numeral(which, number.clone())
                }
                Head::Symbol(symbol) => {
                    if symbol as usize >= self.symbols.len() {
                        return None;
                    }
                    let known: Option<Vec<Term>> =
                        from.children(at).iter().map(|part| copies.get(part).copied()).collect();
                    let Some(children) = known else {
                        waiting.extend_from_slice(from.children(at));
                        continue;
                    };
                    self.apply(symbol, &children)
                }
            };
            copies.insert(at, copy);
            waiting.pop();
        }
        copies.get(&term).copied()
    }
}
