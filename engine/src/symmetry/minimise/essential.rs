//! The essential transitions of weak classes: those that no others imply.

use super::super::quotient::Step;
use super::DELTA;
use super::places::Classes;
use crate::group::elements::IDENTITY;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Of the signatures of the representatives of orbits of classes what the minimal system keeps, each
/// a set without order.
///
/// An internal step is implied by two others, one after the other, and one to the own class by none.
/// A visible one is implied by the same after an internal step, or by internal steps behind another
/// one with its label. Internal steps go down in an order on the classes, so that what implies a
/// transition is implied by essential ones in the end.
pub fn essential(signatures: &[Rc<[Step]>], tau: u32, classes: &mut Classes) -> Vec<Vec<Step>> {
    // The classes strictly below each, as internal steps.
    let below: Vec<Vec<Step>> = (0..)
        .zip(signatures)
        .map(|(own, signature)| {
            let steps = signature.iter().copied().filter(|&(label, ..)| label == tau);
            steps.filter(|&step| step != (tau, IDENTITY, own)).collect()
        })
        .collect();
    signatures
        .iter()
        .zip(&below)
        .map(|(signature, silent)| {
            let mut implied: FxHashSet<Step> = FxHashSet::default();
            for &(_, shift, class) in silent {
                let all = below[class as usize].iter();
                implied.extend(all.map(|&step| classes.image(shift, step)));
            }
            let direct = silent.iter().copied().filter(|step| !implied.contains(step));
            let mut rows: Vec<Step> = direct.collect();
            implied.clear();
            for &(_, shift, class) in &rows {
                let all = signatures[class as usize].iter();
                implied.extend(all.map(|&step| classes.image(shift, step)));
            }
            let visible = signature.iter().copied().filter(|&(label, ..)| label != tau);
            let first: Vec<Step> = visible.filter(|step| !implied.contains(step)).collect();
            implied.clear();
            for &(label, shift, class) in &first {
                for &step in &below[class as usize] {
                    let (_, shift, class) = classes.image(shift, step);
                    implied.insert((label, shift, class));
                }
            }
            rows.extend(first.into_iter().filter(|step| !implied.contains(step)));
            debug_assert!(rows.iter().all(|step| step.0 != DELTA || step.1 == IDENTITY));
            rows
        })
        .collect()
}
