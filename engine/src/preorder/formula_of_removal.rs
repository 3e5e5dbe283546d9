//! Distinguishing formulas from the refinement of a simulation, for states that a game is too large
//! for.
//!
//! The refinement starts with all pairs and removes some of them, event by event. One formula per
//! event distinguishes all pairs that the event removed. It uses formulas of earlier events only,
//! so there are no more formulas than events, however many paths lead to them.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id as _;
use crate::base::ids::{Block, Label, NONE, State};
use crate::base::memory::room;
use crate::formula::{Formulas, Id};
use std::collections::BTreeMap;

/// The reason why a pair was removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Before the first event: the left state has steps with this label and the right one has none
    /// (`missing`), or the other way round, if the relation requires equal offers.
    Offers { label: Label, missing: bool },
    /// The event with this number.
    Event(u32),
}

/// A pair to distinguish: the reason why it was removed, and its right state.
pub struct Pair {
    pub why: Why,
    pub right: State,
}

/// The events that removed the pairs of a relation.
pub trait Events {
    /// Adds to `pairs` the pairs to distinguish so that the formula of an event does not hold in
    /// `right`, the right state of a pair that the event removed. All of them were removed earlier.
    fn pairs(&mut self, event: u32, right: State, pairs: &mut Vec<Pair>);

    /// The formula of an event, where `inner` is the conjunction of the formulas of its pairs,
    /// negated if [`Events::negates`].
    fn formula(&self, event: u32, inner: Id, formulas: &mut Formulas) -> Id;

    /// The formula "a step with `label` to a state where `inner` holds".
    fn step(&self, label: Label, inner: Id, formulas: &mut Formulas) -> Id {
        formulas.step(label, inner)
    }

    /// Whether the formulas of the event's pairs are negated, since their roles of left and right
    /// are swapped.
    fn negates(&self, event: u32) -> bool;
}

/// A relation that starts with all pairs of states and loses pairs until it is stable.
pub trait Refinement {
    /// Why pairs are removed.
    type Cause: Copy + PartialEq;

    /// Whether the pair is still in the relation.
    fn has(&self, left: State, right: State) -> bool;

    /// Processes one item of the worklist and passes every removed pair, with its cause, to
    /// `removed`. Returns false if the worklist was empty.
    fn process_next(
        &mut self,
        removed: &mut impl FnMut(Self::Cause, State, State),
        cancel: &Cancel,
    ) -> Result<bool>;
}

/// Repeats a refinement of the pairs of `states` states until it removes the pair (low, high),
/// which it does. Returns, in row-major order, for every pair the event that removed it, and the
/// causes of the events. Memory is 32 times that of a relation in bits.
pub fn recorded<R: Refinement>(
    mut refinement: R,
    states: usize,
    (low, high): (State, State),
    cancel: &Cancel,
) -> Result<(Vec<u32>, Vec<R::Cause>)> {
    let mut when = vec![u32::MAX; states * states];
    let mut events = Vec::new();
    while refinement.has(low, high) {
        cancel.check()?;
        // Each call makes a new event, even for a repeated cause: an earlier removal with the same
        // cause may be a reason of this one.
        let known = events.len();
        let mut removed = |cause, left: State, right: State| {
            if events.len() == known || events.last() != Some(&cause) {
                events.push(cause);
            }
            when[left.index() * states + right.index()] = u32::at(events.len()) - 1;
        };
        let more = refinement.process_next(&mut removed, cancel)?;
        assert!(more, "the refinement separates states that are not similar");
    }
    Ok((when, events))
}

