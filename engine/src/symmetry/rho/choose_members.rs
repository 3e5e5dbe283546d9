//! The choice of a member of each transition orbit, so that few states are needed.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::symmetry::annotated_quotient::Quotient;
use crate::symmetry::rho::members::Members;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// For every orbit of transitions the member that is stored, as an index into the columns of
/// `members`. This is the best of several greedy choices and of the breadth-first choice, each
/// without unnecessary states.
pub fn fewest_states(
    quotient: &Quotient,
    members: &Members,
    cancel: &Cancel,
) -> Result<Vec<usize>> {
    let mut choices = Vec::new();
    for preference in [Preference::Score, Preference::NewOrbits, Preference::ScoreThenNewOrbits] {
        choices.push(Greedy::new(quotient, members, preference).choose(cancel)?);
    }
    choices.push(Greedy::new(quotient, members, Preference::Score).keep_first_visited(cancel)?);
    let fewest = choices.into_iter().min_by_key(|(states, _)| *states);
    Ok(fewest.expect("there are some").1)
}

/// The state that the greedy choice adds next; ties go to the least number.
#[derive(Clone, Copy)]
enum Preference {
    /// The one that lets most orbits of transitions be stored.
    Score,
    /// One of an orbit with no state in C yet; among these the one that lets most orbits of
    /// transitions be stored.
    NewOrbits,
    /// The one that lets most orbits of transitions be stored; among these one of an orbit with no
    /// state in C yet.
    ScoreThenNewOrbits,
}

type Claim = (u32, u32, Reverse<u32>);

/// The greedy choice of a set C of states.
struct Greedy<'a> {
    preference: Preference,
    members: &'a Members,
    initial: u32,
    /// The orbit of transitions of every transition.
    transition_orbit: Vec<u32>,
    /// The start of each state's transitions in `incident`, which lists each transition at both
    /// ends.
    starts: Vec<usize>,
    incident: Vec<u32>,
    chosen: Vec<bool>,
    /// For every orbit of transitions the transition that is stored.
    stored: Vec<Option<usize>>,
    /// For every state the number of orbits of transitions that adding it would let be stored.
    score: Vec<u32>,
    /// For every orbit of transitions the states that would let it be stored.
    waiting: Vec<Vec<u32>>,
    pairs: FxHashSet<u64>,
    /// For every orbit whether it has a state in C.
    visited: Vec<bool>,
    /// The states with a score, by priority; outdated entries are skipped.
    heap: BinaryHeap<Claim>,
}

