//! The loop that explores orbits on one machine, breadth first, whatever the question is: a
//! [`Visitor`] says which states wait to be expanded, and is shown their steps and where these lead.
//!
//! States wait in a queue and are expanded in batches. Threads look for the orbits that the steps of
//! one batch lead to, and look up the steps of the next batch. Then what was in no table is found.
//! While other threads find the canonical images of the next batch, one thread shows the visitor
//! this one, in order: so the result is the same for any number of threads. A state in which a sum
//! has more values than were tried is expanded again with more of them, unless that many are not
//! allowed.

use crate::data::terms::Term;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::batch::{Ahead, Batch, reach};
use crate::orbit_exploration::images::Images;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::statistics::Callbacks;
use crate::orbit_exploration::symmetric_process::{Numbered, SymmetricProcess};
use std::ops::Range;
use std::sync::Mutex;

/// A question about the orbits of a process.
pub(crate) trait Visitor: Sync {
    /// Whether it has to know how many different steps each state has, which is counted by all threads.
    const COUNTS_STEPS: bool = false;

    /// How many states were put into the queue up to now; states that were expanded stay in it.
    fn queued(&self, orbits: &Orbits) -> usize;

    /// Appends the states at these positions of the queue, one behind the other.
    fn read(&self, orbits: &Orbits, positions: Range<usize>, states: &mut Vec<Term>);

    /// How many states were visited, the queue up to this position being done; and bytes of what is
    /// retained.
    fn progress(&self, orbits: &Orbits, position: usize) -> (usize, usize) {
        (position, orbits.bytes())
    }

    /// Takes away steps that do not count, and says of those that do where they lead to in the
    /// question's own terms, such as pairs of a state and something else.
    fn prepare(&mut self, _: &mut SymmetricProcess<'_, '_>, _: &mut Batch) {}

    /// Is shown the steps of a batch and the images of their targets. If the last state is
    /// `incomplete`, it comes again with more steps. Returns why nothing more is to be explored, if
    /// so.
    fn visit(
        &mut self,
        numbered: &mut Numbered<'_>,
        host: &mut dyn Callbacks,
        batch: &Batch,
        found: &Found,
        incomplete: bool,
    ) -> Result<Option<Incomplete>, Stop>;

    /// The end of a level, all that was queued being visited: puts more states into the queue, if
    /// any are left; whether there are any.
    fn next_level(&mut self) -> bool {
        false
    }
}

/// What is known of the steps of a batch: where they lead, and, if that was requested, how many
/// different ones each state has.
#[derive(Default)]
pub(crate) struct Found {
    pub images: Images,
    pub distinct: Vec<u32>,
}

/// Explores until no state is left, or something stops it: `system.incomplete` says what.
pub(crate) fn explore<V: Visitor>(
    system: &mut SymmetricProcess<'_, '_>,
    visitor: &mut V,
    host: &mut dyn Callbacks,
) -> Result<(), Stop> {
    let (mut batch, mut images) = (Batch::default(), Images::default());
    let mut ahead = reach(0, 0);
    loop {
        let (visited, bytes) = visitor.progress(&system.orbits, batch.positions.start as usize);
        if !system.goes_on(host, visited, bytes)? {
            return Ok(());
        }
        let from = batch.positions.end as usize;
        let to = match batch.short {
            Some(_) => from,
            None => visitor.queued(&system.orbits).min(from + ahead),
        };
        let (found, mut next) = look_up(system, visitor, &batch, images, from..to)?;
        let retried = batch.short.is_some() && system.cap.may_grow();
        let spare = std::mem::take(&mut system.spare);
        let (count, threads) = (next.labels.len(), system.options.threads);
        let (canonical, mut numbered) = system.split();
        let visit = || visitor.visit(&mut numbered, host, &batch, &found, retried);
        let (fresh, incomplete) =
            Images::find(canonical, &next.targets, count, threads, spare, visit);
        (system.spare, system.incomplete) = (found.images, incomplete?);
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
            ahead = reach(next.degrees.len(), next.labels.len());
        } else if visitor.queued(&system.orbits) == from && !visitor.next_level() {
            return Ok(());
        }
        (batch, images) = (next, fresh);
    }
}

/// Looks for the orbits that a batch leads to, and finds the steps of more states at the same time.
fn look_up<V: Visitor>(
    system: &mut SymmetricProcess<'_, '_>,
    visitor: &mut V,
    batch: &Batch,
    mut images: Images,
    more: Range<usize>,
) -> Result<(Found, Batch), Stop> {
    // Steps and images need what is learned: nothing is while threads find some.
    let (rows, threads) = (system.options.rows, system.options.threads);
    let width = system.process.parameters;
    // With rows, orbits are explored in the order of their numbers.
    let first = match rows {
        true => system.representatives(more.start as u32..more.end as u32)?,
        false => Vec::new(),
    };
    let SymmetricProcess { process, summand_tests, orbits, cap, .. } = &mut *system;
    let known_orbits = &*orbits;
    let read = |places: Range<usize>, states: &mut Vec<Term>| {
        if rows {
            states.extend_from_slice(&first[places.start * width..places.end * width]);
        } else {
            let positions = more.start + places.start..more.start + places.end;
            visitor.read(known_orbits, positions, states);
        }
    };
    let ahead = Ahead::new(more.len(), &read);
    let chunks = if V::COUNTS_STEPS && !rows { batch.chunks() } else { 0..0 };
    let distinct: Vec<Mutex<Vec<u32>>> = chunks.map(|_| Mutex::default()).collect();
    let (known, tests) = (&**process, &*summand_tests);
    let besides = |chunk: usize| match distinct.get(chunk) {
        Some(distinct) => *distinct.lock().expect("its own") = batch.distinct(chunk),
        None => ahead.look_up(chunk - distinct.len(), known, tests),
    };
    let count = distinct.len() + ahead.chunks();
    // A row is also about the element that leads to the image.
    images.look_up((!rows).then_some(known_orbits), threads, (count, &besides));
    let distinct = distinct.into_iter().flat_map(|chunk| chunk.into_inner().expect("done"));
    let distinct = distinct.collect();
    let mut next = ahead.finish(process, summand_tests, more.start as u32, cap.now)?;
    visitor.prepare(system, &mut next);
    system.complete(&mut images, &batch.targets)?;
    Ok((Found { images, distinct }, next))
}
