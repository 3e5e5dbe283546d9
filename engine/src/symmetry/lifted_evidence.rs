//! Evidence for a formula that was checked on the graph of the orbits, as part of the LTS itself.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::group::element_table::IDENTITY;
use crate::group::permutation::Permutation;
use crate::symmetry::annotated_quotient::{Cosets, Quotient};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A path of an LTS over stored transitions of its quotient.
#[derive(Debug, PartialEq, Eq)]
pub struct LabelPath {
    pub labels: Vec<u32>,
    /// The position from which the path repeats, if it does.
    pub again: Option<usize>,
    /// For each step the label of its stored transition, and the position in `elements` of the
    /// element that maps the stored transition to the step.
    pub preimages: Vec<(u32, u32)>,
    /// Elements, as permutations of the labels.
    pub elements: Vec<Permutation>,
}

impl Quotient {
    /// The quotient of the transitions that some stored transitions, in ascending order, stand for:
    /// those that a path of such transitions from the initial state reaches.
    pub fn restricted(&self, transitions: &[u32]) -> Self {
        let of = |orbit: u32| {
            let begin =
                transitions.partition_point(|&transition| self.source[transition as usize] < orbit);
            let end = transitions
                .partition_point(|&transition| self.source[transition as usize] <= orbit);
            &transitions[begin..end]
        };
        let mut number = vec![NONE; self.orbits()];
        number[self.initial as usize] = 0;
        let mut waiting = vec![self.initial];
        while let Some(orbit) = waiting.pop() {
            for &transition in of(orbit) {
                let target = self.target[transition as usize];
                if number[target as usize] == NONE {
                    number[target as usize] = 0;
                    waiting.push(target);
                }
            }
        }
        let mut stabiliser = Vec::new();
        for (orbit, number) in number.iter_mut().enumerate().filter(|(_, n)| **n != NONE) {
            *number = u32::at(stabiliser.len());
            stabiliser.push(self.stabiliser[orbit]);
        }
        let chosen = || {
            let transitions = transitions.iter().map(|&transition| transition as usize);
            transitions.filter(|&transition| number[self.source[transition] as usize] != NONE)
        };
        Self {
            group: Arc::clone(&self.group),
            names: self.names.clone(),
            elements: self.elements.clone(),
            stabilisers: Arc::clone(&self.stabilisers),
            stabiliser,
            initial: number[self.initial as usize],
            source: chosen().map(|transition| number[self.source[transition] as usize]).collect(),
            label: chosen().map(|transition| self.label[transition]).collect(),
            shift: chosen().map(|transition| self.shift[transition]).collect(),
            target: chosen().map(|transition| number[self.target[transition] as usize]).collect(),
            labels: Arc::clone(&self.labels),
            internal: self.internal.clone(),
            sizes: OnceLock::new(),
        }
    }

    /// The labels of a path of the LTS from the initial state, whose transitions are images of
    /// these transitions, one after the other. If the transitions repeat from position `again` on,
    /// the path repeats, too: from the first state that it reaches twice at that position. None if
    /// it takes more than `most` transitions until then.
    pub fn lifted(
        &self,
        transitions: &[u32],
        again: Option<usize>,
        most: usize,
        cancel: &Cancel,
    ) -> Result<Option<LabelPath>> {
        let mut cosets = Cosets::new(self);
        let (mut labels, mut origins, mut at) = (Vec::new(), Vec::new(), IDENTITY);
        let mut walk = |at: &mut u32, labels: &mut Vec<u32>, transitions: &[u32]| {
            for &transition in transitions {
                let transition = transition as usize;
                labels.push(cosets.label(*at, self.label[transition]));
                origins.push((self.label[transition], *at));
                let stabiliser = self.stabiliser[self.target[transition] as usize];
                *at = cosets.least_of_product(*at, self.shift[transition], stabiliser);
            }
            labels.len() <= most
        };
        let (first, loops) = transitions.split_at(again.unwrap_or(transitions.len()));
        if !walk(&mut at, &mut labels, first) {
            return Ok(None);
        }
        // The state is given by its orbit, which is the same after each loop, and by a coset.
        let mut begun = FxHashMap::default();
        let mut lifted_again = None;
        while again.is_some() {
            lifted_again = begun.get(&at).copied();
            if lifted_again.is_some() {
                break;
            }
            begun.insert(at, labels.len());
            if !walk(&mut at, &mut labels, loops) {
                return Ok(None);
            }
        }
        let (mut positions, mut used) = (FxHashMap::default(), Vec::new());
        let preimages = origins.into_iter().map(|(label, element)| {
            let position = *positions.entry(element).or_insert_with(|| {
                used.push(element);
                u32::at(used.len() - 1)
            });
            (label, position)
        });
        let (preimages, mut elements, mut unchecked) = (preimages.collect(), Vec::new(), 0);
        for element in used {
            cancel.check_every(&mut unchecked, self.labels.len())?;
            let labels = 0..u32::at(self.labels.len());
            elements.push(labels.map(|label| cosets.label(element, label)).collect());
        }
        Ok(Some(LabelPath { labels, again: lifted_again, preimages, elements }))
    }
}
