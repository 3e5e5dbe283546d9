//! Terms as text.

use crate::data::numbers::Number;
use crate::data::terms::{Collection, Head, Term, Terms};

/// The name of the successor function, which is written as an addition.
const SUCCESSOR: &[u8] = b"@succ";
/// The operators inside which a fraction has brackets: `(1/2*r)` would be read as `1/(2*r)`.
const PRODUCTS: [&[u8]; 2] = [b"(\0*\0)", b"(\0/\0)"];

impl Terms {
    /// The term as text: `name(arg,arg)` without blanks, or as its name prescribes; variables as
    /// `_number`.
    pub fn show(&self, term: Term) -> Vec<u8> {
        let mut text = Vec::new();
        self.write(term, usize::MAX, &mut text);
        text
    }

    /// The beginning of the term's text, for messages: terms may be arbitrarily large.
    pub fn show_short(&self, term: Term) -> String {
        let mut text = Vec::new();
        if !self.write(term, 400, &mut text) {
            text.extend_from_slice("...".as_bytes());
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Appends the term as text; returns false if `text` exceeded `most` bytes and is incomplete.
    pub fn write(&self, term: Term, most: usize, text: &mut Vec<u8>) -> bool {
        enum Item<'a> {
            Term(Term),
            Text(&'a [u8]),
            /// After the argument of successors: the number of these.
            Added(u32),
        }
        let mut waiting = vec![Item::Term(term)];
        while let Some(item) = waiting.pop() {
            if text.len() > most {
                return false;
            }
            let term = match item {
                Item::Text(item) => {
                    text.extend_from_slice(item);
                    continue;
                }
                Item::Added(count) => {
                    text.extend_from_slice(format!("+{count})").as_bytes());
                    continue;
                }
                Item::Term(term) => term,
            };
            match self.head(term) {
                Head::Variable(v) => text.extend_from_slice(format!("_{v}").as_bytes()),
                Head::Numeral(number) => {
                    text.extend_from_slice(self.numerals.get(number).1.to_string().as_bytes());
                }
                Head::Symbol(symbol) if self.fraction == Some(symbol) => {
                    let &[above, below] = self.children(term) else { continue };
                    if self.is_fraction(term) {
                        waiting.extend([Item::Term(below), Item::Text(b"/")]);
                    }
                    waiting.push(Item::Term(above));
                }
                Head::Symbol(symbol) if let Some(elements) = self.elements(term, symbol) => {
                    let (collection, elements) = elements;
                    text.extend_from_slice(collection.brackets[0]);
                    waiting.push(Item::Text(collection.brackets[1]));
                    for (i, &element) in elements.iter().enumerate().rev() {
                        let parts = &self.children(element)[..self.arity(collection.insert) - 1];
                        for (j, &part) in parts.iter().enumerate().rev() {
                            waiting.push(Item::Term(part));
                            if i + j > 0 {
                                waiting.push(Item::Text(if j == 0 { b"," } else { b":" }));
                            }
                        }
                    }
                }
                Head::Symbol(symbol) if self.symbols[symbol as usize].name == SUCCESSOR => {
                    let (mut inside, mut count) = (term, 0);
                    while self.head(inside) == Head::Symbol(symbol) {
                        (inside, count) = (self.children(inside)[0], count + 1);
                    }
                    text.push(b'(');
                    waiting.extend([Item::Added(count), Item::Term(inside)]);
                }
                Head::Symbol(symbol) if self.symbols[symbol as usize].name.contains(&0) => {
                    // A name with a zero byte for each argument is the text around the arguments.
                    let name = self.symbols[symbol as usize].name.as_slice();
                    let is_product = PRODUCTS.contains(&name);
                    let mut around = name.rsplit(|&byte| byte == 0);
                    waiting.extend(around.next().map(Item::Text));
                    for (&child, before) in self.children(term).iter().rev().zip(around) {
                        if is_product && self.is_fraction(child) {
                            let bracketed = [Item::Text(b")"), Item::Term(child), Item::Text(b"(")];
                            waiting.extend(bracketed);
                        } else {
                            waiting.push(Item::Term(child));
                        }
                        waiting.push(Item::Text(before));
                    }
                }
                Head::Symbol(symbol) => {
                    text.extend_from_slice(&self.symbols[symbol as usize].name);
                    let children = self.children(term);
                    if !children.is_empty() {
                        text.push(b'(');
                        waiting.push(Item::Text(b")"));
                        for (i, &child) in children.iter().enumerate().rev() {
                            waiting.push(Item::Term(child));
                            if i > 0 {
                                waiting.push(Item::Text(b","));
                            }
                        }
                    }
                }
            }
        }
        true
    }

    /// Whether a term is written as a fraction: a number with another denominator than one.
    fn is_fraction(&self, term: Term) -> bool {
        let Head::Symbol(symbol) = self.head(term) else { return false };
        self.fraction == Some(symbol)
            && self
                .children(term)
                .last()
                .is_some_and(|&below| self.number(below) != Some(&Number::Small(1)))
    }

    /// The elements of a non-empty collection that is complete, as the terms that insert them;
    /// `None` if this is not one. `symbol` is the term's outermost symbol.
    fn elements(&self, term: Term, symbol: u32) -> Option<(Collection, Vec<Term>)> {
        let collection = *self.collections.iter().find(|known| known.insert == symbol)?;
        let (mut at, mut elements) = (term, Vec::new());
        while self.head(at) == Head::Symbol(collection.insert) {
            elements.push(at);
            at = *self.children(at).last()?;
        }
        (self.head(at) == Head::Symbol(collection.empty)).then_some((collection, elements))
    }
}
