//! What is asked of every LTS before any equivalence or symmetry: linear in its size.
//!
//! Long work calls `poll` now and then; when that says no it gives up and returns `None`.
//!
//! Each file stands by itself. `reachable`, `shortest_paths`, `scc_summary` and `offers` look at all
//! transitions, `tau_closure` and `divergence` at the internal ones; `label_patterns` and `hide` say
//! which are internal.

pub mod divergence;
pub mod hide;
pub mod label_patterns;
pub mod offers;
pub mod reachable;
pub mod scc_summary;
pub mod shortest_paths;
pub mod tau_closure;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::POLL_EVERY;
    use crate::base::label_table::Labels;
    use crate::base::lts::Lts;

    /// A chain of internal steps, long enough for several calls of `poll`.
    fn chain() -> Lts {
        let length = 3 * POLL_EVERY as u32;
        let labels = [b"tau".as_slice()].into_iter().collect::<Labels>();
        let source: Vec<u32> = (0..length).collect();
        let target: Vec<u32> = (1..=length).collect();
        Lts::new(0, length + 1, source, vec![0; length as usize], target, labels).unwrap()
    }

    #[test]
    fn all_work_stops_when_it_is_told_to() {
        type Work = fn(&Lts, &mut dyn FnMut() -> bool) -> bool;
        let all: [Work; 7] = [
            |lts, poll| reachable::reachable_states(lts, poll).is_some(),
            |lts, poll| reachable::restrict(lts, poll).is_some(),
            |lts, poll| offers::nondeterministic_states(lts, poll).is_some(),
            |lts, poll| offers::duplicates(lts, poll).is_some(),
            |lts, poll| divergence::divergence(lts, poll).is_some(),
            |lts, poll| scc_summary::summary(lts, true, poll).is_some(),
            |lts, poll| shortest_paths::nearest(lts, |_| false, 1, poll).is_some(),
        ];
        let lts = chain();
        for work in all {
            let mut calls = 0;
            assert!(work(&lts, &mut || {
                calls += 1;
                true
            }));
            assert!(calls >= 3);
            for allowed in 0..calls {
                let mut left = allowed;
                assert!(!work(&lts, &mut || {
                    left -= 1;
                    left >= 0
                }));
            }
        }
    }
}
