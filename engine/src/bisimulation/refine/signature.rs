//! What refinement asks of an equivalence: the signatures of states.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::ids::{Block, State};
use crate::bisimulation::refine::refiner::Refiner;

/// What the states of one block must have in common, as a hash of what a state can do.
pub trait Signature {
    /// A sweep begins: the states of `moved` have a new block.
    fn begin_sweep(&mut self, _block: &[Block], _moved: &States, _cancel: &Cancel) -> Result<()> {
        Ok(())
    }

    /// Whether the next sweep is to look at all states, as the first one does.
    fn begins_again(&self) -> bool {
        false
    }

    /// The same signatures for another thread, if those of a sweep do not depend on each other.
    fn fork(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// In a sweep: whether the signature of a state may be new, because of states that moved or of
    /// smaller states that are touched themselves.
    fn touched(&self, state: State, block: &[Block], moved: &States, touched: &States) -> bool;

    /// The hash of the signature of a state; all touched states are asked for, in order.
    fn hash(&mut self, state: State, block: &[Block]) -> u64;

    /// Make ready to mark states that are not settled; false if that is not done here.
    fn begin_marks(&mut self, _settled: &States, _cancel: &Cancel) -> Result<bool> {
        Ok(false)
    }

    /// Mark the states whose signatures may be new because a state has a new block.
    fn mark(&self, _moved: State, _mark: impl FnMut(State)) {}

    /// The hash of the signature of a state; larger states are marked whose signatures may be new with
    /// it.
    fn hash_marking(&mut self, state: State, block: &[Block], _mark: impl FnMut(State)) -> u64 {
        self.hash(state, block)
    }

    /// The rounds after the sweeps, which cost what changes; `moved` have a new block.
    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<State>, cancel: &Cancel) -> Result<()>;
}

/// Signatures that depend on what is behind the transitions of a state, and not on its own block.
pub trait Local: Signature {
    /// Only states for which `keep` holds will be asked for from now on.
    fn begin_lists(&mut self, keep: &dyn Fn(State) -> bool, cancel: &Cancel) -> Result<()>;

    /// Add to `list`, and mark, every state that is not settled and whose signature may be new
    /// because the states in `moved` have a new block.
    fn affected(
        &mut self,
        moved: &[State],
        block: &[Block],
        settled: &States,
        marked: &mut States,
        list: &mut Vec<State>,
    );
}
