//! Whether a condition holds of some marking in a set, and the greatest sum of tokens over its
//! markings.
//!
//! The markings of which a linear constraint holds are found from the top: a node needs to be
//! divided only if the constraint is true of some markings below it and false of others, which the
//! least and the greatest sum below tell. Results are cached by node and sum of the places above.
//! Negations are pushed inwards, so that no complements are needed.

use crate::base::cancel::{Cancel, Limited};
use crate::diagrams::nodes::{DiagramNodes, EMPTY, Edge, Node};
use crate::diagrams::saturation::Reachable;
use rustc_hash::FxHashMap;

/// A condition on markings; parts are numbers of conditions before it.
#[derive(Clone, Debug)]
pub enum Condition {
    /// All parts hold.
    All(Vec<usize>),
    /// Some part holds.
    Some(Vec<usize>),
    /// The part does not hold.
    Not(usize),
    /// A sum is between two numbers.
    Sum(Sum, i64, i64),
}

/// The sum of the tokens in some places, each with a factor below [`MOST_FACTOR`].
pub type Sum = Vec<(u32, i64)>;

/// With fewer than 2^15 places, and 2^32 tokens in each, sums are below 2^62.
pub const MOST_FACTOR: u64 = 1 << 15;

/// Sorts the parts of conditions by their topmost places, from the bottom: neighbouring places are
/// close to each other in transitions, so sets that are selected one after the other remain small.
pub fn sort_parts(conditions: &mut [Condition]) {
    let mut tops: Vec<(u32, u32)> = Vec::with_capacity(conditions.len());
    for condition in conditions {
        let span = match condition {
            Condition::All(parts) | Condition::Some(parts) => {
                parts.sort_by_key(|&part| tops[part]);
                let low = parts.iter().map(|&part| tops[part].1).min();
                (parts.last().map_or(0, |&part| tops[part].0), low.unwrap_or(0))
            }
            &mut Condition::Not(part) => tops[part],
            Condition::Sum(sum, ..) => {
                let places = || sum.iter().map(|term| term.0);
                (places().max().unwrap_or(0), places().min().unwrap_or(0))
            }
        };
        tops.push(span);
    }
}

impl Reachable {
    /// Whether the last of some conditions holds of a reachable marking. With more than `most` new
    /// nodes and entries of tables the error is `NoResult::Limit`.
    pub fn is_possible(
        &mut self,
        conditions: &[Condition],
        most: usize,
        cancel: &Cancel,
    ) -> Limited<bool> {
        self.nodes.resume(most, cancel);
        let last = conditions.len() - 1;
        self.select(conditions, last, true, self.root, true).map(|node| node != EMPTY)
    }

    /// The greatest sum of a reachable marking, within the same limit.
    pub fn greatest(&mut self, sum: &[(u32, i64)], most: usize, cancel: &Cancel) -> Limited<i64> {
        self.nodes.resume(most, cancel);
        let places = self.net.initial.len();
        Ok(Selection::new(&mut self.nodes, sum, places, 0, 0).extent(places, self.root)?.1)
    }

    /// The markings of a set for which a condition has the value `truth`; if `any`, a nonempty
    /// subset of them suffices, unless there are none.
    fn select(
        &mut self,
        conditions: &[Condition],
        number: usize,
        truth: bool,
        set: Node,
        any: bool,
    ) -> Limited<Node> {
        if set == EMPTY {
            return Ok(EMPTY);
        }
        self.nodes.look()?;
        match &conditions[number] {
            &Condition::Not(part) => self.select(conditions, part, !truth, set, any),
            Condition::Sum(sum, low, high) => {
                if truth {
                    return self.within(sum, *low, *high, set);
                }
                let below = match low.checked_sub(1) {
                    Some(end) => self.within(sum, i64::MIN, end, set)?,
                    None => EMPTY,
                };
                let above = match high.checked_add(1) {
                    Some(start) => self.within(sum, start, i64::MAX, set)?,
                    None => EMPTY,
                };
                self.nodes.union(below, above)
            }
            Condition::All(parts) | Condition::Some(parts) => {
                if matches!(conditions[number], Condition::All(_)) == truth {
                    let Some((last, first)) = parts.split_last() else { return Ok(set) };
                    let mut set = set;
                    for &part in first {
                        set = self.select(conditions, part, truth, set, false)?;
                    }
                    return self.select(conditions, *last, truth, set, any);
                }
                let mut union = EMPTY;
                for &part in parts {
                    let own = self.select(conditions, part, truth, set, any)?;
                    union = self.nodes.union(union, own)?;
                    if union == set || (any && union != EMPTY) {
                        break;
                    }
                }
                Ok(union)
            }
        }
    }

