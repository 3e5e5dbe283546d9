//! Evaluation of terms to values, and the errors if there is none.

use crate::data::rewrite::Data;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::solve::Unsolvable;
use crate::data::terms::Term;
use crate::process::linear::stop::{MAX_CALLS, Stop};

/// The error for a summand that cannot be solved for these values of the parameters; the message
/// shows those in `reads`.
pub(crate) fn unsolvable(
    data: &Data,
    error: &Unsolvable,
    summand: usize,
    reads: &[u32],
    given: &[Term],
) -> Stop {
    let message = match error {
        Unsolvable::Unfinished(error) => return unfinished(error, Some(summand)),
        Unsolvable::Stuck(term) => no_value(data, *term),
        Unsolvable::Undecided(term) => {
            let mut message = undecided(data, *term);
            for (number, &parameter) in reads.iter().enumerate() {
                let value = data.terms.show_short(given[parameter as usize]);
                let before = if number == 0 { "; in the state where" } else { "," };
                message += &format!("{before} parameter #{parameter} is `{value}`");
            }
            message
        }
        Unsolvable::NoConstructors(sort) => {
            let name = String::from_utf8_lossy(&data.sorts[*sort as usize]);
            format!("a sum ranges over sort `{name}`, which has no constructors")
        }
    };
    Stop::Evaluation(message, Some(summand))
}

/// The error for a summand whose rewriting did not finish.
pub(crate) fn unfinished(error: &Unfinished, summand: Option<usize>) -> Stop {
    match error {
        Unfinished::Stopped(why) => Stop::Stopped(*why),
        Unfinished::Endless { .. } | Unfinished::Nested { .. } => {
            Stop::Steps(error.to_string(), summand)
        }
    }
}

pub(crate) fn value_of(data: &mut Data, term: Term, summand: Option<usize>) -> Result<Term, Stop> {
    instance_value(data, term, &[], summand)
}

/// The value of a term with variables replaced by `values`.
pub(crate) fn instance_value(
    data: &mut Data,
    term: Term,
    values: &[Term],
    summand: Option<usize>,
) -> Result<Term, Stop> {
    let normal = data.instance(term, values).map_err(|error| unfinished(&error, summand))?;
    if data.terms.is_value(normal) {
        data.note_value(normal);
        return Ok(normal);
    }
    Err(Stop::Evaluation(no_value(data, normal), summand))
}

/// The message for a normal form that is not a value; it names the function that lacks an equation.
fn no_value(data: &Data, term: Term) -> String {
    let inside = |part| !data.terms.is_value(part);
    let (shown, stuck) = (data.terms.show_short(term), innermost(data, term, inside));
    format!("`{shown}` does not reduce to a value: no equation fits {stuck}")
}

/// The message for a condition that is neither true nor false; it names the function that lacks an
/// equation.
fn undecided(data: &Data, term: Term) -> String {
    let inside = |part| !data.terms.is_built(part);
    let (shown, stuck) = (data.terms.show_short(term), innermost(data, term, inside));
    let [truth, falsity] = [data.truth, data.falsity].map(|value| data.terms.show_short(value));
    format!(
        "the condition `{shown}` is neither `{truth}` nor `{falsity}`: no equation fits {stuck}"
    )
}

/// The innermost part of a term that satisfies `is_match`, as text.
fn innermost(data: &Data, term: Term, is_match: impl Fn(Term) -> bool) -> String {
    let mut part = term;
    while let Some(&inside) = data.terms.children(part).iter().find(|&&inside| is_match(inside)) {
        part = inside;
    }
    if part == term { "it".into() } else { format!("`{}`", data.terms.show_short(part)) }
}

/// Whether a stack has more than `MAX_CALLS` calls. The last argument of a call is the rest of the
/// stack.
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
