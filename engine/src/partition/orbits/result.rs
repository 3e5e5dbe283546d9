//! What a partition adds to the quotient, after all is proven.

use crate::base::put_away::InGroups;
use crate::group::permutation::Permutation;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::label_permutations;
use crate::orbit_exploration::symmetric_process::SymmetricProcess;
use crate::orbit_exploration::witness::Witness;
use crate::partition::orbits::orbit_part::{ORBITS, OrbitPart};
use crate::partition::supersteps::Failure;

/// The orbits of a partition: their numbers, and their stabilisers by those of the table.
#[derive(Default)]
pub struct OwnOrbits {
    pub numbers: Vec<u64>,
    pub stabilisers: Vec<u32>,
    /// The generators of each stabiliser, and the elements that are shifts in rows.
    pub groups: Vec<Vec<Permutation>>,
    pub elements: Vec<Permutation>,
}

/// Texts of labels, closed under the generators, and what each of these does to them; or which one
/// turned out to be no symmetry, and why.
pub type Labels = Result<(Vec<Vec<u8>>, Vec<Permutation>), (usize, Witness)>;

impl OrbitPart<'_> {
    /// The orbits that are ours.
    pub fn own_orbits(&mut self) -> Result<OwnOrbits, Failure> {
        self.have(&[ORBITS])?;
        let Self { system: SymmetricProcess { orbits, .. }, saved, numbers, .. } = self;
        let stabilisers = orbits.stabiliser.iter();
        let stabilisers = stabilisers.map(|&number| saved.known.group(orbits, number)).collect();
        let (groups, elements) = saved.known.sent();
        let group = |&number: &u32| orbits.stabilisers.list[number as usize].generators.clone();
        let element = |&number: &u32| orbits.elements.get(number).into();
        Ok(OwnOrbits {
            numbers: numbers.from(0).collect(),
            stabilisers,
            groups: groups.iter().map(group).collect(),
            elements: elements.iter().map(element).collect(),
        })
    }

    /// The labels of all steps that were found.
    pub fn labels(&mut self) -> Result<Labels, Stop> {
        let found = label_permutations(self.system.process, self.system.generators)?;
        Ok(found.map(|images| {
            let texts = self.system.process.labels.labels.iter().map(<[u8]>::to_vec).collect();
            (texts, images)
        }))
    }

    /// What the points of the group are called, and what the generators do to them.
    pub fn points(&self) -> (&[String], Vec<&[u32]>) {
        let (group, points) = (&self.system.action.group, self.system.action.group.points);
        (&self.system.action.names, group.generators.iter().map(|own| &own[..points]).collect())
    }
}
