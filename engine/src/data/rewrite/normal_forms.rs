//! Values that are not built from constructors, because no equation matches a part of them.

use crate::data::rewrite::Data;
use crate::data::substitution::Once;
use crate::data::terms::{Head, Kind, Term, Terms};

impl Data {
    /// Records the maps in a value that no equation matches.
    pub fn note_value(&mut self, value: Term) {
        if self.terms.is_built(value) || !self.noted.insert(value) {
            return;
        }
        for (symbol, part) in self.terms.applied_maps(value) {
            let text = self.terms.show_short(part).into_bytes();
            let known = self.normal_forms.entry(symbol).or_insert_with(|| text.clone());
            // The order of values depends on threads, so the smallest text is stored.
            if (text.len(), &text) < (known.len(), known) {
                *known = text;
            }
        }
    }
}

impl Terms {
    /// The maps applied in a term, each with its first application found. In a value these are the
    /// ones that no equation matches.
    fn applied_maps(&self, term: Term) -> Vec<(u32, Term)> {
        let mut maps: Vec<(u32, Term)> = Vec::new();
        let (mut waiting, mut once) = (vec![term], Once::default());
        while let Some(term) = waiting.pop() {
            if self.is_built(term) || !once.is_first(term) {
                continue;
            }
            if let Head::Symbol(symbol) = self.head(term)
                && self.symbols[symbol as usize].kind == Kind::Map
                && maps.iter().all(|&(known, _)| known != symbol)
            {
                maps.push((symbol, term));
            }
            waiting.extend(self.children(term));
        }
        maps
    }
}
