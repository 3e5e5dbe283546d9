//! The steps of some orbits in a row, found in their representatives.

use crate::data::terms::Term;
use crate::lpe::process::stop::Stop;
use crate::lpe::process::{Local, Process};
use crate::orbit_exploration::summand_tests::SummandTests;
use std::ops::Range;

/// States in a batch.
pub(crate) const BATCH: usize = 512;
/// Steps in a batch, about at most.
const STEPS: usize = 1 << 16;

/// The steps of some orbits in a row.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) orbits: Range<u32>,
    /// How many steps the representative of each has.
    pub(crate) degrees: Vec<u32>,
    pub(crate) labels: Vec<u32>,
    /// The texts of these labels.
    pub(crate) texts: Vec<u32>,
    /// Where the steps lead to, states one behind the other.
    pub(crate) targets: Vec<Term>,
    /// A sum of this summand has more values than were to be tried in the last state.
    pub(crate) short: Option<usize>,
}

/// Orbits whose steps a thread counts at a time.
const COUNTED: usize = 64;

impl Batch {
    /// The pieces in which steps are counted.
    pub(crate) fn pieces(&self) -> Range<usize> {
        0..self.degrees.len().div_ceil(COUNTED)
    }

    /// How many steps the orbits of a piece have, each one once.
    pub(crate) fn distinct(&self, piece: usize) -> Vec<u32> {
        let from = piece * COUNTED;
        let to = self.degrees.len().min(from + COUNTED);
        let mut step = self.degrees[..from].iter().map(|&degree| degree as usize).sum::<usize>();
        let width = self.targets.len() / self.labels.len().max(1);
        let key = |&at: &usize| (self.texts[at], &self.targets[at * width..(at + 1) * width]);
        let mut order: Vec<usize> = Vec::new();
        let degrees = self.degrees[from..to].iter();
        degrees
            .map(|&degree| {
                order.clear();
                order.extend(step..step + degree as usize);
                step += degree as usize;
                order.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
                order.dedup_by(|one, other| key(one) == key(other));
                order.len() as u32
            })
            .collect()
    }
}

/// The steps of representatives, `states`, up to the first that has a sum with too many values.
pub(crate) fn expand(
    process: &mut Process,
    summand_tests: &mut SummandTests,
    orbits: Range<u32>,
    states: &[Term],
    cap: usize,
    limit: usize,
) -> Result<Batch, Stop> {
    let width = process.parameters;
    let mut batch = Batch { orbits: orbits.start..orbits.start, ..Batch::default() };
    let (mut candidates, mut key, mut target) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..orbits.len() {
        let state = &states[at * width..(at + 1) * width];
        let before = batch.labels.len();
        summand_tests.of(process, state, &mut candidates);
        for &i in &candidates {
            // What is in the table has passed before.
            if !process.knows(i as usize, state, &mut key)
                && !summand_tests.passes(process, i, state)
            {
                continue;
            }
            let local = process.local_steps(i as usize, state, &mut key, cap.min(limit))?;
            let (begin, end) = match local {
                Local::All(known) => process.tables[i as usize].spans[known as usize],
                Local::Some(span) => span,
            };
            for row in begin..end {
                let label = process.successor(i as usize, row, state, &mut target);
                batch.labels.push(label);
                batch.texts.push(process.labels.texts[label as usize]);
                batch.targets.extend_from_slice(&target);
            }
            if matches!(local, Local::Some(_)) {
                batch.short = Some(i as usize);
                break;
            }
        }
        batch.degrees.push((batch.labels.len() - before) as u32);
        batch.orbits.end += 1;
        if batch.short.is_some() || batch.labels.len() >= STEPS {
            break;
        }
    }
    Ok(batch)
}
