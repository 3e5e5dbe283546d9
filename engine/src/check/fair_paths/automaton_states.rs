//! The interface to an automaton whose states, with values of variables, are parts of a formula.

use crate::base::cancel::Result;
use crate::check::data_formula::DataFormula;
use crate::check::parity_game::formula::After;

/// How a run may continue in a state of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It must eventually leave this component of the automaton, unless the path ends.
    Transient,
    /// It may stay in the component forever.
    Recurrent,
    /// Any continuation of the path is accepted.
    Accepting,
}

/// A move of a run: the parts that have to hold in the state, the set of labels, the next automaton
/// state, and the eventualities left open, as bits.
#[derive(Clone, Debug)]
pub struct Move {
    pub held: Vec<u32>,
    pub set: u32,
    pub after: After,
    pub open: u64,
}

/// A state of the automaton with values for its variables.
#[derive(Clone, Debug)]
pub struct AutomatonState {
    pub kind: Kind,
    pub moves: Vec<Move>,
    /// Parts of which one has to hold in a deadlock state for the path to end there.
    pub at_deadlock: Vec<u32>,
    /// Parts of which one has to hold in a state for any continuation of the path to be accepted.
    pub here: Vec<u32>,
    /// The fairness requirements.
    pub requirements: Vec<u32>,
}

/// A fairness requirement: something that has to happen infinitely often.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The steps that meet it: parts that have to hold in the state, and the set of labels.
    pub steps: Vec<(Vec<u32>, u32)>,
    /// The alternative: a part that may hold in all states from some point on instead.
    pub instead: Option<u32>,
}

/// A formula some of whose parts are automaton states and requirements; an error stops the work.
/// Conditions on a state are about the state and its steps, not about what follows.
pub trait AutomatonFormula: DataFormula {
    fn control(&mut self, number: u32) -> Result<AutomatonState>;
    fn requirement(&mut self, number: u32) -> Result<Requirement>;
}
