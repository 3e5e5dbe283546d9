//! The states found so far, compressed.
//!
//! A state is a row of small numbers, one for each place. A binary tree stands over the places; each
//! of its inner nodes has a table of the pairs of numbers that its children had together, and passes
//! on the number of the pair. So a state is a pair at the root, and neighbouring states share all
//! that they have in common: 8 bytes, a slot, and little else. (After Blom, Lisser, van de Pol,
//! Weber: A database approach to distributed state-space generation, 2011; Laarman, van de Pol,
//! Weber: Parallel recursive state compression for free, 2011.)

use super::pairs::Pairs;
use super::shape::{balanced, grouped};
use std::ops::Range;

pub use super::pairs::NONE;

/// States as numbers of pairs.
///
/// A *view* of a state is one number for each node of the tree: the places first, then the inner
/// nodes, children before their parents, the root last. The root's number is the state's.
pub struct Store {
    places: usize,
    /// The children of the inner nodes, as positions in a view.
    children: Vec<[u32; 2]>,
    tables: Vec<Pairs>,
}

impl Store {
    /// No states yet; there are at least two places.
    pub fn new(places: usize) -> Self {
        Self::shaped(places, balanced(places))
    }

    fn shaped(places: usize, children: Vec<[u32; 2]>) -> Self {
        let tables = children.iter().map(|_| Pairs::default()).collect();
        Self { places, children, tables }
    }

    /// The same states in a tree that suits them; `sample` of them are looked at.
    pub fn reshaped(&self, sample: usize) -> Self {
        let mut view = vec![0; self.nodes()];
        let mut columns = vec![Vec::with_capacity(sample); self.places];
        for i in 0..sample.min(self.len()) {
            let state = (i * self.len() / sample.min(self.len())) as u32;
            self.read(state..state + 1, &mut view);
            for (column, &value) in columns.iter_mut().zip(&view) {
                column.push(value);
            }
        }
        let mut store = Self::shaped(self.places, grouped(columns));
        for state in 0..self.len() as u32 {
            self.read(state..state + 1, &mut view);
            store.intern_row(&view[..self.places]);
        }
        store
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.root().len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of places: a view begins with them.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Number of nodes: the length of a view.
    pub fn nodes(&self) -> usize {
        self.places + self.children.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Pairs::bytes).sum()
    }

    /// Bytes that `more` states would take in addition, as far as the root's table goes.
    pub fn bytes_for(&self, more: usize) -> usize {
        self.root().bytes_for(more)
    }

    /// The inner nodes below the root that depend on some of `places`, children first.
    pub fn path(&self, places: &[u32]) -> Vec<u32> {
        let mut depends = vec![false; self.nodes()];
        for &place in places {
            depends[place as usize] = true;
        }
        let mut path = Vec::new();
        for (inner, children) in self.children.iter().enumerate() {
            if children.iter().any(|&child| depends[child as usize]) {
                depends[self.places + inner] = true;
                path.push(inner as u32);
            }
        }
        if depends[self.nodes() - 1] {
            path.pop();
        }
        path
    }

    /// Fills in the views of `states`, one behind the other.
    pub fn read(&self, states: Range<u32>, views: &mut [u32]) {
        let nodes = self.nodes();
        for (view, state) in views.chunks_exact_mut(nodes).zip(states) {
            view[nodes - 1] = state;
        }
        // Node by node, so that the processor fetches for several states at a time.
        for (inner, &[left, right]) in self.children.iter().enumerate().rev() {
            let table = &self.tables[inner];
            for view in views.chunks_exact_mut(nodes) {
                let pair = table.get(view[self.places + inner]);
                view[left as usize] = pair[0];
                view[right as usize] = pair[1];
            }
        }
    }

    /// Brings an inner node of `view` up to date whose children are; `old` is the view of a known
    /// state that it was made from. The node is `NONE` if its pair is new.
    pub fn update(&self, inner: u32, view: &mut [u32], old: &[u32]) {
        let [left, right] = self.children[inner as usize].map(|child| child as usize);
        let pair = [view[left], view[right]];
        if pair != [old[left], old[right]] {
            let new = pair[0] == NONE || pair[1] == NONE;
            let found = if new { NONE } else { self.tables[inner as usize].find(pair) };
            view[self.places + inner as usize] = found;
        }
    }

