//! Bounds are compared with trying all small numbers.

mod intervals;

use super::*;
use crate::base::cancel::Cancel;
use crate::data::numbers::{NumberSort, Outcome};
use crate::data::rewrite::declare::Declarations;
use crate::data::terms::{Kind as SymbolKind, Symbol};
use proptest::prelude::*;

fn has(interval: Interval, number: i64) -> bool {
    interval.least.is_none_or(|least| least <= number)
        && interval.most.is_none_or(|most| number <= most)
}

const SORTS: [&str; 4] = ["Bool", "Nat", "Pos", "Int"];
const ADD: u32 = 8;
const SUBTRACT: u32 = 9;
const MULTIPLY: u32 = 10;
const NEGATE: u32 = 14;
const LESS: u32 = 17;
const EQUAL: u32 = 21;

fn data() -> Data {
    data_with(&[])
}

fn data_with(more: &[Symbol]) -> Data {
    let made = |name: &str, arguments: &[u32], sort| {
        Symbol::new(name, arguments, sort, SymbolKind::Constructor)
    };
    let mut symbols = vec![
        made("T", &[], 0),
        made("F", &[], 0),
        made("0", &[], 1),
        made("S", &[1], 1),
        made("1", &[], 2),
        made("s", &[2], 2),
        made("of", &[1], 3),
        made("minus", &[2], 3),
    ];
    let names = "add subtract multiply minimum maximum absolute negate successor predecessor";
    for name in names.split(' ') {
        let operation = Operation::of(name).unwrap();
        let mut symbol = Symbol::new(name, &[3, 3][..operation.arity()], 3, SymbolKind::Map);
        symbol.native = Some(operation);
        symbols.push(symbol);
    }
    use Operation::{Different, Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    for operation in [Less, LessOrEqual, Greater, GreaterOrEqual, Equal, Different] {
        let mut symbol = Symbol::new("compared", &[3, 3], 0, SymbolKind::Map);
        symbol.native = Some(operation);
        symbols.push(symbol);
    }
    symbols.extend_from_slice(more);
    let number = |kind, sort, constructors| NumberSort { kind, sort, constructors };
    let numbers = vec![
        number(Kind::Natural, 1, [2, 3]),
        number(Kind::Positive, 2, [4, 5]),
        number(Kind::Integer, 3, [6, 7]),
    ];
    let sorts = SORTS.map(|name| name.as_bytes().to_vec()).to_vec();
    let (rules, truth, falsity, loose) = (vec![], 0, 1, false);
    let declarations = Declarations { sorts, symbols, rules, truth, falsity, numbers, loose };
    Data::declared(declarations, &Cancel::never()).expect("it is well-formed")
}

#[derive(Clone, Debug)]
enum Expression {
    Variable(u32),
    Number(i64),
    Of(u32, Vec<Expression>),
}

impl Expression {
    fn term(&self, data: &mut Data) -> Term {
        match self {
            Self::Variable(variable) => data.terms.variable(*variable),
            Self::Number(number) => {
                data.terms.numeral_of_sort(3, Number::Small(*number)).expect("an integer")
            }
            Self::Of(symbol, parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.term(data)).collect();
                data.terms.apply(*symbol, &parts)
            }
        }
    }

    fn value(&self, values: [i64; 2]) -> i64 {
        match self {
            Self::Variable(variable) => values[*variable as usize],
            Self::Number(number) => *number,
            Self::Of(symbol, parts) => {
                let parts: Vec<i64> = parts.iter().map(|part| part.value(values)).collect();
                match (symbol - ADD, &parts[..]) {
                    (0, [x, y]) => x + y,
                    (1, [x, y]) => x - y,
                    (2, [x, y]) => x * y,
                    (3, [x, y]) => *x.min(y),
                    (4, [x, y]) => *x.max(y),
                    (5, [x]) => x.abs(),
                    (6, [x]) => -x,
                    (7, [x]) => x + 1,
                    (8, [x]) => x - 1,
                    _ => unreachable!(),
                }
            }
        }
    }
}

fn holds(comparison: u32, left: i64, right: i64) -> bool {
    match comparison - LESS {
        0 => left < right,
        1 => left <= right,
        2 => left > right,
        3 => left >= right,
        4 => left == right,
        _ => left != right,
    }
}

fn expression() -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        (0u32..2).prop_map(Expression::Variable),
        (-4i64..5).prop_map(Expression::Number)
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (ADD..13, inner.clone(), inner.clone())
                .prop_map(|(o, x, y)| Expression::Of(o, vec![x, y])),
            (13..LESS, inner).prop_map(|(o, x)| Expression::Of(o, vec![x])),
        ]
    })
}

