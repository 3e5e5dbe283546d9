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

use crate::base::cancel;
use crate::base::ids::Label;
use crate::group::permutation::Permutation;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::action_on::nodes::Nodes;
use crate::orbit_exploration::canonical_state::{Besides, Canonical, Strategy};
use crate::orbit_exploration::certificate::certify_start;
use crate::orbit_exploration::group_on_process::Action;
use crate::orbit_exploration::group_on_process::no_group;
use crate::orbit_exploration::lifting::symmetry::Symmetry;
use crate::orbit_exploration::refinement::alphabet::Specification;
use crate::orbit_exploration::refinement::counterexample::Counterexample;
use crate::orbit_exploration::refinement::product::Product;
use crate::orbit_exploration::statistics::{Callbacks, Options};
use crate::orbit_exploration::summand_tests::SummandTests;
use crate::orbit_exploration::witness::Witness;
use crate::orbit_exploration::{bind, label_permutations, prove, sample};
use crate::preorder::normal_form::Asymmetry;
use bytemuck::cast_slice;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// What was found of a refinement.
pub struct Refined {
    /// What the process does and may not do; none if there is nothing, or if it is not known.
    pub counterexample: Option<Counterexample>,
    /// Which generator turned out to be no symmetry, and why.
    pub broken: Option<(usize, Broken)>,
    /// Which generator was proven to be a symmetry and is none, and why.
    pub defect: Option<(usize, Witness)>,
    /// `None` if everything was explored; `Found` if the symmetry is certified for what was.
    pub incomplete: Option<Incomplete>,
    pub order: BigUint,
    pub strategy: Strategy,
    /// Orbits of pairs, and the pairs that they stand for.
    pub orbits: usize,
    pub pairs: BigUint,
    /// Whether any pair was explored, and whether any was not since everything is allowed there.
    pub explored: bool,
    pub spared: bool,
    /// Bytes of the pairs.
    pub store: usize,
    /// Local situations that the certificate compared with their images, and how long that took.
    pub checked: usize,
    pub proving: Duration,
    /// States and local situations that were compared although they need not have been.
    pub sampled: usize,
}

/// Why a permutation is no symmetry of process and specification.
pub enum Broken {
    Process(Witness),
    Specification(Asymmetry),
    /// A label of the process and its image, one of which is internal, or called differently in the
    /// specification.
    Labels(Vec<u8>, Vec<u8>),
}

/// Explores one pair of each orbit until something is found that is not allowed, and certifies the
/// symmetry on what was visited and its images, if asked to.
pub fn refine(
    process: &mut Process,
    mut symmetry: Symmetry,
    specification: &Specification,
    options: &Options,
    host: &mut dyn Callbacks,
) -> Result<Refined, Stop> {
    let begun = Instant::now();
    let found = symmetry.settle(process, |process, symmetry| {
        refine_under(process, symmetry, specification, options, begun, host)
    })?;
    Ok(found.unwrap_or_else(|(which, witness)| Refined {
        counterexample: None,
        broken: Some((which, Broken::Process(witness))),
        incomplete: None,
        order: BigUint::ZERO,
        strategy: Strategy::Refine,
        orbits: 0,
        pairs: BigUint::ZERO,
        explored: false,
        spared: false,
        store: 0,
        checked: 0,
        sampled: 0,
        defect: None,
        proving: Duration::ZERO,
    }))
}

