//! The numbers of states in the visited pairs, and of the orbits of these states.
//!
//! Gibson-Robinson and Lowe move a pair by an element that depends on its state alone: one that
//! leads to the representative of the state. If the stabiliser of the state does not fix the node,
//! an orbit of pairs has several pairs with that state, one for each coset of the pair's stabiliser
//! in the state's. Their search visits at least one of these and at most all.

use crate::base::ids::Id;
use crate::orbits::canonical_state::Besides;
use crate::orbits::refinement::product::Product;
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::process::linear::stop::Stop;
use crate::process::store::Block;
use num_bigint::BigUint;

/// The numbers of states in the visited pairs, of their orbits, and of pairs whose state is the
/// representative of its orbit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Halves {
    pub states: BigUint,
    pub orbits: usize,
    pub representatives: BigUint,
}

/// Pairs whose states are moved at a time.
const CHUNK: usize = 1 << 12;

impl Product<'_, '_> {
    /// Counts the states of the visited pairs, and of the pairs that their orbits contain.
    pub fn halves(&mut self, has_tests: &[bool]) -> Result<Halves, Stop> {
        let system = &mut self.system;
        let SymmetricProcess { process, carrier, generators, action, options, .. } = system;
        let (pairs, group) = (&system.orbits, (*carrier, &mut **generators));
        let mut states =
            SymmetricProcess::new(process, group, action, options, Besides::default(), has_tests)?;
        let width = states.process.parameters;
        let (mut block, mut both, mut counts) = (Block::default(), Vec::new(), Halves::default());
        let count = pairs.count();
        for begin in (0..count).step_by(CHUNK) {
            let chunk = begin..count.min(begin + CHUNK);
            both.clear();
            pairs.images(u32::at(chunk.start)..u32::at(chunk.end), &mut block, &mut both);
            let own = both.chunks(width + 1).flat_map(|pair| &pair[..width]);
            let own: Vec<_> = own.copied().collect();
            let mut images = states.images(&own, chunk.len());
            images.look_up(Some(&states.orbits), options.threads, (0, &|_| {}));
            states.complete(&mut images, &own)?;
            let mut numbers = images.orbit_numbers();
            for pair in chunk {
                let cancel = &states.process.data.cancel;
                let (orbit, _) = numbers.next(&mut states.orbits, cancel)?;
                let fixing = pairs.stabiliser_of(u32::at(pair)).order();
                counts.representatives += states.orbits.stabiliser_of(orbit).order() / fixing;
            }
            drop(numbers);
            states.spare = images;
        }
        (counts.states, counts.orbits) = (states.members(), states.orbits.count());
        Ok(counts)
    }
}
