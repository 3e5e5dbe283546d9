//! Random processes that are symmetric by construction, and the same with one change: a permutation
//! that the certificate accepts, from one state of each orbit only, must be a symmetry of all
//! states.

use crate::base::cancel::Cancel;
use crate::base::random::Random;
use crate::data::rewrite::Data;
use crate::data::terms::{Kind, Symbol, Term};
use crate::group::permutation::{compose, identity};
use crate::process::explore::Limits;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::process::linear::summand::Summand;
use crate::symmetry_of_process::action_on::values::Values;
use crate::symmetry_of_process::certificate::{certify, certify_action, certify_start};
use crate::symmetry_of_process::lifting::carrier::{Arrays, Carrier};
use crate::symmetry_of_process::lifting::symmetry::{Generator, Moves, Symmetry};
use crate::symmetry_of_process::witness::Witness;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The constants of the sort D, of which the last one is never moved.
const CONSTANTS: usize = 4;
const FIXED: usize = CONSTANTS - 1;
/// The parameters of sort D; one of sort E follows.
const PARAMETERS: usize = 3;
const ACTIONS: usize = 2;
const FUNCTIONS: usize = 2;
/// The elements of a group that are tried.
const POWERS: usize = 5;

/// A value: a constant of D, or a pair of constants, of sort E.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Constant(usize),
    Pair(usize, usize),
}

/// A term of sort D.
#[derive(Clone, Copy, Debug)]
enum Atom {
    Constant(usize),
    Parameter(usize),
    /// A function applied to a parameter.
    Applied(usize, usize),
}

#[derive(Clone, Debug)]
struct Step {
    action: usize,
    arguments: Vec<Atom>,
    /// A predicate on a parameter.
    condition: Option<(usize, usize)>,
    updates: Vec<(usize, Atom)>,
    /// The new value of the last parameter.
    pair: Option<(Atom, Atom)>,
}

/// A change that may break the symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Nothing,
    Initial,
    Action,
    Reads,
    Function,
    Predicate,
    Pairs,
}

/// `Pairs` occurs more often, since it often changes no reachable state.
const CHANGES: [Change; 9] = [
    Change::Nothing,
    Change::Initial,
    Change::Action,
    Change::Reads,
    Change::Function,
    Change::Predicate,
    Change::Pairs,
    Change::Pairs,
    Change::Pairs,
];

/// A process with a permutation of constants and parameters.
#[derive(Clone, Debug)]
struct Model {
    constants: [usize; CONSTANTS],
    positions: [usize; PARAMETERS],
    summands: Vec<usize>,
    steps: Vec<Step>,
    functions: Vec<[usize; CONSTANTS]>,
    predicates: Vec<[bool; CONSTANTS]>,
    /// The pair that each pair is equal to.
    pairs: [[(usize, usize); CONSTANTS]; CONSTANTS],
    initial: Vec<Value>,
}

impl Model {
    /// A model that fixes the parameters.
    fn without_steps(constants: [usize; CONSTANTS]) -> Self {
        let mut initial = vec![Value::Constant(FIXED); PARAMETERS];
        initial.push(Value::Pair(FIXED, FIXED));
        Self {
            constants,
            positions: [0, 1, 2],
            summands: Vec::new(),
            steps: Vec::new(),
            functions: Vec::new(),
            predicates: Vec::new(),
            pairs: [[(0, 0); CONSTANTS]; CONSTANTS],
            initial,
        }
    }

