//! Decision diagrams of nets.

use crate::base::cancel::NoResult;
use crate::base::ids::Id;
use crate::base::lock::Locked;
use crate::bindings::data::malformed;
use crate::bindings::work::{run, within_limit};
use crate::diagrams::conditions::{Condition, MOST_FACTOR, Sum, sort_parts};
use crate::diagrams::net::{Change, Event, Net};
use crate::diagrams::saturation::{MOST_PLACES, Reachable, reachable};
use num_bigint::BigUint;
use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// A transition: for each of its places, in ascending order, the tokens that it takes and puts.
type RawEvent = Vec<(u32, u32, u32)>;

/// The counts of the reachable markings, and of the nodes: states, transitions, nodes, most tokens
/// of a marking, most tokens of a place.
type Counts = (BigUint, BigUint, usize, u64, u64);

/// A condition, whose parts are numbers of conditions before it: the parts with `all`, `some` or
/// `not`, or a sum of tokens, each with a factor, with its least and greatest value.
#[derive(FromPyObject)]
enum RawCondition {
    Sum(Sum, Option<i64>, Option<i64>),
    Joined(String, Vec<usize>),
}

/// The reachable markings of a net as a decision diagram.
#[pyclass(frozen, module = "lts._engine")]
pub struct Markings {
    diagram: Mutex<Reachable>,
    /// The position of each place in the diagram.
    positions: Vec<u32>,
}

#[pymethods]
impl Markings {
    /// Returns the reachable markings of a net; `None` if a diagram needs more than `most` nodes
    /// with each order of the places that is tried: those of `starts`, which have the position of
    /// each place, and improved ones.
    #[staticmethod]
    fn reachable(
        py: Python<'_>,
        initial: Vec<u32>,
        events: Vec<RawEvent>,
        starts: Vec<Vec<u32>>,
        most: usize,
    ) -> PyResult<Option<Self>> {
        let places = initial.len();
        let is_known = |event: &RawEvent| {
            event.is_sorted_by(|left, right| left.0 < right.0)
                && event.last().is_none_or(|last| (last.0 as usize) < places)
        };
        let is_order = |start: &Vec<u32>| {
            let mut sorted = start.clone();
            sorted.sort_unstable();
            sorted.into_iter().eq(0..u32::at(places))
        };
        if !events.iter().all(is_known) || !starts.iter().all(is_order) {
            return Err(malformed("this is no net".into()));
        }
        if places > MOST_PLACES {
            return Ok(None);
        }
        let change = |(place, takes, puts)| Change { place, takes, puts };
        let event = |event: RawEvent| Event { changes: event.into_iter().map(change).collect() };
        let net = Net { initial, events: events.into_iter().map(event).collect() };
        let result = run(py, |cancel| {
            let improved: Vec<Vec<u32>> = starts.iter().map(|start| net.improved(start)).collect();
            let mut orders: Vec<Vec<u32>> = Vec::new();
            for order in improved.into_iter().chain(starts) {
                if !orders.contains(&order) {
                    orders.push(order);
                }
            }
            for order in orders {
                match reachable(net.renumbered(&order), most, cancel) {
                    Err(NoResult::Limit) => {}
                    result => return result.map(|diagram| (diagram, order)),
                }
            }
            Err(NoResult::Limit)
        })?;
        let result = within_limit(result)?;
        Ok(result.map(|(diagram, positions)| Self { diagram: Mutex::new(diagram), positions }))
    }

    /// Returns the numbers of states, of transitions, of nodes, and the most tokens of a marking
    /// and of a place.
    fn counts(&self, py: Python<'_>) -> PyResult<Counts> {
        let counts = run(py, |cancel| self.diagram.locked().counts(cancel))??;
        Ok((counts.states, counts.transitions, counts.nodes, counts.marking, counts.place))
    }

    /// Returns whether the last of some conditions holds of a reachable marking; `None` if too many
    /// nodes are needed to know it.
    fn is_possible(
        &self,
        py: Python<'_>,
        conditions: Vec<RawCondition>,
        most: usize,
    ) -> PyResult<Option<bool>> {
        let mut read = Vec::with_capacity(conditions.len());
        for (number, condition) in conditions.into_iter().enumerate() {
            let parts_precede = |parts: &[usize]| parts.iter().all(|&part| part < number);
            read.push(match condition {
                RawCondition::Sum(sum, low, high) => {
                    let (low, high) = (low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX));
                    Condition::Sum(self.sum(sum)?, low, high)
                }
                RawCondition::Joined(kind, parts) if parts_precede(&parts) => {
                    match (kind.as_str(), parts.as_slice()) {
                        ("all", _) => Condition::All(parts),
                        ("some", _) => Condition::Some(parts),
                        ("not", &[part]) => Condition::Not(part),
                        _ => return Err(malformed("this is not a condition".into())),
                    }
                }
                RawCondition::Joined(..) => {
                    return Err(malformed("this is not a condition".into()));
                }
            });
        }
        if read.is_empty() {
            return Err(malformed("there is no condition".into()));
        }
        sort_parts(&mut read);
        within_limit(run(py, |cancel| self.diagram.locked().is_possible(&read, most, cancel))?)
    }

    /// Returns the greatest sum of a reachable marking; `None` if too many nodes are needed to know
    /// it.
    fn greatest(&self, py: Python<'_>, sum: Sum, most: usize) -> PyResult<Option<i64>> {
        let sum = self.sum(sum)?;
        within_limit(run(py, |cancel| self.diagram.locked().greatest(&sum, most, cancel))?)
    }
}

impl Markings {
    /// A sum over the places of the diagram.
    fn sum(&self, sum: Sum) -> PyResult<Sum> {
        let places: BTreeSet<u32> = sum.iter().map(|term| term.0).collect();
        let is_known = |&(place, factor): &(u32, i64)| {
            (place as usize) < self.positions.len() && factor.unsigned_abs() < MOST_FACTOR
        };
        if places.len() < sum.len() || !sum.iter().all(is_known) {
            return Err(malformed("this is not a sum of places".into()));
        }
        Ok(sum.into_iter().map(|(place, by)| (self.positions[place as usize], by)).collect())
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Markings>()
}
