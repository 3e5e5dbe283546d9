//! The rho-encoding of a quotient as an LTS (van Langevelde, SEN-R0303, Definitions 6.3 and 6.16).
//!
//! A set C of states of the original with one member of every transition orbit between them; steps
//! labelled PREFIX(k) lead from each state of C to the next member of its orbit in C, k being the
//! least power of g that does. A state alone in its orbit has a loop labelled with its period, and
//! none if that is the order of g.

use super::quotient::Quotient;
use crate::lts::Lts;
use crate::ops::reachable::restrict;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Which member of every transition orbit is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that leaves the representative of its source: the first one met breadth first.
    BreadthFirst,
    /// The one between states that are in C already; where there is none, the state that makes
    /// most orbits stored is added.
    Greedy,
}

/// A prefix for rho-labels that is no action of the system: `rho`, `rho_`, `rho__`, ..
pub fn rho_prefix(quotient: &Quotient) -> String {
    let mut prefix = String::from("rho");
    let taken = |prefix: &str| {
        quotient.labels.iter().any(|label| {
            let end = label.iter().position(|&byte| byte == b'(').unwrap_or(label.len());
            &label[..end] == prefix.as_bytes()
        })
    };
    while taken(&prefix) {
        prefix.push('_');
    }
    prefix
}

/// The encoding, states numbered breadth first over actions and rho-steps, and its prefix.
pub fn encode(quotient: &Quotient, order: Order) -> (Lts, String) {
    let bases = quotient.bases();
    let states = bases[bases.len() - 1] as usize;
    let powers = match order {
        Order::BreadthFirst => vec![0; quotient.source.len()],
        Order::Greedy => fewest_states(quotient, &bases),
    };
    let mut columns: [Vec<u32>; 3] = Default::default();
    let mut chosen = vec![false; states];
    chosen[bases[quotient.initial as usize] as usize] = true;
    for (row, &power) in powers.iter().enumerate() {
        let (s, t) = (quotient.source[row] as usize, quotient.target[row] as usize);
        let mut label = quotient.label[row];
        for _ in 0..power {
            label = quotient.permutation[label as usize];
        }
        let source = bases[s] + power % quotient.periods[s];
        let target = bases[t] + (quotient.shift[row] + power) % quotient.periods[t];
        chosen[source as usize] = true;
        chosen[target as usize] = true;
        for (column, value) in columns.iter_mut().zip([source, label, target]) {
            column.push(value);
        }
    }
    let prefix = rho_prefix(quotient);
    let mut labels = (*quotient.labels).clone();
    for orbit in 0..quotient.periods.len() {
        let period = quotient.periods[orbit];
        let members: Vec<u32> =
            (0..period).filter(|&i| chosen[(bases[orbit] + i) as usize]).collect();
        for (i, &member) in members.iter().enumerate() {
            let next = members[(i + 1) % members.len()];
            let step = if next > member { next - member } else { period + next - member };
            if step == quotient.order {
                continue; // alone, and not fixed by any power
            }
            columns[0].push(bases[orbit] + member);
            columns[1].push(labels.intern(format!("{prefix}({step})").as_bytes()));
            columns[2].push(bases[orbit] + next);
        }
    }
    let initial = bases[quotient.initial as usize];
    let internal = Arc::new(quotient.internal.clone());
    let lts = Lts::from_valid(initial, states as u32, columns, Arc::new(labels), internal);
    (restrict(&lts, &mut || true).expect("nobody stops it"), prefix)
}

/// The best of several greedy choices, and of the breadth-first one without its needless states.
fn fewest_states(quotient: &Quotient, bases: &[u32]) -> Vec<u32> {
    let preferences = [Preference::Score, Preference::NewOrbits, Preference::ScoreThenNewOrbits];
    let greedy = preferences.into_iter().map(|p| Greedy::new(quotient, bases, p).choose());
    let first_met = Greedy::new(quotient, bases, Preference::Score).keep_first_met();
    let choices = greedy.chain([first_met]);
    choices.min_by_key(|(states, _)| *states).expect("several").1
}

/// Which state the greedy choice adds next; ties go to the least number.
#[derive(Clone, Copy)]
enum Preference {
    /// The one that makes most rows stored.
    Score,
    /// One of an orbit that has none in C yet, then the one that makes most rows stored.
    NewOrbits,
    /// The one that makes most rows stored, then one of an orbit that has none in C yet.
    ScoreThenNewOrbits,
}

type Claim = (u32, u32, Reverse<u32>);

/// The greedy choice. States are numbered as by `bases`.
struct Greedy<'a> {
    preference: Preference,
    quotient: &'a Quotient,
    bases: &'a [u32],
    periods: Vec<u32>,
    /// The rows with one end in an orbit.
    incident: Vec<Vec<u32>>,
    chosen: Vec<bool>,
    /// The power of g for every row that is stored.
    power: Vec<Option<u32>>,
    /// Rows that a state would make stored.
    score: Vec<u32>,
    /// The states that would make a row stored.
    waiting: Vec<Vec<u32>>,
    pairs: FxHashSet<u64>,
    /// Whether an orbit has a state in C.
    met: Vec<bool>,
    /// The states with a score, by what speaks for them; entries that no longer hold are passed over.
    heap: BinaryHeap<Claim>,
}

