//! Collapsing the cycles of internal steps.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::lts::Lts;
use crate::base::memory;
use crate::base::memory::room;
use crate::base::parallel;
use crate::base::stages::Measure;
use crate::bisimulation::refine::sweep::CHUNK;
use crate::ops::scc_summary::number;
use std::borrow::Cow;
use std::sync::Arc;

/// A graph whose states are the strongly connected components of another graph's internal steps.
///
/// Invariant: all internal steps have the label `tau`, and lead to a smaller state.
pub struct Contracted<'a> {
    pub graph: Forward<'a>,
    pub tau: Label,
    /// For every state of the other graph its component; `None` if they are the same.
    pub component: Option<Vec<Block>>,
    /// The components with an internal step inside them.
    pub divergent: States,
}

/// Collapse the cycles of internal steps. If `loops` is a label, every component with an internal
/// step inside it gets a loop with this label.
pub fn contract<'a>(
    graph: Forward<'a>,
    internal: &[bool],
    tau: Label,
    loops: Option<Label>,
    cancel: &Cancel,
) -> Result<Contracted<'a>> {
    if !has_upward_steps(&graph, internal, tau, cancel)? {
        let divergent = States::new(graph.states());
        return Ok(Contracted { graph, tau, component: None, divergent });
    }
    let (component, count) = components(&graph, internal, cancel)?;
    let members = ByComponent::new(&component, count);
    let mut divergent = States::new(count as usize);
    let copied = |(i, divergent): (usize, &mut [u64])| {
        let first = u32::at(i * CHUNK);
        let last = count.min(first + u32::at(CHUNK));
        let mut transitions = ComponentTransitions::default();
        let about = graph.target.len() / count as usize * (last - first) as usize;
        transitions.label.reserve(about);
        transitions.target.reserve(about);
        let mut sorted = Vec::new();
        for c in (first..last).map(Block) {
            let own = members.of(c);
            let mut has_loop = false;
            let begin = transitions.label.len();
            for &state in own {
                for (a, t) in graph.steps(state) {
                    let to = component[t];
                    let silent = internal[a];
                    if silent && to == c {
                        has_loop = true;
                    } else {
                        transitions.label.push(if silent { tau } else { a });
                        transitions.target.push(to.state());
                    }
                }
            }
            if own.len() > 1 && transitions.label.len() - begin <= FEW_TRANSITIONS {
                transitions.dedup_from(begin, &mut sorted);
            }
            if has_loop {
                divergent[(c.0 - first) as usize / 64] |= 1 << (c.0 % 64);
                transitions.label.extend(loops);
                transitions.target.extend(loops.map(|_| c.state()));
            }
            transitions.offsets.push(u32::at(transitions.label.len()));
        }
        transitions
    };
    // All transitions may have to be copied; reserved memory that is not needed is never touched.
    let most = graph.target.len() + if loops.is_some() { count as usize } else { 0 };
    let mut starts = room(count as usize + 1);
    let (mut label, mut target) = (room(most), room(most));
    starts.push(0);
    let stage = cancel.stage("collapsing internal cycles", Measure::Share(count.into()));
    let gather = |transitions: ComponentTransitions| {
        stage.add(transitions.offsets.len());
        let before = u32::at(label.len());
        starts.extend(transitions.offsets.iter().map(|end| before + end));
        label.extend_from_slice(&transitions.label);
        target.extend_from_slice(&transitions.target);
        assert!(label.len() < u32::MAX as usize, "rows are numbered with 32 bits");
    };
    let chunks = divergent.words_mut().chunks_mut(CHUNK / 64).enumerate();
    parallel::in_order(chunks, copied, gather, cancel)?;
    let graph = Forward { starts, label: Cow::Owned(label), target: Cow::Owned(target) };
    Ok(Contracted { graph, tau, component: Some(component), divergent })
}

/// The members of every component.
struct ByComponent {
    states: Vec<State>,
    /// Where the members of each component begin, and the end; empty if each component has one
    /// member.
    starts: Vec<u32>,
}

