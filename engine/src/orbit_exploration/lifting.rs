//! A permutation of data, lifted to values, labels and states of a linear process.

use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, NONE, Term};
use crate::group::permutation::{Permutation, is_permutation, periods_of};
use crate::lpe::process::{MAX_LABELS, Process, Stop, Unfit};
use crate::orbit_exploration::action_on::action_by_maps::Acted;
use crate::orbit_exploration::certificate::Witness;
use crate::symmetry::orbits_of_lts::joined;
use num_bigint::BigUint;
use num_integer::Integer;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// A sort of arrays that are indexed by permuted values: `(g f)(g d) = g (f(d))`.
pub struct Arrays {
    pub sort: u32,
    pub get: u32,
    pub set: u32,
    /// Whether there is an element, and what leaves an index without one; if not all have one.
    pub partial: Option<(u32, u32)>,
    /// Whether they are permuted as their definition says for all values, elements included, so that
    /// it need not be proven that the group acts on them.
    pub free: bool,
    /// The permuted values that are indices.
    pub keys: Vec<Term>,
}

impl Arrays {
    /// The element at an index, if there is one.
    pub fn element(&self, data: &mut Data, array: Term, key: Term) -> Result<Option<Term>, Stop> {
        if let Some((contains, _)) = self.partial {
            let contained = data.terms.apply(contains, &[array, key]);
            if normal(data, contained)? != data.truth {
                return Ok(None);
            }
        }
        let element = data.terms.apply(self.get, &[array, key]);
        normal(data, element).map(Some)
    }
}

/// What is permuted: values, which may be indices of arrays, among the parameters of a process.
#[derive(Clone)]
pub struct Carrier {
    /// The values, in the order of their points.
    pub values: Vec<Term>,
    pub arrays: Arc<[Arrays]>,
    /// The sorts whose values are moved by maps, and those values.
    pub acted: Option<ActedSorts>,
}

/// Sorts whose values are moved by maps, and those values.
#[derive(Clone)]
pub struct ActedSorts {
    sorts: Arc<[u32]>,
    values: Arc<Mutex<Acted>>,
}

impl ActedSorts {
    /// The values, for somebody who asks of one whose sort is among these.
    fn of(&self, sort: u32) -> Option<MutexGuard<'_, Acted>> {
        let is_one = self.sorts.contains(&sort);
        is_one.then(|| self.values.lock().expect("no panic while locked"))
    }
}

/// Carrier, names of its values, and generators.
pub struct Symmetry {
    pub carrier: Carrier,
    pub names: Vec<String>,
    pub generators: Vec<Generator>,
}

/// A permutation g of values and parameters, which acts on the states of a linear process.
pub struct Lifting {
    images: FxHashMap<Term, Term>,
    arrays: Arc<[Arrays]>,
    maps: Maps,
    /// The value of parameter j moves, lifted, to parameter `positions[j]`.
    pub positions: Permutation,
    /// The image of every value that was asked for, `OPEN` while it is computed, else `NONE`.
    lifted: Vec<Term>,
    /// The values that were asked for.
    asked: Vec<Term>,
}

/// How values are moved whose sort has a map.
enum Maps {
    None,
    /// By these: sort and symbol.
    Plain(Arc<[(u32, u32)]>),
    /// As by this generator.
    Generator(ActedSorts, usize),
    /// As by this element of the group on the carrier.
    Element(ActedSorts, Permutation),
}

const OPEN: Term = NONE - 1;

enum Task {
    /// Lift a value and leave its image on the results.
    Value(Term),
    /// The same, but as the rest of an array.
    Part(Term),
    /// The images of the parts are on the results.
    Build(Term),
    /// Move the element at this key, and then the later ones, in the image on top of the results.
    Update(Term, usize),
    /// The images of array, key and element are on the results.
    Set(Term, usize),
    /// The images of array and key are on the results, and there is no element.
    Remove(Term, usize),
    /// The image is on top of the results.
    Keep(Term),
}

