//! The states of a process, one of each orbit, with their steps, as a search for paths asks for them.

use crate::base::label_table::Labels;
use crate::data::terms::Term;
use crate::data_formula::{Coded, DataFormula};
use crate::fair_paths::graph::{Graph, Step};
use crate::group::element_table::Elements;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::stop::Stop;
use crate::lpe::store::Block;
use crate::model_checking::question::Question;
use crate::orbit_exploration::batch::{Ahead, Batch, LOOKED_UP, reach};
use crate::orbit_exploration::images::Images;
use crate::orbit_exploration::statistics::Callbacks;
use crate::orbit_exploration::symmetric_process::{Numbered, SymmetricProcess};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Marks a state whose steps are not known.
const UNKNOWN: u32 = u32::MAX;

/// Orbits of states, and the steps of one state of each that was asked for.
pub(crate) struct OrbitGraph<'a, 'g> {
    pub system: SymmetricProcess<'a, 'g>,
    question: &'a Question,
    pub host: &'a mut dyn Callbacks,
    kept: Kept,
    initial: (u32, u32),
    /// Some of the states, once their orbits were forgotten.
    sampled: Option<Vec<Term>>,
    /// A state of which a limit has left out steps.
    cut: Option<u32>,
}

/// The steps that are known, in the order in which states were asked for.
struct Kept {
    /// Where an orbit is among those whose steps are known.
    places: Vec<u32>,
    /// Where the steps of each of these begin.
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// Label and element of each step, as a pair by number.
    twists: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    numbers: FxHashMap<(u32, u32), u32>,
    elements: Elements,
}

impl Kept {
    fn new(points: usize) -> Self {
        Self {
            places: Vec::new(),
            starts: vec![0],
            targets: Vec::new(),
            twists: Vec::new(),
            pairs: Vec::new(),
            numbers: FxHashMap::default(),
            elements: Elements::new(points),
        }
    }

    fn bytes(&self) -> usize {
        let columns = self.places.len() + self.starts.len() + self.targets.len();
        4 * (columns + self.twists.len()) + 24 * self.pairs.len()
    }

    /// Keeps the steps of a batch, but for those of the last state if it is looked at `again`.
    fn absorb(
        &mut self,
        numbered: &mut Numbered<'_>,
        batch: &Batch,
        found: &Images,
        states: &[u32],
        again: bool,
    ) -> Result<(), Stop> {
        let (mut placing, mut steps) = (found.placing(), batch.texts.iter());
        for (place, &degree) in batch.orbits.clone().zip(&batch.degrees) {
            if again && place + 1 == batch.orbits.end {
                return Ok(());
            }
            for &text in steps.by_ref().take(degree as usize) {
                let (orbit, element) =
                    placing.next(numbered.orbits, &numbered.process.data.cancel)?;
                self.targets.push(orbit);
                let pair = (text, self.elements.intern(element));
                let new = self.pairs.len() as u32;
                let twist = *self.numbers.entry(pair).or_insert(new);
                if twist == new {
                    self.pairs.push(pair);
                }
                self.twists.push(twist);
            }
            let state = states[place as usize] as usize;
            if self.places.len() <= state {
                self.places.resize(state + 1, UNKNOWN);
            }
            self.places[state] = self.starts.len() as u32 - 1;
            let end = u32::try_from(self.targets.len()).ok().filter(|&end| end < UNKNOWN);
            let end =
                end.ok_or_else(|| Stop::Evaluation("more than 2^32 transitions".into(), None));
            self.starts.push(end?);
        }
        Ok(())
    }
}

impl<'a, 'g> OrbitGraph<'a, 'g> {
    pub fn new(
        mut system: SymmetricProcess<'a, 'g>,
        question: &'a Question,
        host: &'a mut dyn Callbacks,
    ) -> Result<Self, Stop> {
        let mut kept = Kept::new(system.canonical.points());
        let least = system.least(&system.process.initial.clone())?;
        let orbit = system.place(&least)?;
        let initial = (orbit, kept.elements.intern(&least.element));
        Ok(Self { system, question, host, kept, initial, sampled: None, cut: None })
    }

    /// The states in which what the text has proven is looked at again.
    pub fn sampled(&mut self) -> Vec<Term> {
        self.sampled.take().unwrap_or_else(|| self.system.sampled())
    }

    /// The number of an element.
    pub fn intern(&mut self, element: &[u32]) -> u32 {
        self.kept.elements.intern(element)
    }

    /// How many states have known steps.
    pub fn explored(&self) -> usize {
        self.kept.starts.len() - 1
    }

    /// Bytes of the orbits and their steps.
    pub fn bytes(&self) -> usize {
        self.system.orbits.bytes() + self.kept.bytes()
    }

    /// The representatives of some orbits, one behind the other.
    fn images(&self, orbits: &[u32]) -> Vec<Term> {
        let mut states = Vec::with_capacity(orbits.len() * self.system.process.parameters);
        let mut block = Block::default();
        for &orbit in orbits {
            self.system.orbits.images(orbit..orbit + 1, &mut block, &mut states);
        }
        states
    }

    /// The steps of some of the states, which stand at these places of a list.
    fn first(&mut self, states: &[u32], places: Range<usize>) -> Result<Batch, Stop> {
        let images = self.images(&states[places.clone()]);
        self.system.steps(&images, places.start as u32..places.end as u32)
    }

