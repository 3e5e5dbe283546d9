//! All automorphisms of an incidence graph.
//!
//! The images of some nodes, the base, determine those of all others. The first branch of the
//! search individualises such nodes, until a partition has each in a block of its own. Then the
//! search goes back up: at each level it looks for other nodes that the individualised one can be
//! mapped to while those of the levels above are fixed, and finds one automorphism for each orbit
//! of those known so far. These generate the group, and its order is the product of the sizes of
//! the orbits (Sims, Computation with permutation groups, 1971; McKay and Piperno, Practical graph
//! isomorphism II, 2014).

use crate::base::cancel::{Cancel, Limited, NoResult};
use crate::base::disjoint_sets::DisjointSets;
use crate::base::ids::{Block, Id};
use crate::symmetry::equitable_partition::{
    EquitablePartition, Follow, IncidenceGraph, Refined, Trace,
};
use std::ops::Range;

/// The most images of nodes that generators may have together.
const MOST_IMAGES: usize = 1 << 27;

/// The group of automorphisms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automorphisms {
    /// For each generator the images of the nodes of [`Searchable::shown`], counted from the first.
    pub generators: Vec<Vec<u32>>,
    /// Numbers whose product is the order of the group.
    pub factors: Vec<u32>,
}

/// An incidence graph with nodes whose images determine those of all others.
pub trait Searchable: IncidenceGraph {
    /// The nodes that may be individualised: those of the last range only if the partition
    /// separates all before. An equitable partition that separates all of these separates all
    /// nodes.
    fn base(&self) -> Vec<Range<u32>>;

    /// Nodes that have distinct images under a map that is tested, with those of the base.
    fn others(&self) -> Range<u32>;

    /// The nodes of the base whose images are shown.
    fn shown(&self) -> Range<u32>;

    /// Whether `image`, an injection of the nodes of the base and the `others`, is an automorphism.
    fn is_automorphism(&self, image: impl Fn(u32) -> u32) -> bool;
}

/// All automorphisms. Individualising more than `limit` nodes is a [`NoResult::Limit`].
pub fn automorphisms<G: Searchable>(
    graph: &G,
    limit: u64,
    cancel: &Cancel,
) -> Limited<Automorphisms> {
    let mut search = AutomorphismSearch {
        partition: EquitablePartition::new(&graph.colours()),
        base: graph.base(),
        leaf: Vec::new(),
        owner: Vec::new(),
        levels: Vec::new(),
        left: limit,
        graph,
    };
    search.run(cancel)
}

struct AutomorphismSearch<'a, G> {
    graph: &'a G,
    partition: EquitablePartition,
    base: Vec<Range<u32>>,
    /// At the end of the first branch, the block of every node, and the node of every block.
    leaf: Vec<Block>,
    owner: Vec<u32>,
    levels: Vec<Level>,
    left: u64,
}

/// A node that the first branch individualises.
struct Level {
    node: u32,
    /// Its block before, and the number of blocks then.
    block: Block,
    blocks: usize,
    trace: Trace,
    /// The size of its orbit under the automorphisms that fix the nodes of the levels above.
    orbit: usize,
}

