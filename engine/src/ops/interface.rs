//! The part of a system that an interface allows: the transitions that both do in some pair of
//! states that they reach together (Krimm and Mounier, Compositional state space generation from
//! Lotos programs, 1997).

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::graph::Graph;
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::{Label, State};
use crate::base::lts::Lts;
use rustc_hash::FxHashSet;

/// The result of restricting a system by an interface.
pub struct Allowed {
    /// The system with the allowed transitions only.
    pub part: Lts,
    /// Source and label of the transitions that are not allowed although their source is reached;
    /// each pair once.
    pub left: [Vec<u32>; 2],
}

/// The part of `system` that `interface` allows.
///
/// `shared` gives for every label of the system the label of the interface that it synchronises
/// with: `None` if the system does it alone, [`Label::NONE`] if it needs the interface and the
/// interface has no such label. `is_alone` marks the labels that the interface does alone.
pub fn allowed(
    system: &Lts,
    interface: &Lts,
    shared: &[Option<Label>],
    is_alone: &[bool],
    cancel: &Cancel,
) -> Result<Allowed> {
    let (outgoing, other) = (Outgoing::of_lts(system), Graph::new(interface, false, cancel)?);
    let mut is_used = vec![false; system.transitions()];
    let mut is_reached = vec![false; system.states as usize];
    let start = (system.initial, interface.initial);
    let (mut seen, mut waiting) = (FxHashSet::from_iter([start]), vec![start]);
    let mut looked_at = 0;
    while let Some((state, beside)) = waiting.pop() {
        cancel.check_at(looked_at)?;
        looked_at += 1;
        is_reached[state] = true;
        let mut reach = |pair| {
            if seen.insert(pair) {
                waiting.push(pair);
            }
        };
        for (label, target) in other.steps(beside) {
            if is_alone[label.0 as usize] {
                reach((state, target));
            }
        }
        for &transition in outgoing.of(state) {
            let (label, target) =
                (system.label[transition as usize], system.target[transition as usize]);
            let others = match &shared[label.0 as usize] {
                None => std::slice::from_ref(&beside),
                Some(Label::NONE) => &[],
                Some(partner) => other.targets(beside, *partner),
            };
            is_used[transition as usize] |= !others.is_empty();
            others.iter().for_each(|&end| reach((target, end)));
        }
    }
    let transitions = || system.source.iter().zip(system.label.iter()).zip(&is_used);
    let mut known = FxHashSet::default();
    let left: Vec<(State, Label)> = transitions()
        .filter(|&((&source, _), &is_used)| !is_used && is_reached[source])
        .map(|((&source, &label), _)| (source, label))
        .filter(|&pair| known.insert(pair))
        .collect();
    let used = || transitions().zip(system.target.iter()).filter(|&((_, &is_used), _)| is_used);
    let columns = (
        used().map(|(((&source, _), _), _)| source).collect(),
        used().map(|(((_, &label), _), _)| label).collect(),
        used().map(|(_, &target)| target).collect(),
    );
    let (labels, internal) = (system.labels.clone(), system.internal.clone());
    Ok(Allowed {
        part: Lts::from_valid(system.initial, system.states, columns, labels, internal),
        left: [
            left.iter().map(|pair| pair.0.0).collect(),
            left.iter().map(|pair| pair.1.0).collect(),
        ],
    })
}
