//! Simulation, ready simulation and weak simulation.
//!
//! `t` simulates `s` if every step of `s` is answered by a step of `t` with the same label to a
//! state that simulates the target. Ready simulation also requires both to offer the same labels.
//!
//! Weak simulation is simulation on the steps `tau* a` with `a` visible. There an internal step of
//! `s` is answered by no step of `t`, and `a` by `tau* a`. Its greatest relation equals the one
//! that answers every step by `tau* a tau*` (Milner), and the safety preorder (Bouajjani,
//! Fernandez, Graf, Rodriguez and Sifakis, Safety for branching time semantics, 1991).
//!
//! The preorder is represented by a partition and an order of its blocks (Ranzato and Tapparo, An
//! efficient simulation algorithm based on abstract interpretation, 2010; for labels: Holík and
//! Šimáček, Optimizing an LTS-simulation algorithm, 2010). There are no counters: whether a state
//! still has a step to above a block is looked up among its steps. So memory is the square of the
//! number of blocks in bits, and linear in the rest.
//!
//! `refinement` computes the preorder; `unsimulated` makes distinguishing formulas from its
//! removals. `fewest_classes` says in advance that there will be more blocks than allowed.
//!
//! No preorder is needed to minimise a *deterministic* graph, in which no state has two steps with
//! one label. There, `t` simulates `s` if and only if `t` has all traces of `s`, as answers are
//! forced. So states that simulate each other have the same traces; they offer the same labels, and
//! their targets after one label have the same traces again. Hence having the same traces is a
//! bisimulation, and strong bisimilarity, ready simulation equivalence and simulation equivalence,
//! each of which implies the next, are one relation; on the steps `tau* a` it is weak simulation
//! equivalence. The quotient is deterministic, too, so it has no little brothers.

mod fewest_classes;
pub mod refinement;
pub mod unsimulated;

use crate::base::bitset::Bits;
use crate::base::cancel::{Cancel, Limited, NoResult, Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::{Block, Label, State};
use crate::base::stages::Measure;
use crate::bisimulation::minimise::strong;
use crate::preorder::simulation::fewest_classes::fewest_classes;
use crate::preorder::simulation::refinement::Refinement;

/// The kind of simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simulation {
    Plain,
    /// Related states also offer the same labels.
    Ready,
    /// The graph consists of the steps `tau* a` of another one; formulas refer to the other one.
    Weak,
}

/// A preorder of states: `s` is below `t` if the block of `t` is in `above[block of s]`.
///
/// States of one block are equivalent, and the order of blocks is a partial order.
pub struct Preorder {
    pub block: Vec<Block>,
    pub above: Vec<Bits<Block>>,
}

impl Preorder {
    /// Whether state `s` is below state `t`.
    pub fn below(&self, s: State, t: State) -> bool {
        self.above[self.block[s]].has(self.block[t])
    }
}

/// The greatest simulation of a kind on the states of a graph.
///
/// More than `max_blocks` classes are a `NoResult::Limit`. Time is O(blocks * transitions * d),
/// where d is the maximum number of steps that a state has with one label.
pub fn simulation(
    graph: &Graph,
    kind: Simulation,
    max_blocks: usize,
    cancel: &Cancel,
) -> Limited<Preorder> {
    if graph.states > max_blocks && fewest_classes(graph, cancel)? > max_blocks {
        return Err(NoResult::Limit);
    }
    let mut refinement = Refinement::new(graph, kind == Simulation::Ready, max_blocks, cancel)?;
    let blocks = cancel.stage("blocks", Measure::Growing);
    while refinement.process_next()? {
        blocks.reach(refinement.above.len());
        cancel.check()?;
    }
    Ok(Preorder { block: refinement.blocks.into_map(), above: refinement.above })
}

/// The least system that is equivalent modulo a simulation of a kind, and the class of every state.
///
/// More than `max_blocks` classes are a `NoResult::Limit`, unless the graph is deterministic.
pub fn minimise(
    graph: &Graph,
    kind: Simulation,
    max_blocks: usize,
    cancel: &Cancel,
) -> Limited<(Graph, Vec<Block>)> {
    if graph.forward.is_deterministic() {
        let (block, blocks) = strong(graph, cancel)?;
        return Ok((graph.quotient(&block, blocks, cancel)?, block));
    }
    let order = simulation(graph, kind, max_blocks, cancel)?;
    Ok((without_little_brothers(graph, &order, cancel)?, order.block))
}

/// The least system that is equivalent modulo a simulation.
///
/// Its states are the blocks of the preorder. A step is left out if a step with the same label
/// leads to a state strictly above its target: the target is then a little brother (Bustan and
/// Grumberg, Simulation-based minimization, 2003). States of the result may be unreachable.
fn without_little_brothers(graph: &Graph, order: &Preorder, cancel: &Cancel) -> Result<Graph> {
    let mut unchecked = 0;
    let full = graph.quotient(&order.block, order.above.len(), cancel)?;
    let mut transitions = Vec::new();
    for state in full.each_state() {
        let steps: Vec<(Label, State)> = full.steps(state).collect();
        for group in steps.chunk_by(|x, y| x.0 == y.0) {
            for &(label, target) in group {
                cancel.check_every(&mut unchecked, group.len())?;
                let above = &order.above[target];
                if !group.iter().any(|&(_, other)| other != target && above.has(Block(other.0))) {
                    transitions.push((state, label, target));
                }
            }
        }
    }
    let (states, labels) = ((full.initial, full.states), (full.labels, full.tau));
    Graph::from_transitions(states, labels, &transitions, cancel)
}
