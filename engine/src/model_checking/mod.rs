//! Whether a formula holds in the initial state of a process, decided on orbits of pairs of a state
//! and a part of the formula, on the fly.
//!
//! Let G act on such pairs: on states as it does, on parts as on the data in them. As g maps the
//! steps of a state to those of its image, and the labels that a part speaks of to those that its
//! image speaks of, it maps the edges of a pair to those of its image; player and priority are the
//! same. So a pair is won if and only if its image is, and the game of one pair of each orbit, where
//! an edge leads to the orbit of its target, is won by whoever wins the whole game: a play on orbits
//! lifts to one of pairs, step by step, with the same priorities, and a strategy that looks at orbits
//! only does it with every such play.
//!
//! Nothing is said of pairs that were not explored, whose steps nobody has asked for: what is proven
//! of a symmetry is that of states that were explored and of their images, and these are all that the
//! winner's strategy meets.
//!
//! Read `formula` and `question`, then `pairs`, then `evidence`; here they are put together. Where a
//! formula is about paths only, one is looked for instead: `paths`, with `orbit_graph` and `replay`.

pub mod evidence;
pub mod orbit_graph;
pub mod pairs;
pub mod paths;
pub mod question;
pub mod replay;

use crate::base::ids::Label;
use crate::data::terms::Term;
use crate::data_formula::{Coded, DataFormula};
use crate::group::permutation::{Permutation, identity};
use crate::lpe::explore::Incomplete;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::model_checking::evidence::Evidence;
use crate::model_checking::pairs::Pairs;
use crate::model_checking::question::Question;
use crate::orbit_exploration::action_on::nodes::Nodes;
use crate::orbit_exploration::action_on::values::Values;
use crate::orbit_exploration::canonical_state::{Besides, Canonical, Strategy};
use crate::orbit_exploration::certificate::certify_start;
use crate::orbit_exploration::group_on_process::{Action, no_group};
use crate::orbit_exploration::lifting::symmetry::{Generator, Symmetry};
use crate::orbit_exploration::statistics::{Callbacks, Options};
use crate::orbit_exploration::summand_tests::SummandTests;
use crate::orbit_exploration::witness::Witness;
use crate::orbit_exploration::{bind, label_permutations, look_again, prove, sampled};
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// What was found.
pub struct Checked {
    /// None if a limit was reached first, or the symmetry is none.
    pub holds: Option<bool>,
    /// If it was wanted, and is not too large.
    pub evidence: Option<Evidence>,
    /// Which generator turned out to be no symmetry, and why.
    pub broken: Option<(usize, Broken)>,
    /// Which generator was proven to be a symmetry and is none, and why.
    pub defect: Option<(usize, Witness)>,
    /// What stopped the exploration before it was decided; `Found` for the number of positions.
    pub incomplete: Option<Incomplete>,
    pub order: BigUint,
    pub strategy: Strategy,
    /// Orbits of pairs that were met, those of them that were explored, and the pairs that the former
    /// stand for.
    pub orbits: usize,
    pub explored: usize,
    pub pairs: BigUint,
    /// Without generators, the states whose steps were asked for.
    pub states: usize,
    /// Bytes of the pairs.
    pub store: usize,
    /// Local situations that the certificate compared with their images, and how long that took.
    pub checked: usize,
    pub proving: Duration,
    /// States and local situations that were compared although they need not have been.
    pub sampled: usize,
}

/// Why a permutation is no symmetry.
pub enum Broken {
    Process(Witness),
    /// A label and its image, one of which is internal.
    Labels(Vec<u8>, Vec<u8>),
}

impl Checked {
    /// Whether nothing speaks against what was found on orbits.
    fn is_certified(&self) -> bool {
        self.broken.is_none() && self.defect.is_none()
    }

    fn nothing(order: BigUint, strategy: Strategy) -> Self {
        Self {
            holds: None,
            evidence: None,
            broken: None,
            defect: None,
            incomplete: None,
            order,
            strategy,
            orbits: 0,
            explored: 0,
            pairs: BigUint::ZERO,
            states: 0,
            store: 0,
            checked: 0,
            proving: Duration::ZERO,
            sampled: 0,
        }
    }
}

/// Decides whether a formula holds, and certifies the symmetry on what was explored and its images, if
/// asked to.
pub fn check<F: DataFormula>(
    process: &mut Process,
    mut symmetry: Symmetry,
    formula: &mut Coded<F>,
    question: &Question,
    options: &Options,
    host: &mut dyn Callbacks,
) -> Result<Checked, Stop> {
    let begun = Instant::now();
    let found = symmetry.settle(process, |process, symmetry| {
        check_under(process, symmetry, formula, question, options, begun, host)
    })?;
    Ok(found.unwrap_or_else(|(which, witness)| {
        let broken = Some((which, Broken::Process(witness)));
        Checked { broken, ..Checked::nothing(BigUint::ZERO, Strategy::Refine) }
    }))
}

