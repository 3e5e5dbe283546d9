//! Code: automata and right-hand sides as flat lists of instructions.
//!
//! An argument is *strict* if its normal form is needed whatever rule is applied: it is looked at on
//! every way through the automaton, or what the rule gives needs it. Strict arguments are evaluated
//! before a call, the others when they are looked at, or when their normal form is needed after all.
//! That is innermost rewriting, but for terms that it evaluates in vain: what innermost rewriting
//! brings to an end has the same normal form, and `if`, `and`, `or` need not be told of.
//!
//! Source: J. van de Pol, JITty: a rewriter with strategy annotations, RTA 2002; L. Maranget,
//! Compiling pattern matching to good decision trees, ML 2008.

use crate::data::automaton::{Automaton, Node, NodeId, Rule, STUCK};
use crate::data::terms::{Head, NONE, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// An instruction. Registers count from the base of the current call on the stack.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// Evaluates a register that is not strict.
    Need(u32),
    /// Goes where the table says for the symbol in the register.
    Switch {
        register: u32,
        table: u32,
    },
    /// Pushes a child of a register.
    Load {
        register: u32,
        child: u32,
    },
    /// Goes on if the registers hold one term, else where the table says.
    Same {
        left: u32,
        right: u32,
        table: u32,
    },
    /// Forgets the registers from this one.
    Reset(u32),
    Jump(u32),
    /// Counts a step of this rule.
    Step(u32),
    /// The arguments with this symbol outside are a normal form.
    Stuck(u32),
    /// Pushes a register, or a term.
    Push(u32),
    Constant(Term),
    /// Replaces the arguments on top of the stack by the term of this symbol, as it stands.
    Build(u32),
    /// Replaces the arguments on top of the stack by the normal form of that term.
    Call(u32),
    /// The same as the result of this call.
    Tail(u32),
    /// Evaluates the top of the stack.
    Force,
    /// The result is the normal form of a register, or of the top of the stack.
    ForceTail(u32),
    Return,
}

/// Where to go from a `Switch`: the cases are sorted by symbol.
#[derive(Clone, Copy)]
pub struct Table {
    pub begin: u32,
    pub end: u32,
    pub other: u32,
    pub open: u32,
}

/// The code of all rules.
#[derive(Default)]
pub struct Program {
    pub ops: Vec<Op>,
    pub tables: Vec<Table>,
    pub cases: Vec<(u32, u32)>,
    /// Where the code of each symbol begins, else `NONE`.
    pub entries: Vec<u32>,
    /// For every symbol the arguments that are not strict, as bits. Those from the 64th are strict.
    pub lazy: Vec<u64>,
}

/// The bit of an argument, if it has one.
pub fn bit(argument: usize) -> u64 {
    if argument < 64 { 1 << argument } else { 0 }
}

impl Program {
    /// The code of rules, which `by_head` lists for each symbol in the order of declaration.
    pub fn new(
        terms: &Terms,
        rules: &[Rule],
        by_head: &[Vec<u32>],
        agree: &mut dyn FnMut(u32, u32) -> bool,
    ) -> Self {
        let automata: Vec<Option<Automaton>> = by_head
            .iter()
            .map(|numbers| {
                (!numbers.is_empty()).then(|| Automaton::new(terms, rules, numbers, agree))
            })
            .collect();
        let mut program = Self {
            entries: vec![NONE; by_head.len()],
            lazy: lazy_arguments(terms, rules, by_head, &automata),
            ..Self::default()
        };
        for (symbol, automaton) in automata.iter().enumerate() {
            if let Some(automaton) = automaton {
                Emitter {
                    terms,
                    rules,
                    symbol: symbol as u32,
                    automaton,
                    program: &mut program,
                    places: FxHashMap::default(),
                    waiting: Vec::new(),
                }
                .emit();
            }
        }
        program
    }
}

/// The greatest solution of: an argument is strict if every way through the automaton needs it.
fn lazy_arguments(
    terms: &Terms,
    rules: &[Rule],
    by_head: &[Vec<u32>],
    automata: &[Option<Automaton>],
) -> Vec<u64> {
    let mut lazy = vec![0u64; automata.len()];
    // The symbols whose rules mention a symbol on the right.
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); automata.len()];
    for (symbol, numbers) in by_head.iter().enumerate() {
        let mut mentioned = FxHashSet::default();
        for &number in numbers {
            let mut waiting = vec![rules[number as usize].right];
            while let Some(term) = waiting.pop() {
                if let Head::Symbol(inner) = terms.head(term) {
                    mentioned.insert(inner);
                    waiting.extend(terms.children(term));
                }
            }
        }
        for inner in mentioned {
            users[inner as usize].push(symbol as u32);
        }
    }
    let mut waiting: Vec<u32> = (0..automata.len() as u32).rev().collect();
    let mut queued = vec![true; automata.len()];
    while let Some(symbol) = waiting.pop() {
        queued[symbol as usize] = false;
        let Some(automaton) = &automata[symbol as usize] else { continue };
        let arity = terms.arity(symbol);
        let all = (0..arity).fold(0, |all, argument| all | bit(argument));
        let found = all & !strict(terms, rules, automaton, all, &lazy);
        if found != lazy[symbol as usize] {
            lazy[symbol as usize] = found;
            for &user in &users[symbol as usize] {
                if !std::mem::replace(&mut queued[user as usize], true) {
                    waiting.push(user);
                }
            }
        }
    }
    lazy
}

