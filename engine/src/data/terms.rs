//! Hash-consed terms: equal terms have equal numbers.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The number of a term.
pub type Term = u32;

/// No term.
pub const NONE: Term = u32::MAX;

/// What a function symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Builds values.
    Constructor,
    /// Defined by rewrite rules.
    Map,
    /// A constant that is a normal form but no value of its sort: no variable ranges over it.
    Placeholder,
}

/// A declared function symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: Vec<u8>,
    /// Sorts of the arguments.
    pub arguments: Vec<u32>,
    /// Sort of the result.
    pub sort: u32,
    pub kind: Kind,
}

/// What a term has outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    Symbol(u32),
    Variable(u32),
}

const VARIABLE: u32 = 1 << 31;
const FREE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    head: u32,
    start: u32,
    ground: bool,
    /// Built from constructors and placeholders only.
    value: bool,
    /// Built from constructors only.
    proper: bool,
}

/// All terms of one specification.
///
/// Invariant: no two nodes have the same head and children; children have smaller numbers than
/// their parents.
pub struct Terms {
    pub symbols: Vec<Symbol>,
    nodes: Vec<Node>,
    children: Vec<Term>,
    slots: Vec<u32>,
}

fn hash(head: u32, children: &[Term]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write_u32(head);
    for &child in children {
        hasher.write_u32(child);
    }
    hasher.finish() as usize
}

impl Terms {
    /// No terms yet, over these symbols.
    pub fn new(symbols: Vec<Symbol>) -> Self {
        Self { symbols, nodes: Vec::new(), children: Vec::new(), slots: vec![FREE; 64] }
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The symbol or variable outside.
    pub fn head(&self, term: Term) -> Head {
        match self.nodes[term as usize].head {
            head if head & VARIABLE != 0 => Head::Variable(head & !VARIABLE),
            head => Head::Symbol(head),
        }
    }

    /// The arguments.
    pub fn children(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term as usize];
        let arity = self.arity(node.head);
        &self.children[node.start as usize..node.start as usize + arity]
    }

    fn arity(&self, head: u32) -> usize {
        if head & VARIABLE != 0 { 0 } else { self.symbols[head as usize].arguments.len() }
    }

    /// Whether no variable occurs.
    pub fn is_ground(&self, term: Term) -> bool {
        self.nodes[term as usize].ground
    }

    /// Whether it is built from constructors and placeholders only.
    pub fn is_value(&self, term: Term) -> bool {
        self.nodes[term as usize].value
    }

    /// Whether it is built from constructors only, and so is a value of its sort.
    pub fn is_proper(&self, term: Term) -> bool {
        self.nodes[term as usize].proper
    }

    /// The sort of a term that is not a variable.
    pub fn sort(&self, term: Term) -> u32 {
        self.symbols[self.nodes[term as usize].head as usize].sort
    }

    /// Variable number `variable` as a term.
    pub fn variable(&mut self, variable: u32) -> Term {
        self.intern(variable | VARIABLE, &[])
    }

    /// A symbol applied to terms.
    pub fn apply(&mut self, symbol: u32, children: &[Term]) -> Term {
        debug_assert_eq!(children.len(), self.symbols[symbol as usize].arguments.len());
        self.intern(symbol, children)
    }

