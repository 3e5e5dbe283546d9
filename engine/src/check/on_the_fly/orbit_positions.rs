//! The game on orbits of pairs: a group acts on a state and the code of a part in the same way.
//!
//! This is not a visitor of `orbits::frontier`: positions whose part needs no steps
//! occur between the others and have to be made in order, without expanding their states.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::check::data_formula::{Choices, Coded, DataFormula};
use crate::check::on_the_fly::game::{Edge, Moves, Pair, Positions};
use crate::data::terms::Term;
use crate::orbits::batch::BATCH;
use crate::orbits::images::NOTHING;
use crate::orbits::statistics::Callbacks;
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::orbits::traces::not_replayed;
use crate::process::explore::Incomplete;
use crate::process::goals::Preimage;
use crate::process::linear::stop::Stop;
use std::sync::Arc;

/// The positions under a group: the orbits of pairs of a state and a part.
pub(crate) struct OrbitPositions<'a, 'g> {
    pub system: SymmetricProcess<'a, 'g>,
    pub callbacks: &'a mut dyn Callbacks,
}

impl OrbitPositions<'_, '_> {
    /// The pair of a state and a part.
    fn pair<F: DataFormula>(
        &mut self,
        formula: &mut Coded<F>,
        state: &[Term],
        part: u32,
    ) -> Result<Pair, Stop> {
        let mut pair = state.to_vec();
        formula.put(self.system.process, part, &mut pair)?;
        Ok(pair)
    }
}

impl<F: DataFormula> Positions<F> for OrbitPositions<'_, '_> {
    type Targets = Vec<Term>;

    fn start(&mut self, formula: &mut Coded<F>, root: u32) -> Result<Pair, Stop> {
        let initial = self.system.process.initial.clone();
        self.pair(formula, &initial, root)
    }

    fn width(&self) -> usize {
        self.system.process.parameters
    }

    fn intern(&mut self, pair: &[u32]) -> Result<u32, Stop> {
        let least = self.system.least(pair)?;
        self.system.intern(&least)
    }

    fn position(&mut self, pair: &[u32]) -> Result<Option<u32>, Stop> {
        let least = self.system.least(pair)?;
        Ok(self.system.orbits.known(&least))
    }

    fn edges(
        &mut self,
        formula: &mut Coded<F>,
        pair: &[u32],
    ) -> Result<(Arc<Choices>, Vec<Edge>), Stop> {
        let width = self.system.process.parameters;
        let number = formula.at(self.system.process, &pair[width..])?;
        let choices = formula.choices(number)?;
        let mut edges = Vec::new();
        for &inner in &choices.stays {
            edges.push((None, self.pair(formula, &pair[..width], inner)?));
        }
        if choices.need_steps() {
            let batch = self.system.steps(&pair[..width], 0..1)?;
            let labels = &self.system.process.labels.labels;
            for inner in formula.here(&choices, labels, &batch.texts)? {
                edges.push((None, self.pair(formula, &pair[..width], inner)?));
            }
            let mut after = Vec::new();
            for (at, &text) in batch.texts.iter().enumerate() {
                let target = &batch.targets[at * width..(at + 1) * width];
                formula.after(&choices, &self.system.process.labels.labels, text, &mut after)?;
                for &inner in &after {
                    edges.push((Some(text), self.pair(formula, target, inner)?));
                }
            }
        }
        Ok((choices, edges))
    }

    fn preimage(
        &mut self,
        pair: &[u32],
        text: u32,
        target: &[u32],
    ) -> Result<Option<Preimage>, Stop> {
        let width = self.system.process.parameters;
        let batch = self.system.all_steps(&pair[..width])?;
        let is_it = |&at: &usize| {
            batch.texts[at] == text && &batch.targets[at * width..(at + 1) * width] == target
        };
        let at = (0..batch.texts.len()).find(is_it).ok_or_else(not_replayed)?;
        self.system.preimage_of(pair, batch.labels[at]).map(Some)
    }

    fn count(&self) -> usize {
        self.system.orbits.count()
    }