/// The arguments that every way through an automaton needs; open terms aside.
fn strict(terms: &Terms, rules: &[Rule], automaton: &Automaton, all: u64, lazy: &[u64]) -> u64 {
    let mut known: Vec<Option<u64>> = vec![None; automaton.nodes.len()];
    let mut waiting = vec![(automaton.root, false)];
    while let Some((node, visited)) = waiting.pop() {
        if known[node].is_some() {
            continue;
        }
        let mut next: Vec<NodeId> = Vec::new();
        let own = match &automaton.nodes[node] {
            Node::Stuck => all,
            Node::Apply { rule, registers } => {
                let mut own = 0;
                for v in needed_variables(terms, rules[*rule as usize].right, lazy) {
                    own |= bit(registers[v as usize] as usize);
                }
                own
            }
            Node::Switch { register, cases, other, .. } => {
                next.extend(cases.iter().map(|case| case.next));
                next.push(*other);
                bit(*register as usize)
            }
            Node::Same { left, right, yes, no, .. } => {
                next.extend([*yes, *no]);
                bit(*left as usize) | bit(*right as usize)
            }
            Node::Reset { next: target, .. } => {
                next.push(*target);
                0
            }
        };
        if visited || next.is_empty() {
            let inner = next.iter().map(|&n| known[n].unwrap_or(all)).reduce(|a, b| a & b);
            known[node] = Some((own | inner.unwrap_or(0)) & all);
        } else {
            waiting.push((node, true));
            waiting.extend(next.into_iter().map(|n| (n, false)));
        }
    }
    known[automaton.root].unwrap_or(all)
}

/// The variables whose normal form the normal form of a term surely needs.
fn needed_variables(terms: &Terms, term: Term, lazy: &[u64]) -> Vec<u32> {
    let mut found = Vec::new();
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        match terms.head(term) {
            Head::Variable(v) => found.push(v),
            Head::Symbol(symbol) => {
                for (argument, &child) in terms.children(term).iter().enumerate() {
                    if !terms.is_ground(child) && lazy[symbol as usize] & bit(argument) == 0 {
                        waiting.push(child);
                    }
                }
            }
        }
    }
    found
}

/// Writes the code of one symbol.
struct Emitter<'a> {
    terms: &'a Terms,
    rules: &'a [Rule],
    symbol: u32,
    automaton: &'a Automaton,
    program: &'a mut Program,
    /// Where the code of a node begins.
    places: FxHashMap<NodeId, u32>,
    /// Nodes to write, with the lazy arguments that are not evaluated yet, and what to set to their
    /// place then.
    waiting: Vec<(NodeId, u64, Patch)>,
}

#[derive(Clone, Copy)]
enum Patch {
    Entry,
    Jump(usize),
    Case(usize),
    Other(usize),
    Open(usize),
}

