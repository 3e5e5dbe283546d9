//! Exact partition refinement modulo weak bisimulation, by columns.
//!
//! States of one block that differ in a column, that is in a weak transition with a label to a
//! block, are not weakly bisimilar. This is the last resort if the sketches of
//! [`crate::bisimulation::weak::signature_sketch`] separate no more states and searches for single
//! weak transitions take too long.
//!
//! It is needed for exactness: without it such a partition would not become stable.

use crate::base::cancel::{Cancel, Result};
use crate::base::hash::pair;
use crate::base::ids::{Block, Label, State};
use crate::base::partition::{Partition, Refinable};
use crate::bisimulation::weak::reach_bits::{COLUMNS, Mask, Reach, Sources, for_batches};

/// A label and a block.
pub type Column = (Label, Block);

/// Batches after which to stop and try sketches again, if some block was split.
const SOME: usize = if cfg!(test) { 1 } else { 8 };

/// A block, a state of it, and the number of the state's class within the block.
type Class = (Block, State, u32);

/// Split the blocks of a partition by columns until some states are separated, and return the
/// columns that were not used. `mixed` are the states that are not alone in their blocks, sorted by
/// block.
pub fn split(
    partition: &mut Partition,
    sources: &Sources,
    mixed: &[(Block, State)],
    mut columns: Vec<Column>,
    cancel: &Cancel,
) -> Result<Vec<Column>> {
    let before = Refinable::new(partition.clone());
    let work = |reach: &mut Reach, columns: &&[Column]| {
        let seeds = columns.iter().enumerate().flat_map(|(i, &(_, block))| {
            let states = before.members(block).iter();
            states.map(move |&state| (state, Mask::single(i)))
        });
        reach.run(columns.iter().map(|column| column.0), seeds);
        classes(reach, mixed)
    };
    let (mut stable, mut done) = (true, 0);
    let gather = |classes: Vec<Class>| {
        stable &= classes.is_empty();
        for block in classes.chunk_by(|a, b| a.0 == b.0) {
            part(partition, block);
        }
        done += 1;
        stable || done < SOME
    };
    let batches = batches(&mut columns);
    for_batches(sources, &batches, work, gather, cancel)?;
    Ok(batches[done..].concat())
}

/// Batches of columns, mostly with one label per batch. Their order is pseudo-random, so that the
/// first batches are as likely to split blocks as any.
fn batches(columns: &mut [Column]) -> Vec<&[Column]> {
    columns.sort_by_cached_key(|&(label, block)| (label, pair(label, block)));
    let mut batches: Vec<&[Column]> = columns.chunks(COLUMNS).collect();
    batches.sort_by_cached_key(|batch| pair(batch[0].0, !batch[0].1.0));
    batches
}

/// The classes of the states of those blocks whose states differ in some column, sorted by block
/// and class.
fn classes(reach: &Reach, mixed: &[(Block, State)]) -> Vec<Class> {
    let mut classes = Vec::new();
    for states in mixed.chunk_by(|a, b| a.0 == b.0) {
        let first = reach.weak(states[0].1);
        if states.iter().all(|&(_, state)| reach.weak(state) == first) {
            continue;
        }
        let mut masks: Vec<(Mask, Class)> =
            states.iter().map(|&(block, state)| (reach.weak(state), (block, state, 0))).collect();
        masks.sort_unstable();
        for (number, class) in (0..).zip(masks.chunk_by(|a, b| a.0 == b.0)) {
            classes.extend(class.iter().map(|&(_, (block, state, _))| (block, state, number)));
        }
    }
    classes
}

/// Split what was one block before this round by the classes of its states.
fn part(partition: &mut Partition, classes: &[Class]) {
    let mut states: Vec<(Block, u32, State)> =
        classes.iter().map(|&(_, state, class)| (partition.block[state], class, state)).collect();
    states.sort_unstable();
    for block in states.chunk_by(|a, b| a.0 == b.0) {
        let parts = block.chunk_by(|a, b| a.1 == b.1);
        let states = |part: &[(Block, u32, State)]| part.iter().map(|part| part.2).collect();
        partition.split(&mut parts.map(states).collect::<Vec<_>>());
    }
}
