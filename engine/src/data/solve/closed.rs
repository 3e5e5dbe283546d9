//! Constraints without unknowns.

use crate::data::rewrite::Data;
use crate::data::solve::{Problem, Unsolvable};

/// Whether constraints without unknowns hold.
pub fn solve_closed(data: &mut Data, problem: &Problem<'_>) -> Result<bool, Unsolvable> {
    for &(left, right) in problem.equations {
        let left = data.instance(left, problem.given)?;
        let right = data.instance(right, problem.given)?;
        for term in [left, right] {
            if !data.terms.is_value(term) {
                return Err(Unsolvable::Stuck(term));
            }
        }
        if left != right {
            return if data.differ(left, right) { Ok(false) } else { Err(Unsolvable::Stuck(left)) };
        }
    }
    for &condition in problem.conditions {
        let term = data.instance(condition, problem.given)?;
        if term == data.falsity {
            return Ok(false);
        }
        if term != data.truth {
            return Err(Unsolvable::Stuck(term));
        }
    }
    Ok(true)
}
