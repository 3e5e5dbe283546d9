//! Strongly connected components.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::Id;
use crate::base::ids::{Block, State};
use crate::base::lts::Lts;
use crate::base::stages::Measure;

/// The component of every state, and the number of components.
///
/// Transitions lead to a component of the same or a smaller number. States that are neither roots
/// nor reached from them have the component [`Block::NONE`].
pub struct Components {
    pub of: Vec<Block>,
    pub count: u32,
}

const NEW: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

/// The components of the states that `roots` reach by the transitions of `outgoing`; `name` is that
/// of the stage.
pub fn components(
    lts: &Lts,
    outgoing: &Outgoing,
    roots: impl IntoIterator<Item = State>,
    name: &'static str,
    cancel: &Cancel,
) -> Result<Components> {
    let mut of = vec![Block::NONE; lts.states as usize];
    let next = |state: State, at: &mut u32| {
        let transition = *outgoing.of(state).get(*at as usize)?;
        *at += 1;
        Some(lts.target[transition as usize])
    };
    let count = number(&mut of, 0, roots, next, name, cancel)?;
    Ok(Components { of, count })
}

/// Numbers the components of the states that `roots` reach, from `count` on, and returns the next
/// free number. States that have a component already keep it. `name` is that of the stage.
///
/// `next(state, at)` returns the target of the step at position `at`, which starts at 0 and which
/// it advances.
///
/// Tarjan's algorithm (SIAM J. Comput. 1(2), 1972) without recursion.
pub fn number(
    component: &mut [Block],
    mut count: u32,
    roots: impl IntoIterator<Item = State>,
    next: impl Fn(State, &mut u32) -> Option<State>,
    name: &'static str,
    cancel: &Cancel,
) -> Result<u32> {
    // For open states, the least position on `open` that the state is known to reach.
    let mut low: Vec<u32> =
        component.iter().map(|&c| if c == Block::NONE { NEW } else { DONE }).collect();
    let mut open: Vec<State> = Vec::new();
    // The current path: state, its position on `open`, position of its next step.
    let mut path: Vec<(State, u32, u32)> = Vec::new();
    // Every state is opened and closed once.
    let new = low.iter().filter(|&&low| low == NEW).count();
    let stage = cancel.stage(name, Measure::Share(2 * new as u64));
    let mut unchecked = 0;
    for root in roots {
        if low[root] != NEW {
            continue;
        }
        unchecked += 1;
        low[root] = u32::at(open.len());
        path.push((root, u32::at(open.len()), 0));
        open.push(root);
        while let Some((state, position, at)) = path.last_mut() {
            let (state, position) = (*state, *position);
            stage.check_every(&mut unchecked, 1)?;
            let mut child = None;
            while let Some(target) = next(state, at) {
                match low[target] {
                    NEW => {
                        child = Some(target);
                        break;
                    }
                    DONE => {}
                    reached => low[state] = low[state].min(reached),
                }
            }
            if let Some(target) = child {
                low[target] = u32::at(open.len());
                path.push((target, u32::at(open.len()), 0));
                open.push(target);
                continue;
            }
            path.pop();
            let own = low[state];
            if own == position {
                for &member in &open[position as usize..] {
                    component[member] = Block(count);
                    low[member] = DONE;
                }
                open.truncate(position as usize);
                count += 1;
            } else if let Some(&(parent, ..)) = path.last() {
                low[parent] = low[parent].min(own);
            }
        }
    }
    Ok(count)
}

/// Component sizes: pairs of a number of states and how many components have that many, largest
/// components first.
pub type Sizes = Vec<(u32, u32)>;

/// The sizes of the components of the reachable states.
pub struct Summary {
    pub all: Sizes,
    /// Components with a cycle, at least a loop.
    pub cyclic: Sizes,
    /// Components that no transition leaves. Such a component without a cycle is a deadlock.
    pub terminal: Sizes,
}

/// The components of the reachable states; if `internal`, with respect to internal steps only.
pub fn summary(lts: &Lts, internal: bool, cancel: &Cancel) -> Result<Summary> {
    let outgoing = Outgoing::of_lts(lts);
    let name = if internal { "visiting states" } else { "finding components" };
    let reachable = components(lts, &outgoing, [lts.initial], name, cancel)?;
    if !internal {
        return Ok(summarise(lts, &outgoing, &reachable));
    }
    let mask = lts.internal_mask();
    let silent = Outgoing::with_labels(lts, |label| mask[label]);
    let roots = lts.each_state().filter(|&state| reachable.of[state] != Block::NONE);
    let components = components(lts, &silent, roots, "finding components", cancel)?;
    Ok(summarise(lts, &silent, &components))
}

fn summarise(lts: &Lts, outgoing: &Outgoing, components: &Components) -> Summary {
    let count = components.count as usize;
    let (mut size, mut cyclic, mut left) =
        (vec![0u32; count], vec![false; count], vec![false; count]);
    for state in lts.each_state() {
        let own = components.of[state];
        if own == Block::NONE {
            continue;
        }
        size[own] += 1;
        for &transition in outgoing.of(state) {
            let inside = components.of[lts.target[transition as usize]] == own;
            cyclic[own] |= inside;
            left[own] |= !inside;
        }
    }
    let sizes = |chosen: &dyn Fn(usize) -> bool| {
        let mut sizes: Vec<u32> = (0..count).filter(|&c| chosen(c)).map(|c| size[c]).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.chunk_by(|a, b| a == b).map(|chunk| (chunk[0], u32::at(chunk.len()))).collect()
    };
    let (all, cyclic) = (sizes(&|_| true), sizes(&|c| cyclic[c]));
    Summary { all, cyclic, terminal: sizes(&|c| !left[c]) }
}
