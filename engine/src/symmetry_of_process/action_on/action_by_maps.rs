//! The action of a group on values of sorts with a user-defined map.
//!
//! The map of a generator determines the image of every value of its sort, however the value is
//! built. The values are not known in advance: when one is visited, its orbit is computed by
//! closing it under all generators, which have to permute the orbit. Whether the group acts on the
//! orbit is decided at once: a product of generators that moves no point must move no value. If one
//! does, the values have to become points too.

use crate::base::ids::Id;
use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::group::action::Group;
use crate::group::permutation::{Permutation, is_permutation, periods_of};
use crate::group::schreier_sims::NoGroup;
use crate::process::linear::stop::{Stop, Unfit};
use crate::symmetry::orbits_of_lts::joined;
use num_integer::Integer;
use rustc_hash::FxHashMap;

/// The most members of an orbit.
pub const MOST_MEMBERS: usize = 1 << 16;
/// The most members of an orbit that have to become points.
pub const MOST_POINTS: usize = 1 << 12;

/// The map of a generator on arbitrary values.
pub trait ValueMap: Send {
    /// The image of a value.
    fn lift(&mut self, data: &mut Data, value: Term) -> Result<Term, Stop>;
}

/// The orbits of mapped values visited so far.
pub struct MappedValues {
    /// For each generator its map on arbitrary values, by its own maps and by the constructors of
    /// other sorts.
    plain: Vec<Box<dyn ValueMap>>,
    /// For each generator its permutation of the carrier's values.
    points: Vec<Permutation>,
    degree: usize,
    /// For each value its orbit and its number in the orbit.
    numbers: FxHashMap<Term, (u32, u32)>,
    orbits: Vec<Orbit>,
}

struct Orbit {
    members: Vec<Term>,
    /// The group on the points, acting on the members; `None` if there is only one member.
    group: Option<Group>,
}

impl MappedValues {
    /// No orbits yet, for generators with these maps `plain` and these permutations `points` of the
    /// carrier's `degree` values.
    pub fn new(plain: Vec<Box<dyn ValueMap>>, points: Vec<Permutation>, degree: usize) -> Self {
        Self { plain, points, degree, numbers: FxHashMap::default(), orbits: Vec::new() }
    }

    /// The image of a value under a generator.
    pub fn moved(&mut self, data: &mut Data, value: Term, which: usize) -> Result<Term, Stop> {
        let (orbit, member) = self.orbit_and_member(data, value)?;
        let orbit = &self.orbits[orbit as usize];
        Ok(match &orbit.group {
            None => value,
            Some(group) => {
                let images = &group.generators[which][self.degree..];
                orbit.members[images[member as usize] as usize - self.degree]
            }
        })
    }

    /// The image of a value under an element of the group on the carrier.
    pub fn image(&mut self, data: &mut Data, value: Term, element: &[u32]) -> Result<Term, Stop> {
        let (orbit, member) = self.orbit_and_member(data, value)?;
        let orbit = &self.orbits[orbit as usize];
        Ok(match &orbit.group {
            None => value,
            Some(group) => {
                let factors = group.factors(element).expect("an element of the group");
                orbit.members[group.image(&factors, member) as usize]
            }
        })
    }

    fn orbit_and_member(&mut self, data: &mut Data, value: Term) -> Result<(u32, u32), Stop> {
        if let Some(&known) = self.numbers.get(&value) {
            return Ok(known);
        }
        let orbit = self.close(data, value)?;
        let number = u32::at(self.orbits.len());
        let members = orbit.members.iter().copied();
        self.numbers.extend(members.zip((0..).map(|member| (number, member))));
        self.orbits.push(orbit);
        Ok((number, 0))
    }

    /// Computes the orbit of a value, or returns why the group does not act on it.
    fn close(&mut self, data: &mut Data, value: Term) -> Result<Orbit, Stop> {
        let unfit = |unfit| Err(Stop::Unfit(Box::new(unfit)));
        let most = self.most_members(data, value)?;
        let mut members = vec![value];
        let mut numbers: FxHashMap<Term, u32> = [(value, 0)].into_iter().collect();
        let mut images: Vec<Vec<u32>> = vec![Vec::new(); self.plain.len()];
        let mut at = 0;
        while at < members.len() {
            for (which, (lifting, images)) in self.plain.iter_mut().zip(&mut images).enumerate() {
                let image = lifting.lift(data, members[at])?;
                let number = *numbers.entry(image).or_insert(u32::at(members.len()));
                if number as usize == members.len() {
                    members.push(image);
                }
                if members.len() > most {
                    return unfit(Unfit::Many { which, value, most });
                }
                images.push(number);
            }
            at += 1;
        }
        for (which, images) in images.iter().enumerate() {
            if !is_permutation(images) {
                let mut first = FxHashMap::default();
                let collision = (0..).zip(images).find_map(|(member, &image)| {
                    first.insert(image, member).map(|earlier: usize| (earlier, member, image))
                });
                let (left, right, image) = collision.expect("as many images as values");
                let [left, right, image] =
                    [left, right, image as usize].map(|member| members[member]);
                return unfit(Unfit::NotInjective { which, left, right, image });
            }
        }
        if members.len() == 1 {
            return Ok(Orbit { members, group: None });
        }
        let both = self.points.iter().zip(&images).map(|(points, images)| joined(points, images));
        match Group::new(self.degree, members.len(), both.collect(), &data.cancel) {
            Ok(group) => Ok(Orbit { members, group: Some(group) }),
            Err(NoGroup::NotFaithful(_)) if members.len() > MOST_POINTS => {
                unfit(Unfit::Many { which: 0, value, most: MOST_POINTS })
            }
            Err(NoGroup::NotFaithful(_)) => {
                let images = images.into_iter().map(Permutation::from).collect();
                unfit(Unfit::Points { members, images })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The most members allowed in the orbit of a value: fewer if the order of a generator on the
    /// points is not a multiple of its order on the value, as then the members will have to become
    /// points.
    fn most_members(&mut self, data: &mut Data, value: Term) -> Result<usize, Stop> {
        for (lifting, points) in self.plain.iter_mut().zip(&self.points) {
            let most = MOST_MEMBERS as u64;
            let order = periods_of(points)
                .into_iter()
                .try_fold(1, |order: u64, period| {
                    Some(order.lcm(&period.into())).filter(|&n| n < most)
                })
                .unwrap_or(most);
            let mut image = value;
            let mut length = 0;
            loop {
                image = lifting.lift(data, image)?;
                length += 1;
                if image == value {
                    break;
                }
                if length == order {
                    return Ok(MOST_POINTS);
                }
            }
            if order % length != 0 {
                return Ok(MOST_POINTS);
            }
        }
        Ok(MOST_MEMBERS)
    }
}
