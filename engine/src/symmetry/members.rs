//! The states and transitions that a quotient stands for, orbit by orbit and row by row.

use super::quotient::{Cosets, Quotient};
use crate::group::elements::IDENTITY;
use rustc_hash::FxHashMap;

/// All members of all orbits.
///
/// The states of orbit o are `bases[o]..bases[o + 1]`, the representative first; state s is
/// `element[s] r(o)`, where the elements are numbered by `cosets`. The transitions of row i are
/// `rows[i]..rows[i + 1]` in the columns, the row itself first.
pub struct Members {
    pub bases: Vec<u32>,
    pub element: Vec<u32>,
    pub rows: Vec<usize>,
    pub source: Vec<u32>,
    pub label: Vec<u32>,
    pub target: Vec<u32>,
    pub cosets: Cosets,
}

impl Members {
    /// There must be fewer states than 2^32.
    pub fn new(quotient: &Quotient) -> Self {
        let mut cosets = Cosets::new(quotient);
        let group = &quotient.group;
        let generators: Vec<u32> = (0..group.generators.len())
            .map(|i| cosets.elements.intern(group.generator(i)))
            .collect();
        let (mut bases, mut element) = (vec![0u32], Vec::new());
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (orbit, &stabiliser) in (0..).zip(&quotient.stabiliser) {
            let mut at = element.len();
            numbers.insert((orbit, IDENTITY), at as u32);
            element.push(IDENTITY);
            while at < element.len() {
                for &generator in &generators {
                    let product = cosets.elements.compose(generator, element[at]);
                    let image = cosets.least(product, stabiliser);
                    let next = element.len() as u32;
                    if *numbers.entry((orbit, image)).or_insert(next) == next {
                        element.push(image);
                    }
                }
                at += 1;
            }
            bases.push(element.len() as u32);
        }
        let mut rows = vec![0];
        let mut columns: [Vec<u32>; 3] = Default::default();
        for row in 0..quotient.source.len() {
            let steps = cosets.row(quotient, row);
            let source = quotient.source[row] as usize;
            let stabiliser = quotient.stabiliser[quotient.target[row] as usize];
            for state in bases[source]..bases[source + 1] {
                for &step in &steps {
                    let image = cosets.step(element[state as usize], step, stabiliser);
                    let target = numbers[&(image.2, image.1)];
                    for (column, value) in columns.iter_mut().zip([state, image.0, target]) {
                        column.push(value);
                    }
                }
            }
            rows.push(columns[0].len());
        }
        let [source, label, target] = columns;
        Self { bases, element, rows, source, label, target, cosets }
    }

    pub fn states(&self) -> usize {
        self.element.len()
    }
}
