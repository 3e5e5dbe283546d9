//! Decision diagrams of nets.

use crate::base::cancel::Stopped;
use crate::bindings::data::malformed;
use crate::bindings::work::run;
use crate::diagrams::net::{Change, Event, Net};
use crate::diagrams::saturation::{MOST_PLACES, reachable};
use num_bigint::BigUint;
use pyo3::prelude::*;

/// A transition: for each of its places, in ascending order, the tokens that it takes and puts.
type RawEvent = Vec<(u32, u32, u32)>;

/// The counts of the reachable markings, and of the nodes: states, transitions, nodes, most tokens
/// of a marking, most tokens of a place.
type Found = (BigUint, BigUint, usize, u64, u64);

/// Counts the reachable markings of a net by decision diagrams; `None` if these need more than
/// `most` nodes. The order of the places is searched for from each of `starts`, which have the
/// position of each place.
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
        sorted.into_iter().eq(0..places as u32)
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
        let positions = net.ordered(&starts);
        reachable(net.renumbered(&positions), most, cancel)?.counts(cancel)
    })?;
    match found {
        Ok(found) => {
            Ok(Some((found.states, found.transitions, found.nodes, found.marking, found.place)))
        }
        Err(Stopped::Limit) => Ok(None),
        Err(why) => Err(why.into()),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(markings, module)?)
}