    /// A model that is symmetric: the steps of each family are images of one another.
    fn new(random: &mut Random) -> Self {
        let constants = [[1, 0, 2, 3], [1, 2, 0, 3]][random.below(2)];
        let positions = [[0, 1, 2], [1, 0, 2], [1, 2, 0]][random.below(3)];
        let period = 6;
        let mut model = Self { positions, ..Self::without_steps(constants) };
        let kind = random.below(3);
        for left in 0..CONSTANTS {
            for right in 0..CONSTANTS {
                model.pairs[left][right] = match kind {
                    0 => (left, right),
                    1 => (left.min(right), left.max(right)),
                    _ if left == right => (FIXED, FIXED),
                    _ => (left, right),
                };
            }
        }
        // The members of a family of functions are conjugates of the first.
        for _ in 0..FUNCTIONS {
            let mut function = [0; CONSTANTS].map(|_| random.below(CONSTANTS));
            let mut predicate = [false; CONSTANTS].map(|_| random.below(3) > 0);
            for _ in 0..period {
                model.functions.push(function);
                model.predicates.push(predicate);
                let (mut next, mut then) = (function, predicate);
                for at in 0..CONSTANTS {
                    next[constants[at]] = constants[function[at]];
                    then[constants[at]] = predicate[at];
                }
                (function, predicate) = (next, then);
            }
        }
        for _ in 0..1 + random.below(3) {
            let mut step = Step {
                action: random.below(ACTIONS),
                arguments: vec![atom(random)],
                condition: (random.below(2) > 0)
                    .then(|| (random.below(FUNCTIONS) * period, random.below(PARAMETERS))),
                updates: (0..PARAMETERS)
                    .filter(|_| random.below(2) > 0)
                    .map(|at| (at, Atom::Constant(0)))
                    .collect(),
                pair: (random.below(3) > 0).then(|| (atom(random), atom(random))),
            };
            step.updates.iter_mut().for_each(|update| update.1 = atom(random));
            let first = model.steps.len();
            for member in 0..period {
                model.steps.push(step.clone());
                model.summands.push(first + (member + 1) % period);
                step = model.image(&step, period);
            }
        }
        model.shuffle(random);
        model
    }

    /// Puts the steps into another order: what the certificate finds must not depend on it.
    fn shuffle(&mut self, random: &mut Random) {
        for left in 0..self.steps.len() {
            let right = left + random.below(self.steps.len() - left);
            self.steps.swap(left, right);
            self.summands.swap(left, right);
            for image in &mut self.summands {
                *image = match *image {
                    image if image == left => right,
                    image if image == right => left,
                    image => image,
                };
            }
        }
    }

    fn image(&self, step: &Step, period: usize) -> Step {
        let next = |family: usize| family / period * period + (family + 1) % period;
        let moved = |atom: &Atom| match *atom {
            Atom::Constant(value) => Atom::Constant(self.constants[value]),
            Atom::Parameter(at) => Atom::Parameter(self.positions[at]),
            Atom::Applied(function, at) => Atom::Applied(next(function), self.positions[at]),
        };
        let mut image = step.clone();
        image.arguments = step.arguments.iter().map(moved).collect();
        image.condition = step.condition.map(|(test, at)| (next(test), self.positions[at]));
        image.updates =
            step.updates.iter().map(|(at, to)| (self.positions[*at], moved(to))).collect();
        image.updates.sort_unstable_by_key(|update| update.0);
        image.pair = step.pair.as_ref().map(|(left, right)| (moved(left), moved(right)));
        image
    }

    fn change(&mut self, change: Change, random: &mut Random) {
        let which = random.below(self.steps.len().max(1));
        match change {
            Change::Nothing => {}
            Change::Initial => self.initial[random.below(PARAMETERS)] = Value::Constant(0),
            Change::Action => self.steps[which].action += 1,
            Change::Reads => {
                let at = random.below(PARAMETERS);
                self.steps[which].arguments[0] = Atom::Parameter(at);
            }
            Change::Function => {
                let function = random.below(self.functions.len());
                self.functions[function][random.below(CONSTANTS)] = random.below(CONSTANTS);
            }
            Change::Predicate => {
                let predicate = random.below(self.predicates.len());
                let at = random.below(CONSTANTS);
                self.predicates[predicate][at] = !self.predicates[predicate][at];
            }
            Change::Pairs => {
                for _ in 0..1 + random.below(3) {
                    let [left, right] = [0, 0].map(|_| random.below(FIXED));
                    let to = self.pairs[random.below(FIXED)][random.below(FIXED)];
                    let from = self.pairs[left][right];
                    let equal = self.pairs.iter_mut().flatten().filter(|pair| **pair == from);
                    equal.for_each(|pair| *pair = to);
                }
            }
        }
    }

