//! Transitions by their target.

use crate::base::csr::lists::Graph;

/// Transitions by target, as (label, source), sorted for every state.
pub struct Incoming {
    starts: Vec<usize>,
    steps: Vec<(u32, u32)>,
}

impl Incoming {
    /// Of a graph.
    pub fn new(graph: &Graph) -> Self {
        let mut starts = vec![0; graph.states + 1];
        for &target in &graph.target {
            starts[target as usize + 1] += 1;
        }
        for s in 0..graph.states {
            starts[s + 1] += starts[s];
        }
        let mut next = starts.clone();
        let mut steps = vec![(0, 0); graph.target.len()];
        for source in 0..graph.states as u32 {
            for (label, target) in graph.steps(source) {
                steps[next[target as usize]] = (label, source);
                next[target as usize] += 1;
            }
        }
        for state in 0..graph.states {
            steps[starts[state]..starts[state + 1]].sort_unstable();
        }
        Self { starts, steps }
    }

    /// The transitions to a state.
    pub fn of(&self, state: u32) -> &[(u32, u32)] {
        &self.steps[self.starts[state as usize]..self.starts[state as usize + 1]]
    }

    /// Those with a label.
    pub fn with_label(&self, state: u32, label: u32) -> &[(u32, u32)] {
        let steps = self.of(state);
        let from = steps.partition_point(|&(a, _)| a < label);
        let past = steps.partition_point(|&(a, _)| a <= label);
        &steps[from..past]
    }

    /// The labels of the transitions to some of these states, sorted.
    pub fn labels_into(&self, states: &[u32]) -> Vec<u32> {
        let mut labels: Vec<u32> = Vec::new();
        for &state in states {
            labels.extend(self.of(state).chunk_by(|x, y| x.0 == y.0).map(|group| group[0].0));
        }
        labels.sort_unstable();
        labels.dedup();
        labels
    }
}
