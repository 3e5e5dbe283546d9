//! Tests that show which summands may have steps in a state, for explorations whose symmetry is to
//! be certified.
//!
//! A *test* of a summand at a parameter consists of all its equations and conditions that read no
//! other parameter; it fails for a value if no values of the summand's own variables satisfy them.
//! A summand with a failing test has no steps, so the rest of it is not evaluated, and no local
//! situation is recorded for it: instead [`SummandTests::certify`] proves that a test fails for a
//! value if and only if the image of the test fails for the image of the value.
//!
//! One test of each summand is its *home*. For each value of a parameter the passing summands with
//! their home there are indexed.

use crate::base::ids::Id;
use crate::data::rewrite::Data;
use crate::data::solve::{Problem, solve};
use crate::data::terms::{Head, NONE, Term};
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::process::linear::summand::Summand;
use crate::process::plan::{Conjunct, conjuncts, parts};
use crate::symmetry_of_process::lifting::symmetry::Generator;
use rustc_hash::{FxHashMap, FxHashSet};

/// A parameter with the summands that have a test there.
#[derive(Default)]
struct TestedParameter {
    parameter: u32,
    /// The summands that require the parameter to have a value.
    equal: FxHashMap<Term, Vec<u32>>,
    others: Vec<u32>,
    /// For each value the summands that pass, and those of them with their home here.
    passing: FxHashMap<Term, [(u32, u32); 2]>,
    /// The values in the order in which they were visited.
    values: Vec<Term>,
}

/// The tests of all summands, with the results for the values visited so far.
pub struct SummandTests {
    parameters: Vec<TestedParameter>,
    /// The position in `parameters` of each parameter, if it has one.
    of: Vec<usize>,
    home: Vec<Option<u32>>,
    /// For every summand the parameters with its tests, except its home.
    rest: Vec<Vec<u32>>,
    always: Vec<u32>,
    members: Vec<u32>,
}

/// A test: its parameter, and the constant that the parameter is compared with, if there is one.
type Test = (u32, Option<Term>);

impl SummandTests {
    /// The tests of the summands marked in `has_tests`; the others have none. The generators must
    /// map tests to tests.
    pub fn new(process: &mut Process, generators: &[Generator], has_tests: &[bool]) -> Self {
        let tests: Vec<Vec<Test>> = (process.summands.iter().zip(has_tests))
            .map(
                |(summand, &has_tests)| {
                    if has_tests { tests(process, summand) } else { Vec::new() }
                },
            )
            .collect();
        let home = chosen(&tests, generators);
        let mut built = Self {
            parameters: Vec::new(),
            of: vec![usize::MAX; process.parameters],
            rest: Vec::new(),
            always: (0..).zip(&home).filter(|(_, home)| home.is_none()).map(|(i, _)| i).collect(),
            members: Vec::new(),
            home,
        };
        for (i, tests) in (0..).zip(tests) {
            let mut parameters: Vec<u32> = tests.iter().map(|&(parameter, _)| parameter).collect();
            parameters.sort_unstable();
            parameters.dedup();
            for &parameter in &parameters {
                if built.of[parameter as usize] == usize::MAX {
                    built.of[parameter as usize] = built.parameters.len();
                    built
                        .parameters
                        .push(TestedParameter { parameter, ..TestedParameter::default() });
                }
                let tested = &mut built.parameters[built.of[parameter as usize]];
                let constant = tests.iter().find_map(|&(p, constant)| {
                    let value =
                        process.data.normalise(constant.filter(|_| p == parameter)?).ok()?;
                    process.data.terms.is_built(value).then_some(value)
                });
                match constant {
                    Some(value) => tested.equal.entry(value).or_default().push(i),
                    None => tested.others.push(i),
                }
            }
            parameters.retain(|&parameter| Some(parameter) != built.home[i as usize]);
            built.rest.push(parameters);
        }
        built
    }

    /// The candidates of a state, in order: the summands that pass their home test.
    pub fn of(&mut self, process: &mut Process, state: &[Term], candidates: &mut Vec<u32>) {
        candidates.clear();
        candidates.extend_from_slice(&self.always);
        for at in 0..self.parameters.len() {
            let value = state[self.parameters[at].parameter as usize];
            let [_, (begin, end)] = self.passing(process, at, value);
            candidates.extend_from_slice(&self.members[begin as usize..end as usize]);
        }
        candidates.sort_unstable();
    }

    /// Whether a candidate also passes its other tests.
    pub fn satisfies(&mut self, process: &mut Process, i: u32, state: &[Term]) -> bool {
        (0..self.rest[i as usize].len()).all(|test| {
            let parameter = self.rest[i as usize][test] as usize;
            let [(begin, end), _] = self.passing(process, self.of[parameter], state[parameter]);
            self.members[begin as usize..end as usize].binary_search(&i).is_ok()
        })
    }

