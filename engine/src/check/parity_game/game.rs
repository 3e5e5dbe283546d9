//! The parity game of a formula and a system (Stirling, Local model checking games, 1995).
//! Positions are pairs of a part of the formula and a state, those reachable from the whole formula
//! in the queried states.

use crate::base::cancel::{Cancel, Limited, NoResult};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::Id;
use crate::base::ids::{NONE, State};
use crate::base::lts::Lts;
use crate::base::stages::Measure;
use crate::check::parity_game::formula::{Formula, Part, Parts};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The transition of an edge that is not a step of the system.
pub const NO_TRANSITION: u32 = u32::MAX;

/// A parity game. Player 0 tries to show that the formula holds. A player that cannot move loses;
/// an infinite play is won by the parity of the greatest priority that occurs infinitely often,
/// even for player 0. Position 0 is the initial one.
pub struct Arena {
    /// The player that moves at each position.
    pub owner: Vec<u8>,
    pub priority: Vec<u32>,
    pub starts: Vec<usize>,
    pub targets: Vec<u32>,
    /// For every edge, up to the last that is a step, its transition in the system or
    /// [`NO_TRANSITION`].
    transitions: Vec<u32>,
}

impl Default for Arena {
    fn default() -> Self {
        let (owner, priority, targets, transitions) = Default::default();
        Self { owner, priority, starts: vec![0], targets, transitions }
    }
}

impl Arena {
    /// The game of part `root` of a formula in some states. These must be distinct; they are the
    /// first positions, in their order. Fails with [`NoResult::Limit`] beyond `most` positions.
    pub fn new<F: Formula>(
        lts: &Lts,
        parts: &mut Parts<F>,
        root: u32,
        states: impl Iterator<Item = State>,
        most: usize,
        cancel: &Cancel,
    ) -> Limited<Self> {
        let outgoing = Outgoing::of_lts(lts);
        let mut positions = Positions::new(lts.states as usize);
        for state in states {
            positions.number(root, state);
        }
        let mut arena = Self::default();
        let stage = cancel.stage("positions", Measure::Growing);
        let (mut next, mut inner) = (0, Vec::new());
        while let Some(&(part, state)) = positions.visited.get(next) {
            stage.check_after(1)?;
            if positions.visited.len() > most.min(u32::MAX as usize - 1) {
                return Err(NoResult::Limit);
            }
            next += 1;
            let part = parts.part(part)?.clone();
            match &part {
                Part::And(inner) | Part::Or(inner) => {
                    for &inner in inner {
                        arena.edge(positions.number(inner, state), NO_TRANSITION);
                    }
                }
                Part::Can(set, after) | Part::Must(set, after) => {
                    for &transition in outgoing.of(state) {
                        let label = lts.label[transition as usize];
                        let text = (label, lts.labels.get(label));
                        inner.clear();
                        parts.lead(*set, *after, text, &mut inner)?;
                        for &inner in &inner {
                            let target = lts.target[transition as usize];
                            arena.edge(positions.number(inner, target), transition);
                        }
                    }
                }
                &Part::OneOf(number) | &Part::EachOf(number) => {
                    let labels = outgoing.of(state).iter();
                    let labels = labels.map(|&transition| lts.label[transition as usize].0);
                    for &inner in parts.here(number, labels, |label| lts.labels.get(label))? {
                        arena.edge(positions.number(inner, state), NO_TRANSITION);
                    }
                }
                Part::Fixed(_, inner) => arena.edge(positions.number(*inner, state), NO_TRANSITION),
            }
            arena.close(part.owner(), part.priority());
        }
        Ok(arena)
    }

    /// Adds an edge of the position to be closed next.
    pub fn edge(&mut self, target: u32, transition: u32) {
        if transition != NO_TRANSITION {
            self.transitions.resize(self.targets.len(), NO_TRANSITION);
            self.transitions.push(transition);
        }
        self.targets.push(target);
    }

    /// The transition of an edge in the system, or [`NO_TRANSITION`].
    pub fn transition(&self, edge: usize) -> u32 {
        self.transitions.get(edge).copied().unwrap_or(NO_TRANSITION)
    }

    /// The position that an edge leaves.
    pub fn source(&self, edge: usize) -> u32 {
        u32::at(self.starts.partition_point(|&start| start <= edge) - 1)
    }

    /// Turns edges into steps, each with its own number as its transition.
    #[cfg(test)]
    pub fn steps(&mut self, edges: &[usize]) {
        self.transitions = vec![NO_TRANSITION; self.targets.len()];
        edges.iter().for_each(|&edge| self.transitions[edge] = edge as u32);
    }

    /// Adds a position whose edges are those added since the last call.
    pub fn close(&mut self, owner: u8, priority: u32) {
        self.owner.push(owner);
        self.priority.push(priority);
        self.starts.push(self.targets.len());
    }

    /// The result of `work` on the game extended to `count` positions, where this player owns the
    /// additional ones and is stuck there, hence loses.
    pub fn with_stuck<T>(&mut self, count: usize, player: u8, work: impl FnOnce(&Self) -> T) -> T {
        let made = self.len();
        for _ in made..count {
            self.close(player, 0);
        }
        let result = work(self);
        self.owner.truncate(made);
        self.priority.truncate(made);
        self.starts.truncate(made + 1);
        result
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.owner.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.owner.is_empty()
    }

    /// The range of the edges of a position.
    pub fn edges(&self, position: u32) -> Range<usize> {
        self.starts[position as usize]..self.starts[position as usize + 1]
    }
}

/// A part gets a list of all states once it has been visited with more than one in `SHARE`
/// of them.
const SHARE: usize = 32;

/// The positions visited so far, as (part, state), and their numbers.
struct Positions {
    visited: Vec<(u32, State)>,
    /// For every part, the number of states visited with it and, once these are many, their
    /// positions by state.
    by_state: Vec<(usize, Vec<u32>)>,
    /// The positions of parts without such a list, which save memory: a formula may have as many
    /// parts as the system has states.
    few: FxHashMap<(u32, State), u32>,
    states: usize,
}

impl Positions {
    fn new(states: usize) -> Self {
        Self { visited: Vec::new(), by_state: Vec::new(), few: FxHashMap::default(), states }
    }

    fn number(&mut self, part: u32, state: State) -> u32 {
        if self.by_state.len() <= part as usize {
            self.by_state.resize(part as usize + 1, (0, Vec::new()));
        }
        let (count, positions) = &mut self.by_state[part as usize];
        if let Some(&known) = positions.get(state.index()).filter(|&&known| known != NONE) {
            return known;
        }
        if let Some(&known) = self.few.get(&(part, state)) {
            return known;
        }
        let new = u32::at(self.visited.len());
        self.visited.push((part, state));
        *count += 1;
        if positions.is_empty() && *count * SHARE > self.states {
            positions.resize(self.states, NONE);
        }
        match positions.get_mut(state.index()) {
            Some(position) => *position = new,
            None => {
                self.few.insert((part, state), new);
            }
        }
        new
    }
}
