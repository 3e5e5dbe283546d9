//! The interface between refinement and an equivalence: the signatures of states.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::ids::{Block, State};
use crate::bisimulation::refine::refiner::Refiner;

/// The signatures that the states of a block must share, as hashes.
pub trait Signature {
    /// Begin a sweep; the states of `moved` have a new block.
    fn begin_sweep(&mut self, _block: &[Block], _moved: &States, _cancel: &Cancel) -> Result<()> {
        Ok(())
    }

    /// Whether the next sweep has to visit all states, like the first one.
    fn begins_again(&self) -> bool {
        false
    }

    /// The same signatures for another thread, if the signatures of a sweep do not depend on each
    /// other.
    fn fork(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// In a sweep: whether the signature of a state may have changed, because of moved states or of
    /// smaller states that are touched themselves.
    fn touched(&self, state: State, block: &[Block], moved: &States, touched: &States) -> bool;

    /// The hash of the signature of a state; it is requested for all touched states, in order.
    fn hash(&mut self, state: State, block: &[Block]) -> u64;

    /// Prepare for marking affected states that are not settled; return false if marking is not
    /// supported.
    fn begin_marks(&mut self, _settled: &States, _cancel: &Cancel) -> Result<bool> {
        Ok(false)
    }

    /// Mark the states whose signatures may have changed because a state has a new block.
    fn mark(&self, _moved: State, _mark: impl FnMut(State)) {}

    /// The hash of the signature of a state. Marks larger states whose signatures may have changed
    /// because of it.
    fn hash_marking(&mut self, state: State, block: &[Block], _mark: impl FnMut(State)) -> u64 {
        self.hash(state, block)
    }

    /// The rounds after the sweeps, with a cost proportional to the changes; the states of `moved`
    /// have a new block.
    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<State>, cancel: &Cancel) -> Result<()>;
}

/// Signatures that depend on the targets of a state's transitions, and not on its own block.
pub trait Local: Signature {
    /// From now on only states for which `keep` holds are requested.
    fn begin_lists(&mut self, keep: &dyn Fn(State) -> bool, cancel: &Cancel) -> Result<()>;

    /// Add to `list`, and mark, every state that is not settled and whose signature may have
    /// changed because the states in `moved` have a new block.
    fn affected(
        &mut self,
        moved: &[State],
        block: &[Block],
        settled: &States,
        marked: &mut States,
        list: &mut Vec<State>,
    );
}
