//! The abstract machine that runs the code of rules. Its stack holds terms, its frames
//! continuations: there is no recursion, since terms may be deep.

use crate::base::ids::Id;
use crate::data::compile::program::{Op, bit};
use crate::data::rewrite::limits::{LAST_STEPS, LOOK_EVERY};
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::rewrite::{Data, Frame};
use crate::data::terms::{Head, NONE, Term};
use rustc_hash::FxHashMap;

/// What to do next.
enum Next {
    /// Evaluate a term, from this argument on; earlier arguments are on the stack.
    Walk(Term, usize),
    /// Run code; the arguments and registers start at `base`.
    Run {
        op: usize,
        base: usize,
    },
    Result(Term),
}

impl Data {
    /// The normal form of a term.
    pub fn normalise(&mut self, term: Term) -> Result<Term, Unfinished> {
        match self.known(term) {
            NONE => {
                let result = self.run(term);
                self.stack.clear();
                self.frames.clear();
                if let Ok(normal) = result {
                    self.terms.set_normal(normal);
                }
                result
            }
            known => {
                self.terms.set_normal(known);
                Ok(known)
            }
        }
    }

    /// The normal form of a term with each variable `v` replaced by `values[v]`, a normal form,
    /// unless that is `NONE`.
    pub fn instance(&mut self, term: Term, values: &[Term]) -> Result<Term, Unfinished> {
        let computed = self.computed_at_once(term, values);
        if computed != NONE {
            return Ok(computed);
        }
        let term = self.terms.substitute(term, values);
        self.normalise(term)
    }

    /// The cached normal form of a term, or `NONE`.
    fn known(&self, term: Term) -> Term {
        if self.terms.is_normal(term) {
            return term;
        }
        self.normal.get(term as usize).copied().unwrap_or(NONE)
    }

    fn keep(&mut self, term: Term, normal: Term) {
        if self.normal.len() <= term as usize {
            self.normal.resize(self.terms.len(), NONE);
        }
        self.normal[term as usize] = normal;
    }