/// An expression with one occurrence of the variable, built by addition, subtraction and negation.
fn linear(variable: u32) -> impl Strategy<Value = Expression> {
    let number = || (-4i64..5).prop_map(Expression::Number);
    Just(Expression::Variable(variable)).prop_recursive(4, 4, 1, move |inner| {
        prop_oneof![
            (ADD..MULTIPLY, inner.clone(), number())
                .prop_map(|(o, x, y)| Expression::Of(o, vec![x, y])),
            (ADD..MULTIPLY, number(), inner.clone())
                .prop_map(|(o, x, y)| Expression::Of(o, vec![x, y])),
            (NEGATE..LESS, inner).prop_map(|(o, x)| Expression::Of(o, vec![x])),
        ]
    })
}

type Comparison = (u32, Expression, Expression, bool);

fn ranges(comparisons: &[Comparison], sorts: [u32; 2]) -> Vec<Interval> {
    let mut data = data();
    let constraints: Vec<Constraint> = comparisons
        .iter()
        .map(|(symbol, left, right, value)| {
            let (left, right) = (left.term(&mut data), right.term(&mut data));
            if *symbol == EQUAL && *value {
                return Constraint::Equation(left, right);
            }
            Constraint::Condition(data.terms.apply(*symbol, &[left, right]), *value)
        })
        .collect();
    bounds(&data, sorts.into_iter(), &constraints)
}

fn is_solution(comparisons: &[Comparison], values: [i64; 2]) -> bool {
    comparisons.iter().all(|(symbol, left, right, value)| {
        holds(*symbol, left.value(values), right.value(values)) == *value
    })
}

proptest! {
    #[test]
    fn all_solutions_are_within_bounds(
        comparisons in prop::collection::vec(
            (LESS..23, expression(), expression(), any::<bool>()), 1..4
        ),
    ) {
        let ranges = ranges(&comparisons, [3, 3]);
        for x in -7..=7 {
            for y in -7..=7 {
                if is_solution(&comparisons, [x, y]) {
                    prop_assert!(has(ranges[0], x) && has(ranges[1], y), "{x} {y} {ranges:?}");
                }
            }
        }
    }

    /// One of the variables is near zero.
    #[test]
    fn bounds_of_sums_and_negations_are_tight(
        (symbol, left, right, value) in (LESS..23, linear(0), linear(1), any::<bool>()),
        (least, more, swapped) in (-3i64..2, 0i64..4, any::<bool>()),
        times in 1i64..4,
    ) {
        let (y, number) = (Expression::Variable(1), Expression::Number);
        let is_of_equality = symbol >= EQUAL;
        let left = if times == 1 || is_of_equality {
            left
        } else {
            Expression::Of(MULTIPLY, if swapped { vec![number(times), left] } else { vec![left, number(times)] })
        };
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        let comparisons = vec![
            (LESS, number(least - 1), y.clone(), true),
            (LESS + 1, y, number(least + more), true),
            (symbol, left, right, value),
        ];
        let ranges = ranges(&comparisons, [3, 3]);
        let window = -70..=70;
        let solutions: Vec<[i64; 2]> = window
            .flat_map(|x| (-4..=6).map(move |y| [x, y]))
            .filter(|&values| is_solution(&comparisons, values))
            .collect();
        for (variable, &bounds) in ranges.iter().enumerate() {
            let numbers = || solutions.iter().map(|values| values[variable]);
            let least = numbers().min().filter(|&least| least > -70);
            let most = numbers().max().filter(|&most| most < 70);
            if variable == 0 || !is_of_equality || symbol == EQUAL && value {
                prop_assert_eq!(bounds, Interval::new(least, most));
            }
        }
    }
}

#[test]
fn sorts_of_numbers_have_least_values() {
    assert_eq!(ranges(&[], [1, 2]), [Interval::new(Some(0), None), Interval::new(Some(1), None)]);
    assert_eq!(ranges(&[], [0, 3]), [Interval::ALL, Interval::ALL]);
}

#[test]
fn large_numbers_are_no_bounds() {
    let (x, number) = (|| Expression::Variable(0), Expression::Number);
    for (far, is_bound) in [(super::FAR - 1, true), (super::FAR, false), (i64::MAX, false)] {
        let endpoints = [(LESS + 3, x(), number(-far), true), (LESS + 1, x(), number(far), true)];
        let within = Interval::new(Some(-far), Some(far));
        assert_eq!(ranges(&endpoints, [3, 3])[0], if is_bound { within } else { Interval::ALL });
    }
    // The least number has no opposite.
    for least in [i64::MIN, -super::FAR] {
        let endpoints = [(EQUAL, x(), number(least), true), (LESS + 3, x(), number(least), true)];
        assert_eq!(ranges(&endpoints, [3, 3])[0], Interval::ALL);
    }
}

