//! The quotient of a graph by a partition: blocks and the transitions between them.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::memory::room;
use crate::base::stages::Measure;
use crate::base::{memory, parallel};
use std::borrow::Cow;
use std::sync::Arc;

/// A partition of a graph in which the transitions of a block are those of its representative.
///
/// Invariant: `block[s]` is the block of state s of `graph`, and the transitions of block b are
/// those of state `representative[b]`.
pub struct Blocks<'a> {
    pub graph: Forward<'a>,
    pub representative: Vec<State>,
    pub block: Vec<Block>,
    /// For every state of `graph` a k-step hash, if these are known.
    pub hashes: Option<Arc<Vec<u32>>>,
    /// The internal label; [`Label::NONE`] if there is none.
    pub tau: Label,
    /// The label of loops that stand for divergence; the result has internal loops instead.
    pub delta: Label,
    /// The block of the initial state, and how its first step differs for a rooted equivalence.
    pub root: Block,
    pub first: First,
}

/// The first step of the quotient modulo a rooted equivalence.
pub enum First {
    /// No special treatment.
    Usual,
    /// The root's block gets an internal loop.
    Loop,
    /// The root is a separate state, numbered after all blocks, with these transitions.
    Own(Vec<(Label, Block)>),
}

impl<'a> Blocks<'a> {
    /// The blocks of a graph without an internal label; block 0 is initial, and its first step is
    /// not special.
    pub fn of(graph: Forward<'a>, block: Vec<Block>, representative: Vec<State>) -> Self {
        let (tau, delta) = (Label::NONE, Label::NONE);
        Self {
            graph,
            representative,
            block,
            hashes: None,
            tau,
            delta,
            root: Block(0),
            first: First::Usual,
        }
    }
}

impl Blocks<'_> {
    /// The transitions of a block, in any order, possibly with duplicates.
    pub fn steps(&self, block: Block) -> impl Iterator<Item = (Label, Block)> {
        let transitions = self.graph.steps(self.representative[block]);
        let name = named(self.tau, self.delta);
        transitions.map(move |(label, target)| (name(label), self.block[target]))
    }
}

/// The labels of the result: the divergence label becomes the internal one.
fn named(tau: Label, delta: Label) -> impl Fn(Label) -> Label {
    move |label| if label == delta { tau } else { label }
}

impl<'a> Blocks<'a> {
    /// The quotient, and for every state of the graph its block.
    pub fn quotient(self, cancel: &Cancel) -> Result<(Quotient<'a>, Vec<Block>)> {
        let Self { graph, representative, block, hashes, tau, delta, root, first } = self;
        let hashes = hashes.map(|hashes| {
            let mut of = memory::zeroes(representative.len());
            let hash = |(of, &state): (&mut u32, &State)| *of = hashes[state];
            of.iter_mut().zip(&representative).for_each(hash);
            of
        });
        // If every state is a block, both graphs are equal: blocks are numbered by their least
        // states.
        let graph = if representative.len() == block.len() {
            debug_assert!(block.iter().copied().eq((0..u32::at(block.len())).map(Block)));
            graph
        } else {
            of_representatives(&graph, &block, &representative, false, cancel)?
        };
        let root = root.state();
        Ok((Quotient { graph, hashes, tau, delta, root, first }, block))
    }
}

/// The quotient of a graph by a partition.
pub struct Quotient<'a> {
    /// The transitions of every block, possibly with duplicates, without the special first step.
    pub graph: Forward<'a>,
    /// For every block a k-step hash, if these are known.
    pub hashes: Option<Vec<u32>>,
    /// The internal label; [`Label::NONE`] if there is none.
    pub tau: Label,
    /// The label of loops that stand for divergence; the result has internal loops instead.
    pub delta: Label,
    root: State,
    first: First,
}

