//! Computes the local steps of the summands of a process.

use crate::data::terms::Term;
use crate::process::linear::Process;
use crate::process::linear::evaluation::Evaluation;
use crate::process::linear::stop::{MAX_LABELS, Stop};

impl Process {
    /// Appends to `steps` the local steps of summand `i`: label key and new values. `given` has the
    /// values of the parameters, at least of those it reads. Returns false if there are too many.
    pub fn evaluate(
        &mut self,
        i: usize,
        given: &mut Vec<Term>,
        cap: usize,
        steps: &mut Vec<u32>,
    ) -> Result<bool, Stop> {
        if let Some(together) = &self.summands[i].together {
            let Self { data, labels, actions, .. } = self;
            together.steps(given, &data.cancel, |result, targets| {
                steps.push(match &together.labels {
                    Some(values) => {
                        let value = values[result as usize];
                        labels.intern_whole(&[0, value], || data.terms.show(value))
                    }
                    None => labels.intern_whole(&[result], || actions[result as usize].clone()),
                });
                steps.extend_from_slice(targets);
            })?;
            return Ok(true);
        }
        let Self {
            data, labels, actions, summands, stacks, check, parameters, simultaneous, ..
        } = self;
        let mut evaluation = Evaluation { data, check, stacks, parameters: *parameters };
        let summand = &summands[i];
        if let (true, Some(simultaneous)) = (summand.is_simultaneous, simultaneous) {
            let (names, updates) = ((labels, actions), &summand.updates);
            return simultaneous.steps(&mut evaluation, names, updates, given, cap, steps);
        }
        let mut complete = true;
        for part in [summand].into_iter().chain(&summand.also) {
            complete &= evaluation.steps(
                part,
                (i, &summand.reads),
                given,
                cap,
                steps,
                |data, arguments, complete| {
                    let key = [&[part.action], arguments].concat();
                    // If a cap has cut off solutions, those found so far get less room for text.
                    let most = if complete { MAX_LABELS } else { MAX_LABELS / 16 };
                    match labels.intern(&key, data, actions, most) {
                        // The cap has cut off solutions anyway: those found so far are enough.
                        Err(Stop::Labels(_)) if !complete => Ok(None),
                        Err(Stop::Labels(_)) => Err(Stop::Labels(Some(i))),
                        label => label.map(Some),
                    }
                },
            )?;
        }
        Ok(complete)
    }
}
