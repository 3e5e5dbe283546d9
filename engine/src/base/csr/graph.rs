//! The transitions of an LTS as a sorted set.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::csr::grouped::Grouped;
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::lts::Lts;
use crate::base::memory::room;

/// A transition: source, label and target.
pub type Transition = (State, Label, State);

/// The transitions of an LTS as a set, sorted by source, label and target.
///
/// Invariant: no two transitions are equal. Labels are numbered as in the LTS; if internal labels
/// are merged, all of them are replaced by the first.
pub struct Graph {
    pub initial: State,
    pub states: usize,
    pub labels: usize,
    pub forward: Forward<'static>,
    /// The (first) internal label, if there is one.
    pub tau: Option<Label>,
}

impl Graph {
    /// The graph of an LTS; with `merge_internal`, all internal labels become one.
    pub fn new(lts: &Lts, merge_internal: bool, cancel: &Cancel) -> Result<Self> {
        let tau = lts.internal.first().copied();
        let mut names: Vec<Label> = (0..u32::at(lts.labels.len())).map(Label).collect();
        if merge_internal && let Some(tau) = tau {
            for &label in lts.internal.iter() {
                names[label] = tau;
            }
        }
        let transition = |t: usize| (lts.source[t], names[lts.label[t]], lts.target[t]);
        let transitions = (0..lts.transitions()).map(transition);
        let states = (lts.initial, lts.states as usize);
        Self::grouped(states, (lts.labels.len(), tau), transitions, cancel)
    }

    /// The graph of a list of transitions, in any order and with duplicates.
    pub fn from_transitions(
        (initial, states): (State, usize),
        (labels, tau): (usize, Option<Label>),
        transitions: &[Transition],
        cancel: &Cancel,
    ) -> Result<Self> {
        Self::grouped((initial, states), (labels, tau), transitions.iter().copied(), cancel)
    }

    fn grouped(
        (initial, states): (State, usize),
        (labels, tau): (usize, Option<Label>),
        transitions: impl Iterator<Item = Transition> + Clone,
        cancel: &Cancel,
    ) -> Result<Self> {
        let steps = transitions.map(|(source, label, target)| (source, (label, target)));
        let mut steps = Grouped::checked(states, || steps.clone(), cancel)?;
        let mut unchecked = 0;
        let mut starts = room(states + 1);
        let (mut labels_of, mut target) = (room(steps.items().len()), room(steps.items().len()));
        for steps in steps.groups_mut() {
            cancel.check_every(&mut unchecked, steps.len() + 1)?;
            starts.push(u32::at(target.len()));
            steps.sort_unstable();
            for group in steps.chunk_by(|left, right| left == right) {
                labels_of.push(group[0].0);
                target.push(group[0].1);
            }
        }
        starts.push(u32::at(target.len()));
        let forward = Forward { starts, label: labels_of.into(), target: target.into() };
        Ok(Self { initial, states, labels, forward, tau })
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.forward.target.len()
    }

    /// The states in the order of their numbers.
    pub fn each_state(
        &self,
    ) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator + Clone + use<> {
        self.forward.each_state()
    }

    /// All transitions, sorted.
    pub fn all(&self) -> impl Iterator<Item = Transition> {
        self.each_state().flat_map(|s| self.steps(s).map(move |(a, t)| (s, a, t)))
    }

    /// All transitions, with every state s replaced by `of(s)`.
    pub fn renamed(&self, of: impl Fn(State) -> State, cancel: &Cancel) -> Result<Vec<Transition>> {
        let mut transitions = room(self.transitions());
        self.all().enumerate().try_for_each(|(at, (s, a, t))| {
            transitions.push((of(s), a, of(t)));
            cancel.check_at(at)
        })?;
        Ok(transitions)
    }

    /// The labels and targets of the transitions of a state.
    #[inline]
    pub fn steps(&self, state: State) -> impl ExactSizeIterator<Item = (Label, State)> {
        self.forward.steps(state)
    }

    /// The targets of the transitions of a state with this label.
    pub fn targets(&self, state: State, label: Label) -> &[State] {
        let range = self.forward.range(state);
        let labels = &self.forward.label[range.clone()];
        let from = range.start + labels.partition_point(|&a| a < label);
        let to = range.start + labels.partition_point(|&a| a <= label);
        &self.forward.target[from..to]
    }

    /// The quotient by a partition: `block[s]` is the block of state s, a number below `blocks`.
    pub fn quotient(&self, block: &[Block], blocks: usize, cancel: &Cancel) -> Result<Self> {
        let of = |state: State| block[state].state();
        let transitions = self.renamed(of, cancel)?;
        let states = (of(self.initial), blocks);
        Self::from_transitions(states, (self.labels, self.tau), &transitions, cancel)
    }
}

#[cfg(test)]
impl Graph {
    /// The graph of transitions given by numbers, with initial state 0.
    pub fn of_numbers(
        states: usize,
        labels: usize,
        tau: Option<Label>,
        transitions: &[(u32, u32, u32)],
    ) -> Self {
        let transitions: Vec<_> =
            transitions.iter().map(|&(s, a, t)| (State(s), Label(a), State(t))).collect();
        let graph = Self::from_transitions(
            (State(0), states),
            (labels, tau),
            &transitions,
            &Cancel::never(),
        );
        graph.expect("it is never cancelled")
    }
}