#[test]
fn absolute_values_are_bounded_by_the_endpoints() {
    let (x, y, number) =
        (|| Expression::Variable(0), || Expression::Variable(1), Expression::Number);
    for (least, most, far) in [(-3, 2, 3), (-2, 5, 5), (1, 4, 4), (-4, -1, 4)] {
        let ranges = ranges(
            &[
                (LESS + 3, x(), number(least), true),
                (LESS + 1, x(), number(most), true),
                (EQUAL, y(), Expression::Of(13, vec![x()]), true),
            ],
            [3, 3],
        );
        assert_eq!(ranges[1], Interval::new(Some(0), Some(far)), "{least} {most}");
    }
}

/// Terms are analysed to a limited depth only, so that terms of any depth use little stack.
#[test]
fn terms_are_analysed_to_a_bounded_depth() {
    let zero = || Expression::Number(0);
    for symbol in [ADD, SUBTRACT, 11, 13, NEGATE, 15] {
        for is_left in [true, false] {
            for (depth, is_seen) in [(40, true), (60, false), (2_000, false), (100_000, false)] {
                let mut data = data();
                let variable = data.terms.variable(0);
                let number = zero().term(&mut data);
                let mut term = variable;
                for _ in 0..depth {
                    let arguments = if is_left { [term, number] } else { [number, term] };
                    term = match data.terms.arity(symbol) {
                        1 => data.terms.apply(symbol, &[term]),
                        _ => data.terms.apply(symbol, &arguments),
                    };
                }
                let condition = data.terms.apply(EQUAL, &[term, number]);
                let thread = std::thread::Builder::new().stack_size(1 << 18);
                let ranges = thread
                    .spawn(move || {
                        bounds(&data, [3].into_iter(), &[Constraint::Condition(condition, true)])
                    })
                    .unwrap()
                    .join()
                    .unwrap();
                assert_eq!(ranges[0] != Interval::ALL, is_seen, "{symbol} {is_left} {depth}");
            }
        }
    }
}

/// Exactly those operations are analysed that have a result for all numbers.
#[test]
fn total_operations_are_analysed() {
    use Operation::{Absolute, Add, Convert, Div, Maximum, Minimum, Mod, Multiply};
    use Operation::{Monus, Negate, Power, Predecessor, Subtract, Successor};
    let read = [Add, Subtract, Multiply, Div, Mod, Minimum, Maximum];
    let read = read.iter().chain(&[Negate, Absolute, Successor, Predecessor, Convert]);
    let kinds = [Kind::Natural, Kind::Positive, Kind::Integer];
    let mut symbols = Vec::new();
    for (&operation, is_read) in read.map(|o| (o, true)).chain([(&Monus, false), (&Power, false)]) {
        for index in 0..27 {
            let sorts = [index % 3 + 1, index / 3 % 3 + 1, index / 9 + 1];
            let arguments = &sorts[1..=operation.arity()];
            let mut symbol = Symbol::new("of", arguments, sorts[0], SymbolKind::Map);
            symbol.native = Some(operation);
            symbols.push((symbol, operation, is_read));
        }
    }
    let declared: Vec<Symbol> = symbols.iter().map(|(symbol, ..)| symbol.clone()).collect();
    let data = data_with(&declared);
    let bounds = Bounds { data: &data, known: vec![], parts: 0, changed: false };
    let numbers = |sort: u32| {
        (-6..=6).filter(move |&n| has(of_kind(kinds[sort as usize - 1]), n)).map(Number::Small)
    };
    let mut counts = [0, 0];
    for (number, (symbol, operation, is_read)) in (LESS + 6..).zip(&symbols) {
        // For these the declared sort is known to contain all results.
        let is_trusted = matches!(operation, Maximum | Div | Mod);
        let is_total = numbers(symbol.arguments[0]).all(|x| {
            let of = |numbers: &[&Number]| match operation.apply(numbers) {
                Some(Outcome::Number(ranges)) => {
                    is_trusted || kinds[symbol.sort as usize - 1].has(&ranges)
                }
                _ => false,
            };
            match symbol.arguments[..] {
                [_, second] => numbers(second).all(|y| of(&[&x, &y])),
                _ => of(&[&x]),
            }
        });
        let ranges = bounds.reading(number).is_some();
        counts[usize::from(ranges)] += 1;
        let (of, to) = (&symbol.arguments, symbol.sort);
        assert_eq!(ranges, is_total && *is_read, "{operation:?} {of:?} {to}");
    }
    assert!(counts[0] > 50 && counts[1] > 50);
}
