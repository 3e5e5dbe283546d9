//! The parity game of a formula and a system (Stirling, Local model checking games, 1995): positions
//! are a part of the formula and a state, those that can be reached from the formula and the initial
//! state.

use crate::lts::Lts;
use crate::ops::outgoing::Outgoing;
use crate::stop::{Poll, Stop, go_on};

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
        let outgoing = Outgoing::new(lts);
        let states = lts.states as usize;
        // For every part that is met the positions of all states.
        let mut numbers: Vec<Vec<u32>> = vec![Vec::new(); parts.len()];
        let mut positions: Vec<(u32, u32)> = Vec::new();
        let mut number = |part: u32, state: u32, positions: &mut Vec<(u32, u32)>| {
            let row = &mut numbers[part as usize];
            if row.is_empty() {
                row.resize(states, u32::MAX);
            }
            let place = &mut row[state as usize];
            if *place == u32::MAX {
                *place = positions.len() as u32;
                positions.push((part, state));
            }
            *place
        };
        number(root, lts.initial, &mut positions);
        let (mut owner, mut priority) = (Vec::new(), Vec::new());
        let (mut starts, mut targets, mut rows) = (vec![0], Vec::new(), Vec::new());
        let mut next = 0;
        while let Some(&(part, state)) = positions.get(next) {
            go_on(poll)?;
            if positions.len() > most.min(u32::MAX as usize - 1) {
                return Err(Stop::Limit);
            }
            next += 1;
            let part = &parts[part as usize];
            owner.push(u8::from(matches!(part, Part::And(_) | Part::Must(..))));
            priority.push(if let Part::Fixed(priority, _) = part { *priority } else { 0 });
            match part {
                Part::And(inner) | Part::Or(inner) => {
                    for &inner in inner {
                        targets.push(number(inner, state, &mut positions));
                        rows.push(NO_ROW);
                    }
                }
                Part::Can(set, inner) | Part::Must(set, inner) => {
                    for &row in outgoing.of(state) {
                        if labels[*set as usize][lts.label[row as usize] as usize] {
                            let target = lts.target[row as usize];
                            targets.push(number(*inner, target, &mut positions));
                            rows.push(row);
                        }
                    }
                }
                Part::Fixed(_, inner) => {
                    targets.push(number(*inner, state, &mut positions));
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
