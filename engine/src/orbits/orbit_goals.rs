//! Search for deadlocks and actions in the orbits of states.
//!
//! A group that fixes the initial state maps shortest traces to shortest traces. So an orbit
//! represents all its states here, too: a label is reachable if an image of it is reachable from a
//! representative, and the trace that is shown is one of the system itself.

use crate::base::ids::Label;
use crate::base::paths::path_to;
use crate::process::goals::Query;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::lifting::symmetry::Generator;
use rustc_hash::FxHashSet;

/// A goal that was found: an orbit of deadlocks, or the first step with a label of one orbit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    pub orbit: u32,
    /// The key of the requested label; the step of the representative may have an image of it.
    pub label: Option<u32>,
}

/// The most images of one label that are visited.
const MOST_LABELS: usize = 1 << 16;

/// The goals found so far, and the predecessor of each orbit.
pub struct OrbitSearch {
    query: Query,
    pub goals: Vec<Goal>,
    /// The number of goals that are certainly of different orbits.
    different: usize,
    parents: Vec<u32>,
    /// The label keys, with their images, of which it was decided whether they are requested.
    decided: FxHashSet<u32>,
}

impl OrbitSearch {
    /// A search without results; the initial orbit is number 0.
    pub fn new(query: Query) -> Self {
        let (goals, parents, decided) = (Vec::new(), vec![0], FxHashSet::default());
        Self { query, goals, different: 0, parents, decided }
    }

    /// Records the predecessor of an orbit, if it is new.
    pub fn visit(&mut self, orbit: u32, parent: u32) {
        if orbit as usize == self.parents.len() {
            self.parents.push(parent);
        }
    }

    /// Records that the states of an orbit are deadlocks; returns true if that is enough. Unless it
    /// `is_exact`, the orbit may equal another one.
    pub fn deadlock(&mut self, orbit: u32, is_exact: bool) -> bool {
        self.query.deadlocks && self.goal(Goal { orbit, label: None }, is_exact)
    }

    /// Records a step; returns true if that is enough. `is_goal` is called with the label and its
    /// images.
    pub fn step(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        orbit: u32,
        label: u32,
        is_goal: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<bool, Stop> {
        if !self.query.actions || self.decided.contains(&label) {
            return Ok(false);
        }
        let mut images = vec![label];
        let mut known: FxHashSet<u32> = images.iter().copied().collect();
        let mut at = 0;
        while at < images.len() && images.len() <= MOST_LABELS {
            for generator in &mut *generators {
                let image = generator.lifting.label(process, images[at])?;
                if known.insert(image) {
                    images.push(image);
                }
            }
            at += 1;
        }
        self.decided.extend(&images);
        let labels = &process.labels;
        let text = |key: u32| labels.labels.get(Label(labels.texts[key as usize]));
        let goal = images.into_iter().find(|&key| is_goal(text(key)));
        Ok(goal.is_some() && self.goal(Goal { orbit, label: goal }, true))
    }

    fn goal(&mut self, goal: Goal, is_different: bool) -> bool {
        self.goals.push(goal);
        self.different += usize::from(is_different);
        self.query.enough.is_some_and(|enough| is_different && self.different >= enough)
    }

    /// The orbits on a shortest path to an orbit, the initial one first.
    pub fn path(&self, orbit: u32) -> Vec<u32> {
        let last = |at| (at != 0).then(|| (self.parents[at as usize], at));
        [vec![0], path_to(orbit, last)].concat()
    }
}
