//! Transitions as text or as columns.

use crate::aut::write::digits;
use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::ops::label_patterns::Names;
use crate::process::chunk::Chunk;
use crate::process::distinct_steps::DistinctSteps;
use std::ops::Range;

/// Labels as they occur in a line of a file, with quotes and commas around them.
#[derive(Default)]
pub struct Texts {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
    hidden: Names,
}

impl Texts {
    /// Labels are written without the actions that `hidden` names.
    pub fn new(hidden: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self { hidden: hidden.into_iter().collect(), ..Self::default() }
    }

    /// Adds the labels of `labels` that are new.
    pub fn extend(&mut self, labels: &Labels) {
        for id in u32::at(self.offsets.len())..u32::at(labels.len()) {
            let label = labels.get(Label(id));
            self.bytes.extend_from_slice(b",\"");
            self.bytes.extend_from_slice(&self.hidden.shown(label));
            self.bytes.extend_from_slice(b"\",");
            self.offsets.push(self.bytes.len());
            self.bytes.extend_from_slice(&[0; CHUNK]);
        }
    }

    /// The range of a label in `bytes`.
    fn span(&self, id: u32) -> Range<usize> {
        let start = if id == 0 { 0 } else { self.offsets[id as usize - 1] + CHUNK };
        start..self.offsets[id as usize]
    }
}

/// The number of bytes copied at a time.
const CHUNK: usize = 16;

/// A text buffer with spare room behind its end, so that whole chunks can be copied.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    end: usize,
}

impl Text {
    /// Makes room for `more` bytes.
    fn reserve(&mut self, more: usize) {
        if self.bytes.len() < self.end + more + CHUNK {
            self.bytes.resize((self.end + more + CHUNK) * 2, 0);
        }
    }

    /// Appends a part of `bytes`, behind which at least `CHUNK` more bytes exist. There must be
    /// room.
    fn copy(&mut self, bytes: &[u8], part: Range<usize>) {
        let mut to = self.end;
        self.end += part.len();
        for from in part.step_by(CHUNK) {
            self.bytes[to..to + CHUNK].copy_from_slice(&bytes[from..from + CHUNK]);
            to += CHUNK;
        }
    }
}

/// The transitions of a chunk, without duplicates.
#[derive(Default)]
pub struct ChunkTransitions {
    text: Text,
    pub source: Vec<u32>,
    pub label: Vec<u32>,
    pub target: Vec<u32>,
    pub count: usize,
    distinct: DistinctSteps<u32>,
}

impl ChunkTransitions {
    /// The transitions as text.
    pub fn text(&self) -> &[u8] {
        &self.text.bytes[..self.text.end]
    }

    /// Replaces the contents by the steps of `chunk`, whose targets must all be numbered: as text
    /// if `texts` is given, otherwise as columns. Of equal steps the first is retained.
    pub fn fill(&mut self, chunk: &Chunk, texts: Option<&Texts>) {
        self.text.end = 0;
        self.source.clear();
        self.label.clear();
        self.target.clear();
        self.count = 0;
        let mut from = 0;
        let mut distinct = std::mem::take(&mut self.distinct);
        for (state, &degree) in chunk.states.clone().zip(&chunk.degrees) {
            let to = from + degree as usize;
            let mut source = [b'('; 2 * CHUNK];
            let length = 1 + digits(state, &mut source[1..=CHUNK]);
            let (labels, targets) = (&chunk.labels[from..to], &chunk.targets[from..to]);
            distinct.each(labels, targets, |i| {
                let (label, target) = (labels[i], targets[i]);
                self.count += 1;
                match texts {
                    Some(texts) => {
                        let label = texts.span(label);
                        self.text.reserve(label.len() + 3 * CHUNK);
                        self.text.copy(&source, 0..length);
                        self.text.copy(&texts.bytes, label);
                        let mut end = [0; 2 * CHUNK];
                        let length = digits(target, &mut end);
                        end[length..length + 2].copy_from_slice(b")\n");
                        self.text.copy(&end, 0..length + 2);
                    }
                    None => {
                        self.source.push(state);
                        self.label.push(label);
                        self.target.push(target);
                    }
                }
            });
            from = to;
        }
        self.distinct = distinct;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn duplicate_steps_are_written_once(
            states in prop::collection::vec(prop::collection::vec((0u32..3, 0u32..9), 0..60), 0..6),
        ) {
            let mut chunk = Chunk { states: 5..5 + states.len() as u32, ..Chunk::default() };
            let mut expected: Vec<(u32, u32, u32)> = Vec::new();
            for (state, steps) in (5..).zip(&states) {
                chunk.degrees.push(steps.len() as u32);
                for &(label, target) in steps {
                    chunk.labels.push(label);
                    chunk.targets.push(target);
                    if !expected.contains(&(state, label, target)) {
                        expected.push((state, label, target));
                    }
                }
            }
            let mut transitions = ChunkTransitions::default();
            transitions.fill(&chunk, None);
            let written: Vec<_> = (transitions.source.iter().zip(&transitions.label).zip(&transitions.target))
                .map(|((&s, &a), &t)| (s, a, t))
                .collect();
            prop_assert_eq!(&written, &expected);
            let mut texts = Texts::new([b"b".to_vec()]);
            texts.extend(&[&b"a(1)"[..], b"b(\"x\")", b"c"].into_iter().collect());
            transitions.fill(&chunk, Some(&texts));
            let names = ["a(1)", "tau", "c"];
            let lines: String = expected
                .iter()
                .map(|&(s, a, t)| format!("({s},\"{}\",{t})\n", names[a as usize]))
                .collect();
            prop_assert_eq!(std::str::from_utf8(transitions.text()).unwrap(), lines);
            prop_assert_eq!(transitions.count, expected.len());
        }
    }
}
