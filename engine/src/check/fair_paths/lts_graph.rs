//! The graph of an LTS.

use crate::base::cancel::Cancel;
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::State;
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::check::data_formula::{Coded, DataFormula};
use crate::check::fair_paths::graph::{Graph, Step};
use crate::process::linear::stop::Stop;
use std::ops::Range;

/// An LTS as a graph; its steps are the transitions by source.
pub struct LtsGraph<'a> {
    lts: &'a Lts,
    outgoing: Outgoing,
    /// The largest number of nodes.
    most: usize,
    cancel: &'a Cancel,
}

impl<'a> LtsGraph<'a> {
    pub fn new(lts: &'a Lts, most: usize, cancel: &'a Cancel) -> Self {
        Self { lts, outgoing: Outgoing::of_lts(lts), most, cancel }
    }

    /// The transition of the LTS for step `at`.
    pub fn transition(&self, at: usize) -> u32 {
        self.outgoing.items()[at]
    }
}

impl Graph for LtsGraph<'_> {
    fn initial(&self) -> (u32, u32) {
        (self.lts.initial.into(), 0)
    }

    fn states(&self) -> usize {
        self.lts.states as usize
    }

    fn is_known(&self, _: u32) -> bool {
        true
    }

    fn expand(&mut self, _: &[u32]) -> Result<(), Stop> {
        Ok(())
    }

    fn steps(&self, state: u32) -> Range<usize> {
        self.outgoing.range(State(state))
    }

    fn step(&self, at: usize) -> Step {
        let transition = self.transition(at) as usize;
        Step {
            label: self.lts.label[transition].into(),
            target: self.lts.target[transition].into(),
            element: 0,
        }
    }

    fn labels(&self) -> &Labels {
        &self.lts.labels
    }

    fn has_group(&self) -> bool {
        false
    }

    fn moved<F: DataFormula>(&mut self, _: &mut Coded<F>, part: u32, _: u32) -> Result<u32, Stop> {
        Ok(part)
    }

    fn may_continue(&mut self, nodes: usize) -> Result<bool, Stop> {
        self.cancel.check()?;
        Ok(nodes <= self.most)
    }
}
