//! One play in which the winner plays to win, for formulas about paths: a path that ends or repeats.
//!
//! In such a formula (`lts/logic/paths/modal.py`) the winner chooses a path. The other player chooses
//! only which of the things that are to be done again and again is asked for next; here it asks for one
//! after the other. That is so behind fixed points of the priority that wins for the winner; elsewhere
//! what the loser can choose are conjuncts about a state and, the last one, a step, which is taken.

use crate::parity_game::game::{Arena, NO_ROW};
use crate::parity_game::zielonka::Solution;
use rustc_hash::FxHashMap;

/// The edges with rows that are walked, and from which of them on they repeat.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Play {
    pub edges: Vec<usize>,
    pub again: Option<usize>,
}

/// The play from the first position; none if it takes more than so many moves.
pub fn play(arena: &Arena, solution: &Solution, most: usize) -> Option<Play> {
    let winner = solution.winner[0];
    let mut play = Play::default();
    let mut at = 0;
    // Whether the position before has the winner's priority: the loser asks for things here.
    let mut is_next = false;
    // Where things were asked for: how many edges there were the first time, and how often it was.
    let mut asked: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
    let mut since: FxHashMap<u32, usize> = FxHashMap::default();
    for _ in 0..most {
        let priority = arena.priority[at as usize];
        let is_own = priority > 0 && priority % 2 == u32::from(winner);
        let is_asked = std::mem::replace(&mut is_next, is_own) || is_own;
        let edges = arena.edges(at);
        let edge = if arena.owner[at as usize] == winner {
            solution.choice(at) as usize
        } else if edges.is_empty() {
            return Some(play);
        } else if is_asked {
            let things = things(arena, winner, at);
            let (first, times) = asked.entry(at).or_insert((play.edges.len(), 0));
            if *times > 0 && *times >= things.len() {
                play.again = Some(*first);
                return Some(play);
            }
            let next = things[*times % things.len()];
            *times += 1;
            since.clear();
            is_next = false;
            at = next;
            continue;
        } else {
            let last = edges.end - 1;
            edges.rev().find(|&edge| arena.rows[edge] == NO_ROW).unwrap_or(last)
        };
        if let Some(&before) = since.get(&at) {
            play.again = Some(before);
            return Some(play);
        }
        since.insert(at, play.edges.len());
        if arena.rows[edge] != NO_ROW {
            play.edges.push(edge);
        }
        at = arena.targets[edge];
    }
    None
}

/// The positions that the loser can have next, once it has chosen all that it can without a step.
fn things(arena: &Arena, winner: u8, at: u32) -> Vec<u32> {
    let (mut found, mut waiting) = (Vec::new(), vec![at]);
    while let Some(position) = waiting.pop() {
        let edges = arena.edges(position);
        let can_choose = arena.owner[position as usize] != winner && !edges.is_empty();
        if can_choose && edges.clone().all(|edge| arena.rows[edge] == NO_ROW) {
            waiting.extend(edges.rev().map(|edge| arena.targets[edge]));
        } else {
            found.push(position);
        }
    }
    found
}
