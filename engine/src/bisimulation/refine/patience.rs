//! The choice between sweeps and lists.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::ids::State;
use crate::base::memory;
use crate::bisimulation::refine::refiner::Refiner;
use crate::bisimulation::refine::signature::Signature;
use crate::bisimulation::refine::sweep::{sweep_at_once, sweep_marked};

/// Sweeps continue while more than one state in this many moves ..
const FEW: usize = if cfg!(test) { 1 } else { 64 };
/// .. or one in this many, if affected states are marked ..
const FEW_MARKED: usize = if cfg!(test) { 2 } else { 256 };
/// .. and for this many rounds more, which may be the last ones: the lists cost as much to set up.
const PATIENCE: u32 = if cfg!(test) { 0 } else { 6 };

/// Affected states are marked once less than one state in this many moves.
const SOME: usize = 4;

impl Refiner {
    /// Sweeps over all states, while many states move. Returns the states that moved in the last
    /// sweep; none if the partition is stable.
    pub(crate) fn sweeps(
        &mut self,
        signature: &mut (impl Signature + Send + Sync),
        cancel: &Cancel,
    ) -> Result<Vec<State>> {
        let states = self.block.len();
        let mut moved = States::new(states);
        let mut touched = States::new(states);
        let mut group = memory::zeroes(states);
        let (mut all, mut marks) = (true, None);
        let (patience, some) = (PATIENCE, SOME);
        #[cfg(test)]
        let (patience, some) = tests::SWEEPS.get().unwrap_or((patience, some));
        let mut patience = patience;
        loop {
            self.groups.clear(states);
            touched.clear();
            signature.begin_sweep(&self.block, &moved, cancel)?;
            let known = if all { None } else { Some(&moved) };
            if marks == Some(true) {
                sweep_marked(self, signature, &moved, &mut touched, &mut group, cancel)?;
            } else if signature.fork().is_some() {
                sweep_at_once(self, signature, known, &mut touched, &mut group, cancel)?;
            } else {
                self.sweep_in_order(signature, known, &mut touched, &mut group, cancel)?;
            }
            self.decide();
            if self.is_given_up() {
                return Ok(Vec::new());
            }
            let count = self.sweep_moves(&touched, &group, &mut moved, cancel)?;
            self.moves += count;
            all = signature.begins_again();
            if all {
                continue;
            }
            if count == 0 {
                return Ok(Vec::new());
            }
            if marks.is_none() && count < states / some {
                marks = Some(signature.begin_marks(&self.settled, cancel)?);
            }
            let few = if marks == Some(true) { FEW_MARKED } else { FEW };
            if count < states / few {
                if patience == 0 {
                    return Ok(moved.iter().collect());
                }
                patience -= 1;
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    thread_local! {
        /// Overrides [`super::PATIENCE`] and [`super::SOME`] in tests of sweeps.
        pub static SWEEPS: Cell<Option<(u32, usize)>> = const { Cell::new(None) };
    }
}
