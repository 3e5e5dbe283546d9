//! Matching automata: the left-hand sides of a symbol's rules, compiled into one decision tree.
//!
//! A tree inspects the arguments one after the other, no position twice, and finds the first rule,
//! in the order of declaration, that matches. A rule may be applied before an earlier one only if
//! the two agree wherever both match; so no position is inspected for a rule that gives the same.
//!
//! A term is *open* at a position with a variable: its instances may have any symbol there. Rules
//! that inspect the position then count as matching some instances, and no later rule is applied
//! that disagrees with one of them. So an open term is rewritten only as all its instances are. The
//! same holds for a term that no equation matches, if it may denote any value and some rule tests
//! for a value; tests for a map only compare the form of the term.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::data::terms::{Head, NONE, Term, Terms};
use rustc_hash::FxHashMap;

/// A rule `left -> right`; its variables are numbered from 0. On the left, numerals are replaced by
/// the constructor terms that they denote.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub left: Term,
    pub right: Term,
    /// The condition, or `NONE`.
    pub condition: Term,
    pub variables: u32,
}

/// The number of a node.
pub type NodeId = usize;

/// No rule matches: the node with this number in every tree.
pub const STUCK: NodeId = 0;

/// A node of the tree. Registers hold the arguments, from 0, and then the subterms loaded so far.
pub enum Node {
    Stuck,
    /// A rule matches; `registers` has the register of each variable, `NONE` if it is not needed.
    Apply {
        rule: u32,
        registers: Vec<u32>,
    },
    /// Branches on the symbol of the term in a register.
    Switch {
        register: u32,
        cases: Vec<Case>,
        other: NodeId,
        /// For an open term.
        open: NodeId,
    },
    /// Tests whether two registers hold the same term.
    Same {
        left: u32,
        right: u32,
        yes: NodeId,
        no: NodeId,
        open: NodeId,
    },
    /// Tests the condition of a rule; `registers` as in `Apply`.
    Guard {
        condition: Term,
        registers: Vec<u32>,
        yes: NodeId,
        no: NodeId,
        open: NodeId,
    },
    /// Drops the registers from `height` on.
    Reset {
        height: u32,
        next: NodeId,
    },
}

/// A case of a switch: for this symbol, these children are loaded into registers, in order.
pub struct Case {
    pub symbol: u32,
    pub loads: Vec<u32>,
    pub next: NodeId,
}

/// The matching automaton of one symbol, which starts at `root`.
pub struct Automaton {
    pub nodes: Vec<Node>,
    pub root: NodeId,
}

/// A rule that may still match.
#[derive(Clone)]
struct Row {
    rule: u32,
    /// Registers, and the patterns (not variables) that they must match.
    tests: Vec<(u32, Term)>,
    /// Pairs of registers that must hold the same term.
    same: Vec<(u32, u32)>,
    /// Whether it has a condition that has not been tested.
    guarded: bool,
    registers: Vec<u32>,
}

/// A node to be built.
struct State {
    node: NodeId,
    rows: Vec<Row>,
    /// Rules that may match some instances and would take precedence over the rows.
    blockers: Vec<u32>,
    height: u32,
    /// The nodes to continue with if no row matches: for all instances, and for some instances
    /// only.
    fail: (NodeId, NodeId),
}

struct Builder<'a> {
    terms: &'a Terms,
    rules: &'a [Rule],
    /// For each rule the variables that occur twice on the left, on the right, or in the condition.
    needed: FxHashMap<u32, Vec<bool>>,
    agree: &'a mut dyn FnMut(u32, u32) -> Result<bool>,
    cancel: &'a Cancel,
    nodes: Vec<Node>,
    waiting: Vec<State>,
}

impl Automaton {
    /// The automaton for the rules `numbers`, in this order, whose left-hand sides have the same
    /// outermost symbol. `agree` returns whether two rules give the same result wherever both
    /// match.
    pub fn new(
        terms: &Terms,
        rules: &[Rule],
        numbers: &[u32],
        agree: &mut dyn FnMut(u32, u32) -> Result<bool>,
        cancel: &Cancel,
    ) -> Result<Self> {
        let needed = numbers.iter().map(|&n| (n, needed(terms, &rules[n as usize]))).collect();
        let (nodes, waiting) = (vec![Node::Stuck], Vec::new());
        let mut builder = Builder { terms, rules, needed, agree, cancel, nodes, waiting };
        // Few symbols need more nodes; a larger tree is cut off by trying rule after rule.
        let budget = 200 + 30 * numbers.len();
        let arity = numbers.first().map_or(0, |&n| terms.children(rules[n as usize].left).len());
        let rows = numbers.iter().map(|&number| builder.row(number)).collect();
        let root = builder.enter(rows, Vec::new(), u32::at(arity), (STUCK, STUCK), false);
        while let Some(state) = builder.waiting.pop() {
            if builder.nodes.len() > budget && state.rows.len() > 1 {
                builder.chain(state);
            } else {
                builder.grow(state)?;
            }
        }
        Ok(Self { nodes: builder.nodes, root })
    }
}