    fn moves(
        &mut self,
        formula: &mut Coded<F>,
        first: usize,
    ) -> Result<Moves<Self::Targets>, Stop> {
        let width = self.system.process.parameters;
        let last = self.system.orbits.count().min(first + BATCH);
        let (mut pair, mut pairs, mut choices) = (Vec::new(), Vec::new(), Vec::new());
        let (mut states, mut count) = (Vec::new(), 0);
        for position in first..last {
            self.system.orbits.image(u32::at(position), &mut pair);
            let number = formula.at(self.system.process, &pair[width..])?;
            let choice = formula.choices(number)?;
            if choice.need_steps() {
                states.extend_from_slice(&pair[..width]);
                count += 1;
            }
            pairs.extend_from_slice(&pair);
            choices.push(choice);
        }
        let batch = self.system.steps(&states, 0..count)?;
        let whole = batch.degrees.len() - usize::from(batch.short.is_some());
        let (mut moves, mut step, mut state) = (Moves::default(), 0, 0);
        let targets: &mut Vec<Term> = &mut moves.targets;
        let mut after = Vec::new();
        for (pair, choice) in pairs.chunks_exact(width + formula.slots() + 1).zip(choices) {
            let before = targets.len();
            if choice.need_steps() && state == whole {
                // The steps of this state are computed with the next positions.
                moves.short = batch.short;
                break;
            }
            for &inner in &choice.stays {
                targets.extend_from_slice(&pair[..width]);
                formula.put(self.system.process, inner, targets)?;
            }
            if choice.need_steps() {
                let degree = batch.degrees[state] as usize;
                let labels = &self.system.process.labels.labels;
                let own = &batch.texts[step..step + degree];
                for inner in formula.here(&choice, labels, own)? {
                    targets.extend_from_slice(&pair[..width]);
                    formula.put(self.system.process, inner, targets)?;
                }
                for at in step..step + degree {
                    let labels = &self.system.process.labels.labels;
                    formula.after(&choice, labels, batch.texts[at], &mut after)?;
                    for &inner in &after {
                        targets.extend_from_slice(&batch.targets[at * width..(at + 1) * width]);
                        formula.put(self.system.process, inner, targets)?;
                    }
                }
                (step, state) = (step + degree, state + 1);
            }
            moves.degrees.push((targets.len() - before) / pair.len());
            moves.choices.push(choice);
        }
        if let (Some(_), true) = (moves.short, self.system.cap.may_grow()) {
            self.system.cap.grow();
            moves.short = None;
        }
        Ok(moves)
    }

    fn number(
        &mut self,
        targets: Vec<Term>,
        degrees: &[usize],
        made: &mut dyn FnMut(&mut Self, usize, &[u32]) -> bool,
    ) -> Result<(), Stop> {
        let width = self.system.orbits.width();
        let mut images = self.system.images(&targets, targets.len() / width);
        images.look_up(Some(&self.system.orbits), self.system.options.threads, NOTHING);
        self.system.complete(&mut images, &targets)?;
        let (mut orbits, mut numbers) = (images.orbit_numbers(), Vec::new());
        for (at, &degree) in degrees.iter().enumerate() {
            numbers.clear();
            for _ in 0..degree {
                numbers.push(
                    orbits.next(&mut self.system.orbits, &self.system.process.data.cancel)?.0,
                );
            }
            if !made(self, at, &numbers) {
                return Ok(());
            }
        }
        drop(orbits);
        self.system.spare = images;
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.system.orbits.count() > self.system.options.limits.states.unwrap_or(usize::MAX)
    }

    fn incomplete(&mut self) -> &mut Option<Incomplete> {
        &mut self.system.incomplete
    }

    fn look(&mut self, made: usize, bytes: usize) -> Result<(), Stop> {
        self.system.may_continue(self.callbacks, made, bytes).map(drop)
    }

    fn bytes(&self) -> usize {
        self.system.orbits.bytes()
    }

    fn cancel(&mut self) -> &Cancel {
        &self.system.process.data.cancel
    }
}
