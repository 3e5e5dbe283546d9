//! Evidence in the system itself: the steps taken while the winner plays by its strategy and the
//! loser makes every possible move.
//!
//! The strategy is known on positions, which may be orbits; it is played on pairs of the system,
//! whose steps are computed anew. The resulting game, which consists of pairs of the system only,
//! is solved again: if its winner is the same, the answer is right even if the permutations are no
//! symmetry.

use crate::base::ids::Id;
use crate::base::interner::Interner;
use crate::check::data_formula::DataFormula;
use crate::check::on_the_fly::game::{Decision, Game, Positions};
use crate::check::on_the_fly::question::Question;
use crate::check::parity_game::game::{Arena, NO_TRANSITION};
use crate::check::parity_game::play::{own_play, play};
use crate::check::parity_game::zielonka::solve;
use crate::orbits::traces::not_replayed;
use crate::process::goals::Preimage;
use crate::process::linear::stop::Stop;

/// The largest number of moves of a play shown as evidence.
const MOST_MOVES: usize = 1 << 22;

/// A part of a system: transitions as source, number of the label's text, and target. The initial
/// state is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    pub transitions: Vec<(u32, u32, u32)>,
    pub states: usize,
    /// The transitions of one play, and the index from which they repeat, if a play was requested
    /// and found.
    pub path: Option<(Vec<u32>, Option<usize>)>,
    /// If orbits were explored, the representative's step that each step of the path is the image
    /// of.
    pub preimages: Vec<Preimage>,
}

impl<F: DataFormula, B: Positions<F>> Game<'_, F, B> {
    /// The evidence for a decision; `None` if it takes more than `most` pairs.
    pub(crate) fn evidence(
        &mut self,
        decision: &Decision,
        question: &Question,
        most: usize,
    ) -> Result<Option<Evidence>, Stop> {
        let width = self.positions.width();
        let winner = u8::from(!decision.holds);
        let (mut states, mut pairs, mut positions) =
            (Interner::default(), Interner::default(), vec![0]);
        let (mut transitions, mut arena) = (Vec::new(), Arena::default());
        let start = self.positions.start(self.formula, question.root)?;
        pairs.intern(&start);
        states.intern(&start[..width]);
        let mut next = 0;
        while next < pairs.len() {
            self.positions.cancel().check()?;
            let pair = pairs.get(u32::at(next)).to_vec();
            let position: u32 = positions[next];
            next += 1;
            let (source, _) = states.intern(&pair[..width]);
            let (choices, edges) = self.positions.edges(self.formula, &pair)?;
            let own = choices.owner == winner;
            let chosen =
                own.then(|| self.arena.targets[decision.solution.choice(position) as usize]);
            let mut played = false;
            for (label, target) in edges {
                let position = self.positions.position(&target)?.ok_or_else(not_replayed)?;
                if chosen.is_some_and(|chosen| chosen != position) || (own && played) {
                    continue;
                }
                played = true;
                let (number, new) = pairs.intern(&target);
                if new {
                    positions.push(position);
                }
                if pairs.len() > most {
                    return Ok(None);
                }
                let transition =
                    if label.is_some() { u32::at(transitions.len()) } else { NO_TRANSITION };
                arena.edge(number, transition);
                if let Some(label) = label {
                    transitions.push((source, label, states.intern(&target[..width]).0));
                }
            }
            if own && !played {
                return Err(not_replayed());
            }
            arena.close(choices.owner, choices.priority);
        }
        let solution = solve(&arena, self.positions.cancel())?;
        if solution.winner[0] != winner {
            return Err(not_replayed());
        }
        let is_shown = question.path == Some(decision.holds);
        let played = is_shown.then(|| play(&arena, &solution, true, MOST_MOVES)).flatten();
        let played = if question.path.is_some() { played } else { own_play(&arena, &solution) };
        let mut preimages = Vec::new();
        for &edge in played.iter().flat_map(|play| &play.edges) {
            self.positions.cancel().check()?;
            let pair = pairs.get(arena.source(edge));
            let target = &pairs.get(arena.targets[edge])[..width];
            let text = transitions[arena.transition(edge) as usize].1;
            preimages.extend(self.positions.preimage(pair, text, target)?);
        }
        let walked = played.map(|play| {
            let transition = |&edge: &usize| transitions[arena.transition(edge) as usize];
            (play.edges.iter().map(transition).collect::<Vec<_>>(), play.again)
        });
        transitions.sort_unstable();
        transitions.dedup();
        let number = |transition: &_| {
            u32::at(transitions.binary_search(transition).expect("it was sorted in"))
        };
        let path = walked.map(|(walked, again)| (walked.iter().map(number).collect(), again));
        Ok(Some(Evidence { transitions, states: states.len(), path, preimages }))
    }
}
