//! Innermost rewriting with memoised normal forms.

use super::terms::{Head, Kind, NONE, Symbol, Term, Terms};
use std::fmt;

/// A rule `left -> right`; its variables are numbered from 0.
#[derive(Clone, Copy, Debug)]
struct Rule {
    left: Term,
    right: Term,
    variables: u32,
}

/// Rewriting does not come to an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endless {
    /// The rule that was applied last, counted from 0 in the order of declaration.
    pub rule: usize,
    pub steps: u64,
}

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rewriting does not end: rule {} after {} steps", self.rule + 1, self.steps)
    }
}

/// Terms with the rules that rewrite them.
///
/// Rules are tried in the order of their declaration. Variables of open terms are inert: a rule
/// rewrites an open term only if it rewrites every instance in the same way.
pub struct Data {
    pub terms: Terms,
    pub sorts: Vec<Vec<u8>>,
    pub truth: Term,
    pub falsity: Term,
    /// For every sort its constructors, in the order of their declaration.
    pub constructors: Vec<Vec<u32>>,
    rules: Vec<Rule>,
    /// For every symbol the rules with it outside on the left.
    by_head: Vec<Vec<u32>>,
    /// Normal form of every term that was asked for, else `NONE`.
    normal: Vec<Term>,
    bindings: Vec<Term>,
    /// Rewrite steps that one call may take.
    pub step_limit: u64,
    /// Rewrite steps so far.
    pub steps: u64,
}

enum Task {
    /// Normalise a term and leave its normal form on the results.
    Visit(Term),
    /// The normal forms of a term's children are on the results.
    Build(Term),
    /// The normal form of the first, and so of the second, is on top of the results.
    Memo(Term, Term),
}

impl Data {
    /// Data over sorts and symbols; `rules` as codes (number of variables, left, right); `truth`
    /// and `falsity` are the Boolean constants.
    pub fn new(
        sorts: Vec<Vec<u8>>,
        symbols: Vec<Symbol>,
        rules: &[(usize, Vec<i64>, Vec<i64>)],
        truth: u32,
        falsity: u32,
    ) -> Result<Self, String> {
        let mut constructors = vec![Vec::new(); sorts.len()];
        for (number, symbol) in symbols.iter().enumerate() {
            if symbol.kind == Kind::Constructor {
                constructors[symbol.sort as usize].push(number as u32);
            }
        }
        let mut by_head = vec![Vec::new(); symbols.len()];
        let mut terms = Terms::new(symbols);
        let mut compiled = Vec::new();
        for (number, (variables, left, right)) in rules.iter().enumerate() {
            let rule = Rule {
                left: terms.decode(left)?,
                right: terms.decode(right)?,
                variables: *variables as u32,
            };
            match terms.head(rule.left) {
                Head::Symbol(symbol) => by_head[symbol as usize].push(number as u32),
                Head::Variable(_) => return Err("the left side of a rule is a variable".into()),
            }
            compiled.push(rule);
        }
        let truth = terms.apply(truth, &[]);
        let falsity = terms.apply(falsity, &[]);
        Ok(Self {
            terms,
            sorts,
            truth,
            falsity,
            constructors,
            rules: compiled,
            by_head,
            normal: Vec::new(),
            bindings: Vec::new(),
            step_limit: 10_000_000,
            steps: 0,
        })
    }

    /// Whether a term has a constructor or placeholder outside that no rule rewrites, so that
    /// equations between two such terms can be taken apart.
    pub fn is_free(&self, term: Term) -> bool {
        match self.terms.head(term) {
            Head::Symbol(symbol) => {
                self.terms.symbols[symbol as usize].kind != Kind::Map
                    && self.by_head[symbol as usize].is_empty()
            }
            Head::Variable(_) => false,
        }
    }

    fn known(&self, term: Term) -> Term {
        self.normal.get(term as usize).copied().unwrap_or(NONE)
    }

    fn memoise(&mut self, term: Term, normal: Term) {
        if self.normal.len() <= term as usize {
            self.normal.resize(self.terms.len().max(term as usize + 1), NONE);
        }
        self.normal[term as usize] = normal;
    }

    /// The normal form of a term.
    pub fn normalise(&mut self, term: Term) -> Result<Term, Endless> {
        let known = self.known(term);
        if known != NONE {
            return Ok(known);
        }
        let first_step = self.steps;
        let mut tasks = vec![Task::Visit(term)];
        let mut results: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(term) => {
                    let known = self.known(term);
                    if known != NONE {
                        results.push(known);
                    } else {
                        tasks.push(Task::Build(term));
                        let children = self.terms.children(term);
                        tasks.extend(children.iter().rev().map(|&child| Task::Visit(child)));
                    }
                }
                Task::Build(term) => {
                    let from = results.len() - self.terms.children(term).len();
                    let built = match self.terms.head(term) {
                        Head::Variable(_) => term,
                        Head::Symbol(symbol) => self.terms.apply(symbol, &results[from..]),
                    };
                    results.truncate(from);
                    let known = self.known(built);
                    if known != NONE {
                        self.memoise(term, known);
                        results.push(known);
                    } else if let Some((rule, next)) = self.step(built) {
                        self.steps += 1;
                        let steps = self.steps - first_step;
                        if steps > self.step_limit || tasks.len() > 20_000_000 {
                            return Err(Endless { rule, steps });
                        }
                        tasks.push(Task::Memo(built, term));
                        tasks.push(Task::Visit(next));
                    } else {
                        self.memoise(built, built);
                        self.memoise(term, built);
                        results.push(built);
                    }
                }
                Task::Memo(built, term) => {
                    let normal = results[results.len() - 1];
                    self.memoise(built, normal);
                    self.memoise(term, normal);
                }
            }
        }
        Ok(results[0])
    }

    /// The first rule that matches a term whose arguments are normal, and what it makes of it.
    fn step(&mut self, term: Term) -> Option<(usize, Term)> {
        let Head::Symbol(symbol) = self.terms.head(term) else { return None };
        for i in 0..self.by_head[symbol as usize].len() {
            let number = self.by_head[symbol as usize][i] as usize;
            let rule = self.rules[number];
            self.bindings.clear();
            self.bindings.resize(rule.variables as usize, NONE);
            if matches(&self.terms, rule.left, term, &mut self.bindings) {
                return Some((number, self.terms.substitute(rule.right, &self.bindings)));
            }
        }
        None
    }
}

/// Whether `term` is an instance of `pattern`; `bindings` gets the values of its variables.
fn matches(terms: &Terms, pattern: Term, term: Term, bindings: &mut [Term]) -> bool {
    match terms.head(pattern) {
        Head::Variable(v) => {
            let bound = &mut bindings[v as usize];
            if *bound == NONE {
                *bound = term;
            }
            *bound == term
        }
        Head::Symbol(_) if terms.is_ground(pattern) => pattern == term,
        head => {
            head == terms.head(term)
                && terms
                    .children(pattern)
                    .iter()
                    .zip(terms.children(term))
                    .all(|(&p, &t)| matches(terms, p, t, bindings))
        }
    }
}
