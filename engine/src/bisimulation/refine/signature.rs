//! What refinement asks of an equivalence: the signatures of states.

use crate::base::bitset::Bits;
use crate::base::cancel::Poll;
use crate::bisimulation::refine::refiner::Refiner;

/// What the states of one block must have in common, as a hash of what a state can do.
pub trait Signature {
    /// A sweep begins: the states of `moved` have a new block.
    fn begin_sweep(&mut self, _block: &[u32], _moved: &Bits, _poll: Poll) -> Option<()> {
        Some(())
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
    fn touched(&self, state: u32, block: &[u32], moved: &Bits, touched: &Bits) -> bool;

    /// The hash of the signature of a state; all touched states are asked for, in order.
    fn hash(&mut self, state: u32, block: &[u32]) -> u64;

    /// Make ready to mark states that are not settled; false if that is not done here.
    fn begin_marks(&mut self, _settled: &Bits, _poll: Poll) -> Option<bool> {
        Some(false)
    }

    /// Mark the states whose signatures may be new because a state has a new block.
    fn mark(&self, _moved: u32, _mark: impl FnMut(u32)) {}

    /// The hash of the signature of a state; larger states are marked whose signatures may be new with
    /// it.
    fn hash_marking(&mut self, state: u32, block: &[u32], _mark: impl FnMut(u32)) -> u64 {
        self.hash(state, block)
    }

    /// The rounds after the sweeps, which cost what changes; `moved` have a new block.
    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<u32>, poll: Poll) -> Option<()>;
}

/// Signatures that depend on what is behind the transitions of a state, and not on its own block.
pub trait Local: Signature {
    /// Only states for which `keep` holds will be asked for from now on.
    fn begin_lists(&mut self, keep: &dyn Fn(u32) -> bool, poll: Poll) -> Option<()>;

    /// Add to `list`, and mark, every state that is not settled and whose signature may be new
    /// because the states in `moved` have a new block.
    fn affected(
        &mut self,
        moved: &[u32],
        block: &[u32],
        settled: &Bits,
        marked: &mut Bits,
        list: &mut Vec<u32>,
    );
}
