//! All symmetries of a system in which no two states are strongly bisimilar.
//!
//! In such a system the images of the labels determine those of the states, and an equitable
//! partition that separates all labels separates all states. So the search individualises data and
//! labels only.

use crate::base::cancel::{Cancel, Limited};
use crate::base::csr::graph::Graph;
use crate::symmetry::automorphism_search::{Automorphisms, automorphisms};
use crate::symmetry::coloured_graph::{Incidence, Shape};

/// All symmetries of a system whose images of labels agree with the shape.
///
/// All states must be reachable and no two strongly bisimilar, and every label must occur.
/// Individualising more than `limit` nodes is a [`NoResult::Limit`](crate::base::cancel::NoResult).
pub fn symmetries(
    graph: &Graph,
    shape: &Shape,
    limit: u64,
    cancel: &Cancel,
) -> Limited<Automorphisms> {
    automorphisms(&Incidence::new(graph, shape), limit, cancel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::NoResult;

    /// Labels without arguments, all of one colour.
    fn plain(labels: usize) -> Shape {
        Shape {
            label_colours: vec![0; labels],
            arguments: vec![Vec::new(); labels],
            data_colours: Vec::new(),
        }
    }

    fn order(states: usize, labels: usize, transitions: &[(u32, u32, u32)], shape: &Shape) -> u64 {
        let graph = Graph::of_numbers(states, labels, None, transitions);
        let found = symmetries(&graph, shape, 1000, &Cancel::never()).expect("few choices");
        found.factors.iter().map(|&factor| u64::from(factor)).product()
    }

    #[test]
    fn loops_with_different_labels_are_all_alike() {
        let transitions: Vec<_> = (0..6).map(|a| (0, a, 0)).collect();
        assert_eq!(order(1, 6, &transitions, &plain(6)), 720);
    }

    #[test]
    fn a_ring_rotates() {
        // State 0 has a step to state i by label i, and label 5 leads from there to the next state.
        let ring = |i: u32| [(0, i, i + 1), (i + 1, 5, (i + 1) % 5 + 1), (i + 1, i, 0)];
        let transitions: Vec<_> = (0..5).flat_map(ring).collect();
        assert_eq!(order(6, 6, &transitions, &plain(6)), 5);
    }

    #[test]
    fn a_datum_has_one_image_wherever_it_stands() {
        // Labels 0 to 2 have the data 0 to 2, and so have labels 3 to 5; label 3 + i follows label
        // i.
        let transitions: Vec<_> = (0..3).flat_map(|i| [(0, i, i + 1), (i + 1, i + 3, 0)]).collect();
        let shape = |colours: [u32; 3]| Shape {
            label_colours: vec![0, 0, 0, 1, 1, 1],
            arguments: [0, 1, 2, 0, 1, 2].map(|d| vec![vec![d]]).to_vec(),
            data_colours: colours.to_vec(),
        };
        assert_eq!(order(4, 6, &transitions, &shape([0, 0, 0])), 6);
        assert_eq!(order(4, 6, &transitions, &shape([0, 1, 0])), 2);
    }

    #[test]
    fn the_order_of_actions_means_nothing() {
        // A loop for each pair of three data, and one for each pair of pairs.
        let transitions = |labels: usize| (0..labels as u32).map(|a| (0, a, 0)).collect::<Vec<_>>();
        let shape = |arguments: Vec<Vec<Vec<u32>>>, data_colours: Vec<u32>| Shape {
            label_colours: vec![0; arguments.len()],
            arguments,
            data_colours,
        };
        let pairs = [[0, 1], [0, 2], [1, 2]].map(|[d, e]| vec![vec![d], vec![e]]);
        assert_eq!(order(1, 3, &transitions(3), &shape(pairs.to_vec(), vec![0; 3])), 6);
        let lists = [[0, 1], [0, 2], [1, 2]].map(|row| vec![row.to_vec()]);
        assert_eq!(order(1, 3, &transitions(3), &shape(lists.to_vec(), vec![0; 3])), 1);
        // Exchanging only 0 and 1 does not map (0,2) with (1,3) to itself.
        let both = vec![vec![vec![0, 2], vec![1, 3]], vec![vec![2]]];
        assert_eq!(order(1, 2, &transitions(2), &shape(both, vec![0, 0, 1, 1])), 1);
        let both = vec![vec![vec![0, 2], vec![1, 3]], vec![vec![0]], vec![vec![1]]];
        assert_eq!(order(1, 3, &transitions(3), &shape(both, vec![0, 0, 1, 1])), 2);
    }

    #[test]
    fn the_limit_and_the_interrupt_stop_it() {
        let transitions: Vec<_> = (0..6).map(|a| (0, a, 0)).collect();
        let graph = Graph::of_numbers(1, 6, None, &transitions);
        assert_eq!(symmetries(&graph, &plain(6), 3, &Cancel::never()), Err(NoResult::Limit));
    }
}
