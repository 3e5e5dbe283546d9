//! Networks: a summand whose local steps are given by synchronisation vectors rather than terms.
//!
//! A network consists of components and synchronisation vectors (Arnold, Nivat: Comportements de
//! processus, 1982; Lang: Exp.Open 2.0, IFM 2005). A vector says which labels of which components
//! synchronise, and the label of the resulting step. The vectors of the same components form one
//! summand. Its parameters are the components. The value of a component is the number of its state,
//! which is not a term and is never rewritten; where a group acts on the network ([`Points`]), it
//! is a constant.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::grouped::Grouped;
use crate::base::ids::Id;
use crate::base::lts::Lts;
use crate::data::terms::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The root of the tree of vectors.
const ROOT: u32 = 0;

/// The steps of a component by source: label and target.
pub type Moves = Grouped<u32, (u32, u32)>;

/// The steps of a component, each once, in the order of the LTS.
pub fn moves(component: &Lts) -> Moves {
    let steps = component.label.iter().zip(component.target.iter());
    let steps = component.source.iter().zip(steps);
    let mut seen = FxHashSet::default();
    let moves: Vec<(u32, (u32, u32))> = steps
        .map(|(&source, (&label, &target))| (source.0, (label.0, target.0)))
        .filter(|&(source, (label, target))| seen.insert((source, label, target)))
        .collect();
    Grouped::new(component.states as usize, moves.iter().copied())
}

/// The states of components and the labels as constants, so that permutations act on them as on
/// other values.
#[derive(Clone)]
pub struct Points {
    /// For every component the constant of its state 0; its other states have the following
    /// numbers.
    pub states: Arc<[Term]>,
    /// For every resulting label its constant.
    pub labels: Arc<[Term]>,
}

/// The synchronisation vectors of some components.
///
/// The vectors form a tree with one level for each component: `next` maps a node and a label to the
/// next node; the nodes of the last level have the resulting labels.
pub struct Synchronisation {
    /// The components, in ascending order.
    pub components: Vec<u32>,
    moves: Vec<Arc<Moves>>,
    next: FxHashMap<(u32, u32), u32>,
    results: Vec<Vec<u32>>,
    /// For each component and each of its states, whether it has a step with a label of some
    /// vector.
    takes: Vec<Vec<bool>>,
    /// For each component the value that represents its state 0.
    first: Vec<Term>,
    /// The constants of the resulting labels, if they have any.
    pub labels: Option<Arc<[Term]>>,
}

impl Synchronisation {
    /// The vectors of `components`, whose steps are `moves`. Each vector has a label for every
    /// component and then the resulting label.
    pub fn new(
        components: Vec<u32>,
        moves: Vec<Arc<Moves>>,
        vectors: &[u32],
        points: Option<&Points>,
    ) -> Self {
        let width = components.len();
        let first = match points {
            Some(points) => components.iter().map(|&c| points.states[c as usize]).collect(),
            None => vec![0; width],
        };
        let named = points.map(|points| Arc::clone(&points.labels));
        let (mut next, mut results) = (FxHashMap::default(), vec![Vec::new()]);
        let mut labels = vec![FxHashSet::default(); width];
        for vector in vectors.chunks_exact(width + 1) {
            let mut node = ROOT;
            for (known, &label) in labels.iter_mut().zip(vector) {
                known.insert(label);
                node = *next.entry((node, label)).or_insert_with(|| {
                    results.push(Vec::new());
                    u32::at(results.len()) - 1
                });
            }
            let results = &mut results[node as usize];
            if !results.contains(&vector[width]) {
                results.push(vector[width]);
            }
        }
        let takes = (moves.iter().zip(&labels))
            .map(|(moves, labels)| {
                let some = |state| moves.of(state).iter().any(|(label, _)| labels.contains(label));
                (0..u32::at(moves.groups())).map(some).collect()
            })
            .collect();
        Self { components, moves, next, results, takes, first, labels: named }
    }

