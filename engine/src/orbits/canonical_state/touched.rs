//! The parameters of a state that depend on a point.

use crate::base::ids::Id;
use crate::data::terms::Term;
use crate::symmetry_of_process::action_on::parameters::Positions;
use crate::symmetry_of_process::action_on::values::Values;

/// For each point the parameters of a state whose value or position depends on it, in columns.
#[derive(Default)]
pub(super) struct Touched {
    starts: Vec<u32>,
    parameters: Vec<u32>,
    /// The parameters that depend on most points.
    pub everywhere: Vec<u32>,
}

impl Touched {
    /// Collects the parameters of a state with these values, for `count` points. Error if a value
    /// has to be learned first.
    pub fn collect(
        &mut self,
        count: usize,
        positions: &Positions,
        known: &Values,
        values: &[Term],
    ) -> Result<(), Term> {
        let Self { starts, parameters, everywhere } = self;
        starts.clear();
        starts.resize(count + 2, 0);
        everywhere.clear();
        for (parameter, &value) in values.iter().enumerate() {
            known.facts(value).ok_or(value)?;
            let owners = positions.owners(parameter);
            let support = known.support(value);
            if positions.has_owners(parameter) && 2 * support.len() <= count {
                owners.iter().chain(support).for_each(|&x| starts[x as usize + 2] += 1);
            } else {
                everywhere.push(u32::at(parameter));
            }
        }
        for point in 2..starts.len() {
            starts[point] += starts[point - 1];
        }
        parameters.clear();
        parameters.resize(starts[count + 1] as usize, 0);
        let mut others = everywhere.iter().peekable();
        for (parameter, &value) in (0..).zip(values) {
            if others.next_if(|&&other| other == parameter).is_some() {
                continue;
            }
            let owners = positions.owners(parameter as usize);
            for &point in owners.iter().chain(known.support(value)) {
                let next = &mut starts[point as usize + 1];
                parameters[*next as usize] = parameter;
                *next += 1;
            }
        }
        Ok(())
    }

    /// The parameters that depend on a point, besides those that depend on most points.
    pub fn at(&self, point: u32) -> &[u32] {
        let [from, to] = [0, 1].map(|next| self.starts[point as usize + next] as usize);
        &self.parameters[from..to]
    }
}
