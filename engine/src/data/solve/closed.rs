//! Constraints without unknowns.

use crate::data::rewrite::Data;
use crate::data::solve::{Problem, Unsolvable};

/// Whether constraints without unknowns hold. One that has no truth value is an error only where all
/// others hold.
pub fn solve_closed(data: &mut Data, problem: &Problem<'_>) -> Result<bool, Unsolvable> {
    let mut stuck = None;
    for &(left, right) in problem.equations {
        let left = data.instance(left, problem.given)?;
        let right = data.instance(right, problem.given)?;
        let open = [left, right].into_iter().find(|&term| !data.terms.is_value(term));
        if open.is_none() && left != right {
            if data.differ(left, right) {
                return Ok(false);
            }
            stuck = stuck.or(Some(left));
        }
        stuck = stuck.or(open);
    }
    for &condition in problem.conditions {
        let term = data.instance(condition, problem.given)?;
        if term == data.falsity {
            return Ok(false);
        }
        if term != data.truth {
            stuck = stuck.or(Some(term));
        }
    }
    stuck.map_or(Ok(true), |term| Err(Unsolvable::Stuck(term)))
}
