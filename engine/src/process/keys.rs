//! Computes the keys of table lookups for many states at once.
//!
//! Processing all states of a block for one table after the other, rather than all tables for one
//! state after the other, lets the processor fetch memory for many states at a time.

use crate::base::lock::Locked;
use crate::process::evaluator::Evaluator;
use crate::process::plan::Input;
use crate::process::step_tables::UNDEFINED;
use crate::process::store::Block;
use crate::process::store::memo_table::FREE;
use crate::process::tables::Tables;
use std::sync::Mutex;

/// Looks up derived values, and computes those that are not known.
pub struct TableKeys<'a, 'p> {
    pub tables: &'a Tables,
    pub evaluator: &'a Mutex<Evaluator<'p>>,
}

/// Memory for lookups, and the number of lookups in each table.
#[derive(Default)]
pub struct LookupScratch {
    spare: Vec<Vec<u32>>,
    view: Vec<u32>,
    /// The number of lookups of each derived value.
    pub lookups: Vec<u64>,
}

impl LookupScratch {
    /// No lookups yet.
    pub fn new(tables: &Tables) -> Self {
        Self { lookups: vec![0; tables.plan.derived.len()], ..Self::default() }
    }

    /// Takes an empty column, to be returned by [`LookupScratch::give`].
    pub fn take(&mut self) -> Vec<u32> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes a column back for reuse.
    pub fn give(&mut self, mut column: Vec<u32>) {
        column.clear();
        self.spare.push(column);
    }
}

impl TableKeys<'_, '_> {
    /// The values of `inputs` in the states `at` of the block, input by input; `UNDEFINED` where a
    /// value cannot be computed.
    pub fn keys(
        &self,
        inputs: &[Input],
        block: &Block,
        at: &[u32],
        spare: &mut LookupScratch,
        keys: &mut Vec<u32>,
    ) {
        keys.clear();
        for &input in inputs {
            match input {
                Input::Position(position) => {
                    let column = block.column(position);
                    keys.extend(at.iter().map(|&at| column[at as usize]));
                }
                Input::Derived(number) => {
                    let mut values = spare.take();
                    self.derived(number, block, at, spare, &mut values);
                    keys.extend_from_slice(&values);
                    spare.give(values);
                }
            }
        }
    }

    /// The value of derived value `number` in the states `at` of the block; `UNDEFINED` where it
    /// cannot be computed.
    pub fn derived(
        &self,
        number: u32,
        block: &Block,
        at: &[u32],
        spare: &mut LookupScratch,
        values: &mut Vec<u32>,
    ) {
        let derived = &self.tables.plan.derived[number as usize];
        let mut keys = spare.take();
        self.keys(&derived.inputs, block, at, spare, &mut keys);
        spare.lookups[number as usize] += at.len() as u64;
        let memo = self.tables.derived(number);
        memo.get_many(&keys, at.len(), values);
        for (k, value) in values.iter_mut().enumerate() {
            if *value == FREE {
                *value = self.missing(number, block, (&keys, at, k), spare);
            }
        }
        spare.give(keys);
    }

    /// Computes a derived value that is not in its table, for the `k`th of the keys and of the
    /// states `at`.
    #[cold]
    fn missing(
        &self,
        number: u32,
        block: &Block,
        (keys, at, k): (&[u32], &[u32], usize),
        spare: &mut LookupScratch,
    ) -> u32 {
        let mut key = spare.take();
        key.extend(keys.iter().skip(k).step_by(at.len()));
        let value = if key.contains(&UNDEFINED) {
            UNDEFINED
        } else {
            spare.view.clear();
            block.view(at[k], &mut spare.view);
            let mut evaluator = self.evaluator.locked();
            let keep = self.tables.keeps_derived(number);
            evaluator.derived(&self.tables.plan, number, &key, &spare.view, keep)
        };
        spare.give(key);
        value
    }
}
