//! Transitive reduction: the transitions of a weakly minimal system that are not implied by others.
//!
//! A transition is implied by an internal step followed by a weak transition, or by another
//! transition with the same label followed by internal steps. Few transitions can be implied: most
//! lead to a state without incoming internal steps, or start at one without outgoing ones. For the
//! others a search decides; where searches take too long, columns do.

use crate::base::bitset::{Bits, States};
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::memory::room;
use crate::base::scratch::Scratch;
use crate::base::stages::Measure;
use crate::bisimulation::weak::guided_search::{GuidedSearch, Steps, in_samples, pace};
use crate::bisimulation::weak::reach_bits::{COLUMNS, Mask, Reach, Sources, for_batches};
use crate::bisimulation::weak::state_sketch::StateSketches;

/// States that a thread takes at a time.
const CHUNK: usize = if cfg!(test) { 2 } else { 1 << 8 };

/// A transition: label, target, source and number.
type Candidate = (Label, State, State, u32);

/// The transitions of `graph` that are not implied by others. No two of its states may be weakly
/// bisimilar, and it must come from [`crate::bisimulation::weak::topological_order::by_smallest`].
pub fn transitive_reduction(
    graph: Forward,
    tau: Label,
    cancel: &Cancel,
) -> Result<Forward<'static>> {
    let mut implied = Bits::new(graph.target.len());
    let candidates = searched(&graph, tau, &mut implied, cancel)?;
    // If many candidates are left, remove implied internal steps first: visible ones are then
    // decided faster.
    let at_first = candidates.len() > COLUMNS;
    let (silent, rest): (Vec<Candidate>, Vec<Candidate>) =
        candidates.into_iter().partition(|candidates| at_first && candidates.0 == tau);
    for candidates in [silent, rest] {
        by_columns(&graph, tau, candidates, &mut implied, cancel)?;
    }
    let Forward { mut starts, label, target } = graph;
    let (mut label, mut target) = (label.into_owned(), target.into_owned());
    let (mut retained, mut transition) = (0, 0);
    for end in starts.iter_mut() {
        while transition < *end as usize {
            if !implied.has(u32::at(transition)) {
                (label[retained], target[retained]) = (label[transition], target[transition]);
                retained += 1;
            }
            transition += 1;
        }
        *end = u32::at(retained);
    }
    label.truncate(retained);
    target.truncate(retained);
    Ok(Forward { starts, label: label.into(), target: target.into() })
}

/// Search for the implied transitions and add them to `implied`. Returns the candidates for which
/// the search gave up.
fn searched(
    graph: &Forward,
    tau: Label,
    implied: &mut Bits,
    cancel: &Cancel,
) -> Result<Vec<Candidate>> {
    let states = graph.states();
    // States that at least one internal step leads to, and at least two.
    let (mut once, mut twice) = (States::new(states), States::new(states));
    let mut labels: Bits<Label> = Bits::default();
    for (&label, &target) in graph.label.iter().zip(graph.target.iter()) {
        labels.add(label);
        if label == tau && !once.add(target) {
            twice.add(target);
        }
    }
    // The transitions of a state that may be implied.
    let transitions_to_test = |state: State| {
        let transitions = graph.range(state);
        let silent = graph.label[transitions.clone()].first() == Some(&tau);
        let (once, twice) = (&once, &twice);
        transitions.clone().filter(move |&transition| {
            let (label, target) = (graph.label[transition], graph.target[transition]);
            // Another step of the state has the same label, and internal steps may lead from there
            // to the target.
            let beside = transition + 1 < transitions.end && graph.label[transition + 1] == label;
            let entered = if label == tau { twice } else { once };
            let behind = label != tau && silent;
            behind || beside && entered.has(target)
        })
    };
    let candidate = |state: State, transition: usize| {
        (graph.label[transition], graph.target[transition], state, u32::at(transition))
    };
    let columns = graph.target.len().min(states.saturating_mul(labels.iter().count()));
    let mut open: Vec<Candidate> = Vec::new();
    let Some(pace) = pace(graph.target.len(), columns, graph.target.len()) else {
        for state in graph.each_state() {
            open.extend(transitions_to_test(state).map(|transition| candidate(state, transition)));
        }
        return Ok(open);
    };
    let sketches = StateSketches::new(graph, tau, cancel)?;
    let steps = Steps::new(graph, tau);
    let scratch = Scratch::new(|| GuidedSearch::new(&steps));
    let look = |&first: &usize, futile: bool| {
        let (mut removed, mut open, mut questions) = (Vec::new(), Vec::new(), 0);
        let mut search = scratch.take();
        search.begin(pace);
        for state in (u32::at(first)..u32::at((first + CHUNK).min(states))).map(State) {
            for transition in transitions_to_test(state) {
                questions += 1;
                let (label, target) = (graph.label[transition], graph.target[transition]);
                let answer = if futile {
                    None
                } else {
                    search.find(state, label, Some(transition), &sketches.guide(label, target))
                };
                match answer {
                    Some(true) => removed.push(u32::at(transition)),
                    Some(false) => {}
                    None => open.push(candidate(state, transition)),
                }
            }
        }
        scratch.give(search);
        (removed, open, questions)
    };
    let chunks: Vec<usize> = (0..states).step_by(CHUNK).collect();
    let stage = cancel.stage("leaving out transitions", Measure::Share(chunks.len() as u64));
    let gather = |(removed, left, questions): (Vec<u32>, Vec<Candidate>, usize)| {
        stage.add(1);
        for transition in removed {
            implied.add(transition);
        }
        let count = [left.len(), questions];
        open.extend(left);
        count
    };
    in_samples(&chunks, look, gather, cancel)?;
    Ok(open)
}

