//! The coarsest bisimulation of every kind, and minimisation modulo it.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::lts::Lts;
use crate::base::partition::Partition;
use crate::base::stages::Measure;
use crate::bisimulation::block_quotient::{Blocks, First};
use crate::bisimulation::branching_signature::Branching;
use crate::bisimulation::canonical_numbering::number;
use crate::bisimulation::refine::refine_rest;
use crate::bisimulation::start::acyclic_blocks::acyclic_blocks;
use crate::bisimulation::start::branching_k_step_hashes::hashes as branching_hashes;
use crate::bisimulation::start::k_step_hashes::{hashes, of_labels};
use crate::bisimulation::start::strong_first;
use crate::bisimulation::start::strong_first::modulo_strong;
use crate::bisimulation::strong_signature::Strong;
use crate::bisimulation::tau_scc::contract;
use crate::bisimulation::verify::{Verdict, certify};
use crate::bisimulation::weak::topological_order::by_smallest;
use crate::bisimulation::weak::weak;
use std::mem;
use std::sync::Arc;

/// How bisimulation treats internal steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Strong,
    Branching,
    Weak,
}

/// A bisimulation equivalence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equivalence {
    pub kind: Kind,
    /// Whether divergent states are distinguished from others.
    pub divergence: bool,
    /// Whether an initial internal step has to be matched by one.
    pub rooted: bool,
}

impl Equivalence {
    /// A bisimulation that is neither rooted nor sensitive to divergence.
    pub const fn plain(kind: Kind) -> Self {
        Self { kind, divergence: false, rooted: false }
    }

    /// The bisimulation of this name.
    pub fn named(name: &str) -> Option<Self> {
        let (kind, divergence, rooted) = match name {
            "strong" => (Kind::Strong, false, false),
            "branching" => (Kind::Branching, false, false),
            "divergence-preserving-branching" => (Kind::Branching, true, false),
            "rooted-branching" => (Kind::Branching, false, true),
            "weak" => (Kind::Weak, false, false),
            "divergence-preserving-weak" => (Kind::Weak, true, false),
            "rooted-weak" => (Kind::Weak, false, true),
            _ => return None,
        };
        Some(Self { kind, divergence, rooted })
    }
}

/// The minimal system equivalent to an LTS, and for every state of the LTS its state there, or
/// [`State::NONE`] if it was dropped as unreachable.
///
/// The result is the same for all equivalent systems in which all states are reachable.
pub fn minimise(
    lts: &Lts,
    equivalence: Equivalence,
    keep_unreachable: bool,
    cancel: &Cancel,
) -> Result<(Lts, Vec<State>)> {
    least(lts, Forward::new(lts, cancel)?, equivalence, keep_unreachable, cancel)
}

/// Like [`minimise`], with less memory: the columns of the LTS are freed when they are no longer
/// needed.
pub fn minimise_taken(
    mut lts: Lts,
    equivalence: Equivalence,
    keep_unreachable: bool,
    cancel: &Cancel,
) -> Result<(Lts, Vec<State>)> {
    let graph = Forward::taken(&mut lts, cancel)?;
    least(&lts, graph, equivalence, keep_unreachable, cancel)
}

/// The minimal system of an LTS whose transitions are those of `graph`.
fn least(
    lts: &Lts,
    graph: Forward,
    equivalence: Equivalence,
    keep_unreachable: bool,
    cancel: &Cancel,
) -> Result<(Lts, Vec<State>)> {
    let Solved { blocks, component, .. } = solve(lts, graph, equivalence, cancel)?;
    let (mut quotient, block) = blocks.quotient(cancel)?;
    let class = component.unwrap_or(block);
    let mut numbered = number(&mut quotient, lts, keep_unreachable, cancel)?;
    drop(quotient);
    let number = mem::take(&mut numbered.number);
    let mut class: Vec<State> = class.into_iter().map(|class| number[class]).collect();
    // If the root is a separate state, the initial state is that one and not its block.
    class[lts.initial] = State(0);
    drop(number);
    Ok((numbered.lts(), class))
}

/// The blocks of an LTS modulo a bisimulation, and for every state its block.
pub(super) struct Solved<'a> {
    pub(super) blocks: Blocks<'a>,
    /// For every state of the LTS its block; `None` if `blocks.block` has it.
    component: Option<Vec<Block>>,
}

impl Solved<'_> {
    /// The block of a state of the LTS.
    pub(super) fn class(&self, state: State) -> Block {
        self.component.as_ref().unwrap_or(&self.blocks.block)[state]
    }

    /// The same blocks for states that are contained in the present ones: `whole[s]` is the present
    /// state that s is part of.
    fn for_parts(self, mut whole: Vec<Block>) -> Self {
        for state in &mut whole {
            *state = self.class(state.state());
        }
        Self { component: Some(whole), ..self }
    }
}

