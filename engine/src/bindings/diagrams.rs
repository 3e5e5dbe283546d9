//! Decision diagrams of nets.

use crate::base::cancel::NoResult;
use crate::base::ids::Id;
use crate::bindings::data::malformed;
use crate::bindings::work::{run, within_limit};
use crate::diagrams::net::{Change, Event, Net};
use crate::diagrams::saturation::{MOST_PLACES, reachable};
use num_bigint::BigUint;
use pyo3::prelude::*;

/// A transition: for each of its places, in ascending order, the tokens that it takes and puts.
type RawEvent = Vec<(u32, u32, u32)>;

/// The counts of the reachable markings, and of the nodes: states, transitions, nodes, most tokens
/// of a marking, most tokens of a place.
type Found = (BigUint, BigUint, usize, u64, u64);

/// Each order of places is tried with a small part of the nodes that are allowed, and then with
/// several times as many.
const PART: usize = 16;
const MORE: usize = 4;

/// Counts the reachable markings of a net by decision diagrams; `None` if these need more than
/// `most` nodes with each order of the places that is tried: those of `starts`, which have the
/// position of each place, and improved ones.
#[pyfunction]
fn markings(
    py: Python<'_>,
    initial: Vec<u32>,
    events: Vec<RawEvent>,
    starts: Vec<Vec<u32>>,
    most: usize,
) -> PyResult<Option<Found>> {
    let places = initial.len();
    let is_known = |event: &RawEvent| {
        event.is_sorted_by(|one, other| one.0 < other.0)
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
    let found = run(py, |cancel| {
        let improved: Vec<Vec<u32>> = starts.iter().map(|start| net.improved(start)).collect();
        let mut orders: Vec<Vec<u32>> = Vec::new();
        for order in improved.into_iter().chain(starts) {
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
        let mut limit = most / PART;
        loop {
            for order in &orders {
                match reachable(net.renumbered(order), limit, cancel) {
                    Err(NoResult::Limit) => {}
                    found => return Ok(found?.counts(cancel)?),
                }
            }
            if limit == most {
                return Err(NoResult::Limit);
            }
            limit = (limit * MORE).min(most);
        }
    })?;
    Ok(within_limit(found)?
        .map(|found| (found.states, found.transitions, found.nodes, found.marking, found.place)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(markings, module)?)
}
