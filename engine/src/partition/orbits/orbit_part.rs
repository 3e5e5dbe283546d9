//! A partition of the orbits: the orbits that it owns, and the data of the current level.

use crate::base::hash;
use crate::base::ids::Label;
use crate::base::ids::as_index;
use crate::base::interner::Interner;
use crate::base::spill::Storage;
use crate::data::terms::Term;
use crate::orbits::OrbitOptions;
use crate::orbits::canonical_state::Besides;
use crate::orbits::first_steps::FirstSteps;
use crate::orbits::orbit_table::Canon;
use crate::orbits::symmetric_process::{SymmetricProcess, disable_tests};
use crate::partition::Key;
use crate::partition::numbers::Numbers;
use crate::partition::orbits::partner::{Partner, Saved};
use crate::partition::ranking::Ranking;
use crate::partition::supersteps::{Counts, GlobalTransitions, LabelNumbers};
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::group_on_process::Action;
use crate::symmetry_of_process::lifting::carrier::Carrier;
use crate::symmetry_of_process::lifting::symmetry::Generator;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The options of a partition.
pub struct OrbitPartOptions {
    /// The index of this partition, and the number of partitions.
    pub index: usize,
    pub partitions: usize,
    /// Limits, threads, whether the quotient is stored, and which summands are proven.
    pub exploring: OrbitOptions,
    /// Summands without tests, as these are not known to correspond to those of their images.
    pub bound: Vec<u32>,
}

// The groups of columns that can be spilled.

/// The canonical images.
pub(super) const IMAGES: usize = 0;
/// The other data of each orbit.
pub(super) const ORBITS: usize = 1;
/// The steps of the current level, until they are completed.
pub(super) const LEVEL: usize = 2;
/// The requests of partners, until they are answered.
pub(super) const REQUESTED: usize = 3;

pub(super) const GROUPS: usize = 4;

/// The set of images visited in a level, with the data of their first visits.
#[derive(Default)]
pub(super) struct VisitedImages {
    pub(super) images: Interner,
    pub(super) keys: Vec<Key>,
    /// For the state visited first, the element that leads to the image, and its stabiliser.
    pub(super) elements: Vec<u32>,
    pub(super) stabilisers: Vec<u32>,
}

impl VisitedImages {
    /// The position of an image, and whether it is new; the other arguments are those of this
    /// visit.
    pub(super) fn visit(
        &mut self,
        image: &[Term],
        key: Key,
        (element, stabiliser): (u32, u32),
    ) -> (u32, bool) {
        let (position, new) = self.images.intern(image);
        if new {
            self.keys.push(key);
            self.elements.push(element);
            self.stabilisers.push(stabiliser);
        } else if key < self.keys[position as usize] {
            self.keys[position as usize] = key;
            self.elements[position as usize] = element;
            self.stabilisers[position as usize] = stabiliser;
        }
        (position, new)
    }
}

/// The current level, or a chunk of it.
#[derive(Default)]
pub(crate) struct Level {
    /// Its orbits, by their numbers in this partition.
    pub(super) states: Range<u32>,
    /// If the quotient is stored, the number of steps of each orbit; and for each step its label,
    /// and the position of its target among the visited ones.
    pub(super) degrees: Vec<u32>,
    pub(super) labels: Vec<u32>,
    pub(super) targets: Vec<u32>,
    /// The visited images, until they are sent to their owners; if the quotient is stored, also the
    /// pairs of an image and an element.
    pub(super) visited: VisitedImages,
    pub(super) pairs: Interner,
    /// For every image its owner, and its position among the images for that owner.
    pub(super) owners: Vec<(u32, u32)>,
    /// For every pair the position of its image.
    pub(super) positions: Vec<u32>,
    /// For every partition the images and the pairs that it owns; and the numbers of all images and
    /// pairs.
    pub(super) images_of: Vec<Vec<u32>>,
    pub(super) pairs_of: Vec<Vec<u32>>,
    pub(super) sizes: (usize, usize),
    /// The counts of the level.
    pub(super) counts: Counts,
    /// The new orbits that this partition owns, and their order.
    pub(super) new: VisitedImages,
    pub(crate) ranking: Ranking,
    /// The requests of every partition.
    pub(super) requests: Vec<Request>,
}

/// The request of a partner: orbits by their numbers here, or `OPEN`; and for its pairs the
/// positions of the images, and the elements.
#[derive(Default)]
pub(super) struct Request {
    pub(super) orbits: Vec<u64>,
    pub(super) positions: Vec<u32>,
    pub(super) elements: Vec<u32>,
}

