//! What is known of an automaton, whose states with values of their variables are parts of a formula.

use crate::base::cancel::Result;
use crate::data_formula::DataFormula;
use crate::parity_game::formula::After;

/// How a run may go on in a state of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has to go on to another component of the automaton some time, or the path ends.
    Pass,
    /// It may stay in the component.
    Stay,
    /// However the path goes on.
    Any,
}

/// A step of a run: what has to hold of the state, a set of labels, the walk that follows, and bits of
/// the promises that are left open.
#[derive(Clone, Debug)]
pub struct Move {
    pub held: Vec<u32>,
    pub set: u32,
    pub after: After,
    pub open: u64,
}

/// A state of the automaton with values for its variables.
#[derive(Clone, Debug)]
pub struct Walk {
    pub kind: Kind,
    pub moves: Vec<Move>,
    /// Parts, of which one has to hold in a state without a step for the path to end there.
    pub ends: Vec<u32>,
    /// Parts, of which one has to hold in a state for the path to go on from there as it likes.
    pub here: Vec<u32>,
    /// What has to be done again and again.
    pub tasks: Vec<u32>,
}

/// Something to be done again and again.
#[derive(Clone, Debug)]
pub struct Task {
    /// Ways to do it: what has to hold of a state, and the labels of the step that follows.
    pub ways: Vec<(Vec<u32>, u32)>,
    /// What may hold of all states from some time on instead.
    pub instead: Option<u32>,
}

/// A formula some of whose parts are walks and tasks; none stops the work. What has to hold of a state
/// is about the state and its steps, and not about what follows.
pub trait Walks: DataFormula {
    fn walk(&mut self, number: u32) -> Result<Walk>;
    fn task(&mut self, number: u32) -> Result<Task>;
}