impl<G: Searchable> AutomorphismSearch<'_, G> {
    fn run(&mut self, cancel: &Cancel) -> Limited<Automorphisms> {
        self.partition.refine_all(self.graph, cancel)?;
        while let Some(block) = self.target() {
            let node = *self.partition.members(block).iter().min().expect("not empty");
            let blocks = self.partition.blocks();
            let mut trace = Trace::default();
            self.choose(cancel)?;
            let follow = Follow::Record(&mut trace);
            self.partition.individualise(self.graph, node, follow, cancel)?;
            self.levels.push(Level { node, block, blocks, trace, orbit: 1 });
        }
        let blocks = (0..u32::at(self.partition.blocks())).map(Block);
        self.owner = blocks.map(|block| self.partition.members(block)[0]).collect();
        self.leaf =
            (0..u32::at(self.graph.nodes())).map(|node| self.partition.block(node)).collect();
        let mut orbits = DisjointSets::new(self.graph.nodes());
        let mut generators = Vec::new();
        for depth in (0..self.levels.len()).rev() {
            self.partition.undo(self.levels[depth].blocks);
            let Level { node, block, .. } = self.levels[depth];
            let mut cell = self.partition.members(block).to_vec();
            cell.sort_unstable();
            let mut failed: Vec<u32> = Vec::new();
            for &image in &cell {
                let orbit = orbits.least(image);
                if orbit == orbits.least(node) || failed.iter().any(|&f| orbits.least(f) == orbit) {
                    continue;
                }
                if self.extend(depth, image, cancel)? {
                    for node in self.base.iter().flat_map(Range::clone) {
                        orbits.join(node, self.image(node));
                    }
                    let shown = self.graph.shown();
                    if (generators.len() + 1) * shown.len() > MOST_IMAGES {
                        return Err(NoResult::Limit);
                    }
                    let images = shown.clone().map(|node| self.image(node) - shown.start);
                    generators.push(images.collect());
                } else {
                    failed.push(image);
                }
                self.partition.undo(self.levels[depth].blocks);
            }
            let own = orbits.least(node);
            self.levels[depth].orbit = cell.iter().filter(|&&n| orbits.least(n) == own).count();
        }
        let factors = self.levels.iter().map(|level| u32::at(level.orbit)).collect();
        Ok(Automorphisms { generators, factors })
    }

    /// Counts a node that is individualised, and checks for cancellation, as the refinement that
    /// follows may visit all nodes.
    fn choose(&mut self, cancel: &Cancel) -> Limited<()> {
        cancel.check()?;
        self.left = self.left.checked_sub(1).ok_or(NoResult::Limit)?;
        Ok(())
    }

    /// A largest block of several nodes of the first range of the base that has one.
    fn target(&self) -> Option<Block> {
        let size = |block: Block| self.partition.members(block).len();
        self.base.iter().find_map(|nodes| {
            let blocks = nodes.clone().map(|node| self.partition.block(node));
            let open = blocks.filter(|&block| size(block) > 1);
            open.max_by_key(|&block| (size(block), std::cmp::Reverse(block)))
        })
    }

    /// Whether there is an automorphism that fixes the nodes of the levels above `depth` and maps the
    /// node of `depth` to `image`; if so, it is [`AutomorphismSearch::image`].
    ///
    /// If the node of a level of the first branch has an orbit of several nodes, then either no
    /// candidate succeeds, or at least as many as the orbit has nodes. So none succeeds if all
    /// candidates fail except for a set with fewer nodes than the orbit, which need not be tried.
    fn extend(&mut self, depth: usize, image: u32, cancel: &Cancel) -> Limited<bool> {
        let mut open = vec![vec![image]];
        while !open.is_empty() {
            let level = depth + open.len() - 1;
            let Some(image) = open[level - depth].pop() else {
                open.pop();
                continue;
            };
            self.choose(cancel)?;
            let graph = self.graph;
            let Self { partition, levels, .. } = self;
            partition.undo(levels[level].blocks);
            let follow = Follow::Compare(&levels[level].trace);
            if partition.individualise(graph, image, follow, cancel)? == Refined::Differs {
                continue;
            }
            if self.is_automorphism() {
                return Ok(true);
            }
            if let Some(next) = self.levels.get(level + 1) {
                let cell = self.partition.members(next.block).to_vec();
                open.push(self.in_order(next, cell));
            }
        }
        Ok(false)
    }

    /// The nodes of a block that are to be tried, the last one first. A node is preferred that is
    /// fixed or closes a cycle of known images.
    fn in_order(&self, level: &Level, mut cell: Vec<u32>) -> Vec<u32> {
        let mut best = level.node;
        while self.alone(self.partition.block(best)).is_some() {
            // Go back to the node that is mapped to it.
            best = self.owner[self.partition.block(best)];
            if best == level.node {
                break;
            }
        }
        cell.sort_unstable_by_key(|&node| (node != best, node));
        cell.truncate(cell.len() + 1 - level.orbit.min(cell.len()));
        cell.reverse();
        cell
    }

    /// The only node of a block, if the block exists and has one node.
    fn alone(&self, block: Block) -> Option<u32> {
        match (block.index() < self.partition.blocks()).then(|| self.partition.members(block)) {
            Some(&[node]) => Some(node),
            _ => None,
        }
    }

    /// The image of a node under the map given by the partition: a node that was alone in a block
    /// at the end of the first branch is mapped to the node there now; others are fixed.
    fn image(&self, node: u32) -> u32 {
        self.alone(self.leaf[node as usize]).unwrap_or(node)
    }

    /// Whether the map given by the partition is an automorphism.
    fn is_automorphism(&self) -> bool {
        // A fixed node must not be alone in its block, as otherwise another node is mapped to it.
        let distinct = |node: u32| {
            self.alone(self.leaf[node as usize]).is_some()
                || self.alone(self.partition.block(node)).is_none()
        };
        self.base.iter().flat_map(Range::clone).chain(self.graph.others()).all(distinct)
            && self.graph.is_automorphism(|node| self.image(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::csr::graph::Graph;
    use crate::symmetry::coloured_graph::{Incidence, Shape};

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
        let group = automorphisms(&Incidence::new(&graph, shape), 1000, &Cancel::never())
            .expect("few choices");
        group.factors.iter().map(|&factor| u64::from(factor)).product()
    }

    #[test]
    fn loops_with_different_labels_are_interchangeable() {
        let transitions: Vec<_> = (0..6).map(|a| (0, a, 0)).collect();
        assert_eq!(order(1, 6, &transitions, &plain(6)), 720);
    }

    #[test]
    fn the_group_of_a_ring_is_cyclic() {
        // State 0 has a step to state i by label i, and label 5 leads from there to the next state.
        let ring = |i: u32| [(0, i, i + 1), (i + 1, 5, (i + 1) % 5 + 1), (i + 1, i, 0)];
        let transitions: Vec<_> = (0..5).flat_map(ring).collect();
        assert_eq!(order(6, 6, &transitions, &plain(6)), 5);
    }

    #[test]
    fn a_datum_has_one_image_in_all_labels() {
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
    fn the_order_of_actions_is_irrelevant() {
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
    fn the_limit_and_an_interrupt_end_the_search() {
        let transitions: Vec<_> = (0..6).map(|a| (0, a, 0)).collect();
        let graph = Graph::of_numbers(1, 6, None, &transitions);
        let shape = plain(6);
        let incidence = Incidence::new(&graph, &shape);
        assert_eq!(automorphisms(&incidence, 3, &Cancel::never()), Err(NoResult::Limit));
    }
}