    fn value(&self, atom: Atom, state: &[Value]) -> usize {
        let of = |at: usize| match state[at] {
            Value::Constant(value) => value,
            Value::Pair(..) => unreachable!("it is the last parameter"),
        };
        match atom {
            Atom::Constant(value) => value,
            Atom::Parameter(at) => of(at),
            Atom::Applied(function, at) => self.functions[function][of(at)],
        }
    }

    /// The steps of a state: action, argument, target.
    fn steps(&self, state: &[Value]) -> BTreeSet<(usize, usize, Vec<Value>)> {
        let mut steps = BTreeSet::new();
        for step in &self.steps {
            let holds = |(test, at): (usize, usize)| {
                self.predicates[test][self.value(Atom::Parameter(at), state)]
            };
            if !step.condition.is_none_or(holds) {
                continue;
            }
            let mut target = state.to_vec();
            for &(at, to) in &step.updates {
                target[at] = Value::Constant(self.value(to, state));
            }
            if let Some((left, right)) = step.pair {
                let (left, right) = self.pairs[self.value(left, state)][self.value(right, state)];
                target[PARAMETERS] = Value::Pair(left, right);
            }
            steps.insert((step.action, self.value(step.arguments[0], state), target));
        }
        steps
    }

    fn moved(&self, state: &[Value]) -> Vec<Value> {
        let mut image = state.to_vec();
        for (at, &value) in state.iter().enumerate() {
            match value {
                Value::Constant(value) => {
                    image[self.positions[at]] = Value::Constant(self.constants[value]);
                }
                Value::Pair(left, right) => {
                    let (left, right) = self.pairs[self.constants[left]][self.constants[right]];
                    image[at] = Value::Pair(left, right);
                }
            }
        }
        image
    }

    fn states(&self) -> BTreeSet<Vec<Value>> {
        let mut states = BTreeSet::new();
        let mut waiting = vec![self.initial.clone()];
        while let Some(state) = waiting.pop() {
            if states.insert(state.clone()) {
                waiting.extend(self.steps(&state).into_iter().map(|step| step.2));
            }
        }
        states
    }

    /// Whether the permutation is a symmetry of the reachable states.
    fn is_symmetric(&self) -> bool {
        let states = self.states();
        let images: BTreeSet<_> = states.iter().map(|state| self.moved(state)).collect();
        self.moved(&self.initial) == self.initial
            && images == states
            && states.iter().all(|state| {
                let image = |(action, argument, target): (usize, usize, Vec<Value>)| {
                    (action, self.constants[argument], self.moved(&target))
                };
                let images: BTreeSet<_> = self.steps(state).into_iter().map(image).collect();
                images == self.steps(&self.moved(state))
            })
    }

    /// The states visited when one state of each orbit is explored: a representative of each.
    fn representatives(&self) -> Vec<Vec<Value>> {
        let mut seen = BTreeSet::new();
        let mut representatives = Vec::new();
        let mut waiting = vec![self.initial.clone()];
        while let Some(state) = waiting.pop() {
            if seen.contains(&state) {
                continue;
            }
            let mut image = state.clone();
            while seen.insert(image.clone()) {
                image = self.moved(&image);
            }
            waiting.extend(self.steps(&state).into_iter().map(|step| step.2));
            representatives.push(state);
        }
        representatives
    }
}

fn atom(random: &mut Random) -> Atom {
    let at = random.below(PARAMETERS);
    match random.below(4) {
        0 => Atom::Constant(random.below(CONSTANTS)),
        1 => Atom::Applied(random.below(FUNCTIONS) * 6, at),
        _ => Atom::Parameter(at),
    }
}

