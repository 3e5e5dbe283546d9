//! Constraints without unknowns.

use crate::data::rewrite::Data;
use crate::data::solve::{Problem, Unsolvable};
use crate::data::terms::{Term, Terms};

/// Whether constraints without unknowns hold. A constraint that is undecided is an error only if
/// all others hold.
pub fn solve_closed(data: &mut Data, problem: &Problem<'_>) -> Result<bool, Unsolvable> {
    let mut stuck: Option<Unsolvable> = None;
    for &(left, right) in problem.equations {
        let left = data.instance(left, problem.given)?;
        let right = data.instance(right, problem.given)?;
        let are_values = data.terms.is_value(left) && data.terms.is_value(right);
        if are_values && left != right && data.differ(left, right) {
            return Ok(false);
        }
        if !are_values || left != right {
            stuck = stuck.or_else(|| Some(undecided_equation(&data.terms, left, right)));
        }
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

/// The error for closed terms whose equality is undecided; it reports the side that no equation
/// matches.
pub(super) fn undecided_equation(terms: &Terms, left: Term, right: Term) -> Unsolvable {
    let sides = [left, right];
    let open = sides.into_iter().find(|&side| !terms.is_value(side));
    let open = open.or_else(|| sides.into_iter().find(|&side| !terms.is_built(side)));
    Unsolvable::Stuck(open.unwrap_or(left))
}
