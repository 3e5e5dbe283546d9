//! A partition of the states that is cut by sets of them.

/// A partition of the states.
///
/// Invariant: block b is `elements[first[b]..past[b]]`, the marked ones of them first.
pub(crate) struct Blocks {
    pub(crate) block: Vec<u32>,
    elements: Vec<u32>,
    pub(crate) place: Vec<u32>,
    first: Vec<u32>,
    past: Vec<u32>,
    marked: Vec<u32>,
}

impl Blocks {
    pub(crate) fn new(block: Vec<u32>, count: usize) -> Self {
        let mut elements: Vec<u32> = (0..block.len() as u32).collect();
        elements.sort_by_key(|&state| block[state as usize]);
        let mut place = vec![0; block.len()];
        let (mut first, mut past) = (vec![0; count], vec![0; count]);
        for (at, &state) in elements.iter().enumerate().rev() {
            place[state as usize] = at as u32;
            let b = block[state as usize] as usize;
            first[b] = at as u32;
            past[b] = past[b].max(at as u32 + 1);
        }
        Self { block, elements, place, first, past, marked: vec![0; count] }
    }

    pub(crate) fn of(&self, state: u32) -> u32 {
        self.block[state as usize]
    }

    pub(crate) fn range(&self, block: u32) -> std::ops::Range<u32> {
        self.first[block as usize]..self.past[block as usize]
    }

    pub(crate) fn members(&self, block: u32) -> &[u32] {
        let range = self.range(block);
        &self.elements[range.start as usize..range.end as usize]
    }

    /// Cuts every block into its members in `states` and the others. Returns the blocks of those in
    /// `states`, each with the new block, if it was cut, and the one that this was a part of. The
    /// smaller part is the new block.
    pub(crate) fn cut(&mut self, states: &[u32]) -> Vec<(u32, Option<(u32, u32)>)> {
        let mut touched = Vec::new();
        for &state in states {
            let block = self.block[state as usize] as usize;
            let (at, border) = (self.place[state as usize], self.first[block] + self.marked[block]);
            if at < border {
                continue;
            }
            let other = self.elements[border as usize];
            self.elements.swap(at as usize, border as usize);
            self.place[other as usize] = at;
            self.place[state as usize] = border;
            if self.marked[block] == 0 {
                touched.push(block as u32);
            }
            self.marked[block] += 1;
        }
        let cut = touched.into_iter().map(|block| {
            let b = block as usize;
            let border = self.first[b] + std::mem::take(&mut self.marked[b]);
            let (first, past) = (self.first[b], self.past[b]);
            if border == past {
                return (block, None);
            }
            let new = self.first.len() as u32;
            let marked_is_new = border - first <= past - border;
            let (from, to) = if marked_is_new { (first, border) } else { (border, past) };
            if marked_is_new {
                self.first[b] = border;
            } else {
                self.past[b] = border;
            }
            self.first.push(from);
            self.past.push(to);
            self.marked.push(0);
            for &state in &self.elements[from as usize..to as usize] {
                self.block[state as usize] = new;
            }
            (if marked_is_new { new } else { block }, Some((new, block)))
        });
        cut.collect()
    }
}
