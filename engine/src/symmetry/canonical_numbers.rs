//! Canonical numbering of labels and elements, which does not depend on how a quotient was
//! computed.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::ids::{Label, NONE};
use crate::base::label_table::Labels;
use crate::group::action::Group;
use crate::group::element_table::Elements;
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::NoGroup;
use crate::symmetry::annotated_quotient::Quotient;
use crate::symmetry::orbits_of_lts::joined;
use std::sync::Arc;

impl Quotient {
    /// The same quotient with labels and elements numbered in the order of their first occurrence
    /// in transitions. These labels are followed by their images that occur in no transition,
    /// sorted by text; all other labels are dropped.
    pub fn canonical(self, cancel: &Cancel) -> Result<Self, NoGroup> {
        let points = self.group.points;
        let moved = |g: &Permutation, label: u32| g[points + label as usize] - u32::at(points);
        let mut number = vec![NONE; self.labels.len()];
        let mut order = Vec::new();
        for &label in &self.label {
            if number[label as usize] == NONE {
                number[label as usize] = u32::at(order.len());
                order.push(label);
            }
        }
        let used = order.len();
        let mut at = 0;
        while at < order.len() {
            for generator in &self.group.generators {
                let image = moved(generator, order[at]);
                if number[image as usize] == NONE {
                    number[image as usize] = u32::at(order.len());
                    order.push(image);
                }
            }
            at += 1;
        }
        order[used..].sort_by_key(|&label| self.labels.get(Label(label)));
        let mut labels = Labels::new();
        for (&label, position) in order.iter().zip(0..) {
            number[label as usize] = position;
            labels.intern(self.labels.get(Label(label)));
        }
        let generators = self.group.generators.iter().map(|g| {
            let images = order.iter().map(|&label| number[moved(g, label) as usize]);
            joined(&g[..points], &images.collect::<Vec<u32>>())
        });
        let group = Group::new(points, labels.len(), generators.collect(), cancel)?;
        let mut elements = Elements::new(points);
        let shift = self.shift.iter().map(|&shift| elements.intern(self.elements.get(shift)));
        let shift = shift.collect();
        let renumbered = |&label: &u32| number[label as usize];
        Ok(Self {
            group: Arc::new(group),
            elements,
            label: self.label.iter().map(renumbered).collect(),
            shift,
            internal: self.internal.iter().map(renumbered).filter(|&n| n != NONE).collect(),
            labels: Arc::new(labels),
            ..self
        })
    }
}
