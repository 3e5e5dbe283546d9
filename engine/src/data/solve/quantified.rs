//! What holds of some value: decided by looking for one, where the rest is known; and the set of all
//! values that something holds of, where these are few.
//!
//! What cannot be decided, because there are too many values to look at or a condition is stuck, is
//! left to the rules.

use crate::data::rewrite::unfinished::Unfinished;
use crate::data::rewrite::{Data, Quantifier};
use crate::data::solve::{Problem, Unsolvable, first_solution, solve};
use crate::data::terms::{NONE, Term};

/// Values of a set.
const MOST_VALUES: usize = 1000;
/// Cases of which there may be infinitely many that are looked at for one question.
const MOST_CASES: usize = 2_000;

/// What a quantifier comes to for arguments; `NONE` if that cannot be decided.
pub fn quantified(
    data: &mut Data,
    quantifier: &Quantifier,
    arguments: &[Term],
) -> Result<Term, Unfinished> {
    let Quantifier { sorts, condition, set } = quantifier;
    let conditions = [(*condition, true)];
    let (equations, conditions) = (&[][..], &conditions[..]);
    let problem = Problem { given: arguments, sorts, equations, conditions, undecided: None };
    let found = match *set {
        None => first_solution(data, &problem, MOST_CASES)
            .map(|found| found.map(|holds| data.constant(holds))),
        Some((insert, empty)) => {
            let mut values = Vec::new();
            solve(data, &problem, MOST_VALUES, &mut values).and_then(|complete| {
                let add = |set, &value| data.terms.apply(insert, &[value, set]);
                let set = complete.then(|| values.iter().fold(empty, add));
                Ok(set.map(|set| data.normalise(set)).transpose()?)
            })
        }
    };
    match found {
        Ok(Some(result)) => Ok(result),
        Err(Unsolvable::Unfinished(error)) => Err(error),
        // It is not decided.
        Ok(None) | Err(_) => Ok(NONE),
    }
}
