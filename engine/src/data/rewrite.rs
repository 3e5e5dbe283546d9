//! Rewriting to normal form.

use crate::data::automaton::Rule;
use crate::data::compile::{Op, Program, bit};
use crate::data::memo::Memo;
use crate::data::overlaps::Overlaps;
use crate::data::terms::{Head, Kind, NONE, Symbol, Term, Terms};
use crate::data::truth_tables::Logic;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Rewriting does not come to an end, or was stopped before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endless {
    /// The rule that was applied most in the last steps, counted from 0 in the order of declaration.
    pub rule: usize,
    /// What it is called.
    pub name: String,
    pub steps: u64,
}

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rewriting does not end: after {} steps it applies again and again {}",
            self.steps, self.name
        )
    }
}

/// Steps between two looks at whether to stop.
const LOOK_EVERY: u64 = 1 << 16;

/// Steps at the end that are looked at to name the rule that loops.
const LAST_STEPS: u64 = 10_000;

/// Terms with the rules that rewrite them.
///
/// The rule that is applied to a term is the first, in the order of declaration, that matches it with
/// its arguments in normal form. Variables of open terms are inert: a rule rewrites an open term only
/// if that is what happens to every instance. `compile` says what is evaluated when.
pub struct Data {
    pub terms: Terms,
    pub sorts: Vec<Vec<u8>>,
    pub truth: Term,
    pub falsity: Term,
    /// For every sort its constructors, in the order of their declaration.
    pub constructors: Vec<Vec<u32>>,
    /// What errors call the rules; those without a name are told by their number.
    pub rule_names: Vec<String>,
    program: Program,
    /// Normal form of every term that was asked for, else `NONE`.
    normal: Vec<Term>,
    /// Results of calls.
    pub memo: Memo,
    pub(crate) logic: Logic,
    stack: Vec<Term>,
    frames: Vec<Frame>,
    /// Rewrite steps that one call may take.
    pub step_limit: u64,
    /// Rewrite steps so far: rules that were applied.
    pub steps: u64,
    /// Set, perhaps by another thread, where rewriting and solving are to give up.
    pub stop: Arc<AtomicBool>,
    /// When they give up at the latest.
    pub deadline: Option<Instant>,
}

/// What is done with a result.
#[derive(Clone, Copy)]
enum Frame {
    /// Push it and go on with the code.
    Push { op: u32, base: u32 },
    /// Put it into a register and go on with the code.
    Store { op: u32, base: u32, register: u32 },
    /// It is the normal form of a term.
    Keep(Term),
    /// It is what a call gives, whose arguments are on top of the stack.
    Memoise(u32),
    /// Push it: it is an argument of a term; the next one is this.
    Argument { term: Term, next: u32 },
}