/// A partition of the orbits of a process.
pub struct OrbitPart<'a> {
    /// Its orbits are those that this partition owns; their numbers ascend.
    pub(super) system: SymmetricProcess<'a, 'a>,
    pub(super) options: &'a OrbitPartOptions,
    pub(super) numbers: Numbers,
    pub(super) first_steps: FirstSteps<u64>,
    /// The number of states of an orbit, by the number of its stabiliser.
    pub(super) indices: FxHashMap<u32, BigUint>,
    pub(super) partners: Vec<Partner>,
    pub(crate) level: Level,
    pub(super) labels: LabelNumbers,
    pub transitions: GlobalTransitions,
    pub(super) saved: Saved,
    /// The file of a spilled partition.
    pub(super) storage: Option<Storage>,
}

impl<'a> OrbitPart<'a> {
    /// A partition without orbits, except that of the initial state if it owns that and the initial
    /// checks do not refute the symmetry.
    pub fn new(
        process: &'a mut Process,
        (carrier, generators): (&'a Carrier, &'a mut [Generator]),
        action: &'a Action,
        options: &'a OrbitPartOptions,
        is_refused: bool,
    ) -> Result<Self, Stop> {
        let mut has_tests = process.steps();
        options
            .bound
            .iter()
            .for_each(|&summand| disable_tests(&mut has_tests, generators, summand));
        let (exploring, alone) = (&options.exploring, Besides::default());
        let on_values = (carrier, generators);
        let mut system =
            SymmetricProcess::new(process, on_values, action, exploring, alone, &has_tests)?;
        system.canonical.rank_by_content();
        let mut part = Self {
            system,
            numbers: Numbers::default(),
            partners: (0..options.partitions).map(|_| Partner::default()).collect(),
            first_steps: FirstSteps::default(),
            indices: FxHashMap::default(),
            level: Level::default(),
            labels: LabelNumbers::default(),
            transitions: GlobalTransitions::default(),
            saved: Saved::default(),
            storage: None,
            options,
        };
        if !is_refused {
            let initial = part.system.process.initial.clone();
            let least = part.system.least(&initial)?;
            if part.owner(&least.image)? == part.options.index {
                let stabiliser = part.stabiliser_of((&least).into())?;
                part.note(&least.image, &least.element, stabiliser, 0);
            }
        }
        Ok(part)
    }

    /// The process, for its messages about values that no equation matches, and for cancelling.
    pub fn process(&mut self) -> &mut Process {
        self.system.process
    }

    /// Whether the quotient is stored: then representatives are the members that were visited
    /// first, else the canonical images.
    pub(super) fn with_quotient(&self) -> bool {
        self.options.exploring.with_quotient
    }

    /// The number of the representative's stabiliser, if the state is the first visited member of
    /// its orbit.
    pub(super) fn stabiliser_of(&mut self, canon: Canon<'_>) -> Result<u32, Stop> {
        let with_quotient = self.with_quotient();
        let SymmetricProcess { orbits, process, .. } = &mut self.system;
        let cancel = &process.data.cancel;
        Ok(if with_quotient {
            orbits.stabilisers.intern(canon.stabiliser.to_vec(), cancel)?
        } else {
            orbits.stabiliser_of_image(canon, cancel)?
        })
    }

    /// The partition that owns a canonical image.
    #[expect(clippy::cast_possible_truncation, reason = "less than the number of partitions")]
    pub(super) fn owner(&mut self, image: &[Term]) -> Result<usize, Stop> {
        let mut sum = 0u64;
        for (position, &value) in (0..).zip(image) {
            let rank = loop {
                match self.system.canonical.rank(value) {
                    Ok(rank) => break rank,
                    Err(missing) => self.system.learn(missing)?,
                }
            };
            sum = sum.wrapping_add(hash::mix(position, rank));
        }
        // The upper half of the product is evenly distributed over the partitions.
        let product = u128::from(hash::mix(sum, 0)) * self.options.partitions as u128;
        Ok((product >> u64::BITS) as usize)
    }

    /// The text of a label, by its number in this partition, twice: as no actions are hidden, the
    /// text without them is the same.
    pub fn label(&mut self, label: u32) -> (Vec<u8>, Vec<u8>) {
        let text = self.system.process.labels.labels.get(Label(label)).to_vec();
        (text.clone(), text)
    }

    /// The bytes of the orbits, including spilled ones, and of tables, of which there are none.
    pub fn bytes(&self) -> (usize, usize) {
        let spilled = |group| self.storage.as_ref().map_or(0, |storage| storage.group_bytes(group));
        let own = self.system.orbits.bytes() + self.numbers.bytes();
        (own + as_index(spilled(IMAGES) + spilled(ORBITS)), 0)
    }
}
