//! Internal steps without end, among the orbits of a level.

use crate::orbit_exploration::refinement::product::Pairs;
use rustc_hash::FxHashMap;

impl Pairs<'_> {
    /// The orbits of this level from which internal steps go on without end, in the order of the queue.
    ///
    /// That is seen in the orbits: a cycle of them lifts to a path from a state s to g s, for some g,
    /// and on to g(g s) and so on; as g has finite order, it comes back to s. Internal steps
    /// never lead to a higher level, so that each cycle lies within one; and the first
    /// level with states that diverge has a cycle.
    pub fn endless(&self) -> Vec<u32> {
        let mut left: FxHashMap<u32, u32> = FxHashMap::default();
        let mut sources: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &(source, target) in &self.silent {
            *left.entry(source).or_default() += 1;
            sources.entry(target).or_default().push(source);
        }
        // What has no such step, or only to what was found to end, ends.
        let mut ending: Vec<u32> =
            sources.keys().copied().filter(|orbit| !left.contains_key(orbit)).collect();
        while let Some(orbit) = ending.pop() {
            for &source in sources.get(&orbit).into_iter().flatten() {
                let count = left.get_mut(&source).expect("it has a step");
                *count -= 1;
                if *count == 0 {
                    ending.push(source);
                }
            }
        }
        let goes_on = |orbit: &u32| left.get(orbit).is_some_and(|&count| count > 0);
        self.queue[self.begin..].iter().copied().filter(goes_on).collect()
    }

    /// The internal steps between orbits of this level.
    pub fn silent(&self) -> &[(u32, u32)] {
        &self.silent
    }
}