impl Quotient<'_> {
    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.graph.states()
    }

    /// The number of states: the blocks, and the root if it is a separate state.
    pub fn count(&self) -> usize {
        self.blocks() + usize::from(matches!(self.first, First::Own(_)))
    }

    /// The initial state.
    pub fn start(&self) -> State {
        if matches!(self.first, First::Own(_)) { State(u32::at(self.blocks())) } else { self.root }
    }

    /// An upper bound of the number of transitions.
    pub fn most_steps(&self) -> usize {
        let own = if let First::Own(own) = &self.first { own.len() } else { 1 };
        self.graph.target.len() + own
    }

    /// Put the transitions (label, state) of a state into `transitions`, in any order, possibly
    /// with duplicates.
    #[inline]
    pub fn steps(&self, state: State, transitions: &mut Vec<(Label, State)>) {
        transitions.clear();
        if state.index() == self.blocks() {
            if let First::Own(own) = &self.first {
                transitions.extend(own.iter().map(|&(label, block)| (label, block.state())));
            }
            return;
        }
        let name = named(self.tau, self.delta);
        transitions.extend(self.graph.steps(state).map(|(label, target)| (name(label), target)));
        if state == self.root && matches!(self.first, First::Loop) {
            transitions.push((self.tau, state));
        }
    }
}

/// Blocks that a thread takes at a time.
const CHUNK: usize = if cfg!(test) { 32 } else { 1 << 13 };

/// The transitions between blocks: those of each block's representative. If `once`, they are sorted
/// and without duplicates.
pub fn of_representatives(
    graph: &Forward,
    block: &[Block],
    representative: &[State],
    once: bool,
    cancel: &Cancel,
) -> Result<Forward<'static>> {
    let most = representative.iter().map(|&state| graph.range(state).len()).sum();
    // Reserved memory that is not needed is never touched.
    let (mut label, mut target) = (room(most), room(most));
    let mut starts = room(representative.len() + 1);
    starts.push(0);
    let look = |states: &[State]| {
        let (mut offsets, mut transitions) = (room(states.len()), Vec::new());
        let mut own = Vec::new();
        for &state in states {
            let named = graph.steps(state).map(|(a, t)| (a, block[t].state()));
            if once {
                own.clear();
                own.extend(named);
                own.sort_unstable();
                own.dedup();
                transitions.extend_from_slice(&own);
            } else {
                transitions.extend(named);
            }
            offsets.push(u32::at(transitions.len()));
        }
        (offsets, transitions)
    };
    let count = representative.len() as u64;
    let stage = cancel.stage("collecting transitions", Measure::Share(count));
    let gather = |(offsets, transitions): (Vec<u32>, Vec<(Label, State)>)| {
        stage.add(offsets.len());
        let before = u32::at(label.len());
        starts.extend(offsets.iter().map(|end| before + end));
        label.extend(transitions.iter().map(|transition| transition.0));
        target.extend(transitions.iter().map(|transition| transition.1));
    };
    parallel::in_order(representative.chunks(CHUNK), look, gather, cancel)?;
    Ok(Forward { starts, label: Cow::Owned(label), target: Cow::Owned(target) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_the_steps_of_their_representatives() {
        let states = 20 * CHUNK as u32 + 7;
        let own =
            |state: u32| (0..state % 4).map(move |a| (Label(a), State((state * 7 + a) % states)));
        let (mut starts, mut label, mut target) = (vec![0], Vec::new(), Vec::new());
        for state in 0..states {
            label.extend(own(state).map(|transition| transition.0));
            target.extend(own(state).map(|transition| transition.1));
            starts.push(label.len() as u32);
        }
        for size in [1, 3, 5] {
            let graph = Forward {
                starts: starts.clone(),
                label: label.clone().into(),
                target: target.clone().into(),
            };
            let block: Vec<Block> = (0..states).map(|state| Block(state / size)).collect();
            let representative: Vec<State> =
                (0..states).step_by(size as usize).map(State).collect();
            let hashes = Some(Arc::new((0..states).map(|state| state ^ 5).collect()));
            let blocks =
                Blocks { hashes, ..Blocks::of(graph, block.clone(), representative.clone()) };
            let (quotient, same) =
                blocks.quotient(&Cancel::never()).expect("it is never cancelled");
            assert_eq!((same, quotient.blocks()), (block, representative.len()));
            assert_eq!(quotient.most_steps(), quotient.graph.label.len() + 1);
            let mut transitions = Vec::new();
            for (number, &state) in (0..).zip(&representative) {
                quotient.steps(State(number), &mut transitions);
                assert!(
                    transitions
                        .iter()
                        .copied()
                        .eq(own(state.0).map(|(a, t)| (a, State(t.0 / size))))
                );
                assert_eq!(quotient.hashes.as_ref().unwrap()[number as usize], state.0 ^ 5);
            }
        }
    }
}
