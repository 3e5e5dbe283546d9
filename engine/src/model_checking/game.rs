//! The parity game of a formula and a process: positions are pairs of a state and a part of the
//! formula, or orbits of such pairs, visited breadth first from the first pair.
//!
//! Only what the formula asks for is explored. Now and then the game is solved as far as it is known:
//! once with all that is not known lost for one player, once for the other. Who wins the first
//! position even so wins it whatever comes, and the exploration ends. That is so as soon as a position
//! is visited where a player loses to which the other one can bring every play.
//!
//! What positions are is for a *board*: `state_board` has pairs, `orbit_board` orbits of pairs.

use crate::base::cancel::Cancel;
use crate::data_formula::{Choices, Coded, DataFormula};
use crate::lpe::explore::Incomplete;
use crate::lpe::process::stop::Stop;
use crate::parity_game::game::{Arena, NO_ROW};
use crate::parity_game::zielonka::{Solution, solve};
use std::sync::Arc;

/// Positions after which the game is solved for the first time; then after twice as many, and so on.
const FIRST: usize = 1 << 4;

/// A pair as numbers: those of its state, then those of the part.
pub(crate) type Pair = Vec<u32>;

/// The text of a label, if it is a step, and the pair that it leads to.
pub(crate) type Edge = (Option<u32>, Pair);

/// What some positions are, and where their edges lead, one behind the other.
pub(crate) struct Moves<T> {
    pub choices: Vec<Arc<Choices>>,
    pub degrees: Vec<usize>,
    pub targets: T,
    /// A sum of this summand has too many values in the position behind them.
    pub short: Option<usize>,
}

impl<T: Default> Default for Moves<T> {
    fn default() -> Self {
        let (choices, degrees, targets, short) = Default::default();
        Self { choices, degrees, targets, short }
    }
}

/// What the positions of a game are.
pub(crate) trait Board<F: DataFormula> {
    /// Where edges lead, before it has numbers.
    type Targets: Default;

    /// The first pair.
    fn start(&mut self, formula: &mut Coded<F>, root: u32) -> Result<Pair, Stop>;

    /// How many numbers of a pair are of its state.
    fn width(&self) -> usize;

    /// The number of the position that a pair is in, which may be new.
    fn place(&mut self, pair: &[u32]) -> Result<u32, Stop>;

    /// The number of the position that a pair is in, if that was visited.
    fn position(&mut self, pair: &[u32]) -> Result<Option<u32>, Stop>;

    /// What can be done at a pair, and where its edges lead.
    fn edges(
        &mut self,
        formula: &mut Coded<F>,
        pair: &[u32],
    ) -> Result<(Arc<Choices>, Vec<Edge>), Stop>;

    /// How many positions there are.
    fn count(&self) -> usize;

    /// What the positions are from this one on, some of them, and where they lead.
    fn moves(&mut self, formula: &mut Coded<F>, first: usize)
    -> Result<Moves<Self::Targets>, Stop>;

    /// Numbers what the edges of the next position of some moves lead to; in all `degrees` says how
    /// many each has.
    fn number(
        &mut self,
        targets: Self::Targets,
        degrees: &[usize],
        made: &mut dyn FnMut(&mut Self, usize, &[u32]) -> bool,
    ) -> Result<(), Stop>;

    /// Whether a limit of states is passed with the positions that there are.
    fn is_full(&self) -> bool;

    /// Why not all is explored, if something stopped it.
    fn incomplete(&mut self) -> &mut Option<Incomplete>;

    /// Looks whether a limit is passed, with so many positions that are made, and bytes of the game.
    fn look(&mut self, made: usize, bytes: usize) -> Result<(), Stop>;

    /// Bytes of what was visited.
    fn bytes(&self) -> usize;

    /// What ends the work.
    fn cancel(&mut self) -> &Cancel;
}

/// A game under way.
pub(crate) struct Game<'a, F: DataFormula, B> {
    pub board: B,
    pub formula: &'a mut Coded<F>,
    /// How many positions there may be.
    most: usize,
    /// The positions whose edges are known.
    pub arena: Arena,
    /// Bits of the players who can bring every play to a position, as far as is seen when it is
    /// visited.
    steered: Vec<u8>,
    /// A player was seen to bring every play to where the other one loses.
    is_settled: bool,
}

/// What is decided: whether the formula holds, and how the winner plays.
pub(crate) struct Decision {
    pub holds: bool,
    pub solution: Solution,
}

impl<'a, F: DataFormula, B: Board<F>> Game<'a, F, B> {
    pub fn new(board: B, formula: &'a mut Coded<F>, most: usize) -> Self {
        let (arena, steered, is_settled) = (Arena::default(), Vec::new(), false);
        Self { board, formula, most, arena, steered, is_settled }
    }

    /// Explores until it is known whether part `root` holds, or something stops it.
    pub fn run(&mut self, root: u32) -> Result<Option<Decision>, Stop> {
        let start = self.board.start(self.formula, root)?;
        self.board.place(&start)?;
        self.steered.push(0b11);
        let mut next = FIRST;
        while self.arena.len() < self.board.count() && self.board.incomplete().is_none() {
            let bytes = self.bytes();
            self.board.look(self.arena.len(), bytes)?;
            let moves = self.board.moves(self.formula, self.arena.len())?;
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

    /// Bytes of what was visited, and of the game.
    pub fn bytes(&self) -> usize {
        let game =
            5 * self.arena.len() + 8 * self.arena.starts.len() + 4 * self.arena.targets.len();
        self.board.bytes() + game + self.steered.len()
    }

    /// Who wins the first position, if what is not known makes no difference.
    fn decide(&mut self) -> Result<Option<Decision>, Stop> {
        let Self { board, arena, .. } = self;
        let count = board.count();
        let complete = arena.len() == count;
        let cancel = board.cancel();
        for player in [0, 1] {
            let solution = arena.with_stuck(count, player, |arena| solve(arena, cancel))?;
            // The player for whom all that is not known is lost wins even so.
            if complete || solution.winner[0] == player {
                return Ok(Some(Decision { holds: solution.winner[0] == 0, solution }));
            }
        }
        Ok(None)
    }

    /// Makes the positions that moves are of, and numbers what they lead to.
    fn absorb(&mut self, moves: Moves<B::Targets>) -> Result<(), Stop> {
        let Moves { choices, degrees, targets, short } = moves;
        let Self { board, arena, steered, is_settled, most, .. } = self;
        board.number(targets, &degrees, &mut |board, place, targets| {
            let choice = &choices[place];
            targets.iter().for_each(|&target| arena.edge(target, NO_ROW));
            arena.close(choice.owner, choice.priority);
            *is_settled |= steer(arena, steered, board.count(), choice.owner);
            if board.is_full() {
                board.incomplete().get_or_insert(Incomplete::States);
            } else if board.count() > *most {
                board.incomplete().get_or_insert(Incomplete::Found);
            }
            board.incomplete().is_none()
        })?;
        if let (Some(summand), None) = (short, *self.board.incomplete()) {
            *self.board.incomplete() = Some(Incomplete::Values(summand));
        }
        Ok(())
    }
}

/// Notes who can bring plays to where the position that was made last leads; whether its owner is stuck
/// there, to which the other one can bring every play.
fn steer(arena: &Arena, steered: &mut Vec<u8>, count: usize, owner: u8) -> bool {
    steered.resize(count, 0);
    let position = arena.len() - 1;
    let edges = arena.edges(position as u32);
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
