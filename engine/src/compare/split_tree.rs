//! The history of a partition refinement: a tree of blocks that records why states were separated.
//!
//! After Cleaveland, On automatically explaining bisimulation inequivalence (CAV 1990), and for
//! branching bisimulation Korver, Computing distinguishing formulas for branching bisimulation (CAV
//! 1991).

use crate::base::ids::Id;
use crate::base::ids::{Label, State};

/// The tree of the blocks of all rounds.
///
/// Invariant: the number of a node is larger than its parent's, and the batch that made it is not
/// earlier than the one that made its parent.
#[derive(Default)]
pub struct History {
    nodes: Vec<Node>,
    /// For every state its final block.
    pub(crate) leaf: Vec<u32>,
    pub(crate) batches: Vec<Batch>,
    /// The lists of blocks that the columns of batches lead to.
    pub(crate) targets: Vec<Vec<u32>>,
}

struct Node {
    parent: u32,
    /// The number of ancestors.
    depth: u32,
    /// An ancestor, chosen so that every ancestor is reached in O(log depth) jumps (Myers, An
    /// applicative random-access stack, 1983).
    jump: u32,
    /// The batch that split the parent, and the mask of its columns that the states of this part
    /// have.
    batch: u32,
    mask: u64,
}

/// A batch: up to 64 columns with the same label.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub(crate) label: Label,
    /// The first batch of its round.
    pub(crate) round: u32,
    pub(crate) targets: u32,
}

/// The split that separated two blocks.
pub struct Parting {
    pub batch: u32,
    /// The masks of columns of the two parts.
    pub masks: [u64; 2],
}

impl History {
    /// The final block of a state.
    pub fn leaf(&self, state: State) -> u32 {
        self.leaf[state]
    }

    /// Whether a state was ever in a block.
    pub fn is_within(&self, state: State, block: u32) -> bool {
        let depth = self.nodes[block as usize].depth;
        self.around(self.leaf(state), &|node| node.depth >= depth) == block
    }

    /// The outermost ancestor of a block, itself included, for which `holds`, which must also hold
    /// for all blocks between; the block itself if it holds for none.
    fn around(&self, mut block: u32, holds: &dyn Fn(&Node) -> bool) -> u32 {
        let far = |block: u32| self.nodes[block as usize].jump;
        let near = |block: u32| self.nodes[block as usize].parent;
        while block > 0 {
            match [far(block), near(block)].into_iter().find(|&to| holds(&self.nodes[to as usize]))
            {
                Some(outer) => block = outer,
                None => break,
            }
        }
        block
    }

    /// The split that separated two blocks, of which neither contains the other.
    pub fn parting(&self, left: u32, right: u32) -> Parting {
        let node = |block: u32| &self.nodes[block as usize];
        let depth = node(left).depth.min(node(right).depth);
        let mut nodes = [left, right].map(|end| self.around(end, &|node| node.depth >= depth));
        while node(nodes[0]).parent != node(nodes[1]).parent {
            let far = nodes.map(|end| node(end).jump);
            nodes = if far[0] != far[1] { far } else { nodes.map(|end| node(end).parent) };
        }
        let [left, right] = nodes.map(node);
        Parting { batch: left.batch, masks: [left.mask, right.mask] }
    }

    /// The label of a column, and the block that it leads to.
    pub fn column(&self, batch: u32, column: u32) -> (Label, u32) {
        let Batch { label, targets, .. } = self.batches[batch as usize];
        (label, self.targets[targets as usize][column as usize])
    }

    /// The block that a state was in when the round of a batch began.
    pub fn before(&self, batch: u32, state: State) -> u32 {
        let round = self.batches[batch as usize].round;
        let since = |node: &Node| node.depth > 0 && node.batch >= round;
        let leaf = self.leaf(state);
        if !since(&self.nodes[leaf as usize]) {
            return leaf;
        }
        self.nodes[self.around(leaf, &since) as usize].parent
    }

    /// Adds a part of a block; the first node is the block of all states.
    pub(crate) fn add(&mut self, parent: u32, batch: u32, mask: u64) -> u32 {
        let new = u32::at(self.nodes.len());
        let Some(around) = self.nodes.get(parent as usize) else {
            self.nodes.push(Node { parent, depth: 0, jump: parent, batch, mask });
            return new;
        };
        let depth_of = |node: u32| self.nodes[node as usize].depth;
        let beyond = self.nodes[around.jump as usize].jump;
        let even = around.depth - depth_of(around.jump) == depth_of(around.jump) - depth_of(beyond);
        let jump = if even { beyond } else { parent };
        self.nodes.push(Node { parent, depth: around.depth + 1, jump, batch, mask });
        new
    }
}
