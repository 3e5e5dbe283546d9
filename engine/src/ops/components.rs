//! Strongly connected components.

use super::outgoing::Outgoing;
use crate::lts::Lts;
use crate::stop::POLL_EVERY;

/// The component of every state, and how many there are.
///
/// Transitions lead to a component of the same or a smaller number. States that were not asked about
/// and are not reached have the component [`NONE`].
pub struct Components {
    pub of: Vec<u32>,
    pub count: u32,
}

/// No component.
pub const NONE: u32 = u32::MAX;

const NEW: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

/// The components of the states that `roots` reach by the rows of `outgoing`.
///
/// Tarjan's algorithm (SIAM J. Comput. 1(2), 1972) without recursion.
pub fn components(
    lts: &Lts,
    outgoing: &Outgoing,
    roots: impl IntoIterator<Item = u32>,
    poll: &mut dyn FnMut() -> bool,
) -> Option<Components> {
    let states = lts.states as usize;
    let mut component = vec![NONE; states];
    let mut count = 0;
    // The least place on `open` that a state is known to reach; open states only.
    let mut low = vec![NEW; states];
    let mut open: Vec<u32> = Vec::new();
    // States on the current path: state, its place on `open`, the next of its rows.
    let mut path: Vec<(u32, u32, usize)> = Vec::new();
    let mut steps = 0;
    for root in roots {
        if low[root as usize] != NEW {
            continue;
        }
        low[root as usize] = open.len() as u32;
        path.push((root, open.len() as u32, 0));
        open.push(root);
        while let Some((state, place, next)) = path.last_mut() {
            let (state, place) = (*state, *place);
            if steps % POLL_EVERY == 0 && !poll() {
                return None;
            }
            steps += 1;
            let s = state as usize;
            if let Some(&row) = outgoing.of(state).get(*next) {
                *next += 1;
                let target = lts.target[row as usize];
                let t = target as usize;
                match low[t] {
                    NEW => {
                        low[t] = open.len() as u32;
                        path.push((target, open.len() as u32, 0));
                        open.push(target);
                    }
                    DONE => {}
                    reached => low[s] = low[s].min(reached),
                }
                continue;
            }
            path.pop();
            let own = low[s];
            if own == place {
                for &member in &open[place as usize..] {
                    component[member as usize] = count;
                    low[member as usize] = DONE;
                }
                open.truncate(place as usize);
                count += 1;
            } else if let Some(&(parent, ..)) = path.last() {
                low[parent as usize] = low[parent as usize].min(own);
            }
        }
    }
    Some(Components { of: component, count })
}

/// Numbers of components by how many states they have, the largest first.
pub type Sizes = Vec<(u32, u32)>;

/// How large the components of the reachable states are.
pub struct Summary {
    pub all: Sizes,
    /// Those that have a cycle, a loop at least.
    pub cyclic: Sizes,
    /// Those that no transition leaves. One without a cycle is a deadlock.
    pub terminal: Sizes,
}

/// The components of the reachable states; with `internal` those of their internal steps alone.
pub fn summary(lts: &Lts, internal: bool, poll: &mut dyn FnMut() -> bool) -> Option<Summary> {
    let outgoing = Outgoing::new(lts);
    let reachable = components(lts, &outgoing, [lts.initial], poll)?;
    if !internal {
        return Some(summarise(lts, &outgoing, &reachable));
    }
    let mask = lts.internal_mask();
    let silent = Outgoing::with_labels(lts, |label| mask[label as usize]);
    let roots = (0..lts.states).filter(|&state| reachable.of[state as usize] != NONE);
    Some(summarise(lts, &silent, &components(lts, &silent, roots, poll)?))
}

fn summarise(lts: &Lts, outgoing: &Outgoing, found: &Components) -> Summary {
    let count = found.count as usize;
    let (mut size, mut cyclic, mut left) =
        (vec![0u32; count], vec![false; count], vec![false; count]);
    for state in 0..lts.states {
        let own = found.of[state as usize];
        if own == NONE {
            continue;
        }
        size[own as usize] += 1;
        for &row in outgoing.of(state) {
            let inside = found.of[lts.target[row as usize] as usize] == own;
            cyclic[own as usize] |= inside;
            left[own as usize] |= !inside;
        }
    }
    let sizes = |chosen: &dyn Fn(usize) -> bool| {
        let mut sizes: Vec<u32> = (0..count).filter(|&c| chosen(c)).map(|c| size[c]).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.chunk_by(|a, b| a == b).map(|chunk| (chunk[0], chunk.len() as u32)).collect()
    };
    let (all, cyclic) = (sizes(&|_| true), sizes(&|c| cyclic[c]));
    Summary { all, cyclic, terminal: sizes(&|c| !left[c]) }
}
