//! Evaluates a summand: the solutions of its conditions, each with the arguments of its action and
//! the new values.

use crate::data::rewrite::Data;
use crate::data::solve::closed::solve_closed;
use crate::data::solve::undecided::undecided;
use crate::data::solve::{Problem, solve};
use crate::data::terms::Term;
use crate::process::linear::stop::Stop;
use crate::process::linear::summand::Summand;
use crate::process::linear::values::{instance_value, too_deep, unsolvable};
use crate::process::type_check::Check;

/// What is needed to evaluate a summand.
pub struct Evaluation<'a> {
    pub data: &'a mut Data,
    pub check: &'a mut Option<Check>,
    pub stacks: &'a [u32],
    /// The number of parameters.
    pub parameters: usize,
}

impl Evaluation<'_> {
    /// Appends to `steps` the local steps of a summand: what `label` returns for the arguments, and
    /// the new values. `label` also gets whether all solutions were found; if it returns `None`,
    /// the steps so far are enough. Returns false if there are too many. Errors are about the
    /// summand with the number in `about`, and show the parameters there.
    pub fn steps(
        &mut self,
        summand: &Summand,
        (i, reads): (usize, &[u32]),
        given: &mut Vec<Term>,
        cap: usize,
        steps: &mut Vec<u32>,
        mut label: impl FnMut(&mut Data, &[Term], bool) -> Result<Option<u32>, Stop>,
    ) -> Result<bool, Stop> {
        let Self { data, check, stacks, parameters } = self;
        let problem = Problem {
            given,
            sorts: &summand.sorts,
            equations: &summand.equations,
            conditions: &summand.conditions,
            undecided: summand.decides.then(|| summand.arguments[0]),
        };
        if summand.decides {
            let checked = undecided(data, &problem, cap);
            data.cancel.check()?;
            checked.map_err(|error| unsolvable(data, &error, i, reads, given))?;
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
        let mut arguments = Vec::with_capacity(summand.arguments.len());
        for solution in 0..total {
            data.cancel.check()?;
            given.truncate(*parameters);
            given.extend_from_slice(&solutions[solution * count..(solution + 1) * count]);
            arguments.clear();
            for &argument in &summand.arguments {
                arguments.push(instance_value(data, argument, given, Some(i))?);
            }
            let Some(label) = label(data, &arguments, complete)? else { return Ok(false) };
            steps.push(label);
            for &(_, update) in &summand.updates {
                steps.push(instance_value(data, update, given, Some(i))?);
            }
            let values = &steps[steps.len() - summand.updates.len()..];
            let mut written = summand.updates.iter().map(|&(parameter, _)| parameter).zip(values);
            if written
                .any(|(parameter, &value)| stacks.contains(&parameter) && too_deep(data, value))
            {
                return Err(Stop::Calls(i));
            }
            if let Some(check) = check {
                let right = check.step(data, summand, &arguments, values);
                right.map_err(|message| Stop::Evaluation(message, Some(i)))?;
            }
        }
        given.truncate(*parameters);
        Ok(complete)
    }
}
