//! The action of a permutation group on the parameters of a process, or on the nodes of a
//! specification.
//!
//! A parameter of the component of `p1` belongs to the point `p1` and moves with it. In general the
//! *owners* of a parameter are points that are fixed by all elements that fix the parameter, and
//! whose images determine the image of the parameter.

use crate::base::cancel::{Cancel, Result};
use crate::base::hash::quick;
use crate::base::ids::Id;
use crate::group::action::Group;
use crate::group::permutation::{ObjectOrbit, Permutation, orbits};
use rustc_hash::FxHashMap;

/// How the image of a parameter is found.
#[derive(Clone, Copy)]
enum Moves {
    No,
    /// By the image of the owner: `singles` has the images, from this position on.
    By(u32, u32),
    /// By the images of the owners, in the map with this number.
    ByAll(u32),
    /// By factoring the element.
    ByFactors,
}

/// The parameters of a process, with a group that acts on them.
pub struct Positions {
    moves: Vec<Moves>,
    /// For every parameter a number that identifies its orbit.
    kinds: Vec<u64>,
    /// For each parameter the range of its owners.
    spans: Vec<(u32, u32)>,
    owners: Vec<u32>,
    /// For each parameter the range of its shares.
    shared: Vec<(u32, u32)>,
    shares: Vec<(u64, u32)>,
    singles: Vec<u32>,
    images: Vec<FxHashMap<Box<[u32]>, u32>>,
}

impl Positions {
    /// The action of a group on `points`, whose generators permute the parameters by `positions`.
    pub fn new(
        points: &[Permutation],
        positions: &[&[u32]],
        degree: usize,
        count: usize,
        cancel: &Cancel,
    ) -> Result<Self> {
        let mut result = Self {
            moves: vec![Moves::No; count],
            kinds: vec![0; count],
            spans: vec![(0, 0); count],
            owners: Vec::new(),
            shared: vec![(0, 0); count],
            shares: Vec::new(),
            singles: Vec::new(),
            images: Vec::new(),
        };
        for first in 0..u32::at(count) {
            if result.kinds[first as usize] == 0 {
                result.orbit(points, positions, degree, first, cancel)?;
            }
        }
        Ok(result)
    }

    fn orbit(
        &mut self,
        points: &[Permutation],
        positions: &[&[u32]],
        degree: usize,
        first: u32,
        cancel: &Cancel,
    ) -> Result<()> {
        let mut unchecked = 0;
        let kind = quick(0x0005_4F4E_4D4C_4B4A, u64::from(first));
        let generators: Vec<&[u32]> = points.iter().map(|generator| &generator[..]).collect();
        let image = |parameter: u32, generator: usize| {
            cancel.check_every(&mut unchecked, degree)?;
            Ok(positions[generator][parameter as usize])
        };
        let ObjectOrbit { members, fixing } =
            ObjectOrbit::new(first, &generators, degree, usize::MAX, image)?;
        let moved = |x: u32| points.iter().any(|g| g[x as usize] != x);
        let stays = |x: u32| fixing.iter().all(|g| g[x as usize] == x);
        let mut owners: Vec<u32> = (0..u32::at(degree)).filter(|&x| moved(x) && stays(x)).collect();
        if members.len() == 1 {
            owners.clear();
        }
        let images_of = |owners: &[u32], element: &Permutation| -> Box<[u32]> {
            owners.iter().map(|&x| element[x as usize]).collect()
        };
        let distinguishes = |owners: &[u32]| {
            let mut images: Vec<_> = members.iter().map(|(_, e)| images_of(owners, e)).collect();
            images.sort_unstable();
            images.dedup();
            images.len() == members.len()
        };
        let mut alone = None;
        for &owner in &owners {
            cancel.check_every(&mut unchecked, members.len())?;
            if distinguishes(&[owner]) {
                alone = Some(owner);
                break;
            }
        }
        let moves = if members.len() == 1 {
            Moves::No
        } else if let Some(owner) = alone {
            owners = vec![owner];
            Moves::By(owner, u32::at(self.singles.len()))
        } else if distinguishes(&owners) {
            Moves::ByAll(u32::at(self.images.len()))
        } else {
            Moves::ByFactors
        };
        match moves {
            Moves::By(owner, from) => {
                self.singles.resize(self.singles.len() + degree, u32::MAX);
                for (member, element) in &members {
                    self.singles[(from + element[owner as usize]) as usize] = *member;
                }
            }
            Moves::ByAll(_) => {
                let images = members.iter().map(|(member, e)| (images_of(&owners, e), *member));
                self.images.push(images.collect());
            }
            Moves::No | Moves::ByFactors => {}
        }
        let classes = orbits(degree, &fixing);
        let others: Vec<u32> = if members.len() == 1 {
            Vec::new()
        } else {
            (0..u32::at(degree)).filter(|&x| moved(x) && !stays(x)).collect()
        };
        for (member, element) in members {
            cancel.check_every(&mut unchecked, degree)?;
            let share =
                |&x: &u32| (quick(kind, 1 + u64::from(classes[x as usize])), element[x as usize]);
            let begin = u32::at(self.shares.len());
            self.shares.extend(others.iter().map(share));
            self.shared[member as usize] = (begin, u32::at(self.shares.len()));
            let begin = u32::at(self.owners.len());
            self.owners.extend(images_of(&owners, &element));
            self.spans[member as usize] = (begin, u32::at(self.owners.len()));
            self.kinds[member as usize] = kind;
            self.moves[member as usize] = match moves {
                Moves::By(_, from) => Moves::By(self.owners[begin as usize], from),
                other => other,
            };
        }
        Ok(())
    }

    /// A number that identifies the orbit of a parameter.
    pub fn kind(&self, parameter: usize) -> u64 {
        self.kinds[parameter]
    }

    /// Whether the image of a parameter is determined by those of its owners.
    pub fn has_owners(&self, parameter: usize) -> bool {
        !matches!(self.moves[parameter], Moves::ByFactors)
    }

    pub fn owners(&self, parameter: usize) -> &[u32] {
        let (begin, end) = self.spans[parameter];
        &self.owners[begin as usize..end as usize]
    }

    /// The points that are not owners, each with a class: points have the same class if elements
    /// that fix the parameter map them to each other.
    pub fn shares(&self, parameter: usize) -> &[(u64, u32)] {
        let (begin, end) = self.shared[parameter];
        &self.shares[begin as usize..end as usize]
    }

    /// The permutation of the parameters by an element.
    pub fn images(&self, group: &Group, element: &[u32], images: &mut Vec<u32>) {
        images.clear();
        let mut factors = None;
        let image = |parameter| self.image(group, element, parameter, &mut factors);
        images.extend((0..u32::at(self.moves.len())).map(image));
    }

    /// The image of one parameter under an element, whose `factors` are computed on demand.
    pub fn image(
        &self,
        group: &Group,
        element: &[u32],
        parameter: u32,
        factors: &mut Option<Vec<u32>>,
    ) -> u32 {
        match self.moves[parameter as usize] {
            Moves::No => parameter,
            Moves::By(owner, from) => self.singles[(from + element[owner as usize]) as usize],
            Moves::ByAll(orbit) => {
                let owners = self.owners(parameter as usize).iter();
                let key: Vec<u32> = owners.map(|&x| element[x as usize]).collect();
                self.images[orbit as usize][&key[..]]
            }
            Moves::ByFactors => {
                let factors =
                    factors.get_or_insert_with(|| group.factors(element).expect("of the group"));
                group.image(factors, parameter)
            }
        }
    }
}
