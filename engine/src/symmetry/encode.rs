//! The rho-encoding of a quotient as an LTS (van Langevelde, SEN-R0303, Definitions 6.3 and 6.16).
//!
//! A set C of states of the original with one member of every transition orbit between them; steps
//! labelled PREFIX(k) lead from each state of C to the next member of its orbit in C, k being the
//! least power of g that does. A state alone in its orbit has a loop labelled with its period, and
//! none if that is the order of g.

use super::quotient::Quotient;
use crate::lts::Lts;
use crate::numbering::breadth_first;
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
        Order::Greedy => Greedy::new(quotient, &bases).choose(),
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
    let (columns, states) = breadth_first(initial, states, &columns);
    let internal = Arc::new(quotient.internal.clone());
    (Lts::from_valid(0, states, columns, Arc::new(labels), internal), prefix)
}

/// The greedy choice. States are numbered as by `bases`.
struct Greedy<'a> {
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
    heap: BinaryHeap<(u32, Reverse<u32>)>,
}

impl<'a> Greedy<'a> {
    fn new(quotient: &'a Quotient, bases: &'a [u32]) -> Self {
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
            quotient,
            bases,
            periods: (0..rows).map(|row| quotient.row_period(row, &label_periods)).collect(),
            incident,
            chosen: vec![false; states],
            power: vec![None; rows],
            score: vec![0; states],
            waiting: vec![Vec::new(); rows],
            pairs: FxHashSet::default(),
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

    fn choose(mut self) -> Vec<u32> {
        self.add(self.bases[self.quotient.initial as usize]);
        while let Some((score, Reverse(state))) = self.heap.pop() {
            if score > 0 && score == self.score[state as usize] && !self.chosen[state as usize] {
                self.add(state);
            }
        }
        self.power.into_iter().map(|power| power.expect("every orbit is reachable")).collect()
    }

    /// Notes that `state` would make `row` stored.
    fn wait(&mut self, row: u32, state: u32) {
        if self.pairs.insert(u64::from(row) << 32 | u64::from(state)) {
            self.waiting[row as usize].push(state);
            self.score[state as usize] += 1;
            self.heap.push((self.score[state as usize], Reverse(state)));
        }
    }

    /// Adds a state to C, stores the rows that have both ends there now, and scores the others.
    fn add(&mut self, state: u32) {
        self.chosen[state as usize] = true;
        let orbit = self.bases.partition_point(|&base| base <= state) - 1;
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
                    let score = self.score[waiting as usize];
                    self.heap.push((score, Reverse(waiting)));
                }
            } else {
                for other in others {
                    self.wait(row as u32, other);
                }
            }
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