/// What a group does to states, and what is known before anything is explored: whether it leaves the
/// initial state where it is.
pub(crate) fn begin(
    process: &mut Process,
    symmetry: &mut Symmetry,
    options: &Options,
) -> Result<(Action, Checked), Stop> {
    let Symmetry { carrier, names, generators } = symmetry;
    let action = Action::new(process.parameters, carrier, names, generators).map_err(no_group)?;
    let strategy = options.strategy.unwrap_or_else(|| Strategy::suited(&action.group));
    let mut checked = Checked::nothing(action.group.order(), strategy);
    for (which, generator) in generators.iter_mut().enumerate() {
        if let Some(witness) = certify_start(process, generator)? {
            checked.broken = Some((which, Broken::Process(witness)));
            break;
        }
    }
    Ok((action, checked))
}

fn check_under<F: DataFormula>(
    process: &mut Process,
    symmetry: &mut Symmetry,
    formula: &mut Coded<F>,
    question: &Question,
    options: &Options,
    begun: Instant,
    host: &mut dyn Callbacks,
) -> Result<Checked, Stop> {
    let (action, mut checked) = begin(process, symmetry, options)?;
    if checked.broken.is_some() {
        return Ok(checked);
    }
    let (Symmetry { carrier, generators, .. }, strategy) = (symmetry, checked.strategy);
    let shapes: Vec<Permutation> = generators.iter().map(|_| identity(question.shapes)).collect();
    let mut free = process.steps();
    loop {
        let summand_tests = SummandTests::new(process, generators, &free);
        let nodes = Nodes::new(&action.group, &shapes).map_err(no_group)?;
        let besides = Besides { values: formula.slots(), nodes: Some(nodes) };
        let (group, parameters) = (&action.group, process.parameters);
        let canonical = Canonical::new(group, carrier, generators, parameters, besides, strategy)?;
        let mut pairs = Pairs::new(
            process,
            generators,
            formula,
            options,
            question.most,
            summand_tests,
            canonical,
            begun,
        );
        let decision = pairs.run(question.root, host)?;
        checked.holds = decision.as_ref().map(|decision| decision.holds);
        checked.incomplete = pairs.incomplete.filter(|_| decision.is_none());
        checked.orbits = pairs.orbits.count();
        checked.explored = pairs.arena.len();
        checked.states = pairs.states.as_ref().map_or(0, |states| states.count());
        checked.store = pairs.bytes();
        checked.pairs = BigUint::ZERO;
        for &stabiliser in &pairs.orbits.stabiliser {
            let own = pairs.orbits.stabilisers.list[stabiliser as usize].order();
            checked.pairs += &checked.order / own;
        }
        let Some(decision) = decision else { return Ok(checked) };
        if options.certify
            && let Err(summand) =
                pairs.summand_tests.certify(pairs.process, pairs.generators, &options.proven)?
        {
            bind(&mut free, generators, summand);
            continue;
        }
        let Pairs { process, generators, formula, canonical, orbits, .. } = &mut pairs;
        let states = sampled(orbits, process.parameters, options);
        let known = (canonical.values(), &states[..]);
        certify(process, generators, formula, known, options, host, &mut checked)?;
        // What the evidence looks at are images of what was explored.
        if let (Some(most), true) = (question.evidence, checked.is_certified()) {
            checked.evidence = pairs.evidence(&decision, question, most)?;
        }
        return Ok(checked);
    }
}

/// Looks at whether the symmetry is one of what was explored, and of what is hidden.
pub(crate) fn certify<F: DataFormula>(
    process: &mut Process,
    generators: &mut [Generator],
    formula: &mut Coded<F>,
    (values, states): (&mut Values, &[Term]),
    options: &Options,
    host: &mut dyn Callbacks,
    checked: &mut Checked,
) -> Result<(), Stop> {
    if options.certify {
        let (count, explored) = (checked.orbits, checked.explored);
        let mut poll = || host.poll(count, explored);
        let proof = prove(process, generators, values, options, &mut poll)?;
        (checked.checked, checked.proving) = (proof.checked, proof.time);
        if let Some((which, witness)) = proof.witness {
            checked.broken = Some((which, Broken::Process(witness)));
            return Ok(());
        }
    }
    checked.defect = look_again(process, generators, states, options, &mut checked.sampled)?;
    if checked.defect.is_some() {
        return Ok(());
    }
    let texts = match label_permutations(process, generators)? {
        Ok(texts) => texts,
        Err((which, witness)) => {
            checked.broken = Some((which, Broken::Process(witness)));
            return Ok(());
        }
    };
    for (which, texts) in texts.iter().enumerate() {
        for (label, &image) in (0..).zip(texts.iter()) {
            let text = |label| process.labels.labels.get(Label(label)).to_vec();
            let (label, image) = (text(label), text(image));
            if formula.is_internal(&label)? != formula.is_internal(&image)? {
                checked.broken = Some((which, Broken::Labels(label, image)));
                return Ok(());
            }
        }
    }
    Ok(())
}