impl<'a> Greedy<'a> {
    fn new(quotient: &'a Quotient, bases: &'a [u32], preference: Preference) -> Self {
        let rows = quotient.source.len();
        let states = bases[bases.len() - 1] as usize;
        let label_periods = quotient.label_periods();
        let mut incident = vec![Vec::new(); quotient.periods.len()];
        for row in 0..rows {
            let (s, t) = (quotient.source[row] as usize, quotient.target[row] as usize);
            incident[s].push(row as u32);
            if s != t {
                incident[t].push(row as u32);
            }
        }
        let mut greedy = Self {
            preference,
            quotient,
            bases,
            periods: (0..rows).map(|row| quotient.row_period(row, &label_periods)).collect(),
            incident,
            chosen: vec![false; states],
            power: vec![None; rows],
            score: vec![0; states],
            waiting: vec![Vec::new(); rows],
            pairs: FxHashSet::default(),
            met: vec![false; quotient.periods.len()],
            heap: BinaryHeap::new(),
        };
        // A loop is stored with its own state.
        for row in 0..rows {
            let orbit = quotient.source[row] as usize;
            if quotient.target[row] as usize == orbit && quotient.shift[row] == 0 {
                for state in bases[orbit]..bases[orbit + 1] {
                    greedy.wait(row as u32, state);
                }
            }
        }
        greedy
    }

    /// The number of states, and for every row the power of g that is stored.
    fn choose(mut self) -> (usize, Vec<u32>) {
        let mut added = Vec::new();
        self.add(self.bases[self.quotient.initial as usize]);
        while let Some(claim) = self.heap.pop() {
            let Reverse(state) = claim.2;
            if !self.chosen[state as usize]
                && claim == self.claim(state)
                && self.score[state as usize] > 0
            {
                self.add(state);
                added.push(state);
            }
        }
        self.finish(added)
    }

    /// Every row as its source was met first.
    fn keep_first_met(mut self) -> (usize, Vec<u32>) {
        self.chosen[self.bases[self.quotient.initial as usize] as usize] = true;
        let mut added = Vec::new();
        for row in 0..self.power.len() {
            self.power[row] = Some(0);
            let (source, target) = self.ends(row, 0);
            for state in [source, target] {
                if !std::mem::replace(&mut self.chosen[state as usize], true) {
                    added.push(state);
                }
            }
        }
        self.finish(added)
    }

    fn finish(mut self, mut added: Vec<u32>) -> (usize, Vec<u32>) {
        while let Some(state) = added.pop() {
            self.remove_if_needless(state);
        }
        let states = self.chosen.iter().filter(|&&chosen| chosen).count();
        let powers = self.power.into_iter();
        (states, powers.map(|power| power.expect("every orbit is reachable")).collect())
    }

    /// Notes that `state` would make `row` stored.
    fn wait(&mut self, row: u32, state: u32) {
        if self.pairs.insert(u64::from(row) << 32 | u64::from(state)) {
            self.waiting[row as usize].push(state);
            self.score[state as usize] += 1;
            self.heap.push(self.claim(state));
        }
    }

    fn orbit(&self, state: u32) -> usize {
        self.bases.partition_point(|&base| base <= state) - 1
    }

    fn claim(&self, state: u32) -> Claim {
        let score = self.score[state as usize];
        let new = u32::from(!self.met[self.orbit(state)]);
        match self.preference {
            Preference::Score => (score, 0, Reverse(state)),
            Preference::NewOrbits => (new, score, Reverse(state)),
            Preference::ScoreThenNewOrbits => (score, new, Reverse(state)),
        }
    }

    /// Adds a state to C, stores the rows that have both ends there now, and scores the others.
    fn add(&mut self, state: u32) {
        self.chosen[state as usize] = true;
        let orbit = self.orbit(state);
        if !std::mem::replace(&mut self.met[orbit], true) {
            for other in self.bases[orbit]..self.bases[orbit + 1] {
                if self.score[other as usize] > 0 {
                    self.heap.push(self.claim(other));
                }
            }
        }
        for i in 0..self.incident[orbit].len() {
            let row = self.incident[orbit][i] as usize;
            if self.power[row].is_some() {
                continue;
            }
            let mut best: Option<(u32, u32, u32)> = None;
            let mut others = Vec::new();
            for power in 0..self.periods[row] {
                let (source, target) = self.ends(row, power);
                if source != state && target != state {
                    continue;
                }
                let other = if source == state { target } else { source };
                if self.chosen[other as usize] {
                    let candidate = (source, target, power);
                    best = Some(best.map_or(candidate, |best| best.min(candidate)));
                } else {
                    others.push(other);
                }
            }
            if let Some((_, _, power)) = best {
                self.power[row] = Some(power);
                for waiting in std::mem::take(&mut self.waiting[row]) {
                    self.score[waiting as usize] -= 1;
                    self.heap.push(self.claim(waiting));
                }
            } else {
                for other in others {
                    self.wait(row as u32, other);
                }
            }
        }
    }

    /// Takes a state out of C again if every row stored with it has another member between states
    /// that stay.
    fn remove_if_needless(&mut self, state: u32) {
        self.chosen[state as usize] = false;
        let mut moved = Vec::new();
        for &row in &self.incident[self.orbit(state)] {
            let stored = self.power[row as usize].expect("all rows are stored");
            let (source, target) = self.ends(row as usize, stored);
            if source != state && target != state {
                continue;
            }
            let other = (0..self.periods[row as usize]).find(|&power| {
                let (source, target) = self.ends(row as usize, power);
                self.chosen[source as usize] && self.chosen[target as usize]
            });
            let Some(other) = other else {
                self.chosen[state as usize] = true;
                return;
            };
            moved.push((row, other));
        }
        for (row, power) in moved {
            self.power[row as usize] = Some(power);
        }
    }

    fn ends(&self, row: usize, power: u32) -> (u32, u32) {
        let quotient = self.quotient;
        let (s, t) = (quotient.source[row] as usize, quotient.target[row] as usize);
        let source = self.bases[s] + power % quotient.periods[s];
        let target = self.bases[t] + (quotient.shift[row] + power) % quotient.periods[t];
        (source, target)
    }
}
