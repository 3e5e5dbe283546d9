//! The steps of a state up to its stabiliser.
//!
//! An element h that fixes a state s maps the steps of s to each other. If a step changes a few
//! parameters to new values (its delta), its image changes their images to the images of the
//! values, and everything else stays as in s. So the targets of two steps are in one orbit if two
//! such elements lead to the same image of their deltas, whatever values the other parameters have.
//!
//! If labels count too, the arguments of a step's label are moved with its delta.
//!
//! This is used where the stabiliser has all permutations of each of its orbits, the *cells*. The
//! element moves the first point of a cell that occurs in the delta to the first position of the
//! cell, the second to the second, and so on. Steps that differ in the order of these points may
//! stay apart although they are in one orbit; then both are explored.

use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::data::terms::Term;
use crate::group::permutation::Permutation;
use crate::orbits::canonical_state::{Canonical, Missing};
use crate::orbits::orbit_table::Orbits;
use crate::process::linear::Process;
use rustc_hash::FxHashSet;

/// The data for merging steps of the canonical images of orbits.
#[derive(Clone, Copy)]
pub(crate) struct Merging<'a> {
    pub canonical: &'a Canonical<'a>,
    pub orbits: &'a Orbits,
    /// Whether steps with different labels stay apart.
    pub labels: bool,
}

/// The most missing images that are recorded for one state.
const MOST_MISSING: usize = 16;

/// Scratch memory for merging the steps of a state.
#[derive(Default)]
pub(crate) struct StepOrbits<'a> {
    /// `None` if no steps are merged.
    merging: Option<Merging<'a>>,
    /// The deltas of all steps, by parameter, and for each step the text of its label and the end
    /// of its delta.
    deltas: Vec<(u32, Term)>,
    texts_and_offsets: Vec<(u32, usize)>,
    /// The label key of each step.
    labels: Vec<u32>,
    relabelling: Relabelling,
    image: Vec<(u32, Term)>,
    key: Vec<u32>,
}

impl<'a> StepOrbits<'a> {
    pub fn new(merging: Option<Merging<'a>>) -> Self {
        Self { merging, ..Self::default() }
    }

    /// Removes steps from those of a state so that at least one of each orbit under its stabiliser
    /// remains, and always the first one. Returns the number of distinct steps before; or `None`,
    /// changing nothing, if no steps are merged or the stabiliser is not suited.
    ///
    /// Steps are summands with steps of their tables; the state is the canonical image of the orbit
    /// with this number. Adds to `missing` what has to be learned to merge more.
    pub fn merge(
        &mut self,
        process: &Process,
        (orbit, state): (u32, &[Term]),
        steps: &mut Vec<(u32, u32)>,
        missing: &mut Vec<Missing>,
    ) -> Option<u32> {
        let Merging { canonical, orbits, labels } = self.merging?;
        let stabiliser = orbits.stabiliser_of(orbit);
        if stabiliser.is_trivial() || steps.len() < 2 {
            return None;
        }
        let cells = stabiliser.symmetric_orbits()?;
        self.collect(process, state, steps);
        let firsts = self.distinct();
        self.relabelling.begin(canonical.points(), cells);
        let mut seen: FxHashSet<Box<[(u32, Term)]>> = FxHashSet::default();
        let mut rest = Vec::new();
        let most = missing.len() + MOST_MISSING;
        for &step in &firsts {
            let (_, delta) = step_of(&self.deltas, &self.texts_and_offsets, step);
            let label = match labels {
                true => process.labels.keys.get(self.labels[step]),
                false => &[],
            };
            let scratch = (&mut self.key, &mut self.image);
            let known = self.relabelling.image(canonical, (label, delta), cells, scratch);
            self.relabelling.forget();
            let is_new = match known {
                Ok(()) => {
                    let is_new = !seen.contains(&self.image[..]);
                    if is_new {
                        seen.insert(self.image[..].into());
                    }
                    is_new
                }
                Err(lacks) => {
                    missing.extend(lacks.filter(|_| missing.len() < most));
                    true
                }
            };
            if is_new {
                rest.push(steps[step]);
            }
        }
        *steps = rest;
        Some(u32::at(firsts.len()))
    }

    /// Writes the label text and the delta of each step.
    fn collect(&mut self, process: &Process, state: &[Term], steps: &[(u32, u32)]) {
        self.deltas.clear();
        self.texts_and_offsets.clear();
        self.labels.clear();
        for &(summand, local) in steps {
            let label = process.changes(summand as usize, local, state, &mut self.deltas);
            self.texts_and_offsets.push((process.labels.texts[label as usize], self.deltas.len()));
            self.labels.push(label);
        }
    }