    fn intern(&mut self, head: u32, children: &[Term]) -> Term {
        if (self.nodes.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(head, children) & mask;
        while self.slots[slot] != FREE {
            let term = self.slots[slot];
            if self.nodes[term as usize].head == head && self.children(term) == children {
                return term;
            }
            slot = (slot + 1) & mask;
        }
        let term = self.nodes.len() as Term;
        let variable = head & VARIABLE != 0;
        let ground = !variable && children.iter().all(|&child| self.is_ground(child));
        let value = !variable
            && self.symbols[head as usize].kind != Kind::Map
            && children.iter().all(|&child| self.is_value(child));
        let proper = !variable
            && self.symbols[head as usize].kind == Kind::Constructor
            && children.iter().all(|&child| self.is_proper(child));
        let start = self.children.len() as u32;
        self.nodes.push(Node { head, start, ground, value, proper });
        self.children.extend_from_slice(children);
        self.slots[slot] = term;
        term
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![FREE; size];
        for term in 0..self.nodes.len() as Term {
            let mut slot = hash(self.nodes[term as usize].head, self.children(term)) & (size - 1);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = term;
        }
    }

    /// The term that a code stands for: prefix order, symbol `n >= 0`, variable `v` as `-(v+1)`.
    pub fn decode(&mut self, code: &[i64]) -> Result<Term, String> {
        let mut stack: Vec<Term> = Vec::new();
        for &token in code.iter().rev() {
            if token < 0 {
                stack.push(self.variable((-1 - token) as u32));
                continue;
            }
            let symbol = self.symbols.get(token as usize).ok_or("a code has an unknown symbol")?;
            let arity = symbol.arguments.len();
            if stack.len() < arity {
                return Err("a code ends too early".into());
            }
            let children: Vec<Term> = stack.drain(stack.len() - arity..).rev().collect();
            stack.push(self.apply(token as u32, &children));
        }
        match stack[..] {
            [term] => Ok(term),
            _ => Err("a code is not one term".into()),
        }
    }

    /// The term with variable `v` replaced by `values[v]`, where that is not `NONE`.
    pub fn substitute(&mut self, term: Term, values: &[Term]) -> Term {
        if self.is_ground(term) {
            return term;
        }
        // Small and large terms alike: an explicit stack, of terms to visit and terms to build.
        let mut tasks = vec![(term, false)];
        let mut results: Vec<Term> = Vec::new();
        while let Some((term, visited)) = tasks.pop() {
            match self.head(term) {
                _ if self.is_ground(term) => results.push(term),
                Head::Variable(v) => match values.get(v as usize) {
                    Some(&value) if value != NONE => results.push(value),
                    _ => results.push(term),
                },
                Head::Symbol(symbol) if visited => {
                    let from = results.len() - self.children(term).len();
                    let built = self.apply(symbol, &results[from..]);
                    results.truncate(from);
                    results.push(built);
                }
                Head::Symbol(_) => {
                    tasks.push((term, true));
                    tasks.extend(self.children(term).iter().rev().map(|&child| (child, false)));
                }
            }
        }
        results[0]
    }

    /// Adds the variables of a term to `found`, each once, in order of occurrence.
    pub fn variables(&self, term: Term, found: &mut Vec<u32>) {
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            match self.head(term) {
                _ if self.is_ground(term) => {}
                Head::Variable(v) if found.contains(&v) => {}
                Head::Variable(v) => found.push(v),
                Head::Symbol(_) => waiting.extend(self.children(term).iter().rev()),
            }
        }
    }

    /// The term as text, `name(arg,arg)` without blanks; variables as `_number`.
    pub fn show(&self, term: Term) -> Vec<u8> {
        let mut text = Vec::new();
        self.write(term, usize::MAX, &mut text);
        text
    }

    /// The beginning of the term as text, for messages: a term may be as large as one likes.
    pub fn show_short(&self, term: Term) -> String {
        let mut text = Vec::new();
        if !self.write(term, 400, &mut text) {
            text.extend_from_slice("...".as_bytes());
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Appends the term as text; false if `text` got longer than `most` bytes and so ends early.
    pub fn write(&self, term: Term, most: usize, text: &mut Vec<u8>) -> bool {
        enum Piece {
            Term(Term),
            Text(&'static [u8]),
        }
        let mut waiting = vec![Piece::Term(term)];
        while let Some(piece) = waiting.pop() {
            if text.len() > most {
                return false;
            }
            let term = match piece {
                Piece::Text(piece) => {
                    text.extend_from_slice(piece);
                    continue;
                }
                Piece::Term(term) => term,
            };
            match self.head(term) {
                Head::Variable(v) => text.extend_from_slice(format!("_{v}").as_bytes()),
                Head::Symbol(symbol) => {
                    text.extend_from_slice(&self.symbols[symbol as usize].name);
                    let children = self.children(term);
                    if !children.is_empty() {
                        text.push(b'(');
                        waiting.push(Piece::Text(b")"));
                        for (i, &child) in children.iter().enumerate().rev() {
                            waiting.push(Piece::Term(child));
                            if i > 0 {
                                waiting.push(Piece::Text(b","));
                            }
                        }
                    }
                }
            }
        }
        true
    }
}