/// The model, translated to a linear process of the engine.
struct Written {
    process: Process,
    constants: Vec<Term>,
    pair: u32,
}

impl Written {
    fn new(model: &Model) -> Self {
        let (bool, d, e) = (0, 1, 2);
        let mut symbols = vec![
            Symbol::new("T", &[], bool, Kind::Constructor),
            Symbol::new("F", &[], bool, Kind::Constructor),
        ];
        let constant = |value: usize| 2 + value as i64;
        for value in 0..CONSTANTS {
            symbols.push(Symbol::new(format!("d{value}"), &[], d, Kind::Constructor));
        }
        let pair = symbols.len() as i64;
        symbols.push(Symbol::new("pair", &[d, d], e, Kind::Constructor));
        let mut rules: Vec<(usize, Vec<i64>, Vec<i64>)> = Vec::new();
        for (a, row) in model.pairs.iter().enumerate() {
            for (b, &to) in row.iter().enumerate().filter(|&(b, &to)| (a, b) != to) {
                let left = vec![pair, constant(a), constant(b)];
                rules.push((0, left, vec![pair, constant(to.0), constant(to.1)]));
            }
        }
        let functions = symbols.len();
        for function in &model.functions {
            let symbol = symbols.len() as i64;
            symbols.push(Symbol::new(format!("f{symbol}"), &[d], d, Kind::Map));
            let entries = function.iter().enumerate();
            rules.extend(
                entries.map(|(at, &to)| (0, vec![symbol, constant(at)], vec![constant(to)])),
            );
        }
        let predicates = symbols.len();
        for predicate in &model.predicates {
            let symbol = symbols.len() as i64;
            symbols.push(Symbol::new(format!("q{symbol}"), &[d], bool, Kind::Map));
            let entries = predicate.iter().enumerate();
            rules.extend(
                entries.map(|(at, &to)| (0, vec![symbol, constant(at)], vec![i64::from(!to)])),
            );
        }
        let sorts = ["Bool", "D", "E"].map(|name| name.as_bytes().to_vec()).to_vec();
        let mut data = Data::new(sorts, symbols, &rules, 0, 1).expect("well formed");
        let constants: Vec<Term> =
            (0..CONSTANTS).map(|value| data.terms.apply(2 + value as u32, &[])).collect();
        let mut summands = Vec::new();
        for step in &model.steps {
            let mut term = |atom: Atom| match atom {
                Atom::Constant(value) => constants[value],
                Atom::Parameter(at) => data.terms.variable(at as u32),
                Atom::Applied(function, at) => {
                    let inner = data.terms.variable(at as u32);
                    data.terms.apply((functions + function) as u32, &[inner])
                }
            };
            let arguments = step.arguments.iter().map(|&atom| term(atom)).collect();
            let mut updates: Vec<(u32, Term)> =
                step.updates.iter().map(|&(at, to)| (at as u32, term(to))).collect();
            let pairs = step.pair.map(|(a, b)| [term(a), term(b)]);
            let conditions = step.condition.map(|(test, at)| {
                let inner = data.terms.variable(at as u32);
                (data.terms.apply((predicates + test) as u32, &[inner]), true)
            });
            if let Some(parts) = pairs {
                updates.push((PARAMETERS as u32, data.terms.apply(pair as u32, &parts)));
            }
            summands.push(Summand {
                sorts: Vec::new(),
                equations: Vec::new(),
                conditions: conditions.into_iter().collect(),
                action: step.action as u32,
                arguments,
                updates,
                reads: Vec::new(),
                also: Vec::new(),
                together: None,
                is_simultaneous: false,
                decides: false,
            });
        }
        let pair = pair as u32;
        let initial = model.initial.iter().map(|&value| term(&mut data, &constants, pair, value));
        let initial = initial.collect();
        let actions = ["a", "b", "c"].map(|name| name.as_bytes().to_vec()).to_vec();
        let process = done(Process::new(data, initial, actions, summands));
        Self { process, constants, pair }
    }