/// What to do next.
enum Next {
    /// The normal form of a term, from this argument on; those before are on the stack.
    Walk(Term, usize),
    /// Code; arguments and registers begin at the base.
    Run {
        op: usize,
        base: usize,
    },
    Result(Term),
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
        let mut rewritten = vec![false; symbols.len()];
        for (_, left, _) in rules {
            match left.first().map(|&head| usize::try_from(head)) {
                Some(Ok(symbol)) if symbol < symbols.len() => rewritten[symbol] = true,
                Some(Err(_)) => return Err("the left side of a rule is a variable".into()),
                _ => return Err("the left side of a rule is no term".into()),
            }
        }
        let mut by_head = vec![Vec::new(); symbols.len()];
        let mut terms = Terms::new(symbols, &rewritten);
        let mut decoded = Vec::new();
        for (number, (variables, left, right)) in rules.iter().enumerate() {
            let (left, right) = (terms.decode(left)?, terms.decode(right)?);
            decoded.push(Rule { left, right, variables: *variables as u32 });
            if let Head::Symbol(symbol) = terms.head(left) {
                by_head[symbol as usize].push(number as u32);
            }
        }
        let mut overlaps = Overlaps::new(terms.clone(), &decoded, &by_head);
        let mut agree = |i, j| overlaps.agree(i, j);
        let program = Program::new(&terms, &decoded, &by_head, &mut agree);
        let mut data = Self::with(terms, program);
        data.truth = data.terms.apply(truth, &[]);
        data.falsity = data.terms.apply(falsity, &[]);
        data.sorts = sorts;
        data.constructors = constructors;
        Ok(data)
    }

    pub(crate) fn with(terms: Terms, program: Program) -> Self {
        let memo = Memo::new(terms.symbols.len());
        Self {
            terms,
            sorts: Vec::new(),
            truth: NONE,
            falsity: NONE,
            constructors: Vec::new(),
            rule_names: Vec::new(),
            program,
            normal: Vec::new(),
            memo,
            logic: Logic::default(),
            stack: Vec::new(),
            frames: Vec::new(),
            step_limit: 10_000_000,
            steps: 0,
            stop: Arc::default(),
            deadline: None,
        }
    }

    /// Whether rewriting and solving give up: an error of theirs then means just that.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Lets rewriting and solving go on, without a deadline.
    pub fn go_on(&mut self) {
        if self.is_stopped() {
            // What was not found out may have been given up.
            self.logic = Logic::default();
        }
        self.stop.store(false, Ordering::Relaxed);
        self.deadline = None;
    }

    /// Whether a term has a constructor or placeholder outside that no rule rewrites, so that
    /// equations between two such terms can be taken apart.
    pub fn is_free(&self, term: Term) -> bool {
        match self.terms.head(term) {
            Head::Symbol(symbol) => {
                self.terms.symbols[symbol as usize].kind != Kind::Map && self.terms.is_inert(symbol)
            }
            Head::Variable(_) => false,
        }
    }

    /// The normal form of a term that is known to have one, else `NONE`.
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

    /// The normal form of a term.
    pub fn normalise(&mut self, term: Term) -> Result<Term, Endless> {
        match self.known(term) {
            NONE => {
                let result = self.run(term);
                self.stack.clear();
                self.frames.clear();
                result
            }
            known => Ok(known),
        }
    }

    fn run(&mut self, term: Term) -> Result<Term, Endless> {
        let last = self.steps + self.step_limit;
        // From this step on every step is looked at.
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
                                let (op, base) = (op as u32 + 1, base as u32);
                                self.frames.push(Frame::Store { op, base, register });
                                next = Next::Walk(term, 0);
                                continue 'next;
                            }
                            known => self.stack[base + register as usize] = known,
                        }
                        op += 1;
                    }
                    Op::Switch { register, table } => {
                        let term = self.stack[base + register as usize];
                        op = self.target(term, table).0 as usize;
                    }
                    Op::Load { register, child } => {
                        let term = self.stack[base + register as usize];
                        self.stack.push(self.terms.children(term)[child as usize]);
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
                    Op::Reset(height) => {
                        self.stack.truncate(base + height as usize);
                        op += 1;
                    }
                    Op::Jump(target) => op = target as usize,
                    Op::Step(rule) => {
                        self.steps += 1;
                        if self.steps >= look {
                            if self.is_stopped() {
                                return Err(self.stopped());
                            }
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
                        let end = base + self.terms.arity(symbol);
                        let term = self.terms.apply(symbol, &self.stack[base..end]);
                        self.terms.set_normal(term);
                        self.stack.truncate(base);
                        next = Next::Result(term);
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
                        self.frames.push(Frame::Push { op: op as u32 + 1, base: base as u32 });
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
                            self.frames.push(Frame::Push { op: op as u32 + 1, base: base as u32 });
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

    /// Evaluates the arguments of a term from this one on, and then begins with the term itself.
    fn walk(&mut self, mut term: Term, mut argument: usize) -> Next {
        'term: loop {
            let Head::Symbol(symbol) = self.terms.head(term) else { return Next::Result(term) };
            let lazy = self.program.lazy[symbol as usize];
            while let Some(&child) = self.terms.children(term).get(argument) {
                argument += 1;
                let known = if lazy & bit(argument - 1) == 0 { self.known(child) } else { child };
                if known == NONE {
                    self.frames.push(Frame::Argument { term, next: argument as u32 });
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

    /// Where a switch leads to, and whether because the term can still become anything.
    #[inline]
    fn target(&self, term: Term, table: u32) -> (u32, bool) {
        let table = self.program.tables[table as usize];
        let cases = &self.program.cases[table.begin as usize..table.end as usize];
        let Head::Symbol(symbol) = self.terms.head(term) else { return (table.open, true) };
        let found = if cases.len() <= 8 {
            cases.iter().find(|case| case.0 == symbol)
        } else {
            cases.binary_search_by_key(&symbol, |case| case.0).ok().map(|i| &cases[i])
        };
        match found {
            Some(case) => (case.1, false),
            None if self.terms.is_ground(term) || self.terms.is_inert(symbol) => {
                (table.other, false)
            }
            None => (table.open, true),
        }
    }

    /// Whether two different normal forms are different whatever their variables stand for.
    fn differ(&self, left: Term, right: Term) -> bool {
        if self.terms.is_ground(left) && self.terms.is_ground(right) {
            return true;
        }
        let mut waiting = vec![(left, right)];
        let mut work = 0;
        while let Some((left, right)) = waiting.pop() {
            work += 1;
            if left == right || work > 10_000 {
                continue;
            }
            if self.terms.is_ground(left) && self.terms.is_ground(right) {
                return true;
            }
            if let (Head::Symbol(l), Head::Symbol(r)) =
                (self.terms.head(left), self.terms.head(right))
                && self.terms.is_inert(l)
                && self.terms.is_inert(r)
            {
                if l != r {
                    return true;
                }
                let children = self.terms.children(left).iter().zip(self.terms.children(right));
                waiting.extend(children.map(|(&l, &r)| (l, r)));
            }
        }
        false
    }

    /// Whether a symbol does nothing but compare two terms.
    pub fn is_identity(&self, symbol: u32) -> bool {
        let (ops, entry) = (&self.program.ops, self.program.entries[symbol as usize]);
        let gives = |place: u32, value: Term| {
            let code = ops.get(place as usize..).unwrap_or_default();
            matches!(code, [Op::Step(_), Op::Constant(c), Op::Return, ..] if *c == value)
        };
        if entry != NONE
            && self.terms.arity(symbol) == 2
            && let Op::Same { left: 0, right: 1, table } = ops[entry as usize]
            && let Op::Jump(yes) = ops[entry as usize + 1]
        {
            let no = self.program.tables[table as usize].other;
            return gives(yes, self.truth) && gives(no, self.falsity);
        }
        false
    }

    /// Adds the variables that rewriting a normal form waits for: it goes on once they are known.
    pub fn awaited(&self, term: Term, found: &mut Vec<u32>) {
        let mut waiting = vec![term];
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        while let Some(term) = waiting.pop() {
            if self.terms.is_ground(term) || !seen.insert(term) {
                continue;
            }
            match self.terms.head(term) {
                Head::Variable(v) if found.contains(&v) => {}
                Head::Variable(v) => found.push(v),
                Head::Symbol(symbol) if self.terms.is_inert(symbol) => {
                    waiting.extend(self.terms.children(term).iter().rev());
                }
                Head::Symbol(symbol) => match self.waits_for(term, symbol) {
                    open if open.is_empty() => self.terms.variables(term, found),
                    open => waiting.extend(open.into_iter().rev()),
                },
            }
        }
    }

    /// The registers that match nothing yet, on the way through the automaton that a term takes.
    fn waits_for(&self, term: Term, symbol: u32) -> Vec<Term> {
        let mut registers = self.terms.children(term).to_vec();
        let mut open = Vec::new();
        let mut op = self.program.entries[symbol as usize] as usize;
        loop {
            op = match self.program.ops[op] {
                Op::Need(_) => op + 1,
                Op::Switch { register, table } => {
                    let (target, is_open) = self.target(registers[register as usize], table);
                    if is_open {
                        open.push(registers[register as usize]);
                    }
                    target as usize
                }
                Op::Load { register, child } => {
                    let parent = registers[register as usize];
                    registers.push(self.terms.children(parent)[child as usize]);
                    op + 1
                }
                Op::Same { left, right, table } => {
                    let (left, right) = (registers[left as usize], registers[right as usize]);
                    let table = self.program.tables[table as usize];
                    if left == right {
                        op + 1
                    } else if self.differ(left, right) {
                        table.other as usize
                    } else {
                        open.extend([left, right]);
                        table.open as usize
                    }
                }
                Op::Reset(height) => {
                    registers.truncate(height as usize);
                    op + 1
                }
                Op::Jump(target) => target as usize,
                _ => return open,
            };
        }
    }

    #[cold]
    pub(crate) fn stopped(&self) -> Endless {
        Endless { rule: 0, name: "nothing: it was stopped".into(), steps: self.steps }
    }

    fn endless(&self, looked: &FxHashMap<u32, u64>) -> Endless {
        let most = looked.iter().max_by_key(|&(&rule, &count)| (count, std::cmp::Reverse(rule)));
        let rule = most.map_or(0, |(&rule, _)| rule as usize);
        let name = match self.rule_names.get(rule) {
            Some(name) => name.clone(),
            None => format!("rule {}", rule + 1),
        };
        Endless { rule, name, steps: self.step_limit }
    }
}
