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
use crate::lpe::explore::statistics::Cap;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::batch::{BATCH, Batch, expand};
use crate::orbit_exploration::canonical_state::{Canonical, Scratch};
use crate::orbit_exploration::group_on_process::no_group;
use crate::orbit_exploration::images::{Images, NOTHING};
use crate::orbit_exploration::lifting::symmetry::Generator;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::statistics::{Callbacks, Options};
use crate::orbit_exploration::summand_tests::SummandTests;
use crate::parity_game::game::{Arena, NO_ROW};
use crate::parity_game::zielonka::{Solution, solve};
use std::sync::Arc;
use std::time::Instant;

/// Positions after which the game is solved for the first time; then after twice as many, and so on.
const FIRST: usize = 1 << 4;

/// A game under way.
pub(crate) struct Pairs<'a, 'g, F: DataFormula> {
    pub process: &'a mut Process,
    pub generators: &'a mut [Generator],
    pub formula: &'a mut Coded<F>,
    pub options: &'a Options,
    /// How many positions there may be.
    pub most: usize,
    pub summand_tests: SummandTests,
    pub canonical: Canonical<'g>,
    pub scratch: Scratch,
    /// Images that were numbered.
    pub spare: Images,
    /// Orbits of pairs, which are the positions.
    pub orbits: Orbits,
    /// The states whose steps were asked for, if nothing is known of their orbits.
    pub states: Option<Orbits>,
    /// The positions whose edges are known.
    pub arena: Arena,
    /// Bits of the players who can bring every play to a position, as far as is seen when it is met.
    steered: Vec<u8>,
    /// A player was seen to bring every play to where the other one loses.
    is_settled: bool,
    /// Values of a sum to try: not more than may give states, until that turns out too few.
    cap: Cap,
    pub incomplete: Option<Incomplete>,
    begun: Instant,
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
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        process: &'a mut Process,
        generators: &'a mut [Generator],
        formula: &'a mut Coded<F>,
        options: &'a Options,
        most: usize,
        summand_tests: SummandTests,
        canonical: Canonical<'g>,
        begun: Instant,
    ) -> Self {
        let states = options.limits.states.unwrap_or(usize::MAX);
        let points = canonical.points();
        Self {
            cap: Cap::new(states.saturating_add(1), options.limits.values),
            orbits: Orbits::new(process.parameters + formula.slots() + 1, points),
            states: generators.is_empty().then(|| Orbits::new(process.parameters, points)),
            process,
            generators,
            formula,
            options,
            most,
            summand_tests,
            canonical,
            scratch: Scratch::default(),
            spare: Images::default(),
            arena: Arena::default(),
            steered: Vec::new(),
            is_settled: false,
            incomplete: None,
            begun,
        }
    }

    /// Explores until it is known whether part `root` holds, or something stops it.
    pub fn run(&mut self, root: u32, host: &mut dyn Callbacks) -> Result<Option<Decision>, Stop> {
        let start = self.start(root)?;
        let least = self.least(&start)?;
        self.orbits.place(&least).map_err(no_group)?;
        self.steered.push(0b11);
        let mut next = FIRST;
        while self.arena.len() < self.orbits.count() && self.incomplete.is_none() {
            if !host.poll(self.orbits.count(), self.arena.len()) {
                return Err(Stop::Interrupted);
            }
            self.incomplete = self.options.limits.passed(self.begun, || self.bytes());
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
        self.orbits.bytes() + states + game + self.steered.len()
    }

    /// The first pair.
    pub fn start(&mut self, root: u32) -> Result<Vec<Term>, Stop> {
        let mut start = self.process.initial.clone();
        self.formula.put(self.process, root, &mut start)?;
        Ok(start)
    }

    /// Who wins the first position, if what is not known makes no difference.
    fn decide(&mut self, host: &mut dyn Callbacks) -> Result<Option<Decision>, Stop> {
        let count = self.orbits.count();
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
        let width = self.process.parameters;
        let first = self.arena.len();
        let last = self.orbits.count().min(first + BATCH);
        let (mut pair, mut pairs, mut choices) = (Vec::new(), Vec::new(), Vec::new());
        let (mut states, mut count) = (Vec::new(), 0);
        for position in first..last {
            self.orbits.image(position as u32, &mut pair);
            let number = self.formula.at(self.process, &pair[width..])?;
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
        let batch = self.steps(&states, count)?;
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
                self.formula.put(self.process, inner, &mut moves.targets)?;
            }
            if !choice.steps.is_empty() {
                let degree = batch.degrees[state] as usize;
                for at in step..step + degree {
                    let text = batch.texts[at];
                    for inner in self.formula.after(&choice, self.process, text)? {
                        let target = &batch.targets[at * width..(at + 1) * width];
                        moves.targets.extend_from_slice(target);
                        self.formula.put(self.process, inner, &mut moves.targets)?;
                    }
                }
                (step, state) = (step + degree, state + 1);
            }
            moves.degrees.push((moves.targets.len() - before) / pair.len());
            moves.choices.push(choice);
        }
        if let (Some(_), true) = (moves.short, self.cap.may_grow()) {
            self.cap.grow();
            moves.short = None;
        }
        Ok(moves)
    }

    /// Notes that the steps of a state are asked for; false if that are too many states.
    fn notes(&mut self, state: &[Term]) -> Result<bool, Stop> {
        let Some(states) = &mut self.states else { return Ok(true) };
        let element = identity(self.canonical.points());
        let image = state.to_vec();
        let least = Least { image, element, stabiliser: Vec::new(), is_exact: true };
        if states.known(&least).is_some() {
            return Ok(true);
        }
        if states.count() >= self.options.limits.states.unwrap_or(u32::MAX as usize - 1) {
            self.incomplete = Some(Incomplete::States);
            return Ok(false);
        }
        states.place(&least).map_err(no_group)?;
        Ok(true)
    }

    /// The steps of states, one behind the other, up to one that has a sum with too many values.
    pub fn steps(&mut self, states: &[Term], count: u32) -> Result<Batch, Stop> {
        expand(self.process, &mut self.summand_tests, 0..count, states, self.cap.now)
    }

    /// Makes the positions that moves are of, and numbers what they lead to.
    fn absorb(&mut self, moves: Moves) -> Result<(), Stop> {
        let Moves { choices, degrees, targets, short } = moves;
        let width = self.process.parameters + self.formula.slots() + 1;
        let (count, threads) = (targets.len() / width, self.options.threads);
        let spare = std::mem::take(&mut self.spare);
        let (mut found, ()) = Images::find(&self.canonical, &targets, count, threads, spare, || ());
        found.look_up(Some(&self.orbits), threads, NOTHING);
        found.complete(|at| self.least(&targets[at * width..(at + 1) * width]))?;
        let mut placing = found.placing();
        for (choice, degree) in choices.into_iter().zip(degrees) {
            for _ in 0..degree {
                let (target, _) = placing.next(&mut self.orbits).map_err(no_group)?;
                self.arena.edge(target, NO_ROW);
            }
            self.arena.close(choice.owner, choice.priority);
            self.steer(choice.owner);
            let states = if self.states.is_some() { None } else { self.options.limits.states };
            if self.orbits.count() > states.unwrap_or(usize::MAX) {
                self.incomplete.get_or_insert(Incomplete::States);
            } else if self.orbits.count() > self.most {
                self.incomplete.get_or_insert(Incomplete::Found);
            }
            if self.incomplete.is_some() {
                return Ok(());
            }
        }
        drop(placing);
        self.spare = found;
        if let Some(summand) = short {
            self.incomplete.get_or_insert(Incomplete::Values(summand));
        }
        Ok(())
    }

    /// Notes who can bring plays to where the position that was made last leads.
    fn steer(&mut self, owner: u8) {
        self.steered.resize(self.orbits.count(), 0);
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

    /// The canonical image of a pair.
    pub fn least(&mut self, pair: &[Term]) -> Result<Least, Stop> {
        let Self { canonical, process, generators, scratch, .. } = self;
        canonical.learn_least(process, generators, pair, scratch)
    }
}
