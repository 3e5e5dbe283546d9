//! The states found so far, in compressed form.
//!
//! A state is a vector of small numbers, one for each position. A binary tree has the positions as
//! leaves. Each inner node has a table of the pairs of numbers that its children had together, and
//! its own number is that of the pair. So a state is a pair at the root, and states share the nodes
//! in which they agree; typically a state takes 8 bytes, a slot, and little more. (After Blom,
//! Lisser, van de Pol, Weber: A database approach to distributed state-space generation, 2011;
//! Laarman, van de Pol, Weber: Parallel recursive state compression for free, 2011.)
//!
//! Read `pair_table`, then this file, then `tree_shape`. `memo_table` stores vectors other than
//! states.

pub mod memo_table;
pub mod pair_table;
#[cfg(test)]
mod tests;
pub mod tree_shape;

use crate::base::cancel::{self, Cancel};
use crate::base::ids::Id;
use crate::base::spill::Transfer;
use crate::process::store::pair_table::Pairs;
use crate::process::store::tree_shape::{balanced, grouped};
use std::io::Result;
use std::ops::Range;

pub use crate::base::ids::NONE;

/// The states, as numbers of pairs.
///
/// A *view* of a state has one number for each node of the tree: the positions first, then the
/// inner nodes, children before parents, the root last. The number of the root is that of the
/// state.
pub struct Store {
    positions: usize,
    /// The children of each inner node, as positions in a view.
    children: Vec<[u32; 2]>,
    tables: Vec<Pairs>,
}

/// The inner nodes below the root that depend on some given positions.
#[derive(Default)]
pub struct Path {
    /// These nodes, children before parents.
    inner: Vec<u32>,
    /// The other children of these nodes and of the root, as positions in a view.
    below: Vec<u32>,
}

impl Path {
    /// Writes numbers obtained from [`Changes::siblings`] into a view.
    pub fn fill_view(&self, numbers: &[u32], view: &mut [u32]) {
        for (&node, &number) in self.below.iter().zip(numbers) {
            view[node as usize] = number;
        }
    }
}

/// Consecutive states in expanded form: for each node of the tree, a column with its number in
/// every state.
#[derive(Default)]
pub struct Block {
    many: usize,
    numbers: Vec<u32>,
}

impl Block {
    /// The numbers of a node in all states.
    pub fn column(&self, node: u32) -> &[u32] {
        let start = node as usize * self.many;
        &self.numbers[start..start + self.many]
    }

    /// Appends the view of the state at position `at` of the block.
    pub fn view(&self, at: u32, view: &mut Vec<u32>) {
        view.extend(self.numbers.iter().skip(at as usize).step_by(self.many.max(1)));
    }
}

/// Steps from states of a block that change the same nodes.
#[derive(Default)]
pub struct Changes {
    /// For each step the position of its source in the block.
    pub from: Vec<u32>,
    /// For each changed node its number after each step.
    numbers: Vec<Vec<u32>>,
    changed: Vec<bool>,
    pairs: Vec<[u32; 2]>,
}

impl Changes {
    /// Starts anew without steps.
    pub fn begin(&mut self, nodes: usize) {
        self.from.clear();
        self.numbers.resize_with(nodes, Vec::new);
        self.changed.clear();
        self.changed.resize(nodes, false);
    }

    /// Returns the column for the new values of a position, and marks the position as changed; the
    /// column is empty at first.
    pub fn change(&mut self, position: u32) -> &mut Vec<u32> {
        let position = position as usize;
        if !self.changed[position] {
            self.changed[position] = true;
            self.numbers[position].clear();
        }
        &mut self.numbers[position]
    }

    /// Appends the numbers at the target of a step that determine the nodes on `path`.
    pub fn siblings(&self, path: &Path, block: &Block, step: usize, numbers: &mut Vec<u32>) {
        let at = self.from[step] as usize;
        numbers.extend(path.below.iter().map(|&node| match self.changed[node as usize] {
            true => self.numbers[node as usize][step],
            false => block.column(node)[at],
        }));
    }
}

/// The number of states read at a time.
const TOGETHER: usize = 512;

/// With more positions the tree is not chosen anew: that takes at least the square of the number of
/// positions, and at most the cube. It saves half of the memory for states of a hundred positions,
/// and a fifth or nothing for those of several hundreds.
const MOST_POSITIONS: usize = if cfg!(test) { 8 } else { 256 };

impl Store {
    /// An empty store; at least two positions are required.
    pub fn new(positions: usize) -> Self {
        Self::shaped(positions, balanced(positions))
    }

    fn shaped(positions: usize, children: Vec<[u32; 2]>) -> Self {
        let tables = children.iter().map(|_| Pairs::default()).collect();
        Self { positions, children, tables }
    }