    /// Whether the `k`th component has a step for some vector in a state.
    pub fn takes(&self, k: usize, state: Term) -> bool {
        self.takes[k][(state - self.first[k]) as usize]
    }

    /// The component with the smallest share of states that have a step for some vector.
    pub fn most_selective(&self) -> usize {
        let share = |k: usize| {
            let takes = &self.takes[k];
            takes.iter().filter(|&&takes| takes).count() as f64 / takes.len().max(1) as f64
        };
        (0..self.components.len())
            .min_by(|&left, &right| share(left).total_cmp(&share(right)))
            .expect("a vector has a component")
    }

    /// Calls `step` with the resulting label and the new states of the components for all steps
    /// from `given`, the states of all components.
    pub fn steps(
        &self,
        given: &[Term],
        cancel: &Cancel,
        mut step: impl FnMut(u32, &[u32]),
    ) -> Result<()> {
        // Many choices of the first components may lead to no step, for want of one of the last.
        let mut unchecked = 0;
        let width = self.components.len();
        // For each component visited so far the remaining steps, and the tree node where they
        // start.
        let mut targets = Vec::with_capacity(width);
        let mut left: Vec<(&[(u32, u32)], u32)> = Vec::with_capacity(width);
        let of = |k: usize| self.moves[k].of(given[self.components[k] as usize] - self.first[k]);
        left.push((of(0), ROOT));
        while let Some((rest, node)) = left.last_mut() {
            cancel.check_every(&mut unchecked, 1)?;
            let Some((&(label, target), others)) = rest.split_first() else {
                left.pop();
                targets.pop();
                continue;
            };
            *rest = others;
            let Some(&reached) = self.next.get(&(*node, label)) else { continue };
            targets.push(target + self.first[targets.len()]);
            if left.len() < width {
                left.push((of(left.len()), reached));
                continue;
            }
            for &result in &self.results[reached as usize] {
                step(result, &targets);
            }
            targets.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_of(steps: &[(u32, u32, u32)]) -> Arc<Moves> {
        Arc::new(Grouped::new(3, steps.iter().map(|&(s, a, t)| (s, (a, t)))))
    }

    fn all(together: &Synchronisation, given: &[Term]) -> Vec<(u32, Vec<u32>)> {
        let mut steps = Vec::new();
        let add = |result, targets: &[u32]| steps.push((result, targets.to_vec()));
        together.steps(given, &Cancel::never(), add).unwrap();
        steps
    }

    #[test]
    fn components_step_together() {
        let left = moves_of(&[(0, 7, 1), (0, 7, 2), (0, 8, 0)]);
        let right = moves_of(&[(1, 5, 2), (1, 6, 0)]);
        let vectors = [7, 5, 100, 8, 6, 101, 7, 5, 100, 7, 5, 102];
        let together = Synchronisation::new(vec![0, 2], vec![left, right], &vectors, None);
        let steps = all(&together, &[0, 9, 1]);
        let expected = [(100, vec![1, 2]), (102, vec![1, 2]), (100, vec![2, 2]), (102, vec![2, 2])];
        assert_eq!(steps[..4], expected);
        assert_eq!(steps[4..], [(101, vec![0, 0])]);
        assert!(all(&together, &[1, 9, 1]).is_empty());
        assert!(together.takes(0, 0) && !together.takes(0, 1));
    }

    #[test]
    fn many_choices_without_a_step_can_be_stopped() {
        const WIDTH: u32 = 40;
        let two = moves_of(&[(0, 7, 1), (0, 7, 2)]);
        let other = moves_of(&[(0, 8, 0), (1, 7, 0)]);
        let moves = (1..WIDTH).map(|_| Arc::clone(&two)).chain([other]).collect();
        let vector = [vec![7; WIDTH as usize], vec![100]].concat();
        let together = Synchronisation::new((0..WIDTH).collect(), moves, &vector, None);
        let given = [0; WIDTH as usize];
        let none = |_, _: &[u32]| unreachable!("the last component does not take part");
        assert!(together.steps(&given, &Cancel::after(3), none).is_err());
    }
}
