//! Isomorphisms by refinement and individualisation.
//!
//! The search works on the disjoint union of the two systems. Their states are coloured by an
//! equitable partition: states of one colour have equally many transitions of each label to, and
//! from, each colour. An isomorphism preserves colours, so every colour must have equally many
//! states of both sides. A state of a colour with several states on each side is mapped to each
//! candidate of the other side in turn (McKay, Practical graph isomorphism, 1981).

use crate::base::cancel::{CHECK_EVERY, Cancel, Result, Stopped};
use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::memory::room;

/// Searches for an isomorphism from `left` to `right`, where label a of `left` is `names[a]` in
/// `right`. Returns the image of every state, or `None` if there is no isomorphism. More than
/// `limit` choices are a [`Stopped::Limit`].
///
/// If `order` > 0, the two must have the same states; then images are preferred that close a cycle
/// whose length divides `order`, so that powers of the result become the identity early.
pub fn isomorphism(
    left: &Graph,
    right: &Graph,
    names: &[u32],
    order: u32,
    limit: u64,
    cancel: &Cancel,
) -> Result<Option<Vec<u32>>> {
    if left.states != right.states || left.transitions() != right.transitions() {
        return Ok(None);
    }
    let edges = Edges::new(left, right, names);
    let mut choices: Vec<usize> = Vec::new();
    let mut work = 0u64;
    'attempt: loop {
        cancel.check()?;
        let mut colours = Colours::new(left.states);
        let mut fits = colours.refine(&edges, vec![0], cancel)?;
        if fits {
            fits = colours.individualise(&edges, left.initial.0, right.initial.0, cancel)?;
        }
        let mut depth = 0;
        let mut widths: Vec<usize> = Vec::new();
        let mut scan = 0;
        while fits {
            let Some(block) = colours.next_open(&mut scan) else {
                return Ok(Some(colours.images()));
            };
            let (state, candidates) = colours.candidates(block, order);
            if choices.len() == depth {
                choices.push(0);
            }
            widths.push(candidates.len());
            work += 1;
            if work > limit {
                return Err(Stopped::Limit);
            }
            fits = colours.individualise(&edges, state, candidates[choices[depth]], cancel)?;
            depth += 1;
        }
        // Backtrack to the last choice with an untried alternative.
        choices.truncate(depth);
        while let Some(choice) = choices.pop() {
            if choice + 1 < widths[choices.len()] {
                choices.push(choice + 1);
                continue 'attempt;
            }
        }
        return Ok(None);
    }
}

/// The transitions of both systems in both directions; states of the right one come after those of
/// the left one.
struct Edges {
    /// For each direction and state the range of its (label, other end) in `ends`.
    starts: [Vec<usize>; 2],
    ends: [Vec<(u32, u32)>; 2],
}

impl Edges {
    fn new(left: &Graph, right: &Graph, names: &[u32]) -> Self {
        let n = u32::at(left.states);
        let mut rows: Vec<(u32, u32, u32)> = room(2 * left.transitions());
        for state in left.each_state() {
            rows.extend(left.steps(state).map(|(a, t)| (state.0, names[a], t.0)));
            rows.extend(right.steps(state).map(|(a, t)| (state.0 + n, a.0, t.0 + n)));
        }
        let [forwards, backwards] = [false, true].map(|backwards| {
            let mut starts = vec![0usize; 2 * n as usize + 1];
            let key = |row: &(u32, u32, u32)| if backwards { row.2 } else { row.0 };
            for row in &rows {
                starts[key(row) as usize + 1] += 1;
            }
            for s in 0..2 * n as usize {
                starts[s + 1] += starts[s];
            }
            let mut next = starts.clone();
            let mut ends = vec![(0, 0); rows.len()];
            for row in &rows {
                let at = &mut next[key(row) as usize];
                ends[*at] = (row.1, if backwards { row.0 } else { row.2 });
                *at += 1;
            }
            (starts, ends)
        });
        Self { starts: [forwards.0, backwards.0], ends: [forwards.1, backwards.1] }
    }
}

/// A partition of the states of both sides.
struct Colours {
    half: u32,
    elements: Vec<u32>,
    location: Vec<u32>,
    block: Vec<u32>,
    first: Vec<u32>,
    past: Vec<u32>,
    counts: Vec<u32>,
}

impl Colours {
    fn new(half: usize) -> Self {
        let n = 2 * u32::at(half);
        Self {
            half: u32::at(half),
            elements: (0..n).collect(),
            location: (0..n).collect(),
            block: vec![0; n as usize],
            first: vec![0],
            past: vec![n],
            counts: vec![0; n as usize],
        }
    }

    fn members(&self, block: u32) -> &[u32] {
        &self.elements[self.first[block as usize] as usize..self.past[block as usize] as usize]
    }

    fn balanced(&self, block: u32) -> bool {
        let members = self.members(block);
        2 * members.iter().filter(|&&m| m < self.half).count() == members.len()
    }

