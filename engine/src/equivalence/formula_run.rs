//! A run along a formula: the steps that it says are possible, as far as they are one after the other.

use super::bits::Bits;
use super::formula::{Formulas, Id, Node};
use super::graph::Graph;
use rustc_hash::FxHashMap;

/// A step (source, label, target).
type Step = (u32, u32, u32);

/// Bits of sets of states that are kept to find a run; it is cut short where there would be more.
const MOST_BITS: usize = 1 << 32;

impl Formulas {
    /// The steps from `state`, where a formula holds, that its modalities ask for, up to where only
    /// negations and internal steps without end are left. Of several parts of a conjunction the run
    /// goes along the one with the largest number.
    pub fn run(&self, graph: &Graph, formula: Id, mut state: u32) -> Vec<Step> {
        let mut chain = Vec::new();
        let mut kept = Vec::new();
        let mut at = formula;
        while kept.len() * graph.states < MOST_BITS {
            match &self.nodes[at as usize] {
                Node::And(parts) => match parts.iter().rfind(|&&part| self.is_modal(part)) {
                    Some(&part) => at = part,
                    None => break,
                },
                Node::Step(_, goal) => {
                    chain.push(at);
                    kept.push(*goal);
                    at = *goal;
                }
                Node::Until(path, _, goal) => {
                    chain.push(at);
                    kept.extend([*path, *goal]);
                    at = *goal;
                }
                Node::Not(_) | Node::Forever(_) => break,
            }
        }
        let sets = self.evaluate(graph, formula, &kept);
        let mut run = Vec::new();
        for id in chain {
            match &self.nodes[id as usize] {
                Node::Step(label, goal) => {
                    let goal = &sets[*goal as usize];
                    run.extend(step_into(graph, state, *label, goal));
                }
                Node::Until(path, label, goal) => {
                    let (path, goal) = (&sets[*path as usize], &sets[*goal as usize]);
                    run.extend(until(graph, state, path, *label, goal));
                }
                _ => unreachable!("a chain has modalities only"),
            }
            state = run.last().map_or(state, |step| step.2);
        }
        run
    }

    fn is_modal(&self, id: Id) -> bool {
        matches!(self.nodes[id as usize], Node::Step(..) | Node::Until(..))
    }
}

/// A step with a label from a state to one of `goal`.
fn step_into(graph: &Graph, state: u32, label: u32, goal: &Bits) -> Option<Step> {
    let target = graph.targets(state, label).iter().find(|&&target| goal.has(target));
    target.map(|&target| (state, label, target))
}

/// The fewest internal steps through states of `path` to one of `goal`, or to one of `path` with a
/// step `label` to one of `goal`, and that step.
fn until(graph: &Graph, start: u32, path: &Bits, label: Option<u32>, goal: &Bits) -> Vec<Step> {
    let mut before: FxHashMap<u32, Option<Step>> = FxHashMap::from_iter([(start, None)]);
    let mut order = vec![start];
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        // Whether the internal steps may end here, and the step that follows them.
        let (ends, last) = match label {
            None => (goal.has(state), None),
            Some(label) => {
                let step = step_into(graph, state, label, goal).filter(|_| path.has(state));
                (step.is_some(), step)
            }
        };
        if !ends {
            meet_more(graph, state, path, &mut before, &mut order);
            continue;
        }
        let mut steps: Vec<Step> = last.into_iter().collect();
        let mut at = state;
        while let Some(step) = before[&at] {
            steps.push(step);
            at = step.0;
        }
        steps.reverse();
        return steps;
    }
    Vec::new()
}

/// Meets the states that an internal step from a state of `path` leads to.
fn meet_more(
    graph: &Graph,
    state: u32,
    path: &Bits,
    before: &mut FxHashMap<u32, Option<Step>>,
    order: &mut Vec<u32>,
) {
    let Some(tau) = graph.tau.filter(|_| path.has(state)) else { return };
    for &target in graph.targets(state, tau) {
        before.entry(target).or_insert_with(|| {
            order.push(target);
            Some((state, tau, target))
        });
    }
}