/// The formula that holds in the left state of a pair and not in the right one.
pub fn explain(events: &mut impl Events, first: Pair, cancel: &Cancel) -> Result<(Formulas, Id)> {
    let mut queried: BTreeMap<u32, Vec<State>> = BTreeMap::new();
    // For every event that is needed the parts of its formula; later events come before those that
    // they use.
    let mut needed: Vec<(u32, Vec<Why>)> = Vec::new();
    let query = |pair: &Pair, queried: &mut BTreeMap<u32, Vec<State>>| {
        if let Why::Event(event) = pair.why {
            queried.entry(event).or_default().push(pair.right);
        }
    };
    query(&first, &mut queried);
    let mut pairs = Vec::new();
    while let Some((event, mut lacking)) = queried.pop_last() {
        cancel.check()?;
        lacking.sort_unstable();
        lacking.dedup();
        let mut parts = Vec::new();
        for right in lacking {
            events.pairs(event, right, &mut pairs);
            for pair in pairs.drain(..) {
                debug_assert!(pair.why < Why::Event(event), "pairs are removed before it");
                query(&pair, &mut queried);
                parts.push(pair.why);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        needed.push((event, parts));
    }
    let mut formulas = Formulas::default();
    let mut formula_of: BTreeMap<u32, Id> = BTreeMap::new();
    for (event, parts) in needed.into_iter().rev() {
        let mut ids = room(parts.len());
        for part in parts {
            let id = of(events, part, &formula_of, &mut formulas);
            ids.push(if events.negates(event) { formulas.not(id) } else { id });
        }
        let inner = formulas.and(ids);
        let id = events.formula(event, inner, &mut formulas);
        formula_of.insert(event, id);
    }
    let id = of(events, first.why, &formula_of, &mut formulas);
    Ok((formulas, id))
}

fn of(
    events: &impl Events,
    why: Why,
    formula_of: &BTreeMap<u32, Id>,
    formulas: &mut Formulas,
) -> Id {
    match why {
        Why::Event(event) => formula_of[&event],
        Why::Offers { label, missing } => {
            let truth = formulas.truth();
            let step = events.step(label, truth, formulas);
            if missing { step } else { formulas.not(step) }
        }
    }
}

/// The removals from an order of blocks that are split: a tree of blocks, and for every block the
/// states that were removed from those above it.
///
/// States are given by their positions in a list in which every block, current or earlier, is a
/// range.
#[derive(Default)]
pub struct Log {
    /// The node of every current block.
    node: Vec<u32>,
    /// For every node its nearest ancestor with removals.
    around: Vec<u32>,
    /// For every node its removals: the first position, the position past the last one, and the
    /// event.
    lost: Vec<Vec<(u32, u32, u32)>>,
    events: Vec<Event>,
}

/// The event that states without a `label`-step to above a block are removed from above the states
/// with a `label`-step into the block.
#[derive(Clone, Copy)]
pub struct Event {
    pub label: Label,
    /// The node of the block.
    pub node: u32,
    /// A state of the block.
    pub member: State,
}

impl Log {
    /// The log before any removal, for `blocks` blocks.
    pub fn new(blocks: usize) -> Self {
        let node = (0..u32::at(blocks)).collect();
        let (around, lost) = (vec![NONE; blocks], vec![Vec::new(); blocks]);
        Self { node, around, lost, events: Vec::new() }
    }

    /// Begins the event of the steps with a label into a block.
    pub fn begin(&mut self, label: Label, block: Block, member: State) {
        self.events.push(Event { label, node: self.node[block], member });
    }

    /// Records that a block was split; the new block has the next number.
    pub fn split(&mut self, block: Block) {
        let node = self.node[block];
        let nothing = self.lost[node as usize].is_empty();
        let around = if nothing { self.around[node as usize] } else { node };
        let next = u32::at(self.around.len());
        self.node[block] = next;
        self.node.push(next + 1);
        self.around.extend([around; 2]);
        self.lost.extend([const { Vec::new() }; 2]);
    }

    /// Records that the current event removes the states in a range from those above a block.
    pub fn remove(&mut self, block: Block, range: std::ops::Range<u32>) {
        let event = u32::at(self.events.len()) - 1;
        self.lost[self.node[block] as usize].push((range.start, range.end, event));
    }

    /// Ends the log: sorts the removals for [`Self::removed`].
    pub fn finish(&mut self) {
        self.lost.iter_mut().for_each(|lost| lost.sort_unstable());
    }

    pub fn event(&self, number: u32) -> Event {
        self.events[number as usize]
    }

    /// The node of a block.
    pub fn node(&self, block: Block) -> u32 {
        self.node[block]
    }

    /// The event that removed the state at a position from those above a node; `None` if none did.
    pub fn removed(&self, mut node: u32, position: u32) -> Option<u32> {
        while node != NONE {
            let lost = &self.lost[node as usize];
            let at = lost.partition_point(|range| range.0 <= position);
            if let Some(&(_, past, event)) = lost[..at].last()
                && position < past
            {
                return Some(event);
            }
            node = self.around[node as usize];
        }
        None
    }
}