fn refine_under(
    process: &mut Process,
    symmetry: &mut Symmetry,
    specification: &Specification,
    options: &Options,
    begun: Instant,
    host: &mut dyn Callbacks,
) -> Result<Refined, Stop> {
    let Symmetry { carrier, names, generators } = symmetry;
    let action = Action::new(process.parameters, carrier, names, generators).map_err(no_group)?;
    let strategy = options.strategy.unwrap_or_else(|| Strategy::suited(&action.group));
    let mut refined = Refined {
        counterexample: None,
        broken: None,
        incomplete: None,
        order: action.group.order(),
        strategy,
        orbits: 0,
        pairs: BigUint::ZERO,
        explored: false,
        spared: false,
        store: 0,
        checked: 0,
        sampled: 0,
        defect: None,
        proving: Duration::ZERO,
    };
    for (which, generator) in generators.iter_mut().enumerate() {
        if let Some(witness) = certify_start(process, generator)? {
            refined.broken = Some((which, Broken::Process(witness)));
            return Ok(refined);
        }
    }
    let labels = specification.images(process, generators)?;
    let mut nodes: Vec<Permutation> = Vec::new();
    for (which, images) in labels.iter().enumerate() {
        let found = specification.normal.permuted(cast_slice(images), &mut || host.poll(0, 0));
        match found.map_err(|stop| interrupted(&stop))? {
            Ok(permutation) => nodes.push(permutation),
            Err(asymmetry) => {
                refined.broken = Some((which, Broken::Specification(asymmetry)));
                return Ok(refined);
            }
        }
    }
    let mut free = process.steps();
    loop {
        let summand_tests = SummandTests::new(process, generators, &free);
        let acting = Nodes::new(&action.group, &nodes).map_err(no_group)?;
        let (group, parameters) = (&action.group, process.parameters);
        let besides = Besides { values: 0, nodes: Some(acting) };
        let canonical = Canonical::new(group, carrier, generators, parameters, besides, strategy)?;
        let mut product = Product::new(
            process,
            generators,
            specification,
            options,
            summand_tests,
            canonical,
            begun,
        );
        product.run(host)?;
        refined.incomplete = product.incomplete;
        refined.orbits = product.orbits.count();
        (refined.explored, refined.spared) = (product.explored > 0, product.spared);
        refined.store = product.orbits.bytes();
        refined.pairs = BigUint::ZERO;
        for &stabiliser in &product.orbits.stabiliser {
            let own = product.orbits.stabilisers.list[stabiliser as usize].order();
            refined.pairs += &refined.order / own;
        }
        if !matches!(refined.incomplete, None | Some(Incomplete::Found)) {
            return Ok(refined);
        }
        if options.certify
            && let Err(summand) = product.summand_tests.certify(
                product.process,
                product.generators,
                &options.proven,
            )?
        {
            bind(&mut free, generators, summand);
            continue;
        }
        let Product { process, generators, canonical, alphabet, orbits, .. } = &mut product;
        if options.certify {
            let count = refined.orbits;
            let mut poll = || host.poll(count, count);
            let proof = prove(process, generators, canonical.values(), options, &mut poll)?;
            (refined.checked, refined.proving) = (proof.checked, proof.time);
            if let Some((which, witness)) = proof.witness {
                refined.broken = Some((which, Broken::Process(witness)));
                return Ok(refined);
            }
        }
        refined.defect = sample(process, generators, orbits, options, &mut refined.sampled)?;
        if refined.defect.is_some() {
            return Ok(refined);
        }
        let texts = match label_permutations(process, generators)? {
            Ok(texts) => texts,
            Err((which, witness)) => {
                refined.broken = Some((which, Broken::Process(witness)));
                return Ok(refined);
            }
        };
        alphabet.extend(process, specification);
        for (which, (texts, images)) in texts.iter().zip(&labels).enumerate() {
            if let Some((one, other)) = alphabet.torn(texts, images) {
                let [one, other] =
                    [one, other].map(|text| process.labels.labels.get(Label(text)).to_vec());
                refined.broken = Some((which, Broken::Labels(one, other)));
                return Ok(refined);
            }
        }
        // It is a shortest one, and of the process, as all was symmetric that came before it.
        if let Some(goal) = product.goal {
            refined.counterexample = Some(product.counterexample(goal)?);
        }
        return Ok(refined);
    }
}

/// There is no limit where this is asked.
fn interrupted(stop: &cancel::Stop) -> Stop {
    debug_assert!(*stop == cancel::Stop::Interrupted);
    Stop::Interrupted
}