/// The internal label that represents all of them: `tau` if it is internal, else the first in the
/// order of their bytes.
pub fn internal_label(lts: &Lts) -> Label {
    let text = |&&label: &&Label| (lts.labels.get(label) != b"tau", lts.labels.get(label));
    lts.internal.iter().min_by_key(text).copied().unwrap_or(Label::NONE)
}

/// The coarsest bisimulation on the states of an LTS, whose transitions are those of `graph`, with
/// the transitions of its blocks.
fn solve<'a>(
    lts: &Lts,
    graph: Forward<'a>,
    equivalence: Equivalence,
    cancel: &Cancel,
) -> Result<Solved<'a>> {
    let steps: Vec<(Label, State)> =
        if equivalence.rooted { graph.steps(lts.initial).collect() } else { Vec::new() };
    let tau = internal_label(lts);
    let labels = Label(u32::at(lts.labels.len()));
    let mut names = of_labels(&lts.labels);
    let mut solved = if equivalence.kind == Kind::Strong || tau == Label::NONE {
        let blocks = coarsest_strong(graph, &names, cancel)?;
        Solved { blocks, component: None }
    } else {
        let mut internal = lts.internal_mask();
        internal.push(false);
        names.push(names[tau]);
        let delta = equivalence.divergence.then_some(labels);
        // If no path ends and few transitions are internal, first merging strongly bisimilar states
        // saves contracting them.
        let quotient = if graph.is_endless() && strong_first::pays(&graph, &internal) {
            modulo_strong(&graph, strong_first::SHARE, cancel)?
        } else {
            None
        };
        let (graph, part) = match quotient {
            Some(quotient) => (quotient.graph, Some(quotient.block)),
            None => (graph, None),
        };
        let contracted = contract(graph, &internal, tau, delta, cancel)?;
        let solved = branching(contracted.graph, tau, &names, cancel)?;
        let parts = [contracted.component, part].into_iter().flatten();
        parts.fold(solved, Solved::for_parts)
    };
    solved.blocks.tau = tau;
    solved.blocks.delta = if equivalence.divergence { labels } else { Label::NONE };
    if equivalence.kind == Kind::Weak && tau != Label::NONE {
        solved = weaken(solved, cancel)?;
    }
    solved.blocks.root = solved.class(lts.initial);
    if equivalence.rooted && tau != Label::NONE {
        solved.blocks.first = first_steps(lts, &solved, &steps, equivalence.kind);
    }
    Ok(solved)
}

/// The coarsest branching bisimulation of a graph whose internal steps lead to smaller states.
/// `names` are hashes of the labels that depend on their bytes only.
pub(super) fn branching<'a>(
    graph: Forward<'a>,
    tau: Label,
    names: &[u32],
    cancel: &Cancel,
) -> Result<Solved<'a>> {
    if !graph.label.contains(&tau) {
        let blocks = coarsest_strong(graph, names, cancel)?;
        return Ok(Solved { blocks, component: None });
    }
    let start = acyclic_blocks(&graph, tau, cancel)?;
    let few = start.1.count() < graph.states() / 2;
    let known = (&start.0, &start.1);
    let hashes = if few { Some(branching_hashes(&graph, tau, known, cancel)?) } else { None };
    let blocks = coarsest_branching(graph, tau, start, hashes, cancel)?;
    Ok(Solved { blocks, component: None })
}

/// The coarsest branching bisimulation, starting from the blocks of the settled states and one
/// block of all others, and from hashes that branching bisimilar states share.
fn coarsest_branching<'a>(
    graph: Forward<'a>,
    tau: Label,
    start: (Partition, States),
    mut hashes: Option<Vec<u32>>,
    cancel: &Cancel,
) -> Result<Blocks<'a>> {
    let refined = |graph: &Forward, start, settled, cancel: &Cancel| {
        let mut branching = Branching::new(graph, tau).starting(hashes.take());
        refine_rest(start, settled, &mut branching, false, cancel)
    };
    coarsest(graph, tau, start, refined, cancel)
}

/// The coarsest strong bisimulation of a graph.
fn coarsest_strong<'a>(graph: Forward<'a>, names: &[u32], cancel: &Cancel) -> Result<Blocks<'a>> {
    let start = acyclic_blocks(&graph, Label::NONE, cancel)?;
    let (mut step_hashes, mut stored) = (None, None);
    if start.1.count() < graph.states() / 2 {
        step_hashes = Some(Arc::new(hashes(&graph, names, cancel)?));
        // Canonical numbering needs the hashes again if a state has several steps with one label.
        stored = step_hashes.clone().filter(|_| !graph.is_deterministic());
    }
    let refined = |graph: &Forward, start, settled, cancel: &Cancel| {
        let mut strong = Strong::new(graph).starting(step_hashes.take());
        refine_rest(start, settled, &mut strong, false, cancel)
    };
    let blocks = coarsest(graph, Label::NONE, start, refined, cancel)?;
    Ok(Blocks { hashes: stored, ..blocks })
}

