//! The quotient of a linear process under a group of symmetries, explored on the fly, breadth
//! first.
//!
//! Read `lifting` first (what a permutation of values does to states), then `action_on` and
//! `group_on_process` (what a group does), `canonical_state` (one state of each orbit),
//! `orbit_table`, `explorer` with `batch`, `images` and `numbering`, `orbit_goals` and `traces`. That a
//! permutation is a symmetry is proven by `certificate`, with the help of `summand_tests`, before anything
//! is said of what was found; where enough was found early, of what was explored; `spot_check` looks again,
//! `refute` and `witness` say why it is none. `refinement` compares with a specification.
//! `statistics` is what is asked and told; here all is put together.

pub mod action_on;
pub mod approximate;
pub mod batch;
pub mod canonical_state;
pub mod certificate;
pub mod explorer;
pub mod group_on_process;
pub mod images;
pub mod lifting;
pub mod numbering;
pub mod orbit_goals;
pub mod orbit_table;
pub mod refinement;
pub mod refute;
pub mod spot_check;
pub mod statistics;
pub mod summand_tests;
pub mod traces;
pub mod witness;

use crate::data::terms::Term;
use crate::group::action::Group;
use crate::group::permutation::Permutation;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::action_on::values::Values;
use crate::orbit_exploration::canonical_state::{Besides, Canonical, Scratch, Strategy};
use crate::orbit_exploration::certificate::{certify, certify_action, certify_start};
use crate::orbit_exploration::explorer::Explorer;
use crate::orbit_exploration::group_on_process::{Action, no_group};
use crate::orbit_exploration::images::{Images, MOST};
use crate::orbit_exploration::lifting::symmetry::{Generator, Symmetry};
use crate::orbit_exploration::orbit_goals::OrbitSearch;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::spot_check::{spot_check, spread};
use crate::orbit_exploration::summand_tests::SummandTests;
use crate::orbit_exploration::witness::Witness;
use crate::symmetry::annotated_quotient::Quotient;
use crate::symmetry::orbits_of_lts::joined;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

pub use crate::orbit_exploration::statistics::{Callbacks, Options, Reduced, Statistics};

/// Explores one state of each orbit, and then certifies the symmetry on what was visited and its
/// images.
pub fn reduce(
    process: &mut Process,
    mut symmetry: Symmetry,
    options: &Options,
    host: &mut dyn Callbacks,
) -> Result<Reduced, Stop> {
    let begun = Instant::now();
    let found = symmetry.settle(process, |process, symmetry| {
        reduce_under(process, symmetry, options, begun, host)
    })?;
    Ok(found.unwrap_or_else(|witness| Reduced {
        witness: Some(witness),
        defect: None,
        quotient: None,
        statistics: Statistics::default(),
        order: BigUint::ZERO,
        strategy: Strategy::Refine,
        incomplete: None,
        traces: Vec::new(),
    }))
}

fn reduce_under(
    process: &mut Process,
    symmetry: &mut Symmetry,
    options: &Options,
    begun: Instant,
    host: &mut dyn Callbacks,
) -> Result<Reduced, Stop> {
    let Symmetry { carrier, names, generators } = symmetry;
    let action = Action::new(process.parameters, carrier, names, generators).map_err(no_group)?;
    let strategy = options.strategy.unwrap_or_else(|| Strategy::suited(&action.group));
    let mut reduced = Reduced {
        witness: None,
        defect: None,
        quotient: None,
        statistics: Statistics::default(),
        order: action.group.order(),
        strategy,
        incomplete: None,
        traces: Vec::new(),
    };
    for (which, generator) in generators.iter_mut().enumerate() {
        if let Some(witness) = certify_start(process, generator)? {
            reduced.witness = Some((which, witness));
            return Ok(reduced);
        }
    }
    let mut free = process.steps();
    loop {
        let summand_tests = SummandTests::new(process, generators, &free);
        let (parameters, alone) = (process.parameters, Besides::default());
        let mut canonical =
            Canonical::new(&action.group, carrier, generators, parameters, alone, strategy)?;
        canonical.give_up_after(options.choices);
        let mut explorer = Explorer {
            orbits: Orbits::new(process.parameters, action.group.points),
            process: &mut *process,
            carrier,
            generators: &mut *generators,
            action: &action,
            options,
            summand_tests,
            canonical,
            scratch: Scratch::default(),
            spare: Images::default(),
            most: options.limits.states.unwrap_or(MOST),
            rows: Default::default(),
            uses: Vec::new(),
            expanded: Vec::new(),
            joined: None,
            stabilising: FxHashMap::default(),
            search: OrbitSearch::new(options.wanted),
            deadlocks: BigUint::ZERO,
            host: &mut *host,
            begun,
            incomplete: None,
        };
        explorer.run()?;
        let is_over = matches!(explorer.incomplete, None | Some(Incomplete::Found));
        if options.certify
            && is_over
            && let Err(summand) = explorer.summand_tests.certify(
                explorer.process,
                explorer.generators,
                &options.proven,
            )?
        {
            bind(&mut free, generators, summand);
            continue;
        }
        if options.certify && is_over {
            let Explorer { process, generators, canonical, orbits, host, .. } = &mut explorer;
            let count = orbits.count();
            let mut poll = || host.poll(count, count);
            let proof = prove(process, generators, canonical.values(), options, &mut poll)?;
            (reduced.statistics.checked, reduced.statistics.proving) = (proof.checked, proof.time);
            reduced.witness = proof.witness;
            if reduced.witness.is_some() {
                return Ok(reduced);
            }
        }
        // These are shortest, and of the system, as all was symmetric that came before them.
        reduced.traces = explorer.traces()?;
        reduced.statistics.representatives = explorer.orbits.count();
        reduced.statistics.approximate = explorer.orbits.approximate.len();
        if reduced.statistics.approximate > 0 && is_over {
            explorer.settle(&mut reduced.traces)?;
        }
        explorer.statistics(&mut reduced);
        let Explorer { mut orbits, rows, .. } = explorer;
        let complete = reduced.incomplete.is_none();
        let sampled = &mut reduced.statistics.sampled;
        reduced.defect = sample(process, generators, &mut orbits, options, sampled)?;
        if reduced.defect.is_none() && options.rows {
            let Statistics { states, transitions, .. } = &reduced.statistics;
            let sizes = complete.then(|| (states.clone(), transitions.clone()));
            match quotient(process, generators, action, orbits, rows, sizes)? {
                Ok(quotient) => reduced.quotient = Some(quotient),
                Err(witness) => reduced.witness = Some(witness),
            }
        }
        return Ok(reduced);
    }
}

