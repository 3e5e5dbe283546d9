//! Values of terms, and what is wrong if there is none.

use crate::data::rewrite::Data;
use crate::data::rewrite::limits::Endless;
use crate::data::solve::Unsolvable;
use crate::data::terms::Term;
use crate::lpe::process::stop::{MAX_CALLS, Stop};

pub(crate) fn unsolvable(data: &Data, error: &Unsolvable, summand: usize) -> Stop {
    let message = match error {
        Unsolvable::Endless(error) => error.to_string(),
        Unsolvable::Stuck(term) => no_value(data, *term),
        Unsolvable::NoConstructors(sort) => {
            let name = String::from_utf8_lossy(&data.sorts[*sort as usize]);
            format!("a sum ranges over sort `{name}`, which has no constructors")
        }
    };
    Stop::Evaluation(message, Some(summand))
}

pub(crate) fn value_of(data: &mut Data, term: Term, summand: Option<usize>) -> Result<Term, Stop> {
    instance_value(data, term, &[], summand)
}

/// The same with variables replaced by `values`.
pub(crate) fn instance_value(
    data: &mut Data,
    term: Term,
    values: &[Term],
    summand: Option<usize>,
) -> Result<Term, Stop> {
    let normal = data
        .instance(term, values)
        .map_err(|error: Endless| Stop::Evaluation(error.to_string(), summand))?;
    if data.terms.is_value(normal) {
        data.note_value(normal);
        return Ok(normal);
    }
    Err(Stop::Evaluation(no_value(data, normal), summand))
}

/// That a normal form is no value, and the function that lacks an equation.
fn no_value(data: &Data, term: Term) -> String {
    let mut stuck = term;
    let inside = |term| data.terms.children(term).iter().find(|&&part| !data.terms.is_value(part));
    while let Some(&part) = inside(stuck) {
        stuck = part;
    }
    let shown = data.terms.show_short(term);
    let what =
        if stuck == term { "it".into() } else { format!("`{}`", data.terms.show_short(stuck)) };
    format!("`{shown}` does not reduce to a value: no equation fits {what}")
}

/// Whether a stack has more than `MAX_CALLS` calls: each has the stack below as its last argument.
pub(crate) fn too_deep(data: &Data, stack: Term) -> bool {
    let (mut below, mut calls) = (stack, 0);
    while let Some(&last) = data.terms.children(below).last() {
        (below, calls) = (last, calls + 1);
        if calls > MAX_CALLS {
            return true;
        }
    }
    false
}
