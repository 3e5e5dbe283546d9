//! An order of values that does not depend on their numbers: the partitions of one exploration
//! visit values in different orders, and must choose the same representatives.

use crate::base::hash;
use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::process::linear::stop::Stop;
use rustc_hash::FxHashMap;

/// The ranks of values: hashes of their bytes.
#[derive(Default)]
pub(super) struct Ranks {
    /// The rank by term number; 0 if it is not known.
    ranks: Vec<u64>,
    values: FxHashMap<u64, Term>,
}

impl Ranks {
    /// The rank of a value, if it was learned.
    pub fn of(&self, value: Term) -> Option<u64> {
        self.ranks.get(value as usize).copied().filter(|&rank| rank != 0)
    }

    /// Learns the rank of a value. It is an error if two values have the same rank, as they could
    /// not be ordered.
    pub fn learn(&mut self, data: &Data, value: Term) -> Result<u64, Stop> {
        if let Some(known) = self.of(value) {
            return Ok(known);
        }
        let mut bytes = Vec::new();
        data.terms.to_bytes(value, &mut bytes);
        let rank = hash::mix(hash::bytes(&bytes), bytes.len() as u64).max(1);
        let known = *self.values.entry(rank).or_insert(value);
        if known != value {
            let [left, right] = [value, known].map(|value| data.terms.show_short(value));
            let message = format!("`{left}` and `{right}` have one hash, and so no order");
            return Err(Stop::Evaluation(message, None));
        }
        if self.ranks.len() <= value as usize {
            self.ranks.resize(data.terms.len(), 0);
        }
        self.ranks[value as usize] = rank;
        Ok(rank)
    }
}
