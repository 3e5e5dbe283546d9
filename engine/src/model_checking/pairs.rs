//! The parity game of a formula and a process: positions are orbits of pairs of a state and a part of
//! the formula, met breadth first from the first pair.
//!
//! Only what the formula asks for is explored. Now and then the game is solved as far as it is known:
//! once with all that is not known lost for one player, once for the other. Who wins the first
//! position even so wins it whatever comes, and the exploration ends. That is so as soon as a position
//! is met where a player loses to which the other one can bring every play.

use crate::data::terms::Term;
use crate::data_formula::{Choices, Coded, DataFormula};
use crate::group::canonical_image::Least;
use crate::group::permutation::identity;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::batch::BATCH;
use crate::orbit_exploration::group_on_process::no_group;
use crate::orbit_exploration::images::NOTHING;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::statistics::Callbacks;
use crate::orbit_exploration::symmetric_process::SymmetricProcess;
use crate::parity_game::game::{Arena, NO_ROW};
use crate::parity_game::zielonka::{Solution, solve};
use std::sync::Arc;

/// Positions after which the game is solved for the first time; then after twice as many, and so on.
const FIRST: usize = 1 << 4;

/// A game under way.
pub(crate) struct Pairs<'a, 'g, F: DataFormula> {
    /// Its orbits are those of pairs, which are the positions.
    pub system: SymmetricProcess<'a, 'g>,
    pub formula: &'a mut Coded<F>,
    /// How many positions there may be.
    pub most: usize,
    /// The states whose steps were asked for, if nothing is known of their orbits.
    pub states: Option<Orbits>,
    /// The positions whose edges are known.
    pub arena: Arena,
    /// Bits of the players who can bring every play to a position, as far as is seen when it is met.
    steered: Vec<u8>,
    /// A player was seen to bring every play to where the other one loses.
    is_settled: bool,
}

/// What some positions are, and the pairs that their edges lead to, one behind the other.
#[derive(Default)]
struct Moves {
    choices: Vec<Arc<Choices>>,
    degrees: Vec<usize>,
    targets: Vec<Term>,
    /// A sum of this summand has too many values in the position behind them.
    short: Option<usize>,
}

/// What is decided: whether the formula holds, and how the winner plays.
pub(crate) struct Decision {
    pub holds: bool,
    pub solution: Solution,
}

impl<'a, 'g, F: DataFormula> Pairs<'a, 'g, F> {
    pub fn new(system: SymmetricProcess<'a, 'g>, formula: &'a mut Coded<F>, most: usize) -> Self {
        let (parameters, points) = (system.process.parameters, system.canonical.points());
        let is_alone = system.generators.is_empty();
        Self {
            states: is_alone.then(|| Orbits::new(parameters, points)),
            system,
            formula,
            most,
            arena: Arena::default(),
            steered: Vec::new(),
            is_settled: false,
        }
    }

    /// Explores until it is known whether part `root` holds, or something stops it.
    pub fn run(&mut self, root: u32, host: &mut dyn Callbacks) -> Result<Option<Decision>, Stop> {
        let start = self.start(root)?;
        let least = self.system.least(&start)?;
        self.system.orbits.place(&least).map_err(no_group)?;
        self.steered.push(0b11);
        let mut next = FIRST;
        while self.arena.len() < self.system.orbits.count() && self.system.incomplete.is_none() {
            self.system.goes_on(host, self.arena.len(), self.bytes())?;
            let moves = self.moves()?;
            self.absorb(moves)?;
            if self.arena.len() >= next || std::mem::take(&mut self.is_settled) {
                next = 2 * self.arena.len();
                if let Some(decision) = self.decide(host)? {
                    return Ok(Some(decision));
                }
            }
        }
        self.decide(host)
    }

    /// Bytes of the pairs, the states and the game.
    pub fn bytes(&self) -> usize {
        let game =
            5 * self.arena.len() + 8 * self.arena.starts.len() + 4 * self.arena.targets.len();
        let states = self.states.as_ref().map_or(0, Orbits::bytes);
        self.system.orbits.bytes() + states + game + self.steered.len()
    }

    /// The first pair.
    pub fn start(&mut self, root: u32) -> Result<Vec<Term>, Stop> {
        let mut start = self.system.process.initial.clone();
        self.formula.put(self.system.process, root, &mut start)?;
        Ok(start)
    }

    /// Who wins the first position, if what is not known makes no difference.
    fn decide(&mut self, host: &mut dyn Callbacks) -> Result<Option<Decision>, Stop> {
        let count = self.system.orbits.count();
        let complete = self.arena.len() == count;
        let (made, mut calls) = (self.arena.len(), 0u32);
        let mut poll = || {
            calls = calls.wrapping_add(1);
            !calls.is_multiple_of(1 << 16) || host.poll(count, made)
        };
        for player in [0, 1] {
            let solve = |arena: &Arena| solve(arena, &mut poll);
            let found = self.arena.with_stuck(count, player, solve);
            let solution = found.map_err(|_| Stop::Interrupted)?;
            // The player for whom all that is not known is lost wins even so.
            if complete || solution.winner[0] == player {
                return Ok(Some(Decision { holds: solution.winner[0] == 0, solution }));
            }
        }
        Ok(None)
    }

