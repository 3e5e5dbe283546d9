//! The parity game of a formula and a system (Stirling, Local model checking games, 1995): positions
//! are a part of the formula and a state, those that can be reached from the formula and the initial
//! state.

use crate::base::cancel::{Poll, Stop, go_on};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::NONE;
use crate::base::lts::Lts;
use rustc_hash::FxHashMap;

/// A part of a formula in positive normal form; parts are numbered, a fixed point variable is the
/// number of its fixed point.
#[derive(Clone, Debug)]
pub enum Part {
    And(Vec<u32>),
    Or(Vec<u32>),
    /// Some step with a label of this set leads to the part.
    Can(u32, u32),
    /// All steps with a label of this set lead to the part.
    Must(u32, u32),
    /// A fixed point with its priority: even for a greatest one.
    Fixed(u32, u32),
}

/// No row: an edge that is no step of the system.
pub const NO_ROW: u32 = u32::MAX;

/// A parity game. Player 0 wants the formula to hold; a player that cannot move loses; else the
/// greatest priority that comes again and again decides, even for player 0. Position 0 is the first.
pub struct Arena {
    /// The player that moves from a position.
    pub owner: Vec<u8>,
    pub priority: Vec<u32>,
    pub starts: Vec<usize>,
    pub targets: Vec<u32>,
    /// For every edge the row of the system that it is, or [`NO_ROW`].
    pub rows: Vec<u32>,
}

impl Arena {
    /// The game of part `root` of a formula; `labels[set]` says of every label whether it is in the
    /// set. More than `most` positions are a [`Stop::Limit`].
    pub fn new(
        lts: &Lts,
        parts: &[Part],
        root: u32,
        labels: &[Vec<bool>],
        most: usize,
        poll: Poll,
    ) -> Result<Self, Stop> {
        let outgoing = Outgoing::rows(lts);
        let mut positions = Positions::new(parts.len(), lts.states as usize);
        positions.number(root, lts.initial);
        let (mut owner, mut priority) = (Vec::new(), Vec::new());
        let (mut starts, mut targets, mut rows) = (vec![0], Vec::new(), Vec::new());
        let mut next = 0;
        while let Some(&(part, state)) = positions.met.get(next) {
            go_on(poll)?;
            if positions.met.len() > most.min(u32::MAX as usize - 1) {
                return Err(Stop::Limit);
            }
            next += 1;
            let part = &parts[part as usize];
            owner.push(u8::from(matches!(part, Part::And(_) | Part::Must(..))));
            priority.push(if let Part::Fixed(priority, _) = part { *priority } else { 0 });
            match part {
                Part::And(inner) | Part::Or(inner) => {
                    for &inner in inner {
                        targets.push(positions.number(inner, state));
                        rows.push(NO_ROW);
                    }
                }
                Part::Can(set, inner) | Part::Must(set, inner) => {
                    for &row in outgoing.of(state) {
                        if labels[*set as usize][lts.label[row as usize] as usize] {
                            let target = lts.target[row as usize];
                            targets.push(positions.number(*inner, target));
                            rows.push(row);
                        }
                    }
                }
                Part::Fixed(_, inner) => {
                    targets.push(positions.number(*inner, state));
                    rows.push(NO_ROW);
                }
            }
            starts.push(targets.len());
        }
        Ok(Self { owner, priority, starts, targets, rows })
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.owner.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.owner.is_empty()
    }

    /// Where the edges of a position are.
    pub fn edges(&self, position: u32) -> std::ops::Range<usize> {
        self.starts[position as usize]..self.starts[position as usize + 1]
    }
}

/// A part has a row with all states once it was met with one in so many.
const SHARE: usize = 32;

/// The positions that were met, as (part, state), and their numbers.
struct Positions {
    met: Vec<(u32, u32)>,
    /// For every part how many states it was met with, and their positions once these are many.
    rows: Vec<(usize, Vec<u32>)>,
    /// The positions that were met before there was a row: a formula may have as many parts as there
    /// are states.
    few: FxHashMap<(u32, u32), u32>,
    states: usize,
}

impl Positions {
    fn new(parts: usize, states: usize) -> Self {
        let rows = vec![(0, Vec::new()); parts];
        Self { met: Vec::new(), rows, few: FxHashMap::default(), states }
    }

    fn number(&mut self, part: u32, state: u32) -> u32 {
        let (count, row) = &mut self.rows[part as usize];
        if let Some(&known) = row.get(state as usize).filter(|&&known| known != NONE) {
            return known;
        }
        if let Some(&known) = self.few.get(&(part, state)) {
            return known;
        }
        let new = self.met.len() as u32;
        self.met.push((part, state));
        *count += 1;
        if row.is_empty() && *count * SHARE > self.states {
            row.resize(self.states, NONE);
        }
        match row.get_mut(state as usize) {
            Some(place) => *place = new,
            None => {
                self.few.insert((part, state), new);
            }
        }
        new
    }
}