impl ByComponent {
    /// The members of `count` components.
    fn new(component: &[Block], count: u32) -> Self {
        let (mut states, mut starts) = (memory::zeroed(component.len()), Vec::new());
        if count as usize == component.len() {
            for (state, &c) in (0..).map(State).zip(component) {
                states[c] = state;
            }
            return Self { states, starts };
        }
        starts.resize(count as usize + 1, 0);
        for &c in component {
            starts[c] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        for (state, &c) in (0..u32::at(component.len())).map(State).zip(component).rev() {
            let start = &mut starts[c];
            *start -= 1;
            states[*start as usize] = state;
        }
        Self { states, starts }
    }

    fn of(&self, c: Block) -> &[State] {
        let c = c.index();
        if self.starts.is_empty() {
            return &self.states[c..=c];
        }
        &self.states[self.starts[c] as usize..self.starts[c + 1] as usize]
    }
}

/// The transitions of some components.
#[derive(Default)]
struct ComponentTransitions {
    /// Where the transitions of each component end.
    offsets: Vec<u32>,
    label: Vec<Label>,
    target: Vec<State>,
}

impl ComponentTransitions {
    /// Sort the transitions from `begin` on and remove duplicates; `sorted` is scratch memory.
    fn dedup_from(&mut self, begin: usize, sorted: &mut Vec<(Label, State)>) {
        sorted.clear();
        sorted.extend(self.label.drain(begin..).zip(self.target.drain(begin..)));
        sorted.sort_unstable();
        sorted.dedup();
        self.label.extend(sorted.iter().map(|transition| transition.0));
        self.target.extend(sorted.iter().map(|transition| transition.1));
    }
}

/// Duplicates are removed from components with up to this many transitions: merged states often
/// have the same transitions, and all later algorithms visit transitions several times.
const FEW_TRANSITIONS: usize = if cfg!(test) { 4 } else { 64 };

/// Whether some internal step does not lead to a smaller state, or is not labelled `tau`.
fn has_upward_steps(
    graph: &Forward,
    internal: &[bool],
    tau: Label,
    cancel: &Cancel,
) -> Result<bool> {
    for state in graph.each_state() {
        cancel.check_at(state.index())?;
        let mut transitions = graph.steps(state);
        if transitions.any(|(label, to)| internal[label] && (to >= state || label != tau)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The strongly connected components of the internal steps, numbered so that internal steps lead to
/// components of the same or a smaller number.
///
/// States from which no internal path reaches a cycle of internal steps are numbered first.
pub fn components(
    graph: &Forward,
    internal: &[bool],
    cancel: &Cancel,
) -> Result<(Vec<Block>, u32)> {
    let states = graph.states();
    let mut component = vec![Block::NONE; states];
    let count = ending(graph, internal, &mut component, cancel)?;
    if count as usize == states {
        return Ok((component, count));
    }
    let next = |state: State, at: &mut u32| {
        let transition = graph.starts[state] + *at;
        let past = graph.starts[state.index() + 1];
        let transition =
            (transition..past).find(|&transition| internal[graph.label[transition as usize]])?;
        *at = transition + 1 - graph.starts[state];
        Some(graph.target[transition as usize])
    };
    let count =
        number(&mut component, count, graph.each_state(), next, "finding internal cycles", cancel)?;
    Ok((component, count))
}

/// Sweeps continue while they number more than one in this many of the remaining states.
const FEW: usize = 16;

/// Number the states whose internal steps lead to numbered states only, in sweeps upwards and
/// downwards, as long as these find many; return how many were numbered. Sweeps access memory
/// sequentially.
fn ending(
    graph: &Forward,
    internal: &[bool],
    component: &mut [Block],
    cancel: &Cancel,
) -> Result<u32> {
    let states = u32::at(component.len());
    let mut count = 0;
    let mut down = graph.leads_upwards(|label| internal[label]);
    loop {
        let before = count;
        for i in 0..states {
            cancel.check_at(i as usize)?;
            let state = State(if down { states - 1 - i } else { i });
            if component[state] != Block::NONE {
                continue;
            }
            let mut transitions = graph.steps(state);
            if transitions.all(|(a, t)| !internal[a] || component[t] != Block::NONE) {
                component[state] = Block(count);
                count += 1;
            }
        }
        if ((count - before) as usize) * FEW <= (states - count) as usize || count == states {
            return Ok(count);
        }
        down = !down;
    }
}

/// An LTS with the cycles of internal steps collapsed, and the component of every state.
///
/// The states of a cycle become one, with a loop if `keep_loops`. The order of states is retained:
/// a component is placed by its least state.
pub fn eliminate_tau_cycles(
    lts: &Lts,
    keep_loops: bool,
    cancel: &Cancel,
) -> Result<(Lts, Vec<State>)> {
    let internal = lts.internal_mask();
    let graph = Forward::new(lts, cancel)?;
    let (component, count) = components(&graph, &internal, cancel)?;
    let mut number = vec![State::NONE; count as usize];
    let mut next = 0;
    let classes: Vec<State> = (component.iter())
        .map(|&c| {
            let number = &mut number[c];
            if *number == State::NONE {
                *number = State(next);
                next += 1;
            }
            *number
        })
        .collect();
    let mut has_loop = States::new(count as usize);
    let (mut source, mut label, mut target) = (Vec::new(), Vec::new(), Vec::new());
    for transition in 0..lts.transitions() {
        cancel.check_at(transition)?;
        let (s, a, t) = (lts.source[transition], lts.label[transition], lts.target[transition]);
        let (s, t) = (classes[s], classes[t]);
        if s == t && internal[a] {
            if !keep_loops || has_loop.has(s) {
                continue;
            }
            has_loop.add(s);
        }
        source.push(s);
        label.push(a);
        target.push(t);
    }
    let initial = classes[lts.initial];
    let columns = (source, label, target);
    let result = Lts::from_valid(
        initial,
        count,
        columns,
        Arc::clone(&lts.labels),
        Arc::clone(&lts.internal),
    );
    Ok((result, classes))
}
