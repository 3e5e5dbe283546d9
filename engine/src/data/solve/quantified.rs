//! Quantifiers: an existential condition is decided by searching for a value that satisfies it,
//! when its arguments are known; a set is built from all values that satisfy its condition, if
//! these are few.
//!
//! If this fails, because there are too many values or a condition is stuck, the rules of the
//! symbol are used.

use crate::data::rewrite::unfinished::Unfinished;
use crate::data::rewrite::{Data, Quantifier};
use crate::data::solve::{Problem, Unsolvable, first_solution, solve};
use crate::data::terms::{NONE, Term};

/// The largest number of values of a set.
const MOST_VALUES: usize = 1000;
/// The cap on the search for one existential condition.
const MOST_CASES: usize = 2_000;

/// The value of a quantifier for some arguments; `NONE` if undecided.
pub fn quantified(
    data: &mut Data,
    quantifier: &Quantifier,
    arguments: &[Term],
) -> Result<Term, Unfinished> {
    let Quantifier { sorts, condition, set } = quantifier;
    let conditions = [(*condition, true)];
    let (equations, conditions) = (&[][..], &conditions[..]);
    let problem = Problem { given: arguments, sorts, equations, conditions, undecided: None };
    let decided = match *set {
        None => first_solution(data, &problem, MOST_CASES)
            .map(|decided| decided.map(|holds| data.constant(holds))),
        Some((insert, empty)) => {
            let mut values = Vec::new();
            solve(data, &problem, MOST_VALUES, &mut values).and_then(|complete| {
                let add = |set, &value| data.terms.apply(insert, &[value, set]);
                let set = complete.then(|| values.iter().fold(empty, add));
                Ok(set.map(|set| data.normalise(set)).transpose()?)
            })
        }
    };
    match decided {
        Ok(Some(result)) => Ok(result),
        Err(Unsolvable::Unfinished(error)) => Err(error),
        // Undecided: if no value matters, the condition itself says whether there is one.
        Ok(None) | Err(_) if set.is_none() => {
            let rest = data.instance(*condition, arguments)?;
            Ok(if data.terms.is_ground(rest) { rest } else { NONE })
        }
        Ok(None) | Err(_) => Ok(NONE),
    }
}