/// What comes of the proof that what was explored is symmetric.
pub(crate) struct Proof {
    /// Which generator turned out to be no symmetry, and why.
    pub witness: Option<(usize, Witness)>,
    pub checked: usize,
    pub time: Duration,
}

/// Compares all that was visited, or may be, with its images; `values` are those of the states.
pub(crate) fn prove(
    process: &mut Process,
    generators: &mut [Generator],
    values: &mut Values,
    options: &Options,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Proof, Stop> {
    let start = Instant::now();
    let mut checked = 0;
    let mut witness =
        certify(process, generators, &options.proven, options.limits, &mut checked, poll)?;
    if witness.is_none() {
        witness = certify_action(process, generators, values)?;
    }
    Ok(Proof { witness, checked, time: start.elapsed() })
}

/// Looks again at what the text has proven, in some of the states that were visited. Those are the
/// first components of what `orbits` are of.
pub(crate) fn sample(
    process: &mut Process,
    generators: &mut [Generator],
    orbits: &mut Orbits,
    options: &Options,
    compared: &mut usize,
) -> Result<Option<(usize, Witness)>, Stop> {
    let states = sampled(orbits, process.parameters, options);
    look_again(process, generators, &states, options, compared)
}

/// The states in which what the text has proven is looked at again, one behind the other.
pub(crate) fn sampled(orbits: &mut Orbits, parameters: usize, options: &Options) -> Vec<Term> {
    let (mut states, mut image) = (Vec::new(), Vec::new());
    if options.proven.contains(&true) {
        for orbit in spread(orbits.count(), options.sample) {
            orbits.image(orbit as u32, &mut image);
            states.extend_from_slice(&image[..parameters]);
        }
    }
    states
}

/// Looks again at what the text has proven, in these states.
pub(crate) fn look_again(
    process: &mut Process,
    generators: &mut [Generator],
    states: &[Term],
    options: &Options,
    compared: &mut usize,
) -> Result<Option<(usize, Witness)>, Stop> {
    if options.sample == 0 || !options.proven.contains(&true) {
        return Ok(None);
    }
    let situations = options.sample.div_ceil(SITUATIONS);
    let Options { proven, limits, .. } = options;
    spot_check(process, generators, proven, states, situations, *limits, compared)
}

/// States that are looked at for each local situation of a summand.
const SITUATIONS: usize = 8;

/// The conditions of a summand and those of its images may be written differently, and still mean
/// the same: they have no tests then.
pub(crate) fn bind(free: &mut [bool], generators: &[Generator], summand: u32) {
    let mut orbit = vec![summand];
    while let Some(summand) = orbit.pop() {
        if std::mem::replace(&mut free[summand as usize], false) {
            orbit.extend(generators.iter().map(|g| g.summands[summand as usize]));
        }
    }
}

/// The quotient that was explored; or which generator turned out to be no symmetry, and why. `sizes`
/// are those of what it stands for, if everything was explored.
fn quotient(
    process: &mut Process,
    generators: &mut [Generator],
    action: Action,
    orbits: Orbits,
    rows: [Vec<u32>; 4],
    sizes: Option<(BigUint, BigUint)>,
) -> Result<Result<Quotient, (usize, Witness)>, Stop> {
    // Where a limit stopped the exploration, images of labels need not come to an end.
    let permutations = if sizes.is_some() {
        match label_permutations(process, generators)? {
            Ok(permutations) => permutations,
            Err(witness) => return Ok(Err(witness)),
        }
    } else {
        let labels = process.labels.labels.len() as u32;
        generators.iter().map(|_| (0..labels).collect()).collect()
    };
    let labels = process.labels.labels.clone();
    let extended = permutations
        .iter()
        .zip(&action.group.generators)
        .map(|(permutation, own)| joined(&own[..action.group.points], permutation));
    let group = Group::new(action.group.points, labels.len(), extended.collect());
    let [source, steps, shift, target] = rows;
    let quotient = Quotient {
        group: Arc::new(group.map_err(no_group)?),
        names: action.names,
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
    quotient.canonical().map(Ok).map_err(no_group)
}

/// What the generators do to the texts of all labels, after adding images until none is new.
#[allow(clippy::type_complexity)]
pub fn label_permutations(
    process: &mut Process,
    generators: &mut [Generator],
) -> Result<Result<Vec<Permutation>, (usize, Witness)>, Stop> {
    let mut images: Vec<Vec<u32>> = vec![Vec::new(); generators.len()];
    let mut key = 0;
    while key < process.labels.keys.len() {
        for (which, generator) in generators.iter_mut().enumerate() {
            let image = generator.lifting.label(process, key as u32)?;
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
