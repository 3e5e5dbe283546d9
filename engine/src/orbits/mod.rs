//! The quotient of a linear process under a group of symmetries, explored on the fly, breadth
//! first.
//!
//! Read `canonical_state` first (one state of each orbit), then `orbit_table` and
//! `symmetric_process`, which combines these and is the basis of every exploration under a group. A
//! symmetry is proven (`crate::symmetry_of_process`) before any result is returned; if the
//! exploration ends early because enough was found, the proof is for the explored part.
//!
//! `frontier` is the loop that explores orbits, with `batch`, `step_orbits` and `images`; a
//! question is a visitor of it. `numbering`, with `first_steps` and `orbit_goals`, builds the
//! quotient and counts, used by `explorer` and `traces`; `approximate` joins orbits with
//! approximate images; `refinement` compares with a specification. `statistics` has the options and
//! the results. This file assembles the quotient.

pub mod approximate;
pub mod batch;
pub mod canonical_state;
pub mod explorer;
pub mod first_steps;
pub mod frontier;
pub mod images;
pub mod numbering;
pub mod orbit_goals;
pub mod orbit_table;
pub mod refinement;
pub mod statistics;
pub mod step_orbits;
pub mod symmetric_process;
pub mod traces;

use crate::base::ids::Id;
use crate::data::terms::Term;
use crate::group::action::Group;
use crate::group::permutation::Permutation;
use crate::orbits::canonical_state::Besides;
use crate::orbits::explorer::Explorer;
use crate::orbits::numbering::Numbering;
use crate::orbits::statistics::GroupStatistics;
use crate::orbits::symmetric_process::{SymmetricProcess, with_proven_group};
use crate::process::explore::Incomplete;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::symmetry::annotated_quotient::Quotient;
use crate::symmetry::orbits_of_lts::joined;
use crate::symmetry_of_process::lifting::symmetry::{Generator, Symmetry};
use crate::symmetry_of_process::witness::Witness;
use num_bigint::BigUint;
use std::sync::{Arc, OnceLock};

pub use crate::orbits::statistics::{Broken, Callbacks, OrbitOptions, Reduced};

/// Explores one state of each orbit, and then certifies the symmetry on the visited states and
/// their images.
pub fn reduce(
    process: &mut Process,
    symmetry: Symmetry,
    options: &OrbitOptions,
    callbacks: &mut dyn Callbacks,
) -> Result<Reduced, Stop> {
    with_proven_group(
        process,
        symmetry,
        options,
        |reduced: &mut Reduced, process, group, has_tests| {
            let (on_values, action) = group;
            let alone = Besides::default();
            let mut system =
                SymmetricProcess::new(process, on_values, action, options, alone, has_tests)?;
            system.canonical.give_up_after(options.choices);
            let mut explorer = Explorer::new(system, &mut *callbacks);
            explorer.run()?;
            let is_over = matches!(explorer.system.incomplete, None | Some(Incomplete::Enough));
            // If the limit on orbits ends the exploration, what was visited may still show that the
            // proof fails.
            if is_over || explorer.system.incomplete == Some(Incomplete::States) {
                if let Some(summand) = explorer.system.unknown_test()? {
                    return Ok(Some(summand));
                }
                let Explorer { system, callbacks, .. } = &mut explorer;
                let count = system.orbits.count();
                if !system
                    .prove(&mut reduced.statistics, &mut || callbacks.progress(count, count))?
                {
                    return Ok(None);
                }
            }
            // These are shortest traces of the system itself, as the part explored before them is
            // certified.
            reduced.traces = explorer.traces()?;
            reduced.representatives = explorer.system.orbits.count();
            reduced.approximate = explorer.system.orbits.approximate.len();
            if reduced.approximate > 0 && is_over {
                explorer.join(&mut reduced.traces)?;
            }
            explorer.count(reduced);
            if explorer.system.incomplete.is_none() {
                reduced.idle = explorer.system.idle()?;
            }
            let Explorer { mut system, numbering: Numbering { stored, .. }, .. } = explorer;
            let states = system.sampled();
            if system.spot_check(&states, &mut reduced.statistics)? && options.with_quotient {
                let is_complete = system.incomplete.is_none();
                let sizes =
                    is_complete.then(|| (reduced.states.clone(), reduced.transitions.clone()));
                match quotient(system, stored, sizes)? {
                    Ok(quotient) => reduced.quotient = Some(quotient),
                    Err((which, witness)) => {
                        reduced.statistics.broken = Some((which, Broken::Process(witness)));
                    }
                }
            }
            Ok(None)
        },
    )
}