    /// Chooses the tree by a sample of this many states; the states keep their numbers. Returns
    /// false if the tree stays as it is: with more than `MOST_POSITIONS` positions, or if the work
    /// has to stop, which it does at its next look.
    pub fn reshape(&mut self, sample: usize, cancel: &Cancel) -> bool {
        let reshaped = if self.positions <= MOST_POSITIONS {
            self.reshaped(sample, cancel).ok()
        } else {
            None
        };
        let is_new = reshaped.is_some();
        if let Some(store) = reshaped {
            *self = store;
        }
        is_new
    }

    fn reshaped(&self, sample: usize, cancel: &Cancel) -> cancel::Result<Self> {
        let mut block = Block::default();
        let mut columns = vec![Vec::with_capacity(sample); self.positions];
        for i in 0..sample.min(self.len()) {
            let state = u32::at(i * self.len() / sample.min(self.len()));
            self.read(state..state + 1, &mut block);
            for (position, column) in (0..).zip(&mut columns) {
                column.extend_from_slice(block.column(position));
            }
        }
        let mut store = Self::shaped(self.positions, grouped(columns, cancel)?);
        let mut vector = Vec::new();
        for start in (0..self.len()).step_by(TOGETHER) {
            cancel.check()?;
            let end = self.len().min(start + TOGETHER);
            self.read(u32::at(start)..u32::at(end), &mut block);
            for at in 0..u32::at(end - start) {
                vector.clear();
                vector.extend(
                    (0..u32::at(self.positions))
                        .map(|position| block.column(position)[at as usize]),
                );
                store.intern_vector(&vector);
            }
        }
        Ok(store)
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.root().len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of positions, which come first in a view.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The number of nodes, which is the length of a view.
    pub fn nodes(&self) -> usize {
        self.positions + self.children.len()
    }

    /// Visits the arrays to be spilled or read back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        self.tables.iter_mut().try_for_each(|table| table.transfer(transfer))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Pairs::bytes).sum()
    }

    /// The additional bytes that `more` states would take in the root's table.
    pub fn bytes_for(&self, more: usize) -> usize {
        self.root().bytes_for(more)
    }

    /// The children of a node other than the root; `None` for a position.
    pub fn children_of(&self, node: u32) -> Option<[u32; 2]> {
        let inner = (node as usize).checked_sub(self.positions)?;
        self.children.get(inner).copied()
    }

    /// The children of the root.
    pub fn root_children(&self) -> [u32; 2] {
        self.children[self.children.len() - 1]
    }

    /// The pairs of an inner node, by number.
    pub fn pairs(&self, node: u32) -> &[[u32; 2]] {
        self.tables[node as usize - self.positions].pairs()
    }

    /// The number of a pair of an inner node; the pair is added if it is new.
    pub fn intern_node(&mut self, node: u32, pair: [u32; 2]) -> u32 {
        self.tables[node as usize - self.positions].intern(pair).0
    }

    /// The inner nodes below the root that depend on some of `positions`.
    pub fn path(&self, positions: &[u32]) -> Path {
        let mut depends = vec![false; self.nodes()];
        for &position in positions {
            depends[position as usize] = true;
        }
        let mut path = Path::default();
        let root = self.children.len() - 1;
        for (inner, children) in self.children.iter().enumerate() {
            if inner == root || children.iter().any(|&child| depends[child as usize]) {
                // Each position and each node has a single parent.
                let own =
                    |child: &u32| (*child as usize) < self.positions || !depends[*child as usize];
                path.below.extend(children.iter().filter(|child| own(child)));
                depends[self.positions + inner] = true;
                path.inner.push(u32::at(inner));
            }
        }
        path.inner.pop();
        path
    }

    /// Reads consecutive states into a block: node by node, so that the processor fetches many at a
    /// time.
    pub fn read(&self, states: Range<u32>, block: &mut Block) {
        let many = states.len();
        block.many = many;
        block.numbers.resize(self.nodes() * many, 0);
        let root = block.numbers.len() - many;
        for (number, state) in block.numbers[root..].iter_mut().zip(states) {
            *number = state;
        }
        for (inner, children) in self.children.iter().enumerate().rev() {
            let (below, column) = block.numbers.split_at_mut((self.positions + inner) * many);
            let pairs = self.tables[inner].pairs();
            for (side, &child) in children.iter().enumerate() {
                let start = child as usize * many;
                for (number, &id) in below[start..start + many].iter_mut().zip(&*column) {
                    *number = pairs[id as usize][side];
                }
            }
        }
    }