    /// Like `of`, but only looks up known results; returns false if one is missing.
    pub fn known(&self, state: &[Term], candidates: &mut Vec<u32>) -> bool {
        candidates.clear();
        candidates.extend_from_slice(&self.always);
        for tested in &self.parameters {
            let Some([_, (begin, end)]) = tested.passing.get(&state[tested.parameter as usize])
            else {
                return false;
            };
            candidates.extend_from_slice(&self.members[*begin as usize..*end as usize]);
        }
        candidates.sort_unstable();
        true
    }

    /// Whether a candidate is known to fail one of its other tests.
    pub fn is_known_to_fail(&self, i: u32, state: &[Term]) -> bool {
        self.rest[i as usize].iter().any(|&parameter| {
            let tested = &self.parameters[self.of[parameter as usize]];
            let known = tested.passing.get(&state[parameter as usize]);
            known.is_some_and(|[(begin, end), _]| {
                self.members[*begin as usize..*end as usize].binary_search(&i).is_err()
            })
        })
    }

    fn passing(&mut self, process: &mut Process, at: usize, value: Term) -> [(u32, u32); 2] {
        let Self { parameters, home, members, .. } = self;
        let tested = &mut parameters[at];
        if let Some(&known) = tested.passing.get(&value) {
            return known;
        }
        // A value that is not built from constructors may equal any of the constants.
        let is_built = tested.equal.is_empty() || process.data.terms.is_built(value);
        let any = tested.equal.values().filter(|_| !is_built).flatten();
        let equal = tested.equal.get(&value).filter(|_| is_built).into_iter().flatten();
        let mut summands: Vec<u32> = (equal.chain(any).chain(&tested.others).copied())
            .filter(|&i| may_hold(process, i as usize, tested.parameter, value))
            .collect();
        summands.sort_unstable();
        let mut spans = [(0, 0); 2];
        for (at_home, span) in [false, true].into_iter().zip(&mut spans) {
            let begin = u32::at(members.len());
            let at_home = |&&i: &&u32| !at_home || home[i as usize] == Some(tested.parameter);
            members.extend(summands.iter().filter(at_home));
            *span = (begin, u32::at(members.len()));
        }
        tested.passing.insert(value, spans);
        tested.values.push(value);
        spans
    }

    /// Whether each generator maps the summands that pass with each value, images of values
    /// included, to those that pass with its image; else returns a summand for which this is not
    /// known.
    ///
    /// Summands that are `proven` to correspond to their images for all values are skipped.
    pub fn certify(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        proven: &[bool],
    ) -> Result<Result<(), u32>, Stop> {
        let open = |i: &u32| !proven[*i as usize];
        let of_interest: Vec<bool> = (self.parameters.iter())
            .map(|tested| tested.equal.values().flatten().chain(&tested.others).any(open))
            .collect();
        let mut done = vec![0; self.parameters.len()];
        loop {
            let mut progress = false;
            let counts = done.iter_mut().enumerate();
            for (number, done) in counts.filter(|&(number, _)| of_interest[number]) {
                while *done < self.parameters[number].values.len() {
                    progress = true;
                    let tested = &self.parameters[number];
                    let (parameter, value) = (tested.parameter, tested.values[*done]);
                    *done += 1;
                    for generator in &mut *generators {
                        let image = generator.lifting.lift(&mut process.data, value)?;
                        let to = generator.lifting.positions[parameter as usize];
                        let there = match self.of[to as usize] {
                            usize::MAX => Vec::new(),
                            other => {
                                let [(begin, end), _] = self.passing(process, other, image);
                                let there = &self.members[begin as usize..end as usize];
                                there.iter().copied().filter(open).collect()
                            }
                        };
                        let [(begin, end), _] = self.passing(process, number, value);
                        let here = self.members[begin as usize..end as usize].iter();
                        let mut moved: Vec<u32> = here
                            .filter(|i| open(i))
                            .map(|&i| generator.summands[i as usize])
                            .collect();
                        moved.sort_unstable();
                        if moved != there {
                            let differs = |i: &&u32| moved.contains(i) != there.contains(i);
                            let first = moved.iter().chain(&there).find(differs);
                            return Ok(Err(*first.expect("they differ")));
                        }
                    }
                }
            }
            if !progress {
                return Ok(Ok(()));
            }
        }
    }
}

