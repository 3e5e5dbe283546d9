//! What a partition has: its states as nodes of a graph, with states of others that it leads to.

use crate::base::bitset::Bits;
use crate::base::ids::{Label, NONE, State};
use crate::base::memory;
use crate::base::put_away::{InGroups, Storage};
use crate::partition::minimise::Failure;
use crate::partition::minimise::cycles::Nodes;
use crate::partition::minimise::graph::Graph;
use crate::partition::minimise::load::{Loaded, Options};
use crate::partition::minimise::owners::Owner;
use crate::partition::minimise::sets::Sets;

/// What a partner watches of our states: a place in its list for each, and the node.
#[derive(Default)]
pub struct Watched {
    pub nodes: Vec<u32>,
    /// The places of those that internal steps lead to.
    pub internal: Bits,
}

/// A partition of a system that is being minimised.
///
/// Invariant: a node is an own state, several on a cycle of internal steps, or a state of another
/// partition, which has no rows. Internal steps between own nodes lead to smaller ones.
pub struct Part {
    pub(super) options: Options,
    pub(super) graph: Graph,
    /// How many nodes are own ones. Those behind are states of other partitions, in the order of their
    /// numbers, and so of their partitions.
    pub(super) own: u32,
    /// The numbers of these states, until their owners know them.
    pub(super) others: Vec<u64>,
    /// Where those of each partition begin among them.
    pub(super) first: Vec<u32>,
    /// The node of every own state, until others have said which they watch.
    pub(super) node: Vec<u32>,
    pub(super) watched: Vec<Watched>,
    initial: Option<u32>,
    /// The number of the block of every node.
    pub(super) block: Vec<u32>,
    /// Nodes of which something changed since the round began.
    pub(super) changed: Bits,
    /// Nodes with internal steps without end in their block, as far as is known: too many at first.
    pub(super) endless: Bits,
    /// The blocks that are looked at in the round, and those of them in this piece of it; their nodes'
    /// sets, then the rows that these are in.
    pub(super) chosen: Bits,
    pub(super) active: Bits,
    pub(super) value: Vec<u32>,
    pub(super) sets: Sets,
    /// The rows that each owner of signatures was sent.
    pub(super) sent: Vec<Vec<u32>>,
    pub(super) owner: Owner,
    /// Where the partition is put away, if it was.
    pub(super) storage: Option<Storage>,
}

// What a partition has in memory, in groups of which each can be put away.

/// The transitions.
pub(super) const GRAPH: usize = 0;
/// What is known of nodes, and who is told of them.
pub(super) const NODES: usize = 1;
/// Their signatures.
pub(super) const SETS: usize = 2;
/// What it owns of blocks and signatures.
pub(super) const OWNER: usize = 3;

pub(super) const GROUPS: usize = 4;

impl Part {
    /// All states in one block. Own cycles of internal steps become one node each.
    pub fn new(loaded: Loaded) -> Self {
        let Loaded { options, nodes: Nodes { of: node, count: own }, graph, others } = loaded;
        let nodes = graph.nodes();
        let range = options.states_of(options.index);
        let initial = range.contains(&options.initial);
        let initial = initial.then(|| node[(options.initial - range.start) as usize]);
        Self {
            endless: if options.delta == NONE { Bits::default() } else { Bits::full(nodes) },
            graph,
            own,
            others,
            first: Vec::new(),
            node,
            watched: (0..options.partitions).map(|_| Watched::default()).collect(),
            initial,
            block: memory::zeroes(nodes),
            changed: Bits::new(nodes),
            chosen: Bits::default(),
            active: Bits::default(),
            value: memory::zeroes(nodes),
            sets: Sets::default(),
            sent: Vec::new(),
            owner: Owner::new(options.index, options.partitions),
            storage: None,
            options,
        }
    }

    /// What it owns of blocks and signatures.
    pub fn owner(&mut self) -> Result<&mut Owner, Failure> {
        self.have(&[OWNER])?;
        Ok(&mut self.owner)
    }

    /// Whether a step of a node is internal and stays in its block.
    pub(super) fn is_inert(&self, node: u32, label: Label, target: State) -> bool {
        label.0 == self.options.tau && self.block[target] == self.block[node as usize]
    }

    /// The block of the initial state, if that is ours.
    pub fn initial_block(&mut self) -> Result<Option<u32>, Failure> {
        self.have(&[NODES])?;
        Ok(self.initial.map(|node| self.block[node as usize]))
    }

    /// Bytes that are held between two rounds, about.
    pub fn bytes(&self) -> usize {
        let watched = self.watched.iter().map(|watched| watched.nodes.len() * 4);
        let nodes = self.block.len() + self.value.len();
        self.graph.bytes() + 4 * nodes + self.block.len() / 2 + watched.sum::<usize>()
    }
}