/// The quotient that was explored, or a generator that turned out not to be a symmetry, with a
/// witness. `sizes` are the numbers of states and transitions of the original, if everything was
/// explored.
fn quotient(
    system: SymmetricProcess<'_, '_>,
    stored: [Vec<u32>; 4],
    sizes: Option<(BigUint, BigUint)>,
) -> Result<Result<Quotient, (usize, Witness)>, Stop> {
    let SymmetricProcess { process, generators, action, orbits, .. } = system;
    // If a limit ended the exploration, the closure of the labels under the generators might not be
    // finite.
    let permutations = if sizes.is_some() {
        match label_permutations(process, generators)? {
            Ok(permutations) => permutations,
            Err(witness) => return Ok(Err(witness)),
        }
    } else {
        let labels = u32::at(process.labels.labels.len());
        generators.iter().map(|_| (0..labels).collect()).collect()
    };
    let labels = process.labels.labels.clone();
    let extended = permutations
        .iter()
        .zip(&action.group.generators)
        .map(|(permutation, own)| joined(&own[..action.group.points], permutation));
    let group =
        Group::new(action.group.points, labels.len(), extended.collect(), &process.data.cancel);
    let [source, steps, shift, target] = stored;
    let quotient = Quotient {
        group: Arc::new(group?),
        names: action.names.clone(),
        elements: orbits.elements,
        stabilisers: Arc::new(orbits.stabilisers),
        stabiliser: orbits.stabiliser,
        initial: 0,
        source,
        label: steps.into_iter().map(|step| process.labels.texts[step as usize]).collect(),
        shift,
        target,
        internal: labels.find(b"tau").into_iter().map(u32::from).collect(),
        labels: Arc::new(labels),
        sizes: sizes.map_or_else(OnceLock::new, OnceLock::from),
    };
    Ok(Ok(quotient.canonical(&process.data.cancel)?))
}

/// Proves the symmetry on the visited states, and spot-checks in `states` what was proven from the
/// specification alone. Returns the generators' permutations of the texts of all labels; `None` if
/// the symmetry is refuted, and `statistics` then says why.
pub(crate) fn certify(
    system: &mut SymmetricProcess<'_, '_>,
    states: &[Term],
    statistics: &mut GroupStatistics,
    report: &mut dyn FnMut(),
) -> Result<Option<Vec<Permutation>>, Stop> {
    if !system.prove(statistics, report)? || !system.spot_check(states, statistics)? {
        return Ok(None);
    }
    let permutations = label_permutations(system.process, system.generators)?;
    let broken = |(which, witness)| statistics.broken = Some((which, Broken::Process(witness)));
    Ok(permutations.map_err(broken).ok())
}

/// The generators' permutations of the texts of all labels, after adding images until none is new.
#[allow(clippy::type_complexity)]
pub fn label_permutations(
    process: &mut Process,
    generators: &mut [Generator],
) -> Result<Result<Vec<Permutation>, (usize, Witness)>, Stop> {
    let mut images: Vec<Vec<u32>> = vec![Vec::new(); generators.len()];
    let (mut key, mut unchecked) = (0, 0);
    while key < process.labels.keys.len() {
        process.data.cancel.check_every(&mut unchecked, generators.len())?;
        for (which, generator) in generators.iter_mut().enumerate() {
            let image = generator.lifting.label(process, u32::at(key))?;
            let (text, moved) = (process.labels.texts[key], process.labels.texts[image as usize]);
            let images = &mut images[which];
            if images.len() <= text as usize {
                images.resize(process.labels.labels.len(), u32::MAX);
            }
            let known = images[text as usize];
            if known != u32::MAX && known != moved {
                return Ok(Err((which, Witness::Label(text))));
            }
            images[text as usize] = moved;
        }
        key += 1;
    }
    Ok(Ok(images.into_iter().map(Permutation::from).collect()))
}
