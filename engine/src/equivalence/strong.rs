//! Strong bisimulation in O(m log n).
//!
//! Paige and Tarjan, Three partition refinement algorithms (1987), in the form of Valmari,
//! Bisimilarity minimization in O(m log n) time (2009): states and transitions are both kept in
//! partitions. A block of transitions (a cord) has one label and leads into one group of blocks of
//! states; the blocks of states are stable under every cord: all or none of the states of a block
//! have a transition in it. Blocks leave their group one by one, the smaller part of every split
//! first. Then cords are split, and blocks three ways: states with transitions in the one part of a
//! cord only, in the other only, in both. How many a state has in a cord is counted.

use super::graph::Graph;

/// A partition of `0..n` whose blocks are split by marking elements.
///
/// Invariant: block b is `elements[first[b]..past[b]]`, its marked elements stand first.
struct Partition {
    elements: Vec<u32>,
    location: Vec<u32>,
    block: Vec<u32>,
    first: Vec<u32>,
    past: Vec<u32>,
    marked: Vec<u32>,
    touched: Vec<u32>,
}

impl Partition {
    /// One block of everything, or none of nothing.
    fn new(n: usize) -> Self {
        let blocks = usize::from(n > 0);
        Self {
            elements: (0..n as u32).collect(),
            location: (0..n as u32).collect(),
            block: vec![0; n],
            first: vec![0; blocks],
            past: vec![n as u32; blocks],
            marked: vec![0; blocks],
            touched: Vec::new(),
        }
    }

    /// The partition by key, blocks in the order of the keys.
    fn by_key(n: usize, key: impl Fn(u32) -> u32) -> Self {
        let mut partition = Self::new(n);
        partition.elements.sort_by_key(|&e| key(e));
        partition.first.clear();
        partition.past.clear();
        partition.marked.clear();
        for i in 0..n {
            let element = partition.elements[i];
            if i == 0 || key(partition.elements[i - 1]) != key(element) {
                if i > 0 {
                    partition.past.push(i as u32);
                }
                partition.first.push(i as u32);
                partition.marked.push(0);
            }
            partition.location[element as usize] = i as u32;
            partition.block[element as usize] = partition.first.len() as u32 - 1;
        }
        if n > 0 {
            partition.past.push(n as u32);
        }
        partition
    }

    fn len(&self) -> usize {
        self.first.len()
    }

    fn mark(&mut self, element: u32) {
        let block = self.block[element as usize] as usize;
        let (at, border) =
            (self.location[element as usize], self.first[block] + self.marked[block]);
        if at < border {
            return; // marked already
        }
        let other = self.elements[border as usize];
        self.elements[at as usize] = other;
        self.location[other as usize] = at;
        self.elements[border as usize] = element;
        self.location[element as usize] = border;
        if self.marked[block] == 0 {
            self.touched.push(block as u32);
        }
        self.marked[block] += 1;
    }

    /// Splits every block with marked and unmarked elements; the smaller part is the new block,
    /// given to `split`.
    fn split(&mut self, mut split: impl FnMut(&Self, u32)) {
        while let Some(block) = self.touched.pop() {
            let block = block as usize;
            let marked = std::mem::take(&mut self.marked[block]);
            let (first, past) = (self.first[block], self.past[block]);
            let border = first + marked;
            if border == past {
                continue;
            }
            let new = self.first.len() as u32;
            let (from, to) = if marked <= past - border {
                self.first[block] = border;
                (first, border)
            } else {
                self.past[block] = border;
                (border, past)
            };
            self.first.push(from);
            self.past.push(to);
            self.marked.push(0);
            for i in from..to {
                self.block[self.elements[i as usize] as usize] = new;
            }
            split(self, new);
        }
    }
}

/// The coarsest strong bisimulation: for every state its block, and how many blocks there are.
pub fn strong(graph: &Graph) -> (Vec<u32>, usize) {
    let n = graph.states;
    let m = graph.label.len();
    let mut source = vec![0u32; m];
    for state in 0..n {
        source[graph.starts[state]..graph.starts[state + 1]].fill(state as u32);
    }
    // Transitions by target.
    let mut starts = vec![0usize; n + 1];
    for &target in &graph.target {
        starts[target as usize + 1] += 1;
    }
    for s in 0..n {
        starts[s + 1] += starts[s];
    }
    let mut next = starts.clone();
    let mut incoming = vec![0u32; m];
    for (t, &target) in graph.target.iter().enumerate() {
        incoming[next[target as usize]] = t as u32;
        next[target as usize] += 1;
    }
    let mut blocks = Partition::new(n);
    let mut cords = Partition::by_key(m, |t| graph.label[t as usize]);
    for cord in 0..cords.len() {
        for i in cords.first[cord]..cords.past[cord] {
            blocks.mark(source[cords.elements[i as usize] as usize]);
        }
        blocks.split(|_, _| {});
    }
    // counts[slot[t]] is the number of transitions with the source and the cord of t.
    let mut slot = vec![0u32; m];
    let mut counts: Vec<u32> = Vec::new();
    for t in 0..m {
        let same = t > 0 && source[t - 1] == source[t] && graph.label[t - 1] == graph.label[t];
        if !same {
            counts.push(0);
        }
        slot[t] = counts.len() as u32 - 1;
        counts[slot[t] as usize] += 1;
    }
    const NEW: u32 = u32::MAX;
    let mut moved = vec![NEW; n];
    let mut sources: Vec<(u32, u32)> = Vec::new();
    let mut new_cords = Vec::new();
    let mut block = 1;
    while block < blocks.len() {
        for i in blocks.first[block]..blocks.past[block] {
            let state = blocks.elements[i as usize] as usize;
            for &t in &incoming[starts[state]..starts[state + 1]] {
                cords.mark(t);
            }
        }
        block += 1;
        new_cords.clear();
        cords.split(|_, cord| new_cords.push(cord));
        for &cord in &new_cords {
            sources.clear();
            for i in cords.first[cord as usize]..cords.past[cord as usize] {
                let t = cords.elements[i as usize] as usize;
                let state = source[t] as usize;
                if moved[state] == NEW {
                    moved[state] = counts.len() as u32;
                    counts.push(0);
                    sources.push((state as u32, slot[t]));
                }
                counts[slot[t] as usize] -= 1;
                slot[t] = moved[state];
                counts[slot[t] as usize] += 1;
            }
            for &(state, _) in &sources {
                moved[state as usize] = NEW;
                blocks.mark(state);
            }
            blocks.split(|_, _| {});
            for &(state, old) in &sources {
                if counts[old as usize] == 0 {
                    blocks.mark(state);
                }
            }
            blocks.split(|_, _| {});
        }
    }
    let count = blocks.len();
    (blocks.block, count)
}