    fn within(&mut self, sum: &[(u32, i64)], low: i64, high: i64, set: Node) -> Limited<Node> {
        let places = self.net.initial.len();
        let before = self.nodes.entries;
        let result =
            Selection::new(&mut self.nodes, sum, places, low, high).within(places, set, 0)?;
        // The tables of the search are gone.
        self.nodes.entries = before;
        Ok(result)
    }
}

/// The search for the markings whose sum is between two numbers.
struct Selection<'a> {
    nodes: &'a mut DiagramNodes,
    /// For each place its factor.
    factors: Vec<i64>,
    /// The lowest place with a factor.
    lowest: usize,
    low: i64,
    high: i64,
    /// For each node the least and the greatest sum of a marking below.
    extents: FxHashMap<Node, (i64, i64)>,
    selected: FxHashMap<(Node, i64), Node>,
}

impl<'a> Selection<'a> {
    fn new(
        nodes: &'a mut DiagramNodes,
        sum: &[(u32, i64)],
        places: usize,
        low: i64,
        high: i64,
    ) -> Self {
        let mut factors = vec![0; places];
        for &(place, factor) in sum {
            factors[place as usize] += factor;
        }
        let lowest = factors.iter().position(|&factor| factor != 0).unwrap_or(places);
        let (extents, selected) = Default::default();
        Self { nodes, factors, lowest, low, high, extents, selected }
    }

    /// The least and the greatest sum of the markings of a node over the lowest `places` places.
    fn extent(&mut self, places: usize, node: Node) -> Limited<(i64, i64)> {
        if places <= self.lowest {
            return Ok((0, 0));
        }
        if let Some(&known) = self.extents.get(&node) {
            return Ok(known);
        }
        self.nodes.look()?;
        let factor = self.factors[places - 1];
        let edges: Vec<Edge> = self.nodes.edges(node).collect();
        let (mut least, mut greatest) = (i64::MAX, i64::MIN);
        for (tokens, child) in edges {
            let own = factor * i64::from(tokens);
            let (low, high) = self.extent(places - 1, child)?;
            (least, greatest) = (least.min(own + low), greatest.max(own + high));
        }
        self.extents.insert(node, (least, greatest));
        self.nodes.entries += 1;
        Ok((least, greatest))
    }

    /// The markings of a node over the lowest `places` places whose sum, with `above` for the
    /// places above, is within the bounds.
    fn within(&mut self, places: usize, node: Node, above: i64) -> Limited<Node> {
        let (least, greatest) = self.extent(places, node)?;
        if above + greatest < self.low || above + least > self.high {
            return Ok(EMPTY);
        }
        if above + least >= self.low && above + greatest <= self.high {
            return Ok(node);
        }
        if let Some(&known) = self.selected.get(&(node, above)) {
            return Ok(known);
        }
        self.nodes.look()?;
        let edges: Vec<Edge> = self.nodes.edges(node).collect();
        let mut own = Vec::with_capacity(edges.len());
        for (tokens, child) in edges {
            let sum = above + self.factors[places - 1] * i64::from(tokens);
            let child = self.within(places - 1, child, sum)?;
            if child != EMPTY {
                own.push((tokens, child));
            }
        }
        let result = if own.is_empty() { EMPTY } else { self.nodes.of(&own) };
        self.selected.insert((node, above), result);
        self.nodes.entries += 1;
        Ok(result)
    }
}
