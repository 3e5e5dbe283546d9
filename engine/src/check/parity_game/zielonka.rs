//! Zielonka's recursive algorithm for parity games (Infinite games on finitely coloured graphs,
//! 1998). The depth of recursion is at most the number of priorities, that is, the alternation
//! depth of the formula.

use crate::base::cancel::{Cancel, Result, Stage};
use crate::base::csr::grouped::Grouped;
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::stages::Measure;
use crate::check::parity_game::game::{Arena, NO_TRANSITION};

/// The winner of every position, and winning strategies.
pub struct Solution {
    pub winner: Vec<u8>,
    /// For a position whose owner wins it, a winning edge.
    strategy: Vec<u32>,
}

impl Solution {
    /// A winning edge at a position whose owner wins it.
    pub fn choice(&self, position: u32) -> u32 {
        self.strategy[position as usize]
    }
}

/// Solves a game.
pub fn solve(arena: &Arena, cancel: &Cancel) -> Result<Solution> {
    let positions = arena.len();
    let shown = cancel.stage("positions", Measure::Growing);
    shown.reach(positions);
    let sources = 0..u32::at(positions);
    let edges = sources
        .flat_map(|source| arena.edges(source).map(move |edge| (arena.targets[edge], source)));
    let mut solver = Solver {
        arena,
        incoming: Grouped::new(positions, edges),
        alive: vec![true; positions],
        winner: vec![0; positions],
        strategy: vec![NONE; positions],
        round: 0,
        attractors: cancel.stage("attractors", Measure::Growing),
        seen: vec![0; positions],
        left: vec![0; positions],
    };
    // A player that cannot move loses, and with it wherever the opponent can force the play to such
    // a position.
    let mut rest: Vec<u32> = (0..u32::at(positions)).collect();
    for player in [0, 1] {
        let stuck = |&v: &u32| arena.edges(v).is_empty() && arena.owner[v as usize] != player;
        let goal: Vec<u32> = rest.iter().copied().filter(stuck).collect();
        let won = solver.attract(player, goal, cancel)?;
        for &v in &won {
            solver.winner[v as usize] = player;
            solver.alive[v as usize] = false;
        }
        rest.retain(|&v| solver.alive[v as usize]);
    }
    solver.solve(rest, cancel)?;
    Ok(Solution { winner: solver.winner, strategy: solver.strategy })
}

/// The transitions of the system that occur in plays from the initial position by the winner's
/// strategy, for all moves of the other player; sorted.
pub fn evidence(arena: &Arena, solution: &Solution) -> Vec<u32> {
    let winner = solution.winner[0];
    let mut visited = vec![false; arena.len()];
    visited[0] = true;
    let (mut waiting, mut transitions) = (vec![0], Vec::new());
    while let Some(position) = waiting.pop() {
        let mut edges = arena.edges(position);
        if arena.owner[position as usize] == winner {
            let chosen = solution.strategy[position as usize] as usize;
            edges = chosen..chosen + 1;
        }
        for edge in edges {
            if arena.transition(edge) != NO_TRANSITION {
                transitions.push(arena.transition(edge));
            }
            let target = arena.targets[edge];
            if !std::mem::replace(&mut visited[target as usize], true) {
                waiting.push(target);
            }
        }
    }
    transitions.sort_unstable();
    transitions.dedup();
    transitions
}

struct Solver<'a> {
    arena: &'a Arena,
    /// For every position, its predecessors, without duplicates.
    incoming: Grouped<u32, u32>,
    /// Whether a position is in the subgame being solved.
    alive: Vec<bool>,
    winner: Vec<u8>,
    strategy: Vec<u32>,
    round: u32,
    /// The stage that counts attractors, whose total number is not known.
    attractors: Stage,
    seen: Vec<u32>,
    /// For a position of the opponent, its edges that do not lead into the attractor yet.
    left: Vec<u32>,
}

impl Solver<'_> {
    /// Solves the subgame on `positions`, the ones alive.
    fn solve(&mut self, mut positions: Vec<u32>, cancel: &Cancel) -> Result<()> {
        let all = positions.clone();
        while let Some(top) = positions.iter().map(|&v| self.arena.priority[v as usize]).max() {
            let player = (top % 2) as u8;
            let goal = positions.iter().copied();
            let goal = goal.filter(|&v| self.arena.priority[v as usize] == top).collect();
            let near = self.attract(player, goal, cancel)?;
            for &v in &near {
                self.alive[v as usize] = false;
            }
            let far: Vec<u32> =
                positions.iter().copied().filter(|&v| self.alive[v as usize]).collect();
            let lost = if far.is_empty() {
                Vec::new()
            } else {
                self.solve(far.clone(), cancel)?;
                far.into_iter().filter(|&v| self.winner[v as usize] != player).collect()
            };
            for &v in &near {
                self.alive[v as usize] = true;
                self.winner[v as usize] = player;
            }
            if lost.is_empty() {
                // At the top priority any edge that stays in the subgame wins.
                for &v in &near {
                    let own = self.arena.owner[v as usize] == player;
                    if own && self.arena.priority[v as usize] == top {
                        let stays = |e: &usize| self.alive[self.arena.targets[*e] as usize];
                        let edge = self.arena.edges(v).find(stays);
                        self.strategy[v as usize] = edge.map_or(NONE, u32::at);
                    }
                }
                break;
            }
            for v in self.attract(1 - player, lost, cancel)? {
                self.winner[v as usize] = 1 - player;
                self.alive[v as usize] = false;
            }
            positions.retain(|&v| self.alive[v as usize]);
        }
        for v in all {
            self.alive[v as usize] = true;
        }
        Ok(())
    }

    /// The attractor of `goal`: the positions from which `player` can force the play into it,
    /// itself included.
    fn attract(&mut self, player: u8, goal: Vec<u32>, cancel: &Cancel) -> Result<Vec<u32>> {
        // Even: visited; odd: in the attractor.
        self.round += 2;
        self.attractors.add(1);
        let (visited, inside) = (self.round, self.round + 1);
        for &v in &goal {
            self.seen[v as usize] = inside;
        }
        let mut attractor = goal;
        let mut next = 0;
        while let Some(&v) = attractor.get(next) {
            cancel.check_at(next)?;
            next += 1;
            for &source in self.incoming.of(v) {
                let s = source as usize;
                if !self.alive[s] || self.seen[s] == inside {
                    continue;
                }
                if self.arena.owner[s] == player {
                    let mut edges = self.arena.edges(source);
                    let edge = edges.find(|&edge| self.arena.targets[edge] == v);
                    self.strategy[s] = u32::at(edge.expect("it was found by this edge"));
                } else {
                    if self.seen[s] != visited {
                        self.seen[s] = visited;
                        let targets = &self.arena.targets[self.arena.edges(source)];
                        self.left[s] =
                            u32::at(targets.iter().filter(|&&t| self.alive[t as usize]).count());
                    }
                    self.left[s] -= 1;
                    if self.left[s] > 0 {
                        continue;
                    }
                }
                self.seen[s] = inside;
                attractor.push(source);
            }
        }
        Ok(attractor)
    }
}
