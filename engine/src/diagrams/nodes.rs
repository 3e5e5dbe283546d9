//! The nodes of diagrams, each stored once.

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
#[derive(Default)]
pub(crate) struct Nodes {
    interned: Interner,
    unions: FxHashMap<(Node, Node), Node>,
    scratch: Vec<u32>,
}

impl Nodes {
    pub(crate) fn new() -> Self {
        let mut interned = Interner::default();
        // Sequences of edges have an even length: these two are no others.
        interned.intern(&[]);
        interned.intern(&[0]);
        Self { interned, ..Self::default() }
    }

    pub(crate) fn edges(&self, node: Node) -> impl ExactSizeIterator<Item = Edge> + '_ {
        let scratch = if node == END { &[][..] } else { self.interned.get(node) };
        scratch.as_chunks::<2>().0.iter().map(|&[tokens, child]| (tokens, child))
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
    pub(crate) fn union(&mut self, one: Node, other: Node) -> Node {
        if one == other || other == EMPTY {
            return one;
        }
        if one == EMPTY {
            return other;
        }
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut edges: Vec<Edge> = self.edges(one).collect();
        let more: Vec<Edge> = self.edges(other).collect();
        for edge in more {
            self.add(&mut edges, edge);
        }
        let node = self.of(&edges);
        self.unions.insert(key, node);
        node
    }

    /// Adds an edge to sorted ones; returns whether this changed them.
    pub(crate) fn add(&mut self, edges: &mut Vec<Edge>, (tokens, child): Edge) -> bool {
        match edges.binary_search_by_key(&tokens, |edge| edge.0) {
            Ok(at) => {
                let both = self.union(edges[at].1, child);
                let is_new = both != edges[at].1;
                edges[at].1 = both;
                is_new
            }
            Err(at) => {
                edges.insert(at, (tokens, child));
                true
            }
        }
    }

    /// The number of entries of nodes and tables, for limits.
    pub(crate) fn cost(&self) -> usize {
        self.interned.len() + self.unions.len()
    }
}