    /// Computes the targets of steps from states of `block`: appends to `roots` the pair at the
    /// root of each target. The positions changed by `steps` must be set; the inner nodes on `path`
    /// are looked up. New nodes are `NONE`.
    pub fn targets(
        &self,
        path: &Path,
        block: &Block,
        steps: &mut Changes,
        roots: &mut Vec<[u32; 2]>,
    ) {
        let mut pairs = std::mem::take(&mut steps.pairs);
        for &inner in &path.inner {
            pairs.clear();
            self.join(inner as usize, block, steps, &mut pairs);
            let node = self.positions + inner as usize;
            let mut numbers = std::mem::take(&mut steps.numbers[node]);
            numbers.clear();
            self.tables[inner as usize].find_many(&pairs, &mut numbers);
            steps.numbers[node] = numbers;
            steps.changed[node] = true;
        }
        steps.pairs = pairs;
        self.join(self.children.len() - 1, block, steps, roots);
    }

    /// Appends the pairs of the children of an inner node at the targets of steps.
    fn join(&self, inner: usize, block: &Block, steps: &Changes, pairs: &mut Vec<[u32; 2]>) {
        let start = pairs.len();
        pairs.resize(start + steps.from.len(), [0; 2]);
        for (side, &child) in self.children[inner].iter().enumerate() {
            let pairs = &mut pairs[start..];
            if steps.changed[child as usize] {
                for (pair, &number) in pairs.iter_mut().zip(&steps.numbers[child as usize]) {
                    pair[side] = number;
                }
            } else {
                let column = block.column(child);
                for (pair, &from) in pairs.iter_mut().zip(&steps.from) {
                    pair[side] = column[from as usize];
                }
            }
        }
    }

    /// Appends the states with these root pairs, `NONE` for new ones.
    pub fn find_many(&self, roots: &[[u32; 2]], states: &mut Vec<u32>) {
        self.root().find_many(roots, states);
    }

    /// Reads the slots for new `roots`, so that they are in the cache when the roots are inserted.
    pub fn fetch(&self, roots: &[[u32; 2]], states: &[u32]) {
        let new = roots.iter().zip(states).filter(|&(_, &state)| state == NONE);
        self.root().fetch(new.map(|(&root, _)| root));
    }

    /// The state with this root pair, or `NONE`.
    pub fn find(&self, root: [u32; 2]) -> u32 {
        self.root().find(root)
    }

    /// The state with this root pair, whose two numbers must not be `NONE`, and whether it is new.
    pub fn intern(&mut self, root: [u32; 2]) -> (u32, bool) {
        let last = self.tables.len() - 1;
        self.tables[last].intern(root)
    }

    /// The root pair of a view whose nodes are up to date.
    fn root_pair(&self, view: &[u32]) -> [u32; 2] {
        self.children[self.children.len() - 1].map(|child| view[child as usize])
    }

    /// Looks up the nodes on `path` in a view, and returns the state; `NONE`, also for nodes, where
    /// there is none.
    pub fn find_along(&self, path: &Path, view: &mut [u32]) -> u32 {
        let known = |pair: [u32; 2], table: &Pairs| {
            if pair.contains(&NONE) { NONE } else { table.find(pair) }
        };
        for &inner in &path.inner {
            let pair = self.children[inner as usize].map(|child| view[child as usize]);
            view[self.positions + inner as usize] = known(pair, &self.tables[inner as usize]);
        }
        known(self.root_pair(view), self.root())
    }

    /// The state of a view after [`Store::find_along`], and whether it is new; missing nodes on
    /// `path` are added.
    pub fn intern_missing(&mut self, path: &Path, view: &mut [u32]) -> (u32, bool) {
        for &inner in &path.inner {
            if view[self.positions + inner as usize] == NONE {
                let pair = self.children[inner as usize].map(|child| view[child as usize]);
                view[self.positions + inner as usize] = self.tables[inner as usize].intern(pair).0;
            }
        }
        self.intern(self.root_pair(view))
    }

    /// Updates the nodes on `path` in a view, adding new ones, and returns the root pair.
    pub fn intern_below(&mut self, path: &Path, view: &mut [u32]) -> [u32; 2] {
        for &inner in &path.inner {
            let pair = self.children[inner as usize].map(|child| view[child as usize]);
            view[self.positions + inner as usize] = self.tables[inner as usize].intern(pair).0;
        }
        self.root_pair(view)
    }

    /// Updates the nodes on `path` in a view, adding new ones; returns the state and whether it is
    /// new.
    pub fn intern_along(&mut self, path: &Path, view: &mut [u32]) -> (u32, bool) {
        let root = self.intern_below(path, view);
        self.intern(root)
    }

    /// The state with these numbers at its positions, and whether it is new.
    pub fn intern_vector(&mut self, vector: &[u32]) -> (u32, bool) {
        let mut view = vector.to_vec();
        let mut new = false;
        for (children, table) in self.children.iter().zip(&mut self.tables) {
            let (id, fresh) = table.intern(children.map(|child| view[child as usize]));
            view.push(id);
            new = fresh;
        }
        (view[view.len() - 1], new)
    }

    fn root(&self) -> &Pairs {
        &self.tables[self.tables.len() - 1]
    }
}