    /// The first of each set of equal steps, in order.
    fn distinct(&self) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let is_first =
            |&step: &usize| seen.insert(step_of(&self.deltas, &self.texts_and_offsets, step));
        (0..self.texts_and_offsets.len()).filter(is_first).collect()
    }
}

/// The label text and the delta of a step.
fn step_of<'d>(
    deltas: &'d [(u32, Term)],
    texts_and_offsets: &[(u32, usize)],
    step: usize,
) -> (u32, &'d [(u32, Term)]) {
    let begin = step.checked_sub(1).map_or(0, |before| texts_and_offsets[before].1);
    (texts_and_offsets[step].0, &deltas[begin..texts_and_offsets[step].1])
}

/// An element of the group of all permutations of each cell, as far as it is chosen.
#[derive(Default)]
struct Relabelling {
    /// For each point the number of its cell, or `NONE`.
    cell: Vec<u32>,
    /// For each cell the number of its points that have an image.
    placed: Vec<usize>,
    /// The image of each point, or `NONE`. Points outside the cells are fixed.
    element: Vec<u32>,
    /// The points of the cells that have an image.
    chosen: Vec<u32>,
}

impl Relabelling {
    /// Resets the element, for states whose stabiliser has these cells.
    fn begin(&mut self, points: usize, cells: &[Vec<u32>]) {
        self.cell.clear();
        self.cell.resize(points, NONE);
        self.element.clear();
        self.element.extend(0..u32::at(points));
        self.chosen.clear();
        self.placed.clear();
        self.placed.resize(cells.len(), 0);
        for (number, cell) in (0..).zip(cells) {
            for &point in cell {
                self.cell[point as usize] = number;
                self.element[point as usize] = NONE;
            }
        }
    }

    /// Forgets the chosen images.
    fn forget(&mut self) {
        for point in self.chosen.drain(..) {
            self.element[point as usize] = NONE;
            self.placed[self.cell[point as usize] as usize] = 0;
        }
    }

    /// Writes the image of a label key, if there is one, and of a delta, after choosing the images
    /// of the points that occur in them. If an image is not known, the error is what has to be
    /// learned, or `None` if learning does not help.
    fn image(
        &mut self,
        canonical: &Canonical<'_>,
        (label, delta): (&[Term], &[(u32, Term)]),
        cells: &[Vec<u32>],
        (key, image): (&mut Vec<u32>, &mut Vec<(u32, Term)>),
    ) -> Result<(), Option<Missing>> {
        let arguments = label.get(1..).unwrap_or_default();
        for &argument in arguments {
            self.choose(canonical.points_in(argument)?, cells);
        }
        for &(parameter, value) in delta {
            for points in canonical.occurring(parameter, value).ok_or(None)? {
                self.choose(points, cells);
            }
        }
        image.clear();
        image.extend(label.first().map(|&action| (NONE, action)));
        for (number, &argument) in (1..).zip(arguments) {
            image.push((NONE - number, self.value(canonical, argument, cells, key)?));
        }
        for &(parameter, value) in delta {
            let to = canonical.position(parameter, &self.element);
            image.push((to, self.value(canonical, value, cells, key)?));
        }
        image.sort_unstable();
        Ok(())
    }

    /// Chooses the images of points that have none: the next positions of their cells.
    fn choose(&mut self, points: &[u32], cells: &[Vec<u32>]) {
        for &point in points {
            if self.element[point as usize] == NONE {
                let cell = self.cell[point as usize] as usize;
                let placed = &mut self.placed[cell];
                self.element[point as usize] = cells[cell][*placed];
                *placed += 1;
                self.chosen.push(point);
            }
        }
    }

    /// The image of a value, or what has to be learned, if that helps.
    fn value(
        &self,
        canonical: &Canonical<'_>,
        value: Term,
        cells: &[Vec<u32>],
        key: &mut Vec<u32>,
    ) -> Result<Term, Option<Missing>> {
        canonical.value(value, &self.element, key).map_err(|lacks| match lacks {
            Missing::Image(value, _) => Some(Missing::Image(value, self.completed(cells))),
            other => Some(other),
        })
    }

    /// The element, with the other points of each cell at the other positions, in order.
    fn completed(&self, cells: &[Vec<u32>]) -> Permutation {
        let mut element = self.element.clone();
        for (cell, &placed) in cells.iter().zip(&self.placed) {
            let mut free = cell[placed..].iter();
            for &point in cell {
                if element[point as usize] == NONE {
                    element[point as usize] = *free.next().expect("as many positions as points");
                }
            }
        }
        element.into()
    }
}