impl Emitter<'_> {
    fn emit(&mut self) {
        let lazy = self.program.lazy[self.symbol as usize];
        self.waiting.push((self.automaton.root, lazy, Patch::Entry));
        while let Some((node, pending, patch)) = self.waiting.pop() {
            let place = match self.places.get(&node) {
                Some(&place) => place,
                None => {
                    let place = self.program.ops.len() as u32;
                    self.places.insert(node, place);
                    // Nodes that several ways lead to do not know which arguments are evaluated.
                    let shared = node == STUCK;
                    self.node(node, if shared { lazy } else { pending });
                    place
                }
            };
            match patch {
                Patch::Entry => self.program.entries[self.symbol as usize] = place,
                Patch::Jump(op) => self.program.ops[op] = Op::Jump(place),
                Patch::Case(case) => self.program.cases[case].1 = place,
                Patch::Other(table) => self.program.tables[table].other = place,
                Patch::Open(table) => self.program.tables[table].open = place,
            }
        }
    }

    fn op(&mut self, op: Op) {
        self.program.ops.push(op);
    }

    /// Evaluates a register if it is an argument that may not be.
    fn need(&mut self, register: u32, pending: &mut u64) {
        let own = bit(register as usize);
        if *pending & own != 0 {
            *pending &= !own;
            self.op(Op::Need(register));
        }
    }

    fn node(&mut self, node: NodeId, mut pending: u64) {
        let automaton = self.automaton;
        match &automaton.nodes[node] {
            Node::Stuck => {
                for register in 0..self.terms.arity(self.symbol) as u32 {
                    self.need(register, &mut pending);
                }
                self.op(Op::Stuck(self.symbol));
            }
            Node::Apply { rule, registers } => {
                self.op(Op::Step(*rule));
                self.right(self.rules[*rule as usize].right, registers, pending);
            }
            Node::Reset { height, next } => {
                self.op(Op::Reset(*height));
                self.op(Op::Jump(0));
                let lazy = self.program.lazy[self.symbol as usize];
                self.waiting.push((*next, lazy, Patch::Jump(self.program.ops.len() - 1)));
            }
            Node::Same { left, right, yes, no, open } => {
                self.need(*left, &mut pending);
                self.need(*right, &mut pending);
                let table = self.table(*no, *open, pending);
                self.op(Op::Same { left: *left, right: *right, table: table as u32 });
                self.op(Op::Jump(0));
                self.waiting.push((*yes, pending, Patch::Jump(self.program.ops.len() - 1)));
            }
            Node::Switch { register, cases, other, open } => {
                self.need(*register, &mut pending);
                let table = self.table(*other, *open, pending);
                self.op(Op::Switch { register: *register, table: table as u32 });
                for case in cases {
                    // The loads of a case stand before the code of its node.
                    let place = self.program.ops.len() as u32;
                    self.program.cases.push((case.symbol, place));
                    for &child in &case.loads {
                        self.op(Op::Load { register: *register, child });
                    }
                    if case.loads.is_empty() {
                        let patch = Patch::Case(self.program.cases.len() - 1);
                        self.waiting.push((case.next, pending, patch));
                    } else {
                        self.op(Op::Jump(0));
                        let patch = Patch::Jump(self.program.ops.len() - 1);
                        self.waiting.push((case.next, pending, patch));
                    }
                }
                self.program.tables[table].end = self.program.cases.len() as u32;
            }
        }
    }

    /// A table with no cases yet.
    fn table(&mut self, other: NodeId, open: NodeId, pending: u64) -> usize {
        let table = self.program.tables.len();
        let begin = self.program.cases.len() as u32;
        self.program.tables.push(Table { begin, end: begin, other: 0, open: 0 });
        self.waiting.push((other, pending, Patch::Other(table)));
        self.waiting.push((open, pending, Patch::Open(table)));
        table
    }

    fn right(&mut self, term: Term, registers: &[u32], pending: u64) {
        expression(self.terms, &mut self.program.ops, &self.program.lazy, term, |v| {
            let register = registers[v as usize];
            (register, pending & bit(register as usize) != 0)
        });
    }
}

/// Writes code that returns the normal form of a term; `register` tells of every variable where it is
/// and whether it may not be evaluated.
pub fn expression(
    terms: &Terms,
    ops: &mut Vec<Op>,
    lazy: &[u64],
    term: Term,
    register: impl Fn(u32) -> (u32, bool),
) {
    enum Task {
        /// Push a term, evaluated or as it stands.
        Visit(Term, bool),
        Emit(Op),
    }
    if let Head::Variable(v) = terms.head(term) {
        ops.push(Op::ForceTail(register(v).0));
        return;
    }
    let mut tasks = vec![Task::Visit(term, true)];
    let mut root = true;
    while let Some(task) = tasks.pop() {
        let (term, evaluated) = match task {
            Task::Visit(term, evaluated) => (term, evaluated),
            Task::Emit(op) => {
                ops.push(op);
                continue;
            }
        };
        let outside = std::mem::replace(&mut root, false);
        match terms.head(term) {
            Head::Variable(v) => {
                let (register, pending) = register(v);
                ops.push(Op::Push(register));
                if pending && evaluated {
                    ops.push(Op::Force);
                }
            }
            _ if terms.is_ground(term) && (!evaluated || terms.is_normal(term)) => {
                ops.push(Op::Constant(term));
                if outside {
                    tasks.push(Task::Emit(Op::Return));
                }
            }
            // A closed term has one normal form, which is kept once it is known.
            _ if terms.is_ground(term) && !outside => {
                ops.push(Op::Constant(term));
                ops.push(Op::Force);
            }
            Head::Symbol(symbol) => {
                if !evaluated || terms.is_inert(symbol) {
                    if outside {
                        tasks.push(Task::Emit(Op::Return));
                    }
                    tasks.push(Task::Emit(Op::Build(symbol)));
                } else if outside {
                    tasks.push(Task::Emit(Op::Tail(symbol)));
                } else {
                    tasks.push(Task::Emit(Op::Call(symbol)));
                }
                for (argument, &child) in terms.children(term).iter().enumerate().rev() {
                    let strict = lazy[symbol as usize] & bit(argument) == 0;
                    tasks.push(Task::Visit(child, evaluated && strict));
                }
            }
        }
    }
}
