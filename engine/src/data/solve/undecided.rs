//! Checks that conditions are decided: searches for values for which one is neither true nor false.

use crate::data::rewrite::Data;
use crate::data::solve::closed::solve_closed;
use crate::data::solve::{Problem, Unsolvable, solve};

/// Searches for values that satisfy the constraints of a problem and for which its term is
/// undecided; such values are an error.
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
        // Values that cannot be listed are not checked.
        Ok(_) | Err(_) => Ok(()),
    }
}
