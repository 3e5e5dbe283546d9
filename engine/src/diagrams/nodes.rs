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
pub(crate) struct DiagramNodes {
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

/// The number of steps between two checks of the limits.
const CHECK_EVERY: usize = 1 << 12;

/// The largest number of steps for each node or entry that may be added: tables that are dropped
/// during the work free their entries, so a limit on entries does not bound the time.
const STEPS: usize = 16;

impl DiagramNodes {
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

    /// Begins further work on the nodes, with its own `cancel`. It may add `most` nodes and entries
    /// of tables, and take [`STEPS`] times as many steps.
    pub(crate) fn resume(&mut self, most: usize, cancel: &Cancel) {
        self.cancel = cancel.clone();
        self.entries = 0;
        self.seen = 0;
        self.most_steps = most.saturating_mul(STEPS);
        self.most = (self.interned.len() + self.unions.len()).saturating_add(most);
    }

    /// Counts a step of the work, and checks the limits every [`CHECK_EVERY`] steps.
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
    pub(crate) fn union(&mut self, left: Node, right: Node) -> Limited<Node> {
        if left == right || right == EMPTY {
            return Ok(left);
        }
        if left == EMPTY {
            return Ok(right);
        }
        let key = (left.min(right), left.max(right));
        if let Some(&known) = self.unions.get(&key) {
            return Ok(known);
        }
        self.look()?;
        let mut edges: Vec<Edge> = self.edges(left).collect();
        let more: Vec<Edge> = self.edges(right).collect();
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
