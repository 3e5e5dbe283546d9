//! The errors that stop an exploration, and its fixed limits.

use crate::base::cancel::Stopped;
use crate::data::terms::Term;
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::NoGroup;

/// The most bytes for all labels: a million labels with terms of growing depth would take
/// terabytes.
pub const MAX_LABELS: usize = 1 << 28;

/// The most calls on one stack: more are considered infinite recursion.
pub const MAX_CALLS: usize = 10_000;

/// An error that stops an exploration.
#[derive(Debug)]
pub enum Stop {
    /// A term cannot be evaluated, in this summand.
    Evaluation(String, Option<usize>),
    /// The value of a term takes more than [`MAX_STEPS`](crate::data::rewrite::MAX_STEPS) steps of
    /// rewriting, in this summand.
    Steps(String, Option<usize>),
    /// The labels exceed `MAX_LABELS` bytes, in this summand.
    Labels(Option<usize>),
    /// A stack would exceed `MAX_CALLS` calls by a step of this summand.
    Calls(usize),
    /// Values moved by maps are not permuted as the points of the group are.
    Unfit(Box<Unfit>),
    /// A result found on orbits could not be reproduced in the system itself.
    Unproven,
    /// The work was stopped.
    Stopped(Stopped),
}

impl From<NoGroup> for Stop {
    fn from(error: NoGroup) -> Self {
        match error {
            NoGroup::Stopped(why) => Self::Stopped(why),
            error => Self::Evaluation(error.to_string(), None),
        }
    }
}

impl From<Stopped> for Stop {
    fn from(why: Stopped) -> Self {
        Self::Stopped(why)
    }
}

/// Why values moved by maps of the specification do not fit the known group.
#[derive(Debug)]
pub enum Unfit {
    /// An element moves these values but no point; `images` has the action of each generator on
    /// them.
    Points { members: Vec<Term>, images: Vec<Permutation> },
    /// A generator maps two values to the same image.
    NotInjective { which: usize, left: Term, right: Term, image: Term },
    /// A value has more images than allowed.
    Many { which: usize, value: Term, most: usize },
}
