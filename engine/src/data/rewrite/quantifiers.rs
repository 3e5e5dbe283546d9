//! What holds of some value: decided by looking for one (`solve`), where the rest is known; and the set
//! of all values that something holds of, where these are few.
//!
//! What cannot be decided, because there are too many values to look at or a condition is stuck, is
//! left to the rules.

use crate::data::rewrite::Data;
use crate::data::rewrite::limits::Endless;
use crate::data::solve::{Problem, Unsolvable, first_solution, solve};
use crate::data::terms::{NONE, Term};

/// A symbol that holds of arguments if there are values that meet a condition with them, or is the set
/// of these values.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// The sorts of the values.
    pub sorts: Vec<u32>,
    /// Over variables for the arguments, then for the values.
    pub condition: Term,
    /// What adds a value to a set, and the empty set.
    pub set: Option<(u32, Term)>,
}

/// Values of a set.
const MOST_VALUES: usize = 1000;
/// Cases of which there may be infinitely many that are looked at for one question.
const MOST_CASES: usize = 2_000;
/// Questions that are asked for one another: each takes some of the machine's own stack.
const MOST_NESTED: u32 = 100;

impl Data {
    /// Whether there are values as a symbol says of arguments, which are values; `NONE` if that
    /// cannot be decided.
    pub(crate) fn quantified(&mut self, symbol: u32, arguments: &[Term]) -> Result<Term, Endless> {
        let Some(Quantifier { sorts, condition, set }) = self.quantifiers.get(&symbol).cloned()
        else {
            return Ok(NONE);
        };
        if self.nested >= MOST_NESTED || !arguments.iter().all(|&a| self.terms.is_ground(a)) {
            return Ok(NONE);
        }
        let (stack, frames) = (std::mem::take(&mut self.stack), std::mem::take(&mut self.frames));
        self.nested += 1;
        let conditions = [condition];
        let problem =
            Problem { given: arguments, sorts: &sorts, equations: &[], conditions: &conditions };
        let found = match set {
            None => first_solution(self, &problem, MOST_CASES)
                .map(|found| found.map(|holds| self.constant(holds))),
            Some((insert, empty)) => {
                let mut values = Vec::new();
                solve(self, &problem, MOST_VALUES, &mut values).and_then(|complete| {
                    let add = |set, &value| self.terms.apply(insert, &[value, set]);
                    let set = complete.then(|| values.iter().fold(empty, add));
                    Ok(set.map(|set| self.normalise(set)).transpose()?)
                })
            }
        };
        self.nested -= 1;
        (self.stack, self.frames) = (stack, frames);
        match found {
            Ok(Some(result)) => Ok(result),
            Ok(None) | Err(Unsolvable::Stuck(_) | Unsolvable::NoConstructors(_)) => Ok(NONE),
            Err(Unsolvable::Endless(error)) => Err(error),
        }
    }
}
