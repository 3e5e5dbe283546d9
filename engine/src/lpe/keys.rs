//! What local steps depend on, in many states at once.
//!
//! Going through the states of a block for one table after the other, rather than through the tables
//! for one state after the other, lets the processor fetch for many states at a time.

use crate::lpe::evaluator::Evaluator;
use crate::lpe::plan::Input;
use crate::lpe::step_tables::DOUBT;
use crate::lpe::store::Block;
use crate::lpe::store::memo_table::FREE;
use crate::lpe::tables::Tables;
use std::sync::Mutex;

/// Where derived values are looked up, and computed where they are not known.
pub struct TableKeys<'a, 'p> {
    pub tables: &'a Tables,
    pub evaluator: &'a Mutex<Evaluator<'p>>,
}

/// Memory for lookups, and how often was looked into each table.
#[derive(Default)]
pub struct Columns {
    spare: Vec<Vec<u32>>,
    view: Vec<u32>,
    /// Of derived values.
    pub lookups: Vec<u64>,
}

impl Columns {
    /// Nothing was looked up yet.
    pub fn new(tables: &Tables) -> Self {
        Self { lookups: vec![0; tables.plan.derived.len()], ..Self::default() }
    }

    /// A column to be given back.
    pub fn take(&mut self) -> Vec<u32> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes a column back.
    pub fn give(&mut self, mut column: Vec<u32>) {
        column.clear();
        self.spare.push(column);
    }
}

impl TableKeys<'_, '_> {
    /// The values of `inputs` in the states `at` of the block: first all of the first, then all of the
    /// second, and so on; `DOUBT` where there is none.
    pub fn keys(
        &self,
        inputs: &[Input],
        block: &Block,
        at: &[u32],
        columns: &mut Columns,
        keys: &mut Vec<u32>,
    ) {
        keys.clear();
        for &input in inputs {
            match input {
                Input::Place(place) => {
                    let column = block.column(place);
                    keys.extend(at.iter().map(|&at| column[at as usize]));
                }
                Input::Derived(number) => {
                    let mut values = columns.take();
                    self.derived(number, block, at, columns, &mut values);
                    keys.extend_from_slice(&values);
                    columns.give(values);
                }
            }
        }
    }

    /// A derived value in the states `at` of the block; `DOUBT` where there is none.
    pub fn derived(
        &self,
        number: u32,
        block: &Block,
        at: &[u32],
        columns: &mut Columns,
        values: &mut Vec<u32>,
    ) {
        let derived = &self.tables.plan.derived[number as usize];
        let mut keys = columns.take();
        self.keys(&derived.inputs, block, at, columns, &mut keys);
        columns.lookups[number as usize] += at.len() as u64;
        let memo = self.tables.derived(number);
        memo.get_many(&keys, at.len(), values);
        for (k, value) in values.iter_mut().enumerate() {
            if *value == FREE {
                *value = self.missing(number, block, (&keys, at, k), columns);
            }
        }
        columns.give(keys);
    }

    /// A derived value that is not in its table, for key number `k` of the state number `k` of `at`.
    #[cold]
    fn missing(
        &self,
        number: u32,
        block: &Block,
        (keys, at, k): (&[u32], &[u32], usize),
        columns: &mut Columns,
    ) -> u32 {
        let mut key = columns.take();
        key.extend(keys.iter().skip(k).step_by(at.len()));
        let value = if key.contains(&DOUBT) {
            DOUBT
        } else {
            columns.view.clear();
            block.view(at[k], &mut columns.view);
            let mut evaluator = self.evaluator.lock().expect("no panic while locked");
            let keep = self.tables.keeps_derived(number);
            evaluator.derived(&self.tables.plan, number, &key, &columns.view, keep)
        };
        columns.give(key);
        value
    }
}
