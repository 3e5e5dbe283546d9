//! A group of symmetries, given by generators with their permutations of values, parameters and
//! summands.

use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::group::permutation::{Permutation, is_permutation, periods_of};
use crate::process::linear::Process;
use crate::process::linear::stop::{Stop, Unfit};
use crate::symmetry::orbits_of_lts::joined;
use crate::symmetry_of_process::action_on::action_by_maps::{MappedValues, ValueMap};
use crate::symmetry_of_process::lifting::carrier::{Arrays, Carrier, MappedSorts};
use crate::symmetry_of_process::lifting::{Lifting, Maps};
use crate::symmetry_of_process::witness::Witness;
use num_bigint::BigUint;
use num_integer::Integer;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex};

/// The carrier, the names of its values, and the generators.
pub struct Symmetry {
    pub carrier: Carrier,
    pub names: Vec<String>,
    pub generators: Vec<Generator>,
}

/// The permutations of a generator, of the carrier's values, of parameters and of summands, and the
/// maps (sort, symbol) that it applies to other values.
pub struct Moves {
    pub values: Permutation,
    pub positions: Permutation,
    pub summands: Permutation,
    pub maps: Arc<[(u32, u32)]>,
}

impl Symmetry {
    /// The symmetry on these values, called `names`, and arrays, with these generators.
    pub fn new(
        values: Vec<Term>,
        names: Vec<String>,
        arrays: Arc<[Arrays]>,
        moves: Vec<Moves>,
    ) -> Result<Self, String> {
        let mut carrier = Carrier { values, arrays, mapped: None };
        let mut sorts: Vec<u32> = moves
            .iter()
            .flat_map(|generator| generator.maps.iter().map(|&(sort, _)| sort))
            .collect();
        sorts.sort_unstable();
        sorts.dedup();
        if !sorts.is_empty() {
            let plain = |generator: &Moves| {
                let mut lifting = Lifting::new(&carrier, &generator.values, Permutation::default());
                lifting.maps = Maps::Plain(Arc::clone(&generator.maps));
                Box::new(lifting) as Box<dyn ValueMap>
            };
            let points = moves.iter().map(|generator| generator.values.clone()).collect();
            let plain = moves.iter().map(plain).collect();
            let mapped = MappedValues::new(plain, points, carrier.values.len());
            carrier.mapped =
                Some(MappedSorts { sorts: sorts.into(), values: Arc::new(Mutex::new(mapped)) });
        }
        let made = moves.into_iter().enumerate();
        let generators = made.map(|(which, generator)| Generator::new(&carrier, generator, which));
        Ok(Self { generators: generators.collect::<Result<_, _>>()?, carrier, names })
    }

    /// The same symmetry with more points: values that each generator permutes by `images`.
    pub(crate) fn with_points(
        &self,
        data: &Data,
        members: &[Term],
        images: &[Permutation],
    ) -> Result<Self, String> {
        let mut values = self.carrier.values.clone();
        let mut names = self.names.clone();
        let mut taken: FxHashSet<String> = names.iter().cloned().collect();
        for &member in members {
            let mut name = String::from_utf8_lossy(&data.terms.show(member)).into_owned();
            if taken.contains(&name) {
                name = format!("#v{}", values.len());
            }
            taken.insert(name.clone());
            names.push(name);
            values.push(member);
        }
        let moves = self.generators.iter().zip(images).map(|(generator, images)| Moves {
            values: joined(&generator.values, images),
            positions: generator.lifting.positions.clone(),
            summands: generator.summands.clone(),
            maps: Arc::clone(&generator.maps),
        });
        Self::new(values, names, Arc::clone(&self.carrier.arrays), moves.collect())
    }

    /// Runs `task` under this symmetry. Restarts it with more points if values turn out to
    /// distinguish elements of the group. Returns the number of a generator that is not a symmetry,
    /// with a witness, if one is found.
    pub fn with_more_points<T>(
        &mut self,
        process: &mut Process,
        mut task: impl FnMut(&mut Process, &mut Self) -> Result<T, Stop>,
    ) -> Result<Result<T, (usize, Witness)>, Stop> {
        loop {
            let unfit = match task(process, self) {
                Err(Stop::Unfit(unfit)) => *unfit,
                found => return found.map(Ok),
            };
            match unfit.explained(&process.data) {
                Ok(witness) => return Ok(Err(witness)),
                Err((members, images)) => {
                    let wider = self.with_points(&process.data, &members, &images);
                    *self = wider.map_err(|message| Stop::Evaluation(message, None))?;
                }
            }
        }
    }
}

/// Values that have to be points, and each generator's permutation of them.
type Points = (Vec<Term>, Vec<Permutation>);

impl Unfit {
    /// The generator that is not a symmetry, with a witness; or the values that have to be points.
    pub(crate) fn explained(self, data: &Data) -> Result<(usize, Witness), Points> {
        let shown = |value| data.terms.show(value);
        match self {
            Self::Points { members, images } => Err((members, images)),
            Self::NotInjective { which, left, right, image } => {
                let sort = data.terms.sort(image);
                let [left, right, image] = [left, right, image].map(shown);
                Ok((which, Witness::NotInjective(sort, left, right, image)))
            }
            Self::Many { which, value, most } => {
                let sort = data.terms.sort(value);
                Ok((which, Witness::Many(sort, shown(value), most)))
            }
        }
    }
}

/// A generator of the group, with its permutation of the summands.
pub struct Generator {
    pub lifting: Lifting,
    /// Its maps on values of their sorts: sort and symbol.
    pub maps: Arc<[(u32, u32)]>,
    /// Its permutation of the points, the values of the carrier.
    pub values: Permutation,
    /// Its permutation of the summands.
    pub summands: Permutation,
    /// The least n >= 1 for which g^n moves no value, parameter or summand.
    pub order: BigUint,
}

impl Generator {
    fn new(carrier: &Carrier, moves: Moves, which: usize) -> Result<Self, String> {
        let Moves { values, positions, summands, maps } = moves;
        if !is_permutation(&values) {
            return Err("a value stands twice in the cycles of the permutation".into());
        }
        if !is_permutation(&positions) || !is_permutation(&summands) {
            let message = "two components, or two of their steps, would move to the same place";
            return Err(message.into());
        }
        let mut order = BigUint::from(1u32);
        for permutation in [&values, &positions, &summands] {
            for period in periods_of(permutation) {
                order = order.lcm(&BigUint::from(period));
            }
        }
        let mut lifting = Lifting::new(carrier, &values, positions);
        if let Some(mapped) = &carrier.mapped {
            lifting.maps = Maps::Generator(mapped.clone(), which);
        }
        Ok(Self { lifting, maps, values, summands, order })
    }
}
