//! The transitions of a partition, by source. They take most of the memory and have few labels, so
//! labels take as few bytes as possible.

use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::memory;
use crate::base::spill::Transfer;
use std::io::Result;
use std::ops::Range;

/// Transitions (label, target), sorted by source.
///
/// Invariant: the transitions of node `n` are `starts[n]..starts[n + 1]`.
#[derive(Default)]
pub struct Graph {
    pub starts: Vec<u32>,
    label: Labels,
    target: Vec<u32>,
}

/// A column of labels of one, two or four bytes.
enum Labels {
    OneByte(Vec<u8>),
    TwoBytes(Vec<u16>),
    FourBytes(Vec<u32>),
}

impl Default for Labels {
    fn default() -> Self {
        Self::OneByte(Vec::new())
    }
}

impl Labels {
    #[inline]
    fn get(&self, transition: usize) -> u32 {
        match self {
            Self::OneByte(column) => column[transition].into(),
            Self::TwoBytes(column) => column[transition].into(),
            Self::FourBytes(column) => column[transition],
        }
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the column was chosen by the number of labels"
    )]
    fn set(&mut self, transition: usize, label: u32) {
        match self {
            Self::OneByte(column) => column[transition] = label as u8,
            Self::TwoBytes(column) => column[transition] = label as u16,
            Self::FourBytes(column) => column[transition] = label,
        }
    }
}

/// The bytes of a label, for labels up to and including `kinds`.
pub fn label_bytes(kinds: u32) -> usize {
    match kinds {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

impl Graph {
    /// A graph with space for this number of transitions, given where those of each node start and
    /// the bytes of a label.
    pub fn new(starts: Vec<u32>, transitions: usize, label_bytes: usize) -> Self {
        let label = match label_bytes {
            1 => Labels::OneByte(memory::zeroes(transitions)),
            2 => Labels::TwoBytes(memory::zeroes(transitions)),
            _ => Labels::FourBytes(memory::zeroes(transitions)),
        };
        Self { starts, label, target: memory::zeroes(transitions) }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// A transition by its index.
    #[inline]
    pub fn transition(&self, transition: usize) -> (Label, State) {
        (Label(self.label.get(transition)), State(self.target[transition]))
    }

    /// Replaces the transition at an index.
    #[inline]
    pub fn set(&mut self, transition: usize, (label, target): (u32, u32)) {
        self.label.set(transition, label);
        self.target[transition] = target;
    }

    /// The indices of the transitions of a node.
    #[inline]
    pub fn range(&self, node: u32) -> Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    /// The labels and targets of a node's transitions.
    #[inline]
    pub fn steps(&self, node: u32) -> impl ExactSizeIterator<Item = (Label, State)> {
        self.range(node).map(|transition| self.transition(transition))
    }

    /// The labels and targets of all transitions.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (Label, State)> {
        (0..self.target.len()).map(|transition| self.transition(transition))
    }

    /// Removes duplicate transitions of each node that satisfies `is_one` and has at most `most`
    /// transitions.
    pub fn drop_repeated(&mut self, most: usize, is_one: impl Fn(u32) -> bool) {
        let (mut end, mut first) = (0, 0);
        let mut own = Vec::new();
        for node in 0..u32::at(self.nodes()) {
            // Transitions are moved to the front, so none is overwritten before it is read.
            let last = self.starts[node as usize + 1] as usize;
            let transitions = first..last;
            first = last;
            self.starts[node as usize] = u32::at(end);
            if transitions.len() <= most && is_one(node) {
                own.clear();
                own.extend(transitions.map(|transition| self.transition(transition)));
                own.sort_unstable();
                own.dedup();
                for &(label, target) in &own {
                    self.set(end, (label.0, target.0));
                    end += 1;
                }
            } else {
                for transition in transitions {
                    let (label, target) = self.transition(transition);
                    self.set(end, (label.0, target.0));
                    end += 1;
                }
            }
        }
        *self.starts.last_mut().expect("one at least") = u32::at(end);
        match &mut self.label {
            Labels::OneByte(column) => column.truncate(end),
            Labels::TwoBytes(column) => column.truncate(end),
            Labels::FourBytes(column) => column.truncate(end),
        }
        self.target.truncate(end);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let labels = match &self.label {
            Labels::OneByte(column) => column.len(),
            Labels::TwoBytes(column) => 2 * column.len(),
            Labels::FourBytes(column) => 4 * column.len(),
        };
        labels + 4 * (self.starts.len() + self.target.len())
    }

    /// Visits all arrays, to spill them or read them back; they never change.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        transfer.changing(false, &mut self.starts)?;
        match &mut self.label {
            Labels::OneByte(column) => transfer.changing(false, column)?,
            Labels::TwoBytes(column) => transfer.changing(false, column)?,
            Labels::FourBytes(column) => transfer.changing(false, column)?,
        }
        transfer.changing(false, &mut self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn stored_transitions_are_read_back(
            transitions in prop::collection::vec(prop::collection::vec((0u32..4, 0u32..4), 0..8), 1..9),
            kinds in prop::sample::select(vec![4, 0xff, 0x100, 0xffff, 0x1_0000, u32::MAX - 1]),
            several in prop::collection::vec(any::<bool>(), 9),
        ) {
            // Also with large labels.
            let label = |label: u32| if label == 3 { kinds } else { label };
            let mut starts = vec![0];
            starts.extend(transitions.iter().scan(0, |sum, own| {
                *sum += own.len() as u32;
                Some(*sum)
            }));
            let count = transitions.iter().map(Vec::len).sum();
            let mut graph = Graph::new(starts, count, label_bytes(kinds));
            for (at, &(own, target)) in transitions.iter().flatten().enumerate() {
                graph.set(at, (label(own), target));
            }
            let shown = |graph: &Graph, node: usize| -> Vec<(u32, u32)> {
                graph.steps(node as u32).map(|(label, target)| (label.0, target.0)).collect()
            };
            let expected: Vec<Vec<(u32, u32)>> = (transitions.iter())
                .map(|own| own.iter().map(|&(own, target)| (label(own), target)).collect())
                .collect();
            for (node, own) in expected.iter().enumerate() {
                prop_assert_eq!(&shown(&graph, node), own);
            }
            graph.drop_repeated(5, |node| several[node as usize]);
            for (node, own) in expected.iter().enumerate() {
                let mut own = own.clone();
                if several[node] && own.len() <= 5 {
                    own.sort_unstable();
                    own.dedup();
                }
                prop_assert_eq!(shown(&graph, node), own);
            }
            let all: usize = (0..transitions.len() as u32).map(|node| graph.steps(node).len()).sum();
            prop_assert_eq!(graph.all().len(), all);
        }
    }
}