/// The home of each summand: chosen for one summand of each orbit, and moved to the others.
/// Comparisons with a constant are preferred, and among them those that the fewest summands share.
fn chosen(tests: &[Vec<Test>], generators: &[Generator]) -> Vec<Option<u32>> {
    let mut shared: FxHashMap<(u32, Term), usize> = FxHashMap::default();
    for &(parameter, constant) in tests.iter().flatten() {
        *shared.entry((parameter, constant.unwrap_or(NONE))).or_default() += 1;
    }
    let rank = |&&(parameter, constant): &&Test| {
        (constant.is_none(), shared[&(parameter, constant.unwrap_or(NONE))])
    };
    let mut chosen: Vec<Option<u32>> = vec![None; tests.len()];
    let mut seen = vec![false; tests.len()];
    for first in 0..tests.len() {
        if seen[first] {
            continue;
        }
        let home = tests[first].iter().min_by_key(rank).map(|&(parameter, _)| parameter);
        let mut orbit = vec![(first, home)];
        let mut summand_tests: FxHashMap<usize, Option<u32>> = orbit.iter().copied().collect();
        let mut is_one = home.is_some();
        let mut at = 0;
        while at < orbit.len() {
            let (summand, home) = orbit[at];
            at += 1;
            seen[summand] = true;
            for generator in generators {
                let image = generator.summands[summand] as usize;
                let moved = home.map(|p| generator.lifting.positions[p as usize]);
                if let Some(&known) = summand_tests.get(&image) {
                    is_one &= known == moved;
                } else {
                    is_one &= tests[image].iter().any(|test| Some(test.0) == moved);
                    summand_tests.insert(image, moved);
                    orbit.push((image, moved));
                }
            }
        }
        for (summand, home) in orbit {
            chosen[summand] = home.filter(|_| is_one);
        }
    }
    chosen
}

/// The tests of a summand: the parameters that are the only ones read by some of its constraints,
/// or the components of a network that take part. A summand that stands for several (`also`) has
/// none.
fn tests(process: &Process, summand: &Summand) -> Vec<Test> {
    let terms = &process.data.terms;
    if let Some(together) = &summand.together {
        return together.components.iter().map(|&component| (component, None)).collect();
    }
    if !summand.also.is_empty() {
        return Vec::new();
    }
    let mut tests = Vec::new();
    for conjunct in conjuncts(summand) {
        let Some(parameter) = reads_alone(process, &parts(conjunct)) else { continue };
        let compared = |a: Term, b: Term| {
            let is_it = terms.head(a) == Head::Variable(parameter);
            (is_it && terms.is_ground(b)).then_some(b)
        };
        let constant = match conjunct {
            Conjunct::Equation(left, right) => compared(left, right).or(compared(right, left)),
            _ => None,
        };
        tests.push((parameter, constant));
    }
    tests
}

/// The only parameter that terms read, if there is exactly one.
fn reads_alone(process: &Process, terms: &[Term]) -> Option<u32> {
    let mut read = Vec::new();
    for &term in terms {
        process.data.terms.variables(term, &mut read);
    }
    read.retain(|&variable| (variable as usize) < process.parameters);
    read.sort_unstable();
    read.dedup();
    match read[..] {
        [parameter] => Some(parameter),
        _ => None,
    }
}

/// The most cases of a test that are tried; a test that needs more counts as passed.
const MOST_CASES: usize = 256;

/// Whether the test of summand `i` at a parameter may pass for a value: it is not known to fail.
fn may_hold(process: &mut Process, i: usize, parameter: u32, value: Term) -> bool {
    if let Some(together) = &process.summands[i].together {
        let of = together.components.iter().position(|&component| component == parameter);
        return of.is_none_or(|k| together.takes(k, value));
    }
    let own = conjuncts(&process.summands[i]);
    let (mut equations, mut conditions) = (Vec::new(), Vec::new());
    let mut variables = FxHashSet::default();
    for conjunct in own {
        let inside = parts(conjunct);
        if reads_alone(process, &inside) != Some(parameter) {
            continue;
        }
        let mut read = Vec::new();
        inside.iter().for_each(|&term| process.data.terms.variables(term, &mut read));
        variables.extend(read.into_iter().filter(|&v| v as usize >= process.parameters));
        match conjunct {
            Conjunct::Equation(left, right) => equations.push((left, right)),
            Conjunct::Condition(term, value) => conditions.push((term, value)),
            Conjunct::Takes(..) => {}
        }
    }
    let mut given = vec![NONE; process.parameters];
    given[parameter as usize] = value;
    let data = &mut process.data;
    if variables.is_empty() {
        let normal = |data: &mut Data, term: Term| {
            let term = data.terms.substitute(term, &given);
            data.normalise(term).ok()
        };
        let equal = equations.iter().all(|&(left, right)| {
            match (normal(data, left), normal(data, right)) {
                (Some(left), Some(right)) => {
                    let are_values = data.terms.is_value(left) && data.terms.is_value(right);
                    left == right || !(are_values && data.differ(left, right))
                }
                _ => true,
            }
        });
        return equal
            && conditions.iter().all(|&(term, value)| {
                let other = data.constant(!value);
                normal(data, term) != Some(other)
            });
    }
    let sorts = process.summands[i].sorts.clone();
    let (equations, conditions, given) = (&equations, &conditions, &given);
    let problem = Problem { given, sorts: &sorts, equations, conditions, undecided: None };
    let mut solutions = Vec::new();
    match solve(data, &problem, MOST_CASES, &mut solutions) {
        Ok(complete) => !complete || !solutions.is_empty(),
        Err(_) => true,
    }
}
