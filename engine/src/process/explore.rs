//! Breadth-first generation of the state space of a linear process.

use super::linear::{Local, Process, Stop};
use crate::lts::Lts;
use crate::rows::Rows;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// How far an exploration may go.
#[derive(Clone, Copy)]
pub struct Limits {
    pub states: Option<usize>,
    /// Values that the variables of one summand may take in one state.
    pub values: usize,
}

/// What was found.
pub struct Exploration {
    pub lts: Lts,
    /// Whether everything was found.
    pub complete: bool,
    /// The summand with too many values, if that is what stopped it.
    pub limit_summand: Option<usize>,
}

/// Generates the states reachable from the initial one, numbered breadth first; the transitions of
/// a state stand in the order of the summands, each once. `poll` is called now and then and stops
/// the exploration by returning false.
pub fn generate(
    process: &mut Process,
    limits: Limits,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Exploration, Stop> {
    let most = limits.states.unwrap_or(u32::MAX as usize - 1).min(u32::MAX as usize - 1);
    let mut states = Rows::new(process.parameters);
    states.intern(&process.initial.clone());
    let [mut source, mut label, mut target] = [Vec::new(), Vec::new(), Vec::new()];
    let mut complete = most > 0;
    let mut limit_summand = None;
    let (mut state, mut next, mut key) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    let mut current = 0;
    'states: while complete && (current as usize) < states.len() {
        if current % 4096 == 0 && !poll() {
            return Err(Stop::Interrupted);
        }
        state.clear();
        state.extend_from_slice(states.get(current));
        seen.clear();
        for i in 0..process.summands.len() {
            // No more values are tried than may give states, until that turns out too few.
            let mut cap = limits.values.min(most.saturating_add(1));
            loop {
                let local = process.local_steps(i, &state, &mut key, cap)?;
                let (begin, end) = match local {
                    Local::All(known) => process.tables[i].spans[known as usize],
                    Local::Some(span) => span,
                };
                for row in begin..end {
                    let step = process.successor(i, row, &state, &mut next);
                    let found = match states.find(&next) {
                        Some(found) => found,
                        None if states.len() >= most => {
                            complete = false;
                            break 'states;
                        }
                        None => states.intern(&next).0,
                    };
                    let text = process.labels.texts[step as usize];
                    if seen.insert((text, found)) {
                        source.push(current);
                        label.push(text);
                        target.push(found);
                    }
                }
                if matches!(local, Local::All(_)) {
                    break;
                }
                if cap >= limits.values {
                    complete = false;
                    limit_summand = Some(i);
                    break 'states;
                }
                cap = cap.saturating_mul(4).min(limits.values);
            }
        }
        current += 1;
    }
    let labels = process.labels.labels.clone();
    let internal = labels.find(b"tau").into_iter().collect();
    let lts = Lts::from_valid(
        0,
        states.len() as u32,
        [source, label, target],
        Arc::new(labels),
        Arc::new(internal),
    );
    Ok(Exploration { lts, complete, limit_summand })
}
