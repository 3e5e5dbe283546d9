//! A cache of bounded size for the results of calls.

use crate::base::hash;
use crate::data::terms::{NONE, Term};

/// The largest number of arguments of a cached call.
const WIDTH: usize = 6;
/// The initial and the largest number of slots; a slot is 32 bytes.
const FEWEST: usize = 1 << 12;
const MOST: usize = 1 << 20;
/// After each `WINDOW` results of a symbol, caching goes on only if one in `WORTH` was used again;
/// otherwise the next `PAUSE` calls are not cached.
const WINDOW: u32 = 4096;
const WORTH: u32 = 16;
const PAUSE: u32 = 1 << 16;

#[derive(Clone, Copy)]
struct Slot {
    symbol: u32,
    result: Term,
    arguments: [Term; WIDTH],
}

#[derive(Clone, Copy, Default)]
struct Use {
    stored: u32,
    hits: u32,
    pause: u32,
}

/// The results of calls. A new result replaces an old one with the same hash.
pub struct Memo {
    slots: Vec<Slot>,
    /// The number of results stored since the table was last resized.
    stored: usize,
    uses: Vec<Use>,
    /// Whether results are cached.
    pub enabled: bool,
    /// The largest number of slots.
    pub most: usize,
    /// The number of cache hits.
    pub hits: u64,
}

const EMPTY: Slot = Slot { symbol: NONE, result: NONE, arguments: [NONE; WIDTH] };

impl Memo {
    /// An empty cache, for calls of `symbols` symbols.
    pub fn new(symbols: usize) -> Self {
        let uses = vec![Use::default(); symbols];
        Self { slots: Vec::new(), stored: 0, uses, enabled: true, most: MOST, hits: 0 }
    }

    /// Removes all results.
    pub fn forget(&mut self) {
        self.slots = Vec::new();
        self.stored = 0;
    }

    /// Whether to look up the next call of a symbol with `arity` arguments, and to store its
    /// result.
    #[inline]
    pub fn pays(&mut self, symbol: u32, arity: usize) -> bool {
        let usage = &mut self.uses[symbol as usize];
        if usage.pause > 0 {
            usage.pause -= 1;
            return false;
        }
        self.enabled && arity <= WIDTH
    }

    /// The cached result of a call, or `NONE`.
    #[inline]
    pub fn find(&mut self, symbol: u32, arguments: &[Term]) -> Term {
        if self.slots.is_empty() {
            return NONE;
        }
        let slot = &self.slots[hash::term(symbol, arguments) as usize & (self.slots.len() - 1)];
        if slot.symbol != symbol || slot.arguments[..arguments.len()] != *arguments {
            return NONE;
        }
        self.uses[symbol as usize].hits += 1;
        self.hits += 1;
        slot.result
    }

    /// Stores the result of a call.
    pub fn insert(&mut self, symbol: u32, arguments: &[Term], result: Term) {
        let usage = &mut self.uses[symbol as usize];
        usage.stored += 1;
        if usage.stored == WINDOW {
            let pause = if usage.hits < WINDOW / WORTH { PAUSE } else { 0 };
            *usage = Use { pause, ..Use::default() };
        }
        self.stored += 1;
        if self.stored > self.slots.len() && self.slots.len() < self.most {
            let size = (self.slots.len() * 4).max(FEWEST);
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
            self.stored = 0;
            for slot in old.into_iter().filter(|slot| slot.symbol != NONE) {
                let arity = slot.arguments.iter().take_while(|&&a| a != NONE).count();
                let at = hash::term(slot.symbol, &slot.arguments[..arity]) as usize & (size - 1);
                self.slots[at] = slot;
            }
        }
        let mut slot = Slot { symbol, result, arguments: [NONE; WIDTH] };
        slot.arguments[..arguments.len()].copy_from_slice(arguments);
        let at = hash::term(symbol, arguments) as usize & (self.slots.len() - 1);
        self.slots[at] = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_respects_its_bound() {
        let mut memo = Memo::new(1);
        memo.most = 4 * FEWEST;
        for number in 0..20 * FEWEST as Term {
            memo.insert(0, &[number], number);
        }
        assert_eq!(memo.slots.len(), memo.most);
    }

    #[test]
    fn results_stay_cached_when_the_table_grows() {
        let mut memo = Memo::new(2);
        assert_eq!(memo.find(0, &[1]), NONE);
        let count = FEWEST as Term + 1000;
        for number in 0..count {
            memo.insert(0, &[number, 1], number + 7);
            memo.insert(1, &[number], number + 8);
        }
        let (mut hits, mut known) = (0, 0);
        for number in 0..count {
            for (symbol, arguments, result) in
                [(0, &[number, 1][..], number + 7), (1, &[number][..], number + 8)]
            {
                let there = memo.find(symbol, arguments);
                assert!(there == result || there == NONE);
                hits += u64::from(there == result);
                known += 1;
            }
            assert_eq!(memo.find(1, &[number + count]), NONE);
        }
        assert!(2 * hits > known, "{hits} of {known}");
        assert_eq!(memo.hits, hits);
        memo.forget();
        assert_eq!(memo.find(0, &[1, 1]), NONE);
    }
}
