//! Place/transition nets, and an order of their places in which diagrams are small.

use crate::base::ids::Id;

/// A transition: places in ascending order, each with the tokens that it takes and then puts.
#[derive(Clone, Debug, Default)]
pub struct Event {
    pub changes: Vec<Change>,
}

/// What a transition does to a place.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub place: u32,
    pub takes: u32,
    pub puts: u32,
}

/// A net with its initial marking.
#[derive(Clone, Debug, Default)]
pub struct Net {
    pub initial: Vec<u32>,
    pub events: Vec<Event>,
}

/// The most rounds in which places are moved.
const ROUNDS: usize = 200;

impl Net {
    /// An order of the places in which those of each transition are close to each other: the
    /// positions of places, from 0 at the bottom.
    ///
    /// Places are moved to the mean of the centres of their transitions until the order stays the
    /// same, at most [`ROUNDS`] times (Aloul, Markov, Sakallah: FORCE, a fast and easy-to-implement
    /// variable-ordering heuristic, 2003). The result is the best order reached from `start`.
    pub fn improved(&self, start: &[u32]) -> Vec<u32> {
        let mut positions = start.to_vec();
        let mut best = (self.span(start), start.to_vec());
        for _ in 0..ROUNDS {
            let next = self.moved(&positions);
            if next == positions {
                break;
            }
            positions = next;
            let span = self.span(&positions);
            if span < best.0 {
                best = (span, positions.clone());
            }
        }
        best.1
    }

    /// The sum of the distances between the first and the last place of each transition.
    fn span(&self, positions: &[u32]) -> u64 {
        let span = |event: &Event| {
            let at = || event.changes.iter().map(|change| positions[change.place as usize]);
            u64::from(at().max().unwrap_or(0) - at().min().unwrap_or(0))
        };
        self.events.iter().map(span).sum()
    }

    fn moved(&self, positions: &[u32]) -> Vec<u32> {
        let mut sums = vec![(0.0, 0u32); positions.len()];
        for event in &self.events {
            let at = event.changes.iter().map(|change| f64::from(positions[change.place as usize]));
            let centre = at.sum::<f64>() / event.changes.len().max(1) as f64;
            for change in &event.changes {
                let (sum, count) = &mut sums[change.place as usize];
                *sum += centre;
                *count += 1;
            }
        }
        let mean = |place: usize| match sums[place] {
            (_, 0) => f64::from(positions[place]),
            (sum, count) => sum / f64::from(count),
        };
        let mut order: Vec<usize> = (0..positions.len()).collect();
        order.sort_by(|&left, &right| {
            let both = mean(left).total_cmp(&mean(right));
            both.then(positions[left].cmp(&positions[right]))
        });
        let mut moved = vec![0; positions.len()];
        for (at, place) in order.into_iter().enumerate() {
            moved[place] = u32::at(at);
        }
        moved
    }

    /// The net with its places numbered by their positions.
    pub fn renumbered(&self, positions: &[u32]) -> Self {
        let mut initial = vec![0; self.initial.len()];
        for (place, &tokens) in self.initial.iter().enumerate() {
            initial[positions[place] as usize] = tokens;
        }
        let moved = |event: &Event| {
            let to =
                |change: &Change| Change { place: positions[change.place as usize], ..*change };
            let mut changes: Vec<Change> = event.changes.iter().map(to).collect();
            changes.sort_unstable_by_key(|change| change.place);
            Event { changes }
        };
        Self { initial, events: self.events.iter().map(moved).collect() }
    }
}
