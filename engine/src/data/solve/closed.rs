//! Constraints without unknowns.

use crate::data::rewrite::Data;
use crate::data::solve::{Problem, Unsolvable};

/// Whether constraints without unknowns hold. One that has no truth value is an error only where all
/// others hold.
pub fn solve_closed(data: &mut Data, problem: &Problem<'_>) -> Result<bool, Unsolvable> {
    let mut stuck: Option<Unsolvable> = None;
    for &(left, right) in problem.equations {
        let left = data.instance(left, problem.given)?;
        let right = data.instance(right, problem.given)?;
        let open = [left, right].into_iter().find(|&term| !data.terms.is_value(term));
        if open.is_none() && left != right {
            if data.differ(left, right) {
                return Ok(false);
            }
            stuck = stuck.or(Some(Unsolvable::Stuck(left)));
        }
        stuck = stuck.or(open.map(Unsolvable::Stuck));
    }
    for &(condition, value) in problem.conditions {
        let term = data.instance(condition, problem.given)?;
        match data.truth_of(term) {
            None => stuck = stuck.or(Some(Unsolvable::Undecided(term))),
            Some(truth) if truth == value => {}
            Some(_) => return Ok(false),
        }
    }
    stuck.map_or(Ok(true), Err)
}
