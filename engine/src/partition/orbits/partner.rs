//! Numbering of the values, stabilisers and elements that one partition sends another: each is sent
//! once, and is then referred to by the number that the sender gave it.

use crate::base::ids::Id;
use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::group::compact_permutation::compact;
use crate::group::permutation::{Permutation, is_permutation};
use crate::orbits::orbit_table::Orbits;
use crate::partition::supersteps::Failure;
use crate::partition::wire::{Incoming, Unreadable, put_bytes, put_words};
use crate::process::linear::stop::Stop;
use rustc_hash::FxHashMap;

/// The objects of this partition that a partner knows, and vice versa.
#[derive(Default)]
pub struct Partner {
    values: Sent,
    groups: Sent,
    elements: Sent,
    known: Known,
}

/// Own terms, stabilisers and elements, by the numbers of a partner.
#[derive(Default)]
pub struct Known {
    values: Vec<Term>,
    groups: Vec<u32>,
    elements: Vec<u32>,
}

impl Partner {
    /// The number of a value for the partner; new values are added to the next batch.
    pub fn value(&mut self, data: &Data, value: Term) -> u32 {
        self.values.number(value, |news| {
            let mut bytes = Vec::new();
            data.terms.to_bytes(value, &mut bytes);
            put_bytes(news, &bytes);
        })
    }

    /// The number of a stabiliser for the partner.
    pub fn group(&mut self, orbits: &Orbits, stabiliser: u32) -> u32 {
        let generators = orbits.stabilisers.list[stabiliser as usize].images();
        self.groups.number(stabiliser, |news| put_permutations(news, generators))
    }

    /// The number of an element for the partner.
    pub fn element(&mut self, orbits: &Orbits, element: u32) -> u32 {
        let images = || orbits.elements.get(element).iter().copied();
        self.elements.number(element, |news| put_words(news, images()))
    }

    /// Puts the new values, stabilisers and elements at the beginning of a batch.
    pub fn news(&mut self, batch: &mut Vec<u8>) {
        for sent in [&mut self.values, &mut self.groups, &mut self.elements] {
            put_bytes(batch, &std::mem::take(&mut sent.news));
        }
    }

    /// Reads the new values, stabilisers and elements at the beginning of a partner's batch;
    /// returns all known ones.
    pub fn learn(
        &mut self,
        data: &mut Data,
        orbits: &mut Orbits,
        points: usize,
        batch: &mut Incoming<'_>,
    ) -> Result<&Known, Failure> {
        let known = &mut self.known;
        let mut values = Incoming::new(batch.bytes()?);
        while !values.is_empty() {
            known.values.push(data.terms.from_bytes(values.bytes()?).ok_or(Unreadable)?);
        }
        let mut groups = Incoming::new(batch.bytes()?);
        while !groups.is_empty() {
            let group = permutations(&mut groups, points)?;
            let number = orbits.stabilisers.intern(compact(&group), &data.cancel);
            known.groups.push(number.map_err(Stop::from)?);
        }
        let mut elements = Incoming::new(batch.bytes()?);
        while !elements.is_empty() {
            let images: Vec<u32> = elements.words()?.collect();
            if images.len() != points || !is_permutation(&images) {
                return Err(Failure::Unreadable);
            }
            known.elements.push(orbits.elements.intern(&images));
        }
        Ok(known)
    }

    /// All known values, stabilisers and elements, by the partner's numbers.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Continues the own numbering after the received objects: the received batches are those that
    /// an earlier run of this partition had sent.
    pub fn resume_numbering(&mut self) {
        let Self { values, groups, elements, known } = self;
        let pairs = [(values, &known.values), (groups, &known.groups), (elements, &known.elements)];
        for (sent, known) in pairs {
            sent.sent = known.clone();
            sent.numbers = known.iter().copied().zip(0..).collect();
            sent.news.clear();
        }
    }

    /// The stabilisers and the elements that were sent, by their numbers.
    pub fn sent(&self) -> (&[u32], &[u32]) {
        (&self.groups.sent, &self.elements.sent)
    }
}

impl Known {
    pub fn value(&self, number: u32) -> Result<Term, Unreadable> {
        self.values.get(number as usize).copied().ok_or(Unreadable)
    }

    pub fn group(&self, number: u32) -> Result<u32, Unreadable> {
        self.groups.get(number as usize).copied().ok_or(Unreadable)
    }

    pub fn element(&self, number: u32) -> Result<u32, Unreadable> {
        self.elements.get(number as usize).copied().ok_or(Unreadable)
    }
}

/// The contents of checkpoints so far, and the data for the next one.
#[derive(Default)]
pub struct Saved {
    /// The numbering of values, stabilisers and elements in checkpoints and stored transitions.
    pub(super) known: Partner,
    /// For new orbits: images, the elements that map the first members to these, stabilisers, and
    /// numbers.
    pub(super) images: Vec<u32>,
    pub(super) elements: Vec<u32>,
    pub(super) groups: Vec<u32>,
    pub(super) numbers: Vec<u64>,
    /// The number of used images of values that are in checkpoints.
    pub(super) used: usize,
}

/// Appends concatenated permutations.
pub fn put_permutations(batch: &mut Vec<u8>, permutations: &[Permutation]) {
    let points = permutations.iter().flat_map(|permutation| permutation.iter().copied());
    put_words(batch, points.collect::<Vec<u32>>().into_iter());
}

/// Reads concatenated permutations of `points` points.
pub fn permutations(
    batch: &mut Incoming<'_>,
    points: usize,
) -> Result<Vec<Permutation>, Unreadable> {
    let images: Vec<u32> = batch.words()?.collect();
    let permutations: Vec<Permutation> =
        images.chunks(points.max(1)).map(Permutation::from).collect();
    if permutations
        .iter()
        .all(|permutation| permutation.len() == points && is_permutation(permutation))
    {
        Ok(permutations)
    } else {
        Err(Unreadable)
    }
}

/// The partner's numbers of objects of one kind, and the encodings of new objects to be sent.
#[derive(Default)]
struct Sent {
    numbers: FxHashMap<u32, u32>,
    /// The objects, by their numbers.
    sent: Vec<u32>,
    news: Vec<u8>,
}

impl Sent {
    /// The number of an object; for a new one `encode` appends its encoding.
    fn number(&mut self, own: u32, encode: impl FnOnce(&mut Vec<u8>)) -> u32 {
        let next = u32::at(self.sent.len());
        let number = *self.numbers.entry(own).or_insert(next);
        if number == next {
            self.sent.push(own);
            encode(&mut self.news);
        }
        number
    }
}