    fn symmetry(&self, model: &Model) -> Symmetry {
        let images = |images: &[usize]| images.iter().map(|&image| image as u32).collect();
        let moves = Moves {
            values: images(&model.constants),
            positions: images(&[&model.positions[..], &[PARAMETERS]].concat()),
            summands: images(&model.summands),
            maps: Arc::new([]),
        };
        let names = (0..CONSTANTS).map(|value| format!("d{value}")).collect();
        let made = Symmetry::new(self.constants.clone(), names, Arc::new([]), vec![moves]);
        made.expect("these are permutations")
    }

    fn state(&mut self, state: &[Value]) -> Vec<Term> {
        let Self { process, constants, pair } = self;
        state.iter().map(|&value| term(&mut process.data, constants, *pair, value)).collect()
    }

    /// The certificate's witness against the symmetry, if there is one, after these states were
    /// visited.
    fn witness(mut self, model: &Model, visited: &[Vec<Value>]) -> Option<Witness> {
        let Symmetry { carrier, mut generators, .. } = self.symmetry(model);
        if let Some(witness) = done(certify_start(&mut self.process, &mut generators[0])) {
            return Some(witness);
        }
        for state in visited {
            let state = self.state(state);
            for summand in 0..self.process.summands.len() {
                done(self.process.local_steps(summand, &state, &mut Vec::new(), 1));
            }
        }
        let limits = Limits { states: None, values: 1, memory: None, time: None };
        let proven = vec![false; self.process.summands.len()];
        let (process, report) = (&mut self.process, &mut || ());
        let result = certify(process, &mut generators, &proven, limits, &mut 0, report);
        if let Some((_, witness)) = done(result) {
            return Some(witness);
        }
        self.witness_on_values((carrier, generators), visited).0
    }

    /// The same for the action on values alone, and for each of these values the images that were
    /// used, under the powers of the generator.
    fn witness_on_values(
        &mut self,
        (carrier, mut generators): (Carrier, Vec<Generator>),
        visited: &[Vec<Value>],
    ) -> (Option<Witness>, Vec<[Term; POWERS]>) {
        let points = (0..FIXED as u32).collect();
        let mut values = Values::new(&carrier, points);
        let visited: Vec<Term> = visited.iter().flat_map(|state| self.state(state)).collect();
        let mut images = Vec::new();
        for value in visited {
            let data = &mut self.process.data;
            done(values.learn(data, &mut generators, value));
            let mut element = identity(CONSTANTS);
            images.push([(); POWERS].map(|()| {
                element = compose(&generators[0].values, &element);
                let mut key = Vec::new();
                values.image(value, &element, &mut key).unwrap_or_else(|| {
                    done(values.learn_image(data, value, &element));
                    values.image(value, &element, &mut key).expect("it was learned")
                })
            }));
        }
        let result = certify_action(&mut self.process, &mut generators, &mut values);
        (done(result).map(|(_, witness)| witness), images)
    }
}

/// The result of a computation that must not stop.
fn done<T>(result: Result<T, Stop>) -> T {
    result.unwrap_or_else(|_| panic!("everything can be evaluated"))
}

fn term(data: &mut Data, constants: &[Term], pair: u32, value: Value) -> Term {
    match value {
        Value::Constant(value) => constants[value],
        Value::Pair(left, right) => data.terms.apply(pair, &[constants[left], constants[right]]),
    }
}

/// The code of a rule: number of variables, left, right.
type Rule = (usize, Vec<i64>, Vec<i64>);