/// A generator of the group with what it does to the summands.
pub struct Generator {
    pub lifting: Lifting,
    /// The maps that say what it does to values of their sorts: sort and symbol.
    pub maps: Arc<[(u32, u32)]>,
    /// On the points: the values of the carrier.
    pub values: Permutation,
    /// Summand i becomes summand `summands[i]`.
    pub summands: Permutation,
    /// Least n >= 1 for which g^n moves no value, parameter or summand.
    pub order: BigUint,
}

/// What a generator does to the values of the carrier, to parameters and to summands, and the maps
/// (sort, symbol) that say what it does to other values.
pub struct Moves {
    pub values: Permutation,
    pub positions: Permutation,
    pub summands: Permutation,
    pub maps: Arc<[(u32, u32)]>,
}

impl Symmetry {
    /// Of generators that act on these values, called `names`, and arrays.
    pub fn new(
        values: Vec<Term>,
        names: Vec<String>,
        arrays: Arc<[Arrays]>,
        moves: Vec<Moves>,
    ) -> Result<Self, String> {
        let mut carrier = Carrier { values, arrays, acted: None };
        let mut sorts: Vec<u32> =
            moves.iter().flat_map(|one| one.maps.iter().map(|&(sort, _)| sort)).collect();
        sorts.sort_unstable();
        sorts.dedup();
        if !sorts.is_empty() {
            let plain = |one: &Moves| {
                let mut lifting = Lifting::new(&carrier, &one.values, Permutation::default());
                lifting.maps = Maps::Plain(Arc::clone(&one.maps));
                lifting
            };
            let points = moves.iter().map(|one| one.values.clone()).collect();
            let plain = moves.iter().map(plain).collect();
            let acted = Acted::new(plain, points, carrier.values.len());
            carrier.acted =
                Some(ActedSorts { sorts: sorts.into(), values: Arc::new(Mutex::new(acted)) });
        }
        let made = moves.into_iter().enumerate();
        let generators = made.map(|(which, one)| Generator::new(&carrier, one, which));
        Ok(Self { generators: generators.collect::<Result<_, _>>()?, carrier, names })
    }

    /// The same with more values, which each generator moves in this way.
    fn with_points(
        &self,
        data: &Data,
        members: &[Term],
        images: &[Permutation],
    ) -> Result<Self, String> {
        let mut values = self.carrier.values.clone();
        let mut names = self.names.clone();
        for &member in members {
            let name = String::from_utf8_lossy(&data.terms.show(member)).into_owned();
            let known = names.contains(&name);
            names.push(if known { format!("#v{}", values.len()) } else { name });
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

    /// The result of what is done under this symmetry, or which generator is none, and why. What is
    /// done is begun again with more points where values turn out to tell elements of the group apart.
    pub fn settle<T>(
        &mut self,
        process: &mut Process,
        mut task: impl FnMut(&mut Process, &mut Self) -> Result<T, Stop>,
    ) -> Result<Result<T, (usize, Witness)>, Stop> {
        loop {
            let unfit = match task(process, self) {
                Err(Stop::Unfit(unfit)) => *unfit,
                found => return found.map(Ok),
            };
            let data = &process.data;
            let shown = |value| data.terms.show(value);
            match unfit {
                Unfit::Points { members, images } => {
                    let wider = self.with_points(data, &members, &images);
                    *self = wider.map_err(|message| Stop::Evaluation(message, None))?;
                }
                Unfit::Merged { which, one, other, image } => {
                    let sort = data.terms.sort(image);
                    let [one, other, image] = [one, other, image].map(shown);
                    return Ok(Err((which, Witness::Merged(sort, one, other, image))));
                }
                Unfit::Many { which, value, most } => {
                    let sort = data.terms.sort(value);
                    return Ok(Err((which, Witness::Many(sort, shown(value), most))));
                }
            }
        }
    }
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
        if let Some(acted) = &carrier.acted {
            lifting.maps = Maps::Generator(acted.clone(), which);
        }
        Ok(Self { lifting, maps, values, summands, order })
    }
}

impl Carrier {
    /// Whether values of a sort are moved by maps.
    pub fn is_acted(&self, sort: u32) -> bool {
        self.acted.as_ref().is_some_and(|acted| acted.sorts.contains(&sort))
    }
}

impl Lifting {
    /// Lifts an element of the group on the carrier's values.
    pub fn new(carrier: &Carrier, values: &[u32], positions: Permutation) -> Self {
        let mut lifting = Self {
            images: FxHashMap::default(),
            arrays: Arc::clone(&carrier.arrays),
            maps: Maps::None,
            positions,
            lifted: Vec::new(),
            asked: Vec::new(),
        };
        lifting.become_that_of(carrier, values);
        lifting
    }

