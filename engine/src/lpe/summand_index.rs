//! Which summands may have steps in a state.
//!
//! Every summand has the *tests* that [`Plan::new`](crate::lpe::plan::Plan) chose for it. For each value
//! of a place the tests that hold are known. In a block of states the states where a test holds are a
//! row of bits, and the states where a summand is looked at are those in the rows of all its tests. A
//! summand whose first test, its *home*, holds in no state of the block is not looked at at all.
//! A test that compares with a constant is found by the constant and nothing is evaluated: control
//! states may be many.

use crate::data::terms::Term;
use crate::lpe::evaluator::Evaluator;
use crate::lpe::plan::{Conjunct, Plan};
use crate::lpe::store::Block;
use rustc_hash::{FxHashMap, FxHashSet};

/// A test that holds for a value, or has no truth value there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Holds(u32);

impl Holds {
    fn new(test: u32, doubt: bool) -> Self {
        Self(test << 1 | u32::from(doubt))
    }

    fn test(self) -> u32 {
        self.0 >> 1
    }

    fn doubt(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A place with the tests that read it.
#[derive(Default)]
struct Tested {
    place: u32,
    /// The tests that want the place to have a value, which is made of constructors, and of those the
    /// comparisons of numbers: other terms they may not decide.
    equations: FxHashMap<Term, (Conjunct, u32)>,
    numbers: FxHashMap<Term, (Conjunct, u32)>,
    /// All other tests.
    conditions: FxHashMap<Conjunct, u32>,
    /// For each value where what holds begins and ends.
    spans: Vec<(u32, u32)>,
}

impl Tested {
    fn is_read(&self) -> bool {
        !self.equations.is_empty() || !self.numbers.is_empty() || !self.conditions.is_empty()
    }
}

/// The tests of all places, and of all summands.
///
/// Invariant: no two spans of `members` that are in use are equal lists.
pub struct Candidates {
    places: Vec<Tested>,
    /// Summands without a test.
    always: Vec<u32>,
    /// For each test the summands whose home it is.
    homes: Vec<Vec<u32>>,
    /// For each summand its tests.
    tests: Vec<Box<[u32]>>,
    members: Vec<Holds>,
    known: FxHashMap<Box<[Holds]>, (u32, u32)>,
}

/// The states of a block in which tests hold: rows of bits.
#[derive(Default)]
pub struct TestRows {
    /// The words of a row.
    words: usize,
    rows: Vec<u64>,
    /// Tests that hold in some state, and whether each does.
    holding: Vec<u32>,
    holds: Vec<bool>,
    /// Tests without a truth value in a state.
    doubts: FxHashSet<(u32, u32)>,
    /// Summands whose home test holds in some state, and the states where all their tests do.
    pub summands: Vec<u32>,
    pub states: Vec<u64>,
}

impl Candidates {
    /// Those of a plan, for no values yet.
    pub fn new(plan: &Plan, evaluator: &mut Evaluator<'_>) -> Self {
        let mut places: Vec<Tested> = (0..plan.places.len() as u32)
            .map(|place| Tested { place, ..Tested::default() })
            .collect();
        let (mut always, mut homes) = (Vec::new(), Vec::new());
        let mut tests = Vec::with_capacity(plan.tests.len());
        for (i, wanted) in (0..).zip(&plan.tests) {
            let mut own = Vec::with_capacity(wanted.len());
            for test in wanted {
                let place = &mut places[test.place as usize];
                let next = homes.len() as u32;
                // A constant may be a term that has yet to be rewritten, or has no value.
                let constant = test.constant.and_then(|constant| evaluator.value(constant));
                let constant = constant.filter(|&value| evaluator.is_built(value));
                let number = match (constant, test.conjunct) {
                    (None, conjunct) => *place.conditions.entry(conjunct).or_insert(next),
                    (Some(value), conjunct @ Conjunct::Condition(..)) => {
                        place.numbers.entry(value).or_insert((conjunct, next)).1
                    }
                    (Some(value), conjunct) => {
                        place.equations.entry(value).or_insert((conjunct, next)).1
                    }
                };
                if number == next {
                    homes.push(Vec::new());
                }
                own.push(number);
            }
            match own.first() {
                Some(&home) => homes[home as usize].push(i),
                None => always.push(i),
            }
            tests.push(own.into_boxed_slice());
        }
        places.retain(Tested::is_read);
        Self { places, always, homes, tests, members: Vec::new(), known: FxHashMap::default() }
    }

    /// Finds what holds for values that are new.
    pub fn extend(&mut self, plan: &Plan, evaluator: &mut Evaluator<'_>) {
        let (mut found, mut undecided) = (Vec::new(), Vec::new());
        for tested in &mut self.places {
            let parameter = plan.places[tested.place as usize];
            for value in tested.spans.len()..evaluator.values(tested.place).len() {
                let term = evaluator.values(tested.place)[value];
                found.clear();
                // States of components of a network are no terms, and compared with none.
                let is_built = tested.equations.is_empty() || evaluator.is_built(term);
                undecided
                    .extend(tested.conditions.iter().map(|(&conjunct, &test)| (conjunct, test)));
                // What is not made of constructors may be equal to what it is not.
                let decided = [is_built, tested.numbers.is_empty() || evaluator.is_number(term)];
                for (wanted, decided) in
                    [&tested.equations, &tested.numbers].into_iter().zip(decided)
                {
                    if decided {
                        found.extend(wanted.get(&term).map(|&(_, test)| Holds::new(test, false)));
                    } else {
                        undecided.extend(wanted.values());
                    }
                }
                for (conjunct, test) in undecided.drain(..) {
                    let holds = evaluator.test(conjunct, parameter, term);
                    if holds != Some(false) {
                        found.push(Holds::new(test, holds.is_none()));
                    }
                }
                found.sort_unstable();
                let span = match self.known.get(&found[..]) {
                    Some(&known) => known,
                    None => {
                        let start = self.members.len() as u32;
                        self.members.extend_from_slice(&found);
                        let span = (start, self.members.len() as u32);
                        self.known.insert(found[..].into(), span);
                        span
                    }
                };
                tested.spans.push(span);
            }
        }
    }

    /// The summands to be looked at in the first `states` of a block, in order, and where: for each
    /// `states.div_ceil(64)` words.
    pub fn find(&self, block: &Block, states: usize, found: &mut TestRows) {
        found.begin(states, self.homes.len());
        for tested in &self.places {
            let values = &block.column(tested.place)[..states];
            for (at, &value) in values.iter().enumerate() {
                let (start, end) = tested.spans[value as usize];
                for &holds in &self.members[start as usize..end as usize] {
                    found.add(holds, at);
                }
            }
        }
        let homes = found.holding.iter().flat_map(|&test| &self.homes[test as usize]);
        found.summands.extend(self.always.iter().chain(homes));
        found.summands.sort_unstable();
        found.intersect(states, &self.tests);
    }

    /// Whether a test of a summand has no truth value in a state of a block.
    pub fn is_doubtful(&self, summand: u32, at: u32, found: &TestRows) -> bool {
        let tests = &self.tests[summand as usize];
        !found.doubts.is_empty() && tests.iter().any(|&test| found.doubts.contains(&(test, at)))
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        let spans = self.places.iter().map(|place| size_of_val(&place.spans[..]));
        spans.sum::<usize>() + size_of_val(&self.members[..]) * 2 + self.known.capacity() * 24
    }
}

impl TestRows {
    fn begin(&mut self, states: usize, tests: usize) {
        for test in self.holding.drain(..) {
            self.holds[test as usize] = false;
        }
        self.words = states.div_ceil(64);
        self.holds.resize(tests, false);
        if self.rows.len() < tests * self.words {
            self.rows.resize(tests * self.words, 0);
        }
        self.doubts.clear();
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
            self.rows[start..start + self.words].fill(0);
        }
        self.rows[start + at / 64] |= 1 << (at % 64);
        if holds.doubt() {
            self.doubts.insert((holds.test(), at as u32));
        }
    }

    /// Of each summand the states where all its tests hold; summands without such states are left out.
    fn intersect(&mut self, states: usize, tests: &[Box<[u32]>]) {
        let words = self.words;
        let (holds, rows, found) = (&self.holds, &self.rows, &mut self.states);
        self.summands.retain(|&summand| {
            let tests = &tests[summand as usize];
            if !tests.iter().all(|&test| holds[test as usize]) {
                return false;
            }
            let start = found.len();
            found.resize(start + words, !0);
            let own = &mut found[start..];
            if !states.is_multiple_of(64) {
                own[words - 1] = (1 << (states % 64)) - 1;
            }
            for &test in tests {
                let row = &rows[test as usize * words..][..words];
                own.iter_mut().zip(row).for_each(|(word, row)| *word &= row);
            }
            let any = own.iter().any(|&word| word != 0);
            if !any {
                found.truncate(start);
            }
            any
        });
    }
}
