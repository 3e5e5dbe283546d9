//! One play by the winner's strategy, for formulas about paths: a path that ends in a deadlock or a
//! cycle.
//!
//! In such a formula (`lts/logic/paths/modal.py`) the winner chooses the path. The loser only
//! chooses which of the recurring obligations the winner has to fulfil next; here it demands them
//! in turn. It does so after fixed points whose priority is good for the winner. Elsewhere its
//! choices are conjuncts about the state and, last, a step, which is taken.

use crate::check::parity_game::game::{Arena, NO_TRANSITION};
use crate::check::parity_game::zielonka::Solution;
use rustc_hash::{FxHashMap, FxHashSet};

/// The edges of a play that are steps, and the index from which they repeat.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Play {
    pub edges: Vec<usize>,
    pub again: Option<usize>,
}

/// The play from the initial position. `None` if it takes more than `most` moves or cycles without
/// a step. If `joined`, a fixed point and its body are one position, otherwise each has its own.
pub fn play(arena: &Arena, solution: &Solution, joined: bool, most: usize) -> Option<Play> {
    let winner = solution.winner[0];
    let mut play = Play::default();
    let mut at = 0;
    // Whether the previous position has the winner's priority, so that the loser demands an
    // obligation here.
    let mut is_next = false;
    // For each position with demands: the number of steps at the first, and the number of demands
    // so far.
    let mut visits: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
    let mut since: FxHashMap<u32, usize> = FxHashMap::default();
    for _ in 0..most {
        let priority = arena.priority[at as usize];
        let is_own = priority > 0 && priority % 2 == u32::from(winner);
        let is_choice_of_loser = std::mem::replace(&mut is_next, is_own && !joined) || is_own;
        let edges = arena.edges(at);
        let edge = if arena.owner[at as usize] == winner {
            solution.choice(at) as usize
        } else if edges.is_empty() {
            return Some(play);
        } else if is_choice_of_loser {
            let responses = responses(arena, winner, at);
            if responses.is_empty() {
                return None;
            }
            let (first, times) = visits.entry(at).or_insert((play.edges.len(), 0));
            if *times > 0 && *times >= responses.len() {
                play.again = Some(*first);
                return (*first < play.edges.len()).then_some(play);
            }
            let next = responses[*times % responses.len()];
            *times += 1;
            since.clear();
            is_next = false;
            at = next;
            continue;
        } else {
            let last = edges.end - 1;
            edges.rev().find(|&edge| arena.transition(edge) == NO_TRANSITION).unwrap_or(last)
        };
        if let Some(&before) = since.get(&at) {
            play.again = Some(before);
            return (before < play.edges.len()).then_some(play);
        }
        since.insert(at, play.edges.len());
        if arena.transition(edge) != NO_TRANSITION {
            play.edges.push(edge);
        }
        at = arena.targets[edge];
    }
    None
}

/// The play of a winner who makes all choices. `None` if the play has no step, or if the loser has
/// a step or a choice.
pub fn own_play(arena: &Arena, solution: &Solution) -> Option<Play> {
    let winner = solution.winner[0];
    let mut play = Play::default();
    let mut since: FxHashMap<u32, usize> = FxHashMap::default();
    let mut at = 0;
    loop {
        if let Some(before) = since.insert(at, play.edges.len()) {
            play.again = Some(before);
            return (before < play.edges.len()).then_some(play);
        }
        let edges = arena.edges(at);
        let edge = match edges.len() {
            _ if arena.owner[at as usize] == winner => solution.choice(at) as usize,
            0 => return (!play.edges.is_empty()).then_some(play),
            1 if arena.transition(edges.start) == NO_TRANSITION => edges.start,
            _ => return None,
        };
        if arena.transition(edge) != NO_TRANSITION {
            play.edges.push(edge);
        }
        at = arena.targets[edge];
    }
}

/// The positions the loser can reach from `at` by its own choices that are not steps.
fn responses(arena: &Arena, winner: u8, at: u32) -> Vec<u32> {
    let (mut responses, mut waiting) = (Vec::new(), vec![at]);
    let mut visited = FxHashSet::default();
    while let Some(position) = waiting.pop() {
        if !visited.insert(position) {
            continue;
        }
        let edges = arena.edges(position);
        let can_choose = arena.owner[position as usize] != winner && !edges.is_empty();
        if can_choose && edges.clone().all(|edge| arena.transition(edge) == NO_TRANSITION) {
            waiting.extend(edges.rev().map(|edge| arena.targets[edge]));
        } else {
            responses.push(position);
        }
    }
    responses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::Cancel;
    use crate::check::parity_game::zielonka::solve;

    /// A game of positions with owner, priority and targets, without steps.
    fn arena(positions: &[(u8, u32, &[u32])]) -> Arena {
        let mut arena = Arena::default();
        for &(owner, priority, targets) in positions {
            targets.iter().for_each(|&target| arena.edge(target, NO_TRANSITION));
            arena.close(owner, priority);
        }
        arena
    }

    #[test]
    fn own_plays_stop_or_repeat_if_they_exist() {
        let play_of = |positions: &[(u8, u32, &[u32])], transitions: &[usize]| {
            let mut arena = arena(positions);
            arena.steps(transitions);
            let solution = solve(&arena, &Cancel::never()).expect("it is never cancelled");
            own_play(&arena, &solution).map(|play| (play.edges, play.again))
        };
        // Player 0 takes the step to the position where player 1 is stuck.
        assert_eq!(
            play_of(&[(0, 1, &[1, 2]), (0, 1, &[]), (1, 1, &[])], &[1]),
            Some((vec![1], None))
        );
        let round: &[(u8, u32, &[u32])] = &[(0, 0, &[1]), (1, 2, &[2]), (0, 0, &[1])];
        assert_eq!(play_of(round, &[0, 2]), Some((vec![0, 2], Some(1))));
        // A cycle without a step, a choice of player 1, or a step of player 1.
        assert_eq!(play_of(&[(1, 2, &[0])], &[]), None);
        assert_eq!(play_of(&[(1, 2, &[0, 1]), (1, 2, &[0])], &[]), None);
        assert_eq!(play_of(round, &[0, 1, 2]), None);
    }

    #[test]
    fn responses_are_visited_once_and_may_be_missing() {
        let going_round = [
            arena(&[(0, 1, &[0])]),
            arena(&[(0, 1, &[1, 1]), (0, 1, &[2, 0]), (0, 1, &[1])]),
            arena(&[(1, 2, &[0])]),
        ];
        for arena in going_round {
            let solution = solve(&arena, &Cancel::never()).expect("it is never cancelled");
            assert_eq!(play(&arena, &solution, false, 100), None);
            assert_eq!(play(&arena, &solution, true, 100), None);
        }
        // A chain of diamonds: exponentially many paths to a single response.
        let levels = (0..40).map(|level| (0, 1, [level + 1, level + 1]));
        let levels: Vec<_> = levels.chain([(1, 1, [40, 40])]).collect();
        let mut positions: Vec<(u8, u32, &[u32])> = Vec::new();
        positions.extend(levels.iter().map(|(owner, priority, to)| (*owner, *priority, &to[..])));
        let arena = arena(&positions);
        assert_eq!(responses(&arena, 1, 0), [40]);
    }
}
