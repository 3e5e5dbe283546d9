//! The transitions that were found, as text or as columns.

use super::expand::Piece;
use crate::aut::write::decimal;
use crate::labels::Labels;
use crate::ops::names::Names;
use rustc_hash::FxHashSet;

/// Labels as they stand in a line of a file, quotes and commas around them.
#[derive(Default)]
pub struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    hidden: Names,
}

impl Texts {
    /// Labels that `hidden` names are shown as `tau`.
    pub fn new(hidden: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self { hidden: hidden.into_iter().collect(), ..Self::default() }
    }

    /// Adds the labels that are new in `labels`.
    pub fn extend(&mut self, labels: &Labels) {
        for id in self.ends.len() as u32..labels.len() as u32 {
            let label = labels.get(id);
            let hidden = self.hidden.has(label);
            self.bytes.extend_from_slice(b",\"");
            self.bytes.extend_from_slice(if hidden { b"tau" } else { label });
            self.bytes.extend_from_slice(b"\",");
            self.ends.push(self.bytes.len());
        }
    }

    fn get(&self, id: u32) -> &[u8] {
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] };
        &self.bytes[start..self.ends[id as usize]]
    }
}

/// The transitions of a piece, each once.
#[derive(Default)]
pub struct Rows {
    pub text: Vec<u8>,
    pub source: Vec<u32>,
    pub label: Vec<u32>,
    pub target: Vec<u32>,
    pub count: usize,
    seen: FxHashSet<(u32, u32)>,
}

/// So many steps of one state are compared with each other; more are put into a set.
const FEW: usize = 24;

impl Rows {
    /// Forgets everything but the memory, and takes the steps of `piece`, whose targets all have
    /// their numbers: as text if there are `texts`, else as columns. Of equal steps the first stays.
    pub fn fill(&mut self, piece: &Piece, texts: Option<&Texts>) {
        self.text.clear();
        self.source.clear();
        self.label.clear();
        self.target.clear();
        self.count = 0;
        let mut from = 0;
        for (state, &degree) in piece.states.clone().zip(&piece.degrees) {
            let to = from + degree as usize;
            let (labels, targets) = (&piece.labels[from..to], &piece.targets[from..to]);
            if labels.len() > FEW {
                self.seen.clear();
            }
            for (i, (&label, &target)) in labels.iter().zip(targets).enumerate() {
                let known = if labels.len() <= FEW {
                    (0..i).any(|j| targets[j] == target && labels[j] == label)
                } else {
                    !self.seen.insert((label, target))
                };
                if known {
                    continue;
                }
                self.count += 1;
                match texts {
                    Some(texts) => {
                        self.text.push(b'(');
                        decimal(state, &mut self.text);
                        self.text.extend_from_slice(texts.get(label));
                        decimal(target, &mut self.text);
                        self.text.extend_from_slice(b")\n");
                    }
                    None => {
                        self.source.push(state);
                        self.label.push(label);
                        self.target.push(target);
                    }
                }
            }
            from = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_step_that_stands_twice_is_written_once(
            states in prop::collection::vec(prop::collection::vec((0u32..3, 0u32..9), 0..60), 0..6),
        ) {
            let mut piece = Piece { states: 5..5 + states.len() as u32, ..Piece::default() };
            let mut expected: Vec<(u32, u32, u32)> = Vec::new();
            for (state, steps) in (5..).zip(&states) {
                piece.degrees.push(steps.len() as u32);
                for &(label, target) in steps {
                    piece.labels.push(label);
                    piece.targets.push(target);
                    if !expected.contains(&(state, label, target)) {
                        expected.push((state, label, target));
                    }
                }
            }
            let mut rows = Rows::default();
            rows.fill(&piece, None);
            let found: Vec<_> = (rows.source.iter().zip(&rows.label).zip(&rows.target))
                .map(|((&s, &a), &t)| (s, a, t))
                .collect();
            prop_assert_eq!(&found, &expected);
            let mut texts = Texts::new([b"b".to_vec()]);
            texts.extend(&[&b"a(1)"[..], b"b(\"x\")", b"c"].into_iter().collect());
            rows.fill(&piece, Some(&texts));
            let names = ["a(1)", "tau", "c"];
            let lines: String = expected
                .iter()
                .map(|&(s, a, t)| format!("({s},\"{}\",{t})\n", names[a as usize]))
                .collect();
            prop_assert_eq!(String::from_utf8(rows.text).unwrap(), lines);
            prop_assert_eq!(rows.count, expected.len());
        }
    }
}
