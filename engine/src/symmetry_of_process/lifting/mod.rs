//! A permutation of data, lifted to values, labels and states of a linear process.
//!
//! `carrier` defines what is permuted; this file lifts the permutation to everything else;
//! `symmetry` has the generators of a group, with their permutations of summands.

pub mod carrier;
pub mod symmetry;

use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, NONE, Term};
use crate::group::permutation::Permutation;
use crate::process::linear::Process;
use crate::process::linear::stop::{MAX_LABELS, Stop};
use crate::symmetry_of_process::action_on::action_by_maps::ValueMap;
use crate::symmetry_of_process::lifting::carrier::{Arrays, Carrier, MappedSorts, normal};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A permutation g of values and parameters, which acts on the states of a linear process.
pub struct Lifting {
    images: FxHashMap<Term, Term>,
    arrays: Arc<[Arrays]>,
    maps: Maps,
    /// The lifted value of parameter j moves to parameter `positions[j]`.
    pub positions: Permutation,
    /// The image of every requested value, `OPEN` while it is computed, else `NONE`.
    lifted: Vec<Term>,
    /// The requested values.
    requested: Vec<Term>,
}

/// How values of a sort with a map are moved.
enum Maps {
    None,
    /// By these maps: sort and symbol.
    Plain(Arc<[(u32, u32)]>),
    /// As by this generator.
    Generator(MappedSorts, usize),
    /// As by this element of the group on the carrier.
    Element(MappedSorts, Permutation),
}

const OPEN: Term = NONE - 1;

enum Task {
    /// Lift a value and push its image onto the results.
    Value(Term),
    /// The same for the remaining part of an array.
    Part(Term),
    /// The images of the parts are on the results: build the term.
    Build(Term),
    /// Move the element at this key, and then the later ones, in the image on top of the results.
    Update(Term, usize),
    /// The images of array, key and element are on the results: set the element.
    Set(Term, usize),
    /// The images of array and key are on the results, and there is no element: remove the key.
    Remove(Term, usize),
    /// The image is on top of the results: store it.
    Keep(Term),
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
            requested: Vec::new(),
        };
        lifting.become_that_of(carrier, values);
        lifting
    }

    /// Replaces the permutation of the values; the positions stay.
    pub fn become_that_of(&mut self, carrier: &Carrier, values: &[u32]) {
        for value in self.requested.drain(..) {
            self.lifted[value as usize] = NONE;
        }
        for (&value, &image) in carrier.values.iter().zip(values) {
            self.images.insert(value, carrier.values[image as usize]);
        }
        if let Some(mapped) = &carrier.mapped {
            self.maps = Maps::Element(mapped.clone(), values.into());
        }
    }

    /// The image of a value whose sort has a map; `None` for other sorts.
    fn mapped(&self, data: &mut Data, value: Term) -> Result<Option<Term>, Stop> {
        if matches!(self.maps, Maps::None) {
            return Ok(None);
        }
        // A placeholder represents a value that is not needed.
        let is_placeholder = |symbol| data.terms.symbols[symbol as usize].kind == Kind::Placeholder;
        match data.terms.head(value) {
            Head::Symbol(symbol) if is_placeholder(symbol) => return Ok(None),
            Head::Variable(_) => return Ok(None),
            Head::Symbol(_) | Head::Numeral(_) => {}
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
            Maps::Generator(mapped, which) => {
                let image = mapped.of(sort).map(|mut values| values.moved(data, value, *which));
                image.transpose()
            }
            Maps::Element(mapped, element) => {
                let image = mapped.of(sort).map(|mut values| values.image(data, value, element));
                image.transpose()
            }
            Maps::None => Ok(None),
        }
    }

    /// The image of a value: carrier values by the permutation, arrays index by index, others
    /// through their constructors.
    pub fn lift(&mut self, data: &mut Data, value: Term) -> Result<Term, Stop> {
        if let Some(&known) = self.lifted.get(value as usize)
            && known < OPEN
        {
            return Ok(known);
        }
        // An explicit stack, as values may be nested deeply.
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
                        } else if let Some(image) = self.mapped(data, value)? {
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
                // The constructors of the value around the images of its parts. A part of the
                // array's own sort is not lifted as a value: what remains of an array is no array
                // by itself.
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
            // A placeholder represents an array that is not needed, and has no elements.
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
            self.requested.push(value);
        }
        self.lifted[value as usize] = image;
    }

    /// The image of a state.
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

    /// The image of a label key.
    pub fn label(&mut self, process: &mut Process, label: u32) -> Result<u32, Stop> {
        let mut key = process.labels.keys.get(label).to_vec();
        for argument in &mut key[1..] {
            *argument = self.lift(&mut process.data, *argument)?;
        }
        process.labels.intern(&key, &process.data, &process.actions, MAX_LABELS)
    }
}

impl ValueMap for Lifting {
    fn lift(&mut self, data: &mut Data, value: Term) -> Result<Term, Stop> {
        self.lift(data, value)
    }
}
