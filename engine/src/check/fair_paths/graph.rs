//! The graph that is searched: states and steps of a system, or of its orbits.

use crate::base::label_table::Labels;
use crate::check::data_formula::{Coded, DataFormula};
use crate::process::linear::stop::Stop;
use std::ops::Range;

/// A step: the number of its label, the representative of its target's orbit, and the number of the
/// group element that maps the target to it; 0 is the identity.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub label: u32,
    pub target: u32,
    pub element: u32,
}

/// A graph whose steps are computed on demand.
pub trait Graph {
    /// The representative of the initial state, and the element that maps the initial state to it.
    fn initial(&self) -> (u32, u32);
    /// An upper bound on the numbers of states (exclusive).
    fn states(&self) -> usize;
    /// Whether the steps of a state have been computed.
    fn is_known(&self, state: u32) -> bool;
    /// Whether all steps of a state have been computed. If a limit has left out some, a step that
    /// is missing may still exist.
    fn is_whole(&self, _state: u32) -> bool {
        true
    }
    /// Computes the steps of the states; if a limit is reached, of some of them only.
    fn expand(&mut self, states: &[u32]) -> Result<(), Stop>;
    /// The numbers of the steps of a state; empty if they have not been computed.
    fn steps(&self, state: u32) -> Range<usize>;
    fn step(&self, at: usize) -> Step;
    fn labels(&self) -> &Labels;
    /// Whether some step has an element other than the identity.
    fn has_group(&self) -> bool;
    /// The image of a part of a formula under an element.
    fn moved<F: DataFormula>(
        &mut self,
        formula: &mut Coded<F>,
        part: u32,
        element: u32,
    ) -> Result<u32, Stop>;
    /// Called regularly with the number of nodes; returns false if a limit is reached.
    fn may_continue(&mut self, nodes: usize) -> Result<bool, Stop>;
    /// Called when no more states will be visited.
    fn close(&mut self) {}
}
