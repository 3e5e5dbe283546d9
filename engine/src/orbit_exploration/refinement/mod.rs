//! Whether a process refines a specification, found on orbits.
//!
//! The specification need not be symmetric state by state: it is enough that each generator maps what
//! it allows from its start to itself, which is decided on its normal form. Let G act on pairs of a
//! state and a node. As g maps what a state does to what its image does, and what a node allows to what
//! the image allows, a pair has nothing that is not allowed if and only if its image has not; so one
//! pair of each orbit is looked at.
//!
//! Read `alphabet`, then `product`, then `counterexample`; here they are put together.

pub mod alphabet;
pub mod counterexample;
pub mod product;

use crate::base::ids::Label;
use crate::group::permutation::Permutation;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::action_on::nodes::Nodes;
use crate::orbit_exploration::canonical_state::Besides;
use crate::orbit_exploration::certify;
use crate::orbit_exploration::lifting::symmetry::Symmetry;
use crate::orbit_exploration::refinement::alphabet::Specification;
use crate::orbit_exploration::refinement::counterexample::Counterexample;
use crate::orbit_exploration::refinement::product::Product;
use crate::orbit_exploration::statistics::{Broken, Callbacks, GroupStatistics, Options};
use crate::orbit_exploration::symmetric_process::{SymmetricProcess, answer_under};
use bytemuck::cast_slice;
use num_bigint::BigUint;

/// What was found of a refinement.
pub struct Refined {
    pub statistics: GroupStatistics,
    /// What the process does and may not do; none if there is nothing, or if it is not known.
    pub counterexample: Option<Counterexample>,
    /// The pairs that the orbits stand for.
    pub pairs: BigUint,
    /// Whether any pair was explored, and whether any was not since everything is allowed there.
    pub explored: bool,
    pub spared: bool,
}

impl From<GroupStatistics> for Refined {
    fn from(statistics: GroupStatistics) -> Self {
        let (counterexample, pairs) = (None, BigUint::ZERO);
        Self { statistics, counterexample, pairs, explored: false, spared: false }
    }
}

/// Explores one pair of each orbit until something is found that is not allowed, and certifies the
/// symmetry on what was visited and its images, if requested.
pub fn refine(
    process: &mut Process,
    symmetry: Symmetry,
    specification: &Specification,
    options: &Options,
    host: &mut dyn Callbacks,
) -> Result<Refined, Stop> {
    answer_under(process, symmetry, options, |refined: &mut Refined, process, group, free| {
        let ((acting, action), statistics) = (group, &mut refined.statistics);
        let labels = specification.images(process, acting.1)?;
        let mut nodes: Vec<Permutation> = Vec::new();
        for (which, images) in labels.iter().enumerate() {
            match specification.normal.permuted(cast_slice(images), &process.data.cancel)? {
                Ok(permutation) => nodes.push(permutation),
                Err(asymmetry) => {
                    statistics.broken = Some((which, Broken::Specification(asymmetry)));
                    return Ok(None);
                }
            }
        }
        let nodes = Nodes::new(&action.group, &nodes, &process.data.cancel)?;
        let besides = Besides { values: 0, nodes: Some(nodes) };
        let system = SymmetricProcess::new(process, acting, action, options, besides, free)?;
        let mut product = Product::new(system, specification);
        product.run(&mut *host)?;
        let Product { system, pairs } = &mut product;
        (refined.explored, refined.spared) = (pairs.explored > 0, pairs.spared);
        (statistics.incomplete, statistics.orbits) = (system.incomplete, system.orbits.count());
        statistics.store = system.orbits.bytes();
        refined.pairs = system.members();
        if !matches!(statistics.incomplete, None | Some(Incomplete::Found)) {
            return Ok(None);
        }
        if let Some(summand) = system.unknown_test()? {
            return Ok(Some(summand));
        }
        let (count, states) = (statistics.orbits, system.sampled());
        let mut report = || host.progress(count, count);
        let Some(texts) = certify(system, &states, statistics, &mut report)? else {
            return Ok(None);
        };
        let process = &mut *system.process;
        pairs.alphabet.extend(process, specification);
        for (which, (texts, images)) in texts.iter().zip(&labels).enumerate() {
            if let Some((one, other)) = pairs.alphabet.torn(texts, images) {
                let [one, other] =
                    [one, other].map(|text| process.labels.labels.get(Label(text)).to_vec());
                statistics.broken = Some((which, Broken::Labels(one, other)));
                return Ok(None);
            }
        }
        // It is a shortest one, and of the process, as all was symmetric that came before it.
        if let Some(goal) = product.pairs.goal {
            refined.counterexample = Some(product.counterexample(goal)?);
        }
        Ok(None)
    })
}
