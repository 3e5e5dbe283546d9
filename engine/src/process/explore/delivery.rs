//! Output of transitions: to the callbacks as text, or into columns.

use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::process::explore::statistics::{Callbacks, Output};
use crate::process::output::ChunkTransitions;
use crate::process::store::NONE;
use std::sync::Arc;

/// The number of bytes of text from which it is handed to the callbacks.
const BLOCK: usize = 1 << 15;

/// Passes transitions on as text, or collects them in columns.
pub struct Delivery {
    output: Output,
    /// Buffered text, too short to be handed over.
    block: Vec<u8>,
    columns: [Vec<u32>; 3],
    /// For every label its number in the columns, in order of first use; `NONE` if unused.
    numbers: Vec<u32>,
    used: Vec<u32>,
}

impl Delivery {
    /// No transitions yet.
    pub fn new(output: Output) -> Self {
        Self {
            output,
            block: Vec::new(),
            columns: Default::default(),
            numbers: Vec::new(),
            used: Vec::new(),
        }
    }

    /// Accepts transitions, in order.
    pub fn deliver(&mut self, ready: &[ChunkTransitions], callbacks: &mut dyn Callbacks) {
        match self.output {
            Output::Nothing => {}
            Output::Text => {
                ready.iter().for_each(|transitions| self.write(transitions.text(), callbacks))
            }
            Output::Columns => ready.iter().for_each(|transitions| self.append(transitions)),
        }
    }

    /// Hands over the buffered text.
    pub fn finish(&mut self, callbacks: &mut dyn Callbacks) {
        if !self.block.is_empty() {
            callbacks.write(&std::mem::take(&mut self.block));
        }
    }

    /// Writes text; it is copied at most once, and soon, while it is in the cache.
    fn write(&mut self, text: &[u8], callbacks: &mut dyn Callbacks) {
        if self.block.is_empty() && text.len() > BLOCK {
            return callbacks.write(text);
        }
        self.block.extend_from_slice(text);
        if self.block.len() > BLOCK {
            callbacks.write(&self.block);
            self.block.clear();
        }
    }

    fn append(&mut self, transitions: &ChunkTransitions) {
        self.columns[0].extend_from_slice(&transitions.source);
        self.columns[2].extend_from_slice(&transitions.target);
        for &label in &transitions.label {
            if self.numbers.len() <= label as usize {
                self.numbers.resize(label as usize + 1, NONE);
            }
            let number = &mut self.numbers[label as usize];
            if *number == NONE {
                *number = u32::at(self.used.len());
                self.used.push(label);
            }
            self.columns[1].push(*number);
        }
    }

    /// The LTS made of the columns, if columns were requested; `all` are the labels as numbered in
    /// the transitions.
    pub fn lts(self, all: &Labels, states: u32) -> Option<Lts> {
        if self.output != Output::Columns {
            return None;
        }
        let labels: Labels = self.used.iter().map(|&label| all.get(Label(label))).collect();
        let internal = labels.find(b"tau").into_iter().collect();
        Some(Lts::of_numbers(0, states, self.columns, Arc::new(labels), Arc::new(internal)))
    }
}