    /// The pair at the root of a view whose nodes are up to date; `None` if some are new.
    pub fn root_pair(&self, view: &[u32]) -> Option<[u32; 2]> {
        let pair = self.children[self.children.len() - 1].map(|child| view[child as usize]);
        (pair[0] != NONE && pair[1] != NONE).then_some(pair)
    }

    /// The state with this pair at its root, else `NONE`.
    pub fn find(&self, root: [u32; 2]) -> u32 {
        self.root().find(root)
    }

    /// The state with this pair at its root, whose sides are known; and whether it is new.
    pub fn intern(&mut self, root: [u32; 2]) -> (u32, bool) {
        let last = self.tables.len() - 1;
        self.tables[last].intern(root)
    }

    /// The state of a view, once the nodes on `path` are brought up to date; else `NONE`.
    pub fn find_along(&self, path: &[u32], view: &mut [u32]) -> u32 {
        for &inner in path {
            let pair = self.children[inner as usize].map(|child| view[child as usize]);
            let found = self.tables[inner as usize].find(pair);
            if found == NONE {
                return NONE;
            }
            view[self.places + inner as usize] = found;
        }
        self.root_pair(view).map_or(NONE, |root| self.find(root))
    }

    /// The state of a view, once the nodes on `path` are brought up to date; and whether it is new.
    pub fn intern_along(&mut self, path: &[u32], view: &mut [u32]) -> (u32, bool) {
        for &inner in path {
            let pair = self.children[inner as usize].map(|child| view[child as usize]);
            view[self.places + inner as usize] = self.tables[inner as usize].intern(pair).0;
        }
        let root = self.root_pair(view).expect("all nodes are up to date");
        self.intern(root)
    }

    /// The state with these numbers at its places, and whether it is new.
    pub fn intern_row(&mut self, row: &[u32]) -> (u32, bool) {
        let mut view = row.to_vec();
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows() -> impl Strategy<Value = Vec<Vec<u32>>> {
        (2usize..12).prop_flat_map(|places| {
            prop::collection::vec(prop::collection::vec(0u32..3, places), 1..60)
        })
    }

    proptest! {
        #[test]
        fn states_are_numbered_and_read_back(rows in rows()) {
            let mut store = Store::new(rows[0].len());
            let mut seen: Vec<Vec<u32>> = Vec::new();
            let mut view = vec![0; store.nodes()];
            for row in rows {
                let known = seen.iter().position(|s| *s == row);
                let (state, new) = store.intern_row(&row);
                prop_assert_eq!(new, known.is_none());
                prop_assert_eq!(state as usize, known.unwrap_or(seen.len()));
                if new {
                    seen.push(row);
                }
            }
            for store in [&store, &store.reshaped(20)] {
                prop_assert_eq!(store.len(), seen.len());
                for (state, row) in seen.iter().enumerate() {
                    store.read(state as u32..state as u32 + 1, &mut view);
                    prop_assert_eq!(&view[..row.len()], &row[..]);
                }
            }
        }

        #[test]
        fn a_changed_state_is_found_along_the_path(
            mut rows in rows(), reshape: bool, changes in prop::collection::vec((0usize..12, 0u32..3), 1..4),
        ) {
            let mut store = Store::new(rows[0].len());
            for row in &rows {
                store.intern_row(row);
            }
            if reshape {
                store = store.reshaped(20);
            }
            let places = rows[0].len();
            let changed: Vec<u32> = changes.iter().map(|&(p, _)| (p % places) as u32).collect();
            let path = store.path(&changed);
            let mut old = vec![0; store.nodes()];
            for state in 0..store.len() as u32 {
                store.read(state..state + 1, &mut old);
                let mut view = old.clone();
                for &(place, value) in &changes {
                    view[place % places] = value;
                }
                let row = view[..places].to_vec();
                let expected = rows.contains(&row);
                let mut again = view.clone();
                for &inner in &path {
                    store.update(inner, &mut view, &old);
                }
                let found = store.root_pair(&view).map_or(NONE, |root| store.find(root));
                prop_assert_eq!(found != NONE, expected);
                prop_assert_eq!(store.find_along(&path, &mut again), found);
                let (id, new) = store.intern_along(&path, &mut again);
                prop_assert_eq!(new, !expected);
                prop_assert_eq!(store.intern_row(&row), (id, false));
                rows.push(row);
            }
        }
    }
}
