//! The data of a partition: its states as nodes of a graph, followed by states of others that it
//! has transitions to.

use crate::base::bitset::Bits;
use crate::base::ids::as_index;
use crate::base::ids::{Label, NONE, State};
use crate::base::memory;
use crate::base::spill::{Spillable, Storage};
use crate::partition::minimise::Failure;
use crate::partition::minimise::cycles::OwnNodes;
use crate::partition::minimise::graph::Graph;
use crate::partition::minimise::load::{LoadOptions, Loaded};
use crate::partition::minimise::owners::Owner;
use crate::partition::minimise::sets::Sets;

/// The own states that a partner watches: for each position in its list the node.
#[derive(Default)]
pub struct Watched {
    pub nodes: Vec<u32>,
    /// The positions of those that internal steps lead to.
    pub internal: Bits,
}

/// A partition of a system that is being minimised.
///
/// Invariant: a node is an own state, several own states on a cycle of internal steps, or a state
/// of another partition, which has no transitions. Internal steps between own nodes lead to smaller
/// ones.
pub struct Part {
    pub(super) options: LoadOptions,
    pub(super) graph: Graph,
    /// The number of own nodes. They are followed by the states of other partitions, in ascending
    /// order, and so sorted by partition.
    pub(super) own: u32,
    /// The numbers of the states of others, until their owners know them.
    pub(super) others: Vec<u64>,
    /// For each partition where its states begin among these.
    pub(super) first: Vec<u32>,
    /// The node of every own state, until the partners have sent which they watch.
    pub(super) node: Vec<u32>,
    pub(super) watched: Vec<Watched>,
    initial: Option<u32>,
    /// The block of every node.
    pub(super) block: Vec<u32>,
    /// Nodes that changed since the round began.
    pub(super) changed: Bits,
    /// Nodes that may have an infinite run of inert steps: an overestimate that [`Part::trim`]
    /// reduces.
    pub(super) endless: Bits,
    /// The blocks that are visited in this round; those of them in this chunk; and for each node
    /// the number of its set, and then of its signature.
    pub(super) chosen: Bits,
    pub(super) active: Bits,
    pub(super) value: Vec<u32>,
    pub(super) sets: Sets,
    /// For each owner of signatures those that were sent to it.
    pub(super) sent: Vec<Vec<u32>>,
    pub(super) owner: Owner,
    /// The file of a spilled partition.
    pub(super) storage: Option<Storage>,
}

// The groups of columns that can be spilled.

/// The transitions.
pub(super) const GRAPH: usize = 0;
/// The data of nodes, and the lists of watched nodes.
pub(super) const NODES: usize = 1;
/// Their signatures.
pub(super) const SETS: usize = 2;
/// The blocks and signatures that the partition owns.
pub(super) const OWNER: usize = 3;

pub(super) const GROUPS: usize = 4;

impl Part {
    /// All states in one block. Each own cycle of internal steps becomes one node.
    pub fn new(loaded: Loaded) -> Self {
        let Loaded { options, nodes: OwnNodes { of: node, count: own }, graph, others } = loaded;
        let nodes = graph.nodes();
        let range = options.states_of(options.index);
        let initial = range.contains(&options.initial);
        let initial = initial.then(|| node[as_index(options.initial - range.start)]);
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

    /// The blocks and signatures that the partition owns.
    pub fn owner(&mut self) -> Result<&mut Owner, Failure> {
        self.read_back(&[OWNER])?;
        Ok(&mut self.owner)
    }

    /// Whether a step of a node is inert: internal, and inside its block.
    pub(super) fn is_inert(&self, node: u32, label: Label, target: State) -> bool {
        label.0 == self.options.tau && self.block[target] == self.block[node as usize]
    }

    /// The block of the initial state, if this partition owns that.
    pub fn initial_block(&mut self) -> Result<Option<u32>, Failure> {
        self.read_back(&[NODES])?;
        Ok(self.initial.map(|node| self.block[node as usize]))
    }

    /// The approximate bytes of the data between two rounds.
    pub fn bytes(&self) -> usize {
        let watched = self.watched.iter().map(|watched| watched.nodes.len() * 4);
        let nodes = self.block.len() + self.value.len();
        self.graph.bytes() + 4 * nodes + self.block.len() / 2 + watched.sum::<usize>()
    }
}