impl<'a> Greedy<'a> {
    fn new(quotient: &Quotient, members: &'a Members, preference: Preference) -> Self {
        let (stored, states) = (members.starts.len() - 1, members.states());
        let mut transition_orbit = vec![0; members.source.len()];
        for number in 0..stored {
            transition_orbit[members.starts[number]..members.starts[number + 1]]
                .fill(u32::at(number));
        }
        let mut starts = vec![0usize; states + 1];
        let states_of = |t: usize| {
            let (source, target) = (members.source[t] as usize, members.target[t] as usize);
            [Some(source), (target != source).then_some(target)].into_iter().flatten()
        };
        for t in 0..transition_orbit.len() {
            states_of(t).for_each(|state| starts[state + 1] += 1);
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut incident = vec![0; starts[states]];
        let mut next = starts.clone();
        for t in 0..transition_orbit.len() {
            for state in states_of(t) {
                incident[next[state]] = u32::at(t);
                next[state] += 1;
            }
        }
        let mut greedy = Self {
            preference,
            members,
            initial: members.bases[quotient.initial as usize],
            transition_orbit,
            starts,
            incident,
            chosen: vec![false; states],
            stored: vec![None; stored],
            score: vec![0; states],
            waiting: vec![Vec::new(); stored],
            pairs: FxHashSet::default(),
            visited: vec![false; quotient.orbits()],
            heap: BinaryHeap::new(),
        };
        // A loop can be stored with its own state.
        for t in 0..members.source.len() {
            if members.source[t] == members.target[t] {
                greedy.wait(greedy.transition_orbit[t], members.source[t]);
            }
        }
        greedy
    }

    /// The number of states, and for every orbit of transitions the transition that is stored.
    fn choose(mut self, cancel: &Cancel) -> Result<(usize, Vec<usize>)> {
        let (mut added, mut unchecked) = (Vec::new(), 0);
        self.add(self.initial);
        while let Some(claim) = self.heap.pop() {
            cancel.check_every(&mut unchecked, 1)?;
            let Reverse(state) = claim.2;
            if !self.chosen[state as usize]
                && claim == self.claim(state)
                && self.score[state as usize] > 0
            {
                self.add(state);
                added.push(state);
            }
        }
        self.finish(added, cancel)
    }

    /// Stores for every orbit of transitions the member that leaves the representative of its
    /// source, as breadth-first exploration does.
    fn keep_first_visited(mut self, cancel: &Cancel) -> Result<(usize, Vec<usize>)> {
        self.chosen[self.initial as usize] = true;
        let mut added = Vec::new();
        for transition_orbit in 0..self.stored.len() {
            let first = self.members.starts[transition_orbit];
            self.stored[transition_orbit] = Some(first);
            for state in [self.members.source[first], self.members.target[first]] {
                if !std::mem::replace(&mut self.chosen[state as usize], true) {
                    added.push(state);
                }
            }
        }
        self.finish(added, cancel)
    }

    fn finish(mut self, mut added: Vec<u32>, cancel: &Cancel) -> Result<(usize, Vec<usize>)> {
        let mut unchecked = 0;
        while let Some(state) = added.pop() {
            cancel.check_every(
                &mut unchecked,
                self.starts[state as usize + 1] - self.starts[state as usize],
            )?;
            self.remove_if_needless(state);
        }
        let states = self.chosen.iter().filter(|&&chosen| chosen).count();
        let stored = self.stored.into_iter();
        Ok((states, stored.map(|stored| stored.expect("every orbit is reachable")).collect()))
    }

    /// Records that adding `state` would let a member of `transition_orbit` be stored.
    fn wait(&mut self, transition_orbit: u32, state: u32) {
        if self.pairs.insert(u64::from(transition_orbit) << 32 | u64::from(state)) {
            self.waiting[transition_orbit as usize].push(state);
            self.score[state as usize] += 1;
            self.heap.push(self.claim(state));
        }
    }

    fn orbit(&self, state: u32) -> usize {
        self.members.bases.partition_point(|&base| base <= state) - 1
    }

    fn claim(&self, state: u32) -> Claim {
        let score = self.score[state as usize];
        let new = u32::from(!self.visited[self.orbit(state)]);
        match self.preference {
            Preference::Score => (score, 0, Reverse(state)),
            Preference::NewOrbits => (new, score, Reverse(state)),
            Preference::ScoreThenNewOrbits => (score, new, Reverse(state)),
        }
    }

    /// The other end of a transition at a state; the state itself for a loop.
    fn other_end(&self, t: usize, state: u32) -> u32 {
        let (source, target) = (self.members.source[t], self.members.target[t]);
        if source == state { target } else { source }
    }

    /// Adds a state to C, stores the orbits of transitions that now have both ends there, and
    /// updates the scores of the others.
    fn add(&mut self, state: u32) {
        self.chosen[state as usize] = true;
        let orbit = self.orbit(state);
        if !std::mem::replace(&mut self.visited[orbit], true) {
            for other in self.members.bases[orbit]..self.members.bases[orbit + 1] {
                if self.score[other as usize] > 0 {
                    self.heap.push(self.claim(other));
                }
            }
        }
        let mut at = self.starts[state as usize];
        let past = self.starts[state as usize + 1];
        while at < past {
            let transition_orbit = self.transition_orbit[self.incident[at] as usize];
            let begin = at;
            while at < past && self.transition_orbit[self.incident[at] as usize] == transition_orbit
            {
                at += 1;
            }
            if self.stored[transition_orbit as usize].is_some() {
                continue;
            }
            let touching = self.incident[begin..at].iter().map(|&t| t as usize);
            let closed = touching.filter(|&t| self.chosen[self.other_end(t, state) as usize]);
            let best = closed.min_by_key(|&t| (self.members.source[t], self.members.target[t], t));
            if best.is_some() {
                self.stored[transition_orbit as usize] = best;
                for waiting in std::mem::take(&mut self.waiting[transition_orbit as usize]) {
                    self.score[waiting as usize] -= 1;
                    self.heap.push(self.claim(waiting));
                }
            } else {
                for i in begin..at {
                    self.wait(transition_orbit, self.other_end(self.incident[i] as usize, state));
                }
            }
        }
    }

    /// Removes a state from C if every orbit of transitions stored with it has another member
    /// between states of C.
    fn remove_if_needless(&mut self, state: u32) {
        self.chosen[state as usize] = false;
        let mut moved = Vec::new();
        let range = self.starts[state as usize]..self.starts[state as usize + 1];
        for &t in &self.incident[range] {
            let transition_orbit = self.transition_orbit[t as usize] as usize;
            if self.stored[transition_orbit] != Some(t as usize) {
                continue;
            }
            let other = (self.members.starts[transition_orbit]
                ..self.members.starts[transition_orbit + 1])
                .find(|&t| {
                    let states = [self.members.source[t], self.members.target[t]];
                    states.into_iter().all(|end| self.chosen[end as usize])
                });
            let Some(other) = other else {
                self.chosen[state as usize] = true;
                return;
            };
            moved.push((transition_orbit, other));
        }
        for (transition_orbit, other) in moved {
            self.stored[transition_orbit] = Some(other);
        }
    }
}
