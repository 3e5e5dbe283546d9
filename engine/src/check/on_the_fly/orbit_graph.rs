//! The graph of a process searched for paths: one state of each orbit, with steps computed on
//! request.

use crate::base::ids::Id;
use crate::base::label_table::Labels;
use crate::check::data_formula::{Coded, DataFormula};
use crate::check::fair_paths::graph::{Graph, Step};
use crate::check::on_the_fly::known_steps::KnownSteps;
use crate::check::on_the_fly::question::Question;
use crate::data::terms::Term;
use crate::group::element_table::Elements;
use crate::orbits::batch::Batch;
use crate::orbits::frontier::{Results, Visitor, explore};
use crate::orbits::orbit_table::Orbits;
use crate::orbits::statistics::Callbacks;
use crate::orbits::symmetric_process::{Numbered, SymmetricProcess};
use crate::process::explore::Incomplete;
use crate::process::linear::stop::Stop;
use crate::process::store::Block;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Orbits of states, and the steps of their representatives as far as they were requested.
pub(crate) struct OrbitGraph<'a, 'g> {
    pub system: SymmetricProcess<'a, 'g>,
    question: &'a Question,
    pub callbacks: &'a mut dyn Callbacks,
    known: Twists,
    initial: (u32, u32),
    /// A sample of the states, taken when the orbits are released.
    sampled: Option<Vec<Term>>,
    /// The state whose steps were cut off by a limit, if any.
    cut: Option<u32>,
}

/// The known steps. Instead of a label each has a *twist*: a label with the group element that maps
/// the step's target to its representative.
struct Twists {
    steps: KnownSteps,
    /// Twists, as pairs of a label and the number of an element; steps refer to them by index.
    pairs: Vec<(u32, u32)>,
    numbers: FxHashMap<(u32, u32), u32>,
    elements: Elements,
}

impl Twists {
    /// Adds a step of the state that is closed next.
    fn push(&mut self, text: u32, target: u32, element: &[u32]) {
        let pair = (text, self.elements.intern(element));
        let new = u32::at(self.pairs.len());
        let twist = *self.numbers.entry(pair).or_insert(new);
        if twist == new {
            self.pairs.push(pair);
        }
        self.steps.push(twist, target);
    }

    fn bytes(&self) -> usize {
        self.steps.bytes() + 24 * self.pairs.len()
    }
}

/// A request for the steps of some states; results are added to those known.
struct Request<'k> {
    known: &'k mut Twists,
    states: &'k [u32],
    /// The number of states with known steps before this request.
    before: usize,
}

impl Visitor for Request<'_> {
    fn queued(&self, _: &Orbits) -> usize {
        self.states.len()
    }

    fn read(&self, orbits: &Orbits, positions: Range<usize>, states: &mut Vec<Term>) {
        let mut block = Block::default();
        for &orbit in &self.states[positions] {
            orbits.images(orbit..orbit + 1, &mut block, states);
        }
    }

    fn progress(&self, orbits: &Orbits, position: usize) -> (usize, usize) {
        (self.before + position, orbits.bytes() + self.known.bytes())
    }

    fn visit(
        &mut self,
        numbered: &mut Numbered<'_>,
        _: &mut dyn Callbacks,
        batch: &Batch,
        results: &Results,
        incomplete: bool,
    ) -> Result<Option<Incomplete>, Stop> {
        let (mut numbers, mut steps) = (results.images.orbit_numbers(), batch.texts.iter());
        for (position, &degree) in batch.positions.clone().zip(&batch.degrees) {
            if incomplete && position + 1 == batch.positions.end {
                break;
            }
            for &text in steps.by_ref().take(degree as usize) {
                let (orbit, element) =
                    numbers.next(numbered.orbits, &numbered.process.data.cancel)?;
                self.known.push(text, orbit, element);
            }
            self.known.steps.close(self.states[position as usize])?;
        }
        Ok(None)
    }
}

impl<'a, 'g> OrbitGraph<'a, 'g> {
    pub fn new(
        mut system: SymmetricProcess<'a, 'g>,
        question: &'a Question,
        callbacks: &'a mut dyn Callbacks,
    ) -> Result<Self, Stop> {
        let mut known = Twists {
            steps: KnownSteps::new(),
            pairs: Vec::new(),
            numbers: FxHashMap::default(),
            elements: Elements::new(system.canonical.points()),
        };
        let least = system.least(&system.process.initial.clone())?;
        let orbit = system.intern(&least)?;
        let initial = (orbit, known.elements.intern(&least.element));
        Ok(Self { system, question, callbacks, known, initial, sampled: None, cut: None })
    }

    /// The states in which what has been proven from the text is tested again.
    pub fn sampled(&mut self) -> Vec<Term> {
        self.sampled.take().unwrap_or_else(|| self.system.sampled())
    }

    /// The number of a group element.
    pub fn intern(&mut self, element: &[u32]) -> u32 {
        self.known.elements.intern(element)
    }

    /// The number of states with known steps.
    pub fn explored(&self) -> usize {
        self.known.steps.explored()
    }

    /// Bytes used by the orbits and their steps.
    pub fn bytes(&self) -> usize {
        self.system.orbits.bytes() + self.known.bytes()
    }
}

impl Graph for OrbitGraph<'_, '_> {
    fn initial(&self) -> (u32, u32) {
        self.initial
    }

    fn states(&self) -> usize {
        self.known.steps.states()
    }

    fn is_known(&self, state: u32) -> bool {
        self.known.steps.has(state)
    }

    fn is_whole(&self, state: u32) -> bool {
        self.cut != Some(state)
    }

    fn expand(&mut self, states: &[u32]) -> Result<(), Stop> {
        let before = self.explored();
        let mut request = Request { known: &mut self.known, states, before };
        explore(&mut self.system, &mut request, self.callbacks)?;
        if let Some(Incomplete::Values(_)) = self.system.incomplete {
            self.cut = Some(states[self.explored() - before - 1]);
        }
        Ok(())
    }

    fn steps(&self, state: u32) -> Range<usize> {
        self.known.steps.of(state)
    }

    fn step(&self, at: usize) -> Step {
        let KnownSteps { labels, targets, .. } = &self.known.steps;
        let (label, element) = self.known.pairs[labels[at] as usize];
        Step { label, target: targets[at], element }
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
        let element = self.known.elements.get(element).to_vec();
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

    fn may_continue(&mut self, nodes: usize) -> Result<bool, Stop> {
        let (explored, bytes) = (self.explored(), self.bytes());
        self.system.may_continue(self.callbacks, explored, bytes)?;
        let limits = &self.system.options.limits;
        if nodes > self.question.most {
            self.system.incomplete.get_or_insert(Incomplete::Enough);
        } else if nodes > limits.states.unwrap_or(usize::MAX) {
            self.system.incomplete.get_or_insert(Incomplete::States);
        }
        Ok(self.system.incomplete.is_none())
    }

    fn close(&mut self) {
        self.sampled = Some(self.system.sampled());
        self.system.orbits.forget_images();
        self.known.numbers = FxHashMap::default();
    }
}