    /// Refines until equitable, beginning with the given splitters; returns false if some colour
    /// gets different numbers of states of the two sides.
    fn refine(&mut self, edges: &Edges, mut splitters: Vec<u32>, cancel: &Cancel) -> Result<bool> {
        let mut queued = vec![false; self.first.len()];
        for &splitter in &splitters {
            queued[splitter as usize] = true;
        }
        let mut hits: Vec<(u32, u32)> = Vec::new();
        let mut work = 0;
        while let Some(splitter) = splitters.pop() {
            queued[splitter as usize] = false;
            for direction in 0..2 {
                hits.clear();
                for &member in self.members(splitter) {
                    let range = edges.starts[direction][member as usize]
                        ..edges.starts[direction][member as usize + 1];
                    hits.extend_from_slice(&edges.ends[direction][range]);
                }
                work += 1 + hits.len();
                // Check often, as a memory access that misses the cache is slow.
                if work > CHECK_EVERY / 64 {
                    work = 0;
                    cancel.check()?;
                }
                hits.sort_unstable();
                let mut i = 0;
                while i < hits.len() {
                    let label = hits[i].0;
                    let mut touched = Vec::new();
                    while i < hits.len() && hits[i].0 == label {
                        let state = hits[i].1;
                        if self.counts[state as usize] == 0 {
                            touched.push(state);
                        }
                        self.counts[state as usize] += 1;
                        i += 1;
                    }
                    let balanced = self.split(&touched, &mut splitters, &mut queued);
                    for &state in &touched {
                        self.counts[state as usize] = 0;
                    }
                    if !balanced {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Splits the blocks of `touched` by their counts; returns false if a part is not balanced.
    fn split(&mut self, touched: &[u32], splitters: &mut Vec<u32>, queued: &mut Vec<bool>) -> bool {
        let mut states: Vec<(u32, u32, u32)> =
            touched.iter().map(|&s| (self.block[s as usize], self.counts[s as usize], s)).collect();
        states.sort_unstable();
        let mut i = 0;
        while i < states.len() {
            let block = states[i].0;
            let end = states[i..].iter().position(|s| s.0 != block).map_or(states.len(), |p| i + p);
            let group = &states[i..end];
            i = end;
            let size = (self.past[block as usize] - self.first[block as usize]) as usize;
            let uniform = group[0].1 == group[group.len() - 1].1;
            if uniform && group.len() == size {
                continue;
            }
            // Untouched states stay in front and keep the number; if there are none, the first part
            // does.
            let mut parts: Vec<&[(u32, u32, u32)]> = group.chunk_by(|a, b| a.1 == b.1).collect();
            if group.len() == size {
                parts.remove(0);
            }
            let mut made = vec![block];
            for part in parts.into_iter().rev() {
                let past = self.past[block as usize];
                let first = past - u32::at(part.len());
                for (place, &(_, _, state)) in (first..past).zip(part) {
                    self.swap(state, place);
                }
                let new = u32::at(self.first.len());
                self.past[block as usize] = first;
                self.first.push(first);
                self.past.push(past);
                queued.push(false);
                for place in first..past {
                    self.block[self.elements[place as usize] as usize] = new;
                }
                made.push(new);
            }
            if !made.iter().all(|&part| self.balanced(part)) {
                return false;
            }
            // If the old block is queued already, all parts must be; otherwise all but the largest.
            let largest = if queued[block as usize] {
                u32::MAX
            } else {
                *made.iter().max_by_key(|&&b| self.members(b).len()).expect("not empty")
            };
            for part in made {
                if part != largest && !queued[part as usize] {
                    queued[part as usize] = true;
                    splitters.push(part);
                }
            }
        }
        true
    }

    fn swap(&mut self, state: u32, place: u32) {
        let from = self.location[state as usize];
        let other = self.elements[place as usize];
        self.elements[from as usize] = other;
        self.location[other as usize] = from;
        self.elements[place as usize] = state;
        self.location[state as usize] = place;
    }

    /// Gives a state of the left side and its image a colour of their own, and refines.
    fn individualise(
        &mut self,
        edges: &Edges,
        state: u32,
        image: u32,
        cancel: &Cancel,
    ) -> Result<bool> {
        let pair = [state, image + self.half];
        let block = self.block[pair[0] as usize];
        if block != self.block[pair[1] as usize] {
            return Ok(false);
        }
        if self.members(block).len() == 2 {
            return Ok(true);
        }
        let past = self.past[block as usize];
        self.swap(pair[0], past - 1);
        self.swap(pair[1], past - 2);
        let new = u32::at(self.first.len());
        self.past[block as usize] = past - 2;
        self.first.push(past - 2);
        self.past.push(past);
        for member in pair {
            self.block[member as usize] = new;
        }
        self.refine(edges, vec![new], cancel)
    }

    /// A block with several states of each side; all blocks before `scan` have only one.
    fn next_open(&self, scan: &mut u32) -> Option<u32> {
        while (*scan as usize) < self.first.len() {
            if self.members(*scan).len() > 2 {
                return Some(*scan);
            }
            *scan += 1;
        }
        None
    }

    /// A state of the left side of a block, and its possible images, the best first.
    fn candidates(&self, block: u32, order: u32) -> (u32, Vec<u32>) {
        let members = self.members(block);
        let state = *members.iter().filter(|&&m| m < self.half).min().expect("balanced");
        let right = members.iter().filter(|&&m| m >= self.half);
        let mut images: Vec<u32> = right.map(|&m| m - self.half).collect();
        images.sort_unstable();
        if order > 0 {
            // Follow known images backwards to the start of the chain.
            let (mut start, mut length) = (state, 1);
            while length <= order
                && let [a, b] = self.members(self.block[(start + self.half) as usize])
            {
                start = *a.min(b);
                length += 1;
            }
            if order.is_multiple_of(length)
                && let Some(place) = images.iter().position(|&image| image == start)
            {
                images[..=place].rotate_right(1);
            }
        }
        (state, images)
    }

    fn images(&self) -> Vec<u32> {
        let mut images = vec![0; self.half as usize];
        for block in 0..u32::at(self.first.len()) {
            if let [a, b] = self.members(block) {
                images[*a.min(b) as usize] = a.max(b) - self.half;
            }
        }
        images
    }
}
