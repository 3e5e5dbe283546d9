//! Conditions that have to be true or false: looking for values for which one is neither.

use crate::data::rewrite::Data;
use crate::data::solve::closed::solve_closed;
use crate::data::solve::{Problem, Unsolvable, solve};

/// Looks for values that meet the constraints of a problem and for which a term is undecided: an error.
pub fn undecided(data: &mut Data, problem: &Problem<'_>, cap: usize) -> Result<(), Unsolvable> {
    let Some(term) = problem.undecided else { return Ok(()) };
    if problem.sorts.is_empty() {
        if solve_closed(data, problem)? {
            let normal = data.instance(term, problem.given)?;
            if data.truth_of(normal).is_none() {
                return Err(Unsolvable::Undecided(normal));
            }
        }
        return Ok(());
    }
    match solve(data, problem, cap, &mut Vec::new()) {
        Err(error @ (Unsolvable::Undecided(_) | Unsolvable::Stuck(_))) => Err(error),
        // What cannot be listed is not looked at.
        Ok(_) | Err(_) => Ok(()),
    }
}