/// The coarsest bisimulation (branching, or strong if no label is `tau`), starting from the blocks
/// of the settled states and one block of all others; `refined` splits the latter by hashes.
fn coarsest<'a>(
    graph: Forward<'a>,
    tau: Label,
    (mut partition, mut settled): (Partition, States),
    mut refined: impl FnMut(&Forward, Partition, States, &Cancel) -> Result<Partition>,
    cancel: &Cancel,
) -> Result<Blocks<'a>> {
    let mut assumed = settled.count() > 0;
    loop {
        if settled.count() < graph.states() {
            partition = refined(&graph, partition, settled, cancel)?;
        }
        settled = States::new(graph.states());
        partition = match certify(&graph, tau, partition, cancel)? {
            Verdict::Stable(stable, representative) => {
                return Ok(Blocks::of(graph, stable.block, representative));
            }
            // If hashes of settled states collided, blocks may be too fine as well: start again.
            Verdict::Split(_) if mem::take(&mut assumed) => Partition::trivial(graph.states()),
            Verdict::Split(split) => split,
        }
    }
}

/// The coarsest bisimulation on the states of an LTS: the block of every state, and the number of
/// blocks.
pub fn partition(
    lts: &Lts,
    equivalence: Equivalence,
    cancel: &Cancel,
) -> Result<(Vec<Block>, usize)> {
    let graph = Forward::new(lts, cancel)?;
    let Solved { blocks, component, .. } = solve(lts, graph, equivalence, cancel)?;
    Ok((component.unwrap_or(blocks.block), blocks.representative.len()))
}

/// The coarsest strong bisimulation of a graph: the block of every state, and the number of blocks.
pub fn strong(graph: &Graph, cancel: &Cancel) -> Result<(Vec<Block>, usize)> {
    let names: Vec<u32> = (0..u32::at(graph.labels)).collect();
    let blocks = coarsest_strong(graph.forward.clone(), &names, cancel)?;
    Ok((blocks.block, blocks.representative.len()))
}

/// The blocks modulo weak bisimulation, from those modulo branching bisimulation.
fn weaken<'a>(solved: Solved<'a>, cancel: &Cancel) -> Result<Solved<'a>> {
    let Solved { blocks: fine, component } = solved;
    let (tau, delta) = (fine.tau, fine.delta);
    if !fine.graph.label.contains(&tau) {
        // Without internal steps, branching and weak bisimulation are the same.
        return Ok(Solved { blocks: fine, component });
    }
    let _stage = cancel.stage("weak transitions", Measure::Share(0));
    let count = fine.representative.len();
    let (graph, number) = by_smallest(&fine.graph, &fine.block, count, tau, cancel)?;
    if !graph.label.contains(&tau) {
        return Ok(Solved { blocks: fine, component });
    }
    let mut class = component.unwrap_or(fine.block);
    let (block, reduced) = weak(&graph, tau, cancel)?;
    for c in &mut class {
        *c = block[number[*c]];
    }
    let states: Vec<State> = reduced.each_state().collect();
    let identity = states.iter().map(|state| Block(state.0)).collect();
    let blocks = Blocks { tau, delta, ..Blocks::of(reduced, identity, states) };
    Ok(Solved { blocks, component: Some(class) })
}

/// The first step of an LTS modulo a rooted equivalence, given the root's block and the root's
/// `steps`.
///
/// Modulo rooted weak bisimulation the root differs from the other states of its block only by
/// internal steps that stay in the block. Modulo rooted branching bisimulation it has exactly its
/// own transitions, so it is a separate state if it lacks some of its block's.
fn first_steps(lts: &Lts, solved: &Solved, steps: &[(Label, State)], kind: Kind) -> First {
    let Blocks { root, tau, .. } = solved.blocks;
    // All internal labels as one, and blocks as targets.
    let internal = lts.internal_mask();
    let name = |label: Label| if internal[label] { tau } else { label };
    let mut own: Vec<(Label, Block)> =
        steps.iter().map(|&(label, target)| (name(label), solved.class(target))).collect();
    own.sort_unstable();
    own.dedup();
    if kind == Kind::Strong || !own.contains(&(tau, root)) {
        return First::Usual;
    }
    if kind == Kind::Weak || solved.blocks.steps(root).all(|step| own.contains(&step)) {
        return First::Loop;
    }
    First::Own(own)
}
