//! Distinguishing formulas for two states, one of which does not simulate the other.

use crate::base::cancel::{Cancel, Limited};
use crate::base::csr::graph::Graph;
use crate::base::ids::{Label, State};
use crate::formula::{Formulas, Id};
use crate::preorder::formula_of_removal;
use crate::preorder::formula_of_removal::{Events, Log, Pair, Why};
use crate::preorder::simulation::Simulation;
use crate::preorder::simulation::refinement::Refinement;

/// A formula that holds in state `low` and not in `high`, which does not simulate it. Repeats the
/// refinement, with a log, until the states are separated.
pub fn unsimulated(
    graph: &Graph,
    kind: Simulation,
    (low, high): (State, State),
    cancel: &Cancel,
) -> Limited<(Formulas, Id)> {
    let mut refinement = Refinement::new(graph, kind == Simulation::Ready, usize::MAX, cancel)?;
    refinement.log = Some(Log::new(refinement.above.len()));
    let block = |refinement: &Refinement, state: State| refinement.blocks.of(state);
    while refinement.above[block(&refinement, low)].has(block(&refinement, high)) {
        cancel.check()?;
        assert!(refinement.process_next()?, "states that are not similar are separated");
    }
    let Refinement { log, blocks, .. } = refinement;
    let mut log = log.unwrap_or_default();
    log.finish();
    let node = log.node(blocks.of(low));
    let mut removed = Removed { graph, kind, log, position: blocks.into_positions() };
    let first = Pair { why: removed.why(node, low, high), right: high };
    Ok(formula_of_removal::explain(&mut removed, first, cancel)?)
}

/// The log of the refinement, as the events for [`formula_of_removal`].
struct Removed<'a> {
    graph: &'a Graph,
    kind: Simulation,
    log: Log,
    position: Vec<u32>,
}

impl Removed<'_> {
    /// The reason why a state is not above a block with the member `member`.
    fn why(&self, node: u32, member: State, state: State) -> Why {
        if let Some(event) = self.log.removed(node, self.position[state]) {
            return Why::Event(event);
        }
        let lacks =
            |state| move |&(label, _): &(Label, State)| self.graph.targets(state, label).is_empty();
        let mut missing = self.graph.steps(member);
        if let Some((label, _)) = missing.find(lacks(state)) {
            return Why::Offers { label, missing: true };
        }
        let more = self.graph.steps(state).find(lacks(member));
        let (label, _) = more.expect("states with the same offers are separated by an event");
        Why::Offers { label, missing: false }
    }
}

impl Events for Removed<'_> {
    fn pairs(&mut self, event: u32, right: State, pairs: &mut Vec<Pair>) {
        let event = self.log.event(event);
        let answers = self.graph.targets(right, event.label).iter();
        pairs.extend(answers.map(|&answer| Pair {
            why: self.why(event.node, event.member, answer),
            right: answer,
        }));
    }

    fn formula(&self, event: u32, inner: Id, formulas: &mut Formulas) -> Id {
        self.step(self.log.event(event).label, inner, formulas)
    }

    fn step(&self, label: Label, inner: Id, formulas: &mut Formulas) -> Id {
        if self.kind == Simulation::Weak {
            let truth = formulas.truth();
            return formulas.until(truth, Some(label), inner);
        }
        formulas.step(label, inner)
    }

    fn negates(&self, _event: u32) -> bool {
        false
    }
}
