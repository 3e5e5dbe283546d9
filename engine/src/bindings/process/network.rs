//! Networks of components as Python hands them over.

use crate::bindings::data::malformed;
use crate::bindings::lts::Lts;
use crate::data::rewrite::Data;
use crate::data::rewrite::declare::Declarations;
use crate::data::terms::{Kind, Symbol};
use crate::lpe::process::Process;
use crate::lpe::process::synchronisation::{Moves, Synchronisation, moves};
use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Components, and their vectors one behind the other: numbers of labels, and of what comes out.
pub type RawVectors = (Vec<u32>, Vec<u32>);

/// The network as a process.
pub fn network(
    components: &[PyRef<'_, Lts>],
    labels: Vec<Vec<u8>>,
    groups: Vec<RawVectors>,
) -> PyResult<Process> {
    // Components that share their columns share their steps.
    let mut known: FxHashMap<([usize; 3], u32), Arc<Moves>> = FxHashMap::default();
    let mut all = Vec::new();
    for component in components {
        let lts = &component.0;
        let columns = [&lts.source, &lts.label, &lts.target].map(|c| Arc::as_ptr(c) as usize);
        let one = known.entry((columns, lts.states)).or_insert_with(|| Arc::new(moves(lts)));
        all.push(Arc::clone(one));
    }
    let mut together = Vec::new();
    for (members, vectors) in groups {
        let ascending = members.is_sorted_by(|one, other| one < other);
        let there = members.last().is_some_and(|&last| (last as usize) < components.len());
        let whole = vectors.len().is_multiple_of(members.len() + 1);
        let named = vectors.iter().skip(members.len()).step_by(members.len() + 1);
        if !ascending || !there || !whole || named.copied().any(|l| l as usize >= labels.len()) {
            return Err(malformed("these are no synchronisation vectors of the network".into()));
        }
        let own = members.iter().map(|&member| Arc::clone(&all[member as usize])).collect();
        together.push(Synchronisation::new(members, own, &vectors));
    }
    let initial = components.iter().map(|component| component.0.initial).collect();
    Ok(Process::network(booleans().map_err(malformed)?, initial, labels, together))
}

/// Data without which there is no process.
fn booleans() -> Result<Data, String> {
    let constant = |name: &[u8]| Symbol {
        name: name.to_vec(),
        arguments: Vec::new(),
        sort: 0,
        kind: Kind::Constructor,
        native: None,
        quantifies: false,
    };
    Data::declared(Declarations {
        sorts: vec![b"Bool".to_vec()],
        symbols: vec![constant(b"T"), constant(b"F")],
        rules: Vec::new(),
        truth: 0,
        falsity: 1,
        numbers: Vec::new(),
    })
}