/// A process with one parameter of sort E, which is the argument of its only step, and the
/// symmetry that exchanges `d0` and `d1` of sort D. `symbols` follow on these two.
fn exchanged(symbols: &[Symbol], rules: &[Rule], arrays: &[[u32; 3]]) -> (Process, Symmetry) {
    let (bool, d) = (0, 1);
    let mut all = vec![
        Symbol::new("T", &[], bool, Kind::Constructor),
        Symbol::new("F", &[], bool, Kind::Constructor),
        Symbol::new("d0", &[], d, Kind::Constructor),
        Symbol::new("d1", &[], d, Kind::Constructor),
    ];
    all.extend_from_slice(symbols);
    let sorts = ["Bool", "D", "E", "F"].map(|name| name.as_bytes().to_vec()).to_vec();
    let mut data = Data::new(sorts, all, rules, 0, 1).expect("well formed");
    let values = [2, 3].map(|symbol| data.terms.apply(symbol, &[])).to_vec();
    let step = Summand {
        sorts: Vec::new(),
        equations: Vec::new(),
        conditions: Vec::new(),
        action: 0,
        arguments: vec![data.terms.variable(0)],
        updates: Vec::new(),
        reads: Vec::new(),
        also: Vec::new(),
        together: None,
        is_simultaneous: false,
        decides: false,
    };
    let initial = vec![data.terms.apply(4, &[values[0]])];
    let process = done(Process::new(data, initial, vec![b"a".to_vec()], vec![step]));
    let arrays: Vec<Arrays> = (arrays.iter())
        .map(|&[sort, get, set]| Arrays {
            sort,
            get,
            set,
            partial: None,
            free: false,
            keys: values.clone(),
        })
        .collect();
    let moves = Moves {
        values: vec![1, 0].into(),
        positions: vec![0].into(),
        summands: vec![0].into(),
        maps: Arc::new([]),
    };
    let names = vec!["d0".into(), "d1".into()];
    let symmetry = Symmetry::new(values, names, arrays.into(), vec![moves]);
    (process, symmetry.expect("these are permutations"))
}

/// The witness against the action on this value.
fn witness_on(process: &mut Process, symmetry: &mut Symmetry, value: Term) -> Option<Witness> {
    let mut values = Values::new(&symmetry.carrier, vec![0, 1]);
    done(values.learn(&mut process.data, &mut symmetry.generators, value));
    let found = certify_action(process, &mut symmetry.generators, &mut values);
    done(found).map(|(_, witness)| witness)
}

#[test]
fn growing_orbits_of_values_are_refused() {
    let (d, e) = (1, 2);
    let symbols = [
        Symbol::new("c", &[d], e, Kind::Constructor),
        Symbol::new("s", &[e], e, Kind::Constructor),
    ];
    // c(d1) = s(c(d0))
    let rules = [(0, vec![4, 3], vec![5, 4, 2])];
    let (mut process, mut symmetry) = exchanged(&symbols, &rules, &[]);
    let state = process.initial.clone();
    let refused = Some(Witness::Value(b"c(d0)".to_vec()));
    // A part of the orbit is visited to learn the value.
    process.data.cancel = Cancel::after(10_000);
    assert_eq!(witness_on(&mut process, &mut symmetry, state[0]), refused);
    process.data.cancel = Cancel::after(100);
    done(process.local_steps(0, &state, &mut Vec::new(), 1));
    let limits = Limits { states: None, values: 1, memory: None, time: None };
    let generators = &mut symmetry.generators;
    let found = certify(&mut process, generators, &[false], limits, &mut 0, &mut || ());
    assert_eq!(done(found).map(|(_, witness)| witness), refused);
}

