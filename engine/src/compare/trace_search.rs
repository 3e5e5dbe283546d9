//! Comparison by traces, failures and divergences: the search for a difference, and its path.

use crate::base::cancel::{Cancel, Limited, NoResult, Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::{Label, State};
use crate::compare::disjoint_union::{Classes, Systems, without_silent_loops};
use crate::compare::replay;
use crate::compare::{Comparison, Evidence, Name, Witness};
use crate::ops::divergence::{Divergence, divergence};
use crate::preorder::failures::{difference, finer};
use crate::preorder::model::{Bounds, Difference, Model};

/// The number of members of sets that may be visited per pair, before and after reduction.
const NEAR_WORK: usize = 64;
const FAR_WORK: usize = 2048;

impl Systems {
    /// A difference: what one system can do and the other cannot, and whether the left system is
    /// the one that can. If both directions are checked, the shorter difference.
    pub fn refinement(
        &self,
        model: Model,
        both: bool,
        cancel: &Cancel,
    ) -> Limited<Option<(Difference, bool)>> {
        let divergent = self.divergence(model, cancel)?.divergent;
        let near = self.near().min(self.limits.states);
        let near = Bounds { pairs: near, work: near.saturating_mul(NEAR_WORK) };
        let pair = (self.left, self.right);
        match shorter(&self.graph, model, pair, both, &divergent, near, cancel) {
            Err(NoResult::Limit) => {}
            result => return result,
        }
        // On fewer states there are fewer sets of states.
        let Some(least) = self.reduced(finer(model), cancel)? else { return Ok(None) };
        let facts = least.divergence(model, cancel)?;
        let Classes { graph: mut small, block, pair } = least.classes(finer(model), cancel)?;
        let of_blocks = |of_states: Vec<bool>| {
            let mut facts = vec![false; small.states];
            for (&block, fact) in block.iter().zip(of_states) {
                facts[block] |= fact;
            }
            facts
        };
        let (on_cycle, divergent) = (of_blocks(facts.on_cycle), of_blocks(facts.divergent));
        if !model.counts_internal() {
            small = without_silent_loops(&small, |block| !on_cycle[block], cancel)?;
        }
        let far = self.limits.states;
        let far = Bounds { pairs: far, work: far.saturating_mul(FAR_WORK) };
        shorter(&small, model, pair, both, &divergent, far, cancel)
    }

    /// The divergences, if the model observes them.
    fn divergence(&self, model: Model, cancel: &Cancel) -> Result<Divergence> {
        if !model.sees_divergence() {
            let nothing = || vec![false; self.graph.states];
            return Ok(Divergence { on_cycle: nothing(), divergent: nothing() });
        }
        divergence(&self.lts, cancel)
    }

    /// The negative result, with a path of one system. It is asserted that one system has the path
    /// and the other does not.
    pub fn path(
        &self,
        model: Model,
        of_left: bool,
        difference: &Difference,
        cancel: &Cancel,
    ) -> Result<Comparison> {
        let divergent = self.divergence(model, cancel)?.divergent;
        let (has, lacks) = if of_left { (self.left, self.right) } else { (self.right, self.left) };
        let path = replay::path(&self.graph, has, model, difference, &divergent, cancel)?;
        let allowed = replay::allows(&self.graph, lacks, model, difference, &divergent, cancel)?;
        let Some(path) = path.filter(|_| !allowed) else {
            unreachable!("a difference must be a behaviour of one system only")
        };
        let transitions = self.transition_numbers(&path, of_left);
        let end = difference.end.named(|label| self.name(label));
        let witness = Witness::Path { transitions, end };
        Ok(Comparison { holds: false, evidence: Some(Evidence { of_left, witness }) })
    }

    fn name(&self, label: Label) -> Name {
        let text = || self.lts.labels.get(label).to_vec();
        (Some(label) != self.graph.tau).then(text)
    }
}

/// A difference, and whether the left system has it. If `both` directions are checked, the shorter
/// one of those found within the limit.
fn shorter(
    graph: &Graph,
    model: Model,
    (left, right): (State, State),
    both: bool,
    divergent: &[bool],
    most: Bounds,
    cancel: &Cancel,
) -> Limited<Option<(Difference, bool)>> {
    let of_right = difference(graph, model, (left, right), divergent, usize::MAX, most, cancel);
    if !both || matches!(of_right, Err(NoResult::Stopped(_))) {
        return Ok(of_right?.map(|difference| (difference, false)));
    }
    let longest = match &of_right {
        Ok(Some(difference)) => difference.trace.len(),
        _ => usize::MAX,
    };
    let of_left = difference(graph, model, (right, left), divergent, longest, most, cancel);
    match (of_left, of_right) {
        (stopped @ Err(NoResult::Stopped(_)), _) => stopped.map(|_| None),
        (Ok(Some(a)), Ok(Some(b))) if a.trace.len() >= b.trace.len() => Ok(Some((b, false))),
        (Ok(Some(a)), _) => Ok(Some((a, true))),
        (_, Ok(Some(b))) => Ok(Some((b, false))),
        (Err(stop), _) | (_, Err(stop)) => Err(stop),
        (Ok(None), Ok(None)) => Ok(None),
    }
}
