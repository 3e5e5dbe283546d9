//! The group action on the states of a linear process.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::group::action::Group;
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::NoGroup;
use crate::symmetry::orbits_of_lts::joined;
use crate::symmetry_of_process::lifting::Lifting;
use crate::symmetry_of_process::lifting::carrier::Carrier;
use crate::symmetry_of_process::lifting::symmetry::Generator;

/// The group on its points: the values of the carrier, and also the parameters if the values do not
/// determine the elements.
pub struct Action {
    pub group: Group,
    /// The names of the points.
    pub names: Vec<String>,
    values: usize,
    parameters: usize,
}

impl Action {
    pub fn new(
        parameters: usize,
        carrier: &Carrier,
        names: &[String],
        generators: &[Generator],
        cancel: &Cancel,
    ) -> Result<Self, NoGroup> {
        let values = carrier.values.len();
        let both: Vec<Permutation> =
            generators.iter().map(|g| joined(&g.values, &g.lifting.positions)).collect();
        let mut names = names.to_vec();
        let group = match Group::new(values, parameters, both.clone(), cancel) {
            Err(NoGroup::NotFaithful(_)) => {
                names.extend((1..=parameters).map(|i| format!("#{i}")));
                Group::new(values + parameters, 0, both, cancel)?
            }
            found => found?,
        };
        Ok(Self { group, names, values, parameters })
    }

    /// The lifting of an element to states.
    pub fn lifting(&self, carrier: &Carrier, element: &[u32]) -> Lifting {
        let positions = if self.group.points > self.values {
            element[self.values..].iter().map(|&p| p - u32::at(self.values)).collect()
        } else {
            let factors = self.group.factors(element).expect("an element of the group");
            (0..u32::at(self.parameters)).map(|p| self.group.image(&factors, p)).collect()
        };
        Lifting::new(carrier, &element[..self.values], positions)
    }
}
