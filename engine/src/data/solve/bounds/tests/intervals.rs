//! Interval arithmetic is compared with arithmetic on the numbers in the intervals.

use super::*;

/// All non-empty intervals whose endpoints are near zero or infinite.
fn intervals() -> Vec<Interval> {
    let endpoints: Vec<Option<i64>> = (-3..=3).map(Some).chain([None]).collect();
    let pairs =
        endpoints.iter().flat_map(|&least| endpoints.iter().map(move |&most| (least, most)));
    pairs
        .filter(|&(least, most)| least.zip(most).is_none_or(|(least, most)| least <= most))
        .map(|(least, most)| Interval::new(least, most))
        .collect()
}

/// The results for all pairs of small numbers in two intervals.
fn results(a: Interval, b: Interval, of: impl Fn(i64, i64) -> i64) -> Vec<i64> {
    let inside = |interval| (-40..=40).filter(move |&number| has(interval, number));
    inside(a).flat_map(|x| inside(b).map(|y| of(x, y)).collect::<Vec<_>>()).collect()
}

fn is_finite(interval: Interval) -> bool {
    interval.least.is_some() && interval.most.is_some()
}

#[test]
fn sums_minima_and_maxima_are_exact() {
    for a in intervals() {
        for z in -10..=10 {
            assert_eq!(has(a.negated(), z), has(a, -z));
        }
        for b in intervals() {
            let same = |interval: Interval, of: fn(i64, i64) -> i64| {
                let all = results(a, b, of);
                for z in -8..=8 {
                    assert_eq!(has(interval, z), all.contains(&z), "{a:?} {b:?} {interval:?} {z}");
                }
            };
            same(a.plus(b), |x, y| x + y);
            same(a.minus(b), |x, y| x - y);
            same(of_two(Operation::Add, a, b), |x, y| x + y);
            same(of_two(Operation::Subtract, a, b), |x, y| x - y);
            same(of_two(Operation::Minimum, a, b), i64::min);
            same(of_two(Operation::Maximum, a, b), i64::max);
            for z in -5..=5 {
                assert_eq!(has(a.meet(b), z), has(a, z) && has(b, z));
            }
        }
    }
}

#[test]
fn products_and_quotients_have_tight_endpoints() {
    for a in intervals() {
        for b in intervals() {
            let (interval, all) = (a.times(b), results(a, b, |x, y| x * y));
            assert!(all.iter().all(|&z| has(interval, z)));
            assert_eq!(interval, of_two(Operation::Multiply, a, b));
            if is_finite(a) && is_finite(b) {
                assert_eq!(
                    (interval.least, interval.most),
                    (all.iter().min().copied(), all.iter().max().copied())
                );
            } else if let (Some(x @ 0..), Some(y @ 0..)) = (a.least, b.least) {
                assert_eq!(interval, Interval::new(Some(x * y), None));
            } else {
                assert_eq!(interval, Interval::ALL);
            }
            let interval = of_two(Operation::Div, a, b);
            if let (Some(0..), Some(1..)) = (a.least, b.least) {
                let all = results(a, b, i64::div_euclid);
                assert!(all.iter().all(|&z| has(interval, z)));
                let most = a.most.and(all.iter().max().copied());
                assert_eq!(interval, Interval::new(Some(0), most));
            } else {
                assert_eq!(interval, Interval::ALL);
            }
            let by = b.meet(Interval::new(Some(1), None));
            let interval = of_two(Operation::Mod, a, by);
            assert_eq!(interval, Interval::new(Some(0), b.most.map(|most| most - 1)));
        }
    }
}

#[test]
fn factors_are_computed_over_the_reals() {
    for a in intervals() {
        for b in intervals() {
            let interval = a.divided(b);
            let Some(small @ 1..) = b.least else {
                assert_eq!(interval, Interval::ALL);
                continue;
            };
            for x in -20i64..=20 {
                let endpoints = [x * small, b.most.map_or(1000 * x, |large| x * large)];
                let (low, high) = (endpoints[0].min(endpoints[1]), endpoints[0].max(endpoints[1]));
                let fits = a.least.is_none_or(|least| least <= high)
                    && a.most.is_none_or(|most| low <= most);
                assert_eq!(has(interval, x), fits, "{x} in {a:?} by {b:?}: {interval:?}");
            }
        }
    }
    let none = Interval::new(Some(2), Some(1));
    assert_eq!(Interval::new(Some(4), Some(5)).divided(none), Interval::ALL);
}

#[test]
fn sizes_are_counted_and_large_endpoints_are_dropped() {
    let size = |least, most| Interval::new(least, most).size();
    assert_eq!((size(Some(-1), Some(2)), size(Some(2), Some(2))), (Some(4), Some(1)));
    assert_eq!((size(Some(2), Some(1)), size(Some(2), Some(-5))), (Some(0), Some(0)));
    assert_eq!((size(None, Some(1)), size(Some(1), None)), (None, None));
    let half = Interval::new(Some(-FAR / 2), Some(FAR / 2));
    assert_eq!(
        half.plus(Interval::new(Some(1), Some(-1))),
        Interval::new(Some(1 - FAR / 2), Some(FAR / 2 - 1))
    );
    assert_eq!(half.plus(half), Interval::ALL);
    assert_eq!(half.times(half), Interval::ALL);
}