    fn run(&mut self, term: Term) -> Result<Term, Unfinished> {
        let last = self.steps + self.step_limit;
        // From this step on, every step is recorded.
        let end = last.saturating_sub(LAST_STEPS.min(self.step_limit / 2));
        let mut look = end.min(self.steps + LOOK_EVERY);
        let mut looked: FxHashMap<u32, u64> = FxHashMap::default();
        let mut next = Next::Walk(term, 0);
        'next: loop {
            let (mut op, mut base) = match next {
                Next::Result(result) => match self.frames.pop() {
                    None => return Ok(result),
                    Some(Frame::Push { op, base }) => {
                        self.stack.push(result);
                        (op as usize, base as usize)
                    }
                    Some(Frame::Store { op, base, register }) => {
                        self.stack[base as usize + register as usize] = result;
                        (op as usize, base as usize)
                    }
                    Some(Frame::Keep(term)) => {
                        self.keep(term, result);
                        continue;
                    }
                    Some(Frame::Memoise(symbol)) => {
                        let from = self.stack.len() - self.terms.arity(symbol);
                        self.memo.insert(symbol, &self.stack[from..], result);
                        self.stack.truncate(from);
                        continue;
                    }
                    Some(Frame::Argument { term, next: argument }) => {
                        self.stack.push(result);
                        next = Next::Walk(term, argument as usize);
                        continue;
                    }
                },
                Next::Walk(term, argument) => {
                    next = self.walk(term, argument);
                    continue;
                }
                Next::Run { op, base } => (op, base),
            };
            loop {
                match self.program.ops[op] {
                    Op::Need(register) => {
                        let term = self.stack[base + register as usize];
                        match self.known(term) {
                            NONE => {
                                let (op, base) = (u32::at(op) + 1, u32::at(base));
                                self.frames.push(Frame::Store { op, base, register });
                                next = Next::Walk(term, 0);
                                continue 'next;
                            }
                            known => self.stack[base + register as usize] = known,
                        }
                        op += 1;
                    }
                    Op::Native { symbol, operation } => {
                        let end = base + self.terms.arity(symbol);
                        let mut arguments = [NONE; 2];
                        let count = end - base;
                        arguments[..count].copy_from_slice(&self.stack[base..end]);
                        let result = self.computed(symbol, operation, &arguments[..count]);
                        if result != NONE {
                            self.steps += 1;
                            self.stack.truncate(base);
                            next = Next::Result(result);
                            continue 'next;
                        }
                        if self.stays(operation, &arguments[..count]) {
                            next = self.stuck(symbol, base);
                            continue 'next;
                        }
                        op += 1;
                    }
                    Op::Quantifier(symbol) => {
                        let end = base + self.terms.arity(symbol);
                        let arguments = self.stack[base..end].to_vec();
                        let result = self.quantified(symbol, &arguments)?;
                        if result != NONE {
                            self.stack.truncate(base);
                            next = Next::Result(result);
                            continue 'next;
                        }
                        op += 1;
                    }
                    Op::Switch { register, table } => {
                        let term = self.stack[base + register as usize];
                        op = self.target(term, table).0 as usize;
                    }
                    Op::Load { register, child } => {
                        let term = self.stack[base + register as usize];
                        let part = self.terms.part(term, child as usize);
                        self.stack.push(part);
                        op += 1;
                    }
                    Op::Same { left, right, table } => {
                        let (left, right) =
                            (self.stack[base + left as usize], self.stack[base + right as usize]);
                        if left == right {
                            op += 1;
                        } else if self.differ(left, right) {
                            op = self.program.tables[table as usize].other as usize;
                        } else {
                            op = self.program.tables[table as usize].open as usize;
                        }
                    }
                    Op::Test(table) => {
                        let holds = self.stack.pop().expect("its condition is on top");
                        if holds == self.truth {
                            op += 1;
                        } else {
                            let table = self.program.tables[table as usize];
                            let no = holds == self.falsity;
                            op = if no { table.other } else { table.open } as usize;
                        }
                    }
                    Op::Reset(height) => {
                        self.stack.truncate(base + height as usize);
                        op += 1;
                    }
                    Op::Jump(target) => op = target as usize,
                    Op::Step(rule) => {
                        self.steps += 1;
                        if self.steps >= look {
                            self.cancel.check()?;
                            look = end.min(self.steps + LOOK_EVERY);
                            if self.steps >= end {
                                look = self.steps;
                                *looked.entry(rule).or_default() += 1;
                                if self.steps >= last {
                                    return Err(self.endless(&looked));
                                }
                            }
                        }
                        op += 1;
                    }
                    Op::Stuck(symbol) => {
                        next = self.stuck(symbol, base);
                        continue 'next;
                    }
                    Op::Push(register) => {
                        self.stack.push(self.stack[base + register as usize]);
                        op += 1;
                    }
                    Op::Constant(term) => {
                        self.stack.push(term);
                        op += 1;
                    }
                    Op::Build(symbol) => {
                        let from = self.stack.len() - self.terms.arity(symbol);
                        let term = self.terms.apply(symbol, &self.stack[from..]);
                        self.stack.truncate(from);
                        self.stack.push(term);
                        op += 1;
                    }
                    Op::Call(symbol) => {
                        let from = self.stack.len() - self.terms.arity(symbol);
                        let memoise = self.memo.pays(symbol, self.stack.len() - from);
                        if memoise {
                            let known = self.memo.find(symbol, &self.stack[from..]);
                            if known != NONE {
                                self.stack.truncate(from);
                                self.stack.push(known);
                                op += 1;
                                continue;
                            }
                        }
                        self.frames.push(Frame::Push { op: u32::at(op) + 1, base: u32::at(base) });
                        base = from;
                        if memoise {
                            base = self.stack.len();
                            self.frames.push(Frame::Memoise(symbol));
                            self.stack.extend_from_within(from..);
                        }
                        op = self.program.entries[symbol as usize] as usize;
                    }
                    Op::Tail(symbol) => {
                        let from = self.stack.len() - self.terms.arity(symbol);
                        self.stack.drain(base..from);
                        op = self.program.entries[symbol as usize] as usize;
                    }
                    Op::Force => {
                        let term = self.stack[self.stack.len() - 1];
                        let known = self.known(term);
                        self.stack.pop();
                        if known == NONE {
                            self.frames
                                .push(Frame::Push { op: u32::at(op) + 1, base: u32::at(base) });
                            next = Next::Walk(term, 0);
                            continue 'next;
                        }
                        self.stack.push(known);
                        op += 1;
                    }
                    Op::ForceTail(register) => {
                        let term = self.stack[base + register as usize];
                        self.stack.truncate(base);
                        next = match self.known(term) {
                            NONE => Next::Walk(term, 0),
                            known => Next::Result(known),
                        };
                        continue 'next;
                    }
                    Op::Return => {
                        let result = self.stack[self.stack.len() - 1];
                        self.stack.truncate(base);
                        next = Next::Result(result);
                        continue 'next;
                    }
                }
            }
        }
    }

    /// The normal form of a symbol applied to the arguments from `base` on, which no rule matches.
    fn stuck(&mut self, symbol: u32, base: usize) -> Next {
        let end = base + self.terms.arity(symbol);
        let term = self.terms.apply(symbol, &self.stack[base..end]);
        self.terms.set_normal(term);
        self.stack.truncate(base);
        Next::Result(term)
    }

    /// Evaluates the arguments of a term from `argument` on, then the term itself.
    fn walk(&mut self, mut term: Term, mut argument: usize) -> Next {
        'term: loop {
            let Head::Symbol(symbol) = self.terms.head(term) else { return Next::Result(term) };
            let lazy = self.program.lazy[symbol as usize];
            while let Some(&child) = self.terms.children(term).get(argument) {
                argument += 1;
                let known = if lazy & bit(argument - 1) == 0 { self.known(child) } else { child };
                if known == NONE {
                    self.frames.push(Frame::Argument { term, next: u32::at(argument) });
                    (term, argument) = (child, 0);
                    continue 'term;
                }
                self.stack.push(known);
            }
            let base = self.stack.len() - argument;
            if self.terms.is_inert(symbol) {
                let normal = self.terms.apply(symbol, &self.stack[base..]);
                self.stack.truncate(base);
                self.keep(term, normal);
                return Next::Result(normal);
            }
            self.frames.push(Frame::Keep(term));
            return Next::Run { op: self.program.entries[symbol as usize] as usize, base };
        }
    }

    /// The target of a switch, and whether it is taken because the term is open.
    #[inline]
    pub(crate) fn target(&self, term: Term, table: u32) -> (u32, bool) {
        let table = self.program.tables[table as usize];
        let cases = &self.program.cases[table.begin as usize..table.end as usize];
        let Some(symbol) = self.terms.outside(term) else { return (table.open, true) };
        let terms = &self.terms;
        let is_known = terms.is_certain(symbol) || self.has_one_form(term);
        // A term that no equation matches is compared by its form, whatever value it denotes.
        let is_final = || terms.is_inert(symbol) || terms.is_ground(term);
        if !(is_known || terms.may_equal_others(symbol) && is_final()) {
            return (table.open, true);
        }
        let matching = if cases.len() <= 8 {
            cases.iter().find(|case| case.0 == symbol)
        } else {
            cases.binary_search_by_key(&symbol, |case| case.0).ok().map(|i| &cases[i])
        };
        match matching {
            Some(case) => (case.1, false),
            None if is_known => (table.other, false),
            // The term may denote a value that is tested for, but has the form of none of the maps
            // tested for.
            None if cases.iter().all(|case| self.terms.may_equal_others(case.0)) => {
                (table.other, false)
            }
            None => (table.open, true),
        }
    }
}
