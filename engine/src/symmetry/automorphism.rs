//! Automorphisms by refinement and individualisation.
//!
//! The search works on the disjoint union of the system and its copy with permuted labels. Their
//! states are coloured by an equitable partition (see `paired_colours`). A state of a colour with
//! several states on each side is mapped to each candidate of the other side in turn (McKay,
//! Practical graph isomorphism, 1981).

use crate::base::cancel::{Cancel, Limited, NoResult};
use crate::base::csr::graph::Graph;
use crate::base::ids::Block;
use crate::symmetry::paired_colours::{Colours, Edges};

/// Searches for an isomorphism from a system to the system itself that maps label a to `names[a]`.
/// Returns the image of every state, or `None` if there is none. More than `limit` choices are a
/// [`NoResult::Limit`].
///
/// Images are preferred that close a cycle whose length divides `order`, so that powers of the
/// result become the identity early; if `order` is 0, there is no preference.
pub fn automorphism(
    graph: &Graph,
    names: &[u32],
    order: u32,
    limit: u64,
    cancel: &Cancel,
) -> Limited<Option<Vec<u32>>> {
    let edges = Edges::new(graph, graph, names);
    let mut choices: Vec<usize> = Vec::new();
    let mut work = 0u64;
    'attempt: loop {
        cancel.check()?;
        let mut colours = Colours::new(graph.states);
        let mut fits = colours.refine(&edges, &[Block(0)], cancel)?;
        if fits {
            fits = colours.individualise(&edges, graph.initial.0, graph.initial.0, cancel)?;
        }
        let mut depth = 0;
        let mut widths: Vec<usize> = Vec::new();
        let mut scan = 0;
        while fits {
            let Some(block) = colours.next_open(&mut scan) else {
                return Ok(Some(colours.images()));
            };
            let (state, candidates) = colours.candidates(block, order);
            if choices.len() == depth {
                choices.push(0);
            }
            widths.push(candidates.len());
            work += 1;
            if work > limit {
                return Err(NoResult::Limit);
            }
            fits = colours.individualise(&edges, state, candidates[choices[depth]], cancel)?;
            depth += 1;
        }
        // Backtrack to the last choice with an untried alternative.
        choices.truncate(depth);
        while let Some(choice) = choices.pop() {
            if choice + 1 < widths[choices.len()] {
                choices.push(choice + 1);
                continue 'attempt;
            }
        }
        return Ok(None);
    }
}
