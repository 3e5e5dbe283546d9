//! The nodes of diagrams, each stored once.

use crate::base::cancel::{Cancel, Limited, NoResult};
use crate::base::interner::Interner;
use rustc_hash::FxHashMap;

/// The number of a node.
pub(crate) type Node = u32;

/// The empty set.
pub(crate) const EMPTY: Node = 0;
/// The set of the empty marking, below the last place.
pub(crate) const END: Node = 1;

/// A number of tokens, and the markings of the places below.
pub(crate) type Edge = (u32, Node);

/// The nodes. Each belongs to a place: its edges are sorted by tokens and lead to nodes of the
/// place below, or to [`END`].
///
/// Invariant: no two nodes have the same edges, and no edge leads to the empty set. So two nodes of
/// a place are the same set only if they are equal.
pub(crate) struct Nodes {
    interned: Interner,
    unions: FxHashMap<(Node, Node), Node>,
    scratch: Vec<u32>,
    /// The number of entries of other tables, and of edges of unfinished nodes.
    pub(crate) entries: usize,
    most: usize,
    most_steps: usize,
    seen: usize,
    cancel: Cancel,
}

/// Checks of limits are this many nodes apart.
const CHECK_EVERY: usize = 1 << 12;

/// Some tables are dropped on the way, so the time of a question has a limit of its own.
const STEPS: usize = 16;

impl Nodes {
    /// No nodes. There may be `most` nodes and entries of tables.
    pub(crate) fn new(most: usize, cancel: &Cancel) -> Self {
        let mut interned = Interner::default();
        // Sequences of edges have an even length: these two are no others.
        interned.intern(&[]);
        interned.intern(&[0]);
        let cancel = cancel.clone();
        Self {
            interned,
            unions: FxHashMap::default(),
            scratch: Vec::new(),
            entries: 0,
            most,
            most_steps: usize::MAX,
            seen: 0,
            cancel,
        }
    }

    /// Begins other work on the nodes, which another `cancel` ends, and which may add `most` nodes
    /// and entries of tables, in [`STEPS`] times as many steps.
    pub(crate) fn resume(&mut self, most: usize, cancel: &Cancel) {
        self.cancel = cancel.clone();
        self.entries = 0;
        self.seen = 0;
        self.most_steps = most.saturating_mul(STEPS);
        self.most = (self.interned.len() + self.unions.len()).saturating_add(most);
    }

    /// Counts a step of the work, and sometimes checks whether it may go on.
    pub(crate) fn look(&mut self) -> Limited<()> {
        self.seen += 1;
        if self.seen.is_multiple_of(CHECK_EVERY) {
            self.cancel.check()?;
            let size = self.interned.len() + self.unions.len() + self.entries;
            if size > self.most || self.seen > self.most_steps {
                return Err(NoResult::Limit);
            }
        }
        Ok(())
    }

    pub(crate) fn edges(&self, node: Node) -> impl ExactSizeIterator<Item = Edge> + '_ {
        let stored = if node == END { &[][..] } else { self.interned.get(node) };
        stored.as_chunks::<2>().0.iter().map(|&[tokens, child]| (tokens, child))
    }

    /// The node with these edges, in order.
    pub(crate) fn of(&mut self, edges: &[Edge]) -> Node {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend(edges.iter().flat_map(|&(tokens, child)| [tokens, child]));
        let (node, _) = self.interned.intern(&scratch);
        self.scratch = scratch;
        node
    }

    /// The union of two nodes of a place.
    pub(crate) fn union(&mut self, one: Node, other: Node) -> Limited<Node> {
        if one == other || other == EMPTY {
            return Ok(one);
        }
        if one == EMPTY {
            return Ok(other);
        }
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.unions.get(&key) {
            return Ok(known);
        }
        self.look()?;
        let mut edges: Vec<Edge> = self.edges(one).collect();
        let more: Vec<Edge> = self.edges(other).collect();
        for edge in more {
            self.add(&mut edges, edge)?;
        }
        let node = self.of(&edges);
        self.unions.insert(key, node);
        Ok(node)
    }

    /// Adds an edge to sorted ones; returns whether this changed them.
    pub(crate) fn add(&mut self, edges: &mut Vec<Edge>, (tokens, child): Edge) -> Limited<bool> {
        match edges.binary_search_by_key(&tokens, |edge| edge.0) {
            Ok(at) => {
                let both = self.union(edges[at].1, child)?;
                let is_new = both != edges[at].1;
                edges[at].1 = both;
                Ok(is_new)
            }
            Err(at) => {
                edges.insert(at, (tokens, child));
                Ok(true)
            }
        }
    }
}