    /// What the next positions are, and where they lead.
    fn moves(&mut self) -> Result<Moves, Stop> {
        let width = self.system.process.parameters;
        let first = self.arena.len();
        let last = self.system.orbits.count().min(first + BATCH);
        let (mut pair, mut pairs, mut choices) = (Vec::new(), Vec::new(), Vec::new());
        let (mut states, mut count) = (Vec::new(), 0);
        for position in first..last {
            self.system.orbits.image(position as u32, &mut pair);
            let number = self.formula.at(self.system.process, &pair[width..])?;
            let choice = self.formula.choices(number)?;
            if !choice.steps.is_empty() {
                if !self.notes(&pair[..width])? {
                    // The limit: positions before this one are done.
                    break;
                }
                states.extend_from_slice(&pair[..width]);
                count += 1;
            }
            pairs.extend_from_slice(&pair);
            choices.push(choice);
        }
        let batch = self.system.steps(&states, 0..count)?;
        let whole = batch.degrees.len() - usize::from(batch.short.is_some());
        let (mut moves, mut step, mut state) = (Moves::default(), 0, 0);
        for (pair, choice) in pairs.chunks_exact(width + self.formula.slots() + 1).zip(choices) {
            let before = moves.targets.len();
            if !choice.steps.is_empty() && state == whole {
                // Its steps are found with the next positions.
                moves.short = batch.short;
                break;
            }
            for &inner in &choice.stays {
                moves.targets.extend_from_slice(&pair[..width]);
                self.formula.put(self.system.process, inner, &mut moves.targets)?;
            }
            if !choice.steps.is_empty() {
                let degree = batch.degrees[state] as usize;
                for at in step..step + degree {
                    let text = batch.texts[at];
                    for inner in self.formula.after(&choice, self.system.process, text)? {
                        let target = &batch.targets[at * width..(at + 1) * width];
                        moves.targets.extend_from_slice(target);
                        self.formula.put(self.system.process, inner, &mut moves.targets)?;
                    }
                }
                (step, state) = (step + degree, state + 1);
            }
            moves.degrees.push((moves.targets.len() - before) / pair.len());
            moves.choices.push(choice);
        }
        if let (Some(_), true) = (moves.short, self.system.cap.may_grow()) {
            self.system.cap.grow();
            moves.short = None;
        }
        Ok(moves)
    }

    /// Notes that the steps of a state are asked for; false if that are too many states.
    fn notes(&mut self, state: &[Term]) -> Result<bool, Stop> {
        let Some(states) = &mut self.states else { return Ok(true) };
        let element = identity(self.system.canonical.points());
        let image = state.to_vec();
        let least = Least { image, element, stabiliser: Vec::new(), is_exact: true };
        if states.known(&least).is_some() {
            return Ok(true);
        }
        if states.count() >= self.system.options.limits.states.unwrap_or(u32::MAX as usize - 1) {
            self.system.incomplete = Some(Incomplete::States);
            return Ok(false);
        }
        states.place(&least).map_err(no_group)?;
        Ok(true)
    }

    /// Makes the positions that moves are of, and numbers what they lead to.
    fn absorb(&mut self, moves: Moves) -> Result<(), Stop> {
        let Moves { choices, degrees, targets, short } = moves;
        let width = self.system.orbits.width();
        let mut found = self.system.images(&targets, targets.len() / width);
        found.look_up(Some(&self.system.orbits), self.system.options.threads, NOTHING);
        self.system.complete(&mut found, &targets)?;
        let mut placing = found.placing();
        for (choice, degree) in choices.into_iter().zip(degrees) {
            for _ in 0..degree {
                let (target, _) = placing.next(&mut self.system.orbits).map_err(no_group)?;
                self.arena.edge(target, NO_ROW);
            }
            self.arena.close(choice.owner, choice.priority);
            self.steer(choice.owner);
            let states =
                if self.states.is_some() { None } else { self.system.options.limits.states };
            if self.system.orbits.count() > states.unwrap_or(usize::MAX) {
                self.system.incomplete.get_or_insert(Incomplete::States);
            } else if self.system.orbits.count() > self.most {
                self.system.incomplete.get_or_insert(Incomplete::Found);
            }
            if self.system.incomplete.is_some() {
                return Ok(());
            }
        }
        drop(placing);
        self.system.spare = found;
        if let Some(summand) = short {
            self.system.incomplete.get_or_insert(Incomplete::Values(summand));
        }
        Ok(())
    }

    /// Notes who can bring plays to where the position that was made last leads.
    fn steer(&mut self, owner: u8) {
        self.steered.resize(self.system.orbits.count(), 0);
        let position = self.arena.len() - 1;
        let edges = self.arena.edges(position as u32);
        let players = match edges.len() {
            0 => {
                self.is_settled |= self.steered[position] & !(1 << owner) != 0;
                return;
            }
            1 => self.steered[position],
            _ => self.steered[position] & (1 << owner),
        };
        for &target in &self.arena.targets[edges] {
            self.steered[target as usize] |= players;
        }
    }
}
