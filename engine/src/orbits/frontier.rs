//! The breadth-first loop that explores orbits on one machine, for any question: a [`Visitor`]
//! provides the queue of states and receives their steps and targets.
//!
//! States are queued and expanded in batches. Threads look up the orbits of a batch's targets, and
//! at the same time the steps of the next batch; entries missing in the tables are then computed.
//! While other threads compute the canonical images of the next batch, one thread passes the
//! present batch to the visitor, in order: so the result does not depend on the number of threads.
//! A state with a sum of more values than the cap is expanded again with a larger cap, up to the
//! limit.

use crate::base::ids::Id;
use crate::base::lock::Locked;
use crate::data::terms::Term;
use crate::orbits::batch::{Batch, Prefetch, reach};
use crate::orbits::images::Images;
use crate::orbits::orbit_table::Orbits;
use crate::orbits::statistics::{Callbacks, OrbitOptions};
use crate::orbits::step_orbits::Merging;
use crate::orbits::symmetric_process::{Numbered, SymmetricProcess};
use crate::process::explore::Incomplete;
use crate::process::linear::stop::Stop;
use std::ops::Range;
use std::sync::Mutex;

/// A question about the orbits of a process.
pub(crate) trait Visitor: Sync {
    /// Whether it needs the number of distinct steps of each state, which is counted in parallel.
    const COUNTS_STEPS: bool = false;

    /// Whether one step of each orbit under the stabiliser of its source is enough; then the queue
    /// has all orbits, in order: their canonical images, or if the quotient is stored their first
    /// members.
    fn may_merge(&self, _: &OrbitOptions) -> bool {
        false
    }

    /// The length of the queue, including the states that were expanded.
    fn queued(&self, orbits: &Orbits) -> usize;

    /// Appends the states at these positions of the queue.
    fn read(&self, orbits: &Orbits, positions: Range<usize>, states: &mut Vec<Term>);

    /// The number of states visited when the queue is expanded up to this position, and the bytes
    /// of the retained data.
    fn progress(&self, orbits: &Orbits, position: usize) -> (usize, usize) {
        (position, orbits.bytes())
    }

    /// Removes steps that do not count, and transforms the targets of the others into those of the
    /// question, such as pairs of a state and something else.
    fn prepare(&mut self, _: &mut SymmetricProcess<'_, '_>, _: &mut Batch) {}

    /// Receives the steps of a batch and the images of their targets. If the last state is
    /// `incomplete`, it is passed again with more steps. Returns the reason if the exploration is
    /// to end.
    fn visit(
        &mut self,
        numbered: &mut Numbered<'_>,
        callbacks: &mut dyn Callbacks,
        batch: &Batch,
        results: &Results,
        incomplete: bool,
    ) -> Result<Option<Incomplete>, Stop>;

    /// Called at the end of a level, when the whole queue was visited: adds states to the queue,
    /// and returns whether there were any.
    fn next_level(&mut self) -> bool {
        false
    }
}

/// The results for the steps of a batch: the images of their targets, and, if requested, the number
/// of distinct steps of each state.
#[derive(Default)]
pub(crate) struct Results {
    pub images: Images,
    pub distinct: Vec<u32>,
}