    /// Lifts another permutation of the values from now on; the positions stay.
    pub fn become_that_of(&mut self, carrier: &Carrier, values: &[u32]) {
        for value in self.asked.drain(..) {
            self.lifted[value as usize] = NONE;
        }
        for (&value, &image) in carrier.values.iter().zip(values) {
            self.images.insert(value, carrier.values[image as usize]);
        }
        if let Some(acted) = &carrier.acted {
            self.maps = Maps::Element(acted.clone(), values.into());
        }
    }

    /// The image of a value whose sort has a map; `None` for others.
    fn acted(&self, data: &mut Data, value: Term) -> Result<Option<Term>, Stop> {
        if matches!(self.maps, Maps::None) {
            return Ok(None);
        }
        // A placeholder stands in for a value that is not needed.
        let is_placeholder = |symbol| data.terms.symbols[symbol as usize].kind == Kind::Placeholder;
        let Head::Symbol(symbol) = data.terms.head(value) else { return Ok(None) };
        if is_placeholder(symbol) {
            return Ok(None);
        }
        let sort = data.terms.sort(value);
        match &self.maps {
            Maps::Plain(maps) => match maps.iter().find(|&&(own, _)| own == sort) {
                Some(&(_, map)) => {
                    let term = data.terms.apply(map, &[value]);
                    normal(data, term).map(Some)
                }
                None => Ok(None),
            },
            Maps::Generator(acted, which) => {
                let found = acted.of(sort).map(|mut values| values.moved(data, value, *which));
                found.transpose()
            }
            Maps::Element(acted, element) => {
                let found = acted.of(sort).map(|mut values| values.image(data, value, element));
                found.transpose()
            }
            Maps::None => Ok(None),
        }
    }

