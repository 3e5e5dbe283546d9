//! Networks of components as Python passes them.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::bindings::data::malformed;
use crate::bindings::lts::Lts;
use crate::data::rewrite::Data;
use crate::data::rewrite::declare::Declarations;
use crate::data::terms::{Kind, Symbol, Term};
use crate::process::linear::Process;
use crate::process::linear::synchronisation::{Moves, Points, Synchronisation, moves};
use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Components, and their concatenated vectors: the number of a label for each component, and of the
/// resulting label.
pub type RawVectors = (Vec<u32>, Vec<u32>);

/// The network as a process. With `points`, a name for every component, states and labels are
/// constants: symbols 2 and up are the states of each component in turn, then the labels.
pub fn network(
    components: &[PyRef<'_, Lts>],
    labels: Vec<Vec<u8>>,
    groups: Vec<RawVectors>,
    points: Option<Vec<Vec<u8>>>,
) -> PyResult<Process> {
    // Components with the same columns share their tables of steps.
    let mut known: FxHashMap<([usize; 3], u32), Arc<Moves>> = FxHashMap::default();
    let mut all = Vec::new();
    for component in components {
        let lts = &component.0;
        let [source, target] = [&lts.source, &lts.target].map(|c| Arc::as_ptr(c) as usize);
        let columns = [source, Arc::as_ptr(&lts.label) as usize, target];
        let steps = known.entry((columns, lts.states)).or_insert_with(|| Arc::new(moves(lts)));
        all.push(Arc::clone(steps));
    }
    let count = labels.len();
    let mut data = None;
    let mut states = vec![0; components.len()];
    let (points, actions) = match points {
        Some(names) if names.len() != components.len() => {
            return Err(malformed("a component has no name".into()));
        }
        Some(names) => {
            let mut symbols = Vec::new();
            for (component, name) in components.iter().zip(names) {
                let numbered = |state: u32| [&name[..], format!(".{state}").as_bytes()].concat();
                symbols.extend((0..component.0.states).map(|state| constant(numbered(state), 1)));
            }
            symbols.extend(labels.into_iter().map(|label| constant(label, 2)));
            let (made, terms) = constants(symbols).map_err(malformed)?;
            data = Some(made);
            let mut next = 0;
            for (first, component) in states.iter_mut().zip(components) {
                *first = terms + next;
                next += component.0.states;
            }
            let labels = (0..u32::at(count)).map(|label| terms + next + label).collect();
            (Some(Points { states: states.clone().into(), labels }), vec![Vec::new()])
        }
        None => (None, labels),
    };
    let mut together = Vec::new();
    for (members, vectors) in groups {
        let ascending = members.is_sorted_by(|left, right| left < right);
        let there = members.last().is_some_and(|&last| (last as usize) < components.len());
        let whole = vectors.len().is_multiple_of(members.len() + 1);
        let named = vectors.iter().skip(members.len()).step_by(members.len() + 1);
        if !ascending || !there || !whole || named.copied().any(|l| l as usize >= count) {
            return Err(malformed("these are not synchronisation vectors of the network".into()));
        }
        let own = members.iter().map(|&member| Arc::clone(&all[member as usize])).collect();
        together.push(Synchronisation::new(members, own, &vectors, points.as_ref()));
    }
    let initial = components.iter().zip(&states).map(|(c, &first)| first + c.0.initial.0).collect();
    let data = match data {
        Some(data) => data,
        None => constants(Vec::new()).map_err(malformed)?.0,
    };
    Ok(Process::network(data, initial, actions, together))
}

fn constant(name: Vec<u8>, sort: u32) -> Symbol {
    Symbol::new(name, &[], sort, Kind::Constructor)
}

/// Data with Booleans, which every process needs, and constants; and the term of the first
/// constant, after which the others are numbered consecutively.
fn constants(symbols: Vec<Symbol>) -> Result<(Data, Term), String> {
    let count = u32::at(symbols.len());
    let booleans = [b"T", b"F"].map(|name| constant(name.to_vec(), 0));
    let declarations = Declarations {
        sorts: [&b"Bool"[..], b"State", b"Label"].map(<[u8]>::to_vec).into(),
        symbols: booleans.into_iter().chain(symbols).collect(),
        rules: Vec::new(),
        truth: 0,
        falsity: 1,
        numbers: Vec::new(),
        loose: false,
    };
    let mut data =
        Data::declared(declarations, &Cancel::never()).map_err(|error| error.to_string())?;
    let terms: Vec<Term> = (2..2 + count).map(|symbol| data.terms.apply(symbol, &[])).collect();
    let first = terms.first().copied().unwrap_or_default();
    match terms.iter().copied().eq(first..first + count) {
        true => Ok((data, first)),
        false => Err("constants are not numbered consecutively".into()),
    }
}
