//! Quantifiers: symbols that denote whether some values satisfy a condition, or the set of these.
//!
//! They are decided by solving, which itself needs rewriting; so [`Data`] is given the function
//! `solve::quantified`.

use crate::data::rewrite::Data;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::terms::{NONE, Term};

/// The largest depth of nested quantifiers: each level uses the program's call stack.
const MOST_NESTED: u32 = 100;

impl Data {
    /// The value of a quantifier for some arguments; `NONE` if undecided.
    pub(crate) fn quantified(
        &mut self,
        symbol: u32,
        arguments: &[Term],
    ) -> Result<Term, Unfinished> {
        let Some(decide) = self.decide else { return Ok(NONE) };
        let Some(quantifier) = self.quantifiers.get(&symbol).cloned() else { return Ok(NONE) };
        if !arguments.iter().all(|&a| self.terms.is_ground(a)) {
            return Ok(NONE);
        }
        // An error rather than `NONE`, which would be stored as the value wherever it is requested.
        if self.nested >= MOST_NESTED {
            return Err(Unfinished::Nested { most: MOST_NESTED });
        }
        let (stack, frames) = (std::mem::take(&mut self.stack), std::mem::take(&mut self.frames));
        self.nested += 1;
        let result = decide(self, &quantifier, arguments);
        self.nested -= 1;
        (self.stack, self.frames) = (stack, frames);
        result
    }
}
