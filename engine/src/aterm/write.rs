//! Writing terms in the binary format described in `read`.

use crate::aterm::read::{EMPTY, Reader, Term};
use crate::aterm::{MAGIC, NUMBER, NUMBER_OUTPUT, OUTPUT, SHARED, SYMBOL, TRANSITION};
use crate::aterm::{VERSIONS, width};
use crate::base::hash::low_half;
use crate::base::ids::Id;
use crate::base::lts::Lts;
use std::collections::HashMap;
use std::ops::Range;

/// Writes each symbol and each term once.
pub struct Writer {
    bytes: Vec<u8>,
    /// The last bits, fewer than a byte, in the low end of `bits`; `count` is their number.
    bits: u64,
    count: u32,
    written: usize,
    symbols: HashMap<(Vec<u8>, usize), usize>,
    terms: HashMap<Box<[u32]>, u32>,
}

impl Writer {
    pub fn new() -> Self {
        let mut writer = Self {
            bytes: Vec::new(),
            bits: 0,
            count: 0,
            written: 0,
            symbols: HashMap::new(),
            terms: HashMap::new(),
        };
        writer.put(MAGIC, 24);
        writer.put(*VERSIONS.end(), 16);
        writer
    }

    #[expect(clippy::cast_possible_truncation, reason = "the lowest byte is written")]
    fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 56);
        self.bits = self.bits << width | value;
        self.count += width;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.bits >> self.count) as u8);
        }
    }

    fn put_number(&mut self, mut value: u64) {
        while value > 127 {
            self.put(value & 127 | 128, 8);
            value >>= 7;
        }
        self.put(value, 8);
    }

    fn symbol(&mut self, name: &[u8], arity: usize) -> u32 {
        let key = (name.to_vec(), arity);
        if let Some(&known) = self.symbols.get(&key) {
            return u32::at(known);
        }
        self.put(SYMBOL, 2);
        self.put_number(name.len() as u64);
        for &byte in name {
            self.put(u64::from(byte), 8);
        }
        self.put_number(arity as u64);
        // Number 0 marks the end.
        let number = self.symbols.len() + 1;
        self.symbols.insert(key, number);
        u32::at(number)
    }

    fn begin(&mut self, kind: u64, symbol: u32) {
        self.put(kind, 2);
        self.put(u64::from(symbol), width(self.symbols.len() + 1));
    }

    fn arguments(&mut self, arguments: &[u32]) {
        let width = width(self.terms.len()).max(1);
        for &argument in arguments {
            self.put(u64::from(argument), width);
        }
    }

    /// The number of a term; the arguments are numbers of terms.
    pub fn term(&mut self, name: &[u8], arguments: &[u32]) -> u32 {
        let symbol = self.symbol(name, arguments.len());
        let key: Box<[u32]> = [&[symbol], arguments].concat().into();
        if let Some(&known) = self.terms.get(&key) {
            return known;
        }
        self.begin(SHARED, symbol);
        self.arguments(arguments);
        let number = u32::at(self.terms.len());
        self.terms.insert(key, number);
        number
    }

    /// The number of the term for `value`.
    pub fn number(&mut self, value: u64) -> u32 {
        let symbol = self.symbol(NUMBER, 0);
        let key: Box<[u32]> = [symbol, low_half(value), (value >> 32) as u32].into();
        if let Some(&known) = self.terms.get(&key) {
            return known;
        }
        self.begin(SHARED, symbol);
        self.put_number(value);
        let number = u32::at(self.terms.len());
        self.terms.insert(key, number);
        number
    }

    pub fn output(&mut self, name: &[u8], arguments: &[u32]) {
        let symbol = self.symbol(name, arguments.len());
        self.begin(OUTPUT, symbol);
        self.arguments(arguments);
    }

    pub fn output_number(&mut self, value: u64) {
        self.put(NUMBER_OUTPUT, 2);
        self.put_number(value);
    }

    /// Writes some transitions of a system; each label is the symbol `name` applied to the arguments in
    /// `labels`.
    pub fn transitions(
        &mut self,
        lts: &Lts,
        range: Range<usize>,
        name: &[u8],
        labels: &[Vec<u32>],
    ) {
        for transition in range {
            self.output(TRANSITION, &[]);
            self.output_number(u64::from(lts.source[transition].0));
            self.output(name, &labels[lts.label[transition].0 as usize]);
            self.output_number(u64::from(lts.target[transition].0));
        }
    }

    /// Writes the terms with these numbers in `reader` and their subterms, each once. `copies` maps
    /// numbers in the reader to numbers in this writer, [`EMPTY`] for terms not copied yet.
    pub fn copy(&mut self, reader: &Reader, roots: &[u32], copies: &mut Vec<u32>) {
        copies.resize(reader.terms(), EMPTY);
        let mut needed = vec![false; copies.len()];
        for &root in roots {
            needed[root as usize] = true;
        }
        // The parts of a term have smaller numbers.
        for number in (0..needed.len()).rev() {
            needed[number] &= copies[number] == EMPTY;
            if let (true, Some(Term::Of(_, arguments))) = (needed[number], reader.term(number)) {
                arguments.iter().for_each(|&argument| needed[argument as usize] = true);
            }
        }
        for number in (0..needed.len()).filter(|&number| needed[number]) {
            copies[number] = match reader.term(number).expect("below their number") {
                Term::Number(value) => self.number(value),
                Term::Of(name, arguments) => {
                    let arguments: Vec<u32> =
                        arguments.iter().map(|&argument| copies[argument as usize]).collect();
                    // The name of variables in files of mCRL2 from 2020 to 2022.
                    let name = if name == b"DataVarIdNoIndex" { b"DataVarId" } else { name };
                    self.term(name, &arguments)
                }
            };
        }
    }

    /// Writes the lists that `reader` has read among its transitions.
    pub fn lists(&mut self, reader: &Reader, copies: &mut Vec<u32>) {
        let parts: Vec<u32> =
            reader.lists.iter().flatten().copied().filter(|&part| part != EMPTY).collect();
        self.copy(reader, &parts, copies);
        for &[first, rest] in &reader.lists {
            if first == EMPTY {
                self.output(b"<empty_list>", &[]);
            } else {
                let parts = [first, rest].map(|part| copies[part as usize]);
                self.output(b"<list_constructor>", &parts);
            }
        }
    }

    /// The bytes written since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        self.written += self.bytes.len();
        std::mem::take(&mut self.bytes)
    }

    /// Ends the stream.
    pub fn end(&mut self) {
        self.begin(SHARED, 0);
        while self.count > 0 || !(self.written + self.bytes.len()).is_multiple_of(8) {
            self.put(0, 8 - self.count % 8);
        }
    }
}

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aterm::read::Output;

    #[test]
    fn reading_inverts_writing() {
        let mut writer = Writer::new();
        let large = writer.number(u64::MAX);
        let leaf = writer.term(b"leaf", &[]);
        for width in 0..300 {
            let number = writer.number(width);
            writer.term(b"node", &[number, leaf]);
            assert_eq!(writer.number(width), number);
        }
        writer.output(b"top", &[leaf, large]);
        writer.output_number(1 << 40);
        writer.end();
        let bytes = writer.take();
        assert_eq!(bytes.len() % 8, 0);
        let mut reader = Reader::new(&bytes).unwrap();
        let Some(Output::Term(parts)) = reader.output(&bytes).unwrap() else { panic!() };
        let (name, arguments) = reader.taken_apart(&parts);
        assert_eq!((name, arguments), (&b"top"[..], &[leaf, large][..]));
        assert_eq!(reader.term(leaf as usize), Some(Term::Of(b"leaf", &[])));
        assert_eq!(reader.term(large as usize), Some(Term::Number(u64::MAX)));
        assert_eq!(reader.output(&bytes).unwrap(), Some(Output::Number(1 << 40)));
        assert_eq!(reader.output(&bytes).unwrap(), None);
        // Every proper prefix is rejected.
        for length in 0..bytes.len() - 8 {
            let short = &bytes[..length];
            let read = Reader::new(short).and_then(|mut reader| {
                while reader.output(short)?.is_some() {}
                Ok(())
            });
            assert!(read.is_err(), "{length}");
        }
    }

    #[test]
    fn copying_preserves_terms() {
        let mut original = Writer::new();
        let mut terms = vec![original.number(7), original.term(b"leaf", &[])];
        for depth in 0..200 {
            let parts = [terms[depth], terms[depth / 2]];
            terms.push(original.term(if depth % 3 == 0 { b"f" } else { b"g" }, &parts));
        }
        let old = original.term(b"DataVarIdNoIndex", &terms[1..3]);
        original.output(b"top", &[old, terms[150]]);
        original.output(b"<list_constructor>", &[terms[9], terms[1]]);
        original.output(b"<empty_list>", &[]);
        original.end();
        let bytes = original.take();
        let mut reader = Reader::new(&bytes).unwrap();
        let Some(Output::Term(top)) = reader.output(&bytes).unwrap() else { panic!() };
        assert!(!reader.transitions(&bytes, 9).unwrap().more);
        assert_eq!(reader.lists.len(), 2);

        let (mut copy, mut copies) = (Writer::new(), Vec::new());
        copy.term(b"other", &[]);
        copy.copy(&reader, &top[1..], &mut copies);
        let parts: Vec<u32> = top[1..].iter().map(|&part| copies[part as usize]).collect();
        copy.output(b"top", &parts);
        copy.lists(&reader, &mut copies);
        copy.end();
        let copied = copy.take();
        let shown = |reader: &Reader, parts: &[u32]| {
            fn text(reader: &Reader, number: u32, depth: usize) -> String {
                match reader.term(number as usize).unwrap() {
                    Term::Number(value) => value.to_string(),
                    Term::Of(name, _) if depth == 0 => String::from_utf8(name.to_vec()).unwrap(),
                    Term::Of(name, arguments) => {
                        let parts: Vec<String> = arguments
                            .iter()
                            .map(|&argument| text(reader, argument, depth - 1))
                            .collect();
                        format!(
                            "{}({})",
                            String::from_utf8(name.to_vec()).unwrap(),
                            parts.join(",")
                        )
                    }
                }
            }
            parts.iter().map(|&part| text(reader, part, 9)).collect::<Vec<_>>()
        };
        let mut again = Reader::new(&copied).unwrap();
        let Some(Output::Term(root)) = again.output(&copied).unwrap() else { panic!() };
        again.transitions(&copied, 9).unwrap();
        let renamed: Vec<String> = shown(&reader, &top[1..])
            .iter()
            .map(|text| text.replace("DataVarIdNoIndex", "DataVarId"))
            .collect();
        assert_eq!(shown(&again, &root[1..]), renamed);
        assert_eq!(again.lists.len(), 2);
        assert_eq!(again.lists[1], reader.lists[1]);
        assert_eq!(shown(&again, &again.lists[0]), shown(&reader, &reader.lists[0]));
    }
}
