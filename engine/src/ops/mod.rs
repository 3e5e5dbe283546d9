//! Operations on any LTS that equivalences and symmetry use; each takes time linear in its size.
//!
//! The files are independent of each other. `reachable`, `shortest_paths`, `scc_summary` and
//! `offers` use all transitions, `tau_closure` and `divergence` the internal ones. `label_patterns`
//! and `hide` determine which labels are internal. `interface` restricts one system by another.

pub mod divergence;
pub mod hide;
pub mod interface;
pub mod label_patterns;
pub mod offers;
pub mod reachable;
pub mod scc_summary;
pub mod shortest_paths;
pub mod tau_closure;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::{CHECK_EVERY, Cancel};
    use crate::base::label_table::Labels;
    use crate::base::lts::Lts;

    /// A chain of internal steps, long enough for several cancellation checks.
    fn chain() -> Lts {
        let length = 3 * CHECK_EVERY as u32;
        let labels = [b"tau".as_slice()].into_iter().collect::<Labels>();
        let source: Vec<u32> = (0..length).collect();
        let target: Vec<u32> = (1..=length).collect();
        Lts::new(0, length + 1, source, vec![0; length as usize], target, labels).unwrap()
    }

    #[test]
    fn all_work_stops_when_cancelled() {
        type Work = fn(&Lts, &Cancel) -> bool;
        let all: [Work; 8] = [
            |lts, cancel| reachable::reachable_states(lts, cancel).is_ok(),
            |lts, cancel| reachable::restrict(lts, cancel).is_ok(),
            |lts, cancel| interface::allowed(lts, lts, &[None], &[false], cancel).is_ok(),
            |lts, cancel| offers::nondeterministic_states(lts, cancel).is_ok(),
            |lts, cancel| offers::duplicates(lts, cancel).is_ok(),
            |lts, cancel| divergence::divergence(lts, cancel).is_ok(),
            |lts, cancel| scc_summary::summary(lts, true, cancel).is_ok(),
            |lts, cancel| shortest_paths::nearest(lts, |_| false, 1, cancel).is_ok(),
        ];
        let lts = chain();
        for work in all {
            let checks = Cancel::checks_of(|cancel| assert!(work(&lts, cancel)));
            assert!(checks >= 3);
            for allowed in 0..checks {
                assert!(!work(&lts, &Cancel::after(allowed)));
            }
        }
    }
}
