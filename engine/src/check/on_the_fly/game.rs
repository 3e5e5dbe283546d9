//! The parity game of a formula and a process: positions are pairs of a state and a part of the
//! formula, or orbits of such pairs, explored breadth first from the initial pair.
//!
//! Only what the formula depends on is explored. From time to time the game is solved as far as it
//! is known: once with all unexplored positions lost for one player, once for the other. A player
//! who wins the initial position even so wins it in the whole game, and exploration ends.
//! The game is also solved as soon as a position is found where one player is stuck and to which
//! the other can steer every play.
//!
//! Positions are numbered by [`Positions`]: pairs in `state_positions`, orbits of pairs in
//! `orbit_positions`.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::check::data_formula::{Choices, Coded, DataFormula};
use crate::check::parity_game::game::{Arena, NO_TRANSITION};
use crate::check::parity_game::zielonka::{Solution, solve};
use crate::process::explore::Incomplete;
use crate::process::goals::Preimage;
use crate::process::linear::stop::Stop;
use std::sync::Arc;

/// The number of positions after which the game is first solved; then each time it has doubled.
const FIRST: usize = 1 << 4;

/// A pair as numbers: those of its state, then the code of the part.
pub(crate) type Pair = Vec<u32>;

/// The text of the label, if the edge is a step, and the pair that it leads to.
pub(crate) type Edge = (Option<u32>, Pair);

/// The choices at some positions, their numbers of edges, and the targets of all edges in one list.
pub(crate) struct Moves<T> {
    pub choices: Vec<Arc<Choices>>,
    pub degrees: Vec<usize>,
    pub targets: T,
    /// The summand whose sum has too many values at the next position, if that is why no more
    /// positions are given.
    pub short: Option<usize>,
}

impl<T: Default> Default for Moves<T> {
    fn default() -> Self {
        let (choices, degrees, targets, short) = Default::default();
        Self { choices, degrees, targets, short }
    }
}

/// The positions of a game.
pub(crate) trait Positions<F: DataFormula> {
    /// The targets of edges before they are numbered.
    type Targets: Default;

    /// The initial pair.
    fn start(&mut self, formula: &mut Coded<F>, root: u32) -> Result<Pair, Stop>;

    /// The number of entries of a pair that belong to its state.
    fn width(&self) -> usize;

    /// The position of a pair, which is added if it is new.
    fn intern(&mut self, pair: &[u32]) -> Result<u32, Stop>;

    /// The position of a pair; `None` if it has not been visited.
    fn position(&mut self, pair: &[u32]) -> Result<Option<u32>, Stop>;

    /// The choices at a pair, and its edges.
    fn edges(
        &mut self,
        formula: &mut Coded<F>,
        pair: &[u32],
    ) -> Result<(Arc<Choices>, Vec<Edge>), Stop>;

    /// The step of a representative that a step from a pair is the image of, given the text of its
    /// label and the state that it leads to; `None` without a group.
    fn preimage(
        &mut self,
        _pair: &[u32],
        _text: u32,
        _target: &[u32],
    ) -> Result<Option<Preimage>, Stop> {
        Ok(None)
    }

    /// The number of positions.
    fn count(&self) -> usize;

    /// The choices and edges of some positions from `first` on.
    fn moves(&mut self, formula: &mut Coded<F>, first: usize)
    -> Result<Moves<Self::Targets>, Stop>;

    /// Numbers the targets of edges and calls `made` for one position after the other with its
    /// index and targets, as long as it returns true; `degrees` are the numbers of edges.
    fn number(
        &mut self,
        targets: Self::Targets,
        degrees: &[usize],
        made: &mut dyn FnMut(&mut Self, usize, &[u32]) -> bool,
    ) -> Result<(), Stop>;

    /// Whether the positions exceed the limit on states.
    fn is_full(&self) -> bool;

    /// Why exploration is incomplete, if something stopped it.
    fn incomplete(&mut self) -> &mut Option<Incomplete>;

    /// Checks the limits, given the number of explored positions and the bytes of the game.
    fn look(&mut self, made: usize, bytes: usize) -> Result<(), Stop>;

    /// Bytes used by positions and states.
    fn bytes(&self) -> usize;

    /// The cancellation of the work.
    fn cancel(&mut self) -> &Cancel;
}

