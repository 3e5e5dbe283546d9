//! Breadth-first generation of the state space of a linear process.
//!
//! States are explored in rounds. In a round, threads compute the steps of some hundred states
//! each, without changing shared data; then the new states are numbered, chunk by chunk. So the
//! numbering, and all output, is the same for any number of threads.
//!
//! Orbits are explored by another loop (`orbits::frontier`): tables here are keyed by the positions
//! and derived values that determine steps; there by the parameters that a summand reads, as the
//! proof of the symmetry needs.
//!
//! This file has the main loop. Read `statistics` (options and results), `explorer`, then `round`,
//! `level_numbering` and `delivery`.

pub mod delivery;
pub mod explorer;
pub mod level_numbering;
pub mod round;
pub mod statistics;

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::memory::anonymous;
use crate::process::explore::explorer::Explorer;
use crate::process::explore::round::Pipeline;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use std::sync::Mutex;
use std::time::{Duration, Instant};

pub use crate::process::explore::statistics::{
    Callbacks, Exploration, ExploreOptions, Incomplete, Limits, Output, Statistics,
};

/// Time between two progress reports.
const REPORT: Duration = Duration::from_millis(40);

/// Generates the states reachable from the initial one, numbered breadth first. The transitions of
/// a state are in the order of the summands, without duplicates.
pub fn generate(
    process: &mut Process,
    options: &ExploreOptions,
    callbacks: &mut dyn Callbacks,
) -> Result<Exploration, Stop> {
    let cancel = process.data.cancel.clone();
    let result = Explorer::new(process, options, &Mutex::new(callbacks)).run();
    process.data.begin(cancel);
    result
}

impl Explorer<'_, '_> {
    fn run(mut self) -> Result<Exploration, Stop> {
        let mut pipeline = Pipeline::new(self.options);
        // Rounds may consist of one state, so the clock is read only once in each.
        let mut start = Instant::now();
        loop {
            let ranges = if self.incomplete.is_none() { self.ranges() } else { Vec::new() };
            if ranges.is_empty() && pipeline.chunks.is_empty() && pipeline.transitions.is_empty() {
                break;
            }
            let mut fresh = self.find(&ranges, &mut pipeline.spare_chunks);
            self.finish_round(&mut fresh, &mut pipeline)?;
            pipeline.chunks = fresh;
            self.states.absorb();
            pipeline.texts.extend(&self.states.process().labels.labels);
            if !ranges.is_empty() {
                let now = Instant::now();
                self.adapt(now - start);
                self.states.reshape();
                self.look(&pipeline, now);
                start = now;
            }
        }
        pipeline.delivery.finish(*self.callbacks());
        // Traces are computed even if a limit has been reached, however long that takes.
        let cancel = self.cancel.check().map_or_else(|_| Cancel::never(), |()| self.cancel.clone());
        self.states.process().data.begin(cancel);
        let traces = self.traces();
        self.update_statistics();
        let labels = &self.states.process().labels.labels;
        let lts = pipeline.delivery.lts(labels, u32::at(self.statistics.states));
        Ok(Exploration { statistics: self.statistics, incomplete: self.incomplete, lts, traces })
    }

    /// Stops the exploration at a limit or on request; reports progress.
    fn look(&mut self, pipeline: &Pipeline, now: Instant) {
        let limits = &self.options.limits;
        let complete = self.statistics.explored == self.states.store.len();
        self.stage.reach(self.states.store.len());
        if self.incomplete.is_some() || complete {
            return;
        }
        if let Err(why) = self.check() {
            self.incomplete = Some(why.into());
            return;
        }
        if let Some(memory) = limits.memory {
            // The next round may double a table, and the states just found will be added.
            let new_states: usize = pipeline.chunks.iter().map(|chunk| chunk.labels.len()).sum();
            let own = anonymous().unwrap_or_else(|| {
                self.update_statistics();
                self.statistics.store + self.statistics.tables
            });
            if own + self.states.store.bytes_for(new_states) > memory {
                self.incomplete = Some(Incomplete::Memory);
                return;
            }
        }
        if now - self.reported > REPORT {
            self.update_statistics();
            self.callbacks().progress(&self.statistics);
            self.reported = now;
        }
    }
}
