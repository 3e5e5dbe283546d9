//! Selects the summands that may have steps in a state.
//!
//! Each summand has the *tests* chosen for it by [`Plan::new`](crate::process::plan::Plan). For
//! each value of a position the list of tests that hold is known. In a block of states, the states
//! where a test holds form a bit vector; a summand is evaluated in the intersection of the vectors
//! of its tests. A summand whose first test, its *home*, holds in no state of the block is not
//! considered at all. Comparisons with constants are found by the constant, without evaluation,
//! since there may be many control states.

use crate::base::ids::Id;
use crate::data::terms::Term;
use crate::process::evaluator::Evaluator;
use crate::process::plan::{Conjunct, Plan};
use crate::process::store::Block;
use rustc_hash::{FxHashMap, FxHashSet};

/// A test that holds for a value or is undecided there; bit 0 is set if it is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Holds(u32);

impl Holds {
    fn new(test: u32, is_undecided: bool) -> Self {
        Self(test << 1 | u32::from(is_undecided))
    }

    fn test(self) -> u32 {
        self.0 >> 1
    }

    fn is_undecided(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A position with the tests that read it.
#[derive(Default)]
struct Tested {
    position: u32,
    /// Comparisons with a constant built from constructors, by constant: `numbers` has the
    /// comparisons of numbers by a condition, `equations` the others. For values of another form
    /// they may be undecided.
    equations: FxHashMap<Term, (Conjunct, u32)>,
    numbers: FxHashMap<Term, (Conjunct, u32)>,
    /// All other tests.
    conditions: FxHashMap<Conjunct, u32>,
    /// For each value, the range in `members` of the tests that hold.
    spans: Vec<(u32, u32)>,
}

impl Tested {
    fn is_read(&self) -> bool {
        !self.equations.is_empty() || !self.numbers.is_empty() || !self.conditions.is_empty()
    }
}

/// The tests of all positions, and of all summands.
///
/// Invariant: equal lists in `members` are stored once.
pub struct Candidates {
    positions: Vec<Tested>,
    /// Summands without a test.
    always: Vec<u32>,
    /// For each test the summands whose home it is.
    index: Vec<Vec<u32>>,
    /// For each summand its tests.
    tests: Vec<Box<[u32]>>,
    members: Vec<Holds>,
    known: FxHashMap<Box<[Holds]>, (u32, u32)>,
}

/// The states of a block in which tests hold, as bit vectors.
#[derive(Default)]
pub struct TestResults {
    /// The number of words of a test.
    words: usize,
    results: Vec<u64>,
    /// The tests that hold in some state; `holds` has the same for all tests, as flags.
    holding: Vec<u32>,
    holds: Vec<bool>,
    /// Pairs of a test and a state where it is undecided.
    undecided_pairs: FxHashSet<(u32, u32)>,
    /// Summands whose tests all hold in some state; `states` has these states, as bit vectors.
    pub summands: Vec<u32>,
    pub states: Vec<u64>,
}

impl Candidates {
    /// The tests of a plan, without any values.
    pub fn new(plan: &Plan, evaluator: &mut Evaluator<'_>) -> Self {
        let mut positions: Vec<Tested> = (0..u32::at(plan.positions.len()))
            .map(|position| Tested { position, ..Tested::default() })
            .collect();
        let (mut always, mut index) = (Vec::new(), Vec::new());
        let mut tests = Vec::with_capacity(plan.tests.len());
        for (i, own_tests) in (0..).zip(&plan.tests) {
            let mut own = Vec::with_capacity(own_tests.len());
            for test in own_tests {
                let position = &mut positions[test.position as usize];
                let next = u32::at(index.len());
                // The constant may be a term that is not rewritten yet or has no value.
                let constant = test.constant.and_then(|constant| evaluator.value(constant));
                let constant = constant.filter(|&value| evaluator.is_built(value));
                let number = match (constant, test.conjunct) {
                    (None, conjunct) => *position.conditions.entry(conjunct).or_insert(next),
                    (Some(value), conjunct @ Conjunct::Condition(..)) => {
                        position.numbers.entry(value).or_insert((conjunct, next)).1
                    }
                    (Some(value), conjunct) => {
                        position.equations.entry(value).or_insert((conjunct, next)).1
                    }
                };
                if number == next {
                    index.push(Vec::new());
                }
                own.push(number);
            }
            match own.first() {
                Some(&home) => index[home as usize].push(i),
                None => always.push(i),
            }
            tests.push(own.into_boxed_slice());
        }
        positions.retain(Tested::is_read);
        Self { positions, always, index, tests, members: Vec::new(), known: FxHashMap::default() }
    }

    /// Determines the tests that hold for new values.
    pub fn extend(&mut self, plan: &Plan, evaluator: &mut Evaluator<'_>) {
        let (mut holding, mut undecided) = (Vec::new(), Vec::new());
        for tested in &mut self.positions {
            let parameter = plan.positions[tested.position as usize];
            for value in tested.spans.len()..evaluator.values(tested.position).len() {
                let term = evaluator.values(tested.position)[value];
                holding.clear();
                // States of network components are not terms, and are not compared with constants.
                let is_built = tested.equations.is_empty() || evaluator.is_built(term);
                undecided
                    .extend(tested.conditions.iter().map(|(&conjunct, &test)| (conjunct, test)));
                // A value not built from constructors may be equal to a term of another form.
                let decided = [is_built, tested.numbers.is_empty() || evaluator.is_number(term)];
                for (by_value, decided) in
                    [&tested.equations, &tested.numbers].into_iter().zip(decided)
                {
                    if decided {
                        holding
                            .extend(by_value.get(&term).map(|&(_, test)| Holds::new(test, false)));
                    } else {
                        undecided.extend(by_value.values());
                    }
                }
                for (conjunct, test) in undecided.drain(..) {
                    let holds = evaluator.test(conjunct, parameter, term);
                    if holds != Some(false) {
                        holding.push(Holds::new(test, holds.is_none()));
                    }
                }
                holding.sort_unstable();
                let span = match self.known.get(&holding[..]) {
                    Some(&known) => known,
                    None => {
                        let start = u32::at(self.members.len());
                        self.members.extend_from_slice(&holding);
                        let span = (start, u32::at(self.members.len()));
                        self.known.insert(holding[..].into(), span);
                        span
                    }
                };
                tested.spans.push(span);
            }
        }
    }

    /// Finds the summands to be evaluated in the first `states` states of a block, in order, with
    /// the states as `states.div_ceil(64)` words for each.
    pub fn find(&self, block: &Block, states: usize, results: &mut TestResults) {
        results.begin(states, self.index.len());
        for tested in &self.positions {
            let values = &block.column(tested.position)[..states];
            for (at, &value) in values.iter().enumerate() {
                let (start, end) = tested.spans[value as usize];
                for &holds in &self.members[start as usize..end as usize] {
                    results.add(holds, at);
                }
            }
        }
        let index = results.holding.iter().flat_map(|&test| &self.index[test as usize]);
        results.summands.extend(self.always.iter().chain(index));
        results.summands.sort_unstable();
        results.intersect(states, &self.tests);
    }

    /// Whether a test of a summand is undecided in a state of a block.
    pub fn is_undecided(&self, summand: u32, at: u32, results: &TestResults) -> bool {
        let tests = &self.tests[summand as usize];
        !results.undecided_pairs.is_empty()
            && tests.iter().any(|&test| results.undecided_pairs.contains(&(test, at)))
    }

    /// Approximate bytes in use.
    pub fn bytes(&self) -> usize {
        let spans = self.positions.iter().map(|position| size_of_val(&position.spans[..]));
        spans.sum::<usize>() + size_of_val(&self.members[..]) * 2 + self.known.capacity() * 24
    }
}

impl TestResults {
    fn begin(&mut self, states: usize, tests: usize) {
        for test in self.holding.drain(..) {
            self.holds[test as usize] = false;
        }
        self.words = states.div_ceil(64);
        self.holds.resize(tests, false);
        if self.results.len() < tests * self.words {
            self.results.resize(tests * self.words, 0);
        }
        self.undecided_pairs.clear();
        self.summands.clear();
        self.states.clear();
    }

    #[inline]
    fn add(&mut self, holds: Holds, at: usize) {
        let test = holds.test() as usize;
        let start = test * self.words;
        if !self.holds[test] {
            self.holds[test] = true;
            self.holding.push(holds.test());
            self.results[start..start + self.words].fill(0);
        }
        self.results[start + at / 64] |= 1 << (at % 64);
        if holds.is_undecided() {
            self.undecided_pairs.insert((holds.test(), u32::at(at)));
        }
    }

    /// Computes the states where all tests of a summand hold; removes summands without such states.
    fn intersect(&mut self, states: usize, tests: &[Box<[u32]>]) {
        let words = self.words;
        let (holds, results, bits) = (&self.holds, &self.results, &mut self.states);
        self.summands.retain(|&summand| {
            let tests = &tests[summand as usize];
            if !tests.iter().all(|&test| holds[test as usize]) {
                return false;
            }
            let start = bits.len();
            bits.resize(start + words, !0);
            let own = &mut bits[start..];
            if !states.is_multiple_of(64) {
                own[words - 1] = (1 << (states % 64)) - 1;
            }
            for &test in tests {
                let result = &results[test as usize * words..][..words];
                own.iter_mut().zip(result).for_each(|(word, result)| *word &= result);
            }
            let any = own.iter().any(|&word| word != 0);
            if !any {
                bits.truncate(start);
            }
            any
        });
    }
}
