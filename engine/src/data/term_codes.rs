//! Codes of terms, in which Python passes them.

use crate::data::numbers::Number;
use crate::data::terms::{Term, Terms};

/// Tokens from this number on are numerals.
const NUMERALS: i64 = 1 << 60;

/// Tokens from this number on are existing terms.
const KNOWN: i64 = 1 << 61;

/// Tokens from this number on repeat a subterm of the same code.
pub const REPEATED: i64 = 1 << 62;

impl Terms {
    /// The term with this code: tokens in prefix order; symbol `n >= 0`, variable `v` as `-(v+1)`,
    /// number `k` of the sort of numbers `s` as `2^60 + s 2^56 + 2^55 + k`, existing term `t` as
    /// `2^61 + t`, and `2^62 + k` for the `k`-th subterm with arguments, counted from the end of the
    /// code, so that a term with shared subterms is coded without writing them out.
    pub fn decode(&mut self, code: &[i64]) -> Result<Term, String> {
        let mut stack: Vec<Term> = Vec::new();
        let mut composed: Vec<Term> = Vec::new();
        for &token in code.iter().rev() {
            if token < 0 {
                stack.push(self.variable((-1 - token) as u32));
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
                let sort = self.number_sorts.get(which as usize);
                if !sort.is_some_and(|sort| sort.kind.has(&number)) {
                    return Err("a code has a number that its sort does not have".into());
                }
                stack.push(self.numeral(which as u32, number));
                continue;
            }
            let symbol = self.symbols.get(token as usize).ok_or("a code has an unknown symbol")?;
            let arity = symbol.arguments.len();
            if stack.len() < arity {
                return Err("a code ends too early".into());
            }
            let children: Vec<Term> = stack.drain(stack.len() - arity..).rev().collect();
            let term = self.apply(token as u32, &children);
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
}