/// A game under exploration.
pub(crate) struct Game<'a, F: DataFormula, B> {
    pub positions: B,
    pub formula: &'a mut Coded<F>,
    /// The largest number of positions.
    most: usize,
    /// The explored positions, with their edges.
    pub arena: Arena,
    /// For each position, a bit for each player who can steer every play to it, as far as was known
    /// when it was visited.
    steered: Vec<u8>,
    /// Whether a position was found where one player is stuck and to which the other can steer
    /// every play.
    is_settled: bool,
}

/// A decision: whether the formula holds, and the winner's strategy.
pub(crate) struct Decision {
    pub holds: bool,
    pub solution: Solution,
}

impl<'a, F: DataFormula, B: Positions<F>> Game<'a, F, B> {
    pub fn new(positions: B, formula: &'a mut Coded<F>, most: usize) -> Self {
        let (arena, steered, is_settled) = (Arena::default(), Vec::new(), false);
        Self { positions, formula, most, arena, steered, is_settled }
    }

    /// Explores until it is decided whether part `root` holds, or a limit is reached.
    pub fn run(&mut self, root: u32) -> Result<Option<Decision>, Stop> {
        let start = self.positions.start(self.formula, root)?;
        self.positions.intern(&start)?;
        self.steered.push(0b11);
        let mut next = FIRST;
        while self.arena.len() < self.positions.count() && self.positions.incomplete().is_none() {
            let bytes = self.bytes();
            self.positions.look(self.arena.len(), bytes)?;
            let moves = self.positions.moves(self.formula, self.arena.len())?;
            self.absorb(moves)?;
            if self.arena.len() >= next || std::mem::take(&mut self.is_settled) {
                next = 2 * self.arena.len();
                if let Some(decision) = self.decide()? {
                    return Ok(Some(decision));
                }
            }
        }
        self.decide()
    }

    /// Bytes used by the positions and the game.
    pub fn bytes(&self) -> usize {
        let game =
            5 * self.arena.len() + 8 * self.arena.starts.len() + 4 * self.arena.targets.len();
        self.positions.bytes() + game + self.steered.len()
    }

    /// The decision on the initial position, if it does not depend on unexplored positions.
    fn decide(&mut self) -> Result<Option<Decision>, Stop> {
        let Self { positions, arena, .. } = self;
        let count = positions.count();
        let complete = arena.len() == count;
        let cancel = positions.cancel();
        for player in [0, 1] {
            let solution = arena.with_stuck(count, player, |arena| solve(arena, cancel))?;
            // This player wins although all unexplored positions are lost for it.
            if complete || solution.winner[0] == player {
                return Ok(Some(Decision { holds: solution.winner[0] == 0, solution }));
            }
        }
        Ok(None)
    }

    /// Adds positions with these moves to the game, and numbers their targets.
    fn absorb(&mut self, moves: Moves<B::Targets>) -> Result<(), Stop> {
        let Moves { choices, degrees, targets, short } = moves;
        let Self { positions, arena, steered, is_settled, most, .. } = self;
        positions.number(targets, &degrees, &mut |positions, at, targets| {
            let choice = &choices[at];
            targets.iter().for_each(|&target| arena.edge(target, NO_TRANSITION));
            arena.close(choice.owner, choice.priority);
            *is_settled |= steer(arena, steered, positions.count(), choice.owner);
            if positions.is_full() {
                positions.incomplete().get_or_insert(Incomplete::States);
            } else if positions.count() > *most {
                positions.incomplete().get_or_insert(Incomplete::Enough);
            }
            positions.incomplete().is_none()
        })?;
        if let (Some(summand), None) = (short, *self.positions.incomplete()) {
            *self.positions.incomplete() = Some(Incomplete::Values(summand));
        }
        Ok(())
    }
}

/// Records which players can steer every play to the targets of the position added last. Returns
/// whether its owner is stuck there while the other player can steer every play to it.
fn steer(arena: &Arena, steered: &mut Vec<u8>, count: usize, owner: u8) -> bool {
    steered.resize(count, 0);
    let position = arena.len() - 1;
    let edges = arena.edges(u32::at(position));
    let players = match edges.len() {
        0 => return steered[position] & !(1 << owner) != 0,
        1 => steered[position],
        _ => steered[position] & (1 << owner),
    };
    for &target in &arena.targets[edges] {
        steered[target as usize] |= players;
    }
    false
}