#[test]
fn arrays_that_are_not_updated_index_by_index_are_refused() {
    let (d, e, elements) = (1, 2, 3);
    let symbols = [
        Symbol::new("unused", &[d], e, Kind::Constructor),
        Symbol::new("array", &[elements, elements], e, Kind::Constructor),
        Symbol::new("get", &[e, d], elements, Kind::Map),
        Symbol::new("set", &[e, d, elements], e, Kind::Map),
        Symbol::new("0", &[], elements, Kind::Constructor),
        Symbol::new("1", &[], elements, Kind::Constructor),
    ];
    let get = |key, element| (2, vec![6, 5, -1, -2, key], vec![element]);
    let set = |key, array: [i64; 3]| (3, vec![7, 5, -1, -2, key, -3], array.to_vec());
    let own = vec![get(2, -1), get(3, -2), set(2, [5, -3, -2]), set(3, [5, -1, -3])];
    // The exchange would move no array, but the elements of each.
    let none = vec![get(2, -1), get(3, -2), (3, vec![7, -1, -2, -3], vec![-1])];
    let refused = Some(Witness::Elements(b"array(0,1)".to_vec()));
    for (rules, expected) in [(own, None), (none, refused)] {
        let (mut process, mut symmetry) = exchanged(&symbols, &rules, &[[e, 6, 7]]);
        let terms = &mut process.data.terms;
        let constants = [8, 9].map(|symbol| terms.apply(symbol, &[]));
        let array = terms.apply(5, &constants);
        assert_eq!(witness_on(&mut process, &mut symmetry, array), expected);
    }
}

#[test]
fn accepted_permutations_are_symmetries_of_all_states() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    // For each change the models that it makes asymmetric, by the kind of the witness.
    let mut refused: BTreeMap<(Change, &str), usize> = BTreeMap::new();
    for number in 0..1_300 {
        let mut model = Model::new(&mut random);
        let change = CHANGES[number % CHANGES.len()];
        model.change(change, &mut random);
        let witness = Written::new(&model).witness(&model, &model.representatives());
        let is_symmetric = model.is_symmetric();
        assert!(witness.is_some() || is_symmetric, "{model:?}");
        assert!(witness.is_none() || change != Change::Nothing, "{witness:?} {model:?}");
        if let (Some(witness), false) = (witness, is_symmetric) {
            let kind = match witness {
                Witness::Initial(..) => "initial",
                Witness::Summand(_) => "summand",
                Witness::Steps(_) => "steps",
                Witness::Value(_) => "value",
                Witness::Elements(_) => "elements",
                _ => "other",
            };
            *refused.entry((change, kind)).or_default() += 1;
        }
    }
    for case in [
        (Change::Initial, "initial"),
        (Change::Action, "summand"),
        (Change::Reads, "summand"),
        (Change::Reads, "steps"),
        (Change::Function, "steps"),
        (Change::Predicate, "steps"),
        (Change::Pairs, "value"),
    ] {
        assert!(refused.get(&case).is_some_and(|&count| count >= 3), "{case:?} {refused:?}");
    }
}

#[test]
fn accepted_images_of_values_are_products_of_generators() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let [mut accepted, mut refused] = [0; 2];
    for _ in 0..3_000 {
        let mut model = Model::without_steps([1, 2, 0, 3]);
        for left in 0..CONSTANTS {
            for right in 0..CONSTANTS {
                model.pairs[left][right] = (left, right);
            }
        }
        model.change(Change::Pairs, &mut random);
        let (left, right) = model.pairs[random.below(FIXED)][random.below(FIXED)];
        model.initial[PARAMETERS] = Value::Pair(left, right);
        let mut written = Written::new(&model);
        let Symmetry { carrier, generators, .. } = written.symmetry(&model);
        let visited = [model.initial.clone()];
        let (witness, images) = written.witness_on_values((carrier, generators), &visited);
        let mut moved = model.initial.clone();
        let acts = images[PARAMETERS].iter().all(|&image| {
            moved = model.moved(&moved);
            written.state(&moved)[PARAMETERS] == image
        });
        assert!(witness.is_some() || acts, "{model:?}");
        accepted += usize::from(witness.is_none());
        refused += usize::from(!acts);
    }
    assert!(accepted.min(refused) > 20, "{accepted} {refused}");
}
