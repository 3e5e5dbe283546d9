//! The reachable markings of a net, by saturation (Ciardo, Luettgen, Siminiceanu: Saturation, an
//! efficient iteration strategy for symbolic state-space generation, TACAS 2001).
//!
//! A transition belongs to its topmost place. A node is *saturated* if it contains, with every
//! marking, those that transitions of its place and of the places below lead to. The nodes of the
//! initial marking are saturated from the bottom to the top; a node below a transition's place that
//! results from firing the transition is saturated at once. So transitions of few neighbouring
//! places are applied to few nodes.

use crate::base::cancel::{Cancel, Limited, NoResult};
use crate::base::ids::Id;
use crate::diagrams::net::{Change, Net};
use crate::diagrams::nodes::{DiagramNodes, EMPTY, END, Edge, Node};
use rustc_hash::FxHashMap;

/// The reachable markings of a net, whose places are numbered from the bottom.
pub struct Reachable {
    pub(crate) net: Net,
    pub(crate) nodes: DiagramNodes,
    pub(crate) root: Node,
}

/// The most places: nodes are visited by recursion.
pub const MOST_PLACES: usize = 20_000;

/// The reachable markings of a net. With more than `most` nodes and entries of tables the error is
/// [`NoResult::Limit`].
pub fn reachable(net: Net, most: usize, cancel: &Cancel) -> Limited<Reachable> {
    if net.initial.len() > MOST_PLACES {
        return Err(NoResult::Limit);
    }
    let mut owned = vec![Vec::new(); net.initial.len()];
    for (number, event) in net.events.iter().enumerate() {
        // A transition that changes nothing leads to no other marking.
        if event.changes.iter().any(|change| change.takes != change.puts)
            && let Some(top) = event.changes.last()
        {
            owned[top.place as usize].push(u32::at(number));
        }
    }
    let mut work = Saturation {
        net: &net,
        owned,
        nodes: DiagramNodes::new(most, cancel),
        fired: FxHashMap::default(),
    };
    let mut root = END;
    for place in 0..net.initial.len() {
        root = work.saturated(place, vec![(net.initial[place], root)])?;
    }
    let nodes = work.nodes;
    Ok(Reachable { net, nodes, root })
}

struct Saturation<'a> {
    net: &'a Net,
    /// For each place the transitions whose topmost place it is.
    owned: Vec<Vec<u32>>,
    nodes: DiagramNodes,
    /// For a transition and a node the saturated result of firing the transition.
    fired: FxHashMap<(u32, Node), Node>,
}

impl Saturation<'_> {
    /// The saturated node of a place with at least these edges, whose children are saturated.
    fn saturated(&mut self, place: usize, mut edges: Vec<Edge>) -> Limited<Node> {
        let mut is_new = !edges.is_empty();
        while is_new {
            is_new = false;
            for at in 0..self.owned[place].len() {
                let number = self.owned[place][at];
                let changes = &self.net.events[number as usize].changes;
                let Some((&Change { takes, puts, .. }, below)) = changes.split_last() else {
                    continue;
                };
                let is_alone = below.is_empty();
                // Edges that are added on the way are visited in the next round.
                let known: Vec<Edge> = edges.iter().copied().filter(|e| e.0 >= takes).collect();
                for (tokens, child) in known {
                    let to = if is_alone { child } else { self.fire(number, place, child)? };
                    if to == EMPTY {
                        continue;
                    }
                    let tokens = (tokens - takes).checked_add(puts).ok_or(NoResult::Limit)?;
                    let before = edges.len();
                    is_new |= self.nodes.add(&mut edges, (tokens, to))?;
                    self.nodes.entries += edges.len() - before;
                    self.nodes.look()?;
                }
            }
        }
        Ok(self.nodes.of(&edges))
    }

    /// The markings of the places below `above` that a transition leads to from those of a node,
    /// saturated.
    fn fire(&mut self, number: u32, above: usize, node: Node) -> Limited<Node> {
        let changes = &self.net.events[number as usize].changes;
        // The changes below; they are few.
        let left = changes.partition_point(|change| (change.place as usize) < above);
        if left == 0 || node == EMPTY {
            return Ok(node);
        }
        if let Some(&known) = self.fired.get(&(number, node)) {
            return Ok(known);
        }
        let place = above - 1;
        let Change { place: of, takes, puts } = changes[left - 1];
        let (takes, puts) = if of as usize == place { (takes, puts) } else { (0, 0) };
        let own: Vec<Edge> = self.nodes.edges(node).filter(|edge| edge.0 >= takes).collect();
        let mut edges = Vec::with_capacity(own.len());
        for (tokens, child) in own {
            let to = self.fire(number, place, child)?;
            if to != EMPTY {
                let tokens = (tokens - takes).checked_add(puts).ok_or(NoResult::Limit)?;
                self.nodes.add(&mut edges, (tokens, to))?;
            }
        }
        let result = if edges.is_empty() { EMPTY } else { self.saturated(place, edges)? };
        self.fired.insert((number, node), result);
        self.nodes.entries += 1;
        self.nodes.look()?;
        Ok(result)
    }
}
