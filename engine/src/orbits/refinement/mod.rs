//! Refinement between a process and a specification, decided on orbits.
//!
//! The specification need not be symmetric state by state: each generator only has to preserve what
//! the specification allows from its initial state, which is decided on the normal form. The group
//! G acts on pairs of a state and a node. As g maps the steps of a state to those of its image, and
//! what a node allows to what its image allows, a pair violates the specification if and only if
//! its image does; so one pair of each orbit is explored.
//!
//! Read `alphabet`, then `product`, then `counterexample`; `halves` counts the states of the
//! visited pairs, and this file combines them.

pub mod alphabet;
pub mod counterexample;
pub mod halves;
pub mod product;

use crate::base::ids::Label;
use crate::group::permutation::Permutation;
use crate::orbits::canonical_state::Besides;
use crate::orbits::certify;
use crate::orbits::refinement::alphabet::Specification;
use crate::orbits::refinement::counterexample::Counterexample;
use crate::orbits::refinement::halves::Halves;
use crate::orbits::refinement::product::Product;
use crate::orbits::statistics::{Broken, Callbacks, GroupStatistics, OrbitOptions};
use crate::orbits::symmetric_process::{SymmetricProcess, with_proven_group};
use crate::process::explore::Incomplete;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::action_on::nodes::NodeAction;
use crate::symmetry_of_process::lifting::symmetry::Symmetry;
use bytemuck::cast_slice;
use num_bigint::BigUint;

/// The result of a refinement check.
pub struct Refined {
    pub statistics: GroupStatistics,
    /// A behaviour that the specification does not allow; `None` if there is none or if it is not
    /// known.
    pub counterexample: Option<Counterexample>,
    /// The number of pairs that the orbits represent.
    pub pairs: BigUint,
    pub halves: Halves,
    /// Whether any pair was explored, and whether any was not explored because everything is
    /// allowed there.
    pub explored: bool,
    pub spared: bool,
}

impl From<GroupStatistics> for Refined {
    fn from(statistics: GroupStatistics) -> Self {
        let (counterexample, pairs, halves) = (None, BigUint::ZERO, Halves::default());
        Self { statistics, counterexample, pairs, halves, explored: false, spared: false }
    }
}

/// Explores one pair of each orbit until a violation is found, and certifies the symmetry on the
/// visited states and their images, if requested.
pub fn refine(
    process: &mut Process,
    symmetry: Symmetry,
    specification: &Specification,
    options: &OrbitOptions,
    callbacks: &mut dyn Callbacks,
) -> Result<Refined, Stop> {
    with_proven_group(
        process,
        symmetry,
        options,
        |refined: &mut Refined, process, group, has_tests| {
            let ((on_values, action), statistics) = (group, &mut refined.statistics);
            let labels = specification.images(process, on_values.1)?;
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
            let nodes = NodeAction::new(&action.group, &nodes, &process.data.cancel)?;
            let besides = Besides { values: 0, nodes: Some(nodes) };
            let system =
                SymmetricProcess::new(process, on_values, action, options, besides, has_tests)?;
            let mut product = Product::new(system, specification);
            product.run(&mut *callbacks)?;
            let Product { system, pairs } = &mut product;
            (refined.explored, refined.spared) = (pairs.explored > 0, pairs.spared);
            (statistics.incomplete, statistics.orbits) = (system.incomplete, system.orbits.count());
            statistics.store = system.orbits.bytes();
            refined.pairs = system.members();
            if !matches!(statistics.incomplete, None | Some(Incomplete::Enough)) {
                return Ok(None);
            }
            if let Some(summand) = system.unknown_test()? {
                return Ok(Some(summand));
            }
            let (count, states) = (statistics.orbits, system.sampled());
            let mut report = || callbacks.progress(count, count);
            let Some(texts) = certify(system, &states, statistics, &mut report)? else {
                return Ok(None);
            };
            let process = &mut *system.process;
            pairs.alphabet.extend(process, specification);
            for (which, (texts, images)) in texts.iter().zip(&labels).enumerate() {
                if let Some((left, right)) = pairs.alphabet.mismatch(texts, images) {
                    let [left, right] =
                        [left, right].map(|text| process.labels.labels.get(Label(text)).to_vec());
                    statistics.broken = Some((which, Broken::Labels(left, right)));
                    return Ok(None);
                }
            }
            // A shortest counterexample of the process itself, as the part explored before it is
            // certified.
            if let Some(goal) = product.pairs.goal {
                refined.counterexample = Some(product.counterexample(goal)?);
            }
            refined.halves = product.halves(has_tests)?;
            Ok(None)
        },
    )
}