/// Decide by columns which candidates are implied, and add them to `implied`.
fn by_columns(
    graph: &Forward,
    tau: Label,
    mut candidates: Vec<Candidate>,
    implied: &mut Bits,
    cancel: &Cancel,
) -> Result<()> {
    if candidates.is_empty() {
        return Ok(());
    }
    candidates.sort_unstable();
    let sources = Sources::new(graph, tau, implied);
    let look = |reach: &mut Reach, batch: &&[Candidate]| {
        let mut columns: Vec<(Label, State)> = room(COLUMNS);
        // Source, column and number of the transition.
        let mut transitions_to_test: Vec<(State, u32, u32)> = room(batch.len());
        for &(label, target, state, transition) in *batch {
            if columns.last() != Some(&(label, target)) {
                columns.push((label, target));
            }
            transitions_to_test.push((state, u32::at(columns.len()) - 1, transition));
        }
        let seeds = columns.iter().enumerate().map(|(i, column)| (column.1, Mask::single(i)));
        reach.run(columns.iter().map(|column| column.0), seeds);
        transitions_to_test.sort_unstable();
        let mut removed = Vec::new();
        for group in transitions_to_test.chunk_by(|a, b| a.0 == b.0) {
            let (mut once, mut twice, mut later) = <(Mask, Mask, Mask)>::default();
            let silent = reach.of(tau);
            for (label, target) in graph.steps(group[0].0) {
                let step = reach.step(label, target);
                if label == tau {
                    later = later.or(step.without(silent));
                }
                twice = twice.or(once.and(step));
                once = once.or(step);
            }
            let all = twice.or(later);
            removed.extend(
                group
                    .iter()
                    .filter(|transition| all.has(transition.1 as usize))
                    .map(|transition| transition.2),
            );
        }
        removed
    };
    let gather = |removed: Vec<u32>| {
        for transition in removed {
            implied.add(transition);
        }
        true
    };
    for_batches(&sources, &batches(&candidates), look, gather, cancel)
}

/// Batches of the candidates, with as many columns as fit into a mask; they are sorted by column.
fn batches(candidates: &[Candidate]) -> Vec<&[Candidate]> {
    let mut batches = Vec::new();
    let (mut first, mut end, mut columns) = (0, 0, 0);
    for column in candidates.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if columns == COLUMNS {
            batches.push(&candidates[first..end]);
            (first, columns) = (end, 0);
        }
        end += column.len();
        columns += 1;
    }
    batches.push(&candidates[first..end]);
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bisimulation::weak::stabilise::tests::{TAU, Transition, graph};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Transitions whose internal steps lead to smaller states; a loop with an individual label
    /// distinguishes every state from all others.
    fn systems() -> impl Strategy<Value = (u32, BTreeSet<Transition>)> {
        (1u32..12).prop_flat_map(|states| {
            let label = prop_oneof![3 => Just(TAU), 1 => Just(0u32), 1 => Just(2u32)];
            let transition = (0..states, label, 0..states);
            let transition = transition.prop_filter("acyclic", |&(s, a, t)| a != TAU || t < s);
            let loops = move |mut transitions: BTreeSet<Transition>| {
                transitions.extend((0..states).map(|s| (s, 3 + s, s)));
                transitions
            };
            (Just(states), prop::collection::btree_set(transition, 0..50).prop_map(loops))
        })
    }

    /// The states reached by weak transitions with a label.
    fn weak(transitions: &BTreeSet<Transition>, state: u32, label: u32) -> BTreeSet<u32> {
        let mut silent = BTreeSet::from([state]);
        for s in (0..=state).rev() {
            if silent.contains(&s) {
                silent.extend(
                    transitions.range((s, TAU, 0)..(s, TAU + 1, 0)).map(|transition| transition.2),
                );
            }
        }
        if label == TAU {
            return silent;
        }
        let steps =
            silent.iter().flat_map(|&s| transitions.range((s, label, 0)..(s, label + 1, 0)));
        steps.flat_map(|transition| weak(transitions, transition.2, TAU)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]
        #[test]
        fn exactly_implied_transitions_are_removed((states, transitions) in systems()) {
            let graph = graph(states, &transitions);
            let reduced = transitive_reduction(graph, Label(TAU), &Cancel::never()).unwrap();
            let reduced: BTreeSet<Transition> =
                (0..states).flat_map(|s| reduced.steps(State(s)).map(move |(a, t)| (s, a.0, t.0))).collect();
            let is_implied = |&&(s, a, t): &&Transition| {
                transitions.range((s, 0, 0)..(s + 1, 0, 0)).any(|&(_, b, other)| {
                    let before = b == TAU && other != t && weak(&transitions, other, a).contains(&t);
                    let visible = b == TAU && a != TAU && weak(&transitions, other, a).contains(&t);
                    let behind = b == a && other != t && weak(&transitions, other, TAU).contains(&t);
                    before || visible || behind
                })
            };
            let expected: BTreeSet<Transition> = transitions.iter().filter(|transition| !is_implied(transition)).copied().collect();
            prop_assert_eq!(reduced, expected);
        }
    }
}
