//! Symbols that say that there are values that meet a condition, or that are the set of these.
//!
//! They are decided by solving, which itself rewrites: `solve::quantified` is given to the data.

use crate::data::rewrite::Data;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::terms::{NONE, Term};

/// Questions that are asked for one another: each takes some of the machine's own stack.
const MOST_NESTED: u32 = 100;

impl Data {
    /// What the quantifier that is a symbol comes to for arguments; `NONE` if that is not decided.
    pub(crate) fn quantified(
        &mut self,
        symbol: u32,
        arguments: &[Term],
    ) -> Result<Term, Unfinished> {
        let Some(decide) = self.decide else { return Ok(NONE) };
        let Some(quantifier) = self.quantifiers.get(&symbol).cloned() else { return Ok(NONE) };
        if self.nested >= MOST_NESTED || !arguments.iter().all(|&a| self.terms.is_ground(a)) {
            return Ok(NONE);
        }
        let (stack, frames) = (std::mem::take(&mut self.stack), std::mem::take(&mut self.frames));
        self.nested += 1;
        let result = decide(self, &quantifier, arguments);
        self.nested -= 1;
        (self.stack, self.frames) = (stack, frames);
        result
    }
}