    /// g on a value: carrier values by the cycles, arrays index by index, others through their
    /// constructors.
    pub fn lift(&mut self, data: &mut Data, value: Term) -> Result<Term, Stop> {
        if let Some(&known) = self.lifted.get(value as usize)
            && known < OPEN
        {
            return Ok(known);
        }
        // An explicit stack: values may be deep.
        let mut tasks = vec![Task::Value(value)];
        let mut results: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Value(value) => match self.lifted.get(value as usize) {
                    Some(&OPEN) => {
                        let shown = data.terms.show_short(value);
                        let message = format!("the array `{shown}` is one of its own elements");
                        return Err(Stop::Evaluation(message, None));
                    }
                    Some(&known) if known != NONE => results.push(known),
                    _ => {
                        if let Some(&image) = self.images.get(&value) {
                            self.keep(data, value, image);
                            results.push(image);
                        } else if let Some(image) = self.acted(data, value)? {
                            self.keep(data, value, image);
                            results.push(image);
                        } else {
                            self.keep(data, value, OPEN);
                            tasks.push(Task::Keep(value));
                            if self.arrays_of(data, value).is_some() {
                                tasks.push(Task::Update(value, 0));
                            }
                            tasks.push(Task::Part(value));
                        }
                    }
                },
                // The constructors of a value around the images of what is inside. Parts of an
                // array's own sort are not lifted as values: the rest of an array is no array.
                Task::Part(value) => {
                    let children = data.terms.children(value);
                    if children.is_empty() {
                        results.push(value);
                        continue;
                    }
                    let array = self.arrays_of(data, value).map(|_| data.terms.sort(value));
                    tasks.push(Task::Build(value));
                    for &child in children.iter().rev() {
                        let rest = matches!(data.terms.head(child), Head::Symbol(_))
                            && array == Some(data.terms.sort(child));
                        tasks.push(if rest { Task::Part(child) } else { Task::Value(child) });
                    }
                }
                Task::Build(value) => {
                    let from = results.len() - data.terms.children(value).len();
                    let Head::Symbol(symbol) = data.terms.head(value) else { unreachable!() };
                    let built = data.terms.apply(symbol, &results[from..]);
                    results.truncate(from);
                    results.push(normal(data, built)?);
                }
                Task::Update(value, i) => {
                    let arrays = self.arrays_of(data, value).expect("it was one before");
                    if let Some(&key) = arrays.keys.get(i) {
                        if let Some(element) = arrays.element(data, value, key)? {
                            tasks.push(Task::Set(value, i));
                            tasks.push(Task::Value(element));
                        } else {
                            tasks.push(Task::Remove(value, i));
                        }
                        tasks.push(Task::Value(key));
                    }
                }
                Task::Remove(value, i) => {
                    let arrays = self.arrays_of(data, value).expect("it was one before");
                    let (_, remove) = arrays.partial.expect("else there is an element");
                    let from = results.len() - 2; // the array, the key
                    let updated = data.terms.apply(remove, &results[from..]);
                    results.truncate(from);
                    results.push(normal(data, updated)?);
                    tasks.push(Task::Update(value, i + 1));
                }
                Task::Set(value, i) => {
                    let set = self.arrays_of(data, value).expect("it was one before").set;
                    let from = results.len() - 3; // the array, the key, the element
                    let updated = data.terms.apply(set, &results[from..]);
                    results.truncate(from);
                    results.push(normal(data, updated)?);
                    tasks.push(Task::Update(value, i + 1));
                }
                Task::Keep(value) => self.keep(data, value, results[results.len() - 1]),
            }
        }
        Ok(results[0])
    }

    fn arrays_of(&self, data: &Data, value: Term) -> Option<&Arrays> {
        match data.terms.head(value) {
            // A placeholder stands in for an array that is not needed, and has no elements.
            Head::Symbol(symbol)
                if data.terms.symbols[symbol as usize].kind != Kind::Placeholder =>
            {
                let sort = data.terms.sort(value);
                self.arrays.iter().find(|arrays| arrays.sort == sort)
            }
            _ => None,
        }
    }

    fn keep(&mut self, data: &Data, value: Term, image: Term) {
        if self.lifted.len() <= value as usize {
            self.lifted.resize(data.terms.len().max(value as usize + 1), NONE);
        }
        if self.lifted[value as usize] == NONE {
            self.asked.push(value);
        }
        self.lifted[value as usize] = image;
    }

    /// g on a state.
    pub fn apply(
        &mut self,
        data: &mut Data,
        state: &[u32],
        image: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        image.clear();
        image.resize(state.len(), 0);
        for (parameter, &value) in state.iter().enumerate() {
            image[self.positions[parameter] as usize] = self.lift(data, value)?;
        }
        Ok(())
    }

    /// g on a label key.
    pub fn label(&mut self, process: &mut Process, label: u32) -> Result<u32, Stop> {
        let mut key = process.labels.keys[label as usize].to_vec();
        for argument in &mut key[1..] {
            *argument = self.lift(&mut process.data, *argument)?;
        }
        process.labels.intern(key, &process.data, &process.actions, MAX_LABELS)
    }
}

pub fn normal(data: &mut Data, term: Term) -> Result<Term, Stop> {
    let normal = data.normalise(term).map_err(|error| Stop::Evaluation(error.to_string(), None))?;
    if data.terms.is_value(normal) {
        return Ok(normal);
    }
    let shown = data.terms.show_short(normal);
    Err(Stop::Evaluation(format!("`{shown}` does not reduce to a value"), None))
}
