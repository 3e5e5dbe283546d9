//! What stops an exploration, and the limits that nobody may change.

use crate::base::cancel::Stopped;
use crate::data::terms::Term;
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::NoGroup;

/// Bytes that all labels may take: a million labels of ever deeper terms would take terabytes.
pub const MAX_LABELS: usize = 1 << 28;

/// Calls that may wait on one stack: more are taken for recursion without end.
pub const MAX_CALLS: usize = 10_000;

/// What stops an exploration, other than being finished.
#[derive(Debug)]
pub enum Stop {
    /// A term cannot be evaluated; in which summand.
    Evaluation(String, Option<usize>),
    /// The labels take more than `MAX_LABELS` bytes; in which summand.
    Labels(Option<usize>),
    /// More than `MAX_CALLS` calls wait on a stack; which summand adds one.
    Calls(usize),
    /// Values that maps move are not permuted as the points of the group are.
    Unfit(Box<Unfit>),
    /// What was found on orbits could not be done in the system itself.
    Unproven,
    /// The work was ended before.
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

/// Why values that maps of the specification move do not fit what is known of a group.
#[derive(Debug)]
pub enum Unfit {
    /// An element moves these, and no point; what each generator does to them.
    Points { members: Vec<Term>, images: Vec<Permutation> },
    /// A generator has one image for two values.
    Merged { which: usize, one: Term, other: Term, image: Term },
    /// A value has more images than may be looked at.
    Many { which: usize, value: Term, most: usize },
}
