//! Internal steps without end.

use super::POLL_EVERY;
use super::outgoing::Outgoing;
use crate::lts::Lts;

/// States by what internal steps they can do.
pub struct Divergence {
    /// For every state, whether it lies on a cycle of internal steps (a loop is one).
    pub on_cycle: Vec<bool>,
    /// For every state, whether it can do internal steps forever: it reaches such a cycle by them.
    pub divergent: Vec<bool>,
}

const NEW: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

/// The divergences of `lts`, by the strongly connected components of its internal steps.
///
/// Tarjan's algorithm (SIAM J. Comput. 1(2), 1972) without recursion. A component is complete after
/// all that it reaches, so that its successors are known to diverge or not.
pub fn divergence(lts: &Lts, poll: &mut dyn FnMut() -> bool) -> Option<Divergence> {
    let internal = lts.internal_mask();
    let outgoing = Outgoing::with_labels(lts, |label| internal[label as usize]);
    let states = lts.states as usize;
    let mut on_cycle = vec![false; states];
    let mut divergent = vec![false; states];
    // The least place on `open` that a state is known to reach; open states only.
    let mut low = vec![NEW; states];
    let mut open: Vec<u32> = Vec::new();
    // States on the current path: state, its place on `open`, the next of its rows.
    let mut path: Vec<(u32, u32, usize)> = Vec::new();
    let mut steps = 0;
    for root in 0..lts.states {
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
                on_cycle[s] |= t == s;
                match low[t] {
                    NEW => {
                        low[t] = open.len() as u32;
                        path.push((target, open.len() as u32, 0));
                        open.push(target);
                    }
                    DONE => divergent[s] |= divergent[t],
                    reached => low[s] = low[s].min(reached),
                }
                continue;
            }
            path.pop();
            if low[s] == place {
                let component = &open[place as usize..];
                let cycle = component.len() > 1;
                let diverges = cycle
                    || component.iter().any(|&c| divergent[c as usize] || on_cycle[c as usize]);
                for &c in component {
                    on_cycle[c as usize] |= cycle;
                    divergent[c as usize] = diverges;
                    low[c as usize] = DONE;
                }
                open.truncate(place as usize);
            }
            if let Some(&(parent, ..)) = path.last() {
                let p = parent as usize;
                if low[s] == DONE {
                    divergent[p] |= divergent[s];
                } else {
                    low[p] = low[p].min(low[s]);
                }
            }
        }
    }
    Some(Divergence { on_cycle, divergent })
}
