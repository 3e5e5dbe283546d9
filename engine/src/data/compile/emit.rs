//! Emits the code of a symbol: its automaton, and the right-hand sides of its rules.

use crate::base::ids::Id;
use crate::data::automaton::{Automaton, Node, NodeId, Rule, STUCK};
use crate::data::compile::program::{Op, Program, Table, bit};
use crate::data::terms::{Head, Term, Terms};
use rustc_hash::FxHashMap;

/// Emits the code of one symbol.
pub(crate) struct Emitter<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) rules: &'a [Rule],
    pub(crate) symbol: u32,
    pub(crate) automaton: &'a Automaton,
    pub(crate) program: &'a mut Program,
    /// The address of each node whose code was emitted.
    pub(crate) addresses: FxHashMap<NodeId, u32>,
    /// Nodes to be emitted, with the lazy arguments not evaluated yet, and the reference to be set
    /// to the node's address.
    pub(crate) waiting: Vec<(NodeId, u64, Patch)>,
}

#[derive(Clone, Copy)]
pub(crate) enum Patch {
    Entry,
    Jump(usize),
    Case(usize),
    Other(usize),
    Open(usize),
}

impl Emitter<'_> {
    pub(crate) fn emit(&mut self) {
        let lazy = self.program.lazy[self.symbol as usize];
        let mut entry = Patch::Entry;
        let symbol = &self.terms.symbols[self.symbol as usize];
        let computes = match symbol.native {
            Some(operation) => Some(Op::Native { symbol: self.symbol, operation }),
            None => symbol.quantifies.then_some(Op::Quantifier(self.symbol)),
        };
        if let Some(computes) = computes {
            // The computation comes before the rules.
            self.program.entries[self.symbol as usize] = u32::at(self.program.ops.len());
            self.op(computes);
            self.op(Op::Jump(0));
            entry = Patch::Jump(self.program.ops.len() - 1);
        }
        self.waiting.push((self.automaton.root, lazy, entry));
        while let Some((node, pending, patch)) = self.waiting.pop() {
            let address = match self.addresses.get(&node) {
                Some(&address) => address,
                None => {
                    let address = u32::at(self.program.ops.len());
                    self.addresses.insert(node, address);
                    // For a node with several predecessors it is unknown which arguments are
                    // evaluated.
                    let shared = node == STUCK;
                    self.node(node, if shared { lazy } else { pending });
                    address
                }
            };
            match patch {
                Patch::Entry => self.program.entries[self.symbol as usize] = address,
                Patch::Jump(op) => self.program.ops[op] = Op::Jump(address),
                Patch::Case(case) => self.program.cases[case].1 = address,
                Patch::Other(table) => self.program.tables[table].other = address,
                Patch::Open(table) => self.program.tables[table].open = address,
            }
        }
    }

    fn op(&mut self, op: Op) {
        self.program.ops.push(op);
    }

    /// Evaluates a register if it is a lazy argument that has not been evaluated.
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
                for register in 0..u32::at(self.terms.arity(self.symbol)) {
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
            Node::Guard { condition, registers, yes, no, open } => {
                let table = self.table(*no, *open, pending);
                let (ops, lazy) = (&mut self.program.ops, &self.program.lazy);
                value(self.terms, ops, lazy, *condition, |v| {
                    let register = registers[v as usize];
                    (register, pending & bit(register as usize) != 0)
                });
                self.op(Op::Test(u32::at(table)));
                self.op(Op::Jump(0));
                self.waiting.push((*yes, pending, Patch::Jump(self.program.ops.len() - 1)));
            }
            Node::Same { left, right, yes, no, open } => {
                self.need(*left, &mut pending);
                self.need(*right, &mut pending);
                let table = self.table(*no, *open, pending);
                self.op(Op::Same { left: *left, right: *right, table: u32::at(table) });
                self.op(Op::Jump(0));
                self.waiting.push((*yes, pending, Patch::Jump(self.program.ops.len() - 1)));
            }
            Node::Switch { register, cases, other, open } => {
                self.need(*register, &mut pending);
                let table = self.table(*other, *open, pending);
                self.op(Op::Switch { register: *register, table: u32::at(table) });
                for case in cases {
                    // The loads of a case precede the code of its node.
                    let address = u32::at(self.program.ops.len());
                    self.program.cases.push((case.symbol, address));
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
                self.program.tables[table].end = u32::at(self.program.cases.len());
            }
        }
    }

    /// Adds a table without cases.
    fn table(&mut self, other: NodeId, open: NodeId, pending: u64) -> usize {
        let table = self.program.tables.len();
        let begin = u32::at(self.program.cases.len());
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

/// Emits code that returns the normal form of a term. `register` gives for every variable its
/// register, and whether that may be unevaluated.
fn expression(
    terms: &Terms,
    ops: &mut Vec<Op>,
    lazy: &[u64],
    term: Term,
    register: impl Fn(u32) -> (u32, bool),
) {
    match terms.head(term) {
        Head::Variable(v) => ops.push(Op::ForceTail(register(v).0)),
        _ => code(terms, ops, lazy, term, register, true),
    }
}

/// Emits code that pushes the normal form of a term.
fn value(
    terms: &Terms,
    ops: &mut Vec<Op>,
    lazy: &[u64],
    term: Term,
    register: impl Fn(u32) -> (u32, bool),
) {
    code(terms, ops, lazy, term, register, false);
}

/// Emits code that pushes or returns the normal form of a term.
fn code(
    terms: &Terms,
    ops: &mut Vec<Op>,
    lazy: &[u64],
    term: Term,
    register: impl Fn(u32) -> (u32, bool),
    returns: bool,
) {
    enum Task {
        /// Push a term, either evaluated or unchanged.
        Visit(Term, bool),
        Emit(Op),
    }
    let mut tasks = vec![Task::Visit(term, true)];
    let mut root = returns;
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
            // The normal form of a closed term is cached once it is known.
            _ if terms.is_ground(term) && !outside => {
                ops.push(Op::Constant(term));
                ops.push(Op::Force);
            }
            Head::Numeral(_) => unreachable!("a numeral is a normal form"),
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

#[cfg(test)]
mod tests {
    use crate::data::rewrite::Data;
    use crate::data::terms::{Kind, Symbol};

    #[test]
    fn a_closed_part_of_a_right_side_is_rewritten_once() {
        let symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("0", &[], 1, Kind::Constructor),
            Symbol::new("S", &[1], 1, Kind::Constructor),
            Symbol::new("pair", &[1, 1], 1, Kind::Constructor),
            Symbol::new("down", &[1], 1, Kind::Map),
            Symbol::new("beside", &[1], 1, Kind::Map),
        ];
        let rules = [
            (0, vec![5, 2], vec![2]),
            (1, vec![5, 3, -1], vec![5, -1]),
            // beside(x) = pair(down(S(S(S(S(0))))), x)
            (1, vec![6, -1], vec![4, 5, 3, 3, 3, 3, 2, -1]),
        ];
        let sorts = vec![b"Bool".to_vec(), b"Nat".to_vec()];
        let mut data = Data::new(sorts, symbols, &rules, 0, 1).expect("well formed");
        data.memo.enabled = false;
        let steps: Vec<u64> = [vec![6, 2], vec![6, 3, 2], vec![6, 3, 3, 2]]
            .iter()
            .map(|code| {
                let (before, term) = (data.steps, data.terms.decode(code).expect("a term"));
                let normal = data.normalise(term).expect("it ends");
                let inside = data.terms.children(normal).to_vec();
                assert_eq!(data.terms.show(inside[0]), b"0");
                assert_eq!(
                    data.terms.show(inside[1]),
                    data.terms.show(data.terms.children(term)[0])
                );
                data.steps - before
            })
            .collect();
        assert_eq!(steps, [6, 1, 1]);
    }
}
