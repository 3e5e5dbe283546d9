//! Formulas from the refinement of a simulation: what tells states apart that many steps, and many
//! others, lie between.
//!
//! A simulation is what remains when pairs are removed, event by event. All pairs that one event
//! removed are told apart by one formula, which asks for those of earlier events only: so there are
//! no more formulas than events, however many ways lead to them.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::{Block, Label, NONE, State};
use crate::base::memory::room;
use crate::formula::{Formulas, Id};
use std::collections::BTreeMap;

/// Why a pair was removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Before the first event: the left state has steps with this label, and the right one has none; or
    /// the other way round, if that counts and `missing` is false.
    Offers { label: Label, missing: bool },
    /// By the event of this number.
    Event(u32),
}

/// A pair that is to be told apart: why it was removed, and its right state.
pub struct Pair {
    pub why: Why,
    pub right: State,
}

/// The events that removed the pairs of a relation.
pub trait Events {
    /// Adds the pairs that are to be told apart so that the formula of an event does not hold in a
    /// state, the right one of a pair that it removed. All were removed before it.
    fn pairs(&mut self, event: u32, right: State, found: &mut Vec<Pair>);

    /// The formula of an event, of the conjunction of what tells its pairs apart; negated parts if
    /// [`Events::negates`].
    fn formula(&self, event: u32, inner: Id, formulas: &mut Formulas) -> Id;

    /// The formula of a step with a label to where a formula holds.
    fn step(&self, label: Label, inner: Id, formulas: &mut Formulas) -> Id {
        formulas.step(label, inner)
    }

    /// Whether the right states of its pairs are those where their formulas are to hold.
    fn negates(&self, event: u32) -> bool;
}

/// The formula that holds in the left state of a pair and not in the right one.
pub fn explain(events: &mut impl Events, first: Pair, cancel: &Cancel) -> Result<(Formulas, Id)> {
    let mut queried: BTreeMap<u32, Vec<State>> = BTreeMap::new();
    // The parts of every formula that is needed; later events before those that they ask for.
    let mut needed: Vec<(u32, Vec<Why>)> = Vec::new();
    let ask = |pair: &Pair, queried: &mut BTreeMap<u32, Vec<State>>| {
        if let Why::Event(event) = pair.why {
            queried.entry(event).or_default().push(pair.right);
        }
    };
    ask(&first, &mut queried);
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
                ask(&pair, &mut queried);
                parts.push(pair.why);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        needed.push((event, parts));
    }
    let mut formulas = Formulas::default();
    let mut found: BTreeMap<u32, Id> = BTreeMap::new();
    for (event, parts) in needed.into_iter().rev() {
        let mut ids = room(parts.len());
        for part in parts {
            let id = of(events, part, &found, &mut formulas);
            ids.push(if events.negates(event) { formulas.not(id) } else { id });
        }
        let inner = formulas.and(ids);
        let id = events.formula(event, inner, &mut formulas);
        found.insert(event, id);
    }
    let id = of(events, first.why, &found, &mut formulas);
    Ok((formulas, id))
}

fn of(events: &impl Events, why: Why, found: &BTreeMap<u32, Id>, formulas: &mut Formulas) -> Id {
    match why {
        Why::Event(event) => found[&event],
        Why::Offers { label, missing } => {
            let truth = formulas.truth();
            let step = events.step(label, truth, formulas);
            if missing { step } else { formulas.not(step) }
        }
    }
}

/// What was removed from an order of blocks that are split: a tree of blocks, and for every block the
/// states that were found not to be above it.
///
/// States are told by their places in a list in which every block, and every one that it was a part
/// of, is a range.
#[derive(Default)]
pub struct Log {
    /// The node of every block as it is now.
    node: Vec<u32>,
    /// For every node the nearest one around it that something was removed from.
    around: Vec<u32>,
    /// For every node the first place of what was removed, the one past it, and the event.
    lost: Vec<Vec<(u32, u32, u32)>>,
    events: Vec<Event>,
}

/// That states without a step to what is above a block are not above those that have one into it.
#[derive(Clone, Copy)]
pub struct Event {
    pub label: Label,
    /// The node of the block.
    pub node: u32,
    /// A state of the block.
    pub member: State,
}

impl Log {
    /// Nothing was removed yet from the order of these many blocks.
    pub fn new(blocks: usize) -> Self {
        let node = (0..blocks as u32).collect();
        let (around, lost) = (vec![NONE; blocks], vec![Vec::new(); blocks]);
        Self { node, around, lost, events: Vec::new() }
    }

    /// The event that begins: it is about the steps with a label into a block.
    pub fn begin(&mut self, label: Label, block: Block, member: State) {
        self.events.push(Event { label, node: self.node[block], member });
    }

    /// A block was split; the new one has the next number.
    pub fn split(&mut self, block: Block) {
        let node = self.node[block];
        let nothing = self.lost[node as usize].is_empty();
        let around = if nothing { self.around[node as usize] } else { node };
        let next = self.around.len() as u32;
        self.node[block] = next;
        self.node.push(next + 1);
        self.around.extend([around; 2]);
        self.lost.extend([const { Vec::new() }; 2]);
    }

    /// The event removes the states in a range from those above a block.
    pub fn remove(&mut self, block: Block, range: std::ops::Range<u32>) {
        let event = self.events.len() as u32 - 1;
        self.lost[self.node[block] as usize].push((range.start, range.end, event));
    }

    /// Nothing more is to come.
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

    /// The event by which the state in a place was removed from those above a node; none if it was never
    /// among them, or still is.
    pub fn removed(&self, mut node: u32, place: u32) -> Option<u32> {
        while node != NONE {
            let lost = &self.lost[node as usize];
            let at = lost.partition_point(|range| range.0 <= place);
            if let Some(&(_, past, event)) = lost[..at].last()
                && place < past
            {
                return Some(event);
            }
            node = self.around[node as usize];
        }
        None
    }
}