    /// Looks for the orbits that a batch leads to, and finds the steps of more states at the same time.
    fn work(
        &mut self,
        batch: &Batch,
        mut found: Images,
        states: &[u32],
        more: Range<usize>,
    ) -> Result<(Images, Batch), Stop> {
        let SymmetricProcess { process, summand_tests, orbits, options, cap, .. } =
            &mut self.system;
        let (orbits, from) = (&*orbits, more.start);
        let read = |places: Range<usize>, images: &mut Vec<Term>| {
            let mut block = Block::default();
            for &orbit in &states[from + places.start..from + places.end] {
                orbits.images(orbit..orbit + 1, &mut block, images);
            }
        };
        let ahead = Ahead::new(more.len(), &read);
        let (known, tests) = (&**process, &*summand_tests);
        let besides = |piece: usize| ahead.look_up(piece, known, tests);
        found.look_up(Some(orbits), options.threads, (ahead.pieces(), &besides));
        let next = ahead.finish(process, summand_tests, more.start as u32, cap.now)?;
        self.system.complete(&mut found, &batch.targets)?;
        Ok((found, next))
    }
}

impl Graph for OrbitGraph<'_, '_> {
    fn initial(&self) -> (u32, u32) {
        self.initial
    }

    fn states(&self) -> usize {
        self.kept.places.len()
    }

    fn is_known(&self, state: u32) -> bool {
        self.kept.places.get(state as usize).is_some_and(|&place| place != UNKNOWN)
    }

    fn is_whole(&self, state: u32) -> bool {
        self.cut != Some(state)
    }

    fn expand(&mut self, states: &[u32]) -> Result<(), Stop> {
        let mut batch = self.first(states, 0..states.len().min(LOOKED_UP))?;
        let mut images = None;
        while !batch.orbits.is_empty() {
            let (explored, bytes) = (self.explored(), self.bytes());
            if !self.system.goes_on(self.host, explored, bytes)? {
                return Ok(());
            }
            let short = batch.short.is_some();
            let from = batch.orbits.end as usize;
            let to =
                if short { from } else { from + reach(batch.degrees.len(), batch.labels.len()) };
            let own = images
                .take()
                .unwrap_or_else(|| self.system.images(&batch.targets, batch.labels.len()));
            let (own, mut next) = self.work(&batch, own, states, from..to.min(states.len()))?;
            let again = short && self.system.cap.may_grow();
            // Orbits are numbered while others find the images of the next batch.
            let (count, threads) = (next.labels.len(), self.system.options.threads);
            let spare = std::mem::take(&mut self.system.spare);
            let (canonical, mut numbered) = self.system.split();
            let kept = &mut self.kept;
            let meanwhile = || kept.absorb(&mut numbered, &batch, &own, states, again);
            let (ready, absorbed) =
                Images::find(canonical, &next.targets, count, threads, spare, meanwhile);
            absorbed?;
            self.system.spare = own;
            images = Some(ready).filter(|_| !next.orbits.is_empty());
            if again {
                images = None;
                self.system.cap.grow();
                next = self.first(states, from - 1..from)?;
            } else if let Some(summand) = batch.short {
                self.system.incomplete = Some(Incomplete::Values(summand));
                self.cut = Some(states[from - 1]);
                return Ok(());
            } else if next.orbits.is_empty() && from < states.len() {
                next = self.first(states, from..states.len().min(from + LOOKED_UP))?;
            }
            batch = next;
        }
        Ok(())
    }

    fn steps(&self, state: u32) -> Range<usize> {
        if !self.is_known(state) {
            return 0..0;
        }
        let place = self.kept.places[state as usize] as usize;
        self.kept.starts[place] as usize..self.kept.starts[place + 1] as usize
    }

    fn step(&self, at: usize) -> Step {
        let (label, element) = self.kept.pairs[self.kept.twists[at] as usize];
        Step { label, target: self.kept.targets[at], element }
    }

    fn labels(&self) -> &Labels {
        &self.system.process.labels.labels
    }

    fn has_group(&self) -> bool {
        true
    }

    fn moved<F: DataFormula>(
        &mut self,
        formula: &mut Coded<F>,
        part: u32,
        element: u32,
    ) -> Result<u32, Stop> {
        let element = self.kept.elements.get(element).to_vec();
        let (mut tail, mut key) = (Vec::new(), Vec::new());
        formula.put(self.system.process, part, &mut tail)?;
        let slots = formula.slots();
        for value in &mut tail[..slots] {
            *value = loop {
                match self.system.canonical.value(*value, &element, &mut key) {
                    Ok(image) => break image,
                    Err(missing) => self.system.learn(missing)?,
                }
            };
        }
        formula.at(self.system.process, &tail)
    }

    fn go_on(&mut self, nodes: usize) -> Result<bool, Stop> {
        let (explored, bytes) = (self.explored(), self.bytes());
        self.system.goes_on(self.host, explored, bytes)?;
        let limits = &self.system.options.limits;
        if nodes > self.question.most {
            self.system.incomplete.get_or_insert(Incomplete::Found);
        } else if nodes > limits.states.unwrap_or(usize::MAX) {
            self.system.incomplete.get_or_insert(Incomplete::States);
        }
        Ok(self.system.incomplete.is_none())
    }

    fn close(&mut self) {
        self.sampled = Some(self.system.sampled());
        self.system.orbits.forget_images();
        self.kept.numbers = FxHashMap::default();
    }
}
