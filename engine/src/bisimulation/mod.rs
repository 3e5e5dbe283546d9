//! Behavioural equivalences as partitions of states, and the systems of their blocks.
//!
//! `forward` groups transitions by source, `components` collapses cycles of internal steps, `founded`
//! finds the blocks of states from which every path ends, by hashes made in `ends`, `refine`
//! splits the others by the signatures of `strong`, `branching` and `saturated` (where strong
//! bisimulation merges many, the others begin with what is `merged`; `hashes` and `branching_hashes` look
//! some steps ahead first), `certify`, `stable` (by what is `asked`) and `columns` make sure that it is exact,
//! `minimise` puts them together and makes the `quotient`, and `numbering` writes this down in a way
//! that depends on nothing but its behaviour (`ranks`).
//!
//! Modulo weak bisimulation (`weak`, which begins with `weak_ends`) transitions that others imply are
//! left out (`essential`). Weak transitions are never stored: sketches tell most of what is asked of
//! them, a `search` the rest, which sketches lead (`wide`), and where that takes too long many are
//! found at once (`reach`).
//!
//! `coarse` minimises modulo what is coarser. `compare` puts two systems side by side (`systems`) and
//! tells them apart by a `game` (its `moves`, and the formula of a `winning` play), by what `history`
//! remembers of the rounds of refinement (`history_rounds`, `distinguish`) or `removals` of that of a simulation, or by
//! the search for a trace or refusal (`refinement`, `refusals`). What is found is decided again on the
//! systems as they were: the `truth` of a formula, a `replay` of a trace. `normal` is what a
//! specification allows, one node for each way to go on.
//!
//! Long work calls `poll` now and then; when that says no it gives up and returns `None`.

pub mod block_quotient;
pub mod branching_signature;
pub mod canonical_numbering;
pub mod canonical_ranks;
pub mod minimise;
pub mod refine;
pub mod start;
pub mod strong_signature;
pub mod tau_scc;
#[cfg(test)]
mod tests;
pub mod verify;
pub mod weak;
