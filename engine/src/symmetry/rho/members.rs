//! The states and transitions of the original, orbit by orbit and stored transition by stored
//! transition.

use crate::base::cancel::{Cancel, Result};
use crate::symmetry::annotated_quotient::{Cosets, Quotient};
use crate::symmetry::rho::coset_tables::CosetTables;

/// All members of all orbits.
///
/// The states of orbit o are `bases[o]..bases[o + 1]`, the representative first; state s is
/// `element[s] r(o)`, where the elements are numbered by `cosets`. The transitions that stored
/// transition i stands for are `starts[i]..starts[i + 1]` in the columns, itself first.
pub struct Members {
    pub bases: Vec<u32>,
    pub element: Vec<u32>,
    pub starts: Vec<usize>,
    pub source: Vec<u32>,
    pub label: Vec<u32>,
    pub target: Vec<u32>,
    pub cosets: Cosets,
}

impl Members {
    /// The members of a quotient with fewer than 2^32 states.
    pub fn new(quotient: &Quotient, cancel: &Cancel) -> Result<Self> {
        let mut tables = CosetTables::new(quotient);
        let bases = tables.bases(cancel)?;
        let mut element = Vec::new();
        for &stabiliser in &quotient.stabiliser {
            element.extend_from_slice(&tables.elements(stabiliser, cancel)?);
        }
        let (mut starts, mut unchecked) = (vec![0], 0);
        let [mut source, mut label, mut target] = [const { Vec::new() }; 3];
        for transition in 0..quotient.source.len() {
            let all = tables.represented(transition, cancel)?;
            let orbit = quotient.source[transition] as usize;
            for (i, state) in (bases[orbit]..bases[orbit + 1]).enumerate() {
                cancel.check_every(&mut unchecked, 1 + all.len())?;
                for images in &all {
                    source.push(state);
                    label.push(images.labels[i]);
                    target.push(bases[images.orbit as usize] + images.targets[i]);
                }
            }
            starts.push(source.len());
        }
        Ok(Self { bases, element, starts, source, label, target, cosets: tables.cosets })
    }

    pub fn states(&self) -> usize {
        self.element.len()
    }
}
