//! Sharp bisimulation: divergence-preserving branching bisimulation in which a step with one of
//! some labels, the *strong* ones, is matched by one step, without internal steps before it.
//!
//! Lang, Mateescu and Mazzanti, Sharp congruences adequate with temporal logics combining weak and
//! strong modalities (TACAS 2020). It is the coarsest partition P such that
//!
//! - (1) P is a divergence-preserving branching bisimulation, and
//! - (2) states of one block of P have the same strong steps to blocks of P.
//!
//! It is computed from above. Let P be coarser than all partitions with (1) and (2), such as the
//! partition with one block. Then so is the coarsest refinement of P with (1), and so is the
//! partition that results from splitting the blocks of P by (2). Alternating both until (2) splits
//! nothing gives a partition with (1) and (2).
//!
//! The coarsest refinement of P with (1) is plain branching bisimilarity of a modified graph:
//! internal steps between blocks of P get a visible label of their own, as none of them can be
//! inert in a refinement of P; and every state has a loop whose label identifies its block of P.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::interner::Interner;
use crate::base::lts::Lts;
use crate::base::memory::room;
use crate::base::partition::Partition;
use crate::bisimulation::minimise::{
    Equivalence, Kind, branching, internal_label, minimise, minimise_taken,
};
use crate::bisimulation::start::k_step_hashes::of_labels;
use crate::bisimulation::tau_scc::{Contracted, contract};
use std::sync::Arc;

/// The minimal system sharp bisimilar to an LTS, and for every state of the LTS its state there, or
/// [`State::NONE`] if it was dropped as unreachable. `strong` gives for every label whether it is
/// strong; internal labels are not.
///
/// The result is the same for all sharp bisimilar systems in which all states are reachable.
pub fn minimise_sharp(
    lts: &Lts,
    strong: &[bool],
    keep_unreachable: bool,
    cancel: &Cancel,
) -> Result<(Lts, Vec<State>)> {
    let tau = internal_label(lts);
    if tau == Label::NONE {
        return minimise(lts, Equivalence::plain(Kind::Strong), keep_unreachable, cancel);
    }
    let Sharp { class, divergent } = sharp(lts, tau, strong, cancel)?;
    let internal = lts.internal_mask();
    let mut columns = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |source, label, target| {
        columns.0.push(source);
        columns.1.push(label);
        columns.2.push(target);
    };
    let transitions = lts.source.iter().zip(lts.label.iter()).zip(lts.target.iter());
    for ((&source, &label), &target) in transitions {
        let [source, target] = [source, target].map(|state| class[state].state());
        let silent = internal[label];
        if !silent || source != target {
            add(source, if silent { tau } else { label }, target);
        }
    }
    for (state, &divergent) in (0..).map(State).zip(&divergent) {
        if divergent {
            add(state, tau, state);
        }
    }
    let initial = class[lts.initial].state();
    let (labels, internal) = (Arc::clone(&lts.labels), Arc::clone(&lts.internal));
    let quotient = Lts::from_valid(initial, u32::at(divergent.len()), columns, labels, internal);
    // No two states of the quotient are strongly bisimilar: this only numbers them canonically.
    let (least, number) =
        minimise_taken(quotient, Equivalence::plain(Kind::Strong), keep_unreachable, cancel)?;
    let classes = class.into_iter().map(|class| number[class]);
    Ok((least, classes.collect()))
}

/// The coarsest sharp bisimulation.
struct Sharp {
    /// For every state its class.
    class: Vec<Block>,
    /// For every class whether it has an infinite run of inert steps.
    divergent: Vec<bool>,
}

/// Labels after those of the LTS: for internal steps to other blocks, for divergence, and, from the
/// third on, for blocks.
const LEAVES: u32 = 0;
const DELTA: u32 = 1;
const BLOCKS: u32 = 2;

fn sharp(lts: &Lts, tau: Label, strong: &[bool], cancel: &Cancel) -> Result<Sharp> {
    let graph = Forward::new(lts, cancel)?;
    let internal = lts.internal_mask();
    let labels = u32::at(lts.labels.len());
    let mut names = of_labels(&lts.labels);
    let mut start = Partition::trivial(graph.states());
    loop {
        let below = below(&graph, &internal, tau, &start);
        names.extend(u32::at(names.len())..labels + BLOCKS + u32::at(start.blocks));
        let mut silent = vec![false; names.len()];
        silent[tau] = true;
        let Contracted { graph: below, component, divergent, .. } =
            contract(below, &silent, tau, Some(Label(labels + DELTA)), cancel)?;
        let whole = |state: State| component.as_ref().map_or(state, |each| each[state].state());
        let solved = branching(below, tau, &names, cancel)?;
        let block: Vec<Block> =
            graph.each_state().map(|state| solved.class(whole(state))).collect();
        let partition = Partition { block, blocks: solved.blocks.representative.len() };
        start = split(&graph, strong, &partition, cancel)?;
        if start.blocks == partition.blocks {
            let mut diverges = vec![false; partition.blocks];
            for state in graph.each_state().filter(|&state| divergent.has(whole(state))) {
                diverges[partition.block[state]] = true;
            }
            return Ok(Sharp { class: partition.block, divergent: diverges });
        }
    }
}

/// The graph whose branching bisimilarity is the coarsest refinement of a partition with (1).
fn below(graph: &Forward, internal: &[bool], tau: Label, start: &Partition) -> Forward<'static> {
    let labels = u32::at(internal.len());
    let states = graph.states();
    let count = graph.target.len() + states;
    let mut starts = room(states + 1);
    let (mut label, mut target) = (room(count), room(count));
    starts.push(0);
    for (state, &own) in (0..).map(State).zip(&start.block) {
        for (a, t) in graph.steps(state) {
            label.push(match internal[a] {
                false => a,
                true if start.block[t] == own => tau,
                true => Label(labels + LEAVES),
            });
            target.push(t);
        }
        label.push(Label(labels + BLOCKS + own.0));
        target.push(state);
        assert!(label.len() < u32::MAX as usize, "rows are numbered with 32 bits");
        starts.push(u32::at(label.len()));
    }
    Forward { starts, label: label.into(), target: target.into() }
}

/// The partition with its blocks split by the targets of strong steps.
fn split(
    graph: &Forward,
    strong: &[bool],
    partition: &Partition,
    cancel: &Cancel,
) -> Result<Partition> {
    let mut signatures = Interner::default();
    let mut block = room(graph.states());
    let (mut steps, mut signature) = (Vec::new(), Vec::new());
    for (state, &own) in (0..).map(State).zip(&partition.block) {
        cancel.check_at(state.index())?;
        let to = |(a, t): (Label, State)| [a.0, partition.block[t].0];
        steps.clear();
        steps.extend(graph.steps(state).filter(|&(a, _)| strong[a]).map(to));
        steps.sort_unstable();
        steps.dedup();
        signature.clear();
        signature.push(own.0);
        signature.extend(steps.iter().flatten());
        block.push(Block(signatures.intern(&signature).0));
    }
    Ok(Partition { block, blocks: signatures.len() })
}
