//! Sweeps: by all processors, for signatures that do not depend on each other, and by marks.

use crate::base::bitset::Bits;
use crate::base::cancel::{POLL_EVERY, Poll};
use crate::base::parallel;
use crate::bisimulation::refine::refiner::{PIECE, Refiner, Signature};
use crate::bisimulation::refine::split_groups::BATCH;

/// Some states in the order of their numbers, with the bits of sets that are theirs.
struct Piece<'a> {
    first: u32,
    count: u32,
    settled: &'a mut [u64],
    touched: &'a mut [u64],
}

/// Put every state that is touched, because of those that moved if these are known, into its group.
///
/// Threads find signatures, and one of them compares these in the order of states.
pub fn sweep_at_once<S: Signature + Send + Sync>(
    refiner: &mut Refiner,
    signature: &S,
    moved: Option<&Bits>,
    touched: &mut Bits,
    group: &mut [u32],
    poll: Poll,
) -> Option<()> {
    let Refiner { block, size, settled, groups, .. } = refiner;
    let (block, size) = (&block[..], &size[..]);
    let states = block.len();
    let pieces = (settled.words_mut().chunks_mut(PIECE / 64))
        .zip(touched.words_mut().chunks_mut(PIECE / 64))
        .zip((0..states).step_by(PIECE))
        .map(|((settled, touched), first)| {
            let count = PIECE.min(states - first) as u32;
            Piece { first: first as u32, count, settled, touched }
        });
    let nothing = Bits::default();
    let look = |piece: Piece| {
        let mut found: Vec<(u32, (u32, u64))> = Vec::new();
        let Some(mut signature) = signature.fork() else { return found };
        let Piece { first, count, settled, touched } = piece;
        for (word, (settled, touched)) in (0..).zip(settled.iter_mut().zip(touched)) {
            let begin = word * 64;
            let mut open = !*settled;
            if count - begin < 64 {
                open &= (1 << (count - begin)) - 1;
            }
            while open != 0 {
                let bit = open.trailing_zeros();
                open &= open - 1;
                let state = first + begin + bit;
                if moved.is_some_and(|moved| !signature.touched(state, block, moved, &nothing)) {
                    continue;
                }
                let own = block[state as usize];
                if size[own as usize] == 1 {
                    *settled |= 1 << bit;
                    continue;
                }
                *touched |= 1 << bit;
                found.push((state, (own, signature.hash(state, block))));
            }
        }
        found
    };
    let mut items = Vec::with_capacity(BATCH);
    let gather = |found: Vec<(u32, (u32, u64))>| {
        for batch in found.chunks(BATCH) {
            items.clear();
            items.extend(batch.iter().map(|found| found.1));
            for (&(state, _), number) in batch.iter().zip(groups.add_all(&items)) {
                group[state as usize] = number;
            }
        }
    };
    parallel::in_order(pieces, look, gather, poll)
}

/// Put every state that is marked, because of those that moved or of smaller states, into its group.
pub fn sweep_marked(
    refiner: &mut Refiner,
    signature: &mut impl Signature,
    moved: &Bits,
    touched: &mut Bits,
    group: &mut [u32],
    poll: Poll,
) -> Option<()> {
    let Refiner { block, size, settled, groups, .. } = refiner;
    let mut mark = |state: u32, touched: &mut Bits| {
        if size[block[state as usize] as usize] == 1 {
            settled.add(state);
        } else if !settled.has(state) {
            touched.add(state);
        }
    };
    for state in moved.iter() {
        signature.mark(state, |source| mark(source, touched));
    }
    let (mut batch, mut items) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
    let mut add = |batch: &mut Vec<u32>, items: &mut Vec<(u32, u64)>| {
        for (&state, number) in batch.iter().zip(groups.add_all(items)) {
            group[state as usize] = number;
        }
        batch.clear();
        items.clear();
    };
    let (mut work, mut going) = (0, true);
    touched.visit_upwards(|state, touched| {
        work += 1;
        if work % POLL_EVERY == 0 {
            going = going && poll();
        }
        if !going {
            return;
        }
        if batch.len() == BATCH {
            add(&mut batch, &mut items);
        }
        let hash = signature.hash_marking(state, block, |source| mark(source, touched));
        batch.push(state);
        items.push((block[state as usize], hash));
    });
    add(&mut batch, &mut items);
    going.then_some(())
}
