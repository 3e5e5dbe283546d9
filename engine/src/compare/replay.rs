//! Evidence is checked again, by definition, on the original systems.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::graph::{Graph, Transition};
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::marks::Marks;
use crate::base::paths::path_to;
use crate::ops::tau_closure::close;
use crate::preorder::failures::offers;
use crate::preorder::model::{Difference, End, Model};

/// Shortest steps (source, label, target) from state `start` along the trace of a difference to the
/// end that it describes; `None` if there is no such path.
pub fn path(
    graph: &Graph,
    start: State,
    model: Model,
    difference: &Difference,
    divergent: &[bool],
    cancel: &Cancel,
) -> Result<Option<Vec<Transition>>> {
    // Layer i: the states after i labels of the trace, each with the step that led to it.
    type Layer = Vec<(State, Option<(u32, Label)>)>;
    let hidden = if model.counts_internal() { None } else { graph.tau };
    let mut marks = Marks::new(graph.states);
    let mut layers: Vec<Layer> = vec![vec![(start, None)]];
    for at in 0..=difference.trace.len() {
        cancel.check()?;
        marks.clear();
        let layer = &mut layers[at];
        layer.retain(|&(state, _)| marks.mark(state));
        let mut next = 0;
        while let Some(&(state, _)) = layer.get(next) {
            for (label, target) in graph.steps(state) {
                if Some(label) == hidden && marks.mark(target) {
                    layer.push((target, Some((u32::at(next), label))));
                }
            }
            next += 1;
        }
        let Some(&label) = difference.trace.get(at) else { break };
        let mut after: Layer = Vec::new();
        for (position, &(state, _)) in layers[at].iter().enumerate() {
            let steps = graph.targets(state, label).iter();
            after.extend(steps.map(|&target| (target, Some((u32::at(position), label)))));
        }
        layers.push(after);
    }
    let at = layers.len() - 1;
    let mut goal = None;
    for (position, &(state, _)) in layers[at].iter().enumerate() {
        cancel.check_at(position)?;
        let is_goal = match &difference.end {
            End::Done => true,
            End::Diverges => divergent[state],
            End::Lacks(traces) => lacks(graph, state, model, traces, &mut marks, cancel)?,
            End::Refuses(labels) => stable(graph, model, state, None, labels),
            End::Offers(label, labels) => stable(graph, model, state, Some(*label), labels),
        };
        if is_goal {
            goal = Some(position);
            break;
        }
    }
    let last = |(at, position): (usize, usize)| {
        let (state, Some((before, label))) = layers[at][position] else { return None };
        // A step with a label of the trace comes from the layer before, a hidden one from the same
        // layer.
        let from = (at - usize::from(Some(label) != hidden), before as usize);
        Some((from, (layers[from.0][from.1].0, label, state)))
    };
    Ok(goal.map(|position| path_to((at, position), last)))
}

/// Whether a state allows a difference: it has the trace and its end, or, for
/// [`Model::FailuresDivergences`], a divergence before.
pub fn allows(
    graph: &Graph,
    start: State,
    model: Model,
    difference: &Difference,
    divergent: &[bool],
    cancel: &Cancel,
) -> Result<bool> {
    let mut marks = Marks::new(graph.states);
    let mut states = vec![start];
    let mut labels = difference.trace.iter();
    loop {
        cancel.check()?;
        if model.counts_internal() {
            marks.clear();
            states.retain(|&state| marks.mark(state));
        } else {
            close(graph, &mut marks, &mut states);
        }
        let diverges = states.iter().any(|&state| divergent[state]);
        if model == Model::FailuresDivergences && diverges {
            return Ok(true);
        }
        let Some(&label) = labels.next() else { break };
        let targets = states.iter().flat_map(|&state| graph.targets(state, label));
        states = targets.copied().collect();
    }
    Ok(match &difference.end {
        End::Done => !states.is_empty(),
        End::Diverges => states.iter().any(|&state| divergent[state]),
        End::Lacks(traces) => {
            let mut allowed = false;
            for &state in &states {
                allowed = allowed || lacks(graph, state, model, traces, &mut marks, cancel)?;
            }
            allowed
        }
        End::Refuses(labels) => {
            states.iter().any(|&state| stable(graph, model, state, None, labels))
        }
        End::Offers(label, labels) => {
            states.iter().any(|&state| stable(graph, model, state, Some(*label), labels))
        }
    })
}

/// Whether a state has none of these traces.
fn lacks<T: AsRef<[Label]>>(
    graph: &Graph,
    start: State,
    model: Model,
    traces: &[T],
    marks: &mut Marks,
    cancel: &Cancel,
) -> Result<bool> {
    for trace in traces {
        let mut states = vec![start];
        for &label in trace.as_ref() {
            cancel.check()?;
            if !model.counts_internal() {
                close(graph, marks, &mut states);
            }
            let targets = states.iter().flat_map(|&state| graph.targets(state, label));
            let targets: Vec<State> = targets.copied().collect();
            marks.clear();
            states = targets.into_iter().filter(|&state| marks.mark(state)).collect();
        }
        if !states.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a state is stable, offers the label, if one is given, and refuses all of `refused`.
fn stable(
    graph: &Graph,
    model: Model,
    state: State,
    offered: Option<Label>,
    refused: &[Label],
) -> bool {
    offers(graph, model, state).is_some_and(|offers| {
        offered.is_none_or(|label| offers.contains(&label))
            && !refused.iter().any(|label| offers.contains(label))
    })
}