/// Explores until the queue is empty or there is a reason to end, stored in `system.incomplete`.
pub(crate) fn explore<V: Visitor>(
    system: &mut SymmetricProcess<'_, '_>,
    visitor: &mut V,
    callbacks: &mut dyn Callbacks,
) -> Result<(), Stop> {
    let (mut batch, mut images) = (Batch::default(), Images::default());
    let mut lookahead = reach(0, 0);
    loop {
        let (visited, bytes) = visitor.progress(&system.orbits, batch.positions.start as usize);
        if !system.may_continue(callbacks, visited, bytes)? {
            return Ok(());
        }
        let from = batch.positions.end as usize;
        let to = match batch.short {
            Some(_) => from,
            None => visitor.queued(&system.orbits).min(from + lookahead),
        };
        let (results, mut next) = look_up(system, visitor, &batch, images, from..to)?;
        let retried = batch.short.is_some() && system.cap.may_grow();
        let spare = std::mem::take(&mut system.spare);
        let (count, threads) = (next.labels.len(), system.options.threads);
        let cancel = system.process.data.cancel.clone();
        let (canonical, mut numbered) = system.split();
        let visit = || visitor.visit(&mut numbered, callbacks, &batch, &results, retried);
        let (fresh, incomplete) =
            Images::find(canonical, (&next.targets, count), threads, &cancel, spare, visit);
        (system.spare, system.incomplete) = (results.images, incomplete?);
        if system.incomplete.is_some() {
            return Ok(());
        }
        if retried {
            system.cap.grow();
            next = Batch::at(batch.positions.end - 1);
        } else if let Some(summand) = batch.short {
            system.incomplete = Some(Incomplete::Values(summand));
            return Ok(());
        } else if !next.positions.is_empty() {
            lookahead = reach(next.degrees.len(), next.labels.len());
        } else if visitor.queued(&system.orbits) == from && !visitor.next_level() {
            return Ok(());
        }
        (batch, images) = (next, fresh);
    }
}

/// Looks up the orbits of a batch's targets, and at the same time finds the steps of more states.
fn look_up<V: Visitor>(
    system: &mut SymmetricProcess<'_, '_>,
    visitor: &mut V,
    batch: &Batch,
    mut images: Images,
    more: Range<usize>,
) -> Result<(Results, Batch), Stop> {
    // Threads only read tables here; nothing is learned meanwhile.
    let (with_quotient, threads) = (system.options.with_quotient, system.options.threads);
    let width = system.process.parameters;
    // If the quotient is stored, orbits are explored in the order of their numbers.
    let first = match with_quotient {
        true => system.representatives(u32::at(more.start)..u32::at(more.end))?,
        false => Vec::new(),
    };
    let may_merge = visitor.may_merge(system.options);
    let SymmetricProcess { process, summand_tests, canonical, orbits, cap, .. } = &mut *system;
    let (canonical, known_orbits) = (&*canonical, &*orbits);
    let merging =
        may_merge.then_some(Merging { canonical, orbits: known_orbits, labels: with_quotient });
    let merging = (u32::at(more.start), merging);
    let read = |positions: Range<usize>, states: &mut Vec<Term>| {
        if with_quotient {
            states.extend_from_slice(&first[positions.start * width..positions.end * width]);
        } else {
            let positions = more.start + positions.start..more.start + positions.end;
            visitor.read(known_orbits, positions, states);
        }
    };
    let prefetch = Prefetch::new(more.len(), &read);
    let chunks = if V::COUNTS_STEPS && !with_quotient { batch.chunks() } else { 0..0 };
    let distinct: Vec<Mutex<Vec<u32>>> = chunks.map(|_| Mutex::default()).collect();
    let (known, tests) = (&**process, &*summand_tests);
    let besides = |chunk: usize| match distinct.get(chunk) {
        Some(distinct) => *distinct.locked() = batch.distinct(chunk, &known.data.cancel),
        None => prefetch.look_up(chunk - distinct.len(), known, tests, merging),
    };
    let count = distinct.len() + prefetch.chunks();
    // A stored transition also needs the element that leads to the image, so orbits are not looked
    // up.
    images.look_up((!with_quotient).then_some(known_orbits), threads, (count, &besides));
    let distinct = distinct.into_iter().flat_map(|chunk| chunk.unlocked());
    let distinct = distinct.collect();
    let mut next = prefetch.finish(process, summand_tests, merging, cap.now)?;
    for missing in std::mem::take(&mut next.missing) {
        system.learn(missing)?;
    }
    visitor.prepare(system, &mut next);
    system.complete(&mut images, &batch.targets)?;
    Ok((Results { images, distinct }, next))
}
