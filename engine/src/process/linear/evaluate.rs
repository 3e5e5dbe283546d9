//! Computes the local steps of a summand: the solutions of its conditions, with labels and new
//! values.

use crate::data::solve::closed::solve_closed;
use crate::data::solve::undecided::undecided;
use crate::data::solve::{Problem, solve};
use crate::data::terms::Term;
use crate::process::linear::Process;
use crate::process::linear::stop::{MAX_LABELS, Stop};
use crate::process::linear::values::{instance_value, too_deep, unsolvable};

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
        let mut complete = true;
        for which in 0..=self.summands[i].also.len() {
            complete &= self.evaluate_one(i, which, given, cap, steps)?;
        }
        Ok(complete)
    }

    /// Like [`Process::evaluate`] for one alternative: 0 is the summand itself, others are those of
    /// `also`, from 1.
    fn evaluate_one(
        &mut self,
        i: usize,
        which: usize,
        given: &mut Vec<Term>,
        cap: usize,
        steps: &mut Vec<u32>,
    ) -> Result<bool, Stop> {
        let summand = match which {
            0 => &self.summands[i],
            _ => &self.summands[i].also[which - 1],
        };
        let (data, reads) = (&mut self.data, &self.summands[i].reads);
        let problem = Problem {
            given,
            sorts: &summand.sorts,
            equations: &summand.equations,
            conditions: &summand.conditions,
            undecided: summand.decides.then(|| summand.arguments[0]),
        };
        if summand.decides {
            let found = undecided(data, &problem, cap);
            data.cancel.check()?;
            found.map_err(|error| unsolvable(data, &error, i, reads, given))?;
            return Ok(true);
        }
        let mut solutions = Vec::new();
        let count = summand.sorts.len();
        // Without variables there is at most one solution, the empty one.
        let (total, complete) = if summand.sorts.is_empty() {
            let holds = solve_closed(data, &problem);
            let holds = holds.map_err(|error| unsolvable(data, &error, i, reads, given))?;
            (usize::from(holds), true)
        } else {
            let solved = solve(data, &problem, cap, &mut solutions);
            let complete = solved.map_err(|error| unsolvable(data, &error, i, reads, given))?;
            (solutions.len() / count, complete)
        };
        for solution in 0..total {
            data.cancel.check()?;
            given.truncate(self.parameters);
            given.extend_from_slice(&solutions[solution * count..(solution + 1) * count]);
            let mut label = Vec::with_capacity(1 + summand.arguments.len());
            label.push(summand.action);
            for &argument in &summand.arguments {
                label.push(instance_value(data, argument, given, Some(i))?);
            }
            // If a cap has cut off solutions, those found so far get less room for text.
            let most = if complete { MAX_LABELS } else { MAX_LABELS / 16 };
            let label = match self.labels.intern(&label, data, &self.actions, most) {
                // The cap has cut off solutions anyway: those found so far are enough.
                Err(Stop::Labels(_)) if !complete => return Ok(false),
                Err(Stop::Labels(_)) => return Err(Stop::Labels(Some(i))),
                label => label?,
            };
            steps.push(label);
            for &(_, update) in &summand.updates {
                steps.push(instance_value(data, update, given, Some(i))?);
            }
            let values = &steps[steps.len() - summand.updates.len()..];
            let mut written = summand.updates.iter().map(|&(parameter, _)| parameter).zip(values);
            if written.any(|(parameter, &value)| {
                self.stacks.contains(&parameter) && too_deep(data, value)
            }) {
                return Err(Stop::Calls(i));
            }
            if let Some(check) = &mut self.check {
                let arguments = &self.labels.keys.get(label)[1..];
                let values = &steps[steps.len() - summand.updates.len()..];
                let right = check.step(data, summand, arguments, values);
                right.map_err(|message| Stop::Evaluation(message, Some(i)))?;
            }
        }
        given.truncate(self.parameters);
        Ok(complete)
    }
}
