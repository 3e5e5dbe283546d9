//! States and steps, of a system or of its orbits.

use crate::base::label_table::Labels;
use crate::data_formula::{Coded, DataFormula};
use crate::lpe::process::stop::Stop;
use std::ops::Range;

/// A step: the number of its label, the state in whose orbit it ends, and the element that moves its
/// end there, by number; 0 is the identity.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub label: u32,
    pub target: u32,
    pub element: u32,
}

/// States, whose steps are found as they are asked for.
pub trait Graph {
    /// The initial state, and the element that moves that of the system there.
    fn initial(&self) -> (u32, u32);
    /// The most that a number of a state is, and one more.
    fn states(&self) -> usize;
    /// Whether the steps of a state were found.
    fn is_known(&self, state: u32) -> bool;
    /// Whether all steps of a state were found: where a limit has left out some, it is not known what
    /// cannot be done there.
    fn is_whole(&self, _state: u32) -> bool {
        true
    }
    /// Finds the steps of states, of all of them or, if a limit is reached, of some.
    fn expand(&mut self, states: &[u32]) -> Result<(), Stop>;
    /// The numbers of the steps of a state, if they are known; else there are none.
    fn steps(&self, state: u32) -> Range<usize>;
    fn step(&self, at: usize) -> Step;
    fn labels(&self) -> &Labels;
    /// Whether some step has another element than the identity.
    fn has_group(&self) -> bool;
    /// The image of a part of a formula.
    fn moved<F: DataFormula>(
        &mut self,
        formula: &mut Coded<F>,
        part: u32,
        element: u32,
    ) -> Result<u32, Stop>;
    /// Asked now and then, with how many nodes there are; false at a limit.
    fn go_on(&mut self, nodes: usize) -> Result<bool, Stop>;
    /// Told that no more states will be looked at.
    fn close(&mut self) {}
}
