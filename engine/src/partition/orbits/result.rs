//! The contribution of a partition to the quotient, after everything is proven.

use crate::base::spill::Spillable;
use crate::group::permutation::Permutation;
use crate::orbits::label_permutations;
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::partition::orbits::orbit_part::{ORBITS, OrbitPart};
use crate::partition::supersteps::Failure;
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::witness::Witness;

/// The orbits of a partition: their numbers, and the positions of their stabilisers in `groups`.
#[derive(Default)]
pub struct OwnOrbits {
    pub numbers: Vec<u64>,
    pub stabilisers: Vec<u32>,
    /// The generators of each stabiliser, and the elements used as shifts of stored transitions.
    pub groups: Vec<Vec<Permutation>>,
    pub elements: Vec<Permutation>,
}

/// The texts of labels, closed under the generators, and each generator's permutation of them; or a
/// generator that turned out not to be a symmetry, with a witness.
pub type Labels = Result<(Vec<Vec<u8>>, Vec<Permutation>), (usize, Witness)>;

impl OrbitPart<'_> {
    /// The orbits that this partition owns.
    pub fn own_orbits(&mut self) -> Result<OwnOrbits, Failure> {
        self.read_back(&[ORBITS])?;
        let Self { system: SymmetricProcess { orbits, .. }, saved, numbers, .. } = self;
        let stabilisers = orbits.stabiliser.iter();
        let stabilisers = stabilisers.map(|&number| saved.known.group(orbits, number)).collect();
        let (groups, elements) = saved.known.sent();
        let group = |&number: &u32| orbits.stabilisers.list[number as usize].images().to_vec();
        let element = |&number: &u32| orbits.elements.get(number).into();
        Ok(OwnOrbits {
            numbers: numbers.from(0).collect(),
            stabilisers,
            groups: groups.iter().map(group).collect(),
            elements: elements.iter().map(element).collect(),
        })
    }

    /// The labels of all steps.
    pub fn labels(&mut self) -> Result<Labels, Stop> {
        let permutations = label_permutations(self.system.process, self.system.generators)?;
        Ok(permutations.map(|images| {
            let texts = self.system.process.labels.labels.iter().map(<[u8]>::to_vec).collect();
            (texts, images)
        }))
    }

    /// The names of the group's points, and each generator's permutation of them.
    pub fn points(&self) -> (&[String], Vec<&[u32]>) {
        let (group, points) = (&self.system.action.group, self.system.action.group.points);
        (&self.system.action.names, group.generators.iter().map(|own| &own[..points]).collect())
    }
}
