//! Divergence among the orbits of a level.

use crate::orbits::refinement::product::Pairs;
use rustc_hash::FxHashMap;

impl Pairs<'_> {
    /// The orbits of this level with an infinite run of internal steps, in the order of the queue.
    ///
    /// This is decided on the orbits: a cycle of orbits lifts to a path from a state s to g s, for
    /// some g, then to g(g s) and so on; as g has finite order, the path returns to s. Internal
    /// steps stay in a level or lead back to an earlier one, so each cycle lies within one level;
    /// and the first level with divergent states has a cycle.
    pub fn endless(&self) -> Vec<u32> {
        let mut left: FxHashMap<u32, u32> = FxHashMap::default();
        let mut sources: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &(source, target) in &self.silent {
            *left.entry(source).or_default() += 1;
            sources.entry(target).or_default().push(source);
        }
        // Orbits without internal steps, or only to such orbits, do not diverge.
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