fn needed(terms: &Terms, rule: &Rule) -> Vec<bool> {
    let mut seen = vec![0; rule.variables as usize];
    let mut waiting = vec![rule.left];
    while let Some(term) = waiting.pop() {
        match terms.head(term) {
            Head::Variable(v) => seen[v as usize] += 1,
            _ => waiting.extend(terms.children(term)),
        }
    }
    let mut right = Vec::new();
    terms.variables(rule.right, &mut right);
    if rule.condition != NONE {
        terms.variables(rule.condition, &mut right);
    }
    (0..).zip(seen).map(|(v, count)| count > 1 || right.contains(&v)).collect()
}

impl Builder<'_> {
    /// Whether two rules give the same result wherever both match.
    fn agree(&mut self, left: u32, right: u32) -> Result<bool> {
        self.cancel.check()?;
        (self.agree)(left, right)
    }

    /// Whether a rule comes after a blocker that it disagrees with.
    fn is_blocked(&mut self, rule: u32, blockers: &[u32]) -> Result<bool> {
        for &blocker in blockers.iter().filter(|&&blocker| blocker < rule) {
            if !self.agree(blocker, rule)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn agrees_with_all(&mut self, rule: u32, rows: &[Row]) -> Result<bool> {
        for row in rows {
            if !self.agree(row.rule, rule)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn row(&self, rule: u32) -> Row {
        let variables = self.rules[rule as usize].variables as usize;
        let (tests, same) = (Vec::new(), Vec::new());
        let guarded = self.rules[rule as usize].condition != NONE;
        let mut row = Row { rule, tests, same, guarded, registers: vec![NONE; variables] };
        let patterns = self.terms.children(self.rules[rule as usize].left);
        for (register, &pattern) in (0..).zip(patterns) {
            self.require(&mut row, register, pattern);
        }
        row
    }

    /// Adds the requirement that a register matches a pattern to a row.
    fn require(&self, row: &mut Row, register: u32, pattern: Term) {
        match self.terms.head(pattern) {
            Head::Variable(v) => match row.registers[v as usize] {
                NONE => row.registers[v as usize] = register,
                first => row.same.push((first, register)),
            },
            _ => row.tests.push((register, pattern)),
        }
    }

    /// The node for these rows; `perhaps` if the last test failed for some instances only.
    fn enter(
        &mut self,
        rows: Vec<Row>,
        blockers: Vec<u32>,
        height: u32,
        fail: (NodeId, NodeId),
        perhaps: bool,
    ) -> NodeId {
        if rows.is_empty() {
            return if perhaps { fail.1 } else { fail.0 };
        }
        let node = self.nodes.len();
        self.nodes.push(Node::Stuck);
        self.waiting.push(State { node, rows, blockers, height, fail });
        node
    }

    /// The blockers that come before some row and disagree with it.
    fn relevant(&mut self, rows: &[Row], blockers: &[u32]) -> Result<Vec<u32>> {
        let mut relevant = Vec::new();
        for &blocker in blockers {
            self.cancel.check()?;
            for row in rows {
                if blocker < row.rule && !self.agree(blocker, row.rule)? {
                    relevant.push(blocker);
                    break;
                }
            }
        }
        Ok(relevant)
    }

    fn grow(&mut self, mut state: State) -> Result<()> {
        self.cancel.check()?;
        // A row without tests matches, but may not be applicable.
        let mut i = 0;
        while i < state.rows.len() {
            if !state.rows[i].tests.is_empty() || !state.rows[i].same.is_empty() {
                i += 1;
                continue;
            }
            let rule = state.rows[i].rule;
            if self.is_blocked(rule, &state.blockers)? {
                // Not applicable to all instances: counts as a rule that matches some of them.
                state.blockers.push(rule);
                state.rows.remove(i);
            } else if state.rows[i].guarded {
                i += 1; // tested once it is the first row
            } else if self.agrees_with_all(rule, &state.rows[..i])? {
                let registers = state.rows.swap_remove(i).registers;
                self.nodes[state.node] = Node::Apply { rule, registers };
                return Ok(());
            } else {
                state.rows.truncate(i + 1); // it matches if the earlier ones do not
                break;
            }
        }
        let Some(first) = state.rows.first() else {
            let height = state.height;
            self.nodes[state.node] = Node::Reset { height, next: state.fail.1 };
            return Ok(());
        };
        if first.tests.is_empty() && first.same.is_empty() {
            return self.guard(state);
        }
        let mut inspecting: FxHashMap<u32, usize> = FxHashMap::default();
        for &(register, _) in state.rows.iter().flat_map(|row| &row.tests) {
            *inspecting.entry(register).or_default() += 1;
        }
        // Of the positions that the first row must inspect, the one that most rows inspect.
        let best = first.tests.iter().map(|&(register, _)| register);
        match best.max_by_key(|register| (inspecting[register], std::cmp::Reverse(*register))) {
            Some(register) => self.switch(state, register),
            None => {
                let pair = first.same[0];
                self.same(state, pair)
            }
        }
    }

    fn switch(&mut self, state: State, register: u32) -> Result<()> {
        let State { node, rows, blockers, height, fail } = state;
        let mut other: Vec<Row> = Vec::new();
        let mut cases: Vec<(u32, Vec<Row>)> = Vec::new();
        let mut case_of: FxHashMap<u32, usize> = FxHashMap::default();
        // The rules that inspect the register, and those of them that test for a value.
        let (mut looking, mut of_values) = (Vec::new(), Vec::new());
        for row in rows {
            let Some(test) = row.tests.iter().position(|t| t.0 == register) else {
                for (_, rows) in &mut cases {
                    rows.push(row.clone());
                }
                other.push(row);
                continue;
            };
            let Head::Symbol(symbol) = self.terms.head(row.tests[test].1) else { unreachable!() };
            looking.push(row.rule);
            of_values.extend((!self.terms.may_equal_others(symbol)).then_some(row.rule));
            let case = *case_of.entry(symbol).or_insert_with(|| {
                cases.push((symbol, other.clone()));
                cases.len() - 1
            });
            cases[case].1.push(row);
        }
        let perhaps: Vec<u32> = blockers.iter().copied().chain(looking).collect();
        let mut built = Vec::new();
        for (symbol, mut rows) in cases {
            let loads = self.load(&mut rows, register, height);
            let above = height + u32::at(loads.len());
            let of_values = if self.terms.may_equal_others(symbol) { &of_values[..] } else { &[] };
            let all = blockers.iter().chain(of_values).copied().collect();
            let fail = if of_values.is_empty() { fail } else { (fail.1, fail.1) };
            let next = self.enter(rows, all, above, fail, !of_values.is_empty());
            built.push(Case { symbol, loads, next });
        }
        built.sort_by_key(|case| case.symbol);
        let perhaps = self.relevant(&other, &perhaps)?;
        let before = self.relevant(&other, &blockers)?;
        let shared = perhaps == before && fail.0 == fail.1;
        let open = if shared { None } else { Some((other.clone(), perhaps)) };
        let other = self.enter(other, before, height, fail, false);
        let open = match open {
            Some((rows, blockers)) => self.enter(rows, blockers, height, fail, true),
            None => other,
        };
        self.nodes[node] = Node::Switch { register, cases: built, other, open };
        Ok(())
    }

    /// Replaces a register's tests, for one symbol, by those of its children, loaded from `height`.
    fn load(&self, rows: &mut [Row], register: u32, height: u32) -> Vec<u32> {
        let mut patterns: Vec<(usize, Term)> = Vec::new();
        for (i, row) in rows.iter_mut().enumerate() {
            if let Some(test) = row.tests.iter().position(|t| t.0 == register) {
                patterns.push((i, row.tests.remove(test).1));
            }
        }
        let is_needed = |row: &Row, pattern: Term| match self.terms.head(pattern) {
            Head::Variable(v) => self.needed[&row.rule][v as usize],
            _ => true,
        };
        let arity = patterns.first().map_or(0, |&(_, p)| self.terms.children(p).len());
        let mut loads = Vec::new();
        for child in 0..arity {
            let part = |pattern: Term| self.terms.children(pattern)[child];
            if !patterns.iter().any(|&(i, pattern)| is_needed(&rows[i], part(pattern))) {
                continue;
            }
            let target = height + u32::at(loads.len());
            loads.push(u32::at(child));
            for &(i, pattern) in &patterns {
                self.require(&mut rows[i], target, part(pattern));
            }
        }
        loads
    }

    fn same(&mut self, state: State, pair: (u32, u32)) -> Result<()> {
        let State { node, rows, blockers, height, fail } = state;
        let (mut yes, mut no, mut looking) = (Vec::new(), Vec::new(), Vec::new());
        for mut row in rows {
            if row.same.contains(&pair) {
                looking.push(row.rule);
                row.same.retain(|&p| p != pair);
            } else {
                no.push(row.clone());
            }
            yes.push(row);
        }
        let yes = self.enter(yes, blockers.clone(), height, fail, false);
        let perhaps: Vec<u32> = blockers.iter().copied().chain(looking).collect();
        let perhaps = self.relevant(&no, &perhaps)?;
        let before = self.relevant(&no, &blockers)?;
        let open = self.enter(no.clone(), perhaps, height, fail, true);
        let no = self.enter(no, before, height, fail, false);
        self.nodes[node] = Node::Same { left: pair.0, right: pair.1, yes, no, open };
        Ok(())
    }

    /// Tests the condition of the first row, which matches otherwise.
    fn guard(&mut self, state: State) -> Result<()> {
        let State { node, rows, blockers, height, fail } = state;
        let (first, rest) = rows.split_first().expect("it has rows");
        let Row { rule, registers, .. } = first.clone();
        let yes = vec![Row { guarded: false, ..first.clone() }];
        let yes = self.enter(yes, blockers.clone(), height, fail, false);
        let perhaps: Vec<u32> = blockers.iter().copied().chain([rule]).collect();
        let perhaps = self.relevant(rest, &perhaps)?;
        let before = self.relevant(rest, &blockers)?;
        let open = self.enter(rest.to_vec(), perhaps, height, fail, true);
        let no = self.enter(rest.to_vec(), before, height, fail, false);
        let condition = self.rules[rule as usize].condition;
        self.nodes[node] = Node::Guard { condition, registers, yes, no, open };
        Ok(())
    }

    /// Tries the rows of a state one after the other: at most twice as many nodes as rows.
    fn chain(&mut self, state: State) {
        let State { node, rows, blockers, height, fail } = state;
        let (mut surely, mut perhaps) = fail;
        // From the last row to the first; with all earlier ones as blockers, and without.
        let numbers: Vec<u32> = rows.iter().map(|row| row.rule).collect();
        for (i, row) in rows.into_iter().enumerate().rev() {
            let mut all = blockers.clone();
            all.extend_from_slice(&numbers[..i]);
            let fail = (self.reset(height, surely), self.reset(height, perhaps));
            if i > 0 {
                perhaps = self.enter(vec![row.clone()], all, height, (fail.1, fail.1), false);
            }
            surely = self.enter(vec![row], blockers.clone(), height, fail, false);
        }
        self.nodes[node] = Node::Reset { height, next: surely };
    }

    fn reset(&mut self, height: u32, next: NodeId) -> NodeId {
        if next == STUCK {
            return STUCK;
        }
        self.nodes.push(Node::Reset { height, next });
        self.nodes.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use crate::data::rewrite::Data;
    use crate::data::terms::{Kind, Symbol};

    /// `f(c_i, x) = c_7i` and `f(x, c_i) = c_5i+1` for each of `n` constants, modulo `n`: each rule
    /// of one kind overlaps with all of the other.
    fn overlapping(n: usize) -> Data {
        let mut symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("f", &[1, 1], 1, Kind::Map),
        ];
        symbols.extend((0..n).map(|i| Symbol::new(format!("c{i}"), &[], 1, Kind::Constructor)));
        let constant = |i: usize| 3 + i64::try_from(i % n).expect("few");
        let rules: Vec<_> = (0..n)
            .flat_map(|i| {
                [
                    (1, vec![2, constant(i), -1], vec![constant(7 * i)]),
                    (1, vec![2, -1, constant(i)], vec![constant(5 * i + 1)]),
                ]
            })
            .collect();
        Data::new(vec![b"Bool".to_vec(), b"D".to_vec()], symbols, &rules, 0, 1)
            .expect("well formed")
    }

    #[test]
    fn the_first_matching_of_overlapping_rules_is_applied() {
        for n in [4, 40] {
            let mut data = overlapping(n);
            let mut normal = |code: Vec<i64>| {
                let term = data.terms.decode(&code).expect("a term");
                let normal = data.normalise(term).expect("it ends");
                String::from_utf8(data.terms.show(normal)).expect("a name")
            };
            let constant = |i: usize| 3 + i64::try_from(i).expect("few");
            for i in 0..n {
                for j in 0..n {
                    let first = if i <= j { 7 * i } else { 5 * j + 1 };
                    let value = normal(vec![2, constant(i), constant(j)]);
                    assert_eq!(value, format!("c{}", first % n), "f(c{i},c{j})");
                }
            }
            // Some instances match an earlier rule with another result.
            assert!(normal(vec![2, -1, constant(1)]).starts_with("f("));
            // f(c_0, x): the first rule of all.
            assert_eq!(normal(vec![2, constant(0), -1]), "c0");
        }
    }
}
